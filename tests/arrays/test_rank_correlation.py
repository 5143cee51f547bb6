"""Agreement of two vectors of ranks, against scipy and against sums over pairs and depths."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nbrank.arrays import rank_correlation as agreement


def random_pairs(n_pairs: int = 300):
    """Vectors of ranks of 2 to 9 systems, many with ties, some with all tied."""
    rng = np.random.default_rng(20261120)
    for _ in range(n_pairs):
        n_systems = rng.integers(2, 10)
        highest = rng.integers(1, n_systems + 1, size=2)
        yield tuple(rng.integers(1, top + 1, size=n_systems) for top in highest)


def test_kendall_tau_is_scipys_tau_b():
    for a, b in random_pairs():
        expected = stats.kendalltau(a, b).statistic
        assert agreement.kendall_tau(a, b) == pytest.approx(expected, nan_ok=True)


def test_spearman_is_scipys():
    for a, b in random_pairs():
        if len(set(a)) == 1 or len(set(b)) == 1:
            assert math.isnan(agreement.spearman(a, b))
        else:
            assert agreement.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)


def test_kendall_distance_counts_pairs_one_by_one():
    for a, b in random_pairs():
        expected = 0.0
        for i, j in itertools.combinations(range(len(a)), 2):
            if (a[i] == a[j]) != (b[i] == b[j]):
                expected += 1 / 2
            elif (a[i] - a[j]) * (b[i] - b[j]) < 0:
                expected += 1
        assert agreement.kendall_distance(a, b) == expected


def test_pairs_are_counted_the_same_in_blocks(monkeypatch):
    pairs = list(random_pairs(20))
    whole = [agreement.count_pair_agreements(a, b) for a, b in pairs]
    monkeypatch.setattr(agreement, "_BLOCK", 5)
    assert [agreement.count_pair_agreements(a, b) for a, b in pairs] == whole


def naive_overlap(a, b, p: float) -> float:
    """Webber, Moffat and Zobel's sums as they stand: depth after depth, then the infinite tail."""
    n = len(a)

    def agreement_at(depth: int) -> float:
        # Tied items all occur at the first of their ranks.
        first = {i for i in range(n) if sum(other < a[i] for other in a) + 1 <= depth}
        second = {i for i in range(n) if sum(other < b[i] for other in b) + 1 <= depth}
        return 2 * len(first & second) / (len(first) + len(second))

    total = sum((1 - p) * p ** (d - 1) * agreement_at(d) for d in range(1, n + 1))
    return total + agreement_at(n) * p**n


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9, 0.99])
def test_rank_biased_overlap_is_the_papers_sum(p):
    for a, b in random_pairs(60):
        assert agreement.rank_biased_overlap(a, b, p) == pytest.approx(naive_overlap(a, b, p))


def test_top_and_last_k_are_sets_of_labels():
    for a, b in random_pairs(100):
        n = len(a)
        for k in range(1, n + 1):
            top = [{i for i in range(n) if sum(r < s[i] for r in s) < k} for s in (a, b)]
            last = [{i for i in range(n) if sum(r > s[i] for r in s) < k} for s in (a, b)]
            for found, (x, y) in (
                (agreement.top_k_agreement(a, b, k), top),
                (agreement.last_k_agreement(a, b, k), last),
            ):
                assert found == len(x & y) / max(len(x), len(y))


@given(st.lists(st.integers(1, 6), min_size=2, max_size=40), st.randoms(use_true_random=False))
def test_equal_rankings_agree_fully_and_order_of_systems_does_not_matter(ranks, random):
    a = np.array(ranks)
    b = np.array(random.sample(ranks, len(ranks)))
    if len(set(ranks)) > 1:
        assert agreement.kendall_tau(a, a) == 1
        assert agreement.kendall_tau(a, -a) == -1
        assert agreement.spearman(a, a) == 1
    assert agreement.kendall_distance(a, a) == 0
    assert agreement.rank_biased_overlap(a, a, 0.9) == 1
    shuffle = np.array(random.sample(range(len(a)), len(a)))
    for compare in (agreement.kendall_distance, agreement.spearman):
        shuffled = compare(a[shuffle], b[shuffle])
        assert shuffled == pytest.approx(compare(a, b), nan_ok=True)
        assert compare(b, a) == pytest.approx(compare(a, b), nan_ok=True)


@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=8
    )
)
def test_kendall_distance_obeys_the_triangle_inequality(ranks):
    a, b, c = np.array(ranks).T
    distance = agreement.kendall_distance
    assert distance(a, c) <= distance(a, b) + distance(b, c)


def test_a_single_system_has_no_correlation():
    one = np.array([1])
    assert math.isnan(agreement.kendall_tau(one, one))
    assert math.isnan(agreement.spearman(one, one))
    assert agreement.kendall_distance(one, one) == 0
    assert agreement.rank_biased_overlap(one, one, 0.9) == 1
