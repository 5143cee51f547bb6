"""Samples as lm-evaluation-harness logs them."""

import pytest

from nbrank import read
from nbrank.readers import lm_eval_samples


def harness(right, **more):
    return [
        {"doc_id": n, "filter": "none", "acc": value, "metrics": ["acc"], "doc": {"q": "x"}} | more
        for n, value in enumerate(right)
    ]


FILES = {
    "org__A/samples_arc_2024-05-01T10-00-00.000001.jsonl": harness([1, 1, 0]),
    "org__B/samples_arc_2024-05-02T10-00-00.000001.jsonl": harness([0, 1.0, 0]),
}


class TestHarness:
    def test_samples_are_rows_of_system_and_instance(self, write):
        folder = write(FILES)
        for board in (lm_eval_samples(folder), read(folder)):
            assert board.scores["arc"].tolist() == [1, 1, 0, 0, 1, 0]
            assert list(board.systems) == ["org/A", "org/B"]

    def test_the_results_beside_name_the_model(self, write):
        folder = write(FILES | {"org__A/results_2024.json": {"model_name": "org/A-chat"}})
        assert list(lm_eval_samples(folder).systems) == ["org/A-chat", "org/B"]

    def test_files_of_several_dates_are_runs(self, write):
        again = {"org__A/samples_arc_2024-06-01T10-00-00.000001.jsonl": harness([0, 1, 0])}
        with pytest.warns(UserWarning, match="read as runs of each"):
            board = lm_eval_samples(write(FILES | again))
        assert "averages of 1 to 2 runs of each instance" in repr(board)
        assert board.mean()["score"]["org/A"] == pytest.approx(0.5)

    def test_one_score_is_read_and_others_are_named(self, write):
        lines = [line | {"f1": 0.5, "metrics": ["acc", "f1"]} for line in harness([1, 0])]
        folder = write({"A/samples_t.jsonl": lines})
        with pytest.warns(UserWarning, match="not 'f1'; to read one of these, metric='f1'"):
            assert lm_eval_samples(folder).scores["t"].tolist() == [1, 0]
        assert lm_eval_samples(folder, metric="f1").scores["t"].tolist() == [0.5, 0.5]
        with pytest.raises(ValueError, match="no sample has a score 'bleu'"):
            lm_eval_samples(folder, metric="bleu")

    def test_a_score_by_several_filters_is_asked_for(self, write):
        lines = [*harness([1, 0], filter="strict"), *harness([1, 1], filter="flexible")]
        folder = write({"A/samples_t.jsonl": lines})
        with pytest.raises(
            ValueError, match="say which, metric='acc,strict': 'acc,strict', 'acc,f"
        ):
            lm_eval_samples(folder, metric="acc")
        board = lm_eval_samples(folder, metric="acc,flexible")
        assert board.scores["t"].tolist() == [1, 1]

    def test_lines_without_a_list_of_metrics_have_their_numbers(self, write):
        lines = [{"doc_id": n, "exact_match": n % 2, "doc": {}} for n in range(2)]
        assert lm_eval_samples(write({"A/samples_t.jsonl": lines})).scores["t"].tolist() == [0, 1]

    @pytest.mark.parametrize("text", ['{"doc_id": 1}', "[]", "3", ""])
    def test_what_has_no_score_is_refused(self, tmp_path, text):
        (tmp_path / "samples_t.jsonl").write_text(text)
        with pytest.raises(ValueError, match="no sample has a score"):
            lm_eval_samples(tmp_path)

    def test_a_torn_line_is_named(self, tmp_path):
        (tmp_path / "samples_t.jsonl").write_text('{"doc_id": 1, "acc": 1}\n{"doc')
        with pytest.raises(ValueError, match=r"line 2 of .*samples_t\.jsonl is not JSON"):
            lm_eval_samples(tmp_path)
