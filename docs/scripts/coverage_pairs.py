"""Measure how often intervals for pairs, strengths and ranks hold what they claim.

Run `python docs/scripts/coverage_pairs.py` to print the table, with `--write` to write it to
docs/coverage_pairs.md too, and with `--tables 100` for a rough one in less time. All seeds are
fixed. The docstrings of `confidence`, `strengths` and `bootstrap` state figures of this table, and
tests/benchmarks/bench_coverage.py runs it again.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd

import nbrank
from nbrank.uncertainty.pair_intervals import Interval, compatible_pairs
from nbrank.uncertainty.strength_intervals import ErrorEstimate

TABLE = Path(__file__).parents[1] / "coverage_pairs.md"
HEADER = """# How often intervals hold what they claim

Written by `python docs/scripts/coverage_pairs.py --write`; don't edit. Each figure is from
simulated tables with fixed seeds. "Held" is the share of the tables in which the claim was true
(where the claim is about one pair or one system, the share of those of a table), and "error" is the
Monte-Carlo standard error of that share.

"""
Generator = np.random.Generator
#: The sign test is tried on four times as many tables.
TIMES = {"sign": 4}
#: How often McNemar's exact test finds 30 to 10 expected on 400 instances: summed over all counts.
POWER = 0.874
METHODS: tuple[Interval, ...] = get_args(Interval)


@dataclass(frozen=True)
class Case:
    """A claim, the share of tables in which it should be true, and a way to try it on tables."""

    claim: str
    on: str
    nominal: float
    #: From the number of tables to how far the claim was true on each.
    tried: Callable[[int], Iterator[float]]
    #: How many times as many tables as others it is tried on.
    times: int = 1


@dataclass(frozen=True)
class Figure:
    """What was measured of a case."""

    held: float
    error: float
    tables: int


def measured(case: Case, tables: int) -> Figure:
    """Try a case on so many tables, or as many times more as it takes."""
    held = np.fromiter(case.tried(tables * case.times), dtype=float)
    return Figure(float(held.mean()), float(held.std() / np.sqrt(len(held))), len(held))


def generators(tables: int) -> Iterator[tuple[int, Generator]]:
    """The number of each table, and the randomness that it is drawn from."""
    for number in range(tables):
        yield number, np.random.default_rng([11, number])


# ---------------------------------------------------------------- pairs that are equally good


@dataclass(frozen=True)
class Table:
    """Scores of which all pairs of systems are equally good, but those of other classes."""

    scores: pd.DataFrame
    options: dict[str, Any] = field(default_factory=dict)
    #: The class of each system; None if there is one.
    classes: dict[Any, int] | None = None


def equal(rng: Generator, shape: tuple[int, int]) -> Table:
    """Independent scores without ties."""
    return Table(pd.DataFrame(rng.normal(size=shape)))


def tied(rng: Generator) -> Table:
    """Scores of 0, 1 or 2."""
    return Table(pd.DataFrame(rng.integers(3, size=(8, 14)).astype(float)))


def missing(rng: Generator) -> Table:
    """A third of the scores is missing."""
    scores = equal(rng, (8, 14)).scores
    return Table(scores.mask(rng.random(scores.shape) < 1 / 3))


def weighted(rng: Generator) -> Table:
    """Two tasks weigh as much as the ten others together."""
    scores = equal(rng, (8, 12)).scores
    return Table(scores, {"weights": dict(enumerate([5.0] * 2 + [1.0] * 10))})


def unevenly_weighted(rng: Generator) -> Table:
    """Tasks of log-normal weights."""
    scores = equal(rng, (8, 12)).scores
    return Table(scores, {"weights": dict(enumerate(rng.lognormal(size=12)))})


def grouped(rng: Generator) -> Table:
    """Ten groups of one to four tasks that depend on each other."""
    sizes = 1 + np.arange(10) % 4
    group = np.repeat(np.arange(10), sizes)
    common = rng.normal(size=(8, 10))[:, group]
    scores = pd.DataFrame(common + rng.normal(size=common.shape) / 2).add_prefix("t")
    groups = {f"g{number}": list(scores.columns[group == number]) for number in range(10)}
    return Table(scores, {"groups": groups})


def in_classes(rng: Generator, shape: tuple[int, int], n_classes: int, apart: float) -> Table:
    """Classes of equally good systems, so many standard deviations apart."""
    scores = equal(rng, shape).scores
    of = np.repeat(np.arange(n_classes), shape[0] // n_classes)
    return Table(scores.sub(apart * of, axis=0), classes=dict(enumerate(of.tolist())))


def instances(rng: Generator) -> Table:
    """Tasks of different weights, of which half favour the first systems and half the others.

    The weights of both halves are the same, so that every pair's share is one half.
    """
    index = pd.MultiIndex.from_product([range(8), range(6)], names=["system", "instance"])
    scores = pd.DataFrame(rng.normal(size=(len(index), 4)), index, columns=list("wxyz"))
    favoured = index.get_level_values("system") < 4
    scores.loc[favoured, ["w", "x"]] += 0.5
    scores.loc[~favoured, ["y", "z"]] += 0.5
    return Table(scores, {"weights": {"w": 4.0, "x": 1.0, "y": 4.0, "z": 1.0}})


def solved(
    rng: Generator, n_systems: int, n_items: int, apart: float, ahead: float = 0.5
) -> pd.DataFrame:
    """Items that all systems solve, or each with its own luck, so that a share sets two apart.

    Of these the first system alone solves the share `ahead` if there are two.
    """
    if n_systems == 2:
        which = rng.choice(3, n_items, p=[apart * ahead, apart * (1 - ahead), 1 - apart])
        values = np.stack([which != 1, which != 0])
    else:
        values = rng.random((n_systems, n_items)) < 0.5
        values |= rng.random(n_items) >= 2 * apart
    index = pd.MultiIndex.from_product(
        [range(n_systems), range(n_items)], names=["system", "instance"]
    )
    return pd.DataFrame({"correct": values.ravel() * 1.0}, index)


def equally_solved(rng: Generator, n_items: int) -> Table:
    """Items on which nine in ten pairs of equal systems tie."""
    return Table(solved(rng, 6, n_items, apart=0.1))


NULLS: dict[str, Callable[[Generator], Table]] = {
    "8 systems, 8 tasks": partial(equal, shape=(8, 8)),
    "5 systems, 7 tasks": partial(equal, shape=(5, 7)),
    "12 systems, 10 tasks": partial(equal, shape=(12, 10)),
    "8 systems, 20 tasks": partial(equal, shape=(8, 20)),
    "8 systems, 100 tasks": partial(equal, shape=(8, 100)),
    "8 systems, 14 tasks, a third of the pairs tied": tied,
    "8 systems, 14 tasks, a third missing": missing,
    "8 systems, 12 tasks, two as heavy as ten": weighted,
    "8 systems, 12 tasks of log-normal weights": unevenly_weighted,
    "8 systems in two classes, 12 tasks": partial(
        in_classes, shape=(8, 12), n_classes=2, apart=2.0
    ),
    "6 systems in three classes, 100 tasks": partial(
        in_classes, shape=(6, 100), n_classes=3, apart=9.0
    ),
    "8 systems, 24 instances of weighted tasks": instances,
}
#: Many ties, which the sign test is for.
TIED: dict[str, Callable[[Generator], Table]] = {
    "6 systems, 400 instances, 90 % of the pairs tied": partial(equally_solved, n_items=400),
    "6 systems, 100 instances, 90 % of the pairs tied": partial(equally_solved, n_items=100),
}
#: Those in which single pairs are looked at too.
PAIRWISE = (
    "8 systems, 8 tasks",
    "8 systems, 20 tasks",
    "8 systems, 100 tasks",
    "8 systems, 12 tasks of log-normal weights",
)
#: The other methods take every task as a draw of its own, which these are not.
GROUPED = {"8 systems, 10 groups of dependent tasks": grouped}


def right_claims(
    tables: int,
    draw: Callable[[Generator], Table],
    method: Interval,
    adjust: Literal["holm"] | None,
) -> Iterator[float]:
    """Without adjustment the share of equal pairs not called significant, else whether all are."""
    for number, rng in generators(tables):
        table = draw(rng)
        found: pd.Series = nbrank.confidence(
            table.scores, method=method, adjust=adjust, seed=number, **table.options
        )["significant"]
        if table.classes is not None:
            one, other = (
                found.index.get_level_values(level).map(table.classes)
                for level in ("system", "opponent")
            )
            found = found[one == other]
        yield float(1 - found.mean() if adjust is None else not found.any())


# ------------------------------------------------------------------------ shares and strengths


def gumbels(rng: Generator, n_systems: int, n_tasks: int, apart: float) -> pd.DataFrame:
    """Scores by which each system beats the next with the log-odds `apart`."""
    truth = apart * np.arange(n_systems)[::-1]
    return pd.DataFrame(rng.gumbel(size=(n_systems, n_tasks)) + truth[:, None])


def shares(tables: int, n_tasks: int, method: Interval) -> Iterator[float]:
    """The share of the pairs whose true share of wins lies in its interval."""
    log_odds = np.log(4) * (np.arange(3)[None, :] - np.arange(3)[:, None])
    truth = (1 / (1 + np.exp(-log_odds)))[~np.eye(3, dtype=bool)]
    for number, rng in generators(tables):
        scores = gumbels(rng, 3, n_tasks, np.log(4))
        found = nbrank.confidence(scores, method=method, seed=number)
        yield float(((found["low"] <= truth) & (truth <= found["high"])).mean())


def shares_with_ties(tables: int, n_items: int, apart: float, ahead: float) -> Iterator[float]:
    """Whether the true share is in the interval of a sign test."""
    truth = 0.5 + apart * (ahead - 0.5)
    for _, rng in generators(tables):
        low, high = nbrank.confidence(solved(rng, 2, n_items, apart, ahead), method="sign").iloc[0][
            ["low", "high"]
        ]
        yield float(low <= truth <= high)


def told_apart(tables: int, n_items: int, apart: float, ahead: float) -> Iterator[float]:
    """Whether a sign test finds the better of two systems."""
    for _, rng in generators(tables):
        found = nbrank.confidence(solved(rng, 2, n_items, apart, ahead), method="sign").iloc[0]
        yield float(found["low"] > 0.5)


def filled_in(tables: int) -> Iterator[float]:
    """The share of the pairs with the true share close to the filled-in one, half being missing."""
    log_odds = np.log(9) * (np.arange(2)[None, :] - np.arange(2)[:, None])
    truth = (1 / (1 + np.exp(-log_odds)))[~np.eye(2, dtype=bool)]
    for _, rng in generators(tables):
        scores = gumbels(rng, 2, 400, np.log(9))
        found = compatible_pairs(scores.mask(rng.random(scores.shape) < 0.5))
        width = np.sqrt(np.log(2 / 0.05) / (2 * found["n"]))
        yield float(((found["share"] - truth).abs() <= width).mean())


def strength_intervals(tables: int, n_tasks: int, method: ErrorEstimate) -> Iterator[float]:
    """The share of five systems, not far apart, whose true strength lies in its interval."""
    truth = 0.25 * np.arange(2, -3, -1)
    for number, rng in generators(tables):
        scores = gumbels(rng, 5, n_tasks, 0.25)
        try:
            found = nbrank.strengths(scores, method=method, n_draws=400, seed=number).sort_index()
        except ValueError as error:
            # Somebody won or lost everything, and has no finite strength.
            if "infinite" not in str(error):
                raise
            continue
        yield float(((found["low"] <= truth) & (truth <= found["high"])).mean())


def beside_covariates(
    tables: int, on: str, holds: Callable[[pd.DataFrame, np.ndarray], float]
) -> Iterator[float]:
    """Of 400 battles that the left side, and a longer answer, also decide: what holds of systems.

    In clusters, 20 users give each verdict three times.
    """
    truth = np.array([0.5, 0.5, 0.5, 0.0, -1.5])
    for number, rng in generators(tables):
        left = rng.integers(0, 5, 400)
        right = (left + rng.integers(1, 5, 400)) % 5
        longer = rng.normal(size=400) + truth[left] - truth[right]
        odds = truth[left] - truth[right] + 0.3 + 0.7 * longer
        won = rng.random(400) < 1 / (1 + np.exp(-odds))
        battles = pd.DataFrame({"left": left, "right": right, "longer": longer})
        battles = battles.assign(winner=np.where(won, left, right), user=np.arange(400) // 20)
        if on == "clusters":
            battles = pd.concat([battles] * 3, ignore_index=True)
        compared = nbrank.from_comparisons(
            battles,
            left="left",
            right="right",
            winner="winner",
            cluster="user" if on == "clusters" else None,
        )
        longer = battles["longer"]
        if holds is has_strength:
            found = compared.strengths(advantage=True, covariates=longer)
        else:
            found = compared.best_set(
                "bradley_terry", advantage=True, covariates=longer, n_draws=999, seed=number
            )
        yield holds(found.sort_index(), truth)


def has_strength(found: pd.DataFrame, truth: np.ndarray) -> float:
    """The share of the systems whose strength lies in its interval."""
    return float(((found["low"] <= truth) & (truth <= found["high"])).mean())


def has_best(found: pd.DataFrame, truth: np.ndarray) -> float:
    """The share of the best systems that the set holds."""
    return float(found["best"][truth == truth.max()].mean())


# ---------------------------------------------------------------------------------- ranks


def gumbel_errors(seed: int, n_systems: int, n_tasks: int, apart: float) -> pd.DataFrame:
    """Means `apart` from the best to the worst, and Gumbel errors."""
    errors = np.random.default_rng(seed).gumbel(size=(n_systems, n_tasks))
    return pd.DataFrame(errors + np.linspace(apart, 0, n_systems)[:, None])


def skewed_errors(seed: int, n_systems: int, n_tasks: int) -> pd.DataFrame:
    """Equal means and exponential errors, five times as wide on the last system as on the first."""
    errors = np.random.default_rng(seed).exponential(size=(n_systems, n_tasks)) - 1
    return pd.DataFrame(np.linspace(1, 5, n_systems)[:, None] * errors)


def ranks(
    tables: int,
    draw: Callable[..., pd.DataFrame],
    truth: list[int],
    find: Callable[..., pd.DataFrame],
) -> Iterator[float]:
    """Whether the sets hold the ranks of all systems at once."""
    # The best and the worst of the ranks that systems share in truth.
    best, worst = (np.searchsorted(sorted(truth), truth, side) for side in ("left", "right"))
    for stream in np.random.SeedSequence(0).spawn(tables):
        for_table, for_sets = stream.generate_state(2).tolist()
        board = nbrank.Leaderboard(draw(seed=for_table))
        sets = find(board, seed=for_sets).reindex(board.systems)
        yield float(((sets["low"] <= best + 1) & (worst <= sets["high"])).all())


# ---------------------------------------------------------------------------------- the table


def _of_pairs() -> Iterator[Case]:
    for method in METHODS:
        claim = f"`confidence`, {method}, Holm: no pair is wrongly significant"
        more = GROUPED if method == "bootstrap" else TIED if method == "sign" else {}
        for name, draw in (NULLS | more).items():
            tried = partial(right_claims, draw=draw, method=method, adjust="holm")
            yield Case(claim, name, 0.95, tried, TIMES.get(method, 1))
    for method in METHODS:
        claim = f"`confidence`, {method}: a pair is not wrongly significant"
        more = TIED if method == "sign" else {}
        for name, draw in ({name: NULLS[name] for name in PAIRWISE} | more).items():
            tried = partial(right_claims, draw=draw, method=method, adjust=None)
            yield Case(claim, name, 0.95, tried, TIMES.get(method, 1))


def _of_shares_and_strengths() -> Iterator[Case]:
    for method in METHODS:
        for n_tasks in (10, 60):
            claim = f"`confidence`, {method}: a pair's share is in its interval"
            on = f"shares of .8 and .94, {n_tasks} tasks"
            tried = partial(shares, n_tasks=n_tasks, method=method)
            yield Case(claim, on, 0.95, tried, TIMES.get(method, 1))
    claim = "`confidence`, sign: a pair's share is in its interval"
    for n_items, apart, ahead in ((400, 0.1, 0.75), (40, 0.3, 0.9), (100, 0.5, 1.0)):
        on = f"{apart:.0%} of {n_items} instances without a tie, {ahead:.0%} of them won"
        tried = partial(shares_with_ties, n_items=n_items, apart=apart, ahead=ahead)
        yield Case(claim, on.replace("%", " %"), 0.95, tried, TIMES["sign"])
    claim = "`confidence`, sign: the better system is found (as often as by McNemar's test)"
    on = "10 % of 400 instances without a tie, 75 % of them won"
    tried = partial(told_apart, n_items=400, apart=0.1, ahead=0.75)
    yield Case(claim, on, POWER, tried, TIMES["sign"])
    claim = "a share is in an interval around the filled-in share"
    yield Case(claim, "share of .9, 400 tasks, half missing", 0.95, filled_in)
    for of_strengths in get_args(ErrorEstimate):
        for n_tasks in (8, 14, 40):
            claim = f"`strengths`, {of_strengths}: a system's strength is in its interval"
            tried = partial(strength_intervals, n_tasks=n_tasks, method=of_strengths)
            yield Case(claim, f"5 systems, {n_tasks} tasks", 0.95, tried)
    for claim, holds in (
        ("`strengths`, covariates: a system's strength is in its interval", has_strength),
        ("`best_set`, covariates: a truly best system is in the set", has_best),
    ):
        for drawn, on in (("rows", "400 comparisons"), ("clusters", "20 clusters of comparisons")):
            tried = partial(beside_covariates, on=drawn, holds=holds)
            yield Case(claim, f"5 systems, {on}", 0.95, tried)


def _of_ranks() -> Iterator[Case]:
    gumbel = partial(gumbel_errors, n_systems=20)
    borda = partial(nbrank.rank_confidence, rule="borda", n_draws=999)
    mean = partial(nbrank.rank_confidence, rule="mean", n_draws=999)
    claim = "the sets hold all ranks at once"
    for n_tasks in (14, 8):
        draw = partial(gumbel, n_tasks=n_tasks, apart=0.0)
        tried = partial(ranks, draw=draw, truth=[1] * 20, find=borda)
        on = f"20 equal systems, {n_tasks} tasks"
        yield Case(f"`rank_confidence`, Borda: {claim}", on, 0.95, tried)
    for n_systems, n_tasks in ((20, 14), (7, 40)):
        draw = partial(skewed_errors, n_systems=n_systems, n_tasks=n_tasks)
        tried = partial(ranks, draw=draw, truth=[1] * n_systems, find=mean)
        on = f"{n_systems} equal systems, {n_tasks} tasks, errors skewed and of unequal spread"
        yield Case(f"`rank_confidence`, mean: {claim}", on, 0.95, tried)
    resampled = partial(nbrank.bootstrap, rule="borda", n_draws=500)
    draw = partial(gumbel, n_tasks=14, apart=0.5)
    tried = partial(ranks, draw=draw, truth=list(range(1, 21)), find=resampled)
    yield Case(f"`bootstrap`, Borda: {claim}", "20 close systems, 14 tasks", 0.95, tried)


CASES = (*_of_pairs(), *_of_shares_and_strengths(), *_of_ranks())


def row(case: Case, figure: Figure) -> str:
    """A line of the table."""
    cells = (case.claim, case.on, f"{case.nominal:.2f}", f"{figure.held:.3f}")
    return f"| {' | '.join(cells)} | {figure.error:.3f} | {figure.tables} |"


def written() -> dict[tuple[str, str], Figure]:
    """What the written table says, by claim and tables."""
    found = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[-1].isdigit():
            claim, on, _, held, error, tables = cells
            found[claim, on] = Figure(float(held), float(error), int(tables))
    return found


def main() -> None:
    """Print the table as it is measured, and write it if told to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000, help="tables for each case")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name} in docs")
    options = parser.parse_args()
    lines = ["| claim | tables | nominal | held | error | number |", "|---|---|---|---|---|---|"]
    print("\n".join(lines))
    for case in CASES:
        lines.append(row(case, measured(case, options.tables)))
        print(lines[-1], flush=True)
    if options.write:
        TABLE.parent.mkdir(exist_ok=True)
        TABLE.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
