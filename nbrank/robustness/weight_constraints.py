"""Conditions on weights of tasks, and net wins on each, as input of linear programmes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nbrank.arrays.typing import Array, Bools, Floats
from nbrank.arrays.weights import smallest_margins as arrays
from nbrank.arrays.weights.task_weightings import WeightPolytope
from nbrank.votes.formatting import Label, find_position, format_labels
from nbrank.votes.labeled_values import clean_label, is_labelled
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.task_options import TaskIndex

#: A task or group, or several of them.
Selection = Any
Bounds = Mapping[Any, tuple[float, float]]
LabelPairs = Iterable[tuple[Any, Any]]


def get_system_position(board: Leaderboard, system: Label, option: str = "system") -> int:
    """Return the position of a system; an error names it if it is unknown."""
    position = find_position(board.systems, clean_label(system))
    if position is None:
        raise ValueError(
            f"{option}: unknown {format_labels([system])}; systems: {format_labels(board.systems)}"
        )
    return position


def check_column_clash(
    function: str, labels: Iterable[Label], facts: Iterable[str], noun: str
) -> None:
    """Fail if a task or group has the name of another column of the result."""
    taken = set(facts).intersection(labels)
    if taken:
        raise ValueError(
            f"{function}: {format_labels(sorted(taken))} is a column of the result and a {noun} "
            f"here; rename the {noun}"
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
