"""Input of the command line: scores or comparisons, from a file or the shipped example."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pandas as pd

from nbrank import datasets
from nbrank.readers.hosts.log_detection import read_log
from nbrank.readers.tables.board_from_scores import build_board
from nbrank.readers.tables.comparison_tables import read_votes
from nbrank.readers.tables.error_collector import ErrorCollector
from nbrank.readers.tables.parsed_scores import ScoresWithErrors
from nbrank.readers.tables.roles import known_warnings, load_roles
from nbrank.readers.tables.table_reader import find_scores, load_frame, select_rows
from nbrank.votes.comparison_outcomes import TIE_WORDS
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.reading import column_key
from nbrank.votes.user_warnings import remember_warnings

CliInput = Leaderboard | Comparisons

#: Flag -> the role that it gives to columns; messages use the first flag of a role.
ROLE_FLAGS = {
    "system": "system", "systems": "system", "task": "task", "tasks": "task", "score": "score",
    "metadata": "description", "drop": "description", "instance": "instance", "run": "run",
    "cluster": "cluster", "stderr": "error", "low": "low", "high": "high", "n": "n",
    "weight": "weight", "left": "left", "right": "right", "winner": "winner", "loser": "loser",
    "higher_is_better": "higher",
}  # fmt: skip
#: Names of the other options about reading a file.
READ_OPTION_NAMES = ("roles", "transpose", "duplicates", "where", "na", "table", "groups")


def print_note(message: str) -> None:
    """Print a one-line note that is not part of the result."""
    print(f"nbrank: {' '.join(message.split())}", file=sys.stderr)


def load_input(
    args: argparse.Namespace, newer: CliInput | None = None
) -> tuple[CliInput, pd.DataFrame | None]:
    """Read the scores or comparisons, and the scores' errors if a column holds them.

    What the flags name has to occur in the `newer` table if there is one, not in this one.
    """
    if args.file is None:
        return _load_example(args)
    problems = ErrorCollector()
    options = _parse_score_options(args, problems)
    log = None if _has_roles(args) else read_log(args.files)
    if log is not None:
        return log, log.errors
    said: dict[Any, str] = {}
    kept: dict[str, Any] = {}
    with problems.collect():
        said, kept = _parse_roles(args)
    with remember_warnings(known_warnings(kept, str(args.file))):
        return _load_file(args, said, kept, options, problems, newer)


def _load_file(
    args: argparse.Namespace,
    roles: dict[Any, str],
    kept_options: dict[str, Any],
    options: dict[str, Any],
    problems: ErrorCollector,
    newer: CliInput | None,
) -> tuple[CliInput, pd.DataFrame | None]:
    """Read the votes in a file by these roles, and the options that were kept with them."""
    sides = [role for role in ("left", "right", "winner", "loser") if role in roles.values()]
    if args.groups and sides:
        raise ValueError("--groups does not go with comparisons")
    frame, votes = None, None
    transpose = args.transpose or kept_options.get("transpose")
    # What is refused as votes is hardly a table of scores.
    n_errors = len(problems.errors)
    with problems.collect():
        file_role = roles.pop("file", None) if args.files[1:] else None
        frame = load_table(args, file_role, kept_options)
        if newer is not None:
            roles = _keep_names(roles, frame)
            options = {name: _keep_names(value, frame) for name, value in options.items()}
        votes = None if transpose else _read_votes(args, frame, roles)
    if votes is not None or len(problems.errors) > n_errors:
        problems.raise_all()
    if votes is not None:
        return votes, None
    if args.tie or args.sides:
        raise ValueError("--tie and --sides are for comparisons, but the file holds scores")
    if sides:
        raise ValueError(f"comparisons need --left, --right and --winner, not {sides[0]} alone")
    duplicates = args.duplicates or kept_options.get("duplicates", "refuse")
    result, wrong = find_scores(frame, roles, transpose=transpose, duplicates=duplicates)
    problems.errors += wrong.errors
    _check_options_fit(options, frame, result, problems)
    problems.raise_all()
    whole = cast("ScoresWithErrors", result)
    board = build_board(whole, roles, cast("Any", options))
    # With a single score for each system, only its errors can show how sure the ranks are.
    _, errors = whole.frames()
    single = errors.shape[1] == 1 == errors.index.nlevels
    alone = single and bool(errors.notna().all(axis=None))
    return board, errors if alone or args.stderr or args.n or args.errors else None


def _check_options_fit(
    options: Mapping[str, Any],
    frame: pd.DataFrame | None,
    result: ScoresWithErrors | None,
    problems: ErrorCollector,
) -> None:
    """Record the options that don't fit the tasks of a table, or its cells if these are unknown."""
    for name, value in options.items():
        with problems.collect(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings on scores come with the board
            if result is not None:
                empty = pd.DataFrame(0.0, ["A", "B"], result.scores.columns)
                Leaderboard(empty, **{name: value})
            elif frame is not None and (lost := _lost_names(value, frame)):
                raise ValueError(
                    f"{name}: {format_labels(lost)} does not occur in the file; leave it out"
                )


def _has_roles(args: argparse.Namespace) -> bool:
    """Return whether flags set roles of columns, or select rows or tables."""
    return any(getattr(args, name, None) for name in (*ROLE_FLAGS, *READ_OPTION_NAMES))


def _read_votes(
    args: argparse.Namespace, frame: pd.DataFrame, said: dict[Any, str]
) -> CliInput | None:
    """Read the comparisons or ballots in a file; return None if it holds scores."""
    # A bare --lower-is-better is an empty list.
    names = ("groups", "weights", "lower_is_better")
    given = {name: getattr(args, name) for name in names}
    options = {name: value for name, value in given.items() if value not in (None, False)}
    words: dict[str, Any] = {} if args.sides is None else {"sides": tuple(args.sides)}
    if args.tie:
        words["ties"] = [*TIE_WORDS, *args.tie]
    return read_votes(frame, said, options, **words)


def _parse_roles(request: argparse.Namespace) -> tuple[dict[Any, str], dict[str, Any]]:
    """Collect the roles of columns from a file and from flags, which take precedence.

    Returns the options that the file keeps, too.
    """
    said, kept = load_roles(request.roles)
    for flag, role in ROLE_FLAGS.items():
        named = getattr(request, flag) or ()
        columns = [named] if isinstance(named, str) else list(named)
        if flag == "tasks" and columns and not request.transpose:
            said["*"] = "description"  # all other columns
        if role == "task" and len(columns) > 1 and (flag == "task" or request.transpose):
            said |= dict.fromkeys(columns[:-1], "group") | {columns[-1]: "task"}
        else:
            said |= dict.fromkeys(columns, role)
    return said, kept


def load_older_scores(args: argparse.Namespace, newer: CliInput) -> Leaderboard | None:
    """Read the older table of `--since`, with the flags of the new one; None without it."""
    if args.since is None:
        return None
    older, _ = load_input(
        argparse.Namespace(**vars(args) | {"file": args.since, "files": [args.since]}), newer
    )
    if not isinstance(older, Leaderboard):
        raise ValueError(f"--since {args.since}: expected an older table of scores")
    return older


def _keep_names(value: Any, table: pd.DataFrame) -> Any:
    """Leave out of an option the names that occur nowhere in a table."""
    if not (lost := _lost_names(value, table)):
        return value
    kept = [name for name in value if name not in lost]
    return {name: value[name] for name in kept} if isinstance(value, dict) else kept


def _lost_names(value: Any, table: pd.DataFrame) -> list[Any]:
    """List the names in an option that occur nowhere in a table: no column, no cell."""
    names = [*value] if isinstance(value, dict | list) else []
    heard_of = {"*", *map(column_key, table.columns), *map(str, table.to_numpy().ravel())}
    return [name for name in names if column_key(name) not in heard_of]


def _parse_weights(texts: Sequence[str]) -> dict[str, float] | str:
    if list(texts) == ["balanced"]:
        return "balanced"
    weights: dict[str, float] = {}
    problems = ErrorCollector()
    for text in texts:
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


def load_table(
    request: argparse.Namespace,
    file_role: str | None = None,
    kept: Mapping[str, Any] = MappingProxyType({}),
) -> pd.DataFrame:
    """Load the cells of the rows that are requested."""
    file = sys.stdin.buffer.read() if request.file == "-" else request.file
    if request.groups and request.file.lower().endswith(".parquet"):
        raise ValueError("--groups is for CSV; Parquet keeps the columns (group, task) itself")
    frame = load_frame(
        request.files if request.files[1:] else file,
        table=request.table or kept.get("table"),
        na=request.na or kept.get("na", ()),
        header_rows=2 if request.groups else None,
        file_role=file_role,
    )
    where: dict[str, Any] = {} if request.where else {**kept.get("where", {})}
    for text in request.where or ():
        column, sign, cell = text.partition("=")
        if not (column and sign):
            raise ValueError(f"--where: {text!r} is not of the form COLUMN=CELL")
        where.setdefault(column, []).append(cell)
    return select_rows(frame, where) if where else frame


def _load_example(request: argparse.Namespace) -> tuple[Leaderboard, None]:
    # A flag that takes several words also takes a file that follows them.
    for name in ("weights", "lower_is_better", "drop"):
        if files := [word for word in getattr(request, name) or () if Path(word).is_file()]:
            raise ValueError(
                f"--{name.replace('_', '-')}: {files[0]!r} is a file, but was read as a "
                f"value of the option; put it first"
            )
    flags = [name for name in (*ROLE_FLAGS, *READ_OPTION_NAMES) if getattr(request, name, None)]
    if {"left", "right", "winner", "loser", "weight"} & set(flags):
        raise ValueError("give a file of comparisons, with --left, --right and --winner")
    if flags:
        raise ValueError("--systems, --groups and the like are about a file; give one first")
    print_note("no file given; ranking the shipped example, superglue_submissions")
    problems = ErrorCollector()
    options = _parse_score_options(request, problems)
    problems.raise_all()
    return Leaderboard(datasets.load_superglue_submissions(), **options), None


def _parse_score_options(request: argparse.Namespace, problems: ErrorCollector) -> dict[str, Any]:
    """Parse the weights, and on which tasks lower is better; without names it is on all."""
    options: dict[str, Any] = {}
    if request.weights is not None:
        with problems.collect():
            options["weights"] = _parse_weights(request.weights)
    if request.lower_is_better is not None:
        options["lower_is_better"] = request.lower_is_better or True
    return options


def print_first_cells(request: argparse.Namespace) -> None:
    """Print a note on each column of a file that can't be read as it stands."""
    with suppress(OSError, TypeError, ValueError, ImportError):
        frame = load_table(request)
        for at, name in enumerate(frame.columns):
            cells = ", ".join(map(repr, map(str, frame.iloc[:3, at])))
            print_note(f"column {column_key(name)!r} begins with {cells}")
