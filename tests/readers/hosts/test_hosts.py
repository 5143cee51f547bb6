"""Hosts' own formats, on small files written after them.

The formats: embeddings-benchmark/results (model/revision/task.json); EleutherAI's
lm-evaluation-harness 0.4 (results_*.json) and EleutherAI/pythia, evals (0.3); HELM's
groups/core_scenarios.json of a release (stanford-crfm/helm, presentation/summarize.py;
evaleval/every_eval_ever reads the same);
tatsu-lab/alpaca_eval, results/model/annotator/annotations.json; SWE-bench/experiments,
evaluation/verified/*/results/results.json, and resolved_by_repo.json beside it, which the site
of SWE-bench draws as {repository: {"resolved": n, "total": n}};
lmsys/chatbot_arena_conversations; PrefLib's https://www.preflib.org/format.
"""

import json

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import readers


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def mteb_file(*scores, split="test"):
    subsets = [
        {"hf_subset": f"s{n}", "languages": ["eng-Latn"], "main_score": score, "ndcg_at_10": 0}
        for n, score in enumerate(scores)
    ]
    return {"dataset_revision": "27a1", "mteb_version": "1.12.75", "scores": {split: subsets}}


class TestMteb:
    @pytest.fixture
    def folder(self, tmp_path):
        write(tmp_path / "org__m1" / "rev1" / "FiQA2018.json", mteb_file(0.6))
        write(tmp_path / "org__m1" / "rev1" / "SICK-R.json", mteb_file(0.7, 0.8))
        write(tmp_path / "org__m1" / "rev1" / "model_meta.json", {"name": "org/m1"})
        write(tmp_path / "org__m2" / "rev9" / "FiQA2018.json", mteb_file(0.9))
        return tmp_path

    def test_main_scores_of_the_split_over_subsets(self, folder):
        scores = readers.mteb(folder)
        assert scores.loc["org/m1"].to_dict() == {"FiQA2018": 0.6, "SICK-R": 0.75}
        assert np.isnan(scores.loc["org/m2", "SICK-R"])
        # MTEB: a task that a model did not do gives it no points.
        assert nbrank.borda(scores, missing="zero")["score"].to_dict() == {
            "org/m1": 1.0,
            "org/m2": 1.0,
        }

    def test_of_several_revisions_the_fullest(self, folder):
        write(folder / "org__m1" / "rev2" / "FiQA2018.json", mteb_file(0.1))
        with pytest.warns(UserWarning, match="of 'org/m1' the revision with the most tasks"):
            assert readers.mteb(folder).loc["org/m1", "FiQA2018"] == 0.6

    def test_another_split(self, folder):
        write(folder / "org__m2" / "rev9" / "Other.json", mteb_file(0.4, split="dev"))
        with pytest.warns(UserWarning, match="no 'test' split, so no score, in 'org__m2/Other'"):
            assert "Other" not in readers.mteb(folder).columns


def harness_file(model, figures, **others):
    return {"results": figures, "model_name": model, **others}


class TestLmEval:
    @pytest.fixture
    def folder(self, tmp_path):
        figures = {
            "piqa": {
                "alias": "piqa", "acc,none": 0.7, "acc_stderr,none": 0.01, "acc_norm,none": 0.72,
                "acc_norm_stderr,none": 0.02,
            },
            "gsm8k": {"exact_match,strict-match": 0.5, "exact_match_stderr,strict-match": "N/A"},
            "mmlu": {"acc,none": 0.4, "acc_stderr,none": 0.001},
            "mmlu_law": {"acc,none": 0.3, "acc_stderr,none": 0.03},
        }  # fmt: skip
        others = {
            "n-samples": {"gsm8k": {"original": 1319, "effective": 100}},
            "group_subtasks": {"mmlu": ["mmlu_law"], "piqa": []},
        }
        for number, name in enumerate(("org/a", "org/b")):
            moved = json.loads(json.dumps(figures))
            moved["piqa"]["acc,none"] += number / 10
            file = tmp_path / name.replace("/", "__") / "results_2024-05-13T12-00-00.json"
            write(file, harness_file(name, moved, **others))
        write(tmp_path / "org__a" / "samples_piqa.json", [{"doc_id": 0}])
        return tmp_path

    def test_every_metric_is_a_task_of_its_group(self, folder):
        with pytest.warns(UserWarning, match="'mmlu' are averages of other tasks, and left out"):
            scores, errors = readers.lm_eval(folder, errors=True)
        assert list(scores.index) == ["org/a", "org/b"]
        assert list(scores.columns) == [
            ("piqa", "acc"), ("piqa", "acc_norm"), ("gsm8k", "exact_match,strict-match"),
            ("mmlu_law", "acc"),
        ]  # fmt: skip
        assert scores[("piqa", "acc")].tolist() == [0.7, pytest.approx(0.8)]
        assert errors[("piqa", "acc_norm")].tolist() == [0.02, 0.02]
        assert errors[("gsm8k", "exact_match,strict-match")].isna().all()  # which says "N/A"
        assert scores.attrs["n"] == [None, None, 100, None]

    @pytest.mark.filterwarnings("ignore:.*averages of other tasks")
    def test_one_metric(self, folder):
        assert list(readers.lm_eval(folder, metric="acc").columns) == ["piqa", "mmlu_law"]
        with pytest.raises(ValueError, match="holds no scores of this kind"):
            readers.lm_eval(folder, metric="bleu")

    def test_files_from_before_version_0_4(self, tmp_path):
        content = {
            "results": {"piqa": {"acc": 0.6, "acc_stderr": 0.01}, "lambada": {"ppl": 5.0}},
            "versions": {"piqa": 0},
            "config": {"model": "hf", "model_args": "pretrained=EleutherAI/pythia-70m,dtype=half"},
        }
        write(tmp_path / "pythia-70m.json", content)
        scores, errors = readers.lm_eval(tmp_path, errors=True)
        assert list(scores.index) == ["EleutherAI/pythia-70m"]
        assert scores[("piqa", "acc")].item() == 0.6
        assert errors[("piqa", "acc")].item() == 0.01

    def test_a_standard_error_of_0_is_doubted(self, tmp_path):
        figures = {
            "arc": {"acc,none": 0.0456, "acc_stderr,none": 0.0},
            "copa": {"acc,none": 1.0, "acc_stderr,none": 0.0},
        }
        sizes = {"arc": {"effective": 307}, "copa": {"effective": 20}}
        write(tmp_path / "m" / "r.json", harness_file("m", figures, **{"n-samples": sizes}))
        readers.lm_eval(tmp_path)
        with pytest.warns(
            nbrank.votes.user_warnings.ZeroErrorWarning,
            match=r"lm_eval: .* of 'm' on \('arc', 'acc'\)",
        ) as caught:
            scores, _ = readers.lm_eval(tmp_path, errors=True)
        call = "binomial_errors(scores, n=dict(zip(scores.columns, scores.attrs['n'])))"
        assert f"take {call}" in str(caught[0].message)
        errors = eval(call, {"binomial_errors": nbrank.binomial_errors, "scores": scores})
        assert errors.loc["m"].tolist() == pytest.approx([0.0125, 0.0564], abs=1e-4)

    def test_of_several_filters_one_has_to_be_named(self, tmp_path):
        figures = {
            "exact_match,strict": 0.5, "exact_match_stderr,strict": 0.1, "exact_match,flexible": 0.6
        }  # fmt: skip
        write(tmp_path / "m" / "results.json", harness_file("m", {"gsm8k": figures}))
        with pytest.raises(ValueError, match="'gsm8k' has 'exact_match' by several filters"):
            readers.lm_eval(tmp_path, metric="exact_match")
        scores, errors = readers.lm_eval(tmp_path, metric="exact_match,strict", errors=True)
        assert scores["gsm8k"].tolist() == [0.5]
        assert errors["gsm8k"].tolist() == [0.1]

    def test_of_several_files_of_a_model_the_last_counts_and_is_named(self, tmp_path):
        for run, score in (("run1", 0.9), ("run2", 0.1)):
            write(tmp_path / f"{run}.json", harness_file("A", {"arc": {"acc,none": score}}))
        write(tmp_path / "b.json", harness_file("B", {"arc": {"acc,none": 0.5}}))
        said = "several files have scores of 'A' on 'arc', .* 'run2.json', not of 'run1.json'"
        with pytest.warns(UserWarning, match=said) as caught:
            scores = readers.lm_eval(tmp_path, metric="acc")
        assert scores["arc"].to_dict() == {"B": 0.5, "A": 0.1}
        assert len(caught) == 1

    def test_files_of_different_tasks_of_a_model_are_one_row_without_a_word(self, tmp_path):
        for task, score in (("arc", 0.9), ("piqa", 0.1)):
            write(tmp_path / f"{task}.json", harness_file("A", {task: {"acc,none": score}}))
        assert readers.lm_eval(tmp_path, metric="acc").loc["A"].to_dict() == {
            "arc": 0.9,
            "piqa": 0.1,
        }

    def test_lower_is_better_is_said(self, tmp_path):
        file = harness_file(
            "m", {"wikitext": {"word_perplexity,none": 9.5}},
            higher_is_better={"wikitext": {"word_perplexity": False}},
        )  # fmt: skip
        write(tmp_path / "m" / "results.json", file)
        with pytest.warns(UserWarning, match=r"lower is better on 'wikitext \(word_perplexity\)'"):
            readers.lm_eval(tmp_path)


HELM = {
    "title": "Accuracy",
    "header": [
        {"value": "Model", "markdown": False, "metadata": {}},
        {"value": "Mean win rate", "description": "...", "lower_is_better": False},
        {"value": "NarrativeQA - F1", "lower_is_better": False},
        {"value": "WMT 2014 - BLEU-4", "lower_is_better": False},
    ],
    "rows": [
        [{"value": "GPT-4o"}, {"value": 0.75}, {"value": 0.8, "description": "n"},
         {"value": 0.2}],
        [{"value": "Llama"}, {"value": 0.5}, {"value": 0.7}, {}],
        [{"value": "Yi"}, {"value": 0.25}, {"value": 0.6}, {"value": 0.3}],
    ],
}  # fmt: skip


class TestHelm:
    def test_the_table_of_accuracies_without_helms_average(self, tmp_path):
        tables = [{**HELM, "title": "Efficiency"}, HELM]
        write(tmp_path / "groups" / "core_scenarios.json", tables)
        for path in (tmp_path, tmp_path / "groups" / "core_scenarios.json"):
            scores = readers.helm(path)
            assert list(scores.columns) == ["NarrativeQA - F1", "WMT 2014 - BLEU-4"]
            assert np.isnan(scores.loc["Llama", "WMT 2014 - BLEU-4"])
            assert scores.attrs["metadata"] == ["Mean win rate"]
        assert nbrank.mean_win_rate(scores)["score"].to_dict() == {
            "GPT-4o": 0.5, "Llama": 0.5, "Yi": 0.5,
        }  # fmt: skip

    def test_what_is_no_such_file(self, tmp_path):
        with pytest.raises(ValueError, match="helm: no file groups/core_scenarios.json in"):
            readers.helm(tmp_path)
        write(tmp_path / "suite" / "mmlu:model=a" / "run_spec.json", {"name": "mmlu:model=a"})
        with pytest.raises(ValueError, match="raw runs, which don't say .* run helm-summarize"):
            readers.helm(tmp_path)
        write(tmp_path / "groups" / "mmlu.json", [HELM])
        with pytest.raises(ValueError, match=r"one of the tables in its folder .*'mmlu\.json'"):
            readers.helm(tmp_path)
        write(tmp_path / "x.json", {"a": 1})
        with pytest.raises(ValueError, match="is JSON, but no table"):
            readers.helm(tmp_path / "x.json")
        write(tmp_path / "x.json", {"header": [{"value": "Model"}], "rows": [["A", 0.5]]})
        with pytest.raises(ValueError, match="x.json: the only column is 'value'"):
            readers.helm(tmp_path / "x.json")


class TestAlpacaEval:
    @pytest.fixture
    def folder(self, tmp_path):
        for model, preferences in (("gpt4", [2.0, 1.4, None]), ("alpaca-7b", [1, 0, 1.25])):
            annotations = [
                {"instruction": f"do {n}", "output_1": "x", "generator_1": "text_davinci_003",
                 "dataset": "koala", "output_2": "y", "generator_2": model,
                 "annotator": "weighted", "preference": one}
                for n, one in enumerate(preferences)
            ]  # fmt: skip
            write(tmp_path / model / "weighted" / "annotations.json", annotations)
        return tmp_path

    def test_the_shares_won_of_each_instruction(self, folder):
        scores = readers.alpaca_eval(folder)
        assert scores.index.names == ["system", "instance"]
        assert scores.loc["gpt4", "win_rate"].dropna().tolist() == pytest.approx([1, 0.4])
        assert scores.loc["alpaca-7b", "win_rate"].tolist() == pytest.approx([0, 0.5, 0.25])
        assert nbrank.mean(scores, missing="ignore")["score"]["alpaca-7b"] == pytest.approx(0.25)

    def test_several_annotators_are_asked_about(self, folder):
        write(
            folder / "gpt4" / "claude" / "annotations.json",
            [{"instruction": "do 0", "generator_2": "gpt4", "preference": 1}],
        )
        write(
            folder / "gpt4" / "human" / "annotations.json",
            [{"instruction": "do 0", "generator_2": "gpt4", "preference": 1}],
        )
        with pytest.raises(ValueError, match="annotations by .*annotator='"):
            readers.alpaca_eval(folder)
        assert len(readers.alpaca_eval(folder, annotator="weighted")) == 6

    def test_a_leaderboard_with_its_standard_errors(self, tmp_path):
        write(
            tmp_path / "leaderboard.csv",
            ",win_rate,standard_error,n_wins,mode,avg_length,length_controlled_winrate,"
            "lc_standard_error\ngpt4,23.6,1.2,100,minimal,1365,38.1,0.5\nalpaca,2.6,0.5,20,"
            "minimal,396,5.9,0.3\n",
        )
        scores, errors = readers.alpaca_eval(tmp_path / "leaderboard.csv", errors=True)
        assert list(scores.columns) == ["win_rate", "length_controlled_winrate"]
        assert errors.loc["gpt4"].tolist() == [1.2, 0.5]


class TestSweBench:
    @pytest.fixture
    def folder(self, tmp_path):
        for name, solved in (
            ("20240402_rag", ["django__django-1"]),
            ("20240620_agent", ["django__django-1", "flask__flask-2"]),
        ):
            results = tmp_path / name / "results"
            write(results / "results.json", {
                "no_generation": ["flask__flask-3"], "no_logs": [], "resolved": solved,
            })  # fmt: skip
        write(tmp_path / "20240620_agent" / "metadata.yaml", "assets:\n  logs: s3\nname: 'Agent'\n")
        about = "info:\n  logo: https://a.example\n  name: RAG + Claude 2\ntags:\n  org: a\n"
        write(tmp_path / "20240402_rag" / "metadata.yaml", about)
        return tmp_path

    def test_issues_resolved_and_not(self, folder):
        scores = readers.swe_bench(folder)
        assert set(scores.index.get_level_values("system")) == {"RAG + Claude 2", "Agent"}
        assert scores.loc["Agent", "resolved"].sum() == 2
        assert nbrank.mean(scores)["score"].to_dict() == {"Agent": 2 / 3, "RAG + Claude 2": 1 / 3}

    def test_issues_that_nobody_resolved_count_where_their_number_is_known(self, folder):
        write(
            folder / "20240402_rag" / "results" / "resolved_by_repo.json",
            {"django/django": {"resolved": 1, "total": 4}, "flask/flask": {"total": 2}},
        )
        assert nbrank.mean(readers.swe_bench(folder))["score"]["Agent"] == 2 / 6

    def test_two_submissions_of_one_name_are_two_systems(self, tmp_path):
        submissions = {
            "20240101_x": ("OpenHands", ["a-1", "a-2", "a-3"]),
            "20250101_x": ("OpenHands ", ["a-1"]),
            "y": ("Other", ["a-1", "a-2"]),
        }
        for folder, (name, solved) in submissions.items():
            write(tmp_path / folder / "results" / "results.json", {"resolved": solved})
            write(tmp_path / folder / "metadata.yaml", f"name: '{name}'\n")
        with pytest.warns(
            UserWarning, match="several submissions are called 'OpenHands', and each"
        ):
            scores = readers.swe_bench(tmp_path)
        assert nbrank.mean(scores)["score"].to_dict() == {
            "OpenHands (20240101_x)": 1.0,
            "Other": 2 / 3,
            "OpenHands (20250101_x)": 1 / 3,
        }

    def test_a_submission_with_two_files_of_results_is_refused(self, tmp_path):
        write(tmp_path / "x" / "results.json", {"resolved": ["a-1"]})
        write(tmp_path / "x" / "results" / "results.json", {"resolved": []})
        with pytest.raises(ValueError, match="submission 'x' has two files .* 'x/results.json'"):
            readers.swe_bench(tmp_path)


BATTLES = pd.DataFrame(
    {
        "model_a": list("ABCAAB"), "model_b": list("BCABCA"),
        "winner": ["model_a", "tie", "model_b", "tie (bothbad)", "model_a", "model_a"],
        "anony": [True] * 5 + [False],
    }
)  # fmt: skip


class TestArena:
    @pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet"])
    def test_battles_become_comparisons(self, ending, tmp_path):
        file = tmp_path / f"battles.{ending}"
        if ending == "csv":
            BATTLES.to_csv(file, index=False)
        elif ending == "parquet":
            BATTLES.to_parquet(file)
        else:
            BATTLES.to_json(file, orient="records", lines=ending == "jsonl")
        with pytest.warns(UserWarning, match="1 battle left out, in which the models were not"):
            battles = readers.arena(file)
        expected = nbrank.from_comparisons(
            BATTLES[:5], left="model_a", right="model_b", winner="winner"
        )
        pd.testing.assert_frame_equal(battles.pairwise(), expected.pairwise())
        assert battles.copeland().index[0] == "A"

    def test_winners_in_three_columns(self):
        file = b"model_a,model_b,winner_model_a,winner_model_b,winner_tie\nA,B,1,0,0\nB,A,0,0,1\n"
        assert readers.arena(file).pairwise().loc["A", "B"] == 1.5

    def test_other_files_are_refused(self):
        with pytest.raises(ValueError, match="no column 'model_a', 'model_b', 'winner'"):
            readers.arena(b"model,score\nA,1\n")


HEADER = """\
# FILE NAME: 00001-00000001.toi
# TITLE: An election
# DATA TYPE: {}
# NUMBER ALTERNATIVES: 4
# NUMBER VOTERS: 15
# NUMBER UNIQUE ORDERS: 3
# ALTERNATIVE NAME 1: Ann
# ALTERNATIVE NAME 2: Bob, Jr.
# ALTERNATIVE NAME 3: Cy
# ALTERNATIVE NAME 4: Dee
"""


class TestPreflib:
    @pytest.mark.parametrize(
        ("ending", "lines", "expected"),
        [
            ("soc", "8: 1,2,3,4\n4: 2,3,4,1\n3: 3,2,4,1\n", [8, 4, 3]),
            ("toc", "8: 1,{2,3},4\n4: {2,3},4,1\n3: {1,2,3,4}\n", [8, 4, 3]),
            ("soi", "8: 1\n4: 2,3\n3: 3,2,4,1\n", [8, 4, 3]),
            ("toi", "8: {1,2}\n4: 2,{3,4}\n3: 3\n", [8, 4, 3]),
        ],
    )
    def test_orders_with_their_voters(self, ending, lines, expected, tmp_path):
        file = tmp_path / f"00001-00000001.{ending}"
        write(file, HEADER.format(ending) + lines)
        votes = readers.preflib(file)
        assert set(votes.systems) == {"Ann", "Bob, Jr.", "Cy", "Dee"}
        assert votes.voter_counts.tolist() == expected
        # An older form of the same: names, a line of sums, and orders behind the voters.
        old = "4\n1,Ann\n2,Bob, Jr.\n3,Cy\n4,Dee\n15,15,3\n" + lines.replace(": ", ",")
        write(tmp_path / f"old.{ending}", old)
        again = readers.preflib(tmp_path / f"old.{ending}")
        pd.testing.assert_frame_equal(again.scores, votes.scores)

    def test_who_is_left_out_stands_below_or_is_not_spoken_of(self, tmp_path):
        write(tmp_path / "x.soi", HEADER.format("soi") + "8: 1\n4: 2,3\n")
        below = readers.preflib(tmp_path / "x.soi")
        assert below.scores.loc["Dee", 2] < below.scores.loc["Cy", 2]
        missing = readers.preflib(tmp_path / "x.soi", unranked="missing")
        assert np.isnan(missing.scores.loc["Cy", 1])

    def test_a_line_that_is_no_order_is_named(self, tmp_path):
        write(tmp_path / "x.soc", HEADER.format("soc") + "8: 1,2,3,9\n")
        with pytest.raises(ValueError, match=r"line 11 of .*x.soc, '8: 1,2,3,9', is not an order"):
            readers.preflib(tmp_path / "x.soc")
        write(tmp_path / "x.soc", HEADER.format("soc"))
        with pytest.raises(ValueError, match="holds no orders"):
            readers.preflib(tmp_path / "x.soc")


@pytest.mark.parametrize("host", ["mteb", "lm_eval", "alpaca_eval", "swe_bench"])
def test_a_folder_without_results_and_none_at_all(host, tmp_path):
    read = getattr(readers, host)
    with pytest.raises(ValueError, match=f"{host}: no file .* holds its results"):
        read(tmp_path)
    with pytest.raises(ValueError, match=f"{host}: .* is not a folder"):
        read(tmp_path / "none")
    write(tmp_path / "a" / "b" / "annotations.json", "{")
    write(tmp_path / "a" / "b" / "results.json", "{")
    with pytest.raises(ValueError, match="is not JSON"):
        read(tmp_path)


PREFLIB = "# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bob\n3: 2,1\n1: 1\n"


@pytest.mark.parametrize("is_file", [True, False])
def test_elections_of_preflib_are_read_by_their_names(tmp_path, is_file):
    path = tmp_path / "two.soi"
    path.write_text(PREFLIB, encoding="utf-8")
    board = nbrank.read(path if is_file else PREFLIB.encode())
    assert board.plurality()["score"].to_dict() == {"Bob": 3, "Ann": 1}
