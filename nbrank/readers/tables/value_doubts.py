"""Doubts about directions raised by the values of tasks, and by those of the other columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import roles_call
from nbrank.readers.tables.task_directions import TaskDirection, is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.data_warnings import row_means_and_sums
from nbrank.votes.table.direction_names import HIGHER_METRICS, direction_hint
from nbrank.votes.table.name_heuristics import make_word_set, split_words
from nbrank.votes.table.name_hints import is_benchmark_name

#: Maximum number of tasks among which the parts of an error are looked for.
_MAX_PARTS = 12
#: Minimum numbers of systems, and of other tasks, for doubts raised by values.
_MIN_SYSTEMS, _MIN_OTHERS = 8, 4
#: Ratio of the medians of tasks from which they are on different scales.
_OTHER_SCALE = 3
#: Maximum rank correlation with the other tasks that raises a doubt.
_REVERSED = -0.8
#: Words of whole numbers that are scores, and of others that count what was judged.
_RATED = HIGHER_METRICS | make_word_set("elo arena rating score points index")
_COUNTED = make_word_set(
    "gp matches games questions images appearances attempts played views scenes "
    "hypotheses keypoints ties draws"
)
_NUMBER_OF = make_word_set("n num number of total")
#: Maximum rank correlation with errors, turned, at which a task seems to be another error.
FALLS = -0.5
#: Names of losses, and of the wins that stand next to them.
_WINS_BESIDE = {"l": "w", "ga": "gf", "lost": "won", "against": "for", "conceded": "scored"}
#: Words of resources, which are often the worse the better the errors are.
_RESOURCES = make_word_set("latency latencies runtime runtimes time times rtf energy")
#: Words of differences that do not say which way the subtracted column points.
_GAPS = make_word_set("gap gaps gain gains drop drops delta improvement change")
#: Rank correlation of scores with ranks from which these contradict the direction.
AGAINST = 0.9

Directions = Mapping[Any, TaskDirection]
#: Type of doubts: a task, and what speaks against its direction, with the call that settles it.
Doubts = Iterator[tuple[Any, str, str]]
#: Type of functions that find doubts in the scores, and in what else a table holds.
DoubtLook = Callable[[Directions, pd.DataFrame, ScoresWithErrors], Doubts]


def write_lower_call(tasks: Sequence[Any], directions: Directions) -> str:
    """Write the call that reads tasks so that lower is better."""
    return "lower_is_better=True" if len(tasks) == len(directions) else (
        roles_call(dict.fromkeys(tasks, "lower"))
    )  # fmt: skip


def write_turn_call(task: Any, item: TaskDirection) -> str:
    """Write the call that turns the direction of a task."""
    return roles_call({task: "higher" if item.direction == "lower" else "lower"})


def undecided_tasks(directions: Directions) -> list[Any]:
    """List the tasks without a stated direction or a name that decides."""
    return [task for task, item in directions.items() if item.why == "" and not item.doubt]


def average_columns(result: ScoresWithErrors) -> list[Any]:
    """List the columns that are averages of others."""
    return [item.column for item in result.columns if item.role == "average"]


def _doubt_by_values(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt the tasks whose order of systems is nearly the reverse of that of all others."""
    if len(scores) < _MIN_SYSTEMS or len(directions) <= _MIN_OTHERS:
        return
    signs = [-1.0 if item.direction == "lower" else 1.0 for item in directions.values()]
    table = pd.DataFrame(scores.to_numpy(dtype=float) * np.array(signs))
    alike = table.corr("spearman", min_periods=_MIN_SYSTEMS)
    for at, (task, item) in enumerate(directions.items()):
        seen = alike[at].drop(at).dropna()
        if len(seen) < _MIN_OTHERS or item.why == "you":
            continue
        if np.median(seen) <= _REVERSED and (seen < 0).mean() >= 0.9:
            yield (
                task,
                "its order is nearly the reverse of the others'",
                write_turn_call(task, item),
            )


def _doubt_losses(directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt tasks that stand for losses next to wins, or that a difference subtracts."""
    names = {tuple(split_words(task)) for task in directions}
    gaps = [
        parse_column(cells).values
        for name, cells in result.described(scores).items()
        if any(item.column == name and "difference" in item.why for item in result.columns)
        and not {*split_words(name)} & _GAPS
    ]
    table = dict(zip(directions, scores.to_numpy(dtype=float).T, strict=True))
    for task in undecided_tasks(directions):
        words = tuple(split_words(task))
        wins = tuple(_WINS_BESIDE.get(word, word) for word in words)
        # Two measurements of the same agree; what is gained and what is lost do not.
        left = [gain - table[task] for gain in (table.values() if gaps else ())
                if np.ptp(gain) * np.ptp(table[task])
                and np.corrcoef(gain, table[task])[0, 1] < 0]  # fmt: skip
        if wins != words and wins in names:
            yield task, "it may count losses", roles_call({task: "lower"})
        elif any(np.allclose(gap, both) for gap in gaps for both in left):
            yield task, "a difference in the file subtracts it", roles_call({task: "lower"})


def _doubt_totals(directions: Directions, *_: Any) -> Doubts:
    """Doubt tasks that are only called points or score, among others: they may be a total."""
    for task in undecided_tasks(directions) if len(directions) > 3 else ():
        if str(task).strip().lower() in ("points", "pts", "score", "total points"):
            yield task, "it may be a total of the others", roles_call({task: "average"})


def _doubt_among_errors(directions: Directions, scores: pd.DataFrame, _: Any) -> Doubts:
    """Doubt tasks of unknown names whose scores are the worse the lower the errors are."""
    at = {task: place for place, task in enumerate(directions)}
    errors = [at[task] for task, item in directions.items() if item.why.startswith("its name, ")
              and not _RESOURCES & {*split_words(task)}]  # fmt: skip
    tasks = [task for task in undecided_tasks(directions) if not is_known_metric(task)]
    if not errors or len(scores) < 3 or not tasks:
        return
    # A single error must agree almost entirely.
    limit, least = (FALLS, 3) if len(errors) > 1 else (-AGAINST, 6)
    alike = scores.set_axis(range(len(at)), axis=1).corr("spearman", min_periods=least).to_numpy()
    short = [str([*at][place]) for place in errors]
    for task in tasks:
        if near := [name for name in short if _are_short_names_alike(str(task), name)]:
            yield task, f"its name is nearly {near[0]!r}", write_lower_call([task], directions)
        elif (-alike[at[task], errors] <= limit).all():
            names = format_labels([[*at][place] for place in errors], 2)
            yield task, f"it falls as the errors {names} do", write_lower_call([task], directions)


def _are_short_names_alike(name: str, other: str) -> bool:
    """Return whether two names in capitals differ in one letter, as JER and DER do."""
    differ = sum(one != two for one, two in zip(name, other, strict=False))
    return name.isupper() and len(name) == len(other) > 2 and differ == 1 and name != "NER"


def _doubt_constants(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks on which all systems have the same score, if others tell them apart."""
    same = (scores.nunique() <= 1).to_numpy() & (scores.notna().sum() > 2).to_numpy()
    for at, (task, item) in enumerate(directions.items()):
        if same[at] and not same.all() and item.why != "you":
            yield task, "it is the same for all", roles_call({task: "description"})


def _doubt_flags(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks of 0 and 1 among others with fractions: yes and no may describe a system."""
    values = scores.to_numpy(dtype=float)
    has_fractions = (np.nan_to_num(values) % 1 != 0).any()
    for at, (task, item) in enumerate(directions.items()):
        is_flag = set(values[~np.isnan(values[:, at]), at]) == {0.0, 1.0}
        if is_flag and len(values) > 3 and has_fractions and item.why != "you":
            yield task, "it holds only 0 and 1", roles_call({task: "description"})


def _doubt_hits(directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt a task that counts something out of a number that differs between systems."""
    whole = [at for at, task in enumerate(directions) if task in undecided_tasks(directions)
             and (scores.iloc[:, at] % 1 == 0).all()]  # fmt: skip
    for name, cells in result.described(scores).items():
        of = parse_column(cells).values
        counts = {*split_words(name)} <= _COUNTED | _NUMBER_OF and not np.isnan(of).any()
        hits = [at for at in whole if (scores.iloc[:, at].to_numpy(dtype=float) <= of).all()]
        # Several tasks may add up to their total.
        if counts and len(hits) == 1 and np.ptp(of) > 0:
            task = [*directions][hits[0]]
            call = roles_call({task: "description"})
            yield task, f"it counts some of {str(name)!r}, which differs", call


def _doubt_parts(directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt the tasks that add up to an error: a sum points where its parts do."""
    parts = {task: scores.iloc[:, at].to_numpy(dtype=float) for at, task in enumerate(directions)
             if task in undecided_tasks(directions)}  # fmt: skip
    totals = {task: scores.iloc[:, at] for at, task in enumerate(directions)
              if directions[task].direction == "lower"}  # fmt: skip
    totals |= {
        name: cells
        for name, cells in result.described(scores).items()
        if (hint := direction_hint(name)) and hint.sure and hint.direction == "lower"
    }
    if not 2 <= len(parts) <= _MAX_PARTS or len(scores) < 3:
        return
    for name, cells in totals.items():
        parsed = parse_column(cells)
        step = 1.01 * Column(name, cells, parsed).step
        for number in range(2, 5):
            for some in combinations(parts, number):
                table = np.array([parts[task] for task in some])
                # A part that is always 0 adds nothing.
                if (np.abs(table.sum(axis=0) - parsed.values) <= step).all() and table.any(1).all():
                    for task in some:
                        yield (
                            task,
                            f"it is a part of {str(name)!r}",
                            write_lower_call([*some], directions),
                        )


def _doubt_summaries(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt a task that is the mean or the sum of all others."""
    table = scores.to_numpy(dtype=float)
    are_places = not (table % 1).any() and table.max() <= 20
    if min(table.shape) < 3 or np.isnan(table).any() or are_places:
        return
    tasks = [*directions]
    steps = [Column(task, scores.iloc[:, at], parse_column(scores.iloc[:, at])).step
             for at, task in enumerate(tasks)]  # fmt: skip
    for what, others in row_means_and_sums(table).items():
        near = (np.abs(others - table) <= 0.51 * np.array(steps)).all(axis=0)
        for at in np.flatnonzero(near & (np.ptp(table, axis=0) > 0))[-1:]:
            item = directions[tasks[at]]
            is_error = item.direction == "lower" and item.why and what == "the sum"
            if item.why != "you" and table.shape[1] > 3 and not is_error:
                yield tasks[at], f"it is {what} of the others", roles_call({tasks[at]: "average"})


def _doubt_nines(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks with 999 or the like in a cell, far from all other scores: it may be missing."""
    for at, (task, item) in enumerate(directions.items()):
        values = np.sort(scores.iloc[:, at].dropna().to_numpy(dtype=float))
        is_far = len(values) > 2 and values[-2] < values[-1] / 9 and item.why != "you"
        if is_far and values[-1] in (999, 9999, 99999):
            mark = str(int(values[-1]))
            yield task, f"{mark} may mark a missing score", f"na={mark!r}"


def doubt_counts(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks of whole numbers that are called counts, are large, or stand among fractions."""
    table = scores.to_numpy(dtype=float)
    filled = np.where(np.isnan(table), 0.0, table)
    sizes, whole = np.abs(filled).max(axis=0), np.asarray((filled % 1 == 0).all(axis=0))
    undecided = undecided_tasks(directions)
    for at, task in enumerate(directions):
        words = {*split_words(task)}
        same = np.ptp(filled[:, at], axis=0) == 0
        few = 2 * np.isnan(table[:, at]).sum() > len(table)
        if task not in undecided or not whole[at] or same or few or words & _RATED:
            continue
        large = len(table) > 2 and sizes[at] >= 1000 and (sizes <= 100).mean() >= 0.5
        alone = whole.sum() == 1 and len(whole) > 3 and sizes[at] > 100
        among_shares = ((sizes <= 1) & ~whole).sum() > 2 and sizes[at] > 10
        alone |= among_shares and not is_benchmark_name(task)
        counts = words & _COUNTED and words <= _COUNTED | _NUMBER_OF
        fractions = table[:, ~whole]
        if (
            table.shape[0] > 3
            and 2 * fractions.shape[1] >= len(whole)
            and not is_known_metric(task)
        ):
            # Scores on the same scale may be whole, too.
            low, high = np.nanmin(fractions), np.nanmax(fractions)
            top = next(end for end in (1, 10, 100, np.inf) if high <= end)
            is_alike = np.floor(low) <= np.nanmin(table[:, at]) and sizes[at] <= top
            is_alike &= 10 * np.nanmedian(table[:, at]) >= np.nanmedian(fractions)
            is_alike &= not np.array_equal(np.sort(table[:, at]), np.arange(1, len(table) + 1))
            alone |= not is_alike
        if (large or alone or counts) and "/" not in str(task):
            yield task, "its whole numbers may count something", roles_call({task: "description"})


def doubt_unknown(directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt all tasks if nothing speaks for scores, and their scales differ as errors' do."""
    tasks = [task for task in undecided_tasks(directions) if not is_known_metric(task)
             and not is_benchmark_name(task) and "/" not in str(task)]  # fmt: skip
    table = scores.to_numpy(dtype=float)
    are_counts = 2 * (np.nan_to_num(table) % 1).any(axis=0).sum() < len(tasks)
    few = len(tasks) < max(len(directions), 3) or len(scores) < 3
    if few or are_counts or np.nanmin(table) <= 0 or average_columns(result):
        return
    highest, middle = np.nanmax(table, axis=0), np.nanmedian(table, axis=0)
    are_shares = (highest <= 1) | ((highest <= 100) & (middle >= 10))
    if are_shares.mean() <= 0.3 and middle.max() >= _OTHER_SCALE * middle.min():
        for task in tasks:
            fact = "nothing says that higher is better, and scales differ, as those of errors do"
            yield task, fact, "lower_is_better=True"


#: Looks at values, in this order; the doubts by counts and scales come after all others.
VALUE_DOUBTS: tuple[DoubtLook, ...] = (
    _doubt_by_values, _doubt_losses, _doubt_totals, _doubt_among_errors, _doubt_constants,
    _doubt_flags, _doubt_hits, _doubt_parts, _doubt_summaries, _doubt_nines,
)  # fmt: skip
