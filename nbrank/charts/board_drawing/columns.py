"""The columns of the picture: ranks by each rule, axes, and cells of tasks, with their names."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count, groupby, pairwise

import numpy as np

from nbrank.charts.board_drawing.headings import Column, Heading, place_headings
from nbrank.charts.board_drawing.shown_board import ShownBoard
from nbrank.charts.text_metrics import text_width, wrap_words
from nbrank.findings.labels import label_text, rule_title, unique_label_texts
from nbrank.findings.overview import task_names
from nbrank.rules.registry import RULES
from nbrank.votes.leaderboard import Leaderboard

#: Maximum number of systems whose ranks are all on the axis; with more, it ends at the last drawn
#: rank.
_MOST_ON_AXIS = 60
#: Maximum number of tasks that are numbered, with their names below the rows.
_MAX_NUMBERED = 40


@dataclass(frozen=True)
class AxisPanel:
    """A panel with an axis: its heading, also a short one, its position, and its ends."""

    titles: tuple[str, ...]
    start: float
    width: float
    minimum: float
    maximum: float
    letters: float
    shows_ranks: bool = False

    def to_pixels(self, number: float) -> float:
        """Return the position of a number in pixels; numbers beyond the ends are at the ends."""
        span = max(self.maximum - self.minimum, 1e-9)
        return self.start + self.width * min(1.0, max(0.0, (number - self.minimum) / span))

    @cached_property
    def ticks(self) -> list[tuple[str, float]]:
        """Round numbers whose labels don't run into each other, and where they stand."""
        if self.shows_ranks:
            ranks = rank_ticks(int(self.maximum), self.width, self.letters)
            return [(str(rank), self.to_pixels(rank)) for rank in ranks]
        apart = 2.2 * self.letters * (self.maximum - self.minimum) / self.width
        steps = (digit * 10.0**power for power in range(-9, 99) for digit in (1, 2, 5))
        step = next(step for step in steps if step >= apart)
        whole = range(math.ceil(self.minimum / step), math.floor(self.maximum / step) + 1)
        return [(f"{at * step:.6g}".replace("-", "−"), self.to_pixels(at * step)) for at in whole]


def make_rank_axis(board: ShownBoard, start: float, width: float) -> AxisPanel:
    """Make the axis of ranks; its heading says if it ends before the last rank."""
    last, beyond = board.n_systems, ""
    if last > _MOST_ON_AXIS:
        drawn = [board.ranks[system] for system in board.systems]
        drawn += [int(high) for _, high in board.rank_ends or ()]
        last = max(drawn)
        beyond = f", to {last} of {board.n_systems}" if last < board.n_systems else ""
    titles = ["rank"] if board.sets is None else ["ranks it may have", "ranks", "rank"]
    if board.sizes.is_narrow:
        titles = ["rank"]
    named = tuple(title + beyond for title in titles)
    named += (f"rank to {last}",) * bool(beyond)
    return AxisPanel(named, start, width, 1, max(last, 2), board.sizes.letters, shows_ranks=True)


def make_rating_axis(board: ShownBoard, start: float, width: float) -> AxisPanel:
    """Make the axis of strengths, from the lowest end of an interval to the highest."""
    assert board.overview.ratings is not None
    ends = board.rated[["strength", "low", "high"]].to_numpy()
    ends = ends[np.isfinite(ends)]
    least, most = float(ends.min()), float(ends.max())
    title = board.overview.ratings.unit.partition(",")[0]
    titles = (title, title.partition(" ")[0])
    most = max(most, least + 1e-6)
    return AxisPanel(titles, start, width, least, most, board.sizes.letters)


def rank_ticks(last: int, width: float, letters: float) -> list[int]:
    """Return ranks from 1 to the last whose numbers don't run into each other."""
    room, gap = width / max(last - 1, 1), 0.75 * text_width("0", letters)

    def are_apart(*ends: int) -> bool:
        wide = sum(text_width(str(rank), letters) for rank in ends)
        return (ends[1] - ends[0]) * room >= wide / 2 + gap

    for step in (digit * 10**power for power in range(9) for digit in (1, 2, 5)):
        # The first and the last number are always drawn; numbers between them are left out if they
        # overlap.
        between = [
            tick
            for tick in range(step, last, step)
            if tick > 1 and are_apart(1, tick) and are_apart(tick, last)
        ]
        ticks = [1, *between, last] if last > 1 else [1]
        if step >= last or all(are_apart(*pair) for pair in pairwise(ticks)):
            return ticks
    return [1, last]


#: Maximum number of rules in a picture as wide as a column of a paper.
MAX_NARROW_RULES = 3
#: What the rules of a family count; besides there are rules of one's own, and ranks that are given.
_COUNTED = {
    "mean": "points",
    "positional": "points",
    "majority": "pairs",
    "consensus": "pairs",
    "elimination": "rounds",
    "model": "strength",
}
#: What stands over the columns, from the left.
_SPANNERS = (*dict.fromkeys(_COUNTED.values()), "own", "given")


@dataclass(frozen=True)
class RuleBlock:
    """The middles of the columns of ranks; over each family stands what it does, and where."""

    middles: dict[str, float]
    spanners: list[tuple[str, float, float]]
    width: float
    end: float


def _rule_family(board: ShownBoard, rule: str) -> str:
    if rule in board.overview.published:
        return "given"
    ranking = board.overview.rankings.get(rule)
    name = rule if ranking is None else ranking.attrs.get("rule", rule)
    return _COUNTED[RULES[name].family] if name in RULES else "own"


def rules_by_family(
    board: ShownBoard, room: float, rule_width: float
) -> tuple[dict[str, list[str]], list[float]]:
    """Return the rules that have a column, by family, and the width of each family.

    There are as many as have room, one of each family first. In a column of a paper the rule
    that orders has none, since its ranks stand on the left.
    """
    rules, most = [str(rule) for rule in board.overview.ranks], len(board.overview.ranks.columns)
    if board.sizes.is_narrow:
        rules = [rule for rule in rules if rule != board.overview.rule] or rules
        most = MAX_NARROW_RULES
    families: dict[str, list[str]] = {family: [] for family in _SPANNERS}
    for rule in rules:
        families[_rule_family(board, rule)].append(rule)
    turns = sorted(
        (rule != board.overview.rule, turn, at, rule)
        for at, of_family in enumerate(families.values())
        for turn, rule in enumerate(of_family)
    )
    size, gap = board.sizes.letters, board.sizes.family_gap
    for number in range(min(most, len(turns)), 0, -1):
        drawn = {rule for *_, rule in turns[:number]}
        shown = {
            family: [rule for rule in of_family if rule in drawn]
            for family, of_family in families.items()
            if not drawn.isdisjoint(of_family)
        }
        wide = [
            max(len(own) * rule_width, text_width(family, size) + 2)
            for family, own in shown.items()
        ]
        if sum(wide) + gap * (len(wide) - 1) <= room:
            break
    return shown, wide


def layout_rules(
    board: ShownBoard, families: dict[str, list[str]], blocks: list[float], wide: float, x: float
) -> RuleBlock:
    """Set the columns of ranks from a place on."""
    middles, spanners = dict[str, float](), []
    for (family, rules), room in zip(families.items(), blocks, strict=True):
        spanners.append((family, x, x + room))
        start = x + (room - len(rules) * wide) / 2
        middles |= {rule: start + (at + 0.5) * wide for at, rule in enumerate(rules)}
        x += room + board.sizes.family_gap
    return RuleBlock(middles, spanners, wide, x - board.sizes.family_gap)


def rule_headings(board: ShownBoard, block: RuleBlock, left: float, right: float) -> list[Heading]:
    """Return the headings of the rules; two words take two lines, and the ordering rule is bold."""
    size, columns = board.sizes.letters, []
    for rule, middle in block.middles.items():
        title = rule_title(rule)
        lines, words = wrap_words(title, 6.5 * size, size), title.split(" ")
        lines = words if len(words) == 2 else lines if len(lines) == 2 else [title]
        bold = rule == board.overview.rule
        columns.append(Column(title, middle, tuple(lines), bold, key=rule))
    end = min(block.end + 1.1 * size, right)
    return place_headings(columns, (left, end), size)


@dataclass(frozen=True)
class CellColumn:
    """A column of cells, for a task or an opponent, with its left and right end.

    Its name is above it, below the name of its group, which is empty without groups.
    """

    full_name: str
    group: str
    name: str
    start: float
    end: float

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.end - self.start

    @property
    def middle(self) -> float:
        """Where its middle is."""
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class CellHeadings:
    """The names over the cells, those of tasks below that of their group, and lines over groups.

    A line says whether there are names below it. `number` is how many names there should be,
    `n_unnamed` how many tasks have that of their group alone. The `legend` has the names of
    columns that are headed by numbers.
    """

    placed: Sequence[Heading] = ()
    leaves: Sequence[tuple[str, float]] = ()
    lines: Sequence[tuple[float, float, bool]] = ()
    number: int = 0
    n_unnamed: int = 0
    legend: str = ""

    @property
    def names_all(self) -> bool:
        """Whether every column has a name of its own."""
        return len(self.placed) == self.number and not self.n_unnamed


def layout_cells(
    board: ShownBoard, names: Sequence[tuple[str, str]], start: float, room: float
) -> list[CellColumn]:
    """Lay out the columns of cells by their weights, with wider gaps between groups."""
    sizes, votes = board.sizes, board.overview.votes
    full = task_names(votes).full if isinstance(votes, Leaderboard) else board.names
    stems = [stem for stem, _ in names]
    between, inner = 0.3 * sizes.letters, 0.13 * sizes.letters
    gaps = [inner if before == after and before else between for before, after in pairwise(stems)]
    # The last name may need some room beyond the last column.
    wide = room / len(names)
    over = text_width(stems[-1] or names[-1][1], sizes.small) / 2
    room -= min(max(0.0, over - wide / 2 - sizes.margin), 3.5 * sizes.letters)
    scale = sum(gaps) / room
    if scale > 0.35:
        gaps = [gap * 0.35 / scale for gap in gaps]
    room -= sum(gaps)
    columns, x = [], start
    for (label, share), name, gap in zip(board.cell_shares, names, [*gaps, 0.0], strict=True):
        columns.append(CellColumn(full[label], *name, x, x + share * room))
        x += share * room + gap
    return columns


def column_names(board: ShownBoard) -> list[tuple[str, str]]:
    """Return the name of each column of cells as group and task; the group may be empty.

    Neighbours of one stem, as MultiRC-a and MultiRC-b, are a group.
    """
    votes, labels = board.overview.votes, [label for label, _ in board.cell_shares]
    if not isinstance(votes, Leaderboard):
        return [("", board.rank_texts[label]) for label in labels]
    texts = dict(zip(votes.tasks, unique_label_texts(votes.tasks), strict=True))
    if votes.groups is not None:
        group = {task: label_text(name) for name, of in votes.groups.items() for task in of}
        number = Counter(group.values())
        parts = []
        for task in labels:
            name = label_text(task[-1]) if isinstance(task, tuple) else texts[task]
            # A group with one task of the same name is named once.
            single = number[group[task]] == 1 and name == group[task]
            parts.append(("" if single else group[task], name))
        return parts
    parts = [_stem_and_leaf(texts[task]) for task in labels]
    stems = ["", *(stem for stem, _ in parts), ""]
    return [
        part if part[0] and part[0] in (before, after) else ("", texts[task])
        for task, part, before, after in zip(labels, parts, stems, stems[2:], strict=False)
    ]


def cell_headings(board: ShownBoard, columns: Sequence[CellColumn], right: float) -> CellHeadings:
    """Place the names over the cells; if not all have room, numbers and a legend below the rows."""
    if not columns:
        return CellHeadings()
    headings = _place_names(board, columns, right)
    if headings.names_all or len(columns) > _MAX_NUMBERED:
        return headings
    numbered = [replace(column, name=str(at)) for at, column in enumerate(columns, 1)]
    numbers = _place_names(board, numbered, right)
    return replace(numbers, legend=_write_legend(columns)) if numbers.names_all else headings


def _write_legend(columns: Sequence[CellColumn]) -> str:
    """Write the names of numbered columns, those of a group after its name."""
    numbers, parts = count(1), []
    for own in _runs(columns):
        names = ", ".join(f"{next(numbers)}\N{NO-BREAK SPACE}{column.name}" for column in own)
        parts.append(f"{own[0].group}: {names}" if own[0].group else names)
    return "; ".join(parts)


def _place_names(board: ShownBoard, columns: Sequence[CellColumn], right: float) -> CellHeadings:
    """Place the names over the cells: of a group one, with the names of its tasks, if they fit."""
    size, headed, blocks = board.sizes.small, [], []
    leaves: list[tuple[str, float]] = []
    lines: list[tuple[float, float, bool]] = []
    n_unnamed = 0
    for own in _runs(columns):
        start, end = own[0].start, own[-1].end
        if not own[0].group:
            headed.append(Column(own[0].name, (start + end) / 2))
            continue
        fit = all(
            max(text_width(column.name, size) + 1, 1.3 * size) <= column.width for column in own
        )
        if fit:
            leaves += [(column.name, column.middle) for column in own]
            blocks.append((start, end, 0))
        if fit or len(own) > 1:
            lines.append((start + 1, end - 1, fit))
        n_unnamed += len(own) * (not fit)
        headed.append(Column(own[0].group, (start + end) / 2, base=int(fit)))
    left = columns[0].start - 0.6 * board.sizes.letters
    placed = place_headings(headed, (left, right), size, blocks)
    return CellHeadings(placed, leaves, lines, len(headed), n_unnamed)


def _runs(columns: Sequence[CellColumn]) -> list[list[CellColumn]]:
    """Return the runs of columns that share a name above them: those of a group, or one."""
    runs = groupby(enumerate(columns), key=lambda one: one[1].group or one[0])
    return [[column for _, column in run] for _, run in runs]


def _stem_and_leaf(name: str) -> tuple[str, str]:
    """Split a name at its last hyphen, space or the like."""
    for at in range(len(name) - 1, 0, -1):
        if name[at] in "-_/: .":
            return name[:at].rstrip(), name[at + 1 :].lstrip()
    return "", name
