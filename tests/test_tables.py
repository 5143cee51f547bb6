"""Tables for publication show what the frame holds, in its order, and the same each time."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.tables import to_great_table

pytest.importorskip("great_tables", reason="great_tables is not installed")


@pytest.fixture
def scores():
    return pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2], "t3": [1, 3, 2]}, index=list("BAC"))


def cells(table):
    """The rows of the body: the system, then its cells."""
    body = re.search(r"<tbody.*?</tbody>", table.as_raw_html(), re.DOTALL).group()
    rows = re.findall(r"<tr>(.*?)</tr>", body, re.DOTALL)
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]


def test_a_ranking_is_shown_in_its_order(scores):
    ranked = nbrank.borda(scores)
    expected = [
        [system, str(row["rank"]), f"{row['score']:g}"] for system, row in ranked.iterrows()
    ]
    shown = [
        [name, rank, f"{float(score):g}"] for name, rank, score in cells(to_great_table(ranked))
    ]
    assert [[n, str(float(r)), s] for n, r, s in shown] == [
        [n, str(float(r)), s] for n, r, s in expected
    ]


def test_a_comparison_has_a_column_for_each_rule_and_a_dash_where_a_rule_refuses(scores):
    gaps = scores.astype(float)
    gaps.loc["C", "t1"] = np.nan
    with pytest.warns(nbrank.RuleRefusedWarning):
        ranks = nbrank.compare(gaps, ["mean_win_rate", "mean"])
    table = to_great_table(ranks)
    assert "mean win rate" in table.as_raw_html()
    assert [row[2] for row in cells(table)] == ["–"] * 3


def test_numbers_have_as_many_decimals_as_asked():
    frame = pd.DataFrame({"share": [1 / 3, 2 / 3]}, index=["A", "B"])
    assert cells(to_great_table(frame, decimals=3)) == [["A", "0.333"], ["B", "0.667"]]


def test_the_note_names_the_rule_unless_another_is_given(scores):
    ranked = nbrank.mean_win_rate(scores)
    assert "Rule: mean win rate." in to_great_table(ranked).as_raw_html()
    assert "Table 1" in to_great_table(ranked, note="Table 1").as_raw_html()
    assert "Rule:" not in to_great_table(ranked, note="").as_raw_html()


def test_the_same_frame_gives_the_same_text(scores):
    ranked = nbrank.borda(scores)
    assert to_great_table(ranked).as_raw_html() == to_great_table(ranked).as_raw_html()


def test_latex_has_a_row_for_each_system(scores):
    latex = to_great_table(nbrank.borda(scores), "A title").as_latex()
    assert "A title" in latex
    assert all(re.search(rf"^{system} &", latex, re.MULTILINE) for system in scores.index)


def test_several_systems_in_a_cell_are_listed():
    sets = pd.DataFrame({"rank": [1, 2, 3], "low": [1, 1, 3], "high": [2, 2, 3]}, list("ABC"))
    assert [row[1:] for row in cells(to_great_table(nbrank.tie_groups(sets)))] == [
        ["1", "2", "A and B"],
        ["3", "3", "C"],
    ]


def test_what_is_no_frame_is_refused():
    with pytest.raises(
        TypeError, match=r"sets a frame, such as nbrank.borda\(scores\), not a list"
    ):
        to_great_table([1, 2])
