"""How ranks spread under resampling: quick ways beside the plain one, and what it does not say."""

import contextlib
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.comparison.rules_side_by_side import RuleRefusedWarning
from nbrank.rules.registry import RULES
from nbrank.uncertainty.rank_sets import rank_confidence
from nbrank.uncertainty.resampled_ranks import bootstrap
from nbrank.votes.leaderboard import Leaderboard

ARGUMENTS = {
    "geometric_mean": {"shift": 10.0},
    "normalized_mean": {"low": -4, "high": 6},
    "optimality_gap": {"gamma": 1.5},
    "positional": {"vector": [7, 3, 2, 1, 0]},
}
#: Means of the scores themselves, for which nothing stands for a missing score but the median.
OF_SCORES = ("mean", "geometric_mean", "normalized_mean", "optimality_gap")
MEANS = [name for name, rule in RULES.items() if rule.additive]
#: Rules that look at pairwise counts alone, which are added up for all resamples at once.
OF_COUNTS = [
    name
    for name, rule in RULES.items()
    if rule.supports(nbrank.Comparisons.provides)
    and rule.supports(nbrank.Leaderboard.provides)
    and name not in MEANS
]


def table(gaps=0.0, n_systems=5, n_tasks=9, spread=2.0, seed=0):
    rng = np.random.default_rng(seed)
    quality = np.linspace(spread, 0, n_systems)
    scores = np.round(rng.normal(size=(n_systems, n_tasks)) + quality[:, None], 1)
    scores[rng.random(scores.shape) < gaps] = np.nan
    return pd.DataFrame(scores, index=list("ABCDEFGH")[:n_systems]).add_prefix("t")


def instances(gaps=0.1, n_instances=6, n_tasks=4, seed=0):
    rng = np.random.default_rng(seed)
    index = pd.MultiIndex.from_product(
        [list("ABC"), range(n_instances)], names=["system", "instance"]
    )
    scores = pd.DataFrame(rng.normal(size=(len(index), n_tasks)).round(1), index).add_prefix("t")
    scores.loc[["A"]] += 0.5
    scores = scores.mask(rng.random(scores.shape) < gaps)
    # The first two items are not in t0.
    scores.loc[scores.index.get_level_values("instance") < 2, "t0"] = np.nan
    return scores


def plainly(rule, **options):
    """The same rule as any function: the bootstrap calls it on each resample."""
    function = RULES[rule].function if isinstance(rule, str) else rule
    return lambda scores: function(scores, **options)


def same(one, two):
    assert one.attrs.pop("rule") == two.attrs.pop("rule")
    pd.testing.assert_frame_equal(one, two)


# --------------------------------------------------------------------- the quick ways and the plain


@pytest.mark.parametrize(
    ("rule", "missing"),
    [
        (rule, missing)
        for rule in MEANS
        for missing in ("compatible", "ignore", "median", "worst", None)
        if not (rule in OF_SCORES and missing in ("compatible", "worst"))
    ],
)
def test_means_are_added_up_to_the_ranks_of_each_resample(rule, missing):
    options = dict(ARGUMENTS.get(rule, {}))
    if missing is not None:
        options["missing"] = missing
    scores = table(gaps=0.0 if missing is None else 0.4)
    if rule == "positional":
        scores = scores.iloc[:5]
    board = Leaderboard(scores, weights={"t0": 2.0, "t1": 0.5, "t2": 0.0})
    quick = bootstrap(board, rule, n_draws=60, seed=1, **options)
    same(quick, bootstrap(board, plainly(rule, **options), n_draws=60, seed=1))


@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
@pytest.mark.parametrize("gaps", [0.0, 0.5])
@pytest.mark.parametrize("rule", OF_COUNTS)
def test_counts_are_added_up_to_the_ranks_of_each_resample(rule, gaps):
    options = {"prior": 0.1} if rule in ("bradley_terry", "davidson") else {}
    board = Leaderboard(table(gaps=gaps, n_tasks=12, seed=3), weights={"t0": 2.0})
    quick = bootstrap(board, rule, n_draws=30, seed=1, **options)
    plain = bootstrap(board, plainly(rule, **options), n_draws=30, seed=1)
    if RULES[rule].find_winners is None:
        same(quick, plain)
    else:
        same(quick.drop(columns="p_best"), plain.drop(columns="p_best"))


@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
@pytest.mark.parametrize("prior", [0.0, 0.1])
@pytest.mark.parametrize("rule", ["bradley_terry", "davidson"])
def test_a_model_refuses_the_resamples_that_it_would_refuse_as_tables(rule, prior):
    scores = table(gaps=0.2, n_tasks=12, spread=0.5)
    # In every third resample or so, nobody has scored A.
    scores.loc["A", "t1":] = np.nan
    if not prior:
        scores.loc["A", ["t0", "t1", "t2", "t3"]] = [5.0, -5.0, 5.0, -5.0]
    quick = bootstrap(scores, rule, n_draws=40, seed=1, prior=prior)
    same(quick, bootstrap(scores, plainly(rule, prior=prior), n_draws=40, seed=1))
    assert (quick.attrs["n_draws"] < 40) == (not prior)


@pytest.mark.parametrize("over", ["tasks", "instances"])
@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("bradley_terry", {"prior": 0.1}),
        ("borda", {}),
        ("borda", {"levels": 2}),
        ("mean", {"missing": "ignore"}),
        ("mean", {"missing": "ignore", "levels": 1}),
        ("mean", {"missing": "median"}),
        ("mean_win_rate", {}),
        ("mean_rank", {"missing": "ignore"}),
        ("mean_rank", {"missing": "worst"}),
        ("borda", {"levels": 2, "missing": "worst", "ties": "max"}),
        ("copeland", {}),
        ("copeland", {"levels": 2}),
        ("copeland", {"missing": "compatible"}),
        ("copeland", {"missing": "median"}),
        ("minimax", {"variant": "margins"}),
        ("schulze", {"levels": 2}),
    ],
)
def test_so_are_those_of_instances(rule, options, over):
    board = Leaderboard(
        instances(), weights={"t1": 2.0, "t3": 0.0}, lower_is_better=["t2"] * (rule != "mean")
    )
    quick = bootstrap(board, rule, over=over, n_draws=40, seed=2, **options)
    same(quick, bootstrap(board, plainly(rule, **options), over=over, n_draws=40, seed=2))


@pytest.mark.parametrize("rule", ["borda", "mean_win_rate", "copeland", "ranked_pairs", "kemeny"])
def test_so_are_those_of_groups_of_tasks_of_instances(rule):
    # A task with the name of a group, and a task on which nobody was scored.
    scores = instances().assign(t4=np.nan)
    groups = {"t3": ["t1", "t2"], "x": ["t3", "t4"], "y": ["t0"]}
    quick = bootstrap(scores, rule, n_draws=40, seed=2, groups=groups)
    plain = bootstrap(scores, plainly(rule), n_draws=40, seed=2, groups=groups)
    if RULES[rule].find_winners is None:
        same(quick, plain)
    else:
        same(quick.drop(columns="p_best"), plain.drop(columns="p_best"))


@pytest.mark.parametrize("over", ["tasks", "instances"])
@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("borda", {}),
        ("plurality", {}),
        ("mean_rank", {"missing": "ignore"}),
        ("mean_rank", {"missing": "compatible"}),
        ("mean_win_rate", {}),
    ],
)
def test_places_of_some_ballots_at_a_time_are_those_of_all(rule, options, over, monkeypatch):
    whole = bootstrap(instances(gaps=0.4), rule, over=over, n_draws=40, seed=2, **options)
    monkeypatch.setattr("nbrank.rules.additive_form._BALLOTS", 3)
    same(bootstrap(instances(gaps=0.4), rule, over=over, n_draws=40, seed=2, **options), whole)


def test_complete_instances_of_a_mean_of_task_means():
    board = Leaderboard(instances(gaps=0.0), weights={"t1": 2.0})
    quick = bootstrap(board, "mean", over="instances", n_draws=40, seed=2)
    same(quick, bootstrap(board, plainly("mean"), over="instances", n_draws=40, seed=2))


def test_blocks_of_resamples_are_as_good_as_one(monkeypatch):
    whole = bootstrap(table(), "median", n_draws=800, seed=0)
    monkeypatch.setattr("nbrank.uncertainty.sampling_design._CELLS", 900)
    blocks = bootstrap(table(), "median", n_draws=800, seed=0)
    assert blocks.attrs["n_draws"] == 800
    np.testing.assert_allclose(blocks["p_best"], whole["p_best"], atol=0.08)


# -------------------------------------------------------------------------------- what is drawn


def test_a_resample_is_the_table_of_the_tasks_drawn():
    seen = []

    def rule(board):
        seen.append(board)
        return nbrank.borda(board)

    bootstrap(table(), rule, n_draws=25, seed=0, weights={"t3": 2.0, "t4": 0.0})
    assert seen[0].weights.tolist() == [1, 1, 1, 2, 0, 1, 1, 1, 1]
    for board in seen[1:]:
        times = board.weights / np.array([1, 1, 1, 2, 1, 1, 1, 1, 1])
        assert times[4] == 0
        assert times.sum() == 8
        assert (times == times.round()).all()
    assert len({tuple(board.weights) for board in seen}) > 20


def test_so_is_one_of_more_tasks_than_are_drawn_at_a_time(monkeypatch):
    monkeypatch.setattr("nbrank.arrays.uncertainty.resampling._BLOCK", 3)
    drawn = []

    def rule(tasks):
        drawn.append(tasks)
        return tasks.borda()

    counted = nbrank.tally(instances())
    bootstrap(counted, rule, n_draws=25, seed=0)
    assert list(drawn[0].tasks) == list(counted.tasks)
    for tasks in drawn[1:]:
        assert set(tasks.tasks) <= set(counted.tasks)
        assert tasks.weights.sum() == len(counted.tasks)
    found = bootstrap(instances(), "copeland", n_draws=25, seed=0, levels=2)
    assert found.equals(bootstrap(counted, "copeland", n_draws=25, seed=0, levels=2))


def test_tasks_of_a_group_are_drawn_together():
    seen = []

    def rule(board):
        seen.append(board.weights)
        return nbrank.borda(board)

    groups = {"x": ["t0", "t1"], "y": ["t2"], "t3": ["t3", "t4", "t5", "t6", "t7", "t8"]}
    found = bootstrap(table(), rule, n_draws=25, seed=0, groups=groups)
    assert found.attrs["over"] == "groups"
    for weights in seen[1:]:
        assert weights[0] == weights[1]
        assert len(set(weights[3:])) == 1
        assert weights[0] + weights[2] + weights[3] == 3


def test_each_task_keeps_its_number_of_instances():
    seen = []

    def rule(board):
        seen.append(board)
        return nbrank.borda(board)

    original = Leaderboard(instances())
    bootstrap(original, rule, over="instances", n_draws=10, seed=0)
    for board in seen[1:]:
        assert (board.task_codes == original.task_codes).all()
        for task in range(4):
            own = board.values[:, board.task_codes == task].T
            source = original.values[:, original.task_codes == task].T
            for column in own:
                assert any(np.array_equal(column, one, equal_nan=True) for one in source)
    assert any((board.values != original.values).any() for board in seen[1:])


# -------------------------------------------------------------------------------------- the frame


@pytest.mark.parametrize("rule", ["borda", "copeland", "median"])
def test_a_row_for_each_system_best_first(rule):
    found = bootstrap(table(), rule, n_draws=200, seed=0)
    ranked = RULES[rule].function(table())
    assert found.columns.tolist() == ["rank", "low", "high", "p_best"]
    assert found["rank"].equals(ranked["rank"])
    assert (found[["rank", "low", "high"]].dtypes == np.int64).all()
    assert (found["low"] <= found["high"]).all()
    assert found["p_best"].sum() == pytest.approx(1)
    assert found.attrs == {"rule": rule, "over": "tasks", "n_draws": 200, "delta": 0.05}


def test_tied_winners_share_and_no_winner_is_nobodys():
    tied = pd.DataFrame(np.ones((2, 5)), index=["A", "B"])
    assert bootstrap(tied, "borda", n_draws=50, seed=0)["p_best"].tolist() == [0.5, 0.5]
    cycle = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))
    found = bootstrap(cycle, "condorcet", n_draws=500, seed=0)
    # Six of the 27 resamples hold each task once, and none has a winner but those.
    assert found["p_best"].sum() == pytest.approx(21 / 27, abs=0.06)


def test_delta_is_what_is_left_out():
    wide, narrow = (bootstrap(table(), "borda", n_draws=500, seed=0, delta=d) for d in (0.01, 0.5))
    assert (wide["low"] <= narrow["low"]).all()
    assert (wide["high"] >= narrow["high"]).all()
    assert (wide["high"] - wide["low"]).sum() > (narrow["high"] - narrow["low"]).sum()


def test_the_same_seed_draws_the_same():
    for rule in ("borda", "median", "copeland"):
        one, two = (bootstrap(table(), rule, n_draws=100, seed=7) for _ in range(2))
        pd.testing.assert_frame_equal(one, two)
        other = bootstrap(table(), rule, n_draws=100, seed=8)
        assert (one["p_best"] != other["p_best"].reindex(one.index)).any()


def test_a_system_without_a_score_is_last_and_never_wins():
    scores = table(n_systems=3)
    scores.loc["B"] = np.nan
    for rule in ("mean_win_rate", "copeland", partial(nbrank.median, missing="ignore")):
        found = bootstrap(scores, rule, n_draws=50, seed=0)
        assert found.loc["B"].tolist() == [3, 3, 3, 0]


@pytest.mark.parametrize("missing", ["ignore", "worst"])
def test_the_only_system_wins_every_resample_though_it_meets_nobody(missing):
    alone = instances().loc[["A"]]
    for source in (alone, nbrank.tally(alone)):
        found = bootstrap(source, "mean_win_rate", n_draws=10, seed=0, missing=missing)
        assert found["p_best"].tolist() == [1]


def test_a_rule_may_be_a_name_a_function_or_wrapped():
    expected = bootstrap(table(gaps=0.2), "mean", n_draws=50, seed=0, missing="ignore")
    for rule in (nbrank.mean, partial(nbrank.mean, missing="median")):
        found = bootstrap(table(gaps=0.2), rule, n_draws=50, seed=0, missing="ignore")
        pd.testing.assert_frame_equal(found, expected)


def test_resamples_that_the_rule_refuses_are_left_out_and_said():
    scores = pd.DataFrame([[3, 3, 3, 1], [2, 2, 2, 2], [1, 1, 1, 3]], index=list("ABC"))
    with pytest.warns(RuleRefusedWarning, match="of 100 resamples are left out, .* because: "):
        found = bootstrap(scores, "bradley_terry", n_draws=100, seed=0)
    assert found.attrs["n_draws"] < 100

    refuse = [False, *[True] * 5]

    def rule(board):
        if refuse.pop(0):
            raise ValueError("no")
        return nbrank.borda(board)

    with pytest.raises(ValueError, match="the rule refuses every resample: no"):
        bootstrap(table(), rule, n_draws=5, seed=0)


def test_a_bar_shows_after_two_seconds_only(capsys):
    bootstrap(table(), "median", n_draws=100, seed=0)
    assert capsys.readouterr().err == ""


# --------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "bordas"}, "unknown rule 'bordas'"),
        ({"rule": "borda", "over": "instances"}, "needs a score for each instance"),
        ({"rule": "borda", "over": "groups"}, "choose 'tasks' or 'instances'"),
        ({"rule": "borda", "n_draws": 0}, "n_draws=0 must be at least 1"),
        ({"rule": "borda", "delta": 0}, "delta=0"),
        ({"rule": "mean"}, "missing scores"),
        (
            {"rule": "borda", "groups": {"all": [f"t{k}" for k in range(9)]}},
            "there is only one group",
        ),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap(table(gaps=0.2), **options)


def test_a_single_task_shows_no_spread():
    with pytest.raises(ValueError, match="there is only one task"):
        bootstrap(table(n_tasks=1), "borda")
    with pytest.raises(ValueError, match="draw over='instances'"):
        bootstrap(instances(n_tasks=1), "borda")
    assert bootstrap(instances(n_tasks=1), "borda", over="instances", n_draws=20, seed=0).shape == (
        3,
        4,
    )


# ----------------------------------------------------------------------------- what it does not say


def test_its_intervals_miss_the_true_ranks_where_confidence_sets_hold_them():
    # Twenty close systems on fourteen tasks, all at once, at a nominal 95 %.
    rng = np.random.default_rng(14)
    truth = pd.Series(range(20, 0, -1))
    held = {"bootstrap": 0, "rank_confidence": 0}
    for _ in range(200):
        scores = pd.DataFrame(rng.gumbel(size=(20, 14)) + np.linspace(0, 0.5, 20)[:, None])
        for name, found in {
            "bootstrap": bootstrap(scores, "borda", n_draws=300, seed=0),
            "rank_confidence": rank_confidence(scores, "borda", seed=0, n_draws=1000),
        }.items():
            rank = truth.reindex(found.index)
            held[name] += ((found["low"] <= rank) & (rank <= found["high"])).all()
    assert held["bootstrap"] <= 20
    assert held["rank_confidence"] >= 190


def test_systems_that_a_rule_of_ones_own_leaves_unranked_share_the_last_rank():
    scores = pd.DataFrame({"t": [3.0, 2.0, 1.0], "u": [3.0, 2.0, 1.0]}, index=list("ABC"))

    def top(board):
        ranked = nbrank.borda(board)
        return ranked.assign(rank=ranked["rank"].where(ranked["rank"] == 1))

    found = bootstrap(scores, top, n_draws=5, seed=0)
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 2], [2, 2]]


# -------------------------------------------------------------------------------------- comparisons


def battles(n_votes=60, seed=0, **columns):
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, n_votes)
    right = (left + rng.integers(1, 4, n_votes)) % 4
    won = rng.random(n_votes) < 1 / (1 + np.exp((left - right) * 0.5))
    winner = np.where(rng.random(n_votes) < 0.2, "tie", np.where(won, "left", "right"))
    names = np.array(list("ABCD"))
    frame = pd.DataFrame({"left": names[left], "right": names[right], "winner": winner})
    frame["worker"] = rng.integers(0, 12, n_votes)
    return frame


def compare_sides(frame, **options):
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", **options)


@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
@pytest.mark.parametrize("rule", ["bradley_terry", "borda", "mean_win_rate", "copeland", "elo"])
@pytest.mark.parametrize("cluster", [None, "worker"])
def test_comparisons_spread_as_far_as_those_drawn_row_by_row(rule, cluster, effort):
    frame = battles()
    result = bootstrap(compare_sides(frame, cluster=cluster), rule, n_draws=400)
    rng = np.random.default_rng(1)
    ranks = []
    units = pd.Series(range(len(frame))) if cluster is None else frame[cluster]
    members = [np.flatnonzero(units == unit) for unit in units.unique()]
    while len(ranks) < 100 * effort:
        drawn = np.concatenate(
            [members[unit] for unit in rng.integers(0, len(members), len(members))]
        )
        if rule == "elo":
            drawn = np.sort(drawn)
        sample = compare_sides(frame.iloc[drawn])
        with contextlib.suppress(ValueError):  # some strength may be infinite
            ranking = RULES[rule].function(sample)
            if len(ranking) == 4:
                ranks.append(ranking["rank"].reindex(list("ABCD")))
    first = pd.concat(ranks, axis=1) == 1
    best = (first / first.sum()).mean(axis=1)
    np.testing.assert_allclose(result["p_best"].reindex(list("ABCD")), best, atol=0.12)
    assert result.attrs["over"] == ("comparisons" if cluster is None else "clusters")
    assert result["p_best"].sum() == pytest.approx(1)


def test_counted_comparisons_are_those_that_they_stand_for():
    frame = battles(seed=3).drop(columns="worker")
    counted = frame.value_counts().reset_index()
    one, two = compare_sides(frame), compare_sides(counted, count="count")
    result = two.bootstrap("bradley_terry", n_draws=200)
    expected = one.bootstrap("bradley_terry", n_draws=200)
    np.testing.assert_allclose(result["p_best"], expected["p_best"].reindex(result.index), atol=0.1)


def test_a_bootstrap_of_comparisons_repeats_by_its_seed():
    comparisons = compare_sides(battles())
    pd.testing.assert_frame_equal(
        comparisons.bootstrap("borda", n_draws=50), bootstrap(comparisons, "borda", n_draws=50)
    )
    assert not comparisons.bootstrap("borda", n_draws=50).equals(
        comparisons.bootstrap("borda", n_draws=50, seed=1)
    )


def test_a_function_of_ones_own_sees_the_comparisons_that_were_drawn():
    comparisons = compare_sides(battles())
    own = bootstrap(comparisons, plainly("elo"), n_draws=30)
    np.testing.assert_array_equal(
        own["p_best"], bootstrap(comparisons, "elo", n_draws=30)["p_best"]
    )


def test_what_is_drawn_of_comparisons_is_not_for_the_caller_to_say():
    comparisons = compare_sides(battles())
    with pytest.raises(TypeError, match="leave out over="):
        comparisons.bootstrap("borda", over="instances")
    with pytest.raises(TypeError, match="leave out errors="):
        comparisons.bootstrap("borda", errors=pd.DataFrame())
    with pytest.raises(TypeError, match="from_comparisons"):
        comparisons.bootstrap("borda", cluster="worker")
    alike = compare_sides(pd.DataFrame({"left": ["A"], "right": ["B"], "winner": ["tie"]}))
    with pytest.raises(ValueError, match="all comparisons are alike"):
        alike.bootstrap("borda")


def test_few_clusters_of_comparisons_tell_nothing():
    frame = battles().assign(worker=lambda frame: frame["worker"] % 3)
    result = compare_sides(frame, cluster="worker").bootstrap("borda")
    assert (result["low"] == 1).all()
    assert (result["high"] == 4).all()
    assert result.attrs["note"].startswith("3 clusters of comparisons can tell nothing apart")
