"""What is drawn: tasks, groups of tasks, instances, clusters, or errors of the scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import DTypeLike

from nbrank.arrays.chunking import chunk_slices
from nbrank.arrays.typing import Ints, Positions
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.row_levels import REPLICATE_LEVELS, Clusters
from nbrank.votes.table.validation import check_choice, check_delta, make_rng, validate_integer
from nbrank.votes.tallies import WeightedTally

#: Defaults of delta and of the number of draws.
DELTA: float = 0.05
DRAWS: int = 10_000
ResampledUnit = Literal["tasks", "instances"]
#: Choices of what is drawn if cells have errors of measurement; "both" adds tasks.
OverErrors = Literal["errors", "seeds", "both"]
#: Units that a question about uncertainty may draw.
DrawnUnit = ResampledUnit | OverErrors
#: Units of tasks: single tasks, or whole groups.
UnitKind = Literal["tasks", "groups"]
#: Units x resamples drawn at a time, where each resample is looked at.
_CELLS = 1 << 24
#: Minimum number of clusters that can separate any systems.
MIN_CLUSTERS = 5


@dataclass(frozen=True)
class DrawOptions:
    """The options of a question that say what is drawn, and how often."""

    #: The name of the question.
    function: str
    over: str | None = None
    errors: pd.DataFrame | None = None
    draws: UnitKind | None = None
    cluster: Clusters = None
    seed: int | None = 0
    n_draws: int = DRAWS

    def make_rng(self) -> np.random.Generator:
        """Make the source of the draws."""
        return make_rng(self.function, self.seed)

    def check_level(self, delta: float, *, joint: bool = True) -> None:
        """Refuse a level that is none or that so few draws don't show, and an unknown `joint`."""
        check_delta(self.function, delta)
        check_choice(self.function, "joint", joint, (True, False))
        if validate_integer(self.function, "n_draws", self.n_draws) * delta < 1:
            raise ValueError(
                f"{self.function}: n_draws={self.n_draws!r} can't show a level of delta={delta!r}; "
                f"take at least {int(np.ceil(1 / delta))}, better ten thousand"
            )

    def check_units(self, votes: Votes) -> None:
        """Refuse to resample groups of votes without groups, or tasks of votes without tasks."""
        check_choice(self.function, "draws", self.draws, (None, "tasks", "groups"))
        if self.draws is not None and not votes.default_unit_kind:
            raise TypeError(
                f"{self.function}: draws={self.draws!r} is for tasks, and these are comparisons"
            )
        if self.draws == "groups" != votes.default_unit_kind:
            raise ValueError(f"{self.function}: draws='groups' needs groups; {votes.groups_advice}")

    def check_over(self, votes: Votes) -> None:
        """Refuse to resample units that the votes don't have."""
        check_choice(self.function, "over", self.over, ("tasks", "instances"))
        if self.over == "instances" and votes.is_instance_level is None:
            raise TypeError(
                f"{self.function}: to draw instances needs the scores themselves, and a Tally has "
                f"only sums over them left; choose over='tasks', or give the frame of scores"
            )
        if self.over == "instances" and not votes.is_instance_level:
            raise ValueError(
                f"{self.function}: over='instances' needs a score for each instance: rows with the "
                f"levels 'system' and 'instance', or nbrank.from_long(..., instance=...)"
            )

    def resolve(self, board: Leaderboard) -> DrawOptions:
        """Validate `over`, or infer it from the scores if it is None.

        The table's own errors are taken where over="errors" asks for them.
        """
        over, runs = self.over, board.replicates
        errors = board.errors if self.errors is None and over == "errors" else self.errors
        if self.cluster is not None and (over not in (None, "instances") or errors is not None):
            raise ValueError(
                f"{self.function}: cluster= says which instances are drawn together, so it goes "
                f"with over='instances' alone"
            )
        if over is None:
            without_runs = "instances" if board.is_instance_level else "tasks"
            inferred = "both" if runs is not None else without_runs
            return replace(self, over=inferred if errors is None else "errors")
        if over not in get_args(OverErrors):
            self.check_over(board)
        if errors is not None and over not in ("errors", "both"):
            raise ValueError(f"{self.function}: errors= goes with over='errors' or over='both'")
        has = {
            "errors=, a frame of standard errors": errors is not None and over != "seeds",
            "rows with the levels 'system' and 'seed'": runs is not None and over != "errors",
        }
        if over in get_args(OverErrors) and not any(has.values()):
            if board.averaged is not None and over != "errors":
                levels = ["system", *board.averaged.levels]
                renamed = ""
                if not all(str(name).casefold() in REPLICATE_LEVELS for name in levels[1:]):
                    levels, renamed = levels[:2], ".rename_axis(['system', 'seed'])"
                raise ValueError(
                    f"{self.function}: over={over!r} needs runs of each system, and here runs are "
                    f"averaged within each instance ({board.averaged}); average the instances of "
                    f"each run instead, scores.groupby(level={levels!r}).mean(){renamed}"
                )
            wanted = {"errors": list(has)[:1], "seeds": list(has)[1:]}.get(over, has)
            raise ValueError(
                f"{self.function}: over={over!r} needs what was measured; "
                f"give {', or '.join(wanted)}"
            )
        return replace(self, errors=errors)


@dataclass(frozen=True)
class SamplingDesign:
    """Design of a resample: its units (tasks, groups, instances or clusters) and strata."""

    #: Name of the units, in the plural.
    unit_kind: str
    #: Number of the unit of each column that counts.
    unit_codes: Positions
    #: Stratum of each unit; each stratum is resampled at its own size.
    strata: Positions
    #: Number of voters of each unit; None if each is a single voter.
    multiplicity: Ints | None = None
    #: Name of the clusters in the rows.
    cluster: Label = None

    @classmethod
    def from_board(
        cls, board: Leaderboard, over: ResampledUnit, units: UnitKind | None = None
    ) -> SamplingDesign:
        """Resample instances of each task (in clusters, if any), or tasks (in groups, if any)."""
        column_task = board.ballot_task_codes
        if over == "instances":
            unit_of = board.unit_codes(instances=True)
            if board.column_clusters is None or board.clusters is None:
                return cls("instances", unit_of, column_task)
            strata = _strata_of_clusters(column_task, unit_of)
            return cls("clusters", unit_of, strata, cluster=board.clusters.name)
        voters = None if board.draws_single_voters else board.voter_counts[board.weights > 0]
        what = units or board.default_unit_kind
        return cls._from_unit_codes(
            what, column_task if what == "tasks" else board.unit_codes(instances=False), voters
        )

    @classmethod
    def from_columns(cls, board: Leaderboard) -> SamplingDesign:
        """Resample every column that counts on its own."""
        return cls._from_unit_codes("instances", np.arange(int(board.active_columns.sum())))

    @classmethod
    def from_tally(cls, tasks: WeightedTally, units: UnitKind | None = None) -> SamplingDesign:
        """Resample the tasks with a score, or their groups, each as a column."""
        what = units or tasks.default_unit_kind
        return cls._from_unit_codes(
            what, np.arange(len(tasks.tasks)) if what == "tasks" else tasks.group_codes
        )

    @classmethod
    def _from_unit_codes(
        cls, subject: str, unit_codes: Positions, counts: Ints | None = None
    ) -> SamplingDesign:
        unit_codes = np.unique(unit_codes, return_inverse=True)[1]
        n_units = int(unit_codes.max(initial=-1)) + 1
        return cls(subject, unit_codes, np.zeros(n_units, dtype=np.intp), counts)

    def draw(
        self, n: int, rng: np.random.Generator, dtype: DTypeLike = np.float64
    ) -> Iterator[arrays.Multiplicities]:
        """Draw n resamples, some units at a time: how often each is drawn in each resample."""
        return arrays.draw_multiplicities(self.strata, n, rng, dtype, self.multiplicity)

    def draw_one_by_one(self, n: int, rng: np.random.Generator) -> Iterator[Positions]:
        """Yield how often each unit is drawn, in one resample after the other."""
        for part in chunk_slices(0, n, max(1, _CELLS // self.n_units)):
            counts = np.empty((self.n_units, part.stop - part.start), dtype=np.intp)
            # The units come in parts where they are many.
            for some in self.draw(counts.shape[1], rng):
                counts[some.units] = some.counts
            yield from counts.T

    @property
    def n_units(self) -> int:
        """The number of units."""
        return len(self.strata)

    @property
    def of_instances(self) -> bool:
        """Whether instances are resampled, each alone or in clusters."""
        return self.unit_kind in ("instances", "clusters")

    @property
    def facts(self) -> dict[Any, Any]:
        """Facts about clusters for `.attrs`: their name, and a note if they are too few."""
        if self.unit_kind != "clusters":
            return {}
        of_comparisons = self.cluster is None
        facts: dict[Any, Any] = {} if of_comparisons else {"cluster": self.cluster}
        if self.n_units < MIN_CLUSTERS:
            members = "comparisons" if of_comparisons else f"instances ({self.cluster!r})"
            number = f"{pluralize(self.n_units, 'cluster')} of {members}"
            facts["note"] = f"{number} can tell nothing apart, which takes at least {MIN_CLUSTERS}"
        return facts


def _describe_clusters(board: Leaderboard) -> dict[Any, Any]:
    if board.column_clusters is None:
        return {}
    draws = SamplingDesign.from_board(board, "instances")
    return {"over": draws.unit_kind, "n": draws.n_units} | draws.facts


#: Return the facts for `.attrs` if clusters of instances are resampled; else empty.
clusters_drawn = FunctionBySource(_describe_clusters, comparisons=lambda _: {})


def _strata_of_clusters(task: Positions, unit_codes: Positions) -> Positions:
    """Return the stratum of each cluster: its task, joined with tasks that share clusters."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    n_tasks, n_units = int(task.max()) + 1, int(unit_codes.max()) + 1
    size = n_tasks + n_units
    shared = csr_array((np.ones(len(task)), (task, n_tasks + unit_codes)), shape=(size, size))
    return np.asarray(connected_components(shared, directed=False)[1][n_tasks:], dtype=np.intp)
