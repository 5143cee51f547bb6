"""From predictions to leaderboards and to pairwise comparisons."""

import itertools
import math
import re
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

import nbrank
from nbrank import metrics
from nbrank.metrics.metric_registry import _sacrebleu_chrf

TEXT_METRICS = ["edit distance", "WER", "chrF"]


@pytest.fixture
def labels():
    """Four instances of class yes, two of class no."""
    index = list("abcdef")
    truth = pd.Series(["yes", "yes", "yes", "yes", "no", "no"], index)
    predictions = pd.DataFrame(
        {
            "careful": ["yes", "yes", "no", "no", "no", "no"],
            "eager": ["yes", "yes", "yes", "yes", "yes", "no"],
            "silent": ["no"] * 6,
        },
        index,
    )
    return predictions, truth


@pytest.fixture
def values():
    """Decision values of three models; one gives only 0 and 1."""
    truth = pd.Series([1, 1, 0, 0])
    predictions = pd.DataFrame(
        {"modest": [0.6, 0.7, 0.4, 0.5], "sure": [1, 1, 0, 1], "wrong": [0.1, 0.2, 0.8, 0.9]},
    )
    return predictions, truth


def levenshtein(a, b):
    """The textbook recursion, cell by cell, for strings and for lists of words."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(b, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


class TestGlobalScores:
    def test_accuracy_is_the_share_of_right_labels(self, labels):
        scores = metrics.global_scores(*labels, ["accuracy"]).scores
        assert scores["accuracy"].to_dict() == pytest.approx(
            {"careful": 4 / 6, "eager": 5 / 6, "silent": 2 / 6}
        )

    def test_f1_is_of_the_second_class_in_sorted_order(self, labels):
        # "yes": precision 1 and recall 1/2; 4/5 and 1; never predicted.
        scores = metrics.global_scores(*labels, ["F1"]).scores
        assert scores["F1"].to_dict() == pytest.approx(
            {"careful": 2 / 3, "eager": 8 / 9, "silent": 0.0}
        )

    def test_macro_f1_is_the_mean_over_the_classes(self, labels):
        # "no": precision 2/4 and recall 1; 1 and 1/2; 2/6 and 1.
        scores = metrics.global_scores(*labels, ["macro F1"]).scores
        assert scores["macro F1"].to_dict() == pytest.approx(
            {
                "careful": (2 / 3 + 2 / 3) / 2,
                "eager": (8 / 9 + 2 / 3) / 2,
                "silent": (0 + 1 / 2) / 2,
            }
        )

    def test_roc_auc_is_the_share_of_pairs_of_both_classes_in_the_right_order(self, values):
        predictions, truth = values
        scores = metrics.global_scores(predictions, truth, ["ROC AUC"]).scores
        for system, column in predictions.items():
            ones, zeros = column[truth == 1].to_numpy(), column[truth == 0].to_numpy()
            pairs = (ones[:, None] > zeros) + (ones[:, None] == zeros) / 2
            assert scores.loc[system, "ROC AUC"] == pytest.approx(pairs.mean())

    def test_the_mean_absolute_error_is_lower_for_the_better(self, values):
        board = metrics.global_scores(*values, ["mean absolute error", "ROC AUC"])
        assert board.scores["mean absolute error"].to_dict() == pytest.approx(
            {"modest": 0.4, "sure": 0.25, "wrong": 0.85}
        )
        assert board.lower_is_better == ("mean absolute error",)

    @pytest.mark.parametrize("metric", TEXT_METRICS)
    def test_the_score_of_texts_is_the_mean_over_the_texts(self, metric):
        texts = pd.DataFrame({"A": ["the cat", "a dog"], "B": ["cat", "an old dog"]})
        reference = pd.Series(["the cat", "the dog"])
        of_all = metrics.global_scores(texts, reference, metric).scores[metric]
        single = metrics.instance_scores(texts, reference, metric).scores[metric]
        pd.testing.assert_series_equal(of_all, single.groupby(level="system").mean())

    def test_the_reference_is_aligned_by_instance(self, labels):
        predictions, truth = labels
        shuffled = truth.iloc[[5, 3, 1, 0, 2, 4]]
        pd.testing.assert_frame_equal(
            metrics.global_scores(predictions, shuffled, ["accuracy", "F1"]).scores,
            metrics.global_scores(predictions, truth, ["accuracy", "F1"]).scores,
        )

    def test_a_leaderboard_of_metrics_can_be_ranked(self, values):
        board = metrics.global_scores(*values, ["ROC AUC", "mean absolute error"])
        # ROC AUC 1, 3/4, 0; mean absolute error 0.4, 0.25, 0.85: one first place each.
        assert nbrank.borda(board)["rank"].to_dict() == {"modest": 1, "sure": 1, "wrong": 3}


class TestInstanceScores:
    def test_right_is_1_and_wrong_is_0(self, labels):
        scores = metrics.instance_scores(*labels, "accuracy").scores["accuracy"]
        assert scores.loc["careful"].tolist() == [1, 1, 0, 0, 1, 1]

    def test_absolute_errors_average_to_the_mean_absolute_error(self, values):
        single = metrics.instance_scores(*values, "mean absolute error").scores
        of_all = metrics.global_scores(*values, "mean absolute error").scores
        pd.testing.assert_frame_equal(single.groupby(level="system").mean(), of_all)

    @settings(max_examples=50)
    @given(st.text("ab c", max_size=12), st.text("ab c", max_size=12).filter(str.strip))
    def test_edits_are_those_of_the_textbook(self, text, reference):
        board = metrics.instance_scores(
            pd.DataFrame({"A": [text], "B": [reference]}), pd.Series([reference]), TEXT_METRICS
        )
        scores = board.scores.droplevel("instance")
        assert scores.loc["A", "edit distance"] == levenshtein(text, reference)
        words = reference.split()
        assert scores.loc["A", "WER"] == pytest.approx(
            levenshtein(text.split(), words) / len(words)
        )
        assert scores.loc["B"].tolist() == pytest.approx([0, 0, 100])

    def test_chrf_of_a_short_text_by_hand(self):
        # "abc" for "abd": of 3, 2 and 1 n-grams of length 1, 2 and 3, 2, 1 and 0 agree, on both
        # sides alike; precision and recall are (2/3 + 1/2 + 0) / 3. Longer ones there are not.
        board = metrics.instance_scores(pd.DataFrame({"A": ["abc"]}), pd.Series(["abd"]), ["chrF"])
        assert board.scores["chrF"].tolist() == pytest.approx([100 * (2 / 3 + 1 / 2) / 3])

    def test_a_missing_prediction_is_not_evaluated(self):
        texts = pd.DataFrame({"A": ["a", None], "B": ["a", "b"]})
        board = metrics.instance_scores(texts, pd.Series(["a", "b"]), ["edit distance"])
        assert board.values.tolist()[1] == [0, 0]
        assert np.isnan(board.values[0, 1])

    def test_f1_is_no_score_of_a_single_prediction(self, labels):
        with pytest.raises(ValueError, match="F1 does not score single predictions; these do"):
            metrics.instance_scores(*labels, ["F1"])


#: What is in the three cells -> the kinds of metric that take it on both sides.
CELLS = {
    "integers": ([1, 0, 1], {"labels", "numbers", "decisions"}),
    "nullable integers": (pd.array([1, 0, 1], "Int64"), {"labels", "numbers", "decisions"}),
    "integers as objects": (
        pd.Series([1, 0, 1], dtype=object), {"labels", "numbers", "decisions"}
    ),
    "booleans": ([True, False, True], {"labels", "numbers", "decisions"}),
    "texts": (["a", "b", "a"], {"labels", "texts"}),
    "categories": (pd.Categorical(["a", "b", "a"]), {"labels", "texts"}),
    "digits": (["1", "0", "1"], {"labels", "texts"}),
    "fractions": ([0.5, 0.25, 0.5], {"numbers"}),
    "texts and a number": (["a", 1, "a"], set()),
    "numbers and a text": ([1, "a", 0], set()),
    "lists": ([[1], [2], [1]], set()),
    "dates": (pd.date_range("2020-01-01", periods=2)[[0, 1, 0]], {"labels"}),
    "an infinite number": ([1.0, np.inf, 0.0], set()),
}  # fmt: skip
KINDS = {
    "accuracy": "labels", "F1": "labels", "macro F1": "labels", "ROC AUC": "decisions",
    "mean absolute error": "numbers", "edit distance": "texts", "WER": "texts",
    "chrF": "texts",
}  # fmt: skip


class TestRefusals:
    def test_missing_predictions_are_named(self, labels):
        predictions, truth = labels
        predictions.loc["b", "eager"] = None
        with pytest.raises(ValueError, match="missing predictions of 'eager' on 'b'"):
            metrics.global_scores(predictions, truth, ["accuracy"])

    def test_a_missing_reference_is_named(self, labels):
        predictions, truth = labels
        truth["c"] = None
        with pytest.raises(ValueError, match="no reference for 'c'"):
            metrics.global_scores(predictions, truth, ["accuracy"])

    def test_different_instances_are_named(self, labels):
        predictions, truth = labels
        with pytest.raises(ValueError, match="different instances: 'f'"):
            metrics.instance_scores(predictions, truth.drop("f"), ["accuracy"])

    @pytest.mark.parametrize("where", ["predictions", "reference"])
    def test_instances_that_are_there_twice_are_named(self, labels, where):
        predictions, truth = labels
        if where == "predictions":
            predictions = pd.concat([predictions, predictions.loc[["a"]]])
        else:
            truth = pd.concat([truth, truth.loc[["a"]]])
        with pytest.raises(ValueError, match="duplicate instances.*'a'"):
            metrics.global_scores(predictions, truth, ["accuracy"])

    def test_an_array_has_no_labels(self, labels):
        predictions, truth = labels
        with pytest.raises(TypeError, match="must be a Series"):
            metrics.global_scores(predictions, truth.to_numpy(), ["accuracy"])
        with pytest.raises(TypeError, match="must be a DataFrame"):
            metrics.global_scores(predictions.to_numpy(), truth, ["accuracy"])

    def test_long_predictions_are_sent_back(self, labels):
        predictions, truth = labels
        long = predictions.rename_axis(index="instance", columns="system").stack().to_frame("label")
        with pytest.raises(ValueError, match="unstack the index level 'system'"):
            metrics.global_scores(long, truth, ["accuracy"])

    def test_an_unknown_metric_is_named_beside_the_known_ones(self, labels):
        with pytest.raises(ValueError, match="unknown metrics: 'BLEU'; known are 'accuracy'"):
            metrics.global_scores(*labels, ["BLEU"])

    @pytest.mark.parametrize(
        ("chosen", "message"), [([], "no metric is given"), (["F1", "F1"], "given twice: 'F1'")]
    )
    def test_metrics_are_given_once(self, labels, chosen, message):
        with pytest.raises(ValueError, match=message):
            metrics.global_scores(*labels, chosen)

    @pytest.mark.parametrize("metric", ["accuracy", "F1", "macro F1"])
    def test_decision_values_are_no_labels(self, values, metric):
        with pytest.raises(ValueError, match="make labels of decision values with .*binarized"):
            metrics.global_scores(*values, metric)

    @pytest.mark.parametrize("metric", ["F1", "ROC AUC"])
    def test_two_classes_are_needed(self, values, metric):
        predictions, truth = values
        with pytest.raises(ValueError, match=f"{metric} needs two classes"):
            metrics.global_scores(metrics.binarized(predictions), truth * 0, metric)

    def test_every_metric_is_tested_here(self):
        assert set(KINDS) == set(metrics.METRICS)

    @pytest.mark.parametrize("metric", KINDS)
    @pytest.mark.parametrize("what", CELLS)
    def test_cells_of_the_wrong_kind_are_named(self, metric, what):
        index = ["x", "y", "z"]
        good = {"texts": ["p", "q", "p"]}.get(KINDS[metric], [1, 0, 1])
        wrong, taken = CELLS[what]
        wrong = pd.Series(wrong).set_axis(index)
        both = pd.DataFrame({"A": pd.Series(good, index), "B": wrong[::-1].set_axis(index)})
        sides = [(both[["B"]], wrong), (both, pd.Series(good, index)), (both[["A"]], wrong)]
        reasons = "has .* on '[xyz]'|'mean absolute error'|binarized|two classes"
        functions = [metrics.global_scores]
        if metrics.METRICS[metric].score_instance is not None:
            functions.append(metrics.instance_scores)
        for function, (predictions, truth) in itertools.product(functions, sides):
            try:
                assert function(predictions, truth, metric).scores.notna().all(axis=None)
                said = ""
            except (TypeError, ValueError) as error:
                said = str(error)
            assert not said or (metric in said and re.search(reasons, said)), said
        if KINDS[metric] in taken:
            metrics.global_scores(both[["B"]], wrong, metric)

    @pytest.mark.parametrize(
        ("metric", "truth", "prediction", "said"),
        [
            ("WER", ["a b", "c"], ["a", 3], "WER compares texts here, and 'A' has 3 on 1"),
            ("WER", [1, 2], ["a", "b"], "WER compares texts here, and the reference has 1 on 0"),
            ("chrF", ["a", "b"], [0.5, 1], "chrF compares texts here, and 'A' has 0.5 on 0"),
            ("edit distance", ["a", "b"], [["a"], "b"], "texts here, and 'A' has ['a'] on 0"),
            ("accuracy", ["a", "b"], ["a", 1], "accuracy compares texts here, and 'A' has 1 on 1"),
            ("F1", [1, 0], ["1", "0"], "numbers here, and 'A' has '1' on 0; give numbers"),
            ("ROC AUC", [1, 0], ["high", "low"], "compares numbers here, and 'A' has 'high'"),
            ("mean absolute error", [1, 0], [1, "0"], "numbers here, and 'A' has '0' on 1"),
            ("mean absolute error", [1, np.inf], [1, 0], "reference has an infinite number on 1"),
            ("accuracy", [0.5, 1.5], [0.5, 1.5], "0.5, 1.5 are not labels; of numbers"),
        ],
    )  # fmt: skip
    def test_what_is_said_of_a_cell(self, metric, truth, prediction, said):
        with pytest.raises((TypeError, ValueError), match=re.escape(said)):
            metrics.global_scores(pd.DataFrame({"A": prediction}), pd.Series(truth), metric)

    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=9))
    def test_labels_of_any_kind_score_alike(self, cells):
        truth, predicted = zip(*cells, strict=True)
        kinds = [
            list("abcd"),
            [False, True, 2, 3],
            pd.date_range("2020", periods=4),
            [0.0, 1, 2, 3],
        ]
        names = ["accuracy", "macro F1"] + ["F1"] * (len(set(truth)) == 2)
        first, *others = (
            metrics.global_scores(
                pd.DataFrame({"A": [kind[label] for label in predicted]}),
                pd.Series([kind[label] for label in truth]),
                names,
            ).scores
            for kind in ([0, 1, 2, 3], *kinds)
        )
        expected = [
            accuracy_score(truth, predicted),
            f1_score(truth, predicted, average="macro", zero_division=0),
        ]
        assert first.loc["A", names[:2]].tolist() == expected
        for other in others:
            pd.testing.assert_frame_equal(first, other)

    def test_an_error_of_a_metric_of_ones_own_names_the_system(self):
        mine = metrics.Metric("mine", False, score_instance=lambda reference, text: text.missing)
        with pytest.raises(AttributeError) as caught:
            metrics.global_scores(pd.DataFrame({"A": ["x"]}), pd.Series(["x"]), mine)
        assert caught.value.__notes__ == ["while scoring 'A' on 0 by mine"]

    def test_a_reference_without_words_has_no_error_rate(self):
        with pytest.raises(ValueError, match="without a word") as caught:
            metrics.instance_scores(pd.DataFrame({"A": ["x"]}), pd.Series([" "]), "WER")
        assert caught.value.__notes__ == ["while scoring 'A' on 0 by WER"]

    def test_a_metric_must_score_something(self):
        with pytest.raises(TypeError, match="'mine' scores nothing"):
            metrics.Metric("mine", lower_is_better=False)

    @pytest.mark.parametrize(
        ("metric", "module", "package"),
        [
            ("accuracy", "sklearn.metrics", "scikit-learn"),
            ("edit distance", "rapidfuzz.distance", "rapidfuzz"),
            ("WER", "jiwer", "jiwer"),
            ("chrF", "sacrebleu.metrics.chrf", "sacrebleu"),
        ],
    )
    def test_without_the_extra_the_error_names_it(self, monkeypatch, metric, module, package):
        monkeypatch.setitem(sys.modules, module, None)
        _sacrebleu_chrf.cache_clear()
        message = rf"{metric} needs {package}, .* pip install 'nbrank\[metrics\]'"
        with pytest.raises(ImportError, match=message):
            metrics.global_scores(pd.DataFrame({"A": ["x"]}), pd.Series(["x"]), metric)


class TestBinarized:
    def test_the_threshold_itself_speaks_for_1(self, values):
        predictions, _ = values
        assert metrics.binarized(predictions)["modest"].tolist() == [1, 1, 0, 1]
        assert metrics.binarized(predictions, threshold=0.7)["modest"].tolist() == [0, 1, 0, 0]

    def test_labels_stay_what_they_are(self, values):
        predictions, _ = values
        once = metrics.binarized(predictions)
        pd.testing.assert_frame_equal(metrics.binarized(once), once)

    def test_missing_values_and_words_are_refused(self, values):
        predictions, _ = values
        with pytest.raises(ValueError, match="missing decision values of 'modest'"):
            metrics.binarized(predictions.where(predictions != 0.7))
        with pytest.raises(TypeError, match="'sure' are not"):
            metrics.binarized(predictions.assign(sure="yes"))


@pytest.fixture
def board():
    """Three systems on four instances: ties, and one missing score."""
    scores = pd.DataFrame(
        {"A": [1.0, 2.0, 3.0, np.nan], "B": [1.0, 1.5, 9.0, 4.0], "C": [0.0, 2.5, 3.0, 1.0]}
    )
    long = scores.rename_axis(index="instance", columns="system").T.stack(future_stack=True)
    return nbrank.Leaderboard(long.to_frame("task"))


def compared(outcomes):
    return nbrank.from_comparisons(outcomes, left="left", right="right", winner="winner")


class TestPairwiseOutcomes:
    def test_each_pair_meets_where_both_have_a_score(self, board):
        outcomes = metrics.pairwise_outcomes(board, tie_within=0)
        met = outcomes.groupby(["left", "right"])["instance"].apply(list).to_dict()
        assert met == {("A", "B"): [0, 1, 2], ("A", "C"): [0, 1, 2], ("B", "C"): [0, 1, 2, 3]}

    def test_they_count_what_pairwise_counts(self, board):
        outcomes = metrics.pairwise_outcomes(board, tie_within=0)
        pd.testing.assert_frame_equal(
            compared(outcomes).pairwise(), nbrank.pairwise(board), check_names=False
        )

    def test_scores_as_far_apart_as_the_tie_rule_says_tie(self, board):
        outcomes = metrics.pairwise_outcomes(board, tie_within=0.5)
        of_ab = outcomes[(outcomes["left"] == "A") & (outcomes["right"] == "B")]
        assert of_ab["winner"].tolist() == ["tie", "tie", "right"]

    def test_lower_may_be_better(self, board):
        higher = metrics.pairwise_outcomes(board.scores, tie_within=0)
        lower = metrics.pairwise_outcomes(board.scores, tie_within=0, lower_is_better=True)
        turned = higher["winner"].map({"left": "right", "right": "left", "tie": "tie"})
        assert lower["winner"].tolist() == turned.tolist()

    def test_metrics_are_compared_one_by_one(self):
        texts = pd.DataFrame({"A": ["a b", "c"], "B": ["a b", "d"]})
        scored = metrics.instance_scores(texts, pd.Series(["a b", "d"]), TEXT_METRICS)
        outcomes = metrics.pairwise_outcomes(scored, tie_within=0)
        assert outcomes["task"].tolist() == [metric for metric in TEXT_METRICS for _ in range(2)]
        assert outcomes["winner"].tolist() == ["tie", "right"] * 3

    def test_tasks_have_no_instances_to_compare(self):
        with pytest.raises(ValueError, match="nbrank.pairwise"):
            metrics.pairwise_outcomes(nbrank.datasets.load_llm_chat(), tie_within=0)

    @pytest.mark.parametrize("tie_within", [-1, math.nan, math.inf])
    def test_the_tie_rule_is_a_distance(self, board, tie_within):
        with pytest.raises(ValueError, match="it must be a number, 0 or above"):
            metrics.pairwise_outcomes(board, tie_within=tie_within)

    def test_the_tie_rule_must_be_said(self, board):
        with pytest.raises(TypeError, match="tie_within"):
            metrics.pairwise_outcomes(board)


class TestSampled:
    @pytest.fixture
    def outcomes(self):
        rng = np.random.default_rng(0)
        systems = list("ABC")
        pairs = [(a, b) for a in systems for b in systems if a < b]
        rows = [(*pair, winner) for pair in pairs for winner in rng.permutation(["left"] * 400)]
        return pd.DataFrame(rows, columns=["left", "right", "winner"])

    def test_12_m_ln_m_comparisons_per_pair(self, outcomes):
        assert math.ceil(36 * math.log(3)) == 40
        drawn = metrics.sampled(outcomes, seed=0)
        assert drawn.groupby(["left", "right"]).size().tolist() == [40, 40, 40]

    def test_a_pair_with_fewer_keeps_each_once(self, outcomes):
        few = outcomes.drop(outcomes.index[(outcomes["right"] == "B")][5:])
        drawn = metrics.sampled(few, seed=0)
        assert drawn.groupby(["left", "right"]).size().tolist() == [5, 40, 40]
        assert not drawn.index[drawn["right"] == "B"].has_duplicates

    def test_draws_are_with_replacement(self, outcomes):
        drawn = metrics.sampled(outcomes, per_pair=399, seed=0)
        # Of 400 rows, 1 - (1 - 1/400)**399 = 63 % are expected to be seen.
        seen = drawn.index.nunique() / len(outcomes)
        assert seen == pytest.approx(1 - (1 - 1 / 400) ** 399, abs=0.03)

    def test_the_same_seed_draws_the_same(self, outcomes):
        once, twice, other = (metrics.sampled(outcomes, seed=seed) for seed in (1, 1, 2))
        pd.testing.assert_frame_equal(once, twice)
        assert not once.index.equals(other.index)

    def test_both_sides_of_a_pair_are_one_pair(self, outcomes):
        turned = outcomes.rename(columns={"left": "right", "right": "left"})
        both = pd.concat([outcomes, turned], ignore_index=True)
        drawn = metrics.sampled(both, seed=0)
        pairs = drawn[["left", "right"]].apply(frozenset, axis=1)
        assert pairs.value_counts().tolist() == [40, 40, 40]

    def test_every_comparison_is_drawn_alike(self):
        outcomes = pd.DataFrame({"left": "A", "right": "B", "winner": ["left", "tie", "right"]})
        many = pd.concat([metrics.sampled(outcomes, per_pair=2, seed=s) for s in range(1500)])
        shares = many["winner"].value_counts(normalize=True)
        # 3,000 draws: a standard error of 0.0086.
        assert shares.to_numpy() == pytest.approx(1 / 3, abs=0.04)

    @pytest.mark.parametrize(
        ("outcomes", "options", "message"),
        [
            (pd.DataFrame({"left": ["A"]}), {}, "no column 'right'"),
            (pd.DataFrame({"left": [], "right": []}), {}, "no comparisons"),
            (pd.DataFrame({"left": ["A"], "right": [None]}), {}, "names no system"),
            (pd.DataFrame({"left": ["A"], "right": ["B"]}), {"per_pair": 0}, "at least 1"),
        ],
    )
    def test_what_cannot_be_drawn_from_is_refused(self, outcomes, options, message):
        with pytest.raises(ValueError, match=message):
            metrics.sampled(outcomes, **options)

    def test_a_pair_takes_two_systems(self):
        with pytest.raises(ValueError, match="'A' is compared only with itself; drop such rows"):
            metrics.sampled(pd.DataFrame({"left": ["A"], "right": ["A"]}))


@pytest.mark.parametrize(
    ("takes", "predictions", "message"),
    [
        (("texts", "texts"), ["a", 1], r"compares texts here, and 'A' has 1 on 1"),
        (("texts", "numbers"), ["a", "b"], r"compares numbers here, and 'A' has 'a' on 0"),
        (("labels", "labels"), [0.5, 1.5], r"compares texts here, and 'A' has 0.5 on 0"),
    ],
)
def test_a_metric_of_ones_own_may_say_what_it_takes(takes, predictions, message):
    equal = metrics.Metric(
        "equal", False, score_instance=lambda a, b: float(a == b), value_kinds=takes
    )
    reference, frame = pd.Series(["a", "b"]), pd.DataFrame({"A": predictions}, dtype=object)
    with pytest.raises(TypeError, match=message):
        metrics.global_scores(frame, reference, equal)
    untold = metrics.Metric("equal", False, score_instance=equal.score_instance)
    assert metrics.global_scores(frame, reference, untold).values.shape == (1, 1)


def test_two_infinite_scores_tie():
    rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "instance"])
    scores = pd.DataFrame({"t": [np.inf, 1, np.inf, 2]}, index=rows)
    outcomes = metrics.pairwise_outcomes(scores, tie_within=0.5)
    assert outcomes["winner"].tolist() == ["tie", "right"]


def test_systems_may_be_tuples():
    systems = pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])
    predictions = pd.DataFrame([[1, 0], [0, 0]], columns=systems)
    found = metrics.global_scores(predictions, pd.Series([1, 0]), ["accuracy"])
    assert found.scores["accuracy"].to_dict() == {("a", 1): 1, ("b", 2): 0.5}
