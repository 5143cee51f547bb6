"""Parsing of ballots in texts and tables: A > B = C, columns of places, or a grid of places."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import fold_name, is_text_number
from nbrank.readers.tables.column import counts_rows
from nbrank.votes.formatting import format_labels
from nbrank.votes.user_warnings import warn_user

#: Number of cells that are probed before a whole column is parsed.
_N_FIRST = 200
#: Separators of a ballot's systems; the first that occurs in any ballot is used.
_SEPARATORS = (">", ";", "|", "\t", ",")
_COUNT = re.compile(r"\s*(\d+)\s*(?:[:×x*]|,(?=[^,]*>))\s*(?=\S)(.+)", re.DOTALL)
#: As in 3 A>B, but not 1 Bus > 2 Car, whose systems have numbers.
_COUNT_AND_BLANK = re.compile(r"\s*(\d+)\s+((?![=~]|.*>\s*\d+\s)[^>]*>.*)", re.DOTALL)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
#: Pattern of a figure with commas of thousands: ~14,500.
_THOUSANDS = re.compile(r"[~<>]?\s*\d{1,3}(?:,\d{3})+")
_PLACE_NOUN = r"(?:place|rank|ranked|choice|preference|pref|position|vote|option|no|nr|#)"
_PLACE = re.compile(
    rf"(?:my\s+)?(?:{_PLACE_NOUN}[\s_.:-]*)?(?:(?P<digits>\d+)(?:st|nd|rd|th)?|"
    rf"(?P<word>{'|'.join(_ORDINALS)}))(?:[\s_.:-]*{_PLACE_NOUN})?",
    re.IGNORECASE,
)
_COUNTS = ("count", "counts", "voters", "votes", "ballots", "number", "n", "freq", "frequency")
#: Cells of exported ballots that are no option.
_NO_CHOICE = ("skipped", "skip", "undervote", "overvote", "exhausted", "no choice", "blank")
_VOTERS = (
    "voter", "student", "judge", "name", "id", "ballot", "respondent", "participant", "user",
    "annotator", "person", "timestamp", "email", "voterid", "studentid", "ballotid", "username",
    "emailaddress", "rater", "reviewer",
)  # fmt: skip


#: Layouts of ballots: a column for each place, a column of texts, or a column for each system.
BallotKind = Literal["places", "texts", "grid"]


@dataclass(frozen=True)
class BallotTable:
    """Ballots of a table, each a list of systems, best first, with their numbers of voters."""

    orders: list[list[Any]]
    #: Number of voters of each ballot; None for one each.
    counts: list[int] | None
    kind: BallotKind
    #: Columns that hold the ballots.
    columns: list[Any]


def parse_ballot_texts(texts: Sequence[str]) -> tuple[list[list[Any]], list[int] | None] | None:
    """Parse ballots as `A > B = C` or `A;B;C`, perhaps after a count; return None for other texts.

    >>> parse_ballot_texts(["5: A > B = C", "3: B > A"])
    ([['A', ['B', 'C']], ['B', 'A']], [5, 3])
    >>> parse_ballot_texts(["A;B;C", "B"])
    ([['A', 'B', 'C'], ['B']], None)
    >>> parse_ballot_texts(["A", "B"]) is None
    True
    """
    counted = [_COUNT.fullmatch(text) for text in texts]
    counts = None
    if not all(counted):
        counted = [_COUNT_AND_BLANK.fullmatch(text) for text in texts]
    if texts and all(counted):
        counts = [int(match[1]) for match in counted if match]
        texts = [match[2] for match in counted if match]
    separator = next((sign for sign in _SEPARATORS if any(sign in text for text in texts)), None)
    ties = any(re.search(r"\w\s*[=~]\s*\w", text) for text in texts)
    if separator is None and counts is None and not ties:
        return None
    return [_parse_order(text, separator or ">") for text in texts], counts


def find_comma_ballot(texts: Sequence[Any]) -> tuple[int, str] | None:
    """Find a ballot, or a place on it, that seems to separate by commas unlike the others.

    Returns its position and what is wrong; None without any, as where the others name it whole.

    >>> find_comma_ballot(["A > B > C", "C, A"])
    (1, "'C, A' separates by commas, others by >: write C > A, or C, A > if it is one option")
    >>> find_comma_ballot(["A > B > C", "C > A, B"])
    (1, "'A, B' seems to be a tie: write A = B, or rename it if it is one option")
    """
    if not all(isinstance(text, str) for text in texts):
        return None
    lines = [re.sub(r"^\s*\d+\s*[:×x*]\s*(?=\S)", "", text).strip() for text in texts]
    sign = next((sign for sign in _SEPARATORS if any(sign in line for line in lines)), ",")
    orders = [[name for level in _parse_order(line, sign) for name in _as_list(level)]
              for line in lines]  # fmt: skip
    ranked = [names for line, names in zip(lines, orders, strict=True) if sign in line]
    known = Counter(str(name).casefold() for names in ranked for name in names)
    for at, (line, names) in enumerate(zip(lines, orders, strict=True)):
        for name in names:
            parts = [part.strip() for part in str(name).split(",") if part.strip()]
            again = known[name.casefold()] - (sign in line)
            n_known = sum(part.casefold() in known for part in parts)
            if len(parts) < 2 or again or 2 * n_known < len(parts):
                continue
            if name == line:
                mend = (" > " if sign == ">" else f"{sign} ").join(parts)
                return at, (
                    f"{line!r} separates by commas, others by {sign}: write {mend}, or {line} "
                    f"{sign} if it is one option"
                )
            if n_known == len(parts):
                tie = " = ".join(parts)
                return at, (
                    f"{name!r} seems to be a tie: write {tie}, or rename it if it is one option"
                )
    return None


def are_ballots(lines: Sequence[str]) -> bool:
    """Return whether the lines of a text are ballots, from the first on.

    >>> are_ballots(["3 A > B", "2 B > A"]), are_ballots(["A, B", "B, A, C", "C, A"])
    (True, True)
    >>> are_ballots(["B, A", "A > B"]), are_ballots(["x, y", "B, A", "A, B"])
    (True, False)
    """
    first, others = lines[0], lines[1:]
    if any(all(map(pattern.fullmatch, lines)) for pattern in (_COUNT, _COUNT_AND_BLANK)):
        return True
    if ">" in first and 2 * sum(">" in line for line in others) >= len(others):
        return True
    without = others and "," in first and not any(re.search(r"[,\d]", line) for line in others)
    if without and any(all(sign in line for line in others) for sign in ">;"):
        return True
    # The first lines are probed, because they rule out most texts.
    return any(
        sign in first
        and all(_are_orders([_split(line, sign) for line in part])
                for part in (lines[:_N_FIRST], lines))
        for sign in ",;\t"
    )  # fmt: skip


def _split(line: str, sign: str) -> list[str]:
    return [*filter(None, map(str.strip, line.split(sign)))]


def _parse_order(text: str, separator: str) -> list[Any]:
    levels: list[Any] = []
    parts = [part.strip() for part in text.strip().split(separator)]
    while parts and not parts[-1]:  # A;B; ends with a separator
        parts.pop()
    for part in parts:
        inside = re.fullmatch(r"[{\[(](.*)[}\])]", part)
        signs = r"[=~,]" if inside else r"[=~]"
        tied = [name.strip() for name in re.split(signs, inside[1] if inside else part)]
        levels.append(tied[0] if len(tied) == 1 else tied)
    return levels


def parse_ballot_frame(frame: pd.DataFrame) -> BallotTable | None:
    """Parse the ballots of a frame, a row for each; return None for other frames.

    >>> parse_ballot_frame(pd.DataFrame({"1st": ["A", "B"], "2nd": ["B", None]})).orders
    [['A', 'B'], ['B']]
    >>> parse_ballot_frame(pd.DataFrame({"A": [1, 2], "B": [2, 1]})).orders
    [['A', 'B'], ['B', 'A']]
    """
    if frame.columns.hasnans or not frame.columns.is_unique:
        return None
    count = next((name for name in frame.columns if fold_name(name) in _COUNTS), None)
    counts = None if count is None else _parse_counts(frame[count])
    if counts is None:
        count = None
    names = [name for name in frame.columns if name != count]
    for read in (_read_lists, _read_places, _read_texts, _read_grid):
        result = read(frame, names)
        if result is not None:
            if result.counts is None:
                return replace(result, counts=counts)
            if counts is not None:
                raise ValueError(
                    f"the ballots have counts before them, and in the column {count!r}, too; leave "
                    f"out one of them"
                )
            return result
    return None


def find_ballots(frame: pd.DataFrame) -> BallotTable | None:
    """Find the ballots of a table without given roles; return None unless they are clear.

    Columns of places or a column of orders are clear if no other column holds numbers; a grid is
    clear if each row holds the places from 1 on, each once, and the columns do not.
    """
    result = parse_ballot_frame(frame)
    if result is None or len(result.orders) < 2:
        return None
    rest = [name for name in frame.columns if name not in result.columns]
    if any(_is_of_scores(frame, name) for name in rest):
        return None
    if result.kind == "texts":
        every = [name for order in result.orders for level in order for name in _as_list(level)]
        counted = result.counts and ">" in str(frame[result.columns[0]].iloc[0])
        if not counted and len(set(every)) * 2 > len(every):
            return None
        if wrong := find_comma_ballot(frame[result.columns[0]].tolist()):
            called = frame.attrs.get("file", "the table")
            raise ValueError(f"{called}: ballot {wrong[0] + 1}, {wrong[1]}")
        return result
    if result.kind == "places":
        return result
    cells = frame[result.columns].map(_parse_place).to_numpy(dtype=float)
    is_plain = all(map(_is_permutation, cells)) and not all(map(_is_permutation, cells.T))
    return result if is_plain and len(result.columns) > 2 else None


def _is_permutation(places: Any) -> bool:
    """Return whether places are those from 1 on, each once, in at least half of the cells."""
    filled = places[~np.isnan(places)]
    whole = list(range(1, len(filled) + 1))
    return 2 * len(filled) > len(places) and sorted(filled) == whole


def _are_orders(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether all rows, that of the names too, order the same few words."""
    below = {cell for row in rows[1:] for cell in row}
    known = set(rows[0]) <= below and 2 * len(below) <= sum(map(len, rows))
    return known and not any(map(is_text_number, below)) and all(
        len(set(row)) == len(row) > 0 for row in rows
    )  # fmt: skip


def _is_of_scores(frame: pd.DataFrame, name: Any) -> bool:
    """Return whether a column holds numbers, and is not named like a voter or a count."""
    if fold_name(name) in _COUNTS or _is_of_voters(frame, name):
        return False
    cells = frame[name].head(_N_FIRST)
    return 2 * sum(map(is_text_number, cells)) > len(cells)


def _is_of_voters(frame: pd.DataFrame, name: Any) -> bool:
    """Return whether a column is named like a voter, or is the first and numbers the rows."""
    if not isinstance(frame[name], pd.Series):
        return True
    folded = fold_name(name)
    if folded in _VOTERS or any(folded.startswith(word) for word in _VOTERS if len(word) > 3):
        return True
    if name != frame.columns[0]:
        return False
    return len(frame) > 2 and counts_rows(frame[name])


def _read_lists(frame: pd.DataFrame, names: Sequence[Any]) -> BallotTable | None:
    """Read ballots that are lists already, in a single column."""
    for name in names:
        if len(frame) and all(isinstance(cell, list | tuple) for cell in frame[name]):
            return BallotTable([list(cell) for cell in frame[name]], None, "texts", [name])
    return None


def _read_places(frame: pd.DataFrame, names: Sequence[Any]) -> BallotTable | None:
    """Read ballots in columns named 1st, 2nd, 3rd and so on."""
    places = _place_columns(names)
    if len(places) < 2:
        return None
    columns = [places[number] for number in sorted(places)]
    cells = [[_clean(cell) for cell in row] for row in frame[columns].to_numpy(dtype=object)]
    if all(is_text_number(cell) for row in cells for cell in row if cell is not None):
        return None
    orders = []
    marks = {str(cell) for row in cells for cell in row if str(cell).lower() in _NO_CHOICE}
    if marks:
        warn_user(
            f"{frame.attrs.get('file', 'the table')}: read as no choice, so that later ones move "
            f"up: {format_labels(sorted(marks))}; if one is an option, give it another name"
        )
    for row in cells:
        order = [cell for cell in row if cell not in marks]
        while order and order[-1] is None:
            order.pop()
        orders.append(order)
    return BallotTable(orders, None, "places", columns)


def _place_columns(names: Sequence[Any]) -> dict[int, Any]:
    """Map each place to its column, if all places from 1 on have one."""
    texts = _inner_names(names)
    places: dict[int, Any] = {}
    for name, text in zip(names, texts, strict=True):
        if (match := _PLACE.fullmatch(text)) is not None:
            word = match["word"]
            number = _ORDINALS.index(word.lower()) + 1 if word else int(match["digits"])
            places.setdefault(number, name)
    return places if sorted(places) == list(range(1, len(places) + 1)) else {}


def _inner_names(names: Sequence[Any]) -> list[str]:
    """Return the names in brackets, which forms write after the question: Your votes [Pizza]."""
    texts = [str(name).strip() for name in names]
    matches = [re.fullmatch(r"(.*?)\s*\[([^\]]+)\]", text) for text in texts]
    return [match[2].strip() if match else text for match, text in zip(matches, texts, strict=True)]


def _read_texts(frame: pd.DataFrame, names: Sequence[Any]) -> BallotTable | None:
    """Read ballots in a single column of texts."""
    columns = _text_columns(frame, names)
    if len(columns) != 1:
        return None
    result = parse_ballot_texts([str(cell) for cell in frame[columns[0]]])
    if result is None:
        return None
    return BallotTable(*result, "texts", columns)


def _text_columns(frame: pd.DataFrame, names: Sequence[Any]) -> list[Any]:
    """Find the columns of texts that split into systems, all by the same separator."""
    results = []
    for name in names:
        cells = frame[name]
        if not isinstance(cells, pd.Series) or not len(cells):
            continue
        # The first cells are probed, because they rule out most columns.
        for part in (cells.head(_N_FIRST), cells):
            texts = [cell for cell in part if isinstance(cell, str) and cell.strip()]
            signs = [sign for sign in (">", ";", "|", ",")
                     if 2 * sum(sign in text for text in texts) > len(texts)]  # fmt: skip
            if len(texts) < len(part) or not signs or all(map(_THOUSANDS.fullmatch, texts)):
                break
        else:
            results.append(name)
    by_order = [name for name in results if frame[name].astype(str).str.contains(">").any()]
    return by_order or results


def _read_grid(frame: pd.DataFrame, names: Sequence[Any]) -> BallotTable | None:
    """Read ballots in a grid: a column for each system, and its places in the cells."""
    columns = _grid_columns(frame, names)
    if len(columns) < 2:
        return None
    systems = _inner_names(columns)
    orders = []
    for row in frame[columns].map(_parse_place).to_numpy(dtype=float):
        levels = sorted(set(row[~np.isnan(row)]))
        tied = [[system for system, place in zip(systems, row, strict=True) if place == level]
                for level in levels]  # fmt: skip
        orders.append([level[0] if len(level) == 1 else level for level in tied])
    return BallotTable(orders, None, "grid", columns)


def _grid_columns(frame: pd.DataFrame, names: Sequence[Any]) -> list[Any]:
    """Find the columns whose cells are all places."""
    results = []
    for name in names:
        cells = frame[name]
        if _is_of_voters(frame, name):
            continue
        if any(isinstance(cell, list | tuple | dict | set) for cell in cells):
            continue
        filled = [cell for cell in cells.unique() if _clean(cell) is not None]
        if filled and all(1 <= _parse_place(cell) <= len(names) for cell in filled):
            results.append(name)
    return results


def _parse_place(cell: Any) -> float:
    """Parse a place in a cell: 1, "2nd", "third choice"; NaN for an empty cell."""
    text = "" if _clean(cell) is None else str(cell).strip()
    if isinstance(cell, float | np.floating) and float(cell).is_integer():
        text = str(int(cell))
    match = _PLACE.fullmatch(re.sub(r"\.0+$", "", text))
    if match is None:
        return np.nan
    word = match["word"]
    return float(_ORDINALS.index(word.lower()) + 1 if word else int(match["digits"]))


def _parse_counts(column: Any) -> list[int] | None:
    """Parse whole numbers of voters; return None if the column holds other cells."""
    if not isinstance(column, pd.Series):
        return None
    numbers = pd.to_numeric(column, errors="coerce")
    if numbers.isna().any() or (numbers % 1 != 0).any() or (numbers < 0).any():
        return None
    return [int(number) for number in numbers]


def _clean(cell: Any) -> Hashable | None:
    """Clean the name of a cell's system; return None for an empty cell."""
    if isinstance(cell, str):
        return cell.strip() or None
    is_missing = pd.api.types.is_scalar(cell) and pd.isna(cell)
    return None if is_missing else cell


def _as_list(level: Any) -> list[Any]:
    return level if isinstance(level, list) else [level]
