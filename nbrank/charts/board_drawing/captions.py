"""Captions of the leaderboard's picture: what it shows and what it leaves out."""

from __future__ import annotations

from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.findings.best_set_text import explain_no_best_set
from nbrank.findings.labels import agree_verb, join_labels, rule_title
from nbrank.findings.missing_text import count_missing_scores, describe_missing_runs, groups_apart
from nbrank.findings.overview import (
    describe_tasks,
    non_unique_rules,
    pairs_fit,
    without_pairs,
)
from nbrank.rules.registry import RULES
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard


def describe_picture(page: BoardLayout) -> str:
    """Say what is drawn, and what is left out."""
    seen, sentences = page.overview, []
    board, task = seen.votes, page.task_noun
    if isinstance(board, Leaderboard):
        sentences.append(describe_tasks(board))
    elif isinstance(board, Comparisons):
        sentences.append(pluralize(len(board), "comparison"))
        sentences += [apart] if (apart := groups_apart(board)) else []
    several, pairs = non_unique_rules(seen), without_pairs(board)
    systems = len(board.systems)
    which = f"the first {page.n_first} of {systems}" if page.n_first < systems else f"{systems}"
    sentences.append(f"{which} system{'s' * (systems != 1)} by {rule_title(seen.rule)}")
    if page.columns and seen.places is not None:
        shares = [share for _, share in page.cell_shares]
        if max(shares) > min(shares) * (1 + 1e-9):
            sentences.append(f"columns as wide as the {task}s' weights")
    elif page.columns:
        sentences.append("in a cell, how often its row beat its column (a tie is half a win)")
    absent = []
    if page.cell_shares and not page.columns:
        absent.append("wins" if seen.places is None else f"names of the {task}s")
    if page.rated is None and seen.ratings is not None and seen.ratings.table is not None:
        absent.append("strengths")
    drawn = {column.label for column in page.rules.columns} | {seen.rule}
    absent += [rule_title(str(rule)) for rule in seen.ranks if rule not in drawn]
    if absent:
        is_left_out = agree_verb("is", len(absent) + (absent[0][-1:] == "s"))
        sentences.append(f"the {join_labels(absent, 12)} {is_left_out} left out, for want of room")
    names = page.cell_headings
    if len(names.placed) < names.number:
        sentences.append(f"{len(names.placed)} of the {task}s are named")
    elif names.n_unnamed:
        sentences.append(f"{names.n_unnamed} {task}s are named by their groups")
    if seen.places is not None:
        sentences += [*_missing_captions(page), *seen.unearned_firsts]
    sentences += filter(None, [describe_missing_runs(seen)])
    if pairs:
        sentences.append(pairs)
    if seen.ratings is not None and seen.ratings.note:
        sentences.append(seen.ratings.note)
    if seen.unscored or seen.published:
        sentences += seen.asides()
    if seen.rank_sets is None and seen.rule in RULES and pairs_fit(board):
        sentences += filter(None, [explain_no_best_set(seen.rule)])
    if seen.rank_sets is not None and seen.rank_sets.attrs.get("over") == "errors":
        sentences.append("rank sets by the scores' standard errors")
    sentences += [f"of several best orders by {rule_title(rule)}, one is shown" for rule in several]
    refused = [rule_title(str(rule)) for rule in seen.ranks if rule not in seen.winners]
    if refused:
        sentences.append(f"no ranks by {', '.join(refused)}")
    return "; ".join(sentences)


def _missing_captions(page: BoardLayout) -> list[str]:
    """Say how many scores are missing, also of systems that aren't drawn."""
    count, places = count_missing_scores(page.overview), page.overview.places
    if not count or places is None:
        return []
    if page.columns and places.loc[page.systems].isna().to_numpy().any():
        number, _, rest = count.partition(" of ")
        return [f"a dashed cell is a missing score ({number} of {rest.partition(' ')[0]})"]
    return [count]
