"""How often does the set of the best keep them? A table by simulation.

python docs/scripts/coverage_best.py            prints it (an hour on a quiet core)
python docs/scripts/coverage_best.py --write    also writes docs/coverage_best.md
python docs/scripts/coverage_best.py --rows skewed               only such rows
python docs/scripts/coverage_best.py --tables 20                 a quick look, never written
"""

import argparse
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import nbrank
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import sign_flip_pair_tests
from nbrank.arrays.uncertainty.skewed_pair_tests import ENOUGH_UNITS, are_skewed
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.contributions import find_contributions
from nbrank.uncertainty.sampling_design import SamplingDesign

sys.path.insert(0, str(Path(__file__).parent))
from many_tables import best_p_values, bootstrap_p_values, draw_counts, draw_signs, split_tables

_TEXT = """\
# How often the set of the best keeps them

Written by `python docs/scripts/coverage_best.py --write`; seeds are fixed.

A row is one kind of table, drawn anew many times. `kept` is the share of the tables in which
`best_set` keeps a truly best system at 95 %; where several are best, that of the kind which it
keeps least often. `size` is the mean number of systems in the set. The first 400 tables of a row
are also asked for the set by the studentised bootstrap, and for the systems that may have rank 1
in the joint sets of `rank_confidence`. Twelve systems are equal; or one leads the others by 0.8
standard deviations of a score; or they are spread over two of them. Where nothing else is said,
the other rows have six systems, equal or spread over 1 or 3.

## Why signs are turned

Two methods were compared: signs of whole tasks are turned, and tasks are drawn anew (the
bootstrap, of one task fewer than there are: Rao and Wu, 1988). Both compare a system's largest lag
behind any other, in its own standard errors, with the largest in the draws.

- Turned signs hold exactly what they say where errors are as likely to point one way as the
  other, however few the tasks, and all patterns can be tried. For two systems they are the exact
  test. Among the rows by Borda, whose points have no far tails, none is below .94.
- By the mean, turned signs alone keep a best system with skewed scores too seldom, as the rows on 8
  tasks show: a few tasks on which it wins by far may be missing from the sample. The bootstrap
  keeps it more often. Its sets are larger where tasks are few, it is exact in no case, and it takes
  longer.

So signs are turned. From 14 tasks on, the bootstrap is asked, too, where scores are skewed: a
system is left out only if both leave it out. The bootstrap is easily misled by pairs of systems
that differ on hardly a task. So it compares those that signs leave out with those that they leave
in, and with no others. On GLUE by the mean, of 105 systems, signs alone leave 10 in, and both
leave 22.

## Where scores are skewed

Up to 150 tasks, or other units, scores are tested for skewness before they are averaged: the mean
skewness of the systems' scores, less what all systems have in common on a task, against the same
where the signs of tasks are turned. If p is at most .05, `best_set` asks both tests from 14 tasks
on, and `.attrs["tests"]` says so. Under 14 tasks
all signs are tried, and nothing else: the test of skewness often misses it, and the bootstrap knows
too little. Then `best_set` warns, and verdict, report, `summary` and command line say "at most
95 % confidence". `skewed` is the share of the tables with either.

The test sees scores that are skewed for many systems. It can't see the rare big wins of a single
system: where they are missing, nothing shows them, and one of them alone may be a heavy tail. If
you expect such wins, rank by Borda.
"""
_HEADINGS = (
    *("case", "tables", "kept", "Monte-Carlo error", "kept by the bootstrap"),
    *("size", "size by the bootstrap", "systems that may have rank 1", "skewed"),
)

#: The draws behind each p-value, unless all sign patterns are tried.
DRAWS = 999
DELTA = 0.05
N_SYSTEMS = 12
#: Tables of a row; fewer of the rows that begin so.
TABLES, FEWER_TABLES = 10_000, 2000
ROWS_OF_FEWER = (
    *("mean, 14 tasks, over errors", "borda, 12 groups of 3 tasks"),
    *("bradley_terry, 14 tasks", "borda, 24 systems, 14 tasks"),
)
#: The first tables of a row on tasks, which the bootstrap and joint rank sets are asked, too.
TABLES_FOR_OTHER_SETS = 400
#: Tables that are counted at a time, and those that share the signs that are drawn.
BLOCK, SHARED = 400, 25
#: How far the systems' qualities are apart, in standard deviations of a score.
SHAPES = {
    "equal": np.zeros(N_SYSTEMS),
    "one leader": np.r_[0.8, np.zeros(N_SYSTEMS - 1)],
    "spread": np.linspace(2, 0, N_SYSTEMS),
}
N_TASKS = (8, 14, 41)


def _normal(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return rng.normal(size=shape)


def _skewed(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Exponential errors, three times as wide for every second system."""
    wide = 1.0 + 2 * (np.arange(shape[0]) % 2)
    errors: np.ndarray = (rng.exponential(size=shape) - 1) * wide[:, None] / 2
    return errors


def _rare_wins(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Normal errors; the first wins by 4.5 on a tenth of the tasks, and is .5 behind elsewhere."""
    errors = rng.normal(size=shape)
    errors[0] += np.where(rng.random(shape[1]) < 0.1, 4.5, -0.5)
    return errors


def _heavy(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    """Student's t with 3 degrees of freedom, of variance 1."""
    errors: np.ndarray = rng.standard_t(3, size=shape) / np.sqrt(3)
    return errors


@dataclass(frozen=True)
class Kind:
    """One kind of scores: their errors, whether they are rounded, and the share that is missing."""

    errors: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
    rounded: bool = False
    missing: float = 0.0

    def scores(self, rng: np.random.Generator, quality: np.ndarray, n_tasks: int) -> np.ndarray:
        """A table, systems x tasks."""
        values: np.ndarray = quality[:, None] + self.errors(rng, (len(quality), n_tasks))
        if self.rounded:
            values = np.round(values)
        while self.missing > 0:
            missing = rng.random(values.shape) < self.missing
            if not missing.all(axis=1).any():
                values[missing] = np.nan
                return values
        return values


KINDS = {
    "normal": Kind(_normal),
    "skewed": Kind(_skewed),
    "rare big wins": Kind(_rare_wins),
    "heavy-tailed": Kind(_heavy),
    "ties": Kind(_normal, rounded=True),
    "30 % missing": Kind(_normal, missing=0.3),
}


@dataclass(frozen=True)
class Row:
    """What came of one kind of table."""

    name: str
    tables: int
    kept: float
    kept_by_bootstrap: float
    size: float
    size_by_bootstrap: float
    joint_size: float
    skewed: float

    @property
    def error(self) -> float:
        """The standard error of `kept` by chance if it counts one system a table: the largest."""
        share = min(self.kept, 1 - DELTA)
        return float(np.sqrt(share * (1 - share) / self.tables))

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the printed table."""
        shares = (self.kept, self.error, self.kept_by_bootstrap)
        sizes = (self.size, self.size_by_bootstrap, self.joint_size)
        shown = [*(f"{share:.3f}" for share in shares), *(f"{size:.1f}" for size in sizes)]
        shown.append(f"{self.skewed:.2f}")
        shown = ["" if text == "nan" else text for text in shown]
        return (self.name, f"{self.tables:,}", *shown)


def contributions(values: np.ndarray, rule: str) -> Contributions:
    """What each task adds, as `best_set` has it."""
    board = nbrank.Leaderboard(pd.DataFrame(values))
    bound = BoundRule.from_options(
        "best_set", rule, {"missing": "ignore"} if rule == "mean" else {}
    )
    added = find_contributions(board, bound, SamplingDesign.from_board(board, "tasks"))
    assert added is not None
    return added


def truly_best(
    kind: Kind, quality: np.ndarray, rule: str, rng: np.random.Generator
) -> list[np.ndarray]:
    """The systems that are best by the rule on ever more tasks, in classes of those alike."""
    errors = np.arange(len(quality))
    alike = {"skewed": errors % 2, "rare big wins": errors == 0}
    name = next(name for name, known in KINDS.items() if known is kind)
    of = pd.factorize(pd.Series(list(zip(quality, alike.get(name, errors * 0), strict=True))))[0]
    if rule == "mean":
        value = quality
    else:
        complete = Kind(kind.errors, kind.rounded)
        points = contributions(complete.scores(rng, quality, 40_000), rule).estimates
        value = (np.bincount(of, points) / np.bincount(of))[of]
    best = value >= value.max() - 1e-12
    return [np.flatnonzero((of == code) & best) for code in np.unique(of[best])]


def of_tasks(
    rng: np.random.Generator, rule: str, kind: str, shape: str, n_tasks: int, tables: int
) -> Row:
    """One kind of scores on tasks."""
    quality, drawn = SHAPES[shape], KINDS[kind]
    classes = truly_best(drawn, quality, rule, rng)
    everybody = np.ones(len(quality), dtype=bool)
    flips: list[np.ndarray] = []
    resamples, joint, skewed = [], [], []
    for start in range(0, tables, BLOCK):
        values = [drawn.scores(rng, quality, n_tasks) for _ in range(min(BLOCK, tables - start))]
        added = contributions(np.concatenate(values, axis=1), rule)
        # One set of signs serves some tables, which are independent of it.
        by_flips = np.concatenate(
            [
                best_p_values(some, draw_signs(rng, n_tasks, DRAWS)) > DELTA
                for some in split_tables(added, n_tasks * SHARED)
            ]
        )
        compared = start < TABLES_FOR_OTHER_SETS
        for i, table in enumerate(split_tables(added, n_tasks)):
            skewed.append(rule == "mean" and are_skewed(table))
            if not skewed[-1] and not compared:
                continue
            counts = draw_counts(rng, n_tasks, DRAWS)
            if skewed[-1] and n_tasks >= ENOUGH_UNITS:
                by_flips[i] |= bootstrap_p_values(table, counts, by_flips[i]) > DELTA
            if compared:
                resamples.append(bootstrap_p_values(table, counts, everybody) > DELTA)
                tests = sign_flip_pair_tests(table, DRAWS, rng)
                joint.append((tests.rank_sets(DELTA, joint=True).low == 1).sum())
        flips.append(by_flips)
    kept = np.concatenate(flips), np.array(resamples)
    shares = (min(float(of_one[:, own].mean()) for own in classes) for of_one in kept)
    sizes = (float(of_one.sum(axis=1).mean()) for of_one in kept)
    name = f"{rule}, {kind}, {shape}, {n_tasks} tasks"
    means = (float(np.mean(of_each)) for of_each in (joint, skewed))
    return Row(name, tables, *shares, *sizes, *means)


def of_questions(
    name: str,
    draw: Callable[[np.random.Generator], tuple[dict[str, object], list[object]]],
    rng: np.random.Generator,
    tables: int,
) -> Row:
    """What else is drawn: `best_set` itself, asked with what `draw` gives; and who is best."""
    kept, sizes, joint, skewed = [], [], [], []
    for table in range(tables):
        asked, best = draw(rng)
        sets = nbrank.best_set(**asked, n_draws=DRAWS, seed=rng)  # type: ignore[arg-type]
        found = sets["best"]
        kept.append(found[found.index.isin(best)].mean())
        sizes.append(found.sum())
        skewed.append(bool(sets.attrs.keys() & {"tests", "skewed"}))
        if table < TABLES_FOR_OTHER_SETS:
            sets = nbrank.rank_confidence(**asked, n_draws=DRAWS, seed=rng)  # type: ignore[arg-type]
            joint.append((sets["low"] == 1).sum())
    nothing = float("nan")
    share, size, *means = (float(np.mean(numbers)) for numbers in (kept, sizes, joint, skewed))
    return Row(name, tables, share, nothing, size, nothing, *means)


def _qualities(spread: float, n: int = 6) -> tuple[np.ndarray, list[object]]:
    quality = np.linspace(spread, 0, n)
    return quality, list(range(n)) if spread == 0 else [0]


def _passages(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """6 systems on 15 passages of 1 to 29 questions, with effects of passage and system."""
    quality, best = _qualities(spread)
    sizes = np.arange(1, 30, 2)
    passage = np.repeat(np.arange(15), sizes)
    ahead = quality[:, None] + rng.normal(0, 1.5, (6, 15))[:, passage]
    right = rng.random(ahead.shape) < 1 / (1 + np.exp(-ahead))
    rows = pd.MultiIndex.from_arrays(
        [np.repeat(np.arange(6), len(passage)), np.tile(passage, 6), np.tile(np.arange(225), 6)],
        names=["system", "passage", "instance"],
    )
    return {"scores": pd.DataFrame({"right": right.ravel() * 1.0}, rows), "rule": "mean"}, best


def _items(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """6 systems on 200 questions, right or wrong, of which some are harder for all."""
    quality, best = _qualities(spread)
    ahead = quality[:, None] + rng.normal(0, 1, 200)
    right = rng.random(ahead.shape) < 1 / (1 + np.exp(-ahead))
    rows = pd.MultiIndex.from_product([range(6), range(200)], names=["system", "instance"])
    return {"scores": pd.DataFrame({"right": right.ravel() * 1.0}, rows), "rule": "mean"}, best


def _battles(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """600 comparisons of 6 systems by 15 users, each with a taste."""
    quality, best = _qualities(spread)
    user = np.repeat(np.arange(15), 40)
    seen = quality + rng.normal(0, 0.5, (15, 6))
    left = rng.integers(0, 6, 600)
    right = (left + rng.integers(1, 6, 600)) % 6
    won = rng.random(600) < 1 / (1 + np.exp(seen[user, right] - seen[user, left]))
    frame = pd.DataFrame({"left": left, "right": right, "winner": np.where(won, left, right)})
    battles = nbrank.from_comparisons(
        frame.assign(user=user), left="left", right="right", winner="winner", cluster="user"
    )
    return {"scores": battles, "rule": "bradley_terry"}, best


def _runs(
    rng: np.random.Generator, spread: float, over: str, rule: str
) -> tuple[dict[str, object], list[object]]:
    """5 runs of 6 systems on 14 tasks."""
    quality, best = _qualities(spread)
    effects = rng.normal(0, 1, (6, 14)) if over == "both" else np.zeros((6, 14))
    cells = quality[:, None] + effects
    values = (cells[:, None] + rng.normal(0, 1, (6, 5, 14))).reshape(30, 14)
    rows = pd.MultiIndex.from_product([range(6), range(5)], names=["system", "seed"])
    return {"scores": pd.DataFrame(values, rows), "rule": rule, "over": over}, best


def _errors(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """Standard errors that are given, of 6 systems on 14 tasks."""
    quality, best = _qualities(spread)
    errors = pd.DataFrame(rng.uniform(0.5, 1.5, (6, 14)))
    values = quality[:, None] + rng.normal(0, 1, (6, 14)) * errors
    return {"scores": values, "rule": "mean", "errors": errors}, best


def _groups(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """12 groups of 3 tasks, each with an effect of its own on each system."""
    quality, best = _qualities(spread)
    group = np.repeat(np.arange(12), 3)
    values = quality[:, None] + rng.normal(0, 1, (6, 12))[:, group] + rng.normal(0, 0.5, (6, 36))
    asked = {"scores": pd.DataFrame(values), "rule": "borda", "groups": dict(enumerate(group))}
    return asked, best


def _strengths(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """Bradley-Terry strengths of 6 systems on 14 tasks."""
    quality, best = _qualities(spread)
    scores = pd.DataFrame(quality[:, None] + rng.gumbel(size=(6, 14)))
    return {"scores": scores, "rule": "bradley_terry", "prior": 0.1}, best


def _superglue(rng: np.random.Generator, spread: float) -> tuple[dict[str, object], list[object]]:
    """24 systems on 14 tasks, the shape of SuperGLUE."""
    quality, best = _qualities(spread, 24)
    scores = pd.DataFrame(quality[:, None] + rng.normal(size=(24, 14)))
    return {"scores": scores, "rule": "borda"}, best


_OTHERS: dict[str, Callable[..., tuple[dict[str, object], list[object]]]] = {
    "mean, 200 questions": _items,
    "mean, 15 passages of 1 to 29 questions": _passages,
    "bradley_terry, 600 battles by 15 users": _battles,
    "mean, 14 tasks, over 5 runs": partial(_runs, over="seeds", rule="mean"),
    "mean, 14 tasks, over tasks and 5 runs": partial(_runs, over="both", rule="mean"),
    "borda, 14 tasks, over tasks and 5 runs": partial(_runs, over="both", rule="borda"),
    "mean, 14 tasks, over errors": _errors,
    "borda, 12 groups of 3 tasks": _groups,
    "bradley_terry, 14 tasks": _strengths,
    "borda, 24 systems, 14 tasks": _superglue,
}


def rows() -> dict[str, Callable[[np.random.Generator, int], Row]]:
    """All rows, by name."""
    result: dict[str, Callable[[np.random.Generator, int], Row]] = {}
    for rule, kind, shape, n_tasks in product(("mean", "borda"), KINDS, SHAPES, N_TASKS):
        name = f"{rule}, {kind}, {shape}, {n_tasks} tasks"
        result[name] = partial(of_tasks, rule=rule, kind=kind, shape=shape, n_tasks=n_tasks)
    for (other, draw), spread in product(_OTHERS.items(), (0.0, 1.0, 3.0)):
        name = f"{other}, {'equal' if spread == 0 else f'spread {spread:.0f}'}"
        result[name] = partial(of_questions, name, partial(draw, spread=spread))
    return result


def measure(only: str, tables: int | None) -> Iterator[Row]:
    """Each row whose name has `only` in it."""
    for name, draw in rows().items():
        if only in name:
            n = tables or (FEWER_TABLES if name.startswith(ROWS_OF_FEWER) else TABLES)
            seed = zlib.crc32(name.encode())
            yield draw(np.random.default_rng(seed), tables=n)  # type: ignore[call-arg]


def markdown(found: list[Row]) -> str:
    """The table of these rows."""
    lines = [_HEADINGS, ("---",) * len(_HEADINGS), *(row.cells for row in found)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Print the table, and write it where one asks for that."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="write docs/coverage_best.md")
    parser.add_argument("--rows", default="", help="only rows with this text in their names")
    parser.add_argument("--tables", type=int, help="so many tables of each")
    given = parser.parse_args()
    found = []
    warnings.filterwarnings("ignore", "best_set: .* so skewed")
    for row in measure(given.rows, given.tables):
        found.append(row)
        print(f"| {' | '.join(row.cells)} |", flush=True)
    if given.write and not given.rows and given.tables is None:
        path = Path(__file__).parents[1] / "coverage_best.md"
        path.write_text(f"{_TEXT}\n{markdown(found)}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
