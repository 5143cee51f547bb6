"""A column of a table: its name's words, its values, its kind, and how it is found by name."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Bools, Floats
from nbrank.readers.tables.cell_parsing import (
    ALMOST_NUMBER,
    ParsedColumn,
    is_text_number,
)
from nbrank.readers.tables.quantity_parsing import looks_like_sizes
from nbrank.votes.table.direction_names import without_statement
from nbrank.votes.table.name_heuristics import is_named_like, make_word_set, split_words
from nbrank.votes.table.reading import column_key

#: Words for tasks, scores, errors and numbers of scores.
TASKS = ("task", "dataset", "problem", "game", "environment", "env", "subject", "scenario",
         "benchmark", "bench", "eval", "test", "lp", "language", "metric", "variable")  # fmt: skip
SCORES = ("score", "value", "result", "accuracy", "acc")
ERRORS = make_word_set("stderr se sem std sd stddev error ci moe")
#: Pattern of the mark of an error that has no other name; a number keeps duplicates apart.
_MARK = re.compile(
    r"(?:\+\s*/\s*[-−]|[±+−-])\s*(?:SD|SE|CI|std|err)?\.?(?: \(\d+\))?", re.IGNORECASE
)
COUNTS = make_word_set("n nsample ninstance nitem count")


@dataclass(frozen=True)
class Column:
    """A column: its name, its cells, and the numbers among them."""

    name: Any
    cells: pd.Series
    scores: ParsedColumn
    #: Name of the column before it.
    previous: Any = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        return tuple(split_words(without_statement(self.name)))

    @property
    def values(self) -> Floats:
        """Its numbers, NaN for other cells."""
        return self.scores.values

    @cached_property
    def numbers(self) -> Floats:
        """Its numbers, without NaN."""
        return self.values[~np.isnan(self.values)]

    @property
    def is_words(self) -> bool:
        """Whether it holds words but not a single number."""
        return bool(self.scores.unparsed_rows) and not self.scores.n_scores

    @property
    def is_plain(self) -> bool:
        """Whether every cell is a number, or empty."""
        return not self.scores.unparsed_rows

    @property
    def has_almost_numbers(self) -> bool:
        """Whether cells seem to be meant as numbers: 0,85 with a comma instead of a point."""
        return any(isinstance(cell, str) and ALMOST_NUMBER.fullmatch(cell) for cell in self.cells)

    @property
    def holds_sizes(self) -> bool:
        """Whether all its cells are sizes, as of models: 7B."""
        return looks_like_sizes(self.cells)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all its numbers are whole ones."""
        return len(self.numbers) > 0 and not (self.numbers % 1).any()

    @cached_property
    def step(self) -> float:
        """The unit of its last digit."""
        return last_digit(self.numbers)

    @cached_property
    def blur(self) -> Floats:
        """Half a unit of each number's last digit; of a larger number it is not smaller."""
        decimals = count_decimals(self.values)
        falling = np.argsort(-np.nan_to_num(np.abs(self.values)), kind="stable")
        shown = np.empty(len(decimals))
        shown[falling] = np.maximum.accumulate(decimals[falling])
        return np.where(np.isnan(self.values), np.nan, 0.5 * 10.0**-shown)

    @cached_property
    def units(self) -> float:
        """The last digits that a step takes: 5 where five numbers or more are halves or fives."""
        fives = np.unique(self.numbers) / (5 * self.step)
        return 5.0 if len(fives) > 4 and np.allclose(fives, np.rint(fives), atol=1e-6) else 1.0

    @cached_property
    def is_order(self) -> bool:
        """Whether its numbers may be places in an order; there are fewer orders."""
        most = max(20, len(self.numbers))
        return not (2 * self.numbers % 1).any() and np.abs(self.numbers).max(initial=0) <= most

    @cached_property
    def is_flag(self) -> bool:
        """Whether it holds only 0 and 1."""
        return set(np.unique(self.numbers)) <= {0.0, 1.0}

    def is_of_scale(self, other: Column) -> bool:
        """Return whether its usual number is of another's size, and in the same unit."""
        sizes = [np.median(np.abs(column.numbers)) if len(column.numbers) else 0.0
                 for column in (self, other)]  # fmt: skip
        return self.scores.unit == other.scores.unit and 0 < max(sizes) <= 10 * min(sizes)

    def is_near(self, other: Column) -> bool:
        """Return whether nearly all its numbers are half of another's to twice as much."""
        low, high = np.sort(np.abs([self.values, other.values]), axis=0)
        return bool((low >= high / 2).mean() > 0.9)

    def is_between(self, others: list[Column]) -> bool:
        """Return whether nearly all its numbers lie between the extremes of the other columns."""
        table = np.column_stack([other.values for other in others])
        known = ~np.isnan(self.values) & ((~np.isnan(table)).sum(axis=1) >= min(2, len(others)))
        if known.sum() < 2:
            return False
        low, high = np.nanmin(table[known], axis=1), np.nanmax(table[known], axis=1)
        inside: Bools = (low <= self.values[known]) & (self.values[known] <= high)
        return bool(inside.mean() >= 0.95)


def count_decimals(numbers: Floats) -> Floats:
    """Count the decimals of each number, up to 12.

    >>> count_decimals(np.array([0.5, 0.25, 3.0, 1 / 3]))
    array([ 1.,  2.,  0., 12.])
    """
    shown = np.full(len(numbers), 12.0)
    with np.errstate(over="ignore", invalid="ignore"):
        for decimals in reversed(range(12)):
            shown[np.isnan(numbers) | (np.round(numbers, decimals) == numbers)] = decimals
    return shown


def last_digit(numbers: Floats) -> float:
    """Return the unit of the last digit of some numbers.

    >>> last_digit(np.array([0.5, 0.25])), last_digit(np.array([3.0]))
    (0.01, 1.0)
    """
    return float(10.0 ** -count_decimals(numbers).max(initial=0))


def is_error_mark(name: object) -> bool:
    """Return whether a name is nothing but the mark of an error: ±, +/-."""
    return _MARK.fullmatch(str(name).strip()) is not None


def level_name(name: object, kinds: Container[str], otherwise: str) -> str:
    """Return the name of a level of the rows: that of its column if it reveals the role.

    >>> from nbrank.votes.table.name_heuristics import CLUSTERS
    >>> level_name("Passage ID", CLUSTERS, "cluster"), level_name("chapter", CLUSTERS, "cluster")
    ('Passage ID', 'cluster')
    """
    return name if isinstance(name, str) and is_named_like(name, kinds) else otherwise


def find_missing_marker(column: NDArray[np.float64]) -> int | None:
    """Find the mark of missing scores, such as -99: the only score below 0; -1 if others exceed 1.

    >>> [find_missing_marker(np.array([0.3, mark])) for mark in (-99.0, -1.0)]
    [-99, None]
    """
    below = np.unique(column[column < 0])
    marks = len(below) == 1 and below[0] in (-1, -99, -999, -9999)
    return int(below[0]) if marks and np.nanmax(column) > (1 if below[0] == -1 else 0) else None


def find_column(names: Sequence[object], wanted: object) -> int | None:
    """Find the position of a column by its name, its bare name without a group, or as a text."""
    for same in (
        lambda name: name == wanted,
        lambda name: isinstance(name, tuple) and name[-1] == wanted,
        lambda name: str(wanted) in (str(name), column_key(name)),
    ):
        places = [place for place, name in enumerate(names) if same(name)]
        if len(places) == 1:
            return places[0]
    return None


def counts_rows(cells: Iterable[object]) -> bool:
    """Return whether cells count the rows, from 0 or from 1."""
    texts = [*map(str, cells)]
    return texts in ([str(row + start) for row in range(len(texts))] for start in (0, 1))


def is_text(column: pd.Series) -> bool:
    """Return whether a column holds names: texts without a number among them."""
    cells = column.dropna().unique()
    return len(cells) > 0 and not any(map(is_text_number, cells))
