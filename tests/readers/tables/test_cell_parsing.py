"""Cells with a figure beside the score: the score, and its standard error."""

import math

import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables.cell_parsing import parse_cell, parse_interval
from nbrank.readers.tables.latex_markup import strip_latex
from nbrank.readers.tables.missing_marks import mark_missing
from nbrank.readers.tables.raw_table import RawTable


def test_marks_between_thousands_are_no_digits():
    assert parse_cell("22'720").score == parse_cell("22’720").score == 22720
    assert parse_cell("5'11") is None


def test_a_percent_sign_may_stand_behind_the_error():
    assert parse_cell("72.37 ± 0.41%") == parse_cell("72.37% ± 0.41")


@pytest.mark.parametrize(
    "cell",
    [
        "85.2 ± 0.3", "85.2+0.3", "85.2 + 0.3", "85.2_{0.3}", r"$85.2 \pm 0.3$", r"85.2 $\pm$ 0.3",
        r"$85.2_{\pm 0.3}$", r"$85.2^{\pm 0.3}$",
        r"\textbf{85.2} $\pm$ 0.3", r"85.2{\tiny $\pm$0.3}",
        r"\textbf{85.2$\pm$0.3}", r"$\mathbf{85.2}_{0.3}$",
        r"\(85.2 \pm 0.3\)", "85.2<sub>±0.3</sub>",
        r"\cellcolor{gray!20}\underline{85.2}$_{0.3}$", "85.2(0.3)", "**85.2** (±0.3)", "85.2±.3",
    ],
)  # fmt: skip
def test_an_error_is_kept_however_it_is_written(cell):
    assert (parse_cell(cell).score, parse_cell(cell).error) == (85.2, 0.3)


@pytest.mark.parametrize(
    "cell",
    [r"\textbf{85.2}", r"{\bf 85.2}", r"$85.2$", r"\underline{85.2}$^{*}$", r"85.2$^\dagger$"],
)
def test_latex_alone_is_no_error(cell):
    assert parse_cell(cell).score == 85.2
    assert math.isnan(parse_cell(cell).error)


@pytest.mark.parametrize(
    "cell",
    [
        "85.2 [84.2, 86.2]", "85.2 (84.2, 86.2)", "85.2 [84.2–86.2]", "85.2 [84.2-86.2]",
        "85.2 (95% CI: 84.2, 86.2)", "85.2 [84.2; 86.2]", "85.2 [84.2 to 86.2]",
        "85.2 (-1.0, +1.0)", "85.2 (−1.0, 1.0)",
    ],
)  # fmt: skip
def test_an_interval_is_an_error_of_half_its_width_by_1_96(cell):
    assert parse_cell(cell).score == 85.2
    assert parse_cell(cell).error == pytest.approx(1 / 1.959964)


@pytest.mark.parametrize(
    "cell", ["85.2 [3, 4]", "1+1", "1-0", "3/2-4", "85 [x, y]", "8x22B", "a_{b}"]
)
def test_what_is_no_score_stays_none(cell):
    assert parse_cell(cell) is None


@pytest.mark.parametrize("cell", ["nan+nan", "nan ± nan", "- ± -", "n/a", "NaN±NaN", "$-$"])
def test_a_missing_score_may_have_a_missing_error(cell):
    assert math.isnan(parse_cell(cell).score)


def test_a_number_to_the_power_has_no_error():
    assert math.isnan(parse_cell("10$^{3}$").error)


def test_intervals_in_a_column_of_their_own_are_errors():
    frame = pd.DataFrame(
        {
            "score": [82.6, 79.3],
            "CI": ["(-1.9, +2.0)", "[-2.0, 1.9]"],
            "90% CI": ["80.0, 83.0", "[78.0–81.0]"],
            "range": ["[1, 2]", ""],
        }
    )
    table = RawTable.from_frame(frame)
    assert table.parse_errors("CI").tolist() == pytest.approx([1.95 / 1.959964] * 2)
    assert table.parse_errors("90% CI").tolist() == pytest.approx([1.5 / 1.644854] * 2)
    assert table.parse_errors("range")[0] == pytest.approx(0.5 / 1.959964)
    assert math.isnan(table.parse_errors("range")[1])


def test_a_decimal_comma_is_no_interval():
    assert parse_interval("0,3") is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"\multirow{2}{*}{Ours \cite{a}}", "Ours"),
        (r"\multicolumn{3}{c}{\textsc{Noise}}", "Noise"),
        (r"\href{https://a.b}{GPT}", "GPT"),
        (r"\textcolor{red}{85.2}", "85.2"),
        (r"FID $\downarrow$", "FID ↓"),
        (r"ResNet\_50", "ResNet_50"),
    ],
)
def test_latex_shows_its_text(text, shown):
    assert strip_latex(text) == shown


def test_marks_count_in_columns_of_scores_only():
    frame = pd.DataFrame(
        {"driver": ["DNS", "B", "C"], "t": ["DNS", "**ret**", "3"], "u": [-99.0, 2, 1], "v": "DNS"}
    )
    marked = mark_missing(frame, ["DNS", "Ret", -99])
    assert marked["driver"].tolist() == ["DNS", "B", "C"]
    assert marked["t"].isna().tolist() == [True, True, False]
    assert marked["u"].isna().tolist() == [True, False, False]
    assert marked["v"].isna().all()
    assert frame["t"].tolist() == ["DNS", "**ret**", "3"], "the frame is left alone"


def test_a_mark_is_one_word_or_several():
    frame = pd.DataFrame({"m": ["A", "B"], "t": ["??", "3"]})
    assert mark_missing(frame, "??")["t"].isna().tolist() == [True, False]
    assert mark_missing(frame, []) is frame


def test_decimal_commas_and_escaped_marks_of_markdown_are_read():
    page = "| m | t | u |\n|---|---|---|\n| A | **41,8795** | 0,5 % |\n| B | 42,1\\* | 0,7 % |\n"
    assert nbrank.read(page.encode()).scores.to_numpy().tolist() == [[41.8795, 0.5], [42.1, 0.7]]


def test_a_number_and_one_unit_in_all_cells_is_a_number():
    page = "|m|speed|RMSD|t|\n|-|-|-|-|\n|A|1.5 MB/s|8.19Å|1 078|\n|B|36.6 GB/s|7.5Å|1 049|\n"
    board = nbrank.read(page.encode())
    assert board.scores.loc["B"].tolist() == [36600, 7.5, 1049]
    assert not board.reading.doubts


def test_thousands_of_a_rate_are_no_sizes():
    board = nbrank.read(b"m,ops/sec\nA,14.3M\nB,900k\n")
    assert board.scores["ops/sec"].tolist() == [14.3e6, 9e5]


def test_thousands_per_item_are_sizes():
    with pytest.warns(UserWarning, match="Tokens/solved"):
        board = nbrank.read(b"m,acc,Tokens/solved\nA,.5,170k\nB,.6,229k\n")
    assert board.tasks.tolist() == ["acc"]


def test_points_separate_thousands_where_commas_are_decimal():
    board = nbrank.read(b"m;t\nA;125.300,50\nB;1.250\n")
    assert board.scores["t"].tolist() == [125300.5, 1250]


@pytest.mark.parametrize("cells", ["85.2 (1);84.9 (2);82.1 (3)", "4 (2);9 (1);2 (3)"])
def test_places_in_brackets_are_no_errors(cells):
    rows = [f"|{name}|{cell}|" for name, cell in zip("ABC", cells.split(";"), strict=True)]
    board = nbrank.read("\n".join(["|m|t|", "|-|-|", *rows]).encode())
    assert board.errors is None
    assert board.reading["why"].tolist() == ["", "assumed; without the numbers in brackets"]


def test_a_longer_comma_is_a_decimal_one_also_beside_a_minus_and_a_bound():
    page = "|m|n|s|t|p|\n|-|-|-|-|-|\n|A|8.078|**2,13079**|−6,25|<0,0001|\n|B|8.078|2,1|−5|0,4|\n"
    board = nbrank.read(page.encode(), roles={"p": "description", "n": "description"})
    assert board.scores["s"].tolist() == [2.13079, 2.1]
    assert board.scores["t"].tolist() == [-6.25, -5]


def test_errors_in_brackets_are_said():
    board = nbrank.read(b"m,t\nA,85.2 (0.3)\nB,84.9 (0.2)\n")
    assert "as standard errors" in board.reading.set_index("column").loc["t", "why"]


def test_powers_of_ten_in_latex_are_numbers():
    assert parse_cell(r"$1.04 \times 10^{-3}$").score == 0.00104


def test_decimal_commas_anywhere_make_points_separate_thousands():
    text = "m;acc;load\nA;0,97;850\nB;0,96;1.250\n"
    assert nbrank.read(text.encode()).scores["load"].tolist() == [850, 1250]
    page = "|m|R2|RMSE|\n|-|-|-|\n|A|0,97|5.460|\n|B|0,95|3.045,00|\n"
    assert nbrank.read(page.encode()).scores.loc["A"].tolist() == [0.97, 5460]
    with pytest.warns(UserWarning, match="'1.250', which is read as 1.25; if its point parts"):
        nbrank.read(b"m\tt\nA\t850\nB\t1.250\n")


def test_figures_have_units_errors_scales_and_signs_behind_them():
    rows = "58.6 ± 1.5 ms|180.2B ops/sec|0.67 ⭐|7/10;79.6 ± 4 ms|2.3B ops/sec|0.45|7.5/10"
    page = "|m|time|rate|s|marks|\n|-|-|-|-|-|\n" + "".join(
        f"|{name}|{row}|\n" for name, row in zip("AB", rows.split(";"), strict=True)
    )
    board = nbrank.read(page.encode(), lower_is_better=["time"])
    assert board.scores["time"].tolist() == pytest.approx([0.0586, 0.0796])
    assert board.errors["time"].tolist() == pytest.approx([0.0015, 0.004])
    assert board.scores["rate"].tolist() == pytest.approx([180.2e9, 2.3e9])
    assert board.scores[["s", "marks"]].to_numpy().tolist() == [[0.67, 0.7], [0.45, 0.75]]


def test_a_superscript_is_no_digit_and_a_figure_with_commas_no_ballot():
    board = nbrank.read(b"m,t,r\nA,40,64\xc2\xb2\nB,8,1024\xc2\xb2\n", roles={"r": "description"})
    assert board.tasks.tolist() == ["t"]
    page = "|m|span|\n|-|-|\n|A|~14,500,000|\n|B|~7,000,000|\n"
    with pytest.warns(UserWarning, match="not exact"):
        assert nbrank.read(page.encode()).scores["span"].tolist() == [14.5e6, 7e6]


def test_a_unit_may_stand_on_both_sides_of_its_error_and_a_share_beside_its_count():
    rows = ["|m|length|hits|speed|", "|-|-|-|-|", "|A|75.0m ± 12.3m|8/17 (47.1%)|3674/s|",
            "|B|78.0m ± 11.5m|11/17 (64.7%)|3909/s|"]  # fmt: skip
    board = nbrank.read("\n".join(rows).encode())
    assert board.scores["length"].tolist() == [75, 78]
    assert board.errors["length"].tolist() == [12.3, 11.5]
    assert board.scores["hits"].round(3).tolist() == [0.471, 0.647]
    assert board.scores["speed"].tolist() == [3674, 3909]
    with pytest.warns(UserWarning, match="'params' .sizes"):
        assert nbrank.read(b"m,params,t\nA,14.3m,1\nB,7m,2\n").tasks.tolist() == ["t"]
