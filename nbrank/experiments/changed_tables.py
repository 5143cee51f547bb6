"""What if part of a table is missing, noise, or in another unit?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.agreement import Ranking
from nbrank.arrays import rank_correlation as arrays
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.experiments import runner
from nbrank.experiments.runner import Measure, ScoresLike
from nbrank.synthetic import draw_gumbel_scores
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.required_arguments import spell_out_options, with_call
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import validate_number


@spell_out_options
def remove_scores(
    scores: ScoresLike,
    rules: RuleList,
    *,
    shares: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5),
    n_repeats: int = 100,
    seed: int = 0,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How far does a ranking survive when scores go missing?

    Every score is as likely to go as any other; of instance-level scores, all of a system on a task
    go together, as when it was never evaluated there. A system or a task may lose everything: each
    rule then does as its `missing=` says. After Himmi et al. (2024), Towards more robust NLP system
    evaluation: handling missing scores in benchmarks, sections 3 and 4.

    Parameters
    ----------
    scores
        A frame of scores, or a `Leaderboard`; or a function that is called with `seed=` and draws a
        new one for each repetition: `partial(nbrank.synthetic.gumbel_scores, 20, 20, 20, 0.1)`.
    rules
        Names of `nbrank.RULES`, functions from a leaderboard to a ranking, or a mapping from a
        label to either; None runs every rule that needs no argument. Means refuse missing scores
        by default; choose how they count: `{"mean": partial(nbrank.mean, missing="ignore")}`.
    weights, groups, lower_is_better
        As for `Leaderboard`; they go with frames only.
    shares
        Which shares of the scores to remove, each between 0 and 1 (the papers' eta).
    n_repeats
        How many times to repeat each setting.
    seed
        A whole number from which all randomness comes: the same seed gives the same result.
    truth
        The true ranking of the systems, to compare with; None compares with what the rule makes of
        the untouched scores.
    measures
        A mapping from a column's name to a function of two rankings, the reference and the new one,
        that returns a number; None measures `kendall_tau`.

    Returns
    -------
    pandas.DataFrame
        A row for each `rule`, `share` and `repetition` (from 0), in this order, with the columns
        `removed` (how many scores, or pairs of a system and a task, were removed) and `kendall_tau`
        (tau-b between the new ranking and the reference), or in its place the columns of
        `measures`. NaN where one of the two ties all systems, or a rule refuses the changed table;
        a `RuleRefusedWarning` says how often and why.

    Raises
    ------
    TypeError, ValueError
        If the scores are not numbers, options are given with a Leaderboard, a setting is out of
        range, a rule is unknown or refuses the untouched table, or the truth is about others.

    Examples
    --------
    >>> from functools import partial
    >>> from nbrank import mean
    >>> from nbrank.datasets import load_toy_votes
    >>> rules = {"Copeland": "copeland", "mean": partial(mean, missing="ignore")}
    >>> remove_scores(load_toy_votes(), rules, shares=[0.25], n_repeats=1, seed=0).round(2)
           rule  share  removed  repetition  kendall_tau
    0  Copeland   0.25        5           0         0.91
    1      mean   0.25        5           0         0.91
    """
    study = runner.Experiment.from_options(scores, rules, n_repeats, seed, truth, measures, **table)
    shares = list(shares)
    wrong = [
        share for share in shares if not 0 <= validate_number("remove_scores", "shares", share) <= 1
    ]
    if wrong:
        raise ValueError(f"shares must be between 0 and 1, not {format_labels(wrong)}")

    def change(board: Leaderboard, random: np.random.Generator) -> runner.Changes:
        present = ~np.isnan(board.values)
        by_task = [present[:, columns].any(axis=1) for columns in board.columns_by_task()]
        evaluated = np.stack(by_task, axis=1)
        order = random.permutation(np.flatnonzero(evaluated))
        for share in shares:
            removed = round(share * len(order))
            gone = np.zeros(evaluated.shape, dtype=bool)
            gone.ravel()[order[:removed]] = True
            values = np.where(gone[:, board.task_codes], np.nan, board.values)
            yield {"share": share, "removed": removed}, board.with_values(values)

    return study.run(change, len(shares))


@spell_out_options
def remove_tasks(
    scores: ScoresLike,
    rules: RuleList,
    *,
    kept: Sequence[int] | None = None,
    n_repeats: int = 100,
    seed: int = 0,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How far do some of the tasks already give the ranking on all of them?

    Tasks of positive weight are drawn without replacement, and keep their weights. After Colombo et
    al. (2022), What are the best systems?, section 5.2.

    Parameters
    ----------
    scores, rules, n_repeats, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    kept
        How many tasks to keep, each number from 1 to that of all tasks; None takes up to ten
        numbers below it, evenly spread.

    Returns
    -------
    pandas.DataFrame
        Like that of `remove_scores`, with the column `kept` in place of `share` and `removed`.

    Raises
    ------
    TypeError, ValueError
        As `remove_scores`.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> remove_tasks(load_toy_votes(), ["borda"], kept=[1, 3], n_repeats=1, seed=0).round(2)
        rule  kept  repetition  kendall_tau
    0  borda     1           0         0.00
    1  borda     3           0         0.91
    """
    study = runner.Experiment.from_options(scores, rules, n_repeats, seed, truth, measures, **table)
    available = int((study.first.weights > 0).sum())
    values = runner.validate_settings("kept", kept, 1, max(available - 1, 1), available)

    def change(board: Leaderboard, random: np.random.Generator) -> runner.Changes:
        order = random.permutation(np.flatnonzero(board.weights > 0))
        for number in values:
            yield {"kept": number}, board.select_tasks(board.tasks[np.sort(order[:number])])

    return study.run(change, len(values))


@spell_out_options
def add_systems(
    scores: ScoresLike,
    rules: RuleList,
    *,
    sizes: Sequence[int] | None = None,
    n_repeats: int = 100,
    seed: int = 0,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How far does the ranking of some systems change as more of them join the board?

    They enter in random order; the first are compared with how they stand in the ranking of all.

    Parameters
    ----------
    scores, rules, n_repeats, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    sizes
        How many systems are on the board, each number from 2 to that of all systems; None takes up
        to ten numbers below it, evenly spread.

    Returns
    -------
    pandas.DataFrame
        Like that of `remove_scores`, with the column `systems` in place of `share` and `removed`.

    Raises
    ------
    TypeError, ValueError
        As `remove_scores`.

    Examples
    --------
    A mean gives each system its score whoever else is there; Borda's points depend on the company.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]})
    >>> add_systems(scores, ["borda", "mean"], sizes=[3], n_repeats=1, seed=4).round(2)
        rule  systems  repetition  kendall_tau
    0  borda        3           0         0.82
    1   mean        3           0         1.00
    """
    study = runner.Experiment.from_options(scores, rules, n_repeats, seed, truth, measures, **table)
    available = len(study.first.systems)
    values = runner.validate_settings("sizes", sizes, 2, max(available - 1, 2), available)

    def change(board: Leaderboard, random: np.random.Generator) -> runner.Changes:
        order = random.permutation(len(board.systems))
        for number in values:
            yield {"systems": number}, board.select_systems(board.systems[np.sort(order[:number])])

    return study.run(change, len(values))


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
        places = arrays.average_places(runner.true_ranks(board, truth))
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
