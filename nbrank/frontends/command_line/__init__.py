"""The command `nbrank`: rank a file of scores from the shell.

Results go to standard output or to `--output`, everything else to standard error. Problems are
reported there, a line for each, and the exit status is then 2.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import pandas as pd

import nbrank
from nbrank.comparison.rules_side_by_side import resolve_rules
from nbrank.findings.best_set_text import describe_confidence
from nbrank.findings.best_set_text import describe_small_sample
from nbrank.frontends.command_line.first_look import format_summary, summarize
from nbrank.frontends.command_line import flags
from nbrank.frontends.command_line import inputs
from nbrank.frontends.command_line.inputs import CliInput, print_note
from nbrank.frontends.command_line.parser import CHOICES, build_parser, parse_option
from nbrank.readers.tables.error_collector import ErrorCollector, error_text
from nbrank.rules.registry import RULES, Rule, get_rule
from nbrank.votes.formatting import format_labels, join_truncated
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.reading import column_key

# Options of rules that concern the scores.
SCORE_OPTIONS = ("weights", "groups", "lower_is_better")

# The most tasks of a turned table that --columns lists below its columns.
MOST_TASKS = 40

# Exit status of a command whose reader has closed the pipe: 128 + SIGPIPE.
EXIT_BROKEN_PIPE = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        The arguments after the command's name; None takes `sys.argv`.

    Returns
    -------
    int
        The exit status: 0, 2 if the request or the file is refused, 141 if the pipe is closed.

    Examples
    --------
    >>> main(["--winners", "--rule", "borda"])
    borda     SS-MoE
    0
    """
    words = sys.argv[1:] if arguments is None else arguments
    request = build_parser().parse_args(words, argparse.Namespace(words=words))
    request.file = request.files[0] if request.files else None
    try:
        with _print_warnings():
            _write(_run_request(request), request.output)
    except BrokenPipeError:
        # This is necessary because Python flushes standard output once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except (OSError, TypeError, ValueError, RuntimeError, ImportError) as error:
        for line in error_text(error).splitlines():
            line = flags.name_roles_file(line, request.roles)
            line = flags.rewrite_as_flags(line)
            if request.tasks and not request.task:  # both give the role of tasks
                line = re.sub(r"--task\b", "--tasks", line)
            print_note(f"error: {line}")
        return 2
    except Exception as error:  # noqa: BLE001 - a log of CI needs one line
        print_note(f"error: {type(error).__name__}: {error} (a bug in nbrank: please report it)")
        return 2
    return 0


# ------------------------------------------------------------------------------------- the answer


@dataclass(frozen=True)
class _LoadedRequest:
    """Votes, rules and options of a request, and the layout of its answer."""

    source: CliInput
    older: Leaderboard | None
    errors: pd.DataFrame | None
    rules: list[Rule]
    options: dict[str, Any]
    layout: str
    #: Whether the first look is asked for, and not the ranking by some rules.
    looks: bool

    @property
    def functions(self) -> dict[str, partial[pd.DataFrame]]:
        """The rules by name, with their options."""
        return {rule.name: partial(rule.function, **self.options) for rule in self.rules}


def _run_request(request: argparse.Namespace) -> str:
    problems = ErrorCollector()
    for name, words in CHOICES.items():
        word = getattr(request, name)
        if word is not None and word not in words:
            problems.add(f"--{name} {word}: unknown word; choose {', '.join(words)}")
            setattr(request, name, None)
    by_ending = {".csv": "csv", ".json": "json"}
    layout = request.format or by_ending.get(Path(request.output or "").suffix.lower(), "table")
    if request.version:
        return f"nbrank {version('nbrank')}\n"
    if request.list_rules:
        problems.raise_all()
        return _rules_text(layout)
    loaded = _load_request(request, layout, problems)
    if request.columns:
        return _reading_text(loaded.source, layout)
    return _format_answer(request, loaded)


def _load_request(
    request: argparse.Namespace, layout: str, problems: ErrorCollector
) -> _LoadedRequest:
    """Load the votes, rules and options of a request, and report all that is wrong with it."""
    with problems.collect():
        source, errors = inputs.load_input(request)
        older = inputs.load_older_scores(request, source)
    options: dict[str, Any] = {}
    with problems.collect():
        options |= _parse_rule_options(request)
    names = [name.replace("-", "_") for name in request.rule or ()]
    rules = []
    for name in dict.fromkeys(names) if "all" not in names else ():
        with problems.collect():
            rules.append(get_rule(name))
    with problems.collect():
        _check_options(rules, options)
    # Changes are by one rule, with a first look by the same rule.
    is_since_one = request.since is not None and len(rules) == 1
    looks = not (request.winners or request.confidence) and (is_since_one or not request.rule)
    _check_flags(request, names, options, looks, problems)
    if request.columns and problems.errors:
        inputs.print_first_cells(request)
    problems.raise_all()
    if not rules and ("all" in names or request.winners):
        rules = [RULES[name] for name in resolve_rules(None, source.provides)]
    return _LoadedRequest(source, older, errors, rules, options, layout, looks)


def _check_flags(
    request: argparse.Namespace,
    names: Sequence[str],
    options: Mapping[str, Any],
    looks: bool,
    problems: ErrorCollector,
) -> None:
    """Record the flags that don't go together, and files whose names end in something else."""
    beside = [name for name in options if name != "missing"]
    wrong = {
        "--confidence is not allowed with --winners; give one of them": (
            request.winners and request.confidence
        ),
        "--confidence takes a single rule; give --rule once": (
            request.confidence and (len(names) > 1 or "all" in names)
        ),
        f"--report does not take {format_labels(beside)}; leave the option out": (
            request.report is not None and beside
        ),
        "--since says what changed by one rule: give --rule once at most, and neither "
        "--winners nor --confidence; or add --report": (
            request.since is not None and not (looks or request.report)
        ),
    }
    for flag, endings in (("picture", (".svg", ".png", ".pdf", ".html")), ("report", (".html",))):
        name = getattr(request, flag)
        text = f"--{flag} {name}: the name has to end in {' or '.join(endings)}"
        wrong[text] = name is not None and Path(name).suffix not in endings
    for text in (text for text, is_wrong in wrong.items() if is_wrong):
        problems.add(text)


def _format_answer(request: argparse.Namespace, loaded: _LoadedRequest) -> str:
    """Rank the votes, write the pages that are asked for, and format the answer."""
    source, rules, options = loaded.source, loaded.rules, loaded.options
    _check_rules_support(rules, source)
    main = rules[0] if rules else RULES[source.default_rule]
    _check_options(rules or [main], options)
    unscored = source.unscored
    if len(unscored) == len(source.systems):
        raise ValueError(
            f"{request.file}: no system has a score, so there is nothing to rank; give at least "
            f"one score on a task with a weight"
        )
    if not (rules or options or request.confidence) and main.name == "bradley_terry":
        main = _fall_back(main, source)
    _write_pages(request, source, main, options, loaded.errors, loaded.older)
    # The verdict of a first look lists them otherwise.
    if len(unscored) and not (loaded.looks and loaded.layout == "table"):
        print_note(f"warning: left out, without a single score: {format_labels(unscored)}")
    if loaded.looks:
        return _first_look_text(request, loaded, main)
    errors = loaded.errors
    errors = None if errors is None else errors.drop(index=unscored, errors="ignore")
    scored = replace(loaded, source=cast("CliInput", source.drop_unscored()), errors=errors)
    if request.winners:
        return _winners_text(nbrank.winners(scored.source, scored.functions), scored.layout)
    if request.confidence:
        return _confidence_text(scored.source, main, options, errors, scored.layout)
    return _ranks_text(request, scored)


def _text_width(request: argparse.Namespace) -> int | None:
    """Return the width of a terminal; a file or a pipe gets whole names and lines."""
    folds = request.output is None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if folds else None


def _first_look_text(request: argparse.Namespace, loaded: _LoadedRequest, rule: Rule) -> str:
    table, verdict = summarize(loaded.source, rule, loaded.options, loaded.errors, loaded.older)
    if loaded.layout == "table":
        return format_summary(table, verdict, rule.name, _text_width(request))
    return _ranking_text(table, loaded.layout)


def _ranks_text(request: argparse.Namespace, loaded: _LoadedRequest) -> str:
    """Format the ranking by one rule, with a note of its facts, or the ranks by several."""
    if len(loaded.rules) > 1:
        ranks = nbrank.compare(loaded.source, loaded.functions)
        return _ranking_text(ranks, loaded.layout, _text_width(request))
    ((name, function),) = loaded.functions.items()
    ranked = function(loaded.source)
    attributes = {key: fact for key, fact in ranked.attrs.items() if key != "rule"}
    if attributes:
        facts = (fact if key == "note" else f"{key} {fact}" for key, fact in attributes.items())
        print_note(f"{name}: {', '.join(facts)}")
    return _ranking_text(ranked, loaded.layout)


def _fall_back(rule: Rule, source: CliInput) -> Rule:
    """Return the rule if it can rank these, else Copeland's, and print a note."""
    try:
        rule.function(source)
    except ValueError as error:
        print_note(f"{flags.rewrite_as_flags(str(error))}; ranked by copeland instead")
        return RULES["copeland"]
    return rule


def _write_pages(
    request: argparse.Namespace,
    source: CliInput,
    rule: Rule,
    options: Mapping[str, Any],
    errors: pd.DataFrame | None,
    older: Leaderboard | None,
) -> None:
    """Draw the picture and write the report, if requested."""
    missing = options.get("missing")
    if request.picture is not None:
        asked = partial(rule.function, **options)
        nbrank.picture(source, asked, errors=errors, missing=missing).save(request.picture)
    if request.report is not None:
        from nbrank.frontends.report_page import Origin, report

        page = report(source, rule.name, missing=missing, errors=errors, since=older)
        paths = [*request.files, *filter(None, [request.since])]
        replace(page, origin=Origin.from_command(request.words, paths)).save(request.report)
    for name in filter(None, (request.picture, request.report)):
        print_note(f"wrote {name}")


def _parse_rule_options(request: argparse.Namespace) -> dict[str, Any]:
    """Parse the rule's options from its own flags and from --option."""
    named = {"missing": request.missing, "ties": request.ties}
    named["levels"] = None if request.levels is None else int(request.levels)
    options = {name: value for name, value in named.items() if value is not None}
    problems = ErrorCollector()
    for text in request.option:
        with problems.collect():
            name, value = parse_option(text)
            if name in options:
                problems.add(f"{name} is given twice; give it once")
            if name in SCORE_OPTIONS:
                flag = name.replace("_", "-")
                problems.add(f"{name} belongs to the scores, not to a rule; use --{flag}")
            options[name] = value
    problems.raise_all()
    return options


def _check_options(rules: Sequence[Rule], options: Mapping[str, Any]) -> None:
    problems = ErrorCollector()
    for name in options:
        without = [rule.name for rule in rules if name not in rule.parameters]
        if without:
            taking = [rule.name for rule in RULES.values() if name in rule.parameters]
            problems.add(
                f"{name!r} is not an option of {format_labels(without)}, "
                f"but of {format_labels(taking) if taking else 'no rule at all'}"
            )
    for rule in rules:
        lacking = [name for name in rule.arguments if name not in options]
        if lacking:
            needed = " ".join(f"{name}=..." for name in lacking)
            problems.add(f"{rule.name} needs --option {needed}")
    problems.raise_all()


def _check_rules_support(rules: Sequence[Rule], source: CliInput) -> None:
    unfit = [rule.name for rule in rules if not rule.supports(source.provides)]
    if unfit:
        other = "scores" if source.has_scores else "comparisons"
        raise ValueError(f"{other} can't be ranked by {format_labels(unfit)}; choose another rule")


# ------------------------------------------------------------------------------------- the output


def _confidence_text(
    source: CliInput,
    rule: Rule,
    options: Mapping[str, Any],
    errors: pd.DataFrame | None,
    layout: str,
) -> str:
    sets = nbrank.rank_confidence(source, rule.name, seed=0, errors=errors, **options)
    few = describe_small_sample(sets)
    sure = f"the ranks have, for all at once, {describe_confidence(sets, source)}"
    print_note(f"{few} to tell any pair of systems apart" if few else sure)
    return _ranking_text(sets, layout)


def _reading_text(source: CliInput, layout: str) -> str:
    """Format how each column was read."""
    if source.reading is None:
        raise ValueError("--columns goes with a file: give one first")
    columns = pd.DataFrame(source.reading)
    # Rows of a turned table are tasks, too.
    named = [] if columns["direction"].notna().any() else source.reading.directed
    cells = pd.concat([columns, pd.DataFrame(named)[:MOST_TASKS]], ignore_index=True)
    cells["column"] = list(map(column_key, cells["column"]))
    cells["doubt"] = list(map(flags.rewrite_as_flags, cells["doubt"]))
    texts = cells.astype(object).where(cells.notna(), "")
    rows = [tuple(texts.columns), *texts.itertuples(index=False, name=None)]
    return _format_result(layout, cells, _format_columns(rows))


def _ranking_text(frame: pd.DataFrame, layout: str, width: int | None = None) -> str:
    table = frame.rename_axis(index=None).to_string(line_width=width) + "\n"
    return _format_result(layout, frame.rename_axis(index="system").reset_index(), table)


def _winners_text(winners: pd.Series, layout: str) -> str:
    names = [join_truncated(list(map(str, who))) for who in winners]
    listed = winners.explode().rename("winner").rename_axis("rule").reset_index()
    table = _format_columns(list(zip(winners.index, names, strict=True)))
    return _format_result(layout, listed, table, winners.to_dict())


def _rules_text(layout: str) -> str:
    rules = [
        {
            "rule": rule.name,
            "family": rule.family,
            "needs": list(rule.arguments),
            "options": [name for name in rule.parameters if name not in SCORE_OPTIONS],
            "answers": rule.answers,
        }
        for rule in RULES.values()
    ]
    frame = pd.DataFrame(rules)
    flat = frame.map(lambda cell: " ".join(cell) if isinstance(cell, list) else cell)
    columns = frame[["rule", "family", "answers"]].itertuples(index=False, name=None)
    return _format_result(layout, flat, _format_columns(list(columns)), rules)


def _format_result(layout: str, rows: pd.DataFrame, table: str, document: object = None) -> str:
    """Write rows as CSV, or as JSON unless there is a document of its own, or else the table."""
    if layout == "csv":
        return rows.to_csv(index=False, lineterminator="\n")
    if layout == "table":
        return table
    if document is None:
        document = rows.astype(object).where(rows.notna(), None).to_dict(orient="records")
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _format_columns(rows: Sequence[tuple[Any, ...]]) -> str:
    """Format rows of words, each column as wide as its longest word."""
    widths = [max(len(str(word)) for word in column) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(f"{word:<{width}}" for word, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _write(text: str, output: str | None) -> None:
    if output is not None:
        Path(output).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


@contextmanager
def _print_warnings() -> Iterator[None]:
    heard = set[object]()

    def show_warning(message: Warning | str, category: type[Warning], *_: object) -> None:
        text = flags.rewrite_as_flags(str(message))
        # A report examines parts of the table, whose warnings would repeat those of the whole.
        what = category if issubclass(category, nbrank.LeaderboardWarning) else text
        if what in heard:
            return
        heard.add(what)
        # A warning about columns set aside in reading a file lists them all.
        print_note(f"warning: {text if category is UserWarning else flags.shorten_lists(text)}")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)  # such as compare's, if a rule fails
        warnings.showwarning = show_warning  # type: ignore[assignment]
        yield
