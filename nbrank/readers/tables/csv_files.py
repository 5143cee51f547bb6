"""Reader of CSV files with exact floats under every version of pandas."""

from __future__ import annotations

from pathlib import Path
from typing import IO, Any

import pandas as pd

_VERSION = [int(part) for part in pd.__version__.split(".")[:2]]
# From 3.1 on pandas is exact by default, and warns if the option is set.
_EXACT_OPTIONS: dict[str, Any] = {} if _VERSION >= [3, 1] else {"float_precision": "round_trip"}


def read_csv(file: str | Path | IO[bytes], **options: Any) -> pd.DataFrame:
    r"""Read a CSV file as pandas does, each number as the nearest one that a float can hold.

    Before its version 3.1, pandas misses the last bit of many numbers of 16 or 17 digits, so that
    scores would tie or not by the version.

    >>> import io
    >>> read_csv(io.BytesIO(b"system,score\nA,0.1\n"), index_col="system")["score"].tolist()
    [0.1]
    """
    frame: pd.DataFrame = pd.read_csv(file, **_EXACT_OPTIONS, **options)
    return frame
