"""How wide text is in Arial, and where it is broken."""

import pytest

from nbrank.charts.text_metrics import cut_text, text_width, wrap_alike, wrap_name, wrap_words


def test_letters_have_the_widths_of_arial():
    # From Liberation Sans, which is as wide as Arial letter by letter.
    assert text_width("Hamburg", 1000) == pytest.approx(722 + 556 + 833 + 556 * 2 + 333 + 556)
    assert text_width("Hamburg", 1000, bold=True) == pytest.approx(
        722 + 556 + 889 + 611 + 611 + 389 + 611
    )


def test_an_accent_takes_no_room_and_wide_scripts_take_more():
    assert text_width("é", 10) == text_width("e", 10)
    assert text_width("e\u0301", 10) == text_width("e", 10)
    assert text_width("模", 10) > text_width("M", 10)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("T5", ["T5"]),
        ("T5 + UDG, Single Model (Google Brain)", ["T5 + UDG, Single Model", "(Google Brain)"]),
        ("AILabs Team, Transformers of All", ["AILabs Team,", "Transformers of All"]),
        ("vendor/some-model-of-theirs-v2", ["vendor/", "some-model-of-theirs-v2"]),
        ("a name that has a few more words", ["a name that has", "a few more words"]),
    ],
)
def test_names_are_broken_before_brackets_after_commas_and_slashes_or_evenly(name, lines):
    assert wrap_name(name, 120, 10) == lines


def test_a_longer_name_loses_its_last_parenthesis_before_its_end():
    assert wrap_name("One Model of Ours (with so many words in brackets)", 80, 10) == [
        "One Model", "of Ours …",
    ]  # fmt: skip
    lines = wrap_name("a name that goes on and on and has no end that anyone could see", 80, 10)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(text_width(line, 10) <= 80 for line in lines)


def test_of_names_that_begin_alike_the_end_is_shown():
    names = [f"a-very-long-name-of-a-model-that-differs-at-its-end-{at}" for at in (1, 2)]
    first, second = (wrap_alike(name, 90, 10) for name in names)
    assert first[1].startswith("…")
    assert first[1].endswith("1")
    assert second[1].endswith("2")
    assert all(text_width(line, 10) <= 90 for line in (*first, *second))


def test_words_that_are_too_long_go_on_in_the_next_line():
    assert all(text_width(line, 10) <= 50 for line in wrap_words("x" * 40 + " a-b", 50, 10))
    assert cut_text("abcdef", 1000, 10) == "abcdef"
    assert cut_text("abcdef", 30, 10).endswith("…")
