"""Doubts about directions raised by the rest of a file: its title, its ranks, its order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd

from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import SCORES
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import Advice, roles_call
from nbrank.readers.tables.task_directions import TaskDirection, is_known_metric
from nbrank.readers.tables.value_doubts import (
    VALUE_DOUBTS,
    DoubtedTable,
    Doubts,
    write_direction_call,
)
from nbrank.votes.formatting import format_labels, group_values
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    direction_hint,
    stated_direction,
    without_statement,
)
from nbrank.votes.table.name_heuristics import (
    SYSTEMS,
    is_benchmark_name,
    is_named_like,
    make_word_set,
    split_words,
)
from nbrank.votes.table.reading import FILE_SAYS, Direction

#: Minimum numbers of systems for a doubt by a column of ranks, and by the order of the rows.
_MIN_RANKED, _MIN_SORTED = 5, 8
#: Rank correlation with ranks from which these contradict the direction, and with errors, turned,
#: from which a task is not one of them.
_AGAINST, _FALLS = 0.9, -0.5
#: Units of cells where more is mostly better.
_UNITS_OF_GAINS = ("dB", "fps", "FPS", "pts", "pp", "Hz", "kHz", "MHz", "x", "×", "°", "kg", "km")
_MULTIPLES = ("x", "×")
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
    directions: Mapping[Any, TaskDirection], scores: pd.DataFrame, result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt the directions that the title, the ranks or the order of a file contradict."""
    results = dict(directions)
    table = DoubtedTable.from_scores(results, scores, result)
    for look in _LOOKS:
        # A doubt that a task has already stays.
        for task, fact, call in [*look(table)]:
            doubt = results[task].doubt or Advice(fact, f": {call}")
            results[task] = replace(results[task], doubt=doubt)
    return results


def doubt_by_units(
    directions: Mapping[Any, TaskDirection], result: ScoresWithErrors
) -> dict[Any, TaskDirection]:
    """Doubt tasks in a unit where less is often better: that of their cells, or of a column."""
    results = dict(directions)
    about = result.descriptions
    rates = {str(unit) for name in about.columns if is_named_like(name, {"unit"})
             for unit in about[name].dropna()}  # fmt: skip
    hints = [hint for unit in rates if (hint := direction_hint(unit)) is not None]
    doubted: list[tuple[tuple[str, Direction], Any]] = []
    for task, item in directions.items():
        name, unit = task[-1] if isinstance(task, tuple) else task, result.units.get(task, "")
        hint = direction_hint(f"{name} ({unit})") if unit and not item.why else None
        unit_doubt = _doubt_unit(task, item, unit)
        if hint is not None and hint.sure:
            results[task] = TaskDirection(hint.direction, "its name and the unit of its cells")
        elif unit_doubt is not None:
            doubted.append((unit_doubt, task))
        elif item.doubt and unit in _MULTIPLES:
            results[task] = replace(item, doubt="")
        elif not (item.why or item.doubt) and (
            hints and len(hints) == len(rates) and is_named_like(task, SCORES)
        ):
            units = format_labels(sorted(rates), 2)
            doubted.append(((f"lower is often better for figures in {units}", "lower"), task))
    for (fact, way), tasks in group_values(doubted).items():
        call = write_direction_call(tasks, way, directions)
        for task in tasks:
            results[task] = replace(results[task], doubt=Advice(fact, f": {call}"))
    return results


def _doubt_unit(task: Any, item: TaskDirection, unit: str) -> tuple[str, Direction] | None:
    """Say what the unit of a task's cells speaks for, and which way; None for no doubt."""
    # 14.9x is a speed, whatever it is called
    if item.direction == "lower" and item.why.startswith("its name") and unit in _MULTIPLES:
        return "multiples are often better the higher", "higher"
    is_gain = unit in ("", *_UNITS_OF_GAINS) or "/" in unit or not unit.isascii()
    if item.why or item.doubt or is_gain or is_known_metric(task):
        return None
    if unit == "?":
        return "nothing says what it is the mean of, such as times", "lower"
    return f"lower is often better for {'times' if unit == 's' else f'figures in {unit}'}", "lower"


def _doubt_timed_systems(table: DoubtedTable) -> Doubts:
    """Doubt tasks that are queries, or whose systems are engines or languages: they are timed."""
    systems = [{*split_words(name)} for name in table.systems]
    timed = sum(bool(words & TIMED_SYSTEMS) for words in systems) >= max(len(systems) / 2, 2)
    queries = any(item.role == "task" and is_named_like(item.column, {"query"})
                  for item in table.result.columns)  # fmt: skip
    tasks = [task for task in table.unknown
             if table.result.units.get(task) not in _UNITS_OF_GAINS]  # fmt: skip
    for task in tasks if timed or queries else ():
        what = "such systems" if timed else "queries"
        yield task, f"{what} are often compared by times", table.write_lower_call(tasks)


def _doubt_by_title(table: DoubtedTable) -> Doubts:
    """Doubt tasks without a metric's name if the file or an average has that of an error."""
    result = table.result
    if is_known_metric(result.attrs.get("score", "")):
        return
    columns = [{*split_words(item.column)} for item in result.columns]
    # A file may be named after one of its columns; "Average WER" names the scores it averages.
    stems = {title: {*split_words(PurePath(title).stem)} for title in result.titles}
    titles = [title for title, stem in stems.items() if not any(map(stem.issubset, columns))]
    titles = [*titles, *(name for name in table.averages if isinstance(name, str))]
    if not HIGHER_METRICS & {*split_words(result.note)}:
        titles += re.findall(r"\(([^().,;:]{3,40})\)", result.note)  # (test perplexity)
    paths = [PurePath(title) for title in titles if title]
    named = [path.name if " " in path.suffix else path.stem for path in paths]  # Avg. WER
    hints = [(title, direction_hint(without_statement(title))) for title in named]
    lower = [title for title, hint in hints if hint and hint.sure and hint.direction == "lower"]
    if not lower:
        return
    known = [at for at, item in enumerate(table.directions.values()) if item.direction == "lower"]
    against = table.correlate(3)[:, known].min(axis=1, initial=1) < _FALLS
    contrary = {task for task, falls in zip(table.directions, against, strict=True) if falls}
    # A whole number that is the same for all is not an error.
    tasks = [task for task, values in table.select(table.unknown).items()
             if task not in contrary and ((values % 1).any() or np.ptp(values))]  # fmt: skip
    for task in tasks:
        yield task, f"{lower[-1]!r} names the scores", table.write_lower_call(tasks)


def _doubt_by_ranks(table: DoubtedTable) -> Doubts:
    """Doubt tasks on which those with the better rank in the file have the worse scores."""
    for name, column in table.described.items():
        ranks, known = column.values, column.numbers
        named = _RANKED.search(str(name).lower()) and len(known) > 0
        if not (named and 1 <= known.min() <= known.max() <= len(ranks)):
            continue  # average ranks are ranks, too
        for task, item, values in table.open_tasks:
            pair = pd.DataFrame({"rank": ranks, "score": values}).dropna()
            falls = pair.corr("spearman", min_periods=3).to_numpy()[0, 1]
            falls *= -1.0 if item.direction == "lower" else 1.0
            if falls >= (_AGAINST if len(pair) >= _MIN_RANKED else 1 - 1e-9):
                fact = f"those with a better {str(name)!r} are worse on it"
                yield task, fact, table.write_turn_call(task)


def _doubt_by_order(table: DoubtedTable) -> Doubts:
    """Doubt tasks if the file lists the lowest average first, as if it were the best."""
    tasks = table.undecided
    for name in (name for name in table.described if name in table.averages):
        values = table.described[name].values
        is_sorted = len(values) >= _MIN_SORTED and bool((np.diff(values) >= 0).all())
        for task in tasks if is_sorted and values[0] < values[-1] else ():
            fact = f"the file lists the lowest {str(name)!r} first"
            yield task, fact, table.write_lower_call(tasks)


def _doubt_by_bold(table: DoubtedTable) -> Doubts:
    """Doubt tasks whose worst scores the file has in bold, as if they were the best."""
    ranks = [column.values for name, column in table.described.items()
             if _RANKED.search(str(name).lower())]  # fmt: skip
    for task, item, values in table.open_tasks:
        cells = pd.Series(table.result.bold.get(task, ()), dtype=object)
        marked = parse_column(cells.dropna()).values if len(cells) else np.zeros(0)
        marked, known = marked[~np.isnan(marked)], values[~np.isnan(values)]
        if not 0 < len(marked) < len(known) or item.why == FILE_SAYS:
            continue
        worst, end = ("highest", max(known)) if item.direction == "lower" else (
            "lowest", min(known)
        )  # fmt: skip
        # A row in bold that the file ranks below others is only the owner's.
        is_ranked_below = any(
            np.nanmin(places, initial=np.inf) < places[values == end].min() for places in ranks
        )
        if (marked == end).all() and np.ptp(known) > 0 and not is_ranked_below:
            yield task, f"the file has its {worst} score in bold", table.write_turn_call(task)


def _doubt_by_note(table: DoubtedTable) -> Doubts:
    """Doubt tasks if the text around the table says that lower, or higher, is better on them."""
    bare = {task: without_statement(re.sub(r"\([^)]*\)", " ", str(task)))
            for task in (table.directions if table.result.note else ())}  # fmt: skip
    for sentence in re.split(r"(?<!\d)[.]|[.](?!\d)|[;\n]", table.result.note):
        are_lower = {re.match("l|s|f|.*negative", word.lower()) is not None
                     for word in _STATEMENT.findall(sentence)}  # fmt: skip
        if len(are_lower) != 1 or re.search(r"\b(?:except|unless|but|than)\b", sentence):
            continue
        named = [
            task
            for task, name in bare.items()
            if re.search(
                rf"(?<!\w){re.escape(name)}(?!\w)", sentence, re.IGNORECASE * (len(name) > 2)
            )
        ]
        clauses = [part for part in sentence.split(",") if _STATEMENT.search(part)]
        if not named and any(len(clause.split()) < 6 for clause in clauses):
            named = table.undecided
        way: Direction = "lower" if True in are_lower else "higher"
        contrary = [
            task
            for task in named
            if table.directions[task].direction != way
            and table.directions[task].why not in ("you", FILE_SAYS)
        ]
        call = write_direction_call(contrary, way, table.directions)
        for task in contrary:
            yield task, f"the text around it says {sentence.strip()!r}", call


def _doubt_foreign(table: DoubtedTable) -> Doubts:
    """Doubt tasks whose names are in a language whose words are not known."""
    names = [str(item.column) for item in table.result.columns]
    known = any(is_named_like(name, SYSTEMS | {"name"}) or is_benchmark_name(name)
                for name in names)  # fmt: skip
    # Among names in other letters, one in Latin letters is hardly of that language.
    is_foreign = not known and (
        table.result.has_decimal_commas or any(map(_FOREIGN_LATIN.search, names))
    )
    for task in table.unknown:
        if is_foreign or _FOREIGN.search(str(task)):
            fact = "a name that seems not to be English may say that lower is better"
            yield task, fact, table.write_lower_call([task])


def _doubt_without_arrow(table: DoubtedTable) -> Doubts:
    """Doubt tasks without an arrow in a file that has arrows up and down."""
    stated = {task: way for task in table.directions if (way := stated_direction(task)) is not None}
    if {"lower", "higher"} <= {*stated.values()} and 2 * len(stated) >= len(table.directions):
        for task in table.unknown:
            yield task, "other tasks have arrows, and it has none", roles_call({task: "lower"})


_LOOKS = (
    _doubt_by_note, _doubt_by_title, _doubt_by_ranks, _doubt_by_order, _doubt_by_bold,
    _doubt_timed_systems, _doubt_without_arrow, _doubt_foreign, *VALUE_DOUBTS,
)  # fmt: skip
