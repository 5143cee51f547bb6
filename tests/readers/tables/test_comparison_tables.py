"""`nbrank.read` of votes: comparisons, squares of wins and ballots, with their reading."""

import pandas as pd
import pytest

import nbrank
from nbrank import Comparisons, Leaderboard, read
from nbrank.frontends import command_line

BATTLES = b"model_a,model_b,winner\nA,B,model_a\nB,C,tie\nC,A,model_a\n"


def roles_of(votes):
    return dict(zip(votes.reading["column"], votes.reading["role"], strict=True))


def test_comparisons_are_known_by_their_columns_and_it_is_said():
    with pytest.warns(UserWarning, match="holds comparisons, read as roles=.*'model_a': 'left'"):
        votes = read(BATTLES)
    assert isinstance(votes, Comparisons)
    assert roles_of(votes) == {"model_a": "left", "model_b": "right", "winner": "winner"}


def test_roles_say_which_columns_they_are():
    table = b"x,y,who,weight,rater\nA,B,1,2,u\nB,C,2,1,v\n"
    roles = {"x": "left", "y": "right", "who": "winner", "weight": "weight", "rater": "cluster"}
    votes = read(table, roles=roles)
    assert votes.counts.total == 3
    assert len(set(votes.clusters)) == 2
    assert roles_of(votes) == roles


def test_counts_of_rows_are_numbers_of_comparisons():
    roles = {"a": "left", "b": "right", "w": "winner", "times": "n"}
    assert len(read(b"a,b,w,times\nA,B,a,5\nB,A,a,2\n", roles=roles)) == 7


@pytest.mark.filterwarnings("ignore:the file holds comparisons")
def test_a_column_that_seems_to_count_comparisons_is_not_left_out_silently():
    table = b"left,right,winner,votes\nA,B,A,5\nB,A,B,2\n"
    with pytest.warns(UserWarning, match="each row is one .* counts them, roles={'votes': 'n'}"):
        assert len(read(table)) == 2


def test_judges_of_a_row_are_several_winners():
    table = b"a,b,first,second\nA,B,1,2\nB,C,2,2\n"
    roles = {"a": "left", "b": "right", "first": "winner", "second": "winner"}
    with pytest.warns(UserWarning, match="as a cluster"):
        assert len(read(table, roles=roles)) == 4


def test_words_of_ties_and_sides_go_with_comparisons_only():
    table = b"left,right,winner\nA,B,first\nB,C,neither\n"
    roles = {"left": "left", "right": "right", "winner": "winner"}
    votes = read(table, roles=roles, ties=["neither"], sides=("first", "second"))
    assert votes.counts.ties.sum() == 2
    with pytest.raises(ValueError, match="ties goes with comparisons"):
        read(b"model,t\nA,1\nB,2\n", ties=["x"])
    with pytest.raises(
        ValueError, match=r"the file: unknown winners: .*with ties=, or with sides="
    ):
        read(table, roles=roles)


@pytest.mark.filterwarnings("ignore:the file holds comparisons")
def test_a_column_of_judges_may_be_clusters():
    rows = [f"{'AB'[at % 2]},{'BA'[at % 2]},A,u{at % 3}" for at in range(12)]
    table = "\n".join(["left,right,winner,judge", *rows]).encode()
    with pytest.warns(UserWarning, match="the rows of one judge .*, roles={'judge': 'cluster'}"):
        read(table)
    assert read(table, roles={"judge": "cluster"}).clusters.max() == 2
    assert read(table, roles={"judge": "description"}).clusters is None


def test_squares_of_wins_are_comparisons():
    with pytest.warns(UserWarning, match="numbers of wins.*roles={'': 'system'}"):
        votes = read(b",A,B,C\nA,0,3,1\nB,2,0,4\nC,1,0,0\n")
    assert votes.pairwise().loc["B", "C"] == 4
    square = votes.pairwise()
    with pytest.warns(UserWarning, match="as nbrank.from_wins does"):
        assert read(square).pairwise().equals(square)
    as_scores = read(b",A,B,C\nA,0,3,1\nB,2,0,4\nC,1,0,0\n", roles={"": "system"})
    assert isinstance(as_scores, Leaderboard)
    with pytest.warns(UserWarning, match="roles={'system': 'system'}"):
        read(square)
    assert isinstance(read(square, roles={"system": "system"}), Leaderboard)


@pytest.mark.parametrize(
    ("table", "match"),
    [
        (b"student,1st,2nd,3rd\ns1,A,B,C\ns2,B,A,\ns3,B,C,A\n", "3 ballots, the columns '1st'"),
        (b"student,A,B,C\ns1,1,2,3\ns2,2,1,3\ns3,3,1,2\n", "3 ballots, each cell being the place"),
        (
            b"student,order\ns1,A;B;C\ns2,B;A;C\ns3,B;C;A\n",
            "3 ballots, one in each cell of 'order'",
        ),
        (b"1: A > B > C\n1: B > A > C\n1: B > C > A\n", "3 ballots, one in each cell"),
    ],
)
def test_ballots_are_known_and_students_are_no_systems(table, match):
    with pytest.warns(UserWarning, match=match):
        board = read(table)
    assert sorted(board.systems) == ["A", "B", "C"]
    assert board.plurality().index[0] == "B"
    assert board.plurality()["score"].tolist() == [2, 1, 0]


def test_lines_with_counts_are_ballots_however_few_and_no_column_is_advised():
    with pytest.warns(UserWarning, match="holds 2 ballots") as warned:
        board = read(b"5: A > B = C\n3: B > A\n")
    assert board.plurality()["score"].to_dict() == {"A": 5, "B": 3, "C": 0}
    assert "name the column" not in str(warned[0].message)


def test_what_the_warning_says_reads_places_as_scores():
    table = b"judge,A,B,C\ns1,1,2,3\ns2,2,1,3\ns3,3,1,2\n"
    with pytest.warns(UserWarning, match="transpose=True"):
        read(table)
    board = read(table, transpose=True)
    assert list(board.systems) == ["A", "B", "C"]
    assert list(board.tasks) == ["s1", "s2", "s3"]


def test_an_unfinished_ballot_is_said():
    said = "1 of them leaves options out, which share the last place there; a mean"
    with pytest.warns(UserWarning, match=said):
        read(b"student,1st,2nd,3rd\ns1,A,B,C\ns2,B,A,\ns3,B,C,A\n")
    with pytest.warns(UserWarning, match="3 ballots") as caught:
        read(b"student,1st,2nd,3rd\ns1,A,B,C\ns2,B,A,C\ns3,B,C,A\n")
    assert "options out" not in str(caught[0].message)


def test_a_ballot_that_chooses_nothing_is_left_out_and_named():
    with (
        pytest.warns(UserWarning, match="left out, since they choose nothing: row 2"),
        pytest.warns(UserWarning, match="3 ballots"),
    ):
        board = read(b"student,1st,2nd\ns1,A,B\ns2,,\ns3,B,A\n")
    assert board.scores.shape[1] == 2
    with (
        pytest.warns(UserWarning, match="row 2"),
        pytest.warns(UserWarning, match="3 ballots"),
    ):
        board = read(b"count,1st,2nd\n5,A,B\n3,,\n4,B,A\n")
    assert board.plurality()["score"].to_dict() == {"A": 5, "B": 4}


def test_marks_of_exported_ballots_are_no_options():
    text = (
        b"id,choice 1,choice 2,choice 3\n1,A,skipped,B\n2,overvote,B,A\n3,skipped,skipped,skipped\n"
    )
    with (
        pytest.warns(UserWarning, match="no choice.*: 'overvote', 'skipped'"),
        pytest.warns(UserWarning, match="row 3"),
        pytest.warns(UserWarning, match="3 ballots"),
    ):
        board = read(text)
    assert board.plurality()["score"].to_dict() == {"A": 1, "B": 1}


def run(capsys, *arguments):
    code = command_line.main(list(map(str, arguments)))
    result = capsys.readouterr()
    return code, result.out, result.err


def test_the_command_line_reads_them(tmp_path, capsys):
    file = tmp_path / "votes.csv"
    file.write_text("5: A > B\n3: B > A\n")
    code, out, _ = run(capsys, file, "--rule", "plurality", "--format", "csv")
    assert (code, out.splitlines()[1]) == (0, "A,1,5.0")


def test_the_command_line_has_words_for_ties_and_sides(tmp_path, capsys):
    file = tmp_path / "battles.csv"
    file.write_text("left,right,winner\nA,B,first\nB,C,neither\nC,A,second\n")
    code, _, err = run(capsys, file)
    assert code == 2
    assert "--tie" in err and "--sides" in err  # noqa: PT018
    rule = ["--rule", "copeland", "--format", "csv"]
    code, out, _ = run(capsys, file, "--sides", "first", "second", "--tie", "neither", *rule)
    assert (code, out.splitlines()[1]) == (0, "A,1,2.0")
    file.write_text("left,right,winner\nA,B,1\nB,A,0\n")
    code, _, err = run(capsys, file)
    assert (code, "--sides 1 0, or --tie 0 with --sides 1 2" in err) == (2, True)
    assert run(capsys, file, "--sides", "1", "0", *rule)[0] == 0
    assert run(capsys, file, "--tie", "0", "--sides", "1", "2", *rule)[0] == 0


def test_scores_stay_scores():
    frame = pd.DataFrame({"t1": [1.0, 2.0], "t2": [3.0, 1.0]}, index=["A", "B"])
    assert nbrank.read(frame).scores.to_numpy().tolist() == frame.to_numpy().tolist()


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(b"name,1st,2nd,3rd\nAnn,A,B,C\nBob,B,C,A\nCid,C,A,B\n", id="places"),
        pytest.param(b"voter,A,B,C\nv1,1,2,3\nv2,2,1,3\nv3,1,3,2\n", id="grid"),
        pytest.param(b"ballot,n\nA > B > C,5\nB > C > A,3\n", id="orders"),
        pytest.param(b",A,B,C\nA,,5,6\nB,4,,7\nC,3,2,\n", id="square of wins"),
    ],
)
def test_a_kept_reading_of_votes_is_read_again_in_silence(table, tmp_path):
    with pytest.warns(UserWarning, match="is read as|holds"):
        first = read(table)
    first.reading.to_toml(tmp_path / "roles.toml")
    again = read(table, roles=tmp_path / "roles.toml")
    assert type(again) is type(first)
    pd.testing.assert_frame_equal(again.borda(), first.borda())
    assert roles_of(again) == roles_of(first)
    assert set(again.reading["why"]) == {"you"}
