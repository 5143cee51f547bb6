"""The weights under which a system would win, and how clearly it would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.arrays.weights import smallest_margins as arrays
from nbrank.robustness import weight_constraints as constraints
from nbrank.robustness.weight_constraints import Bounds, LabelPairs, Selection
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest
from nbrank.votes.user_warnings import warn_user

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
    constraints.check_column_clash("condorcet_weights", board.tasks, _RESULT_COLUMNS, "task")
    wins = constraints.NetWins(board)
    wanted = [*range(len(board.systems))]
    if system is not None:
        wanted = [constraints.get_system_position(board, system)]
    conditions = constraints.Conditions.from_options(wins, bounds, at_least, beats)
    direction = constraints.parse_direction(conditions.names, maximize, minimize)

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
    position = constraints.get_system_position(board, system)
    wins = constraints.NetWins(board)
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
