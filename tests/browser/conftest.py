"""What the tests in a real browser share: the system's Chromium, Voila, and a page that is watched.

A page loads nothing from elsewhere than the loopback, and its console shows no error: the fixture
`opened` checks both at the end of each test.
"""

import contextlib
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from hashlib import sha256
from pathlib import Path

import pooch
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
#: JupyterLite's extension, if it is installed for the site, asks for more than Voila has.
NOT_FOR_VOILA = "--VoilaConfiguration.extension_denylist=@jupyterlite/pyodide-kernel-extension"
#: Milliseconds; on a busy machine a kernel takes a minute to import everything.
PATIENCE = 240_000
#: What anywidget says of a chart that could not start within two seconds, and then follows no
#: change any more. Only a busy machine is so slow; as a user would, one opens the page again.
TOO_BUSY = "[anywidget] Failed to initialize model."


@pytest.fixture(scope="session")
def pyodide(in_browser):
    """A folder with Pyodide and all that nbrank imports, kept in the user's cache.

    PyPI has numpy, pandas and scipy for Pyodide only within one wheel, which an application carries
    for its own pages (106 MB, of which 60 are kept); every wheel is pinned by its hash.
    """
    pinned = Path(__file__).parent / "pyodide.txt"
    cache = Path(pooch.os_cache("nbrank"))
    kept = cache / f"pyodide-{sha256(pinned.read_bytes()).hexdigest()[:16]}"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            made = _distribution(pinned, Path(folder))
            in_browser.add_to_lock(made)
            try:
                made.replace(kept)
            except OSError:  # another process was faster
                if not kept.exists():
                    raise
    return kept


@pytest.fixture(scope="session")
def in_browser():
    """What the site's build does for Python on its pages."""
    pytest.importorskip("jupyterlite_sphinx", reason="JupyterLite is not installed")
    of_site = Path(__file__).parents[2] / "docs" / "in_browser.py"
    spec = importlib.util.spec_from_file_location("in_browser", of_site)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def vega_script(in_browser):
    """All that draws, as a browser's Python has it."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("there is no Node.js, or no npm (Debian: apt-get install nodejs npm)")
    return in_browser.vega_script()


def _distribution(pinned, folder):
    """Download the wheels, and unpack the one that carries the rest."""
    platforms = ["--platform=any", "--platform=manylinux2014_x86_64", "--python-version=3.12"]
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    run = subprocess.run(
        [*command, *platforms, "--require-hashes", f"--requirement={pinned}", f"--dest={folder}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode:
        pytest.skip(f"no Pyodide can be had: {run.stderr[-300:]}")
    made = folder / "pyodide"
    made.mkdir()
    (carrier,) = folder.glob("open_webui-*.whl")
    with zipfile.ZipFile(carrier) as archive:
        for name in archive.namelist():
            if "/frontend/pyodide/" in name and not name.endswith((".map", ".html", ".d.ts")):
                (made / Path(name).name).write_bytes(archive.read(name))
    carrier.unlink()
    # Of Pyodide's own list only what is there.
    path = made / "pyodide-lock.json"
    lock = json.loads(path.read_text())
    there = {file.name for file in made.iterdir()}
    lock["packages"] = {
        name: package for name, package in lock["packages"].items() if package["file_name"] in there
    }
    path.write_text(json.dumps(lock))
    for wheel in folder.glob("*.whl"):
        wheel.rename(made / wheel.name)
    return made


@pytest.fixture(scope="session")
def sync_api():
    """Playwright, where there is all that a page needs to be looked at."""
    found = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    pytest.importorskip("voila", reason="Voila is not installed")
    if not CHROMIUM:
        pytest.skip("there is no Chromium on this machine (Debian: apt-get install chromium)")
    found.expect.set_options(timeout=PATIENCE)
    return found


@pytest.fixture(scope="module")
def browser(sync_api):
    """A browser for a module: as long as it is there, its loop runs in every other test, too."""
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
            [*command, "--Voila.ip=127.0.0.1", NOT_FOR_VOILA],
            stdout=stream, stderr=subprocess.STDOUT, env=environment,
        )  # fmt: skip
        url = f"http://127.0.0.1:{port}"
        try:
            for _ in range(480):
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"{url}/voila/tree", timeout=5).close()
                    break
                assert server.poll() is None, log.read_text()
                time.sleep(0.25)
            yield url
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(scope="session")
def notebooks(tmp_path_factory):
    """The folder that Voila serves: put a notebook there, and open it."""
    return tmp_path_factory.mktemp("voila")


@pytest.fixture(scope="session")
def address(sync_api, notebooks, tmp_path_factory):
    """Where Voila serves the folder, until all tests are through."""
    log = tmp_path_factory.mktemp("voila-log") / "voila.log"
    with _voila(notebooks, log) as url:
        yield url


class _Pages:
    """Notebooks that are open; each is opened once, since a kernel takes long to start."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        self.elsewhere, self.errors, self.pages = [], [], {}

    def open(self, name, shows=(".nbrank-prose h2", ".nbrank-picture svg")):
        if name not in self.pages:
            self.pages[name] = self._load(name, shows)
        page = self.pages[name]
        page.bring_to_front()
        page.set_viewport_size({"width": 1200, "height": 900})
        return page

    def _load(self, name, shows):
        page = self.browser.new_page()
        page.route("**/*", self._local_only)
        page.on("console", lambda said: self.errors.append(said.text) if _error(said) else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        for _ in range(5):
            page.goto(f"{self.address}/voila/render/{name}.ipynb", timeout=PATIENCE)
            for selector in shows:
                page.wait_for_selector(selector, timeout=PATIENCE)
            if TOO_BUSY not in self.errors:
                break
            self.errors = [error for error in self.errors if error != TOO_BUSY]
        return page

    def _local_only(self, route):
        url = route.request.url
        if url.startswith((self.address, "data:", "blob:")):
            route.continue_()
            return
        if OF_VOILA not in url:
            self.elsewhere.append(url)
        # As an empty answer, so that no error is of Voila's icons.
        route.fulfill(status=200, content_type="text/css", body="")


def _error(said):
    return said.type == "error"


@pytest.fixture(scope="module")
def pages(browser, address):
    """The pages of a module, which its tests share."""
    shared = _Pages(browser, address)
    yield shared
    for page in shared.pages.values():
        page.close()


@pytest.fixture
def opened(pages):
    """Open a notebook, as other tests have left it; nothing may come from elsewhere meanwhile."""
    yield pages.open
    elsewhere, errors = pages.elsewhere, pages.errors
    pages.elsewhere, pages.errors = [], []
    assert elsewhere == []
    assert errors == []


@pytest.fixture
def expect(sync_api):
    """Wait for what a page is to show: it follows a click only after a while."""
    return sync_api.expect


@pytest.fixture
def cut_off():
    """How many pixels of a page stand out at the side, of a window so wide."""

    def measured(page, width):
        page.set_viewport_size({"width": width, "height": 900})
        # Voila's page scrolls in a box of its own; the window never has to.
        return page.evaluate(
            """() => Math.max(...[document.documentElement,
                 document.querySelector("#rendered_cells")].map(
                   box => box.scrollWidth - box.clientWidth))"""
        )

    return measured
