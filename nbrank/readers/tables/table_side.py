"""Detection of tables with tasks in their rows, and their transposition."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import mode
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import TASKS, Column, is_text
from nbrank.readers.tables.column_evidence import find_evidence
from nbrank.readers.tables.file_doubts import TIMED_SYSTEMS
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import Advice, Roles, roles_call
from nbrank.readers.tables.system_columns import RATERS
from nbrank.readers.tables.task_directions import is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    TIME_UNITS,
    direction_hint,
    has_unit,
    is_metric_name,
)
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    INSTANCES,
    REPLICATES,
    SYSTEMS,
    is_benchmark_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import ReadColumn

#: Names of a column of tasks in a table whose other columns are systems.
ROW_TASKS = frozenset(TASKS) | make_word_set(
    "dm assay corpu lang datum data collection sequence category scene split subset"
)
#: What a first column of rows that systems solve may be called; an item may be ranked itself.
_ROW_INSTANCES = make_word_set("question query instance")
#: What else is hardly ranked, in the singular: class, criterion.
_ROW_PARTS = make_word_set("clas criterion criteria")
#: What the rows of a classifier's report may be called.
_ROW_CLASSES = make_word_set("category label intent tag entity concept topic type")
#: Words of systems' names.
_SYSTEM_WORDS = make_word_set(
    "gpt llama bert roberta deberta electra bart claude gemini gemma mistral mixtral qwen falcon "
    "bloom vicuna alpaca palm bm splade colbert dpr contriever bge tfidf xgboost xgb catboost "
    "lightgbm lgbm randomforest svm svr knn mlp lstm gru resnet vit unet autogluon automl "
    "autosklearn logreg naivebayes transformer transformers esm eve bc iql cql td sac ppo dqn "
    "rainbow baseline sota gbm tabnet tabpfn chatgpt deepseek"
)
#: Words of columns that compare two systems.
_DIFFERENCES = make_word_set("improvement change difference diff delta Δ gain speedup ratio")
#: Pattern of a model's size in its name: ESM2 (650M), llama-7b.
_SIZE = re.compile(r"(?:^|[\s(_-])\d+(?:\.\d+)?\s?[bBmM](?:[\s)_-]|$)")


def rows_are_tasks(table: RawTable) -> tuple[Any, str] | None:
    """Return the column that names rows which are tasks, and the reason; None for systems."""
    if table.n_labels or table.find_columns(SYSTEMS) or not table.names:
        return None
    head = table.names[0]
    likely = [name for name in table.names if is_named_like(name, ROW_TASKS)
              and is_text(table[name])]  # fmt: skip
    others = [name for name in table.names if name not in likely]
    parts = [name for name in others if f"#{name}" in others]
    if parts and head in likely:
        raise table.error(
            f"{head!r} names tasks, but {format_labels(parts)} no systems, "
            "since the table counts them with #; read the files of several systems together, "
            f"read([...]), or rank the rows all the same, {roles_call({head: 'system'})}, or the "
            f"columns, {roles_call({head: 'task'})}"
        )
    if not others or sum(map(_is_measure, others)) > 0.1 * len(others):
        return None
    judges = [name for name in others
              if is_named_like(re.sub(r"\d+", "", str(name)), CLUSTERS | REPLICATES)]  # fmt: skip
    if 2 * len(judges) > len(others):  # Judge 1, Judge 2
        return None
    if likely and table[likely[0]].is_unique:
        return likely[0], f"since {likely[0]!r} names them"
    is_unique = table[head].astype(str).is_unique
    if is_named_like(head, _ROW_INSTANCES) and len(others) > 2 and is_unique:
        return head, f"since {head!r} names them"
    if head in likely or not is_text(table[head]) or not table[head].is_unique:
        return None
    cells = [str(cell) for cell in table[head]]
    numeric = [name for name in others if name != head]
    metrics = [cell for cell in cells if _is_measure(cell) and "loss" not in cell.lower()]
    if len(metrics) == len(cells) and len(numeric) > 1 and not any(map(is_system_name, cells)):
        return head, f"since {format_labels(metrics[:2])} are called like metrics"
    systems = [name for name in numeric if is_system_name(name)]
    if len(systems) >= max(2, 0.5 * len(numeric)) and not any(map(is_system_name, cells[:20])):
        return head, f"since {format_labels(systems[:2])} are called like systems"
    few = cells[:20]
    known = sum(map(is_benchmark_name, few))
    if len(few) > 1 and known >= 0.8 * len(few) and not any(map(is_benchmark_name, numeric)):
        return head, f"since {format_labels(few[:2])} are called like benchmarks"
    return None


def _is_measure(name: object) -> bool:
    """Return whether a name is like a metric, or has a unit or an arrow, unlike a system's."""
    hint = direction_hint(name)
    if {*split_words(name)} & HIGHER_METRICS and not is_system_name(name):
        return True
    return has_unit(name) or is_metric_name(name) or (hint is not None and hint.sure)


def is_system_name(name: object) -> bool:
    """Return whether a name looks like that of a model or an algorithm.

    >>> [is_system_name(name) for name in ("BM25", "ESM2 (650M)", "Model A", "nfcorpus")]
    [True, True, True, False]
    """
    text = str(name[-1] if isinstance(name, tuple) else name)
    words = split_words(text)
    return (
        bool({*words, "".join(words), *re.split(r"[\s_-]+", text.lower())} & _SYSTEM_WORDS)
        or (_SIZE.search(text) is not None and not re.fullmatch(r"\d+ ?m", text))  # of a race
        or (len(words) > 1 and words[0] in SYSTEMS)
    )


def doubt_side(columns: Sequence[ReadColumn], rows: Iterable[Any]) -> str:
    """Return a doubt about rows that are read as systems."""
    system = [item.column for item in columns if item.role == "system"]
    tasks = [item.column for item in columns if item.role == "task"]
    kinds = ROW_TASKS | INSTANCES | _ROW_PARTS | RATERS
    if any({*split_words(row)} & TIMED_SYSTEMS for row in rows):  # languages of programs
        kinds -= {"language", "lang"}
    rated = [
        task for task in tasks if is_known_metric(task) and not TIME_UNITS & {*split_words(task)}
    ]
    if len(tasks) > 1 and 2 * len(rated) > len(tasks):
        # The results of one system, part by part, as in a report of a classifier.
        head = system[0]
        is_report = str(head) == "" and any(item.column == "support" for item in columns)
        if is_report or is_named_like(head, kinds | _ROW_CLASSES):
            files = {"file": "system", head or "task": "task"} | dict.fromkeys(tasks, "score")
            return Advice(
                "the rows seem to be parts of the results of one system",
                f": {roles_call({head: 'system'})} ranks them; to rank systems, read the files "
                f"of several, read([...], {roles_call(files)})",
            )
    for name in system:
        if is_named_like(name, kinds) and not is_named_like(name, SYSTEMS):
            what = (
                "voters"
                if is_named_like(name, RATERS)
                else "questions or the like"
                if is_named_like(name, INSTANCES)
                else "tasks"
            )
            call = roles_call({name: "task"})
            return Advice(f"its name is that of {what}", f": {call} turns the table")
    return ""


def transpose_table(table: RawTable, roles: Roles) -> tuple[RawTable, Roles, list[ReadColumn]]:
    """Transpose the table, with columns named by its columns of tasks; add how it was read."""
    texts = [name for name in table.names if is_text(table[name])]
    likely = [name for name in table.names if is_named_like(name, ROW_TASKS) and name in texts]
    said = [*roles.columns("group"), *roles.columns("task")]
    labels = said or table.names[: table.n_labels] or likely[:1] or texts[:1] or table.names[:1]
    chosen = roles.columns("system")
    for name in [] if said else [name for name in texts if name not in labels]:
        if not table.count_repeats([], labels):
            break
        labels = [*labels, name]
    if table.count_repeats([], labels):
        call = roles_call({"...": "group", labels[-1]: "task"})
        raise table.error(
            f"the rows are read as tasks, and {format_labels(labels)} "
            f"{'names' if len(labels) == 1 else 'name'} some more than once; say what else names "
            f"them, {call}"
        )
    parts = [table.build_labels([name], "task").tolist() for name in labels]
    names = list(zip(*parts, strict=True)) if len(labels) > 1 else parts[0]
    columns = {name: table.column(name) for name in table.names if name not in labels}
    units = [column.scores.unit for column in columns.values() if not column.is_words]
    aside = {name: "another unit" for name, column in columns.items()
             if column.scores.unit and column.scores.unit != mode(units)}  # fmt: skip
    quiet: list[Any] = []
    for name, column in columns.items():
        role = roles.role(name)
        if role in ("description", "average") or (chosen and name not in chosen):
            quiet.append(name)
            aside.pop(name, None)
        elif not chosen and role is None and name not in roles.directions:
            if column.is_words and not column.has_almost_numbers:
                aside[name] = "words"
            elif {*split_words(name)} <= _DIFFERENCES:
                aside[name] = "it compares systems"
            elif not is_system_name(name) and (found := find_evidence(column, [])):
                aside[name] = found.why
    systems = [name for name in columns if name not in aside and name not in quiet]
    if len(systems) == 1 and not chosen:
        _check_other_systems(table, [columns[name] for name in aside if aside[name] == "words"])
    if aside:
        table.warn_excluded_columns(aside)
    if not systems:
        raise table.error(
            "the rows are read as tasks, and no column holds scores; give "
            "one of scores for each system"
        )
    cells = pd.DataFrame([table[name].tolist() for name in systems], dtype=object)
    cells.insert(0, "system", pd.Series([str(name) for name in systems], dtype=object))
    frame = cells.set_axis(pd.Index(["system", *names], dtype=object, tupleize_cols=False), axis=1)
    frame.attrs = {"file": table.source_name, "decimal_comma": table.decimal_comma}
    turned = replace(
        RawTable.from_frame(frame),
        problems=table.problems,
        has_thousands=table.has_thousands,
        is_turned=True,
    )
    why = "you" if said or chosen else ""
    read = {name: ReadColumn(name, "task" if name == labels[-1] else "group", why=why)
            for name in labels}  # fmt: skip
    read |= {name: ReadColumn(name, "system", why=why) for name in systems}
    read |= {name: ReadColumn(name, "description", why="you") for name in quiet}
    read |= {name: ReadColumn(name, "description", why=reason) for name, reason in aside.items()}
    rows = {name: role for name, role in roles.of_rows.items() if name in turned.names}
    left = Roles({"system": "system"} | rows, roles.directions)
    return turned, left, [read[name] for name in table.names if name in read]


def _check_other_systems(table: RawTable, columns: Sequence[Column]) -> None:
    """Refuse to set a column of figures aside for some cells, where one system would be left."""
    for column in columns:
        figures = [cell for cell in map(str, column.cells) if re.match(r"\W*\d", cell)]
        odd = [cell for cell in figures if np.isnan(parse_column(pd.Series([cell])).values).all()]
        if 0 < len(odd) < len(figures) == len(column.cells):
            raise table.error(
                f"{column.name!r} holds {format_labels(odd)}, which is no number; write one "
                f"number in each cell, or, to have such cells as missing scores, na={odd!r}"
            )


def warn_turned(table: RawTable, system: Any, why: str) -> None:
    """Warn that the rows are read as tasks."""
    table.warn(
        f"the rows are read as tasks, {why}, and the columns as systems",
        f"; if the rows are systems, say {roles_call({system: 'system'})}",
    )
