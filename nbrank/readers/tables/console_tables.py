"""Reader of tables as programs print them: in boxes, over dashes, or as figures with units."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby

from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.readers.tables.file_tables import FileTable, Row

#: Pattern of a line that only separates rows: three dashes or more in a row, and corners.
_RULE = re.compile(r"(?=.*[-=_~\u2500-\u257f]{3})[-=_~+|:.'`*\s\u2500-\u257f]+")
#: Pattern of the signs between cells, and around them: | and its many forms.
_BAR = re.compile(r"(?<!\\)[|¦\u2502\u2503\u2506\u2507\u250a\u250b\u254e\u254f\u2551]")
#: Pattern of the type of a column, which polars and DuckDB print below its name.
_TYPE = re.compile(
    r"str|cat|enum|bool(ean)?|[iuf]\d+|u?(big|small|tiny|huge)?int(eger)?\d*|double|float\d*|"
    r"(decimal|list|struct|array)\b.*|varchar|char|text|real|date|time(stamp)?.*|datetime.*"
)
#: Pattern of a heading between rows: === Baseline ===.
_SECTION = re.compile(r"\s*([-=*#_~])\1+[^-=*#_~]*\1+\s*")
#: Pattern of the start or end of a block of code.
_FENCE = re.compile(r"\s*(```|~~~)")
#: Pattern of a figure with its unit: `105 ns/op`.
_QUANTITY = re.compile(r"(?P<value>[\d.,]+(?:e[-+]?\d+)?)\s+(?P<unit>[^\W\d]\S*)")
#: Minimum share of the lines of a block that are split alike.
_USUAL_SHARE = 0.6

Line = tuple[int, str]
Split = Callable[[str], list[str]]


def list_console_tables(file_name: str, text: str) -> list[FileTable]:
    r"""List the tables of a text that are drawn with bars or dashes, or else its lines of figures.

    >>> table = "method    acc    f1\n------   -----  ----\nA         0.91  0.88\n"
    >>> list_console_tables("f", table)[0].build(None)
      method   acc    f1
    0      A  0.91  0.88
    """
    drawn = _find_drawn_tables(text)
    tables = [FileTable.from_rows(file_name, "", rows, note=note) for rows, note in drawn]
    return tables or _list_quantities(file_name, text.splitlines())


def _find_drawn_tables(text: str) -> Iterator[tuple[list[Row], str]]:
    """Find the rows of each drawn table, and the lines of its block above the names."""
    blocks = deque(_split_blocks(text))
    while blocks:
        block = blocks.popleft()
        split = _find_split(block) or _find_last_words(block, blocks)
        rows, note = _parse_rows(block, split) if split is not None else ([], "")
        if split is None or not rows or not (len(rows) > 1 or blocks):
            continue
        # A blank line between rows ends a block, and not the table.
        while blocks and any(len(split(line)) == len(rows[0][1]) for _, line in blocks[0]):
            rows += _split_lines(blocks.popleft(), split, len(rows[0][1]))
        if len(rows) > 1:
            yield rows, note


def _split_blocks(text: str) -> Iterator[list[Line]]:
    """Split a text into blocks of lines by blank lines and by the ends of code."""
    block: list[Line] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip() and not _FENCE.match(line):
            block.append((number, line))
        elif block:
            yield block
            block = []


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line) is not None


def _parse_rows(block: Sequence[Line], split: Split) -> tuple[list[Row], str]:
    """Parse the names and the rows of a block, and the text above the names."""
    start = next(at for at, (_, line) in enumerate(block) if not _is_rule(line) and split(line))
    note = "\n".join(line for _, line in block[:start] if not _is_rule(line))
    width = len(split(block[start][1]))
    grouped = groupby(block[start:], lambda item: _is_rule(item[1]))
    parts = [_split_lines([*part], split, width) for is_rule, part in grouped if not is_rule]
    if len(parts) == 1:
        return parts[0], note
    if all(map(_TYPE.fullmatch, parts[1][0][1])):
        parts = [parts[0], *([parts[1][1:]] if parts[1][1:] else []), *parts[2:]]
    # A cell of several lines leaves the first cell of its next line empty.
    is_wrapped = all(row[1][0] == "" for part in parts[1:] for row in part[1:])
    below = map(_join_lines, parts[1:]) if is_wrapped else chain(*parts[1:])
    return [_join_lines(parts[0]), *below], note


def _split_lines(lines: Sequence[Line], split: Split, width: int) -> list[Row]:
    """Split lines into cells; one that has none is a text over the whole row."""
    texts = [(number, line) for number, line in lines if not _is_rule(line)]
    return [(n, split(line) or [line.strip(), *[""] * (width - 1)]) for n, line in texts]


def _find_split(block: Sequence[Line]) -> Split | None:
    """Find how the lines of a block with a rule are split: at bars, below dashes, or at blanks."""
    rules = [line for _, line in block if _is_rule(line)]
    lines = [line for _, line in block if not _is_rule(line)]
    if not rules or len(lines) < 2:
        return None
    dashes = max(([m.start() for m in re.finditer(r"\S+", rule)] for rule in rules), key=len)
    splits: list[Split] = [_split_at_bars, _split_at_blanks]
    if len(dashes) > 1:
        splits.insert(1, lambda line: _split_below(line, dashes[1:]))
    for split in splits:
        sizes = [len(cells) for line in lines if (cells := split(line))]
        if len({*sizes}) == 1 and len(sizes) > max(1, _USUAL_SHARE * len(lines)):
            return split
    return None


def _find_last_words(block: Sequence[Line], others: Iterable[Sequence[Line]]) -> Split | None:
    """Find how lines below names of one word each, over a rule, are split: from the right."""
    if [_is_rule(line) for _, line in block[-2:]] != [False, True]:
        return None
    names = [*re.finditer(r"\S+", block[-2][1])]
    lines = [line for other in others for _, line in other if not _SECTION.fullmatch(line)]
    for line in lines:
        cells = [*re.finditer(r"\S+", line)][1 - len(names) :]
        # Each cell stands below its name, or at most two letters away from it.
        apart = any(cell.start() > name.end() + 2 or cell.end() < name.start() - 2
                    for name, cell in zip(names[1:], cells, strict=False))  # fmt: skip
        if apart or not len(cells) == len(names) - 1 > 1 or not is_text_number(cells[-1][0]):
            return None
    return lambda line: (
        [] if _SECTION.fullmatch(line) else line.strip().rsplit(None, len(names) - 1)
    )


def _split_at_bars(line: str) -> list[str]:
    """Split a line at its bars; a line without any, such as a title, has no cells."""
    cells = [cell.strip() for cell in _BAR.split(line)]
    if len(cells) == 1:
        return []
    framed = bool(_BAR.match(line.strip()))
    return cells[framed : len(cells) - (framed and cells[-1] == "")]


def _split_at_blanks(line: str) -> list[str]:
    """Split a line where there are two blanks; a line without any has no cells."""
    cells = re.split(r"\s{2,}|\t", line.strip())
    return cells if len(cells) > 1 else []


def _split_below(line: str, starts: Sequence[int]) -> list[str]:
    """Split a line below the dashes that start here; one that runs over two has no cells."""
    if any(line[start - 1 : start].strip() for start in starts):
        return []
    ends = [*starts, None]
    return [line[start:end].strip() for start, end in zip([0, *starts], ends, strict=True)]


def _join_lines(rows: Sequence[Row]) -> Row:
    """Join the lines of one row of cells, such as names that are wrapped."""
    columns = zip(*(cells for _, cells in rows), strict=False)
    return rows[0][0], [" ".join(filter(None, cells)) for cells in columns]


def _list_quantities(file_name: str, lines: Sequence[str]) -> list[FileTable]:
    """List the lines of names and figures with units, as `go test -bench` prints them."""
    rows = [(at, figures) for at, line in enumerate(lines, 1)
            if (figures := _parse_quantities(line))]  # fmt: skip
    names = [*dict.fromkeys(chain(*(figures for _, figures in rows)))]
    # Below a row of names, these are cells of a table.
    if len(rows) < 2 or (rows[0][0] > 1 and _split_at_blanks(lines[rows[0][0] - 2])):
        return []
    header = (0, ["benchmark", *names[1:]])
    cells = [(at, [figures.get(name, "") for name in names]) for at, figures in rows]
    return [FileTable.from_rows(file_name, "", [header, *cells])]


def _parse_quantities(line: str) -> dict[str, str]:
    """Parse a name, under an empty one, and figures by their units; what counts runs is left out.

    >>> _parse_quantities("BenchmarkEncode-8   50000   21034 ns/op   9216 B/op")
    {'': 'BenchmarkEncode-8', 'ns/op': '21034', 'B/op': '9216'}
    """
    name, *cells = _split_at_blanks(line) or [""]
    cells = cells[1:] if cells[:1] and cells[0].isdigit() else cells
    figures = [match for cell in cells if (match := _QUANTITY.fullmatch(cell.strip()))]
    if not figures or len(figures) < len(cells) or not all("/" in one["unit"] for one in figures):
        return {}
    return {"": name} | {match["unit"]: match["value"] for match in figures}
