"""The workbench: a verdict, the picture beside what moves it, and the questions as tabs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from html import escape
from time import monotonic
from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank.arrays.profile import Missing
from nbrank.charts.picture import drawn
from nbrank.charts.picture_page import Live
from nbrank.explorers.bench import AS_EACH_DOES, DRAWS, Bench, Seen
from nbrank.explorers.changes import instead_of, since
from nbrank.explorers.deleted_scores import MissingScores
from nbrank.explorers.how_sure_it_is import HowSure
from nbrank.explorers.later import Later
from nbrank.explorers.live_chart import LiveChart, as_image, drawing_script
from nbrank.explorers.one_against_one import Pairs
from nbrank.explorers.one_system import OneSystem
from nbrank.explorers.prose import Prose, in_paragraphs, tabs
from nbrank.explorers.round_by_round import RoundByRound
from nbrank.explorers.rules_and_weights import Rules, RulesAndWeights, what_helps
from nbrank.explorers.who_could_win import WhoCouldWin
from nbrank.explorers.who_is_first import who_is_first
from nbrank.findings.how_strong import ratings
from nbrank.findings.names import in_names, in_words
from nbrank.findings.overview import MOST, overview, suitable, why_refused
from nbrank.findings.verdict import verdict
from nbrank.questions.compare import RuleList, told_of_missing
from nbrank.questions.rank_confidence import has_confidence_sets, rank_confidence_by_delta
from nbrank.rules.rule import called, label_of
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.votes import Votes

#: The questions: name -> what opens the tab.
_TABS: dict[str, Any] = {
    "rules": RulesAndWeights,
    "weights": WhoCouldWin,
    "pairs": Pairs,
    "missing": MissingScores,
    "confidence": HowSure,
    "elimination": RoundByRound,
}
_OF_COMPARISONS = {"rules": Rules} | {name: _TABS[name] for name in ("pairs", "confidence")}
#: How wide the picture is drawn, in pixels: the page makes it smaller where it has less.
_ROOM = 750
_HINT = "Click a row to read below what explains its system; click a rule to order by it."
#: Where the picture is wider than the page.
_NARROW = '<p class="nbrank-narrow">Swipe the picture: it goes on with ranks by each rule.</p>'


class Workbench(Bench):
    """One page on a leaderboard: verdict, picture, controls, and a tab for each question.

    Made by `explore` and its relatives. Every attribute that isn't read only can
    be set from Python, and the page follows.

    Parameters
    ----------
    board
        The leaderboard, or comparisons.
    rules
        The rules to compare, as for `nbrank.compare`; None takes those of the picture.
    rule
        The name of the rule that orders the systems; None takes the first of
        `rules` that ranks the table.
    tab
        The question that is open.
    delta
        One minus the confidence of the rank sets.
    missing
        How a missing score counts; None leaves each rule its own way.

    Attributes
    ----------
    tab : str
        The question that is open: "rules", "weights" (who could win), "pairs",
        "missing", "confidence" (how sure) or "elimination" (round by round).
    rule : str
        The rule that orders the systems.
    rules : tuple of str
        The rules compared, `rule` among them.
    system : label
        The system that is looked at, or None.
    weights_of : str
        Whether one weighs "groups" (whose tasks share the weight as they do on
        the board; only where there are groups) or single "tasks".
    weights : dict
        Task or group -> weight.
    missing : str
        How a missing score counts: "as each rule does", "compatible",
        "ignore", "median", "worst" or "zero".
    share, seed : float, int
        The share of the scores that is deleted at random, from 0 to 0.9, and which those are.
    cells, kept : tuple of (system, task)
        Scores deleted one by one, and scores that stay though the share would delete them.
    delta : float
        One minus the confidence of the rank sets, between 0.001 and 0.5.
    draws : str
        What is drawn: "as on the board" (whole groups of tasks where there are
        any) or "each task alone".
    round : int
        How many rounds of an elimination rule have been played.
    verdict : str
        Who is first, and how sure that is (read only).
    changes : str
        What changed since the last setting that had a ranking (read only).
    words : str
        All that the page says outside tables and lists, about a sentence a line (read only).
    ranking : pandas.DataFrame or None
        The ranking by `rule`, as its function returns it; None where it refuses
        the table, or all weights are 0 (read only).
    ranks : pandas.DataFrame or None
        The ranks, systems x rules, best first; None likewise (read only).
    winners : dict
        Rule -> list of its winners; empty likewise (read only).
    sets : pandas.DataFrame or None
        The rank sets of `rule`, or of another rule where it has none, as `nbrank.rank_confidence`
        returns them; None where there are none (read only).

    Raises
    ------
    traitlets.TraitError
        If a trait is set to what is unknown or impossible.

    Examples
    --------
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=list("ABC"))
    >>> bench = Workbench(Leaderboard(scores), ("borda", "plurality"))
    >>> bench.weights = {"t2": 2}
    >>> bench.winners
    {'borda': ['C'], 'plurality': ['C']}
    """

    ranking = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    ranks = traitlets.Instance(pd.DataFrame, allow_none=True, read_only=True)
    winners = traitlets.Dict(read_only=True)

    def __init__(
        self,
        board: Votes,
        rules: RuleList = None,
        rule: str | None = None,
        tab: str = "rules",
        delta: float = 0.05,
        missing: Missing | None = None,
    ) -> None:
        scored = isinstance(board, Leaderboard)
        super().__init__(board, _TABS if scored else _OF_COMPARISONS, rules)
        self.add_class("nbrank-bench")
        # What one sees, and what one saw last: a ranking, and rank sets.
        self._seen: Seen | None = None
        #: Why there is no ranking at this setting; what is seen is then that of before.
        self._refused = ""
        #: From what a change is told, and from which rank sets: where a slider began to move.
        self._before: tuple[Seen | None, Seen | None] = None, None
        self._with_sets: Seen | None = None
        self._sets_by_delta: tuple[Any, Callable[[float], pd.DataFrame], pd.DataFrame] | None = None
        self._later = Later(self._find_sets)
        self._said = Prose(pressed=self.press)
        self.script = drawing_script()
        self._figure = LiveChart(self.script, self.clicked)
        self._figure.add_class("nbrank-picture")
        self._rule = widgets.Dropdown(options=self._to_order([]), description="order by")
        self._look = widgets.Combobox(
            options=[*self.names.whole.values()],
            description="look at",
            placeholder=f"find one of all {len(self.board.systems)} systems by its name",
            continuous_update=False,
        )
        self._found = Prose()
        self._closely = OneSystem(self)
        self._questions = Prose(pressed=self.press)
        self._pane = widgets.VBox()
        self._verdict = self._words = self._lists = ""
        left = [self._figure, Prose(in_paragraphs([_HINT]) + _NARROW), self._closely.said]
        right = [self._rule, self._look, self._found, self._pane]
        body = widgets.Box([widgets.VBox(left), widgets.VBox(right)])
        body.add_class("nbrank-body")
        self.children = [self._said, self._questions, body]
        self._look.observe(self._read_look, "value")
        if scored:
            self.made("rules")
        self.delta, self.tab, self.missing = delta, tab, missing or AS_EACH_DOES
        self.rules = tuple(suitable(self.board)[:MOST] if self.asked is None else self.asked)
        # Who may order at the first look: the first of them that ranks the table does.
        self._first = [one for one in self.rules if one in self.offered] if rule is None else [rule]
        self.rule = self._first[0]
        self.rules = tuple(dict.fromkeys((*self.rules, self.rule)))
        self._rule_shown = traitlets.link((self, "rule"), (self._rule, "value"))
        self._ready = True
        self.follow()

    # ------------------------------------------------------------------------- what is set, and how

    def _read_look(self, change: Any) -> None:
        typed = change["new"].strip()
        found = self.names.holding(typed) if typed else [None]
        if len(found) == 1:
            self.system = found[0]
            self._show_whom(None)
        elif found:
            which = f"{len(found)} systems have “{typed}” in their names"
            self._found.html = in_paragraphs([f"{which}: {self.names.listed(found)}."])
        else:
            self._found.html = in_paragraphs([f"No system is called “{typed}”."])

    @traitlets.observe("system")
    def _show_whom(self, _: Any) -> None:
        self._look.value = "" if self.system is None else self.names.whole[self.system]
        self._found.html = ""

    # ------------------------------------------------------------------------------- what follows

    @traitlets.observe("rule", "rules", "weights", "missing", "share", "seed", "cells", "kept")
    def _look_again(self, change: Any) -> None:
        if not self._ready:
            return
        self.dragged = []
        if change["name"] == "rules" and self.rule not in self.rules:
            with self.at_once():
                self.rule = next(rule for rule in self.rules if rule in self.offered)
        self.follow()

    def follow(self) -> None:
        """Rank anew, and have the rank sets follow."""
        if not self._ready:
            return
        votes, whole, before = self.board, self.board, self._seen
        shown, errors = {rule: self.known[rule] for rule in self.rules}, []
        if isinstance(whole, Leaderboard):
            if not any(self.weights.values()):
                self._show_nothing("All weights are 0: give at least one of them a weight")
                return
            whole = self.weighed
            votes = self.deletions.of(whole) if self.share or self.cells else whole
        first, self._first = self._first, []
        freely = bool(first) and self.asked is None
        for rule in first or [self.rule]:
            try:
                glance = overview(votes, rule, None if freely else shown, missing=self.told)
            except (ValueError, RuntimeError) as error:
                errors.append(error)
            else:
                break
        else:
            why = what_helps(self.known[self.rule], votes, errors[0])
            self._show_nothing(f"{in_words(self.rule)} can't rank this table: {why}")
            return
        with self.at_once():
            # Not before: a rule that refuses to order is no column beside the others.
            stay = rule in self.rules and not freely
            self.rule, self.rules = rule, self.rules if stay else tuple(glance.ranks)
        ranks = glance.ranks[[*self.rules]]
        sure = {"sets": before and before.sets, "ratings": before and before.ratings}
        self._refused = ""
        found = vars(glance) | {"unscored": self.unscored + glance.unscored}
        self._seen = now = Seen(
            **{**found, "ranks": ranks, **sure},
            whole=whole,
            missing=self.told,
            known=self.known,
            weights=dict(self.weights),
            weights_of=self.weights_of,
            deletions=self.deletions,
            note=before.note if before else "",
        )
        if not self.drags_on:
            self._before = before, self._with_sets
        changes = "" if self._before[0] is None else since(self._before[0], now, self.names)
        winners = {rule: list(won) for rule, won in now.first.items()}
        ranks = ranks.reindex(now.ranking.index)
        self._tell(now.ranking, ranks, winners, changes or self.changes * (not self.drags_on))
        self._ask_for_sets(None)

    def _tell(self, ranking: Any, ranks: Any, winners: Any, changes: str) -> None:
        """Set what only the page sets."""
        found = {"ranking": ranking, "ranks": ranks, "winners": winners, "changes": changes}
        for name, value in found.items():
            self.set_trait(name, value)

    def _show_nothing(self, why: str) -> None:
        """Say why there is no ranking; of an earlier setting only the picture stays, and pales."""
        self._later.drop()
        self._lists, self._refused = "", why
        self._tell(None, None, {}, "")
        self.show()

    @traitlets.observe("delta", "draws")
    def _ask_for_sets(self, _: Any) -> None:
        if self._ready and not self._refused:
            self._later.ask()
            if self._later.waits:
                self.show()

    # What follows a moment later in a kernel is there when it is asked for.

    @property
    def sets(self) -> pd.DataFrame | None:
        """The ranks that each system may have."""
        self._later.do()
        return None if self._seen is None or self._refused else self._seen.sets

    @property
    def verdict(self) -> str:
        """Who is first, and how sure that is."""
        self._later.do()
        return self._verdict

    @property
    def words(self) -> str:
        """All that the page says, a sentence or so a line."""
        self._later.do()
        self.made(self.tab).later.do()
        return self._words

    def opened(self, name: str) -> Any:
        """What a tab has found; it is made when it is first asked for.

        Parameters
        ----------
        name
            The name of the tab.
        """
        self._later.do()
        self.made(name).later.do()
        return self.made(name)

    def _find_sets(self) -> None:
        """Find the rank sets at this setting, and show them."""
        assert self._seen is not None
        seen, by, votes = self._seen, self._seen.by, self._seen.votes
        sets, note, scored = None, "", isinstance(votes, Leaderboard)
        # Of comparisons only the model has any.
        known = seen.rule_of(self.rule)
        if not (scored and known is not None and has_confidence_sets(known)):
            by = "borda" if scored else "bradley_terry"
        rule = label_of(by)
        if by != seen.by:
            whose = f"{in_words(self.rule)} has no rank sets: those shown are of {in_words(rule)}"
            note = f"{whose}, so who could be first by {in_words(self.rule)} is not known."
        asked = (id(seen.ranking), rule, self.draws)
        try:
            if self._sets_by_delta is None or self._sets_by_delta[0] != asked:
                by_delta = rank_confidence_by_delta(
                    votes,
                    by,
                    seed=0,
                    draws=None if self.draws == DRAWS[0] else "tasks",
                    **told_of_missing(by, seen.missing),
                )
                self._sets_by_delta = (asked, by_delta, seen.ranking)  # which keeps its id
            sets = self._sets_by_delta[1](self.delta)
        except (ValueError, RuntimeError) as error:
            why = why_refused("rank_confidence", error).removeprefix(f"{rule}: ")
            note = f"There are no rank sets: {in_names(why, self.names.brief)}."
        near = self.made("weights").nearest.shares() if scored else None
        rated = ratings(votes, seen.by, self.delta)
        self._seen = replace(seen, sets=sets, ratings=rated, note=note)
        self._lists = who_is_first(self, self._seen, near)
        self._with_sets, (_, before) = self._seen, self._before
        said = "" if before is None else instead_of(before, self._seen)
        if said not in self.changes:
            self.set_trait("changes", f"{self.changes.removesuffix('.')}; {said}.")
        self._mark_refusing(seen)
        self.show()

    def _to_order(self, refusing: Collection[str]) -> list[tuple[str, str]]:
        """The rules that can order as the list has them, those that refuse marked."""
        no = " (can't rank this table)"
        return [(in_words(rule) + no * (rule in refusing), rule) for rule in self.offered]

    def _mark_refusing(self, seen: Seen) -> None:
        """Mark the rules that refuse the table: of those not compared the averages, soon tried."""
        refusing = {*seen.refused}
        known = {label: seen.rule_of(label) for label in self.offered if label not in seen.first}
        for label in [label for label, rule in known.items() if rule and rule.family == "mean"]:
            try:
                called(self.known[label])(seen.votes, **told_of_missing(label, seen.missing))
            except (ValueError, RuntimeError):
                refusing.add(label)
        if (options := self._to_order(refusing)) != [*self._rule.options]:
            # Another list begins at its first rule, which nobody chose.
            self._rule_shown.unlink()
            with self._rule.hold_sync():
                self._rule.options = options
                self._rule_shown.link()

    # ------------------------------------------------------------------------------ what one sees

    @traitlets.observe("system", "tab", "round")
    def show(self, _: Any = None) -> None:
        """Show all that is known: the verdict, the picture, the system looked at, the open tab."""
        if not self._ready:
            return
        seen, tab = self._seen, self.made(self.tab)
        if self._pane.children != (tab.pane,):
            self._pane.children = [tab.pane]
            titles = {name: tab.title for name, tab in self._tabs.items()}
            self._questions.html = tabs(titles, self.tab)
        if self._refused:
            self._verdict, said = self._refused, tab.clear()
            self._closely.said.html = ""
            if seen is None:
                self._figure.draw(None)
            else:
                said = [f"The picture is still that by {in_words(seen.rule)}, as it was before."]
        else:
            assert seen is not None
            # What could be first by another rule is none of the verdict's.
            self._verdict = verdict(replace(seen, sets=None) if seen.note else seen)
            looked_at = None if self.system in seen.unscored else self.system
            live = Live(_ROOM, looked_at, waits=self._later.waits)
            self._figure.draw(partial(drawn, seen, live=live), self._verdict)
            said = [*tab.show(seen), *self._closely.show(seen)]
            if seen.unscored or seen.published:
                said = [*(f"{one}." for one in seen.asides()), *said]
        # Names such as e5-v3 are not broken.
        heading = re.sub("[^ ]+[-/][^ ]+", r"<span>\g<0></span>", escape(self._verdict))
        status, more = ("refusal", said) if self._refused else ("change", [self.changes])
        self._said.html = (
            f"<h2>{heading}</h2>{self._lists}"
            f'<p role="status" class="nbrank-{status}">{escape(" ".join(more))}</p>'
        )
        self._words = "\n".join([f"{self._verdict}.", *filter(None, [self.changes]), *said])
        self.shown_at = monotonic()

    def image(self) -> dict[str, str]:
        """The picture as it is now, by its media type; empty where there is no ranking."""
        self._later.do()
        if self._seen is None or self._refused:
            return {}
        return {"image/svg+xml": as_image(drawn(self._seen))}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the page, and the picture where no kernel runs."""
        bundle = super()._repr_mimebundle_(**options)
        return bundle if bundle is None else {**bundle, **self.image()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.words}"
