"""The chart of printed figures and ours: what each cell says, and in which colour."""

import pandas as pd

from nbrank import charts, experiments


def test_a_cell_holds_the_printed_figure_and_ours_where_it_is_another(rows_of):
    at = pd.MultiIndex.from_product([["1", "2"], ["a", "b"]], names=["row", "column"])
    published = pd.DataFrame({"published": [1.0, 2.0, 3.0, 4.0], "digits": [1, 2, 0, 0]}, at)
    ours = pd.DataFrame({"a": [1.04, 3.0], "b": [2.5, 4.0]}, index=["1", "2"])
    chart = charts.reproduction(experiments.reproduction(published, ours))
    told = [row["figures"] for row in rows_of(chart) if "figures" in row]
    assert told == ["1.0", "2.00 → 2.500", "3", "4"]
    assert chart.title.text == "3 of 4 printed figures come out"


def test_a_count_of_ours_has_no_decimals(rows_of):
    at = pd.MultiIndex.from_tuples([("1", "a"), ("1", "b")], names=["row", "column"])
    published = pd.DataFrame({"published": [3.0, 10.0], "digits": [0, 0]}, at)
    ours = pd.DataFrame({"a": [2.0], "b": [11.5]}, index=["1"])
    chart = charts.reproduction(experiments.reproduction(published, ours))
    told = [row["figures"] for row in rows_of(chart) if "figures" in row]
    assert told == ["3 → 2", "10 → 11.5"]
