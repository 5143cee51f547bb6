"""Work that takes long: it follows later, and what came of it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

#: So long, in seconds, nothing may move before the work is done.
_PAUSE = 0.15


class Debouncer:
    """Work that is asked for often and takes long: it is done once the asking pauses."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._waiting: asyncio.TimerHandle | None = None

    @property
    def is_pending(self) -> bool:
        """Whether there is work that was asked for, and isn't done yet."""
        return self._waiting is not None

    def schedule(self) -> bool:
        """Have the work done soon, or at once where no loop runs; says whether it waits."""
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
        """Do what waits never; says whether there was any."""
        waited, self._waiting = self._waiting, None
        if waited is not None:
            waited.cancel()
        return waited is not None


class LastResult:
    """What came of the last settings, kept until they change."""

    def __init__(self) -> None:
        self._settings: Any = None
        self._result: Any = None

    def find(self, settings: tuple[Any, ...], search: Callable[[], Any]) -> Any:
        """Return what comes of these settings; it is searched for if they are others."""
        if self._settings != settings:
            self._result, self._settings = search(), settings
        return self._result
