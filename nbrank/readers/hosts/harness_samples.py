"""Reader of lm-evaluation-harness' samples, question by question."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from nbrank.readers.hosts.log_files import (
    Folder,
    Record,
    build_instance_board,
    list_files,
    read_json,
    read_lines,
    sample_record,
)
from nbrank.readers.tables.cell_parsing import is_number
from nbrank.votes.formatting import format_labels
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.user_warnings import warn_user


def harness_model_name(path: Path, content: Mapping[str, Any]) -> str:
    """Return the model's name from the file, its arguments or its folder."""
    config = content.get("config") or {}
    arguments = config.get("model_args") or ""
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    user_value = re.search(r"(?:pretrained|model)=([^,]+)", str(arguments))
    name = content.get("model_name") or (user_value[1] if user_value else "")
    return str(clean_label(str(name or path.parent.name.replace("__", "/"))))


_SAMPLES_FILE = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl?")
#: Keys of a sample that are not scores.
_SAMPLE_KEYS = frozenset((
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics",
    "doc_hash", "prompt_hash", "target_hash", "schema_version",
))  # fmt: skip


def lm_eval_samples(path: Folder | Iterable[Folder], *, metric: str | None = None) -> Leaderboard:
    """Which models answer the samples of lm-evaluation-harness best, question by question?

    Parameters
    ----------
    path
        A folder with the harness' output, at any depth, a file `samples_task_date.jsonl`, or
        several: a line for each document, with `doc_id`, `filter` and its scores.
    metric
        The score to read, such as "acc", with its filter where there are several, as in
        "exact_match,strict-match"; None reads the first that `metrics` names in each file, and a
        warning lists the others.

    Returns
    -------
    Leaderboard
        Rows (system, instance) and a task for each of the harness'; a task is 1 or 0, or another
        score, of each document. A model is named by its folder, or by the file of results in it.
        Files of several dates are runs, which are averaged within each document.

    Raises
    ------
    ValueError
        If the path has no such files, one is damaged, or none has the metric.

    References
    ----------
    EleutherAI/lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py (save_results_samples).

    Examples
    --------
    >>> import json
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for model, right in {"org__A": [1, 1], "org__B": [1, 0]}.items():
    ...     (folder / model).mkdir()
    ...     lines = [
    ...         {"doc_id": n, "filter": "none", "acc": acc, "metrics": ["acc"]}
    ...         for n, acc in enumerate(right)
    ...     ]
    ...     file = folder / model / "samples_arc_2024-05-01T10-00-00.000000.jsonl"
    ...     _ = file.write_text(chr(10).join(map(json.dumps, lines)))
    >>> lm_eval_samples(folder).mean()["score"].to_dict()
    {'org/A': 1.0, 'org/B': 0.5}
    """
    files = [file for file in list_files("lm_eval_samples", path) if is_samples_file(file)]
    if not files:
        raise ValueError(f"lm_eval_samples: no file samples_*.jsonl in {str(path)!r}")
    records: list[Record] = []
    others: dict[str, None] = {}
    for file in files:
        lines = list(read_lines("lm_eval_samples", file))
        names = _list_metrics(lines)
        chosen = _choose_metric(metric, names)
        if chosen is None:
            continue
        others |= dict.fromkeys(name for name in names if name != chosen and metric is None)
        records += _sample_records(file, lines, chosen)
    if not records:
        raise ValueError(
            f"lm_eval_samples: no sample has a score {metric!r}"
            if metric is not None
            else "lm_eval_samples: no sample has a score"
        )
    if others:
        warn_user(
            f"lm_eval_samples: of several scores the first of each task is read, and not "
            f"{format_labels(others)}; to read one of these, metric={next(iter(others))!r}"
        )
    return build_instance_board("lm_eval_samples", records)


def is_samples_file(path: str | PathLike[str]) -> bool:
    """Return whether a file is named like the sample files of lm-evaluation-harness.

    >>> is_samples_file("samples_arc_2024-05-01T10-00-00.123.jsonl"), is_samples_file("a.jsonl")
    (True, False)
    """
    return _SAMPLES_FILE.fullmatch(Path(path).name) is not None


def _list_metrics(lines: list[Record]) -> list[str]:
    """List the scores of samples: those that `metrics` names, or else all unknown numbers."""
    names: dict[str, None] = {}
    ways = {str(line.get("filter", "none")) for line in lines}
    for line in lines:
        listed = line.get("metrics")
        keys = listed if isinstance(listed, list) else [k for k in line if k not in _SAMPLE_KEYS]
        way = str(line.get("filter", "none"))
        for key in keys:
            if is_number(line.get(key)) or isinstance(line.get(key), bool):
                names[key if len(ways) == 1 else f"{key},{way}"] = None
    return list(names)


def _choose_metric(metric: str | None, names: list[str]) -> str | None:
    if metric is None:
        return names[0] if names else None
    matches = [name for name in names if name in (metric, metric.partition(",")[0])]
    by_filter = [name for name in names if name.partition(",")[0] == metric]
    if not matches and len(by_filter) > 1:
        raise ValueError(
            f"lm_eval_samples: {metric!r} is there by several filters; say which, "
            f"metric={by_filter[0]!r}: {format_labels(by_filter)}"
        )
    return [*matches, *by_filter, None][0]


def _sample_records(file: Path, lines: list[Record], metric: str) -> Iterator[Record]:
    name, _, way = metric.partition(",")
    match = _SAMPLES_FILE.fullmatch(file.name)
    system, task = _read_model_name(file), match["task"] if match else file.stem
    for line in lines:
        score = line.get(name)
        if way and str(line.get("filter", "none")) != way:
            continue
        if score is not None and (is_number(score) or isinstance(score, bool)):
            yield sample_record(system, task, f"{task} {line.get('doc_id')}", float(score))


def _read_model_name(file: Path) -> str:
    """Return the model's name from the results next to its samples, or from its folder."""
    for results in sorted(file.parent.glob("results*.json")):
        if isinstance(content := read_json(results), dict):
            return harness_model_name(results, content)
    return str(clean_label(file.parent.name.replace("__", "/")))
