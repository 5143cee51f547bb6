"""A warning points at the user's line, by whatever way the library was called."""

import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import experiments
from nbrank.rules import paired_comparison

HOLES = pd.DataFrame({"t": [3, 2, np.nan], "u": [1, 2, 3]}, index=list("ABC"))
APART = pd.DataFrame({"t": [1, np.nan], "u": [np.nan, 1]}, index=list("AB"))


def two_tasks(scores):
    """Somebody's own rule, which refuses many resamples."""
    if (scores.weights > 0).sum() == 1:
        raise ValueError("one task is not enough")
    return nbrank.borda(scores)


WARNS = {
    "compare": lambda: nbrank.compare(HOLES, ["mean", "borda"]),
    "df.rank.compare": lambda: HOLES.rank.compare(["mean", "borda"]),
    "df.rank.winners": lambda: HOLES.rank.winners(["mean", "borda"]),
    "condorcet_weights": lambda: nbrank.condorcet_weights(APART),
    "df.rank.condorcet_weights": lambda: APART.rank.condorcet_weights("A"),
    "infeasible": lambda: HOLES.rank.condorcet_weights(bounds={"t": (0, 0.1), "u": (0, 0.1)}),
    "a partial": partial(HOLES.rank.compare, ["mean", "borda"]),
    "bootstrap": lambda: nbrank.bootstrap(HOLES, two_tasks, n_draws=50, seed=0),
    "df.rank.bootstrap": lambda: HOLES.rank.bootstrap(two_tasks, n_draws=50, seed=0),
    "experiments": lambda: experiments.remove_scores(
        HOLES.dropna(), ["mean"], shares=[0.5], n_repeats=1, seed=0
    ),
    "dispersion": lambda: experiments.dispersion(HOLES, ["mean", "borda"]),
}


@pytest.mark.parametrize("call", WARNS.values(), ids=WARNS)
def test_a_warning_points_at_the_file_of_the_caller(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    assert {warning.filename for warning in caught} == {__file__}


def test_it_points_at_the_line():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        HOLES.rank.compare(["mean"])
        nbrank.compare(HOLES, ["mean"])
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    assert [lines[warning.lineno - 1].strip() for warning in caught] == [
        'HOLES.rank.compare(["mean"])',
        'nbrank.compare(HOLES, ["mean"])',
    ]


def test_a_model_that_does_not_converge_warns_where_it_is_fitted(monkeypatch):
    fitted = paired_comparison.arrays.bradley_terry
    monkeypatch.setattr(
        paired_comparison.arrays,
        "bradley_terry",
        lambda *given: replace(fitted(*given), converged=False),
    )
    for fit in (nbrank.bradley_terry, lambda scores: scores.rank.bradley_terry()):
        with pytest.warns(RuntimeWarning, match="not converged") as caught:
            fit(pd.DataFrame({"t": [1, 2], "u": [2, 1]}, index=list("AB")))
        assert {warning.filename for warning in caught} == {__file__}
