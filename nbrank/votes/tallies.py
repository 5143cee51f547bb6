"""Counts of instance-level scores, which suffice for many rules, however large the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.ballot_counts import BallotCounts, count_ballots, sum_by_key
from nbrank.arrays.typing import Bools, Floats, Positions
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import MethodsMixin, register_method
from nbrank.votes.table.score_frame import clean_and_unique
from nbrank.votes.table.task_options import (
    Groups,
    LowerIsBetter,
    TaskIndex,
    Weights,
    rescale_weights,
)
from nbrank.votes.table.validation import ViewRequest, check_counts_fit
from nbrank.votes.user_warnings import warn_user
from nbrank.votes.views import CountData

if TYPE_CHECKING:  # Type checkers see the methods, which `MethodsMixin` finds at run time.
    from nbrank.votes.source_methods import TallyMethods
else:
    TallyMethods = object


@dataclass(frozen=True, eq=False, repr=False)
class Tally(MethodsMixin, TallyMethods):
    """Counts of instance-level scores, for tables that are too large to keep.

    It replaces the scores that it was made of: every rule and function that needs only counts
    takes it like a frame, together with `weights`, `groups` and `lower_is_better`,
    and gives the same result. They are also its methods: `tally.borda()` and `tally.rank.borda()`
    are `nbrank.borda(tally)`. Functions that need more, such as medians or a resample of the
    instances, raise an error.

    Two tallies are equal if their labels and all their whole numbers are: how often each system
    was above each other, and its places. Sums of scores, which rounding changes, don't count.

    Parameters
    ----------
    systems
        The systems.
    tasks
        The tasks.
    counts
        For each task, the counts of its instances: the systems in the order of
        `systems`, the scores as they were given.

    Raises
    ------
    ValueError
        If systems or tasks occur twice, or the counts are of another number of them.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> counted = tally(pd.DataFrame({"t1": [3, 2, 1, 2], "t2": [1, 1, None, 0]}, index=rows))
    >>> counted
    Tally: 2 systems x 2 tasks, 4 instances, 7 scores, 1 missing
    >>> counted.borda()
            rank  score
    system
    A          1    3.0
    B          2    1.0
    """

    systems: pd.Index
    tasks: pd.Index
    counts: tuple[BallotCounts, ...]

    #: Memory in bytes of a task's counts for each pair of systems.
    BYTES_PER_PAIR: ClassVar = 72
    provides: ClassVar = frozenset({"sums", "standings", "pairs", "tasks"})
    _unsupported_message: ClassVar = (
        "needs the scores themselves, and a Tally has only counts of them left"
    )

    def __post_init__(self) -> None:
        # The axis is named like the rows of an instance-level frame.
        systems = clean_and_unique(self.systems, "system").rename("system")
        object.__setattr__(self, "systems", systems)
        object.__setattr__(self, "tasks", clean_and_unique(self.tasks, "task"))
        sizes = {counts.n_systems for counts in self.counts} or {len(self.systems)}
        if len(self.counts) != len(self.tasks) or sizes != {len(self.systems)}:
            raise ValueError(
                f"{len(self.systems)} systems and {len(self.tasks)} tasks don't fit the counts of "
                f"{len(self.counts)} tasks of {', '.join(map(str, sorted(sizes)))} systems; give "
                f"the counts of every task, with all systems"
            )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and list(self.systems) == list(other.systems)
            and list(self.tasks) == list(other.tasks)
            and all(
                count.places == two.places
                for count, two in zip(self.counts, other.counts, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        instances = sum(int(counts.places.n_ballots[1:].sum()) for counts in self.counts)
        missing = sum(int(counts.places.n_missing.sum()) for counts in self.counts)
        scores = instances * len(self.systems) - missing
        return (
            f"Tally: {pluralize(len(self.systems), 'system')} x "
            f"{pluralize(len(self.tasks), 'task')}, "
            f"{pluralize(instances, 'instance')}, {pluralize(scores, 'score')}, {missing:,} missing"
        )

    @property
    def rank(self) -> Tally:
        """The tally itself, so that `scores.rank.borda()` works on frames and on counts."""
        return self

    @classmethod
    def from_board(cls, board: Leaderboard) -> Tally:
        """Count the scores of a board."""
        check_counts_fit(
            "tally",
            len(board.systems),
            cls.BYTES_PER_PAIR * len(board.tasks),
            "give the frame itself to rules that look at no pairs, such as nbrank.borda(scores)",
        )
        counts = tuple(count_ballots(board.values[:, task]) for task in board.columns_by_task())
        return cls(board.systems, board.tasks, counts)

    def with_options(
        self, weights: Weights = None, groups: Groups = None, lower_is_better: LowerIsBetter = ()
    ) -> WeightedTally:
        """Return the tasks in the form a rule needs, with options as for `Leaderboard`."""
        names = TaskIndex.from_groups(self.tasks, groups)
        return self._apply_weights(
            names.parse_weights(weights), names.parse_lower_is_better(lower_is_better), names
        )

    def _apply_weights(self, weights: Floats, lower: Bools, names: TaskIndex) -> WeightedTally:
        """Select the tasks with a weight; weights and orientation are given by position."""
        counts = []
        for ballot_counts, turned in zip(self.counts, lower, strict=True):
            # An instance on which no system was scored is not counted.
            n_ballots = ballot_counts.places.n_ballots.copy()
            n_ballots[0] = 0
            item = replace(ballot_counts, places=replace(ballot_counts.places, n_ballots=n_ballots))
            counts.append(item.reversed() if turned else item)
        drawn, codes = "groups" if names.members else "tasks", names.group_codes()
        whole = self.systems, self.tasks, weights, lower, codes, drawn, tuple(counts)
        return WeightedTally(*whole).with_weights(rescale_weights(weights))


@dataclass(frozen=True, eq=False, repr=False)
class WeightedTally(Votes):
    """Tasks of a tally that count, oriented so that higher is better."""

    systems: pd.Index
    tasks: pd.Index
    weights: Floats
    #: Whether lower was better, so that the counts are reversed.
    is_lower_better: Bools
    #: The number of each task's group; of the task itself without groups.
    group_codes: Positions
    #: "groups", or "tasks" without groups.
    unit_kind: str
    counts: tuple[BallotCounts, ...]

    kind = "counts"
    provides: ClassVar = Tally.provides
    _unsupported_message: ClassVar = Tally._unsupported_message
    _fixed_options_message: ClassVar = "{given} can't be given to a tally that is weighed"
    no_clusters: ClassVar = (
        "cluster= needs the scores themselves, and a Tally has only sums over instances left; "
        "give the frame of scores"
    )

    @property
    def default_unit_kind(self) -> str:
        """The unit in which tasks are resampled."""
        return self.unit_kind

    @classmethod
    def from_board(cls, board: Leaderboard) -> WeightedTally:
        """Count the instances of a leaderboard, with its weights."""
        return Tally.from_board(board)._apply_weights(
            board.weights, board.is_lower_better, board.task_names
        )

    @cached_property
    def data(self) -> CountData:
        """The counts of all instances, summed over tasks of the same weight."""
        results = sum_by_key(zip(self.weights.tolist(), self.counts, strict=True))
        return CountData(
            dict(sorted(results.items())) or {1.0: BallotCounts.zero(len(self.systems))}
        )

    def iter_scored_tasks(self) -> Iterator[tuple[float, CountData]]:
        """Yield for each task with a score its weight and its own instances."""
        for weight, counts in zip(self.weights.tolist(), self.counts, strict=True):
            if counts.places.scored.any():
                yield weight, CountData({1.0: counts})

    def select_systems(self, systems: Iterable[Label]) -> WeightedTally:
        """Select these systems, in this order."""
        order = np.array(self.find_positions(systems), dtype=np.intp)
        counts = tuple(count.select_systems(order) for count in self.counts)
        return replace(self, systems=self.systems[order], counts=counts)

    @property
    def is_complete(self) -> bool:
        """Whether every system has a score on every instance."""
        return not any(counts.places.n_missing.any() for counts in self.counts)

    def select_scored_tasks(self) -> WeightedTally:
        """Select the tasks with a score."""
        return self._select_tasks(
            [bool(count.places.scored.any()) for count in self.counts], self.weights
        )

    def with_weights(self, weights: Floats) -> WeightedTally:
        """Replace the weights; drop tasks of weight 0."""
        return self._select_tasks((weights > 0).tolist(), weights)

    def _select_tasks(self, selected: list[bool], weights: Floats) -> WeightedTally:
        tasks = np.flatnonzero(selected)
        return replace(
            self,
            tasks=self.tasks[tasks],
            weights=weights[tasks],
            is_lower_better=self.is_lower_better[tasks],
            group_codes=self.group_codes[tasks],
            counts=tuple(self.counts[task] for task in tasks),
        )

    def total_weight(self, levels: int = 1) -> float:
        """Sum the weights, as of a leaderboard."""
        tasks = self.select_scored_tasks()
        n_ballots = [int(count.places.n_ballots.sum()) for count in tasks.counts]
        return float(tasks.weights @ (np.ones(len(n_ballots)) if levels == 2 else n_ballots))

    def check(self, request: ViewRequest) -> None:
        """Refuse options that need more than counts."""
        if self.is_complete or request.missing not in ("raise", "median"):
            return
        lacking = self.stack_by_task([counts.places.n_missing for counts in self.counts])
        where = (
            f"{pluralize(int(lacking.sum()), 'missing score')}, of {self.format_cells(lacking > 0)}"
        )
        if request.missing == "raise":
            raise ValueError(f"{request.rule}: {where}; {request.missing_advice}")
        raise ValueError(
            f"{request.rule}: {where}; to fill with medians needs the scores themselves, and these "
            f"are counted. Choose missing='ignore', or give the frame of scores"
        )

    def scored_task_group_codes(self) -> Positions:
        """Return the group's number of each task with a score; its own without groups."""
        return self.select_scored_tasks().group_codes

    def check_finite(self, rule: str, advice: str) -> None:
        """Refuse infinite scores, which have no average."""
        infinite = np.isinf(self.stack_by_task([counts.max_abs_score for counts in self.counts]))
        if infinite.any():
            raise ValueError(f"{rule}: infinite scores, of {self.format_cells(infinite)}; {advice}")

    def stack_by_task(self, system_positions: list[NDArray[Any]]) -> Floats:
        """Stack a quantity of each task: systems x tasks."""
        result = np.array(system_positions, dtype=float)
        return result.reshape(len(self.tasks), len(self.systems)).T


@register_method("scores too many for memory", sees="frame")
def tally(scores: pd.DataFrame) -> Tally:
    """What is left to keep of instance-level scores, once they are counted?

    Parameters
    ----------
    scores
        A frame of instance-level scores: rows with the levels `system` and `instance`, a column for
        each task, NaN where a system was not evaluated. Weights, groups and orientation are given
        to the functions that take the result.

    Returns
    -------
    Tally
        The counts, which every rule that needs only counts takes like the frame.

    Raises
    ------
    TypeError
        If the scores are not numbers, or are not instance-level scores in a frame.
    ValueError
        If labels are duplicate; the message names them.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> counted = tally(pd.DataFrame({"task": [3, 2, 1, 2]}, index=rows))
    >>> counted
    Tally: 2 systems x 1 task, 2 instances, 4 scores, 0 missing
    >>> counted.pairwise()
    system    A    B
    system
    A       0.0  1.5
    B       0.5  0.0
    """
    value: object = scores
    if isinstance(value, MethodsMixin):
        raise TypeError(
            "tally takes a frame, since it counts scores without weights, groups or orientation: "
            "give it the leaderboard's .scores, and pass those options to the rules"
        )
    board = Leaderboard(scores)
    if not board.is_instance_level:
        raise TypeError(
            "tally counts instance-level scores, rows with the levels 'system' and 'instance'; "
            "a table with one score for each task goes into the rules as it is"
        )
    if board.column_clusters is not None:
        name = board.clusters.name if board.clusters is not None else "cluster"
        warn_user(
            f"tally keeps sums over instances, and not which {name!r} they lie in: with "
            f"over='instances' each then counts as independent; give the frame to such questions, "
            f"or choose over='tasks'"
        )
    return Tally.from_board(board)
