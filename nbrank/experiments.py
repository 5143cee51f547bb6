"""How rankings stand up to what happens to leaderboards: `nbrank.experiments`.

Every experiment changes a leaderboard at random, ranks it again by each rule, and
says how far the new ranking agrees with the one that the rule gives without the
change, or with a known truth. Within a repetition all rules see the same tables,
and the settings are nested: what is removed at 10 % is also removed at 20 %. The
same seed gives the same tables, however many repetitions follow.
"""

# ruff: noqa: PT028 -- test_size is an experiment on the size of the test set, and no test.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.agreement import Ranking, aligned, kendall_tau
from nbrank.arrays import dispersion as arrays
from nbrank.arrays.pair_counts import count
from nbrank.arrays.rank_correlation import average_places, ranks_from_top
from nbrank.arrays.simulated import gumbel_scores
from nbrank.questions.compare import RuleList, RuleRefusedWarning, labelled_rules
from nbrank.rules.ranking import ranking
from nbrank.rules.rule import RuleLike, called
from nbrank.votes.caller import warn_caller
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import Label, named
from nbrank.votes.options import real_number, whole_number
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.progress import progress
from nbrank.votes.task_names import Groups, TaskNames, Weights

__all__ = [
    "add_systems",
    "corrupt_tasks",
    "discriminative_power",
    "dispersion",
    "independence_of_irrelevant_alternatives",
    "rank_confidence_coverage",
    "remove_scores",
    "remove_tasks",
    "rescale_task",
    "reverse_tasks",
    "test_size",
]

#: Scores, or a function `f(seed=...)` that draws new ones for each repetition.
Scores: TypeAlias = pd.DataFrame | Leaderboard | Callable[..., pd.DataFrame | Leaderboard]
Measure = Callable[[pd.DataFrame, pd.DataFrame], float]
Changes = Iterator[tuple[dict[str, Any], Leaderboard]]

#: Who asks, in messages on what all experiments share.
_WHERE = "experiments"


def remove_scores(
    scores: Scores,
    rules: RuleList,
    *,
    shares: Sequence[float] = (0.1, 0.2, 0.3, 0.4, 0.5),
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How far does a ranking survive when scores go missing?

    A share of the scores is removed, every score being as likely to go as any
    other; of instance-level scores, all scores of a system on a task go together,
    as when it was never evaluated there. A system or a task may lose everything:
    each rule then does as its `missing=` says.

    Parameters
    ----------
    scores
        A frame of scores, or a `Leaderboard`; or a function that is called with
        `seed=` and draws a new one for each repetition, such as
        `partial(nbrank.synthetic.gumbel_scores, 20, 20, 20, 0.1)`.
    rules
        Names of `nbrank.RULES`, functions from a leaderboard to a ranking, or a
        mapping from a label to either; None runs every rule that needs no
        argument. Rules that refuse missing scores, as means do, need to be told
        what to do: `{"mean": partial(nbrank.mean, missing="ignore")}`.
    shares
        Which shares of the scores that are there to remove, each between 0 and 1
        (the papers' eta).
    n
        How many times to repeat each setting.
    seed
        A whole number from which all randomness comes.
    truth
        The true ranking of the systems, to compare with; None compares with what
        the rule makes of the untouched scores.
    measures
        A mapping from a column's name to a function of two rankings, the reference
        and the new one, that returns a number; None measures `kendall_tau`.
    weights, groups, lower_is_better
        As for `Leaderboard`; they go with frames only.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, share and repetition, in this order, with the columns

        rule
            The label of the rule.
        share
            The share of scores to be removed.
        removed
            How many scores (of instance-level scores: pairs of a system and a
            task) were removed.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b between the new ranking and the reference; NaN where
            one of them ties all systems. In its place the columns of `measures`,
            where they are given.

        Where a rule refuses the changed table the agreement is NaN, and a
        `RuleRefusedWarning` says how often and why.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If a share is not between 0 and 1, a rule is unknown or refuses the
        untouched table, or the truth is about other systems.

    References
    ----------
    A. Himmi, E. Irurozki, N. Noiry, S. Clémençon and P. Colombo, "Towards more
    robust NLP system evaluation: handling missing scores in benchmarks", 2023,
    sections 3 and 4. The third case study of M. Rofin et al., "Vote'n'Rank:
    revision of benchmarking with social choice theory", EACL 2023, is this one
    with the measure of the example.

    Examples
    --------
    >>> from functools import partial
    >>> import pandas as pd
    >>> from nbrank import borda, mean
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> rules = {"Borda": borda, "mean": partial(mean, missing="ignore")}
    >>> remove_scores(scores, rules, shares=[0, 0.25], n=1, seed=0).round(2)
        rule  share  removed  repetition  kendall_tau
    0  Borda   0.00        0           0         1.00
    1  Borda   0.25        3           0         0.91
    2   mean   0.00        0           0         1.00
    3   mean   0.25        3           0         1.00

    Vote'n'Rank's measure, Spearman's rho over the seven systems that lead the
    damaged table:

    >>> from nbrank import spearman
    >>> def top_seven(reference, damaged):
    ...     leaders = damaged.index[:7]
    ...     return spearman(reference.loc[leaders], damaged.loc[leaders])
    >>> remove_scores(
    ...     scores, ["copeland"], shares=[0.25], n=1, seed=0, measures={"rho": top_seven}
    ... ).round(2)
           rule  share  removed  repetition  rho
    0  copeland   0.25        3           0  0.4
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)
    shares = list(shares)
    wrong = [
        share for share in shares if not 0 <= real_number("remove_scores", "shares", share) <= 1
    ]
    if wrong:
        raise ValueError(f"shares must be between 0 and 1, not {named(wrong)}")

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        present = ~np.isnan(board.values)
        evaluated = np.zeros((len(board.systems), len(board.tasks)), dtype=bool)
        for task in range(len(board.tasks)):
            evaluated[:, task] = present[:, board.column_task == task].any(axis=1)
        order = random.permutation(np.flatnonzero(evaluated))
        for share in shares:
            removed = round(share * len(order))
            gone = np.zeros(evaluated.shape, dtype=bool)
            gone.ravel()[order[:removed]] = True
            values = np.where(gone[:, board.column_task], np.nan, board.values)
            yield {"share": share, "removed": removed}, board.with_values(values)

    return study.run(change, len(shares))


def remove_tasks(
    scores: Scores,
    rules: RuleList,
    *,
    kept: Sequence[int] | None = None,
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How far do some of the tasks already give the ranking on all of them?

    Tasks are drawn without replacement, each as likely as any other; tasks of
    weight 0 are left out. The tasks keep their weights.

    Parameters
    ----------
    scores, rules, n, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    kept
        How many tasks to keep, each number from 1 on; None takes up to ten numbers
        below that of all tasks, evenly spread.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, number of tasks and repetition, with the columns

        rule
            The label of the rule.
        kept
            How many tasks were kept.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b with the reference, or the columns of `measures`, as
            for `remove_scores`.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if more tasks are to be kept than there are.

    References
    ----------
    P. Colombo, N. Noiry, E. Irurozki and S. Clémençon, "What are the best systems?
    New perspectives on NLP benchmarking", NeurIPS 2022, section 5.2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> remove_tasks(scores, ["borda", "mean"], n=1, seed=0).round(2)
        rule  kept  repetition  kendall_tau
    0  borda     1           0         0.91
    1  borda     2           0         0.80
    2   mean     1           0         0.33
    3   mean     2           0         0.33
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)
    available = int((study.first.weights > 0).sum())
    numbers = _numbers("kept", kept, 1, max(available - 1, 1), available)

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        order = random.permutation(np.flatnonzero(board.weights > 0))
        for number in numbers:
            yield {"kept": number}, board.with_tasks(board.tasks[np.sort(order[:number])])

    return study.run(change, len(numbers))


def add_systems(
    scores: Scores,
    rules: RuleList,
    *,
    sizes: Sequence[int] | None = None,
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How far does the ranking of some systems change as more of them join the board?

    The systems enter in random order. The first of them are ranked among
    themselves, and compared with how the same systems stand in the ranking of all.

    Parameters
    ----------
    scores, rules, n, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    sizes
        How many systems are on the board, each number from 2 on; None takes up to
        ten numbers below that of all systems, evenly spread.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, size and repetition, with the columns

        rule
            The label of the rule.
        systems
            How many systems were on the board.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b between their ranking and their order in the reference,
            or the columns of `measures`, as for `remove_scores`.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if more systems are wanted than there are.

    Examples
    --------
    A mean gives each system its score whoever else is there; Borda's points depend
    on the company.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> add_systems(scores, ["borda", "mean"], n=1, seed=4).round(2)
        rule  systems  repetition  kendall_tau
    0  borda        2           0         1.00
    1  borda        3           0         0.82
    2   mean        2           0         1.00
    3   mean        3           0         1.00
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)
    available = len(study.first.systems)
    numbers = _numbers("sizes", sizes, 2, max(available - 1, 2), available)

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        order = random.permutation(len(board.systems))
        for number in numbers:
            yield {"systems": number}, board.with_systems(board.systems[np.sort(order[:number])])

    return study.run(change, len(numbers))


def corrupt_tasks(
    scores: Scores,
    rules: RuleList,
    *,
    truth: Ranking,
    counts: Sequence[int] | None = None,
    n: int = 100,
    seed: int,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How many manipulated tasks does it take to turn a ranking from the truth?

    All scores of the corrupted tasks are replaced by noise that reverses the truth:
    the score of the k-th worst of the systems follows the Gumbel distribution with
    mode -k and scale 1 (with mode k where lower is better). A score that is missing
    stays missing. The noise has the scale of `nbrank.synthetic.gumbel_scores`; on
    other scores, `reverse_tasks` manipulates without changing their range.

    Parameters
    ----------
    scores, rules, n, seed, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    truth
        The true ranking of the systems, best first, which the manipulation reverses
        and with which the rankings are compared.
    counts
        How many tasks to corrupt, each number from 0 on, drawn without replacement
        from the tasks of positive weight; None takes up to ten numbers from 1 to
        that of all tasks, evenly spread.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, number of corrupted tasks and repetition, with the
        columns

        rule
            The label of the rule.
        corrupted
            How many tasks were corrupted.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b with the truth, or the columns of `measures`, as for
            `remove_scores`. The paper's error of a ranking without ties is
            (1 - kendall_tau) / 2.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if more tasks are to be corrupted than there
        are.

    References
    ----------
    P. Colombo, N. Noiry, E. Irurozki and S. Clémençon, "What are the best systems?
    New perspectives on NLP benchmarking", NeurIPS 2022, section 4.2.

    Examples
    --------
    >>> from functools import partial
    >>> from nbrank import borda
    >>> from nbrank.synthetic import gumbel_scores, true_ranking
    >>> rules = {"mean": "mean", "one level": borda, "two levels": partial(borda, levels=2)}
    >>> found = corrupt_tasks(
    ...     partial(gumbel_scores, 6, 5, 10, 0.5),
    ...     rules,
    ...     truth=true_ranking(6),
    ...     counts=[1, 2],
    ...     n=3,
    ...     seed=0,
    ... )
    >>> found.groupby(["corrupted", "rule"])["kendall_tau"].mean().round(2).to_dict()
    {(1, 'mean'): 0.78, (1, 'one level'): 0.87, (1, 'two levels'): 0.94,
     (2, 'mean'): -0.6, (2, 'one level'): 0.24, (2, 'two levels'): 0.7}
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)

    def corrupted(board: Leaderboard, random: np.random.Generator) -> NDArray[np.float64]:
        places = average_places(-_in_table_order(study.reference(board), board)["score"].to_numpy())
        noise = gumbel_scores(len(places), (board.values.shape[1],), 0.0, random)
        manipulated = noise - (len(places) + 1 - places)[:, None]
        return np.where(board.lower[board.column_task], -manipulated, manipulated)

    return study.run(*_on_tasks(study.first, counts, "corrupted", corrupted))


def reverse_tasks(
    scores: Scores,
    rules: RuleList,
    *,
    counts: Sequence[int] | None = None,
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How many tasks read upside down does it take to turn a ranking?

    On the reversed tasks every score is mirrored between the lowest and the highest
    of the task, as if the metric's sign had been mistaken: the order is reversed,
    ties and range stay.

    Parameters
    ----------
    scores, rules, n, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    counts
        How many tasks to reverse, each number from 0 on, drawn without replacement
        from the tasks of positive weight; None takes up to ten numbers from 1 to
        that of all tasks, evenly spread.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, number of reversed tasks and repetition, with the
        columns

        rule
            The label of the rule.
        reversed
            How many tasks were reversed.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b with the reference, or the columns of `measures`, as
            for `remove_scores`.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if more tasks are to be reversed than there
        are, or scores are infinite.

    Examples
    --------
    With every task reversed, so is the ranking.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5], "t2": [9, 6, 7], "t3": [7, 9, 1]}, index=list("ABC")
    ... )
    >>> reverse_tasks(scores, ["borda"], n=1, seed=0).round(2)
        rule  reversed  repetition  kendall_tau
    0  borda         1           0          NaN
    1  borda         2           0        -0.33
    2  borda         3           0        -1.00
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)

    def mirrored(board: Leaderboard, _: np.random.Generator) -> NDArray[np.float64]:
        if np.isinf(board.values).any():
            raise ValueError("infinite scores can't be mirrored; replace them")
        values = board.values.astype(float)
        for task in range(len(board.tasks)):
            columns = board.column_task == task
            part = values[:, columns]
            if not np.isnan(part).all():
                values[:, columns] = np.nanmin(part) + np.nanmax(part) - part
        return values

    return study.run(*_on_tasks(study.first, counts, "reversed", mirrored))


def rescale_task(
    scores: Scores,
    rules: RuleList,
    *,
    factors: Sequence[float] = (1, 2, 5, 10),
    task: Label | None = None,
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How far does a ranking depend on the unit of one task?

    All scores of one task are multiplied by a factor. Rules that only look at the
    order within each task give the same ranking whatever the factor.

    Parameters
    ----------
    scores, rules, n, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`.
    factors
        By how much to multiply, each above 0 (the papers' lambda).
    task
        The task to rescale; None draws one of positive weight in each repetition.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, factor and repetition, with the columns

        rule
            The label of the rule.
        factor
            By how much the task's scores were multiplied.
        task
            The task.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b with the reference, or the columns of `measures`, as
            for `remove_scores`.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if a factor is not above 0, or the task is
        unknown.

    References
    ----------
    P. Colombo, N. Noiry, E. Irurozki and S. Clémençon, "What are the best systems?
    New perspectives on NLP benchmarking", NeurIPS 2022, section 4.3.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> rescale_task(scores, ["borda", "mean"], task="t1", factors=[1, 10], n=1, seed=0).round(2)
        rule  factor task  repetition  kendall_tau
    0  borda       1   t1           0         1.00
    1  borda      10   t1           0         1.00
    2   mean       1   t1           0         1.00
    3   mean      10   t1           0         0.33
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)
    factors = list(factors)
    wrong = [factor for factor in factors if not (np.isfinite(factor) and factor > 0)]
    if wrong:
        raise ValueError(f"factors must be finite and above 0, not {named(wrong)}")

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        drawn = int(random.choice(np.flatnonzero(board.weights > 0)))
        if task is not None:
            drawn = TaskNames.of(board.tasks, board.groups).positions([task], "task")[0]
        for factor in factors:
            scale = np.where(board.column_task == drawn, factor, 1.0)
            changed = board.with_values(board.values * scale)
            yield {"factor": factor, "task": board.tasks[drawn]}, changed

    return study.run(change, len(factors))


def test_size(
    scores: Scores,
    rules: RuleList,
    *,
    sizes: Sequence[int] | None = None,
    n: int = 100,
    seed: int,
    truth: Ranking | None = None,
    measures: Mapping[str, Measure] | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How many instances of each task does it take to get the ranking on all of them?

    In every task instances are drawn without replacement, independently of the
    other tasks; a task with fewer instances than wanted keeps all.

    Parameters
    ----------
    scores, rules, n, seed, truth, measures, weights, groups, lower_is_better
        As for `remove_scores`; the scores must be instance-level.
    sizes
        How many instances to draw in each task, each number from 1 on; None takes
        up to ten numbers up to that of the largest task, evenly spread.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, size and repetition, with the columns

        rule
            The label of the rule.
        instances
            How many instances were drawn in each task.
        repetition
            The number of the repetition, from 0.
        kendall_tau
            Kendall's tau-b with the reference, or the columns of `measures`, as
            for `remove_scores`.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if the scores are not instance-level.

    References
    ----------
    P. Colombo, N. Noiry, E. Irurozki and S. Clémençon, "What are the best systems?
    New perspectives on NLP benchmarking", NeurIPS 2022, appendix B.4.

    Examples
    --------
    >>> from nbrank import experiments
    >>> from nbrank.synthetic import gumbel_scores
    >>> scores = gumbel_scores(6, n_tasks=3, n_instances=50, dispersion=0.5, seed=0)
    >>> experiments.test_size(scores, ["borda"], sizes=[1, 10, 50], n=1, seed=0).round(2)
        rule  instances  repetition  kendall_tau
    0  borda          1           0         0.60
    1  borda         10           0         0.97
    2  borda         50           0         1.00
    """
    study = _Study.of(scores, rules, n, seed, truth, measures, weights, groups, lower_is_better)
    if not study.first.is_instance_level:
        raise ValueError(
            "test_size needs instance-level scores: rows with the levels system and instance"
        )
    largest = int(np.bincount(study.first.column_task).max())
    numbers = _numbers("sizes", sizes, 1, largest, None)

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        # Sorted by task and, within it, by a random number: the first ones of each task are drawn.
        order = np.lexsort((random.random(len(board.column_task)), board.column_task))
        tasks = board.column_task[order]
        number_in_task = np.empty(len(order), dtype=np.intp)
        number_in_task[order] = np.arange(len(order)) - np.searchsorted(tasks, tasks)
        for number in numbers:
            # An instance on which nobody has a score is not counted.
            values = np.where(number_in_task < number, board.values, np.nan)
            yield {"instances": number}, board.with_values(values)

    return study.run(change, len(numbers))


# pytest collects functions of such names where they are imported into a test file.
test_size.__test__ = False  # type: ignore[attr-defined]


def independence_of_irrelevant_alternatives(
    scores: pd.DataFrame | Leaderboard,
    rules: RuleList,
    *,
    n: int = 50,
    seed: int,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How often does a new system change the order of those that were there before?

    The systems enter in random order: two at first, then one after the other. At
    each addition the ranking without the newcomer is compared with the ranking
    before. A rule whose rankings never change is independent of irrelevant
    alternatives on this table.

    Vote'n'Rank describes the first of the counts below and reports the third, as
    its released code has it; the second is what the third wants to be.

    Parameters
    ----------
    scores
        A frame of scores, or a `Leaderboard`.
    rules, weights, groups, lower_is_better
        As for `remove_scores`.
    n
        How many random orders to go through (the paper's number is 50).
    seed
        A whole number from which all randomness comes.

    Returns
    -------
    pandas.DataFrame
        A row for each rule and repetition, with the columns

        rule
            The label of the rule.
        repetition
            The number of the repetition, from 0.
        additions
            How many systems were added to the first two.
        first_two
            At how many additions the order of the first two systems changed, from
            above, level or below to another of these: the paper's text.
        all_earlier
            At how many additions the order of any two of the systems that were
            there before changed.
        released_code
            The same with tied systems put in the reverse order of their names and
            without the last addition, as the paper's published code counts.

        The counts are NA where a rule refuses one of the tables, and a
        `RuleRefusedWarning` says so.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if there are fewer than three systems.

    References
    ----------
    M. Rofin et al., "Vote'n'Rank: revision of benchmarking with social choice
    theory", EACL 2023, section 3.1 and table 2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> independence_of_irrelevant_alternatives(scores, ["borda", "mean"], n=2, seed=0)
        rule  repetition  additions  first_two  all_earlier  released_code
    0  borda           0          2          1            1              1
    1  borda           1          2          2            2              1
    2   mean           0          2          0            0              0
    3   mean           1          2          0            0              0
    """
    study = _Study.of(scores, rules, n, seed, None, {}, weights, groups, lower_is_better)
    board = study.first
    if len(board.systems) < 3:
        raise ValueError("at least three systems are needed: two, and one that is added")
    names = np.array([str(system) for system in board.systems])
    name_order = np.unique(names, return_inverse=True)[1]
    counts = ("first_two", "all_earlier", "released_code")
    rows: list[dict[str, Any]] = []
    with progress(total=study.n * len(study.rules), unit=" rankings") as bar:
        for label, rule in study.rules.items():
            refused = _Refusals(label)
            for repetition, (_, random) in enumerate(study.repetitions()):
                order = random.permutation(len(board.systems))
                found: dict[str, Any] = dict.fromkeys(counts, 0)
                try:
                    before = _entered(rule, board, order[:2])
                    for size in range(3, len(order) + 1):
                        after = _entered(rule, board, order[:size])
                        changed = _changes(before, after, name_order[order[:size]])
                        if size == len(order):
                            changed["released_code"] = False
                        found = {name: found[name] + changed[name] for name in counts}
                        before = after
                except (ValueError, RuntimeError) as error:
                    refused.add(error)
                    found = dict.fromkeys(counts, pd.NA)
                head = {"rule": label, "repetition": repetition, "additions": len(order) - 2}
                rows.append(head | found)
                bar.update()
            refused.warn(study.n)
    return pd.DataFrame(rows).astype(dict.fromkeys(counts, "Int64"))


def discriminative_power(
    scores: pd.DataFrame | Leaderboard,
    rules: RuleList,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How many systems does each rule fail to tell apart?

    Parameters
    ----------
    scores
        A frame of scores, or a `Leaderboard`.
    rules, weights, groups, lower_is_better
        As for `remove_scores`.

    Returns
    -------
    pandas.DataFrame
        A row for each rule, with the columns

        rule
            The label of the rule.
        systems
            How many systems were ranked.
        distinct
            How many different ranks they got.
        discriminative_power
            `systems` minus `distinct`, the figure that the paper prints under this
            name: 0 where the rule ties nobody, and the lower the better.
        tied
            How many systems share their rank with another (the paper's text).

        The numbers are NA where a rule refuses the table, and a
        `RuleRefusedWarning` says why.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`.

    References
    ----------
    F. Brandt and H. G. Seedig, "On the discriminative power of tournament
    solutions", Operations Research Proceedings 2014. M. Rofin et al.,
    "Vote'n'Rank: revision of benchmarking with social choice theory", EACL 2023,
    section 3.1 and table 2.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [9, 8, 5, 1], "t2": [1, 6, 7, 9]}, index=list("ABCD"))
    >>> discriminative_power(scores, ["plurality", "copeland", "mean"])
            rule  systems  distinct  discriminative_power  tied
    0  plurality        4         2                     2     4
    1   copeland        4         1                     3     4
    2       mean        4         3                     1     2
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    rows: list[dict[str, Any]] = []
    for label, rule in _functions(rules).items():
        refused = _Refusals(label)
        row: dict[str, Any] = {"rule": label, "systems": len(board.systems)}
        try:
            sizes = rule(board)["rank"].value_counts()
            row["distinct"] = len(sizes)
            row["discriminative_power"] = len(board.systems) - len(sizes)
            row["tied"] = int(sizes[sizes > 1].sum())
        except (ValueError, RuntimeError) as error:
            refused.add(error)
        refused.warn(1)
        rows.append(row)
    columns = ["rule", "systems", "distinct", "discriminative_power", "tied"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:], "Int64"))


def dispersion(
    scores: pd.DataFrame | Leaderboard,
    rules: RuleList = ("borda",),
    *,
    tolerance: float = 0.01,
    delta: float = 0.05,
    seed: int | None = None,
    exact_up_to: float = 2e9,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How far do the tasks disagree, with each other and with the ranking that a rule makes?

    The scatter of the tasks says how hard they are to summarise: no ranking lies
    nearer to T tasks on average than (T - 1) / (2 T) times their mean distance from
    each other, and the best one no farther than (T - 1) / T times (for complete
    tables; take weights into account for weighted ones).

    Parameters
    ----------
    scores
        A frame of scores, or a `Leaderboard`. Of instance-level scores, every
        instance stands for itself, like a task.
    rules
        As for `remove_scores`: the rules whose rankings are held against the tasks.
    tolerance
        Where the distances are sampled: the half width of the interval wanted for
        the share.
    delta
        Where they are sampled: how likely each interval may miss.
    seed
        A whole number from which the sampling comes; needed only there.
    exact_up_to
        Up to how many comparisons (systems squared times tasks or instances) the
        distances are exact. From pairwise counts this takes no longer than counting
        does; only beyond it are comparisons of two systems drawn at random, until
        the empirical Bernstein bound is within the tolerance.
    weights, groups, lower_is_better
        As for `Leaderboard`; they go with frames only. Tasks of weight 0 do not
        count.

    Returns
    -------
    pandas.DataFrame
        A row for the tasks among themselves, and one for each rule, with the
        columns

        between
            "tasks" in the first row, then the label of the rule.
        distance
            The mean Kendall distance: how many pairs of systems are ordered
            differently, a pair tied in one of the two counting half. Of two
            different tasks, weighted by the product of their weights, in the first
            row; of the rule's ranking and a task below it.
        share
            The distance over the number of pairs of systems: 0 where all agree,
            1/2 for a ranking drawn at random without ties from complete tasks
            without ties, 1 for a reversed one. With missing scores, of the pairs
            with a score on both sides; `distance` scales this to all pairs.
        low, high
            The interval for the share; both equal to it where it is exact.
        draws
            How many comparisons were drawn; 0 where the distance is exact.

        The numbers are NaN where there is nothing to compare, or a rule refuses the
        table, which a `RuleRefusedWarning` then says.

    Raises
    ------
    TypeError, ValueError
        As for `remove_scores`; also if the distances must be sampled and there is
        no seed, or the tolerance or delta is not between 0 and 1.

    References
    ----------
    P. Colombo, N. Noiry, E. Irurozki and S. Clémençon, "What are the best systems?
    New perspectives on NLP benchmarking", NeurIPS 2022, appendix C. V. Mnih,
    C. Szepesvari and J.-Y. Audibert, "Empirical Bernstein stopping", ICML 2008.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 8, 5, 1], "t2": [9, 6, 7, 2], "t3": [1, 9, 8, 2]}, index=list("ABCD")
    ... )
    >>> dispersion(scores, ["borda", "mean"]).round(3)
      between  distance  share    low   high  draws
    0   tasks     2.667  0.444  0.444  0.444      0
    1   borda     1.500  0.250  0.250  0.250      0
    2    mean     2.000  0.333  0.333  0.333      0
    """
    for name, value in {"tolerance": tolerance, "delta": delta}.items():
        if not 0 < real_number("dispersion", name, value) < 1:
            raise ValueError(f"{name} must be strictly between 0 and 1, not {value!r}")
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    profile = board.profile()
    n_systems, n_ballots = profile.scores.shape
    sampled = n_systems > 1 and n_systems**2 * n_ballots > exact_up_to
    if sampled and seed is None:
        raise ValueError(
            f"{n_systems} systems on {n_ballots} tasks or instances are more than exact_up_to "
            f"comparisons, so that a sample is drawn; give a seed, or a larger exact_up_to"
        )
    functions = _functions(rules)
    streams = np.random.SeedSequence(seed or 0).spawn(1 + len(functions))
    draws = [np.random.default_rng(stream) for stream in streams]
    if sampled:
        counts = None
        between = arrays.sampled_between_ballots(profile, tolerance, delta, draws[0])
    else:
        counts = count(profile)
        between = arrays.between_ballots(profile, counts)
    rows = [("tasks", between)]
    for (label, rule), random in zip(functions.items(), draws[1:], strict=True):
        refused = _Refusals(label)
        estimate = arrays.Estimate.exact(0, 0)
        try:
            ranks = _in_table_order(rule(board), board)["rank"].to_numpy()
        except (ValueError, RuntimeError) as error:
            refused.add(error)
        else:
            if counts is None:
                estimate = arrays.sampled_from_ranking(profile, ranks, tolerance, delta, random)
            else:
                estimate = arrays.from_ranking(counts, ranks)
        refused.warn(1)
        rows.append((label, estimate))
    pairs = n_systems * (n_systems - 1) / 2
    return pd.DataFrame(
        [(name, e.share * pairs, e.share, e.low, e.high, e.n) for name, e in rows],
        columns=["between", "distance", "share", "low", "high", "draws"],
    )


def rank_confidence_coverage(
    scores: Callable[..., pd.DataFrame | Leaderboard],
    truth: Ranking,
    sets: Mapping[str, Callable[..., pd.DataFrame]],
    *,
    n: int = 100,
    seed: int,
) -> pd.DataFrame:
    """How often do sets of ranks hold the true ones, and how wide are they?

    Tables are drawn again and again from a model of which the true ranks are
    known, and each way to make sets is given the same tables.

    Parameters
    ----------
    scores
        A function that is called with `seed=` and draws a table, higher being
        better.
    truth
        The true ranking of the systems: a Series of ranks, or a list of systems,
        best first. Of systems that share a true rank, each has to have all the
        ranks that they share in its set.
    sets
        A mapping from a label to a function that is called with a `Leaderboard`
        and `seed=`, and returns a frame with the columns `low` and `high`, such as
        `partial(nbrank.rank_confidence, rule="borda")`.
    n
        How many tables to draw.
    seed
        A whole number from which all randomness comes.

    Returns
    -------
    pandas.DataFrame
        A row for each way and table, in this order, with the columns

        sets
            The label of the way.
        repetition
            The number of the table, from 0.
        all_hold
            Whether every system's set holds its true rank; of joint sets at 95 %
            this has to be so in 95 % of the tables.
        share
            The share of the systems of which that is so.
        width
            How many ranks a set holds on average.

        Where a way refuses a table these three are missing, and a
        `RuleRefusedWarning` says how often and why.

    Raises
    ------
    TypeError
        If `scores` is no function, or `n` or `seed` no whole number.
    ValueError
        If the truth is about other systems, or there are no ways to make sets.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks with Applications to
    Mobility across Neighbourhoods and Academic Achievement across Countries,
    Review of Economic Studies, 2024, whose simulations these are like.

    Examples
    --------
    Five systems that are equally good: resampling takes their differences for
    real ones, confidence sets do not.

    >>> from functools import partial
    >>> import numpy as np
    >>> import pandas as pd
    >>> from nbrank import bootstrap, rank_confidence
    >>> def draw(seed):
    ...     noise = np.random.default_rng(seed).gumbel(size=(5, 14))
    ...     return pd.DataFrame(noise, index=list("ABCDE"))
    >>> equal = pd.Series(1, index=list("ABCDE"))
    >>> ways = {
    ...     "confidence": partial(rank_confidence, rule="borda", draws=999),
    ...     "bootstrap": partial(bootstrap, rule="borda", n=200),
    ... }
    >>> found = rank_confidence_coverage(draw, equal, ways, n=20, seed=0)
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
    n, seed = whole_number(_WHERE, "n", n), whole_number(_WHERE, "seed", seed, least=0)
    rows: dict[str, list[dict[str, Any]]] = {label: [] for label in sets}
    refusals = {label: _Refusals(label) for label in sets}
    with progress(total=n * len(sets), unit=" tables") as bar:
        for repetition, stream in enumerate(_streams(seed, n)):
            for_table, for_sets = stream.generate_state(2).tolist()
            board = as_leaderboard(scores(seed=for_table))
            best, worst = _true_ranks(board, truth)
            for label, find in sets.items():
                found: dict[str, Any] = dict.fromkeys(("all_hold", "share", "width"), pd.NA)
                try:
                    intervals = find(board, seed=for_sets)
                except (ValueError, RuntimeError) as error:
                    refusals[label].add(error)
                else:
                    low, high = intervals[["low", "high"]].reindex(board.systems).to_numpy().T
                    held = (low <= best) & (worst <= high)
                    width = float((high - low + 1).mean())
                    found = {"all_hold": held.all(), "share": held.mean(), "width": width}
                rows[label].append({"sets": label, "repetition": repetition} | found)
                bar.update()
    for refused in refusals.values():
        refused.warn(n)
    return pd.DataFrame([row for listed in rows.values() for row in listed]).astype(
        {"all_hold": "boolean", "share": "Float64", "width": "Float64"}
    )


def _true_ranks(board: Leaderboard, truth: Ranking) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The best and the worst of the ranks that each system shares in truth, in table order."""
    ranks = _truth_of(board, truth)
    ordered = np.sort(ranks)
    return np.searchsorted(ordered, ranks) + 1, np.searchsorted(ordered, ranks, side="right")


# --------------------------------------------------------------------------------- what they share


@dataclass(frozen=True)
class _Study:
    """Tables, rules and yardsticks of an experiment.

    Parameters
    ----------
    draw
        Gives the table of a repetition from a seed; None where it is always the first.
    first
        The table of the first repetition.
    rules
        Label -> function from a leaderboard to a ranking.
    n, seed
        How many repetitions, and where their randomness comes from.
    truth
        What to compare with; None for each rule's ranking of the untouched table.
    measures
        Column -> function of the reference and the new ranking.
    """

    draw: Callable[[int], Leaderboard] | None
    first: Leaderboard
    rules: dict[str, Callable[..., pd.DataFrame]]
    n: int
    seed: int
    truth: Ranking | None
    measures: Mapping[str, Measure]

    @classmethod
    def of(
        cls,
        scores: Scores,
        rules: RuleList,
        n: int,
        seed: int,
        truth: Ranking | None,
        measures: Mapping[str, Measure] | None,
        weights: Weights,
        groups: Groups,
        lower_is_better: LowerIsBetter,
    ) -> _Study:
        """Check what an experiment was given."""
        n, seed = whole_number(_WHERE, "n", n), whole_number(_WHERE, "seed", seed, least=0)
        if measures is None:
            measures = {"kendall_tau": kendall_tau}
        if not isinstance(measures, Mapping):
            raise TypeError(
                f"measures must be a mapping from name to function, not {type(measures).__name__}"
            )
        draw = None
        if isinstance(scores, pd.DataFrame | Leaderboard) or not callable(scores):
            first = as_leaderboard(scores, weights, groups, lower_is_better)
        else:
            make = scores

            def draw(seed: int) -> Leaderboard:
                return as_leaderboard(make(seed=seed), weights, groups, lower_is_better)

            first = draw(_table_seed(_streams(seed, 1)[0]))
        found = cls(draw, first, _functions(rules), n, seed, truth, measures)
        if truth is not None:
            found.reference(first)
        return found

    def repetitions(self) -> Iterator[tuple[Leaderboard, np.random.Generator]]:
        """The table of each repetition, and its source of randomness."""
        for number, stream in enumerate(_streams(self.seed, self.n)):
            board = self.first
            if self.draw is not None and number > 0:
                board = self.draw(_table_seed(stream))
            yield board, np.random.default_rng(stream)

    def reference(self, board: Leaderboard) -> pd.DataFrame:
        """The truth, as a ranking of this table's systems."""
        ranks = _truth_of(board, self.truth)  # type: ignore[arg-type]
        return ranking(board.systems, -ranks, "truth")

    def references(self, board: Leaderboard) -> dict[str, pd.DataFrame]:
        """Label -> what the rule's rankings are compared with."""
        if self.truth is not None:
            return dict.fromkeys(self.rules, self.reference(board))
        found = {}
        for label, rule in self.rules.items():
            try:
                found[label] = rule(board)
            except (ValueError, RuntimeError) as error:
                error.add_note(f"({label} ranked the table as it is, before any change)")
                raise
        return found

    def run(
        self, change: Callable[[Leaderboard, np.random.Generator], Changes], n_settings: int
    ) -> pd.DataFrame:
        """Change, rank and compare; the rows go by rule, then setting, then repetition."""
        rows: dict[tuple[str, int], list[dict[str, Any]]] = {
            (label, setting): [] for label in self.rules for setting in range(n_settings)
        }
        refusals = {label: _Refusals(label) for label in self.rules}
        references = self.references(self.first)
        with progress(total=self.n * n_settings * len(self.rules), unit=" rankings") as bar:
            for repetition, (board, random) in enumerate(self.repetitions()):
                if board is not self.first:
                    references = self.references(board)
                for number, (setting, changed) in enumerate(change(board, random)):
                    for label, rule in self.rules.items():
                        values: dict[str, float] = dict.fromkeys(self.measures, float("nan"))
                        try:
                            ranked = rule(changed)
                        except (ValueError, RuntimeError) as error:
                            refusals[label].add(error)
                        else:
                            reference = references[label]
                            if len(changed.systems) < len(board.systems):
                                there = reference.index.isin(changed.systems)
                                reference = reference[there]
                            values = {
                                name: measure(reference, ranked)
                                for name, measure in self.measures.items()
                            }
                        rows[label, number].append(
                            {"rule": label} | setting | {"repetition": repetition} | values
                        )
                        bar.update()
        for refused in refusals.values():
            refused.warn(self.n * n_settings)
        return pd.DataFrame([row for listed in rows.values() for row in listed])


class _Refusals:
    """How often a rule refused a table, and why at first."""

    def __init__(self, label: str) -> None:
        self.label = label
        self.errors: list[Exception] = []

    def add(self, error: Exception) -> None:
        self.errors.append(error)

    def warn(self, n_tables: int) -> None:
        """Warn where the experiment was called."""
        if self.errors:
            warn_caller(
                f"{self.label} refused {len(self.errors)} of {n_tables} tables, which are left "
                f"empty; the first time: {self.errors[0]}",
                RuleRefusedWarning,
            )


def _on_tasks(
    board: Leaderboard,
    counts: Sequence[int] | None,
    column: str,
    replaced: Callable[[Leaderboard, np.random.Generator], NDArray[np.float64]],
) -> tuple[Callable[[Leaderboard, np.random.Generator], Changes], int]:
    """A change that replaces the scores of more and more tasks, drawn at random."""
    available = int((board.weights > 0).sum())
    numbers = _numbers("counts", counts, 1 if counts is None else 0, available, available)

    def change(board: Leaderboard, random: np.random.Generator) -> Changes:
        order = random.permutation(np.flatnonzero(board.weights > 0))
        values = replaced(board, random)
        values[np.isnan(board.values)] = np.nan
        for number in numbers:
            chosen = np.isin(board.column_task, order[:number])
            yield {column: number}, board.with_values(np.where(chosen, values, board.values))

    return change, len(numbers)


def _entered(
    rule: Callable[..., pd.DataFrame], board: Leaderboard, entered: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The ranks of the systems that are there, in the order in which they came."""
    part = board.with_systems(board.systems[entered])
    return _in_table_order(rule(part), part)["rank"].to_numpy()


def _changes(
    before: NDArray[np.int64], after: NDArray[np.int64], name_order: NDArray[np.intp]
) -> dict[str, bool]:
    """What the newcomer, who is last in `after`, changed among the others."""
    earlier = after[:-1]
    names = name_order[:-1]
    return {
        "first_two": bool(np.sign(before[0] - before[1]) != np.sign(earlier[0] - earlier[1])),
        "all_earlier": bool((ranks_from_top(before) != ranks_from_top(earlier)).any()),
        "released_code": bool(
            (np.lexsort((-names, before)) != np.lexsort((-names, earlier))).any()
        ),
    }


def _functions(rules: RuleList) -> dict[str, Callable[..., pd.DataFrame]]:
    labelled: dict[str, RuleLike] = labelled_rules(rules)
    if not labelled:
        raise ValueError("no rules are given; name at least one")
    return {label: called(rule) for label, rule in labelled.items()}


def _truth_of(board: Leaderboard, truth: Ranking) -> NDArray[np.float64]:
    """The true ranks of a table's systems, in table order."""
    try:
        _, ranks = aligned(list(board.systems), truth)
    except ValueError as error:
        raise ValueError(f"truth (second) and table (first): {error}") from error
    return ranks


def _in_table_order(ranked: pd.DataFrame, board: Leaderboard) -> pd.DataFrame:
    return ranked.reindex(board.systems)


def _numbers(
    name: str, given: Sequence[int] | None, lowest: int, highest: int, limit: int | None
) -> list[int]:
    """The settings of an experiment: those given, or up to ten evenly spread ones."""
    if given is None:
        spread = np.linspace(lowest, highest, 10).round().astype(int)
        numbers = sorted(set(spread.tolist()))
    else:
        numbers = [
            whole_number(_WHERE, f"{name}[{place}]", number, least=0)
            for place, number in enumerate(given)
        ]
    wrong = [number for number in numbers if number < lowest or number > (limit or number)]
    if wrong:
        upper = "on" if limit is None else f"to {limit}"
        raise ValueError(f"{name} must be numbers from {lowest} {upper}, not {named(wrong)}")
    return numbers


def _streams(seed: int, n: int) -> list[np.random.SeedSequence]:
    return np.random.SeedSequence(seed).spawn(n)


def _table_seed(stream: np.random.SeedSequence) -> int:
    return int(stream.generate_state(1)[0])
