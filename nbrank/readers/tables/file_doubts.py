"""Doubts about directions raised by the rest of a file: its title, its ranks, its order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import SCORES, Column
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.readers.tables.task_directions import (
    TaskDirection,
    is_known_metric,
)
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.data_warnings import row_means_and_sums
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    direction_hint,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import SYSTEMS, is_named_like, make_word_set, split_words
from nbrank.votes.table.name_hints import is_benchmark_name

#: Minimum numbers of systems for a doubt by a column of ranks, and by the order of the rows.
_MIN_RANKED, _MIN_SORTED = 5, 8
#: Minimum numbers of systems, and of other tasks, for doubts raised by values.
_MIN_SYSTEMS, _MIN_OTHERS = 8, 4
#: Maximum rank correlation with the other tasks that raises a doubt.
_REVERSED = -0.8
#: Words of whole numbers that are scores, and of others that count what was judged.
_RATED = HIGHER_METRICS | make_word_set("elo arena rating score points index")
_COUNTED = make_word_set(
    "gp matches games questions images appearances attempts played views scenes "
    "hypotheses keypoints"
)
_NUMBER_OF = make_word_set("n num number of total")
#: Rank correlation of scores with ranks from which these contradict the direction.
_AGAINST = 0.9
#: Maximum rank correlation with errors, turned, at which a task seems to be another error.
_FALLS = -0.5
#: Units of cells where more is mostly better.
_UNITS_OF_GAINS = ("dB", "fps", "FPS", "pts", "pp", "Hz", "kHz", "MHz", "x", "×", "°", "kg", "km")
#: Names of losses, and of the wins that stand next to them.
_WINS_BESIDE = {"l": "w", "ga": "gf", "lost": "won", "against": "for", "conceded": "scored"}
#: Words of resources, which are often the worse the better the errors are.
_RESOURCES = make_word_set("latency latencies runtime runtimes time times rtf energy")
#: Languages and engines, which are mostly compared by their times.
TIMED_SYSTEMS = make_word_set(
    "duckdb sqlite postgres postgresql mysql mariadb mongodb clickhouse spark presto trino hive "
    "polars pandas dask vaex modin datatable datafusion python pypy cpython java javascript node "
    "nodejs ruby php perl lua julia rust golang go haskell ocaml swift kotlin scala gcc clang llvm"
)

#: Words of differences that do not say which way the subtracted column points.
_GAPS = make_word_set("gap gaps gain gains drop drops delta improvement change")
#: Pattern of a name of ranks.
_RANKED = re.compile(r"^#|(?<![a-z])(?:rank(?:ing)?|plac(?:e|ing)|pos(?:ition)?)(?![a-z])")
#: Patterns of a word with a letter that English lacks: a Latin one, or any.
_FOREIGN_LATIN = re.compile(r"[a-zA-Z][À-ž]|[À-ž][a-z]")
_FOREIGN = re.compile(rf"{_FOREIGN_LATIN.pattern}|[^\W\d_a-zA-ZÅΑ-Ωα-ωµ²³]{{2}}|[а-яА-Я]")
#: Pattern of a statement in prose: lower LSD = better.
_STATEMENT = re.compile(
    r"\b(more.negative|lower|less|smaller|fewer|higher|more|larger|greater)\b[^,.:]{0,30}?"
    r"(?:\bis\b|\bare\b|=|:)\s*(?:the )?better\b",
    re.IGNORECASE,
)

Directions = Mapping[Any, TaskDirection]
#: Type of doubts: a task, and what speaks against its direction, with the call that settles it.
Doubts = Iterator[tuple[Any, str, str]]


def doubt_by_file(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt the directions that the title, the ranks or the order of a file contradict."""
    results = dict(directions)
    for look in _LOOKS:
        # A doubt that a task has already stays.
        for task, fact, call in [*look(results, scores, result)]:
            doubt = results[task].doubt or Advice(fact, f": {call}")
            results[task] = replace(results[task], doubt=doubt)
    return results


def _lower(tasks: Sequence[Any], directions: Directions) -> str:
    """Write the call that reads tasks so that lower is better."""
    return "lower_is_better=True" if len(tasks) == len(directions) else (
        roles_call(dict.fromkeys(tasks, "lower"))
    )  # fmt: skip


def _turn(task: Any, item: TaskDirection) -> str:
    """Write the call that turns the direction of a task."""
    return roles_call({task: "higher" if item.direction == "lower" else "lower"})


def _undecided(directions: Directions) -> list[Any]:
    """List the tasks without a stated direction or a name that decides."""
    return [task for task, item in directions.items() if item.why == "" and not item.doubt]


def _averages(result: ScoresWithErrors) -> list[Any]:
    return [item.column for item in result.columns if item.role == "average"]


def doubt_by_units(directions: Directions, result: ScoresWithErrors) -> dict[Any, TaskDirection]:
    """Doubt tasks in a unit where less is often better: that of their cells, or of a column."""
    results = dict(directions)
    about = result.descriptions
    rates = {str(unit) for name in about.columns if is_named_like(name, {"unit"})
             for unit in about[name].dropna()}  # fmt: skip
    hints = [hint for unit in rates if (hint := direction_hint(unit)) is not None]
    for task, item in directions.items():  # 14.9x is a speed, whatever it is called
        if (
            item.direction == "lower"
            and item.why.startswith("its name")
            and (result.units.get(task) in ("x", "×"))
        ):
            doubt = Advice("multiples are often better the higher", f": {_turn(task, item)}")
            results[task] = replace(item, doubt=doubt)
    for task in _undecided(directions):
        unit = result.units.get(task, "")
        what = {"s": "times", "?": "nothing says what it is the mean of: times and errors"}.get(
            unit, f"figures in {unit}"
        )
        is_gain = unit in ("", *_UNITS_OF_GAINS) or "/" in unit or not unit.isascii()
        if is_gain or is_known_metric(task):
            if not hints or len(hints) < len(rates) or not is_named_like(task, SCORES):
                continue
            what = f"figures in {format_labels(sorted(rates), 2)}"
        call = roles_call({task: "lower"})
        doubt = Advice(f"{what} are often better the lower", f": {call}")
        results[task] = replace(results[task], doubt=doubt)
    return results


def _doubt_timed_systems(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks that are queries, or whose systems are engines or languages: they are timed."""
    systems = [{*split_words(name)} for name in scores.index.get_level_values(0).unique()]
    timed = sum(bool(words & TIMED_SYSTEMS) for words in systems) >= max(len(systems) / 2, 2)
    queries = any(item.role == "task" and is_named_like(item.column, {"query"})
                  for item in result.columns)  # fmt: skip
    tasks = [task for task in _undecided(directions) if not is_known_metric(task)
             and result.units.get(task) not in _UNITS_OF_GAINS]  # fmt: skip
    for task in tasks if timed or queries else ():
        what = "such systems" if timed else "queries"
        yield task, f"{what} are often compared by times", _lower(tasks, directions)


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
    for task in _undecided(directions):
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


def _doubt_among_errors(directions: Directions, scores: pd.DataFrame, _: Any) -> Doubts:
    """Doubt tasks of unknown names whose scores are the worse the lower the errors are."""
    at = {task: place for place, task in enumerate(directions)}
    errors = [at[task] for task, item in directions.items() if item.why.startswith("its name, ")
              and not _RESOURCES & {*split_words(task)}]  # fmt: skip
    tasks = [task for task in _undecided(directions) if not is_known_metric(task)]
    if not errors or len(scores) < 3 or not tasks:
        return
    # A single error must agree almost entirely.
    limit, least = (_FALLS, 3) if len(errors) > 1 else (-_AGAINST, 6)
    alike = scores.set_axis(range(len(at)), axis=1).corr("spearman", min_periods=least).to_numpy()
    rates = [str([*at][place]) for place in errors if re.search(r"[A-Z]ER$", str([*at][place]))]
    for task in tasks:
        if rates and re.search(r"(?<![A-Z])[A-Z]{1,2}ER$", str(task)) and str(task)[-3:] != "NER":
            yield task, f"its name ends as {rates[0]!r} does", _lower([task], directions)
        elif (-alike[at[task], errors] <= limit).all():
            names = format_labels([[*at][place] for place in errors], 2)
            yield task, f"it falls as the errors {names} do", _lower([task], directions)


def _doubt_by_title(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks without a metric's name if the file or an average has that of an error."""
    if is_known_metric(result.attrs.get("score", "")):
        return
    # "Average WER" tells what the scores are of which it is the average.
    titles = [*result.titles, *(name for name in _averages(result) if isinstance(name, str))]
    paths = [PurePath(title) for title in titles if title]
    named = [path.name if " " in path.suffix else path.stem for path in paths]  # Avg. WER
    hints = [(title, direction_hint(without_statement(title))) for title in named]
    lower = [title for title, hint in hints if hint and hint.sure and hint.direction == "lower"]
    if not lower:
        return
    table = scores.set_axis(range(len(directions)), axis=1)
    known = [at for at, item in enumerate(directions.values()) if item.direction == "lower"]
    against = table.corr("spearman", min_periods=3).to_numpy()[:, known].min(axis=1, initial=1)
    tasks = [task for at, task in enumerate(directions) if task in _undecided(directions)
             and not is_known_metric(task) and not against[at] < _FALLS
             and not (table[at] % 1 == 0).all() & (table[at].nunique() == 1)]  # fmt: skip
    for task in tasks:
        yield task, f"{lower[-1]!r} names the scores", _lower(tasks, directions)


def _doubt_by_ranks(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks on which those with the better rank in the file have the worse scores."""
    for name, cells in result.described(scores).items():
        ranks = parse_column(cells).values
        known = ranks[~np.isnan(ranks)]
        named = _RANKED.search(str(name).lower()) and len(known) > 0
        if not (named and 1 <= known.min() <= known.max() <= len(ranks)):
            continue  # average ranks are ranks, too
        for at, (task, item) in enumerate(directions.items()):
            if item.why == "you":
                continue
            sign = -1.0 if item.direction == "lower" else 1.0
            pair = pd.DataFrame({"rank": ranks, "score": sign * scores.iloc[:, at].to_numpy()})
            falls = pair.corr("spearman", min_periods=3).to_numpy()[0, 1]
            if falls >= (_AGAINST if pair.notna().all(axis=1).sum() >= _MIN_RANKED else 1 - 1e-9):
                call = _turn(task, item)
                yield task, f"those with a better {str(name)!r} are worse on it", call


def _doubt_by_order(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks if the file lists the lowest average first, as if it were the best."""
    about = result.described(scores)
    tasks = _undecided(directions)
    for name in (name for name in about.columns if name in _averages(result)):
        values = parse_column(about[name]).values
        is_sorted = len(values) >= _MIN_SORTED and bool((np.diff(values) >= 0).all())
        if is_sorted and values[0] < values[-1]:
            for task in tasks:
                call = _lower(tasks, directions)
                yield task, f"the file lists the lowest {str(name)!r} first", call


def _doubt_by_bold(
    directions: Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> Doubts:
    """Doubt tasks of which the file has the worst scores in bold, as if they were the best."""
    ranks = [parse_column(cells).values for name, cells in result.descriptions.items()
             if _RANKED.search(str(name).lower())]  # fmt: skip
    for at, (task, item) in enumerate(directions.items()):
        marked = parse_column(pd.Series(result.bold.get(task, ()), dtype=object)).values
        marked = marked[~np.isnan(marked)]
        values = scores.iloc[:, at].dropna().to_numpy(dtype=float)
        if not 0 < len(marked) < len(values) or item.why in ("you", "the file says so"):
            continue
        worst, end = ("highest", max) if item.direction == "lower" else ("lowest", min)
        is_bold = (scores.iloc[:, at] == end(values)).to_numpy()
        # A row in bold that the file ranks below others is only the owner's.
        is_ranked_below = any(
            len(places) == len(is_bold)
            and np.nanmin(places, initial=np.inf) < places[is_bold].min()
            for places in ranks
        )
        if (marked == end(values)).all() and np.ptp(values) > 0 and not is_ranked_below:
            yield task, f"the file has its {worst} score in bold", _turn(task, item)


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
            yield task, "its order is nearly the reverse of the others'", _turn(task, item)


def _doubt_counts(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks of whole numbers that are called counts, are large, or stand among fractions."""
    table = scores.to_numpy(dtype=float)
    filled = np.where(np.isnan(table), 0.0, table)
    sizes, whole = np.abs(filled).max(axis=0), np.asarray((filled % 1 == 0).all(axis=0))
    undecided = _undecided(directions)
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
        fractions = ~whole & (table.shape[0] > 3)
        if 2 * fractions.sum() >= len(whole) and whole.sum() < 3:
            places = np.array_equal(np.sort(table[:, at]), np.arange(1, len(table) + 1))
            years = ((table[:, at] >= 1950) & (table[:, at] <= 2035)).all() and (sizes < 1000).any()
            alone |= places or years
        if (large or alone or counts) and "/" not in str(task):
            yield task, "its whole numbers may count something", roles_call({task: "description"})


def _doubt_by_note(directions: Directions, _: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt tasks if the text around the table says that lower, or higher, is better on them."""
    for sentence in re.split(r"[.;\n]", result.note):
        ways = {"lower" if re.match("l|s|f|.*negative", word.lower()) else "higher"
                for word in _STATEMENT.findall(sentence)}  # fmt: skip
        if re.search(r"\b(?:except|unless|but|than)\b", sentence):
            continue
        bare = {
            task: without_statement(re.sub(r"\([^)]*\)", " ", str(task))) for task in directions
        }
        named = [
            task
            for task, name in bare.items()
            if re.search(
                rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE * (len(name) > 2)
            )
        ]
        if not named and len(sentence.split()) < 6:
            named = _undecided(directions)
        for task in named if len(ways) == 1 else ():
            item = directions[task]
            if item.direction not in ways and item.why not in ("you", "the file says so"):
                yield task, f"the text around it says {sentence.strip()!r}", _turn(task, item)


def _doubt_totals(directions: Directions, *_: Any) -> Doubts:
    """Doubt tasks that are only called points or score, among others: they may be a total."""
    for task in _undecided(directions) if len(directions) > 3 else ():
        if str(task).strip().lower() in ("points", "pts", "score", "total points"):
            yield task, "it may be a total of the others", roles_call({task: "average"})


def _doubt_summaries(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt a task that is the mean of all others, and the parts of a sum that is an error."""
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
            if item.direction == "lower" and item.why and what == "the sum":
                for task in (task for task in _undecided(directions) if task != tasks[at]):
                    yield task, f"it is a part of {tasks[at]!r}", _lower([task], directions)
            elif item.why != "you" and table.shape[1] > 3:
                yield tasks[at], f"it is {what} of the others", roles_call({tasks[at]: "average"})


def _doubt_nines(directions: Directions, scores: pd.DataFrame, _: ScoresWithErrors) -> Doubts:
    """Doubt tasks with 999 or the like in a cell, far from all other scores: it may be missing."""
    for at, (task, item) in enumerate(directions.items()):
        values = np.sort(scores.iloc[:, at].dropna().to_numpy(dtype=float))
        is_far = len(values) > 2 and values[-2] < values[-1] / 9 and item.why != "you"
        if is_far and values[-1] in (999, 9999, 99999):
            mark = str(int(values[-1]))
            yield task, f"{mark} may mark a missing score", f"na={mark!r}"


def _doubt_foreign(directions: Directions, _: pd.DataFrame, result: ScoresWithErrors) -> Doubts:
    """Doubt tasks whose names are in a language whose words are not known."""
    names = [str(item.column) for item in result.columns]
    known = any(is_named_like(name, SYSTEMS | {"name"}) or is_benchmark_name(name)
                for name in names)  # fmt: skip
    # Among names in other letters, one in Latin letters is hardly of that language.
    is_foreign = not known and (result.has_decimal_commas or any(map(_FOREIGN_LATIN.search, names)))
    tasks = [
        task
        for task in _undecided(directions)
        if not is_known_metric(task) and (is_foreign or _FOREIGN.search(str(task)))
    ]
    for task in tasks:
        fact = "its name seems not English, and may say that lower is better"
        yield task, fact, _lower([task], directions)


def _doubt_without_arrow(directions: Directions, *_: Any) -> Doubts:
    """Doubt tasks without an arrow in a file that has arrows up and down."""
    stated = {task: way for task in directions if (way := stated_direction(task)) is not None}
    if not {"lower", "higher"} <= set(stated.values()) or 2 * len(stated) < len(directions):
        return
    for task in _undecided(directions):
        if task not in stated and not is_known_metric(task):
            yield task, "other tasks have arrows, and it has none", roles_call({task: "lower"})


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


_LOOKS = (_doubt_by_values, _doubt_by_note, _doubt_by_title, _doubt_by_ranks,
          _doubt_by_order, _doubt_by_bold, _doubt_timed_systems, _doubt_losses, _doubt_totals,
          _doubt_without_arrow, _doubt_among_errors, _doubt_constants, _doubt_flags,
          _doubt_counts, _doubt_summaries, _doubt_nines, _doubt_foreign)  # fmt: skip
