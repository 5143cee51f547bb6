"""Tables of which nobody says that they hold ballots: known where that is plain, else left."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.readers.ballot_tables import find_ballots, parse_ballot_texts
from nbrank.readers.tables.table_files import read_table

PERMUTATIONS = [[1, 2, 3, 4], [2, 1, 4, 3], [1, 4, 2, 3], [4, 1, 3, 2], [1, 3, 4, 2]]
GRID = pd.DataFrame(PERMUTATIONS, columns=list("PQRS"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("student,1st,2nd\ns1,A,B\ns2,B,\n", "places"),
        ("Timestamp,Your ranking\n2024/05/01,A;B;C\n2024/05/02,B;A;C\n", "texts"),
        ("5: A > B = C\n3: B > A > C\n2: C > A > B\n", "texts"),
        ("student,P,Q,R\ns1,1,2,3\ns2,1,3,2\ns3,2,1,3\n", "grid"),
        ("id,count,1,2\n1,5,A,B\n2,3,B,A\n", "places"),
    ],
)
def test_what_is_plain_is_known(text, kind):
    assert find_ballots(read_table(text.encode())).kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "model,t1,t2\nA,1,2\nB,2,1\n",
        "model,t1,t2,t3\nA,0.5,0.2,1\nB,2,1,3\n",
        "skater,j1,j2,j3\nA,1,1,2\nB,2,3,1\nC,3,2,3\n",
        "model,1st,score\nA,x,0.5\nB,y,0.7\n",
        "model,tags,score\nA,nlp;vision,0.5\nB,nlp;audio,0.7\n",
        "model,1st,2nd,score\nA,x,y,0.5\nB,y,x,0.7\n",
        "model,mmlu\nA,1\n",
        "a,b\nx,y\nz,w\n",
    ],
)
def test_scores_and_words_are_no_ballots(text):
    assert find_ballots(read_table(text.encode())) is None


def test_a_square_of_places_both_ways_is_left():
    both = pd.DataFrame([[1, 2, 3], [2, 3, 1], [3, 1, 2]], columns=list("PQR"))
    assert find_ballots(both) is None


def test_a_grid_in_any_type_and_with_gaps_is_known():
    assert find_ballots(GRID.astype(str)).orders[1] == ["Q", "P", "S", "R"]
    short = GRID.astype(float).where(GRID < 4)
    assert find_ballots(short).orders[0] == ["P", "Q", "R"]
    assert find_ballots(short.where(GRID < 2)) is None


def test_numbers_of_voters_beside_a_grid_are_no_systems():
    numbered = GRID.assign(respondent_no=range(1, 6))
    assert find_ballots(numbered).columns == list("PQRS")


@pytest.mark.parametrize("sign", [" ", ", ", "\t", ": "])
@pytest.mark.parametrize("gap", ["", " "])
def test_a_count_stands_before_a_ballot_with_any_sign(sign, gap):
    order = f"{gap}>{gap}"
    text = f"3{sign}{order.join('ABC')}\n2{sign}{order.join('BCA')}\n"
    with pytest.warns(UserWarning, match="ballots"):
        board = nbrank.read(text.encode())
    assert nbrank.plurality(board)["score"].to_dict() == {"A": 3, "B": 2, "C": 0}


def test_numbers_of_systems_are_no_counts():
    orders = [["1 Bus", "2 Car"], ["2 Car", "1 Bus"]]
    assert parse_ballot_texts(["1 Bus > 2 Car", "2 Car > 1 Bus"]) == (orders, None)


def test_random_tables_raise_nothing():
    rng = np.random.default_rng(1)
    cells = ["", None, "A", "B", "A>B", "1", 2, 3.0, "1st", "5: A", float("nan"), True, "x;y", "="]
    for _ in range(300):
        shape = rng.integers(0, 5, 2)
        names = rng.choice(["1st", "2nd", "x", "count", "A [1]", "", "votes"], shape[1])
        table = pd.DataFrame(
            [[cells[n] for n in rng.integers(0, len(cells), shape[1])] for _ in range(shape[0])],
            columns=list(names), dtype=object,
        )  # fmt: skip
        find_ballots(table)


def test_numbers_with_commas_beside_per_cents_are_no_ballots():
    text = "name;maths;maths_stderr\nA;76.1%;1,3\nB;65.7%;0,3\nC;50.4%;1,8\nD;40.2%;1,3\n"
    assert find_ballots(read_table(text.encode())) is None


@pytest.mark.parametrize("sign", [" > ", "; "])
def test_a_first_ballot_with_commas_is_no_heading(sign):
    rest = "\n".join(sign.join(row) for row in (["P", "T", "S"], ["S", "P", "T"], ["T", "S", "P"]))
    with pytest.raises(ValueError, match="ballot 1, 'T, P' separates by commas"):
        nbrank.read(f"T, P\n{rest}\n".encode())


def test_ballots_in_commas_without_a_heading_count_from_the_first():
    with pytest.warns(UserWarning, match="holds 4 ballots"):
        board = nbrank.read(b"T, P\nP, S\nS, T\nP, T\n")
    assert board.plurality().index[0] == "P"
    assert len(board.tasks) == 4


@pytest.mark.parametrize(
    "text",
    [
        '"Tacos, Pizza"\n"Pizza, Tacos, Ramen"\n"Ramen, Pizza"\n"Ramen, Tacos"\n',
        "Tacos, Pizza\nPizza, Tacos, Ramen\nRamen, Pizza\nRamen, Tacos\n",
    ],
)
def test_a_first_line_of_known_options_is_a_ballot(text):
    with pytest.warns(UserWarning, match="holds 4 ballots"):
        board = nbrank.read(text.encode())
    assert board.plurality()["score"].to_dict() == {"Tacos": 1, "Pizza": 1, "Ramen": 2}


def test_ballots_alike_the_first_are_no_names_once_more():
    with pytest.warns(UserWarning, match="holds 3 ballots"):
        board = nbrank.read(b"Tacos, Pizza\nPizza, Tacos\nTacos, Pizza\n")
    assert board.plurality()["score"].to_dict() == {"Tacos": 2, "Pizza": 1}


def test_a_first_ballot_with_a_count_is_no_row_of_names():
    with pytest.warns(UserWarning, match="holds 3 ballots"):
        board = nbrank.read(b"100: 3,1,2\n68: 3,2,1\n40: 1,3,2\n")
    assert board.plurality()["score"].to_dict() == {"3": 168, "1": 40, "2": 0}


def test_scores_under_numbers_are_no_ballots():
    with pytest.warns(UserWarning, match="first row is read as names"):
        board = nbrank.read(b"model,1,2,3\nA,54.3,71.2,60.1\nB,61.0,49.9,77.7\nC,80.2,66.6,58.4\n")
    assert [*board.systems] == ["A", "B", "C"]
