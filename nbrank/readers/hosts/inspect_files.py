"""Reader of Inspect's logs in JSON: a score for each sample and epoch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, cast

from nbrank.readers.hosts.log_files import (
    Folder,
    Record,
    build_instance_board,
    has_keys,
    list_files,
    read_json,
    read_lines,
    sample_record,
)
from nbrank.readers.tables.cell_parsing import is_number
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.user_warnings import warn_user

#: Values of scores that are words, as in Inspect's value_to_float.
_WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def inspect_logs(path: Folder | Iterable[Folder], *, scorer: str | None = None) -> Leaderboard:
    """Which models answer the samples of Inspect's logs best, sample by sample?

    Parameters
    ----------
    path
        A folder of logs in JSON, at any depth, a log, or several. (Those of the format .eval are
        turned into JSON by `inspect log convert --to json`.)
    scorer
        The scorer whose scores are read, if samples have several; None reads the first of each
        task, and a warning names the others.

    Returns
    -------
    Leaderboard
        Rows (system, instance) and a task for each of Inspect's: "C" is 1, "P" 0.5, "I" and "N" 0,
        and a number itself. Epochs are runs, which are averaged within each sample.

    Raises
    ------
    ValueError
        If the path has no such logs, one is damaged, or no sample has a score.

    Warns
    -----
    UserWarning
        If logs did not end in success, so that they are left out, or if other scorers exist.

    References
    ----------
    UKGovernmentBEIS/inspect_ai, src/inspect_ai/log/_log.py (EvalLog, EvalSample) and
    src/inspect_ai/scorer/_metric.py (value_to_float).

    Examples
    --------
    >>> import json
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for model, values in {"A": "CC", "B": "CI"}.items():
    ...     samples = [
    ...         {"id": n, "epoch": 1, "scores": {"match": {"value": value}}}
    ...         for n, value in enumerate(values)
    ...     ]
    ...     log = {
    ...         "version": 2,
    ...         "status": "success",
    ...         "eval": {"task": "arc", "model": model},
    ...         "samples": samples,
    ...     }
    ...     _ = (folder / f"{model}.json").write_text(json.dumps(log))
    >>> inspect_logs(folder).mean()["score"].to_dict()
    {'A': 1.0, 'B': 0.5}
    """
    records: list[Record] = []
    others: dict[str, None] = {}
    failed: list[str] = []
    for file in list_files("inspect_logs", path):
        for content in read_lines("inspect_logs", file) if file.suffix == ".json" else ():
            if not _is_log(content):
                continue
            if content.get("status", "success") != "success":
                failed.append(file.name)
                continue
            names = _list_scorers(content)
            chosen = scorer if scorer in names else names[0] if names and scorer is None else None
            others |= dict.fromkeys(name for name in names if scorer is None and name != chosen)
            records += _sample_records(content, chosen)
    if not records:
        what = "" if scorer is None else f" by {scorer!r}"
        raise ValueError(f"inspect_logs: no sample of a finished log in {path!r} has a score{what}")
    if failed:
        warn_user(f"inspect_logs: {format_labels(failed)} did not end in success, and is left out")
    if others:
        warn_user(
            f"inspect_logs: the scores of the first scorer of each task are read, and not those of "
            f"{format_labels(others)}; for one of these, scorer={next(iter(others))!r}"
        )
    return build_instance_board("inspect_logs", records)


def is_inspect_log(path: str | PathLike[str]) -> bool:
    """Return whether a file is one of Inspect's logs, by its keys."""
    return str(path).endswith(".json") and _is_log(read_json(path))


def _is_log(content: object) -> bool:
    is_log = has_keys(content, eval=dict, samples=list)
    return is_log and has_keys(cast("Record", content)["eval"], task=object, model=object)


def _list_scorers(content: Record) -> list[str]:
    """List the scorers of the samples in a log."""
    scores = (sample.get("scores") for sample in content["samples"] if isinstance(sample, dict))
    return list(dict.fromkeys(name for item in scores if isinstance(item, dict) for name in item))


def _sample_records(content: Record, scorer: str | None) -> Iterator[Record]:
    task, system = str(content["eval"]["task"]), str(content["eval"]["model"])
    for sample in content["samples"]:
        scores = sample.get("scores") if isinstance(sample, dict) else None
        given = scores.get(scorer) if isinstance(scores, dict) else None
        score = _parse_score(given.get("value") if isinstance(given, dict) else given)
        if score is not None:
            yield sample_record(system, task, f"{task} {sample.get('id')}", score)


def _parse_score(value: Any) -> float | None:
    """Return a score as a number; None if it is not a number, such as a list."""
    if isinstance(value, bool) or is_number(value):
        return float(value)
    try:
        text = value.strip().lower()
        return _WORDS[text] if text in _WORDS else float(text)
    except (AttributeError, ValueError):
        return None
