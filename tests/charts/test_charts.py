"""What holds for every chart: names that differ, white ground, a spec that fits and stays."""

import json
import re

import altair as alt
import pandas as pd
import pytest

import nbrank
from nbrank import charts
from nbrank.datasets import load_llm_chat

SCORES = pd.DataFrame({"x": [3.0, 2, 1], "y": [1.0, 3, 2], "z": [2.0, 1, 3]}, index=["A", "B", "C"])


def test_an_axis_shows_names_in_brief_and_the_tooltip_in_full():
    long = [f"a-family-of-models-{i}-tuned-on-everything-seed-0" for i in range(3)]
    scores = SCORES.set_axis(long)
    for name in ("scores", "rank_intervals", "strengths", "pairwise"):
        spec = json.dumps(drawn(scores, name).to_dict())
        assert "labelExpr" in spec
        assert long[0] in spec
    assert "labelExpr" not in json.dumps(drawn(SCORES, "rank_intervals").to_dict())


def drawn(scores, name):
    """A chart of scores by its name, from the function that makes its frame."""
    groups = {task: [task] for task in scores.columns[:3]}
    sets = nbrank.bootstrap(scores, "borda", n_draws=20, seed=0)
    sets = sets[["rank", "low", "high"]]
    frames = {
        "ranks": lambda: nbrank.compare(scores, ["borda", "mean"]),
        "scores": lambda: scores,
        "pairwise": lambda: nbrank.confidence(scores),
        "pairwise_p_values": lambda: nbrank.pairwise_p_values(scores),
        "compatible_pairs": lambda: scores,
        "majority_graph": lambda: scores,
        "rank_intervals": lambda: sets,
        "tie_groups": lambda: nbrank.tie_groups(sets),
        "strengths": lambda: nbrank.strengths(scores, prior=1),
        "critical_difference": lambda: nbrank.critical_difference(scores),
        "possible_ranks": lambda: nbrank.possible_ranks(scores),
        "rank_acceptability": lambda: nbrank.rank_acceptability(scores, n_draws=50),
        "repeated_tasks": lambda: nbrank.repeated_tasks(scores),
        "weight_map": lambda: nbrank.weight_map(scores[list(groups)], "mean", groups=groups),
    }
    return getattr(charts, name)(frames[name]())


EVERY = [
    "ranks", "scores", "pairwise", "pairwise_p_values", "compatible_pairs", "majority_graph",
    "rank_intervals", "tie_groups", "strengths", "critical_difference",
    "possible_ranks", "rank_acceptability", "weight_map", "repeated_tasks",
]  # fmt: skip


def test_every_chart_is_tested_here():
    others = {"reproduction", "robustness"}
    assert {*EVERY, *others, "unique_label_texts", "label_text", "apply_theme", "PALETTE"} == {
        *charts.__all__,
    }


@pytest.mark.parametrize("name", EVERY[:-2])
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
    assert 'fill="#ffffff"' in svg.split(f'<rect width="{width}"')[1].split(">")[0]


POINTS = alt.Chart(pd.DataFrame({"a": [1, 2], "b": [3, 4]})).mark_point().encode(x="a", y="b")
KINDS = {
    "one": POINTS,
    "layers": POINTS + POINTS,
    "side by side": POINTS | POINTS,
    "above each other": POINTS & POINTS,
    "in a grid": alt.concat(POINTS, POINTS),
    "by a column": POINTS.facet("b"),
    "repeated": POINTS.repeat(["a", "b"]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_chart_of_any_kind_stays_what_it_is_in_our_theme(kind):
    themed = charts.apply_theme(KINDS[kind], dark=True)
    assert type(themed) is type(KINDS[kind])
    written = themed.to_dict()  # which checks it
    assert written["config"]["background"] == "#0d1117"
    assert type(alt.Chart.from_dict(written)) is type(themed)


def test_a_saved_svg_turns_dark_where_its_page_is(tmp_path):
    chart = charts.ranks(nbrank.compare(load_llm_chat(), ["borda", "copeland"]))
    chart.save(tmp_path / "picture.svg")
    with alt.renderers.enable("svg"):
        shown = chart._repr_mimebundle_()["image/svg+xml"]
    for svg in (shown, (tmp_path / "picture.svg").read_text("utf-8")):
        style = re.search(r"<style>@media \(prefers-color-scheme:dark\){(.*)}</style></svg>", svg)
        turned = dict(re.findall(r"\[fill='(#\w+)'\]{fill:(#\w+)}", style[1]))
        # Of Vega's own colour is what can be pointed at, but not seen.
        seen = set(re.findall(r'fill="(#\w+)"', svg)) - {"#4c78a8"}
        assert len(seen) > 3
        assert seen <= set(turned)
        assert not seen & set(turned.values())


@pytest.mark.parametrize("name", ["rank_intervals", "critical_difference", "scores", "strengths"])
@pytest.mark.parametrize("width", [238, 400, 672])
def test_a_chart_is_as_wide_as_asked_names_and_title_included(name, width, tmp_path):
    scores = load_llm_chat().fillna(0)
    frames = {
        "rank_intervals": lambda: nbrank.rank_confidence(scores, "borda"),
        "critical_difference": lambda: nbrank.critical_difference(scores),
        "scores": lambda: scores,
        "strengths": lambda: nbrank.strengths(scores, prior=1),
    }
    chart = getattr(charts, name)(frames[name]())
    before = chart.to_dict()
    chart.properties(width=width).save(tmp_path / "x.svg")
    svg = (tmp_path / "x.svg").read_text("utf-8")
    assert float(re.search(r'<svg[^>]*? width="([\d.]+)"', svg)[1]) == pytest.approx(width, abs=1)
    assert chart.to_dict() == before
