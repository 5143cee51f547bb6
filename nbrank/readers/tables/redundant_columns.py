"""Redundant columns: copies, complements, multiples, averages, and other units."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import combinations, pairwise, permutations
from math import exp, lgamma
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import usual_range
from nbrank.arrays.typing import Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence, is_average_by_name, is_one_of_averages
from nbrank.readers.tables.task_directions import (
    POINTS_OF_PLACES,
    are_places,
    find_ranks_beside_scores,
    is_known_metric,
)
from nbrank.votes.table.data_warnings import find_summary_column, row_means_and_sums
from nbrank.votes.table.direction_names import direction_hint
from nbrank.votes.table.name_heuristics import label_parts, make_word_set

#: Maximum probability that two columns taken as copies agree by chance.
_CHANCE = 1e-3
#: Maximum number of columns that are compared with each other.
_MAX_COMPARED = 600
#: Maximum number of columns among which sums are looked for.
_MAX_SUMMED = 60
_DRAWS = make_word_set("tie ties tied draw draws drawn")
_RELATIVE = make_word_set("speedup speedups speed ratio relative normalized normalised times vs")
_WINS = make_word_set("win wins won best first firsts top")


@np.errstate(over="ignore", invalid="ignore")  # sums of huge numbers are infinite
def find_redundant_columns(
    columns: Sequence[Column], file: str, *, by_values: bool = True
) -> dict[Any, Evidence]:
    """Find the columns that add nothing to the others, by names, the file or their numbers."""
    results = {
        column.name: Evidence("average", "the name of the whole file") for column in columns
        if str(column.name) == file and (
            direction_hint(column.name) is None and not is_known_metric(column.name)
        )
    }  # fmt: skip
    results |= find_ranks_beside_scores(columns) or find_orders(columns) if by_values else {}
    results |= _other_units(columns)
    if by_values:
        left = [column for column in columns if column.name not in results]
        results |= find_draws(left) | find_wins(left) | find_copies(left)
        results |= find_interval_ends([column for column in left if column.name not in results])
        results |= find_sums([column for column in left if column.name not in results])
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
    if left and by_values:
        summary = find_summary(np.column_stack([column.values for column in left]))
        if summary is not None:
            name = left[summary[0]].name
            results[name] = Evidence("average", f"{summary[1]} of the others")
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
                    if what == "the sum" and any(map(_is_difference, left)):
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
               for row in range(n_rows)]  # fmt: skip
    guesses += [(n_rows - 1, "the difference of two rows", table[one] - table[other])
                for one, other in permutations(range(n_rows - 1), 2) if n_rows <= 12]  # fmt: skip
    spread = np.ptp(np.nan_to_num(table), axis=0)
    for row, what, values in guesses:
        away = np.abs(values - table[row])
        known = ~np.isnan(away)
        if known.sum() > 1 and (away[known] <= 1.01 * steps[known]).all():
            chance = np.prod(2 * steps[known] / np.maximum(spread[known], 1e-300))
            # Summaries mostly stand at an end.
            if chance < (_CHANCE / 10 if row in (0, n_rows - 1) else _CHANCE**2):
                return row, what
    return None


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
    table = pd.DataFrame({at: column.values for at, column in enumerate(columns)})
    with np.errstate(all="ignore"):
        blur = np.array([*map(_blur, columns)])
        alike = table.corr().fillna(1).to_numpy()
        near = 1 - alike**2 <= np.add.outer(blur, blur) ** 2 + 1e-9
        near |= np.abs(pd.DataFrame(np.log(table)).corr().to_numpy()) > 0.98
    for at, column in enumerate(columns):
        chance = _chance_of(column) * at < _CHANCE
        for other in (columns[place] for place in np.flatnonzero(near[at, :at]).tolist()):
            likely = other.name not in results and (chance or _shares_name(column, other))
            if likely and (why := _relation(other, column)):
                results[column.name] = Evidence("description", why.format(repr(other.name)))
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


def find_sums(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find columns that are the sum or the difference of two others, hardly by chance.

    >>> def column(name, *values):
    ...     from nbrank.readers.tables.cell_parsing import parse_column
    ...
    ...     cells = pd.Series(values)
    ...     return Column(name, cells, parse_column(cells))
    >>> found = find_sums(
    ...     [
    ...         column("sat", 11.0, 45, 32, 90, 67),
    ...         column("unsat", 7, 80, 30, 21, 55),
    ...         column("solved", 18, 125, 62, 111, 122),
    ...     ]
    ... )
    >>> {name: item.why for name, item in found.items()}
    {'solved': "the sum of 'sat' and 'unsat'"}
    """
    results: dict[Any, Evidence] = {}
    if not 2 < len(columns) <= _MAX_SUMMED or len(columns[0].values) < 4:
        return results
    table = np.column_stack([column.values for column in columns])
    chances = np.array([_chance_of_digits(column) for column in columns])
    for at, total in enumerate(columns):
        known = ~np.isnan(table[:, at])
        if chances[at] * len(columns) ** 2 >= _CHANCE or known.sum() < 4:
            continue
        parts = [other for other in range(len(columns))
                 if other != at and columns[other].name not in results]  # fmt: skip
        step = 1.01 * max(total.step, 1e-9)
        for first, second in combinations(parts, 2):
            if total.is_whole and not (columns[first].is_whole and columns[second].is_whole):
                continue
            sums = table[known, first] + table[known, second]
            if not np.nanmax(np.abs(sums - table[known, at]), initial=0) <= step or (
                np.isnan(sums).any() or not table[known][:, [first, second]].any(axis=0).all()
            ):
                continue
            places = (at, first, second)
            gap = next((place for place in (first, second) if _is_difference(columns[place])), None)
            if gap is None:
                names = f"{columns[first].name!r} and {columns[second].name!r}"
                results[total.name] = Evidence("average", f"the sum of {names}")
            else:
                two = [columns[place].name for place in sorted(places) if place != gap]
                why = f"the difference of {two[0]!r} and {two[1]!r}"
                results[columns[gap].name] = Evidence("description", why)
            break
    return results


def _is_difference(column: Column) -> bool:
    """Return whether a column of a sum is the difference: by its name, or numbers of both signs."""
    named = {"difference", "diff", "delta", "gap", "gain", "improvement", "change"} & {
        *column.words
    }
    return bool(named) or column.numbers.min(initial=0) < 0 < column.numbers.max(initial=0)


def _chance_of(column: Column) -> float:
    """Estimate the chance that another column with as many digits has these numbers."""
    numbers = column.numbers
    # Places are an order, and orders are fewer; large numbers are none.
    is_order = np.abs(numbers).max(initial=0) <= max(20, len(numbers)) and (
        not (2 * numbers % 1).any()
    )
    return max(_chance_of_digits(column), exp(-lgamma(len(numbers) + 1)) if is_order else 0.0)


def _chance_of_digits(column: Column) -> float:
    """Estimate the chance of all numbers of a column, if any in their range are as likely."""
    numbers = column.numbers
    spread = float(usual_range(numbers)) if len(numbers) > 1 else 0.0
    if spread <= 0 or len(np.unique(numbers)) < 3:
        return 1.0
    return float(min(column.step / spread, 1.0) ** len(numbers))


def _blur(column: Column) -> float:
    """Return the rounding of a column in units of its spread, which bounds its correlations."""
    steps = np.diff(np.unique(column.numbers))
    return float(max(column.step, steps.min()) / column.numbers.std()) if len(steps) else np.inf


def _shares_name(column: Column, other: Column) -> bool:
    """Return whether a name is the other with more words: top1_err and top1."""
    return len(other.words) > 0 and column.words[: len(other.words)] == other.words


def _relation(other: Column, column: Column) -> str:
    """Say how a column repeats another, up to rounding; empty if it does not."""
    if np.array_equal(other.values, column.values, equal_nan=True):
        return "the same as {}"
    known = ~np.isnan(column.values)
    x, y, step = other.values[known], column.values[known], column.step
    if len(y) < 2 or np.ptp(y) == 0 or not np.isfinite(x + y).all():
        return ""
    has_same_gaps = len(other.numbers) == len(y)
    total = np.median(x + y)
    likely = len(y) > 4 or (len(y) > 2 and _chance_of_digits(column) < 1e-9)
    if has_same_gaps and (likely or round(total, 9) in (1, 100)) and (
        np.abs(x + y - total) <= 1.01 * step
    ).all():  # fmt: skip
        return f"{total:.6g} - {{}}"
    if has_same_gaps and len(np.unique(y)) > 2 and (x != 0).any():
        factor = float(np.median(x[y != 0] / y[y != 0]))
        size = max(abs(factor), 1 / abs(factor)) if factor else 1.5
        by = np.copysign(np.rint(size) if abs(factor) > 1 else 1 / np.rint(size), factor)
        away = np.abs(x / by - y)
        whole = abs(size / np.rint(size) - 1) < 0.02
        # In few rows some factor fits by chance, if not to the last digit.
        if whole and abs(by) != 1 and (away <= (1.01 if len(y) >= 8 else 0.51) * step).all():
            return f"a multiple of {{}} (by {1 / by:.4g})"
        if whole and len(y) >= 20 and (away <= 0.51 * np.diff(np.unique(y)).min()).all():
            return "{} rounded" if by == 1 else f"a multiple of {{}}, rounded (by {1 / by:.4g})"
    shift, least_step = y - x, min(step, other.step)
    if len(y) > 2 and 0 in y and np.ptp(shift) <= 1.01 * least_step and step == other.step:
        return "a difference from one row of {}"
    if 4 * len(y) >= 3 * len(other.numbers) and (why := _proportion(x, y, other, column)):
        return why
    if len(y) < 8 or np.ptp(x) == 0:
        return ""
    slope, start = np.polyfit(x, y, 1)
    step += abs(slope) * other.step
    is_line = (np.abs(start + slope * x - y) <= 0.6 * step).all()
    chance = (step / max(usual_range(y), step)) ** (len(y) - 2)
    return "a linear function of {}" if is_line and chance < 1e-9 else ""


def _proportion(x: Floats, y: Floats, other: Column, column: Column) -> str:
    """Say whether numbers are multiples of others, or of their inverses, hardly by chance."""
    if not ((x > 0) & (y > 0)).all() or len(np.unique(y)) < 3:
        return ""
    is_relative = "x" in (column.scores.unit, other.scores.unit) or (
        _RELATIVE & {*column.words, *other.words} or "÷" in f"{column.name}{other.name}"
    )
    low, high = x - 0.5 * other.step, x + 0.5 * other.step
    forms = {"a multiple of {}": (low, high), "a multiple of 1 / {}": (1 / high, 1 / low)}
    for what, ends in forms.items() if (low > 0).all() else ():
        # Factors that agree with the digits of each row.
        least, most = (y - 0.5 * column.step) / ends[1], (y + 0.5 * column.step) / ends[0]
        chance = np.prod(np.sort(np.minimum((most - least) * ends[0] / np.ptp(y), 1.0))[:-1])
        # Two metrics may be nearly equal.
        is_equal = "1 /" not in what and 0.9 < most.min() < 1.1
        is_likely = chance < (0.05 if is_relative else 0.0 if is_equal else 1e-6)
        if is_likely and least.max() <= most.min() * (1 + 1e-9):
            return what
    return ""
