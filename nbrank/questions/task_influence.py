"""Which tasks decide: without which others win, what each adds to a lead, how few would do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import core_sets as arrays
from nbrank.arrays.rank_correlation import in_clusters, task_taus
from nbrank.questions.cherry_picking import Pick
from nbrank.questions.contributions import values_if_additive
from nbrank.questions.told_rule import board_and_rule
from nbrank.questions.weight_conditions import position_of
from nbrank.rules.limited_search import LimitedSearch
from nbrank.rules.rule import RuleLike, outcome
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, named
from nbrank.votes.options import Asked, check_choice, generator, real_number, whole_number
from nbrank.votes.progress import progress
from nbrank.votes.task_names import Groups, LowerIsBetter, PickOptions, RuleOptions


@question("tasks and their weights", sees="ballots")
def leave_one_out(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    over: Literal["tasks", "groups"] = "tasks",
    **options: RuleOptions,
) -> pd.DataFrame:
    """Which tasks decide: who wins, and how many ranks change, if one task is left out?

    Parameters
    ----------
    {board}
    {any_rule}
    over
        "tasks" leaves out one task after the other (of one with a count, one of its
        voters), "groups" one group after the other.
    {rule_options}

    {returns_frame}
        A row for each task (or group) that has a weight, in table order, with the columns

        decides
            Whether others win without it than win with it.
        winners
            The list of those who win without it.
        ranks_changed
            The number of systems whose rank changes.
        largest_change
            By how many places a rank changes at most.
        refused
            Why the rule refuses the other tasks, where it does: the other columns are then missing
            (`winners` is empty).

    {raises}
        Also if there are no two tasks (or groups) with a weight, if `over="groups"` and there are
        none, or if the rule refuses the whole table.

    References
    ----------
    Quenouille, Notes on Bias in Estimation, 1956; Tukey, Bias and Confidence in Not-quite Large
    Samples, 1958.

    Examples
    --------
    A and B share the first place. Without t1 or t2 one of them has it alone.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 0], "t3": [2, 2, 1]}, list("ABC"))
    >>> leave_one_out(scores, "borda").drop(columns="refused")
        decides winners  ranks_changed  largest_change
    t1     True     [B]              1               1
    t2     True     [A]              1               1
    t3    False  [A, B]              0               0
    """
    check_choice("leave_one_out", "over", over, ("tasks", "groups"))
    board, told = board_and_rule("leave_one_out", scores, rule, **options)
    rests = _without_each(board, over)
    ranked, winners = outcome(told.run, board)
    before = ranked["rank"].reindex(board.systems)
    rows: list[tuple[Any, ...]] = []
    for rest in rests.values():
        try:
            ranked, first = outcome(told.run, rest)
        except (ValueError, RuntimeError) as error:
            rows.append((pd.NA, [], pd.NA, pd.NA, str(error)))
            continue
        change = (ranked["rank"].reindex(board.systems) - before).abs()
        rows.append(
            (set(first) != set(winners), first, int((change > 0).sum()), int(change.max()), pd.NA)
        )
    labels = board.tasks[board.weights > 0]
    if over == "groups":
        labels = pd.Index(list(rests), tupleize_cols=False)
    columns = ["decides", "winners", "ranks_changed", "largest_change", "refused"]
    kinds = dict(zip(columns, ["boolean", "object", "Int64", "Int64", "string"], strict=True))
    found = pd.DataFrame(rows, columns=columns, index=labels).astype(kinds)
    found.attrs = {"rule": str(ranked.attrs.get("rule", told.label)), "over": over}
    return found


def _without_each(board: Leaderboard, over: str) -> dict[Label, Leaderboard]:
    """Task or group that has a weight -> what is left without it, or without one of its voters."""
    parts = board.names.parts("leave_one_out", over)
    weighing = {label: part for label, part in parts.items() if board.weights[part].any()}
    voters = board.counts if over == "tasks" else np.ones_like(board.counts)
    if len(weighing) < 2 and all((voters[part] == 1).all() for part in weighing.values()):
        raise ValueError(
            f"leave_one_out: {named(weighing)} is the only one of the {over} with a weight, so "
            f"nothing would be left without it; it takes two"
        )

    def without(part: list[int]) -> Leaderboard:
        if (voters[part] == 1).all():
            return board.with_tasks(board.tasks.delete(part))
        weights = board.weights.copy()
        weights[part] *= 1 - 1 / voters[part]
        return board.with_task_weights(weights)

    return {label: without(part) for label, part in weighing.items()}


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
            each = each / (values.counts[0] @ board.weights)
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


#: Into how many parts the systems are parted, to see how well the tasks predict.
_FOLDS = 5


@question("tasks and their weights", sees="ballots")
def core_tasks(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    keeps: Literal["winner", "top", "order"] = "winner",
    k: int | None = None,
    size: int | None = None,
    agreement: float = 1.0,
    seed: int | None = 0,
    time_limit: float | None = 60.0,
    **options: PickOptions,
) -> pd.DataFrame:
    """How few tasks would tell the same as all of them, and would they for other systems?

    A set chosen on these systems flatters itself: among many sets one fits by chance. So it is also
    chosen on four fifths of the systems (of fewer than 15, on half to three quarters of them), and
    asked for the order of the others, for each part in turn.

    Parameters
    ----------
    {picked_from}
    keeps
        What the set is to tell: "winner" (the same systems are first), "top" (the
        same systems have rank `k` or better) or "order" (Kendall's tau-b with the
        ranks on all tasks is at least `agreement`).
    k
        How many are at the top; only for "top", where it is needed.
    size
        How many tasks the set is to have; None for as few as can be. For "order"
        the set of that size whose order is nearest to the whole.
    agreement
        The least tau that "order" asks for without `size`; 1 for the same order.
    seed
        The seed of the parts into which the systems are drawn, and of the sets by chance.
    {search_limit}
    {rule_options}

    {returns_frame}
        One row, with the columns

        size
            How many tasks; NA where no set keeps what it is to (of that size).
        tasks
            The set, a tuple in table order.
        agreement
            Tau-b of its ranks with those on all tasks.
        held_out
            The mean tau-b among systems that had no part in choosing the tasks;
            NaN for fewer than six systems.
        by_chance
            The same for sets of as many tasks by chance.
        proven
            Whether no set is smaller (of a given size: none is nearer to the whole order). Up to 14
            tasks all sets are tried. Of more, winner and top are proven by an integer programme, in
            which leads below a millionth of the largest on a task don't count; an order is
            approached by adding the task that helps most.

    {raises}
        Also if the rule doesn't add up the tasks, or `k` is missing.

    References
    ----------
    Perlitz et al., Efficient Benchmarking of Language Models, 2024; Polo et al.,
    tinyBenchmarks, 2024, choose instances so.

    Examples
    --------
    The last task alone has the winner of all three:

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [1, 2, 3], "t2": [3, 2, 1], "t3": [3, 1, 2]}, list("ABC"))
    >>> core_tasks(scores)[["size", "tasks", "proven"]]
       size  tasks  proven
    0     1  (t3,)    True
    """
    name = "core_tasks"
    check_choice(name, "keeps", keeps, ("winner", "top", "order"))
    if (keeps == "top") != (k is not None):
        needed = "needs k, how many are at the top" if keeps == "top" else "takes no k"
        raise ValueError(f"{name}: keeps={keeps!r} {needed}")
    rng = generator(name, seed)
    pick = Pick.of(name, scores, rule, options, only_sums=False)
    units, board = pick.units, pick.board
    place = 1 if k is None else whole_number(name, "k", k)
    if place > len(board.systems):
        raise ValueError(f"{name}: k={place}, and there are {len(board.systems)} systems")
    if not -1 <= real_number(name, "agreement", agreement) <= 1:
        raise ValueError(f"{name}: agreement={agreement!r} must be a tau, between -1 and 1")
    if size is not None and whole_number(name, "size", size) > len(pick.task_of):
        raise ValueError(f"{name}: size={size}, and there are {len(pick.task_of)} tasks")
    goal = arrays.Goal(keeps, place, agreement if size is None else -1.0)
    until = time.monotonic() + LimitedSearch(name, time_limit).seconds
    found = arrays.core_set(units, goal, size, until)
    row: dict[str, Any] = {
        **dict.fromkeys(["size", "agreement", "held_out", "by_chance"], np.nan),
        "tasks": (),
        "proven": found.proven,
    }
    if found.units is not None:
        whole = pick.order["rank"].reindex(board.systems).to_numpy()
        ranks = np.array([[*map(pick.ranks(found.units).get, board.systems)]])
        if goal.kept(ranks, whole)[0]:
            tasks = pick.tasks(found.units)
            taus = arrays.taus(ranks, whole)
            row |= {"size": len(tasks), "tasks": tasks, "agreement": float(taus[0])}
            if len(board.systems) >= 6:
                n_folds = min(_FOLDS, len(board.systems) // 3)
                predicts = arrays.held_out(units, goal, size, n_folds, rng, until)
                row["held_out"], row["by_chance"] = predicts
        else:
            row["proven"] = False
    columns = ["size", "tasks", "agreement", "held_out", "by_chance", "proven"]
    frame = pd.DataFrame([row], columns=columns).astype({"size": "Int64", "proven": bool})
    frame.attrs = {"rule": pick.name, "keeps": keeps}
    return frame
