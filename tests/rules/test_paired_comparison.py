"""Strengths by label: the models' tables, what they refuse by name, and their intervals."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbrank
from nbrank import (
    Leaderboard,
    bradley_terry,
    davidson,
    elo,
    from_comparisons,
    strengths,
    win_probabilities,
)
from nbrank.uncertainty.strength_intervals import StrengthEstimate


def battles(rows, **columns):
    """Comparisons from (left, right, winner, count)."""
    frame = pd.DataFrame(rows, columns=["left", "right", "winner", "count"]).assign(**columns)
    options = {name: name for name in columns}
    return from_comparisons(
        frame, left="left", right="right", winner="winner", count="count", **options
    )


CYCLE = [("A", "B", "A", 3), ("B", "C", "B", 3), ("C", "A", "C", 1), ("A", "C", "A", 2)]
WITH_TIES = [*CYCLE, ("A", "B", "tie", 2), ("B", "A", "B", 1), ("C", "B", "tie", 3)]


def random_battles(seed, n=400, systems="ABCDE", **columns):
    rng = np.random.default_rng(seed)
    names = np.array(list(systems))
    left = rng.integers(0, len(names), n)
    right = (left + rng.integers(1, len(names), n)) % len(names)
    won = rng.random(n) < 1 / (1 + np.exp((left - right) / 3))
    winner = np.where(rng.random(n) < 0.2, "tie", np.where(won, "left", "right"))
    return pd.DataFrame({"left": names[left], "right": names[right], "winner": winner, **columns})


def read(frame, **options):
    return from_comparisons(frame, left="left", right="right", winner="winner", **options)


class TestModels:
    @pytest.mark.parametrize("rule", [bradley_terry, davidson])
    def test_the_table_is_a_ranking_with_plain_attrs(self, rule):
        ranked = rule(battles(WITH_TIES))
        assert ranked.columns.tolist() == ["rank", "score"]
        assert ranked.attrs["rule"] == rule.__name__
        assert ranked.attrs["converged"] is True
        assert ranked["score"].mean() == pytest.approx(0, abs=1e-12)
        assert ranked["rank"].tolist() == [1, 2, 3]

    def test_a_tie_is_half_a_win_for_each(self):
        ties = battles([("A", "B", "A", 4), ("A", "B", "B", 2), ("A", "B", "tie", 2)])
        halves = battles([("A", "B", "A", 5), ("A", "B", "B", 3)])
        pd.testing.assert_frame_equal(bradley_terry(ties), bradley_terry(halves))
        assert bradley_terry(ties)["score"]["A"] == pytest.approx(math.log(5 / 3) / 2)

    def test_ties_move_davidsons_strengths_otherwise_than_half_wins(self):
        # 4 : 1 among the decided ones, and as many ties as one could like.
        ties = davidson(battles([("A", "B", "A", 4), ("A", "B", "B", 1), ("A", "B", "tie", 50)]))
        assert ties["score"]["A"] == pytest.approx(math.log(4) / 2)
        assert ties.attrs["tie_parameter"] == pytest.approx(50 / math.sqrt(4 * 1))

    def test_a_leaderboard_is_its_pairwise_counts(self):
        rng = np.random.default_rng(0)
        scores = pd.DataFrame(rng.integers(0, 5, (4, 30)), index=list("ABCD")).astype(float)
        scores = scores.mask(rng.random(scores.shape) < 0.2)
        rows = []
        for task in scores:
            known = scores[task].dropna()
            for number, a in enumerate(known.index):
                for b in known.index[number + 1 :]:
                    gap = known[a] - known[b]
                    rows.append((a, b, a if gap > 0 else b if gap < 0 else "tie", 1))
        for rule in (bradley_terry, davidson):
            pd.testing.assert_frame_equal(rule(scores), rule(battles(rows)), atol=1e-9)

    def test_weights_and_orientation_of_a_leaderboard_count(self):
        scores = pd.DataFrame({"t": [2, 1], "u": [1, 2], "v": [1, 2]}, index=["A", "B"])
        by_weight = bradley_terry(scores, weights={"t": 3}, lower_is_better=["u"])
        assert by_weight["score"]["A"] == pytest.approx(math.log(4 / 1) / 2)

    @given(st.lists(st.sampled_from(["left", "right", "tie"]), min_size=4, max_size=30))
    def test_two_systems_are_as_their_wins(self, winners):
        frame = pd.DataFrame({"left": "A", "right": "B", "winner": [*winners, "left", "right"]})
        share = (frame["winner"] == "left").mean() + (frame["winner"] == "tie").mean() / 2
        scores = bradley_terry(read(frame))["score"]
        expected = math.log(share / (1 - share))
        assert scores["A"] - scores["B"] == pytest.approx(expected, abs=1e-9)

    def test_systems_with_the_same_record_share_a_rank(self):
        ranked = bradley_terry(
            battles([("A", "B", "A", 2), ("B", "A", "B", 2), ("C", "A", "tie", 1)])
        )
        assert ranked["rank"].tolist() == [1, 1, 1]
        assert ranked.index.tolist() == ["A", "B", "C"]

    def test_a_prior_of_two_adds_a_win_and_a_loss_against_an_average_opponent(self):
        # Written out: a fourth player of strength 0 whom every system beat once and lost to once.
        found = bradley_terry(battles(CYCLE), prior=2)["score"]
        strength = np.exp(found)

        def slope(scale):
            own = strength * scale
            wins = own / (own + 1) * 2 - 1
            return wins.sum()

        # The average opponent's place among them is where its own wins balance.
        low, high = 1e-3, 1e3
        for _ in range(200):
            middle = math.sqrt(low * high)
            low, high = (middle, high) if slope(middle) < 0 else (low, middle)
        own = strength * low
        record = {"A": (5, 1), "B": (3, 3), "C": (1, 5)}
        met = {("A", "B"): 3, ("B", "C"): 3, ("A", "C"): 3}
        for system, (won, _) in record.items():
            expected = 2 * own[system] / (own[system] + 1)
            for pair, times in met.items():
                if system in pair:
                    other = pair[0] if pair[1] == system else pair[1]
                    expected += times * own[system] / (own[system] + own[other])
            assert expected == pytest.approx(won + 1, abs=1e-6)


class TestRefusals:
    @pytest.mark.filterwarnings("ignore:groups of systems that never met")
    @pytest.mark.parametrize("rule", [bradley_terry, davidson, strengths, win_probabilities])
    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([*WITH_TIES, ("A", "Z", "A", 2)], "never won nor tied: 'Z'"),
            ([*WITH_TIES, ("A", "Y", "Y", 2)], "never beaten nor tied with: 'Y'"),
            (
                [*WITH_TIES, ("P", "Q", "P", 1), ("P", "Q", "Q", 1)],
                r"groups that never met: 'A', 'B', 'C' \| 'P', 'Q'",
            ),
            (
                [*WITH_TIES, ("P", "Q", "P", 1), ("P", "Q", "tie", 1), ("P", "A", "P", 1)],
                r"never beaten nor tied with: 'P', 'Q' \(but by each other\)",
            ),
            ([("A", "B", "A", 1)], "never beaten nor tied with: 'A'; never won nor tied: 'B'"),
        ],
        ids=["winless", "unbeaten", "apart", "unbeaten group", "both"],
    )
    def test_systems_without_a_finite_strength_are_named(self, rule, rows, message):
        comparisons = battles(rows)
        with pytest.raises(ValueError, match=f"^{rule.__name__}: .*{message}.*prior=1"):
            rule(comparisons)
        assert np.isfinite(rule(comparisons, prior=1).to_numpy(dtype=float)).all()

    def test_a_system_that_was_never_scored_is_named(self):
        scores = pd.DataFrame({"t": [1, 2, None], "u": [2, 1, None]}, index=["A", "B", "C"])
        with pytest.raises(ValueError, match="never compared: 'C'"):
            bradley_terry(scores)
        assert bradley_terry(scores, prior=1)["score"].tolist() == [0, 0, 0]

    def test_a_system_of_weight_zero_was_never_compared(self):
        comparisons = battles([*WITH_TIES, ("A", "D", "D", 1)], weight=[*[1] * 7, 0])
        with pytest.raises(ValueError, match="never compared: 'D'"):
            bradley_terry(comparisons)

    def test_davidson_puts_a_single_system_first(self):
        found = davidson(pd.DataFrame({"t": [1.0]}, index=["A"]))
        assert found.to_dict("records") == [{"rank": 1, "score": 0.0}]
        assert found.attrs["tie_parameter"] == 0

    def test_davidson_refuses_ties_that_explain_the_wins(self):
        comparisons = battles([("A", "B", "A", 3), ("B", "A", "tie", 1)])
        with pytest.raises(ValueError, match="tie parameter is infinite.*bradley_terry"):
            davidson(comparisons)
        assert math.isfinite(davidson(comparisons, prior=1).attrs["tie_parameter"])

    @pytest.mark.parametrize("prior", [0, 1])
    def test_davidson_refuses_nothing_but_ties(self, prior):
        with pytest.raises(ValueError, match="every comparison is a tie"):
            davidson(battles([("A", "B", "tie", 3)]), prior=prior)

    @pytest.mark.parametrize("prior", [-1, math.nan, math.inf])
    def test_a_prior_that_is_no_number_of_comparisons_is_refused(self, prior):
        with pytest.raises(ValueError, match="prior="):
            bradley_terry(battles(CYCLE), prior=prior)

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"delta": 0}, "delta=0"),
            ({"method": "jackknife"}, "method='jackknife' is unknown"),
            ({"method": "bootstrap", "n_draws": 10}, "10 resamples can't show"),
        ],
    )
    def test_unknown_options_are_refused(self, options, message):
        for function in (strengths, win_probabilities):
            with pytest.raises(ValueError, match=f"{function.__name__}: .*{message}"):
                function(battles(CYCLE), **options)

    def test_options_of_a_leaderboard_do_not_go_with_comparisons(self):
        with pytest.raises(TypeError, match="weights, groups and lower_is_better don't go"):
            bradley_terry(battles(CYCLE), weights={"A": 1})

    def test_one_unit_has_no_spread(self):
        one = read(random_battles(0), cluster=None)
        assert len(strengths(one)) == 5
        with pytest.raises(ValueError, match="only one cluster"):
            strengths(read(random_battles(0, worker="u"), cluster="worker"))
        with pytest.raises(ValueError, match="only one cluster"):
            strengths(pd.DataFrame({"t": [1, 1]}, index=["A", "B"]))


class TestElo:
    def test_the_rating_follows_the_order_of_the_rows(self):
        frame = random_battles(1, n=50)
        forth, back = elo(read(frame)), elo(read(frame[::-1]))
        assert forth["score"].mean() == pytest.approx(1000)
        assert not np.allclose(forth["score"].sort_index(), back["score"].sort_index())

    def test_weights_scale_the_update(self):
        frame = random_battles(2, n=50, value=3.0)
        weighted = elo(read(frame, weight="value"), k=4)
        pd.testing.assert_frame_equal(weighted, elo(read(frame), k=12))

    def test_what_has_no_order_is_refused(self):
        with pytest.raises(TypeError, match="elo: needs comparisons in the order"):
            elo(pd.DataFrame({"t": [1, 2]}))
        with pytest.raises(ValueError, match="counted before"):
            elo(battles(CYCLE))

    @pytest.mark.parametrize("option", ["k", "base", "scale"])
    def test_parameters_are_positive(self, option):
        with pytest.raises(ValueError, match=f"elo: {option}=0"):
            elo(read(random_battles(3)), **{option: 0})


@pytest.mark.parametrize("method", ["sandwich", "bootstrap"])
class TestIntervals:
    def test_strengths_are_bradley_terrys_with_an_interval_around(self, method):
        comparisons = read(random_battles(4))
        found = strengths(comparisons, method=method, seed=0)
        ranked = bradley_terry(comparisons)
        assert found.index.tolist() == ranked.index.tolist()
        np.testing.assert_array_equal(found["rank"], ranked["rank"])
        np.testing.assert_allclose(found["strength"], ranked["score"])
        assert (found["low"] < found["strength"]).all()
        assert (found["strength"] < found["high"]).all()
        wider = strengths(comparisons, delta=0.01, method=method, seed=0)
        assert (wider["high"] - wider["low"] > found["high"] - found["low"]).all()

    def test_four_times_the_comparisons_halve_the_error(self, method):
        frame = random_battles(5)
        once = strengths(read(frame), method=method, seed=0)
        four = strengths(read(pd.concat([frame] * 4)), method=method, seed=0)
        np.testing.assert_allclose(four["strength"], once["strength"], atol=1e-9)
        np.testing.assert_allclose(four["standard_error"] / once["standard_error"], 0.5, rtol=0.12)

    def test_comparisons_of_one_cluster_that_repeat_tell_nothing_new(self, method):
        frame = random_battles(6, worker=np.arange(400) % 80)
        once = strengths(read(frame, cluster="worker"), method=method, seed=0)
        four = strengths(read(pd.concat([frame] * 4), cluster="worker"), method=method, seed=0)
        pd.testing.assert_frame_equal(four, once, rtol=1e-6)

    def test_the_scale_of_weights_does_not_matter(self, method):
        frame = random_battles(7, value=np.random.default_rng(0).gamma(2, 1, 400))
        once = strengths(read(frame, weight="value"), method=method, seed=0)
        frame["value"] *= 1000
        scaled = strengths(read(frame, weight="value"), method=method, seed=0)
        pd.testing.assert_frame_equal(scaled, once, rtol=1e-6)

    def test_win_probabilities_are_those_of_the_strengths(self, method):
        comparisons = read(random_battles(8))
        found = win_probabilities(comparisons, method=method, seed=0)
        strength = bradley_terry(comparisons)["score"]
        assert len(found) == 5 * 4
        assert found.index.names == ["system", "opponent"]
        for (system, opponent), row in found.iterrows():
            expected = 1 / (1 + math.exp(strength[opponent] - strength[system]))
            assert row["probability"] == pytest.approx(expected)
            assert 0 < row["low"] < row["probability"] < row["high"] < 1
            other = found.loc[(opponent, system)]
            np.testing.assert_allclose(row["low"], 1 - other["high"], atol=1e-9)

    def test_a_leaderboards_tasks_are_the_units(self, method):
        rng = np.random.default_rng(9)
        scores = pd.DataFrame(rng.normal(size=(4, 40)) + np.arange(4)[:, None] / 3)
        found = strengths(scores, method=method, seed=0)
        doubled = pd.concat([scores.add_prefix("a"), scores.add_prefix("b")], axis=1)
        more = strengths(doubled, method=method, seed=0)
        np.testing.assert_allclose(
            more["standard_error"] / found["standard_error"], math.sqrt(0.5), rtol=0.1
        )
        # Each task twice, as two metrics of it: the pair is one draw, and nothing is gained.
        groups = {task: [f"a{task}", f"b{task}"] for task in range(40)}
        grouped = strengths(doubled, method=method, seed=0, groups=groups)
        pd.testing.assert_frame_equal(grouped, found, rtol=1e-6)

    def test_instances_are_the_units_of_instance_level_scores(self, method):
        rng = np.random.default_rng(10)
        scores = pd.DataFrame(rng.normal(size=(3, 50)) + np.arange(3)[:, None] / 3)
        long = scores.stack().rename_axis(["system", "instance"]).to_frame("task")
        found = strengths(long, method=method, seed=0)
        pd.testing.assert_frame_equal(
            found, strengths(scores, method=method, seed=0), check_names=False
        )


@pytest.mark.parametrize("n_tasks", [12, 30])
def test_the_bootstrap_allows_for_few_tasks_as_students_quantile_does(n_tasks):
    rng = np.random.default_rng(5)
    for_errors, for_widths = [], []
    for _ in range(10):
        scores = pd.DataFrame(rng.gumbel(size=(4, n_tasks)))
        one, other = (
            strengths(scores, method=method, n_draws=2000, seed=0)
            for method in ("sandwich", "bootstrap")
        )
        for_errors.append(other["standard_error"] / one["standard_error"])
        for_widths.append((other["high"] - other["low"]) / (one["high"] - one["low"]))
    # Refitting stretches the strengths of tables with few tasks a little.
    assert 0.98 < np.mean(for_errors) < 1.1
    assert 0.97 < np.mean(for_widths) < 1.1


def test_the_bootstrap_repeats_for_a_seed():
    comparisons = read(random_battles(11))
    runs = [strengths(comparisons, method="bootstrap", seed=seed) for seed in (1, 1, 2)]
    pd.testing.assert_frame_equal(runs[0], runs[1])
    assert not runs[0].equals(runs[2])


def test_the_covariance_is_that_of_the_intervals_in_table_order():
    comparisons = read(random_battles(12))
    estimate = StrengthEstimate.fit_votes("strengths", comparisons)
    estimates, covariance = estimate.strengths, estimate.covariance()
    found = strengths(comparisons).loc[comparisons.systems]
    np.testing.assert_allclose(estimates, found["strength"])
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), found["standard_error"])
    assert np.linalg.matrix_rank(covariance, tol=1e-9) == len(found) - 1


def test_a_board_and_its_frame_are_the_same():
    scores = pd.DataFrame([[1, 2, 3], [3, 1, 2], [2, 3, 1]], index=list("ABC"))
    for function in (bradley_terry, davidson, strengths, win_probabilities):
        pd.testing.assert_frame_equal(function(Leaderboard(scores)), function(scores))


def test_workers_of_a_released_table_are_less_sure_than_their_votes():
    votes = nbrank.datasets.fetch_llmfao()
    by_vote = strengths(read(votes.drop(columns=["id", "prompt"])))
    by_worker = strengths(read(votes, cluster="worker"))
    assert by_vote.index.equals(by_worker.index)
    assert by_worker.index[0] == "GPT 4"
    ratio = by_worker["standard_error"] / by_vote["standard_error"]
    assert ratio.median() > 1.1


def test_intervals_as_wide_as_can_be_go_from_0_to_1():
    scores = pd.DataFrame([[3, 2, 3], [1, 3, 2], [2, 1, 1]], index=list("ABC"), columns=list("xyz"))
    found = nbrank.win_probabilities(scores, delta=1e-3, weights={"x": 1e4, "y": 1e4, "z": 1})
    assert (found["low"] >= 0).all()
    assert (found["high"] <= 1).all()


def test_strengths_of_a_table_without_scores_are_refused():
    rows = pd.MultiIndex.from_product([["A", "B"], range(3)], names=["system", "instance"])
    empty = pd.DataFrame({"t1": np.full(6, np.nan)}, rows)
    for ask in (nbrank.strengths, nbrank.win_probabilities):
        with pytest.raises(ValueError, match="there is no cluster, task .* with scores"):
            ask(empty, prior=0.1)


@pytest.mark.filterwarnings("error")
def test_a_variance_of_0_stays_0():
    """Two tasks of equal say put A and B in opposite order, and C between them on both."""
    scores = pd.DataFrame({"t1": [1, 3, 2], "t2": [3.0, 1.0, 2.0]}, index=list("ABC"))
    for first in np.linspace(0.1, 3, 30):
        found = nbrank.strengths(scores, weights={"t1": first, "t2": 1})
        assert found.loc["C", "strength"] == pytest.approx(0, abs=1e-12)
        assert found.loc["C", "standard_error"] == pytest.approx(0, abs=1e-7)
        assert found.loc["A", "standard_error"] > 0.1
