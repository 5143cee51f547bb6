"""Assembly of the page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any, Unpack

import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.charts.board_drawing.drawing import draw_overview
from nbrank.comparison.options_of_two_tables import select_table_options
from nbrank.comparison.rules_side_by_side import RuleList, missing_option, resolve_rules
from nbrank.findings.labels import join_labels
from nbrank.findings.missing_text import groups_apart
from nbrank.findings.overview import MAX_DEFAULT_RULES, compute_overview, default_rules
from nbrank.findings.strength_estimates import choose_rule, compute_ratings
from nbrank.findings.verdict import verdict_and_heading
from nbrank.frontends.report_page.confidence_section import (
    contenders_section,
    pairwise_section,
    strengths_section,
)
from nbrank.frontends.report_page.page import Origin, Report
from nbrank.frontends.report_page.score_table import render_score_table
from nbrank.frontends.report_page.section import MANY_SYSTEMS, MAX_CHART_SYSTEMS, ReportContext
from nbrank.frontends.report_page.tasks_section import missing_section, tasks_section
from nbrank.frontends.report_page.winners_section import (
    changes_section,
    rank_changes_section,
    winners_section,
)
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RULES, Rule, RuleLike
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_leaderboard, as_votes
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.required_arguments import name_unknown_keywords, spell_out_options, with_call
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import check_delta

#: The time limit of Kemeny's search among many systems, in seconds.
_KEMENY_SECONDS = 1.0
#: Width of the picture in pixels: for the page, for a sheet of A4, and for a phone.
_WIDTHS = (1120, 672, 320)


@with_call("nbrank.report(scores)")
@name_unknown_keywords
@spell_out_options
def report(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    rules: RuleList = None,
    delta: float = 0.05,
    seed: int = 0,
    missing: Missing | None = None,
    errors: pd.DataFrame | None = None,
    since: pd.DataFrame | Leaderboard | None = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Report:
    """Who wins, which systems may be best, and what does that depend on?

    A page for those who have to defend a leaderboard: the verdict, the leaderboard in one
    picture, and the answers in figures; then a table of all ranks, descriptions and scores, which
    a click sorts, and a section for each question: who wins under which rules, which systems may be
    best, how the ranks move from rule to rule, what is missing and whether it matters, which tasks
    decide, and whether weights do. With an older table, the first section says what changed since.
    The foot has the date, the version, the call, and a hash of the data.

    Parameters
    ----------
    scores
        A frame of scores, a `Leaderboard`, or `Comparisons`. For these, sections on strengths and
        pairwise wins replace those that depend on tasks.
    rule
        The rule whose ranking the page examines, by its name or as a function of
        this library, with its options in a `functools.partial`; None is Borda's, and
        for comparisons Bradley and Terry's, if it can rank them.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`; together with `since`, for both tables.
    rules
        The rules to compare, as for `nbrank.compare`; None takes every rule that
        needs no argument. The page names those that give no ranking, such as
        `kemeny` if it isn't solved within 10 seconds.
    delta
        One minus the confidence with which systems are separated.
    seed
        The seed of the draws behind the confidence sets.
    missing
        How a missing score counts, as for `nbrank.compare`; None leaves each rule its own way.
    errors
        The standard errors of the scores, as for `nbrank.rank_confidence`: how sure
        the ranks are is then by them, and not by the tasks as a sample.
    since
        An older table of the same benchmark, a frame or a `Leaderboard`; as for `nbrank.changes`.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    Report
        Shows itself in a notebook; `.save("page.html")` writes it as one file that needs no
        network, `print` gives the sentences. `.title` is the verdict, `.figures` are the answers
        that are numbers, and `.sections` hold the bars and frames.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the rule is unknown or not of this library,
        needs an argument or fails on the table.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [2, 3, 1]}, index=list("ABC")
    ... )
    >>> page = report(scores, rules=["borda", "plurality", "mean"])
    >>> print(page.sections[0].sentences[0])
    B wins alone under 2 of 3 rules; another wins under 1.
    >>> print(page.sections[4].sentences[0])
    Without t2, A and B are first together.
    """
    arguments = {**locals(), **table}
    del arguments["table"]
    check_delta("report", delta)
    if isinstance(rule, pd.DataFrame | MethodsMixin):
        raise TypeError(
            "report: the second argument is a rule, and this is a table. To say what changed "
            "since an older table, give since=, as in nbrank.report(new, since=old)"
        )
    before = None
    if since is not None:
        before = as_leaderboard(since, **select_table_options(since, scores, table))
        table = select_table_options(scores, since, table)
    votes = as_votes(scores, "", cluster, **table)
    if not isinstance(votes, Comparisons | Leaderboard):
        raise TypeError("report takes a frame, a Leaderboard or Comparisons, and no Tally")
    asked = choose_rule(votes) if rule is None else rule
    known, options = _validate_rule(asked, votes)
    every_rule = list_every_rule(votes) if rules is None else rules
    seen = compute_overview(votes, asked, every_rule, missing=missing)
    seen = seen.with_confidence(asked, seed, delta, errors, missing)
    seen = replace(seen, ratings=compute_ratings(seen.votes, asked, delta))
    case = ReportContext(seen, known, {**options, **missing_option(asked, missing)}, seed)
    sections = [winners_section(case), contenders_section(case, delta), rank_changes_section(case)]
    if before is not None:
        sections.insert(0, changes_section(case, before))
    if isinstance(votes, Comparisons):
        sections += [strengths_section(case, delta), pairwise_section(case, delta)]
    else:
        sections += [missing_section(case), tasks_section(case)]
    known_rules = dict.fromkeys([seen.rule, *default_rules(votes), *seen.winners])
    shown = [label for label in known_rules if label in seen.first_by_rule][:MAX_DEFAULT_RULES]
    values = [label for label in seen.ranks if label in seen.published]
    seen_at_once = replace(seen, ranks=seen.ranks[[*shown, *values]])
    picture, medium, narrow = (
        draw_overview(seen_at_once, MAX_CHART_SYSTEMS, width, title=False) for width in _WIDTHS
    )
    lead = case.describe_input() + _describe_metadata_columns(scores)
    lead += "".join(f" {sentence}" for sentence in case.first_place_caveats)
    if apart := groups_apart(votes):
        lead += f" {apart}."
    if len(shown) < (n_rules := len(seen.first_by_rule)):
        lead += f" The picture shows {len(shown)} of the {n_rules} rules."
    defaults = {name: option.default for name, option in signature(report).parameters.items()}
    given = {name: value for name, value in arguments.items() if value is not defaults[name]}
    tables = {"scores": votes} if before is None else {"scores": votes, "since": before}
    origin = Origin.from_call("report", given, tables)
    score_table = render_score_table(case)
    _, heading = verdict_and_heading(seen)
    return Report(
        f"{heading}.", lead, picture, medium, narrow, score_table, tuple(sections), origin
    )


def _validate_rule(rule: RuleLike, votes: Votes) -> tuple[Rule, dict[str, Any]]:
    """Return the rule of this library that can rank such votes, and its options."""
    bound = BoundRule.bind(rule)
    known, options = bound.registered, dict(bound.options)
    if known is None:
        raise TypeError("report needs a rule of this library; give yours by rules=, for comparison")
    needed = [name for name in known.arguments if name not in options]
    if needed or not known.supports(votes.provides):
        raise ValueError(
            f"report: {known.name} needs {', '.join(needed) or 'comparisons'}; choose a "
            f"rule that needs no argument, such as 'borda'"
        )
    return known, options


def list_every_rule(votes: Votes) -> dict[str, RuleLike]:
    """Map the name of each rule that can rank such votes to it, with a short search for Kemeny."""
    rules = resolve_rules(None, votes.provides)
    if len(votes.systems) > MANY_SYSTEMS:
        # The search rarely ends then, and takes longer than all the rest.
        rules["kemeny"] = partial(RULES["kemeny"].function, time_limit=_KEMENY_SECONDS)
    return rules


def _describe_metadata_columns(scores: Any) -> str:
    """Name the columns that the reader of a file excluded because they are not scores."""
    about = getattr(scores, "descriptions", None)
    aside = getattr(scores, "attrs", {}).get("metadata") if about is None else list(about)
    return f" Set aside as no scores: {join_labels(aside)}." if aside else ""
