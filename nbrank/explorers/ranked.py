"""The rankings by several rules beside each other, and what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.names import Names, in_words, listed, rules_listed, verb
from nbrank.explorers.refusals import why_refused
from nbrank.questions.rank_moves import tell_who_is_first
from nbrank.rules.rule import RULES
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label

#: How missing scores count unless one says otherwise.
AS_EACH_DOES = "as each rule does"
_NEAR_THE_TOP = 5


@dataclass(frozen=True, eq=False)
class Ranked:
    """The rankings by several rules, lined up; pandas would take longer than the rules do.

    A rule has its ranking, and the rows in the table of the systems in it; `ranks` and `scores`
    are systems in table order x rules.
    """

    systems: pd.Index
    ranking: Mapping[str, pd.DataFrame]
    row: Mapping[str, NDArray[np.intp]]
    ranks: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, systems: pd.Index, ranking: Mapping[str, pd.DataFrame]) -> Ranked:
        """Line up these rankings."""
        ranks = np.zeros((len(systems), len(ranking)), dtype=np.int64)
        scores = np.zeros(ranks.shape)
        row = {}
        for column, (rule, found) in enumerate(ranking.items()):
            row[rule] = systems.get_indexer(found.index)
            ranks[row[rule], column] = found["rank"].to_numpy()
            scores[row[rule], column] = found["score"].to_numpy()
        return cls(systems, ranking, row, ranks, scores)

    def table(self, rules: Iterable[str], order_by: str) -> pd.DataFrame:
        """The ranks in the order of one rule; NA where a rule refuses, or elects nobody."""
        order = self.row[order_by]
        column = {rule: place for place, rule in enumerate(self.ranking)}
        refused = np.ones(len(self.systems), dtype=bool)
        columns = {
            rule: pd.arrays.IntegerArray(
                self.ranks[order, column[rule]] if rule in column else np.zeros_like(order),
                ~refused if rule in self.gives_ranks else refused.copy(),
            )
            for rule in rules
        }
        return pd.DataFrame(columns, index=self.ranking[order_by].index)

    @cached_property
    def gives_ranks(self) -> frozenset[str]:
        """The rules that rank somebody: condorcet doesn't where nobody beats everybody."""
        condorcet = self.ranking.get("condorcet")
        nobody = condorcet is not None and not (condorcet["score"].to_numpy() == 1).any()
        return frozenset(self.ranking) - {"condorcet"} if nobody else frozenset(self.ranking)

    def _elected(self, rule: str) -> list[Label]:
        if rule not in self.gives_ranks:
            return []
        place = list(self.ranking).index(rule)
        order, scores = self.row[rule], self.scores[:, place]
        first = order[(self.ranks[order, place] == 1) & ~np.isnan(scores[order])]
        return [self.systems[row] for row in first.tolist()]

    def winners(self) -> dict[str, list[Label]]:
        """Who wins by each rule."""
        return {rule: self._elected(rule) for rule in self.ranking}


def ranked_by(rules: Iterable[str], board: Leaderboard, missing: str) -> tuple[Ranked, list[str]]:
    """Rank by each rule, and say which of them refuse the table, and why."""
    found: dict[str, pd.DataFrame] = {}
    refused: dict[str, list[str]] = {}
    for name in rules:
        try:
            found[name] = _function(name, missing)(board)
        except (ValueError, RuntimeError) as error:
            refused.setdefault(why_refused(name, board, error), []).append(name)
    said = [
        f"Not shown {verb('is', len(those))} {rules_listed(those)}: {reason}."
        for reason, those in refused.items()
    ]
    return Ranked.of(board.systems, found), said


def _function(name: str, missing: str) -> Any:
    rule = RULES[name]
    # Where the rule itself would search for long, the search that stops.
    function = rule.side_by_side or rule.function
    if missing == AS_EACH_DOES or "missing" not in rule.parameters:
        return function
    return partial(function, missing=missing)


def first_that_ranks(rules: Iterable[str], board: Leaderboard) -> str:
    """The first of the rules that does not refuse the table, to open with a ranking."""
    offered = list(rules)
    for name in offered:
        try:
            RULES[name].function(board)
        except (ValueError, RuntimeError):
            continue
        return name
    return offered[0]


def who_wins(names: Names, elected: Mapping[str, list[Label]]) -> list[str]:
    """Say who wins under which rules."""
    by_winner: dict[tuple[Label, ...], list[str]] = {}
    for rule, found in elected.items():
        by_winner.setdefault(tuple(found), []).append(rule)
    return [
        f"{names.listed(found, 3) or 'Nobody'} {verb('wins', len(found))} under "
        f"{rules_listed(rules)}."
        for found, rules in by_winner.items()
    ]


@dataclass(frozen=True, eq=False)
class Setting:
    """A setting under which there was a ranking, and what it gave."""

    weights: Mapping[Label, float]
    weights_of: str
    missing: str
    ranks: pd.DataFrame
    winners: Mapping[str, list[Label]]

    def said(self, before: Setting) -> str:
        """Say what has been set otherwise since an earlier one."""
        names = Names.of(self.weights)
        said = [
            f"the weight of {names.brief[label]} from {before.weights.get(label, 0):g} to {now:g}"
            for label, now in self.weights.items()
            if before.weights.get(label) != now
        ]
        if before.weights_of != self.weights_of:
            said = [f"the sliders from {before.weights_of} to {self.weights_of}"]
        if before.missing != self.missing:
            said.append(f"missing scores from “{before.missing}” to “{self.missing}”")
        return listed(said, 3)

    def changes(self, before: Setting, names: Names, order_by: str) -> str:
        """Say what followed: who wins instead of whom, and how many rose and fell."""
        parts = []
        for rule, now in self.winners.items():
            was = before.winners.get(rule, now)
            if set(now) != set(was):
                who, instead = (names.listed(one, 3) or "nobody" for one in (now, was))
                wins = f"{who} {verb('wins', len(now))} instead of {instead}"
                parts.append(f"under {in_words(rule)} {wins}")
        if order_by in before.ranks:
            old = before.ranks[order_by].reindex(self.ranks.index)
            was_ranked, ranked = (
                ranks.to_numpy(float, na_value=np.nan) for ranks in (old, self.ranks[order_by])
            )
            moved = was_ranked - ranked
            climbed, fell = int((moved > 0).sum()), int((moved < 0).sum())
            if climbed or fell:
                most = int(np.argmax(np.nan_to_num(np.abs(moved))))
                parts.append(
                    f"by {in_words(order_by)} {climbed} rose and {fell} fell, most of all "
                    f"{names.brief[self.ranks.index[most]]}, from rank {was_ranked[most]:.0f} to "
                    f"{ranked[most]:.0f}"
                )
        return "; ".join(parts) or "no winner and no rank changed"


def most_moved(table: pd.DataFrame) -> Label:
    """Of the systems near the top under some rule, the one that moves most; None if none moves.

    Near the top are the first few, of whom half of the systems are worse. To share the first
    rank with more than half of the systems is no move.
    """
    ranks = table.to_numpy(dtype=float, na_value=np.nan)
    there, told = ~np.isnan(ranks).all(axis=0), tell_who_is_first(ranks)
    if len(table) < 2 or not there.any():
        return None
    ranks = ranks[:, told if told.any() else there]
    worse = (ranks[:, None] < ranks).sum(axis=1)
    at_top = (ranks <= _NEAR_THE_TOP) & (worse >= len(ranks) / 2)
    moves = np.ptp(ranks, axis=1)
    near = moves * at_top.any(axis=1)
    near[0] = moves[0] = 0.0
    moves = near if near.any() else moves
    return table.index[int(np.argmax(moves))] if moves.any() else None
