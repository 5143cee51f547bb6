"""A rule and the options that a question was given for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.rules.additive import Additive
from nbrank.rules.rule import (
    Rule,
    RuleFunction,
    RuleLike,
    arguments_of,
    called,
    label_of,
    rule_of,
    told,
)
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.row_levels import Clusters
from nbrank.votes.task_names import RuleOptions, TableOptions
from nbrank.votes.votes import Votes


@dataclass(frozen=True)
class ToldRule:
    """A rule, without the `functools.partial` around it, and all the options that it is told."""

    given: RuleLike
    options: Mapping[str, Any]

    @classmethod
    def of(cls, function: str, rule: RuleLike, options: Mapping[str, Any]) -> ToldRule:
        """As a function was given them; an option that a rule of ours doesn't know is refused."""
        return cls(*told(function, rule, options))

    @cached_property
    def known(self) -> Rule | None:
        """The rule of ours; None if it is somebody else's."""
        return rule_of(self.given)

    @property
    def label(self) -> str:
        """What it is called."""
        return label_of(self.given)

    @cached_property
    def run(self) -> RuleFunction:
        """The function from what is ranked to the ranking."""
        return partial(called(self.given), **self.options)

    @cached_property
    def arguments(self) -> dict[str, Any]:
        """All arguments of a rule of ours beside the scores."""
        return {} if self.known is None else arguments_of(self.known, self.options)

    @property
    def prior(self) -> float:
        """Of Bradley and Terry's model: how many wins and losses are added to each pair."""
        return float(self.options.get("prior", 0.0))

    def additive(self, votes: Any) -> Additive | None:
        """How its scores of these votes are means over ballots; None if they are none."""
        measure = self.known and self.known.additive
        return measure(votes, self.arguments) if measure else None

    def averaged(self, votes: Votes) -> Votes:
        """The same votes, with runs as the rule counts them before it averages."""
        count = self.known and self.known.of_runs
        return count(votes, self.arguments) if count and "ballots" in votes.offers else votes

    def ranks(self, board: Leaderboard) -> NDArray[np.int64]:
        """The ranks, in the order of the board."""
        return all_ranks(self.run(board), board.systems)


def all_ranks(ranked: pd.DataFrame, systems: pd.Index) -> NDArray[np.int64]:
    """The ranks of all systems; those that a rule doesn't rank share the last one."""
    given = ranked["rank"].to_numpy(dtype=float, na_value=np.nan)
    ranks = np.full(len(systems), np.nan)
    ranks[systems.get_indexer(ranked.index)] = given
    return np.where(np.isnan(ranks), (~np.isnan(ranks)).sum() + 1, ranks).astype(np.int64)


def votes_and_rule(
    function: str,
    scores: Source,
    rule: RuleLike,
    sees: str = "",
    /,
    *,
    cluster: Clusters = None,
    **options: RuleOptions,
) -> tuple[Votes, ToldRule]:
    """What a function was given to rank, with the options of the table, and the rule with its."""
    of_table = {name: options.pop(name) for name in TableOptions.__annotations__ if name in options}
    votes = as_votes(scores, sees, cluster=cluster, **of_table)
    return votes, ToldRule.of(function, rule, options)


def board_and_rule(
    function: str,
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    /,
    *,
    cluster: Clusters = None,
    **options: RuleOptions,
) -> tuple[Leaderboard, ToldRule]:
    """The same for a function that takes scores only."""
    votes, told = votes_and_rule(function, scores, rule, "ballots", cluster=cluster, **options)
    return cast("Leaderboard", votes), told
