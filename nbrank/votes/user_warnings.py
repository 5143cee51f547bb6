"""Warnings that point at the line from which the library was called, and their categories."""

import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

#: Texts that are not said again, and those that are said, while a source is read.
_MEMORY: ContextVar[tuple[Collection[str], list[str]]] = ContextVar("memory")


@contextmanager
def remember_warnings(known_warnings: Collection[str]) -> Iterator[list[str]]:
    """Collect the facts that warnings in a block state, and omit warnings of known ones.

    >>> with remember_warnings(["old"]) as said:
    ...     _ = warn_user("old")
    >>> said
    ['old']
    """
    said: list[str] = []
    token = _MEMORY.set((known_warnings, said))
    try:
        yield said
    finally:
        _MEMORY.reset(token)


def warn_user(message: str | Warning, category: type[Warning] = UserWarning) -> bool:
    """Warn at the nearest line outside the library; return whether a filter lets it through."""
    known, said = _MEMORY.get(((), []))
    said.append(str(getattr(message, "fact", message)))
    if said[-1] in known:
        return True
    package = __name__.partition(".")[0]
    caller, depth = sys._getframe(1), 2
    # The call may have no outer frame, for example if Python itself calls.
    while (where := str(caller.f_globals.get("__name__"))).partition(".")[0] == package:
        if caller.f_back is None:
            break
        caller, depth = caller.f_back, depth + 1
    warnings.warn(message, category, stacklevel=depth)
    for action, text, kind, module, line in warnings.filters:
        if (
            issubclass(category, kind)
            and (text is None or text.match(str(message)))
            and (module is None or module.match(where))
            and line in (0, caller.f_lineno)
        ):
            return action != "ignore"
    return True


class RankingCheck(NamedTuple):
    """A check that is due once, when a rule ranks a board."""

    #: The view, or the treatment of missing scores, of rules that it doesn't concern.
    unless: str
    #: Takes the rule's name and the ranked systems.
    warn: Callable[[str, Any], object]


#: Functions that look at each new board of scores, and at what it was made of, to warn of likely
#: mistakes. Each returns the checks that are due later. `data_warnings` adds its own, so that
#: boards and rules don't depend on what is doubted.
BOARD_CHECKS: list[Callable[..., list[RankingCheck]]] = []


class LeaderboardWarning(UserWarning):
    """Base class of warnings about misleading tables; each kind has its own class.

    A warning is shown once for a table; of scores that nearly tie, at every call.
    `warnings.filterwarnings("ignore", category=nbrank.LeaderboardWarning)` silences
    all of them, and a class of `nbrank.votes.user_warnings` one kind.

    Examples
    --------
    >>> import warnings, nbrank, pandas as pd
    >>> scores = pd.DataFrame({"accuracy": [0.9, 0.8], "latency": [30, 10]}, index=["A", "B"])
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     ranking = nbrank.borda(scores)
    >>> print(caught[0].message)
    higher is taken as better on 'latency', whose name says that lower is; give
    lower_is_better=['latency'], or lower_is_better=False if higher is better on all tasks
    """


class OrientationWarning(LeaderboardWarning):
    """A task's name suggests that lower is better, but its orientation is not given."""


class PlacesWarning(LeaderboardWarning):
    """The cells look like places, where 1 is best, but the orientation is not given."""


class TransposedWarning(LeaderboardWarning):
    """The rows look like tasks, and the columns like systems."""


class AverageColumnWarning(LeaderboardWarning):
    """A column looks like an average of the others, and counts as a task."""


class DescriptionWarning(LeaderboardWarning):
    """A column is named like a description of the systems, and counts as a task."""


class PartialWeightsWarning(LeaderboardWarning):
    """Weights are given for some tasks only."""


class ScaleWarning(LeaderboardWarning):
    """A mean is taken over tasks of visibly different scales."""


class SimilarNamesWarning(LeaderboardWarning):
    """Names of systems or tasks are equal but for case or spaces."""


class NeverMetWarning(LeaderboardWarning):
    """Groups of systems were never compared with each other, and are ranked together."""


class NearTieWarning(LeaderboardWarning):
    """Scores that are nearly equal take different places."""


class UnscoredWarning(LeaderboardWarning):
    """A system without any score is ranked."""


class NoOpponentsWarning(LeaderboardWarning):
    """A system shares no task with another system, so its win rate is unknown."""


class ZeroErrorWarning(LeaderboardWarning):
    """A share between 0 and 1 has the standard error 0, so it counts as known exactly."""
