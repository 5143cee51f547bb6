"""The one list of rules: what each answers, whence it comes, and what can be proved of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial, wraps
from types import MappingProxyType
from typing import Any, Literal

import pandas as pd

from nbrank.labelled import (
    consensus,
    elimination,
    majority,
    means,
    positional,
    strengths,
    tournament,
)
from nbrank.labelled.leaderboard import Label, is_instance_level, named
from nbrank.labelled.tally import Source

Family = Literal["mean", "positional", "elimination", "majority", "consensus", "model"]
RuleFunction = Callable[..., pd.DataFrame]
#: A name of `RULES`, or a function from scores to a ranking.
RuleLike = str | RuleFunction

#: The columns of `Rule.properties`: table 8 of Vote'n'Rank.
PROPERTIES = {
    "transitivity": "the result is an order, without a cycle",
    "anonymity": "the order of the tasks changes nothing",
    "unanimity": "who is above another on every task is ranked strictly above it",
    "iia": "who else is on the board doesn't change the order of two systems",
    "monotonicity": "a winner that rises on one task still wins",
    "majority": "who is best on tasks of more than half the weight is the only winner",
    "condorcet_winner": "who beats every other one against one is the only winner",
    "condorcet_loser": "who loses to every other one against one never wins",
}


_SUMS = ("mean", "mean_rank", "mean_win_rate", "normalized_mean", "optimality_gap")
_TIES = {
    "mean": "equal scores",
    "mean_rank": "share their places",
    "mean_win_rate": "half a win",
    "majority": "no vote for either",
    "consensus": "cost nothing",
    "model": "half a win for each",
    "davidson": "an outcome of their own",
}


def first_ranked(ranked: pd.DataFrame) -> list[Label]:
    """The systems that share the first rank and have a score.

    Parameters
    ----------
    ranked
        A ranking.
    """
    return list(ranked.index[(ranked["rank"] == 1) & ranked["score"].notna()])


def _condorcet_winners(*args: Any, **options: Any) -> list[Label]:
    ranked = majority.condorcet(*args, **options)
    return list(ranked.index[ranked["score"] == 1])


#: Beside other rules, a search that isn't done by then counts as a refusal.
SECONDS = 10.0


def _kemeny_winners(*args: Any, **options: Any) -> list[Label]:
    return consensus.kemeny_winners(*args, **{"time_limit": SECONDS, **options})


@dataclass(frozen=True)
class Rule:
    """A rule of the library, and what one should know of it.

    Parameters
    ----------
    function
        The function, `nbrank.<name>`.
    family
        What it looks at: "mean" (scores), "positional" (places), "elimination"
        (places, in rounds), "majority" (pairs), "consensus" (the order nearest
        to all tasks), "model" (a probability model of the pairs).
    source
        Author and year.
    properties
        Property -> whether it holds on every complete table without ties
        within a task; the keys and their meanings are `PROPERTIES`.
    comparisons
        Whether it also takes comparisons.
    tallies
        Whether it also takes a `Tally`: it needs no more than counts.
    leaderboards
        Whether it takes a leaderboard.
    elect
        The winners, where they are other than the systems of rank 1.
    side_by_side
        What `compare` runs, where the rule itself may search for long: the
        same, or a `SearchLimitError`.
    """

    function: RuleFunction
    family: Family
    source: str
    properties: Mapping[str, bool]
    comparisons: bool = False
    tallies: bool = False
    leaderboards: bool = True
    elect: Callable[..., list[Label]] | None = field(default=None, repr=False)
    side_by_side: RuleFunction | None = field(default=None, repr=False)

    @property
    def additive(self) -> bool:
        """Whether the score is a sum over the tasks, each by its weight, on a complete table."""
        return self.family == "positional" or self.name in _SUMS

    @property
    def name(self) -> str:
        """The name under which it is called."""
        return self.function.__name__

    @property
    def answers(self) -> str:
        """The question it answers."""
        return (self.function.__doc__ or "").strip().splitlines()[0]

    @property
    def ties(self) -> str:
        """How a tie within a task counts."""
        if "ties" in self.parameters:
            return "share their places (`ties=`)"
        return _TIES.get(self.name, _TIES[self.family])

    @property
    def missing(self) -> str:
        """How a missing score counts unless one says otherwise."""
        parameter = self.parameters.get("missing")
        return "" if parameter is None else str(parameter.default)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """What it can be told, beside the scores."""
        parameters = dict(inspect.signature(self.function).parameters)
        del parameters["scores"]
        return MappingProxyType(parameters)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of what it must be told, beside the scores."""
        return tuple(
            name
            for name, parameter in self.parameters.items()
            if parameter.default is inspect.Parameter.empty
        )

    def winners(self, *args: Any, **options: Any) -> list[Label]:
        """The systems that win by this rule; none where it elects nobody.

        Parameters
        ----------
        *args, **options
            What the rule itself takes.
        """
        if self.elect is not None:
            return self.elect(*args, **options)
        return first_ranked(self.function(*args, **options))


def _holds(names: str) -> Mapping[str, bool]:
    held = names.split()
    return MappingProxyType({name: name in held for name in PROPERTIES})


def _rules() -> Iterator[Rule]:
    always = "transitivity anonymity "
    of_scores = _holds(always + "unanimity iia monotonicity")
    of_places = _holds(always + "unanimity monotonicity condorcet_loser")
    yield Rule(means.mean, "mean", "", of_scores, tallies=True)
    yield Rule(means.geometric_mean, "mean", "Fleming and Wallace 1986", of_scores)
    yield Rule(means.harmonic_mean, "mean", "Shavrina and Malykh 2021", of_scores)
    yield Rule(means.median, "mean", "", of_scores)
    yield Rule(means.normalized_mean, "mean", "Mnih et al. 2015", of_scores)
    yield Rule(
        means.optimality_gap,
        "mean",
        "Agarwal et al. 2021",
        # Above gamma all are tied.
        _holds(always + "iia monotonicity"),
    )
    yield Rule(means.mean_rank, "mean", "Friedman 1937", of_places, tallies=True)
    yield Rule(means.mean_win_rate, "mean", "Liang et al. 2022", of_places, tallies=True)
    yield Rule(
        positional.plurality,
        "positional",
        "folklore",
        _holds(always + "monotonicity majority"),
    )
    yield Rule(positional.antiplurality, "positional", "folklore", _holds(always + "monotonicity"))
    yield Rule(
        positional.borda, "positional", "Borda 1781", of_places, comparisons=True, tallies=True
    )
    yield Rule(
        positional.dowdall,
        "positional",
        "Dowdall 1971",
        _holds(always + "unanimity monotonicity"),
    )
    yield Rule(positional.positional, "positional", "Young 1975", _holds(always + "monotonicity"))
    yield Rule(
        elimination.threshold,
        "elimination",
        "Aleskerov et al. 2010",
        _holds(always + "unanimity monotonicity"),
    )
    yield Rule(
        elimination.baldwin,
        "elimination",
        "Baldwin 1926",
        _holds(always + "unanimity majority condorcet_winner condorcet_loser"),
    )
    yield Rule(
        elimination.nanson,
        "elimination",
        "Nanson 1882",
        # Systems that leave in one round are tied, though one may dominate another.
        _holds(always + "majority condorcet_winner condorcet_loser"),
    )
    yield Rule(elimination.coombs, "elimination", "Coombs 1964", _holds(always + "unanimity"))
    yield Rule(elimination.instant_runoff, "elimination", "Ware 1871", _holds(always + "majority"))
    yield Rule(
        elimination.bucklin,
        "elimination",
        "Bucklin 1909",
        _holds(always + "unanimity monotonicity majority"),
    )
    yield Rule(
        majority.condorcet,
        "majority",
        "Condorcet 1785",
        _holds(always + "monotonicity majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
        elect=_condorcet_winners,
    )
    yield Rule(
        majority.copeland,
        "majority",
        "Copeland 1951",
        _holds(always + "unanimity monotonicity majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
    )
    yield Rule(
        majority.minimax,
        "majority",
        "Simpson 1969; Kramer 1977",
        _holds(always + "monotonicity majority condorcet_winner"),
        comparisons=True,
        tallies=True,
    )
    yield Rule(
        tournament.schulze,
        "majority",
        "Schulze 2011",
        _holds(always + "unanimity monotonicity majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
    )
    yield Rule(
        tournament.ranked_pairs,
        "majority",
        "Tideman 1987",
        # Its score tells winners from the rest and no more.
        _holds(always + "monotonicity majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
        side_by_side=tournament.quick_ranked_pairs,
    )
    yield Rule(
        tournament.maximal_lotteries,
        "majority",
        "Kreweras 1965; Fishburn 1984",
        # A winner that rises can pass probability on to a third system.
        _holds(always + "majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
    )
    yield Rule(
        consensus.kemeny,
        "consensus",
        "Kemeny 1959; Young and Levenglick 1978",
        _holds(always + "unanimity monotonicity majority condorcet_winner condorcet_loser"),
        comparisons=True,
        tallies=True,
        elect=_kemeny_winners,
        side_by_side=partial(consensus.proven_kemeny, time_limit=SECONDS),
    )
    # On complete tables both order as Borda does, wherever the strengths are finite.
    yield Rule(
        strengths.bradley_terry,
        "model",
        "Bradley and Terry 1952",
        of_places,
        comparisons=True,
        tallies=True,
    )
    yield Rule(
        strengths.davidson, "model", "Davidson 1970", of_places, comparisons=True, tallies=True
    )
    yield Rule(
        strengths.elo,
        "model",
        "Elo 1978",
        _holds("transitivity"),
        comparisons=True,
        leaderboards=False,
    )


#: Name -> rule. The accessor, `compare`, the explorers, the README's table and the tests walk it.
RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _rules()})


def rule_named(name: str) -> Rule:
    """The rule of that name.

    Parameters
    ----------
    name
        A key of `RULES`.

    Raises
    ------
    ValueError
        If there is none; the message lists the names.
    """
    if name not in RULES:
        near = get_close_matches(str(name), RULES, n=1)
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"unknown rule {name!r}{meant}; the rules are {', '.join(RULES)}")
    return RULES[name]


def unwrapped(
    rule: RuleLike, options: Mapping[str, Any] | None = None
) -> tuple[RuleLike, dict[str, Any]]:
    """A rule without the `functools.partial` around it, and all the options it is called with.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    options
        Options given beside the rule, which come before those of the partial.
    """
    every = dict(options or {})
    while isinstance(rule, partial) and not rule.args:
        every = {**rule.keywords, **every}
        rule = rule.func
    return rule, every


def called(rule: RuleLike) -> RuleFunction:
    """The function of a rule given by name, or the callable; what it returns is looked at.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.

    Raises
    ------
    TypeError
        If it is neither; the function that is returned raises it if somebody
        else's callable returns no ranking.
    """
    if isinstance(rule, str):
        return rule_named(rule).function
    if rule_of(rule) is not None:
        return rule

    @wraps(rule, updated=())
    def checked(*args: Any, **options: Any) -> pd.DataFrame:
        ranked = rule(*args, **options)
        _check_ranking(label_of(rule), ranked, args[0] if args else None)
        return ranked

    return checked


def _check_ranking(rule: str, ranked: object, source: object) -> None:
    """Refuse what a rule of somebody else's returns, if it is no ranking of the systems."""
    if not isinstance(ranked, pd.DataFrame):
        said = f"a {type(ranked).__name__}"
    elif absent := [column for column in ("rank", "score") if column not in ranked]:
        said = f"a frame without {named(absent)}"
    elif (pd.to_numeric(ranked["rank"], errors="coerce").isna() & ranked["rank"].notna()).any():
        said = "a frame whose ranks are no numbers"
    elif not ranked.index.is_unique:
        said = f"several rows for {named(ranked.index[ranked.index.duplicated()].unique())}"
    elif unknown := _others(ranked.index, source):
        said = f"rows for {named(unknown, most=5)}, which are no systems of the table"
    else:
        return
    raise TypeError(
        f"the rule {rule!r} returned {said}; a rule returns what nbrank.borda(scores) does, a "
        f"row for each system with its 'rank' and 'score'"
    )


def _others(ranked: pd.Index, source: object) -> list[Label]:
    """Who was ranked and is no system of the source, as far as it tells of its systems."""
    if isinstance(source, pd.DataFrame):
        rows = source.index
        systems = rows.get_level_values("system") if is_instance_level(source) else rows
    else:
        systems = getattr(source, "systems", ranked)
    known = set(systems)
    return [system for system in ranked if system not in known]


def rule_of(rule: RuleLike) -> Rule | None:
    """The rule of ours behind a name or a function; None if it is somebody else's.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking, wrapped by
        `functools.partial` or not.
    """
    function, _ = unwrapped(rule)
    if isinstance(function, str):
        return rule_named(function)
    if not callable(function):
        raise TypeError(f"a rule is a name or a function, not {type(function).__name__}")
    found = RULES.get(getattr(function, "__name__", ""))
    return found if found is not None and found.function is function else None


def label_of(rule: RuleLike) -> str:
    """What a rule is called where it stands beside others.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    """
    if isinstance(rule, str):
        return rule
    function = rule
    while isinstance(function, partial):
        function = function.func
    return str(getattr(function, "__name__", rule))


def outcome(rule: RuleLike, source: Source) -> tuple[pd.DataFrame, list[Label]]:
    """The ranking by a rule, and who wins: whom it elects if it is one of ours, else rank 1.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    source
        What is to be ranked.
    """
    ranked = called(rule)(source)
    known = rule_of(rule)
    if known is None or known.elect is None:
        return ranked, first_ranked(ranked)
    return ranked, elected(rule, source)


def elected(rule: RuleLike, source: Source) -> list[Label]:
    """Who wins by a rule, where nobody asks for the ranking.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    source
        What is to be ranked.
    """
    known = rule_of(rule)
    if known is None or known.elect is None:
        return first_ranked(called(rule)(source))
    return known.winners(source, **unwrapped(rule)[1])
