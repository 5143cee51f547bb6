"""Strengths from paired comparisons: Bradley-Terry, Davidson and Elo, and how sure they are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import strengths as arrays
from nbrank.arrays.pairwise import PairwiseCounts
from nbrank.arrays.profile import Missing, competition_ranks
from nbrank.labelled.caller import warn_caller
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
    named,
)
from nbrank.labelled.options import check_choice, check_delta, whole_number
from nbrank.labelled.pairwise import counts_of
from nbrank.labelled.ranking import ranking
from nbrank.labelled.tally import Source, Tally

if TYPE_CHECKING:
    from nbrank.arrays.strength_uncertainty import Evidence

Method = Literal["sandwich", "bootstrap"]


@described
def bradley_terry(
    scores: Source,
    *,
    prior: float = 0.0,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
) -> pd.DataFrame:
    """How strong must the systems be, for each to win as often as it does?

    The model of Bradley and Terry: a system of log-strength s beats one of
    log-strength t with probability 1 / (1 + exp(t - s)); a tie is half a win
    for each. On a leaderboard every task (or instance) compares all pairs of
    systems that have a score on it.

    Parameters
    ----------
    {source}
    prior
        How many further comparisons of weight 1 each system is given, with
        one average opponent for all, half of them won: `prior=2` is the
        logistic prior of Newman (2023). With 0 a system that never lost or
        never won, and groups that never met, have no finite strength and are
        refused.
    {missing_pairs}

    Returns
    -------
    {ranking}
        score
            The log-strength, of mean 0. `.attrs["converged"]` says whether the
            likelihood's maximum was reached.

    Raises
    ------
    {errors}
        Also if a system was never compared, never lost or tied, or never won
        or tied, or if groups of systems never met, unless there is a prior.

    References
    ----------
    Bradley and Terry, Rank analysis of incomplete block designs, Biometrika,
    1952; Ford, Solution of a ranking problem from binary comparisons, American
    Mathematical Monthly, 1957; Newman, Efficient computation of rankings from
    pairwise comparisons, Journal of Machine Learning Research, 2023.

    Examples
    --------
    A beat B three times out of four: log-strengths log(3) apart.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 0], "t2": [1, 0], "t3": [1, 0], "t4": [0, 1]}, ["A", "B"])
    >>> bradley_terry(scores)
       rank     score
    A     1  0.549306
    B     2 -0.549306
    """
    systems, counts = _counts(
        "bradley_terry", scores, prior, weights, groups, lower_is_better, missing
    )
    fit = _fitted("bradley_terry", systems, counts, prior)
    facts = {"converged": fit.converged}
    # Log-strengths are compared on the scale of 1, also where all are about 0.
    return ranking(systems, fit.strengths, "bradley_terry", facts, scale=1.0)


@described
def davidson(
    scores: Source,
    *,
    prior: float = 0.0,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    missing: Missing = "ignore",
) -> pd.DataFrame:
    """How strong must the systems be, for each to win, and to tie, as often as it does?

    The model of Davidson: systems of log-strengths s and t win, lose and tie
    with probabilities as exp((s - t) / 2) to exp((t - s) / 2) to nu, so that
    equal systems tie most.

    Parameters
    ----------
    {source}
    prior
        As for `bradley_terry`: further comparisons of each system with an
        average opponent, half of them won, none tied.
    {missing_pairs}

    Returns
    -------
    {ranking}
        score
            The log-strength, of mean 0. `.attrs["converged"]` says whether the
            likelihood's maximum was reached, `.attrs["tie_parameter"]` is nu.

    Raises
    ------
    {errors}
        Also if strengths are infinite or undetermined, as for
        `bradley_terry`, or if nu is.

    References
    ----------
    Davidson, On extending the Bradley-Terry model to accommodate ties in
    paired comparison experiments, Journal of the American Statistical
    Association, 1970.

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
    systems, counts = _counts("davidson", scores, prior, weights, groups, lower_is_better, missing)
    if prior == 0:
        _refuse_obstacle("davidson", systems, counts)
    if not counts.wins.any():
        raise ValueError("davidson: every comparison is a tie, so the tie parameter is infinite")
    if prior == 0 and arrays.ties_explain_wins(counts):
        raise ValueError(
            "davidson: the tie parameter is infinite, since on no cycle of systems do wins "
            "outnumber ties; use bradley_terry, where a tie is half a win, or give a prior, "
            "such as prior=1"
        )
    fit = _converged("davidson", arrays.davidson(counts, prior))
    return ranking(
        systems,
        fit.strengths,
        "davidson",
        {"converged": fit.converged, "tie_parameter": fit.tie_parameter},
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

    After each comparison the two systems exchange k times its weight times
    (outcome - expected outcome) points, a tie being an outcome of 1/2. The
    expected outcome of a system is
    1 / (1 + base ** ((opponent's rating - own rating) / scale)). The order of
    the rows matters; `bradley_terry` is the estimate that does not depend on it.

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
        columns

        rank
            1 for the best; tied systems share the smallest (1, 2, 2, 4).
        score
            The rating, in points; their mean stays at `initial`.

    Raises
    ------
    TypeError
        If these are no comparisons: a leaderboard has no order in time.
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
    if not isinstance(scores, Comparisons):
        raise TypeError(
            f"elo: needs comparisons in the order in which they were made, "
            f"not {type(scores).__name__}; use nbrank.from_comparisons, "
            f"or bradley_terry, which needs no order"
        )
    repeats = scores.outcomes.repeats
    if repeats is not None and (repeats != 1).any():
        raise ValueError(
            "elo: the rows were counted before (count=), so the order of the comparisons is "
            "not known; use bradley_terry"
        )
    for name, value, above in (("k", k, 0), ("base", base, 1), ("scale", scale, 0)):
        if not (math.isfinite(value) and value > above):
            raise ValueError(f"elo: {name}={value!r}; it must be a number above {above}")
    ratings = arrays.elo(scores.outcomes, len(scores.systems), k, base, scale, initial)
    return ranking(scores.systems, ratings, "elo")


@described
def strengths(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    delta: float = 0.05,
    method: Method = "sandwich",
    n: int = 1000,
    seed: int | None = None,
    *,
    prior: float = 0.0,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How strong is each system by Bradley and Terry's model, and how sure is that?

    What is taken as independent: each comparison, or each cluster of
    comparisons where `from_comparisons` was given one; on a leaderboard each
    task, or each group of tasks where there are groups (two metrics of one
    task are not two draws); each instance for instance-level scores.

    Intervals at 95 % for five systems held a system's strength in 96.4 % (± 0.3) of
    the cases by the sandwich and 93.9 % (± 0.4) by the bootstrap on 8 tasks, in
    96.4 % (± 0.3) and 95.2 % (± 0.3) on 14, and in 95.6 % (± 0.3) and 94.7 % (± 0.3) on
    40. scripts/coverage_pairs.py measures this, with Monte-Carlo standard errors, and
    writes docs/coverage_pairs.md.

    Parameters
    ----------
    {uncounted}
    delta
        Each interval is meant to cover with probability 1 - delta, for its
        system alone.
    method
        "sandwich": strength plus and minus a quantile times the robust
        standard error, which holds for ties as half wins, for weights and
        clusters, and if the model fits only roughly. The quantile is the
        normal one, or with G clusters, tasks, groups or instances Student's
        with G - 1 degrees of freedom. "bootstrap": quantiles of refits to
        resamples (Rubin's Bayesian bootstrap: exponential weights). With G
        such units they are moved away from the estimate: by the root of
        (G + 1) / (G - 1), as the variance of resamples is short of that, and
        by the ratio of Student's quantile to the normal one.
    n
        The number of resamples of the bootstrap.
    seed
        The seed of the bootstrap.
    prior
        As for `bradley_terry`. These comparisons might have ended otherwise
        too, so a system that was hardly compared has a wide interval; that
        strengths are drawn together is not counted.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns

        rank
            The rank by strength.
        strength
            The log-strength, of mean 0.
        standard_error
            Its standard error.
        low, high
            The interval.

    Raises
    ------
    {errors}
        Also where `bradley_terry` does, or if there is only one cluster, task
        or instance.

    References
    ----------
    White, Maximum likelihood estimation of misspecified models, Econometrica,
    1982; Cameron and Miller, A practitioner's guide to cluster-robust
    inference, Journal of Human Resources, 2015; Rubin, The Bayesian bootstrap,
    Annals of Statistics, 1981.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank import from_comparisons
    >>> battles = pd.DataFrame(
    ...     {"left": "A", "right": "B", "winner": ["A", "B", "tie"], "count": [60, 30, 10]}
    ... )
    >>> comparisons = from_comparisons(
    ...     battles, left="left", right="right", winner="winner", count="count"
    ... )
    >>> strengths(comparisons).round(3)
       rank  strength  standard_error    low   high
    A     1      0.31           0.099  0.116  0.503
    B     2     -0.31           0.099 -0.503 -0.116
    """
    _check_interval("strengths", delta, method, n)
    estimate = _Estimate.of("strengths", scores, prior, weights, groups, lower_is_better)
    if method == "sandwich":
        error = np.sqrt(np.diag(estimate.covariance()))
        reach = estimate.quantile(delta) * error
        low, high = estimate.strengths - reach, estimate.strengths + reach
    else:
        resampled = estimate.resampled(n, seed)
        error = resampled.std(axis=1, ddof=1)
        low, high = estimate.ends(estimate.strengths, resampled, delta)
    ranks = competition_ranks(estimate.strengths)
    frame = pd.DataFrame(
        {
            "rank": ranks,
            "strength": estimate.strengths,
            "standard_error": error,
            "low": low,
            "high": high,
        },
        index=estimate.systems,
    ).iloc[np.argsort(ranks, kind="stable")]
    frame.attrs = {"rule": "bradley_terry", "method": method, "delta": delta}
    return frame


@described
def win_probabilities(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    delta: float = 0.05,
    method: Method = "sandwich",
    n: int = 1000,
    seed: int | None = None,
    *,
    prior: float = 0.0,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How likely is each system to win against each other, by Bradley and Terry's model?

    Parameters
    ----------
    {uncounted}
    delta
        Each interval is meant to cover with probability 1 - delta, for its
        pair alone.
    method, n, seed, prior
        As for `strengths`; the interval of the difference of two
        log-strengths is carried over to the probability.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair (the index levels `system` and `opponent`,
        in table order), with the columns

        probability
            That the system wins, a tie being half a win.
        low, high
            The interval.

    Raises
    ------
    {errors}
        Also where `strengths` does.

    References
    ----------
    Bradley and Terry, Rank analysis of incomplete block designs, Biometrika,
    1952.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank import from_comparisons
    >>> battles = pd.DataFrame({"left": "A", "right": "B", "winner": ["A", "B"], "count": [60, 40]})
    >>> comparisons = from_comparisons(
    ...     battles, left="left", right="right", winner="winner", count="count"
    ... )
    >>> win_probabilities(comparisons).round(3)
                     probability    low   high
    system opponent
    A      B                 0.6  0.501  0.691
    B      A                 0.4  0.309  0.499
    """
    _check_interval("win_probabilities", delta, method, n)
    estimate = _Estimate.of("win_probabilities", scores, prior, weights, groups, lower_is_better)
    difference = estimate.strengths[:, None] - estimate.strengths
    if method == "sandwich":
        covariance = estimate.covariance()
        variance = np.diag(covariance)
        squared = variance[:, None] + variance - 2 * covariance
        reach = estimate.quantile(delta) * np.sqrt(np.maximum(squared, 0.0))
        low, high = difference - reach, difference + reach
    else:
        resampled = estimate.resampled(n, seed)
        low, high = np.stack(
            [
                estimate.ends(lead, own - resampled, delta)
                for lead, own in zip(difference, resampled, strict=True)
            ],
            axis=1,
        )
    different = ~np.eye(len(estimate.systems), dtype=bool)
    system, opponent = np.nonzero(different)
    return pd.DataFrame(
        {
            name: 1 / (1 + np.exp(-values[different]))
            for name, values in (("probability", difference), ("low", low), ("high", high))
        },
        index=pd.MultiIndex.from_arrays(
            [estimate.systems[system], estimate.systems[opponent]], names=["system", "opponent"]
        ),
    )


def strength_covariance(
    scores: Source,
    *,
    prior: float = 0.0,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> tuple[pd.Index, NDArray[np.float64], NDArray[np.float64]]:
    """The systems, their Bradley-Terry log-strengths (mean 0) and the covariance of these.

    The covariance is the sandwich estimate of `strengths`, in table order;
    its rows sum to 0, as the strengths do.

    Parameters
    ----------
    scores, weights, groups, lower_is_better, prior
        As for `strengths`.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 0], "t2": [1, 0], "t3": [1, 0], "t4": [0, 1]}, ["A", "B"])
    >>> systems, estimates, covariance = strength_covariance(scores)
    >>> covariance.round(3).tolist()
    [[0.444, -0.444], [-0.444, 0.444]]
    """
    estimate = _Estimate.of("strength_covariance", scores, prior, weights, groups, lower_is_better)
    return estimate.systems, estimate.strengths, estimate.covariance()


@dataclass(frozen=True)
class _Estimate:
    """Fitted Bradley-Terry strengths, and the evidence that they come from."""

    systems: pd.Index
    evidence: Evidence
    strengths: NDArray[np.float64]
    prior: float

    @classmethod
    def of(
        cls,
        function: str,
        source: Source,
        prior: float,
        weights: Weights,
        groups: Groups,
        lower_is_better: LowerIsBetter,
    ) -> _Estimate:
        options = (weights, groups, lower_is_better)
        systems, counts = _counts(function, source, prior, *options, missing="ignore")
        fit = _fitted(function, systems, counts, prior)
        evidence = _evidence(source, counts, *options)
        if evidence.n_units < 2:
            raise ValueError(
                f"{function}: there is only one cluster, task (or group of tasks) or instance, "
                f"so nothing shows how much another would differ; give more"
            )
        return cls(systems, evidence, fit.strengths, prior)

    def covariance(self) -> NDArray[np.float64]:
        from nbrank.arrays.strength_uncertainty import sandwich

        return sandwich(self.evidence, self.strengths, self.prior)

    def quantile(self, delta: float) -> float:
        """How many standard errors an interval reaches to either side."""
        from scipy.special import ndtri, stdtrit

        units = self.evidence.n_units
        if math.isinf(units):
            return float(ndtri(1 - delta / 2))
        return float(stdtrit(units - 1, 1 - delta / 2))

    def resampled(self, n: int, seed: int | None) -> NDArray[np.float64]:
        """Systems x n: the strengths in each resample, spread as those of new units would be.

        Resamples of G units have the variance of a mean of them times (G - 1) / (G + 1),
        so they are moved away from the estimate.
        """
        from nbrank.arrays.strength_uncertainty import bootstrap

        rng = np.random.default_rng(seed)
        resampled = bootstrap(self.evidence, self.strengths, self.prior, n, rng)
        units = self.evidence.n_units
        if math.isinf(units):
            return resampled
        here = self.strengths[:, None]
        return here + (resampled - here) * math.sqrt((units + 1) / (units - 1))

    def ends(
        self, estimates: NDArray[np.float64], resampled: NDArray[np.float64], delta: float
    ) -> NDArray[np.float64]:
        """The resamples' quantiles, as much further out as Student's are than the normal ones."""
        from scipy.special import ndtri

        quantiles = np.quantile(resampled, [delta / 2, 1 - delta / 2], axis=1)
        wider = self.quantile(delta) / float(ndtri(1 - delta / 2))
        ends: NDArray[np.float64] = estimates + (quantiles - estimates) * wider
        return ends


def _evidence(
    source: Source,
    counts: PairwiseCounts,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
) -> Evidence:
    from nbrank.arrays.strength_uncertainty import (
        Ballots,
        ClusteredComparisons,
        IndependentComparisons,
    )

    if isinstance(source, Comparisons):
        if source.clusters is None:
            return IndependentComparisons(counts, source.squares)
        return ClusteredComparisons(counts, source.outcomes, source.clusters)
    if isinstance(source, Tally):
        raise TypeError(
            "how sure strengths are depends on which comparisons come from one instance, and a "
            "Tally has only their numbers left; give the frame of scores"
        )
    # Imported here, since the registry of rules stands between the two modules.
    from nbrank.labelled.contributions import Draws

    board = as_leaderboard(source, weights, groups, lower_is_better)
    drawn = Draws.of(board, "instances" if board.is_instance_level else "tasks")
    return Ballots(counts, board.profile(), drawn.unit_of)


def _counts(
    rule: str,
    source: Source,
    prior: float,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
    missing: Missing,
) -> tuple[pd.Index, PairwiseCounts]:
    if not (math.isfinite(prior) and prior >= 0):
        raise ValueError(f"{rule}: prior={prior!r}; it must be a number, 0 or above")
    systems, counts, _ = counts_of(
        source,
        rule=rule,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        missing=missing,
    )
    return systems, counts


def _fitted(rule: str, systems: pd.Index, counts: PairwiseCounts, prior: float) -> arrays.Fit:
    if prior == 0:
        _refuse_obstacle(rule, systems, counts)
    return _converged(rule, arrays.bradley_terry(counts, prior))


def _converged(rule: str, fit: arrays.Fit) -> arrays.Fit:
    if not fit.converged:
        warn_caller(
            f"{rule}: not converged after {fit.iterations} steps; the numbers of comparisons may "
            f"be too unequal, and a prior, such as prior=1, may help",
            RuntimeWarning,
        )
    return fit


def _refuse_obstacle(rule: str, systems: pd.Index, counts: PairwiseCounts) -> None:
    """Name the systems to which the counts give no finite strength, if there are any."""
    obstacle = arrays.find_obstacle(counts)
    if obstacle is None:
        return
    reasons = []
    if len(obstacle.never_compared):
        reasons.append(f"never compared: {named(systems[obstacle.never_compared])}")
    if obstacle.apart:
        apart = " | ".join(named(systems[group]) for group in obstacle.apart)
        reasons.append(f"groups that never met: {apart}")
    for groups, what in (
        (obstacle.unbeaten, "never beaten nor tied with"),
        (obstacle.winless, "never won nor tied"),
    ):
        # The rest seen from one system at fault is at fault too, and says nothing.
        fewer = [group for group in groups if len(group) <= len(systems) / 2]
        listed = [
            named(systems[group]) + (" (but by each other)" if len(group) > 1 else "")
            for group in fewer
        ]
        if listed:
            reasons.append(f"{what}: {', '.join(listed)}")
    raise ValueError(
        f"{rule}: some strengths are infinite or undetermined; {'; '.join(reasons)}. "
        f"Leave such systems out, or give a prior, such as prior=1"
    )


def _check_interval(function: str, delta: float, method: str, n: int) -> None:
    check_delta(function, delta)
    check_choice(function, "method", method, ("sandwich", "bootstrap"))
    whole_number(function, "n", n)
    if method == "bootstrap" and n * delta < 2:
        raise ValueError(
            f"{function}: {n} resamples can't show an interval at delta={delta!r}; take at least "
            f"n={math.ceil(2 / delta)}, better 1000"
        )
