"""Strengths from paired comparisons: Bradley-Terry, Davidson and Elo."""

from __future__ import annotations

import math
from typing import Any, NoReturn, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import paired_comparison_models as arrays
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import Missing
from nbrank.arrays.covariate_models import CovariateFit
from nbrank.arrays.typing import Floats
from nbrank.rules.covariates import fit_with_covariates
from nbrank.rules.ranking import build_ranking
from nbrank.rules.rating_scale import Anchor, check_greater, rating_transform
from nbrank.rules.registry import register_rule
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import VotesLike, as_votes, unwarned_votes
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest, validate_number
from nbrank.votes.user_warnings import warn_user


@register_rule(
    "model",
    requires="pairs",
    source="Bradley and Terry 1952",
    score_description="the strength that would explain how often it wins",
    ties="half a win for each",
    # On complete tables it orders as Borda does, wherever the strengths are finite.
    holds="transitivity anonymity unanimity monotonicity reinforcement condorcet_loser",
    format_score="{:.2f}".format,
)
def bradley_terry(
    scores: VotesLike,
    *,
    prior: float = 0.0,
    advantage: bool = False,
    covariates: pd.DataFrame | pd.Series | None = None,
    scale: float = 1.0,
    base: float = math.e,
    anchor: Anchor = None,
    missing: Missing = "ignore",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How strong must the systems be, for each to win as often as it does?

    The model of Bradley and Terry: a system of log-strength s beats one of log-strength t with
    probability 1 / (1 + exp(t - s)); a tie is half a win for each. On a leaderboard every task (or
    instance) compares all pairs of systems that have a score on it.

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
    prior
        How many further comparisons of weight 1 each system is given, with one average opponent for
        all, half of them won: `prior=2` is the logistic prior of Newman (2023). With 0 a system
        that never lost or never won, and groups that never met, have no finite strength and are
        refused. With a prior that opponent is all that links groups that never met.
    advantage
        Whether the left side may have an advantage whoever it is, such as being
        first, or at home; it is then estimated. For comparisons only.
    covariates
        What else may decide, such as longer answers; for comparisons only. A frame has a row for
        each comparison and a column for each covariate: how much more of it the left side had. Its
        rows are aligned by their labels with those of the frame that `from_comparisons` read; an
        array has them in that order. Strengths are then those without it (a logistic regression,
        as Chatbot Arena's style control).
    scale, base
        The points between systems whose odds are `base` to 1: 400 and 10 are those of
        Elo's ratings. By default the score is the log-strength.
    anchor
        A mapping from one system to its rating, such as `{"A": 1000}`, or the mean of
        all ratings; None is a mean of 0.
    missing
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The log-strength, of mean 0, or the rating. `.attrs["converged"]` says whether
            the likelihood's maximum was reached, `.attrs["advantage"]` the left's log-odds
            between equals, and `.attrs["coefficients"]` what one more of each covariate (in
            `.attrs["covariates"]`) adds to them.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if a system was never compared, never lost or tied, or never won
        or tied, or if groups of systems never met, unless there is a prior.

    References
    ----------
    Bradley and Terry, Rank analysis of incomplete block designs, 1952; Ford, Solution of a ranking
    problem from binary comparisons, 1957; Newman, Efficient computation of rankings from pairwise
    comparisons, 2023; Davidson and Beaver, On extending the Bradley-Terry model to incorporate
    within-pair order effects, 1977 (the advantage of a side).

    Examples
    --------
    A beat B three times out of four: log-strengths log(3) apart.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 0], "t2": [1, 0], "t3": [1, 0], "t4": [0, 1]}, ["A", "B"])
    >>> bradley_terry(scores)
       rank     score
    A     1  0.549306
    B     2 -0.549306
    >>> bradley_terry(scores, scale=400, base=10, anchor={"B": 1000}).round(1)
       rank   score
    A     1  1190.8
    B     2  1000.0
    """
    votes = unwarned_votes(scores, **table)
    strengths, facts, _ = fit_strengths(
        "bradley_terry", votes, prior, advantage, covariates, missing
    )
    slope, origin = rating_transform("bradley_terry", votes.systems, strengths, scale, base, anchor)
    ratings = slope * strengths + origin
    tied = slope * tie_scale(strengths)
    return build_ranking(votes.systems, ratings, "bradley_terry", facts, scale=tied)


def fit_strengths(
    function: str,
    votes: Votes,
    prior: float,
    advantage: bool,
    covariates: pd.DataFrame | pd.Series | None,
    missing: Missing = "ignore",
) -> tuple[Floats, dict[str, Any], CovariateFit | None]:
    """Fit Bradley and Terry's model: log-strengths, facts, and the fit by rows where it takes one.

    Pairs are enough, unless something else decides, too, or a win is shared.
    """
    counts = count_model_pairs(function, votes, prior, missing)
    if advantage or covariates is not None or votes.has_shared_wins:
        rows, facts = fit_with_covariates(votes, prior, advantage, covariates)
        return rows.strengths, facts, rows
    fit = warn_unless_converged(function, arrays.bradley_terry(counts, prior))
    return fit.strengths, {"converged": fit.converged}, None


def tie_scale(strengths: Floats) -> Floats:
    """Return the scale on which log-strengths are compared: at least 1, also if all are near 0."""
    return np.maximum(1.0, np.abs(strengths))


@register_rule(
    "model",
    requires="pairs",
    source="Davidson 1970",
    score_description="the strength that would explain how often it wins and ties",
    ties="an outcome of their own",
    # On complete tables it orders as Borda does, wherever the strengths are finite.
    holds="transitivity anonymity unanimity monotonicity reinforcement condorcet_loser",
    format_score="{:.2f}".format,
)
def davidson(
    scores: VotesLike,
    *,
    prior: float = 0.0,
    missing: Missing = "ignore",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How strong must the systems be, for each to win, and to tie, as often as it does?

    The model of Davidson: systems of log-strengths s and t win, lose and tie with probabilities as
    exp((s - t) / 2) to exp((t - s) / 2) to nu, so that equal systems tie most.

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
    prior
        As for `bradley_terry`: further comparisons of each system with an
        average opponent, half of them won, none tied.
    missing
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The log-strength, of mean 0. `.attrs["converged"]` says whether the
            likelihood's maximum was reached, `.attrs["tie_parameter"]` is nu.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if strengths are infinite or undetermined, as for `bradley_terry`, or if nu is.

    References
    ----------
    Davidson, On extending the Bradley-Terry model to accommodate ties in paired comparison
    experiments, 1970.

    Examples
    --------
    A won four times and lost once, and there were four ties.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[1, 1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1, 1]], ["A", "B"]
    ... )
    >>> ranking = davidson(scores)
    >>> ranking
       rank     score
    A     1  0.693147
    B     2 -0.693147
    >>> round(ranking.attrs["tie_parameter"], 6)
    2.0
    """
    votes = unwarned_votes(scores, **table)
    systems, counts = votes.systems, count_model_pairs("davidson", votes, prior, missing)
    if counts.ties.any() and not counts.wins.any():
        raise ValueError("davidson: every comparison is a tie, so the tie parameter is infinite")
    if prior == 0 and arrays.has_infinite_tie_parameter(counts):
        raise ValueError(
            "davidson: the tie parameter is infinite, since on no cycle of systems do wins "
            "outnumber ties; use bradley_terry, where a tie is half a win, or give a prior, "
            "such as prior=1"
        )
    fit = warn_unless_converged("davidson", arrays.davidson(counts, prior))
    facts = {"converged": fit.converged, "tie_parameter": fit.tie_parameter}
    return build_ranking(systems, fit.strengths, "davidson", facts, scale=tie_scale(fit.strengths))


@register_rule(
    "model",
    requires="sequence",
    source="Elo 1978",
    score_description="the rating after the last game",
    ties="half a win for each",
    holds="transitivity",
)
def elo(
    scores: Comparisons,
    *,
    k: float = 4.0,
    base: float = 10.0,
    scale: float = 400.0,
    initial: float = 1000.0,
) -> pd.DataFrame:
    """Where do the ratings stand after the comparisons, taken one by one in their order?

    After each comparison the two systems exchange k times its weight times (outcome - expected
    outcome) points, a tie being an outcome of 1/2. The expected outcome of a system is 1 / (1 +
    base ** ((opponent's rating - own rating) / scale)). The order of the rows matters;
    `bradley_terry` is the estimate that does not depend on it.

    Parameters
    ----------
    scores
        Comparisons, from `from_comparisons`.
    k
        The points at stake in a comparison of weight 1.
    base
        The odds between systems that are `scale` points apart.
    scale
        The points between systems whose odds are `base` to 1.
    initial
        The rating of every system before the first comparison.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns below; `.attrs["rule"]` names the rule.

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The rating, in points; their mean stays at `initial`.

    Raises
    ------
    TypeError
        If these are not comparisons: a leaderboard has no order in time.
    ValueError
        If a row stands for several comparisons, whose order is not known, or
        a parameter is not a positive number (`base` above 1).

    References
    ----------
    Elo, The Rating of Chessplayers, Past and Present, 1978.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank import from_comparisons
    >>> battles = pd.DataFrame({"left": ["A", "A"], "right": ["B", "B"], "winner": ["A", "tie"]})
    >>> comparisons = from_comparisons(battles, left="left", right="right", winner="winner")
    >>> elo(comparisons, k=32).round(3)
       rank    score
    A     1  1014.53
    B     2   985.47
    """
    comparisons = _comparisons_in_order(unwarned_votes(scores), scores)
    repeats = comparisons.outcomes.repeats
    if repeats is not None and (repeats != 1).any():
        raise ValueError(
            "elo: the rows were counted before (count=), so the order of the comparisons is "
            "not known; use bradley_terry"
        )
    check_greater("elo", k=(k, 0), base=(base, 1), scale=(scale, 0))
    if not math.isfinite(validate_number("elo", "initial", initial)):
        raise ValueError(f"elo: initial={initial!r}; it must be a finite number")
    systems = as_votes(comparisons).systems
    ratings = arrays.elo(comparisons.outcomes, len(systems), k, base, scale, initial)
    return build_ranking(systems, ratings, "elo", scale=np.abs(ratings))


def _refuse_without_order(_: Votes, scores: object, /) -> NoReturn:
    raise TypeError(
        f"elo: needs comparisons in the order in which they were made, "
        f"not {type(scores).__name__}; use nbrank.from_comparisons, "
        f"or bradley_terry, which needs no order"
    )


_comparisons_in_order = FunctionBySource(
    _refuse_without_order, lambda comparisons, _: comparisons, _refuse_without_order
)

#: Of a larger number floats can't hold the square.
_MAX_COMPARISONS = 1e100


def count_model_pairs(rule: str, votes: Votes, prior: float, missing: Missing) -> PairwiseCounts:
    """Check the prior, and return the pairs that a model is fitted to.

    Systems without a finite strength are refused; groups that only the prior links are warned of.
    """
    if not 0 <= validate_number(rule, "prior", prior) <= _MAX_COMPARISONS:
        raise ValueError(
            f"{rule}: prior={prior!r}; it must be a number from 0 to {_MAX_COMPARISONS:g}"
        )
    votes.check(ViewRequest.for_pairs(rule, len(votes.systems), missing))
    counts = votes.data.pairs(missing).data
    if prior == 0:
        _check_identifiable(rule, votes.systems, counts)
    elif not votes.silent:
        votes.emit_warnings(prior=True)
    return counts


def warn_unless_converged(rule: str, fit: arrays.ModelFit) -> arrays.ModelFit:
    """Return the fit, and warn if it did not converge."""
    if not fit.converged:
        warn_user(
            f"{rule}: not converged after {fit.iterations} steps; the numbers of comparisons may "
            f"be too unequal, and a prior, such as prior=1, may help",
            RuntimeWarning,
        )
    return fit


def _check_identifiable(rule: str, systems: pd.Index, counts: PairwiseCounts) -> None:
    """Name the systems to which the counts give no finite strength, if there are any."""
    obstacle = arrays.find_identifiability_issue(counts)
    if obstacle is None:
        return
    reasons = []
    if len(obstacle.never_compared):
        reasons.append(f"never compared: {format_labels(systems[obstacle.never_compared])}")
    if obstacle.disconnected:
        apart = " | ".join(format_labels(systems[group]) for group in obstacle.disconnected)
        reasons.append(f"groups that never met: {apart}")
    for groups, what in (
        (obstacle.unbeaten, "never beaten nor tied with"),
        (obstacle.winless, "never won nor tied"),
    ):
        # The rest seen from one system at fault is at fault too, and has no say.
        fewer = [group for group in groups if len(group) <= len(systems) / 2]
        listed = [
            format_labels(systems[group]) + (" (but by each other)" if len(group) > 1 else "")
            for group in fewer
        ]
        if listed:
            reasons.append(f"{what}: {', '.join(listed)}")
    raise ValueError(
        f"{rule}: some strengths are infinite or undetermined; {'; '.join(reasons)}. "
        f"Leave such systems out, or give a prior, such as prior=1"
    )
