"""Ballots are counted as one would by hand, and in whatever parts, to the same last bit."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbrank.arrays import chunking
from nbrank.arrays.ballots import ballot_counts as tally
from nbrank.arrays.ballots.averages import mean_place, mean_win_rate
from nbrank.arrays.ballots.ballot_counts import (
    BallotCounts,
    PlaceCounts,
    count_ballots,
    count_by_weight,
    count_places,
)
from nbrank.arrays.ballots.pairwise_counts import combine_weighted, count_compatible, count_pairs
from nbrank.arrays.ballots.positional_scoring import borda
from nbrank.arrays.ballots.profile import Profile


def table(seed, n_systems, n_ballots, missing, dtype=np.float64, values=5):
    """Scores with many ties; some ballots without any score, some with infinite ones."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, values, (n_systems, n_ballots)).astype(dtype)
    scores[rng.random(scores.shape) < 0.05] = np.inf
    scores[rng.random(scores.shape) < 0.05] = -np.inf
    scores[rng.random(scores.shape) < missing] = np.nan
    scores[:, rng.random(n_ballots) < missing / 5] = np.nan
    return scores


def counted_by_hand(scores):
    """Pair by pair and ballot by ballot, in plain Python."""
    n = len(scores)
    found = PlaceCounts.zero(n)
    for ballot in scores.T.tolist():
        there = [i for i in range(n) if ballot[i] == ballot[i]]
        k = len(there)
        found.n_ballots[k] += 1
        for i in there:
            found.n_observed[i, k] += 1
            for j in there:
                found.wins[i, j] += ballot[i] > ballot[j]
                found.n_below[i, k] += ballot[i] > ballot[j]
                found.ties[i, j] += i != j and ballot[i] == ballot[j]
                found.n_tied[i, k] += i != j and ballot[i] == ballot[j]
    return found


def centred_points(scores):
    """Borda's expected points less their mean, by exact fractions."""
    n = len(scores)
    points = np.zeros(scores.shape)
    for b, ballot in enumerate(scores.T.tolist()):
        there = [i for i in range(n) if ballot[i] == ballot[i]]
        for i in there:
            below = sum(ballot[j] < ballot[i] for j in there)
            level = sum(ballot[j] == ballot[i] for j in there) - 1
            expected = (below + Fraction(level, 2) + 1) * Fraction(n + 1, len(there) + 1) - 1
            points[i, b] = expected - Fraction(n - 1, 2)
    return points


SHAPES = [(1, 0), (1, 7), (2, 1), (5, 0), (5, 40), (16, 300), (130, 3), (260, 2)]


class TestCountsAreThoseByHand:
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("missing", [0.0, 0.02, 0.4, 1.0])
    @pytest.mark.parametrize("shape", SHAPES)
    def test_places(self, shape, missing, dtype):
        scores = table(0, *shape, missing, dtype)
        expected = counted_by_hand(scores)
        assert count_places(scores) == expected
        assert count_ballots(scores).places == expected

    @pytest.mark.parametrize("missing", [0.0, 0.4])
    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    def test_moments(self, missing, dtype):
        scores = table(1, 6, 500, missing, dtype)
        scores[np.isinf(scores)] = 9.5
        found = count_ballots(scores)
        observed = ~np.isnan(scores)
        numbers = np.where(observed, scores, 0).astype(float)
        points = centred_points(scores)
        for moments, values in ((found.scores, numbers), (found.points, points)):
            np.testing.assert_allclose(moments.sums, values.sum(axis=1), atol=1e-9)
            np.testing.assert_allclose(moments.products, values @ values.T, atol=1e-9)
            np.testing.assert_allclose(moments.cross_sums, values @ observed.T, atol=1e-9)
        assert found.max_abs_score.tolist() == np.abs(numbers).max(axis=1).tolist()

    def test_long_rows_of_many_ballots(self):
        # Several blocks and parts, of complete and incomplete ballots.
        scores = table(2, 12, 400_000, 0.01, np.float32)
        found = count_places(scores)
        n_observed = (~np.isnan(scores)).sum(axis=0)
        assert found.n_ballots.tolist() == np.bincount(n_observed, minlength=13).tolist()
        for i, j in ((0, 1), (5, 11), (11, 2)):
            assert found.wins[i, j] == np.count_nonzero(scores[i] > scores[j])
            assert found.ties[i, j] == np.count_nonzero(scores[i] == scores[j])
        below = (scores[3] > scores).sum(axis=0)
        for k in range(13):
            assert found.n_below[3, k] == below[n_observed == k].sum()
        assert count_ballots(scores).places == found

    def test_slices_of_a_table_are_counted_as_copies_are(self):
        scores = table(3, 8, 5000, 0.2)
        assert count_places(scores[::2, 100:3000:3]) == count_places(scores[::2, 100:3000:3].copy())
        assert count_places(np.asfortranarray(scores)) == count_places(scores)

    def test_infinite_scores_have_places_and_no_sum(self):
        found = count_ballots(np.array([[np.inf, -np.inf], [1.0, 2.0]]))
        assert found.places.wins.tolist() == [[0, 1], [1, 0]]
        assert np.isinf(found.max_abs_score).tolist() == [True, False]


class TestEverySplitAddsUp:
    @given(data=st.data())
    @settings(max_examples=60)
    def test_to_the_last_bit(self, data):
        n_systems = data.draw(st.integers(1, 6))
        cell = st.sampled_from([np.nan, np.nan, 0.0, 1.0, 2.0, -np.inf, np.inf])
        ballots = data.draw(
            st.lists(st.lists(cell, min_size=n_systems, max_size=n_systems), max_size=30)
        )
        part = data.draw(st.lists(st.integers(0, 3), min_size=len(ballots), max_size=len(ballots)))
        scores = np.array(ballots).reshape(-1, n_systems).T
        total = BallotCounts.zero(n_systems)
        for number in data.draw(st.permutations(range(4))):
            total += count_ballots(scores[:, np.array(part, dtype=int) == number])
        whole = count_ballots(scores)
        assert total.places == whole.places
        assert total.max_abs_score.tolist() == whole.max_abs_score.tolist()
        finite = np.isfinite(np.where(np.isnan(scores), 0, scores)).all()
        if finite:
            np.testing.assert_allclose(total.scores.products, whole.scores.products, atol=1e-9)
        np.testing.assert_allclose(total.points.products, whole.points.products, atol=1e-9)
        np.testing.assert_allclose(total.points.cross_sums, whole.points.cross_sums, atol=1e-9)

    def test_blocks_and_parts_of_any_size(self, monkeypatch):
        scores = table(4, 7, 3000, 0.3)
        whole = count_ballots(scores)
        for part, block in ((100, 10), (9999, 64), (2**22, 1)):
            monkeypatch.setattr(chunking, "_PART", part)
            monkeypatch.setattr(tally, "_BLOCK", block)
            monkeypatch.setattr(tally, "_MIN_CHUNK_BALLOTS", 1)
            found = count_ballots(scores)
            assert found.places == whole.places
            np.testing.assert_allclose(found.points.products, whole.points.products)


class TestWhatIsDerived:
    @pytest.fixture(params=[0.0, 0.4])
    def scores(self, request):
        return table(5, 6, 300, request.param)

    def test_reversed_scores(self, scores):
        found, expected = count_ballots(scores).reversed(), count_ballots(-scores)
        assert found.places == expected.places
        np.testing.assert_allclose(found.points.sums, expected.points.sums, atol=1e-9)
        np.testing.assert_allclose(found.points.cross_sums, expected.points.cross_sums, atol=1e-9)
        np.testing.assert_allclose(found.points.products, expected.points.products, atol=1e-9)

    def test_systems_on_no_ballot_left_out(self, scores):
        wider = np.insert(scores, [2, 4], np.nan, axis=0)
        order = np.array([7, 0, 1, 3, 4, 6])
        found, expected = count_ballots(wider).select_systems(order), count_ballots(wider[order])
        assert found.places == expected.places
        np.testing.assert_allclose(found.points.products, expected.points.products, atol=1e-9)
        np.testing.assert_allclose(found.points.cross_sums, expected.points.cross_sums, atol=1e-9)

    def test_missing_scores_below_all_others(self, scores):
        there = ~np.isnan(scores).all(axis=0)
        # Observed scores of minus infinity stay above the missing ones.
        filled = np.where(np.isnan(scores), -2.0, np.clip(scores, -1.0, 99.0))
        found, expected = count_places(scores).rank_missing_last(), count_places(filled[:, there])
        expected.n_ballots[0] = np.count_nonzero(~there)
        assert found == expected

    def test_compared_and_missing(self, scores):
        found, observed = count_places(scores), (~np.isnan(scores)).astype(int)
        assert found.n_compared.tolist() == (observed @ observed.T).tolist()
        there = observed.any(axis=0)
        assert found.n_missing.tolist() == (there.sum() - observed.sum(axis=1)).tolist()
        assert found.scored.all()


class TestRulesOnLongTablesUseTheCounts:
    """From some thousand ballots of one weight on; the results are those of short tables."""

    WEIGHTS = np.repeat([2.0, 0.1, 2.0], [2500, 3000, 1500])

    @pytest.fixture(params=[0.0, 0.3])
    def long(self, request):
        return Profile(table(6, 6, 7000, request.param), self.WEIGHTS)

    def in_short(self, function, profile):
        """The sum of a function over tables that are too short to be counted."""
        return sum(
            function(Profile(profile.scores[:, start : start + 500], profile.weights[start:][:500]))
            for start in range(0, 7000, 500)
        )

    def test_ballots_of_each_weight(self, long):
        found = count_by_weight(long, count_places)
        assert list(found) == [0.1, 2.0]
        assert found[2.0] == count_places(long.scores[:, self.WEIGHTS == 2.0])

    def test_few_ballots_of_each_weight_are_not_counted(self, long):
        assert (
            count_by_weight(Profile(long.scores[:, :500], long.weights[:500]), count_places) is None
        )
        assert count_by_weight(Profile(long.scores, np.arange(1.0, 7001.0)), count_places) is None

    def test_pairs(self, long):
        for function in (count_pairs, count_compatible):
            found = function(long)
            for part in ("wins", "ties", "total"):
                expected = self.in_short(lambda one, p=part, f=function: getattr(f(one), p), long)
                np.testing.assert_allclose(getattr(found, part), expected, atol=1e-9)

    @pytest.mark.parametrize("missing", ["compatible", "ignore"])
    @pytest.mark.parametrize("ties", ["average", "min", "max"])
    def test_borda(self, long, missing, ties):
        expected = self.in_short(lambda one: borda(one, missing, ties), long)
        np.testing.assert_allclose(borda(long, missing, ties), expected)

    @pytest.mark.parametrize("rule", [mean_place, mean_win_rate])
    def test_means_of_places(self, long, rule):
        # With a weight for each ballot nothing is counted before it is weighed.
        apart = Profile(long.scores, long.weights * (1 + 1e-13 * np.arange(7000)))
        assert count_by_weight(apart, count_places) is None
        np.testing.assert_allclose(rule(long), rule(apart))

    def test_a_table_and_its_parts_give_the_same_last_bit(self, long):
        halves = [long.scores[:, ::2], long.scores[:, 1::2]]
        weights = [self.WEIGHTS[::2], self.WEIGHTS[1::2]]
        added = {}
        for scores, of in zip(halves, weights, strict=True):
            for weight in (0.1, 2.0):
                counts = count_places(scores[:, of == weight])
                added[weight] = added[weight] + counts if weight in added else counts
        assert combine_weighted(added).wins.tolist() == count_pairs(long).wins.tolist()
        for missing in ("compatible", "ignore"):
            of_parts = borda(added, missing, "average")
            assert of_parts.tolist() == borda(long, missing, "average").tolist()
