"""Labelled arguments in users' forms: mappings, Series and frames of polars."""

from collections.abc import Container, Hashable, Iterable, Mapping
from typing import Any, TypeGuard, TypeVar, cast
from unicodedata import is_normalized, normalize

import pandas as pd

from nbrank.votes.formatting import Label, format_labels, group_values
from nbrank.votes.table.name_heuristics import SYSTEMS, inner_roles, is_named_like
from nbrank.votes.table.row_levels import REPLICATE_LEVELS
from nbrank.votes.user_warnings import warn_user

#: Type of values by label.
Labelled = Mapping[Any, Any] | pd.Series
TableT = TypeVar("TableT", bound=pd.DataFrame | pd.Series)
#: Columns that are levels of the rows besides the systems, in frames without an index.
_LEVELS = frozenset({"instance", "cluster", "seed", "run", "fold", "repeat"})


def is_labelled(values: object) -> TypeGuard[Labelled]:
    """Return whether an argument gives values by label: a mapping or a Series."""
    return isinstance(values, Mapping | pd.Series)


def as_series(values: object) -> Any:
    """Return a mapping as a Series, with its keys as labels; anything else as it is."""
    if not isinstance(values, Mapping):
        return values
    return pd.Series(list(values.values()), pd.Index(list(values), tupleize_cols=False))


def mapping_to_frame(values: Any) -> Any:
    """Return a mapping of mappings (or Series) as a frame of these columns; other values as is."""
    if not isinstance(values, Mapping) or not values or not all(map(is_labelled, values.values())):
        return values
    return pd.DataFrame({name: as_series(column) for name, column in values.items()})


def is_polars(frame: object) -> bool:
    """Return whether an object is a frame of polars, without importing polars."""
    kind = type(frame)
    return kind.__module__.partition(".")[0] == "polars" and kind.__name__ == "DataFrame"


def plain_frame(frame: Any) -> Any:
    """Return a frame of polars as one of pandas, its columns as they are; anything else as it is.

    The columns are read by numpy, so that pyarrow is not needed.
    """
    if not is_polars(frame):
        return frame
    return pd.DataFrame({column.name: column.to_numpy() for column in frame.get_columns()})


def as_frame(frame: Any, kinds: Container[str] = SYSTEMS, level: Any = None) -> Any:
    """Return a frame of polars as one of pandas with labelled rows; anything else as it is.

    Polars has no index. The column called like systems ("system", "model", ...) or "name" labels
    the rows, as in `read`; else the first column if it holds texts, else the only column
    of texts. Columns called "instance", "seed" and the like are further levels of the rows, as is
    the column `level`; where a system has several rows, so are all that are called like instances,
    runs or clusters, as in `read`.
    """
    if not is_polars(frame):
        return frame
    plain: pd.DataFrame = plain_frame(frame)
    system = _label_column(plain, kinds)
    others = [name for name in plain if name != system]
    level = level if isinstance(level, Hashable) else None
    inner = {name: name for name in others if str(name).casefold() in _LEVELS}
    if plain[system].duplicated().any():
        inner |= _inner_levels(plain[[name for name in others if name != level]])
    if level in others:
        inner[level] = level
    if inner:
        return plain.rename(columns={system: "system", **inner}).set_index(
            ["system", *(inner[name] for name in others if name in inner)]
        )
    return plain.set_index(system)


def _inner_levels(frame: pd.DataFrame) -> dict[Label, Label]:
    """Find the columns that distinguish the rows of a system, and the names of these levels.

    A column of fractions holds scores, whatever it is called.
    """
    names = [
        name
        for name, column in frame.items()
        if column.dtype.kind != "f" or (column.dropna() % 1 == 0).all()
    ]
    roles = inner_roles(names)
    levels: dict[Label, Label] = {name: name for name in roles}
    instances = [name for name, role in roles.items() if role == "instance"]
    if len(instances) == 1:
        levels[instances[0]] = "instance"
    elif not instances and len(roles) == 1:
        levels = {
            name: name if str(name).casefold() in REPLICATE_LEVELS else "seed" for name in roles
        }
    return levels


def _label_column(frame: pd.DataFrame, kinds: Container[str]) -> Label:
    """Find the column that names the rows, such as systems, in a frame without an index."""
    names: list[Hashable] = list(frame.columns)
    called_so = [name for name in names if is_named_like(name, kinds)]
    called_so += [name for name in names if str(name).strip().lower() == "name"]
    if called_so:
        return called_so[0]
    texts = [name for name in names if _is_text(frame[name])]
    if texts and texts[0] == names[0]:
        return texts[0]
    if len(texts) == 1:
        warn_user(
            f"the systems are read from the column {texts[0]!r}; if that is wrong, give the frame "
            f"of pandas, scores.to_pandas().set_index(...)"
        )
        return texts[0]
    raise ValueError(
        f"a frame of polars has no index, and none of its columns is called 'system': "
        f"{format_labels(names)}; rename the one that names the systems, "
        f"scores.rename({{{str((texts or names or ['name'])[0])!r}: 'system'}})"
    )


def _is_text(column: pd.Series) -> bool:
    cells = column.dropna()
    return len(cells) > 0 and all(isinstance(cell, str) for cell in cells)


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


def clean_axes(table: TableT) -> TableT:
    """Return a Series or frame whose labels, also those of columns, are clean.

    >>> clean_axes(pd.Series({"gpt-4 ": 1})).index.tolist()
    ['gpt-4']
    """
    result: Any = table
    for axis, labels in enumerate(result.axes):
        if (cleaned := clean_labels(labels)) is not labels:
            result = result.set_axis(cleaned, axis=axis)
    return cast("TableT", result)


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
