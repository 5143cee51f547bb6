"""A look at the frame first: is it one that this chart draws?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from nbrank.votes.formatting import format_labels


def check_columns(
    function: str,
    frame: object,
    columns: Sequence[str],
    source: str,
    use: str = "draws",
) -> None:
    """Refuse a frame without the columns that are drawn, and say which function gives one."""
    start = f"charts.{function} {use} what {source} returns"
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"{start}, not {type(frame).__name__}")
    observed = list(frame.columns)
    missing = [column for column in columns if column not in observed]
    if missing:
        raise ValueError(
            f"{start}; this frame has no {format_labels(missing)}, but {format_labels(observed)}"
        )
    if frame.empty:
        raise ValueError(f"{start}; this frame has no rows")
    if not frame.index.is_unique:
        twice = frame.index[frame.index.duplicated()].unique()
        raise ValueError(f"{start}; this frame has duplicate rows: {format_labels(twice)}")
