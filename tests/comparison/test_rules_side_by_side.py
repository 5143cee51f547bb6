"""Rules side by side, their winners, and rules in two steps."""

import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import RULES, RuleRefusedWarning
from nbrank.comparison.rules_side_by_side import rank_by_missing_treatment
from nbrank.rules import registry

SCORES = pd.DataFrame(
    {"t1": [9.0, 2.0, 1.0], "t2": [1.0, 3.0, 2.0], "t3": [1.0, 3.0, 3.0]}, index=list("ABC")
)
CYCLE = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))
COLUMNS = pd.MultiIndex.from_tuples([("math", "t1"), ("math", "t2"), ("code", "t3")])


def test_compare_runs_every_rule_that_needs_no_argument():
    table = nbrank.compare(CYCLE)
    expected = [
        n for n, r in RULES.items() if not r.arguments and r.supports(nbrank.Leaderboard.provides)
    ]
    assert list(table.columns) == expected
    assert list(table.index) == list("ABC")
    assert set(map(str, table.dtypes)) == {"Int64"}


def test_rules_that_refuse_for_one_reason_share_one_warning():
    scores = SCORES.mask(SCORES == 9)
    with pytest.warns(RuleRefusedWarning) as caught:
        nbrank.compare(scores, ["mean", "median", "geometric_mean", "borda"])
    assert len(caught) == 1
    assert str(caught[0].message).startswith("mean, median, geometric_mean: left empty; 1 missing")
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "rule",
    [n for n, r in RULES.items() if not r.arguments and r.supports(nbrank.Leaderboard.provides)],
)
def test_each_column_is_the_rules_own_rank(rule):
    try:
        ranked = RULES[rule].function(SCORES)
    except ValueError:
        with pytest.warns(RuleRefusedWarning, match=f"^{rule}: left empty; "):
            assert nbrank.compare(SCORES, [rule])[rule].isna().all()
        return
    assert nbrank.compare(SCORES, [rule])[rule].to_dict() == ranked["rank"].to_dict()


def test_a_mapping_labels_rules_with_arguments():
    table = nbrank.compare(
        SCORES,
        {"gap": partial(nbrank.optimality_gap, gamma=3), "B": "borda", "own": nbrank.mean},
    )
    assert list(table.columns) == ["gap", "B", "own"]
    assert table["gap"].tolist() == [3, 1, 2]


def test_a_rule_that_refuses_the_table_is_a_column_of_na_with_a_reason():
    scores = SCORES.mask(SCORES == 9)
    with pytest.warns(RuleRefusedWarning, match="^mean: left empty; 1 missing score, of 'A'"):
        table = nbrank.compare(scores, ["mean", "borda"])
    assert table["mean"].isna().all()
    assert table["borda"].notna().all()


def test_unknown_and_twice_named_rules_are_refused():
    with pytest.raises(
        ValueError, match=r"unknown rule 'bord' \(did you mean 'borda'\?\); the rules are mean, "
    ):
        nbrank.compare(SCORES, ["bord"])
    with pytest.raises(ValueError, match="two rules are called 'borda'"):
        nbrank.compare(SCORES, ["borda", nbrank.borda])
    with pytest.raises(TypeError, match="a rule is a name or a function, not int"):
        nbrank.compare(SCORES, {"x": 3})


def test_winners_are_lists_in_table_order_and_empty_where_there_is_none():
    found = nbrank.winners(CYCLE, ["borda", "condorcet", "copeland"])
    assert found.to_dict() == {
        "borda": ["A", "B", "C"],
        "condorcet": [],
        "copeland": ["A", "B", "C"],
    }
    scores = SCORES.mask(SCORES == 9)
    with pytest.warns(RuleRefusedWarning):
        assert nbrank.winners(scores, ["mean"])["mean"] == []


@pytest.mark.parametrize(
    "rule", ["condorcet", nbrank.condorcet, partial(nbrank.condorcet, missing="compatible")]
)
def test_condorcet_ranks_nobody_where_it_elects_nobody(rule):
    table = nbrank.compare(CYCLE, {"c": rule, "borda": "borda"})
    assert table["c"].isna().all()
    assert table["c"].dtype == "Int64"
    assert table["borda"].tolist() == [1, 1, 1]
    assert nbrank.compare(SCORES, {"c": rule})["c"].to_dict() == {"A": 2, "B": 1, "C": 2}
    assert nbrank.compare(SCORES.loc[["A"]], {"c": rule})["c"].tolist() == [1]
    # That is the rule's own ranking still: all are tied.
    assert nbrank.condorcet(CYCLE)["rank"].tolist() == [1, 1, 1]


def test_condorcet_ranks_nobody_of_counts_and_comparisons_either():
    names = ["left", "right", "winner"]
    circle = pd.DataFrame([("A", "B", "A"), ("B", "C", "B"), ("C", "A", "C")], columns=names)
    options = {"left": "left", "right": "right", "winner": "winner"}
    assert nbrank.from_comparisons(circle, **options).compare(["condorcet"]).isna().all(axis=None)
    won = nbrank.from_comparisons(circle.iloc[[0, 1]], **options).compare(["condorcet", "copeland"])
    assert won["copeland"].notna().all()
    rows = pd.MultiIndex.from_product([CYCLE.index, range(2)], names=["system", "instance"])
    tally = nbrank.tally(CYCLE.loc[rows.get_level_values(0)].set_axis(rows))
    assert tally.compare(["condorcet"]).isna().all(axis=None)


def test_winners_know_a_rule_behind_a_partial():
    variant = partial(nbrank.condorcet, missing="compatible")
    assert nbrank.winners(CYCLE, {"c": variant})["c"] == []
    assert nbrank.winners(SCORES, {"c": variant})["c"] == ["B"]


def test_options_reach_every_rule():
    table = nbrank.compare(SCORES, ["borda", "mean"], weights={"t1": 100})
    assert table.loc["A"].tolist() == [1, 1]
    assert nbrank.winners(SCORES, ["mean"], lower_is_better=True)["mean"] == ["C"]


# ------------------------------------------------------------------------------ two steps


def test_two_step_ranks_groups_by_their_scores():
    scores = pd.DataFrame([[3, 3, 1], [2, 2, 2], [1, 1, 3]], index=list("ABC"), columns=COLUMNS)
    plain = nbrank.two_step(scores, "borda")
    assert plain["score"].to_dict() == {"A": 2.0, "B": 2.0, "C": 2.0}
    weighted = nbrank.two_step(scores, nbrank.borda, group_weights={"code": 2})
    assert weighted["score"].to_dict() == {"C": 4.0, "B": 3.0, "A": 2.0}
    assert weighted.attrs["rule"] == "two_step borda"


def test_two_step_by_hand_with_task_weights_and_orientation():
    scores = pd.DataFrame([[3, 1, 5], [1, 2, 9]], index=["A", "B"], columns=COLUMNS)
    ranked = nbrank.two_step(scores, "mean", weights={"t1": 3})
    assert ranked["score"].to_dict() == {"B": (5 / 4 + 9) / 2, "A": (10 / 4 + 5) / 2}
    lower = nbrank.two_step(scores, "borda", lower_is_better=["t3"])
    assert lower["score"].to_dict() == {"A": 1.5, "B": 0.5}


def test_two_step_takes_rules_with_arguments_and_groups_as_a_mapping():
    scores = pd.DataFrame([[3.0, 1.0, 5.0], [1.0, 2.0, 9.0]], index=["A", "B"], columns=list("xyz"))
    ranked = nbrank.two_step(
        scores,
        partial(nbrank.mean, missing="ignore"),
        groups={"g": ["x", "y"], "h": ["z"]},
    )
    assert ranked["score"].to_dict() == {"B": 5.25, "A": 3.5}


def test_a_weightless_group_is_left_out():
    scores = pd.DataFrame([[3, 1, 5], [1, 2, 9]], index=["A", "B"], columns=COLUMNS)
    ranked = nbrank.two_step(scores, "plurality", weights={"t3": 0})
    assert ranked["score"].sum() == pytest.approx(1.0)


def test_a_system_without_a_score_in_a_group_is_missing_there():
    scores = pd.DataFrame(
        [[3, 1, np.nan], [1, 2, 9], [0, 0, 1]], index=list("ABC"), columns=COLUMNS
    )
    ranked = nbrank.two_step(scores, partial(nbrank.mean, missing="ignore"))
    assert ranked.loc["A", "score"] == 2.0


def test_two_step_says_what_it_needs():
    with pytest.raises(ValueError, match="two_step needs groups"):
        nbrank.two_step(SCORES, "borda")
    scores = pd.DataFrame([[3, 1, 5], [1, 2, 9]], index=["A", "B"], columns=COLUMNS)
    with pytest.raises(ValueError, match="group_weights: unknown 'art'; groups: 'math', 'code'"):
        nbrank.two_step(scores, "borda", group_weights={"art": 1})
    with pytest.raises(TypeError, match="group_weights must be a mapping from group to a number"):
        nbrank.two_step(scores, "borda", group_weights="balanced")


# ------------------------------------------------------------------------------ one's own rules


def test_a_function_of_ones_own_is_given_the_frame():
    table = nbrank.compare(
        SCORES,
        {
            "first task": lambda df: nbrank.borda(df[["t1"]]),
            "heavy": partial(nbrank.borda, weights={"t1": 5}),
            "method": lambda df: df.rank.mean(),
        },
    )
    assert table["first task"].tolist() == [1, 2, 3]
    assert (
        table["heavy"].tolist()
        == nbrank.borda(SCORES, weights={"t1": 5})["rank"].loc[list("ABC")].tolist()
    )
    assert nbrank.winners(SCORES, {"own": lambda df: df.rank.borda(weights={"t1": 9})})["own"] == [
        "A"
    ]


def test_beside_options_a_function_is_given_a_leaderboard():
    seen = []
    nbrank.compare(SCORES, {"own": lambda b: seen.append(b) or nbrank.borda(b)}, weights={"t1": 2})
    assert isinstance(seen[0], nbrank.Leaderboard)
    assert seen[0].weights.tolist() == [2, 1, 1]


def test_two_step_gives_a_function_leaderboards():
    own = nbrank.two_step(SCORES, nbrank.borda, groups={"g": ["t1"], "h": ["t2", "t3"]})
    assert own["score"].to_dict() == {"B": 3.0, "A": 2.0, "C": 1.0}


def test_rules_of_another_source_are_left_empty():
    with pytest.warns(RuleRefusedWarning, match="^elo: left empty; it needs comparisons"):
        assert nbrank.compare(SCORES, ["borda", "elo"])["elo"].isna().all()
    battles = pd.DataFrame({"a": ["x"], "b": ["y"], "w": ["x"]})
    comparisons = nbrank.from_comparisons(battles, left="a", right="b", winner="w")
    with pytest.warns(RuleRefusedWarning, match="^mean: left empty; it needs scores"):
        assert nbrank.winners(comparisons, ["copeland", "mean"]).to_dict() == {
            "copeland": ["x"],
            "mean": [],
        }


# ------------------------------------------------------------------ missing= for all rules

GAPPED = pd.DataFrame({"t1": [3, 2, np.nan], "t2": [1, np.nan, 2], "t3": [1.0, 2, 3]}, list("ABC"))


@pytest.mark.parametrize("missing", ["ignore", "worst", "zero", "median", "compatible", "raise"])
def test_every_rule_that_knows_a_treatment_takes_it_and_the_others_say_so(missing):
    rules = ["mean", "borda", "copeland", "kemeny", "plurality", "mean_win_rate"]
    expected, refusing = {}, set()
    for rule in rules:
        try:
            expected[rule] = getattr(nbrank, rule)(GAPPED, missing=missing)["rank"]
        except ValueError:
            refusing.add(rule)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = nbrank.compare(GAPPED, rules, missing=missing)
        first = nbrank.winners(GAPPED, rules, missing=missing)
    said = {rule for one in caught for rule in one.message.rules}
    assert said == refusing
    for rule in rules:
        if rule in refusing:
            assert found[rule].isna().all()
            assert first[rule] == []
        else:
            assert found[rule].to_dict() == expected[rule].to_dict()
            assert first[rule] == RULES[rule].winners(GAPPED, missing=missing)


def test_a_rule_that_was_told_already_keeps_to_that():
    told = {"told": partial(nbrank.borda, missing="worst"), "borda": nbrank.borda}
    found = nbrank.compare(GAPPED, told, missing="zero")
    assert found["told"].to_dict() == nbrank.borda(GAPPED, missing="worst")["rank"].to_dict()
    assert found["borda"].to_dict() == nbrank.borda(GAPPED, missing="zero")["rank"].to_dict()


def test_a_function_of_ones_own_can_not_be_told():
    with pytest.warns(RuleRefusedWarning, match="own: left empty; it has no option missing='zero'"):
        found = nbrank.compare(
            GAPPED, {"own": lambda scores: nbrank.borda(scores, ties="min")}, missing="zero"
        )
    assert found["own"].isna().all()
    with pytest.raises(ValueError, match="winners: missing='none' is unknown; choose None"):
        nbrank.winners(GAPPED, missing="none")


def test_published_ranks_stand_beside_rules():
    published = pd.Series({"C": 2, "A": 1}, name="score of the host")
    rules = {"the host": published, "borda": "borda"}
    battles = nbrank.from_comparisons(
        pd.DataFrame({"left": ["A", "B"], "right": ["B", "C"], "winner": ["A", "B"]}),
        left="left",
        right="right",
        winner="winner",
    )
    for source in (SCORES, nbrank.Leaderboard(SCORES), battles):
        found = nbrank.compare(source, rules)
        assert found["the host"].dtype == "Int64"
        assert found["the host"].dropna().to_dict() == {"A": 1, "C": 2}
        assert nbrank.winners(source, rules)["the host"] == ["A"]


def test_published_ranks_need_not_be_told_of_missing_scores():
    found = nbrank.compare(GAPPED, {"host": nbrank.borda(GAPPED)["rank"]}, missing="zero")
    assert found["host"].to_dict() == nbrank.borda(GAPPED)["rank"].to_dict()


def test_ties_published_as_averages_share_the_best_rank():
    published = pd.Series({"A": 1.5, "B": 3.0, "C": 1.5})
    assert nbrank.compare(SCORES, {"host": published})["host"].tolist() == [1, 3, 1]


@pytest.mark.parametrize(
    ("published", "message"),
    [
        ({"A": 88.1, "B": 3, "C": 2}, r"'host'.*can't be ranks, for 'A' .*series.rank\("),
        ({"A": 1, "Z": 2}, "'host'.*'Z', which are not systems of the table"),
        ({"A": 1, "B": np.nan}, r"no rank \(NaN\) to 'B'"),
    ],
)
def test_published_numbers_that_are_no_ranks_of_these_systems_are_refused(published, message):
    with pytest.raises((TypeError, ValueError), match=message):
        nbrank.compare(SCORES, {"host": pd.Series(published)})


def test_a_function_of_ones_own_that_knows_missing_scores_is_told():
    def own(scores, missing="worst"):
        return nbrank.borda(scores, missing=missing)

    found = nbrank.compare(GAPPED, {"own": own, "borda": "borda"}, missing="zero")
    assert found["own"].to_dict() == found["borda"].to_dict()


def test_winners_search_no_longer_than_compare_does(monkeypatch):
    scores = pd.DataFrame({"t1": [3, 2], "t2": [1, 2], "t3": [2, 1]}, index=["A", "B"])
    asked = []
    known = nbrank.RULES["ranked_pairs"]

    def quick(source, **options):
        asked.append(source)
        return known.function(source, **options)

    monkeypatch.setitem(registry._rules, "ranked_pairs", replace(known, quick_function=quick))
    assert nbrank.winners(scores, ["ranked_pairs"]).tolist() == [["A"]]
    assert len(asked) == 1


def test_published_ranks_of_others_and_without_a_label_are_refused_with_the_remedy():
    scores = pd.DataFrame({"t1": [3.0, 2], "t2": [1.0, 2]}, index=["A", "B"])
    host = pd.Series({"A": 1, "B": 2, "D": 3})
    for ask in (nbrank.compare, nbrank.winners):
        with pytest.raises(TypeError, match="'host'.* ranks 'D', which are not systems.*isin"):
            ask(scores, {"host": host})
        assert ask(scores, pd.Series(["borda", "copeland"])).shape[-1] == 2
        for bare in (host, [host], ["borda", host]):
            with pytest.raises(TypeError, match="published ranks need a label"):
                ask(scores, bare)


def test_tasks_of_lower_is_better_may_come_one_by_one():
    scores = pd.DataFrame({"t1": [3.0, 2, 1], "t2": [9.0, 5, 1]}, index=list("ABC"))
    for call in (nbrank.compare, nbrank.winners):
        once = call(scores, ["borda", "mean_rank"], lower_is_better=iter(["t2"]))
        assert once.equals(call(scores, ["borda", "mean_rank"], lower_is_better=["t2"]))


@pytest.mark.parametrize(
    ("question", "given"),
    [
        *((name, ()) for name in ("compare", "winners", "pairwise", "compared", "confidence")),
        *((name, ()) for name in ("recommend", "strengths", "win_probabilities")),
        *((name, ()) for name in ("variance_split", "condorcet_weights")),
        ("probability_of_improvement", ()),
        ("two_step", ("borda",)),
    ],
)
def test_an_unknown_keyword_is_refused_in_the_name_of_the_question(question, given):
    scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2]}, index=["A", "B"])
    for call in (partial(getattr(nbrank, question), scores), getattr(scores.rank, question)):
        with pytest.raises(TypeError, match=rf"^{question}\(\) got an unexpected .*'weigths'.*"):
            call(*given, weigths=None)


# -------------------------------------------------------------- each treatment of missing scores


GAP = pd.DataFrame({"t1": [3, 2, 1], "t2": [None, 2, 1]}, index=list("ABC"))


def test_each_treatment_is_what_the_rule_says():
    for name in ("borda", "copeland", "instant_runoff"):
        found = rank_by_missing_treatment(nbrank.Leaderboard(GAP), nbrank.RULES[name])
        assert list(found) == ["compatible", "ignore", "median", "worst"]
        for how in found:
            expected = nbrank.RULES[name].function(GAP, missing=how)["rank"]
            assert found[how].to_dict() == expected.to_dict()


def test_treatments_that_a_rule_does_not_offer_are_not_there():
    found = rank_by_missing_treatment(nbrank.Leaderboard(GAP), nbrank.RULES["mean"])
    assert list(found) == ["ignore", "median"]
    assert found.index.equals(GAP.index)


def test_of_thousands_of_systems_rules_on_pairs_are_left_out_and_the_others_come():
    rng = np.random.default_rng(0)
    many = pd.DataFrame(rng.random((4_001, 3))).add_prefix("t")
    with pytest.warns(RuleRefusedWarning) as caught:
        table = nbrank.compare(many)
    (warning,) = caught
    assert "4,001 are more than the 4,000" in str(warning.message)
    quadratic = [name for name in table if RULES[name].is_quadratic]
    assert {"copeland", "schulze", "kemeny", "bradley_terry", "threshold"} <= {*quadratic}
    assert list(warning.message.rules) == quadratic
    assert table[quadratic].isna().all(axis=None)
    assert table.drop(columns=quadratic).notna().all(axis=None)
    assert table["borda"].equals(nbrank.borda(many)["rank"].reindex(many.index).astype("Int64"))
    # What the message advises: the rule by itself, and fewer systems.
    assert len(nbrank.copeland(many)) == 4_001
    assert nbrank.compare(many.head(4_000), ["copeland"]).notna().all(axis=None)


def test_published_ranks_and_rules_of_ones_own_stand_beside_thousands_of_systems():
    many = pd.DataFrame({"t1": np.arange(5_000.0), "t2": np.arange(5_000.0)})
    table = nbrank.compare(many, {"host": -many["t1"].rank() + 5_001, "own": partial(nbrank.mean)})
    assert (table["host"] == table["own"]).all()
    with pytest.warns(RuleRefusedWarning, match="5,000 are more than"):
        assert nbrank.winners(many, {"told": partial(nbrank.copeland)})["told"] == []


def test_a_frame_of_ranks_without_scores_names_what_stands_beside_rules():
    scores = pd.DataFrame({"t": [3, 2, 1]}, index=list("ABC"))
    ranks = pd.DataFrame({"rank": [1, 2, 3]}, list("ABC"))
    with pytest.raises(TypeError, match=r"such as ranks\['rank'\]$"):
        nbrank.compare(scores, {"last": ranks})
    assert nbrank.compare(scores, {"last": ranks["rank"]})["last"].tolist() == [1, 2, 3]
