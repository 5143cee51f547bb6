"""How long a slider's move takes here and in another checkout, in turns on one machine.

`python tests/benchmarks/compare_slider.py OTHER_CHECKOUT` prints the processor's milliseconds for a
move on GLUE (105 x 14) with the picture: the median of each run, and the least of all.
"""

import asyncio
import itertools
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

ROUNDS, MOVES = 4, 31


def measure():
    """Move a slider in this checkout, as a kernel does, and print the median time."""
    import nbrank
    from nbrank.datasets import load_glue_submissions

    async def session():
        bench = nbrank.explore(load_glue_submissions())
        row, times = bench.sliders.names.index("WNLI"), []
        moves = itertools.islice(itertools.cycle([1.5, 2.0, 2.5]), MOVES + 3)
        for number, weight in enumerate(moves):
            start = time.thread_time()
            bench.sliders.moved = [row, weight, number + 1]
            times.append(1000 * (time.thread_time() - start))
        bench._later.cancel()
        return median(times[3:])

    sys.stdout.write(f"{asyncio.run(session())}\n")


def main():
    """Measure both checkouts in turns."""
    trees = {"here": Path(__file__).parents[2], "there": Path(sys.argv[1]).resolve()}
    found = {name: [] for name in trees}
    for _, (name, tree) in itertools.product(range(ROUNDS), trees.items()):
        run = subprocess.run(
            [sys.executable, __file__, "--measure"], cwd=tree.parent, check=True,
            env=os.environ | {"PYTHONPATH": str(tree)}, capture_output=True, text=True,
        )  # fmt: skip
        found[name].append(float(run.stdout))
    for name, times in found.items():
        each = ", ".join(f"{one:.1f}" for one in times)
        sys.stdout.write(f"{name}: {each}; least {min(times):.1f} ms\n")
    ratio = min(found["here"]) / min(found["there"])
    sys.stdout.write(f"here / there: {ratio:.2f}\n")


if __name__ == "__main__":
    measure() if sys.argv[1:] == ["--measure"] else main()
