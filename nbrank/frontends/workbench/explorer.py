"""The workbench, opened at one of its questions."""

from __future__ import annotations

from typing import Unpack

import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.frontends.workbench.workbench import Workbench
from nbrank.votes.docstrings import spell_out_options
from nbrank.votes.formatting import Label
from nbrank.votes.label_cleaning import clean_label
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, as_votes
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions


@spell_out_options
def explore(
    scores: VotesLike,
    rules: RuleList = None,
    *,
    missing: Missing | None = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Workbench:
    """Who is first, how sure is that, and what would change it? Move something, and see.

    One page: the verdict, the picture of the leaderboard beside what moves it, and the questions as
    tabs. Click a row of the picture to see what explains that system, and the name of a rule to
    order by it.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
    rules
        The rules to compare, as for `nbrank.compare`; a function of your own is given a
        Leaderboard. None takes six that suit the table. The first that ranks the table orders the
        systems.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    missing
        How a missing score counts for the rules that can be told so, as under
        "Missing scores" on the page; None leaves each its own way.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters tell nothing apart.

    Returns
    -------
    Workbench
        The page, of comparisons with only the tabs that need no tasks. From Python
        set its `rule`, `weights`, `system`, `tab` and more, and read `verdict`,
        `changes`, `ranking`, `ranks`, `sets` and `words`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If a rule is unknown, or needs an argument.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=list("ABC"))
    >>> bench = explore(scores, ("borda", "plurality"))
    >>> bench.weights = {"t2": 2}
    >>> bench.winners
    {'borda': ['C'], 'plurality': ['C']}
    >>> print(bench.changes)
    You changed the weight of t2 from 1 to 2: C now wins alone, without A and B; under plurality C
    now wins alone, without A; 0 rose and 2 fell, most of all the system A, from rank 1
    to 3.
    """
    votes = as_votes(scores, "units", cluster, **table)
    return Workbench(votes, rules, missing=missing)


@spell_out_options
def explore_weights(
    scores: pd.DataFrame | Leaderboard, system: Label = None, **table: Unpack[TableOptions]
) -> Workbench:
    """Who could win, and at which weights of the tasks? The page of `explore`, opened there.

    It tells for each system how little of the weight has to move until it loses to nobody, one
    against one. With exactly three groups a triangle shows who wins at each weighting of them.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    system
        A system to look at, whose nearest weights are told.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.

    Returns
    -------
    Workbench
        The page; its `get_tab_result("weights").nearest.moved_shares()` are system -> the share
        of the weight that has to move from where it is set, NaN for never.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If the system is unknown.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"t1": [2, 1, 0], "t2": [1, 2, 0], "t3": [1, 2, 0]}, index=["A", "B", "C"]
    ... )
    >>> explore_weights(scores).get_tab_result("weights").nearest.moved_shares().round(2).to_dict()
    {'B': 0.0, 'A': 0.17, 'C': nan}
    """
    bench = Workbench(as_leaderboard(scores, **table), tab="weights")
    bench.system = clean_label(system)
    return bench


@spell_out_options
def explore_missing(
    scores: pd.DataFrame | Leaderboard, rule: str = "borda", **table: Unpack[TableOptions]
) -> Workbench:
    """Which ranks survive when scores are missing? The page of `explore`, opened there.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        The name of the rule that orders the systems.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.

    Returns
    -------
    Workbench
        The page: set its `share`, `seed`, `cells`, `kept` and `missing`, call `toggle(system,
        task)` as a click on a score does, and read `ranking` and `words`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If the rule is unknown.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1]}, index=list("ABC"))
    >>> bench = explore_missing(scores)
    >>> bench.missing = "worst"
    >>> bench.cells = [("A", "t1"), ("A", "t2")]
    >>> bench.ranking["rank"].to_dict()
    {'B': 1, 'C': 2}
    >>> "A is left out, without a single score." in bench.text
    True
    """
    return Workbench(as_leaderboard(scores, **table), rule=rule, tab="missing")


@spell_out_options
def explore_confidence(
    scores: VotesLike,
    rule: str | None = None,
    delta: float = 0.05,
    *,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Workbench:
    """Which systems can be told apart? The page of `explore`, opened there.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
    rule
        The name of the rule that orders the systems. None takes "borda", or of
        comparisons "bradley_terry" unless that refuses them.
    delta
        One minus the confidence to begin with, between 0.001 and 0.5.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters tell nothing apart.

    Returns
    -------
    Workbench
        The page, of comparisons with only the tabs that need no tasks: set its
        `delta` and `draws`, and read `sets` and `words`; its
        `get_tab_result("confidence").groups` are what `nbrank.tie_groups` returns.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If the rule or delta is none of these.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> bench = explore_confidence(scores)
    >>> bench.get_tab_result("confidence").groups["systems"].tolist()
    [['A'], ['B', 'C']]
    >>> bench.delta = 0.001
    >>> bench.get_tab_result("confidence").groups["systems"].tolist()
    [['A', 'B', 'C']]
    """
    votes = as_votes(scores, "units", cluster, **table)
    return Workbench(votes, rule=rule, tab="confidence", delta=delta)


@spell_out_options
def explore_elimination(
    scores: pd.DataFrame | Leaderboard, rule: str = "baldwin", **table: Unpack[TableOptions]
) -> Workbench:
    """Who goes in each round of an elimination rule? The page of `explore`, opened there.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        "baldwin", "nanson", "coombs" or "instant_runoff".
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.

    Returns
    -------
    Workbench
        The page: set its `round` and `system`, and read the `left`, `out` and
        `counts` of its `get_tab_result("elimination")`.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given beside a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If the rule is unknown.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2]}, index=["A", "B", "C"]
    ... )
    >>> bench = explore_elimination(scores)
    >>> bench.get_tab_result("elimination").eliminated
    ['C']
    >>> bench.round = 1
    >>> bench.get_tab_result("elimination").remaining
    ['A', 'B']
    """
    return Workbench(as_leaderboard(scores, **table), rule=rule, tab="elimination")
