"""Columns that sum up the others: means, sums and mean win rates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Floats
from nbrank.arrays.profile import ratio

#: A column of noise comes so near to such a figure once in a million tables.
_BY_CHANCE = 1e-6


def summary_of_others(table: Floats) -> tuple[int, str] | None:
    """The first column that is the mean, the sum or the mean win rate of the others, if any is.

    >>> summary_of_others(np.array([[11.0, 12.0, 11.5], [23.0, 25.0, 24.0], [32.0, 38.0, 35.0]]))
    (2, 'the mean')
    """
    if min(table.shape) < 3:
        return None
    largest = np.nanmax(np.abs(table), axis=0, initial=0.0)
    for what, of_others in _summaries(table):
        apart = np.abs(table - of_others)
        there = ~np.isnan(apart)
        for number in np.flatnonzero((apart > 0.05 * largest).sum(axis=0) <= 0.05 * len(table)):
            column, away = table[there[:, number], number], apart[there[:, number], number]
            if len(column) < 3:
                continue
            decimals = max(len(repr(value).partition(".")[2]) for value in column[:100].tolist())
            # A published figure may have been cut off, and one of twenty be of another version.
            step = max(1.01 * 10.0 ** -min(decimals, 12), 1e-9 * largest[number])
            step = max(step, 0.01) if "win" in what else step
            chance = (2 * step / max(np.ptp(column), 2 * step)) ** len(column)
            rest = np.delete(table, number, axis=1) - table[:, [number]]
            repeated = not (np.abs(rest) > step).any()
            if chance < _BY_CHANCE and not repeated and (away <= step).mean() >= 0.95:
                return int(number), what
    return None


def _summaries(table: Floats) -> Iterator[tuple[str, Floats]]:
    """For each cell, what the others of its row come to."""
    there = ~np.isnan(table)
    n_others = there.sum(axis=1, keepdims=True) - there

    def added(cells: Floats) -> Floats:
        filled = np.where(there, cells, 0.0)
        rest: Floats = filled.sum(axis=1, keepdims=True) - filled
        return rest

    yield "the mean", ratio(added(table), n_others)
    yield "the sum", np.where(n_others > 0, added(table), np.nan)
    places = pd.DataFrame(table).rank().to_numpy()
    beaten = (places - 1) / np.maximum(there.sum(axis=0) - 1, 1)
    yield "the mean win rate", ratio(added(beaten), n_others)
