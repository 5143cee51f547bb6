"""Which systems may be the best?"""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import pandas as pd

from nbrank.rules.bound_rule import parse_votes_and_rule
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.cell_errors import drop_errors
from nbrank.uncertainty.rank_sets import pair_tests_of_votes
from nbrank.uncertainty.sampling_design import DELTA, DRAWS, DrawnUnit, DrawOptions, UnitKind
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions
from nbrank.votes.user_warnings import warn_user


@register_method("how sure it is", sees="pairs")
def best_set(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    delta: float = DELTA,
    over: DrawnUnit | None = None,
    errors: pd.DataFrame | None = None,
    draws: UnitKind | None = None,
    cluster: Clusters = None,
    seed: int | None = 0,
    n_draws: int = DRAWS,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Which systems may be the best, given that the tasks are only some of those there could be?

    Each system that is truly best is in the set with probability at least 1 - delta. "Best" refers
    to the rule on ever more tasks (or instances) like these, with scores missing as they are here.
    A system is surely first if and only if it is alone in the set.

    Each system is compared with all others at once, one-sided (Gupta, 1956; Hsu, 1981): how far
    does the one that is most clearly ahead of it lead, and how often would any lead it as far if it
    were best? The tests are those of `rank_confidence`. They cover fewer pairs here, so the set is
    smaller than the set of systems that may have rank 1 there.

    The tests turn the signs of whole tasks, which assumes that errors are as likely to point one
    way as the other. By the mean of skewed scores they leave out too often a best system that owes
    its mean to a few big wins. A test of skewness with the same signs looks for that. If it finds
    some, on 14 to 150 tasks (or other units), the studentized bootstrap (Hall, 1988) compares
    those that signs leave out with those that they leave in, and a system is left out only if both
    leave it out. The set then keeps its promise, and may hold systems whose rank set, by signs
    alone, does not reach rank 1. On fewer tasks, a warning says that it may not keep it
    (docs/coverage_best.md). Big wins of one system only can't be told from chance. Rules on ranks,
    such as Borda's, have no such tails.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule
        The name of a rule, or its function (also with arguments, by
        `functools.partial`): one that is a mean over tasks or instances, or
        "bradley_terry", the only one of comparisons. None takes "borda", or for comparisons
        "bradley_terry"; `.attrs["rule"]` says which.
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
    delta
        A system is left out if its p-value is at most this.
    over
        The units that are drawn: "tasks", and with them whole groups if the table has any, since
        two metrics of one task are not two draws; "instances", each within its task; "errors", the
        errors of single cells (`errors`), if these tasks are the only ones of interest; "seeds",
        the same if the rows are runs (levels `system` and `seed`, `run`, `fold` or `repeat`); or
        "both", tasks as well as seeds or errors. None takes "errors" if they are given, "both" for
        runs, and instances if the rows have any. "both" sees errors only as they fell on these
        tasks, so with few tasks it can be narrower than "seeds", by chance.
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
    seed
        The seed of the draws; None takes a fresh one.
    n_draws
        The number of draws behind the p-values. All ways to turn the signs are tried where there
        are at most twice as many: up to 14 tasks at 10,000 draws.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            1 for the best; tied systems share the smallest.
        p_value
            How likely others would lead the system by as much, if it were one of the best; 1 for
            the first, and at least one over the number of draws.
        best
            Whether the system may be best: the p-value is above delta.

        Systems without a single score are left out, and a warning names them. `.attrs` says what
        was drawn (`over`), how many there are (`n`), where they are too few to leave any system
        out, how many it takes (`note`), that both tests are asked of skewed scores (`tests`), and
        where they are too few for that, `skewed`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the rule has no such sets; the message names the nearest that has.

    References
    ----------
    Gupta, On a Decision Rule for a Problem in Ranking Means, 1956; Hsu, Simultaneous Confidence
    Intervals for All Distances from the "Best", 1981; Canay, Romano and Shaikh, Randomization Tests
    under an Approximate Symmetry Assumption, 2017; Hall, Theoretical Comparison of Bootstrap
    Confidence Intervals, 1988.

    Examples
    --------
    Of the 32 ways to turn the signs of five tasks, one has A lead by as much as it does.

    >>> import pandas as pd
    >>> scores = pd.DataFrame([[9, 8, 9, 9, 8], [5, 6, 4, 6, 5]], index=["A", "B"])
    >>> best_set(scores, "mean")
       rank  p_value   best
    A     1  1.00000   True
    B     2  0.03125  False
    """
    drawn = DrawOptions("best_set", over, errors, draws, cluster, seed, n_draws)
    drawn.check_level(delta)
    whole, bound = parse_votes_and_rule("best_set", scores, rule, "", cluster, **options)
    votes = whole.drop_unscored()
    drawn = replace(drawn, errors=drop_errors(errors, whole.unscored))
    if votes is not whole:
        left_out = format_labels(whole.unscored)
        warn_user(f"best_set: left out, without a single score: {left_out}")
    result = pair_tests_of_votes(votes, bound, drawn).best_frame(delta)
    if "skewed" in result.attrs:
        warn_user(
            f"best_set: {result.attrs['skewed']}: the set may leave out a best system more often "
            f"than delta={delta} says; the set by 'borda' does not"
        )
    return result
