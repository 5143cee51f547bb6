"""Files of evaluation logs, and the instance-level board that is built from them."""

import json
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import pandas as pd

from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.user_warnings import warn_user

Record = dict[str, Any]
Folder = str | PathLike[str]


def list_files(host: str, path: Folder | Iterable[Folder]) -> list[Path]:
    """List the JSON files of folders, at any depth, and single files."""
    given = [path] if isinstance(path, str | PathLike) else list(path)
    files: list[Path] = []
    for home in map(Path, given):
        if home.is_dir():
            files += sorted([*home.rglob("*.json"), *home.rglob("*.jsonl")])
        elif home.is_file():
            files.append(home)
        else:
            raise ValueError(f"{host}: {fspath(home)!r} is neither a folder nor a file")
    return files


def read_lines(host: str, file: Path) -> Iterator[Record]:
    """Read the records in a file of JSON lines, or of a single JSON list."""
    text = read_text(host, file)
    if file.suffix == ".json":
        content = parse_json(host, f"{file}", text)
        yield from content if isinstance(content, list) else [content]
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            record = parse_json(host, f"line {number} of {file}", line)
            if isinstance(record, dict):
                yield record


def read_text(host: str, file: Path) -> str:
    """Read the text of a file in UTF-8."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{host}: {file} is not text in UTF-8: {error}; get it again") from None


def read_json(path: Folder) -> Any:
    """Read a file of JSON, or the first of its JSON lines; return None for other files."""
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            return json.loads(file.readline() if str(path).endswith(".jsonl") else file.read())
    except (OSError, ValueError, RecursionError):
        return None


def has_keys(content: object, **kinds: type) -> bool:
    """Return whether a record has these keys, with values of these types."""
    return isinstance(content, dict) and all(
        key in content and isinstance(content[key], kind) for key, kind in kinds.items()
    )


def parse_json(host: str, source: str, text: str) -> Any:
    """Parse JSON, or name its source in an error."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{host}: {source} is not JSON: {error}; get it again") from None


def sample_record(system: str, task: str, instance: str, score: float) -> Record:
    """Make the record of a score of one sample."""
    system = str(clean_label(system))
    return {"system": system, "task": task, "instance": instance, "score": score}


def build_instance_board(host: str, records: list[Record]) -> Leaderboard:
    """Build a board of rows (system, instance), with runs if an instance has several scores."""
    frame = pd.DataFrame(records)
    keys = ["system", "instance", "task"]
    # Runs are numbered within their instance, because names of files and dates differ by model.
    frame["run"] = frame.groupby(keys).cumcount() + 1
    several = int(frame["run"].max())
    if several > 1:
        warn_user(
            f"{host}: samples have up to {several} scores, which are read as runs of each, and "
            f"averaged within it"
        )
    levels = ["system", "instance", *(["run"] if several > 1 else [])]
    table = frame.set_index([*levels, "task"])["score"].unstack("task", sort=False)
    table.columns.name = None
    return Leaderboard(table)
