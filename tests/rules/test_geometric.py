"""Geometric means as hosts use them: of ratios to a baseline, shifted, with penalties."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gmean

import nbrank

HOSTS = Path(__file__).parents[2] / "notebooks" / "data" / "leaderboards"


def times(seed, n_systems=5, n_tasks=7):
    rng = np.random.default_rng(seed)
    values = rng.lognormal(1, 1.5, (n_systems, n_tasks)).round(2) + 0.01
    return pd.DataFrame(values, index=list("ABCDE")[:n_systems]).add_prefix("t")


def scores_of(found, table):
    return found["score"].reindex(table.index).to_numpy()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("lower", [False, True])
def test_against_scipy_with_weights_baselines_and_shifts(seed, lower):
    table, rng = times(seed), np.random.default_rng(seed)
    weights = rng.integers(1, 5, table.shape[1])
    options = {"weights": dict(zip(table, weights.tolist(), strict=True)), "lower_is_better": lower}
    sign = -1 if lower else 1
    best = table.min() if lower else table.max()

    def mean(cells):
        return gmean(cells, axis=1, weights=weights)

    for given_, expected in (
        ({}, mean(table)),
        ({"shift": 10}, mean(table + 10) - 10),
        ({"baseline": "C"}, mean(table / table.loc["C"])),
        ({"baseline": "best"}, mean(table / best)),
        ({"baseline": "best", "shift": 0.01}, mean((table + 0.01) / (best + 0.01))),
    ):
        found = nbrank.geometric_mean(table, **given_, **options)
        np.testing.assert_allclose(scores_of(found, table), sign * expected, rtol=1e-12)
        assert found["score"].is_monotonic_decreasing


def test_where_lower_is_better_on_some_tasks_the_ratio_is_turned_over():
    table = pd.DataFrame({"accuracy": [0.8, 0.4], "seconds": [2.0, 4.0]}, index=["A", "B"])
    options = {"lower_is_better": ["seconds"]}
    found = nbrank.geometric_mean(table, baseline="B", **options)
    # Twice as accurate, in half the time.
    np.testing.assert_allclose(scores_of(found, table), [2.0, 1.0])
    with pytest.raises(ValueError, match="better on 'seconds' and higher .* give baseline="):
        nbrank.geometric_mean(table, **options)


def test_a_failure_counts_as_its_penalty():
    table = times(0).mask(lambda cells: cells > 5)
    limit = {task: 100.0 + number for number, task in enumerate(table)}
    for options in ({}, {"baseline": "best"}, {"shift": 1.0}, {"weights": {"t1": 3}}):
        found = nbrank.geometric_mean(table, penalty=limit, lower_is_better=True, **options)
        filled = nbrank.geometric_mean(
            table.fillna(pd.Series(limit)), lower_is_better=True, **options
        )
        pd.testing.assert_frame_equal(found, filled)
    with pytest.raises(ValueError, match="missing score"):
        nbrank.geometric_mean(table, lower_is_better=True)


@given(st.floats(0.01, 100), st.integers(0, 50))
def test_another_unit_changes_no_ratio_and_no_rank(factor, seed):
    table = times(seed)
    found = nbrank.geometric_mean(table, baseline="B")
    scaled = nbrank.geometric_mean(table.assign(t1=table["t1"] * factor), baseline="B")
    np.testing.assert_allclose(scores_of(found, table), scores_of(scaled, table))


def test_the_baseline_decides_no_rank():
    for seed in range(10):
        table = times(seed)
        expected = nbrank.geometric_mean(table)["rank"].to_dict()
        for baseline in [*table.index, "best"]:
            found = nbrank.geometric_mean(table, baseline=baseline)
            assert found["rank"].to_dict() == expected


def test_zeros():
    table = pd.DataFrame({"t1": [0.0, 2.0], "t2": [4.0, 3.0]}, index=["A", "B"])
    found = nbrank.geometric_mean(table)
    assert found["score"].to_dict() == {"B": pytest.approx(6**0.5), "A": 0.0}
    # A time of zero is better than any other.
    assert nbrank.geometric_mean(table, lower_is_better=True)["rank"].to_dict() == {"A": 1, "B": 2}
    with pytest.raises(ValueError, match="the baseline 'A' has 0, or no score on 't1'"):
        nbrank.geometric_mean(table, baseline="A")
    shifted = nbrank.geometric_mean(table, baseline="A", shift=1)
    assert shifted["score"].to_dict() == pytest.approx({"A": 1.0, "B": (3 * 4 / 5) ** 0.5})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "X"}, "baseline='X' is not a system; choose one of 'A'.* or 'best'"),
        ({"shift": -1}, "shift=-1 must be a number from 0"),
        ({"penalty": -1}, "the penalty is negative on 't0'"),
        ({"penalty": 10**400}, "penalty is too large"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        nbrank.geometric_mean(times(0), **options)


def test_a_system_called_best_is_no_baseline():
    table = times(0).rename({"A": "best"})
    with pytest.raises(ValueError, match="the name of a system; rename"):
        nbrank.geometric_mean(table, baseline="best")


def test_rank_sets_are_those_of_the_logarithms():
    for seed in range(3):
        table = times(seed, n_tasks=12)
        found = nbrank.rank_confidence(table, "geometric_mean", baseline="B", seed=0)
        expected = nbrank.rank_confidence(np.log(table), "mean", seed=0)
        pd.testing.assert_frame_equal(found, expected, obj="sets")
        slow = nbrank.bootstrap(
            table, lambda board: 1 * nbrank.geometric_mean(board), n_draws=200, seed=1
        )
        pd.testing.assert_frame_equal(
            nbrank.bootstrap(table, "geometric_mean", n_draws=200, seed=1), slow
        )


def test_without_logarithms_there_are_no_rank_sets_and_ranks_can_still_be_resampled():
    table = times(0, n_tasks=12)
    table.iloc[0, 0] = 0.0
    with pytest.raises(ValueError, match="score of 0 has no logarithm; give a shift"):
        nbrank.rank_confidence(table, "geometric_mean", seed=0)
    assert nbrank.rank_confidence(table, "geometric_mean", shift=1, seed=0)["low"].min() == 1
    assert nbrank.bootstrap(table, "geometric_mean", n_draws=20, seed=0)["rank"].iloc[-1] == 5


@pytest.mark.parametrize("metric", ["MASE", "WQL"])
@pytest.mark.parametrize("part", ["in-domain", "zero-shot"])
def test_the_published_figures_of_chronos(metric, part):
    rows = pd.read_csv(HOSTS / "chronos_long.csv").query("benchmark == @part")
    table = rows.pivot(index="model", columns="dataset", values=metric)
    published = pd.read_csv(HOSTS / "chronos_published_agg.csv")
    published = published.query("benchmark == @part and metric == @metric")
    expected = published.set_index("model")["value"]
    found = nbrank.geometric_mean(table, baseline="seasonal-naive", lower_is_better=True)
    ours = -found["score"].rename(lambda name: name.split("/")[-1])
    np.testing.assert_allclose(ours.reindex(expected.index), expected, rtol=0, atol=1e-12)
    assert ours["seasonal-naive"] == 1.0


@pytest.mark.parametrize("baseline", ["A", ("A", "short"), ["A"]])
def test_a_baseline_is_one_whole_row(baseline):
    """The first part of a row's label names several rows, of which none is the baseline."""
    rows = [(family, size, 0) for family in "AB" for size in ("short", "long")]
    table = times(3, n_systems=4)
    table.index = pd.MultiIndex.from_tuples(rows, names=["family", "size", "build"])
    with pytest.raises(ValueError, match="is not a system; choose one of .'A', 'short', 0."):
        nbrank.geometric_mean(table, baseline=baseline)
    found = nbrank.geometric_mean(table, baseline=("A", "short", 0))["score"]
    expected = pd.Series(gmean(table / table.iloc[0], axis=1), table.index)
    np.testing.assert_allclose(found.reindex(table.index), expected, rtol=1e-12)


@pytest.mark.parametrize("kind", [dict, pd.Series, lambda scores: pd.DataFrame([scores])])
def test_a_baseline_of_numbers_is_refused_in_words(kind):
    frame = pd.DataFrame({"a": [5, 6], "b": [7, 3]}, list("XY"))
    with pytest.raises(TypeError, match="baseline is the name of a system, or 'best'"):
        nbrank.geometric_mean(frame, baseline=kind({"a": 1, "b": 2}))
