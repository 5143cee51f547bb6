"""Rank the systems of a benchmark, and say how sure that is.

`import nbrank` gives every DataFrame a callable namespace: `df.rank(...)` stays
pandas' own method, `df.rank.borda()` is `nbrank.borda(df)`. Set
`NBRANK_ACCESSOR=0` in the environment to leave pandas untouched.
"""

import importlib
import os
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from nbrank.arrays.orders.majority_graphs import SearchLimitError
from nbrank.comparison.pairwise_wins import compared, pairwise, probability_of_improvement
from nbrank.comparison.recommendation import recommend
from nbrank.comparison.rules_side_by_side import RuleRefusedWarning, compare, winners
from nbrank.comparison.rules_within_groups import two_step
from nbrank.comparison.table_changes import changes, explain_change
from nbrank.readers.ballots import from_ballots
from nbrank.readers.large.long import from_long, from_parquet
from nbrank.readers.tables.table_reader import read
from nbrank.robustness.cherry_picking import cherry_pick, cherry_picking_curve, unseat
from nbrank.robustness.random_weights import central_weights, rank_acceptability
from nbrank.robustness.rank_bounds import possible_ranks
from nbrank.robustness.shapley_values import repeated_tasks, task_influence
from nbrank.robustness.single_removals import leave_one_out
from nbrank.robustness.task_subsets import core_tasks
from nbrank.robustness.victory_margins import margin_of_victory
from nbrank.robustness.weight_regions import weight_map
from nbrank.robustness.winning_weights import condorcet_weights
from nbrank.rules.depth_rules import bucklin
from nbrank.rules.elimination import baldwin, coombs, instant_runoff, nanson, threshold
from nbrank.rules.geometric import geometric_mean
from nbrank.rules.interquartile import interquartile_mean
from nbrank.rules.kemeny_rule import kemeny
from nbrank.rules.majority import condorcet, copeland, minimax, schulze
from nbrank.rules.majority_searches import maximal_lotteries, ranked_pairs
from nbrank.rules.means import harmonic_mean, mean, median
from nbrank.rules.normalized_means import normalized_mean, optimality_gap
from nbrank.rules.paired_comparison import bradley_terry, davidson, elo
from nbrank.rules.place_averages import mean_rank, mean_win_rate
from nbrank.rules.point_vectors import positional
from nbrank.rules.positional_rules import antiplurality, borda, dowdall, plurality
from nbrank.rules.registry import RULES
from nbrank.uncertainty.best_sets import best_set
from nbrank.uncertainty.cell_errors import binomial_errors
from nbrank.uncertainty.estimate_rank_sets import rank_confidence_from
from nbrank.uncertainty.mean_rank_tests import critical_difference, pairwise_p_values
from nbrank.uncertainty.pair_intervals import comparisons_needed, confidence
from nbrank.uncertainty.rank_sets import rank_confidence
from nbrank.uncertainty.resampled_ranks import bootstrap
from nbrank.uncertainty.score_uncertainty import score_intervals, variance_split
from nbrank.uncertainty.strength_intervals import strengths, win_probabilities
from nbrank.uncertainty.tied_groups import significant_pairs, tie_groups
from nbrank.votes.comparisons import Comparisons, from_comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.method_registry import METHODS, Method
from nbrank.votes.tallies import Tally, tally
from nbrank.votes.user_warnings import LeaderboardWarning
from nbrank.votes.win_matrix import from_wins

if TYPE_CHECKING:  # What `__getattr__` loads late.
    from nbrank import agreement as agreement
    from nbrank import axioms as axioms
    from nbrank import charts as charts
    from nbrank import consensus as consensus
    from nbrank import datasets as datasets
    from nbrank import experiments as experiments
    from nbrank import metrics as metrics
    from nbrank import readers as readers
    from nbrank import synthetic as synthetic
    from nbrank import tournament as tournament
    from nbrank.charts.board_drawing.drawing import picture
    from nbrank.frontends.paper_summary import summary
    from nbrank.frontends.report_page.assembly import report
    from nbrank.frontends.workbench.explorer import explore

__version__ = "0.1.0"

# fmt: off
__all__ = [
    "RULES", "Comparisons", "Leaderboard", "LeaderboardWarning", "RuleRefusedWarning",
    "SearchLimitError", "Tally", "__version__", "antiplurality", "baldwin", "best_set",
    "binomial_errors", "bootstrap", "borda", "bradley_terry", "bucklin", "central_weights",
    "changes", "cherry_pick", "cherry_picking_curve", "compare", "compared", "comparisons_needed",
    "condorcet", "condorcet_weights", "confidence", "coombs", "copeland", "core_tasks",
    "critical_difference", "davidson", "dowdall", "elo", "explain_change", "explore",
    "from_ballots", "from_comparisons", "from_long", "from_parquet", "from_wins", "geometric_mean",
    "harmonic_mean", "instant_runoff", "interquartile_mean", "kemeny", "leave_one_out",
    "margin_of_victory", "maximal_lotteries", "mean", "mean_rank", "mean_win_rate", "median",
    "minimax", "nanson", "normalized_mean", "optimality_gap", "pairwise", "pairwise_p_values",
    "picture", "plurality", "positional", "possible_ranks", "probability_of_improvement",
    "rank_acceptability", "rank_confidence", "rank_confidence_from", "ranked_pairs", "read",
    "recommend", "repeated_tasks", "report", "schulze", "score_intervals", "significant_pairs",
    "strengths", "summary", "tally", "task_influence", "threshold", "tie_groups", "two_step",
    "unseat", "variance_split", "weight_map", "win_probabilities", "winners",
]
# fmt: on

#: Modules by the names under which one asks for them, imported when first used.
_MODULES = (
    *("agreement", "axioms", "charts", "consensus", "datasets", "experiments"),
    *("metrics", "readers", "synthetic", "tournament"),
)
#: Functions that bring in charts and widgets: the module, the views they need, and what each
#: answers.
_LAZY_VIEWS = {
    "picture": (
        "charts.board_drawing.drawing",
        "pairs",
        "See who is first, on which tasks, how sure that is, and what other rules say.",
    ),
    "report": (
        "frontends.report_page",
        "units",
        "The whole leaderboard on one page: winners, ties, gaps, and what decides.",
    ),
    "summary": (
        "frontends.paper_summary",
        "pairs",
        "The table, sentences and picture for a paper.",
    ),
    "explore": (
        "frontends.workbench",
        "units",
        "See who is first, how sure that is, and what would change it.",
    ),
}


# Type checkers see the imports above instead, so that a wrong name is an error.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> ModuleType | Callable[..., Any]:
        if name in _MODULES:
            return importlib.import_module(f"nbrank.{name}")
        if name in _LAZY_VIEWS:
            return _load_view(name)
        instead = ": use nbrank.read" if name == "read_scores" else ""
        if name.startswith(("load_", "fetch_")):
            offered = importlib.import_module("nbrank.datasets").__all__
            near = get_close_matches(name, offered, n=1)
            call = f", such as nbrank.datasets.{near[0]}()" if near else ""
            instead = f": data sets are in nbrank.datasets{call}"
        raise AttributeError(f"module 'nbrank' has no attribute {name!r}{instead}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES, "accessor"})


def _load_view(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(
        importlib.import_module(f"nbrank.{_LAZY_VIEWS[name][0]}"), name
    )
    return function


for _name, (_, _sees, _answers) in _LAZY_VIEWS.items():
    METHODS[_name] = Method("to look at", frozenset({_sees}), _answers, partial(_load_view, _name))

# Last, because the accessor lists the functions above.
from nbrank import accessor  # noqa: E402

if os.environ.get("NBRANK_ACCESSOR", "1") != "0":
    accessor.install()
