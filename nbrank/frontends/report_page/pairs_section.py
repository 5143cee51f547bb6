"""How strong are the systems, and who beats whom, where they were compared in pairs?"""

from __future__ import annotations

import numpy as np

from nbrank.charts.pair_matrix import MODEL_AND_PAIRS
from nbrank.findings.context import ReportContext, describe_bars, format_part_of_whole
from nbrank.findings.labels import format_percent
from nbrank.findings.overview import error_reason
from nbrank.frontends.report_page.section import Section, system_bars
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
    lowest, span = result["strength"].min(), float(np.ptp(result["strength"])) or 1.0
    rows = (
        (
            system,
            f"{value:.2f} ({low:.2f} to {high:.2f})".replace("-", "−"),
            (value - lowest) / span,
        )
        for system, value, low, high in result[["strength", "low", "high"]].itertuples(name=None)
    )
    note = describe_bars(len(result), "systems with the highest strengths")
    meaning = "A bar is as long as a log-strength is above the lowest; 0 is the average."
    table = result.rename(index=name).round(3)
    return Section(
        title, (text, *note), (meaning,), bars=system_bars(case, rows), table=table, figure=figure
    )


def pairwise_section(case: ReportContext, delta: float) -> Section:
    """Say how many pairs met, and for how many it is sure who is better."""
    pairs = confidence(case.votes, delta=delta, adjust="holm")
    met, n_pairs = int((pairs["n"] > 0).sum()) // 2, len(pairs) // 2
    sure = pairs[pairs["significant"] & (pairs["wins"] > 0.5)]
    in_figures = f"{len(sure):,}" if len(sure) else "none"
    text = (
        f"{format_part_of_whole(met, n_pairs, 'pair')} of systems met. For "
        f"{in_figures} of these it is sure who wins more often, with "
        f"{format_percent(1 - delta, 6)} confidence for all at once."
    )
    figure = (f"{met:,} of {n_pairs:,}", "pairs of systems were compared")
    why = (MODEL_AND_PAIRS,) * (case.overview.rank_sets is not None)
    table = sure.drop(columns="significant").round(3) if len(sure) else None
    return Section("Who beats whom?", (text, *why), table=table, figure=figure)
