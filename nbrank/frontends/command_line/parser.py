"""Parser of the command line's arguments."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.frontends.command_line.inputs import print_note
from nbrank.readers.tables.parsed_scores import Duplicates

DESCRIPTION = """\
Rank the systems of a leaderboard by voting rules. The file is a table with a row
for each system and a column for each task, or with a row for each score, or for
each comparison of two systems; CSV, TSV, Excel, JSON, Parquet, Markdown or HTML.
With no file, the shipped example is ranked.

  nbrank scores.csv                            who is first, and how sure that is
  nbrank scores.csv --columns                  how each column was read, and why
  nbrank scores.csv --lower-is-better latency  where a lower score is better"""

EXAMPLES = """\
more examples:
  nbrank scores.csv --picture picture.svg --report page.html
  nbrank scores.csv --rule mean --rule copeland --missing ignore
  nbrank scores.csv --winners --weights accuracy=2 latency=0.5
  nbrank scores.csv --rule optimality_gap --option gamma=95 --format json
  nbrank long.csv --system model --task benchmark --score accuracy
  nbrank battles.csv --left model_a --right model_b --winner winner --rule copeland

Columns that hold no scores (sizes, links, averages) are named and left out; for
losses, errors and times lower is better. An empty cell, NA, NaN, None, null or - is
a missing score. With a column named instance or question, each row has the scores
of one instance; a column named seed or sample numbers its runs, which are averaged,
and a column named passage or user groups instances that are resampled together.
With two rows of names, the first names groups of tasks. The file name - is standard
input."""


#: Options that take one of a few words.
CHOICES: dict[str, tuple[str, ...]] = {
    "missing": get_args(Missing),
    "ties": get_args(Ties),
    "levels": ("1", "2"),
    "duplicates": get_args(Duplicates),
    "format": ("table", "csv", "json"),
}


class _Parser(argparse.ArgumentParser):
    """Parser whose errors are one line, because the usage of many options would hide them."""

    def error(self, message: str) -> NoReturn:
        print_note(f"error: {message} (see nbrank --help)")
        raise SystemExit(2)


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of the command's arguments."""
    asking = _Parser(
        prog="nbrank",
        usage="nbrank [options] [FILE ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    asking.add_argument("--version", action="store_true", help="print the version")
    asking.add_argument("--list-rules", action="store_true", help="list the rules")
    asking.add_argument(
        "files", nargs="*", metavar="FILE",
        help="table of scores, comparisons or ballots; several files form one table",
    )  # fmt: skip

    read = asking.add_argument_group("how to read the scores")
    read.add_argument(
        "--columns", action="store_true", help="only how each column was read, and why"
    )
    lower = "tasks where lower is better (without names: all tasks)"
    _add_multi_value(read, "--lower-is-better", "TASK", lower, nargs="*")
    _add_multi_value(read, "--higher-is-better", "TASK", "tasks where higher is better")
    roles = 'file of column roles, TOML or JSON: one "COLUMN" = "ROLE" per line'
    read.add_argument("--roles", metavar="FILE", help=roles)
    called = "column of system names (default: one named model, system or the like, else the first)"
    _add_multi_value(read, "--systems", "COLUMN", called, extra=("--index-col",))
    _add_multi_value(read, "--tasks", "COLUMN", "columns to rank as tasks; all others are left out")
    _add_multi_value(read, "--metadata", "COLUMN", "columns that describe the systems; not ranked")
    _add_multi_value(read, "--drop", "COLUMN", "same as --metadata")
    read.add_argument("--transpose", action="store_true", help="read rows as tasks")
    _add_choice(read, "duplicates", "treatment of several rows of one system")
    read.add_argument("--groups", action="store_true", help="the first row names task groups")
    read.add_argument("--table", metavar="N|NAME", help="table of a page, or sheet of a workbook")
    _add_multi_value(read, "--na", "CELL", "further marks of a missing score, such as DNF '??'")
    _add_multi_value(read, "--where", "COLUMN=CELL", "use only the rows with these cells")
    weights = "weights of tasks or groups (default: 1), or the word balanced"
    _add_multi_value(read, "--weights", "TASK=WEIGHT", weights)

    asked = asking.add_argument_group("what to compute")
    asked.add_argument(
        "--rule",
        action="append",
        metavar="RULE",
        help="rule (see --list-rules), or all; may be repeated (default: borda with its rank sets, "
        "and the ranks under four other rules)",
    )
    only = asked.add_mutually_exclusive_group()
    only.add_argument("--winners", action="store_true", help="only the winners under each rule")
    only.add_argument("--confidence", action="store_true", help="only the rank set of each system")
    since = "older table of scores, read with the same options: show what changed, and why"
    asked.add_argument("--since", metavar="FILE", help=since)
    _add_choice(asked, "missing", "treatment of missing scores")
    _add_choice(asked, "ties", "points of tied systems")
    _add_choice(asked, "levels", "1: pool all instances; 2: rank within tasks first")
    asked.add_argument("--errors", action="store_true", help="use the standard errors in the file")
    others = "any other argument of the rule, with its value as JSON: gamma=95, variant=margins"
    _add_multi_value(asked, "--option", "NAME=VALUE", others, default=[])

    long = asking.add_argument_group("a file with one score per row")
    _add_multi_value(long, "--system", "COLUMN", "column of the system")
    task = "column of the task, or columns of its group and name; in a wide file, a further task"
    _add_multi_value(long, "--task", "COLUMN", task)
    _add_multi_value(long, "--score", "COLUMN", "column of the score, or several")
    _add_multi_value(long, "--instance", "COLUMN", "column of the instance, or several")
    for role, answers in (
        ("run", "of the run, seed or fold; runs are averaged"),
        ("cluster", "of the cluster: instances that are resampled together"),
        ("stderr", "of the standard error, from which rank sets are computed"),
        ("n", "of the number of instances; scores are then shares with binomial standard errors"),
        ("low", "of the lower end of the 95 %% interval"),
        ("high", "of the upper end"),
    ):
        long.add_argument(f"--{role}", metavar="COLUMN", help=f"column {answers}")

    compared = asking.add_argument_group("a file with one comparison per row")
    compared.add_argument("--left", metavar="COLUMN", help="column of the first system")
    compared.add_argument("--right", metavar="COLUMN", help="column of the second system")
    who = "column of the winner's name or side, or tie; or one column per judge"
    _add_multi_value(compared, "--winner", "COLUMN", who)
    compared.add_argument("--loser", metavar="COLUMN", help="column of the loser (without sides)")
    _add_multi_value(compared, "--tie", "WORD", "further words for a tie")
    compared.add_argument("--sides", nargs=2, metavar="WORD", help="words for left and right wins")
    compared.add_argument("--weight", metavar="COLUMN", help="column of the comparison's weight")

    written = asking.add_argument_group("how to write the result")
    _add_choice(written, "format", "format (default: by the ending of --output, else table)")
    written.add_argument("--output", metavar="FILE", help="file to write, not standard output")
    picture = "draw the leaderboard to a .svg, .png, .pdf or .html file"
    written.add_argument("--picture", metavar="FILE", help=picture)
    written.add_argument("--report", metavar="FILE", help="write a report to an .html file")
    return asking


def _add_choice(group: argparse._ArgumentGroup, name: str, answers: str) -> None:
    """Add an option that takes one of a few words; all such options are checked together."""
    words = ", ".join(CHOICES[name])
    group.add_argument(f"--{name}", metavar="WORD", help=f"{answers}: {words}")


def _add_multi_value(
    group: argparse._ArgumentGroup,
    flag: str,
    metavar: str,
    answers: str,
    extra: Sequence[str] = (),
    **options: Any,
) -> None:
    """Add a flag that takes several words and may be repeated."""
    options = {"nargs": "+", **options}
    group.add_argument(flag, *extra, action="extend", metavar=metavar, help=answers, **options)


def parse_option(text: str) -> tuple[str, Any]:
    """Parse an argument of a rule, whose value is JSON, or a word as in variant=margins."""
    name, sign, value = text.partition("=")
    if not (name and sign):
        behind = "; put the file first" if Path(text).is_file() else ""
        raise ValueError(f"--option: {text!r} is not of the form NAME=VALUE{behind}")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value
