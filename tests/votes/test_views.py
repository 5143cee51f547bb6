"""What rules see is the same whether scores are given, or counted, or compared in pairs."""

import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.ballots.ballot_counts import PlaceCounts, count_places
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.orders import majority_graphs
from nbrank.rules.means import sum_by_task
from nbrank.votes import views

#: How missing scores can count where only counts are left.
EVERY_MISSING = ["ignore", "compatible", "worst"]


@pytest.fixture(scope="module")
def board(table, given):
    return nbrank.Leaderboard(table, **given)


@pytest.fixture(scope="module")
def counted(table, given):
    return nbrank.tally(table).with_options(**given)


def assert_same_pairs(found, expected):
    np.testing.assert_allclose(found.wins, expected.wins, atol=1e-9)
    np.testing.assert_allclose(found.ties, expected.ties, atol=1e-9)
    np.testing.assert_allclose(found.compared, expected.compared, atol=1e-9)
    assert found.total == pytest.approx(expected.total)


def assert_same_seen(found, expected, assert_same):
    np.testing.assert_array_equal(found.candidates, expected.candidates)
    np.testing.assert_array_equal(found.ranked, expected.ranked)
    assert_same(found.data, expected.data)


def weighed_places(standings):
    """What standings say of the places, times the weights: one number for all ballots together."""
    if isinstance(standings, Profile):
        weights = standings.weights
        standings = {
            weight: count_places(standings.scores[:, weights == weight])
            for weight in np.unique(weights).tolist()
        }
    names = ("n_below", "n_tied", "n_observed", "n_ballots")
    return {
        name: sum(weight * getattr(places, name)[..., 1:] for weight, places in standings.items())
        for name in names
    }


def assert_same_standings(found, expected):
    found, expected = weighed_places(found), weighed_places(expected)
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name], atol=1e-9, err_msg=name)


def assert_same_sums(found, expected):
    there = expected.n_scores > 0
    np.testing.assert_array_equal(found.n_scores, expected.n_scores)
    np.testing.assert_array_equal(found.weights, expected.weights)
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(found.sums[there], expected.sums[there])
    np.testing.assert_array_equal(found.max_abs_score[there], expected.max_abs_score[there])


class TestScoresAndTheirCounts:
    """A leaderboard, and the tally of the same scores."""

    def test_pairs(self, board, counted):
        for missing in EVERY_MISSING:
            seen = [source.data.pairs(missing) for source in (counted, board)]
            assert_same_seen(*seen, assert_same_pairs)

    def test_standings(self, board, counted):
        for missing in EVERY_MISSING:
            seen = [source.data.standings(missing) for source in (counted, board)]
            assert_same_seen(*seen, assert_same_standings)

    def test_sums(self, board, counted):
        kept = counted.select_scored_tasks()
        assert_same_sums(*(sum_by_task(votes, "ignore")[1] for votes in (kept, board)))

    def test_tasks(self, board, counted):
        assert list(counted.systems) == list(board.systems)
        groups = [
            np.unique(one.scored_task_group_codes(), return_inverse=True)[1]
            for one in (counted, board)
        ]
        assert groups[0].tolist() == groups[1].tolist()
        for levels in (1, 2):
            assert counted.total_weight(levels) == pytest.approx(board.total_weight(levels))
        pairs = itertools.zip_longest(counted.iter_scored_tasks(), board.iter_scored_tasks())
        for (weight, found), (expected_weight, expected) in pairs:
            assert weight == expected_weight
            for missing in EVERY_MISSING:
                assert_same_seen(found.pairs(missing), expected.pairs(missing), assert_same_pairs)
                standings = found.standings(missing), expected.standings(missing)
                assert_same_seen(*standings, assert_same_standings)


@pytest.mark.parametrize("missing", EVERY_MISSING)
class TestWhatIsMadeOfTheViews:
    """Whatever is made of equal views is equal: once for each way, on tables of all kinds."""

    @pytest.fixture
    def pair(self, tables, missing):
        frame = tables["a system without a score in a task"]
        options = {"weights": {"t1": 2.0, "t3": 0.3}, "lower_is_better": ["t3"]}
        return nbrank.tally(frame).with_options(**options), nbrank.Leaderboard(frame, **options)

    def test_majorities_within_tasks(self, pair, missing):
        for found, expected in zip(
            *(one.iter_task_majorities(missing) for one in pair), strict=True
        ):
            assert_same_pairs(found, expected)

    def test_rankings_within_tasks(self, pair, missing):
        copeland = partial(majority_graphs.score_pairwise, score=majority_graphs.copeland)
        found, expected = (
            one.rank_within_tasks("pairs", copeland, missing).profile for one in pair
        )
        np.testing.assert_array_equal(found.scores, expected.scores)
        np.testing.assert_array_equal(found.weights, expected.weights)

    def test_pairs(self, pair, missing):
        assert_same_seen(*(one.data.pairs(missing) for one in pair), assert_same_pairs)

    def test_systems_in_another_order(self, pair, missing):
        for votes in pair:
            order = sorted(votes.systems)
            turned = votes.select_systems(order)
            assert list(turned.systems) == order
            positions = votes.systems.get_indexer(order)
            expected = votes.data.pairs(missing).data.wins[np.ix_(positions, positions)]
            found = turned.data.pairs(missing).data.wins
            np.testing.assert_allclose(found, expected, atol=1e-9)

    def test_a_view_is_taken_once(self, pair, missing):
        _, board = pair
        assert board.data.pairs(missing).data is board.data.pairs(missing).data


def seen_by_all(board, missing):
    """The ballots in words, sorted, and what is counted of pairs and places, times the weights."""
    ballots = board.data.ballots(missing).data
    rows = sorted(map(str, np.vstack([ballots.scores + 0.0, ballots.weights]).T.tolist()))
    pairs = board.data.pairs(missing).data
    standings = weighed_places(board.data.standings(missing).data)
    return rows, {"wins": pairs.wins, "ties": pairs.ties, **standings}


class TestWhatChangesNoView:
    """Properties of views, and so of every rule: it sees nothing else."""

    FRAME = pd.DataFrame(
        [[3, 1, np.nan, 2], [1, 1, 4, 2], [2, np.nan, 4, np.nan], [np.nan] * 4, [0, 5, 1, 2]],
        index=list("CABFE"),
        columns=["t1", "t2", "t3", "t4"],
    )

    @pytest.mark.parametrize("missing", [*EVERY_MISSING, "median"])
    @pytest.mark.parametrize(
        ("frame", "options"),
        [
            (FRAME.rename(index=lambda label: ("new", label), columns=str.upper), {}),
            (FRAME[["t3", "t1", "t4", "t2"]], {}),
            (FRAME.astype(np.float32), {}),
            (-FRAME, {"lower_is_better": True}),
            (FRAME.assign(t2=-FRAME["t2"]), {"lower_is_better": ["t2"]}),
            (FRAME.assign(t0=1.0), {"weights": {"t0": 0}}),
        ],
        ids=["names", "tasks in another order", "float32", "orientation", "of a task",
             "a task of no weight"],
    )  # fmt: skip
    def test_how_the_table_is_written(self, frame, options, missing):
        rows, counts = seen_by_all(nbrank.Leaderboard(frame, **options), missing)
        expected_rows, expected = seen_by_all(nbrank.Leaderboard(self.FRAME), missing)
        assert rows == expected_rows
        for name in expected:
            np.testing.assert_allclose(counts[name], expected[name], atol=1e-9, err_msg=name)

    @pytest.mark.parametrize("missing", [*EVERY_MISSING, "median"])
    def test_a_task_twice_is_one_of_twice_the_weight(self, missing):
        twice = nbrank.Leaderboard(self.FRAME.assign(again=self.FRAME["t1"]))
        _, counts = seen_by_all(twice, missing)
        _, expected = seen_by_all(nbrank.Leaderboard(self.FRAME, weights={"t1": 2}), missing)
        for name in expected:
            np.testing.assert_allclose(counts[name], expected[name], atol=1e-9, err_msg=name)

    @pytest.mark.parametrize("missing", [*EVERY_MISSING, "median"])
    def test_weights_are_relative(self, missing):
        weights = {"t1": 2.0, "t2": 1.0, "t3": 0.5, "t4": 3.0}
        tenfold = {task: 10 * weight for task, weight in weights.items()}
        _, counts = seen_by_all(nbrank.Leaderboard(self.FRAME, weights=tenfold), missing)
        _, expected = seen_by_all(nbrank.Leaderboard(self.FRAME, weights=weights), missing)
        for name in expected:
            np.testing.assert_allclose(counts[name], 10 * expected[name], err_msg=name)

    @pytest.mark.parametrize("missing", [*EVERY_MISSING, "median"])
    def test_systems_in_another_order_are_seen_in_that_order(self, missing):
        order = [4, 2, 0, 3, 1]
        _, counts = seen_by_all(nbrank.Leaderboard(self.FRAME.iloc[order]), missing)
        _, expected = seen_by_all(nbrank.Leaderboard(self.FRAME), missing)
        for name in ("wins", "ties"):
            np.testing.assert_allclose(counts[name], expected[name][np.ix_(order, order)])
        for name in ("n_below", "n_tied", "n_observed"):
            np.testing.assert_allclose(counts[name], expected[name][order])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("missing", EVERY_MISSING)
def test_pairs_are_those_by_hand(tables, missing, dtype):
    """Every pair on every instance, in plain Python."""
    frame = tables["missing"].astype(dtype)
    weights, lower = {"t1": 2.0, "t2": 1.0, "t3": 0.3}, ["t2"]
    board = nbrank.Leaderboard(frame, weights=weights, lower_is_better=lower)
    n = len(board.systems)
    wins, ties = np.zeros((2, n, n))
    for task in frame:
        sign = -1 if task in lower else 1
        for ballot in frame[task].unstack("instance").reindex(board.systems).T.to_numpy():
            if np.isnan(ballot).all():
                continue
            scores, k = sign * ballot.astype(float), np.count_nonzero(~np.isnan(ballot))
            if missing == "worst":
                scores[np.isnan(scores)] = -np.inf
            for i, j in itertools.permutations(range(n), 2):
                there = ~np.isnan(scores[[i, j]])
                if there.all():
                    wins[i, j] += weights[task] * (scores[i] > scores[j])
                    ties[i, j] += weights[task] * (scores[i] == scores[j])
                elif missing == "compatible" and there.any():
                    known, sure = (i, scores[i]) if there[0] else (j, scores[j])
                    level = scores == sure
                    place = np.sum(scores < sure) + (level.sum() - 1) / 2
                    below = (place + 1) / (k + 1)
                    wins[i, j] += weights[task] * (below if known == i else 1 - below)
                elif missing == "compatible":
                    wins[i, j] += weights[task] / 2
    found = board.data.pairs(missing).data
    np.testing.assert_allclose(found.wins, wins, atol=1e-9)
    np.testing.assert_allclose(found.ties, ties, atol=1e-9)


def battles(seed):
    """Comparisons of two systems at a time, and the ballots with those two on them."""
    rng = np.random.default_rng(seed)
    pairs = np.array([rng.choice(5, 2, replace=False) for _ in range(30)])
    frame = pd.DataFrame(np.array(list("CABDE"))[pairs], columns=["left", "right"])
    frame["winner"] = rng.choice(["left", "right", "tie"], len(frame))
    frame["weight"] = rng.choice([0.5, 1.0, 3.0], len(frame))
    ballots = pd.DataFrame(np.nan, index=list("CABDE"), columns=range(len(frame)))
    for number, row in enumerate(frame.itertuples()):
        ballots.loc[row.left, number] = float(row.winner == "left")
        ballots.loc[row.right, number] = float(row.winner == "right")
    sides = {"left": "left", "right": "right", "winner": "winner"}
    compared = nbrank.from_comparisons(frame, **sides, weight="weight").select_systems(
        list("CABDE")
    )
    return compared, nbrank.Leaderboard(ballots, weights=frame["weight"].to_dict())


@pytest.mark.parametrize("seed", range(8))
class TestComparisonsAreBallotsWithTwoSystems:
    def test_pairs(self, seed):
        compared, board = battles(seed)
        expected = board.data.pairs("ignore")
        # Comparisons say nothing of who was not compared, however missing scores count elsewhere.
        for missing in ("ignore", "compatible"):
            assert_same_pairs(compared.data.pairs(missing).data, expected.data)
        assert list(compared.systems) == list(board.systems)
        assert compared.total_weight() == pytest.approx(board.total_weight())

    @pytest.mark.parametrize("missing", EVERY_MISSING)
    def test_standings(self, seed, missing):
        compared, board = battles(seed)
        seen = [source.data.standings(missing) for source in (compared, board)]
        assert_same_seen(*seen, assert_same_standings)


@pytest.mark.parametrize("missing", EVERY_MISSING)
def test_who_has_no_score_is_ranked_only_where_that_is_a_place(tables, missing):
    frame = tables["a system without any score"]
    nobody = frame.index.get_level_values("system").unique() == "F"
    for votes in (nbrank.tally(frame).with_options(), nbrank.Leaderboard(frame)):
        seen = votes.data.pairs(missing)
        assert seen.candidates.tolist() == (~nobody | (missing != "ignore")).tolist()
        assert seen.ranked.tolist() == (~nobody | (missing == "compatible")).tolist()


@pytest.mark.parametrize("missing", EVERY_MISSING)
def test_who_has_no_score_can_be_left_out(tables, missing):
    frame = tables["a system without any score"]
    without = frame.drop("F", level="system")
    for make in (lambda scores: nbrank.tally(scores).with_options(), nbrank.Leaderboard):
        votes = make(frame)
        found, expected = votes.data.select_systems(votes.data.scored), make(without).data
        assert_same_seen(found.pairs(missing), expected.pairs(missing), assert_same_pairs)
        standings = found.standings(missing), expected.standings(missing)
        assert_same_seen(*standings, assert_same_standings)


def test_a_rule_sees_its_part_and_scores_whom_it_ranks():
    counts = PlaceCounts.zero(3)
    seen = views.View({1.0: counts}, np.array([True, True, False]), np.array([True, False, False]))
    given = []
    scores = seen.scores(lambda view: given.append(view) or np.array([1.0, 2.0]))
    np.testing.assert_array_equal(scores, [1.0, np.nan, np.nan])
    assert given[0][1.0] == PlaceCounts.zero(2)


def test_where_nobody_is_ranked_no_rule_is_asked():
    nobody = np.array([False, False])
    seen = views.View({1.0: PlaceCounts.zero(2)}, nobody, nobody)
    assert np.isnan(seen.scores(pytest.fail)).all()


def test_counts_that_several_rules_start_from_cannot_be_written_on(tables):
    board = nbrank.Leaderboard(tables["missing"])
    with pytest.raises(ValueError, match="read-only"):
        board.data.pairs("ignore").data.wins[0, 0] = 1
