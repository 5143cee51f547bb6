"""Wide tables, a row for each system or each task: which columns hold scores, and which do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.cell_table import Asked, CellTable
from nbrank.readers.cell_texts import LIKE_A_NUMBER, Scores, are_sizes, is_text_number
from nbrank.readers.column_roles import (
    error_of,
    figure_of,
    is_error,
    is_text,
    mark_of_missing,
    summary_of_others,
)
from nbrank.readers.found_scores import FoundScores, columns_of
from nbrank.readers.inner_columns import find_inner_columns
from nbrank.votes.caller import warn_caller
from nbrank.votes.column_names import (
    CLUSTERS,
    COUNTS,
    INSTANCES,
    REPLICATES,
    SYSTEMS,
    TASKS,
    describing,
    is_average,
    parts,
    stands_for,
)
from nbrank.votes.naming import counted, named
from nbrank.votes.score_table import refuse_rankings


def read_wide(table: CellTable, asked: Asked) -> FoundScores:
    """A row for each system (and instance, or run), a column for each task."""
    if asked.n:
        raise ValueError(
            f"{table.called}: n={asked.n[0]!r} goes with a table of one score a row; name its "
            f"columns, system='...', task='...' and score='...'"
        )
    if not len(table.cells):
        raise ValueError(f"{table.called}: the table has no systems; give one row for each system")
    tasks = asked.tasks
    system = asked.systems or _system_columns(table)
    refuse_rankings(name for name in table.names if name not in system and not tasks)
    labels = table.labels(system, "system")
    # Labels of the rows beside the systems tell those of a system apart, as columns may.
    labelled = [name for name in table.names[: table.n_labels] if name not in system]
    known = (*system, *asked.metadata, *asked.tasks, *asked.stderr)
    levels = find_inner_columns(table, [labels], asked.instance, labelled, known)
    inner, rows = levels.every, levels.rows(table, labels)
    known = (*system, *inner, *asked.metadata, *asked.stderr)
    others = [name for name in table.names if name not in known]
    read, aside, beside = _chosen(table, system, labels, tasks or others, bool(tasks), bool(inner))
    kept = list(read)
    for stderr in asked.stderr[:1]:
        of_task = kept[0] if len(kept) == 1 else error_of(stderr, kept)
        if of_task is None:
            raise ValueError(
                f"{table.called}: stderr={stderr!r} may be of any of {named(kept)}; say of which, "
                f"tasks='...', or by its name, as in '{kept[0]}_stderr'"
            )
        beside[of_task] = stderr
    errors = pd.DataFrame({at: read[name].errors for at, name in enumerate(kept)}, index=rows)
    for name, of_errors in beside.items():
        errors[kept.index(name)] = table.errors(of_errors)
    scores = pd.DataFrame({at: read[name].values for at, name in enumerate(kept)}, index=rows)
    scores.columns = errors.columns = columns_of(kept)
    names = [*asked.metadata, *aside]
    if tasks:
        names += [name for name in others if name not in tasks and name not in names]
    return FoundScores(scores, errors, {"metadata": [str(name) for name in names]})


def _system_columns(table: CellTable) -> list[Any]:
    """The column that names the systems; the first, unless that holds numbers."""
    if table.n_labels == 1:
        return table.names[:1]
    if table.n_labels > 1:
        labels = table.names[: table.n_labels]
        known = [name for name in labels if stands_for(name, SYSTEMS)]
        inner = [name for name in labels if stands_for(name, INSTANCES | REPLICATES | CLUSTERS)]
        if (inner and len(known) == 1) or len(inner) == len(labels) - 1:
            return known or [name for name in labels if name not in inner]
        if inner:
            raise ValueError(
                f"{table.called}: each row has the labels {named(labels)}; say which of them is "
                f"what, systems={labels[0]!r}, instance={labels[-1]!r}"
            )
        one = [*known, labels[0]][0]
        others = [name for name in labels if name != one]
        warn_caller(
            f"{table.called}: each of the {counted(len(table.cells), 'row')} is read as a system, "
            f"named by the labels {named(labels)} together; if they are instances or runs of "
            f"systems, say systems={one!r}, instance={others if others[1:] else others[0]!r}"
        )
        return labels
    if called_so := table.systems():
        return called_so[:1]
    texts = [name for name in table.names if is_text(table[name])]
    if texts[:1] == table.names[:1] or (table.names[:1] == [""] and not texts):
        return table.names[:1]
    alone = [name for name in texts if table[name].is_unique]
    if len(alone) == 1:
        warn_caller(f"{table.called}: the systems are read from the column {alone[0]!r}")
        return alone
    first = str(table[table.names[0]].iloc[0])
    raise ValueError(
        f"{table.called}: the first column, {table.names[0]!r}, holds {first!r}, which is no name "
        f"of a system; say which column names "
        f"them, systems={str((texts or table.names)[0])!r}"
    )


def _chosen(
    table: CellTable,
    system: Sequence[Any],
    labels: pd.Series,
    columns: Sequence[Any],
    asked: bool,
    of_instances: bool,
) -> tuple[dict[Any, Scores], dict[Any, str], dict[Any, Any]]:
    """Tell scores from what describes the systems, and refuse cells that are neither.

    Gives the scores by task, why each other column is set aside, and which has a task's errors.
    """
    read = {name: table.numbers(name) for name in columns}
    texts = [name for name in columns if read[name].wrong and not read[name].n_scores]
    truths = [name for name in texts if read[name].truths]
    if truths and (asked or of_instances or len(truths) == len(columns)):
        # Right or wrong is a score of an instance.
        for name in truths:
            read[name] = read[name].as_truths(table[name])
        texts = [name for name in texts if name not in truths]
    about = describing(columns) | {
        name for name in columns if stands_for(name, REPLICATES | COUNTS)
    }
    plain = [name for name in columns if not read[name].wrong and name not in about]
    aside: dict[Any, str] = {}
    errors: dict[Any, Any] = {}
    for name in columns if not asked else ():
        others = [other for other in plain if other != name]
        if (of_task := error_of(name, others)) is not None:
            aside[name], errors[of_task] = "standard errors", name
        elif name in texts and not _like_a_number(table[name]):
            what = "sizes" if are_sizes(table[name]) else "words"
            aside[name] = "yes or no" if name in truths else what
        elif (of_task := figure_of(name, others)) is not None:
            aside[name] = f"it says more of {of_task!r}"
        elif is_error(name) and np.isnan(read[name].errors).all():  # acc ± sd, above 71.2 ± 0.3
            aside[name] = "standard errors, and no such task"
        elif name in about:
            aside[name] = "its name"
        elif _numbers_rows(table, name, system):
            aside[name] = "it numbers the rows"
    rest = {name: read[name] for name in columns if name not in aside}
    wrong = {name: one for name, one in rest.items() if one.wrong or one.unmarked}
    table.refuse_cells(labels, wrong, asked)
    marks = {name: mark_of_missing(one.values) for name, one in rest.items() if name not in wrong}
    marked = {name: mark for name, mark in marks.items() if mark is not None}
    if not asked:
        aside |= {name: f"{mark} for what was not measured" for name, mark in marked.items()}
        kept = [name for name in columns if name not in aside]
        aside |= _repeats(kept, read, PurePath(table.called).stem)
    else:
        table.warn_of_marks(marked)
    kept = [name for name in columns if name not in aside]
    if not columns:
        raise ValueError(
            f"{table.called}: there are no columns but {named(system)}; give one of scores for "
            f"each task, parted by commas, semicolons or tabs"
        )
    if not kept:
        said = "; ".join(f"{name!r} was set aside ({why})" for name, why in aside.items())
        raise ValueError(
            f"{table.called}: the table has no tasks; give one column of scores for each task"
            + (f", or name them, tasks=['...']: {said}" if said else "")
        )
    table.refuse_large(labels, {name: one for name, one in read.items() if name not in about})
    # It is said once, when all can be read.
    if aside and not table.problems.errors:
        table.say_aside(aside)
    if all(isinstance(name, str) and is_text_number(name) for name in kept):
        warn_caller(
            f"{table.called}: the first row is read as names, of the tasks {named(kept)}; if these "
            f"are scores, put a row of names above them"
        )
    table.warn_of_commas(kept)
    of_tasks = {task: name for task, name in errors.items() if task in kept}
    return {name: read[name] for name in kept}, aside, of_tasks


def _numbers_rows(table: CellTable, name: Any, system: Sequence[Any]) -> bool:
    """Whether a column stands before that of the systems, and counts the rows."""
    cells, first = table[name].astype(str).tolist(), table.names.index(system[0])
    counts = ([str(row + start) for row in range(len(cells))] for start in (0, 1))
    return table.names.index(name) < first and cells in counts


def _like_a_number(column: pd.Series) -> bool:
    """Whether cells that are no numbers seem to be meant so: 0,85 where a point is wanted."""
    return any(isinstance(cell, str) and LIKE_A_NUMBER.fullmatch(cell) for cell in column)


def _repeats(kept: Sequence[Any], read: dict[Any, Scores], file: str) -> dict[Any, str]:
    """The columns that say again what others say, by their names, the file's or their numbers."""
    found: dict[Any, str] = {name: "its name" for name in kept if is_average(name)}
    by_text = {tuple(str(part).lower() for part in parts(name)): name for name in kept}
    for (*groups, text), name in by_text.items():
        task = (*groups, re.sub(r"[\s_-]+raw$", "", text))
        if by_text.get(task, name) != name:
            found[name] = f"{by_text[task]!r} in another unit"
    for name in kept:
        # So pandas calls the second of two columns of one name.
        first = re.sub(r"\.\d+$", "", str(name))
        one, other = read.get(first), read[name]
        if first != name and one and np.array_equal(one.values, other.values, equal_nan=True):
            found[name] = f"the same as {first!r}"
    rest = [name for name in kept if name not in found]
    if rest:
        summary = summary_of_others(np.column_stack([read[name].values for name in rest]))
        if summary is not None:
            found[rest[summary[0]]] = f"{summary[1]} of the others"
    found = {name: "the name of the whole file" for name in kept if str(name) == file} | found
    return found if len(found) < len(kept) else {}


def is_transposed(table: CellTable) -> bool:
    """Whether the rows are tasks, by what the column is called that names them."""
    if table.n_labels or table.named_like(SYSTEMS):
        return False
    tasks = [name for name in table.named_like(TASKS) if is_text(table[name])]
    if not tasks or not table[tasks[0]].is_unique:
        return False
    warn_caller(
        f"{table.called}: the rows are read as tasks, since {tasks[0]!r} names them, and the "
        f"columns as systems; if the rows are systems, say systems={tasks[0]!r}"
    )
    return True


def turned(table: CellTable, asked: Asked) -> tuple[CellTable, list[Any]]:
    """The table with its rows as columns: those named by `tasks`, else by the likeliest column."""
    texts = [name for name in table.names if is_text(table[name])]
    likely = [name for name in table.named_like(TASKS) if name in texts]
    labels = (
        asked.tasks or table.names[: table.n_labels] or likely[:1] or texts[:1]
        or table.names[:1]
    )  # fmt: skip
    names = table.labels(labels, "task")
    known = (*labels, *asked.metadata)
    columns = asked.systems or [name for name in table.names if name not in known]
    aside = [name for name in columns if name in texts and not asked.systems]
    if aside:
        table.say_aside(dict.fromkeys(aside, "words"))
    columns = [name for name in columns if name not in aside]
    cells = pd.DataFrame([table[name].tolist() for name in columns], dtype=object)
    cells.insert(0, "system", pd.Series([str(name) for name in columns], dtype=object))
    frame = cells.set_axis(pd.Index(["system", *names], dtype=object, tupleize_cols=False), axis=1)
    frame.attrs = {"file": table.called, "decimal_comma": table.decimal_comma}
    return replace(CellTable.of(frame), problems=table.problems), [*asked.metadata, *aside]
