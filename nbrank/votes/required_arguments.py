"""Errors for wrong calls: arguments that are missing, and names that are others here."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from functools import partial, update_wrapper
from types import FunctionType
from typing import Any, TypeVar, cast, get_args

Function = TypeVar("Function", bound=Callable[..., Any])

#: Name of a required argument -> an example of its value.
_EXAMPLE_VALUES = {
    "scores": "scores",
    "rule": "'borda'",
    "low": "0",
    "high": "1",
    "gamma": "0.95",
    "vector": "[3, 2, 1]",
    "n": "1000",
    "errors": "errors",
    "after": "after",
    "system": "'A'",
    "tie_within": "0.01",
}


def format_example_arguments(names: Iterable[str]) -> str:
    """Write arguments as in a call."""
    return ", ".join(f"{name}={_EXAMPLE_VALUES.get(name, '...')}" for name in names)


def join_words(names: Iterable[str]) -> str:
    """List names with "and" before the last."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def name_missing_arguments(function: Function, call: str = "") -> Function:
    """Wrap a function so that its error lists the missing arguments and an example call.

    Return the function itself if it needs only the first argument, and no call is given.
    """
    parameters = list(inspect.signature(function).parameters.values())
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    needed = {
        parameter.name: position
        for position, parameter in enumerate(parameters)
        if parameter.default is inspect.Parameter.empty and parameter.kind in by_name
    }
    if len(needed) < 2 and not call:
        return function
    first, *others = needed
    call = call or f"nbrank.{function.__name__}({first}, {format_example_arguments(others)})"

    def refuse(args: tuple[Any, ...], options: dict[str, Any]) -> str:
        lacking = [name for name, at in needed.items() if at >= len(args) and name not in options]
        are = f"{join_words(lacking)} {'is' if len(lacking) == 1 else 'are'}" if lacking else ""
        # Comparisons have a rule of their own.
        rule = getattr(type(args[0]), "default_rule", "borda") if args else "borda"
        as_in = call.replace("rule='borda'", f"rule={rule!r}")
        return are and f"{function.__name__}: {are} not given. Give what it needs, as in {as_in}"

    return _refuse_before(function, refuse)


def name_unknown_keywords(function: Function) -> Function:
    """Return a function that says of a keyword which it doesn't take what it is called here."""
    parameters = inspect.signature(function).parameters
    known = set(list(parameters)[1:])
    *_, last = parameters.values()
    if last.kind is last.VAR_KEYWORD:
        (options,) = get_args(inspect.get_annotations(function, eval_str=True)[last.name])
        known = known - {last.name} | options.__annotations__.keys()
    first = next(iter(parameters))

    def refuse(_: tuple[Any, ...], options: dict[str, Any]) -> str:
        unknown = next((name for name in options if name not in known and name != first), None)
        if unknown is None:
            return ""
        instead = suggest_keyword(unknown, sorted(known))
        return f"{function.__name__}() got an unexpected keyword argument {unknown!r}{instead}"

    return _refuse_before(function, refuse)


def with_call(call: str) -> Callable[[Function], Function]:
    """Return the decorator whose error for missing arguments contains this call."""
    return partial(name_missing_arguments, call=call)


def _refuse_before(
    function: Function, refuse: Callable[[tuple[Any, ...], dict[str, Any]], str]
) -> Function:
    """Wrap a function so that a message about its arguments is raised before it is called."""

    def checked(*args: Any, **options: Any) -> Any:
        if message := refuse(args, options):
            raise TypeError(message)
        return function(*args, **options)

    # Its module is the function's, because doctest looks for it there.
    wrapper: Any = FunctionType(
        checked.__code__, function.__globals__, function.__name__, None, checked.__closure__
    )
    return cast("Function", update_wrapper(wrapper, function))


#: Former public function or method -> the call that does the same.
RENAMED_FUNCTIONS = {
    "explore_confidence": "explore(df, tab='confidence')",
    "explore_elimination": "explore(df, tab='elimination')",
    "explore_missing": "explore(df, tab='missing')",
    "explore_weights": "explore(df, tab='weights')",
    "tables": "summary(df).to_latex()",
}
#: Former keyword -> its possible replacements; a function has one of them.
RENAMED_KEYWORDS = {
    "n": ("n_draws", "n_repeats"),
    "samples": ("n_draws",),
    "over": ("whole_groups",),
}


#: A keyword of other libraries -> the parameter that says it here, and what to write.
FOREIGN_KEYWORDS = {
    "alpha": ("delta", "delta=0.05"),
    "confidence": ("delta", "delta=0.05 for a confidence of 0.95"),
    "level": ("delta", "delta=0.05 for a confidence of 0.95"),
    "n": ("top", "top="),
}


def suggest_renamed(name: str) -> str:
    """Return the replacement of a removed name, as the end of a sentence; empty without any.

    Parameters
    ----------
    name
        The unknown name.
    """
    call = RENAMED_FUNCTIONS.get(name)
    return f": it is nbrank.{call} now" if call else ""


def suggest_keyword(keyword: str, parameters: Collection[str]) -> str:
    """Return what to write instead of an unknown keyword, as the end of a sentence; else empty.

    Parameters
    ----------
    keyword
        The keyword that was given.
    parameters
        The names of the parameters of the function that was called.

    Examples
    --------
    >>> suggest_keyword("alpha", ["rule", "delta"]), suggest_keyword("ruel", ["rule", "delta"])
    ('. It is called delta here: give delta=0.05', ". Did you mean 'rule'?")
    """
    for renamed in RENAMED_KEYWORDS.get(keyword, ()):
        if renamed in parameters:
            return f". It is called {renamed!r} now"
    name, call = FOREIGN_KEYWORDS.get(keyword, ("", ""))
    if name in parameters:
        return f". It is called {name} here: give {call}"
    near = get_close_matches(keyword, parameters, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""
