"""From predictions to leaderboards and to pairwise comparisons: `nbrank.metrics`.

The metrics are those of scikit-learn, RapidFuzz, jiwer and sacreBLEU, which the extra `metrics`
installs; each is imported when a metric first needs it.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.metric_cells import Labels, check_cells
from nbrank.votes.instance_rows import is_instance_level
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import named
from nbrank.votes.options import generator, real_number, whole_number
from nbrank.votes.orientation import LowerIsBetter

__all__ = [
    "METRICS",
    "Metric",
    "binarized",
    "comparisons_per_pair",
    "global_scores",
    "instance_scores",
    "pairwise_outcomes",
    "sampled",
]

#: The columns of `pairwise_outcomes` that name the two systems.
_PAIR = ["left", "right"]


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
        The score of all of a system's predictions: a function of the arrays of
        references and of predictions. None takes the mean over the instances.
    of_instance
        The score of one prediction: a function of the reference and the
        prediction. None where there is no such score, as for F1.

    Examples
    --------
    >>> import pandas as pd
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

    def __post_init__(self) -> None:
        if self.of_system is None and self.of_instance is None:
            raise TypeError(
                f"the metric {self.name!r} scores nothing; give it of_system or of_instance"
            )


def _imported(library: str, metric: str, package: str) -> ModuleType:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(
            f"{metric} needs {package}, which is not installed; "
            f"install the extra: pip install 'nbrank[metrics]'"
        ) from error


def _scikit_learn(metric: str) -> ModuleType:
    return _imported("sklearn.metrics", metric, "scikit-learn")


def _accuracy(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    labels = Labels.of("accuracy", reference, prediction)
    score = _scikit_learn("accuracy").accuracy_score
    return float(score(labels.reference, labels.prediction))


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
    # Where nothing is found, and for a class that is never predicted, F1 is 0 without a warning.
    score = _scikit_learn("F1").f1_score
    return float(
        score(
            labels.reference,
            labels.prediction,
            labels=[present[1]],
            average="macro",
            zero_division=0,
        )
    )


def _macro_f1(reference: NDArray[Any], prediction: NDArray[Any]) -> float:
    labels = Labels.of("macro F1", reference, prediction)
    score = _scikit_learn("macro F1").f1_score
    return float(score(labels.reference, labels.prediction, average="macro", zero_division=0))


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
    levenshtein = _imported("rapidfuzz.distance", "edit distance", "rapidfuzz").Levenshtein
    return float(levenshtein.distance(reference, text))


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


#: The metrics by name. Of labels: "accuracy" (the share of equal labels), "F1" (of the second of
#: the reference's two classes, in sorted order), "macro F1" (the mean of the F1 of all classes). Of
#: numbers: "ROC AUC" (the reference has two classes, and a higher number speaks for the second),
#: "mean absolute error". Of texts: "edit distance" (Levenshtein's, in characters), "WER" (word
#: error rate: edits in words by words of the reference), "chrF" (sacreBLEU's, 0 to 100).
METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        metric.name: metric
        for metric in (
            Metric("accuracy", False, _accuracy, _correct),
            Metric("F1", False, _f1),
            Metric("macro F1", False, _macro_f1),
            Metric("ROC AUC", False, _roc_auc),
            Metric("mean absolute error", True, _mean_absolute_error, _absolute_error),
            Metric("edit distance", True, None, _edit_distance),
            Metric("WER", True, None, _wer),
            Metric("chrF", False, None, _chrf),
        )
    }
)


def global_scores(
    predictions: pd.DataFrame, reference: pd.Series, metrics: Iterable[str | Metric]
) -> Leaderboard:
    """How good are each system's predictions as a whole?

    Parameters
    ----------
    predictions
        A row for each instance and a column for each system: labels, numbers or
        texts, as the metrics need them. `binarized` makes labels of decision
        values.
    reference
        The right answer of each instance, with the same index in any order.
    metrics
        Names from `METRICS` ("accuracy", "F1", "macro F1", "ROC AUC", "mean
        absolute error", "edit distance", "WER", "chrF"), or a `Metric` of your
        own. The last three are means over the instances: chrF is the mean of
        the sentence scores, not the score of all texts as one.

    Returns
    -------
    Leaderboard
        A row for each system and a column for each metric; the metrics on which
        lower is better are marked.

    Raises
    ------
    ImportError
        If the library behind a metric is not installed; the message names the
        extra that brings it.
    TypeError
        If the predictions are no frame, the reference is no Series, or a cell is
        of another kind than the metric compares: WER takes texts, accuracy labels
        that are all texts or all numbers. The message names the cell.
    ValueError
        If instances differ, are duplicate or lack a prediction or a reference, if
        a metric is unknown or given twice, if the reference has no two classes
        where a metric needs them, or a number is infinite or a fraction where it
        must not be.

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
    predictions, truth = _checked(predictions, reference)
    chosen = _chosen(metrics)
    missing = predictions.isna()
    if missing.any(axis=None):
        raise ValueError(
            f"missing predictions of {named(predictions.columns[missing.any()])} on "
            f"{named(predictions.index[missing.any(axis=1)], most=5)}; fill them in with what they "
            f"should count as, or use instance_scores, where they count as not evaluated"
        )
    scores = {
        metric.name: [_of_system(metric, truth, predictions[system]) for system in predictions]
        for metric in chosen
    }
    frame = pd.DataFrame(scores, index=predictions.columns.rename("system"))
    return Leaderboard(frame, lower_is_better=[m.name for m in chosen if m.lower_is_better])


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
        Instance-level scores: a row for each system and instance, a column for
        each metric; the metrics on which lower is better are marked. Every rule
        takes it, `pairwise_outcomes` makes comparisons of it.

    Raises
    ------
    ImportError, TypeError, ValueError
        As for `global_scores`; ValueError also if a metric is none of single
        predictions.

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
    predictions, truth = _checked(predictions, reference)
    chosen = _chosen(metrics)
    for metric in chosen:
        if metric.of_instance is None:
            possible = [name for name, known in METRICS.items() if known.of_instance is not None]
            raise ValueError(
                f"{metric.name} is no score of a single prediction; such are {named(possible)}"
            )
    index = pd.MultiIndex.from_product(
        [predictions.columns, predictions.index], names=["system", "instance"]
    )
    scores = {
        metric.name: np.concatenate(
            [_of_instances(metric, truth, predictions[system]) for system in predictions]
        )
        for metric in chosen
    }
    return Leaderboard(
        pd.DataFrame(scores, index=index),
        lower_is_better=[metric.name for metric in chosen if metric.lower_is_better],
    )


def binarized(decision_values: pd.DataFrame, threshold: float = 0.5) -> pd.DataFrame:
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
        The same frame with 1 for values of at least the threshold, and 0 for
        the others.

    Raises
    ------
    TypeError
        If a column does not hold numbers.
    ValueError
        If a value is missing.

    Examples
    --------
    >>> import pandas as pd
    >>> binarized(pd.DataFrame({"A": [0.2, 0.5], "B": [0.7, 0.1]}))
       A  B
    0  0  1
    1  1  0
    """
    others = [
        label
        for label, dtype in decision_values.dtypes.items()
        if not pd.api.types.is_numeric_dtype(dtype)
    ]
    if others:
        raise TypeError(f"decision values must be numbers; those of {named(others)} are not")
    missing = decision_values.isna().any()
    if missing.any():
        raise ValueError(
            f"missing decision values of {named(decision_values.columns[missing])}; a missing "
            f"value speaks for no class, so fill it in or drop the instance"
        )
    return (decision_values >= threshold).astype(np.int64)


def pairwise_outcomes(
    scores: pd.DataFrame | Leaderboard,
    *,
    tie_within: float,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Which of two systems did better, instance by instance and pair by pair?

    Parameters
    ----------
    scores
        Instance-level scores: a Leaderboard, such as `instance_scores` gives, or
        a frame with rows of `system` and `instance`.
    tie_within
        Two scores that are no further apart than this tie; 0 makes only equal
        scores a tie. In the unit of the scores, and for all metrics alike.
    lower_is_better
        The metrics on which a lower score is better, or True for all of them.

    Returns
    -------
    pandas.DataFrame
        A row for each metric, instance and pair of systems that both have a
        score there, with the columns

        task
            The metric.
        instance
            The instance.
        left, right
            The two systems; the one that is first on the board is left.
        winner
            "left", "right" or "tie".

        Ready for `nbrank.from_comparisons(frame, left="left", right="right",
        winner="winner")`.

    Raises
    ------
    TypeError
        If `lower_is_better` is given beside a Leaderboard.
    ValueError
        If the scores are not instance-level, or `tie_within` is not a number
        from 0.

    Examples
    --------
    >>> import pandas as pd
    >>> values = pd.DataFrame({"A": [0.7, 0.2], "B": [1.0, 0.3]}, index=["x", "y"])
    >>> board = instance_scores(values, pd.Series([1, 0], ["x", "y"]), ["mean absolute error"])
    >>> pairwise_outcomes(board, tie_within=0.15)
                      task instance left right winner
    0  mean absolute error        x    A     B  right
    1  mean absolute error        y    A     B    tie
    """
    tie_within = real_number("pairwise_outcomes", "tie_within", tie_within)
    if not (math.isfinite(tie_within) and tie_within >= 0):
        raise ValueError(f"tie_within={tie_within!r}; it must be a number, 0 or above")
    board = as_leaderboard(scores, lower_is_better=lower_is_better)
    if board.instances is None:
        raise ValueError(
            "pairwise_outcomes compares instance by instance; give scores with rows of 'system' "
            "and 'instance', or count a leaderboard's tasks with nbrank.pairwise"
        )
    oriented = np.where(board.lower[board.column_task], -1.0, 1.0) * board.values
    left, right = np.triu_indices(len(board.systems), 1)
    difference = (oriented[left] - oriented[right]).T
    column, pair = np.nonzero(~np.isnan(difference))
    apart = difference[column, pair]
    winner = np.select([apart > tie_within, apart < -tie_within], ["left", "right"], "tie")
    return pd.DataFrame(
        {
            "task": board.tasks[board.column_task[column]],
            "instance": board.instances[column],
            "left": board.systems[left[pair]],
            "right": board.systems[right[pair]],
            "winner": winner,
        }
    )


def comparisons_per_pair(n_systems: int, multiplier: float = 12.0) -> int:
    """How many comparisons of each pair does the linearithmic scheme draw?

    Parameters
    ----------
    n_systems
        The number of systems, m; at least 2.
    multiplier
        The c in c m ln(m).

    Returns
    -------
    int
        c m ln(m), rounded up.

    Raises
    ------
    ValueError
        If there are fewer than two systems, or the multiplier is not above 0.

    References
    ----------
    Levtsov and Ustalov, Confidence and stability of global and pairwise scores in
    NLP evaluation, ACL Student Research Workshop, 2025, section 4, after Maystre
    and Grossglauser, Just sort it!, ICML, 2017. The base of the logarithm is not
    said there; it is taken as natural.

    Examples
    --------
    >>> comparisons_per_pair(6)
    130
    """
    n_systems = whole_number("comparisons_per_pair", "n_systems", n_systems, least=2)
    multiplier = real_number("comparisons_per_pair", "multiplier", multiplier)
    if not (math.isfinite(multiplier) and multiplier > 0):
        raise ValueError(f"multiplier={multiplier!r}; it must be a number above 0")
    return math.ceil(multiplier * n_systems * math.log(n_systems))


def sampled(
    outcomes: pd.DataFrame, per_pair: int | None = None, seed: int | None = None
) -> pd.DataFrame:
    """Draw some of the comparisons of each pair, with replacement.

    Parameters
    ----------
    outcomes
        Comparisons with columns `left` and `right`, such as `pairwise_outcomes`
        gives. The two sides of a pair are one pair.
    per_pair
        How many comparisons of each pair are drawn; None draws
        `comparisons_per_pair` of the number of systems. A pair that has no more
        than that keeps each of its comparisons once.
    seed
        The seed of the draws; None takes a fresh one.

    Returns
    -------
    pandas.DataFrame
        The rows drawn, with their index; pair by pair, in the order in which the
        pairs first appear.

    Raises
    ------
    ValueError
        If a column is missing, there are no rows, a name is missing, or
        `per_pair` is below 1.

    References
    ----------
    Levtsov and Ustalov, Confidence and stability of global and pairwise scores in
    NLP evaluation, ACL Student Research Workshop, 2025, section 4.

    Examples
    --------
    >>> import pandas as pd
    >>> outcomes = pd.DataFrame({"left": "A", "right": "B", "winner": ["left"] * 8 + ["tie"] * 2})
    >>> sampled(outcomes, per_pair=4, seed=0)["winner"].value_counts().to_dict()
    {'left': 3, 'tie': 1}
    """
    absent = [column for column in _PAIR if column not in outcomes]
    if absent:
        raise ValueError(f"no column {named(absent)}; name the systems compared left and right")
    if not len(outcomes):
        raise ValueError("there are no comparisons to draw from")
    if outcomes[_PAIR].isna().any(axis=None):
        raise ValueError("a comparison names no system (NaN); drop such rows, or fill them in")
    numbers, systems = pd.factorize(np.concatenate([outcomes[side] for side in _PAIR]))
    left, right = numbers.reshape(2, -1)
    if per_pair is None:
        per_pair = comparisons_per_pair(len(systems))
    per_pair = whole_number("sampled", "per_pair", per_pair)
    pair, _ = pd.factorize(np.minimum(left, right) * len(systems) + np.maximum(left, right))
    by_pair = np.argsort(pair, kind="stable")
    rng = generator("sampled", seed)
    drawn = [
        rows if len(rows) <= per_pair else rng.choice(rows, per_pair)
        for rows in np.split(by_pair, np.cumsum(np.bincount(pair))[:-1])
    ]
    return outcomes.iloc[np.concatenate(drawn)]


def _checked(predictions: pd.DataFrame, reference: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """The predictions, and the reference in the order of their rows."""
    if not isinstance(predictions, pd.DataFrame):
        raise TypeError(
            f"predictions must be a DataFrame with a row for each instance and a column for each "
            f"system, not {type(predictions).__name__}"
        )
    if is_instance_level(predictions):
        raise ValueError(
            "predictions have a row for each instance and a column for each system; "
            "unstack the index level 'system'"
        )
    if not isinstance(reference, pd.Series):
        raise TypeError(
            f"the reference must be a Series with the index of the predictions, "
            f"not {type(reference).__name__}"
        )
    if predictions.empty:
        raise ValueError("there are no predictions; give a row for each instance")
    for labels, what in (
        (predictions.columns, "systems"),
        (predictions.index, "instances"),
        (reference.index, "instances in the reference"),
    ):
        if not labels.is_unique:
            raise ValueError(f"duplicate {what}: {named(labels[labels.duplicated()].unique())}")
    different = predictions.index.symmetric_difference(reference.index)
    if len(different):
        raise ValueError(
            f"predictions and reference have different instances: {named(different, most=5)}"
        )
    truth = reference.loc[predictions.index]
    if truth.isna().any():
        raise ValueError(
            f"no reference for {named(truth.index[truth.isna()], most=5)}; drop such instances"
        )
    return predictions, truth


def _chosen(metrics: Iterable[str | Metric]) -> list[Metric]:
    if isinstance(metrics, str | Metric):
        metrics = [metrics]
    chosen = list(metrics)
    unknown = [name for name in chosen if not isinstance(name, Metric) and name not in METRICS]
    if unknown:
        raise ValueError(f"unknown metrics: {named(unknown)}; known are {named(METRICS)}")
    if not chosen:
        raise ValueError(f"no metric is given; known are {named(METRICS)}")
    found = [metric if isinstance(metric, Metric) else METRICS[metric] for metric in chosen]
    names = [metric.name for metric in found]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"given twice: {named(twice)}")
    return found


def _of_system(metric: Metric, truth: pd.Series, predictions: pd.Series) -> float:
    if metric.of_system is None:
        return float(_of_instances(metric, truth, predictions).mean())
    if METRICS.get(metric.name) is metric:
        check_cells(metric.name, truth, predictions)
    try:
        return metric.of_system(truth.to_numpy(), predictions.to_numpy())
    except Exception as error:
        error.add_note(f"while scoring {predictions.name!r} by {metric.name}")
        raise


def _of_instances(metric: Metric, truth: pd.Series, predictions: pd.Series) -> NDArray[np.float64]:
    score = metric.of_instance
    assert score is not None
    if METRICS.get(metric.name) is metric:
        check_cells(metric.name, truth, predictions)
    observed = predictions.notna().to_numpy()
    scores = np.full(len(predictions), np.nan)
    for position in np.flatnonzero(observed).tolist():
        try:
            scores[position] = score(truth.iloc[position], predictions.iloc[position])
        except Exception as error:
            error.add_note(
                f"while scoring {predictions.name!r} on {predictions.index[position]!r} "
                f"by {metric.name}"
            )
            raise
    return scores
