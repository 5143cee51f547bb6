"""Which systems are first on some of the tasks, and how few removals unseat the winner?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.weights import unit_subsets as arrays
from nbrank.robustness.rank_bounds import WEIGHT_HEADING
from nbrank.robustness.task_subsets import TaskSelection
from nbrank.robustness.vote_removals import find_vote_removals, get_single_winner
from nbrank.robustness.weight_constraints import get_system_position
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule, parse_votes_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.rules.search_limits import TimeLimit
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard, VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.task_options import PickOptions
from nbrank.votes.table.validation import check_choice


@register_method(WEIGHT_HEADING, sees="ballots")
def cherry_pick(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    whole_groups: bool = False,
    keep: Iterable[Label] | None = None,
    time_limit: float | None = 60.0,
    **options: Unpack[PickOptions],
) -> pd.DataFrame:
    """On how many of the tasks is each system first, if one may choose the tasks?

    A system's contribution from a task comes from the whole table, and doesn't change when tasks
    are left out. Up to 14 tasks all sets are tried; for more, integer programmes find the largest
    and prove it. The rule itself then ranks on these tasks.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule that adds up the tasks, or its function; with arguments
        by `functools.partial`, or as further arguments here.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    whole_groups
        Whether to keep or leave out whole groups instead of single tasks. A task with a count is
        as many tasks.
    keep
        Tasks (or groups) that can't be left out.
    time_limit
        How many seconds the search may take; None for no limit.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, by `kept` and then as the rule ranks them, with the columns

        kept
            The largest number of tasks on which the system is first, alone or
            shared; 0 where there are none. Tasks that weigh 0 don't count.
        at_most
            `kept` where that is proven; else what the time limit left possible.
        tasks
            Such tasks, a tuple in table order.
        proven
            Whether no larger number is possible, and the rule puts it first there.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the rule doesn't add up the tasks; of more than 14 tasks also if it
        leaves missing scores out of a mean, so that scores are not sums.

    References
    ----------
    Bartholdi, Tovey and Trick, How hard is it to control an election?, 1992; Roque, Cerqueira,
    Soares and Torgo, Cherry-picking in time series forecasting, 2024.

    Examples
    --------
    On t1 and t3 all three tie, so even C, the last of three, is first on two tasks:

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 2, 3]}, list("ABC"))
    >>> cherry_pick(scores)
       kept  at_most         tasks  proven
    A     3        3  (t1, t2, t3)    True
    B     2        2      (t1, t3)    True
    C     2        2      (t1, t3)    True
    """
    board, bound_rule = parse_board_and_rule("cherry_pick", scores, rule, **options)
    name = "cherry_pick"
    pick = TaskSelection.from_board(name, board, bound_rule, keep, whole_groups=whole_groups)
    seconds = TimeLimit(name, time_limit).seconds
    board, rows = pick.board, {}
    result = arrays.largest_sets(pick.units, pick.required_units, seconds)
    for row, chosen in progress_bar(result, total=len(board.systems), desc="cherry-picking"):
        system = board.systems[row]
        tasks = () if chosen.units is None else pick.tasks(chosen.units)
        # The rule itself ranks only on sets that the search has proven.
        proven = chosen.proven and (
            chosen.units is None or bool(pick.ranks(chosen.units)[system] == 1)
        )
        # The solver may round a bound of 4 tasks to 3.9999999.
        most = int(min(len(pick.task_positions), chosen.upper_bound + 1e-6))
        at_most = len(tasks) if proven else max(most, len(tasks))
        rows[row] = len(tasks), at_most, tasks, proven
    columns = ["kept", "at_most", "tasks", "proven"]
    frame = pd.DataFrame([rows[row] for row in sorted(rows)], index=board.systems, columns=columns)
    frame = frame.reindex(pick.order.index).sort_values("kept", ascending=False, kind="stable")
    frame.attrs = {"rule": pick.name}
    return frame


@register_method(WEIGHT_HEADING, sees="ballots")
def cherry_picking_curve(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    whole_groups: bool = False,
    keep: Iterable[Label] | None = None,
    time_limit: float | None = 60.0,
    **options: Unpack[PickOptions],
) -> pd.DataFrame:
    """How many of the systems are first on some set of so many tasks?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule that adds up the tasks, or its function; with arguments
        by `functools.partial`, or as further arguments here.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    whole_groups
        Whether to keep or leave out whole groups instead of single tasks. A task with a count is
        as many tasks.
    keep, time_limit
        As for `cherry_pick`.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each number of tasks kept (index `kept`), from 1 to all, with the columns

        systems
            How many systems are first, alone or shared, on some set of that many tasks.
        share
            Their share of all systems.
        undecided
            How many more could be, as the time limit left it open.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also as `cherry_pick`.

    References
    ----------
    Roque, Cerqueira, Soares and Torgo, Cherry-picking in time series forecasting, 2024.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 2, 3]}, list("ABC"))
    >>> cherry_picking_curve(scores)["systems"].to_dict()
    {1: 2, 2: 3, 3: 1}
    """
    name = "cherry_picking_curve"
    board, bound_rule = parse_board_and_rule(name, scores, rule, **options)
    pick = TaskSelection.from_board(name, board, bound_rule, keep, whole_groups=whole_groups)
    seconds = TimeLimit(name, time_limit).seconds
    able, maybe = arrays.winners_by_size(pick.units, pick.required_units, seconds)
    n, more = able.sum(axis=1), maybe.sum(axis=1)
    columns = {"systems": n, "share": n / len(pick.board.systems), "undecided": more - n}
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(able) + 1, name="kept"))
    frame.attrs = {"rule": pick.name}
    return frame


@register_method(WEIGHT_HEADING, sees="units")
def unseat(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    whole_groups: bool = False,
    least: Literal["tasks", "weight"] = "tasks",
    time_limit: float | None = 60.0,
    **options: Unpack[PickOptions],
) -> pd.DataFrame:
    """How few tasks, or comparisons, have to go for another system to stand above the winner?

    As for `cherry_pick`, a system's contribution from a task doesn't change when others are left
    out. So the fewest tasks to leave out are those on which the winner gains most on the other. The
    least weight comes from trying all sets of up to 14 tasks, or from an integer programme.

    From comparisons, votes are removed; a system with none left is last, but by "borda" in the
    middle. For "copeland" and "borda" their number is exact, and for "mean_win_rate" where it is
    `proven`: of votes of one weight, as long as rival and winner have enough of them. For
    "bradley_terry" they are removed in the order of their influence on the gap between the two
    strengths, and a bisection with exact refits finds where the rival passes. This number is
    enough, and proven if all smaller sets can be tried.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of a rule that adds up the tasks, or its function; with arguments
        by `functools.partial`, or as further arguments here.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    whole_groups
        Whether to keep or leave out whole groups instead of single tasks. A task with a count is
        as many tasks.
    least
        Whether as few "tasks" (with `whole_groups=True`: groups) as can be go, or as
        little of the "weight" as can be. Of comparisons, votes are counted.
    time_limit
        How many seconds the search may take; None for no limit.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by the other systems, the easiest first, with the columns

        removed
            How many tasks (with `whole_groups=True`: groups) go, so that the system is
            strictly above the winner; NA if no removal was found.
        weight
            Their share of the weight of all tasks, from 0 to 1.
        tasks
            These tasks, a tuple in table order.
        proven
            Whether none are fewer (or weigh less), and the rule itself ranks it above the winner on
            the others; without tasks, whether there are none. For the least weight of more than 14
            tasks, leads below a millionth of the largest on a task don't count.

        Of comparisons the columns are

        votes
            The number of votes to remove, or an upper bound; NA if none was found. A row counted
            before (`count=`) is as many votes.
        rival
            The system that is first then: mostly that of the row.
        removed
            Which votes: tuples (left, right, "left" or "tie", how many), the most first; "left"
            means that the first one won. Of votes of different weight the heaviest go.
        proven
            Whether no fewer are enough, and the rule itself ranks the system above the winner then.

        `.attrs["winner"]` is the winner, as text.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if several systems share the first rank, and as `cherry_pick`; of comparisons
        also for rules without a count to take votes from, with the nearest that has one.

    References
    ----------
    Bartholdi, Tovey and Trick, How hard is it to control an election?, 1992; Huang, Shen, Wei and
    Broderick, Dropping just a handful of preferences can change top large language model rankings,
    2025.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 2, 3]}, list("ABC"))
    >>> unseat(scores)
       removed    weight     tasks  proven
    B        2  0.666667  (t1, t2)    True
    C        2  0.666667  (t1, t2)    True

    A won 3 of 5 comparisons with B; without two of the three, B has won more:

    >>> from nbrank import from_comparisons
    >>> battles = pd.DataFrame({"left": "A", "right": "B", "winner": list("AABAB")})
    >>> comparisons = from_comparisons(battles, left="left", right="right", winner="winner")
    >>> unseat(comparisons)
       votes rival              removed  proven
    B      2     B  ((A, B, left, 2),)    True
    """
    check_choice("unseat", "least", least, ("tasks", "weight"))
    votes, bound_rule = parse_votes_and_rule("unseat", scores, rule, **options)
    return _unseat(votes, bound_rule, least, whole_groups, time_limit)


def _unseat_by_votes(
    comparisons: Comparisons, rule: BoundRule, least: str, whole_groups: bool, _: float | None
) -> pd.DataFrame:
    if least != "tasks" or whole_groups:
        raise ValueError(
            "unseat: with comparisons, votes are counted; leave out least= and whole_groups="
        )
    return find_vote_removals(comparisons, "unseat", rule)


def _unseat_by_tasks(
    board: Leaderboard, rule: BoundRule, least: str, whole_groups: bool, time_limit: float | None
) -> pd.DataFrame:
    pick = TaskSelection.from_board("unseat", board, rule, whole_groups=whole_groups)
    board = pick.board
    winner = get_single_winner("unseat", pick.order)
    units = pick.units
    shares = np.bincount(units.unit_codes, weights=units.weights) / units.weights.sum()
    costs = shares if least == "weight" else np.ones(units.n_units)
    seconds = TimeLimit("unseat", time_limit).seconds
    result = arrays.minimize_removed(units, get_system_position(board, winner), costs, seconds)
    rows: list[tuple[Any, ...]] = []
    for system, left in zip(
        board.systems, progress_bar(result, total=len(board.systems), desc="unseating"), strict=True
    ):
        if left.units is None:
            rows.append((pd.NA, np.nan, (), left.proven))
            continue
        removed, proven = ~left.units, left.proven
        if proven:
            ranks = pick.ranks(left.units)
            proven = bool(ranks[system] < ranks[winner])
        rows.append((int(removed.sum()), shares[removed].sum(), pick.tasks(removed), proven))
    columns = ["removed", "weight", "tasks", "proven"]
    frame = pd.DataFrame(rows, index=board.systems, columns=columns)
    frame = frame.reindex(pick.order.index[pick.order.index != winner])
    easiest = "removed" if least == "tasks" else "weight"
    frame = frame.astype({"removed": "Int64", "proven": bool}).sort_values(easiest, kind="stable")
    frame.attrs = {"rule": pick.name, "winner": str(winner)}
    return frame


_unseat = FunctionBySource(_unseat_by_tasks, _unseat_by_votes)
