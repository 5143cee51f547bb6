"""What the winner can lose: of one score, of whole tasks, of the weights, of its instances."""

from functools import partial
from itertools import combinations, pairwise, permutations, product

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
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.full) for n in range(3, 8))]
)
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


# ------------------------------------------------------------------- rules that are not monotone


def test_a_fall_that_is_enough_though_a_larger_one_is_not():
    """Coombs' winner A loses to B if it falls between B and C on t1, and wins again below C."""
    scores = pd.DataFrame([[2.0, 3, 3], [3, 2, 1], [1, 1, 2]], list("ABC"), ["t0", "t1", "t2"])
    assert nbrank.coombs(scores.replace({"t1": {3: 1.5}}))["rank"]["B"] == 1
    row = nbrank.margin_of_victory(scores, "coombs").loc["score"]
    assert row.tolist() == [1.0, "B", ("t1",), True]


def test_a_fall_that_is_enough_though_the_largest_is_not():
    scores = pd.DataFrame(
        {
            "t0": [3.0, 2, 1],
            "t1": [1.0, 2, 3],
            "t2": [2.0, 1, 3],
            "t3": [1.0, 3, 2],
            "t4": [2, 1, 3],
        },
        list("ABC"),
    )
    row = nbrank.margin_of_victory(scores, "baldwin").loc["score"]
    assert row.tolist() == [1.0, "B", ("t1",), True]


def falls_to_each_level(scores, winner):
    """Each fall to a score of another system, or just beyond it, and the table after it."""
    for task in scores:
        own, others = scores.loc[winner, task], scores[task].drop(winner).dropna()
        below = sorted({*others[others <= own]}, reverse=True)
        for level, deeper in pairwise([*below, 0.0]):
            for score in {level, (level + deeper) / 2}:
                if score < own and (score < level or level < own):
                    changed = scores.astype(float)
                    changed.loc[winner, task] = score
                    yield own - level, changed


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    "rule",
    ["coombs", "baldwin", "nanson", "maximal_lotteries", "instant_runoff", "bucklin", "kemeny"],
)
def test_the_score_falls_as_far_as_one_of_all_levels(rule, missing, effort):
    rng = np.random.default_rng(3)
    run = nbrank.RULES[rule].function

    def draw():
        scores = pd.DataFrame(rng.integers(1, 5, (4, int(rng.integers(2, 6)))), list("ABCD"))
        return scores.mask(rng.random(scores.shape) < 0.15) if missing else scores

    for _ in range(3 * effort):
        scores, winner = with_one_winner(run, draw)
        if np.isnan(scores.loc[winner]).all():
            continue
        falls = falls_to_each_level(scores, winner)
        enough = [fall for fall, changed in falls if run(changed)["rank"][winner] > 1]
        row = nbrank.margin_of_victory(scores, rule).loc["score"]
        assert row["least"] == min(enough) if enough else np.isnan(row["least"])
        assert row["proven"]


def test_who_shares_a_score_with_the_winner_passes_it_after_any_fall():
    scores = pd.DataFrame({"t": [2, 2, 1], "u": [3, 2, 1], "v": [1, 2, 0]}, list("ABC"))
    row = nbrank.margin_of_victory(scores, "plurality", weights={"u": 1.5}).loc["score"]
    assert row.tolist() == [0.0, "B", ("t",), True]


def test_the_least_fall_by_somebody_elses_rule_is_looked_for_at_all_levels_and_not_proven():
    def mean(scores):
        return nbrank.mean(scores)

    def coombs(scores):
        return nbrank.coombs(scores)

    scores = pd.DataFrame([[2.0, 3, 3], [3, 2, 1], [1, 1, 2]], list("ABC"), ["t0", "t1", "t2"])
    assert nbrank.margin_of_victory(scores, coombs).loc["score", "least"] == 1
    for rule in (mean, coombs):
        ours = nbrank.margin_of_victory(scores, rule.__name__).loc["score"]
        found = nbrank.margin_of_victory(scores, rule).loc["score"]
        assert found["least"] == pytest.approx(ours["least"])
        assert ours["proven"]
        assert not found["proven"]


# ---------------------------------------------------------------- whole tasks with missing scores


def test_a_missing_score_stays_missing_where_tasks_change():
    """On t1 nobody can gain as much as a third score would let B gain."""
    scores = pd.DataFrame(
        {"t0": [2.0, 1, 0], "t1": [2.0, 1, np.nan], "t2": [2.0, np.nan, 1]}, list("ABC")
    )
    row = nbrank.margin_of_victory(scores).loc["tasks"]
    assert (row["least"], row["proven"]) == (2, True)


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        *(("borda", one) for one in ("compatible", "ignore", "worst", "zero")),
        *(("plurality", "compatible"), ("mean_rank", "compatible"), ("mean", "median")),
    ],
)
def test_as_many_tasks_as_all_scores_that_could_be_there_take(rule, missing):
    rng = np.random.default_rng(0)
    run = partial(nbrank.RULES[rule].function, missing=missing)

    def draw():
        scores = pd.DataFrame(rng.integers(0, 3, (3, 3)).astype(float), list("ABC"), list("tuv"))
        scores = scores.mask(rng.random((3, 3)) < 0.25)
        return draw() if scores.isna().all().any() else scores

    def changes(column):
        there = column.dropna()
        levels = [0, 1, 2] if rule != "mean" else [there.min(), there.max()]
        for chosen in product(levels, repeat=len(there)):
            yield pd.Series(chosen, there.index, dtype=float).reindex(column.index)

    def enough(scores, winner, tasks):
        return any(
            run(scores.assign(**dict(zip(tasks, columns, strict=True))))["rank"][winner] > 1
            for columns in product(*(changes(scores[task]) for task in tasks))
        )

    for _ in range(5):
        scores, winner = with_one_winner(run, draw)
        sizes = (
            r for r in (1, 2) if any(enough(scores, winner, t) for t in combinations("tuv", r))
        )
        fewest = next(sizes, None)
        row = nbrank.margin_of_victory(scores, rule, missing=missing).loc["tasks"]
        assert row["least"] == fewest if fewest else not row["least"] <= 2
        assert row["proven"]


def test_the_instances_of_a_task_change_between_the_ends_of_the_task():
    """On u all scores may go from 0 to 3, though on each instance A and B have the same."""
    rows = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    scores = pd.DataFrame({"s": [2, 2, 1, 1], "t": [2, 2, 1, 1], "u": [3, 0, 3, 0]}, rows)
    row = nbrank.margin_of_victory(scores, "mean").loc["tasks"]
    assert row.tolist() == [1.0, "B", ("u",), True]
