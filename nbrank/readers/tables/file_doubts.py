"""Doubts about directions raised by the rest of a file: its title, its ranks, its order."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables import value_doubts
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import SCORES
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.readers.tables.task_directions import (
    TaskDirection,
    is_known_metric,
)
from nbrank.votes.formatting import format_labels
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
#: Units of cells where more is mostly better.
_UNITS_OF_GAINS = ("dB", "fps", "FPS", "pts", "pp", "Hz", "kHz", "MHz", "x", "×", "°", "kg", "km")
#: Languages and engines, which are mostly compared by their times.
TIMED_SYSTEMS = make_word_set(
    "duckdb sqlite postgres postgresql mysql mariadb mongodb clickhouse spark presto trino hive "
    "polars pandas dask vaex modin datatable datafusion python pypy cpython java javascript node "
    "nodejs ruby php perl lua julia rust golang go haskell ocaml swift kotlin scala gcc clang llvm"
)

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


def doubt_by_file(
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt the directions that the title, the ranks or the order of a file contradict."""
    results = dict(directions)
    for look in _LOOKS:
        # A doubt that a task has already stays.
        for task, fact, call in [*look(results, scores, result)]:
            doubt = results[task].doubt or Advice(fact, f": {call}")
            results[task] = replace(results[task], doubt=doubt)
    return results


def doubt_by_units(
    directions: value_doubts.Directions, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt tasks in a unit where less is often better: that of their cells, or of a column."""
    results = dict(directions)
    about = result.descriptions
    rates = {str(unit) for name in about.columns if is_named_like(name, {"unit"})
             for unit in about[name].dropna()}  # fmt: skip
    hints = [hint for unit in rates if (hint := direction_hint(unit)) is not None]
    for task, item in directions.items():
        name, unit = task[-1] if isinstance(task, tuple) else task, result.units.get(task, "")
        hint = direction_hint(f"{name} ({unit})") if unit and not item.why else None
        if hint is not None and hint.sure:
            results[task] = TaskDirection(hint.direction, "its name and the unit of its cells")
        # 14.9x is a speed, whatever it is called
        if item.direction == "lower" and item.why.startswith("its name") and unit in ("x", "×"):
            doubt = Advice(
                "multiples are often better the higher",
                f": {value_doubts.write_turn_call(task, item)}",
            )
            results[task] = replace(item, doubt=doubt)
    for task in value_doubts.undecided_tasks(results):
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
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
    """Doubt tasks that are queries, or whose systems are engines or languages: they are timed."""
    systems = [{*split_words(name)} for name in scores.index.get_level_values(0).unique()]
    timed = sum(bool(words & TIMED_SYSTEMS) for words in systems) >= max(len(systems) / 2, 2)
    queries = any(item.role == "task" and is_named_like(item.column, {"query"})
                  for item in result.columns)  # fmt: skip
    tasks = [task for task in value_doubts.undecided_tasks(directions) if not is_known_metric(task)
             and result.units.get(task) not in _UNITS_OF_GAINS]  # fmt: skip
    for task in tasks if timed or queries else ():
        what = "such systems" if timed else "queries"
        yield (
            task,
            f"{what} are often compared by times",
            value_doubts.write_lower_call(tasks, directions),
        )


def _doubt_by_title(
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
    """Doubt tasks without a metric's name if the file or an average has that of an error."""
    if is_known_metric(result.attrs.get("score", "")):
        return
    # "Average WER" tells what the scores are of which it is the average.
    titles = [
        *result.titles,
        *(name for name in value_doubts.average_columns(result) if isinstance(name, str)),
    ]
    if not HIGHER_METRICS & {*split_words(result.note)}:
        titles += re.findall(r"\(([^().,;:]{3,40})\)", result.note)  # (test perplexity)
    paths = [PurePath(title) for title in titles if title]
    named = [path.name if " " in path.suffix else path.stem for path in paths]  # Avg. WER
    hints = [(title, direction_hint(without_statement(title))) for title in named]
    lower = [title for title, hint in hints if hint and hint.sure and hint.direction == "lower"]
    if not lower:
        return
    table = scores.set_axis(range(len(directions)), axis=1)
    known = [at for at, item in enumerate(directions.values()) if item.direction == "lower"]
    against = table.corr("spearman", min_periods=3).to_numpy()[:, known].min(axis=1, initial=1)
    undecided = value_doubts.undecided_tasks(directions)
    tasks = [task for at, task in enumerate(directions) if task in undecided
             and not is_known_metric(task) and not against[at] < value_doubts.FALLS
             and not (table[at] % 1 == 0).all() & (table[at].nunique() == 1)]  # fmt: skip
    for task in tasks:
        yield (
            task,
            f"{lower[-1]!r} names the scores",
            value_doubts.write_lower_call(tasks, directions),
        )


def _doubt_by_ranks(
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
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
            if falls >= (
                value_doubts.AGAINST if pair.notna().all(axis=1).sum() >= _MIN_RANKED else 1 - 1e-9
            ):
                call = value_doubts.write_turn_call(task, item)
                yield task, f"those with a better {str(name)!r} are worse on it", call


def _doubt_by_order(
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
    """Doubt tasks if the file lists the lowest average first, as if it were the best."""
    about = result.described(scores)
    tasks = value_doubts.undecided_tasks(directions)
    for name in (name for name in about.columns if name in value_doubts.average_columns(result)):
        values = parse_column(about[name]).values
        is_sorted = len(values) >= _MIN_SORTED and bool((np.diff(values) >= 0).all())
        if is_sorted and values[0] < values[-1]:
            for task in tasks:
                call = value_doubts.write_lower_call(tasks, directions)
                yield task, f"the file lists the lowest {str(name)!r} first", call


def _doubt_by_bold(
    directions: value_doubts.Directions, scores: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
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
            yield (
                task,
                f"the file has its {worst} score in bold",
                value_doubts.write_turn_call(task, item),
            )


def _doubt_by_note(
    directions: value_doubts.Directions, _: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
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
            named = value_doubts.undecided_tasks(directions)
        for task in named if len(ways) == 1 else ():
            item = directions[task]
            if item.direction not in ways and item.why not in ("you", "the file says so"):
                yield (
                    task,
                    f"the text around it says {sentence.strip()!r}",
                    value_doubts.write_turn_call(task, item),
                )


def _doubt_foreign(
    directions: value_doubts.Directions, _: pd.DataFrame, result: ScoresWithErrors
) -> value_doubts.Doubts:
    """Doubt tasks whose names are in a language whose words are not known."""
    names = [str(item.column) for item in result.columns]
    known = any(is_named_like(name, SYSTEMS | {"name"}) or is_benchmark_name(name)
                for name in names)  # fmt: skip
    # Among names in other letters, one in Latin letters is hardly of that language.
    is_foreign = not known and (result.has_decimal_commas or any(map(_FOREIGN_LATIN.search, names)))
    tasks = [
        task
        for task in value_doubts.undecided_tasks(directions)
        if not is_known_metric(task) and (is_foreign or _FOREIGN.search(str(task)))
    ]
    for task in tasks:
        fact = "its name seems not English, and may say that lower is better"
        yield task, fact, value_doubts.write_lower_call([task], directions)


def _doubt_without_arrow(directions: value_doubts.Directions, *_: Any) -> value_doubts.Doubts:
    """Doubt tasks without an arrow in a file that has arrows up and down."""
    stated = {task: way for task in directions if (way := stated_direction(task)) is not None}
    if not {"lower", "higher"} <= set(stated.values()) or 2 * len(stated) < len(directions):
        return
    for task in value_doubts.undecided_tasks(directions):
        if task not in stated and not is_known_metric(task):
            yield task, "other tasks have arrows, and it has none", roles_call({task: "lower"})


_LOOKS: tuple[value_doubts.DoubtLook, ...] = (
    _doubt_by_note, _doubt_by_title, _doubt_by_ranks, _doubt_by_order, _doubt_by_bold,
    _doubt_timed_systems, _doubt_without_arrow, *value_doubts.VALUE_DOUBTS, _doubt_foreign,
    value_doubts.doubt_counts,
    value_doubts.doubt_unknown,
)  # fmt: skip
