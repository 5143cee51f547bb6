"""Are scores so skewed that turning signs alone claims too much about their means?"""

from __future__ import annotations

import numpy as np

from nbrank.arrays.typing import Floats
from nbrank.arrays.uncertainty.influence import Contributions

#: With more units, turned signs alone claim hardly more about means of skewed scores than they may.
_MAX_UNITS = 150

#: With fewer units, the bootstrap says too little of skewness: all signs are tried, with a warning.
ENOUGH_UNITS = 14

#: Draws of signs, and the level of the test.
_DRAWS, _LEVEL = 999, 0.05


def are_skewed(contributions: Contributions) -> bool:
    """Return whether what units add to the systems' means is skewed, mostly to one side."""
    # The mean skewness of the systems, against the same where the signs of units are turned, as for
    # sets. Heavy tails alone are not skewed: they lie to one side of some systems, and to the other
    # side of others. What a unit adds to all systems alike is in no difference of two.
    contributions = contributions.counted.rescaled
    n_units = contributions.n_units
    if not 2 < n_units <= _MAX_UNITS or len(contributions.amounts) < 2:
        return False
    estimates = np.nan_to_num(contributions.estimates)[:, None]
    totals = np.maximum(contributions.weights.sum(axis=1, keepdims=True), 1e-300)
    added = (contributions.amounts - estimates * contributions.weights) / totals
    added -= added.mean(axis=0)
    # The draws are always the same: the answer doesn't depend on a seed.
    rng = np.random.default_rng(0)
    signs = np.where(rng.integers(0, 2, size=(n_units, _DRAWS), dtype=np.int8) == 1, 1.0, -1.0)
    signs[:, 0] = 1.0
    drawn = np.abs(_skewness(added, signs).mean(axis=0))
    return bool((drawn >= drawn[0] * (1 - 1e-9)).mean() <= _LEVEL)


def _skewness(added: Floats, signs: Floats) -> Floats:
    """Compute the skewness of each row with signs of its columns turned: rows x draws."""
    largest = np.abs(added).max(axis=1, keepdims=True)
    added = added / np.where(largest > 0, largest, 1.0)
    n_units = len(signs)
    means, squares = added @ signs / n_units, (added**2).mean(axis=1, keepdims=True)
    variances = squares - means**2
    cubes = added**3 @ signs / n_units - means * (3 * squares - 2 * means**2)
    spread = np.where(variances > 1e-9, variances, np.inf)
    result: Floats = cubes / (spread * np.sqrt(spread))
    return result
