"""A progress bar for what takes long: the one place that knows how bars look."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from math import isfinite
from typing import Any

#: Seconds before a bar shows: shorter runs need none.
MIN_SECONDS_BEFORE_BAR = 2.0


def progress_bar(items: Iterable[Any] | None = None, **options: Any) -> Any:
    """Show how far a run is, to those who have waited; not where `TQDM_DISABLE` is set."""
    from tqdm.auto import tqdm

    # tqdm's bar for notebooks takes no notice of the variable by itself.
    off = bool(os.environ.get("TQDM_DISABLE"))
    if sys.platform == "emscripten":
        tqdm.monitor_interval = 0  # its monitor is a thread, which Python in a browser has not
    return tqdm(
        items, **{"delay": MIN_SECONDS_BEFORE_BAR, "leave": False, "disable": off, **options}
    )


def time_limit_bar(desc: str, limit: float) -> Any:
    """Show how many of its seconds a search has taken, from now on."""
    if isfinite(limit):
        return progress_bar(
            total=limit, desc=desc, delay=0, bar_format="{desc}: {bar} {n:.0f} of {total:.0f} s"
        )
    return progress_bar(desc=desc, delay=0, bar_format="{desc}: {n:.0f} s")
