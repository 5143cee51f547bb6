"""Look-up of columns by their names, and simple properties of their cells."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.votes.table.reading import column_key


def find_missing_marker(column: NDArray[np.float64]) -> int | None:
    """Find the mark of missing scores, such as -99: the only score below 0; -1 if others exceed 1.

    >>> [find_missing_marker(np.array([0.3, mark])) for mark in (-99.0, -1.0)]
    [-99, None]
    """
    below = np.unique(column[column < 0])
    marks = len(below) == 1 and below[0] in (-1, -99, -999, -9999)
    return int(below[0]) if marks and np.nanmax(column) > (1 if below[0] == -1 else 0) else None


def find_column(names: Sequence[object], wanted: object) -> int | None:
    """Find the position of a column by its name, its bare name without a group, or as a text."""
    for same in (
        lambda name: name == wanted,
        lambda name: isinstance(name, tuple) and name[-1] == wanted,
        lambda name: str(wanted) in (str(name), column_key(name)),
    ):
        places = [place for place, name in enumerate(names) if same(name)]
        if len(places) == 1:
            return places[0]
    return None


def is_text(column: pd.Series) -> bool:
    """Return whether a column holds names: texts without a number among them."""
    cells = column.dropna().unique()
    return len(cells) > 0 and not any(map(is_text_number, cells))
