"""Instance-level scores, counted: all that many rules need, however many scores there were."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nbrank.arrays.tally import BallotCounts, count_ballots
from nbrank.labelled.leaderboard import Leaderboard, named


@dataclass(frozen=True, eq=False, repr=False)
class Tally:
    """Instance-level scores, counted: what is left to keep when there are too many of them.

    Parameters
    ----------
    systems
        The systems.
    tasks
        The tasks.
    counts
        The counts of each task's instances, in the order of the tasks; the
        systems in the order of `systems`, scores as they were given.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> tally(pd.DataFrame({"task": [3, 2, 1, 2]}, index=rows))
    Tally: 2 systems x 1 task, 2 instances, 4 scores, 0 missing
    """

    systems: pd.Index
    tasks: pd.Index
    counts: tuple[BallotCounts, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.tasks):
            raise ValueError(
                f"there are {len(self.tasks)} tasks and the counts of {len(self.counts)}; "
                f"give the counts of each"
            )
        wrong = [
            task
            for task, counts in zip(self.tasks, self.counts, strict=True)
            if counts.n_systems != len(self.systems)
        ]
        if wrong:
            raise ValueError(
                f"there are {len(self.systems)} systems, and the counts of {named(wrong)} are "
                f"of another number; count every task with all systems"
            )
        object.__setattr__(self, "systems", self.systems.rename("system"))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and self.systems.equals(other.systems)
            and self.tasks.equals(other.tasks)
            and all(
                one.places == two.places for one, two in zip(self.counts, other.counts, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        n_tasks = len(self.tasks)
        instances = sum(int(counts.places.n_ballots[1:].sum()) for counts in self.counts)
        scores = sum(int(counts.places.observed.sum()) for counts in self.counts)
        missing = instances * len(self.systems) - scores
        return (
            f"Tally: {len(self.systems):,} systems x {n_tasks:,} "
            f"{'task' if n_tasks == 1 else 'tasks'}, {instances:,} instances, {scores:,} scores, "
            f"{missing:,} missing"
        )


def tally(scores: pd.DataFrame) -> Tally:
    """What is left of instance-level scores once they are counted?

    Parameters
    ----------
    scores
        A frame of instance-level scores: rows with the levels `system` and
        `instance`, a column for each task.

    Returns
    -------
    Tally
        The counts.

    Raises
    ------
    TypeError
        If these are no instance-level scores, or not a frame.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> tally(pd.DataFrame({"task": [3, 2, 1, None]}, index=rows))
    Tally: 2 systems x 1 task, 2 instances, 3 scores, 1 missing
    """
    if isinstance(scores, Leaderboard):
        raise TypeError(
            "tally counts the scores as they are, without weights, groups or orientation; give it "
            "the frame, and those beside the tally to the rules"
        )
    board = Leaderboard(scores)
    if not board.is_instance_level:
        raise TypeError(
            "tally counts instance-level scores, with rows of the levels 'system' and 'instance'; "
            "every rule takes a table of one score for each task as it is"
        )
    counts = tuple(
        count_ballots(np.ascontiguousarray(board.values[:, board.column_task == task]))
        for task in range(len(board.tasks))
    )
    return Tally(board.systems, board.tasks, counts)
