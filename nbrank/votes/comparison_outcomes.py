"""Systems and winners of comparisons: names, sides, words for a tie, and codes, as numbers."""

import re
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Bools, Floats, Positions
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import clean_label, clean_labels
from nbrank.votes.table.data_warnings import warn_of_merged_names, warn_of_similar_names

LEFT, TIE, RIGHT = 1, 0, -1
#: The words for a tie, in any case.
TIE_WORDS = ("tie", "draw", "both_bad", "bothbad", "tie (bothbad)")
#: Codes of winners, each kind with the code (if any) that is needed to recognize it.
_CODES: tuple[tuple[str, dict[str, int]], ...] = (
    ("2", {"1": LEFT, "2": RIGHT, "0": TIE}),
    ("-1", {"1": LEFT, "-1": RIGHT, "0": TIE}),
    ("", {"1-0": LEFT, "0-1": RIGHT, "1/2-1/2": TIE, "½-½": TIE, "0.5-0.5": TIE, "=-=": TIE}),
)


def parse_outcomes(
    winner: pd.Series,
    systems: pd.Index,
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    columns: Mapping[str, Label],
    ties: Iterable[Label],
    sides: tuple[Label, Label] | None = None,
) -> NDArray[np.int8] | Floats:
    """Return 1, 0 or -1 for each row: the left system won, a tie, the right one won.

    A share of the win is a number between, 2 * share - 1.
    """
    codes, values = clean_numbered(*number_values(winner, "winner"))
    ties = (ties,) if isinstance(ties, str) else tuple(ties)
    named: list[set[Label]] = [{_fold(side)} for side in sides] if sides else [set(), set()]
    words = {
        LEFT: ("the left side", {"left", clean_label(columns["left"]), *named[0]}),
        RIGHT: ("the right side", {"right", clean_label(columns["right"]), *named[1]}),
        TIE: ("a tie", set(map(_fold, ties))),
    }
    number = systems.get_indexer(values)
    # A name means its side in that row; other values are unknown.
    outcome = np.where(number[codes] == left, LEFT, np.where(number[codes] == right, RIGHT, 2))
    unknown = np.zeros(len(values), dtype=bool)
    for code, value in enumerate(values):
        is_system = number[code] >= 0
        # A system's own name is no side in other letters: "A" where the left column is "a".
        meanings = [
            side
            for side, (_, known) in words.items()
            if value in known or ((side == TIE or not is_system) and _fold(value) in known)
        ]
        sentences = ["a system"] if is_system else []
        sentences += [words[side][0] for side in meanings]
        if len(sentences) > 1:
            raise ValueError(
                f"the winner {value!r} could be {' or '.join(sentences)}; rename the system or the "
                f"column, or write the sides as other words"
            )
        if meanings:
            outcome[codes == code] = meanings[0]
        unknown[code] = not sentences
    coded = decode_winners(values[unknown], columns)
    if coded is not None:
        for code in np.flatnonzero(unknown).tolist():
            outcome[codes == code] = coded[_fold(values[code])]
        unknown[:] = False
    if are_shares(values[unknown]):
        shares = np.array(
            [value if of_win else 0.5 for value, of_win in zip(values, unknown, strict=True)],
            dtype=np.float64,
        )
        outcome = np.where(unknown[codes], 2 * shares[codes] - 1, outcome)
    elif unknown.any():
        _refuse_unknown(values[unknown], unknown[codes], winner, columns, ties)
    outcome = _validate_winners(outcome, values, codes, winner)
    # Half a win for each is a tie: of 1, 0.5 and 0 only, nothing is shared otherwise.
    return outcome.astype(np.float64) if (outcome % 1).any() else outcome.astype(np.int8)


def _validate_winners(
    outcome: NDArray[Any], values: pd.Index, codes: Positions, winner: pd.Series
) -> NDArray[Any]:
    """Return the outcomes; refuse those of a winner that is in neither side of its row."""
    absent = outcome == 2
    if absent.any():
        raise ValueError(
            f"the winner {format_labels(values[np.unique(codes[absent])])} is neither of the "
            "two systems "
            f"compared in {format_row_labels(absent, winner.index)}; correct or drop such rows"
        )
    return outcome


def are_shares(values: Iterable[Label]) -> bool:
    """Return whether these can only be shares of a win: numbers from 0 to 1, some between.

    >>> are_shares([0.7, 0, 1]), are_shares([1, 0]), are_shares([0.7, 2])
    (True, False, False)
    """
    numbers: list[Any] = list(values)
    real = all(isinstance(value, Real) and 0 <= float(value) <= 1 for value in numbers)
    return real and any(value not in (0, 1) for value in numbers)


def decode_winners(
    values: Iterable[Label], columns: Mapping[str, Label]
) -> dict[Label, int] | None:
    """Return what codes mean if all of them are of one unambiguous kind; else None.

    >>> decode_winners([1, 2, 0], {"left": "x", "right": "y"})
    {'1': 1, '2': -1, '0': 0}
    >>> decode_winners(["A", "b"], {"left": "model_a", "right": "model_b"})
    {'a': 1, 'b': -1}
    >>> decode_winners([1, 0], {"left": "x", "right": "y"}) is None  # 0: a tie, or lost?
    True
    """
    texts = {_fold(value) for value in values}
    suffixes = [re.split(r"[\W_]+", str(columns[side]).lower())[-1] for side in ("left", "right")]
    kinds = list(_CODES)
    if suffixes[0] != suffixes[1] and not any(text.isdigit() for text in suffixes):
        kinds.append(("", dict(zip(suffixes, (LEFT, RIGHT), strict=True))))
    for needed, meanings in kinds:
        if texts and texts <= set(meanings) and (not needed or needed in texts):
            return {text: meaning for text, meaning in meanings.items() if text in texts}
    return None


def _fold(value: Label) -> Label:
    """Convert a word to lower case, and a whole number to its digits."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    text = str(clean_label(value)).lower()
    return re.sub(r"\s*[-–—:]\s*(?=[\d½=])", "-", text) if re.match(r"[\d½=]", text) else text


def _refuse_unknown(
    values: pd.Index,
    rows: NDArray[np.bool_],
    winner: pd.Series,
    columns: Mapping[str, Label],
    ties: tuple[Label, ...],
) -> None:
    """Refuse unknown winners; suggest the call that gives their meaning."""
    zero_one = {_fold(value) for value in values} == {"0", "1"}
    first, second = list(values)[:2] if len(values) == 2 else (1, 0)
    cure = (
        "1 and 0 may mean the left and the right side, or the left side and a tie: say which, "
        "sides=(1, 0), or ties=[0] with sides=(1, 2)"
        if zero_one
        else f"name others with ties=, or with sides=, as in sides=({first!r}, {second!r})"
    )
    raise ValueError(
        f"unknown winners: {format_labels(values)} in {format_row_labels(rows, winner.index)}; a "
        f"winner is a system's name, 'left' or 'right', {columns['left']!r} or "
        f"{columns['right']!r}, or a tie: {format_labels(ties)} ({cure})"
    )


def format_row_labels(bad: Bools, index: pd.Index) -> str:
    """Format the labels of the rows at fault, for a message."""
    return (
        f"{'row' if bad.sum() == 1 else 'rows'} {format_labels(index[bad].tolist(), max_items=5)}"
    )


def number_values(column: pd.Series, subject: str) -> tuple[Positions, pd.Index]:
    """Number the values of a column in the order in which they appear; none may be missing."""
    try:
        codes, labels = pd.factorize(column)
    except TypeError:  # A list is not hashable.
        raise TypeError(
            f"the column {column.name!r} holds lists or the like, and a {subject} is a name"
        ) from None
    if codes.min() < 0:
        raise ValueError(
            f"no {subject} (NaN) in {format_row_labels(codes < 0, column.index)}; drop such rows, "
            "or fill them in"
        )
    if isinstance(labels, pd.CategoricalIndex):
        labels = labels.categories[labels.codes]
    return codes, labels.rename(None)


def clean_numbered(codes: Positions, names: pd.Index) -> tuple[Positions, pd.Index]:
    """Renumber names after cleaning, which may make several equal."""
    every = clean_labels(names)
    if every is names:
        return codes, names
    names = every[~every.duplicated()]
    return names.get_indexer(every)[codes], names


def number_systems(
    left: pd.Series, right: pd.Series, columns: dict[str, Label]
) -> tuple[pd.Index, NDArray[np.int32], NDArray[np.int32]]:
    """Number all systems; return them and their numbers on either side."""
    left_codes, systems = number_values(left, f"name in the column {columns['left']!r}")
    right_codes, others = number_values(right, f"name in the column {columns['right']!r}")
    warn_of_merged_names([*systems, *others])
    left_codes, systems = clean_numbered(left_codes, systems)
    right_codes, others = clean_numbered(right_codes, others)
    number = systems.get_indexer(others)
    new = number < 0
    number[new] = len(systems) + np.arange(new.sum())
    systems = systems.append(others[new])
    warn_of_similar_names(systems)
    right_codes = number[right_codes]
    same = left_codes == right_codes
    if same.any():
        raise ValueError(
            f"compared with itself: {format_labels(systems[np.unique(left_codes[same])])} "
            f"in {format_row_labels(same, left.index)}; drop such rows"
        )
    return systems, left_codes.astype(np.int32), right_codes.astype(np.int32)
