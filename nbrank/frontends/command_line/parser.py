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
With no file, the shipped example is ranked."""

EXAMPLES = """\
examples:
  nbrank scores.csv                          who is first, and how sure is that
  nbrank scores.csv --lower-is-better latency --picture picture.svg --report page.html
  nbrank scores.csv --rule mean --rule copeland --missing ignore
  nbrank scores.csv --winners --weights accuracy=2 latency=0.5
  nbrank scores.csv --rule optimality_gap --option gamma=95 --format json
  nbrank long.csv --system model --task benchmark --score accuracy
  nbrank battles.csv --left model_a --right model_b --winner winner --rule copeland

--columns shows how each column was read: columns that hold no scores (sizes, links,
averages) are named and left out, and losses, errors and times count the lower the
better. An
empty cell, NA, NaN, None, null or - is a missing score. A column called instance,
question or the like beside that of the systems makes scores of single instances;
one called seed, sample or the like then tells their runs apart, which are averaged,
and one called passage, user or the like holds instances that are drawn together.
Two rows of names are the groups and the tasks. The name - is standard input."""


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
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    asking.add_argument("--version", action="store_true", help="print the version")
    asking.add_argument("--list-rules", action="store_true", help="list the rules")
    asking.add_argument(
        "files", nargs="*", metavar="file",
        help="a table of scores, comparisons or ballots; or several files of one",
    )  # fmt: skip

    asked = asking.add_argument_group("what to compute")
    asked.add_argument(
        "--rule",
        action="append",
        metavar="RULE",
        help="a rule (see --list-rules), or all; may be given several times (else borda, with its "
        "rank sets and the ranks under four others)",
    )
    only = asked.add_mutually_exclusive_group()
    only.add_argument("--winners", action="store_true", help="only who wins under each rule")
    only.add_argument("--confidence", action="store_true", help="which ranks each system may have")
    asked.add_argument(
        "--since",
        metavar="FILE",
        help="an older table of scores, read alike: what changed since, and by what",
    )
    _add_choice(asked, "missing", "how a missing score counts")
    _add_choice(asked, "ties", "the points of tied systems")
    _add_choice(asked, "levels", "1 pools all instances, 2 ranks within tasks")
    asked.add_argument(
        "--errors", action="store_true", help="count with the standard errors that the file has"
    )
    others = "any other argument of the rule, its value as JSON: gamma=95, variant=margins"
    _add_multi_value(asked, "--option", "NAME=VALUE", others, default=[])

    read = asking.add_argument_group("how to read the scores")
    read.add_argument(
        "--columns", action="store_true", help="only print how each column was read, and why"
    )
    roles = 'what columns are, as TOML or JSON: "COLUMN" = "ROLE" in each line'
    read.add_argument("--roles", metavar="FILE", help=roles)
    called = "the systems' column (else one called model, system or the like, else the first)"
    _add_multi_value(read, "--systems", "COLUMN", called, extra=("--index-col",))
    _add_multi_value(read, "--tasks", "COLUMN", "the tasks, and no other columns")
    _add_multi_value(read, "--metadata", "COLUMN", "columns that describe the systems")
    _add_multi_value(read, "--drop", "COLUMN", "the same")
    read.add_argument("--transpose", action="store_true", help="tasks are in rows")
    _add_choice(read, "duplicates", "what becomes of several rows of a system")
    read.add_argument("--groups", action="store_true", help="the file's first row names groups")
    read.add_argument("--table", metavar="N|NAME", help="which table of a page, or sheet of a book")
    _add_multi_value(read, "--na", "CELL", "further marks of a missing score: DNF '??'")
    _add_multi_value(read, "--where", "COLUMN=CELL", "only the rows that hold this")
    weights = "weights of tasks or groups (1 where not named), or the word balanced"
    _add_multi_value(read, "--weights", "TASK=WEIGHT", weights)
    lower = "the tasks where a lower score is better; alone, all of them"
    _add_multi_value(read, "--lower-is-better", "TASK", lower, nargs="*")
    _add_multi_value(read, "--higher-is-better", "TASK", "the tasks where a higher one is")

    long = asking.add_argument_group("a file of one score a row")
    _add_multi_value(long, "--system", "COLUMN", "the column of the system")
    _add_multi_value(
        long,
        "--task",
        "COLUMN",
        "the column of the task, or those of its group and its name; of a wide file, one more task",
    )
    _add_multi_value(long, "--score", "COLUMN", "the column of the score, or several")
    _add_multi_value(
        long, "--instance", "COLUMN", "the column of the instance of the task, or several"
    )
    for role, answers in (
        ("run", "of the run, seed or fold, which are averaged"),
        ("cluster", "of what holds instances that are drawn together"),
        ("stderr", "of its standard error: rank sets then follow from it"),
        ("n", "of the number of instances: the same, of shares of so many"),
        ("low", "of the low end of its 95 %% interval"),
        ("high", "of the high end"),
    ):
        long.add_argument(f"--{role}", metavar="COLUMN", help=f"the column {answers}")

    compared = asking.add_argument_group("a file of comparisons, a row for each")
    compared.add_argument("--left", metavar="COLUMN", help="the column of the one system")
    compared.add_argument("--right", metavar="COLUMN", help="the column of the other")
    who = "the winner's name or side, or tie; or a column for each judge"
    _add_multi_value(compared, "--winner", "COLUMN", who)
    compared.add_argument("--loser", metavar="COLUMN", help="the loser's name: no sides then")
    _add_multi_value(compared, "--tie", "WORD", "further words for a tie")
    compared.add_argument(
        "--sides", nargs=2, metavar="WORD", help="what the winner is called of the left and right"
    )
    compared.add_argument("--weight", metavar="COLUMN", help="the weight of each comparison")

    written = asking.add_argument_group("how to write the result")
    _add_choice(written, "format", "by default the ending of --output, else a table to read")
    written.add_argument("--output", metavar="FILE", help="write there, not to standard output")
    written.add_argument(
        "--picture", metavar="FILE", help="draw the leaderboard: .svg, .png, .pdf or .html"
    )
    written.add_argument("--report", metavar="FILE", help="write a report on it: .html")
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
