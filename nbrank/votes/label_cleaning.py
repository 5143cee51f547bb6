"""Cleaning of names of systems and tasks: stripped, and in one Unicode form (NFC)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload
from unicodedata import is_normalized, normalize

import pandas as pd

from nbrank.votes.formatting import Label, group_values


def clean_label(label: Label) -> Label:
    """Return a text stripped and in NFC, and a tuple of such; any other label as it is.

    >>> clean_label(" gpt-4 "), clean_label(("math ", 1)), clean_label(4)
    ('gpt-4', ('math', 1), 4)
    """
    cleaned: Label = label
    if isinstance(label, str):
        cleaned = normalize("NFC", label).strip()
    elif isinstance(label, tuple):
        cleaned = tuple(map(clean_label, label))
    return label if cleaned == label else cleaned


def clean_labels(labels: pd.Index) -> pd.Index:
    """Return an index with clean labels; the same index if they are clean.

    >>> clean_labels(pd.Index(["gpt-4 ", "claude"], name="model")).tolist()
    ['gpt-4', 'claude']
    """
    listed = list(labels)
    cleaned: list[Any] = list(map(clean_label, listed))
    if all(new is old for new, old in zip(cleaned, listed, strict=True)):
        return labels
    if isinstance(labels, pd.MultiIndex):
        return pd.MultiIndex.from_tuples(cleaned, names=labels.names)
    flat = labels.categories if isinstance(labels, pd.CategoricalIndex) else labels
    return pd.Index(cleaned, dtype=flat.dtype, name=labels.name, tupleize_cols=False)


@overload
def clean_axes(table: pd.DataFrame) -> pd.DataFrame: ...
@overload
def clean_axes(table: pd.Series) -> pd.Series: ...
def clean_axes(table: Any) -> Any:
    """Return a Series or frame whose labels, also those of columns, are clean.

    >>> clean_axes(pd.Series({"gpt-4 ": 1})).index.tolist()
    ['gpt-4']
    """
    for axis, labels in enumerate(table.axes):
        if (cleaned := clean_labels(labels)) is not labels:
            table = table.set_axis(cleaned, axis=axis)
    return table


def spellings(labels: Iterable[Label]) -> dict[Label, list[Label]]:
    """Return clean label -> its spellings, for those with several.

    >>> spellings(["gpt-4", "gpt-4 ", "claude"])
    {'gpt-4': ['gpt-4', 'gpt-4 ']}
    """
    every = group_values((clean_label(label), label) for label in dict.fromkeys(labels))
    return {label: listed for label, listed in every.items() if len(listed) > 1}


def spell_out(labels: Iterable[Label]) -> str:
    """List labels so that lookalikes differ: characters that are not in NFC are written out.

    >>> print(spell_out(["Caf\u00e9", "Cafe\u0301", "gpt-4 "]))
    'Café', 'Cafe\u0301', 'gpt-4 '
    """
    texts = ((repr(label), ascii(label)) for label in labels)
    return ", ".join(text if is_normalized("NFC", text) else plain for text, plain in texts)
