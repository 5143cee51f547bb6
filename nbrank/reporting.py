"""One page on a leaderboard: who wins, how sure that is, and what it depends on.

`nbrank.report(scores)` computes it. Every sentence says what this table gives;
none is there by default.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nbrank import charts
from nbrank.charts.names import in_brief, in_words, listed, name_of
from nbrank.questions.bootstrap import bootstrap
from nbrank.questions.compare import (
    RuleList,
    RuleRefusedWarning,
    compare,
    labelled_rules,
    winners,
)
from nbrank.questions.condorcet_weights import nearest_weights
from nbrank.questions.leave_one_out import leave_one_out
from nbrank.questions.missing_treatments import missing_treatments
from nbrank.questions.rank_confidence import has_confidence_sets, rank_confidence
from nbrank.questions.rank_moves import RankMoves
from nbrank.rules.kemeny import kemeny
from nbrank.rules.rule import RULES, Rule, RuleLike, rule_named, rule_of
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.naming import Label, counted
from nbrank.votes.options import check_delta
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, Weights

#: Charts of more systems than this show the first of them only.
_MOST_DRAWN = 30
#: How many systems are asked how far they move, and under which weights they would win.
_MOST_CONTENDERS = 15
#: Names in sentences have so many letters at most.
_LETTERS = 40
#: How a missing score may count, in words.
MISSING_IN_WORDS = {
    "compatible": "average over all complete rankings that fit",
    "ignore": "judge each system by what it has",
    "median": "fill with the task's median",
    "worst": "a missing score is below all others",
}


@dataclass(frozen=True, eq=False)
class Section:
    """A question, and what the table answers.

    Parameters
    ----------
    title
        The question.
    sentences
        The answer, a paragraph each.
    table
        The numbers behind it, where there are more than sentences hold.
    chart
        A picture of it.
    """

    title: str
    sentences: tuple[str, ...]
    table: pd.DataFrame | None = field(default=None, repr=False)
    chart: alt.LayerChart | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """A page: in a notebook it shows itself, `save` writes it, `print` gives its sentences.

    Parameters
    ----------
    title
        What was ranked.
    summary
        What one has to know, a sentence each.
    sections
        The answers.
    """

    title: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...]

    def __repr__(self) -> str:
        parts = [self.title, "", *(f"* {sentence}" for sentence in self.summary)]
        for section in self.sections:
            parts += ["", section.title, *(f"  {sentence}" for sentence in section.sentences)]
        return "\n".join(parts)

    def _repr_html_(self) -> str:
        summary = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.summary)
        body = "".join(_section(section) for section in self.sections)
        return (
            f'<div class="nbrank-report"><style>{_STYLE}</style>'
            f"<h2>{escape(self.title)}</h2><ul>{summary}</ul>{body}</div>"
        )

    def save(self, path: str | Path) -> None:
        """Write the page as one HTML file that loads nothing from elsewhere.

        Parameters
        ----------
        path
            Where to write it; the name has to end in .html.

        Raises
        ------
        ValueError
            If the name has another ending.
        """
        path = Path(path)
        if path.suffix != ".html":
            raise ValueError(f"a report is saved as HTML; call it {path.with_suffix('.html').name}")
        path.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title><style>{_PAGE}</style></head>"
            f"<body>{self._repr_html_()}</body></html>\n",
            encoding="utf-8",
        )


_STYLE = """
.nbrank-report {max-width: 70em; line-height: 1.45}
.nbrank-report p, .nbrank-report li {max-width: 46em; margin: .35em 0}
.nbrank-report .wide {overflow: auto; max-height: 48em; margin: .8em 0}
.nbrank-report .wide svg {background: white; max-width: none; height: auto}
@media print {.nbrank-report .wide {max-height: none}
  .nbrank-report .wide svg {max-width: 100%}}
.nbrank-report table {border-collapse: collapse; font-size: .92em}
.nbrank-report th, .nbrank-report td {padding: .2em .7em; text-align: right;
  border-bottom: 1px solid rgba(128, 128, 128, .35)}
.nbrank-report tbody th {text-align: left; font-weight: normal}
"""
_PAGE = """
:root {color-scheme: light dark}
body {font-family: system-ui, sans-serif; margin: 1.5em auto; padding: 0 1em; max-width: 72em}
"""


def _section(section: Section) -> str:
    text = "".join(f"<p>{escape(sentence)}</p>" for sentence in section.sentences)
    table = chart = ""
    if section.table is not None:
        html = section.table.to_html(border=0, na_rep="", index_names=False)
        table = f'<div class="wide">{html}</div>'
    if section.chart is not None:
        chart = f'<div class="wide">{_drawn(section.chart)}</div>'
    return f"<h3>{escape(section.title)}</h3>{text}{chart}{table}"


def _drawn(chart: alt.LayerChart) -> str:
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(chart.to_dict())
    return svg


def report(
    scores: pd.DataFrame | Leaderboard,
    rule: str = "borda",
    rules: RuleList = None,
    delta: float = 0.05,
    seed: int = 0,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> Report:
    """Who wins, who can't be told from the first, and what does that depend on?

    A page for somebody who has to defend a leaderboard: who wins under which
    rules, which systems can't be told from the first, how the ranks move from
    rule to rule, what is missing and whether it matters, which tasks decide,
    and under which weights another system would win.

    Parameters
    ----------
    scores
        A frame of scores or a leaderboard.
    rule
        The name of the rule whose ranking is looked at closely.
    rules
        The rules to set beside each other, as for `nbrank.compare`; None takes
        every rule that needs no argument. The page names those that give no
        ranking, such as `kemeny` where it isn't solved within 10 seconds.
    delta
        One minus the confidence with which systems are told apart.
    seed
        The seed of the draws behind that.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    Report
        Shows itself in a notebook; `.save("page.html")` writes it, `print`
        gives the sentences, and `.sections` hold the frames and charts.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the rule is unknown, needs an argument
        or refuses the table.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [2, 3, 1]}, index=list("ABC")
    ... )
    >>> page = report(scores, rules=["borda", "plurality", "mean"])
    >>> print(page.sections[0].sentences[0])
    B wins alone under 2 of 3 rules: borda and plurality.
    >>> print(page.sections[4].sentences[0])
    B is no longer alone in first place without t2 (then A and B).
    """
    check_delta("report", delta)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    known = rule_named(rule)
    if known.arguments or not known.takes(board.offers):
        raise ValueError(
            f"report: {rule} needs {', '.join(known.arguments) or 'comparisons'}; choose a rule "
            f"that needs no argument, such as 'borda'"
        )
    ranked = known.function(board)
    first = known.winners(board) or list(ranked.index[ranked["rank"] == 1])
    case = _Case(board, known, ranked, first)
    labelled = labelled_rules(rules)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ranks = compare(board, labelled)
        by_rule = _winners(board, labelled, ranks.drop(columns=_labels(_refused(caught))))
        # A search for the winners may take longer than the one for the ranks, and give up.
        refused = _refused(caught)
    ranks = ranks.drop(columns=_labels(refused))
    by_rule = by_rule.reindex(ranks.columns)
    found = [
        _who_wins(case, by_rule, _refusals(case, refused)),
        _who_is_as_good(case, delta, seed),
        _how_ranks_move(case, ranks.dropna(axis=1, how="all")),
        _what_is_missing(case),
        _which_tasks_decide(case),
        _other_weights(case),
    ]
    size = f"{counted(len(board.systems), 'system')} on {counted(len(board.tasks), 'task')}"
    weighted = " with the weights given" * case.weighted
    return Report(
        f"{case.who}: first of {size}, by {case.by}{weighted}",
        tuple(sentence for sentence, _ in found),
        tuple(section for _, section in found),
    )


@dataclass(frozen=True)
class _Case:
    """The leaderboard, the rule looked at closely, and what it gives."""

    board: Leaderboard
    rule: Rule
    ranked: pd.DataFrame
    first: list[Label]

    @cached_property
    def _system(self) -> dict[Label, str]:
        return dict(zip(self.board.systems, in_brief(self.board.systems, _LETTERS), strict=True))

    @cached_property
    def _task(self) -> dict[Label, str]:
        return dict(zip(self.board.tasks, in_brief(self.board.tasks, _LETTERS), strict=True))

    def systems(self, labels: Iterable[Label], most: int = 6) -> str:
        """List systems in a sentence, long names in brief."""
        return listed([self._system[label] for label in labels], most)

    def system(self, label: Label) -> str:
        return self._system[label]

    def tasks(self, labels: Iterable[Label], most: int = 6) -> str:
        """List tasks in a sentence, long names in brief."""
        return listed([self._task[label] for label in labels], most)

    @property
    def who(self) -> str:
        return self.systems(self.first, 3)

    @property
    def weighted(self) -> bool:
        """Whether the tasks count differently."""
        return bool(np.ptp(self.board.weights) > 0)

    def reads(self, reason: str) -> str:
        """Write why a rule refuses, with names as the page has them instead of Python's."""
        labels = {**self._task, **self._system}
        for label in sorted(labels, key=lambda label: -len(repr(label))):
            if isinstance(label, str | tuple):
                reason = reason.replace(repr(label), labels[label])
        for name in RULES:
            reason = reason.replace(name, in_words(name))
        return reason.removesuffix(".")

    @property
    def by(self) -> str:
        return in_words(self.rule.name)

    @property
    def verb(self) -> str:
        return "is" if len(self.first) == 1 else "are"


Found = tuple[str, Section]


def _of(part: int, whole: int, noun: str) -> str:
    """Write how many of them, as the subject of a sentence."""
    if part == whole:
        every = {1: f"The only {noun}", 2: f"Both {noun}s"}
        return every.get(whole, f"All {counted(whole, noun)}")
    return f"{part:,} of {counted(whole, noun)}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _refused(caught: Sequence[warnings.WarningMessage]) -> dict[str, list[str]]:
    """Reason -> the labels of the rules that give no ranking, each once, by its first reason."""
    found: dict[str, list[str]] = {}
    seen: set[str] = set()
    for warned in caught:
        if isinstance(warned.message, RuleRefusedWarning):
            new = [label for label in warned.message.rules if label not in seen]
            seen |= set(new)
            if new:
                found.setdefault(warned.message.reason, []).extend(new)
    return found


def _labels(refused: Mapping[str, list[str]]) -> list[str]:
    return [label for labels in refused.values() for label in labels]


def _refusals(case: _Case, refused: Mapping[str, list[str]]) -> list[str]:
    return [
        f"Left out {'is' if len(rules) == 1 else 'are'} {listed(map(in_words, rules), 30)}, which "
        f"{'gives' if len(rules) == 1 else 'give'} no ranking here: {case.reads(reason)}."
        for reason, rules in refused.items()
    ]


def _winners(
    board: Leaderboard, labelled: Mapping[str, RuleLike], ranks: pd.DataFrame
) -> pd.Series:
    """Rule -> its winners, of the rules that rank; asked for only where ranks don't tell them."""
    asked = {
        label: rule
        for label, rule in labelled.items()
        if label in ranks and (known := rule_of(rule)) is not None and known.elect is not None
    }
    found = {label: list(ranks.index[ranks[label] == 1]) for label in labelled if label in ranks}
    elected = winners(board, asked)
    found |= {label: elected[label] for label in asked}
    return pd.Series(found, index=list(found), dtype=object)


def _who_wins(case: _Case, by_rule: pd.Series, refusals: list[str]) -> Found:
    groups: dict[tuple[Label, ...], list[Label]] = {}
    for rule, found in by_rule.items():
        groups.setdefault(tuple(found), []).append(rule)
    ordered = sorted(groups.items(), key=lambda item: -len(item[1]))
    total = len(by_rule)
    sentences = []
    for found, elected_by in ordered:
        names = listed(map(in_words, map(str, elected_by)), 30)
        of = f"{len(elected_by)} of {counted(total, 'rule')}: {names}."
        if not found:
            sentences.append(f"Nobody wins under {of}")
        elif len(found) == 1:
            sentences.append(f"{case.system(found[0])} wins alone under {of}")
        else:
            sentences.append(f"{case.systems(found)} share the win under {of}")
    alone = {found[0]: len(by) for found, by in ordered if len(found) == 1}
    agreed = sum(alone.get(system, 0) for system in case.first[:1])
    if len(ordered) == 1:
        winners = ordered[0][0]
        verb = "share the win" if len(winners) > 1 else "wins"
        under = "the only rule" if total == 1 else f"every one of {total} rules"
        summary = f"{case.systems(winners) or 'Nobody'} {verb} under {under}."
    else:
        others = listed(
            [f"{case.system(s)} (under {n})" for s, n in alone.items() if s not in case.first], 4
        )
        summary = f"{case.who} wins alone under {agreed} of {counted(total, 'rule')}"
        summary += f"; other rules put {others} first." if others else "."
        if len(case.first) > 1:
            summary = f"{case.who} share the first place by {case.by}" + (
                f"; other rules put {others} alone there." if others else "."
            )
    return summary, Section("Who wins, under which rules?", (*sentences, *refusals))


def _who_is_as_good(case: _Case, delta: float, seed: int) -> Found:
    title = "Who can't be told from the first?"
    sure = f"{100 * (1 - delta):g} % confidence"
    if not has_confidence_sets(case.rule) or len(case.board.systems) < 2:
        return _how_it_spreads(case, title, seed)
    sets = rank_confidence(case.board, case.rule.name, delta, seed=seed)
    over = sets.attrs["over"].removesuffix("s")
    drawn = counted(sets.attrs["n"], over)
    sentences = []
    start = f"With {sure}, "
    condition = ""
    if "note" in sets.attrs:
        are = "is" if sets.attrs["n"] == 1 else "are"
        nothing = (
            f"Nothing can be told apart with {sure}: {drawn} {are} too few, whatever the scores "
            f"are. What follows describes these tasks, and says little about others."
        )
        sentences.append(nothing)
        if sets.attrs["over"] == "groups":
            single = rank_confidence(
                case.board.with_numbered_tasks(), case.rule.name, delta, seed=seed
            )
            if "note" not in single.attrs:
                sets = single
                over, drawn = "task", counted(single.attrs["n"], "task")
                condition = "if each task were a draw of its own"
                start = f"{condition.capitalize()}, which related tasks are not: with {sure}, "
        if not condition:
            return nothing, Section(title, (nothing,))
    open_to = [s for s in sets.index[sets["low"] == 1] if s not in case.first]
    surely_not = len(sets) - len(open_to) - len(case.first)
    if open_to:
        answer = (
            f"{start}{counted(len(open_to), 'other system')} may be first as well as {case.who}: "
            f"{case.systems(open_to)}."
        )
    else:
        answer = f"{start}nobody but {case.who} is first."
    sentences.append(answer)
    if surely_not:
        sentences.append(f"{_of(surely_not, len(sets), 'system')} can't be first.")
    for system in case.first[:3]:
        low, high = sets.loc[[system], ["low", "high"]].iloc[0]
        if low != high:
            sentences.append(
                f"{case.system(system)} itself may have any rank from {low} to {high}."
            )
    sentences.append(
        f"This holds for all systems at once, if the {drawn} are a fair sample of what the "
        f"leaderboard is to measure."
    )
    drawing, note = _intervals(sets, condition)
    summary = sentences[0] if condition else answer
    return summary, Section(title, (*sentences, *note), chart=drawing)


def _how_it_spreads(case: _Case, title: str, seed: int) -> Found:
    if len(case.board.systems) < 2:
        only = "There is one system only, so there is nobody to be told from it."
        return only, Section(title, (only,))
    over: Any = "instances" if case.board.is_instance_level else "tasks"
    spread = bootstrap(case.board, case.rule.name, over=over, n=200, seed=seed)
    often: Any = spread["p_best"].sort_values(ascending=False, kind="stable")
    rivals = [system for system in often.index[often > 0] if system not in case.first]
    shares = [f"{case.system(system)} in {_percent(often[system])}" for system in rivals[:5]]
    own = [f"{case.system(system)} is first in {_percent(often[system])}" for system in case.first]
    answer = (
        f"If the {over} are drawn again (200 times, with replacement), {listed(own, 3)} of the "
        f"draws" + (f"; {', '.join(shares)}." if shares else ".")
    )
    caution = f"That is a spread and no proof: for {case.by} there are no confidence sets."
    drawing, note = _intervals(spread)
    return answer, Section(title, (answer, caution, *note), chart=drawing)


def _intervals(every: pd.DataFrame, condition: str = "") -> tuple[alt.LayerChart, list[str]]:
    """Draw the first systems, and say so; the caption says on what condition."""
    shown = every.iloc[:_MOST_DRAWN]
    note = []
    if len(shown) < len(every):
        # The drawing has as many ranks as rows.
        ranks = ["rank", "low", "high"]
        shown = shown.assign(**{column: shown[column].clip(upper=len(shown)) for column in ranks})
        note = [f"Drawn are the first {len(shown)}; a bar at the right edge may go on beyond it."]
    drawing = charts.rank_intervals(shown)
    if condition:
        drawing.title.subtitle = f"{condition}, {drawing.title.subtitle}"
    return drawing, note


def _how_ranks_move(case: _Case, ranks: pd.DataFrame) -> Found:
    title = "How do the ranks move from rule to rule?"
    if ranks.shape[1] < 2 or len(ranks) < 2:
        only = "There is nothing to set side by side: fewer than two rules, or than two systems."
        return only, Section(title, (only,))
    compared, notes = ranks, []
    if "kemeny" in ranks and ranks.shape[1] > 2 and not kemeny(case.board).attrs["unique"]:
        compared = ranks.drop(columns="kemeny")
        notes.append(
            "Kemeny is not counted here: it puts no two systems level, several orders are equally "
            "good, and it shows one of them."
        )
    moves = RankMoves.of(compared)
    which = "all rules" + " that are counted here" * (moves.ranks.shape[1] < ranks.shape[1])
    if (compared.nunique(axis=1) == 1).all():
        sentences = [f"{_of(len(ranks), len(ranks), 'system')} have the same rank under all rules."]
    else:
        sentences = _moves(case, moves, which)
    summary = sentences[-1]
    if moves.ranks.shape[1] > 1:
        own = moves.ranks.iloc[list(ranks.index).index(case.first[0])]
        sentences.append(
            f"{case.system(case.first[0])} is between rank {own.min()} and rank {own.max()} "
            f"under {which}."
            if own.min() != own.max()
            else f"{case.system(case.first[0])} has rank {own.min()} under {which}."
        )
    sentences += _not_counted(moves) + notes
    shown = ranks.loc[case.ranked.index[:_MOST_DRAWN]]
    if len(shown) < len(ranks):
        shown = shown.rank(method="min").astype("Int64")
        sentences.append(f"Drawn are the first {len(shown)} by {case.by}, ranked among each other.")
    return summary, Section(title, tuple(sentences), chart=charts.ranks(shown))


def _moves(case: _Case, moves: RankMoves, which: str) -> list[str]:
    """Say who keeps the same rank under all rules that count, and then who moves furthest."""
    if moves.ranks.shape[1] < 2:
        return ["Fewer than two rules rank these systems finely enough to speak of moves."]
    fixed = moves.ranks.index[moves.ranks.nunique(axis=1) == 1]
    if len(fixed):
        said = (
            f"{_of(len(fixed), len(moves.ranks), 'system')} "
            f"{'has' if len(fixed) == 1 else 'have'} the same rank under {which}"
            + ("." if len(fixed) == len(moves.ranks) else f": {case.systems(fixed)}.")
        )
    else:
        said = f"No system has the same rank under {which}."
    top = case.ranked.index[:_MOST_CONTENDERS]
    furthest = moves.furthest(top)
    if not furthest:
        return [said]
    most = case.system(furthest[0])
    if len(top) < len(moves.ranks):
        whom = f"of the first {len(top)} by {case.by}"
        who = f"{whom[0].upper()}{whom[1:]}, {most} moves most"
        who = who if len(furthest) == 1 else f"None {whom} moves further than {most}"
    else:
        who = f"{most} moves most" if len(furthest) == 1 else f"No system moves further than {most}"
    by_rank = moves.of_system(list(moves.ranks.index).index(furthest[0]))
    ends = [
        f"rank {rank} under {listed([_shared(*rule) for rule in by_rank[rank].items()], 3)}"
        for rank in (min(by_rank), max(by_rank))
    ]
    return [said, f"{who}: {', '.join(ends)}."]


def _shared(rule: Label, by: int) -> str:
    return in_words(str(rule)) + f" (shared by {by})" * (by > 1)


def _not_counted(moves: RankMoves) -> list[str]:
    """Name the rules, and the ranks, that are no evidence of a move."""
    reasons = {
        "under which more than half of the systems share the first rank": moves.crowded,
        "under which no more than two ranks are given": moves.coarse,
    }
    said = [
        f"Not counted here {'is' if len(rules) == 1 else 'are'} "
        f"{listed(map(in_words, map(str, rules)))}, {why}."
        for why, rules in reasons.items()
        if rules
    ]
    crowds = moves.ranks.columns[moves.shared.any()]
    if len(crowds):
        said.append(
            f"Where more than half of the systems share a rank, as under "
            f"{listed(map(in_words, map(str, crowds)))}, that rank is not taken for a move."
        )
    return said


def _what_is_missing(case: _Case) -> Found:
    title = "What is missing, and does it matter?"
    board = case.board
    missing = np.isnan(board.values)
    zeros = _odd_zeros(case)
    if not missing.any():
        nothing = "No score is missing."
        return " ".join([nothing, *zeros[:1]]), Section(title, (nothing, *zeros))
    per_system = pd.Series(missing.sum(axis=1), index=range(len(board.systems)))
    per_task = pd.Series(
        [int(missing[:, board.column_task == task].sum()) for task in range(len(board.tasks))]
    )
    holes = per_system[per_system > 0].sort_values(ascending=False, kind="stable").index
    tasks = per_task[per_task > 0].sort_values(ascending=False, kind="stable").index
    total = int(missing.sum())
    how_many = (
        f"{_of(total, missing.size, 'score')} {'is' if total == 1 else 'are'} missing "
        f"({_percent(total / missing.size)}), of {counted(len(holes), 'system')} "
        f"({case.systems(board.systems[holes], 4)}) and on {counted(len(tasks), 'task')} "
        f"({case.tasks(board.tasks[tasks], 4)})."
    )
    ranks = missing_treatments(board, case.rule)
    if ranks.shape[1] < 2:
        same = f"{in_words(case.rule.name)} has one way only to treat them."
        return how_many, Section(title, (how_many, *zeros, same))
    sentences = [how_many, *zeros]
    heads = {str(how): list(ranks.index[ranks[how] == 1]) for how in ranks}
    different = {how: head for how, head in heads.items() if set(head) != set(case.first)}
    moves = (ranks.max(axis=1) - ranks.min(axis=1)).sort_values(ascending=False, kind="stable")
    if different:
        ways: dict[str, list[str]] = {}
        for how, head in different.items():
            ways.setdefault(case.systems(head, 3), []).append(f"“{MISSING_IN_WORDS[how]}”")
        changed = "; ".join(f"{head} by {' or '.join(how)}" for head, how in ways.items())
        answer = f"Who is first by {case.by} depends on how missing scores count: {changed}."
    else:
        answer = f"{case.who} {case.verb} first by {case.by}, however the missing scores count."
    sentences.append(answer)
    moved = moves[moves > 0]
    if len(moved):
        sentences.append(
            f"{_of(len(moved), len(ranks), 'system')} "
            f"{'changes' if len(moved) == 1 else 'change'} rank between these ways to count; "
            f"most of all {case.system(moved.index[0])}, by {moved.iloc[0]}."
        )
    else:
        sentences.append("No rank at all changes between these ways to count.")
    shown = ranks.loc[case.ranked.index].rename(index=name_of)
    if len(shown) > _MOST_DRAWN:
        shown = ranks.loc[moved.index[:_MOST_DRAWN]].rename(index=name_of)
    return answer, Section(title, tuple(sentences), table=shown if len(shown) else None)


def _odd_zeros(case: _Case) -> list[str]:
    """Name scores of exactly 0 that may stand for what was not reported.

    Those are among the worst tenth of their task, whose scores have digits after the point,
    while the system is in the better half on most other tasks.
    """
    board = case.board
    if board.is_instance_level or len(board.systems) < 10 or len(board.tasks) < 3:
        return []
    scores = pd.DataFrame(np.where(board.lower, -board.values, board.values))
    decimal = (scores.notna() & (scores % 1 != 0)).sum() > scores.notna().sum() / 2
    not_above = scores.rank(method="max", pct=True)
    usual = pd.DataFrame({task: not_above.drop(columns=task).median(axis=1) for task in scores})
    odd = (scores == 0) & decimal & (not_above <= 0.1) & (usual > 0.5)
    pairs = [
        f"{case.system(board.systems[i])} on {case.tasks([board.tasks[j]])}"
        for i, j in np.argwhere(odd.to_numpy())
    ]
    if not pairs:
        return []
    many = len(pairs) > 1
    return [
        (
            f"{counted(len(pairs), 'score')} {'are' if many else 'is'} exactly 0, of "
            f"{'systems that are' if many else 'a system that is'} in the better half on most "
            f"other tasks: {listed(pairs)}. If that stands for “not reported”, leave the "
            f"{'cells' if many else 'cell'} empty (NaN): a 0 counts as a result."
        )
    ]


def _without_each(case: _Case) -> pd.DataFrame:
    """What `leave_one_out` says of the tasks, after what it says of the groups there are."""
    board = case.board
    tables = []
    counted_tasks = set(board.tasks[board.weights > 0])
    groups = [tasks for tasks in (board.groups or {}).values() if counted_tasks & set(tasks)]
    if 1 < len(groups) < len(board.tasks):
        by_group = leave_one_out(board, case.rule.name, "groups")
        tables.append(by_group.set_axis([f"all of {name_of(group)}" for group in by_group.index]))
    by_task = leave_one_out(board, case.rule.name)
    tables.append(by_task.set_axis([case.tasks([task]) for task in by_task.index]))
    return pd.concat(tables)


def _which_tasks_decide(case: _Case) -> Found:
    title = "Which tasks decide?"
    if (case.board.weights > 0).sum() < 2:
        only = "No task can be left out: there is one only."
        return only, Section(title, (only,))
    every = _without_each(case)
    refused = list(every.index[every["refused"].notna()])
    table = every[every["refused"].isna()].drop(columns="refused")
    if table.empty:
        only = "No task can be left out: the rule refuses the rest."
        return only, Section(title, (only,))
    what = "task" if len(every) == (case.board.weights > 0).sum() else "task or group"
    then = [
        f"{left_out} (then {case.systems(row['winners'], 3) or 'nobody'})"
        for left_out, row in table.iterrows()
        if row["decides"]
    ]
    if then:
        alone = (
            "is no longer alone in first place"
            if len(case.first) == 1
            else "no longer share the first place among themselves"
        )
        answer = f"{case.who} {alone} without {listed(then)}."
    else:
        answer = f"{case.who} {case.verb} first by {case.by}, whichever {what} is left out"
        answer += ", as far as the rule takes the rest." if refused else "."
    order = table.sort_values(["ranks_changed", "largest_change"], ascending=False, kind="stable")
    top = order.index[0]
    sentences = [answer]
    moved, furthest = order["ranks_changed"].iloc[0], order["largest_change"].iloc[0]
    if moved:
        sentences.append(
            f"To leave out {top} changes most: the ranks of "
            f"{_of(moved, len(case.ranked), 'system').lower()}, by up to {furthest}."
        )
    else:
        sentences.append("No rank at all changes.")
    if refused:
        sentences.append(f"Without {listed(refused, 8)} the rule refuses the rest.")
    shown = pd.DataFrame(
        {
            "then first": [case.systems(found, 3) for found in order["winners"]],
            "ranks changed": order["ranks_changed"],
            "largest change": order["largest_change"],
        }
    )
    return answer, Section(title, tuple(sentences), table=shown)


def _other_weights(case: _Case) -> Found:
    title = "Under which weights would another system win?"
    board = case.board
    n = len(board.tasks)
    if n < 2 or len(board.systems) < 2:
        only = "There is nothing to weigh: fewer than two tasks, or than two systems."
        return only, Section(title, (only,))
    asked = list(case.ranked.index[:_MOST_CONTENDERS])
    start = board.weights / board.weights.sum()
    rows, moved, never = {}, {}, []
    for system in asked:
        found = nearest_weights(board, system)
        if found is None:
            never.append(system)
            continue
        moved[system] = found.moved
        gains = pd.Series(found.weights)[found.weights > start + 1e-6]
        # Equal but for rounding, they stand in the table's order.
        gains = gains.round(9).sort_values(ascending=False, kind="stable")
        rows[system] = {
            "weight to move": moved[system],
            "more on": listed(
                [
                    f"{case.tasks([board.tasks[i]])} (then {_percent(gains[i])})"
                    for i in gains.index
                ],
                4,
            )
            or "nothing",
        }
    table = pd.DataFrame.from_dict(rows, orient="index").rename(index=name_of)
    if len(table):
        table = table.sort_values("weight to move", kind="stable")
        table["weight to move"] = list(map(_percent, table["weight to move"]))
    others = [system for system in rows if system not in case.first]
    whom = "" if len(asked) == len(board.systems) else f" of the first {len(asked)} by {case.by}"
    if others:
        nearest = min(others, key=moved.__getitem__)
        many = counted(len(others), "other system")
        answer = f"{many}{whom} would lose to nobody under other weights; "
        if moved[nearest] > 1e-6:
            answer += (
                f"nearest to it is {case.system(nearest)}, for which {_percent(moved[nearest])} of "
                f"the weight has to move, to {rows[nearest]['more on']}."
            )
        else:
            answer += f"{case.system(nearest)} loses to nobody as it is."
    elif len(case.first) == len(board.systems):
        answer = "There is no other system: all share the first place."
    else:
        answer = f"No weights at all let another system{whom} win against everybody."
    same = case.rule.name == "condorcet"
    is_other = "" if same else f", which is not yet to be first by {case.by}"
    meaning = (
        "To win means here to lose to no other system, one against one, by the weight of the "
        f"tasks{is_other}. The table starts from "
        f"{'the weights given' if case.weighted else 'equal weights'}, and moves as little as "
        "is enough."
    )
    sentences = [answer, meaning]
    if never:
        sentences.append(f"No weights are enough for {case.systems(never, 8)}.")
    return answer, Section(title, tuple(sentences), table=table if len(table) else None)


__all__ = ["Report", "Section", "report"]
