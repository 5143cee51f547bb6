"""Registry of the rules: their facts, and look-up by name or function."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args

import pandas as pd

from nbrank.rules.additive_form import AdditiveForm
from nbrank.votes import method_registry
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels

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
    "unanimity": "a system above another on every task is ranked strictly above it",
    "iia": "other systems don't change the order of two systems",
    "monotonicity": "a winner that rises on one task still wins",
    "reinforcement": "the winners that two sets of tasks share, and only they, win on both",
    "majority": "a system that is best on more than half of the weight is the only winner",
    "condorcet_winner": "a system that beats every other pair by pair is the only winner",
    "condorcet_loser": "a system that loses to every other pair by pair never wins",
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
    #: Description of the systems that are eliminated, such as "the fewest first places".
    elimination_criterion: str


def format_number(score: float) -> str:
    """Write a score in few digits, as most rules do."""
    return f"{score:.4g}" if abs(score) < 10_000 else f"{score:,.0f}"


def format_negated(score: float) -> str:
    """Write a score that was negated because less is better."""
    return format_number(-score + 0.0)


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
    #: Meaning of its scores, in words; `nbrank.findings.labels.describe_score` fills it in.
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

    @cached_property
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

    @cached_property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The names of its arguments after the scores."""
        parameters = dict(inspect.signature(self.function).parameters)
        del parameters["scores"]
        return MappingProxyType(parameters)

    @cached_property
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
                f"together with other rules; rank fewer systems, or call such a rule by itself, as "
                f"in nbrank.copeland(scores)"
            )

    def check_options(self, caller: str, options: Iterable[str]) -> None:
        """Refuse options that it doesn't take, in the name of the function that passes them on."""
        if unknown := [name for name in options if name not in self.parameters]:
            clusters = ", and clusters go in as nbrank.Leaderboard(scores, cluster=...)"
            hint = method_registry.suggest_option(caller, unknown[0])
            hint += " The rule" if hint.endswith("?") else "; the rule"
            raise TypeError(
                f"{caller}: unknown options: {format_labels(unknown)}{hint} {self.name} takes "
                f"{', '.join(self.parameters)}{clusters * ('cluster' in unknown)}"
            )

    def supports(self, offers: frozenset[str]) -> bool:
        """Return whether it can rank a source that provides these views."""
        return self.requires <= offers

    def winners(self, *args: Any, **options: Any) -> list[Label]:
        """Return the systems that win by this rule; none if it elects no system."""
        if self.find_winners is not None:
            self.check_options(self.name, options)
            return self.find_winners(*args, **options)
        ranked = self.function(*args, **options)
        return list(ranked.index[ranked["rank"].eq(1) & ranked["score"].notna()])


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
        heading = f"rules: {FAMILY_NAMES[family]}"
        function = method_registry.register_method(heading, requires)(function)
        result = Rule(function, family, views, source, score_description, ties, held, **more)
        order = get_args(Family)
        every = sorted([*_rules.values(), result], key=lambda one: order.index(one.family))
        _rules.clear()
        _rules.update((item.name, item) for item in every)
        return function

    return record


def get_rule(name: str) -> Rule:
    """Return the rule of that name."""
    if name not in RULES:
        near = get_close_matches(str(name), RULES, n=1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"unknown rule {name!r}{meant}; the rules are {', '.join(RULES)}")
    return RULES[name]
