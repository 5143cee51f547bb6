"""The columns of ranks by each rule: which have room, in families, and their names."""

from __future__ import annotations

from dataclasses import dataclass

from nbrank.charts.board_drawing.headings import Column, Heading, place_headings
from nbrank.charts.board_drawing.shown_board import ShownBoard
from nbrank.charts.text_metrics import text_width, wrap_words
from nbrank.findings.labels import rule_title
from nbrank.rules.registry import RULES

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
class RuleColumn:
    """A column of ranks by a rule: its label, how it is called, and its middle."""

    label: str
    title: str
    middle: float


@dataclass(frozen=True)
class RuleBlock:
    """The columns of ranks; over each family stands what it does, from where to where."""

    columns: list[RuleColumn]
    spanners: list[tuple[str, float, float]]
    width: float
    end: float


def _rule_family(board: ShownBoard, rule: str) -> str:
    if rule in board.overview.published:
        return "given"
    ranking = board.overview.rankings.get(rule)
    name = rule if ranking is None else ranking.attrs.get("rule", rule)
    return _FAMILY_OF[RULES[name].family] if name in RULES else "other"


def rules_by_family(
    board: ShownBoard, room: float, rule_width: float
) -> tuple[dict[str, list[str]], list[float]]:
    """The rules that have a column, by family, and how wide each family is.

    There are as many as have room, one of each family first. In a column of a paper the rule
    that orders has none, since its ranks stand on the left.
    """
    rules, most = [str(rule) for rule in board.overview.ranks], len(board.overview.ranks.columns)
    if board.sizes.is_narrow:
        rules = [rule for rule in rules if rule != board.overview.rule] or rules
        most = MAX_NARROW_RULES
    families: dict[str, list[str]] = {family: [] for family in _FAMILIES}
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
            max(len(own) * rule_width, text_width(_FAMILIES[family][1], size) + 2)
            for family, own in shown.items()
        ]
        if sum(wide) + gap * (len(wide) - 1) <= room:
            break
    return shown, wide


def layout_rules(
    board: ShownBoard, families: dict[str, list[str]], blocks: list[float], wide: float, x: float
) -> RuleBlock:
    """Set the columns of ranks from a place on."""
    size, columns, spanners = board.sizes.letters, [], []
    for (family, rules), room in zip(families.items(), blocks, strict=True):
        whole, brief = _FAMILIES[family]
        spanners.append((whole if text_width(whole, size) <= room else brief, x, x + room))
        start = x + (room - len(rules) * wide) / 2
        columns += [
            RuleColumn(rule, rule_title(rule), start + (at + 0.5) * wide)
            for at, rule in enumerate(rules)
        ]
        x += room + board.sizes.family_gap
    return RuleBlock(columns, spanners, wide, x - board.sizes.family_gap)


def rule_headings(board: ShownBoard, block: RuleBlock, left: float, right: float) -> list[Heading]:
    """The names of the rules, of two words in two lines; that of the rule that orders is bold."""
    size, columns = board.sizes.letters, []
    for column in block.columns:
        lines = wrap_words(column.title, 6.5 * size, size)
        words = column.title.split(" ")
        lines = words if len(words) == 2 else lines if len(lines) == 2 else [column.title]
        bold = column.label == board.overview.rule
        columns.append(Column(column.title, column.middle, tuple(lines), bold, key=column.label))
    end = min(block.end + 1.1 * size, right)
    return place_headings(columns, (left, end), size)
