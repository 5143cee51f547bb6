"""From a leaderboard and a rule that adds up the tasks to what each task adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nbrank.arrays.possible_majorities import PairSums
from nbrank.arrays.task_sets import TaskValues
from nbrank.questions.contributions import Sizes, contributions_of
from nbrank.rules.rule import RULES, RuleLike, arguments_of, called, label_of, rule_of, unwrapped
from nbrank.votes.draws import Draws
from nbrank.votes.leaderboard import Leaderboard


def task_values(
    function: str, board: Leaderboard, rule: RuleLike, options: Mapping[str, Any] | None = None
) -> TaskValues:
    """What each task adds to each system's score, for each unit of its weight, if the rule adds up.

    The rule doesn't refuse the board. Who asks is named in the message.
    """
    found = values_if_additive(board, rule, options)
    if found is None:
        able = ", ".join(name for name, known in RULES.items() if known.additive is not None)
        raise ValueError(
            f"{function}: {label_of(rule)} doesn't add up the tasks, and only for rules that do "
            f"is there an exact answer: {able}; rank_acceptability takes any rule"
        )
    return found


def values_if_additive(
    board: Leaderboard, rule: RuleLike, options: Mapping[str, Any] | None = None
) -> TaskValues | None:
    """The same; None for a rule that doesn't add up the tasks."""
    known, (_, options) = rule_of(rule), unwrapped(rule, options)
    if known is None or known.additive is None:
        return None
    n_tasks = len(board.tasks)
    unit = board.with_task_weights(np.ones(n_tasks))
    if not board.weights.all():
        # A task that weighs nothing so far may be one that the rule refuses.
        called(rule)(unit, **options)
    task = unit.ballot_task
    draws = Draws("tasks", task, np.zeros(n_tasks, dtype=np.intp))
    added = contributions_of(unit, known, options, draws)
    additive = known.additive(unit, arguments_of(known, options))
    if added is None or additive is None:
        return None
    sizes = np.nan_to_num(Sizes.of(unit, additive, draws).largest)
    # A task on which nobody is scored adds nothing.
    there = np.unique(task)
    amounts = np.zeros((len(board.systems), n_tasks))
    counts = np.zeros((len(added.weights), n_tasks))
    amounts[:, there], counts[:, there] = added.amounts, added.weights
    return TaskValues.of(amounts, counts, sizes)


def pairs_by_task(
    board: Leaderboard, rule: RuleLike, options: Mapping[str, Any]
) -> PairSums | None:
    """What each task adds to who beats whom, for a rule that looks at that; None for others."""
    known, (_, options) = rule_of(rule), unwrapped(rule, options)
    if known is None or known.name not in ("condorcet", "copeland", "minimax"):
        return None
    arguments = arguments_of(known, options)
    if board.is_instance_level and arguments["levels"] == 2:
        return None
    each = [
        board.with_task_weights(task).views.pairs(arguments["missing"])
        for task in np.eye(len(board.tasks))
    ]
    return PairSums(
        arguments.get("variant", known.name),
        np.stack([seen.view.wins for seen in each]),
        np.array([seen.view.total for seen in each]),
        np.stack([seen.scored for seen in each], axis=1),
    )
