"""Votes on pairs of systems that can be taken away, and what is left without them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.typing import Bools, Floats, Positions


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
    def is_weighted(self) -> bool:
        """Whether votes differ in weight."""
        return bool((self.weights != self.weights[:1]).any())

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

    def count(self, removed: Floats) -> PairwiseCounts:
        """Count what is left when some votes of each batch are removed."""
        # Counted anew, since a difference of weights would leave crumbs where nothing is left.
        n, weight = self.n_systems, (self.numbers - removed) * self.weights
        cell = self.first * n + self.second
        wins, ties = (
            np.bincount(cell[part], weight[part], n * n).reshape(n, n).astype(float)
            for part in (~self.tied, self.tied)
        )
        return PairwiseCounts(wins, ties + ties.T, float(weight.sum()))

    def count_each(self, removed: Floats) -> tuple[Floats, Floats]:
        """The shares and the comparisons left of each pair, for several removals (rows) at once."""
        n = self.n_systems
        weight = (self.numbers - removed) * self.weights
        half = np.where(self.tied, 0.5, 1.0) * weight
        shares = np.zeros((len(removed), n, n))
        each = np.arange(len(removed))[:, None]
        np.add.at(shares, (each, self.first, self.second), half)
        np.add.at(shares, (each, self.second, self.first), np.where(self.tied, half, 0.0))
        return shares, shares + shares.transpose(0, 2, 1)


def take_first(numbers: Floats, n_votes: float) -> Floats:
    """How many of each batch are among the first votes, batch by batch."""
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
