"""A rule and its options: a name or function as users give it, and what is made of it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from typing import Any, TypeVar, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import Missing
from nbrank.rules.additive_form import AdditiveForm
from nbrank.rules.registry import (
    MAX_PAIRWISE_SYSTEMS,
    RULES,
    Rule,
    RuleFunction,
    RuleLike,
    get_rule,
)
from nbrank.votes import required_arguments
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels, join_words
from nbrank.votes.labeled_values import clean_axes, clean_label
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, unwarned_votes
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions

VotesT = TypeVar("VotesT", bound=Votes)


@dataclass(frozen=True)
class BoundRule:
    """A rule, without the `functools.partial` around it, and all its options.

    >>> from nbrank import borda
    >>> rule = BoundRule.bind(partial(borda, missing="worst"), ties="min")
    >>> rule.label, rule.options
    ('borda', {'missing': 'worst', 'ties': 'min'})
    >>> rule.elect(pd.DataFrame({"t1": [1, 2], "t2": [1, 3]}, index=["A", "B"]))
    ['B']
    """

    rule: RuleLike
    options: Mapping[str, Any]

    @classmethod
    def bind(cls, rule: RuleLike, /, **options: Any) -> BoundRule:
        """Bind options to a rule; those nearest to the call count."""
        every = dict(options)
        while isinstance(rule, partial) and not rule.args:
            every = {**rule.keywords, **every}
            rule = rule.func
        return cls(rule, every)

    @classmethod
    def bind_all(
        cls, rules: Iterable[RuleLike], votes: Votes, missing: Missing | None
    ) -> list[tuple[BoundRule, RuleFunction | ValueError]]:
        """Bind rules to rank votes side by side: each with its function, or with why it can't."""
        return [cls.bind(rule).with_function(votes, missing) for rule in rules]

    def with_function(
        self, votes: Votes, missing: Missing | None
    ) -> tuple[BoundRule, RuleFunction | ValueError]:
        """Return the rule with its function, or with why it can't rank the votes."""
        try:
            if (known := self.registered) is not None:
                if not known.requires <= votes.provides:
                    raise ValueError(f"it {votes._explain_unsupported(known.requires)}")
                if len(votes.systems) > MAX_PAIRWISE_SYSTEMS:
                    known.check_size(len(votes.systems))
            bound = BoundRule(self.rule, {**self.missing_option(missing), **self.options})
            return bound, bound.rank_quickly if isinstance(self.rule, str) else bound.function
        except ValueError as error:
            return self, error

    @classmethod
    def from_options(cls, caller: str, rule: RuleLike, options: Mapping[str, Any]) -> BoundRule:
        """Bind options for a function that passes on what it is given; refuse unknown ones."""
        bound = cls.bind(rule, **options)
        if (known := bound.registered) is not None:
            known.check_options(caller, bound.options)
            bound.check_arguments(f"{caller}: ", f"{caller}(scores, rule={known.name!r}, ")
        return bound

    def check_arguments(self, prefix: str = "", call: str = "") -> None:
        """Refuse a rule without the arguments that it needs; the error shows a call with them."""
        known = self.registered
        if known and (lacking := [name for name in known.arguments if name not in self.options]):
            call = call or f"functools.partial(nbrank.{known.name}, "
            raise TypeError(
                f"{prefix}the rule {known.name} needs {join_words(lacking)}. Give what it needs, "
                f"as in {call}{required_arguments.format_example_arguments(known.arguments)})"
            )

    @cached_property
    def registered(self) -> Rule | None:
        """The registered rule; None for a user's own."""
        if isinstance(self.rule, str):
            return RULES.get(self.rule) or get_rule(self.rule)
        if not callable(self.rule):
            raise TypeError(f"a rule is a name or a function, not {type(self.rule).__name__}")
        result = RULES.get(getattr(self.rule, "__name__", ""))
        return result if result is not None and result.function is self.rule else None

    @property
    def name(self) -> str:
        """The name of a registered rule; empty for a user's own, whatever it is called."""
        return self.registered.name if self.registered else ""

    @property
    def label(self) -> str:
        """Its name among other rules."""
        rule: Any = self.rule
        while isinstance(rule, partial):
            rule = rule.func
        return rule if isinstance(rule, str) else str(getattr(rule, "__name__", rule))

    @cached_property
    def function(self) -> RuleFunction:
        """The function from what is ranked to the ranking, which is checked if it isn't ours."""
        known = self.registered
        function = known.function if known else _check_results(cast("RuleFunction", self.rule))
        return partial(function, **self.options) if self.options else function

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """All arguments of a registered rule after the scores, with defaults filled in."""
        if self.registered is None:
            return {}
        bound = inspect.signature(self.registered.function).bind(None, **self.options)
        bound.apply_defaults()
        return {name: value for name, value in bound.arguments.items() if name != "scores"}

    @property
    def prior(self) -> float:
        """Of Bradley and Terry's model: how many further comparisons each system is given."""
        return float(self.options.get("prior", 0.0))

    @property
    def is_additive(self) -> bool:
        """Whether its scores may be means over ballots."""
        return self.registered is not None and self.registered.additive is not None

    def additive(self, votes: Any) -> AdditiveForm | None:
        """Return the form of its scores as means over ballots; None if they are not."""
        measure = self.registered and self.registered.additive
        return measure(votes, self.arguments) if measure else None

    def transform_runs(self, votes: VotesT) -> VotesT:
        """Transform runs as the rule counts them before it averages."""
        transform = self.registered and self.registered.transform_runs
        if not transform or votes.replicates is None:
            return votes
        return cast("VotesT", transform(votes, self.arguments))

    @cached_property
    def rank_quickly(self) -> RuleFunction:
        """Its function, which fails soon if a registered rule would search for long."""
        quick = self.registered and self.registered.quick_function
        return partial(quick, **self.options) if quick else self.function

    def missing_option(self, missing: Missing | None) -> dict[str, Any]:
        """Return `missing=` for a rule that takes it and has none yet; nothing for others."""
        if missing is None:
            return {}
        known = self.registered
        taken = known.parameters if known else inspect.signature(self.function).parameters
        if "missing" not in taken:
            raise ValueError(f"{self.label}: it has no option missing={missing!r}")
        return {} if "missing" in self.options else {"missing": missing}

    @property
    def elects(self) -> bool:
        """Whether its winners may be others than the systems of rank 1."""
        return self.registered is not None and self.registered.find_winners is not None

    def elect(self, votes: VotesLike) -> list[Label]:
        """Elect the winners, without its ranking where it needs none."""
        known = self.registered
        return known.winners(votes, **self.options) if known else top_ranked(self.function(votes))

    def rank_and_elect(
        self, votes: VotesLike, *, quickly: bool = False
    ) -> tuple[pd.DataFrame, list[Label]]:
        """Rank, and elect the winners: its own if it is registered, else those of rank 1."""
        ranked = self.rank_quickly(votes) if quickly else self.function(votes)
        return ranked, self.elect(votes) if self.elects else top_ranked(ranked)

    def ranks(self, board: Leaderboard) -> NDArray[np.int64]:
        """Return the ranks, in the order of the board."""
        return ranks_of_all_systems(self.function(board), board.systems)


def _check_results(rule: RuleFunction) -> RuleFunction:
    """Wrap a function of the user's own, to check what it returns."""

    @wraps(rule, updated=())
    def run_checked(*args: Any, **options: Any) -> pd.DataFrame:
        ranked = rule(*args, **options)
        if isinstance(ranked, pd.DataFrame):
            ranked = clean_axes(ranked)
        _check_ranking(BoundRule.bind(rule).label, ranked, args[0] if args else None)
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
        text = f"rows for {format_labels(unknown, max_items=5)}, which are not systems of the table"
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


def rank_values(ranked: pd.DataFrame) -> NDArray[Any]:
    """Return the ranks of a ranking, NaN where a user's own has none."""
    ranks = ranked["rank"]
    if isinstance(ranks.dtype, np.dtype):
        return ranks.to_numpy()
    return ranks.to_numpy(dtype=float, na_value=np.nan)


def top_ranked(ranked: pd.DataFrame) -> list[Label]:
    """List the systems that share the first rank and have a score."""
    first = rank_values(ranked) == 1
    return list(ranked.index[first & pd.notna(ranked["score"].to_numpy())])


def ranks_of_all_systems(ranked: pd.DataFrame, systems: pd.Index) -> NDArray[np.int64]:
    """Return the ranks of all systems; those that a rule doesn't rank share the last one."""
    ranks = np.full(len(systems), np.nan)
    ranks[systems.get_indexer(ranked.index)] = rank_values(ranked)
    return np.where(np.isnan(ranks), (~np.isnan(ranks)).sum() + 1, ranks).astype(np.int64)


def parse_votes_and_rule(
    function: str,
    scores: VotesLike,
    rule: RuleLike | None,
    sees: str = "",
    cluster: Clusters = None,
    /,
    **options: Any,
) -> tuple[Votes, BoundRule]:
    """Return what a function was given to rank, with the table's options, and the rule with its.

    Without a rule it is the votes' own. Of groups that never met the rule warns, once it ranks.
    """
    of_table, of_rule = _split_options(options)
    votes = unwarned_votes(scores, sees, cluster, **of_table)
    rule = votes.default_rule if rule is None else rule
    return votes, BoundRule.from_options(function, rule, of_rule)


def _split_options(options: Mapping[str, Any]) -> tuple[TableOptions, dict[str, Any]]:
    """Split options into those of the table and those of the rule."""
    of_table = {name: options[name] for name in TableOptions.__annotations__ if name in options}
    of_rule = {name: value for name, value in options.items() if name not in of_table}
    return cast("TableOptions", of_table), of_rule


def parse_board_and_rule(
    function: str,
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    cluster: Clusters = None,
    /,
    **options: Any,
) -> tuple[Leaderboard, BoundRule]:
    """Parse scores and a rule, for a function that takes scores only."""
    of_table, of_rule = _split_options(options)
    board = as_leaderboard(scores, cluster, **of_table)
    return board, BoundRule.from_options(function, rule, of_rule)
