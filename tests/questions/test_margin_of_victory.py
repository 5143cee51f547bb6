"""What the winner can lose: of one score, of whole tasks, of the weights, of its instances."""

from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import nbrank

ROWS = ["s0", "s1", "s2"]


def with_one_winner(run, draw):
    """The first table drawn that has one, and the winner."""
    while True:
        scores = draw()
        order = run(scores)
        if (order["rank"] == 1).sum() == 1:
            return scores, order.index[0]


def table(seed, m=3):
    """A table with one winner by Borda's rule, all scores different."""
    rng = np.random.default_rng(seed)
    while True:
        scores = pd.DataFrame(
            np.column_stack([rng.permutation(3) for _ in range(m)]).astype(float),
            ROWS,
            [f"t{i}" for i in range(m)],
        )
        weights = dict(zip(scores, rng.integers(1, 4, m).tolist(), strict=True))
        if (nbrank.borda(scores, weights=weights)["rank"] == 1).sum() == 1:
            return scores, weights


@pytest.mark.parametrize("seed", range(20))
def test_as_many_tasks_as_all_ballots_that_could_be_cast_take(seed):
    """Xia's margin of victory: all orders on all sets of tasks are tried."""
    scores, weights = table(seed)
    winner = nbrank.borda(scores, weights=weights).index[0]
    orders = [np.array(order, dtype=float) for order in permutations(range(3))]

    def enough(tasks):
        for chosen in product(orders, repeat=len(tasks)):
            changed = scores.assign(**dict(zip(tasks, chosen, strict=True)))
            if nbrank.borda(changed, weights=weights)["rank"][winner] > 1:
                return True
        return False

    fewest = next(r for r in range(1, 4) if any(enough(tasks) for tasks in combinations(scores, r)))
    row = nbrank.margin_of_victory(scores, weights=weights).loc["tasks"]
    assert row["least"] == fewest
    assert row["proven"]


@pytest.mark.parametrize("rule", ["borda", "mean", "plurality"])
@pytest.mark.parametrize("seed", range(15))
def test_as_little_weight_as_a_linear_programme_moves(rule, seed):
    rng = np.random.default_rng(seed)
    run = nbrank.RULES[rule].function
    scores, winner = with_one_winner(
        run,
        lambda: pd.DataFrame(rng.integers(0, 9, (4, 4)).astype(float), columns=list("abcd")),
    )
    values = np.column_stack([run(scores[[t]])["score"].reindex(scores.index) for t in scores])
    least = np.inf
    for rival in range(4):
        gap = values[winner] - values[rival]
        if rival == winner or gap.min() >= 0:
            continue
        # The weights, then how much each has more than before.
        answer = linprog(
            np.repeat([0.0, 1.0], 4),
            A_ub=np.block([[np.eye(4), -np.eye(4)], [gap, np.zeros(4)]]),
            b_ub=[0.25] * 4 + [0.0],
            A_eq=[[1.0] * 4 + [0.0] * 4],
            b_eq=[1.0],
        )
        least = min(least, answer.fun)
    row = nbrank.margin_of_victory(scores, rule).loc["weights"]
    assert row["proven"]
    assert row["least"] == pytest.approx(least) if least < np.inf else np.isnan(row["least"])


@pytest.mark.parametrize("rule", ["borda", "mean", "copeland", "mean_win_rate"])
@pytest.mark.parametrize("seed", range(8))
def test_the_score_falls_no_further_than_it_has_to(rule, seed):
    rng = np.random.default_rng(seed)
    run = nbrank.RULES[rule].function
    scores, winner = with_one_winner(
        run,
        lambda: pd.DataFrame(rng.integers(0, 30, (4, 3)).astype(float), columns=list("abc")),
    )
    falls = []
    for task in scores:
        for fall in np.arange(0, scores.loc[winner, task] + 1e-9, 1 / 4):
            changed = scores.copy()
            changed.loc[winner, task] -= fall
            if run(changed)["rank"][winner] > 1:
                falls.append(fall)
                break
    row = nbrank.margin_of_victory(scores, rule).loc["score"]
    if not falls:
        assert np.isnan(row["least"])
    else:
        assert min(falls) - 1 / 4 <= row["least"] <= min(falls) + 1e-9
        assert row["proven"]


@pytest.mark.parametrize("rule", ["mean", "borda"])
@pytest.mark.parametrize("seed", range(10))
def test_as_few_instances_as_all_sets_of_them_take(rule, seed):
    rng = np.random.default_rng(seed)
    rows = pd.MultiIndex.from_product([["A", "B", "C"], range(4)], names=["system", "instance"])
    run = nbrank.RULES[rule].function
    scores, winner = with_one_winner(
        run, lambda: pd.DataFrame(rng.integers(0, 2, (12, 2)), rows, ["t", "u"])
    )
    lowest = scores.min()
    cells = [(i, task) for i in range(4) for task in scores]

    def enough(chosen):
        changed = scores.copy()
        for instance, task in chosen:
            changed.loc[(winner, instance), task] = lowest[task]
        return run(changed)["rank"][winner] > 1

    sizes = (r for r in range(1, 9) if any(map(enough, combinations(cells, r))))
    row = nbrank.margin_of_victory(scores, rule).loc["instances"]
    fewest = next(sizes, None)
    assert row["proven"]
    assert np.isnan(row["least"]) if fewest is None else row["least"] == fewest


def test_a_lower_score_that_is_better_has_to_rise():
    scores = pd.DataFrame({"seconds": [1.0, 3.0], "errors": [2.0, 2.0]}, index=["A", "B"])
    found = nbrank.margin_of_victory(scores, "mean", lower_is_better=True)
    assert found.loc["score", "least"] == pytest.approx(2)
    assert found.loc["score", "rival"] == "B"


def test_several_winners_are_refused():
    with pytest.raises(ValueError, match="'A' and 'B'|'A', 'B'"):
        nbrank.margin_of_victory(pd.DataFrame({"t": [1, 1]}, index=["A", "B"]))


def test_a_rival_keeps_its_label_beside_a_change_that_is_never_enough():
    scores = pd.DataFrame({"t": [3.0, 1.0]}, index=[7, 8])
    rivals = nbrank.margin_of_victory(scores)["rival"]
    assert rivals.map(str).tolist() == ["8", "8", "None"]


def test_no_finite_fall_of_an_infinite_score_is_enough():
    scores = pd.DataFrame({"t": [np.inf, 8, 3], "u": [2, 1, 3]}, index=list("ABC"))
    found = nbrank.margin_of_victory(scores).loc["score"]
    assert np.isnan(found["least"])
    assert found["proven"]
