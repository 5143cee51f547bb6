"""The workbench: a verdict, the picture, the controls, and a tab for each question."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from html import escape
from time import monotonic
from typing import Any

import ipywidgets as widgets
import pandas as pd
import traitlets

from nbrank.arrays.ballots.profile import Missing
from nbrank.charts.board_drawing.drawing import draw_overview
from nbrank.charts.board_drawing.shown_board import MAX_ROWS, LiveOptions
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.findings.labels import rule_title
from nbrank.findings.overview import MAX_DEFAULT_RULES, compute_overview, default_rules
from nbrank.findings.strength_estimates import compute_ratings
from nbrank.findings.verdict import verdict_and_heading
from nbrank.frontends.shared_html import render_heading, render_paragraphs
from nbrank.frontends.workbench.confidence_tab import ConfidenceTab, find_rank_sets, rank_at_start
from nbrank.frontends.workbench.delayed_work import Debouncer, LastResult
from nbrank.frontends.workbench.html import HtmlWidget, LiveDrawing, render_tabs
from nbrank.frontends.workbench.missing_tab import MissingTab
from nbrank.frontends.workbench.page_head import describe_change, render_contenders
from nbrank.frontends.workbench.pairs_tab import PairsTab
from nbrank.frontends.workbench.rounds_tab import RoundsTab
from nbrank.frontends.workbench.rules_tab import (
    RulesAndWeightsTab,
    RulesTab,
    describe_remedy,
    find_refusing_rules,
)
from nbrank.frontends.workbench.scores_tab import ScoresTab
from nbrank.frontends.workbench.system_panel import SystemPanel
from nbrank.frontends.workbench.trail import Trail
from nbrank.frontends.workbench.weight_sliders import WeightTracks
from nbrank.frontends.workbench.weights_tab import WeightsTab
from nbrank.frontends.workbench.workbench_state import RULE_DEFAULT, WorkbenchState, WorkbenchView
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard

#: Name -> function that opens the tab, in the order of the page.
_TABS: dict[str, Any] = {
    "rules": RulesAndWeightsTab,
    "weights": WeightsTab,
    "pairs": PairsTab,
    "scores": ScoresTab,
    "missing": MissingTab,
    "confidence": ConfidenceTab,
    "elimination": RoundsTab,
}
_HINT = "Click a row to read what explains its system; click a rule to order by it."


def tabs_of(votes: Votes) -> dict[str, Any]:
    """Return the tabs of these votes: name -> function that opens it."""
    if isinstance(votes, Leaderboard):
        return _TABS
    return {"rules": RulesTab} | {name: _TABS[name] for name in ("pairs", "confidence")}


class Workbench(WorkbenchState):
    """One page on a leaderboard: verdict, picture, controls, and a tab for each question.

    Made by `explore`. Every attribute that isn't read only can
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
        "scores", "missing", "confidence" (how sure) or "elimination" (round by round).
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
        The verdict: which system is first, and how sure that is (read only).
    changes : str
        What changed since the last setting that had a ranking (read only).
    text : str
        All that the page says outside tables and lists, about a sentence a line (read only).
    ranking : pandas.DataFrame or None
        The ranking by `rule`, as its function returns it; None where it refuses
        the table, or all weights are 0 (read only).
    ranks : pandas.DataFrame or None
        The ranks, systems x rules, best first; None likewise (read only).
    winners : dict
        Rule -> list of its winners; empty likewise (read only).
    rank_sets : pandas.DataFrame or None
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
        super().__init__(board, tabs_of(board), rules)
        for name in ("nbrank", "nbrank-bench"):
            self.add_class(name)
        # The present view: a ranking, and rank sets.
        self._view: WorkbenchView | None = None
        #: Reason why this setting has no ranking; the view is then an earlier one.
        self._refused = ""
        #: The view with which changes are compared: the one at which a slider began to move.
        self._view_before: WorkbenchView | None = None
        self._later = Debouncer(self._compute_rank_sets)
        self._html = HtmlWidget(pressed=self.on_button)
        self._figure = LiveDrawing(self.on_chart_click)
        self._rule = widgets.Dropdown(options=self._ordering_choices([]), description="order by")
        self._look = widgets.Combobox(
            options=[*self.names.full.values()],
            description="look at",
            placeholder=f"find one of all {len(self.board.systems)} systems by its name",
            continuous_update=False,
        )
        self._found = HtmlWidget()
        self._hint = HtmlWidget(render_paragraphs([_HINT]))
        #: The colors on the sliders' tracks, and the settings that were tried.
        self.tracks, self.trail = WeightTracks(self), Trail(self)
        self._start = LastResult()
        self._closely = SystemPanel(self)
        self._questions = HtmlWidget(pressed=self.on_button)
        self._pane = widgets.VBox()
        self._verdict = self._words = self._lists = ""
        parts = {
            "shown": [self._figure, self._hint],
            "looked-at": [self._closely.html],
            "controls": [self._rule, self._look, self._found, self._pane, self.trail.html],
        }
        body = widgets.Box([widgets.VBox(part) for part in parts.values()])
        self._shown = body.children[0]
        for box, name in zip((body, *body.children), ("body", *parts), strict=True):
            box.add_class(f"nbrank-{name}")
        self.children = [self._html, self._questions, body]
        self._look.observe(self._read_look, "value")
        if scored:
            self.get_tab("rules")
        self.delta, self.tab, self.missing = delta, tab, missing or RULE_DEFAULT
        self.rules = tuple(
            default_rules(self.board)[:MAX_DEFAULT_RULES]
            if self.requested_rules is None
            else self.requested_rules
        )
        # Candidates for the first ordering rule; the first that ranks the table is taken.
        self._first = (
            [item for item in self.rules if item in self.ordering_rules] if rule is None else [rule]
        )
        self.rule = self._first[0]
        self.rules = tuple(dict.fromkeys((*self.rules, self.rule)))
        self.link_controls(rule=self._rule)
        self._ready = True
        self.update()

    # ------------------------------------------------------------------------- what is set, and how

    def _read_look(self, change: Any) -> None:
        typed = change["new"].strip()
        results = self.names.search(typed) if typed else [None]
        if len(results) == 1:
            self.system = results[0]
            self._on_system_change(None)
        elif results:
            which = f"{len(results)} systems have “{typed}” in their names"
            self._found.html = render_paragraphs([f"{which}: {self.names.join(results)}."])
        else:
            self._found.html = render_paragraphs([f"No system is called “{typed}”."])

    @traitlets.observe("system")
    def _on_system_change(self, _: Any) -> None:
        self._look.value = "" if self.system is None else self.names.full[self.system]
        self._found.html = ""

    # ------------------------------------------------------------------------------- what follows

    @traitlets.observe("rule", "rules", "weights", "missing", "share", "seed", "cells", "kept")
    def _on_setting_change(self, change: Any) -> None:
        if not self._ready:
            return
        self.dragged_labels = []
        if change["name"] == "rules" and self.rule not in self.rules:
            with self.hold_updates():
                self.rule = next(rule for rule in self.rules if rule in self.ordering_rules)
        self.update()

    def update(self) -> None:
        """Rank again, and schedule the rank sets."""
        if not self._ready:
            return
        votes, whole, before, errors = self.board, self.board, self._view, []
        if self.sliders is not None:
            self.sliders.set_weights(self.weights)
        if isinstance(whole, Leaderboard):
            if not any(self.weights.values()):
                self._render_error("All weights are 0: give at least one of them a weight")
                return
            whole = self.weighted_board
            votes = whole if self.deletions.is_none else self.deletions.apply(whole)
        first, self._first = self._first, []
        freely = bool(first) and self.requested_rules is None
        rules = None if freely else {rule: self.known[rule] for rule in self.rules}
        for rule in first or [self.rule]:
            try:
                glance = compute_overview(votes, rule, rules, missing=self.missing_option)
                break
            except (ValueError, RuntimeError) as error:
                errors.append(error)
        else:
            why = describe_remedy(self.known[self.rule], votes, errors[0])
            self._render_error(f"{rule_title(self.rule)} can't rank this table: {why}")
            return
        with self.hold_updates():
            # The rule is set only now, because one that refuses the table gets no column.
            stay = rule in self.rules and not freely
            self.rule, self.rules = rule, self.rules if stay else tuple(glance.ranks)
        ranks = glance.ranks[[*self.rules]]
        later = ("rank_sets", "best", "ratings", "told_apart")
        sure = {name: before and getattr(before, name) for name in later}
        sure |= {"ranks": ranks, "unscored": self.unscored + glance.unscored}
        self._refused = ""
        self._view = now = WorkbenchView(
            **(vars(glance) | sure),
            votes_before_deletion=whole,
            missing=self.missing_option,
            rules_by_label=self.known,
            weights=dict(self.weights),
            weight_level=self.weights_of,
            deletions=self.deletions,
            note=before.note if before else "",
        )
        dragged = self.drags_on
        if not dragged:
            self._view_before = before
        then = self._view_before
        changes = "" if then is None else describe_change(then, now, self.names)
        winners = {rule: list(won) for rule, won in now.winners.items()}
        ranks, changes = ranks.reindex(now.ranking.index), changes or self.changes * (not dragged)
        self._set_outputs(now.ranking, ranks, winners, changes)
        self._schedule_rank_sets(None)

    def _set_outputs(self, ranking: Any, ranks: Any, winners: Any, changes: str) -> None:
        """Set traits that are read only for users."""
        results = {"ranking": ranking, "ranks": ranks, "winners": winners, "changes": changes}
        for name, value in results.items():
            self.set_trait(name, value)

    def _render_error(self, reason: str) -> None:
        """Say why this setting has no ranking; the picture of an earlier one stays, but pale."""
        self._later.cancel()
        self._lists, self._refused = "", reason
        self._set_outputs(None, None, {}, "")
        self.render()

    @traitlets.observe("delta", "draws")
    def _schedule_rank_sets(self, _: Any) -> None:
        if self._ready and not self._refused and self._later.schedule():
            self.render()

    # These results come a moment later in a kernel, but are computed at once if Python needs them.

    @property
    def rank_sets(self) -> pd.DataFrame | None:
        """The ranks that each system may have."""
        self._later.run_now()
        return None if self._view is None or self._refused else self._view.rank_sets

    @property
    def verdict(self) -> str:
        """The verdict: which system is first, and how sure that is."""
        self._later.run_now()
        return self._verdict

    @property
    def text(self) -> str:
        """All text of the page, about a sentence in each line."""
        self._later.run_now()
        self.get_tab(self.tab).later.run_now()
        return self._words

    def get_tab_result(self, name: str) -> Any:
        """Return the result of a tab, which is made when it is first needed.

        Parameters
        ----------
        name
            The name of the tab.
        """
        self._later.run_now()
        self.get_tab(name).later.run_now()
        return self.get_tab(name)

    def _compute_rank_sets(self) -> None:
        """Compute the rank sets at this setting, and show them."""
        assert self._view is not None
        seen, scored = self._view, isinstance(self._view.votes, Leaderboard)
        rated = compute_ratings(seen.votes, seen.ordering_rule, self.delta)
        self._view = replace(find_rank_sets(self, seen), ratings=rated)
        self._lists = render_contenders(self, self._view)
        if scored:
            self.tracks.find(self._view)
        self.trail.add(self._view)
        self._mark_failing_rules(seen)
        self.render()

    def _ordering_choices(self, refusing: Collection[str]) -> list[tuple[str, str]]:
        """Return the choices of the list of rules; rules that refuse the table are marked."""
        no = " (can't rank this table)"
        return [(rule_title(rule) + no * (rule in refusing), rule) for rule in self.ordering_rules]

    def _mark_failing_rules(self, view: WorkbenchView) -> None:
        """Mark the rules that refuse the table."""
        refusing = find_refusing_rules(self, view)
        if (options := self._ordering_choices(refusing)) != [*self._rule.options]:
            # A new list selects its first rule, which isn't a choice of the user.
            with self.hold_updates(), self._rule.hold_sync():
                rule, self._rule.options = self.rule, options
                self.rule = rule

    # ------------------------------------------------------------------------------ what one sees

    @traitlets.observe("system", "tab", "round")
    def render(self, _: Any = None) -> None:
        """Show the verdict, the picture, the selected system, and the open tab."""
        if not self._ready:
            return
        seen, tab = self._view, self.get_tab(self.tab)
        if self._pane.children != (tab.pane,):
            self._pane.children = [tab.pane]
            self._shown.children = [*tab.wide, self._figure, self._hint]
            titles = {name: tab.title for name, tab in self._tabs.items()}
            self._questions.html = render_tabs(titles, self.tab)
        if self._refused:
            self._verdict = heading = self._refused
            text = tab.clear()
            self._closely.html.html = ""
            self.trail.show(None)
            if seen is None:
                self._figure.draw(None)
            else:
                text = [f"The picture is still that by {rule_title(seen.rule)}, as it was before."]
        else:
            assert seen is not None
            # The best set of another rule isn't part of the verdict.
            judged = replace(seen, best=None) if seen.note else seen
            self._verdict, heading = verdict_and_heading(judged)
            looked_at = None if self.system in seen.unscored else self.system
            live = LiveOptions(
                looked_at,
                self._later.is_pending,
                self._verdict,
                tab.needs_cells,
                self._start.find((seen.rule, seen.missing), lambda: rank_at_start(self, seen)),
            )
            self._figure.draw(partial(draw_overview, seen, MAX_ROWS, title=False, live=live))
            text = [*tab.show(seen), *self._closely.show(seen)]
            self.trail.show(seen)
            if seen.unscored or seen.published:
                text = [*(f"{aside}." for aside in seen.asides()), *text]
        status, more = ("refusal", text) if self._refused else ("change", [self.changes])
        self._html.html = (
            f"<h2>{render_heading(heading)}</h2>{self._lists}"
            f'<p role="status" class="nbrank-{status}">{escape(" ".join(more))}</p>'
        )
        self._words = "\n".join([f"{self._verdict}.", *filter(None, [self.changes]), *text])
        self.shown_at = monotonic()

    def image(self) -> dict[str, str]:
        """Return the present picture by its media type; empty without a ranking."""
        self._later.run_now()
        if self._view is None or self._refused:
            return {}
        return {"image/svg+xml": draw_overview(self._view).to_svg()}

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Show the page, and the picture where no kernel runs."""
        bundle = super()._repr_mimebundle_(**options)
        return bundle if bundle is None else {**bundle, **self.image()}

    def __repr__(self) -> str:
        return f"{type(self).__name__}\n{self.text}"
