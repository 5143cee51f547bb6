"""The exercises of the voting lessons: their checks take the right answers, and no others."""

import itertools
import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
#: Lesson -> how the cells begin, or what is in them, that its exercises rest on.
LESSONS = {
    "of_rules": ("import nbrank", "chat = ", "claude, qwen", "def with_clones", "CASES = ["),
    "of_measuring": ("import nbrank",),
    "in_practice": ("import nbrank", "ballots = {"),
}
HALF = {
    "Montroll": 455,
    "Montroll > Wright > Kiss": 767,
    "Kiss > Montroll > Wright": 1143,
    "Kiss > Wright > Montroll": 371,
    "Kiss": 568,
    "Wright > Montroll > Kiss": 1200,
}
MCGARVEY = [
    *("A > B > C > D", "D > C > A > B", "B > C > A > D", "D > A > B > C", "C > D > A > B"),
    *("B > A > C > D", "D > A > B > C", "C > B > D > A", "A > C > B > D", "D > B > A > C"),
    *("B > D > A > C", "C > A > B > D"),
]


def two_thirds(a, b):
    return int(3 * a > 2 * (a + b)) - int(3 * b > 2 * (a + b))


def champion(a, b):
    return 1 if a > b else -1


def majority(a, b):
    return (a > b) - (a < b)


#: Exercise -> a right answer and a wrong one.
ANSWERS = {
    1: (12, 13),
    2: (["C", "A", "B"], ["B"]),
    3: (58, 59),
    4: (["3: A > B > C", "2: B > C > A", "2: C > B > A"], ["A > B > C"]),
    5: (["plurality", "antiplurality"], ["plurality"]),
    6: (22, 21),
    7: ([6, 2, 4, 5], [5, 4, 4, 4]),
    8: ((two_thirds, champion), (majority, champion)),
    9: ([0, 9, 0], [9, 0, 0]),
    10: ("AABA", "AABB"),
    11: (["geometric_mean"], ["median", "geometric_mean"]),
    12: (36, 0),
    13: ([67, 269], [69, 269]),
    14: (1.7, 2.1),
    15: (HALF, {"Montroll": 455}),
    16: (MCGARVEY, MCGARVEY[:4]),
    17: (540, 541),
    18: ("DACB", "ABCD"),
    19: (6, 5),
}


def code_of(lesson):
    notebook = nbformat.read(NOTEBOOKS / f"voting_paradoxes_{lesson}.ipynb", as_version=4)
    return notebook.cells, [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("lesson", LESSONS)
def test_checks_take_right_answers_and_no_others(lesson):
    cells, code = code_of(lesson)
    space = {}
    for source in code:
        if any(part in source for part in LESSONS[lesson]) or "def exercise(" in source:
            exec(source, space)
    numbers = []
    for question, cell in itertools.pairwise(cells):
        if "answer = None" in cell.source:
            numbers.append(int(re.match(r"\*\*(\d+)\.", question.source)[1]))
            right, wrong = ANSWERS[numbers[-1]]
            exec(cell.source, space)
            assert [space["check"](answer) for answer in (None, right, wrong)] == [
                "not yet",
                "right",
                "not right",
            ], numbers[-1]
    first = {"of_rules": 1, "of_measuring": 10, "in_practice": 15}[lesson]
    assert numbers == list(range(first, numbers[-1] + 1))


def test_every_exercise_is_there_and_has_its_solution():
    solutions = (NOTEBOOKS / "voting_paradoxes_solutions.ipynb").read_text(encoding="utf-8")
    lessons = "".join("\n".join(code_of(lesson)[1]) for lesson in LESSONS)
    assert lessons.count("answer = None") == len(ANSWERS)
    for number in ANSWERS:
        assert f"**{number}. " in solutions


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_section_says_what_one_learns(lesson):
    cells, _ = code_of(lesson)
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    sections = re.findall(r"^## \d.*\n\n(.*)", text, re.MULTILINE)
    assert len(sections) >= 6
    assert all(first.startswith("**You learn**") for first in sections)


def test_the_helper_of_the_exercises_is_one_in_all_lessons():
    helpers = {source for n in LESSONS for source in code_of(n)[1] if "def exercise(" in source}
    assert len(helpers) == 1
