"""Are scores so skewed, and so few, that sets by their mean hold less often than they say?"""

from __future__ import annotations

import numpy as np

from nbrank.arrays.typing import Floats
from nbrank.arrays.uncertainty.influence import Contributions

#: With more units, sets by the mean of skewed scores hold nearly as often as they say.
_MAX_UNITS = 60

#: Draws of signs, and the level of the test.
_DRAWS, _LEVEL = 999, 0.05


def are_skewed_and_few(contributions: Contributions) -> bool:
    """Return whether what few units add to the systems' means is skewed, mostly to one side."""
    # The mean skewness of the systems, against the same where the signs of units are turned, as for
    # sets. Heavy tails alone are not skewed: they lie to one side of some systems, and to the other
    # side of others. What a unit adds to all systems alike is in no difference of two.
    n_units = contributions.n_units
    if not 2 < n_units <= _MAX_UNITS or len(contributions.amounts) < 2:
        return False
    contributions = contributions.rescaled
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
