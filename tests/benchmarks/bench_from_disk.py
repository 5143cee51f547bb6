"""Ranking from Parquet files, a row for each score

Each contender reads and ranks in a process of its own, whose peak memory is taken at the end. The
same ranking, Borda's over all instances, is asked of all, and has to come out the same to the last
bit.
"""

import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

N_SYSTEMS = 16
SYSTEMS = [f"s{number:02d}" for number in range(N_SYSTEMS)]


def write(path, systems, task, n_instances, seed):
    """One system's scores after the other's."""
    scores = np.random.default_rng(seed).random((len(systems), n_instances), dtype=np.float32)
    codes = np.repeat(np.arange(len(systems), dtype=np.int32), n_instances)
    columns = {
        "system": pa.DictionaryArray.from_arrays(codes, systems),
        "task": pa.DictionaryArray.from_arrays(np.zeros(len(codes), dtype=np.int32), [task]),
        "instance": np.tile(np.arange(n_instances), len(systems)),
        "score": scores.ravel(),
    }
    parquet.write_table(pa.table(columns), path)


def write_by_task(folder, n_tasks, n_instances):
    for number in range(n_tasks):
        task = f"t{number:02d}"
        write(folder / f"{task}.parquet", SYSTEMS, task, n_instances, number)


def write_by_system(folder, n_instances):
    """One task, a file for each system, so that an instance's scores are far apart."""
    for number, system in enumerate(SYSTEMS):
        write(folder / f"{system}.parquet", [system], "t", n_instances, number)


@pytest.fixture
def folder():
    """A folder that goes with the test: pytest keeps its own, and this one is of a gigabyte."""
    with tempfile.TemporaryDirectory() as path:
        yield Path(path)


@pytest.fixture(scope="module")
def sixteen_million():
    with tempfile.TemporaryDirectory() as path:
        write_by_task(Path(path), 10, 100_000)
        yield path


CODE = {
    "nbrank": """
import nbrank, pyarrow.parquet
start = time.perf_counter()
columns = {"system": "system", "task": "task", "instance": "instance", "score": "score"}
found = nbrank.from_parquet(sys.argv[1], **columns).borda(levels=1)["score"]
""",
    "polars": """
import polars
start = time.perf_counter()
places = polars.col("score").rank("average").over("task", "instance") - 1
ranked = polars.scan_parquet(sys.argv[1]).with_columns(points=places)
found = dict(ranked.group_by("system").agg(polars.col("points").sum()).collect().iter_rows())
""",
    "pandas": """
import pandas
start = time.perf_counter()
long = pandas.read_parquet(sys.argv[1])
places = long.groupby(["task", "instance"], observed=True)["score"].rank() - 1
found = places.groupby(long["system"], observed=True).sum()
""",
}


def program(contender):
    """A contender's code, with the clock stopped and the peak taken at its end."""
    return f"""
import json, sys, time
{CODE[contender]}
end = time.perf_counter()
found = {{str(system): float(points) for system, points in found.items()}}
print(json.dumps({{"seconds": end - start, "peak": peak(), "found": found}}))
"""


@pytest.mark.parametrize("contender", CODE)
def test_ranking(race_of_processes, sixteen_million, contender):
    question = "σ^l of 16 systems x 1,000,000 instances, Parquet files"
    rounds, at_least = {"nbrank": (3, 1), "polars": (3, 1), "pandas": (1, 3)}[contender]
    code = program(contender)
    race_of_processes(question, contender, code, sixteen_million, rounds=rounds, at_least=at_least)


@pytest.mark.parametrize("layout", ["20 files, one for each task", "16 files, one for each system"])
def test_131_million_scores(benchmark, within, in_a_fresh_process, folder, layout):
    if "task" in layout:
        write_by_task(folder, 20, 410_000)
    else:
        write_by_system(folder, 8_200_000)
    arguments = (program("nbrank"), folder)
    run = benchmark.pedantic(in_a_fresh_process, args=arguments, rounds=1)
    what = f"131,200,000 scores from Parquet, {layout}"
    within(f"{what}: peak memory", run["peak"] / 2**30, 2, "GiB")
    within(what, run["seconds"], 30, "s")
