"""Files of scores: read as they are, or refused with what is wrong; nothing moves silently.

What the command line reads, tests/test_cli.py tries; here, what a caller of the functions gets.
"""

import csv
import gzip
import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from nbrank.datasets import load_llm_chat
from nbrank.readers.score_files import NOT_EVALUATED, read_cells, read_scores
from nbrank.votes.leaderboard import Leaderboard


def test_a_file_and_its_content_read_the_same(tmp_path):
    content = b"model,t1,t2\nA,1,2\nB,3,\n"
    (tmp_path / "scores.csv").write_bytes(content)
    assert_frame_equal(read_scores(content), read_scores(str(tmp_path / "scores.csv")))


def test_systems_keep_their_names():
    scores = read_scores("model,t\n007,1\nNA,2\nÄ,3\n".encode())
    assert list(scores.index) == ["007", "NA", "Ä"]
    assert scores["t"].tolist() == [1, 2, 3]


@pytest.mark.parametrize("cell", NOT_EVALUATED)
def test_a_cell_without_a_score_is_missing(cell):
    assert read_scores(f"model,t,u\nA,{cell},1\n".encode())["t"].isna().all()


def test_what_pandas_writes_is_read_back_with_its_groups():
    chat = load_llm_chat()
    with pytest.warns(UserWarning, match="the row 'system' under the names is empty"):
        read = read_scores(chat.to_csv().encode(), groups=True)
    assert_frame_equal(read, chat, check_names=False, check_index_type=False)


def test_two_header_rows_and_nothing_below_are_a_table_without_systems():
    assert read_scores(b",a\nmodel,t\n", groups=True).shape == (0, 1)


def test_a_row_longer_than_the_names_is_refused_and_not_read_one_place_off():
    with pytest.raises(ValueError, match="the file has 3 cells in line 2, for 2 names above them"):
        read_scores(b"model,t\nA,1,2\nB,3,4\n")


@pytest.mark.parametrize(
    ("content", "cells", "line"),
    [
        (b"model,t,u\nA,1,2\nB,3\n", 2, 3),
        (b"model,t,u\nA\nB,3,4\n", 1, 2),
        (b"model,t,u\r\n\r\n \r\nA,1,2\r\nB,3", 2, 5),
        # A name over two lines, and one with a comma.
        (b'model,t,u\n"A\n1",1,2\n"B,1",3\n', 2, 4),
        (b"model,t,u\n" + b"long" * 50_000 + b",1\n", 2, 2),
    ],
)
def test_a_row_shorter_than_the_names_is_refused_and_not_filled(content, cells, line, tmp_path):
    said = f"{cells} cells? in line {line}, for 3 names above them; give each row as many"
    with pytest.raises(ValueError, match=said):
        read_scores(content)
    with pytest.raises(ValueError, match=said):
        read_cells(content, texts=lambda names: range(len(names)))
    for ending, opened in ((".csv", open), (".csv.gz", gzip.open)):
        with opened(tmp_path / f"scores{ending}", "wb") as file:
            file.write(content)
        with pytest.raises(ValueError, match=f"scores{ending} has {said}"):
            read_scores(str(tmp_path / f"scores{ending}"))
    (tmp_path / "scores.tsv").write_bytes(content.replace(b",", b"\t"))
    with pytest.raises(ValueError, match=said):
        read_scores(str(tmp_path / "scores.tsv"))


def test_rows_that_end_in_empty_cells_and_blank_lines_are_read():
    scores = read_scores(b'model,t,u\n\n"A\n1",1,\n  \nB,,""\n')
    assert list(scores.index) == ["A\n1", "B"]
    assert scores["u"].isna().all()


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

    def read():
        return read_cells(written.getvalue().encode(), texts=lambda names: [0, 1, 2])

    if all(len(row) == 3 for row in rows):
        assert read().to_numpy().tolist() == rows
    else:
        with pytest.raises(ValueError, match="cells"):
            read()


@pytest.mark.parametrize("beside", ["", "0.5", "1e300"])
def test_integers_that_floats_cannot_tell_apart_are_refused_beside_any_other_cell(beside):
    with pytest.raises(ValueError, match=r"'t' holds 9007199254740993 in the row 'A'.*rescale"):
        read_scores(f"s,t\nA,9007199254740993\nB,9007199254740992\nC,{beside}\n".encode())


def test_integers_that_floats_cannot_tell_apart_are_refused_beside_a_gap_in_parquet(tmp_path):
    file = tmp_path / "scores.parquet"
    large = pa.array([2**53 + 1, 2**53, None], pa.int64())
    pq.write_table(pa.table({"s": ["A", "B", "C"], "t": large, "u": [1e300, 2, None]}), file)
    scores = read_scores(str(file), index_col="s")
    assert scores["u"].tolist()[:2] == [1e300, 2.0]
    with pytest.raises(ValueError, match=r"'t' holds integers from 2 \*\* 53 on"):
        Leaderboard(scores)


def test_large_numbers_that_are_no_integers_are_read_beside_a_gap():
    assert read_scores(b"s,t\nA,1e300\nB,2\nC,\n")["t"].tolist()[:2] == [1e300, 2.0]


@pytest.mark.parametrize(
    "content",
    [
        b"model,t,u\nA,1,2\nB,3,4\n",
        b",t,u\nA,1,-\nB,3,4\n",
        b"system,instance,t\nA,i1,2\nA,i2,4\n",
        b"model,t,t\nA,1,2\nB,3,4\n",
    ],
)
def test_groups_of_a_file_with_one_row_of_names_are_refused(content):
    with pytest.raises(ValueError, match="one row of names, it seems.* row of 'A' below holds '"):
        read_scores(content, groups=True)


@pytest.mark.parametrize(
    ("content", "columns"),
    [
        (b",a,b\nmodel,t,u\nA,1,2\n", [("a", "t"), ("b", "u")]),
        (b",a,a\nmodel,2019,2020\nA,1,2\n", [("a", "2019"), ("a", "2020")]),
        (b",a,,b\nmodel,1,2,3\nA,1,2,3\n", [("a", "1"), ("a", "2"), ("b", "3")]),
    ],
)
def test_tasks_of_two_rows_of_names_may_be_called_by_numbers(content, columns):
    assert list(read_scores(content, groups=True).columns) == columns


def test_a_parquet_file_that_is_none_or_torn_is_named_with_the_reason(tmp_path):
    file = tmp_path / "scores.parquet"
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: '.*scores.parquet'"):
        read_scores(str(file))
    file.write_bytes(b"")
    with pytest.raises(ValueError, match=r"scores.parquet cannot be read as Parquet: .*0 bytes"):
        read_scores(str(file))
    pd.DataFrame({"t": [1.0, 2]}, index=["A", "B"]).to_parquet(file)
    content = bytearray(file.read_bytes())
    content[4:24] = b"\xff" * 20
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"scores.parquet cannot be read as Parquet: .*; write"):
        read_scores(str(file))


def test_a_name_that_is_there_twice_stays_so():
    assert list(read_cells(b"model,t,t\nA,1,2\n", lambda names: [0]).columns) == [
        "model",
        "t",
        "t",
    ]


def test_a_column_without_a_name_is_counted_out():
    with pytest.raises(ValueError, match="column 2 has no name; name it"):
        read_scores(b"model,,t\nA,1,2\n")
    assert list(read_scores(b"model,,t\nA,1,2\n", drop=[""]).columns) == ["t"]


def test_other_columns_can_name_the_systems():
    scores = read_scores(b"rank,model,t\n1,A,3\n", index_col="model", drop=["rank"])
    assert_frame_equal(
        scores,
        pd.DataFrame({"t": [3]}, index=pd.Index(["A"], name="system")),
        check_index_type=False,
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"m,t\nA,1\nB,1,2\n", "no table whose rows have as many cells as there are names"),
        ("m,t\nÄ,1\n".encode("latin-1"), "no text in UTF-8; save it as CSV in UTF-8"),
        (b"m;t\nA;1\n", "parts its cells by semicolons, .* 'm;t'; save it with commas"),
        (b"m,t,u\nA,1,2\nB,3,x\n", "'u' holds 'x' in the row 'B'; leave out columns"),
        (
            b"m,t,u,v\nA,x,1,\nB,3,2,y\n",
            "but 't' holds 'x' in the row 'A', and 'v' holds 'y' in the row 'B'; leave out columns",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_what_to_do_to_it(content, reason):
    with pytest.raises(ValueError, match=reason):
        read_scores(content)
