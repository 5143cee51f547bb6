"""The benchmarks as one report: pytest-benchmark's tables, and a summary that reads by itself.

    python -m pytest tests/benchmarks --benchmark-only

Three fixtures write the summary's three parts. `race` times the same question answered by nbrank
and by what people use today, `growth` fits how cost grows with a size, `within` holds a figure
against its limit. All of them assert what they print.
"""

import gc
import importlib.metadata
import inspect
import json
import os
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field

import numpy as np
import pytest

OURS = "nbrank"


@dataclass
class Report:
    """What the benchmarks of a run found, in the order in which they ran."""

    #: The seconds of each contender, by question: the shortest of its rounds.
    races: dict[str, dict[str, float]] = field(default_factory=dict)
    #: The peak memory of each contender in bytes, by question, where each ran in its own process.
    peaks: dict[str, dict[str, int]] = field(default_factory=dict)
    #: What the first contender found, by question.
    found: dict[str, object] = field(default_factory=dict)
    #: What grows, the sizes, their seconds, the slope of the log-log fit and its bound.
    fits: list[tuple[str, list[int], list[float], float, float]] = field(default_factory=list)
    #: What is bounded, its value, the limit, and the unit of both.
    limits: list[tuple[str, float, float, str]] = field(default_factory=list)


REPORT = pytest.StashKey[Report]()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    config.stash[REPORT] = Report()
    # Means and deviations say more about what else a machine does than about the code.
    config.option.benchmark_columns = ["min", "median", "rounds"]
    config.option.benchmark_sort = "min"
    config.option.benchmark_name = "short"


def pytest_collection_modifyitems(items):
    """Put each benchmark that names no group into the one that its file's first line describes."""
    for item in items:
        marker = item.get_closest_marker("benchmark")
        options = marker.kwargs if marker else {}
        if hasattr(item, "module") and "group" not in options:
            group = (inspect.getdoc(item.module) or item.path.stem).splitlines()[0]
            item.add_marker(pytest.mark.benchmark(**options, group=group), append=False)


@pytest.fixture
def report(pytestconfig):
    return pytestconfig.stash[REPORT]


@pytest.fixture
def race(benchmark, report):
    """Time one contender of a question; who is slower than us has to be `at_least` so by much.

    The contenders of a question are the parameters of one test, nbrank first, so that they run one
    after the other on the same data. A test compares a contender's result with nbrank's before.
    """

    def run(question, contender, function, *, rounds=5, warmup_rounds=1, at_least=1.0):
        benchmark.group = question
        benchmark.pedantic(function, rounds=rounds, warmup_rounds=warmup_rounds)
        times = report.races.setdefault(question, {})
        times[contender] = benchmark.stats.stats.min
        hold(times, contender, at_least)

    return run


@pytest.fixture
def race_of_processes(benchmark, report):
    """A race in which each contender runs in a new interpreter, for its memory to be its own.

    The code prints what it found as `found`, besides its `seconds` and its `peak()`, in JSON;
    every contender has to find the same.
    """

    def run(question, contender, code, *arguments, rounds=3, at_least=1.0):
        runs = []
        benchmark.group = f"{question} (with the start of Python)"
        benchmark.pedantic(lambda: runs.append(fresh(code, *arguments)), rounds=rounds)
        assert runs[0]["found"] == report.found.setdefault(question, runs[0]["found"])
        peaks = report.peaks.setdefault(question, {})
        peaks[contender] = max(run["peak"] for run in runs)
        times = report.races.setdefault(question, {})
        times[contender] = min(run["seconds"] for run in runs)
        hold(times, contender, at_least)

    return run


def hold(times, contender, at_least):
    if contender != OURS and OURS in times:
        assert times[contender] >= at_least * times[OURS]


@pytest.fixture
def growth(benchmark, report):
    """Fit how the work grows: sizes take turns; the slope of log work on log size is bounded."""

    def run(what, sizes, prepare, *, at_most, rounds=5):
        functions = [prepare(size) for size in sizes]
        seconds = least_work(rounds, *functions)
        slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        report.fits.append((what, list(sizes), seconds, slope, at_most))
        # pytest-benchmark's table shows the largest size.
        benchmark.pedantic(functions[-1], rounds=1)
        assert slope <= at_most

    return run


@pytest.fixture
def within(report):
    """Hold a figure against its limit, and say both."""

    def check(what, value, limit, unit):
        report.limits.append((what, value, limit, unit))
        assert value <= limit

    return check


@pytest.fixture(scope="session")
def in_a_fresh_process():
    """Run code in a new interpreter; what it prints last is its result, in JSON.

    The code may call `peak()`: the most memory that the process has had so far, in bytes.
    """
    return fresh


@pytest.fixture(scope="session")
def in_turns():
    """The least work of each function, over rounds in which they take turns.

    It is the processor's time of all threads, in seconds: where something else runs, a long
    function would find no quiet moment, and a short one would, as if cost grew faster.
    """
    return least_work


def least_work(rounds, *functions):
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, taken in zip(functions, times, strict=True):
            gc.collect()
            start = time.process_time()
            function()
            taken.append(time.process_time() - start)
    return [min(taken) for taken in times]


# The peak of the address space since exec: unlike ru_maxrss, which starts at the peak of the
# process that started this one. (Linux; elsewhere ru_maxrss has to do, in bytes on macOS.)
PEAK = """
def peak():
    import resource, sys
    try:
        with open("/proc/self/status") as status:
            return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else 1024 * most
"""


def fresh(code, *arguments):
    run = subprocess.run(
        [sys.executable, "-c", f"{PEAK}\n{code}", *map(str, arguments)],
        capture_output=True, text=True, check=False, env=os.environ | {"TQDM_DISABLE": "1"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


# ------------------------------------------------------------------------------------- the summary


@pytest.hookimpl(trylast=True)  # after pytest-benchmark's tables
def pytest_terminal_summary(terminalreporter, config):
    report = config.stash[REPORT]
    for title, lines in [
        ("against what people use today", race_lines(report)),
        ("how the work grows (processor time of all threads)", fit_lines(report)),
        ("limits", limit_lines(report)),
    ]:
        if lines:
            terminalreporter.section(title)
            for line in lines:
                terminalreporter.write_line(line)
    if report.races or report.fits or report.limits:
        terminalreporter.write_line("")
        terminalreporter.write_line(machine())


def race_lines(report):
    """The shortest of each contender's rounds, in this run, on the same data."""
    rows = []
    for question, times in report.races.items():
        if OURS not in times:
            continue
        rows.append((question,))
        peaks = report.peaks.get(question, {})
        for contender, seconds in times.items():
            row = (f"    {contender}", duration(seconds), ratio(contender, times))
            if peaks:
                row += (f"{peaks[contender] / 2**20:,.0f} MiB", ratio(contender, peaks))
            rows.append(row)
    return table(rows)


def ratio(contender, figures):
    return "" if contender == OURS else f"x {figures[contender] / figures[OURS]:,.1f}"


def fit_lines(report):
    rows = []
    for what, sizes, seconds, slope, at_most in report.fits:
        rows.append((what, f"slope {slope:.2f}", f"at most {at_most:.2f}"))
        listed = (f"{size:,}: {duration(time)}" for size, time in zip(sizes, seconds, strict=True))
        rows.append((f"    {', '.join(listed)}",))
    return table(rows)


def limit_lines(report):
    return table(
        [
            (what, f"{value:,.2f} {unit}", f"at most {limit:,.2f} {unit}")
            for what, value, limit, unit in report.limits
        ]
    )


def table(rows):
    """Lines of the rows: a row of one cell is a line of text, the others share their columns."""
    width = max((len(row[0]) for row in rows if len(row) > 1), default=0)
    lines = []
    for first, *others in rows:
        cells = (f"  {cell:>{9 if place % 2 else 14}}" for place, cell in enumerate(others))
        lines.append(f"{first:<{width if others else 0}}{''.join(cells)}".rstrip())
    return lines


def duration(seconds):
    """Three digits, in the largest unit of which it is at least one."""
    units = {"s": 1, "ms": 1e3, "µs": 1e6}
    unit = next((unit for unit, factor in units.items() if seconds * factor >= 1), "µs")
    return f"{seconds * units[unit]:.3g} {unit}"


def machine():
    names = ["numpy", "pandas", "scipy", "polars", "choix", "evalica", "corankco", "numba"]
    versions = []
    for name in names:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{system}; Python {platform.python_version()}, {', '.join(versions)}"
