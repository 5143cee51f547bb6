"""Reading a table of battles: what a winner may be, and what is refused, by name."""

import copy
import pickle
import re
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbrank
from nbrank import Comparisons, from_comparisons
from nbrank.rules.registry import RULES
from nbrank.votes.method_registry import METHODS
from nbrank.votes.user_warnings import NeverMetWarning, SimilarNamesWarning

BATTLES = pd.DataFrame(
    {
        "model_a": ["x", "y", "x", "z", "y"],
        "model_b": ["y", "z", "z", "y", "x"],
        "winner": ["model_a", "model_b", "tie", "model_a", "tie (bothbad)"],
    }
)


def read(frame, **options):
    columns = {"left": "model_a", "right": "model_b", "winner": "winner"}
    return from_comparisons(frame, **{**columns, **options})


def wins_of(comparisons):
    frame = pd.DataFrame(
        comparisons.counts.wins, index=comparisons.systems, columns=comparisons.systems
    )
    return {pair: value for pair, value in frame.stack().items() if value}


class TestWinners:
    def test_sides_and_ties_are_counted(self):
        comparisons = read(BATTLES)
        assert comparisons.systems.tolist() == ["x", "y", "z"]
        assert wins_of(comparisons) == {("x", "y"): 1, ("z", "y"): 2}
        assert comparisons.counts.ties.tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]
        assert comparisons.counts.total == 5

    @pytest.mark.parametrize(
        "words",
        [
            ["left", "right", "tie", "left", "tie"],
            ["x", "z", "tie", "z", "tie"],
            ["x", "right", "tie", "model_a", "tie"],
        ],
        ids=["words", "names", "all kinds"],
    )
    def test_a_winner_is_a_side_a_column_or_a_name(self, words):
        same = read(BATTLES.assign(winner=words))
        np.testing.assert_array_equal(same.counts.wins, read(BATTLES).counts.wins)
        np.testing.assert_array_equal(same.counts.ties, read(BATTLES).counts.ties)

    @pytest.mark.parametrize("dtype", [object, "category", "string", "str"])
    def test_the_type_of_the_columns_does_not_matter(self, dtype):
        same = read(BATTLES.astype(dtype))
        assert same.systems.tolist() == ["x", "y", "z"]
        assert not isinstance(same.systems, pd.CategoricalIndex)
        np.testing.assert_array_equal(same.counts.wins, read(BATTLES).counts.wins)

    def test_categories_that_never_occur_are_no_systems(self):
        frame = BATTLES.astype({"model_a": pd.CategoricalDtype(["w", "z", "y", "x"])})
        assert read(frame).systems.tolist() == ["x", "y", "z"]

    def test_systems_may_be_numbers(self):
        frame = pd.DataFrame({"a": [10, 20], "b": [20, 30], "w": [20, 30]})
        comparisons = from_comparisons(frame, left="a", right="b", winner="w")
        assert wins_of(comparisons) == {(20, 10): 1, (30, 20): 1}

    def test_systems_may_be_tuples(self):
        frame = pd.DataFrame({"a": [("m", 1)], "b": [("m", 2)], "w": ["right"]})
        comparisons = from_comparisons(frame, left="a", right="b", winner="w")
        assert wins_of(comparisons) == {(("m", 2), ("m", 1)): 1}

    def test_other_words_for_a_tie(self):
        frame = BATTLES.assign(winner=["model_a", "draw", "draw", "left", "none"])
        assert read(frame, ties=["draw", "none"]).counts.ties.sum() == 6
        assert read(frame.head(3), ties="draw").counts.ties.sum() == 4

    def test_columns_called_left_and_right_agree_with_the_words(self):
        frame = pd.DataFrame({"left": ["x"], "right": ["y"], "winner": ["left"]})
        comparisons = from_comparisons(frame, left="left", right="right", winner="winner")
        assert wins_of(comparisons) == {("x", "y"): 1}

    @given(st.lists(st.sampled_from(["left", "right", "tie"]), min_size=1, max_size=20), st.data())
    def test_naming_the_winner_or_its_side_is_the_same(self, sides, data):
        pairs = [data.draw(st.permutations("pqrs")) for _ in sides]
        frame = pd.DataFrame({"winner": sides}, index=range(5, 5 + len(sides)))
        frame["model_a"] = [pair[0] for pair in pairs]
        frame["model_b"] = [pair[1] for pair in pairs]
        names = frame["winner"].where(frame["winner"] != "left", frame["model_a"])
        names = names.where(names != "right", frame["model_b"])
        by_side, by_name = read(frame), read(frame.assign(winner=names))
        np.testing.assert_array_equal(by_side.counts.wins, by_name.counts.wins)
        np.testing.assert_array_equal(by_side.counts.ties, by_name.counts.ties)


class TestWeights:
    def test_weights_are_summed_and_their_squares_too(self):
        comparisons = read(BATTLES.assign(value=[1, 2, 3, 4, 0]), weight="value")
        assert wins_of(comparisons) == {("x", "y"): 1, ("z", "y"): 6}
        assert comparisons.squared_weights.wins.sum() == 1 + 4 + 16
        assert comparisons.counts.total == 10

    def test_counted_rows_are_as_many_rows(self):
        frame = BATTLES.assign(times=[3, 1, 2, 0, 1], value=[1.0, 2.0, 1.0, 1.0, 0.5])
        long = frame.loc[frame.index.repeat(frame["times"])]
        counted = read(frame, count="times", weight="value")
        listed = read(long, weight="value")
        for kind in ("counts", "squared_weights"):
            found, expected = getattr(counted, kind), getattr(listed, kind)
            np.testing.assert_array_equal(found.wins, expected.wins)
            np.testing.assert_array_equal(found.ties, expected.ties)
            assert found.total == expected.total
        assert len(counted) == len(listed) == 7

    def test_clusters_are_numbered(self):
        comparisons = read(BATTLES.assign(worker=["u", "v", "u", "w", "v"]), cluster="worker")
        assert comparisons.clusters.tolist() == [0, 1, 0, 2, 1]


class TestResult:
    def test_its_rules_are_the_public_functions(self):
        comparisons = read(BATTLES)
        names = [name for name, rule in RULES.items() if rule.supports(nbrank.Comparisons.provides)]
        assert {"borda", "copeland", "condorcet", "minimax"} <= set(names)
        for name in names:
            method = getattr(comparisons, name)
            assert method.__func__ is RULES[name].function
            assert method.__doc__ == RULES[name].function.__doc__
        pd.testing.assert_frame_equal(comparisons.copeland(), nbrank.copeland(comparisons))
        pd.testing.assert_frame_equal(comparisons.pairwise(), nbrank.pairwise(comparisons))
        pd.testing.assert_frame_equal(comparisons.compared(), nbrank.compared(comparisons))
        assert {*names, "pairwise", "strengths"} <= set(dir(comparisons))

    def test_every_method_is_a_public_function_and_takes_it(self):
        comparisons = read(
            pd.concat([BATTLES, BATTLES.assign(winner=["right", "left"] * 2 + ["tie"])])
        )
        methods = [name for name, one in METHODS.items() if one.requires <= comparisons.provides]
        assert set(methods) <= set(dir(comparisons))
        assert {"compare", "winners", "confidence", "rank_confidence", "tie_groups"} <= set(methods)
        assert {"pairwise", "strengths", "recommend", "kemeny"} <= set(methods)
        needed = {
            "best_set": ["bradley_terry"],
            "summary": ["bradley_terry"],
            "bootstrap": ["borda"],
            "rank_confidence": ["bradley_terry"],
            "significant_pairs": ["bradley_terry"],
            "tie_groups": ["bradley_terry"],
        }
        for name in methods:
            assert getattr(comparisons, name).__func__ is getattr(nbrank, name)
            getattr(comparisons, name)(*needed.get(name, []))

    def test_a_name_that_is_no_rule_is_refused_with_those_there_are(self):
        with pytest.raises(AttributeError, match=r"no 'harmonic'; it has .*copeland"):
            read(BATTLES).harmonic  # noqa: B018

    def test_a_rule_on_scores_is_refused_with_what_has_it(self):
        message = "which needs scores, and comparisons have none: give the frame of scores to nbr"
        with pytest.raises(AttributeError, match=f"no 'harmonic_mean', {message}.*copeland"):
            read(BATTLES).harmonic_mean  # noqa: B018
        assert not hasattr(read(BATTLES), "harmonic_mean")

    def test_borda_is_that_of_ballots_with_two_scores(self):
        scores = pd.DataFrame(np.nan, index=["x", "y", "z"], columns=range(5))
        for row, (left, right, points) in enumerate(
            [("x", "y", 1), ("y", "z", -1), ("x", "z", 0), ("z", "y", 1), ("y", "x", 0)]
        ):
            scores.loc[left, row], scores.loc[right, row] = points, 0
        for missing in ("compatible", "ignore", "worst"):
            for ties in ("average", "min", "max"):
                found = read(BATTLES).borda(missing=missing, ties=ties)
                expected = nbrank.borda(scores, missing=missing, ties=ties)
                pd.testing.assert_frame_equal(found, expected)

    def test_borda_refuses_what_needs_scores(self):
        with pytest.raises(ValueError, match="missing='median'"):
            read(BATTLES).borda(missing="median")

    def test_it_says_what_it_holds(self):
        frame = BATTLES.assign(times=[1, 1, 1, 1, 6], worker=list("uvuwv"), value=0.5)
        shown = repr(read(frame, count="times", cluster="worker", weight="value"))
        assert shown == (
            "Comparisons: 10 comparisons of 3 systems "
            "(70.0 % ties; 3 of 3 pairs met; total weight 5; 3 clusters)"
        )

    def test_it_is_immutable_and_can_be_copied_and_pickled(self):
        comparisons = read(BATTLES)
        with pytest.raises(AttributeError):
            comparisons.systems = pd.Index([])
        with pytest.raises(ValueError, match="read-only"):
            comparisons.counts.wins[0, 0] = 1
        for other in (copy.deepcopy(comparisons), pickle.loads(pickle.dumps(comparisons))):
            assert isinstance(other, Comparisons)
            pd.testing.assert_frame_equal(other.copeland(), comparisons.copeland())

    def test_the_frame_is_left_alone(self):
        frame = BATTLES.assign(value=[1.0, 2.0, 3.0, 4.0, 5.0])
        before = frame.copy(deep=True)
        read(frame, weight="value")
        pd.testing.assert_frame_equal(frame, before)
        frame["value"] = 0.0  # still writable


def broken(column, row, value):
    frame = BATTLES.astype(object).assign(value=1.0, times=1, worker="u")
    frame[column] = frame[column].astype(object)
    frame.loc[row, column] = value
    if column in ("value", "times"):
        frame[column] = frame[column].astype(float)
    return frame


class TestRefusals:
    @pytest.mark.parametrize(
        ("frame", "options", "message"),
        [
            (broken("winner", 3, None), {}, r"no winner \(NaN\) in row 3"),
            (broken("model_a", 2, np.nan), {}, r"no name in the column 'model_a' \(NaN\) in row 2"),
            (broken("model_b", 1, None), {}, r"no name in the column 'model_b' \(NaN\) in row 1"),
            (broken("winner", 1, "nobody"), {}, "unknown winners: 'nobody' in row 1; .*'tie'"),
            (broken("winner", 1, "both"), {"ties": ["draw"]}, "unknown winners: .*'both'"),
            (broken("winner", 1, "x"), {}, "winner 'x' is neither of the two systems .* row 1"),
            (broken("model_b", 2, "x"), {}, "compared with itself: 'x' in row 2"),
            (broken("value", 4, -1.0), {"weight": "value"}, r"weight: -1\.0 in row 4"),
            (broken("value", 0, np.nan), {"weight": "value"}, "weight: nan in row 0"),
            (broken("value", 0, np.inf), {"weight": "value"}, "weight: inf in row 0"),
            (broken("times", 0, 1.5), {"count": "times"}, r"count: 1\.5 in row 0; .* whole number"),
            (broken("worker", 2, None), {"cluster": "worker"}, r"no cluster \(NaN\) in row 2"),
            (BATTLES.assign(v=0), {"weight": "v"}, "weight: the column 'v' is 0 in every row"),
            (BATTLES.iloc[:0], {}, "no comparisons"),
            (BATTLES, {"left": "left"}, "unknown columns: 'left'; .*'model_a'"),
            (BATTLES, {"right": "model_a"}, "the column 'model_a' is given for two things"),
            (
                BATTLES.set_axis(["model_a", "model_b", "model_b"], axis=1),
                {"winner": "model_b"},
                "several columns are called 'model_b'",
            ),
        ],
    )
    def test_the_value_and_the_row_are_named(self, frame, options, message):
        with pytest.raises(ValueError, match=message):
            read(frame, **options)

    @pytest.mark.parametrize(
        ("frame", "message"),
        [
            (BATTLES.replace("z", "left"), "'left' could be a system or the left side"),
            (BATTLES.replace("z", "tie"), "'tie' could be a system or a tie"),
            (BATTLES.replace("z", "model_b"), "'model_b' could be a system or the right side"),
        ],
    )
    def test_a_value_that_could_be_two_things_is_refused(self, frame, message):
        frame = frame.assign(winner=BATTLES["winner"].mask(BATTLES["model_a"] == "z", "left"))
        with pytest.raises(ValueError, match=message):
            read(frame)

    def test_a_system_is_no_column_in_other_letters(self):
        frame = pd.DataFrame({"a": ["B", "A"], "b": ["A", "B"], "winner": ["A", "A"]})
        wins = from_comparisons(frame, left="a", right="b", winner="winner").pairwise()
        assert wins.loc["A", "B"] == 2
        sides = frame.assign(winner=["A", "LEFT"])
        wins = from_comparisons(sides, left="a", right="b", winner="winner").pairwise()
        assert wins.loc["A", "B"] == 2

    def test_columns_called_the_wrong_way_round_are_refused(self):
        frame = pd.DataFrame({"left": ["x"], "right": ["y"], "winner": ["left"]})
        with pytest.raises(ValueError, match="'left' could be the left side or the right side"):
            from_comparisons(frame, left="right", right="left", winner="winner")

    def test_a_system_called_like_a_side_is_welcome_where_winners_go_by_name(self):
        frame = pd.DataFrame({"a": ["left", "u"], "b": ["u", "v"], "w": ["u", "v"]})
        comparisons = from_comparisons(frame, left="a", right="b", winner="w")
        assert wins_of(comparisons) == {("u", "left"): 1, ("v", "u"): 1}

    @pytest.mark.parametrize("option", ["weight", "count"])
    def test_words_for_numbers_are_refused(self, option):
        with pytest.raises(TypeError, match=f"{option}: the column 'v' does not hold numbers"):
            read(BATTLES.assign(v="1"), **{option: "v"})

    def test_something_else_than_a_frame_is_refused(self):
        with pytest.raises(TypeError, match="not list"):
            read([("x", "y", "x")])

    def test_many_rows_at_fault_are_cut_short(self):
        frame = pd.concat([BATTLES] * 20, ignore_index=True).assign(winner="?")
        with pytest.raises(ValueError, match="rows 0, 1, 2, 3, 4 and 95 more"):
            read(frame)

    def test_options_of_a_leaderboard_are_refused(self):
        with pytest.raises(TypeError, match="don't go with comparisons"):
            read(BATTLES).copeland(weights={"x": 2})


def test_the_votes_of_a_released_table_are_counted():
    votes = nbrank.datasets.fetch_llmfao()
    with pytest.warns(UserWarning, match="again on the same 'id'.*cluster='id'"):
        comparisons = from_comparisons(votes, left="left", right="right", winner="winner")
    assert len(comparisons) == len(votes)
    assert comparisons.counts.ties.sum() / 2 == (votes["winner"] == "tie").sum()
    assert comparisons.counts.wins.sum() == (votes["winner"] != "tie").sum()


@pytest.mark.parametrize(
    "options", [{"weights": {"x": 1}}, {"groups": {}}, {"lower_is_better": True}, {"levels": 2}]
)
def test_borda_refuses_what_comparisons_have_not(options):
    comparisons = nbrank.from_comparisons(
        pd.DataFrame({"a": ["x"], "b": ["y"], "w": ["x"]}), left="a", right="b", winner="w"
    )
    said = "(borda: |weights, groups and lower_is_better).*comparisons"
    with pytest.raises(TypeError, match=said):
        nbrank.borda(comparisons, **options)


@pytest.mark.parametrize(
    "function",
    [
        nbrank.compare,
        nbrank.winners,
        nbrank.borda,
        nbrank.copeland,
        nbrank.pairwise,
        nbrank.confidence,
        nbrank.bradley_terry,
        nbrank.kemeny,
        lambda *a, **k: nbrank.rank_confidence(*a, "bradley_terry", seed=0, **k),
    ],
)
@pytest.mark.parametrize(
    "options", [{"weights": {"x": 1}}, {"groups": {"g": ["x"]}}, {"lower_is_better": True}]
)
def test_no_function_takes_the_options_of_scores_beside_comparisons(function, options):
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "w": ["x", "y"]})
    comparisons = nbrank.from_comparisons(frame, left="a", right="b", winner="w")
    with pytest.raises(TypeError, match="weights, groups and lower_is_better don't go with"):
        function(comparisons, **options)


# ----------------------------------------------------------------------------- names of systems


class TestNames:
    def test_names_that_differ_in_spaces_are_one_system_and_that_is_said(self):
        frame = pd.DataFrame({"l": ["b", "b ", "a"], "r": ["a", " a", "b"], "w": ["b", "b", "b "]})
        with pytest.warns(SimilarNamesWarning) as caught:
            comparisons = from_comparisons(frame, left="l", right="r", winner="w")
        assert comparisons.systems.tolist() == ["b", "a"]
        assert wins_of(comparisons) == {("b", "a"): 3}
        assert [str(one.message)[:44] for one in caught] == [
            "'b', 'b ' are taken as one system, 'b': they",
            "'a', ' a' are taken as one system, 'a': they",
        ]

    @pytest.mark.parametrize("dtype", [object, "category", "string", "str"])
    def test_unicode_forms_are_one_system(self, dtype):
        frame = pd.DataFrame(
            {"l": ["Café", "Cafe\u0301"], "r": ["a", "a"], "w": ["Cafe\u0301", "a"]}
        ).astype(dtype)
        with pytest.warns(SimilarNamesWarning, match=r"'Café', 'Cafe\\u0301' are taken as one"):
            comparisons = from_comparisons(frame, left="l", right="r", winner="w")
        assert wins_of(comparisons) == {("Café", "a"): 1, ("a", "Café"): 1}

    def test_spaces_around_all_mentions_of_a_name_are_no_matter(self):
        frame = BATTLES.assign(
            model_a=BATTLES["model_a"] + " ", model_b=BATTLES["model_b"] + " ", winner=" tie "
        )
        assert read(frame).systems.tolist() == ["x", "y", "z"]
        assert read(frame).counts.ties.sum() == 2 * len(frame)

    def test_a_system_against_itself_in_another_spelling_is_refused(self):
        frame = pd.DataFrame({"l": ["b"], "r": ["b "], "w": ["left"]})
        with (
            pytest.warns(SimilarNamesWarning),
            pytest.raises(ValueError, match="compared with itself: 'b'"),
        ):
            from_comparisons(frame, left="l", right="r", winner="w")

    def test_names_equal_but_for_case_stay_two_systems_with_a_warning(self):
        frame = pd.DataFrame({"l": ["gpt-4"], "r": ["GPT-4"], "w": ["left"]})
        with pytest.warns(SimilarNamesWarning, match="'gpt-4', 'GPT-4' count as different sys"):
            assert len(from_comparisons(frame, left="l", right="r", winner="w").systems) == 2


# ------------------------------------------------------------------------- groups that never met

APART = pd.DataFrame(
    {"left": list("ABACCD"), "right": list("BABDDC"), "winner": list("ABACDC")},
    index=list("uvwxyz"),
)


def apart():
    return from_comparisons(APART, left="left", right="right", winner="winner")


def _own_rule(votes):
    return nbrank.borda(votes)


#: Models, which refuse such comparisons unless a prior links them.
MODELS = (
    "bradley_terry",
    "davidson",
    "strengths",
    "win_probabilities",
)
#: Questions about the one winner, which these have not.
OF_A_WINNER = ("unseat", "margin_of_victory")
#: Questions about pairs, which rank nothing.
PAIRS = ("pairwise", "compared", "confidence")
#: What answers comparisons, and what it needs.
ANSWERS = {
    **{
        name: getattr(nbrank, name)
        for name, method in METHODS.items()
        if method.requires <= Comparisons.provides and name not in (*MODELS, *PAIRS, *OF_A_WINNER)
    },
    "best_set": partial(nbrank.best_set, rule="bradley_terry", prior=1),
    "bootstrap": partial(nbrank.bootstrap, rule="borda", n_draws=20),
    "rank_confidence": partial(nbrank.rank_confidence, rule="bradley_terry", prior=1, seed=0),
    "significant_pairs": partial(nbrank.significant_pairs, rule="bradley_terry", prior=1),
    "summary": partial(nbrank.summary, rule="bradley_terry", prior=1),
    "tie_groups": partial(nbrank.tie_groups, rule="bradley_terry", prior=1, seed=0),
    "own rules": partial(nbrank.compare, rules={"own": _own_rule}),
    "smith_set": nbrank.tournament.smith_set,
    "bound": nbrank.consensus.bound,
    "chart of majorities": nbrank.charts.majority_graph,
}


class TestGroupsThatNeverMet:
    @pytest.mark.parametrize("name", ANSWERS)
    def test_every_answer_comes_with_one_warning_that_names_them(self, name):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ANSWERS[name](apart())
        of_groups = [one for one in caught if one.category is NeverMetWarning]
        assert [str(one.message).partition(";")[0] for one in of_groups] == [
            "groups of systems that never met, directly or through others: ('A', 'B'), ('C', 'D')"
        ]
        assert of_groups[0].filename == __file__

    @pytest.mark.parametrize("name", MODELS)
    def test_models_refuse_them_unless_a_prior_links_them(self, name):
        with pytest.raises(ValueError, match=r"groups that never met: 'A', 'B' \| 'C', 'D'"):
            getattr(apart(), name)()
        with pytest.warns(NeverMetWarning) as caught:
            getattr(apart(), name)(prior=1)
        assert len(caught) == 1
        assert str(caught[0].message) == (
            "groups of systems that never met, directly or through others: ('A', 'B'), ('C', 'D'); "
            "only the prior links them, so strengths and ranks say nothing across groups. Rank "
            "each group by itself, such as comparisons.select_systems(comparisons.apart[0])"
        )

    @pytest.mark.parametrize("name", OF_A_WINNER)
    def test_questions_about_a_winner_warn_once(self, name):
        frame = pd.concat([APART, APART.iloc[:1]])
        comparisons = from_comparisons(frame, left="left", right="right", winner="winner")
        with pytest.raises(ValueError, match=r"groups that never met: 'A', 'B' \| 'C', 'D'"):
            getattr(comparisons, name)()
        with pytest.warns(NeverMetWarning) as caught:
            getattr(comparisons, name)(prior=1)
        assert len(caught) == 1

    @pytest.mark.parametrize("name", PAIRS)
    def test_what_ranks_nothing_warns_of_no_ranks(self, name):
        getattr(apart(), name)()

    def test_what_is_refused_comes_without_a_warning(self):
        with pytest.raises(ValueError, match="copeland has no confidence sets"):
            apart().rank_confidence("copeland")

    def test_rank_sets_say_that_only_the_prior_links_groups(self):
        with pytest.warns(NeverMetWarning, match="only the prior links them") as caught:
            apart().rank_confidence("bradley_terry", prior=1, seed=0)
        assert len(caught) == 1

    def test_each_call_says_it_again(self):
        comparisons = apart()
        for _ in range(2):
            with pytest.warns(NeverMetWarning):
                comparisons.copeland()

    def test_a_chain_of_meetings_links_all(self):
        frame = pd.concat([APART, pd.DataFrame({"left": "B", "right": ["C"], "winner": "tie"})])
        comparisons = from_comparisons(frame, left="left", right="right", winner="winner")
        assert comparisons.apart == []
        comparisons.copeland()

    def test_a_system_whose_comparisons_weigh_nothing_met_nobody(self):
        frame = pd.DataFrame({"l": list("ABA"), "r": list("BAC"), "w": "left", "n": [1.0, 1.0, 0]})
        comparisons = from_comparisons(frame, left="l", right="r", winner="w", weight="n")
        assert [group.tolist() for group in comparisons.apart] == [["A", "B"], ["C"]]

    def test_it_says_so_itself(self):
        assert "2 groups that never met" in repr(apart())

    def test_what_the_warning_says_ranks_a_group(self):
        comparisons = apart()
        of_group = comparisons.select_systems(comparisons.apart[0])
        assert of_group.systems.tolist() == ["A", "B"]
        expected = from_comparisons(APART[:3], left="left", right="right", winner="winner")
        pd.testing.assert_frame_equal(of_group.bradley_terry(), expected.bradley_terry())
        pd.testing.assert_frame_equal(of_group.strengths(), expected.strengths())

    def test_resamples_of_a_table_say_nothing_of_it(self):
        scores = pd.DataFrame({"t": [1, 2, np.nan, np.nan], "u": [np.nan, np.nan, 1, 2]})
        nbrank.bootstrap(scores, "copeland", n_draws=20, seed=0)


class TestWithSystems:
    def test_it_is_the_table_of_the_rows_among_them(self):
        rng = np.random.default_rng(0)
        frame = pd.DataFrame(
            {"left": rng.choice(list("ABCD"), 60), "right": rng.choice(list("EFG"), 60)}
        ).assign(winner=rng.choice(["left", "right", "tie"], 60))
        frame["weight"], frame["n"] = rng.random(60), rng.integers(1, 4, 60)
        frame["who"], frame["more"] = rng.choice(list("uvw"), 60), rng.normal(size=60)
        options = {"left": "left", "right": "right", "winner": "winner", "weight": "weight"}
        options |= {"count": "n", "cluster": "who"}
        some = ["F", "A", "C", "E"]
        part = frame[frame["left"].isin(some) & frame["right"].isin(some)]
        found = from_comparisons(frame, **options).select_systems(some)
        expected = from_comparisons(part, **options).select_systems(some)
        assert found.systems.tolist() == some
        pd.testing.assert_frame_equal(found.pairwise(), expected.pairwise())
        pd.testing.assert_frame_equal(found.strengths(), expected.strengths())
        pd.testing.assert_frame_equal(
            found.bradley_terry(covariates=frame["more"]),
            expected.bradley_terry(covariates=part["more"]),
        )

    def test_unknown_systems_and_those_that_never_met_are_refused(self):
        with pytest.raises(ValueError, match="unknown systems: 'E'; known: 'A', 'B', 'C', 'D'"):
            apart().select_systems(["A", "E"])
        with pytest.raises(ValueError, match="no comparisons among 'A', 'C'"):
            apart().select_systems(["A", "C"])


# --------------------------------------------------------------------------- what answers instead


class TestWhatAnswersInstead:
    @pytest.mark.parametrize(
        ("name", "calls"),
        [
            ("score_intervals", ["strengths()"]),
            ("critical_difference", ["tie_groups(rule='bradley_terry')", "confidence()"]),
            ("probability_of_improvement", ["win_probabilities()"]),
            ("mean", ["mean_win_rate()"]),
            ("plurality", ["borda()"]),
        ],
    )
    def test_it_is_named_and_answers(self, name, calls):
        listed = " or ".join(calls)
        comparisons = read(
            pd.concat([BATTLES, BATTLES.assign(winner=["right", "left"] * 2 + ["tie"])])
        )
        arguments = ["borda"] * (name == "score_intervals")
        with pytest.raises(
            TypeError, match=f"^{name}: this needs .* take {re.escape(listed)} inst"
        ):
            getattr(nbrank, name)(comparisons, *arguments)
        with pytest.raises(
            AttributeError, match=f"no '{name}'.*; take {re.escape(listed)} instead"
        ):
            getattr(comparisons, name)
        for call in calls:
            eval(f"comparisons.{call}")

    def test_where_nothing_does_nothing_is_named(self):
        with pytest.raises(
            TypeError, match="leave_one_out: this needs scores, and comp.* none; give"
        ):
            nbrank.leave_one_out(read(BATTLES), "borda")


class TestCodesAndRepeats:
    @pytest.mark.parametrize(
        "words",
        [
            [1, 2, 0, 1, 0],
            ["1", "2", "0", "1", "0"],
            [1.0, 2.0, 0.0, 1.0, 0.0],
            [1, -1, 0, 1, 0],
            ["1-0", "0-1", "1/2-1/2", "1-0", "½-½"],
            ["a", "B", "Tie", "A", "Both_Bad"],
            ["left", "RIGHT", "DRAW", "left", "bothbad"],
        ],
    )
    def test_codes_that_leave_no_doubt_are_sides(self, words):
        words = [word.lower() if word == "RIGHT" else word for word in words]
        same = read(BATTLES.assign(winner=pd.Series(words, dtype=object)))
        assert wins_of(same) == wins_of(read(BATTLES))
        assert same.counts.ties.tolist() == read(BATTLES).counts.ties.tolist()

    def test_codes_of_zero_and_one_are_asked_about_and_the_call_works(self):
        frame = BATTLES.head(2).assign(winner=[1, 0])
        with pytest.raises(ValueError, match=r"which, sides=\(1, 0\), or ties=\[0\] with sides="):
            read(frame)
        assert wins_of(read(frame, sides=(1, 0))) == {("x", "y"): 1, ("z", "y"): 1}
        assert read(frame, ties=[0], sides=(1, 2)).counts.ties.sum() == 2

    def test_other_words_for_sides_are_named_and_the_call_works(self):
        frame = BATTLES.head(2).assign(winner=["first", "second"])
        with pytest.raises(ValueError, match=r"as in sides=\('first', 'second'\)"):
            read(frame)
        assert wins_of(read(frame, sides=("first", "second"))) == wins_of(read(BATTLES.head(2)))

    def test_a_number_that_is_a_system_is_that_system(self):
        frame = pd.DataFrame({"a": [1, 2], "b": [2, 3], "w": [1, 2]})
        comparisons = from_comparisons(frame, left="a", right="b", winner="w")
        assert wins_of(comparisons) == {(1, 2): 1, (2, 3): 1}

    def test_repeated_judgements_of_one_item_are_asked_about(self):
        frame = pd.DataFrame(
            {"idx": [1, 1, 2, 3], "left": "x", "right": "y", "winner": ["x", "x", "y", "x"]}
        )
        columns = {"left": "left", "right": "right", "winner": "winner"}
        with pytest.warns(UserWarning, match="50 % of the rows .* same 'idx': .*cluster='idx'"):
            from_comparisons(frame, **columns)
        assert from_comparisons(frame, cluster="idx", **columns).clusters.tolist() == [0, 0, 1, 2]
        assert len(from_comparisons(frame.drop(columns=["idx"]), **columns)) == 4
        assert len(from_comparisons(frame.assign(idx=range(4)), **columns)) == 4
