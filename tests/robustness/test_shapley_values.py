"""What each task adds to the winner's lead, and which tasks say the same."""

from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

import nbrank
from nbrank.arrays.rank_correlation import kendall_tau
from nbrank.robustness.shapley_values import task_taus


def table(seed, m=4, gaps=False):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 9, (5, m)).astype(float)
    if gaps:
        scores[rng.random(scores.shape) < 0.2] = np.nan
    return pd.DataFrame(scores, list("ABCDE"), [f"t{i}" for i in range(m)])


def shapley(worth, tasks):
    """The definition: the mean of what a task adds over all orders."""
    orders = list(permutations(tasks))
    found = dict.fromkeys(tasks, 0.0)
    for order in orders:
        for place, task in enumerate(order):
            found[task] += worth(order[: place + 1]) - worth(order[:place])
    return {task: value / len(orders) for task, value in found.items()}


@pytest.mark.parametrize("seed", range(6))
def test_borda_is_shared_out_as_the_definition_says(seed):
    scores = table(seed, gaps=True)
    weights = {"t0": 2}
    order = nbrank.borda(scores, weights=weights)
    one, two = order.index[:2]

    def worth(tasks):
        if not tasks:
            return 0.0
        given = {task: weights.get(task, 1) for task in tasks}
        points = nbrank.borda(scores[list(tasks)], weights=given)["score"]
        return points[one] - points[two]

    found = nbrank.task_influence(scores, weights=weights)
    expected = shapley(worth, list(scores))
    assert found["influence"].to_dict() == pytest.approx(expected)
    assert (found["error"] == 0).all()
    assert found["influence"].sum() == pytest.approx(
        order["score"].iloc[0] - order["score"].iloc[1]
    )


def test_other_rules_are_sampled_with_errors():
    scores = table(1)
    order = nbrank.copeland(scores)
    one, two = order.index[:2]

    def worth(tasks):
        if not tasks:
            return 0.0
        found = nbrank.copeland(scores[list(tasks)])["score"]
        return found[one] - found[two]

    found = nbrank.task_influence(scores, "copeland", n_draws=400)
    expected = pd.Series(shapley(worth, list(scores))).reindex(found.index)
    assert ((found["influence"] - expected).abs() <= 4 * found["error"] + 1e-9).all()
    assert found["influence"].sum() == pytest.approx(
        order["score"].iloc[0] - order["score"].iloc[1]
    )


def test_means_are_shared_out_in_their_own_unit():
    found = nbrank.task_influence(table(2), "mean")
    order = nbrank.mean(table(2))["score"]
    assert found["influence"].sum() == pytest.approx(order.iloc[0] - order.iloc[1])


def test_groups_have_the_sum_of_their_tasks():
    scores, groups = table(3), {"g": ["t0", "t1"], "h": ["t2", "t3"]}
    by_task = nbrank.task_influence(scores)["influence"]
    by_group = nbrank.task_influence(scores, whole_groups=True, groups=groups)["influence"]
    assert by_group["g"] == pytest.approx(by_task["t0"] + by_task["t1"])


@pytest.mark.parametrize("seed", range(5))
def test_taus_are_scipys(seed):
    scores = table(seed, m=5, gaps=True)
    found = nbrank.repeated_tasks(scores)
    for one in scores:
        for two in scores:
            both = scores[[one, two]].dropna() if one != two else scores[[one]].dropna()
            expected = kendalltau(both.iloc[:, 0], both.iloc[:, -1]).statistic
            assert found.loc[one, two] == pytest.approx(expected, nan_ok=True)


def test_tasks_that_repeat_each_other_are_neighbours():
    scores = table(0).assign(again=lambda table: 2 * table["t1"])
    order = list(nbrank.repeated_tasks(scores).index)
    assert abs(order.index("t1") - order.index("again")) == 1


def test_two_that_tie_have_no_lead_to_share_whatever_rounding_leaves():
    scores = pd.DataFrame([[0.5, 0.9, 0.8], [0.9, 0.8, 0.5], [0, 0, 0]], index=list("ABC"))
    found = nbrank.task_influence(scores, "mean")
    assert found["influence"].abs().max() > 0.1
    assert found["share"].isna().all()


# ------------------------------------------------------------------- one game for all tables


@pytest.mark.parametrize("rule", ["mean", "mean_rank", "mean_win_rate", "geometric_mean"])
def test_a_missing_score_of_a_third_system_changes_no_influence(rule):
    scores = pd.DataFrame({"t1": [4.0, 2, 1], "t2": [2.0, 2, 1]}, list("ABC"))
    missing = scores.copy()
    missing.loc["C", "t2"] = np.nan
    found = nbrank.task_influence(missing, rule, missing="ignore")["share"]
    assert found.to_dict() == nbrank.task_influence(scores, rule)["share"].to_dict()
    assert found.to_dict() == {"t1": 1, "t2": 0}


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_means_keep_the_denominators_of_all_tasks(seed, gaps):
    scores, weights = table(seed, gaps=gaps), {"t0": 2, "t1": 1, "t2": 1, "t3": 3}
    order = nbrank.mean(scores, weights=weights, missing="ignore")
    one, two = order.index[:2]
    total = (scores.notna() * pd.Series(weights)).sum(axis=1)

    def worth(tasks):
        parts = (scores[list(tasks)] * pd.Series(weights)[list(tasks)]).sum(axis=1) / total
        return parts[one] - parts[two]

    found = nbrank.task_influence(scores, "mean", weights=weights, missing="ignore")
    assert found["influence"].to_dict() == pytest.approx(shapley(worth, list(scores)))
    lead = order["score"].iloc[0] - order["score"].iloc[1]
    assert found["influence"].sum() == pytest.approx(lead)


@pytest.mark.parametrize("gap", [False, True])
def test_a_model_that_no_single_task_can_fit_takes_the_others_for_ties(gap):
    scores = pd.DataFrame(
        [[3.0, 3, 1, 3], [2, 1, 3, 2], [1, 2, np.nan if gap else 2, 1]], list("ABC"), list("wxyz")
    )
    order = nbrank.bradley_terry(scores)["score"]

    def worth(tasks):
        tied = scores.mask(~scores.columns.isin(tasks) & scores.notna(), 5.0)
        strengths = nbrank.bradley_terry(tied)["score"]
        return strengths["A"] - strengths["B"]

    found = nbrank.task_influence(scores, "bradley_terry", n_draws=300)
    expected = pd.Series(shapley(worth, list(scores))).reindex(found.index)
    assert ((found["influence"] - expected).abs() <= 4 * found["error"] + 1e-6).all()
    assert found["influence"].sum() == pytest.approx(order["A"] - order["B"])


def test_a_rule_that_fails_on_some_tasks_is_named_with_them():
    def picky(scores):
        if len(scores.tasks) < 2:
            raise ValueError("too few")
        return nbrank.copeland(scores)

    scores = pd.DataFrame({"t": [3, 2], "u": [3, 1]}, list("AB"))
    with pytest.raises(ValueError, match=r"picky can't rank by '[tu]' alone.*'borda'.*too few"):
        nbrank.task_influence(scores, picky)
    assert nbrank.task_influence(scores, "borda")["influence"].tolist() == [1, 1]


def test_davidson_names_two_calls_that_answer():
    rows = [[2.0, 1, 1, 0], [0, 0, 0, 3], [2, 3, 2, 2], [3, 2, 2, 2]]
    scores = pd.DataFrame(rows, list("ABCD"), ["t0", "t1", "t2", "t3"])
    nbrank.davidson(scores)
    with pytest.raises(ValueError, match="choose another rule, such as 'borda'.*prior=1"):
        nbrank.task_influence(scores, "davidson")
    nbrank.task_influence(scores, "borda")
    nbrank.task_influence(scores, "davidson", prior=1, n_draws=10)


def test_taus_of_tasks_are_those_of_the_systems_scored_on_both():
    rng = np.random.default_rng(20261122)
    for _ in range(50):
        scores = rng.choice([0.0, 1.0, 2.0, np.inf, np.nan], size=(rng.integers(1, 8), 3))
        found = task_taus(scores)
        for one, two in product(range(3), repeat=2):
            both = scores[~np.isnan(scores[:, [one, two]]).any(axis=1)]
            tau = kendall_tau(-both[:, one], -both[:, two])
            assert found[one, two] == pytest.approx(tau, nan_ok=True)
