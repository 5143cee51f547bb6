"""Rules that are means over the ballots: what each ballot adds, and how large that can be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.averages import Cells
from nbrank.arrays.kinds import Array, Bools, Floats
from nbrank.arrays.parts import slices
from nbrank.arrays.points import VectorFamily, points
from nbrank.arrays.profile import Missing, Profile, Ties

#: The value of each system on each ballot, and where it counts (None: everywhere).
Values = tuple[Array, Bools | None]

#: Ballots whose places are looked at a time.
_BALLOTS = 1 << 14


@dataclass(frozen=True)
class Additive:
    """How a rule, with given arguments, is a mean over ballots."""

    #: From ballots to the value of each system on each of them.
    values: Callable[[Profile], Values]
    #: What a ballot counts at most.
    most: float = 0.0
    #: From scores to the cells on whose size the ties hang; None for a rule that counts, whose ties
    #: hang on `most`.
    cells: Cells | None = None
    #: From these means to the rule's scores, in the same order, where they are others.
    score: Callable[[Floats], Floats] | None = None


def of_cells(cells: Cells) -> Additive:
    """A rule that averages what a score stands for."""
    return Additive(
        lambda profile: (cells(profile.scores, slice(None)), profile.observed), cells=cells
    )


def of_places(value: Callable[[Profile], Values], most: float) -> Additive:
    """A rule that averages something of places, which is looked at for some ballots at a time."""

    def valued(profile: Profile) -> Values:
        n_ballots = len(profile.weights)
        if n_ballots <= _BALLOTS:
            return value(profile)
        values = np.empty(profile.scores.shape)
        everywhere, counted = True, np.ones(profile.scores.shape, dtype=bool)
        for block in slices(0, n_ballots, _BALLOTS):
            values[:, block], where = value(profile.on(block))
            if where is not None:
                everywhere, counted[:, block] = False, where
        return values, None if everywhere else counted

    return Additive(valued, most)


def of_points(family: VectorFamily, missing: Missing, ties: Ties, n_systems: int) -> Additive:
    """A rule that adds up the points of places."""
    most = float(np.abs(family(n_systems)).max())
    return of_places(lambda profile: (points(profile, family, missing, ties), None), most)
