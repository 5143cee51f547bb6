"""Labelled arguments as users have them: mappings, Series, frames of polars, raw spellings."""

import inspect
import pickle
import subprocess
import sys
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard, agreement, charts, consensus, metrics
from nbrank.votes.labeled_values import as_frame, as_series, clean_labels
from nbrank.votes.method_registry import METHODS
from nbrank.votes.user_warnings import SimilarNamesWarning

SCORES = pd.DataFrame(
    np.random.default_rng(0).random((5, 6)).round(3),
    index=pd.Index(list("ABCDE"), name="model"),
    columns=[f"t{at}" for at in range(6)],
)
GROUPS = {"a": ["t0", "t1"], "b": ["t2", "t3"], "c": ["t4", "t5"]}

# ------------------------------------------------------------- what a Series says, a mapping says

N = {"t0": 100, "t1": 200, "t2": 300, "t3": 50, "t4": 20, "t5": 10}
SHARES = {task: value / 400 for task, value in N.items()}
RANKS = {"B": 1, "A": 2, "C": 3, "D": 4, "E": 5}
BATTLES = pd.DataFrame(
    [("a", "b", "a"), ("b", "c", "b"), ("c", "a", "c"), ("a", "b", "b")],
    columns=["left", "right", "winner"],
)


def errors_of(estimates, errors):
    return nbrank.rank_confidence_from(estimates, errors, seed=0, n_draws=200)


@pytest.mark.parametrize(
    ("ask", "values"),
    [
        (lambda n: nbrank.binomial_errors(SCORES, n), N),
        (lambda n: nbrank.binomial_errors(SCORES, n=n), dict(reversed(N.items()))),
        (lambda w: nbrank.borda(SCORES, weights=w), N),
        (lambda w: nbrank.borda(Leaderboard(SCORES).with_weights(w)), N),
        (lambda low: nbrank.normalized_mean(SCORES, low, 2), SHARES),
        (lambda high: nbrank.normalized_mean(SCORES, -1, high), SHARES),
        (lambda gamma: nbrank.optimality_gap(SCORES, gamma), SHARES),
        (lambda value: nbrank.geometric_mean(SCORES.where(SCORES > 0.1), penalty=value), SHARES),
        (lambda counts: nbrank.borda(Leaderboard(SCORES, counts=counts)), N),
        (lambda to: nbrank.borda(Leaderboard(SCORES, decimals=to)), dict.fromkeys(SCORES, 1)),
        (lambda to: nbrank.borda(SCORES, lower_is_better=to), dict.fromkeys(SCORES, "min")),
        (lambda of: nbrank.two_step(SCORES, "borda", groups=of), {
            task: group for group, tasks in GROUPS.items() for task in tasks
        }),
        (lambda w: nbrank.two_step(SCORES, "borda", groups=GROUPS, group_weights=w),
         {"a": 2, "b": 1, "c": 1}),
        (lambda bounds: nbrank.condorcet_weights(SCORES, bounds=bounds), {"t0": (0.1, 0.5)}),
        (lambda bounds: nbrank.possible_ranks(SCORES, bounds=bounds), {"t0": (0.1, 0.5)}),
        (lambda ranks: nbrank.compare(SCORES, {"host": ranks, "borda": "borda"}), RANKS),
        (lambda ranks: nbrank.winners(SCORES, {"host": ranks}), RANKS),
        (lambda values: errors_of(values, pd.Series(0.1, list("ABCDE"))), RANKS),
        (lambda values: errors_of(pd.Series(RANKS), values), {"E": 2, "A": 1, "B": 3} | {
            "C": 1, "D": 1}),
        (nbrank.comparisons_needed, {"x": 0.6, "y": 0.7}),
        (lambda anchor: nbrank.bradley_terry(SCORES, prior=1, anchor=anchor), {"A": 1000}),
        (lambda truth: metrics.global_scores(
            pd.DataFrame({"A": [1, 0, 1], "B": [1, 1, 1]}, list("xyz")), truth, ["accuracy"]
        ).scores, {"z": 1, "y": 0, "x": 0}),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:.*all of them on the same side")
def test_a_mapping_says_what_a_series_says(ask, values):
    by_series, by_mapping = ask(as_series(values)), ask(values)
    if isinstance(by_series, float):
        assert by_mapping == by_series
    else:
        assert by_mapping.equals(by_series)


def test_items_of_groups_and_of_tasks_in_groups():
    in_groups = SCORES.iloc[:, :2].set_axis(
        pd.MultiIndex.from_tuples([("g", "t0"), ("g", "t1")]), axis=1
    )
    by_group = nbrank.binomial_errors(in_groups, n={"g": 100})
    pd.testing.assert_frame_equal(by_group, nbrank.binomial_errors(in_groups, n=100))
    by_task = nbrank.binomial_errors(in_groups, n={("g", "t0"): 100, "t1": 100})
    pd.testing.assert_frame_equal(by_task, by_group)
    with pytest.raises(ValueError, match="n is missing or below 1 on 't1', 't2', 't3', 't4', 't5'"):
        nbrank.binomial_errors(SCORES, n={"t0": 100, "t1": None})
    with pytest.raises(TypeError, match=r"n\['t0'\]='100' must be a number"):
        nbrank.binomial_errors(SCORES, n={"t0": "100"})


# ------------------------------------------------------------------------------ frames of polars

GIVEN = {
    "normalized_mean": {"low": 0, "high": 1},
    "optimality_gap": {"gamma": 1},
    "positional": {"vector": [3, 2, 1, 0, 0]},
    "binomial_errors": {"n": 100},
    "two_step": {"rule": "borda", "groups": GROUPS},
    "tie_groups": {"rule": "borda"},
    "weight_map": {"groups": GROUPS},
    "variance_split": {"errors": SCORES * 0 + 0.1},
    "pairwise_outcomes": {"tie_within": 0.1},
    "changes": {"after": SCORES.iloc[::-1]},
    "explain_change": {"after": SCORES.iloc[::-1], "system": SCORES.index[0]},
}
#: What takes no frame of scores, or takes long; and what is drawn, which has no equality.
OTHERS = {"elo", "tally", "kemeny", "explore"}
OTHERS |= {"report", "picture"}


def of_polars(frame):
    polars = pytest.importorskip("polars")
    labels = frame.index.to_frame(index=False)
    columns = {str(name): labels[name].to_list() for name in labels}
    return polars.DataFrame(columns | {name: frame[name].to_list() for name in frame})


@pytest.mark.parametrize("name", sorted(METHODS.keys() - OTHERS))
def test_a_frame_of_polars_is_taken_wherever_a_frame_is(name):
    function, options = METHODS[name].load(), dict(GIVEN.get(name, {}))
    parameters = inspect.signature(function).parameters
    if "rule" in parameters and parameters["rule"].default is inspect.Parameter.empty:
        options["rule"] = "borda"
    if "seed" in parameters:
        options["seed"] = 0
    of_pandas, found = function(SCORES, **options), function(of_polars(SCORES), **options)
    same = found.equals(of_pandas) if hasattr(found, "equals") else str(found) == str(of_pandas)
    assert same


def test_errors_and_rankings_may_be_frames_of_polars():
    errors = SCORES * 0 + 0.1
    turned = of_polars(errors.iloc[::-1])
    for ask in (
        lambda errors: nbrank.rank_confidence(SCORES, "mean", errors=errors, seed=0),
        lambda errors: nbrank.bootstrap(SCORES, "mean", errors=errors, seed=0, n_draws=50),
    ):
        assert ask(turned).equals(ask(errors))
    items = (SCORES * 100).round() + 1
    assert nbrank.binomial_errors(SCORES, of_polars(items)).equals(
        nbrank.binomial_errors(SCORES, items)
    )
    ranked = nbrank.borda(SCORES)
    assert agreement.kendall_tau(of_polars(ranked), ranked) == 1
    assert nbrank.compare(SCORES, {"host": of_polars(ranked)})["host"].tolist() == (
        ranked["rank"][SCORES.index].tolist()
    )
    by_polars = nbrank.report(of_polars(SCORES), errors=turned)
    assert by_polars.summary == nbrank.report(SCORES, errors=errors).summary


def test_long_tables_and_battles_of_polars_are_read_by_their_columns():
    long = SCORES.rename_axis(columns="task").stack().rename("score").reset_index()
    plain = of_polars(long.rename_axis("row").reset_index(drop=True).rename_axis("row"))
    found = nbrank.from_long(plain, system="model", task="task", score="score")
    assert found.equals(nbrank.from_long(long, system="model", task="task", score="score"))
    battles = nbrank.from_comparisons(
        of_polars(BATTLES.rename_axis("row")), left="left", right="right", winner="winner"
    )
    assert battles.borda().equals(
        nbrank.from_comparisons(BATTLES, left="left", right="right", winner="winner").borda()
    )
    assert nbrank.read(of_polars(SCORES)).scores.equals(SCORES)


def test_levels_of_rows_are_columns_of_polars():
    rows = pd.MultiIndex.from_product([list("AB"), range(4)], names=["system", "instance"])
    answers = pd.DataFrame({"t": [1.0, 0, 1, 1, 0, 0, 1, 0]}, rows)
    of_model = of_polars(answers).rename({"system": "model"})
    assert nbrank.confidence(of_model).equals(nbrank.confidence(answers))
    assert repr(nbrank.tally(of_model)) == repr(nbrank.tally(answers))
    runs = answers.rename_axis(["system", "seed"])
    found = nbrank.probability_of_improvement(of_polars(runs))
    assert found.equals(nbrank.probability_of_improvement(runs))


@pytest.mark.parametrize(
    ("columns", "index"),
    [
        ({"t": [0.1, 0.2], "model": ["A", "B"]}, "model"),
        ({"t": [0.1, 0.2], "System": [1, 2]}, "System"),
        ({"t": [0.1, 0.2], "name": ["A", "B"]}, "name"),
        ({"who": ["A", "B"], "t": [0.1, None], "u": [0.2, 0.3]}, "who"),
    ],
)
def test_the_column_that_names_the_systems(columns, index):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(columns)
    ranked = nbrank.borda(frame)
    assert ranked.index.name == index
    assert set(ranked.index) == set(columns[index])
    assert as_frame(frame).index.equals(nbrank.read(frame).scores.rename_axis(index).index)


def test_the_only_column_of_texts_is_taken_with_a_word():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"t": [0.1, 0.2], "who": ["A", "B"]})
    with pytest.warns(UserWarning, match="the systems are read from the column 'who'"):
        assert set(nbrank.borda(frame).index) == {"A", "B"}


def test_rows_without_names_are_refused():
    polars = pytest.importorskip("polars")
    with pytest.raises(ValueError, match=r"no index, .* scores\.rename\(\{'a': 'system'\}\)"):
        nbrank.borda(polars.DataFrame({"a": [1, 2], "b": [3, 4]}))
    renamed = polars.DataFrame({"a": [1, 2], "b": [3, 4]}).rename({"a": "system"})
    assert list(nbrank.borda(renamed).index) == [2, 1]
    with pytest.raises(TypeError, match=r"not polars\.LazyFrame; use its \.collect\(\)"):
        nbrank.borda(polars.LazyFrame({"a": [1, 2]}))


def test_doubts_are_said_once_of_a_frame_of_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"model": ["A", "B"], "latency": [3.0, 1.0], "f1": [0.5, 0.6]})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nbrank.borda(frame)
        nbrank.copeland(frame)
    assert len(caught) == 1


def test_polars_is_not_imported_for_others():
    code = (
        "import sys, pandas, nbrank; nbrank.borda(pandas.DataFrame({'t': [1, 2]})); "
        "assert 'polars' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


# -------------------------------------------------- the levels of the rows of a frame of polars


def rows_of_polars(passage=(0, 0, 0, 1, 1, 1), **columns):
    polars = pytest.importorskip("polars")
    values = {"system": ["A"] * 6 + ["B"] * 6, "instance": [*range(6)] * 2}
    return polars.DataFrame(
        values | {"passage": [*passage] * 2} | columns | {"t": [*range(11), 20]}
    )


@pytest.mark.parametrize("passage", [(0, 0, 0, 1, 1, 1), tuple("xxxyyy")])
def test_a_polars_column_of_clusters_is_a_level(passage):
    board = Leaderboard(rows_of_polars(passage))
    assert board.tasks.tolist() == ["t"]
    assert board.clusters.name == "passage"
    assert board.clusters.nunique() == 2


@pytest.mark.parametrize("name", ["sample", "trial", "attempt", "epoch", "seeds"])
def test_a_polars_column_of_runs_beside_instances_is_a_level(name):
    rows = rows_of_polars(**{name: [0] * 12})
    again = rows.with_columns(rows[name] + 1)
    board = Leaderboard(rows.vstack(again))
    assert board.tasks.tolist() == ["t"]
    assert board.values.shape == (2, 6)


@pytest.mark.parametrize("name", ["user", "document", "question", "sample"])
def test_a_polars_column_that_is_called_like_instances_holds_them(name):
    frame = rows_of_polars().drop("passage").rename({"instance": name})
    board = Leaderboard(frame)
    assert board.tasks.tolist() == ["t"]
    assert board.instances.tolist() == [*range(6)]


@pytest.mark.parametrize("name", ["seeds", "trial", "Seed", "run"])
def test_a_polars_column_that_is_called_like_runs_holds_them(name):
    frame = rows_of_polars().drop("passage").rename({"instance": name})
    board = Leaderboard(frame)
    assert board.systems.tolist() == ["A", "B"]
    assert board.replicates.n_runs.tolist() == [[6], [6]]


def test_a_polars_column_of_each_system_once_is_a_task_whatever_it_is_called():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"system": ["A", "B"], "document": [1, 2], "video": [2, 1]})
    assert Leaderboard(frame).tasks.tolist() == ["document", "video"]


def test_a_polars_column_of_fractions_holds_scores():
    frame = rows_of_polars(generation=[at / 8 for at in range(12)])
    assert Leaderboard(frame).tasks.tolist() == ["generation", "t"]


def test_cluster_names_a_column_of_polars():
    frame = rows_of_polars().rename({"passage": "chapter"})
    board = Leaderboard(frame, cluster="chapter")
    assert board.tasks.tolist() == ["t"]
    assert board.clusters.name == "chapter"
    sets = nbrank.rank_confidence(frame, "mean", cluster="chapter", seed=0)
    assert sets.attrs["cluster"] == "chapter"


# -------------------------------------- names that differ in spaces around them, or in Unicode form

CAFE, CAFE_NFD = "Café", "Cafe\N{COMBINING ACUTE ACCENT}"
#: The names as they come, and clean.
RAW, CLEAN = ["a ", "\tb", CAFE_NFD, "d\N{NO-BREAK SPACE}"], ["a", "b", CAFE, "d"]
RAW_TASKS, CLEAN_TASKS = [" t1", "t2 ", "t3\n", "t4"], ["t1", "t2", "t3", "t4"]
VALUES = np.array(
    [[0.9, 0.6, 0.3, 0.2], [0.7, 0.8, 0.2, 0.4], [0.5, 0.3, 0.9, 0.6], [0.2, 0.5, 0.6, 0.7]]
)
RAW_SCORES = pd.DataFrame(VALUES, RAW, RAW_TASKS)
CLEAN_SCORES = pd.DataFrame(VALUES, CLEAN, CLEAN_TASKS)


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
        expected = nbrank.borda(CLEAN_SCORES)
        found = nbrank.borda(RAW_SCORES.set_axis(rows))
        assert found.index.tolist() == expected.index.tolist()
        assert found.index.name == rows.name
        assert found["score"].tolist() == expected["score"].tolist()

    def test_a_clean_index_stays_the_same_object(self):
        assert nbrank.Leaderboard(CLEAN_SCORES).systems is CLEAN_SCORES.index
        assert nbrank.Leaderboard(CLEAN_SCORES).tasks is CLEAN_SCORES.columns

    def test_the_board_and_its_scores_are_clean(self):
        board = nbrank.Leaderboard(RAW_SCORES)
        pd.testing.assert_frame_equal(board.scores, CLEAN_SCORES)
        assert pickle.loads(pickle.dumps(board)).systems.tolist() == CLEAN

    def test_labels_that_are_no_texts_stay_as_they_are(self):
        for labels in ([1, 2, 3, 4], [1.5, 2.5, 3.5, 4.5], pd.date_range("2026", periods=4)):
            assert nbrank.Leaderboard(
                CLEAN_SCORES.set_axis(pd.Index(labels))
            ).systems.tolist() == list(labels)
        mixed = pd.Index([1, "1", ("x ", 2), None.__class__], tupleize_cols=False)
        found = nbrank.Leaderboard(CLEAN_SCORES.set_axis(mixed)).systems
        assert found.tolist() == [1, "1", ("x", 2), None.__class__]

    def test_levels_of_rows_and_columns_are_clean(self):
        rows = pd.MultiIndex.from_product([["u ", "v"], [1, 2]], names=["lab", "version"])
        columns = pd.MultiIndex.from_product([["g", "h "], ["x ", "y"]])
        board = nbrank.Leaderboard(RAW_SCORES.set_axis(rows).set_axis(columns, axis=1))
        assert board.systems.tolist() == [("u", 1), ("u", 2), ("v", 1), ("v", 2)]
        assert board.systems.names == ["lab", "version"]
        assert board.tasks.tolist() == [("g", "x"), ("g", "y"), ("h", "x"), ("h", "y")]
        assert list(board.groups) == ["g", "h"]

    @pytest.mark.parametrize("level", ["instance", "seed"])
    def test_systems_of_instances_and_runs_are_clean_and_instances_stay(self, level):
        rows = pd.MultiIndex.from_product([["a ", "b"], [" i", "j"]], names=["system", level])
        board = nbrank.Leaderboard(RAW_SCORES.set_axis(rows))
        assert board.systems.tolist() == ["a", "b"]
        if level == "instance":
            assert set(board.instances) == {" i", "j"}

    def test_counts_of_instances_are_clean(self):
        rows = pd.MultiIndex.from_product([["a ", "b"], [1, 2]], names=["system", "instance"])
        counted = nbrank.tally(RAW_SCORES.set_axis(rows))
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
            nbrank.borda(CLEAN_SCORES, groups=groups)

    def test_a_counted_table_refuses_them_too(self):
        counted = nbrank.tally(
            CLEAN_SCORES.set_axis(
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
    expected = function(CLEAN_SCORES, **options(CLEAN, CLEAN_TASKS))
    for frame in (CLEAN_SCORES, RAW_SCORES):
        for systems, tasks in ((CLEAN, CLEAN_TASKS), (RAW, RAW_TASKS)):
            found = function(frame, **options(systems, tasks))
            if isinstance(expected, pd.DataFrame):
                pd.testing.assert_frame_equal(found, expected)
            elif isinstance(expected, pd.Series):
                pd.testing.assert_series_equal(found, expected)
            else:
                assert found == expected


def test_boards_are_reduced_by_either_spelling():
    board = nbrank.Leaderboard(RAW_SCORES)
    for systems, tasks in ((CLEAN, CLEAN_TASKS), (RAW, RAW_TASKS)):
        assert board.select_systems(systems[:2]).systems.tolist() == CLEAN[:2]
        assert board.select_tasks(tasks[:2]).tasks.tolist() == CLEAN_TASKS[:2]


def test_rankings_agree_whatever_their_spelling():
    assert agreement.kendall_tau(RAW, CLEAN) == 1
    assert agreement.kendall_tau(pd.Series([1, 2, 3, 4], RAW), nbrank.mean(CLEAN_SCORES)) == (
        agreement.kendall_tau(pd.Series([1, 2, 3, 4], CLEAN), nbrank.mean(CLEAN_SCORES))
    )


def test_estimates_and_errors_are_aligned_whatever_their_spelling():
    estimates = pd.Series([3.0, 2.0, 1.0, 0.0], RAW)
    errors = pd.Series([0.1, 0.2, 0.3, 0.4], CLEAN)
    found = nbrank.rank_confidence_from(estimates, errors, seed=0)
    assert found.index.tolist() == CLEAN


def test_charts_find_systems_in_either_spelling():
    comparison = nbrank.compare(RAW_SCORES, ["borda", "mean"])
    for name in (RAW[0], CLEAN[0]):
        charts.ranks(comparison, highlight=[name])
    ranking = nbrank.borda(RAW_SCORES).rename(index=dict(zip(CLEAN, RAW, strict=True)))
    charts.scores(RAW_SCORES, ranking)


def test_cleaning_twice_changes_nothing():
    once = clean_labels(pd.Index(RAW))
    assert clean_labels(once) is once
