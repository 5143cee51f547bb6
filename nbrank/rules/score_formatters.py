"""The meaning of scores in words, and their format, for readers who know no voting theory."""

from __future__ import annotations


def format_number(score: float) -> str:
    """Format a score in few digits."""
    return f"{score:.4g}" if abs(score) < 10_000 else f"{score:,.0f}"


def format_negated(score: float) -> str:
    """Format a score that was negated because less is better."""
    return format_number(-score + 0.0)


def format_share(score: float) -> str:
    """Format a share in percent."""
    return f"{score:.1%}"


def format_strength(score: float) -> str:
    """Format a log-strength."""
    return f"{score:.2f}"


def format_yes_no(score: float) -> str:
    """Format whether something holds."""
    return "yes" if score == 1 else "no"


def describe_score(counts: str, unit: str = "task", weighed: bool = False) -> str:
    """Fill in what a rule counts, as it does on this table."""
    by_weight = " by weight" if weighed else ""
    return counts.format(task=unit, tasks=f"{unit}s", weighed=by_weight)
