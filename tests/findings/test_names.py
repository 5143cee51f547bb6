"""Labels as texts: no two alike, in brief, and in sentences."""

from nbrank import charts
from nbrank.charts.axes import kept_apart, lanes, whole_ticks
from nbrank.findings.names import (
    Names,
    in_brief,
    in_names,
    in_percent,
    in_words,
    listed,
    span,
    verb,
)


def test_names_are_never_alike(alike):
    names = charts.names_of(alike.index)
    assert len(set(names)) == len(alike)
    assert names[4:6] == ["several systems", "nobody"]
    assert charts.names_of(["A", ("B", 2)]) == ["A", "B / 2"]


LONG = [
    f"organisation-{i % 3}/a-family-of-models-{i}-tuned-on-everything-seed-0" for i in range(90)
]


def test_long_names_are_written_in_brief_and_still_differ():
    for names in (
        LONG,
        ["x" * n for n in range(30, 90)],
        ["ab" * 40 + c + "ba" * 40 for c in "ab"],
    ):
        brief = in_brief(names)
        assert len(set(brief)) == len(names)
        assert max(map(len, brief)) <= 34
    middle = in_brief(LONG)[15]
    assert middle.startswith("organi")
    assert "models-15-tuned" in middle
    assert in_brief(["short", LONG[0]])[0] == "short"


def test_no_number_of_a_name_is_cut_in_two():
    assert in_brief(["Qwen2.5-72B-Instruct"], 18) == ["Qwen2.5-…Instruct"]
    assert in_brief(["Llama-3.1-405B-Instruct"], 17) == ["Llama-…Instruct"]
    assert in_brief(["a model of 2024-05-13"], 14) == ["a model…-05-13"]
    # All of it is a number, or what is left of it would be nothing.
    assert in_brief(["1" * 20, "a" + "1" * 20], 10) == ["11111…1111", "a…1111"]


def test_a_list_in_a_sentence_is_cut_short_and_counts_the_rest():
    assert listed([]) == ""
    assert listed(["A"]) == "A"
    assert listed([("g", 1), "B"]) == "g / 1 and B"
    assert listed("ABCD", most=2) == "A, B and 2 more"


def test_words_and_numbers_are_written_as_one_says_them():
    assert in_words("mean_win_rate") == "mean win rate"


def test_a_rule_called_after_its_inventors_has_their_capitals():
    assert in_words("borda") == "Borda"
    assert in_words("bradley_terry") == "Bradley-Terry"
    assert in_words("mean") == "mean"
    assert in_words("a rule of one's own") == "a rule of one's own"
    said = "Elo is below borda; call nbrank.borda(scores), copeland(scores) or rank.kemeny"
    expected = "Elo is below Borda; call nbrank.borda(scores), copeland(scores) or rank.kemeny"
    assert in_names(said, {}) == expected
    assert [verb("is", 1), verb("is", 2), verb("wins", 2)] == ["is", "are", "win"]
    assert [span(1, 3), span(2, 2)] == ["1 to 3", "2"]
    assert [in_percent(1 / 3), in_percent(0.95)] == ["33.3 %", "95 %"]


def test_a_text_finds_the_names_that_hold_it_and_a_whole_name_itself():
    assert Names.of(["GPT-4", "gpt-4o", "Yi"]).holding("gpt") == ["GPT-4", "gpt-4o"]
    assert Names.of(["A", "a1"]).holding("a") == ["A"]


def test_what_stands_on_an_axis_does_not_collide():
    assert whole_ticks(0.5, 3.5) == [1, 2, 3]
    assert whole_ticks(0.5, 105.5) == [1, *range(10, 110, 10)]
    assert lanes([(0, 2), (1, 3), (4, 5)], 1) == [0, 1, 0]
    assert kept_apart([1, 1, 4, 10], 1, 10) == [1, 2, 4, 10]
    assert kept_apart([8, 9, 10], 2, 10) == [6, 8, 10]
