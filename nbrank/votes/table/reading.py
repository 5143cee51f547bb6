"""The reading of a table: each column's role and orientation, and the reasons for them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import pandas as pd

Direction = Literal["higher", "lower"]
#: Why higher is taken as better on a task of which nothing in the file says so.
ASSUMED = "assumed"
#: Why a task points as it does where the file has an arrow, or says it in words.
FILE_SAYS = "the file says so"
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

    _metadata: ClassVar[list[str]] = ["task_directions", "facts", "options"]

    @classmethod
    def from_rows(
        cls, rows: Iterable[ReadColumn], task_directions: dict[Any, ReadColumn] | None = None
    ) -> Reading:
        """Build the frame; `task_directions` are of tasks that are not columns of the file."""
        rows = list(rows)
        reading = cls(rows, columns=list(ReadColumn._fields))
        reading["direction"] = pd.Series([row.direction or np.nan for row in rows], dtype=object)
        vars(reading)["task_directions"] = dict(task_directions or {})
        doubts = [row.doubt for row in (*rows, *(task_directions or {}).values())]
        #: Doubt -> its fact, without the call: a column of texts keeps no parts.
        vars(reading)["facts"] = {doubt: getattr(doubt, "fact", doubt) for doubt in doubts}
        return reading

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    @property
    def _rows(self) -> list[ReadColumn]:
        return [ReadColumn(*row) for row in self.itertuples(index=False)]

    @property
    def _named(self) -> dict[Any, ReadColumn]:
        """The tasks that are not columns of the file."""
        return self.__dict__.get("task_directions") or {}

    @property
    def directed(self) -> list[ReadColumn]:
        """The tasks with their directions, named by columns of the file or by its rows."""
        rows = [row for row in self._rows if row.direction in ("lower", "higher")]
        return [*self._named.values()] or rows

    @property
    def assumed(self) -> list[Any]:
        """The tasks on which higher is taken as better though nothing says so."""
        return [row.column for row in self.directed if row.why.partition(";")[0] == ASSUMED]

    @property
    def frame_attrs(self) -> dict[str, Any]:
        """Attributes of the frame of scores: the columns set aside, and the score's name."""
        aside = ("description", "average", "error", "low", "high")
        names = [column_key(row.column) for row in self._rows if row.role in aside]
        scores = [column_key(row.column) for row in self._rows if row.role == "score"]
        return {"metadata": names} | ({"score": scores[0]} if len(scores) == 1 else {})

    @property
    def doubts(self) -> dict[Any, str]:
        """Doubts about how columns, or tasks that rows name, were read."""
        repeated = [row for row in self._rows if row.role == "task" and self._named
                    and row.direction not in ("lower", "higher")]  # fmt: skip
        every = (*self._rows, *self._named.values())
        return {row.column: row.doubt for row in every if row.doubt and row not in repeated}

    @property
    def doubted_directions(self) -> list[Any]:
        """The tasks of which a doubt says that lower may be better."""
        calls = (": 'lower'", "lower_is_better=True")
        return [task for task, doubt in self.doubts.items() if any(call in doubt for call in calls)]

    def keep(self, options: dict[str, Any]) -> None:
        """Keep the options with which the file was read, and the warnings, for `to_toml`."""
        vars(self)["options"] = options

    def to_roles(self) -> dict[str, str]:
        """Return the `roles=` that read the file in the same way: column -> role or direction."""
        roles: dict[str, str] = {}
        for item in self._rows:
            is_scored = item.role in ("task", "score") and item.direction in ("lower", "higher")
            roles[column_key(item.column)] = str(item.direction) if is_scored else item.role
        for task, item in self._named.items():
            if item.direction == "lower":
                roles.setdefault(column_key(task), item.direction)
        return roles

    def to_toml(self, path: str | PathLike[str] | None = None) -> str | None:
        """Write the roles as TOML, which `roles=` and `--roles` take; return it without a path.

        Where the file was read with options, such as `table=2`, or warnings were given, these
        stand above the roles: the options are taken again, and the warnings are not repeated.
        """
        options = self.__dict__.get("options") or {}
        lines = [f"{name} = {_as_toml(value)}" for name, value in options.items()]
        lines += ["", "[roles]"] if lines else []
        lines += [f"{_as_toml(name)} = {_as_toml(role)}" for name, role in self.to_roles().items()]
        text = "\n".join(lines) + "\n"
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8")
        return None


def _as_toml(value: Any) -> str:
    """Write a text, number, truth value, or a list or mapping of these, in TOML."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{_as_toml(key)} = {_as_toml(v)}' for key, v in value.items())} }}"
    if isinstance(value, list | tuple | set | frozenset):
        return f"[{', '.join(map(_as_toml, value))}]"
    return json.dumps(value if isinstance(value, int | float) else str(value), ensure_ascii=False)


def column_key(name: object) -> str:
    """Write a column's name as a text; a slash separates a group and its task."""
    return " / ".join(map(str, name)) if isinstance(name, tuple) else str(name)
