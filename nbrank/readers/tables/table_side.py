"""Detection of tables with tasks in their rows, and their transposition."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mode
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import TASKS, Column, is_text
from nbrank.readers.tables.column_evidence import find_evidence
from nbrank.readers.tables.file_doubts import TIMED_SYSTEMS
from nbrank.readers.tables.quantity_parsing import is_unit_text
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import Advice, Roles, roles_call
from nbrank.readers.tables.system_columns import PEOPLE, RATERS
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
_ROW_TASKS = frozenset(TASKS) | make_word_set(
    "dm assay corpu lang datum data collection sequence category scene split subset"
)
#: Names of a column of the metrics of the rows.
_MEASURES = make_word_set("metric measure")
#: Names of a first column of instances that systems solve; an "item" may be ranked itself.
_ROW_INSTANCES = make_word_set("question query instance")
#: Other names of rows that are rarely ranked, in the singular: class, criterion.
_ROW_PARTS = make_word_set("clas criterion criteria")
#: Names of the rows in a classifier's report.
_ROW_CLASSES = make_word_set("category label intent tag entity concept topic type")
#: Names of columns of what systems are tried on, or of who rates them.
_ITEMS = (
    _ROW_TASKS | INSTANCES | PEOPLE | _ROW_PARTS | _ROW_CLASSES
    | make_word_set("target function site subject domain bug disease molecule pattern")
)  # fmt: skip
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
#: What a column is called with which the others are compared.
_REFERENCES = make_word_set(
    "experiment experimental reference ref groundtruth gt target expected actual exact measured "
    "observed truth optimal optimum opt bestknown bks"
)
#: Pattern of a model's size in its name: ESM2 (650M), llama-7b.
_SIZE = re.compile(r"(?:^|[\s(_-])\d+(?:\.\d+)?\s?[bBmM](?:[\s)_-]|$)")


@dataclass(frozen=True)
class _Sides:
    """What a table has on its two sides: the rows by their first column, and the other columns."""

    table: RawTable
    head: Any
    cells: list[str]
    columns: list[Any]

    @property
    def look_like_metrics(self) -> str:
        """Why the rows are tasks by being called like metrics; empty if they are not."""
        metrics = [cell for cell in self.cells if _is_measure(cell) and "loss" not in cell.lower()]
        many = len(metrics) >= max(2, 0.75 * len(self.cells)) or len(metrics) == len(self.cells)
        if many and len(self.columns) > 1 and not any(map(is_system_name, self.cells)):
            return f"since {format_labels(metrics[:2])} are called like metrics"
        return ""

    @property
    def face_systems(self) -> str:
        """Why the columns are systems, by their names."""
        systems = [name for name in self.columns if is_system_name(name)]
        many = len(systems) >= max(2, 0.5 * len(self.columns))
        if many and not any(map(is_system_name, self.cells[:20])):
            return f"since {format_labels(systems[:2])} are called like systems"
        return ""

    @property
    def look_like_benchmarks(self) -> str:
        """Why the rows are tasks by being called like benchmarks."""
        few = self.cells[:20]
        known = sum(map(is_benchmark_name, few))
        many = len(few) > 1 and known >= 0.8 * len(few)
        if many and not any(map(is_benchmark_name, self.columns)):
            return f"since {format_labels(few[:2])} are called like benchmarks"
        return ""

    @property
    def have_units(self) -> str:
        """Why the rows are tasks by a column that holds the unit of each."""
        for name in self.columns:
            units = [str(cell) for cell in self.table[name].dropna() if str(cell).strip()]
            is_unit = is_named_like(name, {"unit"}) or all(map(is_unit_text, units))
            if is_unit and len({*units}) > 1 and is_text(self.table[name]):
                return f"since {name!r} holds a unit for each"
        return ""

    @property
    def are_compared_with(self) -> str:
        """Why the rows are tasks by a reference which the other columns are near."""
        names = [name for name in self.columns if not is_text(self.table[name])]
        found = [name for name in names if "with" in why_no_system(name)]
        scores = [self.table.column(name).values for name in names]
        if found and len(names) > 2 and differ_in_scale(np.column_stack(scores)):
            return f"since the other columns are compared with {found[0]!r}"
        return ""


def rows_are_tasks(table: RawTable) -> bool:
    """Return whether the rows are tasks and the columns systems, and warn that they are."""
    if found := _find_row_tasks(table):
        system, why = found
        are_named = not table.count_repeats([], [system])
        call = f"; if the rows are systems, say {roles_call({system: 'system'})}"
        table.warn(f"the rows are read as tasks, {why}, and the columns as systems",
                   call * are_named)  # fmt: skip
    return found is not None


def _find_row_tasks(table: RawTable) -> tuple[Any, str] | None:
    """Find the column that names rows which are tasks, and the reason; None for systems."""
    if table.n_labels or not table.names:
        return None
    head = table.names[0]
    if any(name == head or table.column(name).is_words for name in table.find_columns(SYSTEMS)):
        return None
    likely = [name for name in table.names if is_named_like(name, _ROW_TASKS)
              and is_text(table[name])]  # fmt: skip
    others = [name for name in table.names if name not in likely]
    if head in likely:
        _check_counted_parts(table, head, others)
    judges = [name for name in others
              if is_named_like(re.sub(r"\d+", "", str(name)), CLUSTERS | REPLICATES)]  # fmt: skip
    # Judge 1, Judge 2
    if sum(map(_is_measure, others)) > 0.1 * len(others) or 2 * len(judges) > len(others) - 1:
        return None
    measured = [name for name in likely if name != head and is_named_like(name, _MEASURES)]
    words = [name for name in table.names if table.column(name).is_words]
    if measured and len(table.names) - len(words) > 1 and not table.count_repeats([], words):
        return head, f"since {measured[0]!r} names what each of them measures"
    named = likely[0] if likely else head if is_named_like(head, _ROW_INSTANCES) else None
    is_unique = named is not None and table[named].astype(str).is_unique
    if is_unique and (likely or len(others) > 2):
        return named, f"since {named!r} names them"
    if head in likely or not is_text(table[head]) or not table[head].is_unique:
        return None
    cells = [str(cell) for cell in table[head]]
    sides = _Sides(table, head, cells, [name for name in others if name != head])
    why = (
        sides.look_like_metrics or sides.face_systems or sides.look_like_benchmarks
        or sides.have_units or sides.are_compared_with
    )  # fmt: skip
    return (head, why) if why else None


def _check_counted_parts(table: RawTable, head: Any, others: Sequence[Any]) -> None:
    """Refuse columns that the table counts, which hold parts of its tasks."""
    if parts := [name for name in others if f"#{name}" in others]:
        raise table.error(
            f"{head!r} names tasks, but {format_labels(parts)} no systems, "
            "since the table counts them with #; read the files of several systems together, "
            f"read([...]), or rank the rows all the same, {roles_call({head: 'system'})}, or the "
            f"columns, {roles_call({head: 'task'})}"
        )


def is_item_name(name: Any) -> bool:
    """Return whether a column is called like one of items that systems are tried on.

    >>> [is_item_name(name) for name in ("dataset (n)", "n_problem", "Target", "model")]
    [True, True, True, False]
    """
    words = split_words(re.sub(r"\(.*?\)", "", str(name)))
    return any(is_named_like(part, _ITEMS) for part in ("_".join(words), *words[-1:]))


def why_no_system(name: Any) -> str:
    """Say why a column among those of systems is none, by its name; empty for another.

    >>> why_no_system("speedup"), why_no_system("target"), why_no_system("BM25")
    ('it compares systems', 'what the systems are compared with', '')
    """
    words = split_words(name)
    if words and {*words} <= _DIFFERENCES:
        return "it compares systems"
    return "what the systems are compared with" if "".join(words) in _REFERENCES else ""


def differ_in_scale(table: Floats) -> bool:
    """Return whether rows differ by orders of magnitude, and columns hardly do in any of them.

    >>> differ_in_scale(np.array([[1e-4, 2e-4], [25, 27], [7e3, 8e3]])), differ_in_scale(np.eye(3))
    (True, False)
    """
    table = table[~np.isnan(table).any(axis=1)]
    if min(table.shape) < 2 or len(table) < 3 or (table == 0).any():
        return False
    sizes = np.log10(np.abs(table))
    return bool((np.ptp(sizes, axis=1) < 1).all() and np.ptp(np.median(sizes, axis=1)) > 3)


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


def doubt_side(columns: Sequence[ReadColumn], scores: pd.DataFrame) -> str:
    """Return a doubt about rows that are read as systems."""
    rows = scores.index.get_level_values(0)
    system = [item.column for item in columns if item.role == "system"]
    tasks = [item.column for item in columns if item.role == "task"]
    kinds = _ROW_TASKS | INSTANCES | _ROW_PARTS | RATERS
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
    known = any(_is_measure(task) or is_known_metric(task) for task in tasks)
    named = not system or is_named_like(system[0], SYSTEMS) or any(map(is_system_name, rows))
    if not known and not named and differ_in_scale(scores.to_numpy(dtype=float)):
        call = roles_call({system[0]: "task"})
        return Advice(
            "the scores of its rows differ by orders of magnitude, as those of tasks do",
            f": {call} turns the table",
        )
    return ""


def transpose_table(table: RawTable, roles: Roles) -> tuple[RawTable, Roles, list[ReadColumn]]:
    """Transpose the table, with columns named by its columns of tasks; add how it was read."""
    said = [*roles.columns("group"), *roles.columns("task")]
    chosen = roles.columns("system")
    labels = _find_labels(table, said)
    parts = [table.build_labels([name], "task").tolist() for name in labels]
    names = list(zip(*parts, strict=True)) if len(labels) > 1 else parts[0]
    columns = {name: table.column(name) for name in table.names if name not in labels}
    quiet = [name for name in columns if roles.role(name) in ("description", "average")
             or (chosen and name not in chosen)]  # fmt: skip
    aside = _find_aside(columns, roles, quiet)
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
    read |= {name: ReadColumn(name, "description", why=aside.get(name, "you"))
             for name in (*quiet, *aside)}  # fmt: skip
    rows = {name: role for name, role in roles.of_rows.items() if name in turned.names}
    left = Roles({"system": "system"} | rows, roles.directions)
    return turned, left, [read[name] for name in table.names if name in read]


def _find_labels(table: RawTable, user_labels: Sequence[Any]) -> list[Any]:
    """Find the columns that name the tasks in rows, each once."""
    texts = [name for name in table.names if is_text(table[name])]
    items = [name for name in texts
             if name == table.names[0] or not is_named_like(name, _MEASURES)] or texts  # fmt: skip
    likely = [name for name in items if is_named_like(name, _ROW_TASKS)]
    labels = list(user_labels) or table.names[: table.n_labels] or likely[:1] or (
        items[:1] or table.names[:1]
    )  # fmt: skip
    for name in [] if user_labels else [name for name in texts if name not in labels]:
        # What a row measures gives its direction, too.
        if table.count_repeats([], labels) or is_named_like(name, _MEASURES):
            labels = [*labels, name]
    if table.count_repeats([], labels):
        call = roles_call({"...": "group", labels[-1]: "task"})
        raise table.error(
            f"the rows are read as tasks, and {format_labels(labels)} "
            f"{'names' if len(labels) == 1 else 'name'} some more than once; say what else names "
            f"them, {call}"
        )
    return labels if user_labels else sorted(labels, key=table.names.index)


def _find_aside(
    columns: Mapping[Any, Column], roles: Roles, quiet: Sequence[Any]
) -> dict[Any, str]:
    """Find the columns of a turned table that do not hold systems, and why."""
    units = [column.scores.unit for column in columns.values() if not column.is_words]
    aside = {name: "another unit" for name, column in columns.items() if name not in quiet
             and column.scores.unit and column.scores.unit != mode(units)}  # fmt: skip
    asked = {*roles.directions, *quiet, *roles.columns("system"), *roles.by_column}
    free = [] if roles.columns("system") or roles.others else [
        name for name in columns if name not in asked
    ]  # fmt: skip
    for name in free:
        column = columns[name]
        if column.is_words and not column.has_almost_numbers:
            aside[name] = "words"
        elif why := "its name" if is_named_like(name, SYSTEMS) else why_no_system(name):
            aside[name] = why
        elif not is_system_name(name) and (found := find_evidence(column, [])):
            aside[name] = found.why
    return aside


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
