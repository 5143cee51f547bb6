"""What all explorers share."""

import sys
from pathlib import Path

import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.explorers.panel import in_a_table

PACKAGE = str(Path(nbrank.__file__).parent)


def test_a_column_of_long_texts_stands_at_the_left_with_its_heading_and_its_short_ones():
    frame = pd.DataFrame({"low": [1, 2], "systems": ["A", "one, two, three and four"]})
    html = in_a_table(frame)
    assert '<th>low</th><th class="text">systems</th>' in html
    assert '<td>1</td><td class="text">A</td>' in html
    assert 'class="text"' not in in_a_table(frame.assign(systems=["A", "B"]))


@pytest.mark.parametrize(
    "explore",
    [
        nbrank.explore,
        nbrank.explore_confidence,
        nbrank.explore_elimination,
        nbrank.explore_weights,
    ],
)
@pytest.mark.parametrize("unknown", ["D", ["A"], 0])
def test_a_system_that_is_not_there_is_refused_beside_those_that_are(explore, unknown):
    scores = pd.DataFrame({f"t{i}": [3.0, 2, 1 + i] for i in range(4)}, index=list("ABC"))
    explorer = explore(scores)
    with pytest.raises(traitlets.TraitError, match="system: unknown .*; there are 'A', 'B', 'C'"):
        explorer.system = unknown


def test_a_slider_that_moves_walks_through_few_files():
    explorer = nbrank.explore(load_llm_chat())
    slider = next(iter(explorer.sliders.sliders.values()))
    slider.value = 2
    moves = 0

    def count(frame, event, _):
        nonlocal moves
        file, caller = frame.f_code.co_filename, frame.f_back
        if event == "call" and file.startswith(PACKAGE):
            # The file of ours that called it, however many of others' lie between.
            while caller is not None and not caller.f_code.co_filename.startswith(PACKAGE):
                caller = caller.f_back
            moves += caller is not None and caller.f_code.co_filename != file

    sys.setprofile(count)
    try:
        slider.value = 4
    finally:
        sys.setprofile(None)
    assert 50 < moves <= 250
