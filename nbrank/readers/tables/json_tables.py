"""Reader of tables in JSON: records, JSON lines, columns, nested names, or pandas' forms."""

from __future__ import annotations

import json
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import is_number, is_text_number
from nbrank.readers.tables.column import COUNTS, TASKS
from nbrank.readers.tables.file_tables import FileTable, build_frame, format_line_numbers
from nbrank.readers.tables.missing_marks import flatten_cells
from nbrank.readers.tables.task_directions import is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.data_warnings import rows_look_like_tasks
from nbrank.votes.table.name_heuristics import (
    SYSTEMS,
    is_average_name,
    is_metadata_name,
    is_named_like,
)
from nbrank.votes.user_warnings import warn_user


def list_json_tables(file_name: str, text: str) -> list[FileTable]:
    """List the tables in the text of a file: one, or several under their keys or titles.

    >>> several = '{"t1": [{"m": "A", "s": 1}], "t2": [{"m": "A", "s": 2}]}'
    >>> [(table.name, table.n_rows) for table in list_json_tables("f", several)]
    [('t1', 1), ('t2', 1)]
    """
    content = _parse_json(file_name, text)
    if isinstance(content, dict) and "data" in content and ({"columns", "schema"} & set(content)):
        content = _normalize_pandas_json(content)
    items = content if _all_instances(content, dict) else [content]
    helm = [item for item in items if _is_helm_table(item)]
    if helm:  # only the table called "Accuracy" if it exists
        accuracy = [item for item in helm if item.get("title") == "Accuracy"]
        return [_list_helm_table(file_name, item) for item in accuracy[:1] or helm]
    _check_harness(file_name, content)
    inside = _find_tables(content)
    if len(inside) <= 1:
        content = next(iter(inside.values()), content)
        return [_list_table(file_name, "", content)]
    return [_list_table(file_name, name, rows) for name, rows in inside.items()]


def _check_harness(file_name: str, content: Any) -> None:
    """Refuse the results of one model as the lm-evaluation-harness writes them."""
    if not isinstance(content, dict) or "versions" not in content:
        return
    results = _find_rows(content.get("results", {}))
    if any("," in key for row in results.values() for key in row):
        raise ValueError(
            f"{file_name} has the results of one model, by the lm-evaluation-harness; put the "
            "files of several into a folder, and give it to nbrank.readers.lm_eval"
        )


def _list_table(file_name: str, name: str, content: Any) -> FileTable:
    """Make a table whose frame is built when the table is chosen."""
    rows = [*content.values()] if isinstance(content, dict) else content
    first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    n_rows = len(rows) if isinstance(rows, list) else 0
    n_numbers = sum(map(is_text_number, _flatten_names(first).values())) * n_rows
    return FileTable(
        name, [*first], n_rows, n_numbers, lambda _: _name_columns(_build_table(file_name, content))
    )


def _flatten_names(record: dict[str, Any]) -> dict[str, Any]:
    """Return the cells of a record by their names, {"t": {"acc": 1}} as {"t.acc": 1}.

    >>> _flatten_names({"t": {"acc": 1, "n": 5}, "by": "x"})
    {'t.acc': 1, 't.n': 5, 'by': 'x'}
    """
    results: dict[str, Any] = {}
    for name, cell in record.items():
        inner = _flatten_names(cell) if isinstance(cell, dict) else {}
        results |= {f"{name}.{key}": value for key, value in inner.items()} or {name: cell}
    return results


def _name_columns(frame: pd.DataFrame) -> pd.DataFrame:
    """Restore the intended names of the columns, and convert cells of lists to texts."""
    names = [_parse_column_name(name) for name in frame.columns]
    frame = flatten_cells(frame)
    return frame.set_axis(pd.Index(names, dtype=object, tupleize_cols=False), axis=1)


def parse_json_record(text: str) -> pd.DataFrame | None:
    """Parse the row in a file of a single record; return None for other files.

    >>> parse_json_record('{"clean": 90.1, "by": {"pgd": 50.2}}')
       clean  by.pgd
    0   90.1    50.2
    """
    try:
        content = json.loads(text)
    except (RecursionError, json.JSONDecodeError):
        return None
    if not isinstance(content, dict) or not content or _find_record_lists(content):
        return None
    return _name_columns(pd.json_normalize(content).astype(object))


def _parse_column_name(text: Any) -> Any:
    """Parse a column's name, which pandas writes as a text if it has a group and a task.

    >>> _parse_column_name("('g', 't')"), _parse_column_name("(t)")
    (('g', 't'), '(t)')
    """
    try:
        result = literal_eval(text) if str(text).startswith("('") else text
    except (SyntaxError, ValueError):
        return text
    return result if isinstance(result, tuple) else text


def _parse_json(file_name: str, text: str) -> Any:
    """Parse the text, which may have a record in each line."""
    try:
        content = json.loads(text, object_pairs_hook=partial(_check_record, file_name))
    except RecursionError:
        content = None  # nested too deeply for a table
    except json.JSONDecodeError as error:
        content, torn = [], []
        for number, line in enumerate(text.splitlines(), 1):
            try:
                if line.strip():
                    content.append(
                        json.loads(line, object_pairs_hook=partial(_check_record, file_name))
                    )
            except json.JSONDecodeError:
                torn.append(number)
        if torn:
            in_lines = _all_instances(content, dict) or (content and torn[0] > 1)
            where = f"in {format_line_numbers(torn)}" if in_lines else error
            raise ValueError(f"{file_name} is not JSON: {where}; write it again") from None
    return content


def _check_record(file_name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Check that no name occurs twice in a record."""
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = dict.fromkeys(name for name in names if names.count(name) > 1)
        raise ValueError(
            f"{file_name} has {format_labels(twice)} twice in a record; keep one of each"
        )
    return record


def _build_table(file_name: str, content: Any) -> pd.DataFrame:
    """Build the table in parsed JSON."""
    if rows := _find_rows(content):
        if aside := [name for name in content if name not in rows]:
            warn_user(f"{file_name}: set aside, unlike the rows beside: {format_labels(aside)}")
        content = rows
    if records := _unfold_lists(content) if isinstance(content, dict | list) else []:
        return pd.json_normalize(records).astype(object)
    if _all_instances(content, dict):
        return pd.json_normalize(content).astype(object)
    if _all_instances(content, list) and len(content) > 1:
        return build_frame(file_name, [(n, ["" if c is None else c for c in row])
                                for n, row in enumerate(content, 1)], None)  # fmt: skip
    if isinstance(content, dict) and content:
        values = list(content.values())
        if all(isinstance(value, dict) for value in values):
            return _read_nested_dicts(file_name, content)
        lengths = {len(value) for value in values if isinstance(value, list)}
        if all(isinstance(value, list) for value in values) and len(lengths) == 1:
            return pd.DataFrame(content, dtype=object)
    raise ValueError(
        f"{file_name} is JSON, but no table; give a list of records, {{column: [cells]}} or lines"
    )


def _find_tables(
    content: Any, is_table: Callable[[Any], bool] | None = None, name: str = ""
) -> dict[str, Any]:
    """Find the outermost tables under nested names, {"results": ...}, by their paths.

    >>> _find_tables({"config": {"k": 5}, "results": {"A": {"t": 1}, "B": {"t": 2}}})
    {'results': {'A': {'t': 1}, 'B': {'t': 2}}}
    """
    if (is_table or _is_table)(content):
        return {name: content}
    results: dict[str, Any] = {}
    for inner, value in content.items() if isinstance(content, dict) else ():
        results |= _find_tables(value, is_table, f"{name}.{inner}" if name else inner)
    return results


def _is_table(content: Any) -> bool:
    """Return whether these are records, named rows, or the tasks of each system."""
    if isinstance(content, dict) and all(_all_instances(part, dict) for part in content.values()):
        rows = [row for part in content.values() for row in part]
        named = any(is_named_like(name, TASKS) for row in rows for name in row)
        return len(content) > 1 and named and _role_of_parts(rows) == "system"
    return _all_instances(content, dict) or bool(_find_rows(content))


def _find_rows(content: Any) -> dict[str, dict[str, Any]]:
    """Find rows under their names: most have most of the columns; empty for other content.

    There may be settings, texts and numbers, too, unless these are of one system.

    >>> _find_rows({"A": {"t": 1}, "B": {"t": 2}, "about": {"date": "May"}, "n": 5})
    {'A': {'t': 1}, 'B': {'t': 2}}
    """
    if not isinstance(content, dict) or any(is_named_like(name, SYSTEMS) for name in content):
        return {}
    cells = {name: _flatten_names(row) for name, row in content.items() if isinstance(row, dict)}
    columns = Counter(column for row in cells.values() for column in row)
    usual = {column for column, number in columns.items() if 2 * number > len(cells)}
    rows = {name: content[name] for name, row in cells.items()
            if usual & {*row} or _has_scores(row) or len(cells) < 3}  # fmt: skip
    others = [cell for name, cell in content.items() if name not in cells]
    are_few = not any(isinstance(cell, list) for cell in others) and len(others) < len(rows)
    is_even = 0 < len({column for name in rows for column in cells[name]}) <= 2 * len(usual)
    return rows if len(rows) > 1 and are_few and is_even else {}


def _has_scores(record: dict[str, Any]) -> bool:
    """Return whether numbers in a record are more than counts and settings by their names."""
    bare = {name.rpartition(".")[2]: cell for name, cell in record.items()}
    return any(is_number(cell) and not (is_metadata_name(name) or is_named_like(name, COUNTS))
               for name, cell in bare.items())  # fmt: skip


def _find_record_lists(content: Any) -> dict[str, Any]:
    """Find lists of records under nested names, {"results": [...]}, by their paths."""
    return _find_tables(content, lambda part: _all_instances(part, dict))


def _all_instances(content: object, kind: type) -> bool:
    return isinstance(content, list) and bool(content) and all(isinstance(c, kind) for c in content)


def _is_helm_table(content: object) -> bool:
    """Return whether it is a table of HELM's: a header and rows of cells, each a record."""
    return (
        isinstance(content, dict)
        and _all_instances(content.get("header"), dict)
        and _all_instances(content.get("rows"), list)
        and all(_all_instances(row, dict) for row in content["rows"])
    )


def _list_helm_table(file_name: str, table: dict[str, Any]) -> FileTable:
    names = [str(cell.get("value", "")) for cell in table["header"]]
    rows = [[cell.get("value", "") for cell in row] for row in table["rows"]]
    numbered = [*enumerate([names, *rows], 1)]
    lower = [name for name, cell in zip(names, table["header"], strict=True)
             if cell.get("lower_is_better") and not is_average_name(name)]  # fmt: skip

    def build(header_rows: int | None) -> pd.DataFrame:
        if lower:
            warn_user(
                f"{file_name}: lower is better on {format_labels(lower)}; name them in "
                f"lower_is_better"
            )
        return build_frame(file_name, numbered, header_rows or 1)

    read = FileTable.from_rows(file_name, str(table.get("title") or ""), numbered)
    return replace(read, build=build)


def _unfold_lists(content: Any) -> list[dict[str, Any]]:
    """Write the records in the one list of each part as rows, with the name and texts of the part.

    >>> _unfold_lists({"A": {"by": "x", "runs": [{"seed": 1, "acc": 5.0}]}})
    [{'system': 'A', 'by': 'x', 'seed': 1, 'acc': 5.0}]
    >>> _unfold_lists([{"name": "t", "n": 9, "results": [{"model": "A", "acc": 5.0}]}])
    [{'task': 't', 'n': 9, 'model': 'A', 'acc': 5.0}]
    """
    parts = content.items() if isinstance(content, dict) else (("", part) for part in content)
    named = [(name, part, [*_find_record_lists(part).values()]) for name, part in parts]
    inner = [row for _, _, lists in named for rows in lists for row in rows]
    role = _role_of_parts(inner)
    other = {"system": "task", "task": "system"}[role]
    results = []
    for name, part, lists in named:
        cells = part if isinstance(part, dict) else {}
        texts = {key: cell for key, cell in cells.items() if not isinstance(cell, dict | list)}
        has_more = any(isinstance(cell, dict) and not _find_record_lists(cell)
                       for cell in cells.values())  # fmt: skip
        if len(lists) != 1 or has_more or _has_scores(texts):
            return []  # the parts are rows with scores of their own
        key = next((key for key, cell in texts.items() if isinstance(cell, str)), None)
        if not name:
            key = "name" if "name" in texts else key
            name = texts.pop(key) if key is not None else None
        if not isinstance(name, str):
            return []
        kinds = {"system": SYSTEMS, "task": frozenset(TASKS)}
        label = next((kind for kind, names in kinds.items() if is_named_like(key, names)), role)
        for row in lists[0]:
            again = {other if key == "name" else key: cell for key, cell in row.items()}
            results.append({label: name} | texts | again)
    return results


def _role_of_parts(rows: Sequence[dict[str, Any]]) -> str:
    """Return what the parts of a file are whose lists hold these rows: systems, or tasks."""
    fields = {name: cell for row in rows for name, cell in row.items()}
    if any(is_named_like(name, SYSTEMS) for name in fields):
        return "task"
    texts = {name: cell for name, cell in fields.items() if isinstance(cell, str)}
    are_systems = not texts or any(
        is_named_like(name, TASKS) or (name == "name" and is_known_metric(cell))
        for name, cell in texts.items()
    )
    return "system" if are_systems else "task"


def _normalize_pandas_json(content: dict[str, Any]) -> Any:
    """Convert pandas' form "table" to records, and "split" to rows under their names."""
    if "columns" not in content:
        return content["data"]
    names = [str(tuple(n)) if isinstance(n, list) else n for n in content["columns"]]
    rows, index = content["data"], content.get("index", range(len(content["data"])))
    index = [" / ".join(map(str, n)) if isinstance(n, list) else n for n in index]
    if list(index) == list(range(len(rows))):
        return [names, *rows]
    labelled = ([name, *row] for name, row in zip_longest(index, rows, fillvalue=""))
    return [["system", *names], *labelled]


def _lift_systems(file_name: str, content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Bring the names of systems to the top, if those at the top are of tasks.

    >>> _lift_systems("f", {"A": {"mmlu": {"acc": 1}}, "B": {"mmlu": {"acc": 2}}})
    {'A': {'mmlu': {'acc': 1}}, 'B': {'mmlu': {'acc': 2}}}
    """
    paths = dict(_list_paths(content))
    for depth in range(1, max(map(len, paths))):
        names = [path[depth] for path in paths if len(path) > depth]
        if len({*names}) < 2 or not rows_look_like_tasks(pd.Index([*content]), pd.Index(names)):
            continue
        rows: dict[str, dict[str, Any]] = {name: {} for name in names}
        for path, cell in paths.items():
            if len(path) > depth:
                rows[path[depth]][".".join(path[:depth] + path[depth + 1 :])] = cell
        warn_user(
            f"{file_name} has names within names: {format_labels(rows, 2)} are read as "
            f"systems, and {format_labels(content, 2)} as tasks"
        )
        return rows
    return content


def _list_paths(
    content: dict[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the cells of names within names, each with its path."""
    for name, cell in content.items():
        if isinstance(cell, dict):
            yield from _list_paths(cell, (*above, name))
        else:
            yield (*above, name), cell


def _read_nested_dicts(file_name: str, content: dict[str, dict[str, Any]]) -> pd.DataFrame:
    """Read nested names: columns of rows, as pandas writes them, or rows of columns."""
    if list(content) == [str(number) for number in range(len(content))]:
        return pd.json_normalize(list(content.values())).astype(object)
    cells = [list(value.values()) for value in content.values()]
    mixed = any(len({is_number(cell) for cell in row if cell is not None}) > 1 for row in cells)
    if mixed or any(isinstance(cell, dict | list) for row in cells for cell in row):
        # These are rows, because the cells of a column would be of one kind.
        content = _lift_systems(file_name, content)
        records = [{"system": name, **cells} for name, cells in content.items()]
        return pd.json_normalize(records).astype(object)
    frame = pd.DataFrame(
        {name: pd.Series(column, dtype=object) for name, column in content.items()}
    )
    if set(frame.index) == {str(number) for number in range(len(frame))}:
        return frame.reset_index(drop=True)
    metrics = 2 * sum(map(is_known_metric, frame.index)) >= len(frame.index)
    metrics &= not any(map(is_known_metric, frame.columns))
    if metrics or rows_look_like_tasks(frame.index, frame.columns):
        frame = frame.T
    warn_user(
        f"{file_name} has names within names: {format_labels(frame.columns, 2)} are read as tasks, "
        f"and {format_labels(frame.index, 2)} as systems; if it is the other way round, give "
        "transpose=True"
    )
    return frame
