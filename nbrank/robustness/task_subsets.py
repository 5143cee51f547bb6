"""Selections of a board's tasks, and a rule's ranks on them: how few tasks would tell the same?"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools, Positions
from nbrank.arrays.weights import task_subset_search as arrays
from nbrank.arrays.weights import unit_subsets
from nbrank.robustness.weight_constraints import parse_labels
from nbrank.rules.bound_rule import BoundRule, parse_board_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.rules.search_limits import TimeLimit
from nbrank.uncertainty.contributions import check_room, task_values
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import PickOptions
from nbrank.votes.table.validation import check_choice, make_rng, validate_integer, validate_number

#: Maximum number of sets of units whose ranks are remembered.
_MOST_SETS = 256
#: Number of parts of the systems in the check of how well the tasks predict.
_FOLDS = 5


@register_method("tasks and their weights", sees="ballots")
def core_tasks(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    whole_groups: bool = False,
    keeps: Literal["winner", "top", "order"] = "winner",
    k: int | None = None,
    size: int | None = None,
    agreement: float = 1.0,
    seed: int | None = 0,
    time_limit: float | None = 60.0,
    **options: Unpack[PickOptions],
) -> pd.DataFrame:
    """How few tasks would tell the same as all of them, and would they for other systems?

    The fit of a set on the systems it was chosen on is too good: among many sets one fits by
    chance. So a set is also chosen on four fifths of the systems (with fewer than 15, on half to
    three quarters of them), and has to predict the order of the others, for each part in turn.

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
    keeps
        What the set is to tell: "winner" (the same systems are first), "top" (the
        same systems have rank `k` or better) or "order" (Kendall's tau-b with the
        ranks on all tasks is at least `agreement`).
    k
        How many are at the top; required for "top", and only for it.
    size
        How many tasks the set is to have; None for as few as can be. For "order"
        the set of that size whose order is nearest to the whole.
    agreement
        The least tau that "order" asks for without `size`; 1 for the same order.
    seed
        The seed of the parts into which the systems are drawn, and of the sets by chance.
    time_limit
        How many seconds the search may take; None for no limit.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        One row, with the columns

        size
            How many tasks; NA where no set keeps what it is to (of that size).
        tasks
            The set, a tuple in table order.
        agreement
            Tau-b of its ranks with those on all tasks.
        held_out
            The mean tau-b among systems that had no part in choosing the tasks;
            NaN for fewer than six systems.
        by_chance
            The same for sets of as many tasks by chance.
        proven
            Whether no set is smaller (of a given size: none is nearer to the whole order). Up to 14
            tasks all sets are tried. Of more, winner and top are proven by an integer programme, in
            which leads below a millionth of the largest on a task don't count; an order is
            approached by adding the task that helps most.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the rule doesn't add up the tasks, or `k` is missing.

    References
    ----------
    Perlitz et al., Efficient Benchmarking of Language Models, 2024; Polo et al.,
    tinyBenchmarks, 2024, choose instances so.

    Examples
    --------
    The last task alone has the winner of all three:

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 2, 3], "t2": [3, 2, 1], "t3": [3, 1, 2]}, list("ABC"))
    >>> core_tasks(scores)[["size", "tasks", "proven"]]
       size  tasks  proven
    0     1  (t3,)    True
    """
    name = "core_tasks"
    check_choice(name, "keeps", keeps, ("winner", "top", "order"))
    if (keeps == "top") != (k is not None):
        needed = "needs k, how many are at the top" if keeps == "top" else "takes no k"
        raise ValueError(f"{name}: keeps={keeps!r} {needed}")
    rng = make_rng(name, seed)
    board, bound_rule = parse_board_and_rule(name, scores, rule, **options)
    pick = TaskSelection.from_board(
        name, board, bound_rule, whole_groups=whole_groups, only_sums=False
    )
    units, board = pick.units, pick.board
    place = 1 if k is None else validate_integer(name, "k", k)
    if place > len(board.systems):
        raise ValueError(f"{name}: k={place}, and there are {len(board.systems)} systems")
    if not -1 <= validate_number(name, "agreement", agreement) <= 1:
        raise ValueError(f"{name}: agreement={agreement!r} must be a tau, between -1 and 1")
    if size is not None and validate_integer(name, "size", size) > len(pick.task_positions):
        raise ValueError(f"{name}: size={size}, and there are {len(pick.task_positions)} tasks")
    goal = arrays.SubsetGoal(keeps, place, agreement if size is None else -1.0, size)
    until = time.monotonic() + TimeLimit(name, time_limit).seconds
    chosen = arrays.find_core_set(units, goal, until)
    row: dict[str, Any] = dict.fromkeys(["size", "agreement", "held_out", "by_chance"], np.nan)
    row |= {"tasks": (), "proven": chosen.proven}
    if chosen.units is not None:
        whole = pick.order["rank"].reindex(board.systems).to_numpy()
        ranks = np.array([[*map(pick.ranks(chosen.units).get, board.systems)]])
        if goal.is_met(ranks, whole)[0]:
            tasks = pick.tasks(chosen.units)
            taus = arrays.kendall_taus(ranks, whole)
            row |= {"size": len(tasks), "tasks": tasks, "agreement": float(taus[0])}
            if len(board.systems) >= 6:
                n_folds = min(_FOLDS, len(board.systems) // 3)
                predicts = arrays.cross_validate_core_set(units, goal, n_folds, rng, until)
                row["held_out"], row["by_chance"] = predicts
        else:
            row["proven"] = False
    columns = ["size", "tasks", "agreement", "held_out", "by_chance", "proven"]
    frame = pd.DataFrame([row], columns=columns).astype({"size": "Int64", "proven": bool})
    frame.attrs = {"rule": pick.name, "keeps": keeps}
    return frame


@dataclass(frozen=True, eq=False)
class TaskSelection:
    """A board whose tasks can be selected, and the rule's ranks on the selection."""

    board: Leaderboard
    rule: BoundRule
    order: pd.DataFrame
    #: The position of the task of each voter; without counts, each task is its own voter.
    task_positions: Positions
    units: unit_subsets.TaskUnits
    required_units: Bools
    #: The ranks on sets of units so far, since few of the requested sets differ.
    _ranks: dict[bytes, dict[Label, int]] = field(default_factory=dict, repr=False)

    @classmethod
    def from_board(
        cls,
        function: str,
        board: Leaderboard,
        bound_rule: BoundRule,
        keep: Iterable[Label] | None = None,
        *,
        whole_groups: bool,
        only_sums: bool = True,
    ) -> TaskSelection:
        """Find the rule's contributions; tasks of weight 0 are left out.

        If every set may have to be tried, many tasks are an error, unless scores are sums.
        """
        board = board.select_tasks(board.tasks[board.weights > 0])
        check_room(function, board, bound_rule)
        names = board.task_names
        task_of = board.voter_task_codes
        unit_of = np.arange(len(task_of))
        if whole_groups:
            groups = names.unit_positions(function, whole_groups=True)
            for number, members in enumerate(groups.values()):
                unit_of[np.isin(task_of, members)] = number
        units_kept = np.zeros(int(unit_of.max()) + 1, dtype=bool)
        for task in [] if keep is None else parse_labels(names, keep):
            units_kept[unit_of[np.isin(task_of, names.member_positions(task, "keep"))]] = True
        order = bound_rule.function(board)
        values = task_values(function, board, bound_rule).select_tasks(task_of)
        weights, most = board.weights / board.voter_counts, unit_subsets.MAX_EXHAUSTIVE_UNITS
        units = unit_subsets.TaskUnits(values, weights[task_of], unit_of)
        if only_sums and not values.linear and units.n_units > most:
            raise ValueError(
                f"{function}: {bound_rule.label} leaves missing scores out of a mean here, so that "
                f"its scores are not sums; with more than {most} tasks choose "
                "how they count (missing='compatible' or 'median'), or drop rows or tasks"
            )
        return cls(board, bound_rule, order, task_of, units, units_kept)

    @property
    def name(self) -> str:
        """The rule's name."""
        return str(self.order.attrs.get("rule", ""))

    def tasks(self, units: Bools) -> tuple[Label, ...]:
        """List the tasks of some units in table order, one for each voter."""
        return tuple(self.board.tasks[self.task_positions[units[self.units.unit_codes]]])

    def ranks(self, units: Bools) -> dict[Label, int]:
        """Rank by the rule itself on some units."""
        if (ranks := self._ranks.get(units.tobytes())) is None:
            board, chosen = self.board, self.task_positions[units[self.units.unit_codes]]
            voters = np.bincount(chosen, minlength=len(board.tasks))
            weighed = board.with_task_weights(board.weights / board.voter_counts * voters)
            ranked = self.rule.function(weighed.select_tasks(board.tasks[voters > 0]))
            ranks = ranked["rank"].to_dict()
            if len(self._ranks) < _MOST_SETS:
                self._ranks[units.tobytes()] = ranks
        return ranks
