"""From predictions to leaderboards: a score for each system, or for each of its predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.metrics.metric_registry import METRICS, Metric, check_cells
from nbrank.votes.formatting import check_same_labels, format_labels
from nbrank.votes.labeled_values import as_frame, as_series
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.name_heuristics import INSTANCES


def global_scores(
    predictions: pd.DataFrame, reference: pd.Series, metrics: Iterable[str | Metric]
) -> Leaderboard:
    """How good are each system's predictions as a whole?

    Parameters
    ----------
    predictions
        A row for each instance and a column for each system: labels, numbers or texts, as the
        metrics need them. `binarized` makes labels of decision values.
    reference
        The right answer of each instance, with the same index in any order.
    metrics
        Names from `METRICS` ("accuracy", "F1", "macro F1", "ROC AUC", "mean absolute
        error", "edit distance", "WER", "chrF"), or a `Metric` of your own. The last
        three are means over the instances: chrF does not score all texts as one.

    Returns
    -------
    Leaderboard
        A row for each system, a column for each metric; where lower is better is marked.

    Raises
    ------
    ImportError
        If the library behind a metric is not installed; the message names the extra.
    TypeError
        If the predictions are not a frame, the reference is not a Series, or a cell, which
        the message names, is of another kind than the metric compares.
    ValueError
        If instances differ, are duplicate or lack a prediction or a reference, a
        metric is unknown or given twice, the reference has not the two classes that
        a metric needs, or a number is infinite or a fraction where it must not be.

    Examples
    --------
    >>> import pandas as pd
    >>> predictions = pd.DataFrame({"A": [1, 0, 1, 1], "B": [1, 0, 0, 0]})
    >>> reference = pd.Series([1, 0, 1, 0])
    >>> global_scores(predictions, reference, ["accuracy", "F1"]).scores
            accuracy   F1
    system
    A           0.75  0.8
    B           0.75  0.666667
    """
    predictions, truth = _validate_predictions(predictions, reference)
    chosen = _resolve_metrics(metrics)
    missing = predictions.isna()
    if missing.any(axis=None):
        raise ValueError(
            f"missing predictions of {format_labels(predictions.columns[missing.any()])} on "
            f"{format_labels(predictions.index[missing.any(axis=1)], max_items=5)}; fill them "
            "in with what they "
            f"should count as, or use instance_scores, where they count as not evaluated"
        )
    scores = {
        metric.name: [_score_system(metric, truth, predictions[system]) for system in predictions]
        for metric in chosen
    }
    return _build_leaderboard(scores, predictions.columns.to_flat_index().rename("system"), chosen)


def instance_scores(
    predictions: pd.DataFrame, reference: pd.Series, metrics: Iterable[str | Metric]
) -> Leaderboard:
    """How good is each single prediction?

    Parameters
    ----------
    predictions
        As for `global_scores`; a missing prediction counts as not evaluated.
    reference
        The right answer of each instance, with the same index in any order.
    metrics
        Names from `METRICS` that score a single prediction: "accuracy" (1 where
        it is right, else 0), "mean absolute error" (the absolute error), "edit
        distance", "WER", "chrF"; or a `Metric` of your own.

    Returns
    -------
    Leaderboard
        Instance-level scores, which every rule takes: a row for each system and
        instance, a column for each metric; where lower is better is marked.

    Raises
    ------
    ImportError, TypeError, ValueError
        As for `global_scores`; ValueError also if a metric does not score single predictions.

    Examples
    --------
    >>> import pandas as pd
    >>> values = pd.DataFrame({"A": [0.75, 0.25], "B": [1.0, 0.5]}, index=["x", "y"])
    >>> reference = pd.Series([1, 0], index=["x", "y"])
    >>> instance_scores(values, reference, ["mean absolute error"]).scores
                     mean absolute error
    system instance
    A      x                        0.25
           y                        0.25
    B      x                        0.00
           y                        0.50
    """
    predictions, truth = _validate_predictions(predictions, reference)
    chosen = _resolve_metrics(metrics)
    for metric in chosen:
        if metric.score_instance is None:
            possible = [name for name, known in METRICS.items() if known.score_instance is not None]
            raise ValueError(
                f"{metric.name} does not score single predictions; these do: "
                f"{format_labels(possible)}"
            )
    index = pd.MultiIndex.from_product(
        [predictions.columns, predictions.index], names=["system", "instance"]
    )
    scores = {
        metric.name: np.concatenate(
            [_score_instances(metric, truth, predictions[system]) for system in predictions]
        )
        for metric in chosen
    }
    return _build_leaderboard(scores, index, chosen)


def binarized(decision_values: pd.DataFrame, *, threshold: float = 0.5) -> pd.DataFrame:
    """Which of two classes do decision values speak for?

    Parameters
    ----------
    decision_values
        Numbers, in any shape of frame.
    threshold
        The smallest value that speaks for class 1.

    Returns
    -------
    pandas.DataFrame
        The same frame with 1 for values of at least the threshold, else 0.

    Raises
    ------
    TypeError, ValueError
        If a column does not hold numbers, or a value is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> binarized(pd.DataFrame({"A": [0.2, 0.5], "B": [0.7, 0.1]}))
       A  B
    0  0  1
    1  1  0
    """
    is_number = pd.api.types.is_numeric_dtype
    others = [label for label, kind in decision_values.dtypes.items() if not is_number(kind)]
    if others:
        raise TypeError(
            f"decision values must be numbers; those of {format_labels(others)} are not"
        )
    missing = decision_values.isna().any()
    if missing.any():
        raise ValueError(
            f"missing decision values of {format_labels(decision_values.columns[missing])}; a "
            "missing value speaks for no class, so fill it in or drop the instance"
        )
    return (decision_values >= threshold).astype(np.int64)


def _validate_predictions(
    predictions: pd.DataFrame, reference: pd.Series
) -> tuple[pd.DataFrame, pd.Series]:
    """Validate the predictions; return them with the reference in the order of their rows."""
    predictions, reference = as_frame(predictions, INSTANCES), as_series(reference)
    if not isinstance(predictions, pd.DataFrame):
        raise TypeError(
            f"predictions must be a DataFrame with a row for each instance and a column for each "
            f"system, not {type(predictions).__name__}"
        )
    rows = predictions.index
    if isinstance(rows, pd.MultiIndex) and {"system", "instance"} == set(rows.names):
        raise ValueError(
            "predictions have a row for each instance and a column for each system; "
            "unstack the index level 'system'"
        )
    if not isinstance(reference, pd.Series):
        raise TypeError(
            f"the reference must be a Series (or a mapping) with the index of the predictions, "
            f"not {type(reference).__name__}"
        )
    if predictions.empty:
        raise ValueError("predictions are empty; give a row for each instance")
    for labels, what in (
        (predictions.columns, "systems"),
        (predictions.index, "instances"),
        (reference.index, "instances in the reference"),
    ):
        if not labels.is_unique:
            raise ValueError(
                f"duplicate {what}: {format_labels(labels[labels.duplicated()].unique())}"
            )
    check_same_labels(predictions.index, reference.index, "predictions and reference", "instances")
    truth = reference.loc[predictions.index]
    if truth.isna().any():
        raise ValueError(
            f"no reference for {format_labels(truth.index[truth.isna()], max_items=5)}; drop "
            "such instances"
        )
    return predictions, truth


def _resolve_metrics(metrics: Iterable[str | Metric]) -> list[Metric]:
    chosen = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    unknown = [name for name in chosen if not isinstance(name, Metric) and name not in METRICS]
    if unknown:
        raise ValueError(
            f"unknown metrics: {format_labels(unknown)}; known are {format_labels(METRICS)}"
        )
    if not chosen:
        raise ValueError(f"no metric is given; known are {format_labels(METRICS)}")
    results = [metric if isinstance(metric, Metric) else METRICS[metric] for metric in chosen]
    names = [metric.name for metric in results]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"given twice: {format_labels(twice)}")
    return results


def _build_leaderboard(
    scores: dict[str, Any], index: pd.Index, metrics: list[Metric]
) -> Leaderboard:
    lower = [metric.name for metric in metrics if metric.lower_is_better]
    return Leaderboard(pd.DataFrame(scores, index=index), lower_is_better=lower)


def _score_system(metric: Metric, truth: pd.Series, predictions: pd.Series) -> float:
    if metric.score_system is None:
        return float(_score_instances(metric, truth, predictions).mean())
    check_cells(metric.name, metric.value_kinds, truth, predictions)
    with _add_error_note(f"while scoring {predictions.name!r} by {metric.name}"):
        return metric.score_system(truth.to_numpy(), predictions.to_numpy())


def _score_instances(metric: Metric, truth: pd.Series, predictions: pd.Series) -> Floats:
    assert metric.score_instance is not None
    check_cells(metric.name, metric.value_kinds, truth, predictions)
    scores = np.full(len(predictions), np.nan)
    answers, value = truth.array, predictions.array
    for position in np.flatnonzero(predictions.notna().to_numpy()).tolist():
        instance = predictions.index[position]
        with _add_error_note(
            f"while scoring {predictions.name!r} on {instance!r} by {metric.name}"
        ):
            scores[position] = metric.score_instance(answers[position], value[position])
    return scores


@contextmanager
def _add_error_note(note: str) -> Iterator[None]:
    """Say of an error what was being done."""
    try:
        yield
    except Exception as error:
        error.add_note(note)
        raise
