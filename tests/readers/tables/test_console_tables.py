"""Tables as programs print them: in boxes, over dashes, and lines of figures with their units."""

import warnings

import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables.console_tables import list_console_tables
from nbrank.readers.tables.table_files import read_table

SCORES = pd.DataFrame(
    [["cadical 2021", 276, 0.85], ["kissat", 287, 0.91], ["glucose", 241, 0.77]],
    columns=["Solver", "Solved", "Our score"],
)
ROWS = [[*SCORES], *([str(cell) for cell in row] for row in SCORES.to_numpy().tolist())]
WIDTHS = [max(map(len, column)) for column in zip(*ROWS, strict=True)]


def cells(text):
    frame = read_table(text.encode())
    return [list(frame.columns), *frame.astype(str).to_numpy().tolist()]


def line(row, left, between, right):
    padded = [cell.ljust(width) for cell, width in zip(row, WIDTHS, strict=True)]
    return f"{left} {f' {between} '.join(padded)} {right}"


def rule(sign, left="+", between="+", right="+"):
    return left + between.join(sign * (width + 2) for width in WIDTHS) + right


def box(sides, above, below_names, between_rows, below):
    """Draw the table with these sides, and with these rules, of which some may be None."""
    lines = [above, line(ROWS[0], *sides), below_names]
    for row in ROWS[1:]:
        lines += [line(row, *sides), between_rows]
    return "\n".join(filter(None, [*lines[:-1], below]))


BOXES = {
    "plus and minus": box("|||", rule("-"), rule("-"), None, rule("-")),
    "a grid of reStructuredText": box("|||", rule("-"), rule("="), rule("-"), rule("-")),
    "light lines": box("│││", rule("─", *"┌┬┐"), rule("─", *"├┼┤"), None, rule("─", *"└┴┘")),
    "heavy lines": box("┃┃┃", rule("━", *"┏┳┓"), rule("━", *"┡╇┩"), None, rule("━", *"┗┻┛")),
    "double lines": box("║║║", rule("═", *"╔╦╗"), rule("═", *"╠╬╣"), None, rule("═", *"╚╩╝")),
    "no sides": box(" | ", None, rule("-", " ", "+", " "), None, None),
    "no bars": box("   ", None, rule("─", *"───"), None, None),
    "rules above and below": box("   ", rule("-", *"---"), rule("-", *"---"), None, rule("-")),
    "dashes below each name": box("   ", None, rule("-", "", " ", ""), None, None),
    "a simple table of reStructuredText": box(
        "   ", rule("=", "", " ", ""), rule("=", "", " ", ""), None, rule("=", "", " ", "")
    ),
}


@pytest.mark.parametrize("text", BOXES.values(), ids=BOXES)
def test_a_drawn_table_is_read_as_its_cells(text):
    assert cells(text) == ROWS


@pytest.mark.parametrize("text", BOXES.values(), ids=BOXES)
def test_a_drawn_table_is_read_within_a_text(text):
    around = f"# Results\n\nWe ran three solvers.\n\n```\n{text}\n```\n\nThat took a day.\n"
    assert cells(around) == ROWS


def test_a_title_above_the_bars_is_no_row():
    assert cells("Results of the night\n" + BOXES["light lines"]) == ROWS


def test_types_below_the_names_of_polars_are_no_row():
    dashes, types = ["---", "---", "---"], ["str", "i64", "f64"]
    lines = [
        rule("─", *"┌┬┐"),
        *(line(row, "│", "┆", "│") for row in (ROWS[0], dashes, types)),
        rule("═", *"╞╪╡"),
        *(line(row, "│", "┆", "│") for row in ROWS[1:]),
        rule("─", *"└┴┘"),
    ]
    assert cells("shape: (3, 3)\n" + "\n".join(lines)) == ROWS


@pytest.mark.parametrize(
    "text",
    [
        str(SCORES),
        str(SCORES.set_index("Solver")),
        str(SCORES.rename_axis(index="row")).replace("row", ""),
    ],
)
def test_frames_that_pandas_prints_are_read_without_the_numbers_of_rows(text):
    assert cells(text + "\n") == ROWS


def test_cells_of_several_lines_are_joined():
    text = (
        "+-------+------+\n| model | task |\n|       | one  |\n+=======+======+\n"
        "| A     | 0.5  |\n+-------+------+\n| B     | 0.7  |\n|       | old  |\n+-------+------+\n"
    )
    assert cells(text) == [["model", "task one"], ["A", "0.5"], ["B", "0.7 old"]]


def test_a_blank_line_does_not_end_a_table():
    text = "Model  MMLU  GSM8K\n------------------\nA      0.70  0.60\n\nB      0.85  0.90\n"
    assert cells(text)[1:] == [["A", "0.70", "0.60"], ["B", "0.85", "0.90"]]


def test_a_line_between_rows_that_has_no_cells_is_not_lost():
    text = (
        "Model  MMLU  GSM8K\n------------------\nA      0.70  0.60\n\nClosed\nB      0.85  0.90\n"
    )
    with pytest.warns(UserWarning, match="Closed"):
        board = nbrank.read(text.encode())
    assert [*board.scores.index] == ["A", "B"]


def test_a_report_in_sections_is_one_table():
    text = (
        "Queue Comparison\n================\nThreads: 16\n\n"
        "Benchmark         Queue  Mean(us) P99(us)  Rate\n"
        "-------------------------------------------------\n\n"
        "=== Baseline ===\n"
        "Single thread     Lock   0.29     0.40     284.52\n"
        "Single thread     EBR    0.51     3.10     172.25\n\n"
        "=== Contention ===\n"
        "Many threads (2P) Lock   24060.17  140355.37 60.52\n"
        "Many threads (2P) EBR    9213.51  14371.28 74.67\n"
    )
    assert [row for row in cells(text) if row[1]] == [
        ["Benchmark", "Queue", "Mean(us)", "P99(us)", "Rate"],
        ["Single thread", "Lock", "0.29", "0.40", "284.52"],
        ["Single thread", "EBR", "0.51", "3.10", "172.25"],
        ["Many threads (2P)", "Lock", "24060.17", "140355.37", "60.52"],
        ["Many threads (2P)", "EBR", "9213.51", "14371.28", "74.67"],
    ]


@pytest.mark.parametrize("width", [60, 1000])
def test_a_table_that_was_printed_in_part_is_read_with_a_warning(width):
    many = pd.DataFrame(
        {f"t{at}": range(100) for at in range(12)}, index=[f"s{n}" for n in range(100)]
    )
    with pd.option_context("display.width", width, "display.max_columns", 6):
        text = str(many)
    with pytest.warns(UserWarning, match="left out rows or columns"):
        frame = read_table(text.encode())
    assert "..." not in [*frame]
    assert len(frame) == 10


def test_figures_with_units_are_named_by_them():
    text = (
        "goos: linux\npkg: example.com/json\n"
        "BenchmarkStd-8     \t   10000\t    105123 ns/op\t   18344 B/op\n"
        "BenchmarkFast-8    \t   50000\t     21034 ns/op\t    9216 B/op\nPASS\n"
    )
    assert cells(text) == [
        ["benchmark", "ns/op", "B/op"],
        ["BenchmarkStd-8", "105123", "18344"],
        ["BenchmarkFast-8", "21034", "9216"],
    ]


def test_figures_with_units_below_names_are_cells_of_a_table():
    text = "model\tspeed\tacc\nA\t12 MB/s\t0.5\nB\t15 MB/s\t0.7\n"
    assert cells(text)[0] == ["model", "speed", "acc"]
    text = "model  speed    load\nA      12 MB/s  7 J/op\nB      15 MB/s  9 J/op\n"
    assert cells(text)[0] == ["model", "speed", "load"]


def test_a_sign_before_each_cell_tells_the_errors_of_the_scores():
    text = (
        "Benchmark   Mode   Score     Error   Units\n"
        "gson        thrpt  123.412 ± 2.101   ops/s\njackson     thrpt  456.120 ±  8.400   ops/s\n"
    )
    text = text.replace("± 2", "±   2")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        board = nbrank.read(text.encode())
    assert [*board.scores] == ["Score"]
    assert board.errors["Score"].tolist() == [2.101, 8.4]


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n---,---\n1,2\n",
        "Results\n=======\nNothing was run.\n",
        "A > B > C\nB > A > C\n",
        "x | y\n",
    ],
)
def test_what_has_no_names_over_rows_of_cells_is_no_drawn_table(text):
    assert not list_console_tables("f", text)
