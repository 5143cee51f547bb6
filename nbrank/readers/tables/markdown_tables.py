"""Reader of Markdown's tables, and of aligned blocks of consoles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nbrank.readers.tables.cell_parsing import strip_markup
from nbrank.readers.tables.header_detection import Row
from nbrank.readers.tables.table_choice import FileTable

#: Maximum number of lines above a table that are read as its note.
_MAX_NOTE = 6
_RULE = re.compile(r"\s*\|?(\s*:?-+:?\s*[|+])+(\s*:?-+:?\s*)?")
#: Pattern of a heading: `## Airline`, or a line in bold.
_HEADING = re.compile(r"\s*(?:#{1,6}\s+(?P<heading>.+?)\s*#*|\*\*(?P<bold>[^*]+)\*\*:?)\s*")
#: Pattern of a line in a console's block: a name, and figures with their names.
_FIGURE = re.compile(r"\s*(?P<name>(?=[^:|]*[^\W\d])[^:|]+?)\s*:\s*(?P<value>[^|]*?)\s*")


def list_markdown_tables(file_name: str, text: str) -> list[FileTable]:
    """List the tables in a text, each with the heading above it, without their marks."""
    lines = text.splitlines()
    tables: list[FileTable] = []
    start = 0
    while (rule := _find_first_rule(lines, start)) is not None:
        above, start = start, rule + 1
        while start < len(lines) and "|" in lines[start]:
            start += 1
        rows = [_parse_row(lines, number) for number in (rule - 1, *range(rule + 1, start))]
        # A row without any cell, or of dashes only, is a separator.
        filled = [
            row for row in rows[1:] if not all(re.fullmatch(r"[-–—:=.… ]*", c) for c in row[1])
        ]
        heading = _find_heading(lines, above, rule - 1)
        bold = _find_bold([_split_row(lines[number]) for number in range(rule + 1, start)])
        first = max(above, rule - 1 - _MAX_NOTE)
        headed = [n for n in range(first, rule - 1) if re.match(r"\s*#", lines[n])]
        note = "\n".join(lines[max([first, *headed]) : rule - 1])
        tables.append(FileTable.from_rows(file_name, heading, [rows[0], *filled], bold, note))
    return tables or _list_console_blocks(file_name, lines)


def has_markdown_table(text: str) -> bool:
    """Return whether a text has a table under a line of dashes, or a block of a console."""
    if "|" not in text:
        return False
    lines = text.splitlines()
    return _find_first_rule(lines) is not None or any(map(_parse_figures, lines))


def _find_first_rule(lines: Sequence[str], start: int = 0) -> int | None:
    """Find the first line of dashes below a line of cells."""
    for number in range(max(start, 1), len(lines)):
        if _RULE.fullmatch(lines[number]) and "|" in lines[number - 1]:
            return number
    return None


def _parse_row(lines: Sequence[str], number: int) -> Row:
    """Parse a line's cells, without the bars at its ends; an empty cell needs both bars."""
    return number + 1, [strip_markup(cell) for cell in _split_row(lines[number])]


def _split_row(line: str) -> list[str]:
    return re.split(r"(?<!\\)\|", re.sub(r"^\s*\|?|(?<!\\)\|\s*$", "", line))


def _find_bold(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Find the cells of each column in bold, as the best are; not those of rows mostly in bold.

    >>> _find_bold([["A", "**1**"], ["B", "2"], ["**C**", "**3**"]])
    [[], ['1']]
    """
    marks = [[bool(re.match(r"\s*(?:\*\*|__|<b>)", cell)) for cell in row] for row in rows]
    kept = [(row, mark) for row, mark in zip(rows, marks, strict=True)
            if not (mark[0] and 2 * sum(mark) > len(mark))]  # fmt: skip
    width = max(map(len, rows), default=0)
    return [[strip_markup(row[at]) for row, mark in kept if at < len(row) and mark[at]]
            for at in range(width)]  # fmt: skip


def _find_heading(lines: Sequence[str], start: int, end: int) -> str:
    """Find the last heading between two lines, without its marks."""
    for number in range(end - 1, start - 1, -1):
        if match := _HEADING.fullmatch(lines[number]):
            return strip_markup(match["heading"] or match["bold"])
    return ""


def _list_console_blocks(file_name: str, lines: Sequence[str]) -> list[FileTable]:
    """List blocks of lines such as `A | score: 82.6 | 95% CI: (-1.8, 1.6)`, as tables."""
    tables: list[FileTable] = []
    header: list[str] = []
    rows: list[Row] = []
    start = 0
    for number, line in enumerate([*lines, ""]):
        figures = _parse_figures(line)
        if rows and ["system", *[*figures][1:]] != header:
            heading = _find_heading(lines, start, rows[0][0] - 1)
            tables.append(FileTable.from_rows(file_name, heading, [(rows[0][0], header), *rows]))
            rows, start = [], number
        if figures:
            header = ["system", *[*figures][1:]]
            rows.append((number + 1, list(figures.values())))
    return tables


def _parse_figures(line: str) -> dict[str, str]:
    """Parse a line of a block: its system, under an empty name, and its figures by their names."""
    system, *figures = line.split("|")
    matches = [match for figure in figures if (match := _FIGURE.fullmatch(figure))]
    if not matches or len(matches) < len(figures) or not system.strip():
        return {}
    return {"": strip_markup(system)} | {m["name"]: strip_markup(m["value"]) for m in matches}
