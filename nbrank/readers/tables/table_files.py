"""Files of tables, whatever their format: the cells as they are, under the names above them."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Sequence
from os import PathLike, fspath
from pathlib import Path, PurePath
from statistics import mode
from typing import IO, Any
from urllib.request import urlopen

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import is_text_number, strip_markup
from nbrank.readers.tables.error_collector import unreadable_error
from nbrank.readers.tables.header_detection import Row, build_frame, format_line_numbers
from nbrank.readers.tables.html_tables import parse_html_tables
from nbrank.readers.tables.json_tables import parse_json_table
from nbrank.votes.user_warnings import warn_user

#: A file's name, its address, its content, or an open file.
File = str | PathLike[str] | bytes | IO[str] | IO[bytes]

_DECOMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}
#: How tables begin, and what they are then.
_MAGIC_BYTES = (
    (b"PAR1", "parquet"),
    (b"PK\x03\x04", "xlsx"),
    (b"\xd0\xcf\x11\xe0", "xls"),
    (b"<", "html"),
    (b"{", "json"),
    (b"[", "json"),
    (b"|", "md"),
)
_SEPARATORS = ",\t;|"
_MARKDOWN_RULE = re.compile(r"\s*\|?(\s*:?-+:?\s*[|+])+(\s*:?-+:?\s*)?")


def read_table(file: File, header_rows: int | None = None) -> pd.DataFrame:
    r"""What are the cells of a file's table, as they stand there?

    Parameters
    ----------
    file
        A path or address of CSV, TSV, Excel, JSON, Parquet, Markdown or HTML, which may
        be packed (.gz, .bz2, .xz), or its content. The ending says which it is, or else
        how the content begins.
    header_rows
        How many rows of names there are: 1, or 2 where the first names groups. None
        looks for itself.

    Returns
    -------
    pandas.DataFrame
        A row for each of the file's, with texts where the format has no types. `.attrs`
        has the `file`; and of semicolons or tabs, whether a comma is a `decimal_comma`.

    Raises
    ------
    OSError
        If the file can't be opened.
    ValueError
        If it holds no table; the message says where that shows.

    Examples
    --------
    >>> read_table(b"model;t\nNA;0,5\n")
      model    t
    0    NA  0,5
    """
    if not isinstance(file, str | bytes | PathLike):
        read = file.read()
        file = read.encode() if isinstance(read, str) else read
    if isinstance(file, bytes):
        called, content, endings = "the file", file, []
    else:
        called = fspath(file)
        content = _read_bytes(called)
        endings = [ending.lower() for ending in PurePath(called).suffixes]
    try:
        while endings and endings[-1] in _DECOMPRESSORS:
            content = _DECOMPRESSORS[endings.pop()](content)
    except (EOFError, OSError, ValueError, lzma.LZMAError, zlib.error) as error:
        raise ValueError(f"{called} can't be unpacked: {error}; pack it again") from None
    frame = _parse_bytes(called, content, endings[-1][1:] if endings else "", header_rows)
    frame.attrs["file"] = called
    return frame


def _read_bytes(called: str) -> bytes:
    if called.startswith(("http://", "https://")):
        with urlopen(called) as answer:  # the address is the caller's own
            return bytes(answer.read())
    if Path(called).is_dir():
        raise ValueError(
            f"{called} is a folder; give one of its files, or read it with what nbrank.readers has "
            f"for its host, such as nbrank.readers.mteb({called!r})"
        )
    with open(called, "rb") as opened:
        return opened.read()


def _parse_bytes(called: str, content: bytes, ending: str, header_rows: int | None) -> pd.DataFrame:
    """A table from the bytes of a file."""
    if not content.strip():
        raise ValueError(f"{called} is empty; give it a row of names and rows of scores")
    begins = content.lstrip(b"\xef\xbb\xbf \t\r\n")
    sniffed = next((kind for start, kind in _MAGIC_BYTES if begins.startswith(start)), "csv")
    known = {"csv", "tsv", "md", "json", "jsonl", "parquet", "html", "xlsx"}
    alike = {"markdown": "md", "htm": "html", "ndjson": "jsonl", "xlsm": "xlsx", "pq": "parquet"}
    kind = alike.get(ending, ending if ending in known else sniffed)
    if kind == "parquet":
        return _read_parquet(called, content)
    if kind == "xls":
        raise ValueError(f"{called} is of an Excel before 2007; save it as .xlsx or CSV")
    if kind == "xlsx":
        return build_frame(called, _excel_rows(called, content), header_rows)
    text = _decode(called, content)
    if kind in ("json", "jsonl"):
        return parse_json_table(called, text)
    if kind == "html":
        return build_frame(called, _html_rows(called, text), header_rows)
    if kind == "md" or (kind == "csv" and ending != "csv" and _find_first_rule(text.splitlines())):
        return build_frame(called, _markdown_rows(called, text), header_rows)
    rows, separator = _separated_rows(called, text, "\t" if kind == "tsv" else _SEPARATORS)
    frame = build_frame(called, rows, header_rows)
    # Who parts cells by semicolons does so since commas stand in numbers; tabs leave it open.
    frame.attrs["decimal_comma"] = {";": True, "\t": False}.get(separator)
    return frame


def _decode(called: str, content: bytes) -> str:
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = content.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ValueError(
            f"{called} is no text in UTF-8; save it as CSV in UTF-8, as spreadsheets can"
        )
    return text


# ----------------------------------------------------------------------------- rows of cells


def _separated_rows(called: str, text: str, separators: str) -> tuple[list[Row], str]:
    """The rows by the first separator that gives all as many cells, or that is in the names."""
    if description := re.match(r'"?sep=(.)"?\r?\n', text):  # as for Excel
        separators, text = description[1], f"\n{text[description.end() :]}"
    results: dict[str, tuple[list[Row], list[Row]]] = {}
    usual = csv.field_size_limit(2**31 - 1)
    try:
        for separator in separators:
            reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
            every = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
            filled = [row for row in every if any(row[1])]
            if not filled:
                raise ValueError(f"{called} is empty; give it a row of names and rows of scores")
            rows, _ = results[separator] = _split_comments(filled)
            if len({len(cells) for _, cells in rows}) == 1 < len(rows[0][1]):
                break
        else:
            likely = [name for name, (rows, _) in results.items() if len(rows[0][1]) > 1]
            below = [name for name, (rows, _) in results.items() if len(rows[-1][1]) > 1]
            separator = [*likely, *below, separators[0]][0]
    finally:
        csv.field_size_limit(usual)
    rows, remarks = results[separator]
    if remarks:
        where = format_line_numbers([line for line, _ in remarks])
        warn_user(f"{called}: set aside as a remark, by the # before it: {where}")
    return rows, separator


def _split_comments(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Rows, and apart those that begin with # and are no names or scores, or are put out of use."""
    usual = mode(len(cells) for _, cells in rows)
    marked = [cells[0].startswith("#") for _, cells in rows]
    first, *others = [bool(re.match(r"#+\D", cells[0])) for _, cells in rows]
    # A # before most rows is part of their names, and so is that of a number: #3.
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
    """Whether the names stand below a first row, and then numbers."""
    number = [any(map(is_text_number, cells[1:])) for _, cells in others[:2]]
    return number == [False, True] and others[0][1][0] != ""


def _markdown_rows(called: str, text: str) -> list[Row]:
    """The rows of the longest table in a text, its marks left out."""
    lines = text.splitlines()
    tables = []
    start = 0
    while rule := _find_first_rule(lines, start):
        start = rule + 1
        while start < len(lines) and "|" in lines[start]:
            start += 1
        tables.append([rule - 1, *range(rule + 1, start)])
    if not tables:
        raise ValueError(f"{called} has no table in Markdown: rows of | cells |, with |---| below")
    _warn_multiple_tables(called, len(tables))
    return [
        (
            number + 1,
            [strip_markup(cell) for cell in re.split(r"(?<!\\)\|", _strip_bars(lines[number]))],
        )
        for number in max(tables, key=len)
    ]


def _strip_bars(line: str) -> str:
    """A row of cells without the bars at its ends, of which an empty cell needs the other one."""
    return re.sub(r"^\s*\|?|(?<!\\)\|\s*$", "", line)


def _find_first_rule(lines: Sequence[str], start: int = 0) -> int | None:
    """The first line of dashes below a line of cells."""
    for number in range(max(start, 1), len(lines)):
        if _MARKDOWN_RULE.fullmatch(lines[number]) and "|" in lines[number - 1]:
            return number
    return None


def _html_rows(called: str, text: str) -> list[Row]:
    """The rows of the longest table of a page."""
    tables = parse_html_tables(text)
    if not tables:
        raise ValueError(f"{called} has no table: <table> with a row <tr> for each system")
    _warn_multiple_tables(called, len(tables))
    longest = max(tables, key=lambda table: len(table) * len(table[0]))
    rows: list[Row] = [*enumerate(map(list, longest), 1)]
    # A cell over a whole row is said of what is below it, or of the table.
    across = [number for number, row in rows[1:] if len(set(row)) == 1 < len(row)]
    if across:
        warn_user(
            f"{called}: set aside as headings or notes: {format_line_numbers(across)} of the table"
        )
    return [row for row in rows if row[0] not in across]


def _excel_rows(called: str, content: bytes) -> list[Row]:
    """The rows of the first sheet with a table."""
    sheets = _read_sheets(called, content)
    filled = [name for name, cells in sheets.items() if cells.notna().any(axis=None)]
    if not filled:
        raise ValueError(f"{called} is empty; give it a row of names and rows of scores")
    tables = [name for name in filled if sheets[name].notna().any().sum() > 1]
    chosen = [*tables, *filled][0]
    if len(filled) > 1:
        warn_user(f"{called} has {len(filled)} sheets, of which {chosen!r} is read")
    cells = sheets[chosen]
    if (gaps := cells.isna()).any(axis=None):
        written = _read_sheets(called, content, data_only=False)[chosen].reindex_like(cells)
        unknown = (gaps & written.map(lambda cell: str(cell).startswith("="))).any(axis=1)
        if lines := [row + 1 for row in np.flatnonzero(unknown).tolist()]:
            raise ValueError(
                f"{called} has formulas without their results, in {format_line_numbers(lines)}; "
                "open it in "
                f"a spreadsheet, and save it"
            )
    cells = cells.where(~gaps, "").loc[:, ~gaps.all()]
    rows = [(number, list(row)) for number, row in enumerate(cells.itertuples(index=False), 1)]
    return [row for row in rows if any(cell != "" for cell in row[1])]


def _read_sheets(called: str, content: bytes, *, data_only: bool = True) -> dict[str, pd.DataFrame]:
    """The cells of each sheet as they are: pandas takes those of errors, #REF!, for empty ones."""
    how: Any = {"engine": "openpyxl", "engine_kwargs": {"data_only": data_only}}
    try:
        book = pd.ExcelFile(io.BytesIO(content), **how).book
        return {sheet.title: pd.DataFrame(sheet.values, dtype=object) for sheet in book.worksheets}
    except ImportError:
        raise ImportError(
            f"{called} is Excel, which needs more to be read: pip install 'nbrank[files]'"
        ) from None
    except Exception:  # noqa: BLE001 - a torn file has many
        raise ValueError(
            f"{called} can't be read as Excel: it is damaged, or something else; save it again, "
            f"with the ending of what it is"
        ) from None


def _read_parquet(called: str, content: bytes) -> pd.DataFrame:
    try:
        # With pandas' own types integers stay integers beside missing scores.
        frame = pd.read_parquet(io.BytesIO(content), dtype_backend="numpy_nullable")
        return frame.astype(dict.fromkeys(frame.select_dtypes("string"), object))
    except (OSError, ValueError) as error:
        raise unreadable_error(called, error) from error


def _warn_multiple_tables(called: str, number: int) -> None:
    if number > 1:
        warn_user(f"{called} has {number} tables, of which the longest is read")
