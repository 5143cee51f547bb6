"""Synthetic leaderboards whose true ranking is known: `nbrank.synthetic`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.random import Generator

from nbrank.arrays.typing import Floats, Ints
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.validation import validate_integer

__all__ = ["gumbel_scores", "mallows", "single_peaked", "true_ranking"]


def gumbel_scores(
    n_systems: int, n_tasks: int, n_instances: int, dispersion: float, seed: int = 0
) -> pd.DataFrame:
    """What does a rule make of noisy scores whose truth is known? Instance-level Gumbel scores.

    Every score is drawn independently. The scores of system number n (counted from 1) follow the
    Gumbel distribution with mode `dispersion` * n and scale 1, so the system with the higher number
    is the better one: it has the higher score with probability 1 / (1 + exp(-dispersion *
    (difference of the numbers))). The order of the systems on an instance therefore follows the
    Plackett-Luce model with the weights exp(dispersion * n).

    Parameters
    ----------
    n_systems
        How many systems; they are called s1, s2, ... (with leading zeros, so that
        names sort as numbers), and the last one is the best.
    n_tasks
        How many tasks; they are called t1, t2, ... likewise.
    n_instances
        How many instances each task has, numbered from 1.
    dispersion
        The distance between the centres of two successive systems, at least 0. At
        0 all systems are alike, at 1 their ranking is clear. (The papers' name,
        although scores *agree* more if it is large.)
    seed
        A whole number; the same seed gives the same scores.

    Returns
    -------
    pandas.DataFrame
        Instance-level scores: a row for each `system` and `instance` (the levels of the index), a
        column for each task, higher is better. `true_ranking` gives the true order of the systems.

    Raises
    ------
    TypeError, ValueError
        If a number of systems, tasks or instances is not a whole number from 1, or
        the dispersion is negative or not finite.

    References
    ----------
    Colombo, Noiry, Irurozki and Clémençon, What are the best systems?, 2022, section 4.1.

    Examples
    --------
    >>> scores = gumbel_scores(3, n_tasks=2, n_instances=2, dispersion=1.0, seed=0)
    >>> scores.round(2).to_dict("index")[("s3", 2)]
    {'t1': 2.47, 't2': 8.9}
    """
    systems = _numbered_labels("s", validate_integer("gumbel_scores", "n_systems", n_systems))
    tasks = _numbered_labels("t", validate_integer("gumbel_scores", "n_tasks", n_tasks))
    instances = pd.RangeIndex(1, validate_integer("gumbel_scores", "n_instances", n_instances) + 1)
    if not (np.isfinite(dispersion) and dispersion >= 0):
        raise ValueError(f"dispersion must be a finite number from 0 on, not {dispersion!r}")
    rng = np.random.default_rng(validate_integer("gumbel_scores", "seed", seed, minimum=0))
    values = draw_gumbel_scores(len(systems), (len(instances), len(tasks)), float(dispersion), rng)
    rows = pd.MultiIndex.from_product([systems, instances], names=["system", "instance"])
    return pd.DataFrame(values.reshape(len(rows), len(tasks)), index=rows, columns=tasks)


def mallows(
    n_systems: int,
    n_tasks: int,
    dispersion: float,
    seed: int = 0,
    *,
    center: Sequence[Label] | None = None,
) -> pd.DataFrame:
    """What does a rule make of rankings scattered about a known one? Mallows' model.

    Every task ranks the systems strictly, and independently of the other tasks. A
    ranking that orders d pairs of systems otherwise than the centre does has a
    probability proportional to ``dispersion ** d``.

    Parameters
    ----------
    n_systems
        How many systems; they are called s1, s2, ... (with leading zeros, so that
        names sort as numbers), and the last one is the best.
    n_tasks
        How many rankings to draw, one for each task: t1, t2, ...
    dispersion
        How far the tasks scatter, from 0 (all rank as the centre does) to 1 (all
        rankings are equally likely: the impartial culture). The literature's phi. It runs
        against the `dispersion` of `gumbel_scores`, where 0 is pure noise.
    seed
        A whole number; the same seed gives the same rankings.
    center
        The systems, best first, if they are to have other names or another
        order; `n_systems` of them. None stands for `true_ranking(n_systems)`.

    Returns
    -------
    pandas.DataFrame
        A leaderboard, systems x tasks, whose scores are minus the places: -1 for the first. Higher
        is better. Systems stand in the order of their names, or of `center` if it is given.

    Raises
    ------
    TypeError, ValueError
        If a number of systems or tasks is not a whole number from 1, the
        dispersion not between 0 and 1, or the centre does not fit.

    References
    ----------
    Mallows, Non-null ranking models, Biometrika, 1957. Drawn by repeated insertion: Doignon, Pekeč
    and Regenwetter, The repeated insertion model for rankings, 2004.

    Examples
    --------
    >>> mallows(4, n_tasks=5, dispersion=0.3, seed=1)
        t1  t2  t3  t4  t5
    s1  -4  -4  -4  -4  -4
    s2  -2  -3  -3  -2  -3
    s3  -3  -1  -2  -3  -2
    s4  -1  -2  -1  -1  -1
    """
    tasks = _numbered_labels("t", validate_integer("mallows", "n_tasks", n_tasks))
    size = validate_integer("mallows", "n_systems", n_systems)
    if not 0 <= dispersion <= 1:
        raise ValueError(f"dispersion must be between 0 and 1, not {dispersion!r}")
    best_first = true_ranking(size) if center is None else _validate_order("center", center, size)
    rng = np.random.default_rng(validate_integer("mallows", "seed", seed, minimum=0))
    places = draw_mallows_places(size, len(tasks), float(dispersion), rng)
    scores = pd.DataFrame(-places, index=best_first, columns=tasks)
    return scores.iloc[::-1] if center is None else scores


def single_peaked(
    n_systems: int, n_tasks: int, *, seed: int = 0, axis: Sequence[Label] | None = None
) -> pd.DataFrame:
    """What does a rule make of voters who stand on one line, from left to right?

    Every ranking has a peak, its first system, and falls from it to both sides of the axis. Each of
    the ``2 ** (n_systems - 1)`` such rankings is equally likely, and the tasks are independent.

    Parameters
    ----------
    n_systems
        How many systems; they are called s1, s2, ... (with leading zeros, so that
        names sort as numbers), from left to right.
    n_tasks
        How many rankings to draw, one for each task: t1, t2, ...
    seed
        A whole number; the same seed gives the same rankings.
    axis
        The systems from left to right, if they are to have other names; `n_systems` of them.

    Returns
    -------
    pandas.DataFrame
        A leaderboard, systems x tasks, whose scores are minus the places: -1 for the first. Higher
        is better. Systems stand in the order of the axis.

    Raises
    ------
    TypeError, ValueError
        If a number of systems or tasks is not a whole number from 1, or the axis does not fit.

    References
    ----------
    Black, On the rationale of group decision-making, 1948. Drawn from the last place on, each time
    one of the two ends of what is left: Walsh, Generating single peaked votes, 2015.

    Examples
    --------
    >>> single_peaked(4, n_tasks=5, seed=1, axis=["left", "center left", "center", "right"])
                 t1  t2  t3  t4  t5
    left         -3  -1  -4  -1  -4
    center left  -1  -2  -3  -2  -3
    center       -2  -3  -2  -3  -2
    right        -4  -4  -1  -4  -1
    """
    tasks = _numbered_labels("t", validate_integer("single_peaked", "n_tasks", n_tasks))
    size = validate_integer("single_peaked", "n_systems", n_systems)
    systems = _numbered_labels("s", size) if axis is None else _validate_order("axis", axis, size)
    rng = np.random.default_rng(validate_integer("single_peaked", "seed", seed, minimum=0))
    places = draw_single_peaked_places(size, len(tasks), rng)
    return pd.DataFrame(-places, index=systems, columns=tasks)


def true_ranking(n_systems: int) -> list[str]:
    """In which order do the systems of a synthetic leaderboard truly stand?

    Parameters
    ----------
    n_systems
        How many systems the leaderboard has.

    Returns
    -------
    list of str
        The systems, best first: the one with the highest number leads. It can be
        compared with any ranking by `kendall_tau` and its relatives.

    Raises
    ------
    TypeError, ValueError
        If `n_systems` is not a whole number from 1.

    Examples
    --------
    >>> true_ranking(3)
    ['s3', 's2', 's1']
    >>> true_ranking(10)[:2]
    ['s10', 's09']
    """
    return _numbered_labels("s", validate_integer("true_ranking", "n_systems", n_systems))[::-1]


def _numbered_labels(letter: str, size: int) -> list[str]:
    return [f"{letter}{number:0{len(str(size))}d}" for number in range(1, size + 1)]


def _validate_order(argument: str, order: Sequence[Label], n_systems: int) -> list[Label]:
    if isinstance(order, str) or not isinstance(order, list | tuple | pd.Index):
        raise TypeError(f"{argument} must be a list of systems, not {type(order).__name__}")
    systems = list(order)
    if len(systems) != n_systems:
        raise ValueError(
            f"{argument} names {len(systems)} systems, and n_systems is {n_systems}; "
            f"give every system its place"
        )
    twice = [system for system in dict.fromkeys(systems) if systems.count(system) > 1]
    if twice:
        raise ValueError(
            f"{argument} names {format_labels(twice)} more than once; name each system once"
        )
    return systems


def draw_gumbel_scores(
    n_systems: int, shape: tuple[int, ...], dispersion: float, rng: Generator
) -> Floats:
    """Draw Gumbel noise about `dispersion` times the system's number, from 1 on."""
    noise = rng.gumbel(size=(n_systems, *shape))
    centres = dispersion * np.arange(1, n_systems + 1)
    return noise + centres.reshape(-1, *(1 for _ in shape))


def draw_mallows_places(n_systems: int, n_rankings: int, dispersion: float, rng: Generator) -> Ints:
    """Draw systems x rankings: places from Mallows' model about the order 0, 1, 2, ..."""
    # Systems enter in the order of the centre. The one with number i (from 0) is put in front of v
    # of the i systems already there with probability proportional to `dispersion ** v`; each v is
    # one inversion, independent of the others, which makes a ranking at distance d as likely as
    # `dispersion ** d` (Doignon, Pekec and Regenwetter, The repeated insertion model for rankings,
    # 2004).
    uniform = rng.random((n_systems, n_rankings))
    places = np.empty((n_systems, n_rankings), dtype=np.int64)
    for i in range(n_systems):
        place = i + 1 - _inversions(uniform[i], i, dispersion)
        places[:i] += places[:i] >= place
        places[i] = place
    return places


def draw_single_peaked_places(n_systems: int, n_rankings: int, rng: Generator) -> Ints:
    """Draw systems x rankings: places that fall from a peak to both ends of 0, 1, 2, ..."""
    # The last place goes to one of the two ends, the last but one to an end of what is left, ...
    left = np.zeros(n_rankings, dtype=np.int64)
    right = np.full(n_rankings, n_systems - 1)
    places, columns = np.empty((n_systems, n_rankings), dtype=np.int64), np.arange(n_rankings)
    for place in range(n_systems, 0, -1):
        takes_left = rng.random(n_rankings) < 0.5
        places[np.where(takes_left, left, right), columns] = place
        left, right = left + takes_left, right - ~takes_left
    return places


def _inversions(uniform: Floats, max_count: int, dispersion: float) -> Ints:
    """Turn uniform numbers into 0, ..., most, v having probability ~ dispersion ** v."""
    if dispersion == 0 or max_count == 0:
        return np.zeros(len(uniform), dtype=np.int64)
    if dispersion == 1:
        return (uniform * (max_count + 1)).astype(np.int64)
    # The inverse of the distribution function (1 - q^(v + 1)) / (1 - q^(most + 1)), in a form that
    # keeps its digits where q is close to 1.
    log_q = np.log(dispersion)
    drawn: Floats = np.log1p(uniform * np.expm1((max_count + 1) * log_q)) / log_q
    return np.minimum(np.floor(drawn), max_count).astype(np.int64)
