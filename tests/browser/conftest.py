"""What the tests in a real browser share: the system's Chromium, Voila, and a page that is watched.

A page loads nothing from elsewhere than the loopback, and its console shows no error: the fixture
`opened` checks both at the end of each test.
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


@contextlib.contextmanager
def _voila(folder, log):
    """Serve a folder of notebooks on a free loopback port; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "voila", str(folder), "--no-browser", f"--port={port}"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with log.open("w") as stream:
        server = subprocess.Popen(
            [*command, "--Voila.ip=127.0.0.1"],
            stdout=stream, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(120):
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"{url}/voila/tree", timeout=5).close()
                    break
                assert server.poll() is None, log.read_text()
                time.sleep(0.25)
            yield url
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(scope="module")
def voila(browser, tmp_path_factory):
    """Serve a folder of notebooks by Voila until the module's tests are through."""
    with contextlib.ExitStack() as servers:

        def serve(folder):
            log = tmp_path_factory.mktemp("voila-log") / "voila.log"
            return servers.enter_context(_voila(folder, log))

        yield serve


@pytest.fixture
def opened(browser, address):
    """Open a notebook of the module's `address`; in the end nothing came from elsewhere."""
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
