"""Axioms of voting that can be run: does a rule keep its promise on this table, and near it?

An axiom says how the results of a rule on two tables must fit together, or what
one result must look like. Here each is a search for a counterexample: the table
is changed in the ways of which the axiom speaks, and the rule runs again. A
counterexample is proof that the rule breaks the axiom; none found is proof only
where all changes were examined, and then only for this table.

What is known of each rule on every table is in `nbrank.RULES[name].properties`:
anonymity, unanimity, independence of irrelevant alternatives, monotonicity,
majority, and Condorcet's winner and loser. For clones, participation, reversal
symmetry and homogeneity, and for rules of one's own, ask here: `search(rule,
axiom)` tries tables drawn at random, `check(rule, scores, axiom)` one's own
table, and `check(rule, scores)` all axioms on it.

>>> search("copeland", "independence_of_clones").holds
False
>>> search("schulze", "independence_of_clones", n_tables=5)
independence_of_clones of schulze: not broken in 200 cases, which are not all
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.pair_counts import count
from nbrank.rules.described import described
from nbrank.rules.rule import RuleLike, called, label_of, outcome
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.options import generator, whole_number
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, Weights

__all__ = ["AXIOMS", "Axiom", "AxiomCheck", "Outcome", "Witness", "check", "search"]

Case = TypeVar("Case")


@dataclass(frozen=True)
class Outcome:
    """What a rule says of a table.

    Parameters
    ----------
    ranking
        The ranking.
    winners
        The systems that win; none where the rule elects nobody.
    """

    ranking: pd.DataFrame
    winners: tuple[Label, ...]

    @cached_property
    def ranks(self) -> dict[Label, int]:
        """System -> rank."""
        ranks = self.ranking["rank"].tolist()
        return dict(zip(self.ranking.index, ranks, strict=True))


@dataclass(frozen=True)
class Witness:
    """Proof that a rule breaks an axiom.

    Parameters
    ----------
    sentence
        What happens.
    table
        The table.
    changed
        The table after the change; the same one where the axiom speaks of no change.
    before
        The outcome on the table.
    after
        The outcome on the changed table.
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
        weights = ", ".join(f"{task!r} {weight:g}" for task, weight in board.task_weights.items())
        lines.append(f"weights: {weights}")
    if board.lower.any():
        lines.append(f"lower is better: {named(board.lower_is_better)}")
    return "\n".join(lines)


@dataclass(frozen=True)
class AxiomCheck:
    """Whether a rule keeps an axiom on a table.

    Parameters
    ----------
    axiom
        The axiom's name.
    rule
        The rule's name.
    holds
        False if there is a witness; True if there is none among all the
        changes of the table of which the axiom speaks; None if there is none
        among those examined.
    witness
        The proof that the rule breaks the axiom, or None.
    exhaustive
        Whether every such change was examined.
    examined
        How many were; 0 where the axiom demands nothing of the table, such as a
        Condorcet winner that there is not.
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


# ------------------------------------------------------------------------- tables and trials


@dataclass(frozen=True)
class _Table:
    """A table to be changed: scores with higher being better, and what stands beside them.

    Parameters
    ----------
    scores
        Systems x tasks, higher is better.
    systems, tasks
        Their labels.
    weights
        Of the tasks.
    lower
        On which tasks the rule is to see the scores negated, lower being better.
    """

    scores: NDArray[np.float64]
    systems: tuple[Label, ...]
    tasks: tuple[Label, ...]
    weights: NDArray[np.float64]
    lower: NDArray[np.bool_]

    @classmethod
    def of(cls, board: Leaderboard) -> _Table:
        """The tasks of a leaderboard that have a weight."""
        counted = np.flatnonzero(board.weights > 0)
        lower = board.lower[counted]
        values = np.asarray(board.values[:, counted], dtype=np.float64)
        return cls(
            np.where(lower, -values, values),
            tuple(board.systems),
            tuple(board.tasks[counted]),
            board.weights[counted],
            lower,
        )

    @property
    def leaderboard(self) -> Leaderboard:
        """The table as a rule takes it."""
        values = np.where(self.lower, -self.scores, self.scores)
        frame = pd.DataFrame(values, index=_index(self.systems), columns=_index(self.tasks))
        weights = dict(zip(self.tasks, self.weights.tolist(), strict=True))
        lower = [task for task, is_lower in zip(self.tasks, self.lower, strict=True) if is_lower]
        return Leaderboard(frame, weights=weights, lower_is_better=lower)

    def with_tasks(self, positions: Sequence[int]) -> _Table:
        """Some of the tasks, or all in another order."""
        chosen = list(positions)
        return replace(
            self,
            scores=self.scores[:, chosen],
            tasks=tuple(self.tasks[position] for position in chosen),
            weights=self.weights[chosen],
            lower=self.lower[chosen],
        )

    def with_systems(self, positions: Sequence[int]) -> _Table:
        """Some of the systems."""
        chosen = list(positions)
        systems = tuple(self.systems[position] for position in chosen)
        return replace(self, scores=self.scores[chosen], systems=systems)


def _index(labels: Sequence[Label]) -> pd.Index:
    """The labels as an index; tuples stay what they were in the table, a MultiIndex."""
    return pd.Index(list(labels))


def _unused(label: Label, labels: Iterable[Label], what: str) -> Label:
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
class _Trial:
    """A rule on a table, while an axiom is checked.

    Parameters
    ----------
    rule
        The rule.
    table
        The table.
    samples
        How many cases are drawn where there are more.
    rng
        What draws them.
    exhaustive
        Whether all cases have been examined so far.
    """

    rule: RuleLike
    table: _Table
    samples: int
    rng: np.random.Generator
    exhaustive: bool = True

    @cached_property
    def board(self) -> Leaderboard:
        """The table as the rule takes it."""
        return self.table.leaderboard

    @cached_property
    def before(self) -> Outcome:
        """What the rule says of the table. Not asked for where the axiom has nothing to say."""
        return _outcome(self.rule, self.board)

    def changed(self, table: _Table, broken: Callable[[Outcome], str | None]) -> Witness | None:
        """Run the rule on a changed table, and let `broken` say what is wrong with the outcome."""
        board = table.leaderboard
        try:
            after = _outcome(self.rule, board)
        except (ValueError, RuntimeError):
            # The rule refuses the changed table, of which the axiom then says nothing.
            self.exhaustive = False
            return None
        sentence = broken(after)
        if sentence is None:
            return None
        return Witness(sentence, self.board, board, self.before, after)

    def unchanged(self, sentence: str | None) -> Witness | None:
        """A witness on the table itself, if there is a sentence to say."""
        if sentence is None:
            return None
        return Witness(sentence, self.board, self.board, self.before, self.before)

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


def _outcome(rule: RuleLike, board: Leaderboard) -> Outcome:
    ranked, winners = outcome(rule, board)
    return Outcome(ranked, tuple(winners))


def _beats(before: int, after: int) -> str:
    return "above" if before < after else "below" if before > after else "level with"


def _win(systems: Sequence[Label]) -> str:
    if not systems:
        return "nobody wins"
    return f"{named(systems)} win{'s' if len(systems) == 1 else ''}"


# ------------------------------------------------------------------------------- the axioms


def _anonymity(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before

    def broken(after: Outcome) -> str | None:
        for system in table.systems:
            if after.ranks[system] != before.ranks[system]:
                return (
                    f"With the tasks in another order, {system!r} goes from rank "
                    f"{before.ranks[system]} to {after.ranks[system]}."
                )
        return None

    for order in trial.orders(len(table.tasks)):
        yield trial.changed(replace(table.with_tasks(order), tasks=table.tasks), broken)


def _neutrality(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before
    for order in trial.orders(len(table.systems)):

        def broken(after: Outcome, order: tuple[int, ...] = order) -> str | None:
            for system, position in zip(table.systems, order, strict=True):
                owner = table.systems[position]
                if after.ranks[system] != before.ranks[owner]:
                    return (
                        f"{owner!r} has rank {before.ranks[owner]}; where {system!r} has these "
                        f"scores, it has rank {after.ranks[system]}."
                    )
            return None

        yield trial.changed(replace(table, scores=table.scores[list(order)]), broken)


def _unanimity(trial: _Trial) -> Iterator[Witness | None]:
    table = trial.table
    for better, worse in itertools.permutations(range(len(table.systems)), 2):
        if not (table.scores[better] > table.scores[worse]).all():
            continue
        a, b = table.systems[better], table.systems[worse]
        before = trial.before
        sentence = None
        if before.ranks[a] >= before.ranks[b]:
            sentence = (
                f"{a!r} is above {b!r} on every task, but has rank {before.ranks[a]}, "
                f"{b!r} {before.ranks[b]}."
            )
        yield trial.unchanged(sentence)


def _raises(column: NDArray[np.float64], system: int) -> list[float]:
    """The scores with which a system rises: level with each better one, between two, above all."""
    better = np.unique(column[column > column[system]])
    if not len(better):
        return []
    steps = np.concatenate([[column[system]], better])
    top = better[-1] + (better[-1] - column[system])
    between = (better + np.append(better[1:], top)) / 2
    below_first = (steps[0] + steps[1]) / 2
    others = np.unique(column[~np.isnan(column)])
    # Between its own score and the next better one it overtakes nobody but those level with it.
    level = np.count_nonzero(column == column[system]) > 1
    found = np.concatenate([[below_first] if level else [], better, between])
    return [float(score) for score in found if np.isfinite(score) or score in others]


def _monotonicity(trial: _Trial) -> Iterator[Witness | None]:
    table = trial.table
    cases = [
        (system, task, score)
        for system, label in enumerate(table.systems)
        if label in trial.before.winners
        for task in range(len(table.tasks))
        for score in _raises(table.scores[:, task], system)
    ]
    for system, task, score in trial.some(
        cases, len(cases), lambda: cases[int(trial.rng.integers(len(cases)))]
    ):
        winner, scores = table.systems[system], table.scores.copy()
        scores[system, task] = score

        def broken(after: Outcome, winner: Label = winner, task: int = task) -> str | None:
            if winner in after.winners:
                return None
            return (
                f"{winner!r} wins, rises on {table.tasks[task]!r}, and no longer wins: "
                f"{_win(after.winners)}."
            )

        yield trial.changed(replace(table, scores=scores), broken)


def _majority(trial: _Trial) -> Iterator[Witness | None]:
    table = trial.table
    total = table.weights.sum()
    for system, label in enumerate(table.systems):
        # A task on which another system has no score (NaN) has no best one that is known.
        others = np.delete(table.scores, system, axis=0).max(axis=0, initial=-np.inf)
        weight = table.weights[table.scores[system] > others].sum()
        if weight > total / 2:
            sentence, winners = None, trial.before.winners
            if winners != (label,):
                sentence = (
                    f"{label!r} is best on tasks of weight {weight:g} of {total:g}, "
                    f"but {_win(winners)}."
                )
            yield trial.unchanged(sentence)


def _condorcet_winner(trial: _Trial) -> Iterator[Witness | None]:
    margins = count(trial.board.profile()).margins
    for system, label in enumerate(trial.table.systems):
        if (np.delete(margins[system], system) > 0).all():
            sentence = None
            if trial.before.winners != (label,):
                sentence = f"{label!r} beats every other, but {_win(trial.before.winners)}."
            yield trial.unchanged(sentence)


def _condorcet_loser(trial: _Trial) -> Iterator[Witness | None]:
    margins = count(trial.board.profile()).margins
    for system, label in enumerate(trial.table.systems):
        if len(margins) > 1 and (np.delete(margins[system], system) < 0).all():
            sentence = None
            if label in trial.before.winners:
                sentence = f"{label!r} loses to every other, but {_win(trial.before.winners)}."
            yield trial.unchanged(sentence)


def _independence_of_irrelevant_alternatives(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before
    n = len(table.systems)
    subsets = (
        kept for size in range(n - 1, 1, -1) for kept in itertools.combinations(range(n), size)
    )

    def drawn() -> tuple[int, ...]:
        size = int(trial.rng.integers(2, n))
        return tuple(sorted(trial.rng.permutation(n)[:size].tolist()))

    for kept in trial.some(subsets, 2**n - n - 2, drawn):

        def broken(after: Outcome, kept: tuple[int, ...] = kept) -> str | None:
            left = [table.systems[position] for position in kept]
            gone = [system for system in table.systems if system not in left]
            for a, b in itertools.combinations(left, 2):
                was = _beats(before.ranks[a], before.ranks[b])
                now = _beats(after.ranks[a], after.ranks[b])
                if was != now:
                    return f"{a!r} is {was} {b!r}; without {named(gone)} it is {now} it."
            return None

        yield trial.changed(table.with_systems(kept), broken)


def _with_clones(table: _Table, system: int, steps: NDArray[np.int_]) -> _Table:
    """Clones of a system, so many small steps above it (or below) on each task.

    Where another system has the same score, a clone has it too: it could not
    be next to its original on both sides of the other one.
    """
    scores, systems = table.scores, table.systems
    gap = np.empty(len(table.tasks))
    for task, column in enumerate(scores.T):
        finite = np.unique(column[np.isfinite(column)])
        gap[task] = np.diff(finite).min(initial=np.inf)
        if not np.isfinite(gap[task]):
            gap[task] = np.abs(finite).max(initial=1.0)
    level = (scores == scores[system]).sum(axis=0) > 1
    clones = scores[system] + np.where(level, 0.0, steps * gap / 1000)
    for _ in steps:
        systems = (*systems, _unused(table.systems[system], systems, "clone"))
    return replace(table, scores=np.vstack([scores, clones]), systems=systems)


def _independence_of_clones(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before
    n, m = len(table.systems), len(table.tasks)
    # Any number of clones could be added: one and two are.
    trial.exhaustive = False
    one = ((system, np.array([steps])) for system in range(n) for steps in _all_steps(m))

    def drawn(n_clones: int) -> tuple[int, NDArray[np.int_]]:
        steps = trial.rng.integers(-n_clones, n_clones + 1, size=(n_clones, m))
        return int(trial.rng.integers(n)), steps

    two = (drawn(2) for _ in range(trial.samples))
    few = trial.some(one, n * 3**m, lambda: drawn(1))
    for system, steps in itertools.chain(few, two):
        original = table.systems[system]

        def broken(after: Outcome, original: Label = original) -> str | None:
            new = [system for system in after.ranking.index if system not in table.systems]
            others = set(table.systems) - {original}
            family = {original, *new}
            if others & set(before.winners) == others & set(after.winners) and (
                (original in before.winners) == bool(family & set(after.winners))
            ):
                return None
            clones = f"{len(new)} clone{'s' if len(new) > 1 else ''} of {original!r}"
            return f"{_win(before.winners)}; with {clones} added, {_win(after.winners)}."

        yield trial.changed(_with_clones(table, system, steps), broken)


def _all_steps(n_tasks: int) -> Iterator[tuple[int, ...]]:
    return itertools.product((-1, 1, 0), repeat=n_tasks)


def _prefers(
    table: _Table, ballot: NDArray[np.float64], these: Sequence[Label], to: Sequence[Label]
) -> bool:
    """Whether a ballot puts each of these strictly above each of the others."""
    score = dict(zip(table.systems, ballot.tolist(), strict=True))
    return bool(these and to) and all(score[a] > score[b] for a in these for b in to)


def _added(tasks: Sequence[Label]) -> Label:
    """The label of one more task, in no group of the others."""
    last, added = tasks[-1], "added task"
    label: Label = (added,) * len(last) if isinstance(last, tuple) else added
    return _unused(label, tasks, "new") if label in tasks else label


#: How often an added task counts.
_TIMES = (1, 2, 3)


def _participation(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before
    n, m = len(table.systems), len(table.tasks)
    for task in range(m if m > 1 else 0):

        def left(after: Outcome, task: int = task) -> str | None:
            if not _prefers(table, table.scores[:, task], after.winners, before.winners):
                return None
            return (
                f"{_win(before.winners)}; without {table.tasks[task]!r}, which puts "
                f"{named(after.winners)} above {named(before.winners)}, {_win(after.winners)}."
            )

        yield trial.changed(table.with_tasks([t for t in range(m) if t != task]), left)
    finite = table.scores[np.isfinite(table.scores)]
    low, high = finite.min(initial=np.inf), finite.max(initial=-np.inf)
    if not low < high:
        low, high = 0.0, 1.0
    levels = np.linspace(low, high, n)
    # Several voters of one mind are one task of several times the weight.
    cases = trial.some(
        itertools.product(_TIMES, itertools.permutations(range(n))),
        len(_TIMES) * math.factorial(n),
        lambda: (int(trial.rng.choice(_TIMES)), tuple(trial.rng.permutation(n).tolist())),
    )
    for times, order in cases:
        ballot = levels[list(order)]

        def joined(
            after: Outcome, ballot: NDArray[np.float64] = ballot, times: int = times
        ) -> str | None:
            if not _prefers(table, ballot, before.winners, after.winners):
                return None
            more = "one more task" if times == 1 else f"one more task, counted {times} times"
            order = [table.systems[system] for system in np.argsort(-ballot)]
            return (
                f"{_win(before.winners)}; with {more}, which ranks {named(order)} in this order "
                f"and so {named(before.winners)} above {named(after.winners)}, "
                f"{_win(after.winners)}."
            )

        yield trial.changed(
            replace(
                table,
                scores=np.column_stack([table.scores, ballot]),
                tasks=(*table.tasks, _added(table.tasks)),
                weights=np.append(table.weights, times * table.weights.mean()),
                lower=np.append(table.lower, table.lower.all()),
            ),
            joined,
        )


def _reversal_symmetry(trial: _Trial) -> Iterator[Witness | None]:
    table, winners = trial.table, trial.before.winners
    if len(table.systems) < 2 or len(winners) != 1:
        return

    def broken(after: Outcome) -> str | None:
        if winners[0] not in after.winners:
            return None
        return f"{winners[0]!r} wins alone; with every task turned round, {_win(after.winners)}."

    # Mirrored in the middle of its range: a task keeps its lowest and its highest score.
    finite = np.where(np.isfinite(table.scores), table.scores, np.nan)
    scored = ~np.isnan(finite).all(axis=0)
    middle = np.zeros(len(table.tasks))
    middle[scored] = np.nanmin(finite[:, scored], axis=0) + np.nanmax(finite[:, scored], axis=0)
    yield trial.changed(replace(table, scores=middle - table.scores), broken)


def _homogeneity(trial: _Trial) -> Iterator[Witness | None]:
    table, before = trial.table, trial.before
    # Any number of copies could be made: two and three are.
    trial.exhaustive = False
    for copies in (2, 3):

        def broken(after: Outcome, copies: int = copies) -> str | None:
            for system in table.systems:
                if after.ranks[system] != before.ranks[system]:
                    return (
                        f"With every task there {copies} times, {system!r} goes from rank "
                        f"{before.ranks[system]} to {after.ranks[system]}."
                    )
            return None

        repeated = table.with_tasks([*range(len(table.tasks))] * copies)
        tasks = table.tasks
        for task in repeated.tasks[len(tasks) :]:
            tasks = (*tasks, _unused(task, tasks, "copy"))
        yield trial.changed(replace(repeated, tasks=tasks), broken)


# ------------------------------------------------------------------------------ the public face


@dataclass(frozen=True)
class Axiom:
    """An axiom that can be run.

    Parameters
    ----------
    name
        Its name.
    statement
        What it demands.
    examined
        Which changes of a table are examined.
    source
        Author and year.
    cases
        The search: yields a witness or None for each case examined.
    """

    name: str
    statement: str
    examined: str
    source: str
    cases: Callable[[_Trial], Iterator[Witness | None]] = field(repr=False)


def _axioms() -> Iterator[Axiom]:
    yield Axiom(
        "anonymity",
        "the order of the tasks changes no rank",
        "all orders of the tasks, weights with them",
        "May 1952",
        _anonymity,
    )
    yield Axiom(
        "neutrality",
        "systems that exchange their scores exchange their ranks",
        "all ways to exchange the rows",
        "May 1952",
        _neutrality,
    )
    yield Axiom(
        "unanimity",
        "who is above another on every task is ranked strictly above it",
        "all pairs of systems",
        "Arrow 1951",
        _unanimity,
    )
    yield Axiom(
        "monotonicity",
        "a winner that rises on one task still wins",
        "every rise of a winner on one task, to the level of another system and above it",
        "Smith 1973",
        _monotonicity,
    )
    yield Axiom(
        "majority",
        "who is best on tasks of more than half the weight is the only winner",
        "the table itself",
        "Condorcet 1785",
        _majority,
    )
    yield Axiom(
        "condorcet_winner",
        "who beats every other one against one is the only winner",
        "the table itself",
        "Condorcet 1785",
        _condorcet_winner,
    )
    yield Axiom(
        "condorcet_loser",
        "who loses to every other one against one never wins",
        "the table itself",
        "Fishburn 1977",
        _condorcet_loser,
    )
    yield Axiom(
        "independence_of_irrelevant_alternatives",
        "who else is on the board doesn't change the order of two systems",
        "all sets of systems taken off the board",
        "Arrow 1951",
        _independence_of_irrelevant_alternatives,
    )
    yield Axiom(
        "independence_of_clones",
        "clones of a system, next to it on every task, neither win nor lose for the others",
        "one clone in every way, two clones in some; never all numbers of clones",
        "Tideman 1987",
        _independence_of_clones,
    )
    yield Axiom(
        "participation",
        "a task doesn't help those that it puts below the winners without it",
        "each task taken away; every strict order of the systems added, with one, two or three "
        "times the mean weight",
        "Moulin 1988",
        _participation,
    )
    yield Axiom(
        "reversal_symmetry",
        "who wins alone doesn't win when every task is turned round",
        "the table turned round",
        "Saari 1994",
        _reversal_symmetry,
    )
    yield Axiom(
        "homogeneity",
        "to copy every task equally often changes no rank",
        "every task there twice, and three times; never all numbers of copies",
        "Smith 1973",
        _homogeneity,
    )


#: Name -> axiom.
AXIOMS: Mapping[str, Axiom] = MappingProxyType({axiom.name: axiom for axiom in _axioms()})


def _axiom_named(name: str) -> Axiom:
    if name not in AXIOMS:
        raise ValueError(f"unknown axiom {name!r}; the axioms are {', '.join(AXIOMS)}")
    return AXIOMS[name]


def _checked(axiom: Axiom, trial: _Trial) -> AxiomCheck:
    examined, witness = 0, None
    for found in axiom.cases(trial):
        examined += 1
        if found is not None:
            witness = found
            break
    exhaustive = trial.exhaustive and witness is None
    holds = False if witness is not None else True if exhaustive else None
    return AxiomCheck(axiom.name, label_of(trial.rule), holds, witness, exhaustive, examined)


Scores = pd.DataFrame | Leaderboard


@overload
def check(
    rule: RuleLike,
    scores: Scores,
    axiom: str,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    samples: int = 200,
    seed: int = 0,
) -> AxiomCheck: ...


@overload
def check(
    rule: RuleLike,
    scores: Scores,
    axiom: None = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    samples: int = 200,
    seed: int = 0,
) -> pd.DataFrame: ...


@described
def check(
    rule: RuleLike,
    scores: Scores,
    axiom: str | None = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    samples: int = 200,
    seed: int = 0,
) -> AxiomCheck | pd.DataFrame:
    """Does a rule keep an axiom on this table and its variations, or is there a counterexample?

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking, such as
        `functools.partial(nbrank.minimax, variant="margins")`.
    {board}
    axiom
        A name of `AXIOMS`; None checks them all.
    samples
        How many changes of the table are examined where there are more.
    seed
        What draws those.

    Returns
    -------
    AxiomCheck or pandas.DataFrame
        For one axiom whether it holds, with the witness if it doesn't. For all
        of them a row for each, with the columns

        holds
            False if there is a witness, True if there is none among all
            changes of this table, missing if there is none among those
            examined.
        exhaustive
            Whether all changes were examined.
        examined
            How many were, up to the first witness.
        witness
            What happens, in a sentence; missing where there is no witness.

    Raises
    ------
    {errors}
        Also if the scores are instance-level, or the rule refuses the table. A
        changed table that the rule refuses is passed over, and the check then
        does not count as exhaustive.

    Examples
    --------
    A wins by plurality. The tasks of B and C, who are much alike, are split:
    without C, B wins.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 3, 1, 1, 1, 1], [2, 2, 2, 3, 3, 2, 2], [1, 1, 1, 2, 2, 3, 3]],
    ...     index=["A", "B", "C"],
    ...     columns=list("tuvwxyz"),
    ... )
    >>> found = check("plurality", scores, "independence_of_irrelevant_alternatives")
    >>> found.holds
    False
    >>> found.witness.sentence
    "'A' is above 'B'; without 'C' it is below it."
    >>> check("plurality", scores, "majority")
    majority of plurality: holds on this table, of which it demands nothing
    >>> check("borda", scores)["holds"].head(4)
    axiom
    anonymity       <NA>
    neutrality      True
    unanimity       True
    monotonicity    True
    Name: holds, dtype: boolean
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    if board.is_instance_level:
        raise ValueError(
            "axioms are checked on tables of systems x tasks; average the instances first, "
            "with scores.groupby(level='system').mean()"
        )
    samples = whole_number("check", "samples", samples)
    table = _Table.of(board)

    before = _outcome(rule, table.leaderboard)

    def checked(axiom: Axiom) -> AxiomCheck:
        trial = _Trial(rule, table, samples, generator("check", seed))
        trial.before = before
        return _checked(axiom, trial)

    if axiom is not None:
        return checked(_axiom_named(axiom))
    found = [checked(each) for each in AXIOMS.values()]
    columns: dict[str, Any] = {
        "holds": pd.array([each.holds for each in found], dtype="boolean"),
        "exhaustive": [each.exhaustive for each in found],
        "examined": [each.examined for each in found],
        "witness": pd.array(
            [each.witness.sentence if each.witness else None for each in found], dtype="string"
        ),
    }
    return pd.DataFrame(columns, index=pd.Index([each.axiom for each in found], name="axiom"))


def search(
    rule: RuleLike,
    axiom: str,
    *,
    n_systems: int = 4,
    n_tasks: int = 7,
    n_tables: int = 300,
    samples: int = 20,
    seed: int = 0,
) -> AxiomCheck:
    """Is there a table, among some drawn at random, on which a rule breaks an axiom?

    Each task orders the systems at random, every order being equally likely,
    without ties or missing scores; scores are whole numbers below 100.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    axiom
        A name of `AXIOMS`.
    n_systems
        The most systems in a table; there are at least 3.
    n_tasks
        The most tasks in a table; there is at least 1.
    n_tables
        How many tables are drawn. One that the rule refuses is passed over.
    samples
        How many changes of a table are examined where there are more.
    seed
        What draws them.

    Returns
    -------
    AxiomCheck
        With the first witness found; it is never exhaustive.

    Raises
    ------
    ValueError
        If the rule or the axiom is unknown, or there are fewer than 3 systems,
        1 task or 1 table.

    Examples
    --------
    Baldwin's rule can punish a system for getting better.

    >>> found = search("baldwin", "monotonicity", seed=1)
    >>> found.holds
    False
    """
    known = _axiom_named(axiom)
    n_systems = whole_number("search", "n_systems", n_systems, least=3)
    n_tasks = whole_number("search", "n_tasks", n_tasks)
    n_tables = whole_number("search", "n_tables", n_tables)
    samples = whole_number("search", "samples", samples)
    called(rule)
    rng = generator("search", seed)
    examined = 0
    for _ in range(n_tables):
        table = _random_table(rng, n_systems, n_tasks)
        try:
            found = _checked(known, _Trial(rule, table, samples, rng))
        except (ValueError, RuntimeError):
            continue
        examined += found.examined
        if found.witness is not None:
            return replace(found, examined=examined)
    return AxiomCheck(axiom, label_of(rule), None, None, exhaustive=False, examined=examined)


def _random_table(rng: np.random.Generator, n_systems: int, n_tasks: int) -> _Table:
    n, m = int(rng.integers(3, n_systems + 1)), int(rng.integers(1, n_tasks + 1))
    highest = max(100, n)
    scores = [rng.choice(highest, size=n, replace=False) for _ in range(m)]
    return _Table(
        np.column_stack(scores).astype(np.float64),
        tuple(chr(ord("A") + i) if n <= 26 else f"S{i + 1}" for i in range(n)),
        tuple(f"t{i + 1}" for i in range(m)),
        np.ones(m),
        np.zeros(m, dtype=bool),
    )
