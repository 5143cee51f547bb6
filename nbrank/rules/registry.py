"""Registry of the rules: their facts, and look-up by name or function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial, wraps
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pandas as pd

from nbrank.rules.additive import AdditiveForm
from nbrank.rules.score_formatters import format_number
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.label_cleaning import clean_axes, clean_label
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.method_registry import describe_renamed_keyword, register_function
from nbrank.votes.required_arguments import format_example_arguments, join_words

Family = Literal["mean", "positional", "elimination", "majority", "consensus", "model"]
#: The families in words.
FAMILY_NAMES: dict[str, str] = {
    "mean": "means",
    "positional": "points for places",
    "elimination": "places, in rounds",
    "majority": "pairs of systems",
    "consensus": "the nearest order",
    "model": "models of strength",
}
RuleFunction = Callable[..., pd.DataFrame]
Function = TypeVar("Function", bound=RuleFunction)
#: A name of `RULES`, or a function from scores to a ranking.
RuleLike = str | RuleFunction

#: The columns of `Rule.properties`: table 8 of Vote'n'Rank, and reinforcement.
PROPERTIES = {
    "transitivity": "the result is an order, without a cycle",
    "anonymity": "the order of the tasks changes nothing",
    "unanimity": "who is above another on every task is ranked strictly above it",
    "iia": "who else is on the board doesn't change the order of two systems",
    "monotonicity": "a winner that rises on one task still wins",
    "reinforcement": "who wins on each of two sets of tasks, and no other, wins on both together",
    "majority": "who is best on tasks of more than half the weight is the only winner",
    "condorcet_winner": "who beats every other one against one is the only winner",
    "condorcet_loser": "who loses to every other one against one never wins",
}

#: Time limit in seconds beside other rules; a slower search counts as a failure.
QUICK_TIME_LIMIT = 10.0
#: Maximum number of systems in a comparison of rules, for one that compares all pairs.
MAX_PAIRWISE_SYSTEMS = 4_000


@dataclass(frozen=True)
class Rounds:
    """The systems that leave in each round of an elimination rule."""

    #: The rule whose scores decide.
    score_rule: str
    #: The meaning of these scores, in words, as `Rule.score_description`.
    score_description: str
    #: Which systems go, in words, such as "the fewest first places".
    elimination_criterion: str


@dataclass(frozen=True)
class Rule:
    """A rule of the library, and what one should know of it."""

    #: The function, `nbrank.<name>`.
    function: RuleFunction
    #: What it looks at: "mean" (scores), "positional" (places), "elimination" (places, in rounds),
    #: "majority" (pairs), "consensus" (the order nearest to all tasks), "model" (a probability
    #: model of the pairs).
    family: Family
    #: The views that it needs; a source that offers them can be ranked by it.
    requires: frozenset[str]
    #: Author and year.
    source: str
    #: Meaning of its scores, in words; `nbrank.rules.score_formatters.describe_score` fills it in.
    score_description: str
    #: How a tie within a task counts.
    ties: str
    #: Property -> whether it holds on every complete table without ties within a task; the keys and
    #: their meanings are `PROPERTIES`.
    properties: Mapping[str, bool]
    #: How its score is written; None where the score only puts the systems in order.
    format_score: Callable[[float], str] | None = format_number
    #: From a leaderboard (or a weighed tally) and all arguments to how the score is a mean over
    #: ballots; None if it is none, of any table or of this one.
    additive: Callable[[Any, Mapping[str, Any]], AdditiveForm | None] | None = None
    #: From a leaderboard of runs and all arguments to one of equal scores, whose runs may simply be
    #: averaged; None where these are averaged as they are.
    transform_runs: Callable[[Any, Mapping[str, Any]], Votes] | None = None
    #: The winners, if they are other than the systems of rank 1.
    find_winners: Callable[..., list[Label]] | None = None
    #: The function that `compare` runs if the rule may search for long: the same, or a
    #: `SearchLimitError`.
    quick_function: RuleFunction | None = None
    #: The eliminations of each round, for rules in rounds.
    rounds: Rounds | None = None

    @property
    def name(self) -> str:
        """The name under which it is called."""
        return self.function.__name__

    @property
    def uses_places_only(self) -> bool:
        """Whether it sees which scores are higher, and not by how much."""
        return self.family != "mean" or "standings" in self.requires

    @property
    def answers(self) -> str:
        """The question it answers."""
        return (self.function.__doc__ or "").strip().partition("\n")[0]

    @property
    def default_missing(self) -> str:
        """How a missing score counts unless one says otherwise."""
        return str(self.parameters["missing"].default) if "missing" in self.parameters else ""

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The names of its arguments after the scores."""
        parameters = dict(inspect.signature(self.function).parameters)
        del parameters["scores"]
        return MappingProxyType(parameters)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the arguments without a default after the scores."""
        value = self.parameters.values()
        return tuple(item.name for item in value if item.default is inspect.Parameter.empty)

    @property
    def is_quadratic(self) -> bool:
        """Whether its time or memory grows with the square of the number of systems."""
        return "pairs" in self.requires or self.family == "elimination"

    def check_size(self, n_systems: int) -> None:
        """Raise a ValueError if the systems are too many for a comparison of rules."""
        if self.is_quadratic and n_systems > MAX_PAIRWISE_SYSTEMS:
            raise ValueError(
                f"{self.name}: time and memory grow with the square of the number of systems, "
                f"and {n_systems:,} are more than the {MAX_PAIRWISE_SYSTEMS:,} that it ranks "
                f"beside others; rank fewer systems, or call such a rule by itself, as in "
                f"nbrank.copeland(scores)"
            )

    def supports(self, offers: frozenset[str]) -> bool:
        """Return whether it can rank a source that provides these views."""
        return self.requires <= offers

    def winners(self, *args: Any, **options: Any) -> list[Label]:
        """Return the systems that win by this rule; none if it elects no system."""
        if self.find_winners is not None:
            bind_rule_options(self.name, self.name, options)
            return self.find_winners(*args, **options)
        return top_ranked(self.function(*args, **options))


_rules: dict[str, Rule] = {}
#: Name -> rule. The accessor, `compare`, the explorers, the README's table and the tests walk it.
RULES: Mapping[str, Rule] = MappingProxyType(_rules)


def register_rule(
    family: Family,
    requires: str,
    *,
    source: str,
    score_description: str,
    ties: str,
    holds: str,
    **more: Any,
) -> Callable[[Function], Function]:
    """Record a function as a rule, with all that is known of it."""
    if unknown := set(holds.split()) - PROPERTIES.keys():
        raise ValueError(f"unknown properties: {', '.join(sorted(unknown))}")
    held = MappingProxyType({name: name in holds.split() for name in PROPERTIES})
    views = frozenset(requires.split())

    def record(function: Function) -> Function:
        function = register_function(function, f"rules: {FAMILY_NAMES[family]}", requires)
        result = Rule(function, family, views, source, score_description, ties, held, **more)
        order = get_args(Family)
        every = sorted([*_rules.values(), result], key=lambda one: order.index(one.family))
        _rules.clear()
        _rules.update((item.name, item) for item in every)
        return function

    return record


def top_ranked(ranked: pd.DataFrame) -> list[Label]:
    """List the systems that share the first rank and have a score."""
    first = ranked["rank"].to_numpy(dtype=float, na_value=np.nan) == 1
    return list(ranked.index[first & pd.notna(ranked["score"].to_numpy())])


def get_rule(name: str) -> Rule:
    """Return the rule of that name."""
    if name not in RULES:
        near = get_close_matches(str(name), RULES, n=1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"unknown rule {name!r}{meant}; the rules are {', '.join(RULES)}")
    return RULES[name]


def resolve_arguments(rule: Rule, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return all arguments of a rule except the scores, with defaults filled in."""
    bound = inspect.signature(rule.function).bind(None, **options)
    bound.apply_defaults()
    return {name: value for name, value in bound.arguments.items() if name != "scores"}


def unwrap_partial(
    rule: RuleLike, options: Mapping[str, Any] | None = None
) -> tuple[RuleLike, dict[str, Any]]:
    """Unwrap partials around a rule; return it with all the options it is called with."""
    every = dict(options or {})
    while isinstance(rule, partial) and not rule.args:
        every = {**rule.keywords, **every}
        rule = rule.func
    return rule, every


def bind_rule_options(
    caller: str, rule: RuleLike, options: Mapping[str, Any]
) -> tuple[RuleLike, dict[str, Any]]:
    """Unwrap a rule as `unwrap_partial` does, for a function that passes on what it is given."""
    rule, every = unwrap_partial(rule, options)
    known = find_registered_rule(rule)
    if known and (unknown := [name for name in every if name not in known.parameters]):
        drawn = "cluster" in unknown
        renamed = describe_renamed_keyword(caller, unknown[0])
        raise TypeError(
            f"{caller}: unknown options: {format_labels(unknown)}{renamed}; the rule {known.name} "
            f"takes {', '.join(known.parameters)}"
            f"{', and clusters go in as nbrank.Leaderboard(scores, cluster=...)' * drawn}"
        )
    if known and (lacking := [name for name in known.arguments if name not in every]):
        raise TypeError(
            f"{caller}: the rule {known.name} needs {join_words(lacking)}. Give what it needs, as "
            f"in {caller}(scores, rule={known.name!r}, {format_example_arguments(known.arguments)})"
        )
    return rule, every


def check_arguments(rule: RuleLike) -> None:
    """Refuse a rule that lacks arguments, where only a partial can give them."""
    known = find_registered_rule(rule)
    options = unwrap_partial(rule)[1]
    if known and (lacking := [name for name in known.arguments if name not in options]):
        # Arguments may also be given by their position.
        if isinstance(rule, partial) and rule.args:
            return
        raise TypeError(
            f"the rule {known.name} needs {join_words(lacking)}. Give what it needs, as in "
            f"functools.partial(nbrank.{known.name}, {format_example_arguments(known.arguments)})"
        )


def resolve_rule(rule: RuleLike) -> RuleFunction:
    """Return a rule's function; check what a function of the user's own returns."""
    if isinstance(rule, str):
        return get_rule(rule).function
    if find_registered_rule(rule) is not None:
        return rule

    @wraps(rule, updated=())
    def run_checked(*args: Any, **options: Any) -> pd.DataFrame:
        ranked = rule(*args, **options)
        if isinstance(ranked, pd.DataFrame):
            ranked = clean_axes(ranked)
        _check_ranking(rule_label(rule), ranked, args[0] if args else None)
        return ranked

    return run_checked


def _check_ranking(rule: str, ranked: object, source: object) -> None:
    """Refuse what a user's own rule returns if it does not rank the systems."""
    if not isinstance(ranked, pd.DataFrame):
        text = f"a {type(ranked).__name__}"
    elif absent := [column for column in ("rank", "score") if column not in ranked]:
        text = f"a frame without {format_labels(absent)}"
    elif ((pd.to_numeric(ranked["rank"], errors="coerce") % 1 != 0) & ranked["rank"].notna()).any():
        text = "a frame whose ranks are not whole numbers"
    elif len(ranked) and ranked["rank"].isna().all():
        text = "a frame without a single rank"
    elif not ranked.index.is_unique:
        text = f"several rows for {format_labels(ranked.index[ranked.index.duplicated()].unique())}"
    elif unknown := find_unknown_systems(source, ranked.index):
        text = f"rows for {format_labels(unknown, max_items=5)}, which are no systems of the table"
    else:
        return
    raise TypeError(
        f"the rule {rule!r} returned {text}; a rule returns what nbrank.borda(scores) does, a "
        f"row for each system with its 'rank' and 'score'"
    )


def find_unknown_systems(source: object, ranked: pd.Index) -> list[Label]:
    """Find the ranked systems that the source doesn't have, as far as it lists its systems."""
    if isinstance(source, pd.DataFrame):
        rows = source.index
        several = isinstance(rows, pd.MultiIndex) and "system" in rows.names
        systems = rows.get_level_values("system") if several else rows
    else:
        systems = getattr(source, "systems", ranked)
    known = set(map(clean_label, systems))
    return [system for system in ranked if clean_label(system) not in known]


def find_registered_rule(rule: RuleLike) -> Rule | None:
    """Find the registered rule of a name or a function; None for one of the user's own."""
    function, _ = unwrap_partial(rule)
    if isinstance(function, str):
        return get_rule(function)
    if not callable(function):
        raise TypeError(f"a rule is a name or a function, not {type(function).__name__}")
    result = RULES.get(getattr(function, "__name__", ""))
    return result if result is not None and result.function is function else None


def rule_label(rule: RuleLike) -> str:
    """Return the name of a rule among other rules."""
    function: Any = rule
    while isinstance(function, partial):
        function = function.func
    return function if isinstance(function, str) else str(getattr(function, "__name__", rule))


def rank_and_elect(rule: RuleLike, source: VotesLike) -> tuple[pd.DataFrame, list[Label]]:
    """Rank by a rule, and elect its winners: its own if it is registered, else those of rank 1."""
    ranked, known = resolve_rule(rule)(source), find_registered_rule(rule)
    elects = known is not None and known.find_winners is not None
    return ranked, elect_winners(rule, source) if elects else top_ranked(ranked)


def elect_winners(rule: RuleLike, source: VotesLike, **options: Any) -> list[Label]:
    """Elect the winners by a rule, without its ranking."""
    known = find_registered_rule(rule)
    if known is None or known.find_winners is None:
        return top_ranked(resolve_rule(rule)(source, **options))
    return known.winners(source, **unwrap_partial(rule, options)[1])
