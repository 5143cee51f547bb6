"""Which ranks may each system have, from estimates and how they vary together?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats, Ints
from nbrank.arrays.uncertainty import measurement_errors as arrays
from nbrank.rules.ranking import build_ranking, join_columns
from nbrank.uncertainty.cell_errors import warn_of_zero_errors
from nbrank.uncertainty.sampling_design import DELTA, DRAWS, DrawOptions
from nbrank.votes import labeled_values
from nbrank.votes.formatting import check_same_labels, format_labels
from nbrank.votes.required_arguments import name_missing_arguments
from nbrank.votes.table.validation import check_pairs_fit, validate_number


@name_missing_arguments
def rank_confidence_from(
    estimates: pd.Series | Mapping[Any, float],
    errors: pd.DataFrame | pd.Series | Mapping[Any, float],
    *,
    delta: float = DELTA,
    joint: bool = True,
    seed: int | None = 0,
    degrees_of_freedom: float = np.inf,
    n_draws: int = DRAWS,
) -> pd.DataFrame:
    """Which ranks may each system have, given estimates and how they vary together?

    The sets of Mogstad, Romano, Shaikh and Wilhelm (2024) for estimates that are
    normally distributed, or nearly so, with standard errors or a covariance that
    are known, or were estimated from few draws (`degrees_of_freedom`).

    Parameters
    ----------
    estimates
        The estimate of each system, a Series or a mapping; higher is better.
    errors
        A Series or a mapping of the standard errors of independent estimates, or a frame of
        their covariance, which may be singular; labels may be in another order.
    delta
        One minus the confidence.
    joint
        True for sets that hold for all systems at once, False for sets that hold one by one.
    seed
        The seed of the draws; None takes a fresh one.
    degrees_of_freedom
        How well the covariance is known: if it was estimated from n tasks, n - 1. Without
        it, sets from few tasks hold too seldom. The n draws behind it are turned at random,
        all systems together (Langsrud, 2005), which is exact for normal errors. Where the
        covariance can't be that of so few draws, and for standard errors, differences go by
        Student's t, with the degrees of freedom of Satterthwaite.
    n_draws
        The number of draws behind the critical values.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            1 for the best; tied systems share the smallest.
        low, high
            The best and the worst rank of the system's confidence set.

    Raises
    ------
    ValueError
        If labels don't match or are duplicate, a number is missing, the matrix
        is not a covariance, or the degrees of freedom are not above 0.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks with Applications to Mobility across
    Neighbourhoods and Academic Achievement across Countries, Review of Economic Studies, 2024;
    Langsrud, Rotation Tests, 2005.

    Examples
    --------
    >>> import pandas as pd
    >>> estimates = pd.Series({"A": 0.0, "B": 1.0, "C": 5.0})
    >>> covariance = pd.DataFrame(np.eye(3), index=list("ABC"), columns=list("ABC"))
    >>> rank_confidence_from(estimates, covariance, seed=0)
       rank  low  high
    C     1    1     1
    B     2    2     3
    A     3    2     3
    >>> rank_confidence_from(estimates, pd.Series(0.1, index=list("ABC")), seed=0)["high"].tolist()
    [1, 2, 3]
    """
    draws = DrawOptions("rank_confidence_from", seed=seed, n_draws=n_draws)
    draws.check_level(delta, joint=joint)
    if not validate_number("rank_confidence_from", "degrees_of_freedom", degrees_of_freedom) > 0:
        raise ValueError(f"degrees_of_freedom={degrees_of_freedom!r} must be above 0")
    value: pd.Series = labeled_values.as_series(estimates)
    check_pairs_fit("rank_confidence_from", len(value))
    values, matrix = _align_estimates(
        value,
        labeled_values.as_frame(labeled_values.as_series(labeled_values.mapping_to_frame(errors))),
    )
    warn_of_zero_errors(
        "rank_confidence_from",
        values,
        matrix if matrix.ndim == 1 else np.diag(matrix),
        lambda exact: format_labels(value.index[exact]),
        "take binomial_errors of the scores",
    )
    rng = draws.make_rng()
    if matrix.ndim == 1:
        cells, degrees = matrix[:, None], np.full((len(matrix), 1), float(degrees_of_freedom))
        tests = arrays.cell_error_pair_tests(values, cells, degrees, n_draws, rng)
    else:
        tests = arrays.covariance_pair_tests(
            values, matrix, n_draws, rng, degrees=degrees_of_freedom
        )
    sets = tests.rank_sets(delta, joint=joint)
    systems = labeled_values.clean_labels(value.index)
    ranked = build_ranking(systems, values, "estimates", scale=np.abs(values))
    return build_frame(ranked, systems, *sets, delta=delta, joint=joint)


def _align_estimates(estimates: object, errors: object) -> tuple[Floats, Floats]:
    """Align the standard errors or the covariance with the estimates."""
    if not isinstance(estimates, pd.Series) or not isinstance(errors, pd.DataFrame | pd.Series):
        raise TypeError(
            "rank_confidence_from takes a Series of estimates (or a mapping from system to "
            "estimate), and one of their standard errors or a DataFrame of their covariance; a "
            "list, an array or a Series of polars has no labels"
        )
    estimates, errors = labeled_values.clean_axes(estimates), labeled_values.clean_axes(errors)
    if estimates.empty:
        raise ValueError("estimates are empty; give one for each system")
    for labels in (estimates.index, *errors.axes):
        if not labels.is_unique:
            raise ValueError(
                f"duplicate systems: {format_labels(labels[labels.duplicated()].unique())}"
            )
        check_same_labels(labels, estimates.index, "the errors and the estimates", "systems")
    values = estimates.to_numpy(dtype=float, na_value=np.nan)
    single = isinstance(errors, pd.Series)
    systems = estimates.index
    # `loc` would take the labels True and False for a mask.
    ordered = errors.reindex(systems)
    if isinstance(ordered, pd.DataFrame):
        ordered = ordered.reindex(columns=systems)
    matrix = ordered.to_numpy(dtype=float, na_value=np.nan)
    known = np.isfinite(matrix) & (matrix >= 0) if single else np.isfinite(matrix).all(axis=1)
    wrong = ~np.isfinite(values) | ~known
    if wrong.any():
        raise ValueError(
            f"no estimate, or no {'standard error from 0' if single else 'covariance'}, for "
            f"{format_labels(estimates.index[wrong])}; leave them out"
        )
    return values, matrix if single else _validate_covariance(matrix)


def _validate_covariance(matrix: Floats) -> Floats:
    """Return the covariance, exactly symmetric; refuse a matrix that can't be one."""
    size = np.abs(matrix).max(initial=0.0)
    if (np.abs(matrix / 2 - matrix.T / 2) > 5e-9 * size).any():
        raise ValueError("the covariance matrix is not symmetric")
    symmetric: Floats = matrix / 2 + matrix.T / 2
    if (np.linalg.eigvalsh(symmetric / (size or 1.0)) < -1e-8).any():
        raise ValueError("the covariance matrix has a negative eigenvalue; a covariance has none")
    return symmetric


def build_frame(
    ranked: pd.DataFrame, systems: pd.Index, low: Ints, high: Ints, *, delta: float, joint: bool
) -> pd.DataFrame:
    """Build a frame of the ranks, and of the best and the worst rank of each set."""
    frame = join_columns(ranked, systems, low=low, high=high)
    frame.attrs = {"rule": ranked.attrs["rule"], "delta": float(delta), "joint": bool(joint)}
    return frame
