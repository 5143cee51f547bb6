"""A leaderboard: scores with labels, weights, groups and orientation, checked once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays.averages import TaskSums
from nbrank.arrays.kinds import Array, Bools, Floats, Ints, Positions
from nbrank.arrays.profile import Missing, Profile
from nbrank.votes.board_forms import instance_frame, summary_line
from nbrank.votes.described import described, refuse_unknown
from nbrank.votes.doubts import warn_of_doubts
from nbrank.votes.labelled import as_frame
from nbrank.votes.methods import HasMethods
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.near_ties import Decimals, decimals_of, rounded, warn_of_near_ties
from nbrank.votes.options import Asked
from nbrank.votes.replicates import Replicates
from nbrank.votes.score_table import ScoreTable, check_unique
from nbrank.votes.task_names import (
    Counts,
    Groups,
    LowerIsBetter,
    TableOptions,
    TaskNames,
    Weights,
    within_reach,
)
from nbrank.votes.views import Ballots
from nbrank.votes.votes import Votes

if TYPE_CHECKING:
    from nbrank.arrays.strength_uncertainty import Evidence


@described
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Leaderboard(Votes):
    """Scores of systems on tasks, with weights, groups and orientation, checked once.

    Every rule and every question that takes scores is a method, without these options:
    `board.borda()` is `nbrank.borda(board)`.

    Parameters
    ----------
    scores
        A frame with a row for each system and a column for each task; numbers, NaN where a system
        was not evaluated. MultiIndex columns (group, task) give the groups. Rows with a MultiIndex
        of levels named `system` and `instance` are instance-level scores; with `system` and `seed`
        (or `run`, `fold`, `repeat`) they are runs, which are averaged. Polars frames have no index:
        the column called `system`, `model` or the like names the rows, else the first if it holds
        texts.
    weights
        A mapping from task to weight (1 where it is not named), or from every group to a weight
        that its tasks share equally, or "balanced": every group the same total. None weighs every
        task 1. Where the largest is above 1e100 or below 1e-100, all are divided by it.
    {groups}
    {lower_is_better}
    counts
        How many voters each task stands for: a mapping from task to a whole number (1 where it is
        not named), or a number for each. A task with the count 3 is three equal tasks, each of its
        weight. Not for instance-level scores.
    decimals
        To how many decimals scores are rounded, so that those that are then equal tie: a
        number, or a mapping from task (or group). None compares them exactly.

    Attributes
    ----------
    systems, tasks : pandas.Index
        The labels, in table order; tuples where the columns are a MultiIndex.
    values : numpy.ndarray
        Systems x columns as given, read-only; a column is a task, or for
        instance-level scores an instance of a task.
    column_task : numpy.ndarray
        The position of each column's task in `tasks`.
    instances : pandas.Index or None
        The instance of each column, or None for task-level scores.
    weights, counts : numpy.ndarray
        The weight of each task, as it counts: of all its voters together; and how many these are.
    groups : Mapping or None
        Group -> its tasks.
    lower : numpy.ndarray
        Whether lower is better, for each task.
    replicates : Replicates or None
        The runs of which the values are averages, as they were given.
    decimals : numpy.ndarray
        To how many decimals the scores of each task are rounded; NaN where they are exact.

    Raises
    ------
    TypeError
        If a column does not hold numbers, or the scores are no frame.
    ValueError
        If the table is empty or is itself a ranking, if a system or task is there twice, or if
        weights, groups or orientation do not fit; the message names the labels and says what to do.

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

    systems: pd.Index
    tasks: pd.Index
    values: Array
    column_task: Positions
    instances: pd.Index | None
    weights: Floats
    counts: Ints
    groups: Mapping[Label, tuple[Label, ...]] | None
    lower: Bools
    decimals: Floats
    replicates: Replicates | None = None

    offers: ClassVar = frozenset({"ballots", "sums", "standings", "pairs", "tasks", "units"})
    lacks: ClassVar = "needs comparisons, and these are scores"
    instead = "this is a Leaderboard already; make another from its .scores, or use .with_weights()"
    own_options: ClassVar = (
        "{given} can't be given beside a Leaderboard, which has its own; make another Leaderboard "
        "from its .scores, or use .with_weights()"
    )

    def __init__(
        self,
        scores: pd.DataFrame,
        *,
        weights: Weights = None,
        groups: Groups = None,
        lower_is_better: LowerIsBetter = (),
        counts: Counts = None,
        decimals: Decimals = None,
    ) -> None:
        given, scores = scores, as_frame(scores)
        table = ScoreTable.of(scores)
        if counts is not None and table.instances is not None:
            raise ValueError("counts are for tasks, and these scores are of single instances")
        names = TaskNames.of(scores.columns, groups)
        voters = names.counts(counts)
        places = decimals_of(names, decimals)
        values = rounded(table.values, places[table.column_task])
        by_group = {
            group: tuple(names.tasks[position] for position in members)
            for group, members in names.members.items()
        }
        vars(self).update(
            systems=table.systems,
            tasks=names.tasks,
            values=values,
            column_task=table.column_task,
            instances=table.instances,
            weights=names.weights(weights, voters),
            counts=voters,
            groups=MappingProxyType(by_group) if by_group else None,
            lower=names.lower(lower_is_better),
            decimals=places,
            replicates=table.replicates,
        )
        for array in (values, table.column_task, self.weights, voters, self.lower, places):
            array.flags.writeable = False
        # Who looks at places first says of near ties, be it of parts of the table. It holds what is
        # looked at, and not the board: a circle would keep the scores until they are collected.
        look = partial(warn_of_near_ties, self.values, self.systems, self.tasks, self.weights > 0)
        vars(self)["_unlooked"] = [look] if table.instances is None else []
        warn_of_doubts(scores, self, names, weights, lower_is_better, given=given)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set every field, and lock what could be written to."""
        vars(self).update(state, groups=state["groups"] and MappingProxyType(state["groups"]))
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return state | {"groups": self.groups and dict(self.groups)}

    def __repr__(self) -> str:
        return summary_line(self)

    def _repr_html_(self) -> str:
        return f"<p>{self!r}</p>{self.scores.to_html(max_rows=20)}"

    @property
    def is_instance_level(self) -> bool:
        """Whether there is a score for each instance of a task."""
        return self.instances is not None

    @property
    def scores(self) -> pd.DataFrame:
        """The scores as a frame: systems (or system and instance) x tasks."""
        if self.instances is None:
            return pd.DataFrame(self.values.copy(), index=self.systems, columns=self.tasks)
        return instance_frame(self, self.instances)

    @cached_property
    def names(self) -> TaskNames:
        """What its tasks and groups may be called."""
        return TaskNames.of(self.tasks, self.groups)

    @property
    def lower_is_better(self) -> tuple[Label, ...]:
        """The tasks on which a lower score is better."""
        return tuple(self.tasks[self.lower])

    @property
    def task_weights(self) -> pd.Series:
        """The weight of each task, labelled."""
        return pd.Series(self.weights, index=self.tasks, name="weight")

    @cached_property
    def views(self) -> Ballots:
        """All ballots together."""
        return Ballots(self.profile())

    def tasks_with_scores(self) -> Iterator[tuple[float, Ballots]]:
        """For each task in which somebody has a score, its weight and its own ballots."""
        columns_of = self.columns_by_task()
        for task in np.flatnonzero(self.weights > 0).tolist():
            columns = columns_of[task][self.that_count[columns_of[task]]]
            ballots = Ballots(Profile(self._ballots(columns).scores, np.ones(len(columns))))
            if ballots.scored.any():
                yield float(self.weights[task]), ballots

    def check(self, asked: Asked) -> None:
        """Refuse missing scores where they are to be refused; warn of scores that nearly tie."""
        if asked.sees != "scores" and (unlooked := self.__dict__.get("_unlooked")):
            unlooked.pop()(asked.rule)
        if asked.missing == "raise":
            self.refuse_cells(asked.rule, np.isnan, "missing score", asked.advice)

    def refuse_infinite(self, rule: str, advice: str) -> None:
        """Refuse infinite scores, of which there is no average."""
        self.refuse_cells(rule, np.isinf, "infinite score", advice)

    def refuse_cells(
        self, rule: str, at_fault: Callable[[Array], Bools], what: str, advice: str
    ) -> None:
        """Name the systems and tasks of the scores that a rule can't take, and what to do."""
        wrong = np.asarray(at_fault(self.values)) & self.that_count
        if wrong.any():
            of_tasks = np.zeros((len(self.systems), len(self.tasks)), dtype=bool)
            systems, columns = np.nonzero(wrong)
            of_tasks[systems, self.column_task[columns]] = True
            raise ValueError(
                f"{rule}: {counted(int(wrong.sum()), what)}, of {self.where(of_tasks)}; {advice}"
            )

    def sums(self, missing: Missing) -> tuple[pd.Index, TaskSums]:
        """The tasks that count, and on each the scores of each system, summed over instances."""
        tasks, task_of = np.unique(self.ballot_task, return_inverse=True)
        seen = self.views.scores(missing)
        # Who has no score at all has no mean, also where missing scores are filled in.
        scores = np.where(seen.scored[:, None], seen.view.scores, np.nan)
        return self.tasks[tasks], TaskSums.of(scores, task_of, self.weights[tasks])

    @property
    def drawn(self) -> str:
        """What a task is drawn with: "groups", or "tasks" on their own."""
        return "tasks" if self.groups is None else "groups"

    def unit_of(self, *, instances: bool) -> Positions:
        """The number of what each column that counts is drawn with: itself, its task or group."""
        if instances:
            return np.arange(self.that_count.sum())
        return np.unique(self.names.group_of()[self.ballot_task], return_inverse=True)[1]

    def task_groups(self) -> Positions:
        """The number of the group of each task in which somebody has a score; of itself if none."""
        scored = ~np.isnan(self.values[:, self.that_count]).all(axis=0)
        first = np.unique(self.ballot_task[scored], return_index=True)[1]
        units: Positions = self.unit_of(instances=False)[scored]
        return units[first]

    def evidence(self) -> Evidence:
        """What the strengths hang on: instances, or tasks, in groups where there are any."""
        from nbrank.arrays.strength_uncertainty import ClusteredBallots

        unit_of = self.unit_of(instances=self.is_instance_level)
        return ClusteredBallots(self.views.pairs("ignore").view, self.profile(), unit_of)

    def total_weight(self, levels: int = 1) -> float:
        """The weight of all ballots that count; at two levels, of every task."""
        task = self.ballot_task
        return float(self.weights[np.unique(task) if levels == 2 else task].sum())

    def profile(self) -> Profile:
        """The ballots that count, higher being better: tasks, or all instances of all tasks."""
        return self._ballots(np.flatnonzero(self.that_count))

    def columns_by_task(self) -> list[Positions]:
        """The columns of each task, in their order."""
        n_columns = np.bincount(self.column_task, minlength=len(self.tasks))
        order = np.argsort(self.column_task, kind="stable")
        return np.split(order, np.cumsum(n_columns)[:-1])

    def with_tasks(self, tasks: Iterable[Label]) -> Leaderboard:
        """The same systems on these tasks, with their weights; groups left empty are gone."""
        positions = self.names.positions(tasks, "tasks")
        columns_of = self.columns_by_task()
        columns = np.concatenate([columns_of[position] for position in positions])
        renumbered = np.full(len(self.tasks), -1)
        renumbered[positions] = np.arange(len(positions))
        kept = self.tasks[positions]
        groups = self.groups and {
            group: left
            for group, members in self.groups.items()
            if (left := tuple(task for task in members if task in kept))
        }
        return self._changed(
            tasks=kept,
            values=self.values[:, columns],
            column_task=renumbered[self.column_task[columns]],
            instances=None if self.instances is None else self.instances[columns],
            weights=self.weights[positions],
            counts=self.counts[positions],
            groups=groups,
            lower=self.lower[positions],
            decimals=self.decimals[positions],
            replicates=self.replicates and self.replicates.on(positions),
        )

    def with_systems(self, systems: Iterable[Label]) -> Leaderboard:
        """The same tasks with these systems, in this order."""
        wanted = list(systems)
        known = {system: position for position, system in enumerate(self.systems)}
        unknown = [system for system in wanted if system not in known]
        if unknown:
            raise ValueError(f"unknown systems: {named(unknown)}; known: {named(known)}")
        positions = [known[system] for system in wanted]
        check_unique(self.systems[positions], "system")
        values = self.values[positions]
        runs = self.replicates and self.replicates.of(positions)
        return self._changed(systems=self.systems[positions], values=values, replicates=runs)

    in_order = with_systems

    def with_weights(self, weights: Weights) -> Leaderboard:
        """The same scores with other weights, given as for `Leaderboard`."""
        return self._changed(weights=self.names.weights(weights, self.counts))

    def with_task_weights(self, weights: Floats) -> Leaderboard:
        """The same scores with other weights, one for each task in table order."""
        given = np.array(weights, dtype=float)
        if given.shape != self.weights.shape or not (given >= 0).all() or not given.any():
            raise ValueError(
                f"weights by position are {len(self.tasks)} numbers, none below 0 and not all 0, "
                f"not {weights!r}"
            )
        return self._changed(weights=given)

    def with_values(self, values: Array) -> Leaderboard:
        """The same systems and columns with other scores, as they are; runs are moved along."""
        if values.shape != self.values.shape:
            raise ValueError(f"values have the shape {values.shape}, not {self.values.shape}")
        runs = self.replicates and self.replicates.moved(values - self.values)
        return self._changed(values=values.copy(), replicates=runs)

    def measured_anew(self, values: Array) -> Leaderboard:
        """Return the same systems and columns with scores of another measurement, rounded alike."""
        return self.with_values(rounded(values, self.decimals[self.column_task]))

    def with_replicates(self, runs: Replicates) -> Leaderboard:
        """Return the same systems and tasks with the averages of other runs, rounded alike."""
        return self._changed(values=rounded(runs.means, self.decimals), replicates=runs)

    def exact(self) -> Leaderboard:
        """Return the same scores, of which others that take their place are not rounded."""
        return self._changed(decimals=np.full(len(self.tasks), np.nan))

    @cached_property
    def rounded_runs(self) -> Replicates | None:
        """The runs, each rounded as the scores are; None if there are none."""
        runs = self.replicates
        return runs and replace(runs, values=cast("Floats", rounded(runs.values, self.decimals)))

    def runs_of(self, system: int) -> Array:
        """Return the rounded scores of a system, runs x columns; a single row without runs."""
        runs = self.rounded_runs
        return self.values[[system]] if runs is None else runs.of_system(system)

    def _changed(self, **fields: Any) -> Leaderboard:
        changed = object.__new__(Leaderboard)
        state = self.__getstate__() | fields
        # Also of the tasks that are left of others that weighed far more.
        changed.__setstate__(state | {"weights": within_reach(state["weights"])})
        if fields.keys() & {"tasks", "systems", "weights"}:
            object.__setattr__(changed, "_unlooked", self.__dict__.get("_unlooked"))
        return changed

    @cached_property
    def that_count(self) -> Bools:
        """Which columns count: of tasks with a weight, and with a score at instance level."""
        found: Bools = self.weights[self.column_task] > 0
        if self.instances is not None:
            found = found & ~np.isnan(self.values).all(axis=0)
        found.flags.writeable = False
        return found

    @property
    def ballot_task(self) -> Positions:
        """The position of the task of each column that counts."""
        return self.column_task[self.that_count]

    def _ballots(self, columns: Positions) -> Profile:
        whole = len(columns) == self.values.shape[1]
        scores = self.values if whole else self.values[:, columns]
        lower = self.lower[self.column_task[columns]]
        if lower.any():
            scores = np.where(lower, -scores, scores)
        return Profile(scores, self.weights[self.column_task[columns]])


#: What can be ranked.
Source = pd.DataFrame | HasMethods


def as_votes(scores: Source, sees: str = "", /, **table: Unpack[TableOptions]) -> Votes:
    """Check once what is ranked, and what goes with it; votes that offer `sees` pass through."""
    for unknown in table.keys() - TableOptions.__annotations__:
        refuse_unknown(unknown)
    if not isinstance(scores, HasMethods):
        return Leaderboard(scores, **table)
    if not set(sees.split()) <= scores.offers:
        raise TypeError(scores.instead)
    unsaid = all(one is None or (isinstance(one, tuple) and not one) for one in table.values())
    if unsaid and isinstance(scores, Votes):
        return scores
    votes: Votes = scores.weighed(**table)
    return votes


def as_leaderboard(
    scores: pd.DataFrame | Leaderboard, /, **table: Unpack[TableOptions]
) -> Leaderboard:
    """Check a frame once, or pass a leaderboard through."""
    return cast("Leaderboard", as_votes(scores, "ballots", **table))
