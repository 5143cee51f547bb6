"""Bradley and Terry's model with an advantage of the left side, and with covariates."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.covariate_models import CovariateFit, CovariateModel
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import as_series, plain_frame
from nbrank.votes.source_functions import FunctionBySource


def _fit_comparisons(
    comparisons: Comparisons,
    prior: float,
    advantage: bool,
    covariates: pd.DataFrame | pd.Series | None,
) -> tuple[CovariateFit, dict[str, Any]]:
    n = len(comparisons.outcomes)
    table = pd.DataFrame(index=range(n))
    if covariates is not None:
        table = _aligned(covariates, comparisons)
    words = [name for name, kind in table.dtypes.items() if not pd.api.types.is_numeric_dtype(kind)]
    if words:
        raise TypeError(f"bradley_terry: no numbers: {format_labels(words)}")
    value = table.to_numpy(dtype=np.float64, na_value=np.nan)
    wrong = ~np.isfinite(value).all(axis=0)
    if wrong.any():
        raise ValueError(
            f"bradley_terry: {format_labels(table.columns[wrong])}: covariates must be finite "
            "numbers"
        )
    columns = np.column_stack([np.ones(n), value]) if advantage else value
    # In units of their own size, so that no column is out of the others' reach.
    sizes_of = np.abs(columns).max(axis=0, initial=0.0)
    n_columns = columns.shape[1]
    if (sizes_of == 0).any() or (
        n_columns and np.linalg.matrix_rank(columns / sizes_of) < n_columns
    ):
        raise ValueError(
            "bradley_terry: a covariate is 0 everywhere, or follows from the others (a constant "
            "one is the advantage)"
        )

    def fitted(prior: float) -> CovariateFit:
        n_systems, scaled = len(comparisons.systems), columns / sizes_of
        model = CovariateModel.from_rows(comparisons.outcomes, n_systems, scaled, prior)
        return model.fit(n_systems)

    fit = fitted(float(prior))
    if not fit.converged:
        mends = prior == 0 and fitted(1.0).converged
        raise _separated(comparisons, list(table.columns), advantage=advantage, prior_mends=mends)
    coefficients = (fit.coefficients / sizes_of).tolist()
    facts: dict[str, Any] = {"converged": True}
    if advantage:
        facts["advantage"] = coefficients.pop(0)
    if coefficients:
        facts |= {"covariates": [str(name) for name in table.columns], "coefficients": coefficients}
    return fit, facts


#: Fit strengths with an advantage and covariates; return the fit, and facts about the rest.
fit_with_covariates = FunctionBySource(
    comparisons=_fit_comparisons,
    refusal="bradley_terry: advantage and covariates are of comparisons; use from_comparisons",
)


def _aligned(covariates: pd.DataFrame | pd.Series, comparisons: Comparisons) -> pd.DataFrame:
    """Return the covariates in the order of the comparisons: by label, or of an array as it is."""
    values: Any = covariates
    if isinstance(values, Mapping) and all(map(pd.api.types.is_number, values.values())):
        covariates = as_series(values)  # a number for each row
    try:
        table, rows = pd.DataFrame(plain_frame(covariates)), comparisons.rows
    except (TypeError, ValueError):
        raise TypeError(
            f"bradley_terry: covariates must be a frame with a row for each comparison, or a "
            f"Series or mapping with a number for each, not {type(covariates).__name__}; give "
            f"such as covariates=frame[['longer']]"
        ) from None
    labelled = isinstance(covariates, pd.DataFrame | pd.Series)
    if labelled and rows is None and not table.index.equals(pd.RangeIndex(len(table))):
        raise ValueError(
            "bradley_terry: the covariates have labels, and the comparisons have none, as they "
            "come from a frame of polars; give the covariates as an array in the order of the "
            "comparisons, such as covariates.loc[labels].to_numpy()"
        )
    if labelled and rows is not None and not table.index.equals(rows):
        for labels, what in ((rows, "comparisons"), (table.index, "covariates")):
            if not labels.is_unique:
                raise ValueError(
                    "bradley_terry: the covariates can't be aligned with the comparisons, since "
                    f"rows of the {what} share a label: "
                    f"{format_labels(labels[labels.duplicated()].unique(), max_items=5)}; number "
                    "the rows of the frame by frame.reset_index(drop=True), and take both from that"
                )
        absent = rows[~rows.isin(table.index)]
        if not len(absent):
            return table.reindex(rows)
        where = f", and no row for {format_labels(absent, max_items=5)}"
    elif len(table) != len(comparisons.outcomes):
        where = ""
    else:
        return table
    raise ValueError(
        f"bradley_terry: covariates have {len(table)} rows, and there are "
        f"{len(comparisons.outcomes)} comparisons{where}; give a row for each, with the labels of "
        f"the frame of the comparisons, such as covariates=frame[['longer']]"
    )


def _separated(
    comparisons: Comparisons, covariates: list[Label], *, advantage: bool, prior_mends: bool
) -> ValueError:
    """Make the error for an advantage and covariates that explain the outcomes too well."""
    weights, outcome = comparisons.outcomes.total_weights, comparisons.outcomes.outcomes
    counted = outcome if weights is None else outcome[weights > 0]
    won = {1: "won", -1: "lost"}.get(int(counted[0]) if (counted == counted[0]).all() else 0)
    if advantage and won:
        return ValueError(
            f"bradley_terry: the left side {won} every comparison, so that its advantage is "
            f"infinite, and nothing shows who is stronger; leave out advantage=True"
        )
    causes, cures = [], ["give a prior, such as prior=1"] * prior_mends
    if advantage:
        causes.append("the advantage of the left side")
        cures.append("leave out advantage=True")
    if covariates:
        several = len(covariates) > 1
        causes.append(f"the covariate{'s' * several} {format_labels(covariates)}")
        cures.append(
            "leave some covariates out" if several else f"leave out {format_labels(covariates)}"
        )
    return ValueError(
        f"bradley_terry: {' and '.join(causes)}, together with the strengths, can explain the "
        f"outcomes so well that some strength or coefficient is infinite or undetermined; "
        f"{', or '.join(cures)}"
    )
