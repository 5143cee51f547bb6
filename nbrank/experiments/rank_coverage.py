"""Whether sets of ranks hold what they promise, where the truth is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from nbrank.agreement import Ranking
from nbrank.experiments import runner
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.validation import validate_integer


def rank_confidence_coverage(
    scores: Callable[..., pd.DataFrame | Leaderboard],
    truth: Ranking,
    sets: Mapping[str, runner.Ranker],
    *,
    n_repeats: int = 100,
    seed: int = 0,
) -> pd.DataFrame:
    """How often do sets of ranks hold the true ones, and how wide are they?

    Every way to make sets is given the same tables, drawn from a known model, as in the simulations
    of Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks, Review of Economic Studies.

    Parameters
    ----------
    scores
        A function that is called with `seed=` and draws a table, higher being better.
    truth
        The true ranking of the systems: a Series of ranks, or a list of systems, best first.
        Systems that share a rank must all have all of its places.
    sets
        A mapping from a label to a function of a `Leaderboard` and `seed=` that returns a frame
        with `low` and `high`, such as `partial(nbrank.rank_confidence, rule="borda")`.
    n_repeats, seed
        How many tables to draw, and a whole number from which all randomness comes.

    Returns
    -------
    pandas.DataFrame
        A row for each way (`sets`) and table (`repetition`), with the columns `all_hold` (whether
        every system's set holds its true rank; of joint sets at 95 % this has to be so in 95 % of
        the tables), `share` (of the systems of which that is so) and `width` (how many ranks a set
        holds on average). Missing where a way refuses a table; a `RuleRefusedWarning` says why.

    Raises
    ------
    TypeError, ValueError
        If `scores` is not a function, the truth is about other systems, or there are no ways.

    Examples
    --------
    Of five equally good systems resampling takes the differences for real ones.

    >>> from functools import partial
    >>> import numpy as np
    >>> import pandas as pd
    >>> from nbrank import bootstrap, rank_confidence
    >>> def draw(seed):
    ...     return pd.DataFrame(np.random.default_rng(seed).gumbel(size=(5, 14)), list("ABCDE"))
    >>> ways = {"confidence": partial(rank_confidence, rule="borda", n_draws=999)}
    >>> ways["bootstrap"] = partial(bootstrap, rule="borda", n_draws=200)
    >>> equal = pd.Series(1, index=list("ABCDE"))
    >>> found = rank_confidence_coverage(draw, equal, ways, n_repeats=20, seed=0)
    >>> found.groupby("sets", as_index=False)[["all_hold", "share", "width"]].mean().round(2)
             sets  all_hold  share  width
    0   bootstrap      0.25   0.52   4.38
    1  confidence       0.9   0.96   4.96
    """
    if not callable(scores):
        raise TypeError(
            f"scores must be a function that is called with seed= and draws a table, "
            f"not {type(scores).__name__}"
        )
    if not sets:
        raise ValueError("no ways to make sets are given; name at least one")
    n_repeats = validate_integer(runner.MODULE_NAME, "n_repeats", n_repeats)
    seed = validate_integer(runner.MODULE_NAME, "seed", seed, minimum=0)
    rows: dict[str, list[dict[str, Any]]] = {label: [] for label in sets}
    refusals = runner.RuleFailures(sets)
    with progress_bar(total=n_repeats * len(sets), unit=" tables") as bar:
        for repetition, stream in enumerate(runner.spawn_seeds(seed, n_repeats)):
            for_table, for_sets = stream.generate_state(2).tolist()
            board = as_leaderboard(scores(seed=for_table))
            ranks = runner.true_ranks(board, truth)
            # The best and the worst of the ranks that each system shares in truth.
            best, worst = (np.searchsorted(np.sort(ranks), ranks, s) for s in ("left", "right"))
            for label, find in sets.items():
                results: dict[str, Any] = dict.fromkeys(("all_hold", "share", "width"), pd.NA)
                intervals = refusals.try_rule(label, find, board, seed=for_sets)
                if intervals is not None:
                    low, high = intervals[["low", "high"]].reindex(board.systems).to_numpy().T
                    held = (low <= best + 1) & (worst <= high)
                    width = float((high - low + 1).mean())
                    results = {"all_hold": held.all(), "share": held.mean(), "width": width}
                rows[label].append({"sets": label, "repetition": repetition} | results)
                bar.update()
    refusals.warn(n_repeats)
    return pd.DataFrame([row for listed in rows.values() for row in listed]).astype(
        {"all_hold": "boolean", "share": "Float64", "width": "Float64"}
    )
