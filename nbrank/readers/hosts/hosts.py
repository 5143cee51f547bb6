"""Readers of the files that hosts of leaderboards publish, as tables of scores."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from math import nan
from pathlib import Path
from typing import Any

import pandas as pd

from nbrank.readers.hosts.harness_samples import harness_model_name
from nbrank.readers.hosts.host_files import Result, result_files, results_as_table
from nbrank.readers.hosts.log_files import Folder
from nbrank.readers.tables.cell_parsing import is_number
from nbrank.readers.tables.table_files import read_table
from nbrank.readers.tables.table_reader import read_frames
from nbrank.uncertainty.cell_errors import warn_of_zero_errors
from nbrank.votes.formatting import cells_named, format_labels, group_values
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.user_warnings import warn_user

ScoresWithErrors = pd.DataFrame | tuple[pd.DataFrame, pd.DataFrame]
#: Keys in the results of a task that are not metrics.
_HARNESS_SIZE_KEYS = ("samples", "sample_len", "sample_count")


def mteb(folder: Folder, *, split: str = "test") -> pd.DataFrame:
    """How do the embedding models of a folder of MTEB's results score?

    Parameters
    ----------
    folder
        A folder as the repository embeddings-benchmark/results has it: a file
        `model/revision/task.json` for each task, its scores by split and subset.
    split
        The split whose main score is read, averaged over a task's subsets.

    Returns
    -------
    pandas.DataFrame
        A row for each model, "/" where the folder's name has "__", and a column for each
        task; NaN where a task has no file. `borda(missing="zero")` is MTEB's own rank.

    Raises
    ------
    ValueError
        If the folder holds no such files.

    Warns
    -----
    UserWarning
        If a model has several revisions (the one with the most tasks is read), or if
        files lack the split.

    Examples
    --------
    >>> import json, tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for model, score in {"org__A": 0.7, "org__B": 0.6}.items():
    ...     (folder / model / "main").mkdir(parents=True)
    ...     content = json.dumps({"scores": {"test": [{"main_score": score}]}})
    ...     _ = (folder / model / "main" / "STS12.json").write_text(content)
    >>> mteb(folder)
            STS12
    system
    org/A     0.7
    org/B     0.6
    """
    by_name: dict[str, dict[str, list[Result]]] = {}
    without: list[str] = []
    for path, content in result_files(folder, "*/*/*.json", "mteb", lambda one: "scores" in one):
        subsets = content["scores"].get(split, [])
        if not subsets:
            without.append(f"{path.parts[-3]}/{path.stem}")
            continue
        score = sum(float(subset["main_score"]) for subset in subsets) / len(subsets)
        model = path.parts[-3].replace("__", "/")
        of_revision = by_name.setdefault(model, {}).setdefault(path.parts[-2], [])
        of_revision.append({"system": model, "task": path.stem, "score": score})
    several = [model for model, revisions in by_name.items() if len(revisions) > 1]
    if several:
        warn_user(f"mteb: of {format_labels(several)} the revision with the most tasks is read")
    if without:
        warn_user(f"mteb: no {split!r} split, so no score, in {format_labels(without)}")
    chosen = [max(revisions.values(), key=len) for revisions in by_name.values()]
    table = results_as_table("mteb", folder, (result for results in chosen for result in results))
    return table[0]


def lm_eval(folder: Folder, *, metric: str | None = None, errors: bool = False) -> ScoresWithErrors:
    """How do the models of a folder of lm-evaluation-harness' results score?

    Parameters
    ----------
    folder
        A folder with the harness' output, at any depth: JSON files with `results`, and in them for
        each task figures such as `acc,none` and `acc_stderr,none` (since version 0.4; before it
        `acc` and `acc_stderr`). Of several files of a model, the last by name counts for each
        task, and a warning says so.
    metric
        The metric to read, such as "acc", with its filter where there are several, as in
        "exact_match,strict-match"; None reads all, each as a task of its group.
    errors
        Whether the standard errors are wanted, too.

    Returns
    -------
    pandas.DataFrame, or a tuple of two
        Models x tasks, or x (task, metric). With `errors`, their standard errors in a
        second frame of that shape, NaN where the harness gives none. `.attrs["n"]` has the
        number of samples of each column, None where the files don't say.

    Raises
    ------
    ValueError
        If the folder holds no such files, none has the metric, or a task has it by several filters.

    Warns
    -----
    UserWarning
        If averages over groups of tasks are left out, lower is better on a task, several files
        have a model's score on a task, or the standard error of a share is 0.

    Examples
    --------
    >>> import json, tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> content = {"model_name": "A", "results": {"arc": {"acc,none": 0.5, "acc_stderr,none": 0.1}}}
    >>> _ = (folder / "results.json").write_text(json.dumps(content))
    >>> scores, errors = lm_eval(folder, metric="acc", errors=True)
    >>> pd.concat([scores, errors], axis=1, keys=["score", "error"]).loc["A"].tolist()
    [0.5, 0.1]
    """
    results: dict[tuple[str, str, str], Result] = {}
    files: dict[tuple[str, str, str], list[str]] = {}
    sizes: dict[tuple[str, str], float] = {}
    groups: dict[str, None] = {}
    lower: dict[str, None] = {}
    for path, content in result_files(folder, "**/*.json", "lm_eval", _is_harness_result):
        model = harness_model_name(path, content)
        for task, figures in content["results"].items():
            if (content.get("group_subtasks") or {}).get(task):
                groups[task] = None
                continue
            n = ((content.get("n-samples") or {}).get(task) or {}).get("effective", nan)
            for name, called, value, stderr in _iter_harness_scores(figures, metric):
                file = path.relative_to(folder).as_posix()
                files.setdefault((model, task, called), []).append(file)
                results[model, task, called] = {
                    "system": model,
                    "task": task,
                    "score": value,
                    "stderr": stderr,
                } | ({"metric": called} if metric is None else {})
                sizes[task, called] = n
                if ((content.get("higher_is_better") or {}).get(task) or {}).get(name) is False:
                    lower[f"{task} ({called})"] = None
    if metric is not None:
        _check_single_filter(metric, list(sizes))
    _warn_of_harness_scores(files, groups, lower)
    scores, of_scores = results_as_table("lm_eval", folder, results.values())
    if errors:
        warn_of_zero_errors(
            "lm_eval",
            scores.to_numpy(),
            of_scores.to_numpy(),
            lambda exact: cells_named(scores.index, scores.columns, exact),
            "take binomial_errors(scores, n=dict(zip(scores.columns, scores.attrs['n'])))",
        )
    known = {(key if metric is None else key[0]): size for key, size in sizes.items()}
    scores.attrs["n"] = [
        None if pd.isna(known[column]) else int(known[column]) for column in scores.columns
    ]
    return (scores, of_scores) if errors else scores


def _is_harness_result(content: Mapping[str, Any]) -> bool:
    """Return whether a file holds the metrics of tasks."""
    results = content.get("results")
    return isinstance(results, dict) and all(
        isinstance(result, dict) for result in results.values()
    )


def _iter_harness_scores(
    figures: Mapping[str, Any], metric: str | None
) -> Iterator[tuple[str, str, float, float]]:
    """Yield each metric, its name with the filter, its score and its error, NaN if unknown."""
    for key, value in figures.items():
        name, _, way = key.partition(",")
        called = name if way in ("", "none") else key
        if name.endswith("_stderr") or name in _HARNESS_SIZE_KEYS or not is_number(value):
            continue
        if metric in (None, name, called):
            stderr = figures.get(f"{name}_stderr,{way}", figures.get(f"{name}_stderr", nan))
            yield name, called, value, stderr if is_number(stderr) else nan


def _check_single_filter(metric: str, columns: list[tuple[str, str]]) -> None:
    """Refuse a metric that a task has by several filters."""
    tasks = [task for task, _ in columns]
    several = [task for task in tasks if tasks.count(task) > 1]
    if several:
        ways = dict.fromkeys(called for task, called in columns if task in several)
        raise ValueError(
            f"lm_eval: {format_labels(dict.fromkeys(several))} has {metric!r} by several filters; "
            f"say which, metric={next(iter(ways))!r}: {format_labels(ways)}"
        )


def _warn_of_harness_scores(
    files: Mapping[tuple[str, str, str], list[str]], groups: Iterable[str], lower: Iterable[str]
) -> None:
    """Warn of scores in several files, averages left out, and tasks where lower is better."""
    of_several = {key: listed for key, listed in files.items() if len(listed) > 1}
    if of_several:
        models, about = (dict.fromkeys(key[at] for key in of_several) for at in (0, 1))
        last, *others = reversed(next(iter(of_several.values())))
        warn_user(
            f"lm_eval: several files have scores of {format_labels(models)} on "
            f"{format_labels(about)}, and the "
            f"last by name counts: the first such score is that of {last!r}, not of "
            f"{format_labels(others)}; give a folder with one file of each model and task"
        )
    if groups:
        warn_user(f"lm_eval: {format_labels(groups)} are averages of other tasks, and left out")
    if lower:
        warn_user(
            f"lm_eval: lower is better on {format_labels(lower)}; name them in lower_is_better"
        )


def helm(path: Folder) -> pd.DataFrame:
    """How do the models of a HELM release score?

    Parameters
    ----------
    path
        A release's folder (`benchmark_output/releases/v1.0.0`, say), in which
        `groups/core_scenarios.json` is read, or such a file.

    Returns
    -------
    pandas.DataFrame
        Models x scenarios, of the table called "Accuracy", else of the first. HELM's own average of
        them is set aside and named in `.attrs["metadata"]`; its mean win rate is `mean_win_rate`.

    Raises
    ------
    OSError, ValueError
        If the file does not exist or holds no table, or if the folder holds raw runs.

    Warns
    -----
    UserWarning
        If lower is better in a column.

    Examples
    --------
    >>> import json, tempfile
    >>> file = Path(tempfile.mkdtemp()) / "core_scenarios.json"
    >>> header = [{"value": name} for name in ("Model", "Mean win rate", "MMLU - EM")]
    >>> rows = [[{"value": cell} for cell in row] for row in (["A", 1.0, 0.6], ["B", 0.0, 0.5])]
    >>> _ = file.write_text(json.dumps({"header": header, "rows": rows}))
    >>> helm(file)
            MMLU - EM
    system
    A             0.6
    B             0.5
    """
    path = Path(path)
    file = path / "groups" / "core_scenarios.json" if path.is_dir() else path
    if path.is_dir() and not file.exists():
        tables = [item.name for item in sorted(path.glob("groups/*.json"))]
        advice = "give the folder of a release, or a table of its groups"
        if tables:
            advice = f"give one of the tables in its folder groups: {format_labels(tables)}"
        elif next(path.glob("**/run_spec.json"), None) is not None:
            advice = (
                "it holds raw runs, which don't say which of their metrics is a scenario's score; "
                "run helm-summarize, and give the folder in which it writes groups/"
            )
        raise ValueError(f"helm: no file groups/core_scenarios.json in {str(path)!r}; {advice}")
    frame = read_table(file)
    averages = [name for name in frame if str(name).lower() in ("mean win rate", "mean score")]
    roles = {frame.columns[0]: "system"} | dict.fromkeys(averages, "average")
    return read_frames(frame, roles)[0]


def alpaca_eval(
    path: Folder, *, annotator: str | None = None, errors: bool = False
) -> ScoresWithErrors:
    """How often do the models of AlpacaEval win?

    Parameters
    ----------
    path
        A folder of results, `model/annotator/annotations.json`, or a leaderboard in CSV.
    annotator
        The annotator whose annotations are read, if a folder has several.
    errors
        Whether the standard errors are wanted, too; a leaderboard in CSV has them.

    Returns
    -------
    pandas.DataFrame, or a tuple of two
        Of a folder, instance-level scores: a row for each system and instruction, and the
        share of the win against the baseline (1 won, 0 lost, 0.5 a draw) in one column,
        `win_rate`. Of a leaderboard, a row for each system and its win rates in percent,
        also length-controlled where they are there.

    Raises
    ------
    ValueError
        If the folder holds no annotations, or those of several annotators.

    Examples
    --------
    >>> import json, tempfile
    >>> folder = Path(tempfile.mkdtemp()) / "A" / "judge"
    >>> folder.mkdir(parents=True)
    >>> one = {"generator_2": "A", "instruction": "Say hello.", "preference": 2}
    >>> _ = (folder / "annotations.json").write_text(json.dumps([one]))
    >>> alpaca_eval(folder)
                       win_rate
    system instance
    A      Say hello.       1.0
    """
    if Path(path).is_file():
        beside = {"standard_error": "win_rate", "lc_standard_error": "length_controlled_winrate"}
        frame = read_table(path).rename(columns={name: f"{of}_se" for name, of in beside.items()})
        roles = {"*": "description"} | dict.fromkeys(beside.values(), "task")
        roles |= {f"{of}_se": "error" for of in beside.values()}
        known = {name: role for name, role in roles.items() if name in ("*", *frame.columns)}
        table = read_frames(frame, known)
        return table if errors else table[0]
    results = []
    annotators: dict[str, None] = {}
    for file, content in result_files(path, "**/annotations.json", "alpaca_eval", bool, list):
        by = file.parent.name
        if annotator is not None and by != annotator:
            continue
        annotators[by] = None
        for item in content:
            preference = item.get("preference")
            # 1 is the baseline's win, 2 the model's; 0 was once written for a draw.
            score = nan if preference is None else 0.5 if preference == 0 else preference - 1.0
            system, asked = item["generator_2"], item["instruction"]
            record = {"system": system, "task": "win_rate", "score": score, "instance": asked}
            results.append(record)
    if len(annotators) > 1 and len({result["system"] for result in results}) < len(annotators):
        raise ValueError(
            f"alpaca_eval: {path} has annotations by {format_labels(annotators)}; say whose to "
            f"read, annotator={next(iter(annotators))!r}"
        )
    table = results_as_table("alpaca_eval", path, results)
    return table if errors else table[0]


def swe_bench(folder: Folder) -> pd.DataFrame:
    """Which issues do the submissions to SWE-bench resolve?

    Parameters
    ----------
    folder
        A folder as the repository SWE-bench/experiments has it, such as
        `evaluation/verified`: in each submission `results/results.json` with the list
        `resolved`, and maybe `metadata.yaml` with its name. (The file leaderboards.json of
        the website, of shares only, is read by `nbrank.read`.)

    Returns
    -------
    pandas.DataFrame
        Instance-level scores: a row for each submission and issue, and 1 or 0 in the
        column `resolved`. Issues are those that any file names, and where
        `resolved_by_repo.json` gives the number of a repository, those that no submission
        resolved, numbered. The mean is the host's share resolved. Submissions with the same
        name have their folders appended to it.

    Raises
    ------
    ValueError
        If the folder holds no such files, or a submission has two.

    Warns
    -----
    UserWarning
        If several submissions have the same name.

    Examples
    --------
    >>> import json, tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for submission, solved in {"A": ["i1", "i2"], "B": ["i2"]}.items():
    ...     (folder / submission / "results").mkdir(parents=True)
    ...     content = json.dumps({"resolved": solved})
    ...     _ = (folder / submission / "results" / "results.json").write_text(content)
    >>> swe_bench(folder)["resolved"].unstack()
    instance   i1   i2
    system
    A         1.0  1.0
    B         0.0  1.0
    """
    resolved: dict[str, set[str]] = {}
    names: dict[str, str] = {}
    issues: dict[str, None] = {}
    totals: dict[str, int] = {}
    for path, content in result_files(
        folder, "**/results.json", "swe_bench", lambda one: "resolved" in one
    ):
        home = path.parent.parent if path.parent.name == "results" else path.parent
        about = home / "metadata.yaml"
        text = about.read_text(encoding="utf-8") if about.is_file() else ""
        name = re.search(r"^\s*name:\s*['\"]?(.+?)['\"]?\s*$", text, re.MULTILINE)
        where = home.relative_to(folder).as_posix()
        if where in resolved:
            raise ValueError(
                f"swe_bench: the submission {where!r} has two files of results, one of them "
                f"{path.relative_to(folder).as_posix()!r}; leave one of them out"
            )
        resolved[where] = set(content["resolved"])
        names[where] = str(clean_label(name[1] if name else home.name))
        listed = (items for items in content.values() if isinstance(items, list))
        issues |= dict.fromkeys(item for items in listed for item in items)
        by_repo = path.parent / "resolved_by_repo.json"
        if by_repo.is_file():
            for repo, figures in json.loads(by_repo.read_text(encoding="utf-8")).items():
                totals[repo] = max(totals.get(repo, 0), int(figures.get("total", 0)))
    called = group_values((name, where) for where, name in names.items())
    several = {name: folders for name, folders in called.items() if len(folders) > 1}
    if several:
        warn_user(
            f"swe_bench: several submissions are called {format_labels(several)}, and each is a "
            "system of its own, with its folder behind the name: "
            f"{format_labels(next(iter(several.values())))}"
        )
        names |= {where: f"{name} ({where})" for name, at in several.items() for where in at}
    for repo, total in totals.items():
        known = sum(issue.startswith(repo.replace("/", "__") + "-") for issue in issues)
        issues |= dict.fromkeys(f"{repo}: never resolved {n + 1}" for n in range(total - known))
    results = [(names[where], "resolved", float(issue in solved), issue)
               for where, solved in resolved.items() for issue in sorted(issues)]  # fmt: skip
    keys = ("system", "task", "score", "instance")
    records = (dict(zip(keys, row, strict=True)) for row in results)
    return results_as_table("swe_bench", folder, records)[0]
