"""Reading leaderboards whose cells were padded for the eye, and naming their systems."""

import re
from collections.abc import Iterable
from pathlib import Path

import pandas as pd


def numbered(names: Iterable[str]) -> list[str]:
    """Number the names that several systems share, since a label must be unique.

    >>> numbered(["RefBERT", "T5", "RefBERT"])
    ['RefBERT (1)', 'T5', 'RefBERT (2)']
    """
    given = pd.Series(list(names), dtype=object)
    count = given.groupby(given).cumcount() + 1
    shared = given.duplicated(keep=False)
    return [
        f"{name} ({number})" if is_shared else name
        for name, number, is_shared in zip(given, count, shared, strict=True)
    ]


def read_submissions(path: Path, model_field: int) -> pd.DataFrame:
    """Read a leaderboard as copied from its web page: the team, the model and more in one cell.

    The first cell of a row holds fields parted by tabs or many blanks. The model's name is that of
    number `model_field`, from 0; a baseline, printed under its team's name, has it in its last one.
    """
    with path.open(encoding="utf-8") as stream:
        header = [cell.strip() for cell in stream.readline().split(",")]
    table = pd.read_csv(path, header=None, skiprows=1, skipinitialspace=True, dtype=str)
    # XTREME's rows have an empty cell after the name, of which the header knows nothing.
    table = table.dropna(axis="columns", how="all").set_axis(header, axis="columns")
    fields = [re.split(r"\t|\s{2,}", cell.strip()) for cell in table.pop("Model")]
    models = [found[min(model_field, len(found) - 1)].strip(" -") for found in fields]
    numbers = {name: cells.str.strip().to_numpy(float) for name, cells in table.items()}
    return pd.DataFrame(numbers, index=pd.Index(numbered(models), name="system"))
