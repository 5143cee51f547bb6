"""How far one call goes: the moves between files of the package while a rule or a slider runs."""

import asyncio
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_glue_submissions

#: Before Python 3.12 a comprehension is a call of its own.
COMPREHENSIONS = 0 if sys.version_info >= (3, 12) else 1

PACKAGE = str(Path(nbrank.__file__).parent)


def moves(run) -> int:
    """Changes of file from one call or return inside the package to the next."""
    files = []

    def look(frame, event, _):
        file = frame.f_code.co_filename
        if event in ("call", "return") and file.startswith(PACKAGE):
            # The picture goes over its rows again and again: its files are one stop on the way.
            drawing = "/board_drawing/" in file or file.endswith("/charts/text_metrics.py")
            files.append("the picture" if drawing else file)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        run()
    finally:
        sys.setprofile(before)
    return sum(one != other for one, other in pairwise(files))


@pytest.mark.parametrize(("rule", "most"), [("borda", 32), ("copeland", 36), ("mean", 34)])
def test_a_rule_goes_straight_to_its_ranking(rule, most):
    scores = pd.DataFrame(np.random.default_rng(0).random((4, 6)), index=list("ABCD"))
    assert 0 < moves(getattr(scores.rank, rule)) <= most + 2 * COMPREHENSIONS


def test_rules_side_by_side_are_bound_once():
    scores = pd.DataFrame(np.random.default_rng(0).random((24, 14))).add_prefix("t")
    assert 200 < moves(lambda: nbrank.compare(scores)) <= 660 + 40 * COMPREHENSIONS


def test_a_slider_that_moves_goes_straight_to_rankings_picture_and_words():
    bench = nbrank.explore(load_glue_submissions())
    row = bench.sliders.names.index("WNLI")

    async def in_a_kernel():
        bench.sliders.moved = [row, 2.0, 1]
        found = moves(lambda: setattr(bench.sliders, "moved", [row, 4.0, 2]))
        bench._later.cancel()
        return found

    assert 100 < asyncio.run(in_a_kernel()) <= 240 + 10 * COMPREHENSIONS
