"""Random scores and random rankings with a known truth, on plain arrays."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from nbrank.arrays.typing import Floats, Ints


def gumbel_scores(
    n_systems: int, shape: tuple[int, ...], dispersion: float, rng: Generator
) -> Floats:
    """Draw Gumbel noise about `dispersion` times the system's number, from 1 on."""
    noise = rng.gumbel(size=(n_systems, *shape))
    centres = dispersion * np.arange(1, n_systems + 1)
    return noise + centres.reshape(-1, *(1 for _ in shape))


def draw_mallows_places(
    n_systems: int, n_rankings: int, dispersion: float, random: Generator
) -> Ints:
    """Draw systems x rankings: places from Mallows' model about the order 0, 1, 2, ..."""
    # Systems enter in the order of the centre. The one with number i (from 0) is put in front of v
    # of the i systems already there with probability proportional to `dispersion ** v`; each v is
    # one inversion, independent of the others, which makes a ranking at distance d as likely as
    # `dispersion ** d` (Doignon, Pekec and Regenwetter, The repeated insertion model for rankings,
    # 2004).
    uniform = random.random((n_systems, n_rankings))
    places = np.empty((n_systems, n_rankings), dtype=np.int64)
    for i in range(n_systems):
        place = i + 1 - _inversions(uniform[i], i, dispersion)
        places[:i] += places[:i] >= place
        places[i] = place
    return places


def draw_single_peaked_places(n_systems: int, n_rankings: int, random: Generator) -> Ints:
    """Draw systems x rankings: places that fall from a peak to both ends of 0, 1, 2, ..."""
    # The last place goes to one of the two ends, the last but one to an end of what is left, ...
    left = np.zeros(n_rankings, dtype=np.int64)
    right = np.full(n_rankings, n_systems - 1)
    places, columns = np.empty((n_systems, n_rankings), dtype=np.int64), np.arange(n_rankings)
    for place in range(n_systems, 0, -1):
        takes_left = random.random(n_rankings) < 0.5
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
    drawn = np.log1p(uniform * np.expm1((max_count + 1) * log_q)) / log_q
    return np.minimum(np.floor(drawn), max_count).astype(np.int64)
