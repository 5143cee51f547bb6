"""Results and samples after the schemas of Every Eval Ever."""

import numpy as np
import pytest

from nbrank import read
from nbrank.frontends import command_line
from nbrank.readers import every_eval_ever
from nbrank.readers.hosts.every_eval_ever_files import is_every_eval_ever


def result(name, score, *, lower=False, uncertainty=None, **metric):
    details = {"score": score} | ({} if uncertainty is None else {"uncertainty": uncertainty})
    return {
        "evaluation_name": name,
        "source_data": {"dataset_name": name, "source_type": "url", "url": ["https://a.example"]},
        "metric_config": {"lower_is_better": lower, "score_type": "continuous", **metric},
        "score_details": details,
    }


def record(model, *results, retrieved="1700000000"):
    return {
        "schema_version": "0.2.2",
        "evaluation_id": f"b/{model}/{retrieved}",
        "retrieved_timestamp": retrieved,
        "model_info": {"name": model, "id": model, "developer": "org"},
        "evaluation_results": list(results),
    }


def sample(model, instance, score, task="arc", evaluation="e1"):
    return {
        "schema_version": "instance_level_eval_0.2.2",
        "evaluation_id": evaluation,
        "model_id": model,
        "evaluation_name": task,
        "sample_id": instance,
        "interaction_type": "single_turn",
        "evaluation": {"score": score, "is_correct": bool(score)},
    }


class TestResults:
    def test_scores_directions_and_errors_are_those_of_the_files(self, write):
        folder = write(
            {
                "data/b/org/A/1.json": record(
                    "org/A",
                    result("arc", 0.7, uncertainty={"standard_error": {"value": 0.02}}),
                    result("wer", 5.1, lower=True),
                ),
                "data/b/org/B/2.json": record(
                    "org/B",
                    result("arc", 0.6, uncertainty={"standard_deviation": 0.5, "num_samples": 100}),
                    result("wer", 4.2, lower=True),
                ),
            }
        )
        board = every_eval_ever(folder)
        assert board.scores.to_dict("index") == {
            "org/A": {"arc": 0.7, "wer": 5.1},
            "org/B": {"arc": 0.6, "wer": 4.2},
        }
        assert board.lower_is_better == ("wer",)
        assert board.errors["arc"].tolist() == pytest.approx([0.02, 0.05])
        assert board.errors["wer"].isna().all()

    def test_an_interval_is_an_error_by_its_level(self, write):
        ends = {"lower": 0.4, "upper": 0.8, "confidence_level": 0.9}
        files = {"A.json": record("A", result("t", 0.6, uncertainty={"confidence_interval": ends}))}
        board = every_eval_ever(write(files))
        assert board.errors.loc["A", "t"] == pytest.approx(0.2 / 1.6448536)

    def test_an_evaluation_of_two_metrics_makes_groups(self, write):
        both = [result("t", 0.6, metric_name="acc"), result("t", 0.5, metric_name="f1")]
        board = every_eval_ever(write({"A.json": record("A", *both)}))
        assert board.scores.columns.tolist() == [("t", "acc"), ("t", "f1")]

    def test_the_last_retrieved_counts_and_it_is_said(self, write):
        files = {
            "1.json": record("A", result("t", 0.9), retrieved="1800000000"),
            "2.json": record("A", result("t", 0.1), retrieved="1700000000"),
            "3.json": record("B", result("t", 0.5)),
        }
        with pytest.warns(UserWarning, match="'A' has 't' more than once, .* last retrieved"):
            board = every_eval_ever(write(files))
        assert board.scores["t"].to_dict() == {"A": 0.9, "B": 0.5}

    def test_unknown_levels_and_models_without_a_task_are_missing(self, write):
        files = {
            "A.json": record("A", result("t", -1, has_unknown_level=True), result("u", 1)),
            "B.json": record("B", result("t", 2)),
        }
        scores = every_eval_ever(write(files)).scores
        assert np.isnan(scores.loc["A", "t"])
        assert np.isnan(scores.loc["B", "u"])

    def test_directions_that_disagree_are_refused(self, write):
        files = {
            "A.json": record("A", result("t", 1, lower=True)),
            "B.json": record("B", result("t", 2)),
        }
        with pytest.raises(ValueError, match=r"not in others on 't'; correct metric_config"):
            every_eval_ever(write(files))

    def test_read_knows_folders_and_files_of_them(self, write):
        folder = write(
            {"A.json": record("A", result("t", 1)), "B.json": record("B", result("t", 2))}
        )
        for source in (folder, [folder / "A.json", folder / "B.json"]):
            assert read(source).scores["t"].to_dict() == {"A": 1, "B": 2}
        assert read(folder / "A.json").scores.shape == (1, 1)


class TestSamples:
    def test_samples_are_rows_of_system_and_instance(self, write):
        lines = [sample(model, f"q{n}", n % 2, task) for model in "AB" for n in range(3)
                 for task in ("arc", "gsm")]  # fmt: skip
        board = every_eval_ever(write({"s.jsonl": lines}))
        assert board.scores.index.names == ["system", "instance"]
        assert board.scores.loc[("A", "q1"), "arc"] == 1
        assert board.scores.shape == (6, 2)

    def test_several_scores_of_a_sample_are_runs(self, write):
        lines = [sample("A", "q1", 1, evaluation=f"e{n}") for n in range(2)]
        with pytest.warns(UserWarning, match="up to 2 scores, which are read as runs"):
            board = every_eval_ever(write({"s.jsonl": [*lines, sample("B", "q1", 0)]}))
        assert "averages of 1 to 2 runs of each instance" in repr(board)

    def test_beside_results_samples_are_read_and_it_is_said(self, write):
        folder = write({"A.json": record("A", result("t", 1)), "A.jsonl": [sample("A", "q", 1)]})
        with pytest.warns(UserWarning, match="the samples are read"):
            assert every_eval_ever(folder).scores.index.nlevels == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"A\.json is not JSON"),
        ("[1, 2]", "no file in .* has evaluation_results"),
        ('{"evaluation_results": 3, "model_info": {}}', "no file in .* has evaluation_results"),
        ('{"evaluation_results": [], "model_info": {}}', "no file in .* has evaluation_results"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path, text, message):
    (tmp_path / "A.json").write_text(text)
    assert is_every_eval_ever(tmp_path / "A.json") == ("[], " in text)
    with pytest.raises(ValueError, match=message):
        every_eval_ever(tmp_path)
    with pytest.raises(ValueError, match="is neither a folder nor a file"):
        every_eval_ever(tmp_path / "none")


def test_the_command_line_reads_logs(write, capsys):
    folder = write({"A.json": record("A", result("t", 1)), "B.json": record("B", result("t", 2))})
    assert command_line.main([str(folder), "--rule", "borda", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "B,1,1.0"
