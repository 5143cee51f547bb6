"""What must not matter: the order of tasks and systems, their number of copies, up and down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from nbrank.axioms.trial import Outcome, Table, Trial, axiom, unused


@axiom(
    "the order of the tasks changes no rank",
    examined="all orders of the tasks, weights with them",
    source="May 1952",
)
def anonymity(trial: Trial) -> Iterator[str]:
    """Whoever casts a ballot, it counts the same."""
    table, before = trial.table, trial.before

    def reordered(order: tuple[int, ...]) -> Table:
        return replace(table.with_tasks(order), tasks=table.tasks)

    for _, after in trial.outcomes(trial.orders(len(table.tasks)), reordered):
        yield from _moved(table, before, after, "With the tasks in another order")


@axiom(
    "systems that exchange their scores exchange their ranks",
    examined="all ways to exchange the rows",
    source="May 1952",
)
def neutrality(trial: Trial) -> Iterator[str]:
    """Whatever a system is called, its scores count."""
    table, before = trial.table, trial.before

    def exchanged(order: tuple[int, ...]) -> Table:
        return replace(table, scores=table.scores[list(order)])

    for order, after in trial.outcomes(trial.orders(len(table.systems)), exchanged):
        for system, position in zip(table.systems, order, strict=True):
            owner = table.systems[position]
            if after.ranks[system] != before.ranks[owner]:
                yield (
                    f"{owner!r} has rank {before.ranks[owner]}; where {system!r} has these "
                    f"scores, it has rank {after.ranks[system]}."
                )


@axiom(
    "who wins alone doesn't win when every task is turned round",
    examined="the table turned round",
    source="Saari 1994",
)
def reversal_symmetry(trial: Trial) -> Iterator[str]:
    """Best is not worst."""
    table, winners = trial.table, trial.before.winners
    if len(table.systems) < 2 or len(winners) != 1:
        return
    # Mirrored in the middle of its range: a task keeps its lowest and its highest score.
    finite = np.where(np.isfinite(table.scores), table.scores, np.nan)
    scored = ~np.isnan(finite).all(axis=0)
    middle = np.zeros(len(table.tasks))
    middle[scored] = np.nanmin(finite[:, scored], axis=0) + np.nanmax(finite[:, scored], axis=0)
    turned = replace(table, scores=middle - table.scores)
    for _, after in trial.outcomes([turned], lambda table: table):
        if winners[0] in after.winners:
            yield f"{winners[0]!r} wins alone; with every task turned round, {after.said}."


@axiom(
    "to copy every task equally often changes no rank",
    examined="every task there twice, and three times; never all numbers of copies",
    source="Smith 1973",
)
def homogeneity(trial: Trial) -> Iterator[str]:
    """Shares count, and not numbers."""
    table, before = trial.table, trial.before
    # Any number of copies could be made: two and three are.
    trial.exhaustive = False

    def copied(copies: int) -> Table:
        repeated = table.with_tasks([*range(len(table.tasks))] * copies)
        tasks = table.tasks
        for task in repeated.tasks[len(tasks) :]:
            tasks = (*tasks, unused(task, tasks, "copy"))
        return replace(repeated, tasks=tasks)

    for copies, after in trial.outcomes((2, 3), copied):
        yield from _moved(table, before, after, f"With every task there {copies} times")


def _moved(table: Table, before: Outcome, after: Outcome, when: str) -> Iterator[str]:
    """Which systems have another rank than before."""
    for system in table.systems:
        rank, new = before.ranks[system], after.ranks[system]
        if new != rank:
            yield f"{when}, {system!r} goes from rank {rank} to {new}."
