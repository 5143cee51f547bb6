"""Levels of the rows besides the systems: instances, their clusters, and runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import power_of_two
from nbrank.arrays.typing import Array, Bools, Floats, Ints, Positions
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.name_heuristics import CONTAINERS, Role, inner_roles, is_named_like
from nbrank.votes.user_warnings import warn_user

#: Type of clusters: a level of the rows, or a mapping or Series from instance to cluster.
Clusters = Label | Mapping[Label, Label] | pd.Series | None

_RUN_WORDS = (
    "seed|run|rerun|fold|cv|repeat|repetition|replicate|replication|rep|trial|epoch|attempt"
    "|iteration|rollout|sample|generation"
)
#: Names of instances that are runs.
_RUN_LABEL = re.compile(
    rf"(?P<word>{_RUN_WORDS})s?[\s_\-#:=.]*\d+|\d+[\s_\-#:=.]*(?P<last>{_RUN_WORDS})", re.IGNORECASE
)
#: Maximum number of runs: more samples or the like are examples of a data set.
_MAX_SAMPLES = 50


#: Names of levels that number the runs of a system.
REPLICATE_LEVELS = ("seed", "run", "fold", "repeat")


@dataclass(frozen=True, eq=False)
class Replicates:
    """Runs of each system, unpaired; their number may differ between systems."""

    values: Floats
    system_codes: Positions
    level: str
    n_systems: int

    @classmethod
    def from_rows(cls, rows: pd.Index, values: Array, level: str) -> tuple[pd.Index, Replicates]:
        """Split rows (system, run) x tasks into the systems and their runs."""
        check_rows_unique(rows)
        system_of, systems = pd.factorize(rows.get_level_values("system"))
        if (system_of < 0).any():
            raise ValueError("a row has no system (NaN); name every one")
        replicates = cls(values.astype(np.float64), system_of, level, len(systems))
        return pd.Index(systems).rename("system"), replicates

    @cached_property
    def _sorted_cells(self) -> tuple[Floats, Positions, Positions]:
        """All scores, sorted within each cell, with the start and the number of each cell."""
        observed = ~np.isnan(self.values)
        run, task = np.nonzero(observed)
        cell = self.system_codes[run] * self.values.shape[1] + task
        scores = self.values[run, task]
        # Sorting makes sums of the same numbers equal, whatever their order.
        order = np.lexsort((scores, cell))
        sizes = np.bincount(cell, minlength=self.n_systems * self.values.shape[1])
        return scores[order], np.cumsum(sizes) - sizes, sizes

    @property
    def n_runs(self) -> Positions:
        """Systems x tasks: the number of runs with a score."""
        return self._sorted_cells[2].reshape(self.n_systems, self.values.shape[1])

    @cached_property
    def means(self) -> Floats:
        """Systems x tasks: the average of the runs; NaN without any."""
        return self._sum_by_cell(self._sorted_cells[0]) / np.where(self.n_runs, self.n_runs, np.nan)

    @property
    def standard_errors(self) -> Floats:
        """Systems x tasks: the standard error of the average; NaN for fewer than two runs."""
        away = self._sorted_cells[0] - np.repeat(self.means.ravel(), self._sorted_cells[2])
        # Deviations are scaled, so that their squares neither overflow nor vanish.
        unit = power_of_two(float(np.abs(away).max(initial=0.0)) or 1.0)
        several = np.where(self.n_runs > 1, self.n_runs, np.nan)
        result: Floats = (
            np.sqrt(self._sum_by_cell((away / unit) ** 2) / (several - 1) / several) * unit
        )
        return result

    def _sum_by_cell(self, scores: Floats) -> Floats:
        cell = np.repeat(np.arange(self.n_runs.size), self._sorted_cells[2])
        sums = np.bincount(cell, scores, self.n_runs.size).astype(np.float64)
        return sums.reshape(self.n_systems, self.values.shape[1])

    def select_system_runs(self, system: int) -> Floats:
        """Select the runs of one system: runs x tasks."""
        result: Floats = self.values[self.system_codes == system]
        return result

    def __str__(self) -> str:
        least, most = int(self.n_runs.min()), int(self.n_runs.max())
        return f"{most if least == most else f'{least} to {most}'} {self.level}{'s' * (most != 1)}"

    def select_systems(self, systems: Positions) -> Replicates:
        """Select the runs of some systems."""
        place = np.full(self.n_systems, -1)
        place[systems] = np.arange(len(systems))
        system_of = place[self.system_codes]
        selected = system_of >= 0
        return replace(
            self,
            values=self.values[selected],
            system_codes=system_of[selected],
            n_systems=len(systems),
        )

    def select_tasks(self, tasks: Positions | list[int]) -> Replicates:
        """Select the runs on some tasks."""
        return replace(self, values=self.values[:, tasks])

    def shift(self, offset: Floats) -> Replicates:
        """Shift all runs of a cell by the same amount (systems x tasks)."""
        return replace(self, values=self.values + offset[self.system_codes])

    def resample(self, rng: np.random.Generator) -> Replicates:
        """Resample each cell's runs with replacement, as many as it has."""
        scores, starts, sizes = self._sorted_cells
        cell = np.repeat(np.arange(len(sizes)), sizes)
        drawn = starts[cell] + rng.integers(0, sizes[cell])
        values = np.full(self.values.shape, np.nan)
        run, task = np.nonzero(~np.isnan(self.values))
        order = np.argsort(self.system_codes[run] * self.values.shape[1] + task, kind="stable")
        values[run[order], task[order]] = scores[drawn]
        return replace(self, values=values)


def check_rows_unique(rows: pd.Index) -> None:
    """Refuse rows that are there more than once."""
    if not rows.is_unique:
        twice = format_labels(rows[rows.duplicated()].unique(), max_items=5)
        names = ", ".join(map(str, rows.names))
        raise ValueError(f"duplicate rows ({names}): {twice}; keep one of each")


def find_replicate_level(rows: pd.Index) -> str | None:
    """Find the levels that number the runs of a system; None if the rows are not runs.

    If several levels do, such as seeds and folds, each combination of them is a run.
    """
    if not isinstance(rows, pd.MultiIndex) or "system" not in rows.names:
        return None
    others = [str(name) for name in rows.names if name != "system"]
    if not others or any(name.casefold() not in REPLICATE_LEVELS for name in others):
        return None
    return others[0] if len(others) == 1 else "run"


@dataclass(frozen=True, eq=False)
class AveragedLevels:
    """Levels of the rows that are averaged over within each instance."""

    levels: tuple[Label, ...]
    #: Rows x tasks, or systems x columns: the number of scores that each value averages.
    n_runs: Ints
    #: Whether the levels are runs, the same number for each instance of a task.
    are_runs: bool

    def __str__(self) -> str:
        most, least = int(self.n_runs.max()), int(self.n_runs[self.n_runs > 0].min())
        what = f"rows ({', '.join(map(str, self.levels))})"
        if len(self.levels) == 1:
            what = f"{self.levels[0]}s"
        return f"{most if least == most else f'{least} to {most}'} {what} of each instance"

    def expected(self, task_codes: Positions) -> Ints:
        """Return the number of runs that every system should have in each column."""
        most: Ints = self.n_runs.max(axis=0, initial=0)
        if self.are_runs:
            of_tasks = np.zeros(int(task_codes.max(initial=-1)) + 1, dtype=most.dtype)
            np.maximum.at(of_tasks, task_codes, most)
            most = of_tasks[task_codes]
        return most


@dataclass(frozen=True)
class InstanceRows:
    """Rows (system, instance), one of each, with their values of other levels."""

    rows: pd.MultiIndex
    values: Array
    #: The unit that each value averages; None if each is a single score.
    averaged: AveragedLevels | None = None
    #: From tasks and their instances to the cluster of each; None without clusters.
    assign_clusters: Callable[[Positions, pd.Index], pd.Index] | None = None


def roles_of_levels(names: list[Hashable], cluster: Clusters = None) -> dict[Hashable, Role] | None:
    """Return the roles of the levels after `system`; None if rows are not of instances."""
    if "system" not in names or "instance" not in names:
        return None
    others = [name for name in names if name != "system"]
    roles = inner_roles(others)
    for name in others:
        if name != "instance" and isinstance(cluster, Hashable) and name == cluster:
            roles[name] = "cluster"
    instances = [name for name, role in roles.items() if role == "instance"]
    return roles if len(roles) == len(others) and instances == ["instance"] else None


def read_instance_rows(
    rows: pd.MultiIndex, values: Array, roles: dict[Hashable, Role], cluster: Clusters = None
) -> InstanceRows:
    """Average runs within each instance, and find the clusters that instances are nested in."""
    others = [name for name in rows.names if name != "system"]
    if others == ["instance"]:
        return InstanceRows(rows, values)
    check_rows_unique(rows)
    codes = {name: np.asarray(rows.codes[at], np.intp) for at, name in enumerate(rows.names)}
    for name, code in codes.items():
        if (code < 0).any():
            raise ValueError(f"a row has no {name} (NaN); name every one")
    labels = {name: rows.levels[at] for at, name in enumerate(rows.names)}
    observed = ~np.isnan(values)
    clusters = [name for name in others if roles[name] == "cluster"]
    nested, crossed = _separate_clusters(clusters, codes, labels, observed)
    repeated = [name for name in others if roles[name] == "run"] + crossed
    # If clusters are nested in clusters, the largest ones are independent.
    preferred = cluster if isinstance(cluster, Hashable) else None
    nested.sort(key=lambda name: (name != preferred, len(np.unique(codes[name]))))
    n_instances = len(labels["instance"])
    row_key, keys = pd.factorize(codes["system"] * n_instances + codes["instance"])
    system, instance = np.divmod(keys, n_instances)
    index = pd.MultiIndex.from_arrays(
        [labels["system"].take(system), labels["instance"].take(instance)],
        names=["system", "instance"],
    )
    means, sizes = _averages(values, row_key, len(keys))
    averaged = None
    if sizes.max(initial=0) > 1:
        are_runs = all(roles[name] == "run" for name in repeated)
        averaged = AveragedLevels(tuple(repeated), sizes, are_runs)
    if not nested:
        return InstanceRows(index, means, averaged)
    names = labels[nested[0]].rename(nested[0])
    of_cells = np.full((values.shape[1], n_instances), -1, dtype=np.intp)
    for task, rows_observed in enumerate(observed.T):
        of_cells[task, codes["instance"][rows_observed]] = codes[nested[0]][rows_observed]

    def assign_clusters(tasks: Positions, instances: pd.Index) -> pd.Index:
        return names.take(of_cells[tasks, labels["instance"].get_indexer(instances)])

    return InstanceRows(index, means, averaged, assign_clusters)


def _separate_clusters(
    names: list[Hashable],
    codes: dict[Hashable, Positions],
    labels: dict[Hashable, pd.Index],
    observed: Bools,
) -> tuple[list[Hashable], list[Hashable]]:
    """Separate the levels that instances are nested in, once numbered so, from crossed ones."""
    nested, crossed = [], []
    for name in names:
        if is_nested(codes["instance"], codes[name], observed):
            nested.append(name)
        elif is_named_like(name, CONTAINERS):
            codes["instance"], labels["instance"] = _within(name, codes, labels)
            nested.append(name)
        else:
            crossed.append(name)
            warn_user(
                f"scores are averaged over the levels of {name!r} within each instance, since the "
                f"same instance occurs in several; if instances are numbered within each "
                f"{name!r}, give every one a name of its own"
            )
    return nested, crossed


def is_nested(instance: Positions, cluster: NDArray[np.signedinteger], observed: Bools) -> bool:
    """Return whether each instance of a task (a column of `observed`) lies in one cluster."""
    for rows_observed in observed.T:
        both = np.column_stack([instance, cluster])[rows_observed]
        if len(np.unique(both, axis=0)) > len(np.unique(both[:, 0])):
            return False
    return True


def _within(
    name: Hashable, codes: dict[Hashable, Positions], labels: dict[Hashable, pd.Index]
) -> tuple[Positions, pd.Index]:
    """Distinguish the instances that are numbered within each passage or the like."""
    inner, outer = labels["instance"], labels[name]
    pairs, code = np.unique(codes[name] * len(inner) + codes["instance"], return_inverse=True)
    names = [f"{outer[at // len(inner)]} / {inner[at % len(inner)]}" for at in pairs]
    warn_user(
        f"instances are taken as numbered within each {name!r}, since the same instance occurs in "
        f"several; if it is the same one everywhere, rename the level {name!r} to 'run', and "
        f"its scores are averaged"
    )
    return code, pd.Index(names, dtype=object)


def _averages(values: Array, row_key: Positions, n_keys: int) -> tuple[Array, Ints]:
    """Average the rows of each key, column by column, whatever their order; count them."""
    means = np.full((n_keys, values.shape[1]), np.nan, values.dtype)
    sizes = np.zeros(means.shape, dtype=np.int64)
    for task, column in enumerate(values.T):
        rows = np.flatnonzero(~np.isnan(column))
        if not len(rows):
            continue
        # Sorting makes sums of the same numbers equal, whatever their order.
        order = rows[np.lexsort((column[rows], row_key[rows]))]
        key, cells = row_key[order], column[order]
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        n = np.diff(starts, append=len(key))
        sums = np.add.reduceat(cells.astype(np.float64), starts)
        low, high = cells[starts], cells[starts + n - 1]
        # The average of equal scores is that score, without rounding.
        means[key[starts], task] = np.where(low == high, low, sums / n)
        sizes[key[starts], task] = n
    return means, sizes


def choose_clusters(
    cluster: Clusters,
    instances: pd.Index | None,
    clusters: pd.Index | None,
    levels: Iterable[Label] = (),
) -> pd.Index | None:
    """Return the cluster of each column from `cluster`, or else from the rows."""
    if cluster is None:
        return clusters
    if instances is None:
        raise ValueError(
            "cluster= needs a score for each instance: rows with the levels 'system' and "
            "'instance'; for tasks that belong together give groups="
        )
    if isinstance(cluster, pd.Series | Mapping):
        return _map_clusters(cluster, instances)
    if not isinstance(cluster, Hashable):
        raise TypeError(
            f"cluster= is a level of the rows, or a mapping or Series from instance to cluster, "
            f"not {type(cluster).__name__}"
        )
    if cluster == "instance":
        return None
    if clusters is not None and cluster == clusters.name:
        return clusters
    if cluster == "system" or cluster not in levels:
        known = "" if clusters is None else f" (here {clusters.name!r})"
        raise ValueError(
            f"cluster={cluster!r} is not a level of the rows with instances; name one{known}, "
            f"or give a mapping or Series from instance to cluster"
        )
    # The level is crossed with the instances, so scores are averaged over it.
    return None


def _map_clusters(cluster: pd.Series | Mapping[Label, Label], instances: pd.Index) -> pd.Index:
    """Return the cluster of each instance, aligned by label."""
    name: Label = "cluster"
    if isinstance(cluster, pd.Series):
        if not cluster.index.is_unique:
            twice = format_labels(cluster.index[cluster.index.duplicated()].unique())
            raise ValueError(f"cluster= has the instances {twice} twice; keep one of each")
        name = "cluster" if cluster.name is None else cluster.name
    column_clusters: dict[Any, Any] = dict(cluster.items())
    lost = [item for item in instances.unique() if pd.isna(column_clusters.get(item))]
    if lost:
        raise ValueError(
            f"cluster= names no cluster of the instances {format_labels(lost)}; name one of each"
        )
    labels = [column_clusters[instance] for instance in instances]
    mapped: pd.Index = pd.Index(labels, name=name, tupleize_cols=False)
    return mapped


def cluster_units(clusters: pd.Index, instances: pd.Index) -> Positions | None:
    """Return the code of each column's cluster; None where no cluster has two instances."""
    # Codes follow the order of appearance, so that names do not matter.
    codes = pd.factorize(clusters)[0].astype(np.intp)
    pairs = codes * len(instances) + pd.factorize(instances)[0]
    return codes if len(np.unique(pairs)) > codes.max(initial=-1) + 1 else None


def instance_frame(
    values: Array,
    systems: pd.Index,
    tasks: pd.Index,
    column_task: Positions,
    instances: pd.Index,
    clusters: pd.Index | None,
) -> pd.DataFrame:
    """Return the scores of instances as a frame: system, cluster (if any) and instance x tasks."""
    row, each = pd.factorize(instances)
    levels = [each]
    if clusters is not None:
        pairs = pd.factorize(clusters)[0] * len(each) + row
        first, row = np.unique(pairs, return_index=True, return_inverse=True)[1:]
        levels = [clusters.take(first), instances.take(first)]
    n = len(levels[0])
    cube = np.full((len(systems), n, len(tasks)), np.nan, values.dtype)
    cube[:, row, column_task] = values
    every = np.tile(np.arange(n), len(systems))
    labels = [systems.repeat(n), *(level.take(every) for level in levels)]
    names = ["system", *([] if clusters is None else [clusters.name]), "instance"]
    index = pd.MultiIndex.from_arrays(labels, names=names)
    frame = pd.DataFrame(cube.reshape(-1, len(tasks)), index=index, columns=tasks)
    return frame.dropna(how="all")


def warn_of_run_labels(instances: pd.Index) -> None:
    """Warn of instances that are named like runs."""
    first = _RUN_LABEL.fullmatch(str(instances[0])) if len(instances) else None
    if first is None or not all(_RUN_LABEL.fullmatch(str(label)) for label in instances):
        return
    word = str(first["word"] or first["last"]).lower()
    if word in ("sample", "generation") and len(instances) > _MAX_SAMPLES:
        return
    level = word if word in ("seed", "run", "fold", "repeat") else "run"
    warn_user(
        f"the instances are called {format_labels(instances, 3)}, like runs of the systems, and "
        f"each counts as independent of the others; to average them, rename the level, "
        f"df.rename_axis(index={{'instance': {level!r}}})"
    )
