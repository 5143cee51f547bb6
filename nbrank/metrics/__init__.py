"""From predictions to leaderboards and to pairwise comparisons: `nbrank.metrics`."""

from nbrank.metrics.instance_outcomes import pairwise_outcomes, sampled
from nbrank.metrics.metric_registry import METRICS, Metric
from nbrank.metrics.predictions import binarized, global_scores, instance_scores

__all__ = [
    "METRICS",
    "Metric",
    "binarized",
    "global_scores",
    "instance_scores",
    "pairwise_outcomes",
    "sampled",
]
