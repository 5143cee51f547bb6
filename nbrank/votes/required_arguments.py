"""Errors for wrong calls: missing arguments, unknown keywords, and names that are others here."""

import inspect
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from functools import partial, update_wrapper
from traceback import walk_stack
from types import FunctionType
from typing import Any, TypeVar, cast, get_args

from nbrank.votes.formatting import join_words
from nbrank.votes.table.task_options import PickOptions, RankBoundOptions, RuleOptions, TableOptions
from nbrank.votes.table.validation import PairOptions, PlaceOptions

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


def find_default_rule(scores: object) -> str:
    """Return the name of the rule of votes where none is given; of a frame it is Borda's."""
    return str(getattr(type(scores), "default_rule", "borda"))


def name_missing_arguments(function: Function, call: str = "") -> Function:
    """Wrap a function so that its error lists the missing arguments and an example call.

    Return the function itself if it needs only the first argument, and no call is given.
    """
    parameters = list(inspect.signature(function).parameters.values())
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    needed = [
        parameter.name
        for parameter in parameters
        if parameter.default is inspect.Parameter.empty and parameter.kind in by_name
    ]
    if len(needed) < 2 and not call:
        return function
    first, *others = needed
    names = [parameter.name for parameter in parameters]
    call = call or f"nbrank.{function.__name__}({first}, {format_example_arguments(others)})"

    def refuse(args: tuple[Any, ...], options: dict[str, Any]) -> str:
        given = dict(zip(names, args, strict=False)) | options
        lacking = [name for name in needed if name not in given]
        if given.get("rule", "") is None and "rule" in needed:
            lacking.append("rule")
        are = f"{join_words(lacking)} {'is' if len(lacking) == 1 else 'are'}" if lacking else ""
        # Comparisons have a rule of their own.
        rule = find_default_rule(given.get(first))
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


#: A keyword of other libraries -> the parameters that may say it here, and what to write.
FOREIGN_KEYWORDS = {
    "alpha": {"delta": "delta=0.05"},
    "confidence": {"delta": "delta=0.05 for a confidence of 0.95"},
    "level": {"delta": "delta=0.05 for a confidence of 0.95"},
    "n": {"n_draws": "n_draws=1000", "n_repeats": "n_repeats=100", "top": "top="},
    "samples": {"n_draws": "n_draws=1000"},
    "over": {"whole_groups": "whole_groups=True"},
}


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
    for name, call in FOREIGN_KEYWORDS.get(keyword, {}).items():
        if name in parameters:
            return f". It is called {name} here: give {call}"
    near = get_close_matches(keyword, parameters, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""


def _make_options(**options: tuple[str, object]) -> tuple[inspect.Parameter, ...]:
    kind = inspect.Parameter.KEYWORD_ONLY
    return tuple(
        inspect.Parameter(name, kind, annotation=annotation, default=default)
        for name, (annotation, default) in options.items()
    )


_TABLE = _make_options(
    weights=("Weights", None), groups=("Groups", None), lower_is_better=("LowerIsBetter", ())
)
_PLACES = _make_options(missing=("Missing", "compatible"), ties=("Ties", "average"))
_PAIRS = _make_options(missing=("Missing", "ignore"), levels=("int", 1))
#: The type of `**options` -> the parameters that stand for it in a signature.
OPTION_PARAMETERS: dict[Any, tuple[inspect.Parameter, ...]] = {
    TableOptions: _TABLE,
    PlaceOptions: _TABLE + _PLACES,
    PairOptions: _TABLE + _PAIRS,
    **dict.fromkeys((RuleOptions, RankBoundOptions, PickOptions), _TABLE),
}


def spell_out_options(function: Function) -> Function:
    """List options that are taken together (`**table: Unpack[TableOptions]`) in the signature."""
    signature = inspect.signature(function)
    *parameters, last = signature.parameters.values()
    if last.kind is not inspect.Parameter.VAR_KEYWORD:
        return function
    options = inspect.get_annotations(function, eval_str=True)[last.name]
    (options,) = get_args(options)  # of Unpack[...]
    first = sum(parameter.kind != parameter.KEYWORD_ONLY for parameter in parameters)
    parameters[first:first] = OPTION_PARAMETERS[options]
    # A rule also has its own options.
    if options in (RuleOptions, RankBoundOptions, PickOptions):
        parameters.append(last.replace(annotation="Any"))
    function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return function


def raise_unknown_keyword(option: str) -> None:
    """Raise Python's error for an unknown keyword, in the name of the public function called."""
    # The caller is found only now, so that correct calls need not pass on its name.
    callers = (frame.f_globals.get(frame.f_code.co_name) for frame, _ in walk_stack(None))
    function: Any = next((caller for caller in callers if hasattr(caller, "__signature__")), None)
    parameters = inspect.signature(function).parameters if function else {}
    advice = suggest_keyword(option, parameters)
    if option == "cluster":
        advice = (
            "; clusters say which instances are drawn together, and nothing is drawn here. Leave "
            "it out, or give nbrank.Leaderboard(scores, cluster=...)"
        )
    raise TypeError(
        f"{function.__name__ if function else 'rule'}() got an unexpected keyword argument "
        f"{option!r}{advice}"
    )
