"""How often do sets and intervals of measured scores hold the truth? A table by simulation.

python docs/scripts/coverage_measured.py            prints it (half an hour)
python docs/scripts/coverage_measured.py --write    also writes docs/coverage_measured.md
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import nbrank

sys.path.insert(0, str(Path(__file__).parent))
from coverage_ranks import Case, _apart, _sets, main

#: The draws behind each critical value.
_DRAWS = 999
_TEXT = """\
# How often sets and intervals of measured scores hold

Written by `python docs/scripts/coverage_measured.py --write`; seeds are fixed.

A row is one kind of table, drawn anew many times. Cells are measured with errors, which are given
(`errors=`) or seen in runs (rows of system and seed). Of sets (`rank_confidence`), `measured` is
the share of the tables whose sets hold the true ranks of all systems at once; a system that is
truly tied has to keep every rank of the tie. Over errors or seeds the truth is the rule's ranking
of the table without errors; over both, that of ever more tasks. Of intervals (`score_intervals`,
`probability_of_improvement`) it is the share of the intervals of the first system (pair) that hold;
of Borda points over errors, that system's average points over ever more such measurements.
`mean width` is the mean number of ranks in a set, or the mean width of the interval. "Heavy tails"
are those of Student's t with three degrees of freedom.
"""

Draw = Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]


def _normal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    found: np.ndarray = rng.standard_normal(shape)
    return found


def _heavy(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    found: np.ndarray = rng.standard_t(3, shape) / np.sqrt(3)
    return found


ERRORS: dict[str, Draw] = {"normal": _normal, "heavy tails": _heavy}


def _truth(
    rng: np.random.Generator, n_systems: int, n_tasks: int, spread: float, own: float
) -> np.ndarray:
    """Quality, and what each system has of its own on each task."""
    quality = _apart(n_systems, spread)[:, None]
    return quality + own * rng.standard_normal((n_systems, n_tasks))


def _quality(truth: np.ndarray, rule: str) -> np.ndarray:
    """What the rule says of the table without errors."""
    frame = pd.DataFrame(truth)
    ranked = getattr(nbrank, rule)(frame)
    ranks: np.ndarray = -ranked["rank"].reindex(frame.index).to_numpy(dtype=float)
    return ranks


def _runs(
    rng: np.random.Generator, truth: np.ndarray, n_seeds: tuple[int, int], draw: Draw
) -> pd.DataFrame:
    """From as few to as many runs of each system, each cell with an error."""
    sizes = rng.integers(n_seeds[0], n_seeds[1] + 1, len(truth))
    system = np.repeat(np.arange(len(truth)), sizes)
    seed = np.concatenate([np.arange(size) for size in sizes])
    rows = pd.MultiIndex.from_arrays([system, seed], names=["system", "seed"])
    values = truth[system] + draw(rng, (len(system), truth.shape[1]))
    return pd.DataFrame(values, index=rows)


def _of_errors(
    rng: np.random.Generator, n: int, n_tasks: int, spread: float, own: float, draw: Draw, rule: str
) -> tuple[bool, float]:
    truth = _truth(rng, n, n_tasks, spread, own)
    errors = rng.uniform(0.5, 1.5, truth.shape)
    found = nbrank.rank_confidence(
        pd.DataFrame(truth + errors * draw(rng, truth.shape)),
        rule,
        errors=pd.DataFrame(errors),
        n_draws=_DRAWS,
        seed=rng,  # type: ignore[arg-type]
    )
    return _sets(found, _quality(truth, rule))


def _of_seeds(
    rng: np.random.Generator, n: int, n_tasks: int, spread: float, own: float, draw: Draw, rule: str
) -> tuple[bool, float]:
    truth = _truth(rng, n, n_tasks, spread, own)
    found = nbrank.rank_confidence(
        _runs(rng, truth, (3, 5), draw),
        rule,
        over="seeds",
        n_draws=_DRAWS,
        seed=rng,  # type: ignore[arg-type]
    )
    return _sets(found, _quality(truth, rule))


def _of_both(
    rng: np.random.Generator, n: int, n_tasks: int, spread: float, own: float, draw: Draw, rule: str
) -> tuple[bool, float]:
    quality = _apart(n, spread)
    truth = quality[:, None] + own * draw(rng, (n, n_tasks))
    found = nbrank.rank_confidence(
        _runs(rng, truth, (1, 4), draw),
        rule,
        over="both",
        n_draws=_DRAWS,
        seed=rng,  # type: ignore[arg-type]
    )
    # With as many runs of each, no rule of places favours anybody among equals.
    return _sets(found, quality)


def _interval(
    rng: np.random.Generator, over: str, n_tasks: int, draw: Draw, rule: str
) -> tuple[bool, float]:
    """Of the first of five systems, which is a little better."""
    truth = np.zeros((5, n_tasks))
    truth[0] = 0.3
    if over == "both":
        truth += draw(rng, truth.shape)
    runs = _runs(rng, truth, (3, 5) if over == "seeds" else (4, 4), draw)
    if rule == "probability_of_improvement":
        frame, true = nbrank.probability_of_improvement(runs).loc[[(1, 2)]], 0.5
    else:
        frame, true = nbrank.score_intervals(runs, rule, over=over).loc[[0]], 0.3  # type: ignore[arg-type]
    return _held(frame, true)


def _held(frame: pd.DataFrame, true: float) -> tuple[bool, float]:
    low, high = frame[["low", "high"]].to_numpy(dtype=float)[0]
    return bool(low <= true <= high), float(high - low)


def _borda_interval(rng: np.random.Generator, n_tasks: int, draw: Draw) -> tuple[bool, float]:
    """Of one of equals, which has half of all points on average."""
    truth = draw(rng, (5, n_tasks))
    return _held(nbrank.score_intervals(pd.DataFrame(truth), "borda").loc[[0]], 2.0 * n_tasks)


def _interval_over_errors(rng: np.random.Generator, n_tasks: int, draw: Draw) -> tuple[bool, float]:
    """Of the best of five systems: its average points over ever more such measurements."""
    truth = _truth(rng, 5, n_tasks, spread=2.0, own=0.5)
    errors = rng.uniform(0.5, 1.5, truth.shape)

    def measured() -> np.ndarray:
        found: np.ndarray = truth + errors * draw(rng, truth.shape)
        return found

    seen = nbrank.score_intervals(
        pd.DataFrame(measured()),
        "borda",
        errors=pd.DataFrame(errors),
        seed=rng,  # type: ignore[arg-type]
    )
    points = [(one[0] > one[1:]).sum() for one in (measured() for _ in range(1000))]
    return _held(seen.loc[[0]], float(np.mean(points)))


def _of_shares(
    rng: np.random.Generator, n: int, n_tasks: int, n_items: int, rule: str
) -> tuple[bool, float]:
    """Accuracies on so many items, of systems as good as each other."""
    truth = np.tile(rng.uniform(0.3, 0.95, n_tasks), (n, 1))
    scores = pd.DataFrame(rng.binomial(n_items, truth) / n_items)
    found = nbrank.rank_confidence(
        scores,
        rule,
        errors=nbrank.binomial_errors(scores, n_items),
        n_draws=_DRAWS,
        seed=rng,  # type: ignore[arg-type]
    )
    return _sets(found, _quality(truth, rule))


def _cases() -> list[Case]:
    cases, ways = [], {"errors": _of_errors, "seeds": _of_seeds, "both": _of_both}
    for errors, draw in ERRORS.items():
        for over, find in ways.items():
            own = 0.5 if over == "both" else 0.0
            for n, n_tasks in ((5, 60), (40, 6)):
                found = partial(
                    find, n=n, n_tasks=n_tasks, spread=0.0, own=own, draw=draw, rule="mean"
                )
                name = f"mean over {over}, {n} systems on {n_tasks} tasks, {errors}; equal systems"
                cases.append(Case(name, found, 600))
    for over, find in ways.items():
        found = partial(find, n=20, n_tasks=20, spread=2.0, own=0.5, draw=_normal, rule="mean")
        name = f"mean over {over}, 20 systems on 20 tasks, normal; systems apart"
        cases.append(Case(name, found, 600))
    for rule, over, n, spread, tables in (
        ("borda", "errors", 20, 0.0, 600),
        ("borda", "seeds", 20, 0.0, 600),
        ("borda", "both", 20, 0.0, 600),
        ("copeland", "errors", 5, 0.0, 600),
    ):
        own = 0.5 if over == "both" or spread else 0.0
        found = partial(ways[over], n=n, n_tasks=6, spread=spread, own=own, draw=_normal, rule=rule)
        what = "systems apart" if spread else "equal systems"
        cases.append(
            Case(f"{rule} over {over}, {n} systems on 6 tasks, normal; {what}", found, tables)
        )
    found = partial(_of_errors, n=2, n_tasks=1, spread=0.0, own=0.0, draw=_normal, rule="borda")
    name = "borda over errors, 2 systems on 1 task, normal; equal systems"
    cases.append(Case(name, found, 1500))
    for n, n_tasks, n_items in ((5, 6, 30), (5, 60, 30), (20, 10, 200)):
        found = partial(_of_shares, n=n, n_tasks=n_tasks, n_items=n_items, rule="mean")
        name = (
            f"mean over errors, {n} systems on {n_tasks} tasks, shares of {n_items}; equal systems"
        )
        cases.append(Case(name, found, 600))
    for errors, draw in ERRORS.items():
        for n_tasks in (6, 60):
            found = partial(_interval_over_errors, n_tasks=n_tasks, draw=draw)
            cases.append(
                Case(f"interval of Borda points over errors, {n_tasks} tasks, {errors}", found, 600)
            )
            end = f"{n_tasks} tasks, {errors}"
            for over in ("seeds", "both"):
                found = partial(_interval, over=over, n_tasks=n_tasks, draw=draw, rule="mean")
                cases.append(Case(f"interval of a mean over {over}, {end}", found, 1500))
            found = partial(_borda_interval, n_tasks=n_tasks, draw=draw)
            cases.append(Case(f"interval of Borda points, {end}", found, 1500))
            found = partial(
                _interval,
                over="both",
                n_tasks=n_tasks,
                draw=draw,
                rule="probability_of_improvement",
            )
            cases.append(Case(f"interval of a probability of improvement, {end}", found, 1500))
    return cases


CASES = {case.name: case for case in _cases()}


if __name__ == "__main__":
    main("coverage_measured", __doc__, _TEXT, CASES)
