"""The axioms: what each demands, and the search for a case in which a rule breaks it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.kinds import Floats
from nbrank.arrays.pair_counts import count
from nbrank.axioms.trial import Axiom, Outcome, Table, Trial, unused
from nbrank.votes.naming import Label, named

#: How often an added task counts.
_TIMES = (1, 2, 3)

_defined: dict[str, Axiom] = {}
#: Name -> axiom.
AXIOMS: Mapping[str, Axiom] = MappingProxyType(_defined)


def axiom(examined: str, source: str) -> Callable[[Callable[[Trial], Iterator[str]]], Axiom]:
    """Make an axiom of its search, which has its name, and says what it demands."""

    def defined(broken: Callable[[Trial], Iterator[str]]) -> Axiom:
        name, statement = broken.__name__, broken.__doc__ or ""
        return _defined.setdefault(name, Axiom(name, statement, examined, source, broken))

    return defined


@axiom("all orders of the tasks, weights with them", "May 1952")
def anonymity(trial: Trial) -> Iterator[str]:
    """The order of the tasks changes no rank."""
    table, before = trial.table, trial.before

    def reordered(order: tuple[int, ...]) -> Table:
        return replace(table.with_tasks(order), tasks=table.tasks)

    for _, after in trial.outcomes(trial.orders(len(table.tasks)), reordered):
        yield from _moved(table, before, after, "With the tasks in another order")


def _moved(table: Table, before: Outcome, after: Outcome, when: str) -> Iterator[str]:
    """Which systems have another rank than before."""
    for system in table.systems:
        rank, new = before.ranks[system], after.ranks[system]
        if new != rank:
            yield f"{when}, {system!r} goes from rank {rank} to {new}."


@axiom("all ways to exchange the rows", "May 1952")
def neutrality(trial: Trial) -> Iterator[str]:
    """Systems that exchange their scores exchange their ranks."""
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


@axiom("all pairs of systems", "Arrow 1951")
def unanimity(trial: Trial) -> Iterator[str]:
    """Who is above another on every task is ranked strictly above it."""
    table = trial.table
    for better, worse in itertools.permutations(range(len(table.systems)), 2):
        if (table.scores[better] > table.scores[worse]).all():
            trial.examined += 1
            a, b = table.systems[better], table.systems[worse]
            ranks = trial.before.ranks
            if ranks[a] >= ranks[b]:
                yield (
                    f"{a!r} is above {b!r} on every task, but has rank {ranks[a]}, "
                    f"{b!r} {ranks[b]}."
                )


@axiom(
    "every rise of a winner on one task, to the level of another system and above it", "Smith 1973"
)
def monotonicity(trial: Trial) -> Iterator[str]:
    """A winner that rises on one task still wins."""
    table = trial.table
    cases = [
        (system, task, score)
        for system, label in enumerate(table.systems)
        if label in trial.before.winners
        for task in range(len(table.tasks))
        for score in rises(table.scores[:, task], system)
    ]

    def risen(case: tuple[int, int, float]) -> Table:
        system, task, score = case
        scores = table.scores.copy()
        scores[system, task] = score
        return replace(table, scores=scores)

    some = trial.some(cases, len(cases), lambda: cases[int(trial.rng.integers(len(cases)))])
    for (system, task, _), after in trial.outcomes(some, risen):
        winner = table.systems[system]
        if winner not in after.winners:
            yield (
                f"{winner!r} wins, rises on {table.tasks[task]!r}, and no longer wins: "
                f"{after.said}."
            )


def rises(column: Floats, system: int) -> list[float]:
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


@axiom("the table itself", "Condorcet 1785")
def majority(trial: Trial) -> Iterator[str]:
    """Who is best on tasks of more than half the weight is the only winner."""
    table = trial.table
    total = table.weights.sum()
    for system, label in enumerate(table.systems):
        # A task on which another system has no score (NaN) has no best one that is known.
        others = np.delete(table.scores, system, axis=0).max(axis=0, initial=-np.inf)
        weight = table.weights[table.scores[system] > others].sum()
        if weight > total / 2:
            trial.examined += 1
            if trial.before.winners != (label,):
                yield (
                    f"{label!r} is best on tasks of weight {weight:g} of {total:g}, "
                    f"but {trial.before.said}."
                )


@axiom("the table itself", "Condorcet 1785")
def condorcet_winner(trial: Trial) -> Iterator[str]:
    """Who beats every other one against one is the only winner."""
    for system, label in enumerate(trial.table.systems):
        if (_margins(trial, system) > 0).all():
            trial.examined += 1
            if trial.before.winners != (label,):
                yield f"{label!r} beats every other, but {trial.before.said}."


@axiom("the table itself", "Fishburn 1977")
def condorcet_loser(trial: Trial) -> Iterator[str]:
    """Who loses to every other one against one never wins."""
    for system, label in enumerate(trial.table.systems):
        margins = _margins(trial, system)
        if len(margins) and (margins < 0).all():
            trial.examined += 1
            if label in trial.before.winners:
                yield f"{label!r} loses to every other, but {trial.before.said}."


def _margins(trial: Trial, system: int) -> Floats:
    """A system's margins over the others."""
    return np.delete(count(trial.board.profile()).margins[system], system)


@axiom("all sets of systems taken off the board", "Arrow 1951")
def independence_of_irrelevant_alternatives(trial: Trial) -> Iterator[str]:
    """Who else is on the board doesn't change the order of two systems."""
    table, before = trial.table, trial.before
    n = len(table.systems)
    subsets = (
        kept for size in range(n - 1, 1, -1) for kept in itertools.combinations(range(n), size)
    )

    def drawn() -> tuple[int, ...]:
        size = int(trial.rng.integers(2, n))
        return tuple(sorted(trial.rng.permutation(n)[:size].tolist()))

    some = trial.some(subsets, 2**n - n - 2, drawn)
    for kept, after in trial.outcomes(some, table.with_systems):
        left = [table.systems[position] for position in kept]
        gone = [system for system in table.systems if system not in left]
        for a, b in itertools.combinations(left, 2):
            was, now = (_beats(found.ranks[a], found.ranks[b]) for found in (before, after))
            if was != now:
                yield f"{a!r} is {was} {b!r}; without {named(gone)} it is {now} it."


def _beats(one: int, other: int) -> str:
    return "above" if one < other else "below" if one > other else "level with"


@axiom("one clone in every way, two clones in some; never all numbers of clones", "Tideman 1987")
def independence_of_clones(trial: Trial) -> Iterator[str]:
    """Clones of a system, next to it on every task, neither win nor lose for the others."""
    table, before = trial.table, set(trial.before.winners)
    n, m = len(table.systems), len(table.tasks)
    # Any number of clones could be added: one and two are.
    trial.exhaustive = False
    # Not a product with these iterators: it makes all of both before the first pair.
    one = (
        (system, np.array([steps]))
        for system in range(n)
        for steps in itertools.product((-1, 1, 0), repeat=m)
    )

    def drawn(n_clones: int) -> tuple[int, NDArray[np.int_]]:
        steps = trial.rng.integers(-n_clones, n_clones + 1, size=(n_clones, m))
        return int(trial.rng.integers(n)), steps

    two = (drawn(2) for _ in range(trial.samples))
    few = trial.some(one, n * 3**m, lambda: drawn(1))
    cases = itertools.chain(few, two)
    for (system, _), after in trial.outcomes(cases, lambda case: with_clones(table, *case)):
        original, winners = table.systems[system], set(after.winners)
        new = [each for each in after.ranking.index if each not in table.systems]
        others = set(table.systems) - {original}
        if others & before != others & winners or (
            (original in before) != bool({original, *new} & winners)
        ):
            clones = f"{len(new)} clone{'s' if len(new) > 1 else ''} of {original!r}"
            yield f"{trial.before.said}; with {clones} added, {after.said}."


def with_clones(table: Table, system: int, steps: NDArray[np.int_]) -> Table:
    """Clones of a system, so many small steps above it (or below) on each task."""
    # Where another system has the same score, a clone has it too: it could not be next to its
    # original on both sides of the other one.
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
        systems = (*systems, unused(table.systems[system], systems, "clone"))
    return replace(table, scores=np.vstack([scores, clones]), systems=systems)


@axiom(
    "each task taken away; every strict order of the systems added, at one to three mean weights",
    "Moulin 1988",
)
def participation(trial: Trial) -> Iterator[str]:
    """A task doesn't help those that it puts below the winners without it."""
    table, before = trial.table, trial.before
    m = len(table.tasks)

    def without(task: int) -> Table:
        return table.with_tasks([t for t in range(m) if t != task])

    for task, after in trial.outcomes(range(m if m > 1 else 0), without):
        if _prefers(table, table.scores[:, task], after.winners, before.winners):
            yield (
                f"{before.said}; without {table.tasks[task]!r}, which puts "
                f"{named(after.winners)} above {named(before.winners)}, {after.said}."
            )
    levels = _levels(table)
    # Several voters of one mind are one task of several times the weight.
    cases = _with_every_order(trial, _TIMES)

    def joined(case: tuple[int, tuple[int, ...]]) -> Table:
        times, order = case
        return replace(
            table,
            scores=np.column_stack([table.scores, levels[list(order)]]),
            tasks=(*table.tasks, added(table.tasks)),
            weights=np.append(table.weights, times * table.weights.mean()),
            lower=np.append(table.lower, table.lower.all()),
        )

    for (times, order), after in trial.outcomes(cases, joined):
        ballot = levels[list(order)]
        if _prefers(table, ballot, before.winners, after.winners):
            more = "one more task" if times == 1 else f"one more task, counted {times} times"
            ranked = [table.systems[system] for system in np.argsort(-ballot)]
            yield (
                f"{before.said}; with {more}, which ranks {named(ranked)} in this order "
                f"and so {named(before.winners)} above {named(after.winners)}, {after.said}."
            )


def _with_every_order(trial: Trial, each: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each of these with every strict order of the systems, or as many as are looked at."""
    n = len(trial.table.systems)
    return trial.some(
        ((one, order) for one in each for order in itertools.permutations(range(n))),
        len(each) * math.factorial(n),
        lambda: (int(trial.rng.choice(each)), tuple(trial.rng.permutation(n).tolist())),
    )


def _levels(table: Table) -> Floats:
    """Scores for a new strict order of the systems, within the range of the table's own."""
    finite = table.scores[np.isfinite(table.scores)]
    low, high = finite.min(initial=np.inf), finite.max(initial=-np.inf)
    if not low < high:
        low, high = 0.0, 1.0
    return np.linspace(low, high, len(table.systems), dtype=np.float64)


@axiom(
    "every strict order of the systems in the place of each task's own",
    "Gibbard 1973; Satterthwaite 1975",
)
def strategy_proofness(trial: Trial) -> Iterator[str]:
    """No task gains by stating another order: winners of whom none is below one of before."""
    table, before = trial.table, trial.before
    m = len(table.tasks)
    levels = _levels(table)
    cases = _with_every_order(trial, range(m))

    def misstated(case: tuple[int, tuple[int, ...]]) -> Table:
        task, order = case
        scores = table.scores.copy()
        scores[:, task] = np.where(np.isnan(scores[:, task]), np.nan, levels[list(order)])
        return replace(table, scores=scores)

    for (task, order), after in trial.outcomes(cases, misstated):
        leads = _leads(table, table.scores[:, task], after.winners, before.winners)
        if all(lead >= 0 for lead in leads) and any(lead > 0 for lead in leads):
            ranked = np.argsort(-levels[list(order)])
            stated = " > ".join(repr(table.systems[system]) for system in ranked)
            yield (
                f"{before.said}; if {table.tasks[task]!r} states {stated}, which is not its order, "
                f"{after.said}, and it prefers that."
            )


def _prefers(table: Table, ballot: Floats, these: Sequence[Label], to: Sequence[Label]) -> bool:
    """Whether a ballot puts each of these strictly above each of the others."""
    leads = _leads(table, ballot, these, to)
    return bool(leads) and all(lead > 0 for lead in leads)


def _leads(
    table: Table, ballot: Floats, these: Sequence[Label], over: Sequence[Label]
) -> list[float]:
    """By how much a ballot puts each of these above each of the others."""
    score = dict(zip(table.systems, ballot.tolist(), strict=True))
    return [score[one] - score[other] for one in these for other in over]


def added(tasks: Sequence[Label]) -> Label:
    """The label of one more task, in no group of the others."""
    last, added = tasks[-1], "added task"
    label: Label = (added,) * len(last) if isinstance(last, tuple) else added
    return unused(label, tasks, "new") if label in tasks else label


@axiom("the table turned round", "Saari 1994")
def reversal_symmetry(trial: Trial) -> Iterator[str]:
    """Who wins alone doesn't win when every task is turned round."""
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


@axiom("every task there twice, and three times; never all numbers of copies", "Smith 1973")
def homogeneity(trial: Trial) -> Iterator[str]:
    """To copy every task equally often changes no rank."""
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
