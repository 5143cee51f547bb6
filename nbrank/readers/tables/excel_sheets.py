"""Reader of the sheets in a workbook of Excel, as tables."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.header_detection import Row, format_line_numbers
from nbrank.readers.tables.table_choice import FileTable


def list_sheets(file_name: str, content: bytes) -> list[FileTable]:
    """List the sheets that are not empty, each with its name."""
    sheets = _read_sheets(file_name, content)
    filled = {name: cells for name, cells in sheets.items() if cells.notna().any(axis=None)}
    if not filled:
        raise ValueError(f"{file_name} is empty; give it a row of names and rows of scores")
    return [_build_table(file_name, content, name, cells) for name, cells in filled.items()]


def _build_table(file_name: str, content: bytes, name: str, cells: pd.DataFrame) -> FileTable:
    rows = _filled_rows(cells)
    table = FileTable.from_rows(file_name, name, rows)

    def build(header_rows: int | None) -> pd.DataFrame:
        _check_formulas(file_name, content, name, cells)
        return table.build(header_rows)

    return FileTable(name, table.columns, table.n_rows, table.n_numbers, build)


def _filled_rows(cells: pd.DataFrame) -> list[Row]:
    gaps = cells.isna()
    cells = cells.where(~gaps, "").loc[:, ~gaps.all()]
    rows = [(number, list(row)) for number, row in enumerate(cells.itertuples(index=False), 1)]
    return [row for row in rows if any(cell != "" for cell in row[1])]


def _check_formulas(file_name: str, content: bytes, name: str, cells: pd.DataFrame) -> None:
    """Refuse a sheet whose formulas have no results."""
    gaps = cells.isna()
    if not gaps.any(axis=None):
        return
    written = _read_sheets(file_name, content, data_only=False)[name].reindex_like(cells)
    unknown = (gaps & written.map(lambda cell: str(cell).startswith("="))).any(axis=1)
    if lines := [row + 1 for row in np.flatnonzero(unknown).tolist()]:
        raise ValueError(
            f"{file_name} has formulas without their results, in {format_line_numbers(lines)}; "
            "open it in a spreadsheet, and save it"
        )


def _read_sheets(
    file_name: str, content: bytes, *, data_only: bool = True
) -> dict[str, pd.DataFrame]:
    """Read the cells of each sheet unchanged, because pandas takes errors (#REF!) for empty."""
    how: Any = {"engine": "openpyxl", "engine_kwargs": {"data_only": data_only}}
    try:
        book = pd.ExcelFile(io.BytesIO(content), **how).book
        return {sheet.title: pd.DataFrame(sheet.values, dtype=object) for sheet in book.worksheets}
    except ImportError:
        raise ImportError(
            f"{file_name} is Excel, which needs more to be read: pip install 'nbrank[files]'"
        ) from None
    except Exception:  # noqa: BLE001 - a damaged file has many
        raise ValueError(
            f"{file_name} can't be read as Excel: the file is damaged, or of another format; "
            f"save it again with the right ending"
        ) from None
