"""Each piece of evidence that a column is no task, by its name, its cells, and those beside it."""

import pandas as pd
import pytest

from nbrank.readers.tables import column_evidence as evidence
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column


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
    found = evidence.is_average_by_name(column(name, *cells), others)
    assert (found is not None) == is_average


def test_the_first_evidence_decides():
    assert evidence.find_evidence(column("acc_stderr", "x"), [ACC]).role == "error"
    assert evidence.find_evidence(column("maths"), [ACC]) is None


def test_hashes_are_identifiers_although_some_of_them_are_numbers():
    assert evidence.names_rows(column("version", "-", "9a54b6", "217e11"), [ACC]) is not None
    assert evidence.names_rows(column("t", "217e11", "314e12"), [ACC]) is None
