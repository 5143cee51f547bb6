"""Work that may follow a moment later, where a loop runs that does it; else it is done at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

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

    def schedule(self) -> None:
        """Have the work done soon; at once, where no loop runs."""
        self.cancel()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._work()
        else:
            self._waiting = loop.call_later(_PAUSE, self.run_now)

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
