"""How often sets of ranks hold the true ranks of all systems at once: the figures in docstrings.

Each table has 20 systems on 14 tasks, or as said, and the sets are at 95 %. `equal`: equally good
systems with Gumbel errors. `close`: means half a unit apart from the best to the worst, and errors
of a standard deviation of 1.28. `skewed`: equally good systems with exponential errors, five times
as widely spread on the last as on the first.
"""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from nbrank.experiments import rank_confidence_coverage
from nbrank.questions.bootstrap import bootstrap
from nbrank.questions.rank_confidence import rank_confidence

N_TABLES = 1000


def gumbel(seed, n_systems=20, n_tasks=14, apart=0.0):
    errors = np.random.default_rng(seed).gumbel(size=(n_systems, n_tasks))
    return pd.DataFrame(errors + np.linspace(apart, 0, n_systems)[:, None])


def skewed(seed, n_systems=20, n_tasks=14):
    errors = np.random.default_rng(seed).exponential(size=(n_systems, n_tasks)) - 1
    return pd.DataFrame(np.linspace(1, 5, n_systems)[:, None] * errors)


BORDA = partial(rank_confidence, rule="borda", draws=999)
MEAN = partial(rank_confidence, rule="mean", draws=999)
RESAMPLED = partial(bootstrap, rule="borda", n=500)
SETTINGS = {
    "Borda, equal": (gumbel, [1] * 20, BORDA, 0.96),
    "Borda, equal, 8 tasks": (partial(gumbel, n_tasks=8), [1] * 20, BORDA, 0.95),
    "mean, skewed": (skewed, [1] * 20, MEAN, 0.80),
    "mean, skewed, 7 systems on 40 tasks": (
        partial(skewed, n_systems=7, n_tasks=40),
        [1] * 7,
        MEAN,
        0.90,
    ),
    "bootstrap, close": (partial(gumbel, apart=0.5), range(1, 21), RESAMPLED, 0.06),
}


@pytest.mark.parametrize(("draw", "truth", "find", "said"), SETTINGS.values(), ids=SETTINGS)
def test_the_true_ranks_are_held_as_often_as_it_says(benchmark, draw, truth, find, said):
    found = benchmark.pedantic(
        rank_confidence_coverage,
        args=(draw, pd.Series(truth), {"sets": find}),
        kwargs={"n": N_TABLES, "seed": 0},
        rounds=1,
    )
    held = float(found["all_hold"].mean())
    assert held == pytest.approx(said, abs=0.01)
