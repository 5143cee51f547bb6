"""Logs of Inspect in JSON."""

import pytest

from nbrank import read
from nbrank.readers import inspect_logs


def log(model, *values, task="arc", status="success", epochs=1, scorer="match"):
    samples = [
        {"id": number, "epoch": epoch + 1, "scores": {scorer: {"value": value}}}
        for number, value in enumerate(values)
        for epoch in range(epochs)
    ]
    return {
        "version": 2,
        "status": status,
        "eval": {"task": task, "model": model},
        "samples": samples,
    }


def test_words_and_numbers_are_scores(write):
    folder = write({"A.json": log("A", "C", "I", "P", "N", True, 0.25, "0.75")})
    for board in (inspect_logs(folder), read(folder), read(folder / "A.json")):
        assert board.scores["arc"].tolist() == [1, 0, 0.5, 0, 1, 0.25, 0.75]
        assert board.scores.index.names == ["system", "instance"]


def test_models_and_tasks_are_those_of_the_logs(write):
    files = {"1.json": log("A", "C"), "2.json": log("B", "I"), "3.json": log("A", "C", task="gsm")}
    board = inspect_logs(write(files))
    assert list(board.systems) == ["A", "B"]
    assert list(board.scores.columns) == ["arc", "gsm"]


def test_epochs_are_runs(write):
    with pytest.warns(UserWarning, match="up to 3 scores, which are read as runs"):
        assert "averages of 3 runs" in repr(
            inspect_logs(write({"A.json": log("A", "C", epochs=3)}))
        )


def test_logs_without_success_are_left_out_and_named(write):
    files = {"A.json": log("A", "C"), "B.json": log("B", "C", status="error")}
    with pytest.warns(UserWarning, match=r"'B\.json' did not end in success"):
        assert list(inspect_logs(write(files)).systems) == ["A"]


def test_other_scorers_are_named_and_may_be_chosen(write):
    content = log("A", "C")
    content["samples"][0]["scores"]["model_graded"] = {"value": 0.5}
    folder = write({"A.json": content})
    with pytest.warns(UserWarning, match="for one of these, scorer='model_graded'"):
        assert inspect_logs(folder).scores["arc"].tolist() == [1]
    assert inspect_logs(folder, scorer="model_graded").scores["arc"].tolist() == [0.5]
    with pytest.raises(ValueError, match="has a score by 'x'"):
        inspect_logs(folder, scorer="x")


@pytest.mark.parametrize(
    "content",
    [
        log("A"),
        log("A", [1, 2], {"a": 1}, None),
        {"eval": {"task": "t", "model": "A"}, "samples": [3, {}, {"scores": []}]},
        {"eval": 1},
        [3],
    ],
)
def test_what_has_no_score_is_refused(write, content):
    with pytest.raises(ValueError, match="no sample of a finished log"):
        inspect_logs(write({"A.json": content}))
