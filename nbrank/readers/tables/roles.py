"""Roles of columns as the user sets them: `roles=`, or a file of them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any, Self, get_args

import numpy as np
import pandas as pd

from nbrank.readers.tables.column import find_column
from nbrank.readers.tables.error_collector import ErrorCollector
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.reading import Direction, Role, column_key

#: Type of roles: column -> role, or "lower" or "higher" for scores; or a file of them.
RolesLike = Mapping[Any, str] | str | PathLike[str] | None

ROLES = get_args(Role)
DIRECTIONS = get_args(Direction)
#: Key for all columns that are not named.
OTHERS = "*"
#: Placeholder of the file's name in a warning that is kept.
FILE = "<file>"


@dataclass(frozen=True)
class Roles:
    """Columns by their roles as given, and directions of columns or tasks."""

    by_column: dict[Any, str] = field(default_factory=dict)
    directions: dict[Any, Direction] = field(default_factory=dict)
    others: str | None = None
    #: Roles of names that are not columns: perhaps tasks in rows, to be left out.
    of_rows: dict[Any, str] = field(default_factory=dict)
    #: Columns whose role is not given, but found by their names.
    guessed: frozenset[Any] = frozenset()

    def columns(self, *roles: str) -> list[Any]:
        """Return the columns of these roles, in the order in which they were named."""
        return [name for name, role in self.by_column.items() if role in roles]

    def role(self, column: Any) -> str | None:
        """Return the given role of a column; None without any."""
        return self.by_column.get(column, self.others if self.by_column else None)

    @property
    def said(self) -> list[Any]:
        """The columns about which the user says something."""
        return [name for name in (*self.by_column, *self.directions) if name not in self.guessed]

    def describe_lost(self, found: Collection[Any], names: list[Any], source: str) -> str:
        """Say which roles are of names that neither a column nor a row has; empty for none."""
        lost = {name: role for name, role in self.of_rows.items() if name not in found}
        return _describe_unknown(lost, names, source) if lost else ""

    def without(self, *roles: str) -> Roles:
        """Return the same without some roles."""
        left = {name: role for name, role in self.by_column.items() if role not in roles}
        return replace(self, by_column=left)


def load_roles(roles: RolesLike) -> tuple[dict[Any, str], dict[str, Any]]:
    """Load the mapping, which may be in a file of TOML or JSON, and the options kept with it."""
    if roles is None:
        return {}, {}
    if isinstance(roles, Mapping):
        return dict(roles), {}
    if not isinstance(roles, str | PathLike):
        raise TypeError(
            f"roles must be a mapping from column to role, or a file of one, not {roles!r}"
        )
    path = Path(roles)
    text = path.read_text(encoding="utf-8")
    try:
        content = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except ValueError as error:
        raise ValueError(
            f'{path} can\'t be read as roles: {error}; write a line "COLUMN" = "ROLE" for each'
        ) from None
    if not isinstance(content, dict):
        raise ValueError(f'{path} holds no roles; write a line "COLUMN" = "ROLE" for each')
    if not isinstance(content.get("roles"), dict):
        return content, {}
    of_file = {"file": content.pop("file")} if "file" in content else {}
    return of_file | content.pop("roles"), content


def known_warnings(kept_options: Mapping[str, Any], file_name: str) -> list[str]:
    """Return the warnings that were given when roles were kept, with the file's present name."""
    return [str(text).replace(FILE, file_name) for text in kept_options.get("known", ())]


def resolve_roles(
    user_roles: Mapping[Any, str], names: list[Any], source: str, problems: ErrorCollector
) -> Roles | None:
    """Find the columns that roles name; return None, and record an error, if one is missing."""
    wrong = {name: role for name, role in user_roles.items() if role not in (*ROLES, *DIRECTIONS)}
    if wrong:
        words = ", ".join((*ROLES, *DIRECTIONS))
        problems.add(f"{source}: {roles_call(wrong)}: unknown role; choose {words}")
        return None
    by_column: dict[Any, str] = {}
    directions: dict[Any, Direction] = {}
    elsewhere: dict[Any, str] = {}
    for name, role in user_roles.items():
        if name == OTHERS:
            continue
        place = find_column(names, name)
        if role in DIRECTIONS:
            directions[name if place is None else names[place]] = role  # type: ignore[assignment]
        elif place is None:
            elsewhere[name] = role
        else:
            by_column[names[place]] = role
    if set(elsewhere.values()) <= {"description", "average"}:
        return Roles(by_column, directions, user_roles.get(OTHERS), elsewhere)
    problems.add(_describe_unknown(elsewhere, names, source))
    return None


def _describe_unknown(unknown: Mapping[Any, str], names: list[Any], source: str) -> str:
    """Say that roles are of names that no column, or several, have."""
    several = [name for name in unknown if name in names]
    what = "several columns are called so" if several else "unknown column"
    meant = "" if several else suggest_name(next(iter(unknown)), names)
    return (
        f"{source}: {roles_call(unknown)}: {what}{meant}; the columns are "
        f"{format_labels(names, 40)}"
    )


def plain_value(value: Any) -> Any:
    """Replace the scalars of numpy in an option by those of Python.

    >>> plain_value({"a": np.int64(2), "b": [np.str_("x")]})
    {'a': 2, 'b': ['x']}
    """
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {plain_value(name): plain_value(item) for name, item in value.items()}
    if isinstance(value, np.ndarray | pd.Index):
        return value.tolist()
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(map(plain_value, value))
    return value


class Advice(str):
    """A fact, and the call that settles it; as a text, one behind the other."""

    __slots__ = ("fact",)
    fact: str

    def __new__(cls, fact: str, call: str = "") -> Self:
        """Join both; a copy is made of the whole text alone."""
        advice = super().__new__(cls, fact + call)
        advice.fact = fact
        return advice


def suggest_name(name: Any, names: Iterable[Any]) -> str:
    """Suggest the name that may be meant by another, as a question; empty if none is near.

    >>> suggest_name("licence", ["model", "license"]), suggest_name("zeal", ["model"])
    (" (did you mean 'license'?)", '')
    """
    texts = {column_key(item).casefold(): item for item in names}
    near = get_close_matches(column_key(name).casefold(), texts, n=1)
    return f" (did you mean {column_key(texts[near[0]])!r}?)" if near else ""


def roles_call(roles: Mapping[Any, str]) -> str:
    """Write roles as the argument of a call.

    >>> roles_call({"a": "lower", ("g", "t"): "task"})
    "roles={'a': 'lower', 'g / t': 'task'}"
    """
    return f"roles={ {column_key(name): role for name, role in roles.items()}!r}"


def as_role(role: str, names: Iterable[Label]) -> str:
    """Write the argument of a call that gives columns one role."""
    return roles_call(dict.fromkeys(names, role))
