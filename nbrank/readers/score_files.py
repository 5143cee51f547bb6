"""Files of scores: a CSV, TSV or Parquet file as a frame, what it calls things kept as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.exact_csv import read_csv
from nbrank.readers.parquet_files import unreadable
from nbrank.votes.caller import warn_caller
from nbrank.votes.naming import counted, named

#: The cells of a CSV file that hold no score.
NOT_EVALUATED = ("", "-", "NA", "N/A", "n/a", "NaN", "nan", "None", "null")

#: What no file of scores has in it: parted by it, each line is one cell.
_NO_MARK = "\x1f"

#: What else may stand between the cells -> what it is called.
_OTHER_MARKS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_scores(
    file: str | bytes,
    *,
    index_col: str | None = None,
    drop: Sequence[str] = (),
    groups: bool = False,
) -> pd.DataFrame:
    r"""Read a table of scores, with the systems (and instances) in its rows.

    Parameters
    ----------
    file
        The path of a CSV, TSV (its name ends in .tsv) or Parquet file, or the
        content of a CSV file.
    index_col
        The column that names the systems. None takes the columns `system` and
        `instance` where both are there, else the first column.
    drop
        Columns that are no tasks.
    groups
        Whether a CSV file has two header rows: the group of each column, then
        its task.

    Returns
    -------
    pandas.DataFrame
        A row for each system, its name a text; a column for each task, NaN
        where a cell is one of `NOT_EVALUATED`. With `groups` the columns are a
        MultiIndex; with a column `instance` the rows are one.

    Raises
    ------
    OSError
        If the file can't be opened.
    ValueError
        If the file is no table of cells parted by commas, in UTF-8; if a row has
        more or fewer cells than there are names above them; if `groups` is asked
        for and there is one row of names; if a system or a column has no name; if
        cells hold no numbers; or if a column that is asked for is not there.

    Warns
    -----
    UserWarning
        Where the first row under two header rows is left out, because it names
        the systems' column and holds no score.

    Examples
    --------
    >>> read_scores(b"model,t1,t2\nA,1,2\n007,3,-\n")
            t1   t2
    system
    A        1  2.0
    007      3  NaN
    """

    def keys(names: list[str]) -> list[int]:
        if index_col is not None:
            return [_position(names, index_col)]
        if {"system", "instance"} <= set(names):
            return [names.index("system"), names.index("instance")]
        return [0]

    frame = read_cells(file, keys, header_rows=2 if groups else 1)
    names = [_bare(label) for label in frame.columns]
    labelled = not isinstance(frame.index, pd.RangeIndex)  # as Parquet may keep them
    found = [] if labelled and index_col is None else keys(names)
    left_out = {*found, *(_position(names, name) for name in drop)}
    tasks = [position for position in range(len(names)) if position not in left_out]
    nameless = [position for position in tasks if not names[position]]
    if nameless:
        raise ValueError(
            f"column {nameless[0] + 1} has no name; name it, or, if it is no task, leave it out"
        )
    if groups and len(frame) and frame.iloc[0, tasks].isna().all():
        # pandas writes the name of the rows on a line of its own, between names and scores.
        warn_caller(f"the row {frame.iloc[0, 0]!r} under the names is empty: it is no system")
        frame = frame.iloc[1:]
    scores = frame.iloc[:, tasks]
    labels = [frame.iloc[:, position] for position in found]
    for name, column in zip(("system", "instance"), labels, strict=False):
        empty = column.astype(str).str.strip() == ""
        if empty.any():
            raise ValueError(
                f"{counted(int(empty.sum()), 'row')} without a name in the column of the {name}s; "
                f"name each {name}, or delete its row"
            )
    if len(labels) == 2:
        scores.index = pd.MultiIndex.from_arrays(labels, names=("system", "instance"))
    elif labels:
        scores.index = pd.Index(labels[0].to_numpy(), name="system")
    if scores.columns.is_unique:  # a name that is there twice is refused with the table
        _check_numbers(scores)
    return scores


def _check_numbers(scores: pd.DataFrame) -> None:
    """Refuse columns that hold no numbers, each with a cell: who has a file looks for it."""
    found = []
    for position, dtype in enumerate(scores.dtypes):
        if pd.api.types.is_numeric_dtype(dtype):
            continue
        column = scores.iloc[:, position]
        wrong = pd.to_numeric(column, errors="coerce").isna() & column.notna()
        if wrong.any():
            row = int(wrong.to_numpy().argmax())
            found.append(
                f"{named([scores.columns[position]])} holds {column.iloc[row]!r} in the row "
                f"{named([scores.index[row]])}"
            )
        else:
            # Integers too large for any type of pandas' make text of the others, too.
            large = pd.to_numeric(column, errors="coerce").abs() >= 2**53
            if large.any():
                row = int(large.to_numpy().argmax())
                raise ValueError(
                    f"{named([scores.columns[position]])} holds {column.iloc[row]} in the row "
                    f"{named([scores.index[row]])}, and integers from 2 ** 53 on can't be told "
                    f"apart as floats; rescale them"
                )
    if found:
        raise ValueError(
            f"scores must be numbers, but {', and '.join(found)}; leave out columns that hold no "
            f"scores, and write 0.85 where it says 0,85 or 85%"
        )


def read_cells(
    file: str | bytes, texts: Callable[[list[str]], list[int]], header_rows: int = 1
) -> pd.DataFrame:
    r"""Read a file into a frame whose columns are called what the file calls them.

    `texts` gives, from the names of the columns, the positions of those that are never
    numbers, and never missing: a system may be called 007, or NA. Errors as in `read_scores`.

    >>> read_cells(b"model,t\nNA,1\nB,NA\n", texts=lambda names: [0])
      model    t
    0    NA  1.0
    1     B  NaN
    """
    if isinstance(file, str) and file.lower().endswith(".parquet"):
        frame = _read_parquet(file)
        if not isinstance(frame.columns, pd.MultiIndex):
            frame.columns = frame.columns.map(str)
        return frame
    sep = "\t" if isinstance(file, str) and ".tsv" in Path(file.lower()).suffixes else ","
    called = file if isinstance(file, str) else "the file"

    def read(**options: Any) -> pd.DataFrame:
        opened = file if isinstance(file, str) else io.BytesIO(file)
        options = {"sep": sep, "encoding": "utf-8-sig", **options}
        try:
            return read_csv(opened, **options)
        except pd.errors.EmptyDataError:
            wrong = "is empty; give it a row of names and rows of scores"
        except pd.errors.ParserError as error:
            wrong = (
                f"is no table whose rows have as many cells as there are names above them: "
                f"{str(error).strip()}"
            )
        except UnicodeDecodeError:
            wrong = "is no text in UTF-8; save it as CSV in UTF-8, as spreadsheets can"
        raise ValueError(f"{called} {wrong}")

    # By itself pandas renames a column whose name is there twice, and where the rows are longer
    # than the header it reads every column one place off: so the names are read apart.
    header = read(header=None, nrows=header_rows, dtype=str, keep_default_na=False)
    names = header.iloc[-1].tolist()
    parted = [what for mark, what in _OTHER_MARKS.items() if mark in names[0]]
    if len(names) == 1 and parted:
        raise ValueError(
            f"{called} parts its cells by {parted[0]}, it seems, since its one column is called "
            f"{names[0]!r}; save it with commas between the cells, and points in the numbers"
        )
    if header_rows == 2:
        _check_two_rows_of_names(called, header)
    as_text = dict.fromkeys(texts(names), str)
    scores = set(range(len(names))) - as_text.keys()
    usual = {
        "header": header_rows - 1,
        "names": range(len(names)),
        "keep_default_na": False,
        "na_values": dict.fromkeys(scores, NOT_EVALUATED),
    }
    frame = read(dtype=as_text, **usual)
    # Beside missing scores pandas makes floats of integers, also where those can't be told apart.
    for position, dtype in enumerate(frame.dtypes):
        if pd.api.types.is_float_dtype(dtype):
            large = frame[position].abs() >= 2**53
            if large.any():
                written = read(dtype=str, usecols=[position], **usual)[position]
                if written[large].str.fullmatch(r"\s*[+-]?\d+\s*").any():
                    frame[position] = written
    # pandas takes a row that is too short for one that ends in empty cells.
    longer = not isinstance(frame.index, pd.RangeIndex)
    if longer or frame.iloc[:, -1].isin([np.nan, ""]).any():
        lines = read(
            header=None,
            names=[0],
            sep=_NO_MARK,
            quoting=csv.QUOTE_NONE,
            skip_blank_lines=False,
            dtype=object,
            keep_default_na=False,
        )
        _check_widths(called, lines[0].tolist(), sep, len(names))
    frame.columns = pd.Index(names) if header_rows == 1 else _grouped(header)
    return frame


def _read_parquet(file: str) -> pd.DataFrame:
    try:
        frame = pd.read_parquet(file)
        # As in CSV: beside missing scores integers become floats.
        floats = [name for name in frame if pd.api.types.is_float_dtype(frame[name])]
        large = [name for name in floats if (frame[name].abs() >= 2**53).any()]
        if large:
            whole = pd.read_parquet(file, dtype_backend="numpy_nullable")
            integers = whole[large].select_dtypes("integer")
            frame[integers.columns] = integers
        return frame
    except (OSError, ValueError) as error:
        raise unreadable(file, error) from error


def _grouped(header: pd.DataFrame) -> pd.MultiIndex:
    """The columns (group, task) of two header rows; an empty group is the one to its left."""
    groups = header.iloc[0].replace("", None).ffill().fillna("")
    return pd.MultiIndex.from_arrays([groups, header.iloc[1]], names=(None, None))


def _check_two_rows_of_names(called: str, header: pd.DataFrame) -> None:
    """Refuse a file with one row of names, whose first system would be read as another."""
    groups, tasks = (row.iloc[1:].tolist() for _, row in header.iterrows())
    numbers = [task for task in tasks if pd.notna(pd.to_numeric(task, errors="coerce"))]
    # Where there are two rows of names, one of them mostly has nothing above the systems.
    both_begin = "" not in header.iloc[:2, 0].tolist()
    if numbers and "" not in groups and (both_begin or len(set(groups)) == len(groups)):
        raise ValueError(
            f"{called} has one row of names, it seems, since the row of {header.iloc[1, 0]!r} "
            f"below holds {numbers[0]!r}; read it without groups, or, if that is the name of a "
            f"task, add a letter to it"
        )


def _check_widths(called: str, lines: Iterable[str], sep: str, width: int) -> None:
    """Refuse a row that has another number of cells than there are names, and name its line."""
    rows = csv.reader((f"{line}\n" for line in lines), delimiter=sep)
    with _cells_of_any_length():
        for row in rows:
            if len(row) != width and any(map(str.strip, row)):
                raise ValueError(
                    f"{called} has {counted(len(row), 'cell')} in line {rows.line_num}, for "
                    f"{counted(width, 'name')} above them; give each row as many, and leave a "
                    f"cell empty between its commas where there is no score"
                )


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    usual = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _position(names: Sequence[str], name: str) -> int:
    if names.count(name) != 1:
        what = "several columns are" if name in names else "no column is"
        raise ValueError(f"{what} called {name!r}; the columns are {named(names)}")
    return names.index(name)


def _bare(label: object) -> str:
    """A column's own name, without its group."""
    return str(label[-1] if isinstance(label, tuple) else label)
