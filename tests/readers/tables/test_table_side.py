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
