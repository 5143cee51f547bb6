"""Cells of every kind: read exactly, or refused by name; and rounded where one says so."""

import io
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nbrank
from nbrank import Leaderboard
from nbrank.readers.tables.csv_files import read_csv
from nbrank.readers.tables.table_reader import read

HUGE = 123456789012345678901234567890


def column(cells, dtype=object):
    return pd.DataFrame({"t": pd.Series(cells, index=list("ABCDE"[: len(cells)]), dtype=dtype)})


READ = {
    "truths with a gap": ([True, None, False], [1.0, np.nan, 0.0]),
    "truths with NaN": ([True, np.nan, False], [1.0, np.nan, 0.0]),
    "truths with NA": ([np.True_, pd.NA, np.False_], [1.0, np.nan, 0.0]),
    "integers and floats": ([3, 0.5, np.int8(2)], [3.0, 0.5, 2.0]),
    "the largest integer": ([2**53 - 1, 1 - 2**53], [2.0**53 - 1, 1 - 2.0**53]),
    "single precision": ([np.float32(0.1), 0.1], [float(np.float32(0.1)), 0.1]),
    "large floats": ([1e300, -np.inf], [1e300, -np.inf]),
    "decimals": ([Decimal("0.1"), Decimal("0.10"), 0.1], [0.1, 0.1, 0.1]),
    "infinite decimals": ([Decimal("-Infinity"), Decimal("NaN")], [-np.inf, np.nan]),
    "fractions": ([Fraction(1, 3), Fraction(2, 3), None], [1 / 3, 2 / 3, np.nan]),
    "nothing": ([None, None], [np.nan, np.nan]),
}


@pytest.mark.parametrize(("cells", "expected"), READ.values(), ids=READ)
def test_objects_that_are_numbers_are_read_exactly(cells, expected):
    np.testing.assert_array_equal(Leaderboard(column(cells)).values[:, 0], expected)


@pytest.mark.parametrize("dtype", ["bool[pyarrow]", "boolean"])
def test_truths_of_every_type_are_0_and_1(dtype):
    board = Leaderboard(column([True, None, False], dtype))
    np.testing.assert_array_equal(board.values[:, 0], [1.0, np.nan, 0.0])


def test_a_table_on_its_side_is_read():
    scores = pd.DataFrame({"A": [True, 3], "B": [0.5, 2], "C": [False, 1]}, index=["t1", "t2"])
    assert scores.T.dtypes.eq("object").any()
    assert nbrank.borda(scores.T)["score"].to_dict() == {"A": 4.0, "B": 2.0, "C": 0.0}


REFUSED = {
    "a word": (
        [1, "n/a", 2],
        TypeError,
        r"'t' holds something else.*\(the first: 'n/a' of 'B'",
    ),
    "a word among numbers as text": (
        ["1", "-", "2"],
        TypeError,
        r"\(the first: '-' of 'B'",
    ),
    "numbers as text": (
        ["1", "2"],
        TypeError,
        r"the first: '1' of 'A' on 't'\); make numbers of them: pd.to_numeric\(df\['t'\]\)",
    ),
    "complex numbers": ([1, 1j], TypeError, r"something else.*\(the first: 1j of 'B'"),
    "lists": ([1, [2]], TypeError, r"something else.*\(the first: \[2\] of 'B'"),
    "spans of time": ([1, np.timedelta64(1, "s")], TypeError, "something else.* of 'B'"),
    "integers of 30 digits": (
        [1, HUGE],
        ValueError,
        rf"'t' holds integers from 2 \*\* 53 on, .*; rescale them \(the first: {HUGE} of 'B'",
    ),
    "integers beyond all floats": ([1, -(10**400)], ValueError, r"2 \*\* 53 on.* of 'B'"),
    "long decimals": (
        [Decimal("0.1000000000000000000001"), Decimal("0.1")],
        ValueError,
        r"'t' holds decimals of more digits than floats have, .*; round them .* of 'A'",
    ),
    "fractions that are one float": (
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**30)],
        ValueError,
        "'t' holds numbers of more digits than floats have, .*; round them .* of 'B'",
    ),
    "a fraction beside a float": ([1 / 3, Fraction(1, 3)], ValueError, "round them .* of 'B'"),
    "large fractions": ([Fraction(2**60 + 1)], ValueError, "more digits than floats .* of 'A'"),
}


@pytest.mark.parametrize(("cells", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_other_cells_are_refused_by_name(cells, error, message):
    with pytest.raises(error, match=message):
        Leaderboard(column(cells))


def test_long_doubles_among_objects_are_refused_if_a_float_is_another_number():
    third = np.longdouble(1) / 3
    if np.longdouble(float(third)) == third:
        pytest.skip("a long double is a double here")
    with pytest.raises(ValueError, match="more digits than floats have"):
        Leaderboard(column([third, 1.0]))


@pytest.mark.parametrize("dtype", ["int64", "Int64", "uint64", "int64[pyarrow]"])
def test_large_integers_name_the_first_row(dtype):
    with pytest.raises(ValueError, match=rf"\(the first: {2**53 + 1} of 'B' on 't'\)"):
        Leaderboard(column([1, 2**53 + 1, 2**53], dtype))


def test_decimals_of_arrow_are_read_exactly_or_refused():
    pa = pytest.importorskip("pyarrow")
    dtype = pd.ArrowDtype(pa.decimal128(30, 22))
    board = Leaderboard(column([Decimal("0.1"), None, Decimal("0.3")], dtype))
    np.testing.assert_array_equal(board.values[:, 0], [0.1, np.nan, 0.3])
    near = [Decimal("0.1000000000000000000001"), Decimal("0.1")]
    with pytest.raises(ValueError, match="'t' holds decimals of more digits than floats have"):
        nbrank.borda(column(near, dtype))


@given(
    st.lists(
        st.one_of(
            st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.decimals(
                allow_nan=False, allow_infinity=False, places=3, min_value=-1000, max_value=1000
            ),
        ),
        min_size=1,
        max_size=5,
    )
)  # fmt: skip
def test_whatever_is_read_is_ordered_as_it_was(cells):
    try:
        values = Leaderboard(column(cells)).values[:, 0]
    except ValueError:
        # Only an integer may have more digits than a float here.
        integers = [cell for cell in cells if isinstance(cell, int)]
        assert max(map(abs, integers)) >= 2**53
        return
    # A decimal is the float that is written so.
    exact = [None if c is None else float(c) if isinstance(c, Decimal) else c for c in cells]
    for one, a in zip(exact, values, strict=True):
        assert (one is None) == np.isnan(a)
        for other, b in zip(exact, values, strict=True):
            if one is not None and other is not None:
                assert ((one > other), (one == other)) == ((a > b), (a == b))


# --------------------------------------------------------------------- other ways in

LONG = pd.DataFrame({"model": ["A", "B", "C"], "bench": "t"})
NAMES = {"system": "model", "task": "bench", "score": "value"}


@pytest.mark.parametrize(("cells", "expected"), READ.values(), ids=READ)
def test_long_tables_read_them_too(cells, expected):
    long = LONG.iloc[: len(cells)].assign(value=pd.Series(cells, dtype=object))
    np.testing.assert_array_equal(nbrank.from_long(long, **NAMES)["t"], expected)


def test_long_tables_name_the_row():
    with pytest.raises(ValueError, match=rf"\(the first: {HUGE} of 1 on 'value'\)"):
        nbrank.from_long(LONG.assign(value=pd.Series([1, HUGE, 2], dtype=object)), **NAMES)
    with pytest.raises(TypeError, match=r"'value' holds something else .*'x' of 2 on 'value'\)"):
        nbrank.from_long(LONG.assign(value=[1, 2, "x"]), **NAMES)


CSV = "system,t1,t2\nA,TRUE,1\nB,,2\nC,FALSE,3\n"


def test_truths_with_a_gap_in_a_file_are_read():
    frame = read_csv(io.BytesIO(CSV.encode()), index_col="system")
    for scores in (
        frame,
        read(CSV.encode(), roles={"t1": "task", "t2": "task", "*": "description"}).scores,
    ):
        np.testing.assert_array_equal(Leaderboard(scores).values[:, 0], [1.0, np.nan, 0.0])


@pytest.mark.parametrize("huge", [HUGE, 2**64 - 1, -(2**70)])
def test_huge_integers_of_a_file_are_refused_by_the_cell(huge):
    # Beside a negative number, pandas reads 2 ** 64 - 1 as text.
    text = f"system,t1,t2\nA,-1,1\nB,{huge},2\n".encode()
    with pytest.raises(
        ValueError, match=rf"'t1' holds .*{huge}.*'B'.*rescale|rescale.*{huge}.*'B'"
    ):
        read(text)


SUMS = pd.DataFrame({"t1": [0.1 + 0.2, 0.3, 0.9], "t2": [1.0, 2.0, 3.0]}, index=list("ABC"))


def test_rounded_scores_tie():
    board = Leaderboard(SUMS, decimals=6)
    assert board.scores["t1"].tolist() == [0.3, 0.3, 0.9]
    assert nbrank.borda(board)["score"].to_dict() == {"C": 4.0, "B": 1.5, "A": 0.5}


def test_decimals_by_task_or_group():
    scores = pd.DataFrame({"t1": [0.126], "t2": [0.126], "t3": [126.0]})
    board = Leaderboard(scores, decimals={"t1": 1, "t3": -1})
    assert board.values.tolist() == [[0.1, 0.126, 130.0]]
    groups = {"fine": ["t1", "t2"], "coarse": ["t3"]}
    board = Leaderboard(scores, groups=groups, decimals={"fine": 2, "coarse": 0})
    assert board.values.tolist() == [[0.13, 0.13, 126.0]]


@pytest.mark.parametrize("decimals", [2.0, "2", True, {"t1": 0.5}])
def test_what_is_no_number_of_decimals_is_refused(decimals):
    with pytest.raises(TypeError, match="not a whole number of decimals"):
        Leaderboard(SUMS, decimals=decimals)


def test_unknown_tasks_are_refused():
    with pytest.raises(ValueError, match="decimals: .*'x'"):
        Leaderboard(SUMS, decimals={"x": 1})


RUNS = pd.DataFrame(
    {"t1": [0.1, 0.2, 0.3, 0.12, 0.22, 0.28], "t2": [0.1, 0.2, 0.3, 0.11, 0.15, 0.3]},
    pd.MultiIndex.from_product([["A", "B"], range(3)], names=["system", "seed"]),
)


@pytest.mark.parametrize(
    "question",
    [
        nbrank.probability_of_improvement,
        nbrank.interquartile_mean,
        lambda runs: nbrank.optimality_gap(runs, 0.45),
    ],
)
@pytest.mark.parametrize("decimals", [0, 1, {"t2": 1}, pd.Series({"t1": 1, "t2": 0})])
def test_decimals_round_single_runs(question, decimals):
    by_hand = RUNS.round(dict(decimals) if not isinstance(decimals, int) else decimals)
    board = Leaderboard(RUNS, decimals=decimals)
    pd.testing.assert_frame_equal(question(board), question(by_hand))


def test_averages_of_runs_are_rounded_and_not_those_of_rounded_runs():
    runs = pd.DataFrame(
        {"t": [0.4, 0.4, 0.9, 0.0]},
        pd.MultiIndex.from_tuples(
            [("A", 1), ("A", 2), ("A", 3), ("B", 1)], names=["system", "seed"]
        ),
    )
    assert nbrank.mean(Leaderboard(runs, decimals=0))["score"].to_dict() == {"A": 1, "B": 0}


@pytest.mark.parametrize("over", ["seeds", "both"])
def test_averages_of_runs_drawn_anew_are_rounded(over):
    found = nbrank.bootstrap(Leaderboard(RUNS, decimals=0), "borda", over=over, n_draws=200, seed=0)
    assert found["high"].tolist() == [1, 1]
    assert nbrank.bootstrap(RUNS, "borda", over=over, n_draws=200, seed=0)["high"].max() == 2


@pytest.mark.parametrize("over", ["errors", "both"])
def test_scores_with_errors_drawn_anew_are_rounded(over):
    scores = RUNS.groupby(level="system").mean()
    board, errors = Leaderboard(scores, decimals=0), scores * 0 + 0.05
    found = nbrank.bootstrap(board, "borda", over=over, errors=errors, n_draws=200, seed=0)
    assert found["high"].tolist() == [1, 1]


def test_rounding_leaves_a_mean_its_errors():
    scores = RUNS.groupby(level="system").mean()
    found = nbrank.rank_confidence(Leaderboard(scores, decimals=0), "mean", errors=scores * 0 + 1)
    assert found[["low", "high"]].to_numpy().tolist() == [[1, 2], [1, 2]]


def test_what_is_taken_of_a_board_is_rounded_alike():
    board = Leaderboard(RUNS, decimals={"t2": 0})
    for part in (board.select_tasks(["t2"]), board.select_systems(["B", "A"]), board):
        anew = part.measured_anew(part.values + 0.4)
        assert set(anew.values[:, -1]) == {0.0}
    assert board.measured_anew(board.values + 0.4).values[0, 0] == pytest.approx(0.6)
    assert board.exact().measured_anew(board.values + 0.4).values[0, 1] == pytest.approx(0.4)
