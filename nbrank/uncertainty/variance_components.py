"""Would more seeds help, or more tasks?"""

from __future__ import annotations

from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import power_of_two
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.measurement_errors import stratified_standard_errors
from nbrank.rules.means import check_single_orientation
from nbrank.uncertainty.cell_errors import CellErrors
from nbrank.uncertainty.sampling_design import SamplingDesign
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions


@register_method("how sure it is", sees="ballots")
def variance_split(
    scores: pd.DataFrame | Leaderboard,
    *,
    errors: pd.DataFrame | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How much of the uncertainty is due to seeds, and how much to tasks: which would help more?

    The uncertainty of each system's mean score less the mean of all systems is split, so tasks
    that are hard for all systems count for nothing.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.

    Returns
    -------
    pandas.DataFrame
        Indexed by system in table order, with the columns, in the unit of the scores,

        score
            The mean over the tasks, less that of all systems.
        standard_error
            That of the score, over seeds and tasks.
        seeds
            The part of it that more seeds (or smaller errors of the cells) could take away.
        tasks
            The part that only more tasks could take away; 0 where the seeds explain all of it. The
            squares of both parts add up to that of the standard error.
        twice_the_seeds, twice_the_tasks
            What the standard error would be with twice as many of either.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if lower is better on some tasks only, if scores are missing, or if nothing says how
        far they may be off.

    References
    ----------
    Bouthillier et al., Accounting for variance in machine learning benchmarks, 2021.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], [0, 1]], names=["system", "seed"])
    >>> scores = pd.DataFrame({"t1": [3.0, 5, 1, 1], "t2": [6.0, 8, 2, 4]}, index=rows)
    >>> variance_split(scores).round(2)
            score  standard_error  seeds  tasks  twice_the_seeds  twice_the_tasks
    system
    A        1.75            0.43   0.43    0.0             0.31             0.31
    B       -1.75            0.43   0.43    0.0             0.31             0.31
    """
    board = as_leaderboard(scores, **table)
    lower = board.tasks[board.is_lower_better].tolist()
    advice = f"ask for one direction at a time, as of scores.drop(columns={lower!r})"
    check_single_orientation(board, "variance_split", advice)
    missing = "seeds and tasks are told apart on complete tables only; drop systems or tasks"
    board.raise_for_cells("variance_split", np.isnan, "missing score", missing)
    board.check_finite("variance_split", "they have no average")
    cells = CellErrors.from_board("variance_split", board, errors)
    profile, n = board.profile(), len(board.systems)
    # Scores are divided by a unit near the largest, so that squares don't overflow.
    unit = power_of_two(float(np.abs(profile.scores).max()) or 1.0)
    relative = profile.scores / unit - (profile.scores / unit).mean(axis=0)
    contributions = Contributions.from_values(relative, None, profile.weights)
    draws = SamplingDesign.from_board(board, "tasks")
    by_unit = contributions.sum_by_unit(draws.unit_codes)
    whole = stratified_standard_errors(by_unit, draws.strata)[0] ** 2
    of_cells = cells.errors[:, board.active_columns] / unit
    squares = (of_cells * profile.weights / profile.weights.sum()) ** 2
    of_system = squares.sum(axis=1)
    # The mean of all systems, which is subtracted, has errors of its own.
    of_seeds = of_system * (1 - 2 / n) + of_system.sum() / n**2
    of_tasks = np.maximum(whole - of_seeds, 0.0)
    total = of_seeds + of_tasks
    columns = {
        "score": contributions.estimates,
        "standard_error": np.sqrt(total),
        "seeds": np.sqrt(of_seeds),
        "tasks": np.sqrt(of_tasks),
        "twice_the_seeds": np.sqrt(of_seeds / 2 + of_tasks),
        "twice_the_tasks": np.sqrt(total / 2),
    }
    return pd.DataFrame(columns, index=board.systems) * unit
