"""Small tables, each with one thing that was once read wrong, and what is said now."""

import warnings

import pytest

import nbrank


def read(text, **how):
    """The board, and what was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        board = nbrank.read(text.encode(), **how)
    return board, " ".join(str(item.message) for item in caught)


def roles(board):
    return dict(zip(board.reading["column"], board.reading["role"], strict=True))


ASSAYS = """DMS ID,Model A,Model B,Number of Mutants,Selection Type
ACE2_2020,0.50,0.40,2223,Binding
BRCA1_2018,0.60,0.50,1837,Activity
"""


def test_columns_called_like_systems_turn_a_table_with_a_word():
    board, said = read(ASSAYS)
    assert board.systems.tolist() == ["Model A", "Model B"]
    assert board.tasks.tolist() == ["ACE2_2020", "BRCA1_2018"]
    assert roles(board)["Number of Mutants"] == "description"
    assert "the rows are read as tasks, since 'DMS ID' names them" in said
    assert "say roles={'DMS ID': 'system'}" in said
    again, _ = read(ASSAYS, roles={"DMS ID": "system"})
    assert again.systems.tolist() == ["ACE2_2020", "BRCA1_2018"]


def test_two_columns_of_task_names_are_groups_and_three_are_nested():
    how = {"transpose": True, "weights": "balanced"}
    text = "kind,protein,assay,A,B\nx,p,1a,1,2\nx,p,1b,1,2\nx,q,2a,3,1\ny,r,3a,2,2\n"
    names = {"kind": "group", "protein": "group", "assay": "task"}
    board, _ = read(text, roles=names, **how)
    assert board.tasks.tolist()[0] == ("x", "p", "1a")
    assert board.weights.tolist() == [0.125, 0.125, 0.25, 0.5]
    two, _ = read(text, roles={"kind": "description", "protein": "group", "assay": "task"}, **how)
    assert two.groups == {"p": (("p", "1a"), ("p", "1b")), "q": (("q", "2a"),), "r": (("r", "3a"),)}


@pytest.mark.parametrize("head", ["Corpus", "dataset", "Lang", "assay"])
def test_rows_of_corpora_are_tasks(head):
    text = f"{head},BM25,SPLADE\ntrec-covid,0.59,0.73\nfiqa,.2,.3\n"
    assert read(text)[0].systems.tolist() == ["BM25", "SPLADE"]


def test_a_table_whose_columns_have_units_is_not_turned():
    text = 'Language,"Time, s","Energy, J"\nC++,0.06,2.5\nRuby,2.1,90\n'
    board, _ = read(text)
    assert board.systems.tolist() == ["C++", "Ruby"]
    assert board.lower_is_better == ("Time, s", "Energy, J")


def test_an_average_and_standard_errors_beside_other_words_are_no_tasks():
    text = """Model_name,Average_Spearman,Bootstrap_standard_error_Spearman,Activity,Binding
A,0.520,0.000,0.52,0.53\nB,0.505,0.006,0.50,0.51\nC,0.400,0.020,0.45,0.36\n"""
    board, said = read(text)
    assert roles(board)["Average_Spearman"] == "average"
    assert roles(board)["Bootstrap_standard_error_Spearman"] == "description"  # of no task
    assert board.tasks.tolist() == ["Activity", "Binding"]
    assert "'Average_Spearman' (its name, and it lies between)" in said


def test_the_quantiles_around_a_score_become_its_errors():
    text = "model,score,rating_q025,rating_q975\nA,82.6,80.7,84.6\nB,79.3,77.2,80.6\n"
    board, _ = read(text)
    assert board.tasks.tolist() == ["score"]
    assert roles(board)["rating_q025"] == "low"
    assert board.errors["score"].tolist() == pytest.approx([3.9 / 3.92, 3.4 / 3.92], rel=1e-4)


def test_low_resource_tasks_are_no_ends_of_intervals():
    text = "model,low-resource QA,high-resource QA\nA,1.5,2.5\nB,3,2\n"
    assert len(read(text)[0].tasks) == 2


def test_the_overall_score_of_each_split_is_an_average():
    text = """{"b": [{"name": "A", "val": {"overall": "60", "art": "70", "law": "50"},
        "test": {"overall": "55", "art": "60", "law": "50"}},
        {"name": "B", "val": {"overall": "65", "art": "60", "law": "70"},
        "test": {"overall": "-", "art": "-", "law": "-"}}]}"""
    board, _ = read(text)
    assert board.tasks.tolist() == ["val.art", "val.law", "test.art", "test.law"]


@pytest.mark.parametrize(
    "name",
    ["act_param", "param_count", "img_size", "Flops (G)", "#both", "num_students", "n_mutants",
     "user_vote_count", "average #tokens", "run id", "team_id", "world_rank", "Year founded"],
)  # fmt: skip
def test_what_counts_sizes_or_names_is_no_task(name):
    board, said = read(f"model,{name},t,u\nA,2007,3,2.5\nB,1970,1,4.5\nC,2001,2,3.5\n")
    assert board.tasks.tolist() == ["t", "u"]
    assert f"'{name}'" in said
    assert name in board.descriptions


def test_complements_copies_and_multiples_count_once():
    text = "model,top1,top1_err,acc,again,fifth\nA,90,10,.95,.95,.19\nB,60,40,.90,.9,.18\n"
    text += "C,75.5,24.5,.80,.8,.16\nD,62,38,.71,.71,.142\n"
    board, _ = read(text)
    why = dict(zip(board.reading["column"], board.reading["why"], strict=True))
    assert board.tasks.tolist() == ["top1", "acc"]
    assert why["top1_err"] == "100 - 'top1'"
    assert why["again"] == "the same as 'acc'"
    assert why["fifth"] == "a multiple of 'acc' (by 0.2)"
    kept, _ = read(text, roles={"again": "task"})
    assert "again" in kept.tasks


def test_places_that_two_voters_give_alike_are_no_copies():
    assert len(read("s,t,u,v\nA,1,1,2\nB,2,2,1\nC,3,3,4\nD,4,4,3\n")[0].tasks) == 3


def test_losses_errors_and_times_count_the_lower_the_better():
    text = """Solver,Error Score,Correct Score,CPU Time Score,Unsolved,Timeout,Memout
cvc5,0,1472,50775,194,180,14\nYicesQS,0,1408,3198,258,200,0\nAmaya,5,40,900,1600,1500,90\n"""
    board, _ = read(text)
    assert set(board.tasks) - set(board.lower_is_better) == {"Correct Score"}
    assert board.borda().index[-1] == "Amaya"


def test_a_total_is_known_by_its_name_alone_and_a_ratio_is_doubted():
    text = """name,teaching,research,total_score,num_students,staff_ratio
C,95.6,97.6,95.2,"2,243",6.9\nO,86.5,98.9,94.2,"19,919",11.6\nM,65.0,71.5,71.5,"42,116",26.9\n"""
    board, _ = read(text)
    assert roles(board)["total_score"] == "average"
    assert "roles={'staff_ratio': 'lower'}" in board.reading.doubts["staff_ratio"]
    assert read(text, roles={"staff_ratio": "lower"})[0].lower_is_better == ("staff_ratio",)


def test_a_sum_is_known_by_its_name_and_its_values():
    text = "model,t,u,v,sum\nA,1,2,3,6\nB,4,3,2,9\nC,1,1,2,4\n"
    assert roles(read(text)[0])["sum"] == "average"
    assert "sum" in read(text.replace("4\n", "5\n"))[0].tasks


def test_questions_with_numbers_are_no_quantiles():
    assert read("pupil,q1,q2,q3\nA,1,0,1\nB,0,1,1\nC,0,0,0\n")[0].tasks.tolist() == [
        "q1",
        "q2",
        "q3",
    ]
    board, _ = read("model,score,q5,q95\nA,5,4,6\nB,4,3,5\nC,3,2,4\n")
    assert (roles(board)["q5"], roles(board)["q95"]) == ("low", "high")


def test_a_board_leaves_out_and_names_systems_without_a_score():
    text = "model,size,t,t_stderr,WER\nA,7B,1,.1,2\nB,13B,,,\nC,1B,3,.2,1\nE,2B,2,.3,2\n"
    board, said = read(text)
    assert "left out, without a single score: 'B'" in said
    for frame in (board.scores, board.errors, board.descriptions, board.borda()):
        assert sorted(frame.index) == ["A", "C", "E"]
    assert board.lower_is_better == ("WER",)
    assert roles(board)["size"] == "description"
    nobody, _ = read("model,t,u\nA,,\nB,,\n", roles={"*": "task"})
    assert nobody.systems.tolist() == ["A", "B"]


def test_places_beside_their_points_are_doubted():
    text = "driver,r1,r2,r3,points\nA,1,1,2,68\nB,2,3,1,58\nC,3,2,3,48\n"
    board, said = read(text)
    assert "the cells look like places, where 1 is best" in said
    assert "lower_is_better=True" in board.reading.doubts["r1"]
    assert read(text, lower_is_better=True)[0].borda().index[0] == "A"


@pytest.mark.parametrize("first", ["q1", "1"])
def test_rows_of_questions_are_solved_and_not_ranked(first):
    board, said = read(f"question,A,B,C\n{first},1,0,1\nq2,1,1,0\nq3,1,0,0\n")
    assert board.borda().index[0] == "A"
    assert "since 'question' names them" in said
    other, _ = read("prompt,A,B,C\np1,1,0,1\np2,1,1,0\n")
    assert "roles={'prompt': 'task'}" in other.reading.doubts["prompt"]


def test_a_film_called_max_is_a_film():
    text = "FILM,critics,users\nMax (2015),35,73\nInside Out (2015),98,90\nCinderella,85,80\n"
    assert "Max (2015)" in read(text)[0].systems
    assert read("model,t,u\nA,1,2\nB,3,1\nMax,3,2\n")[0].systems.tolist() == ["A", "B"]


def test_numbers_of_rows_are_no_systems_and_columns_of_numbers_are_not_recommended():
    text = "rownames,s,d,y\n1,1,1002,5\n2,1,1050,2\n3,2,1002,4\n4,2,1050,5\n"
    with pytest.raises(ValueError, match=r"numbers the rows.*roles=\{'s': 'system', 'd': 'system'"):
        read(text)
    with pytest.raises(
        ValueError, match=r"duplicate systems.*roles=\{'s': 'system', 'd': 'task', 'y': 'score'\}"
    ):
        read(text, roles={"s": "system"})
    board, _ = read(text, roles={"s": "system", "d": "instance"})
    assert board.tasks.tolist() == ["y"]


def test_a_column_that_tells_rows_apart_is_named():
    text = "SYS,SID,SCR\nA,1,0.5\nA,2,0.7\nB,1,0.4\nB,2,0.9\n"
    with pytest.raises(
        ValueError, match=r"say roles=\{'SYS': 'system', 'SID': 'task', 'SCR': 'score'\}"
    ):
        read(text)
    assert read(text, roles={"SID": "instance"})[0].instances.nunique() == 2
    sizes = "model,img_size,top1\nA,224,80.1\nA,384,81.2\nB,224,79.3\n"
    with pytest.raises(ValueError, match=r"roles=\{'model': 'system', 'img_size': 'system'\}"):
        read(sizes)
    both = read(sizes, roles={"model": "system", "img_size": "system"})[0]
    assert both.systems.tolist() == ["A / 224", "A / 384", "B / 224"]


def test_places_by_year_are_asked_for_by_a_call_that_works():
    text = "country,year,place\nTurkey,2003,1\nBelgium,2003,2\nTurkey,2004,4\nBelgium,2004,22\n"
    with pytest.raises(ValueError, match=r"roles=\{'year': 'task', 'place': 'score'\}"):
        read(text)
    board, _ = read(text, roles={"year": "task", "place": "score"})
    assert board.tasks.tolist() == [2003, 2004] or board.tasks.tolist() == ["2003", "2004"]


def test_names_that_are_partly_numbers_name_systems():
    assert read("User ID,a,b\nNaive,16.3,14.2\n118,13.2,11.4\n")[0].systems.tolist() == [
        "Naive",
        "118",
    ]


def test_rows_of_another_data_set_are_doubted():
    text = (
        '[{"dataset_id":"d1","method_id":"A","s":0.9},{"dataset_id":"d1","method_id":"B","s":0.8},'
    )
    text += '{"dataset_id":"d2","method_id":"C","s":0}]'
    board, _ = read(text)
    doubt = board.reading.doubts["dataset_id"]
    assert "roles={'dataset_id': 'task', 's': 'score'}" in doubt
    assert read(text, roles={"dataset_id": "task", "s": "score"})[0].tasks.tolist() == ["d1", "d2"]


def test_marks_of_missing_scores_are_named_with_the_call():
    text = "driver,BHR,SAU\nVER,1,2\nLEC,Ret,7\n"
    with pytest.raises(ValueError, match=r"na=\['Ret'\]"):
        read(text)
    board, _ = read(text, na=["Ret"])
    assert board.values[1, 0] != board.values[1, 0]


def test_identifiers_in_hexadecimal_are_no_scores():
    text = "hex,name,judge1,judge2\n4d370c29a7,Ann,9.0,8.5\nb917f2d80a,Bob,8.0,8.25\n"
    assert read(text)[0].tasks.tolist() == ["judge1", "judge2"]


def test_years_as_names_of_tasks_raise_no_alarm():
    board, said = read("country,1998,2002,2006\nCanada,1,3,3\nChina,2,9,8\n")
    assert said == ""
    assert len(board.tasks) == 3


def test_one_diverged_cell_makes_no_task_an_average():
    rows = [f"m{n},{n % 7 / 10 + 0.05},{n * 3 % 11 / 10},{n * 5 % 13 / 10}" for n in range(22)]
    rows[0] = "m0,1e8,0.3,0.4"
    assert len(read("\n".join(["model,traffic,sun,ett", *rows]))[0].tasks) == 3


def test_a_seasons_points_beside_places_are_no_race():
    races = "".join(
        f"d{n},{n},{(n + 1) % 6 + 1},{(n + 2) % 6 + 1},{n},{60 - 8 * n}\n" for n in range(1, 7)
    )
    board, said = read(f"driver,AUS,CHN,BHR,RUS,points\n{races}")
    assert board.tasks.tolist() == ["AUS", "CHN", "BHR", "RUS"]
    assert "the cells look like places, where 1 is best" in said


def test_a_comma_within_a_name_parts_no_cells_beside_semicolons():
    board, _ = read("model;Time, s;AUC;average\nA;59,4;60,3;60\nB;57,7;62,5;60,1\n")
    assert board.tasks.tolist() == ["Time, s", "AUC"]


def test_a_mean_beside_its_spread_is_a_task_with_errors():
    text = "Method,CIFAR-10 mean,CIFAR-10 std,SVHN mean,SVHN std\nA,94.9,0.1,97.6,0.2\n"
    board, _ = read(text + "B,92.1,0.3,96.0,0.3\nC,94.5,0.2,97.5,0.1\n")
    assert board.tasks.tolist() == ["CIFAR-10 mean", "SVHN mean"]
    assert board.errors.loc["B"].tolist() == [0.3, 0.3]


SPEED = """command,mean,stddev,median,user,system,min,max
fd,0.33,0.012,0.33,1.9,0.8,0.31,0.35
find,1.25,0.033,1.24,0.4,0.7,1.21,1.30
rg,0.22,0.009,0.21,1.2,0.6,0.20,0.24
"""


def test_statistics_of_the_same_runs_count_once_and_may_be_times():
    board, _ = read(SPEED)
    assert board.systems.tolist() == ["fd", "find", "rg"]
    assert board.tasks.tolist() == ["mean", "user", "system"]
    assert board.errors["mean"].tolist() == [0.012, 0.033, 0.009]
    assert "lower_is_better=True" in board.reading.doubts["mean"]
    why = dict(zip(board.reading["column"], board.reading["why"], strict=True))
    assert {why["min"], why["max"]} == {"of the same runs as 'mean'"}


def test_times_with_their_unit_are_seconds_and_doubted():
    text = "|Method|Mean|Error|StdDev|\n|-|-|-|-|\n|Sha|4.3 us|0.04 us|0.03 us|\n"
    board, _ = read(text + "|Md5|15.1 ms|0.12 us|0.11 us|\n")
    assert board.scores["Mean"].tolist() == pytest.approx([4.3e-6, 0.0151])
    assert "lower" in board.reading.doubts["Mean"]


def test_averages_of_categories_are_tasks_where_nothing_else_is():
    text = "model,Average (56 datasets),Coding Average (12 datasets),STS Average,QA Average\n"
    board, _ = read(f"{text}A,70,90,60,65\nB,71,80,61,70\nC,60,75,58,66\n")
    assert len(board.tasks) == 3
    assert roles(board)["Average (56 datasets)"] == "average"


@pytest.mark.parametrize(
    "text",
    [
        "Player,G,GS,FG%\nA,70,70,.487\nB,39,39,.529\nC,75,75,.535\nD,79,79,.58\n",
        "model,t1,t4\nA,.21,.08\nB,.31,.10\nC,.28,.09\nD,2.1,.7\n",
    ],
)
def test_what_agrees_by_rounding_only_is_no_sum_or_multiple(text):
    why = " ".join(read(text)[0].reading["why"])
    assert "sum of" not in why
    assert "multiple" not in why


PARTS = """Lang acc both #acc #both
ang 61.1 83.1 1969 697
ara 49.8 68.4 1969 158
asm 78.5 81.2 1995 549
"""


def test_columns_that_are_also_counted_are_no_systems():
    for call in ({"Lang": "system"}, {"Lang": "task"}):
        with pytest.raises(ValueError, match="but 'acc', 'both' no systems") as refused:
            read(PARTS)
        assert str(call) in str(refused.value)
        assert len(read(PARTS, roles=call)[0].tasks) == (2 if "system" in call.values() else 3)


def test_rows_of_sequences_are_doubted_and_their_aggregate_is_none():
    text = "Sequence,MOTA,IDF1\nS2,26.8,37.5\nS4,48.3,57.9\nAggregate,42.3,49.5\n"
    board, said = read(text)
    assert "roles={'Sequence': 'system'} ranks them" in board.reading.doubts["Sequence"]
    assert "by its name no system: 'Aggregate'" in said


def test_names_that_come_again_are_numbered_or_named_after_the_column_before_them():
    board, said = read("m,wait S1,S2,cost S1,S2\nA,1,2,3,4\nB,2,1,4,3\n")
    assert board.tasks.tolist() == ["wait S1", "wait S2", "cost S1", "cost S2"]
    board, said = read("m,wait,S2,cost,S2\nA,1,2,3,4\nB,2,1,4,3\n")
    assert "names that come again are numbered: 'S2 (2)'" in said
    board, _ = read("m,acc,sd,f1,sd\nA,.71,.02,.69,.03\nB,.68,.02,.66,.02\n")
    assert board.errors["f1"].tolist() == [0.03, 0.02]


def test_a_column_of_sizes_is_ranked_if_it_is_asked_for():
    text = "| Binary | Size |\n|---|---|\n| krc | 396 B |\n| gcc | 15800 B |\n"
    with pytest.raises(ValueError, match=r"roles={'Size': 'task'}"):
        read(text)
    assert read(text, roles={"Size": "task"})[0].scores["Size"].tolist() == [396.0, 15800.0]
    sizes = {"roles": {"n": "task"}}
    assert read("db,n\nA,15k\nB,2M\n", **sizes)[0].scores["n"].tolist() == [15e3, 2e6]


def test_headings_between_the_rows_and_rows_of_dots_are_set_aside_with_a_word():
    text = "| | Team | W | L |\n|---|---|---|---|\n| East | | | |\n| x | A | 3 | 1 |\n"
    board, said = read(text + "| x | B | 2 | 2 |\n| ... | ... | ... | ... |\n")
    assert board.systems.tolist() == ["A", "B"]
    assert "set aside as headings: 'East'" in said
    assert "set aside as headings or notes: line 6" in said


def test_a_column_of_intervals_has_the_errors_of_the_scores_before_it():
    text = "| m | Mean effect | 95% CI for effect |\n|---|---|---|\n| A | 47.7 | 43.7, 51.7 |\n"
    board, _ = read(text + "| B | 51.1 | 47.0, 55.2 |\n", roles={"Mean effect": "task"})
    assert board.errors["Mean effect"].tolist() == pytest.approx([8 / 3.92, 8.2 / 3.92], rel=1e-4)


def test_p_values_are_no_tasks():
    assert roles(read("m,t,p vs A\nA,1,0.5\nB,2,<0.001\n")[0])["p vs A"] == "description"


def test_marks_of_missing_scores_are_named_as_they_stand_and_each_helps():
    text = "| m | t | u |\n|---|---|---|\n| A | 1 | no data |\n| B | 2 | off |\n| C | 3 | 4 |\n"
    with pytest.raises(ValueError, match=r"na=\['no data', 'off'\]"):
        read(text)
    with pytest.raises(ValueError, match=r"na=\['off'\]"):
        read(text, na=["no data"])
    assert read(text, na=["no data", "off"])[0].scores["u"].notna().sum() == 1


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        ("race,driver,points\n1,V,25\n1,L,18\n2,V,18\n2,L,25\n",
         "{'driver': 'system', 'race': 'task', 'points': 'score'}"),
        ("plot,treatment,rep,t\n1,mulch,1,5.2\n2,mulch,2,5\n3,bare,1,4\n4,bare,2,3\n",
         "{'treatment': 'system', 'rep': 'run'}"),
        ("id,year,driver_id,points\n1,1950,1,75\n2,1950,2,87\n42,1951,1,113\n43,1951,2,94\n",
         "{'driver_id': 'system', 'year': 'task', 'points': 'score'}"),
        ("algo,operation,trial_num,time_us\nX,Key,1,3\nX,Key,2,2\nX,Sign,1,3\nX,Sign,2,3\nY,Key,1,6\n",
         "{'algo': 'system', 'operation': 'task', 'trial_num': 'run', 'time_us': 'score'}"),
    ],
)  # fmt: skip
def test_what_tells_the_rows_of_a_system_apart_is_advised_with_it(text, advised):
    with pytest.raises(ValueError, match="roles=") as refused:
        read(text)
    assert f"roles={advised}" in str(refused.value)


@pytest.mark.parametrize("verdicts", ["leftvote tievote rightvote", "sys_l no_preference sys_r"])
def test_verdicts_name_the_sides_in_several_ways(verdicts):
    first, tie, second = verdicts.split()
    text = "item,sys_left,sys_right,vote\n1,A,B,{}\n2,A,B,{}\n3,B,A,{}\n"
    sides = [word.replace("sys_l", "sys_left").replace("sys_r", "sys_right")
             for word in (first, tie, second)]  # fmt: skip
    votes, _ = read(text.format(*sides))
    assert votes.copeland()["rank"].to_dict() == {"A": 1, "B": 2}
