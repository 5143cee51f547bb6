"""Which systems may be best, in sentences: the answer that every page quotes first.

Three similar answers have a wording each. A system *may be best* if the scores are
a sample and it is in the best set. It *would be first under other weights*, or *with fewer tasks*,
if the scores are taken as they are.
"""

from collections.abc import Collection

import pandas as pd

from nbrank.findings.labels import DisplayNames, agree_verb, capitalize, format_percent, rule_title
from nbrank.rules.registry import RULES
from nbrank.uncertainty.rules_with_sets import nearest_rule_with_sets, supports_confidence_sets
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, pluralize

#: Maximum number of systems that the verdict names.
_MAX_NAMED = 4


def possibly_best(best: pd.DataFrame) -> list[Label]:
    """List the systems that may be best, best first."""
    return list(best.index[best["best"]])


def format_confidence(sets: pd.DataFrame, votes: Votes | None = None) -> str:
    """Write how sure sets are, and over what: "95 % confidence over tasks", or at most so."""
    delta = sets.attrs.get("delta", 0.05)
    sure = f"{format_percent(1 - delta, 6)} confidence over {over_what(sets, votes)}"
    return f"at most {sure}" if "skewed" in sets.attrs else sure


def best_clause(
    best: pd.DataFrame, votes: Votes, names: DisplayNames, named_systems: Collection[Label]
) -> str:
    """Say which systems may be best, as the end of a sentence in which some are named."""
    if few := describe_small_sample(best):
        return f"{few} to say which system is best"
    only = possibly_best(best)
    is_named = len(only) == 1 and only == [*named_systems]
    phrase = "it is surely first" if is_named else _best_phrase(best, names)
    return f"{phrase} ({describe_confidence(best, votes)})"


def describe_best(
    best: pd.DataFrame, votes: Votes, names: DisplayNames, max_named: int = 12
) -> str:
    """Say by which rule, and with what confidence, which systems may be best."""
    if few := describe_small_sample(best):
        return f"{capitalize(few)} to say which system is best, whatever the scores are."
    by = f"By {rule_title(best.attrs['rule'])}, with {describe_confidence(best, votes)}"
    return f"{by}, {_best_phrase(best, names, max_named)}."


def describe_confidence(sets: pd.DataFrame, votes: Votes) -> str:
    """Write how sure sets are, and why they may be less so."""
    doubt = f", since {sets.attrs['skewed']}" if "skewed" in sets.attrs else ""
    return format_confidence(sets, votes) + doubt


def _best_phrase(best: pd.DataFrame, names: DisplayNames, max_named: int = _MAX_NAMED) -> str:
    systems, n = possibly_best(best), len(best)
    if len(systems) == 1:
        return f"{names.join(systems)} is surely first"
    if len(systems) == n:
        return f"{'either' if n == 2 else f'any of the {n} systems'} may be best"
    return f"the best is one of these {len(systems)}: {names.join(systems, max_named)}"


def describe_separated_pairs(sets: pd.DataFrame, names: DisplayNames) -> str:
    """Say what holds for all pairs and all ranks jointly."""
    n, first = len(sets), list(sets.index[sets["low"] == 1])
    pairs, separated = n * (n - 1) // 2, int((n - sets["high"]).sum())
    if n == 1:
        return "There is one system only, so no pair to tell apart."
    if describe_small_sample(sets):
        return f"{describe_small_sample(sets).capitalize()} to tell any pair of systems apart."
    whose = f"all {n} rank sets" if len(first) == n else pluralize(len(first), "rank set")
    which = "" if len(first) == n else f": {names.join(first, 12)}"
    if n == 2:
        return f"The two systems are {'' if separated else 'not '}told apart."
    return (
        f"For all ranks at once, {separated:,} of {pairs:,} pairs of systems are told apart; "
        f"rank 1 is in {whose}{which}."
    )


def explain_no_best_set(rule: str) -> str:
    """Say what replaces the best set of a rule without one; empty if it has one."""
    known, title = RULES.get(rule), rule_title(rule)
    if known is None:
        return f"{title} is not a rule of nbrank, so that no set of possibly best systems is known"
    if supports_confidence_sets(known):
        return ""
    nearest = nearest_rule_with_sets(known)
    return (
        f"{title} has no best set, since its scores are not means over tasks; the nearest rule "
        f"that has one is {rule_title(nearest)}, as in best_set(scores, {nearest!r})"
    )


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
