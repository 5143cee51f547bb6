"""The smallest set of tasks that tells the same, and how well it does for other systems."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.agreement import kendall_tau
from nbrank.arrays.weights import unit_subsets


def table(seed, n=7, m=5):
    rng = np.random.default_rng(seed)
    skill = rng.normal(size=(n, 1))
    scores = np.round(10 * (skill + rng.normal(size=(n, m))))
    return pd.DataFrame(scores, [f"s{i}" for i in range(n)], [f"t{i}" for i in range(m)])


def smallest(scores, keeps, k, agreement):
    whole = nbrank.borda(scores)["rank"]
    for size in range(1, len(scores.columns) + 1):
        for tasks in combinations(scores, size):
            ranks = nbrank.borda(scores[list(tasks)])["rank"].reindex(whole.index)
            if keeps == "order":
                kept = ranks.nunique() > 1 and kendall_tau(ranks, whole) >= agreement - 1e-9
            else:
                kept = ((ranks <= k) == (whole <= k)).all()
            if kept:
                return size
    return None


@pytest.mark.parametrize(
    ("keeps", "k", "programmes"),
    # An order is not proven by a programme.
    [
        *(("winner", 1, False), ("winner", 1, True), ("top", 3, False), ("top", 3, True)),
        ("order", None, False),
    ],
)
@pytest.mark.parametrize("seed", range(12))
def test_no_set_is_smaller(keeps, k, seed, programmes, monkeypatch):
    if programmes:
        monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    scores = table(seed)
    found = nbrank.core_tasks(
        scores, keeps=keeps, k=k if keeps == "top" else None, agreement=0.9
    ).loc[0]
    assert found["size"] == smallest(scores, keeps, k, 0.9) == len(found["tasks"])
    assert found["proven"]
    ranks = nbrank.borda(scores[list(found["tasks"])])["rank"]
    assert found["agreement"] == pytest.approx(kendall_tau(ranks, nbrank.borda(scores)["rank"]))


@pytest.mark.parametrize("programmes", [False, True])
def test_a_shared_first_rank_stays_shared(programmes, monkeypatch):
    if programmes:
        monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    tasks = {f"t{i}": [3, 2, 1] if i < 3 else [2, 3, 1] for i in range(6)}
    scores = pd.DataFrame(tasks, index=list("ABC"))
    found = nbrank.core_tasks(scores).loc[0]
    ranks = nbrank.borda(scores[list(found["tasks"])])["rank"]
    assert found["size"] == 2
    assert ranks.to_dict() == {"A": 1, "B": 1, "C": 3}
    assert found["proven"]


#: Fifteen tasks, on each of which one of A, B and C is first; on all of them the three tie.
THREE_TIE = pd.DataFrame(
    {f"t{i}": [3 if i % 3 == j else 2 for j in range(3)] + [1] for i in range(15)}, list("ABCD")
)


def test_who_ties_across_the_last_place_at_the_top_need_not_tie_again():
    """On t0 alone the ranks are 1, 2, 2, 4: two or better are A, B and C, as on all tasks."""
    found = nbrank.core_tasks(THREE_TIE, keeps="top", k=2).loc[0]
    assert (found["size"], found["proven"]) == (1, True)
    ranks = nbrank.borda(THREE_TIE[list(found["tasks"])])["rank"]
    assert ranks.index[ranks <= 2].sort_values().tolist() == ["A", "B", "C"]


@pytest.mark.parametrize("size", [1, 2, 5, 15])
def test_sets_of_a_given_size_keep_the_top_though_another_tie_makes_it(size):
    found = nbrank.core_tasks(THREE_TIE, keeps="top", k=2, size=size).loc[0]
    ranks = nbrank.borda(THREE_TIE[list(found["tasks"])])["rank"]
    assert found["size"] == size
    assert ranks.index[ranks <= 2].sort_values().tolist() == ["A", "B", "C"]


@pytest.mark.parametrize("sized", [False, True])
@pytest.mark.parametrize("rule", ["borda", "mean"])
@pytest.mark.parametrize("seed", range(8))
def test_programmes_find_a_top_with_ties_where_all_sets_do(rule, seed, sized, monkeypatch):
    """Also where the k-th place is shared: of few tasks all sets are tried, which is the oracle."""
    rng = np.random.default_rng(seed)
    while True:
        scores = pd.DataFrame(rng.integers(0, 3, (5, 7)), list("ABCDE"))
        ranks = nbrank.RULES[rule].function(scores)["rank"]
        k = int(rng.integers(2, 5))
        if (ranks <= k).sum() > k:
            break
    size = int(rng.integers(1, 5)) if sized else None
    tried = nbrank.core_tasks(scores, rule, keeps="top", k=k, size=size).loc[0]
    monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    solved = nbrank.core_tasks(scores, rule, keeps="top", k=k, size=size).loc[0]
    assert solved[["size"]].equals(tried[["size"]])
    assert solved["proven"] or sized


@pytest.mark.parametrize("keeps", ["winner", "top"])
def test_with_missing_scores_a_set_is_found_that_the_rule_itself_confirms(keeps, monkeypatch):
    monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    rng = np.random.default_rng(0)
    for _ in range(10):
        scores = pd.DataFrame(rng.integers(0, 3, (4, 6)).astype(float)).mask(
            rng.random((4, 6)) < 0.3
        )
        found = nbrank.core_tasks(
            scores, "mean", keeps=keeps, k=2 if keeps == "top" else None, missing="median"
        ).loc[0]
        assert found["size"] >= 1


def test_an_order_of_many_tasks_is_found_and_not_called_proven(monkeypatch):
    monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    found = nbrank.core_tasks(table(0), keeps="order", agreement=0.8).loc[0]
    assert found["agreement"] >= 0.8
    assert not found["proven"]


def test_the_order_of_many_systems_is_kept_by_each_of_equal_tasks():
    scores = pd.DataFrame(np.repeat(np.arange(154.0)[:, None], 3, axis=1), columns=list("abc"))
    found = nbrank.core_tasks(scores, keeps="order").iloc[0]
    assert (found["size"], found["tasks"], found["agreement"]) == (1, ("a",), 1.0)


def test_the_best_set_of_a_size():
    scores = table(3)
    found = nbrank.core_tasks(scores, keeps="order", size=3).loc[0]
    whole = nbrank.borda(scores)["rank"]
    best = max(
        kendall_tau(nbrank.borda(scores[list(tasks)])["rank"], whole)
        for tasks in combinations(scores, 3)
    )
    assert found["agreement"] == pytest.approx(best)


def test_tasks_that_chance_made_agree_predict_no_better_than_chance():
    """On scores that are noise what was chosen on some systems says nothing of the others."""
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(60, 10)))
    found = nbrank.core_tasks(noise, keeps="order", size=4).loc[0]
    assert found["agreement"] > found["held_out"]
    assert found["held_out"] == pytest.approx(found["by_chance"], abs=0.2)


def test_options_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="needs k"):
        nbrank.core_tasks(table(0), keeps="top")
    with pytest.raises(ValueError, match="k=8, and there are 7 systems"):
        nbrank.core_tasks(table(0), keeps="top", k=8)
    with pytest.raises(ValueError, match="takes no k"):
        nbrank.core_tasks(table(0), k=2)
    with pytest.raises(ValueError, match="size=9"):
        nbrank.core_tasks(table(0), size=9)
    with pytest.raises(
        ValueError, match="no exact answer for copeland, whose scores are not sums over tasks"
    ):
        nbrank.core_tasks(table(0), "copeland")


def test_all_sets_are_tried_for_few_tasks():
    blocks = list(unit_subsets.iter_subsets(np.zeros(4, dtype=bool)))
    assert len(np.unique(np.concatenate(blocks), axis=0)) == 15
