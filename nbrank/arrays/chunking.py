"""Many ballots, part by part: for the memory, for the cache, and for all cores."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from nbrank.arrays.typing import Positions

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Scores in a part. The size is the same on every machine, and so are the sums in their last bit.
_PART = 1 << 22


def chunk_slices(start: int, stop: int, size: int) -> list[slice]:
    """Cut a range into slices of equal size; the last may be shorter."""
    return [slice(low, min(low + size, stop)) for low in range(start, stop, size)]


def map_ballot_chunks(
    function: Callable[[slice], Result], shape: tuple[int, int]
) -> Iterator[Result]:
    """Run a function on consecutive parts of systems x ballots, side by side, in their order."""
    n_systems, n_ballots = shape
    parts = chunk_slices(0, n_ballots, max(_PART // max(n_systems, 1), 1))
    # numpy lets other threads run while it works on large arrays.
    return map_threaded(function, parts, min(len(parts), os.cpu_count() or 1))


def map_threaded(
    function: Callable[[Item], Result], items: Iterable[Item], n_threads: int
) -> Iterator[Result]:
    """Yield the results in the order of the items, and hold only a few of them at a time."""
    if n_threads < 2 or sys.platform == "emscripten":  # Python in a browser has no threads
        yield from map(function, items)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(n_threads) as pool:
        for item in items:
            if len(waiting) > n_threads:
                yield waiting.popleft().result()
            waiting.append(pool.submit(function, item))
        while waiting:
            yield waiting.popleft().result()


def group_sort(unit_codes: Positions) -> tuple[Positions, Positions]:
    """Sort so that elements of a unit are adjacent; return the order and the units' starts."""
    # Units are numbered from 0, and none of them is empty.
    order = np.argsort(unit_codes, kind="stable")
    return order, np.flatnonzero(np.diff(unit_codes[order], prepend=-1))
