"""Long tables, a row for each score: which columns name its system and task, and which hold it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import ParsedColumn, is_text_number
from nbrank.readers.tables.column_roles import find_missing_marker, is_text
from nbrank.readers.tables.inner_columns import find_inner_columns
from nbrank.readers.tables.parsed_scores import ScoresWithErrors, build_columns
from nbrank.readers.tables.raw_table import ColumnSelection, RawTable
from nbrank.uncertainty.standard_errors import binomial_errors
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    COUNTS,
    ERRORS,
    INSTANCES,
    REPLICATES,
    RUNS,
    SCORES,
    TASKS,
    is_metadata_name,
    is_named_like,
)


def find_long_roles(table: RawTable, systems: list[Any]) -> tuple[list[Any], list[Any]] | None:
    """The columns of system and task, where it is plain that each row is a score."""
    by_name = systems or table.find_system_columns()[:1]
    tasks = [
        name
        for kind in TASKS
        for name in table.find_columns((kind,))
        if name not in by_name and is_text(table[name]) and not table[name].is_unique
    ]
    if not by_name or not tasks or table[by_name[0]].is_unique:
        return None
    system = table.build_labels(by_name, "system")
    called_so = table.find_columns(INSTANCES | REPLICATES)
    wide = table.find_columns(INSTANCES | RUNS | CLUSTERS)
    inner = [[], *([name] for name in called_so), called_so, wide]
    # As few columns as tell the rows apart: a task, or a group and a task.
    for level in inner:
        beside = [table[name] for name in level]
        pairs = [[b, a] for at, a in enumerate(tasks) for b in tasks[at + 1 :] if b != "metric"]
        pairs += [[a, "metric"] for a in tasks if a != "metric" and "metric" in tasks]
        for chosen in [*([task] for task in tasks), *pairs]:
            keys = [system, *beside, *(table[name] for name in chosen)]
            if not pd.MultiIndex.from_arrays(keys).has_duplicates:
                return by_name, chosen
    return by_name, tasks[:1]


def read_long(table: RawTable, asked: ColumnSelection) -> ScoresWithErrors:
    """A row for each score, into a row for each system."""
    systems = asked.system or asked.systems or table.find_system_columns()[:1]
    tasks = asked.task or [name for kind in TASKS for name in table.find_columns((kind,))][:1]
    lacking = [option for option, results in (("system", systems), ("task", tasks)) if not results]
    if lacking:
        options = " and ".join(f"{option}='...'" for option in lacking)
        raise ValueError(
            f"{table.source_name}: a table of one score a row, of which no column names the "
            f"{' and the '.join(lacking)}; say which, {options}: {format_labels(table.names)}"
        )
    labels = table.build_labels(systems, "system")
    names = [table.build_labels([task], "task") for task in tasks]
    others = (*systems, *tasks, *asked.metadata, *asked.stderr, *asked.n, *asked.score)
    levels = find_inner_columns(table, [labels, *names], asked.instance, (), others)
    inner, rows = levels.every, levels.rows(table, labels)
    known = [*systems, *tasks, *inner, *asked.stderr, *asked.n]
    value = asked.score[0] if asked.score else _find_score_column(table, known)
    read = table.parse_column(value)
    if read.unparsed_rows and read.is_boolean and not read.n_scores:
        read = read.parse_booleans(table[value])
    if read.unparsed_rows or read.rows_without_percent:
        table.report_unparsed_cells(labels, {value: read}, asked=True)
    table.report_large_integers(labels, {value: read})
    errors, used = _find_errors(table, value, read, asked)
    if (mark := find_missing_marker(read.values)) is not None:
        table.warn_missing_markers({value: mark})
    table.warn_ambiguous_commas([value])
    columns = list(zip(*names, strict=True)) if len(names) > 1 else list(names[0])
    aside = [name for name in table.names if name not in (*known, *asked.metadata, value, used)]
    sizes = [] if used is not None else [item for item in aside if is_named_like(item, COUNTS)]
    if aside:
        table.warn_excluded_columns(
            {
                item: f"with n={item!r}, errors follow" if item in sizes else "not needed"
                for item in aside
            },
            f"the scores are those of {value!r}, which score='...' can change",
        )
    metadata = [str(name) for name in (*asked.metadata, *aside)]
    scores, of_scores = _pivot(rows, columns, {"score": read.values, "error": errors})
    return ScoresWithErrors(scores, of_scores, {"metadata": metadata, "score": str(value)})


def _pivot(rows: pd.Index, columns: list[Any], values: dict[str, Any]) -> Iterator[pd.DataFrame]:
    """Values by system (and instance) and task; a second one of the same goes in another row."""
    row, _ = pd.factorize(rows)
    column, column_names = pd.factorize(pd.Index(columns, tupleize_cols=False))
    cells = pd.DataFrame({"row": row, "column": column, **values})
    cells["nth"] = cells.groupby(["row", "column"]).cumcount()
    table = cells.set_index(["row", "nth", "column"]).unstack("column")
    labels = rows[~rows.duplicated()][table.index.get_level_values("row")]
    for what in values:
        result = pd.DataFrame(table[what]).set_axis(labels)
        yield result.set_axis(build_columns(list(column_names)), axis=1)


def _find_score_column(table: RawTable, known: Sequence[Any]) -> Any:
    """The column of the scores: the one called so, or the only one with numbers."""
    rest = [name for name in table.names if name not in known]
    called_so = [name for kind in SCORES for name in rest if is_named_like(name, (kind,))]
    if called_so:
        return called_so[0]
    numbers = [
        name
        for name in rest
        if any(map(is_text_number, table[name]))
        and not is_metadata_name(name)
        and not is_named_like(name, INSTANCES | REPLICATES | COUNTS | ERRORS)
    ]
    if len(numbers) == 1:
        return numbers[0]
    raise ValueError(
        f"{table.source_name}: each row is of one system and one task, and "
        + (
            f"{format_labels(numbers)} may all be its score"
            if numbers
            else "no column holds its score"
        )
        + f"; say which, score={str((numbers or ['...'])[0])!r}"
    )


def _find_errors(
    table: RawTable, value: Any, read: ParsedColumn, asked: ColumnSelection
) -> tuple[Any, Any]:
    """The standard errors of the scores, and the column from which they are."""
    by_name = [] if asked.n else [name for name in table.names if is_named_like(name, ERRORS)]
    for column in (asked.stderr or by_name)[:1]:
        return table.parse_errors(column), column
    if not asked.n:
        return read.errors, None
    n = asked.n[0]
    shares, sizes = (
        pd.DataFrame({value: scores.values}) for scores in (read, table.parse_column(n))
    )
    high = 100.0 if (read.values > 1).any() else 1.0
    try:
        return binomial_errors(shares, sizes, high=high)[value].to_numpy(), n
    except ValueError as error:
        raise ValueError(
            f"{table.source_name}: n={n!r} is for shares, and {error}; or give stderr='...'"
        ) from None
