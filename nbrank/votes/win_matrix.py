"""Reader of a square table of wins, as comparisons."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import clean_axes, plain_frame
from nbrank.votes.user_warnings import warn_user


def from_wins(wins: pd.DataFrame) -> Comparisons:
    """How often did the system of each row beat that of each column?

    Parameters
    ----------
    wins
        A square frame with the same systems in rows and columns, as `pairwise` gives it: the number
        of wins of the row over the column, a tie as a half to each. The diagonal does not count.
        An empty cell (NaN) means that the pair was not compared.

    Returns
    -------
    Comparisons
        The systems in the order of the rows. Whole numbers and halves are counts; two halves of a
        pair are one tie. Other numbers are weights.

    Raises
    ------
    TypeError
        If `wins` is not a frame of numbers.
    ValueError
        If rows and columns are not the same systems, a number is negative, or all wins are 0.

    Warns
    -----
    UserWarning
        If the wins of each pair add up to 1: shares don't tell the number of comparisons, so
        that errors would be meaningless.

    References
    ----------
    Bradley and Terry, Rank analysis of incomplete block designs, Biometrika, 1952.

    Examples
    --------
    >>> wins = pd.DataFrame([[0, 3.5], [1.5, 0]], index=["A", "B"], columns=["A", "B"])
    >>> comparisons = from_wins(wins)
    >>> comparisons
    Comparisons: 5 comparisons of 2 systems (20.0 % ties; 1 of 1 pairs met)
    >>> comparisons.pairwise().to_numpy().tolist()
    [[0.0, 3.5], [1.5, 0.0]]
    """
    frame = plain_frame(wins)
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"from_wins takes a square frame of wins, not {type(wins).__name__}")
    frame = clean_axes(frame)
    if not frame.index.is_unique or not frame.columns.is_unique:
        raise ValueError(
            "from_wins: a system is there more than once; give each a row and a column"
        )
    different = frame.index.symmetric_difference(frame.columns)
    if len(different) or len(frame) < 2:
        raise ValueError(
            f"from_wins: rows and columns must be the same systems, at least two, but "
            f"{format_labels(different)} is only on one side"
        )
    columns = frame[frame.index]
    try:
        cells = columns.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    except (TypeError, ValueError):
        raise TypeError("from_wins: wins must be numbers") from None
    np.fill_diagonal(cells, 0)
    cells = np.nan_to_num(cells, nan=0.0, posinf=np.inf, neginf=-np.inf)
    if (cells < 0).any() or np.isinf(cells).any() or not cells.any():
        raise ValueError("from_wins: wins must be finite and not below 0, and some above")
    return _count_wins(list(frame.index), cells)


def _count_wins(systems: list[Label], cells: Floats) -> Comparisons:
    """Make comparisons from counts, where halves are ties, or from weights."""
    total = cells + cells.T
    met = total[np.triu_indices(len(cells), 1)]
    counted = bool((2 * cells % 1 == 0).all() and (total % 1 == 0).all())
    ties = np.triu(cells % 1 != 0) & counted
    wins = np.floor(cells) if counted else cells
    if not counted and np.allclose(met[met > 0], 1):
        warn_user(
            "the wins of each pair add up to 1: shares don't say how many comparisons they are of, "
            "and all errors mean nothing; give numbers of wins"
        )
    # A row that counts for nothing keeps a system that met none.
    alone = np.flatnonzero(~total.any(axis=1))
    listed = wins > 0
    listed[alone, alone - 1] = True
    left, right = (
        np.append(*places) for places in zip(np.nonzero(listed), np.nonzero(ties), strict=True)
    )
    frame = pd.DataFrame(
        {
            "left": [systems[number] for number in left],
            "right": [systems[number] for number in right],
            "times": np.append(wins[listed], np.ones(ties.sum())),
            "winner": ["left"] * np.count_nonzero(listed) + ["tie"] * ties.sum(),
        }
    )
    times: dict[str, Any] = {"count" if counted else "weight": "times"}
    made = from_comparisons(frame, left="left", right="right", winner="winner", **times)
    return made.select_systems(systems)
