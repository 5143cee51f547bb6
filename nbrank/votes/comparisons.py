"""Comparisons of two systems at a time: a table of battles, read and counted once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.typing import Floats, Positions
from nbrank.votes import comparison_outcomes
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels, join_truncated
from nbrank.votes.labeled_values import plain_frame
from nbrank.votes.required_arguments import with_call
from nbrank.votes.table.name_heuristics import INSTANCES, is_named_like
from nbrank.votes.table.task_options import rescale_weights
from nbrank.votes.table.validation import ViewRequest, check_choice, check_counts_fit
from nbrank.votes.user_warnings import NeverMetWarning, warn_user
from nbrank.votes.views import ComparisonData

if TYPE_CHECKING:  # Type checkers see the methods, which `MethodsMixin` finds at run time.
    from nbrank.votes.source_methods import ComparisonsMethods
else:
    ComparisonsMethods = object


@dataclass(frozen=True, eq=False, repr=False)
class Comparisons(Votes, ComparisonsMethods):
    """Comparisons of two systems at a time, counted: what `from_comparisons` returns.

    Every rule and every question that takes comparisons is a method: `comparisons.copeland()` is
    `nbrank.copeland(comparisons)`.

    Parameters
    ----------
    systems
        The systems, in the order in which they first appear on the left, then on the right.
    outcomes
        The comparisons, in the order of the rows.
    counts
        The weight of wins and ties of each pair.
    squared_weights
        The same for the squares of the weights.
    clusters
        The number of each row's cluster; None where every comparison is on its own.
    rows
        The labels of the rows, by which covariates are aligned; None if they have none.
    silent
        Whether warnings of groups that never met are switched off.

    Examples
    --------
    >>> import pandas as pd
    >>> battles = pd.DataFrame(
    ...     {"left": ["A", "B", "A"], "right": ["B", "C", "C"], "winner": ["left", "tie", "A"]}
    ... )
    >>> comparisons = from_comparisons(battles, left="left", right="right", winner="winner")
    >>> comparisons
    Comparisons: 3 comparisons of 3 systems (33.3 % ties; 3 of 3 pairs met)
    >>> comparisons.copeland()
       rank  score
    A     1    2.0
    B     2   -1.0
    C     2   -1.0
    """

    systems: pd.Index
    outcomes: ComparisonArrays
    counts: PairwiseCounts
    squared_weights: PairwiseCounts
    clusters: Positions | None = None
    rows: pd.Index | None = None
    silent: bool = False

    kind = "comparisons"
    provides: ClassVar = frozenset({"standings", "pairs", "sequence", "units"})
    default_rule: ClassVar = "bradley_terry"
    _unsupported_message: ClassVar = "needs scores, and comparisons have none"
    _fixed_options_message: ClassVar = (
        "weights, groups and lower_is_better don't go with comparisons"
    )
    no_clusters: ClassVar = (
        "cluster= goes with scores of instances; for dependent comparisons give "
        "from_comparisons(..., cluster=...)"
    )

    @classmethod
    def from_counts(cls, systems: pd.Index, counts: PairwiseCounts) -> Comparisons:
        """Wrap pairwise counts of comparisons whose order is not known."""
        nothing = np.zeros(0, dtype=np.int32)
        outcomes = ComparisonArrays(nothing, nothing, nothing.astype(np.int8))
        return cls(systems, outcomes, counts, counts, silent=True)

    def __len__(self) -> int:
        repeats = self.outcomes.repeats
        return len(self.outcomes) if repeats is None else int(repeats.sum())

    def __repr__(self) -> str:
        upper = np.triu_indices(len(self.systems), 1)
        met = int((self.counts.compared[upper] > 0).sum())
        notes = [
            f"{self.counts.ties[upper].sum() / self.counts.total:.1%} ties".replace("%", " %"),
            f"{met:,} of {len(upper[0]):,} pairs met",
        ]
        if self.outcomes.weights is not None:
            notes.append(f"total weight {self.counts.total:,.6g}")
        if self.clusters is not None:
            notes.append(f"{self.clusters.max() + 1:,} clusters")
        if self.apart:
            notes.append(f"{len(self.apart)} groups that never met")
        return (
            f"Comparisons: {len(self):,} comparisons of {len(self.systems):,} systems "
            f"({'; '.join(notes)})"
        )

    @property
    def has_shared_wins(self) -> bool:
        """Whether a win may be shared other than evenly."""
        return self.outcomes.has_shares

    @cached_property
    def data(self) -> ComparisonData:
        """All comparisons, each a ballot with two systems on it."""
        return ComparisonData(self.counts)

    def iter_scored_tasks(self) -> Iterator[tuple[float, ComparisonData]]:
        """Yield all comparisons as one task."""
        yield 1.0, self.data

    def unit_outcomes(
        self,
    ) -> tuple[PairwiseCounts, PairwiseCounts, ComparisonArrays, Positions | None]:
        """Return the comparisons with the number of each one's cluster, if they have any."""
        return self.counts, self.squared_weights, self.outcomes, self.clusters

    def total_weight(self, levels: int = 1) -> float:
        """Sum the weight of all comparisons."""
        return self.counts.total

    def check(self, request: ViewRequest) -> None:
        """Refuse two levels, and treatments of missing scores, which comparisons don't have."""
        if request.levels != 1:
            raise TypeError(f"{request.rule}: comparisons have one level only")
        if request.view == "pairs" and request.missing != "ignore":
            raise TypeError(f"{request.rule}: comparisons have no missing scores")
        check_choice(request.rule, "missing", request.missing, ("compatible", "ignore", "worst"))

    @cached_property
    def apart(self) -> list[pd.Index]:
        """Groups of systems that never met, not even through others; empty if all are linked."""
        obstacle = models.find_identifiability_issue(self.counts)
        if obstacle is None:
            return []
        groups = [*obstacle.disconnected, *obstacle.never_compared[:, None]]
        if obstacle.never_compared.size and not obstacle.disconnected:
            rest = np.delete(np.arange(len(self.systems)), obstacle.never_compared)
            groups = [rest, *groups]
        return [self.systems[group] for group in groups]

    def emit_warnings(self, *, prior: bool = False) -> Comparisons:
        """Warn of groups that never met; return the same comparisons without that warning."""
        if self.apart:
            groups = join_truncated(
                [f"({format_labels(group, max_items=5)})" for group in self.apart], max_items=5
            )
            only = (
                "only the prior links them, so strengths and ranks say nothing across groups"
                if prior
                else "a rank compares the systems of one group only"
            )
            warn_user(
                f"groups of systems that never met, directly or through others: {groups}; {only}. "
                f"Rank each group by itself, such as "
                f"comparisons.select_systems(comparisons.apart[0])",
                NeverMetWarning,
            )
        return replace(self, silent=True)

    def select_systems(self, systems: Iterable[Label]) -> Comparisons:
        """Select the comparisons among these systems, and put the systems in this order."""
        order = np.array(self.find_positions(systems), dtype=np.intp)
        place = np.full(len(self.systems), -1, dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        made = self.outcomes
        made = replace(made, left=place[made.left], right=place[made.right])
        if len(order) == len(self.systems):
            counts, squares = self.counts.take(order), self.squared_weights.take(order)
            changed = replace(self, systems=self.systems[order], outcomes=made, counts=counts)
            return replace(changed, squared_weights=squares)
        among = (made.left >= 0) & (made.right >= 0)
        if not among.any():
            raise ValueError(f"no comparisons among {format_labels(self.systems[order])}")
        made = made.select(among)
        counts, squares = made.tabulate(len(order))
        clusters = None if self.clusters is None else pd.factorize(self.clusters[among])[0]
        rows = None if self.rows is None else self.rows[among]
        return Comparisons(self.systems[order], made, counts, squares, clusters, rows)


@with_call("nbrank.from_comparisons(frame, left='left', right='right', winner='winner')")
def from_comparisons(
    frame: pd.DataFrame,
    *,
    left: Label | None = None,
    right: Label | None = None,
    winner: Label,
    loser: Label | None = None,
    weight: Label | None = None,
    count: Label | None = None,
    cluster: Label | None = None,
    ties: Iterable[Label] = comparison_outcomes.TIE_WORDS,
    sides: tuple[Label, Label] | None = None,
) -> Comparisons:
    """Which of two systems won, battle by battle?

    Parameters
    ----------
    frame
        A row for each comparison.
    left, right
        The columns that name the two systems; not given where `loser` is. Names that differ
        only in spaces around them or in Unicode form are one system, and a warning says so.
    winner
        The column that says who won: the name of one of the two systems, or a
        side, which is the word "left" or "right" or the name of the left or
        right column; or one of `ties`; or the left side's share of the win, such as 0.7.
        With `loser`, the column that names the winner.
    loser
        The column that names the loser, if `winner` names the winner: ties don't occur then,
        and the winner counts as the left side.
    weight
        The column with the weight of each comparison; None weighs all 1. Where
        the largest is above 1e100 or below 1e-100, all are divided by it.
    count
        The column that says how many comparisons a row stands for, where they were counted before;
        None for one each. Ten comparisons are ten observations; one comparison of weight 10 is one.
    cluster
        The column that says which comparisons depend on each other, such as
        the worker who made them: intervals for strengths then take whole
        clusters as independent. None takes every comparison as independent.
    ties
        The values of the winner column that mean a tie, in any case.
    sides
        The values of the winner column that mean the left and the right side; None knows the words
        above and codes that leave no doubt: 1, 2 and 0 for a tie; 1, -1 and 0; 1-0, 0-1 and
        1/2-1/2; a and b with columns such as `model_a` and `model_b`.

    Returns
    -------
    Comparisons
        Every rule that needs only pairwise counts is a method.

    Raises
    ------
    TypeError
        If `frame` is not a DataFrame, or weights or counts are not numbers.
    ValueError
        If a column is unknown or the table is empty; if a name, winner or cluster is missing; if a
        winner is unknown, is not in its row's comparison, or could be both a name and a side; if a
        system is compared with itself; if weights are negative or all 0. The message names what is
        at fault.

    Warns
    -----
    UserWarning
        If two systems are compared more than once on one item (a column called item, question,
        idx or the like), and `cluster` is not given.

    Examples
    --------
    >>> import pandas as pd
    >>> battles = pd.DataFrame(
    ...     {
    ...         "model_a": ["A", "B", "A", "C"],
    ...         "model_b": ["B", "C", "C", "B"],
    ...         "winner": ["model_a", "model_b", "tie", "left"],
    ...     }
    ... )
    >>> comparisons = from_comparisons(battles, left="model_a", right="model_b", winner="winner")
    >>> comparisons.pairwise()
         A    B    C
    A  0.0  1.0  0.5
    B  0.0  0.0  0.0
    C  0.5  2.0  0.0
    """
    value: Any = frame
    rows = value.index if isinstance(value, pd.DataFrame) else None
    frame = plain_frame(frame)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"comparisons must be a pandas DataFrame with a row for each, "
            f"not {type(frame).__name__}"
        )
    options = {"weight": weight, "count": count, "cluster": cluster}
    if not (left is None) == (right is None) != (loser is None):
        raise TypeError(
            "from_comparisons takes left=, right= and winner=, the columns of both systems and of "
            "who won; or winner= and loser=, the columns of who won and of who lost"
        )
    columns = {"left": left, "right": right, "winner": winner}
    if loser is not None:
        columns = {"left": winner, "right": loser}
    columns |= {option: label for option, label in options.items() if label is not None}
    unknown = [label for label in columns.values() if label not in frame.columns]
    if unknown:
        raise ValueError(
            f"unknown columns: {format_labels(unknown)}; the table's columns: "
            f"{format_labels(frame.columns)}"
        )
    check_distinct_columns(columns.values(), frame.columns)
    if not len(frame):
        raise ValueError("the table has no comparisons; give one row for each")
    systems, left_codes, right_codes = comparison_outcomes.number_systems(
        frame[columns["left"]], frame[columns["right"]], columns
    )
    # The limit is for wins and ties of each pair while they are summed.
    check_counts_fit(
        "from_comparisons",
        len(systems),
        48,
        f"keep the comparisons of fewer systems, such as of the 1,000 that have most: often = "
        f"frame[[{columns['left']!r}, {columns['right']!r}]].stack().value_counts().index[:1000], "
        f"then frame[frame[{columns['left']!r}].isin(often) & "
        f"frame[{columns['right']!r}].isin(often)]",
    )
    outcome: NDArray[np.int8] | Floats = np.full(
        len(frame), comparison_outcomes.LEFT, dtype=np.int8
    )
    if loser is None:
        outcome = comparison_outcomes.parse_outcomes(
            frame[winner], systems, left_codes, right_codes, columns, ties, sides
        )
    outcomes = ComparisonArrays(
        left_codes,
        right_codes,
        outcome,
        None if weight is None else rescale_weights(_parse_weights(frame[weight], "weight")),
        None if count is None else _parse_weights(frame[count], "count"),
    )
    clusters = (
        None if cluster is None else comparison_outcomes.number_values(frame[cluster], "cluster")[0]
    )
    if cluster is None:
        _warn_of_repeats(frame, left_codes, right_codes, list(columns.values()))
    counts, squares = outcomes.tabulate(len(systems))
    for array in (counts.wins, counts.ties, squares.wins, squares.ties, left_codes, right_codes):
        array.flags.writeable = False
    return Comparisons(systems, outcomes, counts, squares, clusters, rows)


def _warn_of_repeats(
    frame: pd.DataFrame,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    used_columns: list[Label],
) -> None:
    """Warn of systems that are compared more than once on one item, as by several judges."""
    likely = [
        name
        for name in frame.columns
        if name not in used_columns
        and (is_named_like(name, INSTANCES) or str(name).lower() in ("id", "idx", "qid"))
    ]
    pairs = pd.DataFrame({"low": np.minimum(left, right), "high": np.maximum(left, right)})
    shares: dict[Label, tuple[int, float]] = {}
    for name in likely:
        items = pd.Series(pd.factorize(frame[name])[0])
        again = pairs.assign(item=items)[items.to_numpy() >= 0].duplicated(keep=False)
        if again.any() and items.max() > 0:
            shares[name] = (int(items.max()) + 1, float(again.mean()))
    if shares:
        finest = max(shares, key=lambda name: shares[name][0])
        warn_user(
            f"{100 * shares[finest][1]:.0f} % of the rows compare two systems again on the same "
            f"{finest!r}: judgements of one item hardly differ, and taken as independent they make "
            f"all errors too small. Say cluster={finest!r}; or, if they are independent, leave out "
            f"what tells items apart, frame.drop(columns={list(shares)!r})"
        )


def check_distinct_columns(
    names: Iterable[Label], columns: Iterable[Label], place: str = ""
) -> None:
    """Refuse a column that is given for two roles, or whose name several columns share."""
    names, columns = list(names), list(columns)
    double = {name: None for name in names if columns.count(name) > 1}
    if double:
        raise ValueError(
            f"several columns are called {format_labels(double)}{place}; give each its own name"
        )
    twice = {name: None for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(
            f"the column {format_labels(twice)} is given for two things; name each its own"
        )


def _parse_weights(column: pd.Series, option: str) -> Floats:
    if not pd.api.types.is_numeric_dtype(column.dtype):
        raise TypeError(f"{option}: the column {column.name!r} does not hold numbers")
    numbers = column.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    wrong = ~(np.isfinite(numbers) & (numbers >= 0))
    faults = {f"a {option} must be finite and not below 0": wrong}
    if option == "count":
        fractions = numbers != np.floor(numbers)
        faults["a count is a whole number (use weight= for weights)"] = fractions
    for text, bad in faults.items():
        if bad.any():
            raise ValueError(
                f"{option}: {format_labels(np.unique(numbers[bad]).tolist())} in "
                f"{comparison_outcomes.format_row_labels(bad, column.index)}; {text}"
            )
    if not numbers.any():
        raise ValueError(f"{option}: the column {column.name!r} is 0 in every row")
    numbers.flags.writeable = False
    return numbers
