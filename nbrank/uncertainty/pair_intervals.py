"""How sure is it that one system beats another, and how many comparisons would make it so?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Unpack, get_args, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.uncertainty import win_rate_intervals as arrays
from nbrank.comparison.pairwise_wins import compared, pairwise, stack_pairs
from nbrank.rules.majority import make_pair_request
from nbrank.uncertainty import pair_samples as samples
from nbrank.votes.labeled_values import as_series
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, unwarned_votes
from nbrank.votes.method_registry import register_method
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import (
    check_choice,
    check_delta,
    make_rng,
    validate_integer,
    validate_number,
)

Interval = Literal["hoeffding", "wilson", "bootstrap", "sign"]


@register_method("how sure it is", sees="pairs")
def confidence(
    scores: VotesLike,
    *,
    delta: float = 0.05,
    method: Interval | None = None,
    adjust: Literal["holm"] | None = None,
    seed: int | None = 0,
    levels: int = 1,
    cluster: Clusters = None,
    n_draws: int = 4000,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How sure is it, pair by pair, that one system beats the other?

    The share is that of the tasks (or instances, or comparisons: "ballots") on which both systems
    were scored, and the interval is for the share that would be found on ever more of them.

    "sign" is the exact sign test (for instances scored 0 or 1, that of McNemar): tied ballots are
    left out of the test, and counted in `ties`. It holds for any number of ballots, and finds at
    least as many pairs as the others that do (docs/how_to/for_a_paper.md), above all where many are
    tied: of 400 instances on which one system alone was right on 30 and the other alone on 10,
    only "sign" and "bootstrap" separate the two. The interval for the share, ties being half,
    combines the exact ones (Clopper and Pearson) of the share of ballots without a tie and of the
    share won of these. A cluster of comparisons counts for the side that is ahead in it, and
    clusters of instances are refused. Weighted ballots count as their effective number, the squared
    sum of the weights over the sum of the squares.

    "wilson" takes clusters of instances, and is near 1 - delta on average over the shares; with few
    ballots it can fall below: of pairs of equally good systems it called 7.0 % (± 0.2) significant
    at 5 % on 8 tasks, and 4.0 % (± 0.2) on 20. "hoeffding" is the bound of the literature, and so
    wide that it separates no systems on few tasks. In both, ties count half a win, which makes them
    conservative.

    These take every task, or instance, as a draw of its own; of instances in clusters, the
    effective number is that of ballots as large as the clusters. "bootstrap" draws whole groups
    where a table of tasks has groups: use it where the tasks of a group depend on each other, such
    as two metrics of one task. It is the Bayesian bootstrap with half a win and half a loss added
    to each pair, read off a beta distribution. docs/coverage_pairs.md says how often all four hold.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
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
    method
        "sign", "wilson", "hoeffding", or "bootstrap", which needs the scores of the
        ballots: comparisons have none, and a `Tally` of instances neither. None takes "sign", and
        "wilson" of instances in clusters; `.attrs["method"]` says which.
    adjust
        None holds for each pair on its own. "holm" keeps the probability that any pair is called
        significant wrongly at delta: a pair's interval is then at the level at which Holm's
        procedure tests it, or at a smaller one, and the exact sign test has to agree. It does not
        claim that all intervals cover at once.
    seed
        The seed of the bootstrap's draws; None takes a fresh one.
    levels
        For instance-level scores: 1 takes the instances of all tasks, 2 the tasks, each won by the
        system that the majority of its instances favours.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.
    n_draws
        The number of draws of the bootstrap.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair, in table order; the index has the levels
        `system` and `opponent`. The columns are

        wins
            The share of the ballots with both on which the system beats the opponent, by
            weight, a tie being half; NaN for a pair that never met.
        n
            The number of ballots on which both were scored, whatever their weights.
        won, ties, lost
            Of `method="sign"`: the number of these ballots that the system wins, on which the two
            tie, and that it loses, whatever their weights.
        low, high
            The ends of the interval for that share; 0 and 1 for a pair that never met.
        p_value
            Of `method="sign"`: the two-sided p-value of the sign test; with `adjust="holm"`
            Holm's, for all pairs together.
        significant
            Whether the interval leaves out one half.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Hoeffding, Probability inequalities for sums of bounded random variables, 1963; Wilson, Probable
    inference, 1927; Rubin, The Bayesian bootstrap, 1981; Holm, A simple sequentially rejective
    multiple test procedure, 1979; Dixon and Mood, The statistical sign test, 1946; Clopper and
    Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, 1934.
    For leaderboards: Himmi, Irurozki, Noiry, Clémençon and Colombo, Towards more robust NLP system
    evaluation, 2024, whose equation 4 is one-sided.

    Examples
    --------
    >>> import pandas as pd
    >>> wins = {f"t{i}": [1, 0] for i in range(9)}
    >>> scores = pd.DataFrame({**wins, "t9": [0, 1]}, index=["A", "B"])
    >>> confidence(scores).round(3)
                     wins   n  won  ties  lost    low   high  p_value  significant
    system opponent
    A      B          0.9  10    9     0     1  0.538  0.997    0.021         True
    B      A          0.1  10    1     0     9  0.003  0.462    0.021         True
    >>> confidence(scores, method="wilson")[["low", "high"]].round(3).loc[("A", "B")].tolist()
    [0.596, 0.982]
    >>> items = pd.DataFrame(
    ...     {"correct": ([1] * 30 + [0] * 10 + [1] * 360) + ([0] * 30 + [1] * 10 + [1] * 360)},
    ...     index=pd.MultiIndex.from_product(
    ...         [["A", "B"], range(400)], names=["system", "instance"]
    ...     ),
    ... )
    >>> confidence(items, method="sign").round(3).head(1)
                      wins    n  won  ties  lost    low  high  p_value  significant
    system opponent
    A      B         0.525  400   30   360    10  0.506  0.55    0.002         True
    """
    check_delta("confidence", delta)
    check_choice("confidence", "method", method, (None, *get_args(Interval)))
    check_choice("confidence", "adjust", adjust, (None, "holm"))
    votes = unwarned_votes(scores, "", cluster, **table)
    votes, asked = make_pair_request("confidence", votes, ranks=False, levels=levels)
    if cluster is not None and levels == 2:
        raise ValueError(
            "confidence: cluster= says which instances are drawn together, and levels=2 draws "
            "tasks; choose levels=1, or say by groups= which tasks go together"
        )
    votes.check(asked)
    if method is None:
        clustered = votes.column_clusters is not None
        method = "wilson" if clustered or votes.has_shared_wins else "sign"
    ballots = samples.sample_majorities(votes) if levels == 2 else samples.sample_ballots(votes)
    n_draws = validate_integer("confidence", "n_draws", n_draws, minimum=2)
    holm = adjust == "holm"
    meetings = ballots.win_rates
    columns: dict[str, NDArray[Any]] = {"wins": meetings.win_rate, "n": meetings.n_comparisons}
    p_values: dict[str, NDArray[Any]] = {}
    if method == "sign":
        untied = ballots.untied()
        intervals = arrays.sign_intervals(meetings, untied, delta, holm=holm)
        won = np.rint(ballots.n_won()).astype(np.int64)
        ties = meetings.n_comparisons - untied.n_comparisons
        columns |= {"won": won, "ties": ties, "lost": won.T}
        p_values = {"p_value": arrays.sign_p_values(untied, adjust=holm)}
    elif method != "bootstrap":
        intervals = arrays.win_rate_intervals(meetings, delta, method, holm=holm)
    elif ballots.outcomes is None:
        raise ValueError(
            "confidence: method='bootstrap' needs the scores themselves; choose 'wilson', 'sign' "
            "or 'hoeffding' for counts and for comparisons (by their clusters, if given)"
        )
    else:
        rng, sizes = make_rng("confidence", seed), (len(votes.systems), ballots.n_units)
        wins = ballots.outcomes()
        intervals = arrays.bootstrap_intervals(wins, *sizes, delta, n_draws, rng, holm=holm)
    if "note" in ballots.facts:
        intervals = arrays.Intervals(np.zeros_like(intervals.low), np.ones_like(intervals.high))
    columns |= {"low": intervals.low, "high": intervals.high} | p_values
    columns["significant"] = intervals.significant
    frame = stack_pairs(votes.systems, columns)
    frame.attrs = {"delta": float(delta), "method": method} | ({"adjust": adjust} if adjust else {})
    frame.attrs |= dict(ballots.facts)
    return frame


@overload
def comparisons_needed(
    share: float,
    *,
    delta: float = ...,
    method: Literal["hoeffding", "wilson"] = ...,
    pairs: int = ...,
) -> int: ...


@overload
def comparisons_needed(
    share: pd.Series | Mapping[Any, float],
    *,
    delta: float = ...,
    method: Literal["hoeffding", "wilson"] = ...,
    pairs: int = ...,
) -> pd.Series: ...


def comparisons_needed(
    share: float | pd.Series | Mapping[Any, float],
    *,
    delta: float = 0.05,
    method: Literal["hoeffding", "wilson"] = "hoeffding",
    pairs: int = 1,
) -> int | pd.Series:
    """How many comparisons does it take until a system's lead over another is sure?

    The smallest number for which the interval around such a share excludes one half. The share
    observed with so few comparisons varies; about half the time it is less clear than `share`.

    Parameters
    ----------
    share
        The share won: a number, or a Series (or mapping), such as `confidence(scores)["wins"]`.
    delta
        One minus the confidence.
    method
        "hoeffding" or "wilson", as in `confidence`.
    pairs
        The number of pairs that are to hold at once; each is then tested at
        delta / pairs. `confidence` with `adjust="holm"` asks the sign test too,
        which takes up to `1 / |share - 1/2|` comparisons more than Wilson's.

    Returns
    -------
    int or pandas.Series
        The number of comparisons; in a Series, NA where no number is enough,
        since the share is one half or missing.

    Raises
    ------
    ValueError
        If a single share is one half, which no number of comparisons can tell
        from one half, or is not between 0 and 1.

    References
    ----------
    Himmi, Irurozki, Noiry, Clémençon and Colombo, Towards more robust NLP system evaluation, 2024,
    figure 4, whose bound is one-sided.

    Examples
    --------
    >>> comparisons_needed(0.6)
    185
    >>> comparisons_needed(0.6, method="wilson")
    97
    >>> comparisons_needed(0.6, pairs=190)
    447
    """
    check_delta("comparisons_needed", delta)
    check_choice("comparisons_needed", "method", method, ("hoeffding", "wilson"))
    pairs = validate_integer("comparisons_needed", "pairs", pairs)
    if not isinstance(share, Mapping) or share:
        share = as_series(share)
    if isinstance(share, pd.Series):
        shares = share.to_numpy(dtype=float, na_value=np.nan)
    else:
        share = validate_number("comparisons_needed", "share", share)
        shares = np.asarray(share)
    if ((shares < 0) | (shares > 1)).any():
        raise ValueError("comparisons_needed: a share must be between 0 and 1")
    needed = arrays.comparisons_needed(shares, delta, method, pairs)
    if isinstance(share, pd.Series):
        enough = pd.Series(needed, index=share.index, name="comparisons")
        return enough.where(np.isfinite(needed)).astype("Int64")
    if not np.isfinite(needed):
        raise ValueError(
            f"comparisons_needed: no number of comparisons tells a share of {share!r} from one half"
        )
    return int(needed)


@spell_out_options
def compatible_pairs(
    scores: pd.DataFrame | Leaderboard, *, delta: float = 0.01, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """Which pairs does the missing-scores paper call decided? No coverage is claimed.

    The share of the ballots on which one system beats the other is taken with missing scores filled
    in by compatible rankings (the paper's matrix M). The half width around it is the one-sided
    Hoeffding bound, sqrt(-log(delta) / (2 z)), where z is how often the two were really compared.
    It holds for the share of the real comparisons only; around one that is partly filled in, it can
    miss the true share almost always. The intervals of `nbrank.confidence` do cover.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    delta
        The paper's level; 0.01 in its figures 6 and 11.
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

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair, in table order; the index has the levels
        `system` and `opponent`. The columns are

        share
            The share of the ballots on which the system beats the opponent,
            missing scores filled in, a tie being half.
        n
            The number of ballots on which both were scored, whatever their weights.
        low
            The lower end of the interval, 0 for a pair that never met.
        decided
            Whether the lower end is above one half.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if delta is not between 0 and 1.

    References
    ----------
    Himmi, Irurozki, Noiry, Clémençon and Colombo, Towards more robust NLP system evaluation, 2024,
    equation 4 and figures 6 and 11.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2], "t2": [2, 1], "t3": [2, None]}, index=["A", "B"])
    >>> compatible_pairs(scores, delta=0.5).round(3)
                     share  n    low  decided
    system opponent
    A      B         0.833  2  0.417    False
    B      A         0.167  2  0.000    False
    """
    check_delta("compatible_pairs", delta)
    board = as_leaderboard(scores, **table)
    board = board.expand_voters(each=True)
    won = pairwise(board, missing="compatible").to_numpy()
    # The bound counts the ballots on which two systems met, whatever these weigh.
    present = board.with_task_weights((board.weights > 0).astype(float))
    met = compared(present).to_numpy()
    with np.errstate(divide="ignore", invalid="ignore"):
        share = won / (won + won.T)
        low = np.maximum(share - np.sqrt(-np.log(delta) / (2 * met)), 0.0)
    columns = {"share": share, "n": met.round().astype(int), "low": low, "decided": low > 0.5}
    return stack_pairs(board.systems, columns)
