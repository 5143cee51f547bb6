"""One page on a leaderboard: who wins, how sure that is, and what it depends on."""

from nbrank.frontends.report_page.assembly import report
from nbrank.frontends.report_page.page import Origin
from nbrank.frontends.report_page.page import Report
from nbrank.frontends.report_page.section import Section

__all__ = ["Origin", "Report", "Section", "report"]
