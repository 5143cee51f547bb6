"""Formatting of labels and numbers in messages."""

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools

Label = Hashable
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def format_labels(labels: Iterable[Label], max_items: int = 8) -> str:
    """List labels in an error message, cut short if there are many."""
    return join_truncated([repr(label) for label in labels], max_items)


def join_truncated(texts: Sequence[str], max_items: int = 8) -> str:
    """List texts, cut short if there are many."""
    shown = ", ".join(texts[:max_items])
    return shown if len(texts) <= max_items else f"{shown} and {len(texts) - max_items} more"


def join_words(names: Iterable[str]) -> str:
    """List names with "and" before the last."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def group_values(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Group values by their key, in their order."""
    results: dict[Key, list[Value]] = {}
    for key, value in pairs:
        results.setdefault(key, []).append(value)
    return results


def find_position(labels: pd.Index, label: Label) -> int | None:
    """Find the position of a label; None for any other, also for the first part of some labels."""
    # get_loc is not used, because it accepts parts of labels and warns of unsorted tuples.
    try:
        return {known: place for place, known in enumerate(labels)}.get(label)
    except TypeError:  # A list is not hashable.
        return None


def check_same_labels(
    expected: Iterable[Label], actual: Iterable[Label], arguments: str, subject: str
) -> None:
    """Refuse an argument whose labels differ from those of the data."""
    item, other = dict.fromkeys(expected), dict.fromkeys(actual)
    different = [label for label in item | other if label not in item or label not in other]
    if different:
        raise ValueError(f"{arguments} have different {subject}: {format_labels(different)}")


def cells_named(systems: pd.Index, tasks: pd.Index, wrong: Bools) -> str:
    """List the systems and the tasks (systems x tasks) at fault."""
    rows, columns = np.flatnonzero(wrong.any(axis=1)), np.flatnonzero(wrong.any(axis=0))
    return f"{format_labels(systems[rows])} on {format_labels(tasks[columns])}"


def pluralize(number: int, noun: str) -> str:
    """Write a number with its noun, whose plural takes an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
