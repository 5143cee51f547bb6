"""What all charts share: names that differ, checked frames, and a spec that is soon made."""

import json

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.charts.drawing import in_brief

SCORES = pd.DataFrame({"x": [3.0, 2, 1], "y": [1.0, 3, 2], "z": [2.0, 1, 3]}, index=["A", "B", "C"])


def test_names_are_never_alike(alike):
    names = charts.names_of(alike.index)
    assert len(set(names)) == len(alike)
    assert names[4:6] == ["several systems", "nobody"]
    assert charts.names_of(["A", ("B", 2)]) == ["A", "B / 2"]


LONG = [
    f"organisation-{i % 3}/a-family-of-models-{i}-tuned-on-everything-seed-0" for i in range(90)
]


def test_long_names_are_written_in_brief_and_still_differ():
    for names in (
        LONG,
        ["x" * n for n in range(30, 90)],
        ["ab" * 40 + c + "ba" * 40 for c in "ab"],
    ):
        brief = in_brief(names)
        assert len(set(brief)) == len(names)
        assert max(map(len, brief)) <= 34
    middle = in_brief(LONG)[15]
    assert middle.startswith("organi")
    assert "models-15-tuned" in middle
    assert in_brief(["short", LONG[0]])[0] == "short"


def test_an_axis_shows_names_in_brief_and_the_tooltip_in_full():
    scores = SCORES.set_axis(LONG[:3])
    for name in ("scores", "rank_intervals", "strengths", "pairwise"):
        spec = json.dumps(drawn(scores, name).to_dict())
        assert "labelExpr" in spec
        assert LONG[0] in spec
    assert "labelExpr" not in json.dumps(drawn(SCORES, "rank_intervals").to_dict())


def drawn(scores, name):
    """A chart of scores by its name, from the function that makes its frame."""
    groups = {task: [task] for task in scores.columns[:3]}
    sets = nbrank.bootstrap(scores, "borda", n=20, seed=0)
    sets = sets[["rank", "low", "high"]]
    frames = {
        "ranks": lambda: nbrank.compare(scores, ["borda", "mean"]),
        "scores": lambda: scores,
        "pairwise": lambda: nbrank.confidence(scores),
        "compatible_pairs": lambda: scores,
        "majority_graph": lambda: scores,
        "rank_intervals": lambda: sets,
        "tie_groups": lambda: nbrank.tie_groups(sets),
        "strengths": lambda: nbrank.strengths(scores, prior=1),
        "critical_difference": lambda: nbrank.critical_difference(scores),
        "weight_map": lambda: nbrank.weight_map(scores[list(groups)], "mean", groups=groups),
    }
    return getattr(charts, name)(frames[name]())


EVERY = [
    "ranks", "scores", "pairwise", "compatible_pairs", "majority_graph", "rank_intervals",
    "tie_groups", "strengths", "critical_difference", "weight_map",
]  # fmt: skip


def test_every_chart_is_tested_here():
    assert {*EVERY, "robustness", "names_of", "name_of", "PALETTE"} == set(charts.__all__)


@pytest.mark.parametrize("name", EVERY[:-1])
def test_labels_that_print_alike_are_drawn_apart(name, alike, rows_of):
    rows = rows_of(drawn(alike, name))
    systems = {r["system"].rpartition("7. ")[2] for r in rows if "system" in r}
    assert len(systems) == len(alike)


@pytest.mark.parametrize("name", EVERY)
def test_every_chart_fits_the_schema_and_is_the_same_each_time(name, alike):
    first = drawn(alike, name).to_json()
    assert json.loads(first) == json.loads(drawn(alike, name).to_json())


@pytest.mark.parametrize("name", EVERY)
def test_no_chart_changes_by_what_is_made_of_it(name, alike):
    import altair as alt

    chart = drawn(alike, name)
    before = chart.to_json()
    titled = chart.properties(title="another", width=100)
    titled.layer[0].mark = "point"
    titled.layer[0].encoding.x.title = "another"
    pair = alt.hconcat(chart.properties(title="left"), alt.Chart({"values": []}).mark_point())
    assert '"left"' in pair.to_json()
    assert chart.to_json() == before


@pytest.mark.parametrize("name", EVERY)
def test_every_chart_is_white_also_in_a_dark_notebook(name, alike):
    import vl_convert

    svg = vl_convert.vegalite_to_svg(drawn(alike, name).to_dict())
    width = svg.split('width="')[1].split('"')[0]
    assert f'<rect width="{width}"' in svg
    assert 'fill="white"' in svg.split(f'<rect width="{width}"')[1].split(">")[0]


RANKED = nbrank.borda(SCORES)
SETS = pd.DataFrame({"rank": [1, 2], "low": [1, 1], "high": [2, 2]}, index=["A", "B"])


@pytest.mark.parametrize(
    ("chart", "frame", "missing", "source"),
    [
        ("pairwise", nbrank.pairwise(SCORES), "'wins', 'low', 'high', 'n'", "nbrank.confidence("),
        ("rank_intervals", RANKED, "'low', 'high'", "nbrank.rank_confidence("),
        ("rank_intervals", RANKED, "'low', 'high'", "nbrank.bootstrap("),
        ("tie_groups", SETS, "'systems'", "nbrank.tie_groups("),
        ("tie_groups", RANKED, "'low', 'high', 'systems'", "nbrank.tie_groups("),
        ("strengths", RANKED, "'strength', 'low', 'high'", "nbrank.strengths("),
        ("critical_difference", RANKED, "'mean_rank', 'groups'", "nbrank.critical_difference("),
        ("weight_map", SCORES, "'winners'", "nbrank.weight_map("),
    ],
)
def test_another_frame_is_refused_by_what_it_lacks(chart, frame, missing, source):
    with pytest.raises(ValueError, match=f"charts.{chart} draws what") as refusal:
        getattr(charts, chart)(frame)
    assert f"has no {missing}" in str(refusal.value)
    assert source in str(refusal.value)


FROM_FRAMES = [
    "ranks", "pairwise", "rank_intervals", "tie_groups", "strengths", "critical_difference",
    "weight_map",
]  # fmt: skip


@pytest.mark.parametrize("chart", FROM_FRAMES)
def test_what_is_no_frame_is_refused(chart):
    with pytest.raises(TypeError, match=f"charts.{chart} draws what nbrank.* returns.*not ndarray"):
        getattr(charts, chart)(np.eye(3))


def test_the_intervals_beside_groups_and_the_ranking_beside_scores_are_checked_too():
    with pytest.raises(ValueError, match="takes as intervals what nbrank.rank_confidence"):
        charts.tie_groups(nbrank.tie_groups(SETS), RANKED)
    with pytest.raises(ValueError, match="orders rows by what a rule such as nbrank.borda"):
        charts.scores(SCORES, SCORES)


def test_no_rows_and_duplicate_rows_are_refused():
    with pytest.raises(ValueError, match="this frame has no rows"):
        charts.rank_intervals(SETS.iloc[:0])
    with pytest.raises(ValueError, match="duplicate rows: 'A'"):
        charts.rank_intervals(SETS.set_axis(["A", "A"], axis=0))


def test_names_have_room_in_a_browser_whose_font_is_wider_than_the_one_drawn_with():
    import vl_convert

    def width(scores):
        svg = vl_convert.vegalite_to_svg(drawn(scores, "rank_intervals").to_dict())
        return float(svg.partition(' width="')[2].partition('"')[0])

    letters = 24
    # A letter of DejaVu Sans, the widest font that browsers commonly have, is 6 to 7 pixels wide.
    assert width(SCORES.set_axis([x * letters for x in "ijl"])) >= 420 + 7 * letters
