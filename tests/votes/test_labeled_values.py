"""Labelled arguments in the forms users have them: mappings, Series, frames of polars."""

import inspect
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard, agreement, metrics
from nbrank.votes.labeled_values import as_frame, as_series
from nbrank.votes.method_registry import METHODS

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
