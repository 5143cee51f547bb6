"""Tables in plain text: parted by blanks, without names, with blank rows and rows of names."""

import pytest

from nbrank.readers.tables.cell_parsing import parse_cell
from nbrank.readers.tables.table_files import list_tables, read_table


def cells(text, **options):
    frame = read_table(text.encode(), **options)
    return [list(frame.columns), *frame.astype(str).to_numpy().tolist()]


EXPECTED = [["model", "t1", "t2"], ["A", "1.5", "2"], ["B", "3", "Ret"]]


@pytest.mark.parametrize(
    "text",
    [
        "model t1 t2\nA 1.5 2\nB 3 Ret\n",
        "model  t1   t2\nA      1.5  2\nB      3    Ret\n",
        "model\t\tt1   t2\t\nA\t1.5   2\nB\t3\t\tRet\n",
        "model\t\tt1\tt2\nA\t1.5\t\t2\nB\t3\tRet\n",
        '"model" "t1" "t2"\n"A" 1.5 2\n"B" 3 "Ret"\n',
        "  model t1 t2\n  A 1.5 2\n\n  B 3 Ret\n",
    ],
)
def test_cells_may_be_parted_by_blanks(text):
    assert cells(text) == EXPECTED


def test_names_with_blanks_are_parted_by_two_or_quoted():
    wide = "model      t1   t2\nGPT 4 mini  1.5  2\nB one two   3    4\n"
    assert cells(wide)[1] == ["GPT 4 mini", "1.5", "2"]
    assert cells('model t1\n"GPT 4" 1.5\n"B" 3\n')[1] == ["GPT 4", "1.5"]


def test_rs_names_of_rows_have_no_name_above_them():
    assert cells("t1 t2\nA 1.5 2\nB 3 4\n") == [
        ["", "t1", "t2"],
        ["A", "1.5", "2"],
        ["B", "3", "4"],
    ]


def test_quotation_marks_around_the_names_of_ballots_are_no_part_of_them():
    lines = ['"Bush","Nader","Gore"', '"Nader","Bush","Gore"', '"Gore","Nader"', '"Bush","Gore"']
    assert cells("\n".join(lines))[1] == ["Bush,Nader,Gore"]


def test_commands_of_latex_that_stand_alone_are_names():
    rows = r"Data & \ours & $\Delta$ \\ \hdashline A & 1 & 2 \\ B & 3 & 1 \\ \hdashline"
    text = rf"\begin{{tabular}}{{lcc}} {rows} \end{{tabular}}"
    assert cells(text) == [["Data", "ours", "Δ"], ["A", "1", "2"], ["B", "3", "1"]]


def test_a_sentence_is_no_table():
    text = "There are 3 files.\nNo table here at all.\n"
    assert len(cells(text)[0]) == 1


def test_a_comma_that_parts_all_rows_comes_first():
    assert cells("model,t 1\nGPT 4,3\nB 2,4\n")[0] == ["model", "t 1"]


def test_a_table_without_names_gets_some_and_it_is_said():
    with pytest.warns(
        UserWarning, match="first row has no names, .* called 'column 1', 'column 2'"
    ):
        result = cells("73.4 0.134 HUMAN-B\n69.8 -0.026 JDE\n69 0.034 Online\n")
    assert result[0] == ["column 1", "column 2", "column 3"]
    assert result[1] == ["73.4", "0.134", "HUMAN-B"]


@pytest.mark.parametrize(
    "rows",
    [
        "keep\tmain\tdone\t320\nkeep\tmain\tleft\t9\nclose\tfork\tdone\t7\n",  # words come again
        "A,12,30,7\nB,14,34,6\nC,11,29,9\nD,9,31,8\n",  # numbers are among those below
    ],
)
def test_a_first_row_like_the_others_is_none_of_names(rows):
    with pytest.warns(UserWarning, match="first row has no names"):
        assert cells(rows)[0][0] == "column 1"


@pytest.mark.parametrize("names", ["model,1998,2002", "model,0.1,0.3", "noise,0.1,0.3", ",0.3,0.1"])
def test_numbers_may_be_names(names):
    assert cells(f"{names}\nA,1,3\nB,2,9\n")[0] == names.split(",")


def test_levels_below_groups_are_names():
    text = ",noise,noise,blur,blur\n,1,2,1,2\nA,0.9,0.8,0.7,0.6\nB,0.8,0.7,0.6,0.5\n"
    assert cells(text)[0] == ["", ("noise", "1"), ("noise", "2"), ("blur", "1"), ("blur", "2")]


def test_scores_below_names_are_no_levels():
    assert cells(",a,b,c\n,1,2,3\nB,2,3,4\n")[0] == ["", "a", "b", "c"]


def test_descriptions_beside_the_systems_have_no_group():
    text = "Method,,sMAPE,,MASE\nUser,Team,Y,Q,Y\n118,x,1.5,2.5,3\n72,y,3,4,5\n"
    assert cells(text)[0] == ["User", "Team", ("sMAPE", "Y"), ("sMAPE", "Q"), ("MASE", "Y")]


def test_blank_rows_and_rows_of_dashes_part_tables_in_markdown():
    text = "| m | t |\n|---|---|\n| A | 1 |\n| | |\n| --- | --- |\n|\n| B | 2 |\n"
    assert cells(text) == [["m", "t"], ["A", "1"], ["B", "2"]]


def test_blank_lines_between_the_rows_of_a_table_end_no_table():
    rows = ["| m | t |", "|---|---|", "| A | 1 |", "| B | 2 |"]
    assert cells("\n\n".join(rows) + "\n\nAn | end.\n") == [["m", "t"], ["A", "1"], ["B", "2"]]
    grouped = "\n".join([*rows, "", "| C | 3 |", ""])
    assert cells(grouped) == [["m", "t"], ["A", "1"], ["B", "2"], ["C", "3"]]


def test_names_above_dashes_begin_another_table_after_a_blank_line():
    text = "| m | t |\n|---|---|\n| A | 1 |\n| B | 2 |\n\n| m | u |\n|---|---|\n| C | 3 |\n"
    assert [table.n_rows for table in list_tables(text.encode())] == [2, 1]


def test_blocks_of_consoles_are_tables():
    text = (
        "**Arena**\n```console\nA-1  | score: 82.6  | 95% CI: (-1.8, 1.6)\n"
        "B    | score: 60.4  | 95% CI: (-3.3, 2.4)\n```\n"
    )
    assert cells(text + "\n") == [
        ["system", "score", "95% CI"],
        ["A-1", "82.6", "(-1.8, 1.6)"],
        ["B", "60.4", "(-3.3, 2.4)"],
    ]


def test_lists_in_cells_are_texts():
    assert cells('[{"m": "A", "t": [1, 2]}, {"m": "B", "t": [3]}]')[1] == ["A", "[1, 2]"]


def test_rows_of_another_length_are_named():
    rows = "".join(f"s{n} {n} 1\n" for n in range(9))
    with pytest.raises(ValueError, match="has 2 cells in line 11, for 3 names"):
        cells(f"model t1 t2\n{rows}short 1\n")


def test_games_of_chess_without_names_are_read():
    with pytest.warns(UserWarning, match="first row has no names"):
        result = cells("Aaron  Barcza  0-1\nBenko  Bisguier  1-0\nBarcza  Benko  1/2-1/2\n")
    assert result[1:][0] == ["Aaron", "Barcza", "0-1"]


def test_names_in_two_words_below_a_name_are_no_names_of_rows():
    assert cells("model t1 t2\nsystem A 1 2\nsystem B 3 4\n")[0] == ["model t1 t2"]


def test_rows_of_sums_with_fewer_cells_below_a_text_are_set_aside_and_named():
    rows = [f"l{at}\t{at}.5\t{9 - at}.5\t\t{at}" for at in range(12)]
    text = "\n".join(["Lang\tacc\tf1\t\t#n", *rows, "SMALL\t\t1\t2", "ALL\t\t3\t4"])
    with pytest.warns(UserWarning, match="set aside, with fewer cells .* lines 14, 15"):
        assert len(read_table(text.encode())) == 12
    with pytest.raises(ValueError, match="3 cells in line 14"):
        read_table(text.rpartition("\n")[0].encode())  # one such row may be a mistake


def test_columns_below_each_other_may_have_blanks_in_the_names_of_rows():
    text = "             t1 t2  t3\nA B (USA)  12.5  3 7.5\nC (GDR)     1.5 12 8.1\n"
    assert cells(text)[0] == ["", "t1", "t2", "t3"]
    assert cells(text)[1] == ["A B (USA)", "12.5", "3", "7.5"]


def test_a_printed_report_has_empty_cells_where_its_columns_stand():
    text = "             recall  f1-score\n\n       cat     0.80      0.85\n"
    text += "       dog     0.75      0.72\n"
    read = cells(f"{text}\n  accuracy               0.78\n macro avg     0.78      0.79\n")
    assert read[0] == ["", "recall", "f1-score"]
    assert read[3] == ["accuracy", "", "0.78"]


def test_a_printed_frame_numbers_its_rows():
    assert cells("  model  acc\n0     A  0.5\n1     B  0.6\n") == [
        ["model", "acc"], ["A", "0.5"], ["B", "0.6"],
    ]  # fmt: skip


def test_names_parted_by_one_blank_are_parted_as_the_rows_below():
    read = cells("  model  acc loss\n1     A 0.81  0.5\n2     B 0.83  0.4\n")
    assert read[:2] == [["model", "acc", "loss"], ["A", "0.81", "0.5"]]


def test_medals_and_blanks_behind_the_rule_of_a_table_are_no_cells():
    assert cells("| m | t |\n|---|---| \n| A | 1 |\n") == [["m", "t"], ["A", "1"]]
    assert parse_cell("🥇 26.10%").score == 26.1
