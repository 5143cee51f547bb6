"""The sentence on comparisons with groups of systems that never met."""

from __future__ import annotations

from nbrank.findings.labels import DisplayNames
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import join_truncated


def groups_apart(votes: Votes) -> str:
    """Say which groups of systems never met, without a full stop; empty if all are linked."""
    if not isinstance(votes, Comparisons) or not votes.apart:
        return ""
    names = DisplayNames.from_labels(votes.systems)
    groups = join_truncated([f"({names.join(group, 4)})" for group in votes.apart], most=4)
    return (
        f"{len(votes.apart)} groups of systems never met, directly or through others, and a rank "
        f"compares the systems of one group only: {groups}"
    )
