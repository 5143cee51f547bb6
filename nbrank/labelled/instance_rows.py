"""Rows of system and instance into ballots, and what to ask of rows that may be meant so."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.labelled.caller import warn_caller
from nbrank.labelled.naming import Label, counted, named

#: What a level is called that names systems, or instances; in one word, without "s", "id" or "no".
_SYSTEMS = {"algorithm", "candidate", "method", "model", "submission", "system", "team"}
_INSTANCES = {
    "document", "example", "instance", "item", "problem", "prompt", "query", "question", "sample",
    "segment", "sentence",
}  # fmt: skip


def is_instance_level(scores: pd.DataFrame) -> bool:
    """Whether the rows are systems x instances: a MultiIndex with levels of those names."""
    index = scores.index
    return isinstance(index, pd.MultiIndex) and {"system", "instance"} == set(index.names)


def instance_values(
    rows: pd.Index, numbers: NDArray[np.floating]
) -> tuple[pd.Index, pd.Index, NDArray[np.floating], NDArray[np.intp]]:
    """Systems x (task, instance), each task with the instances on which somebody was scored.

    Parameters
    ----------
    rows
        The system and the instance of each row.
    numbers
        Rows x tasks: the scores.

    Returns
    -------
    tuple
        The systems, the instance of each column, the scores, and the position of
        each column's task.
    """
    if rows.has_duplicates:
        twice = rows[rows.duplicated()].unique()
        raise ValueError(
            f"duplicate rows (system, instance): {named(twice)}; keep one score of each"
        )
    row_system, systems = pd.factorize(rows.get_level_values("system"))
    row_instance, instances = pd.factorize(rows.get_level_values("instance"))
    if (row_system < 0).any() or (row_instance < 0).any():
        raise ValueError("a row has no system or no instance (NaN); name every one")
    if len(systems) > 1 and len(instances) == len(rows):
        warn_of_nothing_shared()
    blocks, labels, column_task = [], [], []
    for task, column in enumerate(numbers.T):
        present = ~np.isnan(column)
        used = np.zeros(len(instances), dtype=bool)
        used[row_instance[present]] = True
        position = np.cumsum(used) - 1
        block = np.full((len(systems), int(used.sum())), np.nan, numbers.dtype)
        block[row_system[present], position[row_instance[present]]] = column[present]
        blocks.append(block)
        labels.append(instances[used])
        column_task.append(np.full(block.shape[1], task))
    pooled = labels[0].append(labels[1:])
    return (
        systems.rename("system"),
        pooled,
        np.concatenate(blocks, axis=1),
        np.concatenate(column_task),
    )


def warn_of_other_level_names(rows: pd.Index) -> None:
    """Warn where rows are taken as systems, though their levels are called like instances'.

    Parameters
    ----------
    rows
        The index of a table that is not taken as one of instances.
    """
    if not isinstance(rows, pd.MultiIndex):
        return
    words = [_word(name) for name in rows.names]
    of_instances = [number for number, word in enumerate(words) if word in _INSTANCES]
    of_systems = [number for number, word in enumerate(words) if word in _SYSTEMS]
    if len(words) == 2 and "instance" in words and not of_systems:
        of_systems = [1 - words.index("instance")]
    if len(of_instances) != 1 or len(of_systems) != 1:
        return
    named_so = {of_systems[0]: "system", of_instances[0]: "instance"}
    renamed = [
        f"rename the level {rows.names[number]!r} to {name!r}"
        for number, name in named_so.items()
        if rows.names[number] != name
    ]
    others = [name for number, name in enumerate(rows.names) if number not in named_so]
    if others:
        renamed.append(f"move {named(others)} into the columns, or drop it")
    warn_caller(
        f"each of the {counted(len(rows), 'row')} is taken as a system of its own, since their "
        f"levels are called {named(rows.names)}; if these are the instances of systems, "
        f"{' and '.join(renamed)}"
    )


def _word(name: Label) -> str:
    """What a level is called, as `_SYSTEMS` and `_INSTANCES` write it."""
    parts = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name)).casefold())
    while len(parts) > 1 and parts[-1] in ("id", "index", "name", "no", "number"):
        parts.pop()
    word = "".join(parts)
    return {"queries": "query"}.get(word, word.removesuffix("s"))


def warn_of_nothing_shared() -> None:
    """Warn that no two systems share an instance: all would tie, without a word."""
    warn_caller(
        "no two systems share an instance, so their scores can't be compared, and most rules find "
        "all systems equal; call an instance the same for every system"
    )
