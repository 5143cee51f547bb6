"""Which weights would make another system unbeaten?"""

from __future__ import annotations

from nbrank.charts.weight_sensitivity import describe_possible_winners
from nbrank.findings.context import MAX_BARS, ReportContext, describe_bars
from nbrank.findings.labels import format_percent
from nbrank.findings.nearest_weights import NearestWeightsText
from nbrank.findings.overview import pairs_fit, task_noun
from nbrank.frontends.report_page.section import Bar, Section

_TITLE = "Which weights would make another system unbeaten?"


def weights_section(case: ReportContext) -> Section:
    """Say how far the weights would have to move for a system to lose to no other."""
    board, task = case.board, task_noun(case.board)
    if len(board.tasks) < 2 or len(board.systems) < 2:
        only = f"There is nothing to weigh: fewer than two {task}s, or than two systems."
        return Section(_TITLE, (only,))
    if not pairs_fit(board):
        return Section(
            _TITLE, (f"Not asked of {len(board.systems):,} systems: they are compared in pairs.",)
        )
    nearest = NearestWeightsText(board, case.system_names)
    able = nearest.moved_shares().dropna()
    leads = able.index.isin(case.winners)
    others = able[~leads]
    meaning = (
        f"Systems are compared one against one, by the weight of the {task}s. The moved weight is "
        f"the least that is enough, counted from {nearest.start_is}."
    )
    if case.rule.name != "condorcet":
        meaning += f" An unbeaten system need not be first by {case.rule_title}."
    as_it_is, figure = "unbeaten as it is", None
    if len(others):
        who, share = case.system_names.short[others.index[0]], others.iloc[0]
        counts = (
            f"of the weight has to go to other {task}s so that {who}, which is not first by "
            f"{case.rule_title}, is unbeaten"
        )
        if share <= 1e-6:
            share, counts = 0.0, f"of the weight has to move: {who} {as_it_is}"
            known, n_tasks = case.count_scores(others.index[0])
            counts += f", with scores on {known} of {n_tasks} {task}s" * (known < n_tasks)
        figure = (format_percent(share), counts)
    drawn = able[~leads | (able > 1e-6)]
    bars = tuple(
        Bar(
            case.system_names.short[system],
            as_it_is if share <= 1e-6 else f"{format_percent(share)} of the weight has to move "
            f"{nearest.describe_moves(system, most=2)}",
            share,
            "first" if system in case.winners else "quiet",
        )
        for system, share in drawn.head(MAX_BARS).items()
    )  # fmt: skip
    open_to = (
        []
        if case.possible_ranks is None
        else [describe_possible_winners(case.possible_ranks, case.rule_title, case.system_names)]
    )
    note = describe_bars(len(drawn), "systems for which the least weight has to move")
    sentences = (nearest.describe_all(), *note, *open_to)
    return Section(_TITLE, sentences, (meaning,), bars=bars, figure=figure)
