"""What does each task add to the winner's lead, and which tasks say the same?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.rank_correlation import in_clusters, task_taus
from nbrank.questions.contributions import values_if_additive
from nbrank.questions.told_rule import board_and_rule
from nbrank.questions.weight_conditions import position_of
from nbrank.rules.rule import RuleLike
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, named
from nbrank.votes.options import Asked, check_choice, generator, whole_number
from nbrank.votes.progress import progress
from nbrank.votes.task_names import Groups, LowerIsBetter, RuleOptions


@question("tasks and their weights", sees="ballots")
def task_influence(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    over: Literal["tasks", "groups"] = "tasks",
    *,
    n: int = 100,
    seed: int | None = 0,
    **options: RuleOptions,
) -> pd.DataFrame:
    """How much of the winner's lead over the second is each task's doing?

    The Shapley value of a task is what it adds to the lead, averaged over all orders in which the
    tasks may come in; the values add up to the lead. Where scores are sums over the tasks it is
    exactly what the task adds; for other rules orders are drawn.

    Parameters
    ----------
    {board}
    {any_rule}
    over
        Whether single "tasks" or whole "groups" come in.
    n
        How many orders are drawn, for a rule whose scores are no sums.
    {seed}
    {rule_options}

    {returns_frame}
        Indexed by task (or group), the largest influence first, with the columns

        influence
            What it adds to the winner's score less the second's, in the unit of the
            rule's scores (of `geometric_mean` in that of their logarithm).
        error
            The standard error; 0 where it is exact.
        share
            The influence as a share of the lead; NaN where there is no lead.

        `.attrs["winner"]` and `.attrs["second"]` are the two, as text.

    {raises}
        Also if there are no two systems.

    References
    ----------
    Shapley, A value for n-person games, 1953.

    Examples
    --------
    A leads B by two points: t1 and t2 give it one each, and t3 takes none.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [2, 2, 3]}, list("ABC"))
    >>> task_influence(scores)
        influence  error  share
    t1        1.0    0.0    0.5
    t2        1.0    0.0    0.5
    t3        0.0    0.0    0.0
    """
    name = "task_influence"
    check_choice(name, "over", over, ("tasks", "groups"))
    rng, n = generator(name, seed), whole_number(name, "n", n)
    board, told = board_and_rule(name, scores, rule, **options)
    board = board.with_tasks(board.tasks[board.weights > 0])
    if len(board.systems) < 2:
        raise ValueError(f"{name}: {named(board.systems)} is alone, and has no lead")
    order = told.run(board)
    first, second = order.index[0], order.index[1]
    parts = board.names.parts(name, over)
    values = values_if_additive(board, told)
    if values is not None and values.linear:
        places = [position_of(board, system) for system in (first, second)]
        each = (values.amounts[places[0]] - values.amounts[places[1]]) * board.weights
        if told.known is not None and told.known.family == "mean":
            each = each / total if (total := values.counts[0] @ board.weights) else each * 0.0
        influence = np.array([each[list(part)].sum() for part in parts.values()])
        error = np.zeros(len(parts))
    else:

        def lead(tasks: list[Label]) -> float:
            found = told.run(board.with_tasks(tasks))["score"]
            both = float(found[first]) - float(found[second])
            return 0.0 if np.isnan(both) else both

        sets = [[board.tasks[place] for place in part] for part in parts.values()]
        influence, error = _sampled(lead, sets, n, rng)
    labels = pd.Index(list(parts), tupleize_cols=False) if over == "groups" else board.tasks
    frame = pd.DataFrame({"influence": influence, "error": error}, index=labels)
    # Of two that tie, rounding may leave a lead.
    total = influence.sum() if order["rank"].iloc[1] > order["rank"].iloc[0] else 0.0
    frame["share"] = influence / total if total > 0 else np.nan
    frame = frame.iloc[np.argsort(-influence, kind="stable")]
    frame.attrs = {"rule": order.attrs.get("rule", ""), "winner": str(first)}
    frame.attrs["second"] = str(second)
    return frame


def _sampled(
    lead: Callable[[list[Label]], float], sets: list[list[Label]], n: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The Shapley values by drawn orders, and their standard errors."""
    known: dict[frozenset[int], float] = {frozenset(): 0.0}
    added = np.zeros((n, len(sets)))
    for draw in progress(range(n), desc="orders of the tasks"):
        before = frozenset[int]()
        for unit in rng.permutation(len(sets)).tolist():
            after = before | {unit}
            if after not in known:
                known[after] = lead([task for one in sorted(after) for task in sets[one]])
            added[draw, unit] = known[after] - known[before]
            before = after
    spread = added.std(axis=0, ddof=1) if n > 1 else np.full(len(sets), np.nan)
    return added.mean(axis=0), spread / np.sqrt(n)


@question("tasks and their weights", sees="ballots")
def repeated_tasks(
    scores: pd.DataFrame | Leaderboard,
    *,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Which tasks repeat each other: how alike do they rank the systems?

    Parameters
    ----------
    {board_alone}
    {groups}
    {lower_is_better}

    {returns_frame}
        Tasks x tasks: Kendall's tau-b of the two tasks' orders of the systems that
        both have scores of (of instances: by the mean of the task); NaN where one
        parts none of them. Tasks stand in the order of a clustering (average linkage
        of 1 - tau), so that those that repeat each other are neighbours.

    {raises}

    References
    ----------
    Kendall, The treatment of ties in ranking problems, Biometrika, 1945.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3], "t3": [9, 8, 7]}, list("ABC"))
    >>> repeated_tasks(scores)
         t2   t3   t1
    t2  1.0 -1.0 -1.0
    t3 -1.0  1.0  1.0
    t1 -1.0  1.0  1.0
    """
    board = as_leaderboard(scores, groups=groups, lower_is_better=lower_is_better)
    board.check(Asked("repeated_tasks", "pairs", "ignore"))
    upward = np.where(board.lower[board.column_task], -board.values, board.values)
    cells = pd.DataFrame(upward.T.astype(np.float64))
    taus = task_taus(cells.groupby(board.column_task).mean().to_numpy().T)
    order = in_clusters(taus)
    tasks = board.tasks[order]
    return pd.DataFrame(taus[np.ix_(order, order)], index=tasks, columns=tasks)
