"""Rank the systems of a benchmark, and say how sure that is.

`import nbrank` gives every DataFrame a callable namespace: `df.rank(...)` stays
pandas' own method, `df.rank.borda()` is `nbrank.borda(df)`.
"""

from nbrank.labelled.agreement import (
    kendall_distance,
    kendall_tau,
    last_k_agreement,
    rank_biased_overlap,
    spearman,
    top_k_agreement,
)
from nbrank.labelled.compare import RuleRefusedWarning, compare, two_step, winners
from nbrank.labelled.comparisons import Comparisons, from_comparisons
from nbrank.labelled.elimination import (
    baldwin,
    bucklin,
    coombs,
    instant_runoff,
    nanson,
    threshold,
)
from nbrank.labelled.leaderboard import Leaderboard
from nbrank.labelled.majority import condorcet, copeland, minimax
from nbrank.labelled.means import (
    geometric_mean,
    harmonic_mean,
    mean,
    mean_rank,
    mean_win_rate,
    median,
    normalized_mean,
    optimality_gap,
)
from nbrank.labelled.pairwise import compared, pairwise
from nbrank.labelled.positional import antiplurality, borda, dowdall, plurality, positional
from nbrank.labelled.registry import RULES, Rule

__all__ = [
    "RULES",
    "Comparisons",
    "Leaderboard",
    "Rule",
    "RuleRefusedWarning",
    "antiplurality",
    "baldwin",
    "borda",
    "bucklin",
    "compare",
    "compared",
    "condorcet",
    "coombs",
    "copeland",
    "dowdall",
    "from_comparisons",
    "geometric_mean",
    "harmonic_mean",
    "instant_runoff",
    "kendall_distance",
    "kendall_tau",
    "last_k_agreement",
    "mean",
    "mean_rank",
    "mean_win_rate",
    "median",
    "minimax",
    "nanson",
    "normalized_mean",
    "optimality_gap",
    "pairwise",
    "plurality",
    "positional",
    "rank_biased_overlap",
    "spearman",
    "threshold",
    "top_k_agreement",
    "two_step",
    "winners",
]
