"""Labels as texts: no two alike, in brief, and in sentences."""

from nbrank import charts
from nbrank.charts.names import in_brief, listed


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


def test_a_list_in_a_sentence_is_cut_short_and_counts_the_rest():
    assert listed([]) == ""
    assert listed(["A"]) == "A"
    assert listed([("g", 1), "B"]) == "g / 1 and B"
    assert listed("ABCD", most=2) == "A, B and 2 more"
