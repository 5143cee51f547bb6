"""The weights under which a system would win, and how clearly it would."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Array, Bools, Floats
from nbrank.arrays.weights import smallest_margins as arrays
from nbrank.arrays.weights.task_weightings import WeightPolytope
from nbrank.votes.formatting import Label, find_position, format_labels
from nbrank.votes.labeled_values import clean_label, is_labelled
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions, TaskIndex
from nbrank.votes.table.validation import ViewRequest
from nbrank.votes.user_warnings import warn_user

#: A task or group, or several of them.
Selection = Any
Bounds = Mapping[Any, tuple[float, float]]
LabelPairs = Iterable[tuple[Any, Any]]

#: A smallest margin above this is a win against all; at least minus this, a tie at worst.
MARGIN_TOLERANCE = 1e-7

_RESULT_COLUMNS = ("prospective", "strict", "margin")


@register_method("tasks and their weights", sees="ballots")
def condorcet_weights(
    scores: pd.DataFrame | Leaderboard,
    system: Label = None,
    *,
    bounds: Bounds | None = None,
    at_least: LabelPairs | None = None,
    maximize: Selection = None,
    minimize: Selection = None,
    beats: LabelPairs | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame | pd.Series:
    """Under which weights of the tasks does each system beat, or tie with, every other?

    A system's margin over another, under weights that are not negative and sum to 1, is the weight
    of the tasks on which it is above minus the weight of those on which it is below; a tie and a
    missing score count 0. The weights maximize the system's smallest margin. If several do, the
    nearest to uniform (in Euclidean distance) are returned.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
        Each instance of a task has the task's weight, and margins are then in
        units of the largest number of instances that a task has.
    system
        The only system to answer for; None answers for all.
    weights
        Checked, but not used: weights are looked for, also of a task that weighs 0.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    bounds
        A mapping from a task or group to (low, high), between which its weight
        (of a group: the total) has to lie.
    at_least
        Pairs (a, b), each side a task, a group or a list of them: the total
        weight of a has to be at least that of b.
    maximize
        A task, a group or a list of them, whose total weight is made as large as it
        can be while no margin falls below 0; of several such weights the nearest to uniform.
    minimize
        The same, as small as it can be. With both, the total of `maximize`
        minus that of `minimize` is made as large as it can be.
    beats
        Pairs of systems (A, B): the margin of A over B must not be below 0.

    Returns
    -------
    pandas.DataFrame or pandas.Series
        Indexed by system in table order (for one `system` its Series), with the columns

        prospective
            Whether it beats or ties with every other under some weights (margin >= -1e-7).
        strict
            Whether it beats every other under the weights given (margin > 1e-7).
        margin
            The smallest margin under the weights given: the largest that can be had,
            unless `maximize` or `minimize` is asked for; 1 without opponents.
        one column for each task, under the task's label
            The weights.

        Margin and weights are NaN where no weights meet the conditions, or without a score.

    Raises
    ------
    TypeError
        If the scores are not numbers, options are given together with a Leaderboard,
        or bounds or pairs are not of the form above.
    ValueError
        If a task, group or system is unknown, a lower bound is above the upper
        one, or a pair of `beats` shares no task; the message names the labels.

    Warns
    -----
    UserWarning
        If opponents are left out because they share no task with the system,
        or if no weights at all meet the conditions; the message names them.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023, section 3.2, where a system is called prospective.

    Examples
    --------
    C is second on both tasks. With equal weights it ties with A and with B, and
    any other weights make it lose to one of them.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"maths": [3, 1, 2, 2], "code": [1, 3, 2, 1]}, ["A", "B", "C", "D"])
    >>> condorcet_weights(scores)
       prospective  strict  margin  maths  code
    A         True    True     1.0    1.0   0.0
    B         True    True     1.0    0.0   1.0
    C         True   False     0.0    0.5   0.5
    D        False   False    -0.5    0.5   0.5

    How clearly does A win if maths may count for no more than 0.6, and how little may it count?

    >>> float(condorcet_weights(scores, "A", bounds={"maths": (0, 0.6)})["margin"])
    0.2
    >>> float(condorcet_weights(scores, "A", minimize="maths")["maths"])
    0.5
    """
    board = as_leaderboard(scores, **table)
    board.check(ViewRequest("condorcet_weights", "pairs", "ignore"))
    check_column_clash("condorcet_weights", board.tasks, _RESULT_COLUMNS, "task")
    wins = NetWins(board)
    wanted = [*range(len(board.systems))]
    if system is not None:
        wanted = [get_system_position(board, system)]
    conditions = Conditions.from_options(wins, bounds, at_least, beats)
    direction = parse_direction(conditions.names, maximize, minimize)

    allowed = conditions.polytope
    feasible = conditions.can_be_met
    if not feasible:
        warn_user(
            f"no weights meet the conditions, whatever the system: {conditions.describe_conflict()}"
        )
    left_out = wins.describe_excluded_opponents(wanted)
    if left_out:
        warn_user(
            f"left out as opponents, since they share no task with the system: {left_out}; "
            f"a system is compared only with those that were scored on one of its tasks"
        )

    result = np.full((len(wanted), len(board.tasks)), np.nan)
    margins = np.full(len(wanted), np.nan)
    for row, position in enumerate(wanted):
        if not feasible or not wins.shares_ballot[position, position]:
            continue
        over = wins.net_wins_over_opponents(position)
        if direction is None:
            best = arrays.maximize_smallest_margin(over, allowed)
        else:
            best = arrays.maximize_direction(over, allowed, direction)
        if best is not None:
            result[row], margins[row] = best, arrays.smallest_margin(over, best)

    facts = (margins >= -MARGIN_TOLERANCE, margins > MARGIN_TOLERANCE, margins)
    columns = pd.Index(list(board.tasks), tupleize_cols=False)
    frame = pd.DataFrame(result, index=board.systems[wanted], columns=columns)
    for place, (name, fact) in enumerate(zip(_RESULT_COLUMNS, facts, strict=True)):
        frame.insert(place, name, fact)
    return frame if system is None else frame.iloc[0]


@dataclass(frozen=True, eq=False)
class NearestWeights:
    """The weights nearest to the board's own under which a system loses to no other."""

    #: The weight of each task, in the board's order; their sum is 1.
    weights: Floats
    #: The share of the weight that moved to another task.
    moved_weight: float


def find_nearest_weights(board: Leaderboard, system: Label) -> NearestWeights | None:
    """Find the least weight that has to move for a system to lose no pairwise comparison.

    If several weightings move equally little, the nearest in Euclidean distance is returned; None
    if no weights are enough. No weight moves to a task on which the system has no score.
    """
    position = get_system_position(board, system)
    wins = NetWins(board)
    if not wins.shares_ballot[position, position]:
        return None
    start = board.weights / board.weights.sum()
    gains = np.zeros(len(start), dtype=bool)
    gains[board.task_codes[~np.isnan(board.values[position])]] = True
    over = wins.net_wins_over_opponents(position)
    result = arrays.minimize_weight_transfer(over, start, gains)
    if result is None:
        return None
    # Smaller digits are rounding errors; adding 0 turns -0.0 into 0.
    moved = round(float(np.maximum(result - start, 0).sum()), 12) + 0.0
    return NearestWeights(result, moved)


def get_system_position(board: Leaderboard, system: Label, option: str = "system") -> int:
    """Return the position of a system; an error names it if it is unknown."""
    position = find_position(board.systems, clean_label(system))
    if position is None:
        raise ValueError(
            f"{option}: unknown {format_labels([system])}; systems: {format_labels(board.systems)}"
        )
    return position


def check_column_clash(
    function: str, labels: Iterable[Label], facts: Iterable[str], what: str
) -> None:
    """Fail if a task or group has the name of another column of the result."""
    taken = set(facts).intersection(labels)
    if taken:
        raise ValueError(
            f"{function}: {format_labels(sorted(taken))} is a column of the result and a {what} "
            f"here; rename the {what}"
        )


# ----------------------------------------------------------------------------- who beats whom where


@dataclass(frozen=True, eq=False)
class NetWins:
    """The tasks on which each system is above or below each other."""

    #: All tasks, also those of weight 0.
    board: Leaderboard

    @cached_property
    def scores(self) -> Array:
        """Systems x ballots, higher is better."""
        values, lower = self.board.values, self.board.is_lower_better[self.board.task_codes]
        return np.where(lower, -values, values) if lower.any() else values

    @cached_property
    def shares_ballot(self) -> Bools:
        """Systems x systems: whether both have a score on some ballot."""
        observed = (~np.isnan(self.board.values)).astype(np.float32)
        return np.asarray(observed @ observed.T > 0)

    def net_wins(self, position: int) -> Floats:
        """Return systems x tasks: the share of ballots won by this system minus those lost."""
        board = self.board
        return arrays.net_wins(self.scores, position, board.task_codes, len(board.tasks))

    def net_wins_over_opponents(self, position: int) -> Floats:
        """Return the net wins over the other systems that share a task with it."""
        opponents = self.shares_ballot[position].copy()
        opponents[position] = False
        return np.asarray(self.net_wins(position)[opponents])

    def describe_excluded_opponents(self, wanted: Iterable[int]) -> str:
        """List the opponents without a common task, and for which systems; empty without any."""
        scored, systems = self.shares_ballot.diagonal(), self.board.systems
        asked = [position for position in wanted if scored[position]]
        for_whom: dict[str, list[int]] = {}
        for position in asked:
            apart = scored & ~self.shares_ballot[position]
            if apart.any():
                for_whom.setdefault(format_labels(systems[apart]), []).append(position)
        parts = [f"{them} (for {format_labels(systems[us])})" for them, us in for_whom.items()]
        if asked and not scored.all():
            parts.insert(0, f"{format_labels(systems[~scored])} (no score at all)")
        more = f" and {len(parts) - 8} more" if len(parts) > 8 else ""
        return ", ".join(parts[:8]) + more


# ---------------------------------------------------------------------------------- the conditions


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition on weights: `row @ weights >= lower_bound`."""

    #: The option behind the condition, and the condition in words.
    option: str
    text: str
    row: Floats
    lower_bound: float = 0.0


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions on the weights, the same for all systems."""

    #: The names of tasks and groups.
    names: TaskIndex
    items: list[Condition]

    @classmethod
    def from_options(
        cls,
        wins: NetWins,
        bounds: Bounds | None,
        at_least: LabelPairs | None,
        beats: LabelPairs | None,
    ) -> Conditions:
        """Read the options; an error names the wrong ones."""
        names = wins.board.task_names
        each = list(_parse_bounds(names, bounds))
        for more, less in _parse_pairs(at_least, "at_least"):
            row = _indicator_row(names, more, "at_least") - _indicator_row(names, less, "at_least")
            each.append(Condition("at_least", f"{more!r} at least as much as {less!r}", row))
        for pair in _parse_pairs(beats, "beats"):
            text = f"{pair[0]!r} to beat {pair[1]!r}"
            each.append(Condition("beats", text, _beats_row(wins, pair)))
        return cls(names, each)

    @property
    def polytope(self) -> WeightPolytope:
        """The weights that meet them all."""
        rows = np.array([condition.row for condition in self.items], dtype=float)
        least = np.array([condition.lower_bound for condition in self.items])
        rows = rows.reshape(len(self.items), len(self.names.tasks))
        return WeightPolytope.from_conditions(rows, least)

    @property
    def can_be_met(self) -> bool:
        """Whether any weights meet them all."""
        return arrays.find_most_uniform(self.polytope) is not None

    def describe_conflict(self) -> str:
        """Explain why no weights meet them, by a minimal set of conditions that conflict."""
        left = self.items
        for condition in self.items:
            rest = [other for other in left if other is not condition]
            if not replace(self, items=rest).can_be_met:
                left = rest
        options = " and ".join(dict.fromkeys(condition.option for condition in left))
        text = ", ".join(condition.text for condition in left)
        return f"{options} can't all hold, as weights sum to 1: {text}; loosen one of these"


def _parse_bounds(names: TaskIndex, bounds: Bounds | None) -> Iterator[Condition]:
    if bounds is not None and not is_labelled(bounds):
        raise TypeError(
            f"bounds must be a mapping from a task or group to (low, high), "
            f"not {type(bounds).__name__}"
        )
    for label, limits in () if bounds is None else bounds.items():
        row = _indicator_row(names, [label], "bounds")
        try:
            low, high = (float(limit) for limit in limits)
        except (TypeError, ValueError):
            raise TypeError(
                f"bounds[{label!r}] must be a pair of numbers (low, high), not {limits!r}"
            ) from None
        if not low <= high or low > 1 or high < 0:
            raise ValueError(
                f"bounds[{label!r}] is ({low:g}, {high:g}); give two numbers, the lower one not "
                f"above the upper one, with a weight between 0 and 1 within them"
            )
        if low > 0:
            yield Condition("bounds", f"{label!r} at least {low:g}", row, low)
        if high < 1:
            yield Condition("bounds", f"{label!r} at most {high:g}", -row, -high)


def _parse_pairs(pairs: Any, option: str) -> list[tuple[Any, Any]]:
    if pairs is None:
        return []
    several = isinstance(pairs, Iterable) and not isinstance(pairs, str | Mapping)
    listed = [*pairs] if several else [pairs]
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in listed):
        raise TypeError(f"{option} must be a list of pairs, as in [(a, b)], not {pairs!r}")
    return [(pair[0], pair[1]) for pair in listed]


def parse_labels(names: TaskIndex, selection: Selection) -> list[Label]:
    """Read one label or several; a tuple that names a task or a group is a single label."""
    several = isinstance(selection, Iterable) and not isinstance(selection, str)
    if isinstance(selection, tuple):
        name = clean_label(selection)
        known = names.get_position(name) is not None or name in names.members
        several = not known
    return list(selection) if several else [selection]


def _indicator_row(names: TaskIndex, selection: Selection, option: str) -> Floats:
    """Return 1 for the tasks of a label, or of several, and 0 for the others."""
    labels = parse_labels(names, selection)
    if not labels:
        raise ValueError(f"{option}: an empty list; name a task or a group")
    row = np.zeros(len(names.tasks))
    for label in labels:
        row[names.member_positions(label, option)] = 1.0
    return row


def _beats_row(wins: NetWins, pair: tuple[Label, Label]) -> Floats:
    winner, loser = (get_system_position(wins.board, system, "beats") for system in pair)
    if winner == loser:
        raise ValueError(f"beats: {format_labels([pair[0]])} can't beat itself; name two systems")
    if not wins.shares_ballot[winner, loser]:
        raise ValueError(
            f"beats: {format_labels(pair)} share no task, so neither can beat the other; leave "
            "the pair out"
        )
    return np.asarray(wins.net_wins(winner)[loser])


def parse_direction(names: TaskIndex, maximize: Selection, minimize: Selection) -> Floats | None:
    """Return the direction in which each weight is pushed; None without a direction."""
    if maximize is None and minimize is None:
        return None
    up, down = (
        np.zeros(len(names.tasks))
        if selection is None
        else _indicator_row(names, selection, option)
        for option, selection in (("maximize", maximize), ("minimize", minimize))
    )
    both = names.tasks[np.flatnonzero(up * down)]
    if len(both):
        raise ValueError(
            f"{format_labels(both)} can't be maximized and minimized; name it in one of them"
        )
    return up - down
