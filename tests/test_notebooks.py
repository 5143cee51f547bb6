"""Notebooks are committed executed, small, and showing the same with and without a network.

That their outputs are what the code gives is checked by running them (nbval, see pyproject.toml);
a cell that was not executed would be compared with nothing there, so that is checked here.
"""

import re
from pathlib import Path

import nbformat
import pytest

from nbrank import datasets

pytestmark = pytest.mark.source

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.name)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


@pytest.fixture
def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_it_is_a_valid_notebook(notebook):
    nbformat.validate(notebook)


def test_its_code_cells_were_executed_from_top_to_bottom(code_cells):
    assert [cell.execution_count for cell in code_cells] == list(range(1, len(code_cells) + 1))


def test_no_cell_failed(code_cells):
    kinds = {output.output_type for cell in code_cells for output in cell.outputs}
    assert "error" not in kinds


def test_no_cell_is_exempt_from_being_run(code_cells):
    for cell in code_cells:
        assert not re.search(r"NBVAL_SKIP", cell.source)
        assert "nbval-skip" not in cell.metadata.get("tags", [])


def test_it_holds_no_widget_state(notebook):
    assert "widgets" not in notebook.metadata


def test_it_is_smaller_than_a_megabyte_and_a_half(path):
    assert path.stat().st_size < 1_500_000


def test_what_it_shows_loads_nothing_from_the_network(code_cells):
    for cell in code_cells:
        for output in cell.outputs:
            html = output.get("data", {}).get("text/html", "")
            assert not re.search(r"""(src|href)=["']https?:""", html)
            assert "cdn." not in html


def test_the_fetchers_that_it_names_exist(code_cells):
    # The test run decides by these names which files the notebook needs.
    named = {name for cell in code_cells for name in re.findall(r"\bfetch_\w+", cell.source)}
    assert named <= set(datasets.__all__)


def test_it_holds_no_path_of_the_machine_that_ran_it(path):
    assert not re.search(r"/(root|home|Users|work)/", path.read_text(encoding="utf-8"))
