"""The class of a leaderboard: scores with labels, weights, groups and orientation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.typing import Bools, Positions
from nbrank.votes.base import Votes
from nbrank.votes.formatting import pluralize
from nbrank.votes.labeled_values import as_frame
from nbrank.votes.leaderboard_copies import LeaderboardCopies
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.required_arguments import raise_unknown_keyword
from nbrank.votes.table.numeric_cells import Decimals, parse_decimals, round_values
from nbrank.votes.table.row_levels import (
    Clusters,
    choose_clusters,
    cluster_units,
    instance_frame,
)
from nbrank.votes.table.score_frame import ParsedScores, validate_descriptions, validate_errors
from nbrank.votes.table.task_options import (
    CountsLike,
    Groups,
    LowerIsBetter,
    TableOptions,
    TaskIndex,
    Weights,
)
from nbrank.votes.table.validation import ViewRequest
from nbrank.votes.user_warnings import BOARD_CHECKS
from nbrank.votes.views import BallotData

if TYPE_CHECKING:  # Type checkers see the methods, which `MethodsMixin` finds at run time.
    from nbrank.votes.source_methods import LeaderboardMethods
else:
    LeaderboardMethods = object


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Leaderboard(LeaderboardCopies, LeaderboardMethods):
    """Scores of systems on tasks, with weights, groups and orientation, checked once.

    Every rule and every question that takes scores is a method, without these options:
    `board.borda()` is `nbrank.borda(board)`.

    Parameters
    ----------
    scores
        A frame with a row for each system and a column for each task; numbers, NaN where a system
        was not evaluated. MultiIndex columns (group, task) give the groups. Rows with a MultiIndex
        of levels named `system` and `instance` are instance-level scores; with `system` and `seed`
        (or `run`, `fold`, `repeat`, or several of them) they are runs, which are averaged. With
        instances, `run` is averaged over, too, and `cluster` (or `passage`, `user` and the like)
        holds instances that depend on each other: questions of uncertainty then resample whole
        clusters. Names of systems and tasks are stripped and brought into one Unicode form (NFC);
        both spellings refer to them. Polars frames have no index: the column called `system`,
        `model` or the like names the rows, else the first if it holds texts.
    weights
        A mapping from task to weight (1 if it is not named), or from every group to a weight
        that its tasks share equally, or "balanced": every group the same total. None weighs every
        task 1. Where the largest is above 1e100 or below 1e-100, all are divided by it.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    counts
        How many voters each task stands for: a mapping from task to a whole number (1 if it is
        not named), or a number for each. A task with the count 3 is three equal tasks, each of its
        weight. Not for instance-level scores.
    cluster
        The clusters of instances, if the rows don't name them so: a level of the rows, or a
        mapping or Series from instance to cluster.
    decimals
        The number of decimals to which scores are rounded, so that equal ones tie: a
        number, or a mapping from task (or group). None compares them exactly.
    errors
        The standard errors of the scores: a frame with the labels of the scores, NaN for unknown
        ones. Questions of uncertainty use them with `over="errors"`.
    descriptions
        Descriptions of the systems, a row for each: size, licence, link and the like.

    Attributes
    ----------
    systems, tasks : pandas.Index
        The labels, in table order; tuples where the columns are a MultiIndex.
    values : numpy.ndarray
        Systems x columns as given, read-only; a column is a task, or for
        instance-level scores an instance of a task.
    task_codes : numpy.ndarray
        The position of each column's task in `tasks`.
    instances : pandas.Index or None
        The instance of each column, or None for task-level scores.
    weights, voter_counts : numpy.ndarray
        The weight of each task, multiplied by its number of voters; and that number.
    groups : Mapping or None
        Group -> its tasks.
    is_lower_better : numpy.ndarray
        Whether lower is better, for each task.
    replicates : Replicates or None
        The runs behind the values, as they were given.
    decimals : numpy.ndarray
        The number of decimals to which the scores of each task are rounded; NaN if exact.
    clusters : pandas.Index or None
        The cluster of each column, if instances are in clusters.
    averaged : AveragedLevels or None
        The unit that each instance's score averages, as text.
    errors, descriptions : pandas.DataFrame or None
        As they were given.
    reading : pandas.DataFrame or None
        How `nbrank.read` read the table: a row for each column of the file.

    Raises
    ------
    TypeError
        If a column does not hold numbers, or the scores are not a frame.
    ValueError
        If the table is empty or is itself a ranking, if a system or task occurs twice, or if
        weights, groups or orientation do not fit; the message names the labels and a remedy.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"accuracy": [0.9, 0.8], "seconds": [3.0, 1.0]}, index=["A", "B"])
    >>> board = Leaderboard(scores, weights={"accuracy": 2}, lower_is_better=["seconds"])
    >>> board
    Leaderboard: 2 systems x 2 tasks (lower is better: 'seconds')
    >>> board.weights.tolist()
    [2.0, 1.0]
    """

    kind = "scores"
    provides: ClassVar = frozenset({"ballots", "sums", "standings", "pairs", "tasks", "units"})
    _unsupported_message: ClassVar = "needs comparisons, and these are scores"
    _alternative_message = (
        "this is a Leaderboard already; use it as it is, or with other weights or groups: "
        "board.with_weights(weights), board.with_groups(groups)"
    )

    def __init__(
        self,
        scores: pd.DataFrame,
        *,
        weights: Weights = None,
        groups: Groups = None,
        lower_is_better: LowerIsBetter = (),
        counts: CountsLike = None,
        cluster: Clusters = None,
        decimals: Decimals = None,
        errors: pd.DataFrame | None = None,
        descriptions: pd.DataFrame | None = None,
    ) -> None:
        value: Any = scores
        if not isinstance(value, pd.DataFrame):
            scores = as_frame(value, level=cluster)
        table = ParsedScores.from_frame(scores, cluster)
        errors = validate_errors(errors, table.systems, table.tasks, scores.index)
        descriptions = validate_descriptions(descriptions, table.systems)
        if counts is not None and table.instances is not None:
            raise ValueError("counts are for tasks, and these scores are of single instances")
        names = TaskIndex.from_groups(table.tasks, groups)
        voters = names.parse_counts(counts)
        values, places = table.values, np.full(len(names.tasks), np.nan)
        if decimals is not None:
            places = parse_decimals(names, decimals)
            values = round_values(values, places[table.task_codes])
        clusters = table.clusters
        if cluster is not None:
            clusters = choose_clusters(cluster, table.instances, clusters, scores.index.names)
        fields = {
            "values": values,
            "weights": names.parse_weights(weights, voters),
            "voter_counts": voters,
            "groups": names.labelled_groups(),
            "is_lower_better": names.parse_lower_is_better(lower_is_better),
            "decimals": places,
            "clusters": clusters,
            "errors": errors,
            "descriptions": descriptions,
        }
        vars(self).update(vars(table) | fields)
        for array in (values, table.task_codes, self.weights, voters, self.is_lower_better, places):
            array.flags.writeable = False
        given = (value, scores.attrs, weights, lower_is_better)
        due = [item for check in BOARD_CHECKS for item in check(self, *given)]
        vars(self)["_ranking_checks"] = due

    def _repr_html_(self) -> str:
        reading = "" if self.reading is None else self.reading.to_html(na_rep="", index=False)
        return f"<p>{self!r}</p>{self.scores.to_html(max_rows=20)}{reading}"

    @property
    def scores(self) -> pd.DataFrame:
        """The scores as a frame: systems (or systems and instances) x tasks."""
        if self.instances is None:
            frame = pd.DataFrame(self.values.copy(), index=self.systems, columns=self.tasks)
        else:
            columns = self.task_codes, self.instances, self.clusters
            frame = instance_frame(self.values, self.systems, self.tasks, *columns)
        # The columns that were set aside.
        if self.reading is not None:
            frame.attrs = dict[Any, Any](self.reading.frame_attrs)
        return frame

    def task_scores(self) -> pd.DataFrame:
        """Return the score of each system on each task, or the mean over its instances."""
        if self.instances is None:
            return self.scores
        return self.scores.groupby(level="system", sort=False).mean().reindex(self.systems)

    def to_frame(self) -> pd.DataFrame:
        """Return the scores with higher being better: the other tasks are negated."""
        return self.scores.mul(np.where(self.is_lower_better, -1.0, 1.0), axis=1)

    @property
    def scored(self) -> Bools:
        """Mask of the systems with a score on a task with a weight."""
        counts = self.weights[self.task_codes] > 0
        return np.asarray((~np.isnan(self.values) & counts).any(axis=1))

    @cached_property
    def data(self) -> BallotData:
        """All ballots together."""
        return BallotData(self.profile())

    def iter_scored_tasks(self) -> Iterator[tuple[float, BallotData]]:
        """Yield for each task with a score its weight and its own ballots."""
        columns_of = self.columns_by_task()
        for task in np.flatnonzero(self.weights > 0).tolist():
            columns = columns_of[task][self.active_columns[columns_of[task]]]
            ballots = BallotData(Profile(self._make_profile(columns).scores, np.ones(len(columns))))
            if ballots.scored.any():
                yield float(self.weights[task]), ballots

    def check(self, request: ViewRequest) -> None:
        """Refuse missing scores if requested, after warnings of what is doubtful in a ranking."""
        checks = self.__dict__.get("_ranking_checks", [])
        for due in [item for item in checks if item.unless not in (request.view, request.missing)]:
            checks.remove(due)
            due.warn(request.rule, self.systems)
        if request.missing == "raise":
            missing = np.isnan(self.values)
            self.raise_for_cells(request.rule, missing, "missing score", request.missing_advice)

    def check_finite(self, rule: str, advice: str) -> None:
        """Refuse infinite scores, which have no average."""
        self.raise_for_cells(rule, np.isinf(self.values), "infinite score", advice)

    def raise_for_cells(self, rule: str, faulty: Bools, subject: str, advice: str) -> None:
        """Raise an error that names the scores that a rule can't use, and a remedy."""
        wrong = faulty & self.active_columns
        if wrong.any():
            of_tasks = np.zeros((len(self.systems), len(self.tasks)), dtype=bool)
            systems, columns = np.nonzero(wrong)
            of_tasks[systems, self.task_codes[columns]] = True
            raise ValueError(
                f"{rule}: {pluralize(int(wrong.sum()), subject)}, of "
                f"{self.format_cells(of_tasks)}; {advice}"
            )

    @property
    def default_unit_kind(self) -> str:
        """The unit in which tasks are resampled: "groups", or single "tasks"."""
        return "tasks" if self.groups is None else "groups"

    def unit_codes(self, *, instances: bool) -> Positions:
        """Return the number of the unit of each column that counts: itself, its task or group.

        An instance is resampled with its cluster, if it has one.
        """
        if instances:
            units = self.column_clusters
            return np.arange(self.active_columns.sum()) if units is None else units
        return np.unique(
            self.task_names.group_codes()[self.ballot_task_codes], return_inverse=True
        )[1]

    @cached_property
    def column_clusters(self) -> Positions | None:
        """The number of the cluster of each column that counts; None without clusters."""
        if self.instances is None or self.clusters is None:
            return None
        return cluster_units(
            self.clusters[self.active_columns], self.instances[self.active_columns]
        )

    def scored_task_group_codes(self) -> Positions:
        """Return the group's number of each task with a score; its own without groups."""
        scored = ~np.isnan(self.values[:, self.active_columns]).all(axis=0)
        first = np.unique(self.ballot_task_codes[scored], return_index=True)[1]
        units: Positions = self.unit_codes(instances=False)[scored]
        return units[first]

    def unit_outcomes(self) -> tuple[PairwiseCounts, PairwiseCounts, Profile, Positions]:
        """Return the ballots with the number of each one's unit: itself, its task, or group."""
        counts = self.data.pairs("ignore").data
        return counts, counts, self.profile(), self.unit_codes(instances=self.is_instance_level)

    def total_weight(self, levels: int = 1) -> float:
        """Sum the weight of all ballots that count; at two levels, of every task."""
        task = self.ballot_task_codes
        return float(self.weights[np.unique(task) if levels == 2 else task].sum())

    def profile(self) -> Profile:
        """Return the ballots that count, higher being better: tasks, or instances of all tasks."""
        return self._make_profile(np.flatnonzero(self.active_columns))

    @cached_property
    def active_columns(self) -> Bools:
        """Mask of the columns that count: their task has a weight, their instance a score."""
        result: Bools = self.weights[self.task_codes] > 0
        if self.instances is not None:
            result = result & ~np.isnan(self.values).all(axis=0)
        result.flags.writeable = False
        return result

    @property
    def ballot_task_codes(self) -> Positions:
        """The position of the task of each column that counts."""
        return self.task_codes[self.active_columns]

    def expand_voters(self, *, each: bool = False) -> Self:
        """Expand the tasks to one for each voter, or give each the weight of one voter."""
        if self.draws_single_voters:
            return self
        return self.select_voters(self.voter_task_codes if each else np.arange(len(self.tasks)))

    def select_voters(self, tasks: Positions) -> Self:
        """Select a voter of each of these tasks, as a numbered task with the voter's weight."""
        return type(self)(
            pd.DataFrame(self.values[:, tasks], index=self.systems),
            weights=dict(enumerate((self.weights / self.voter_counts)[tasks])),
            lower_is_better=dict(enumerate(self.is_lower_better[tasks])),
        )

    def _make_profile(self, columns: Positions) -> Profile:
        whole = len(columns) == self.values.shape[1]
        scores = self.values if whole else self.values[:, columns]
        lower = self.is_lower_better[self.task_codes[columns]]
        if lower.any():
            scores = np.where(lower, -scores, scores)
        return Profile(scores, self.weights[self.task_codes[columns]])


#: Type of all data that can be ranked.
VotesLike = pd.DataFrame | MethodsMixin


def as_votes(
    scores: VotesLike,
    requires: str = "",
    cluster: Clusters = None,
    /,
    **table: Unpack[TableOptions],
) -> Votes:
    """Check as `unwarned_votes` does, and warn of misleading votes once for a whole call."""
    votes = unwarned_votes(scores, requires, cluster, **table)
    return votes if votes.silent else votes.emit_warnings()


def unwarned_votes(
    scores: VotesLike, sees: str = "", cluster: Clusters = None, /, **table: Unpack[TableOptions]
) -> Votes:
    """Check the data and its options once; votes that offer `sees` pass through.

    Only functions that resample clusters pass them on, by position: in others, `cluster` is an
    unknown keyword.
    """
    for unknown in table.keys() - TableOptions.__annotations__:
        raise_unknown_keyword(unknown)
    if not isinstance(scores, MethodsMixin):
        return Leaderboard(scores, cluster=cluster, **table)
    if not set(sees.split()) <= scores.provides:
        raise TypeError(scores._alternative_message)
    unsaid = all(item is None or (isinstance(item, tuple) and not item) for item in table.values())
    votes: Votes = scores if unsaid and isinstance(scores, Votes) else scores.with_options(**table)
    return votes if cluster is None else votes.with_clusters(cluster)


def as_leaderboard(
    scores: pd.DataFrame | Leaderboard, cluster: Clusters = None, /, **table: Unpack[TableOptions]
) -> Leaderboard:
    """Check a frame once, or pass a leaderboard through."""
    return cast("Leaderboard", as_votes(scores, "ballots", cluster, **table))
