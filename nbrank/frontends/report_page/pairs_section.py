"""How strong are the systems, and who beats whom, where they were compared in pairs?"""

from __future__ import annotations

from nbrank import charts
from nbrank.charts.pair_matrix import MODEL_AND_PAIRS
from nbrank.findings.context import (
    MAX_CHART_SYSTEMS,
    MAX_CONTENDERS,
    ReportContext,
    format_part_of_whole,
)
from nbrank.findings.labels import format_percent
from nbrank.findings.overview import error_reason
from nbrank.frontends.report_page.section import Section
from nbrank.uncertainty.pair_intervals import confidence
from nbrank.uncertainty.strength_intervals import strengths, win_probabilities


def strengths_section(case: ReportContext, delta: float) -> Section:
    """Say how strong the systems are, and how surely the strongest beats the next."""
    title = "How strong are they?"
    try:
        result = strengths(case.votes, delta=delta)
    except (ValueError, RuntimeError) as error:
        why = case.display_message(error_reason("strengths", error))
        return Section(title, (f"Strengths can't be estimated: {why}.",))
    (item, other), name = result.index[:2], case.system_names.short
    chance = win_probabilities(case.votes, delta=delta).loc[(item, other)]
    text = (
        f"{name[item]} is expected to beat {name[other]}, the next by strength, in "
        f"{format_percent(chance['probability'])} of their comparisons; with "
        f"{format_percent(1 - delta, 6)} confidence, between {format_percent(chance['low'])} and "
        f"{format_percent(chance['high'])}. A tie is half a win for each."
    )
    figure = (
        format_percent(chance["probability"]),
        f"chance that {name[item]} beats {name[other]}",
    )
    table = result.rename(index=case.system_names.short).round(3)
    drawing = charts.strengths(result.head(MAX_CHART_SYSTEMS))
    note = (f"Drawn are the first {MAX_CHART_SYSTEMS} by strength.",) * (
        len(result) > MAX_CHART_SYSTEMS
    )
    return Section(title, (text, *note), chart=drawing, table=table, figure=figure)


def pairwise_section(case: ReportContext, delta: float) -> Section:
    """Say how many pairs met, and for how many it is sure who is better."""
    pairs = confidence(case.votes, delta=delta, adjust="holm")
    met, n_pairs = int((pairs["n"] > 0).sum()) // 2, len(pairs) // 2
    sure = int((pairs["significant"] & (pairs["wins"] > 0.5)).sum())
    in_figures = f"{sure:,}" if sure else "none"
    text = (
        f"{format_part_of_whole(met, n_pairs, 'pair')} of systems met. For {in_figures} of these "
        f"it is sure who wins more often, with {format_percent(1 - delta, 6)} "
        "confidence for all at once."
    )
    top = case.ranking.index[:MAX_CONTENDERS]
    among = pairs[pairs.index.isin(top, level=0) & pairs.index.isin(top, level=1)]
    figure = (f"{met:,} of {n_pairs:,}", "pairs of systems were compared")
    note = (f"Drawn are the first {len(top)} by {case.rule_title}.",) * (
        len(top) < len(case.ranking)
    )
    why = (MODEL_AND_PAIRS,) * (case.overview.rank_sets is not None)
    return Section(
        "Who beats whom?", (text, *why, *note), chart=charts.pairwise(among), figure=figure
    )
