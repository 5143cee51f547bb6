"""The smallest set of tasks that tells the same as all of them, and how well it predicts."""

import time
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from nbrank.arrays.ballots.profile import safe_divide
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Bools, Floats, Ints
from nbrank.arrays.weights import unit_subsets as subsets

#: Maximum number of pairs of systems times sets, to try all sets for an order.
_MAX_TAU_PAIRS = 4e8
#: And this many at a time.
_PAIRS = 1 << 22
#: Values of tau this close are the same.
_ROUNDING = 1e-12


def kendall_taus(ranks: Ints, full: Ints) -> Floats:
    """Compute Kendall's tau-b of each row of ranks with the full one; 1 if both tie all systems."""
    first, two = np.triu_indices(ranks.shape[1], 1)
    reference = np.sign(full[first] - full[two]).astype(np.float64)
    result = np.empty(len(ranks))
    for part in chunk_slices(0, len(ranks), max(1, _PAIRS // max(len(first), 1))):
        signs = np.sign(ranks[part][:, first] - ranks[part][:, two]).astype(np.float64)
        parted = np.abs(signs).sum(axis=1) * np.abs(reference).sum()
        tau = safe_divide(signs @ reference, np.sqrt(parted), 0.0)
        result[part] = np.where((signs == reference).all(axis=1), 1.0, tau)
    return result


@dataclass(frozen=True)
class SubsetGoal:
    """The property of the full ranking that a set of tasks has to keep."""

    kind: str  # "winner", "top" or "order"
    k: int = 1  # how many are at the top
    agreement: float = 1.0  # how large tau is to be
    size: int | None = None  # how many tasks there are to be; None for as few as possible

    def is_met(self, ranks: Ints, full: Ints) -> Bools:
        """Return which rows of ranks meet the goal."""
        if self.kind == "order":
            return kendall_taus(ranks, full) >= self.agreement - _ROUNDING
        return np.asarray(((ranks <= self.k) == (full <= self.k)).all(axis=1))


def find_core_set(
    units: subsets.TaskUnits, goal: SubsetGoal, deadline: float
) -> subsets.SubsetSolution:
    """Find the smallest set that meets the goal; of a given size, the nearest to the full order."""
    # Of sets of the same size the one whose order is nearest to that of all tasks, where all sets
    # are tried. Otherwise winners and the top are kept by an integer programme, and an order by
    # adding the task that helps most, which proves nothing.
    whole = units.ranks(np.ones((1, units.n_units), dtype=bool))[0]
    n_pairs = len(whole) ** 2 / 2 * (1 if goal.kind != "order" else 2.0**units.n_units)
    if units.n_units <= subsets.MAX_EXHAUSTIVE_UNITS and n_pairs <= _MAX_TAU_PAIRS:
        return _search_exhaustively(units, goal, whole)
    if goal.kind != "order" and units.values.linear:
        wanted = _order_constraints(units, whole, goal.k)
        nothing = np.zeros(units.n_units, dtype=bool)
        chosen = wanted.solve(-units.sizes.astype(float), nothing, deadline, n_tasks=goal.size)
        # That a set of a given size keeps the winner doesn't make it the best such set. And who has
        # no score on a set is last there, which no sum tells.
        everywhere = units.there[:, units.shares > 0].all()
        sure = everywhere and (goal.size is None or chosen.units is None)
        if chosen.units is None and chosen.proven and sure:
            return chosen
        if chosen.units is not None and goal.is_met(units.ranks(chosen.units[None, :]), whole)[0]:
            return subsets.SubsetSolution(chosen.units, bool(chosen.proven and sure))
    return _grow_greedily(units, goal, whole)


def _search_exhaustively(
    units: subsets.TaskUnits, goal: SubsetGoal, full: Ints
) -> subsets.SubsetSolution:
    best: tuple[float, float] = (np.inf, -np.inf)
    chosen = None
    for block in subsets.iter_subsets(np.zeros(units.n_units, dtype=bool)):
        n_tasks = block @ units.sizes
        asked = n_tasks == goal.size if goal.size is not None else n_tasks <= best[0]
        block, n_tasks = block[asked], n_tasks[asked]
        if not len(block):
            continue
        ranks = units.ranks(block)
        selected = np.flatnonzero(goal.is_met(ranks, full))
        if not len(selected):
            continue
        selected = selected[n_tasks[selected] == n_tasks[selected].min()]
        tau = kendall_taus(ranks[selected], full)
        place = int(tau.argmax())
        if (n_tasks[selected[place]], -tau[place] - _ROUNDING) < (best[0], -best[1]):
            best = float(n_tasks[selected[place]]), float(tau[place])
            chosen = block[selected[place]]
    return subsets.SubsetSolution(chosen, True)


def _order_constraints(units: subsets.TaskUnits, full: Ints, k: int) -> subsets.SubsetConstraints:
    """Require all systems of rank k or better above all others; if more are tied, the last tie."""
    scored, top = units.values.scored, full <= k
    inside, outside = np.flatnonzero(top & scored), np.flatnonzero(~top & scored)
    above = [units.gaps(system)[outside] for system in inside.tolist()]
    rows = np.concatenate(above) if above else np.empty((0, units.n_units))
    strict = np.ones(len(rows), dtype=bool)
    observed = units.shares[None, :] > 0
    n_last = len(inside) - k + 1
    if len(inside) <= k:
        return subsets.SubsetConstraints(rows, strict, units.shares, observed)
    # More than k have rank k or better if those from the k-th on tie, whichever they are: as
    # many are above no system inside.
    last = np.stack([-units.gaps(system)[inside] for system in inside.tolist()])
    if n_last == len(inside):
        level = last.reshape(-1, units.n_units)
        strict = np.append(strict, np.zeros(len(level), dtype=bool))
        return subsets.SubsetConstraints(
            np.concatenate([rows, level]), strict, units.shares, observed
        )
    return subsets.SubsetConstraints(rows, strict, units.shares, observed, last, n_last)


def _grow_greedily(
    units: subsets.TaskUnits, goal: SubsetGoal, full: Ints
) -> subsets.SubsetSolution:
    """Add the unit after which the order is nearest to the whole's, until it is enough."""
    chosen = np.zeros(units.n_units, dtype=bool)
    while not chosen.all():
        left = np.flatnonzero(~chosen)
        block = np.tile(chosen, (len(left), 1))
        block[np.arange(len(left)), left] = True
        ranks = units.ranks(block)
        tau = kendall_taus(ranks, full)
        if goal.size is None:
            tau = tau + 2.0 * goal.is_met(ranks, full)
        chosen = block[int(tau.argmax())]
        n_tasks = int(chosen @ units.sizes)
        if n_tasks == goal.size or (goal.size is None and tau.max() > 1 + _ROUNDING):
            return subsets.SubsetSolution(chosen, False)
    return subsets.SubsetSolution(chosen if goal.size is None else None, False)


def cross_validate_core_set(
    units: subsets.TaskUnits, goal: SubsetGoal, n_folds: int, rng: Generator, deadline: float
) -> tuple[float, float]:
    """Compute how well tasks that some systems choose order the others, and chance sets do."""
    # The systems are parted into folds; for each fold the others choose, and the order of the fold
    # on the chosen tasks is compared with its order on all tasks.
    n = len(units.values.amounts)
    fold = rng.permutation(n) % n_folds
    sentences, by_chance = [], []
    for place in range(n_folds):
        if time.monotonic() > deadline:
            break
        rest, out = units.select_systems(fold != place), units.select_systems(fold == place)
        chosen = find_core_set(rest, goal, deadline).units
        if chosen is None:
            continue
        whole = out.ranks(np.ones((1, units.n_units), dtype=bool))[0]
        order = rng.random((100, units.n_units)).argsort(axis=1)
        block = np.concatenate([chosen[None, :], order < chosen.sum()])
        tau = kendall_taus(out.ranks(block), whole)
        sentences.append(tau[0])
        by_chance.append(tau[1:].mean())
    if not sentences:
        return np.nan, np.nan
    return float(np.mean(sentences)), float(np.mean(by_chance))
