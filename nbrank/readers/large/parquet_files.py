"""Parquet files of a long table: how they are listed, checked, and read in batches of rows."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from numpy.typing import NDArray

from nbrank.readers.large.long_columns import LongColumns, Paths
from nbrank.readers.tables.error_collector import unreadable_error
from nbrank.votes.formatting import Label, format_labels

#: Number of rows read at a time.
_ROWS_IN_BATCH = 1 << 17
#: Number of bytes of a column that are read from a file at a time.
_BUFFER = 1 << 20


@dataclass(frozen=True)
class LongFile:
    """A file that has all columns, or whose folders (`partition_values`) name them."""

    path: str
    columns: LongColumns[str]
    open_file: Callable[[], Any]
    partition_values: dict[str, Any]
    instance_type: pa.DataType
    score_type: pa.DataType
    n_rows: int

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield some columns, in batches of rows."""
        inside = [name for name in columns if name not in self.partition_values]
        # A dictionary is small, because names of systems and tasks are few.
        few = [name for name in inside if name in (self.columns.system, self.columns.task)]
        try:
            # The buffer is small, because a row group may be as large as the file.
            with pq.ParquetFile(
                self.open_file(), read_dictionary=few, buffer_size=_BUFFER, pre_buffer=False
            ) as file:
                # A batch without any column would lose its number of rows.
                for batch in file.iter_batches(_ROWS_IN_BATCH, columns=inside or None):
                    arrays = [
                        pa.repeat(pa.scalar(self.partition_values[name]), len(batch))
                        if name in self.partition_values
                        else batch.column(name)
                        for name in columns
                    ]
                    yield pa.record_batch(arrays, names=list(columns))
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable_error(self.path, error) from error


def list_files(path: Paths, columns: LongColumns[str]) -> list[LongFile]:
    """List the files in their order, and check each."""
    # Otherwise the folders `model=01` and `model=1` would be read as integers, so as one model.
    # The schema is not read from the first file, because an error would not name that file.
    text = pa.schema([(name, pa.string()) for name in dict.fromkeys(columns.all_names)])
    paths = _list_paths(path)
    results: list[LongFile | None] = []
    for item in paths:
        try:
            fragments = ds.dataset(item, schema=text, format="parquet", partitioning="hive")
        except FileNotFoundError as error:
            absent = unreadable_error(os.fspath(item), error)
            if set("*?[") & set(os.fspath(item)):
                absent.add_note(
                    "a pattern is not looked up: give the files, sorted(glob.glob(...))"
                )
            raise absent from None
        ordered = sorted(fragments.get_fragments(), key=lambda file: file.path)
        results += [_validate_file(file, columns) for file in ordered]
    if not results:
        raise ValueError(
            f"no Parquet file in {format_labels(map(str, paths)) or 'an empty list'}; give a file, "
            "folder or list"
        )
    files = [file for file in results if file is not None]
    for file in files[1:]:
        if file.instance_type != files[0].instance_type:
            kinds = [f"{type_name(one.instance_type)} in {one.path}" for one in (files[0], file)]
            raise TypeError(
                f"{columns.instance!r} holds {' and '.join(kinds)}; name the instances in one way"
            )
    return files


def _list_paths(path: object) -> list[str | os.PathLike[str]]:
    """List the paths of files and folders, in their order."""
    if isinstance(path, str | os.PathLike):
        return [path]
    # A set is not accepted: the order of the files decides that of the systems and tasks.
    if isinstance(path, Iterable) and not isinstance(path, pd.DataFrame | bytes | Set | Mapping):
        paths = list(path)
        if all(isinstance(item, str | os.PathLike) for item in paths):
            return paths
    advice = "; nbrank.from_long takes a frame" if isinstance(path, pd.DataFrame) else ""
    raise TypeError(
        f"from_parquet takes a path or a list of paths, not {type(path).__name__}{advice}"
    )


def _validate_file(fragment: Any, columns: LongColumns[str]) -> LongFile | None:
    """Check that a file has all columns, of readable types; return None if it has no rows."""
    columns = columns.with_location(f" in {fragment.path}")
    try:
        schema, n_rows = fragment.physical_schema, fragment.metadata.num_rows
    except (pa.ArrowInvalid, OSError) as error:
        advice = (
            "where a folder holds other files too, give those to be read: "
            "sorted(pathlib.Path(folder).glob('*.parquet'))"
        )
        raise unreadable_error(fragment.path, error, advice) from error
    types = {column.name: column.type for column in schema}
    of_folder = {
        name: value
        for name, value in ds.get_partition_keys(fragment.partition_expression).items()
        if name not in types
    }
    columns.check([*schema.names, *of_folder])
    if not n_rows:
        # A file without rows may have no types.
        return None
    types |= {name: pa.scalar(value).type for name, value in of_folder.items()}
    for name in (columns.system, columns.task):
        if pa.types.is_nested(types[name]):
            raise TypeError(
                f"{name!r} holds {types[name]} values{columns.location}; name every one by text or "
                "a number"
            )
    score = types[columns.score]
    numbers = ("floating", "integer", "boolean", "decimal", "null")
    if not any(getattr(pa.types, f"is_{kind}")(score) for kind in numbers):
        raise TypeError(
            f"scores must be numbers, but {columns.score!r} holds something else{columns.location};"
            " convert them"
        )
    instance = common_instance_type(types[columns.instance], columns)
    return LongFile(fragment.path, columns, fragment.open, of_folder, instance, score, n_rows)


def decimals_to_floats(decimals: pa.Array, columns: LongColumns[str]) -> pa.Array:
    """Convert decimals to the nearest floats; fail if two would become equal."""
    # The digits are parsed, because pyarrow's cast may be off by a bit: 0.1 would be two numbers.
    floats = decimals.cast(pa.string()).cast(pa.float64())
    again = floats.cast(pa.string()).cast(decimals.type)
    if pc.all(pc.equal(again, decimals)).as_py() is False:
        raise ValueError(
            f"{format_labels([columns.score])} holds decimals of more digits than floats have"
            f"{columns.location}, which can't be told apart as floats; round them"
        )
    return floats


def common_instance_type(names: pa.DataType, columns: LongColumns[Any]) -> pa.DataType:
    """Return the type in which the names of instances are matched."""
    if pa.types.is_dictionary(names):
        names = names.value_type
    if pa.types.is_integer(names):
        return pa.uint64() if pa.types.is_uint64(names) else pa.int64()
    if str(names) in ("string", "large_string", "string_view"):
        return pa.large_string()
    raise TypeError(
        f"{columns.instance!r} holds {type_name(names)}{columns.location}; name the instances by "
        "integers or text"
    )


def type_name(names: pa.DataType) -> str:
    """Describe the type of instances' names in words."""
    words = {"int64": "integers", "uint64": "unsigned integers", "large_string": "text"}
    return words.get(str(names), f"{names} values")


def encode_new_names(
    names: pa.Array, known_names: dict[Label, int], column: str, columns: LongColumns[str]
) -> NDArray[np.int64]:
    """Return the number of each row's name; names that are new get the next numbers."""
    coded = _dictionary_encode(names)
    labels = coded.dictionary.to_pylist()
    if coded.null_count:
        raise columns.missing_name_error([column])
    new = np.array([label not in known_names for label in labels], dtype=np.bool_)
    # A dictionary's entries may be in another order than the rows, or have no row.
    codes = coded.indices.to_numpy()
    if new.any():
        for code in pd.unique(codes[new[codes]]).tolist():
            if pd.isna(labels[code]):
                raise columns.missing_name_error([column])
            known_names.setdefault(labels[code], len(known_names))
    return encode_names(coded, known_names)


def _dictionary_encode(names: pa.Array) -> pa.DictionaryArray:
    return names if pa.types.is_dictionary(names.type) else names.dictionary_encode()


def encode_names(names: pa.Array, known: dict[Label, int]) -> NDArray[np.int64]:
    """Return the number of each row's name."""
    coded = _dictionary_encode(names)
    labels = coded.dictionary.to_pylist()
    number = np.array([known.get(label, -1) for label in labels], dtype=np.int64)
    numbers: NDArray[np.int64] = number[coded.indices.to_numpy()]
    return numbers


def hash_names(names: pa.Array) -> NDArray[np.uint64]:
    """Hash each name, so that neighbors fall far apart."""
    return pd.util.hash_array(names.to_numpy(zero_copy_only=False), categorize=False)
