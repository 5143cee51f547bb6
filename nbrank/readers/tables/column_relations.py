"""Relations between columns that hold up to their printed digits, and hardly by chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, lgamma, log
from typing import Any

import numpy as np

from nbrank.arrays.ballots.profile import usual_range
from nbrank.arrays.typing import Floats
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_evidence import Evidence
from nbrank.readers.tables.task_directions import is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.name_heuristics import make_word_set

#: Maximum probability that a relation holds by chance: with none, one or two fitted parameters.
_MAX_CHANCES = (1e-3, 1e-5, 1e-9)
#: Maximum probability where the names of the columns say as much.
_NAMED_CHANCE = 0.05
#: Number of rows in which relations are tried first, and from which on one cell may be wild.
_N_PROBED, _N_FOR_WILD = 12, 8
#: Maximum number of columns whose pairs are tried.
_MAX_IN_PAIRS = 60
_DIFFERENCES = make_word_set("difference diff delta gap gain improvement change Δ")
_RELATIVE = make_word_set("speedup speedups speed ratio relative normalized normalised times vs")


@dataclass(frozen=True)
class Guess:
    """Numbers that a column has by a relation, and how far its digits let them be off."""

    what: str
    values: Floats
    tolerance: Floats
    #: Range in which its numbers may be by chance.
    spread: float
    #: Number of parameters that were fitted, each to one of the numbers.
    n_fitted: int = 0

    def find_chance(self, column: Column) -> float:
        """Compute the probability that a column agrees by chance; 1 if it does not.

        All numbers in the range are as likely. One cell of many may be wild, such as a misprint.
        """
        away = np.abs(self.values - column.values)
        known = ~np.isnan(away)
        hits = known & (away <= self.tolerance)
        n_wild = int(known.sum() - hits.sum())
        enough = 4 * hits.sum() >= 3 * len(column.numbers) and hits.sum() > 1 and self.spread > 0
        if n_wild > _count_wild(int(known.sum())) or not enough:
            return 1.0
        pairs = np.column_stack([self.values, column.values])[hits]
        _, first = np.unique(pairs, axis=0, return_index=True)
        agree = np.minimum(2 * (away[hits].max() + column.blur[hits])[first] / self.spread, 1)
        chance = np.log(np.sort(agree)[self.n_fitted + n_wild :]).sum() + n_wild * log(len(away))
        return exp(min(max(chance, -lgamma(len(agree) + 1) if column.is_order else -700.0), 0.0))


def _count_wild(n_rows: int) -> int:
    """Count the cells that may be wild, such as a misprint."""
    return max(int(n_rows >= _N_FOR_WILD), n_rows // 20)


@np.errstate(all="ignore")  # zeros may divide, and huge numbers are infinite
def find_copy(column: Column, other: Column, n_tried: int) -> Evidence | None:
    """Find how a column follows from another one: equal, reversed, scaled, a line; or None."""
    shares_name = len(other.words) > 0 and column.words[: len(other.words)] == other.words
    if np.array_equal(column.values, other.values, equal_nan=True) and shares_name:
        return Evidence("description", f"the same as {other.name!r}")
    is_relative = _RELATIVE & {*column.words, *other.words} or (
        "x" in (column.scores.unit, other.scores.unit) or "÷" in f"{column.name}{other.name}"
    )
    few = len(np.unique(column.numbers)) < 3 and not shares_name
    # Numbers that are all the same explain nothing.
    for guess in () if few or len(np.unique(other.numbers)) < 2 else _guess_from_one(column, other):
        limit = _MAX_CHANCES[guess.n_fitted] / (n_tried if guess.n_fitted < 1 else 1)
        if shares_name or (is_relative and "a multiple" in guess.what):
            limit = _NAMED_CHANCE if guess.n_fitted else 1.0
        if guess.find_chance(column) < limit:
            return Evidence("description", guess.what.format(repr(other.name)))
    return None


def _guess_from_one(column: Column, other: Column) -> Iterator[Guess]:
    """Yield what a column may be of another, the simplest first."""
    x, y, wide, narrow = other.values, column.values, other.blur, column.blur
    spread = float(usual_range(y))
    near = float(usual_range(y - x))
    yield Guess("the same as {}", x, 0.01 * narrow, spread)
    if len(y) >= 20 and column.step > other.step:
        yield Guess("{} rounded", x, 1.02 * narrow + wide, spread)
    both = wide + narrow
    if (total := _find_common(x + y, 1.02 * (both + np.maximum(wide, narrow)))) is not None:
        known = total in (1, 100)
        yield Guess(f"{total:.6g} - {{}}", total - x, 2.04 * both, spread, 1 - known)
    if 0 in y and (least := _find_common(y - x, both)) is not None:
        yield Guess("a difference from one row of {}", x + least, both, spread, 1)
    # Two metrics that nearly agree are alike by more than chance.
    spread = min(spread, near)
    blur = np.abs(y / x) * (column.units * narrow / np.abs(y) + wide / np.abs(x))
    if (factor := _find_common(y / x, blur)) is not None and factor not in (0, 1):
        # 5 and 1 / 5 are not fitted to the numbers, unlike 43.
        is_plain = any(f"{abs(one):.8e}"[1:10] == ".00000000" for one in (factor, 1 / factor))
        by = f" (by {factor:.4g})" if is_plain else ""
        tolerance = 1.02 * (column.units * narrow + abs(factor) * wide)
        yield Guess(f"a multiple of {{}}{by}", factor * x, tolerance, spread, 1 - is_plain)
    blur = np.abs(y * x) * (narrow / np.abs(y) + wide / np.abs(x))
    if (x > 0).any() and (one := _find_common(y * x, blur)) is not None and one > 0:
        tolerance = 1.02 * (narrow + one * wide / x**2)
        n_fitted = int(np.log10(one) % 1 != 0)
        yield Guess("a multiple of 1 / {}", one / x, tolerance, spread, n_fitted)
    if (line := _fit_line(x, y)) is not None:
        slope, start = line
        tolerance = 1.2 * (narrow + abs(slope) * wide)
        yield Guess("a linear function of {}", start + slope * x, tolerance, spread, 2)


def _find_common(middle: Floats, blur: Floats) -> float | None:
    """Find the roundest number within nearly all intervals; None without any."""
    known = np.isfinite(middle) & np.isfinite(blur)
    low, high = middle[known] - blur[known], middle[known] + blur[known]
    if known.sum() < 2:
        return None
    starts, ends = np.sort(low), np.sort(high)
    n_within = np.arange(1, len(starts) + 1) - np.searchsorted(ends, starts)
    if n_within.max() < len(starts) - _count_wild(len(starts)):
        return None
    start = starts[n_within.argmax()]
    end = high[(low <= start) & (high >= start)].min()
    rounded = [np.round((start + end) / 2, places) for places in range(-9, 13)]
    return float(next((one for one in rounded if start <= one <= end), (start + end) / 2))


def _fit_line(x: Floats, y: Floats) -> tuple[float, float] | None:
    """Fit a line to all points but a wild one: by medians, then by least squares."""
    known = np.isfinite(x + y)
    order = np.argsort(x[known])
    x, y, half = x[known][order], y[known][order], int(known.sum()) // 2
    if len(x) < _N_FOR_WILD or np.ptp(x) == 0:
        return None
    slopes = (y[half:] - y[: len(y) - half]) / (x[half:] - x[: len(x) - half])
    slope = float(np.median(slopes[np.isfinite(slopes)]))
    away = np.abs(y - slope * x - np.median(y - slope * x))
    near = away <= np.quantile(away, 1 - _count_wild(len(y)) / len(y))
    if len(np.unique(x[near])) < 3:
        return None
    slope, start = np.polyfit(x[near], y[near], 1)
    return float(slope), float(start)


@dataclass(frozen=True)
class _Form:
    """What a column may be of two others, for all pairs of them at once."""

    what: str
    #: Computes the values from both, and their tolerance from both and their blurs.
    compute: Callable[[Any, Any, Any, Any], tuple[Any, Any]]
    #: Computes the range of what each adds to the other, from the column and both.
    spread: Callable[[Floats, Floats, Floats], float]
    scale: float = 1.0

    def guess(self, column: Column, a: Column, b: Column) -> Guess:
        """Guess the numbers of a column."""
        values, tolerance = self.compute(a.values, b.values, a.blur, b.blur)
        tolerance = np.maximum(self.scale * tolerance + column.blur, 2 * column.blur)
        spread = self.spread(column.values, a.values, b.values)
        return Guess(self.what, self.scale * values, 1.02 * tolerance, spread)


def _least_range(*columns: Floats) -> float:
    return float(min(map(usual_range, columns)))


def _relative_range(y: Floats, a: Floats, b: Floats) -> float:
    return float(np.nanmedian(np.abs(y))) * _least_range(*(np.log(np.abs([y, a, b]))))


def _range_between(y: Floats, a: Floats, b: Floats) -> float:
    # Each is the higher in some rows.
    often = min((a > b).sum(), (b > a).sum()) > 1
    return _least_range(y, a - b) / 2 if often else 0.0


def _compare(a: Any, b: Any, of_a: Any, of_b: Any) -> tuple[Any, Any]:
    return a / b - 1, (of_a + np.abs(a / b) * of_b) / np.abs(b)


def _multiply(a: Any, b: Any, of_a: Any, of_b: Any) -> tuple[Any, Any]:
    return a * b, np.abs(a) * of_b + np.abs(b) * of_a


_FORMS = (
    _Form("the sum", lambda a, b, of_a, of_b: (a + b, of_a + of_b), _least_range),
    _Form("the mean", lambda a, b, of_a, of_b: (a + b, of_a + of_b), _range_between, 0.5),
    _Form("the higher", lambda a, b, *of: (np.maximum(a, b), np.maximum(*of)), _range_between),
    _Form("the lower", lambda a, b, *of: (np.minimum(a, b), np.maximum(*of)), _range_between),
    *(_Form("the product", _multiply, _relative_range, scale) for scale in (1, 0.01)),
    *(_Form("the relative change", _compare, lambda y, *_: float(usual_range(y)), scale)
      for scale in (1, 100)),
)  # fmt: skip


@np.errstate(all="ignore")  # zeros may divide, and sums of huge numbers are infinite
def find_of_two(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find columns that are the sum, ratio, change or the like of two others, hardly by chance.

    >>> import pandas as pd
    >>> def column(name, *values):
    ...     from nbrank.readers.tables.cell_parsing import parse_column
    ...
    ...     cells = pd.Series(values)
    ...     return Column(name, cells, parse_column(cells))
    >>> found = find_of_two(
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
    n_rows = len(columns[0].values) if 2 < len(columns) <= _MAX_IN_PAIRS else 0
    if n_rows < 3:
        return results
    rows = np.unique(np.linspace(0, n_rows - 1, _N_PROBED).astype(int))
    table, blurs = (np.column_stack([getattr(column, what)[rows] for column in columns])
                    for what in ("values", "blur"))  # fmt: skip
    pairs = np.array([*permutations(range(len(columns)), 2)]).T
    for form in _FORMS:
        one, other = pairs if form.what == "the relative change" else pairs[:, pairs[0] < pairs[1]]
        values, tolerance = form.compute(
            table[:, one], table[:, other], blurs[:, one], blurs[:, other]
        )
        for at, column in enumerate(columns):
            allowed = 1.02 * (form.scale * tolerance + 2 * blurs[:, [at]])
            missed = (np.abs(form.scale * values - table[:, [at]]) > allowed).sum(axis=0)
            likely = (missed <= _count_wild(len(rows))) & (one != at) & (other != at)
            for pair in np.flatnonzero(likely).tolist():
                parts = columns[one[pair]], columns[other[pair]]
                if not {column.name, *(part.name for part in parts)} & {*results}:
                    in_order = [columns[place] for place in sorted((at, one[pair], other[pair]))]
                    guess = form.guess(column, *parts)
                    results |= _explain(guess, column, parts, in_order, pairs.shape[1])
    return results


def _explain(
    guess: Guess, column: Column, parts: Sequence[Column], in_order: Sequence[Column], n_tried: int
) -> dict[Any, Evidence]:
    """Explain which of three columns follows from the others, if any hardly does by chance."""
    named = any(map(is_difference, in_order))
    limit = _NAMED_CHANCE if named else _MAX_CHANCES[0] / n_tried
    are_numbers = all(len(np.unique(one.numbers)) > 2 for one in in_order)
    what, derived, role = guess.what, column, "average"
    if not are_numbers or guess.find_chance(column) >= limit:
        return {}
    if what == "the sum":
        if column.is_whole and not all(part.is_whole for part in parts):
            return {}
        derived = _find_difference(column, parts, in_order) or column
        what = what if derived is column else "the difference"
    elif what == "the product":
        derived = in_order[-1]
        what = what if derived is column else "the ratio"
        if is_known_metric(derived.name):
            return {}
    if what in ("the difference", "the product", "the ratio", "the relative change"):
        role = "description"
    first, second = (repr(one.name) for one in in_order if one is not derived)
    return {derived.name: Evidence(role, f"{what} of {first} and {second}")}


def _find_difference(
    total: Column, parts: Sequence[Column], in_order: Sequence[Column]
) -> Column | None:
    """Find the part of a sum that is a difference: by its name, its signs, or how it falls."""
    if differences := [*filter(is_difference, parts)]:
        return differences[0]
    last = in_order[-1]
    # What is subtracted falls as the difference rises; two parts of a total rise together.
    falls = np.corrcoef(np.nan_to_num([part.values for part in parts]))[0, 1] < 0
    return last if falls and last is not total else None


def is_difference(column: Column) -> bool:
    """Return whether a column is a difference by its name, or by numbers of both signs."""
    is_signed = column.numbers.min(initial=0) < 0 < column.numbers.max(initial=0)
    return bool(_DIFFERENCES & {*column.words}) or is_signed


def find_weighted_sum(columns: Sequence[Column]) -> dict[Any, Evidence]:
    """Find the last column that is a sum of others with weights, hardly by chance."""
    n_rows = len(columns[0].values) if columns else 0
    if not 3 < len(columns) <= n_rows - 4:
        return {}
    table = np.column_stack([column.values for column in columns])
    rows = np.isfinite(table).all(axis=1)
    if rows.sum() < len(columns) + 4 or np.abs(table[rows]).max() > 1e100:
        return {}
    for at in reversed(range(len(columns))):
        column, others = columns[at], [*columns[:at], *columns[at + 1 :]]
        x = np.column_stack([np.delete(table[rows], at, axis=1), np.ones(rows.sum())])
        weights, _, rank, _ = np.linalg.lstsq(x, column.values[rows], rcond=None)
        ranges = np.array([usual_range(other.values) for other in others])
        weights = np.where(np.abs(weights[:-1]) * ranges < column.blur.min(), 0, weights[:-1])
        if rank < x.shape[1] or (weights < 0).any() or (weights > 0).sum() < 2:
            continue
        values = np.column_stack([other.values for other in others]) @ weights
        values += np.median((column.values - values)[rows])
        blur = np.column_stack([other.blur for other in others]) @ weights
        spread = float(usual_range(column.values))
        guess = Guess("", values, 1.02 * (blur + 2 * column.blur), spread, len(columns))
        if guess.find_chance(column) < _MAX_CHANCES[2]:
            parts = [others[place].name for place in np.flatnonzero(weights)]
            names = format_labels(parts)
            return {column.name: Evidence("average", f"a sum of {names}, with weights")}
    return {}
