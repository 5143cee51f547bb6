"""Tables as people have them: what is a score is read, what is none is named, never ranked."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from short_forms import read_frame

import nbrank
from nbrank.readers.tables.quantity_parsing import NOT_EVALUATED
from nbrank.votes.user_warnings import DescriptionWarning

HOSTS = Path(__file__).parents[3] / "notebooks" / "data" / "leaderboards"


def wide(**columns):
    return pd.DataFrame({"model": list("ABCD")[: len(next(iter(columns.values())))]} | columns)


# ------------------------------------------------------------------------------------------ cells


@pytest.mark.parametrize(
    ("cell", "score", "error"),
    [
        ("95 %", 95, None),
        ("95%", 95, None),
        ("1,234", 1234, None),
        ("1,234,567.5", 1234567.5, None),
        ("68.4(7.1)", 68.4, 7.1),
        ("68.4 (±7.1)", 68.4, 7.1),
        ("68.4 ± 7.1", 68.4, 7.1),
        ("68.4±7.1%", 68.4, 7.1),
        ("68.4 +/- 7.1", 68.4, 7.1),
        ("1.04 (3)", 1.04, None),
        ("1.04 (0.3)", 1.04, 0.3),
        ("479 (83.3%)", 479, None),
        ("_**0.27**_ (±0.01) (+1.2%)", 0.27, 0.01),
        ("1287 +5/-5", 1287, 5),
        ("1287 (+6/-4)", 1287, 5),
        ("1287 -4/+6", 1287, 5),
        ("**88.1**", 88.1, None),
        ("__88.1__", 88.1, None),
        ("88.1†", 88.1, None),
        ("88.1*", 88.1, None),
        ("−0.5", -0.5, None),
        (" 1e-3 ", 0.001, None),
        (".5", 0.5, None),
        ("$1,200", 1200, None),
        (3, 3, None),
        (np.float32(0.5), 0.5, None),
    ],
)
def test_a_cell_is_its_score_and_the_figure_beside_it_its_error(cell, score, error):
    scores, errors = read_frame(wide(t=[cell, cell]), errors=True)
    assert scores["t"].tolist() == [score] * 2
    assert errors["t"].isna().all() if error is None else errors["t"].tolist() == [error] * 2
    assert list(errors.index) == list(scores.index)
    assert list(errors.columns) == list(scores.columns)


@pytest.mark.parametrize("cell", [*sorted(NOT_EVALUATED), "N/A", " NaN ", None, np.nan, pd.NA])
def test_a_cell_that_says_so_is_missing(cell):
    assert read_frame(wide(t=[cell, 1], u=[1, 2]))["t"].isna().tolist() == [True, False]


@pytest.mark.parametrize(
    "cell", ["0,85", "x", "7B", "1:23", "85/100", "1.2.3", "1_000", "12,34", "+5/-5", "2024-05-13"]
)
def test_a_cell_that_is_no_score_is_refused_with_its_row_column_and_what_mends_it(cell):
    with pytest.raises(ValueError, match="the row 'B'") as refused:
        read_frame(wide(t=["1", cell, "2"], u=[1, 2, 3]))
    assert f"the table: scores must be numbers, but 't' holds {cell!r}" in str(refused.value)
    assert "roles={'t': 'description'}" in str(refused.value)


def test_all_that_is_wrong_is_told_in_one_error():
    table = b"m,t1,t2,,t1\nA,1,x,2,1\nB,2,3,2,1\nB,3,9007199254740993,2,1\n,1,2,3,1\n"
    with pytest.raises(ValueError, match="unknown column") as refused:
        read_frame(table, drop="nix")
    expected = [
        "roles={'nix': 'description'}: unknown column",
        "column 4 has no name",
        "duplicate tasks: 't1'",
        "1 row without a name in the column of the systems, 'm' (row 4)",
        "'t2' holds 'x' in the row 'A'",
        "9007199254740993",
        "duplicate systems: 'B'",
    ]
    for line, words in zip(str(refused.value).splitlines(), expected, strict=True):
        assert line.startswith("the file: ")
        assert words in line


def test_where_a_role_is_unknown_nothing_is_guessed():
    with pytest.raises(ValueError, match=r"^the file: roles=.'who': 'system'.: unknown column.*$"):
        read_frame(b"m,t\nA,x\nB,y\nC,1\n", system="who")


@pytest.mark.parametrize("cell", ["~3", "≈3", "~ 3", ">3", "3+", "<3", "$< 3$", "3 (single pod)"])
def test_figures_that_are_not_exact_are_read_with_a_word(cell):
    with pytest.warns(UserWarning, match="as their numbers, though not exact: '.*3"):
        frame = read_frame(f"m,t\nA,1\nB,{cell}\n".encode())
    assert frame["t"].tolist() == [1, 3]


@pytest.mark.parametrize("cell", ["1:30", "3?", "3-4"])
def test_what_is_no_plain_number_is_never_read_as_one(cell):
    with pytest.raises(ValueError, match=f"'t' holds {cell!r} in the row 'B'".replace("?", "[?]")):
        read_frame(f"m,t\nA,1\nB,{cell}\n".encode())
    page = f"| m | t |\n|---|---|\n| A | ~~1~~ |\n| B | {cell} |\n"
    with pytest.raises(ValueError, match="'t' holds .* in the row 'B'"):
        read_frame(page.encode())


def test_a_column_of_times_is_read_in_seconds_and_its_direction_is_doubted():
    board = nbrank.read(b"m,s,leg\nA,1,1:30\nB,2,2:05.5\nC,3,DNF\n", na=["DNF"])
    assert board.scores["leg"].tolist()[:2] == [90, 125.5]
    assert "roles={'leg': 'lower'}" in board.reading.doubts["leg"]
    assert not nbrank.read(b"m,s,leg\nA,1,1:30\nB,2,2:05\n", roles={"leg": "lower"}).reading.doubts
    with pytest.raises(ValueError, match=r"'leg' holds 'DNF' in the row 'C'.*na=\['DNF'\]") as told:
        nbrank.read(b"m,s,leg\nA,1,1:30\nB,2,2:05.5\nC,3,DNF\n")
    assert "lower_is_better" not in str(told.value)


def test_marks_among_places_are_told_with_the_direction_of_places():
    rng = np.random.default_rng(0)
    cells = np.array([rng.permutation(12) + 1 for _ in range(6)]).T.astype(object)
    cells[cells == 12] = "DNF"
    races = pd.DataFrame(cells, [f"driver {k}" for k in range(12)], list("ABCDEF"))
    with pytest.raises(ValueError, match=r"na=\['DNF'\] and, if the others are places.*lower_is"):
        nbrank.read(races)


def test_shares_of_one_total_are_scores():
    board = nbrank.read(b"m,easy,hard\nA,9/10,1/10\nB,8/10,3/10\n")
    assert board.scores.loc["A"].tolist() == [0.9, 0.1]
    with pytest.raises(ValueError, match="no tasks"):  # these may be dates
        nbrank.read(b"m,a\nA,9/10\nB,8/12\n")


def test_all_wrong_columns_are_named_at_once_and_how_many_cells():
    with pytest.raises(ValueError, match="scores must be numbers") as refused:
        read_frame(b"m,t,u,v\nA,x,1,1\nB,y,2,?\nC,3,3,4\n")
    assert "'t' holds 'x' in the row 'A', 'y' in the row 'B', and 'v' holds '?' in" in str(
        refused.value
    )
    assert "roles={'t': 'description', 'v': 'description'}" in str(refused.value)


def test_tasks_that_were_asked_for_are_not_to_be_dropped():
    with pytest.raises(ValueError, match="the row 'B'; write nothing but the number"):
        read_frame(wide(t=["1", "x", "2"]), tasks=["t"])


def test_a_percent_sign_in_some_cells_only_is_refused():
    with pytest.raises(ValueError, match="'t' holds '0.93' in the row 'B' with no percent") as told:
        read_frame(b"m,t\nA,95%\nB,0.93\n")
    assert "write the percent sign in all cells or in none, and nothing where" in str(told.value)


def test_each_kind_of_bad_cell_has_its_remedy_before_a_task_is_thrown_away():
    bad = b'm,params,t,u,v\nA,7B,3?,1,1\nB,8x7B,4,"81,0",2\nC,n/a,5,2,9\n'
    # What was set aside is said when the file can be read: here, a warning would be an error.
    with pytest.raises(ValueError, match="scores must be") as refused:
        read_frame(bad)
    assert str(refused.value).endswith(
        "; write nothing but the number, 81.0 where it says 81,0, and nothing where a score is "
        "missing; or leave out columns that are not tasks, "
        "roles={'t': 'description', 'u': 'description'}"
    )
    mended = bad.replace(b"3?", b"3").replace(b'"81,0"', b"81.0")
    with pytest.warns(UserWarning, match=r"1 column set aside, not ranked: 'params' \(sizes\)"):
        assert list(read_frame(mended)) == ["t", "u", "v"]


def test_decimal_commas_are_read_where_semicolons_part_the_cells():
    assert read_frame(b"m;t\nA;0,85\nB;1,5\n")["t"].tolist() == [0.85, 1.5]
    with pytest.raises(ValueError, match=r"'0,85' in the row 'A'.*write 0.85 where it says 0,85"):
        read_frame(b'm,t,u\nA,"0,85",1\nB,"0,5",2\n')


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 1e6))
def test_any_number_is_read_back_to_the_last_bit(score, error):
    scores, errors = read_frame(wide(t=[f"{score!r} ± {error!r}", "1"]), errors=True)
    assert scores["t"].iloc[0] == score
    assert errors["t"].iloc[0] == error


# --------------------------------------------------------------------------------- what is no score

ASIDE = {
    "Model size (B)": [7, 13, 70, 8],
    "#Params": ["7B", "13B", "?", "8B"],
    "Zero-shot": [92, 100, 85, "-"],
    "License": ["MIT", "MIT", None, "Apache"],
    "link": ["https://a.b"] * 4,
    "Release date": ["2024-01-01"] * 4,
    "rank": [1, 2, 3, 4],
    "open": [True, False, True, True],
    "Average": [0, 0, 0, 0],
    "Avg. WER": [1.5, 2, 3, 4],
    "Overall score": [1, 2, 3, 4],
    "RTFx": [525, -1, 280, 330.5],
    "tuned": ["yes", "no", "no", "yes"],
}


@pytest.mark.parametrize("name", ASIDE)
def test_what_describes_the_systems_is_set_aside_with_a_sentence(name):
    table = wide(t=[3, 1, 4, 1.5], u=[2, 7, 1, 8]).assign(**{name: ASIDE[name]})
    with pytest.warns(UserWarning, match="1 column set aside, not ranked") as said:
        scores = read_frame(table)
    assert repr(name) in str(said[0].message)
    assert list(scores.columns) == ["t", "u"]
    assert scores.attrs == {"metadata": [name]}
    for option in ("drop", "metadata"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            quiet = read_frame(table, **{option: name})
        assert_frame_equal(quiet, scores)
        assert quiet.attrs["metadata"] == [name]


def test_scores_that_are_there_in_two_units_count_once():
    """As on the Open LLM Leaderboard, with links around its names."""
    table = wide(t=[3, 1], u=[2, 7]).assign(**{"t Raw": [0.3, 0.1]})
    table["model"] = ['<a href="https://a.b">A</a>', "[B <int>](https://a.b)"]
    with pytest.warns(UserWarning, match=r"'t Raw' \('t' in another unit\)"):
        scores = read_frame(table)
    assert (list(scores), list(scores.index)) == (["t", "u"], ["A", "B <int>"])


def test_names_without_latin_letters_are_told_apart():
    with pytest.warns(UserWarning, match=r"'数学 Raw' \('数学' in another unit\)"):
        scores = read_frame(
            "模型,数学,数学 Raw,C 代码 Raw,C,***\nA,1,.1,5,2,3\nB,2,.2,3,1,1\n".encode()
        )
    assert list(scores) == ["数学", "C 代码 Raw", "C", "***"]


@pytest.mark.parametrize("tasks", ["数学 代码", "GSM8K MATH-500", "F1 F2", "C数学 C代码"])
@pytest.mark.parametrize("end", ["_stderr", " 68 % std"])
def test_each_task_has_its_own_errors_whatever_it_is_called(tasks, end):
    one, other = tasks.split()
    head = ["m", one, f"{one}{end}", other, f"{other}{end}"]
    table = pd.DataFrame([["A", 1, 0.1, 2, 0.2], ["B", 2, 0.1, 3, 0.3]], columns=head)
    with pytest.warns(UserWarning, match=r"\(standard errors\)"):
        scores, errors = read_frame(table, errors=True)
    assert list(scores) == list(errors) == [one, other]
    assert errors.to_numpy().tolist() == [[0.1, 0.2], [0.1, 0.3]]


def test_a_unit_is_another_within_a_group_only():
    columns = pd.MultiIndex.from_tuples([("m", ""), ("g", "t"), ("h", "t raw"), ("g", "t_raw")])
    with pytest.warns(UserWarning, match="1 column set aside"):
        scores = read_frame(pd.DataFrame([["A", 1, 2, 1], ["B", 2, 3, 3]], columns=columns))
    assert list(scores) == [("g", "t"), ("h", "t raw")]


@pytest.mark.parametrize("digits", [1, 2, 5])
def test_the_mean_of_the_others_is_found_whatever_it_is_called(digits):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((12, 5)) * 100, columns=list("tuvwx")).round(digits)
    table.insert(0, "model", [f"m{n}" for n in range(12)])
    assert list(read_frame(table).columns) == list("tuvwx")
    table["Zed"] = table[list("tuvwx")].mean(axis=1).round(digits)
    with pytest.warns(UserWarning, match=r"'Zed' \(the mean of the others\)"):
        assert list(read_frame(table).columns) == list("tuvwx")


@pytest.mark.parametrize(
    "columns",
    [
        {"date_understanding": [1, 2, 3], "average_precision": [3, 1, 2], "RankQA": [1, 3, 2]},
        {"loss": [-0.5, -1, 0.5], "u": [-1, 0, 1]},  # -1 among others below 0, or a draw lost
        {"t": [0, 1, 2], "u": [2, 1, 0], "v": [1, 1, 2]},
    ],
)
def test_tasks_that_look_a_little_like_it_are_kept(columns):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(read_frame(wide(**columns)).columns) == list(columns)


def test_the_papers_and_shipped_tables_are_read_whole():
    for load in (nbrank.datasets.load_llm_chat, nbrank.datasets.load_toy_votes):
        board = load()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert_frame_equal(
                read_frame(board), board, check_names=False, check_dtype=False,
                check_index_type=False, check_column_type=False,
            )  # fmt: skip


def test_tasks_that_are_asked_for_are_ranked_whatever_they_are_called():
    table = wide(t=[3, 1], rank=[1, 2], note=["x", "y"])
    scores = read_frame(table, tasks=["rank", "t"])
    assert list(scores.columns) == ["t", "rank"]
    assert scores.attrs["metadata"] == ["note"]
    with pytest.raises(ValueError, match="'note' holds 'x' in the row 'A'"):
        read_frame(table, tasks=["note"])
    with pytest.warns(UserWarning, match="'speed' holds -1, which is ranked as a score"):
        read_frame(wide(speed=[5, -1], t=[1, 2]), tasks=["speed"])


def test_a_table_of_words_only_is_refused():
    with pytest.raises(ValueError, match="no tasks.*'team' was set aside"):
        read_frame(wide(team=["x", "y"]))
    with pytest.raises(ValueError, match="the table has no systems"):
        read_frame(wide(t=[1]).iloc[:0])


def test_right_or_wrong_is_a_score_of_an_instance():
    table = pd.DataFrame(
        {"model": list("AABB"), "question": [1, 2, 1, 2], "correct": [True, False, True, True]}
    )
    scores = read_frame(table)
    assert scores.index.names == ["system", "instance"]
    assert scores["correct"].tolist() == [1, 0, 1, 1]
    assert read_frame(wide(t=["yes", "no"], u=["no", None]))["t"].tolist() == [1, 0]


# -------------------------------------------------------------------------------------- who is who


@pytest.mark.parametrize(
    "table",
    [
        b"rank,Model Name,t\n1,A,3\n2,B,1\n",
        b",model,t\n0,A,3\n1,B,1\n",
        b"t,method,year\n3,A,2020\n1,B,2021\n",
        b"framework,t\nA,3\nB,1\n",
        b",t\nA,3\nB,1\n",
        b"anything,t\nA,3\nB,1\n",
        pd.DataFrame({"t": [3, 1]}, index=["A", "B"]),
        pd.DataFrame({"t": [3, 1], "rank": [1, 2]}, index=pd.Index(["A", "B"], name="x")),
    ],
)
@pytest.mark.filterwarnings("ignore:.*set aside")
def test_the_systems_are_found(table):
    assert read_frame(table)["t"].to_dict() == {"A": 3, "B": 1}


def test_a_first_column_of_numbers_is_no_name_in_silence():
    with pytest.raises(
        ValueError, match="the first column, 'acc', holds '3'.*roles=.'acc': 'system'"
    ):
        read_frame(b"acc,t\n3,1\n2,4\n")
    assert list(read_frame(b"acc,t\n3,1\n2,4\n", systems="acc").index) == ["3", "2"]
    with pytest.warns(UserWarning, match="the systems are read from the column 'who'"):
        assert list(read_frame(b"acc,who\n3,A\n2,B\n").index) == ["A", "B"]


@pytest.mark.filterwarnings("ignore:.*set aside")
def test_several_columns_may_name_a_system_together():
    table = b"agent,model,t\nx,A,1\ny,A,2\n"
    with pytest.raises(ValueError, match=r"'model': 'system', 'agent': 'system'"):
        read_frame(table, systems="model")
    assert list(read_frame(table, systems=["agent", "model"]).index) == ["x / A", "y / A"]


def test_duplicates_are_refused_or_brought_together():
    table = pd.DataFrame(
        {"model": list("ABA"), "t": ["1 ± 3", "5 ± 1", "3 ± 4"], "u": ["4", "5", "-"]}
    )
    with pytest.raises(
        ValueError, match="duplicate systems: 'A'; rename them, or say duplicates='mean'"
    ):
        read_frame(table)
    for how, t, u, error in (("first", 1, 4, 3), ("best", 3, 4, 4), ("mean", 2, 4, 2.5)):
        scores, errors = read_frame(table, duplicates=how, errors=True)
        assert scores.to_dict() == {"t": {"A": t, "B": 5}, "u": {"A": u, "B": 5}}
        assert errors["t"].to_dict() == {"A": error, "B": 1}
    with pytest.raises(ValueError, match="duplicates='last' is unknown"):
        nbrank.read(table, duplicates="last")


@pytest.mark.filterwarnings("ignore:.*set aside")
def test_commas_of_a_file_with_semicolons_are_points_in_errors_too():
    for table in (
        "m;t;t_stderr\nA;71,5;0,3\nB;68,0;1,234\n",
        "m;t\nA;71,5 ± 0,3\nB;68,0 ± 1,234\n",
    ):
        scores, errors = read_frame(table.encode(), errors=True)
        assert scores["t"].tolist() == [71.5, 68]
        assert errors["t"].tolist() == [0.3, 1.234]


def test_the_errors_of_one_task_are_never_those_of_another():
    table = wide(t=[1, 2], u=[3, 4], u_se=[0.1, 0.2])
    _, errors = read_frame(table, stderr="u_se", errors=True)
    assert errors["u"].tolist() == [0.1, 0.2]
    assert errors["t"].isna().all()
    with pytest.raises(ValueError, match="roles=.'x': 'error'. may be of any of 't', 'u'"):
        read_frame(table.rename(columns={"u_se": "x"}), stderr="x")
    _, errors = read_frame(table.rename(columns={"u_se": "x"}), tasks="t", stderr="x", errors=True)
    assert errors["t"].tolist() == [0.1, 0.2]


def test_a_mean_has_no_error_where_that_of_one_score_is_unknown():
    table = pd.DataFrame({"model": list("AAB"), "t": ["1 ± 3", "3", "5 ± 1"]})
    _, errors = read_frame(table, duplicates="mean", errors=True)
    assert np.isnan(errors.loc["A", "t"])
    assert errors.loc["B", "t"] == 1


@pytest.mark.parametrize("names", [["A", None, "C"], pd.array([1, None, 3], dtype="Int64")])
@pytest.mark.parametrize("dtype", [object, "category"])
def test_a_row_without_a_name_is_all_that_is_told_of_it(names, dtype):
    table = pd.DataFrame({"model": pd.Series(names).astype(dtype), "t": [1, 2, 3]})
    with pytest.raises(ValueError, match=r"^[^\n]*1 row without a name [^\n]*\(row 2\)[^\n]*$"):
        read_frame(table, systems="model")


def test_all_unknown_columns_are_named_at_once():
    with pytest.raises(
        ValueError, match=r"roles=.'x': 'description', 'y': 'description'.: unknown column"
    ):
        read_frame(wide(t=[1]), drop="x", metadata=["t", "y"])
    with pytest.raises(ValueError, match="duplicate tasks: 't'"):
        read_frame(b"model,t,t\nA,1,2\n")
    with pytest.raises(ValueError, match="column 2 has no name; name it"):
        read_frame(b"model,,t\nA,1,2\n")
    assert list(read_frame(b"model,,t\nA,1,2\n", drop="").columns) == ["t"]
    with pytest.raises(ValueError, match="1 row without a name in the column of the systems"):
        read_frame(b"m,t\nA,1\n,2\n")


@pytest.mark.parametrize(
    ("level", "name"),
    [("seed", "seed"), ("run", "seed"), ("fold", "seed"), ("question", "instance"),
     ("item_id", "instance"), ("prompt", "instance")],
)  # fmt: skip
def test_levels_of_rows_are_understood(level, name, recwarn):
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["model", level])
    table = pd.DataFrame({"t": [1, 2, 3, 4], "u": [4, 3, 2, 1]}, index=index)
    for one in (table, table.reset_index()):
        scores = read_frame(one)
        assert scores.index.names == ["system", name]
        assert list(scores.index) == [("A", 1), ("A", 2), ("B", 1), ("B", 2)]
    assert not recwarn
    warnings.simplefilter("always")
    assert read_frame(table, instance=level).index.names == ["system", "instance"]
    # Runs that are named as instances are doubted: tests/readers/test_inner_columns.py.
    assert len(recwarn) == (name == "seed")


def test_levels_that_are_not_understood_are_asked_about():
    index = pd.MultiIndex.from_product([["A"], ["x", "y"], [1, 2]], names=["m", "p", "question"])
    with pytest.raises(ValueError, match="each row has the labels 'm', 'p', 'question'; say which"):
        read_frame(pd.DataFrame({"t": range(4)}, index=index))
    many = pd.DataFrame({"model": list("AABB"), "p": [1, 2, 1, 2], "t": [1, 2, 3, 4]})
    with pytest.raises(ValueError, match=r"duplicate systems: 'A', 'B'.*'p': 'task'"):
        read_frame(many)


# ------------------------------------------------------------------------------------- long tables

LONG = pd.DataFrame(
    {
        "model": list("AABB"),
        "dataset": ["t", "u", "t", "u"],
        "accuracy": [0.5, 0.7, 0.9, 0.1],
        "stderr": [0.1, 0.2, 0.3, 0.4],
    }
)
TABLE = pd.DataFrame({"t": [0.5, 0.9], "u": [0.7, 0.1]}, index=pd.Index(["A", "B"], name="system"))


def test_a_plain_long_table_is_recognised():
    scores, errors = read_frame(LONG, errors=True)
    assert_frame_equal(scores, TABLE, check_index_type=False, check_column_type=False)
    assert errors.to_numpy().tolist() == [[0.1, 0.2], [0.3, 0.4]]
    content = LONG.sample(frac=1, random_state=1).to_csv(index=False).encode()
    shuffled = read_frame(content).sort_index().sort_index(axis=1)
    assert_frame_equal(shuffled, TABLE, check_index_type=False, check_column_type=False)


def test_its_columns_may_be_named():
    renamed = LONG.set_axis(["who", "what", "how", "pm"], axis=1)
    options = {"system": "who", "task": "what", "score": "how", "stderr": "pm"}
    scores, errors = read_frame(renamed, **options, errors=True)
    assert_frame_equal(scores, TABLE, check_index_type=False, check_column_type=False)
    assert errors.loc["B", "u"] == 0.4
    with pytest.raises(ValueError, match="no column names the system.*'...': 'system'"):
        read_frame(renamed.assign(note="x"), task="what", score="how")
    with pytest.raises(ValueError, match=r"roles=.'x': 'score'.: unknown column"):
        read_frame(LONG, score="x")


def test_two_columns_of_scores_are_asked_about():
    with pytest.raises(
        ValueError,
        match="'MASE', 'WQL' may all be its score.*'dataset': 'task', 'MASE': 'score', 'WQL'",
    ):
        read_frame(LONG.set_axis(["model", "dataset", "MASE", "WQL"], axis=1))


def test_the_number_of_instances_gives_the_errors_of_shares():
    table = LONG.drop(columns="stderr").assign(n=[100, 25, 100, 100])
    scores, errors = read_frame(table, n="n", errors=True)
    sizes = pd.DataFrame({"t": [100, 100], "u": [25, 100]}, index=scores.index)
    assert_frame_equal(errors, nbrank.binomial_errors(scores, sizes), check_names=False)
    _, percent = read_frame(table.assign(accuracy=table["accuracy"] * 100), n="n", errors=True)
    assert percent.to_numpy() == pytest.approx(100 * errors.to_numpy())
    with pytest.warns(UserWarning, match=r"'n' \(with roles=.'n': 'n'., errors follow\)"):
        assert read_frame(table, errors=True)[1].isna().all(axis=None)
    with pytest.raises(ValueError, match="roles=.'n': 'n'. is for shares"):
        read_frame(table.assign(accuracy=[-1, 2, 300, 4]), n="n", errors=True)


def test_metrics_of_a_task_are_tasks_in_its_group():
    table = pd.concat([LONG.assign(metric="acc"), LONG.assign(metric="f1")])
    scores = read_frame(table.rename(columns={"accuracy": "value"}))
    assert set(scores.columns) == {(t, m) for t in "tu" for m in ("acc", "f1")}
    assert nbrank.Leaderboard(scores).groups is not None
    named = read_frame(table, task=["metric", "dataset"], score="accuracy")
    assert ("acc", "t") in named.columns


@pytest.mark.parametrize(("column", "level"), [("seed", "seed"), ("question", "instance")])
def test_runs_and_instances_of_a_long_table_are_levels_of_the_rows(column, level):
    table = pd.concat([LONG.assign(**{column: 1}), LONG.iloc[1:].assign(**{column: 2})])
    scores = read_frame(table.drop(columns="stderr"))
    assert scores.index.names == ["system", level]
    assert np.isnan(scores.loc[("A", 2), "t"])
    assert scores.loc[("B", 2), "t"] == 0.9


def test_scores_of_segments_by_language_pair():
    rows = [(s, lp, n, n) for s in "AB" for lp in ("en-de", "cs-uk") for n in range(3)]
    table = pd.DataFrame(rows, columns=["system", "lp", "seg_id", "score"])
    scores = read_frame(table)
    assert scores.index.names == ["system", "instance"]
    assert list(scores.columns) == ["en-de", "cs-uk"]
    assert scores.shape == (6, 2)


def test_scores_that_are_there_twice_in_a_long_table():
    table = pd.concat([LONG, LONG.assign(accuracy=LONG["accuracy"] + 0.2)])
    with pytest.raises(ValueError, match="duplicate systems: 'A', 'B'"):
        read_frame(table)
    assert read_frame(table, duplicates="first").loc["A", "t"] == 0.5
    assert read_frame(table, duplicates="best").loc["A", "t"] == 0.7
    assert read_frame(table, duplicates="mean").loc["A", "t"] == pytest.approx(0.6)


def test_a_cell_of_a_long_table_that_is_no_score_is_refused():
    with pytest.raises(ValueError, match="'accuracy' holds 'x' in the row 'B'"):
        read_frame(LONG.astype(object).replace({"accuracy": {0.9: "x"}}))


# ---------------------------------------------------------------------------------- tasks in rows


def test_a_table_with_tasks_in_its_rows_is_turned():
    turned = TABLE.T.rename_axis(index="task", columns=None).reset_index()
    with pytest.warns(UserWarning, match="the rows are read as tasks, since 'task' names them"):
        assert_frame_equal(
            read_frame(turned), TABLE, check_index_type=False, check_column_type=False
        )
    for options in ({"transpose": True}, {"transpose": True, "tasks": "task"}):
        found = read_frame(turned, **options)
        assert_frame_equal(found, TABLE, check_index_type=False, check_column_type=False)
    assert list(read_frame(turned, transpose=True, systems=["B"]).index) == ["B"]
    assert list(read_frame(turned, systems="task").index) == ["t", "u"]
    indexed = read_frame(TABLE.T, transpose=True)
    assert_frame_equal(indexed, TABLE, check_index_type=False, check_column_type=False)


# -------------------------------------------------------------------------------- standard errors


@pytest.mark.filterwarnings("ignore:.*set aside")
def test_an_interval_beside_a_single_score_says_its_error():
    arena = b'Rank,Model,Arena Score,95% CI,Votes\n1,A,1287,+5/-5,900\n2,B,1250,+3/-4,"1,200"\n'
    scores, errors = read_frame(arena, errors=True)
    assert scores.to_dict() == {"Arena Score": {"A": 1287, "B": 1250}}
    np.testing.assert_allclose(errors["Arena Score"], [5 / 1.959964, 3.5 / 1.959964], rtol=1e-6)


@pytest.mark.filterwarnings("ignore:.*set aside")
@pytest.mark.parametrize(
    ("names", "tasks"),
    [
        # What one downloads from MTEB, the Open LLM leaderboard, and OpenVLM.
        ("Rank (Borda),Model,Memory Usage (MB),Number of Parameters (B),Max Tokens,Mean (Task),STS",
         ["STS"]),
        ("Model,Embedding Dimensions,Mean (TaskType),Classification,STS",
         ["Classification", "STS"]),
        ("Model,Average ⬆️,IFEval,BBH,Hub ❤️,#Params (B),CO₂ cost (kg)", ["IFEval", "BBH"]),
        ("Unnamed: 0,Method,Param (B),Avg Score,Avg Rank,MMBench,OCRBench",
         ["MMBench", "OCRBench"]),
    ],
)  # fmt: skip
def test_leaderboards_as_they_are_downloaded(names, tasks):
    rng = np.random.default_rng(0)
    columns = names.split(",")
    table = pd.DataFrame(rng.random((6, len(columns))) * 50 + 10, columns=columns)
    system = next(name for name in columns if name in ("Model", "Method"))
    table[system] = [f"m{n}" for n in range(6)]
    assert list(read_frame(table).columns) == tasks


def test_columns_of_standard_errors_go_with_their_tasks():
    table = wide(mmlu=[0.5, 0.6], mmlu_stderr=[0.01, 0.02], gsm=[0.1, 0.3])
    with pytest.warns(UserWarning, match=r"'mmlu_stderr' \(standard errors\)"):
        scores, errors = read_frame(table, errors=True)
    assert list(scores.columns) == ["mmlu", "gsm"]
    assert errors["mmlu"].tolist() == [0.01, 0.02]
    assert errors["gsm"].isna().all()


# ------------------------------------------------------------------------- leaderboards in the wild


@pytest.mark.filterwarnings("ignore:.*set aside", "ignore:.*rows are read as tasks")
class TestHosts:
    """Each published table by one call with what a user would guess."""

    def read(self, name, **options):
        return read_frame(HOSTS / f"{name}.csv", **options)

    @pytest.mark.parametrize(
        ("name", "options", "shape", "missing"),
        [
            ("mteb_eng_v2", {}, (209, 41), 145),
            ("mteb_eng_v2_host_borda", {}, (209, 1), 0),
            ("helm_lite", {}, (72, 10), 1),
            ("helm_classic", {"drop": "helm_classic"}, (67, 16), 196),
            ("pythia_lm_eval_stderr_long", {}, (29, 13), 0),
            ("amlb_4h_folds_long", {}, (70, 39), 47),
            ("amlb_4h_norm_scores_as_published", {}, (7, 39), 4),
            ("amlb_4h_published_task_ranks", {}, (5, 39), 4),
            ("atari100k_seeds_long", {}, (12, 26), 0),
            ("chronos_long", {"score": "MASE"}, (10, 42), 0),
            ("chronos_published_agg", {}, (9, 4), 0),
            ("evalplus", {}, (125, 4), 72),
            ("open_asr_longform", {}, (32, 4), 4),
            ("open_asr_shortform", {}, (87, 8), 0),
        ],
    )
    def test_it_is_read_whole(self, name, options, shape, missing):
        scores = self.read(name, **options)
        assert scores.shape == shape
        assert int(scores.isna().sum().sum()) == missing
        scores.attrs = {}  # so that a task's name alone decides
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", DescriptionWarning)
            nbrank.borda(scores)

    @pytest.mark.filterwarnings("ignore:borda. on")
    def test_mtebs_borda_to_the_digit(self):
        with pytest.warns(UserWarning, match=r"\(0.7236899998079941 and 0.72369\)"):
            ours = nbrank.borda(self.read("mteb_eng_v2"), missing="zero")
        theirs = self.read("mteb_eng_v2_host_borda", tasks=["borda", "rank"])
        assert (ours["score"] == theirs["borda"].reindex(ours.index)).all()
        assert (ours["rank"] == theirs["rank"].reindex(ours.index)).all()

    def test_helm_lites_mean_win_rate(self):
        ours = nbrank.mean_win_rate(self.read("helm_lite"))["score"]
        theirs = self.read("helm_lite", tasks="helm_lite")["helm_lite"]
        assert int(((ours - theirs).abs() <= 0.005).sum()) == 72

    def test_open_asrs_average(self):
        scores = self.read("open_asr_shortform")
        theirs = self.read("open_asr_shortform", tasks="Avg. WER")["Avg. WER"]
        near = (scores.mean(axis=1) - theirs).abs() < 0.0051
        assert near.mean() > 0.95

    def test_amlbs_failed_folds_in_parentheses_are_no_errors(self):
        scores, errors = self.read("amlb_4h_norm_scores_as_published", errors=True)
        assert scores.loc["autosklearn", "albert"] == 1.04398
        assert errors.isna().all(axis=None)


@pytest.mark.parametrize("name", ["Average", "mean", "Avg.", "TOTAL", "std"])
def test_a_row_that_sums_up_the_others_is_no_system(name):
    wide = pd.DataFrame({"model": ["A", "B", name], "t": [1, 3, 2], "u": [4, 2, 3]})
    long = wide.melt("model", var_name="task", value_name="score")
    for table in (wide, long):
        with pytest.warns(UserWarning, match=f"no system: {name!r}; to rank it, give it another"):
            scores = read_frame(table)
        assert list(scores.index) == ["A", "B"]
        assert scores["u"].tolist() == [4, 2]


def test_a_system_may_be_called_after_an_average():
    table = pd.DataFrame({"model": ["mean teacher", "Total Recall"], "t": [1, 2], "u": [2, 1]})
    assert list(read_frame(table).index) == ["mean teacher", "Total Recall"]


def test_one_column_says_how_cells_are_parted():
    with pytest.raises(
        ValueError, match="the only column is 'model a b'; .* commas, semicolons or tab"
    ):
        read_frame(b"model a b\nA 1 2\nB 2\n")


def test_a_column_called_like_the_file_is_the_hosts_own_summary(tmp_path):
    path = tmp_path / "arena_hard.csv"
    path.write_text("model,arena_hard,t,u\nA,3,1,2\nB,9,2,1\n")
    with pytest.warns(UserWarning, match=r"'arena_hard' \(the name of the whole file\)"):
        assert list(read_frame(path).columns) == ["t", "u"]
    assert list(read_frame(path, tasks="arena_hard").columns) == ["arena_hard"]
    path.write_text("model,arena_hard\nA,3\nB,9\n")
    assert list(read_frame(path).columns) == ["arena_hard"]


def test_a_hosts_ranks_and_intervals_are_no_tasks():
    page = (
        b"Rank* (UB),Rank (Style),Model,Score,95% CI,Pos.\n1,1,A,1365,+4/-3,1\n1,2,B,1361,+5/-6,2\n"
    )
    with pytest.warns(UserWarning, match=r"'95% CI' \(standard errors\)"):
        scores, errors = read_frame(page, errors=True)
    assert scores["Score"].to_dict() == {"A": 1365, "B": 1361}
    assert list(scores) == ["Score"]
    np.testing.assert_allclose(errors["Score"], [3.5 / 1.959964, 5.5 / 1.959964], rtol=1e-6)


def test_two_numbers_in_a_cell_are_refused_and_not_taken_for_words():
    with pytest.raises(ValueError, match="'CB' holds '98.6/99.2' in the row 'Vega'"):
        read_frame(b"Model\tCB\tRTE\nVega\t98.6/99.2\t96.0\nST\t96.9/98.0\t93.5\n")
    with pytest.warns(UserWarning, match=r"'when' \(words\)"):
        assert list(read_frame(b"Model,when,t\nA,2024/05,1\nB,2024/06,2\n")) == ["t"]


def test_of_several_columns_of_words_the_one_called_a_name_holds_the_systems():
    rows = b"1,Caltech,Pasadena,95\n2,Oxford,Ox,86\n=3,ETH,Zurich,80\n"
    text = b"world_rank,university_name,town,teaching\n" + rows
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert list(nbrank.read(text).systems) == ["Caltech", "Oxford", "ETH"]
    assert "read from the column 'university_name'" in str(caught[0].message)


def test_medals_are_places_beside_names():
    rows = "| 🥇 | Zen | 46 |\n| 🥈 | Jo | 26 |\n| 4 | Za | 9 |\n"
    page = f"| Rank | Library | score |\n|---|---|---|\n{rows}"
    with pytest.warns(UserWarning, match="read from the column 'Library'|set aside"):
        board = nbrank.read(page.encode())
    assert list(board.systems) == ["Zen", "Jo", "Za"]


def test_names_that_come_again_are_completed_by_the_first_of_their_group():
    heads = "Makespan S1,S2,Tardiness S1,S2"
    board = nbrank.read(f"method,{heads}\nA,10,12,1,3\nB,11,15,2,1\n".encode())
    assert [*board.tasks] == ["Makespan S1", "Makespan S2", "Tardiness S1", "Tardiness S2"]
    assert len(board.lower_is_better) == 4


@pytest.mark.parametrize("variant", ["+ X", "w/o X", "− X"])
def test_variants_of_several_systems_are_named_by_the_system_above_them(variant):
    text = f"model,a,b\nBase,5,6\n{variant},4,5\nLarge,6,7\n{variant},5,9\n"
    with pytest.warns(UserWarning, match="variants of the row above them"):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["Base", f"Base {variant}", "Large", f"Large {variant}"]
    with pytest.raises(ValueError, match="duplicate systems: 'Large'"):
        nbrank.read(text.replace("Base", "Large").encode())


def test_a_mark_of_a_note_tells_systems_apart():
    page = b"|m|a|b|\n|-|-|-|\n|**3D-GS**|27.1|.8|\n|3D-GS*|27.5*|.9|\n|_Mip_|28|.7|\n"
    assert [*nbrank.read(page).systems] == ["3D-GS", "3D-GS*", "Mip"]


def test_a_concordance_is_on_the_scale_of_the_scores_unlike_an_error():
    text = "model,CI,Pearson,RMSE\nA,.78,.72,1.3\nB,.88,.85,.9\nC,.81,.77,1.2\n"
    assert "CI" in nbrank.read(text.encode()).tasks
    with pytest.warns(UserWarning, match="'CI' .standard errors"):
        assert (
            "CI"
            not in nbrank.read(text.replace(",.7", ",.9").replace(",.8", ",.01").encode()).tasks
        )


def test_times_in_several_units_are_scores_and_ranges_are_none():
    text = 'model,acc,runtime,price\nA,.5,27m49s,"100-180"\nB,.6,1h02m05s,90-120\nC,.7,45s,5-9\n'
    with pytest.warns(UserWarning, match="'price' .ranges"):
        board = nbrank.read(text.encode())
    assert board.scores["runtime"].tolist() == [1669, 3725, 45]
    assert board.lower_is_better == ("runtime",)


@pytest.mark.filterwarnings("ignore")
def test_scalars_of_numpy_are_options_as_those_of_python_are(tmp_path):
    tables = "| m | t |\n|---|---|\n| A | 1 |\n| B | 2 |\n"
    tables += "\n# two\n\n| m | t |\n|---|---|\n| C | 1 |\n| D | -9 |\n| E | 3 |\n"
    board = nbrank.read(tables.encode(), table=np.int64(2), na=np.int64(-9))
    assert [*board.systems] == ["C", "E"]
    (tmp_path / "r.toml").write_text(board.reading.to_toml())
    assert [*nbrank.read(tables.encode(), roles=tmp_path / "r.toml").systems] == ["C", "E"]
    frame = pd.DataFrame({0: list("ABAB"), 1: [1, 1, 2, 2], 2: [1.0, 2, 3, 4]})
    roles = {np.int64(0): np.str_("system"), np.int64(1): "description", np.int64(2): "lower"}
    board = nbrank.read(frame, roles=roles, where={np.int64(1): np.int64(2)})
    assert board.scores.to_numpy().ravel().tolist() == [3, 4]
    assert nbrank.read(frame, duplicates=np.str_("best"), na=np.array([-9])).scores.shape == (2, 2)


def test_rows_that_repeat_a_name_without_a_single_score_are_set_aside():
    rows = "model,acc,f1\nEnsemble,,\nA,0.9,0.8\nEnsemble,,\nB,0.7,0.6\n"
    with pytest.warns(UserWarning, match="named again without a single score: 'Ensemble'"):
        board = nbrank.read(rows.encode())
    assert list(board.systems) == ["A", "B"]


def test_a_sentence_in_place_of_a_score_may_be_a_mark_of_a_missing_one():
    remark = "(skipped: no wheel for Py 3.14)"
    rows = f"model,acc,f1\nA,0.9,0.8\nB,0.7,0.6\nC,0.5,{remark}\n".encode()
    with pytest.raises(ValueError, match=r"as missing scores, na=\['\(skipped: no wheel"):
        nbrank.read(rows)
    assert nbrank.read(rows, na=[remark]).scores["f1"].isna().tolist() == [False, False, True]
