"""Scores that may be off: standard errors of cells, and runs of each system."""

from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbrank
from nbrank.arrays.uncertainty.measurement_errors import (
    cell_error_pair_tests,
    covariance_pair_tests,
)
from nbrank.uncertainty.pair_intervals import compatible_pairs
from nbrank.votes.table.row_levels import REPLICATE_LEVELS
from nbrank.votes.user_warnings import ZeroErrorWarning

HOSTS = Path(__file__).parents[2] / "notebooks" / "data" / "leaderboards"


def table(seed, n_systems=5, n_tasks=8, spread=1.0):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_systems, n_tasks)) + np.linspace(spread, 0, n_systems)[:, None]
    return pd.DataFrame(values, index=list("ABCDEFGH")[:n_systems]).add_prefix("t")


def errors_of(scores, seed=0):
    values = np.random.default_rng(seed).uniform(0.05, 0.4, scores.shape)
    return pd.DataFrame(values, index=scores.index, columns=scores.columns)


def runs(seed, sizes=(3, 5, 2, 4), n_tasks=6, level="seed", gaps=False):
    rng = np.random.default_rng(seed)
    rows = [(system, run) for system, n in zip("ABCD", sizes, strict=False) for run in range(n)]
    index = pd.MultiIndex.from_tuples(rows, names=["system", level])
    values = rng.normal(size=(len(rows), n_tasks)) + np.array([ord(s) for s, _ in rows])[:, None]
    if gaps:
        values[rng.random(values.shape) < 0.2] = np.nan
    return pd.DataFrame(values, index=index).add_prefix("t")


# ------------------------------------------------------------------ errors of cells


@pytest.mark.parametrize("missing", ["raise", "ignore"])
def test_sets_of_a_mean_are_those_of_estimates_with_its_errors(missing):
    for seed in range(5):
        scores = table(seed)
        if missing == "ignore":
            scores.iloc[1, 2] = scores.iloc[3, 3] = np.nan
        errors = errors_of(scores, seed)
        weights = {"t0": 3.0, "t1": 0.0}
        w = np.array([weights.get(task, 1.0) for task in scores]) * scores.notna()
        total = w.sum(axis=1)
        of_means = np.sqrt((w**2 * errors**2).sum(axis=1)) / total
        options = {"weights": weights, "missing": missing}
        found = nbrank.rank_confidence(scores, "mean", errors=errors, seed=0, **options)
        means = nbrank.mean(scores, **options)["score"].reindex(scores.index)
        expected = nbrank.rank_confidence_from(means, of_means, seed=0)
        assert found.attrs["over"] == "errors"
        assert found["rank"].equals(expected["rank"])
        # Errors of cells may have heavier tails than those of a normal estimate.
        assert (found["low"] <= expected["low"]).all()
        assert (found["high"] >= expected["high"]).all()
        covariance_pair_tests = nbrank.rank_confidence_from(
            means, pd.DataFrame(np.diag(of_means**2), scores.index, scores.index), seed=0
        )
        pd.testing.assert_frame_equal(expected, covariance_pair_tests)


def test_order_of_labels_and_orientation_change_nothing():
    scores, errors = table(1), errors_of(table(1))
    find = partial(nbrank.rank_confidence, rule="mean", seed=0)
    expected = find(scores, errors=errors)
    shuffled = errors.iloc[::-1, ::-1]
    pd.testing.assert_frame_equal(find(scores, errors=shuffled), expected)
    turned = find(-scores, errors=errors, lower_is_better=True)
    pd.testing.assert_frame_equal(turned, expected)
    scaled = find(1e6 * scores, errors=1e6 * errors)
    pd.testing.assert_frame_equal(scaled, expected)


def test_sets_through_logarithms_and_floors():
    scores = table(2).abs() + 1
    errors = 0.01 * errors_of(scores)
    found = nbrank.rank_confidence(scores, "geometric_mean", errors=errors, seed=0)
    of_logs = np.sqrt(((errors / scores) ** 2).sum(axis=1)) / scores.shape[1]
    expected = nbrank.rank_confidence_from(np.log(scores).mean(axis=1), of_logs, seed=0)
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    of_floor = nbrank.rank_confidence(
        scores, "normalized_mean", low=0, high=10, errors=errors, seed=0
    )
    of_mean = nbrank.rank_confidence(scores, "mean", errors=errors, seed=0)
    pd.testing.assert_frame_equal(of_floor, of_mean)


@pytest.mark.parametrize("rule", ["borda", "copeland", "mean_rank", "bradley_terry", "schulze"])
def test_any_rule_is_sure_where_errors_are_small_and_unsure_where_they_are_large(rule):
    steps = np.arange(4)[::-1, None] * ([1] * 7 + [0])
    scores = table(3, n_systems=4, spread=0) * 0.3 + steps
    scores["t7"] = [0.0, 1.0, 2.0, 3.0]
    small, large = (errors_of(scores) * 0 + size for size in (1e-6, 50.0))
    rule_options = {"prior": 1.0} if rule == "bradley_terry" else {}
    sure = nbrank.rank_confidence(scores, rule, errors=small, seed=0, **rule_options)
    assert (sure["low"] == sure["rank"]).all()
    assert (sure["high"] == sure["rank"]).all()
    unsure = nbrank.rank_confidence(scores, rule, errors=large, seed=0, **rule_options)
    assert unsure["low"].tolist() == [1] * 4
    assert unsure["high"].tolist() == [4] * 4


def test_a_rule_of_ones_own_is_taken_too():
    scores, errors = table(4), errors_of(table(4)) * 0.01

    def own(board):
        return nbrank.borda(board)

    found = nbrank.rank_confidence(scores, own, errors=errors, seed=0)
    expected = nbrank.rank_confidence(scores, "borda", errors=errors, seed=0)
    pd.testing.assert_frame_equal(found, expected)


def test_bootstrap_over_errors_is_the_normal_distribution_of_ranks():
    scores = pd.DataFrame({"t1": [1.0, 0.0]}, index=["A", "B"])
    errors = pd.DataFrame({"t1": [0.6, 0.8]}, index=["A", "B"])
    found = nbrank.bootstrap(scores, "mean", over="errors", errors=errors, n_draws=2000, seed=0)
    assert found["p_best"]["A"] == pytest.approx(stats.norm.cdf(1.0), abs=0.02)
    assert found.attrs["over"] == "errors"
    same = nbrank.bootstrap(scores, "mean", errors=errors, n_draws=2000, seed=0)
    pd.testing.assert_frame_equal(found, same)


def test_errors_of_zero_leave_the_table_as_it_is_and_are_doubted():
    scores = table(5)
    with pytest.warns(ZeroErrorWarning, match="is 0, so the score counts as known exactly"):
        found = nbrank.bootstrap(scores, "schulze", errors=errors_of(scores) * 0, n_draws=5, seed=0)
    assert (found["low"] == found["rank"]).all()
    assert (found["high"] == found["rank"]).all()


def test_an_error_of_zero_is_doubted_of_per_cents_as_of_shares():
    scores = pd.DataFrame({"a": [50.0, 61.2, 100], "b": [0.3, 2.5, 0]}, list("XYZ"))
    errors = pd.DataFrame({"a": [0.0, 1, 0], "b": [0.1, 0, 0]}, list("XYZ"))
    with pytest.warns(ZeroErrorWarning, match="0 and 100 % is not") as caught:
        nbrank.bootstrap(scores, "borda", errors=errors, n_draws=5, seed=0)
    assert "of 'X', 'Y' on 'a', 'b' is 0" in str(caught[0].message)
    with pytest.warns(ZeroErrorWarning, match="the standard error of 'X' is 0"):
        nbrank.rank_confidence_from({"X": 50, "Y": 60}, {"X": 0, "Y": 1}, seed=0)


@pytest.mark.parametrize(
    "cells",
    [[-1.0, 50, 60], [50.0, 101, 60], [1500.0, 1400, 1300], [4.5, 1.0, 3.2], [9.0, np.nan, 2]],
)
def test_scores_that_are_no_per_cents_may_be_exact(cells):
    scores = pd.DataFrame({"a": cells}, list("XYZ"))
    nbrank.bootstrap(scores, "borda", errors=scores * 0, n_draws=5, seed=0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e: e.drop(index="A"), "have different systems: 'A'"),
        (lambda e: e.rename(columns={"t0": "x"}), "have different tasks: 't0', 'x'"),
        (lambda e: e.assign(t1=np.nan), "no standard error for 'A'.* on 't1'"),
        (lambda e: -e, "a standard error below 0 for"),
        (lambda e: e * np.inf, "an infinite standard error for"),
        (lambda e: pd.concat([e, e]), "errors has duplicate systems"),
    ],
)
def test_wrong_errors_are_refused(change, message):
    scores = table(0)
    with pytest.raises(ValueError, match=message):
        nbrank.rank_confidence(scores, "mean", errors=change(errors_of(scores)))
    with pytest.raises(ValueError, match=message):
        nbrank.bootstrap(scores, "mean", errors=change(errors_of(scores)), n_draws=3)


@pytest.mark.parametrize("function", ["rank_confidence", "bootstrap", "score_intervals"])
def test_what_is_drawn_has_to_be_there(function):
    scores, find = table(0), getattr(nbrank, function)
    errors = errors_of(scores)
    for over, needed in (("errors", "give errors="), ("seeds", "give rows"), ("both", "give err")):
        with pytest.raises(ValueError, match=f"{function}: over='{over}' needs .* {needed}"):
            find(scores, "mean", over=over)
    with pytest.raises(ValueError, match=f"{function}: errors= goes with over='errors'"):
        find(scores, "mean", over="tasks", errors=errors)
    with pytest.raises(ValueError, match=f"{function}: over='task' is unknown"):
        find(scores, "mean", over="task")
    with pytest.raises(TypeError, match="errors must be a frame"):
        find(scores, "mean", errors=0.1)


def test_a_gap_needs_no_error():
    scores = table(0)
    scores.iloc[0, 0] = np.nan
    errors = errors_of(scores).where(scores.notna())
    found = nbrank.rank_confidence(scores, "borda", errors=errors, seed=0)
    assert found["rank"].to_dict() == nbrank.borda(scores)["rank"].to_dict()


# ------------------------------------------------------------------ runs


@pytest.mark.parametrize("level", REPLICATE_LEVELS)
def test_runs_are_averaged_by_task(level):
    for seed in range(5):
        frame = runs(seed, level=level, gaps=True)
        means = frame.groupby(level="system").mean()
        board = nbrank.Leaderboard(frame)
        pd.testing.assert_frame_equal(board.scores, means, check_names=False)
        assert f"averages of 0 to 5 {level}s" in repr(board) or f" {level}s" in repr(board)
        for rule in ("borda", "copeland"):
            found, expected = getattr(nbrank, rule)(frame), getattr(nbrank, rule)(means)
            assert found["score"].to_dict() == expected["score"].to_dict()
        errors = frame.groupby(level="system").sem()
        np.testing.assert_allclose(board.replicates.standard_errors, errors)


def test_the_order_of_runs_changes_no_average():
    index = pd.MultiIndex.from_product([["A", "B"], [0, 1, 2]], names=["system", "seed"])
    frame = pd.DataFrame({"t": [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]}, index=index)
    assert nbrank.borda(frame)["rank"].tolist() == [1, 1]
    shuffled = frame.iloc[[5, 0, 3, 1, 4, 2]]
    assert nbrank.borda(shuffled)["rank"].tolist() == [1, 1]


def test_parts_of_a_board_keep_their_runs():
    frame = runs(0)
    board = nbrank.Leaderboard(frame)
    part = board.select_systems(["C", "A"]).select_tasks(["t3", "t1"])
    expected = nbrank.Leaderboard(frame.loc[["C", "A"], ["t3", "t1"]])
    np.testing.assert_array_equal(
        part.replicates.standard_errors, expected.replicates.standard_errors
    )
    np.testing.assert_array_equal(part.replicates.means, part.values)


def test_rows_that_are_there_twice_are_refused():
    frame = runs(0)
    with pytest.raises(ValueError, match=r"duplicate rows \(system, seed\): \('A', 0\)"):
        nbrank.Leaderboard(pd.concat([frame, frame.iloc[:1]]))


def test_sets_over_seeds_use_as_many_degrees_of_freedom_as_the_runs_give():
    frame = runs(0, sizes=(3, 4))
    found = nbrank.rank_confidence(frame, "mean", over="seeds", seed=0)
    errors = nbrank.Leaderboard(frame).replicates.standard_errors
    v = errors**2 / frame.shape[1] ** 2
    df = v.sum() ** 2 / (v**2 / np.array([[2], [3]])).sum()
    means = frame.groupby(level="system").mean().mean(axis=1)
    t = (means["B"] - means["A"]) / np.sqrt(v.sum())
    p = 2 * stats.t.sf(abs(t), df)
    assert (found["high"].iloc[0] == 1) == (p < 0.05)
    assert found.attrs["over"] == "seeds"


def test_each_result_says_what_was_drawn():
    frame = runs(0, n_tasks=8)
    for over in ("seeds", "tasks", "both"):
        for found in (
            nbrank.rank_confidence(frame, "mean", over=over, seed=0),
            nbrank.bootstrap(frame, "mean", over=over, n_draws=20, seed=0),
            nbrank.score_intervals(frame, "mean", over=over),
        ):
            assert found.attrs["over"] == over
    assert nbrank.rank_confidence(frame, "mean", seed=0).attrs["over"] == "both"
    assert nbrank.bootstrap(frame, "mean", n_draws=20, seed=0).attrs["over"] == "both"


def test_a_single_run_says_nothing_of_its_error():
    frame = runs(0, sizes=(3, 1, 2))
    with pytest.raises(ValueError, match="there is a single seed of 'B' on 't0'"):
        nbrank.rank_confidence(frame, "mean", over="seeds")
    assert nbrank.rank_confidence(frame, "mean", over="tasks", seed=0)["rank"].iloc[0] == 1
    with pytest.raises(ValueError, match="no cell has two runs"):
        nbrank.bootstrap(runs(0, sizes=(1, 1)), "mean", over="seeds", n_draws=3)


def test_bootstrap_over_seeds_draws_the_runs_of_each_cell():
    index = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    frame = pd.DataFrame({"t": [0.0, 2.0, 1.0, 1.0]}, index=index)
    found = nbrank.bootstrap(frame, "mean", over="seeds", n_draws=2000, seed=0)
    # A is 0, 1 or 2 with 1/4, 1/2, 1/4, and B always 1.
    assert found["p_best"]["A"] == pytest.approx(0.5, abs=0.03)
    assert found["low"]["A"] == 1
    assert found["high"]["A"] == 2


# ------------------------------------------------------------------ intervals of scores


def test_intervals_of_means_are_students():
    scores = table(0)
    found = nbrank.score_intervals(scores, delta=0.1)
    for system, row in scores.iterrows():
        low, high = stats.t.interval(0.9, len(row) - 1, row.mean(), stats.sem(row))
        assert found.loc[system, ["low", "high"]].tolist() == pytest.approx([low, high])
        assert found.loc[system, "standard_error"] == pytest.approx(stats.sem(row))
    assert found["rank"].tolist() == nbrank.mean(scores)["rank"].tolist()


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate", "plurality", "dowdall"])
def test_intervals_of_counts_are_those_of_what_each_task_adds(rule):
    scores = table(1)
    found = nbrank.score_intervals(scores, rule)
    of_tasks = pd.DataFrame(
        {task: getattr(nbrank, rule)(scores[[task]])["score"] for task in scores}
    )
    size = len(of_tasks.T) if nbrank.RULES[rule].family == "positional" else 1
    for system, row in of_tasks.iterrows():
        assert found.loc[system, "score"] == pytest.approx(size * row.mean())
        assert found.loc[system, "standard_error"] == pytest.approx(size * stats.sem(row))
        half = stats.t.ppf(0.975, len(row) - 1) * size * stats.sem(row)
        points = {"mean_rank": len(scores), "mean_win_rate": 1}.get(rule, len(scores) - 1)
        points = {"plurality": 1, "dowdall": 1}.get(rule, points)
        half += size * points / (len(scores) - 1) / 2 / len(row)  # half a place on one task
        most = -1 if rule == "mean_rank" else size * points
        high = min(size * row.mean() + half, most)
        assert found.loc[system, "high"] == pytest.approx(high)


@pytest.mark.parametrize("rule", ["mean_rank", "mean_win_rate", "borda"])
def test_intervals_with_gaps_are_about_the_score(rule):
    scores = table(2)
    scores.iloc[0, 0] = np.nan
    found = nbrank.score_intervals(scores, rule, missing="compatible")
    middle = (found["low"] + found["high"]) / 2
    least, most = {"mean_rank": (-5, -1), "mean_win_rate": (0, 1), "borda": (0, 32)}[rule]
    inside = (found["low"] > least + 1e-9) & (found["high"] < most - 1e-9)
    assert inside.sum() >= 2
    np.testing.assert_allclose(middle[inside], found["score"][inside])


def test_intervals_over_instances_are_within_tasks():
    index = pd.MultiIndex.from_product([["A", "B"], range(10)], names=["system", "instance"])
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(20, 3)), index=index, columns=list("xyz"))
    found = nbrank.score_intervals(frame, over="instances")
    for system in "AB":
        rows = frame.loc[system]
        error = np.sqrt((rows.var(ddof=1) / 10).sum()) / 3
        assert found.loc[system, "standard_error"] == pytest.approx(error)


def test_intervals_over_seeds_and_errors():
    frame = runs(1)
    found = nbrank.score_intervals(frame, over="seeds")
    errors = nbrank.Leaderboard(frame).replicates.standard_errors
    expected = np.sqrt((errors**2).sum(axis=1)) / frame.shape[1]
    assert found["standard_error"].sort_index().tolist() == pytest.approx(expected.tolist())
    means = frame.groupby(level="system").mean()
    given = pd.DataFrame(errors, means.index, means.columns)
    normal = nbrank.score_intervals(means, errors=given)
    half = (normal["high"] - normal["low"]) / 2
    np.testing.assert_allclose(half, stats.norm.ppf(0.975) * normal["standard_error"])
    with pytest.raises(ValueError, match="copeland does not rank by means over tasks"):
        nbrank.score_intervals(means, "copeland")


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "copeland"])
def test_on_a_single_task_rules_are_as_sure_as_its_scores(rule):
    scores = pd.DataFrame({"t": [1287.0, 1280, 1200], "u": [1.0, 2, 3]}, index=list("ABC"))
    errors, weights = scores * 0 + 2.55, {"t": 1, "u": 0}
    asked = {"errors": errors, "weights": weights, "seed": 0}
    found = nbrank.rank_confidence(scores, rule, **asked)
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2], [3, 3]]
    pd.testing.assert_frame_equal(found, nbrank.rank_confidence(scores, "mean", **asked))
    lower = nbrank.rank_confidence(scores, rule, lower_is_better=True, **asked)
    assert lower[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 3], [2, 3]]


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate"])
def test_intervals_of_places_over_errors_are_those_of_tables_drawn_anew(rule):
    scores = table(3, spread=2.0)
    errors = errors_of(scores) * 2
    found = nbrank.score_intervals(scores, rule, errors=errors, seed=0)
    rng = np.random.default_rng(1)
    unit = {"borda": 1, "mean_rank": 1 / 8, "mean_win_rate": 1 / 4 / 8}[rule]
    # Tasks err independently, each about the places that are seen on it.
    away = [
        (scores + errors * rng.normal(size=scores.shape)).rank() - scores.rank()
        for _ in range(1000)
    ]
    error = unit * (sum(one**2 for one in away) / 1000).sum(axis=1) ** 0.5
    np.testing.assert_allclose(found["standard_error"], error[found.index], rtol=0.05)
    half = stats.norm.ppf(0.975) * found["standard_error"]
    a_place = {"borda": 1, "mean_rank": 5 / 4 / 8, "mean_win_rate": 1 / 4 / 8}[rule]
    np.testing.assert_allclose(found["high"] - found["score"], half + a_place / 2)
    again = nbrank.score_intervals(scores, rule, errors=errors, seed=0)
    pd.testing.assert_frame_equal(found, again)
    of_runs = nbrank.score_intervals(runs(1), rule, over="seeds", seed=0)
    assert (of_runs["low"] <= of_runs["score"]).all()


def test_a_score_that_errors_move_without_a_formula_is_refused():
    scores = pd.DataFrame({"t0": [1.0, 2.0], "t1": [2.0, 1.0]}, index=["A", "B"])
    with pytest.raises(ValueError, match="how far errors of cells move geometric_mean has no form"):
        nbrank.score_intervals(scores, "geometric_mean", errors=scores * 2000)


@pytest.mark.parametrize("unit", [2.0**1015, 2.0**-990])
def test_the_unit_of_the_scores_changes_nothing(unit):
    scores, frame = table(5) + 5, runs(2)
    errors = errors_of(scores)
    estimates, of_means = scores["t0"], errors["t0"]
    for question in (
        lambda u: nbrank.rank_confidence(scores * u, "mean", errors=errors * u, seed=0),
        lambda u: nbrank.rank_confidence(scores * u, "borda", errors=errors * u, seed=0),
        lambda u: nbrank.rank_confidence(frame * u, "mean", over="seeds", seed=0),
        lambda u: nbrank.rank_confidence(frame * u, "mean", over="both", seed=0),
        lambda u: nbrank.rank_confidence_from(estimates * u, of_means * u, seed=0),
        lambda u: nbrank.bootstrap(
            frame * u, "interquartile_mean", over="both", n_draws=20, seed=0
        ),
        lambda u: nbrank.score_intervals(scores * u, errors=errors * u) / [1, u, u, u, u],
        lambda u: nbrank.score_intervals(frame * u, over="both") / [1, u, u, u, u],
        lambda u: nbrank.variance_split(frame * u) / u,
    ):
        pd.testing.assert_frame_equal(question(unit), question(1.0), rtol=1e-9)


def test_numbers_near_the_largest_float_are_told_apart():
    labels = list("ABC")
    estimates = pd.Series([1.7e308, -1.7e308, 3.0], labels)
    errors = pd.Series([1e300, 1e300, 1.0], labels)
    found = nbrank.rank_confidence_from(estimates, errors, seed=0)
    assert found["high"].to_dict() == {"A": 1, "C": 2, "B": 3}
    covariance = pd.DataFrame(np.diag([1e308] * 3), labels, labels)
    of_each = nbrank.rank_confidence_from(
        pd.Series([9e154, 3e154, 0.0], labels), covariance, seed=0
    )
    small = nbrank.rank_confidence_from(
        pd.Series([9.0, 3.0, 0.0], labels), covariance / 1e308, seed=0
    )
    pd.testing.assert_frame_equal(of_each, small)
    scores = pd.DataFrame(
        {"t0": [1e308, -1e308, 3.0], "t1": [1.0, 2, 3], "t2": [3.0, 1, 2]}, labels
    )
    assert nbrank.bootstrap(scores, "mean", n_draws=50, seed=0)["low"].min() == 1


def test_intervals_of_geometric_means_are_those_of_logarithms():
    scores = table(3).abs() + 0.5
    found = nbrank.score_intervals(scores, "geometric_mean")
    logs = nbrank.score_intervals(np.log(scores)).reindex(found.index)
    np.testing.assert_allclose(found[["low", "high"]], np.exp(logs[["low", "high"]]))
    with pytest.raises(
        ValueError, match="score_intervals: geometric_mean: a score of 0 has no log"
    ):
        nbrank.score_intervals(scores - scores.min(), "geometric_mean")
    lower = nbrank.score_intervals(scores, "geometric_mean", lower_is_better=True)
    np.testing.assert_allclose(lower["low"].sort_index(), -found["high"].sort_index())


# ------------------------------------------------------------------ what would help more


def test_the_split_adds_up_and_is_right_on_average():
    rng, squares = np.random.default_rng(0), []
    index = pd.MultiIndex.from_product([range(6), range(4)], names=["system", "seed"])
    of_seeds, of_tasks = 1.0, 0.5
    for _ in range(300):
        truth = rng.normal(0, of_tasks, (6, 12))
        values = np.repeat(truth, 4, axis=0) + rng.normal(0, of_seeds, (24, 12))
        hard = rng.normal(0, 30, 12)
        found = nbrank.variance_split(pd.DataFrame(values + hard, index=index))
        np.testing.assert_allclose(
            found["standard_error"] ** 2, found["seeds"] ** 2 + found["tasks"] ** 2
        )
        squares.append((found[["seeds", "tasks"]] ** 2).mean())
    seeds, tasks = np.mean(squares, axis=0)
    assert seeds == pytest.approx(of_seeds**2 / 4 / 12 * 5 / 6, rel=0.05)
    assert tasks == pytest.approx(of_tasks**2 / 12 * 5 / 6, rel=0.15)


def test_a_split_of_small_floats_is_computed_in_double_precision():
    small = table(0).astype(np.float32)
    found = [nbrank.variance_split(x, errors=errors_of(x)) for x in (small, small.astype(float))]
    pd.testing.assert_frame_equal(*found, check_exact=True)


def test_a_split_refuses_mixed_directions_as_the_mean_does():
    scores = table(0)
    errors, lower = errors_of(scores), ["t0"]
    for question in (
        lambda: nbrank.variance_split(scores, errors=errors, lower_is_better=lower),
        lambda: nbrank.mean(scores, lower_is_better=lower),
        lambda: nbrank.best_set(scores, "mean", lower_is_better=lower),
    ):
        with pytest.raises(ValueError, match="lower is better on 't0' and higher on the other"):
            question()
    one_way = scores.drop(columns=["t0"])  # as the message of the split advises
    assert len(nbrank.variance_split(one_way, errors=errors_of(one_way))) == len(scores)
    assert len(nbrank.variance_split(scores, errors=errors, lower_is_better=True)) == len(scores)


def test_a_split_needs_a_complete_table():
    scores = table(0)
    scores.iloc[0, 0] = np.nan
    with pytest.raises(ValueError, match="variance_split: 1 missing score, of 'A' on 't0'"):
        nbrank.variance_split(scores, errors=errors_of(scores))
    with pytest.raises(ValueError, match="no errors of the scores are given"):
        nbrank.variance_split(table(0))


# ------------------------------------------------------------------ the middle half, and pairs


@pytest.mark.parametrize("seed", range(10))
def test_the_interquartile_mean_is_scipys_trimmed_mean(seed):
    frame = runs(seed, sizes=(3, 5, 1, 4), n_tasks=5 + seed % 3)
    found = nbrank.interquartile_mean(frame)["score"]
    for system, rows in frame.groupby(level="system"):
        expected = stats.trim_mean(rows.to_numpy().ravel(), 0.25)
        assert found[system] == pytest.approx(expected, rel=1e-12)
    scores = table(seed)
    for system, row in nbrank.interquartile_mean(-scores, lower_is_better=True).iterrows():
        assert row["score"] == pytest.approx(stats.trim_mean(scores.loc[system], 0.25))


def test_a_task_of_weight_two_counts_twice():
    frame = runs(0)
    doubled = frame.assign(again=frame["t0"])
    found = nbrank.interquartile_mean(frame, weights={"t0": 2})
    pd.testing.assert_frame_equal(found, nbrank.interquartile_mean(doubled))
    halved = nbrank.interquartile_mean(frame, weights=dict.fromkeys(frame, 0.5) | {"t0": 1.0})
    pd.testing.assert_frame_equal(found, halved)
    some = nbrank.interquartile_mean(frame, weights={"t0": 1.5})
    less, more = found["score"], nbrank.interquartile_mean(frame)["score"]
    for system, score in some["score"].items():
        assert min(less[system], more[system]) - 1 < score < max(less[system], more[system]) + 1


def test_doubled_tasks_count_twice_also_for_a_system_without_the_others():
    scores = pd.DataFrame([[0.0, 1, 9, 1], [0, 1, 9, np.nan]], ["A", "B"], list("wxyz"))
    twice = pd.concat([scores, scores[["w", "x", "y"]].add_suffix("2")], axis=1)
    found = nbrank.interquartile_mean(scores, weights={"z": 0.5}, missing="ignore")
    pd.testing.assert_frame_equal(found, nbrank.interquartile_mean(twice, missing="ignore"))


def test_a_task_with_a_count_is_as_many_tasks():
    scores = pd.DataFrame([[0.0, 1, 9], [1, 2, 3]], ["A", "B"], list("xyz"))
    copies = scores[["x", "x", "y", "y", "z", "z", "z"]].set_axis(range(7), axis=1)
    found = nbrank.Leaderboard(scores, counts={"x": 2, "y": 2, "z": 3}).interquartile_mean()
    pd.testing.assert_frame_equal(found, nbrank.interquartile_mean(copies))


def test_medians_stand_for_no_missing_runs():
    rows = pd.MultiIndex.from_product([list("ABC"), range(4)], names=["system", "seed"])
    columns = {"t1": [0.0, 0, 8, 9] * 3, "t2": [0.0, 0, 8, 9] * 3, "t3": [90.0, 90, 98, 99] * 3}
    scores = pd.DataFrame(columns, rows)
    scores.loc["B", "t3"] = np.nan
    with pytest.raises(
        ValueError,
        match=r"no seed has a score of 'B' on 't3', .* Fill the runs, scores\.fillna\(scores\.med",
    ):
        nbrank.interquartile_mean(scores, missing="median")
    filled = nbrank.interquartile_mean(scores.fillna(scores.median()))
    assert filled["score"].to_dict() == pytest.approx({"A": 62 / 3, "B": 64 / 3, "C": 62 / 3})
    # A task that doesn't count needs no runs, and where nothing is missing nothing is filled.
    weights = {"t1": 1, "t2": 1, "t3": 0}
    assert len(nbrank.interquartile_mean(scores, missing="median", weights=weights)) == 3
    complete = scores.drop(columns="t3")
    found = nbrank.interquartile_mean(complete, missing="median")
    pd.testing.assert_frame_equal(found, nbrank.interquartile_mean(complete))


def by_hand(frame, first, second):
    """The share of all pairs of runs that the first wins, by counting them."""
    shares = []
    for task in frame:
        ours, theirs = (frame.loc[one, task].dropna() for one in (first, second))
        if len(ours) and len(theirs):
            won = [(a > b) + (a == b) / 2 for a, b in product(ours, theirs)]
            shares.append(np.mean(won))
    return np.mean(shares)


@pytest.mark.parametrize("seed", range(5))
def test_probabilities_of_improvement_by_counting_pairs(seed):
    frame = (runs(seed, gaps=True) - [64, 65, 66, 67, 66, 65]).round(1)
    found = nbrank.probability_of_improvement(frame)["probability"]
    for first, second in product("ABCD", repeat=2):
        if first != second:
            assert found[first, second] == pytest.approx(by_hand(frame, first, second))
    turned = nbrank.probability_of_improvement(-frame, lower_is_better=True)["probability"]
    pd.testing.assert_series_equal(found, turned)


def test_without_runs_it_is_the_share_of_tasks_won():
    scores = table(0).round(0)
    found = nbrank.probability_of_improvement(scores)
    shares = nbrank.pairwise(scores) / nbrank.compared(scores)
    for (first, second), row in found.iterrows():
        assert row["probability"] == pytest.approx(shares.loc[first, second])
        assert 0 <= row["low"] <= row["probability"] <= row["high"] <= 1


def test_the_published_figures_of_atari():
    rows = pd.read_csv(HOSTS / "atari100k_seeds_long.csv").rename(columns={"method": "system"})
    rows["normalised"] = (rows["score"] - rows["random"]) / (rows["human"] - rows["random"])
    frame = rows.pivot(index=["system", "seed"], columns="task", values="normalised")
    found = nbrank.interquartile_mean(frame)["score"].round(4)
    assert found.to_dict() == {
        "dreamerv3": 0.4855,
        "simple_determ_4e5": 0.2091,
        "rainbow_determ_4e5": 0.1424,
        "ppo_fixhp": 0.0221,
    }
    gaps = nbrank.optimality_gap(frame, gamma=1.0)["score"].round(4)
    assert gaps.to_dict() == {
        "dreamerv3": -0.5053,
        "simple_determ_4e5": -0.6842,
        "rainbow_determ_4e5": -0.7297,
        "ppo_fixhp": -0.8996,
    }
    pairs = nbrank.probability_of_improvement(frame)["probability"]
    assert round(pairs["dreamerv3", "ppo_fixhp"], 5) == 0.96846


def test_a_run_beyond_the_target_makes_up_for_no_other():
    index = pd.MultiIndex.from_tuples(
        [("A", 0), ("A", 1), ("B", 0), ("B", 1)], names=["system", "seed"]
    )
    frame = pd.DataFrame({"t0": [0.0, 9.0, 0.6, 0.6], "t1": [0.5, 0.5, 0.5, 0.7]}, index=index)
    found = nbrank.optimality_gap(frame, gamma=1.0)
    assert found["score"].round(9).to_dict() == {"B": -0.4, "A": -0.5}
    lower = nbrank.optimality_gap(-frame, gamma=-1.0, lower_is_better=True)
    pd.testing.assert_frame_equal(found, lower)
    capped = frame.clip(upper=1.0)
    for question in (nbrank.rank_confidence, nbrank.bootstrap, nbrank.score_intervals):
        for over in ("tasks", "seeds", "both"):
            options = {"gamma": 1.0, "over": over, "seed": 0}
            pd.testing.assert_frame_equal(
                question(frame, "optimality_gap", **options),
                question(capped, "optimality_gap", **options),
            )


# ------------------------------------------------------------------ shares of n


def test_binomial_errors_are_those_of_agresti_and_coull():
    scores = pd.DataFrame({"t1": [50.0, 100.0], "t2": [20.0, np.nan]}, index=["A", "B"])
    found = nbrank.binomial_errors(scores, 100, high=100)
    for share in (0.5, 1.0):
        more = (100 * share + 2) / 104
        assert 100 * np.sqrt(more * (1 - more) / 104) in found["t1"].tolist()
    assert np.isnan(found.loc["B", "t2"])
    with pytest.raises(ValueError, match="scores on 't1', 't2' are not shares from 0 to 1"):
        nbrank.binomial_errors(scores, 100)
    with pytest.raises(ValueError, match="n is missing or below 1 on 't2'"):
        nbrank.binomial_errors(scores, pd.Series({"t1": 100}), high=100)
    sets = nbrank.rank_confidence(scores, "borda", errors=found, seed=0)
    assert len(sets) == 2


@pytest.mark.parametrize("rule", ["borda", "mean", "mean_win_rate", "plurality", "dowdall"])
@pytest.mark.parametrize("over", ["seeds", "both", "errors"])
def test_ranks_without_frames_are_the_rules_own(rule, over):
    frame = runs(3, n_tasks=5)
    frame = (frame - frame.groupby(level="system").transform("mean")).round(1)
    errors = None
    if over == "errors":
        frame = frame.groupby(level="system").mean()
        errors = errors_of(frame)

    def slow(board):
        return getattr(nbrank, rule)(board)

    options = {"over": over, "errors": errors, "n_draws": 60, "seed": 2}
    found, expected = (nbrank.bootstrap(frame, one, **options) for one in (rule, slow))
    pd.testing.assert_frame_equal(found, expected)


def test_sums_of_many_cells_are_normal_whatever_the_tails_of_each():
    rng = np.random.default_rng(0)
    estimates, variances = rng.normal(size=6), np.full((6, 2000), 1 / 2000)
    tests = cell_error_pair_tests(
        estimates, np.sqrt(variances), np.full_like(variances, np.inf), 4000, rng
    )
    normal = covariance_pair_tests(estimates, np.eye(6), 4000, rng)
    np.testing.assert_allclose(tests.observed, normal.observed)
    pairs = np.triu_indices(6, 1)
    beyond = [
        np.quantile(one.draw_differences(*pairs).max(axis=0), 0.95) for one in (tests, normal)
    ]
    assert beyond[0] == pytest.approx(beyond[1], rel=0.05)


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate", "plurality", "dowdall"])
@pytest.mark.parametrize("missing", ["compatible", "ignore", "zero"])
def test_intervals_of_points_end_where_the_points_do(rule, missing):
    if missing == "zero" and rule in ("mean_rank", "mean_win_rate"):
        return
    scores = pd.DataFrame(np.arange(12.0).reshape(3, 4)[::-1], index=list("ABC"))
    options = {"weights": dict(zip(scores, [1, 2, 3, 4], strict=True)), "missing": missing}
    same = nbrank.score_intervals(scores, rule, **options)
    first, last = same["score"].max(), same["score"].min()
    # A is first on every task and C last: no more points can be had, and no fewer.
    assert same.loc["A", "high"] == pytest.approx(first)
    floor = 0.0 if rule == "dowdall" and missing != "compatible" else last
    assert same["low"].min() >= floor - 1e-12
    assert (same["low"] <= same["score"]).all()
    assert (same["score"] <= same["high"]).all()


@pytest.mark.parametrize("rule", ["copeland", "interquartile_mean"])
def test_rules_without_sets_over_tasks_name_what_runs_tell(rule):
    rows = pd.MultiIndex.from_product([list("AB"), range(3)], names=["system", "seed"])
    frame = pd.DataFrame({"t1": [3.0, 4, 5, 1, 2, 1], "t2": [6.0, 8, 7, 2, 4, 3]}, index=rows)
    with pytest.raises(ValueError, match=r"runs alone, over='seeds', .*over='seeds'\)"):
        nbrank.rank_confidence(frame, rule)
    for found in (
        nbrank.rank_confidence(frame, rule, over="seeds", seed=0),
        nbrank.bootstrap(frame, rule, over="seeds", n_draws=20, seed=0),
    ):
        assert list(found.index) == ["A", "B"]
    with pytest.raises(ValueError, match=r"bootstrap\(scores, 'copeland'\)"):
        nbrank.rank_confidence(frame.groupby(level="system").mean(), "copeland")


def test_the_number_of_items_is_a_number_and_none_is_missing():
    shares = pd.DataFrame({"t": [0.5, 0.6]}, index=list("AB"))
    with pytest.raises(TypeError, match="n='100' must be a number"):
        nbrank.binomial_errors(shares, "100")
    items = pd.DataFrame({"t": [None, 10]}, index=list("AB"), dtype="Int64")
    with pytest.raises(ValueError, match="n is missing or below 1 on 't'"):
        nbrank.binomial_errors(shares, items)


@pytest.mark.parametrize(
    "question",
    [
        nbrank.probability_of_improvement,
        partial(nbrank.score_intervals, rule="borda"),
        partial(nbrank.score_intervals, rule="mean_rank"),
        compatible_pairs,
    ],
)
def test_ballots_of_one_order_count_as_many_as_they_are(question):
    orders = [["A", "B", "C"], ["B", "A", "C"]]
    counted = question(nbrank.from_ballots(orders, counts=[6, 4]))
    each = question(nbrank.from_ballots([orders[0]] * 6 + [orders[1]] * 4))
    pd.testing.assert_frame_equal(counted, each)


def test_errors_of_systems_called_true_and_false():
    scores = pd.DataFrame([[3.0, 1.0], [2.0, 2.5]], index=["A", "B"], columns=["x", "y"])
    errors = scores * 0 + 0.1
    expected = nbrank.rank_confidence(scores, "mean", errors=errors, seed=0)
    called = [frame.set_axis([True, False]) for frame in (scores, errors)]
    found = nbrank.rank_confidence(called[0], "mean", errors=called[1], seed=0)
    assert found.to_numpy().tolist() == expected.to_numpy().tolist()
    means = scores.mean(axis=1)
    expected = nbrank.rank_confidence_from(means, means * 0 + 0.1, seed=0)
    for known in (
        pd.Series(0.1, [True, False]),
        pd.DataFrame(np.eye(2) / 100, *[[True, False]] * 2),
    ):
        found = nbrank.rank_confidence_from(means.set_axis([True, False]), known, seed=0)
        assert found["rank"].tolist() == expected["rank"].tolist()


PERCENTS = pd.DataFrame({"a": [50.0, 60.0], "b": [7.0, 3.0]}, list("XY"))


@pytest.mark.parametrize("kind", [dict, pd.Series])
def test_the_score_of_all_right_may_be_given_by_task(kind):
    high = kind({"b": 10, "a": 100})
    found = nbrank.binomial_errors(PERCENTS, n=100, high=high)
    for task in "ab":
        alone = nbrank.binomial_errors(PERCENTS[[task]], n=100, high=high[task])
        pd.testing.assert_frame_equal(found[[task]], alone)
    with pytest.raises(ValueError, match="high is missing on 'a'"):
        nbrank.binomial_errors(PERCENTS, n=100, high=kind({"b": 10}))


def test_errors_may_be_a_mapping_of_mappings():
    errors = {"b": {"Y": 0.5, "X": 1.0}, "a": {"X": 2.0, "Y": 3.0}}
    expected = nbrank.rank_confidence(PERCENTS, "mean", errors=pd.DataFrame(errors), seed=0)
    found = nbrank.rank_confidence(PERCENTS, "mean", errors=errors, seed=0)
    pd.testing.assert_frame_equal(found, expected)
    with pytest.raises(ValueError, match="different systems: 'Y'"):
        nbrank.rank_confidence(PERCENTS, "mean", errors={"a": {"X": 1}, "b": {"X": 1}})
    with pytest.raises(TypeError, match="or a mapping from task to a mapping"):
        nbrank.rank_confidence(PERCENTS, "mean", errors={"a": 1, "b": 2})


def test_what_has_no_labels_is_no_error_of_estimates():
    polars = pytest.importorskip("polars")
    estimates = pd.Series({"X": 1.0, "Y": 2.0})
    for errors in (polars.Series([0.1, 0.2]), [0.1, 0.2]):
        with pytest.raises(TypeError, match="a Series of polars has no labels"):
            nbrank.rank_confidence_from(estimates, errors)


@pytest.mark.parametrize("levels", [["seed"], ["attempt"], ["seed", "fold"]])
@pytest.mark.parametrize("ask", [nbrank.rank_confidence, nbrank.bootstrap, nbrank.score_intervals])
def test_runs_within_instances_are_averaged_by_the_call_that_the_error_names(ask, levels):
    names = ["system", "instance", *levels]
    rows = pd.MultiIndex.from_product(
        [list("ABC"), range(4), *([0, 1, 2] for _ in levels)], names=names
    )
    x = pd.DataFrame({"t": np.random.default_rng(0).random(len(rows))}, rows)
    with pytest.raises(ValueError, match="runs are averaged within each instance") as caught:
        ask(x, "mean", over="seeds")
    call = "scores.groupby" + str(caught.value).split("scores.groupby")[1]
    assert len(ask(eval(call, {"scores": x}), "mean", over="seeds")) == 3


def test_variance_of_instances_is_split_by_the_call_that_the_error_names():
    rows = pd.MultiIndex.from_product([list("ABC"), range(4)], names=["system", "instance"])
    x = pd.DataFrame(np.random.default_rng(0).random((12, 3)), rows, list("tuv"))
    with pytest.raises(ValueError, match="these are instances") as caught:
        nbrank.variance_split(x)
    call = "variance_split(" + str(caught.value).split("variance_split(")[1]
    result = eval(call, {"variance_split": nbrank.variance_split, "scores": x})
    assert result.index.tolist() == list("ABC")


@pytest.mark.parametrize("n_tasks", [1, 2, 3, 6, 14])
@pytest.mark.parametrize("lead", [0.5, 1.5, 1.96, 3.0])
def test_no_p_value_is_below_that_of_normal_errors(n_tasks, lead):
    away = lead * np.sqrt(2 / n_tasks)  # in standard errors of the difference of two means
    scores = pd.DataFrame([[away] * n_tasks, [0.0] * n_tasks], ["A", "B"])
    errors = scores * 0 + 1
    found = nbrank.best_set(scores, "mean", errors=errors, n_draws=40_000)["p_value"]["B"]
    assert found > stats.norm.sf(lead) * 0.97 - 0.002
    assert found < stats.norm.sf(lead) * 1.25 + 0.006
