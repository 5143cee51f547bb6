"""Signatures of functions with grouped options, and errors for unknown keywords."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from traceback import walk_stack
from typing import Any, TypeVar, get_args

from nbrank.votes.required_arguments import suggest_keyword
from nbrank.votes.table.task_options import PickOptions, RankBoundOptions, RuleOptions, TableOptions
from nbrank.votes.table.validation import PairOptions, PlaceOptions

Function = TypeVar("Function", bound=Callable[..., Any])


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
