"""Rank the systems of a benchmark, and say how sure that is.

`import nbrank` gives every DataFrame a callable namespace: `df.rank(...)` stays
pandas' own method, `df.rank.borda()` is `nbrank.borda(df)`. Set
`NBRANK_ACCESSOR=0` in the environment to leave pandas untouched.
"""

import importlib
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any

from nbrank.agreement import (
    kendall_distance,
    kendall_tau,
    last_k_agreement,
    rank_biased_overlap,
    spearman,
    top_k_agreement,
)
from nbrank.arrays.majority_graphs import SearchLimitError
from nbrank.questions.bootstrap import bootstrap
from nbrank.questions.compare import RuleRefusedWarning, compare, two_step, winners
from nbrank.questions.condorcet_weights import condorcet_weights
from nbrank.questions.confidence import comparisons_needed, confidence
from nbrank.questions.critical_difference import critical_difference, post_hoc_tests
from nbrank.questions.leave_one_out import leave_one_out
from nbrank.questions.pairwise import compared, pairwise
from nbrank.questions.rank_confidence import rank_confidence, rank_confidence_from, tie_groups
from nbrank.questions.recommendation import recommend
from nbrank.questions.weight_map import weight_map
from nbrank.readers.long import from_long
from nbrank.readers.long_parquet import from_parquet
from nbrank.rules.elimination import baldwin, bucklin, coombs, instant_runoff, nanson, threshold
from nbrank.rules.kemeny import (
    disagreement,
    kemeny,
    kemeny_distance_bound,
    kemeny_quality,
    kemeny_swaps,
    kemeny_winners,
)
from nbrank.rules.majority import condorcet, copeland, minimax
from nbrank.rules.means import (
    geometric_mean,
    harmonic_mean,
    mean,
    mean_rank,
    mean_win_rate,
    median,
    normalized_mean,
    optimality_gap,
)
from nbrank.rules.paths import (
    condorcet_loser,
    majority_graph,
    majority_networkx,
    maximal_lotteries,
    ranked_pairs,
    schulze,
    schwartz_set,
    smith_set,
    uncovered_set,
)
from nbrank.rules.positional import antiplurality, borda, dowdall, plurality, positional
from nbrank.rules.registry import RULES, Rule
from nbrank.rules.strengths import bradley_terry, davidson, elo, strengths, win_probabilities
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tally import Tally, tally

__all__ = [
    "RULES",
    "Comparisons",
    "Leaderboard",
    "Rule",
    "RuleRefusedWarning",
    "SearchLimitError",
    "Tally",
    "accessor",
    "antiplurality",
    "baldwin",
    "bootstrap",
    "borda",
    "bradley_terry",
    "bucklin",
    "compare",
    "compared",
    "comparisons_needed",
    "condorcet",
    "condorcet_loser",
    "condorcet_weights",
    "confidence",
    "coombs",
    "copeland",
    "critical_difference",
    "davidson",
    "disagreement",
    "dowdall",
    "elo",
    "explore",
    "explore_confidence",
    "explore_elimination",
    "explore_missing",
    "explore_weights",
    "from_comparisons",
    "from_long",
    "from_parquet",
    "geometric_mean",
    "harmonic_mean",
    "instant_runoff",
    "kemeny",
    "kemeny_distance_bound",
    "kemeny_quality",
    "kemeny_swaps",
    "kemeny_winners",
    "kendall_distance",
    "kendall_tau",
    "last_k_agreement",
    "leave_one_out",
    "majority_graph",
    "majority_networkx",
    "maximal_lotteries",
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
    "post_hoc_tests",
    "rank_biased_overlap",
    "rank_confidence",
    "rank_confidence_from",
    "ranked_pairs",
    "recommend",
    "report",
    "schulze",
    "schwartz_set",
    "smith_set",
    "spearman",
    "strengths",
    "tally",
    "threshold",
    "tie_groups",
    "top_k_agreement",
    "two_step",
    "uncovered_set",
    "weight_map",
    "win_probabilities",
    "winners",
]

#: Modules that bring in charts, widgets or data: imported when first used.
_LAZY = {
    "axioms",
    "charts",
    "datasets",
    "experiments",
    "explorers",
    "metrics",
    "synthetic",
    "tables",
}
#: Functions that do, and the modules where they live.
_LAZY_FUNCTIONS = {
    "explore": "explorers",
    "explore_confidence": "explorers",
    "explore_elimination": "explorers",
    "explore_missing": "explorers",
    "explore_weights": "explorers",
    "report": "reporting",
}


def __getattr__(name: str) -> ModuleType | Callable[..., Any]:
    if name in _LAZY:
        return importlib.import_module(f"nbrank.{name}")
    if name in _LAZY_FUNCTIONS:
        module = importlib.import_module(f"nbrank.{_LAZY_FUNCTIONS[name]}")
        function: Callable[..., Any] = getattr(module, name)
        return function
    raise AttributeError(f"module 'nbrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_LAZY_FUNCTIONS})


# Last, because the accessor lists the functions above.
from nbrank import accessor  # noqa: E402

if os.environ.get("NBRANK_ACCESSOR", "1") != "0":
    accessor.install()
