"""What the metrics compare, checked by the cell, which their libraries don't name."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.kinds import Positions
from nbrank.votes.naming import named

Kind = Literal["labels", "numbers", "texts"]

_ADVICE = {
    "texts": "give texts on both sides, as .astype(str) makes them",
    "numbers": "give numbers on both sides, as pandas.to_numeric makes them",
}
_OF_NUMBERS = "of numbers there is 'mean absolute error'"
_OF_DECISION_VALUES = "make labels of decision values with nbrank.metrics.binarized"


def check_cells(
    metric: str, takes: tuple[Kind, Kind] | None, truth: pd.Series, predictions: pd.Series
) -> None:
    """Refuse the cells that a metric can't compare; missing predictions are passed over."""
    if takes is None:
        return
    of_reference, of_prediction = takes
    system = named([predictions.name])
    predictions = predictions[predictions.notna()]
    wanted = _refuse_other(metric, of_reference, truth, "the reference")
    if of_prediction != "labels":
        wanted = of_prediction
    _refuse_other(metric, wanted, predictions, system)
    if of_reference == "numbers":
        _refuse_infinite(metric, truth, "the reference")
        _refuse_infinite(metric, predictions, system)


def _refuse_other(metric: str, wanted: str, column: pd.Series, whose: str) -> str:
    """Refuse a cell of another kind than is wanted; return the kind that all are of."""
    if pd.api.types.is_numeric_dtype(column.dtype) and wanted in ("labels", "numbers"):
        return "numbers"
    for instance, value in column.items():
        kind = _kind(value)
        if wanted == "labels" and isinstance(value, Hashable):
            wanted = kind
        if kind != wanted:
            raise TypeError(
                f"{metric} compares {wanted} here, and {whose} has {value!r} on "
                f"{named([instance])}; {_ADVICE.get(wanted, 'give labels of one kind')}"
            )
    return wanted


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "texts"
    number = isinstance(value, Real | Decimal | np.bool_)
    return "numbers" if number else f"values of type {type(value).__name__}"


def _refuse_infinite(metric: str, column: pd.Series, whose: str) -> None:
    infinite = ~np.isfinite(column.to_numpy(dtype=float))
    if infinite.any():
        raise ValueError(
            f"{metric}: {whose} has an infinite number on {named(column.index[infinite], most=5)}; "
            f"give finite ones"
        )


@dataclass(frozen=True)
class Labels:
    """The labels of both sides by their number in sorted order, whatever they are."""

    classes: NDArray[Any]
    reference: Positions
    prediction: Positions

    @classmethod
    def of(cls, metric: str, reference: NDArray[Any], prediction: NDArray[Any]) -> Labels:
        """Number the labels."""
        every = pd.Series([*reference.tolist(), *prediction.tolist()])
        if every.dtype.kind == "f":
            truth = set(reference.tolist())
            _refuse_fractions(metric, truth, f"the reference's {{}} are none; {_OF_NUMBERS}")
            others = set(prediction.tolist()) - truth
            _refuse_fractions(metric, others, f"{{}} are none; {_OF_DECISION_VALUES}")
        codes, classes = pd.factorize(every, sort=True)
        return cls(np.asarray(classes), codes[: len(reference)], codes[len(reference) :])


def _refuse_fractions(metric: str, values: Iterable[float], said: str) -> None:
    """A decision value is no label: refuse numbers between the classes by their name."""
    fractions = sorted(value for value in values if not float(value).is_integer())
    if fractions:
        raise ValueError(f"{metric} compares labels, and {said.format(named(fractions, most=3))}")
