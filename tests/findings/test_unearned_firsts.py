"""Systems that are first because they were not scored."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.findings.overview import compute_overview


def sentences(scores, *rules, **options):
    return compute_overview(scores, rules[0], rules[1:], **options).unearned_firsts


@pytest.fixture
def lonely():
    """X has a score where nobody else has one."""
    nan = np.nan
    rows = [[3, 3, nan], [2, 1, nan], [1, 2, nan], [nan, nan, 5]]
    return pd.DataFrame(rows, index=list("ABCX"), columns=["u", "v", "w"], dtype=float)


@pytest.fixture
def skipping():
    """E wins the two tasks it takes, and leaves out ten."""
    scores = pd.DataFrame(np.tile(np.arange(5.0, 0.0, -1.0)[:, None], 12), index=list("ABCDE"))
    scores.iloc[3, [5, 7, 9]] = 6
    scores.iloc[1, [6, 8]] = 6
    scores.iloc[0, 2] = 0
    scores.loc["E", [0, 1]] = 9
    scores.loc["E", 2:] = np.nan
    return scores.add_prefix("task ")


def test_nobody_beats_a_system_that_was_never_compared(lonely):
    (said,) = sentences(lonely, "borda", "minimax", "schulze", "ranked_pairs")
    assert said == (
        "X was never compared with another system: it is first under minimax, Schulze and "
        "ranked pairs since no system beats it"
    )
    twice = pd.concat([lonely, pd.DataFrame({"z": [2.0]}, index=["Y"])])
    assert sentences(twice, "minimax")[0].startswith(
        "X and Y were never compared with another system: they are first under minimax since"
    )


def test_who_was_compared_has_earned_its_place(lonely):
    lonely.loc["A", "w"] = 6
    assert sentences(lonely, "borda", "minimax", "schulze") == []


def test_rules_by_first_places_reward_a_system_that_skips_tasks(skipping):
    compatible = nbrank.plurality(skipping)
    assert compatible.index[0] == "E"
    assert nbrank.plurality(skipping, missing="ignore").index[0] != "E"
    (said,) = sentences(skipping, "borda", "plurality")
    assert said.startswith("E is first under plurality by tasks without a score")


def test_another_treatment_of_missing_scores_rewards_nobody(skipping):
    assert sentences(skipping, "borda", "plurality", missing="ignore") == []


def test_a_complete_table_says_nothing():
    assert sentences(nbrank.datasets.load_superglue_submissions(), "borda", "plurality") == []


def test_comparisons_say_it_in_another_way():
    battles = pd.DataFrame({"left": ["A"], "right": ["B"], "winner": ["A"]})
    votes = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    assert sentences(votes, "copeland", "minimax") == []


def test_picture_report_and_command_line_say_it(lonely, tmp_path, capsys):
    from nbrank.frontends.command_line import main

    said = "X was never compared with another system"
    assert said in nbrank.picture(lonely, rules=["minimax"]).caption
    page = nbrank.report(lonely, rules=["borda", "minimax"])
    few = "Some first places rest on few of the 3 tasks: X on 1."
    assert few in page.lead
    assert said in page.lead
    assert few in page.sections[0].sentences
    assert page.figures[-1][1].endswith("X unbeaten as it is, with scores on 1 of 3 tasks")
    page.save(tmp_path / "page.html")
    assert said in (tmp_path / "page.html").read_text("utf-8")
    lonely.to_csv(tmp_path / "scores.csv")
    assert main([str(tmp_path / "scores.csv")]) == 0
    assert said in " ".join(capsys.readouterr().out.split())
