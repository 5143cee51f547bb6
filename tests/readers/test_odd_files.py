"""Files as spreadsheets, pages and scripts leave them: read as they are meant, or told or refused.

Each kind was found in a corpus of 600 files, of which it was known what they mean.
"""

import io
import json

import numpy as np
import pandas as pd
import pytest
from openpyxl import Workbook
from short_forms import read_frame

from nbrank import LeaderboardWarning, borda

ROWS = [["model", "mmlu", "gsm8k", "drop"], ["A", 71.2, 88.1, 60.3], ["B", 73.5, 80.2, 66.4]]
SCORES = [row[1:] for row in ROWS[1:]]


def csv(rows=ROWS, separator=","):
    return "\n".join(separator.join(map(str, row)) for row in rows).encode()


def excel(*sheets):
    book, content = Workbook(), io.BytesIO()
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet() if number else book.active
        for row in rows:
            sheet.append(row)
    book.save(content)
    return content.getvalue()


def page(rows):
    cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>".encode()


def assert_told(content, match, **options):
    with pytest.warns(UserWarning, match=match):
        scores = read_frame(content, **options)
    assert scores.to_numpy().tolist() == SCORES
    assert list(scores.index) == ["A", "B"]


# ----------------------------------------------------------------------- what stands around a table


@pytest.mark.parametrize("title", [["Results"], ["Results", "", "", ""], ["Results"] * 4])
def test_a_title_above_the_names_is_set_aside(title):
    assert_told(csv([title, *ROWS]), "set aside as a title: line 1")
    assert_told(csv([title, ["by us"], *ROWS]), "set aside as a title: lines 1, 2")


def test_titles_of_a_sheet_are_set_aside():
    assert_told(excel([["Results"], [], *ROWS]), "set aside as a title: line 1")


def test_a_title_of_two_cells_is_read_as_groups_and_said():
    with pytest.warns(UserWarning, match="read as groups of tasks: 'May'; if that is part"):
        scores = read_frame(excel([["Results", "May"], *ROWS]))
    assert list(scores.columns) == [("May", task) for task in ROWS[0][1:]]


def test_a_row_of_one_number_is_no_title():
    with pytest.raises(ValueError, match="column 2 has no name"):
        read_frame(b"model,\nA,1\n")


def test_names_that_come_again_are_set_aside():
    again = csv([*ROWS[:2], ROWS[0], ROWS[2]])
    assert_told(again, "set aside, the names once more: line 3")


def test_cells_over_a_whole_row_of_a_page_are_headings():
    content = page(ROWS).replace(b"<tr><td>B", b"<tr><td colspan=4>Closed</td></tr><tr><td>B")
    assert_told(content, "set aside as headings or notes: line 3 of the table")


def test_rows_without_any_score_are_told():
    content = csv([*ROWS, ["* with tools", "", "", ""]])
    with pytest.warns(UserWarning, match=r"'\* with tools' has no score at all"):
        assert len(read_frame(content)) == 3


def test_the_sheet_with_most_numbers_is_read():
    assert_told(excel([["Read me"], ["Results"]], ROWS), "2 tables; 2, .*table=1; .*Sheet1")


def test_excel_says_by_what_cells_are_parted():
    for separator in ",;":
        content = f"sep={separator}\n".encode() + csv(separator=separator)
        assert read_frame(content).to_numpy().tolist() == SCORES
    with pytest.raises(ValueError, match="has 2 cells in line 4"):
        read_frame(b"sep=;\nm;t;u\nA;1;2\nB;1\n")


@pytest.mark.parametrize("rule", ["|---+---+---+---|", "------+---+---+---"])
def test_tables_of_org_and_psql_are_read(rule):
    lines = csv(separator=" | ").decode().splitlines()
    assert (
        read_frame("\n".join([lines[0], rule, *lines[1:]]).encode()).to_numpy().tolist() == SCORES
    )


# -------------------------------------------------------------------------------------------- cells


@pytest.mark.parametrize("cell", ["0,712", "71.2<sup>1</sup>", "#DIV/0!"])
def test_what_is_no_number_is_refused_and_not_run_together(cell):
    rows = [ROWS[0], ["A", f'"{cell}"', 88.1, 60.3], ROWS[2]]
    with pytest.raises(ValueError, match="scores must be numbers, but 'mmlu' holds"):
        read_frame(csv(rows))
    with pytest.raises(ValueError, match="scores must be numbers, but 'mmlu' holds"):
        read_frame(page([[str(cell).strip('"') for cell in row] for row in rows]))


def test_an_error_of_a_sheet_is_no_empty_cell():
    with pytest.raises(ValueError, match="'mmlu' holds '#REF!' in the row 'A'"):
        read_frame(excel([ROWS[0], ["A", "#REF!", 88.1, 60.3], ROWS[2]]))


def test_a_formula_without_its_result_is_no_empty_cell():
    with pytest.raises(ValueError, match="formulas without their results, in lines 2, 3; open it"):
        read_frame(excel([[*ROWS[0], "avg"], *([*row, "=1+1"] for row in ROWS[1:])]))
    gap = excel([ROWS[0], ["A", None, 88.1, 60.3], ROWS[2]])
    assert read_frame(gap)["mmlu"].isna().tolist() == [True, False]


def test_tags_around_a_number_are_left_out():
    assert read_frame(b"m,t\nA,<b>70</b>\nB,60\n")["t"].tolist() == [70, 60]


def test_a_difference_in_brackets_is_no_standard_error():
    scores, errors = read_frame(b"m,t,u\nA,70.1 (+2.3),1 (0.5)\nB,60 (-1),2\n", errors=True)
    assert scores["t"].tolist() == [70.1, 60]
    assert errors["t"].isna().all()
    assert errors["u"].tolist()[0] == 0.5


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("m\tt\nA\t71,200\nB\t80\n", "71200; if its comma is a decimal point, write 71.200"),
        ("m;t;u\nA;12,345;0.5\nB;9;0.6\n", "12.345; if its comma parts thousands, write 12345"),
        ("model\ttask\tscore\nA\tt\t1,200\nA\tu\t7\nB\tt\t8\n", "1200; if its comma is a decimal"),
    ],
)
def test_a_comma_of_which_nothing_says_what_it_parts_is_told(table, said):
    with pytest.warns(UserWarning, match=f"which is read as {said}"):
        read_frame(table.encode())


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("m\tt\tu\nA\t71,200\t0.5\nB\t8\t1\n", 71200),  # The file has points.
        ("m\tt\nA\t71,200\nB\t1,071,200\n", 71200),
        ("m;t\nA;71,200\nB;8\n", 71.2),
        ('m,t\nA,"71,200"\nB,8\n', 71200),
    ],
)
def test_a_comma_that_is_plain_from_the_rest_is_read(table, read):
    assert read_frame(table.encode())["t"].tolist()[0] == read


@pytest.mark.parametrize("mark", [-1, -99, -999, -9999])
def test_marks_of_missing_scores_are_no_scores(mark):
    rows = [[*ROWS[0], "t"], [*ROWS[1], 55.5], [*ROWS[2], mark]]
    assert_told(csv(rows), rf"'t' \({mark} for what was not measured\)")


def test_a_mark_is_one_also_beside_scores_up_to_1():
    rows = [[*ROWS[0], "t"], [*ROWS[1], 0.5], [*ROWS[2], -99]]
    assert_told(csv(rows), r"'t' \(-99 for what was not measured\)")


def test_a_mark_in_a_table_of_one_score_a_row_is_told():
    with pytest.warns(UserWarning, match="'score' holds -999, which is ranked as a score"):
        read_frame(b"model,task,score\nA,t,-999\nA,u,5\nB,t,6\nB,u,7\n")


# --------------------------------------------------------------------------------- columns and rows


@pytest.mark.parametrize("name", ["acc ± sd", "F1 (SD)", "Mean ± Std"])
def test_scores_with_their_deviations_are_scores_whatever_the_name_says(name):
    scores, errors = read_frame(f"m,{name}\nA,71.2 ± 0.3\nB,70 (0.2)\n".encode(), errors=True)
    assert scores[name].tolist() == [71.2, 70]
    assert errors[name].tolist() == [0.3, 0.2]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("arc_stderr", "standard errors, and no such task"),
        ("arc (SE)", "standard errors, and no such task"),
        ("Std. Dev.", "standard errors, and no such task"),
        ("mmlu ±", "standard errors"),
        ("mmlu_lower", "the low end of an interval of 'mmlu'"),
        ("mmlu CI high", "the high end of an interval of 'mmlu'"),
        ("rank mmlu", "it says more of 'mmlu'"),
        ("n", "its name"),
        ("seed", "its name"),
        ("geomean", "its name"),
        ("Context window", "its name"),
        ("timestamp", "its name"),
    ],
)
def test_columns_that_are_no_tasks_are_set_aside_by_their_names(name, why):
    rows = [[*ROWS[0], name], [*ROWS[1], 0.5], [*ROWS[2], 1.5]]
    why = why.replace("(", r"\(").replace(")", r"\)")
    assert_told(csv(rows), rf"set aside, not ranked: .* \({why}\)")


@pytest.mark.parametrize("start", [0, 1])
def test_a_column_that_counts_the_rows_is_set_aside(start):
    rows = [["No.", *ROWS[0]], *([start + at, *row] for at, row in enumerate(ROWS[1:]))]
    assert_told(csv(rows), r"'No\.' \(it numbers the rows\)")
    # Behind the systems it may be a task.
    rows = [[*row[1:], row[0]] for row in rows]
    assert "No." in read_frame(csv(rows))


def test_a_column_that_pandas_renamed_is_the_same_column_again():
    rows = [[*row, row[1]] for row in ROWS]
    rows[0][-1] = "mmlu.1"
    assert_told(csv(rows), r"'mmlu\.1' \(the same as 'mmlu'\)")
    rows[1][-1] = 5
    assert "mmlu.1" in read_frame(csv(rows))


@pytest.mark.parametrize(
    "name", ["Median", "SD", "Max", "std dev", "Standard deviation", "TOTAL (5)", "weights"]
)
def test_rows_that_sum_up_or_weigh_are_no_systems(name):
    assert_told(csv([*ROWS, [name, 91, 92, 93]]), f"set aside, by its name no system: '{name[:3]}")


# ----------------------------------------------------------------------------------- levels of rows


def test_rows_under_unknown_levels_are_told():
    rows = pd.MultiIndex.from_product([["A", "B"], ["x", "y"]], names=["llm", "variant"])
    frame = pd.DataFrame({"t": [1.0, 2, 3, 4], "u": [1.0, 2, 4, 3]}, index=rows)
    said = (
        "each of the 4 rows is read as a system.* say roles=.'llm': 'system', 'variant': 'instance'"
    )
    with pytest.warns(UserWarning, match=said):
        assert read_frame(frame).index.tolist() == ["A / x", "A / y", "B / x", "B / y"]
    read = read_frame(frame, systems="llm", instance="variant")
    assert read.index.names == ["system", "instance"]
    with pytest.warns(UserWarning, match="'level 0': 'system', 'level 1': 'instance'"):
        read_frame(frame.rename_axis([None, None]))


def test_a_run_may_be_named_by_two_levels():
    rows = pd.MultiIndex.from_product([["A", "B"], [1, 2], [1, 2]], names=["model", "seed", "fold"])
    frame = pd.DataFrame(np.arange(16.0).reshape(8, 2), index=rows, columns=["t", "u"])
    for table in (frame, frame.reset_index()):
        found = read_frame(table)
        assert found.index.names == ["system", "seed"]
        assert found.index.tolist()[:2] == [("A", "1 / 1"), ("A", "1 / 2")]


def test_hundreds_of_rows_are_never_systems_in_silence():
    for names in (["llm", "case"], [None, None], ["model", "seed", "fold"]):
        sizes = [range(20), range(10), range(1)][: len(names)]
        rows = pd.MultiIndex.from_product([[f"{n}" for n in size] for size in sizes], names=names)
        frame = pd.DataFrame({"t": np.arange(200.0), "u": np.arange(200.0) % 7}, index=rows)
        with pytest.warns(
            UserWarning, match="each of the 200 rows is taken as a system of its own"
        ):
            borda(frame)


# --------------------------------------------------------------------------------------------- JSON

RECORDS = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]
WIDE = pd.DataFrame(RECORDS).set_index("model")


def test_names_of_benchmarks_say_which_way_json_is_read():
    for orient in ("index", "columns"):
        told = "'mmlu', 'gsm8k' and 1 more are read as tasks, and 'A', 'B' as systems"
        assert_told(WIDE.to_json(orient=orient).encode(), told)


@pytest.mark.parametrize(
    "content",
    [
        {"0": RECORDS[0], "1": RECORDS[1]},
        {"data": {"results": RECORDS}},
        {"version": 2, "leaderboard": RECORDS, "by": {"name": "us"}},
    ],
)
def test_records_are_found_wherever_they_are(content):
    assert read_frame(json.dumps(content).encode()).to_numpy().tolist() == SCORES


def test_json_of_two_tables_or_of_a_name_twice_is_refused():
    with pytest.raises(ValueError, match=r"several tables, .*table=1; they are 1 'a' .*, 2 'b\.c'"):
        read_frame(json.dumps({"a": RECORDS, "b": {"c": RECORDS}}).encode())
    for content in ('[{"model": "A", "t": 1, "t": 2}]', '{"model": "A"}\n{"t": 1, "t": 2}\n'):
        with pytest.raises(ValueError, match="has 't' twice in a record; keep one of each"):
            read_frame(content.encode())


def test_what_pandas_melts_is_a_long_table():
    long = WIDE.reset_index().melt("model")
    assert read_frame(long).to_numpy().tolist() == SCORES


def test_rows_that_are_tasks_are_told_with_what_turns_them():
    scores = read_frame(WIDE.T.rename_axis(None))
    with pytest.warns(LeaderboardWarning, match="the rows look like tasks"):
        borda(scores)
