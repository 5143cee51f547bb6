"""Why a rule does not rank a table, in words for whoever sits before an explorer."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.majority_graphs import SearchLimitError
from nbrank.charts.names import MISSING_IN_WORDS, in_words
from nbrank.rules.rule import RULES
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import counted


def why_refused(rule: str, board: Leaderboard, error: Exception, choosable: bool = True) -> str:
    """Say why a rule refuses a table, and what one can do, such as to count missing scores."""
    if not isinstance(error, SearchLimitError) and (ways := _ways_to_count_missing(rule, board)):
        absent = counted(int(np.isnan(board.values).sum()), "missing score")
        if choosable:
            return f"{absent}; above you can choose to count them by {ways}"
        return f"{absent}; choose another rule"
    return str(error).removeprefix(f"{rule}: ").removesuffix(".")


def cant_rank(rule: str, board: Leaderboard, error: Exception, choosable: bool = True) -> str:
    """Say that a rule can't rank a table, and why."""
    return f"{in_words(rule)} can't rank this: {why_refused(rule, board, error, choosable)}."


def _ways_to_count_missing(rule: str, board: Leaderboard) -> str:
    """How missing scores would have to count for the rule to rank; empty if no way is enough."""
    if "missing" not in RULES[rule].parameters or not np.isnan(board.values).any():
        return ""
    ways = []
    for how in MISSING_IN_WORDS:
        try:
            RULES[rule].function(board, missing=how)
        except (ValueError, RuntimeError):
            continue
        ways.append(f"“{how}”")
    return " or ".join(ways)
