"""The sentences on what changed between two tables."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.comparison.table_changes import BoardPair
from nbrank.findings.table_changes_text import TableChangesText
from nbrank.rules.bound_rule import BoundRule

TASKS = ["t1", "t2", "t3", "t4", "t5"]
OLD = pd.DataFrame([[1, 1, 2, 2, 2], [3, 3, 1, 1, 1]], ["A", "B"], TASKS)
NEW = pd.concat([OLD, pd.DataFrame([[2, 2, 3, 3, 3]], ["D"], TASKS)])


def sentences(before, after, rule="borda"):
    boards = map(nbrank.Leaderboard, (before, after))
    bound_rule = BoundRule.from_options("report", rule, {})
    return TableChangesText(BoardPair.from_boards("report", *boards, bound_rule)).describe()


def test_a_system_that_came_in_is_named_with_what_it_did():
    assert sentences(OLD, NEW) == [
        "1 system came in (D).",
        "1 of 2 systems of both tables has another rank.",
        "A fell from rank 1 to 3 (down 2 by systems that came in): passed by D (new) and B.",
        "D alone is enough for B to pass.",
        "Newly ahead of A: D on t1, t2, t3, t4 and t5.",
    ]


def test_a_newcomer_is_named_for_those_whose_step_it_explains_and_for_no_others():
    old = pd.DataFrame(
        [[6, 5, 2, 1], [5, 2, 4, 4], [2, 4, 6, 3], [1, 1, 1, 6]], list("ABCE"), TASKS[:4]
    )
    new = pd.concat([old, pd.DataFrame([[3, 3, 5, 5]], ["D"], TASKS[:4])])
    new.loc["E"] = [7, 7, 7, 7]
    said = sentences(old, new)
    assert said[2].endswith("passed by E, D (new), A and C.")
    assert said[3] == "D alone is enough for A and C to pass."


def test_the_largest_loss_is_explained_first():
    order = list("ABCDEFGH")
    old = pd.DataFrame({"t": range(8, 0, -1)}, index=order, dtype=float)
    new = old.copy()
    new.loc[["A", "B"], "t"] = 4.5, 0.0
    told = [text.split(" (")[0] for text in sentences(old, new) if " fell from " in text]
    assert told == ["B fell from rank 2 to 8", "A fell from rank 1 to 3"]


def test_systems_that_left_and_tasks_that_changed_are_named():
    said = sentences(NEW, OLD.drop(columns="t5").assign(t6=0.0))
    assert said[0] == "1 system left (D); 1 task was added (t6); 1 task was dropped (t5)."
    assert said[-1] == "A rose from rank 3 to 1 (up 2 by systems that left)."


def test_names_that_differ_only_in_case_are_named():
    said = sentences(OLD, NEW.rename(index={"B": "b"}))
    assert said[1].startswith("'B' and 'b' differ only in case or spaces")
    assert said[1].endswith("scores.rename(index={'B': 'b'}).")


def test_the_same_table_says_so():
    assert sentences(OLD, OLD) == [
        "The systems and tasks are the same.",
        "No system of both tables has another rank.",
    ]


@pytest.fixture(scope="module")
def page():
    return nbrank.report(NEW, rules=["borda", "mean"], since=OLD)


def test_the_report_has_a_section_on_it(page):
    section = page.sections[0]
    assert section.title == "What changed since?"
    assert list(section.sentences) == sentences(OLD, NEW)
    assert section.figure[0] == "1 of 2"
    assert section.table.loc["A", ["before", "after", "by coming"]].tolist() == [1, 3, 2]
    assert "What changed since?" in str(page)
    assert "passed by D (new) and B" in page._repr_html_()


def test_a_step_that_the_rule_refuses_is_said_on_the_page():
    page = nbrank.report(OLD.assign(t6=1), "mean", rules=["mean"], since=NEW)
    assert "the rule fails on the table after the step" in page.sections[0].sentences[0]


def test_options_are_for_both_tables_and_systems_without_a_score_are_left_out():
    old = OLD.assign(latency=[1.0, 2.0])
    old.loc["empty"] = np.nan
    new = NEW.assign(seconds=[1.0, 2, 3])
    options = {"lower_is_better": ["latency", "seconds"]}
    page = nbrank.report(new, rules=["borda"], since=old, **options)
    found = nbrank.changes(old.drop(index="empty"), new, **options)
    assert page.sections[0].table["after"].tolist() == found["after"].tolist()


def test_tables_without_a_common_system_say_so():
    other = OLD.set_axis([f"new {name}" for name in OLD.index])
    assert sentences(OLD, other)[1] == (
        "The tables have no common system, so that no ranks can be compared; see whether the "
        "systems are named alike in both."
    )
    assert sentences(OLD, OLD.T)[1].endswith(
        "; the systems of one are tasks of the other: is it transposed?"
    )
    assert sentences(OLD, other.add_prefix("other "))[1].endswith(
        ", and no common task: are they of one leaderboard?"
    )
