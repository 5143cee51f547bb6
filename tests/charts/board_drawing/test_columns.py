"""The axes: numbers that don't run into each other, and where ranks stand."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.board_drawing.columns import AxisPanel, rank_ticks
from nbrank.charts.text_metrics import text_width


@pytest.mark.parametrize("last", [1, 2, 3, 7, 24, 60, 61, 300, 12_345])
@pytest.mark.parametrize("width", [60, 120, 600])
def test_the_first_and_the_last_rank_are_numbered_and_no_numbers_touch(last, width):
    ticks = rank_ticks(last, width, 10)
    assert ticks[0] == 1
    assert ticks[-1] == last
    step = width / max(last - 1, 1)
    wide = [text_width(str(tick), 10) for tick in ticks]
    for low, high, a, b in zip(ticks[:-1], ticks[1:], wide[:-1], wide[1:], strict=True):
        assert (high - low) * step >= (a + b) / 2 + 4


@pytest.mark.parametrize("ems", [8, 10, 11, 12, 14])
def test_larger_numbers_stand_as_far_apart_for_their_size(ems):
    small, large = (rank_ticks(130, ems * letters, letters) for letters in (8, 23))
    assert small == large


def test_the_axis_is_linear():
    panel = AxisPanel(("rank",), 100, 230, 1, 24, 10, shows_ranks=True)
    assert np.diff([panel.to_pixels(rank) for rank in range(1, 25)]) == pytest.approx(10)


def test_of_many_systems_it_ends_with_the_ranks_that_are_drawn_and_says_so(drawn):
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(80, 40)) + np.linspace(9, 0, 80)[:, None])
    sets = nbrank.rank_confidence(scores, "mean", seed=0)
    shown = nbrank.mean(scores).index[:10]
    last = max(sets.loc[shown, "high"])
    picture = drawn(nbrank.picture(scores, "mean", top=10, width=1920))
    assert last < 80
    assert f"ranks, to {last} of 80" in picture.words
    assert str(last) in picture.heads


def test_an_axis_of_strengths_has_round_numbers():
    panel = AxisPanel(("strength",), 0, 150, -1.3, 0.9, 10)
    assert [text for text, _ in panel.ticks] == ["−1", "−0.5", "0", "0.5"]


def board_of(n_tasks, letters, grouped):
    rng = np.random.default_rng(0)
    names = [f"{'name' * letters}{number}" for number in range(n_tasks)]
    scores = pd.DataFrame(rng.random((4, n_tasks)), list("ABCD"), names)
    if grouped:
        labels = [("one" if at % 2 else "two", name) for at, name in enumerate(names)]
        scores.columns = pd.MultiIndex.from_tuples(labels)
    return scores


@pytest.mark.parametrize("grouped", [False, True])
def test_tasks_whose_names_have_no_room_are_numbered_and_named_below(grouped):
    scores = board_of(22, 5, grouped)
    drawing = nbrank.picture(scores, width=1100)
    for number in range(1, 23):
        assert f">{number}</text>" in drawing.template
    below = drawing.template.split("place or rank")[1].replace("\N{NO-BREAK SPACE}", " ")
    order = sorted(scores.columns, key=lambda name: name[0] != "two") if grouped else scores.columns
    for number, name in enumerate(order, 1):
        assert f"{number} {name[-1] if grouped else name}" in below
    assert "named" not in drawing.caption


def test_tasks_with_room_for_their_names_have_them_and_too_many_have_no_legend():
    few = nbrank.picture(board_of(4, 1, grouped=False), width=1100)
    assert "\N{NO-BREAK SPACE}" not in few.template
    many = nbrank.picture(board_of(60, 9, grouped=False), width=1920)
    assert "\N{NO-BREAK SPACE}" not in many.template
    assert "of the tasks are named" in many.caption
