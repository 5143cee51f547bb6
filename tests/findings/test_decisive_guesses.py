"""Which guesses about directions the verdict names: doubted ones, and assumed ones that decide."""

import pytest

import nbrank
from nbrank.findings.overview import compute_overview
from nbrank.findings.verdict import verdict


def say_verdict(*rows):
    return verdict(compute_overview(nbrank.read("\n".join(rows).encode())))


def test_a_verdict_names_the_assumed_direction_that_alone_decides_most_rules():
    text = say_verdict("model,accuracy,BPV", "A,0.73,8.5", "B,0.72,4.1", "C,0.71,3.2")
    assert text.startswith("If higher is better on BPV, A is first under all")


@pytest.mark.parametrize(
    "rows",
    [
        ("model,t1,t2,t3", "A,3,3,3", "B,2,2,2", "C,1,1,4"),  # nothing is known at all
        ("model,accuracy,f1,BPV", "A,0.9,0.8,3", "B,0.7,0.6,4", "C,0.6,0.5,5"),  # A wins anyway
        ("model,accuracy,score", "A,0.73,8.5", "B,0.72,4.1", "C,0.71,3.2"),  # says it by itself
    ],
)
def test_a_verdict_stands_alone_where_no_single_assumption_decides(rows):
    assert not say_verdict(*rows).startswith("If")


@pytest.mark.filterwarnings("ignore:.*set aside, not ranked")
def test_tasks_in_groups_are_guessed_about_beside_columns_without_a_group():
    rows = ["kind,n_problem,SAT_time,SAT_size,HSP_time,HSP_size", "blocks,1,0.15,4,0.16,5"]
    rows += ["blocks,2,0.25,7,0.05,9", "depots,1,0.11,8,0.31,9", "depots,2,0.33,12,0.28,14"]
    with pytest.warns(UserWarning, match="the columns seem to cross systems"):
        assert "first" in say_verdict(*rows)
