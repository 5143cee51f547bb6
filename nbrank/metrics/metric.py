"""The metrics, by functions that are imported when first needed, from the extra `metrics`."""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.kinds import Positions
from nbrank.metrics.metric_cells import Kind, Labels
from nbrank.votes.naming import named


@dataclass(frozen=True)
class Metric:
    """A way to score predictions against a reference.

    Parameters
    ----------
    name
        The name of the column that it fills.
    lower_is_better
        Whether a lower score is better.
    of_system
        The score of all of a system's predictions, from the arrays of references and
        of predictions. None takes the mean over the instances.
    of_instance
        The score of one prediction, from the reference and the prediction. None
        where there is no such score, as for F1.
    takes
        What the reference and the predictions are, each "labels", "numbers" or
        "texts"; other cells are refused by their names. None takes what comes.

    Examples
    --------
    >>> from nbrank.metrics import global_scores
    >>> length = Metric(
    ...     "length error",
    ...     True,
    ...     of_instance=lambda reference, text: abs(len(text) - len(reference)),
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
    of_system: Callable[[NDArray[Any], NDArray[Any]], float] | None = None
    of_instance: Callable[[Any, Any], float] | None = None
    takes: tuple[Kind, Kind] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.of_system is None and self.of_instance is None:
            raise TypeError(
                f"the metric {self.name!r} scores nothing; give it of_system or of_instance"
            )


def _imported(library: str, metric: str, package: str) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(
            f"{metric} needs {package}, which is not installed; "
            f"install the extra: pip install 'nbrank[metrics]'"
        ) from error


def _scikit_learn(metric: str) -> Any:
    return _imported("sklearn.metrics", metric, "scikit-learn")


def _accuracy(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    labels = Labels.of("accuracy", reference, prediction)
    return float(_scikit_learn("accuracy").accuracy_score(labels.reference, labels.prediction))


def _correct(reference: Any, prediction: Any) -> float:
    return float(reference == prediction)


def _f1(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    labels = Labels.of("F1", reference, prediction)
    present = np.unique(labels.reference)
    if len(present) != 2:
        raise ValueError(
            f"F1 needs two classes in the reference, which has {named(labels.classes[present])}; "
            f"for more classes there is 'macro F1'"
        )
    return _mean_f1("F1", labels, present[1:])


def _macro_f1(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    return _mean_f1("macro F1", Labels.of("macro F1", reference, prediction))


def _mean_f1(metric: str, labels: Labels, classes: Positions | None = None) -> float:
    """The mean over the classes; 0, without a warning, of one that is never predicted."""
    score = _scikit_learn(metric).f1_score
    options = {"labels": classes, "average": "macro", "zero_division": 0}
    return float(score(labels.reference, labels.prediction, **options))


def _roc_auc(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    codes, classes = pd.factorize(pd.Series(reference.tolist()), sort=True)
    if len(classes) != 2:
        raise ValueError(f"ROC AUC needs two classes in the reference, which has {named(classes)}")
    # Only the order of the predictions counts, and that has no infinity in it.
    places, _ = pd.factorize(pd.Series(prediction.tolist()), sort=True)
    return float(_scikit_learn("ROC AUC").roc_auc_score(codes, places))


def _mean_absolute_error(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    score = _scikit_learn("mean absolute error").mean_absolute_error
    with np.errstate(over="ignore"):
        error = score(np.asarray(reference, float), np.asarray(prediction, float))
    return _in_range(float(error))


def _absolute_error(reference: Any, prediction: Any) -> float:
    return _in_range(abs(float(reference) - float(prediction)))


def _in_range(error: float) -> float:
    if math.isinf(error):
        raise ValueError(
            "mean absolute error: the numbers are so far apart that no float holds it; divide both "
            "sides by a power of 10"
        )
    return error


def _edit_distance(reference: str, text: str) -> float:
    rapidfuzz = _imported("rapidfuzz.distance", "edit distance", "rapidfuzz")
    return float(rapidfuzz.Levenshtein.distance(reference, text))


def _wer(reference: str, text: str) -> float:
    if not reference.split():
        raise ValueError(
            "WER: a reference without a word has no word error rate; drop such instances"
        )
    return float(_imported("jiwer", "WER", "jiwer").wer(reference, text))


@functools.cache
def _sacrebleu_chrf() -> Any:
    return _imported("sacrebleu.metrics.chrf", "chrF", "sacrebleu").CHRF()


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
            Metric("accuracy", False, _accuracy, _correct, _LABELS),
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
