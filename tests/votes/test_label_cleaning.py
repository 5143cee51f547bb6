"""Names that differ in spaces around them, or in Unicode form, are one name in every parameter."""

import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import agreement, charts, consensus
from nbrank.votes.labeled_values import clean_labels
from nbrank.votes.user_warnings import SimilarNamesWarning

CAFE, CAFE_NFD = "Café", "Cafe\N{COMBINING ACUTE ACCENT}"
#: The names as they come, and clean.
RAW, CLEAN = ["a ", "\tb", CAFE_NFD, "d\N{NO-BREAK SPACE}"], ["a", "b", CAFE, "d"]
RAW_TASKS, CLEAN_TASKS = [" t1", "t2 ", "t3\n", "t4"], ["t1", "t2", "t3", "t4"]
VALUES = np.array(
    [[0.9, 0.6, 0.3, 0.2], [0.7, 0.8, 0.2, 0.4], [0.5, 0.3, 0.9, 0.6], [0.2, 0.5, 0.6, 0.7]]
)
GIVEN = pd.DataFrame(VALUES, RAW, RAW_TASKS)
SCORES = pd.DataFrame(VALUES, CLEAN, CLEAN_TASKS)


#: Rows of every kind of index that holds texts.
ROWS = [
    pd.Index(RAW),
    pd.Index(RAW, dtype=object),
    pd.Index(RAW, dtype="string"),
    pd.CategoricalIndex(RAW),
    pd.Index(RAW, name="model"),
]


class TestTables:
    @pytest.mark.parametrize("rows", ROWS, ids=lambda rows: str(rows.dtype))
    def test_results_have_the_clean_names(self, rows):
        expected = nbrank.borda(SCORES)
        found = nbrank.borda(GIVEN.set_axis(rows))
        assert found.index.tolist() == expected.index.tolist()
        assert found.index.name == rows.name
        assert found["score"].tolist() == expected["score"].tolist()

    def test_a_clean_index_stays_the_same_object(self):
        assert nbrank.Leaderboard(SCORES).systems is SCORES.index
        assert nbrank.Leaderboard(SCORES).tasks is SCORES.columns

    def test_the_board_and_its_scores_are_clean(self):
        board = nbrank.Leaderboard(GIVEN)
        pd.testing.assert_frame_equal(board.scores, SCORES)
        assert pickle.loads(pickle.dumps(board)).systems.tolist() == CLEAN

    def test_labels_that_are_no_texts_stay_as_they_are(self):
        for labels in ([1, 2, 3, 4], [1.5, 2.5, 3.5, 4.5], pd.date_range("2026", periods=4)):
            assert nbrank.Leaderboard(SCORES.set_axis(pd.Index(labels))).systems.tolist() == list(
                labels
            )
        mixed = pd.Index([1, "1", ("x ", 2), None.__class__], tupleize_cols=False)
        found = nbrank.Leaderboard(SCORES.set_axis(mixed)).systems
        assert found.tolist() == [1, "1", ("x", 2), None.__class__]

    def test_levels_of_rows_and_columns_are_clean(self):
        rows = pd.MultiIndex.from_product([["u ", "v"], [1, 2]], names=["lab", "version"])
        columns = pd.MultiIndex.from_product([["g", "h "], ["x ", "y"]])
        board = nbrank.Leaderboard(GIVEN.set_axis(rows).set_axis(columns, axis=1))
        assert board.systems.tolist() == [("u", 1), ("u", 2), ("v", 1), ("v", 2)]
        assert board.systems.names == ["lab", "version"]
        assert board.tasks.tolist() == [("g", "x"), ("g", "y"), ("h", "x"), ("h", "y")]
        assert list(board.groups) == ["g", "h"]

    @pytest.mark.parametrize("level", ["instance", "seed"])
    def test_systems_of_instances_and_runs_are_clean_and_instances_stay(self, level):
        rows = pd.MultiIndex.from_product([["a ", "b"], [" i", "j"]], names=["system", level])
        board = nbrank.Leaderboard(GIVEN.set_axis(rows))
        assert board.systems.tolist() == ["a", "b"]
        if level == "instance":
            assert set(board.instances) == {" i", "j"}

    def test_counts_of_instances_are_clean(self):
        rows = pd.MultiIndex.from_product([["a ", "b"], [1, 2]], names=["system", "instance"])
        counted = nbrank.tally(GIVEN.set_axis(rows))
        assert counted.systems.tolist() == ["a", "b"]
        assert counted.tasks.tolist() == CLEAN_TASKS


class TestDuplicates:
    def test_two_rows_of_one_name_are_refused_and_both_named(self):
        frame = pd.DataFrame({"t": [1, 2, 3]}, index=["b", "b ", "c"])
        said = r"duplicate systems: 'b', 'b ' differ only in spaces .* df.drop\(index=\['b '\]\)"
        with pytest.raises(ValueError, match=said):
            nbrank.borda(frame)
        # What the message says.
        assert nbrank.borda(frame.drop(index=["b "])).index.tolist() == ["c", "b"]

    def test_two_unicode_forms_are_refused_and_can_be_told_apart(self):
        frame = pd.DataFrame({"t": [1, 2]}, index=[CAFE, CAFE_NFD])
        with pytest.raises(ValueError, match=r"duplicate systems: 'Café', 'Cafe\\u0301' differ"):
            nbrank.borda(frame)
        assert nbrank.borda(frame.drop(index=["Cafe\u0301"])).index.tolist() == [CAFE]

    def test_two_columns_of_one_name_are_refused(self):
        frame = pd.DataFrame([[1, 2]], columns=["t", "t "])
        said = r"duplicate tasks: 't', 't ' differ .* df.drop\(columns=\['t '\]\)"
        with pytest.raises(ValueError, match=said):
            nbrank.borda(frame)
        nbrank.borda(frame.drop(columns=["t "]))

    def test_two_names_of_a_system_of_instances_are_refused(self):
        rows = pd.MultiIndex.from_tuples(
            [("b", 1), ("b ", 2), ("c", 1)], names=["system", "instance"]
        )
        frame = pd.DataFrame({"t": [1, 2, 3]}, index=rows)
        said = r"duplicate systems: 'b', 'b ' .* df.rename\(index=\{'b ': 'b'\}, level='system'\)"
        with pytest.raises(ValueError, match=said):
            nbrank.borda(frame)
        assert len(nbrank.borda(frame.rename(index={"b ": "b"}, level="system"))) == 2

    def test_an_unused_level_is_no_duplicate(self):
        rows = pd.MultiIndex.from_tuples(
            [("b", 1), ("b ", 1), ("c", 1)], names=["system", "instance"]
        )
        frame = pd.DataFrame({"t": [1, 2, 3]}, index=rows).iloc[[1, 2]]
        assert nbrank.borda(frame).index.tolist() == ["c", "b"]

    def test_two_groups_of_one_name_are_refused(self):
        groups = {"g": ["t1", "t2"], "g ": ["t3", "t4"]}
        with pytest.raises(ValueError, match="groups: 'g', 'g ' differ only in spaces"):
            nbrank.borda(SCORES, groups=groups)

    def test_a_counted_table_refuses_them_too(self):
        counted = nbrank.tally(
            SCORES.set_axis(
                pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["system", "instance"])
            )
        )
        with pytest.raises(ValueError, match="duplicate systems: 'a', 'a ' differ"):
            nbrank.Tally(pd.Index(["a", "a "]), counted.tasks, counted.counts)


class TestSimilarNames:
    @pytest.mark.parametrize(
        "names",
        [
            ["gpt-4", "GPT-4"],
            ["gpt 4", "gpt4"],
            ["gpt 4", "gpt\N{NO-BREAK SPACE}4"],
            ["gpt-4", "gpt-4\N{ZERO WIDTH SPACE}"],
            [("x", "gpt"), ("x", "GPT")],
            ["STRASSE", "straße"],
        ],
    )
    def test_names_equal_but_for_case_or_spaces_are_warned_of(self, names):
        rows = pd.Index([*names, "other"], tupleize_cols=False)
        frame = pd.DataFrame({"t": [1, 2, 3]}, index=rows)
        said = f"{names[0]!r}, {names[1]!r} count as different systems"
        with pytest.warns(SimilarNamesWarning) as caught:
            assert len(nbrank.borda(frame)) == 3
        assert [str(one.message)[: len(said)] for one in caught] == [said]

    def test_it_is_said_once_of_a_table(self):
        frame = pd.DataFrame({"t": [1, 2]}, index=["x", "X"])
        with pytest.warns(SimilarNamesWarning):
            frame.rank.borda()
        frame.rank.borda()

    def test_tasks_may_be_alike_too(self):
        frame = pd.DataFrame([[1, 2], [2, 1]], columns=["acc", "Acc"])
        with pytest.warns(SimilarNamesWarning, match="'acc', 'Acc' count as different tasks"):
            frame.rank.borda()

    @pytest.mark.parametrize(
        "names",
        [["gpt-4", "gpt-4o"], ["a", "b"], [1, "1"], ["x\0y", "z"], ["é", "e"], [("a",), "a"]],
    )
    def test_other_names_are_not(self, names):
        rows = pd.Index(names, tupleize_cols=False)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            nbrank.borda(pd.DataFrame({"t": [1, 2]}, index=rows))


def at_least(first, second):
    return {"at_least": [(first, second)]}


#: What names systems or tasks, as the raw names and as the clean ones say it.
NAMED = {
    "weights": (nbrank.borda, lambda s, t: {"weights": {t[0]: 5, t[1]: 1, t[2]: 1, t[3]: 1}}),
    "weights of groups": (
        nbrank.borda,
        lambda s, t: {
            "weights": {s[0]: 3, s[1]: 1},
            "groups": {s[0]: list(t[:2]), s[1]: list(t[2:])},
        },
    ),
    "groups": (
        nbrank.borda,
        lambda _, t: {"weights": "balanced", "groups": {"g": [t[0]], "h": list(t[1:])}},
    ),
    "task to group": (
        nbrank.borda,
        lambda _, t: {
            "weights": "balanced",
            "groups": pd.Series(["g", "g ", "g", " h"], t),
        },
    ),
    "lower_is_better": (nbrank.borda, lambda _, t: {"lower_is_better": [t[0]]}),
    "lower_is_better of one": (nbrank.borda, lambda _, t: {"lower_is_better": t[0]}),
    "lower_is_better by name": (nbrank.borda, lambda _, t: {"lower_is_better": {t[0]: True}}),
    "low": (
        partial(nbrank.normalized_mean, high=1),
        lambda _, t: {"low": dict(zip(t, [0, 0.1, 0.2, 0], strict=True))},
    ),
    "anchor": (nbrank.bradley_terry, lambda s, _: {"anchor": {s[2]: 1000}}),
    "baseline": (nbrank.geometric_mean, lambda s, _: {"baseline": s[2]}),
    "tie_order": (nbrank.ranked_pairs, lambda s, _: {"tie_order": list(s[::-1])}),
    "system": (nbrank.condorcet_weights, lambda s, _: {"system": s[0]}),
    "beats": (nbrank.condorcet_weights, lambda s, _: {"beats": [(s[0], s[2])]}),
    "bounds": (nbrank.condorcet_weights, lambda _, t: {"bounds": {t[0]: (0.1, 0.5)}}),
    "at_least": (nbrank.condorcet_weights, lambda _, t: at_least(t[0], [t[1], t[2]])),
    "maximize": (nbrank.condorcet_weights, lambda _, t: {"maximize": t[0]}),
    "keep": (partial(nbrank.cherry_pick, rule="borda"), lambda _, t: {"keep": [t[1]]}),
    "errors": (
        partial(nbrank.rank_confidence, rule="mean", seed=0, n_draws=500),
        lambda s, t: {"errors": pd.DataFrame(0.05, s, t)},
    ),
    "n": (nbrank.binomial_errors, lambda _, t: {"n": pd.Series([10, 20, 30, 40], t)}),
    "n of cells": (nbrank.binomial_errors, lambda s, t: {"n": pd.DataFrame(50, s, t)}),
    "published": (nbrank.compare, lambda s, _: {"rules": {"host": pd.Series([1, 2, 3, 4], s)}}),
    "a rule of one's own": (
        nbrank.compare,
        lambda s, _: {
            "rules": {
                "own": lambda _: pd.DataFrame({"rank": [1, 2, 3, 4], "score": [4, 3, 2, 1]}, s)
            }
        },
    ),
    "ranking": (consensus.disagreement, lambda s, _: {"ranking": list(s)}),
    "rankings": (consensus.quality, lambda s, _: {"rankings": {"own": pd.Series([1, 2, 3, 4], s)}}),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_parameter_takes_either_spelling_on_either_table(name):
    function, options = NAMED[name]
    expected = function(SCORES, **options(CLEAN, CLEAN_TASKS))
    for frame in (SCORES, GIVEN):
        for systems, tasks in ((CLEAN, CLEAN_TASKS), (RAW, RAW_TASKS)):
            found = function(frame, **options(systems, tasks))
            if isinstance(expected, pd.DataFrame):
                pd.testing.assert_frame_equal(found, expected)
            elif isinstance(expected, pd.Series):
                pd.testing.assert_series_equal(found, expected)
            else:
                assert found == expected


def test_boards_are_reduced_by_either_spelling():
    board = nbrank.Leaderboard(GIVEN)
    for systems, tasks in ((CLEAN, CLEAN_TASKS), (RAW, RAW_TASKS)):
        assert board.select_systems(systems[:2]).systems.tolist() == CLEAN[:2]
        assert board.select_tasks(tasks[:2]).tasks.tolist() == CLEAN_TASKS[:2]


def test_rankings_agree_whatever_their_spelling():
    assert agreement.kendall_tau(RAW, CLEAN) == 1
    assert agreement.kendall_tau(pd.Series([1, 2, 3, 4], RAW), nbrank.mean(SCORES)) == (
        agreement.kendall_tau(pd.Series([1, 2, 3, 4], CLEAN), nbrank.mean(SCORES))
    )


def test_estimates_and_errors_are_aligned_whatever_their_spelling():
    estimates = pd.Series([3.0, 2.0, 1.0, 0.0], RAW)
    errors = pd.Series([0.1, 0.2, 0.3, 0.4], CLEAN)
    found = nbrank.rank_confidence_from(estimates, errors, seed=0)
    assert found.index.tolist() == CLEAN


def test_charts_find_systems_in_either_spelling():
    comparison = nbrank.compare(GIVEN, ["borda", "mean"])
    for name in (RAW[0], CLEAN[0]):
        charts.ranks(comparison, highlight=[name])
    ranking = nbrank.borda(GIVEN).rename(index=dict(zip(CLEAN, RAW, strict=True)))
    charts.scores(GIVEN, ranking)


def test_cleaning_twice_changes_nothing():
    once = clean_labels(pd.Index(RAW))
    assert clean_labels(once) is once
