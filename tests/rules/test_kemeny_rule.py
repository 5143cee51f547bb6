"""Kemeny's consensus on labelled tables: its definition in plain Python, and what frames say."""

import contextlib
import dataclasses
import inspect
import itertools
import math
import re
import time
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import consensus
from nbrank.arrays.orders import kemeny_orders as arrays
from nbrank.arrays.orders.majority_graphs import SearchLimitError
from nbrank.rules import kemeny_rule as module
from nbrank.rules.kemeny_rule import kemeny

# ---------------------------------------------------------------------------------- the definition


def cost(order, scores, weights):
    """The weight of the tasks that score the lower one of two higher, over all pairs."""
    return sum(
        weights[task] * int(scores.loc[below, task] > scores.loc[above, task])
        for task in scores
        for above, below in itertools.combinations(order, 2)
    )


def pairs_turned(order, ranks):
    return sum(ranks[a] > ranks[b] for a, b in itertools.combinations(order, 2))


def optimal_orders(scores, weights, borda):
    """All optimal orders, the chosen one first: nearest to Borda, then by the rows of the table."""
    systems = list(scores.index)
    orders = {order: cost(order, scores, weights) for order in itertools.permutations(systems)}
    least = min(orders.values())
    best = [order for order, paid in orders.items() if math.isclose(paid, least, abs_tol=1e-9)]
    best.sort(key=lambda o: (pairs_turned(o, borda), [systems.index(s) for s in o]))
    return least, best


def random_boards(n_boards, seed=0):
    rng = np.random.default_rng(seed)
    for number in range(n_boards):
        n_systems, n_tasks = rng.integers(1, 6), rng.integers(1, 6)
        values = rng.integers(0, 4, (n_systems, n_tasks)).astype(float)
        if number % 2:
            values[rng.random(values.shape) < 0.25] = np.nan
        systems = rng.permutation(list("PQRSTU"))[:n_systems]
        scores = pd.DataFrame(values, index=systems, columns=list("vwxyz")[:n_tasks])
        weights = rng.choice([0.5, 1, 2, 1 / 3], n_tasks)
        weights[rng.random(n_tasks) < 0.2] = 0.0
        if weights.any():
            yield scores, dict(zip(scores, weights, strict=True))


def test_agrees_with_the_definition():
    for scores, weights in random_boards(100):
        # Who is scored on tasks of weight 0 only is in no order: last, and nobody's winner.
        weighty = [task for task, weight in weights.items() if weight]
        scored = scores[scores[weighty].notna().any(axis=1)]
        if scored.empty:
            continue
        borda = nbrank.borda(scores, weights=weights)["rank"]
        least, best = optimal_orders(scored, weights, borda)
        found = kemeny(scores, weights=weights)
        order = list(found.index[: len(scored)])
        assert order == list(best[0])
        assert found["rank"].tolist()[: len(scored)] == list(range(1, len(scored) + 1))
        assert found["score"].tolist()[: len(scored)] == list(range(len(scored)))[::-1]
        assert found.attrs["disagreement"] == pytest.approx(least)
        assert consensus.disagreement(scores, found, weights=weights) == pytest.approx(least)
        assert found.attrs["unique"] == (len(best) == 1)
        assert (found.attrs["optimal"], found.attrs["gap"]) == (True, 0.0)
        heads = {order[0] for order in best}
        assert consensus.winners(scores, weights=weights) == [s for s in scores.index if s in heads]
        swaps = consensus.swaps(scores, weights=weights)
        assert set(zip(swaps["above"], swaps["below"], strict=True)) == {
            (a, b)
            for a, b in itertools.combinations(order, 2)
            if any(o.index(b) < o.index(a) for o in best)
        }
        assert consensus.bound(scores, weights=weights) <= least + 1e-9


# ------------------------------------------------------------------------------------ what it takes


CYCLE = pd.DataFrame(
    [[3, 3, 1, 1, 2], [2, 2, 3, 3, 1], [1, 1, 2, 2, 3]],
    index=["A", "B", "C"],
    columns=list("vwxyz"),
)


def test_a_system_with_no_score_is_last_and_in_nobody_s_way():
    scores = pd.concat([pd.DataFrame(np.nan, index=["N"], columns=CYCLE.columns), CYCLE])
    found = kemeny(scores)
    assert found["rank"].to_dict() == {"A": 1, "B": 2, "C": 3, "N": 4}
    assert math.isnan(found["score"]["N"])
    assert found.attrs["disagreement"] == 6
    assert consensus.winners(scores) == ["A", "B"]
    assert "N" not in consensus.swaps(scores).to_numpy()
    assert consensus.disagreement(scores, ["N", "C", "A", "B"]) == 8


def test_a_table_without_any_score():
    found = kemeny(CYCLE.where(CYCLE > 9))
    assert found["rank"].tolist() == [1, 1, 1]
    assert found["score"].isna().all()
    assert found.attrs["disagreement"] == 0
    assert consensus.winners(CYCLE.where(CYCLE > 9)) == []


def test_lower_is_better_turns_the_order_round():
    unique = CYCLE.assign(more=[3, 2, 1])
    assert list(kemeny(unique, lower_is_better=True).index) == list(kemeny(unique).index)[::-1]


def test_weights_count():
    assert kemeny(CYCLE, weights={"x": 1.5}).attrs["unique"]
    assert list(kemeny(CYCLE, weights={"x": 1.5}).index) == ["B", "C", "A"]


GAPS = pd.DataFrame(
    {"t1": [3, 2, np.nan], "t2": [np.nan, 2, 3], "t3": [3, 1, np.nan], "t4": [np.nan, 1, 2]},
    index=["A", "B", "C"],
)


@pytest.mark.parametrize(
    ("missing", "paid"),
    [
        ("ignore", 0),  # A and C above B wherever they meet
        # 2 of 3 are scored: an unscored system is above the first with 1/3, above the second with
        # 2/3. So B is above A, and above C, with 2/3 in all; A and C above each other with 2.
        ("compatible", 2 / 3 + 2 / 3 + 2),
        ("worst", 6),  # each pair is two against two
    ],
)
def test_what_a_missing_score_costs(missing, paid):
    found = kemeny(GAPS, missing=missing)
    assert found.attrs["disagreement"] == pytest.approx(paid)
    counts = nbrank.pairwise(GAPS, missing=missing)
    by_hand = sum(counts.loc[b, a] for a, b in itertools.combinations(found.index, 2))
    assert by_hand == pytest.approx(paid)


def test_missing_scores_can_be_refused():
    with pytest.raises(ValueError, match="kemeny"):
        kemeny(GAPS, missing="raise")
    assert list(kemeny(CYCLE, missing="raise").index) == list("ABC")


def test_the_reference_is_borda_with_expected_points():
    # No pair meets, so every order is optimal; Borda is all that is left.
    scores = pd.DataFrame(
        {"t1": [np.nan, 1, np.nan, 2], "t2": [1, np.nan, np.nan, np.nan], "t3": [1, 2, 3, np.nan]},
        index=list("PQRS"),
    )
    alone = pd.DataFrame(np.diag([1.0, 2.0, 3.0]), index=list("PQR")).replace(0, np.nan)
    assert list(kemeny(alone).index) == list("PQR")
    found = kemeny(scores)
    assert not found.attrs["unique"]
    borda = nbrank.borda(scores)["rank"]
    assert list(found.index) == list(optimal_orders(scores, dict.fromkeys(scores, 1), borda)[1][0])


def test_comparisons_are_ballots_on_two_systems():
    battles = pd.DataFrame(
        [("A", "B", "A"), ("B", "C", "B"), ("C", "A", "C"), ("B", "C", "B"), ("A", "C", "tie")],
        columns=["left", "right", "winner"],
    )
    source = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    found = kemeny(source)
    # B wins twice against C: only C's win over A is reversed, or A's over B. Wins minus losses are
    # 1 for B, 0 for A and -1 for C: one pair away from either order.
    assert list(found.index) == ["A", "B", "C"]
    assert found.attrs["disagreement"] == 1
    assert consensus.winners(source) == ["A", "B"]
    assert consensus.bound(source) == 1
    assert consensus.disagreement(source, ["C", "B", "A"]) == 3
    with pytest.raises(TypeError, match="kemeny"):
        kemeny(source, levels=2)


def test_the_reference_of_comparisons_is_borda_too():
    rng = np.random.default_rng(0)
    for _ in range(20):
        pairs = np.array([rng.choice(5, 2, replace=False) for _ in range(8)])
        battles = pd.DataFrame(np.array(list("PQRST"))[pairs], columns=["left", "right"])
        battles["winner"] = rng.choice(["left", "right", "tie"], len(battles))
        source = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
        wins = {
            pair: float((battles["left"].eq(pair[0]) & battles["right"].eq(pair[1]) & won).sum())
            for pair in itertools.permutations(source.systems, 2)
            for won in [battles["winner"] == "left"]
        }
        for pair in wins:
            lost = battles["winner"] == "right"
            wins[pair] += (battles["left"].eq(pair[1]) & battles["right"].eq(pair[0]) & lost).sum()
        orders = {
            order: sum(wins[b, a] for a, b in itertools.combinations(order, 2))
            for order in itertools.permutations(source.systems)
        }
        best = [order for order, paid in orders.items() if paid == min(orders.values())]
        borda, systems = nbrank.borda(source)["rank"], list(source.systems)
        expected = min(best, key=lambda o: (pairs_turned(o, borda), [systems.index(s) for s in o]))
        assert list(kemeny(source).index) == list(expected)


def test_systems_may_have_labels_of_several_levels():
    labels = pd.MultiIndex.from_tuples([("open", "A"), ("open", "B"), ("closed", "C")])
    scores = CYCLE.set_axis(labels, axis=0)
    assert kemeny(scores).index.tolist() == labels.tolist()
    assert consensus.winners(scores) == [("open", "A"), ("open", "B")]
    assert consensus.swaps(scores)["below"].tolist() == [("open", "B"), ("closed", "C")]
    assert consensus.disagreement(scores, labels.tolist()) == 6


def instances(n_instances, seed):
    rng = np.random.default_rng(seed)
    rows = pd.MultiIndex.from_product(
        [list("ABCD"), range(n_instances)], names=["system", "instance"]
    )
    return pd.DataFrame(rng.integers(0, 4, (len(rows), 3)), index=rows, columns=list("xyz"))


@pytest.mark.parametrize("seed", range(5))
def test_two_levels_are_the_rule_on_the_rankings_within_the_tasks(seed):
    scores = instances(5, seed)
    within = {
        task: kemeny(scores[task].unstack("instance"))["rank"].rsub(9).reindex(list("ABCD"))
        for task in scores
    }
    expected = kemeny(pd.DataFrame(within))
    found = kemeny(scores, levels=2)
    pd.testing.assert_frame_equal(found, expected, check_names=False)
    assert found.attrs == expected.attrs
    assert consensus.winners(scores, levels=2) == consensus.winners(pd.DataFrame(within))


def test_one_level_pools_the_instances():
    scores = instances(4, seed=0)
    pooled = scores.unstack("instance")
    pooled.columns = range(pooled.shape[1])
    assert list(kemeny(scores).index) == list(kemeny(pooled).index)


# ---------------------------------------------------------------------------------- what it returns


def test_facts_are_plain_and_survive_parquet_and_concat(tmp_path):
    found = kemeny(CYCLE)
    assert found.attrs == {
        "rule": "kemeny",
        "disagreement": 6.0,
        "optimal": True,
        "gap": 0.0,
        "unique": False,
        "canonical": True,
    }
    assert [type(fact) for fact in found.attrs.values()] == [str, float, bool, float, bool, bool]
    found.attrs["unique"] = None  # as when time runs out
    found.to_parquet(tmp_path / "kemeny.parquet")
    assert pd.read_parquet(tmp_path / "kemeny.parquet").attrs == found.attrs
    assert pd.concat([found, found.copy()]).attrs == found.attrs


def rankings(n_systems, n_tasks, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(np.array([rng.permutation(n_systems) for _ in range(n_tasks)]).T)


def test_out_of_time_the_order_is_marked():
    scores = rankings(60, 9)
    found = kemeny(scores, time_limit=1e-6, accept="best")
    facts = found.attrs
    assert (facts["optimal"], facts["unique"], facts["canonical"]) == (False, None, False)
    assert facts["gap"] > 0
    assert facts["disagreement"] - facts["gap"] >= consensus.bound(scores)
    assert facts["disagreement"] == consensus.disagreement(scores, found)


def test_a_task_that_is_not_ranked_in_time_is_refused():
    wide = rankings(40, 9).rename_axis("system")
    scores = wide.stack().to_frame("task")
    scores.index.names = ["system", "instance"]
    with pytest.raises(SearchLimitError, match="within a task.*levels=1"):
        kemeny(scores, levels=2, time_limit=1e-6)


@pytest.mark.parametrize(
    ("limit", "error"),
    [
        (0, ValueError),
        (-1.0, ValueError),
        (math.nan, ValueError),
        ("1", TypeError),
        (True, TypeError),
        (1j, TypeError),
    ],
)
def test_a_time_limit_is_a_number_of_seconds(limit, error):
    questions = [kemeny, consensus.winners, consensus.swaps, consensus.bound]
    for question in questions:
        with pytest.raises(error, match=f"{question.__name__}: time_limit"):
            question(CYCLE, time_limit=limit)
    for question in (consensus.quality, consensus.disagreement):
        with pytest.raises(error, match=f"{question.__name__}: time_limit"):
            question(CYCLE, {}, time_limit=limit)


@pytest.mark.parametrize("limit", [1, 0.5, np.float32(1), np.int64(2), math.inf, None])
def test_every_number_of_seconds_is_taken(limit):
    assert kemeny(CYCLE, time_limit=limit).attrs["canonical"]


def test_what_is_accepted_is_one_of_two():
    with pytest.raises(ValueError, match=r"kemeny: accept.*proven.*best"):
        kemeny(CYCLE, accept="any")
    with pytest.raises(ValueError, match=r"consensus.quality: accept.*proven.*best"):
        consensus.quality(CYCLE, {}, accept="any")


def tennis(n_players=132, n_matches=2_000, seed=0):
    """Sparse matches between players of about the same strength: far too hard to solve."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0, 1, n_players)
    first = rng.integers(0, n_players, n_matches)
    second = (first + rng.integers(1, n_players, n_matches)) % n_players
    won = rng.random(n_matches) < 1 / (1 + np.exp(strength[second] - strength[first]))
    names = np.array([f"player {i}" for i in range(n_players)])
    matches = pd.DataFrame(
        {
            "left": names[first],
            "right": names[second],
            "winner": np.where(won, "left", "right"),
        }
    )
    return nbrank.from_comparisons(matches, left="left", right="right", winner="winner")


TENNIS = tennis()


def test_at_the_limit_the_error_says_the_best_value_and_the_bound_and_what_to_do():
    began = time.monotonic()
    with pytest.raises(SearchLimitError) as caught:
        kemeny(TENNIS, time_limit=1)
    assert time.monotonic() - began < 4
    said = str(caught.value)
    assert said.startswith("kemeny: no order was proven to be optimal within the time limit of 1 s")
    assert "accept='best'" in said
    assert "larger time_limit (None removes it)" in said
    best, bound = map(int, re.search(r"weight (\d+), and every .* at least (\d+);", said).groups())
    found = kemeny(TENNIS, time_limit=1, accept="best")
    assert bound < found.attrs["disagreement"]
    assert found.attrs["disagreement"] - found.attrs["gap"] <= best
    assert consensus.bound(TENNIS) <= bound


def test_the_best_order_is_marked_as_not_proven():
    found = kemeny(TENNIS, time_limit=0.5, accept="best")
    facts = found.attrs
    assert (facts["optimal"], facts["unique"], facts["canonical"]) == (False, None, False)
    assert facts["gap"] > 0
    assert facts["disagreement"] == consensus.disagreement(TENNIS, found)
    assert sorted(found["rank"]) == list(range(1, 133))


@pytest.mark.parametrize(
    "question",
    [
        consensus.winners,
        consensus.swaps,
        lambda source, **limit: consensus.quality(source, {}, **limit),
        nbrank.RULES["kemeny"].winners,
    ],
    ids=["winners", "swaps", "quality", "RULES"],
)
def test_the_limit_holds_in_every_search(question):
    began = time.monotonic()
    with pytest.raises(SearchLimitError, match="time limit of 1 second;|time limit of 1 second:"):
        question(TENNIS, time_limit=1)
    assert time.monotonic() - began < 4


@pytest.mark.filterwarnings("ignore:groups of systems that never met")
@pytest.mark.parametrize("limit", [0.05, 0.2, 0.5, 1.0])
def test_the_limit_holds_whichever_phase_is_cut_short(limit):
    # Few matches: the optimum is found soon, and the choice among very many orders takes long.
    sparse = tennis(n_matches=200)
    for question in (partial(kemeny, accept="best"), consensus.winners, consensus.swaps):
        began = time.monotonic()
        with contextlib.suppress(SearchLimitError):
            question(sparse, time_limit=limit)
        assert time.monotonic() - began < limit + 3


def test_there_is_a_limit_by_default():
    for question in (
        kemeny,
        consensus.winners,
        consensus.swaps,
        consensus.quality,
        consensus.disagreement,
    ):
        assert inspect.signature(question).parameters["time_limit"].default == 30


def test_an_optimal_order_that_is_not_the_chosen_one_is_not_accepted(monkeypatch):
    def open_choice(counts, reference, deadline):
        found = arrays.kemeny(counts, reference, deadline)
        return dataclasses.replace(found, is_reference_choice=False)

    monkeypatch.setattr(module, "arrays", SimpleNamespace(kemeny=open_choice))
    with pytest.raises(
        SearchLimitError, match=r"kemeny: the order found .* least weight .* 6, but"
    ):
        kemeny(CYCLE)
    facts = kemeny(CYCLE, accept="best").attrs
    assert (facts["optimal"], facts["canonical"]) == (True, False)


def test_what_is_cheap_is_never_refused():
    # Circles of up to 12 systems, one above the other, are ordered without a look at the clock.
    rng = np.random.default_rng(0)
    blocks = [rng.random((12, 7)) + 9 * level for level in range(9)]
    found = kemeny(pd.DataFrame(np.concatenate(blocks)), time_limit=1e-9)
    assert found.attrs["canonical"]


def test_the_tasks_share_the_seconds_with_the_last_step():
    wide = pd.concat({t: rankings(60, 9, seed=t) for t in range(8)}, names=["task", "system"])
    scores = wide.stack().unstack("task")
    scores.index.names = ["system", "instance"]
    began = time.monotonic()
    for question in (kemeny, consensus.winners, consensus.bound):
        with pytest.raises(
            SearchLimitError, match=r"within a task.*limit of 0.5 seconds.*levels=1"
        ):
            question(scores, levels=2, time_limit=0.5)
    assert time.monotonic() - began < 8


def test_kemeny_in_compare_bootstrap_and_two_step():
    with pytest.warns(nbrank.RuleRefusedWarning, match=r"kemeny: left empty; no order was proven"):
        ranks = nbrank.compare(TENNIS, {"kemeny": partial(kemeny, time_limit=0.5), "b": "borda"})
    assert ranks["kemeny"].isna().all()
    quality = consensus.quality(TENNIS, ranks, time_limit=0.5, accept="best")
    assert not quality.attrs["optimal"]
    assert quality.loc["kemeny"].isna().all()
    with pytest.raises(SearchLimitError, match="kemeny: no order"):
        nbrank.bootstrap(rankings(90, 9), "kemeny", n_draws=3, time_limit=0.5)
    scores = rankings(90, 18).add_prefix("t")
    groups = {"g": list(scores.columns[:9]), "h": list(scores.columns[9:])}
    with pytest.raises(SearchLimitError, match="kemeny: (no|the) order"):
        nbrank.two_step(scores, partial(kemeny, time_limit=0.1), groups=groups)


# ------------------------------------------------------------------------------ real leaderboards


REAL = {
    "GLUE": nbrank.datasets.load_glue_submissions,
    "SuperGLUE": nbrank.datasets.load_superglue_submissions,
    "XTREME": nbrank.datasets.load_xtreme,
    "chat models": nbrank.datasets.load_llm_chat,
}


@pytest.mark.parametrize("name", REAL)
def test_no_rule_disagrees_less_on_a_real_leaderboard(name):
    scores = REAL[name]()
    found = kemeny(scores)
    assert found.attrs["optimal"]
    assert found.attrs["canonical"]
    least = found.attrs["disagreement"]
    assert least == pytest.approx(consensus.disagreement(scores, found))
    assert consensus.bound(scores) <= least
    for rule in (
        nbrank.borda,
        nbrank.copeland,
        nbrank.mean_win_rate,
        nbrank.schulze,
        nbrank.bucklin,
    ):
        assert consensus.disagreement(scores, list(rule(scores).index)) >= least


def test_glue_of_105_submissions_reverses_7248_preferences():
    scores = nbrank.datasets.load_glue_submissions()
    found = kemeny(scores)
    assert len(found) == 105
    assert found.attrs["disagreement"] == 7248
    assert consensus.disagreement(scores, list(nbrank.mean(scores).index)) == 8412
