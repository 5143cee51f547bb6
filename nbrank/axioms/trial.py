"""A rule on trial: the table, what changes of it lead to, and what is then said of the rule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Bools, Floats
from nbrank.rules.rule import RuleLike, label_of, outcome
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted, named

Case = TypeVar("Case")


@dataclass(frozen=True)
class Outcome:
    """What a rule says of a table: its ranking and, none where it elects nobody, its winners."""

    ranking: pd.DataFrame
    winners: tuple[Label, ...]

    @classmethod
    def of(cls, rule: RuleLike, board: Leaderboard) -> Outcome:
        """Ask the rule."""
        ranked, winners = outcome(rule, board)
        return cls(ranked, tuple(winners))

    @cached_property
    def ranks(self) -> dict[Label, int]:
        """System -> rank."""
        ranks = self.ranking["rank"].tolist()
        return dict(zip(self.ranking.index, ranks, strict=True))

    @property
    def said(self) -> str:
        """Who wins, in words."""
        if not self.winners:
            return "nobody wins"
        return f"{named(self.winners)} win{'s' if len(self.winners) == 1 else ''}"


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
        shown = [self.sentence, "", _shown("The table", self.table, self.before)]
        if self.changed is not self.table:
            shown += ["", _shown("Changed", self.changed, self.after)]
        return "\n".join(shown)


def _shown(title: str, board: Leaderboard, outcome: Outcome) -> str:
    scores = board.scores.assign(rank=outcome.ranking["rank"].reindex(board.systems))
    lines = [f"{title} (winners: {named(outcome.winners) or 'none'})", scores.to_string()]
    if len(set(board.weights.tolist())) > 1:
        weights = ", ".join(f"{task!r}: {weight:g}" for task, weight in board.task_weights.items())
        lines.append(f"weights: {weights}")
    if board.lower.any():
        lines.append(f"lower is better: {named(board.lower_is_better)}")
    return "\n".join(lines)


@dataclass(frozen=True)
class AxiomCheck:
    """Whether a rule keeps an axiom on a table.

    Parameters
    ----------
    axiom, rule
        The names of the two.
    holds
        False if there is a witness; True if there is none among all the changes of the table of
        which the axiom speaks; None if there is none among those examined.
    witness
        The proof that the rule breaks the axiom, or None.
    exhaustive
        Whether every such change was examined.
    examined
        How many were; 0 where the axiom demands nothing of the table, as where it speaks of a
        Condorcet winner and there is none.
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
        cases = counted(self.examined, "case")
        if self.exhaustive and not self.examined:
            return f"{head} holds on this table, of which it demands nothing"
        if self.exhaustive:
            return f"{head} holds on this table (all of {cases} examined)"
        return f"{head} not broken in {cases}, which are not all"


@dataclass(frozen=True)
class Table:
    """A table to be changed: scores with higher being better, and what stands beside them."""

    # On the tasks that are `lower` the rule is to see the scores negated.

    scores: Floats
    systems: tuple[Label, ...]
    tasks: tuple[Label, ...]
    weights: Floats
    lower: Bools

    @classmethod
    def of(cls, board: Leaderboard) -> Table:
        """The tasks of a leaderboard that have a weight."""
        board = board.with_tasks(board.tasks[board.weights > 0])
        scores = np.where(board.lower, -board.values, board.values).astype(np.float64)
        return cls(scores, tuple(board.systems), tuple(board.tasks), board.weights, board.lower)

    @property
    def leaderboard(self) -> Leaderboard:
        """The table as a rule takes it."""
        values = np.where(self.lower, -self.scores, self.scores)
        # Labels that are tuples stay what they were in the table, a MultiIndex.
        systems, tasks = (pd.Index(list(labels)) for labels in (self.systems, self.tasks))
        weights = dict(zip(self.tasks, self.weights.tolist(), strict=True))
        lower = dict(zip(self.tasks, self.lower.tolist(), strict=True))
        frame = pd.DataFrame(values, index=systems, columns=tasks)
        return Leaderboard(frame, weights=weights, lower_is_better=lower)

    def with_tasks(self, positions: Sequence[int]) -> Table:
        """Some of the tasks, or all in another order."""
        chosen = list(positions)
        return replace(
            self,
            scores=self.scores[:, chosen],
            tasks=tuple(self.tasks[position] for position in chosen),
            weights=self.weights[chosen],
            lower=self.lower[chosen],
        )

    def with_systems(self, positions: Sequence[int]) -> Table:
        """Some of the systems."""
        chosen = list(positions)
        systems = tuple(self.systems[position] for position in chosen)
        return replace(self, scores=self.scores[chosen], systems=systems)


def unused(label: Label, labels: Iterable[Label], what: str) -> Label:
    """A new label after the pattern of an old one, such as `A (clone)`."""
    taken = set(labels)
    for number in itertools.count(1):
        suffix = f"({what})" if number == 1 else f"({what} {number})"
        new: Label = f"{label} {suffix}"
        if isinstance(label, tuple):
            new = (*label[:-1], f"{label[-1]} {suffix}")
        if new not in taken:
            return new
    raise AssertionError("there is always a new label")


@dataclass
class Trial:
    """A rule on a table while an axiom is checked, on at most so many samples of the cases."""

    # `examined` cases have been looked at, all that there are if `exhaustive`; `changed` is the
    # last of them, with what the rule says of it.

    rule: RuleLike
    table: Table
    samples: int
    rng: np.random.Generator
    exhaustive: bool = True
    examined: int = 0
    changed: tuple[Leaderboard, Outcome] | None = None

    @cached_property
    def board(self) -> Leaderboard:
        """The table as the rule takes it."""
        return self.table.leaderboard

    @cached_property
    def before(self) -> Outcome:
        """What the rule says of the table. Not asked for where the axiom has nothing to say."""
        return Outcome.of(self.rule, self.board)

    def outcomes(
        self, cases: Iterable[Case], change: Callable[[Case], Table]
    ) -> Iterator[tuple[Case, Outcome]]:
        """Each case with what the rule then says; what it refuses tells nothing."""
        for case in cases:
            self.examined += 1
            board = change(case).leaderboard
            try:
                after = Outcome.of(self.rule, board)
            except (ValueError, RuntimeError):
                self.exhaustive = False
            else:
                self.changed = board, after
                yield case, after

    def some(self, cases: Iterable[Case], number: int, draw: Callable[[], Case]) -> Iterator[Case]:
        """All cases where they are few enough, else as many as allowed, drawn one by one."""
        if number <= self.samples:
            yield from cases
        else:
            self.exhaustive = False
            for _ in range(self.samples):
                yield draw()

    def orders(self, n: int) -> Iterator[tuple[int, ...]]:
        """Orders of n things, all of them or some."""
        return self.some(
            itertools.permutations(range(n)),
            math.factorial(n),
            lambda: tuple(self.rng.permutation(n).tolist()),
        )

    def witness(self, sentence: str) -> Witness:
        """The proof that the case at hand breaks the axiom."""
        changed, after = self.changed or (self.board, self.before)
        return Witness(sentence, self.board, changed, self.before, after)


@dataclass(frozen=True)
class Axiom:
    """An axiom that can be run."""

    name: str
    #: What it demands.
    statement: str
    #: Which changes of a table are examined.
    examined: str
    #: Author and year.
    source: str
    #: The search: goes through the cases of a trial, and says in a sentence what happens where the
    #: axiom is broken.
    broken: Callable[[Trial], Iterator[str]] = field(repr=False)

    def check(self, trial: Trial) -> AxiomCheck:
        """Go through the cases up to the first that breaks the axiom."""
        sentence = next(self.broken(trial), None)
        witness = None if sentence is None else trial.witness(sentence)
        exhaustive = trial.exhaustive and witness is None
        holds = False if witness is not None else True if exhaustive else None
        rule = label_of(trial.rule)
        return AxiomCheck(self.name, rule, holds, witness, exhaustive, trial.examined)
