"""Rules and sets of the majority graph, against their definitions on small random tables.

The definitions are spelled out here in plain Python: all paths, all orders of the
tied pairs, all subsets, all corners of the polytope of lotteries, in fractions.
"""

import itertools
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, count_pairs
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.orders import majority_graphs, ranked_pairs_search
from nbrank.arrays.orders.linear_orders import NO_DEADLINE, Deadline, DeadlineExceeded


def random_profiles(n_profiles, most_systems=6, seed=20261120):
    """Small tables, most with ties and tied margins, some with weights and missing cells."""
    rng = np.random.default_rng(seed)
    for _ in range(n_profiles):
        n_systems = rng.integers(1, most_systems + 1)
        n_tasks = rng.integers(1, 9)
        scores = rng.integers(0, rng.integers(2, 8), size=(n_systems, n_tasks)).astype(float)
        if rng.random() < 0.3:
            scores[rng.random(scores.shape) < 0.2] = np.nan
        weights = rng.integers(1, 4, n_tasks) if rng.random() < 0.3 else np.ones(n_tasks)
        yield Profile(scores, weights.astype(float))


def margins_of(profile):
    """The margin of each ordered pair, as a fraction."""
    systems = range(len(profile.scores))
    return {
        (a, b): sum(
            Fraction(weight) * (int(x > y) - int(y > x))
            for weight, x, y in zip(
                profile.weights, profile.scores[a], profile.scores[b], strict=True
            )
        )
        for a in systems
        for b in systems
        if a != b
    }


def counts_from(margins):
    """Counts with these margins, a skew-symmetric table."""
    margins = np.asarray(margins, dtype=float)
    return PairwiseCounts(np.maximum(margins, 0), np.zeros(margins.shape), np.abs(margins).sum())


def members(mask):
    return set(np.flatnonzero(mask).tolist())


# -------------------------------------------------------------------------------- schulze


def strength_of_best_path(margins, systems, a, b):
    others = [system for system in systems if system not in (a, b)]
    return max(
        min(margins[step] for step in itertools.pairwise((a, *middle, b)))
        for length in range(len(others) + 1)
        for middle in itertools.permutations(others, length)
    )


def test_schulze_counts_those_with_the_stronger_path_among_all_paths():
    for profile in random_profiles(250, most_systems=5):
        margins, systems = margins_of(profile), range(len(profile.scores))
        best = {(a, b): strength_of_best_path(margins, systems, a, b) for a, b in margins}
        expected = [
            -sum(best[other, system] > best[system, other] for other in systems if other != system)
            for system in systems
        ]
        assert majority_graphs.schulze(count_pairs(profile)).tolist() == expected


def test_schulze_by_the_example_of_his_paper():
    """Schulze (2011), example 1: 45 voters, E wins, then A, C, B, D."""
    orders = {
        "acbed": 5,
        "adecb": 5,
        "bedac": 8,
        "cabed": 3,
        "caebd": 7,
        "cbade": 2,
        "dceba": 7,
        "ebadc": 8,
    }
    scores = np.array([[-order.index(system) for order in orders] for system in "abcde"], float)
    profile = Profile(scores, np.array(list(orders.values()), dtype=float))
    found = dict(zip("abcde", majority_graphs.schulze(count_pairs(profile)), strict=True))
    assert found == {"e": 0, "a": -1, "c": -2, "b": -3, "d": -4}


def test_margins_that_differ_by_rounding_are_one_level():
    # Both wins have the margin .3: .1 + .2 is not exactly that in floating point.
    wins = np.array([[0.0, 0.1 + 0.2, 0.0], [0.0, 0.0, 0.3], [0.3, 0.0, 0.0]])
    counts = PairwiseCounts(wins, np.zeros((3, 3)), 0.6)
    assert len(set(counts.margins[counts.margins > 0])) == 2
    assert majority_graphs.margin_levels(counts).tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert majority_graphs.schulze(counts).tolist() == [0, 0, 0]
    assert ranked_pairs_search.ranked_pairs(counts).tolist() == [1, 1, 1]


# --------------------------------------------------------------------------- ranked pairs


def reachable(edges, start):
    found, frontier = set(), {start}
    while frontier:
        frontier = {b for a, b in edges if a in frontier} - found
        found |= frontier
    return found


def locked_graphs(margins):
    """Every graph that some order of the tied pairs locks in."""
    graphs = {frozenset()}
    for size in sorted({margin for margin in margins.values() if margin > 0}, reverse=True):
        tied = [pair for pair, margin in margins.items() if margin == size]
        done, frontier = set(), graphs
        while frontier:
            later = set()
            for graph in frontier:
                can = [
                    pair
                    for pair in tied
                    if pair not in graph and pair[0] not in reachable(graph, pair[1])
                ]
                later |= {graph | {pair} for pair in can}
                if not can:
                    done.add(graph)
            frontier = later
        graphs = done
    return graphs


def winners_under_some_order(margins, n_systems):
    return set().union(
        *({*range(n_systems)} - {loser for _, loser in graph} for graph in locked_graphs(margins))
    )


def test_ranked_pairs_finds_the_winners_under_all_orders_of_the_tied_pairs():
    several = 0
    for profile in random_profiles(400, most_systems=5):
        expected = winners_under_some_order(margins_of(profile), len(profile.scores))
        assert members(ranked_pairs_search.ranked_pairs(count_pairs(profile)) == 1) == expected
        several += len(expected) > 1
    assert several > 50  # where there is only one, there was nothing to find


def test_ranked_pairs_where_all_margins_are_one_of_two_sizes():
    """Cycles among equal margins are where orders differ."""
    rng = np.random.default_rng(5)
    for _ in range(150):
        upper = np.triu(rng.choice([-2, -1, -1, 1, 1, 2], size=(5, 5)), 1)
        margins = upper - upper.T
        table = {(a, b): int(margins[a, b]) for a, b in itertools.permutations(range(5), 2)}
        expected = winners_under_some_order(table, 5)
        assert members(ranked_pairs_search.ranked_pairs(counts_from(margins)) == 1) == expected


def test_a_system_outside_the_schwartz_set_can_win_by_ranked_pairs():
    """The cycle 0, 1, 2 is entered by 3 at system 2 only, and 0 can win its cycle: nobody is
    between 3 and 0. Schulze sees the path 3, 2, 0."""
    margins = [[0, 1, -1, 0], [-1, 0, 1, 0], [1, -1, 0, -1], [0, 0, 1, 0]]
    counts = counts_from(margins)
    assert ranked_pairs_search.ranked_pairs(counts).tolist() == [1, 1, 0, 1]
    assert members(majority_graphs.schwartz_set(counts)) == {3}
    assert majority_graphs.schulze(counts).tolist()[3] == 0
    assert majority_graphs.schulze(counts).max() == 0
    assert members(majority_graphs.schulze(counts) == 0) == {3}


def test_past_its_limit_the_search_says_so():
    """Noise on few tasks: thirty systems, and only the margins 1, 3, 5, 7 and 9."""
    profile = Profile(np.random.default_rng(10).random((30, 9)), np.ones(9))
    with pytest.raises(majority_graphs.SearchLimitError, match="after 5,000 states"):
        ranked_pairs_search.ranked_pairs(count_pairs(profile))
    profile = Profile(np.random.default_rng(1).random((30, 9)), np.ones(9))
    with pytest.raises(majority_graphs.SearchLimitError, match="after 100 states"):
        ranked_pairs_search.ranked_pairs(count_pairs(profile), limit=100)
    assert ranked_pairs_search.ranked_pairs(count_pairs(profile), limit=500).sum() == 6


def test_the_search_ends_at_its_deadline():
    profile = Profile(np.random.default_rng(10).random((30, 9)), np.ones(9))
    with pytest.raises(DeadlineExceeded):
        ranked_pairs_search.ranked_pairs(count_pairs(profile), deadline=Deadline.after(0.0))


def test_a_state_of_the_search_takes_little_time_on_hundreds_of_systems():
    """Locked pair by pair, the first of these states alone took 20 seconds."""
    profile = Profile(np.random.default_rng(0).random((800, 8)), np.ones(8))
    start = time.process_time()
    with pytest.raises(majority_graphs.SearchLimitError, match="after 2 states"):
        ranked_pairs_search.ranked_pairs(count_pairs(profile), limit=2)
    assert time.process_time() - start < 5


def test_locking_many_pairs_at_once_reaches_what_they_reach_one_by_one():
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(2, 12))
        pairs = [(int(a), int(b)) for a, b in rng.integers(0, n, (n, 2)) if a != b]
        one_by_one = [0] * n
        for pair in pairs:
            ranked_pairs_search._lock(one_by_one, pair)
        assert ranked_pairs_search._closed([0] * n, pairs, NO_DEADLINE) == one_by_one


@pytest.mark.full
def test_without_tied_margins_a_hundred_systems_need_no_search():
    rng = np.random.default_rng(4)
    profile = Profile(rng.random((100, 999)), rng.random(999))
    won = ranked_pairs_search.ranked_pairs(count_pairs(profile), limit=400)
    assert won.sum() == 1
    assert (
        won.tolist()
        == ranked_pairs_search.ranked_pairs_with_tie_order(count_pairs(profile)).tolist()
    )


def test_many_tied_margins_of_an_ordinary_table_need_little_search():
    """105 systems on 14 tasks, with a common order under some noise: 7 sizes for 5,460 margins."""
    rng = np.random.default_rng(6)
    ability = np.linspace(0, 3, 105)[:, None]
    for noise in (0.3, 1.0, 2.0):
        counts = count_pairs(Profile(ability + noise * rng.standard_normal((105, 14)), np.ones(14)))
        assert ranked_pairs_search.ranked_pairs(counts, limit=500).sum() >= 1


def test_a_fixed_order_gives_one_winner_and_it_wins_under_some_order():
    for profile in random_profiles(300):
        counts = count_pairs(profile)
        won = ranked_pairs_search.ranked_pairs_with_tie_order(counts)
        assert won.sum() == 1
        assert (won <= ranked_pairs_search.ranked_pairs(counts)).all()


def test_every_winner_under_some_order_can_be_told_by_an_order_of_the_systems_in_a_plain_cycle():
    margins = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    won = set()
    for order in itertools.permutations(range(3)):
        chosen = np.ix_(order, order)
        first = ranked_pairs_search.ranked_pairs_with_tie_order(counts_from(margins[chosen]))
        won.add(order[int(first.argmax())])
    assert won == {0, 1, 2}


def test_strongest_paths_of_many_systems_are_those_by_one_middle_system_after_the_other():
    rng = np.random.default_rng(2)
    for n in (1, 63, 64, 65, 150):
        wins = np.triu(rng.integers(-5, 6, (n, n)), 1)
        paths = levels = np.maximum(wins - wins.T, 0)
        for middle in range(n):
            paths = np.maximum(paths, np.minimum(paths[:, middle, None], paths[middle]))
        assert (majority_graphs.strongest_paths(levels) == paths).all()


def test_circles_of_three_are_counted():
    for profile in random_profiles(50):
        counts = count_pairs(profile)
        beats = counts.margins > 0
        circles = sum(
            bool(beats[i, j] and beats[j, k] and beats[k, i])
            for i, j, k in itertools.permutations(range(len(beats)), 3)
        )
        assert majority_graphs.majority_circles(counts) == circles / 3


# ------------------------------------------------------------------------------------ sets


def subsets(systems):
    for size in range(1, len(systems) + 1):
        yield from itertools.combinations(systems, size)


def test_smith_set_is_the_smallest_set_that_beats_all_others():
    for profile in random_profiles(300):
        margins, systems = margins_of(profile), range(len(profile.scores))
        smallest = next(
            chosen
            for chosen in subsets(systems)
            if all(margins[a, b] > 0 for a in chosen for b in systems if b not in chosen)
        )
        assert members(majority_graphs.smith_set(count_pairs(profile))) == set(smallest)


def test_schwartz_set_is_the_union_of_the_smallest_unbeaten_sets():
    for profile in random_profiles(300):
        margins, systems = margins_of(profile), range(len(profile.scores))
        smallest = []
        for chosen in subsets(systems):
            unbeaten = all(margins[b, a] <= 0 for a in chosen for b in systems if b not in chosen)
            if unbeaten and not any(set(found) <= set(chosen) for found in smallest):
                smallest.append(chosen)
        assert members(majority_graphs.schwartz_set(count_pairs(profile))) == set().union(*smallest)


def test_uncovered_set_by_its_definition():
    for profile in random_profiles(300):
        margins, systems = margins_of(profile), range(len(profile.scores))
        above = {a: {b for b in systems if a != b and margins[a, b] > 0} for a in systems}
        below = {a: {b for b in systems if a != b and margins[b, a] > 0} for a in systems}
        uncovered = {
            b
            for b in systems
            if not any(
                b in above[a] and above[b] <= above[a] and below[a] <= below[b] for a in systems
            )
        }
        assert members(majority_graphs.uncovered_set(count_pairs(profile))) == uncovered


def test_condorcet_loser_loses_to_all():
    for profile in random_profiles(300):
        margins, systems = margins_of(profile), range(len(profile.scores))
        losers = {
            a
            for a in systems
            if len(systems) > 1 and all(margins[a, b] < 0 for b in systems if b != a)
        }
        assert members(majority_graphs.condorcet_loser(count_pairs(profile))) == losers


def test_the_sets_contain_each_other():
    for profile in random_profiles(300, most_systems=9, seed=8):
        counts = count_pairs(profile)
        smith = members(majority_graphs.smith_set(counts))
        schwartz = members(majority_graphs.schwartz_set(counts))
        assert schwartz <= smith
        assert members(majority_graphs.uncovered_set(counts)) <= smith
        assert members(majority_graphs.schulze(counts) == 0) <= schwartz
        assert members(ranked_pairs_search.ranked_pairs(counts) == 1) <= smith
        assert members(majority_graphs.leximin_lottery(counts)[0] > 0) <= smith


# ----------------------------------------------------------------------- maximal lotteries


def corners(margins, n):
    """The corners of the polytope of maximal lotteries, in fractions: n - 1 constraints meet."""
    rows = [[margins.get((i, j), Fraction(0)) for j in range(n)] for i in range(n)]
    rows += [[-Fraction(i == j) for j in range(n)] for i in range(n)]
    found = set()
    for tight in itertools.combinations(rows, n - 1):
        point = solve([[Fraction(1)] * n, *tight], [Fraction(1)] + [Fraction(0)] * (n - 1))
        if point is not None and all(
            sum(a * p for a, p in zip(row, point, strict=True)) <= 0 for row in rows
        ):
            found.add(point)
    return found


def solve(matrix, right):
    """The solution of a square system in fractions, None if there is not exactly one."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for column in range(n):
        pivot = next((r for r in range(column, n) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for r in range(n):
            if r != column and rows[r][column]:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[column], strict=True)]
    return tuple(row[-1] for row in rows)


def test_the_lottery_is_maximal_and_no_other_maximal_one_has_better_smallest_probabilities():
    rng = np.random.default_rng(11)
    several = 0
    for profile in random_profiles(100, most_systems=5, seed=9):
        n = len(profile.scores)
        margins = margins_of(profile)
        probabilities, unique = majority_graphs.leximin_lottery(count_pairs(profile))
        assert probabilities.sum() == pytest.approx(1)
        assert (probabilities >= 0).all()
        for system in range(n):
            gain = sum(
                float(margins[system, other]) * probabilities[other]
                for other in range(n)
                if other != system
            )
            assert gain <= 1e-12

        extremes = np.array(sorted(corners(margins, n)), dtype=float)
        assert unique == (len(extremes) == 1)
        if unique:
            assert probabilities == pytest.approx(extremes[0], abs=1e-12)
            continue
        several += 1
        others = rng.dirichlet(np.full(len(extremes), 0.5), size=200) @ extremes
        nearby = 0.99 * probabilities + 0.01 * others
        best = np.sort(probabilities)
        for other in np.sort(np.vstack([extremes, others, nearby]), axis=1):
            differs = np.flatnonzero(np.abs(other - best) > 1e-9)
            assert not len(differs) or other[differs[0]] < best[differs[0]]
    assert several >= 20


@pytest.mark.parametrize(
    ("margins", "expected"),
    [
        ([[0]], [1]),
        ([[0, 0], [0, 0]], [1 / 2, 1 / 2]),
        # The share of each in a cycle is the margin between the other two.
        ([[0, 1, -3], [-1, 0, 5], [3, -5, 0]], [5 / 9, 3 / 9, 1 / 9]),
        # A cycle of four, opposite systems tied: half to each opposite pair, in any proportion.
        ([[0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0]], [1 / 4] * 4),
        # 0 ties with 1 and 2, and 1 beats 2: 0 and 1 may be drawn, in any proportion.
        ([[0, 0, 0], [0, 0, 1], [0, -1, 0]], [1 / 2, 1 / 2, 0]),
        # 0 ties with 1, loses to 2, which loses to 1: at most as much of 0 as of 1.
        ([[0, 0, -1], [0, 0, 1], [1, -1, 0]], [1 / 2, 1 / 2, 0]),
        # As before, but 2 beats 0 by twice as much: at most half as much of 0 as of 1.
        ([[0, 0, -2], [0, 0, 1], [2, -1, 0]], [1 / 3, 2 / 3, 0]),
    ],
)
def test_lotteries_that_can_be_worked_out_by_hand(margins, expected):
    assert majority_graphs.leximin_lottery(counts_from(margins))[0] == pytest.approx(expected)


def test_rounding_of_weights_does_not_decide_a_lottery():
    """Weights in tenths or in whole numbers are the same weights."""
    rng = np.random.default_rng(12)
    for _ in range(60):
        scores = rng.integers(0, 4, size=(6, 6)).astype(float)
        weights = rng.integers(1, 4, size=6)
        whole = majority_graphs.leximin_lottery(count_pairs(Profile(scores, weights.astype(float))))
        tenths = majority_graphs.leximin_lottery(count_pairs(Profile(scores, weights / 10)))
        assert tenths[0] == pytest.approx(whole[0], abs=1e-10)
        assert tenths[1] == whole[1]


def test_the_only_lottery_of_margins_of_very_different_sizes_is_that_in_fractions():
    rng, only, refused = np.random.default_rng(15), 0, 0
    for choices in ([1e-6, 1.0, 1e6], [1e-8, 1e-4, 1.0]):
        for _ in range(60):
            n, m = int(rng.integers(3, 6)), int(rng.integers(3, 8))
            scores = rng.integers(0, 10, size=(n, m)).astype(float)
            profile = Profile(scores, rng.choice(choices, m))
            tie = Fraction(1, 10**9) * sum(map(Fraction, profile.weights))
            margins = {
                pair: margin if abs(margin) > tie else Fraction(0)
                for pair, margin in margins_of(profile).items()
            }
            extremes = np.array(sorted(corners(margins, n)), dtype=float)
            try:
                odds, unique = majority_graphs.leximin_lottery(count_pairs(profile))
            except majority_graphs.UnevenMarginsError:
                refused += 1
                continue
            assert unique == (len(extremes) == 1)
            if unique:
                only += 1
                assert odds == pytest.approx(extremes[0], abs=1e-11)
            gains = [
                sum(margins.get((i, j), 0) * Fraction(odds[j]) for j in range(n)) for i in range(n)
            ]
            assert max(gains) <= tie
    assert only >= 80
    assert refused <= 2


def test_lotteries_of_many_systems_are_maximal_and_named_alike_under_every_numbering():
    rng = np.random.default_rng(13)
    for _ in range(40):
        n = int(rng.integers(10, 50))
        upper = np.triu(rng.integers(-3, 4, size=(n, n)), 1)
        margins = upper - upper.T
        odds, unique = majority_graphs.leximin_lottery(counts_from(margins))
        assert (margins @ odds).max() < 1e-11
        order = rng.permutation(n)
        again = majority_graphs.leximin_lottery(counts_from(margins[np.ix_(order, order)]))
        assert again[0] == pytest.approx(odds[order], abs=1e-9)
        assert again[1] == unique


def test_an_odd_number_of_strict_tasks_leaves_one_lottery_with_an_odd_support():
    """Laffond, Laslier and Le Breton (1997): all margins are odd then."""
    rng = np.random.default_rng(14)
    for _ in range(100):
        n, m = int(rng.integers(1, 8)), 2 * int(rng.integers(0, 4)) + 1
        odds, unique = majority_graphs.leximin_lottery(
            count_pairs(Profile(rng.random((n, m)), np.ones(m)))
        )
        assert unique
        assert np.count_nonzero(odds) % 2 == 1


# ------------------------------------------------------------------------- what always holds


def odds_of(counts):
    return majority_graphs.leximin_lottery(counts)[0]


RULES = [majority_graphs.schulze, ranked_pairs_search.ranked_pairs, odds_of]
tables = (
    st.integers(2, 6)
    .flatmap(
        lambda n: st.lists(
            st.lists(st.one_of(st.integers(0, 3), st.just(np.nan)), min_size=n, max_size=n),
            min_size=1,
            max_size=7,
        )
    )
    .map(lambda columns: Profile(np.array(columns, dtype=float).T.copy(), np.ones(len(columns))))
)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=60)
@given(profile=tables, order=st.randoms(use_true_random=False))
def test_renaming_the_systems_renames_the_result(rule, profile, order):
    numbers = list(range(len(profile.scores)))
    order.shuffle(numbers)
    renamed = rule(count_pairs(Profile(profile.scores[numbers], profile.weights)))
    assert renamed == pytest.approx(rule(count_pairs(profile))[numbers], abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=60)
@given(profile=tables)
def test_a_condorcet_winner_wins_alone_and_a_condorcet_loser_never(rule, profile):
    counts = count_pairs(profile)
    score = rule(counts)
    won = np.flatnonzero(score == score.max()).tolist()
    beaten = np.count_nonzero(counts.margins > 0, axis=1)
    for winner in np.flatnonzero(beaten == len(score) - 1).tolist():
        assert won == [winner]
    assert not set(won) & members(majority_graphs.condorcet_loser(counts))


def with_clones(rng, scores):
    """The table, and the same with one or two clones of system 0, next to it on every task."""
    n_clones = int(rng.integers(1, 3))
    offsets = rng.choice([-3, -2, -1, 1, 2, 3], size=(n_clones, scores.shape[1]))
    spread = 10 * scores
    return spread, np.vstack([spread, spread[0] + offsets])


@pytest.mark.parametrize("rule", RULES[:2])
def test_clones_change_nothing_for_the_others(rule):
    rng = np.random.default_rng(15)
    for _ in range(250):
        n, m = int(rng.integers(3, 5)), int(rng.integers(2, 8))
        strict = rng.random((n, m)).argsort(axis=0).argsort(axis=0).astype(float)
        before, after = with_clones(rng, strict)
        score = rule(count_pairs(Profile(before, np.ones(m))))
        cloned = rule(count_pairs(Profile(after, np.ones(m))))
        won = set(np.flatnonzero(score == score.max()).tolist())
        won_after = set(np.flatnonzero(cloned == cloned.max()).tolist())
        assert {0 if system >= n else system for system in won_after} == won


def test_clones_share_the_probability_of_the_original():
    rng = np.random.default_rng(16)
    for _ in range(150):
        n, m = int(rng.integers(3, 5)), 2 * int(rng.integers(1, 4)) + 1
        strict = rng.random((n, m)).argsort(axis=0).argsort(axis=0).astype(float)
        before, after = with_clones(rng, strict)
        odds, unique = majority_graphs.leximin_lottery(count_pairs(Profile(before, np.ones(m))))
        cloned = odds_of(count_pairs(Profile(after, np.ones(m))))
        assert unique
        assert cloned[1:n] == pytest.approx(odds[1:], abs=1e-9)
