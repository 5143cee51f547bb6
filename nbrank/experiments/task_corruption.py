"""What if some of the tasks are not what they seem: noise, or in another unit?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.agreement import Ranking
from nbrank.arrays.rank_correlation import average_places
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.experiments import runner
from nbrank.experiments.runner import Measure, ScoresLike
from nbrank.synthetic import draw_gumbel_scores
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.required_arguments import spell_out_options, with_call
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import validate_number


@with_call("nbrank.experiments.corrupt_tasks(scores, ['mean', 'borda'], truth=truth)")
@spell_out_options
def corrupt_tasks(
    scores: ScoresLike,
    rules: RuleList,
    *,
    truth: Ranking,
    counts: Sequence[int] | None = None,
    n_repeats: int = 100,
    seed: int = 0,
    measures: Mapping[str, Measure] | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How many manipulated tasks does it take to turn a ranking from the truth?

    The scores of corrupted tasks are replaced by noise that reverses the truth: that of the k-th
    worst system follows the Gumbel distribution with mode -k (k where lower is better) and scale 1.
    It suits `nbrank.synthetic.gumbel_scores`. After Colombo et al. (2022), What are the best
    systems?, section 4.2, whose error is (1 - kendall_tau) / 2.

    Parameters
    ----------
    scores, rules, n_repeats, seed, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    truth
        The true ranking of the systems, best first, which the manipulation reverses and with which
        the rankings are compared.
    counts
        How many tasks of positive weight to corrupt, each number from 0 to that of all; None takes
        up to ten numbers from 1 on, evenly spread.

    Returns
    -------
    pandas.DataFrame
        Like that of `remove_scores`, with the column `corrupt` in place of `share` and `removed`.

    Raises
    ------
    TypeError, ValueError
        As `remove_scores`.

    Examples
    --------
    >>> from functools import partial
    >>> from nbrank import borda
    >>> from nbrank.synthetic import gumbel_scores, true_ranking
    >>> rules = {"mean": "mean", "one level": borda, "two levels": partial(borda, levels=2)}
    >>> draw = partial(gumbel_scores, 6, 5, 10, 0.5)
    >>> found = corrupt_tasks(draw, rules, truth=true_ranking(6), counts=[2], n_repeats=3, seed=0)
    >>> found.groupby("rule")["kendall_tau"].mean().round(2).to_dict()
    {'mean': -0.6, 'one level': 0.24, 'two levels': 0.7}
    """
    study = runner.Experiment.from_options(scores, rules, n_repeats, seed, truth, measures, **table)

    available = int((study.first.weights > 0).sum())
    lowest = 1 if counts is None else 0
    entries = runner.validate_settings("counts", counts, lowest, available, available)

    def change(board: Leaderboard, random: np.random.Generator) -> runner.Changes:
        order = random.permutation(np.flatnonzero(board.weights > 0))
        places = average_places(runner.true_ranks(board, truth))
        noise = draw_gumbel_scores(len(places), (board.values.shape[1],), 0.0, random)
        values = noise - (len(places) + 1 - places)[:, None]
        values = np.where(board.is_lower_better[board.task_codes], -values, values)
        values[np.isnan(board.values)] = np.nan
        for number in entries:
            chosen = np.isin(board.task_codes, order[:number])
            yield {"corrupted": number}, board.with_values(np.where(chosen, values, board.values))

    return study.run(change, len(entries))


@spell_out_options
def rescale_task(
    scores: ScoresLike,
    rules: RuleList,
    *,
    factors: Sequence[float] = (1, 2, 5, 10),
    task: Label | None = None,
    n_repeats: int = 100,
    seed: int = 0,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How far does a ranking depend on the unit of one task?

    Rules that only look at the order within each task give the same ranking whatever the factor.
    After Colombo et al. (2022), What are the best systems?, section 4.3.

    Parameters
    ----------
    scores, rules, n_repeats, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    factors
        By how much to multiply, each above 0 (the papers' lambda).
    task
        The task to rescale; None draws one of positive weight in each repetition.

    Returns
    -------
    pandas.DataFrame
        Like that of `remove_scores`, with the columns `factor` and `task` (which one was
        multiplied) in place of `share` and `removed`.

    Raises
    ------
    TypeError, ValueError
        As `remove_scores`.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> scores = load_toy_votes()
    >>> rescale_task(
    ...     scores, ["borda", "mean"], task="Task 1", factors=[10], n_repeats=1, seed=0
    ... ).round(2)
        rule  factor    task  repetition  kendall_tau
    0  borda      10  Task 1           0          1.0
    1   mean      10  Task 1           0          0.0
    """
    study = runner.Experiment.from_options(scores, rules, n_repeats, seed, truth, measures, **table)
    factors = list(factors)
    wrong = [
        factor
        for factor in factors
        if not 0 < validate_number("rescale_task", "factors", factor) < np.inf
    ]
    if wrong:
        raise ValueError(f"factors must be finite and above 0, not {format_labels(wrong)}")

    def change(board: Leaderboard, random: np.random.Generator) -> runner.Changes:
        drawn = int(random.choice(np.flatnonzero(board.weights > 0)))
        if task is not None:
            drawn = board.task_names.get_positions([task], "task")[0]
        for factor in factors:
            scale = np.where(board.task_codes == drawn, factor, 1.0)
            changed = board.with_values(board.values * scale)
            yield {"factor": factor, "task": board.tasks[drawn]}, changed

    return study.run(change, len(factors))
