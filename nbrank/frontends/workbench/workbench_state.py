"""The settings of the workbench, from Python and by its controls, with their checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import ipywidgets as widgets
import numpy as np
import traitlets
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import Missing
from nbrank.arrays.typing import Bools
from nbrank.comparison.rules_side_by_side import (
    PublishedRanks,
    RuleList,
    drop_published_ranks,
    label_rules,
    missing_option,
    resolve_rules,
)
from nbrank.findings.labels import MISSING_DESCRIPTIONS, DisplayNames, rule_title
from nbrank.findings.overview import Overview
from nbrank.frontends.workbench.delayed_work import Debouncer, LastResult
from nbrank.frontends.workbench.html import render_button
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import Rule, RuleLike
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.leaderboard import Leaderboard

#: Choices of the units that are drawn.
DRAW_CHOICES = ("as on the board", "each task alone")
#: Default treatment of missing scores.
RULE_DEFAULT = "as each rule does"


@dataclass(frozen=True, eq=False, kw_only=True)
class WorkbenchView(Overview):
    """What the page shows at a setting: the rankings of the votes as they count now.

    `votes_before_deletion` is the votes without deletions, `rules_by_label` what each rule's name
    stands for. The rank sets are those of before until they are found anew; the note says what has
    to be known of them. `told_apart` says which pairs surely differ, systems x systems.
    """

    votes: Leaderboard | Comparisons
    votes_before_deletion: Votes
    missing: Missing | None
    rules_by_label: Mapping[str, RuleLike]
    weights: Mapping[Label, float]
    weight_level: str
    deletions: Deletions
    told_apart: Bools | None = None
    note: str = ""

    @property
    def ordering_rule(self) -> RuleLike:
        """The rule that orders."""
        return self.rules_by_label[self.rule]

    def get_rule(self, label: str) -> Rule | None:
        """Return the rule of this name; None if the user gave the name to another function."""
        return BoundRule.bind(self.rules_by_label[label]).registered

    @property
    def options(self) -> dict[str, Any]:
        """How the rule that orders counts missing scores."""
        return missing_option(self.ordering_rule, self.missing)

    def looked_at(self, system: Label) -> Label:
        """Return the selected system, or None if it is left out at this setting."""
        return None if system in self.unscored else system

    @property
    def board(self) -> Leaderboard:
        """The table of scores; None for comparisons."""
        assert isinstance(self.votes, Leaderboard)
        return self.votes


class WorkbenchState(widgets.VBox):  # type: ignore[misc]
    """The settings of the workbench; `Workbench` describes the attributes."""

    tab = traitlets.Unicode()
    rule = traitlets.Unicode()
    rules = traitlets.Tuple()
    system = traitlets.Any()
    weights_of = traitlets.Enum(["groups", "tasks"], "tasks")
    weights: traitlets.Dict[Any, Any] = traitlets.Dict()
    missing = traitlets.Enum([RULE_DEFAULT, *MISSING_DESCRIPTIONS], RULE_DEFAULT)
    share = traitlets.Float(0.0, min=0.0, max=0.9)
    seed = traitlets.Int(0, min=0)
    cells = traitlets.Tuple()
    kept = traitlets.Tuple()
    delta = traitlets.Float(0.05, min=0.001, max=0.5)
    draws = traitlets.Enum(DRAW_CHOICES, DRAW_CHOICES[0])
    round = traitlets.Int(0, min=0)
    changes = traitlets.Unicode(read_only=True)
    #: Maximum number of rounds.
    most_rounds = 10_000
    #: Whether settings take effect; not while the page is made, or several traits are set together.
    _ready = False
    #: Labels of the weights that a slider moved last, whether it still moves, and the time of the
    #: last view.
    dragged_labels: Sequence[Label] = ()
    drags_on = False
    shown_at = 0.0
    _later: Debouncer

    def __init__(self, board: Votes, tabs: Mapping[str, Any], rules: RuleList) -> None:
        #: The systems without a single score, which the page leaves out and names.
        self.unscored = tuple(board.unscored)
        self.board = board = board.drop_unscored()
        rules = drop_published_ranks(rules, self.unscored)
        self.names = DisplayNames.from_labels(board.systems)
        self._row = {system: row for row, system in enumerate(board.systems)}
        #: The requested rules by their labels.
        self.requested_rules = None if rules is None else label_rules(rules)
        # Labels that are names of rules need no entry.
        theirs = {
            label: rule for label, rule in (self.requested_rules or {}).items() if rule is not label
        }
        self.known = resolve_rules(None, board.provides) | resolve_rules(theirs)
        self.ordering_rules = [
            label
            for label, name in self.known.items()
            if not isinstance(name, PublishedRanks) or len(name.ranking) == len(board.systems)
        ]
        self._tabs, self._tabs_made = tabs, dict[str, Any]()
        #: The `WeightSliders`; None without tasks.
        self.sliders: Any = None
        #: The tests of all pairs, kept until something other than delta changes.
        self.tested = LastResult()
        #: The colors on the sliders' tracks, and the settings that were tried; the page sets them.
        self.tracks: Any = None
        self.trail: Any = None
        super().__init__()

    @property
    def scores(self) -> Leaderboard:
        """The board if it is one of scores, else None."""
        assert isinstance(self.board, Leaderboard)
        return self.board

    @property
    def missing_option(self) -> Missing | None:
        """The option `missing=` for rules."""
        how: Any = self.missing
        return None if how == RULE_DEFAULT else how

    @property
    def weighted_board(self) -> Leaderboard:
        """The board with the present weights."""
        weights = self.get_tab("rules").weights_by_task(self.weights, self.weights_of)
        return self.scores.with_task_weights(weights)

    def get_tab(self, name: str) -> Any:
        """Make a tab when it is first needed."""
        if name not in self._tabs_made:
            self._tabs_made[name] = self._tabs[name](self)
        return self._tabs_made[name]

    def toggle(self, system: Label, task: Label) -> None:
        """Delete a score, or restore it if it is deleted, as a click on it does.

        Parameters
        ----------
        system, task
            The system and the task of the score; for instance-level scores, all of the task.

        Raises
        ------
        traitlets.TraitError
            If the system or the task is unknown.
        """
        self.check_cell("toggle", (system, task))
        now = self.deletions.toggle(self.scores, (system, task))
        self.set_values(cells=now.cells, kept=now.restored)

    def on_button(self, name: str, value: str) -> None:
        """Handle a button of the page, as `html.render_button` writes them."""
        if name == "take":
            self.get_tab("weights").apply_nearest_weights(self.system)
        elif name == "tried":
            self.trail.go_back(value)
        elif name == "weigh":
            row, weight = value.split()
            self.weights = {[*self.weights][int(row)]: float(weight)}
        elif name == "system":
            self.system = self.board.systems[int(value)] if value else None
        elif name == "compare":
            others = tuple(rule for rule in self.rules if rule != value)
            self.rules = others if value in self.rules else (*self.rules, value)
        elif name == "look":
            short = self.names.short.items()
            self.system = next(system for system, name in short if name == value)
        else:
            setattr(self, name, value)

    def on_chart_click(self, fields: dict[str, Any]) -> None:
        """Handle a click on a chart: select a system, delete a score, or take a rule."""
        system = self.names.find(str(fields.get("system")))
        task = DisplayNames.from_labels(getattr(self.board, "tasks", ())).find(
            str(fields.get("task"))
        )
        rule = fields.get("rule") if system is None else None
        if system is not None and task is not None and self.tab == "missing":
            self.toggle(system, task)
        elif system is not None:
            self.system = None if system == self.system else system
        elif rule in self.ordering_rules:
            self.rule = rule
        elif rule in self.known:
            self.set_trait(
                "changes",
                f"{rule_title(rule)} can't order the systems: it doesn't rank all of them.",
            )
            self.update()

    def system_button(self, system: Label) -> str:
        """Write a button that selects a system."""
        return render_button("system", self._row[system], self.names.full[system])

    @property
    def is_pending(self) -> bool:
        """Whether slow results, such as rank sets, are computed once the settings rest."""
        return self._later.is_pending

    def update(self) -> None:
        """Show the results of the settings; only a page has something to show."""

    def render(self) -> None:
        """Show all results."""

    def set_values(self, **traits: Any) -> None:
        """Set several traits before any of them takes effect."""
        with self.hold_updates():
            for name, value in traits.items():
                setattr(self, name, value)
        self.update()

    def link_controls(self, **controls: widgets.Widget) -> None:
        """Let controls show the traits of these names, and set them."""
        for name, control in controls.items():
            traitlets.link((self, name), (control, "value"))

    @contextmanager
    def hold_updates(self) -> Iterator[None]:
        """Set several traits before any of them is followed."""
        ready, self._ready = self._ready, False
        try:
            yield
        finally:
            self._ready = ready

    @property
    def deletions(self) -> Deletions:
        """The deleted scores."""
        return Deletions(self.share, self.seed, tuple(self.cells), tuple(self.kept))

    # ------------------------------------------------------------------------------ what is refused

    @traitlets.validate("tab", "rule", "system")
    def _validate_choice(self, proposal: Any) -> Label:
        name, value = proposal["trait"].name, proposal["value"]
        observed = {"tab": self._tabs, "rule": self.ordering_rules, "system": self.board.systems}
        offered: list[Label] = [*observed[name]]
        if name == "system" and value in self.unscored:
            raise traitlets.TraitError(f"system: {value!r} is left out, without a single score")
        if value not in offered and not (value is None and name == "system"):
            raise traitlets.TraitError(
                f"{name}: unknown {value!r}; there are {format_labels(offered)}"
            )
        return value  # type: ignore[no-any-return]

    @traitlets.validate("rules")
    def _validate_rules(self, proposal: Any) -> tuple[str, ...]:
        rules = tuple(proposal["value"])
        unknown = [rule for rule in rules if rule not in self.known]
        if unknown or not {*rules}.intersection(self.ordering_rules):
            why = ", ".join(map(repr, unknown)) or "none that ranks every system"
            raise traitlets.TraitError(f"rules: {why}; choose from {', '.join(self.known)}")
        return rules

    @traitlets.validate("weights")
    def _validate_weights(self, proposal: Any) -> dict[Label, float]:
        if self.sliders is None:
            raise traitlets.TraitError("weights: comparisons have no tasks to weigh")
        completed: dict[Label, float] = self.sliders.fill_weights(proposal["value"])
        return completed

    @traitlets.validate("cells", "kept")
    def _validate_cells(self, proposal: Any) -> tuple[CellLabel, ...]:
        for cell in proposal["value"]:
            self.check_cell(proposal["trait"].name, cell)
        return tuple(proposal["value"])

    def check_cell(self, trait_name: str, cell: Any) -> None:
        """Refuse a pair that is not a system and a task."""
        systems, tasks = list(self.board.systems), list(getattr(self.board, "tasks", ()))
        if len(cell) != 2 or cell[0] not in systems or cell[1] not in tasks:
            raise traitlets.TraitError(
                f"{trait_name}: {cell!r} is not a pair of a system and a task"
            )

    @traitlets.validate("round")
    def _validate_round(self, proposal: Any) -> int:
        return min(int(proposal["value"]), self.most_rounds)

    @traitlets.validate("draws", "missing", "share", "weights_of")
    def _validate_task_setting(self, proposal: Any) -> Any:
        value, trait = proposal["value"], proposal["trait"]
        if value != trait.default_value and not isinstance(self.board, Leaderboard):
            raise traitlets.TraitError(f"{trait.name}={value!r}: comparisons have no tasks")
        if value == "groups" and self.scores.groups is None:
            raise traitlets.TraitError(
                "weights_of='groups': this board has no groups; give groups={group: [tasks]}"
            )
        return value


#: A system and a task; for instance-level scores, all scores of the system on the task.
CellLabel = tuple[Label, Label]


@dataclass(frozen=True)
class Deletions:
    """Deletions: a share at random, by a seed; further deleted cells; and cells that are kept."""

    share: float = 0.0
    seed: int = 0
    cells: tuple[CellLabel, ...] = ()
    restored: tuple[CellLabel, ...] = ()

    @property
    def is_none(self) -> bool:
        """Whether no score is deleted."""
        return not (self.share or self.cells)

    def deleted_mask(self, board: Leaderboard) -> NDArray[np.bool_]:
        """Return the mask of a board's deleted scores."""
        gone = self._random_mask(board)
        for cells, out in ((self.restored, False), (self.cells, True)):
            for cell in cells:
                gone[_cell_indices(board, cell)] = out
        deleted: NDArray[np.bool_] = gone & ~np.isnan(board.values)
        return deleted

    def apply(self, board: Leaderboard) -> Leaderboard:
        """Return the board without the deleted scores."""
        gone = self.deleted_mask(board)
        if not gone.any():
            return board
        return board.with_values(np.where(gone, np.nan, board.values))

    def list_cells(self, board: Leaderboard) -> list[CellLabel]:
        """List the systems and tasks of the deleted scores."""
        rows, columns = np.nonzero(self.deleted_mask(board))
        pairs = zip(rows.tolist(), board.task_codes[columns].tolist(), strict=True)
        return [(board.systems[row], board.tasks[task]) for row, task in dict.fromkeys(pairs)]

    def toggle(self, board: Leaderboard, cell: CellLabel) -> Deletions:
        """Delete a score, or restore it if it is deleted; missing scores stay as they are."""
        row, here = _cell_indices(board, cell)
        observed = ~np.isnan(board.values[row, here])
        if not observed.any():
            return self
        cells = tuple(other for other in self.cells if other != cell)
        selected = tuple(other for other in self.restored if other != cell)
        by_share = bool(self._random_mask(board)[row, here][observed].all())
        if self.deleted_mask(board)[row, here][observed].all():
            selected = (*selected, cell) if by_share else selected
        elif not by_share:
            cells = (*cells, cell)
        return replace(self, cells=cells, restored=selected)

    def _random_mask(self, board: Leaderboard) -> NDArray[np.bool_]:
        present = np.flatnonzero(~np.isnan(board.values))
        gone = np.zeros(board.values.shape, dtype=bool)
        drawn = np.random.default_rng(self.seed).permutation(present)
        gone.ravel()[drawn[: round(self.share * len(present))]] = True
        return gone


def _cell_indices(board: Leaderboard, cell: CellLabel) -> tuple[int, NDArray[np.intp]]:
    """Return the row and the columns of a cell; a task of instance-level scores has several."""
    system, task = list(board.systems).index(cell[0]), list(board.tasks).index(cell[1])
    return system, np.flatnonzero(board.task_codes == task)
