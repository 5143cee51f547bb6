"""Views of the votes that rules work on: ballots, standings and pairwise counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, TypeVar, cast

import numpy as np

from nbrank.arrays.ballots import pairwise_counts as arrays
from nbrank.arrays.ballots.ballot_counts import BallotCounts, PlaceCounts, Standings
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import Missing, Profile
from nbrank.arrays.typing import Bools, Floats, Ints
from nbrank.votes.table.validation import MAX_PAIRED_SYSTEMS, check_pairs_fit

ViewT = TypeVar("ViewT", Profile, PairwiseCounts, Standings)


@dataclass(frozen=True)
class View(Generic[ViewT]):
    """Votes in the form that a rule needs, with the systems it compares and those it ranks."""

    #: The data of all systems.
    data: ViewT
    #: The systems that the rule compares, as candidates and opponents.
    candidates: Bools
    #: The systems that the rule ranks; other candidates have no score.
    ranked: Bools

    def scores(self, score_function: Callable[[ViewT], Floats]) -> Floats:
        """Return the rule's score of each system; NaN for one that it doesn't rank."""
        result = np.full(len(self.candidates), np.nan)
        if self.ranked.any():
            result[self.candidates] = score_function(self.select(self.candidates))
            result[~self.ranked] = np.nan
        return result

    def select(self, part: Bools) -> ViewT:
        """Select the data of these systems only."""
        if part.all():
            return self.data
        if isinstance(self.data, Mapping):
            positions = np.flatnonzero(part)
            counts = {w: counts.select_systems(positions) for w, counts in self.data.items()}
            return cast("ViewT", counts)
        return self.data.select_systems(part)


def _make_view(votes: VoteData, view: ViewT, missing: Missing) -> View[ViewT]:
    everyone = np.ones_like(votes.scored)
    # In these treatments systems without a score have places, so they count as opponents.
    part = everyone if missing in ("compatible", "worst", "zero") else votes.scored
    return View(view, part, everyone if missing == "compatible" else votes.scored)


@dataclass(frozen=True, eq=False)
class BallotData:
    """Ballots as they were cast."""

    #: The ballots.
    profile: Profile
    _pairs: dict[Missing, PairwiseCounts] = field(default_factory=dict, repr=False)

    @cached_property
    def scored(self) -> Bools:
        """Mask of the systems with a score."""
        return np.asarray(np.logical_not(np.isnan(self.profile.scores)).any(axis=1))

    def select_systems(self, part: Bools) -> BallotData:
        """Select these systems only."""
        return BallotData(self.profile.select_systems(part))

    def scores(self, missing: Missing) -> View[Profile]:
        """Return the scores to average, with missing ones filled in as requested."""
        filled = missing in ("worst", "median")
        return _make_view(self, self.profile.fill(missing) if filled else self.profile, missing)

    def ballots(self, missing: Missing) -> View[Profile]:
        """Return the ballots for rules on places; a score that is alone compares no systems."""
        if missing == "ignore":
            return _make_view(self, self.profile.drop_single_scores(), missing)
        return self.scores(missing)

    def standings(self, missing: Missing) -> View[Standings]:
        """Return the places of each system."""
        return cast("View[Standings]", self.ballots(missing))

    def pairs(self, missing: Missing) -> View[PairwiseCounts]:
        """Return how often each system beats each other."""
        # Counts are stored, because a dozen rules on a leaderboard use the same.
        if missing not in self._pairs:
            if len(self.profile.scores) > MAX_PAIRED_SYSTEMS:
                check_pairs_fit("pairwise comparisons", len(self.profile.scores))
            seen = self.scores(missing).data
            count = arrays.count_compatible if missing == "compatible" else arrays.count_pairs
            counts = count(seen)
            counts.wins.flags.writeable = counts.ties.flags.writeable = False
            self._pairs[missing] = counts
        return _make_view(self, self._pairs[missing], missing)


@dataclass(frozen=True, eq=False)
class CountData:
    """Ballots that were reduced to counts."""

    #: Weight -> the counts of the ballots that have it.
    counts_by_weight: Mapping[float, BallotCounts]

    @cached_property
    def scored(self) -> Bools:
        """Mask of the systems with a score."""
        scored = [counts.places.scored for counts in self.counts_by_weight.values()]
        return np.asarray(np.any(scored, axis=0))

    def select_systems(self, part: Bools) -> CountData:
        """Select these systems only."""
        positions = np.flatnonzero(part)
        return CountData(
            {
                weight: ballot_counts.select_systems(positions)
                for weight, ballot_counts in self.counts_by_weight.items()
            }
        )

    def _place_counts(self, missing: Missing) -> Mapping[float, PlaceCounts]:
        every = {"worst": PlaceCounts.rank_missing_last, "ignore": PlaceCounts.drop_single_scores}
        seen = every.get(missing, lambda places: places)
        return {weight: seen(counts.places) for weight, counts in self.counts_by_weight.items()}

    def standings(self, missing: Missing) -> View[Standings]:
        """Return the places of each system."""
        return _make_view(self, self._place_counts(missing), missing)

    def pairs(self, missing: Missing) -> View[PairwiseCounts]:
        """Return how often each system beats each other."""
        if missing == "compatible":
            return _make_view(
                self, arrays.combine_weighted_compatible(self.counts_by_weight), missing
            )
        return _make_view(self, arrays.combine_weighted(self._place_counts(missing)), missing)


@dataclass(frozen=True, eq=False)
class ComparisonData:
    """Pairwise comparisons, each a ballot with two systems on it."""

    #: The weight of wins and ties of each pair.
    counts: PairwiseCounts

    @property
    def scored(self) -> Bools:
        """Mask of the systems that were compared with another."""
        return np.asarray((self.counts.compared > 0).any(axis=1))

    def select_systems(self, part: Bools) -> ComparisonData:
        """Select these systems only."""
        return replace(self, counts=self.counts.select_systems(part))

    def standings(self, missing: Missing) -> View[Standings]:
        """Return the places of each system."""
        wins, ties = self.counts.wins, self.counts.ties
        n_systems = len(wins)
        below, tied, observed = np.zeros((3, n_systems, n_systems + 1))
        below[:, 2], tied[:, 2] = wins.sum(axis=1), ties.sum(axis=1)
        observed[:, 2] = below[:, 2] + wins.sum(axis=0) + tied[:, 2]
        n_ballots = np.zeros(n_systems + 1)
        n_ballots[2] = self.counts.total
        # The counts are sums of weights if comparisons are weighted, so not always integers.
        counts = (wins, ties, below, tied, observed, n_ballots)
        places = PlaceCounts(*(cast("Ints", part) for part in counts))
        places = places.rank_missing_last() if missing == "worst" else places
        return _make_view(self, {1.0: places}, missing)

    def pairs(self, missing: Missing) -> View[PairwiseCounts]:
        """Return how often each system beats each other."""
        return _make_view(self, self.counts, missing)


#: Unlabelled votes, from which the views are taken.
VoteData = BallotData | CountData | ComparisonData
