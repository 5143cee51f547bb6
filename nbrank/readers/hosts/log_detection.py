"""Detection of evaluation logs by the names and keys of their files."""

import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from nbrank.readers.hosts.every_eval_ever_files import every_eval_ever, is_every_eval_ever
from nbrank.readers.hosts.harness_samples import is_samples_file, lm_eval_samples
from nbrank.readers.hosts.inspect_files import inspect_logs, is_inspect_log
from nbrank.readers.hosts.log_files import list_files
from nbrank.readers.hosts.preflib_files import preflib
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.reading import FILE_SAYS, ReadColumn, Reading

#: Endings of PrefLib's files.
_ENDINGS = (".soc", ".soi", ".toc", ".toi", ".cat")


def read_log(source: object, roles: Mapping[Any, str] = MappingProxyType({})) -> Leaderboard | None:
    """Read a folder, a file or files in these formats; return None for others, or with roles."""
    given: Any = source[0] if isinstance(source, list | tuple) and len(source) == 1 else source
    if roles in ({}, {"ballot": "task"}) and _is_preflib(given):
        rows = [ReadColumn("ballot", "task", None, FILE_SAYS)]
        return preflib(given).attach_reading(Reading.from_rows(rows))
    if roles:
        return None
    listed = isinstance(source, list | tuple) and bool(source)
    paths: list[Any] = list(cast("Any", source)) if listed else [source]
    if not all(isinstance(path, str | PathLike) for path in paths):
        return None
    try:
        files = list_files("read", paths)
    except (OSError, ValueError):  # The text is not a path.
        return None
    if any(map(is_samples_file, files)):
        return lm_eval_samples(given)
    if files and is_every_eval_ever(files[0]):
        return every_eval_ever(given)
    return inspect_logs(given) if files and is_inspect_log(files[0]) else None


def _is_preflib(source: object) -> bool:
    """Return whether a file, or its content, has the candidates' names as PrefLib writes them."""
    if isinstance(source, str | PathLike) and Path(source).suffix in _ENDINGS:
        with Path(source).open("rb") as file:
            source = file.read(2**16)
    return (
        isinstance(source, bytes)
        and re.search(rb"^#\s*ALTERNATIVE NAME \d", source, re.MULTILINE) is not None
    )
