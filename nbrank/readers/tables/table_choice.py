"""Choice among the several tables of a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import DECIMAL_COMMA, has_decimal_commas, is_text_number
from nbrank.readers.tables.header_detection import Row, build_frame, format_line_numbers
from nbrank.votes.formatting import join_truncated, pluralize
from nbrank.votes.user_warnings import warn_user

#: Maximum numbers of tables, and of names of each, that are listed.
_MAX_TABLES, _MAX_NAMES = 12, 4


@dataclass(frozen=True)
class FileTable:
    """Table of a file: its name, its columns, its size, and the function that builds its frame."""

    #: The name of a sheet, the heading or caption above it, or its key; empty without any.
    name: str
    #: The names of its columns.
    columns: Sequence[str]
    n_rows: int
    #: Number of its cells that are numbers.
    n_numbers: int
    #: Builds the frame, given the number of rows of names; None detects it.
    build: Callable[[int | None], pd.DataFrame]

    @classmethod
    def from_rows(
        cls,
        file_name: str,
        name: str,
        rows: Sequence[Row],
        bold: Sequence[Sequence[str]] = (),
        note: str = "",
    ) -> FileTable:
        """Make a table of rows of cells, with the bold cells of each column and the text above."""
        # A text over a whole row describes the rows below it, or the table.
        has_numbers = any(is_text_number(cell) for _, row in rows[1:] for cell in row)
        across = [n for n, row in rows[1:] if has_numbers and len({*map(str, row)}) == 1 < len(row)
                  and not is_text_number(row[0])]  # fmt: skip
        rows = [row for row in rows if row[0] not in across]

        def build(header_rows: int | None) -> pd.DataFrame:
            if across:
                where = format_line_numbers(across)
                warn_user(f"{file_name}: set aside as headings or notes: {where} of the table")
            frame = build_frame(file_name, rows, header_rows)
            texts = [[str(row[at]) for _, row in rows[1:] if at < len(row)]
                     for at in range(1, len(rows[0][1]))]  # fmt: skip
            found = [has_decimal_commas(cells) for cells in texts
                     if any(DECIMAL_COMMA.match(cell) for cell in cells)]  # fmt: skip
            comma = bool(found) and all(found) and has_decimal_commas([*chain(*texts)])
            frame.attrs |= {"bold": bold, "note": note, "decimal_comma": comma or None}
            return frame

        numbers = sum(is_text_number(cell) for _, cells in rows[1:] for cell in cells[1:])
        columns = [str(cell) for cell in rows[0][1]] if rows else []
        return cls(name, columns, len(rows) - 1, numbers, build)

    def describe(self, number: int) -> str:
        """Describe a table in a list: its number, its name, its first columns and its size."""
        name = f" {self.name!r}" if self.name else ""
        columns = join_truncated([repr(column) for column in self.columns], _MAX_NAMES)
        return f"{number}{name} ({columns}; {pluralize(self.n_rows, 'row')})"


def describe_tables(tables: Sequence[FileTable]) -> str:
    """Describe all tables of a file, each by its number, its name and its first columns.

    >>> table = FileTable.from_rows("f", "Airline", [(1, ["model", "t"]), (2, ["A", "3"])])
    >>> describe_tables([table])
    "1 'Airline' ('model', 't'; 1 row)"
    """
    return join_truncated(
        [table.describe(number) for number, table in enumerate(tables, 1)], _MAX_TABLES
    )


def choose_table(file_name: str, tables: Sequence[FileTable], table: int | str | None) -> FileTable:
    """Choose the table of this number or name; without one, that with the most numbers.

    Raises
    ------
    ValueError
        If no table has the number or name, several have the name, or `table` is None and several
        have as many numbers; the message lists all.

    Warns
    -----
    UserWarning
        If a table is taken from several without a choice by the user.
    """
    if table is None:
        largest = max(tables, key=lambda item: item.n_numbers)
        alike = [item for item in tables if item.n_numbers == largest.n_numbers]
        if len(alike) > 1 and largest.n_numbers:
            raise ValueError(
                f"{file_name} has several tables, and {len(alike)} have as many numbers; say "
                f"which, as in table={tables.index(largest) + 1}: {describe_tables(tables)}"
            )
        if len(tables) > 1:
            number = tables.index(largest) + 1
            others = [at for at in range(1, len(tables) + 1) if at != number]
            warn_user(
                f"{file_name} has {len(tables)} tables; {number}, the one with the most "
                f"numbers, is read; for another say which, as in table={others[0]}: "
                f"{describe_tables(tables)}"
            )
        return largest
    chosen = _find_tables(tables, table)
    if len(chosen) == 1:
        return chosen[0]
    what = "several tables are called so; give a number" if chosen else "unknown table"
    raise ValueError(f"{file_name}: table={table!r}: {what}: {describe_tables(tables)}")


def _find_tables(tables: Sequence[FileTable], table: Any) -> list[FileTable]:
    """Find the tables of a number or a name, which may be a part of it if that is unique."""
    text = str(table).strip()
    exact = [item for item in tables if item.name == text]
    if exact or isinstance(table, bool):
        return exact
    if text.isdigit():
        return list(tables[int(text) - 1 : int(text)]) if int(text) else []
    lower = text.lower()
    for match in (str.__eq__, str.__contains__):
        likely = [item for item in tables if match(item.name.lower(), lower)]
        if likely:
            return likely
    return []
