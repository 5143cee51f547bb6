"""Reader of several files as one table: a file for each system, task, run or part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path, PurePath
from typing import Any, Literal, get_args

import pandas as pd

from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.readers.tables.column import TASKS, is_text
from nbrank.readers.tables.json_tables import parse_json_record
from nbrank.readers.tables.table_files import read_table
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import INSTANCES, REPLICATES, SYSTEMS, is_named_like
from nbrank.votes.table.validation import check_choice
from nbrank.votes.user_warnings import warn_user

#: Roles of files.
FileRole = Literal["system", "task", "run", "part"]


def read_tables(
    files: Sequence[str | PathLike[str]],
    header_rows: int | None = None,
    *,
    table: int | str | None = None,
    na: Iterable[object] = (),
    file_role: FileRole | None = None,
) -> pd.DataFrame:
    r"""What are the cells of several files' tables, as one table?

    Parameters
    ----------
    files
        The paths: at least one. Each is named by the part of its name that differs.
    header_rows, table, na
        As for `read_table`, of each file.
    file_role
        The role of each file: a "system" (its rows are tasks or instances, or it has one row), a
        "task" (its rows are systems), a "run" (a repetition), or a "part" of one long table. None
        infers it from the columns, and a warning says so.

    Returns
    -------
    pandas.DataFrame
        Of systems and runs all rows below each other, with a first column `system` or `run`; of
        tasks a row for each system, with columns (file, column), or one by the name of the file
        if each has one column of scores; of parts all rows.

    Raises
    ------
    OSError, ValueError
        If a file can't be read, or the role of the files is unknown.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for name, score in {"A": 1, "B": 2}.items():
    ...     _ = (folder / f"{name}.csv").write_text(f"task,score\nt,{score}\n")
    >>> read_tables([folder / "A.csv", folder / "B.csv"], file_role="system")
      system task score
    0      A    t     1
    1      B    t     2
    """
    if not files:
        raise ValueError("no files given; give at least one")
    paths = [fspath(file) for file in files]
    if twice := [path for path in dict.fromkeys(paths) if paths.count(path) > 1]:
        raise ValueError(f"the same file is given twice: {format_labels(twice)}; give it once")
    marks: list[object] = [na] if isinstance(na, str) else list(na)
    frames = [_read_one(path, header_rows, table, marks) for path in paths]
    if len(frames) == 1 and file_role is None:
        return frames[0]
    names = name_files(paths)
    if file_role is None:
        role, why = _infer_role(names, frames)
        others = [other for other in get_args(FileRole) if other != role]
        warn_user(
            f"{len(frames)} files are read as one table, each as a {role} "
            f"({format_labels(names, 4)}): {why}; if that is wrong, say so, as in "
            f"roles={{'file': {others[0]!r}}}"
        )
    else:
        check_choice("read_tables", "file_role", role := file_role, get_args(FileRole))
    result = _join_tasks(names, frames) if role == "task" else _concat_files(names, frames, role)
    result.attrs = {
        "file": f"{len(paths)} files ({format_labels(names, 2)})",
        "decimal_comma": frames[0].attrs.get("decimal_comma"),
    }
    return result


def name_files(paths: Sequence[str]) -> list[str]:
    """Name files by the names without endings, else by the folders in which they differ.

    >>> name_files(["runs/a.csv", "runs/b.csv"]), name_files(["a/results.json", "b/results.json"])
    (['a', 'b'], ['a', 'b'])
    """
    stems = [PurePath(path).name.partition(".")[0] or PurePath(path).name for path in paths]
    if len(set(stems)) == len(stems):
        return stems
    parts = [[*PurePath(path).parts[:-1], stem] for path, stem in zip(paths, stems, strict=True)]
    depth = max(map(len, parts))
    padded = [[""] * (depth - len(part)) + part for part in parts]
    differing = [at for at in range(depth) if len({part[at] for part in padded}) > 1]
    short = ["/".join(filter(None, (part[at] for at in differing))) for part in padded]
    return short if len(set(short)) == len(short) else list(map(str, paths))


def _read_one(
    path: str, header_rows: int | None, table: int | str | None, na: list[object]
) -> pd.DataFrame:
    """Read a file's table, or the row of a file of a single record."""
    if path.lower().endswith(".json") and table is None and Path(path).is_file():
        record = parse_json_record(Path(path).read_text(encoding="utf-8-sig", errors="replace"))
        if record is not None:
            return record
    return read_table(path, header_rows, table=table, na=na)


def _infer_role(names: Sequence[str], frames: Sequence[pd.DataFrame]) -> tuple[FileRole, str]:
    """Infer the role of the files, and the reason."""
    systems = [_named_column(frame, SYSTEMS) for frame in frames]
    tasks = [_named_column(frame, {*TASKS, *INSTANCES}) for frame in frames]
    if all(column is not None for column in systems):
        keys = [
            _row_keys(frame, of_row) for frame, *of_row in zip(frames, systems, tasks, strict=True)
        ]
        if len(set().union(*keys)) == sum(map(len, keys)):
            return "part", "no row of one is in another"
        if any(map(_is_run_name, names)) or all(column is not None for column in tasks):
            return "run", "they have scores of the same systems"
        return "task", f"each has the column {str(systems[0])!r}, of the same systems"
    if all(column is not None for column in tasks):
        return "system", f"their rows are named by {str(tasks[0])!r}"
    if all(len(frame) == 1 for frame in frames):
        return "system", "each has one row"
    raise ValueError(
        f"{len(frames)} files are given, and nothing says whether each is of a system, a task or a "
        f"run; say which, roles={{'file': 'system'}}, 'task', 'run' or 'part': "
        f"{format_labels(names, 4)} have the columns {format_labels(frames[0].columns)}"
    )


def _named_column(frame: pd.DataFrame, kinds: Iterable[str]) -> Any:
    """Find the first column with such a name."""
    return next((name for name in frame.columns if is_named_like(name, frozenset(kinds))), None)


def _row_keys(frame: pd.DataFrame, names: Sequence[Any]) -> set[Any]:
    """Return the cells of the columns that label, and so distinguish, the rows."""
    columns = [name for name in dict.fromkeys(names) if name is not None]
    columns += [name for name in frame.columns if name not in columns
                and is_named_like(name, INSTANCES | REPLICATES)]  # fmt: skip
    return set(map(tuple, frame[columns].astype(str).to_numpy().tolist()))


def _is_run_name(name: str) -> bool:
    """Return whether a file is named like a run: seed_1, run2, fold-3."""
    bare = name.rstrip("0123456789").rstrip("_- ")
    return bare != name and is_named_like(bare, REPLICATES)


def _concat_files(
    names: Sequence[str], frames: Sequence[pd.DataFrame], role: FileRole
) -> pd.DataFrame:
    """Concatenate all rows, each with the name of its file in place of a column of that name."""
    if role == "system":  # the rows of each are tasks
        frames = [frame.rename(columns={"": "task"}) for frame in frames]
    if role != "part":
        frames = [frame.drop(columns=role, errors="ignore") for frame in frames]
        for name, frame in zip(names, frames, strict=True):
            frame.insert(0, role, pd.Series(name, dtype=object, index=frame.index))
    return pd.concat(frames, ignore_index=True)


def _join_tasks(names: Sequence[str], frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Join the columns of all files, with a row for each system."""
    labels = [_label_column(frame) for frame in frames]
    several = [name for name, frame, label in zip(names, frames, labels, strict=True)
               if frame[label].duplicated().any()]  # fmt: skip
    if several:
        raise ValueError(
            f"each file is read as a task, and {format_labels(several)} names a system more than "
            f"once; if they are parts of one long table, say roles={{'file': 'part'}}"
        )
    scores = [_score_columns(frame, label) for frame, label in zip(frames, labels, strict=True)]
    alone = all(len(columns) == 1 for columns in scores)
    parts = []
    for name, frame, label, columns in zip(names, frames, labels, scores, strict=True):
        part = frame.set_index(label)[columns]
        keys = [name] if alone else [(name, column) for column in columns]
        parts.append(part.set_axis(pd.Index(keys, dtype=object, tupleize_cols=False), axis=1))
    result = pd.concat(parts, axis=1)
    columns = [str(labels[0]), *(column for part in parts for column in part.columns)]
    result = result.reset_index()
    result.columns = pd.Index(columns, dtype=object, tupleize_cols=False)
    return result.astype(object).where(result.notna(), "")


def _label_column(frame: pd.DataFrame) -> Any:
    """Find the column that names the systems: by its name, else the first of words."""
    named = _named_column(frame, SYSTEMS)
    texts = [name for name in frame.columns if is_text(frame[name])]
    return named if named is not None else [*texts, frame.columns[0]][0]


def _score_columns(frame: pd.DataFrame, label: Any) -> list[Any]:
    """Find the columns with numbers, or all others if none has any."""
    others = [name for name in frame.columns if name != label]
    return [name for name in others if any(map(is_text_number, frame[name]))] or others
