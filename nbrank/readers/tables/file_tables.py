"""Tables of a file: their rows of names, their sizes, and the choice among them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import DECIMAL_COMMA, has_decimal_commas, is_text_number
from nbrank.votes.formatting import format_labels, join_truncated, pluralize
from nbrank.votes.table.name_heuristics import SYSTEMS, is_named_like
from nbrank.votes.user_warnings import warn_user

#: Pattern of a direction in a cell of its own.
_WAY = re.compile(r"lower|higher|min(?:imi[sz]e)?|max(?:imi[sz]e)?|[↓↑⬇⬆▼▲]", re.IGNORECASE)
#: Cells that stand for what a program left out of its output.
_ELLIPSES = frozenset({"…", "...", "..", "·"})
#: Type of a row: the number of its line, and its cells.
Row = tuple[int, list[Any]]


def build_frame(source_name: str, rows: Sequence[Row], header_rows: int | None) -> pd.DataFrame:
    """Build a frame from rows that begin with one or two rows of names."""
    titles = _count_title_rows(rows) if header_rows is None else 0
    if titles:
        where = format_line_numbers([number for number, _ in rows[:titles]])
        warn_user(f"{source_name}: set aside as a title: {where}")
    rows = _drop_ellipses(source_name, rows[titles:])
    names = [str(cell) for cell in rows[0][1]]
    again = [line for line, row in rows[1:] if row == names and len(names) > 1]
    if again:
        warn_user(f"{source_name}: set aside, the names once more: {format_line_numbers(again)}")
    rows = [row for row in rows if row[0] not in again]
    ragged = [(line, len(row)) for line, row in rows if len(row) != len(names)]
    if ragged:
        others = [line for line, _ in ragged[1:]]
        more = f" (not {len(names)} either: {format_line_numbers(others)})" if others else ""
        twice = 2 * len(names) - 1 in (cells for _, cells in ragged)
        commas = "; if 0,85 is a number, separate the cells by semicolons" if twice else ""
        raise ValueError(
            f"{source_name} has {pluralize(ragged[0][1], 'cell')} in line {ragged[0][0]}, for "
            f"{pluralize(len(names), 'name')} above them{more}; give each row as many, and leave "
            f"the cell of a missing score empty{commas}"
        )
    cells = [row for _, row in rows[1:]]
    two = _has_group_row(names, cells) if header_rows is None else header_rows == 2
    columns: Any = names
    if two:
        columns = _fill_group_names(source_name, names, cells)
        doubtful = header_rows is None and names[0] != "" and "" in names
        if doubtful and is_named_like(cells[0][0], SYSTEMS):
            groups = dict.fromkeys(filter(None, names[1:]))
            warn_user(
                f"{source_name}: read as groups of tasks: {format_labels(groups)}; if that is part "
                f"of a title, delete line {rows[0][0]}"
            )
        cells = cells[1:]
        if cells and cells[0][0] != "" and all(cell == "" for cell in cells[0][1:]):
            # pandas writes the name of the rows on a separate line below the names.
            warn_user(
                f"the row {cells[0][0]!r} under the names is empty and is not read as a system"
            )
            columns[0], cells = cells[0][0], cells[1:]
    elif header_rows is None and _has_note_row(cells):
        columns = [
            names[0],
            *(
                f"{name} ({_spell_out(note)})" if note != "" else name
                for name, note in zip(names[1:], cells[0][1:], strict=True)
            ),
        ]
        cells = cells[1:]
    frame = pd.DataFrame(cells, columns=range(len(names)), dtype=object)
    frame.columns = pd.Index(columns, dtype=object, tupleize_cols=False)
    return frame


def _drop_ellipses(file_name: str, rows: Sequence[Row]) -> list[Row]:
    """Drop the rows and columns of dots that stand for others, with a warning."""
    kept = [row for row in rows if not {*row[1]} <= _ELLIPSES]
    # The names may lack one for the numbers of the rows, at the left.
    width = min(len(cells) for _, cells in kept) if kept else 0
    dots = [-at for at in range(1, width + 1) if {row[-at] for _, row in kept} <= _ELLIPSES]
    if dots or len(kept) < len(rows):
        warn_user(
            f"{file_name}: the program that printed the table left out rows or columns, where it "
            f"shows dots; save the whole table instead"
        )
    places = [(n, row, {len(row) + at for at in dots}) for n, row in kept]
    return [(n, [cell for at, cell in enumerate(row) if at not in out]) for n, row, out in places]


def _count_title_rows(rows: Sequence[Row]) -> int:
    """Count the rows above the names that hold only a title: in the first cell, or in all."""
    alone = (set(cells[1:]) <= {""} or len(set(cells)) == 1 for _, cells in rows)
    start = next((at for at, item in enumerate(alone) if not item), 0)
    return start if not any(map(is_text_number, rows[start][1])) else 0


def _has_group_row(names: Sequence[str], cells: Sequence[Sequence[Any]]) -> bool:
    """Return whether groups are above the tasks: gaps or repeats, then words, then numbers."""
    groups = names[1:]
    if len(cells) < 2 or not any(groups) or not ("" in groups or len(set(groups)) < len(groups)):
        return False
    below = cells[0][1:]
    if not any(is_text_number(cell) for row in cells[1:] for cell in row[1:]):
        return False
    of_words = all(isinstance(cell, str) and cell and not is_text_number(cell) for cell in below)
    return of_words or _tells_columns_apart(names, cells)


def _has_note_row(cells: Sequence[Sequence[Any]]) -> bool:
    """Return whether a row of directions or units is below the names: words, then numbers."""
    if len(cells) < 2 or len(cells[0]) < 2:
        return False
    head, *notes = (str(cell).strip() for cell in cells[0])
    filled = [note for note in notes if note]
    numbers = [at for at, cell in enumerate(cells[1]) if at and is_text_number(cell)]
    is_of_numbers = bool(filled) and all(notes[at - 1] or len(filled) > 1 for at in numbers)
    ways = all(map(_WAY.fullmatch, filled))
    return is_of_numbers and len(numbers) >= len(filled) and (
        ways or (head == "" and not any(map(is_text_number, filled)))
    )  # fmt: skip


def _spell_out(note: object) -> str:
    """Write a direction as a statement: lower is better."""
    way = str(note).strip().lower()
    return f"{way} is better" if way in ("lower", "higher") else str(note)


def _tells_columns_apart(names: Sequence[str], cells: Sequence[Sequence[Any]]) -> bool:
    """Return whether names of groups repeat, and numbers below distinguish their columns.

    Such numbers are levels (1, 2, 3 below each noise) and not scores if the row below the names
    has no name of its own, and the same whole numbers below each group.
    """
    below = [str(cell) for cell in cells[0][1:]]
    if str(cells[0][0]) != "" or not all(below) or any("." in text for text in below):
        return False
    groups: dict[str, list[str]] = {}
    group = ""
    for above, text in zip(names[1:], below, strict=True):
        group = group if above == "" else above
        groups.setdefault(group, []).append(text)
    levels = [*groups.values()]
    return len(levels) < len(below) and all(len(set(level)) == len(level) for level in levels)


def _fill_group_names(
    called: str, names: Sequence[str], cells: Sequence[Sequence[Any]]
) -> list[Any]:
    """Combine names (group, task); an empty group is the one to its left."""
    if not cells:
        raise ValueError(f"{called} has one row only; give two rows of names, and scores below")
    groups, tasks = names[1:], [str(cell) for cell in cells[0]]
    numbers = [task for task in tasks[1:] if is_text_number(task)]
    # With two rows of names, one of them is usually empty above the systems.
    both_begin = "" not in (names[0], tasks[0])
    if numbers and "" not in groups and (both_begin or len(set(groups)) == len(groups)):
        raise ValueError(
            f"{called} has one row of names, it seems, since the row of {tasks[0]!r} below holds "
            f"{numbers[0]!r}; read it without groups, or, if that is the name of a task, add a "
            f"letter to it"
        )
    columns: list[Any] = []
    group = ""
    for above, task in zip(names, tasks, strict=True):
        group = group if above == "" else above
        columns.append((group, task) if group and columns else task or above)
        if len(columns) == 1:  # the systems' column is not a group of the next ones
            group = ""
    return columns


def format_line_numbers(numbers: Sequence[int]) -> str:
    """Format some of the numbers of lines."""
    return f"line{'s' * (len(numbers) > 1)} {join_truncated([*map(str, numbers)])}"


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
        kinds = {n: {*map(str, row)} for n, row in rows[1:] if len(row) > 1 and has_numbers}
        across = [n for n, cells in kinds.items() if cells == {""}
                  or (len(cells) == 1 and not any(map(is_text_number, cells)))]  # fmt: skip
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


def describe_tables(tables: Sequence[FileTable]) -> str:
    """Describe all tables of a file, each by its number, its name and its first columns.

    >>> table = FileTable.from_rows("f", "Airline", [(1, ["model", "t"]), (2, ["A", "3"])])
    >>> describe_tables([table])
    "1 'Airline' ('model', 't'; 1 row)"
    """
    texts = []
    for number, table in enumerate(tables, 1):
        name = f" {table.name!r}" if table.name else ""
        columns = join_truncated([repr(column) for column in table.columns], _MAX_NAMES)
        texts.append(f"{number}{name} ({columns}; {pluralize(table.n_rows, 'row')})")
    return join_truncated(texts, _MAX_TABLES)


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
                f"which, as in table={tables.index(largest) + 1}; they are "
                f"{describe_tables(tables)}"
            )
        if len(tables) > 1:
            number = tables.index(largest) + 1
            others = [at for at in range(1, len(tables) + 1) if at != number]
            warn_user(
                f"{file_name} has {len(tables)} tables; {number}, the one with the most "
                f"numbers, is read; for another say which, as in table={others[0]}; they are "
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
    if text.isdecimal():
        return list(tables[int(text) - 1 : int(text)]) if int(text) else []
    lower = text.lower()
    for match in (str.__eq__, str.__contains__):
        likely = [item for item in tables if match(item.name.lower(), lower)]
        if likely:
            return likely
    return []
