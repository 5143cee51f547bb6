"""Charts of rankings, scores, pairs and weights: from our frames to Altair.

A chart saved as SVG is light or dark as the page is on which it stands; so is one shown with
`altair.renderers.enable("svg")`, which needs no network. All others are white with dark text;
`apply_theme(chart, dark=True)` draws them for a dark page. The colour-blind can tell the colours
apart.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from nbrank.charts.palette import PALETTE
from nbrank.findings.labels import label_text, unique_label_texts

if TYPE_CHECKING:
    from nbrank.charts.experiment_curves import robustness
    from nbrank.charts.graph_layout import majority_graph
    from nbrank.charts.intervals import rank_intervals, strengths, tie_groups
    from nbrank.charts.mean_rank_diagram import critical_difference
    from nbrank.charts.pair_matrix import compatible_pairs, pairwise, pairwise_p_values
    from nbrank.charts.ranks_and_scores import ranks, scores
    from nbrank.charts.reproductions import reproduction
    from nbrank.charts.theme import apply_theme
    from nbrank.charts.weight_sensitivity import possible_ranks, rank_acceptability, repeated_tasks
    from nbrank.charts.weight_space import weight_map

# Type checkers see the imports above instead.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a chart when it is first asked for: the picture and its pages need none."""
        if name in __all__:
            import_module("nbrank.charts.svg").register_browser_renderer()
            for _, module, _ in iter_modules(__path__, "nbrank.charts."):
                function = vars(import_module(module)).get(name)
                if getattr(function, "__module__", "") == module:
                    return function
        raise AttributeError(f"module 'nbrank.charts' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "PALETTE",
    "apply_theme",
    "compatible_pairs",
    "critical_difference",
    "label_text",
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

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# COLOR_VARIABLES, MAX_ROWS, PICTURE_STYLE, PLACE_STYLE, Drawing, LiveOptions, cut_text,
# draw_overview, level_headings, max_text_width, place_class, readable_width, wrap_name,
# write_element, write_page
