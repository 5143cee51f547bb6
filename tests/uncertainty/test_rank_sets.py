"""Which ranks each system may have, on labelled tables, for every rule that is a mean."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES
from nbrank.uncertainty.contributions import find_contributions, unit_contributions
from nbrank.uncertainty.estimate_rank_sets import rank_confidence_from
from nbrank.uncertainty.rank_sets import rank_confidence
from nbrank.uncertainty.sampling_design import DrawOptions, SamplingDesign
from nbrank.uncertainty.tied_groups import tie_groups
from nbrank.votes.comparisons import from_comparisons
from nbrank.votes.leaderboard import Leaderboard

MEANS = [name for name, rule in RULES.items() if rule.additive]
#: What each rule has to be told.
ARGUMENTS = {
    "geometric_mean": {"shift": 10.0},
    "normalized_mean": {"low": -4.0, "high": {f"t{k}": 6.0 + k for k in range(16)}},
    "optimality_gap": {"gamma": 1.5},
    "positional": {"vector": [7, 3, 2, 1, 0]},
}
#: The treatments of missing scores under which each rule is a mean of contributions.
OF_SCORES = ("ignore", "median")
OF_PLACES = ("compatible", "ignore", "median", "worst")
TREATMENTS = {
    **dict.fromkeys(MEANS, OF_PLACES),
    **dict.fromkeys(("mean", "geometric_mean", "normalized_mean", "optimality_gap"), OF_SCORES),
}


def table(gaps=0.15, n_systems=5, n_tasks=16, spread=2.0, seed=0):
    rng = np.random.default_rng(seed)
    quality = np.linspace(spread, 0, n_systems)
    scores = np.round(rng.normal(size=(n_systems, n_tasks)) + quality[:, None], 1)
    scores[rng.random(scores.shape) < gaps] = np.nan
    return pd.DataFrame(scores, index=list("ABCDEFGH")[:n_systems]).add_prefix("t")


def instances(gaps=0.1, n_instances=15, n_tasks=7, seed=0):
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [list("ABCD"), range(n_instances)], names=["system", "instance"]
    )
    scores = pd.DataFrame(rng.normal(size=(len(index), n_tasks)), index).add_prefix("t")
    scores += (
        index.get_level_values("system")
        .map({"A": 1.5, "B": 0.7, "C": 0.7, "D": 0.0})
        .to_numpy()[:, None]
    )
    scores.iloc[:4, 0] = np.nan
    return scores.mask(rng.random(scores.shape) < gaps)


# ------------------------------------------------------------------- rules taken apart into ballots


@pytest.mark.parametrize(
    ("rule", "missing"), [(rule, missing) for rule in MEANS for missing in TREATMENTS[rule]]
)
def test_the_contributions_add_up_to_the_rules_ranking(rule, missing):
    for seed in range(4):
        options = {**ARGUMENTS.get(rule, {}), "missing": missing}
        scores = table(seed=seed)
        scores.loc["C"] = np.nan if seed == 3 else scores.loc["C"]
        weights = {"t0": 3.0, "t1": 0.5, "t2": 0.0}
        board = Leaderboard(scores, weights=weights, lower_is_better=True if seed == 2 else ())
        if seed == 2 and rule == "normalized_mean":
            options = {**options, "low": 10.0, "high": -3.0}
        found = find_contributions(
            board, BoundRule(rule, options), SamplingDesign.from_board(board, "tasks")
        )
        score = RULES[rule].function(board, **options)["score"].reindex(board.systems)
        to_score = RULES[rule].additive(board, BoundRule(rule, options).arguments).score
        estimates = found.estimates if to_score is None else to_score(found.estimates)
        estimates = pd.Series(estimates, board.systems)
        assert estimates.isna().equals(score.isna())
        # The same up to a scale and an origin: the ranking is the same, and so are differences.
        both = pd.DataFrame({"estimate": estimates, "score": score}).dropna()
        slope, origin = np.polyfit(both["estimate"], both["score"], 1)
        assert slope > 0
        np.testing.assert_allclose(slope * both["estimate"] + origin, both["score"], atol=1e-9)


@pytest.mark.parametrize("over", ["tasks", "instances"])
@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("borda", {}),
        ("borda", {"levels": 2}),
        ("mean", {"missing": "ignore"}),
        ("mean", {"missing": "ignore", "levels": 1}),
        ("mean", {"missing": "median"}),
        ("mean_win_rate", {}),
        ("plurality", {"ties": "min"}),
    ],
)
def test_so_do_those_of_instances(rule, options, over):
    board = Leaderboard(instances(), weights={"t0": 2.0, "t6": 0.0})
    found = find_contributions(
        board, BoundRule(rule, options), SamplingDesign.from_board(board, over)
    )
    if rule == "borda" and options and over == "instances":
        assert found is None
        return
    assert found.n_units == (6 if over == "tasks" else board.active_columns.sum())
    score = RULES[rule].function(board, **options)["score"].reindex(board.systems)
    slope, origin = np.polyfit(found.estimates, score, 1)
    assert slope > 0
    np.testing.assert_allclose(slope * found.estimates + origin, score, atol=1e-9)


def test_other_rules_are_no_means():
    board = Leaderboard(table())
    for name in set(RULES) - set(MEANS):
        assert (
            find_contributions(
                board, BoundRule(name, {}), SamplingDesign.from_board(board, "tasks")
            )
            is None
        )


# -------------------------------------------------------------------------------------- the frame


@pytest.mark.parametrize("rule", MEANS)
def test_a_row_for_each_system_best_first_with_its_rank_inside_its_set(rule):
    options = ARGUMENTS.get(rule, {})
    if RULES[rule].parameters["missing"].default == "raise":
        options = {**options, "missing": "ignore"}
    scores = table(spread=8)
    found = rank_confidence(scores, rule, seed=0, **options)
    ranked = RULES[rule].function(scores, **options)
    assert found.columns.tolist() == ["rank", "low", "high"]
    assert found["rank"].equals(ranked["rank"])
    assert (found.dtypes == np.int64).all()
    assert ((found["low"] <= found["rank"]) & (found["rank"] <= found["high"])).all()
    assert found["low"].min() == 1
    assert found["high"].max() == 5
    assert found.attrs["rule"] == rule
    assert (found["high"] - found["low"]).min() < 2


def test_a_rule_may_be_a_name_a_function_or_wrapped():
    expected = rank_confidence(table(), "mean", seed=0, missing="ignore")
    for rule in (nbrank.mean, partial(nbrank.mean, missing="median")):
        found = rank_confidence(table(), rule, seed=0, missing="ignore")
        pd.testing.assert_frame_equal(found, expected)
    wrapped = partial(nbrank.mean, missing="ignore")
    pd.testing.assert_frame_equal(rank_confidence(table(), wrapped, seed=0), expected)


def test_the_same_seed_gives_the_same_sets():
    one, two = (rank_confidence(table(), "borda", seed=3) for _ in range(2))
    pd.testing.assert_frame_equal(one, two)
    for joint in (True, False):
        found = rank_confidence(table(n_tasks=40), "borda", joint=joint)
        assert found.attrs["joint"] is joint


def test_sets_for_one_system_are_no_wider_than_sets_for_all():
    joint = rank_confidence(table(n_systems=8, n_tasks=25), "borda", seed=0)
    own = rank_confidence(table(n_systems=8, n_tasks=25), "borda", joint=False, seed=0)
    assert (own["low"] >= joint["low"]).all()
    assert (own["high"] <= joint["high"]).all()
    assert (own["high"] - own["low"]).sum() < (joint["high"] - joint["low"]).sum()


@pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate"])
def test_a_single_system_is_the_first_of_one(rule):
    found = rank_confidence(table(n_systems=1), rule, missing="ignore", seed=0)
    assert found[["rank", "low", "high"]].to_numpy().tolist() == [[1, 1, 1]]
    assert "note" not in found.attrs  # there is nobody to tell it from


def test_lower_is_better_turns_the_sets_round():
    found = rank_confidence(table(), "borda", seed=0)
    turned = rank_confidence(table(), "borda", seed=0, lower_is_better=True).reindex(found.index)
    assert (turned["low"] == 6 - found["high"]).all()


def test_systems_may_be_tuples_of_two_levels():
    labels = pd.MultiIndex.from_tuples([(name, 1) for name in "ABCDE"], names=["model", "size"])
    found = rank_confidence(table().set_axis(labels), "borda", seed=0)
    plain = rank_confidence(table(), "borda", seed=0)
    assert found.index.tolist() == [(name, 1) for name in plain.index]
    assert found["low"].tolist() == plain["low"].tolist()


# ------------------------------------------------------------------------------------ what is drawn


def test_groups_are_drawn_whole():
    one = table(gaps=0.0, n_tasks=12)
    copies = pd.concat(dict.fromkeys("xyz", one), axis=1).swaplevel(axis=1)
    grouped = rank_confidence(copies, "borda", seed=0)
    alone = rank_confidence(one, "borda", seed=0)
    assert grouped[["low", "high"]].equals(alone[["low", "high"]])
    assert (grouped.attrs["over"], grouped.attrs["n"]) == ("groups", 12)
    flat = copies.set_axis([f"{task}{k}" for task, k in copies.columns], axis=1)
    assert rank_confidence(flat, "borda", seed=0).attrs["n"] == 36


def test_instances_are_drawn_where_there_are_any():
    scores = instances()
    over_instances = rank_confidence(scores, "borda", seed=0)
    assert (over_instances.attrs["over"], over_instances.attrs["n"]) == ("instances", 105)
    over_tasks = rank_confidence(scores, "borda", over="tasks", seed=0)
    assert (over_tasks.attrs["over"], over_tasks.attrs["n"]) == ("tasks", 7)
    assert over_instances["high"].sub(over_instances["low"]).sum() <= (
        over_tasks["high"].sub(over_tasks["low"]).sum()
    )


def test_a_great_many_instances_are_no_trouble():
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_product([list("ABC"), range(5000)], names=["system", "instance"])
    scores = pd.DataFrame({"t": rng.normal(size=15_000) + np.repeat([0.2, 0.1, 0.0], 5000)}, index)
    found = rank_confidence(scores, "borda", seed=0)
    assert found["low"].tolist() == found["high"].tolist() == [1, 2, 3]


def test_two_levels_of_borda_are_drawn_over_tasks():
    found = rank_confidence(instances(), "borda", over="tasks", levels=2, seed=0)
    assert found.attrs["n"] == 7
    with pytest.raises(ValueError, match="borda at two levels does not rank by means over"):
        rank_confidence(instances(), "borda", levels=2)


def test_too_few_draws_tell_nothing_and_the_frame_says_so():
    found = rank_confidence(table(n_tasks=5, spread=50), "borda")
    assert (found["low"] == 1).all()
    assert (found["high"] == 5).all()
    assert found.attrs["note"] == "5 tasks can tell nothing apart at delta=0.05, which takes 6"
    alone = rank_confidence(table(n_tasks=1), "borda")
    assert alone.attrs["note"] == "1 task can tell nothing apart at delta=0.05, which takes 6"
    groups = {"x": ["t0", "t1", "t2"], "y": [f"t{k}" for k in range(3, 16)]}
    note = rank_confidence(table(), "borda", groups=groups).attrs["note"]
    assert note.startswith("2 groups")
    assert note.endswith("with draws='tasks', each task is a draw")
    enough = rank_confidence(table(gaps=0, n_tasks=6, spread=50), "borda")
    assert enough["high"].tolist() == [1, 2, 3, 4, 5]
    assert "note" not in enough.attrs


# ------------------------------------------------------------------------------------ Bradley-Terry


def battles(n, cluster=None, seed=0):
    rng = np.random.default_rng(seed)
    pairs = rng.permuted(np.tile(["A", "B", "C", "D"], (n, 1)), axis=1)[:, :2]
    strength = {"A": 1.5, "B": 0.3, "C": 0.3, "D": -1.5}
    ahead = np.array([strength[left] - strength[right] for left, right in pairs])
    winner = np.where(rng.random(n) < 1 / (1 + np.exp(-ahead)), "left", "right")
    frame = pd.DataFrame({"left": pairs[:, 0], "right": pairs[:, 1], "winner": winner})
    if cluster is not None:
        frame["cluster"] = np.arange(n) % cluster
    column = None if cluster is None else "cluster"
    return from_comparisons(frame, left="left", right="right", winner="winner", cluster=column)


def test_strengths_from_comparisons_have_sets():
    found = rank_confidence(battles(600), "bradley_terry", seed=0)
    assert found["rank"].equals(nbrank.bradley_terry(battles(600))["rank"])
    assert found.loc["A"].tolist() == [1, 1, 1]
    assert found.loc["D"].tolist() == [4, 4, 4]
    assert found.loc[["B", "C"], ["low", "high"]].to_numpy().tolist() == [[2, 3], [2, 3]]


def uneven(seed, *, fall=1.4, n_clusters=15, n=400):
    """Comparisons of five equal systems by clusters with tastes of their own."""
    rng = np.random.default_rng(seed)
    shares = np.arange(1.0, n_clusters + 1) ** -fall
    cluster = np.repeat(np.arange(n_clusters), np.ceil(n * shares / shares.sum()).astype(int))
    left = rng.integers(0, 5, len(cluster))
    right = (left + rng.integers(1, 5, len(cluster))) % 5
    taste = rng.normal(0, 0.7, (n_clusters, 5))
    ahead = taste[cluster, left] - taste[cluster, right]
    won = rng.random(len(cluster)) < 1 / (1 + np.exp(-ahead))
    columns = {"left": left, "right": right, "winner": np.where(won, "left", "right")}
    frame = pd.DataFrame(columns | {"cluster": cluster})
    return from_comparisons(frame, left="left", right="right", winner="winner", cluster="cluster")


@pytest.mark.parametrize("fall", [1.4, 0.0], ids=["uneven", "even"])
def test_equal_systems_are_covered_however_uneven_the_clusters(fall):
    held = []
    for seed in range(150):
        found = rank_confidence(uneven(seed, fall=fall), "bradley_terry", seed=0, n_draws=499)
        held.append((found["low"] == 1).all() and (found["high"] == 5).all())
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 150)


def test_the_effective_number_of_clusters_is_told():
    frame = pd.DataFrame({"left": ["A", "A"] * 3, "right": "B", "winner": ["A", "B"] * 3})
    comparisons = from_comparisons(
        frame.assign(who=["x", "x", "x", "x", "y", "z"]),
        left="left",
        right="right",
        winner="winner",
        cluster="who",
    )
    found = rank_confidence(comparisons, "bradley_terry", seed=0)
    # Shares of 2/3, 1/6 and 1/6: 36 / (16 + 1 + 1).
    assert found.attrs["effective_clusters"] == pytest.approx(2)
    assert (found.attrs["over"], found.attrs["n"]) == ("clusters", 3)
    assert found.attrs["note"] == "3 clusters can tell nothing apart at delta=0.05, which takes 6"
    even = rank_confidence(battles(600, cluster=20), "bradley_terry", seed=0)
    assert even.attrs["effective_clusters"] == pytest.approx(20)
    assert "note" not in even.attrs
    assert "effective_clusters" not in rank_confidence(battles(600), "bradley_terry").attrs


def test_even_clusters_tell_apart_what_can_be():
    found = rank_confidence(battles(600, cluster=40), "bradley_terry", seed=0)
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 3], [2, 3], [4, 4]]


def test_many_small_clusters_are_much_like_single_comparisons():
    each = rank_confidence(battles(3000, cluster=3000), "bradley_terry", seed=0)
    single = rank_confidence(battles(3000), "bradley_terry", seed=0)
    pd.testing.assert_frame_equal(each, single, check_like=True)
    assert each.attrs["n"] == 3000


def test_a_system_that_was_never_compared_may_have_any_rank():
    frame = pd.DataFrame(
        {"left": ["A"] * 16 + ["C"], "right": ["B"] * 16 + ["A"], "winner": ["A"] * 16 + ["tie"]}
    )
    frame["who"] = np.arange(17) % 8
    comparisons = from_comparisons(
        frame, left="left", right="right", winner="winner", cluster="who"
    )
    found = rank_confidence(comparisons, "bradley_terry", seed=0, prior=1.0)
    # One cluster told of C, and eight of A and B.
    assert found.loc["C", ["low", "high"]].tolist() == [1, 3]
    assert found.loc["A", "high"] < 3


def gappy(seed, n_tasks=15):
    """Six equal systems; the third has a fifth of its scores."""
    scores = np.random.default_rng(seed).gumbel(size=(6, n_tasks))
    scores[2, : round(0.8 * n_tasks)] = np.nan
    return pd.DataFrame(scores, columns=[f"t{task}" for task in range(n_tasks)])


def test_a_system_with_few_scores_is_covered():
    held, within = [], []
    for seed in range(200):
        scores = gappy(seed)
        try:
            found = rank_confidence(scores, "bradley_terry", seed=0, n_draws=499)
        except ValueError:  # a system that won everything, or nothing, has no strength
            continue
        held.append((found["low"] == 1).all() and (found["high"] == 6).all())
        low, high = nbrank.strengths(scores).loc[2, ["low", "high"]]
        within.append(low <= 0 <= high)
    assert len(held) > 150
    least = 0.95 - 3 * np.sqrt(0.05 * 0.95 / len(held))
    assert np.mean(within) >= least
    assert np.mean(held) >= least


def test_the_interval_of_a_system_on_one_task_is_infinite():
    scores = table(n_tasks=20)
    scores.loc["C", "t1":] = np.nan
    scores["t0"] = [5, 4, 3, 2, 1]
    found = nbrank.strengths(scores)
    assert found.loc["C", ["standard_error", "low", "high"]].tolist() == [np.inf, -np.inf, np.inf]
    others = found.drop(index="C")
    assert np.isfinite(others).all(axis=None)
    pairs = nbrank.win_probabilities(scores).loc["C"]
    assert (pairs["low"] == 0).all()
    assert (pairs["high"] == 1).all()
    assert rank_confidence(scores, "bradley_terry", seed=0).loc["C", ["low", "high"]].tolist() == [
        1,
        len(scores),
    ]


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            battles(300),
            {"k": 1},
            "^rank_confidence: unknown options: 'k'; the rule b",
        ),
        (battles(300), {"prior": -1.0}, "^bradley_terry: prior=-1.0"),
        (battles(3), {}, "^bradley_terry: some strengths are infinite"),
        (table(gaps=0.2), {"missing": "worst"}, "^rank_confidence: how bradley_terry with miss"),
        (
            table(gaps=0.2),
            {"k": 1},
            "^rank_confidence: unknown options: 'k'; the rule b",
        ),
    ],
)
def test_messages_name_what_one_called(source, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        rank_confidence(source, "bradley_terry", seed=0, **options)


def test_a_rule_of_ones_own_is_not_taken_for_ours_by_its_name():
    def bradley_terry(votes):
        return nbrank.borda(votes)

    made = pd.DataFrame({"left": list("ABC"), "right": list("BCA"), "winner": list("ABA")})
    comparisons = from_comparisons(made, left="left", right="right", winner="winner")
    with pytest.raises(ValueError, match="has no confidence sets from comparisons"):
        nbrank.rank_confidence(comparisons, bradley_terry)


def test_a_note_says_that_one_cluster_tells_nothing():
    found = rank_confidence(battles(300, cluster=1), "bradley_terry", seed=0)
    assert found.attrs["note"].startswith("1 cluster")


def test_few_clusters_of_comparisons_say_little():
    few = rank_confidence(battles(600, cluster=3), "bradley_terry", seed=0)
    assert (few["high"] - few["low"]).sum() > 2


def test_strengths_from_scores_have_sets_much_like_bordas():
    scores = table(n_tasks=40, n_systems=6, gaps=0.05)
    strengths = rank_confidence(scores, nbrank.bradley_terry, seed=0)
    borda = rank_confidence(scores, "borda", seed=0).reindex(strengths.index)
    assert strengths["rank"].equals(nbrank.bradley_terry(scores)["rank"])
    assert (strengths["low"] - borda["low"]).abs().max() <= 1
    assert (strengths["high"] - strengths["low"]).max() < 5
    with_prior = rank_confidence(scores, partial(nbrank.bradley_terry, prior=1.0), seed=0)
    assert with_prior["rank"].equals(nbrank.bradley_terry(scores, prior=1.0)["rank"])


def test_the_influence_of_a_task_is_what_leaving_it_out_changes():
    scores = table(n_tasks=60, gaps=0.1)
    board = Leaderboard(scores)
    strengths = nbrank.bradley_terry(board)["score"].reindex(board.systems)
    ranked, model = nbrank.bradley_terry(board), BoundRule("bradley_terry", {})
    found, _, _ = unit_contributions(board, model, DrawOptions("", "tasks"), ranked)
    np.testing.assert_allclose(found.estimates, strengths, atol=1e-8)
    known = found.weights.sum(axis=1, keepdims=True)
    influence = (found.amounts - strengths.to_numpy()[:, None] * found.weights) / known
    for task in (0, 17, 40):
        without = nbrank.bradley_terry(scores.drop(columns=f"t{task}"))["score"]
        change = strengths - without.reindex(board.systems)
        np.testing.assert_allclose(influence[:, task], change, atol=0.012)


def test_strengths_of_few_tasks_are_covered_jointly():
    rng = np.random.default_rng(9)
    held = []
    for _ in range(60):
        scores = pd.DataFrame(rng.gumbel(size=(8, 10)))
        try:
            found = rank_confidence(scores, "bradley_terry", seed=0, n_draws=1000)
        except ValueError:  # a system that won everything, or nothing, has no strength
            continue
        held.append((found["low"] == 1).all() and (found["high"] == 8).all())
    assert len(held) > 50
    assert np.mean(held) >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / len(held))


# --------------------------------------------------------------------------------- from estimates


def test_estimates_are_aligned_with_their_covariance_by_label():
    estimates = pd.Series({"A": 0.0, "B": 1.0, "C": 5.0})
    covariance = pd.DataFrame(np.diag([0.1, 9.0, 0.1]), list("ABC"), list("ABC"))
    expected = rank_confidence_from(estimates, covariance, seed=0)
    assert expected.loc["A"].tolist() == [3, 2, 3]
    assert expected.loc["B"].tolist() == [2, 1, 3]
    shuffled = covariance.loc[list("CAB"), list("BCA")]
    pd.testing.assert_frame_equal(rank_confidence_from(estimates, shuffled, seed=0), expected)


def test_few_degrees_of_freedom_widen_the_sets():
    estimates = pd.Series({"A": 2.3, "B": 0.0})
    covariance = pd.DataFrame(np.eye(2) / 2, list("AB"), list("AB"))
    assert rank_confidence_from(estimates, covariance, seed=0)["high"].tolist() == [1, 2]
    few = rank_confidence_from(estimates, covariance, seed=0, degrees_of_freedom=4)
    assert few["high"].tolist() == [2, 2]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e, c: (e.rename({"A": "X"}), c), "different systems: 'A', 'X'"),
        (lambda e, c: (e, c.iloc[:, :2]), "different systems: 'C'"),
        (lambda e, c: (e.mask(e == 1), c), "no estimate, or no covariance, for 'B'"),
        (lambda e, c: (e, c.where(c != 3)), "for 'C'"),
        (lambda e, c: (e, c + np.triu(np.ones((3, 3)))), "not symmetric"),
        (lambda e, c: (e, c - 5), "negative eigenvalue"),
        (lambda e, c: (e.set_axis(["A", "A", "B"]), c), "duplicate systems: 'A'"),
    ],
)
def test_what_is_no_covariance_is_refused(change, message):
    estimates = pd.Series({"A": 0.0, "B": 1.0, "C": 5.0})
    covariance = pd.DataFrame(np.diag([1.0, 2.0, 3.0]), list("ABC"), list("ABC"))
    with pytest.raises(ValueError, match=message):
        rank_confidence_from(*change(estimates, covariance))


def test_arrays_have_no_labels():
    with pytest.raises(TypeError, match="takes a Series of estimates"):
        rank_confidence_from([1, 2], np.eye(2))


# ------------------------------------------------------------------------------------- tie groups


def test_groups_share_a_rank():
    sets = rank_confidence(table(n_systems=8, n_tasks=30), "borda", seed=0)
    found = tie_groups(sets)
    assert found.index.tolist() == list(range(1, len(found) + 1))
    assert set().union(*found["systems"]) == set("ABCDEFGH")
    for _, group in found.iterrows():
        members = sets.loc[group["systems"]]
        assert members["rank"].is_monotonic_increasing
        assert (members["low"] <= group["low"]).all()
        assert (members["high"] >= group["high"]).all()
        assert group["low"] <= group["high"]
        outside = sets.drop(index=group["systems"])
        shared = (outside["low"] <= group["low"]) & (outside["high"] >= group["low"])
        assert not shared.any()


def told_apart(sets):
    """System x system: which pairs the tests behind the sets tell apart, from single sets."""
    return pd.DataFrame(
        [[one["high"] < two["low"] or two["high"] < one["low"] for _, two in sets.iterrows()]
         for _, one in sets.iterrows()],
        sets.index,
        sets.index,
    )  # fmt: skip


def in_one_group(groups, systems):
    together = pd.DataFrame(False, systems, systems)
    for members in groups["systems"]:
        together.loc[members, members] = True
    return together


@pytest.mark.parametrize("rule", ["borda", "mean", "bradley_terry"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_groups_of_scores_hold_just_the_pairs_that_are_not_told_apart(rule, missing):
    rng = np.random.default_rng(3)
    scores = pd.DataFrame(rng.normal(size=(12, 30)) + np.arange(12)[:, None] / 3)
    scores = scores.set_axis(list("ABCDEFGHIJKL")).add_prefix("task ")
    scores = scores.mask(rng.random(scores.shape) < missing)
    options = {"missing": "ignore"} if rule == "mean" and missing else {}
    groups = tie_groups(scores, rule, seed=0, **options)
    sets = rank_confidence(scores, rule, seed=0, **options)
    together = in_one_group(groups, sets.index)
    # As many pairs are told apart as the sets leave out ranks, and at least those of disjoint sets.
    assert (~together).sum(axis=1).tolist() == (12 - 1 - (sets["high"] - sets["low"])).tolist()
    assert not (together & told_apart(sets)).to_numpy().any()
    assert groups.attrs["of"] == "pairs"
    for _, group in groups.iterrows():
        members = sets.loc[group["systems"]]
        assert (members["low"].max(), members["high"].min()) == (group["low"], group["high"])


def test_groups_of_sets_may_hold_a_pair_that_is_told_apart_and_say_of_what_they_are():
    scores = table(n_systems=8, n_tasks=30)
    sets = rank_confidence(scores, "borda", seed=0)
    of_sets, of_pairs = tie_groups(sets), tie_groups(scores, "borda", seed=0)
    assert of_sets.attrs["of"] == "rank sets"
    more = in_one_group(of_sets, sets.index) & ~in_one_group(of_pairs, sets.index)
    assert more.to_numpy().any()
    assert not (in_one_group(of_pairs, sets.index) & ~in_one_group(of_sets, sets.index)).any(
        axis=None
    )


def test_a_system_without_a_score_is_told_from_none():
    scores = table(n_systems=6, n_tasks=30)
    scores.loc["F"] = np.nan
    groups = tie_groups(scores, "borda", seed=0, missing="ignore")
    assert all("F" in members for members in groups["systems"])


def test_a_rule_is_needed_for_scores_and_for_nothing_else():
    with pytest.raises(TypeError, match=r"tie_groups\(scores, 'borda'\)"):
        tie_groups(table())
    sets = rank_confidence(table(), "borda", seed=0)
    given = {"rule": "borda", "delta": 0.1, "draws": 500, "missing": "ignore"}
    given["lower_is_better"] = table().columns[:2]
    for option, value in given.items():
        with pytest.raises(TypeError, match="give it alone"):
            tie_groups(sets, **{option: value})


def test_groups_speak_of_all_systems_at_once():
    with pytest.raises(TypeError, match=r"joint is not an option here.*joint=False"):
        tie_groups(table(), "borda", joint=False)


def test_groups_take_the_number_of_draws_as_the_sets_do():
    scores = table(n_systems=8, n_tasks=30)
    groups = tie_groups(scores, "borda", seed=0, n_draws=300)
    sets = rank_confidence(scores, "borda", seed=0, n_draws=300)
    together = in_one_group(groups, sets.index)
    assert (~together).sum(axis=1).tolist() == (7 - (sets["high"] - sets["low"])).tolist()
    with pytest.raises(ValueError, match="n_draws=0 must be at least 1"):
        tie_groups(scores, "borda", n_draws=0)


# --------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "rule", ["copeland", "ranked_pairs", "median", nbrank.schulze, lambda scores: scores]
)
def test_rules_without_such_sets_are_refused_by_name(rule):
    name = rule if isinstance(rule, str) else rule.__name__
    with pytest.raises(ValueError, match=f"{name} does not rank by means .* borda, .*bootstrap"):
        rank_confidence(table(), rule)


def test_comparisons_take_bradley_terry_only():
    with pytest.raises(ValueError, match="borda has no confidence sets from comparisons"):
        rank_confidence(battles(50), "borda")
    with pytest.raises(TypeError, match="cluster="):
        rank_confidence(battles(50), "bradley_terry", over="tasks")


@pytest.mark.parametrize("question", [nbrank.best_set, nbrank.summary])
def test_without_a_rule_comparisons_are_asked_by_bradley_terry(question):
    given, default = question(battles(50), "bradley_terry"), question(battles(50))
    for result in (given, default):
        assert getattr(result, "table", result).attrs["rule"] == "bradley_terry"
    if question is nbrank.summary:
        assert "by Bradley-Terry" in default.sentences.abstract
        given, default = given.table, default.table
    pd.testing.assert_frame_equal(given, default)
    of_scores = question(table())
    assert getattr(of_scores, "table", of_scores).attrs["rule"] == "borda"


@pytest.mark.parametrize(
    "name", ["significant_pairs", "rank_confidence", "bootstrap", "tie_groups"]
)
@pytest.mark.parametrize("votes", [battles(200), table()], ids=["comparisons", "scores"])
def test_the_call_that_is_named_where_a_rule_lacks_works(name, votes):
    question = getattr(nbrank, name)
    with pytest.raises(TypeError) as caught:
        question(votes)
    call = re.search(r"\w+\(scores, .*?'\)", str(caught.value))[0]
    quick = partial(question, n_draws=20) if name == "bootstrap" else question
    assert len(eval(call, {name: quick, "scores": votes}))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "bordas"}, "unknown rule 'bordas'"),
        ({"rule": "borda", "delta": 1.5}, "delta=1.5 must be between 0 and 1"),
        ({"rule": "borda", "over": "groups"}, "choose 'tasks' or 'instances'"),
        ({"rule": "borda", "over": "instances"}, "needs a score for each instance"),
        ({"rule": "borda", "n_draws": 10}, "n_draws=10 can't show a level"),
        ({"rule": "mean"}, "missing scores"),
        ({"rule": "borda", "missing": "nil"}, "missing='nil' is unknown"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        rank_confidence(table(), **options)


def test_a_leaderboard_has_its_own_options():
    with pytest.raises(TypeError, match="lower_is_better"):
        rank_confidence(Leaderboard(table()), "borda", lower_is_better=True)


def test_estimates_may_be_nullable_and_there_must_be_some():
    estimates = pd.Series([1, None], index=list("AB"), dtype="Float64")
    with pytest.raises(ValueError, match="no estimate, or no standard error from 0, for 'B'"):
        nbrank.rank_confidence_from(estimates, pd.Series([0.1, 0.2], index=list("AB")))
    nothing = pd.Series([], dtype=float)
    with pytest.raises(ValueError, match="estimates are empty"):
        nbrank.rank_confidence_from(nothing, nothing)
