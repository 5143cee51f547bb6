"""Readers of the tables in web pages, LaTeX and Markdown, and of aligned blocks of consoles."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser

from nbrank.readers.tables.cell_parsing import strip_markup
from nbrank.readers.tables.file_tables import FileTable, Row
from nbrank.readers.tables.latex_markup import strip_latex

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "caption")


def list_html_tables(file_name: str, text: str) -> list[FileTable]:
    """List the tables of a page that have cells, each with its caption or the heading above it."""
    page = _TableParser()
    page.feed(text)
    page.close()
    return [
        FileTable.from_rows(file_name, name, [*enumerate(filled, 1)])
        for name, cells in zip(page.names, page.tables, strict=True)
        if (filled := [row for row in cells if any(row)])
    ]


class _TableParser(HTMLParser):
    """Parser of the cells in a page's tables; a cell over several columns or rows fills each."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        #: Name of each table: its caption, else the last heading before it.
        self.names: list[str] = []
        self.heading = ""
        self.is_heading = False
        self.spans: list[int] | None = None
        #: Cells of the current table that extend from above: (row, column) -> their text.
        self.above: dict[tuple[int, int], str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HEADINGS:
            self.heading, self.is_heading = "", True
        elif tag == "table":
            self.tables.append([])
            self.names.append(self.heading)
            self.above = {}
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("br", "sub", "sup") and self.spans:
            self.handle_data(" ")  # a superscript is not a digit of the number
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._fill_rowspans()
            texts = dict(attrs)
            digits = [str(texts.get(f"{way}span") or "1") for way in ("col", "row")]
            self.spans = [min(int(n), 1000) if n.isdecimal() else 1 for n in digits]
            self.tables[-1][-1].append("")

    def handle_data(self, data: str) -> None:
        if self.is_heading:
            self.heading = " ".join(f"{self.heading}{data}".split())
        elif self.spans:
            self.tables[-1][-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag in _HEADINGS:
            self.is_heading = False
            if tag == "caption" and self.names:
                self.names[-1] = self.heading
        elif tag in ("td", "th") and self.spans:
            row, (across, down) = self.tables[-1][-1], self.spans
            at, text = len(row) - 1, " ".join(row[-1].split())
            row[-1:] = [text] * across
            for below in range(1, down):
                for column in range(at, at + across):
                    self.above[len(self.tables[-1]) - 1 + below, column] = text
            self.spans = None
            self._fill_rowspans()

    def _fill_rowspans(self) -> None:
        row = self.tables[-1][-1]
        while (place := (len(self.tables[-1]) - 1, len(row))) in self.above:
            row.append(self.above.pop(place))


_TABULAR = re.compile(
    r"\\begin\{(?P<kind>tabular[xy*]?|longtable|array|tblr)\}(?P<body>.*?)\\end\{(?P=kind)\}",
    re.DOTALL,
)
_CAPTION = re.compile(r"\\caption(?:\[[^\]]*\])?\{(?P<text>(?:[^{}]|\{[^{}]*\})*)\}")
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|endhead|endfirsthead|endfoot|endlastfoot|addlinespace"
    r"|(?:cmidrule|cline)(?:\([^)]*\))?\{[^}]*\}|specialrule(?:\{[^}]*\}){3})(?:\[[^\]]*\])?"
)
#: Pattern of an argument, which may contain others.
_BRACES = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_SPAN = re.compile(r"\s*\\multicolumn\s*\{\s*(\d+)\s*\}")


def list_latex_tables(file_name: str, text: str) -> list[FileTable]:
    r"""List the tables in a text of LaTeX, each with its caption.

    >>> text = r"\begin{tabular}{lc} M & t \\ \hline A & \textbf{85.2} $\pm$ 0.3 \\ \end{tabular}"
    >>> list_latex_tables("f", text)[0].build(None)
       M           t
    0  A  85.2 ± 0.3
    """
    text = re.sub(r"(?<!\\)%[^\n]*", "", text)
    captions = [(match.start(), strip_latex(match["text"])) for match in _CAPTION.finditer(text)]
    tables: list[FileTable] = []
    for match in _TABULAR.finditer(text):
        first_line = text.count("\n", 0, match.start()) + 1
        n_arguments = 2 if match["kind"] in ("tabularx", "tabulary", "tabular*") else 1
        body = re.sub(
            rf"^\s*(?:\[[^\]]*\])?\s*(?:{_BRACES}\s*){{1,{n_arguments}}}", "", match["body"]
        )
        rows: list[Row] = []
        for line in re.split(r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline", body):
            cells = _parse_cells(_RULES.sub("", line))
            if any(cells):
                rows.append((first_line + len(rows), cells))
        if not rows:
            continue
        width = max(len(cells) for _, cells in rows)
        rows = [(number, cells + [""] * (width - len(cells))) for number, cells in rows]
        name = _nearest_caption(text, captions, match)
        tables.append(FileTable.from_rows(file_name, name, rows))
    return tables


def _parse_cells(line: str) -> list[str]:
    """Parse the cells of a row; a cell over several columns fills each of them."""
    cells: list[str] = []
    for cell in re.split(r"(?<!\\)&", line):
        span = _SPAN.match(cell)
        cells += [strip_latex(cell)] * (min(int(span[1]), 1000) if span else 1)
    return cells


def _nearest_caption(text: str, captions: list[tuple[int, str]], tabular: re.Match[str]) -> str:
    """Find the caption of the same table, above or below it."""
    start = text.rfind(r"\begin{table", 0, tabular.start())
    end = text.find(r"\end{table", tabular.end())
    if start < 0:
        return ""
    inside = [name for at, name in captions if start <= at and (end < 0 or at < end)]
    return inside[0] if inside else ""


#: Maximum number of lines above a table that are read as its note.
_MAX_NOTE = 6
_RULE = re.compile(r"\s*\|?(\s*:?-+:?\s*[|+])+(\s*:?-+:?\s*)?\s*")
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
        head = _find_names(lines, rule)
        above, start = start, _find_end(lines, rule)
        numbers = [number for number in range(rule + 1, start) if lines[number].strip()]
        rows: list[Row] = [(number + 1, [strip_markup(cell) for cell in _split_row(lines[number])])
                            for number in (head, *numbers)]  # fmt: skip
        # A row without any cell, or of dashes only, is a separator.
        filled = [row for row in rows[1:] if not all(re.fullmatch(r"[-–—:= ]*", c) for c in row[1])]
        heading = _find_heading(lines, above, head)
        bold = _find_bold([_split_row(lines[number]) for number in numbers])
        first = max(above, head - _MAX_NOTE)
        headed = [n for n in range(first, head) if re.match(r"\s*#", lines[n])]
        below = itertools.takewhile(lambda line: not re.match(r"\s*#|.*\|", line), lines[start:])
        around = [*lines[max([first, *headed]) : head], *itertools.islice(below, _MAX_NOTE)]
        note = "\n".join(around)
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
        if _RULE.fullmatch(lines[number]):
            head = _find_names(lines, number)
            if head >= start and "|" in lines[head]:
                return number
    return None


def _find_names(lines: Sequence[str], rule: int) -> int:
    """Find the last line above the dashes that is not blank."""
    return next((number for number in range(rule - 1, -1, -1) if lines[number].strip()), rule - 1)


def _find_end(lines: Sequence[str], rule: int) -> int:
    """Find where the rows below the dashes end, perhaps with blank lines between them."""
    width, end = len(_split_row(lines[rule])), rule + 1
    filled = [number for number in range(rule + 1, len(lines)) if lines[number].strip()]
    for number, following in zip(filled, [*filled[1:], -1], strict=True):
        begins = _RULE.fullmatch(lines[following]) and following > 0  # the names of another table
        is_row = re.match(r"\s*\|", lines[number]) and len(_split_row(lines[number])) == width
        after_gap = number > end and (begins or not is_row)
        if "|" not in lines[number] or after_gap:
            return end
        end = number + 1
    return end


def _split_row(line: str) -> list[str]:
    cells = re.split(r"(?<!\\)\|", re.sub(r"^\s*\|?|(?<!\\)\|\s*$", "", line))
    return [*map(unescape, cells)]


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
