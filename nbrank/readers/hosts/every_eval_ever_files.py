"""Reader of results and samples in the format of Every Eval Ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

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
from nbrank.votes.formatting import format_labels, group_values, join_truncated
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.user_warnings import warn_user


def every_eval_ever(path: Folder | Iterable[Folder]) -> Leaderboard:
    """Which models are best in results that are stored as Every Eval Ever has them?

    Parameters
    ----------
    path
        A folder (`data/benchmark/developer/model/*.json`, say), read at any depth, a file, or
        several. A .json file has a model's `evaluation_results`; a .jsonl file has a line for each
        sample, with `sample_id` and `evaluation.score`.

    Returns
    -------
    Leaderboard
        Of results: a row for each model (`model_info.id`) and a task for each evaluation, in groups
        by their metric where an evaluation has several; `lower_is_better` is what the files say.
        `.errors` has the standard errors, where they are given, else a confidence interval's
        half width by its quantile, or the deviation by the root of the number of samples.
        Of samples: rows (system, instance), and runs if a sample has several. If the files hold
        both, the samples are read, and a warning says so.

    Raises
    ------
    ValueError
        If the path has no such files, or one is damaged; the message names it.

    Warns
    -----
    UserWarning
        If several files have the same evaluation of a model: the last retrieved counts.

    References
    ----------
    Schemas: github.com/evaleval/every_eval_ever, every_eval_ever/schemas/eval.schema.json and
    instance_level_eval.schema.json (0.2.1 and 0.2.2).

    Examples
    --------
    >>> import json
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for model, score in {"org/A": 0.7, "org/B": 0.6}.items():
    ...     of_task = {
    ...         "evaluation_name": "GSM8K",
    ...         "metric_config": {"lower_is_better": False},
    ...         "score_details": {
    ...             "score": score,
    ...             "uncertainty": {"standard_error": {"value": 0.02}},
    ...         },
    ...     }
    ...     content = {
    ...         "schema_version": "0.2.2",
    ...         "model_info": {"name": model, "id": model},
    ...         "evaluation_results": [of_task],
    ...     }
    ...     _ = (folder / f"{model[-1]}.json").write_text(json.dumps(content))
    >>> board = every_eval_ever(folder)
    >>> board.mean()
            rank  score
    system
    org/A      1    0.7
    org/B      2    0.6
    """
    files = list_files("every_eval_ever", path)
    results, samples = _read_every_eval_ever(files)
    if samples:
        if results:
            warn_user(
                "every_eval_ever: the files have results and samples; the samples are read; give "
                "the .json files alone for the results"
            )
        return build_instance_board("every_eval_ever", samples)
    if not results:
        where = join_truncated(list(map(str, files)), 3) or str(path)
        raise ValueError(
            f"every_eval_ever: no file in {where} has evaluation_results or samples of that schema"
        )
    return _result_board(results)


def is_every_eval_ever(path: str | PathLike[str]) -> bool:
    """Return whether a file has the keys of Every Eval Ever's schema near its beginning."""
    is_theirs = _is_sample if str(path).endswith(".jsonl") else _is_result
    return str(path).endswith((".json", ".jsonl")) and is_theirs(read_json(path))


def _is_result(content: object) -> bool:
    return has_keys(content, evaluation_results=list, model_info=dict)


def _is_sample(content: object) -> bool:
    return has_keys(content, evaluation=dict, evaluation_name=object) and (
        has_keys(content, sample_id=object, model_id=object)
    )  # fmt: skip


def _read_every_eval_ever(files: list[Path]) -> tuple[list[Record], list[Record]]:
    """Read the results and the samples in files as records; leave out files of other kinds."""
    results: list[Record] = []
    samples: list[Record] = []
    for file in files:
        for content in read_lines("every_eval_ever", file):
            if _is_result(content):
                results += _result_records(file, content)
            elif _is_sample(content):
                score = content["evaluation"].get("score", content["evaluation"].get("is_correct"))
                model, task, sample = (
                    str(content[key]) for key in ("model_id", "evaluation_name", "sample_id")
                )
                score = np.nan if score is None else float(score)
                samples.append(sample_record(model, task, sample, score))
    return results, samples


def _result_records(file: Path, content: Record) -> Iterator[Record]:
    info = content["model_info"]
    system = str(clean_label(str(info.get("id") or info.get("name") or file.parent.name)))
    for result in content["evaluation_results"]:
        details = result.get("score_details") or {}
        config = result.get("metric_config") or {}
        score = details.get("score")
        if score is None or not is_number(score):
            continue
        if config.get("has_unknown_level") and score == -1:
            score = np.nan  # The schema writes -1 for an unknown score.
        uncertainty = details.get("uncertainty") or {}
        yield {
            "system": system,
            "task": str(result.get("evaluation_name")),
            "metric": str(config.get("metric_name") or config.get("metric_id") or ""),
            "score": float(score),
            "error": _standard_error(uncertainty),
            "n": uncertainty.get("num_samples"),
            "lower": bool(config.get("lower_is_better")),
            "time": pd.to_numeric(str(content.get("retrieved_timestamp")), errors="coerce"),
        }


def _standard_error(uncertainty: Record) -> float:
    """Return the standard error as given, or compute it from an interval or a deviation."""
    given = uncertainty.get("standard_error")
    value = _parse_number(given.get("value") if isinstance(given, dict) else given)
    if not np.isnan(value):
        return value
    interval = uncertainty.get("confidence_interval") or {}
    low, high = _parse_number(interval.get("lower")), _parse_number(interval.get("upper"))
    if high >= low:
        level = _parse_number(interval.get("confidence_level"))
        inside = level if 0 < level < 1 else 0.95
        return (high - low) / 2 / NormalDist().inv_cdf(0.5 + inside / 2)
    deviation, n = (
        _parse_number(uncertainty.get(key)) for key in ("standard_deviation", "num_samples")
    )
    return float(deviation / n**0.5) if n > 0 else float("nan")


def _parse_number(value: Any) -> float:
    """Parse a number; return NaN for anything else."""
    return float(value) if is_number(value) else float("nan")


def _result_board(results: list[Record]) -> Leaderboard:
    """Build a board from the results retrieved last for each model, task and metric."""
    frame = pd.DataFrame(results)
    several = frame.groupby(["system", "task"])["metric"].nunique().max() > 1
    keys = ["system", "task", *(["metric"] if several else [])]
    again = frame.duplicated(keys)
    if again.any():
        frame = frame.sort_values("time", kind="stable", na_position="first")
        again_in = frame.duplicated(keys)
        warn_user(
            f"every_eval_ever: {format_labels(frame['system'][again_in].unique(), 3)} has "
            f"{format_labels(frame['task'][again_in].unique(), 3)} more than once, and the "
            f"last retrieved counts"
        )
        frame = frame[~frame.duplicated(keys, keep="last")].sort_index()
    columns = [tuple(row) for row in frame[keys[1:]].to_numpy().tolist()]
    frame["column"] = columns if several else [column[0] for column in columns]
    lower = group_values(zip(frame["column"], frame["lower"], strict=True))
    both = [column for column, values in lower.items() if len(set(values)) > 1]
    if both:
        raise ValueError(
            f"every_eval_ever: lower is better in some files and not in others on "
            f"{format_labels(both)}; correct metric_config.lower_is_better"
        )
    scores, errors = (_pivot(frame, value) for value in ("score", "error"))
    options: Any = {"lower_is_better": [column for column, values in lower.items() if values[0]]}
    if bool(errors.notna().any(axis=None)):
        options["errors"] = errors
    return Leaderboard(scores, **options)


def _pivot(frame: pd.DataFrame, value: str) -> pd.DataFrame:
    """Pivot values by system and column, both in the order in which they appear."""
    table = frame.set_index(["system", "column"])[value].unstack("column", sort=False)
    in_groups = isinstance(table.columns[0], tuple)
    columns = pd.Index([*table.columns], tupleize_cols=in_groups)
    return table.set_axis(columns, axis=1)
