"""The sample behind confidence sets, in words."""

from __future__ import annotations

import pandas as pd

from nbrank.findings.labels import agree_verb
from nbrank.votes.base import Votes
from nbrank.votes.formatting import pluralize


def describe_small_sample(sets: pd.DataFrame | None) -> str:
    """Say that the sample is too small to separate any systems; empty if it is not."""
    if sets is None or "note" not in sets.attrs:
        return ""
    return f"{describe_sample(sets)} {agree_verb('is', sets.attrs['n'])} too few"


def describe_sample(sets: pd.DataFrame) -> str:
    """Write how many units the sample has, such as "14 tasks"."""
    what = sampled_unit_name(sets)
    return pluralize(sets.attrs["n"], what.removesuffix("s")) if "n" in sets.attrs else what


def sampled_unit_name(sets: pd.DataFrame) -> str:
    """Name the units of the sample: tasks, groups, voters, comparisons and so on."""
    drawn: str = sets.attrs.get("draws", sets.attrs.get("over", "comparisons"))
    # Clusters of instances are named by the level of the rows: passages, users and so on.
    return f"{sets.attrs['cluster']}s" if "cluster" in sets.attrs else drawn


def over_what(sets: pd.DataFrame, votes: Votes | None = None) -> str:
    """Name the units behind rank sets: tasks, runs, errors, instances, clusters."""
    runs = getattr(votes, "replicates", None)
    # The rank sets don't record whether errors come from the caller or from runs.
    measured = "errors of the scores" if runs is None else f"{runs.level}s"
    clusters = "clusters"
    if votes is not None:
        clusters += " of instances" if votes.has_scores else " of comparisons"
    draws = sampled_unit_name(sets).replace("groups", "groups of tasks")
    names = {
        "errors": "the standard errors of the scores",
        "seeds": "runs" if runs is None else measured,
        "both": f"{draws} and {measured}",
        "clusters": draws if "cluster" in sets.attrs else clusters,
    }
    return names.get(str(sets.attrs.get("over")), draws)


def how_else(sets: pd.DataFrame, votes: Votes | None = None) -> str:
    """Say under which other circumstances the ranks might be others, by these rank sets."""
    over = over_what(sets, votes)
    return f"within {over}" if over.startswith("the ") else f"with other {over} like these"
