"""Work that takes long: it is done a moment later, and its last result is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

#: Seconds without a request after which the work is done.
_PAUSE = 0.15


class Debouncer:
    """Work that is requested often and takes long: it is done once the requests pause."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waiting: asyncio.TimerHandle | None = None

    @property
    def is_pending(self) -> bool:
        """Whether work was requested and isn't done yet."""
        return self._waiting is not None

    def schedule(self) -> bool:
        """Do the work soon, or at once where no loop runs; return whether it waits."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._work()
        else:
            self._waiting = loop.call_later(_PAUSE, self.run_now)
        return self._waiting is not None

    def run_now(self) -> None:
        """Do the work now, if it waits."""
        if self.cancel():
            self._work()

    def cancel(self) -> bool:
        """Drop the work that waits; return whether there was any."""
        waited, self._waiting = self._waiting, None
        if waited is not None:
            waited.cancel()
        return waited is not None


class LastResult:
    """The result for the last settings, which is kept until they change."""

    def __init__(self) -> None:
        self._settings: Any = None
        self._result: Any = None

    def find(self, settings: tuple[Any, ...], search: Callable[[], Any]) -> Any:
        """Return the result for these settings; search for it if they have changed."""
        if self._settings != settings:
            self._result, self._settings = search(), settings
        return self._result
