"""What the picture of a leaderboard shows, and what it doesn't, in words."""

from __future__ import annotations

import pandas as pd

from nbrank.charts.names import in_words, verb
from nbrank.charts.overview import one_of_several_orders, tasks_of
from nbrank.charts.picture_page import Page
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import counted


def what_is_drawn(page: Page) -> str:
    """What is drawn, and what isn't."""
    seen, said = page.seen, []
    board = seen.votes
    if isinstance(board, Leaderboard):
        said.append(tasks_of(board))
    several = one_of_several_orders(seen)
    systems = len(board.systems)
    which = f"the first {page.n_first} of {systems}" if page.n_first < systems else f"{systems}"
    said.append(f"{which} system{'s' * (systems != 1)} by {in_words(seen.rule)}")
    if page.tasks:
        assert seen.places is not None
        shares = [share for _, share in page.tasks]
        if max(shares) > min(shares) * (1 + 1e-9):
            said.append("columns as wide as the tasks' weights")
        if len(page.tasks) < len(seen.places.columns):
            said.append(
                f"{counted(len(seen.places.columns) - len(page.tasks), 'task')} of weight 0"
            )
        if len(page.heads) < len(page.spans):
            said.append(f"{len(page.heads)} of the tasks are named")
    elif seen.places is not None:
        said.append("the tasks are left out, for want of room")
    if seen.places is not None:
        said += _missing(page, seen.places.isna())
    if seen.sets is not None and seen.sets.attrs.get("over") == "errors":
        said.append("rank sets by the scores' standard errors")
    said += [f"of several best orders by {in_words(rule)}, one is shown" for rule in several]
    refused = [in_words(str(rule)) for rule in seen.ranks if rule not in seen.first]
    if refused:
        said.append(f"no ranks by {', '.join(refused)}")
    return "; ".join(said)


def _missing(page: Page, missing: pd.DataFrame) -> list[str]:
    """How many scores are missing, also of systems that aren't drawn, and who has none."""
    number = int(missing.to_numpy().sum())
    if not number:
        return []
    said = [f"{number} of {missing.size} scores {verb('is', number)} missing"]
    if page.tasks and missing.loc[page.systems].to_numpy().any():
        said = [f"an empty cell is a missing score ({number} of {missing.size})"]
    if unscored := list(missing.index[missing.all(axis=1)]):
        said.append(
            f"{page.names.listed(unscored, 3)} {verb('has', len(unscored))} no score at all"
        )
    return said
