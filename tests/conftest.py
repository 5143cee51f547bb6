"""What several test files need."""

import importlib.util
import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings

from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.charts.text_metrics import text_width

ROOT = Path(__file__).parents[1]
#: Labels that print alike, and some that look like what an axis or a legend says.
ALIKE = [1, "1", ("a", "b"), "a / b", "several systems", "nobody", "'1'"]

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("nbrank", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nbrank")

#: Code for type checkers, some of it wrong on purpose.
collect_ignore = ["typing"]


@pytest.fixture(scope="session")
def effort(request):
    """How many times as much random searches try as at least."""
    return request.config.option.effort


@pytest.fixture
def script():
    """Import one of the project's scripts, which are no package, by its name."""

    def imported(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(
            name, ROOT / "docs" / "scripts" / f"{name}.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return imported


@pytest.fixture
def alike():
    """Scores of systems whose labels print alike."""
    scores = np.random.default_rng(1).permuted(np.tile(np.arange(7.0), (9, 1)), axis=1).T
    return pd.DataFrame(scores, index=pd.Index(ALIKE, tupleize_cols=False)).add_prefix("t")


@pytest.fixture
def heading():
    """A function from a chart or picture to its title and what stands below it, in a line each."""

    def said(chart):
        if isinstance(chart, Drawing):
            return chart.title, chart.caption
        title = chart.to_dict()["title"]
        parts = title["text"], title["subtitle"]
        return tuple(part if isinstance(part, str) else " ".join(part) for part in parts)

    return said


INHERITED = ("font-size", "font-weight", "text-anchor")


@dataclass(frozen=True)
class Mark:
    """A mark where it stands, with what it has by itself and from around it."""

    kind: str
    x: float
    y: float
    attributes: dict
    text: str = ""
    title: str = ""
    row: str = ""

    @property
    def size(self):
        return float(self.attributes["font-size"])

    @property
    def bold(self):
        return self.attributes.get("font-weight") == "700"

    @property
    def fill(self):
        return self.attributes.get("fill", "").removeprefix("var(--").removesuffix(")")

    @property
    def width(self):
        return float(self.attributes["width"])

    @property
    def box(self):
        """From where to where a text goes: left, right, above, below."""
        wide = text_width(self.text, self.size, bold=self.bold)
        anchor = self.attributes.get("text-anchor", "start")
        left = self.x - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        return left, left + wide, self.y - 0.72 * self.size, self.y + 0.2 * self.size


class DrawnPicture:
    """A picture, read from its SVG."""

    def __init__(self, drawing):
        svg = drawing if isinstance(drawing, str) else drawing.template
        self.svg = svg
        self.root = ET.fromstring(re.sub(r'xmlns="[^"]+"', "", svg, count=1))
        self.width, self.height = (float(self.root.get(name)) for name in ("width", "height"))
        self.marks = []
        self._walk(self.root, 0.0, 0.0, {}, "")

    def _walk(self, node, x, y, around, row):
        around = around | {name: node.get(name) for name in INHERITED if node.get(name)}
        if moved := re.match(r"translate\((\S+) (\S+)\)", node.get("transform", "")):
            x, y = x + float(moved[1]), y + float(moved[2])
        if node.get("class") == "row":
            row = node.get("aria-label").partition(": rank ")[0]
        at = {"text": ("x", "y"), "rect": ("x", "y"), "circle": ("cx", "cy"), "line": ("x1", "y1")}
        if node.tag in at:
            left, top = (float(node.get(name)) for name in at[node.tag])
            title = node.findtext("title") or ""
            attributes = around | dict(node.attrib)
            text = (node.text or "") if node.tag == "text" else ""
            self.marks.append(Mark(node.tag, x + left, y + top, attributes, text, title, row))
        for inner in node:
            self._walk(inner, x, y, around, row)

    @cached_property
    def texts(self):
        return [mark for mark in self.marks if mark.kind == "text"]

    @cached_property
    def words(self):
        """All that is written, in its order."""
        return [mark.text for mark in self.texts]

    @cached_property
    def labels(self):
        """System -> what is said of its row, from above."""
        rows = [node for node in self.root.iter("g") if node.get("class") == "row"]
        said = [node.get("aria-label") for node in rows]
        return {label.partition(": rank ")[0]: label for label in said}

    @cached_property
    def systems(self):
        return list(self.labels)

    @cached_property
    def best(self):
        """The systems whose row is that of one that may be best."""
        return [
            mark.row
            for mark in self.marks
            if mark.attributes.get("class") == "ground" and mark.fill == "best-row"
        ]

    @cached_property
    def cells(self):
        """System, column -> the cell, by what is said of it."""
        shaded = [mark for mark in self.marks if mark.row and mark.title]
        return {(mark.row, mark.title.rpartition(": ")[0]): mark for mark in shaded}

    @cached_property
    def top(self):
        """Where the rows begin."""
        return min(mark.y for mark in self.marks if mark.attributes.get("class") == "ground")

    @cached_property
    def heads(self):
        """Text -> the names over the columns."""
        return {mark.text: mark for mark in self.texts if mark.y < self.top}

    def ranks(self, system):
        """The ranks of a system by the rules that have a column, from the left, as written."""
        pills = [
            mark for mark in self.texts
            if mark.row == system and re.fullmatch(r"=?\d+|–", mark.text)
            and mark.attributes.get("text-anchor") == "middle"
        ]  # fmt: skip
        cells = {(round(cell.x), round(cell.y)) for cell in self.cells.values()}
        first = min((x for x, _ in cells), default=1e9)
        return [mark.text for mark in pills if mark.x < first]

    def overlaps(self):
        """The pairs of texts that run into each other, and texts that leave the drawing."""
        texts = [mark for mark in self.texts if mark.text]
        left, right, above, below = np.array([mark.box for mark in texts]).T
        outside = (left < -0.5) | (right > self.width + 0.5) | (above < 0) | (below > self.height)
        across = np.minimum.outer(right, right) - np.maximum.outer(left, left) > 0.5
        down = np.minimum.outer(below, below) - np.maximum.outer(above, above) > 0.5
        pairs = np.argwhere(np.triu(across & down, 1))
        return [texts[at].text for at in np.flatnonzero(outside)] + [
            (texts[one].text, texts[other].text) for one, other in pairs
        ]


@pytest.fixture
def drawn():
    """A function that reads a picture back."""
    return DrawnPicture
