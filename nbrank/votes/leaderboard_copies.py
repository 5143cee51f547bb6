"""A leaderboard as frames and in words; copies with other tasks, systems, weights or scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self, Unpack, cast

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels, join_truncated, join_words, pluralize
from nbrank.votes.table.numeric_cells import round_values
from nbrank.votes.table.reading import Reading
from nbrank.votes.table.row_levels import AveragedLevels, Clusters, Replicates, choose_clusters
from nbrank.votes.table.score_frame import select_rows
from nbrank.votes.table.task_options import (
    Groups,
    LowerIsBetter,
    TableOptions,
    TaskIndex,
    Weights,
    names_of_given_options,
    rescale_weights,
)

#: Maximum number of systems without a run, and of tasks of each, that are listed.
_MAX_LISTED = 3
#: Type of a board with some of its systems and tasks.
BoardPart = tuple["LeaderboardCopies", Sequence[Label], Set[Label]]


@dataclass(frozen=True, init=False, repr=False, eq=False)
class LeaderboardCopies(Votes):
    """Fields of a leaderboard, methods that show it, and copies with some fields replaced."""

    systems: pd.Index
    tasks: pd.Index
    values: Array
    task_codes: Positions
    instances: pd.Index | None
    weights: Floats
    voter_counts: Ints
    groups: Mapping[Label, tuple[Label, ...]] | None
    is_lower_better: Bools
    decimals: Floats
    replicates: Replicates | None = None
    clusters: pd.Index | None = None
    averaged: AveragedLevels | None = None
    errors: pd.DataFrame | None = None
    descriptions: pd.DataFrame | None = None
    reading: Reading | None = None

    def __repr__(self) -> str:
        noun = "ballot" if self.tasks.name == "ballot" else "task"
        size = f"{pluralize(len(self.systems), 'system')} x {pluralize(len(self.tasks), noun)}"
        if self.instances is not None:
            size += f" ({self.sample_size})"
        notes = []
        if (self.voter_counts > 1).any():
            notes.append(pluralize(int(self.voter_counts.sum()), "voter"))
        if self.groups is not None:
            notes.append(f"groups: {format_labels(self.groups)}")
        if self.is_lower_better.any():
            notes.append(f"lower is better: {format_labels(self.lower_is_better)}")
        notes += [f"averages of {level}" for level in (self.replicates, self.averaged) if level]
        if missing := int(np.isnan(self.values).sum()):
            notes.append(f"{missing} missing")
        return f"Leaderboard: {size}" + (f" ({'; '.join(notes)})" if notes else "")

    @property
    def is_instance_level(self) -> bool:
        """Whether the scores are of instances rather than tasks."""
        return self.instances is not None

    @property
    def sample_size(self) -> str:
        """The number of instances, and of their clusters."""
        size = pluralize(self.values.shape[1], "instance")
        if self.clusters is None:
            return size
        return f"{size} in {pluralize(self.clusters.nunique(), str(self.clusters.name))}"

    @property
    def lower_is_better(self) -> tuple[Label, ...]:
        """The tasks on which a lower score is better."""
        return tuple(self.tasks[self.is_lower_better])

    @property
    def task_weights(self) -> pd.Series:
        """The weight of each task, labelled."""
        return pd.Series(self.weights, index=self.tasks, name="weight")

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set every field, and lock the arrays against writing."""
        vars(self).update(state, groups=state["groups"] and MappingProxyType(state["groups"]))
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return state | {"groups": self.groups and dict(self.groups)}

    def describe_missing_runs(
        self, system: Callable[[Label], str] = str, task: Callable[[Label], str] = str
    ) -> str:
        """Count the missing runs, with their systems and tasks, in words; empty without any.

        Every system should have as many runs on every task as the cell with the most; on every
        instance of a task, as the instance with the most.
        """
        if self.replicates is not None:
            n_runs = self.replicates.n_runs
            expected = np.full(len(self.task_codes), n_runs.max())
        elif self.averaged is not None:
            n_runs, expected = self.averaged.n_runs, self.averaged.expected(self.task_codes)
        else:
            return ""
        lost = np.zeros((len(self.systems), len(self.tasks)), dtype=np.int64)
        np.add.at(lost.T, self.task_codes, (expected - n_runs).T)
        total, by_system = int(lost.sum()), lost.sum(axis=1)
        if expected.max() < 2 or not total:
            return ""
        whose = np.flatnonzero(by_system)[np.argsort(-by_system[by_system > 0], kind="stable")]
        each = []
        for row in whose.tolist():
            tasks = [task(self.tasks[column]) for column in np.flatnonzero(lost[row]).tolist()]
            where = join_words(tasks) if len(tasks) <= _MAX_LISTED else ""
            where = where or join_truncated(tasks, _MAX_LISTED)
            if len(tasks) == len(self.tasks) > 1:
                where = f"all {len(tasks)} tasks"
            number = f" ({by_system[row]:,})" * bool(len(whose) > 1 and by_system.max() > 1)
            each.append(f"{system(self.systems[row])} on {where}{number}")
        are = "is" if total == 1 else "are"
        return (
            f"{total:,} of {int(expected.sum()) * len(n_runs):,} runs {are} missing, of "
            f"{join_truncated(each, _MAX_LISTED)}"
        )

    @property
    def draws_single_voters(self) -> bool:
        """Whether each task is one draw; groups are resampled whole, with all voters."""
        return self.groups is not None or bool((self.voter_counts == 1).all())

    @property
    def voter_task_codes(self) -> Positions:
        """The position of the task of each voter."""
        return np.repeat(np.arange(len(self.tasks)), self.voter_counts.astype(np.intp))

    @cached_property
    def task_names(self) -> TaskIndex:
        """The names of its tasks and groups."""
        return TaskIndex.from_groups(self.tasks, self.groups)

    def columns_by_task(self) -> list[Positions]:
        """List the columns of each task, in their order."""
        n_columns = np.bincount(self.task_codes, minlength=len(self.tasks))
        order = np.argsort(self.task_codes, kind="stable")
        return np.split(order, np.cumsum(n_columns)[:-1])

    def select_tasks(self, tasks: Iterable[Label]) -> Self:
        """Select these tasks, with their weights; groups left empty are dropped."""
        positions = self.task_names.get_positions(tasks, "tasks")
        columns_of = self.columns_by_task()
        columns = np.concatenate([columns_of[position] for position in positions])
        renumbered = np.full(len(self.tasks), -1)
        renumbered[positions] = np.arange(len(positions))
        selected = self.tasks[positions]
        groups = self.groups and {
            group: left
            for group, members in self.groups.items()
            if (left := tuple(task for task in members if task in selected))
        }
        return self._replace(
            tasks=selected,
            values=self.values[:, columns],
            task_codes=renumbered[self.task_codes[columns]],
            instances=None if self.instances is None else self.instances[columns],
            clusters=None if self.clusters is None else self.clusters[columns],
            weights=self.weights[positions],
            voter_counts=self.voter_counts[positions],
            groups=groups,
            is_lower_better=self.is_lower_better[positions],
            decimals=self.decimals[positions],
            replicates=self.replicates and self.replicates.select_tasks(positions),
            averaged=self._select_averages(np.s_[:, columns]),
            errors=None if self.errors is None else self.errors[list(selected)],
        )

    def select_systems(self, systems: Iterable[Label]) -> Self:
        """Select these systems, in this order."""
        positions = np.array(self.find_positions(systems), dtype=np.intp)
        selected = self.systems[positions]
        return self._replace(
            systems=selected,
            values=self.values[positions],
            replicates=self.replicates and self.replicates.select_systems(positions),
            averaged=self._select_averages(np.s_[positions]),
            errors=select_rows(self.errors, selected),
            descriptions=select_rows(self.descriptions, selected),
        )

    def with_options(self, **table: Unpack[TableOptions]) -> Self:
        """Return the board itself, which has its options already."""
        given = names_of_given_options(**table)
        if not given:
            return self
        if self.reading is not None and "lower_is_better" in given:
            listed = ", ".join(f"{name}={name}" for name in given)
            advice = f"give them where it is read: nbrank.read(..., {listed})"
        else:
            # Weights may be of the new groups.
            calls = "".join(f".with_{name}({name})" for name in sorted(given))
            advice = f"take board{calls}, which keeps the rest"
        raise TypeError(
            f"{', '.join(given)} can't be given together with a Leaderboard, which has its own; "
            f"{advice}"
        )

    def with_groups(self, groups: Groups) -> Self:
        """Replace the groups, given as for `Leaderboard`; the tasks keep their weights.

        >>> from nbrank.datasets import load_toy_votes
        >>> import nbrank
        >>> board = nbrank.Leaderboard(load_toy_votes())
        >>> [*board.with_groups({"first": board.tasks[:2], "others": board.tasks[2:]}).groups]
        ['first', 'others']
        """
        return self._replace(groups=TaskIndex.from_groups(self.tasks, groups).labelled_groups())

    def with_lower_is_better(self, lower_is_better: LowerIsBetter) -> Self:
        """Replace the tasks on which lower is better, given as for `Leaderboard`.

        >>> import pandas as pd
        >>> import nbrank
        >>> board = nbrank.Leaderboard(pd.DataFrame({"t": [3, 2]}, index=["A", "B"]))
        >>> board.with_lower_is_better(["t"]).borda().index.tolist()
        ['B', 'A']
        """
        turned = self.task_names.parse_lower_is_better(lower_is_better)
        turned.flags.writeable = False
        return self._replace(is_lower_better=turned)

    def with_weights(self, weights: Weights) -> Self:
        """Replace the weights, given as for `Leaderboard`."""
        return self._replace(weights=self.task_names.parse_weights(weights, self.voter_counts))

    def with_task_weights(self, weights: Floats) -> Self:
        """Replace the weights by one for each task in table order."""
        value = np.array(weights, dtype=float)
        if value.shape != self.weights.shape or not (value >= 0).all() or not value.any():
            raise ValueError(
                f"weights by position are {len(self.tasks)} numbers, none below 0 and not all 0, "
                f"not {weights!r}"
            )
        return self._replace(weights=value)

    def with_values(self, values: Array) -> Self:
        """Replace the scores, without checks; runs are moved along."""
        if values.shape != self.values.shape:
            raise ValueError(f"values have the shape {values.shape}, not {self.values.shape}")
        runs = self.replicates and self.replicates.shift(values - self.values)
        return self._replace(values=values.copy(), replicates=runs)

    def with_columns(self, columns: Positions) -> Self:
        """Select these instances, each possibly several times."""
        return self._replace(
            values=self.values[:, columns],
            task_codes=self.task_codes[columns],
            instances=pd.RangeIndex(len(columns)),
            clusters=None,
            averaged=self._select_averages(np.s_[:, columns]),
        )

    def combine_boards(self, systems: pd.Index, parts: Iterable[BoardPart]) -> Self:
        """Combine parts of other boards into one with the same tasks and options.

        A part counts on the tasks that it shares with this board; scores in no part are missing.
        Instances that only a part has are added to their task.
        """
        listed = list(parts)
        keys = self._column_keys()
        columns = {key: column for column, key in enumerate(keys)}
        codes = {task: code for code, task in enumerate(self.tasks)}
        for board, _, tasks in listed:
            for task, instance in board._column_keys():
                if task in tasks and task in codes and (task, instance) not in columns:
                    columns[task, instance] = len(columns)
        rows = {system: row for row, system in enumerate(systems)}
        values = np.full((len(rows), len(columns)), np.nan)
        runs: list[Floats] = []
        whose: list[int] = []
        for board, chosen, tasks in listed:
            placed = [
                (column, columns[key])
                for column, key in enumerate(board._column_keys())
                if key[0] in tasks and key in columns
            ]
            own, target = np.array(placed, dtype=np.intp).reshape(-1, 2).T
            for row, system in zip(board.find_positions(chosen), chosen, strict=True):
                values[rows[system], target] = board.values[row, own]
                for run in board.select_runs(row):
                    scores = np.full(len(columns), np.nan)
                    scores[target] = run[own]
                    runs.append(scores)
                    whose.append(rows[system])
        boards: list[LeaderboardCopies] = [self, *(board for board, _, _ in listed)]
        level = next((board.replicates.level for board in boards if board.replicates), None)
        task_codes = np.array([codes[task] for task, _ in columns], dtype=np.intp)
        instances = [instance for _, instance in columns]
        return self._replace(
            systems=systems,
            values=values,
            task_codes=task_codes,
            instances=None
            if self.instances is None
            else pd.Index(instances, tupleize_cols=False, name=self.instances.name),
            clusters=None,
            replicates=level and Replicates(np.array(runs), np.array(whose), level, len(rows)),
            averaged=None,
        )

    def _column_keys(self) -> list[tuple[Label, Label]]:
        """Return the task of each column, and its instance; None if the scores are of tasks."""
        tasks = list(self.tasks)
        instances = [None] * len(self.task_codes) if self.instances is None else self.instances
        return [(tasks[code], each) for code, each in zip(self.task_codes, instances, strict=True)]

    def _select_averages(self, systems: Any) -> AveragedLevels | None:
        """Return the levels averaged in the scores of some systems or columns."""
        averaged = self.averaged
        return averaged and replace(averaged, n_runs=averaged.n_runs[systems])

    def with_clusters(self, cluster: Clusters) -> Self:
        """Put the instances into these clusters."""
        return self._replace(clusters=choose_clusters(cluster, self.instances, self.clusters))

    def measured_anew(self, values: Array) -> Self:
        """Return the same systems and columns with scores of another measurement, rounded alike."""
        return self.with_values(round_values(values, self.decimals[self.task_codes]))

    def with_replicates(self, runs: Replicates) -> Self:
        """Return the same systems and tasks with the averages of other runs, rounded alike."""
        return self._replace(values=round_values(runs.means, self.decimals), replicates=runs)

    def exact(self) -> Self:
        """Return the same scores, so that others in their place are not rounded."""
        return self._replace(decimals=np.full(len(self.tasks), np.nan))

    @cached_property
    def rounded_runs(self) -> Replicates | None:
        """The runs, each rounded as the scores are; None without runs."""
        runs = self.replicates
        return runs and replace(
            runs, values=cast("Floats", round_values(runs.values, self.decimals))
        )

    def select_runs(self, system: int) -> Array:
        """Return the rounded scores of a system, runs x columns; a single row without runs."""
        runs = self.rounded_runs
        return self.values[[system]] if runs is None else runs.select_system_runs(system)

    def _replace(self, **fields: Any) -> Self:
        changed = object.__new__(type(self))
        state = self.__getstate__() | fields
        # Tasks may be left whose weights were far below those of the others.
        changed.__setstate__(state | {"weights": rescale_weights(state["weights"])})
        if fields.keys() & {"tasks", "systems", "weights"}:
            vars(changed)["_ranking_checks"] = self.__dict__.get("_ranking_checks", [])
        return changed
