"""A name that is given once for several rows, as in merged cells of a spreadsheet."""

import warnings

import pytest

import nbrank
from nbrank.readers.tables.table_reader import load_frame

ROWS = "lang,system,all,lemma\n" + "".join(
    f"{lang if at == 0 else ''},{name},{at}.{n},{n}.{at}\n"
    for n, lang in enumerate(("ang", "ara", "heb"))
    for at, name in enumerate(("Flexica", "OSU", "TuM"))
)


def read(text, **options):
    """The board, or the error, and all that was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = nbrank.read(text.encode(), **options)
        except ValueError as error:
            result = str(error)
    return result, " ".join(str(item.message) for item in caught)


def test_empty_cells_below_a_name_are_filled_if_each_name_has_the_same_rows():
    refused, said = read(ROWS)
    assert "the empty cells of 'lang' are read as the name above them" in said
    assert "roles={'system': 'system', 'lang': 'task', 'all': 'score'" in refused
    board, _ = read(ROWS, where={"lang": "ara"})
    assert list(board.systems) == ["Flexica", "OSU", "TuM"]
    assert board.scores["all"].tolist() == [0.1, 1.1, 2.1]


@pytest.mark.parametrize(
    "text",
    [
        "note,model,t\nx,A,1\n,B,2\ny,C,3\n,D,4\n",  # other rows below each
        "note,model,t\n,A,1\nx,B,2\n,A,3\ny,B,3\n",  # empty above
        "model,t\nA,1\n,2\nB,1\n,2\nC,1\n",  # the last name has fewer rows
    ],
)
def test_other_empty_cells_stay_empty(text):
    frame = load_frame(text.encode())
    assert (frame.iloc[:, 0] == "").sum() == 2


@pytest.mark.parametrize("sign", ["+ ", "- ", "w/o ", "with "])
def test_variants_are_named_by_the_row_above_them_too(sign):
    board, said = read(f"model,acc,f1\nA,1,3\n{sign}x,2,5\nB,3,4\n{sign}x,4,8\n")
    assert [*board.systems] == ["A", f"A {sign}x", "B", f"B {sign}x"]
    assert f"variants of the row above them, such as 'A {sign}x'" in said


def test_names_that_come_once_or_in_other_places_stay():
    once, _ = read("model,acc,f1\nA,1,3\n+ x,2,5\nB,3,4\n+ y,4,8\n")
    assert "+ x" in once.systems
    refused, _ = read("model,acc,f1\nA,1,3\nB,2,5\nC,3,4\nB,4,8\n")
    assert "duplicate systems: 'B'" in refused


def test_a_block_may_lack_some_of_the_words_of_others():
    text = "model,prompt,acc\nA,zero,1\n,few,2\nB,zero,3\n,few,4\n,cot,6\nC,zero,5\n"
    with pytest.warns(UserWarning, match="empty cells of 'model'"):
        frame = load_frame(text.encode())
    assert frame["model"].tolist() == ["A", "A", "B", "B", "B", "C"]
