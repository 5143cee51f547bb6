"""Progress bars of long computations, all in the same style."""

import os
import sys
from collections.abc import Iterable
from math import isfinite
from typing import Any

#: Delay of bars in seconds, because shorter runs need no bar.
MIN_SECONDS_BEFORE_BAR = 2.0


def progress_bar(items: Iterable[Any] | None = None, **options: Any) -> Any:
    """Show the progress of a run after a delay, unless `TQDM_DISABLE` is set."""
    from tqdm.auto import tqdm

    # The variable is read here, because tqdm's bar for notebooks ignores it.
    off = bool(os.environ.get("TQDM_DISABLE"))
    if sys.platform == "emscripten":
        tqdm.monitor_interval = 0  # Python in a browser lacks threads
    return tqdm(
        items, **{"delay": MIN_SECONDS_BEFORE_BAR, "leave": False, "disable": off, **options}
    )


def time_limit_bar(desc: str, limit: float) -> Any:
    """Show the elapsed seconds of a search, out of its time limit."""
    if isfinite(limit):
        return progress_bar(
            total=limit, desc=desc, delay=0, bar_format="{desc}: {bar} {n:.0f} of {total:.0f} s"
        )
    return progress_bar(desc=desc, delay=0, bar_format="{desc}: {n:.0f} s")
