"""Labels as texts: no two alike, in brief, and in sentences."""

import numpy as np
import pandas as pd

import nbrank
from nbrank import charts
from nbrank.charts.axes import assign_lanes, spread_labels, whole_ticks
from nbrank.findings.labels import (
    DisplayNames,
    abbreviate_labels,
    agree_verb,
    display_message,
    format_percent,
    format_range,
    join_labels,
    rule_title,
)


def test_names_are_never_alike(alike):
    names = charts.unique_label_texts(alike.index)
    assert len(set(names)) == len(alike)
    assert names[4:6] == ["several systems", "'nobody'"]
    assert charts.unique_label_texts(["A", ("B", 2)]) == ["A", "B / 2"]


LONG = [
    f"organisation-{i % 3}/a-family-of-models-{i}-tuned-on-everything-seed-0" for i in range(90)
]


def test_long_names_are_written_in_brief_and_still_differ():
    for names in (
        LONG,
        ["x" * n for n in range(30, 90)],
        ["ab" * 40 + c + "ba" * 40 for c in "ab"],
    ):
        brief = abbreviate_labels(names)
        assert len(set(brief)) == len(names)
        assert max(map(len, brief)) <= 34
    middle = abbreviate_labels(LONG)[15]
    assert middle.startswith("organi")
    assert "models-15-tuned" in middle
    assert abbreviate_labels(["short", LONG[0]])[0] == "short"


def test_no_number_of_a_name_is_cut_in_two():
    assert abbreviate_labels(["Qwen2.5-72B-Instruct"], 18) == ["Qwen2.5-72B-Instr…"]
    assert abbreviate_labels(["Llama-3.1-405B-Instruct"], 12) == ["Llama-3.1-…"]
    assert abbreviate_labels(["a model of 2024-05-13"], 14) == ["a model of…"]
    # All of it is a number, or what is left of it would be nothing.
    assert abbreviate_labels(["1" * 20, "a" + "1" * 20], 10) == ["111111111…", "a…"]


def test_a_parenthesis_at_the_end_goes_first():
    assert abbreviate_labels(["T5 + UDG, Single Model (Google Brain)"], 30) == [
        "T5 + UDG, Single Model …"
    ]


def test_a_list_in_a_sentence_is_cut_short_and_counts_the_rest():
    assert join_labels([]) == ""
    assert join_labels(["A"]) == "A"
    assert join_labels([("g", 1), "B"]) == "g / 1 and B"
    assert join_labels("ABCD", max_items=2) == "A, B and 2 more"


def test_words_and_numbers_are_written_as_one_says_them():
    assert rule_title("mean_win_rate") == "mean win rate"


def test_a_rule_called_after_its_inventors_has_their_capitals():
    assert rule_title("borda") == "Borda"
    assert rule_title("bradley_terry") == "Bradley-Terry"
    assert rule_title("mean") == "mean"
    assert rule_title("a rule of one's own") == "a rule of one's own"
    said = "Elo is below borda; call nbrank.borda(scores), copeland(scores) or rank.kemeny"
    expected = "Elo is below Borda; call nbrank.borda(scores), copeland(scores) or rank.kemeny"
    assert display_message(said, {}) == expected
    assert [agree_verb("is", 1), agree_verb("is", 2), agree_verb("wins", 2)] == ["is", "are", "win"]
    assert [format_range(1, 3), format_range(2, 2)] == ["1 to 3", "2"]
    assert [format_percent(1 / 3), format_percent(0.95)] == ["33.3 %", "95 %"]


def test_a_text_finds_the_names_that_hold_it_and_a_whole_name_itself():
    assert DisplayNames.from_labels(["GPT-4", "gpt-4o", "Yi"]).search("gpt") == ["GPT-4", "gpt-4o"]
    assert DisplayNames.from_labels(["A", "a1"]).search("a") == ["A"]


def test_what_stands_on_an_axis_does_not_collide():
    assert whole_ticks(0.5, 3.5) == [1, 2, 3]
    assert whole_ticks(0.5, 105.5) == [1, *range(10, 110, 10)]
    assert assign_lanes([(0, 2), (1, 3), (4, 5)], 1) == [0, 1, 0]
    assert spread_labels([1, 1, 4, 10], 1, 10) == [1, 2, 4, 10]
    assert spread_labels([8, 9, 10], 2, 10) == [6, 8, 10]


def test_a_label_keeps_its_small_letter_at_the_start_of_a_sentence():
    scores = pd.DataFrame(
        {"t1": [3.0, 2, np.nan], "t2": [1.0, 4, np.nan]}, index=["b", "c", "geneformer"]
    )
    page = nbrank.report(scores, rules=["borda", "mean"])
    assert "geneformer is left out" in repr(page)
    assert "Geneformer" not in repr(page)
