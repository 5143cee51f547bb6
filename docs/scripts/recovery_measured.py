"""Where scores are missing, which rule recovers the order of the full table?

python docs/scripts/recovery_measured.py            prints the table (five minutes on a quiet core)
python docs/scripts/recovery_measured.py --write    also writes docs/recovery_measured.md
python docs/scripts/recovery_measured.py --tables 3                a quick look, never written
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import nbrank
from nbrank.agreement import kendall_tau

TABLES = 200
TEXT = """\
# Which rule recovers the full order where scores are missing

Written by `python docs/scripts/recovery_measured.py --write`; seeds are fixed.

Scores are deleted from three complete tables, 200 times in each way, and each rule ranks what is
left. A cell is the mean of Kendall's tau with the order of the full table, by the mean or by Borda;
the standard error by chance is at most {error:.3f}. Scores are deleted at random; or the worse they
are on their task, the more likely, as where results are left out that look bad; or systems lack the
tasks that are newer than they are. `bradley_terry` has a prior of 0.1; `mean` is over the scores
that are there; `borda` counts by places with missing scores anywhere, as is its default.

{verdict}
"""
HEADINGS = ("table", "missing", "how", "truth", "bradley_terry", "borda", "mean_win_rate", "mean")


def at_random(rng: np.random.Generator, values: np.ndarray, share: float) -> np.ndarray:
    """Every score alike."""
    missing: np.ndarray = rng.random(values.shape) < share
    return missing


def the_worse(rng: np.random.Generator, values: np.ndarray, share: float) -> np.ndarray:
    """A score that is worse on its task is more likely missing."""
    place = pd.DataFrame(values).rank(ascending=False, pct=True).to_numpy()
    likely = np.minimum(2 * share * place, 0.95)
    missing: np.ndarray = rng.random(values.shape) < likely * share / likely.mean()
    return missing


def newer_tasks(rng: np.random.Generator, values: np.ndarray, share: float) -> np.ndarray:
    """A system has the tasks that were there when it came, and some that came later."""
    n_systems, n_tasks = values.shape
    system, task = rng.random((n_systems, 1)), rng.random((1, n_tasks))
    lag = task - system + rng.normal(0, 0.1, values.shape)
    return np.asarray(lag > np.quantile(lag, 1 - share))


WAYS = {"at random": at_random, "the worse": the_worse, "newer tasks": newer_tasks}
RULES: dict[str, Callable[[pd.DataFrame], pd.DataFrame]] = {
    "bradley_terry": partial(nbrank.bradley_terry, prior=0.1),
    "borda": nbrank.borda,
    "mean_win_rate": nbrank.mean_win_rate,
    "mean": partial(nbrank.mean, missing="ignore"),
}


def delete(rng: np.random.Generator, table: pd.DataFrame, way: str, share: float) -> pd.DataFrame:
    """A table with such a share of its scores missing, in which each system has two at least."""
    values = table.to_numpy(dtype=float)
    missing = WAYS[way](rng, values, share)
    for row in missing:
        kept = rng.permutation(len(row))[:2]
        if (~row).sum() < 2:
            row[kept] = False
    for column in missing.T:
        if (~column).sum() < 2:
            column[rng.permutation(len(column))[:2]] = False
    return table.mask(missing)


def measure(tables: int) -> Iterator[tuple[tuple[str, ...], np.ndarray, float]]:
    """The cells of each row, the taus, and their largest standard error."""
    full = {
        "SuperGLUE, 24 x 14": nbrank.datasets.load_superglue_submissions(),
        "GLUE, 105 x 14": nbrank.datasets.load_glue_submissions(),
        "GEM": nbrank.datasets.load_gem(),
    }
    for name, table in full.items():
        label = name if " x " in name else f"{name}, {table.shape[0]} x {table.shape[1]}"
        truths = {"mean": nbrank.mean(table), "Borda": nbrank.borda(table)}
        for share in (0.3, 0.6):
            for way in WAYS:
                rng = np.random.default_rng(int.from_bytes(f"{name}{share}{way}".encode()) % 2**32)
                taus = np.empty((tables, len(truths), len(RULES)))
                for number in range(tables):
                    rest = delete(rng, table, way, share)
                    for place, rule in enumerate(RULES.values()):
                        ranked = rule(rest)
                        taus[number, :, place] = [
                            kendall_tau(ranked, truth) for truth in truths.values()
                        ]
                errors = taus.std(axis=0) / np.sqrt(tables)
                for truth, each, error in zip(truths, taus.mean(axis=0), errors, strict=True):
                    yield (label, f"{share:.0%}", way, truth), each, float(error.max())


def verdict(taus: np.ndarray) -> str:
    """How often each rule is the best of the four."""
    best = taus.argmax(axis=1)
    counts = [f"{rule} in {(best == place).sum()}" for place, rule in enumerate(RULES)]
    ahead = (taus[:, 0] > taus[:, 1]).sum()
    return (
        f"Of {len(taus)} settings, the best is {', '.join(counts)}. bradley_terry is ahead of "
        f"borda in {ahead}."
    )


def main() -> None:
    """Print the table, and write it where one asks for that."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write docs/recovery_measured.md")
    parser.add_argument("--tables", type=int, default=TABLES, help="so many tables of each row")
    given = parser.parse_args()
    lines, rows, largest = [HEADINGS, ("---",) * len(HEADINGS)], [], 0.0
    for cells, taus, error in measure(given.tables):
        lines.append((*cells, *(f"{tau:.3f}" for tau in taus)))
        rows.append(taus)
        largest = max(largest, error)
        print(f"| {' | '.join(lines[-1])} |", flush=True)
    said = verdict(np.array(rows))
    print(said)
    if given.write and given.tables == TABLES:
        table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        path = Path(__file__).parents[1] / "recovery_measured.md"
        path.write_text(f"{TEXT.format(error=largest, verdict=said)}\n{table}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
