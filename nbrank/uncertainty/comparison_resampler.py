"""Resampling of comparisons, one by one or in clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.typing import Bools, Positions
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.arrays.weights.removable_votes import VoteBatches
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.sampling_design import SamplingDesign
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons


@dataclass(frozen=True)
class ComparisonResampler:
    """Comparisons, and the units that a resample draws."""

    comparisons: Comparisons
    draws: SamplingDesign
    #: Whether the rule depends on the order of the comparisons.
    in_order: bool

    @classmethod
    def from_comparisons(cls, comparisons: Comparisons, rule: BoundRule) -> ComparisonResampler:
        """Draw clusters if the comparisons have any; else draw identical comparisons together."""
        made = comparisons.outcomes
        in_order = rule.registered is None or "sequence" in rule.registered.requires
        if comparisons.clusters is not None:
            units, copies, kind = comparisons.clusters, None, "clusters"
        elif in_order or made.has_shares:
            units, copies, kind = np.arange(len(made)), made.repeats, "comparisons"
        else:
            batches = VoteBatches.from_comparisons(made, len(comparisons.systems))
            units, copies, kind = np.arange(len(batches)), batches.numbers, "comparisons"
        counts = None if copies is None else copies.astype(np.int64)
        n_units = int(units.max(initial=-1)) + 1
        draws = SamplingDesign(kind, units, np.zeros(n_units, dtype=np.intp), counts)
        return cls(comparisons, draws, in_order)

    def resampled_mean(self, _: BoundRule) -> None:
        """Return None: the ranks come from counts, which are as cheap."""

    def pairs(
        self, drawn: Iterable[arrays.Multiplicities], n: int
    ) -> Iterator[tuple[PairwiseCounts, Bools]]:
        """Yield the counts of each resample, and which systems are compared in it."""
        made, n_systems = self.comparisons.outcomes, len(self.comparisons.systems)
        units = self.draws.unit_codes
        if self.draws.unit_kind == "clusters" or made.has_shares:
            made = made.without_shares
            units = np.resize(units, len(made))
            cells = made.number_outcomes(n_systems)
            weights = np.ones(len(made)) if made.total_weights is None else made.total_weights
        else:
            batches = VoteBatches.from_comparisons(made, n_systems)
            cells, weights = batches.cells, batches.weights
        yield from arrays.resample_cells(cells, weights, units, n_systems, drawn, n)

    def resamples(self, n: int, rng: np.random.Generator) -> Iterator[Votes]:
        """Yield resampled comparisons, in the order of the rows if the rule depends on it."""
        systems = self.comparisons.systems
        if not self.in_order:
            drawn = arrays.draw_multiplicities(
                self.draws.strata, n, rng, copies=self.draws.multiplicity
            )
            for counts, _ in self.pairs(drawn, n):
                yield Comparisons.from_counts(systems, counts)
            return
        for times in arrays.iter_multiplicity_rows(
            self.draws.strata, n, rng, self.draws.multiplicity
        ):
            yield self._repeat_rows(times[self.draws.unit_codes])

    def _repeat_rows(self, times: Positions) -> Comparisons:
        """Repeat each row as often as it was drawn; a row of several votes stays a single row."""
        made = self.comparisons.outcomes
        if self.draws.multiplicity is not None:
            outcomes = replace(
                made.select(np.flatnonzero(times)), repeats=times[times > 0].astype(float)
            )
        else:
            outcomes = made.select(np.repeat(np.arange(len(made)), times))
        counts, squares = outcomes.tabulate(len(self.comparisons.systems))
        return replace(
            self.comparisons,
            outcomes=outcomes,
            counts=counts,
            squared_weights=squares,
            clusters=None,
            rows=None,
            silent=True,
        )
