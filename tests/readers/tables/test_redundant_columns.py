"""Columns that say nothing new are found by their values, whatever they are called."""

import time

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.redundant_columns import find_summary_row


def why(text):
    """Why each column of a table is set aside."""
    with pytest.warns(UserWarning, match="set aside, not ranked"):
        reading = nbrank.read(text.encode()).reading
    aside = reading[reading["role"].isin(["description", "average"])]
    return dict(zip(aside["column"], aside["why"], strict=True))


def table(**columns):
    frame = [",".join(["model", *columns])]
    values = zip(*columns.values(), strict=True)
    return "\n".join([*frame, *(f"m{at}," + ",".join(map(str, row))
                                for at, row in enumerate(values))])  # fmt: skip


SAT = [120, 115, 100, 101, 122, 70]
UNSAT = [130, 125, 101, 109, 133, 80]


def test_a_total_of_two_columns_is_no_task():
    solved = [a + b for a, b in zip(SAT, UNSAT, strict=True)]
    found = why(table(solved=solved, sat=SAT, unsat=UNSAT))
    assert found == {"solved": "the sum of 'sat' and 'unsat'"}


def test_a_difference_is_known_by_both_signs_or_by_its_name():
    stars, value = [5.0, 4.5, 4, 3.5, 5], [4.5, 4.1, 3.9, 3.2, 4.8]
    gap = [round(a - b, 1) for a, b in zip(stars, value, strict=True)]
    found = why(table(stars=stars, value=value, difference=gap))
    assert found == {"difference": "the difference of 'stars' and 'value'"}
    turned = [round(b - a, 1) for a, b in zip(SAT, UNSAT, strict=True)]
    turned[0] -= 40
    found = why(table(a=[*SAT], b=[u - 40 * (at == 0) for at, u in enumerate(UNSAT)], c=turned))
    assert found == {"c": "the difference of 'a' and 'b'"}


def test_few_numbers_that_sum_up_by_chance_stay_tasks():
    board = nbrank.read(table(a=[1, 2, 1, 2], b=[1, 1, 2, 2], c=[2, 3, 3, 4]).encode())
    assert list(board.tasks) == ["a", "b", "c"]


def test_the_complement_to_any_total_is_found():
    sat, unsat = [*SAT, 84, 93, 77], [*UNSAT, 90, 70, 81]
    unsolved = [400 - value for value in sat]
    assert why(table(sat=sat, unsat=unsat, timeouts=unsolved)) == {"timeouts": "400 - 'sat'"}


def test_a_linear_function_of_another_column_is_found():
    rng = np.random.default_rng(3)
    owa = rng.uniform(0.8, 1.2, 12).round(4)
    better = (100 * (1 - owa / 0.898)).round(3)
    found = why(table(owa=owa, mase=rng.uniform(1, 2, 12).round(4), gain=better))
    assert found == {"gain": "a linear function of 'owa'"}


def test_a_rounding_is_known_by_its_values_or_its_name():
    rng = np.random.default_rng(4)
    score = rng.integers(20, 100, 30)
    found = why(table(score=score, half=(score / 20 * 2).round() / 2, score_round=score // 10))
    assert found == {
        "half": "a multiple of 'score' (by 0.05)",
        "score_round": "it says more of 'score'",
    }


def test_a_mean_and_a_median_of_the_same_are_averages():
    page = ("Game,Human,A,B\nAlien,7000,100,300\nPong,20,9,15\nQbert,900,80,50\n"
            "Human Mean,100,12,13\nHuman Median,100,7,8\n")  # fmt: skip
    with pytest.warns(UserWarning, match="'Human Mean', 'Human Median'"):
        board = nbrank.read(page.encode(), roles={"Game": "task"})
    assert list(board.tasks) == ["Alien", "Pong", "Qbert"]


@pytest.mark.parametrize("end", [10, 12])
def test_draws_are_what_wins_and_losses_leave_of_all_games(end):
    rows = f"A,10,6,3,1\nB,10,4,4,2\nC,{end},1,5,{end - 6}\n"
    found = why(f"team,played,won,lost,drawn\n{rows}")
    assert found["drawn"] == "what 'won' and 'lost' leave of all games"


def test_a_column_of_zeros_is_compared_with_the_others():
    rows = "".join(f"t{at},{at},0,{at + 5}\n" for at in range(9))
    assert nbrank.read(f"team,won,late,x\n{rows}".encode()).tasks.tolist() == ["won", "late", "x"]


def test_draws_are_set_aside_once():
    text = "team,W,L,D,T\nA,10,6,0,3\nB,10,5,0,4\nC,12,2,0,5\nD,8,9,0,2\n"
    assert why(text) == {"T": "what 'W' and 'L' leave of all games"}


@pytest.mark.parametrize("wins", [[1, 1, 1], [2, 1, 0]])
def test_a_count_of_the_tasks_won_is_no_task(wins):
    b = [0.5, 0.6, 0.7] if wins[0] == 1 else [0.9, 0.6, 0.7]
    text = table(mmlu=[0.5, 0.6, 0.4], WER=[5, 6, 7], gsm=b, wins=wins)
    assert why(text) == {"wins": "how many of the others are won"}


def test_wins_of_games_are_scores():
    text = "team,wins,goals,shots\nA,20,50,300\nB,15,40,280\nC,9,31,290\n"
    assert "wins" in nbrank.read(text.encode()).tasks


@pytest.mark.parametrize("speedups", [["1.00x", "1.22x", "2.00x"], [1.0, 1.22, 2.0]])
def test_speedups_beside_times_or_speeds_are_the_same_in_another_unit(speedups):
    text = table(**{"time (s)": [10, 8.2, 5], "speedup": speedups, "acc": [0.5, 0.6, 0.4]})
    assert why(text) == {"speedup": "a multiple of 1 / 'time (s)'"}
    text = table(**{"speedup": speedups, "time (s)": [10, 8.2, 5], "acc": [0.5, 0.6, 0.4]})
    assert why(text) == {"time (s)": "a multiple of 1 / 'speedup'"}
    text = table(**{"tokens/s": [93.7, 114.3, 187.2], "speedup": speedups})
    assert why(text) == {"speedup": "a multiple of 'tokens/s'"}


def test_two_metrics_that_nearly_agree_are_two_tasks():
    text = table(acc=[71.2, 65.3, 80.1, 60], f1=[70.9, 65, 79.8, 59.7])
    assert nbrank.read(text.encode()).tasks.tolist() == ["acc", "f1"]


def test_places_and_averages_in_any_language_are_known_by_their_values():
    text = (
        "Élève;Maths;Français;Histoire;Moyenne;Rang\nDupont;15,5;12;13,5;13,67;2\n"
        "Martin;11;14,5;9;11,50;4\nBernard;17;16;15;16,00;1\nPetit;12,5;11;14;12,50;3\n"
        "Moyenne de la classe;14;13,4;12,9;13,42;\n"
    )
    with pytest.warns(UserWarning, match="the mean of all other rows: 'Moyenne de la classe'|not"):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["Dupont", "Martin", "Bernard", "Petit"]
    assert [*board.tasks] == ["Maths", "Français", "Histoire"]


def test_places_with_ties_are_known_by_the_order_of_the_scores():
    assert why("team,Punkte,Platz\nA,51,1\nB,44,2\nC,44,2\nD,42,4\n") == {
        "Platz": "places by 'Punkte'"
    }
    grades = "rater,x,y\nA,4,3\nB,3,2\nC,5,4\nD,2,1\n"
    assert nbrank.read(grades.encode(), roles={"rater": "system"}).tasks.tolist() == ["x", "y"]


def test_the_mean_of_the_columns_before_it_is_an_average():
    text = table(a=[1.5, 2.5, 9.1], b=[3.2, 8.4, 1.6], c=[2.35, 5.45, 5.35], d=[7.1, 0.3, 4.4])
    assert why(text) == {"c": "the mean of the columns before it"}


def test_multiples_are_known_up_to_the_printed_digits():
    text = table(**{"ns/op": [27.6, 35.1, 117.7, 186.9], "x": ["1.0x", "1.3x", "4.3x", "6.8x"]})
    assert why(text) == {"x": "a multiple of 'ns/op'"}
    cycles = [253574, 272809, 347204, 371422]
    text = table(**{"cycles": cycles, "÷ ours": [0.929, "", 1.273, 1.361]})
    assert why(text) == {"÷ ours": "a multiple of 'cycles'"}


WHISKERS = {"score": [7.5, 6.1, 5.8, 4.4, 3.9], "up": [7.6, 6.2, 6.0, 4.5, 4.0],
            "down": [7.4, 6.0, 5.6, 4.3, 3.8]}  # fmt: skip


def test_two_columns_around_a_third_are_an_interval():
    with pytest.warns(UserWarning, match="set aside"):
        board = nbrank.read(table(**WHISKERS, health=[0.5, 0.9, 0.7, 0.6, 0.8]).encode())
    roles = dict(zip(board.reading["column"], board.reading["role"], strict=True))
    assert roles == {"model": "system", "score": "task", "up": "high", "down": "low",
                     "health": "task"}  # fmt: skip
    assert board.errors["score"].round(3).tolist() == [0.051, 0.051, 0.102, 0.051, 0.051]


def test_the_mean_of_two_tasks_is_no_interval():
    text = table(easy=[9, 5, 8, 7, 6], hard=[3, 2, 7, 1, 4], middle=[6, 3.5, 7.5, 4, 5])
    assert why(text) == {"middle": "the mean of the others"}


def test_the_difference_of_two_rows_is_no_system():
    text = "model,mae,fees,costs\nnaive,18.33,160.57,1506\nboost,15.70,133.53,1275\n"
    with pytest.warns(UserWarning, match="set aside, the difference of two rows: 'gain'"):
        board = nbrank.read(f"{text}gain,2.63,27.04,231\n".encode())
    assert list(board.systems) == ["naive", "boost"]
    assert len(nbrank.read(f"{text}other,2.63,23.04,215\n".encode()).systems) == 3


def test_a_mean_row_may_leave_a_cell_empty():
    text = "firm,on time,returned,price,id\n" + "".join(
        f"{name},{cells}\n"
        for name, cells in {
            "A": "98.5,1.2,102.3,1231", "B": "95.1,0.8,99.8,1417", "C": "91.7,3.4,95.0,1088",
            "D": "97.0,1.9,101.1,1533", "Schnitt": "95.6,1.8,99.6,",
        }.items()
    )  # fmt: skip
    with pytest.warns(UserWarning, match="the mean of all other rows: 'Schnitt'"):
        assert list(nbrank.read(text.encode(), roles={"id": "description"}).systems) == [*"ABCD"]


def test_the_mean_of_the_places_is_no_task():
    text = table(a=[85.2, 84.9, 82.1, 80.0], b=[83.9, 84.2, 82.0, 79.5], c=[87.0, 86.1, 86.6, 84.0],
                 x=[1.33, 2.0, 2.67, 4.0])  # fmt: skip
    assert why(text) == {"x": "the mean of the places of the others"}


def test_memory_is_measured_where_times_are():
    with_time = "m,Time (s),Memory (MB)\nA,1.5,200\nB,2.5,100\n"
    assert len(nbrank.read(with_time.encode()).tasks) == 2
    assert why("m,acc,Memory (MB)\nA,.5,200\nB,.6,100\n") == {"Memory (MB)": "its name"}


def test_what_is_left_of_a_large_total_is_no_task():
    text = table(hits=[524883, 588916, 753417], misses=[713517, 649484, 484983])
    assert why(text) == {"misses": "1.2384e+06 - 'hits'"}


def test_huge_numbers_are_no_sums_of_others():
    huge = [8e307, 1e308, 9e307, 1.1e308, 1.2e308]
    board = nbrank.read(table(x=huge, y=huge[::-1], z=[1, 2.5, 3, 4, 5]).encode())
    assert len(board.tasks) == 3


def test_goals_for_are_no_sum_of_goals_against_and_a_difference():
    goals = table(GF=[8, 9, 13, 12], GA=[7, 9, 8, 9], DIFF=["+1", "0", "+5", "+3"])
    reading = nbrank.read(goals.encode()).reading.set_index("column")
    assert reading.loc["GF", "role"] == "task"


def test_a_reciprocal_is_known_by_the_printed_digits():
    text = table(ipc=[0.4451, 2.6314, 0.0778, 0.1107], cpi=[2.2465, 0.38, 12.8454, 9.0295])
    assert why(text) == {"cpi": "a multiple of 1 / 'ipc'"}


def test_a_total_of_times_is_no_average_because_it_lies_between():
    text = table(init_p50_ms=[63, 66, 60], run_p50_ms=[0.8, 0.9, 0.7], max_p50_ms=[98, 99, 81],
                 total_p50_ms=[65.6, 67.2, 61.1])  # fmt: skip
    assert "total_p50_ms" in nbrank.read(text.encode()).tasks


def test_ends_of_an_interval_hold_what_is_between_them():
    path = [1, 1, 1, 1, 0, 0, 0]
    text = table(AUROC=[0.769, 0.762, 0.674, 0.437, 0.506, 0.707, 0.435],
                 mIoU=[0.353, 0.354, 0.338, 0.083, 0.017, 0.413, 0.064], path=path)  # fmt: skip
    assert [*nbrank.read(text.encode()).tasks] == ["AUROC", "mIoU", "path"]


def test_a_summary_among_many_rows_is_found_without_comparing_all_pairs():
    rng = np.random.default_rng(0)
    scores = np.round(rng.random((5000, 3)), 4)
    rows = np.vstack([scores, scores.mean(axis=0).round(4)])
    cells = {name: pd.Series(values) for name, values in zip("abc", rows.T, strict=True)}
    columns = [Column(name, values, parse_column(values)) for name, values in cells.items()]
    start = time.perf_counter()
    assert find_summary_row(columns) == (5000, "the mean of all other rows")
    assert time.perf_counter() - start < 1  # pairs of rows took far longer
