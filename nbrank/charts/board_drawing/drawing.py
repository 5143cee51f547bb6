"""Draw a whole leaderboard: ranks under rules, rank sets, places, and the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.charts.board_drawing.foot import draw_foot, draw_headings
from nbrank.charts.board_drawing.layout import BoardLayout
from nbrank.charts.board_drawing.marks import BoardMarks, compute_cells
from nbrank.charts.board_drawing.saved_drawing import FONT_FAMILY, Drawing
from nbrank.charts.board_drawing.sheet import Sheet, write_element
from nbrank.charts.board_drawing.shown_board import MAX_ROWS, LiveOptions
from nbrank.charts.board_drawing.sizes import parse_width
from nbrank.charts.text_metrics import wrap_balanced, wrap_text
from nbrank.comparison.rules_side_by_side import RuleList, RuleRefusedWarning
from nbrank.findings.best_set_text import explain_no_best_set
from nbrank.findings.labels import agree_verb, join_labels, rule_title
from nbrank.findings.missing_text import count_missing_scores, describe_missing_runs, groups_apart
from nbrank.findings.overview import (
    Overview,
    compute_overview,
    describe_tasks,
    error_reason,
    pairs_fit,
    without_pairs,
)
from nbrank.findings.strength_estimates import compute_ratings
from nbrank.findings.verdict import verdict, verdicts_by_length
from nbrank.rules.registry import RULES, RuleLike
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard, VotesLike
from nbrank.votes.required_arguments import name_unknown_keywords, spell_out_options
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import validate_integer
from nbrank.votes.user_warnings import warn_user


@name_unknown_keywords
@spell_out_options
def picture(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    rules: RuleList = None,
    top: int = MAX_ROWS,
    width: float | str | None = None,
    title: bool = True,
    seed: int | None = 0,
    missing: Missing | None = None,
    errors: pd.DataFrame | None = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Drawing:
    """Who is first, on which tasks, how sure is that, and what do other rules say?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule
        The name of the rule that orders the rows, or its function; None is Borda's, and of
        comparisons Bradley and Terry's, if it can rank them.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    rules
        Names or functions of the rules beside it, or a mapping from a label to
        either; None takes five that suit the table.
    top
        How many systems to draw at most, the first by the rule; of the usual 20 a
        picture narrower than 480 pixels has 12, and one for a lecture hall, from 1,600 on.
    width
        How wide, in pixels, or as "3.3in", "85mm", "8.5cm", "240pt"; None is as wide as what there
        is to show, up to 1,100 pixels. The layout follows the width, and the letters stay legible:
        in a column of a paper the picture has the names, the ranks that may be, three rules, and
        the places on the tasks as marks.
    title
        False leaves the verdict and the words below it to the caption of a figure: they are
        `.title` and `.caption` of the drawing.
    seed
        The seed of the draws behind the rank sets; None takes a fresh one.
    missing
        How a missing score counts for every rule with this option; the others
        refuse the table, with a warning. A rule that has it already, by
        `functools.partial`, keeps its own. None leaves each rule its own default.
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    Drawing
        A row for each system, best first: its rank and name, its rank under each rule (= is a
        shared one, a dash where a rule refuses), the ranks that it may have for all systems at
        once, with 95 % confidence (`nbrank.rank_confidence`), where the rule has such sets, and
        its scores on the tasks, in columns as wide as the tasks' weights. The darker a place or
        rank, the better; a dashed outline is a missing score. The systems that may be best
        (`nbrank.best_set`) are bold, with a dot. The title is the verdict. In a notebook the
        drawing is light or dark as the page is, and pointing at a row makes the others fade;
        `.save("x.svg")`, .png, .pdf or .html writes it. Comparisons and tallies have a column
        for each opponent in the place of tasks: the darker, the more often the row beat it; a
        dashed outline is a pair that never met. Beside the rank sets of comparisons stand the
        strengths by Bradley and Terry's model with their intervals (`nbrank.strengths`), each with
        95 % confidence by itself.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the width is none, or the rule that orders the rows
        refuses the table; of the others a `RuleRefusedWarning` says so.

    References
    ----------
    Gratzl et al., LineUp: Visual Analysis of Multi-Attribute Rankings, 2013; Hsu, Multiple
    Comparisons: Theory and Methods, 1996.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> drawing = picture(load_toy_votes(), width="3.3in")
    >>> drawing.title.partition(";")[0]
    'm_B is first under 4 of 6 rules, m_A under the other 2'
    """
    top = validate_integer("picture", "top", top)
    parse_width(width)
    seen = compute_overview(scores, rule, rules, missing=missing, cluster=cluster, **table)
    for label, error in seen.errors.items() if rules is not None else ():
        reason = error_reason(label, error)
        warn_user(RuleRefusedWarning(f"{label}: left empty; {reason}", [label], reason))
    rule = seen.rule if rule is None else rule
    seen = seen.with_confidence(rule, seed, errors=errors, missing=missing)
    whole = replace(seen, ratings=compute_ratings(seen.votes, rule))
    return draw_overview(whole, top, width, title=title)


def draw_overview(
    overview: Overview,
    top: int = MAX_ROWS,
    width: float | str | None = None,
    *,
    title: bool = True,
    live: LiveOptions | None = None,
) -> Drawing:
    """Draw what is known of a leaderboard; on a live page without the title, which stands there."""
    pixels, dots = parse_width(width)
    page = BoardLayout(overview, top, pixels, live)
    caption = describe_picture(page) if live is None else ""
    heading = verdict(overview) if live is None else live.verdict
    sheet = Sheet()
    y = _draw_title(page, sheet, caption) if title else 0.4 * page.sizes.letters
    cells = compute_cells(page)
    every = [cell for row in cells for cell in row]
    has_scores = overview.places is not None and any(cell.text for cell in every)
    # All heights below this line are measured from the end of the title.
    sheet.open(transform=f"translate(0 {y:.1f})")
    draw_headings(page, sheet, has_scores=has_scores)
    BoardMarks(page, sheet, cells).draw_rows()
    has_gaps = any(cell.shade is None and not cell.is_itself for cell in every)
    end = draw_foot(page, sheet, page.bottom, has_gaps=has_gaps)
    sheet.close()
    height = round(y + end, 1)
    return Drawing(
        heading, caption, page.width, height, _wrap_svg(page, sheet, heading, caption, height), dots
    )


def _draw_title(page: BoardLayout, sheet: Sheet, caption: str) -> float:
    """Draw the verdict and, if there is room, the caption; return where they end."""
    sizes = page.sizes
    size = min(sizes.title, sizes.title * page.width / sizes.width + 2)
    left = sizes.text_start
    room = page.width - 2 * left
    lines: list[str] = []
    for text in verdicts_by_length(page.overview):
        lines = wrap_balanced(text, room, size, bold=True)
        if len(lines) <= 2:
            break
    y = 0.35 * size + (0 if sizes.is_narrow else sizes.margin)
    for line in lines:
        y += 1.27 * size if y > size else 0.9 * size
        sheet.text(left, y, line, "ink", size, bold=True)
    if not sizes.is_narrow:
        y += 0.35 * size
        for line in wrap_text(caption, room, sizes.letters):
            y += 1.3 * sizes.letters
            sheet.text(left, y, line, "second", sizes.letters)
    return y + 1.3 * sizes.letters


def _wrap_svg(page: BoardLayout, sheet: Sheet, heading: str, caption: str, height: float) -> str:
    """Write the whole drawing, with a description for screen readers."""
    ground = Sheet()
    ground.rect(0, 0, page.width, height, "ground")
    return write_element(
        "svg",
        *(ground.parts + sheet.parts),
        width=f"{page.width:.6g}",
        height=f"{height:.6g}",
        viewBox=f"0 0 {page.width:.6g} {height:.6g}",
        font_family=FONT_FAMILY,
        role="group",
        aria_label=f"{heading}. {caption}".strip(),
    )


def describe_picture(page: BoardLayout) -> str:
    """Say what is drawn, and what is left out."""
    sentences = [
        *_describe_rows(page),
        *_describe_cells(page),
        _describe_omissions(page),
        _describe_headings(page),
        *_describe_missing(page),
        *_describe_reservations(page.overview),
    ]
    return "; ".join(filter(None, sentences))


def _describe_rows(page: BoardLayout) -> list[str]:
    """Say what was ranked, and which systems are drawn."""
    votes, n = page.overview.votes, page.n_systems
    which = f"the first {page.n_first} of {n}" if page.n_first < n else f"{n}"
    systems = f"{which} system{'s' * (n != 1)} by {rule_title(page.overview.rule)}"
    if isinstance(votes, Leaderboard):
        return [describe_tasks(votes), systems]
    if isinstance(votes, Comparisons):
        return [pluralize(len(votes), "comparison"), groups_apart(votes), systems]
    return [systems]


def _describe_cells(page: BoardLayout) -> list[str]:
    if not page.columns:
        return []
    if page.overview.places is None:
        return ["in a cell, how often its row beat its column (a tie is half a win)"]
    return [f"columns as wide as the {page.task_noun}s' weights"] * page.has_unequal_shares


def _describe_omissions(page: BoardLayout) -> str:
    """Say what is left out, for want of room."""
    seen, absent = page.overview, []
    if page.cell_shares and not page.columns:
        absent.append("wins" if seen.places is None else f"names of the {page.task_noun}s")
    if page.rated is None and seen.ratings is not None and seen.ratings.table is not None:
        absent.append("strengths")
    drawn = {*page.rules.middles, seen.rule}
    absent += [rule_title(str(rule)) for rule in seen.ranks if rule not in drawn]
    if not absent:
        return ""
    is_left_out = agree_verb("is", len(absent) + (absent[0][-1:] == "s"))
    return f"the {join_labels(absent, 12)} {is_left_out} left out, for want of room"


def _describe_headings(page: BoardLayout) -> str:
    """Say how many tasks have no name of their own over their cells."""
    names = page.cell_headings
    if len(names.placed) < names.number:
        return f"{len(names.placed)} of the {page.task_noun}s are named"
    return f"{names.n_unnamed} {page.task_noun}s are named by their groups" * bool(names.n_unnamed)


def _describe_reservations(seen: Overview) -> list[str]:
    """Say what the ranks and rank sets leave open."""
    sentences = [without_pairs(seen.votes)]
    if seen.ratings is not None:
        sentences.append(seen.ratings.note)
    sentences += seen.asides()
    if seen.rank_sets is None and seen.rule in RULES and pairs_fit(seen.votes):
        sentences.append(explain_no_best_set(seen.rule))
    if seen.rank_sets is not None and seen.rank_sets.attrs.get("over") == "errors":
        sentences.append("rank sets by the scores' standard errors")
    sentences += [
        f"of several best orders by {rule_title(rule)}, one is shown"
        for rule in seen.non_unique_rules
    ]
    refused = [rule_title(str(rule)) for rule in seen.ranks if rule not in seen.winners]
    return [*sentences, f"no ranks by {', '.join(refused)}" * bool(refused)]


def _describe_missing(page: BoardLayout) -> list[str]:
    """Say what is missing, also of systems that aren't drawn."""
    seen = page.overview
    runs = describe_missing_runs(seen)
    if seen.places is None:
        return [runs]
    count = count_missing_scores(seen)
    drawn = seen.places.iloc[seen.votes.find_positions(page.systems)]
    if count and page.columns and drawn.isna().to_numpy().any():
        number, _, rest = count.partition(" of ")
        count = f"a dashed cell is a missing score ({number} of {rest.partition(' ')[0]})"
    return [count, *seen.unearned_firsts, runs]
