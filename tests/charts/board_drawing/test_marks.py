"""The cells of the picture: scores as they are written, and who won how often against whom."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.board_drawing.marks import format_scores


def few_met(n, seed=0):
    """Comparisons in which most pairs never met, and some tied."""
    rng = np.random.default_rng(seed)
    left = rng.integers(0, n, 6 * n)
    right = (left + rng.integers(1, 4, 6 * n)) % n
    frame = pd.DataFrame({"a": left, "b": right, "won": rng.choice(["a", "b", "tie"], 6 * n)})
    frame[["a", "b"]] = "system " + frame[["a", "b"]].astype(str)
    return nbrank.from_comparisons(frame, left="a", right="b", winner="won")


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([93.512, 100, -0.44, np.nan], ["93.5", "100", "−0.4", ""]),
        ([0.712, 0.5], ["0.71", "0.50"]),
        ([3.0, 2.0], ["3", "2"]),
        ([1203.4, 998.2], ["1203", "998"]),
        ([2.5e6, 1e5], ["2.5e+06", "1e+05"]),
    ],
)
def test_scores_have_as_many_decimals_as_they_need(values, written):
    assert format_scores(values) == written


def test_scores_are_written_where_all_of_a_task_fit(drawn):
    scores = pd.DataFrame({f"t{at}": [90.5, 80.25, 70.0] for at in range(14)})
    scores.index = [f"a system with a long name, number {at}" for at in range(3)]
    wide, narrow = (drawn(nbrank.picture(scores, width=width)) for width in (1100, "7in"))
    assert "80.2" in wide.words
    assert not {"90.5", "80.2"} & {*narrow.words}
    assert "place on each task" in narrow.words
    assert [cell.title for cell in wide.cells.values()] == [
        cell.title for cell in narrow.cells.values()
    ]


@pytest.mark.parametrize("n", [4, 12])
def test_cells_are_the_shares_won(n, drawn):
    source = few_met(n)
    picture = drawn(source.picture("borda", rules=["copeland"], top=n))
    met = nbrank.compared(source)
    shares = nbrank.pairwise(source) / met
    said = [mark for mark in picture.marks if mark.row and mark.title]
    assert len(said) == n * (n - 1)
    for cell in said:
        words = cell.title.split()
        other = " ".join(words[-2:]) if "against" in words else " ".join(words[3:5])
        share = shares.loc[cell.row, other]
        if np.isnan(share):
            assert cell.title == f"{cell.row} and {other} never met"
            assert cell.fill == "none"
            continue
        number = met.loc[cell.row, other]
        assert cell.title == f"{cell.row} won {100 * share:.3g} % of {number:g} against {other}"
        assert cell.fill == f"p{5 - min(4, int(5 * share + 1e-9))}"


def test_columns_are_the_opponents_in_the_order_of_the_rows(drawn):
    source = few_met(9)
    picture = drawn(source.picture("copeland", rules=["borda"], top=5))
    assert picture.systems == list(nbrank.copeland(source).index[:5])
    first = picture.systems[0]
    cells = sorted(
        (mark.x, mark.title) for mark in picture.marks if mark.row == first and mark.title
    )
    order = [title.split(" against ")[-1].removeprefix(f"{first} and ") for _, title in cells]
    assert [name.removesuffix(" never met") for name in order] == picture.systems[1:]


def test_never_met_is_in_the_key(drawn):
    picture = drawn(few_met(9).picture("borda", rules=["copeland"]))
    assert {"% won by the row", "never met", "80–100", "0–20"} <= {*picture.words}
    everybody = nbrank.from_comparisons(
        pd.DataFrame({"w": ["A", "B"], "l": ["B", "A"]}), winner="w", loser="l"
    )
    assert "never met" not in drawn(everybody.picture()).words


def test_of_a_tally_the_cells_are_shares_of_its_instances(drawn):
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    tally = nbrank.tally(pd.DataFrame({"x": [1.0, 0, 1, 2], "y": [1, 2, 3, 4]}, index))
    picture = drawn(tally.picture(rules=["copeland"]))
    says = {mark.row: mark.title for mark in picture.marks if mark.row and mark.title}
    assert says == {"B": "B won 87.5 % of 4 against A", "A": "A won 12.5 % of 4 against B"}
    assert {"88", "12"} <= {*picture.words}
