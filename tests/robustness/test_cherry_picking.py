"""Who is first on some set of tasks, and how few have to go for the winner to be passed?"""

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.weights import unit_subsets
from nbrank.rules.bound_rule import BoundRule

# ------------------------------------------------------------ a second implementation, for checks


def sets_of(units):
    return [some for k in range(1, len(units) + 1) for some in combinations(units, k)]


def ranked_on(scores, rule, weights, sets):
    """Set -> system -> rank: the means of what the rule gives on each task alone."""
    alone = pd.DataFrame({task: rule(scores[[task]])["score"] for task in scores})
    alone = alone.reindex(scores.index)
    ranks = {}
    for tasks in sets:
        part = alone[list(tasks)]
        weight = pd.Series({task: weights[task] for task in tasks})
        mean = (part * weight).sum(axis=1) / (part.notna() * weight).sum(axis=1)
        # Ties that rounding parts are ties; who has no score is last, and never first.
        ranked = mean.round(9).rank(ascending=False, method="min").fillna(len(scores) + 1)
        ranks[tasks] = ranked.to_dict()
    return ranks


RULES = {
    "borda": nbrank.borda,
    "antiplurality": nbrank.antiplurality,
    "mean": nbrank.mean,
    "mean_rank": partial(nbrank.mean_rank, missing="compatible"),
    "mean_win_rate": nbrank.mean_win_rate,
}


def random_case(seed, most=6):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 6)), int(rng.integers(2, most + 1))
    scores = rng.integers(0, int(rng.integers(2, 6)), (n, m)).astype(float)
    name = str(rng.choice(list(RULES)))
    if name != "mean" and rng.random() < 0.5:
        scores[rng.random(scores.shape) < 0.2] = np.nan
    tasks = [f"t{i}" for i in range(m)]
    table = pd.DataFrame(scores, [f"s{i}" for i in range(n)], tasks)
    weights = dict(zip(tasks, rng.integers(1, 4, m).tolist(), strict=True))
    groups = None
    if rng.random() < 0.3 and m > 2:
        groups = {"g": tasks[:2], **{task: [task] for task in tasks[2:]}}
    keep = [tasks[-1]] if rng.random() < 0.3 else None
    return table, RULES[name], weights, groups, keep


def check_table(seed, most=6):
    """Compare one random table with all its sets of tasks."""
    table, rule, weights, groups, keep = random_case(seed, most)
    units = [(t,) for t in table] if groups is None else [tuple(g) for g in groups.values()]
    sets = [sum(chosen, ()) for chosen in sets_of(units)]
    ranks = ranked_on(table, rule, weights, sets)
    board = nbrank.Leaderboard(table, weights=weights, groups=groups)
    whole = groups is not None
    found = nbrank.cherry_pick(board, rule, keep=keep, whole_groups=whole)
    curve = nbrank.cherry_picking_curve(board, rule, keep=keep, whole_groups=whole)
    allowed = [t for t in sets if set(keep or ()) <= set(t)]
    able = {k: set() for k in range(1, len(table.columns) + 1)}
    for system in table.index:
        first = [t for t in allowed if ranks[t][system] == 1]
        for t in first:
            able[len(t)].add(system)
        row = found.loc[system]
        assert row["kept"] == max(map(len, first), default=0), (seed, system, table, found)
        assert row["at_most"] == row["kept"]
        assert row["proven"], (seed, system, table)
        assert row["tasks"] in first or row["kept"] == 0, (seed, system, table)
    assert curve["systems"].to_dict() == {k: len(who) for k, who in able.items()}, (seed, table)
    assert (curve["undecided"] == 0).all()
    everything = tuple(table)
    winners = [s for s, rank in ranks[everything].items() if rank == 1]
    if len(winners) != 1:
        return
    found = nbrank.unseat(board, rule, whole_groups=whole)
    n_units = {t: len(chosen) for t, chosen in zip(sets, sets_of(units), strict=True)}
    for system, row in found.iterrows():
        above = [t for t in sets if ranks[t][system] < ranks[t][winners[0]]]
        fewest = min((len(units) - n_units[t] for t in above), default=None)
        assert row["proven"], (seed, system, table)
        assert (row["removed"] is pd.NA) == (fewest is None), (seed, system, table)
        if fewest is not None:
            assert row["removed"] == fewest, (seed, system, table, found)
            assert tuple(t for t in table if t not in row["tasks"]) in above
    lightest = nbrank.unseat(board, rule, whole_groups=whole, least="weight")
    shares = pd.Series(weights) / sum(weights.values())
    for system, row in lightest.iterrows():
        above = [t for t in sets if ranks[t][system] < ranks[t][winners[0]]]
        least = min((1 - shares[list(t)].sum() for t in above), default=np.nan)
        assert row["proven"], (seed, system, table)
        assert row["weight"] == pytest.approx(least, nan_ok=True), (seed, system, table)
        assert row["weight"] == pytest.approx(shares[list(row["tasks"])].sum()) or not above


@pytest.mark.parametrize("seed", range(60))
def test_no_difference_to_all_sets(seed):
    check_table(seed)


def sums(seed):
    """Whether its scores are sums over the tasks: others need all sets of tasks."""
    table, rule, *_ = random_case(seed)
    return rule is not RULES["mean_win_rate"] or table.notna().all(axis=None)


@pytest.mark.parametrize("seed", [seed for seed in [*range(100, 130), 5120] if sums(seed)])
def test_no_difference_by_programmes(seed, monkeypatch):
    """The same with the programmes for many tasks."""
    monkeypatch.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
    check_table(seed)


def test_a_single_task_to_keep_needs_no_list():
    scores = pd.DataFrame({"t1": [1, 2], "t2": [2, 1], "rte": [3, 1]}, index=["A", "B"])
    alone = nbrank.cherry_pick(scores, keep="rte")
    pd.testing.assert_frame_equal(alone, nbrank.cherry_pick(scores, keep=["rte"]))
    pd.testing.assert_frame_equal(alone, nbrank.cherry_pick(scores, keep=pd.Index(["rte"])))
    assert alone["kept"].tolist() == [3, 2]


def test_what_the_time_limit_leaves_open_is_an_interval():
    """Nothing is proven in no time; a little longer, and the truth lies between the two."""
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.normal(size=(12, 24)))
    proven = nbrank.cherry_pick(scores)
    assert proven["proven"].all()
    for seconds in (1e-9, 0.02):
        found = nbrank.cherry_pick(scores, time_limit=seconds).loc[proven.index]
        assert not found["proven"].all()
        assert (found["kept"] <= proven["kept"]).all()
        assert (proven["kept"] <= found["at_most"]).all()
        assert (found["at_most"] <= 24).all()


@pytest.mark.parametrize("time_limit", [60.0, None])
def test_who_can_be_first_at_all_is_known_before_on_how_many_tasks(monkeypatch, time_limit):
    """Where no programme ends, the best of sets drawn by chance are there."""
    scores = pd.DataFrame(np.random.default_rng(1).normal(size=(12, 24)))
    proven = nbrank.cherry_pick(scores)
    late = unit_subsets.SubsetSolution(None, False, 24.0)
    monkeypatch.setattr(unit_subsets.SubsetConstraints, "solve", lambda *_, **__: late)
    found = nbrank.cherry_pick(scores, time_limit=time_limit).loc[proven.index]
    assert not found["proven"].any()
    assert (found["kept"] <= proven["kept"]).all()
    assert ((found["kept"] > 0) == (proven["kept"] > 0)).all()
    for system, tasks in found["tasks"][found["kept"] > 0].items():
        out = [task for task in scores if task not in tasks]
        assert nbrank.borda(scores, weights=dict.fromkeys(out, 0)).loc[system, "rank"] == 1


def test_a_task_that_outweighs_all_others_hides_no_answer():
    """Beside a gap of ten millions gaps of a tenth still count, once it is gone."""
    scores = pd.DataFrame({f"t{i}": [0.5, 0.6] for i in range(15)}, index=["A", "B"])
    scores["t0"] = [2e7, 1e7]
    weights = dict.fromkeys(scores, 1) | {"t1": 2}
    found = nbrank.unseat(scores, "mean", least="weight", weights=weights).loc["B"]
    assert (found["removed"], found["tasks"], found["proven"]) == (1, ("t0",), True)
    assert found["weight"] == pytest.approx(1 / 16)


def test_the_least_weight_is_the_least_whatever_the_weights():
    """Against all sets of 15 tasks, with weights between a millionth and a hundred."""
    rng = np.random.default_rng(0)
    n_tasks = 15
    sets = (np.arange(1 << n_tasks)[:, None] >> np.arange(n_tasks) & 1).astype(bool)
    for _ in range(5):
        scores = pd.DataFrame(rng.integers(0, 10, (3, n_tasks)).astype(float))
        weights = 10 ** rng.uniform(-6, 2, n_tasks)
        found = nbrank.unseat(scores, least="weight", weights=dict(enumerate(weights)))
        alone = [nbrank.borda(scores[[task]])["score"].reindex(scores.index) for task in scores]
        leads = (sets * weights) @ np.array(alone)
        leads -= leads[:, [int(found.attrs["winner"])]]
        size = (sets @ weights)[:, None]
        gone = np.where(leads > 1e-9 * size, 1 - size / weights.sum(), np.inf).min(axis=0)
        assert found["proven"].all()
        expected = [share if np.isfinite(share) else np.nan for share in gone[found.index]]
        np.testing.assert_allclose(found["weight"], expected, atol=1e-10)


def test_a_tuple_to_keep_is_one_task_where_a_task_is_called_so():
    columns = pd.MultiIndex.from_tuples([("g", "x"), ("g", "y"), ("h", "z")])
    scores = pd.DataFrame([[9, 1, 7], [5, 9, 6], [4, 5, 8]], index=list("ABC"), columns=columns)
    one = nbrank.cherry_pick(scores, keep=[("g", "x")])
    pd.testing.assert_frame_equal(nbrank.cherry_pick(scores, keep=("g", "x")), one)
    two = nbrank.cherry_pick(scores, keep=[("g", "x"), ("h", "z")])
    pd.testing.assert_frame_equal(nbrank.cherry_pick(scores, keep=(("g", "x"), ("h", "z"))), two)
    each = (task for task in [("g", "x"), ("h", "z")])
    pd.testing.assert_frame_equal(nbrank.cherry_pick(scores, keep=each), two)


@pytest.mark.parametrize("missing", ["ignore", "worst"])
@pytest.mark.parametrize("rule", [nbrank.borda, nbrank.plurality, nbrank.mean_rank])
def test_who_has_no_score_on_the_tasks_that_are_left_is_last_there(rule, missing):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        scores = rng.integers(0, 4, (4, 4)).astype(float)
        scores[rng.random(scores.shape) < 0.5] = np.nan
        table = pd.DataFrame(scores, list("ABCD"), ["t0", "t1", "t2", "t3"]).dropna(how="all")
        ranks = {}
        for tasks in sets_of([*table]):
            ranked = rule(table[list(tasks)], missing=missing).sort_index()
            # A task with one score compares nobody: where nobody has a score, nobody is first.
            ranks[tasks] = ranked["rank"].where(ranked["score"].notna(), 5)
        found = nbrank.cherry_pick(table, rule, missing=missing)
        whole = ranks[tuple(table)]
        for system, row in found.iterrows():
            first = [len(tasks) for tasks, rank in ranks.items() if rank[system] == 1]
            assert (row["kept"], row["proven"]) == (max(first, default=0), True), (seed, system)
        if (whole == 1).sum() != 1:
            continue
        winner = whole.idxmin()
        for system, row in nbrank.unseat(table, rule, missing=missing).iterrows():
            above = [4 - len(s) for s, rank in ranks.items() if rank[system] < rank[winner]]
            assert row["proven"], (seed, system)
            assert row["removed"] == min(above) if above else pd.isna(row["removed"])
        core = nbrank.core_tasks(table, rule, missing=missing)["size"].item()
        same = [len(s) for s, rank in ranks.items() if ((rank == 1) == (whole == 1)).all()]
        assert core == min(same), seed


def test_of_many_tasks_too_those_with_a_score_of_the_winner_may_go():
    tasks = [f"t{number}" for number in range(20)]
    table = pd.DataFrame(1.0, ["A", "B", "C"], tasks)
    table.loc["A", tasks[:2]] = 2.0
    table.loc["A", tasks[2:]] = np.nan
    table.loc["B", tasks[2]] = 2.0
    table.loc["C", tasks[2:]] = 0.0
    found = nbrank.unseat(table, "borda", missing="ignore", weights=dict.fromkeys(tasks[:2], 30))
    assert found.loc["C", "tasks"] == ("t0", "t1")
    assert found["proven"].all()


def test_nobody_is_first_on_a_task_that_scores_nobody_also_among_many_tasks():
    table = pd.DataFrame(1.0, ["A", "B"], [f"t{number}" for number in range(16)])
    table.loc["A"] = 2.0
    table["t0"] = np.nan
    found = nbrank.cherry_pick(table, "borda", missing="worst")
    assert found["kept"].to_dict() == {"A": 16, "B": 0}
    assert found["proven"].all()


@pytest.mark.parametrize("missing", ["worst", "median"])
def test_programmes_find_what_trying_all_sets_finds_where_much_is_missing(monkeypatch, missing):
    for seed in range(15):
        rng = np.random.default_rng(seed)
        scores = rng.integers(0, 4, (3, 5)).astype(float)
        scores[rng.random(scores.shape) < 0.5] = np.nan
        table = pd.DataFrame(scores, list("ABC")).dropna(how="all")
        if len(table) < 2 or nbrank.borda(table, missing=missing)["rank"].iloc[1] == 1:
            continue
        for question, column in ((nbrank.cherry_pick, "kept"), (nbrank.unseat, "removed")):
            expected = question(table, missing=missing)[column]
            with monkeypatch.context() as few:
                few.setattr(unit_subsets, "MAX_EXHAUSTIVE_UNITS", 0)
                found = question(table, missing=missing)
            found = found[found["proven"]]
            assert found[column].equals(expected[found.index]), seed


def test_the_rule_is_run_once_for_each_set_of_tasks_however_many_systems_there_are(monkeypatch):
    scores = pd.DataFrame(np.random.default_rng(0).random((300, 4))).add_prefix("t")
    runs = []
    run = BoundRule.function.func
    counted = property(lambda bound: runs.append(bound) or run(bound))
    monkeypatch.setattr(BoundRule, "function", counted)
    for ask in (nbrank.cherry_pick, nbrank.unseat):
        runs.clear()
        ask(scores)
        assert 1 < len(runs) <= 16  # the sets of four tasks, and all of them to begin with


def test_systems_called_true_and_false_stay_labels():
    """Pandas takes a list of them for a mask."""
    named = pd.DataFrame([[3, 1, 2], [2, 2, 1]], index=["A", "B"], columns=list("xyz"))
    called = named.set_axis([True, False])
    for ask in (
        nbrank.unseat,
        nbrank.cherry_pick,
        nbrank.possible_ranks,
        nbrank.rank_acceptability,
    ):
        expected, found = ask(named), ask(called)
        assert found.index.map({True: "A", False: "B"}).tolist() == expected.index.tolist()
        assert found.to_numpy().tolist() == expected.to_numpy().tolist()


def test_two_systems_of_which_the_one_left_is_called_true():
    scores = pd.DataFrame([[5.0, 6.0], [4.0, 7.0]], index=["A", True], columns=["x", "y"])
    found = nbrank.unseat(scores, weights={"x": 2})
    assert found.index.tolist() == [True]
    assert found["tasks"].tolist() == [("x",)]
