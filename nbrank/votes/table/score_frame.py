"""Parsing of tables of scores: their systems, columns and cells, or an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import is_normalized

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.typing import Array, Positions
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.labeled_values import clean_labels, spell_out, spellings
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.table import name_heuristics, row_levels
from nbrank.votes.table.numeric_cells import cells_to_floats
from nbrank.votes.user_warnings import warn_user

#: Columns of the results of rules, `rank_confidence` and `bootstrap`, which are not scores.
_RANKINGS = ({"rank", "score"}, {"rank", "low", "high"}, {"rank", "low", "high", "p_best"})
#: Name of a level of instances; a column of that name may have another meaning.
_INSTANCES = name_heuristics.INSTANCES | {"id", "problem"}
#: Number of rows from which on rows with several levels are hardly all systems.
_MIN_ROWS_FOR_PRODUCT = 100
#: Type of a number for each row, or for each system and instance.
Cells = NDArray[Any]
_FLOATS = {np.dtype(np.float64), np.dtype(np.float32)}


@dataclass(frozen=True)
class ParsedScores:
    """Scores (systems x columns), with the task of each column, and its instance if any."""

    systems: pd.Index
    tasks: pd.Index
    values: Array
    task_codes: Positions
    instances: pd.Index | None
    #: The runs whose averages the values are, if the rows are runs.
    replicates: row_levels.Replicates | None = None
    #: Cluster of each column if instances are in clusters; named as the level of the rows.
    clusters: pd.Index | None = None
    #: The unit that each instance's score averages; None if it is a single score.
    averaged: row_levels.AveragedLevels | None = None

    @classmethod
    def from_frame(cls, scores: pd.DataFrame, cluster: row_levels.Clusters = None) -> ParsedScores:
        """Read a frame; an error says why it is not a table of scores."""
        tasks = _checked_tasks(scores)
        values = scores_to_floats(scores)
        rows, columns = scores.index, np.arange(len(tasks))
        if isinstance(rows, pd.MultiIndex):
            roles = row_levels.roles_of_levels(list(rows.names), cluster)
            if roles is not None:
                read = row_levels.read_instance_rows(
                    _with_clean_systems(rows), values, roles, cluster
                )
                return cls._from_instances(read, tasks)
            if (level := row_levels.find_replicate_level(rows)) is not None:
                systems, runs = row_levels.Replicates.from_rows(
                    _with_clean_systems(rows), values, level
                )
                return cls(systems, tasks, runs.means, columns, None, runs)
            _warn_of_other_level_names(rows)
        return cls(clean_and_unique(rows, "system"), tasks, values, columns, None)

    @classmethod
    def _from_instances(cls, read: row_levels.InstanceRows, tasks: pd.Index) -> ParsedScores:
        """Unstack each task over the instances with a score."""
        systems, instances, square = _make_unstacker(read.rows)
        if len(systems) > 1 and len(instances) == len(read.rows):
            warn_no_common_instances()
        row_levels.warn_of_run_labels(instances)
        blocks, labels, counts = [], [], []
        for task, column in enumerate(read.values.T):
            block = square(column)
            used = np.flatnonzero(~np.isnan(block).all(axis=0))
            whole = len(used) == block.shape[1]
            blocks.append(block if whole else block[:, used])
            labels.append(instances if whole else instances[used])
            if read.averaged is not None:
                counts.append(square(read.averaged.n_runs[:, task])[:, used])
        sizes = [block.shape[1] for block in blocks]
        values = blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=1)
        column_task = np.repeat(np.arange(len(blocks)), sizes)
        instances = labels[0].append(labels[1:])
        return cls(
            systems.rename("system"),
            tasks,
            np.ascontiguousarray(values),
            column_task,
            instances,
            clusters=read.assign_clusters and read.assign_clusters(column_task, instances),
            averaged=read.averaged
            and replace(read.averaged, n_runs=np.concatenate(counts, axis=1)),
        )


def scores_to_floats(scores: pd.DataFrame, location: str = "") -> Array:
    """Convert the scores to floats, NaN if one is missing; float32 only if all are."""
    kinds = set(scores.dtypes)
    if not kinds <= _FLOATS:
        return cells_to_floats(scores, location)
    plain = scores.to_numpy(np.float32 if kinds == {np.dtype(np.float32)} else np.float64)
    return np.array(plain, order="C")


def check_not_ranking(columns: Iterable[Label]) -> None:
    """Refuse the columns of a ranking."""
    listed = list(columns)
    if set(listed) in _RANKINGS:
        raise ValueError(
            f"this is a ranking (its columns are {format_labels(listed)}), and scores are wanted: "
            f"systems in rows, tasks in columns"
        )


def _checked_tasks(scores: object) -> pd.Index:
    """Return the tasks; refuse tables without scores before any cell is read."""
    if isinstance(scores, MethodsMixin):
        raise TypeError(scores._alternative_message)
    if not isinstance(scores, pd.DataFrame):
        kind = f"{type(scores).__module__.partition('.')[0]}.{type(scores).__name__}"
        advice = "; read the file with nbrank.read" if isinstance(scores, str) else ""
        for call in ("to_pandas", "to_frame", "collect"):
            advice = f"; use its .{call}()" if hasattr(scores, call) else advice
        raise TypeError(
            f"scores must be a pandas DataFrame (systems x tasks) or a Leaderboard, and to some "
            f"functions a Tally or Comparisons, not {kind.removeprefix('builtins.')}{advice}"
        )
    check_not_ranking(scores.columns)
    if not len(scores.columns):
        raise ValueError("the table has no tasks; give one column for each task")
    if not len(scores.index):
        raise ValueError("the table has no systems; give one row for each system")
    return clean_and_unique(scores.columns, "task")


def clean_and_unique(labels: pd.Index, subject: str) -> pd.Index:
    """Return the labels clean; refuse those that are missing, or duplicate once cleaned."""
    cleaned = labels if _is_clean(labels) else clean_labels(labels)
    if cleaned is not labels:
        axis = "index" if subject == "system" else "columns"
        for listed in spellings(labels).values():
            raise ValueError(
                f"duplicate {subject}s: {spell_out(listed)} differ only in spaces around them or "
                f"in their Unicode form; keep one of each, "
                f"df.drop({axis}=[{spell_out(listed[1:])}]), or rename them"
            )
    check_unique(cleaned, subject)
    return cleaned


def _is_clean(labels: pd.Index) -> bool:
    """Return whether no label has spaces around it, or a Unicode form other than NFC."""
    if isinstance(labels, pd.MultiIndex):
        return all(map(_is_clean, labels.levels))
    if labels.dtype.kind not in "OSU":
        return True
    listed = labels.tolist()
    try:
        plain = "".join(listed).isascii() or all(is_normalized("NFC", item) for item in listed)
    except TypeError:  # This fails if not all labels are texts.
        return False
    return plain and list(map(str.strip, listed)) == listed


def _with_clean_systems(rows: pd.MultiIndex) -> pd.MultiIndex:
    """Clean the names of systems in rows of instances or runs; fail if two become equal."""
    number = rows.names.index("system")
    if _is_clean(rows.levels[number]):
        return rows
    rows = rows.remove_unused_levels()
    systems = rows.levels[number]
    for name, listed in spellings(systems).items():
        renamed = ", ".join(f"{spell_out([item])}: {name!r}" for item in listed if item != name)
        raise ValueError(
            f"duplicate systems: {spell_out(listed)} differ only in spaces around them or in their "
            f"Unicode form; if they are one system, df.rename(index={{{renamed}}}, level='system')"
        )
    levels: list[Any] = [clean_labels(systems)]
    return rows.set_levels(levels, level=[number])


def check_unique(labels: pd.Index, subject: str) -> None:
    """Refuse labels that are missing or duplicate."""
    if labels.hasnans if not isinstance(labels, pd.MultiIndex) else False:
        raise ValueError(f"a {subject} has no name (NaN); name every {subject}")
    if not labels.is_unique:
        advice = "rename them, or keep one of each"
        if subject == "system":
            advice += (
                "; or, if each row is an instance, give the rows the levels 'system' and "
                "'instance' (if it is a run, 'system' and 'seed'), or use nbrank.from_long"
            )
        raise ValueError(
            f"duplicate {subject}s: {format_labels(labels[labels.duplicated()].unique())}; {advice}"
        )


def _make_unstacker(rows: pd.MultiIndex) -> tuple[pd.Index, pd.Index, Callable[[Cells], Cells]]:
    """Make a function that unstacks a column; return it with the systems and the instances."""
    # Codes are used, so that each label is processed once, however many rows it has.
    level = {name: rows.names.index(name) for name in ("system", "instance")}
    codes = {name: rows.codes[number] for name, number in level.items()}

    def labels(name: str, found: NDArray[np.signedinteger]) -> pd.Index:
        return rows.levels[level[name]].take(found)

    if min(codes["system"].min(), codes["instance"].min()) < 0:
        raise ValueError("a row has no system or no instance (NaN); name every one")
    # In a full product all systems have all instances, one system after another, or the reverse.
    if (firsts := _full_product_codes(codes["system"], codes["instance"])) is not None:
        shape = len(firsts[0]), len(firsts[1])
        table = labels("system", firsts[0]), labels("instance", firsts[1])
        return *table, lambda column: column.reshape(shape)
    if (firsts := _full_product_codes(codes["instance"], codes["system"])) is not None:
        shape = len(firsts[0]), len(firsts[1])
        table = labels("system", firsts[1]), labels("instance", firsts[0])
        return *table, lambda column: column.reshape(shape).T
    row_system, systems = pd.factorize(codes["system"])
    row_instance, instances = pd.factorize(codes["instance"])
    cells = pd.Series(row_system.astype(np.int64) * len(instances) + row_instance)
    if not cells.is_unique:
        twice = rows[cells.duplicated().to_numpy()].unique()
        raise ValueError(
            f"duplicate rows (system, instance): {format_labels(twice)}; keep one score of each"
        )

    def square(column: Cells) -> Cells:
        empty = np.nan if column.dtype.kind == "f" else 0
        block = np.full((len(systems), len(instances)), empty, column.dtype)
        block[row_system, row_instance] = column
        return block

    return labels("system", systems), labels("instance", instances), square


def _full_product_codes(
    outer: NDArray[np.signedinteger], inner: NDArray[np.signedinteger]
) -> tuple[NDArray[np.signedinteger], NDArray[np.signedinteger]] | None:
    """Compute the codes of a full product in its order; None if the rows are in another."""
    size = int(np.argmax(outer != outer[0])) or len(outer)
    if len(outer) % size:
        return None
    outer, inner = outer.reshape(-1, size), inner.reshape(-1, size)
    firsts = outer[:, 0], inner[0]
    if not all(pd.Index(first).is_unique for first in firsts):
        return None
    same = (outer == outer[:, :1]).all() and (inner == inner[0]).all()
    return firsts if same else None


def _warn_of_other_level_names(rows: pd.MultiIndex) -> None:
    """Warn if rows are read as systems although named like instances or runs of systems."""
    of_systems = _find_levels(rows.names, name_heuristics.SYSTEMS)
    bare = {
        at: str(name).removesuffix("index")
        for at, name in enumerate(rows.names)
        if at not in of_systems
    }
    roles = name_heuristics.inner_roles(list(bare.values()))
    of_instances = [at for at, name in bare.items() if roles.get(name) == "instance"]
    of_instances = of_instances or _find_levels(rows.names, _INSTANCES)
    inner = of_instances or _find_levels(rows.names, name_heuristics.REPLICATES)
    if rows.nlevels == 2 and not of_systems:
        of_systems = [1 - item for item in _find_levels(rows.names, {"instance", "seed"})]
    has_several_runs = len(inner) > 1 and not of_instances
    if len(of_systems) != 1 or (len(inner) != 1 and not has_several_runs):
        sizes = [rows.get_level_values(level).nunique() for level in range(rows.nlevels)]
        if len(rows) >= max(_MIN_ROWS_FOR_PRODUCT, 2 * max(sizes)):
            warn_user(
                f"each of the {pluralize(len(rows), 'row')} is taken as a system of its own; if "
                "they are instances or runs of systems, call the levels "
                f"{format_labels(rows.names)} 'system' and 'instance', or 'seed'"
            )
        return
    unused = [name for name in row_levels.REPLICATE_LEVELS if name not in rows.names]
    called: dict[int, Label] = {of_systems[0]: "system"}
    for at in inner:
        name = rows.names[at]
        is_known = str(name).casefold() in row_levels.REPLICATE_LEVELS
        called[at] = name if is_known else "instance" if of_instances else unused.pop(0)
    new_names = {rows.names[at]: name for at, name in called.items() if rows.names[at] != name}
    mended = [f"rename the level {old!r} to {new!r}" for old, new in new_names.items()]
    if has_several_runs and new_names:
        mended = [f"rename the levels, df.rename_axis(index={new_names!r})"]
    others = [
        name
        for at, name in enumerate(rows.names)
        if at not in called
        # Runs and clusters of instances are levels of their own.
        and not (of_instances and roles.get(bare.get(at, "")) in ("run", "cluster"))
    ]
    if others:
        mended.append(f"move {format_labels(others)} into the columns, or drop it")
    warn_user(
        f"each of the {pluralize(len(rows), 'row')} is taken as a system of its own, since their "
        f"levels are called {format_labels(rows.names)}; if these are the "
        f"{'instances' if of_instances else 'runs'} of systems, {' and '.join(mended)}"
    )


def _find_levels(names: Sequence[Label], kinds: Set[str]) -> list[int]:
    """Find the numbers of the levels with this name."""
    bare = [str(name).removesuffix("index") for name in names]
    return [
        number for number, name in enumerate(bare) if name_heuristics.is_named_like(name, kinds)
    ]


def warn_no_common_instances() -> None:
    """Warn that no two systems share an instance, because all would tie silently."""
    warn_user(
        "no two systems share an instance, so their scores can't be compared, and most rules find "
        "all systems equal; call an instance the same for every system"
    )


def validate_errors(
    errors: pd.DataFrame | None, systems: pd.Index, tasks: pd.Index, rows: pd.Index
) -> pd.DataFrame | None:
    """Return the errors in the order of the scores; fail on labels that the scores don't have."""
    if errors is None:
        return None
    if not isinstance(errors, pd.DataFrame):
        raise TypeError(f"errors must be a frame with the labels of the scores, not {errors!r}")
    index = rows if isinstance(rows, pd.MultiIndex) and not rows.equals(systems) else systems
    for what, labels, known in (("systems", errors.index, index), ("tasks", errors.columns, tasks)):
        if lost := [label for label in labels if label not in known]:
            raise ValueError(
                f"errors: unknown {what}: {format_labels(lost)}; the scores have "
                f"{format_labels(known, 10)}"
            )
    return errors.reindex(index=index, columns=tasks).astype(float)


def validate_descriptions(
    descriptions: pd.DataFrame | None, systems: pd.Index
) -> pd.DataFrame | None:
    """Return the descriptions in the order of the systems; refuse those of other systems."""
    if descriptions is None:
        return None
    if not isinstance(descriptions, pd.DataFrame):
        raise TypeError(
            f"descriptions must be a frame with a row for each system, not {descriptions!r}"
        )
    labels = descriptions.index
    if labels.nlevels > 1 and systems.nlevels == 1:
        labels = labels.get_level_values("system").unique()
    if lost := [label for label in labels if label not in systems]:
        raise ValueError(
            f"descriptions: unknown systems: {format_labels(lost)}; the scores have "
            f"{format_labels(systems, 10)}"
        )
    return select_rows(descriptions, systems)


def select_rows(frame: pd.DataFrame | None, systems: pd.Index) -> pd.DataFrame | None:
    """Select the rows of some systems, whatever further levels the rows have."""
    if frame is None:
        return None
    if frame.index.nlevels == 1:
        return frame.reindex(systems)
    return frame[frame.index.get_level_values("system").isin(systems)]
