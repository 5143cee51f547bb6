"""The strengths beside the picture of comparisons: those of `strengths`, or why there are none."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.findings.strength_estimates import compute_ratings


def compared(rows, **columns):
    battles = pd.DataFrame(rows, columns=["left", "right", "winner", *columns])
    return nbrank.from_comparisons(battles, left="left", right="right", winner="winner", **columns)


def battles(n, per_pair=9, seed=0):
    """Each of n systems against each other, the earlier one stronger."""
    rng = np.random.default_rng(seed)
    pairs = [(one, other) for one in range(n) for other in range(one + 1, n)] * per_pair
    outcomes = [
        ("left", "right", "tie")[rng.choice(3, p=[0.55, 0.3, 0.15])] for _ in range(len(pairs))
    ]
    names = [f"a system with a rather long name, number {at}" for at in range(n)]
    return compared(
        [(names[a], names[b], won) for (a, b), won in zip(pairs, outcomes, strict=True)]
    )


def strengths_of(picture):
    """System -> the strength that its row says."""
    return {
        system: float(re.search(r"strength (\S+?)[;,]?( |$)", said)[1])
        for system, said in picture.labels.items()
        if "strength" in said
    }


def panels(picture, of):
    """The bars, or dots, of each system from the left: those of ranks, then of strengths."""
    marks = {system: [] for system in picture.systems}
    for mark in picture.marks:
        is_dot = mark.kind == "circle" and mark.fill == "ink"
        is_bar = mark.kind == "rect" and mark.fill in ("bar", "best-bar")
        if mark.row and (is_dot if of == "dots" else is_bar):
            marks[mark.row].append(mark)
    return marks


@pytest.mark.parametrize("n", [3, 8, 30])
def test_the_strengths_drawn_are_those_of_strengths(n, drawn):
    source = battles(n)
    picture = drawn(source.picture(top=8))
    frame = nbrank.strengths(source).head(8)
    assert picture.systems == list(frame.index)
    assert strengths_of(picture) == pytest.approx(frame["strength"].to_dict(), rel=1e-3)
    # Where they stand is linear in what they are.
    dots, bars = panels(picture, "dots"), panels(picture, "bars")
    at = [dots[system][-1].x for system in frame.index]
    assert at == sorted(at, reverse=True)
    scale = np.polyfit(frame["strength"], at, 1)
    half = float(bars[frame.index[0]][-1].attributes["height"]) / 2
    for system, own in frame.iterrows():
        bar = bars[system][-1]
        ends = np.polyval(scale, own[["low", "high"]].to_numpy(float))
        assert (bar.x + half, bar.x + bar.width - half) == pytest.approx(ends, abs=0.5)


def test_they_are_on_the_scale_of_the_rule(drawn):
    source = battles(6)
    rule = partial(nbrank.bradley_terry, scale=400, base=10, anchor=1000)
    picture = drawn(source.picture(rule))
    expected = nbrank.bradley_terry(source, scale=400, base=10, anchor=1000)["score"]
    assert strengths_of(picture) == pytest.approx(expected.to_dict(), rel=1e-3)
    assert "rating on Elo's scale" in picture.words
    assert "rating on Elo's scale, 95 % for each" in picture.words
    assert "1000" in picture.heads


def test_beside_another_rule_it_says_whose_strengths_they_are(drawn):
    picture = drawn(battles(6).picture("copeland"))
    assert "strength by Bradley-Terry, 95 % for each" in picture.words
    assert len(strengths_of(picture)) == 6


def test_where_nobody_beat_a_system_it_says_so_and_borda_orders(drawn, heading):
    source = compared([("A", "B", "A"), ("B", "C", "tie"), ("C", "B", "B"), ("A", "C", "A")])
    chart = source.picture()
    assert not strengths_of(drawn(chart))
    _, below = heading(chart)
    assert "3 systems by Borda" in below
    assert "no strengths: some strengths are infinite" in below
    assert "never beaten nor tied with: A" in below
    with pytest.raises(ValueError, match="never beaten"):
        source.picture("bradley_terry")


def test_without_intervals_the_strengths_stand_alone_and_it_says_why(drawn, heading):
    source = battles(4)
    chart = source.picture(partial(nbrank.bradley_terry, advantage=True))
    assert len(strengths_of(drawn(chart))) == 4
    assert not any(panels(drawn(chart), "bars").values())
    assert "no intervals: not available with an advantage or covariates" in heading(chart)[1]
    one = compared([("A", "B", "A", 1), ("B", "A", "B", 1), ("A", "B", "A", 1)], cluster="cluster")
    chart = one.picture()
    assert len(strengths_of(drawn(chart))) == 2
    assert "no intervals: there is only one cluster" in heading(chart)[1]


def test_an_interval_without_end_is_said_and_reaches_over_the_panel(drawn, heading):
    beat = [("A", "B", "A"), ("B", "C", "B"), ("C", "A", "C"), ("A", "B", "B"), ("B", "C", "C")]
    # What tells of A stands in a single cluster.
    rows_of = [(*row, 0 if "A" in row[:2] else at % 3 + 1) for at, row in enumerate(4 * beat)]
    source = compared(rows_of, cluster="cluster")
    assert np.isinf(nbrank.strengths(source)["high"]["A"])
    chart = source.picture()
    assert "the interval of A has no end" in heading(chart)[1]
    bars = {system: own[-1] for system, own in panels(drawn(chart), "bars").items()}
    ends = {system: bar.x + bar.width for system, bar in bars.items()}
    assert ends["A"] == max(ends.values())
    assert bars["A"].x == min(bar.x for bar in bars.values())


def test_a_leaderboard_has_none():
    assert compute_ratings(nbrank.Leaderboard(load_llm_chat()), "bradley_terry") is None


def test_the_narrow_picture_leaves_them_out_and_says_so(drawn, heading):
    chart = battles(5).picture(width="85mm")
    assert not strengths_of(drawn(chart))
    assert not drawn(chart).cells
    assert "left out, for want of room" in heading(chart)[1]


def test_a_report_of_comparisons_that_have_no_strengths_is_ordered_by_borda():
    page = compared([("A", "B", "A"), ("B", "C", "tie"), ("C", "B", "B"), ("A", "C", "A")]).report()
    assert page.lead.startswith("3 systems, ranked by Borda.")
    strong = next(section for section in page.sections if section.title == "How strong are they?")
    assert "never beaten nor tied with: A" in strong.sentences[0]
