"""What the tests of the workbench share."""

import asyncio
import itertools

import pandas as pd
import pytest


@pytest.fixture
def shown(drawn):
    """The picture of the page as it is."""
    return lambda bench: drawn(bench._figure.svg)


@pytest.fixture
def cells(shown):
    """The cells of the picture: (system, task) -> the mark."""

    def read(bench):
        return {
            (mark.row, mark.attributes["data-task"]): mark
            for mark in shown(bench).marks
            if "data-task" in mark.attributes
        }

    return read


@pytest.fixture
def click():
    """Click a mark of the picture with these fields, as the browser sends it."""

    def send(bench, **fields):
        bench._figure._handle_custom_msg(fields, [])

    return send


@pytest.fixture
def slide():
    """Move the slider of a task or group, as the browser sends it; None takes all to the start."""
    number = itertools.count(1)

    def send(bench, label, weight):
        row = -1 if label is None else list(bench.sliders.by_label).index(label)
        bench.sliders.moved = [row, weight, next(number)]

    return send


@pytest.fixture
def press():
    """Press the button of a page's text, if it is there."""

    def send(prose, name, value):
        assert f'data-name="{name}" data-value="{value}"' in prose.html
        prose._handle_custom_msg([name, str(value)], [])

    return send


@pytest.fixture
def in_a_kernel():
    """Run a function where a loop runs, as in a kernel, and wait for what it asked for."""

    def run(function, seconds=0.5):
        async def session():
            result = function()
            await asyncio.sleep(seconds)
            return result

        return asyncio.run(session())

    return run


@pytest.fixture
def votes():
    return pd.DataFrame(
        {"t1": [9, 5, 1, 0], "t2": [9, 5, 1, 0], "t3": [0, 5, 6, 1], "t4": [0, 5, 4, 6]},
        index=list("ABCD"),
    ).astype(float)
