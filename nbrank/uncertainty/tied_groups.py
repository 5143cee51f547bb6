"""Which pairs of systems differ significantly, and which groups of them don't?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Positions
from nbrank.arrays.uncertainty import rank_confidence_sets as arrays
from nbrank.arrays.uncertainty.clique_covers import clique_cover
from nbrank.rules.ranking import stable_sort
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.rank_sets import pair_tests
from nbrank.uncertainty.sampling_design import DELTA, DRAWS, DrawnUnit, DrawOptions, UnitKind
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.required_arguments import find_default_rule, with_call
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions


@register_method("how sure it is", sees="pairs")
@with_call("nbrank.tie_groups(scores, rule='borda')")
def tie_groups(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    delta: float = DELTA,
    seed: int | None = 0,
    over: DrawnUnit | None = None,
    cluster: Clusters = None,
    n_draws: int = DRAWS,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Which systems can't be told apart?

    With scores, two systems share a group if and only if the tests behind `rank_confidence` don't
    separate them. A system may be in several groups, as in the bars of a critical difference
    diagram, and the number of groups is about as small as possible.

    Instead of scores, you may give what `rank_confidence` has returned. A group is then a largest
    set of systems that may all have the same rank, which is in all their confidence sets. Their
    pairs may still be significant: second place may be open to both, and first place to one of them
    only.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule, delta, seed, over, cluster, n_draws
        As for `rank_confidence`, for all systems at once.
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
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each group, best first, indexed 1, 2, ... by `group`, with the columns

        low, high
            The ranks that are in the confidence sets of all its systems; missing if the sets
            have no rank in common, which takes missing scores.
        systems
            The list of its systems, best first.

        `.attrs["of"]` is "pairs" or "rank sets"; the others are those of `rank_confidence`, with
        `joint` True for pairs.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also as for `rank_confidence`.

    Examples
    --------
    >>> import pandas as pd
    >>> sets = pd.DataFrame(
    ...     {"rank": [1, 2, 3, 4], "low": [1, 1, 3, 4], "high": [2, 3, 3, 4]}, index=list("ABCD")
    ... )
    >>> tie_groups(sets)
           low  high systems
    group
    1        1     2  [A, B]
    2        3     3  [B, C]
    3        4     4     [D]
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> tie_groups(scores, "borda")
           low  high systems
    group
    1        1     1     [A]
    2        2     3  [B, C]
    """
    if isinstance(scores, pd.DataFrame) and list(scores.columns) == ["rank", "low", "high"]:
        values = (rule, over, cluster, *options.values())
        usual = delta == DELTA and n_draws == DRAWS and seed == 0
        if any(option is not None for option in values) or not usual:
            raise TypeError(
                "tie_groups: this is a frame of rank_confidence, which has its rule and options; "
                "give it alone"
            )
        sets = stable_sort(scores, "rank")
        low, high = sets["low"].to_numpy(), sets["high"].to_numpy()
        return _groups(sets, arrays.maximal_cliques(low, high), "rank sets")
    if rule is None:
        raise TypeError(
            f"tie_groups needs a rule, as in tie_groups(scores, {find_default_rule(scores)!r}), or "
            "what rank_confidence has returned"
        )
    if "joint" in options:
        raise TypeError(
            "tie_groups: joint is not an option here, since a group is about all its systems at "
            "once; to read groups from sets that hold one by one, give it what "
            "rank_confidence(..., joint=False) returned"
        )
    draws = DrawOptions("tie_groups", over, cluster=cluster, seed=seed, n_draws=n_draws)
    draws.check_level(delta)
    tested = pair_tests(scores, rule, draws, **options)
    sets = tested.frame(delta, joint=True)
    at = tested.systems.get_indexer(sets.index)
    different = tested.different(delta)[np.ix_(at, at)]
    return _groups(sets, clique_cover(different), "pairs")


def _groups(sets: pd.DataFrame, groups: Sequence[Positions], of: str) -> pd.DataFrame:
    """Build a row for each group of rows, with the ranks that are in all its sets."""
    low, high = sets["low"].to_numpy(), sets["high"].to_numpy()
    columns = {
        "low": [low[own].max() for own in groups],
        "high": [high[own].min() for own in groups],
        "systems": [sets.index[own].tolist() for own in groups],
    }
    frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(groups) + 1, name="group"))
    disjoint = frame["low"] > frame["high"]
    if disjoint.any():
        for end in ("low", "high"):
            frame[end] = frame[end].astype("Int64").mask(disjoint)
    frame.attrs = {**sets.attrs, "of": of}
    return frame


@register_method("how sure it is", sees="pairs")
def significant_pairs(
    scores: VotesLike,
    rule: RuleLike,
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
    """Which systems are surely better than which others?

    The pairs that the tests behind `rank_confidence` separate. All pairs are tested at once, so
    any of these claims is wrong with probability at most delta. Their number is that of the worst
    ranks that the rank sets exclude, `(n - high).sum()` of n systems; many of them are pairs of
    systems whose sets overlap.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule
        As for `rank_confidence`.
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
        One minus the confidence.
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
        The number of draws behind the critical values.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each pair that is separated, the best systems first, with the columns

        better, worse
            The two systems.
        difference
            By how much the better one's score is higher, in the rule's unit.
        p_value
            The smallest delta that separates the pair, adjusted for all pairs of systems.

        `.attrs` are those of `rank_confidence`; `joint` is True, since all pairs are tested at
        once.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also as for `rank_confidence`.

    References
    ----------
    Romano and Wolf, Efficient Computation of Adjusted p-Values for Resampling-Based Stepdown
    Multiple Testing, 2016; and as for `rank_confidence`.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> significant_pairs(scores, "borda")
      better worse  difference   p_value
    0      A     B        12.0  0.015625
    1      A     C        12.0  0.015625
    """
    drawn = DrawOptions("significant_pairs", over, errors, draws, cluster, seed, n_draws)
    drawn.check_level(delta)
    tested = pair_tests(scores, rule, drawn, **options)
    better, worse, p_values = tested.tests.significant_pairs(delta)
    place = tested.ranked.index.get_indexer(tested.systems)
    order = np.lexsort([place[worse], place[better]])
    better, worse = better[order], worse[order]
    score = tested.ranked["score"].to_numpy(dtype=float)[place]
    frame = pd.DataFrame(
        {
            "better": tested.systems[better],
            "worse": tested.systems[worse],
            "difference": score[better] - score[worse],
            "p_value": p_values[order],
        }
    )
    frame.attrs = tested.frame(delta, joint=True).attrs
    return frame
