"""What the site needs for nbrank to run in the reader's browser: packages, notebooks, settings.

Python itself (Pyodide) comes from its CDN when a page asks for it, with numpy, pandas and scipy.
The site adds what is missing there. Where the environment variable `NBRANK_PYODIDE` names a
folder with a whole distribution, the site carries that one, and asks for nothing elsewhere.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import Parser
from hashlib import sha256
from pathlib import Path
from typing import Any

import altair as alt
from jupyterlite_pyodide_kernel.constants import PYODIDE_CDN_URL, PYODIDE_VERSION
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

#: The Python that Pyodide is.
PYTHON = "3.14"

#: Pure packages that nbrank needs and Pyodide's own distribution has not.
PACKAGES = ("anywidget", "comm", "ipywidgets", "jupyterlab-widgets", "pooch", "psygnal")
#: What draws: the Vega-Lite that Altair writes for, and what it needs.
VEGA = {"vega": "6", "vega-lite": alt.SCHEMA_VERSION.removeprefix("v")}
#: Extensions of the Jupyter that builds the site, which ask for a server.
NEED_A_SERVER = ["@voila-dashboards/jupyterlab-preview"]


def write_browser_files(docs: Path, notebooks: tuple[str, ...]) -> None:
    """Write the folders that go into the site: `_pyodide` as it is, `_lite` by JupyterLite.

    `notebooks` run there, those whose names begin so.
    """
    pyodide, lite = docs / "_pyodide" / "pyodide", docs / "_lite"
    for folder in (pyodide.parent, lite):
        shutil.rmtree(folder, ignore_errors=True)
    lite.mkdir()
    # JupyterLite writes its settings once, and takes the next site's for written.
    (docs / ".jupyterlite.doit.db").unlink(missing_ok=True)
    local = os.environ.get("NBRANK_PYODIDE")
    if local:
        shutil.copytree(local, pyodide)
    else:
        pyodide.mkdir(parents=True)
        _write_lock_of_the_cdn(pyodide)
    _add_packages(pyodide)
    _pip("wheel", "--no-deps", "-w", str(pyodide), str(docs.parent))
    (wheel,) = pyodide.glob("nbrank-*.whl")
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("nbrank/charts/vega.js", vega_script())
    add_to_lock(pyodide)
    # What jupyterlite-sphinx looks for on every page with an example: where to show no button.
    (pyodide.parent / "try_examples.json").write_text("{}")
    (lite / "jupyter-lite.json").write_text(json.dumps(settings(whole=bool(local))))
    for notebook in (docs.parent / "notebooks").glob("*.ipynb"):
        if notebook.name.startswith(notebooks):
            _write_notebook(notebook, lite)


def _add_packages(folder: Path) -> None:
    """Download those of the packages that are not in the folder."""
    there = {wheel.name.split("-")[0] for wheel in folder.glob("*.whl")}
    missing = [name for name in PACKAGES if name.replace("-", "_") not in there]
    pure = ("--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYTHON}")
    if missing:
        _pip("download", *pure, "-d", str(folder), *missing)


def add_script(site: Path) -> None:
    """Have the pages on which Python runs say what to do where it doesn't come, and link well."""
    script = '<script src="../../_static/in_browser.js" defer></script></head>'
    for page in (site / "lite" / app / "index.html" for app in ("notebooks", "repl")):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("</head>", script, 1), encoding="utf-8")


def add_to_lock(folder: Path) -> None:
    """Tell Pyodide of the wheels beside its list of packages, so that an import loads them."""
    path = folder / "pyodide-lock.json"
    lock = json.loads(path.read_text(encoding="utf-8"))
    packages = lock["packages"]
    listed = {package["file_name"] for package in packages.values()}
    added = [_entry(wheel) for wheel in sorted(folder.glob("*.whl")) if wheel.name not in listed]
    packages |= {package["name"]: package for package in added}
    for package in added:
        # JupyterLite brings what a widget needs of its page.
        package["depends"] = [name for name in package["depends"] if name in packages]
    path.write_text(json.dumps(lock), encoding="utf-8")


def _entry(wheel: Path) -> dict[str, Any]:
    """What Pyodide's list says of a package."""
    with zipfile.ZipFile(wheel) as archive:
        files = archive.namelist()
        (metadata,) = (name for name in files if name.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(archive.read(metadata).decode())
    needs = map(Requirement, said.get_all("Requires-Dist", []))
    there = {"sys_platform": "emscripten", "python_version": PYTHON, "extra": ""}
    return {
        "name": canonicalize_name(said["Name"]),
        "version": said["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(
            {file.split("/")[0].removesuffix(".py") for file in files if file.endswith(".py")}
        ),
        "depends": [
            canonicalize_name(need.name)
            for need in needs
            if need.marker is None or need.marker.evaluate(there)
        ],
        "unvendored_tests": False,
    }


def settings(*, whole: bool) -> dict[str, Any]:
    """What JupyterLite is told: where Pyodide is, and where the list of its packages."""
    kernel: dict[str, Any] = {
        "loadPyodideOptions": {"lockFileURL": "./../pyodide/pyodide-lock.json"},
    }
    if whole:
        kernel |= {"pyodideUrl": "./../pyodide/pyodide.mjs", "disablePyPIFallback": True}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "nbrank",
            "disabledExtensions": NEED_A_SERVER,
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }


def vega_script() -> str:
    """All that draws, from the packages on npm: a browser's Python has no vl-convert.

    Nothing of it is seen by other scripts of a page, and nothing of theirs by it.
    """
    scripts = [
        re.sub(r"//# sourceMappingURL=.*", "", _from_npm(name, version, f"build/{name}.min.js"))
        for name, version in VEGA.items()
    ]
    inside = "((globalThis, define, exports, module) => {\n%s\nreturn globalThis;\n})({})"
    return f"globalThis.nbrankVega ??= {inside % chr(10).join(scripts)};\n"


def _from_npm(package: str, version: str, file: str) -> str:
    """The text of a file of a package."""
    with tempfile.TemporaryDirectory() as temporary:
        command = ["npm", "pack", "--silent", f"{package}@{version}"]
        subprocess.run(command, cwd=temporary, check=True, stdout=subprocess.DEVNULL)
        (packed,) = Path(temporary).glob("*.tgz")
        with tarfile.open(packed) as archive:
            found = archive.extractfile(f"package/{file}")
            assert found is not None
            return found.read().decode()


def _write_lock_of_the_cdn(folder: Path) -> None:
    lock = json.loads(_from_npm("pyodide", PYODIDE_VERSION, "pyodide-lock.json"))
    for package in lock["packages"].values():
        package["file_name"] = f"{PYODIDE_CDN_URL}/{package['file_name']}"
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "--quiet", *arguments], check=True)


def _write_notebook(notebook: Path, folder: Path) -> None:
    """Copy it without its outputs: widgets that no kernel runs show an error."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell |= {"outputs": [], "execution_count": None}
    (folder / notebook.name).write_text(json.dumps(content), encoding="utf-8")
