"""One page on a leaderboard: who wins, how sure that is, and what it depends on.

`nbrank.report(scores)` computes it. Every sentence says what this table gives;
none is there by default.
"""

from nbrank.reporting.page import Report, Section
from nbrank.reporting.report import report

__all__ = ["Report", "Section", "report"]
