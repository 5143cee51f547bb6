"""Reader of plain text with cells separated by commas, tabs, semicolons, bars or blanks."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import mode
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.ballot_tables import are_ballots
from nbrank.readers.tables.cell_parsing import is_text_number, parse_cell
from nbrank.readers.tables.column import SCORES, TASKS, counts_rows
from nbrank.readers.tables.file_tables import Row, format_line_numbers
from nbrank.votes.table.name_heuristics import INSTANCES, SYSTEMS, is_named_like
from nbrank.votes.user_warnings import warn_user

SEPARATORS = ",\t;|"
#: Patterns of tabs or blanks, for texts whose rows no single sign separates alike.
_BLANKS = {
    "columns": re.compile(r"\t[\t ]*| {2,}"),
    "tabs": re.compile(r"\t+"),
    "blanks": re.compile(r"\s+"),
}
#: Names of columns, which do not occur as scores.
_KINDS = frozenset({*SYSTEMS, *TASKS, *INSTANCES, *SCORES})
#: Pattern of the result of a game of chess.
_RESULT = re.compile(r"1-0|0-1|1/2-1/2|½-½")
#: Pattern of a number with its unit: 12 MB/s.
_AMOUNT = re.compile(r"\d[\d.,]* \D\S*")
#: Minimum share of rows with the same number of cells; other rows are refused by number.
_USUAL_SHARE = 0.8
#: Pattern of the line that pandas prints below a long table.
_SHAPE = re.compile(r"\[\d+ rows x \d+ columns\]")
_QUOTED = re.compile(r'"(?:[^"]|"")*"|\S+')


def parse_separated_rows(
    file_name: str, text: str, separators: str = SEPARATORS
) -> tuple[list[Row], str]:
    """Split rows by the first separator that gives all as many cells, or is in the names."""
    if description := re.match(r'"?sep=(.)"?\r?\n', text):  # as Excel does
        separators, text = description[1], f"\n{text[description.end() :]}"
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    # Quotation marks are around a ballot, or around each of its names.
    bare = [(number, re.sub(r'^"([^"]*)"$|"([^",;>=]*)"', r"\1\2", line))
            for number, line in lines if line]  # fmt: skip
    if bare and are_ballots([line for _, line in bare]):
        return [(0, ["ballot"]), *((number, [line]) for number, line in bare)], ""
    names = text.lstrip().partition("\n")[0]
    if ";" in separators and names.count(";") > names.count(","):
        separators = ";" + separators.replace(";", "")  # "Time, s" contains a comma
    results: dict[str, tuple[list[Row], list[Row]]] = {}
    usual = csv.field_size_limit(2**31 - 1)
    try:
        for separator in separators:
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
            every = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
            filled = [row for row in every if any(row[1])]
            if not filled:
                raise ValueError(f"{file_name} is empty; give it a row of names and rows of scores")
            rows, _ = results[separator] = _split_comments(filled)
            if len({len(cells) for _, cells in rows}) == 1 < len(rows[0][1]):
                break
        else:
            # Commas or semicolons in names and below separate cells, even if rows differ.
            parts = any(sign in names and sign in text[len(names) :] for sign in ",;")
            blank = None if description or parts else _parse_blank_rows(file_name, text)
            if blank is not None:
                separator, results[separator] = " ", blank
            else:
                likely = [name for name, (rows, _) in results.items() if len(rows[0][1]) > 1]
                below = [name for name, (rows, _) in results.items() if len(rows[-1][1]) > 1]
                separator = [*likely, *below, separators[0]][0]
    finally:
        csv.field_size_limit(usual)
    rows, remarks = results[separator]
    if remarks:
        where = format_line_numbers([line for line, _ in remarks])
        warn_user(f"{file_name}: set aside as a remark, by the # before it: {where}")
    return _name_columns(file_name, rows), separator


def _parse_blank_rows(file_name: str, text: str) -> tuple[list[Row], list[Row]] | None:
    """Split rows by blanks if all have as many cells; the first column may lack a name."""
    lines = _place_index_name([*enumerate(text.splitlines(), 1)])
    bare = [(number, line.strip()) for number, line in lines
            if line.strip() and not _SHAPE.fullmatch(line)]  # fmt: skip
    # pandas prints no name above the numbers of the rows; the names of others may have blanks.
    is_indented = next(line for _, line in lines if line.strip()).startswith("  ")
    tries = [(pattern, False) for pattern in _BLANKS.values()]
    for pattern, may_have_blanks in [*tries, *[(_BLANKS["columns"], True)] * is_indented]:
        every = [(number, _split_blanks(pattern, line)) for number, line in bare]
        rows, remarks = _split_comments(every)
        (_, names), others = rows[0], rows[1:]
        sizes = [len(cells) for _, cells in others]
        widths = {size for size, n in Counter(sizes).items() if n >= _USUAL_SHARE * len(sizes)}
        numbers = any(
            is_text_number(cell) or _RESULT.fullmatch(cell) or _AMOUNT.fullmatch(cell)
            for _, cells in others
            for cell in cells
        )
        if len(widths) != 1 or not numbers or widths == {1}:
            continue
        if len({*sizes}) > 1 and (aligned := _parse_aligned_rows(lines)):
            return aligned
        if widths == {len(names)}:
            below = len(rows) - max(at for at, row in enumerate(rows) if len(row[1]) == len(names))
            if below > 2 and all(len(row[1]) < len(names) for row in rows[1 - below :]):
                where = format_line_numbers([line for line, _ in rows[1 - below :]])
                warn_user(f"{file_name}: set aside, with fewer cells than the rows above: {where}")
                rows = rows[: 1 - below]
            return rows, remarks
        counted = [cells[0] for _, cells in others]
        plain = may_have_blanks or not any(" " in name for name in names)
        if widths == {len(names) + 1} and plain and counts_rows(counted):
            return [rows[0], *((number, cells[1:]) for number, cells in others)], remarks
        # R's write.table omits the name of the column of row names.
        is_plain = not any(map(is_text_number, names)) and not is_named_like(names[0], _KINDS)
        if widths == {len(names) + 1} and is_plain:
            return [(rows[0][0], ["", *names]), *others], remarks
    return _parse_aligned_rows(lines)


def _place_index_name(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Place the name of the rows, which pandas prints below the names, in front of them."""
    filled = [at for at, (_, line) in enumerate(lines) if line.strip()]
    if len(filled) < 3:
        return lines
    (number, names), (_, name) = lines[filled[0]], lines[filled[1]]
    if len(name.rstrip()) > len(names) - len(names.lstrip()) or name.startswith(" "):
        return lines
    return [*lines[: filled[0]], (number, name.rstrip() + names[len(name.rstrip()) :]),
            *lines[filled[1] + 1 :]]  # fmt: skip


def _parse_aligned_rows(lines: Sequence[tuple[int, str]]) -> tuple[list[Row], list[Row]] | None:
    """Split rows whose columns stand below each other, with blanks in the names of rows."""
    text = "\n".join(line for _, line in lines if line.strip())
    frame = pd.read_fwf(io.StringIO(text), header=None, dtype=str, keep_default_na=False)
    rows = frame.to_numpy().tolist()
    blank = next((at for at, name in enumerate(rows[0]) if name), 1)  # columns of names of rows
    first, *others = [[" ".join(row[:blank]).strip(), *row[blank:]] for row in rows]
    numbers = [is_text_number(cell) for row in others for cell in row[1:]]
    if len(first) < 3 or not all(first[1:]) or not others or not np.mean(numbers) > 0.8:
        return None
    return [
        *zip((number for number, line in lines if line.strip()), [first, *others], strict=True)
    ], []


def _split_blanks(pattern: re.Pattern[str], line: str) -> list[str]:
    """Split a line into cells, which may be in quotation marks, and which a ± begins."""
    line = re.sub(r"\s±\s+", "  ± ", line) if pattern is _BLANKS["columns"] else line
    cells = _QUOTED.findall(line) if pattern is _BLANKS["blanks"] else pattern.split(line)
    return [cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell
            for cell in cells]  # fmt: skip


def _split_comments(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Separate rows from comments: other rows with #, or those that it puts out of use."""
    usual = mode(len(cells) for _, cells in rows)
    marked = [cells[0].startswith("#") for _, cells in rows]
    first, *others = [bool(re.match(r"#+\D", cells[0])) for _, cells in rows]
    # A # before most rows is part of their names, and also before a number: #3.
    few = 2 * sum(others) <= len(others)
    aside = [other and few for other in others]
    first &= _is_header_above_numbers(
        [row for row, item in zip(rows[1:], aside, strict=True) if not item]
    )
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row, item, begins in zip(rows, [first, *aside], marked, strict=True):
        parts[item or (begins and len(row[1]) != usual)].append(row)
    return parts


def _is_header_above_numbers(others: list[Row]) -> bool:
    """Return whether the names are below a first row, followed by numbers."""
    number = [any(map(is_text_number, cells[1:])) for _, cells in others[:2]]
    return number == [False, True] and others[0][1][0] != ""


def _name_columns(file_name: str, rows: list[Row]) -> list[Row]:
    """Add names to the rows if the first one holds scores like all others."""
    if not rows or not _lacks_names(rows):
        return rows
    names = [f"column {number}" for number in range(1, len(rows[0][1]) + 1)]
    warn_user(
        f"{file_name}: the first row has no names, but scores as the others have, and the columns "
        f"are called {names[0]!r}, {names[1]!r} and so on; put a row of names above it"
    )
    return [(0, names), *rows]


def _lacks_names(rows: Sequence[Row]) -> bool:
    """Return whether a first row has words and numbers as the others have, and no known name."""
    (_, first), others = rows[0], [cells for _, cells in rows[1:]]
    if len(others) < 2 or any(len(cells) != len(first) for cells in others) or "" in first:
        return False
    numbers = [at for at, cell in enumerate(first) if is_text_number(cell)]
    words = {at: cell for at, cell in enumerate(first) if at not in numbers}
    known = (is_named_like(cell, _KINDS) or cell.lower() == "name" for cell in words.values())
    if not words or any(known):
        return False
    if not numbers:
        results = [at for at, cell in enumerate(first) if _RESULT.fullmatch(cell)]
        return bool(results) and all(_RESULT.fullmatch(row[results[0]]) for row in others)
    if not all(is_text_number(cells[at]) for cells in others for at in numbers):
        return False
    if len(words) > 1 and any(cells[at] == word for cells in others for at, word in words.items()):
        return True  # a name of a column is none of its cells
    values = [_score(first[at]) for at in numbers]
    below = [[_score(cells[at]) for cells in others] for at in numbers]
    steps = [after - before for before, after in pairwise(values)]
    # After a word, 0.1, 0.2, 0.5 may be names, such as levels of noise, and 1, 2, 3 of judges.
    in_order = all(step > 0 for step in steps) or all(step < 0 for step in steps)
    if in_order and numbers[0] > 0 and len(words) == 1:
        return False
    is_fraction = any(value % 1 for value in values)
    return is_fraction or (
        len(others) > 2
        and all(min(cells) <= one <= max(cells) for one, cells in zip(values, below, strict=True))
    )


def _score(text: str) -> float:
    cell: Any = parse_cell(text)
    return float(cell.score)
