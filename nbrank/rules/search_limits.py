"""A search with a time limit: when it ends, what it shows meanwhile, what it says at the limit."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any

import numpy as np

from nbrank.arrays.orders.linear_orders import Deadline, DeadlineExceeded
from nbrank.arrays.orders.majority_graphs import SearchLimitError
from nbrank.votes import progress
from nbrank.votes.table.validation import validate_number

#: Default time limit of a rule's search, in seconds.
DEFAULT_SECONDS = 30.0


class TimeLimit:
    """The search of a function, for the seconds that it may take from the first look at `deadline`.

    Where an answer is still open then (DeadlineExceeded), the error names the function and what
    to do.
    """

    def __init__(self, function: str, seconds: float | None) -> None:
        if seconds is not None and not validate_number(function, "time_limit", seconds) > 0:
            raise ValueError(
                f"{function}: time_limit is a number of seconds above 0, not {seconds!r}; give "
                f"None for no limit"
            )
        self.function = function
        self.seconds = np.inf if seconds is None else float(seconds)
        self._bar: Any = None

    @cached_property
    def _start_time(self) -> float:
        return time.monotonic()

    @cached_property
    def deadline(self) -> Deadline:
        """When the search ends."""
        quiet_until = self._start_time + progress.MIN_SECONDS_BEFORE_BAR
        return Deadline(self._start_time + self.seconds, self._show, quiet_until)

    @property
    def description(self) -> str:
        """The limit in words."""
        return f"the time limit of {self.seconds:g} second{'s' * (self.seconds != 1)}"

    def _show(self) -> None:
        """Move the bar on; it is made when the search has taken long enough for one."""
        passed = time.monotonic() - self._start_time
        if self._bar is None:
            self._bar = progress.time_limit_bar(self.function, self.seconds)
        # tqdm takes a bar that is past its total for one without any.
        self._bar.update(min(passed, self.seconds) - self._bar.n)

    def __enter__(self) -> TimeLimit:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._bar is not None:
            self._bar.close()
        if isinstance(error, DeadlineExceeded):
            raise SearchLimitError(
                f"{self.function}: the optimal orders were not all found within "
                f"{self.description}; raise time_limit (None removes it)"
            ) from None
