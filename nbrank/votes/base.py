"""Base class of votes: the interface of all sources, and the ballots within each task."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays, PairwiseCounts
from nbrank.arrays.ballots.profile import Missing, Profile, competition_ranks
from nbrank.arrays.typing import Array, Bools, Floats, Positions
from nbrank.votes.formatting import Label, cells_named, format_labels
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.table.reading import Reading
from nbrank.votes.table.row_levels import Clusters, Replicates
from nbrank.votes.table.score_frame import check_unique
from nbrank.votes.table.task_options import GROUPS_ADVICE, TableOptions, names_of_given_options
from nbrank.votes.table.validation import ViewRequest
from nbrank.votes.views import BallotData, View, VoteData


class Votes(MethodsMixin):
    """Votes with labels and weights; each rule asks for the view that it needs.

    Weights, groups and orientation are already applied. The treatment of missing scores is
    chosen when a view is taken.
    """

    #: The function of a `FunctionBySource` that takes these votes.
    kind: ClassVar[Literal["scores", "comparisons", "counts"]]
    systems: pd.Index
    #: Tasks, if any, with the weight of each and whether lower is better on it.
    tasks: pd.Index
    weights: Floats
    is_lower_better: Bools
    #: Scores, if available, with the position of each column's task, and the instance of each
    #: column if it is one.
    values: Array
    task_codes: Positions
    instances: pd.Index | None
    #: Message for options that are given although the votes have theirs.
    _fixed_options_message: ClassVar[str]
    groups_advice: ClassVar = GROUPS_ADVICE
    #: Message for clusters that the votes can't use.
    no_clusters: ClassVar[str]
    #: Name of the rule where none is given.
    default_rule: ClassVar[str] = "borda"
    #: Whether all warnings have been emitted.
    silent: bool = True
    #: The runs behind the scores; how the votes were read; the errors of their scores; and
    #: descriptions of the systems.
    replicates: Replicates | None = None
    reading: Reading | None = None
    errors: pd.DataFrame | None = None
    descriptions: pd.DataFrame | None = None

    @property
    def rank(self) -> Self:
        """The votes themselves: `board.rank.borda()` is `board.borda()`, as on a frame."""
        return self

    @property
    def has_shared_wins(self) -> bool:
        """Whether a win may be shared other than evenly; only in comparisons."""
        return False

    def attach_reading(self, reading: Reading) -> Self:
        """Store how the votes were read, and return them."""
        object.__setattr__(self, "reading", reading)
        return self

    def with_options(self, **table: Unpack[TableOptions]) -> Self:
        """Return the votes themselves, which have their options already."""
        if values := names_of_given_options(**table):
            raise TypeError(self._fixed_options_message.format(given=", ".join(values)))
        return self

    def with_clusters(self, cluster: Clusters) -> Self:
        """Group units into clusters that are resampled together; here an error."""
        raise TypeError(self.no_clusters)

    def emit_warnings(self, *, prior: bool = False) -> Self:
        """Warn of misleading data in any ranking; return the votes without these warnings.

        A model's prior may link groups that were never compared.
        """
        return self

    def find_positions(self, systems: Iterable[Label]) -> list[int]:
        """Return the positions of these systems; refuse unknown or repeated ones."""
        wanted = list(map(clean_label, systems))
        known = {system: position for position, system in enumerate(self.systems)}
        if unknown := [system for system in wanted if system not in known]:
            raise ValueError(
                f"unknown systems: {format_labels(unknown)}; known: {format_labels(known)}"
            )
        positions = [known[system] for system in wanted]
        if len(set(positions)) < len(positions):
            check_unique(self.systems[positions], "system")
        return positions

    @property
    def column_clusters(self) -> Positions | None:
        """The number of the cluster of each column that counts; None without clusters."""
        return None

    @property
    def default_unit_kind(self) -> str:
        """The unit in which tasks are resampled: "groups", or single "tasks"; empty without any."""
        return ""

    @property
    def is_instance_level(self) -> bool | None:
        """Whether the scores are of instances rather than tasks; None without scores."""
        return None

    @property
    def has_scores(self) -> bool:
        """Whether the scores themselves are there, rather than their counts, or comparisons."""
        return self.is_instance_level is not None

    @property
    @abstractmethod
    def data(self) -> VoteData:
        """All ballots together."""

    if TYPE_CHECKING:  # "sums" provide the first, "units" the other.

        def check_finite(self, rule: str, advice: str) -> None:
            """Refuse infinite scores, which have no average."""

        def unit_outcomes(
            self,
        ) -> tuple[PairwiseCounts, PairwiseCounts, ComparisonArrays | Profile, Positions | None]:
            """Return counts of pairs, also of squared weights; outcomes; and each one's unit."""

    @abstractmethod
    def iter_scored_tasks(self) -> Iterator[tuple[float, VoteData]]:
        """Yield for each task with a score its weight and its own ballots."""

    @abstractmethod
    def total_weight(self, levels: int = 1) -> float:
        """Sum the weight of all ballots that count, or at two levels of the tasks."""

    def scored_task_group_codes(self) -> Positions:
        """Return the group's number of each task with a score; its own without groups."""
        return np.zeros(1, dtype=np.intp)

    @abstractmethod
    def check(self, request: ViewRequest) -> None:
        """Refuse options that these votes don't support."""

    @abstractmethod
    def select_systems(self, systems: Iterable[Label]) -> Votes:
        """Select these systems, in this order."""

    @property
    def scored(self) -> Bools:
        """Mask of the systems with a score on a task with a weight; all that were compared."""
        return self.data.scored

    @property
    def unscored(self) -> pd.Index:
        """The systems without a single score."""
        return self.systems[~self.scored]

    def drop_unscored(self) -> Votes:
        """Select the systems with a score; refuse votes in which no system has any."""
        if (scored := self.scored).all():
            return self
        if not scored.any():
            raise ValueError(
                f"no system has a score ({format_labels(self.systems, max_items=3)}), so there is "
                "nothing to rank; give at least one score on a task with a weight"
            )
        return self.select_systems(self.systems[scored])

    def format_cells(self, wrong: Bools) -> str:
        """Format the systems and the tasks (systems x tasks) at fault, for a message."""
        return cells_named(self.systems, self.tasks, wrong)

    def expand_voters(self, *, each: bool = False) -> Self:
        """Expand tasks that several voters cast to one for each, or weigh each as one voter."""
        return self

    def build_task_ballots(self, score_task: Callable[[VoteData], Floats]) -> BallotData:
        """Build a ballot for each task from the result within it, for its scored systems."""
        weights, columns = [], []
        for weight, views in self.iter_scored_tasks():
            part = views.scored
            column = np.full(len(part), np.nan)
            column[part] = score_task(views.select_systems(part))
            weights.append(weight)
            columns.append(column)
        shape = (len(columns), len(self.systems))
        return BallotData(Profile(np.reshape(columns, shape).T, np.array(weights, dtype=float)))

    def rank_within_tasks(
        self, sees: str, score: Callable[[Any], Floats], missing: Missing
    ) -> BallotData:
        """Rank the systems with a score by a rule within each task: a ballot for each."""
        return self.build_task_ballots(
            lambda views: (
                -competition_ranks(getattr(views, sees)(missing).scores(score)).astype(float)
            )
        )

    def view_pairs(self, request: ViewRequest) -> View[PairwiseCounts]:
        """Return the pairs on all ballots, or at two levels on the majorities within the tasks."""
        self.check(request)
        view = self.data.pairs(request.missing)
        if request.levels == 1:
            return view
        wins, ties = np.zeros((2, *view.data.wins.shape))
        total = 0.0
        for counts in self.iter_task_majorities(request.missing):
            wins += counts.wins
            ties += counts.ties
            total += counts.total
        return replace(view, data=PairwiseCounts(wins, ties, total))

    def iter_task_majorities(self, missing: Missing) -> Iterator[PairwiseCounts]:
        """Yield for each task its weight, given to the winner of each pair on its instances."""
        for weight, views in self.iter_scored_tasks():
            counts = views.pairs(missing).data
            margins = counts.margins
            ties = (margins == 0) & (counts.compared > 0)
            np.fill_diagonal(ties, False)
            yield PairwiseCounts(
                np.where(margins > 0, weight, 0.0), np.where(ties, weight, 0.0), weight
            )
