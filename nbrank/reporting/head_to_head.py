"""How strong are the systems, and who beats whom, where they were compared in pairs?"""

from __future__ import annotations

from nbrank import charts
from nbrank.charts.pairs import MODEL_AND_PAIRS
from nbrank.findings.names import in_percent
from nbrank.findings.overview import why_refused
from nbrank.questions.confidence import confidence
from nbrank.questions.strength_intervals import strengths, win_probabilities
from nbrank.reporting.case import MOST_CONTENDERS, MOST_DRAWN, Case, some_of
from nbrank.reporting.page import Section


def how_strong(case: Case, delta: float) -> Section:
    """Say how strong the systems are, and how surely the strongest beats the next."""
    title = "How strong are they?"
    try:
        found = strengths(case.votes, delta)
    except (ValueError, RuntimeError) as error:
        why = case.reads(why_refused("strengths", error))
        return Section(title, (f"No strengths can be told: {why}.",))
    (one, other), name = found.index[:2], case.system.brief
    chance = win_probabilities(case.votes, delta).loc[(one, other)]
    said = (
        f"{name[one]} is expected to beat {name[other]}, the next by strength, in "
        f"{in_percent(chance['probability'])} of their comparisons; with "
        f"{in_percent(1 - delta, 6)} confidence, between {in_percent(chance['low'])} and "
        f"{in_percent(chance['high'])}. A tie is half a win for each."
    )
    figure = (in_percent(chance["probability"]), f"chance that {name[one]} beats {name[other]}")
    table = found.rename(index=case.system.brief).round(3)
    drawing = charts.strengths(found.head(MOST_DRAWN))
    note = (f"Drawn are the first {MOST_DRAWN} by strength.",) * (len(found) > MOST_DRAWN)
    return Section(title, (said, *note), chart=drawing, table=table, figure=figure)


def who_beats_whom(case: Case, delta: float) -> Section:
    """Say how many pairs met, and for how many it is sure who is better."""
    pairs = confidence(case.votes, delta, adjust="holm")
    met, n_pairs = int((pairs["n"] > 0).sum()) // 2, len(pairs) // 2
    sure = int((pairs["significant"] & (pairs["wins"] > 0.5)).sum())
    in_figures = f"{sure:,}" if sure else "none"
    said = (
        f"{some_of(met, n_pairs, 'pair')} of systems met. For {in_figures} of these it is sure who "
        f"wins more often, with {in_percent(1 - delta, 6)} confidence for all at once."
    )
    top = case.ranked.index[:MOST_CONTENDERS]
    among = pairs[pairs.index.isin(top, level=0) & pairs.index.isin(top, level=1)]
    figure = (f"{met:,} of {n_pairs:,}", "pairs of systems were compared")
    note = (f"Drawn are the first {len(top)} by {case.by}.",) * (len(top) < len(case.ranked))
    why = (MODEL_AND_PAIRS,) * (case.seen.sets is not None)
    return Section(
        "Who beats whom?", (said, *why, *note), chart=charts.pairwise(among), figure=figure
    )
