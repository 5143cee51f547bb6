r"""Reader of tables in LaTeX: the rows of each tabular."""

from __future__ import annotations

import re

from nbrank.readers.tables.header_detection import Row
from nbrank.readers.tables.latex_markup import strip_latex
from nbrank.readers.tables.table_choice import FileTable

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
