"""Directions of tasks: assumed or known, stated by winners, and those of ranks and places."""

import warnings

import pytest

import nbrank
from nbrank.findings.overview import describe_directions
from nbrank.frontends.command_line import main
from nbrank.votes.user_warnings import PlacesWarning

F1 = (
    "driver,AUS,CHN,BHR,RUS,points\nA,1,2,1,1,93\nB,2,1,2,3,76\nC,3,3,4,2,60\nD,4,4,3,5,49\n"
    "E,5,5,5,4,42\nF,0,0,0,0,0\n"
)


def read(text, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbrank.read(text.encode(), **how)


@pytest.mark.parametrize(
    ("first", "score", "last"),
    [("rank_x", "score_x", "rank_y"), ("place_a", "acc", "place_c"), ("rank_a", "acc", "rank_c")],
)
def test_ranks_beside_scores_are_set_aside_and_named(first, score, last):
    text = f"team,{first},{score},{last}\nA,1,90,2\nB,2,80,1\nC,3,70,4\nD,4,60,3\nE,5,50,5\n"
    with pytest.warns(UserWarning, match=f"'{first}', '{last}' \\(places\\)"):
        board = nbrank.read(text.encode())
    assert list(board.tasks) == [score]
    assert list(board.borda().index) == list("ABCDE")


@pytest.mark.parametrize(
    "text",
    [
        "team,place_a,place_b\nA,1,2\nB,2,1\nC,3,4\nD,4,3\nE,5,5\n",
        "team,rank_x,rank_y,rank_z\nA,1,2,1\nB,2,1,2\nC,3,3,3\n",
        "team,x_rank,y_rank\nA,1,1\nB,2,1\nC,3,3\n",
    ],
)
def test_where_all_are_ranks_lower_is_better(text):
    board = read(text)
    assert board.is_lower_better.all()
    assert len(board.tasks) == text.count(",", 0, text.index("\n"))
    tasks = board.reading[board.reading["role"] == "task"]
    assert set(tasks["why"]) == {"places, by its name and its numbers"}
    assert board.borda().index[0] == "A"
    assert not read(text, lower_is_better=False).is_lower_better.any()


def test_a_task_called_rank_whose_numbers_are_no_ranks_is_a_task():
    board = read("model,rank_5,acc\nA,91.2,80\nB,88.1,70\nC,70,60\n")
    assert list(board.tasks) == ["rank_5", "acc"]
    assert not board.is_lower_better.any()


def test_points_beside_places_of_two_races_raise_a_doubt_whose_call_works():
    text = "driver,BHR,SAU,points\nA,1,1,50\nB,2,2,36\nC,3,3,30\n"
    with (
        pytest.warns(UserWarning, match="'points' .points for the places of the others"),
        pytest.warns(PlacesWarning, match="places, where 1 is best; give lower_is_better=True"),
    ):
        board = nbrank.read(text.encode())
    assert list(board.tasks) == ["BHR", "SAU"]
    assert board.reading.doubts["BHR"].endswith(": lower_is_better=True")
    assert read(text, lower_is_better=True).borda().index[0] == "A"


def test_zeros_do_not_hide_places_and_are_named_in_the_call():
    with pytest.warns(PlacesWarning, match="with 0 for a missing place; give na='0' and lower_is"):
        board = nbrank.read(F1.encode(), roles={"points": "description"}, lower_is_better=())
    assert "na='0', lower_is_better=True" in board.reading.loc[1, "doubt"]
    assert list(read(F1, na="0", lower_is_better=True).borda().index[:3]) == list("ABC")
    with pytest.warns(PlacesWarning, match="0 counts as better than place 1"):
        nbrank.read(F1.encode(), roles={"points": "description"}, lower_is_better=True)


def test_the_terminal_names_the_flags_for_zeros(tmp_path, capsys):
    file = tmp_path / "season.csv"
    file.write_text(F1)
    assert main([str(file)]) == 0
    assert "give --na 0 and --lower-is-better" in capsys.readouterr().err
    assert main([str(file), "--na", "0", "--lower-is-better", "--rule", "borda"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("A")


def test_the_sum_of_the_ranks_by_judges_is_no_score_beside_them():
    text = "who,J1 Rank,J2 Rank,J3 Rank,Rank Sum\nA,1,2,1,4\nB,2,1,2,5\nC,3,4,4,11\nD,4,3,3,10\n"
    with pytest.warns(UserWarning, match="'Rank Sum' .the sum of the others"):
        board = nbrank.read(text.encode())
    assert board.lower_is_better == ("J1 Rank", "J2 Rank", "J3 Rank")


@pytest.mark.parametrize("race", ["task", "instance"])
def test_a_column_of_places_that_is_named_as_the_score_is_lower(race):
    rows = "race,driver,position\n1,V,1\n1,L,2\n1,H,3\n2,V,2\n2,L,1\n2,H,3\n"
    said = {"driver": "system", "race": race, "position": "score"}
    board = nbrank.read(rows.encode(), roles=said)
    assert board.borda().index[-1] == "H"
    assert board.reading.set_index("column").loc["position", "direction"] == "lower"


def test_an_average_of_places_is_doubted_if_it_is_wanted():
    rows = b"m,t,place\nA,0.9,1.3\nB,0.7,2.7\nC,0.8,2.0\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        board = nbrank.read(rows, roles={"place": "task"})
    assert "roles={'place': 'lower'}" in board.reading.doubts["place"]


def test_where_no_name_says_that_higher_is_better_it_is_assumed_in_words():
    board = read("model,acc,foo,latency_ms\nA,1,2,3\nB,2,1,4\n")
    whys = ["", "its name, 'acc'", "assumed", "its name, 'latency_ms'"]
    assert board.reading["why"].tolist() == whys
    assert describe_directions(board) == (
        "lower is better on latency_ms (by its name), higher on all others (assumed for foo)"
    )
    named = read("model,task,accuracy\nA,foo,1\nA,bar,2\nB,foo,2\nB,bar,1\n")
    assert describe_directions(named) == "higher is better on all"


def test_what_is_assumed_is_not_assumed_when_you_say_it():
    said = {"foo": "higher", "bar": "task"}
    board = read("model,foo,bar\nA,1,2\nB,2,1\n", roles=said)
    assert board.reading["why"].tolist() == ["", "you", "you"]
    assert describe_directions(board) == "higher is better on all"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("abc", "higher is better on all (assumed)"),
        ("abcdefghijk", "higher is better on all (assumed)"),
        (["acc", *"abcdefghijk"], "higher is better on all (assumed for 11 of them)"),
    ],
)
def test_many_assumptions_are_said_in_few_words(names, said):
    cells = {"A": "1234" * 3, "B": "2143" * 3, "C": "3412" * 3}
    rows = [["m", *names], *([who, *digits[: len(names)]] for who, digits in cells.items())]
    assert describe_directions(read("\n".join(map(",".join, rows)))) == said


def test_named_winners_state_the_directions_of_tasks_in_rows():
    rows = [
        "Metric,Model A,Model B,Winner",
        "imports,1,0,B (fewer)",
        "tests,8,6,A",
        "style,5,5,tie",
    ]
    board = read("\n".join(rows))
    assert board.lower_is_better == ("imports",)
    ways = {row.column: row.why for row in board.reading.directed}
    assert ways == {"imports": "the file says so", "tests": "the file says so", "style": "assumed"}
    assert board.reading.set_index("column").loc["Winner", "why"] == "it states directions"


def test_words_that_name_no_winner_state_nothing():
    board = read("Metric,Model A,Model B,Note\nimports,1,0,B fewer\ntests,8,6,good\nu,1,2,bad\n")
    assert board.lower_is_better == ()


def test_an_arrow_in_the_name_of_a_group_holds_for_its_metrics():
    rows = "metric,method,BoolQ,ARC\nAcc ↑,a,39,87\nAcc ↑,b,86,87\nTox ↓,a,4,4\nTox ↓,b,1,2\n"
    said = {"metric": "task", "method": "system", "BoolQ": "score", "ARC": "score"}
    assert read(rows, roles=said).lower_is_better == (("Tox ↓", "BoolQ"), ("Tox ↓", "ARC"))


def test_min_is_minutes_beside_other_units_and_a_direction_beside_max():
    minutes = read("model,battery (min),weight (kg)\nA,90,2\nB,80,3\n").reading.set_index("column")
    assert minutes.loc["battery (min)", "direction"] == "higher"
    assert "'minutes'" in minutes.loc["battery (min)", "doubt"]
    stated = read("model,foo (min),bar (max)\nA,1,2\nB,2,1\n")
    assert stated.lower_is_better == ("foo (min)",)


def test_the_role_of_a_score_says_nothing_of_its_direction():
    text = "model,set,foo,cost\nA,x,1,3\nA,y,2,4\nB,x,3,2\nB,y,1,2\n"
    roles = {"model": "system", "set": "task", "foo": "score", "cost": "score"}
    rows = read(text, roles=roles).reading.set_index("column")
    assert rows.loc["foo", "why"] == "assumed"
    assert rows.loc["cost", "doubt"].endswith(": roles={'cost': 'lower'}")
