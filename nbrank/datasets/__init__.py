"""Leaderboards to try things on: `load_*` ship with the package, `fetch_*` are downloaded once.

A function returns a DataFrame where every task counts the same and higher is better; where weights,
groups or orientation belong to the data it returns a `Leaderboard`. Fetched files are kept in the
folder that the environment variable `NBRANK_DATA_DIR` names, else in the platform's cache.
"""

from nbrank.datasets.bundle import (
    load_ceval_scores,
    load_condorcet_cycle,
    load_global_and_pairwise,
    load_llm_chat,
    load_missing_scores_runs,
    load_missing_scores_sets,
    load_pairwise_paradox,
    load_published,
    load_sst5_baselines,
    load_toy_votes,
    load_xtreme_missing,
)
from nbrank.datasets.cache import DataUnavailableError, fetch_file
from nbrank.datasets.downloads import (
    fetch_best_systems_instances,
    fetch_ceval_texts,
    fetch_llmfao,
    fetch_missing_scores_instances,
    fetch_sst5,
)
from nbrank.datasets.leaderboards import (
    load_chatbot_arena,
    load_gem,
    load_glue,
    load_glue_submissions,
    load_mteb,
    load_superglue,
    load_superglue_submissions,
    load_user_preferences,
    load_value,
    load_xtreme,
    load_xtreme_as_released,
)

__all__ = [
    "DataUnavailableError",
    "fetch_best_systems_instances",
    "fetch_ceval_texts",
    "fetch_file",
    "fetch_llmfao",
    "fetch_missing_scores_instances",
    "fetch_sst5",
    "load_ceval_scores",
    "load_chatbot_arena",
    "load_condorcet_cycle",
    "load_gem",
    "load_global_and_pairwise",
    "load_glue",
    "load_glue_submissions",
    "load_llm_chat",
    "load_missing_scores_runs",
    "load_missing_scores_sets",
    "load_mteb",
    "load_pairwise_paradox",
    "load_published",
    "load_sst5_baselines",
    "load_superglue",
    "load_superglue_submissions",
    "load_toy_votes",
    "load_user_preferences",
    "load_value",
    "load_xtreme",
    "load_xtreme_as_released",
    "load_xtreme_missing",
]
