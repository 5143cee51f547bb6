"""What public functions share: sentences of their docstrings, and the options of a table."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, TypeVar

from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import PairOptions, PlaceOptions

Function = TypeVar("Function", bound=Callable[..., Any])


_SCORES = """\
scores
    A frame of scores (systems in rows, tasks in columns, NaN where a system
    was not evaluated; or rows of system and instance)"""


def _split_parameter_docs(parameters: str) -> dict[str, str]:
    """Parameter -> its description, under its name."""
    parts = re.split(r"\n(?=\S)", parameters)
    return {re.findall(r"\w+", part)[0]: part for part in parts if part}


def _option_descriptions(options: type, suffix: str = "") -> dict[str, str]:
    """What options that are taken together say of each, by its name."""
    message = inspect.cleandoc(options.__doc__ or "").partition("Parameters\n----------\n")[2]
    return {f"{name}{suffix}": text for name, text in _split_parameter_docs(message).items()}


_PARAMETER_DOCS = {
    **_option_descriptions(TableOptions),
    **_option_descriptions(PlaceOptions, "_of_places"),
    **_option_descriptions(PairOptions, "_of_pairs"),
    "scores_or_tally": f"{_SCORES},\n    a `Leaderboard`, or a `Tally`.\n{{table}}",
    "board": "{board_alone}\n{table}",
    "board_alone": f"{_SCORES}, or a `Leaderboard`.",
    "picked_from": """\
{board_alone}
{weights}
{groups}
    True keeps or leaves out whole groups, of MultiIndex columns or a
    `Leaderboard`, and False single tasks. A task with a count is as many tasks.
{lower_is_better}
rule
    The name of a rule that adds up the tasks, or its function; with arguments
    by `functools.partial`, or as further arguments here.""",
    "rule_options": """\
**options
    Arguments of the rule, such as `missing="ignore"`.""",
    "within": """\
within
    By which share of its own each weight may be larger or smaller: 0.2 for a
    fifth. None for all weightings, also of tasks that weigh 0 on the board.""",
    "at_least": """\
at_least
    Pairs (a, b), each side a task, a group or a list of them: the total
    weight of a has to be at least that of b.""",
    "search_limit": """\
time_limit
    How many seconds the search may take; None for no limit.""",
    "any_rule": """\
rule
    The name of a rule, or a function from a leaderboard to a ranking; with
    arguments by `functools.partial`, or as further arguments here.""",
    "table": "{weights}\n{groups}\n{lower_is_better}",
    "source": f"{_SCORES},\n    a `Leaderboard`, a `Tally`, or `Comparisons`.\n{{table}}",
    "scores_or_comparisons": f"{_SCORES},\n    a `Leaderboard`, or `Comparisons`.\n{{table}}",
    "missing_mean": """\
missing
    How a missing score counts: "raise" (refuse, since a mean over different tasks rewards
    skipping the hard ones), "ignore" (the average over what is there) or "median" (fill with
    the median of the task). A system with no score at all is last, with a score of NaN.""",
    "missing_points": """\
{missing_of_places}
    "zero" gives nothing for a missing score either, but the scored get the points that their
    places have among all systems of the table.""",
    "over_errors": """\
over
    What is drawn: "tasks", and with them whole groups where there are any, since two metrics of
    one task are not two draws; "instances", each within its task; "errors", the errors of
    single cells (`errors`), where the tasks are all there are; "seeds", the same where the rows
    are runs (levels `system` and `seed`, `run`, `fold` or `repeat`); or "both", tasks as well
    as seeds or errors. None takes "errors" where they are given, "both" where there are runs,
    and instances where there are any. "both" sees errors only as they fell on these tasks, so
    that with few tasks it can come out narrower than "seeds", by chance.""",
    "draws": """\
draws
    Where tasks are drawn and have groups: "groups" (what None takes) draws whole groups, and
    "tasks" each task alone, for groups that are there for the weights only. `.attrs["over"]`
    says which, or for "both" `.attrs["draws"]`.""",
    "cluster": """\
cluster
    Which instances depend on each other, such as the questions on a passage, and are drawn
    together: a level of the rows, or a mapping or Series from instance to cluster. None takes
    the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
    "instance" takes each instance on its own. Fewer than 5 clusters tell nothing apart.""",
    "cell_errors": """\
errors
    The standard error of each score, a frame like the scores; where the rows are
    runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
    of means allow for tails as heavy as those of Student's t with 3 degrees of
    freedom: docs/coverage_measured.md says how often they hold.""",
    "delta": "delta\n    One minus the confidence.",
    "seed": "seed\n    The seed of the draws; None takes a fresh one.",
    "missing_for_all": """\
missing
    How a missing score counts for every rule that can be told so; the others
    refuse the table, and say so. A rule that was told already, by
    `functools.partial`, keeps to that. None leaves each rule its own default.""",
    "levels": """\
levels
    For instance-level scores: 1 pools all instances of all tasks, 2 ranks
    within each task and applies the rule again to the tasks' rankings.""",
    "time_limit": """\
time_limit
    The number of seconds after which the search for the consensus (at two
    levels, also of those within tasks) gives up; None for no limit.""",
    "returns_frame": "Returns\n-------\npandas.DataFrame",
    "returns_ranking": """\
Returns
-------
pandas.DataFrame
    Indexed by system, best first (tied systems in table order), with the
    columns below; `.attrs["rule"]` names the rule.

    rank
        1 for the best; tied systems share the smallest (1, 2, 2, 4).""",
    "returns_best_first": """\
Returns
-------
pandas.DataFrame
    Indexed by system, best first (tied systems in table order), with the columns""",
    "returns_pairs": """\
Returns
-------
pandas.DataFrame
    A row for each ordered pair, in table order; the index has the levels
    `system` and `opponent`. The columns are""",
    "raises": """\
Raises
------
TypeError
    If the scores are not numbers, or options are given beside a Leaderboard.
ValueError
    If labels are duplicate or unknown, weights don't fit, or an option is
    unknown; the message names what is at fault.""",
    "data_home": """\
data_home
    The folder that holds fetched files. None is the folder that the environment variable
    `NBRANK_DATA_DIR` names, and without that the platform's folder for caches.
download_if_missing
    Whether to download what is not there yet.""",
    "where_it_lies": "{parameters}\n{data_home}",
    "unless_it_is_there": """\
Raises
------
DataUnavailableError
    If a file is neither there nor to be had; the message says where to get it.""",
    "parameters": "Parameters\n----------",
    "takes_scores": "{parameters}\n{board}\n{missing_mean}",
    "takes_places": "{parameters}\n{board}\n{missing_of_places}\n{ties_of_places}",
    "takes_points": "{parameters}\n{board}\n{missing_points}\n{ties_of_places}",
    "takes_pairs": "{parameters}\n{source}\n{missing_of_pairs}\n{levels}",
    "takes_majorities": "{parameters}\n{source}\n{missing_of_pairs}\n{levels_of_pairs}",
}

_TABLE: dict[str, object] = {"weights": None, "groups": None, "lower_is_better": ()}
#: What functions that take such options together (`**options`) have in their signatures.
_EXPANDED_OPTIONS = {
    "TableOptions": _TABLE,
    "PlaceOptions": _TABLE | {"missing": "compatible", "ties": "average"},
    "PairOptions": _TABLE | {"missing": "ignore", "levels": 1},
    "RuleOptions": _TABLE,
    "PickOptions": _TABLE | {"groups": False},
}


def _make_parameter(name: str, default: object) -> inspect.Parameter:
    """An option in a signature; its type has its name, unless it is a number."""
    kind, annotation = inspect.Parameter.KEYWORD_ONLY, name.title().replace("_", "")
    if isinstance(default, int):
        annotation = f"{annotation} | bool" if default is False else "int"
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _substitute_placeholders(text: str) -> str:
    """The text with the shared sentences in the place of lines that hold only `{name}`."""
    lines = []
    for line in text.splitlines():
        name = line.strip()
        if name.startswith("{") and name.endswith("}") and name[1:-1].isidentifier():
            indent = line[: len(line) - len(line.lstrip())]
            shared = _substitute_placeholders(_PARAMETER_DOCS[name[1:-1]]).splitlines()
            lines += [(indent + item).rstrip() for item in shared]
        else:
            lines.append(line)
    return "\n".join(lines)


def _sort_parameter_docs(text: str, names: list[str]) -> str:
    """The text with the parameters in the order in which the function takes them."""
    before, heading, rest = text.partition("Parameters\n----------\n")
    message, gap, after = rest.partition("\n\n")
    first = _split_parameter_docs(message)
    known = {name: first[name] for name in names if name in first}
    return before + heading + "\n".join((known | first).values()) + gap + after


def fill_docstring(function: Function) -> Function:
    """Fill the shared sentences into a docstring, at lines that hold only `{name}`.

    Options that are taken together are spelled out in the signature, too. Parameters are described
    in the order in which they are taken.
    """
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    # The last word of Unpack[TableOptions], whether it is a text or not.
    last = re.findall(r"\w+", str([parameter.annotation for parameter in parameters]))[-1:]
    if options := _EXPANDED_OPTIONS.get("".join(last)):
        others = parameters.pop()
        keywords = sum(parameter.kind != parameter.KEYWORD_ONLY for parameter in parameters)
        parameters[keywords:keywords] = map(_make_parameter, options, options.values())
        # A rule has options of its own.
        if last[0] in ("RuleOptions", "PickOptions"):
            parameters.append(others.replace(annotation="Any"))
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    text = _substitute_placeholders(inspect.cleandoc(function.__doc__ or ""))
    function.__doc__ = _sort_parameter_docs(text, [parameter.name for parameter in parameters])
    return function


def raise_unknown_keyword(option: str) -> None:
    """Say of a keyword that isn't known what Python says, and name the function that was called."""
    called = (frame.frame.f_globals.get(frame.function) for frame in inspect.stack())
    # It is not found where it was defined inside another one.
    function: Any = next((item for item in called if hasattr(item, "__signature__")), None)
    near = get_close_matches(option, inspect.signature(function).parameters) if function else []
    advice = f". Did you mean {near[0]!r}?" if near else ""
    if option == "cluster":
        advice = (
            "; clusters say which instances are drawn together, and nothing is drawn here. Leave "
            "it out, or give nbrank.Leaderboard(scores, cluster=...)"
        )
    raise TypeError(
        f"{function.__name__ if function else 'rule'}() got an unexpected keyword argument "
        f"{option!r}{advice}"
    )
