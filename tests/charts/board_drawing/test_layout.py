"""Where everything stands: no text runs into another, leaves the drawing, or is too small."""

import re

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.board_drawing.drawing import draw_overview
from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.datasets import load_glue_submissions, load_superglue_submissions
from nbrank.findings.overview import compute_overview

WIDTHS = [250, "3.3in", "85mm", 480, "7in", 800, 1100, 1920, None]
WORDS = [
    "gpt", "<b>bold</b>", "naïve-Ünïcode", "模型七十二", "Ω-large", '"quoted" & co', "a",
    "very long name without any end, really (ensemble of 17 checkpoints, 2024-01-01)",
    "sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "x" * 60, "🙂 emoji",
    "two words", "MultiRC-a", "MultiRC-b", "1.5B", "C++", "под-модель",
]  # fmt: skip


def odd_labels(rng, n):
    """Labels of any length, with markup, in several scripts."""
    labels = []
    while len(labels) < n:
        label = " ".join(rng.choice(WORDS, rng.integers(1, 3)))
        label += f"-{rng.integers(0, 99)}" if rng.random() < 0.5 else ""
        if label not in labels:
            labels.append(label)
    return labels


def odd_board(seed):
    """A random board, and weights or groups for it."""
    rng = np.random.default_rng(seed)
    n, n_tasks = int(rng.integers(1, 40)), int(rng.integers(1, 30))
    values = rng.normal(50, 20, (n, n_tasks)).round(int(rng.integers(0, 3)))
    values[rng.random(values.shape) < rng.choice([0, 0.1])] = np.nan
    scores = pd.DataFrame(values, odd_labels(rng, n), odd_labels(rng, n_tasks))
    options = {}
    if rng.random() < 0.4:
        options["weights"] = {task: float(rng.choice([0.2, 1, 3])) for task in scores}
    if rng.random() < 0.3 and n_tasks > 3:
        k = int(rng.integers(2, 4))
        options["groups"] = {
            f"all {group}": list(scores.columns[at::k])
            for at, group in enumerate(odd_labels(rng, k))
        }
    return scores, options


def whole_overview(scores, **options):
    """All that a picture shows, found once for all widths."""
    return compute_overview(scores, **options).with_confidence("borda")


@pytest.mark.filterwarnings("ignore::nbrank.votes.user_warnings.AverageColumnWarning")
@pytest.mark.parametrize("seed", range(50))
def test_no_text_runs_into_another_or_leaves_the_drawing(seed, drawn):
    scores, options = odd_board(seed)
    seen = whole_overview(scores, **options)
    for width in WIDTHS:
        assert drawn(draw_overview(seen, width=width)).overlaps() == []


@pytest.mark.filterwarnings("ignore::nbrank.votes.user_warnings.AverageColumnWarning")
@pytest.mark.parametrize("seed", range(0, 50, 5))
def test_no_line_down_from_a_heading_crosses_another(seed, drawn):
    scores, options = odd_board(seed)
    seen = whole_overview(scores, **options)
    for width in ("3.3in", "7in", 1100):
        picture = drawn(draw_overview(seen, width=width))
        for mark in picture.marks:
            if mark.kind == "line" and mark.y < picture.top:
                end = mark.y + float(mark.attributes["y2"]) - float(mark.attributes["y1"])
                for text in picture.texts:
                    left, right, above, below = text.box
                    if end > mark.y and left < mark.x < right:
                        assert min(below, end) - max(above, mark.y) < 0.5, text.text


@pytest.mark.parametrize("scores", [load_superglue_submissions(), load_glue_submissions()])
@pytest.mark.parametrize(("width", "least"), [("3.3in", 9.33), ("7in", 9.33), (800, 9.33)])
def test_letters_are_of_seven_points_at_least(scores, width, least, drawn):
    picture = drawn(nbrank.picture(scores, width=width))
    assert min(mark.size for mark in picture.texts) >= least


@pytest.mark.parametrize("scores", [load_superglue_submissions(), load_glue_submissions()])
def test_in_a_lecture_hall_letters_are_of_18_pixels_at_least(scores, drawn):
    picture = drawn(nbrank.picture(scores, width=1920))
    assert picture.width == 1920
    assert min(mark.size for mark in picture.texts) >= 18


@pytest.mark.parametrize(
    ("width", "pixels"),
    [(317, 317), ("3.3in", 316.8), ("85mm", 321.26), ("8.5 cm", 321.26), ("240pt", 320),
     ("1100px", 1100), (672.5, 672.5)],
)  # fmt: skip
def test_a_picture_is_as_wide_as_asked(width, pixels):
    picture = nbrank.picture(load_superglue_submissions(), width=width)
    assert picture.width == pytest.approx(pixels, abs=0.01)
    written = float(re.search(r'<svg [^>]*?width="([\d.]+)"', picture.to_svg())[1])
    assert written == pytest.approx(pixels, abs=0.01)


@pytest.mark.parametrize("width", ["wide", "3.3 inches", "", "-3in", "in"])
def test_a_width_that_is_none_is_refused_with_those_that_are(width):
    with pytest.raises(ValueError, match=r'give pixels, as width=800, or "3.3in", "85mm"'):
        nbrank.picture(load_superglue_submissions(), width=width)


def test_a_width_on_which_nothing_can_be_read_is_refused():
    with pytest.raises(ValueError, match=r"is 100 pixels; a picture has from 220 \(58mm\)"):
        nbrank.picture(load_superglue_submissions(), width=100)
    assert nbrank.picture(load_superglue_submissions(), width="59mm").width > 220
    with pytest.raises(TypeError, match="give pixels"):
        nbrank.picture(load_superglue_submissions(), width=[800])


def test_small_boards_are_no_wider_than_they_need():
    small = pd.DataFrame({"x": [2, 1], "y": [1, 2]}, index=["A", "B"])
    assert nbrank.picture(small).width < 700
    assert nbrank.picture(load_superglue_submissions()).width <= 1100


@pytest.mark.parametrize("width", ["3.3in", "7in", 1100])
def test_names_are_in_one_or_two_lines_and_no_two_alike(width):
    names = [f"a rather long name that says little, number {at} (of many)" for at in range(9)]
    scores = pd.DataFrame(np.random.default_rng(0).random((9, 20)), index=names)
    page = BoardLayout(compute_overview(scores), width=nbrank.picture(scores, width=width).width)
    lines = [tuple(page.lines[system]) for system in page.systems]
    assert max(map(len, lines)) <= 2
    assert len({*lines}) == 9


def test_a_name_has_more_room_before_it_is_cut(drawn):
    name = "a name of some forty letters, as it stands"
    scores = pd.DataFrame({"x": [2, 1], "y": [1, 2]}, index=[name, "B"])
    assert name in drawn(nbrank.picture(scores, width=1100)).words
