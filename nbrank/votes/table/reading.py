"""How a table was read: what each column is, which way its scores point, and why."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import pandas as pd

from nbrank.votes.table.direction_names import Direction

Role = Literal[
    "system", "task", "group", "score", "instance", "run", "cluster", "error", "low", "high", "n",
    "weight", "left", "right", "winner", "loser", "average", "description",
]  # fmt: skip


class ReadColumn(NamedTuple):
    """One row of a reading."""

    column: Any
    role: str
    direction: Direction | None = None
    why: str = ""
    doubt: str = ""


class Reading(pd.DataFrame):
    """A frame with a row for each column of a file: column, role, direction, why and doubt."""

    _metadata: ClassVar[list[str]] = ["task_directions"]

    @classmethod
    def from_rows(
        cls, rows: Iterable[ReadColumn], task_directions: dict[Any, ReadColumn] | None = None
    ) -> Reading:
        """Build the frame; `task_directions` are those of tasks that are no columns of the file."""
        reading = cls(list(rows), columns=list(ReadColumn._fields))
        reading["direction"] = reading["direction"].astype("str")
        vars(reading)["task_directions"] = dict(task_directions or {})
        return reading

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    @property
    def directed(self) -> list[ReadColumn]:
        """The tasks with their directions: columns of the file, or what its rows name."""
        named = self.__dict__.get("task_directions") or {}
        return [*named.values()] or [
            ReadColumn(*row)
            for row in self.itertuples(index=False)
            if row.direction in ("lower", "higher")
        ]

    @property
    def doubts(self) -> dict[Any, str]:
        """What speaks against how columns, or tasks that rows name, were read."""
        named = self.__dict__.get("task_directions") or {}
        rows = [ReadColumn(*row) for row in self.itertuples(index=False)]
        return {row.column: row.doubt for row in (*rows, *named.values()) if row.doubt}

    def to_roles(self) -> dict[str, str]:
        """Return what was read as `roles=` that read it so again: column -> role or direction."""
        roles = {}
        for row in self.itertuples(index=False):
            is_scored = row.role in ("task", "score") and row.direction in ("lower", "higher")
            roles[column_key(row.column)] = row.direction if is_scored else row.role
        for task, row in (self.__dict__.get("task_directions") or {}).items():
            if row.direction == "lower" and column_key(task) not in roles:
                roles[column_key(task)] = row.direction
        return roles

    def to_toml(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the roles as TOML, which `roles=` and `--roles` take; return it without a path."""
        lines = [
            f"{json.dumps(name, ensure_ascii=False)} = {json.dumps(role)}"
            for name, role in self.to_roles().items()
        ]
        text = "\n".join(lines) + "\n"
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8")
        return None


def column_key(name: object) -> str:
    """A column's name as a text; a group and its task are parted by a stroke."""
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)
