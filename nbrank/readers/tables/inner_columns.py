"""Columns that distinguish the rows of a system: instances, their clusters, and runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import is_text_number
from nbrank.readers.tables.column import level_name
from nbrank.readers.tables.raw_table import RawTable
from nbrank.readers.tables.roles import Roles, as_role
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.table.name_heuristics import (
    CLUSTERS,
    CONTAINERS,
    INSTANCES,
    REPLICATES,
    RUNS,
    inner_roles,
    is_named_like,
)


@dataclass
class InnerColumns:
    """Columns of instances (several may name an instance), of their clusters, and of runs."""

    instance: list[Any] = field(default_factory=list)
    cluster: list[Any] = field(default_factory=list)
    run: list[Any] = field(default_factory=list)

    @property
    def every(self) -> list[Any]:
        """All these columns."""
        return list(dict.fromkeys([*self.cluster, *self.instance, *self.run]))

    @property
    def roles(self) -> dict[Any, str]:
        """The role of each column."""
        kinds = {"instance": self.instance, "cluster": self.cluster, "run": self.run}
        return {name: role for role, names in kinds.items() for name in names}

    def rows(self, table: RawTable, systems: pd.Series) -> pd.Index:
        """Index the rows by the names of systems and the columns that distinguish their rows."""
        rows: pd.Index = pd.Index(systems, name="system", tupleize_cols=False)
        levels: dict[str, pd.Series] = {}
        for name in self.cluster:
            levels[level_name(name, CLUSTERS, "cluster")] = table.build_labels([name], "cluster")
        if self.instance:
            levels["instance"] = table.build_labels(self.instance, "instance")
        if self.run:
            name = "seed" if not self.instance else "run"
            if self.instance and len(self.run) == 1:
                name = level_name(self.run[0], RUNS, "run")
            levels[name] = table.build_labels(self.run, "run")
        if not levels:
            return rows
        return pd.MultiIndex.from_arrays([rows, *levels.values()], names=["system", *levels])


def find_inner_columns(
    table: RawTable,
    keys: Sequence[pd.Series],
    roles: Roles,
    labelled: Sequence[Any] = (),
    others: Sequence[Any] = (),
) -> InnerColumns:
    """Find the columns that distinguish rows with equal `keys` (such as systems and tasks).

    `labelled` are other levels of the rows, and `others` columns with other roles. If no
    columns distinguish all rows, those that leave the fewest repeats are taken.
    """
    asked = roles.columns("instance")
    said = [*asked, *roles.columns("run"), *roles.columns("cluster")]
    if asked:
        _warn_of_asked_runs(table, asked)
    first = said or labelled
    names: list[Any] = []
    fewest = len(table.cells)
    for likely in _likely_names(table, first, (*asked, *others)):
        repeats = table.count_repeats(keys, [*first, *likely])
        if repeats < fewest:
            names, fewest = likely, repeats
        if not repeats:
            break
    columns = _by_role(roles, [*([] if asked else labelled), *names])
    if columns.instance:
        _place_clusters(table, list(keys[1:]), columns, others)
        if columns.run and not roles.columns("run"):
            _say_of_runs(table, columns)
    return columns


def _likely_names(
    table: RawTable, columns: Sequence[Any], others: Sequence[Any]
) -> Iterator[list[Any]]:
    """Yield columns that may distinguish rows, by their names, the likeliest first."""
    yield []
    named_so = [[name for name in table.find_columns(kinds) if name not in (*columns, *others)
                 and not table.parse_column(name).unit]  # times are no labels
                for kinds in (INSTANCES | REPLICATES, INSTANCES | RUNS | CLUSTERS)]  # fmt: skip
    for wide, called_so in enumerate(named_so):
        for names in (*([name] for name in called_so), called_so):
            # Alone, an epoch or the like is hardly a repetition.
            if not wide or columns or "instance" in inner_roles(names).values():
                yield names


def _by_role(roles: Roles, names: Sequence[Any]) -> InnerColumns:
    asked = roles.columns("instance")
    columns = InnerColumns(list(asked), roles.columns("cluster"), roles.columns("run"))
    by_name = inner_roles(names)
    for name in names:
        if name in columns.every:
            continue
        role = by_name.get(name, "instance")
        if asked and role == "instance":
            runs, clusters = is_named_like(name, RUNS), is_named_like(name, CLUSTERS)
            role = "run" if runs else "cluster" if clusters else role
        getattr(columns, role).append(name)
    return columns


def _place_clusters(
    table: RawTable, tasks: list[pd.Series], columns: InnerColumns, others: Sequence[Any]
) -> None:
    """Keep the largest clusters that instances are nested in, and raters of the same instances."""
    crossed, nested = [], {}
    needed = list(columns.cluster)
    free = [name for name in table.find_columns(CLUSTERS) if name not in (*others, *columns.every)]
    inside = [name for name in columns.instance if is_named_like(name, CLUSTERS)]
    for name in (*needed, *free, *(inside if len(columns.instance) > 1 else [])):
        instance = [table[item] for item in columns.instance]
        is_nested = _is_nested(tasks, instance, table[name])
        if name in needed and not is_nested and is_named_like(name, CONTAINERS):
            # Instances are numbered within each passage or the like.
            columns.instance.insert(0, name)
            instance.insert(0, table[name])
        elif not is_nested:
            crossed += [name] if name in needed else []
            continue
        n_clusters, n_instances = (
            len(pd.MultiIndex.from_arrays(levels).unique())
            for levels in ([table[name], table[name]], [*tasks, *instance])
        )
        if name in needed or (1 < n_clusters < n_instances and _are_labels(table[name])):
            nested[name] = n_clusters
    coarsest = sorted(nested, key=lambda name: nested[name])[:1]
    columns.cluster = [*coarsest, *crossed]
    for name in coarsest:
        table.warn(
            f"{pluralize(nested[name], 'cluster')} of instances are read "
            f"from {name!r}: each is drawn as a whole where one asks how sure a ranking is",
            "; if its instances are independent of each other, leave it out, "
            f"{as_role('description', [name])}",
        )


def _is_nested(
    tasks: Sequence[pd.Series], instance: Sequence[pd.Series], cluster: pd.Series
) -> bool:
    """Return whether each instance of a task lies in one cluster."""
    alone, both = (
        pd.MultiIndex.from_arrays([level.astype(str) for level in levels]).nunique()
        for levels in ([*tasks, *instance], [*tasks, *instance, cluster])
    )
    return bool(alone == both)


def _are_labels(column: pd.Series) -> bool:
    """Return whether a column may hold labels: texts, or whole numbers."""
    cells = column.unique()
    if any(cell is None or cell != cell or str(cell).strip() == "" for cell in cells):
        return False
    if any(isinstance(cell, bool | np.bool_) for cell in cells):
        return False
    return all(not is_text_number(cell) or str(cell).lstrip("-").isdigit() for cell in cells)


def _say_of_runs(table: RawTable, columns: InnerColumns) -> None:
    """Warn which columns are read as runs of each instance, and how to read them otherwise."""
    together = [*columns.instance, *columns.run]
    table.warn(
        f"{format_labels(columns.run)} is read as runs of each instance "
        f"({format_labels(columns.instance)}), over which scores are averaged",
        f"; if each is an instance of its own, say {as_role('instance', together)}",
    )


def _warn_of_asked_runs(table: RawTable, instance_columns: Sequence[Hashable]) -> None:
    """Warn of columns of runs that are named as the instance, or as part of it."""
    runs = [name for name in instance_columns if is_named_like(name, REPLICATES)]
    if not runs:
        return
    value, selected = as_role("instance", instance_columns), as_role("run", runs)
    table.warn(
        f"{value} makes each {format_labels(runs)} an instance of its "
        "own, independent of all others, though its name is one of runs",
        f"; to average the runs, say {selected}",
    )
