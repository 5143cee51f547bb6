"""Which column of a table repeats what the others of its rows come to."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.kinds import Floats

#: A column of noise comes so near to a figure of the others once in a million tables.
_BY_CHANCE = 1e-6


def means_and_sums(table: Floats) -> dict[str, Floats]:
    """For each cell, the mean and the sum of the others of its row."""
    there = ~np.isnan(table)
    filled = np.where(there, table, 0.0)
    n_others = there.sum(axis=1, keepdims=True) - there
    with np.errstate(invalid="ignore"):  # of infinite scores
        sums = np.where(n_others > 0, filled.sum(axis=1, keepdims=True) - filled, np.nan)
    return {"the mean": sums / np.maximum(n_others, 1), "the sum": sums}


def column_like(table: Floats, others: Floats, near: float = 0.0) -> int | None:
    """The first column that repeats what the others of each row come to, and hardly by chance.

    >>> table = np.array([[11.0, 12.0, 11.5], [23.0, 25.0, 24.0], [32.0, 38.0, 35.0]])
    >>> [column_like(table, of_others) for of_others in means_and_sums(table).values()]
    [2, None]
    """
    if min(table.shape) < 3 or np.isinf(table).any():
        return None
    largest = np.nanmax(np.abs(table), axis=0, initial=0.0)
    apart = np.abs(table - others)
    there = ~np.isnan(apart)
    for number in np.flatnonzero((apart > 0.05 * largest).sum(axis=0) <= 0.05 * len(table)):
        column, away = table[there[:, number], number], apart[there[:, number], number]
        if len(column) < 3:
            continue
        decimals = max(len(repr(value).partition(".")[2]) for value in column[:100].tolist())
        # A published figure may have been cut off, and one of twenty be of another version; one of
        # single precision has seven digits.
        step = max(1.01 * 10.0 ** -min(decimals, 12), 1e-6 * largest[number], near)
        chance = (2 * step / max(np.ptp(column), 2 * step)) ** len(column)
        rest = np.delete(table, number, axis=1) - table[:, [number]]
        repeated = not (np.abs(rest) > step).any()
        if chance < _BY_CHANCE and not repeated and (away <= step).mean() >= 0.95:
            return int(number)
    return None
