"""Each piece of evidence that a column is no task, by its name, its cells, and those beside it."""

import re

import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables import column_evidence as evidence
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.redundant_columns import is_average_by_name


def column(name, *cells):
    values = pd.Series(list(cells) or [60.5, 71.25, 68.0], dtype=object)
    return Column(name, values, parse_column(values))


ACC = column("acc")

EXPECTED = [
    (evidence.has_words_only, column("note", "x", "y"), "description", "words"),
    (evidence.has_words_only, column("size", "7B", "13B"), "description", "sizes"),
    (evidence.has_words_only, column("open", "yes", "no"), "description", "yes or no"),
    (evidence.has_words_only, column("t", "0,85", "0,9"), None, None),
    (evidence.is_error_of_task, column("acc_stderr"), "error", "standard errors"),
    (evidence.is_error_of_task, column("std_acc"), "error", "standard errors"),
    (evidence.is_error_of_task, column("f1_stderr"), None, None),
    (evidence.is_error_of_task, column("acc error"), None, None),
    (evidence.is_bound, column("acc_q025"), "low", "the low end of an interval of 'acc'"),
    (evidence.is_bound, column("acc CI upper"), "high", "the high end of an interval of 'acc'"),
    (evidence.is_bound, column("low-resource QA"), None, None),
    (evidence.says_more_of_task, column("acc rank"), "description", "it says more of 'acc'"),
    (evidence.is_error_without_task, column("Bootstrap_standard_error_x"), "error", "standard"),
    (evidence.is_error_without_task, column("TwitterSemEval"), None, None),
    (evidence.describes_by_name, column("Model size (B)"), "description", "its name"),
    (evidence.describes_by_name, column("date_understanding"), None, None),
    (evidence.describes_by_name, column("POS", 85.93, 90.15), None, None),
    (evidence.describes_by_name, column("Pos", 1, 2), "description", "its name"),
    (evidence.describes_within_name, column("num_students", 1, 2), "description", "its name"),
    (evidence.describes_within_name, column("act_param"), "description", "its name"),
    (evidence.describes_within_name, column("playin_flag", 0, 1), "description", "its name"),
    (evidence.describes_within_name, column("num_students", 1.5, 2), None, None),
    (evidence.describes_within_name, column("error count", 1, 2), None, None),
    (evidence.is_date, column("Year founded", 1999, 2004), "description", "years"),
    (evidence.is_date, column("year score", 12, 2004), None, None),
    (evidence.describes_within_name, column("lr"), "description", "its name"),
    (evidence.describes_within_name, column("fit_order", 1, 2, 3), "description", "its name"),
    (evidence.describes_within_name, column("word order", 61.5, 70, 81), None, None),
    (evidence.describes_within_name, column("team_id", 12, 7), "description", "its name"),
    (evidence.describes_within_name, column("holm_adjusted_p"), "description", "its name"),
    (evidence.describes_within_name, column("fisher_p_vs_E0"), "description", "its name"),
    (evidence.describes_within_name, column("cohen_d_vs_E0"), "description", "its name"),
    (evidence.describes_within_name, column("p_used_vs_E0"), "description", "its name"),
    (evidence.describes_within_name, column("diff_vs_E0_pp"), "description", "its name"),
    (evidence.describes_within_name, column("MUC P"), None, None),
    (evidence.names_rows, column("x", "4d370c29a7", "b917f2d80a"), "description", "identifiers"),
    (evidence.is_rank_of_others, column("world_rank", "1", "=39"), "description", "places"),
    (evidence.is_rank_of_others, column("General Rank (OWA)", 1, 2), "description", "places"),
    (evidence.is_rank_of_others, column("RankQA"), None, None),
]


@pytest.mark.parametrize(("look", "seen", "role", "why"), EXPECTED)
def test_a_piece_of_evidence(look, seen, role, why):
    found = look(seen, [ACC])
    assert (found and found.role) == role
    assert found is None or found.why.startswith(why)


@pytest.mark.parametrize(
    ("name", "cells", "is_average"),
    [
        ("Average", (0, 0, 0), True),
        ("total_score", (9, 9, 9), True),
        ("Average_Spearman", (0.52, 0.5, 0.4), True),
        ("avg_ndcg@10", (0.9, 0.9, 0.9), False),
        ("average_precision", (0.52, 0.5, 0.4), False),
        ("mean iou", (0.52, 0.5, 0.4), False),
        ("total_deductions", (0.52, 0.5, 0.4), False),
        ("worst", (0.52, 0.45, 0.36), True),
        ("worst", (0.52, 0.45, 0.35), False),
    ],
)
def test_an_average_is_known_by_its_name_and_by_lying_between(name, cells, is_average):
    others = [column("a", 0.52, 0.51, 0.45), column("b", 0.53, 0.45, 0.36)]
    found = is_average_by_name(column(name, *cells), others)
    assert (found is not None) == is_average


def test_the_first_evidence_decides():
    assert evidence.find_evidence(column("acc_stderr", "x"), [ACC]).role == "error"
    assert evidence.find_evidence(column("maths"), [ACC]) is None


def test_hashes_are_identifiers_although_some_of_them_are_numbers():
    assert evidence.names_rows(column("version", "-", "9a54b6", "217e11"), [ACC]) is not None
    assert evidence.names_rows(column("t", "217e11", "314e12"), [ACC]) is None


@pytest.mark.parametrize("mark", ["±", "+/-", "± SD"])
def test_a_mark_of_errors_alone_is_of_the_column_before_it(mark):
    with pytest.warns(UserWarning, match="standard errors"):
        board = nbrank.read(f"m,Elo,{mark},f1,{mark}\nA,14,3,.5,.1\nB,9,4,.6,.2\n".encode())
    assert [*board.tasks] == ["Elo", "f1"]
    assert board.errors.loc["B"].tolist() == [4, 0.2]


def test_the_mean_of_folds_is_an_average_and_that_of_statistics_a_score():
    text = b"m,fold1,fold2,mean,std\nA,.81,.79,.8,.01\nB,.84,.83,.835,.005\nC,.5,.6,.55,.05\n"
    with pytest.warns(UserWarning, match="'mean'"):
        assert [*nbrank.read(text).tasks] == ["fold1", "fold2"]
    text = b"family,n,geomean,median,min,max\nL1,7,16.3,4,2,412\nL3,7,9.7,2.5,1.8,303\n"
    with pytest.warns(UserWarning, match="of the same runs as 'geomean'"):
        assert [*nbrank.read(text).tasks] == ["geomean"]


@pytest.mark.parametrize(
    ("name", "rest"),
    [("Avg Steps", "rate"), ("a#", "queries/s"), ("number of seeds", "acc")],
)
def test_means_and_numbers_of_what_describes_describe(name, rest):
    with pytest.warns(UserWarning, match=re.escape(repr(name))):
        board = nbrank.read(f"m,{rest},{name}\nA,.5,8\nB,.6,4\n".encode())
    assert [*board.tasks] == [rest]


def test_an_average_is_between_columns_of_its_scale():
    text = b"m,conversion,visitors,avg_order_value\nA,.05,10234,35.2\nB,.06,9876,36.1\n"
    assert "avg_order_value" in nbrank.read(text).tasks


def test_percentiles_of_a_time_are_no_ends_of_an_interval():
    board = nbrank.read(b"m,p95,p99\nA,94.89 ms,120.1 ms\nB,90.2 ms,110.4 ms\n")
    assert list(board.tasks) == ["p95", "p99"]
    assert board.is_lower_better.all()


def test_bounds_share_the_beginning_of_the_name_of_their_score():
    text = "arm,hit_pct,hit_lo,hit_hi\nA,91.3,89.0,93.2\nB,94.1,89.3,96.8\nC,66.3,59.9,71.8\n"
    with pytest.warns(UserWarning, match="set aside"):
        reading = nbrank.read(text.encode()).reading
    assert list(reading["role"]) == ["system", "task", "low", "high"]


def test_seconds_since_1970_are_dates_and_a_signed_mark_is_no_error():
    text = "team,won,+/-,last\nA,9,8,1594679211\nB,8,2,1594642838\nC,7,-1,1594491890\n"
    with pytest.warns(UserWarning, match="set aside"):
        reading = nbrank.read(text.encode()).reading.set_index("column")
    assert reading.loc["last", "why"] == "dates"
    assert reading.loc["+/-", "role"] == "task"


def test_a_total_with_an_arrow_is_a_total():
    assert roles_of("model,WER a ↓,WER b ↓,Total ↓\nA,1,2,9\nB,2,3,8\n")["Total ↓"] == "average"


def roles_of(text):
    with pytest.warns(UserWarning, match="set aside"):
        reading = nbrank.read(text.encode()).reading
    return dict(zip(reading["column"], reading["role"], strict=True))


def test_large_round_numbers_are_no_dates():
    rows = "A,1100000000,.5\nB,1300000000,.6\nC,2000000000,.7\n"
    reading = nbrank.read(f"model,revenue,t\n{rows}".encode()).reading
    assert reading["why"].ne("dates").all()


def test_where_most_are_called_means_none_is_the_average_of_the_others():
    names = ["avg_accuracy", "avg_precision", "avg_f1"]
    first, *rest = (column(name, 0.5, 0.6 + at / 9) for at, name in enumerate(names))
    assert is_average_by_name(first, rest) is None
    parts = [*rest, column("accuracy_en", 0.5, 0.7), column("accuracy_fr", 0.5, 0.5)]
    assert is_average_by_name(first, parts).role == "average"


def test_a_column_against_another_system_describes_beside_the_scores():
    versus = column("vs Whisper", -0.8, -0.5)
    assert evidence.describes_within_name(versus, [ACC]).why == "its name"
    assert evidence.describes_within_name(versus, [column("vs GPT", 0.1, 0.2)]) is None


def test_truth_values_that_are_the_same_on_all_instances_describe_systems():
    rows = [f"{who},{item},{solved},{who == 'B'}" for who in "ABC"
            for item, solved in (("x", who != "A"), ("y", who == "C"))]  # fmt: skip
    text = "\n".join(["model,item,solved,open", *rows])
    with pytest.warns(UserWarning, match="'open' .yes or no"):
        board = nbrank.read(text.encode())
    assert board.tasks.tolist() == ["solved"]
    # One of two systems may solve all.
    of_two = nbrank.read("\n".join(text.split("\n")[:-2]).encode())
    assert of_two.tasks.tolist() == ["solved", "open"]


def test_a_bare_error_after_a_rating_is_the_error_of_the_rating():
    numbers = {"elo": [703.8, 692.0, 318.1], "error": [54.7, 54.4, 46.4], "score": [0.8, 0.7, 0.3]}
    with pytest.warns(UserWarning, match="'error' .standard errors"):
        board = nbrank.read(pd.DataFrame(numbers, list("ABC")))
    assert board.errors["elo"].tolist() == [54.7, 54.4, 46.4]
    numbers = {"acc": [0.9, 0.8, 0.7], "error": [0.2, 0.1, 0.4], "f1": [0.8, 0.7, 0.3]}
    assert nbrank.read(pd.DataFrame(numbers, list("ABC"))).lower_is_better == ("error",)
