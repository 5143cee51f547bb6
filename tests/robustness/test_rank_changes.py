"""Which ranks are evidence of a move, against a count by hand on random tables."""

import numpy as np
import pandas as pd
import pytest

from nbrank.robustness.rank_changes import RankChanges, separates_first


def random_ranks(seed):
    """Ranks of 2 to 9 systems by 1 to 5 rules with many ties, as competitions number them."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(2, 10), rng.integers(1, 6)
    scores = pd.DataFrame(rng.integers(0, rng.integers(1, 8), (n, m)))
    return scores.add_prefix("rule ").rank(ascending=False, method="min").astype("Int64")


@pytest.mark.parametrize("seed", range(40))
def test_what_counts_is_what_one_counts_by_hand(seed):
    ranks = random_ranks(seed)
    n, moves = len(ranks), RankChanges.from_ranks(ranks)
    for rule in ranks:
        column = ranks[rule].tolist()
        crowded = sum(rank == 1 for rank in column) > n / 2
        coarse = len(set(column)) < (3 if n > 3 else 2)
        assert (rule in moves.ranks) == (not crowded and not coarse)
    distance = {}
    for system in ranks.index:
        evidence = {}
        for rule in moves.ranks:
            column = ranks[rule].tolist()
            rank = column[system]
            if column.count(rank) <= n / 2:
                evidence.setdefault(rank, {})[rule] = column.count(rank)
        assert moves.rules_by_rank(system) == evidence
        assert list(evidence and moves.rules_by_rank(system)) == sorted(evidence)
        distance[system] = max(evidence, default=0) - min(evidence, default=0)
    longest = max(distance.values())
    expected = [system for system, moved in distance.items() if moved == longest > 0]
    assert moves.largest_changes(ranks.index) == expected


def test_rules_without_ranks_tell_nothing():
    ranks = np.array([[1, np.nan, 1.0], [2, np.nan, 1.0], [3, np.nan, np.nan]])
    assert separates_first(ranks).tolist() == [True, False, False]


def test_who_has_no_rank_under_a_rule_has_none_to_tell():
    ranks = pd.DataFrame({"x": [1, 2, 3], "y": [2, 1, None], "z": [1, 3, 2]}, dtype="Int64")
    assert RankChanges.from_ranks(ranks).rules_by_rank(2) == {2: {"z": 1}, 3: {"x": 1}}
