"""Columns that say nothing new are found by their values, whatever they are called."""

import numpy as np
import pytest

import nbrank


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
        "half": "a multiple of 'score', rounded (by 0.05)",
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
