"""Votes on pairs of systems that can be taken away, and what is left without them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.ballots.profile import TOLERANCE
from nbrank.arrays.typing import Bools, Floats, Ints, Positions


@dataclass(frozen=True)
class VoteBatches:
    """Votes that are alike: of the same pair, with the same outcome and the same weight."""

    n_systems: int
    first: Positions  # the system that won, or one of two that tie
    second: Positions
    tied: Bools
    weights: Floats  # of one vote, above 0
    numbers: Floats  # how many votes there are, whole numbers above 0

    @classmethod
    def from_comparisons(cls, votes: ComparisonArrays, n_systems: int) -> VoteBatches:
        """Gather the votes that weigh something."""
        ones = np.ones(len(votes))
        weights = ones if votes.weights is None else votes.weights
        numbers = ones if votes.repeats is None else votes.repeats
        cells = votes.number_outcomes(n_systems)
        some = (weights > 0) & (numbers > 0)
        distinct, codes = np.unique(weights[some], return_inverse=True)
        key, batch = np.unique(cells[some] * len(distinct) + codes, return_inverse=True)
        cell = key // max(len(distinct), 1)
        pair = cell // 2
        return cls(
            n_systems,
            pair // n_systems,
            pair % n_systems,
            cell % 2 == 1,
            distinct[key - cell * len(distinct)],
            np.bincount(batch, numbers[some], len(key)).astype(float),
        )

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def counts(self) -> PairwiseCounts:
        """All votes, counted."""
        return self.count(np.zeros(len(self)))

    @cached_property
    def cells(self) -> Positions:
        """A number for the pair and the outcome of each batch, in ascending order."""
        return (self.first * self.n_systems + self.second) * 2 + self.tied

    def find_wins(self, first: int, second: int) -> Positions:
        """Find the batches of one system's wins over another, the lightest votes first."""
        cell = (first * self.n_systems + second) * 2
        return np.arange(*np.searchsorted(self.cells, [cell, cell + 1]))

    def find_votes(self, system: int) -> Bools:
        """Return the mask of the batches of a system's votes."""
        return np.asarray((self.first == system) | (self.second == system))

    def remove_all(self, winner: int, rival: int) -> Floats | None:
        """Remove all votes of the winner, if the rival has others, so that the winner is last."""
        gone = self.find_votes(winner)
        return np.where(gone, self.numbers, 0.0) if (self.find_votes(rival) & ~gone).any() else None

    def count(self, removed: Floats) -> PairwiseCounts:
        """Count what is left when some votes of each batch are removed."""
        # The rest is counted again, because a difference of weights may leave rounding errors in
        # place of 0.
        return count_cells(self.cells, (self.numbers - removed) * self.weights, self.n_systems)

    def count_each(self, removed: Floats) -> tuple[Floats, Floats]:
        """Count the remaining shares and comparisons of each pair, for several removals (rows)."""
        n = self.n_systems
        weight = (self.numbers - removed) * self.weights
        half = np.where(self.tied, 0.5, 1.0) * weight
        shares = np.zeros((len(removed), n, n))
        each = np.arange(len(removed))[:, None]
        np.add.at(shares, (each, self.first, self.second), half)
        np.add.at(shares, (each, self.second, self.first), np.where(self.tied, half, 0.0))
        return shares, shares + shares.transpose(0, 2, 1)


def count_cells(cells: Positions, weights: Floats, n_systems: int) -> PairwiseCounts:
    """Count weighted cells, numbered (first * n + second) * 2, and 1 more for a tie."""
    tied, shape = cells % 2 == 1, (n_systems, n_systems)
    wins, ties = (
        np.bincount(cells[part] // 2, weights[part], n_systems**2).reshape(shape).astype(float)
        for part in (~tied, tied)
    )
    return PairwiseCounts(wins, ties + ties.T, float(weights.sum()))


def take_first(numbers: Floats, n_votes: float | Floats) -> Floats:
    """Count how many votes of each batch are among the first ones."""
    before = np.cumsum(numbers) - numbers
    return np.clip(n_votes - before, 0.0, numbers)


@dataclass(frozen=True)
class VoteRemoval:
    """Votes to remove for a rival: how many of each batch; None if no removal is known."""

    rival: int
    removed: Floats | None = None
    #: Whether fewer are not enough.
    proven: bool = False

    @property
    def n_votes(self) -> float:
        """How many votes go; infinite if no removal is known."""
        return math.inf if self.removed is None else float(self.removed.sum())


def _heaviest_first(batches: VoteBatches, part: Bools) -> Positions:
    """Return the batches of a part, the heaviest votes first."""
    chosen = np.flatnonzero(part)
    return chosen[np.argsort(-batches.weights[chosen], kind="stable")]


def _remove(batches: VoteBatches, order: Positions, n_votes: float) -> Floats:
    """Remove the first votes in an order of batches."""
    removed = np.zeros(len(batches))
    removed[order] = take_first(batches.numbers[order], n_votes)
    return removed


# ------------------------------------------------------------------------------------------- points


def fewest_by_points(
    batches: VoteBatches, win: Floats, tie: Floats, winner: int, rival: int
) -> VoteRemoval:
    """Remove the votes that give the winner most on the rival, where each vote gives points.

    A win gives points to the winner, the loser and all others (`win`); a tie to both and all others
    (`tie`, of which the first two are the same).
    """
    points = np.where(batches.tied[:, None], tie, win)

    def received(system: int) -> Floats:
        own = np.where(batches.second == system, points[:, 1], points[:, 2])
        return np.where(batches.first == system, points[:, 0], own)

    leads = batches.weights * (received(winner) - received(rival))
    total = float(leads @ batches.numbers)
    order = np.argsort(-leads, kind="stable")
    order = order[leads[order] > 0]
    # Ties within rounding stay ties.
    slack = 1e-9 * float(np.abs(points).max(initial=0.0) * (batches.weights @ batches.numbers))
    falls = np.cumsum(leads[order] * batches.numbers[order])
    place = int(np.searchsorted(falls, total + slack, side="right"))
    if place == len(order):
        return VoteRemoval(rival, proven=True)
    batch = order[place]
    before = falls[place] - leads[batch] * batches.numbers[batch]
    more = np.floor((total + slack - before) / leads[batch]) + 1
    n_votes = float(batches.numbers[order[:place]].sum() + more)
    return VoteRemoval(rival, _remove(batches, order, n_votes), proven=True)


# ---------------------------------------------------------------------------------- shares of wins


def fewest_by_win_rate(batches: VoteBatches, winner: int, rival: int) -> VoteRemoval:
    """Remove wins of the winner and losses of the rival until its share of wins is larger."""
    first, second, tied = batches.first, batches.second, batches.tied
    between = ((first == winner) & (second == rival)) | ((first == rival) & (second == winner))
    won = ~tied & (first == winner)
    lost = ~tied & (second == rival)
    both = _heaviest_first(batches, won & lost)
    # Ties help only once the winner has no win left, and the rival no loss.
    ours, theirs = (
        np.append(
            _heaviest_first(batches, part & ~between),
            _heaviest_first(batches, tied & ((first == one) | (second == one)) & ~between),
        )
        for part, one in ((won, winner), (lost, rival))
    )
    most = [float(batches.numbers[order].sum()) for order in (both, ours, theirs)]
    ends = [np.cumsum(np.append(0.0, batches.numbers[order])) for order in (ours, theirs)]

    def rate(system: int, losing: Positions, amounts: Floats, n_shared: float) -> Floats:
        """Compute the share won after a loss of votes, besides those of the pair itself."""
        weight = batches.weights * batches.numbers * ((first == system) | (second == system))
        wins_of = np.where(tied, 0.5, (first == system).astype(float))
        gone = _remove(batches, both, n_shared) * batches.weights
        taken = take_first(batches.numbers[losing], amounts[:, None]) * batches.weights[losing]
        left = weight.sum() - gone.sum() - taken.sum(axis=1)
        kept = (weight * wins_of).sum() - (gone * wins_of).sum() - taken @ wins_of[losing]
        scale = max(float(weight.sum()), 1.0)
        return np.where(left > 1e-12 * scale, kept / np.maximum(left, 1e-300), -np.inf)

    def split(n_votes: float) -> Floats | None:
        """Find a removal of this many votes that is enough; None without one."""
        shared = min(n_votes, most[0])
        rest = n_votes - shared
        least, largest = max(0.0, rest - most[2]), min(rest, most[1])
        if least > largest:
            return None
        # Between the ends of batches the lead is convex in the amount, and so largest at an end;
        # beside it where the rival has no vote left.
        turns = np.concatenate([ends[0], rest - ends[1], [least, largest]])
        amounts = np.unique(np.clip(np.add.outer([-1.0, 0.0, 1.0], turns), least, largest))
        above = rate(rival, theirs, rest - amounts, shared)
        below = rate(winner, ours, amounts, shared)
        ahead = above - np.maximum(below, -1.0) > TOLERANCE
        if not ahead.any():
            return None
        amount = float(amounts[ahead.argmax()])
        removed = _remove(batches, both, shared) + _remove(batches, ours, amount)
        return removed + _remove(batches, theirs, rest - amount)

    low, high = 0.0, sum(most)
    solution = split(high)
    if solution is None:  # A rival without a vote has no share, and with a tie one half.
        high = max(high - 1, 0.0)
        solution = split(high)
    if solution is None:
        return VoteRemoval(rival, batches.remove_all(winner, rival))
    while high - low > 1:
        middle = (low + high) // 2
        shorter = split(middle)
        if shorter is None:
            low = middle
        else:
            high, solution = middle, shorter
    decisive = min(most[0] + batches.numbers[part & ~between].sum() for part in (won, lost))
    alike = bool((batches.weights == batches.weights[:1]).all())
    return VoteRemoval(rival, solution, proven=alike and high - 1 < decisive)


# ------------------------------------------------------------------------------------ pairs decided


#: A pair that can be turned: what is gained for how many votes, and the batches that go.
_Flip = tuple[list[tuple[int, float]], Positions]


def fewest_by_pairs(batches: VoteBatches, winner: int, rival: int) -> VoteRemoval:
    """Turn the pairs of the two systems that cost the fewest votes, for Copeland's rule.

    A system without votes is last, so the winner may lose all its votes, but not the rival.
    """
    counts = batches.counts
    margins = np.sign(counts.margins[[winner, rival]]).sum(axis=1)
    needed = int(margins[0] - margins[1]) + 1
    others = [one for one in range(batches.n_systems) if one not in (winner, rival)]
    ups = [_flip(batches, counts.wins, rival, winner, 2)]
    ups += [_flip(batches, counts.wins, rival, system, 1) for system in others]
    downs = [_flip(batches, counts.wins, system, winner, 1) for system in others]

    of_rival = batches.find_votes(rival)
    found = [_turn_cheapest(batches, [*ups, *downs], needed)]
    if found[0] is not None and (found[0] == batches.numbers)[of_rival].all():
        # The rival has only losses, and one of them must stay.
        kept = [[*ups[:one], *ups[one + 1 :], *downs] for one in range(len(ups))]
        found = [_turn_cheapest(batches, flips, needed) for flips in kept]
    found.append(batches.remove_all(winner, rival))
    valid = [
        removed
        for removed in found
        if removed is not None and (removed < batches.numbers)[of_rival].any()
    ]
    return VoteRemoval(rival, min(valid, key=np.sum, default=None), proven=True)


def _turn_cheapest(batches: VoteBatches, flips: list[_Flip], needed: int) -> Floats | None:
    """Find the fewest votes that gain what is needed; None if all pairs gain less."""
    # The fewest votes for each gain up to what is needed; more counts as that.
    fewest = np.append(0.0, np.full(needed, np.inf))
    choices: list[Ints] = []
    for options, _ in flips:
        best, choice = fewest.copy(), np.zeros(needed + 1, dtype=np.int64)
        for option, (gain, cost) in enumerate(options, start=1):
            source = np.maximum(np.arange(needed + 1) - gain, 0)
            shorter = fewest[source] + cost
            better = shorter < best
            best[better], choice[better] = shorter[better], option
        fewest = best
        choices.append(choice)
    if np.isinf(fewest[needed]):
        return None
    removed = np.zeros(len(batches))
    left = needed
    for (options, order), choice in zip(reversed(flips), reversed(choices), strict=True):
        if option := int(choice[left]):
            gain, cost = options[option - 1]
            removed += _remove(batches, order, cost)
            left = max(left - gain, 0)
    return removed


def _flip(batches: VoteBatches, wins: Floats, loser: int, winner: int, factor: int) -> _Flip:
    """Remove wins of one system over another, the heaviest first, until they tie, and beyond."""
    margin = float(wins[winner, loser] - wins[loser, winner])
    order = batches.find_wins(winner, loser)[::-1]
    slack = TOLERANCE * float(batches.weights @ batches.numbers)
    numbers, weights = batches.numbers[order], batches.weights[order]
    sums = np.cumsum(numbers * weights)
    options = []
    for gain, above in ((1, margin - slack), (2, margin + slack)):
        # From a tie, all there is to gain is a win.
        if margin < -slack or (abs(margin) <= slack and gain == 1):
            continue
        place = int(np.searchsorted(sums, above, side="right" if gain == 2 else "left"))
        if place == len(order):
            continue
        before = sums[place] - numbers[place] * weights[place]
        exact = (above - before) / weights[place]
        more = np.floor(exact) + 1 if gain == 2 else max(np.ceil(exact), 1.0)
        gained = gain - 1 if abs(margin) <= slack else gain
        options.append((gained * factor, float(numbers[:place].sum() + more)))
    return options, order
