"""The public functions as methods: one table, filled where they stand, read by all sources."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from types import MethodType
from typing import Any, ClassVar, TypeVar, Unpack

from nbrank.votes.described import described
from nbrank.votes.required import names_what_is_lacking
from nbrank.votes.task_names import TableOptions

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Method:
    """A public function that a source of votes has as a method, if it offers all that it sees."""

    heading: str
    sees: frozenset[str]
    #: What it answers, in a line.
    answers: str
    #: Gives the function, whose module is imported then if it is slow to import.
    load: Callable[[], Callable[..., Any]]
    #: Calls that answer the like of sources that don't offer what it sees.
    instead: tuple[str, ...] = ()


#: Name -> method, in the order in which they were defined.
METHODS: dict[str, Method] = {}


def question(
    heading: str, sees: str, *, instead: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Record a public function, under a heading, as a method of every source that offers `sees`.

    Other sources are referred to the calls `instead`, or to their methods under the same heading.
    """

    def record(function: Function) -> Function:
        return add_method(function, heading, sees, instead)

    return record


def add_method(
    function: Function, heading: str, sees: str, instead: tuple[str, ...] = ()
) -> Function:
    """Record a function as `question` does, with its docstring and what it needs filled in."""
    function = names_what_is_lacking(described(function))
    answers = (function.__doc__ or "").strip().partition("\n")[0]
    itself = partial(itemgetter(0), (function,))
    METHODS[function.__name__] = Method(heading, frozenset(sees.split()), answers, itself, instead)
    return function


def called_method() -> tuple[str, Method] | None:
    """Return the public function that was called first, and its name; None if there is none."""
    found = None
    caller = sys._getframe(1)
    while caller.f_back is not None:
        caller = caller.f_back
        name = caller.f_code.co_name
        if name in METHODS and str(caller.f_globals.get("__name__")).startswith("nbrank."):
            found = name, METHODS[name]
    return found


class HasMethods(ABC):
    """A source of votes, with every public function that it offers enough for as a method."""

    #: The views that it has.
    offers: ClassVar[frozenset[str]]
    #: What to say of a function that needs more than it offers, as the end of a sentence.
    lacks: ClassVar[str]

    @abstractmethod
    def weighed(self, **table: Unpack[TableOptions]) -> Any:
        """The votes (`Votes`) that it is, with these options."""

    @property
    def instead(self) -> str:
        """What to say where it is given to a function that can't take it."""
        name, method = called_method() or ("", None)
        said = f"{name}: this {self.lacks}; " if name else f"this {self.lacks}; "
        if calls := self._calls_instead(method):
            said += f"take {calls} instead, "
        return f"{said}give the frame of scores, or take a method in its dir()"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Not for private names: copying and unpickling ask for them before there are any fields.
        method = None if name.startswith("_") else METHODS.get(name)
        if method is not None and method.sees <= self.offers:
            return MethodType(method.load(), self)
        raise AttributeError(self._refusal(name, method), name=name)

    def _refusal(self, name: str, method: Method | None) -> str:
        """What to say of a name that it doesn't have."""
        lacking = f"{type(self).__name__} has no {name!r}"
        if name == "rank":
            return f"{lacking}: it has the rules itself, as in .borda()"
        has = f"it has {', '.join(self._methods())}"
        if method is None:
            return f"{lacking}; {has}"
        advice = f"give the frame of scores to nbrank.{name}"
        if "sequence" in method.sees:
            advice = "make them by nbrank.from_comparisons"
        if calls := self._calls_instead(method):
            has += f"; take {calls} instead"
        return f"{lacking}, which {self.why_not(method.sees)}: {advice}; {has}"

    def _calls_instead(self, method: Method | None) -> str:
        """List the calls that answer a similar question of this source; empty if none do."""
        if method is None:
            return ""
        calls = [call for call in method.instead if call.partition("(")[0] in self._methods()]
        if not calls and method.heading.startswith("rules: "):
            similar = (one for one in self._methods() if METHODS[one].heading == method.heading)
            calls = [f"{one}()" for one in similar]
        return " or ".join(calls)

    def why_not(self, sees: frozenset[str]) -> str:
        """Why it can't be given to what needs these views, as the end of a sentence."""
        if "frame" in sees:
            return "counts a frame, without weights, groups or orientation"
        return "needs comparisons in their order" if "sequence" in sees else self.lacks

    def _methods(self) -> Iterator[str]:
        return (name for name, method in METHODS.items() if method.sees <= self.offers)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._methods()})
