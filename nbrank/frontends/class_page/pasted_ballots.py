"""Ballots as a class sends them: lines of text, or the export of a form."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from nbrank.findings.labels import join_labels
from nbrank.readers import ballot_tables
from nbrank.readers.ballots import from_ballots
from nbrank.votes.leaderboard import Leaderboard

_FORMS = (
    "write a line for each ballot, best first, as A > B > C, or as 5: A > B > C for five alike; or "
    "paste what a form exports, with its row of headings"
)
_COUNT = re.compile(r"\s*\d+\s*[:×x*]\s*\S")
#: Pattern of a text before a ballot, as in a chat or a list: a name, a time or a number, but no
#: count.
_BEFORE = re.compile(r"(?!\s*\d+\s*:\s)(?!.*>\s*\w+[:.)]\s)[^>]*?[:.)\]]\s+(?=\S)")
_PLACE = re.compile(r"\d+(st|nd|rd|th)?", re.IGNORECASE)
_MAX_OPTIONS = 20
_KINDS = {"places": "columns of places", "grid": "a place for each option", "texts": "one column"}


@dataclass(frozen=True)
class Ballot:
    """A line that was pasted: the options, best first, those of one place together."""

    line: int
    levels: list[list[str]]
    count: int = 1

    @property
    def options(self) -> list[str]:
        """All options that it names."""
        return [name for level in self.levels for name in level]


@dataclass(frozen=True)
class PastedBallots:
    """The ballots of a class, and sentences on how the text was read."""

    board: Leaderboard
    ballots: list[Ballot]
    notes: list[str]

    @property
    def n_voters(self) -> int:
        """How many voters cast them."""
        return sum(ballot.count for ballot in self.ballots)


def read_pasted(text: str) -> PastedBallots:
    """Read ballots from a text; an error names the line at fault and what mends it.

    >>> read_pasted("2: Lake > Zoo > Museum").board.borda().index[0]
    'Lake'
    """
    text = re.sub(r"[-=]+>|[→≻]", ">", text)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise ValueError(f"There are no ballots yet; {_FORMS}")
    every, notes = _parse_form(lines) or _parse_lines(lines)
    ballots = [ballot for ballot in every if ballot.levels and ballot.count]
    notes += [
        f"Line {ballot.line} ranks nothing, and is left out"
        for ballot in every
        if not (ballot.levels and ballot.count)
    ]
    named = _check_names(ballots)
    if len(named) < 2:
        raise ValueError(f"A vote needs at least two options; {_FORMS}")
    if len(named) > _MAX_OPTIONS:
        raise ValueError(
            f"The ballots name {len(named)} options, and this page takes up to {_MAX_OPTIONS}; "
            "write every option alike on all lines"
        )
    notes += [
        f"Only line {line} names {name!r}: is that a slip?"
        for name, (line, times) in named.items()
        if times == 1 and len(ballots) > 3
    ]
    short = sum(ballot.count for ballot in ballots if len(ballot.options) < len(named))
    if short:
        leave = "ballot leaves" if short == 1 else "ballots leave"
        notes.append(f"{short} {leave} options out, which share the last place there")
    orders = [[level[0] if len(level) == 1 else level for level in b.levels] for b in ballots]
    board = from_ballots(orders, counts=[ballot.count for ballot in ballots])
    return PastedBallots(board, ballots, notes)


def _parse_form(lines: list[tuple[int, str]]) -> tuple[list[Ballot], list[str]] | None:
    """Parse what a form exports, a voter in each row; return None for other texts."""
    header = lines[0][1]
    sign = max("\t;,", key=header.count)
    if ">" in header or sign not in header:
        return None
    reader = csv.reader([line for _, line in lines], delimiter=sign)
    rows = [(lines[reader.line_num - 1][0], [cell.strip() or None for cell in row])
            for row in reader]  # fmt: skip
    names, n = rows[0][1], len(rows[0][1])
    cells = [row[:n] + [None] * (n - len(row)) for _, row in rows[1:]]
    frame = pd.DataFrame(cells, columns=[name or "" for name in names], dtype=object)
    table = ballot_tables.parse_ballot_frame(frame) if cells else None
    if table is None:
        return None
    numbers = [number for number, _ in rows[1:]]
    for number, row in rows[1:]:
        if any(row[n:]):
            raise ValueError(
                f"Line {number} has {len(row)} cells, the row of headings {n}; put a name with "
                f"{sign!r} in it between quotes"
            )
    _check_columns(frame, table, numbers)
    counts = table.counts or [1] * len(numbers)
    ballots = [
        Ballot(number, _as_levels(order), count)
        for number, order, count in zip(numbers, table.orders, counts, strict=True)
    ]
    notes = [f"Read as {_KINDS[table.kind]}: {join_labels(table.columns)}"]
    others = [name for name in frame.columns if name not in table.columns]
    return ballots, notes + [f"Not a ballot: {join_labels(others)}"] * bool(others)


def _check_columns(
    frame: pd.DataFrame, table: ballot_tables.BallotTable, numbers: list[int]
) -> None:
    """Refuse a grid if some cells of a column of places are not places."""
    others = [name for name in frame.columns if name not in table.columns]
    for name in others if table.kind == "grid" else []:
        wrong = [
            (number, cell) for number, cell in zip(numbers, frame[name], strict=True)
            if cell is not None and not _PLACE.fullmatch(cell)
        ]  # fmt: skip
        if wrong and 2 * len(wrong) < len(numbers):
            number, cell = wrong[0]
            raise ValueError(
                f"Line {number} has {cell!r} under {name!r}, which is not a place; "
                "write 1, 2, 3 ... or nothing"
            )


def _parse_lines(lines: list[tuple[int, str]]) -> tuple[list[Ballot], list[str]]:
    """Parse a ballot in each line."""
    notes = []
    later = "\n".join(text for _, text in lines[1:])
    (first, heading), *rest = lines
    if ">" not in heading and ">" in later and heading.strip() not in later:
        notes.append(f"Line {first}, {heading.strip()!r}, is taken for a heading")
        lines = rest
    while all(before := [_BEFORE.match(text) for _, text in lines]) and len(lines) > 1:
        found = [match[0] for match in before if match]
        if 2 * len(set(found)) <= len(lines):
            break
        notes.append(f"Left out: what stands before each ballot, such as {found[0].strip()!r}")
        lines = [(n, text[len(told) :]) for (n, text), told in zip(lines, found, strict=True)]
    counted = any(_COUNT.match(text) for _, text in lines)
    texts = [f"1: {text}" if counted and not _COUNT.match(text) else text for _, text in lines]
    if wrong := ballot_tables.find_comma_ballot(texts):
        raise ValueError(f"Line {lines[wrong[0]][0]}, {wrong[1]}")
    orders, counts = ballot_tables.parse_ballot_texts(texts) or ([], None)
    names = [str(level) for order in orders for level in order]
    # A line without the sign > may be any text, but ballots name the same options repeatedly.
    if not names or (">" not in "".join(texts) and 2 * len(set(names)) > len(names)):
        raise ValueError(f"Line {lines[0][0]}, {lines[0][1].strip()!r}, is not a ballot; {_FORMS}")
    ballots = [
        Ballot(number, _as_levels(order), count)
        for (number, _), order, count in zip(lines, orders, counts or [1] * len(lines), strict=True)
    ]
    return ballots, notes


def _as_levels(order: Iterable[object]) -> list[list[str]]:
    levels = [level if isinstance(level, list) else [level] for level in order]
    return [["" if name is None else str(name) for name in level] for level in levels]


def _check_names(ballots: list[Ballot]) -> dict[str, tuple[int, int]]:
    """Map each option to the first line that names it, and to how many lines do."""
    written: dict[str, tuple[str, int]] = {}
    for ballot in ballots:
        for name in ballot.options:
            if not name:
                raise ValueError(
                    f"Line {ballot.line} has an empty place between others; leave no gap"
                )
            if ballot.options.count(name) > 1:
                raise ValueError(f"Line {ballot.line} names {name!r} twice; give it one place")
            before, line = written.setdefault("".join(name.casefold().split()), (name, ballot.line))
            if before != name:
                raise ValueError(
                    f"Line {ballot.line} writes {name!r}, and line {line} {before!r}; write both "
                    "alike"
                )
    times = Counter(name for ballot in ballots for name in ballot.options)
    for name, line in written.values():
        if times[name] == 1 and len(ballots) > 1 and (sign := re.search(r"[>;|\t]", name)):
            raise ValueError(
                f"Line {line} has {sign[0]!r} within {name!r}; part all options by the same sign"
            )
    return {name: (line, times[name]) for name, line in written.values()}
