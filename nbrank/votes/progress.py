"""A progress bar for what takes long: the one place that knows how bars look."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

#: Seconds before a bar shows: shorter runs need none.
PATIENCE = 2.0


def progress(items: Iterable[Any] | None = None, **options: Any) -> Any:
    """Show how far a run is, to those who have waited.

    No bar shows where the environment variable `TQDM_DISABLE` is set, as in a
    notebook that is saved with its outputs.

    Parameters
    ----------
    items
        What is gone through; None for a bar that is moved on by hand.
    **options
        Options of `tqdm`, such as `total`, `desc` and `unit`.

    Returns
    -------
    tqdm.tqdm
        The items, or the bar.

    Examples
    --------
    >>> list(progress("ab", total=2))
    ['a', 'b']
    """
    from tqdm.auto import tqdm

    # tqdm's bar for notebooks takes no notice of the variable by itself.
    off = bool(os.environ.get("TQDM_DISABLE"))
    return tqdm(items, delay=PATIENCE, leave=False, disable=off, **options)
