"""The strengths beside the picture of comparisons: those of `strengths`, or why there are none."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.board_drawing.drawing import draw_overview
from nbrank.charts.board_drawing.layout import NARROW
from nbrank.datasets import load_llm_chat
from nbrank.findings.overview import compute_overview
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


def rows(chart, *fields):
    datasets = chart.to_dict()["datasets"].values()
    return [row for data in datasets for row in data if {*fields} <= row.keys()]


@pytest.mark.parametrize("n", [3, 8, 30])
def test_the_strengths_drawn_are_those_of_strengths(n):
    source = battles(n)
    found = {row["system"]: row for row in rows(source.picture(top=8), "strength")}
    frame = nbrank.strengths(source).head(8)
    assert list(found) == list(frame.index)
    for system, own in frame.iterrows():
        row = found[system]
        assert [row[column] for column in ("strength", "low", "high")] == pytest.approx(
            [own["strength"], own["low"], own["high"]], abs=1e-12
        )
        assert row["from"] < row["at"] < row["to"]
    at = [row["at"] for row in found.values()]
    assert at == sorted(at, reverse=True)


def test_they_are_on_the_scale_of_the_rule():
    source = battles(6)
    rule = partial(nbrank.bradley_terry, scale=400, base=10, anchor=1000)
    chart = source.picture(rule)
    found = {row["system"]: row["strength"] for row in rows(chart, "strength")}
    expected = nbrank.bradley_terry(source, scale=400, base=10, anchor=1000)["score"]
    assert found == pytest.approx(expected.to_dict())
    said = {row["says"] for row in rows(chart, "says", "x", "y")}
    assert {"rating on Elo's scale", "95 % for each", "1000"} <= said


def test_beside_another_rule_it_says_whose_strengths_they_are():
    chart = battles(6).picture("copeland")
    said = {row["says"] for row in rows(chart, "says", "x", "y")}
    assert "strength by Bradley-Terry" in said
    assert len(rows(chart, "strength")) == 6


def test_where_nobody_beat_a_system_it_says_so_and_borda_orders(heading):
    source = compared([("A", "B", "A"), ("B", "C", "tie"), ("C", "B", "B"), ("A", "C", "A")])
    chart = source.picture()
    assert not rows(chart, "strength")
    _, below = heading(chart)
    assert "3 systems by Borda" in below
    assert "no strengths: some strengths are infinite" in below
    assert "never beaten nor tied with: A" in below
    with pytest.raises(ValueError, match="never beaten"):
        source.picture("bradley_terry")


def test_without_intervals_the_strengths_stand_alone_and_it_says_why(heading):
    source = battles(4)
    chart = source.picture(partial(nbrank.bradley_terry, advantage=True))
    found = rows(chart, "strength")
    assert [row["low"] for row in found] == [None] * 4
    assert "no intervals: none are known beside an advantage or covariates" in heading(chart)[1]
    one = compared([("A", "B", "A", 1), ("B", "A", "B", 1), ("A", "B", "A", 1)], cluster="cluster")
    chart = one.picture()
    assert len(rows(chart, "strength")) == 2
    assert "no intervals: there is only one cluster" in heading(chart)[1]


def test_an_interval_without_end_is_said_and_reaches_over_the_panel(heading):
    beat = [("A", "B", "A"), ("B", "C", "B"), ("C", "A", "C"), ("A", "B", "B"), ("B", "C", "C")]
    # What tells of A stands in a single cluster.
    rows_of = [(*row, 0 if "A" in row[:2] else at % 3 + 1) for at, row in enumerate(4 * beat)]
    source = compared(rows_of, cluster="cluster")
    assert np.isinf(nbrank.strengths(source)["high"]["A"])
    chart = source.picture()
    assert "the interval of A has no end" in heading(chart)[1]
    found = {row["system"]: row for row in rows(chart, "strength")}
    assert found["A"]["high"] is None
    assert found["A"]["to"] == max(row["to"] for row in found.values())
    assert found["A"]["from"] == min(row["from"] for row in found.values())


def test_a_leaderboard_has_none():
    assert compute_ratings(nbrank.Leaderboard(load_llm_chat()), "bradley_terry") is None


def test_the_narrow_picture_leaves_them_out_and_says_so(heading):
    source = battles(5)
    chart = draw_overview(compute_overview(source, "bradley_terry"), look=NARROW)
    assert not rows(chart, "strength")
    assert not rows(chart, "opponent")
    assert chart.to_dict()["width"] <= 380
    assert "left out, for want of room" in heading(chart)[1]


def test_a_report_of_comparisons_that_have_no_strengths_is_ordered_by_borda():
    page = compared([("A", "B", "A"), ("B", "C", "tie"), ("C", "B", "B"), ("A", "C", "A")]).report()
    assert page.lead.startswith("3 systems, ranked by Borda.")
    strong = next(section for section in page.sections if section.title == "How strong are they?")
    assert "never beaten nor tied with: A" in strong.sentences[0]
