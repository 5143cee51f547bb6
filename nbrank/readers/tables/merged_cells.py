"""Cells of a column that are given once for several rows, as spreadsheets merge them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.votes.user_warnings import warn_user


def fill_merged_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Fill the empty cells of a column with the name above them, if each name has the same rows.

    >>> import warnings
    >>> frame = pd.DataFrame({"lang": ["de", "", "sw", ""], "system": ["A", "B", "A", "B"]})
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     fill_merged_cells(frame)["lang"].tolist()
    ['de', 'de', 'sw', 'sw']
    """
    for at, name in enumerate(frame.columns):
        cells = frame.iloc[:, at]
        empty = (cells.isna() | cells.isin([""])).to_numpy(dtype=bool)
        names = cells[~empty].astype(str)
        if len(names) < 2 or empty[0] or not names.is_unique or 3 * empty.sum() < len(empty):
            continue
        others = [other for other in range(frame.shape[1]) if other != at]
        block: NDArray[np.int64] = np.cumsum(~empty, dtype=np.int64)
        same = next((o for o in others if _repeats_in_blocks(frame.iloc[:, o], block)), None)
        if same is None:
            continue
        warn_user(
            f"{frame.attrs.get('file', 'the table')}: the empty cells of {name!r} are read as the "
            f"name above them, since each has the same {frame.columns[same]!r}"
        )
        result = frame.copy()
        result.isetitem(at, cells.astype(object).mask(empty).ffill().tolist())
        return result
    return frame


def _repeats_in_blocks(cells: pd.Series, block: NDArray[np.int64]) -> bool:
    """Return whether a column has the same distinct cells in each block of rows."""
    rows = cells.astype(str).str.strip().groupby(block).agg(tuple)
    first = rows.iloc[0]
    return len(first) > 1 and len(set(first)) == len(first) and set(rows) == {first}
