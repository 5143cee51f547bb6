"""One page on a leaderboard: who wins, how sure that is, and what it depends on."""

from nbrank.reporting.page import Report, Section
from nbrank.reporting.report import report

__all__ = ["Report", "Section", "report"]
