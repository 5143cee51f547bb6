"""The best and the worst rank of every system over all weightings allowed."""

from functools import partial
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import nbrank

TIE = 1e-9


# ------------------------------------------------------------ a second implementation, for checks


def values_by_task(scores, rule):
    """Systems x tasks: what the rule gives on each task alone."""
    columns = [rule(scores[[task]])["score"].reindex(scores.index) for task in scores]
    return np.column_stack(columns)


def can_all_hold(rows, low, high, strict):
    """Whether weights between the bounds make all rows positive (not negative, unless strict)."""
    n_rows, n_tasks = rows.shape
    answer = linprog(
        np.append(np.zeros(n_tasks), -1.0),
        A_ub=np.column_stack([-rows, np.ones(n_rows)]),
        b_ub=np.zeros(n_rows),
        A_eq=np.append(np.ones(n_tasks), 0.0)[None],
        b_eq=[1.0],
        bounds=[*zip(low, high, strict=True), (-1e3, 1e3)],
    )
    return -answer.fun > TIE if strict else -answer.fun >= -TIE


def extremes_by_subsets(values, low, high):
    """The best and the worst rank of each system: every set of others is tried."""
    n = len(values)
    found = []
    for system in range(n):
        rows = np.delete(values - values[system], system, axis=0) / np.ptp(values).clip(1)
        sets = [list(some) for k in range(n) for some in combinations(range(n - 1), k)]
        below = max(len(s) for s in sets if not s or can_all_hold(-rows[s], low, high, False))
        above = max(len(s) for s in sets if not s or can_all_hold(rows[s], low, high, True))
        found.append((n - below, 1 + above))
    return found


def extremes_in_cells(values, low, high):
    """The same for three tasks: the lines on which two systems tie cut the weights into cells.

    The best rank is reached at a corner of a cell, the worst inside of one.
    """
    n = len(values)
    lines = [values[a] - values[b] for a, b in combinations(range(n), 2)]
    for task in range(3):
        # On weights that sum to 1.
        lines += [np.eye(3)[task] - bound for bound in (low[task], high[task])]
    lines = [line for line in lines if np.ptp(line) > 1e-12]
    corners = []
    for one, two in combinations(lines, 2):
        matrix = np.array([one, two, np.ones(3)])
        if abs(np.linalg.det(matrix)) > 1e-9:
            corner = np.linalg.solve(matrix, [0, 0, 1])
            if (corner >= low - 1e-12).all() and (corner <= high + 1e-12).all():
                corners.append(corner)
    corners = np.unique(np.round(corners, 12), axis=0)
    triples = np.array(list(combinations(range(len(corners)), 3)) or [(0, 0, 0)])
    inside = corners[triples].mean(axis=1)
    points = np.concatenate([corners, inside])
    scores = points @ values.T
    ranks = 1 + (scores[:, None, :] > scores[:, :, None] + TIE * np.abs(values).max()).sum(axis=2)
    return list(zip(ranks.min(axis=0).tolist(), ranks.max(axis=0).tolist(), strict=True))


def random_table(rng, n_tasks, gaps):
    n = int(rng.integers(2, 6))
    scores = rng.integers(0, int(rng.integers(2, 6)), (n, n_tasks)).astype(float)
    if gaps:
        scores[rng.random(scores.shape) < 0.2] = np.nan
    index = [f"s{i}" for i in range(n)]
    return pd.DataFrame(scores, index, [f"t{i}" for i in range(n_tasks)])


def bounds_of(shares, within):
    if within is None:
        return np.zeros(len(shares)), np.ones(len(shares))
    return np.maximum((1 - within) * shares, 0), np.minimum((1 + within) * shares, 1)


RULES = {
    "borda": nbrank.borda,
    "plurality": nbrank.plurality,
    "dowdall": nbrank.dowdall,
    "mean": nbrank.mean,
    "mean_rank": nbrank.mean_rank,
    "mean_win_rate": nbrank.mean_win_rate,
    "normalized_mean": partial(nbrank.normalized_mean, low=0, high={"t0": 4, "t1": 5, "t2": 7}),
}


def check_table(seed):
    """Compare one random table; returns how many ends were compared."""
    rng = np.random.default_rng(seed)
    n_tasks = int(rng.integers(2, 5))
    name = str(rng.choice(list(RULES)))
    gaps = name in ("borda", "plurality", "dowdall") and rng.random() < 0.5
    scores = random_table(rng, n_tasks, gaps)
    rule = RULES[name]
    if name == "normalized_mean":
        rule = partial(nbrank.normalized_mean, low=0, high=5)
    within = [None, 0.0, 0.2, 0.5, 1.5][int(rng.integers(5))]
    weights = dict(zip(scores.columns, rng.integers(1, 4, n_tasks).tolist(), strict=True))
    shares = np.array(list(weights.values())) / sum(weights.values())
    found = nbrank.possible_ranks(
        nbrank.Leaderboard(scores, weights=weights), rule, within=within, weights=True
    )
    low, high = bounds_of(shares, within)
    brute = extremes_in_cells if n_tasks == 3 and within != 0 else extremes_by_subsets
    expected = brute(values_by_task(scores, rule), low, high)
    mine = list(found.loc[scores.index, ["best", "worst"]].itertuples(index=False, name=None))
    assert mine == expected, (seed, name, within, scores, weights)
    assert found["proven"].all(), (seed, name, within, scores, weights)
    for end in ("best", "worst"):
        for system, given in found[f"{end}_weights"].items():
            assert sum(given.values()) == pytest.approx(1)
            assert rule(scores, weights=given)["rank"][system] == found[end][system]
    return 2 * len(scores)


MAJORITIES = {
    "condorcet": nbrank.condorcet,
    "copeland": nbrank.copeland,
    **{
        variant: partial(nbrank.minimax, variant=variant)
        for variant in ("winning_votes", "margins", "opposition")
    },
}


def check_majorities(seed):
    """Ranks on a grid and at chance weights lie between the bounds, and reach what is proven."""
    rng = np.random.default_rng(seed)
    scores = random_table(rng, int(rng.integers(2, 5)), gaps=rng.random() < 0.3)
    name = str(rng.choice(list(MAJORITIES)))
    rule, within = MAJORITIES[name], [None, 0.3, 0.8][int(rng.integers(3))]
    found = nbrank.possible_ranks(scores, rule, within=within, weights=True)
    m = scores.shape[1]
    low, high = bounds_of(np.full(m, 1 / m), within)
    grid = np.array(list(product(range(7), repeat=m)), dtype=float)[1:]
    grid /= grid.sum(axis=1, keepdims=True)
    if within is not None:
        grid = 1 / m + (grid - 1 / m) * within
    grid = np.unique(grid[((grid >= low) & (grid <= high)).all(axis=1)].round(12), axis=0)
    for weights in rng.permutation(grid)[:80]:
        ranks = rule(scores, weights=dict(zip(scores, weights, strict=True)))["rank"]
        ranks = ranks.reindex(found.index)
        assert (found["best"] <= ranks).all(), (seed, name, within, scores, weights, found)
        assert (ranks <= found["worst"]).all(), (seed, name, within, scores, weights, found)
    for system, row in found[found["proven"]].iterrows():
        for end in ("best", "worst"):
            assert rule(scores, weights=row[f"{end}_weights"])["rank"][system] == row[end]
    if name == "condorcet" and (within is not None or scores.notna().all(axis=None)):
        assert found["proven"].all(), (seed, within, scores, found)
    return found["proven"].mean()


@pytest.mark.parametrize("seed", range(25))
def test_majorities_keep_within_the_bounds(seed):
    check_majorities(seed)


@pytest.mark.parametrize("seed", range(30))
def test_no_difference_to_brute_force(seed):
    check_table(seed)


# --------------------------------------------------------------------------------- what is said

SCORES = pd.DataFrame(
    {"maths": [9.0, 6, 7, 1], "code": [6.0, 9, 6.5, 1], "law": [5.0, 5, 8, 2]}, index=list("ABCD")
)


def test_conditions_on_weights_hold_besides_within():
    """Where code counts more than half, A can't be first: at half it shares that with B."""
    free = nbrank.possible_ranks(SCORES, "mean", within=None)
    assert free.attrs["possible"] == ["C", "A", "B"]
    assert free.attrs["necessary"] == []
    cases = [
        ({"bounds": {"code": (0.6, 1)}}, {"B"}),
        ({"at_least": [("code", ["maths", "law"])]}, {"A", "B"}),
    ]
    for conditions, possible in cases:
        found = nbrank.possible_ranks(SCORES, "mean", within=None, weights=True, **conditions)
        assert possible <= set(found.attrs["possible"]) <= possible | {"C"}
        assert found["proven"].all()
        for end in ("best_weights", "worst_weights"):
            assert all(weights["code"] >= 0.5 - 1e-9 for weights in found[end])


def test_groups_are_bounded_by_their_total():
    groups = {"science": ["maths", "code"], "rest": ["law"]}
    found = nbrank.possible_ranks(
        SCORES, "mean", within=None, groups=groups, bounds={"science": (0, 0.1)}, weights=True
    )
    assert found.attrs["necessary"] == ["C"]
    assert all(weights["law"] >= 0.9 - 1e-9 for weights in found["worst_weights"])


def test_conditions_that_no_weights_meet_are_refused():
    with pytest.raises(ValueError, match="within=None"):
        nbrank.possible_ranks(SCORES, within=0.2, bounds={"code": (0.8, 1)})
    with pytest.raises(ValueError, match="no weights are allowed"):
        nbrank.possible_ranks(SCORES, within=None, bounds={"code": (0.8, 1), "law": (0.8, 1)})
    with pytest.raises(ValueError, match="within=-1"):
        nbrank.possible_ranks(SCORES, within=-1)


def test_weights_that_may_not_change_leave_one_ranking():
    found = nbrank.possible_ranks(SCORES, within=0, weights={"law": 2})
    order = nbrank.borda(SCORES, weights={"law": 2})["rank"]
    assert list(found.index) == list(order.index)
    assert (found["best"] == order).all()
    assert (found["worst"] == order).all()


def test_a_task_that_weighs_nothing_may_count_only_under_all_weightings():
    weights = {"code": 0}
    near = nbrank.possible_ranks(nbrank.Leaderboard(SCORES, weights=weights), weights=True)
    assert all(given["code"] == 0 for given in near["best_weights"])
    free = nbrank.possible_ranks(SCORES, within=None, weights=weights)
    assert "B" in free.attrs["possible"]


def test_means_of_different_tasks_are_bounded_and_not_called_proven():
    gaps = SCORES.copy()
    gaps.loc["A", "law"] = np.nan
    found = nbrank.possible_ranks(gaps, "mean", within=0.5, missing="ignore")
    rng = np.random.default_rng(0)
    for _ in range(200):
        weights = dict(zip(gaps, rng.uniform(0.5, 1.5, 3), strict=True))
        total = sum(weights.values())
        if all(abs(3 * w / total - 1) <= 0.5 for w in weights.values()):
            ranks = nbrank.mean(gaps, weights=weights, missing="ignore")["rank"]
            ranks = ranks.reindex(found.index)
            assert (found["best"] <= ranks).all()
            assert (ranks <= found["worst"]).all()


def test_other_rules_are_refused_and_the_message_says_what_takes_them():
    with pytest.raises(ValueError, match="rank_acceptability"):
        nbrank.possible_ranks(SCORES, "kemeny")


def test_what_the_time_limit_leaves_open_is_an_interval():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(60, 20)))
    found = nbrank.possible_ranks(scores, within=None, time_limit=1e-9)
    assert not found["proven"].all()
    for _ in range(20):
        ranks = nbrank.borda(scores, weights=dict(enumerate(rng.dirichlet(np.ones(20)))))["rank"]
        ranks = ranks.reindex(found.index)
        assert (found["best"] <= ranks).all()
        assert (ranks <= found["worst"]).all()


@pytest.mark.parametrize("missing", ["ignore", "worst"])
def test_who_is_left_without_a_score_is_last(missing):
    for seed in range(15):
        rng = np.random.default_rng(seed)
        cells = rng.integers(0, 4, (4, 3)).astype(float)
        cells[rng.random(cells.shape) < 0.4] = np.nan
        scores = pd.DataFrame(cells, list("ABCD"), ["t0", "t1", "t2"]).dropna(how="all")
        found = nbrank.possible_ranks(scores, within=None, missing=missing)
        for weights in [*np.eye(3), *(1 - np.eye(3)), *rng.dirichlet(np.ones(3), 5)]:
            given = dict(zip(scores, weights, strict=True))
            rank = nbrank.borda(scores, weights=given, missing=missing)["rank"][found.index]
            assert (found["best"] <= rank).all(), (seed, weights)
            assert (rank <= found["worst"]).all(), (seed, weights)
