"""Averages, totals and other statistics of columns, by their names and the columns around them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence
from nbrank.votes.table.direction_names import direction_hint, without_statement
from nbrank.votes.table.name_heuristics import (
    is_average_name,
    make_word_set,
)

_TOTALS = make_word_set("average avg ave mean median overall total sum aggregate ø")
_TOTAL_FILLER = make_word_set(
    "score scores points all final tasks task datasets dataset macro micro weighted global "
    "accuracy acc performance"
)
#: Words of metrics that are averages over something other than tasks.
_MEAN_METRICS = make_word_set(
    "precision iou reciprocal absolute squared percentage reward return pooling time opinion field "
    "rank teacher recall percent error average embedding length latency cost costs tests cases "
    "tokens energy"
)


def is_average_by_name(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize an average or total by its name: of all, or of related columns around it."""
    # avg_acc, avg_f1, avg_auc average nothing in the table.
    if not others or _are_all_means(column, others):
        return None
    words = {word for word in column.words if not word.isdigit()}
    if is_average_name(column.name) or _is_end_of_others(column, words, others):
        return Evidence("average", "its name")
    is_mean = bool({"avg", "average"} & words)
    if not words & _TOTALS or (_is_lower(column.name) and not is_mean):
        return None
    return _find_total(column, others)


def _is_end_of_others(column: Column, words: set[str], others: Sequence[Column]) -> bool:
    """Return whether a column is called best, worst or sum, and is just that of the others."""
    if not words or not words <= {"worst", "best", "sum"} or len(others) < 2:
        return False
    table = np.column_stack([other.values for other in others])
    ends = (table.sum(axis=1),) if "sum" in words else (table.min(axis=1), table.max(axis=1))
    return len(table) > 1 and any(np.allclose(end, column.values, rtol=1e-9) for end in ends)


def _find_total(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Find what a column with the word of a total sums up: all others, its family, those near."""
    words = [word for word in column.words if not word.isdigit()]
    rest = [word for word in words if word not in _TOTALS]
    family = [other for other in others if rest and list(other.words[: len(rest)]) == rest]
    # validation.overall next to validation.art
    if (len(family) > 1 and words[-1] in _TOTALS) or (
        {*rest} <= _TOTAL_FILLER and not {*words} <= {"sum"}
    ):
        return Evidence("average", "its name")
    parts = [other for other in others if {*other.words} & _TOTALS]
    if {*rest} & _MEAN_METRICS or len(others) < 2 or len(parts) > len(others) / 2:
        return None  # of Coding Average, Maths Average and so on each is a task
    near = [other for other in others if other.is_of_scale(column)]
    is_between = len(near) > 1 and column.is_between(near)
    return Evidence("average", "its name, and it lies between") if is_between else None


def _are_all_means(column: Column, others: Sequence[Column]) -> bool:
    """Return whether most columns begin with the same word of a mean, and no other is a part."""
    first, *rest = column.words or ("",)
    alike = [other for other in others if other.words[:1] == (first,)]
    parts = [other for other in others if other not in alike and {*rest} & {*other.words}]
    return first in _TOTALS and not parts and len(alike) > 1 and 2 * len(alike) >= len(others)


def _is_lower(name: object) -> bool:
    hint = direction_hint(without_statement(name))  # Total ↓ is a total all the same
    return hint is not None and hint.direction == "lower"


def is_one_of_averages(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a mean by another of the same thing: Human Mean and Human Median."""
    rest = {*column.words} - _TOTALS
    if not rest or rest & _MEAN_METRICS or len(rest) == len({*column.words}):
        return None
    twins = [{*other.words} for other in others if {*other.words} - _TOTALS == rest]
    alike = [other for other in others if other.scores.unit == column.scores.unit
             and {*other.words} - _TOTALS != rest]  # fmt: skip
    found = len(alike) > 1 and any(twin not in (rest, {*column.words}) for twin in twins)
    return Evidence("average", "its name, next to another average") if found else None
