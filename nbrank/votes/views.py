"""What rules see of votes: ballots, standings or pairs, and which systems they are about."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Self, TypeVar, cast

import numpy as np

from nbrank.arrays.counting import BallotCounts, PlaceCounts, Standings
from nbrank.arrays.kinds import Bools, Floats, Ints
from nbrank.arrays.pair_counts import (
    PairwiseCounts,
    count,
    count_compatible,
    weighed,
    weighed_compatible,
)
from nbrank.arrays.profile import Missing, Profile, fill_median, fill_worst

View = TypeVar("View", Profile, PairwiseCounts, Standings)


@dataclass(frozen=True)
class Seen(Generic[View]):
    """A view of votes, as a rule is to see it."""

    #: What is seen, of all systems.
    view: View
    #: The systems that the rule sees, as candidates and opponents.
    part: Bools
    #: Those of them that it ranks; the others have no score at all.
    scored: Bools

    def scores(self, rule: Callable[[View], Floats]) -> Floats:
        """The rule's score of each system; NaN for one that it doesn't rank."""
        result = np.full(len(self.part), np.nan)
        if self.scored.any():
            result[self.part] = rule(among(self.view, self.part))
            result[~self.scored] = np.nan
        return result


def among(view: View, part: Bools) -> View:
    """The same view of these systems only."""
    if part.all():
        return view
    if isinstance(view, Mapping):
        positions = np.flatnonzero(part)
        return cast("View", {w: counts.of(positions) for w, counts in view.items()})
    return view.of(part)


class Views(ABC):
    """Votes without labels and weights of their own: what the views are taken of."""

    @property
    @abstractmethod
    def scored(self) -> Bools:
        """Which systems have a score at all."""

    @abstractmethod
    def among(self, part: Bools) -> Self:
        """The same votes about these systems only; counts can't leave out one that has a score."""

    @abstractmethod
    def standings(self, missing: Missing) -> Seen[Standings]:
        """How high each system stands."""

    @abstractmethod
    def pairs(self, missing: Missing) -> Seen[PairwiseCounts]:
        """Who beats whom, how often."""

    def _seen(self, view: View, missing: Missing) -> Seen[View]:
        everyone = np.ones_like(self.scored)
        # Below all others is a place, so that the unscored are opponents there, or count as such.
        part = everyone if missing in ("compatible", "worst", "zero") else self.scored
        return Seen(view, part, everyone if missing == "compatible" else self.scored)


@dataclass(frozen=True, eq=False)
class Ballots(Views):
    """Ballots as they were cast."""

    #: The ballots.
    profile: Profile
    _pairs: dict[Missing, PairwiseCounts] = field(default_factory=dict, repr=False)

    @cached_property
    def scored(self) -> Bools:  # noqa: D102
        return np.asarray(np.logical_not(np.isnan(self.profile.scores)).any(axis=1))

    def among(self, part: Bools) -> Ballots:  # noqa: D102
        return Ballots(self.profile.of(part))

    def scores(self, missing: Missing) -> Seen[Profile]:
        """The scores to be averaged, missing ones filled in as they are to count."""
        scores = self.profile.scores
        if missing == "worst":
            scores = fill_worst(scores)
        elif missing == "median":
            # Who has no score at all is given none.
            scores = np.where(self.scored[:, None], fill_median(scores), np.nan)
        return self._seen(Profile(scores, self.profile.weights), missing)

    def ballots(self, missing: Missing) -> Seen[Profile]:
        """The ballots as rules on places see them; a score that stands alone compares nobody."""
        if missing == "ignore":
            return self._seen(self.profile.beside_others(), missing)
        return self.scores(missing)

    def standings(self, missing: Missing) -> Seen[Standings]:  # noqa: D102
        return cast("Seen[Standings]", self.ballots(missing))

    def pairs(self, missing: Missing) -> Seen[PairwiseCounts]:  # noqa: D102
        # A dozen rules on one leaderboard start from the same counts.
        if missing not in self._pairs:
            seen = self.scores(missing).view
            counts = count_compatible(seen) if missing == "compatible" else count(seen)
            counts.wins.flags.writeable = counts.ties.flags.writeable = False
            self._pairs[missing] = counts
        return self._seen(self._pairs[missing], missing)


@dataclass(frozen=True, eq=False)
class Counts(Views):
    """Ballots of which only counts are left."""

    #: Weight -> the counts of the ballots that have it.
    by_weight: Mapping[float, BallotCounts]

    @cached_property
    def scored(self) -> Bools:  # noqa: D102
        scored = [counts.places.scored for counts in self.by_weight.values()]
        return np.asarray(np.any(scored, axis=0))

    def among(self, part: Bools) -> Counts:  # noqa: D102
        positions = np.flatnonzero(part)
        return Counts({weight: one.of(positions) for weight, one in self.by_weight.items()})

    def _places(self, missing: Missing) -> Mapping[float, PlaceCounts]:
        every = {"worst": PlaceCounts.missing_last, "ignore": PlaceCounts.beside_others}
        seen = every.get(missing, lambda places: places)
        return {weight: seen(counts.places) for weight, counts in self.by_weight.items()}

    def standings(self, missing: Missing) -> Seen[Standings]:  # noqa: D102
        return self._seen(self._places(missing), missing)

    def pairs(self, missing: Missing) -> Seen[PairwiseCounts]:  # noqa: D102
        if missing == "compatible":
            return self._seen(weighed_compatible(self.by_weight), missing)
        return self._seen(weighed(self._places(missing)), missing)


@dataclass(frozen=True, eq=False)
class Battles(Views):
    """Comparisons of two systems at a time: each is a ballot with those two on it."""

    #: The weight of wins and ties of each pair.
    counts: PairwiseCounts

    @property
    def scored(self) -> Bools:  # noqa: D102
        return np.ones(len(self.counts.wins), dtype=bool)

    def among(self, part: Bools) -> Battles:  # noqa: D102
        return replace(self, counts=self.counts.of(part))

    def standings(self, missing: Missing) -> Seen[Standings]:  # noqa: D102
        wins, ties = self.counts.wins, self.counts.ties
        n_systems = len(wins)
        below, tied, observed = np.zeros((3, n_systems, n_systems + 1))
        below[:, 2], tied[:, 2] = wins.sum(axis=1), ties.sum(axis=1)
        observed[:, 2] = below[:, 2] + wins.sum(axis=0) + tied[:, 2]
        n_ballots = np.zeros(n_systems + 1)
        n_ballots[2] = self.counts.total
        # Weights, and not whole numbers, where comparisons have them.
        counts = (wins, ties, below, tied, observed, n_ballots)
        places = PlaceCounts(*(cast("Ints", count) for count in counts))
        return self._seen({1.0: places.missing_last() if missing == "worst" else places}, missing)

    def pairs(self, missing: Missing) -> Seen[PairwiseCounts]:  # noqa: D102
        return self._seen(self.counts, missing)
