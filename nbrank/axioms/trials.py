"""Trials of a rule: tables, changes of them, and the outcomes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools, Floats
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.leaderboard import Leaderboard

Case = TypeVar("Case")


@dataclass(frozen=True)
class Outcome:
    """The outcome of a rule on a table: its ranking, and its winners, if it elects any."""

    ranking: pd.DataFrame
    winners: tuple[Label, ...]

    @classmethod
    def from_board(cls, rule: RuleLike, board: Leaderboard) -> Outcome:
        """Ask the rule."""
        ranked, winners = BoundRule.bind(rule).rank_and_elect(board)
        return cls(ranked, tuple(winners))

    @cached_property
    def ranks(self) -> dict[Label, int]:
        """System -> rank."""
        ranks = self.ranking["rank"].tolist()
        return dict(zip(self.ranking.index, ranks, strict=True))

    @property
    def winners_text(self) -> str:
        """The winners, in words."""
        if not self.winners:
            return "nobody wins"
        return f"{format_labels(self.winners)} win{'s' if len(self.winners) == 1 else ''}"


@dataclass(frozen=True)
class Witness:
    """Proof that a rule breaks an axiom.

    Parameters
    ----------
    sentence
        What happens.
    table, changed
        The table, and that after the change; the same one where the axiom speaks of no change.
    before, after
        The outcomes on these two: each has a `ranking` and its `winners`.
    """

    sentence: str
    table: Leaderboard
    changed: Leaderboard
    before: Outcome
    after: Outcome

    def __repr__(self) -> str:
        shown = [self.sentence, "", _format_outcome("The table", self.table, self.before)]
        if self.changed is not self.table:
            shown += ["", _format_outcome("Changed", self.changed, self.after)]
        return "\n".join(shown)


def _format_outcome(title: str, board: Leaderboard, outcome: Outcome) -> str:
    scores = board.scores.assign(rank=outcome.ranking["rank"].reindex(board.systems))
    lines = [f"{title} (winners: {format_labels(outcome.winners) or 'none'})", scores.to_string()]
    if len(set(board.weights.tolist())) > 1:
        weights = ", ".join(f"{task!r}: {weight:g}" for task, weight in board.task_weights.items())
        lines.append(f"weights: {weights}")
    if board.is_lower_better.any():
        lines.append(f"lower is better: {format_labels(board.lower_is_better)}")
    return "\n".join(lines)


@dataclass(frozen=True)
class AxiomCheck:
    """Whether a rule keeps an axiom on a table.

    Parameters
    ----------
    axiom, rule
        The names of the two.
    holds
        False with a witness; True if all changes of the table that the axiom names were examined
        without one; None if only some were.
    witness
        The proof that the rule breaks the axiom, or None.
    exhaustive
        Whether every such change was examined.
    examined
        How many were; 0 where the axiom demands nothing of the table, as where it speaks of a
        Condorcet winner that doesn't exist.
    """

    axiom: str
    rule: str
    holds: bool | None
    witness: Witness | None
    exhaustive: bool
    examined: int

    def __repr__(self) -> str:
        head = f"{self.axiom} of {self.rule}:"
        if self.witness is not None:
            return f"{head} broken\n{self.witness!r}"
        cases = pluralize(self.examined, "case")
        if self.exhaustive and not self.examined:
            return f"{head} holds on this table, where it demands nothing"
        if self.exhaustive:
            return f"{head} holds on this table (all of {cases} examined)"
        return f"{head} not broken in {cases}, which are not all"


@dataclass(frozen=True)
class EditableTable:
    """A table to be changed: scores with higher being better, with labels and weights."""

    # On the tasks that are `is_lower_better` the rule is to see the scores negated.

    scores: Floats
    systems: tuple[Label, ...]
    tasks: tuple[Label, ...]
    weights: Floats
    is_lower_better: Bools

    @classmethod
    def from_board(cls, board: Leaderboard) -> EditableTable:
        """Take the tasks of a leaderboard that have a weight."""
        board = board.select_tasks(board.tasks[board.weights > 0])
        scores = np.where(board.is_lower_better, -board.values, board.values).astype(np.float64)
        return cls(
            scores, tuple(board.systems), tuple(board.tasks), board.weights, board.is_lower_better
        )

    @property
    def leaderboard(self) -> Leaderboard:
        """The table as a rule takes it."""
        values = np.where(self.is_lower_better, -self.scores, self.scores)
        # Labels that are tuples stay what they were in the table, a MultiIndex.
        systems, tasks = (pd.Index(list(labels)) for labels in (self.systems, self.tasks))
        weights = dict(zip(self.tasks, self.weights.tolist(), strict=True))
        lower = dict(zip(self.tasks, self.is_lower_better.tolist(), strict=True))
        frame = pd.DataFrame(values, index=systems, columns=tasks)
        return Leaderboard(frame, weights=weights, lower_is_better=lower)

    def select_tasks(self, positions: Sequence[int]) -> EditableTable:
        """Select some of the tasks, or all in another order."""
        chosen = list(positions)
        return replace(
            self,
            scores=self.scores[:, chosen],
            tasks=tuple(self.tasks[position] for position in chosen),
            weights=self.weights[chosen],
            is_lower_better=self.is_lower_better[chosen],
        )

    def select_systems(self, positions: Sequence[int]) -> EditableTable:
        """Select some of the systems."""
        chosen = list(positions)
        systems = tuple(self.systems[position] for position in chosen)
        return replace(self, scores=self.scores[chosen], systems=systems)


def make_unused_label(label: Label, labels: Iterable[Label], subject: str) -> Label:
    """Make a new label after the pattern of an old one, such as `A (clone)`."""
    taken = set(labels)
    for number in itertools.count(1):
        suffix = f"({subject})" if number == 1 else f"({subject} {number})"
        new: Label = f"{label} {suffix}"
        if isinstance(label, tuple):
            new = (*label[:-1], f"{label[-1]} {suffix}")
        if new not in taken:
            return new
    raise AssertionError("there is always a new label")


@dataclass
class AxiomSearch:
    """A rule on a table while an axiom is checked, on at most this many samples of the cases."""

    # `n_examined` cases have been looked at, all that there are if `exhaustive`; `last_case` is the
    # last of them, with the rule's outcome.

    rule: RuleLike
    table: EditableTable
    n_draws: int
    rng: np.random.Generator
    exhaustive: bool = True
    n_examined: int = 0
    last_case: tuple[Leaderboard, Outcome] | None = None

    @cached_property
    def board(self) -> Leaderboard:
        """The table as the rule takes it."""
        return self.table.leaderboard

    @cached_property
    def original_outcome(self) -> Outcome:
        """The rule's outcome on the table, computed only if the axiom needs it."""
        return Outcome.from_board(self.rule, self.board)

    def iter_outcomes(
        self, cases: Iterable[Case], change: Callable[[Case], EditableTable]
    ) -> Iterator[tuple[Case, Outcome]]:
        """Yield each case with the rule's outcome; cases that the rule refuses are skipped."""
        for case in cases:
            self.n_examined += 1
            board = change(case).leaderboard
            after = self.try_rule(board)
            if after is not None:
                self.last_case = board, after
                yield case, after

    def try_rule(self, board: Leaderboard) -> Outcome | None:
        """Return the rule's outcome on a board; None where it refuses, so not all is examined."""
        try:
            return Outcome.from_board(self.rule, board)
        except (ValueError, RuntimeError):
            self.exhaustive = False
            return None

    def sample_cases(
        self, cases: Iterable[Case], number: int, draw: Callable[[], Case]
    ) -> Iterator[Case]:
        """Yield all cases if they are few, else `n_draws` drawn ones."""
        if number <= self.n_draws:
            yield from cases
        else:
            self.exhaustive = False
            for _ in range(self.n_draws):
                yield draw()

    def sample_orders(self, n: int) -> Iterator[tuple[int, ...]]:
        """Yield orders of n things, all of them or some."""
        return self.sample_cases(
            itertools.permutations(range(n)),
            math.factorial(n),
            lambda: tuple(self.rng.permutation(n).tolist()),
        )

    def make_witness(self, sentence: str) -> Witness:
        """Make the proof that the current case breaks the axiom."""
        changed, after = self.last_case or (self.board, self.original_outcome)
        return Witness(sentence, self.board, changed, self.original_outcome, after)


@dataclass(frozen=True)
class Axiom:
    """An axiom that can be run."""

    name: str
    #: Its demand.
    statement: str
    #: The changes of a table that are examined.
    examined: str
    #: Author and year.
    source: str
    #: The search: goes through the cases of a trial, and says in a sentence what happens where the
    #: axiom is broken.
    iter_violations: Callable[[AxiomSearch], Iterator[str]] = field(repr=False)

    def check(self, trial: AxiomSearch) -> AxiomCheck:
        """Go through the cases up to the first that breaks the axiom."""
        sentence = next(self.iter_violations(trial), None)
        witness = None if sentence is None else trial.make_witness(sentence)
        exhaustive = trial.exhaustive and witness is None
        holds = False if witness is not None else True if exhaustive else None
        rule = BoundRule.bind(trial.rule).label
        return AxiomCheck(self.name, rule, holds, witness, exhaustive, trial.n_examined)
