"""binder/ builds an environment in which the notebooks run, and the README's badges open them.

As Binder does: a fresh virtual environment of the Python that runtime.txt names (where this machine
has it), pip with requirements.txt from the project's root, then postBuild, then a Jupyter server.
"""

import ast
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest

from nbrank.datasets import cache

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[1]
BINDER = ROOT / "binder"
PYTHON = (BINDER / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
BADGES = re.findall(
    r"\]\((https://mybinder\.org/v2/[^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8")
)


def interpreter():
    """A Python of Binder's version, or else the one that runs this."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    candidates = [shutil.which(f"python{PYTHON}"), *pyenv.glob(f"versions/{PYTHON}.*/bin/python")]
    for candidate in filter(None, candidates):
        # A shim of that name may be there without the Python behind it.
        asked = subprocess.run([candidate, "-c", "import venv"], capture_output=True, check=False)
        if asked.returncode == 0:
            return str(candidate)
    return sys.executable


class Built:
    """The project as Binder has it: its files, and an environment of its own."""

    def __init__(self, root, data):
        self.root = root
        # No setting, kernel or data of the user who runs the tests.
        own = {"PYTHONPATH", "VIRTUAL_ENV", "NBRANK_ACCESSOR"}
        self.environment = {k: v for k, v in os.environ.items() if k not in own} | {
            "PATH": f"{root / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "JUPYTER_CONFIG_DIR": str(root / "jupyter-config"),
            "JUPYTER_DATA_DIR": str(root / "jupyter-data"),
            "NBRANK_DATA_DIR": str(data),
        }

    def run(self, *command):
        return subprocess.run(
            command,
            cwd=self.root, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def python(self, *arguments):
        return self.run(str(self.root / "venv" / "bin" / "python"), *arguments)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    root = tmp_path_factory.mktemp("binder")
    for name in ("binder", "nbrank", "notebooks"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, root)
    subprocess.run([interpreter(), "-m", "venv", str(root / "venv")], check=True)
    built = Built(root, cache.data_folder())
    # Not compiled: Python compiles what it imports, which is a small part.
    pip = [*("-m", "pip", "install", "--quiet", "--no-compile"), "-r", "binder/requirements.txt"]
    installed = built.python(*pip)
    if installed.returncode != 0:
        anything = [*("-m", "pip", "download", "--quiet", "--no-deps"), "--dest", str(root), "pip"]
        if built.python(*anything).returncode != 0:
            pytest.skip("there is no package index to build Binder's environment from")
    assert installed.returncode == 0, installed.stderr
    return built


def test_every_module_that_a_notebook_imports_is_installed(built):
    modules = {
        name
        for notebook in (ROOT / "notebooks").glob("*.ipynb")
        for cell in nbformat.read(notebook, as_version=4).cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    code = (
        "import sys; from importlib.util import find_spec; "
        "print([name for name in sys.argv[1:] if find_spec(name) is None])"
    )
    found = built.python("-c", code, *sorted({name.split(".")[0] for name in modules}))
    assert found.stdout.strip() == "[]", found.stderr


def test_post_build_fetches_every_file(built):
    fetched = built.run(str(BINDER / "postBuild"))
    assert fetched.returncode == 0, fetched.stderr
    paths = {Path(line) for line in fetched.stdout.splitlines()}
    missing = [file for file in cache.registry() if cache.data_folder() / file not in paths]
    if missing:
        assert missing[0] in fetched.stderr
        pytest.skip(fetched.stderr.splitlines()[0])


def test_post_build_names_what_it_can_not_have_and_goes_on(built, tmp_path):
    nowhere = {"NBRANK_DATA_DIR": str(tmp_path), "HTTPS_PROXY": "http://127.0.0.1:9"}
    environment = built.environment | nowhere | {"https_proxy": nowhere["HTTPS_PROXY"]}
    fetched = subprocess.run(
        [str(BINDER / "postBuild")], env=environment, capture_output=True, text=True, check=False
    )
    assert fetched.returncode == 0
    assert fetched.stdout == ""
    for file in cache.registry():
        assert f"{file} (" in fetched.stderr


def test_the_quickstart_runs_by_that_environments_own_kernel(built):
    run = built.run(
        *("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output-dir", "executed"),
        "notebooks/quickstart.ipynb",
    )
    assert run.returncode == 0, run.stderr
    notebook = nbformat.read(built.root / "executed" / "quickstart.ipynb", as_version=4)
    version = built.python("-c", "import platform; print(platform.python_version())")
    assert notebook.metadata.language_info.version == version.stdout.strip()
    committed = nbformat.read(ROOT / "notebooks" / "quickstart.ipynb", as_version=4)
    assert shown(notebook) == shown(committed)


def shown(notebook):
    """What the cells print, or show as text."""
    return [
        output.get("text") or output.data["text/plain"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]


@pytest.fixture(scope="module")
def address(built):
    """Where the environment's Jupyter server answers."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        *("jupyter", "server", "--no-browser", "--allow-root", "--ip=127.0.0.1"),
        *(f"--port={port}", "--IdentityProvider.token="),
    ]
    log = built.root / "server.log"
    with log.open("w") as stream:
        server = subprocess.Popen(
            command, cwd=built.root, env=built.environment, stdout=stream, stderr=stream
        )
        try:
            for _ in range(960):
                with contextlib.suppress(OSError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/api", timeout=5).close()
                    break
                assert server.poll() is None, log.read_text()
                time.sleep(0.25)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(30)


def opened_by(badge):
    """The path below the server that a badge opens."""
    return parse_qs(urlsplit(badge).query)["urlpath"][0]


def test_the_badges_open_the_quickstart_and_the_app():
    assert [opened_by(badge) for badge in BADGES] == [
        "lab/tree/notebooks/quickstart.ipynb",
        "voila/render/notebooks/app.ipynb",
    ]
    assert len({urlsplit(badge).path for badge in BADGES}) == 1


@pytest.mark.parametrize("badge", BADGES, ids=opened_by)
def test_the_server_answers_where_a_badge_leads(address, badge):
    with urllib.request.urlopen(f"{address}/{opened_by(badge)}", timeout=120) as answer:
        assert answer.status == 200
        page = answer.read().decode()
    if "voila" in badge:
        # Voila answers with a page, too, where a cell failed: it must hold the app's own words.
        assert "Which systems are best?" in page
        assert "24 systems on 14 tasks" in page
        assert "application/vnd.jupyter.widget-view+json" in page
