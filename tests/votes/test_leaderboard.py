"""The checked table: what it accepts, and what its errors say."""

import pickle
import re
import weakref

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard

SCORES = pd.DataFrame({"t1": [3.0, 2.0, 1.0], "t2": [1.0, np.nan, 2.0]}, index=["A", "B", "C"])
GROUPED = pd.DataFrame(
    [[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]],
    index=["A", "B"],
    columns=pd.MultiIndex.from_tuples([("math", "sums"), ("math", "proofs"), ("code", "bugs")]),
)


def instance_level(rows):
    index = pd.MultiIndex.from_tuples([row[:2] for row in rows], names=["system", "instance"])
    return pd.DataFrame([row[2:] for row in rows], index=index).rename(
        columns=lambda i: f"t{i + 1}"
    )


# ------------------------------------------------------------------------------ wrong input

WRONG = {
    "words": (
        SCORES.assign(name=["x", "y", "z"]),
        {},
        TypeError,
        "'name' holds something else .*leave out columns that are not scores",
    ),
    "dates": (
        SCORES.assign(day=pd.Timestamp("2024-01-01")),
        {},
        TypeError,
        "'day' holds something else",
    ),
    "complex": (SCORES.assign(c=1j), {}, TypeError, "'c' holds something else"),
    "array": (SCORES.to_numpy(), {}, TypeError, "must be a pandas DataFrame .* not numpy.ndarray"),
    "nothing": (
        None,
        {},
        TypeError,
        "or a Leaderboard, and .* a Tally or Comparisons, not NoneType",
    ),
    "comparisons": (
        nbrank.from_comparisons(
            pd.DataFrame({"one": ["A"], "two": ["B"], "won": ["A"]}),
            left="one",
            right="two",
            winner="won",
        ),
        {},
        TypeError,
        r"this needs scores, and comparisons have none; .* in its dir\(\)",
    ),
    "duplicate systems": (
        SCORES.rename(index={"B": "A"}),
        {},
        ValueError,
        "duplicate systems: 'A'; rename them, .* if each row is an instance, .* nbrank.from_long",
    ),
    "duplicate tasks": (
        SCORES.set_axis(["t1", "t1"], axis=1),
        {},
        ValueError,
        "duplicate tasks: 't1'; rename them",
    ),
    "nameless system": (
        SCORES.rename(index={"B": np.nan}),
        {},
        ValueError,
        r"a system has no name \(NaN\)",
    ),
    "no rows": (SCORES.iloc[:0], {}, ValueError, "no systems; give one row for each system"),
    "no columns": (SCORES[[]], {}, ValueError, "no tasks; give one column for each task"),
    "a ranking": (
        pd.DataFrame({"rank": [1, 2], "score": [3.0, 1.0]}),
        {},
        ValueError,
        "this is a ranking .* and scores are wanted",
    ),
    "ranks and their spread": (
        pd.DataFrame({"rank": [1, 2], "low": [1, 1], "high": [2, 2], "p_best": [0.7, 0.3]}),
        {},
        ValueError,
        "this is a ranking .*'p_best'.* and scores are wanted",
    ),
    "a group where lower is better": (
        SCORES,
        {"groups": {"own": [*SCORES.columns]}, "lower_is_better": ["own"]},
        ValueError,
        "unknown 'own'; .*; a group is named by its tasks",
    ),
    "long doubles": (
        SCORES.astype({"t1": np.longdouble}),
        {},
        TypeError,
        "'t1' holds long doubles",
    ),
    "huge integers": (
        pd.DataFrame({"t": [2**53 + 1, 2**53]}),
        {},
        ValueError,
        r"'t' holds integers from 2 \*\* 53 on",
    ),
    "unknown task in weights": (
        SCORES,
        {"weights": {"t3": 1}},
        ValueError,
        "weights: unknown 't3'; tasks: 't1', 't2'",
    ),
    "unknown task beside groups": (
        GROUPED,
        {"weights": {"art": 1}},
        ValueError,
        "weights: unknown 'art'; tasks: .*; groups: 'math', 'code'",
    ),
    "negative weight": (
        SCORES,
        {"weights": {"t1": -1}},
        ValueError,
        r"weights\['t1'\] is -1; a weight must be finite and not below 0",
    ),
    "NaN weight": (SCORES, {"weights": {"t1": np.nan}}, ValueError, r"weights\['t1'\] is nan"),
    "word as weight": (SCORES, {"weights": {"t1": "2"}}, TypeError, r"weights\['t1'\] must be a"),
    "all weights zero": (
        SCORES,
        {"weights": {"t1": 0, "t2": 0}},
        ValueError,
        "weights are all zero",
    ),
    "weights as a list": (SCORES, {"weights": [1, 2]}, TypeError, "must be a mapping from task"),
    "unknown word for weights": (
        SCORES,
        {"weights": "equal"},
        ValueError,
        "must be a mapping or 'balanced', not 'equal'",
    ),
    "balanced without groups": (
        SCORES,
        {"weights": "balanced"},
        ValueError,
        "weights='balanced' needs groups",
    ),
    "one group left out": (
        GROUPED,
        {"weights": {"math": 2}},
        ValueError,
        "weights are given for groups, but not for 'code'",
    ),
    "task weighted twice": (
        GROUPED,
        {"weights": {"math": 2, "sums": 1, "code": 1}},
        ValueError,
        "'sums'.* is weighted twice, by 'math' and by 'sums'",
    ),
    "groups overlap": (
        SCORES,
        {"groups": {"g": ["t1", "t2"], "h": ["t2"]}},
        ValueError,
        "'t2' is in the groups 'g' and 'h'; groups must be disjoint",
    ),
    "groups don't cover": (
        SCORES,
        {"groups": {"g": ["t1"]}},
        ValueError,
        "'t2' is in no group; groups must cover all tasks",
    ),
    "unknown task in groups": (
        SCORES,
        {"groups": {"g": ["t1", "t9"]}},
        ValueError,
        r"groups\['g'\]: unknown 't9'",
    ),
    "group as a string": (SCORES, {"groups": {"g": "t1"}}, TypeError, "give a list of tasks"),
    "empty group": (
        SCORES,
        {"groups": {"g": ["t1", "t2"], "h": []}},
        ValueError,
        r"groups\['h'\] has no task",
    ),
    "groups as a list": (SCORES, {"groups": ["t1"]}, TypeError, "groups must be a mapping"),
    "unknown task in lower_is_better": (
        SCORES,
        {"lower_is_better": ["t9"]},
        ValueError,
        "lower_is_better: unknown 't9'; tasks: 't1', 't2'",
    ),
    "duplicate instance": (
        instance_level([("A", 1, 0.5), ("A", 1, 0.7), ("B", 1, 0.1)]),
        {},
        ValueError,
        r"duplicate rows \(system, instance\): \('A', 1\)",
    ),
    "nameless instance": (
        instance_level([("A", np.nan, 0.5), ("B", 1, 0.1)]),
        {},
        ValueError,
        "a row has no system or no instance",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_refused_by_name(case):
    scores, options, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        Leaderboard(scores, **options)


@pytest.mark.parametrize("case", ["duplicate systems", "a ranking", "unknown task in weights"])
def test_every_rule_refuses_it_the_same_way(case):
    scores, options, error, message = WRONG[case]
    for name, rule in nbrank.RULES.items():
        if rule.supports(nbrank.Leaderboard.provides) and not rule.arguments:
            with pytest.raises(error, match=message):
                rule.function(scores, **options)
            assert name


def test_options_are_refused_beside_a_leaderboard():
    board = Leaderboard(SCORES)
    with pytest.raises(TypeError, match="weights, lower_is_better can't be given together with"):
        nbrank.borda(board, weights={"t1": 2, "t2": 1}, lower_is_better=["t1"])
    assert nbrank.borda(board)["score"].tolist() == nbrank.borda(SCORES)["score"].tolist()


REFUSALS = pd.DataFrame(
    {"Refusals": [5.0, 1.0, 3.0], "math": [3.0, 1.0, 2.0], "code": [3.0, 2.0, 1.0]}, list("ABC")
)


def advice_of(call):
    """The call after the last sentence's first verb, of an error about options."""
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return re.search(r"(board\.with_|nbrank\.)[^;]*\)+", str(caught.value))[0]


@pytest.mark.parametrize(
    "options",
    [
        {"weights": {"Refusals": 9, "math": 1, "code": 1}},
        {"groups": {"safety": ["Refusals"], "skill": ["math", "code"]}},
        {"weights": "balanced", "groups": {"safety": ["Refusals"], "skill": ["math", "code"]}},
        {"lower_is_better": ["Refusals", "code"]},
        {"weights": {"Refusals": 2, "math": 1, "code": 1}, "lower_is_better": ["Refusals"]},
    ],
)
@pytest.mark.parametrize("read", [True, False])
def test_the_call_named_beside_refused_options_keeps_what_the_board_knows(options, read):
    named = REFUSALS.rename_axis("model").reset_index()
    board = (
        nbrank.read(named, roles={"Refusals": "lower"})
        if read
        else Leaderboard(REFUSALS, lower_is_better=["Refusals"])
    )
    call = advice_of(lambda: nbrank.borda(board, **options)).replace("...", "named")
    made = eval(call, {"nbrank": nbrank, "board": board, "named": named, **options})
    expected = nbrank.borda(REFUSALS, **{"lower_is_better": ["Refusals"]} | options)
    assert made.borda()["score"].to_dict() == expected["score"].to_dict()
    assert (made.groups is None) == ("groups" not in options)


@pytest.mark.parametrize(
    "ask",
    [
        lambda board: board.two_step("borda"),
        lambda board: board.weight_map(),
        lambda board: board.with_weights("balanced"),
        lambda board: board.leave_one_out("borda", whole_groups=True),
        lambda board: board.cherry_pick("borda", whole_groups=True),
        lambda board: board.rank_confidence("borda", draws="groups"),
    ],
)
def test_what_needs_groups_names_a_call_that_works_on_a_board(ask):
    board = Leaderboard(REFUSALS, lower_is_better=["Refusals"])
    call = advice_of(lambda: ask(board))
    groups = {"a": ["Refusals"], "b": ["math"], "c": ["code"]}
    made = eval(call.replace("{group: [tasks]}", "groups"), {"board": board, "groups": groups})
    assert made.lower_is_better == ("Refusals",)
    ask(made)


def test_other_groups_keep_weights_runs_and_voters():
    rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    runs = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [2.0, 1, 1, 0]}, rows)
    board = Leaderboard(runs, weights={"x": 2, "y": 1}).with_groups({"g": ["x", "y"]})
    assert board.groups == {"g": ("x", "y")}
    assert board.weights.tolist() == [2, 1]
    assert board.replicates is not None
    assert board.with_groups(None).groups is None
    with pytest.raises(ValueError, match="unknown 'z'"):
        board.with_groups({"g": ["z"]})


def test_other_directions_keep_voters_and_runs():
    ballots = nbrank.from_ballots([["A", "B", "C"], ["B", "C", "A"]], counts=[30, 20])
    with pytest.raises(TypeError, match=r"take board.with_lower_is_better\(lower_is_better\)"):
        nbrank.borda(ballots, lower_is_better=True)
    turned = ballots.with_lower_is_better(True)
    assert turned.voter_counts.tolist() == [30, 20]
    assert turned.is_lower_better.all()
    assert nbrank.borda(turned)["score"].to_dict() != nbrank.borda(ballots)["score"].to_dict()


def test_a_mean_refuses_infinite_scores_by_name():
    scores = SCORES.fillna(np.inf)
    for rule in (nbrank.mean, nbrank.geometric_mean, nbrank.harmonic_mean, nbrank.median):
        with pytest.raises(ValueError, match="1 infinite score, of 'B' on 't2'; .* such as borda"):
            rule(scores)
    assert nbrank.borda(scores)["score"].to_dict() == {"A": 2.0, "B": 3.0, "C": 1.0}


# ------------------------------------------------------------------------------ what it holds


def test_it_is_immutable():
    board = Leaderboard(SCORES)
    with pytest.raises(AttributeError):
        board.weights = np.ones(2)
    with pytest.raises(ValueError, match="read-only"):
        board.values[0, 0] = 5
    scores = board.scores
    scores.loc["A", "t1"] = 99
    assert board.values[0, 0] == 3.0


@pytest.mark.parametrize("name", ["values", "weights", "is_lower_better", "task_codes", "groups"])
def test_no_part_of_it_can_be_written_to_not_even_after_a_pickle(name):
    for board in (Leaderboard(GROUPED), pickle.loads(pickle.dumps(Leaderboard(GROUPED)))):
        part = getattr(board.select_tasks(["sums", "bugs"]), name)
        with pytest.raises((ValueError, TypeError), match="read-only|does not support item"):
            part["math" if name == "groups" else 0] = 0


@pytest.mark.parametrize("nothing", [(), [], False, None, pd.Index([])])
def test_saying_nothing_of_the_orientation_is_no_option(nothing):
    assert not Leaderboard(SCORES, lower_is_better=nothing).is_lower_better.any()
    assert len(nbrank.borda(Leaderboard(SCORES), lower_is_better=nothing)) == 3


@pytest.mark.parametrize("given", [pd.Index(["t1"]), np.array(["t1", "t2"]), True, "t1"])
def test_any_orientation_is_refused_beside_a_leaderboard(given):
    with pytest.raises(
        TypeError, match="lower_is_better can't be given together with a Leaderboard"
    ):
        nbrank.borda(Leaderboard(SCORES), lower_is_better=given)


def test_it_does_not_see_later_changes_of_the_frame():
    scores = SCORES.copy()
    board = Leaderboard(scores)
    scores.loc["A", "t1"] = 99
    assert board.values[0, 0] == 3.0


def test_it_can_be_pickled():
    board = Leaderboard(GROUPED, weights="balanced", lower_is_better=["bugs"])
    again = pickle.loads(pickle.dumps(board))
    assert repr(again) == repr(board)
    pd.testing.assert_frame_equal(again.scores, board.scores)


def test_weights_default_to_one_and_may_be_zero():
    assert Leaderboard(SCORES, weights={"t2": 0}).weights.tolist() == [1.0, 0.0]


def test_group_weights_are_shared_by_the_groups_tasks():
    assert Leaderboard(GROUPED, weights={"math": 2, "code": 3}).weights.tolist() == [1, 1, 3]
    assert Leaderboard(GROUPED, weights="balanced").weights.tolist() == [0.5, 0.5, 1.0]


def test_columns_give_groups_and_bare_names():
    board = Leaderboard(GROUPED, weights={"sums": 3}, lower_is_better=["bugs", ("math", "proofs")])
    assert board.groups == {
        "math": (("math", "sums"), ("math", "proofs")),
        "code": (("code", "bugs"),),
    }
    assert board.weights.tolist() == [3, 1, 1]
    assert board.lower_is_better == (("math", "proofs"), ("code", "bugs"))


def test_lower_is_better_for_all_for_one_for_none():
    assert Leaderboard(SCORES, lower_is_better=True).is_lower_better.tolist() == [True, True]
    assert Leaderboard(SCORES, lower_is_better="t2").is_lower_better.tolist() == [False, True]
    assert Leaderboard(SCORES, lower_is_better=False).is_lower_better.tolist() == [False, False]


def test_lower_is_better_equals_negated_scores():
    flipped = SCORES.assign(t2=-SCORES["t2"])
    for rule in (nbrank.borda, nbrank.copeland, nbrank.baldwin):
        pd.testing.assert_frame_equal(rule(SCORES, lower_is_better=["t2"]), rule(flipped))


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float32", "int8", "bool", "boolean"])
def test_numbers_of_any_dtype_will_do(dtype):
    scores = pd.DataFrame({"t1": [1, 0], "t2": [0, 1], "t3": [1, 0]}, index=["A", "B"])
    assert nbrank.borda(scores.astype(dtype))["score"].to_dict() == {"A": 2.0, "B": 1.0}


def test_a_missing_value_of_a_nullable_dtype_is_missing():
    scores = pd.DataFrame({"t": pd.array([3, None, 1], dtype="Int64")}, index=list("ABC"))
    assert np.isnan(Leaderboard(scores).values[1, 0])


def test_systems_may_be_tuples_of_a_multiindex():
    index = pd.MultiIndex.from_tuples([("A", 7), ("B", 7)], names=["model", "size"])
    ranked = nbrank.borda(pd.DataFrame({"t": [1, 2]}, index=index))
    assert list(ranked.index) == [("B", 7), ("A", 7)]
    assert ranked.index.names == ["model", "size"]


def test_a_weightless_task_plays_no_part():
    alone = nbrank.borda(SCORES[["t1"]])
    pd.testing.assert_frame_equal(nbrank.borda(SCORES, weights={"t2": 0}), alone)
    assert nbrank.mean(SCORES, weights={"t2": 0})["rank"].tolist() == [1, 2, 3]


# ------------------------------------------------------------------------------ parts of it


def test_with_tasks_keeps_weights_groups_and_orientation():
    board = Leaderboard(GROUPED, weights={"sums": 5}, lower_is_better=["bugs"])
    part = board.select_tasks(["bugs", "sums"])
    assert list(part.tasks) == [("code", "bugs"), ("math", "sums")]
    assert part.weights.tolist() == [1.0, 5.0]
    assert part.is_lower_better.tolist() == [True, False]
    assert part.groups == {"math": (("math", "sums"),), "code": (("code", "bugs"),)}
    with pytest.raises(ValueError, match="'sums'.* given more than once"):
        board.select_tasks(["sums", "sums"])


def test_with_systems_keeps_the_rest():
    part = Leaderboard(SCORES, weights={"t1": 2}).select_systems(["C", "A"])
    assert list(part.systems) == ["C", "A"]
    assert part.values[0].tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="unknown systems: 'Z'; known: 'A', 'B', 'C'"):
        Leaderboard(SCORES).select_systems(["Z"])


def test_with_weights_and_with_values():
    board = Leaderboard(SCORES)
    assert board.with_weights({"t2": 3}).weights.tolist() == [1.0, 3.0]
    assert board.with_task_weights(np.array([0, 2])).weights.tolist() == [0.0, 2.0]
    for wrong in ([1.0], [0.0, 0.0], [-1.0, 2.0], [np.nan, 1.0]):
        with pytest.raises(ValueError, match="weights by position are 2 numbers"):
            board.with_task_weights(np.array(wrong))
    assert board.with_values(np.zeros((3, 2))).values.sum() == 0
    with pytest.raises(ValueError, match=r"shape \(1, 2\), not \(3, 2\)"):
        board.with_values(np.zeros((1, 2)))


# ------------------------------------------------------------------------------ instance level

ROWS = [
    ("A", "i1", 1.0, np.nan),
    ("A", "i2", 0.0, np.nan),
    ("A", "j1", np.nan, 5.0),
    ("B", "i1", 0.0, np.nan),
    ("B", "i2", np.nan, np.nan),
    ("B", "j1", np.nan, 7.0),
    ("B", "k", np.nan, np.nan),
]


def test_instances_become_columns_of_the_tasks_they_belong_to():
    board = Leaderboard(instance_level(ROWS), weights={"t1": 2})
    assert board.is_instance_level
    assert list(board.instances) == ["i1", "i2", "j1"]
    assert board.task_codes.tolist() == [0, 0, 1]
    np.testing.assert_array_equal(board.values, [[1, 0, 5], [0, np.nan, 7]])
    assert board.profile().weights.tolist() == [2, 2, 1]


def test_the_order_of_levels_and_rows_does_not_matter():
    frame = instance_level(ROWS)
    swapped = frame.swaplevel().sample(frac=1, random_state=0)
    assert nbrank.borda(swapped)["score"].to_dict() == nbrank.borda(frame)["score"].to_dict()


def test_scores_come_back_as_they_went_in():
    frame = instance_level(ROWS).dropna(how="all")
    pd.testing.assert_frame_equal(Leaderboard(frame).scores, frame)


def test_float32_scores_stay_float32():
    assert Leaderboard(instance_level(ROWS).astype("float32")).values.dtype == np.float32


def test_it_says_its_size_in_the_singular_and_with_thousands_apart():
    assert repr(Leaderboard(pd.DataFrame({"t": [1]}))) == "Leaderboard: 1 system x 1 task"
    many = repr(Leaderboard(pd.DataFrame(np.zeros((1200, 2)))))
    assert many == "Leaderboard: 1,200 systems x 2 tasks"


def test_a_leaderboard_of_a_leaderboard_is_refused():
    with pytest.raises(TypeError, match="this is a Leaderboard already; .*board.with_weights"):
        Leaderboard(Leaderboard(SCORES))


def test_a_task_that_is_nearly_called_so_is_offered():
    with pytest.raises(ValueError, match=r"unknown 'arguana' \(did you mean 'ArguAna'\?\)"):
        Leaderboard(pd.DataFrame([[1.0, 2]], columns=["ArguAna", "b"]), weights={"arguana": 2})


def test_its_scores_are_let_go_with_it():
    board = Leaderboard(SCORES)
    gone = weakref.ref(board)
    board.mean(missing="ignore")
    del board
    assert gone() is None


def test_a_bare_name_of_several_tasks_turns_all_of_them():
    names = [("a", "rmse"), ("a", "acc"), ("b", "rmse"), ("b", "acc")]
    scores = pd.DataFrame(
        [[1, 2, 3, 4], [2, 1, 4, 3]], list("AB"), pd.MultiIndex.from_tuples(names)
    )
    for lower in ("rmse", ["rmse"], {"rmse": True, "acc": False}):
        board = nbrank.Leaderboard(scores, lower_is_better=lower)
        assert board.lower_is_better == (("a", "rmse"), ("b", "rmse"))


def test_it_has_the_attributes_that_its_docstring_lists():
    listed = Leaderboard.__doc__.partition("Attributes\n")[2].partition("Raises\n")[0]
    names = re.findall(r"^ *(\w+(?:, \w+)*) : ", listed, re.MULTILINE)
    board = Leaderboard(SCORES)
    assert len(names) > 10
    assert not [name for line in names for name in line.split(", ") if not hasattr(board, name)]
