"""How often do sets of ranks, and intervals of strengths, hold the truth? A table by simulation.

python docs/scripts/coverage_ranks.py            prints it (six minutes on a quiet core)
python docs/scripts/coverage_ranks.py --write    also writes docs/coverage_ranks.md
python docs/scripts/coverage_ranks.py --rows passages --write    replaces only such rows there
python docs/scripts/coverage_ranks.py --tables 20                a quick look, never written
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import nbrank

NOMINAL = 0.95
#: The draws behind each critical value.
_DRAWS = 999
_HEADINGS = ("case", "nominal", "measured", "Monte-Carlo error", "tables", "mean width")
_TEXT = """\
# How often sets of ranks hold

Written by `python docs/scripts/coverage_ranks.py --write`; seeds are fixed.

A row is one kind of table, drawn anew many times. `measured` is the share of the tables whose sets
(`rank_confidence`) hold the true ranks of all systems at once; a system that is truly tied has to
keep every rank of the tie. In the last rows, it is the share of the intervals of the one sparse
system (`strengths`) that hold its true strength. `mean width` is the mean number of ranks in a set,
or the median width of the interval. Where all systems are equal, sets should be as wide as there
are systems, and where they are apart narrow is good.

Questions on the same passage go right or wrong together, so whole passages are drawn. Samples of
one question are averaged first. The rows that end with "taken as" say what comes of it if each
question, or each sample, is treated as independent of the others.
"""


@dataclass(frozen=True)
class Case:
    """One kind of table, and what is asked of it.

    Parameters
    ----------
    name
        What it is.
    found
        A function from a source of randomness to whether the truth was held, and how wide what
        held it is; None for a table without finite strengths.
    tables
        How many tables are drawn.
    """

    name: str
    found: Callable[[np.random.Generator], tuple[bool, float] | None]
    tables: int = 1000


@dataclass(frozen=True)
class Coverage:
    """What came of a case.

    Parameters
    ----------
    name
        What was drawn.
    measured
        The share of tables in which the truth was held.
    tables
        The number of tables.
    width
        How wide the sets or intervals are.
    """

    name: str
    measured: float
    tables: int
    width: float

    @property
    def error(self) -> float:
        """The standard error of `measured` by chance, if it were nominal or as measured."""
        shares = np.array([self.measured, NOMINAL])
        return float(np.sqrt((shares * (1 - shares)).max() / self.tables))

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the printed table."""
        return (
            self.name,
            f"{NOMINAL:.2f}",
            f"{self.measured:.3f}",
            f"{self.error:.3f}",
            f"{self.tables:,}",
            f"{self.width:.2f}",
        )


def _sets(found: pd.DataFrame, quality: np.ndarray) -> tuple[bool, float]:
    """Whether the sets hold all ranks of systems that are named by their numbers."""
    low, high = found.sort_index()[["low", "high"]].to_numpy().T
    best = 1 + (quality[:, None] < quality).sum(axis=1)
    worst = (quality[:, None] <= quality).sum(axis=1)
    return bool(((low <= best) & (worst <= high)).all()), float((high - low + 1).mean())


def _apart(n_systems: int, spread: float) -> np.ndarray:
    return np.linspace(spread, 0.0, n_systems)


def _clustered(
    rng: np.random.Generator, n_clusters: int, fall: float, taste: float, spread: float
) -> tuple[bool, float] | None:
    """600 comparisons of 6 systems; cluster k has a share like k to the power of minus `fall`."""
    n_systems, quality = 6, _apart(6, spread)
    shares = np.arange(1.0, n_clusters + 1) ** -fall
    sizes = np.maximum((600 * shares / shares.sum()).round().astype(int), 1)
    cluster = np.repeat(np.arange(n_clusters), sizes)
    # Each cluster, such as an annotator, has a taste of its own.
    seen = quality + rng.normal(0, taste, (n_clusters, n_systems))
    left = rng.integers(0, n_systems, len(cluster))
    right = (left + rng.integers(1, n_systems, len(cluster))) % n_systems
    ahead = seen[cluster, left] - seen[cluster, right]
    won = rng.random(len(cluster)) < 1 / (1 + np.exp(-ahead))
    names = np.array(list("ABCDEF"))
    frame = pd.DataFrame(
        {
            "first": names[left],
            "second": names[right],
            "winner": np.where(won, "first", "second"),
            "cluster": cluster,
        }
    )
    comparisons = nbrank.from_comparisons(
        frame, left="first", right="second", winner="winner", cluster="cluster"
    )
    return _of_strengths(partial(_ranks, comparisons, rng, quality))


def _ranks(
    source: object, rng: np.random.Generator, quality: np.ndarray, rule: str = "bradley_terry"
) -> tuple[bool, float]:
    found = nbrank.rank_confidence(source, rule, n_draws=_DRAWS, seed=rng)  # type: ignore[arg-type]
    return _sets(found, quality)


def _of_strengths(
    find: Callable[[], tuple[bool, float]],
) -> tuple[bool, float] | None:
    try:
        return find()
    except ValueError as error:
        if "infinite" not in str(error):
            raise
        return None


def _scores(
    rng: np.random.Generator, n_systems: int, n_tasks: int, spread: float
) -> tuple[np.ndarray, np.ndarray]:
    """Gumbel errors, with which the model of Bradley and Terry is true of each task."""
    quality = _apart(n_systems, spread)
    return rng.gumbel(size=(n_systems, n_tasks)) + quality[:, None], quality


def _estimated(
    rng: np.random.Generator, n_tasks: int, spread: float, *, normal: bool = False
) -> tuple[bool, float]:
    """The means of 20 systems, and a covariance from these few tasks."""
    scores, quality = _scores(rng, 20, n_tasks, spread)
    if normal:
        scores = rng.normal(size=scores.shape) + quality[:, None]
    found = nbrank.rank_confidence_from(
        pd.Series(scores.mean(axis=1)),
        pd.DataFrame(np.cov(scores) / n_tasks),
        degrees_of_freedom=n_tasks - 1,
        n_draws=_DRAWS,
        seed=rng,  # type: ignore[arg-type]
    )
    return _sets(found, quality)


def _sparse(
    rng: np.random.Generator, n_tasks: int, spread: float
) -> tuple[pd.DataFrame, np.ndarray]:
    """6 systems, of which the third lacks 80 % of its scores."""
    scores, quality = _scores(rng, 6, n_tasks, spread)
    scores[2, : round(0.8 * n_tasks)] = np.nan
    return pd.DataFrame(scores), quality


def _sparse_sets(
    rng: np.random.Generator, n_tasks: int, spread: float
) -> tuple[bool, float] | None:
    table, quality = _sparse(rng, n_tasks, spread)
    return _of_strengths(partial(_ranks, table, rng, quality))


def _sparse_interval(
    rng: np.random.Generator, n_tasks: int, spread: float
) -> tuple[bool, float] | None:
    table, quality = _sparse(rng, n_tasks, spread)

    def find() -> tuple[bool, float]:
        low, high = nbrank.strengths(table).loc[2, ["low", "high"]].to_numpy(dtype=float)
        return bool(low <= quality[2] - quality.mean() <= high), float(high - low)

    return _of_strengths(find)


def _ruled(
    rng: np.random.Generator, n_systems: int, n_tasks: int, spread: float, rule: str
) -> tuple[bool, float]:
    scores, quality = _scores(rng, n_systems, n_tasks, spread)
    return _ranks(pd.DataFrame(scores), rng, quality, rule)


def _skewed(rng: np.random.Generator, n_systems: int, n_tasks: int) -> tuple[bool, float]:
    """Equal systems with exponential errors, five times as widely spread on the last one."""
    errors = rng.exponential(size=(n_systems, n_tasks)) - 1
    table = pd.DataFrame(np.linspace(1, 5, n_systems)[:, None] * errors)
    return _ranks(table, rng, np.zeros(n_systems), "mean")


def _right(rng: np.random.Generator, ahead: np.ndarray) -> np.ndarray:
    """1 for right and 0 for wrong, at such log-odds."""
    right: np.ndarray = rng.random(ahead.shape) < 1 / (1 + np.exp(-ahead))
    return right.astype(float)


def _passages(
    rng: np.random.Generator, sizes: tuple[int, ...], spread: float, cluster: str | None = None
) -> tuple[bool, float]:
    """6 systems on passages with so many questions each, and effects of passage and system."""
    quality = _apart(6, spread)
    passage = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.normal(0, 1, len(sizes)) + rng.normal(0, 1.5, (6, len(sizes)))
    ahead = quality[:, None] + shared[:, passage] + rng.normal(0, 1, len(passage))
    n = len(passage)
    rows = pd.MultiIndex.from_arrays(
        [np.repeat(np.arange(6), n), np.tile(passage, 6), np.tile(np.arange(n), 6)],
        names=["system", "passage", "instance"],
    )
    table = pd.DataFrame({"right": _right(rng, ahead).ravel()}, index=rows)
    found = nbrank.rank_confidence(table, "mean", cluster=cluster, n_draws=_DRAWS, seed=rng)  # type: ignore[arg-type]
    return _sets(found, quality)


def _samples(rng: np.random.Generator, level: str) -> tuple[bool, float]:
    """2 equal systems on 30 questions, each asked 10 times: 10 runs, or as many instances."""
    ahead = rng.normal(0, 1.5, 30) + rng.normal(0, 1, (2, 30))
    right = _right(rng, np.repeat(ahead[:, :, None], 10, axis=2))
    rows = pd.MultiIndex.from_product(
        [range(2), range(30), range(10)], names=["system", "instance", level]
    )
    if level == "instance":
        rows = pd.MultiIndex.from_product([range(2), range(300)], names=["system", "instance"])
    table = pd.DataFrame({"right": right.ravel()}, index=rows)
    return _ranks(table, rng, np.zeros(2), "mean")


def _instance_cases() -> list[Case]:
    """Instances that are not independent: in clusters, or repeated."""
    equal, uneven = (10,) * 40, tuple(range(1, 41, 2))
    of_passages = {
        "40 passages of 10 questions; equal systems": (equal, 0.0, None),
        "40 passages of 10 questions; systems apart": (equal, 2.0, None),
        "20 passages of 1 to 39 questions; equal systems": (uneven, 0.0, None),
        "40 passages of 10 questions; equal systems; each question taken as independent": (
            equal,
            0.0,
            "instance",
        ),
    }
    cases = [
        Case(
            f"mean, {name}",
            partial(_passages, sizes=sizes, spread=spread, cluster=cluster),
            1000 if spread or cluster else 4000,
        )
        for name, (sizes, spread, cluster) in of_passages.items()
    ]
    samples = "mean, 2 equal systems on 30 questions with 10 samples each"
    return [
        *cases,
        Case(f"{samples}, averaged", partial(_samples, level="sample"), 4000),
        Case(f"{samples}; each taken as a question", partial(_samples, level="instance")),
    ]


def _cases() -> list[Case]:
    cases = []
    for n_clusters, fall, sizes in (
        (15, 1.4, "the largest .44 of the comparisons"),
        (30, 1.25, "the largest .35 of the comparisons"),
        (15, 0.0, "of one size"),
        (30, 0.0, "of one size"),
    ):
        for taste, spread, what in (
            (0.0, 0.0, "equal systems"),
            (0.5, 0.0, "equal systems, clusters of different tastes"),
            (0.5, 2.0, "systems apart, clusters of different tastes"),
        ):
            found = partial(
                _clustered, n_clusters=n_clusters, fall=fall, taste=taste, spread=spread
            )
            cases.append(Case(f"{n_clusters} clusters, {sizes}; {what}", found))
    for n_tasks in (8, 14):
        name = f"covariance of 20 systems from {n_tasks} tasks"
        cases += [
            Case(f"{name}; equal systems", partial(_estimated, n_tasks=n_tasks, spread=0.0)),
            Case(
                f"{name}; equal systems, normal errors",
                partial(_estimated, n_tasks=n_tasks, spread=0.0, normal=True),
            ),
            Case(f"{name}; systems apart", partial(_estimated, n_tasks=n_tasks, spread=3.0)),
        ]
    for n_tasks in (8, 14):
        ruled = partial(_ruled, n_systems=20, n_tasks=n_tasks, spread=0.0, rule="borda")
        cases.append(Case(f"Borda, 20 systems on {n_tasks} tasks; equal systems", ruled))
    for n_systems, n_tasks in ((20, 14), (7, 40)):
        skewed = partial(_skewed, n_systems=n_systems, n_tasks=n_tasks)
        cases.append(Case(f"mean, {n_systems} systems on {n_tasks} tasks; skewed errors", skewed))
    cases.append(
        Case(
            "bradley_terry, 6 systems on 15 tasks, complete; equal systems",
            partial(_ruled, n_systems=6, n_tasks=15, spread=0.0, rule="bradley_terry"),
        )
    )
    for what, find in (("", _sparse_sets), ("strengths: interval of one, ", _sparse_interval)):
        for n_tasks, spread, how in ((15, 0.0, "equal"), (15, 1.0, "apart"), (30, 1.0, "apart")):
            name = f"{what or 'bradley_terry, one '}with 80 % missing of {n_tasks} tasks"
            cases.append(
                Case(f"{name}; systems {how}", partial(find, n_tasks=n_tasks, spread=spread))
            )
    return cases + _instance_cases()


CASES = {case.name: case for case in _cases()}


def coverage(case: Case, tables: int | None = None) -> Coverage:
    """Draw the tables of a case.

    Parameters
    ----------
    case
        The case; its name makes its seed.
    tables
        The number of tables, the first ones of the case; None for all of them.
    """
    seed = int.from_bytes(case.name.encode()) % 2**32
    n = case.tables if tables is None else tables
    drawn = (case.found(np.random.default_rng([seed, table])) for table in range(n))
    held, widths = np.array([one for one in drawn if one is not None]).T
    # The interval of a strength may be infinite; a set of ranks can't be.
    width = np.median(widths) if case.name.startswith("strengths") else widths.mean()
    return Coverage(case.name, float(held.mean()), len(held), float(width))


def table(found: list[Coverage]) -> str:
    """The table in Markdown.

    Parameters
    ----------
    found
        Its rows.
    """
    rows = [_HEADINGS, ("---",) * len(_HEADINGS), *(one.cells for one in found)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(name: str, says: str | None, text: str, cases: dict[str, Case]) -> None:
    """Print the table, and write it where one asks for that.

    Parameters
    ----------
    name
        That of the script and of its page.
    says
        What the script says of itself.
    text
        What stands above the table.
    cases
        The rows.
    """
    parser = argparse.ArgumentParser(
        description=says, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help=f"write docs/{name}.md")
    parser.add_argument("--rows", default="", help="only rows with this text in their names")
    parser.add_argument("--tables", type=int, help="so few tables of each, for a quick look")
    given = parser.parse_args()
    found = [coverage(case, given.tables) for key, case in cases.items() if given.rows in key]
    print(table(found))
    if given.write and given.tables is None:
        path = Path(__file__).parents[1] / f"{name}.md"
        rows = table(found)
        if given.rows:
            before = {line.split(" | ")[0]: line for line in path.read_text("utf-8").splitlines()}
            after = before | {line.split(" | ")[0]: line for line in rows.splitlines()}
            keys = [f"| {key}" for key in ("case", "---", *cases)]
            rows = "\n".join(after[key] for key in keys if key in after)
        path.write_text(f"{text}\n{rows}\n", encoding="utf-8")


if __name__ == "__main__":
    main("coverage_ranks", __doc__, _TEXT, CASES)
