"""The site: built without a warning, whole in itself; and Python runs on its pages, with no server.

Where no Pyodide can be had, it is built without, and what runs on its pages is not tested.
"""

import contextlib
import functools
import http.server
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import nbrank

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
PATIENCE = 240_000


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build the site into a folder: with the Pyodide in a folder, or without any."""

    def build(pyodide=None):
        folder = tmp_path_factory.mktemp("site")
        command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
        tags = ["-t", "offline"] if pyodide is None else []
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("NBRANK_PYODIDE", str(pyodide))
            run = subprocess.run(
                [*command, *tags, str(ROOT / "docs"), str(folder)],
                cwd=ROOT, capture_output=True, text=True, check=False,
            )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]
        return folder

    return build


@pytest.fixture(scope="module")
def site(built, request):
    """The site, with Python on its pages where that can be had."""
    try:
        pyodide = request.getfixturevalue("pyodide")
        request.getfixturevalue("vega_script")
    except pytest.skip.Exception:
        return built()
    return built(pyodide)


@pytest.fixture(scope="module")
def pages(site):
    """The text of each page, but for those of JupyterLite."""
    every = {page.relative_to(site).as_posix(): page for page in site.rglob("*.html")}
    return {
        name: page.read_text(encoding="utf-8")
        for name, page in every.items()
        if not name.startswith(("_static/", "lite/"))
    }


def test_every_rule_has_a_page(pages):
    assert {f"rules/{rule}.html" for rule in nbrank.RULES} <= pages.keys()


def test_no_page_loads_anything_from_another_site(pages):
    loaded = {
        address
        for text in pages.values()
        for address in re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="(https?://[^"]+)"', text)
    }
    assert {address for address in loaded if "mybinder" not in address} == set()


def test_no_link_leads_nowhere(pages, site):
    lost = {
        (name, link)
        for name, text in pages.items()
        for link in re.findall(r'href="([^"#?:]+)(?:[#?][^"]*)?"', text)
        if not (site / name).parent.joinpath(link).resolve().exists()
    }
    assert lost == set()


@pytest.fixture
def opened(pyodide, vega_script, site, browser):
    """Open a page of the site, which asks for nothing elsewhere."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address, elsewhere = f"http://127.0.0.1:{server.server_port}/", []

        def local_only(route):
            url = route.request.url
            if url.startswith((address, "data:", "blob:")):
                route.continue_()
            else:
                elsewhere.append(url)
                route.abort()

        page = browser.new_page(viewport={"width": 1400, "height": 1000})
        page.context.route("**/*", local_only)
        page.set_default_timeout(PATIENCE)

        def open_page(name):
            page.goto(address + name)
            return page

        yield open_page
        page.close()
        server.shutdown()
        assert elsewhere == []


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_the_app_runs_in_the_browser_and_a_slider_widens_a_column(opened):
    page = opened("index.html")
    page.get_by_role("link", name="a page for a table of yours").click()
    page.set_viewport_size({"width": 1920, "height": 1000})  # Room for cells of 14 tasks.
    page.wait_for_selector(".nbrank-picture svg [data-task]")
    page.get_by_role("tab", name="Rules and weights").click()
    cell = page.locator(".nbrank-picture svg [data-task]").first
    before = cell.bounding_box()["width"]
    page.locator(".nbrank-weights input[type=range]").first.focus()
    page.keyboard.press("End")
    page.wait_for_function(
        "before => document.querySelector('.nbrank-picture svg [data-task]')"
        "?.getBoundingClientRect().width > 1.2 * before",
        arg=before,
    )


def run_until(notebook, selector, sync_api, state="visible"):
    """Run all cells of a notebook until something is there.

    A click comes to nothing while the page still looks for its Python; one clicks again then.
    """
    notebook.locator(".jp-Notebook .jp-Cell").first.wait_for()
    awaited = notebook.locator(selector).first
    for _ in range(4):
        notebook.locator("body").press("Escape")  # a dialog that a slow start has opened
        notebook.get_by_role("menuitem", name="Run", exact=True).click()
        notebook.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        with contextlib.suppress(sync_api.TimeoutError):
            awaited.wait_for(state=state, timeout=PATIENCE / 2)
            return awaited
    return pytest.fail(f"no {selector} in {notebook.locator('body').inner_text()}")


# Examples are run elsewhere, and a notebook of the same pages here.


def test_an_example_opens_on_its_page(opened):
    page = opened("api/nbrank.borda.html")
    page.get_by_role("button", name="Try it in your browser").first.click()
    cells = page.frame_locator("iframe").locator(".jp-CodeCell")
    cells.filter(has_text="import nbrank").first.wait_for()
    cells.filter(has_text="borda(").first.wait_for()


def test_the_examples_of_a_page_open_as_a_notebook(opened):
    link = opened("how_to/weights.html").get_by_role("link", name="Try it in your browser")
    notebook = opened(f"how_to/{link.get_attribute('href')}")
    notebook.locator(".jp-CodeCell", has_text="load_superglue_submissions").first.wait_for()


def test_a_vote_in_class_is_counted_in_the_browser(opened):
    link = opened("teaching.html").locator("a.class_page").get_attribute("href")
    page = opened(link)
    page.wait_for_selector(".nbrank-class h1")
    page.get_by_label("ballots").fill("Lake > Zoo\nLake > Zoo\nZoo > Lake")
    page.get_by_text("1 winner: Lake.").wait_for()


def test_a_lesson_runs_in_the_browser_with_its_sliders(opened, sync_api):
    link = opened("teaching.html").locator("a[href$='voting_paradoxes_of_rules.ipynb']").first
    page = opened(link.get_attribute("href"))
    slider = run_until(page, ".noUi-handle", sync_api, "attached")
    before = slider.get_attribute("aria-valuenow")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "before => document.querySelector('.noUi-handle').ariaValueNow !== before", arg=before
    )


def test_links_in_a_notebook_lead_to_pages_and_notebooks_of_the_site(opened, browser):
    page = opened("lite/notebooks/index.html?path=voting_paradoxes_in_practice.ipynb")
    for name, ends in [
        ("glossary", "/glossary.html"),
        ("first lesson", "paradoxes_of_rules.ipynb"),
    ]:
        link = page.get_by_role("link", name=name).first
        with page.context.expect_page() as other:
            link.click()
        other.value.wait_for_load_state()
        assert other.value.url.endswith(ends)
        assert "404" not in other.value.title()
        other.value.close()


def test_after_20_seconds_without_python_a_sentence_says_what_to_do(opened):
    notebook = opened("index.html")
    notebook.context.route("**/pyodide/**", lambda route: route.abort())
    # Both wait at the same time.
    with notebook.context.expect_page() as other:
        notebook.evaluate("window.open('lite/repl/index.html')")
    opened("lite/notebooks/index.html?path=class.ipynb")
    for page in (notebook, other.value):
        note = page.locator(".nbrank-wait")
        note.wait_for(timeout=90_000)
        assert "Python has not started yet" in note.inner_text()
    page.goto(note.get_by_role("link", name="a site for your class").get_attribute("href"))
    assert "without a network" in page.locator("h1").inner_text()
    other.value.close()


def test_a_rules_picture_keeps_its_size_on_a_telephone(site, browser):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((site / "rules" / "borda.html").as_uri())
    picture = page.locator(".picture img:visible").first
    natural = picture.evaluate("image => image.naturalWidth")
    assert picture.bounding_box()["width"] >= natural > 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
