"""Strengths by Bradley and Terry's model with their intervals, or why these are missing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from nbrank.findings.labels import DisplayNames, display_message, format_percent
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.paired_comparison import bradley_terry
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.strength_intervals import strengths
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons


@dataclass(frozen=True, eq=False)
class Ratings:
    """The `strength` of each system, with an interval from `low` to `high`, or NaN without one.

    `unit` is the unit of strengths, `confidence_text` the confidence of an interval, and `note`
    the unknown part and its reason; without any strengths the table is missing.
    """

    table: pd.DataFrame | None
    unit: str = ""
    confidence_text: str = ""
    note: str = ""


def choose_rule(votes: Votes) -> str:
    """Choose the votes' default rule, or Borda where Bradley-Terry can't rank comparisons."""
    if not isinstance(votes, Comparisons):
        return votes.default_rule
    try:
        bradley_terry(votes)
    except (ValueError, RuntimeError):
        return "borda"
    return votes.default_rule


def compute_ratings(votes: Votes, rule: RuleLike, delta: float = 0.05) -> Ratings | None:
    """Estimate the strengths of systems that were compared in pairs; None for other votes.

    If the rule is the model's, its options, such as `scale`, apply to the strengths.
    """
    if not isinstance(votes, Comparisons):
        return None
    bound = BoundRule.bind(rule)
    own = bound.name == "bradley_terry"
    options = bound.options if own else {}
    unit = "strength, 0 is average"
    if {"scale", "base", "anchor"} & options.keys():
        elo = options.get("scale") == 400 and options.get("base") == 10
        unit = "rating on Elo's scale" if elo else "rating"
    if not own:
        unit = "strength by Bradley-Terry"
    names = DisplayNames.from_labels(votes.systems)
    try:
        known_to = {name: options[name] for name in options if name != "missing"}
        table = strengths(votes, delta=delta, **known_to)
    except (ValueError, RuntimeError) as error:
        why = display_message(str(error), names.short).partition(": ")[2].partition(". ")[0]
        why = why.removesuffix("; give more")
    else:
        endless = list(table.index[~np.isfinite(table["high"])])
        note = f"the interval of {names.join(endless, 3)} has no end" * bool(endless)
        return Ratings(table, unit, f"{format_percent(1 - delta)} for each", note)
    try:
        alone = bradley_terry(votes, **options)[["score"]].set_axis(["strength"], axis=1)
    except (ValueError, RuntimeError):
        return Ratings(None, note=f"no strengths: {why}")
    return Ratings(alone.assign(low=np.nan, high=np.nan), unit, note=f"no intervals: {why}")
