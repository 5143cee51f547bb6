"""Columns of tables of comparisons: the two systems and the winner, by names and cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import fold_name, parse_column
from nbrank.readers.tables.column_evidence import bound_of
from nbrank.readers.tables.system_columns import is_figure
from nbrank.votes.comparison_outcomes import TIE_WORDS, decode_winners
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.direction_names import direction_hint
from nbrank.votes.user_warnings import warn_user

#: Names of the two sides, without signs, which also distinguish their other columns.
_SIDES = (
    ("a", "b"), ("1", "2"), ("left", "right"), ("home", "away"), ("white", "black"), ("i", "j"),
)  # fmt: skip
_WINNERS = (
    "winner", "winnername", "result", "outcome", "preference", "preferred", "verdict", "judgement",
    "judgment", "vote", "label", "choice", "won", "winnermodel",
)  # fmt: skip
#: Names of the column of the systems that others meet, which have the first column.
_OPPONENTS = ("opponent", "opponents", "opponentname", "opposition", "rival", "versus", "vs")
_SCORES = ("score", "goals", "points", "rating", "goal")
_WON = ("wins", "win", "won")
_LOST = ("losses", "loss", "lost", "loses", "lose")
_TIES = (
    "ties",
    "draws",
    "tie",
    "draw",
    "drawn",
    "tied",
    "winnertie",
    "winnertiebothbad",
    "winnerdraw",
)
#: Result of the system that a row is about -> outcome.
_RESULTS = (
    dict.fromkeys(("w", *_WON), 1.0) | dict.fromkeys(("l", *_LOST), -1.0)
    | dict.fromkeys(("d", "t", "tie", "tied", "draw", "drawn", "ties", "draws"), 0.0)
)  # fmt: skip
_DIFFERENCES = frozenset({"difference", "diff", "gap", "delta", "margin", "minus"})
#: Names of a column of the left side's points, and, with winner, of outcomes.
_POINTS_NAMES = ("score", "result", "outcome", "points")
_NOUNS = ("model", "system", "player", "team", "candidate", "option", "item", "generator", "method",
          "column")  # fmt: skip
_JUDGES = ("annotator", "judge", "rater", "worker", "assessor", "evaluator", "vote")
_NO_PREFERENCE = ["no preference", "no_preference", "none", "neither", "equal", "same"]
_PAIRS = ("pair", "match", "matchup", "battle", "comparison", "models", "systems", "game", "vs")
#: Separators of the two names of a pair, the likeliest first.
_VERSUS = re.compile(r"\s+(?:vs?\.?|versus)\s+|[_-]vs[_-]", re.IGNORECASE)
_PARTS = (r"\s*\|\s*", r"\s+/\s+", r"\s+[-–—]\s+", r"\s*:\s*", r"\s*,\s*", r"/", r"_")


def find_comparisons(
    frame: pd.DataFrame, **known: Hashable | None
) -> tuple[pd.DataFrame, dict[str, Any]] | None:
    """Find the rows of a table of comparisons, and its columns as options of `from_comparisons`.

    Parameters
    ----------
    frame
        A table of cells.
    known
        Columns by their roles, as the user sets them: `left`, `right`, `winner` (also a list, for
        several judges), `loser`, `pair` (both names in one cell), `weight`, `count`, `cluster`.

    Returns
    -------
    tuple or None
        A frame with a row for each comparison, and the options of `from_comparisons`; None for
        other tables.

    Raises
    ------
    ValueError
        If a pair can't be split into two names.

    Examples
    --------
    >>> table = pd.DataFrame({"pair": ["A vs B", "B vs C"], "winner": ["1", "2"]})
    >>> rows, options = find_comparisons(table)
    >>> rows
      winner left right
    0      1    A     B
    1      2    B     C
    >>> options
    {'left': 'left', 'right': 'right', 'winner': 'winner'}
    """
    options: dict[str, Any] = {name: value for name, value in known.items() if value is not None}
    names = {fold_name(name): name for name in reversed([*frame.columns])}
    if "loser" in options or (both := _find_loser(frame, names)):
        return frame, options if "loser" in options else both | options
    sides = _find_sides(frame, names, options)
    if sides is None:
        pair = options.pop("pair", None) or _find_pair(frame)
        if pair is None:
            return None
        frame, sides = _part_pairs(frame, pair), ("left", "right")
    options |= {"left": sides[0], "right": sides[1]}
    frame = _spell_out_verdicts(frame, {"left", "right", *(str(side).lower() for side in sides)})
    named = None if "winner" in options else _find_winner(frame, options)
    decoded = _decode_outcomes(frame, names, sides, options) if named is None else None
    if decoded is not None:
        return decoded
    likely = [options["winner"]] if "winner" in options else [named] if named is not None else [
        name for name in frame.columns
        if name not in options.values() and _says_who_won(frame, name, options)
    ]  # fmt: skip
    return _melt_judges(frame, options | {"winner": likely[0]}) if len(likely) == 1 else None


def _find_loser(frame: pd.DataFrame, names: dict[str, Any]) -> dict[str, Any]:
    """Find the columns of the winners and losers, by names that differ in nothing else."""
    for name, winner in names.items():
        loser = names.get(re.sub("winn(?=er|ing)", "los", name), winner)
        if loser != winner and _is_of_words(frame[winner]):
            return {"winner": winner, "loser": loser}
    return {}


def _find_sides(
    frame: pd.DataFrame, names: dict[str, Any], options: dict[str, Any]
) -> tuple[Any, Any] | None:
    """Find the columns of the two systems: as given, or by names that differ only in the side."""
    if {"left", "right"} <= set(options):
        return options["left"], options["right"]
    words = [name for name in names if "pair" not in options and _is_of_words(frame[names[name]])]
    for first, second in _SIDES:
        for name in words:
            for other, noun in (
                (re.sub(f"{first}$", second, name), name.removesuffix(first)),
                (re.sub(f"^{first}", second, name), name.removeprefix(first)),
            ):
                known = noun.removesuffix("name") in _NOUNS if noun else len(first) > 1
                met = other in names and bool({*frame[names[name]]} & {*frame[names[other]]})
                told = {*_POINTS_NAMES[:3], "winner", *(won + first for won in _WON)}
                met = met and (noun != "" or bool(told & set(names)))
                several = {f"{noun}3", f"3{noun}"} & {*words} if first == "1" else ()
                if other != name and other in words and (known or met) and not several:
                    return names[name], names[other]
    opponents = [name for name in words if name in _OPPONENTS]
    lefts = [name for name in words if name.removesuffix("name") in _NOUNS or name == words[-1]]
    return (names[lefts[-1]], names[opponents[0]]) if opponents and opponents != lefts else None


def _is_of_words(column: Any) -> bool:
    """Return whether most cells of a column are names."""
    if not isinstance(column, pd.Series) or not len(column):
        return False
    numbers = sum(map(is_figure, column.unique()))
    return bool(2 * numbers < column.nunique())


def _find_pair(frame: pd.DataFrame) -> Any:
    """Find the column with both names in a cell: by "vs" in all cells, or by its name."""
    for name in frame.columns:
        cells = frame[name] if isinstance(frame[name], pd.Series) else pd.Series(dtype=object)
        if len(cells) and all(isinstance(cell, str) and _VERSUS.search(cell) for cell in cells):
            return name
    called_so = [name for name in frame.columns if fold_name(name) in _PAIRS]
    return next((name for name in called_so if _find_separator(frame[name])), None)


def _find_separator(cells: Iterable[object]) -> re.Pattern[str] | None:
    """Find the separator that occurs exactly once in all cells."""
    texts = [str(cell) for cell in cells]
    for pattern in (_VERSUS, *map(re.compile, _PARTS)):
        if texts and all(len(pattern.findall(text)) == 1 for text in texts):
            return pattern
    return None


def _part_pairs(frame: pd.DataFrame, pair: Any) -> pd.DataFrame:
    """Split the two names of each pair into separate columns."""
    pattern = _find_separator(frame[pair])
    if pattern is None:
        odd = [cell for cell in frame[pair] if not _VERSUS.search(str(cell))]
        raise ValueError(
            f"{pair!r} doesn't part in two names: {format_labels(odd or frame[pair], 3)}; write "
            f"each as 'A vs B'"
        )
    halves = [pattern.split(str(cell)) for cell in frame[pair]]
    rest = frame.drop(columns=[pair, *({"left", "right"} & set(frame.columns))])
    return rest.assign(
        left=[half[0].strip() for half in halves], right=[half[1].strip() for half in halves]
    )


def _spell_out_verdicts(frame: pd.DataFrame, sides: set[str]) -> pd.DataFrame:
    """Replace verdicts such as leftvote and no preference by the words for sides and ties."""
    for name in frame.columns if frame.columns.is_unique else ():
        plain = frame[name].astype(str).str.strip().str.lower()
        texts = plain.str.replace(r"[ _]?vote$", "", regex=True).replace(_NO_PREFERENCE, "tie")
        if not texts.equals(plain) and sides & {*texts} and {*texts} <= {*sides, *TIE_WORDS}:
            frame = frame.assign(**{str(name): texts})
    return frame


def _find_winner(frame: pd.DataFrame, options: dict[str, Any]) -> Any:
    """Find the column of winners by its name, or those of several judges."""
    others = [name for name in frame.columns if name not in options.values()]
    named = [name for word in _WINNERS for name in others
             if fold_name(name) == word and _says_who_won(frame, name, options)]  # fmt: skip
    if named:
        # Another column may say who tied where that of winners is empty.
        whole = [name for name in others
                 if not _has_gaps(frame[name]) and _says_who_won(frame, name, options)]  # fmt: skip
        return whole[0] if _has_gaps(frame[named[0]]) and len(whole) == 1 else named[0]
    numbered = re.compile(rf"({'|'.join(_JUDGES)})\d+|.*winner")
    judges = [name for name in others if numbered.fullmatch(fold_name(name))
              and _says_who_won(frame, name, options)]  # fmt: skip
    return judges[0] if len(judges) == 1 else judges or None


def _has_gaps(cells: Any) -> bool:
    return any(pd.isna(cell) or not str(cell).strip() for cell in cells)


def _says_who_won(frame: pd.DataFrame, name: Any, options: dict[str, Any]) -> bool:
    """Return whether all cells of a column may be winners: codes, sides, systems or ties."""
    if not isinstance(frame[name], pd.Series):
        return False
    if fold_name(name) == "winner":
        return True  # unknown values are refused later, with their rows
    values = {value for value in frame[name].dropna().unique() if str(value).strip()}
    words = {str(value).strip().lower() for value in values}
    if words <= {*_RESULTS} and any(map(_RESULTS.get, words)):
        return False
    left, right = options["left"], options["right"]
    systems = {*frame[left], *frame[right]}
    known = {"left", "right", *TIE_WORDS, str(left).lower(), str(right).lower()}
    rest = [v for v in values if v not in systems and str(v).strip().lower() not in known]
    if fold_name(name) in _WINNERS and len(rest) < len(values):
        return True
    return bool(values) and (not rest or decode_winners(rest, options) is not None)


def _melt_judges(
    frame: pd.DataFrame, options: dict[str, Any]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Stack the rows of several judges, so that each original row becomes a cluster."""
    judges = options.get("winner")
    if not isinstance(judges, list):
        return frame, options
    if len(judges) == 1:
        return frame, options | {"winner": judges[0]}
    numbered = frame.assign(item=np.arange(len(frame)) + 1)
    kept = [name for name in numbered.columns if name not in judges]
    melted = numbered.melt(kept, judges, var_name="judge", value_name="winner")
    melted = melted[melted["winner"].notna() & (melted["winner"].astype(str).str.strip() != "")]
    melted.attrs = frame.attrs
    if "cluster" not in options:
        warn_user(
            f"{frame.attrs.get('file', 'the table')}: {format_labels(judges)} say who won, each "
            f"row's judgements being drawn together, as a cluster"
        )
    return melted.reset_index(drop=True), {"cluster": "item"} | options | {"winner": "winner"}


def _decode_outcomes(
    frame: pd.DataFrame, names: dict[str, Any], sides: tuple[Any, Any], options: dict[str, Any]
) -> tuple[pd.DataFrame, dict[str, Any]] | None:
    """Find columns of points, letters, scores or numbers of wins that say who won."""
    said = options.get("winner")
    winners = said if isinstance(said, list) else [said] if said is not None else []
    for decode, what in _DECODERS.items():
        found = decode(frame, names, sides)
        if found is not None and (not winners or set(found[0]) == set(winners)):
            columns, outcomes = found
            if outcomes.ndim == 1 or (outcomes.sum(axis=1) != 1).any():
                left, right = map(repr, sides)
                text = what.format(columns=format_labels(columns), left=left, right=right)
                warn_user(f"{frame.attrs.get('file', 'the table')}: {text}")
            if outcomes.ndim == 2:
                warn_of_shares(frame, outcomes.sum(axis=1))
            rows = _replace_winners(frame, columns, outcomes)
            if not winners and (decode is _decode_results or fold_name(columns[0]) in _WON):
                rows = _drop_mirrored(rows, *sides)
            return rows, options | {"winner": "winner"}
    return None


def _decode_points(
    frame: pd.DataFrame, names: dict[str, Any], sides: Sequence[Any]
) -> tuple[list[Any], Floats] | None:
    """Find the points of the left side: 1 for a win, 0.5 for a tie and 0; or whether it wins."""
    wins = [name for won in _WON for name in _of_sides(won, sides, names)[:1]]
    for name in (*(names[word] for word in _POINTS_NAMES if word in names), *wins):
        points = parse_column(frame[name]) if isinstance(frame[name], pd.Series) else None
        if points is None or points.unparsed_rows:
            continue
        values = {*points.values}
        if values == {0, 0.5, 1} or (name in wins and {0, 1} <= values <= {0, 0.5, 1}):
            return [name], 2 * points.values - 1
    return None


def _decode_letters(
    frame: pd.DataFrame, _: dict[str, Any], sides: Sequence[Any]
) -> tuple[list[Any], Floats] | None:
    """Find the column of the first letters of home and away, and of draws."""
    codes = {first[0]: 1.0 for first, second in _side_words(sides)} | {"d": 0.0}
    codes |= {second[0]: -1.0 for first, second in _side_words(sides)}
    likely = [
        name
        for name in frame.columns
        if len(codes) == 3
        and isinstance(frame[name], pd.Series)
        and {"d"} < {str(cell).strip().lower() for cell in frame[name].unique()} <= {*codes}
    ]
    of_match = [name for name in likely if fold_name(name) in ("ftr", "result")]  # fmt: skip
    if len(likely) != 1 and len(of_match) != 1:
        return None
    name = (of_match or likely)[0]
    letters = frame[name].astype(str).str.strip().str.lower()
    return [name], np.array([codes.get(letter, np.nan) for letter in letters])


def _decode_results(
    frame: pd.DataFrame, names: dict[str, Any], _: Sequence[Any]
) -> tuple[list[Any], Floats] | None:
    """Find the results of the left side in words: W, L and D."""
    for name in (names[word] for word in (*_WINNERS, *_POINTS_NAMES) if word in names):
        words = frame[name].astype(str).str.strip().str.lower()
        if {*words} <= {*_RESULTS} and {*words.map(_RESULTS)} & {1.0, -1.0}:
            return [name], words.map(_RESULTS).to_numpy()
    return None


def _compare_scores(
    frame: pd.DataFrame, names: dict[str, Any], sides: Sequence[Any]
) -> tuple[list[Any], Floats] | None:
    """Find the columns of the scores of both sides, and compare them."""
    for word in _SCORES:
        if len(columns := _of_sides(word, sides, names)) == 2:
            left, right = (parse_column(frame[name]) for name in columns)
            difference = left.values - right.values
            if not (left.unparsed_rows or right.unparsed_rows or np.isnan(difference).any()):
                return columns, np.sign(difference)
    return None


def _count_wins(
    frame: pd.DataFrame, names: dict[str, Any], sides: Sequence[Any]
) -> tuple[list[Any], Floats] | None:
    """Find the columns that count the wins of each side, and ties; return their numbers."""
    of_left = [next((names[word] for word in words if word in names), None)
               for words in (_WON, _LOST)]  # fmt: skip
    for word in (*_WON, "winner", ""):
        columns = _of_sides(word, sides, names) if word else of_left
        if len(columns) == 2 and None not in columns:
            ties = (names[tie] for tie in _TIES if tie in names)
            columns = [*columns, *ties][:3]
            numbers = np.column_stack([parse_column(frame[name]).values for name in columns])
            one_each = word != "winner" or (numbers.sum(axis=1) == 1).all()
            if one_each and not (numbers % 1).any() and (numbers >= 0).all():
                return columns, numbers
    return None


def _compare_to_right(frame: pd.DataFrame, *_: object) -> tuple[list[Any], Floats] | None:
    """Find a column of differences, left minus right if its name doesn't say it otherwise."""
    for name in frame.columns:
        words = re.split(r"[\W_]+", str(name).lower())
        if not _DIFFERENCES & {*words} or bound_of(words) or not isinstance(frame[name], pd.Series):
            continue
        values = parse_column(frame[name])
        if values.unparsed_rows or np.isnan(values.values).any():
            continue
        metric = " ".join(word for word in words if len(word) > 1 and word not in _DIFFERENCES)
        hint = direction_hint(metric)
        is_lower = hint is not None and hint.direction == "lower"
        at = words.index("minus") if "minus" in words else 0
        swapped = ((*words[at + 1 : at + 2], *words[at - 1 : at]) in _SIDES) != is_lower
        return [name], np.sign(values.values) * (-1 if swapped else 1)
    return None


#: Function that decodes columns of outcomes, tried in this order -> the warning about them.
_DECODERS = {
    _decode_points: "{columns} is read as the points of {left}: 1 for a win, 0.5 for a tie",
    _decode_letters: "{columns} is read as the side that won, by its first letter, or a draw",
    _decode_results: "{columns} is read as the result of {left}",
    _compare_scores: "read as comparisons, won by the higher of {columns}",
    _compare_to_right: "each row is won by {left} or {right} by the sign of {columns} alone",
    _count_wins: "{columns} are read as numbers of wins of each side, and of ties",
}


def _of_sides(word: str, sides: Sequence[Any], names: dict[str, Any]) -> list[Any]:
    """Return the columns named by a word and a side, the left one first: Wins 1, home_goals."""
    for pair in [*_side_words(sides), tuple(map(fold_name, sides))]:
        for both in ([word + side for side in pair], [side + word for side in pair]):
            if both[0] in names:
                return [names[name] for name in both if name in names]
    return []


def _side_words(sides: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the words for the sides that the names of both columns contain."""
    bare = [fold_name(side) for side in sides]
    return [pair for pair in _SIDES if all(map(str.__contains__, bare, pair))]


def _replace_winners(frame: pd.DataFrame, columns: Sequence[Any], outcomes: Floats) -> pd.DataFrame:
    """Replace columns by one of the winners; of numbers of wins, repeat the rows as often."""
    words = np.array(["left", "right", "tie"], dtype=object)
    counts = outcomes if outcomes.ndim == 2 else outcomes[:, None] == [1, -1, 0]
    row, side = np.nonzero(counts)
    n = counts[row, side].astype(int)
    result = frame.drop(columns=list(columns)).iloc[np.repeat(row, n)].reset_index(drop=True)
    result.attrs = frame.attrs
    return result.assign(winner=np.repeat(words[side], n))


def warn_of_shares(frame: pd.DataFrame, totals: Floats) -> None:
    """Warn of numbers of wins that are per cent, it seems: those of each pair add up to 100."""
    if np.allclose(totals, 100, atol=1):
        warn_user(
            f"{frame.attrs.get('file', 'the table')}: the wins of each pair add up to 100; if they "
            f"are per cent, errors are those of 100 comparisons, and only their numbers say more"
        )


def _drop_mirrored(rows: pd.DataFrame, left: Any, right: Any) -> pd.DataFrame:
    """Drop the second listing of comparisons that are all listed from both sides."""
    swapped = rows["winner"].replace({"left": "right", "right": "left"})
    if Counter(zip(rows[left], rows[right], rows["winner"], strict=True)) != Counter(
        zip(rows[right], rows[left], swapped, strict=True)
    ):
        return rows
    warn_user(
        f"{rows.attrs.get('file', 'the table')}: each comparison is listed from both sides, and "
        f"read once"
    )
    first = {name: at for at, name in enumerate(dict.fromkeys(rows[left]))}
    kept: pd.DataFrame = rows[rows[left].map(first) < rows[right].map(first)].reset_index(drop=True)
    kept.attrs = rows.attrs
    return kept
