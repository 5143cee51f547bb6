"""Which systems may be the best: against brute force, by properties, and what is refused."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import nbrank
from nbrank import best_set, datasets, from_comparisons, rank_confidence

SYSTEMS = list("ABCDE")

#: By chance, one table in twenty looks skewed.
pytestmark = pytest.mark.filterwarnings("ignore:best_set.*few for scores so skewed")


def table(seed=0, shape=(5, 9), ties=False, missing=0.0, spread=0.8):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=shape) + np.linspace(spread, 0, shape[0])[:, None]
    if ties:
        scores = np.round(scores)
    scores[rng.random(shape) < missing] = np.nan
    return pd.DataFrame(scores, index=SYSTEMS[: shape[0]]).add_prefix("t")


def flips(amounts):
    """Of each system, how many of all sign patterns have its largest lag, from what units add."""
    n_systems, n_units = amounts.shape
    result = []
    for own in amounts:
        leads = np.array([other - own for other in amounts])
        size = np.sqrt((leads**2).sum(axis=1))
        leads = leads[size > 1e-12] / size[size > 1e-12, None]
        lag = leads.sum(axis=1).max(initial=0)
        drawn = [
            (leads @ signs).max(initial=-np.inf)
            for signs in map(np.array, product([1, -1], repeat=n_units))
        ]
        # Sums that are equal may differ by rounding errors; who is behind nobody has p = 1.
        result.append(np.mean(np.array(drawn) >= lag - 1e-9) if lag > 1e-9 else 1.0)
    return pd.Series(result, index=SYSTEMS[:n_systems])


def borda_points(scores):
    """The systems below each one on each task, ties counting a half."""
    values = scores.to_numpy()
    above = values[:, None] > values
    tied = values[:, None] == values
    return above.sum(axis=1) + (tied.sum(axis=1) - 1) / 2


# ---------------------------------------------------------------------------------- brute force


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("rule", ["mean", "borda"])
def test_p_values_count_all_sign_patterns(seed, rule):
    scores = table(seed, ties=seed % 2 == 1)
    amounts = scores.to_numpy() if rule == "mean" else borda_points(scores)
    expected = flips(amounts)
    found = best_set(scores, rule)
    pd.testing.assert_series_equal(
        found["p_value"].sort_index(), expected, check_names=False, atol=1e-12, rtol=0
    )


@pytest.mark.parametrize("seed", range(20))
def test_two_systems_have_the_sign_flip_test(seed):
    scores = table(seed, shape=(2, 10), spread=0.5)
    lead = (scores.loc["A"] - scores.loc["B"]).to_numpy()
    lead = lead if lead.sum() >= 0 else -lead
    patterns = np.array(list(product([1, -1], repeat=10)))
    p_value = (patterns @ lead >= lead.sum() - 1e-12).mean()
    found = best_set(scores, "mean")
    assert found["p_value"].tolist() == [1.0, pytest.approx(p_value)]


def model_confidence_p_values(amounts):
    """Hansen, Lunde and Nason (2011): drop the worst until the largest difference is chance.

    Both sides of every pair are tested, here by all sign patterns instead of a bootstrap.
    """
    patterns = np.array(list(product([1, -1], repeat=amounts.shape[1])))
    left, result, reached = list(range(len(amounts))), np.ones(len(amounts)), 0.0
    while len(left) > 1:
        leads = np.array([amounts[left] - amounts[one] for one in left])
        leads /= np.sqrt((leads**2).sum(axis=2, keepdims=True)) + 1e-300
        lags = leads.sum(axis=2)
        drawn = np.abs(leads @ patterns.T).max(axis=(0, 1))
        reached = max(reached, (drawn >= np.abs(lags).max() - 1e-9).mean())
        worst = left[lags.max(axis=1).argmax()]
        result[worst] = reached
        left.remove(worst)
    return result


@pytest.mark.parametrize("seed", range(10))
def test_a_model_confidence_set_of_two_has_twice_the_p_value(seed):
    """The only difference for two systems: it asks for either side."""
    scores = table(seed, shape=(2, 10), spread=0.5)
    found = best_set(scores, "mean")["p_value"].min()
    assert model_confidence_p_values(scores.to_numpy()).min() == pytest.approx(2 * found)


@pytest.mark.parametrize("seed", range(10))
def test_the_first_that_a_model_confidence_set_drops_has_a_p_value_no_larger_here(seed):
    """Later it tests the systems left among each other, and `best_set` each with all others."""
    scores = table(seed, shape=(5, 9))
    expected = pd.Series(model_confidence_p_values(scores.to_numpy()), index=scores.index)
    found = best_set(scores, "mean")["p_value"]
    assert 0 < found[expected.idxmin()] <= expected.min() + 1e-12


@pytest.mark.parametrize("seed", range(10))
def test_strengths_are_flipped_by_their_influences(seed):
    """The influence of a task: how the fitted strengths move with its weight."""
    scores = table(seed, shape=(4, 9), spread=0.3)
    step = 1e-4
    amounts = []
    for task in scores:
        up, down = (
            nbrank.bradley_terry(scores, weights={task: 1 + by})["score"].reindex(SYSTEMS[:4])
            for by in (step, -step)
        )
        amounts.append((up - down) / (2 * step))
    strengths = nbrank.bradley_terry(scores)["score"].reindex(SYSTEMS[:4]).to_numpy()
    expected = flips(np.array(amounts).T + strengths[:, None] / 9)
    found = best_set(scores, "bradley_terry")["p_value"].sort_index()
    np.testing.assert_allclose(found, expected, atol=2 / 2**9)


@pytest.mark.parametrize("share", [0.5, 0.52, 0.54, 0.56])
def test_comparisons_of_two_systems_have_the_normal_test(share):
    won = round(1000 * share)
    battles = pd.DataFrame(
        {"left": "A", "right": "B", "winner": ["A"] * won + ["B"] * (1000 - won)}
    )
    comparisons = from_comparisons(battles, left="left", right="right", winner="winner")
    strengths = comparisons.strengths()
    # The strengths are the two halves of one difference.
    z = strengths["strength"].iloc[0] / strengths["standard_error"].iloc[0]
    expected = norm.sf(z) if share > 0.5 else 1.0
    found = comparisons.best_set("bradley_terry")
    assert found["p_value"].iloc[0] == 1
    assert found["p_value"].iloc[1] == pytest.approx(expected, abs=0.01)


# ------------------------------------------------------------------------------ the shipped table


def test_four_systems_may_be_the_best_on_superglue():
    found = best_set(datasets.load_superglue_submissions())
    assert found.index[found["best"]].tolist() == [
        "SS-MoE",
        "Turing NLR v5",
        "ERNIE 3.0",
        "SuperGLUE Human Baselines",
    ]
    # All 2^14 sign patterns.
    assert found["p_value"].nlargest(5).iloc[-1] == pytest.approx(303 / 2**14)
    again = best_set(datasets.load_superglue_submissions(), seed=7)
    pd.testing.assert_frame_equal(found, again)


# ------------------------------------------------------------------------------------- properties


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_names_and_order_change_labels_only(seed, missing):
    scores = table(seed, missing=missing)
    names = dict(zip(SYSTEMS, "edcba", strict=True))
    turned = scores.iloc[::-1, ::-1].rename(index=names)
    found = best_set(scores, "borda").rename(index=names).sort_index()
    pd.testing.assert_frame_equal(best_set(turned, "borda").sort_index(), found, check_names=False)


@pytest.mark.parametrize("rule", ["borda", "mean", "mean_win_rate", "bradley_terry"])
@pytest.mark.parametrize("seed", range(6))
def test_the_observed_first_is_in_and_sets_grow_as_delta_falls(seed, rule):
    scores = table(seed, missing=0.2, ties=True)
    options = {"missing": "ignore"} if rule == "mean" else {}
    at_5, at_20 = (best_set(scores, rule, delta=delta, **options) for delta in (0.05, 0.2))
    assert at_5["best"][at_5["rank"] == 1].all()
    assert (at_5["p_value"][at_5["rank"] == 1] == 1).all()
    assert (at_5["best"] >= at_20["best"]).all()
    pd.testing.assert_series_equal(at_5["p_value"], at_20["p_value"])
    assert at_5["rank"].is_monotonic_increasing


def test_a_set_of_one_is_surely_first():
    scores = table(spread=0)
    scores.loc["A"] += 10
    found = best_set(scores, "mean")
    assert found.index[found["best"]].tolist() == ["A"]
    # One of 2^9 patterns has A ahead of each other one everywhere.
    assert found["p_value"].tolist()[1:] == [1 / 2**9] * 4


def test_it_is_never_wider_than_the_joint_sets_that_start_at_1():
    for seed in range(20):
        scores = table(seed, shape=(5, 12), spread=2)
        joint = rank_confidence(scores, "borda", seed=0)
        found = best_set(scores, "borda")
        assert set(found.index[found["best"]]) <= set(joint.index[joint["low"] == 1])


def test_doubled_columns_are_twice_their_weight_in_one_group():
    scores = table(3, shape=(4, 8))
    doubled = scores.assign(copy=scores["t0"])
    groups = {task: task for task in scores} | {"copy": "t0"}
    weighted = best_set(scores, "mean", weights={"t0": 2})
    pd.testing.assert_frame_equal(
        best_set(doubled, "mean", groups=groups), weighted, check_names=False
    )


def test_the_same_seed_repeats_and_the_default_is_0():
    scores = table(shape=(5, 40), spread=0.3)
    pd.testing.assert_frame_equal(best_set(scores), best_set(scores, seed=0))
    assert not best_set(scores).equals(best_set(scores, seed=1))


# ------------------------------------------------------------------------------------ what is drawn


def test_groups_are_drawn_whole():
    scores = table(shape=(3, 12), spread=3)
    groups = {f"t{number}": number % 4 for number in range(12)}
    found = best_set(scores, "mean", groups=groups)
    assert found.attrs["over"] == "groups"
    assert found.attrs["n"] == 4
    assert found["best"].all()
    assert "4 groups can tell nothing apart at delta=0.05, which takes 5" in found.attrs["note"]
    assert not best_set(scores, "mean", groups=groups, draws="tasks")["best"].all()


def test_five_tasks_can_leave_a_system_out_and_four_cannot():
    scores = pd.DataFrame([[3.0, 4, 3, 4, 3], [0.0, 1, 1, 0, 1]], index=["A", "B"])
    assert best_set(scores, "mean")["p_value"].tolist() == [1.0, 1 / 32]
    assert "note" not in best_set(scores, "mean").attrs
    few = best_set(scores.iloc[:, :4], "mean")
    assert few["best"].all()
    assert "takes 5" in few.attrs["note"]


def instances(seed=0, n=60, passages=12):
    rng = np.random.default_rng(seed)
    rows = pd.MultiIndex.from_product([["A", "B", "C"], range(n)], names=["system", "instance"])
    right = rng.random(len(rows)) < np.repeat([0.9, 0.5, 0.3], n)
    return pd.DataFrame({"maths": right.astype(float)}, index=rows)


def test_instances_and_clusters_of_them():
    rows = instances()
    alone = best_set(rows, "mean")
    assert alone.attrs["over"] == "instances"
    passages = {instance: instance % 12 for instance in range(60)}
    found = best_set(rows, "mean", cluster=passages)
    assert (found.attrs["over"], found.attrs["n"]) == ("clusters", 12)
    assert found["best"].tolist() == [True, False, False]
    few = best_set(rows, "mean", cluster={instance: instance % 4 for instance in range(60)})
    assert few["best"].all()
    assert (few["p_value"] == 1).all()
    assert "takes at least 5" in few.attrs["note"]


def test_clusters_of_comparisons():
    rng = np.random.default_rng(1)
    battles = pd.DataFrame({"left": "A", "right": "B", "user": np.arange(400) % 8})
    battles["winner"] = np.where(rng.random(400) < 0.75, "A", "B")
    comparisons = from_comparisons(
        battles, left="left", right="right", winner="winner", cluster="user"
    )
    found = comparisons.best_set("bradley_terry")
    assert (found.attrs["over"], found.attrs["n"]) == ("clusters", 8)
    assert found["p_value"].tolist() == [1.0, 1 / 2**8]


def test_runs_and_errors():
    rng = np.random.default_rng(2)
    rows = pd.MultiIndex.from_product([["A", "B"], range(5)], names=["system", "seed"])
    runs = pd.DataFrame(rng.normal(size=(10, 6)), index=rows)
    runs.iloc[:5] += 3
    for over in ("seeds", "both", "tasks"):
        found = best_set(runs, "mean", over=over)
        assert found.attrs["over"] == over
        assert found["best"].tolist() == [True, False]
    averages = runs.groupby(level="system").mean()
    errors = averages * 0 + 0.2
    assert best_set(averages, "mean", errors=errors)["best"].tolist() == [True, False]
    wide = best_set(averages, "mean", errors=errors * 100)
    assert wide.attrs["over"] == "errors"
    assert wide["best"].all()


def test_errors_that_blur_a_rule_keep_the_observed_first():
    scores = pd.DataFrame([[3.0, 0.0, 3.1], [2.0, 1.0, 3.0], [1.0, 2.0, 0.0]], index=list("ABC"))
    found = best_set(scores, "copeland", errors=scores * 0 + 2, seed=0)
    assert found["p_value"].iloc[0] == 1


def test_a_tally_answers_over_tasks():
    rows = instances()
    rows["physics"] = rows["maths"].to_numpy()[::-1]
    counted = nbrank.tally(rows)
    over_tasks = counted.best_set("borda", over="tasks")
    pd.testing.assert_frame_equal(over_tasks, best_set(rows, "borda", over="tasks"))


def test_everywhere_it_is_the_same_function():
    scores = table()
    expected = best_set(scores, "mean")
    pd.testing.assert_frame_equal(scores.rank.best_set("mean"), expected)
    pd.testing.assert_frame_equal(nbrank.Leaderboard(scores).best_set("mean"), expected)


# ----------------------------------------------------------------------- left out, and refused


@pytest.mark.parametrize("rule", ["borda", "bradley_terry", "mean_win_rate"])
def test_a_system_without_a_score_is_left_out_and_named(rule):
    scores = table()
    empty = pd.concat([scores, pd.DataFrame(np.nan, index=["empty"], columns=scores.columns)])
    with pytest.warns(UserWarning, match="^best_set: left out, without a single score: 'empty'$"):
        found = best_set(empty, rule)
    pd.testing.assert_frame_equal(found, best_set(scores, rule))


def test_its_errors_are_left_out_with_it():
    scores = table()
    errors = scores * 0 + 0.5
    scores.loc["B"] = np.nan
    with pytest.warns(UserWarning, match="'B'"):
        found = best_set(scores, "mean", errors=errors)
    pd.testing.assert_frame_equal(
        found, best_set(scores.drop(index="B"), "mean", errors=errors.drop(index="B"))
    )


def test_one_system_is_the_best():
    found = best_set(pd.DataFrame([[1.0, 2.0]], index=["A"]), "mean")
    assert found["best"].tolist() == [True]
    assert "note" not in found.attrs


@pytest.mark.parametrize(
    ("rule", "nearest"),
    [
        ("median", "mean"),
        ("kemeny", "borda"),
        ("baldwin", "borda"),
        ("copeland", "mean_win_rate"),
        ("instant_runoff", "plurality"),
        ("davidson", "bradley_terry"),
    ],
)
def test_a_rule_without_a_set_is_refused_with_the_nearest_that_has_one(rule, nearest):
    with pytest.raises(ValueError, match=f"best_set: {rule} .* choose '{nearest}', the nearest"):
        best_set(table(), rule)
    assert best_set(table(), nearest)["best"].any()


def test_every_rule_has_a_set_or_names_the_nearest():
    positive = table() + 5
    needed = {
        "normalized_mean": {"low": 0, "high": 10},
        "optimality_gap": {"gamma": 10},
        "positional": {"vector": [4, 3, 2, 1, 0]},
    }
    for name in nbrank.RULES:
        try:
            found = best_set(positive, name, **needed.get(name, {}))
        except ValueError as error:
            nearest = str(error).split("choose '")[1].split("'")[0]
            assert best_set(positive, nearest)["best"].any()
        else:
            assert found["best"].iloc[0]


def test_comparisons_have_it_by_bradley_terry_alone():
    comparisons = from_comparisons(
        pd.DataFrame({"a": ["A", "B"] * 5, "b": ["B", "A"] * 5, "won": ["A", "B"] * 5}),
        left="a",
        right="b",
        winner="won",
    )
    with pytest.raises(ValueError, match="choose 'bradley_terry'"):
        comparisons.best_set("borda")
    assert comparisons.best_set()["best"].all()
    assert comparisons.best_set().attrs["rule"] == "bradley_terry"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delta": 0}, "delta"),
        ({"n_draws": 10}, "n_draws=10 can't show a level of delta=0.05"),
        ({"over": "rows"}, "over"),
        ({"draws": "groups"}, "give groups="),
    ],
)
def test_what_it_is_told_is_checked(options, message):
    with pytest.raises(ValueError, match=message):
        best_set(table(), "mean", **options)


@pytest.mark.parametrize("seed", range(5))
def test_of_two_systems_it_is_the_sign_flip_test_of_scipy(seed):
    from scipy.stats import permutation_test

    scores = table(seed, shape=(2, 9))
    found = best_set(scores, "mean")
    lead = (scores.loc[found.index[0]] - scores.loc[found.index[1]]).to_numpy()
    expected = permutation_test(
        (lead,), np.mean, permutation_type="samples", alternative="greater", n_resamples=np.inf
    )
    assert found["p_value"].iloc[1] == pytest.approx(expected.pvalue)
