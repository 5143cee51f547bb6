"""Every rule against its definition, spelled out in plain Python on small tables.

The definitions below know nothing of the library: exact fractions, one task at a
time, and for a missing score every complete ranking compatible with the task.
"""

import itertools
from fractions import Fraction
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nbrank
from nbrank import RULES

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

# ---------------------------------------------------------------- the definitions


@cache
def place_probabilities(column, missing, ties):
    """System -> {place: probability} on one task; places are 0 for the first.

    `column` is a tuple of (system, score or None), higher is better.
    """
    observed = [system for system, score in column if score is not None]
    score = dict(column)
    if missing == "ignore":
        if len(observed) < 2:
            return {}  # nobody is compared
        return _places_of_all_orders(tuple(observed), tuple(score.items()), ties)
    return _places_of_all_orders(tuple(score), tuple(score.items()), ties)


def _places_of_all_orders(systems, items, ties):
    score = dict(items)
    orders = [
        order
        for order in itertools.permutations(systems)
        if all(
            score[a] is None or score[b] is None or score[a] >= score[b]
            for a, b in itertools.combinations(order, 2)
        )
    ]
    found = {system: {} for system in systems}
    for order in orders:
        place = {system: position for position, system in enumerate(order)}
        for system in systems:
            level = [
                place[other]
                for other in systems
                if other == system or (score[system] is not None and score[other] == score[system])
            ]
            taken = {"average": [place[system]], "min": [min(level)], "max": [max(level)]}[ties]
            for at in taken:
                found[system][at] = found[system].get(at, 0) + Fraction(1, len(orders))
    return found


def columns_of(table, systems):
    return [tuple((system, column[system]) for system in systems) for column in table]


def filled(table, systems, missing):
    if missing == "worst":
        return [{s: (-1000 if c[s] is None else c[s]) for s in systems} for c in table]
    if missing == "median":
        result = []
        for column in table:
            known = sorted(column[s] for s in systems if column[s] is not None)
            half = len(known) // 2
            median = known[half] if len(known) % 2 else Fraction(known[half - 1] + known[half], 2)
            result.append({s: median if column[s] is None else column[s] for s in systems})
        return result
    return table


def points(table, weights, systems, vector, missing, ties):
    """Weighted points, `vector(k)` being those of the places of k systems."""
    total = dict.fromkeys(systems, Fraction(0))
    for column, weight in zip(columns_of(table, systems), weights, strict=True):
        found = place_probabilities(column, missing, ties)
        for system, places in found.items():
            for place, probability in places.items():
                total[system] += weight * probability * vector(len(found))[place]
    return total


VECTORS = {
    "plurality": lambda k: [Fraction(p == 0) for p in range(k)],
    "antiplurality": lambda k: [Fraction(p < k - 1) for p in range(k)],
    "borda": lambda k: [Fraction(k - 1 - p) for p in range(k)],
    "dowdall": lambda k: [Fraction(1, p + 1) for p in range(k)],
}


def place_shares(table, weights, systems, missing, ties):
    """System -> weight at each place, counted from the first and from the last."""
    n = len(systems)
    first = {s: [Fraction(0)] * n for s in systems}
    last = {s: [Fraction(0)] * n for s in systems}
    for column, weight in zip(columns_of(table, systems), weights, strict=True):
        found = place_probabilities(column, missing, ties)
        for system, places in found.items():
            for place, probability in places.items():
                first[system][place] += weight * probability
                last[system][len(found) - 1 - place] += weight * probability
    return first, last


def threshold(table, weights, systems, missing, ties):
    last = place_shares(table, weights, systems, missing, ties)[1]
    keys = {s: tuple(itertools.accumulate(last[s])) for s in systems}
    order = sorted(set(keys.values()))
    return {s: -order.index(keys[s]) for s in systems}


def bucklin(table, weights, systems, missing, ties):
    first = place_shares(table, weights, systems, missing, ties)[0]
    total = sum(
        weight
        for column, weight in zip(columns_of(table, systems), weights, strict=True)
        if place_probabilities(column, missing, ties)
    )
    result = {}
    for s in systems:
        reached = list(itertools.accumulate(first[s]))
        depth = next((d for d, r in enumerate(reached) if r > total / 2), len(systems))
        share = (reached[depth] if depth < len(systems) else reached[-1]) / (total or 1)
        result[s] = share - (depth + 1)
    return result


def _borda(table, weights, left, missing, ties):
    return points(table, weights, left, VECTORS["borda"], missing, ties)


def lowest_borda(table, weights, left, missing, ties):
    score = _borda(table, weights, left, missing, ties)
    return {s for s in left if score[s] == min(score.values())}


def below_mean_borda(table, weights, left, missing, ties):
    score = _borda(table, weights, left, missing, ties)
    return {s for s in left if score[s] < sum(score.values()) / len(left)}


def most_last(table, weights, left, missing, ties):
    last = place_shares(table, weights, left, missing, ties)[1]
    return {s for s in left if last[s][0] == max(last[o][0] for o in left)}


def fewest_first(table, weights, left, missing, ties):
    first = place_shares(table, weights, left, missing, ties)[0]
    return {s for s in left if first[s][0] == min(first[o][0] for o in left)}


ROUNDS = {
    "baldwin": lowest_borda,
    "nanson": below_mean_borda,
    "coombs": most_last,
    "instant_runoff": fewest_first,
}


def rounds(eliminate, table, weights, systems, missing, ties):
    survived = dict.fromkeys(systems, 0)
    left = list(systems)
    while len(left) > 1:
        out = eliminate(table, weights, tuple(left), missing, ties)
        if not out or out == set(left):
            break
        left = [s for s in left if s not in out]
        for s in left:
            survived[s] += 1
    return survived


def duel(table, weights, a, b):
    """The weight of the tasks on which a beats b."""
    return sum(
        (
            weight
            for column, weight in zip(table, weights, strict=True)
            if column[a] is not None and column[b] is not None and column[a] > column[b]
        ),
        Fraction(0),
    )


def majority(rule, table, weights, systems):
    wins = {(a, b): duel(table, weights, a, b) for a in systems for b in systems}
    result = {}
    for a in systems:
        others = [b for b in systems if b != a]
        beats = [b for b in others if wins[a, b] > wins[b, a]]
        beaten = [b for b in others if wins[a, b] < wins[b, a]]
        result[a] = {
            "condorcet": int(len(beats) == len(others)),
            "copeland": len(beats) - len(beaten),
            "winning_votes": -max([wins[b, a] for b in beaten], default=0),
            "margins": -max([wins[b, a] - wins[a, b] for b in others], default=0),
            "opposition": -max([wins[b, a] for b in others], default=0),
        }[rule]
    return result


def mean_place(table, weights, systems):
    result = {}
    for s in systems:
        parts = []
        for column, weight in zip(table, weights, strict=True):
            if column[s] is not None:
                others = [column[o] for o in systems if o != s and column[o] is not None]
                above = sum(o > column[s] for o in others)
                level = sum(o == column[s] for o in others)
                parts.append((weight, 1 + above + Fraction(level, 2), len(others)))
        result[s] = parts
    return result


def weighted(parts):
    total = sum(weight for weight, _ in parts)
    return sum(weight * value for weight, value in parts) / total


def of_places(rule, table, weights, systems):
    result = {}
    for s, parts in mean_place(table, weights, systems).items():
        # Who is alone on a task is compared with nobody there.
        met = [(w, place, n) for w, place, n in parts if n]
        rates = [(w, -place if rule == "mean_rank" else (n + 1 - place) / n) for w, place, n in met]
        result[s] = weighted(rates) if rates else None
    return result


# ------------------------------------------------------------------- the comparison


@st.composite
def tables(draw, *, gaps):
    """A small table with many ties: systems, columns as dicts, weights."""
    systems = tuple("ABCDE"[: draw(st.integers(2, 5 if not gaps else 4))])
    cell = st.integers(0, 3)
    if gaps:
        cell = st.one_of(st.none(), cell, cell)
    n_tasks = draw(st.integers(1, 4))
    table = [{s: draw(cell) for s in systems} for _ in range(n_tasks)]
    # A task that nobody was scored on has no median, and no places.
    for column in table:
        if all(score is None for score in column.values()):
            column[draw(st.sampled_from(systems))] = 1
    weights = [Fraction(draw(st.integers(1, 3))) for _ in range(n_tasks)]
    return systems, table, weights


def frame_of(systems, table):
    return pd.DataFrame(
        {
            f"t{i}": [np.nan if c[s] is None else float(c[s]) for s in systems]
            for i, c in enumerate(table)
        },
        index=list(systems),
    )


def check(ranked, expected, systems, *, unscored=()):
    """Scores as expected; ranks that say the same; best first, ties in table order."""
    score = ranked["score"].to_dict()
    known = {s: v for s, v in expected.items() if s not in unscored and v is not None}
    for s in systems:
        if s in known:
            assert score[s] == pytest.approx(float(known[s]), abs=1e-9), s
        else:
            assert np.isnan(score[s]), s
    rank = ranked["rank"].to_dict()
    for s in systems:
        better = sum(v > known[s] for v in known.values()) if s in known else len(known)
        assert rank[s] == better + 1, s
    order = sorted(systems, key=lambda s: (rank[s], systems.index(s)))
    assert list(ranked.index) == order


def unscored_in(systems, table):
    return [s for s in systems if all(column[s] is None for column in table)]


def oracle(rule, systems, table, weights, missing, ties):
    gone = unscored_in(systems, table) if missing in ("ignore", "median") else []
    left = tuple(s for s in systems if s not in gone)
    table = filled(table, left, missing)
    how = "ignore" if missing == "ignore" else "compatible"
    if rule in VECTORS:
        return points(table, weights, left, VECTORS[rule], how, ties)
    if rule in ROUNDS:
        return rounds(ROUNDS[rule], table, weights, left, how, ties)
    return {"threshold": threshold, "bucklin": bucklin}[rule](table, weights, left, how, ties)


PLACE_RULES = [*VECTORS, *ROUNDS, "threshold", "bucklin"]


@pytest.mark.parametrize("ties", ["average", "min", "max"])
@pytest.mark.parametrize("rule", PLACE_RULES)
@settings(max_examples=25)
@given(case=tables(gaps=False))
def test_rules_on_places_follow_their_definition_on_complete_tables(rule, ties, case):
    systems, table, weights = case
    expected = oracle(rule, systems, table, weights, "compatible", ties)
    ranked = RULES[rule].function(
        frame_of(systems, table),
        weights={f"t{i}": float(w) for i, w in enumerate(weights)},
        ties=ties,
    )
    check(ranked, expected, systems)


@pytest.mark.parametrize("missing", ["compatible", "ignore", "median", "worst"])
@pytest.mark.parametrize("rule", PLACE_RULES)
@settings(max_examples=25)
@given(case=tables(gaps=True), ties=st.sampled_from(["average", "min", "max"]))
def test_rules_on_places_follow_their_definition_with_missing_scores(rule, missing, ties, case):
    systems, table, weights = case
    expected = oracle(rule, systems, table, weights, missing, ties)
    unscored = [] if missing == "compatible" else unscored_in(systems, table)
    ranked = RULES[rule].function(
        frame_of(systems, table),
        weights={f"t{i}": float(w) for i, w in enumerate(weights)},
        missing=missing,
        ties=ties,
    )
    check(ranked, expected, systems, unscored=unscored)


MAJORITY = {
    "condorcet": nbrank.condorcet,
    "copeland": nbrank.copeland,
    "winning_votes": lambda *a, **k: nbrank.minimax(*a, variant="winning_votes", **k),
    "margins": lambda *a, **k: nbrank.minimax(*a, variant="margins", **k),
    "opposition": lambda *a, **k: nbrank.minimax(*a, variant="opposition", **k),
}


@pytest.mark.parametrize("rule", MAJORITY)
@settings(max_examples=60)
@given(case=tables(gaps=True))
def test_majority_rules_follow_their_definition(rule, case):
    systems, table, weights = case
    unscored = unscored_in(systems, table)
    left = tuple(s for s in systems if s not in unscored)
    ranked = MAJORITY[rule](
        frame_of(systems, table), weights={f"t{i}": float(w) for i, w in enumerate(weights)}
    )
    check(ranked, majority(rule, table, weights, left), systems, unscored=unscored)


@pytest.mark.parametrize("rule", ["mean_rank", "mean_win_rate"])
@settings(max_examples=60)
@given(case=tables(gaps=True))
def test_averages_of_places_follow_their_definition(rule, case):
    systems, table, weights = case
    unscored = unscored_in(systems, table)
    left = tuple(s for s in systems if s not in unscored)
    ranked = RULES[rule].function(
        frame_of(systems, table),
        weights={f"t{i}": float(w) for i, w in enumerate(weights)},
        missing="ignore",
    )
    check(ranked, of_places(rule, table, weights, left), systems, unscored=unscored)


@settings(max_examples=40)
@given(case=tables(gaps=True))
def test_mean_rank_and_win_rate_with_compatible_rankings_are_bordas_points_rescaled(case):
    systems, table, weights = case
    frame = frame_of(systems, table)
    options = {"weights": {f"t{i}": float(w) for i, w in enumerate(weights)}}
    total = float(sum(weights))
    borda = nbrank.borda(frame, **options)["score"]
    place = nbrank.mean_rank(frame, missing="compatible", **options)["score"]
    rate = nbrank.mean_win_rate(frame, missing="compatible", **options)["score"]
    pd.testing.assert_series_equal(place, borda / total - len(systems))
    pd.testing.assert_series_equal(rate, borda / total / (len(systems) - 1))


SCORE_MEANS = {
    "mean": lambda v, w: np.average(v, weights=w),
    "geometric_mean": lambda v, w: np.prod(np.power(v, w)) ** (1 / np.sum(w)),
    "harmonic_mean": lambda v, w: 0.0 if min(v) == 0 else np.sum(w) / np.sum(np.divide(w, v)),
    "median": lambda v, w: np.median(np.repeat(v, np.array(w, dtype=int))),
}


@pytest.mark.parametrize("rule", SCORE_MEANS)
@settings(max_examples=60)
@given(case=tables(gaps=True))
def test_means_follow_their_definition_over_what_is_there(rule, case):
    systems, table, weights = case
    expected = {}
    for s in systems:
        there = [(c[s], float(w)) for c, w in zip(table, weights, strict=True) if c[s] is not None]
        expected[s] = SCORE_MEANS[rule](*zip(*there, strict=True)) if there else None
    ranked = RULES[rule].function(
        frame_of(systems, table),
        weights={f"t{i}": float(w) for i, w in enumerate(weights)},
        missing="ignore",
    )
    scores = ranked["score"]
    for s in systems:
        if expected[s] is None:
            assert np.isnan(scores[s])
        else:
            assert scores[s] == pytest.approx(expected[s])


# --------------------------------------------------------------- properties of every rule

EVERY_RULE = [name for name, rule in RULES.items() if rule.supports(nbrank.Leaderboard.provides)]
#: One of each kind of rule, where what is tested is a property of what they see; that all of them
#: are given equal views is tested in tests/votes/test_views.py.
ONE_OF_EACH = ["mean", "mean_win_rate", "borda", "baldwin", "copeland", "kemeny", "bradley_terry"]


def run(name, frame, **options):
    """Any rule with any missing cell, with arguments where it needs some; None if it refuses."""
    rule = RULES[name]
    arguments = {
        "vector": np.arange(len(frame))[::-1] ** 2,
        "low": -1.0,
        "high": 5.0,
        "gamma": 2.0,
    }
    given_ = {name: arguments[name] for name in rule.arguments}
    if rule.family == "mean":
        given_["missing"] = "ignore"
    try:
        return rule.function(frame, **given_, **options)
    except ValueError:
        return None


def same(a, b):
    if a is None or b is None:
        return a is None and b is None
    both = a["score"].to_frame("a").join(b["score"].rename("b"))
    ranks = a["rank"].to_dict() == b["rank"].to_dict()
    return ranks and np.allclose(both["a"], both["b"], equal_nan=True, atol=1e-7)


@pytest.mark.parametrize("rule", ONE_OF_EACH)
@settings(max_examples=25)
@given(case=tables(gaps=True), data=st.data())
def test_order_and_names_of_systems_and_tasks_change_nothing_but_labels(rule, case, data):
    systems, table, _ = case
    frame = frame_of(systems, table)
    plain = run(rule, frame)
    tasks = data.draw(st.permutations(list(frame.columns)))
    assert same(plain, run(rule, frame[tasks]))
    if RULES[rule].family != "consensus":  # a strict order falls back on table order
        shuffled = data.draw(st.permutations(list(systems)))
        assert same(plain, run(rule, frame.loc[shuffled]))
    renamed = run(rule, frame.rename(index=lambda s: ("new", s), columns=str.upper))
    if plain is not None:
        renamed.index = [label[1] for label in renamed.index]
        assert same(plain, renamed)


@pytest.mark.parametrize("rule", ONE_OF_EACH)
@settings(max_examples=25)
@given(case=tables(gaps=True))
def test_a_column_twice_is_a_column_of_twice_the_weight(rule, case):
    systems, table, _ = case
    frame = frame_of(systems, table)
    twice = run(rule, frame.assign(again=frame["t0"]))
    assert same(twice, run(rule, frame, weights={"t0": 2}))


@pytest.mark.parametrize("rule", ONE_OF_EACH)
@settings(max_examples=25)
@given(case=tables(gaps=True), data=st.data())
def test_a_column_of_weight_0_is_no_column(rule, case, data):
    systems, table, weights = case
    frame = frame_of(systems, table)
    weights = {f"t{i}": float(weight) for i, weight in enumerate(weights)}
    # Who is scored there only is then scored nowhere.
    ignored = [data.draw(st.sampled_from([None, 0, 1, 2, 3])) for _ in systems]
    more = frame.assign(ignored=np.array(ignored, dtype=float))
    found = run(rule, more, weights=weights | {"ignored": 0})
    assert same(run(rule, frame, weights=weights), found)


@pytest.mark.parametrize("rule", ONE_OF_EACH)
@settings(max_examples=25)
@given(case=tables(gaps=True))
def test_weights_are_relative(rule, case):
    systems, table, weights = case
    frame = frame_of(systems, table)
    once = run(rule, frame, weights={f"t{i}": float(w) for i, w in enumerate(weights)})
    tenfold = run(rule, frame, weights={f"t{i}": float(10 * w) for i, w in enumerate(weights)})
    assert (once is None) == (tenfold is None)
    if once is not None:
        assert once["rank"].to_dict() == tenfold["rank"].to_dict()


@pytest.mark.parametrize("rule", EVERY_RULE)
@settings(max_examples=25)
@given(case=tables(gaps=False))
def test_a_unanimous_winner_comes_out_on_top(rule, case):
    systems, table, _ = case
    frame = frame_of(systems, table)
    frame.loc["A"] = frame.max() + 1
    ranked = run(rule, frame)
    if ranked is None:
        # Refused for an infinite strength, or the like: then it says so for good reason.
        assert RULES[rule].family == "model"
        return
    assert "A" in ranked.index[ranked["rank"] == 1]
    if RULES[rule].properties["majority"] or RULES[rule].properties["unanimity"]:
        assert list(ranked.index[ranked["rank"] == 1]) == ["A"]


@pytest.mark.parametrize("rule", [r for r in EVERY_RULE if RULES[r].properties["unanimity"]])
@settings(max_examples=25)
@given(data=st.data())
def test_rules_that_promise_it_keep_a_unanimous_order(rule, data):
    n = data.draw(st.integers(2, 5))
    scores = np.arange(n)[::-1]
    shift = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    frame = pd.DataFrame(
        {f"t{i}": scores + s for i, s in enumerate(shift)}, index=list("ABCDE"[:n])
    )
    ranked = run(rule, frame)
    if ranked is None:
        assert RULES[rule].family == "model"
        return
    assert ranked["rank"].tolist() == list(range(1, n + 1))
    assert list(ranked.index) == list("ABCDE"[:n])


@pytest.mark.parametrize("rule", [r for r in EVERY_RULE if RULES[r].properties["condorcet_winner"]])
@settings(max_examples=60)
@given(case=tables(gaps=False))
def test_condorcet_consistent_rules_elect_the_condorcet_winner(rule, case):
    systems, table, weights = case
    frame = frame_of(systems, table)
    options = {"weights": {f"t{i}": float(w) for i, w in enumerate(weights)}}
    winner = nbrank.winners(frame, ["condorcet"], **options)["condorcet"]
    if winner:
        ranked = run(rule, frame, **options)
        assert list(ranked.index[ranked["rank"] == 1]) == winner


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_ranking_has_the_contracts_form(rule):
    frame = pd.DataFrame(
        {"t1": [1.0, 2.0, 3.0], "t2": [2.0, 2.0, 1.0], "t3": [3.0, 1.0, 2.0]}, index=list("ABC")
    )
    ranked = run(rule, frame)
    assert list(ranked.columns) == ["rank", "score"]
    assert pd.api.types.is_integer_dtype(ranked["rank"])
    assert ranked["rank"].is_monotonic_increasing
    assert ranked.attrs["rule"] == rule
    for value in ranked.attrs.values():
        assert type(value) in (str, int, float, bool, list, type(None))


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_one_system_alone_is_first(rule):
    frame = pd.DataFrame({"t1": [1.0], "t2": [2.0]}, index=["A"])
    assert run(rule, frame)["rank"].tolist() == [1]
