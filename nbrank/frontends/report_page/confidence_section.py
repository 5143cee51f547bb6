"""Which systems may be best; how strong are they, and who beats whom, if compared in pairs?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.best_set_text import (
    describe_best,
    describe_sample,
    describe_separated_pairs,
    describe_small_sample,
    explain_no_best_set,
    format_confidence,
    over_what,
    possibly_best,
)
from nbrank.findings.labels import capitalize, format_percent, format_range, join_labels
from nbrank.findings.overview import error_reason, pairs_fit
from nbrank.frontends.report_page.section import (
    MAX_BARS,
    Bar,
    ReportContext,
    Section,
    describe_bars,
    format_part_of_whole,
    system_bars,
)
from nbrank.frontends.shared_html import MODEL_AND_PAIRS
from nbrank.uncertainty.pair_intervals import confidence
from nbrank.uncertainty.rank_sets import pair_tests
from nbrank.uncertainty.resampled_ranks import bootstrap
from nbrank.uncertainty.sampling_design import DrawOptions
from nbrank.uncertainty.strength_intervals import strengths, win_probabilities
from nbrank.votes.leaderboard import Leaderboard

_TITLE = "Which systems may be best?"


def contenders_section(case: ReportContext, delta: float) -> Section:
    """Say which systems may be best, and then what holds for all ranks jointly."""
    n, sets, best = len(case.votes.systems), case.overview.rank_sets, case.overview.best
    if n < 2:
        return Section(_TITLE, ("There is one system only, and none to compare it with.",))
    if sets is None or best is None:
        return _bootstrap_section(case)
    sure = f"{format_percent(1 - delta, 6)} confidence"
    sentences = [describe_best(best, case.votes, case.system_names)]
    figure = (
        f"{len(possibly_best(best))} of {n}",
        f"systems may be best ({format_confidence(best, case.votes)})",
    )
    heading = ""
    if few := describe_small_sample(sets):
        if describe_small_sample(best):
            figure = ("none", f"of the systems can be told apart: {few}")
        if sets.attrs["over"] == "groups":
            draws = DrawOptions("rank_confidence", draws="tasks", seed=case.seed)
            each_task = pair_tests(case.board, case.bound_rule, draws)
            sets, best = each_task.frame(delta, joint=True), each_task.best_frame(delta)
        if describe_small_sample(sets):
            sentences.append(f"{capitalize(few)} to tell any pair of systems apart.")
            sentences.append("The rest of this section describes these tasks only.")
            table = _join_possible_ranks(case, sets, f"ranks with {sure}")
            return Section(_TITLE, tuple(sentences), table=table, figure=figure)
        heading = "If each task were a draw of its own"
        if_drawn = describe_best(best, case.votes, case.system_names)
        sentences.append(f"{heading}, which related tasks are not: b{if_drawn[1:]}")
    ranks = f"ranks with {sure}{', each task a draw' if heading else ''}"
    table = _join_possible_ranks(case, sets, ranks)
    sentences.append(describe_separated_pairs(sets, case.system_names))
    over = over_what(sets, case.votes)
    runs = f", and the {over.rpartition(' and ')[2]}," * (sets.attrs.get("over") == "both")
    value = (
        f"the {describe_sample(sets)}{runs} fairly represent what the leaderboard should measure"
    )
    if sets.attrs.get("over") == "errors":
        value = (
            "each score is as uncertain as its standard error says; the tasks are taken as given"
        )
    fair = f"This holds if {value}."
    if "skewed" in best.attrs:
        fair += (
            " By Borda's rule, which counts places, skewed scores take nothing from the confidence."
        )
    sentences += describe_bars(n, f"systems with the best ranks by {case.rule_title}")
    meaning = (
        f"A bar is as long as a system's score by {case.rule_title} is behind that of the first; p "
        f"is how likely so large a gap is if the system is the best."
    )
    bars = _gap_bars(case, best)
    return Section(_TITLE, tuple(sentences), (meaning, fair), bars=bars, table=table, figure=figure)


def _join_possible_ranks(case: ReportContext, sets: pd.DataFrame, ranks: str) -> pd.DataFrame:
    """Join the rank sets with the ranks under all weights near the board's."""
    spans = {ranks: (sets, "low", "high")}
    if isinstance(case.votes, Leaderboard) and case.possible_ranks is not None:
        spans["ranks under weights within a fifth"] = (case.possible_ranks, "best", "worst")
    table = case.ranking[["rank"]].rename(index=case.system_names.short)
    for name, (frame, low, high) in spans.items():
        own = frame.reindex(case.ranking.index)
        table[name] = list(map(format_range, own[low], own[high]))
    return table


def _bootstrap_section(case: ReportContext) -> Section:
    """Say which systems are first in resamples, for a rule without confidence sets."""
    reason = explain_no_best_set(case.rule.name)
    if not reason:  # the rule has one on other votes, or would have one on others of this kind
        reason = "of comparisons, only Bradley-Terry's model gives a best set"
        if error := case.overview.errors.get("bradley_terry"):
            refusal = case.display_message(error_reason("bradley_terry", error)).rstrip(".")
            reason += f", and it refuses these: {refusal}"
    none = capitalize(f"{reason}.")
    if not pairs_fit(case.votes):
        none = f"Confidence sets are not computed for {len(case.votes.systems):,} systems."
    if not isinstance(case.votes, Leaderboard):
        return Section(_TITLE, (none,))
    over: Any = "instances" if case.board.is_instance_level else "tasks"
    try:
        spread = bootstrap(case.board, case.bound_rule, over=over, n_draws=200, seed=case.seed)
        why = spread.attrs.get("note")
    except ValueError as error:
        why = case.display_message(error_reason("bootstrap", error))
    if why:
        return Section(_TITLE, (f"{none} Nor can one say how it spreads: {why}.",))
    often: Any = spread["p_best"].sort_values(ascending=False, kind="stable")
    name = case.system_names.short
    rivals = [system for system in often.index[often > 0] if system not in case.winners][:5]
    shares = ", ".join(f"{name[system]} in {format_percent(often[system])}" for system in rivals)
    own = [f"{name[system]} is first in {format_percent(often[system])}" for system in case.winners]
    answer = (
        f"If the {over} are drawn again (200 times, with replacement), {join_labels(own, 3)} of "
        f"the draws{f'; {shares}' if shares else ''}."
    )
    caution = f"That is a spread and no proof. {none}"
    figure = (
        format_percent(often[case.winners[0]]),
        f"of the draws of {over} have {name[case.winners[0]]} first",
    )
    rows = (
        (system, f"first in {format_percent(share)} of the draws", share)
        for system, share in often[often > 0].items()
    )
    return Section(_TITLE, (answer, caution), bars=system_bars(case, rows), figure=figure)


def _gap_bars(case: ReportContext, best: pd.DataFrame) -> tuple[Bar, ...]:
    """Show how far the first systems are behind the first one, and the p-values."""
    gaps = (case.ranking["score"].iloc[0] - case.ranking["score"]).iloc[:MAX_BARS]
    largest = float(gaps.max()) or 1.0
    # Labels may be tuples or booleans, which pandas' `loc` takes as something else.
    tested = best.reindex(gaps.index)
    return tuple(
        Bar(
            case.system_names.short[system],
            f"{f'{gap:,.1f}' if gap >= 10 else f'{gap:.3g}'} behind, "
            f"p {'< 0.001' if p < 0.001 else f'= {p:.2g}'}"
            if gap
            else "first",
            gap / largest,
            "best" * bool(may),
        )
        for system, gap, p, may in zip(gaps.index, gaps, tested.p_value, tested.best, strict=True)
    )


def strengths_section(case: ReportContext, delta: float) -> Section:
    """Say how strong the systems are, and how surely the strongest beats the next."""
    title = "How strong are they?"
    try:
        result = strengths(case.votes, delta=delta)
    except (ValueError, RuntimeError) as error:
        why = case.display_message(error_reason("strengths", error))
        return Section(title, (f"Strengths can't be estimated: {why}.",))
    (item, other), name = result.index[:2], case.system_names.short
    chances = win_probabilities(case.votes, delta=delta)
    chance = chances.iloc[chances.index.get_loc((item, other))].to_dict()
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
