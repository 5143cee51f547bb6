"""The table of scores: sorted by a click, searched by a name."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_glue_submissions, load_superglue_submissions


@pytest.fixture
def bench():
    return nbrank.explore(load_superglue_submissions(), "borda", tab="scores")


def rows(bench):
    """The table as it stands there: name -> the texts of its cells."""
    html = bench.get_tab_result("scores").table.html.partition("<tbody>")[2]
    return {
        re.search(r">([^<]*)</button>", row)[1]: re.findall(r"<td.*?>(.*?)</td>", row)
        for row in re.findall(r"<tr>(.*?)</tr>", html)
    }


def test_it_has_every_system_in_the_order_of_the_rule_with_its_scores(bench):
    shown, scores = rows(bench), load_superglue_submissions()
    assert list(shown) == [bench.names.full[system] for system in bench.ranking.index]
    for system, cells in zip(bench.ranking.index, shown.values(), strict=True):
        assert int(cells[0]) == bench.ranking["rank"][system]
        np.testing.assert_allclose(
            [float(text.replace("−", "-")) for text in cells[1:]], scores.loc[system]
        )


def test_a_press_on_a_task_sorts_by_it_and_another_begins_with_the_worst(bench, press):
    table, wic = bench.get_tab_result("scores").table, load_superglue_submissions()["WiC"]
    place = list(bench.board.tasks).index("WiC")
    press(table, "sort", place)
    assert [float(cells[1 + place]) for cells in rows(bench).values()] == sorted(wic)[::-1]
    assert 'aria-sort="descending"' in table.html
    assert ">WiC ▼</button>" in table.html
    press(table, "sort", place)
    assert [float(cells[1 + place]) for cells in rows(bench).values()] == sorted(wic)
    press(table, "sort", "")
    assert next(iter(rows(bench))) == "SS-MoE"


def test_where_lower_is_better_the_lowest_comes_first(press):
    scores = pd.DataFrame({"x": [1.0, 2, 3], "ms": [5.0, None, 3]}, index=list("ABC"))
    bench = nbrank.explore(scores, "borda", tab="scores", lower_is_better=["ms"])
    press(bench.get_tab_result("scores").table, "sort", 1)
    assert list(rows(bench)) == ["C", "A", "B"]
    assert rows(bench)["B"][2] == "–"
    assert 'title="ms: lower is better"' in bench.get_tab_result("scores").table.html


def test_a_part_of_a_name_finds_systems(bench):
    bench.get_tab_result("scores")._find.value = "roberta"
    found = rows(bench)
    assert len(found) == 4
    assert all("roberta" in name.casefold() for name in found)
    assert "4 of 24 systems have “roberta” in their names." in bench.text
    bench.get_tab_result("scores")._find.value = ""
    assert len(rows(bench)) == 24


def test_of_very_many_the_first_are_shown_and_the_others_found():
    bench = nbrank.explore(load_glue_submissions(), "borda", tab="scores")
    assert len(rows(bench)) == 60
    assert "The first 60 of 105 are shown." in bench.text
    last = bench.ranking.index[-1]
    bench.get_tab_result("scores")._find.value = str(last)
    assert bench.names.short[last] in rows(bench)


def test_a_press_on_a_name_looks_at_the_system(bench, press):
    press(bench.get_tab_result("scores").table, "system", 2)
    assert bench.system == bench.board.systems[2]


def test_names_with_markup_are_no_markup():
    scores = pd.DataFrame({"<i>": [1, 2]}, index=["<b>", "B"])
    html = nbrank.explore(scores, "borda", tab="scores").get_tab_result("scores").table.html
    assert "<b>" not in html
    assert "<i>" not in html
