"""Under which weights would another system lose to nobody?"""

from __future__ import annotations

from nbrank.charts.what_weights_leave_open import first_within
from nbrank.findings.names import in_percent
from nbrank.findings.nearest_to_winning import Nearest
from nbrank.findings.overview import pairs_fit, task_of
from nbrank.reporting.case import MOST_BARS, Case, bars_of
from nbrank.reporting.page import Bar, Section

_TITLE = "Under which weights would another system lose to nobody?"


def other_weights(case: Case) -> Section:
    """Say how far the weights would have to move for a system to lose to no other."""
    board, task = case.board, task_of(case.board)
    if len(board.tasks) < 2 or len(board.systems) < 2:
        only = f"There is nothing to weigh: fewer than two {task}s, or than two systems."
        return Section(_TITLE, (only,))
    if not pairs_fit(board):
        return Section(
            _TITLE, (f"Not asked of {len(board.systems):,} systems: they are compared in pairs.",)
        )
    nearest = Nearest(board, case.system)
    able = nearest.shares().dropna()
    leads = able.index.isin(case.first)
    others = able[~leads]
    meaning = (
        f"Systems are compared one against one, by the weight of the {task}s. What has to move is "
        f"counted from {nearest.start_is}, as little as is enough."
    )
    if case.rule.name != "condorcet":
        meaning += f" Who loses to no other need not be first by {case.by}."
    as_it_is, figure = "loses to nobody as it is", None
    if len(others):
        who, share = case.system.brief[others.index[0]], others.iloc[0]
        counts = f"of the weight has to go to other {task}s so that nobody beats {who}"
        if share <= 1e-6:
            share, counts = 0.0, f"of the weight has to move: {who} {as_it_is}"
        figure = (in_percent(share), counts)
    drawn = able[~leads | (able > 1e-6)]
    bars = tuple(
        Bar(
            case.system.brief[system],
            as_it_is if share <= 1e-6 else f"{in_percent(share)} of the weight has to move "
            f"{nearest.moves(system, most=2)}",
            share,
            system in case.first,
        )
        for system, share in drawn.head(MOST_BARS).items()
    )  # fmt: skip
    open_to = [] if case.possible is None else [first_within(case.possible, case.by, case.system)]
    note = bars_of(len(drawn), "systems for which the least weight has to move")
    said = (nearest.who_is_near(), *note, *open_to)
    return Section(_TITLE, said, (meaning,), bars=bars, figure=figure)
