"""Charts of rankings, scores, pairs and weights: from our frames to Altair.

A chart saved as SVG is light or dark as the page is on which it stands; so is one shown with
`altair.renderers.enable("svg")`, which needs no network. All others are white with dark text;
`themed(chart, dark=True)` draws them for a dark page. The colour-blind can tell the colours apart.
"""

from nbrank.charts.arrows import majority_graph
from nbrank.charts.colours import PALETTE
from nbrank.charts.intervals import rank_intervals, strengths, tie_groups
from nbrank.charts.mean_ranks import critical_difference
from nbrank.charts.pairs import compatible_pairs, pairwise, pairwise_p_values
from nbrank.charts.picture import picture as leaderboard
from nbrank.charts.rankings import ranks, scores
from nbrank.charts.reproductions import reproduction
from nbrank.charts.runs import robustness
from nbrank.charts.svg import register_browser_renderer
from nbrank.charts.theme import apply_theme
from nbrank.charts.weightings import weight_map
from nbrank.charts.what_weights_leave_open import possible_ranks, rank_acceptability, repeated_tasks
from nbrank.findings.names import label_text, unique_label_texts

__all__ = [
    "PALETTE",
    "apply_theme",
    "compatible_pairs",
    "critical_difference",
    "label_text",
    "leaderboard",
    "majority_graph",
    "pairwise",
    "pairwise_p_values",
    "possible_ranks",
    "rank_acceptability",
    "rank_intervals",
    "ranks",
    "repeated_tasks",
    "reproduction",
    "robustness",
    "scores",
    "strengths",
    "tie_groups",
    "unique_label_texts",
    "weight_map",
]

register_browser_renderer()
