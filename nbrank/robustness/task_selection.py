"""Selections of a board's tasks, and a rule's ranks on them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools, Positions
from nbrank.arrays.weights import unit_subsets as arrays
from nbrank.robustness.weight_constraints import parse_labels
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.contributions import check_room, task_values
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of sets of units whose ranks are remembered.
_MOST_SETS = 256


@dataclass(frozen=True, eq=False)
class TaskSelection:
    """A board whose tasks can be selected, and the rule's ranks on the selection."""

    board: Leaderboard
    rule: BoundRule
    order: pd.DataFrame
    #: The position of the task of each voter; without counts, each task is its own voter.
    task_positions: Positions
    units: arrays.TaskUnits
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
        units = arrays.TaskUnits(values, (board.weights / board.voter_counts)[task_of], unit_of)
        if only_sums and not values.linear and units.n_units > arrays.MAX_EXHAUSTIVE_UNITS:
            raise ValueError(
                f"{function}: {bound_rule.label} leaves missing scores out of a mean here, so that "
                f"its scores are not sums; with more than {arrays.MAX_EXHAUSTIVE_UNITS} tasks "
                "choose how they count (missing='compatible' or 'median'), or drop rows or tasks"
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
            ranks = self.rule.function(weighed.select_tasks(board.tasks[voters > 0]))[
                "rank"
            ].to_dict()
            if len(self._ranks) < _MOST_SETS:
                self._ranks[units.tobytes()] = ranks
        return ranks
