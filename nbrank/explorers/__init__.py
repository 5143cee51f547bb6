"""Explorers: widgets in which one moves something and sees, and reads, what follows."""

from nbrank.explorers.rules import RankingExplorer, explore

__all__ = ["RankingExplorer", "explore"]
