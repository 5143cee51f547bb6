"""The command `nbrank`: what it reads, what it prints, and how it refuses."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat, load_superglue_submissions
from nbrank.frontends import command_line
from nbrank.frontends.command_line.flags import rewrite_as_flags
from nbrank.readers.tables.table_reader import load_frame, read_frames

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

ROOT = Path(__file__).parents[1]

SCORES = """\
model,accuracy,f1,pages
A,0.9,0.5,3
NA,0.8,,1
007,0.8,0.7,2
"""

Run = Callable[..., tuple[str, str]]


@pytest.fixture
def frame() -> pd.DataFrame:
    """The same scores in pandas."""
    return pd.DataFrame(
        {"accuracy": [0.9, 0.8, 0.8], "f1": [0.5, None, 0.7], "pages": [3, 1, 2]},
        index=pd.Index(["A", "NA", "007"], name="system"),
    )


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(SCORES, encoding="utf-8")
    return tmp_path


OF_THE_TABLES = re.compile("nbrank: warning: (higher is taken as better on 'pages'|weights name)")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command where it succeeds: its output, and what it said besides."""

    def run(*arguments: str) -> tuple[str, str]:
        status = command_line.main(arguments)
        output, said = capsys.readouterr()
        assert status == 0, said
        # The tables here have a pages of which more is better, and weights of single tasks.
        lines = said.splitlines(keepends=True)
        return output, "".join(line for line in lines if not OF_THE_TABLES.match(line))

    return run


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command where it must refuse: its last line of reason; `errors` has all of them."""

    def refused(*arguments: str) -> str:
        try:
            status = command_line.main(arguments)
        except SystemExit as left:
            status = left.code
        output, said = capsys.readouterr()
        assert status == 2
        assert output == ""
        *_, error = lines = said.splitlines()
        assert error.startswith("nbrank: error: ")
        assert all(line.startswith("nbrank: ") for line in lines)
        start = "nbrank: error: "
        refused.errors = [line.removeprefix(start) for line in lines if line.startswith(start)]
        return error.removeprefix(start)

    return refused


def as_frame(text: str) -> pd.DataFrame:
    """A CSV output as a frame, with no system's name read as a number or as missing."""
    return pd.read_csv(
        io.StringIO(text), dtype={"system": str}, keep_default_na=False, na_values=[""]
    ).set_index("system")


class TestRanking:
    def test_it_is_the_rule_s_own(self, run: Run, frame: pd.DataFrame) -> None:
        output, said = run(
            "scores.csv", "--rule", "borda", "--lower-is-better", "pages", "--format", "csv"
        )
        expected = nbrank.borda(frame, lower_is_better=["pages"])
        assert_frame_equal(as_frame(output), expected, check_index_type=False)
        assert said == ""

    def test_a_table_to_read(self, run: Run) -> None:
        output, _ = run("scores.csv", "--rule", "copeland", "--lower-is-better", "pages")
        # NA is faster than 007, which is better than A in two of three; A and NA win one each.
        assert output == (
            "     rank  score\nNA      1    1.0\n007     2    0.0\nA       3   -1.0\n"
        )

    def test_json(self, run: Run) -> None:
        output, _ = run("scores.csv", "--rule", "mean_win_rate", "--format", "json")
        assert json.loads(output) == [
            {"system": "A", "rank": 1, "score": pytest.approx(2 / 3)},
            {"system": "007", "rank": 2, "score": pytest.approx(7 / 12)},
            {"system": "NA", "rank": 3, "score": pytest.approx(1 / 8)},
        ]

    def test_a_score_that_is_missing_is_null_in_json_and_empty_in_csv(
        self, run: Run, folder: Path
    ) -> None:
        # B is compared with none.
        (folder / "gap.csv").write_text("m,t,u\nA,2,\nB,,3\nC,1,\n", encoding="utf-8")
        output, _ = run("gap.csv", "--rule", "mean_win_rate", "--format", "json")
        assert json.loads(output)[2] == {"system": "B", "rank": 3, "score": None}
        output, _ = run("gap.csv", "--rule", "mean_win_rate", "--format", "csv")
        assert output.splitlines()[3] == "B,3,"

    def test_a_rule_s_further_facts_are_said_beside_the_output(self, run: Run) -> None:
        output, said = run("scores.csv", "--rule", "bradley_terry", "--option", "prior=1")
        assert output.split()[:2] == ["rank", "score"]
        assert said == "nbrank: bradley_terry: converged True\n"

    def test_names_of_rules_may_have_dashes(self, run: Run) -> None:
        assert run("scores.csv", "--rule", "mean-win-rate") == run(
            "scores.csv", "--rule", "mean_win_rate"
        )


class TestSeveralRules:
    def test_ranks_side_by_side(self, run: Run, frame: pd.DataFrame) -> None:
        output, said = run(
            *("scores.csv", "--rule", "borda", "--rule", "mean", "--missing", "ignore"),
            *("--format", "csv"),
        )
        expected = pd.DataFrame(
            {
                "borda": nbrank.borda(frame, missing="ignore")["rank"],
                "mean": nbrank.mean(frame, missing="ignore")["rank"],
            }
        ).reindex(frame.index)
        assert_frame_equal(as_frame(output), expected, check_index_type=False)
        assert said == ""

    def test_all_rules(self, run: Run, frame: pd.DataFrame) -> None:
        output, said = run("scores.csv", "--rule", "all", "--format", "json")
        with pytest.warns(nbrank.RuleRefusedWarning) as refusals:
            compared = nbrank.compare(frame)
        rows = json.loads(output)
        assert [row.pop("system") for row in rows] == ["A", "NA", "007"]
        assert list(rows[0]) == list(compared.columns)
        assert rows[0]["mean"] is None
        for name in ("borda", "copeland"):
            assert [row[name] for row in rows] == compared[name].tolist()
        refused = [warned for warned in refusals if warned.category is nbrank.RuleRefusedWarning]
        assert said.splitlines() == [
            f"nbrank: warning: {rewrite_as_flags(str(warned.message))}" for warned in refused
        ]
        assert "'NA' on 'f1'" in said

    def test_a_terminal_folds_them_and_a_pipe_does_not(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        output, _ = run("scores.csv", "--rule", "all")
        assert len(output.splitlines()) == 1 + 3
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        folded, _ = run("scores.csv", "--rule", "all")
        assert max(map(len, folded.splitlines())) <= 80
        assert [word for word in folded.split() if word not in ("\\", "A", "NA", "007")].count(
            "borda"
        ) == 1

    def test_winners(self, run: Run, frame: pd.DataFrame) -> None:
        rules = ["borda", "condorcet", "antiplurality"]
        asked = [word for rule in rules for word in ("--rule", rule)]
        expected = nbrank.winners(frame, rules)
        output, _ = run("scores.csv", "--winners", *asked, "--format", "json")
        assert json.loads(output) == expected.to_dict()
        output, _ = run("scores.csv", "--winners", *asked, "--format", "csv")
        assert output.splitlines()[0] == "rule,winner"
        assert [line.split(",") for line in output.splitlines()[1:]] == [
            [rule, winner] for rule in rules for winner in expected[rule] or [""]
        ]
        output, _ = run("scores.csv", "--winners", *asked)
        assert [line.split(maxsplit=1) for line in output.splitlines()] == [
            [rule, *([", ".join(expected[rule])] if expected[rule] else [])] for rule in rules
        ]


class TestFirstLook:
    """With no rule: Borda's ranking, how sure it is, four other rules, and a sentence."""

    def test_ranks_rank_sets_and_other_rules(self, run: Run, frame: pd.DataFrame) -> None:
        output, said = run("scores.csv", "--missing", "ignore")
        head, *rows, blank, verdict, directions, further = output.splitlines()
        others = "plurality copeland minimax instant_runoff"
        assert " ".join(head.split()) == f"borda rank set {others}"
        ranking = nbrank.borda(frame, missing="ignore")["rank"]
        assert [row.split()[:2] for row in rows] == [
            [system, str(rank)] for system, rank in ranking.items()
        ]
        assert blank == ""
        assert verdict.endswith("; 3 tasks are too few to say which system is best.")
        assert directions == "Ranked on 3 tasks, higher is better on all (assumed for pages)."
        assert further == "mean is left out: 'NA' has no score on 'f1'."
        assert said == ""

    def test_places_and_few_tasks_leave_their_doubt_in_the_verdict(
        self, run: Run, folder: Path
    ) -> None:
        places = "s,t,u,v,w\nA,1,1,2,1\nB,2,3,1,2\nC,3,2,3,4\nD,4,5,4,3\nE,5,4,5,5\n"
        (folder / "places.csv").write_text(places, encoding="utf-8")
        output, said = run("places.csv")
        assert "the cells look like places, where 1 is best" in said
        assert "If higher is better, E is first under all 5 rules; 4 tasks are too few" in output
        output, said = run("places.csv", "--lower-is-better")
        verdict = output.partition("\n\n")[2]
        assert verdict.startswith("A is first under all 5 rules; 4 tasks are")
        assert said == ""

    def test_of_several_best_orders_one_is_shown(self, run: Run, folder: Path) -> None:
        battles = "model_a,model_b,winner\nA,B,model_a\nB,C,model_a\nC,A,model_a\n"
        (folder / "battles.csv").write_text(battles, encoding="utf-8")
        output, _ = run("battles.csv")
        assert "kemeny" in output.splitlines()[0]
        assert "Of several best orders by Kemeny, one is shown." in output

    @pytest.mark.parametrize("layout", ["csv", "json"])
    def test_as_data(self, run: Run, layout: str) -> None:
        output, _ = run("--format", layout)
        read = as_frame(output) if layout == "csv" else pd.DataFrame(json.loads(output))
        assert {"rank", "low", "high", "plurality", "copeland", "minimax"} <= set(read.columns)
        assert (read["low"] <= read["rank"]).all()

    def test_it_fits_the_terminal(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        names = [f"an-organisation/a-very-long-name-of-a-model-{n}" for n in range(3)]
        (folder / "long.csv").write_text(
            "model,t,u\n" + "".join(f"{name},{n},{n * n}\n" for n, name in enumerate(names))
        )
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        for width in (60, 80, 120):
            monkeypatch.setenv("COLUMNS", str(width))
            lines = run("long.csv")[0].splitlines()
            assert max(map(len, lines)) <= width
            assert len({line.split()[0] for line in lines[1:4]}) == 3

    def test_long_files_are_recognised(self, run: Run, folder: Path) -> None:
        (folder / "long.csv").write_text(
            "model,task,score\nA,t,0.9\nA,u,0.5\nB,t,0.1\nB,u,0.4\n", encoding="utf-8"
        )
        output, said = run("long.csv", "--format", "csv")
        assert [line.split(",")[:2] for line in output.splitlines()[1:]] == [["A", "1"], ["B", "2"]]
        assert said == ""
        words = ("--system", "model", "--task", "task", "--score", "score")
        assert run("long.csv", *words, "--format", "csv")[0] == output

    @pytest.mark.parametrize("column", ["stderr", "n"])
    def test_standard_errors_of_a_column_give_the_rank_sets(
        self, run: Run, folder: Path, column: str
    ) -> None:
        of_each = {"stderr": 0.004, "n": 9000}
        rows = [
            f"{system},{task},{0.5 + 0.01 * place + 0.02 * at},{of_each[column]}"
            for place, system in enumerate("ABCD")
            for at, task in enumerate("tuvw")
        ]
        (folder / "long.csv").write_text(f"model,task,score,{column}\n" + "\n".join(rows))
        how = {column: {"stderr": "error"}.get(column, column)}
        scores, errors = read_frames(load_frame(folder / "long.csv"), how)
        for rule in ("borda", "mean"):
            sets = nbrank.rank_confidence(scores, rule, errors=errors, seed=0)
            said = run("long.csv", f"--{column}", column, "--rule", rule, "--confidence",
                       "--format", "csv")[0]  # fmt: skip
            assert_frame_equal(as_frame(said), sets, check_names=False)
        looked = run("long.csv", f"--{column}", column, "--picture", "picture.svg")[0]
        low, high = nbrank.rank_confidence(scores, "borda", errors=errors, seed=0).iloc[0][1:]
        assert looked.splitlines()[1].split()[2] == (f"{low}-{high}" if low < high else f"{low}")
        assert "95 % confidence over the standard errors of the scores, for all at once." in looked
        assert "by the scores' standard errors" in unescape((folder / "picture.svg").read_text())

    def test_rank_sets_that_reach_further_than_the_best_set_are_said_to(self, run: Run) -> None:
        output, _ = run()
        assert "the best is one of these 4: " in output
        assert "rank 1 is in 8 rank sets: " in output
        assert output.endswith("for all at once, and so wider than the best set.\n")

    def test_rank_sets_of_too_few_tasks_are_said_to_tell_nothing(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "few.csv").write_text("model,maths,code\nA,3,3\nB,1,2\n", encoding="utf-8")
        _, said = run("few.csv", "--confidence")
        assert "2 tasks are too few to tell any pair of systems apart" in said
        assert "95 %" not in said

    def test_errors_beside_a_single_task_give_the_rank_sets(self, run: Run, folder: Path) -> None:
        rows = ["model,elo,95% CI", "A,1300,+5/-5", "B,1200,+4/-6", "C,1198,+5/-5"]
        (folder / "elo.csv").write_text("\n".join(rows), encoding="utf-8")
        output, said = run("elo.csv", "--format", "csv")
        assert as_frame(output)[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 3], [2, 3]]
        assert "'95% CI' (standard errors)" in said

    def test_runs_of_a_single_task_are_ranked_whatever_stands_beside(
        self, run: Run, folder: Path
    ) -> None:
        rows = ["model,seed,acc", "A,1,68 ± 1", "A,2,66 ± 1", "B,1,3 ± 1", "B,2,4 ± 1"]
        (folder / "runs.csv").write_text("\n".join(rows), encoding="utf-8")
        assert "A is first under all" in run("runs.csv")[0]

    def test_a_score_without_its_standard_error_is_named(self, refused, folder: Path) -> None:
        (folder / "long.csv").write_text(
            "model,task,score,sd\nA,t,1,.1\nB,t,2,\nA,u,3,.2\nB,u,3,.2\n"
        )
        assert "no standard error for 'B' on 't'" in refused("long.csv", "--stderr", "sd")

    def test_it_says_which_way_scores_were_read(self, run: Run, folder: Path) -> None:
        lower = "Ranked on 3 tasks, lower is better on "
        said = run("scores.csv")[0].splitlines()
        assert said[6] == "Ranked on 3 tasks, higher is better on all (assumed for pages)."
        said = run("scores.csv", "--lower-is-better", "pages")[0].splitlines()
        assert said[6] == f"{lower}pages (as you say), higher on all others."
        (folder / "arrows.csv").write_text(SCORES.replace("f1", "f1 ↓").replace("pages", "wer"))
        said = run("arrows.csv")[0].splitlines()
        assert said[6] == (
            f"{lower}f1 ↓ (as the file says) and on wer (by its name), higher on all others."
        )
        (folder / "dear.csv").write_text(SCORES.replace("pages", "cost"))
        assert run("dear.csv")[0].splitlines()[6] == (
            "Ranked on 3 tasks, higher is better on all; doubtful on cost: lower is often better "
            "for 'cost'."
        )

    def test_it_says_why_a_rule_gives_way_to_another(self, run: Run) -> None:
        said = run("scores.csv", "--lower-is-better", "pages")[0]
        assert "mean is left out: lower is better on 'pages' and higher on the other tasks" in said

    def test_it_says_what_changed_since_an_older_table(self, run: Run, folder: Path) -> None:
        (folder / "old.csv").write_text("model,t1,t2,t3,t4,t5\nA,1,1,2,2,2\nB,3,3,1,1,1\n")
        rows = "A,1,1,2,2,2\nB,3,3,1,1,1\nD,2,2,3,3,3\n"
        (folder / "new.csv").write_text(f"model,t1,t2,t3,t4,t5\n{rows}")
        output = run("new.csv", "--since", "old.csv")[0]
        assert "Since then: 1 system came in (D). 1 of 2 systems" in output
        assert "A fell from rank 1 to 3 (down 2 by systems that came in): passed by D" in output
        table = pd.read_csv(io.StringIO(run("new.csv", "--since", "old.csv", "--format", "csv")[0]))
        assert table["by_coming"].tolist()[1:] == [0, 2]
        by_mean = run("new.csv", "--since", "old.csv", "--rule", "mean")[0]
        assert "D is first under" in by_mean
        assert "B rose" not in by_mean
        run("new.csv", "--since", "old.csv", "--report", "page.html")
        assert "What changed since?" in (folder / "page.html").read_text()

    def test_options_may_name_what_only_the_new_table_has(
        self, run: Run, refused: Any, folder: Path
    ) -> None:
        (folder / "old.csv").write_text("model,t1,t2\nA,1,2\nB,2,1\n")
        (folder / "new.csv").write_text("model,size,t1,t2,t3\nA,9,1,2,3\nB,8,2,1,4\n")
        roles = '"size" = "description"\n"t1" = "higher"\n"t3" = "lower"\n'
        (folder / "roles.toml").write_text(roles)
        for flags in (["--roles", "roles.toml"], ["--lower-is-better", "t3", "--drop", "size"]):
            said = run("new.csv", "--since", "old.csv", *flags, "--weights", "t3=2")[0]
            assert "1 task was added (t3)" in said
        assert "'t4'" in refused("new.csv", "--since", "old.csv", "--lower-is-better", "t4")

    def test_since_goes_with_the_first_look_or_a_report(self, refused: Any, folder: Path) -> None:
        (folder / "old.csv").write_text("model,t1\nA,1\nB,2\n")
        for flags in (["--winners"], ["--rule", "all"], ["--rule", "borda", "--rule", "mean"]):
            said = refused("scores.csv", "--since", "old.csv", *flags)
            assert "--since says what changed by one rule" in said

    def test_it_says_what_is_missing_and_who_has_no_score(self, run: Run, folder: Path) -> None:
        (folder / "gaps.csv").write_text("model,t,u\nA,1,\nB,2,3\nC,,\n")
        output, said = run("gaps.csv")
        assert "score. mean is left out: 'A' has no score on 'u'." in output
        assert "C " not in output.partition("\n\n")[0]
        assert "ranked all the same" not in said
        (folder / "gaps.csv").write_text("model,t,u\nA,1,\nB,2,3\nC,1,1\n")
        assert "mean is left out: 'A' has no score on 'u'." in run("gaps.csv")[0]

    @pytest.mark.parametrize(
        "asked",
        [["--rule", "all"], ["--winners"], ["--confidence"], ["--rule", "instant_runoff"],
         ["--format", "csv"], ["--format", "json"]],
    )  # fmt: skip
    def test_a_system_without_a_score_is_in_no_answer_and_is_named(
        self, run: Run, folder: Path, asked: list[str]
    ) -> None:
        (folder / "gaps.csv").write_text("model,t,u\nA,.9,.8\nBeta,,\nC,.5,.7\nD,.4,.2\n")
        output, said = run("gaps.csv", *asked)
        assert "Beta" not in output
        assert "warning: left out, without a single score: 'Beta'" in said

    def test_picture_and_report_name_a_system_without_a_score(self, run: Run, folder: Path) -> None:
        (folder / "gaps.csv").write_text("model,t,u\nA,.9,.8\nBeta,,\nC,.5,.7\nD,.4,.2\n")
        run("gaps.csv", "--picture", "p.svg", "--report", "r.html")
        for name in ("p.svg", "r.html"):
            assert "Beta is left" in (folder / name).read_text(encoding="utf-8")

    def test_runs_that_are_missing_are_named_and_the_95_percent_say_over_what(
        self, run: Run, folder: Path
    ) -> None:
        rows = [
            f"{model},t{task},{seed},{(ord(model) + 7 * task + seed) % 5}.{seed}"
            for model in "ABC" for task in range(6) for seed in range(3)
            if (model, task, seed) != ("B", 2, 1)
        ]  # fmt: skip
        (folder / "runs.csv").write_text("\n".join(["model,task,seed,score", *rows]))
        output, said = run("runs.csv")
        assert "1 of 54 runs is missing, of B on t2." in output
        assert "may be best (95 % confidence over tasks and seeds)." in output
        assert "with 95 % confidence over tasks and seeds, for all at once" in output
        said = run("runs.csv", "--confidence")[1]
        assert "for all at once, 95 % confidence over tasks and seeds" in said

    def test_without_a_condorcet_winner_it_says_so(self, run: Run, folder: Path) -> None:
        (folder / "cycle.csv").write_text("model,t,u,v\nA,3,1,2\nB,2,3,1\nC,1,2,3\n")
        said = run("cycle.csv", "--rule", "condorcet")[1]
        assert "condorcet: no system beats every other one, so none wins and all tie" in said

    def test_battles_are_recognised(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rows = "A,B,model_a\nB,C,tie\nC,A,model_b\nB,A,model_a\n"
        (folder / "battles.csv").write_text(f"model_a,model_b,winner\n{rows}", encoding="utf-8")
        output, said = run("battles.csv")
        assert "battles.csv holds comparisons, read as --left model_a --right model_b" in said
        battles = (folder / "battles.csv").read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(battles)))
        assert run("-")[0] == output
        lines = battles.decode().split()
        shown = [f"{line},{by}" for line, by in zip(lines, ["anony", *["True"] * 4], strict=True)]
        (folder / "seen.csv").write_text("\n".join([*shown, "B,A,model_a,False"]), encoding="utf-8")
        again, said = run("seen.csv")
        assert again == output
        assert "1 battle left out, in which the models were not anonymous" in said

    def test_winners_and_losers_are_recognised(self, run: Run, folder: Path) -> None:
        (folder / "games.csv").write_text("winner,loser\nA,B\nB,C\nA,C\nC,A\n", encoding="utf-8")
        output, said = run("games.csv", "--format", "csv")
        assert "games.csv holds comparisons, read as --winner winner --loser loser" in said
        (folder / "called.csv").write_text("won,lost\nA,B\nB,C\nA,C\nC,A\n", encoding="utf-8")
        assert (
            run("called.csv", "--winner", "won", "--loser", "lost", "--format", "csv")[0] == output
        )
        games = nbrank.from_comparisons(
            pd.read_csv(folder / "games.csv"), winner="winner", loser="loser"
        )
        ranked = pd.read_csv(io.StringIO(output), index_col="system")["rank"]
        assert ranked.equals(nbrank.bradley_terry(games)["rank"].reindex(ranked.index))

    def test_battles_that_no_model_ranks_are_ranked_by_majorities(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "battles.csv").write_text("left,right,winner\nA,B,left\n", encoding="utf-8")
        output, said = run("battles.csv")
        assert "never beaten" in said
        assert output.splitlines()[1].split()[:2] == ["A", "1"]

    def test_confidence(self, run: Run, frame: pd.DataFrame) -> None:
        output, _ = run("scores.csv", "--confidence", "--rule", "borda", "--format", "csv")
        expected = nbrank.rank_confidence(frame, "borda", seed=0)
        assert_frame_equal(as_frame(output), expected, check_index_type=False)

    def test_a_picture_and_a_report(self, run: Run, folder: Path) -> None:
        _, said = run("scores.csv", "--picture", "p.svg", "--report", "r.html", "--drop", "f1")
        assert "wrote p.svg" in said
        assert "wrote r.html" in said
        assert "<svg" in (folder / "p.svg").read_text(encoding="utf-8")
        assert "<html" in (folder / "r.html").read_text(encoding="utf-8")

    def test_a_picture_is_told_the_options_of_its_rule(self, run: Run, folder: Path) -> None:
        (folder / "two.csv").write_text("m,t,u\nA,90,80\nB,60,130\n")
        asked = ["two.csv", "--picture", "p.svg", "--rule", "optimality_gap", "--option"]
        for gamma, first in (("85", "A"), ("200", "B")):
            assert run(*asked, f"gamma={gamma}", "--format", "csv")[0].splitlines()[1][0] == first
            drawn = re.findall(">([AB])<", (folder / "p.svg").read_text(encoding="utf-8"))
            assert drawn[0] == first

    def test_nothing_asked_for_is_left_out_in_silence(self, refused: Callable[..., str]) -> None:
        assert refused("scores.csv", "--report", "r.html", "--rule", "borda", "--ties", "min") == (
            "--report does not take 'ties'; leave the option out"
        )
        for rules in (["--rule", "all"], ["--rule", "borda", "--rule", "copeland"]):
            assert refused("scores.csv", "--confidence", *rules).startswith(
                "--confidence takes a single"
            )
        assert "not allowed with" in refused("scores.csv", "--confidence", "--winners")

    def test_their_names_are_checked_before_anything_is_computed(
        self, refused: Callable[..., str]
    ) -> None:
        assert refused("none.csv", "--picture", "p.gif") == (
            "--picture p.gif: the name has to end in .svg or .png or .pdf or .html"
        )
        assert refused("none.csv", "--report", "r.pdf").startswith("--report r.pdf: the name has")

    def test_all_problems_in_one_run_a_line_for_each(self, refused: Any, folder: Path) -> None:
        wrong = "m,t1,t2,t1\nA,1,x,2\nB,2,3?,2\nB,3,1:30,2\n,1,2,3\n"
        (folder / "wrong.csv").write_text(wrong, encoding="utf-8")
        asked = ["--drop", "nix", "--rule", "bordo", "--rule", "mean", "--option", "gamma=2"]
        refused("wrong.csv", *asked, "--picture", "p.gif")
        expected = [
            "--metadata nix: unknown column",
            "1 row without a name in the column of the systems, 'm' (row 4)",
            "'t2' holds 'x' in the row 'A', '3?' in the row 'B', '1:30' in the row 'B'",
            "duplicate systems: 'B'",
            "unknown rule 'bordo' (did you mean 'borda'?)",
            "'gamma' is not an option of 'mean'",
            "--picture p.gif: the name has to end",
        ]
        for line, words in zip(refused.errors, expected, strict=True):
            assert words in line
        refused("scores.csv", "--weights", "f9=1", "--lower-is-better", "speed")
        assert [line.split(";")[0] for line in refused.errors] == [
            "weights: unknown 'f9'",
            "lower_is_better: unknown 'speed'",
        ]
        refused("scores.csv", "--weights", "f1", "f1=1", "f1=2", "--lower-is-better", "speed")
        assert len(refused.errors) == 3
        wrong = {"missing": "foo", "ties": "bar", "levels": "3", "duplicates": "x", "format": "y"}
        words = [word for flag, value in wrong.items() for word in (f"--{flag}", value)]
        refused("scores.csv", *words, "--option", "gamma", "=1", "weights=2", "--rule", "bordo")
        asked = [f"--{flag} {value}: unknown word" for flag, value in wrong.items()]
        of_rules = ["--option: 'gamma' is", "--option: '=1' is", "weights belongs", "unknown rule"]
        for line, start in zip(refused.errors, [*asked, *of_rules], strict=True):
            assert line.startswith(start)


class TestOptions:
    @pytest.mark.parametrize(
        ("words", "rule", "options"),
        [
            (["--ties", "max"], "borda", {"ties": "max"}),
            (["--missing", "worst"], "borda", {"missing": "worst"}),
            (["--option", "variant=margins"], "minimax", {"variant": "margins"}),
            (
                ["--option", "gamma=0.9", "missing=ignore"],
                "optimality_gap",
                {"gamma": 0.9, "missing": "ignore"},
            ),
            (
                ["--option", 'low={"accuracy": 0.5, "f1": 0, "pages": 0}', "--option", "high=4"],
                "normalized_mean",
                {"low": {"accuracy": 0.5, "f1": 0, "pages": 0}, "high": 4, "missing": "ignore"},
            ),
            (["--option", "vector=[3, 1, 0]"], "positional", {"vector": [3, 1, 0]}),
        ],
    )
    def test_they_reach_the_rule(
        self, run: Run, frame: pd.DataFrame, words: list[str], rule: str, options: dict[str, Any]
    ) -> None:
        if "missing" in options and not any("missing" in word for word in words):
            words = [*words, "--missing", options["missing"]]
        output, _ = run("scores.csv", "--rule", rule, *words, "--format", "csv")
        expected = nbrank.RULES[rule].function(frame, **options)
        assert_frame_equal(as_frame(output), expected, check_index_type=False)

    @pytest.mark.parametrize(
        ("words", "options"),
        [
            (["--weights", "accuracy=2", "pages=0.5"], {"accuracy": 2, "pages": 0.5}),
            (["--weights", "accuracy=2", "--weights", "f1=0"], {"accuracy": 2, "f1": 0}),
        ],
    )
    def test_weights(
        self, run: Run, frame: pd.DataFrame, words: list[str], options: dict[str, float]
    ) -> None:
        output, _ = run("scores.csv", "--rule", "borda", *words, "--format", "csv")
        expected = nbrank.borda(frame, weights=options)
        assert_frame_equal(as_frame(output), expected, check_index_type=False)

    def test_lower_is_better_alone_means_every_task(self, run: Run, frame: pd.DataFrame) -> None:
        output, _ = run("scores.csv", "--rule", "borda", "--format", "csv", "--lower-is-better")
        expected = nbrank.borda(frame, lower_is_better=True)
        assert_frame_equal(as_frame(output), expected, check_index_type=False)

    def test_one_that_the_rule_does_not_take_is_refused(self, refused: Callable[..., str]) -> None:
        said = refused("scores.csv", "--rule", "copeland", "--ties", "max")
        assert said.startswith("'ties' is not an option of 'copeland', but of 'plurality'")
        said = refused("scores.csv", "--rule", "borda", "--rule", "mean", "--ties", "max")
        assert said.startswith("'ties' is not an option of 'mean', but of")
        said = refused("scores.csv", "--rule", "borda", "--option", "shape=round")
        assert said == "'shape' is not an option of 'borda', but of no rule at all"

    def test_one_that_the_rule_needs_is_asked_for(self, refused: Callable[..., str]) -> None:
        assert refused("scores.csv", "--rule", "normalized_mean", "--option", "low=0") == (
            "normalized_mean needs --option high=..."
        )

    @pytest.mark.parametrize(
        ("words", "reason"),
        [
            (
                ["--rule", "bordo"],
                "unknown rule 'bordo' (did you mean 'borda'?); the rules are mean",
            ),
            (
                ["--rule", "borda", "--ties", "sometimes"],
                "--ties sometimes: unknown word; choose average",
            ),
            (
                ["--rule", "borda", "--levels", "two"],
                "--levels two: unknown word; choose 1, 2",
            ),
            (["--weights", "accuracy"], "--weights: 'accuracy' is not of the form TASK=WEIGHT"),
            (["--weights", "f1=much"], "--weights: 'f1=much' is not of the form TASK=WEIGHT"),
            (["--weights", "f1=1", "f1=2"], "--weights: 'f1' is weighted twice"),
            (["--weights", "f9=1"], "weights: unknown 'f9'"),
            (["--weights", "balanced"], "weights='balanced' needs groups"),
            (["--lower-is-better", "speed"], "lower_is_better: unknown 'speed'"),
            (["--option", "gamma"], "--option: 'gamma' is not of the form NAME=VALUE"),
            (["--option", "weights=2"], "weights belongs to the scores, not to a rule"),
            (["--ties", "max", "--option", "ties=min"], "ties is given twice"),
            (["--lower"], "unrecognized arguments: --lower"),
            (["--drop", "speed"], "scores.csv: --metadata speed: unknown column; the"),
            (["--index-col", "name"], "scores.csv: --system name: unknown column; the"),
        ],
    )
    def test_wrong_requests_are_refused(
        self, refused: Callable[..., str], words: list[str], reason: str
    ) -> None:
        assert refused("scores.csv", *words).startswith(reason)


class TestReading:
    def test_without_a_file_the_shipped_example(self, run: Run) -> None:
        output, said = run("--rule", "borda", "--weights", "WSC=2", "--format", "csv")
        expected = nbrank.borda(load_superglue_submissions(), weights={"WSC": 2})
        assert_frame_equal(as_frame(output), expected, check_index_type=False)
        assert said == "nbrank: no file given; ranking the shipped example, superglue_submissions\n"

    @pytest.mark.parametrize(
        "words",
        [("--lower-is-better", "pages"), ("--drop", "pages"), ("--weights", "pages=2")],
        ids=" ".join,
    )
    def test_a_file_behind_a_list_of_words_is_noticed(
        self, refused: Callable[..., str], words: tuple[str, str]
    ) -> None:
        read_as = "is a file, but was read as a value of the option; put it first"
        expected = f"{words[0]}: 'scores.csv' {read_as}"
        assert refused(*words, "scores.csv") == expected
        sides = ("--left", "a", "--right", "b", "--winner", "c")
        assert refused(*sides, *words, "scores.csv") == expected

    def test_a_file_behind_an_option_is_noticed(self, refused: Callable[..., str]) -> None:
        assert refused("--rule", "borda", "--option", "ties=max", "scores.csv").startswith(
            "--option: 'scores.csv' is not of the form NAME=VALUE; put the file first"
        )

    def test_any_column_can_hold_the_systems_and_others_be_left_out(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "wide.csv").write_text(
            "rank,team,model,t1\n1,x,A,0.9\n2,y,B,0.8\n", encoding="utf-8"
        )
        output, _ = run(
            *("wide.csv", "--index-col", "model", "--drop", "rank", "team"),
            *("--rule", "borda", "--format", "csv"),
        )
        assert output == "system,rank,score\nA,1,1.0\nB,2,0.0\n"

    @pytest.mark.parametrize("cell", ["", "-", "NA", "NaN", "nan", "None", "null", "n/a", "N/A"])
    def test_cells_that_hold_no_score(self, run: Run, folder: Path, cell: str) -> None:
        (folder / "gap.csv").write_text(f"m,t,u\nA,1,1\nB,{cell},2\n", encoding="utf-8")
        output, _ = run("gap.csv", "--rule", "mean", "--missing", "ignore", "--format", "csv")
        assert output == "system,rank,score\nB,1,2.0\nA,2,1.0\n"

    def test_tabs_compression_and_a_byte_order_mark(
        self, run: Run, folder: Path, frame: pd.DataFrame
    ) -> None:
        frame.to_csv(folder / "scores.tsv.gz", sep="\t", encoding="utf-8-sig")
        frame.to_csv(folder / "marked.csv", encoding="utf-8-sig")
        expected = run("scores.csv", "--rule", "borda")
        assert run("scores.tsv.gz", "--rule", "borda") == expected
        assert run("marked.csv", "--rule", "borda", "--index-col", "system") == expected

    def test_standard_input(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        expected = run("scores.csv", "--rule", "borda")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SCORES.encode())))
        assert run("-", "--rule", "borda") == expected

    def test_parquet(self, run: Run, folder: Path, frame: pd.DataFrame) -> None:
        expected = run("scores.csv", "--rule", "borda", "--weights", "f1=2")
        frame.to_parquet(folder / "indexed.parquet")
        frame.reset_index().to_parquet(folder / "plain.parquet")
        for file in ("indexed.parquet", "plain.parquet"):
            assert run(file, "--rule", "borda", "--weights", "f1=2") == expected

    def test_parquet_with_groups(self, run: Run, folder: Path) -> None:
        load_llm_chat().to_parquet(folder / "chat.parquet")
        words = ["--rule", "borda", "--weights", "balanced", "--format", "csv"]
        expected = nbrank.borda(load_llm_chat(), weights="balanced")
        found = as_frame(run("chat.parquet", *words)[0])
        assert_frame_equal(found, expected, check_index_type=False)

    def test_of_grouped_columns_the_options_take_the_own_name(self, run: Run, folder: Path) -> None:
        (folder / "groups.csv").write_text(
            ",cost,cost,qa\nmodel,cost,average,t\nA,3,2,9\nB,5,3,8\nC,4,4,7\n"
        )
        _, said = run("groups.csv")
        assert "to hear no more of them, --metadata 'cost / average'" in said
        _, said = run("groups.csv", "--metadata", "average", "--lower-is-better", "cost")
        assert said == ""

    def test_columns_shows_how_each_was_read_and_roles_say_it_otherwise(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "dear.csv").write_text("model,size,f1,WER,cost\nA,7,1,2,3\nB,8,2,1,2\n")
        shown = run("dear.csv", "--columns")[0].splitlines()
        assert shown[0].split() == ["column", "role", "direction", "why", "doubt"]
        assert shown[2].split() == ["size", "description", "its", "name"]
        assert shown[4].split()[:3] == ["WER", "task", "lower"]
        assert shown[5].endswith("lower is often better for 'cost': --lower-is-better cost")
        read = json.loads(run("dear.csv", "--columns", "--format", "json")[0])
        assert read[4]["role"] == "task"
        (folder / "roles.toml").write_text('"cost" = "lower"\n"size" = "description"\n')
        words = ("--roles", "roles.toml")
        output, said = run("dear.csv", *words)
        assert said == ""
        assert "lower is better on WER (by its name) and on cost (as you say)" in output
        output, _ = run("dear.csv", *words, "--higher-is-better", "cost")
        assert "lower is better on WER (by its name), higher on all others." in output

    def test_a_role_in_a_file_that_fits_no_column_is_told_with_the_file(
        self, run: Run, folder: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (folder / "roles.toml").write_text('"f2" = "higher"\n')
        assert command_line.main(["scores.csv", "--roles", "roles.toml"]) == 2
        said = capsys.readouterr().err
        assert '--roles roles.toml: "f2" = "higher": unknown task or column' in said
        command_line.main(["scores.csv", "--higher-is-better", "f3", "--roles", "roles.toml"])
        assert "--higher-is-better f2 f3: unknown task" in capsys.readouterr().err

    def test_some_rows_and_own_marks_of_missing_scores(self, run: Run, folder: Path) -> None:
        rows = "m,year,t,u\nA,1,2,3\nB,1,DNF,4\nA,2,1,1\nB,2,0,0\n"
        (folder / "years.csv").write_text(rows)
        words = ("--where", "year=1", "--na", "DNF", "--metadata", "year", "--format", "csv")
        output, said = run("years.csv", *words, "--rule", "borda")
        assert said == ""
        assert as_frame(output).index.tolist() == ["B", "A"]

    def test_errors_of_the_file_are_counted_where_they_are_asked_for(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "se.csv").write_text(
            "model,t,t_se,u,u_se\nA,5,.1,4,.1\nB,4,.1,3,.1\nC,3,.1,2,.1\n"
        )
        assert "half an interval, add --errors." in run("se.csv")[0]
        output, _ = run("se.csv", "--errors")
        assert [line.split()[2] for line in output.splitlines()[1:4]] == ["1", "2", "3"]
        assert "over the standard errors of the scores" in output

    def test_two_header_rows_give_groups(self, run: Run, folder: Path) -> None:
        (folder / "groups.csv").write_text(
            ",English,,Code\nmodel,MMLU,DROP,HumanEval\nA,1,2,3\nB,2,1,4\n", encoding="utf-8"
        )
        scores = pd.DataFrame(
            [[1, 2, 3], [2, 1, 4]],
            index=pd.Index(["A", "B"], name="system"),
            columns=pd.MultiIndex.from_tuples(
                [("English", "MMLU"), ("English", "DROP"), ("Code", "HumanEval")]
            ),
        )
        for words, weights in [
            (["balanced"], "balanced"),
            (["English=3", "Code=1"], {"English": 3, "Code": 1}),
            (["DROP=3"], {"DROP": 3}),
        ]:
            output, said = run(
                *("groups.csv", "--groups", "--rule", "borda", "--format", "csv"),
                *("--weights", *words),
            )
            expected = nbrank.borda(scores, weights=weights)
            assert_frame_equal(as_frame(output), expected, check_index_type=False)
            assert said == ""

    def test_two_header_rows_as_pandas_writes_them(self, run: Run, folder: Path) -> None:
        load_llm_chat().to_csv(folder / "chat.csv")
        words = ["--rule", "borda", "--weights", "balanced", "--format", "csv"]
        output, said = run("chat.csv", "--groups", *words)
        expected = nbrank.borda(load_llm_chat(), weights="balanced")
        assert_frame_equal(as_frame(output), expected, check_index_type=False)
        assert said == (
            "nbrank: warning: the row 'system' under the names is empty and is not read as a "
            "system\n"
        )

    def test_columns_called_system_and_instance_make_instance_level_scores(
        self, run: Run, folder: Path
    ) -> None:
        (folder / "items.csv").write_text(
            "acc,system,instance,cost\n1,A,i1,2\n1,B,i1,3\n0,A,i2,\n1,B,i2,1\n", encoding="utf-8"
        )
        scores = pd.DataFrame(
            {"acc": [1, 1, 0, 1], "cost": [2, 3, None, 1]},
            index=pd.MultiIndex.from_product(
                [["i1", "i2"], ["A", "B"]], names=["instance", "system"]
            ).swaplevel(),
        )
        for levels in (1, 2):
            output, _ = run(
                *("items.csv", "--rule", "borda", "--levels", str(levels), "--format", "csv"),
                *("--lower-is-better", "cost"),
            )
            expected = nbrank.borda(scores, levels=levels, lower_is_better=["cost"])
            expected = expected.rename_axis(index="system")
            assert_frame_equal(as_frame(output), expected, check_index_type=False)

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "scores.csv is empty; give it a row of names"),
            ("m,t\n", "scores.csv: the table has no systems"),
            ("m\nA\n", "scores.csv: the only column is 'm'"),
            ("m,t,t\nA,1,2\n", "scores.csv: duplicate tasks: 't'"),
            ("m,t\nA,1\nA,2\n", "scores.csv: duplicate systems: 'A'"),
            (
                "m,t,u\nA,1,x\nB,y,2\n",
                "scores.csv: scores must be numbers, but 't' holds 'y' in the row 'B', and 'u'",
            ),
            (
                "m,t\nA,1,2\nB,1,2\n",
                "scores.csv has 3 cells in line 2, for 2 names above them (not 2 either: line 3)",
            ),
            ("m,t,u\n\nA,1,2\nB,1\n", "scores.csv has 2 cells in line 4, for 3 names above them"),
            (
                "m,t,\nA,1,2\n",
                "scores.csv: column 3 has no name; name it, or leave out",
            ),
            ("t,u\n1,2\n", "scores.csv: the first column, 't', holds '1', which is not a name"),
            (
                "m,t\nA,1\n,2\n",
                "scores.csv: 1 row without a name in the column of the systems",
            ),
            ("m,rank,score\nA,1,3\nB,2,1\n", "this is a ranking"),
        ],
    )
    def test_wrong_files_are_refused(
        self, refused: Callable[..., str], folder: Path, text: str, reason: str
    ) -> None:
        (folder / "scores.csv").write_text(text, encoding="utf-8")
        assert refused("scores.csv", "--rule", "borda").startswith(reason)

    def test_files_that_are_not_there_or_of_another_kind(
        self, refused: Callable[..., str], folder: Path
    ) -> None:
        assert refused("none.csv").startswith("none.csv: No such file or directory")
        (folder / "scores.parquet").write_text(SCORES, encoding="utf-8")
        assert "arquet" in refused("scores.parquet")
        assert refused("scores.parquet", "--groups").startswith("--groups is for CSV")
        (folder / "latin.csv").write_bytes("m,t\nÄ,1\n".encode("latin-1"))
        assert "latin.csv is not text in UTF-8; save it as CSV in UTF-8" in refused("latin.csv")

    def test_a_folder_is_what_python_reads(self, refused: Callable[..., str], folder: Path) -> None:
        (folder / "results").mkdir()
        assert refused("results").startswith("results is a folder; give one of its files, or read")

    def test_all_that_is_wrong_is_said_in_one_run(self, refused: Any) -> None:
        wrong = ("--weights", "zz=3", "--lower-is-better", "qq", "--drop", "nope", "--rule", "bord")
        refused("scores.csv", *wrong)
        assert [error.partition(";")[0] for error in refused.errors[:3]] == [
            "scores.csv: --metadata nope: unknown column",
            "weights: unknown 'zz'",
            "lower_is_better: unknown 'qq'",
        ]
        assert refused.errors[3].startswith("unknown rule 'bord' (did you mean 'borda'?)")
        refused("none.csv", "--weights", "x")
        assert [error.partition(":")[0] for error in refused.errors] == ["--weights", "none.csv"]
        # Of which column the tasks are nobody knows, but these names stand nowhere.
        refused("scores.csv", "--task", "what", *wrong[:4], "accuracy")
        assert [error.partition(";")[0] for error in refused.errors] == [
            "scores.csv: --task what: unknown column",
            "weights: 'zz' does not occur in the file",
            "lower_is_better: 'qq' does not occur in the file",
        ]

    def test_cells_names_and_weights_are_wrong_in_one_run(self, refused: Any, folder: Path) -> None:
        (folder / "wrong.csv").write_text("m,t,u\nA,x,1\nA,1,2\n,2,3\n", encoding="utf-8")
        refused("wrong.csv", "--weights", "v=2")
        rows, cells, twice, weights = refused.errors
        assert "1 row without a name in the column of the systems, 'm' (row 3)" in rows
        assert "'t' holds 'x' in the row 'A'" in cells
        assert "duplicate systems: 'A'" in twice
        assert weights == "weights: unknown 'v'; tasks: 't', 'u'"

    def test_an_instance_may_have_two_names(self, run: Run, folder: Path) -> None:
        rows = [f"{m},{d},{q},{n}" for n, m in enumerate("AB") for d in "xy" for q in "12"]
        text = "\n".join(["m,doc,part,t", *rows])
        (folder / "parts.csv").write_text(text, encoding="utf-8")
        output, _ = run("parts.csv", "--instance", "doc", "part", "--rule", "borda")
        assert output.split()[2:5] == ["B", "1", "4.0"]

    def test_runs_of_questions_are_averaged_and_that_is_said(self, run: Run, folder: Path) -> None:
        rows = [
            f"{m},{q},{s},{int(q < 17 if m == 'A' else q >= 8)}"
            for m in "AB"
            for q in range(20)
            for s in range(8)
        ]
        (folder / "asked.csv").write_text("\n".join(["model,question,seed,t", *rows]), "utf-8")
        output, said = run("asked.csv")
        assert "either may be best" in output
        assert "averages of 8 seeds of each instance" in " ".join(output.split())
        assert "'seed' is read as runs of each instance ('question')" in said
        output, said = run("asked.csv", "--instance", "seed", "question")
        assert "is surely first" in output
        assert "to average the runs, say --run seed" in said
        assert "either may be best" in run("asked.csv", "--instance", "question")[0]

    def test_passages_are_drawn_as_wholes_and_that_is_said(self, run: Run, folder: Path) -> None:
        rows = [f"{m},{q // 3},{q},{n + q % 2}" for n, m in enumerate("AB") for q in range(12)]
        (folder / "asked.csv").write_text("\n".join(["model,passage,question,t", *rows]), "utf-8")
        output, said = run("asked.csv")
        assert "4 passages are too few to say which system is best" in output
        assert "12 instances in 4 passages" in " ".join(output.split())
        assert "4 clusters of instances are read from 'passage'" in said

    def test_a_table_that_lies_on_its_side_names_the_option(
        self, capsys: pytest.CaptureFixture[str], folder: Path
    ) -> None:
        (folder / "side.csv").write_text(",A,B\nmmlu,1,2\ngsm8k,2,3\n", encoding="utf-8")
        assert command_line.main(["side.csv", "--rule", "borda"]) == 0
        output, said = capsys.readouterr()
        assert "the rows are read as tasks, since 'mmlu', 'gsm8k' are called like" in said
        assert "say --system ''" in said
        assert command_line.main(["side.csv", "--rule", "borda", "--system", ""]) == 0
        assert capsys.readouterr().out != output

    def test_parts_of_a_doubtful_table_are_doubtful_once(self, run: Run, folder: Path) -> None:
        rows = [
            f"{name},{n / 10},{n * 10 + 7 * (n % 3)},{n * n}" for n, name in enumerate("ABCDE", 1)
        ]
        (folder / "mixed.csv").write_text("\n".join(["m,t,u,v", *rows]), encoding="utf-8")
        said = run("mixed.csv", "--report", "mixed.html")[1]
        assert said.count("warning: mean: all scores on") == 1

    def test_how_to_read_a_file_is_refused_without_one(self, refused: Callable[..., str]) -> None:
        for words in (["--groups"], ["--index-col", "model"]):
            assert refused(*words).startswith("--systems, --groups and the like are about")


class TestComparisons:
    BATTLES = "model_a,model_b,winner,votes\nA,B,model_a,1\nB,C,tie,2\nA,C,right,1\nA,B,left,3\n"
    SIDES = ("--left", "model_a", "--right", "model_b", "--winner", "winner")

    @pytest.fixture(autouse=True)
    def battles(self, folder: Path) -> pd.DataFrame:
        (folder / "battles.csv").write_text(self.BATTLES, encoding="utf-8")
        return pd.read_csv(io.StringIO(self.BATTLES))

    @pytest.mark.parametrize("weight", [None, "votes"])
    def test_a_ranking(self, run: Run, battles: pd.DataFrame, weight: str | None) -> None:
        words = [] if weight is None else ["--weight", weight]
        output, _ = run(
            "battles.csv", *self.SIDES, *words, "--rule", "bradley_terry", "--format", "csv"
        )
        comparisons = nbrank.from_comparisons(
            battles, left="model_a", right="model_b", winner="winner", weight=weight
        )
        expected = nbrank.bradley_terry(comparisons).rename_axis(index="system")
        assert_frame_equal(as_frame(output), expected, check_index_type=False)

    def test_every_rule_that_takes_comparisons(self, run: Run) -> None:
        output, _ = run("battles.csv", *self.SIDES, "--winners", "--format", "json")
        assert list(json.loads(output)) == [
            name
            for name, rule in nbrank.RULES.items()
            if rule.supports(nbrank.Comparisons.provides) and not rule.arguments
        ]

    def test_the_winner_may_be_found_by_its_name(self, run: Run) -> None:
        _, told = run("battles.csv", *self.SIDES[:4], "--rule", "copeland")
        assert "read as --left model_a --right model_b --winner winner" in told

    def test_what_does_not_fit_is_refused(self, refused: Callable[..., str]) -> None:
        assert refused("battles.csv", *self.SIDES, "--rule", "mean") == (
            "comparisons can't be ranked by 'mean'; choose another rule"
        )
        assert refused("scores.csv", "--rule", "elo") == (
            "scores can't be ranked by 'elo'; choose another rule"
        )
        for words in (
            ["--weights", "t=1"],
            ["--groups"],
            ["--lower-is-better"],
        ):
            reason = refused("battles.csv", *self.SIDES, *words)
            assert reason == f"{words[0]} does not go with comparisons"
        (Path("short.csv")).write_text("model_a,model_b,winner\nA,B\n", encoding="utf-8")
        assert refused("short.csv", *self.SIDES).startswith(
            "short.csv has 2 cells in line 2, for 3 names above them; give each row as many"
        )
        for words in (self.SIDES, ["--weight", "votes"]):
            assert refused(*words).startswith("give a file of comparisons")
        assert refused("scores.csv", *self.SIDES[:4]).startswith("scores.csv: --left model_a")
        lost = refused("battles.csv", *self.SIDES[:-1], "who")
        assert lost.startswith("battles.csv: --winner who: unknown column")


class TestWriting:
    @pytest.mark.parametrize("ending", ["csv", "json"])
    def test_the_ending_of_the_file_decides_the_format(
        self, run: Run, folder: Path, ending: str
    ) -> None:
        expected, _ = run("scores.csv", "--rule", "borda", "--format", ending)
        assert run("scores.csv", "--rule", "borda", "--output", f"r.{ending}") == ("", "")
        assert (folder / f"r.{ending}").read_text(encoding="utf-8") == expected

    def test_unless_the_format_is_given(self, run: Run, folder: Path) -> None:
        expected, _ = run("scores.csv", "--rule", "borda")
        run("scores.csv", "--rule", "borda", "--format", "table", "--output", "r.csv")
        assert (folder / "r.csv").read_text(encoding="utf-8") == expected

    def test_a_place_that_can_not_be_written_to(self, refused: Callable[..., str]) -> None:
        assert "No such file" in refused("scores.csv", "--rule", "borda", "--output", "no/r.csv")

    def test_the_rules_can_be_listed(self, run: Run) -> None:
        output, said = run("--list-rules")
        assert [line.split()[:2] for line in output.splitlines()] == [
            [name, rule.family] for name, rule in nbrank.RULES.items()
        ]
        assert said == ""
        listed = json.loads(run("--list-rules", "--format", "json")[0])
        gap = next(rule for rule in listed if rule["rule"] == "optimality_gap")
        assert gap == {
            "rule": "optimality_gap",
            "family": "mean",
            "needs": ["gamma"],
            "options": ["gamma", "missing"],
            "answers": nbrank.RULES["optimality_gap"].answers,
        }
        in_csv = pd.read_csv(io.StringIO(run("--list-rules", "--format", "csv")[0]))
        assert in_csv["rule"].tolist() == list(nbrank.RULES)

    def test_version(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(command_line, "version", lambda name: {"nbrank": "9.9"}[name])
        assert run("--version") == ("nbrank 9.9\n", "")

    def test_help_names_every_option(self, capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as left:
            command_line.main(["--help"])
        assert left.value.code == 0
        output, _ = capsys.readouterr()
        for option in ("--rule", "--weights", "--lower-is-better", "--list-rules", "--left"):
            assert option in output
        # What a newcomer needs comes before the list of all options.
        first, _, _ = output.partition("options:\n")
        assert first.startswith("usage: nbrank [options] [FILE ...]\n")
        for call in (
            "scores.csv  ",
            "scores.csv --columns",
            "scores.csv --lower-is-better latency",
        ):
            assert f"  nbrank {call}" in first


class TestTheProcess:
    """In a process of its own: `python -m nbrank`, and a reader that goes away."""

    @staticmethod
    def start(*arguments: str, output: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "nbrank", *arguments],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_module(self, run: Run) -> None:
        words = ("scores.csv", "--rule", "borda", "--lower-is-better", "pages")
        process = self.start(*words, output=subprocess.PIPE)
        assert process.communicate() == run(*words)
        assert process.returncode == 0

    def test_a_refusal_is_status_2(self) -> None:
        process = self.start("none.csv", output=subprocess.PIPE)
        output, said = process.communicate()
        assert (process.returncode, output, said.count("\n")) == (2, "", 1)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a POSIX system's pipes")
    def test_a_broken_pipe_is_quiet(self) -> None:
        reading, writing = os.pipe()
        os.close(reading)
        process = self.start(
            "scores.csv", "--rule", "borda", "--lower-is-better", "pages", output=writing
        )
        os.close(writing)
        _, said = process.communicate()
        assert (process.returncode, said) == (command_line.EXIT_BROKEN_PIPE, "")


def test_thousands_of_systems_are_ranked_without_what_compares_pairs(
    run: Run, folder: Path
) -> None:
    rng = np.random.default_rng(0)
    many = pd.DataFrame(rng.random((5_000, 3)), index=[f"s{i}" for i in range(5_000)])
    many.add_prefix("t").to_csv(folder / "many.csv", index_label="system")
    out, _ = run("many.csv")
    assert "Rank sets and pairwise comparisons are left out beyond 4,000 systems." in out
    assert (
        "Copeland, minimax, instant runoff, Schulze, Bradley-Terry and ranked pairs are left" in out
    )
    assert out.splitlines()[0].split() == ["borda", "mean", "plurality"]
    assert len(out.splitlines()) > 5_000


def test_columns_of_a_file_that_cannot_be_read_are_told_with_their_cells(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    rows = "model,split,acc\nA,dev,8\nA,test,9\nB,dev,6\nB,test,7\n"
    (folder / "splits.csv").write_text(rows, encoding="utf-8")
    assert command_line.main(["splits.csv", "--columns"]) == 2
    output, said = capsys.readouterr()
    assert output == ""
    assert "nbrank: column 'split' begins with 'dev', 'test', 'dev'\n" in said
    assert "duplicate systems: 'A', 'B'; say --where split=test" in said
