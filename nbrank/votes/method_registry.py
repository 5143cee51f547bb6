"""Public functions as methods of the sources of votes, and errors for those that don't fit."""

import inspect
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, Unpack

from nbrank.votes.required_arguments import (
    name_missing_arguments,
    spell_out_options,
    suggest_keyword,
)
from nbrank.votes.table.task_options import TableOptions

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Method:
    """Public function that is a method of every source of votes with the views that it needs."""

    heading: str
    requires: frozenset[str]
    #: The question that it answers, in a line.
    question: str
    #: Returns the function; modules that are slow to import are imported only then.
    load: Callable[[], Callable[..., Any]]
    #: Calls that answer similar questions of sources without those views.
    instead: tuple[str, ...] = ()


#: Name -> method, in the order of their definition.
METHODS: dict[str, Method] = {}


def register_method(
    heading: str, sees: str, *, suggested_calls: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Record a public function, under a heading, as a method of all sources with view `sees`.

    Errors of other sources suggest these calls, or their methods under the same heading.
    """

    def record(function: Function) -> Function:
        # The options that the function takes together are listed in its signature.
        function = name_missing_arguments(spell_out_options(function))
        answers = (function.__doc__ or "").strip().partition("\n")[0]
        # C code, so that no other frame stands between a call and its function.
        itself = partial(itemgetter(0), (function,))
        views = frozenset(sees.split())
        METHODS[function.__name__] = Method(heading, views, answers, itself, suggested_calls)
        return function

    return record


def suggest_option(name: str, keyword: str) -> str:
    """Return what to write instead of an unknown keyword of a method; empty if nothing is near."""
    parameters = inspect.signature(METHODS[name].load()).parameters if name in METHODS else {}
    return suggest_keyword(keyword, parameters)


def called_method() -> tuple[str, Method | None]:
    """Return the name of the public function that was called first, and itself; or "" and None."""
    results: tuple[str, Method | None] = "", None
    caller = sys._getframe(1)
    while caller.f_back is not None:
        caller = caller.f_back
        name = caller.f_code.co_name
        if name in METHODS and str(caller.f_globals.get("__name__")).startswith("nbrank."):
            results = name, METHODS[name]
    return results


class MethodsMixin(ABC):
    """Source of votes with every public function that its views suffice for as a method."""

    #: The views that the source provides.
    provides: ClassVar[frozenset[str]]
    #: Message for a function that needs other views, as the end of a sentence.
    _unsupported_message: ClassVar[str]

    @abstractmethod
    def with_options(self, **table: Unpack[TableOptions]) -> Any:
        """Return the votes (`Votes`) with these options."""

    @property
    def _alternative_message(self) -> str:
        """The message for a function that can't use the source."""
        name, method = called_method()
        calls = self._calls_instead(method)
        instead = f"take {calls} instead, " if calls else ""
        return (
            f"{f'{name}: ' if name else ''}this {self._unsupported_message}; {instead}give the "
            "frame of scores, or take a method in its dir()"
        )

    # Type checkers see the methods in `source_methods.pyi`, so that a wrong name is an error.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]:
            # Private names are excluded: copying and unpickling look them up before fields exist.
            method = None if name.startswith("_") else METHODS.get(name)
            if method is not None and method.requires <= self.provides:
                return MethodType(method.load(), self)
            raise AttributeError(self._missing_attribute_message(name, method), name=name)

    def _missing_attribute_message(self, name: str, method: Method | None) -> str:
        """Explain that a name doesn't exist, and list those that do."""
        lacking = f"{type(self).__name__} has no {name!r}"
        has = f"it has {', '.join(self._iter_method_names())}"
        if method is None:
            return f"{lacking}; {has}"
        advice = f"give the frame of scores to nbrank.{name}"
        if "sequence" in method.requires:
            advice = "make them by nbrank.from_comparisons"
        if calls := self._calls_instead(method):
            has += f"; take {calls} instead"
        return f"{lacking}, which {self._explain_unsupported(method.requires)}: {advice}; {has}"

    def _calls_instead(self, method: Method | None) -> str:
        """List the calls that answer a similar question of this source; empty if none do."""
        if method is None:
            return ""
        names = list(self._iter_method_names())
        calls = [call for call in method.instead if call.partition("(")[0] in names]
        if not calls and method.heading.startswith("rules: "):
            calls = [f"{name}()" for name in names if METHODS[name].heading == method.heading]
        return " or ".join(calls)

    def _explain_unsupported(self, sees: frozenset[str]) -> str:
        """Explain why the source can't be used if these views are needed, as a sentence's end."""
        if "frame" in sees:
            return "counts a frame, without weights, groups or orientation"
        if "sequence" in sees:
            return "needs comparisons in their order"
        return self._unsupported_message

    def _iter_method_names(self) -> Iterator[str]:
        return (name for name, method in METHODS.items() if method.requires <= self.provides)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._iter_method_names()})
