"""Tables of comparisons as people have them: sides, codes, pairs, judges, goals, squares."""

import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables.comparison_columns import find_comparisons
from nbrank.readers.tables.comparison_tables import find_win_matrix, parse_numbers
from nbrank.votes.win_matrix import from_wins


def compare(rows, **known):
    frame = pd.DataFrame(rows).astype(object)
    found = find_comparisons(frame, **known)
    assert found is not None
    rows, options = found
    return nbrank.from_comparisons(parse_numbers(rows, options), **options)


def wins(comparisons):
    return comparisons.pairwise().loc[list("ABC"), list("ABC")].to_numpy().tolist()


#: A beat B, B and C tied, C beat A.
EXPECTED = [[0, 1, 0], [0, 0, 0.5], [1, 0.5, 0]]
LEFT, RIGHT = ["A", "B", "A"], ["B", "C", "C"]


@pytest.mark.parametrize(
    ("names", "outcome"),
    [
        (("model_a", "model_b", "winner"), ["model_a", "tie", "model_b"]),
        (("model_a", "model_b", "winner"), ["A", "both_bad", "C"]),
        (("model_a", "model_b", "winner"), ["1", "0", "2"]),
        (("Model A", "Model B", "Result"), [1, 0, 2]),
        (("left", "right", "annotator1"), ["1", "0", "2"]),
        (("system1", "system2", "preference"), ["1", "Draw", "2"]),
        (("white", "black", "result"), ["1-0", "1/2-1/2", "0-1"]),
        (("white", "black", "result"), ["1 - 0", "½-½", "0–1"]),
        (("player_1", "player_2", "outcome"), [1, 0, -1]),
        (("home_team", "away_team", "x"), ["left", "TIE", "right"]),
    ],
)
def test_sides_and_outcomes_are_known_by_names_and_codes(names, outcome):
    left, right, winner = names
    assert wins(compare({left: LEFT, right: RIGHT, winner: outcome})) == EXPECTED


def test_letters_of_the_columns_are_sides():
    rows = {"model_a": ["x", "y"], "model_b": ["y", "z"], "winner": ["A", "b"]}
    assert compare(rows).pairwise().loc["z", "y"] == 1


@pytest.mark.parametrize("parting", [" vs ", " VS. ", "_vs_", " | ", "_", " / ", " v "])
def test_a_pair_may_be_in_one_cell(parting):
    pairs = [parting.join(pair) for pair in zip(LEFT, RIGHT, strict=True)]
    assert wins(compare({"pair": pairs, "winner": ["1", "0", "2"]})) == EXPECTED
    assert wins(compare({"x": pairs, "y": ["1", "0", "2"]}, pair="x", winner="y")) == EXPECTED


def test_a_pair_that_does_not_part_is_refused():
    with pytest.raises(ValueError, match="'x' doesn't part in two names: 'A and B'"):
        compare({"x": ["A and B", "A vs B"], "winner": ["1", "2"]}, pair="x")


def test_goals_say_who_won():
    rows = {"hometeam": LEFT, "awayteam": RIGHT, "homescore": [3, 1, 0], "awayscore": [0, 1, 4]}
    with pytest.warns(UserWarning, match="won by the higher of 'homescore', 'awayscore'"):
        assert wins(compare(rows)) == EXPECTED
    rows = {"player1": LEFT, "player2": RIGHT, "score1": [3, 1, 0], "score2": ["0", "1", "4"]}
    with pytest.warns(UserWarning, match="won by the higher"):
        assert wins(compare(rows)) == EXPECTED


@pytest.mark.parametrize(
    "outcome",
    [
        {"result": ["W", "D", "L"]},
        {"outcome": ["win", "tie", "loss"]},
        {"Win": [1, 0, 0], "Tie": [0, 1, 0], "Loss": [0, 0, 1]},
    ],
)
@pytest.mark.filterwarnings("ignore:.* read as (the result|numbers)")
def test_results_may_be_those_of_a_system_against_its_opponent(outcome):
    assert wins(compare({"player": LEFT, "opponent": RIGHT} | outcome)) == EXPECTED


@pytest.mark.filterwarnings("ignore:.* read as (the result|numbers)")
def test_a_comparison_that_is_listed_from_both_sides_counts_once():
    rows = {"team": LEFT + RIGHT, "opponent": RIGHT + LEFT, "result": [*"WDLLDW"]}
    with pytest.warns(UserWarning, match="listed from both sides, and read once"):
        assert wins(compare(rows)) == EXPECTED
    rows["result"][-1] = "D"
    with pytest.warns(UserWarning, match="'result' is read as the result of 'team'"):
        assert len(compare(rows)) == 6


@pytest.mark.filterwarnings("ignore:.* read as numbers")
def test_numbers_of_a_pair_that_are_listed_from_both_sides_count_once():
    rows = {"team1": ["A", "B"], "team2": ["B", "A"], "won": [9, 5], "drawn": [6, 6]}
    rows |= {"lost": [5, 9]}
    with pytest.warns(UserWarning, match="listed from both sides"):
        assert len(compare(rows)) == 20


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("gap_a_minus_b", [0.3, 0, -0.2]),
        ("gap_b_minus_a", [-0.3, 0, 0.2]),
        ("cer_gap_b_minus_a", [0.3, 0, -0.2]),
        ("score difference", [3, 0, -2]),
    ],
)
def test_the_sign_of_a_difference_says_who_won(name, values):
    rows = {"task": [*"xyz"], "model_a": LEFT, "model_b": RIGHT, "n": [9, 9, 9], name: values}
    rows |= {"gap_low": [-1, -1, -1], "gap_high": [1, 1, 1]}
    with pytest.warns(UserWarning, match=f"by the sign of '{name}' alone"):
        assert wins(compare(rows)) == EXPECTED


def test_numbers_of_wins_may_stand_beside_bare_letters():
    rows = {"a": LEFT, "b": RIGHT, "wins_a": [9, 5, 2], "wins_b": [1, 5, 8]}
    with pytest.warns(UserWarning, match="'wins_a', 'wins_b' are read as numbers of wins"):
        assert compare(rows).pairwise().loc["A", "B"] == 9


@pytest.mark.filterwarnings("ignore:.* read as (the result|numbers)")
def test_wins_in_per_cent_are_doubted():
    rows = {"pair": ["A vs B", "A vs C"], "Win (%)": [45, 60], "Tie (%)": [20, 15]}
    rows |= {"Loss (%)": [35, 25]}
    with pytest.warns(UserWarning, match="add up to 100; if they are per cent"):
        assert compare(rows).pairwise().loc["A", "B"] == 55
    table = pd.DataFrame({"": ["A", "B"], "A": ["-", 30], "B": [70, "-"]})
    with pytest.warns(UserWarning, match="add up to 100"):
        find_win_matrix(table)


def test_judges_of_a_row_are_a_cluster():
    rows = {"left": LEFT, "right": RIGHT, "annotator1": [1, 0, 2], "annotator2": [1, 1, 2]}
    with pytest.warns(UserWarning, match="'annotator1', 'annotator2' say who won.*as a cluster"):
        comparisons = compare(rows)
    assert len(comparisons) == 6
    assert comparisons.clusters.tolist() == [0, 1, 2, 0, 1, 2]


def test_a_column_that_says_also_who_tied_comes_before_one_that_is_empty_there():
    rows = {"shown_a": LEFT, "shown_b": RIGHT, "pick": ["a", "tie", "b"], "winner": ["A", "", "C"]}
    assert wins(compare(rows)) == EXPECTED


def test_winners_and_losers_need_no_sides():
    assert len(compare({"winner": ["A", "B"], "loser": ["B", "C"]})) == 2


def test_counts_and_weights_may_be_texts():
    rows = {"left": LEFT, "right": RIGHT, "winner": [1, 0, 2], "times": ["2", "1", "3"]}
    assert len(compare(rows, count="times")) == 6
    with pytest.raises(ValueError, match="'times' holds 'x'"):
        compare(rows | {"times": ["2", "x", "3"]}, count="times")


@pytest.mark.parametrize(
    "rows",
    [
        {"model": ["A", "B"], "t1": [1, 2], "t2": [2, 1]},
        {"model": ["A", "B"], "task": ["t", "t"], "score": [1, 0]},
        {"a": [1, 2], "b": [2, 1], "winner": [1, 2]},
        {"model_a": [0.5, 0.7], "model_b": [0.3, 0.1], "result": [1, 2]},
    ],
)
def test_scores_are_no_comparisons(rows):
    assert find_comparisons(pd.DataFrame(rows)) is None


def test_what_a_winner_column_says_else_is_refused_with_its_row():
    with pytest.raises(ValueError, match="unknown winners: 'nobody' in row 1"):
        compare({"left": LEFT, "right": RIGHT, "winner": ["A", "nobody", "C"]})


class TestSquares:
    def test_what_pairwise_gives_is_read_back(self):
        frame = pd.DataFrame({"left": LEFT, "right": RIGHT, "winner": ["left", "tie", "right"]})
        square = nbrank.from_comparisons(frame, left="left", right="right", winner="winner")
        for table in (square.pairwise(), square.pairwise().rename_axis("m").reset_index()):
            again = find_win_matrix(table)
            assert again.pairwise().equals(square.pairwise())
            assert again.counts.ties.sum() == square.counts.ties.sum()

    def test_the_diagonal_may_hold_anything(self):
        table = pd.DataFrame({"": ["A", "B"], "A": ["-", "2"], "B": ["3", "x"]})
        assert find_win_matrix(table).pairwise().to_numpy().tolist() == [[0, 3], [2, 0]]

    @pytest.mark.parametrize(
        "cells",
        [
            [["A", 1, 0.5], ["B", 0.5, 1]],
            [["A", 0, -1], ["B", 2, 0]],
            [["A", 0, "x"], ["B", 2, 0]],
            [["A", 1, 2], ["C", 2, 3]],
        ],
    )
    def test_other_squares_are_no_wins(self, cells):
        assert find_win_matrix(pd.DataFrame(cells, columns=["m", "A", "B"])) is None

    def test_shares_of_wins_are_weights_and_it_is_said(self):
        table = pd.DataFrame([[0.5, 0.7], [0.3, 0.5]], index=["A", "B"], columns=["A", "B"])
        with pytest.warns(UserWarning, match="shares don't say how many comparisons"):
            assert find_win_matrix(table).pairwise().loc["A", "B"] == 0.7


def test_random_squares_are_counted_as_they_stand():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n = int(rng.integers(2, 6))
        cells = rng.integers(0, 5, (n, n)).astype(float)
        half = np.triu(rng.random((n, n)) < 0.3, 1)
        cells += (half + half.T) / 2
        np.fill_diagonal(cells, 0)
        names = [f"s{number}" for number in range(n)]
        table = pd.DataFrame(cells, index=names, columns=names)
        met = [name for name in names if (table[name] + table.loc[name]).any()]
        if np.allclose(cells, cells.T):
            continue
        again = from_wins(table).pairwise()
        assert np.array_equal(again.to_numpy(), table.loc[met, met].to_numpy())


def test_a_column_of_0_and_1_for_each_outcome_says_who_won():
    table = pd.DataFrame(
        [["A", "B", 1, 0, 0], ["B", "C", 0, 1, 0], ["C", "A", 0, 0, 1]],
        columns=["model_a", "model_b", "winner_model_a", "winner_model_b", "winner_tie"],
    )
    rows, options = find_comparisons(table)
    assert rows[options["winner"]].tolist() == ["left", "right", "tie"]
    with pytest.warns(UserWarning, match="holds comparisons"):
        board = nbrank.read(table)
    assert board.reading["role"].tolist() == ["left", "right", *["winner"] * 3]
    table["winner_tie"] = 1  # more than one outcome each
    assert find_comparisons(table) is None


def test_points_of_the_left_side_are_read_if_a_half_is_a_tie():
    table = pd.DataFrame({"a": ["A", "B", "C"], "b": ["B", "C", "A"], "score": ["1", "0", "0.5"]})
    with pytest.warns(UserWarning, match="'score' is read as the points of 'a'"):
        rows, options = find_comparisons(table)
    assert rows[options["winner"]].tolist() == ["left", "right", "tie"]
    assert find_comparisons(table.assign(score=["9", "7", "8"])) is None
    assert find_comparisons(table.assign(b=["x", "y", "z"])) is None


def test_winners_of_several_judgements_and_losers_by_any_name():
    lines = '{"model_1": "A", "model_2": "B", "g1_winner": "model_2", "g2_winner": "tie"}\n'
    with pytest.warns(UserWarning, match="say who won|holds comparisons"):
        votes = nbrank.read((lines + lines.replace('"A"', '"C"')).encode())
    assert len(votes) == 4
    with pytest.warns(UserWarning, match="holds comparisons"):
        votes = nbrank.read(b"winner_name,loser_name,score\nA,B,6-4\nB,C,6-3\n")
    assert [*votes.systems] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("model_a,model_b,a_wins\nA,B,1\nA,C,0\nB,C,1\n", 3),
        ("Player 1,Player 2,Wins 1,Wins 2,Draws\nA,B,10,5,3\nA,C,7,9,1\n", 35),
        ("HomeTeam,AwayTeam,FTHG,FTR\nA,B,2,H\nB,C,1,D\nC,A,0,A\n", 3),
        ("question,answer_a,answer_b,score_a,score_b,winner\n1,A,B,9,7,A\n2,B,C,6,6,tie\n", 2),
    ],
)
def test_wins_are_read_from_flags_numbers_letters_and_names(text, n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        comparisons = nbrank.read(text.encode())
    assert f"{n} comparisons of 3 systems" in repr(comparisons)


def test_best_and_worst_of_several_are_no_pairs():
    with pytest.raises(ValueError, match="no tasks"):
        nbrank.read(b"who,item1,item2,item3,best,worst\nx,A,B,C,A,C\ny,A,B,D,B,D\nz,B,A,D,B,D\n")
