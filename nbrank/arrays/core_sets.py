"""The smallest set of tasks that tells the same as all of them, and how well it predicts."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.parts import slices
from nbrank.arrays.profile import ratio
from nbrank.arrays.task_sets import MOST_TO_TRY, Chosen, Units, Wanted, every_set

#: Pairs of systems times sets that are looked at, at most, to try all sets for an order.
_MOST_PAIRS = 4e8
#: And so many at a time.
_PAIRS = 1 << 22
#: Values of tau this close are the same.
_ROUNDING = 1e-12


def taus(ranks: Ints, whole: Ints) -> Floats:
    """Kendall's tau-b of each row of ranks with the whole's; 1 where neither parts anybody."""
    one, two = np.triu_indices(ranks.shape[1], 1)
    reference = np.sign(whole[one] - whole[two]).astype(np.float64)
    found = np.empty(len(ranks))
    for part in slices(0, len(ranks), max(1, _PAIRS // max(len(one), 1))):
        signs = np.sign(ranks[part][:, one] - ranks[part][:, two]).astype(np.float64)
        parted = np.abs(signs).sum(axis=1) * np.abs(reference).sum()
        tau = ratio(signs @ reference, np.sqrt(parted), 0.0)
        found[part] = np.where((signs == reference).all(axis=1), 1.0, tau)
    return found


@dataclass(frozen=True)
class Goal:
    """What a set of tasks is to tell as all tasks do."""

    keeps: str  # "winner", "top" or "order"
    k: int = 1  # how many are at the top
    agreement: float = 1.0  # how large tau is to be

    def kept(self, ranks: Ints, whole: Ints) -> Bools:
        """Which rows of ranks tell it."""
        if self.keeps == "order":
            return taus(ranks, whole) >= self.agreement - _ROUNDING
        return np.asarray(((ranks <= self.k) == (whole <= self.k)).all(axis=1))


def core_set(units: Units, goal: Goal, size: int | None, until: float) -> Chosen:
    """The smallest set that keeps the goal; of a given size, the one nearest to the whole order."""
    # Of sets of the same size the one whose order is nearest to that of all tasks, where all sets
    # are tried. Otherwise winners and the top are kept by an integer programme, and an order by
    # adding the task that helps most, which is no proof.
    whole = units.ranks(np.ones((1, units.n_units), dtype=bool))[0]
    n_pairs = len(whole) ** 2 / 2 * (1 if goal.keeps != "order" else 2.0**units.n_units)
    if units.n_units <= MOST_TO_TRY and n_pairs <= _MOST_PAIRS:
        return _smallest_of_all(units, goal, size, whole)
    if goal.keeps != "order" and units.values.linear:
        wanted = _wanted(units, whole, goal.k)
        nothing = np.zeros(units.n_units, dtype=bool)
        found = wanted.choose(-units.sizes.astype(float), nothing, until, n_tasks=size)
        # That a set of a given size keeps the winner doesn't make it the best such set. And who has
        # no score on a set is last there, which no sum tells.
        everywhere = units.there[:, units.shares > 0].all()
        sure = everywhere and (size is None or found.units is None)
        if found.units is None and found.proven and sure:
            return found
        if found.units is not None and goal.kept(units.ranks(found.units[None, :]), whole)[0]:
            return Chosen(found.units, bool(found.proven and sure))
    return _grown(units, goal, size, whole)


def _smallest_of_all(units: Units, goal: Goal, size: int | None, whole: Ints) -> Chosen:
    best: tuple[float, float] = (np.inf, -np.inf)
    chosen = None
    for block in every_set(np.zeros(units.n_units, dtype=bool)):
        n_tasks = block @ units.sizes
        asked = n_tasks == size if size is not None else n_tasks <= best[0]
        block, n_tasks = block[asked], n_tasks[asked]
        if not len(block):
            continue
        ranks = units.ranks(block)
        kept = np.flatnonzero(goal.kept(ranks, whole))
        if not len(kept):
            continue
        kept = kept[n_tasks[kept] == n_tasks[kept].min()]
        tau = taus(ranks[kept], whole)
        place = int(tau.argmax())
        if (n_tasks[kept[place]], -tau[place] - _ROUNDING) < (best[0], -best[1]):
            best, chosen = (float(n_tasks[kept[place]]), float(tau[place])), block[kept[place]]
    return Chosen(chosen, True)


def _wanted(units: Units, whole: Ints, k: int) -> Wanted:
    """Everybody of rank k or better above everybody else; where more than k are, the last tie."""
    scored, top = units.values.scored, whole <= k
    inside, outside = np.flatnonzero(top & scored), np.flatnonzero(~top & scored)
    above = [units.gaps(system)[outside] for system in inside.tolist()]
    rows = np.concatenate(above) if above else np.empty((0, units.n_units))
    strict = np.ones(len(rows), dtype=bool)
    there = units.shares[None, :] > 0
    n_last = len(inside) - k + 1
    if len(inside) <= k:
        return Wanted(rows, strict, units.shares, there)
    # More than k have rank k or better where those from the k-th on tie, whoever they are: so many
    # are above nobody inside.
    last = np.stack([-units.gaps(system)[inside] for system in inside.tolist()])
    if n_last == len(inside):
        level = last.reshape(-1, units.n_units)
        strict = np.append(strict, np.zeros(len(level), dtype=bool))
        return Wanted(np.concatenate([rows, level]), strict, units.shares, there)
    return Wanted(rows, strict, units.shares, there, last, n_last)


def _grown(units: Units, goal: Goal, size: int | None, whole: Ints) -> Chosen:
    """Add the unit after which the order is nearest to the whole's, until it is enough."""
    chosen = np.zeros(units.n_units, dtype=bool)
    while not chosen.all():
        left = np.flatnonzero(~chosen)
        block = np.tile(chosen, (len(left), 1))
        block[np.arange(len(left)), left] = True
        ranks = units.ranks(block)
        tau = taus(ranks, whole)
        if size is None:
            tau = tau + 2.0 * goal.kept(ranks, whole)
        chosen = block[int(tau.argmax())]
        n_tasks = int(chosen @ units.sizes)
        if n_tasks == size or (size is None and tau.max() > 1 + _ROUNDING):
            return Chosen(chosen, False)
    return Chosen(chosen if size is None else None, False)


def held_out(
    units: Units, goal: Goal, size: int | None, n_folds: int, rng: np.random.Generator, until: float
) -> tuple[float, float]:
    """How well tasks that some systems choose order the others: tau, and that of chance sets."""
    # The systems are parted into folds; for each fold the others choose, and the order of the fold
    # on the chosen tasks is compared with its order on all tasks.
    n = len(units.values.amounts)
    fold = rng.permutation(n) % n_folds
    told, by_chance = [], []
    for place in range(n_folds):
        if time.monotonic() > until:
            break
        rest, out = units.among(fold != place), units.among(fold == place)
        chosen = core_set(rest, goal, size, until).units
        if chosen is None:
            continue
        whole = out.ranks(np.ones((1, units.n_units), dtype=bool))[0]
        order = rng.random((100, units.n_units)).argsort(axis=1)
        block = np.concatenate([chosen[None, :], order < chosen.sum()])
        tau = taus(out.ranks(block), whole)
        told.append(tau[0])
        by_chance.append(tau[1:].mean())
    if not told:
        return np.nan, np.nan
    return float(np.mean(told)), float(np.mean(by_chance))
