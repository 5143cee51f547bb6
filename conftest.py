"""Hooks of the whole test run: what --full adds, notebooks, and data that can't be had."""

import doctest
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent

# A notebook's kernel runs in notebooks/: a relative folder has to mean the same there.
if os.environ.get("NBRANK_DATA_DIR"):
    os.environ["NBRANK_DATA_DIR"] = str(Path(os.environ["NBRANK_DATA_DIR"]).resolve())

# A process a core runs tests already: threads of numpy's linear algebra would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Whether a progress bar shows hangs on the machine's speed, and is no output of a notebook's.
os.environ["TQDM_DISABLE"] = "1"

#: What only --full runs, since it takes minutes or needs other programs.
FULL = (
    "Binder, browsers, lint and types, pandas' own tests, the benchmarks' report, papers, lessons, "
    "and what takes over a third of a second"
)
#: Notebooks, and tests by their ids, that only --full runs: each takes over a third of a second.
FULL_ONLY = ROOT / "tests" / "full_only.txt"
#: How many of these tests were left out.
LEFT_OUT = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help=f"run these, too: {FULL}")
    parser.addoption("--effort", type=int, default=1, help="how many times as much searches try")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"full: one of those that --full runs: {FULL}")
    config.addinivalue_line("markers", "source: reads the project's files alone, not what they do")
    # This process hands out the files, in the order in which its workers have sorted the tests.
    config.option.loadscopereorder = False
    config.option.nbval_sanitize_with = str(ROOT / "tests" / "nbval_sanitize.cfg")
    # After one failed connection there is no network for this run: not a time-out per file.
    from nbrank.datasets import cache

    cache.download = _Once(cache.download)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Keep one more process than cores with --full: there many tests wait for a page to answer."""
    return (os.cpu_count() or 1) + 1 if config.option.full else None


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run benchmarks one after the other: two at a time would time each other."""
    if _asks_for_benchmarks(config):
        config.option.numprocesses = None
        config.option.dist = "no"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave benchmarks out of the ordinary run."""
    return (
        True if collection_path.name == "benchmarks" and not _asks_for_benchmarks(config) else None
    )


def _asks_for_benchmarks(config: pytest.Config) -> bool:
    return any("benchmarks" in argument for argument in config.args)


class _Once:
    """A download that gives up for good once a connection has failed."""

    def __init__(self, download: Any) -> None:
        self.download = download
        self.failed: OSError | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        if self.failed is not None:
            raise self.failed
        from requests import exceptions

        try:
            self.download(*args, **kwargs)
        except (exceptions.ConnectionError, exceptions.Timeout) as error:
            self.failed = error
            raise


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    listed = set(FULL_ONLY.read_text("utf-8").splitlines()) if FULL_ONLY.exists() else set()
    left_out = [] if config.option.full else [x for x in items if _is_for_full(x, listed)]
    config.stash[LEFT_OUT] = len(left_out)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not _is_for_full(item, listed)]
    # One worker runs all of a file: what takes minutes would keep the others waiting at the end.
    items.sort(key=_is_quick)
    for item in items:
        if isinstance(item.path, Path) and item.path.suffix == ".ipynb":
            # A drawing's text is laid out with the fonts of the machine, like the PNG files that
            # nbval passes over: the tables beside the charts are what is compared.
            item.parent.skip_compare += ("image/svg+xml",)  # type: ignore[union-attr]


def _is_quick(item: pytest.Item) -> bool:
    """Tell what starts no browser, kernel or type checker."""
    return item.get_closest_marker("full") is None and item.path.suffix != ".ipynb"


def _is_for_full(item: pytest.Item, listed: set[str]) -> bool:
    return (
        item.get_closest_marker("full") is not None
        or item.nodeid in listed
        or item.nodeid.partition("::")[0] in listed
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    # A worker of pytest-xdist tells the process that prints; each worker collects all tests.
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    # A worker that died has no output.
    output = getattr(node, "workeroutput", {"left_out": 0})
    node.config.stash[LEFT_OUT] = max(node.config.stash.get(LEFT_OUT, 0), output["left_out"])


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say how many tests are left out, and how to run them."""
    if left_out := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(f"LEFT OUT [{left_out}] {FULL}: run with --full")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a notebook from the first cell on that names a fetcher whose files can't be had."""
    if item.path.suffix == ".ipynb":
        from nbrank.datasets import cache

        cells = item.parent.nb.cells  # type: ignore[union-attr]
        code = [cell.source for cell in cells if cell.cell_type == "code"]
        until = item.cell_num + 1  # type: ignore[attr-defined]
        try:
            for file in cache.find_fetched_files("\n".join(code[:until])):
                cache.fetch_file(file)
        except cache.DataUnavailableError as error:
            pytest.skip(str(error))
        if "rerun_sst5_baselines" in _code_of_cell(item):
            skip_without_sentiment_extra()


def _code_of_cell(item: pytest.Item) -> str:
    """Look up the code of the cell that a test of a notebook runs."""
    return str(item.cell.source)  # type: ignore[attr-defined]


def skip_without_sentiment_extra() -> None:
    """Skip the one cell that prints something else without the extra `sentiment`."""
    from importlib.util import find_spec

    from nbrank.experiments.sentiment_baselines import REQUIRED

    if missing := [module for module in REQUIRED if find_spec(module) is None]:
        pytest.skip(f"{', '.join(missing)}: pip install 'nbrank[sentiment]'")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Generator[None, object, object]:
    """Skip the tests of a fixture whose data can't be had."""
    from nbrank.datasets import cache

    try:
        return (yield)
    except cache.DataUnavailableError as error:
        pytest.skip(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skip a test or an example whose data can't be had; any other error stays one."""
    from nbrank.datasets import cache

    try:
        return (yield)
    except cache.DataUnavailableError as error:
        pytest.skip(str(error))
    except doctest.UnexpectedException as failure:
        if isinstance(failure.exc_info[1], cache.DataUnavailableError):
            pytest.skip(str(failure.exc_info[1]))
        raise
