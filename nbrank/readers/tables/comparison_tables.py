"""Tables of comparisons: which columns are the sides and the winner, and what comes of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nbrank.readers.hosts.arena_battles import select_anonymous
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.roles import roles_call
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.table.reading import ReadColumn, Reading
from nbrank.votes.user_warnings import warn_user

#: What the two sides are called in files of battles.
COMPARISON_COLUMNS = (
    ("model_a", "model_b"), ("left", "right"), ("system_a", "system_b"), ("player_a", "player_b"),
    ("model_1", "model_2"),
)  # fmt: skip
_SIDES = ("left", "right", "winner", "loser")


def find_sides(frame: pd.DataFrame, said: Mapping[Any, str]) -> dict[str, Any]:
    """Side -> column: as it was said, or where columns are called as files of battles call them."""
    sides = {role: name for name, role in said.items() if role in _SIDES}
    if sides:
        return {side: sides[side] for side in _SIDES if side in sides}
    if set(said.values()) - {"weight", "cluster", "description", "n"}:
        return {}
    names = set(frame.columns)
    for left, right in COMPARISON_COLUMNS:
        if {left, right, "winner"} <= names:
            return {"left": left, "right": right, "winner": "winner"}
        others = [name for name in frame.columns if name not in (left, right, *said)]
        if {left, right} <= names and len(others) == 1:
            return {"left": left, "right": right, "winner": others[0]}
    return {side: side for side in ("winner", "loser")} if {"winner", "loser"} <= names else {}


def read_comparisons(
    frame: pd.DataFrame, sides: dict[str, Any], said: Mapping[Any, str], options: dict[str, Any]
) -> Comparisons:
    """The comparisons of a table, with the reading of its columns."""
    called = str(frame.attrs.get("file", "the table"))
    if set(sides) not in ({"left", "right", "winner"}, {"winner", "loser"}):
        raise ValueError(
            "comparisons need their columns by left, right and winner, or by winner and loser: "
            "roles={'...': 'left', '...': 'right', '...': 'winner'}"
        )
    if lost := [name for name in sides.values() if name not in frame.columns]:
        raise ValueError(
            f"{called}: {roles_call({name: said.get(name, 'left') for name in lost})}: there is no "
            f"such column; the columns are {', '.join(map(repr, map(str, frame.columns)))}"
        )
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name}= does not go with comparisons")
    by_role = {role: name for name, role in said.items()}
    is_guessed = not set(said.values()) & set(_SIDES)
    if is_guessed:
        text = roles_call({name: side for side, name in sides.items()})
        warn_user(f"{called} holds comparisons, read as {text}")
        frame = select_anonymous(frame)
    weight = by_role.get("weight")
    if weight is not None:
        read = parse_column(frame[weight])
        if read.unparsed_rows:
            cell = frame[weight].iloc[read.unparsed_rows[0]]
            raise ValueError(f"{called}: weights must be numbers, but {weight!r} holds {cell!r}")
        frame = frame.assign(**{weight: read.values})
    comparisons = from_comparisons(
        frame, **sides, weight=weight, cluster=by_role.get("cluster"), count=by_role.get("n")
    )
    roles = {name: side for side, name in sides.items()}
    roles |= {name: role for name, role in said.items() if role in ("weight", "cluster", "n")}
    rows = [
        ReadColumn(name, roles.get(name, "description"), None,
                   "you" if name in said else "its name" if name in roles else "not needed")
        for name in frame.columns
    ]  # fmt: skip
    return comparisons.attach_reading(Reading.from_rows(rows))
