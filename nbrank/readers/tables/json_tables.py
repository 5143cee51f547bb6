"""Reader of tables in JSON: records, JSON lines, columns, nested names, or pandas' forms."""

from __future__ import annotations

import json
from ast import literal_eval
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import Any

import pandas as pd

from nbrank.readers.tables.cell_parsing import is_number, is_text_number
from nbrank.readers.tables.file_tables import FileTable, build_frame, format_line_numbers
from nbrank.readers.tables.missing_marks import flatten_cells
from nbrank.readers.tables.task_directions import is_known_metric
from nbrank.votes.formatting import format_labels
from nbrank.votes.table.data_warnings import rows_look_like_tasks
from nbrank.votes.table.name_heuristics import is_average_name
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
    results = content.get("results", {})
    if _is_named_rows(results) and any("," in key for row in results.values() for key in row):
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
    if _all_instances(content, dict):
        return pd.json_normalize(_flatten_records(content)).astype(object)
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
    """Return whether these are records, or rows under their names."""
    return _all_instances(content, dict) or _is_named_rows(content)


def _is_named_rows(content: Any) -> bool:
    """Return whether these are rows under their names: most rows have most of the columns."""
    if not isinstance(content, dict) or len(content) < 2:
        return False
    rows = [_flatten_names(row) for row in content.values() if isinstance(row, dict)]
    columns = Counter(name for row in rows for name in row)
    usual = [name for name, number in columns.items() if 2 * number > len(rows)]
    return len(rows) == len(content) and 0 < len(columns) <= 2 * len(usual)


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


def _flatten_records(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Flatten records of tables, {"name": ..., "results": [{...}]}, to records of their rows."""
    inside = [[rows for value in record.values() for rows in _find_record_lists(value).values()]
              for record in records]  # fmt: skip
    names = [next((cell for cell in record.values() if isinstance(cell, str)), None)
             for record in records]  # fmt: skip
    names = [record.get("name", name) for record, name in zip(records, names, strict=True)]
    values = [value for record in records for value in record.values()]
    if any(
        is_number(value) or (isinstance(value, dict) and not _find_record_lists(value))
        for value in values
    ):
        return records  # the rows have their own scores
    if any(len(tables) != 1 for tables in inside) or not all(isinstance(n, str) for n in names):
        return records
    return [{"task": n, **row} for n, (rows,) in zip(names, inside, strict=True) for row in rows]


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


def _read_nested_dicts(file_name: str, content: dict[str, dict[str, Any]]) -> pd.DataFrame:
    """Read nested names: columns of rows, as pandas writes them, or rows of columns."""
    if list(content) == [str(number) for number in range(len(content))]:
        return pd.json_normalize(list(content.values())).astype(object)
    cells = [list(value.values()) for value in content.values()]
    mixed = any(len({is_number(cell) for cell in row if cell is not None}) > 1 for row in cells)
    # Records of records are systems with the metrics of their tasks.
    mixed |= all(isinstance(cell, dict) for row in cells for cell in row)
    if mixed:
        # These are rows, because the cells of a column would be of one kind.
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
