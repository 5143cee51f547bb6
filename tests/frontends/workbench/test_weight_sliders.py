"""The tracks of the sliders: who would be first at each weight, by colour, name and words."""

import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_toy_votes


@pytest.fixture
def bench():
    return nbrank.explore(load_toy_votes(), "borda")


def test_the_track_says_who_would_be_first_from_which_weight_on(bench):
    track = bench.sliders.tracks[bench.sliders.names.index("Task 2")]
    assert [(name, low) for low, _, name, _ in track] == [
        ("m_B", 0.0),
        ("m_C", pytest.approx(1.5)),
        ("m_A", pytest.approx(3.0)),
    ]
    for low, high, name, _ in track:
        bench.weights = {"Task 2": (low + high) / 2}
        assert bench.winners["borda"] == [name]


def test_a_systems_colour_has_its_name_beside_it_and_stays(bench):
    before = dict(bench.sliders.key)
    assert set(before) == {"m_A", "m_B", "m_C", "m_D"}
    bench.weights = {"Task 5": 4}
    after = dict(bench.sliders.key)
    assert all(before[name] == color for name, color in after.items() if name in before)
    used = {color for track in bench.sliders.tracks for *_, color in track}
    assert used == set(after.values())


def test_a_rule_that_does_not_add_up_the_tasks_has_plain_tracks_and_says_so(bench):
    bench.rule = "copeland"
    assert bench.sliders.tracks == [[]] * 5
    assert bench.sliders.key == []
    assert bench.sliders.note == "The tracks are plain: Copeland doesn't add up the tasks."
    bench.rule = "borda"
    assert bench.sliders.note == ""


def test_groups_move_with_the_shares_of_their_tasks():
    scores = pd.DataFrame({"x": [3, 2], "y": [1, 3], "z": [1, 3]}, index=["A", "B"])
    bench = nbrank.explore(scores, "mean", groups={"one": ["x"], "two": ["y", "z"]})
    # A has 3 + 1 w and B 2 + 3 w, where w is what y and z have together.
    assert [span[:3] for span in bench.sliders.tracks[1]] == [
        [0.0, pytest.approx(0.5), "A"],
        [pytest.approx(0.5), 5.0, "B"],
    ]


def test_what_is_deleted_moves_the_tracks(bench):
    before = bench.sliders.tracks
    bench.cells = [("m_B", "Task 2")]
    assert bench.sliders.tracks != before
    bench.cells = ()
    assert bench.sliders.tracks == before


class TestWhatMakesASystemFirst:
    def test_the_smallest_change_comes_first_and_a_press_makes_it_so(self, bench, press):
        bench.system = "m_A"
        found = bench.tracks.make_first("m_A")
        changes = [abs(weight - bench.weights[label]) for label, _, weight in found]
        assert changes == sorted(changes)
        label, text, weight = found[0]
        assert (label, text) == ("Task 2", "more than 3")
        assert "m_A would be first by Borda with a weight of more than 3 for Task 2." in bench.text
        place = bench.sliders.names.index(label)
        press(bench._closely.html, "weigh", f"{place} {weight:.9g}")
        assert bench.winners["borda"] == ["m_A"]

    def test_each_weight_that_is_offered_makes_it_first(self, bench):
        start = dict(bench.weights)
        for system in bench.board.systems:
            for label, _, weight in bench.tracks.make_first(system):
                bench.weights = start | {label: weight}
                assert bench.winners["borda"] == [system]
            bench.weights = start

    def test_where_no_single_weight_does_that_is_said(self):
        scores = pd.DataFrame({"x": [3, 1, 2], "y": [3, 2, 1]}, index=list("ABC"))
        bench = nbrank.explore(scores, "borda", system="C")
        assert "No single weight makes C first by Borda." in bench.text

    def test_of_the_first_nothing_is_said(self, bench):
        bench.system = "m_B"
        assert "What would make it first" not in bench._closely.html.html
