"""How do the ranks spread if the tasks, or the instances, are drawn again?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import bootstrap as arrays
from nbrank.arrays.comparisons import Outcomes
from nbrank.arrays.contributions import Contributions
from nbrank.arrays.pairwise import PairwiseCounts
from nbrank.labelled.caller import warn_caller
from nbrank.labelled.compare import RuleRefusedWarning
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.contributions import (
    Draws,
    Over,
    arguments_of,
    check_over,
    contributions_of,
)
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
)
from nbrank.labelled.options import check_delta, whole_number
from nbrank.labelled.progress import progress
from nbrank.labelled.registry import Rule, RuleLike, called, outcome, rule_of, unwrapped

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
Item = TypeVar("Item")

#: How often units are drawn is kept for so many units and resamples at a time.
_CELLS = 2**24
#: Options of a rule that have no meaning once the pairs are counted.
_OF_SCORES = ("missing", "levels")


@described
def bootstrap(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    over: Over = "tasks",
    n: int = 1000,
    seed: int | None = None,
    *,
    delta: float = 0.05,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    **options: Any,
) -> pd.DataFrame:
    """How far do the ranks spread if the tasks, or the instances, are drawn again?

    As many tasks as there are, drawn with replacement, are ranked anew, again and
    again. This shows how much the ranking hangs on single tasks. It is not a
    confidence set, and claims no coverage: where systems are close, ranks in
    resamples scatter about the observed rank and not about the true one: with 20
    close systems on 14 tasks, the intervals of Borda's rule at a nominal 95 % held
    the true ranks of all systems at once in 6 % of 1,000 simulated tables. Use
    `rank_confidence` to say what the true ranks may be.

    Parameters
    ----------
    {board}
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
    over
        "tasks" draws tasks, each with its weight and all its instances; where
        there are groups it draws whole groups, since two metrics of one task
        are not two draws. "instances" draws the instances of each task, as
        many as it has.
    n
        The number of resamples.
    seed
        The seed of the draws; None takes a fresh one.
    delta
        The share of the resamples that is left out of `low` and `high`, half
        at each end.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns

        rank
            The rank on the table as it is.
        low, high
            The range of its ranks in the resamples, without delta / 2 of them
            at each end.
        p_best
            The share of the resamples in which it wins. Tied winners share a
            resample equally; one that the rule leaves without a winner counts
            for nobody.

    Raises
    ------
    {errors}
        Also if there is a single task (or group) to draw from, or if the rule
        refuses the table, or every resample.

    Warns
    -----
    RuleRefusedWarning
        If the rule refuses some of the resamples, which are then left out.

    References
    ----------
    Efron, Bootstrap Methods: Another Look at the Jackknife, Annals of
    Statistics, 1979. Why it fails for ranks: Mogstad, Romano, Shaikh and
    Wilhelm, Inference for Ranks, Review of Economic Studies, 2024.

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
    n = whole_number("bootstrap", "n", n)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    check_over(board, over, "bootstrap")
    draws = Draws.of(board, over)
    if draws.n_units < 2:
        raise ValueError(
            f"bootstrap: there is one of the {draws.what} only, so all resamples are the same; "
            + ("draw over='instances'" if board.is_instance_level else "add more")
        )
    rule, options = unwrapped(rule, options)
    ranked = partial(called(rule), **options)(board)
    rng = np.random.default_rng(seed)
    contributions = _additive(board, rule_of(rule), options, draws)
    if contributions is not None:
        n_blocks = arrays.n_blocks(draws.strata)
        drawn = progress(arrays.draws(draws.strata, n, rng), total=n_blocks, desc="bootstrap")
        means = arrays.resampled_means(contributions, drawn, n)
        ranks = arrays.ranks_of(means)
        wins = arrays.winners_of(means, ranks)
    elif _counts_suffice(rule_of(rule), options):
        ranks, wins = _by_counts(board, partial(called(rule), **options), draws, n, rng)
    else:
        sources = _resamples(board, draws, n, rng)
        ranks, wins = _each(board.systems, partial(called(rule), **options), sources, n)
    spread = arrays.spread(ranks, wins, delta)
    position = board.systems.get_indexer(ranked.index)
    result = pd.DataFrame(
        {
            "rank": ranked["rank"],
            "low": spread.low[position],
            "high": spread.high[position],
            "p_best": spread.p_best[position],
        },
        index=ranked.index,
    )
    result.attrs = {
        "rule": str(ranked.attrs.get("rule", getattr(rule, "__name__", "rule"))),
        "over": draws.what,
        "n": ranks.shape[1],
        "delta": delta,
    }
    return result


def _additive(
    board: Leaderboard, rule: Rule | None, options: Mapping[str, Any], draws: Draws
) -> Contributions | None:
    """What each draw adds, where adding it up gives the ranks of any resample; else None."""
    if rule is None or not rule.additive:
        return None
    if np.isnan(board.values[:, board.counted]).any():
        arguments = arguments_of(rule, options)
        of_points = "ties" in arguments
        if arguments["missing"] not in ("compatible", *(() if of_points else ("ignore",))):
            # A system that is left without a score in a resample would keep its points.
            return None
        if rule.name == "mean" and arguments["levels"] == 2 and draws.what == "instances":
            # How many scores a task's mean is over changes from resample to resample.
            return None
    return contributions_of(board, rule, options, draws)


def _counts_suffice(rule: Rule | None, options: Mapping[str, Any]) -> bool:
    """Whether the pairwise counts of a resample are all that the rule looks at."""
    if rule is None or not (rule.comparisons and rule.leaderboards) or rule.additive:
        return False
    if rule.family == "consensus":
        # Among equally good orders it goes by Borda's ranking of the ballots.
        return False
    arguments = arguments_of(rule, options)
    return arguments.get("missing") in ("ignore", "raise") and arguments.get("levels") == 1


def _by_counts(
    board: Leaderboard,
    rule: partial[pd.DataFrame],
    draws: Draws,
    n: int,
    rng: np.random.Generator,
) -> tuple[Ranks, Floats]:
    """Ranks by a rule that needs only pairwise counts, which are added up for all resamples."""
    options = {key: value for key, value in rule.keywords.items() if key not in _OF_SCORES}
    sources = (
        _counted(board.systems, counts, scored)
        for counts, scored in arrays.resampled_counts(
            board.profile(), draws.unit_of, arrays.draws(draws.strata, n, rng), n
        )
    )
    return _each(board.systems, partial(rule.func, **options), sources, n)


def _counted(systems: pd.Index, counts: PairwiseCounts, scored: NDArray[np.bool_]) -> Comparisons:
    """Counts as a rule takes them, of the systems with a score."""
    nothing = np.zeros(0, dtype=np.int32)
    outcomes = Outcomes(nothing, nothing, nothing.astype(np.int8))
    counts = counts.of(scored)
    return Comparisons(systems[scored], outcomes, counts, counts)


def _resamples(
    board: Leaderboard, draws: Draws, n: int, rng: np.random.Generator
) -> Iterator[Leaderboard]:
    """Leaderboards in which each task (or instance) counts as often as it is drawn."""
    columns = np.flatnonzero(board.counted)
    size = max(1, _CELLS // draws.n_units)
    for start in range(0, n, size):
        counts = np.empty((draws.n_units, min(size, n - start)), dtype=np.intp)
        for one in arrays.draws(draws.strata, counts.shape[1], rng):
            counts[one.units] = one.counts
        for times in counts.T:
            if draws.what == "instances":
                values = board.values.copy()
                # A task gives as many instances as it has, so each takes a place of its own task.
                values[:, columns] = board.values[:, np.repeat(columns, times)]
                yield board.with_values(values)
            else:
                drawn = np.zeros(len(board.tasks))
                drawn[board.column_task[columns]] = times[draws.unit_of]
                # By position: a task may have the name of a group.
                yield board.with_task_weights(board.weights * drawn)


def _each(
    systems: pd.Index,
    rule: partial[pd.DataFrame],
    sources: Iterable[Leaderboard | Comparisons],
    n: int,
) -> tuple[Ranks, Floats]:
    """Ranks, and shares of the win, of all systems in each resample that the rule takes."""
    ranks, wins = [], []
    refused: list[Exception] = []
    for source in progress(sources, total=n, desc="bootstrap"):
        try:
            ranked, winners = outcome(rule, source)
        except (ValueError, RuntimeError) as error:
            refused.append(error)
            continue
        # Systems without a score in this resample are last, behind all that have one.
        rank = ranked["rank"].reindex(systems, fill_value=len(ranked) + 1)
        ranks.append(rank.to_numpy(dtype=np.int64))
        first = set(winners)
        wins.append(np.array([system in first for system in systems]) / max(len(first), 1))
    if not ranks:
        raise ValueError(f"bootstrap: the rule refuses every resample: {refused[0]}")
    if refused:
        warn_caller(
            f"bootstrap: {len(refused)} of {n} resamples are left out, since the rule refuses "
            f"them, the first because: {refused[0]}",
            RuleRefusedWarning,
        )
    return np.column_stack(ranks), np.column_stack(wins)
