"""Numbering of the systems that are compared in each row."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Bools, Positions
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.label_cleaning import clean_labels
from nbrank.votes.table.name_warnings import warn_of_merged_names, warn_of_similar_names


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
