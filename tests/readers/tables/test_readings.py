"""How a table was read: seen on the board, said otherwise by roles, and kept in a file."""

import json
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.frontends.command_line import main

FILE = b"""model,size,mmlu,mmlu_stderr,FPs \xe2\x86\x93,Logloss,cost,Average
A,7B,60,1,2,.3,5,9
B,13B,70,2,3,.2,4,8
C,70B,65,1,1,.4,3,7
"""


@pytest.fixture
def board():
    with pytest.warns(UserWarning, match="set aside"):
        return nbrank.read(FILE)


def test_each_column_has_its_row_with_role_direction_why_and_doubt(board):
    rows = board.reading.set_index("column")
    assert list(board.reading.columns) == ["column", "role", "direction", "why", "doubt"]
    assert rows["role"].to_dict() == {
        "model": "system", "size": "description", "mmlu": "task", "mmlu_stderr": "error",
        "FPs ↓": "task", "Logloss": "task", "cost": "task", "Average": "average",
    }  # fmt: skip
    assert rows["direction"].dropna().to_dict() == {
        "mmlu": "higher", "FPs ↓": "lower", "Logloss": "lower", "cost": "higher",
    }  # fmt: skip
    assert rows.loc["FPs ↓", "why"] == "the file says so"
    assert rows.loc["Logloss", "why"] == "its name, 'Logloss'"
    assert rows.loc["cost", "doubt"] == "lower is often better for 'cost': roles={'cost': 'lower'}"
    assert (rows["doubt"] != "").sum() == 1


def test_the_board_has_scores_errors_descriptions_and_the_rules(board):
    assert board.lower_is_better == ("FPs ↓", "Logloss")
    assert board.scores.loc["A"].tolist() == [60, 2, 0.3, 5]
    assert board.to_frame().loc["A"].tolist() == [60, -2, -0.3, 5]
    assert board.errors["mmlu"].tolist() == [1, 2, 1]
    assert board.descriptions["size"].to_dict() == {"A": "7B", "B": "13B", "C": "70B"}
    assert board.rank.borda().equals(board.borda())
    assert "the file says so" in board._repr_html_()


def test_what_is_said_decides_before_anything_is_guessed(board):
    said = {"cost": "lower", "Logloss": "higher", "Average": "task", "mmlu": "description"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = nbrank.read(FILE, roles=said)
    rows = other.reading.set_index("column")
    assert other.tasks.tolist() == ["FPs ↓", "Logloss", "cost", "Average"]
    assert other.lower_is_better == ("FPs ↓", "cost")
    assert set(rows.loc[list(said), "why"]) == {"you"}


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_reading_can_be_kept_and_is_silent_then(board, tmp_path, ending):
    path = tmp_path / f"roles.{ending}"
    if ending == "toml":
        board.reading.to_toml(path)
    else:
        path.write_text(json.dumps(board.reading.to_roles()))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = nbrank.read(FILE, roles=path)
    assert again.scores.equals(board.scores)
    assert again.lower_is_better == board.lower_is_better
    assert again.errors.equals(board.errors)
    assert set(again.reading["why"]) == {"you"}


def test_a_long_table_is_kept_too_with_tasks_that_its_rows_name(tmp_path):
    table = pd.DataFrame([(s, t, n) for n, s in enumerate("AB") for t in ("acc", "latency_ms")],
                         columns=["model", "task", "score"])  # fmt: skip
    board = nbrank.read(table)
    assert board.lower_is_better == ("latency_ms",)
    rows = board.reading.set_index("column")
    assert rows["role"].to_dict() == {"model": "system", "task": "task", "score": "score"}
    assert rows["direction"].isna().all()
    board.reading.to_toml(tmp_path / "roles.toml")
    assert nbrank.read(table, roles=tmp_path / "roles.toml").lower_is_better == ("latency_ms",)


def test_the_name_of_the_score_decides_for_all_its_tasks():
    rows = [(s, t, n) for n, s in enumerate("AB") for t in ("energy", "wine")]
    for score, lower in (("rmse", 2), ("accuracy", 0), ("score", 0)):
        board = nbrank.read(pd.DataFrame(rows, columns=["model", "dataset", score]))
        assert len(board.lower_is_better) == lower
        assert bool(board.reading.doubts) == (score == "score")


def test_several_scores_a_row_are_groups_and_a_bare_name_means_all_of_them():
    rows = [(s, t, n, 9 - n) for n, s in enumerate("AB") for t in ("energy", "wine")]
    table = pd.DataFrame(rows, columns=["model", "dataset", "rmse", "acc"])
    board = nbrank.read(table, roles={"rmse": "score", "acc": "score"})
    assert board.groups.keys() == {"energy", "wine"}
    assert board.lower_is_better == (("energy", "rmse"), ("wine", "rmse"))
    assert board.reading.set_index("column")["direction"].dropna().to_dict() == {
        "rmse": "lower", "acc": "higher",
    }  # fmt: skip
    melted = table.melt(["model", "dataset"], var_name="metric")
    assert nbrank.read(melted).lower_is_better == board.lower_is_better
    turned = nbrank.read(melted, lower_is_better=["rmse", "acc"])
    assert len(turned.lower_is_better) == 4


def test_a_score_of_instances_needs_no_task():
    table = pd.DataFrame({"m": list("AABB"), "q": [1, 2, 1, 2], "ok": [1, 0, 1, 1]})
    board = nbrank.read(table, roles={"m": "system", "q": "instance", "ok": "score"})
    assert board.tasks.tolist() == ["ok"]
    assert board.scores["ok"].tolist() == [1, 0, 1, 1]


def test_values_raise_a_doubt_from_eight_systems_and_four_other_tasks_on():
    rng = np.random.default_rng(0)
    skill = np.arange(9.0)
    table = pd.DataFrame({f"t{n}": skill + rng.normal(0, 0.3, 9) for n in range(5)})
    table["odd"] = -skill + rng.normal(0, 0.3, 9)
    table.index = pd.Index(list("ABCDEFGHI"), name="model")
    board = nbrank.read(table)
    assert list(board.reading.doubts) == ["odd"]
    assert "roles={'odd': 'lower'}" in board.reading.doubts["odd"]
    assert not nbrank.read(table, roles={"odd": "lower"}).reading.doubts
    assert not nbrank.read(table.iloc[:7]).reading.doubts
    assert not nbrank.read(table.drop(columns=["t0", "t1"])).reading.doubts
    assert board.lower_is_better == ()


def test_a_row_in_shares_among_per_cents_is_doubted():
    table = pd.DataFrame({"t": [83.8, 71, 66, 0.84], "u": [49, 52.1, 60, 0.49]}, index=list("ABCD"))
    with pytest.warns(UserWarning, match="'D'.*like shares, and .*per cents; multiply them by 100"):
        board = nbrank.read(table.rename_axis("model"))
    assert "multiply them by 100" in board.reading.doubts["model"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbrank.read((table / 100).rename_axis("model"))
        nbrank.read(table.iloc[:3].rename_axis("model"))


def test_one_repeated_instance_is_named_and_ids_are_never_tasks():
    text = b"model,question_id,score\nA,1,1\nA,2,1\nA,2,0\nB,1,0\nB,2,1\nB,3,1\n"
    with pytest.raises(ValueError, match=r"duplicate instances: \('A', '2'\);"):
        nbrank.read(text)
    board = nbrank.read(text, duplicates="mean")
    assert board.tasks.tolist() == ["score"]
    means = board.mean(missing="ignore")["score"]
    assert means.to_dict() == pytest.approx({"A": 0.75, "B": 2 / 3})


def test_rows_are_chosen_by_where():
    text = b"model,year,t\nA,2023,1\nB,2023,2\nA,2024,5\nB,2024,4\n"
    with pytest.warns(UserWarning, match="'year'"):
        board = nbrank.read(text, where={"year": 2024})
    assert board.scores["t"].to_dict() == {"A": 5, "B": 4}
    with pytest.raises(ValueError, match="no row holds 1999 in 'year'; it holds"):
        nbrank.read(text, where={"year": 1999})
    with pytest.raises(ValueError, match="unknown column"):
        nbrank.read(text, where={"month": 1})


def test_wrong_roles_are_named():
    with pytest.raises(ValueError, match="unknown role; choose system, task"):
        nbrank.read(FILE, roles={"mmlu": "metric"})
    with pytest.raises(ValueError, match="unknown column; the columns are 'model'"):
        nbrank.read(FILE, roles={"nix": "system"})
    with pytest.raises(ValueError, match="roles={'nix': 'lower'}: unknown task or column"):
        nbrank.read(b"m,t,u\nA,1,2\nB,2,1\n", roles={"nix": "lower"})
    with pytest.raises(TypeError, match="roles must be a mapping"):
        nbrank.read(FILE, roles=3)


def test_errors_are_used_where_they_are_asked_for(board):
    assert board.rank_confidence("borda", seed=0).attrs["over"] == "tasks"
    text = b"model,t,t_se,u,u_se\nA,5,.1,4,.1\nB,4,.1,3,.1\nC,3,.1,2,.1\n"
    with pytest.warns(UserWarning, match="set aside"):
        small = nbrank.read(text)
    sets = small.rank_confidence("borda", over="errors", seed=0)
    assert sets[["low", "high"]].to_numpy().tolist() == [[1, 1], [2, 2], [3, 3]]
    assert small.select_systems(["B", "A"]).errors.index.tolist() == ["B", "A"]
    assert small.select_tasks(["u"]).errors.columns.tolist() == ["u"]
    assert pickle.loads(pickle.dumps(small)).reading.equals(small.reading)


def test_who_builds_a_board_may_give_errors_and_descriptions():
    scores = pd.DataFrame({"t": [1.0, 2], "u": [2.0, 3]}, index=["A", "B"])
    board = nbrank.Leaderboard(scores, errors=scores[["t"]] / 10, descriptions=scores)
    assert board.errors.loc["B"].tolist()[0] == 0.2
    assert board.errors["u"].isna().all()
    with pytest.raises(ValueError, match="errors: unknown tasks: 'x'"):
        nbrank.Leaderboard(scores, errors=scores.rename(columns={"t": "x"}))
    with pytest.raises(TypeError, match="errors must be a frame"):
        nbrank.Leaderboard(scores, errors=0.1)


def test_a_mean_and_its_spread_in_rows_are_a_score_and_its_error():
    text = "algo,env,mean_reward,std_reward,eval_episodes\n" + "".join(
        f"{algo},{env},{at}.5,0.{at},{at}00\n"
        for at, (algo, env) in enumerate([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")], 1)
    )
    with pytest.warns(UserWarning, match="the scores are those of 'mean_reward'"):
        board = nbrank.read(text.encode())
    assert board.scores.loc["b"].tolist() == [3.5, 4.5]
    assert board.errors.loc["b"].tolist() == [0.3, 0.4]


def test_an_error_of_the_score_is_not_a_task():
    text = "method,Score,Score Error (99.9%)\nA,20.8,0.79\nB,18.8,1.53\n"
    with pytest.warns(UserWarning, match="set aside"):
        board = nbrank.read(text.encode())
    assert board.errors["Score"].tolist() == [0.79, 1.53]


def test_the_reading_says_what_deviations_are_taken_for():
    with pytest.warns(UserWarning, match="std_a"):
        board = nbrank.read(b"m,a,std_a,b\nA,1,.2,3 \xc2\xb1 .1\nB,2,.1,4 \xc2\xb1 .2\n")
    why = board.reading.set_index("column")["why"]
    assert why["std_a"] == "taken as standard errors, not deviations of runs"
    assert why["b"] == "assumed; ± as standard errors"
    # As the page on reading says.
    board.rank_confidence("borda", over="errors", errors=board.errors / 5**0.5)


def test_a_task_of_several_groups_is_left_out_of_all():
    text = "model,group,task,score\n" + "".join(
        f"{model},{group},{task},{score}\n"
        for model in "AB"
        for score, (group, task) in enumerate([("g", "x"), ("h", "x"), ("h", "y")])
    )
    roles = {"group": "group", "task": "task", "x": "description"}
    board = nbrank.read(text.encode(), roles=roles)
    assert list(board.tasks) == [("h", "y")]


def test_an_average_with_an_error_is_an_average():
    text = (
        "model,mmlu,gsm8k,Avg\nA,70.1 ± 0.3,50.2 ± 0.4,60.1 ± 0.3\nB,71 ± 0.3,52 ± 0.4,61.5 ± 0.3\n"
    )
    with pytest.warns(UserWarning, match="'Avg'"):
        assert list(nbrank.read(text.encode()).tasks) == ["mmlu", "gsm8k"]


@pytest.mark.parametrize("name", ["latency_1000qps", "Latency 100 QPS", "loss of sensitivity"])
def test_a_loss_is_one_at_any_setting(name):
    text = f"model,{name}\nA,1.5\nB,2.5\n"
    assert nbrank.read(text.encode()).reading.set_index("column")["direction"][name] == "lower"


LONG = b"model,task,rmse\nA,x,1\nA,y,2\nA,Average,1.5\nB,x,3\nB,y,1\nB,Average,2\n"


def test_an_average_among_the_rows_is_no_task():
    with pytest.warns(UserWarning, match="'Average' .*roles={'Average': 'higher'}"):
        board = nbrank.read(LONG)
    assert [*board.tasks] == ["x", "y"]
    assert "Average" in nbrank.read(LONG, roles={"Average": "higher"}).tasks
    reading = nbrank.read(LONG, roles={"Average": "description"}).reading.set_index("column")
    assert reading.loc["rmse", "why"] == "its name, 'rmse'"  # said once


def test_leaving_out_all_tasks_says_so():
    roles = dict.fromkeys(["x", "y", "Average"], "description")
    with pytest.raises(ValueError, match=r"roles={.*} leaves out all tasks; keep one$"):
        nbrank.read(LONG, roles=roles)


def test_a_task_of_several_scores_is_left_out_by_its_name():
    text = b"model,task,rmse,acc\nA,x,1,.5\nA,y,2,.6\nB,x,3,.7\nB,y,1,.8\n"
    board = nbrank.read(text, roles={"rmse": "score", "acc": "score", "x": "description"})
    assert [*board.tasks] == [("y", "rmse"), ("y", "acc")]


@pytest.mark.parametrize("words", [("True", "False"), ("max", "min"), ("↑", "↓")])
def test_a_column_of_directions_is_obeyed(words):
    name = "higher_is_better" if words[0] == "True" else "direction"
    text = f"system,metric,value,{name}\n" + "".join(
        f"{system},{metric},{at},{words[metric == 'foo']}\n"
        for at, (system, metric) in enumerate([(s, m) for s in "AB" for m in ("acc", "foo")])
    )
    board = nbrank.read(text.encode())
    assert board.lower_is_better == ("foo",)
    assert board.reading.set_index("column").loc[name, "why"] == "it states directions"


@pytest.mark.parametrize("row", [",↓,↑", "better,lower,higher", ",s,points"])
def test_a_row_of_directions_or_units_belongs_to_the_names(row):
    board = nbrank.read(f"m,time,b\n{row}\nA,3,40\nB,4,20\n".encode())
    assert [*board.systems] == ["A", "B"]
    assert len(board.lower_is_better) == 1


def test_the_end_of_an_interval_has_its_other_end():
    with pytest.warns(UserWarning, match="'lower'"):
        board = nbrank.read(b"model,score,lower,upper\nA,71,69,73\nB,68,66,70\nC,75,73,77\n")
    assert [*board.tasks] == ["score"]
    with pytest.warns(UserWarning, match="standard errors"):
        board = nbrank.read(b"model,acc,acc_ci95,f1\nA,.7,.02,.6\nB,.6,.03,.5\n")
    assert [*board.tasks] == ["acc", "f1"]


def test_a_row_of_the_points_to_be_had_is_no_system():
    with pytest.warns(UserWarning, match="'max points'"):
        board = nbrank.read(b"exam,q1,q2\nmax points,10,20\nAnn,8,15\nBob,9,18\n")
    assert [*board.systems] == ["Ann", "Bob"]


def test_columns_without_name_and_cells_are_no_columns():
    assert [*nbrank.read(b"model,acc,,f1,\nA,1,,2,\nB,2,,1,\n").tasks] == ["acc", "f1"]


def test_times_name_no_systems_and_voters_are_doubted():
    text = b"Timestamp,Respondent,X,Y\n2024/05/01 10:11,r1,4,5\n2024/05/02 09:02,r2,5,4\n"
    with pytest.warns(UserWarning, match="Timestamp|Respondent"):
        board = nbrank.read(text)
    assert [*board.systems] == ["r1", "r2"]
    assert "roles={'Respondent': 'task'} turns the table" in board.reading.doubts["Respondent"]


def test_months_are_no_scores_and_a_files_name_is_no_average(tmp_path):
    (tmp_path / "wer.csv").write_text("model,wer,cer,when\nA,5.1,2.0,2024.09\nB,4.7,1.9,2025.04\n")
    with pytest.warns(UserWarning, match=r"'when' \(dates\)"):
        assert [*nbrank.read(tmp_path / "wer.csv").tasks] == ["wer", "cer"]


#: A table for each thing that a reading must keep.
TO_KEEP = {
    "an error of no task": "m,t,u,standard_error\nA,1.5,2,.1\nB,2.5,1,.1\n",
    "marks of errors": "m;t;±SD;u;±SD\nA;0,5;0,1;0,7;0,1\nB;0,6;0,2;0,5;0,1\n",
    "goals": "hometeam,awayteam,homescore,awayscore\nA,B,3,1\nB,C,0,0\nC,A,2,4\n",
    "numbers of wins": "Player 1,Player 2,Wins 1,Wins 2,Draws\nA,B,10,5,3\nA,C,7,9,1\n",
    "letters": "HomeTeam,AwayTeam,FTR\nA,B,H\nB,C,D\nC,A,A\n",
    "flags": "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nA,B,1,0,0\nB,C,0,0,1\n",
    "a turned table": "Metric,Ours,Baseline,SOTA\nacc,81.5,80.5,83.5\nParams (M),5,8,90\n"
    "F1,70.5,71.5,72.5\n",
    "rows of summaries": "model,t,u\nA,1.5,2.5\nB,2.5,3.5\nTotal,4,6\n",
    "a system without scores": "model,t,u\nA,1.5,2.5\nB,,\nC,2.5,1\n",
    "several tables": "# x\n|m|t|u|\n|-|-|-|\n|A|1|2|\n|B|2|1|\n# y\n|m|t|\n|-|-|\n|A|1|\n",
    "ballots": "5: A > B = C\n3: B > A\n",
}


@pytest.mark.parametrize("text", TO_KEEP.values(), ids=TO_KEEP)
def test_what_is_kept_is_read_in_the_same_way_and_in_silence(text, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = nbrank.read(text.encode())
    first.reading.to_toml(tmp_path / "roles.toml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = nbrank.read(text.encode(), roles=tmp_path / "roles.toml")
    assert type(again) is type(first)
    assert again.borda().equals(first.borda())
    if hasattr(first, "errors"):
        assert (again.errors is None) == (first.errors is None)
        assert first.errors is None or again.errors.equals(first.errors)


def test_options_are_kept_and_what_is_new_is_said(tmp_path):
    rows = "model,part,t,u\nA,x,1.5,DNF\nB,x,2.5,3\nC,y,9,9\n"
    board = nbrank.read(
        rows.encode(), na=["DNF"], where={"part": "x"}, roles={"part": "description"}
    )
    path = tmp_path / "roles.toml"
    board.reading.to_toml(path)
    assert path.read_text() == (
        'na = ["DNF"]\nwhere = { "part" = "x" }\n\n[roles]\n"model" = "system"\n'
        '"part" = "description"\n"t" = "higher"\n"u" = "higher"\n'
    )
    assert nbrank.read(rows.encode(), roles=path).scores.equals(board.scores)
    with pytest.warns(UserWarning, match="set aside, by its name no system: 'Total'"):
        nbrank.read(f"{rows}Total,x,4,3\n".encode(), roles=path)


def test_the_command_line_takes_the_options_that_are_kept(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(TO_KEEP["several tables"])
    board = nbrank.read(page, table=2)
    board.reading.to_toml(tmp_path / "roles.toml")
    assert main([str(page), "--roles", str(tmp_path / "roles.toml")]) == 0
    shown = capsys.readouterr()
    assert "tables" not in shown.err
    assert "A" in shown.out


def test_a_kept_reading_sets_headings_in_a_column_without_a_name_aside(tmp_path):
    page = "||Team|W|L|\n|-|-|-|-|\n|East||||\n|x|A|3|1|\n|West||||\n|y|B|2|5|\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        board = nbrank.read(page.encode())
    board.reading.to_toml(tmp_path / "roles.toml")
    again = nbrank.read(page.encode(), roles=tmp_path / "roles.toml")
    assert again.systems.tolist() == board.systems.tolist() == ["A", "B"]


def test_a_kept_reading_finds_the_score_of_an_interval_again(tmp_path):
    text = 'model,mAP,95% CI,F1\nA,50.1,"[48.0, 52.2]",0.7\nB,51.1,"[49.0, 53.2]",0.6\n'
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        board = nbrank.read(text.encode())
    board.reading.to_toml(tmp_path / "roles.toml")
    again = nbrank.read(text.encode(), roles=tmp_path / "roles.toml")
    assert again.errors.equals(board.errors)
    assert board.errors["mAP"].round(2).tolist() == [1.07, 1.07]


def test_a_column_called_like_the_file_is_a_task_on_the_scale_of_the_others(tmp_path):
    file = tmp_path / "mmlu.csv"
    file.write_text("model,mmlu,gsm8k\nA,0.8,0.9\nB,0.7,0.6\nC,0.5,0.4\n")
    assert nbrank.read(file).tasks.tolist() == ["mmlu", "gsm8k"]


def test_a_column_of_metrics_gives_each_data_set_its_direction():
    rows = ["A,HIV,AUC,.8", "A,QM8,MAE,.01", "B,HIV,AUC,.7", "B,QM8,MAE,.02"]
    board = nbrank.read("\n".join(["model,dataset,metric,value", *rows]).encode())
    assert board.lower_is_better == ("QM8",)


def test_a_column_of_units_raises_the_doubt_that_the_unit_raises():
    rows = ["A,d1,12,ms", "A,d2,15,ms", "B,d1,10,ms", "B,d2,18,ms"]
    with pytest.warns(UserWarning, match="'unit' \\(not needed\\)"):
        board = nbrank.read("\n".join(["system,dataset,score,unit", *rows]).encode())
    assert "lower is often better for figures in ms" in board.reading.doubts["score"]
