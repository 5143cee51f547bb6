"""Doubts about directions raised by the values of tasks, and by those of the other columns."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column, count_decimals, last_digit
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import roles_call
from nbrank.readers.tables.task_directions import TaskDirection, is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.data_warnings import row_means_and_sums
from nbrank.votes.table.direction_names import HIGHER_METRICS, direction_hint
from nbrank.votes.table.name_heuristics import is_benchmark_name, make_word_set, split_words
from nbrank.votes.table.reading import Direction

#: Maximum number of tasks among which the parts of an error are looked for.
_MAX_PARTS = 12
#: Minimum numbers of systems, and of other tasks, for doubts raised by values.
_MIN_SYSTEMS, _MIN_OTHERS = 8, 4
#: Minimum number of systems for a doubt by round or coarse numbers.
_MIN_FOR_SETTINGS = 4
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
_FALLS = -0.5
#: Names of losses, and of the wins that stand next to them.
_WINS_BESIDE = {"l": "w", "ga": "gf", "lost": "won", "against": "for", "conceded": "scored"}
#: Words of resources, which are often the worse the better the errors are.
_RESOURCES = make_word_set("latency latencies runtime runtimes time times rtf energy")
#: Words of differences that do not say which way the subtracted column points.
_GAPS = make_word_set("gap gaps gain gains drop drops delta improvement change")
#: Rank correlation of scores with ranks from which these contradict the direction.
_AGAINST = 0.9

#: Type of doubts: a task, and what speaks against its direction, with the call that settles it.
Doubts = Iterator[tuple[Any, str, str]]


@dataclass(frozen=True)
class DoubtedTable:
    """Scores with the directions of their tasks, and what else the file holds."""

    directions: Mapping[Any, TaskDirection]
    systems: pd.Index
    #: Scores, systems x tasks.
    scores: Floats
    #: Columns that are set aside, with a cell for each system.
    described: Mapping[Any, Column]
    result: ScoresWithErrors

    @classmethod
    def from_scores(
        cls,
        directions: Mapping[Any, TaskDirection],
        scores: pd.DataFrame,
        result: ScoresWithErrors,
    ) -> DoubtedTable:
        """Collect what is known of the systems of a table of scores."""
        described = {name: Column(name, cells, parse_column(cells))
                     for name, cells in result.described(scores).items()}  # fmt: skip
        values = scores.to_numpy(dtype=float)
        return cls(directions, scores.index, values, described, result)

    @property
    def undecided(self) -> list[Any]:
        """The tasks without a stated direction, a name that decides, or a doubt."""
        return [task for task, item in self.directions.items() if not (item.why or item.doubt)]

    @property
    def unknown(self) -> list[Any]:
        """Those of the undecided tasks that are not called a metric."""
        return [task for task in self.undecided if not is_known_metric(task)]

    @property
    def open_tasks(self) -> Iterator[tuple[Any, TaskDirection, Floats]]:
        """The tasks whose direction you did not give, with their scores."""
        for (task, item), values in zip(self.directions.items(), self.scores.T, strict=True):
            if item.why != "you":
                yield task, item, values

    @property
    def averages(self) -> list[Any]:
        """The columns that are averages of others."""
        return [item.column for item in self.result.columns if item.role == "average"]

    def select(self, tasks: Sequence[Any]) -> dict[Any, Floats]:
        """Return the scores of some tasks."""
        every = zip(self.directions, self.scores.T, strict=True)
        return {task: values for task, values in every if task in tasks}

    def correlate(self, min_shared: int) -> Floats:
        """Compute the rank correlations of all tasks that share enough systems."""
        return pd.DataFrame(self.scores).corr("spearman", min_periods=min_shared).to_numpy()

    def write_lower_call(self, tasks: Sequence[Any]) -> str:
        """Write the call that reads tasks so that lower is better."""
        return write_direction_call(tasks, "lower", self.directions)

    def write_turn_call(self, task: Any) -> str:
        """Write the call that turns the direction of a task."""
        is_lower = self.directions[task].direction == "lower"
        return roles_call({task: "higher" if is_lower else "lower"})


def write_direction_call(tasks: Sequence[Any], way: Direction, all_tasks: Collection[Any]) -> str:
    """Write the call that gives tasks, some or all of a table's, a direction."""
    if len(tasks) == len(all_tasks) > 1:
        return f"lower_is_better={way == 'lower'}"
    return roles_call(dict.fromkeys(tasks, way))


def _doubt_by_values(table: DoubtedTable) -> Doubts:
    """Doubt the tasks whose order of systems is nearly the reverse of that of all others."""
    n_systems, n_tasks = table.scores.shape
    if n_systems < _MIN_SYSTEMS or n_tasks <= _MIN_OTHERS:
        return
    signs = [-1.0 if item.direction == "lower" else 1.0 for item in table.directions.values()]
    alike = table.correlate(_MIN_SYSTEMS) * np.outer(signs, signs)
    np.fill_diagonal(alike, np.nan)
    for (task, item), row in zip(table.directions.items(), alike, strict=True):
        seen = row[~np.isnan(row)]
        if len(seen) < _MIN_OTHERS or item.why == "you":
            continue
        if np.median(seen) <= _REVERSED and (seen < 0).mean() >= 0.9:
            yield (
                task,
                "its order is nearly the reverse of the others'",
                table.write_turn_call(task),
            )


def _doubt_losses(table: DoubtedTable) -> Doubts:
    """Doubt tasks that stand for losses next to wins, or that a difference subtracts."""
    names = {tuple(split_words(task)) for task in table.directions}
    differences = [item.column for item in table.result.columns if "difference" in item.why]
    gaps = [column.values for name, column in table.described.items()
            if name in differences and not {*column.words} & _GAPS]  # fmt: skip
    gains = table.scores.T if gaps else ()
    for task, lost in table.select(table.undecided).items():
        words = tuple(split_words(task))
        wins = tuple(_WINS_BESIDE.get(word, word) for word in words)
        # Two measurements of the same agree; what is gained and what is lost do not.
        left = [gain - lost for gain in gains
                if np.ptp(gain) * np.ptp(lost) and np.corrcoef(gain, lost)[0, 1] < 0]  # fmt: skip
        if wins != words and wins in names:
            yield task, "it may count losses", roles_call({task: "lower"})
        elif any(np.allclose(gap, both) for gap in gaps for both in left):
            yield task, "a difference in the file subtracts it", roles_call({task: "lower"})


def _doubt_reciprocals(table: DoubtedTable) -> Doubts:
    """Doubt tasks whose reciprocal is set aside, unless that is better the lower by its name."""
    for item in table.result.columns:
        both_point_up = "a multiple of 1 / " in item.why and direction_hint(item.column) is None
        for task in table.unknown if both_point_up else ():
            if item.why.endswith(repr(task)):
                fact = f"{str(item.column)!r} is its reciprocal, and lower is better on one of them"
                yield task, fact, roles_call({task: "lower"})


def _doubt_grades(table: DoubtedTable) -> Doubts:
    """Doubt tasks that hold grades in thirds from 1, the best, to 5 or 6."""
    known = table.scores[~np.isnan(table.scores)]
    are_thirds = {*np.round(10 * (known % 1)).astype(int).tolist()} == {0, 3, 7}
    if are_thirds and known.min() >= 1 and known.max() <= 6 and len(known) > 5:
        for task in table.undecided:
            fact = "it may hold grades, where 1 is best"
            yield task, fact, table.write_lower_call(table.undecided)


def _doubt_totals(table: DoubtedTable) -> Doubts:
    """Doubt tasks that are only called points or score, among others: they may be a total."""
    is_league = any({*split_words(task)} & {*_WINS_BESIDE.values()} for task in table.directions)
    for task in table.undecided if len(table.directions) > 3 and not is_league else ():
        if str(task).strip().lower() in ("points", "pts", "score", "total points"):
            yield task, "it may be a total of the others", roles_call({task: "average"})


def _doubt_among_errors(table: DoubtedTable) -> Doubts:
    """Doubt tasks of unknown names whose scores are the worse the lower the errors are."""
    at = {task: place for place, task in enumerate(table.directions)}
    errors = {task: at[task] for task, item in table.directions.items()
              if item.why.startswith("its name, ")
              and not _RESOURCES & {*split_words(task)}}  # fmt: skip
    tasks = table.unknown
    if not errors or len(table.scores) < 3 or not tasks:
        return
    # A single error must agree almost entirely.
    limit, least = (_FALLS, 3) if len(errors) > 1 else (-_AGAINST, 6)
    alike = table.correlate(least)
    for task in tasks:
        if near := [name for name in map(str, errors) if _are_short_names_alike(str(task), name)]:
            yield task, f"its name is nearly {near[0]!r}", table.write_lower_call([task])
        elif (-alike[at[task], [*errors.values()]] <= limit).all():
            names = format_labels([*errors], 2)
            yield task, f"it falls as the errors {names} do", table.write_lower_call([task])


def _are_short_names_alike(name: str, other: str) -> bool:
    """Return whether two names in capitals differ in one letter, as JER and DER do."""
    differ = sum(one != two for one, two in zip(name, other, strict=False))
    return name.isupper() and len(name) == len(other) > 2 and differ == 1 and name != "NER"


def _doubt_constants(table: DoubtedTable) -> Doubts:
    """Doubt tasks of unknown names with the same score for all, if others tell systems apart."""
    same = {task for task, _, values in table.open_tasks
            if len(known := values[~np.isnan(values)]) > 2 and not np.ptp(known)}  # fmt: skip
    for task in table.unknown if len(same) < len(table.directions) else ():
        if task in same:
            yield task, "it is the same for all", roles_call({task: "description"})


def _doubt_flags(table: DoubtedTable) -> Doubts:
    """Doubt tasks of 0 and 1 among others with fractions: yes and no may describe a system."""
    if len(table.scores) > 3 and (np.nan_to_num(table.scores) % 1 != 0).any():
        for task, _, values in table.open_tasks:
            if {*values[~np.isnan(values)]} == {0.0, 1.0}:
                yield task, "it holds only 0 and 1", roles_call({task: "description"})


def _doubt_hits(table: DoubtedTable) -> Doubts:
    """Doubt a task that counts something out of a number that differs between systems."""
    whole = {task: hits for task, hits in table.select(table.undecided).items()
             if (hits % 1 == 0).all()}  # fmt: skip
    for name, column in table.described.items():
        of = column.values
        if not {*column.words} <= _COUNTED | _NUMBER_OF or np.isnan(of).any() or not np.ptp(of):
            continue
        counted = [task for task, hits in whole.items() if (hits <= of).all()]
        # Several tasks may add up to their total.
        for task in counted if len(counted) == 1 else ():
            call = roles_call({task: "description"})
            yield task, f"it counts some of {str(name)!r}, which differs", call


def _doubt_parts(table: DoubtedTable) -> Doubts:
    """Doubt the tasks that add up to an error: a sum points where its parts do."""
    parts = table.select(table.undecided)
    if np.nanmax(np.abs(table.scores)) > 1e300:  # sums must be finite
        return
    if not 2 <= len(parts) <= _MAX_PARTS or len(table.scores) < 3:
        return
    lower = [task for task, item in table.directions.items() if item.direction == "lower"]
    totals = table.select(lower) | {
        name: column.values
        for name, column in table.described.items()
        if (hint := direction_hint(name)) and hint.sure and hint.direction == "lower"
    }
    for name, total in totals.items():
        step = 1.01 * last_digit(total[~np.isnan(total)])
        for number in range(2, 5):
            for some in combinations(parts, number):
                values = np.array([parts[task] for task in some])
                # A part that is always 0 adds nothing.
                if (np.abs(values.sum(axis=0) - total) <= step).all() and values.any(1).all():
                    for task in some:
                        yield task, f"it is a part of {str(name)!r}", table.write_lower_call(some)


def _doubt_summaries(table: DoubtedTable) -> Doubts:
    """Doubt a task that is the mean or the sum of all others."""
    scores = table.scores
    are_places = not (scores % 1).any() and scores.max() <= 20
    if len(scores) < 3 or scores.shape[1] < 4 or np.isnan(scores).any() or are_places:
        return
    steps = np.array([last_digit(values) for values in scores.T])
    for what, others in row_means_and_sums(scores).items():
        near = (np.abs(others - scores) <= 0.51 * steps).all(axis=0) & (np.ptp(scores, axis=0) > 0)
        for at in np.flatnonzero(near)[-1:]:
            task, item = [*table.directions.items()][at]
            is_error = item.direction == "lower" and item.why and what == "the sum"
            if item.why != "you" and not is_error:
                yield task, f"it is {what} of the others", roles_call({task: "average"})


def _doubt_nines(table: DoubtedTable) -> Doubts:
    """Doubt tasks with 999 or the like in a cell, far from all other scores: it may be missing."""
    for task, _, values in table.open_tasks:
        known = np.sort(values[~np.isnan(values)])
        if len(known) > 2 and known[-2] < known[-1] / 9 and known[-1] in (999, 9999, 99999):
            mark = str(int(known[-1]))
            yield task, f"{mark} may mark a missing score", f"na={mark!r}"


def _doubt_counts(table: DoubtedTable) -> Doubts:
    """Doubt tasks of whole numbers that are called counts, are large, or stand among fractions."""
    filled = np.nan_to_num(table.scores)
    sizes, whole = np.abs(filled).max(axis=0), np.asarray((filled % 1 == 0).all(axis=0))
    among_shares = ((sizes <= 1) & ~whole).sum() > 2
    is_only_whole = whole.sum() == 1 and len(whole) > 3
    n_systems = len(filled)
    fractions = table.scores[:, ~whole]
    have_fractions = 2 * fractions.shape[1] >= len(whole)
    for task, values in table.select(table.undecided).items():
        words, size = {*split_words(task)}, np.abs(np.nan_to_num(values)).max()
        same = np.ptp(np.nan_to_num(values)) == 0
        few = 2 * np.isnan(values).sum() > n_systems
        if (np.nan_to_num(values) % 1).any() or same or few or words & _RATED or "/" in str(task):
            continue
        if np.nanmin(values) < 0:  # as a count never is
            continue
        large = n_systems > 2 and size >= 1000 and (sizes <= 100).mean() >= 0.5
        alone = is_only_whole and size > 100
        alone |= among_shares and size > 10 and not is_benchmark_name(task)
        counts = words & _COUNTED and words <= _COUNTED | _NUMBER_OF
        if n_systems > 3 and fractions.size and not is_known_metric(task):
            are_places = np.array_equal(np.sort(values), np.arange(1, n_systems + 1))
            are_years = have_fractions and ((values >= 1950) & (values <= 2035)).all()
            is_off_scale = have_fractions and not _is_on_scale(values, fractions)
            alone |= are_places or are_years or is_off_scale
        if large or alone or counts:
            yield task, "whole numbers may count something", roles_call({task: "description"})


def _doubt_settings(table: DoubtedTable) -> Doubts:
    """Doubt tasks with the numbers of settings among those of measurements.

    They are round, have fewer digits than all others, or are the same in a family of systems.
    """
    scores = {task: values[~np.isnan(values)]
              for task, values in table.select([*table.directions]).items()}  # fmt: skip
    digits = {task: _usual_digit(known) for task, known in scores.items() if len(known)}
    sizes = {task: np.median(np.abs(scores[task])) for task in digits}
    measured = {task for task, digit in digits.items() if np.ptp(scores[task]) >= 50 * digit}
    relatives = _pair_families(table.systems)
    for task in table.undecided if len(table.systems) >= _MIN_FOR_SETTINGS else ():
        words = {*split_words(task)}
        others = measured - {task}
        of_other = any({*split_words(other)} < words for other in measured)
        is_known = (is_known_metric(task) and not of_other) or is_benchmark_name(task)
        if is_known or not np.ptp(scores[task]) or 2 * len(others) < len(scores) - 1 or not others:
            continue
        fact = ""
        if _are_round(scores[task]):
            fact = "its numbers are round, as those of settings"
        elif _are_coarse(
            scores[task],
            max(digits[other] for other in others),
            [sizes[other] for other in others],
        ):
            fact = "its numbers have fewer digits than the others, as those of settings"
        elif _are_in_families(task, table, relatives):
            fact = "it is the same within families of systems"
        if fact:
            yield task, fact, roles_call({task: "description"})


def _are_round(numbers: Floats) -> bool:
    """Return whether numbers on more than one scale are 1, 2 or 5 times a power of ten, or of 2."""
    if numbers.min() <= 0 or numbers.max() / 8 < numbers.min() or len(np.unique(numbers)) < 3:
        return False
    digits = np.round(numbers / 10 ** np.floor(np.log10(numbers)), 9)
    powers = np.log2(numbers)
    return bool(np.isin(digits, (1, 2, 5)).all() or np.array_equal(powers, np.rint(powers)))


def _are_coarse(known: Floats, step: float, sizes: Sequence[float]) -> bool:
    """Return whether numbers of the usual sizes have two decimals less than the largest step."""
    size = np.median(np.abs(known))
    is_alike = min(sizes) / 4 <= size and size / 4 <= max(sizes)
    own = last_digit(known)
    return bool(is_alike and own > 50 * step and np.ptp(known) < 40 * own)


def _usual_digit(known: Floats) -> float:
    """Return the unit of the last digit of most numbers."""
    return float(np.median(10.0 ** -count_decimals(known)))


def _pair_families(systems: pd.Index) -> list[tuple[int, int]]:
    """Pair each system with those whose names are its own and more words behind it."""
    names = [split_words(name) for name in systems]
    return [(at, other) for at, name in enumerate(names) for other, longer in enumerate(names)
            if at != other and longer[: len(name)] == name]  # fmt: skip


def _are_in_families(task: Any, table: DoubtedTable, relatives: Sequence[tuple[int, int]]) -> bool:
    """Return whether a task alone is the same for all relatives, and differs between others."""
    if len(relatives) < 3:
        return False
    one, other = np.array(relatives).T
    are_same = (table.scores[one] == table.scores[other]).mean(axis=0)
    at = [*table.directions].index(task)
    n_values = len(np.unique(table.scores[:, at]))
    return bool(are_same[at] == 1 and n_values > 2 and np.sort(are_same)[-2] < 0.5)


def _is_on_scale(whole_numbers: Floats, fractions: Floats) -> bool:
    """Return whether whole numbers are on the scale of other scores or per cents."""
    if np.nanmin(whole_numbers) >= 0 and 50 < np.nanmax(whole_numbers) <= 100:
        return True
    low, high = np.nanmin(fractions), np.nanmax(fractions)
    top = next(end for end in (1, 10, 100, np.inf) if high <= end)
    is_between = (
        np.floor(low) <= np.nanmin(whole_numbers) and np.nanmax(np.abs(whole_numbers)) <= top
    )
    return bool(is_between and 10 * np.nanmedian(whole_numbers) >= np.nanmedian(fractions))


def _doubt_unknown(table: DoubtedTable) -> Doubts:
    """Doubt all tasks if nothing speaks for scores, and their scales differ as errors' do."""
    scores = table.scores
    tasks = [task for task in table.unknown
             if not is_benchmark_name(task) and "/" not in str(task)]  # fmt: skip
    are_counts = 2 * (np.nan_to_num(scores) % 1).any(axis=0).sum() < len(tasks)
    few = len(tasks) < max(len(table.directions), 3) or len(scores) < 3
    if few or are_counts or np.nanmin(scores) <= 0 or table.averages:
        return
    highest, middle = np.nanmax(scores, axis=0), np.nanmedian(scores, axis=0)
    are_shares = (highest <= 1) | ((highest <= 100) & (middle >= 10))
    if are_shares.mean() <= 0.3 and middle.max() >= _OTHER_SCALE * middle.min():
        for task in tasks:
            fact = "nothing says that higher is better, and scales differ, as those of errors do"
            yield task, fact, "lower_is_better=True"


#: Looks at values, in this order.
VALUE_DOUBTS = (
    _doubt_by_values, _doubt_losses, _doubt_totals, _doubt_among_errors, _doubt_constants,
    _doubt_flags, _doubt_hits, _doubt_parts, _doubt_summaries, _doubt_nines,
    _doubt_reciprocals, _doubt_grades, _doubt_counts, _doubt_settings, _doubt_unknown,
)  # fmt: skip
