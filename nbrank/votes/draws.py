"""What is drawn at random, or drawn together: tasks, groups of tasks, or instances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeVar, cast

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Ints, Positions
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted
from nbrank.votes.options import check_choice
from nbrank.votes.tally import WeighedTally
from nbrank.votes.votes import Votes

Drawn = TypeVar("Drawn", bound=Votes)
Over = Literal["tasks", "instances"]
#: What tasks are drawn in: one by one, or all of a group together.
Units = Literal["tasks", "groups"]
#: Fewer clusters than this can tell nothing apart.
MIN_CLUSTERS = 5


@dataclass(frozen=True)
class Draws:
    """What is drawn: tasks, groups of tasks, the instances of each task, or clusters of these."""

    #: Its name, in the plural.
    what: str
    #: The number of the unit of each column that counts.
    unit_of: Positions
    #: The stratum of each unit: as many are drawn from each as it has.
    strata: Positions
    #: How many voters each unit stands for; None where each is one.
    counts: Ints | None = None
    #: Of clusters, what the rows call them.
    cluster: Label = None

    @classmethod
    def of(cls, board: Leaderboard, over: Over, units: Units | None = None) -> Draws:
        """The instances of each task (in clusters, if any), or the tasks (in groups, if any)."""
        column_task = board.ballot_task
        if over == "instances":
            unit_of = board.unit_of(instances=True)
            if board.cluster_of is None or board.clusters is None:
                return cls("instances", unit_of, column_task)
            strata = _strata_of_clusters(column_task, unit_of)
            return cls("clusters", unit_of, strata, cluster=board.clusters.name)
        voters = None if has_single_voters(board) else board.counts[board.weights > 0]
        what = units or board.drawn
        return cls._of_one_stratum(
            what, column_task if what == "tasks" else board.unit_of(instances=False), voters
        )

    @classmethod
    def each_column(cls, board: Leaderboard) -> Draws:
        """Every column that counts, on its own."""
        return cls._of_one_stratum("instances", np.arange(int(board.that_count.sum())))

    @classmethod
    def of_counted(cls, tasks: WeighedTally, units: Units | None = None) -> Draws:
        """The tasks in which somebody has a score, or their groups; each of them is a column."""
        what = units or tasks.drawn
        return cls._of_one_stratum(
            what, np.arange(len(tasks.tasks)) if what == "tasks" else tasks.group
        )

    @classmethod
    def _of_one_stratum(cls, what: str, unit_of: Positions, counts: Ints | None = None) -> Draws:
        unit_of = np.unique(unit_of, return_inverse=True)[1]
        n_units = int(unit_of.max(initial=-1)) + 1
        return cls(what, unit_of, np.zeros(n_units, dtype=np.intp), counts)

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.strata)

    @property
    def of_instances(self) -> bool:
        """Whether instances are drawn, each alone or in clusters."""
        return self.what in ("instances", "clusters")

    @property
    def facts(self) -> dict[Any, Any]:
        """What `.attrs` say of clusters: their name, and that they are too few where they are."""
        if self.what != "clusters":
            return {}
        facts: dict[Any, Any] = {"cluster": self.cluster}
        if self.n_units < MIN_CLUSTERS:
            number = f"{counted(self.n_units, 'cluster')} of instances ({self.cluster!r})"
            facts["note"] = f"{number} can tell nothing apart, which takes at least {MIN_CLUSTERS}"
        return facts


def clusters_drawn(votes: Votes) -> dict[Any, Any]:
    """Return what `.attrs` say of a question that draws clusters of instances, if it does."""
    if getattr(votes, "cluster_of", None) is None:
        return {}
    draws = Draws.of(cast("Leaderboard", votes), "instances")
    return {"over": draws.what, "n": draws.n_units} | draws.facts


def _strata_of_clusters(task: Positions, unit_of: Positions) -> Positions:
    """Return the stratum of each cluster: its task, with all tasks that share clusters with it."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n_tasks, n_units = int(task.max()) + 1, int(unit_of.max()) + 1
    size = n_tasks + n_units
    shared = csr_array((np.ones(len(task)), (task, n_tasks + unit_of)), shape=(size, size))
    found: Positions = connected_components(shared, directed=False)[1][n_tasks:].astype(np.intp)
    return found


def has_single_voters(votes: Votes) -> bool:
    """Whether each task is one draw; groups are drawn whole, whatever their tasks stand for."""
    return (
        not isinstance(votes, Leaderboard)
        or votes.groups is not None
        or bool((votes.counts == 1).all())
    )


def of_single_voters(votes: Drawn, *, each: bool = False) -> Drawn:
    """The same tasks, each with the weight of one of its voters; or a task for each voter."""
    if has_single_voters(votes):
        return votes
    board = cast("Leaderboard", votes)
    return cast(
        "Drawn", of_voters(board, each_voter(board) if each else np.arange(len(board.tasks)))
    )


def each_voter(board: Leaderboard) -> Positions:
    """The position of the task of each voter."""
    return np.repeat(np.arange(len(board.tasks)), board.counts.astype(np.intp))


def of_voters(board: Leaderboard, task: Positions) -> Leaderboard:
    """A numbered task for each of these single voters, who are told by their tasks."""
    return Leaderboard(
        pd.DataFrame(board.values[:, task], index=board.systems),
        weights=dict(enumerate((board.weights / board.counts)[task])),
        lower_is_better=dict(enumerate(board.lower[task])),
    )


def check_units(votes: Votes, units: Units | None, function: str) -> None:
    """Refuse to draw groups where there are none, or tasks of what has none."""
    check_choice(function, "draws", units, (None, "tasks", "groups"))
    if units is not None and "tasks" not in votes.offers:
        raise TypeError(f"{function}: draws={units!r} is for tasks, and these are comparisons")
    if units == "groups" and cast("Leaderboard", votes).drawn != "groups":
        raise ValueError(f"{function}: draws='groups', but there are no groups; give groups=")


def check_over(votes: Votes, over: str, function: str) -> None:
    """Refuse to draw what the votes don't have."""
    check_choice(function, "over", over, ("tasks", "instances"))
    if over == "instances" and "ballots" not in votes.offers:
        raise TypeError(
            f"{function}: to draw instances needs the scores themselves, and a Tally has only "
            f"sums over them left; choose over='tasks', or give the frame of scores"
        )
    if over == "instances" and not cast("Leaderboard", votes).is_instance_level:
        raise ValueError(
            f"{function}: over='instances' needs a score for each instance: rows with the levels "
            f"'system' and 'instance', or nbrank.from_long(..., instance=...)"
        )
