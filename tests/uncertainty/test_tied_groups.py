"""Which pairs are told apart: as many as the rank sets say, with p-values for all pairs."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets, from_comparisons, rank_confidence, significant_pairs

COLUMNS = ["better", "worse", "difference", "p_value"]


def table(seed, shape=(6, 12), missing=0.0, spread=3.0):
    rng = np.random.default_rng(seed)
    scores = np.round(rng.normal(size=shape) + np.linspace(spread, 0, shape[0])[:, None], 1)
    scores[rng.random(shape) < missing] = np.nan
    return pd.DataFrame(scores, index=list("ABCDEF")[: shape[0]]).add_prefix("t")


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("rule", ["mean", "borda", "mean_win_rate", "bradley_terry"])
def test_there_are_as_many_as_the_rank_sets_leave_out(seed, rule):
    missing = 0.15 * (seed % 3)
    scores = table(seed, shape=(6, 10 + seed % 9), missing=missing)
    options = {"missing": "ignore"} if rule == "mean" else {}
    if rule == "bradley_terry":
        options = {"prior": 0.1}
    delta = (0.05, 0.2)[seed % 2]
    pairs = significant_pairs(scores, rule, delta=delta, **options)
    sets = rank_confidence(scores, rule, delta=delta, seed=0, **options)
    assert len(pairs) == (6 - sets["high"]).sum() == (sets["low"] - 1).sum()
    by_system = pairs["better"].value_counts().reindex(sets.index, fill_value=0)
    assert (sets["high"] == 6 - by_system).all()
    assert (
        sets["low"] == 1 + pairs["worse"].value_counts().reindex(sets.index, fill_value=0)
    ).all()
    assert (pairs["difference"] > 0).all()
    assert (pairs["p_value"] <= delta).all()
    assert list(pairs) == COLUMNS


def stepdown(values, delta):
    """The sign-flip tests of all claims, by all sign patterns, stepping down one at a time."""
    n = len(values)
    signs = np.array(list(product([1, -1], repeat=values.shape[1])))
    claims = []
    for i, j in product(range(n), repeat=2):
        lead = values[i] - values[j]
        if i != j:
            scale = np.sqrt((lead**2).sum())
            claims.append((lead.sum() / scale, i, j, signs @ lead / scale))
    claims.sort(key=lambda claim: -claim[0])
    largest, p_values = np.full(len(signs), -np.inf), {}
    for observed, i, j, drawn in reversed(claims):
        largest = np.maximum(largest, drawn)
        p_values[i, j] = (largest >= observed - 1e-9).mean()
    highest, result = 0.0, {}
    for _, i, j, _ in claims:
        highest = max(highest, p_values[i, j])
        if highest <= delta:
            result["ABCDEF"[i], "ABCDEF"[j]] = highest
    return result


@pytest.mark.parametrize("seed", range(12))
def test_p_values_are_those_of_stepping_down_over_all_sign_patterns(seed):
    scores = table(seed, shape=(4, 9), spread=4)
    expected = stepdown(scores.to_numpy(), 0.3)
    pairs = significant_pairs(scores, "mean", delta=0.3)
    found = pairs.set_index(["better", "worse"])["p_value"]
    assert set(found.index) == set(expected)
    for pair, p_value in expected.items():
        assert found[pair] == pytest.approx(p_value)


def test_a_pair_is_just_told_apart_at_its_p_value():
    scores = table(3, spread=4)
    pairs = significant_pairs(scores, "borda", delta=0.2)
    for p_value in pairs["p_value"].unique():
        at_it = significant_pairs(scores, "borda", delta=float(p_value))
        below = significant_pairs(scores, "borda", delta=float(p_value) * 0.999)
        assert len(at_it) == (pairs["p_value"] <= p_value).sum()
        assert len(below) == (pairs["p_value"] < p_value).sum()


def test_superglue_has_pairs_that_its_sets_do_not_show():
    scores = datasets.load_superglue_submissions()
    pairs = significant_pairs(scores, "borda")
    sets = rank_confidence(scores, "borda", seed=0)
    assert len(pairs) == (24 - sets["high"]).sum()
    apart = sets["high"].to_numpy()[:, None] < sets["low"].to_numpy()
    assert 0 < apart.sum() < len(pairs) / 2


def test_differences_are_of_the_rules_scores():
    scores = table(0)
    points = nbrank.borda(scores)["score"]
    pairs = significant_pairs(scores, "borda", delta=0.2)
    expected = points.loc[pairs["better"]].to_numpy() - points.loc[pairs["worse"]].to_numpy()
    assert pairs["difference"].tolist() == expected.tolist()
    place = nbrank.borda(scores).index.get_indexer
    order = list(zip(place(pairs["better"]), place(pairs["worse"]), strict=True))
    assert order == sorted(order)


def test_names_and_order_change_labels_only():
    scores = table(2)
    names = dict(zip("ABCDEF", "uvwxyz", strict=True))
    pairs = significant_pairs(scores, "mean").replace({"better": names, "worse": names})
    turned = significant_pairs(scores.iloc[::-1, ::-1].rename(index=names), "mean")
    key = ["better", "worse"]
    pd.testing.assert_frame_equal(
        turned.sort_values(key, ignore_index=True), pairs.sort_values(key, ignore_index=True)
    )


def test_comparisons():
    battles = pd.DataFrame(
        {"left": "A", "right": "B", "winner": ["A"] * 300 + ["B"] * 100 + ["tie"] * 50}
    )
    comparisons = from_comparisons(battles, left="left", right="right", winner="winner")
    pairs = comparisons.significant_pairs("bradley_terry")
    strengths = comparisons.bradley_terry()["score"]
    assert pairs[["better", "worse"]].values.tolist() == [["A", "B"]]
    assert pairs["difference"].iloc[0] == pytest.approx(strengths["A"] - strengths["B"])
    sets = comparisons.rank_confidence("bradley_terry", seed=0)
    assert len(pairs) == (2 - sets["high"]).sum()


def test_few_tasks_or_clusters_tell_no_pair_apart():
    scores = table(0, shape=(3, 5), spread=9)
    pairs = significant_pairs(scores, "mean")
    assert len(pairs) == 0
    assert list(pairs) == COLUMNS
    assert "5 tasks can tell nothing apart" in pairs.attrs["note"]
    rows = pd.MultiIndex.from_product([["A", "B"], range(40)], names=["system", "instance"])
    right = pd.DataFrame({"maths": [1.0] * 40 + [0.0] * 40}, index=rows)
    assert len(significant_pairs(right, "mean")) == 1
    few = significant_pairs(right, "mean", cluster={number: number % 4 for number in range(40)})
    assert len(few) == 0
    assert list(few) == COLUMNS


def test_a_system_without_a_score_is_in_no_pair():
    scores = table(1, spread=4)
    scores.loc["C"] = np.nan
    pairs = significant_pairs(scores, "mean_win_rate")
    assert len(pairs) > 0
    assert not (pairs[["better", "worse"]] == "C").to_numpy().any()


def test_labels_of_any_kind_stay():
    scores = table(0, shape=(3, 12), spread=5)
    scores.index = pd.Index([("a", 1), ("a", 2), ("b", 1)], tupleize_cols=False)
    pairs = significant_pairs(scores, "mean")
    assert pairs["better"].iloc[0] == ("a", 1)


def test_refusals_are_in_its_own_name():
    with pytest.raises(ValueError, match="^significant_pairs: median does not rank by means"):
        significant_pairs(table(0), "median")
    with pytest.raises(ValueError, match=r"^significant_pairs: n_draws=3"):
        significant_pairs(table(0), "mean", n_draws=3)
