"""The flowchart: each answer from the data, and every rule that it names takes the table."""

import dataclasses
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbrank
from nbrank import RULES, recommend

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")


def answers(advice):
    return {step.question: step.answer for step in advice.steps}


def reason(advice, question):
    (found,) = (step.because for step in advice.steps if step.question == question)
    return found


def instances(frame):
    """A frame of instances x systems as instance-level scores of one task."""
    long = frame.rename_axis(index="instance", columns="system").T.stack(future_stack=True)
    return long.to_frame("task")


def battles(*rows):
    frame = pd.DataFrame(rows, columns=["left", "right", "winner", "n"])
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", count="n")


@pytest.fixture
def percents():
    """Complete, in one unit; A has the best mean and wins most often."""
    return pd.DataFrame(
        [[90.0, 80, 85, 70, 95, 60], [80.0, 75, 80, 72, 90, 50], [70.0, 60, 82, 65, 80, 55]],
        index=list("ABC"),
        columns=[f"t{i}" for i in range(1, 7)],
    )


class TestTablesOfScores:
    def test_a_complete_table_in_one_unit_may_be_averaged(self, percents):
        advice = recommend(percents)
        assert (advice.family, advice.rules, advice.alternatives) == ("mean", ("mean",), ("borda",))
        assert answers(advice) == {
            "Is there a metric?": "yes",
            "Is anything missing?": "no",
            "Are the scores of different tasks on one scale?": "yes",
            "Are there many ties?": "no",
            "Do rare large differences decide?": "not for the first place",
            "Are there enough tasks to be sure of anything?": "perhaps",
        }

    def test_a_missing_score_rules_the_mean_out_and_names_who_lacks_it(self, percents):
        percents.loc["B", "t3"] = np.nan
        advice = recommend(percents)
        assert (advice.family, advice.rules) == ("positional", ("borda",))
        assert advice.alternatives == ("bradley_terry", "copeland", "mean_win_rate")
        assert "bradley_terry makes allowance" in reason(advice, "Is anything missing?")
        assert "6 % of the scores, of 'B'; every pair shares a score" in reason(
            advice, "Is anything missing?"
        )
        assert any(item.startswith("why scores are missing") for item in advice.unknown)

    def test_pairs_that_share_no_score_are_not_left_to_duels(self):
        scores = pd.DataFrame({"t1": [1.0, 2, np.nan], "t2": [1.0, np.nan, 2]}, index=list("ABC"))
        advice = recommend(scores)
        # B and C beat A, and nobody beats them: no finite strengths.
        assert advice.alternatives == ("mean_win_rate",)
        assert "33 % of the pairs share none" in reason(advice, "Is anything missing?")

    @pytest.mark.parametrize(
        ("change", "options", "why"),
        [
            ({}, {"lower_is_better": ["t1"]}, "lower is better on 't1' and higher on the others"),
            ({"t1": 0.01}, {}, "different ranges ('t1' is between 0 and 1, 't2' is between"),
            ({"t1": -1.0}, {}, "'t1' is outside 0 to 100"),
            ({"t1": np.inf}, {}, "some scores are infinite"),
        ],
    )
    def test_scores_in_different_units_are_not_averaged(self, percents, change, options, why):
        for task, factor in change.items():
            percents[task] *= factor
        advice = recommend(percents, **options)
        question = "Are the scores of different tasks on one scale?"
        assert answers(advice)[question] == "no"
        assert why in reason(advice, question)
        assert advice.rules == ("borda",)

    def test_large_numbers_of_different_size_are_not_averaged(self, percents):
        question = "Are the scores of different tasks on one scale?"
        assert answers(recommend(percents * 100))[question] == "yes"
        percents["t1"] *= 20
        advice = recommend(percents * 100)
        assert answers(advice)[question] == "no"
        assert "between 6e+03 and 1.8e+05" in reason(advice, question)

    def test_lower_everywhere_may_be_averaged(self, percents):
        advice = recommend(percents, lower_is_better=True)
        assert advice.rules == ("mean",)
        assert "those of 'C'" in reason(advice, "Do rare large differences decide?")

    def test_a_task_of_weight_0_has_no_say(self, percents):
        percents["seconds"] = [1000.0, np.nan, 3000.0]
        assert recommend(percents).rules == ("borda",)
        assert recommend(percents, weights={"seconds": 0}).rules == ("mean",)

    def test_one_disaster_parts_the_mean_from_the_wins(self, percents):
        percents.loc["A", "t1"] = 0.0
        advice = recommend(percents)
        because = reason(advice, "Do rare large differences decide?")
        assert because.startswith("the best mean is that of 'B', most wins are those of 'A'")
        assert advice.alternatives == ("borda", "copeland")

    def test_mostly_ties_leave_it_to_the_mean(self, percents):
        same = pd.DataFrame(0.5, index=list("ABC"), columns=list("uvwxyz"))
        same.loc["A", "u"] = 1.0
        advice = recommend(same)
        # 2 of the 18 comparisons have a winner.
        assert reason(advice, "Are there many ties?").startswith("89 %")
        assert (advice.rules, advice.alternatives) == (("mean",), ())

    @pytest.mark.parametrize(("n", "answer"), [(5, "no"), (6, "perhaps")])
    def test_five_tasks_prove_nothing_at_95_percent(self, percents, n, answer):
        advice = recommend(percents.iloc[:, :n])
        assert answers(advice)["Are there enough tasks to be sure of anything?"] == answer

    def test_groups_are_what_is_counted_where_there_are_any(self, percents):
        groups = {"one": ["t1", "t2"], "two": ["t3", "t4", "t5", "t6"]}
        advice = recommend(percents, groups=groups)
        assert answers(advice)["Are there enough groups to be sure of anything?"] == "no"
        assert not any("give groups" in item for item in advice.unknown)

    def test_one_system_alone_cannot_be_ranked(self, percents):
        with pytest.raises(ValueError, match=r"fewer than two systems have a score \('A'\)"):
            recommend(percents.reindex(["A", "D", "E"]))


class TestInstances:
    def test_labels_beside_degrees_are_noticed(self):
        rng = np.random.default_rng(0)
        modest = pd.DataFrame(rng.uniform(size=(50, 2)), columns=["modest", "careful"])
        advice = recommend(instances(modest.assign(sure=modest["modest"].round())))
        question = "Do all systems give scores of one kind?"
        assert answers(advice)[question] == "no"
        assert "values at most of 'sure', many of 'modest', 'careful'" in reason(advice, question)
        assert advice.alternatives == ()
        assert answers(recommend(instances(modest)))[question] == "yes"
        assert answers(recommend(instances(modest.round())))[question] == "yes"

    def test_the_texts_have_metrics_of_different_units(self):
        advice = recommend(nbrank.datasets.load_ceval_scores())
        assert advice.rules == ("borda",)
        assert (
            "488"
            in recommend(nbrank.datasets.load_ceval_scores().select_tasks(["chrF"]))
            .steps[0]
            .because
        )


class TestComparisons:
    def test_connected_comparisons_take_a_model(self):
        board = battles(("A", "B", "left", 300), ("A", "B", "right", 100), ("A", "B", "tie", 100))
        advice = recommend(board)
        assert (advice.family, advice.alternatives) == ("model", ("copeland",))
        assert advice.rules == ("bradley_terry", "davidson")
        assert answers(advice)["Are there many ties?"] == "no"
        assert answers(advice)["Are there enough comparisons?"] == "for most pairs"

    def test_many_ties_ask_for_a_model_of_ties(self):
        board = battles(("A", "B", "left", 2), ("A", "B", "right", 1), ("A", "B", "tie", 7))
        advice = recommend(board)
        assert advice.rules == ("davidson", "bradley_terry")
        assert answers(advice)["Are there enough comparisons?"] == "not for most pairs"

    def test_ties_only_leave_davidson_out(self):
        assert recommend(battles(("A", "B", "tie", 7))).rules == ("bradley_terry",)

    def test_an_unbeaten_system_leaves_the_models_out(self):
        advice = recommend(battles(("A", "B", "left", 7), ("B", "C", "tie", 1)))
        assert (advice.family, advice.rules) == ("majority", ("copeland",))
        assert "bradley_terry(prior=1)" in reason(
            advice, "Do the comparisons tie all systems together?"
        )

    def test_options_of_a_leaderboard_are_refused(self):
        with pytest.raises(TypeError, match="don't go with comparisons"):
            recommend(battles(("A", "B", "left", 7)), lower_is_better=True)


class TestWhatIsReturned:
    def test_it_prints_its_reasons(self, percents):
        lines = repr(recommend(percents)).splitlines()
        assert lines[0] == "Recommendation: a rule of the family 'mean': mean; also: borda"
        assert "- Is anything missing? no: every system has every score" in lines
        assert "What the data can't say:" in lines

    def test_labels_are_escaped_in_html(self, percents):
        percents.loc["B", "t3"] = np.nan
        html = recommend(percents.rename(index={"B": "<b>"}))._repr_html_()
        assert "&lt;b&gt;" in html
        assert "<b>" not in html

    def test_its_steps_make_a_frame(self, percents):
        frame = pd.DataFrame(recommend(percents).steps)
        assert list(frame.columns) == ["question", "answer", "because"]

    def test_it_cannot_be_changed(self, percents):
        with pytest.raises(dataclasses.FrozenInstanceError):
            recommend(percents).family = "model"

    def test_it_is_a_method_of_comparisons(self):
        board = battles(("A", "B", "left", 7), ("A", "B", "right", 3))
        assert repr(board.recommend()) == repr(recommend(board))

    def test_it_is_on_df_rank(self, percents):
        assert repr(percents.rank.recommend()) == repr(recommend(percents))


@st.composite
def tables(draw):
    """Small tables with ties, missing scores, and tasks in different units."""
    n_systems, n_tasks = draw(st.integers(2, 5)), draw(st.integers(1, 5))
    cells = st.sampled_from([0.0, 0.25, 0.5, 1.0, 40.0, -3.0, 5000.0, np.nan])
    narrow = st.sampled_from([0.0, 0.5, 1.0])
    cell = draw(st.sampled_from([cells, narrow]))
    rows = st.lists(cell, min_size=n_tasks, max_size=n_tasks)
    values = draw(st.lists(rows, min_size=n_systems, max_size=n_systems))
    frame = pd.DataFrame(values, columns=[f"t{i}" for i in range(n_tasks)])
    lower = draw(st.lists(st.sampled_from(list(frame.columns)), unique=True))
    return nbrank.Leaderboard(frame, lower_is_better=lower)


@settings(max_examples=200)
@given(tables())
def test_every_rule_named_takes_the_table(board):
    if (~np.isnan(board.values).all(axis=1)).sum() < 2:
        with pytest.raises(ValueError, match="nothing to rank"):
            recommend(board)
        return
    advice = recommend(board)
    for name in (*advice.rules, *advice.alternatives):
        assert len(RULES[name].function(board)) == len(board.systems)
    assert {RULES[name].family for name in advice.rules} == {advice.family}
    assert all(RULES[name].family != advice.family for name in advice.alternatives)
    # The mean is advised only where it answers the same question for every system.
    if advice.family == "mean":
        assert not np.isnan(board.values).any()
        assert board.is_lower_better.all() or not board.is_lower_better.any()


@settings(max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["AB", "BC", "AC", "CD", "DA"]),
            st.sampled_from(["left", "right", "tie"]),
            st.integers(1, 50),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_every_rule_named_takes_the_comparisons(rows):
    board = battles(*((*pair, winner, n) for pair, winner, n in rows))
    advice = recommend(board)
    with warnings.catch_warnings():
        # Strengths far apart may take more steps than are given; the rule says so.
        warnings.simplefilter("ignore", RuntimeWarning)
        for name in (*advice.rules, *advice.alternatives):
            assert len(RULES[name].function(board)) == len(board.systems)
    assert {RULES[name].family for name in advice.rules} == {advice.family}


def test_voters_of_one_order_are_as_many_as_they_are():
    few = nbrank.recommend(nbrank.from_ballots([["A", "B"], ["B", "A"]], counts=[3, 2]))
    many = nbrank.recommend(nbrank.from_ballots([["A", "B"], ["B", "A"]], counts=[6, 4]))
    (few_step,) = [step for step in few.steps if "enough voters" in step.question]
    (many_step,) = [step for step in many.steps if "enough voters" in step.question]
    assert (few_step.answer, many_step.answer) == ("no", "perhaps")
    assert many_step.because.startswith("10 voters")


def test_runs_that_are_missing_are_named_also_where_no_score_is():
    rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", "seed"])
    runs = pd.DataFrame({"t": np.arange(9.0), "u": np.arange(9.0)}, index=rows)

    def missing(frame):
        step = nbrank.recommend(frame).steps[1]
        return step.answer, step.because

    assert missing(runs) == ("no", "every system has every score")
    runs.loc[("B", 1), "u"] = np.nan
    answer, because = missing(runs)
    assert answer == "some runs"
    assert because.startswith("1 of 18 runs is missing, of B on u; every system has every score")
    runs.loc["C", "t"] = np.nan
    answer, because = missing(runs)
    assert answer == "yes"
    assert "of the scores, of 'C'" in because
    assert because.endswith("4 of 18 runs are missing, of C on t (3), B on u (1)")
