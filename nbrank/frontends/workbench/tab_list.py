"""The questions of the page, in their order."""

from __future__ import annotations

from typing import Any

from nbrank.frontends.workbench.confidence_tab import ConfidenceTab
from nbrank.frontends.workbench.missing_tab import MissingTab
from nbrank.frontends.workbench.pairs_tab import PairsTab
from nbrank.frontends.workbench.rounds_tab import RoundsTab
from nbrank.frontends.workbench.rules_tab import RulesAndWeightsTab, RulesTab
from nbrank.frontends.workbench.scores_tab import ScoresTab
from nbrank.frontends.workbench.weights_tab import WeightsTab
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard

#: Name -> what opens the tab.
TABS: dict[str, Any] = {
    "rules": RulesAndWeightsTab,
    "weights": WeightsTab,
    "pairs": PairsTab,
    "scores": ScoresTab,
    "missing": MissingTab,
    "confidence": ConfidenceTab,
    "elimination": RoundsTab,
}
#: The same of comparisons.
COMPARISON_TABS = {"rules": RulesTab} | {name: TABS[name] for name in ("pairs", "confidence")}


def tab_names(votes: Votes) -> tuple[str, ...]:
    """List the tabs that the page of these votes has."""
    return tuple(TABS if isinstance(votes, Leaderboard) else COMPARISON_TABS)
