"""Ballots as they are pasted: lines, or a form's export; errors name the line and what mends it."""

import pytest

from nbrank.frontends.class_page.pasted_ballots import read_pasted

CLEAR = [["A", "B", "C"], ["B", "A", "C"], ["C", "A", "B"]]
LAYOUTS = {
    "lines": "A > B > C\nB > A > C\n\nC>A>B\n",
    "commas": "A,B,C\nB,A,C\nC,A,B",
    "a column of a sheet": "Your ranking\nA > B > C\nB > A > C\nC > A > B",
    "places": "student,1st,2nd,3rd\nAnn,A,B,C\nBob,B,A,C\nCy,C,A,B",
    "places, pasted from a sheet": "name\t1st\t2nd\t3rd\nAnn\tA\tB\tC\nBob\tB\tA\tC\nCy\tC\tA\tB",
    "a grid": "Timestamp,Rank [A],Rank [B],Rank [C]\n9:01,1,2,3\n9:02,2,1,3\n9:03,2,3,1",
    "a grid in words": "Timestamp,A,B,C\n9:01,1st,2nd,3rd\n9:02,2nd,1st,3rd\n9:03,2nd,3rd,1st",
    "lists in a column": 'ID;Name;Rank\n1;x;"A;B;C;"\n2;y;"B;A;C;"\n3;z;"C;A;B;"',
}


@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS)
def test_every_layout_comes_to_the_same_ballots(text):
    read = read_pasted(text)
    assert [ballot.options for ballot in read.ballots] == CLEAR
    assert read.board.borda()["score"].to_dict() == {"A": 4.0, "B": 3.0, "C": 2.0}


def test_numbers_of_voters_and_ties_count():
    read = read_pasted("5: A > B = C\nB > A > C\n0: C > B > A")
    assert read.n_voters == 6
    assert read.ballots[0].levels == [["A"], ["B", "C"]]
    assert read.board.plurality()["score"].to_dict() == {"A": 5.0, "B": 1.0, "C": 0.0}
    assert read.notes == ["Line 3 ranks nothing, and is left out"]


def test_two_in_one_place_of_a_grid_are_tied():
    read = read_pasted("student,A,B,C\nAnn,1,1,2\nBob,2,1,3\nCy,3,1,2")
    assert read.ballots[0].levels == [["A", "B"], ["C"]]


def test_what_is_left_out_is_said():
    read = read_pasted("who,1st,2nd,why\nAnn,A,B,close\nBob,B,,\nCy,,,\nDi,A,B,\nEd,B,Aa,")
    assert read.notes == [
        "Read as columns of places: 1st and 2nd",
        "Not a ballot: who and why",
        "Line 4 ranks nothing, and is left out",
        "Only line 6 names 'Aa': is that a slip?",
        "4 ballots leave options out, which share the last place there",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (" \n", "There are no ballots yet; write a line for each"),
        ("\nhello", "Line 2, 'hello', is not a ballot; write a line for each"),
        ("A > A\nA", "Line 1 names 'A' twice; give it one place"),
        ("A > B\n\nB > A > B", "Line 3 names 'B' twice; give it one place"),
        ("A > > B\nB > A", "Line 1 has an empty place between others; leave no gap"),
        ("who,1st,2nd,3rd\nAnn,A,B,C\nBob,B,,A", "Line 3 has an empty place between others"),
        ("Zoo > lake\nLake > Zoo", "Line 2 writes 'Lake', and line 1 'lake'; write both alike"),
        ("A > B > C\n\nD, A\nD, A", "Line 3, 'D, A' separates by commas, others by >: write D > A"),
        ("A > B\nA;B", "Line 2 has ';' within 'A;B'; part all options by the same sign"),
        ("who,A,B,C\nAnn,1,2,3\nBob,2,x,1\nCy,1,2,3", "Line 3 has 'x' under 'B', which is no"),
        ("who,A,B\nAnn,good,bad\nBob,bad,good", "Line 1, 'who,A,B', is not a ballot"),
        ("who,1st,2nd\nAnn,A,B\nBob,B,A,C", "Line 3 has 4 cells, the row of headings 3"),
        (">".join(map(str, range(30))), "The ballots name 30 options, and this page takes up to"),
        ("A >\nA >", "A vote needs at least two options"),
    ],
)
def test_an_error_names_the_line_and_what_mends_it(text, says):
    with pytest.raises(ValueError, match="^" + says.replace(".", r"\.").replace("?", r"\?")):
        read_pasted(text)
