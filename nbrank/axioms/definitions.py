"""The axioms: what each demands, and the search for a case in which a rule breaks it."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.typing import Floats
from nbrank.axioms.trials import Axiom, AxiomSearch, EditableTable, Outcome, make_unused_label
from nbrank.votes.formatting import Label, format_labels

#: How often an added task counts.
_TIMES = (1, 2, 3)

_axioms_by_name: dict[str, Axiom] = {}
#: Name -> axiom.
AXIOMS: Mapping[str, Axiom] = MappingProxyType(_axioms_by_name)


def register_axiom(
    cases_description: str, source: str
) -> Callable[[Callable[[AxiomSearch], Iterator[str]]], Axiom]:
    """Make an axiom of its search, which has its name, and says what it demands."""

    def register(broken: Callable[[AxiomSearch], Iterator[str]]) -> Axiom:
        name, statement = broken.__name__, broken.__doc__ or ""
        return _axioms_by_name.setdefault(
            name, Axiom(name, statement, cases_description, source, broken)
        )

    return register


@register_axiom("all orders of the tasks, weights with them", "May 1952")
def anonymity(trial: AxiomSearch) -> Iterator[str]:
    """Put the tasks in another order, and no rank changes."""
    table, before = trial.table, trial.original_outcome

    def reorder_tasks(order: tuple[int, ...]) -> EditableTable:
        return replace(table.select_tasks(order), tasks=table.tasks)

    for _, after in trial.iter_outcomes(trial.sample_orders(len(table.tasks)), reorder_tasks):
        yield from _iter_rank_changes(table, before, after, "With the tasks in another order")


def _iter_rank_changes(
    table: EditableTable, before: Outcome, after: Outcome, change: str
) -> Iterator[str]:
    """Yield the systems whose rank differs from before."""
    for system in table.systems:
        rank, new = before.ranks[system], after.ranks[system]
        if new != rank:
            yield f"{change}, {system!r} goes from rank {rank} to {new}."


@register_axiom("all ways to exchange the rows", "May 1952")
def neutrality(trial: AxiomSearch) -> Iterator[str]:
    """Systems that exchange their scores exchange their ranks."""
    table, before = trial.table, trial.original_outcome

    def swap_rows(order: tuple[int, ...]) -> EditableTable:
        return replace(table, scores=table.scores[list(order)])

    for order, after in trial.iter_outcomes(trial.sample_orders(len(table.systems)), swap_rows):
        for system, position in zip(table.systems, order, strict=True):
            owner = table.systems[position]
            if after.ranks[system] != before.ranks[owner]:
                yield (
                    f"{owner!r} has rank {before.ranks[owner]}; where {system!r} has these "
                    f"scores, it has rank {after.ranks[system]}."
                )


@register_axiom("all pairs of systems", "Arrow 1951")
def unanimity(trial: AxiomSearch) -> Iterator[str]:
    """A system above another on every task is ranked strictly above it."""
    table = trial.table
    for better, worse in itertools.permutations(range(len(table.systems)), 2):
        if (table.scores[better] > table.scores[worse]).all():
            trial.n_examined += 1
            a, b = table.systems[better], table.systems[worse]
            ranks = trial.original_outcome.ranks
            if ranks[a] >= ranks[b]:
                yield (
                    f"{a!r} is above {b!r} on every task, but has rank {ranks[a]}, "
                    f"{b!r} {ranks[b]}."
                )


@register_axiom(
    "every rise of a winner on one task, to the level of another system and above it", "Smith 1973"
)
def monotonicity(trial: AxiomSearch) -> Iterator[str]:
    """A winner that rises on one task still wins."""
    table = trial.table
    cases = [
        (system, task, score)
        for system, label in enumerate(table.systems)
        if label in trial.original_outcome.winners
        for task in range(len(table.tasks))
        for score in raised_scores(table.scores[:, task], system)
    ]

    def risen(case: tuple[int, int, float]) -> EditableTable:
        system, task, score = case
        scores = table.scores.copy()
        scores[system, task] = score
        return replace(table, scores=scores)

    some = trial.sample_cases(cases, len(cases), lambda: cases[int(trial.rng.integers(len(cases)))])
    for (system, task, _), after in trial.iter_outcomes(some, risen):
        winner = table.systems[system]
        if winner not in after.winners:
            yield (
                f"{winner!r} wins, rises on {table.tasks[task]!r}, and no longer wins: "
                f"{after.winners_text}."
            )


def raised_scores(column: Floats, system: int) -> list[float]:
    """List the scores with which a system rises: level with each better one, and between."""
    better = np.unique(column[column > column[system]])
    if not len(better):
        return []
    steps = np.concatenate([[column[system]], better])
    top = better[-1] + (better[-1] - column[system])
    between = (better + np.append(better[1:], top)) / 2
    below_first = (steps[0] + steps[1]) / 2
    others = np.unique(column[~np.isnan(column)])
    # Between its own score and the next better one it overtakes only those level with it.
    level = np.count_nonzero(column == column[system]) > 1
    result = np.concatenate([[below_first] if level else [], better, between])
    return [float(score) for score in result if np.isfinite(score) or score in others]


@register_axiom("the table itself", "Condorcet 1785")
def majority(trial: AxiomSearch) -> Iterator[str]:
    """A system that is best on tasks of more than half the weight is the only winner."""
    table = trial.table
    total = table.weights.sum()
    for system, label in enumerate(table.systems):
        # A task on which another system has no score (NaN) has no best one that is known.
        others = np.delete(table.scores, system, axis=0).max(axis=0, initial=-np.inf)
        weight = table.weights[table.scores[system] > others].sum()
        if weight > total / 2:
            trial.n_examined += 1
            if trial.original_outcome.winners != (label,):
                yield (
                    f"{label!r} is best on tasks of weight {weight:g} of {total:g}, "
                    f"but {trial.original_outcome.winners_text}."
                )


@register_axiom("the table itself", "Condorcet 1785")
def condorcet_winner(trial: AxiomSearch) -> Iterator[str]:
    """A system that beats every other pair by pair is the only winner."""
    for system, label in enumerate(trial.table.systems):
        if (_margins_over_others(trial, system) > 0).all():
            trial.n_examined += 1
            if trial.original_outcome.winners != (label,):
                yield f"{label!r} beats every other, but {trial.original_outcome.winners_text}."


@register_axiom("the table itself", "Fishburn 1977")
def condorcet_loser(trial: AxiomSearch) -> Iterator[str]:
    """A system that loses to every other pair by pair never wins."""
    for system, label in enumerate(trial.table.systems):
        margins = _margins_over_others(trial, system)
        if len(margins) and (margins < 0).all():
            trial.n_examined += 1
            if label in trial.original_outcome.winners:
                yield f"{label!r} loses to every other, but {trial.original_outcome.winners_text}."


def _margins_over_others(trial: AxiomSearch, system: int) -> Floats:
    """Return a system's margins over the others."""
    return np.delete(count_pairs(trial.board.profile()).margins[system], system)


@register_axiom("all sets of systems taken off the board", "Arrow 1951")
def independence_of_irrelevant_alternatives(trial: AxiomSearch) -> Iterator[str]:
    """Other systems on the board don't change the order of two systems."""
    table, before = trial.table, trial.original_outcome
    n = len(table.systems)
    subsets = (
        selected
        for size in range(n - 1, 1, -1)
        for selected in itertools.combinations(range(n), size)
    )

    def drawn() -> tuple[int, ...]:
        size = int(trial.rng.integers(2, n))
        return tuple(sorted(trial.rng.permutation(n)[:size].tolist()))

    some = trial.sample_cases(subsets, 2**n - n - 2, drawn)
    for selected, after in trial.iter_outcomes(some, table.select_systems):
        left = [table.systems[position] for position in selected]
        gone = [system for system in table.systems if system not in left]
        for a, b in itertools.combinations(left, 2):
            was, now = (
                _relation_word(outcome.ranks[a], outcome.ranks[b]) for outcome in (before, after)
            )
            if was != now:
                yield f"{a!r} is {was} {b!r}; without {format_labels(gone)} it is {now} it."


def _relation_word(rank: int, other: int) -> str:
    return "above" if rank < other else "below" if rank > other else "level with"


@register_axiom(
    "one clone in every way, two clones in some; never all numbers of clones", "Tideman 1987"
)
def independence_of_clones(trial: AxiomSearch) -> Iterator[str]:
    """Clones of a system, next to it on every task, neither win nor lose for the others."""
    table, before = trial.table, set(trial.original_outcome.winners)
    n, m = len(table.systems), len(table.tasks)
    # Any number of clones could be added: one and two are.
    trial.exhaustive = False
    # Not a product with these iterators: it makes all of both before the first pair.
    first = (
        (system, np.array([steps]))
        for system in range(n)
        for steps in itertools.product((-1, 1, 0), repeat=m)
    )

    def drawn(n_clones: int) -> tuple[int, NDArray[np.int_]]:
        steps = trial.rng.integers(-n_clones, n_clones + 1, size=(n_clones, m))
        return int(trial.rng.integers(n)), steps

    two = (drawn(2) for _ in range(trial.n_draws))
    few = trial.sample_cases(first, n * 3**m, lambda: drawn(1))
    cases = itertools.chain(few, two)
    for (system, _), after in trial.iter_outcomes(cases, lambda case: with_clones(table, *case)):
        original, winners = table.systems[system], set(after.winners)
        new = [each for each in after.ranking.index if each not in table.systems]
        others = set(table.systems) - {original}
        if others & before != others & winners or (
            (original in before) != bool({original, *new} & winners)
        ):
            clones = f"{len(new)} clone{'s' if len(new) > 1 else ''} of {original!r}"
            yield (
                f"{trial.original_outcome.winners_text}; with {clones} added, {after.winners_text}."
            )


def with_clones(table: EditableTable, system: int, steps: NDArray[np.int_]) -> EditableTable:
    """Add clones of a system, small steps above it (or below) on each task."""
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
        systems = (*systems, make_unused_label(table.systems[system], systems, "clone"))
    return replace(table, scores=np.vstack([scores, clones]), systems=systems)


@register_axiom(
    "each task taken away; every strict order of the systems added, at one to three mean weights",
    "Moulin 1988",
)
def participation(trial: AxiomSearch) -> Iterator[str]:
    """A task doesn't help those that it puts below the winners without it."""
    table, before = trial.table, trial.original_outcome
    m = len(table.tasks)

    def drop_task(task: int) -> EditableTable:
        return table.select_tasks([t for t in range(m) if t != task])

    for task, after in trial.iter_outcomes(range(m if m > 1 else 0), drop_task):
        if _ballot_prefers(table, table.scores[:, task], after.winners, before.winners):
            yield (
                f"{before.winners_text}; without {table.tasks[task]!r}, which puts "
                f"{format_labels(after.winners)} above {format_labels(before.winners)}, "
                f"{after.winners_text}."
            )
    levels = _new_task_scores(table)
    # Several voters of one mind are one task of several times the weight.
    cases = _pair_with_orders(trial, _TIMES)

    def add_voters(case: tuple[int, tuple[int, ...]]) -> EditableTable:
        times, order = case
        return replace(
            table,
            scores=np.column_stack([table.scores, levels[list(order)]]),
            tasks=(*table.tasks, new_task_label(table.tasks)),
            weights=np.append(table.weights, times * table.weights.mean()),
            is_lower_better=np.append(table.is_lower_better, table.is_lower_better.all()),
        )

    for (times, order), after in trial.iter_outcomes(cases, add_voters):
        ballot = levels[list(order)]
        if _ballot_prefers(table, ballot, before.winners, after.winners):
            more = "one more task" if times == 1 else f"one more task, counted {times} times"
            ranked = [table.systems[system] for system in np.argsort(-ballot)]
            yield (
                f"{before.winners_text}; with {more}, which ranks {format_labels(ranked)} in this "
                f"order and so {format_labels(before.winners)} above "
                f"{format_labels(after.winners)}, {after.winners_text}."
            )


@register_axiom("all ways to split the tasks in two", "Smith 1973; Young 1975")
def reinforcement(trial: AxiomSearch) -> Iterator[str]:
    """Systems that win on both of two parts of the tasks, and no others, win on all tasks."""
    table, m = trial.table, len(trial.table.tasks)
    # The first task is always in the other part: each split comes once.
    subsets = itertools.chain.from_iterable(
        itertools.combinations(range(1, m), size) for size in range(1, m)
    )

    def drawn() -> tuple[int, ...]:
        size = int(trial.rng.integers(1, m))
        return tuple(sorted((1 + trial.rng.permutation(m - 1)[:size]).tolist()))

    splits = trial.sample_cases(subsets, 2 ** (m - 1) - 1, drawn)
    for part, outcome in trial.iter_outcomes(splits, table.select_tasks):
        rest = table.select_tasks([task for task in range(m) if task not in part])
        other = trial.try_rule(rest.leaderboard)
        common = [] if other is None else [w for w in outcome.winners if w in other.winners]
        if common and set(common) != set(trial.original_outcome.winners):
            yield (
                f"Both {format_labels(table.select_tasks(part).tasks)} and the other tasks elect "
                f"{format_labels(common)}; on all together, {trial.original_outcome.winners_text}."
            )


def _pair_with_orders(
    trial: AxiomSearch, cases: Sequence[int]
) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each of these with every strict order of the systems, or with as many as are drawn."""
    n = len(trial.table.systems)
    return trial.sample_cases(
        ((item, order) for item in cases for order in itertools.permutations(range(n))),
        len(cases) * math.factorial(n),
        lambda: (int(trial.rng.choice(cases)), tuple(trial.rng.permutation(n).tolist())),
    )


def _new_task_scores(table: EditableTable) -> Floats:
    """Return scores for a new strict order of the systems, within the range of the table's own."""
    finite = table.scores[np.isfinite(table.scores)]
    low, high = finite.min(initial=np.inf), finite.max(initial=-np.inf)
    if not low < high:
        low, high = 0.0, 1.0
    return np.linspace(low, high, len(table.systems), dtype=np.float64)


@register_axiom(
    "every strict order of the systems in the place of each task's own",
    "Gibbard 1973; Satterthwaite 1975",
)
def strategy_proofness(trial: AxiomSearch) -> Iterator[str]:
    """No task gains by stating another order: winners all at or above those of before."""
    table, before = trial.table, trial.original_outcome
    m = len(table.tasks)
    levels = _new_task_scores(table)
    cases = _pair_with_orders(trial, range(m))

    def misstate(case: tuple[int, tuple[int, ...]]) -> EditableTable:
        task, order = case
        scores = table.scores.copy()
        scores[:, task] = np.where(np.isnan(scores[:, task]), np.nan, levels[list(order)])
        return replace(table, scores=scores)

    for (task, order), after in trial.iter_outcomes(cases, misstate):
        leads = _score_differences(table, table.scores[:, task], after.winners, before.winners)
        if all(lead >= 0 for lead in leads) and any(lead > 0 for lead in leads):
            ranked = np.argsort(-levels[list(order)])
            stated = " > ".join(repr(table.systems[system]) for system in ranked)
            yield (
                f"{before.winners_text}; if {table.tasks[task]!r} states {stated}, which is not "
                f"its order, {after.winners_text}, and it prefers that."
            )


def _ballot_prefers(
    table: EditableTable, ballot: Floats, candidates: Sequence[Label], others: Sequence[Label]
) -> bool:
    """Return whether a ballot puts each of these strictly above each of the others."""
    leads = _score_differences(table, ballot, candidates, others)
    return bool(leads) and all(lead > 0 for lead in leads)


def _score_differences(
    table: EditableTable, ballot: Floats, systems: Sequence[Label], others: Sequence[Label]
) -> list[float]:
    """List by how much a ballot puts each of these above each of the others."""
    score = dict(zip(table.systems, ballot.tolist(), strict=True))
    return [score[item] - score[other] for item in systems for other in others]


def new_task_label(tasks: Sequence[Label]) -> Label:
    """Return the label of one more task, in no group of the others."""
    label: Label = "added task"
    if isinstance(tasks[-1], tuple):
        label = (label,) * len(tasks[-1])
    return make_unused_label(label, tasks, "new") if label in tasks else label


@register_axiom("the table turned round", "Saari 1994")
def reversal_symmetry(trial: AxiomSearch) -> Iterator[str]:
    """A system that wins alone doesn't win when every task is reversed."""
    table, winners = trial.table, trial.original_outcome.winners
    if len(table.systems) < 2 or len(winners) != 1:
        return
    # Mirrored in the middle of its range: a task keeps its lowest and its highest score.
    finite = np.where(np.isfinite(table.scores), table.scores, np.nan)
    scored = ~np.isnan(finite).all(axis=0)
    middle = np.zeros(len(table.tasks))
    middle[scored] = np.nanmin(finite[:, scored], axis=0) + np.nanmax(finite[:, scored], axis=0)
    turned = replace(table, scores=middle - table.scores)
    for _, after in trial.iter_outcomes([turned], lambda table: table):
        if winners[0] in after.winners:
            yield f"{winners[0]!r} wins alone; with every task turned round, {after.winners_text}."


@register_axiom(
    "every task there twice, and three times; never all numbers of copies", "Smith 1973"
)
def homogeneity(trial: AxiomSearch) -> Iterator[str]:
    """To copy every task equally often changes no rank."""
    table, before = trial.table, trial.original_outcome
    # Any number of copies could be made: two and three are.
    trial.exhaustive = False

    def copy_tasks(copies: int) -> EditableTable:
        repeated = table.select_tasks([*range(len(table.tasks))] * copies)
        tasks = table.tasks
        for task in repeated.tasks[len(tasks) :]:
            tasks = (*tasks, make_unused_label(task, tasks, "copy"))
        return replace(repeated, tasks=tasks)

    for copies, after in trial.iter_outcomes((2, 3), copy_tasks):
        yield from _iter_rank_changes(table, before, after, f"With every task there {copies} times")
