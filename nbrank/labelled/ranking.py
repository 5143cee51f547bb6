"""From scores to a ranking: a labelled frame, best first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.profile import competition_ranks


def ranking(
    systems: pd.Index,
    scores: NDArray[np.float64],
    rule: str,
    attrs: Mapping[str, Any] | None = None,
    scale: float = 0.0,
) -> pd.DataFrame:
    """Order the systems by score, best first, tied ones in table order.

    Parameters
    ----------
    systems
        The systems in table order.
    scores
        Their scores, higher is better; NaN for a system that has none.
    rule
        The name of the rule, for `.attrs["rule"]`.
    attrs
        Further facts of the result: plain scalars, strings and lists.
    scale
        The size of what the scores were computed from, where they may all be
        about 0 themselves.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, with the columns

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4), and
            those without a score share the last.
        score
            The scores.

    Examples
    --------
    >>> ranking(pd.Index(["A", "B", "C"]), np.array([1.0, 2.0, 1.0]), "demo")["rank"].to_dict()
    {'B': 1, 'A': 2, 'C': 2}
    """
    ranks = competition_ranks(scores, scale)
    order = np.argsort(ranks, kind="stable")
    frame = pd.DataFrame(
        {"rank": ranks[order], "score": np.asarray(scores, dtype=float)[order]},
        index=systems[order],
    )
    frame.attrs = {"rule": rule}
    frame.attrs.update(attrs or {})
    return frame


def in_order(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """The rows by these columns, ties as they are, whatever the index is called."""
    return frame.iloc[np.lexsort([frame[column] for column in reversed(columns)])]
