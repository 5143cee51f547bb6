"""Time limits hold in every search: by a clock that the test sets, and with --full in real time."""

import contextlib
import time
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import SearchLimitError, consensus
from nbrank.robustness.task_subsets import TaskSelection
from nbrank.rules.registry import QUICK_TIME_LIMIT, RULES
from nbrank.rules.search_limits import TimeLimit
from nbrank.votes import progress


def noise(n_systems, n_tasks, seed=10):
    scores = np.random.default_rng(seed).random((n_systems, n_tasks))
    return pd.DataFrame(scores, index=[f"s{i}" for i in range(n_systems)]).add_prefix("t")


PAIRS, TASKS, MANY = noise(60, 9), noise(12, 20), noise(120, 20)
#: Each search on a table that it does not settle in a second of the clock below.
SEARCHES = {
    "kemeny": partial(nbrank.kemeny, PAIRS),
    "kemeny, the best order": partial(nbrank.kemeny, PAIRS, accept="best"),
    "ranked_pairs": partial(nbrank.ranked_pairs, PAIRS),
    "consensus.winners": partial(consensus.winners, PAIRS),
    "consensus.swaps": partial(consensus.swaps, PAIRS),
    "consensus.quality": partial(consensus.quality, PAIRS, {"borda": nbrank.borda(PAIRS)}),
    "cherry_pick": partial(nbrank.cherry_pick, TASKS),
    "cherry_picking_curve": partial(nbrank.cherry_picking_curve, TASKS),
    "unseat": partial(nbrank.unseat, TASKS, least="weight"),
    "core_tasks": partial(nbrank.core_tasks, TASKS, keeps="order"),
    "possible_ranks": partial(nbrank.possible_ranks, TASKS, within=None),
    "possible_ranks, many systems": partial(nbrank.possible_ranks, MANY),
    "possible_ranks, pairs": partial(nbrank.possible_ranks, noise(60, 20), "copeland"),
    "possible_ranks, conditions": partial(
        nbrank.possible_ranks, MANY, at_least=[("t0", "t1"), ("t2", "t3")]
    ),
    "cherry_pick, many systems": partial(nbrank.cherry_pick, MANY),
    "cherry_picking_curve, many systems": partial(nbrank.cherry_picking_curve, MANY),
}


class Clock:
    """A clock on which a step passes whenever somebody looks at it."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_search_ends_within_a_second_of_its_limit(search, monkeypatch):
    clock = Clock(0.05)
    monkeypatch.setattr(time, "monotonic", clock)
    with contextlib.suppress(SearchLimitError):
        search(time_limit=1.0)
    assert 0 < clock.now <= 2.0


@pytest.mark.parametrize("rule", ["borda", "mean", "copeland", "condorcet"])
@pytest.mark.parametrize("step", [0.02, 0.1, 0.3, 0.6])
def test_what_the_limit_leaves_open_are_bounds_of_the_ranks(rule, step, monkeypatch):
    scores = noise(9, 4)
    exact = nbrank.possible_ranks(scores, rule, time_limit=None)
    monkeypatch.setattr(time, "monotonic", Clock(step))
    found = nbrank.possible_ranks(scores, rule, time_limit=1.0)
    assert found["best"].le(exact["best"]).all()
    assert found["worst"].ge(exact["worst"]).all()
    assert found["best"].le(found["rank"]).all()
    assert found["worst"].ge(found["rank"]).all()
    proven = found["proven"]
    assert found[proven].equals(exact[proven])


def test_nothing_is_proven_once_the_time_is_up(monkeypatch):
    monkeypatch.setattr(time, "monotonic", Clock(5.0))
    found = nbrank.possible_ranks(noise(9, 4), time_limit=1.0)
    assert not found["proven"].any()
    assert found["best"].eq(1).all()
    assert found["worst"].eq(9).all()


def test_the_rule_ranks_only_on_tasks_that_the_search_has_proven(monkeypatch):
    monkeypatch.setattr(time, "monotonic", Clock(1.0))
    monkeypatch.setattr(TaskSelection, "ranks", None)
    found = nbrank.cherry_pick(TASKS, time_limit=1.0)
    assert not found["proven"].any()
    assert found["at_most"].eq(20).all()
    curve = nbrank.cherry_picking_curve(TASKS, time_limit=1.0)
    assert (curve["systems"] + curve["undecided"]).eq(12).all()


def test_beside_other_rules_a_search_has_ten_seconds(monkeypatch):
    for name in ("kemeny", "ranked_pairs"):
        clock = Clock(0.2)
        monkeypatch.setattr(time, "monotonic", clock)
        with pytest.raises(SearchLimitError):
            RULES[name].quick_function(PAIRS)
        assert clock.now <= 1.2 * QUICK_TIME_LIMIT


def test_a_bar_that_is_past_the_limit_stays_at_its_end(monkeypatch, capsys):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    monkeypatch.setattr(progress, "MIN_SECONDS_BEFORE_BAR", 0)
    monkeypatch.setattr(time, "monotonic", Clock(0.7))
    with TimeLimit("kemeny", 1.0) as search:
        for _ in range(3):
            search.deadline.on_check()
        assert search._bar.n == search._bar.total == 1.0


def test_no_order_is_searched_for_that_cannot_be_proven_in_time():
    large = noise(200, 8)
    start = time.process_time()
    with pytest.raises(SearchLimitError, match="not started.*circles.*accept='best'") as refused:
        nbrank.kemeny(noise(700, 8))
    assert "time_limit=None" in str(refused.value)
    with pytest.raises(SearchLimitError, match="consensus.winners: the search is not started"):
        consensus.winners(noise(700, 8))
    assert time.process_time() - start < 5
    assert not nbrank.kemeny(large, accept="best", time_limit=0.5).attrs["optimal"]


@pytest.mark.full
@pytest.mark.parametrize("n_systems", [400, 800])
def test_a_limit_holds_in_real_time(n_systems):
    scores = noise(n_systems, 8)
    for search in (nbrank.ranked_pairs, partial(nbrank.kemeny, accept="best")):
        start = time.perf_counter()
        with contextlib.suppress(SearchLimitError):
            search(scores, time_limit=2.0)
        assert time.perf_counter() - start <= 3.0


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
def test_searches_take_little_beside_all_other_rules_on_800_systems():
    scores = noise(800, 8)
    others = [name for name in nbrank.compare(scores.head(5)) if name not in SEARCHES]
    seconds = []
    for ask in (partial(nbrank.compare, rules=others), nbrank.compare, nbrank.report):
        start = time.perf_counter()
        ask(scores)
        seconds.append(time.perf_counter() - start)
    assert max(seconds[1:]) <= 15 * seconds[0]
