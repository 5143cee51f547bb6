"""The explorers in a real browser: Voila on a loopback port, and the system's Chromium.

They open with no request to anywhere else, a slider moved by keyboard changes what is shown, and
the console has no error.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), ""
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: Voila's own page asks for these icons; without them it is the same but for the icons.
OF_VOILA = "/@fortawesome/fontawesome-free@"
PATIENCE = 60_000

EXPLORERS = {
    "explore": "nbrank.explore(scores)",
    "weights": "nbrank.explore_weights(scores, groups=three)",
    "missing": "nbrank.explore_missing(scores)",
    "confidence": "nbrank.explore_confidence(scores)",
    "elimination": "nbrank.explore_elimination(scores)",
}
CODE = """
import nbrank
from nbrank.datasets import load_llm_chat
scores = load_llm_chat().droplevel("group", axis=1)
three = {"first": scores.columns[:9], "second": scores.columns[9:16], "third": scores.columns[16:]}
"""


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    pytest.importorskip("voila", reason="Voila is not installed")
    if not CHROMIUM:
        pytest.skip("there is no Chromium on this machine (Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def address(browser, tmp_path_factory):
    """Where Voila serves a notebook for each explorer."""
    folder = tmp_path_factory.mktemp("voila")
    for name, code in EXPLORERS.items():
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(CODE + code)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, folder / f"{name}.ipynb")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "voila", str(folder), "--no-browser", f"--port={port}"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    log = (folder / "voila.log").open("w")
    server = subprocess.Popen(
        [*command, "--Voila.ip=127.0.0.1"], stdout=log, stderr=subprocess.STDOUT, env=environment
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"{url}/voila/tree", timeout=5).close()
                break
            assert server.poll() is None, (folder / "voila.log").read_text()
            time.sleep(0.25)
        yield url
    finally:
        server.terminate()
        server.wait(30)
        log.close()


@pytest.fixture
def opened(browser, address):
    """Open an explorer; at the end there was no request elsewhere, and no error."""
    elsewhere, errors = [], []
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()

    def local_only(route):
        url = route.request.url
        if url.startswith((address, "data:", "blob:")):
            route.continue_()
            return
        if OF_VOILA not in url:
            elsewhere.append(url)
        # As an empty answer, so that no error is of Voila's icons.
        route.fulfill(status=200, content_type="text/css", body="")

    page.route("**/*", local_only)
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))

    def open_(name):
        page.goto(f"{address}/voila/render/{name}.ipynb", timeout=PATIENCE)
        page.wait_for_selector(".nbrank-words p", timeout=PATIENCE)
        page.wait_for_selector(".vega-embed svg, .vega-embed canvas", timeout=PATIENCE)
        return page

    yield open_
    context.close()
    assert elsewhere == []
    assert errors == []


def words(page):
    return page.locator(".nbrank-words").inner_text()


def press(page, keys, which=0):
    """Move a slider by keyboard, and wait until the words say something else."""
    before = words(page)
    handle = page.locator(".noUi-handle").nth(which)
    handle.focus()
    for key in keys:
        handle.press(key)
    page.wait_for_function(
        "before => document.querySelector('.nbrank-words').innerText !== before",
        arg=before,
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("name", EXPLORERS)
def test_it_opens_and_says_what_one_sees(opened, name):
    page = opened(name)
    assert len(words(page)) > 40
    assert page.locator(".nbrank-table tbody tr").count() > 0
    assert page.locator(".vega-embed").first.bounding_box()["width"] > 200


@pytest.mark.parametrize("width", [1200, 800])
def test_nothing_is_cut_off_at_the_side(opened, width):
    page = opened("explore")
    page.set_viewport_size({"width": width, "height": 900})
    wider = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wider <= 0


def test_a_slider_moved_by_keyboard_changes_the_ranking(opened):
    page = opened("explore")
    table = page.locator(".nbrank-table tbody")
    before = table.inner_text()
    press(page, ["End"])
    assert "You changed the weight of" in words(page)
    press(page, ["End"], which=1)
    press(page, ["End"], which=2)
    assert table.inner_text() != before


def test_a_share_deleted_by_keyboard_is_said(opened):
    page = opened("missing")
    assert "Nothing is deleted yet" in words(page)
    press(page, ["ArrowRight"])
    assert "scores deleted" in words(page)


def test_delta_moved_by_keyboard_moves_the_groups(opened):
    page = opened("confidence")
    assert "With 95 % confidence" in words(page)
    press(page, ["End"])
    assert "With 50 % confidence" in words(page)


def test_rounds_are_stepped_through_by_keyboard(opened):
    page = opened("elimination")
    assert words(page).startswith("Round 1 of")
    press(page, ["ArrowRight"])
    assert words(page).startswith("Round 2 of")
    press(page, ["End"])
    assert "DeepSeek-V3 wins by baldwin." in words(page)


def test_another_system_has_other_weights(opened):
    page = opened("weights")
    assert page.locator(".vega-embed").count() == 2
    before = words(page)
    page.get_by_label("system").select_option("DeepSeek-V2.5-0905")
    page.wait_for_function(
        "before => document.querySelector('.nbrank-words').innerText !== before", arg=before
    )
    assert "No weights make DeepSeek-V2.5-0905 win" in words(page)
