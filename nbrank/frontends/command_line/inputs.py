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
from nbrank.readers.hosts.arena_battles import select_anonymous
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.error_collector import ErrorCollector
from nbrank.readers.tables.score_tables import ReadOptions, find_scores
from nbrank.readers.tables.table_files import read_table
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard

CliInput = Leaderboard | Comparisons

#: The options that say how to read a file of scores.
READ_OPTION_NAMES = tuple(ReadOptions.__annotations__)
#: What the two sides are called in files of battles.
COMPARISON_COLUMNS = (
    ("model_a", "model_b"), ("left", "right"), ("system_a", "system_b"), ("player_a", "player_b"),
    ("model_1", "model_2"),
)  # fmt: skip


def print_note(message: str) -> None:
    """Tell the user something in one line that is no part of the result."""
    print(f"nbrank: {' '.join(message.split())}", file=sys.stderr)


def load_input(args: argparse.Namespace) -> tuple[CliInput, pd.DataFrame | None]:
    """Read what is to be ranked, and how far the scores may be off where a column says so."""
    if args.file is None:
        # A flag that takes several words takes the file behind them as well.
        for name in ("weights", "lower_is_better", "drop"):
            if files := [word for word in getattr(args, name) or () if Path(word).is_file()]:
                raise ValueError(
                    f"--{name.replace('_', '-')}: {files[0]!r} is a file, and was read as one "
                    f"more; put it first"
                )
    arguments = {side: getattr(args, side) for side in ("left", "right", "winner", "loser")}
    sides = {side: column for side, column in arguments.items() if column is not None}
    if sides or args.weight is not None:
        return _load_comparisons(args, sides), None
    problems = ErrorCollector()
    options: dict[str, Any] = {}
    if args.weights is not None:
        with problems.collect():
            options["weights"] = _parse_weights(args.weights)
    if args.lower_is_better is not None:
        options["lower_is_better"] = args.lower_is_better or True
    table = None
    with problems.collect():
        table = _load_table(args)
    if table is None and args.file is not None:
        problems.raise_all()
    if table is not None and not _has_read_options(args):
        sides = _infer_comparison_columns(table)
        if sides:
            words = " ".join(f"--{side} {column}" for side, column in sides.items())
            print_note(f"{args.file} holds comparisons, read as {words}")
            return _load_comparisons(args, sides, select_anonymous(table)), None
    result = None if table is None else _find_scores(args, table, problems)
    scores, errors = (_load_example(args), None) if table is None else result or (None, None)
    for name, value in options.items():
        with problems.collect(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is to be told of the scores is told below
            if scores is not None:
                Leaderboard(pd.DataFrame(0.0, ["A", "B"], scores.columns), **{name: value})
            elif table is not None:
                _check_names_occur(name, value, table)
    problems.raise_all()
    return Leaderboard(cast("pd.DataFrame", scores), **options), errors


def load_older_scores(args: argparse.Namespace) -> Leaderboard:
    """Read the older table of `--since`, with the flags of the new one."""
    older, _ = load_input(argparse.Namespace(**vars(args) | {"file": args.since}))
    if not isinstance(older, Leaderboard):
        raise ValueError(f"--since {args.since}: an older table of scores is wanted")
    return older


def _check_names_occur(option: str, value: Any, table: pd.DataFrame) -> None:
    """Refuse names that stand nowhere in a table of which nobody can tell the tasks."""
    names = [*value] if isinstance(value, dict | list) else []
    heard_of = {*map(str, table.columns), *map(str, table.to_numpy().ravel())}
    if lost := [name for name in names if name not in heard_of]:
        raise ValueError(
            f"{option}: {format_labels(lost)} stands nowhere in the file; leave it out"
        )


def _parse_weights(given: Sequence[str]) -> dict[str, float] | str:
    if list(given) == ["balanced"]:
        return "balanced"
    weights: dict[str, float] = {}
    problems = ErrorCollector()
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            weight = float(number)
        except ValueError:
            name = ""
        if not name:
            problems.add(f"--weights: {text!r} is not of the form TASK=WEIGHT")
        elif name in weights:
            problems.add(f"--weights: {name!r} is weighted twice; name it once")
        else:
            weights[name] = weight
    problems.raise_all()
    return weights


def _load_comparisons(
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
    for name in (*READ_OPTION_NAMES, "groups", "weights", "lower_is_better"):
        # A bare --lower-is-better is an empty list.
        if getattr(request, name) not in (None, False):
            raise ValueError(f"--{name.replace('_', '-')} does not go with comparisons")
    if frame is None:
        frame = read_table(_open_input(request.file), 1)
    if request.weight in frame.columns:
        read = parse_column(frame[request.weight])
        if read.unparsed_rows:
            cell = frame[request.weight].iloc[read.unparsed_rows[0]]
            raise ValueError(
                f"{request.file}: weights must be numbers, but {request.weight!r} holds {cell!r}"
            )
        frame[request.weight] = read.values
    return nbrank.from_comparisons(frame, **sides, weight=request.weight)


def _has_read_options(request: argparse.Namespace) -> bool:
    return any(getattr(request, name) not in (None, False) for name in READ_OPTION_NAMES)


def _infer_comparison_columns(table: pd.DataFrame) -> dict[str, str]:
    """The columns of a file of battles, where they are called as such files call them."""
    for left, right in COMPARISON_COLUMNS:
        if {left, right, "winner"} <= set(table.columns):
            return {"left": left, "right": right, "winner": "winner"}
    results = {side: side for side in ("winner", "loser")}
    return results if set(results) <= set(table.columns) else {}


def _load_table(request: argparse.Namespace) -> pd.DataFrame | None:
    if request.file is None:
        return None
    if request.groups and request.file.lower().endswith(".parquet"):
        raise ValueError("--groups is for CSV: Parquet keeps the columns (group, task) itself")
    return read_table(_open_input(request.file), 2 if request.groups else None)


def _find_scores(
    request: argparse.Namespace, table: pd.DataFrame, problems: ErrorCollector
) -> tuple[pd.DataFrame, pd.DataFrame | None] | None:
    """The scores of a file's table, if they can be told, and their errors if they are asked for."""
    texts = {name: getattr(request, name) for name in READ_OPTION_NAMES}
    result, wrong = find_scores(
        table, **{name: value for name, value in texts.items() if value is not None}
    )
    problems.errors += wrong.errors
    if result is None:
        return None
    scores, errors = result.frames()
    # Of a single score for each system there is nothing else that says how sure the ranks are.
    single = errors.shape[1] == 1 == errors.index.nlevels
    alone = single and bool(errors.notna().all(axis=None))
    return scores, errors if alone or request.stderr or request.n else None


def _open_input(file: str) -> str | bytes:
    """What to read from: the file, or for - what comes by standard input."""
    return sys.stdin.buffer.read() if file == "-" else file


def _load_example(request: argparse.Namespace) -> pd.DataFrame:
    if request.groups or _has_read_options(request):
        raise ValueError("--systems, --groups and the like say how to read a file: give one first")
    print_note("no file given: this is the shipped example, superglue_submissions")
    return datasets.load_superglue_submissions()
