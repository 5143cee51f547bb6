"""Redundant columns: copies, complements, multiples, averages, and other units."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence
from nbrank.readers.tables.column_relations import (
    find_copy,
    find_of_two,
    find_weighted_sum,
    is_difference,
)
from nbrank.readers.tables.task_directions import (
    POINTS_OF_PLACES,
    are_places,
    find_ranks_beside_scores,
    is_known_metric,
)
from nbrank.votes.table.data_warnings import find_summary_column, row_means_and_sums
from nbrank.votes.table.direction_names import direction_hint, without_statement
from nbrank.votes.table.name_heuristics import is_average_name, label_parts, make_word_set

#: Maximum probability that a row sums up the others by chance.
_CHANCE = 1e-3
#: Maximum number of columns among which averages are looked for.
_MAX_SUMMED = 60
#: Maximum number of columns that are compared with each other.
_MAX_COMPARED = 600
_DRAWS = make_word_set("tie ties tied draw draws drawn")
_WINS = make_word_set("win wins won best first firsts top")
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


@np.errstate(over="ignore", invalid="ignore")  # sums of huge numbers are infinite
def find_redundant_columns(
    columns: Sequence[Column], file: str, *, use_values: bool = True
) -> dict[Any, Evidence]:
    """Find the columns that add nothing to the others, by names, the file or their numbers."""
    results = {
        column.name: Evidence("average", "the name of the whole file") for column in columns
        if str(column.name) == file and (
            direction_hint(column.name) is None and not is_known_metric(column.name)
        )
    }  # fmt: skip
    results |= find_ranks_beside_scores(columns) or find_orders(columns) if use_values else {}
    results |= _other_units(columns)
    if use_values:
        left = [column for column in columns if column.name not in results]
        results |= find_draws(left) | find_wins(left) | find_copies(left)
        results |= find_interval_ends([column for column in left if column.name not in results])
        results |= find_of_two([column for column in left if column.name not in results])
        left = [column for column in columns if column.name not in results]
        results |= find_partial_means(left)
    left = [column for column in columns if column.name not in results]
    results |= find_points_of_places(left)
    left = [column for column in columns if column.name not in results]
    for column in left:
        others = [other for other in left if other is not column and other.name not in results]
        if found := is_one_of_averages(column, left) or is_average_by_name(column, others):
            results[column.name] = found
    left = [column for column in columns if column.name not in results]
    if left and use_values:
        summary = find_summary(np.column_stack([column.values for column in left]))
        if summary is not None:
            name = left[summary[0]].name
            results[name] = Evidence("average", f"{summary[1]} of the others")
        results |= find_weighted_sum([column for column in left if column.name not in results])
    return results if len(results) < len(columns) else {}


def find_points_of_places(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the column of a season's points next to places in its races, where lower is better."""
    results = {}
    for column in columns:
        others = [other for other in columns if other is not column]
        named = column.words[-1:] in (("points",), ("pts",), ("total",))
        if not named or len(others) < 2 or not all(other.is_whole for other in others):
            continue
        table = np.column_stack([other.values for other in others])
        table = np.where(table == 0, np.nan, table)  # a competitor without a place
        means = pd.DataFrame(table).mean(axis=1)
        falls = pd.Series(column.values).rank().corr(means.rank())
        strict = all(are_places(places[~np.isnan(places)]) for places in table.T)
        likely = np.nanmin(table) >= 1 and np.nanmax(table) <= 1.5 * len(table) + 2
        if (len(others) > 2 and likely and falls < -0.4) or (strict and falls <= -0.8):
            results[column.name] = Evidence("average", POINTS_OF_PLACES)
    return results


def find_orders(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns of the places in another column's order, whatever they are called."""
    places = [column for column in columns if column.is_whole and are_places(column.values)]
    # Grades up to 5 of a few rows may be in one order.
    scores = [
        column
        for column in columns
        if len(column.values) > 3
        and not (column.is_whole and column.numbers.max() <= 2 * len(column.values))
    ]
    orders = [(column, pd.Series(sign * column.values).rank(method="min"))
              for column in scores for sign in (-1, 1)]  # fmt: skip
    few = places if 2 * len(places) <= len(columns) else []
    return {column.name: Evidence("description", f"places by {other.name!r}")
            for column in few for other, order in orders
            if np.array_equal(order, column.values)}  # fmt: skip


def find_partial_means(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns that are the mean or the sum of all before them, or of all behind."""
    results: dict[Any, Evidence] = {}
    for at in reversed(range(len(columns)) if len(columns) <= _MAX_SUMMED else ()):
        ends = (columns[:at], columns[at + 1 :])
        fewer = [[*columns[:one], *columns[one + 1 : at]] for one in range(at if at <= 8 else 0)]
        for part in (*ends, *fewer):
            left = [column for column in part if column.name not in results]
            if 1 < len(left) < len(columns) - 1:
                table = np.column_stack([column.values for column in (*left, columns[at])])
                for what, others in row_means_and_sums(table).items():
                    # 8 scored is 7 conceded and a difference of +1.
                    if what == "the sum" and any(map(is_difference, left)):
                        continue
                    if find_summary_column(table, others) == len(left):
                        side = "columns behind it" if part is ends[1] else "columns before it"
                        why = f"{what} of {'the' if part in ends else 'some'} {side}"
                        results.setdefault(columns[at].name, Evidence("average", why))
    return results


@np.errstate(over="ignore", invalid="ignore")  # sums of huge numbers are infinite
def find_summary_row(columns: Sequence[Column]) -> tuple[int, str] | None:
    """Find the row that sums up others in each column, hardly by chance: which, and what it is.

    It is the mean or the sum of all others, or the difference of two.
    """
    table = np.column_stack([column.values for column in columns])
    steps = np.array([column.step for column in columns])
    n_rows = len(table)
    if n_rows < 3 or len(columns) < 2:
        return None
    guesses = [(row, f"{what} of all other rows", of_others.T[row])
               for what, of_others in row_means_and_sums(table.T).items() if n_rows > 3
               for row in np.flatnonzero(_agree(of_others.T, table, steps)).tolist()]  # fmt: skip
    guesses += [(n_rows - 1, "the difference of two rows", table[one] - table[other])
                for one, other in permutations(range(n_rows - 1 if n_rows <= 12 else 0), 2)
                ]  # fmt: skip
    spread = np.ptp(np.nan_to_num(table), axis=0)
    for row, what, values in guesses:
        if _agree(values, table[row], steps):
            known = ~np.isnan(values - table[row])
            chance = np.prod(2 * steps[known] / np.maximum(spread[known], 1e-300))
            # Summaries mostly stand at an end.
            if chance < (_CHANCE / 10 if row in (0, n_rows - 1) else _CHANCE**2):
                return row, what
    return None


def _agree(values: Floats, table: Floats, steps: Floats) -> NDArray[np.bool_]:
    """Return whether values are those of each row up to a step, and two or more are known."""
    away = np.abs(values - table)
    known = ~np.isnan(away)
    result: NDArray[np.bool_] = (known.sum(axis=-1) > 1) & ((away <= 1.01 * steps) | ~known).all(
        axis=-1
    )
    return result


def find_interval_ends(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find two columns side by side that lie equally far below and above a third, in each row."""
    if not 2 < len(columns) <= _MAX_SUMMED or len(columns[0].values) < 5:
        return {}
    for at, (one, other) in enumerate(pairwise(columns)):
        low, high = sorted((one, other), key=lambda column: float(column.values.sum()))
        if not (low.values <= high.values).all():
            continue
        middle, width = (low.values + high.values) / 2, (high.values - low.values) / 2
        for column in (*columns[:at], *columns[at + 2 :]):
            near = np.abs(middle - column.values) <= 1.01 * max(column.step, one.step, other.step)
            near &= (low.values <= column.values) & (column.values <= high.values)
            # The mean of two tasks lies between them, too, and further away.
            if near.all() and 0 < width.max() < 0.25 * np.ptp(column.values):
                why = f"end of an interval around {column.name!r}"
                return {low.name: Evidence("low", f"the low {why}", column.name),
                        high.name: Evidence("high", f"the high {why}", column.name)}  # fmt: skip
    return {}


def find_summary(table: Floats) -> tuple[int, str] | None:
    """Find the first column that is the mean, the sum, or the like of the others."""
    beaten = (pd.DataFrame(table).rank() - 1) / np.maximum((~np.isnan(table)).sum(axis=0) - 1, 1)
    kinds = row_means_and_sums(table)
    kinds["the mean win rate"] = row_means_and_sums(beaten.to_numpy())["the mean"]
    places = pd.DataFrame(-table).rank(method="min").to_numpy()
    kinds["the mean of the places"] = row_means_and_sums(places)["the mean"]
    for what, others in kinds.items():
        number = find_summary_column(table, others, tolerance=0.01 if "win" in what else 0.0)
        if number is not None:
            return number, what
    return None


def _other_units(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns named like another one and "raw"."""
    by_text = {tuple(str(part).lower() for part in label_parts(column.name)): column.name
               for column in columns}  # fmt: skip
    results = {}
    for (*groups, text), name in by_text.items():
        task = (*groups, re.sub(r"[\s_-]+raw$", "", text))
        if by_text.get(task, name) != name:
            results[name] = Evidence("description", f"{by_text[task]!r} in another unit")
    return results


def find_copies(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find columns that repeat an earlier one, hardly by chance: equal, reversed or scaled.

    >>> def column(name, *values):
    ...     from nbrank.readers.tables.cell_parsing import parse_column
    ...
    ...     cells = pd.Series(values)
    ...     return Column(name, cells, parse_column(cells))
    >>> found = find_copies([column("acc", 0.95, 0.90, 0.81), column("err", 0.05, 0.1, 0.19)])
    >>> found["err"].why
    "1 - 'acc'"
    """
    results: dict[Any, Evidence] = {}
    if not 1 < len(columns) <= _MAX_COMPARED or len(columns[0].values) < 2:
        return results
    near = np.ones((len(columns), len(columns)), dtype=bool)
    if len(columns) > _MAX_SUMMED:  # of many, only those that rise or fall together
        table = pd.DataFrame({at: column.values for at, column in enumerate(columns)})
        near = np.abs(table.corr("spearman").fillna(1).to_numpy()) > 0.98
    for at, column in enumerate(columns):
        for place in np.flatnonzero(near[at, :at]).tolist():
            other = columns[place]
            if other.name not in results and (found := find_copy(column, other, at)):
                results[column.name] = found
                break
    return results


def find_draws(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the column of draws next to wins and losses, with which it makes up all games."""
    whole = [column for column in columns if column.is_whole]
    decided = [column for column in whole if column.words in (("w",), ("l",))]
    for column in whole:
        others = [other for other in whole if other is not column]
        by_letter = len(decided) == 2 and bool({"d", "t"} & {*column.words})
        named = combinations(others, 2) if _DRAWS & {*column.words} else ()
        for first, second in named or [decided] * by_letter:
            games = first.values + second.values + column.values
            if np.ptp(games) == 0 or any(np.array_equal(games, other.values) for other in others):
                why = f"what {first.name!r} and {second.name!r} leave of all games"
                return {column.name: Evidence("description", why)}
    return {}


def find_wins(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the column that counts on how many of the others a system is the best."""
    for column in columns:
        others = [other for other in columns if other is not column]
        if len(others) < 2 or not column.is_whole or column.numbers.max() > len(others):
            continue
        table = np.column_stack([other.values for other in others])
        hints = [direction_hint(other.name) for other in others]
        signs = np.array([-1.0 if hint and hint.direction == "lower" else 1.0 for hint in hints])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a task may lack scores
            best = table * signs == np.nanmax(table * signs, axis=0)
        counts = [best.sum(axis=1), best[:, best.sum(axis=0) == 1].sum(axis=1)]
        sure = _WINS & {*column.words} or (len(best) > 5 and len(np.unique(column.numbers)) > 2)
        if sure and any(np.array_equal(column.values, count) for count in counts):
            return {column.name: Evidence("description", "how many of the others are won")}
    return {}


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
