"""Uncertainty of Bradley and Terry's strengths, and probabilities of winning."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.covariate_models import CovariateFit
from nbrank.arrays.typing import Floats
from nbrank.arrays.uncertainty import strength_covariance as arrays
from nbrank.comparison.pairwise_wins import stack_pairs
from nbrank.rules.paired_comparison import fit_strengths, tie_scale
from nbrank.rules.ranking import build_ranking, join_columns
from nbrank.rules.rating_scale import Anchor, rating_transform
from nbrank.uncertainty.sampling_design import clusters_drawn
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import VotesLike, unwarned_votes
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import check_choice, check_delta, make_rng, validate_integer

ErrorEstimate = Literal["sandwich", "bootstrap"]


@register_method("how sure it is", sees="units")
def strengths(
    scores: VotesLike,
    *,
    delta: float = 0.05,
    method: ErrorEstimate = "sandwich",
    n_draws: int = 1000,
    seed: int | None = 0,
    prior: float = 0.0,
    advantage: bool = False,
    covariates: pd.DataFrame | pd.Series | None = None,
    scale: float = 1.0,
    base: float = math.e,
    anchor: Anchor = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How strong is each system by Bradley and Terry's model, and how sure is that?

    Each comparison is taken as independent, or each cluster of comparisons where there are any; on
    a leaderboard each instance (or each cluster of them), else each group of tasks (two metrics of
    one task are not two draws), else each task. Intervals at 95 % for five systems on 8 tasks held
    a system's strength in 96.4 % (± 0.3) of the cases by the sandwich and 93.9 % (± 0.4) by the
    bootstrap (docs/coverage_pairs.md).

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
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
        One minus the probability with which each interval, alone, is meant to cover.
    method
        "sandwich" is the strength plus and minus a quantile times the robust standard error, which
        holds if the model fits only roughly. The quantile is the normal one, or with G clusters,
        tasks, groups or instances Student's, with G - 1 degrees of freedom, and fewer where some
        tell more of a system than others (Bell and McCaffrey, 2002). Where only one tells of a
        system, its interval is infinite. "bootstrap" takes quantiles of refits to resamples
        (Rubin's Bayesian bootstrap), moved out as far as new units vary more than resamples do.
    n_draws
        The number of resamples of the bootstrap.
    seed
        The seed of the bootstrap's draws; None takes a fresh one.
    prior
        As for `bradley_terry`; intervals don't count that it draws strengths together.
    advantage, covariates
        As for `bradley_terry`. The intervals, by "sandwich" only, then count that these effects
        are estimated, too.
    scale, base, anchor
        As for `bradley_terry`: `scale=400, base=10, anchor=1000` gives ratings as Elo's.
        The intervals are those of strengths in relation to the mean, moved along.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            The rank by strength.
        strength
            The log-strength, of mean 0, or the rating.
        standard_error
            Its standard error.
        low, high
            The interval.

        `.attrs` says the `rule` ("bradley_terry"), the `method` and `delta`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also where `bradley_terry` does, or if there is only one cluster, task or instance.

    References
    ----------
    White, Maximum likelihood estimation of misspecified models, 1982; Cameron and Miller, A
    practitioner's guide to cluster-robust inference, 2015; Rubin, The Bayesian bootstrap, 1981.

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
    _check_interval("strengths", delta, method, n_draws)
    votes = unwarned_votes(scores, "units", cluster, **table)
    estimate = StrengthEstimate.fit_votes("strengths", votes, prior, advantage, covariates)
    if method == "sandwich":
        degrees = estimate.degrees_of_freedom()
        error = np.where(degrees > 0, np.sqrt(estimate.covariance().diagonal()), np.inf)
        reach = arrays.t_half_width_factor(error, degrees, delta)
        low, high = estimate.strengths - reach, estimate.strengths + reach
    else:
        resampled = estimate.resample(n_draws, make_rng("strengths", seed))
        error = resampled.std(axis=1, ddof=1)
        low, high = estimate.interval_bounds(estimate.strengths, resampled, delta)
    if "note" in estimate.facts:
        error = np.full(error.shape, np.inf)
        low, high = -error, error
    systems, values = estimate.systems, estimate.strengths
    ranked = build_ranking(systems, values, "bradley_terry", scale=tie_scale(values))
    slope, origin = rating_transform("strengths", systems, values, scale, base, anchor)
    strength, low, high = (slope * first + origin for first in (values, low, high))
    columns = {"strength": strength, "standard_error": slope * error, "low": low, "high": high}
    frame = join_columns(ranked, systems, **columns)
    frame.attrs |= {"method": method, "delta": float(delta), **estimate.facts}
    return frame


@register_method("how sure it is", sees="units")
def win_probabilities(
    scores: VotesLike,
    *,
    delta: float = 0.05,
    method: ErrorEstimate = "sandwich",
    n_draws: int = 1000,
    seed: int | None = 0,
    prior: float = 0.0,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How likely is each system to win against each other, by Bradley and Terry's model?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
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
        One minus the probability with which each interval, alone, is meant to cover.
    method, n_draws, seed, prior
        As for `strengths`; the interval of the difference of two
        log-strengths is carried over to the probability.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    pandas.DataFrame
        A row for each ordered pair, in table order; the index has the levels
        `system` and `opponent`. The columns are

        probability
            That the system wins, a tie being half a win.
        low, high
            The interval.

        `.attrs` says the `rule` ("bradley_terry") and `delta`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also where `strengths` does.

    References
    ----------
    Bradley and Terry, Rank analysis of incomplete block designs, 1952.

    Examples
    --------
    >>> from nbrank import from_ballots
    >>> win_probabilities(from_ballots([["A", "B"], ["B", "A"]], counts=[60, 40])).round(3)
                     probability    low   high
    system opponent
    A      B                 0.6  0.500  0.693
    B      A                 0.4  0.307  0.500
    """
    from scipy.special import expit

    _check_interval("win_probabilities", delta, method, n_draws)
    votes = unwarned_votes(scores, "units", cluster, **table)
    estimate = StrengthEstimate.fit_votes("win_probabilities", votes, prior)
    difference = estimate.strengths[:, None] - estimate.strengths
    if method == "sandwich":
        covariance = estimate.covariance()
        variance = covariance.diagonal()
        error = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0.0))
        degrees = estimate.degrees_of_freedom()
        reach = arrays.t_half_width_factor(error, np.minimum.outer(degrees, degrees), delta)
        low, high = difference - reach, difference + reach
    else:
        resampled = estimate.resample(n_draws, make_rng("win_probabilities", seed))
        leads = zip(difference, resampled, strict=True)
        ends = [estimate.interval_bounds(lead, own - resampled, delta) for lead, own in leads]
        low, high = np.stack(ends, axis=1)
    if "note" in estimate.facts:
        low, high = np.full((2, *difference.shape), [[[-np.inf]], [[np.inf]]])
    columns = {"probability": difference, "low": low, "high": high}
    frame = stack_pairs(estimate.systems, {name: expit(values) for name, values in columns.items()})
    frame.attrs = {"rule": "bradley_terry", "delta": float(delta), **estimate.facts}
    return frame


@dataclass(frozen=True)
class StrengthEstimate:
    """Fitted Bradley-Terry strengths, and the evidence that they come from."""

    systems: pd.Index
    sample: arrays.ComparisonSample
    strengths: Floats
    prior: float
    #: The fit by rows if the model has an advantage or covariates besides the strengths.
    rows: CovariateFit | None = None
    #: Facts for `.attrs` about clusters of instances.
    facts: Mapping[Any, Any] = field(default_factory=dict)

    @classmethod
    def fit_votes(
        cls,
        function: str,
        votes: Votes,
        prior: float = 0.0,
        advantage: bool = False,
        covariates: pd.DataFrame | pd.Series | None = None,
    ) -> StrengthEstimate:
        """Fit the strengths, and find the units that are drawn; fail if there is one or none."""
        strengths, _, rows = fit_strengths(function, votes, prior, advantage, covariates)
        evidence = arrays.ComparisonSample(*votes.expand_voters(each=True).unit_outcomes())
        if evidence.n_units < 2:
            number = "only one" if evidence.n_units else "no"
            raise ValueError(
                f"{function}: there is {number} cluster, task (or group of tasks) or instance with "
                f"scores, so nothing shows how much another would differ; give more"
            )
        return cls(votes.systems, evidence, strengths, prior, rows, clusters_drawn(votes))

    def covariance(self) -> Floats:
        """Compute the sandwich covariance of the strengths."""
        if self.rows is not None:
            return self.rows.covariance(self.sample.units)
        return arrays.sandwich_covariance(self.sample, self.strengths, self.prior)

    def degrees_of_freedom(self) -> Floats:
        """Compute the degrees of freedom of each strength's variance."""
        if self.rows is not None:
            return self.rows.degrees_of_freedom(self.sample.units)
        return arrays.degrees_of_freedom(self.sample, self.strengths, self.prior)

    def resample(self, n: int, rng: np.random.Generator) -> Floats:
        """Resample the strengths (systems x n), spread as those of new units would be."""
        if self.rows is not None:
            raise ValueError(
                "strengths: method='bootstrap' doesn't know an advantage, covariates or shared "
                "wins; choose method='sandwich'"
            )
        resampled = arrays.bootstrap_strengths(self.sample, self.strengths, self.prior, n, rng)
        units = self.sample.n_units
        if math.isinf(units):
            return resampled
        here = self.strengths[:, None]
        return here + (resampled - here) * math.sqrt((units + 1) / (units - 1))

    def interval_bounds(self, estimates: Floats, resampled: Floats, delta: float) -> Floats:
        """Return the resamples' quantiles, widened by the ratio of Student's to normal ones."""
        from scipy.special import ndtri, stdtrit

        quantiles = np.quantile(resampled, [delta / 2, 1 - delta / 2], axis=1)
        units = self.sample.n_units
        if math.isinf(units):
            return quantiles
        wider = float(stdtrit(units - 1, 1 - delta / 2) / ndtri(1 - delta / 2))
        return np.asarray(estimates + (quantiles - estimates) * wider)


def _check_interval(function: str, delta: float, method: str, n_draws: int) -> None:
    check_delta(function, delta)
    check_choice(function, "method", method, ("sandwich", "bootstrap"))
    validate_integer(function, "n_draws", n_draws)
    if method == "bootstrap" and n_draws * delta < 2:
        raise ValueError(
            f"{function}: {n_draws} resamples can't show an interval at delta={delta!r}; take at "
            f"least n_draws={math.ceil(2 / delta)}, better 1000"
        )
