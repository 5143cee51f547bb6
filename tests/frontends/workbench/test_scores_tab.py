"""The table of scores, which the page sorts and searches."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_superglue_submissions


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


def test_its_headings_say_which_end_of_a_column_is_the_best():
    scores = pd.DataFrame({"x": [1.0, 2, 3], "ms": [5.0, None, 3]}, index=list("ABC"))
    bench = nbrank.explore(scores, "borda", tab="scores", lower_is_better=["ms"])
    html = bench.get_tab_result("scores").table.html
    assert (
        '<th scope="col" data-best="low" aria-sort="ascending"><button type="button">rank' in html
    )
    assert '<th scope="col" title="x"><button type="button">x</button></th>' in html
    assert '<th scope="col" data-best="low" title="ms: lower is better">' in html
    assert rows(bench)["B"][2] == ""


def test_a_press_on_a_name_looks_at_the_system(bench, press):
    press(bench.get_tab_result("scores").table, "system", 2)
    assert bench.system == bench.board.systems[2]


def test_names_with_markup_are_no_markup():
    scores = pd.DataFrame({"<i>": [1, 2]}, index=["<b>", "B"])
    html = nbrank.explore(scores, "borda", tab="scores").get_tab_result("scores").table.html
    assert "<b>" not in html
    assert "<i>" not in html
