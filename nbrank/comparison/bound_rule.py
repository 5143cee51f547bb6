"""A rule and the options that a question was given for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.rules.additive import AdditiveForm
from nbrank.rules.registry import (
    Rule,
    RuleFunction,
    RuleLike,
    bind_rule_options,
    find_registered_rule,
    resolve_arguments,
    resolve_rule,
    rule_label,
)
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard, VotesLike, unwarned_votes
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions


@dataclass(frozen=True)
class BoundRule:
    """A rule, without the `functools.partial` around it, and all its options."""

    rule: RuleLike
    options: Mapping[str, Any]

    @classmethod
    def from_options(cls, function: str, rule: RuleLike, options: Mapping[str, Any]) -> BoundRule:
        """Bind a rule's options; refuse those that a registered rule doesn't take."""
        return cls(*bind_rule_options(function, rule, options))

    @cached_property
    def registered(self) -> Rule | None:
        """The registered rule; None for a user's own."""
        return find_registered_rule(self.rule)

    @property
    def label(self) -> str:
        """Its name."""
        return rule_label(self.rule)

    @cached_property
    def function(self) -> RuleFunction:
        """The function from what is ranked to the ranking."""
        return partial(resolve_rule(self.rule), **self.options)

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """All arguments of a registered rule after the scores."""
        return {} if self.registered is None else resolve_arguments(self.registered, self.options)

    @property
    def prior(self) -> float:
        """Of Bradley and Terry's model: how many wins and losses are added to each pair."""
        return float(self.options.get("prior", 0.0))

    def additive(self, votes: Any) -> AdditiveForm | None:
        """Return the form of its scores as means over ballots; None if they are not."""
        measure = self.registered and self.registered.additive
        return measure(votes, self.arguments) if measure else None

    def transform_runs(self, votes: Votes) -> Votes:
        """Transform runs as the rule counts them before it averages."""
        count = self.registered and self.registered.transform_runs
        return count(votes, self.arguments) if count and "ballots" in votes.provides else votes

    def ranks(self, board: Leaderboard) -> NDArray[np.int64]:
        """Return the ranks, in the order of the board."""
        return ranks_of_all_systems(self.function(board), board.systems)


def ranks_of_all_systems(ranked: pd.DataFrame, systems: pd.Index) -> NDArray[np.int64]:
    """Return the ranks of all systems; those that a rule doesn't rank share the last one."""
    value = ranked["rank"].to_numpy(dtype=float, na_value=np.nan)
    ranks = np.full(len(systems), np.nan)
    ranks[systems.get_indexer(ranked.index)] = value
    return np.where(np.isnan(ranks), (~np.isnan(ranks)).sum() + 1, ranks).astype(np.int64)


def parse_votes_and_rule(
    function: str,
    scores: VotesLike,
    rule: RuleLike,
    sees: str = "",
    cluster: Clusters = None,
    /,
    **options: Any,
) -> tuple[Votes, BoundRule]:
    """Return what a function was given to rank, with the table's options, and the rule with its.

    Of groups that never met the rule warns, once it ranks them.
    """
    of_table = {name: options.pop(name) for name in TableOptions.__annotations__ if name in options}
    votes = unwarned_votes(scores, sees, cluster, **of_table)
    return votes, BoundRule.from_options(function, rule, options)


def parse_board_and_rule(
    function: str,
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    cluster: Clusters = None,
    /,
    **options: Any,
) -> tuple[Leaderboard, BoundRule]:
    """Parse scores and a rule, for a function that takes scores only."""
    votes, bind_rule_options = parse_votes_and_rule(
        function, scores, rule, "ballots", cluster, **options
    )
    return cast("Leaderboard", votes), bind_rule_options
