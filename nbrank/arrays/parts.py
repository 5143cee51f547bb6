"""Many ballots, part by part, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")

#: Scores in a part. The size is the same on every machine, and so are the sums in their last bit.
_PART = 1 << 22


def each_part(function: Callable[[slice], Result], shape: tuple[int, int]) -> Iterator[Result]:
    """Run a function on consecutive parts of the ballots, side by side where there are several.

    Parameters
    ----------
    function
        From the slice of a part to its result; numpy lets other threads run
        while it works on large arrays.
    shape
        How many systems and how many ballots there are.

    Yields
    ------
    Result
        The results, in the order of the parts.

    Examples
    --------
    >>> [part.stop for part in each_part(lambda part: part, (16, 300_000))]
    [262144, 300000]
    """
    n_systems, n_ballots = shape
    size = max(_PART // max(n_systems, 1), 1)
    parts = [slice(start, min(start + size, n_ballots)) for start in range(0, n_ballots, size)]
    if len(parts) < 2:
        yield from map(function, parts)
        return
    with ThreadPoolExecutor(min(len(parts), os.cpu_count() or 1)) as pool:
        yield from pool.map(function, parts)
