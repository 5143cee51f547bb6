"""What a rule counts and how its score is written, for somebody who knows tables and no voting."""

from __future__ import annotations


def format_number(score: float) -> str:
    """A score as it is, short."""
    return f"{score:.4g}" if abs(score) < 10_000 else f"{score:,.0f}"


def format_negated(score: float) -> str:
    """A score of which less was better before it was negated."""
    return format_number(-score + 0.0)


def format_share(score: float) -> str:
    """A share in percent."""
    return f"{score:.1%}"


def format_strength(score: float) -> str:
    """A log-strength."""
    return f"{score:.2f}"


def format_yes_no(score: float) -> str:
    """Whether something holds."""
    return "yes" if score == 1 else "no"


def describe_score(counts: str, unit: str = "task", weighed: bool = False) -> str:
    """Fill in what a rule counts, as it does on this table."""
    by_weight = " by weight" if weighed else ""
    return counts.format(task=unit, tasks=f"{unit}s", weighed=by_weight)
