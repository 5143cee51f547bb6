"""Under which weights would a system win: labels, conditions, who is compared, and the refusals."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.optimize import linprog, minimize

import nbrank
from nbrank.datasets import load_glue, load_llm_chat, load_superglue, load_value
from nbrank.robustness.winning_weights import condorcet_weights, find_nearest_weights
from nbrank.rules.majority import condorcet
from nbrank.votes.leaderboard import Leaderboard

# C is second on both tasks, D nowhere above A.
SCORES = pd.DataFrame({"maths": [3, 1, 2, 2], "code": [1, 3, 2, 1]}, index=["A", "B", "C", "D"])

# The toy leaderboard of the Vote'n'Rank paper (table 6), places negated.
TOY = pd.DataFrame(
    {
        "task 1": [-1, -2, -3, -4],
        "task 2": [-1, -4, -2, -3],
        "task 3": [-4, -1, -3, -2],
        "task 4": [-4, -2, -1, -3],
        "task 5": [-4, -2, -3, -1],
    },
    index=["m_A", "m_B", "m_C", "m_D"],
)


def boards(most_systems: int = 5, most_tasks: int = 3) -> st.SearchStrategy[pd.DataFrame]:
    """Small tables with ties and missing cells."""
    shapes = st.tuples(st.integers(1, most_systems), st.integers(1, most_tasks))
    cells = shapes.flatmap(
        lambda shape: hnp.arrays(float, shape, elements=st.sampled_from([0, 1, 2, np.nan]))
    )
    return cells.map(
        lambda values: pd.DataFrame(
            values,
            index=[f"s{i}" for i in range(values.shape[0])],
            columns=[f"t{i}" for i in range(values.shape[1])],
        )
    )


def quietly(scores: pd.DataFrame, *args: object, **options: object) -> pd.DataFrame:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "left out as opponents", UserWarning)
        warnings.simplefilter("ignore", nbrank.LeaderboardWarning)  # of tables drawn by chance
        return condorcet_weights(scores, *args, **options)


def signs_by_hand(scores: pd.DataFrame, system: str) -> np.ndarray:
    """On each task 1, 0 or -1 against each opponent with a common task, cell by cell."""
    rows = []
    for other in scores.index.drop(system):
        pairs = list(zip(scores.loc[system], scores.loc[other], strict=True))
        if any(own == own and theirs == theirs for own, theirs in pairs):
            rows.append([float(own > theirs) - float(own < theirs) for own, theirs in pairs])
    return np.array(rows).reshape(-1, scores.shape[1])


# ---------------------------------------------------------------------------------------- the frame


def test_one_row_for_each_system_in_table_order():
    found = condorcet_weights(SCORES)
    assert found.index.tolist() == ["A", "B", "C", "D"]
    assert found.columns.tolist() == ["prospective", "strict", "margin", "maths", "code"]
    assert found.dtypes.astype(str).tolist() == ["bool", "bool", "float64", "float64", "float64"]


def test_a_tie_is_prospective_and_not_strict():
    found = condorcet_weights(SCORES)
    assert found["prospective"].tolist() == [True, True, True, False]
    assert found["strict"].tolist() == [True, True, False, False]
    assert found["margin"].tolist() == pytest.approx([1, 1, 0, -0.5])
    assert found[["maths", "code"]].to_numpy().tolist() == [
        pytest.approx(row) for row in ([1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5])
    ]


def test_two_systems_alike_can_only_tie():
    found = condorcet_weights(pd.DataFrame({"x": [2, 2], "y": [1, 1]}, index=["A", "B"]))
    assert found["margin"].tolist() == [0, 0]
    assert found["prospective"].all()
    assert not found["strict"].any()


@pytest.mark.parametrize("system", ["A", "C", "D"])
def test_one_system_is_its_row(system):
    row = condorcet_weights(SCORES, system)
    pd.testing.assert_series_equal(row, condorcet_weights(SCORES).loc[system])
    assert row.name == system


def test_a_leaderboard_gives_the_same_as_its_frame():
    board = Leaderboard(SCORES, weights={"maths": 3})
    pd.testing.assert_frame_equal(condorcet_weights(board), condorcet_weights(SCORES))


def test_the_weights_of_the_board_are_not_used_and_weight_0_may_carry_weight():
    weighed = condorcet_weights(SCORES, weights={"maths": 0, "code": 5})
    pd.testing.assert_frame_equal(weighed, condorcet_weights(SCORES))
    assert weighed.loc["A", "maths"] == 1


def test_lower_is_better():
    turned = SCORES.assign(maths=-SCORES["maths"])
    pd.testing.assert_frame_equal(
        condorcet_weights(turned, lower_is_better=["maths"]), condorcet_weights(SCORES)
    )


def test_grouped_columns_keep_their_tuples():
    grouped = SCORES.set_axis(
        pd.MultiIndex.from_tuples([("hard", "maths"), ("soft", "code")]), axis="columns"
    )
    found = condorcet_weights(grouped)
    assert list(found.columns[3:]) == [("hard", "maths"), ("soft", "code")]
    assert found.loc["A", "margin"] == 1
    assert found[("hard", "maths")].tolist() == pytest.approx([1, 0, 0.5, 0.5])


def test_systems_may_be_tuples():
    index = pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("y", 1), ("y", 2)])
    found = condorcet_weights(SCORES.set_axis(index), ("y", 1))
    assert found.name == ("y", 1)
    assert found["margin"] == pytest.approx(0)


def test_the_toy_example_of_the_paper():
    # Each system is first somewhere: with all weight there it wins.
    found = condorcet_weights(TOY)
    assert found["strict"].all()
    assert found["margin"].tolist() == pytest.approx([1, 1, 1, 1])
    assert found.loc["m_A"].iloc[3:].tolist() == pytest.approx([0.5, 0.5, 0, 0, 0])
    # m_B has a majority against each. Adding up what m_D needs against m_B and m_C, task 5 has to
    # weigh as much as tasks 1 and 4, which is out of reach where no task may weigh over 0.22.
    capped = condorcet_weights(TOY, bounds=dict.fromkeys(TOY, (0, 0.22)))
    assert capped.loc["m_B", "strict"]
    assert not capped.loc["m_D", "prospective"]


# ---------------------------------------------------------------------------------- who is compared


def test_opponents_that_share_no_task_are_left_out_and_named():
    scores = pd.DataFrame(
        {"x": [2, 1, np.nan], "y": [np.nan, 1, 2]}, index=["only x", "both", "only y"]
    )
    with pytest.warns(UserWarning, match=r"left out.*'only y' \(for 'only x'\).*'only x' \(for"):
        found = condorcet_weights(scores)
    assert found.loc["only x", "strict"]
    assert found.loc["only x", ["x", "y"]].tolist() == pytest.approx([1, 0])
    with pytest.warns(UserWarning, match="'only y'"):
        condorcet_weights(scores, "only x")
    condorcet_weights(scores, "both")


def test_one_warning_groups_the_systems_that_miss_the_same_opponents():
    values = np.full((60, 2), np.nan)
    values[:30, 0] = np.arange(30)
    values[30:, 1] = np.arange(30)
    with pytest.warns(UserWarning, match="left out") as caught:
        condorcet_weights(pd.DataFrame(values, columns=["x", "y"]))
    assert len(caught) == 1
    assert str(caught[0].message).count("(for ") == 2
    assert len(str(caught[0].message)) < 500


def test_a_system_with_no_score_is_neither_and_no_opponent():
    scores = pd.concat([SCORES, pd.DataFrame(np.nan, ["E"], SCORES.columns)])
    with pytest.warns(UserWarning, match=r"'E' \(no score at all\)"):
        found = condorcet_weights(scores)
    assert not found.loc["E", ["prospective", "strict"]].any()
    assert found.loc["E"].iloc[2:].isna().all()
    pd.testing.assert_frame_equal(found.drop(index="E"), condorcet_weights(SCORES))


def test_a_system_with_no_score_asked_for_alone():
    scores = pd.concat([SCORES, pd.DataFrame(np.nan, ["E"], SCORES.columns)])
    found = condorcet_weights(scores, "E")
    assert not found["prospective"]
    assert np.isnan(found["margin"])


def test_a_missing_score_counts_nothing_for_that_pair():
    scores = pd.DataFrame({"x": [1.0, 2.0], "y": [1.0, np.nan]}, index=["A", "B"])
    found = condorcet_weights(scores)
    # A is below B on x, and y decides nothing between them: all weight on y is a tie.
    assert found.loc["A"].tolist() == [True, False, 0.0, 0.0, 1.0]


def test_without_an_opponent_every_weight_will_do():
    found = condorcet_weights(SCORES.loc[["D"]])
    assert found.loc["D"].tolist() == [True, True, 1.0, 0.5, 0.5]


def test_each_instance_has_the_weight_of_its_task():
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2, 3]], names=["system", "instance"])
    scores = pd.DataFrame(
        {"x": [1, 1, 1, 0, 0, 2], "y": [0, np.nan, np.nan, 1, np.nan, np.nan]}, index=index
    )
    # A is ahead by one instance of x (of three), behind by the only one of y.
    found = condorcet_weights(scores)
    assert found.loc["A"].tolist() == pytest.approx([1, 1, 1 / 3, 1, 0])
    # Tied where 1/3 wx = 1/3 wy.
    tied = condorcet_weights(scores, "A", minimize="x")
    assert tied[["x", "y"]].tolist() == pytest.approx([0.5, 0.5])


# --------------------------------------------------------------------------------------- conditions

GROUPS = {"STEM": ["maths", "code"], "language": ["essay"]}
GROUPED = SCORES.assign(essay=[1, 1, 1, 2])


def test_bounds_on_a_task():
    # The margin of A is maths - code.
    found = condorcet_weights(SCORES, "A", bounds={"maths": (0, 0.6)})
    assert found[["margin", "maths", "code"]].tolist() == pytest.approx([0.2, 0.6, 0.4])
    exact = condorcet_weights(SCORES, bounds={"maths": (0.25, 0.25)})
    assert exact["maths"].tolist() == pytest.approx([0.25] * 4)


def test_bounds_on_a_group_hold_for_its_total():
    found = condorcet_weights(GROUPED, "D", groups=GROUPS, bounds={"language": (0, 0.5)})
    # D wins the essay, ties with A on code, with C on maths, and loses half a point elsewhere.
    assert found["essay"] == pytest.approx(0.5)
    assert found["maths"] + found["code"] == pytest.approx(0.5)
    assert found["margin"] == pytest.approx(0.25)


def test_a_group_that_holds_one_task_of_its_own_name():
    groups = {"maths": ["maths"], "rest": ["code", "essay"]}
    found = condorcet_weights(GROUPED, groups=groups, bounds={"maths": (0.5, 1)})
    assert (found["maths"] >= 0.5 - 1e-12).all()


def test_at_least_orders_tasks_groups_and_lists():
    assert condorcet_weights(SCORES, "A", at_least=[("code", "maths")])["margin"] == 0
    for pair in ((["code", "essay"], "maths"), (("code", "essay"), ["maths"])):
        found = condorcet_weights(GROUPED, "A", at_least=[pair])
        assert found["code"] + found["essay"] >= found["maths"] - 1e-12
    found = condorcet_weights(GROUPED, "A", groups=GROUPS, at_least=[("language", "STEM")])
    assert found["essay"] == pytest.approx(0.5)


def test_a_tuple_that_is_a_task_is_that_task():
    grouped = SCORES.set_axis(
        pd.MultiIndex.from_tuples([("g", "maths"), ("g", "code")]), axis="columns"
    )
    found = condorcet_weights(grouped, "A", at_least=[(("g", "code"), "maths")])
    assert found[("g", "code")] == pytest.approx(0.5)


def test_maximize_and_minimize_stop_at_a_margin_of_0():
    found = condorcet_weights(SCORES, maximize="code")
    assert found.loc["A"].tolist() == pytest.approx([1, 0, 0, 0.5, 0.5])
    assert found.loc["B"].tolist() == pytest.approx([1, 1, 1, 0, 1])
    # D can't win, so there is nothing to push.
    assert not found.loc["D", "prospective"]
    assert found.loc["D"].iloc[2:].isna().all()
    pd.testing.assert_frame_equal(found, condorcet_weights(SCORES, minimize=["maths"]))


def test_maximize_and_minimize_together_push_the_difference():
    found = condorcet_weights(GROUPED, "A", maximize="essay", minimize="code")
    # A loses the essay to D, which maths has to outweigh.
    assert found[["maths", "code", "essay"]].tolist() == pytest.approx([0.5, 0, 0.5])


def test_a_group_is_pushed_as_a_whole():
    found = condorcet_weights(GROUPED, "A", groups=GROUPS, minimize="STEM")
    assert found["maths"] + found["code"] == pytest.approx(0.5)


def test_beats_has_to_hold_as_well():
    # For B to be no worse than A, code must weigh no less than maths.
    found = condorcet_weights(SCORES, "A", beats=[("B", "A")])
    assert found[["margin", "maths", "code"]].tolist() == pytest.approx([0, 0.5, 0.5])
    assert found["prospective"]
    assert not found["strict"]


def test_conditions_meet_at_once():
    found = condorcet_weights(
        GROUPED,
        groups=GROUPS,
        bounds={"STEM": (0.5, 0.9), "code": (0.1, 1)},
        at_least=[("maths", "essay")],
        beats=[("C", "D")],
    )
    weights = found[["maths", "code", "essay"]]
    assert weights.sum(axis=1).tolist() == pytest.approx([1] * 4)
    stem = weights["maths"] + weights["code"]
    assert stem.between(0.5 - 1e-9, 0.9 + 1e-9).all()
    assert (weights["code"] >= 0.1 - 1e-9).all()
    assert (weights["maths"] >= weights["essay"] - 1e-9).all()
    assert (weights["code"] >= weights["essay"] - 1e-9).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"bounds": {"maths": (0.6, 1), "code": (0.6, 1), "essay": (0, 0.9)}},
            "bounds can't all hold.*: 'maths' at least 0.6, 'code' at least 0.6; loosen one",
        ),
        (
            {"bounds": {"maths": (0, 0.3), "code": (0, 0.3), "essay": (0, 0.3)}},
            "'maths' at most 0.3, 'code' at most 0.3, 'essay' at most 0.3;",
        ),
        (
            {"bounds": {"STEM": (0.5, 1), "maths": (0, 0.2), "code": (0, 0.2)}},
            "'STEM' at least 0.5, 'maths' at most 0.2, 'code' at most 0.2;",
        ),
        (
            {"bounds": {"STEM": (0, 0.5), "maths": (0.3, 1), "code": (0.4, 1)}},
            "'STEM' at most 0.5, 'maths' at least 0.3, 'code' at least 0.4;",
        ),
        ({"bounds": {"STEM": (0.6, 1), "essay": (0.5, 1)}}, "'STEM' at least 0.6, 'essay' at"),
        ({"bounds": {"STEM": (0, 0.4), "essay": (0, 0.5)}}, "'STEM' at most 0.4, 'essay' at"),
        (
            {"bounds": {"maths": (0.6, 1)}, "at_least": [("code", "maths")]},
            "bounds and at_least can't all hold",
        ),
        (
            {"beats": [("A", "B"), ("B", "A")], "bounds": {"essay": (0, 0), "maths": (0.6, 1)}},
            "and",
        ),
        ({"beats": [("A", "D")], "bounds": {"essay": (0.9, 1)}}, "bounds and beats can't all hold"),
        (
            {"at_least": [("maths", "STEM"), ("code", "STEM"), ("STEM", "essay")]},
            "at_least can't all hold",
        ),
    ],
)
def test_conditions_that_no_weights_meet_give_nan_and_say_which(options, message):
    with pytest.warns(UserWarning, match=message):
        found = condorcet_weights(GROUPED, groups=GROUPS, **options)
    assert not found[["prospective", "strict"]].any(axis=None)
    assert found[["margin", "maths", "code", "essay"]].isna().all(axis=None)


# -------------------------------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"system": "Z"}, ValueError, "system: unknown 'Z'; systems: 'A', 'B', 'C', 'D'"),
        ({"beats": [("A", "Z")]}, ValueError, "beats: unknown 'Z'"),
        ({"beats": [("A", "A")]}, ValueError, "'A' can't beat itself"),
        ({"beats": ("A", "B")}, TypeError, r"beats must be a list of pairs.*\('A', 'B'\)"),
        ({"beats": "AB"}, TypeError, "beats must be a list of pairs"),
        ({"beats": {"A": "B"}}, TypeError, "beats must be a list of pairs"),
        ({"at_least": 3}, TypeError, "at_least must be a list of pairs"),
        ({"at_least": [("maths", "chess")]}, ValueError, "at_least: unknown 'chess'; tasks: "),
        ({"at_least": [("maths", [])]}, ValueError, "at_least: an empty list"),
        ({"maximize": "chess"}, ValueError, "maximize: unknown 'chess'"),
        ({"minimize": ["maths", "chess"]}, ValueError, "minimize: unknown 'chess'"),
        ({"minimize": []}, ValueError, "minimize: an empty list"),
        (
            {"maximize": "maths", "minimize": ["code", "maths"]},
            ValueError,
            "'maths' can't be maximized and minimized",
        ),
        ({"bounds": {"chess": (0, 1)}}, ValueError, "bounds: unknown 'chess'"),
        ({"bounds": [("maths", 0, 1)]}, TypeError, "bounds must be a mapping.*not list"),
        ({"bounds": {"maths": 0.5}}, TypeError, r"bounds\['maths'\] must be a pair.*0.5"),
        ({"bounds": {"maths": (0, 0.5, 1)}}, TypeError, r"bounds\['maths'\] must be a pair"),
        ({"bounds": {"maths": ("a", 1)}}, TypeError, r"bounds\['maths'\] must be a pair"),
        ({"bounds": {"maths": (np.nan, 1)}}, ValueError, r"bounds\['maths'\] is \(nan, 1\)"),
        ({"bounds": {"maths": (0.7, 0.2)}}, ValueError, r"bounds\['maths'\].*above the upper"),
        ({"bounds": {"maths": (1.5, 2)}}, ValueError, r"bounds\['maths'\].*between 0 and 1"),
        ({"bounds": {"maths": (-2, -1)}}, ValueError, r"bounds\['maths'\].*between 0 and 1"),
        ({"weights": {"chess": 1}}, ValueError, "weights: unknown 'chess'"),
    ],
)
def test_wrong_input_is_refused_by_name(options, error, message):
    with pytest.raises(error, match=message):
        condorcet_weights(SCORES, **options)


def test_a_name_that_is_both_a_group_and_a_task_is_refused():
    groups = {"maths": ["code", "essay"], "rest": ["maths"]}
    with pytest.raises(ValueError, match="'maths' is both a group and a task"):
        condorcet_weights(GROUPED, groups=groups, bounds={"maths": (0, 1)})


def test_a_pair_that_shares_no_task_can_not_be_asked_to_beat():
    scores = pd.DataFrame({"x": [2, np.nan], "y": [np.nan, 2]}, index=["A", "B"])
    with pytest.raises(ValueError, match="'A', 'B' share no task"):
        condorcet_weights(scores, beats=[("A", "B")])


def test_a_task_called_like_a_column_of_the_result_is_refused():
    with pytest.raises(ValueError, match=r"'margin'.*rename the task"):
        condorcet_weights(SCORES.rename(columns={"maths": "margin"}))


def test_options_beside_a_leaderboard_are_refused():
    with pytest.raises(TypeError, match="groups can't be given together with a Leaderboard"):
        condorcet_weights(Leaderboard(GROUPED), groups=GROUPS)


# ---------------------------------------------------------------------------------- against oracles


@settings(max_examples=60)
@given(boards())
def test_no_weights_on_a_fine_grid_do_better(scores):
    points = product(range(25), repeat=scores.shape[1])
    grid = np.array([point for point in points if sum(point) == 24]) / 24
    for system, row in quietly(scores).iterrows():
        if scores.loc[system].isna().all():
            assert not row["prospective"]
            assert row.iloc[2:].isna().all()
            continue
        weights = row.iloc[3:].to_numpy(dtype=float)
        signs = signs_by_hand(scores, system)
        margin = (signs @ weights).min(initial=1.0)
        assert weights.sum() == pytest.approx(1)
        assert row["margin"] == pytest.approx(margin, abs=1e-9)
        assert row["strict"] == (margin > 1e-7)
        assert row["prospective"] == (margin >= -1e-7)
        assert (grid @ signs.T).min(axis=1, initial=1.0).max() <= margin + 1e-9


@settings(max_examples=40)
@given(boards(6, 4).filter(lambda scores: len(scores) > 1))
def test_the_weights_make_a_strict_system_the_condorcet_winner(scores):
    complete = scores.fillna(0)
    for system, row in condorcet_weights(complete).iterrows():
        weights = row.iloc[3:].astype(float).to_dict()
        winner = condorcet(complete, weights=weights)["score"] == 1
        assert winner[system] == row["strict"]


@settings(max_examples=40)
@given(boards(6, 4), st.randoms(use_true_random=False))
def test_the_order_of_rows_and_columns_changes_nothing(scores, random):
    rows, columns = [*scores.index], [*scores.columns]
    random.shuffle(rows)
    random.shuffle(columns)
    found = quietly(scores)
    again = quietly(scores.loc[rows, columns])
    pd.testing.assert_frame_equal(again.loc[found.index, found.columns], found, atol=1e-9)


@settings(max_examples=40)
@given(boards(6, 4), st.sampled_from([3.0, 0.1]), st.sampled_from([0.0, 5.0]))
def test_only_the_order_of_scores_counts(scores, scale, shift):
    pd.testing.assert_frame_equal(quietly(scores * scale + shift), quietly(scores))


# ---------------------------------------------------------------------------------------- published


@pytest.mark.parametrize(
    ("fetch", "prospective", "not_prospective", "strict"),
    [(load_glue, 9, 88, 8), (load_superglue, 10, 12, 6), (load_value, 3, 3, 3)],
)
def test_the_counts_of_the_paper_are_those_of_the_non_strict_reading(
    fetch, prospective, not_prospective, strict
):
    # Rofin et al. (2023), section 3.2; the rows without a missing score, all columns.
    board = fetch()
    complete = board.select_systems(board.systems[~np.isnan(board.values).any(axis=1)])
    found = condorcet_weights(complete)
    assert found["prospective"].sum() == prospective
    assert (~found["prospective"]).sum() == not_prospective
    assert found["strict"].sum() == strict


def test_systems_that_merely_tie_for_the_top_are_prospective_and_not_strict():
    board = load_superglue()
    complete = board.select_systems(board.systems[~np.isnan(board.values).any(axis=1)])
    found = condorcet_weights(complete)
    only_tie = [
        "T5",
        "Most Frequent Class",
        "CBoW",
        "WARP (ALBERT-XXL-V2) - Few-Shot (32 Examples)",
    ]
    assert found.index[found["prospective"] & ~found["strict"]].tolist() == only_tie
    # The paper's own example, T5 with half the weight on BoolQ and half on MultiRC's exact match,
    # is such a tie: T5 is never alone at the top.
    t5 = found.loc["T5"].iloc[3:]
    assert t5[t5 > 0].to_dict() == pytest.approx({"BoolQ": 0.5, "MultiRC (exact match)": 0.5})


@st.composite
def _boards(draw):
    """Small boards with ties, missing scores and weights, some of them 0."""
    n_systems, n_tasks = draw(st.integers(2, 6)), draw(st.integers(1, 5))
    cells = st.sampled_from([0.0, 1.0, 2.0, np.nan])
    values = draw(st.lists(cells, min_size=n_systems * n_tasks, max_size=n_systems * n_tasks))
    weights = draw(st.lists(st.integers(0, 3), min_size=n_tasks, max_size=n_tasks).filter(any))
    tasks = [f"t{number}" for number in range(n_tasks)]
    frame = pd.DataFrame(np.reshape(values, (n_systems, n_tasks)), columns=tasks)
    return Leaderboard(frame, weights=dict(zip(tasks, weights, strict=True)))


def _least_that_moves(wins, start, absent):
    """The least by another programme, with a variable for what each task gains; None for none."""
    n_tasks = len(start)
    loses_to_nobody = np.hstack([-wins, np.zeros_like(wins)])
    gains = np.hstack([np.eye(n_tasks), -np.eye(n_tasks)])
    answer = linprog(
        np.repeat([0.0, 1.0], n_tasks),
        A_ub=np.vstack([loses_to_nobody, gains]),
        b_ub=np.append(np.zeros(len(wins)), start),
        A_eq=[np.repeat([1.0, 0.0], n_tasks)],
        b_eq=[1.0],
        bounds=[(0, None)] * n_tasks + [(0, 0 if out else None) for out in absent],
    )
    return None if answer.status == 2 else answer.fun


@given(_boards())
def test_the_nearest_weights_let_a_system_lose_to_nobody_and_no_others_move_less(board):
    start = board.weights / board.weights.sum()
    for position, system in enumerate(board.systems):
        near = find_nearest_weights(board, system)
        if np.isnan(board.values[position]).all():
            assert near is None
            continue
        wins = np.sign(np.nan_to_num(board.values[position] - board.values))
        absent = np.isnan(board.values[position])
        least = _least_that_moves(wins, start, absent)
        assert (near is None) == (least is None)
        if near is not None:
            assert near.moved_weight == pytest.approx(least, abs=1e-9)
            assert np.abs(near.weights - start).sum() / 2 == pytest.approx(least, abs=1e-9)
            assert near.weights.sum() == pytest.approx(1)
            assert (near.weights <= start + 1e-9)[absent].all()
            assert (wins @ near.weights).min() >= -1e-9


def test_of_weights_for_which_as_little_moves_the_nearest_in_squares_are_taken():
    scores = load_llm_chat()
    near = find_nearest_weights(Leaderboard(scores), "GPT-4o-0513")
    values = scores.to_numpy()
    own = values[list(scores.index).index("GPT-4o-0513")]
    wins = np.sign(np.nan_to_num(own - values))
    start = np.full(22, 1 / 22)
    other = minimize(
        lambda both: ((both[:22] - start) ** 2).sum(),
        np.append(start, np.zeros(22)),
        bounds=[(0, 1)] * 44,
        constraints=[
            {"type": "eq", "fun": lambda both: both[:22].sum() - 1},
            {"type": "ineq", "fun": lambda both: wins @ both[:22]},
            {"type": "ineq", "fun": lambda both: both[22:] - (both[:22] - start)},
            {"type": "ineq", "fun": lambda both: near.moved_weight - both[22:].sum()},
        ],
    )
    assert near.weights == pytest.approx(other.x[:22], abs=1e-3)


def test_what_has_to_move_is_counted_from_the_boards_own_weights():
    scores = pd.DataFrame({"t": [2, 1], "u": [1, 2], "v": [1, 2]}, index=["A", "B"])
    assert find_nearest_weights(Leaderboard(scores), "A").moved_weight == pytest.approx(1 / 6)
    assert find_nearest_weights(Leaderboard(scores, weights={"t": 5}), "A").moved_weight == 0
    assert find_nearest_weights(
        Leaderboard(scores, weights={"t": 5}), "B"
    ).moved_weight == pytest.approx(3 / 14)


def test_no_weight_moves_to_a_task_on_which_the_system_has_no_score():
    # On t3 alone B would lose to nobody, for nobody is there to compare it with.
    scores = pd.DataFrame({"t1": [2, 1], "t2": [2, 1], "t3": [2, np.nan]}, index=["A", "B"])
    assert find_nearest_weights(Leaderboard(scores), "B") is None
    scores.loc["B", "t2"] = 3
    near = find_nearest_weights(Leaderboard(scores), "B")
    np.testing.assert_allclose(near.weights, [1 / 3, 1 / 3, 1 / 3])
    board = Leaderboard(scores, weights={"t1": 2})
    np.testing.assert_allclose(find_nearest_weights(board, "B").weights, [3 / 8, 3 / 8, 1 / 4])
