"""Logs of evaluations in common formats: Every Eval Ever, and samples of lm-evaluation-harness."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from os import PathLike, fspath
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.hosts.harness_files import harness_model_name
from nbrank.readers.hosts.host_files import Folder
from nbrank.readers.tables.cell_parsing import is_number
from nbrank.votes.formatting import format_labels, group_values, join_truncated
from nbrank.votes.label_cleaning import clean_label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.user_warnings import warn_user

Record = dict[str, Any]
_SAMPLES_FILE = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl?")
#: What a line of samples has beside its scores.
_SAMPLE_KEYS = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
        "schema_version",
    ]
)


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
        Of samples: rows (system, instance), and runs where a sample has several. Where there are
        both, the samples are read, and a warning says so.

    Raises
    ------
    ValueError
        If there are no such files, or one is damaged; the message names it.

    Warns
    -----
    UserWarning
        Where files have the same evaluation of a model again: the last retrieved counts.

    References
    ----------
    Schemas: github.com/evaleval/every_eval_ever, every_eval_ever/schemas/eval.schema.json and
    instance_level_eval.schema.json (0.2.1 and 0.2.2).

    Examples
    --------
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
    files = _list_files("every_eval_ever", path)
    results, samples = _read_every_eval_ever(files)
    if samples:
        if results:
            warn_user(
                "every_eval_ever: the files have results and samples; the samples are read; give "
                "the .json files alone for the results"
            )
        return _instance_board("every_eval_ever", samples)
    if not results:
        raise ValueError(
            f"every_eval_ever: no file in {join_truncated(list(map(str, files)), 3) or str(path)!r} "
            f"has evaluation_results or samples of that schema"
        )
    return _result_board(results)


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
        warning says which others there are.

    Returns
    -------
    Leaderboard
        Rows (system, instance) and a task for each of the harness'; a task is 1 or 0, or another
        score, of each document. A model's folder names it, or the file of results beside. Files of
        several dates are runs, which are averaged within each document.

    Raises
    ------
    ValueError
        If there are no such files, one is damaged, or none has the metric.

    References
    ----------
    EleutherAI/lm-evaluation-harness, lm_eval/loggers/evaluation_tracker.py (save_results_samples).

    Examples
    --------
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
    files = [file for file in _list_files("lm_eval_samples", path) if is_samples_file(file)]
    if not files:
        raise ValueError(f"lm_eval_samples: no file samples_*.jsonl in {str(path)!r}")
    records: list[Record] = []
    others: dict[str, None] = {}
    for file in files:
        lines = list(_read_lines("lm_eval_samples", file))
        names = _metrics_of(lines)
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
    return _instance_board("lm_eval_samples", records)


def is_samples_file(path: str | PathLike[str]) -> bool:
    """Whether a file is called as lm-evaluation-harness calls those of samples.

    >>> is_samples_file("samples_arc_2024-05-01T10-00-00.123.jsonl"), is_samples_file("a.jsonl")
    (True, False)
    """
    return _SAMPLES_FILE.fullmatch(Path(path).name) is not None


def is_every_eval_ever(path: str | PathLike[str]) -> bool:
    """Whether a file is one of Every Eval Ever: by the keys of its schema, near its beginning."""
    file = Path(path)
    if file.suffix not in (".json", ".jsonl") or not file.is_file():
        return False
    try:
        if file.suffix == ".jsonl":
            with file.open(encoding="utf-8-sig") as lines:
                content = json.loads(lines.readline())
            return _is_sample(content)
        content = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, ValueError, RecursionError):
        return False
    return _is_result(content)


# ---------------------------------------------------------------------------------------- the files


def _list_files(host: str, path: Folder | Iterable[Folder]) -> list[Path]:
    """The JSON files of folders, at any depth, and files themselves."""
    given = [path] if isinstance(path, str | PathLike) else list(path)
    files: list[Path] = []
    for home in map(Path, given):
        if home.is_dir():
            files += sorted([*home.rglob("*.json"), *home.rglob("*.jsonl")])
        elif home.is_file():
            files.append(home)
        else:
            raise ValueError(f"{host}: {fspath(home)!r} is no folder and no file")
    return files


def _read_lines(host: str, file: Path) -> Iterator[Record]:
    """The records of a file of JSON lines, or of one JSON list."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{host}: {file} is no text in UTF-8: {error}; get it again") from None
    if file.suffix == ".json":
        content = _parse(host, f"{file}", text)
        yield from content if isinstance(content, list) else [content]
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            record = _parse(host, f"line {number} of {file}", line)
            if isinstance(record, dict):
                yield record


def _parse(host: str, where: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{host}: {where} is no JSON: {error}; get it again") from None


def _is_result(content: object) -> bool:
    return (
        isinstance(content, dict)
        and isinstance(content.get("evaluation_results"), list)
        and isinstance(content.get("model_info"), dict)
    )


def _is_sample(content: object) -> bool:
    return (
        isinstance(content, dict)
        and {"sample_id", "evaluation_name", "model_id"} <= set(content)
        and isinstance(content.get("evaluation"), dict)
    )


# ---------------------------------------------------------------------------------- Every Eval Ever


def _read_every_eval_ever(files: list[Path]) -> tuple[list[Record], list[Record]]:
    """The results and the samples in files, as records; files of other kinds are left out."""
    results: list[Record] = []
    samples: list[Record] = []
    for file in files:
        for content in _read_lines("every_eval_ever", file):
            if _is_result(content):
                results += _result_records(file, content)
            elif _is_sample(content):
                score = content["evaluation"].get("score", content["evaluation"].get("is_correct"))
                samples.append(
                    {
                        "system": str(clean_label(str(content["model_id"]))),
                        "task": str(content["evaluation_name"]),
                        "instance": str(content["sample_id"]),
                        "run": str(content.get("evaluation_id", file.name)),
                        "score": float(score) if score is not None else np.nan,
                    }
                )
    return results, samples


def _result_records(file: Path, content: Record) -> Iterator[Record]:
    info = content["model_info"]
    system = str(clean_label(str(info.get("id") or info.get("name") or file.parent.name)))
    for result in content["evaluation_results"]:
        details = result.get("score_details") or {}
        config = result.get("metric_config") or {}
        score = details.get("score")
        if not is_number(score):
            continue
        if config.get("has_unknown_level") and score == -1:
            score = np.nan  # so the schema writes what is not known
        uncertainty = details.get("uncertainty") or {}
        yield {
            "system": system,
            "task": str(result.get("evaluation_name")),
            "metric": str(config.get("metric_name") or config.get("metric_id") or ""),
            "score": float(score),
            "error": _standard_error(uncertainty),
            "n": uncertainty.get("num_samples"),
            "lower": bool(config.get("lower_is_better")),
            "time": _time(content.get("retrieved_timestamp")),
        }


def _standard_error(uncertainty: Record) -> float:
    """The standard error that is given, or that follows from an interval or a deviation."""
    given = uncertainty.get("standard_error")
    value = given.get("value") if isinstance(given, dict) else given
    if is_number(value):
        return float(value)  # type: ignore[arg-type]
    interval = uncertainty.get("confidence_interval") or {}
    low, high = (interval.get(end) for end in ("lower", "upper"))
    if is_number(low) and is_number(high):
        level = interval.get("confidence_level")
        inside = float(level) if is_number(level) and 0 < level < 1 else 0.95
        return float(high - low) / 2 / NormalDist().inv_cdf(0.5 + inside / 2)
    deviation, n = (uncertainty.get(name) for name in ("standard_deviation", "num_samples"))
    if is_number(deviation) and is_number(n) and n > 0:
        return float(deviation) / float(n) ** 0.5
    return float("nan")


def _time(value: object) -> float:
    """A time of Unix; 0 where it is none."""
    try:
        return float(str(value))
    except ValueError:
        return 0.0


def _result_board(results: list[Record]) -> Leaderboard:
    """Scores, errors and directions, of the last retrieved of each model, task and metric."""
    frame = pd.DataFrame(results)
    several = frame.groupby(["system", "task"])["metric"].nunique().max() > 1
    keys = ["system", "task", *(["metric"] if several else [])]
    again = frame.duplicated(keys)
    if again.any():
        frame = frame.sort_values("time", kind="stable")
        again_in = frame.duplicated(keys)
        warn_user(
            f"every_eval_ever: {format_labels(frame['system'][again_in].unique(), 3)} has "
            f"{format_labels(frame['task'][again_in].unique(), 3)} more than once, of which the "
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
    """Values by system and column, both in the order in which they come."""
    systems, columns = frame["system"].unique(), list(dict.fromkeys(frame["column"]))
    cells = pd.DataFrame(np.nan, index=systems, columns=range(len(columns)))
    place = {column: at for at, column in enumerate(columns)}
    for system, column, number in zip(frame["system"], frame["column"], frame[value], strict=True):
        cells.loc[system, place[column]] = number
    in_groups = isinstance(columns[0], tuple)
    cells.columns = pd.Index(columns, tupleize_cols=in_groups)
    return cells.rename_axis(index="system")


# ------------------------------------------------------------------------------------------ samples


def _metrics_of(lines: list[Record]) -> list[str]:
    """The scores of samples: those that `metrics` names, or the numbers beside what is known."""
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
    system, task = _model_of(file), match["task"] if match else file.stem
    for line in lines:
        score = line.get(name)
        if way and str(line.get("filter", "none")) != way:
            continue
        if is_number(score) or isinstance(score, bool):
            yield {
                "system": system,
                "task": task,
                "instance": f"{task} {line.get('doc_id')}",
                "run": file.name,
                "score": float(score),  # type: ignore[arg-type]
            }


def _model_of(file: Path) -> str:
    """The model's name: that of the results beside its samples, or of its folder."""
    for results in sorted(file.parent.glob("results*.json")):
        try:
            content = json.loads(results.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, ValueError, RecursionError):
            continue
        if isinstance(content, dict):
            return harness_model_name(results, content)
    return str(clean_label(file.parent.name.replace("__", "/")))


def _instance_board(host: str, records: list[Record]) -> Leaderboard:
    """Rows (system, instance), and runs where an instance has several scores."""
    frame = pd.DataFrame(records)
    frame["column"] = frame["task"]
    keys = ["system", "instance", "task"]
    # A run is numbered within its instance: names of files and dates differ between models.
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
