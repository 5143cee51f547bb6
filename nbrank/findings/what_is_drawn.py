"""What the picture of a leaderboard shows, and what it doesn't, in words."""

from __future__ import annotations

from typing import Any, Protocol

import pandas as pd

from nbrank.findings.groups_apart import groups_apart
from nbrank.findings.names import Names, in_words, listed, name_of, verb
from nbrank.findings.overview import (
    Overview,
    one_of_several_orders,
    task_of,
    tasks_of,
    without_pairs,
)
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.missing_runs import missing_runs
from nbrank.votes.naming import Label, counted


class Page(Protocol):
    """The layout of a picture, as far as its caption depends on it."""

    seen: Overview
    n_first: int
    across: list[tuple[Label, float]]
    heads: list[tuple[str, float, float]]
    spans: list[tuple[str, float, float]]
    systems: list[Label]
    rated: pd.DataFrame | None
    names: Names

    @property
    def look(self) -> Any:
        """What is drawn: whether there is room for cells (`look.cells`)."""


def what_is_drawn(page: Page) -> str:
    """What is drawn, and what isn't."""
    seen, said = page.seen, []
    board, task = seen.votes, "column"
    if isinstance(board, Leaderboard):
        task = task_of(board)
        said.append(tasks_of(board))
    elif isinstance(board, Comparisons):
        said.append(counted(len(board), "comparison"))
        said += [apart] if (apart := groups_apart(board)) else []
    several, pairs = one_of_several_orders(seen), without_pairs(board)
    systems = len(board.systems)
    which = f"the first {page.n_first} of {systems}" if page.n_first < systems else f"{systems}"
    said.append(f"{which} system{'s' * (systems != 1)} by {in_words(seen.rule)}")
    if page.across and seen.places is not None:
        shares = [share for _, share in page.across]
        if max(shares) > min(shares) * (1 + 1e-9):
            said.append(f"columns as wide as the {task}s' weights")
    elif page.across:
        said.append("in a cell, how often its row beat its column (a tie is half a win)")
    absent = [] if page.look.cells else ["wins" if seen.places is None else f"{task}s"]
    if page.rated is None and seen.ratings is not None and seen.ratings.table is not None:
        absent.append("strengths")
    if absent:
        said.append(f"the {listed(absent)} are left out, for want of room")
    if len(page.heads) < len(page.spans):
        said.append(f"{len(page.heads)} of the {task}s are named")
    if seen.places is not None:
        said += _missing(page, seen.places.isna())
    if isinstance(board, Leaderboard) and board.replicates is not None:
        said += filter(None, [missing_runs(board, name_of, name_of)])
    if pairs:
        said.append(pairs)
    if seen.ratings is not None and seen.ratings.note:
        said.append(seen.ratings.note)
    if seen.unscored or seen.published:
        said += seen.asides()
    if seen.sets is not None and seen.sets.attrs.get("over") == "errors":
        said.append("rank sets by the scores' standard errors")
    said += [f"of several best orders by {in_words(rule)}, one is shown" for rule in several]
    refused = [in_words(str(rule)) for rule in seen.ranks if rule not in seen.first]
    if refused:
        said.append(f"no ranks by {', '.join(refused)}")
    return "; ".join(said)


def _missing(page: Page, missing: pd.DataFrame) -> list[str]:
    """How many scores are missing, also of systems that aren't drawn."""
    number = int(missing.to_numpy().sum())
    if not number:
        return []
    said = [f"{number:,} of {missing.size:,} scores {verb('is', number)} missing"]
    if page.across and missing.loc[page.systems].to_numpy().any():
        said = [f"an empty cell is a missing score ({number:,} of {missing.size:,})"]
    return said
