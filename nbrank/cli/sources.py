"""What the command line is to rank: scores or comparisons, from a file or the shipped example."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pandas as pd

import nbrank
from nbrank import datasets
from nbrank.readers.arena_battles import anonymous
from nbrank.readers.cell_texts import read_column
from nbrank.readers.problems import Problems
from nbrank.readers.score_tables import Reading, look_for_scores
from nbrank.readers.table_files import read_table
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import named

Source = Leaderboard | Comparisons

#: The options that say how to read a file of scores.
READING = tuple(Reading.__annotations__)
#: What the two sides are called in files of battles.
SIDES = (
    ("model_a", "model_b"), ("left", "right"), ("system_a", "system_b"), ("player_a", "player_b"),
    ("model_1", "model_2"),
)  # fmt: skip


def say(message: str) -> None:
    """Tell the user something in one line that is no part of the result."""
    print(f"nbrank: {' '.join(message.split())}", file=sys.stderr)


def source_of(request: argparse.Namespace) -> tuple[Source, pd.DataFrame | None]:
    """Read what is to be ranked, and how far the scores may be off where a column says so."""
    if request.file is None:
        # A flag that takes several words takes the file behind them as well.
        for name in ("weights", "lower_is_better", "drop"):
            if files := [word for word in getattr(request, name) or () if Path(word).is_file()]:
                raise ValueError(
                    f"--{name.replace('_', '-')}: {files[0]!r} is a file, and was read as one "
                    f"more; put it first"
                )
    given = {side: getattr(request, side) for side in ("left", "right", "winner", "loser")}
    sides = {side: column for side, column in given.items() if column is not None}
    if sides or request.weight is not None:
        return _comparisons(request, sides), None
    problems = Problems()
    options: dict[str, Any] = {}
    if request.weights is not None:
        with problems.noted():
            options["weights"] = _weights(request.weights)
    if request.lower_is_better is not None:
        options["lower_is_better"] = request.lower_is_better or True
    table = None
    with problems.noted():
        table = _table(request)
    if table is None and request.file is not None:
        problems.refuse()
    if table is not None and not _said_how_to_read(request):
        sides = _sides_of(table)
        if sides:
            words = " ".join(f"--{side} {column}" for side, column in sides.items())
            say(f"{request.file} holds comparisons, read as {words}")
            return _comparisons(request, sides, anonymous(table)), None
    found = None if table is None else _scores(request, table, problems)
    scores, errors = (_example(request), None) if table is None else found or (None, None)
    for name, value in options.items():
        with problems.noted(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is to be told of the scores is told below
            if scores is not None:
                Leaderboard(pd.DataFrame(0.0, ["A", "B"], scores.columns), **{name: value})
            elif table is not None:
                _refuse_unheard_of(name, value, table)
    problems.refuse()
    return Leaderboard(cast("pd.DataFrame", scores), **options), errors


def _refuse_unheard_of(option: str, value: Any, table: pd.DataFrame) -> None:
    """Refuse names that stand nowhere in a table of which nobody can tell the tasks."""
    names = [*value] if isinstance(value, dict | list) else []
    heard_of = {*map(str, table.columns), *map(str, table.to_numpy().ravel())}
    if lost := [name for name in names if name not in heard_of]:
        raise ValueError(f"{option}: {named(lost)} stands nowhere in the file; leave it out")


def _weights(given: Sequence[str]) -> dict[str, float] | str:
    if list(given) == ["balanced"]:
        return "balanced"
    weights: dict[str, float] = {}
    problems = Problems()
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            name = ""
        if not name:
            problems.note(f"--weights: {text!r} is not of the form TASK=WEIGHT")
        elif name in weights:
            problems.note(f"--weights: {name!r} is weighted twice; name it once")
        else:
            weights[name] = weight
    problems.refuse()
    return weights


def _comparisons(
    request: argparse.Namespace, sides: Mapping[str, str], frame: pd.DataFrame | None = None
) -> Comparisons:
    if request.file is None or list(sides) not in (
        ["left", "right", "winner"],
        ["winner", "loser"],
    ):
        raise ValueError(
            "comparisons need a file, and its columns by --left, --right and --winner, or by "
            "--winner and --loser"
        )
    for name in (*READING, "groups", "weights", "lower_is_better"):
        # A bare --lower-is-better is an empty list.
        if getattr(request, name) not in (None, False):
            raise ValueError(f"--{name.replace('_', '-')} does not go with comparisons")
    if frame is None:
        frame = read_table(_opened(request.file), 1)
    if request.weight in frame.columns:
        read = read_column(frame[request.weight])
        if read.wrong:
            cell = frame[request.weight].iloc[read.wrong[0]]
            raise ValueError(
                f"{request.file}: weights must be numbers, but {request.weight!r} holds {cell!r}"
            )
        frame[request.weight] = read.values
    return nbrank.from_comparisons(frame, **sides, weight=request.weight)


def _said_how_to_read(request: argparse.Namespace) -> bool:
    return any(getattr(request, name) not in (None, False) for name in READING)


def _sides_of(table: pd.DataFrame) -> dict[str, str]:
    """The columns of a file of battles, where they are called as such files call them."""
    for left, right in SIDES:
        if {left, right, "winner"} <= set(table.columns):
            return {"left": left, "right": right, "winner": "winner"}
    found = {side: side for side in ("winner", "loser")}
    return found if set(found) <= set(table.columns) else {}


def _table(request: argparse.Namespace) -> pd.DataFrame | None:
    if request.file is None:
        return None
    if request.groups and request.file.lower().endswith(".parquet"):
        raise ValueError("--groups is for CSV: Parquet keeps the columns (group, task) itself")
    return read_table(_opened(request.file), 2 if request.groups else None)


def _scores(
    request: argparse.Namespace, table: pd.DataFrame, problems: Problems
) -> tuple[pd.DataFrame, pd.DataFrame | None] | None:
    """The scores of a file's table, if they can be told, and their errors if they are asked for."""
    said = {name: getattr(request, name) for name in READING}
    found, wrong = look_for_scores(
        table, **{name: value for name, value in said.items() if value is not None}
    )
    problems.errors += wrong.errors
    if found is None:
        return None
    scores, errors = found.frames()
    # Of a single score for each system there is nothing else that says how sure the ranks are.
    single = errors.shape[1] == 1 == errors.index.nlevels
    alone = single and bool(errors.notna().all(axis=None))
    return scores, errors if alone or request.stderr or request.n else None


def _opened(file: str) -> str | bytes:
    """What to read from: the file, or for - what comes by standard input."""
    return sys.stdin.buffer.read() if file == "-" else file


def _example(request: argparse.Namespace) -> pd.DataFrame:
    if request.groups or _said_how_to_read(request):
        raise ValueError("--systems, --groups and the like say how to read a file: give one first")
    say("no file given: this is the shipped example, superglue_submissions")
    return datasets.load_superglue_submissions()
