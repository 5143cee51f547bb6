"""Under which share of the weightings a system has each rank, and who would choose it."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.weights.task_weightings import WeightPolytope


def table(seed, n=5, m=4):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, (n, m)).astype(float)
    return pd.DataFrame(scores, [f"s{i}" for i in range(n)], [f"t{i}" for i in range(m)])


def by_hand(scores, rule, within, n, seed):
    """A second implementation: draw weights, keep those allowed, ask the rule each time."""
    rng = np.random.default_rng(seed)
    m = scores.shape[1]
    counts = np.zeros((len(scores), len(scores)))
    done = 0
    while done < n:
        weights = rng.dirichlet(np.ones(m))
        if within is not None and (abs(weights * m - 1) > within).any():
            continue
        ranks = rule(scores, weights=dict(zip(scores, weights, strict=True)))["rank"]
        counts[np.arange(len(scores)), ranks.reindex(scores.index).to_numpy() - 1] += 1
        done += 1
    return counts / n


@pytest.mark.parametrize(("within", "seed"), [(None, 0), (0.8, 1), (None, 2)])
def test_the_shares_are_those_of_a_second_implementation(within, seed):
    scores = table(seed)
    found = nbrank.rank_acceptability(scores, "borda", within=within, n_draws=40_000)
    expected = by_hand(scores, nbrank.borda, within, 300, seed)
    # Five standard errors of 300 draws.
    assert np.abs(found.loc[scores.index].to_numpy() - expected).max() < 5 * 0.5 / np.sqrt(300)


def test_shares_known_from_geometry():
    """A has 60 + 30 m, B 90 - 30 m, C 65 + 5 m: A is first from m = 1/2, last up to m = 1/5."""
    scores = pd.DataFrame({"maths": [90, 60, 70], "code": [60, 90, 65]}, index=list("ABC"))
    found = nbrank.rank_acceptability(scores, "mean", n_draws=40_000)
    expected = [[1 / 2, 3 / 10, 1 / 5], [1 / 2, 3 / 14, 2 / 7], [0, 17 / 35, 18 / 35]]
    assert np.abs(found.to_numpy() - expected).max() < 5 * found.attrs["error"]
    central = nbrank.central_weights(scores, "mean", n_draws=40_000)
    assert central.loc["A", "maths"] == pytest.approx(3 / 4, abs=0.01)
    assert central.loc["B", "maths"] == pytest.approx(1 / 4, abs=0.01)
    assert central.loc["C", ["maths", "code"]].isna().all()
    assert central["error"].max() == pytest.approx(np.sqrt(0.25 / 40_000), rel=0.01)


@pytest.mark.parametrize("rule", ["borda", "mean_win_rate", "copeland"])
def test_rules_that_add_up_and_others_are_asked_alike(rule):
    """A function of one's own is asked anew for each weighting, and gives the same."""
    scores = table(3)
    if rule != "borda":
        scores.iloc[0, 0] = np.nan

    def own(board):
        return nbrank.RULES[rule].function(board)

    one = nbrank.rank_acceptability(scores, rule, n_draws=200, within=0.5)
    other = nbrank.rank_acceptability(scores, own, n_draws=200, within=0.5)
    pd.testing.assert_frame_equal(one, other)


def test_draws_are_uniform_on_what_is_allowed():
    shares = np.array([0.6, 0.25, 0.1, 0.05])
    for within in (None, 0.2, 0.9, 2.0):
        allowed = WeightPolytope.from_relative_bounds(shares, within)
        drawn = allowed.sample(40_000, np.random.default_rng(0))
        assert all(allowed.contains(weights) for weights in drawn[:200])
        assert np.allclose(drawn.sum(axis=1), 1)
        kept = np.random.default_rng(1).dirichlet(np.ones(4), 200_000)
        if within is not None:
            low, high = allowed.low, allowed.high
            # Few of all weightings are near: uniform in the box, with the last one left over.
            kept = np.random.default_rng(1).uniform(low[1:], high[1:], (200_000, 3))
            kept = np.column_stack([1 - kept.sum(axis=1), kept])
            kept = kept[(kept[:, 0] >= low[0]) & (kept[:, 0] <= high[0])]
        for quantile in (0.1, 0.5, 0.9):
            np.testing.assert_allclose(
                np.quantile(drawn, quantile, axis=0), np.quantile(kept, quantile, axis=0), atol=0.01
            )


def test_one_task_has_all_the_weight():
    scores = pd.DataFrame({"t": [2.0, 1.0, 2.0]}, index=list("ABC"))
    assert nbrank.rank_acceptability(scores, n_draws=10)[1].to_dict() == {"A": 1, "C": 1, "B": 0}
    assert nbrank.central_weights(scores, n_draws=10).loc["A", "t"] == 1


def test_rows_sum_to_one_and_the_seed_repeats():
    scores = table(4)
    found = nbrank.rank_acceptability(scores, n_draws=500)
    assert np.allclose(found.sum(axis=1), 1)
    pd.testing.assert_frame_equal(found, nbrank.rank_acceptability(scores, n_draws=500))
    assert list(found.index) == list(nbrank.borda(scores).index)
    assert (found[1] > 0)[
        found.index.isin(nbrank.possible_ranks(scores, within=None).attrs["possible"])
    ].any()


def test_a_task_called_like_a_column_of_the_result_is_named():
    scores = pd.DataFrame({"error": [2.0, 1.0], "t": [1.0, 2.0]}, index=list("AB"))
    with pytest.raises(ValueError, match="central_weights: 'error' is a column of the result"):
        nbrank.central_weights(scores, lower_is_better=["error"])


def test_systems_that_a_rule_of_ones_own_leaves_unranked_share_the_last_rank():
    scores = pd.DataFrame({"t": [3.0, 2.0, 1.0]}, index=list("ABC"))

    def top(board):
        ranked = nbrank.borda(board)
        return ranked.assign(rank=ranked["rank"].where(ranked["rank"] == 1))

    found = nbrank.rank_acceptability(scores, top, n_draws=5)
    assert found.to_numpy().tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
