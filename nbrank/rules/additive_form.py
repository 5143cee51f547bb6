"""The form of rules that are means over the ballots, which questions of uncertainty use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots import positional_scoring as arrays
from nbrank.arrays.ballots.profile import Missing, Profile, Ties
from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Array, Bools, CellTransform, Floats

#: The value of each system on each ballot, and where it counts (None: everywhere).
BallotValues = tuple[Array, Bools | None]

#: Ballots whose places are looked at a time.
_BALLOTS = 1 << 14


@dataclass(frozen=True)
class AdditiveForm:
    """How a rule, with given arguments, is a mean over ballots."""

    #: From ballots to the value of each system on each of them.
    values: Callable[[Profile], BallotValues]
    #: The largest contribution of a ballot.
    max_value: float = 0.0
    #: From scores to the cells on whose size the ties hang; None for a rule that counts, whose ties
    #: hang on `max_value`.
    transform: CellTransform | None = None
    #: From these means to the rule's scores, in the same order, if they are others.
    score: Callable[[Floats], Floats] | None = None

    @classmethod
    def from_transform(cls, cells: CellTransform) -> AdditiveForm:
        """Make the form of a rule that averages transformed scores."""
        return cls(
            lambda profile: (cells(profile.scores, slice(None)), profile.observed), transform=cells
        )

    @classmethod
    def from_places(
        cls, value: Callable[[Profile], BallotValues], max_per_ballot: float
    ) -> AdditiveForm:
        """Make the form of a rule that averages a function of places, some ballots at a time."""

        def place_values(profile: Profile) -> BallotValues:
            n_ballots = len(profile.weights)
            if n_ballots <= _BALLOTS:
                return value(profile)
            values = np.empty(profile.scores.shape)
            everywhere, counted = True, np.ones(profile.scores.shape, dtype=bool)
            for block in chunk_slices(0, n_ballots, _BALLOTS):
                values[:, block], where = value(profile.select_ballots(block))
                if where is not None:
                    everywhere, counted[:, block] = False, where
            return values, None if everywhere else counted

        return cls(place_values, max_per_ballot)

    @classmethod
    def from_points(
        cls, family: arrays.ScoringVectorFactory, missing: Missing, ties: Ties, n_systems: int
    ) -> AdditiveForm:
        """Make the form of a rule that adds up the points of places."""
        most = float(np.abs(family(n_systems)).max())
        return cls.from_places(
            lambda profile: (arrays.points(profile, family, missing, ties), None), most
        )
