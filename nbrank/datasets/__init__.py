"""Leaderboards to try things on: `load_*` ship with the package, `fetch_*` are downloaded once.

A function returns a DataFrame where every task counts the same and higher is better; where weights,
groups or orientation belong to the data it returns a `Leaderboard`. Fetched files are kept in the
folder that the environment variable `NBRANK_DATA_DIR` names, else in the platform's cache.
"""

from nbrank.datasets.best_systems import (
    fetch_best_systems_instances,
    fetch_glue_submissions,
    fetch_superglue_submissions,
    fetch_xtreme,
    fetch_xtreme_as_released,
)
from nbrank.datasets.cache import DataUnavailableError
from nbrank.datasets.missing_scores import (
    fetch_gem,
    fetch_missing_scores_instances,
    fetch_missing_scores_tasks,
)
from nbrank.datasets.paired_comparisons import fetch_ceval_texts, fetch_chatbot_arena, fetch_llmfao
from nbrank.datasets.shipped import (
    load_ceval_scores,
    load_condorcet_cycle,
    load_global_and_pairwise,
    load_llm_chat,
    load_pairwise_paradox,
    load_toy_votes,
    load_xtreme_missing,
)
from nbrank.datasets.vote_n_rank import (
    fetch_glue,
    fetch_superglue,
    fetch_user_preferences,
    fetch_value,
)

__all__ = [
    "DataUnavailableError",
    "fetch_best_systems_instances",
    "fetch_ceval_texts",
    "fetch_chatbot_arena",
    "fetch_gem",
    "fetch_glue",
    "fetch_glue_submissions",
    "fetch_llmfao",
    "fetch_missing_scores_instances",
    "fetch_missing_scores_tasks",
    "fetch_superglue",
    "fetch_superglue_submissions",
    "fetch_user_preferences",
    "fetch_value",
    "fetch_xtreme",
    "fetch_xtreme_as_released",
    "load_ceval_scores",
    "load_condorcet_cycle",
    "load_global_and_pairwise",
    "load_llm_chat",
    "load_pairwise_paradox",
    "load_toy_votes",
    "load_xtreme_missing",
]
