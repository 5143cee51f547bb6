"""Parser of the command line's arguments."""

import argparse
import json
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


#: Headings, and below each its options: flags | what they take, - nothing | help.
OPTIONS = """
how to read the scores
--columns | - | only how each column was read, and why
--lower-is-better | [TASK ...] | tasks where lower is better (without names: all tasks)
--higher-is-better | TASK ... | tasks where higher is better
--roles | FILE | file of column roles, TOML or JSON: one "COLUMN" = "ROLE" per line
--systems --index-col | COLUMN ... | column of system names (default: one named model, system or
    the like, else the first)
--tasks | COLUMN ... | columns to rank as tasks; all others are left out
--metadata | COLUMN ... | columns that describe the systems; not ranked
--drop | COLUMN ... | same as --metadata
--transpose | - | read rows as tasks
--duplicates | WORD | treatment of several rows of one system: {duplicates}
--groups | - | the first row names task groups
--table | N|NAME | table of a page, or sheet of a workbook
--na | CELL ... | further marks of a missing score, such as DNF '??'
--where | COLUMN=CELL ... | use only the rows with these cells
--weights | TASK=WEIGHT ... | weights of tasks or groups (default: 1), or the word balanced
what to compute
--rule | RULE | rule (see --list-rules), or all; may be repeated (default: borda with its rank sets,
    and the ranks under four other rules)
--winners | - | only the winners under each rule
--confidence | - | only the rank set of each system
--since | FILE | older table of scores, read with the same options: show what changed, and why
--missing | WORD | treatment of missing scores: {missing}
--ties | WORD | points of tied systems: {ties}
--levels | WORD | 1: pool all instances; 2: rank within tasks first: {levels}
--errors | - | use the standard errors in the file
--option | NAME=VALUE ... | any other argument of the rule, with its value as JSON: gamma=95,
    variant=margins
a file with one score per row
--system | COLUMN ... | column of the system
--task | COLUMN ... | column of the task, or columns of its group and name; in a wide file, a
    further task
--score | COLUMN ... | column of the score, or several
--instance | COLUMN ... | column of the instance, or several
--run | COLUMN | column of the run, seed or fold; runs are averaged
--cluster | COLUMN | column of the cluster: instances that are resampled together
--stderr | COLUMN | column of the standard error, from which rank sets are computed
--n | COLUMN | column of the number of instances; scores are then shares with binomial standard
    errors
--low | COLUMN | column of the lower end of the 95 %% interval
--high | COLUMN | column of the upper end
a file with one comparison per row
--left | COLUMN | column of the first system
--right | COLUMN | column of the second system
--winner | COLUMN ... | column of the winner's name or side, or tie; or one column per judge
--loser | COLUMN | column of the loser (without sides)
--tie | WORD ... | further words for a tie
--sides | WORD WORD | words for left and right wins
--weight | COLUMN | column of the comparison's weight
how to write the result
--format | WORD | format (default: by the ending of --output, else table): {format}
--output | FILE | file to write, not standard output
--picture | FILE | draw the leaderboard to a .svg, .png, .pdf or .html file
--report | FILE | write a report to an .html file
"""


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
    files = "table of scores, comparisons or ballots; several files form one table"
    asking.add_argument("files", nargs="*", metavar="FILE", help=files)
    group: argparse._ActionsContainer = asking
    words = {name: ", ".join(choices) for name, choices in CHOICES.items()}
    for line in OPTIONS.format_map(words).replace("\n    ", " ").strip().splitlines():
        flags, *rest = line.split(" | ")
        if rest:
            taken, answers = rest
            group.add_argument(*flags.split(), help=answers, **_argument_kind(flags, taken))
        else:
            group = asking.add_argument_group(line)
    return asking


def _argument_kind(flags: str, words: str) -> dict[str, Any]:
    """Say how a flag takes its words, as argparse calls it."""
    if words == "-":
        return {"action": "store_true"}
    metavar, *more = words.strip("[]").split()
    if more == ["..."]:
        several: dict[str, Any] = {"action": "extend", "nargs": "*" if words[0] == "[" else "+"}
        return several | {"metavar": metavar, "default": [] if flags == "--option" else None}
    action = "append" if flags == "--rule" else "store"
    return {"action": action, "metavar": metavar, "nargs": 2 if more else None}


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
