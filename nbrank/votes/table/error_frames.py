"""Standard errors that go with a table of scores, checked against its labels."""

from __future__ import annotations

import pandas as pd

from nbrank.votes.formatting import format_labels


def validate_errors(
    errors: pd.DataFrame, systems: pd.Index, tasks: pd.Index, rows: pd.Index
) -> pd.DataFrame:
    """Return the errors in the order of the scores; fail on labels that the scores don't have."""
    if not isinstance(errors, pd.DataFrame):
        raise TypeError(f"errors must be a frame with the labels of the scores, not {errors!r}")
    index = rows if isinstance(rows, pd.MultiIndex) and not rows.equals(systems) else systems
    for what, labels, known in (("systems", errors.index, index), ("tasks", errors.columns, tasks)):
        if lost := [label for label in labels if label not in known]:
            raise ValueError(
                f"errors: unknown {what}: {format_labels(lost)}; the scores have "
                f"{format_labels(known, 10)}"
            )
    return errors.reindex(index=index, columns=tasks).astype(float)


def validate_descriptions(descriptions: pd.DataFrame, systems: pd.Index) -> pd.DataFrame | None:
    """Return the descriptions in the order of the systems; refuse those of other systems."""
    if not isinstance(descriptions, pd.DataFrame):
        raise TypeError(
            f"descriptions must be a frame with a row for each system, not {descriptions!r}"
        )
    labels = descriptions.index
    if labels.nlevels > 1 and systems.nlevels == 1:
        labels = labels.get_level_values("system").unique()
    if lost := [label for label in labels if label not in systems]:
        raise ValueError(
            f"descriptions: unknown systems: {format_labels(lost)}; the scores have "
            f"{format_labels(systems, 10)}"
        )
    return select_rows(descriptions, systems)


def select_rows(frame: pd.DataFrame | None, systems: pd.Index) -> pd.DataFrame | None:
    """Select the rows of some systems, whatever further levels the rows have."""
    if frame is None:
        return None
    if frame.index.nlevels == 1:
        return frame.reindex(systems)
    return frame[frame.index.get_level_values("system").isin(systems)]
