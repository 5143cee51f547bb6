"""What a table itself demands: who stands above another, and who wins or loses, beyond doubt."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.pair_counts import count
from nbrank.axioms.trial import Trial, axiom


@axiom(
    "who is above another on every task is ranked strictly above it",
    examined="all pairs of systems",
    source="Arrow 1951",
)
def unanimity(trial: Trial) -> Iterator[str]:
    """What all tasks say is what the rule says."""
    table = trial.table
    for better, worse in itertools.permutations(range(len(table.systems)), 2):
        if (table.scores[better] > table.scores[worse]).all():
            trial.examined += 1
            a, b = table.systems[better], table.systems[worse]
            ranks = trial.before.ranks
            if ranks[a] >= ranks[b]:
                yield (
                    f"{a!r} is above {b!r} on every task, but has rank {ranks[a]}, "
                    f"{b!r} {ranks[b]}."
                )


@axiom(
    "who is best on tasks of more than half the weight is the only winner",
    examined="the table itself",
    source="Condorcet 1785",
)
def majority(trial: Trial) -> Iterator[str]:
    """Most of the weight has its way."""
    table = trial.table
    total = table.weights.sum()
    for system, label in enumerate(table.systems):
        # A task on which another system has no score (NaN) has no best one that is known.
        others = np.delete(table.scores, system, axis=0).max(axis=0, initial=-np.inf)
        weight = table.weights[table.scores[system] > others].sum()
        if weight > total / 2:
            trial.examined += 1
            if trial.before.winners != (label,):
                yield (
                    f"{label!r} is best on tasks of weight {weight:g} of {total:g}, "
                    f"but {trial.before.said}."
                )


@axiom(
    "who beats every other one against one is the only winner",
    examined="the table itself",
    source="Condorcet 1785",
)
def condorcet_winner(trial: Trial) -> Iterator[str]:
    """Nobody but the one that nobody beats."""
    for system, label in enumerate(trial.table.systems):
        if (_margins(trial, system) > 0).all():
            trial.examined += 1
            if trial.before.winners != (label,):
                yield f"{label!r} beats every other, but {trial.before.said}."


@axiom(
    "who loses to every other one against one never wins",
    examined="the table itself",
    source="Fishburn 1977",
)
def condorcet_loser(trial: Trial) -> Iterator[str]:
    """Anybody but the one that everybody beats."""
    for system, label in enumerate(trial.table.systems):
        margins = _margins(trial, system)
        if len(margins) and (margins < 0).all():
            trial.examined += 1
            if label in trial.before.winners:
                yield f"{label!r} loses to every other, but {trial.before.said}."


def _margins(trial: Trial, system: int) -> NDArray[np.float64]:
    """A system's margins over the others."""
    return np.delete(count(trial.board.profile()).margins[system], system)
