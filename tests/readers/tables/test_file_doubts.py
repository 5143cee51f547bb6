"""What else is in a file, its title, ranks and order, raises doubts about directions."""

import pickle
from contextlib import nullcontext

import numpy as np
import pytest

import nbrank
from nbrank.readers.tables.roles import Advice


def doubts(text, **options):
    aside = pytest.warns(UserWarning, match="set aside")
    with aside if options.pop("warns", False) else nullcontext():
        board = nbrank.read(text.encode(), **options)
    return board.reading.doubts


def test_a_title_that_names_an_error_doubts_the_tasks_below_it():
    page = "## LibriSpeech WER (%)\n| System | clean | other |\n|---|---|---|\n" + "".join(
        f"| {name} | {at}.5 | {at}.7 |\n" for at, name in enumerate("ABC")
    )
    assert doubts(page) == dict.fromkeys(
        ("clean", "other"), "'LibriSpeech WER (%)' names the scores: lower_is_better=True"
    )
    assert doubts(page, lower_is_better=True) == {}
    assert doubts(page.replace("WER (%)", "results")) == {}


def test_the_name_of_a_file_is_a_title(tmp_path):
    path = tmp_path / "wer.csv"
    path.write_text("model,clean,other,accuracy\nA,1,2,3\nB,2,4,5\n", encoding="utf-8")
    found = nbrank.read(path).reading.doubts
    assert found == dict.fromkeys(
        ("clean", "other"), "'wer' names the scores: roles={'clean': 'lower', 'other': 'lower'}"
    )


def test_ranks_in_a_file_doubt_scores_that_fall_with_the_better_rank():
    rows = "".join(f"{at},{name},0.{at}5,9{9 - at}\n" for at, name in enumerate("ABCDEF", 1))
    found = doubts(f"Rank,Team,Score,points\n{rows}", warns=True)
    assert found == {
        "Score": "those with a better 'Rank' are worse on it: roles={'Score': 'lower'}"
    }
    assert doubts(f"Rank,Team,Score,points\n{rows}", warns=True, roles={"Score": "lower"}) == {}


def test_a_file_with_the_lowest_average_first_may_be_one_of_errors():
    rng = np.random.default_rng(1)
    scores = np.sort(rng.uniform(5, 20, (9, 3)).round(2), axis=0)
    rows = [f"m{at},{row.mean():.2f},{','.join(map(str, row))}\n" for at, row in enumerate(scores)]
    found = doubts("model,Average,ami,tedlium,librispeech\n" + "".join(rows), warns=True)
    assert set(found) == {"ami", "tedlium", "librispeech"}
    assert found["ami"] == "the file lists the lowest 'Average' first: lower_is_better=True"
    best_first = "model,Average,ami,tedlium,librispeech\n" + "".join(rows[::-1])
    assert doubts(best_first, warns=True) == {}


def test_a_task_without_an_arrow_among_others_is_doubted():
    found = doubts("tracker,MOTA ↑,FP ↓,ML\nA,80,20,9\nB,70,30,10\nC,60,31,20\n")
    assert found == {"ML": "other tasks have arrows, and it has none: roles={'ML': 'lower'}"}


def test_a_task_that_is_the_same_for_all_is_doubted():
    found = doubts("model,t,Generation\nA,1,1\nB,2,1\nC,3,1\n")
    assert found == {"Generation": "it is the same for all: roles={'Generation': 'description'}"}
    assert doubts("model,t\nA,1\nB,1\nC,1\n") == {}  # nothing else tells these apart


def test_the_name_of_the_average_says_what_is_averaged():
    found = doubts("model,Average WER,ami,tedlium\nA,5,4,6\nB,6,7,5\n", warns=True)
    assert found == dict.fromkeys(
        ("ami", "tedlium"), "'Average WER' names the scores: lower_is_better=True"
    )


def test_yes_and_no_among_fractions_may_describe_a_system():
    found = doubts("candy,chocolate,win\nA,1,.5\nB,0,.6\nC,1,.4\nD,0,.2\n")
    assert found == {"chocolate": "it holds only 0 and 1: roles={'chocolate': 'description'}"}
    assert doubts("agent,t1,t2\nA,1,1\nB,0,1\nC,1,0\nD,0,0\n") == {}  # solved or not


def test_the_lowest_score_in_bold_doubts_that_higher_is_better():
    page = "| Method | clean | final | F1 |\n|---|---|---|---|\n| A | 1.9 | **2.1** | **90** |\n"
    page += "| B | **1.0** | 2.3 | 80 |\n| **C** | **4.4** | **5.0** | **70** |\n"
    call = "the file has its lowest score in bold: roles={'clean': 'lower'}"
    assert doubts(page)["clean"] == call
    assert set(doubts(page)) == {"clean", "final"}
    told = doubts(page, roles={"clean": "lower", "final": "lower"})
    assert told == {}


def test_points_among_other_tasks_may_be_their_total():
    text = "athlete,100m,discus,javelin,Points\nA,10.5,48.7,70.5,8893\nB,10.4,50.1,69.7,8820\n"
    found = doubts(text)
    assert found["Points"] == "it may be a total of the others: roles={'Points': 'average'}"
    assert found["100m"] == "lower is often better for races: roles={'100m': 'lower'}"


def test_an_average_with_a_point_in_its_name_tells_the_metric():
    text = "model,Avg. WER,ami,tedlium\nA,6.5,9.1,4.0\nB,7.0,10.1,4.2\n"
    assert set(doubts(text, warns=True)) == {"ami", "tedlium"}


def test_cells_with_a_unit_are_numbers_whose_direction_may_be_doubted():
    board = nbrank.read(b"model,PSNR,load,joint\nA,23.2 dB,5 mm,3 ms\nB,21.9 dB,4 mm,9 us\n")
    assert board.scores.loc["B"].tolist() == [21.9, 4, 9e-6]
    assert board.reading.doubts == {
        "load": "lower is often better for figures in mm: roles={'load': 'lower'}",
        "joint": "lower is often better for times: roles={'joint': 'lower'}",
    }


def test_losses_beside_wins_are_doubted_and_sizes_are_not():
    assert set(doubts("team,GF,GA,W,L\nA,9,4,5,1\nB,7,5,4,2\n")) == {"GA", "L"}
    assert doubts("model,S,M,L\nA,.9,.8,.7\nB,.8,.7,.9\n") == {}


@pytest.mark.parametrize(
    "text",
    [
        "model,mmlu,arc,hellaswag,gsm8k\nA,.61,.52,.81,57\nB,.62,.51,.82,63\nC,.6,.5,.8,41\n",
        "model,Board games,Word games\nA,51,62\nB,48,70\nC,60,55\n",
        "student,maths,physics\nJulia,50,60\nTom,55,58\n",
        "athlete,squat,press\nA,120 kg,90 kg\nB,130 kg,85 kg\n",
        "model,en_us,en_gb,en_au\nA,.9,.8,.7\nB,.8,.9,.6\n",
        "model,acc,Signal-to-noise (dB)\nA,.9,21.5\nB,.8,20.1\n",
        "model,acc,Share not failed\nA,.9,.9\nB,.8,.8\n",
    ],
)
def test_scores_are_not_doubted_for_a_word_or_a_whole_number(text):
    assert doubts(text) == {}
    assert nbrank.read(text.encode()).lower_is_better == ()


def test_a_title_about_some_tasks_states_no_direction_of_others():
    rows = ["System|FID|CLIP|F1", "-|-|-|-", "A|3|4.5|.5", "B|5|9.5|.4"]
    table = "".join(f"|{row}|\n" for row in rows)
    page = f"## Images (for FID lower is better)\n{table}".encode()
    assert nbrank.read(page).lower_is_better == ("FID",)
    page = f"## Distances (lower is better)\n{table}".encode()
    assert nbrank.read(page).lower_is_better == ("FID", "CLIP")


def test_questions_with_numbers_for_names_are_no_averages():
    with pytest.warns(UserWarning, match="the first row is read as names"):
        board = nbrank.read(b"student,1,2,3,4\nA,1,1,1,1\nB,1,1,0,0\nC,1,0,1,0\nD,0,1,0,0\n")
    assert [*map(str, board.tasks)] == ["1", "2", "3", "4"]


def test_rewards_over_episodes_are_scores():
    with pytest.warns(UserWarning, match="not ranked: 'eval_episodes'"):
        board = nbrank.read(b"agent,Return (100 episodes),eval_episodes\nA,9.5,100\nB,8.5,100\n")
    assert [*board.tasks] == ["Return (100 episodes)"]


def test_a_column_of_units_says_what_the_scores_are():
    found = doubts("method,Score,Unit\nA,20.8,ns/op\nB,10.1,us/op\n", warns=True)
    assert found == {
        "Score": "lower is often better for figures in 'ns/op', 'us/op': roles={'Score': 'lower'}"
    }
    assert doubts("method,Score,Unit\nA,20.8,ops/s\nB,10.1,ops/s\n", warns=True) == {}


@pytest.mark.parametrize("head", ["query", "Benchmark"])
def test_queries_and_engines_are_mostly_timed(head):
    text = f"{head},DuckDB,Polars,Spark\nq1,30,31,170\nq2,29,5,29\n"
    with pytest.warns(UserWarning, match="rows are read as tasks"):
        found = nbrank.read(text.encode()).reading.doubts
    why = "such systems are often compared by times: lower_is_better=True"
    assert found == {"q1": why, "q2": why}
    with pytest.warns(UserWarning, match="rows are read as tasks"):
        assert nbrank.read(text.encode(), lower_is_better=True).reading.doubts == {}


def test_a_queries_table_of_speedups_is_of_other_columns():
    text = "query,ours,theirs,ratio\nq1,30 ms,31 ms,1.03x\nq2,29 ms,5 ms,0.17x\n"
    with pytest.warns(UserWarning, match=r"'ratio' \(it compares systems\)|rows are read as tasks"):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["ours", "theirs"]
    assert set(board.reading.doubts) == {"q1", "q2"}


def test_an_unknown_name_among_errors_is_doubted_if_it_falls_as_they_do():
    text = "path,minADE,minFDE,JQX,mAP\nA,.28,.39,.42,.5\nB,.27,.38,.41,.6\nC,.29,.40,.44,.4\n"
    assert doubts(text) == {
        "JQX": "it falls as the errors 'minADE', 'minFDE' do: roles={'JQX': 'lower'}"
    }


def test_a_heading_that_states_a_direction_is_obeyed():
    page = "## Wall clock, lower is better\n| System | a | F1 |\n|---|---|---|\n| A | 3 | 4.5 |\n"
    board = nbrank.read((page + "| B | 5 | 9.5 |\n").encode(), roles={"F1": "higher"})
    assert board.lower_is_better == ("a",)
    assert board.reading.set_index("column").loc["a", "why"] == "the file says so"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("arch,Views,t,u\nA,1,58.3,40.6\nB,4,56.1,39.6\n", "Views"),
        ("player,GP,G,A\nA,82,50,90\nB,74,28,40\nC,68,15,22\n", "GP"),
        ("arch,Images,t,u\nA,1000,58.3,40.6\nB,4000,56.1,39.6\nC,10,50.1,2.1\n", "Images"),
    ],
)
def test_whole_numbers_that_may_count_something_are_doubted(text, column):
    why = f"whole numbers may count something: roles={{{column!r}: 'description'}}"
    assert doubts(text) == {column: why}


def test_whole_numbers_of_a_metric_are_scores():
    assert doubts("arch,Solved,t,u\nA,1,58.3,40.6\nB,4,56.1,39.6\n") == {}
    assert doubts("arch,req/s,t,u\nA,9000,58.3,40.6\nB,4000,56.1,39.6\n") == {}


def test_a_doubt_is_a_fact_and_a_call_each_to_be_had_by_itself():
    board = nbrank.read(b"m,a,b,c,flag\nA,.9,.5,.7,1\nB,.8,.4,.6,0\nC,.7,.3,.5,1\nD,.6,.2,.4,0\n")
    (doubt,) = board.reading.doubts.values()
    assert doubt == "it holds only 0 and 1: roles={'flag': 'description'}"
    facts = {text: fact for text, fact in vars(board.reading)["facts"].items() if text}
    assert facts == {doubt: "it holds only 0 and 1"}
    assert pickle.loads(pickle.dumps(Advice("fact", ": call"))).fact == "fact"


def test_what_a_difference_subtracts_or_stands_against_is_doubted():
    rows = "A,12,9,3\nB,14,15,-1\nC,9,20,-11\nD,11,7,4\nE,20,8,12\n"
    found = doubts(f"team,scored,let in,net\n{rows}", warns=True)
    assert found == {"let in": "a difference in the file subtracts it: roles={'let in': 'lower'}"}
    found = doubts("team,sets_won,sets_lost\nA,12,9\nB,14,15\nC,9,20\n")
    assert found == {"sets_lost": "it may count losses: roles={'sets_lost': 'lower'}"}


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("Higher PESQ = better. Lower QRD = better.", ["QRD"]),
        ("All runs on one machine; lower is better.", ["STOI", "QRD"]),
        ("Lower is better.", ["STOI", "QRD"]),
        ("(score = swaps + 0.5 x depth, lower is better)", ["STOI", "QRD"]),
        ("QRD is explained below.", []),
    ],
)
def test_the_text_above_a_table_raises_doubts(text, tasks):
    page = f"{text}\n\n| method | PESQ ↑ | STOI | QRD |\n|---|---|---|---|\n"
    page += "| A | 1.9 | .82 | 2.5 |\n| B | 2.4 | .85 | 1.9 |\n"
    assert list(doubts(page)) == tasks


def test_a_name_of_an_error_in_a_title_says_nothing_of_accuracies(tmp_path):
    path = tmp_path / "latency_long.csv"
    path.write_text("model,dataset,accuracy\nA,x,.5\nA,y,.4\nB,x,.6\nB,y,.3\n", encoding="utf-8")
    assert nbrank.read(path).reading.doubts == {}


def test_a_row_mostly_in_bold_does_not_say_which_scores_are_best():
    page = "| model | AUC | NPV |\n|---|---|---|\n| A | .9 | .8 |\n| **B** | **.7** | .9 |\n"
    assert doubts(page) == {}


def test_whole_numbers_among_shares_may_count_something():
    found = doubts("model,k,auc,acc,ppv\nA,25,.9,.8,.7\nB,14,.8,.7,.75\nC,15,.7,.6,.6\n")
    assert found == {"k": "whole numbers may count something: roles={'k': 'description'}"}


def test_units_of_a_long_table_raise_doubts_and_a_doubted_task_can_be_left_out():
    text = "model,task,score\nA,load,12 ms\nA,save,30 ms\nB,load,14 ms\nB,save,20 ms\n"
    call = "lower is often better for times: lower_is_better=True"
    assert doubts(text)["load"] == call
    board = nbrank.read(text.encode(), roles={"save": "description", "load": "lower"})
    assert board.tasks.tolist() == ["load"]
    assert dict(zip(board.reading["column"], board.reading["role"], strict=True))["save"] == (
        "description"
    )
    with pytest.raises(ValueError, match="unknown column"):
        nbrank.read(text.encode(), roles={"safe": "description"})


def test_units_and_settings_at_the_end_of_a_name_are_seen():
    found = doubts("engine,Build s,Cost at 0.5,docs/s\nA,3,2,50\nB,4,5,70\nC,1,2,80\n")
    assert set(found) == {"Build s", "Cost at 0.5"}


def test_a_single_error_tells_of_columns_that_follow_it_or_end_as_it_does():
    rows = "A,12,7,19,3\nB,8,5,16,9\nC,6,3,11,1\nD,4,2,12,2\nE,3,1,9,8\nF,2,.5,8,4\n"
    found = doubts(f"system,DER,miss,DAR,kept\n{rows}")
    assert found == {
        "miss": "it falls as the errors 'DER' do: roles={'miss': 'lower'}",
        "DAR": "its name is nearly 'DER': roles={'DAR': 'lower'}",
    }


def test_a_trade_off_of_few_systems_is_not_doubted():
    assert doubts("system,WER,MOS,img/s\nA,5,3,10\nB,6,3.5,20\nC,7,3.8,30\nD,9,4.1,40\n") == {}


@pytest.mark.parametrize(
    "note",
    ["Larger models have better WER.", "Our smaller model is better on MMLU than its teacher.",
     "Higher is better except for WER.", "Lower latency with better quality: MMLU"],
)  # fmt: skip
def test_prose_about_what_is_better_turns_nothing(note):
    text = f"{note}\n\n| model | MMLU | WER |\n|---|---|---|\n| A | 60 | 5 |\n| B | 70 | 4 |\n"
    assert not nbrank.read(text.encode()).reading["doubt"].any()


def test_multiples_are_doubted_where_the_name_turns_and_costs_below_zero_are_not():
    found = doubts("model,RTF,acc\nA,14.9x,.5\nB,11.3x,.6\nC,10.8x,.7\n")
    assert found == {"RTF": "multiples are often better the higher: roles={'RTF': 'higher'}"}
    found = doubts("fund,max drawdown,cost\nA,-20,3\nB,-10,2\n")
    assert set(found) == {"cost"}


def test_natural_languages_in_rows_are_doubted_and_those_of_programs_are_not():
    table = "language,BLEU,accuracy\nSpanish,82,.8\nFrench,83,.9\n"
    assert set(doubts(table)) == {"language"}
    assert doubts(table.replace("Spanish", "Python")) == {}


def test_a_criterion_called_support_is_a_task_unless_it_counts():
    text = "tool,support,price\nA,3.5,3\nB,4.5,2\n"
    assert nbrank.read(text.replace("price", "docs").encode()).tasks.tolist() == ["support", "docs"]


LETTERS = "ABCDEFGH"


def rows(*columns):
    return "".join(f"{name},{','.join(map(str, row))}\n" for name, row in
                   zip(LETTERS, zip(*columns, strict=True), strict=False))  # fmt: skip


@pytest.mark.parametrize(("name", "ranks"), [("Avg. rank", [1.2, 2.1, 2.7]), ("#", [1, 2, 3])])
def test_ranks_of_few_rows_doubt_scores_in_the_reverse_order(name, ranks):
    found = doubts(f"m,{name},lag\n{rows(ranks, [0.8, 1.6, 5.3])}", warns=True)
    why = f"those with a better {name!r} are worse on it: roles={{'lag': 'lower'}}"
    assert found == {"lag": why}


def test_a_rank_of_the_file_outweighs_its_bold_cells():
    page = "|m|Rank|t|\n|-|-|-|\n|A|1|.9|\n|B|2|.8|\n|C|3|**.7**|\n"
    assert doubts(page, warns=True) == {}


def test_bold_cells_of_the_first_rank_count():
    rows_of_page = "|A|1|**.98**|**.03**|\n|B|4|.97|.05|\n|C|8|.96|.06|\n"
    found = doubts(f"|m|Rank|composite|spectra|\n|-|-|-|-|\n{rows_of_page}", warns=True)
    assert set(found) == {"spectra"}


@pytest.mark.parametrize("metric", ["WRMSSE", "sMAPE", "MASE"])
def test_the_average_of_errors_says_what_it_averages(metric):
    table = rows([0.2, 0.3, 0.4], [0.3, 0.5, 0.6], [0.25, 0.4, 0.5])
    found = doubts(f"team,Level 1,Level 2,Average {metric}\n{table}", warns=True)
    assert set(found) == {"Level 1", "Level 2"}


def test_names_in_another_language_are_doubted_unless_the_metric_is_known():
    text = "Verfahren;Fehlerrate;F1-Score;R²\nSVM;3,21;12;1\nkNN;4,80;3;2\n"
    assert set(doubts(text)) == {"Fehlerrate"}
    assert set(doubts("model,误检率,F1\nA,1,2\nB,2,1\n")) == {"误检率"}
    assert doubts("model;maths\nA;3,21\nB;4,80\n") == {}
    german = "Verfahren;Genauigkeit;Güte\nA;0,97;3,5\nB;0,91;4,5\nC;0,88;2,5\n"
    assert [*doubts(german)] == ["Güte"]
    chinese = "模型,准确率,评分,Robustness\nA,86.5,3.5,81\nB,84.2,4.5,82\nC,82.9,2.5,85\n"
    # A name in Latin letters is not Chinese.
    assert [*doubts(chinese)] == ["评分"]


@pytest.mark.parametrize("name", ["kWh/year", "TDP (W)", "VRAM (GB)"])
def test_energy_power_and_memory_are_doubted_by_the_unit(name):
    assert set(doubts(f"m,acc,{name}\nA,.5,110\nB,.6,120\n")) in ({name}, set())
    assert not nbrank.read(f"m,acc,{name}\nA,.5,110\nB,.6,120\n".encode()).tasks.empty


def test_the_mean_of_all_others_is_doubted_where_few_rows_prove_nothing():
    table = rows([71, 70, 74], [69, 66, 76], [70, 68, 75], [70, 68, 75])
    found = doubts(f"model,en,de,fr,HF-score\n{table}".replace("75,75", "72,74"))
    assert found == {"HF-score": "it is the mean of the others: roles={'HF-score': 'average'}"}


def test_the_parts_of_an_error_are_doubted():
    table = rows([10, 8, 15], [4, 3, 6], [3, 2.5, 5], [3, 2.5, 4])
    found = doubts(f"system,DER,MISS,FA,CONF\n{table}")
    call = "roles={'MISS': 'lower', 'FA': 'lower', 'CONF': 'lower'}"
    assert found == dict.fromkeys(("MISS", "FA", "CONF"), f"it is a part of 'DER': {call}")
    beside = rows([10, 8, 15], [6, 5, 9], [4, 3, 6], [81, 90, 77])
    assert set(doubts(f"system,WER,Sub,Del,kept\n{beside}")) == {"Sub", "Del"}


def test_a_row_of_nines_may_mark_a_missing_score():
    found = doubts("m,t,u\nA,4.5,1\nB,9999,2\nC,7,3\n")
    assert found == {"t": "9999 may mark a missing score: na='9999'"}


def test_an_acronym_in_prose_counts_in_capitals():
    page = "**Zusammenfassung der Modelle**\n\n|model|t|\n|-|-|\n|A|.9|\n|B|.8|\n"
    assert doubts(page) == {}
    assert set(doubts(page.replace("der", "DER"))) == {"t"}


def test_places_by_judges_are_doubted_in_few_rows():
    table = rows([2, 3, 1], [2, 1, 3], [2, 3, 1], [2, 3, 1], [1, 3, 2])
    with pytest.warns(UserWarning, match="places, where 1 is best"):
        assert len(doubts(f"skater,J1,J2,J3,J4,J5\n{table}")) == 5


@pytest.mark.parametrize("numbers", [[3, 1, 4, 2], [2018, 2021, 2019, 2024]])
def test_places_and_years_beside_fractions_are_doubted_whatever_their_name(numbers):
    found = doubts(f"model,x,t,u\n{rows(numbers, [0.5, 0.6, 0.7, 0.8], [1.5, 1.2, 1.9, 1.1])}")
    why = "whole numbers may count something: roles={'x': 'description'}"
    assert found == {"x": why}


def test_places_are_doubted_beside_more_whole_numbers_than_fractions():
    found = doubts(
        f"model,x,t,u\n{rows([3, 1, 4, 2], [2100, 2400, 2200, 2300], [0.5, 0.6, 0.7, 0.8])}"
    )
    assert "x" in found


@pytest.mark.parametrize(
    ("numbers", "is_doubted"),
    [([120, 98, 143, 77], True), ([4, 5, 3, 4], False), ([88, 62, 70, 91], False)],
)
def test_whole_numbers_of_another_size_than_the_fractions_may_count(numbers, is_doubted):
    found = doubts(
        f"vendor,ease,help,x\n{rows([4.2, 4.5, 3.7, 4.0], [3.9, 3.4, 4.4, 4.1], numbers)}"
    )
    assert set(found) == ({"x"} if is_doubted else set())


def test_what_counts_some_of_a_number_that_differs_is_doubted():
    with pytest.warns(UserWarning, match="set aside"):
        found = doubts("m,correct,total,f1\nA,80,100,.7\nB,75,95,.8\nC,90,120,.6\n")
    assert found == {
        "correct": "it counts some of 'total', which differs: roles={'correct': 'description'}"
    }
    with pytest.warns(UserWarning, match="set aside"):
        assert doubts("m,correct,total,f1\nA,80,120,.7\nB,75,120,.8\nC,90,120,.6\n") == {}


def test_scores_without_a_known_name_on_scales_of_their_own_may_be_errors():
    table = rows([4.938, 4.191, 3.499], [1.929, 1.702, 1.694], [1.379, 1.091, 1.118])
    found = doubts(f"model,yearly,quarterly,monthly\n{table}")
    fact = "nothing says that higher is better, and scales differ, as those of errors do"
    assert found == dict.fromkeys(
        ("yearly", "quarterly", "monthly"), f"{fact}: lower_is_better=True"
    )
    ratings = rows([4.9, 4.2, 3.5], [4.1, 4.7, 3.9], [4.4, 4.1, 4.1])
    assert doubts(f"model,yearly,quarterly,monthly\n{ratings}") == {}


def test_brackets_in_the_text_above_may_name_the_scores():
    page = "Trained for seeds 1 and 2 (test perplexity).\n\n|m|a|b|\n|-|-|-|\n|A|9.5|8|\n|B|8|9|\n"
    assert set(doubts(page)) == {"a", "b"}
    assert doubts(page.replace("test perplexity", "test set")) == {}


@pytest.mark.parametrize(
    ("name", "direction"), [("mATE", "lower"), ("Misassemblies", "lower"), ("Missions", "higher")]
)
def test_mean_errors_in_capitals_and_what_begins_with_mis_are_errors(name, direction):
    reading = nbrank.read(f"m,mAP,{name}\nA,.4,.5\nB,.5,.4\n".encode()).reading
    assert list(reading["direction"])[-1] == direction


def test_the_unit_of_the_cells_is_one_of_the_name():
    board = nbrank.read(b"| m | Time |\n|---|---|\n| A | 0.12s |\n| B | 1.8s |\n")
    assert board.reading.directed[0].why == "its name and the unit of its cells"
    assert list(board.lower_is_better) == ["Time"]


def test_of_two_reciprocals_one_is_better_the_lower():
    table = rows([1.524, 1.652, 2.464, 2.601], [11.38, 10.50, 7.04, 6.66], [0.72, 0.61, 0.36, 0.4])
    with pytest.warns(UserWarning, match="set aside"):
        found = doubts(f"tokenizer,fertility,bytes,kept\n{table}")
    fact = "'bytes' is its reciprocal, and lower is better on one of them"
    assert found == {"fertility": f"{fact}: roles={{'fertility': 'lower'}}"}


def test_grades_in_thirds_are_doubted():
    table = rows([1.3, 2.3, 4.0], [2.0, 3.0, 3.7])
    call = "lower_is_better=True"
    fact = "it may hold grades, where 1 is best"
    assert doubts(f"name,x,y\n{table}") == {"x": f"{fact}: {call}", "y": f"{fact}: {call}"}
    assert doubts(f"name,x,y\n{table.replace('1.3', '1.5')}") == {}


def test_a_ratio_in_multiples_is_not_doubted():
    assert doubts("| m | S ratio |\n|---|---|\n| A | 6.4x |\n| B | 4.1x |\n") == {}
    assert set(doubts("| m | S ratio |\n|---|---|\n| A | 0.64 |\n| B | 4.1 |\n")) == {"S ratio"}


def test_a_bare_ratio_of_sizes_is_not_doubted_and_one_in_per_cent_is():
    rows = "codec,ratio,MB/s\nA,{},563\nB,{},534\nC,{},1388\n"
    assert "ratio" not in doubts(rows.format(5.9, 7.1, 6.3))
    assert "ratio" in doubts(rows.format(31.0, 28.5, 40.2))


def test_a_file_named_after_a_column_says_nothing_of_the_others(tmp_path):
    file = tmp_path / "misroute.csv"
    file.write_text("policy,misroute %,usable,hits\nA,20,8.0,1\nB,0,3.6,2\nC,1,7.2,4\n")
    assert nbrank.read(file).reading.doubts == {}


def test_years_beside_large_amounts_are_doubted():
    table = rows([2018, 2021, 2019, 2024], [350.5, 1960.2, 2100.7, 880.1], [5.5, 6.5, 7.5, 6.1])
    assert "x" in doubts(f"model,x,t,u\n{table}")


def test_the_doubts_of_tasks_in_rows_stand_beside_the_column_that_names_them():
    page = "|Task|DuckDB|Polars|\n|-|-|-|\n|q1|9.1ms|4.9ms|\n|q2|10.5ms|7.0ms|\n"
    with pytest.warns(UserWarning, match="rows are read as tasks"):
        board = nbrank.read(page.encode())
    doubt = board.reading.set_index("column").loc["Task", "doubt"]
    assert doubt == "lower is often better for times: lower_is_better=True"
    assert list(board.reading.doubts) == ["q1", "q2"]
    with pytest.warns(UserWarning, match="rows are read as tasks"):
        board = nbrank.read(page.replace("DuckDB", "A").replace("9.1ms|4.9ms", "9.1|4.9").encode())
    doubt = board.reading.set_index("column").loc["Task", "doubt"]
    assert doubt == "'q2': lower is often better for times: roles={'q2': 'lower'}"


def test_the_means_of_instances_are_doubted_as_other_scores_are():
    rows = "A,x,2,7\nA,y,3,7\nB,x,1,7\nB,y,2,7\nC,x,1,7\nC,y,1,7\n"
    board = nbrank.read(f"model,item,acc,judges\n{rows}".encode())
    assert board.reading.doubts == {
        "judges": "it is the same for all: roles={'judges': 'description'}"
    }


@pytest.mark.parametrize(
    ("name", "numbers", "fact"),
    [
        ("dose", [0.1, 0.5, 1, 5, 10, 0.1, 2, 5], "its numbers are round, as those of settings"),
        ("scale", [0.5, 1, 0.25, 2, 4, 0.5, 2, 4], "its numbers are round, as those of settings"),
        ("best_thr", [0.3, 0.45, 0.5, 0.3, 0.4, 0.35, 0.5, 0.5], "its numbers have fewer digits"),
        ("best_F1_conf", [0.3, 0.45, 0.5, 0.3, 0.4, 0.35, 0.5, 0.5], "its numbers have fewer"),
        ("margin", [0.3137, 0.4592, 0.5213, 0.31, 0.4178, 0.3541, 0.52, 0.5999], None),
        ("MMLU", [0.3, 0.45, 0.5, 0.3, 0.4, 0.35, 0.5, 0.5], None),
    ],
)
def test_numbers_of_settings_beside_those_of_measurements_are_doubted(name, numbers, fact):
    f1 = [0.8112, 0.7345, 0.6899, 0.7123, 0.8231, 0.7707, 0.6513, 0.7419]
    found = doubts(f"model,F1,law,{name}\n{rows(f1, f1[::-1][1:] + f1[:1], numbers)}")
    assert set(found) == ({name} if fact else set())
    assert not fact or found[name].startswith(fact)


def test_what_is_the_same_within_families_of_systems_is_doubted():
    heads = "model,maths,law,blocks\n"
    names = ["A", "A v2", "B", "B v2", "C", "C v2"]
    cells = [(61.3, 70.1, 7.5), (64.9, 71.3, 7.5), (58.2, 66.6, 3.5), (59.9, 68.1, 3.5),
             (71.1, 75.2, 9.5), (73.3, 74.8, 9.5)]  # fmt: skip
    text = heads + "".join(
        f"{name},{a},{b},{c}\n" for name, (a, b, c) in zip(names, cells, strict=True)
    )
    fact = "it is the same within families of systems"
    assert doubts(text) == {"blocks": f"{fact}: roles={{'blocks': 'description'}}"}
    assert doubts(text.replace("A v2", "D").replace("B v2", "E")) == {}
