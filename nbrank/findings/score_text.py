"""Scores in words and in columns: what a score counts, and the decimals that a task has."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

#: How many digits a score in a table of scores has at most.
_MAX_DIGITS = 5


def describe_score(counts: str, unit: str = "task", weighed: bool = False) -> str:
    """Fill in what a rule counts, as it does on this table."""
    by_weight = " by weight" if weighed else ""
    return counts.format(task=unit, tasks=f"{unit}s", weighed=by_weight)


def format_score_column(values: NDArray[np.float64]) -> list[str]:
    """Format the scores of a task with the decimals that they have, up to five digits in all.

    >>> format_score_column(np.array([93.5, 4, -0.25, np.nan]))
    ['93.50', '4.00', '−0.25', '']
    """
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max(initial=0))
    before = math.floor(math.log10(largest)) + 1 if largest else 1
    most = max(0, _MAX_DIGITS - max(before, 0))
    decimals = next((n for n in range(most) if np.allclose(known, known.round(n), 0, 1e-9)), most)
    return [
        f"{value + 0.0:.{decimals}f}".replace("-", "−") if math.isfinite(value) else ""
        for value in values.tolist()
    ]
