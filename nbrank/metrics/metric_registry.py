"""The metrics, by functions that are imported when first needed, from the extra `metrics`.

What they compare is checked here by the cell, which their libraries don't name.
"""

import functools
import importlib
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from numbers import Real
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Positions
from nbrank.votes.formatting import format_labels

Kind = Literal["labels", "numbers", "texts"]

_ADVICE = {
    "texts": "give texts on both sides, as .astype(str) makes them",
    "numbers": "give numbers on both sides, as pandas.to_numeric makes them",
}
_NUMBERS_ADVICE = "of numbers there is 'mean absolute error'"
_DECISION_VALUES_ADVICE = "make labels of decision values with nbrank.metrics.binarized"


def check_cells(
    metric: str, kinds: tuple[Kind, Kind] | None, truth: pd.Series, predictions: pd.Series
) -> None:
    """Refuse the cells that a metric can't compare; missing predictions are passed over."""
    if kinds is None:
        return
    of_reference, of_prediction = kinds
    system = format_labels([predictions.name])
    predictions = predictions[predictions.notna()]
    wanted = _check_kind(metric, of_reference, truth, "the reference")
    if of_prediction != "labels":
        wanted = of_prediction
    _check_kind(metric, wanted, predictions, system)
    if of_reference == "numbers":
        _check_finite(metric, truth, "the reference")
        _check_finite(metric, predictions, system)


def _check_kind(metric: str, wanted: str, column: pd.Series, whose: str) -> str:
    """Refuse a cell of another kind than is wanted; return the kind that all are of."""
    if pd.api.types.is_numeric_dtype(column.dtype) and wanted in ("labels", "numbers"):
        return "numbers"
    for instance, value in column.items():
        kind = _value_kind(value)
        if wanted == "labels" and isinstance(value, Hashable):
            wanted = kind
        if kind != wanted:
            raise TypeError(
                f"{metric} compares {wanted} here, and {whose} has {value!r} on "
                f"{format_labels([instance])}; {_ADVICE.get(wanted, 'give labels of one kind')}"
            )
    return wanted


def _value_kind(value: Any) -> str:
    if isinstance(value, str):
        return "texts"
    number = isinstance(value, Real | Decimal | np.bool_)
    return "numbers" if number else f"values of type {type(value).__name__}"


def _check_finite(metric: str, column: pd.Series, whose: str) -> None:
    infinite = ~np.isfinite(column.to_numpy(dtype=float))
    if infinite.any():
        raise ValueError(
            f"{metric}: {whose} has an infinite number on "
            f"{format_labels(column.index[infinite], max_items=5)}; give finite ones"
        )


def _encode_labels(
    metric: str, reference: NDArray[Any], prediction: NDArray[Any]
) -> tuple[NDArray[Any], Positions, Positions]:
    """Number the labels in sorted order; return them, and their numbers on both sides."""
    every = pd.Series([*reference.tolist(), *prediction.tolist()])
    if every.dtype.kind == "f":
        truth = set(reference.tolist())
        _check_no_fractions(
            metric, truth, f"the reference's {{}} are not labels; {_NUMBERS_ADVICE}"
        )
        others = set(prediction.tolist()) - truth
        _check_no_fractions(metric, others, f"{{}} are not labels; {_DECISION_VALUES_ADVICE}")
    codes, classes = pd.factorize(every, sort=True)
    return np.asarray(classes), codes[: len(reference)], codes[len(reference) :]


def _check_no_fractions(metric: str, values: Iterable[float], text: str) -> None:
    """Refuse numbers between the classes: a decision value is not a label."""
    fractions = sorted(value for value in values if not float(value).is_integer())
    if fractions:
        raise ValueError(
            f"{metric} compares labels, and {text.format(format_labels(fractions, max_items=3))}"
        )


@dataclass(frozen=True)
class Metric:
    """A way to score predictions against a reference.

    Parameters
    ----------
    name
        The name of the column that it fills.
    lower_is_better
        Whether a lower score is better.
    score_system
        The score of all of a system's predictions, from the arrays of references and
        of predictions. None takes the mean over the instances.
    score_instance
        The score of one prediction, from the reference and the prediction. None
        without such a score, as for F1.
    takes
        What the reference and the predictions are, each "labels", "numbers" or
        "texts"; other cells are refused by their names. None takes what comes.

    Examples
    --------
    >>> from nbrank.metrics import global_scores
    >>> length = Metric(
    ...     "length error",
    ...     True,
    ...     score_instance=lambda reference, text: abs(len(text) - len(reference)),
    ... )
    >>> texts = pd.DataFrame({"A": ["a cat", "dog"], "B": ["cat", "a dog"]})
    >>> reference = pd.Series(["a cat", "a dog"])
    >>> global_scores(texts, reference, [length]).scores
            length error
    system
    A                1.0
    B                1.0
    """

    name: str
    lower_is_better: bool
    score_system: Callable[[NDArray[Any], NDArray[Any]], float] | None = None
    score_instance: Callable[[Any, Any], float] | None = None
    value_kinds: tuple[Kind, Kind] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.score_system is None and self.score_instance is None:
            raise TypeError(
                f"the metric {self.name!r} scores nothing; give it score_system or score_instance"
            )


def _import_package(library: str, metric: str, package: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(
            f"{metric} needs {package}, which is not installed; "
            f"install the extra: pip install 'nbrank[metrics]'"
        ) from error


def _scikit_learn(metric: str) -> Any:
    return _import_package("sklearn.metrics", metric, "scikit-learn")


def _accuracy(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    _, truth, answers = _encode_labels("accuracy", reference, prediction)
    return float(_scikit_learn("accuracy").accuracy_score(truth, answers))


def _is_correct(reference: Any, prediction: Any) -> float:
    return float(reference == prediction)


def _f1(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    classes, truth, answers = _encode_labels("F1", reference, prediction)
    present = np.unique(truth)
    if len(present) != 2:
        raise ValueError(
            f"F1 needs two classes in the reference, which has {format_labels(classes[present])}; "
            f"for more classes there is 'macro F1'"
        )
    return _mean_f1("F1", truth, answers, present[1:])


def _macro_f1(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    return _mean_f1("macro F1", *_encode_labels("macro F1", reference, prediction)[1:])


def _mean_f1(
    metric: str, truth: Positions, answers: Positions, classes: Positions | None = None
) -> float:
    """Average F1 over the classes; 0, without a warning, for one that is never predicted."""
    score = _scikit_learn(metric).f1_score
    return float(score(truth, answers, labels=classes, average="macro", zero_division=0))


def _roc_auc(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    codes, classes = pd.factorize(pd.Series(reference.tolist()), sort=True)
    if len(classes) != 2:
        raise ValueError(
            f"ROC AUC needs two classes in the reference, which has {format_labels(classes)}"
        )
    # Only the order of the predictions counts, and that has no infinity in it.
    places, _ = pd.factorize(pd.Series(prediction.tolist()), sort=True)
    return float(_scikit_learn("ROC AUC").roc_auc_score(codes, places))


def _mean_absolute_error(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    score = _scikit_learn("mean absolute error").mean_absolute_error
    return float(score(np.asarray(reference, float), np.asarray(prediction, float)))


def _absolute_error(reference: Any, prediction: Any) -> float:
    return abs(float(reference) - float(prediction))


def _edit_distance(reference: str, text: str) -> float:
    rapidfuzz = _import_package("rapidfuzz.distance", "edit distance", "rapidfuzz")
    return float(rapidfuzz.Levenshtein.distance(reference, text))


def _wer(reference: str, text: str) -> float:
    if not reference.split():
        raise ValueError(
            "WER: a reference without a word has no word error rate; drop such instances"
        )
    return float(_import_package("jiwer", "WER", "jiwer").wer(reference, text))


@functools.cache
def _sacrebleu_chrf() -> Any:
    return _import_package("sacrebleu.metrics.chrf", "chrF", "sacrebleu").CHRF()


@functools.lru_cache(maxsize=10_000)  # it takes milliseconds, and the same texts come again
def _chrf(reference: str, text: str) -> float:
    return float(_sacrebleu_chrf().sentence_score(text, [reference]).score)


_LABELS: tuple[Kind, Kind] = ("labels", "labels")
_NUMBERS: tuple[Kind, Kind] = ("numbers", "numbers")
_TEXTS: tuple[Kind, Kind] = ("texts", "texts")

#: The metrics by name. Of labels: "accuracy" (the share of equal labels), "F1" (of the second of
#: the reference's two classes, in sorted order), "macro F1" (the mean of the F1 of all classes). Of
#: numbers: "ROC AUC" (the reference has two classes, and a higher number speaks for the second),
#: "mean absolute error". Of texts: "edit distance" (Levenshtein's, in characters), "WER" (word
#: error rate: edits in words by words of the reference), "chrF" (sacreBLEU's, 0 to 100).
METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric("accuracy", False, _accuracy, _is_correct, _LABELS),
            Metric("F1", False, _f1, None, _LABELS),
            Metric("macro F1", False, _macro_f1, None, _LABELS),
            Metric("ROC AUC", False, _roc_auc, None, ("labels", "numbers")),
            Metric("mean absolute error", True, _mean_absolute_error, _absolute_error, _NUMBERS),
            Metric("edit distance", True, None, _edit_distance, _TEXTS),
            Metric("WER", True, None, _wer, _TEXTS),
            Metric("chrF", False, None, _chrf, _TEXTS),
        )
    }
)
