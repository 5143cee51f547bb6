"""Explorers: widgets in which one moves something and sees, and reads, what follows."""

from nbrank.explorers.confidence import ConfidenceExplorer, explore_confidence
from nbrank.explorers.elimination import EliminationExplorer, explore_elimination
from nbrank.explorers.rules import RankingExplorer, explore

__all__ = [
    "ConfidenceExplorer",
    "EliminationExplorer",
    "RankingExplorer",
    "explore",
    "explore_confidence",
    "explore_elimination",
]
