"""Who beats whom as a graph: an arrow from each winner, with both numbers on it."""

import re
from itertools import permutations

import pytest

from nbrank.frontends.vote_drawing import draw_majorities


def test_each_pair_has_an_arrow_from_its_winner():
    svg = draw_majorities({("A", "B"): 3, ("B", "A"): 2}, {"A": "o1"})
    assert svg.count("<polygon") == 1
    assert ">3:2</text>" in svg
    assert 'class="block o1"><title>A</title>' in svg


def test_two_that_are_level_are_joined_by_a_dashed_line_and_two_that_never_met_by_none():
    level, never = (draw_majorities({("A", "B"): n, ("B", "A"): n}, {}) for n in (2.5, 0))
    assert level.count("stroke-dasharray") == 1
    assert ">2.5:2.5</text>" in level
    assert "<path" not in never


def test_who_beats_all_is_marked_where_nobody_has_a_color_of_its_own():
    wins = {(a, b): 2 + (a < b) for a, b in permutations("ABC", 2)}
    svg = draw_majorities(wins, {})
    assert re.findall(r'class="block all"><title>(.)', svg) == ["A"]
    assert svg.count('<g class="edge all">') == 2


@pytest.mark.parametrize("n", range(2, 7))
def test_what_is_drawn_stays_within_its_frame(n):
    names = [f"a <long> & long name {number}" for number in range(n)]
    svg = draw_majorities({pair: number for number, pair in enumerate(permutations(names, 2))}, {})
    assert "<long>" not in svg
    (width, height), *boxes = re.findall(
        r'(?:viewBox="0 0 |<rect x=")([-\d.]+)(?: |" y=")([-\d.]+)', svg
    )
    wide = re.findall(r'<rect [^>]*width="([\d.]+)"', svg)
    for (x, y), across in zip(boxes, map(float, wide), strict=True):
        assert 0 <= float(x) <= float(width) - across
        assert 0 <= float(y) <= float(height) - 38
