"""Cells as floats that compare as the cells do, or rounded; errors name the cell at fault."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Array, Floats
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import Labelled, is_labelled
from nbrank.votes.table.task_options import TaskIndex

#: Number of decimals to which scores are rounded: on all tasks, or task (or group) -> number.
Decimals = int | Mapping[Any, int] | pd.Series | None

#: Smallest integer from which on not every integer is a float.
_TOO_LARGE = 2**53
#: Pattern of a whole number with commas between thousands.
_THOUSANDS = r"^-?\d{1,3}(?:,\d{3})+(?=$|\.\d+$)"


def cells_to_floats(scores: pd.DataFrame, location: str = "") -> Array:
    """Convert the scores to floats, NaN if one is missing, also in columns of Python objects."""
    check_numeric(scores, location)
    wide = [
        label
        for label, dtype in zip(scores.columns, scores.dtypes, strict=True)
        if isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize > 8
    ]
    if wide:
        raise TypeError(
            f"{format_labels(wide)} holds long doubles{location}, which are compared as float64; "
            "convert"
        )
    if not any(map(_holds_objects, scores.dtypes)):
        values = scores.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    else:
        values = np.empty(scores.shape)
        for position, dtype in enumerate(scores.dtypes):
            column = scores.iloc[:, position]
            values[:, position] = (
                _exact_floats(column, location)
                if _holds_objects(dtype)
                else column.to_numpy(dtype=np.float64, na_value=np.nan)
            )
    for position, dtype in enumerate(scores.dtypes):
        if pd.api.types.is_integer_dtype(dtype):
            large = np.abs(values[:, position]) >= _TOO_LARGE
            if large.any():
                raise _precision_error(scores.iloc[:, position], int(large.argmax()), location)
    return np.ascontiguousarray(values)


def _holds_objects(dtype: Any) -> bool:
    """Return whether numbers of the type are Python objects, as decimals of Arrow are."""
    return dtype == np.dtype(object) or (
        isinstance(dtype, pd.ArrowDtype) and issubclass(dtype.type, Decimal)
    )


def check_numeric(scores: pd.DataFrame, location: str = "") -> None:
    """Refuse columns that do not hold numbers; name them, and suggest a fix."""
    at_fault: dict[Label, tuple[pd.Series, int | None]] = {}
    rows: set[int] = set()
    for position, (label, dtype) in enumerate(zip(scores.columns, scores.dtypes, strict=True)):
        if _is_number(dtype):
            continue
        column = scores.iloc[:, position]
        wrong = column.notna().to_numpy(dtype=bool)
        if dtype == np.dtype(object):
            wrong = wrong & np.array([not _is_number_cell(cell) for cell in column], dtype=bool)
            if not wrong.any():
                continue
        if pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype):
            # A single cell that is not a number turns a whole column into text.
            unread = wrong & pd.to_numeric(column, errors="coerce").isna().to_numpy(dtype=bool)
            wrong = unread if unread.any() else wrong
        at_fault[label] = column, int(wrong.argmax()) if wrong.any() else None
        rows.update(np.flatnonzero(wrong).tolist())
    if not at_fault:
        return
    raise TypeError(
        f"scores must be numbers, but {format_labels(at_fault)} "
        f"{'holds' if len(at_fault) == 1 else 'hold'} something else{location}"
        f"{_describe_first_cell(*next(iter(at_fault.values())))}; "
        f"{_suggest_fix(scores, at_fault, rows)}"
    )


def _describe_first_cell(column: pd.Series, row: int | None) -> str:
    """Describe the first cell at fault: its value, its row, its column."""
    if row is None:
        return ""
    system, task = format_labels([column.index[row]]), format_labels([column.name])
    return f" (the first: {_display_cell(column, row)!r} of {system} on {task})"


def _display_cell(column: pd.Series, row: int) -> Any:
    cell = column.iloc[row]
    return cell.item() if isinstance(cell, np.generic) else cell


#: Calls that make numbers of texts, in the order in which they are tried.
_CONVERSIONS: dict[str, Callable[[pd.Series], pd.Series]] = {
    "": lambda cells: cells,
    ".str.rstrip('%')": lambda cells: cells.str.rstrip("%"),
    ".str.replace(',', '')": lambda cells: cells.str.replace(_THOUSANDS, "0", regex=True),
    ".str.replace(',', '.')": lambda cells: cells.str.replace(r",(?=\d+$)", ".", regex=True),
}


def _suggest_fix(
    scores: pd.DataFrame, faulty: dict[Label, tuple[pd.Series, int | None]], rows: set[int]
) -> str:
    """Suggest the call that converts the cells at fault to numbers, or drops these rows."""
    first, (column, row) = next(iter(faulty.items()))
    if len(rows) == 1 < min(len(faulty), len(scores)):
        whole = scores.iloc[list(rows)]
        if len(faulty) == whole.notna().to_numpy().sum():
            drop = f"df.drop(index={list(whole.index)!r}).astype(float)"
            return f"leave out the row that holds no scores: {drop}"
    words = [label for label, (cells, _) in faulty.items() if _has_no_numbers(cells)]
    if layout := _suggest_layout(scores, faulty, words):
        return layout
    texts = column.dropna().astype(str).str.strip()
    for change, convert in _CONVERSIONS.items():
        if pd.to_numeric(convert(texts), errors="coerce").notna().all():
            return f"make numbers of them: pd.to_numeric(df[{first!r}]{change})"
    if row is not None and str(_display_cell(column, row)).strip()[:1].isdigit():
        return "nbrank.read(df) reads such cells, or sets the column aside"
    if first in words:
        return f"leave out columns that are not scores: df.drop(columns={words[:8]!r})"
    return (
        f"pd.to_numeric(df[{first!r}], errors='coerce') makes missing scores of the cells that are "
        "not numbers"
    )


def _suggest_layout(
    scores: pd.DataFrame, faulty: dict[Label, tuple[pd.Series, int | None]], words: list[Label]
) -> str:
    """Suggest the call for a table whose rows are not systems; empty if they may be."""
    column = next(iter(faulty.values()))[0]
    if "winner" in faulty and len(words) > 2:
        return (
            "if each row is a comparison, use nbrank.from_comparisons(df, left=, right=, winner=)"
        )
    is_long = len(words) > 1 and len(scores.columns) - len(faulty) <= 1
    if is_long and words[0] == scores.columns[0] and column.duplicated().any():
        return (
            f"if each row is one score, use nbrank.from_long(df, system={words[0]!r}, "
            f"task={words[1]!r}, score=...)"
        )
    if not isinstance(scores.index, pd.RangeIndex) or len(scores.columns) == 1 or not words:
        return ""
    # The index alone would leave other words, or rank the runs of a system as systems.
    if words != [scores.columns[0]] or not column.is_unique:
        return "read the table with nbrank.read(df), which tells names from scores"
    return (
        f"if it names the systems, make it the index: df.set_index({words[0]!r}), or "
        f"pd.read_csv(file, index_col=0)"
    )


def _has_no_numbers(column: pd.Series) -> bool:
    """Return whether no cell of a column is a number, even with a percent sign or commas."""
    cells = column.dropna().astype(str).str.strip().str.rstrip("%").str.replace(",", "")
    return bool(len(cells) and pd.to_numeric(cells, errors="coerce").isna().all())


def _is_number(dtype: Any) -> bool:
    """Return whether a type has only numbers, which have an order; truth values are 0 and 1."""
    types = pd.api.types
    # Booleans of Arrow are not numbers to pandas, though those of numpy are.
    numeric = types.is_numeric_dtype(dtype) or types.is_bool_dtype(dtype)
    return (
        numeric and not types.is_complex_dtype(dtype) and not isinstance(dtype, pd.CategoricalDtype)
    )


def _is_number_cell(cell: object) -> bool:
    # Numpy counts its spans of time among the integers.
    return isinstance(cell, Real | Decimal | np.bool_) and not isinstance(cell, np.timedelta64)


def _exact_floats(column: pd.Series, location: str) -> Floats:
    """Convert a column of Python objects, all numbers or missing, each to its float."""
    missing = column.isna().to_numpy(dtype=bool)
    cells = column.to_numpy(dtype=object)
    values = np.full(len(cells), np.nan)
    fractions = any(isinstance(cell, Fraction) for cell in cells)
    taken: dict[float, Fraction] = {}
    for row in np.flatnonzero(~missing).tolist():
        cell = cells[row]
        is_exact = _is_float_exact(cell)
        values[row] = value = float(cell) if is_exact else np.nan
        # Two different numbers must not become equal as floats.
        if is_exact and fractions and np.isfinite(value):
            exact = Fraction(cell.item() if isinstance(cell, np.generic) else cell)
            is_exact = taken.setdefault(value, exact) == exact
        if not is_exact:
            raise _precision_error(column, row, location)
    return values


def _is_float_exact(cell: Any) -> bool:
    """Return whether a float represents the number exactly."""
    if isinstance(cell, Fraction | int | np.integer):
        return abs(int(cell)) < _TOO_LARGE
    if isinstance(cell, Decimal):
        # A float represents the shortest decimal that is read as it.
        return not cell.is_finite() or Decimal(repr(float(cell))) == cell
    return bool(cell == float(cell))


def _precision_error(column: pd.Series, row: int, location: str) -> ValueError:
    cell = column.iloc[row]
    digits = "more digits than floats have"
    what, advice = (
        ("integers from 2 ** 53 on", "rescale them")
        if isinstance(cell, int | np.integer)
        else (f"decimals of {digits}", "round them")
        if isinstance(cell, Decimal)
        else (f"numbers of {digits}", "round them")
    )
    return ValueError(
        f"{format_labels([column.name])} holds {what}{location}, which can't be told apart as "
        f"floats; {advice}{_describe_first_cell(column, row)}"
    )


def parse_decimals(names: TaskIndex, decimals: int | Labelled) -> Floats:
    """Return the number of decimals to which each task is rounded; NaN for exact tasks."""
    result = np.full(len(names.tasks), np.nan)
    options: Labelled = dict.fromkeys(names.tasks, decimals)
    if is_labelled(decimals):
        options = decimals
    for task, places in options.items():
        if isinstance(places, bool) or not hasattr(places, "__index__"):
            raise TypeError(f"decimals: {places!r} is not a whole number of decimals")
        result[names.member_positions(task, "decimals")] = int(places)
    return result


def round_values(values: Array, decimals: Floats) -> Array:
    """Round the values to the decimals of each column; keep columns whose decimals are NaN."""
    if np.isnan(decimals).all():
        return values
    result = values.astype(np.float64)
    for places in np.unique(decimals[~np.isnan(decimals)]):
        columns = decimals == places
        result[:, columns] = np.round(result[:, columns], int(places))
    return result
