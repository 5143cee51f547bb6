"""Clusters of instances: whole ones are drawn, in every question about uncertainty."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import nbrank

SYSTEMS = ["A", "B", "C", "D"]


def table(seed=0, n_clusters=8, tasks=("t",), level="passage", spread=1.0):
    """Rows (system, passage, instance): 1 to 4 instances in each passage, and effects of both."""
    rng = np.random.default_rng(seed)
    passage = np.repeat(np.arange(n_clusters), rng.integers(1, 5, n_clusters))
    n = len(passage)
    shared = rng.normal(size=(4, n_clusters, len(tasks)))[:, passage]
    values = rng.normal(size=(4, n, len(tasks))) + shared
    values += spread * np.arange(4)[:, None, None]
    index = pd.MultiIndex.from_arrays(
        [np.repeat(SYSTEMS, n), np.tile(passage, 4), np.tile(np.arange(n), 4)],
        names=["system", level, "instance"],
    )
    return pd.DataFrame(values.reshape(-1, len(tasks)), index=index, columns=list(tasks))


def few(n_clusters, spread=0.5):
    """Four systems on few passages, with three instances each."""
    rng = np.random.default_rng(5)
    index = pd.MultiIndex.from_product(
        [SYSTEMS, range(n_clusters), range(3)], names=["system", "passage", "instance"]
    )
    at = index.to_frame()
    values = rng.normal(size=len(index)) + spread * at["system"].map(SYSTEMS.index)
    index = pd.MultiIndex.from_arrays(
        [at["system"], at["passage"], at["passage"] * 3 + at["instance"]], names=index.names
    )
    return pd.DataFrame({"t": values.to_numpy()}, index=index)


#: From the rows and what else is asked to an answer.
QUESTIONS = {
    "rank_confidence": lambda rows, **how: nbrank.rank_confidence(rows, "mean", seed=0, **how),
    "rank_confidence, borda": lambda rows, **how: nbrank.rank_confidence(
        rows, "borda", seed=0, **how
    ),
    "rank_confidence, the model": lambda rows, **how: nbrank.rank_confidence(
        rows, "bradley_terry", seed=0, **how
    ),
    "tie_groups": lambda rows, **how: nbrank.tie_groups(rows, "mean", seed=0, **how),
    "bootstrap": lambda rows, **how: nbrank.bootstrap(
        rows, "mean", over="instances", n_draws=200, seed=0, **how
    ),
    "bootstrap of pairs": lambda rows, **how: nbrank.bootstrap(
        rows, "copeland", over="instances", n_draws=200, seed=0, **how
    ),
    "bootstrap of any rule": lambda rows, **how: nbrank.bootstrap(
        rows, "median", over="instances", n_draws=50, seed=0, **how
    ),
    "confidence": nbrank.confidence,
    "confidence, wilson": lambda rows, **how: nbrank.confidence(
        rows, method="wilson", adjust="holm", **how
    ),
    "confidence, bootstrap": lambda rows, **how: nbrank.confidence(
        rows, method="bootstrap", seed=0, **how
    ),
    "score_intervals": nbrank.score_intervals,
    "score_intervals, borda": lambda rows, **how: nbrank.score_intervals(rows, "borda", **how),
    "strengths": nbrank.strengths,
    "strengths, bootstrap": lambda rows, **how: nbrank.strengths(
        rows, method="bootstrap", seed=0, **how
    ),
    "win_probabilities": nbrank.win_probabilities,
    "probability_of_improvement": nbrank.probability_of_improvement,
}

every_question = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)


def mapping(rows):
    instance, passage = (rows.index.get_level_values(name) for name in ("instance", "passage"))
    return dict(zip(instance, passage, strict=True))


# ---------------------------------------------------------------- against a small implementation


def rank_sets(values, unit, delta=0.05):
    """Cluster sums under all patterns of signs, stepping down over all claims "i beats j"."""
    n_systems, units = len(values), np.unique(unit)
    sums = np.column_stack([values[:, unit == one].sum(axis=1) for one in units])
    ahead = sums[:, None] - sums
    scale = np.sqrt((ahead**2).sum(axis=2))
    scale[scale == 0] = np.inf
    signs = np.array(list(product([1, -1], repeat=len(units))))
    observed, drawn = ahead.sum(axis=2) / scale, (ahead @ signs.T) / scale[:, :, None]
    open_claims = ~np.eye(n_systems, dtype=bool)
    while open_claims.any():
        largest = np.sort(drawn[open_claims].max(axis=0))
        critical = largest[len(largest) - 1 - int(np.floor(delta * len(largest) + 1e-9))]
        accepted = open_claims & (observed > critical * (1 + 1e-9))
        if not accepted.any():
            break
        open_claims &= ~accepted
    better = ~open_claims & ~np.eye(n_systems, dtype=bool)
    return 1 + better.sum(axis=0), n_systems - better.sum(axis=1)


@pytest.mark.parametrize("seed", range(20))
def test_rank_sets_are_those_of_cluster_sums_and_sign_flips(seed):
    rows = table(seed, n_clusters=6 + seed % 5, spread=[0.0, 0.5, 2.0][seed % 3])
    unit = rows.loc["A"].index.get_level_values("passage").to_numpy()
    values = rows["t"].to_numpy().reshape(4, -1)
    points = np.array([[(column[i] > column).sum() for column in values.T] for i in range(4)])
    for rule, cells in (("mean", values), ("borda", points.astype(float))):
        found = nbrank.rank_confidence(rows, rule, seed=0).sort_index()
        low, high = rank_sets(cells, unit)
        assert found["low"].tolist() == low.tolist()
        assert found["high"].tolist() == high.tolist()
        assert found.attrs["over"] == "clusters"
        assert found.attrs["cluster"] == "passage"
        assert found.attrs["n"] == len(np.unique(unit))


def test_the_standard_error_is_that_of_a_ratio_over_clusters():
    rows = table(3)
    found = nbrank.score_intervals(rows).sort_index()
    unit = rows.loc["A"].index.get_level_values("passage").to_numpy()
    sizes = np.bincount(unit)
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    for system in SYSTEMS:
        scores = rows.loc[system, "t"].to_numpy()
        away = np.bincount(unit, scores - scores.mean())
        variance = (away**2).sum() / sizes.sum() ** 2 * effective / (effective - 1)
        assert found.loc[system, "standard_error"] == pytest.approx(np.sqrt(variance))


def test_tasks_of_the_same_passages_are_drawn_together():
    rows = table(4, tasks=("t", "u"))
    # Tasks are not drawn, so how far apart they are is no uncertainty.
    rows.loc[rows.index.get_level_values("passage") < 3, "u"] = np.nan
    found, moved = (nbrank.score_intervals(rows.assign(u=rows["u"] + by)) for by in (0, 100))
    np.testing.assert_allclose(found["standard_error"], moved["standard_error"])
    assert nbrank.rank_confidence(rows, "mean", seed=0).attrs["n"] == 8
    twice = pd.concat([rows[["t"]], rows[["t"]].add_suffix("2")], axis=1)
    once = nbrank.score_intervals(rows[["t"]])["standard_error"]
    np.testing.assert_allclose(nbrank.score_intervals(twice)["standard_error"], once)


def test_tasks_with_passages_of_their_own_are_strata():
    rows = table(5)
    other = table(6).rename(lambda number: number + 100, level="passage")
    both = pd.concat([rows, other.set_axis(["u"], axis=1)])
    found = nbrank.score_intervals(both)["standard_error"]
    parts = [nbrank.score_intervals(one)["standard_error"] for one in (rows, other)]
    expected = np.sqrt(parts[0] ** 2 + parts[1] ** 2) / 2
    np.testing.assert_allclose(found.sort_index(), expected.sort_index())


def test_wins_count_as_ballots_as_large_as_the_clusters():
    rows = table(7)
    sizes = rows.loc["A"].groupby(level="passage").size()
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    found = nbrank.confidence(rows, method="hoeffding").loc[("A", "D")]
    assert found["n"] == sizes.sum()
    half = np.sqrt(np.log(2 / 0.05) / (2 * effective))
    assert found["low"] == pytest.approx(max(found["wins"] - half, 0))
    # The sign test takes no clusters of instances, so the default is another.
    pd.testing.assert_frame_equal(nbrank.confidence(rows), nbrank.confidence(rows, method="wilson"))


# ---------------------------------------------------------------------------------- properties


@every_question
def test_a_cluster_may_be_a_level_a_mapping_or_a_series(question):
    rows = table()
    plain, of = rows.droplevel("passage"), mapping(rows)
    expected = question(rows)
    for found in (
        question(rows, cluster="passage"),
        question(plain, cluster=of),
        question(plain, cluster=pd.Series(of).sample(frac=1, random_state=0)),
        question(nbrank.Leaderboard(plain), cluster=of),
    ):
        pd.testing.assert_frame_equal(found, expected)
    assert not question(plain).equals(expected) or question is QUESTIONS["tie_groups"]


@every_question
def test_clusters_of_one_instance_each_change_nothing(question):
    rows = table(tasks=("t", "u")).droplevel("passage")
    each = {instance: f"c{instance}" for instance in rows.index.get_level_values("instance")}
    expected = question(rows)
    for cluster in (each, "instance"):
        found = question(rows, cluster=cluster)
        pd.testing.assert_frame_equal(found, expected)
        assert found.attrs == expected.attrs


@every_question
def test_names_of_clusters_change_nothing(question):
    rows = table()
    renamed = rows.rename(lambda number: f"p{(number * 5) % 8}", level="passage")
    pd.testing.assert_frame_equal(question(renamed), question(rows))


@pytest.mark.parametrize("rule", ["mean", "borda", "bradley_terry"])
def test_the_order_of_rows_changes_no_rank_set(rule):
    # Of 8 passages all 256 patterns of signs are taken.
    rows = table(spread=0.7)
    shuffled = rows.sample(frac=1, random_state=3)
    found, expected = (
        nbrank.rank_confidence(one, rule, seed=0).sort_index() for one in (shuffled, rows)
    )
    columns = ["rank", "low", "high"]
    pd.testing.assert_frame_equal(found[columns], expected[columns])


def test_instances_of_a_cluster_that_agree_tell_no_more_than_one():
    once = table(spread=1.0).groupby(level=["system", "passage"]).mean()
    once = once.rename_axis(index={"passage": "instance"})
    again = pd.concat(dict.fromkeys(range(5), once), names=["copy"]).reset_index("copy")
    again = again.set_index("copy", append=True).reset_index()
    again["passage"] = again["instance"]
    again["instance"] = again["instance"].astype(str) + "/" + again["copy"].astype(str)
    again = again.set_index(["system", "passage", "instance"])[["t"]]
    found, expected = (nbrank.rank_confidence(one, "mean", seed=0) for one in (again, once))
    pd.testing.assert_frame_equal(found, expected)


def test_a_bootstrap_with_clusters_draws_instances_if_nothing_else_is_said():
    rows = table(tasks=("t", "u"))
    assert nbrank.bootstrap(rows, "mean", n_draws=50, seed=0).attrs["over"] == "clusters"
    plain = rows.droplevel("passage")
    assert nbrank.bootstrap(plain, "mean", n_draws=50, seed=0).attrs["over"] == "tasks"
    assert nbrank.bootstrap(rows, "mean", over="tasks", n_draws=50, seed=0).attrs["over"] == "tasks"


# ------------------------------------------------------------------------------------- too few


#: What an answer says where nothing can be told, by its columns.
NOTHING = {
    ("low", "high", "systems"): (1, 4),
    ("rank", "low", "high"): (1, 4),
    ("rank", "low", "high", "p_best"): (1, 4),
    ("wins", "n", "low", "high", "significant"): (0, 1),
    ("rank", "score", "standard_error", "low", "high"): (np.nan, np.nan),
    ("rank", "strength", "standard_error", "low", "high"): (-np.inf, np.inf),
    ("probability", "low", "high"): (0, 1),
    ("probability", "low", "high", "n"): (0, 1),
}


@pytest.mark.parametrize("n_clusters", [2, 3, 4])
@every_question
def test_fewer_than_five_clusters_tell_nothing(question, n_clusters):
    found = question(few(n_clusters))
    low, high = NOTHING[tuple(found.columns)]
    assert found["low"].astype(float).equals(pd.Series(float(low), found.index, name="low"))
    assert found["high"].astype(float).equals(pd.Series(float(high), found.index, name="high"))
    if "significant" in found:
        assert not found["significant"].any()
    note = f"{n_clusters} clusters of instances ('passage') can tell nothing apart, which takes at"
    assert found.attrs["note"] == f"{note} least 5"


def test_no_level_makes_too_few_clusters_enough():
    for n_clusters, told in ((4, False), (5, True)):
        rows = few(n_clusters, spread=100.0)
        found = nbrank.rank_confidence(rows, "mean", delta=0.4, seed=0)
        assert (found["low"] > 1).any() == told


# ------------------------------------------------------------------------------------- refusals


def test_clusters_go_with_instances_alone():
    rows = table(tasks=("t", "u"))
    for question in (nbrank.rank_confidence, nbrank.bootstrap, nbrank.score_intervals):
        with pytest.raises(ValueError, match=r"cluster= .* goes with over='instances' alone"):
            question(rows, "mean", over="tasks", cluster="passage")
    with pytest.raises(ValueError, match="cluster= .* levels=2 draws tasks"):
        nbrank.confidence(rows, levels=2, cluster="passage")


def test_comparisons_and_tallies_say_what_takes_clusters():
    battles = pd.DataFrame({"l": ["A", "B"], "r": ["B", "A"], "w": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="l", right="r", winner="w")
    with pytest.raises(TypeError, match=r"from_comparisons\(..., cluster=...\)"):
        nbrank.strengths(comparisons, cluster="user")
    with pytest.warns(UserWarning, match="tally keeps sums over instances, and not which 'passage"):
        counted = nbrank.tally(table())
    with pytest.raises(TypeError, match="give the frame of scores"):
        nbrank.rank_confidence(counted, "borda", cluster="passage")


def test_critical_differences_name_the_call_that_averages_clusters():
    rows = table()
    with pytest.raises(ValueError, match="average each cluster first") as caught:
        nbrank.critical_difference(rows)
    call = str(caught.value).split("first, ")[1]
    found = nbrank.critical_difference(eval(call, {"scores": rows}))
    assert found.attrs["n_tasks"] == 8


def test_a_recommendation_counts_clusters():
    assert "8 clusters" in str(nbrank.recommend(table()))


def test_a_bootstrap_draws_whole_clusters():
    rows = table(n_clusters=7, tasks=("t", "u"), spread=0.3)
    rows.loc[rows.index.get_level_values("passage") < 2, "u"] = np.nan
    found = nbrank.bootstrap(rows, "mean", over="instances", n_draws=4000, seed=0, levels=1)
    assert found.attrs["over"] == "clusters"
    cells = rows.stack().unstack("system")
    by_cluster = cells.groupby(level="passage")
    sums, sizes = by_cluster.sum().to_numpy(), by_cluster.size().to_numpy()
    rng = np.random.default_rng(1)
    drawn = rng.multinomial(7, np.full(7, 1 / 7), size=4000)
    first = ((drawn @ sums) / (drawn @ sizes)[:, None]).argmax(axis=1)
    shares = np.bincount(first, minlength=4) / 4000
    np.testing.assert_allclose(found["p_best"].sort_index(), shares, atol=0.04)


@pytest.mark.parametrize("levels", [1, 2])
def test_any_rule_is_given_boards_of_the_clusters_that_were_drawn(levels):
    rows = table(n_clusters=7, tasks=("t", "u"), spread=0.3)

    def own(board):
        return nbrank.borda(board, levels=levels)

    found, expected = (
        nbrank.bootstrap(rows, rule, over="instances", n_draws=100, seed=0, **options)
        for rule, options in ((own, {}), ("borda", {"levels": levels}))
    )
    pd.testing.assert_frame_equal(found, expected)


def test_a_sign_test_of_single_instances_is_refused_for_clusters_and_names_what_answers():
    rows = table()
    with pytest.raises(ValueError, match="method='bootstrap'.*cluster='instance'"):
        nbrank.confidence(rows, method="sign")
    nbrank.confidence(rows, method="bootstrap", seed=0)
    assert "ties" in nbrank.confidence(rows, method="sign", cluster="instance")


def test_an_improvement_is_as_sure_as_its_clusters_are_many():
    rows = table(n_clusters=9)
    result = nbrank.probability_of_improvement(rows)
    assert result.attrs["over"] == "clusters"
    assert (result["n"] == 9).all()
    cells = rows["t"].unstack("system")
    won = (cells["A"] > cells["B"]).astype(float)
    by_cluster = won.groupby(level="passage").agg(["sum", "size"])
    share = won.mean()
    away = by_cluster["sum"] / by_cluster["size"] - share
    variance = np.average(away**2, weights=by_cluster["size"] ** 2)
    effective = by_cluster["size"].sum() ** 2 / (by_cluster["size"] ** 2).sum()
    limits = [share, 1 - share]
    for end, mean in enumerate(limits):
        # A cluster without a win is added; the clusters have uniform weights that sum to 1.
        moments = [effective * of / (effective + 1) for of in (mean, variance + mean**2)]
        spread = (moments[1] - moments[0] ** 2) / (effective + 2)
        size = moments[0] * (1 - moments[0]) / spread - 1
        limits[end] = stats.beta.ppf(0.025, moments[0] * size, (1 - moments[0]) * size)
    expected = [share, limits[0], 1 - limits[1]]
    np.testing.assert_allclose(result.loc[("A", "B"), ["probability", "low", "high"]], expected)


def test_an_improvement_on_instances_in_clusters_covers_one_half_of_equal_systems():
    rng, excluded = np.random.default_rng(0), 0
    index = pd.MultiIndex.from_tuples(
        [(system, item // 5, item) for system in "AB" for item in range(60)],
        names=["system", "passage", "instance"],
    )
    for _ in range(100):
        shared = np.repeat(rng.normal(size=(2, 12)) * 3, 5, axis=1)
        rows = pd.DataFrame({"t": (shared + rng.normal(size=(2, 60))).ravel()}, index)
        first = nbrank.probability_of_improvement(rows).iloc[0]
        excluded += not first["low"] <= 0.5 <= first["high"]
    assert excluded <= 12


def test_an_improvement_on_single_instances_says_that_they_are_drawn():
    rows = table().droplevel("passage")
    assert nbrank.probability_of_improvement(rows).attrs["over"] == "instances"


# Whatever draws nothing has no clusters, and says so in its own name.
DRAW_NOTHING = {
    "mean": nbrank.mean,
    "borda": nbrank.borda,
    "copeland": nbrank.copeland,
    "pairwise": nbrank.pairwise,
    "compare": nbrank.compare,
    "winners": nbrank.winners,
}


@pytest.mark.parametrize("name", DRAW_NOTHING)
def test_what_draws_nothing_refuses_clusters_in_its_own_name(name):
    rows = table()
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected .* 'cluster'") as caught:
        DRAW_NOTHING[name](rows, cluster="passage")
    assert "Leaderboard(scores, cluster=...)" in str(caught.value)
    DRAW_NOTHING[name](nbrank.Leaderboard(rows.abs(), cluster="passage"))


def test_what_passes_options_on_to_a_rule_names_who_takes_clusters():
    with pytest.raises(TypeError, match=r"leave_one_out: .*Leaderboard\(scores, cluster=...\)"):
        nbrank.leave_one_out(table(), "borda", cluster="passage")


def test_a_recommendation_takes_clusters():
    rows = table()
    plain = nbrank.recommend(rows.droplevel("passage"), cluster=mapping(rows))
    assert "8 clusters" in str(plain)


def test_picture_report_and_page_take_clusters():
    rows = table(n_clusters=4)
    plain, of = rows.droplevel("passage"), mapping(rows)

    def groups(bench):
        bench.tab = "confidence"
        return bench.get_tab_result("confidence").groups

    for ask in (
        lambda board, **how: nbrank.picture(board, "mean", rules=["borda"], **how).template,
        lambda board, **how: nbrank.report(board, "mean", rules=["borda"], **how).sections,
        lambda board, **how: groups(nbrank.explore(board, rules=["mean"], **how)),
        lambda board, **how: groups(nbrank.explore(board, "mean", tab="confidence", **how)),
    ):
        assert str(ask(plain, cluster=of)) == str(ask(nbrank.Leaderboard(plain, cluster=of)))
        assert str(ask(plain, cluster=of)) != str(ask(plain))


def test_tie_groups_refuse_in_their_own_name():
    rows = table()
    refused = [
        (ValueError, {"cluster": "passage", "over": "tasks"}),
        (ValueError, {"over": "seeds"}),
        (ValueError, {"over": "nothing"}),
        (TypeError, {"unheard": 1}),
    ]
    for error, options in refused:
        with pytest.raises(error, match="^tie_groups"):
            nbrank.tie_groups(rows, "mean", **options)
    with pytest.raises(ValueError, match="^tie_groups: median does not rank by means"):
        nbrank.tie_groups(rows, "median")
    battles = pd.DataFrame({"l": ["A", "B"], "r": ["B", "A"], "w": ["A", "B"]})
    comparisons = nbrank.from_comparisons(battles, left="l", right="r", winner="w")
    with pytest.raises(ValueError, match="^tie_groups: copeland has no confidence sets"):
        nbrank.tie_groups(comparisons, "copeland")
