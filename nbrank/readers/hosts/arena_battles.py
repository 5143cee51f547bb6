"""Reader of Chatbot Arena's battles, as comparisons."""

from __future__ import annotations

from os import PathLike

import pandas as pd

from nbrank.readers.tables.comparison_columns import find_comparisons
from nbrank.readers.tables.table_files import read_table
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.user_warnings import warn_user


def arena(file: str | PathLike[str] | bytes) -> Comparisons:
    r"""Which chat model won, battle by battle?

    Parameters
    ----------
    file
        A file of Chatbot Arena's battles, in JSON, JSON lines, CSV or Parquet: columns
        `model_a`, `model_b` and `winner` ("model_a", "model_b", "tie" or
        "tie (bothbad)"), or `winner_model_a`, `winner_model_b` and `winner_tie` with 0
        and 1. With a column `anony`, only anonymous battles count, as in the arena.

    Returns
    -------
    Comparisons
        `bradley_terry` of them is the arena's ranking.

    Raises
    ------
    OSError, ValueError
        If the file can't be read, or lacks those columns.

    Warns
    -----
    UserWarning
        If battles that were not anonymous are left out.

    Examples
    --------
    >>> battles = arena(b"model_a,model_b,winner\nA,B,model_a\nB,C,tie\nC,A,model_b\n")
    >>> battles.copeland()["rank"].to_dict()
    {'A': 1, 'B': 2, 'C': 2}
    """
    frame = read_table(file)
    rows, columns = find_comparisons(frame) or (frame, {})
    if columns.get("left") != "model_a":
        raise ValueError(
            f"arena: {frame.attrs.get('file', 'the file')} has no column 'model_a', 'model_b', "
            f"'winner'; its columns are {format_labels(frame.columns)}"
        )
    return from_comparisons(select_anonymous(rows), **columns)


def select_anonymous(battles: pd.DataFrame) -> pd.DataFrame:
    """Select the battles with anonymous models, if a column says so; warn of the others."""
    if "anony" not in battles:
        return battles
    hidden = battles["anony"].astype(str).str.lower() == "true"
    if not hidden.all():
        left_out = pluralize(int((~hidden).sum()), "battle")
        warn_user(f"arena: {left_out} left out, in which the models were not anonymous")
    return battles[hidden]
