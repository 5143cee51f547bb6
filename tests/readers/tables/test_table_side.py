"""Which side of a table the systems are on, by the names of its rows and columns."""

import pytest

import nbrank


def test_rows_that_are_called_like_metrics_are_tasks():
    with pytest.warns(UserWarning, match="'WER', 'F1' are called like metrics"):
        board = nbrank.read(b"name,ours,theirs\nWER,2.4,5.7\nF1,90.1,89.0\n")
    assert board.lower_is_better == ("WER",)
    assert [*board.systems] == ["ours", "theirs"]


def test_losses_may_be_the_systems():
    with pytest.warns(UserWarning, match="the rows look like tasks"):
        board = nbrank.read(b"variant,t1,t2\nfocal loss,2.4,5.7\ndice loss,90.1,89.0\n")
    assert [*board.systems] == ["focal loss", "dice loss"]


@pytest.mark.parametrize("head", ["Game", "Criterion"])
def test_numbered_judges_are_no_systems(head):
    doubts = nbrank.read(f"{head},Judge 1,Judge 2\nx,2,2.5\ny,2.5,1\n".encode()).reading.doubts
    assert doubts == {
        head: f"its name is that of tasks: roles={{'{head}': 'task'}} turns the table"
    }


def test_distances_of_races_are_no_sizes_of_systems():
    board = nbrank.read(b"name,100m,1500m\nAnn,12.4,280\nBob,11.9,275\n")
    assert [*board.systems] == ["Ann", "Bob"]
    assert set(board.reading.doubts) == {"100m", "1500m"}
