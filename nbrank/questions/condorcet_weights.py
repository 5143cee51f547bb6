"""The weights under which a system would win: prospective systems, and how clearly they'd win."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import prospective as arrays
from nbrank.votes.caller import warn_caller
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, named
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, TaskNames, Weights

#: A smallest margin above this is a win against everybody, one not below minus this a tie at worst.
MARGIN_TOLERANCE = 1e-7

#: A task or group, or several of them.
Selection = Any
Bounds = Mapping[Any, tuple[float, float]]
Pairs = Iterable[tuple[Any, Any]]

_FACTS = ("prospective", "strict", "margin")


@question("tasks and their weights", sees="ballots")
def condorcet_weights(
    scores: pd.DataFrame | Leaderboard,
    system: Label = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    bounds: Bounds | None = None,
    at_least: Pairs | None = None,
    maximize: Selection = None,
    minimize: Selection = None,
    beats: Pairs | None = None,
) -> pd.DataFrame | pd.Series:
    """Find the weights of the tasks under which each system beats, or ties with, every other.

    A system's margin over another, under weights that are not negative and sum
    to 1, is the weight of the tasks on which it is above minus the weight of
    those on which it is below; a tie and a missing score count 0. Of all such
    weights, those are given that make the system's smallest margin largest,
    and where several do, the ones nearest to uniform (in Euclidean distance).
    So they are unique, and the same on every machine.

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
        As everywhere, and checked, but not used: weights are what is looked
        for, also for a task that weighs 0 on the leaderboard.
    groups
        A mapping from group to its tasks; MultiIndex columns (group, task) give
        the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, or True for all of them.
    bounds
        A mapping from a task or group to (low, high), between which its weight
        (of a group: the total) has to lie.
    at_least
        Pairs (a, b), each side a task, a group or a list of them: the total
        weight of a has to be at least that of b.
    maximize
        A task, a group or a list of them, whose total weight is made as large
        as it can be while no margin falls below 0; of the weights that do, the
        ones nearest to uniform.
    minimize
        The same, as small as it can be. With both, the total of `maximize`
        minus that of `minimize` is made as large as it can be.
    beats
        Pairs of systems (A, B): the margin of A over B must not be below 0.

    Returns
    -------
    pandas.DataFrame or pandas.Series
        Indexed by system in table order (for one `system` its Series), with
        the columns

        prospective
            Whether weights exist under which the system beats or ties with
            every other (margin >= -1e-7).
        strict
            Whether it beats every other under the weights given (margin > 1e-7).
        margin
            The smallest margin under the weights given: the largest that can
            be had, unless `maximize` or `minimize` asks for something else; 1,
            as if it won every task against everybody, for a system without
            opponents.
        one column for each task, under the task's label
            The weights.

        Margin and weights are NaN, and the other two False, where no weights
        meet the conditions, and for a system with no score at all.

    Raises
    ------
    TypeError
        If the scores are not numbers, options are given beside a Leaderboard,
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
    Rofin et al. (2023), Vote'n'Rank, section 3.2, where a system is called
    prospective.

    Examples
    --------
    C is second on both tasks. With equal weights it ties with A and with B, and
    any other weights make it lose to one of them.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"maths": [3, 1, 2, 2], "code": [1, 3, 2, 1]}, index=["A", "B", "C", "D"]
    ... )
    >>> condorcet_weights(scores)
       prospective  strict  margin  maths  code
    A         True    True     1.0    1.0   0.0
    B         True    True     1.0    0.0   1.0
    C         True   False     0.0    0.5   0.5
    D        False   False    -0.5    0.5   0.5

    How clearly does A win if maths may count for no more than 0.6, and what is
    the least that maths has to count for?

    >>> condorcet_weights(scores, "A", bounds={"maths": (0, 0.6)})
    prospective    True
    strict         True
    margin          0.2
    maths           0.6
    code            0.4
    Name: A, dtype: object
    >>> print(condorcet_weights(scores, "A", minimize="maths")["maths"])
    0.5
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    _check_task_labels(board)
    wins = _NetWins.of(board)
    everyone = range(len(board.systems))
    wanted = list(everyone) if system is None else [_position(board, system)]
    conditions = _Conditions.of(board, wins, bounds, at_least, beats)
    direction = _direction(conditions.names, maximize, minimize)

    allowed = conditions.allowed
    if allowed.centre is None:
        warn_caller(f"no weights meet the conditions, whatever the system: {conditions.conflict()}")
    left_out = wins.left_out(wanted)
    if left_out:
        warn_caller(
            f"left out as opponents, since they share no task with the system: {left_out}; "
            f"a system is compared only with those that were scored on one of its tasks"
        )

    found = np.full((len(wanted), len(board.tasks)), np.nan)
    margins = np.full(len(wanted), np.nan)
    for row, position in enumerate(wanted):
        if allowed.centre is None or not wins.shared[position, position]:
            continue
        over = wins.over_opponents(position)
        if direction is None:
            best = arrays.largest_margin(over, allowed)
        else:
            best = arrays.pushed(over, allowed, direction)
        if best is not None:
            found[row] = best
            margins[row] = arrays.smallest_margin(over, best)

    frame = pd.DataFrame(
        found,
        index=board.systems[wanted],
        columns=pd.Index(list(board.tasks), tupleize_cols=False),
    )
    facts = (margins >= -MARGIN_TOLERANCE, margins > MARGIN_TOLERANCE, margins)
    for column, (name, fact) in enumerate(zip(_FACTS, facts, strict=True)):
        frame.insert(column, name, fact)
    return frame if system is None else frame.iloc[0]


@dataclass(frozen=True, eq=False)
class NearestWeights:
    """The weights under which a system loses to no other that are nearest to the board's own.

    Parameters
    ----------
    weights
        The weight of each task, in the board's order, the sum 1.
    moved
        The share of the weight that is on another task than before: no weights
        under which the system loses to no other need less. 0 where it loses to
        no other as it is.
    """

    weights: NDArray[np.float64]
    moved: float


def nearest_weights(board: Leaderboard, system: Label) -> NearestWeights | None:
    """How little of the weight has to move for a system to lose to no other, one against one?

    Of the weights for which equally little moves, those nearest in Euclidean
    distance. Systems that share no task with this one can't beat it.

    Parameters
    ----------
    board
        The leaderboard, with the weights to start from.
    system
        The system.

    Returns
    -------
    NearestWeights or None
        The weights and the share that moves; None where no weights are enough,
        as for a system without a score.

    Raises
    ------
    ValueError
        If there is no such system.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2]}, index=["A", "B"])
    >>> nearest = nearest_weights(Leaderboard(scores), "A")
    >>> nearest.weights.round(2).tolist(), round(nearest.moved, 2)
    ([0.5, 0.25, 0.25], 0.17)
    >>> nearest_weights(Leaderboard(scores, weights={"t1": 2}), "A").moved
    0.0
    """
    position = _position(board, system)
    wins = _NetWins.of(board)
    if not wins.shared[position, position]:
        return None
    start = board.weights / board.weights.sum()
    found = arrays.least_moved(wins.over_opponents(position), start)
    if found is None:
        return None
    # Below this it is rounding; adding 0 makes -0.0 a plain 0.
    moved = round(float(np.maximum(found - start, 0).sum()), 12) + 0.0
    return NearestWeights(found, moved)


def _check_task_labels(board: Leaderboard) -> None:
    taken = [task for task in board.tasks if task in _FACTS]
    if taken:
        raise ValueError(
            f"condorcet_weights: {named(taken)} is a column of the result and a task here; "
            f"rename the task"
        )


def _position(board: Leaderboard, system: Label, option: str = "system") -> int:
    position = board.systems.get_loc(system) if system in board.systems else None
    if not isinstance(position, int):
        raise ValueError(f"{option}: unknown {named([system])}; systems: {named(board.systems)}")
    return position


# ----------------------------------------------------------------------------- who beats whom where


@dataclass(frozen=True, eq=False)
class _NetWins:
    """On which tasks a system is above or below each other.

    Parameters
    ----------
    systems
        The systems in table order.
    scores
        Systems x ballots, higher is better.
    column_task
        The position of each ballot's task.
    n_tasks
        How many tasks there are.
    shared
        Systems x systems: whether both have a score on some ballot.
    """

    systems: pd.Index
    scores: NDArray[np.floating]
    column_task: NDArray[np.intp]
    n_tasks: int
    shared: NDArray[np.bool_]

    @classmethod
    def of(cls, board: Leaderboard) -> _NetWins:
        """Take the scores with all tasks, also those of weight 0."""
        lower = board.lower[board.column_task]
        scores = np.where(lower, -board.values, board.values) if lower.any() else board.values
        observed = (~np.isnan(scores)).astype(np.float32)
        shared = observed @ observed.T > 0
        return cls(board.systems, scores, board.column_task, len(board.tasks), shared)

    def over(self, position: int) -> NDArray[np.float64]:
        """Systems x tasks: the share of ballots won by this system minus those lost."""
        return arrays.net_wins(self.scores, position, self.column_task, self.n_tasks)

    def over_opponents(self, position: int) -> NDArray[np.float64]:
        """The same for the other systems that share a task with it."""
        opponents = self.shared[position].copy()
        opponents[position] = False
        rows: NDArray[np.float64] = self.over(position)[opponents]
        return rows

    def left_out(self, wanted: Iterable[int]) -> str:
        """The opponents that share no task, and for whom they are left out; empty if none are."""
        scored = self.shared.diagonal()
        asked = [position for position in wanted if scored[position]]
        for_whom: dict[bytes, list[int]] = {}
        for position in asked:
            apart = scored & ~self.shared[position]
            if apart.any():
                for_whom.setdefault(apart.tobytes(), []).append(position)
        parts = []
        if asked and not scored.all():
            parts.append(f"{named(self.systems[~scored])} (no score at all)")
        for apart_bytes, positions in for_whom.items():
            apart = np.frombuffer(apart_bytes, dtype=bool)
            parts.append(f"{named(self.systems[apart])} (for {named(self.systems[positions])})")
        most = 8
        more = f" and {len(parts) - most} more" if len(parts) > most else ""
        return ", ".join(parts[:most]) + more


# ---------------------------------------------------------------------------------- the conditions


@dataclass(frozen=True, eq=False)
class _Conditions:
    """What the weights have to meet, whichever system is asked for.

    Parameters
    ----------
    names
        How tasks and groups are called.
    bounds
        (Label, tasks, low, high).
    rows
        Option -> its conditions x tasks.
    least
        Option -> what each of its conditions has to reach.
    """

    names: TaskNames
    bounds: list[tuple[Label, list[int], float, float]]
    rows: dict[str, NDArray[np.float64]]
    least: dict[str, NDArray[np.float64]]

    @classmethod
    def of(
        cls,
        board: Leaderboard,
        wins: _NetWins,
        bounds: Bounds | None,
        at_least: Pairs | None,
        beats: Pairs | None,
    ) -> _Conditions:
        """Read the options; an error names what is wrong with them."""
        names = TaskNames.of(board.tasks, board.groups)
        limits = _bounds(names, bounds)
        n_tasks = len(board.tasks)
        lows = [(_indicator(tasks, n_tasks), low) for _, tasks, low, _ in limits if low > 0]
        highs = [(-_indicator(tasks, n_tasks), -high) for _, tasks, _, high in limits if high < 1]
        ordered = [
            _indicator(_members(names, more, "at_least"), n_tasks)
            - _indicator(_members(names, less, "at_least"), n_tasks)
            for more, less in _pairs(at_least, "at_least")
        ]
        duels = [_duel(board, wins, pair) for pair in _pairs(beats, "beats")]
        return cls(
            names,
            limits,
            {
                "bounds": _matrix([row for row, _ in lows + highs], n_tasks),
                "at_least": _matrix(ordered, n_tasks),
                "beats": _matrix(duels, n_tasks),
            },
            {
                "bounds": np.array([least for _, least in lows + highs]),
                "at_least": np.zeros(len(ordered)),
                "beats": np.zeros(len(duels)),
            },
        )

    @property
    def allowed(self) -> arrays.WeightSet:
        """The weights that meet them all."""
        return self._allowed_by(self.rows)

    def conflict(self) -> str:
        """Why no weights meet them."""
        impossible = self._impossible_bounds()
        if impossible:
            return f"bounds: {impossible}"
        given = [option for option, rows in self.rows.items() if len(rows)]
        alone = [option for option in given if self._allowed_by([option]).centre is None]
        return f"{' and '.join(alone or given)} can't all hold; loosen one of them"

    def _allowed_by(self, options: Iterable[str]) -> arrays.WeightSet:
        options = list(options)
        return arrays.WeightSet(
            np.vstack([self.rows[option] for option in options]),
            np.concatenate([self.least[option] for option in options]),
        )

    def _impossible_bounds(self) -> str:
        n_tasks = len(self.names.tasks)
        low, high = np.zeros(n_tasks), np.ones(n_tasks)
        of_groups = []
        for label, members, least, most in self.bounds:
            if self.names.position(label) is None:
                of_groups.append((label, members, least, most))
            else:
                low[members], high[members] = max(least, 0.0), min(most, 1.0)
        lows, highs = low.sum(), high.sum()
        for label, members, least, most in of_groups:
            within = (low[members].sum(), high[members].sum())
            tasks = named(self.names.tasks[members])
            if least > within[1] + arrays.ROUNDING:
                return (
                    f"{label!r} is to have at least {least:g}, its tasks {tasks} may have no "
                    f"more than {within[1]:g}"
                )
            if most < within[0] - arrays.ROUNDING:
                return (
                    f"{label!r} is to have no more than {most:g}, its tasks {tasks} are to have "
                    f"at least {within[0]:g}"
                )
            lows += max(least - within[0], 0.0)
            highs -= max(within[1] - most, 0.0)
        bounded = named(label for label, *_ in self.bounds)
        if lows > 1 + arrays.ROUNDING:
            return (
                f"{bounded} are to have at least {lows:g} together, and all weights sum to 1; "
                f"lower the lower bounds"
            )
        if highs < 1 - arrays.ROUNDING:
            return (
                f"the bounds of {bounded} leave no more than {highs:g} for all tasks together, "
                f"and all weights sum to 1; raise the upper bounds"
            )
        return ""


def _matrix(rows: list[NDArray[np.float64]], n_tasks: int) -> NDArray[np.float64]:
    return np.array(rows, dtype=float).reshape(len(rows), n_tasks)


def _indicator(members: Collection[int], n_tasks: int) -> NDArray[np.float64]:
    row = np.zeros(n_tasks)
    row[list(members)] = 1.0
    return row


def _bounds(names: TaskNames, bounds: Bounds | None) -> list[tuple[Label, list[int], float, float]]:
    if bounds is None:
        return []
    if not isinstance(bounds, Mapping):
        raise TypeError(
            f"bounds must be a mapping from a task or group to (low, high), "
            f"not {type(bounds).__name__}"
        )
    found = []
    for label, limits in bounds.items():
        members = names.members_of(label, "bounds")
        try:
            low, high = (float(limit) for limit in limits)
        except (TypeError, ValueError):
            raise TypeError(
                f"bounds[{label!r}] must be a pair of numbers (low, high), not {limits!r}"
            ) from None
        if np.isnan(low) or np.isnan(high):
            raise ValueError(f"bounds[{label!r}] is ({low:g}, {high:g}): give two numbers")
        if low > high:
            raise ValueError(
                f"bounds[{label!r}] is ({low:g}, {high:g}): the lower bound is above the upper one"
            )
        if low > 1 or high < 0:
            raise ValueError(
                f"bounds[{label!r}] is ({low:g}, {high:g}), but a weight lies between 0 and 1"
            )
        found.append((label, members, low, high))
    return found


def _pairs(pairs: Any, option: str) -> list[tuple[Any, Any]]:
    if pairs is None:
        return []
    listed = (
        None if isinstance(pairs, str | Mapping) or not isinstance(pairs, Iterable) else [*pairs]
    )
    if listed is None or not all(
        isinstance(pair, tuple | list) and len(pair) == 2 for pair in listed
    ):
        raise TypeError(f"{option} must be a list of pairs, as in [(a, b)], not {pairs!r}")
    return [(pair[0], pair[1]) for pair in listed]


def _members(names: TaskNames, selection: Selection, option: str) -> list[int]:
    """The tasks of a label (a tuple is one where a task is called so), or of several."""
    several = isinstance(selection, list | set | frozenset | pd.Index | np.ndarray)
    if isinstance(selection, tuple):
        known = names.position(selection) is not None or selection in (names.members or {})
        several = not known
    labels = list(selection) if several else [selection]
    if not labels:
        raise ValueError(f"{option}: an empty list; name a task or a group")
    return sorted({member for label in labels for member in names.members_of(label, option)})


def _duel(board: Leaderboard, wins: _NetWins, pair: tuple[Label, Label]) -> NDArray[np.float64]:
    winner, loser = (_position(board, system, "beats") for system in pair)
    if winner == loser:
        raise ValueError(f"beats: {named([pair[0]])} can't beat itself; name two systems")
    if not wins.shared[winner, loser]:
        raise ValueError(
            f"beats: {named(pair)} share no task, so neither can beat the other; leave the pair out"
        )
    row: NDArray[np.float64] = wins.over(winner)[loser]
    return row


def _direction(
    names: TaskNames, maximize: Selection, minimize: Selection
) -> NDArray[np.float64] | None:
    if maximize is None and minimize is None:
        return None
    up = [] if maximize is None else _members(names, maximize, "maximize")
    down = [] if minimize is None else _members(names, minimize, "minimize")
    both = sorted(set(up) & set(down))
    if both:
        raise ValueError(
            f"{named(names.tasks[both])} can't be maximized and minimized; name it in one of them"
        )
    return _indicator(up, len(names.tasks)) - _indicator(down, len(names.tasks))
