"""Reader of tables in files of any format: the unchanged cells under their names."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import IO, Any
from urllib.request import urlopen

import numpy as np
import pandas as pd

from nbrank.readers.tables.console_tables import list_console_tables
from nbrank.readers.tables.error_collector import unreadable_error
from nbrank.readers.tables.file_tables import (
    FileTable,
    build_frame,
    choose_table,
    format_line_numbers,
)
from nbrank.readers.tables.json_tables import list_json_tables
from nbrank.readers.tables.markup_tables import (
    has_markdown_table,
    list_html_tables,
    list_latex_tables,
    list_markdown_tables,
)
from nbrank.readers.tables.missing_marks import mark_missing
from nbrank.readers.tables.text_tables import SEPARATORS, parse_separated_rows


def list_sheets(file_name: str, content: bytes) -> list[FileTable]:
    """List the sheets that are not empty, each with its name."""
    tables = []
    for name, cells in _read_sheets(file_name, content).items():
        gaps = cells.isna()
        filled = cells.where(~gaps, "").loc[:, ~gaps.all()]
        numbered = enumerate(filled.itertuples(index=False), 1)
        rows = [(number, list(row)) for number, row in numbered if any(cell != "" for cell in row)]
        if rows:
            table = FileTable.from_rows(file_name, name, rows)
            build = partial(_build_sheet, file_name, content, table, cells)
            tables.append(replace(table, build=build))
    if not tables:
        raise ValueError(f"{file_name} is empty; give it a row of names and rows of scores")
    return tables


def _build_sheet(
    file_name: str, content: bytes, table: FileTable, cells: pd.DataFrame, header_rows: int | None
) -> pd.DataFrame:
    """Build the frame of a sheet, unless its formulas have no results."""
    gaps = cells.isna()
    if gaps.any(axis=None):
        written = _read_sheets(file_name, content, data_only=False)[table.name].reindex_like(cells)
        unknown = (gaps & written.map(lambda cell: str(cell).startswith("="))).any(axis=1)
        if lines := [row + 1 for row in np.flatnonzero(unknown).tolist()]:
            raise ValueError(
                f"{file_name} has formulas without their results, in {format_line_numbers(lines)}; "
                "open it in a spreadsheet, and save it"
            )
    return table.build(header_rows)


def _read_sheets(
    file_name: str, content: bytes, *, data_only: bool = True
) -> dict[str, pd.DataFrame]:
    """Read the cells of each sheet unchanged, because pandas takes errors (#REF!) for empty."""
    how: Any = {"engine": "openpyxl", "engine_kwargs": {"data_only": data_only}}
    how["engine_kwargs"]["read_only"] = False  # or else it doesn't say which cells are merged
    try:
        book = pd.ExcelFile(io.BytesIO(content), **how).book
        sheets = {
            sheet.title: pd.DataFrame(sheet.values, dtype=object) for sheet in book.worksheets
        }
        for sheet in book.worksheets if data_only else ():
            for area in sheet.merged_cells.ranges:
                row, columns = area.min_row - 1, np.s_[area.min_col - 1 : area.max_col]
                sheets[sheet.title].iloc[row, columns] = sheet.cell(*area.top[0]).value
        return sheets
    except ImportError:
        raise ImportError(
            f"{file_name} is Excel, which needs more to be read: pip install 'nbrank[files]'"
        ) from None
    except Exception:  # noqa: BLE001 - a damaged file has many
        raise ValueError(
            f"{file_name} can't be read as Excel: the file is damaged, or of another format; "
            f"save it again with the right ending"
        ) from None


#: Type of a file: its path, its address, its content, or an open file.
File = str | PathLike[str] | bytes | IO[str] | IO[bytes]

_DECOMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress
}  # fmt: skip
#: First bytes of files, and the kind of file that they indicate.
_MAGIC_BYTES = (
    (b"PAR1", "parquet"), (b"PK\x03\x04", "xlsx"), (b"\xd0\xcf\x11\xe0", "xls"),
    (b"<", "html"), (b"{", "json"), (b"[", "json"), (b"|", "md"),
)  # fmt: skip
_KINDS = ("csv", "tsv", "txt", "md", "json", "jsonl", "parquet", "html", "xlsx", "tex")
_KINDS_BY_ENDING = {
    "markdown": "md", "htm": "html", "ndjson": "jsonl", "xlsm": "xlsx", "pq": "parquet",
    "latex": "tex",
}  # fmt: skip
#: Kind of file -> description of the table that is expected in it.
_TABLE_FORMS = {
    "md": "in Markdown: rows of | cells |, with |---| below",
    "html": "in its page: <table> with a row <tr> for each system",
    "tex": r"in LaTeX: \begin{tabular}{lcc}, rows of cells & cells \\",
}
#: Kind of text -> reader of its tables.
_TEXT_READERS = {
    "md": list_markdown_tables, "html": list_html_tables, "tex": list_latex_tables,
    "txt": list_console_tables,
}  # fmt: skip
#: Pattern of a block of code in Markdown.
_CODE = re.compile(r"^\s*(?P<fence>```|~~~).*\n(?P<code>[\s\S]*?)^\s*(?P=fence)", re.MULTILINE)


def read_table(
    file: File,
    header_rows: int | None = None,
    *,
    table: int | str | None = None,
    na: Iterable[object] = (),
) -> pd.DataFrame:
    r"""What are the cells of a file's table, as they stand there?

    Parameters
    ----------
    file
        A path or address of CSV, TSV, text separated by blanks, Excel, JSON, Parquet, Markdown,
        HTML or LaTeX, which may be packed (.gz, .bz2, .xz), or its content. The format is known
        by the ending, or else by how the content begins.
    header_rows
        The number of rows of names: 1, or 2 if the first names groups. None
        detects it.
    table
        The number (from 1) or the name of the table, if the file holds several: the name of a
        sheet, the caption or the heading above it, its key in JSON. None takes the one with the
        most numbers, and a warning lists all.
    na
        Further marks of missing scores, besides the known ones (an empty cell, -, n/a, ...).

    Returns
    -------
    pandas.DataFrame
        A row for each of the file's, with texts if the format has no types. `.attrs` has the
        `file`; and for semicolons or tabs, whether a comma is a `decimal_comma`.

    Raises
    ------
    OSError
        If the file can't be opened.
    ValueError
        If it holds no table, or not the requested one; the message gives the evidence.

    Warns
    -----
    UserWarning
        If the file holds several tables, and `table` is None.

    Examples
    --------
    >>> read_table(b"model;t\nNA;0,5\n")
      model    t
    0    NA  0,5
    >>> page = b"# x\n| m | t |\n|---|---|\n| A | 1 |\n# y\n| m | t |\n|---|---|\n| B | ?? |\n"
    >>> read_table(page, table="y", na=["??"])
       m    t
    0  B  NaN
    """
    file_name, tables = _list_tables(file)
    chosen = choose_table(file_name, tables, table)
    frame = mark_missing(chosen.build(header_rows), na)
    frame.attrs |= {"file": file_name, "table": chosen.name}
    return frame


def list_tables(file: File) -> list[FileTable]:
    r"""Which tables does a file hold?

    >>> page = b"# x\n| m | t |\n|---|---|\n| A | 1 |\n# y\n| m | t |\n|---|---|\n| B | 2 |\n"
    >>> [(table.name, table.columns) for table in list_tables(page)]
    [('x', ['m', 't']), ('y', ['m', 't'])]
    """
    return _list_tables(file)[1]


def _list_tables(file: File) -> tuple[str, list[FileTable]]:
    """List the tables in a file, with the file's name."""
    if not isinstance(file, str | bytes | PathLike):
        read = file.read()
        file = read.encode() if isinstance(read, str) else read
    if isinstance(file, bytes):
        file_name, content, endings = "the file", file, []
    else:
        file_name = fspath(file)
        content = _read_bytes(file_name)
        endings = [ending.lower() for ending in PurePath(file_name).suffixes]
    try:
        while endings and endings[-1] in _DECOMPRESSORS:
            content = _DECOMPRESSORS[endings.pop()](content)
    except (EOFError, OSError, ValueError, lzma.LZMAError, zlib.error) as error:
        raise ValueError(f"{file_name} can't be unpacked: {error}; pack it again") from None
    return file_name, _parse_bytes(file_name, content, endings[-1][1:] if endings else "")


def _read_bytes(file_name: str) -> bytes:
    if file_name.startswith(("http://", "https://")):
        with urlopen(file_name) as answer:  # the address comes from the caller
            return bytes(answer.read())
    if Path(file_name).is_dir():
        raise ValueError(
            f"{file_name} is a folder; give one of its files, or read it with what nbrank.readers "
            f"has for its host, such as nbrank.readers.mteb({file_name!r})"
        )
    with open(file_name, "rb") as opened:
        return opened.read()


def _parse_bytes(file_name: str, content: bytes, ending: str) -> list[FileTable]:
    """Parse the tables from the bytes of a file."""
    if not content.strip():
        raise ValueError(f"{file_name} is empty; give it a row of names and rows of scores")
    begins = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    sniffed = next((kind for start, kind in _MAGIC_BYTES if begins.startswith(start)), "csv")
    ending = _KINDS_BY_ENDING.get(ending, ending)
    kind = ending if ending in _KINDS and ending != "txt" else sniffed
    if kind == "parquet":
        frame = _read_parquet(file_name, content)
        return [FileTable("", list(map(str, frame)), len(frame), frame.size, lambda _: frame)]
    if kind == "xls":
        raise ValueError(f"{file_name} is of an Excel before 2007; save it as .xlsx or CSV")
    if kind == "xlsx":
        return list_sheets(file_name, content)
    text = _decode(file_name, content)
    if kind in ("json", "jsonl"):
        return list_json_tables(file_name, text)
    if kind == "csv" and ending != "csv":
        kind = _find_markup(text)
    return _parse_text(file_name, text, kind)


def _find_markup(text: str) -> str:
    """Find how the tables of a text are marked: "tex", "md", or "txt" without marks."""
    if re.search(r"\\begin\{(tabular|longtable)", text):
        return "tex"
    return "md" if has_markdown_table(text) else "txt"


def _parse_text(file_name: str, text: str, kind: str) -> list[FileTable]:
    """Parse the tables of a text of a kind, which may be in blocks of code in Markdown."""
    tables = _TEXT_READERS[kind](file_name, text) if kind in _TEXT_READERS else []
    if kind == "md" and not tables:
        tables = list_console_tables(file_name, text) or [
            _list_separated_table(file_name, match["code"], SEPARATORS)
            for match in _CODE.finditer(text)
        ]
    if kind in _TABLE_FORMS and not tables:
        raise ValueError(f"{file_name} has no table {_TABLE_FORMS[kind]}")
    separators = "\t" if kind == "tsv" else SEPARATORS
    return tables or [_list_separated_table(file_name, text, separators)]


def _list_separated_table(file_name: str, text: str, separators: str) -> FileTable:
    """List the single table of a text whose cells are separated by signs or blanks."""
    rows, separator = parse_separated_rows(file_name, text, separators)

    def build(header_rows: int | None) -> pd.DataFrame:
        frame = build_frame(file_name, rows, header_rows)
        # Semicolons separate cells if numbers contain commas; tabs leave it open.
        frame.attrs["decimal_comma"] = {";": True, "\t": False}.get(separator)
        return frame

    return FileTable("", [str(cell) for cell in rows[0][1]], len(rows) - 1, 0, build)


def _decode(file_name: str, content: bytes) -> str:
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError(
            f"{file_name} is not text in UTF-8; save it as CSV in UTF-8, as spreadsheets can"
        )
    return text


def _read_parquet(file_name: str, content: bytes) -> pd.DataFrame:
    try:
        # With pandas' own types integers stay integers in columns with missing scores.
        frame = pd.read_parquet(io.BytesIO(content), dtype_backend="numpy_nullable")
        return frame.astype(dict.fromkeys(frame.select_dtypes("string"), object))
    except (OSError, ValueError) as error:
        raise unreadable_error(file_name, error) from error
