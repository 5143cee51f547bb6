"""Long tables, a row for each score: which columns name its system and task, and which hold it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from nbrank.questions.binomial_errors import binomial_errors
from nbrank.readers.cell_table import (
    Asked,
    CellTable,
    refuse_cells,
    refuse_large,
    say_aside,
    warn_of_marks,
)
from nbrank.readers.cell_texts import Scores, is_text_number
from nbrank.readers.column_roles import is_text, level_of, mark_of_missing
from nbrank.readers.found_scores import FoundScores, columns_of
from nbrank.votes.column_names import (
    COUNTS,
    ERRORS,
    INSTANCES,
    REPLICATES,
    SCORES,
    TASKS,
    describes,
    stands_for,
)
from nbrank.votes.naming import named


def long_roles(table: CellTable, systems: list[Any]) -> tuple[list[Any], list[Any]] | None:
    """The columns of system and task, where it is plain that each row is a score."""
    by_name = systems or table.systems()[:1]
    tasks = [
        name
        for kind in TASKS
        for name in table.named_like((kind,))
        if name not in by_name and is_text(table[name]) and not table[name].is_unique
    ]
    if not by_name or not tasks or table[by_name[0]].is_unique:
        return None
    system = table.labels(by_name, "system")
    inner = [None, *table.named_like(INSTANCES | REPLICATES)]
    # As few columns as tell the rows apart: a task, or a group and a task.
    for level in inner:
        beside = [] if level is None else [table[level]]
        pairs = [[b, a] for at, a in enumerate(tasks) for b in tasks[at + 1 :] if b != "metric"]
        pairs += [[a, "metric"] for a in tasks if a != "metric" and "metric" in tasks]
        for chosen in [*([one] for one in tasks), *pairs]:
            keys = [system, *beside, *(table[name] for name in chosen)]
            if not pd.MultiIndex.from_arrays(keys).has_duplicates:
                return by_name, chosen
    return by_name, tasks[:1]


def read_long(table: CellTable, system: list[Any], task: list[Any], asked: Asked) -> FoundScores:
    """A row for each score, into a row for each system."""
    systems = system or table.systems()[:1]
    tasks = task or [name for kind in TASKS for name in table.named_like((kind,))][:1]
    lacking = [option for option, found in (("system", systems), ("task", tasks)) if not found]
    if lacking:
        options = " and ".join(f"{option}='...'" for option in lacking)
        raise ValueError(
            f"{table.called}: a table of one score a row, of which no column names the "
            f"{' and the '.join(lacking)}; say which, {options}: {named(table.names)}"
        )
    labels = table.labels(systems, "system")
    names = [table.labels([one], "task") for one in tasks]
    inner = asked.inner or table.inner_levels([labels, *names])
    rows = [labels] + ([table.labels(inner, "instance")] if inner else [])
    known = [*systems, *tasks, *inner, asked.stderr, asked.n]
    value = asked.score if asked.score is not None else _score_column(table, known)
    read = table.numbers(value)
    if read.wrong and read.truths and not read.n_scores:
        read = read.as_truths(table[value])
    if read.wrong or read.unmarked:
        refuse_cells(table, labels, {value: read}, asked=True)
    refuse_large(table, labels, {value: read})
    errors, used = _errors_of_long(table, value, read, asked)
    if (mark := mark_of_missing(read.values)) is not None:
        warn_of_marks(table.called, {value: mark})
    table.warn_of_commas([value])
    columns = list(zip(*names, strict=True)) if len(names) > 1 else list(names[0])
    aside = [name for name in table.names if name not in (*known, *asked.metadata, value, used)]
    sizes = [] if used is not None else [one for one in aside if stands_for(one, COUNTS)]
    if aside:
        say_aside(
            table.called,
            {
                one: f"with n={one!r}, errors follow" if one in sizes else "not needed"
                for one in aside
            },
            f"the scores are those of {value!r}, which score='...' can change",
        )
    levels = ["system", "instance" if asked.inner else level_of(inner)][: len(rows)]
    found = _pivoted(
        rows,
        levels,
        columns,
        read.values,
        errors,
        [str(name) for name in (*asked.metadata, *aside)],
    )
    return replace(found, score=str(value))


def _pivoted(
    rows: list[pd.Series],
    levels: list[str],
    columns: list[Any],
    values: Any,
    errors: Any,
    aside: list[str],
) -> FoundScores:
    """Scores by system (and instance) and task; a second one of the same goes in another row."""
    row, row_names = pd.factorize(pd.MultiIndex.from_arrays(rows))
    column, column_names = pd.factorize(pd.Index(columns, tupleize_cols=False))
    cells = pd.DataFrame({"row": row, "column": column, "score": values, "error": errors})
    cells["nth"] = cells.groupby(["row", "column"]).cumcount()
    table = cells.set_index(["row", "nth", "column"]).unstack("column")
    labels = row_names[table.index.get_level_values("row")]
    table = table.reset_index(drop=True)
    scores, error = (
        pd.DataFrame(table[what]).set_axis(columns_of(list(column_names)), axis=1)
        for what in ("score", "error")
    )
    found = [
        pd.Series(labels.get_level_values(level).to_numpy(dtype=object), dtype=object)
        for level in range(len(rows))
    ]
    return FoundScores(found, levels, scores, error, aside)


def _score_column(table: CellTable, known: Sequence[Any]) -> Any:
    """The column of the scores: the one called so, or the only one with numbers."""
    rest = [name for name in table.names if name not in known]
    called_so = [name for kind in SCORES for name in rest if stands_for(name, (kind,))]
    if called_so:
        return called_so[0]
    numbers = [
        name
        for name in rest
        if any(map(is_text_number, table[name]))
        and not describes(name)
        and not stands_for(name, INSTANCES | REPLICATES | COUNTS | ERRORS)
    ]
    if len(numbers) == 1:
        return numbers[0]
    raise ValueError(
        f"{table.called}: each row is of one system and one task, and "
        + (f"{named(numbers)} may all be its score" if numbers else "no column holds its score")
        + f"; say which, score={str((numbers or ['...'])[0])!r}"
    )


def _errors_of_long(table: CellTable, value: Any, read: Scores, asked: Asked) -> tuple[Any, Any]:
    """The standard errors of the scores, and the column from which they are."""
    stderr, n = asked.stderr, asked.n
    by_name = [name for name in table.names if stands_for(name, ERRORS)]
    column = stderr if stderr is not None else (by_name[0] if by_name and n is None else None)
    if column is not None:
        return table.errors(column), column
    if n is None:
        return read.errors, None
    shares, sizes = (
        pd.DataFrame({value: read.values}),
        pd.DataFrame({value: table.numbers(n).values}),
    )
    high = 100.0 if (read.values > 1).any() else 1.0
    try:
        return binomial_errors(shares, sizes, high=high)[value].to_numpy(), n
    except ValueError as error:
        raise ValueError(
            f"{table.called}: n={n!r} is for shares, and {error}; or give stderr='...'"
        ) from None
