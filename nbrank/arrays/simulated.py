"""Random scores and random rankings with a known truth, on plain arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def gumbel_scores(
    n_systems: int, shape: tuple[int, ...], dispersion: float, random: np.random.Generator
) -> NDArray[np.float64]:
    """Draw standard Gumbel noise about `dispersion` times the system's number, counted from 1.

    Parameters
    ----------
    n_systems
        How many systems.
    shape
        The shape of each system's scores.
    dispersion
        The distance between the centres of two systems with successive numbers.
    random
        Where the noise comes from.

    Returns
    -------
    numpy.ndarray
        An array of shape `(n_systems, *shape)`.
    """
    noise = random.gumbel(size=(n_systems, *shape))
    centres = dispersion * np.arange(1, n_systems + 1)
    return noise + centres.reshape(-1, *(1 for _ in shape))


def mallows_places(
    n_systems: int, n_rankings: int, dispersion: float, random: np.random.Generator
) -> NDArray[np.int64]:
    """Places in rankings drawn from Mallows' model about the order 0, 1, 2, ..., by insertion.

    Systems enter in the order of the centre. The one with number i (from 0) is put
    in front of v of the i systems already there with probability proportional to
    ``dispersion ** v``; each v is one inversion, independent of the others, which
    makes a ranking at distance d as likely as ``dispersion ** d``.

    Parameters
    ----------
    n_systems
        How many systems; number 0 is first in the centre.
    n_rankings
        How many rankings to draw.
    dispersion
        From 0 (every ranking is the centre) to 1 (all rankings are equally likely).
    random
        Where the uniform numbers come from.

    Returns
    -------
    numpy.ndarray
        Systems x rankings: the place of each system, 1 for the first.

    References
    ----------
    J.-P. Doignon, A. Pekec and M. Regenwetter, "The repeated insertion model for
    rankings", Psychometrika 69 (2004), 33-54.
    """
    uniform = random.random((n_systems, n_rankings))
    places = np.empty((n_systems, n_rankings), dtype=np.int64)
    for i in range(n_systems):
        place = i + 1 - _inversions(uniform[i], i, dispersion)
        places[:i] += places[:i] >= place
        places[i] = place
    return places


def _inversions(uniform: NDArray[np.float64], most: int, dispersion: float) -> NDArray[np.int64]:
    """Turn uniform numbers into 0, ..., most, v having probability ~ dispersion ** v."""
    if dispersion == 0 or most == 0:
        return np.zeros(len(uniform), dtype=np.int64)
    if dispersion == 1:
        return (uniform * (most + 1)).astype(np.int64)
    # The inverse of the distribution function (1 - q^(v + 1)) / (1 - q^(most + 1)), in a form that
    # keeps its digits where q is close to 1.
    log_q = np.log(dispersion)
    drawn: NDArray[np.float64] = np.log1p(uniform * np.expm1((most + 1) * log_q)) / log_q
    return np.minimum(np.floor(drawn), most).astype(np.int64)
