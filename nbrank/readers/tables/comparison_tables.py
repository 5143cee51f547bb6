"""Readers of votes in tables: comparisons, squares of wins and ballots, with their reading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.ballot_tables import BallotTable, find_ballots
from nbrank.readers.ballots import from_ballots
from nbrank.readers.hosts.arena_battles import select_anonymous
from nbrank.readers.tables.cell_parsing import fold_name, is_text_number, parse_column
from nbrank.readers.tables.comparison_columns import find_comparisons, warn_of_shares
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.votes.comparison_outcomes import TIE_WORDS
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.formatting import Label, format_labels, join_truncated, pluralize
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.name_heuristics import CLUSTERS, is_named_like
from nbrank.votes.table.reading import ReadColumn, Reading
from nbrank.votes.user_warnings import warn_user
from nbrank.votes.win_matrix import from_wins

_SIDES = ("left", "right", "winner", "loser")
#: Names of columns that may count the comparisons of a row, in the singular.
_NUMBERS_OF_VOTES = ("n", "count", "vote")
#: Role -> the option of `from_comparisons`.
_OPTIONS = {"weight": "weight", "cluster": "cluster", "n": "count"}


def read_votes(
    frame: pd.DataFrame,
    user_roles: Mapping[Any, str],
    options: Mapping[str, Any],
    *,
    ties: Iterable[Label] = TIE_WORDS,
    sides: tuple[Label, Label] | None = None,
) -> Leaderboard | Comparisons | None:
    """Read the comparisons or ballots of a table, with its reading; return None for scores.

    Parameters
    ----------
    frame
        The cells.
    user_roles
        Column -> its role, as set by the user.
    options
        The options of a leaderboard; ballots take only `counts`, comparisons none of them.
    ties, sides
        As for `from_comparisons`.
    """
    own = set(user_roles.values()) - {"description"}
    # Of squares and ballots each column has the role of an earlier reading.
    if not (own == {"right"} or (own == {"task"} and set(user_roles) == set(frame.columns))):
        is_said = bool(own & {*_SIDES})
        others = {name for name, value in options.items() if value is not None} - {"counts"}
        if own - {*_SIDES, *_OPTIONS} or (others and not is_said):
            return None
        prepared = find_comparisons(frame, **_find_known(frame, user_roles))
        if is_said and prepared is None:
            raise ValueError(
                "comparisons need their columns by left, right and winner, or by winner and loser: "
                "roles={'...': 'left', '...': 'right', '...': 'winner'}"
            )
        if prepared is not None:
            return _read_comparisons(
                frame, prepared, user_roles, options, {"ties": ties, "sides": sides}
            )
        if own:
            return None
    called = str(frame.attrs.get("file", "the table"))
    square = find_win_matrix(frame) if own != {"task"} else None
    if square is not None:
        warn_user(
            f"{called} is read as numbers of wins, of the row over the column, as nbrank.from_wins "
            f"does; if the cells are scores, name the column of the systems, "
            f"{roles_call({_label_column(frame): 'system'})}"
        )
        why = "you" if own else "its name is that of a row"
        rows = [ReadColumn(name, "right", None, why) for name in frame.columns]
        return square.attach_reading(Reading.from_rows(rows))
    ballots = find_ballots(frame) if own != {"right"} else None
    if ballots is None or (
        own and {name for name in user_roles if user_roles[name] == "task"} != {*ballots.columns}
    ):
        return None
    _warn_of_ballots(frame, ballots)
    return _read_ballots(frame, ballots, user_roles, options)


def find_win_matrix(frame: pd.DataFrame) -> Comparisons | None:
    """Read the comparisons that a square table of wins counts; return None for other tables.

    Its rows and columns have the same names, and all numbers are at least 0. A symmetric table
    (of correlations or distances) does not count as one.

    >>> table = pd.DataFrame({"model": ["A", "B"], "A": ["-", "1"], "B": ["3", "-"]})
    >>> find_win_matrix(table)
    Comparisons: 4 comparisons of 2 systems (0.0 % ties; 1 of 1 pairs met)
    """
    has_labels = frame.shape[1] == len(frame) + 1
    if not has_labels and frame.shape[1] != len(frame):
        return None
    cells = frame.iloc[:, 1:] if has_labels else frame
    labels = frame.iloc[:, 0] if has_labels else frame.index
    columns = [str(name).strip() for name in cells.columns]
    systems = [str(label).strip() for label in labels]
    if len(systems) < 2 or sorted(systems) != sorted(columns) or len(set(systems)) < len(systems):
        return None
    is_own = np.array(systems)[:, None] == np.array(columns)
    parsed = [parse_column(cells.iloc[:, at].astype(object).mask(is_own[:, at]))
              for at in range(len(columns))]  # fmt: skip
    if any(column.unparsed_rows for column in parsed):
        return None
    wins = pd.DataFrame(
        {name: column.values for name, column in zip(columns, parsed, strict=True)}, index=systems
    )[systems]
    values = np.nan_to_num(wins.to_numpy())
    if any("%" in str(cell) for cell in cells.to_numpy().ravel()):
        wins, values = wins / 100, values / 100
    if (values < 0).any() or not values.any() or np.allclose(values, values.T):
        return None
    pairs = values[np.triu_indices_from(values, 1)] + values.T[np.triu_indices_from(values, 1)]
    warn_of_shares(frame, pairs)
    return from_wins(wins)


def _label_column(frame: pd.DataFrame) -> Any:
    """Return the name of the column before a square, which may be the labels of its rows."""
    if frame.shape[1] > len(frame):
        return frame.columns[0]
    return "system" if frame.index.name is None else frame.index.name


def _find_known(frame: pd.DataFrame, said: Mapping[Any, str]) -> dict[str, Any]:
    """Map each option of `from_comparisons` to the column given for it."""
    called = str(frame.attrs.get("file", "the table"))
    named = {name: role for name, role in said.items() if role != "description"}
    if lost := {name: role for name, role in named.items() if name not in frame.columns}:
        raise ValueError(
            f"{called}: {roles_call(lost)}: unknown column; the columns are "
            f"{', '.join(map(repr, map(str, frame.columns)))}"
        )
    winners = [name for name, role in named.items() if role == "winner"]
    known: dict[str, Any] = {_OPTIONS.get(role, role): name for name, role in named.items()}
    return known | ({"winner": winners} if len(winners) > 1 else {})


def _read_comparisons(
    frame: pd.DataFrame,
    prepared: tuple[pd.DataFrame, dict[str, Any]],
    said: Mapping[Any, str],
    options: Mapping[str, Any],
    words: Mapping[str, Any],
) -> Comparisons:
    """Read the comparisons of a table, with the reading of its columns."""
    called = str(frame.attrs.get("file", "the table"))
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name}= does not go with comparisons")
    rows, columns = prepared
    aside = [name for name in said if said[name] == "description" and name in rows.columns]
    rows = rows.drop(columns=aside)
    roles = {name: role for role, names in columns.items()
             for name in (names if isinstance(names, list) else [names])}  # fmt: skip
    if not set(said.values()) & {*_SIDES}:
        rows = select_anonymous(rows)
    own = {name: role for name, role in roles.items() if role in _SIDES}
    if any(name not in said and name in frame.columns for name in own):
        text = roles_call({name: role for name, role in own.items() if name in frame.columns})
        warn_user(f"{called} holds comparisons, read as {text}")
    try:
        comparisons = from_comparisons(parse_numbers(rows, columns), **words, **columns)
    except ValueError as error:
        raise ValueError(f"{called}: {error}") from None
    if own.get("winner") == "winner" and "winner" not in frame and columns["left"] in frame:
        decoded = [name for name in frame.columns if name not in rows.columns]
        roles |= dict.fromkeys(decoded, "winner")
    _warn_of_unread_columns(called, frame, {**roles, **said})
    reading = []
    for name in frame.columns:
        role = roles.get(name, "description")
        why = "you" if name in said else "its name" if name in roles else "not needed"
        reading.append(ReadColumn(name, "n" if role == "count" else role, None, why))
    return comparisons.attach_reading(Reading.from_rows(reading))


def parse_numbers(frame: pd.DataFrame, options: dict[str, Any]) -> pd.DataFrame:
    """Convert the columns of weights and counts to numbers, which may be texts."""
    for option in ("weight", "count"):
        name = options.get(option)
        if name is None or name not in frame.columns:
            continue
        parsed = parse_column(frame[name])
        if parsed.unparsed_rows:
            cell = frame[name].iloc[parsed.unparsed_rows[0]]
            raise ValueError(
                f"{frame.attrs.get('file', 'the table')}: {option}s must be numbers, but {name!r} "
                f"holds {cell!r}"
            )
        frame = frame.assign(**{str(name): parsed.values})
    return frame


def _warn_of_unread_columns(
    source_name: str, frame: pd.DataFrame, roles: Mapping[Any, str]
) -> None:
    """Warn of columns without a role that may count comparisons, or say which of them depend."""
    for name in frame.columns.difference([*roles], sort=False):
        counts = fold_name(name).rstrip("s") in _NUMBERS_OF_VOTES
        if counts and (parse_column(frame[name]).values > 1).any():
            fact = f"{source_name}: each row is one comparison, and {name!r} is not read"
            warn_user(Advice(fact, f"; if it counts them, {roles_call({name: 'n'})}"))
        repeats = 1 < frame[name].nunique() < len(frame)
        if repeats and is_named_like(name, CLUSTERS) and "cluster" not in roles.values():
            fact = (
                f"{source_name}: each row counts as independent of the others, {name!r} is not read"
            )
            call = f"; if the rows of one {name} may be alike, {roles_call({name: 'cluster'})}"
            warn_user(Advice(fact, call))


def _warn_of_ballots(frame: pd.DataFrame, ballots: BallotTable) -> None:
    """Say which cells are read as ballots, and how to have them read as scores."""
    called = str(frame.attrs.get("file", "the table"))
    of_columns = format_labels(ballots.columns, 3)
    how = {
        "places": f"the columns {of_columns} being places",
        "texts": f"one in each cell of {of_columns}",
        "grid": f"each cell being the place that its row gives to {of_columns}",
    }[ballots.kind]
    named = [
        {clean_label(name) for level in order
         for name in (level if isinstance(level, list) else [level])}
        for order in ballots.orders
    ]  # fmt: skip
    short = sum(0 < len(names) < len(set().union(*named)) for names in named)
    left_out = (
        f"; {short} of them {'leaves' if short == 1 else 'leave'} options out, which share the "
        "last place there; a mean counts these as 0, and those with a place from 1 on"
    )
    call = "; if its cells are scores, say transpose=True" * (
        ballots.kind == "grid" and all(map(is_text_number, frame[ballots.columns].iloc[0]))
    )
    holds = f"{called} holds {pluralize(len(ballots.orders), 'ballot')}, {how}"
    warn_user(Advice(f"{holds}{left_out * bool(short)}", call))


def _read_ballots(
    frame: pd.DataFrame, ballots: BallotTable, said: Mapping[Any, str], options: Mapping[str, Any]
) -> Leaderboard:
    """Read the ballots of a table whose rows are voters."""
    called = str(frame.attrs.get("file", "the table"))
    counts = options.get("counts") if ballots.counts is None else ballots.counts
    orders = ballots.orders
    if blank := [str(row) for row, order in enumerate(orders, 1) if not order]:
        rows_left = f"row{'s' * (len(blank) > 1)} {join_truncated(blank)}"
        warn_user(f"{called}: left out, since they choose nothing: {rows_left}")
        if counts is not None:
            counts = [n for n, order in zip(counts, orders, strict=True) if order]
        orders = [order for order in orders if order]
    board = from_ballots(orders, counts)
    whys = {True: ("task", "its cells are ballots"), False: ("description", "not needed")}
    rows = []
    for name in frame.columns:
        role, why = whys[name in ballots.columns]
        rows.append(ReadColumn(name, role, None, "you" if name in said else why))
    return board.attach_reading(Reading.from_rows(rows))
