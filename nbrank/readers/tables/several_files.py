"""Several files as one table: a file for each system, each task, or each part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import pandas as pd

from nbrank.readers.tables.raw_table import RawTable
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import SYSTEMS, TASKS, is_named_like
from nbrank.votes.user_warnings import warn_user


def read_files(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put the rows of several files under each other, with what each file stands for."""
    if not frames:
        raise ValueError("there are no files; give at least one")
    stems = [PurePath(str(frame.attrs.get("file", number))).stem
             for number, frame in enumerate(frames, 1)]  # fmt: skip
    if len(set(stems)) < len(stems):
        raise ValueError(f"two files have one name: {format_labels(stems)}; rename one")
    kind = _kind(frames)
    parts = [
        frame if kind == "part" else frame.assign(**{kind: stem})
        for frame, stem in zip(frames, stems, strict=True)
    ]
    whole = pd.concat(parts, ignore_index=True).astype(object)
    if kind != "part":
        whole.insert(0, kind, whole.pop(kind))
        warn_user(f"each of the {len(frames)} files is read as a {kind}: {format_labels(stems, 3)}")
    whole.attrs = {**frames[0].attrs, "file": f"{len(frames)} files"}
    return whole


def _kind(frames: Sequence[pd.DataFrame]) -> str:
    """What a file stands for: a system, a task, or a part of one table."""
    tables = [RawTable.from_frame(frame) for frame in frames]
    named = [table.find_columns(SYSTEMS) for table in tables]
    if not all(named):
        return "system"
    systems = [set(table[names[0]].astype(str)) for table, names in zip(tables, named, strict=True)]
    if not set.intersection(*systems):
        return "part"
    has_task = all(any(is_named_like(name, TASKS) for name in table.names) for table in tables)
    return "run" if has_task else "task"
