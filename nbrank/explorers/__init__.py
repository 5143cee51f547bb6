"""Explorers: widgets in which one moves something and sees, and reads, what follows."""

from nbrank.explorers.app import ExplorerApp
from nbrank.explorers.confidence import ConfidenceExplorer, explore_confidence
from nbrank.explorers.elimination import EliminationExplorer, explore_elimination
from nbrank.explorers.missing import MissingExplorer, explore_missing
from nbrank.explorers.rules import RankingExplorer, explore
from nbrank.explorers.weights import WeightExplorer, explore_weights

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
