"""How missing scores count, and scores at instance level, rule by rule."""

import itertools
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import nbrank
from nbrank import RULES
from nbrank.votes.user_warnings import NoOpponentsWarning, UnscoredWarning

GAPS = pd.DataFrame(
    {"t1": [3.0, 2.0, 1.0, np.nan], "t2": [1.0, np.nan, 2.0, np.nan]}, index=list("ABCD")
)

# ------------------------------------------------- nobody compared, and missing as the worst

OFFERS = nbrank.Leaderboard.provides
MISSING_RULES = [n for n, r in RULES.items() if r.supports(OFFERS) and "missing" in r.parameters]


def ranked(rule, source, missing, **options):
    """The rule, with arguments where it needs some; the text of the error if it refuses."""
    systems = (
        source.systems if isinstance(source, nbrank.Tally) else nbrank.Leaderboard(source).systems
    )
    arguments = {"vector": np.arange(len(systems))[::-1], "low": -9.0, "high": 9.0, "gamma": 9.0}
    given_ = {name: arguments[name] for name in RULES[rule].arguments}
    try:
        return RULES[rule].function(source, missing=missing, **given_, **options)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("rule", ["threshold", "coombs"])
def test_a_system_first_on_all_its_tasks_is_not_last_for_being_alone_on_one(rule):
    scores = pd.DataFrame(
        {"t1": [3.0, None, None], "t2": [3.0, 2.0, 1.0], "t3": [None, 2.0, 1.0]}, index=list("ABC")
    )
    found = RULES[rule].function(scores, missing="ignore", weights={"t1": 5})
    assert found["rank"].to_dict() == {"A": 1, "B": 2, "C": 3}


def test_scores_alone_by_hand():
    scores = pd.DataFrame({"t1": [3.0, None], "t2": [1.0, 2.0]}, index=["A", "B"])
    expected = {
        "plurality": {"B": 1.0, "A": 0.0},
        "antiplurality": {"B": 1.0, "A": 0.0},
        "dowdall": {"B": 1.0, "A": 0.5},
        "mean_rank": {"B": -1.0, "A": -2.0},
        "bucklin": {"B": 0.0, "A": -1.0},
    }
    for rule, score in expected.items():
        assert RULES[rule].function(scores, missing="ignore")["score"].to_dict() == score, rule


def test_a_system_left_alone_on_a_task_is_neither_first_nor_last_there():
    # B goes first. A is then alone on t1, and has to win by t2 and t3.
    scores = pd.DataFrame(
        {
            "t1": [2.0, 1.0, None],
            "t2": [1.0, 0.0, 2.0],
            "t3": [1.0, 0.0, 2.0],
        },
        index=list("ABC"),
    )
    weights = {"t1": 5}
    for rule in ("instant_runoff", "coombs"):
        found = RULES[rule].function(scores, missing="ignore", weights=weights)
        assert found["rank"].to_dict() == {"C": 1, "A": 2, "B": 3}, rule


@st.composite
def with_gaps(draw, instances=False):
    n, m = draw(st.integers(2, 4)), draw(st.integers(1, 4))
    cells = st.one_of(st.none(), st.integers(0, 3))
    table = pd.DataFrame(
        [[draw(cells) for _ in range(m)] for _ in range(n)], index=list("ABCD"[:n]), dtype=float
    )
    if not instances:
        return table.add_prefix("t")
    table.columns = pd.MultiIndex.from_arrays(
        [[f"t{draw(st.integers(0, 1))}" for _ in range(m)], range(m)], names=["task", "instance"]
    )
    rows = pd.MultiIndex.from_product([table.index, range(m)], names=["system", "instance"])
    long = table.stack(["task", "instance"], future_stack=True)
    return long.unstack("task").rename_axis(["system", "instance"]).reindex(rows)


# A mean over what is there is about scores.
@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in MISSING_RULES
        if RULES[rule].family != "mean" or rule in ("mean_rank", "mean_win_rate")
    ],
)
@settings(max_examples=25)
@given(table=with_gaps(), data=st.data())
def test_a_task_with_one_score_changes_no_ranking(rule, table, data):
    scored = list(table.index[table.notna().any(axis=1)])
    assume(scored)
    alone = data.draw(st.sampled_from(scored))
    more = table.assign(alone=pd.Series({alone: 5.0}).reindex(table.index))
    before, after = (ranked(rule, one, "ignore") for one in (table, more))
    if isinstance(before, str):
        assert after == before
        return
    pd.testing.assert_frame_equal(after[["rank", "score"]], before[["rank", "score"]])


def as_worst(table):
    """Each task's missing scores replaced by one value below all others."""
    return table.fillna(-5.0)


def same_where_scored(found, expected, table):
    if isinstance(found, str) or isinstance(expected, str):
        assert isinstance(found, str), (found, expected)
        assert isinstance(expected, str), (found, expected)
        return
    board = nbrank.Leaderboard(table)
    scored = board.systems[~np.isnan(board.values).all(axis=1)]
    pd.testing.assert_series_equal(
        found["score"][scored], expected["score"][scored], check_names=False
    )
    if found.attrs["rule"] in ("bradley_terry", "davidson"):
        # Below all others, it is as strong as it is where it has such scores.
        pd.testing.assert_series_equal(found["score"], expected["score"], check_names=False)
        return
    # Who has no score at all is last.
    assert (found["rank"][scored] <= len(scored)).all()
    assert (found["rank"].drop(scored) == len(scored) + 1).all()
    assert found["score"].drop(scored).isna().all()


WORST_RULES = [
    rule
    for rule in MISSING_RULES
    if RULES[rule].family != "mean" or rule in ("mean_rank", "mean_win_rate")
]


@pytest.mark.parametrize("rule", WORST_RULES)
@settings(max_examples=25)
@given(table=with_gaps(), lower=st.booleans())
def test_worst_is_one_value_below_all_others(rule, table, lower):
    found = ranked(rule, -table if lower else table, "worst", lower_is_better=lower)
    same_where_scored(found, ranked(rule, as_worst(table), "worst"), table)


@pytest.mark.parametrize("levels", [1, 2])
@pytest.mark.parametrize("rule", [r for r in WORST_RULES if "levels" in RULES[r].parameters])
@settings(max_examples=25)
@given(table=with_gaps(instances=True))
def test_worst_is_the_same_of_instances_and_of_their_counts(rule, levels, table):
    found = ranked(rule, table, "worst", levels=levels)
    board = nbrank.Leaderboard(table)
    if levels == 1 and board.values.size:
        wide = pd.DataFrame(board.values, index=board.systems)
        same_where_scored(found, ranked(rule, as_worst(wide), "worst"), table)
    counted = ranked(rule, nbrank.tally(table), "worst", levels=levels)
    if isinstance(found, str):
        assert isinstance(counted, str)
        return
    pd.testing.assert_frame_equal(counted, found, check_names=False)


def test_who_has_no_score_is_an_opponent_of_kemenys_order_under_worst():
    scores = pd.DataFrame({"t1": [2.0, 1.0, None], "t2": [2.0, None, None]}, index=list("ABU"))
    found = nbrank.kemeny(scores, missing="worst")
    assert found["score"].to_dict() == pytest.approx({"A": 2.0, "B": 1.0, "U": np.nan}, nan_ok=True)
    assert found["rank"].to_dict() == {"A": 1, "B": 2, "U": 3}
    copeland = nbrank.copeland(scores, missing="worst")
    assert copeland["score"].dropna().to_dict() == {"A": 2.0, "B": 0.0}
    # A ranking that puts it first reverses a preference of every task with a score of another.
    assert nbrank.consensus.disagreement(scores, ["U", "A", "B"], missing="worst") == 3.0


# ----------------------------------------------------------------------- task level


def test_the_defaults_are_the_contracts():
    default = {
        name: rule.parameters["missing"].default
        for name, rule in RULES.items()
        if "missing" in rule.parameters
    }
    by_family = {
        "mean": "raise",
        "positional": "compatible",
        "elimination": "compatible",
        "majority": "ignore",
        "consensus": "ignore",
        "model": "ignore",
    }
    expected = {name: by_family[RULES[name].family] for name in default}
    assert default == expected | {"mean_win_rate": "ignore"}


def test_borda_by_hand_with_compatible_rankings():
    # t1: A, B, C of four: (r + 1) 5 / 4 - 1; t2: C above A: (r + 1) 5 / 3 - 1; unscored 3 / 2.
    found = nbrank.borda(GAPS)["score"]
    assert found.to_dict() == pytest.approx(
        {
            "A": 2.75 + 2 / 3,
            "B": 1.5 + 1.5,
            "C": 0.25 + 7 / 3,
            "D": 3.0,
        }
    )


@pytest.mark.parametrize("rule", ["mean", "geometric_mean", "harmonic_mean", "median", "mean_rank"])
def test_means_refuse_missing_scores_and_name_the_alternatives(rule):
    with pytest.raises(ValueError, match="3 missing scores, of 'B', 'D' on 't1', 't2'") as error:
        RULES[rule].function(GAPS)
    for word in ("rewards skipping", "missing='ignore'", "missing='median'", "borda", "copeland"):
        assert word in str(error.value)


@pytest.mark.parametrize("rule", ["mean", "geometric_mean", "harmonic_mean", "median"])
@pytest.mark.parametrize("missing", ["compatible", "worst", "zero"])
def test_means_of_scores_refuse_what_has_no_number(rule, missing):
    with pytest.raises(
        ValueError, match=f"missing='{missing}' is unknown; choose 'raise', 'ignore'"
    ):
        RULES[rule].function(GAPS, missing=missing)


@pytest.mark.parametrize("rule", [n for n, r in RULES.items() if "ties" in r.parameters])
def test_an_unknown_way_to_share_ties_is_refused(rule):
    arguments = {"vector": [3, 2, 1, 0]} if rule == "positional" else {}
    with pytest.raises(
        ValueError, match="ties='mean' is unknown; choose 'average', 'min' or 'max'"
    ):
        RULES[rule].function(GAPS, ties="mean", **arguments)


@pytest.mark.parametrize("missing", ["ignore", "median"])
@pytest.mark.parametrize("rule", ["borda", "copeland", "baldwin", "threshold", "mean_win_rate"])
def test_a_system_without_any_score_is_last_with_nan(rule, missing):
    ranked = RULES[rule].function(GAPS, missing=missing)
    assert np.isnan(ranked.loc["D", "score"])
    assert ranked.loc["D", "rank"] == 4
    # And it is nobody's opponent.
    without = RULES[rule].function(GAPS.drop("D"), missing=missing)
    pd.testing.assert_series_equal(ranked["score"].drop("D"), without["score"])


def test_worst_counts_a_missing_score_below_all_others():
    ranked = nbrank.borda(GAPS, missing="worst")
    assert ranked["score"].drop("D").to_dict() == {"A": 3 + 2, "B": 2 + 0.5, "C": 1 + 3}
    assert np.isnan(ranked.loc["D", "score"])


def test_worst_is_below_minus_infinity():
    scores = pd.DataFrame({"t": [-np.inf, np.nan, 1.0], "u": [1, 1, 1]}, index=list("ABC"))
    assert nbrank.borda(scores, missing="worst")["score"].to_dict() == {"C": 3, "A": 2, "B": 1}


def test_median_fills_with_the_tasks_median():
    filled = GAPS.drop("D").fillna(GAPS.median())
    for rule in (nbrank.borda, nbrank.copeland, nbrank.mean):
        found = rule(GAPS.drop("D"), missing="median")
        pd.testing.assert_frame_equal(found, rule(filled))


def test_missing_scores_of_a_weightless_task_are_no_obstacle():
    assert nbrank.mean(GAPS.drop("D"), weights={"t2": 0})["rank"].tolist() == [1, 2, 3]


def test_a_task_that_nobody_ran_changes_no_order():
    empty = GAPS.assign(t3=np.nan)
    for rule in ("borda", "dowdall", "baldwin", "copeland", "bucklin", "threshold"):
        before, after = RULES[rule].function(GAPS), RULES[rule].function(empty)
        assert before["rank"].to_dict() == after["rank"].to_dict()


def test_lower_is_better_where_scores_are_averaged():
    seconds = pd.DataFrame({"t1": [1.0, 2.0], "t2": [3.0, 6.0]}, index=["A", "B"])
    assert nbrank.mean(seconds, lower_is_better=True)["score"].to_dict() == {"A": -2.0, "B": -4.0}
    assert nbrank.median(seconds, lower_is_better=True)["rank"].to_dict() == {"A": 1, "B": 2}
    for rule in (nbrank.mean, nbrank.median):
        with pytest.raises(ValueError, match="lower is better on 't1' and higher on the other"):
            rule(seconds, lower_is_better=["t1"])
    with pytest.raises(ValueError, match="lower is better on 't1', 't2', and this mean has no"):
        nbrank.harmonic_mean(seconds, lower_is_better=True)
    for rule in (nbrank.geometric_mean, nbrank.harmonic_mean):
        with pytest.raises(ValueError, match="1 negative score, of 'B' on 't2'"):
            rule(seconds.replace(6.0, -6.0))


def test_normalized_mean_reads_low_and_high_per_task_and_minds_the_orientation():
    scores = pd.DataFrame({"acc": [0.75, 0.5], "err": [0.1, 0.2]}, index=["A", "B"])
    ranked = nbrank.normalized_mean(
        scores, {"acc": 0.5, "err": 0.2}, {"acc": 1.0, "err": 0.0}, lower_is_better=["err"]
    )
    assert ranked["score"].to_dict() == pytest.approx({"A": 0.5, "B": 0.0})
    for ends in ((0, 1), (0, {"acc": 1, "err": 0})):
        with pytest.raises(ValueError, match="on 'err' high is not better than low") as caught:
            nbrank.normalized_mean(scores, *ends, lower_is_better=["err"])
        options = eval(f"dict({str(caught.value).split('give ')[1]})")
        assert options["low"]["err"] > options["high"]["err"]
        assert (options["low"]["acc"], options["high"]["acc"]) == (0, 1)
        fixed = nbrank.normalized_mean(scores, **options, lower_is_better=["err"])
        assert fixed.index[0] == "A"
    with pytest.raises(ValueError, match="high is not given for 'err'"):
        nbrank.normalized_mean(scores, 0, {"acc": 1}, lower_is_better=["err"])
    with pytest.raises(ValueError, match="low must be finite"):
        nbrank.normalized_mean(scores, np.inf, 1, lower_is_better=["err"])


def test_optimality_gap_looks_beyond_no_target():
    scores = pd.DataFrame({"acc": [0.99, 0.9], "sec": [3.0, 1.0]}, index=["A", "B"])
    ranked = nbrank.optimality_gap(scores, {"acc": 0.95, "sec": 2.0}, lower_is_better=["sec"])
    assert ranked["score"].to_dict() == pytest.approx({"A": -0.5, "B": -0.025})
    with pytest.raises(TypeError, match="gamma"):
        nbrank.optimality_gap(scores)


def test_positional_wants_a_number_for_every_place_that_never_rises():
    with pytest.raises(ValueError, match=r"vector has the shape \(2,\), and there are 4 systems"):
        nbrank.positional(GAPS, [1, 0])
    with pytest.raises(ValueError, match="place 2 gets 2.0 points and place 1 only 1.0"):
        nbrank.positional(GAPS, [1, 2, 0, 0])
    with pytest.raises(ValueError, match="must be finite"):
        nbrank.positional(GAPS, [np.inf, 2, 0, 0])


# ------------------------------------------------------------------- instance level


def definition(frame, points, levels, weights):
    """Points summed over instances (1), or over the tasks' rankings (2), one ballot at a time."""
    systems = list(dict.fromkeys(frame.index.get_level_values("system")))
    total = dict.fromkeys(systems, 0.0)
    for task in frame.columns:
        ballots = [
            {s: v for s, v in column.droplevel("instance").items() if not np.isnan(v)}
            for _, column in frame[task].groupby(level="instance", sort=False)
        ]
        ballots = [ballot for ballot in ballots if ballot]
        within = dict.fromkeys(systems, 0.0)
        for ballot in ballots:
            for s, p in points(ballot, systems).items():
                within[s] += p
        if levels == 1:
            for s in systems:
                total[s] += weights.get(task, 1.0) * within[s]
            continue
        there = {s for ballot in ballots for s in ballot}
        inside = dict.fromkeys(there, 0.0)
        for ballot in ballots:
            for s, p in points(ballot, sorted(there)).items():
                inside[s] += p
        if there:
            ranking = {s: round(v, 9) for s, v in inside.items()}
            for s, p in points(ranking, systems).items():
                total[s] += weights.get(task, 1.0) * p
    return total


def expected_borda(ballot, systems):
    """Points on one ballot, by listing every complete ranking compatible with it."""
    orders = [
        order
        for order in itertools.permutations(systems)
        if all(
            a not in ballot or b not in ballot or ballot[a] >= ballot[b]
            for a, b in itertools.combinations(order, 2)
        )
    ]
    n = len(systems)
    return {s: sum(n - 1 - o.index(s) for o in orders) / len(orders) for s in systems}


@st.composite
def instance_tables(draw):
    systems = "ABCD"[: draw(st.integers(2, 4))]
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    rows = {}
    for task, size in enumerate(sizes):
        for instance in range(size):
            for system in systems:
                cell = draw(st.one_of(st.none(), st.integers(0, 2), st.integers(0, 2)))
                key = (system, f"{task}-{instance}")
                rows[key] = {f"t{task}": np.nan if cell is None else float(cell)}
    index = pd.MultiIndex.from_tuples(rows, names=["system", "instance"])
    return pd.DataFrame(list(rows.values()), index=index)


@pytest.mark.parametrize("levels", [1, 2])
@settings(max_examples=60)
@given(frame=instance_tables(), weight=st.integers(1, 3))
def test_borda_at_both_levels_follows_its_definition(levels, frame, weight):
    assume(frame.notna().any(axis=None))
    expected = definition(frame, expected_borda, levels, {"t0": weight})
    found = nbrank.borda(frame, levels=levels, weights={"t0": weight})["score"]
    assert found.to_dict() == pytest.approx(expected)


def test_a_system_with_nothing_in_a_task_stands_in_its_middle():
    rows = {
        ("A", 1): (3.0, 1.0),
        ("B", 1): (2.0, np.nan),
        ("C", 1): (1.0, 2.0),
    }
    index = pd.MultiIndex.from_tuples(rows, names=["system", "instance"])
    frame = pd.DataFrame(list(rows.values()), index=index, columns=["t1", "t2"])
    # t2 orders C above A; B is equally often in each gap, so it gets (3 - 1) / 2 points.
    found = nbrank.borda(frame, levels=2)["score"].to_dict()
    assert found == pytest.approx({"A": 2 + 1 / 3, "B": 1 + 1, "C": 0 + 5 / 3})


def test_levels_weigh_tasks_of_different_sizes_differently():
    rows = [("A", i, 1.0, np.nan) for i in range(5)] + [("B", i, 0.0, np.nan) for i in range(5)]
    rows += [("A", 9, np.nan, 0.0), ("B", 9, np.nan, 1.0)]
    index = pd.MultiIndex.from_tuples([r[:2] for r in rows], names=["system", "instance"])
    frame = pd.DataFrame([r[2:] for r in rows], index=index, columns=["big", "small"])
    assert nbrank.borda(frame, levels=1)["score"].to_dict() == {"A": 5.0, "B": 1.0}
    assert nbrank.borda(frame, levels=2)["score"].to_dict() == {"A": 1.0, "B": 1.0}
    assert nbrank.copeland(frame, levels=1)["score"].to_dict() == {"A": 1.0, "B": -1.0}
    assert nbrank.copeland(frame, levels=2)["score"].to_dict() == {"A": 0.0, "B": 0.0}
    assert nbrank.mean(frame, missing="ignore")["score"].to_dict() == {"A": 0.5, "B": 0.5}
    assert nbrank.mean(frame, levels=1)["score"].to_dict() == pytest.approx(
        {"A": 5 / 6, "B": 1 / 6}
    )
    assert nbrank.pairwise(frame).to_numpy().tolist() == [[0, 5], [1, 0]]
    assert nbrank.pairwise(frame, levels=2).to_numpy().tolist() == [[0, 1], [1, 0]]
    assert nbrank.compared(frame, levels=2).to_numpy().tolist() == [[0, 2], [2, 0]]


@pytest.mark.filterwarnings("ignore:no two systems share an instance")  # in some task alone
@pytest.mark.parametrize("rule", ["condorcet", "copeland", "minimax"])
@settings(max_examples=25)
@given(frame=instance_tables())
def test_majority_rules_at_two_levels_rank_the_tasks_rankings(rule, frame):
    assume(frame.notna().any(axis=None))
    function = RULES[rule].function
    places = {}
    for task in frame.columns:
        part = frame[[task]].dropna()
        if len(part):
            places[task] = -function(part)["rank"].astype(float)
    systems = list(dict.fromkeys(frame.index.get_level_values("system")))
    table = pd.DataFrame(places).reindex(systems)
    expected = function(table)
    pd.testing.assert_frame_equal(function(frame, levels=2), expected, check_names=False)


def test_an_unknown_level_is_refused():
    for rule in (nbrank.borda, nbrank.mean, nbrank.copeland, nbrank.pairwise):
        with pytest.raises(ValueError, match="levels=3 is unknown; choose 1 or 2"):
            rule(GAPS.drop("D").fillna(0), levels=3)


def test_rules_without_levels_pool_the_instances():
    rows = [("A", 1, 1.0), ("A", 2, 2.0), ("B", 1, 0.0), ("B", 2, 3.0)]
    index = pd.MultiIndex.from_tuples([r[:2] for r in rows], names=["system", "instance"])
    frame = pd.DataFrame({"t": [r[2] for r in rows]}, index=index)
    assert nbrank.plurality(frame)["score"].to_dict() == {"A": 1.0, "B": 1.0}


# ------------------------------------------------------------------- corners


def test_median_leaves_a_task_that_nobody_ran():
    scores = GAPS.drop("D")
    found = nbrank.borda(scores.assign(t3=np.nan), missing="median")
    assert found["rank"].to_dict() == nbrank.borda(scores, missing="median")["rank"].to_dict()


def test_bucklin_rewards_nobody_for_skipping_tasks():
    scores = pd.DataFrame(
        {"t1": [9, 8, None], "t2": [9, 8, None], "t3": [8, 9, None], "t4": [8, None, 9]},
        index=["A", "B", "once"],
    )
    found = nbrank.bucklin(scores, missing="ignore")
    assert found["rank"].to_dict() == {"A": 1, "B": 2, "once": 3}
    # On one task of four: never a majority, so after the third and last place.
    assert found.loc["once", "score"] == 0.25 - 4


def test_worst_keeps_the_unscored_as_opponents():
    scores = pd.DataFrame({"x": [3, 2, None, None]}, index=list("ABCD"))
    found = nbrank.copeland(scores, missing="worst")["score"]
    assert found.dropna().to_dict() == {"A": 3.0, "B": 1.0}
    assert found.isna().sum() == 2


@pytest.mark.parametrize(
    "ranked",
    [
        lambda: nbrank.mean(pd.DataFrame([[0.1, 0.2, -0.3], [0, 0, 0]]).add_prefix("t")),
        lambda: nbrank.optimality_gap(pd.DataFrame({"t": [0.1 + 0.2, 0.3]}), 0.1 + 0.2),
        lambda: nbrank.bradley_terry(
            pd.DataFrame({"a": [1, 0], "b": [1, 0], "c": [0, 1.0]}),
            weights={"a": 0.1, "b": 0.2, "c": 0.3},
        ),
    ],
)
def test_rounding_decides_nothing_where_all_scores_are_about_zero(ranked):
    assert ranked()["rank"].tolist() == [1, 1]


def test_an_average_too_large_for_a_float_is_refused():
    scores = pd.DataFrame({"a": [1.7e308, 1.0], "b": [1.7e308, 2.0]}, index=["A", "B"])
    with pytest.raises(ValueError, match="mean: the average of 'A' is too large for a float"):
        nbrank.mean(scores)


@pytest.mark.parametrize("rule", ["bradley_terry", "davidson"])
def test_models_name_a_system_without_a_score(rule):
    with pytest.raises(ValueError, match="never compared: 'D'"):
        RULES[rule].function(GAPS)


def test_thresholds_must_be_numbers():
    for wrong in ("a", [0, 1]):
        with pytest.raises(TypeError, match="gamma must be a number or a mapping"):
            nbrank.optimality_gap(GAPS, wrong)


# ---------------------------------------------------------------------- systems that met no other

LONELY = pd.DataFrame(
    {"t1": [1, 2, None, None], "t2": [None, None, 3, None], "t3": [2, 1, None, None]},
    index=list("ABCD"),
)


def test_the_win_rate_of_a_system_that_met_no_other_is_unknown():
    with pytest.warns(
        NoOpponentsWarning, match=r"mean_win_rate: 'C' has scores, but none on a task"
    ):
        found = nbrank.mean_win_rate(LONELY)
    assert found["rank"].to_dict() == {"A": 1, "B": 1, "C": 3, "D": 3}
    assert found["score"].isna().to_dict() == {"A": False, "B": False, "C": True, "D": True}
    # Where all stand below the scored, it meets them.
    assert nbrank.mean_win_rate(LONELY, missing="worst")["score"].notna().loc[list("ABC")].all()


@pytest.mark.parametrize("missing", ["ignore", "compatible", "median", "worst", "raise"])
def test_a_system_on_its_own_met_no_other(missing):
    alone = pd.DataFrame({"t1": [0.5], "t2": [0.7]}, index=["A"])
    with pytest.warns(NoOpponentsWarning):
        found = nbrank.mean_win_rate(alone, missing=missing)
    assert found["rank"].tolist() == [1]
    assert found["score"].isna().all()
    with pytest.warns(NoOpponentsWarning):
        assert nbrank.winners(alone, ["mean_win_rate"])["mean_win_rate"] == []


def test_systems_that_never_met_have_no_winner():
    apart = pd.DataFrame(np.where(np.eye(3) == 1, [1.0, 2.0, 3.0], np.nan), index=list("ABC"))
    with pytest.warns(NoOpponentsWarning, match="'A', 'B', 'C' have scores"):
        assert nbrank.winners(apart, ["mean_win_rate"])["mean_win_rate"] == []
    rows = pd.MultiIndex.from_tuples([("A", 1), ("B", 2)], names=["system", "instance"])
    with pytest.warns(UserWarning, match="no two systems share"):
        counts = nbrank.tally(pd.DataFrame({"t": [1.0, 0.0]}, rows))
    with pytest.warns(NoOpponentsWarning):
        assert counts.mean_win_rate()["score"].isna().all()


def test_resamples_say_nothing_of_their_own_systems_that_met_no_other():
    scores = LONELY.assign(t4=[1, 2, 3, None])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UnscoredWarning)
        nbrank.bootstrap(scores, "mean_win_rate", n_draws=50, seed=0)
        nbrank.leave_one_out(scores, "mean_win_rate")
