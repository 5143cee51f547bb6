"""From a leaderboard and a rule that adds up the tasks to what each task adds."""

from __future__ import annotations

import numpy as np

from nbrank.arrays.extreme_ranks import PairSums
from nbrank.arrays.majority_graphs import SCORES
from nbrank.arrays.task_sets import TaskValues
from nbrank.questions.contributions import Sizes, contributions_of
from nbrank.questions.told_rule import ToldRule
from nbrank.rules.rule import RULES
from nbrank.votes.draws import Draws
from nbrank.votes.leaderboard import Leaderboard


def task_values(function: str, board: Leaderboard, rule: ToldRule) -> TaskValues:
    """What each task adds to each system's score for a unit of its weight, if the rule adds up."""
    found = values_if_additive(board, rule)
    if found is None:
        able = ", ".join(name for name, known in RULES.items() if known.additive is not None)
        raise ValueError(
            f"{function}: {rule.label} doesn't add up the tasks, and only for rules that do "
            f"is there an exact answer: {able}; rank_acceptability takes any rule"
        )
    return found


def values_if_additive(board: Leaderboard, rule: ToldRule) -> TaskValues | None:
    """The same; None for a rule that doesn't add up the tasks."""
    if rule.known is None or rule.known.additive is None:
        return None
    n_tasks = len(board.tasks)
    unit = board.with_task_weights(np.ones(n_tasks))
    if not board.weights.all():
        # A task that weighs nothing so far may be one that the rule refuses.
        rule.run(unit)
    task = unit.ballot_task
    draws = Draws("tasks", task, np.zeros(n_tasks, dtype=np.intp))
    added, additive = contributions_of(unit, rule, draws), rule.additive(unit)
    if added is None or additive is None:
        return None
    sizes = np.nan_to_num(Sizes.of(unit, additive, draws).largest)
    # A task on which nobody is scored adds nothing.
    there = np.unique(task)
    amounts = np.zeros((len(board.systems), n_tasks))
    counts = np.zeros((len(added.weights), n_tasks))
    amounts[:, there], counts[:, there] = added.amounts, added.weights
    each = [~np.isnan(board.values[:, columns]).all(axis=1) for columns in board.columns_by_task()]
    present = np.stack(each, axis=1)
    everywhere = present.all() or rule.arguments.get("missing") == "compatible"
    return TaskValues.of(amounts, counts, sizes, present | everywhere)


def pairs_by_task(board: Leaderboard, rule: ToldRule) -> PairSums | None:
    """What each task adds to who beats whom, for a rule that looks at that; None for others."""
    if rule.known is None or rule.label not in ("condorcet", "copeland", "minimax"):
        return None
    if board.is_instance_level and rule.arguments["levels"] == 2:
        return None
    each = [
        board.with_task_weights(task).views.pairs(rule.arguments["missing"])
        for task in np.eye(len(board.tasks))
    ]
    return PairSums(
        SCORES[rule.arguments.get("variant", rule.label)],
        np.stack([seen.view.wins for seen in each]),
        np.array([seen.view.total for seen in each]),
        np.stack([seen.scored for seen in each], axis=1),
    )
