"""Many ballots, part by part, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

#: Ballots in a part. The size is the same on every machine, and so are the sums in their last bit.
PART = 1 << 18


def each_part(function: Callable[[slice], Result], n_ballots: int) -> list[Result]:
    """Run a function on consecutive parts of the ballots, side by side where there are several.

    Parameters
    ----------
    function
        From the slice of a part to its result; numpy lets other threads run
        while it works on large arrays.
    n_ballots
        How many ballots there are.

    Returns
    -------
    list
        The results, in the order of the parts.

    Examples
    --------
    >>> [part.stop for part in each_part(lambda part: part, 300_000)]
    [262144, 300000]
    """
    parts = [slice(start, min(start + PART, n_ballots)) for start in range(0, n_ballots, PART)]
    if len(parts) < 2:
        return [function(part) for part in parts]
    with ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1)) as pool:
        return list(pool.map(function, parts))
