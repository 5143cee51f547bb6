"""Which systems may be the best in each of many tables, from what their tasks add."""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np

from nbrank.arrays.uncertainty.influence import Contributions


def split_tables(added: Contributions, n_tasks: int) -> Iterator[Contributions]:
    """What the tasks of each table add, of many tables that were counted as one."""
    for start in range(0, added.n_units, n_tasks):
        part = slice(start, start + n_tasks)
        yield Contributions(added.amounts[:, part], added.weights[:, part])


def draw_signs(rng: np.random.Generator, n_tasks: int, n_draws: int) -> np.ndarray:
    """Tasks x draws, as `best_set` has them: all patterns where these are few."""
    if 2**n_tasks <= 2 * n_draws:
        return np.array(list(product([1.0, -1.0], repeat=n_tasks))).T
    signs = rng.choice([1.0, -1.0], size=(n_tasks, n_draws))
    signs[:, 0] = 1.0
    return signs


def draw_counts(rng: np.random.Generator, n_tasks: int, n_draws: int) -> np.ndarray:
    """Tasks x draws: how often each is drawn where one task fewer is drawn than there are."""
    counts = rng.multinomial(n_tasks - 1, np.full(n_tasks, 1 / n_tasks), size=n_draws)
    return counts.T.astype(float)


def best_p_values(added: Contributions, signs: np.ndarray) -> np.ndarray:
    """The p-values of `best_set`, tables x systems, of tables that were counted as one."""
    n, n_tasks = len(added.amounts), len(signs)
    amounts, weights = (
        values.reshape(len(values), -1, n_tasks).swapaxes(0, 1)
        for values in (added.amounts, added.weights)
    )
    common, totals = weights.shape[1] == 1, weights.sum(axis=2)
    amounts, shares = amounts / totals[..., None], weights / totals[..., None]
    means, totals = amounts.sum(axis=2), np.broadcast_to(totals, amounts.shape[:2])
    pairs = list(combinations(range(n), 2))

    def differ(of_amounts: np.ndarray, of_shares: np.ndarray, i: int, j: int) -> np.ndarray:
        result = of_amounts[:, i] - of_amounts[:, j]
        if not common:  # about the pair's common mean
            both = (means[:, [i, j]] * totals[:, [i, j]]).sum(axis=1)
            both /= totals[:, [i, j]].sum(axis=1)
            result -= both.astype(result.dtype)[:, None] * (of_shares[:, i] - of_shares[:, j])
        return np.asarray(result)

    lags, scales = np.zeros(means.shape), {}
    smallest = 1e-12 * np.abs(amounts).max(axis=(1, 2))
    for i, j in pairs:
        scale = np.sqrt((differ(amounts, shares, i, j) ** 2).sum(axis=1))
        scales[i, j] = np.where(scale > smallest, scale, np.inf)
        ahead = (means[:, i] - means[:, j]) / scales[i, j]
        lags[:, i], lags[:, j] = np.maximum(lags[:, i], -ahead), np.maximum(lags[:, j], ahead)
    # Rounded, which is faster; sums of the same numbers are told from others all the same.
    signs = signs.astype(np.float32)
    flipped = [values.astype(np.float32) @ signs for values in (amounts, shares)]
    reached = np.zeros(flipped[0].shape, dtype=bool)
    limits = (np.where(lags > 0, lags, 1.0) * (1 - 1e-5)).astype(np.float32)
    for i, j in pairs:
        turned = differ(flipped[0], flipped[1], i, j)
        scale = scales[i, j].astype(np.float32)
        reached[:, j] |= turned >= (limits[:, j] * scale)[:, None]
        reached[:, i] |= turned <= -(limits[:, i] * scale)[:, None]
    return np.where(lags > 0, reached.mean(axis=2), 1.0)


def bootstrap_p_values(added: Contributions, drawn: np.ndarray, rivals: np.ndarray) -> np.ndarray:
    """The p-values of the studentised bootstrap, given how often it draws each task, each time."""
    # Each system is compared with the rivals.
    weights = np.broadcast_to(added.weights, added.amounts.shape)
    totals = weights.sum(axis=1, keepdims=True)
    means = added.amounts.sum(axis=1) / totals[:, 0]
    n, n_units = added.amounts.shape
    n_drawn = drawn[:, 0].sum()
    first, second = np.triu_indices(n, 1)
    # Each task's part of the difference, about the pair's common mean, as signs turn it.
    pooled = (means * totals[:, 0])[:, None] + means * totals[:, 0]
    pooled /= totals + totals[:, 0]
    amounts, shares = added.amounts / totals, weights / totals
    parts = amounts[first] - amounts[second]
    parts -= pooled[first, second][:, None] * (shares[first] - shares[second])
    leads = parts.mean(axis=1)
    parts -= leads[:, None]
    observed = leads / np.sqrt(np.maximum((parts**2).mean(axis=1) / (n_units - 1), 1e-24))
    moved, squares = parts @ drawn / n_drawn, parts**2 @ drawn / n_drawn
    moved /= np.sqrt(np.maximum((squares - moved**2) / (n_drawn - 1), 1e-24))
    p_values = np.ones(n)
    for system in range(n):
        mine = np.flatnonzero(
            ((first == system) & rivals[second]) | ((second == system) & rivals[first])
        )
        sign = np.where(first[mine] == system, -1.0, 1.0)
        lag = (sign * observed[mine]).max(initial=0.0)
        if lag > 0:
            most = (sign[:, None] * moved[mine]).max(axis=0)
            p_values[system] = (1 + (most >= lag).sum()) / (1 + drawn.shape[1])
    return p_values
