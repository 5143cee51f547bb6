"""How do the ranks move from rule to rule?"""

from __future__ import annotations

from collections.abc import Iterator

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.rankings import ranks_within
from nbrank.findings.names import Names, in_words, listed, rules_listed
from nbrank.findings.overview import MOST, one_of_several_orders
from nbrank.questions.rank_moves import RankMoves
from nbrank.reporting.case import MOST_CONTENDERS, MOST_DRAWN, Case, some_of
from nbrank.reporting.page import Section
from nbrank.votes.naming import Label

_TITLE = "How do the ranks move from rule to rule?"


def how_ranks_move(case: Case) -> Section:
    """Say how the ranks move from rule to rule."""
    ranks = case.seen.ranks.dropna(axis=1, how="all")
    given = [label for label in ranks if label in case.seen.published]
    if ranks.shape[1] < 2 or len(ranks) < 2:
        only = "There is nothing to set side by side: fewer than two rules, or than two systems."
        return Section(_TITLE, (only,))
    # Of several orders that are equally good, one shows no moves.
    compared = ranks.drop(columns=one_of_several_orders(case.seen))
    by_rule = compared.drop(columns=given)
    moves = RankMoves.of(by_rule)
    not_counted = [rule for rule in ranks if rule not in moves.ranks and rule not in given]
    said = list(_moves(case, moves, by_rule))
    more = said[2:]
    if by_rule.shape[1] > 1 and _same_everywhere(by_rule).all():
        every = some_of(len(ranks), len(ranks), "system")
        said = [f"{every} {_keep(len(ranks))} rank {_under(case, by_rule, by_rule)}."]
    elif not_counted:
        left_out = rules_listed(not_counted)
        more.append(
            f"These sentences leave out {left_out}: moves mean nothing under a rule that tells "
            f"few systems apart, or has several best orders."
        )
    more += [f"{said}." for said in case.seen.of_given()]
    shown = (compared if compared.shape[1] > 1 else ranks).loc[case.ranked.index[:MOST_DRAWN]]
    heading = ["Ranks by rule, and as they are given"] if given else []
    if len(shown) < len(ranks):
        shown = shown.rank(method="min").astype("Int64")
        heading = [f"The first {len(shown)} by {case.by},", "ranked among each other"]
    # On a telephone there is room for few rules between the names.
    large, small = _drawn(shown, 18, 546, heading), _drawn(shown.iloc[:, :MOST], 12, 150, heading)
    return Section(_TITLE, tuple(said[:2]), tuple(more), large, small=small)


def _drawn(ranks: pd.DataFrame, letters: int, room: int, heading: list[str]) -> alt.LayerChart:
    """Draw the ranks, with so many letters of each name at most, and pixels between names."""
    brief = Names.of(ranks.index, letters).brief
    drawing = ranks_within(ranks.set_axis([*brief.values()]), None, room)
    if heading:
        drawing.title.text = heading
    return drawing


def _under(case: Case, kept: pd.DataFrame, drawn: pd.DataFrame) -> str:
    """Under which rules: not all, where some rank nobody or would show no true moves."""
    if kept.shape[1] == case.seen.ranks.shape[1] - len(case.seen.published):
        return "under all rules"
    if kept.shape[1] == drawn.shape[1]:
        return f"under the {kept.shape[1]} rules drawn here"
    among = f"these {drawn.shape[1]} rules that tell enough systems apart"
    return f"under the {kept.shape[1]} of {among}"


def _same_everywhere(ranks: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which systems have the same rank under all rules, or none under any."""
    values = ranks.to_numpy(dtype=float, na_value=0.0)
    return np.asarray((values == values[:, :1]).all(axis=1))


def _keep(systems: int) -> str:
    return "keep their" if systems > 1 else "keeps its"


def _moves(case: Case, moves: RankMoves, drawn: pd.DataFrame) -> Iterator[str]:
    """Say who moves furthest, how the first moves, and who keeps the same rank."""
    n = len(moves.ranks)
    if moves.ranks.shape[1] < 2:
        yield "Fewer than two rules rank these systems finely enough to speak of moves."
        return
    top = case.ranked.index[:MOST_CONTENDERS]
    if furthest := moves.furthest(top):
        whom = case.of_the_first(top)
        among = f", among all {n}" * (n > len(top))
        by_rank = moves.of_system(list(moves.ranks.index).index(furthest[0]))
        ends = [
            f"rank {rank} under {listed([_shared(*rule) for rule in by_rank[rank].items()], 3)}"
            for rank in (min(by_rank), max(by_rank))
        ]
        yield (
            f"{f'None{whom}' if whom else 'No system'} moves further than "
            f"{case.system.brief[furthest[0]]}: from {' to '.join(ends)}{among}."
        )
    fixed = moves.ranks.index[_same_everywhere(moves.ranks)]
    under = _under(case, moves.ranks, drawn)
    if len(fixed) < n:
        own = moves.ranks.loc[[case.first[0]]].iloc[0]
        between = f"is between rank {own.min()} and rank {own.max()}"
        has = between if own.min() != own.max() else f"has rank {own.min()}"
        where = under if own.notna().all() else f"under the {own.count()} rules that rank it"
        yield f"{case.system.brief[case.first[0]]} {has} {where}."
    same = f"{some_of(len(fixed), n, 'system')} {_keep(len(fixed))}"
    yield f"{same if len(fixed) else 'No system keeps its'} rank {under}."


def _shared(rule: Label, by: int) -> str:
    return in_words(str(rule)) + f" (shared by {by})" * (by > 1)
