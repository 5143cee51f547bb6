"""Cells of a frame before it is read: merged ones, lists, and marks of missing scores."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.cell_parsing import (
    is_number,
    is_text_number,
    parse_cell,
    parse_column,
    strip_markup,
)
from nbrank.readers.tables.column import is_text
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
        if empty[:1].any() or 3 * empty.sum() < len(empty):
            continue
        names = cells[~empty].astype(str)
        if len(names) < 2 or not names.is_unique:
            continue
        others = [other for other in range(frame.shape[1]) if other != at]
        block: NDArray[np.int64] = np.cumsum(~empty, dtype=np.int64)
        is_name = is_text(cells[~empty])
        same = next(
            (o for o in others if _repeats_in_blocks(frame.iloc[:, o], block, is_name)), None
        )
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


def _repeats_in_blocks(cells: pd.Series, block: NDArray[np.int64], is_name: bool) -> bool:
    """Return whether the blocks of rows have the same distinct cells of a column.

    Below names, a block may lack some words of the longest, but not the first.
    """
    rows = cells.astype(str).str.strip().groupby(block).agg(tuple)
    longest = max(rows, key=len)
    if not (is_name and is_text(cells) and "" not in longest):
        return len(longest) > 1 and len({*longest}) == len(longest) and {*rows} == {longest}
    return len(longest) > 1 and all(
        row[0] == longest[0] and len({*row}) == len(row) and {*row} <= {*longest} for row in rows
    )


#: Pattern of the beginning of a name that continues the one above: + X, w/o X.
_CONTINUES = re.compile(r"[^\w\s(\[*'\"]|w/|with", re.IGNORECASE)


def name_variants(frame: pd.DataFrame) -> pd.DataFrame:
    """Name rows such as "+ X", which come again, by the name above them, too.

    >>> import warnings
    >>> frame = pd.DataFrame({"model": ["A", "+ X", "B", "+ X"], "t": [1, 2, 3, 4]})
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     name_variants(frame)["model"].tolist()
    ['A', 'A + X', 'B', 'B + X']
    """
    for at, name in enumerate(frame.columns):
        cells = frame.iloc[:, at]
        texts = pd.Series([str(cell).strip() for cell in cells], dtype=object)
        is_variant = np.array([bool(_CONTINUES.match(text)) for text in texts])
        again = texts[texts.duplicated(keep=False)]
        if not len(again) or is_variant[0] or not is_variant[again.index].all():
            continue
        above = texts.mask(is_variant).ffill()
        named = texts.where(~is_variant, above + " " + texts)
        if not named.is_unique or any(map(is_text_number, again)):
            continue
        warn_user(
            f"{frame.attrs.get('file', 'the table')}: rows of {name!r} are read as variants of the "
            f"row above them, such as {named[is_variant].iloc[0]!r}"
        )
        result = frame.copy(deep=False)
        result.isetitem(at, named.tolist())
        return result
    return frame


def flatten_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Convert lists and records in cells to texts.

    >>> flatten_cells(pd.DataFrame({"t": [[1, 2], 3]}))["t"].tolist()
    ['[1, 2]', 3]
    """
    result = frame.copy(deep=False)
    for at in range(frame.shape[1]):
        cells = frame.iloc[:, at]
        if pd.api.types.is_object_dtype(cells.dtype) and any(map(_is_nested, cells)):
            result.isetitem(at, [str(cell) if _is_nested(cell) else cell for cell in cells])
    return result


def _is_nested(cell: object) -> bool:
    return isinstance(cell, list | dict | set | tuple | np.ndarray)


def mark_missing(frame: pd.DataFrame, na: Iterable[object]) -> pd.DataFrame:
    """Empty the cells in which scores are marked as missing.

    A mark counts in a column of scores: one that holds only numbers, marks and empty cells.
    A system that is named like a mark keeps its name.

    >>> frame = pd.DataFrame({"driver": ["DNS", "B"], "t": ["DNS", "3"], "u": [-99, 2]})
    >>> mark_missing(frame, ["DNS", -99]).to_dict("list")
    {'driver': ['DNS', 'B'], 't': [nan, '3'], 'u': [nan, 2.0]}
    """
    marks = [na] if isinstance(na, str) or not isinstance(na, Iterable) else list(na)
    if not marks:
        return frame
    wanted = {*map(_mark_key, marks)}
    result = frame.copy(deep=False)
    for at in range(frame.shape[1]):
        column = frame.iloc[:, at]
        values = [cell for cell in column.unique() if isinstance(cell, str) or is_number(cell)]
        missing = [cell for cell in values if _mark_key(cell) in wanted]
        others = [cell for cell in values if cell not in missing]
        probed = pd.Series(others if missing else [], dtype=object)
        read = parse_column(probed, decimal_comma=True)
        if missing and len(read.unparsed_rows) <= read.n_scores:  # else they are names
            # Before pandas 3 a column of texts only is of objects, too.
            is_mixed = column.dtype == object and pd.api.types.infer_dtype(column) != "string"
            gap = "" if is_mixed else float("nan")
            result.isetitem(at, column.where(~column.isin(missing), gap).array)
    return result


def _mark_key(cell: Any) -> float | str:
    """Return what cells and marks that mean the same share: a number, or the bare text."""
    text = strip_markup(str(cell)) or str(cell).strip()
    number = parse_cell(text)
    return text.lower() if number is None or math.isnan(number.score) else number.score
