"""Where everything stands in the picture of a leaderboard, in pixels; what it says, measured once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nbrank.charts.board_drawing.headings import Column, Heading, place_headings
from nbrank.charts.board_drawing.sizes import SCREEN, Sizes, rank_ticks
from nbrank.charts.text_metrics import (
    cut_text,
    max_text_width,
    text_width,
    wrap_alike,
    wrap_name,
    wrap_words,
)
from nbrank.findings.labels import label_text, rule_title, unique_label_texts
from nbrank.findings.overview import Overview, describe_small_sample, task_names
from nbrank.rules.registry import RULES
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: So many systems are drawn unless one says otherwise; in a column of a paper fewer.
MAX_ROWS, MAX_NARROW_ROWS = 20, 12
#: So many rules have a column in a column of a paper.
MAX_NARROW_RULES = 3
#: What the rules of a family do, and in brief.
_FAMILIES = {
    "points": ("points", "points"),
    "pairs": ("one against one", "duels"),
    "rounds": ("rounds", "rounds"),
    "model": ("strength", "strength"),
    "other": ("own rules", "own"),
    "given": ("given", "given"),
}
_FAMILY_OF = {
    "mean": "points",
    "positional": "points",
    "majority": "pairs",
    "consensus": "pairs",
    "elimination": "rounds",
    "model": "model",
}


@dataclass(frozen=True)
class LiveOptions:
    """What a picture shows beside controls, on a page that has its title.

    Parameters
    ----------
    selected_system
        A system that is looked at, with a row of its own; None for none.
    is_pending
        Whether rank sets and best set are those of before, and the new ones yet to come.
    verdict
        What stands over it on its page.
    previous_ranks
        The ranks before the last move: system -> rank.
    """

    selected_system: Label = None
    is_pending: bool = False
    verdict: str = ""
    previous_ranks: dict[Label, int] | None = None


@dataclass(frozen=True)
class AxisPanel:
    """A panel with an axis: its heading, whole or in brief, where it is, and its ends."""

    titles: tuple[str, ...]
    start: float
    width: float
    minimum: float
    maximum: float
    letters: float
    shows_ranks: bool = False

    def to_pixels(self, number: float) -> float:
        """Where a number stands; one beyond the ends stands there."""
        span = max(self.maximum - self.minimum, 1e-9)
        return self.start + self.width * min(1.0, max(0.0, (number - self.minimum) / span))

    @cached_property
    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        if self.shows_ranks:
            ranks = rank_ticks(int(self.maximum), self.width, self._label_width)
            return [(str(rank), self.to_pixels(rank)) for rank in ranks]
        apart = 3.2 * self.letters * (self.maximum - self.minimum) / self.width
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.minimum / step), math.floor(self.maximum / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.to_pixels(at * step)) for at in whole]

    def _label_width(self, rank: int) -> float:
        return text_width(str(rank), self.letters)


@dataclass(frozen=True)
class CellColumn:
    """A column of cells: of a task or an opponent, from where to where it goes."""

    label: Label
    full_name: str
    start: float
    end: float


@dataclass(frozen=True)
class RuleColumn:
    """A column of ranks by a rule: its label, how it is called, its family, and its middle."""

    label: str
    title: str
    family: str
    middle: float


class BoardLayout:
    """Where everything stands, in pixels from the corner above and on the left.

    Widths are given out from the left: the names, the ranks by each rule, the ranks that may be,
    and what is left to the tasks.
    """

    def __init__(
        self,
        overview: Overview,
        top: int = MAX_ROWS,
        width: float | None = None,
        live: LiveOptions | None = None,
    ) -> None:
        self.overview, self.live = overview, live
        self.sizes = Sizes.at_width(SCREEN if width is None else width)
        self.n_systems = len(overview.votes.systems)
        if self.sizes.is_narrow and top == MAX_ROWS:
            top = MAX_NARROW_ROWS
        self.n_first = min(top, self.n_systems)
        first = list(overview.ranking.index[: self.n_first])
        selected = None if live is None else live.selected_system
        #: The systems that are drawn, best first, and the one that is looked at.
        self.systems = first if selected in (None, *first) else [*first, selected]
        self.position = {system: at for at, system in enumerate(overview.votes.systems)}
        #: The rows of the drawn systems in frames that have the order of the table.
        self.table_rows = np.array([self.position[system] for system in self.systems])
        names = unique_label_texts(overview.votes.systems)
        #: What each system is called in whole.
        self.names = dict(zip(overview.votes.systems, names, strict=True))
        #: The rank sets, unless they are drawn from too little to tell anything apart.
        self.sets = (
            None if describe_small_sample(overview.rank_sets) else overview.rank_sets
        )
        self.ranks = dict(
            zip(overview.ranking.index, overview.ranking["rank"].tolist(), strict=True)
        )
        self._layout_columns(width)
        self._layout_rows()

    # ------------------------------------------------------------------------- what is shown

    @cached_property
    def best(self) -> frozenset[Label]:
        """The systems that may be the best."""
        table = self.overview.best_set
        return frozenset() if table is None else frozenset(table.index[table["best"]])

    @property
    def has_places(self) -> bool:
        """Whether there are tasks, on which systems have places."""
        return self.overview.places is not None

    @cached_property
    def rank_texts(self) -> dict[Label, str]:
        """The rank of each system by the rule that orders; a shared one begins with =."""
        number = Counter(self.ranks.values())
        return {
            system: f"{'=' * (number[rank] > 1)}{rank}" for system, rank in self.ranks.items()
        }

    @cached_property
    def rank_ends(self) -> list[tuple[float, float]] | None:
        """The ranks that each drawn system may have."""
        if self.sets is None:
            return None
        low, high = (self.sets[end].tolist() for end in ("low", "high"))
        ends = dict(zip(self.sets.index, zip(low, high, strict=True), strict=True))
        return [ends[system] for system in self.systems]

    @cached_property
    def rule_texts(self) -> dict[str, list[str]]:
        """The ranks of the drawn systems by each rule; a dash where there is none."""
        results = {}
        for rule in self.overview.ranks:
            column = self.overview.ranks[rule].to_numpy(dtype=float, na_value=np.nan)
            number = Counter(column.tolist())
            results[rule] = [
                "–" if math.isnan(rank) else f"{'=' * (number[rank] > 1)}{rank:.0f}"
                for rank in column[self.table_rows].tolist()
            ]
        return results

    def _rule_family(self, rule: str) -> str:
        if rule in self.overview.published:
            return "given"
        ranking = self.overview.rankings.get(rule)
        name = rule if ranking is None else ranking.attrs.get("rule", rule)
        return _FAMILY_OF[RULES[name].family] if name in RULES else "other"

    def _rules_by_family(self, room: float) -> tuple[dict[str, list[str]], list[float]]:
        """The rules that have a column, by family, and how wide each family is.

        There are as many as have room, one of each family first. In a column of a paper the rule
        that orders has none, since its ranks stand on the left.
        """
        rules, most = [str(rule) for rule in self.overview.ranks], len(self.overview.ranks.columns)
        if self.sizes.is_narrow:
            rules = [rule for rule in rules if rule != self.overview.rule] or rules
            most = MAX_NARROW_RULES
        families: dict[str, list[str]] = {family: [] for family in _FAMILIES}
        for rule in rules:
            families[self._rule_family(rule)].append(rule)
        turns = sorted(
            (rule != self.overview.rule, turn, at, rule)
            for at, of_family in enumerate(families.values())
            for turn, rule in enumerate(of_family)
        )
        size, gap = self.sizes.letters, self.sizes.family_gap
        for number in range(min(most, len(turns)), 0, -1):
            drawn = {rule for *_, rule in turns[:number]}
            shown = {
                family: [rule for rule in of_family if rule in drawn]
                for family, of_family in families.items()
                if not drawn.isdisjoint(of_family)
            }
            wide = [
                max(len(own) * self.rule_width, text_width(_FAMILIES[family][1], size) + 2)
                for family, own in shown.items()
            ]
            if sum(wide) + gap * (len(wide) - 1) <= room:
                break
        return shown, wide

    def _cell_shares(self) -> list[tuple[Label, float]]:
        """What may have a column of cells, and its share of their width.

        The tasks that weigh anything, those of a group together; without tasks the opponents.
        """
        board = self.overview.votes
        if not isinstance(board, Leaderboard):
            alike = 1 / len(self.systems)
            return [(system, alike) for system in self.systems] if alike < 1 else []
        weights = dict(zip(board.tasks, board.weights / board.weights.sum(), strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    @cached_property
    def task_positions(self) -> list[int]:
        """The columns of the tasks that are drawn in frames that have the order of the table."""
        board = self.overview.votes
        assert isinstance(board, Leaderboard)
        position = {task: at for at, task in enumerate(board.tasks)}
        return [position[task] for task, _ in self.cell_shares]

    def _cell_full_names(self) -> Mapping[Label, str]:
        """What each column of cells is called in whole."""
        board = self.overview.votes
        return task_names(board).full if isinstance(board, Leaderboard) else self.names

    def _cell_names(self) -> list[tuple[str, str]]:
        """The name of each column of cells as group and task; without a group, an empty one.

        Neighbours of one stem, as MultiRC-a and MultiRC-b, are a group.
        """
        board, labels = self.overview.votes, [label for label, _ in self.cell_shares]
        if not isinstance(board, Leaderboard):
            return [("", self.rank_texts[label]) for label in labels]
        texts = dict(zip(board.tasks, unique_label_texts(board.tasks), strict=True))
        if board.groups is not None:
            group = {task: label_text(name) for name, of in board.groups.items() for task in of}
            return [
                (group[task], label_text(task[-1]) if isinstance(task, tuple) else texts[task])
                for task in labels
            ]
        parts = [_stem_and_leaf(texts[task]) for task in labels]
        stems = ["", *(stem for stem, _ in parts), ""]
        return [
            part if part[0] and part[0] in (before, after) else ("", texts[task])
            for task, part, before, after in zip(labels, parts, stems, stems[2:], strict=False)
        ]

    # ----------------------------------------------------------------------------- columns

    def _layout_columns(self, width: float | None) -> None:
        sizes = self.sizes
        fs, gap = sizes.letters, sizes.gap
        self.cell_shares = self._cell_shares()
        numbers = max_text_width([self.rank_texts[s] for s in self.systems], fs, bold=True)
        self.rank_end = sizes.margin + numbers + (0 if sizes.is_narrow else 0.5 * fs)
        self.dot = self.rank_end + 0.9 * fs
        self.name_start = self.rank_end + (1.65 if self.best else 0.8) * fs
        full = [self.names[system] for system in self.systems]
        widest = max_text_width(full, fs, bold=bool(self.best)) + 2
        names = min(widest, max(sizes.name_share * sizes.width, 5 * fs))
        texts = [text for column in self.rule_texts.values() for text in column]
        self.rule_width = max(sizes.rule, max_text_width(texts, fs) + 0.9 * fs)
        edge, n = sizes.width - sizes.margin, len(self.cell_shares)
        axes, ticks = int(self.sets is not None) + self._has_ratings(), self.has_places and n > 0
        # In a column of a paper the places on tasks are marks on the axis of ranks.
        if sizes.is_narrow and ticks:
            axes = max(axes, 1)
        beside = (sizes.axis + gap) * axes
        left = self.name_start + names + 0.7 * fs
        families, blocks = self._rules_by_family(edge - left - beside)
        slack = edge - left - sum(blocks) - sizes.family_gap * (len(blocks) - 1) - beside
        self.has_cells = not sizes.is_narrow and n > 0 and slack - gap >= n * sizes.least_cell
        cells = 0.0
        if self.has_cells:
            cells = min(slack - gap, sizes.most_cell * max(n, 2))
            slack -= cells + gap
        elif axes == 0 and ticks:
            axes, slack = 1, slack - sizes.axis - gap
        longer = max(0.0, min(slack, widest - names))
        self.name_width, slack = names + longer, max(0.0, slack - longer)
        more = sizes.axis * (0.8 if self.has_cells else 3.0)
        if width is None and self.has_cells:
            more = 0.0
        axis = sizes.axis + min(slack / max(axes, 1), more)
        x = self._layout_rules(families, blocks, left + longer)
        self.rank_axis: AxisPanel | None = None
        self.rating_axis: AxisPanel | None = None
        if self.sets is not None or (ticks and not self.has_cells):
            self.rank_axis = self._make_rank_axis(x + gap + 0.5 * fs, axis - fs)
            x += gap + axis
        if self._has_ratings():
            self.rating_axis = self._make_rating_axis(x + gap + 0.5 * fs, axis - fs)
            x += gap + axis
        self.columns = self._layout_cells(x + gap, cells) if self.has_cells else []
        end = self.columns[-1].end if self.columns else x
        self.width = sizes.width if width is not None else max(end + sizes.margin, 40 * fs)

    def _layout_rules(
        self, families: dict[str, list[str]], blocks: list[float], x: float
    ) -> float:
        """Set the columns of ranks; returns where they end."""
        size = self.sizes.letters
        self.rule_columns: list[RuleColumn] = []
        #: What is over each family of rules, from where to where.
        self.spanners: list[tuple[str, float, float]] = []
        for (family, rules), wide in zip(families.items(), blocks, strict=True):
            whole, brief = _FAMILIES[family]
            self.spanners.append((whole if text_width(whole, size) <= wide else brief, x, x + wide))
            start = x + (wide - len(rules) * self.rule_width) / 2
            self.rule_columns += [
                RuleColumn(rule, rule_title(rule), family, start + (at + 0.5) * self.rule_width)
                for at, rule in enumerate(rules)
            ]
            x += wide + self.sizes.family_gap
        return x - self.sizes.family_gap

    def _make_rank_axis(self, start: float, width: float) -> AxisPanel:
        last, beyond = self.n_systems, ""
        if last > 60:
            drawn = [self.ranks[system] for system in self.systems]
            drawn += [int(high) for _, high in self.rank_ends or ()]
            last = max(drawn)
            beyond = f", to {last} of {self.n_systems}" if last < self.n_systems else ""
        titles = ["rank"] if self.sets is None else ["ranks it may have", "ranks", "rank"]
        if self.sizes.is_narrow:
            titles = ["rank"]
        named = tuple(title + beyond for title in titles)
        named += (f"rank to {last}",) * bool(beyond)
        return AxisPanel(named, start, width, 1, max(last, 2), self.sizes.letters, shows_ranks=True)

    def _has_ratings(self) -> bool:
        ratings = self.overview.ratings
        return ratings is not None and ratings.table is not None and not self.sizes.is_narrow

    @cached_property
    def rated(self) -> Any:
        """The strengths of the systems that are drawn; None without any, or room for them."""
        if not self._has_ratings():
            return None
        assert self.overview.ratings is not None
        assert self.overview.ratings.table is not None
        return self.overview.ratings.table.loc[self.systems]

    def _make_rating_axis(self, start: float, width: float) -> AxisPanel:
        assert self.overview.ratings is not None
        ends = self.rated[["strength", "low", "high"]].to_numpy()
        ends = ends[np.isfinite(ends)]
        least, most = float(ends.min()), float(ends.max())
        title = self.overview.ratings.unit.partition(",")[0]
        titles = (title, title.partition(" ")[0])
        most = max(most, least + 1e-6)
        return AxisPanel(titles, start, width, least, most, self.sizes.letters)

    def _layout_cells(self, start: float, room: float) -> list[CellColumn]:
        """The columns of cells, as wide as what they weigh; a wider gap between groups."""
        names, sizes = self._cell_names(), self.sizes
        stems = [stem for stem, _ in names]
        between, inner = 0.3 * sizes.letters, 0.13 * sizes.letters
        gaps = [
            inner if before == after and before else between
            for before, after in zip(stems[:-1], stems[1:], strict=True)
        ]
        # The last name may need some room beyond the last column.
        wide = room / len(names)
        over = text_width(stems[-1] or names[-1][1], sizes.small) / 2
        room -= min(max(0.0, over - wide / 2 - sizes.margin), 3.5 * sizes.letters)
        scale = sum(gaps) / room
        if scale > 0.35:
            gaps = [gap * 0.35 / scale for gap in gaps]
        room -= sum(gaps)
        columns, x = [], start
        full = self._cell_full_names()
        for (label, share), gap in zip(self.cell_shares, [*gaps, 0.0], strict=True):
            columns.append(CellColumn(label, full[label], x, x + share * room))
            x += share * room + gap
        self.cell_names = names
        return columns

    # ------------------------------------------------------------------------------- rows

    def _layout_rows(self) -> None:
        """From above: the names over the columns, the rows."""
        sizes, fs = self.sizes, self.sizes.letters
        self._layout_rule_headings()
        self._layout_cell_headings()
        levels = max(
            [heading.top + 1 for heading in (*self.rule_headings, *self.cell_headings)], default=1
        )
        #: From above: the words over the families, a line, the names, the rows.
        self.spanner_line = 1.5 * fs
        self.heading_foot = self.spanner_line + 0.55 * fs + max(levels, 1) * sizes.line
        self.top = self.heading_foot + 0.55 * fs
        row = sizes.row
        if sizes.width >= 1600 and self.live is None:
            room = sizes.width * 0.5625 - self.top - 13 * fs
            row = min(max(row, room / len(self.systems)), 2.75 * fs)
        self.row = row
        self.lines = self._name_lines()
        self.bottom = self.top + len(self.systems) * row

    def _name_lines(self) -> dict[Label, list[str]]:
        """What each system is called, in one or two lines, no two of them alike."""
        size, width = self.sizes.letters, self.name_width
        results = {}
        for system in self.systems:
            bold = system in self.best
            results[system] = wrap_name(self.names[system], width, size, bold=bold)
        number = Counter(map(tuple, results.values()))
        for system, lines in results.items():
            if number[tuple(lines)] > 1:
                bold = system in self.best
                results[system] = wrap_alike(self.names[system], width, size, bold=bold)
        number = Counter(map(tuple, results.values()))
        for system, lines in results.items():
            if number[tuple(lines)] > 1:
                place = f" ({self.position[system] + 1})"
                room = width - text_width(place, size, bold=True)
                results[system] = [lines[0], cut_text(lines[-1], room, size, bold=True) + place]
        return results

    def _layout_rule_headings(self) -> None:
        sizes, columns = self.sizes, []
        for column in self.rule_columns:
            words = wrap_words(column.title, 6.5 * sizes.letters, sizes.letters)
            parts = column.title.split(" ")
            lines = tuple(parts) if len(parts) == 2 else (column.title,)
            if len(parts) > 2:
                lines = tuple(words) if len(words) == 2 else (column.title,)
            bold = column.label == self.overview.rule
            columns.append(Column(column.title, column.middle, lines, bold, key=column.label))
        if not columns:
            self.rule_headings: list[Heading] = []
            return
        end = min(self.spanners[-1][2] + 1.1 * sizes.letters, self.width - 1)
        self.rule_headings = place_headings(
            columns, (self.name_start + 0.3 * self.name_width, end), sizes.letters
        )

    def _layout_cell_headings(self) -> None:
        """Names over the cells; of a group one, with the names of its tasks, if they fit."""
        self.cell_headings: list[Heading] = []
        #: Names of tasks below that of their group, and the lines between.
        self.leaves: list[tuple[str, float]] = []
        self.group_lines: list[tuple[float, float, bool]] = []
        self.n_headings = self.n_unnamed = 0
        if not self.columns:
            return
        size, columns, blocks = self.sizes.small, [], []
        for run in self._runs():
            own = [self.columns[at] for at in run]
            start, end = own[0].start, own[-1].end
            stem, leaf = self.cell_names[run[0]]
            if not stem:
                name = leaf
                columns.append(Column(name, (start + end) / 2))
                continue
            leaves = [self.cell_names[at][1] for at in run]
            fit = all(
                text_width(text, size) <= column.end - column.start - 1
                and column.end - column.start >= 1.6 * size
                for text, column in zip(leaves, own, strict=True)
            )
            if fit:
                for text, column in zip(leaves, own, strict=True):
                    self.leaves.append((text, (column.start + column.end) / 2))
                blocks.append((start, end, 0))
            if fit or len(run) > 1:
                self.group_lines.append((start + 1, end - 1, fit))
            self.n_unnamed += len(run) * (not fit)
            columns.append(Column(stem, (start + end) / 2, base=int(fit)))
        left = self.columns[0].start - 0.6 * self.sizes.letters
        self.cell_headings = place_headings(columns, (left, self.width - 2), size, blocks)
        self.n_headings = len(columns)

    def _runs(self) -> list[list[int]]:
        """The columns that have one name over them: those of a group, or one."""
        runs: list[list[int]] = []
        for at, (stem, _) in enumerate(self.cell_names):
            if runs and stem and self.cell_names[runs[-1][0]][0] == stem:
                runs[-1].append(at)
            else:
                runs.append([at])
        return runs


def _stem_and_leaf(name: str) -> tuple[str, str]:
    """What stands before the last hyphen, space or the like, and behind it."""
    for at in range(len(name) - 1, 0, -1):
        if name[at] in "-_/: .":
            return name[:at].rstrip(), name[at + 1 :].lstrip()
    return "", name
