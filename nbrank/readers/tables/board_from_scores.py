"""The leaderboard of scores that were found: their directions, doubts and reading."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypedDict

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Floats
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.file_doubts import doubt_by_file, doubt_by_units
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import Advice, roles_call, suggest_name
from nbrank.readers.tables.task_directions import (
    TaskDirection,
    decide_directions,
    doubt_places,
    is_known_metric,
    point_ranks_down,
)
from nbrank.votes.formatting import Label, format_labels, group_values
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.direction_names import direction_hint
from nbrank.votes.table.name_heuristics import (
    NAMELESS,
    is_benchmark_name,
    is_named_like,
    split_words,
)
from nbrank.votes.table.numeric_cells import Decimals
from nbrank.votes.table.place_detection import looks_like_places
from nbrank.votes.table.reading import ASSUMED, FILE_SAYS, ReadColumn, Reading, column_key
from nbrank.votes.table.task_options import CountsLike, Groups, LowerIsBetter, Weights
from nbrank.votes.user_warnings import warn_user


class ComparisonOptions(TypedDict, total=False):
    """The options of `from_comparisons` about the meaning of cells."""

    ties: Iterable[Label]
    sides: tuple[Label, Label] | None


class ReadTableOptions(ComparisonOptions, total=False):
    """The options of a `Leaderboard` or of comparisons that go with what is read."""

    weights: Weights
    groups: Groups
    lower_is_better: LowerIsBetter
    counts: CountsLike
    decimals: Decimals


def build_board(
    result: ScoresWithErrors, user_roles: Mapping[Any, str], options: ReadTableOptions
) -> Leaderboard:
    """Build the board of the scores, with its reading and the directions of its tasks."""
    scores, errors = result.frames()
    options = {**options}
    lower: Any = options.pop("lower_is_better", ())
    directions = _directions(result, scores, user_roles, lower)
    if lower is not False:
        directions = doubt_places(scores, directions, {item.why for item in result.columns})
    directions = _explain_higher(directions, result.attrs.get("score"))
    board = Leaderboard(
        scores,
        lower_is_better={task: item.direction == "lower" for task, item in directions.items()},
        errors=errors if errors.notna().any(axis=None) else None,
        descriptions=result.described(scores),
        **_nested_weights(scores, options),
    )
    doubt_of_rows = _doubt_shares(scores)
    reading = _reading(result, directions)
    if doubt_of_rows:
        reading.loc[reading["role"] == "system", "doubt"] = doubt_of_rows
    _warn_of_averages_alone(board, reading)
    return board.attach_reading(reading)


def _warn_of_averages_alone(board: Leaderboard, reading: Reading) -> None:
    """Warn of systems whose only score is an average, and how to rank all by it."""
    about, unscored = board.descriptions, board.unscored
    named = [*reading.loc[reading["role"] == "average", "column"]]
    for name, cells in () if about is None or not len(unscored) else about.items():
        known = cells.loc[unscored][~np.isnan(parse_column(cells.loc[unscored]).values)]
        if name in named and len(known):
            call = roles_call({name: "task", "*": "description"})
            warn_user(
                f"{format_labels(list(known.index))} have no other score than {column_key(name)!r};"
                f" {call} ranks all by it"
            )
            return


def _doubt_shares(scores: pd.DataFrame) -> str:
    """Describe the doubt about systems with shares if all others have per cents."""
    if scores.index.nlevels > 1:
        return ""
    systems = scores.index[_find_rows_in_shares(scores.to_numpy(dtype=float))]
    if not len(systems):
        return ""
    doubt = (
        f"the scores of {format_labels(systems)} look like shares, and all others' like per cents"
    )
    warn_user(Advice(doubt, "; multiply them by 100"))
    return Advice(doubt, ": multiply them by 100")


def _find_rows_in_shares(table: Floats) -> NDArray[np.intp]:
    """Find the rows with shares (0.62) if all others have per cents (83.8).

    >>> _find_rows_in_shares(np.array([[83.8, 49.2], [71.0, 52.1], [0.84, 0.49]]))
    array([2])
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a row or column may lack scores
        highest = np.nanmax(table, axis=1)
        usual = np.nanmedian(table, axis=0)
    shares = (highest <= 1) & (highest > 0) & (np.nanmin(table, axis=1, initial=np.inf) >= 0)
    per_cents = bool((usual > 10).mean() > 0.5) and table.shape[1] > 1
    few = shares.sum() <= 0.2 * len(table) or shares.sum() == 1
    return np.flatnonzero(shares if per_cents and few else np.zeros(len(table), dtype=bool))


def _nested_weights(scores: pd.DataFrame, options: ReadTableOptions) -> dict[str, Any]:
    """Replace balanced weights of nested groups by a weight for each task."""
    columns = scores.columns
    if options.get("weights") != "balanced" or columns.nlevels < 3:
        return {**options}
    frame = pd.DataFrame([("", *name) for name in columns])
    weights = pd.Series(1.0, index=frame.index)
    for depth in range(1, columns.nlevels):
        weights /= frame.groupby([*range(depth)])[depth].transform("nunique")
    weights /= frame.groupby([*range(columns.nlevels)])[0].transform("size")
    return {**options, "weights": dict(zip(columns, weights, strict=True))}


def _directions(
    result: ScoresWithErrors, scores: pd.DataFrame, said: Mapping[Any, str], lower: Any
) -> dict[Any, TaskDirection]:
    """Decide on the direction of each task, and its doubts."""
    tasks = list(scores.columns)
    ways: dict[Any, Any] = {
        result.metrics.get(name, name): role
        for name, role in said.items() if role in ("lower", "higher")
    }  # fmt: skip
    if isinstance(lower, bool | np.bool_):
        ways = dict.fromkeys(tasks, "lower" if lower else "higher") | ways
    elif isinstance(lower, Mapping | pd.Series):
        ways |= {task: "lower" if way in (True, "min") else "higher" for task, way in lower.items()}
    elif lower is not None:
        listed = [lower] if isinstance(lower, str | tuple) and lower else list(lower)
        ways |= dict.fromkeys(listed, "lower")
    many = len({result.metrics.get(item.column, item.column) for item in result.columns
                if item.role == "score"}) > 1  # fmt: skip
    metrics = many or any(
        item.role == "task" and str(item.column).casefold() == "metric" for item in result.columns
    )
    score = result.attrs.get("score")
    title = result.titles[-1] if result.titles else ""
    directions = decide_directions(tasks, ways, score, title=title, are_metrics=metrics)
    known = [*tasks, *(item.column for item in result.columns), score]
    bare = {part for task in known for part in (task, *(task if isinstance(task, tuple) else ()))}
    texts = {str(name) for name in bare} | {column_key(name) for name in bare}
    if lost := [name for name in ways if name not in bare and str(name) not in texts]:
        raise ValueError(
            f"{roles_call({name: ways[name] for name in lost})}: unknown task or column"
            f"{suggest_name(lost[0], tasks)}; the tasks are {format_labels(tasks, 20)}"
        )
    directions |= {task: TaskDirection(way, FILE_SAYS)
                   for task, way in result.stated.items()
                   if task in directions and directions[task].why != "you"}  # fmt: skip
    directions = doubt_by_units(directions, result)
    for (task, item), values in zip(
        directions.items(), scores.to_numpy(dtype=float).T, strict=True
    ):
        known = values[~np.isnan(values)]
        # Costs below zero are better the higher, as they are read; not a binding energy.
        below = known.max(initial=0) <= 0 > known.min(initial=0) and "'energy'" not in item.doubt
        # A ratio of sizes or speeds, as 6.4; per cents are larger.
        is_bare = max(map(len, split_words(task)[:-1]), default=0) < 3
        above = is_bare and known.min(initial=np.inf) >= 1 and np.median(known) < 10
        above &= "for 'ratio'" in item.doubt
        if above or (below and "lower is often better" in item.doubt):
            directions[task] = replace(item, doubt="")
    directions = point_ranks_down(directions, scores, score)
    if scores.index.nlevels > 1:
        scores = scores.groupby(level=0, sort=False).mean()
    elif looks_like_places(Leaderboard(scores, lower_is_better=False)):
        return directions
    return doubt_by_file(directions, scores, result)


def _explain_higher(
    directions: Mapping[Any, TaskDirection], score: Any = None
) -> dict[Any, TaskDirection]:
    """Say of each task without a reason whether a name says that higher is better, or nothing."""
    results = dict(directions)
    for task, item in directions.items():
        name = task if score is None or is_named_like(score, NAMELESS) else score
        if item.direction == "higher" and not item.why:
            is_known = direction_hint(name) is None and is_known_metric(name)
            is_known = is_known or is_benchmark_name(name)
            why = f"its name, {column_key(name)!r}" if is_known else ASSUMED
            results[task] = replace(item, why=why)
    return results


def _reading(result: ScoresWithErrors, directions: Mapping[Any, TaskDirection]) -> Reading:
    """Build the reading: each column with its role, and each task with its direction."""
    rows, own = [], {}
    columns = {item.column for item in result.columns}
    score = {result.metrics.get(item.column, item.column) for item in result.columns
             if item.role == "score"}  # fmt: skip
    for item in result.columns:
        way = directions.get(item.column) if item.role == "task" else None
        if item.role == "score":
            metric = result.metrics.get(item.column, item.column)
            way = _common_direction(metric, directions, len(score) > 1)
        if way is not None:
            # Who gives the role of a score has not said which way it points.
            is_assumed = item.role == "score" and way.why == ASSUMED
            by_user = item.why == "you" and not is_assumed
            others = [] if item.why == "you" or way.why.startswith(item.why) else [item.why]
            why = "you" if by_user else "; ".join([way.why, *others])
            item = item._replace(direction=way.direction, why=why, doubt=way.doubt or item.doubt)
        rows.append(item)
    for task, way in directions.items():
        if task not in columns or not any(
            item.column == task and item.role == "task" for item in result.columns
        ):
            own[task] = ReadColumn(task, "task", way.direction, way.why, way.doubt)
    if not score:  # The column that names these tasks shows their doubts.
        names = [at for at, row in enumerate(rows) if row.role == "task" and not row.direction]
        for at in names[-1:]:
            rows[at] = rows[at]._replace(doubt=_join_doubts(own))
    return Reading.from_rows(rows, own)


def _join_doubts(tasks: Mapping[Any, ReadColumn]) -> str:
    """Join the doubts of tasks, each with the tasks that it is about."""
    by_doubt = group_values((item.doubt, task) for task, item in tasks.items() if item.doubt)
    parts = [doubt if len(names) == len(tasks) else f"{format_labels(names)}: {doubt}"
             for doubt, names in by_doubt.items()]  # fmt: skip
    return parts[0] if len(parts) == 1 else "; ".join(parts)


def _common_direction(
    score: Any, directions: Mapping[Any, TaskDirection], has_several: bool
) -> TaskDirection | None:
    """Return the direction of a column of scores, if all its tasks have the same."""
    ways = [way for task, way in directions.items() if not has_several or task == score
            or (isinstance(task, tuple) and task[-1] == score)]  # fmt: skip
    if len({way.direction for way in ways}) != 1:
        return None
    # A doubt about some tasks stays with these.
    return ways[0] if len({way.doubt for way in ways}) == 1 else replace(ways[0], doubt="")
