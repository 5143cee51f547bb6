"""Redundant columns: copies, complements, multiples, averages, and other units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from math import exp, lgamma
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import usual_range
from nbrank.arrays.typing import Bools, Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence, is_average_by_name, is_one_of_averages
from nbrank.readers.tables.places import POINTS_OF_PLACES, are_places, find_ranks_beside_scores
from nbrank.votes.table.data_warnings import find_summary_column, row_means_and_sums
from nbrank.votes.table.name_heuristics import label_parts

#: Maximum probability that two columns taken as copies agree by chance.
_CHANCE = 1e-3
#: Maximum number of columns that are compared with each other.
_MAX_COMPARED = 600
#: Maximum number of columns among which sums are looked for.
_MAX_SUMMED = 60


def find_redundant_columns(
    columns: Sequence[Column], file: str, *, by_values: bool = True
) -> dict[Any, Evidence]:
    """Find the columns that add nothing to the others, by names, the file or their numbers."""
    results = {column.name: Evidence("average", "the name of the whole file")
               for column in columns if str(column.name) == file}  # fmt: skip
    results |= find_ranks_beside_scores(columns) if by_values else {}
    results |= _other_units(columns)
    if by_values:
        left = [column for column in columns if column.name not in results]
        results |= find_copies(left)
        results |= find_sums([column for column in left if column.name not in results])
    left = [column for column in columns if column.name not in results]
    results |= find_points_of_places(left)
    left = [column for column in columns if column.name not in results]
    for column in left:
        others = [other for other in left if other is not column and other.name not in results]
        if found := is_one_of_averages(column, left) or is_average_by_name(column, others):
            results[column.name] = found
    left = [column for column in columns if column.name not in results]
    if left and by_values:
        results |= find_first_places(left)
        left = [column for column in left if column.name not in results]
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


def find_summary(table: Floats) -> tuple[int, str] | None:
    """Find the first column that is the mean, the sum or the mean win rate of the others."""
    beaten = (pd.DataFrame(table).rank() - 1) / np.maximum((~np.isnan(table)).sum(axis=0) - 1, 1)
    kinds = row_means_and_sums(table)
    kinds["the mean win rate"] = row_means_and_sums(beaten.to_numpy())["the mean"]
    for what, others in kinds.items():
        number = find_summary_column(table, others, tolerance=0.01 if "win" in what else 0.0)
        if number is not None:
            return number, what
    return None


def find_first_places(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the column that counts on how many of the others a system is first."""
    results = {}
    for column in columns if len(columns) > 3 else ():
        table = np.column_stack([other.values for other in columns if other is not column])
        filled = np.where(np.isnan(table), -np.inf, table)
        counts = (filled == filled.max(axis=0)).sum(axis=1)
        named = bool({"best", "first", "wins", "top"} & {*column.words}) or len(counts) >= 8
        if named and np.ptp(counts) > 0 and np.array_equal(counts, column.values):
            results[column.name] = Evidence("average", "how often each is first on the others")
    return results


def _other_units(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the columns named like another one and "raw"."""
    by_text = {
        tuple(str(part).lower() for part in label_parts(column.name)): column.name
        for column in columns
    }
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
    table = np.column_stack([column.values for column in columns])
    chances = np.array([_chance_of(column) for column in columns])
    with np.errstate(all="ignore"):
        alike = np.abs(pd.DataFrame(table).corr().to_numpy())
    for at in range(1, len(columns)):
        likely = [
            other
            for other in range(at)
            if columns[other].name not in results
            and (chances[at] * at < _CHANCE or _shares_name(columns[at], columns[other]))
        ]
        if not likely:
            continue
        why = _relation(table[:, likely], table[:, at], columns[at])
        near = [place for place, other in enumerate(likely) if alike[at, other] > 0.999]
        lines = (place for place in near if _is_line(columns[likely[place]], columns[at]))
        if why is None and (line := next(lines, None)) is not None:
            why = line, "a linear function of {}"
        if why is not None:
            other, text = why
            results[columns[at].name] = Evidence(
                "description", text.format(repr(columns[likely[other]].name))
            )
    return results


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
        step = 1.01 * max(_step(total), 1e-9)
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


def _is_line(other: Column, column: Column) -> bool:
    """Return whether a column is a linear function of another, up to rounding."""
    known = ~np.isnan(other.values) & ~np.isnan(column.values)
    x, y = other.values[known], column.values[known]
    if len(x) < 8 or len(x) < len(column.numbers) or not np.isfinite([*x, *y]).all():
        return False
    slope, start = np.polyfit(x, y, 1)
    step = _step(column) + abs(slope) * _step(other)
    chance = (step / usual_range(y)) ** (len(x) - 2)
    return bool((np.abs(start + slope * x - y) <= step).all() and chance < 1e-9)


def _is_difference(column: Column) -> bool:
    """Return whether a column of a sum is the difference: by its name, or numbers of both signs."""
    named = {"difference", "diff", "delta", "gap", "gain", "improvement", "change"} & {
        *column.words
    }
    return bool(named) or column.numbers.min(initial=0) < 0 < column.numbers.max(initial=0)


def _chance_of(column: Column) -> float:
    """Estimate the chance that another column with as many digits has these numbers."""
    numbers = column.numbers
    # Places are an order, and orders are fewer.
    is_order = not (2 * numbers % 1).any()
    return max(_chance_of_digits(column), exp(-lgamma(len(numbers) + 1)) if is_order else 0.0)


def _chance_of_digits(column: Column) -> float:
    """Estimate the chance of all numbers of a column, if any in their range are as likely."""
    numbers = column.numbers
    spread = float(usual_range(numbers)) if len(numbers) > 1 else 0.0
    if spread <= 0 or len(np.unique(numbers)) < 3:
        return 1.0
    return float(min(_step(column) / spread, 1.0) ** len(numbers))


def _step(column: Column) -> float:
    """Return the unit of a column's last digit."""
    texts = [repr(value).partition("e")[0] for value in column.numbers[:100].tolist()]
    decimals = max((len(text.partition(".")[2].rstrip("0")) for text in texts), default=0)
    return float(10.0 ** -min(decimals, 12))


def _shares_name(column: Column, other: Column) -> bool:
    """Return whether a name is the other with more words: top1_err and top1."""
    return len(other.words) > 0 and column.words[: len(other.words)] == other.words


def _relation(others: Floats, values: Floats, column: Column) -> tuple[int, str] | None:
    """Find which other column these values repeat, and how."""
    known = ~np.isnan(values)
    step = _step(column)

    def first(holds: Bools) -> int | None:
        whole = holds.all(axis=0)
        return int(np.argmax(whole)) if whole.any() else None

    if not np.isfinite(values[known]).all():
        return None
    others = np.where(np.isinf(others), np.nan, others)
    same_gaps = np.isnan(others) == ~known[:, None]
    if (
        at := first((others == values[:, None]) | (np.isnan(others) & ~known[:, None]))
    ) is not None:
        return at, "the same as {}"
    rest, here = others[known], values[known, None]
    if len(here) < 2 or np.ptp(here) == 0:
        return None
    fits = same_gaps.all(axis=0)
    totals = np.median(rest + here, axis=0)
    known_totals = np.isin(np.round(totals, 9), (1.0, 100.0)) | (len(here) > 4)
    near = (np.abs(rest + here - totals) <= 1.01 * step) & fits & known_totals
    if (at := first(near)) is not None:
        return at, f"{totals[at]:.6g} - {{}}"
    if len(np.unique(here)) < 3:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.nanmedian(np.where(here != 0, rest / here, np.nan), axis=0)
        by = np.where(np.abs(factors) > 1, np.rint(factors), 1 / np.rint(1 / factors))
        scale = np.fmax(np.abs(factors), 1 / np.abs(factors))
        away = np.abs(rest / by - here)
        whole_factor = (np.abs(scale / np.rint(scale) - 1) < 0.02) & np.isfinite(by) & fits
    # In few rows some factor fits by chance, if not to the last digit.
    near_step = (1.01 if len(here) >= 8 else 0.51) * step
    if (at := first((away <= near_step) & whole_factor & (np.abs(by) != 1))) is not None:
        return at, f"a multiple of {{}} (by {1 / by[at]:.4g})"
    grid = float(np.diff(np.unique(here[:, 0])).min())
    rounded = (away <= 0.51 * grid) & whole_factor
    if len(here) >= 20 and (at := first(rounded)) is not None:
        return at, "{} rounded" if by[at] == 1 else (
            f"a multiple of {{}}, rounded (by {1 / by[at]:.4g})"
        )
    return None
