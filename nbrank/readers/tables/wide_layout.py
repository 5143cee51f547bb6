"""Wide tables, a row for each system or each task: which columns hold scores, and which do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import (
    ALMOST_NUMBER,
    ParsedColumn,
    is_text_number,
    looks_like_sizes,
)
from nbrank.readers.tables.column_roles import (
    find_error_task,
    find_figure_task,
    find_missing_marker,
    find_summary_role,
    is_error,
    is_text,
)
from nbrank.readers.tables.inner_columns import find_inner_columns
from nbrank.readers.tables.parsed_scores import ScoresWithErrors, build_columns
from nbrank.readers.tables.raw_table import ColumnSelection, RawTable
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    COUNTS,
    INSTANCES,
    REPLICATES,
    SYSTEMS,
    TASKS,
    find_metadata_columns,
    is_average_name,
    is_named_like,
    label_parts,
)
from nbrank.votes.table.score_frame import check_not_ranking
from nbrank.votes.user_warnings import warn_user


def read_wide(table: RawTable, asked: ColumnSelection) -> ScoresWithErrors:
    """A row for each system (and instance, or run), a column for each task."""
    if asked.n:
        raise ValueError(
            f"{table.source_name}: n={asked.n[0]!r} goes with a table of one score a row; name its "
            f"columns, system='...', task='...' and score='...'"
        )
    if not len(table.cells):
        raise ValueError(
            f"{table.source_name}: the table has no systems; give one row for each system"
        )
    tasks = asked.tasks
    system = asked.systems or _find_system_columns(table)
    check_not_ranking(name for name in table.names if name not in system and not tasks)
    labels = table.build_labels(system, "system")
    # Labels of the rows beside the systems tell those of a system apart, as columns may.
    labelled = [name for name in table.names[: table.n_labels] if name not in system]
    known = (*system, *asked.metadata, *asked.tasks, *asked.stderr)
    levels = find_inner_columns(table, [labels], asked.instance, labelled, known)
    inner, rows = levels.every, levels.rows(table, labels)
    known = (*system, *inner, *asked.metadata, *asked.stderr)
    others = [name for name in table.names if name not in known]
    read, aside, beside = _select_score_columns(
        table, system, labels, tasks or others, bool(tasks), bool(inner)
    )
    selected = list(read)
    for stderr in asked.stderr[:1]:
        of_task = selected[0] if len(selected) == 1 else find_error_task(stderr, selected)
        if of_task is None:
            raise ValueError(
                f"{table.source_name}: stderr={stderr!r} may be of any of "
                f"{format_labels(selected)}; say of which, "
                f"tasks='...', or by its name, as in '{selected[0]}_stderr'"
            )
        beside[of_task] = stderr
    errors = pd.DataFrame({at: read[name].errors for at, name in enumerate(selected)}, index=rows)
    for name, of_errors in beside.items():
        errors[selected.index(name)] = table.parse_errors(of_errors)
    scores = pd.DataFrame({at: read[name].values for at, name in enumerate(selected)}, index=rows)
    scores.columns = errors.columns = build_columns(selected)
    names = [*asked.metadata, *aside]
    if tasks:
        names += [name for name in others if name not in tasks and name not in names]
    return ScoresWithErrors(scores, errors, {"metadata": [str(name) for name in names]})


def _find_system_columns(table: RawTable) -> list[Any]:
    """The column that names the systems; the first, unless that holds numbers."""
    if table.n_labels == 1:
        return table.names[:1]
    if table.n_labels > 1:
        labels = table.names[: table.n_labels]
        known = [name for name in labels if is_named_like(name, SYSTEMS)]
        inner = [name for name in labels if is_named_like(name, INSTANCES | REPLICATES | CLUSTERS)]
        if (inner and len(known) == 1) or len(inner) == len(labels) - 1:
            return known or [name for name in labels if name not in inner]
        if inner:
            raise ValueError(
                f"{table.source_name}: each row has the labels {format_labels(labels)}; say which "
                "of them is "
                f"what, systems={labels[0]!r}, instance={labels[-1]!r}"
            )
        item = [*known, labels[0]][0]
        others = [name for name in labels if name != item]
        warn_user(
            f"{table.source_name}: each of the {pluralize(len(table.cells), 'row')} is read as a "
            "system, "
            f"named by the labels {format_labels(labels)} together; if they are instances or runs "
            "of "
            f"systems, say systems={item!r}, instance={others if others[1:] else others[0]!r}"
        )
        return labels
    if called_so := table.find_system_columns():
        return called_so[:1]
    texts = [name for name in table.names if is_text(table[name])]
    if texts[:1] == table.names[:1] or (table.names[:1] == [""] and not texts):
        return table.names[:1]
    alone = [name for name in texts if table[name].is_unique]
    if len(alone) == 1:
        warn_user(f"{table.source_name}: the systems are read from the column {alone[0]!r}")
        return alone
    first = str(table[table.names[0]].iloc[0])
    raise ValueError(
        f"{table.source_name}: the first column, {table.names[0]!r}, holds {first!r}, which is no "
        "name "
        f"of a system; say which column names "
        f"them, systems={str((texts or table.names)[0])!r}"
    )


def _select_score_columns(
    table: RawTable,
    system: Sequence[Any],
    labels: pd.Series,
    columns: Sequence[Any],
    asked: bool,
    is_instance_level: bool,
) -> tuple[dict[Any, ParsedColumn], dict[Any, str], dict[Any, Any]]:
    """Tell scores from what describes the systems, and refuse cells that are neither.

    Gives the scores by task, why each other column is set aside, and which has a task's errors.
    """
    read = {name: table.parse_column(name) for name in columns}
    texts = [name for name in columns if read[name].unparsed_rows and not read[name].n_scores]
    truths = [name for name in texts if read[name].is_boolean]
    if truths and (asked or is_instance_level or len(truths) == len(columns)):
        # Right or wrong is a score of an instance.
        for name in truths:
            read[name] = read[name].parse_booleans(table[name])
        texts = [name for name in texts if name not in truths]
    about = find_metadata_columns(columns) | {
        name for name in columns if is_named_like(name, REPLICATES | COUNTS)
    }
    plain = [name for name in columns if not read[name].unparsed_rows and name not in about]
    aside: dict[Any, str] = {}
    errors: dict[Any, Any] = {}
    for name in columns if not asked else ():
        others = [other for other in plain if other != name]
        if (of_task := find_error_task(name, others)) is not None:
            aside[name], errors[of_task] = "standard errors", name
        elif name in texts and not _has_almost_numbers(table[name]):
            what = "sizes" if looks_like_sizes(table[name]) else "words"
            aside[name] = "yes or no" if name in truths else what
        elif (of_task := find_figure_task(name, others)) is not None:
            aside[name] = f"it says more of {of_task!r}"
        elif is_error(name) and np.isnan(read[name].errors).all():  # acc ± sd, above 71.2 ± 0.3
            aside[name] = "standard errors, and no such task"
        elif name in about:
            aside[name] = "its name"
        elif _is_row_number_column(table, name, system):
            aside[name] = "it numbers the rows"
    rest = {name: read[name] for name in columns if name not in aside}
    wrong = {
        name: scores
        for name, scores in rest.items()
        if scores.unparsed_rows or scores.rows_without_percent
    }
    table.report_unparsed_cells(labels, wrong, asked)
    marks = {
        name: find_missing_marker(scores.values)
        for name, scores in rest.items()
        if name not in wrong
    }
    marked = {name: mark for name, mark in marks.items() if mark is not None}
    if not asked:
        aside |= {name: f"{mark} for what was not measured" for name, mark in marked.items()}
        selected = [name for name in columns if name not in aside]
        aside |= _find_redundant_columns(selected, read, PurePath(table.source_name).stem)
    else:
        table.warn_missing_markers(marked)
    selected = [name for name in columns if name not in aside]
    if not columns:
        raise ValueError(
            f"{table.source_name}: there are no columns but {format_labels(system)}; give one of "
            "scores for "
            f"each task, parted by commas, semicolons or tabs"
        )
    if not selected:
        text = "; ".join(f"{name!r} was set aside ({why})" for name, why in aside.items())
        raise ValueError(
            f"{table.source_name}: the table has no tasks; give one column of scores for each task"
            + (f", or name them, tasks=['...']: {text}" if text else "")
        )
    table.report_large_integers(
        labels, {name: scores for name, scores in read.items() if name not in about}
    )
    # It is said once, when all can be read.
    if aside and not table.problems.errors:
        table.warn_excluded_columns(aside)
    if all(isinstance(name, str) and is_text_number(name) for name in selected):
        warn_user(
            f"{table.source_name}: the first row is read as names, of the tasks "
            f"{format_labels(selected)}; if these "
            f"are scores, put a row of names above them"
        )
    table.warn_ambiguous_commas(selected)
    of_tasks = {task: name for task, name in errors.items() if task in selected}
    return {name: read[name] for name in selected}, aside, of_tasks


def _is_row_number_column(table: RawTable, name: Any, system: Sequence[Any]) -> bool:
    """Whether a column stands before that of the systems, and counts the rows."""
    cells, first = table[name].astype(str).tolist(), table.names.index(system[0])
    counts = ([str(row + start) for row in range(len(cells))] for start in (0, 1))
    return table.names.index(name) < first and cells in counts


def _has_almost_numbers(column: pd.Series) -> bool:
    """Whether cells that are no numbers seem to be meant so: 0,85 where a point is wanted."""
    return any(isinstance(cell, str) and ALMOST_NUMBER.fullmatch(cell) for cell in column)


def _find_redundant_columns(
    kept: Sequence[Any], read: dict[Any, ParsedColumn], file: str
) -> dict[Any, str]:
    """The columns that say again what others say, by their names, the file's or their numbers."""
    results: dict[Any, str] = {name: "its name" for name in kept if is_average_name(name)}
    by_text = {tuple(str(part).lower() for part in label_parts(name)): name for name in kept}
    for (*groups, text), name in by_text.items():
        task = (*groups, re.sub(r"[\s_-]+raw$", "", text))
        if by_text.get(task, name) != name:
            results[name] = f"{by_text[task]!r} in another unit"
    for name in kept:
        # So pandas calls the second of two columns of one name.
        first = re.sub(r"\.\d+$", "", str(name))
        item, other = read.get(first), read[name]
        if first != name and item and np.array_equal(item.values, other.values, equal_nan=True):
            results[name] = f"the same as {first!r}"
    rest = [name for name in kept if name not in results]
    if rest:
        summary = find_summary_role(np.column_stack([read[name].values for name in rest]))
        if summary is not None:
            results[rest[summary[0]]] = f"{summary[1]} of the others"
    results = {name: "the name of the whole file" for name in kept if str(name) == file} | results
    return results if len(results) < len(kept) else {}


def is_transposed(table: RawTable) -> bool:
    """Whether the rows are tasks, by what the column is called that names them."""
    if table.n_labels or table.find_columns(SYSTEMS):
        return False
    tasks = [name for name in table.find_columns(TASKS) if is_text(table[name])]
    if not tasks or not table[tasks[0]].is_unique:
        return False
    warn_user(
        f"{table.source_name}: the rows are read as tasks, since {tasks[0]!r} names them, and the "
        f"columns as systems; if the rows are systems, say systems={tasks[0]!r}"
    )
    return True


def transpose_table(table: RawTable, asked: ColumnSelection) -> tuple[RawTable, list[Any]]:
    """The table with its rows as columns: those named by `tasks`, else by the likeliest column."""
    texts = [name for name in table.names if is_text(table[name])]
    likely = [name for name in table.find_columns(TASKS) if name in texts]
    labels = (
        asked.tasks or table.names[: table.n_labels] or likely[:1] or texts[:1]
        or table.names[:1]
    )  # fmt: skip
    names = table.build_labels(labels, "task")
    known = (*labels, *asked.metadata)
    columns = asked.systems or [name for name in table.names if name not in known]
    aside = [name for name in columns if name in texts and not asked.systems]
    if aside:
        table.warn_excluded_columns(dict.fromkeys(aside, "words"))
    columns = [name for name in columns if name not in aside]
    cells = pd.DataFrame([table[name].tolist() for name in columns], dtype=object)
    cells.insert(0, "system", pd.Series([str(name) for name in columns], dtype=object))
    frame = cells.set_axis(pd.Index(["system", *names], dtype=object, tupleize_cols=False), axis=1)
    frame.attrs = {"file": table.source_name, "decimal_comma": table.decimal_comma}
    return replace(RawTable.from_frame(frame), problems=table.problems), [*asked.metadata, *aside]
