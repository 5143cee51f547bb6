"""Files of tables, in each format: the same cells, or a sentence that says what is wrong where."""

import bz2
import csv
import gzip
import io
import json
import lzma
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal
from short_forms import read_frame

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.readers.tables.table_files import read_table
from nbrank.votes.leaderboard import Leaderboard

SCORES = pd.DataFrame(
    {"t1": [1.5, 3.0], "t2": [2.0, None]}, index=pd.Index(["A", "007"], name="model")
)
EXPECTED = SCORES.rename_axis(index="system")
HTML = SCORES.reset_index().to_html(index=False, na_rep="-")
MARKDOWN = """
# The results

| model | t1  | t2 |
|:------|----:|----|
| **A** | 1.5 | 2  |
| [007](https://bond.example) | `3.0` | - |

They are good.
"""


def as_excel(frame):
    content = io.BytesIO()
    frame.reset_index().to_excel(content, index=False)
    return content.getvalue()


CONTENTS = {
    "csv": SCORES.to_csv().encode(),
    "tsv": SCORES.to_csv(sep="\t").encode(),
    "txt": SCORES.to_csv(sep=";", decimal=",").encode(),
    "csv.gz": gzip.compress(SCORES.to_csv().encode()),
    "csv.bz2": bz2.compress(SCORES.to_csv().encode()),
    "tsv.xz": lzma.compress(SCORES.to_csv(sep="\t").encode("utf-8-sig")),
    "utf16.csv": SCORES.to_csv(sep="\t").encode("utf-16"),
    "json": SCORES.reset_index().to_json(orient="records").encode(),
    "columns.json": SCORES.reset_index().to_json(orient="columns").encode(),
    "lists.json": SCORES.reset_index().to_json(orient="values").replace(
        "[[", '[["model","t1","t2"],[').encode(),
    "split.json": SCORES.to_json(orient="split").encode(),
    "table.json": SCORES.to_json(orient="table").encode(),
    "within.json": json.dumps(
        {"version": 1, "results": json.loads(SCORES.reset_index().to_json(orient="records"))}
    ).encode(),
    "jsonl": SCORES.reset_index().to_json(orient="records", lines=True).encode(),
    "parquet": SCORES.to_parquet(),
    "plain.parquet": SCORES.reset_index().to_parquet(),
    "html": HTML.encode(),
    "md": MARKDOWN.encode(),
    "xlsx": as_excel(SCORES),
}  # fmt: skip


@pytest.mark.parametrize("ending", CONTENTS)
def test_the_same_scores_from_every_format(ending, tmp_path):
    file = tmp_path / f"scores.{ending}"
    file.write_bytes(CONTENTS[ending])
    for path in (file, str(file)):
        found = read_frame(path)
        assert_frame_equal(found, EXPECTED, check_index_type=False)
    if ending not in ("csv.gz", "csv.bz2", "tsv.xz"):
        assert_frame_equal(read_frame(CONTENTS[ending]), EXPECTED, check_index_type=False)


def test_open_files_and_other_frames_are_read():
    for opened in (io.StringIO(SCORES.to_csv()), io.BytesIO(CONTENTS["xlsx"])):
        assert_frame_equal(read_frame(opened), EXPECTED, check_index_type=False)
    table = pa.table(SCORES.reset_index())
    assert_frame_equal(read_frame(table), EXPECTED, check_index_type=False)


def test_long_numbers_of_systems_are_no_scores():
    scores = read_frame(b"model,t\n90071992547409931,1\n2,3\n")
    assert scores.index.tolist() == ["90071992547409931", "2"]


def test_names_within_names_are_read_as_pandas_writes_them_and_said():
    with pytest.warns(UserWarning, match="'t1', 't2' are read as tasks, and 'A', '007' as systems"):
        assert_frame_equal(read_frame(SCORES.to_json().encode()), EXPECTED, check_index_type=False)
    turned = json.dumps({"A": {"t1": 1.5, "t2": 2}, "007": {"t1": 3}}).encode()
    with pytest.warns(UserWarning, match="give transpose=True"):
        assert_frame_equal(read_frame(turned, transpose=True), EXPECTED, check_index_type=False)
    # What mixes words and numbers is a row, and no column.
    mixed = json.dumps({"A": {"by": "x", "t1": 1.5, "t2": 2}, "007": {"by": "y", "t1": 3}})
    found = read_frame(mixed.encode(), drop="by")
    assert_frame_equal(found, EXPECTED, check_index_type=False)


def test_systems_keep_their_names():
    scores = read_frame("model,t\n007,1\nNA,2\nÄ,3\n".encode())
    assert list(scores.index) == ["007", "NA", "Ä"]
    assert scores["t"].tolist() == [1, 2, 3]


def test_numbers_are_read_to_the_last_bit():
    numbers = [0.1, 0.30000000000000004, 2 / 3, 1e-7, 123456789.12345678]
    text = "model,t\n" + "".join(f"s{n},{number!r}\n" for n, number in enumerate(numbers))
    assert read_frame(text.encode())["t"].tolist() == numbers


def test_groups_above_the_tasks_are_seen():
    content = b",English,,Code\nmodel,MMLU,DROP,HumanEval\nA,1,2,3\nB,2,1,4\n"
    columns = [("English", "MMLU"), ("English", "DROP"), ("Code", "HumanEval")]
    assert list(read_frame(content).columns) == columns
    sheet = io.BytesIO()
    pd.read_csv(io.BytesIO(content), header=None).to_excel(sheet, index=False, header=False)
    assert list(read_frame(sheet.getvalue()).columns) == columns


def test_what_pandas_writes_is_read_back_with_its_groups():
    chat = load_llm_chat()
    for rows in (None, 2):
        with pytest.warns(UserWarning, match="the row 'system' under the names is empty"):
            read = read_frame(read_table(chat.to_csv().encode(), rows))
        assert_frame_equal(read, chat, check_names=False, check_index_type=False, check_dtype=False)


@pytest.mark.parametrize(
    ("content", "cells", "line"),
    [
        (b"model,t\nA,1,2\nB,3,4\n", 3, 2),
        (b"model,t,u\nA,1,2\nB,3\n", 2, 3),
        (b"model,t,u\nA\nB,3,4\n", 1, 2),
        (b"model,t,u\r\n\r\n \r\nA,1,2\r\nB,3", 2, 5),
        # A name over two lines, and one with a comma.
        (b'model,t,u\n"A\n1",1,2\n"B,1",3\n', 2, 4),
        (b"model,t,u\n" + b"long" * 50_000 + b",1\n", 2, 2),
        (b"| model | t |\n|---|---|\n| A | 1 |\n| B |\n", 1, 4),
    ],
)
def test_a_row_with_more_or_fewer_cells_than_names_is_refused(content, cells, line):
    with pytest.raises(ValueError, match=f"{cells} cells? in line {line}.*, for . names above"):
        read_frame(content)


def test_rows_that_end_in_empty_cells_and_blank_lines_are_read():
    with pytest.warns(
        UserWarning, match="'B' has no score at all, and is ranked all the same; delete"
    ):
        scores = read_frame(b'model,t,u\n\n"A\n1",1,\n  \nB,,""\nC,,2\n,,\n')
    assert list(scores.index) == ["A\n1", "B", "C"]
    assert scores["u"].isna().tolist() == [True, True, False]


def test_a_column_without_a_cell_is_no_task():
    with pytest.warns(UserWarning, match="set aside, not ranked: 'u' \\(empty\\)"):
        assert list(read_frame(b"model,t,u\nA,1,\nB,2,\n").columns) == ["t"]


def test_a_system_without_a_score_is_not_said_to_be_last_since_points_put_it_in_the_middle():
    with pytest.warns(UserWarning, match="'B', 'E' have no score at all, and are ranked all the"):
        scores = read_frame(b"model,t,u\nA,3,3\nB,,\nC,2,2\nD,1,1\nE,,\n")
    assert scores.rank.borda()["rank"].to_dict() == {"A": 1, "B": 2, "C": 2, "E": 2, "D": 5}
    assert scores.rank.copeland()["rank"].to_dict() == {"A": 1, "C": 2, "D": 3, "B": 4, "E": 4}


@given(
    st.lists(
        st.lists(st.text('a1," \n-', min_size=0, max_size=3), min_size=2, max_size=4),
        min_size=1,
        max_size=4,
    )
)
def test_a_file_is_refused_just_where_a_row_has_another_number_of_cells(rows):
    rows = [[f"system {number}", *row[1:]] for number, row in enumerate(rows)]
    written = io.StringIO(newline="")
    csv.writer(written, lineterminator="\n").writerows([["system", "t", "u"], *rows])
    content = written.getvalue().encode()
    if all(len(row) == 3 for row in rows):
        found = read_table(content, 1).to_numpy().tolist()
        assert found == [[cell.strip() for cell in row] for row in rows]
    else:
        with pytest.raises(ValueError, match="cell"):
            read_table(content, 1)


@pytest.mark.parametrize("beside", ["", "0.5", "1e300"])
def test_integers_that_floats_cannot_tell_apart_are_refused_beside_any_other_cell(beside):
    with pytest.raises(ValueError, match=r"'t' holds 9007199254740993 in the row 'A'.*rescale"):
        read_frame(f"s,t\nA,9007199254740993\nB,9007199254740992\nC,{beside}\n".encode())


def test_integers_that_floats_cannot_tell_apart_are_refused_beside_a_gap_in_parquet(tmp_path):
    file = tmp_path / "scores.parquet"
    large = pa.array([2**53 + 1, 2**53, None], pa.int64())
    pq.write_table(pa.table({"s": ["A", "B", "C"], "t": large, "u": [1e300, 2, None]}), file)
    with pytest.raises(ValueError, match=r"'t' holds 9007199254740993 .* 2 \*\* 53 on"):
        read_frame(file)
    assert read_frame(file, drop="t")["u"].tolist()[:2] == [1e300, 2.0]
    assert Leaderboard(read_frame(file, drop="t")).systems.tolist() == ["A", "B", "C"]


def test_groups_that_are_asked_for_and_not_there_are_refused():
    for content in (b"model,t,u\nA,1,2\nB,3,4\n", b",t,u\nA,1,-\nB,3,4\n"):
        with pytest.raises(ValueError, match="one row of names, it seems.* row of 'A' below"):
            read_table(content, 2)
        assert read_frame(content).shape == (2, 2)


def test_a_file_that_is_none_or_torn_is_named_with_the_reason(tmp_path):
    for ending in ("parquet", "csv", "xlsx", "json", "md", "html", "csv.gz"):
        file = tmp_path / f"scores.{ending}"
        with pytest.raises(FileNotFoundError, match="No such file or directory"):
            read_frame(file)
        file.write_bytes(b"")
        with pytest.raises(ValueError, match=f"scores.{ending} is empty"):
            read_frame(file)
        file.write_bytes(CONTENTS[ending][: len(CONTENTS[ending]) // 2])
        if ending not in ("csv", "html", "md"):  # half of these is a table
            with pytest.raises(ValueError, match=rf"scores.{ending} (cannot|can't|is no)"):
                read_frame(file)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "m,t\nÄ,1\n".encode("latin-1"), "not text in UTF-8; save it as CSV in UTF-8"),
        ("a.json", b'{"a": 1}', "is JSON, but no table"),
        ("a.json", b"[1, 2]", "is JSON, but no table"),
        ("a.md", b"no table here", "has no table in Markdown"),
        ("a.html", b"<p>no table here</p>", "a.html has no table"),
        ("a.csv", b"\n \n", "is empty"),
        ("a.csv", b",,\n,,\n", "is empty"),
    ],
)
def test_what_is_no_table_is_said_to_be_none(name, content, said, tmp_path):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=said):
        read_frame(tmp_path / name)


def test_of_several_tables_the_one_with_most_numbers_is_read_and_all_are_listed():
    other = "\n\n| x |\n|---|\n| 1 |\n"
    with pytest.warns(UserWarning, match="2 tables; 1, the one with the most"):
        found = read_frame((MARKDOWN + other).encode())
    assert_frame_equal(found, EXPECTED, check_index_type=False)
    with pytest.warns(UserWarning, match="2 tables"):
        found = read_frame(f"<html>{HTML}<table><tr><td>1</td></tr></table></html>".encode())
    assert_frame_equal(found, EXPECTED, check_index_type=False)
    book = io.BytesIO()
    with pd.ExcelWriter(book) as writer:
        SCORES.reset_index().to_excel(writer, index=False, sheet_name="scores", startrow=2)
        pd.DataFrame({"x": [1]}).to_excel(writer, sheet_name="notes")
    with pytest.warns(UserWarning, match="2 tables; 1, .* 1 'scores'"):
        found = read_frame(book.getvalue())
    assert_frame_equal(found, EXPECTED, check_index_type=False)


def test_remarks_behind_a_hash_are_set_aside_and_told():
    with pytest.warns(UserWarning, match="set aside as a remark, by the # before it: lines 1, 4$"):
        found = read_table(b"# run of May\nm,t\nA,1\n# failed\n#3,2\n")
    assert found["m"].tolist() == ["A", "#3"]
    assert read_table(b"#,m,t\n1,A,3\n").columns.tolist() == ["#", "m", "t"]
    assert read_table(b'm,t\n"A\n#x",1\n')["m"].tolist() == ["A\n#x"]


@pytest.mark.parametrize(
    ("content", "aside", "systems"),
    [
        (b"# made, by, us\nm,a,b\nA,1,2\nB,2,3\n", "line 1", "AB"),
        (b"m,a,b\nA,1,2\n#B,2,3\nC,3,4\n", "line 3", "AC"),
        (b"#m,a,b\nA,1,2\nB,2,2\n", None, "AB"),
        (b"m,a,b\n#1,1,2\n#2,2,2\n", None, ["#1", "#2"]),
        (b"#m,g,g\n,t,u\nA,1,2\nB,3,4\n", None, "AB"),
    ],
)
def test_a_remark_may_have_as_many_cells_as_the_table(content, aside, systems):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert list(read_frame(content).index) == list(systems)
    assert [str(one.message).rpartition(": ")[2] for one in said] == [aside] * (aside is not None)


@pytest.mark.parametrize("orient", ["split", "columns"])
def test_groups_of_pandas_json_stay_groups(orient):
    scores = SCORES.iloc[:, :2].set_axis(pd.MultiIndex.from_product([["g"], ["t", "u"]]), axis=1)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*names within names")
        read = read_frame(scores.to_json(orient=orient).encode())
    assert list(read.columns) == [("g", "t"), ("g", "u")]
    assert isinstance(read.columns, pd.MultiIndex)
    np.testing.assert_array_equal(read, scores)


def test_empty_cells_at_the_ends_of_markdown_are_cells():
    page = b"|  | t | u | |\n|---|---|---|---|\n| A **(tuned)** | 1 | 2 | |\n| B | | **3** | x |\n"
    found = read_table(page)
    assert found.columns.tolist() == ["", "t", "u", ""]
    assert found.to_numpy().tolist() == [["A (tuned)", "1", "2", ""], ["B", "", "3", "x"]]


def test_tables_of_helm_are_read_like_others():
    header = [{"value": "Model"}, {"value": "t", "lower_is_better": True}]
    table = {"header": header, "rows": [[{"value": "A"}, {"value": 0.5}], [{"value": "B"}, {}]]}
    efficiency = {"title": "Efficiency", "header": header, "rows": []}
    tables = json.dumps([efficiency, {**table, "title": "Accuracy"}]).encode()
    with pytest.warns(UserWarning, match="lower is better on 't'; name them in lower_is_better"):
        assert read_frame(tables)["t"].fillna(-1).to_dict() == {"A": 0.5, "B": -1}


def test_tables_within_json_are_tasks_of_their_names():
    """The data of SWE-bench's website: swe-bench.github.io, data/leaderboards.json."""

    def entry(name, resolved):
        about = {"folder": f"2025_{name}", "date": "2025-06-05", "os_model": False, "tags": ["x"]}
        return {"name": name, "resolved": resolved, **about, "site": None}

    boards = [
        {"name": "Test", "results": [entry("A", 41.98), entry("B", 37.1)]},
        {"name": "Lite", "results": [entry("B", 50.0), entry("C", 12)]},
    ]
    with pytest.warns(UserWarning, match="'folder', 'date', 'os_model', 'tags', 'site'"):
        scores = read_frame(json.dumps({"leaderboards": boards}).encode())
    assert scores.attrs["score"] == "resolved"
    assert scores.loc[["A", "B", "C"], ["Test", "Lite"]].fillna(0).to_numpy().tolist() == [
        [41.98, 0],
        [37.1, 50],
        [0, 12],
    ]


def test_a_table_within_a_record_of_scores_is_none_of_tasks():
    records = [{"name": name, "t": 1.5, "runs": [{"x": 1}]} for name in "AB"]
    with pytest.warns(UserWarning, match=r"'runs' \(words\)"):
        assert read_frame(json.dumps(records).encode())["t"].to_dict() == {"A": 1.5, "B": 1.5}


def test_rows_under_their_names_are_found_beside_settings():
    rows = {"A": {"by": "x", "t": 1.5, "u": 2}, "B": {"by": "y", "t": 2.5, "u": 1}}
    for content in (
        {"results": rows},
        {"date": "2026-01-01", "results": rows, "config": {"shots": 5, "seeds": {"t": 1}}},
        {"run": {"config": {"shots": 5}, "results": rows}},
    ):
        with pytest.warns(UserWarning, match="'by'"):
            scores = nbrank.read(json.dumps(content).encode()).scores
        assert scores.to_dict("index") == {"A": {"t": 1.5, "u": 2}, "B": {"t": 2.5, "u": 1}}


def test_of_several_such_tables_the_one_with_the_most_numbers_is_read():
    few = {"A": {"by": "x", "v": 1}, "B": {"by": "y", "v": 2}}
    rows = {"A": {"by": "x", "t": 1.5, "u": 2}, "B": {"by": "y", "t": 2.5, "u": 1}}
    content = json.dumps({"versions": few, "results": rows}).encode()
    with warnings.catch_warnings(record=True, action="always") as said:
        assert [*nbrank.read(content).tasks] == ["t", "u"]
    assert "2, the one with the most numbers, is read" in str(said[0].message)


def test_one_models_results_of_the_harness_are_refused_with_their_reader(tmp_path):
    results = {task: {"acc,none": 0.5, "alias": task} for task in ("arc_easy", "hellaswag")}
    content = {"results": results, "versions": {"arc_easy": 1, "hellaswag": 1}}
    with pytest.raises(ValueError, match=r"results of one model.* nbrank\.readers\.lm_eval$"):
        nbrank.read(json.dumps(content).encode())
    for model in ("A", "B"):
        (tmp_path / model).mkdir()
        text = json.dumps({**content, "model_name": model})
        (tmp_path / model / "results_2026-01-01T00-00-00.json").write_text(text)
    assert nbrank.readers.lm_eval(tmp_path, metric="acc").shape == (2, 2)


def test_entities_in_markdown_are_letters():
    page = b"| | t |\n|---|---|\n| &nbsp;A &amp; B | 1 &plusmn; 0.1 |\n| C | 2 &plusmn; 0.2 |\n"
    board = nbrank.read(page)
    assert board.systems.tolist() == ["A & B", "C"]
    assert board.errors["t"].tolist() == [0.1, 0.2]


def test_torn_lines_of_json_are_named_by_their_numbers():
    lines = ['{"m": "A", "t": 1}', '{"m": "B", "t": ', '{"m": "C", "t": 3}', "}"]
    with pytest.raises(ValueError, match=r"is not JSON: in lines 2, 4; write it again"):
        read_table("\n".join(lines).encode())
    with pytest.raises(ValueError, match=r"is not JSON: in lines 1, 3; write it again"):
        read_table(b'{"m": "A"\n{"m": "B", "t": 1}\n{"m": "C"\n')
    with pytest.raises(ValueError, match=r"is not JSON: .* line 2 column 1"):
        read_table(b'{"m": [1,\n}')


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz"])
@pytest.mark.parametrize(
    "torn", [lambda b: b[:-9], lambda b: b[:10] + bytes([b[10] ^ 255]) + b[11:]]
)
def test_a_torn_packed_file_is_refused_by_its_name(tmp_path, ending, torn):
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}[ending]
    path = tmp_path / f"scores.csv.{ending}"
    path.write_bytes(torn(pack(b"m,t\nA,1\nB,2\n" * 9)))
    with pytest.raises(ValueError, match=f"scores.csv.{ending} can't be unpacked: .*; pack it"):
        read_table(path)


def test_rows_of_json_with_too_few_or_too_many_cells_are_refused():
    split = {"columns": ["m", "t"], "data": [["A", 1], ["B", 2, 3]]}
    with pytest.raises(ValueError, match="3 cells in line 3, for 2 names"):
        read_table(json.dumps(split).encode())
    split = {"columns": ["t"], "index": ["A", "B"], "data": [[1]]}
    with pytest.raises(ValueError, match="1 cell in line 3, for 2 names"):
        read_table(json.dumps(split).encode())


def test_all_ragged_lines_are_named():
    ragged = r"1 cell in line 2, for 2 names above them \(not 2 either: lines 4, 5\)"
    with pytest.raises(ValueError, match=ragged):
        read_table(b"m,t\nA\nB,1\nC\nD,1,2\n")


def test_records_of_records_are_systems_with_the_metrics_of_their_tasks():
    text = (
        '{"A": {"arc": {"acc": 0.5, "acc_stderr": 0.1}, "wiki": {"word_perplexity": 9}}, '
        '"B": {"arc": {"acc": 0.6, "acc_stderr": 0.1}, "wiki": {"word_perplexity": 8}}}'
    )
    with pytest.warns(UserWarning, match="'arc.acc_stderr' .standard errors"):
        board = nbrank.read(text.encode())
    assert list(board.tasks) == ["arc.acc", "wiki.word_perplexity"]
    assert board.lower_is_better == ("wiki.word_perplexity",)


def test_rows_deep_in_records_are_found():
    text = (
        '{"datasets": [{"dataset": "ImageNet", "sota": {"metrics": ["Top 1"], "rows": ['
        '{"model_name": "A", "metrics": {"Top 1": "91%"}}, '
        '{"model_name": "B", "metrics": {"Top 1": "90%"}}]}}]}'
    )
    frame = read_table(text.encode())
    assert frame["task"].tolist() == ["ImageNet", "ImageNet"]
    assert frame["metrics.Top 1"].tolist() == ["91%", "90%"]


def test_merged_names_above_two_columns_are_groups_of_both():
    from openpyxl import Workbook

    book, content = Workbook(), io.BytesIO()
    rows = [["Results"], [], ["Team", "Quality", None, "Cost", None], ["", "acc", "f1", "EUR", "h"],
            ["A", 1, 2, 3, 4], ["B", 2, 1, 4, 3]]  # fmt: skip
    for row in rows:
        book.active.append(row)
    for area in ("A1:E1", "B3:C3", "D3:E3"):
        book.active.merge_cells(area)
    book.save(content)
    with pytest.warns(UserWarning, match="title: line 1"):
        board = nbrank.read(content.getvalue(), lower_is_better=["EUR", "h"])
    assert list(board.groups) == ["Quality", "Cost"]
    assert [task[1] for task in board.tasks] == ["acc", "f1", "EUR", "h"]
