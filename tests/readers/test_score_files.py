"""Files of scores: read as they are, or refused with what is wrong; nothing moves silently.

What the command line reads, tests/test_cli.py tries; here, what a caller of the functions gets.
"""

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from nbrank.datasets import load_llm_chat
from nbrank.readers.score_files import NOT_EVALUATED, read_cells, read_scores


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
    with pytest.raises(ValueError, match="the file has more cells in a row than the 2 names"):
        read_scores(b"model,t\nA,1,2\nB,3,4\n")


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
    ],
)
def test_a_wrong_file_is_refused_with_what_to_do_to_it(content, reason):
    with pytest.raises(ValueError, match=reason):
        read_scores(content)
