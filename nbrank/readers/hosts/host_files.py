"""Result files in a host's folder, and the table that is built from them."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from nbrank.readers.hosts.log_files import Folder, parse_json, read_text
from nbrank.readers.tables.table_reader import read_frames

#: Record of a score in a host's file: system, task, score, and further facts.
Result = dict[str, Any]


def result_files(
    folder: Folder, pattern: str, host: str, fits: Callable[[Any], bool], kind: type = dict
) -> Iterator[tuple[Path, Any]]:
    """Read the JSON files of a folder whose content is in the host's format, by their paths."""
    home = Path(folder)
    if not home.is_dir():
        raise ValueError(f"{host}: {str(home)!r} is not a folder; give that of its results")
    is_found = False
    for path in sorted(home.glob(pattern)):
        content = parse_json(host, f"{path}", read_text(host, path))
        if isinstance(content, kind) and fits(content):
            is_found = True
            yield path, content
    if not is_found:
        raise ValueError(f"{host}: no file {pattern} in {str(home)!r} holds its results")


def results_as_table(
    host: str, folder: Folder, results: Iterable[Result]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Arrange single results as a table of scores, and one of their standard errors."""
    long = pd.DataFrame(list(results))
    if long.empty:
        raise ValueError(f"{host}: {str(folder)!r} holds no scores of this kind")
    long.attrs["file"] = str(folder)
    of_task = [name for name in ("task", "metric") if name in long]
    roles = {"system": "system", "score": "score"} | dict.fromkeys(of_task, "task")
    roles |= {name: role for name, role in (("stderr", "error"), ("instance", "instance"))
              if name in long}  # fmt: skip
    return read_frames(long, roles)
