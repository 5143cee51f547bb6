"""Explorers: widgets in which one moves something and sees, and reads, what follows."""

from nbrank.explorers.app import ExplorerApp
from nbrank.explorers.explore import RankingExplorer, explore
from nbrank.explorers.explore_confidence import ConfidenceExplorer, explore_confidence
from nbrank.explorers.explore_elimination import EliminationExplorer, explore_elimination
from nbrank.explorers.explore_missing import MissingExplorer, explore_missing
from nbrank.explorers.explore_weights import WeightExplorer, explore_weights

__all__ = [
    "ConfidenceExplorer",
    "EliminationExplorer",
    "ExplorerApp",
    "MissingExplorer",
    "RankingExplorer",
    "WeightExplorer",
    "explore",
    "explore_confidence",
    "explore_elimination",
    "explore_missing",
    "explore_weights",
]
