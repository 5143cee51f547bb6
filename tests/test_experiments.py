"""Experiments: each change against a hand calculation, and what all of them share."""

import inspect
import itertools
import math
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import experiments
from nbrank.agreement import kendall_distance, kendall_tau, spearman, top_k_agreement
from nbrank.comparison.rules_side_by_side import RuleRefusedWarning
from nbrank.synthetic import gumbel_scores, true_ranking
from nbrank.votes import progress

TABLE = pd.DataFrame(
    {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
)
RANDOM = {
    "remove_scores": experiments.remove_scores,
    "remove_tasks": experiments.remove_tasks,
    "add_systems": experiments.add_systems,
    "corrupt_tasks": partial(experiments.corrupt_tasks, truth=list("ABCD")),
    "rescale_task": experiments.rescale_task,
}
every_experiment = pytest.mark.parametrize("run", RANDOM.values(), ids=RANDOM)


class Recorder:
    """A rule that keeps the tables it was given, and ranks as Borda does."""

    def __init__(self) -> None:
        self.boards: list[nbrank.Leaderboard] = []

    def __call__(self, board: nbrank.Leaderboard) -> pd.DataFrame:
        self.boards.append(board)
        return nbrank.borda(board)

    @property
    def changed(self) -> list[nbrank.Leaderboard]:
        """Without the first one, on which the reference stands."""
        return self.boards[1:]


# ---------------------------------------------------------------------------------- what all share


@every_experiment
def test_rows_go_by_rule_setting_and_repetition(run):
    rules = {"Borda": nbrank.borda, "majority": "copeland"}
    found = run(TABLE, rules, n_repeats=3, seed=0)
    setting = found.columns[1]
    assert found.columns[0] == "rule"
    assert found.columns[-2:].tolist() == ["repetition", "kendall_tau"]
    n_settings = found[setting].nunique()
    assert len(found) == 2 * 3 * n_settings
    keys = list(zip(found["rule"], found[setting], found["repetition"], strict=True))
    assert keys == list(itertools.product(rules, found[setting].unique(), range(3)))
    assert found["kendall_tau"].dropna().between(-1, 1).all()


@every_experiment
def test_the_same_seed_repeats_and_more_repetitions_only_add(run):
    short, again, long = (run(TABLE, ["borda"], n_repeats=n, seed=7) for n in (2, 2, 4))
    pd.testing.assert_frame_equal(short, again)
    first = long[long["repetition"] < 2].reset_index(drop=True)
    pd.testing.assert_frame_equal(short, first)
    assert not run(TABLE, ["borda"], n_repeats=6, seed=8).equals(
        run(TABLE, ["borda"], n_repeats=6, seed=7)
    )


@every_experiment
def test_all_rules_see_the_same_tables(run):
    one, other = Recorder(), Recorder()
    run(TABLE, {"one": one, "other": other}, n_repeats=2, seed=0)
    assert len(one.boards) == len(other.boards)
    for a, b in zip(one.boards, other.boards, strict=True):
        pd.testing.assert_frame_equal(a.scores, b.scores)


@every_experiment
def test_a_leaderboard_is_not_changed(run):
    board = nbrank.Leaderboard(TABLE, weights={"t1": 2}, lower_is_better=["t3"])
    recorder = Recorder()
    run(board, {"r": recorder}, n_repeats=2, seed=0)
    pd.testing.assert_frame_equal(board.scores, TABLE.astype(float))
    for changed in recorder.boards:
        kept = list(changed.tasks)
        assert changed.task_weights.to_dict() == {t: 2.0 if t == "t1" else 1.0 for t in kept}
        assert set(changed.lower_is_better) == {"t3"} & set(kept)
    with pytest.raises(TypeError, match="weights can't be given together with a Leaderboard"):
        run(board, ["borda"], n_repeats=1, seed=0, weights={"t1": 1})


@every_experiment
def test_options_of_the_board_go_with_a_frame(run):
    recorder = Recorder()
    options = {"weights": {"t1": 3}, "lower_is_better": ["t1"]}
    run(TABLE, {"r": recorder}, n_repeats=1, seed=0, **options)
    assert recorder.boards[0].task_weights["t1"] == 3
    assert recorder.boards[0].lower_is_better == ("t1",)


@every_experiment
def test_other_measures_take_the_place_of_tau(run):
    measures = {"distance": kendall_distance, "top": lambda a, b: top_k_agreement(a, b, 1)}
    found = run(TABLE, ["borda"], n_repeats=2, seed=3, measures=measures)
    assert list(found.columns)[-2:] == ["distance", "top"]
    taus = run(TABLE, ["borda"], n_repeats=2, seed=3)["kendall_tau"]
    assert ((found["distance"] == 0) == (taus == 1)).all()


@every_experiment
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"n_repeats": 0}, ValueError, "experiments: n_repeats=0 must be at least 1"),
        ({"n_repeats": 2.5}, TypeError, "n_repeats=2.5 must be a whole number"),
        ({"seed": None}, TypeError, "seed=None must be a whole number"),
        ({"rules": []}, ValueError, "no rules are given"),
        ({"rules": ["bordo"]}, ValueError, "unknown rule 'bordo'"),
        ({"truth": ["A", "B", "C", "E"]}, ValueError, "'D' only in the first; 'E' only in the sec"),
    ],
)
def test_refusals(run, arguments, error, message):
    options = {"rules": ["borda"], "n_repeats": 1, "seed": 0} | arguments
    with pytest.raises(error, match=message):
        run(TABLE, options.pop("rules"), **options)


def test_a_function_of_a_seed_draws_a_new_table_for_each_repetition():
    seeds = []

    def draw(seed: int) -> pd.DataFrame:
        seeds.append(seed)
        return gumbel_scores(5, 3, 4, dispersion=0.3, seed=seed)

    recorder = Recorder()
    found = experiments.remove_scores(
        draw, {"r": recorder}, shares=[0], n_repeats=3, seed=1, truth=true_ranking(5)
    )
    assert len(set(seeds)) == 3
    for seed, board, tau in zip(seeds, recorder.boards, found["kendall_tau"], strict=True):
        scores = gumbel_scores(5, 3, 4, dispersion=0.3, seed=seed)
        pd.testing.assert_frame_equal(board.scores, scores, check_column_type=False)
        assert tau == kendall_tau(true_ranking(5), nbrank.borda(scores))


def test_without_a_truth_each_repetition_has_its_own_reference():
    draw = partial(gumbel_scores, 5, 3, 4, 0.1)
    found = experiments.remove_scores(draw, ["borda", "mean"], shares=[0], n_repeats=4, seed=1)
    assert (found["kendall_tau"] == 1).all()


def test_a_rule_that_refuses_is_left_empty_and_named():
    with pytest.warns(RuleRefusedWarning, match="mean refused 4 of 6 tables.*missing") as caught:
        found = experiments.remove_scores(
            TABLE, ["mean", "borda"], shares=[0, 0.25, 0.5], n_repeats=2, seed=0
        )
    assert len(caught) == 1
    assert caught[0].filename == __file__
    tau = found["kendall_tau"]
    of_mean = found["rule"] == "mean"
    assert (tau[of_mean & (found["share"] == 0)] == 1).all()
    assert tau[of_mean & (found["share"] > 0)].isna().all()
    assert tau[~of_mean].notna().all()


def test_a_rule_that_refuses_the_untouched_table_is_an_error():
    with pytest.raises(ValueError, match="missing") as caught:
        experiments.remove_scores(TABLE.mask(TABLE == 5), ["mean"], n_repeats=1, seed=0)
    assert "mean ranked the table as it is" in caught.value.__notes__[0]


# ----------------------------------------------------------------------------------- remove_scores


def test_shares_of_the_scores_that_are_there_are_removed_and_nested():
    table = TABLE.astype(float).mask(TABLE == 5)  # 11 scores
    recorder = Recorder()
    found = experiments.remove_scores(
        table, {"r": recorder}, shares=[0, 0.2, 0.5, 1], n_repeats=20, seed=0
    )
    assert found.groupby("share")["removed"].unique().explode().tolist() == [0, 2, 6, 11]
    for number, board in enumerate(recorder.changed):
        missing = board.scores.isna()
        assert missing.sum().sum() == 1 + [0, 2, 6, 11][number % 4]
        assert missing.to_numpy()[table.isna().to_numpy()].all()
        assert board.scores.equals(table.where(board.scores.notna()))
        if number % 4:
            before = recorder.changed[number - 1].scores.isna()
            assert (missing | ~before).all(axis=None)


def test_every_score_is_as_likely_to_go():
    recorder = Recorder()
    experiments.remove_scores(TABLE, {"r": recorder}, shares=[0.25], n_repeats=300, seed=1)
    gone = sum(board.scores.isna().to_numpy().astype(int) for board in recorder.changed)
    # Each of 12 cells goes with probability 1/4: 75 of 300 times, standard deviation 7.5.
    assert np.abs(gone - 75).max() < 5 * 7.5


def test_of_instance_level_scores_all_of_a_system_on_a_task_go_together():
    scores = gumbel_scores(4, 5, 6, dispersion=0.2, seed=0)
    scores.iloc[:6, 0] = math.nan  # the first system was not evaluated on the first task
    recorder = Recorder()
    found = experiments.remove_scores(scores, {"r": recorder}, shares=[0.5], n_repeats=5, seed=0)
    assert (found["removed"] == round(0.5 * 19)).all()
    for board in recorder.changed:
        gone = board.scores.reindex(scores.index).isna().groupby("system").mean()
        assert gone.isin([0, 1]).all(axis=None)
        assert gone.to_numpy().sum() == 1 + round(0.5 * 19)


def test_nothing_removed_changes_nothing_and_everything_removed_ties_all():
    found = experiments.remove_scores(
        TABLE, ["borda"], shares=[0, 1], n_repeats=2, seed=0
    ).set_index("share")["kendall_tau"]
    assert (found[0] == 1).all()
    assert found[1].isna().all()


def test_tau_is_that_of_the_damaged_table():
    recorder = Recorder()
    found = experiments.remove_scores(
        TABLE, {"r": recorder}, shares=[0.25, 0.5], n_repeats=5, seed=2
    ).sort_values(["repetition", "share"])
    full = nbrank.borda(TABLE)
    expected = [kendall_tau(full, nbrank.borda(board.scores)) for board in recorder.changed]
    np.testing.assert_allclose(found["kendall_tau"], expected)


def test_vote_n_ranks_measure_is_spearman_over_the_leaders_of_the_damaged_table():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((12, 6)), index=[f"m{i}" for i in range(12)])
    recorder = Recorder()

    def top_seven(reference: pd.DataFrame, damaged: pd.DataFrame) -> float:
        leaders = damaged.index[:7]
        return spearman(reference.loc[leaders], damaged.loc[leaders])

    found = experiments.remove_scores(
        table, {"r": recorder}, shares=[0.2], n_repeats=3, seed=0, measures={"rho": top_seven}
    )
    full = nbrank.borda(table)["score"]
    for board, rho in zip(recorder.changed, found["rho"], strict=True):
        damaged = nbrank.borda(board)["score"].iloc[:7]
        expected = full[damaged.index].corr(damaged, method="spearman")
        assert rho == pytest.approx(expected)


@pytest.mark.parametrize("share", [-0.1, 1.5, math.nan])
def test_a_share_is_between_zero_and_one(share):
    with pytest.raises(ValueError, match="shares must be between 0 and 1"):
        experiments.remove_scores(TABLE, ["borda"], shares=[0.5, share], n_repeats=1, seed=0)


# ------------------------------------------------------------------------------------ remove_tasks


def test_the_rest_of_the_tasks_is_ranked():
    board = nbrank.Leaderboard(TABLE.assign(unused=[4, 3, 2, 1]), weights={"unused": 0, "t2": 5})
    recorder = Recorder()
    found = experiments.remove_tasks(board, {"r": recorder}, n_repeats=4, seed=0)
    assert found["kept"].unique().tolist() == [1, 2]
    for number, changed in enumerate(recorder.changed):
        assert len(changed.tasks) == 1 + number % 2
        assert list(changed.tasks) == [t for t in TABLE.columns if t in changed.tasks]
        pd.testing.assert_frame_equal(changed.scores, TABLE[list(changed.tasks)].astype(float))
    assert (
        experiments.remove_tasks(board, ["borda"], kept=[3], n_repeats=1, seed=0)["kendall_tau"][0]
        == 1
    )


def test_a_task_alone_gives_its_own_ranking():
    recorder = Recorder()
    found = experiments.remove_tasks(TABLE, {"mean": recorder}, kept=[1], n_repeats=12, seed=0)
    by_hand = {
        task: kendall_tau(nbrank.borda(TABLE), TABLE[task].rank(ascending=False)) for task in TABLE
    }
    expected = [by_hand[board.tasks[0]] for board in recorder.changed]
    assert {board.tasks[0] for board in recorder.changed} == set(TABLE)
    np.testing.assert_allclose(found["kendall_tau"], expected)


@pytest.mark.parametrize("kept", [[0], [4]])
def test_no_more_tasks_are_kept_than_there_are(kept):
    with pytest.raises(ValueError, match="kept must be numbers from 1 to 3, not"):
        experiments.remove_tasks(TABLE, ["borda"], kept=kept, n_repeats=1, seed=0)
    with pytest.raises(TypeError, match=r"kept\[0\]=.* must be a whole number"):
        experiments.remove_tasks(TABLE, ["borda"], kept=[1.5], n_repeats=1, seed=0)


# ------------------------------------------------------------------------------------- add_systems


def test_the_first_systems_are_compared_with_their_order_in_the_full_ranking():
    table = pd.DataFrame(np.random.default_rng(4).integers(0, 9, (7, 5)), index=list("ABCDEFG"))
    recorder = Recorder()
    found = experiments.add_systems(
        table, {"r": recorder}, sizes=[3, 5], n_repeats=4, seed=0
    ).sort_values(["repetition", "systems"])
    full = nbrank.borda(table)["rank"]
    for number, (board, tau) in enumerate(zip(recorder.changed, found["kendall_tau"], strict=True)):
        assert len(board.systems) == (3, 5)[number % 2]
        expected = kendall_tau(full[board.systems].rank(), nbrank.borda(table.loc[board.systems]))
        assert tau == pytest.approx(expected, nan_ok=True)
        if number % 2:
            assert set(recorder.changed[number - 1].systems) < set(board.systems)


def test_means_do_not_depend_on_the_company():
    found = experiments.add_systems(TABLE, ["mean"], n_repeats=5, seed=0)
    assert found["systems"].unique().tolist() == [2, 3]
    assert (found["kendall_tau"] == 1).all()


def test_tuple_labels_of_systems_are_labels():
    rows = pd.MultiIndex.from_tuples(
        [("x", 1), ("x", 2), ("y", 1), ("y", 2)], names=["team", "size"]
    )
    found = experiments.add_systems(TABLE.set_axis(rows), ["mean"], n_repeats=2, seed=0)
    assert (found["kendall_tau"] == 1).all()


# --------------------------------------------------------------------------- corrupt, reverse tasks


def test_corrupted_tasks_hold_noise_that_reverses_the_truth():
    truth = list("CADB")
    table = pd.DataFrame(100.0, index=list("ABCD"), columns=[f"t{k}" for k in range(400)])
    table.loc["A", "t7"] = math.nan
    recorder = Recorder()
    experiments.corrupt_tasks(
        nbrank.Leaderboard(table, weights={"t3": 0}),
        {"r": recorder},
        truth=truth,
        counts=[0, 399],
        n_repeats=1,
        seed=0,
    )
    untouched, changed = (board.scores for board in recorder.boards)
    pd.testing.assert_frame_equal(untouched, table)
    assert (changed["t3"] == 100).all()
    assert changed["t7"].isna().tolist() == [True, False, False, False]
    noise = changed.drop(columns="t3")
    # Standard Gumbel numbers have the mean 0.5772 and the standard deviation 1.28.
    level = {"C": 4, "A": 3, "D": 2, "B": 1}
    for system, centre in level.items():
        assert noise.loc[system].mean() == pytest.approx(0.5772 - centre, abs=5 * 1.28 / 20)
        assert noise.loc[system].std() == pytest.approx(1.28, abs=0.25)


def test_corruption_goes_the_other_way_where_lower_is_better():
    table = pd.DataFrame(0.0, index=list("AB"), columns=range(300))
    both = []
    for lower in (False, True):
        recorder = Recorder()
        experiments.corrupt_tasks(
            table,
            {"r": recorder},
            truth=["A", "B"],
            counts=[300],
            n_repeats=1,
            seed=0,
            lower_is_better=lower,
        )
        both.append(recorder.boards[0].values)
    np.testing.assert_array_equal(both[0], -both[1])


def test_one_more_corrupted_task_keeps_those_before():
    recorder = Recorder()
    found = experiments.corrupt_tasks(
        TABLE, {"r": recorder}, truth=list("ABCD"), n_repeats=2, seed=0
    )
    assert found["corrupted"].unique().tolist() == [1, 2, 3]
    one, two, three = (board.scores for board in recorder.boards[:3])
    assert [int((table != TABLE).any().sum()) for table in (one, two, three)] == [1, 2, 3]
    corrupted = (one != TABLE).any()
    assert (one.loc[:, corrupted] == two.loc[:, corrupted]).all(axis=None)


def test_all_tasks_corrupted_reverse_the_truth():
    draw = partial(gumbel_scores, 8, 20, 20, 1.0)
    found = experiments.corrupt_tasks(
        draw, ["borda", "mean"], truth=true_ranking(8), counts=[0, 20], n_repeats=2, seed=0
    ).set_index("corrupted")["kendall_tau"]
    assert (found[0] > 0.95).all()
    assert (found[20] < -0.95).all()


# ------------------------------------------------------------------------------------ rescale_task


def test_only_means_depend_on_the_unit_of_a_task():
    recorder = Recorder()
    rules = {"borda": "borda", "copeland": "copeland", "mean": "mean", "r": recorder}
    found = experiments.rescale_task(
        TABLE, rules, task="t1", factors=[1, 10], n_repeats=1, seed=0
    ).set_index(["rule", "factor"])
    assert (found.loc[["borda", "copeland"], "kendall_tau"] == 1).all()
    assert found.loc[("mean", 1), "kendall_tau"] == 1
    # The sums are 19, 23, 20, 5 in the units given, and 100, 95, 65, 14 with t1 ten times as large.
    by_hand = kendall_tau(list("BCAD"), list("ABCD"))
    assert found.loc[("mean", 10), "kendall_tau"] == by_hand == pytest.approx(1 / 3)
    assert (found["task"] == "t1").all()
    pd.testing.assert_frame_equal(
        recorder.changed[1].scores, TABLE.assign(t1=TABLE["t1"] * 10).astype(float)
    )


def test_the_task_is_drawn_where_none_is_named():
    board = nbrank.Leaderboard(TABLE, weights={"t2": 0})
    found = experiments.rescale_task(board, ["borda"], n_repeats=20, seed=0, factors=[2, 3])
    assert set(found["task"]) == {"t1", "t3"}
    assert (found.groupby("repetition")["task"].nunique() == 1).all()
    grouped = TABLE.set_axis(
        pd.MultiIndex.from_tuples([("x", "t1"), ("x", "t2"), ("y", "t3")]), axis=1
    )
    named = experiments.rescale_task(
        grouped, ["borda"], task="t3", factors=[2], n_repeats=1, seed=0
    )
    assert named["task"].tolist() == [("y", "t3")]


@pytest.mark.parametrize("factor", [0, -1, math.inf, math.nan])
def test_a_factor_is_above_zero(factor):
    with pytest.raises(ValueError, match="factors must be finite and above 0"):
        experiments.rescale_task(TABLE, ["borda"], factors=[factor], n_repeats=1, seed=0)


def test_an_unknown_task_is_named():
    with pytest.raises(ValueError, match="unknown 't9'"):
        experiments.rescale_task(TABLE, ["borda"], task="t9", n_repeats=1, seed=0)


# -------------------------------------------------------------------------------------------- IIA


def iia_by_hand(table: pd.DataFrame, rule, order: list[str]) -> tuple[int, int, int]:
    """The three counts from the definitions, with sets and lists of labels."""

    def by_name(ranks: pd.Series) -> list[str]:
        return [s for _, s in sorted(((-ranks[s], s) for s in ranks.index), reverse=True)]

    def relation(ranks: pd.Series, a: str, b: str) -> int:
        return int(np.sign(ranks[a] - ranks[b]))

    first_two = all_earlier = code = 0
    for size in range(3, len(order) + 1):
        old, new = order[: size - 1], order[:size]
        before, after = rule(table.loc[old])["rank"], rule(table.loc[new])["rank"]
        first_two += relation(before, *order[:2]) != relation(after, *order[:2])
        all_earlier += any(
            relation(before, a, b) != relation(after, a, b)
            for a, b in itertools.combinations(old, 2)
        )
        if size < len(order):
            code += by_name(before) != [s for s in by_name(after) if s != new[-1]]
    return first_two, all_earlier, code


def test_iia_counts_are_those_of_the_definitions():
    table = pd.DataFrame(np.random.default_rng(6).integers(0, 5, (8, 4)), index=list("FHACGBED"))
    rules = {"borda": nbrank.borda, "copeland": nbrank.copeland, "plurality": nbrank.plurality}
    orders: dict[str, list[list[str]]] = {label: [] for label in rules}

    def spied(label: str, board: nbrank.Leaderboard) -> pd.DataFrame:
        if len(board.systems) == len(table):
            orders[label].append(list(board.systems))
        return rules[label](board)

    found = experiments.independence_of_irrelevant_alternatives(
        table, {label: partial(spied, label) for label in rules}, n_repeats=6, seed=0
    )
    assert list(found.columns) == [
        "rule",
        "repetition",
        "additions",
        "first_two",
        "all_earlier",
        "released_code",
    ]
    assert (found["additions"] == 6).all()
    for label, rule in rules.items():
        rows = found[found["rule"] == label]
        assert orders[label] == orders["borda"]
        expected = [iia_by_hand(table, rule, order) for order in orders[label]]
        counted = rows[["first_two", "all_earlier", "released_code"]]
        assert [tuple(row) for row in counted.to_numpy()] == expected
    assert found["first_two"].sum() > 0


def test_means_are_independent_of_irrelevant_alternatives():
    found = experiments.independence_of_irrelevant_alternatives(
        TABLE, ["mean"], n_repeats=3, seed=0
    )
    assert (found[["first_two", "all_earlier", "released_code"]] == 0).all(axis=None)


def test_iia_is_left_empty_where_a_rule_refuses():
    def moody(board: nbrank.Leaderboard) -> pd.DataFrame:
        if len(board.systems) == 3:
            raise ValueError("three is a crowd")
        return nbrank.borda(board)

    with pytest.warns(
        RuleRefusedWarning, match="moody refused 2 of 2 tables.*three is a crowd"
    ) as w:
        found = experiments.independence_of_irrelevant_alternatives(
            TABLE, [moody], n_repeats=2, seed=0
        )
    assert found["first_two"].isna().all()
    assert w[0].filename == __file__


def test_iia_needs_a_third_system():
    with pytest.raises(ValueError, match="at least three systems"):
        experiments.independence_of_irrelevant_alternatives(
            TABLE.iloc[:2], ["borda"], n_repeats=1, seed=0
        )


# --------------------------------------------------------------------------- discriminative power


def test_discriminative_power_counts_the_ranks_that_are_missing():
    table = pd.DataFrame({"t": [5, 5, 5, 3, 2, 2, 1]}, index=list("ABCDEFG"))
    found = experiments.discriminative_power(table, ["borda", "condorcet"])
    assert found.iloc[0].to_dict() == {
        "rule": "borda",
        "systems": 7,
        "distinct": 4,
        "discriminative_power": 3,
        "tied": 5,
    }
    assert found.iloc[1]["discriminative_power"] == 6


def test_discriminative_power_of_a_rule_that_refuses_is_empty():
    with pytest.warns(RuleRefusedWarning, match="mean refused"):
        found = experiments.discriminative_power(TABLE.mask(TABLE == 5), ["mean", "borda"])
    assert found["tied"].isna().tolist() == [True, False]


# -------------------------------------------------------------------------------------- dispersion


def test_dispersion_is_the_mean_distance_of_tasks_and_of_a_consensus():
    table = pd.DataFrame(
        np.random.default_rng(3).permuted(np.tile(np.arange(6.0), (5, 1)), axis=1).T,
        index=list("ABCDEF"),
    )
    ranks = [table[task].rank(ascending=False).rename(None) for task in table]
    found = experiments.dispersion(table, ["borda", "copeland"]).set_index("between")
    between = [kendall_distance(a, b) for a, b in itertools.combinations(ranks, 2)]
    assert found.loc["tasks", "distance"] == pytest.approx(np.mean(between))
    for rule in (nbrank.borda, nbrank.copeland):
        expected = np.mean([kendall_distance(rule(table), task) for task in ranks])
        assert found.loc[rule.__name__, "distance"] == pytest.approx(expected)
    assert (found["share"] == found["distance"] / 15).all()


def test_dispersion_weighs_tasks_and_turns_those_where_lower_is_better():
    # t1 and t3 agree once t3 is turned, t2 reverses both; t4 does not count.
    table = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2], "t4": [9, 1]}, index=["A", "B"])
    weights = {"t1": 1, "t2": 2, "t3": 3, "t4": 0}
    found = experiments.dispersion(
        table,
        {"A first": nbrank.plurality},
        weights=weights,
        lower_is_better=["t3"],
    )
    # Weights of the pairs: t1 t2 2, t1 t3 3, t2 t3 6; the first and the last disagree.
    assert found["share"].tolist() == pytest.approx([8 / 11, 2 / 6])


def test_dispersion_compares_where_both_sides_have_a_score():
    table = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, math.nan]}, index=list("ABC"))
    found = experiments.dispersion(
        table, {"t1": lambda board: nbrank.borda(board.select_tasks(["t1"]))}
    )
    assert found["share"].tolist() == [1, 1 / 4]
    assert found["distance"].tolist() == [3, 3 / 4]


def test_dispersion_leaves_out_what_there_is_not():
    with pytest.warns(RuleRefusedWarning, match="mean refused"):
        found = experiments.dispersion(TABLE[["t1"]].mask(TABLE == 5), ["mean"])
    assert found[["distance", "share"]].isna().all(axis=None)


# ------------------------------------------------------------------------------------ the module


def test_everything_public_is_listed_and_random_things_have_the_seed_0():
    functions = dict(inspect.getmembers(experiments, inspect.isfunction))
    assert set(functions) == set(experiments.__all__)
    for name, function in functions.items():
        seed = inspect.signature(function).parameters.get("seed")
        if name in {"discriminative_power", "lead", "reproduction", "count_statuses"}:
            assert seed is None
        elif name != "dispersion":
            assert seed.default == 0


def test_a_short_run_shows_no_progress_bar(capsys):
    experiments.remove_scores(TABLE, ["borda"], n_repeats=2, seed=0)
    assert capsys.readouterr().err == ""


def test_a_long_run_shows_a_progress_bar(capsys, monkeypatch):
    monkeypatch.setattr(progress, "MIN_SECONDS_BEFORE_BAR", 0)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # tqdm's own, where the notebook's parts are missing
        experiments.remove_scores(TABLE, ["borda"], n_repeats=2, seed=0)
    assert "0/10" in capsys.readouterr().err


def test_a_printed_figure_is_exact_within_rounding_or_differs():
    rows = pd.MultiIndex.from_product([list("abcde"), ["x"]], names=["row", "column"])
    published = pd.DataFrame({"published": [0.12, 0.12, 0.12, 3.0, -0.5], "digits": 2}, rows)
    ours = pd.DataFrame({"x": [0.125, 0.129, 0.13, 3.0, -0.49]}, index=list("abcde"))
    found = experiments.reproduction(published, ours)
    assert found["status"].tolist() == ["exact", "within rounding", "differs", "exact", "differs"]
    words = pd.DataFrame({"published": ["yes", "no"], "digits": -1}, rows[:2])
    found = experiments.reproduction(words, pd.DataFrame({"x": ["yes", "yes"]}, index=list("ab")))
    assert found["status"].tolist() == ["exact", "differs"]
    with pytest.raises(KeyError, match="e"):
        experiments.reproduction(published, ours.drop("e"))


def test_a_tally_counts_the_figures_of_each_status():
    tables = {
        "table 1": pd.DataFrame({"status": ["exact", "exact", "differs"]}),
        "table 2": pd.DataFrame({"status": ["within rounding"]}),
    }
    counts = experiments.count_statuses(tables)
    assert list(counts.columns) == ["exact", "within rounding", "differs"]
    assert counts.T.to_dict("list") == {
        "table 1": [2, 0, 1],
        "table 2": [0, 1, 0],
        "all": [2, 1, 1],
    }


def test_a_lead_is_taken_within_the_repetitions():
    rules = {"borda": nbrank.borda, "mean": partial(nbrank.mean, missing="ignore")}
    runs = experiments.remove_scores(TABLE, rules, shares=[0.1, 0.3], n_repeats=8, seed=0)
    found = experiments.lead(runs, "borda", "mean", "share")
    for share, of_share in runs.groupby("share"):
        by_rule = {rule: part["kendall_tau"].to_numpy() for rule, part in of_share.groupby("rule")}
        gap = by_rule["borda"] - by_rule["mean"]
        assert found.loc[share, "mean"] == pytest.approx(gap.mean())
        assert found.loc[share, "sem"] == pytest.approx(gap.std(ddof=1) / 8**0.5)
    back = experiments.lead(runs, "mean", "borda", "share")
    assert back["mean"].tolist() == pytest.approx((-found["mean"]).tolist())
    with pytest.raises(KeyError, match="elo"):
        experiments.lead(runs, "elo", "borda", "share")
    both = experiments.lead({"here": runs, "there": runs[::-1]}, "borda", "mean", "share")
    assert list(both.index.unique(0)) == ["here", "there"]
    for name in ("here", "there"):
        pd.testing.assert_frame_equal(both.loc[name], found)


@pytest.mark.parametrize(
    ("run", "option"),
    [
        (experiments.remove_scores, "shares"),
        (experiments.remove_tasks, "kept"),
        (experiments.add_systems, "sizes"),
        (experiments.rescale_task, "factors"),
    ],
)
def test_no_setting_is_refused(run, option):
    with pytest.raises(ValueError, match="no setting is given"):
        run(TABLE, ["borda"], n_repeats=1, seed=0, **{option: []})


def test_a_factor_is_a_number():
    with pytest.raises(TypeError, match="factors='2' must be a number"):
        experiments.rescale_task(TABLE, ["borda"], factors=["2"], n_repeats=1, seed=0)


def test_systems_enter_one_table_that_is_not_drawn():
    with pytest.raises(TypeError, match="scores must be a pandas DataFrame"):
        experiments.independence_of_irrelevant_alternatives(
            lambda seed: TABLE, ["borda"], n_repeats=1, seed=0
        )
