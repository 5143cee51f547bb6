"""How do the ranks spread if the tasks, or the instances, are resampled?"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats, Ints
from nbrank.arrays.uncertainty import resampling as arrays
from nbrank.comparison.rules_side_by_side import RuleRefusedWarning
from nbrank.rules.bound_rule import BoundRule, parse_votes_and_rule, ranks_of_all_systems
from nbrank.rules.ranking import join_columns
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.resamplers import Resampler, make_resampler
from nbrank.uncertainty.sampling_design import DrawnUnit, DrawOptions, UnitKind
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions
from nbrank.votes.table.validation import check_delta, validate_integer
from nbrank.votes.user_warnings import warn_user

#: Options of a rule that have no meaning once the pairs are counted.
_SCORE_OPTIONS = ("missing", "levels")


@register_method("how sure it is", sees="pairs")
def bootstrap(
    scores: VotesLike,
    rule: RuleLike,
    *,
    over: DrawnUnit | None = None,
    n_draws: int = 1000,
    seed: int | None = 0,
    delta: float = 0.05,
    errors: pd.DataFrame | None = None,
    draws: UnitKind | None = None,
    cluster: Clusters = None,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """How far do the ranks spread if the tasks, instances or comparisons are drawn again?

    Each resample draws as many tasks as the table has, with replacement, and ranks by them. This
    shows how much the ranking depends on single tasks. It is not a confidence set: the ranks
    scatter about the observed rank and not about the true one. With 20 close systems on 14 tasks,
    intervals at a nominal 95 % held all true ranks in 5.7 % (± 0.7) of 1,000 simulated tables
    (docs/coverage_pairs.md). `rank_confidence` says what the true ranks may be.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or a `Tally`.
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
        A `Tally` takes those of its rules; a function of your own is then given
        the tally with its tasks weighed as they were drawn.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    over
        What is drawn, as for `rank_confidence`: "tasks" (or their groups), "instances" (a
        `Tally` has none), "errors", "seeds" or "both". None is "errors" where they are given,
        "both" where there are runs, "instances" where these lie in clusters, else "tasks".
        Of comparisons it is left out.
    n_draws
        The number of resamples.
    seed
        The seed of the draws; None takes a fresh one.
    delta
        The share of the resamples that is left out of `low` and `high`, half at each end.
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.
    draws
        Where tasks are drawn and have groups: "groups" (what None takes) draws whole groups, and
        "tasks" each task alone, for groups that are there for the weights only. `.attrs["over"]`
        says which, or for "both" `.attrs["draws"]`.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            The rank on the table as it is.
        low, high
            The range of its ranks in the resamples, without delta / 2 of them at each end.
        p_best
            The share of the resamples in which it wins, which tied winners share equally;
            NaN where there are too few clusters.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if there is a single task (or group) to draw from, or if the rule
        refuses the table, or every resample.

    Warns
    -----
    RuleRefusedWarning
        If the rule refuses some of the resamples, which are then left out.

    References
    ----------
    Efron, Bootstrap Methods: Another Look at the Jackknife, 1979. Why it fails for ranks: Mogstad,
    Romano, Shaikh and Wilhelm, Inference for Ranks, 2024.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 2, 8, 9], [5, 6, 4, 6, 9, 6], [4, 5, 3, 5, 6, 4]], index=["A", "B", "C"]
    ... )
    >>> bootstrap(scores, "borda", seed=0).round(2)
       rank  low  high  p_best
    A     1    1     2    0.67
    B     2    1     2    0.33
    C     3    3     3    0.00
    """
    check_delta("bootstrap", delta)
    n_draws = validate_integer("bootstrap", "n_draws", n_draws)
    votes, bound_rule = parse_votes_and_rule("bootstrap", scores, rule, "pairs", cluster, **options)
    asked = DrawOptions("bootstrap", over, errors, draws, cluster, seed)
    asked.check_units(votes)
    rng = asked.make_rng()
    ranked = bound_rule.function(votes)
    votes = bound_rule.transform_runs(votes)
    resampler = make_resampler(votes, bound_rule, asked)
    over, n_systems = resampler.facts["over"], len(votes.systems)
    if "note" in resampler.facts:  # The sample is too small for any claim.
        n_draws = 0
        ranks, wins = np.tile([1, n_systems], (n_systems, 1)), np.full((n_systems, 1), np.nan)
    elif resampler.draws is not None and resampler.draws.n_units < 2:
        raise ValueError(
            "bootstrap: all comparisons are alike, so all resamples are the same; add more"
            if over == "comparisons"
            else f"bootstrap: there is only one {over.removesuffix('s')}, so all resamples are the "
            f"same; add more, or draw over='instances' from a frame of their scores"
        )
    else:
        ranks, wins = _resample(votes.systems, resampler, bound_rule, n_draws, rng)
        n_draws = ranks.shape[1]
    low, high = arrays.percentiles(ranks, delta)
    result = join_columns(ranked, votes.systems, low=low, high=high, p_best=wins.mean(axis=1))
    result.attrs = {"rule": str(ranked.attrs.get("rule", bound_rule.label))} | resampler.facts
    result.attrs |= {"n_draws": n_draws, "delta": float(delta)}
    return result


def _resample(
    systems: pd.Index, resampler: Resampler, rule: BoundRule, n: int, rng: np.random.Generator
) -> tuple[Ints, Floats]:
    """Compute ranks and shares of the win in resamples, as cheaply as the rule allows."""
    draws, added = resampler.draws, resampler.find_means(rule)
    if draws is None or (added is None and not _needs_pairs_only(rule)):
        return _rank_resamples(systems, rule, resampler.resamples(n, rng), n)
    shown = partial(progress_bar, total=arrays.n_blocks(draws.strata), desc="bootstrap")
    if added is not None:
        contributions, (largest, sizes) = added
        same = deepcopy(rng)
        means = arrays.resampled_means(contributions, shown(draws.draw(n, rng)), n)
        ranks = arrays.ranks_of_means(means, largest, sizes, lambda: draws.draw(n, same))
        return ranks, arrays.win_shares(means, ranks)
    options = {key: value for key, value in rule.options.items() if key not in _SCORE_OPTIONS}
    pairs = resampler.count_pairs(shown(draws.draw(n, rng, np.float32)), n)
    if rule.registered is not None and rule.registered.family == "model":
        # A model then fails on the resample, and names the system without a score.
        pairs = ((counts, np.ones_like(scored)) for counts, scored in pairs)
    resamples = (
        Comparisons.from_counts(systems[scored], counts.select_systems(scored))
        for counts, scored in pairs
    )
    return _rank_resamples(systems, replace(rule, options=options), resamples, n)


def _needs_pairs_only(rule: BoundRule) -> bool:
    """Return whether the rule needs only the pairwise counts of a resample."""
    if rule.registered is None or rule.registered.requires != {"pairs"}:
        return False
    missing, levels = rule.arguments.get("missing"), rule.arguments.get("levels", 1)
    return missing in ("ignore", "raise") and levels == 1


def _rank_resamples(
    systems: pd.Index, rule: BoundRule, resamples: Iterable[Votes], n: int
) -> tuple[Ints, Floats]:
    """Compute ranks and shares of the win in each resample on which the rule succeeds."""
    ranks, wins = [], []
    refused: list[Exception] = []
    place = {system: position for position, system in enumerate(systems)}
    for votes in progress_bar(resamples, total=n, desc="bootstrap"):
        try:
            ranked, winners = rule.rank_and_elect(votes)
        except (ValueError, RuntimeError) as error:
            refused.append(error)
            continue
        ranks.append(ranks_of_all_systems(ranked, systems))
        won = np.zeros(len(systems))
        won[[place[system] for system in winners]] = 1 / max(len(winners), 1)
        wins.append(won)
    if not ranks:
        raise ValueError(f"bootstrap: the rule refuses every resample: {refused[0]}")
    if refused:
        warn_user(
            f"bootstrap: {len(refused)} of {n} resamples are left out, since the rule refuses "
            f"them, the first because: {refused[0]}",
            RuleRefusedWarning,
        )
    return np.column_stack(ranks), np.column_stack(wins)
