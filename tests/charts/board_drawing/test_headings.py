"""Names over columns: level, as low as there is room, none over the line of another."""

import re

import nbrank
from nbrank.charts.board_drawing.headings import Column, level_headings, place_headings
from nbrank.findings.labels import rule_title


def columns(names, apart=30.0):
    return [Column(name, apart * at) for at, name in enumerate(names)]


def test_names_that_fit_stand_on_the_lowest_level_over_their_columns():
    placed = place_headings(columns(["a", "b", "c"]), (-20, 80), 10)
    assert [(heading.level, heading.x) for heading in placed] == [(0, 0), (0, 30), (0, 60)]


def test_names_that_are_wider_than_their_columns_take_turns():
    placed = place_headings(columns(["BoolQ-x", "COPA-xy", "ReCoRD", "MultiRC"]), (-30, 130), 10)
    assert {heading.level for heading in placed} == {0, 1}
    assert all(heading.lines == (heading.column.name,) for heading in placed)


def test_a_long_name_begins_at_its_line_and_leaves_those_on_its_left_room():
    names = ["a long name of a task"] * 3
    placed = place_headings(columns(names), (-10, 300), 10)
    assert len(placed) == 3
    assert len({heading.level for heading in placed}) == 3
    assert [heading.level for heading in placed] == [2, 1, 0]


def test_a_name_is_cut_only_where_five_levels_are_not_enough():
    names = [f"{letter} is a long name of a task" for letter in "abcdefghijkl"]
    placed = place_headings(columns(names, 24), (-10, 330), 10)
    assert any("…" in heading.lines[-1] for heading in placed)
    assert max(heading.level for heading in placed) == 4
    few = place_headings(columns(names[:3], 24), (-10, 330), 10)
    assert not any("…" in heading.lines[-1] for heading in few)


def test_a_beginning_that_several_names_share_is_not_drawn():
    names = [f"a long name of a task, number {at}" for at in range(12)]
    placed = place_headings(columns(names, 24), (-10, 330), 10)
    assert 0 < len(placed) < 12
    assert all(heading.lines == (heading.column.name,) for heading in placed)


def test_the_name_in_bold_chooses_first():
    first, second = Column("Borda", 0, bold=True), Column("average", 32)
    levels = [heading.level for heading in place_headings([first, second], (-30, 60), 12)]
    assert levels == [0, 1]


def test_each_rule_has_its_heading_over_a_column_of_a_table():
    names = [rule_title(rule) for rule in nbrank.RULES]
    styles = level_headings(names, [2.4] * len(names), bold=False)
    places = [re.fullmatch(r"--up: (.+)em; --left: (.+)em", style) for style in styles]
    levels = [float(place[1]) for place in places]
    assert len(names) == len(places)
    assert min(levels) == 0
    # Words that are shorter than their columns stand on the lowest level, in the middle.
    assert level_headings(["a", "b"], [3, 3], bold=False) == ["--up: 0.0em; --left: 1.22em"] * 2


def test_names_that_don_t_fit_otherwise_stand_on_stairs():
    names = ["Borda", "mean win rate", "antiplurality", "instant runoff", "mean rank"] * 2
    styles = level_headings(names, [1.0] * len(names), bold=False)
    levels = [float(re.search("--up: (.+?)em", style)[1]) for style in styles]
    assert levels == [round(1.2 * level, 1) for level in range(9, -1, -1)]
