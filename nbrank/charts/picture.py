"""Draw a whole leaderboard: places, rank sets, ranks under other rules, and the verdict."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from nbrank.arrays.profile import Missing
from nbrank.charts.axes import layered, nominal, tip, tips
from nbrank.charts.colours import FAINT, INK, LEADER, LOOKED_AT, PLACES, QUIET, SOFT
from nbrank.charts.data import at, checked_at_the_end, down, layer_of, words
from nbrank.charts.names import Names, in_percent, in_words
from nbrank.charts.overview import (
    Overview,
    overview,
    rank_sets,
    why_refused,
)
from nbrank.charts.picture_page import BESIDE, LETTERS, WIDE, Live, Look, Page
from nbrank.charts.text import text_width, wrapped
from nbrank.charts.theme import SMALL, TEXT
from nbrank.charts.verdict import verdict
from nbrank.charts.what_is_drawn import what_is_drawn
from nbrank.questions.compare import RuleList, RuleRefusedWarning
from nbrank.rules.rule import RuleLike
from nbrank.votes.caller import warn_caller
from nbrank.votes.described import described
from nbrank.votes.leaderboard import Source
from nbrank.votes.options import whole_number
from nbrank.votes.task_names import Groups, LowerIsBetter, Weights

#: The darker, the better; an empty cell is no place at all.
_SHADES = ["transparent", *(light for light, _ in PLACES)]
#: So many systems are drawn unless one says otherwise.
MOST_ROWS = 20
#: Not where what is pointed at belongs to no row, as a name over a column: all rows would fade.
_OF_A_ROW = "event.item && event.item.datum && event.item.datum.row >= 0"
_POINTED_AT = {
    "type": "point",
    "fields": ["row"],
    "on": f"pointerover[{_OF_A_ROW}]",
    "clear": "pointerout",
}
_CLICKED = {"type": "point", "fields": ["position"], "on": f"click[{_OF_A_ROW}]"}
#: What belongs to the system that was clicked, or is looked at.
_CHOSEN = {"param": "clicked", "empty": False}


@checked_at_the_end
@described
def picture(
    scores: Source,
    rule: RuleLike = "borda",
    rules: RuleList = None,
    top: int = MOST_ROWS,
    seed: int | None = 0,
    *,
    missing: Missing | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    errors: pd.DataFrame | None = None,
) -> alt.LayerChart:
    """Who is first, on which tasks, how sure is that, and what do other rules say?

    Parameters
    ----------
    {source}
    rule
        The name of the rule that orders the rows, or its function.
    rules
        Names or functions of the rules beside it, or a mapping from a label to
        either; None takes five that suit the table.
    top
        How many systems to draw at most, the first by the rule.
    seed
        The seed of the draws behind the rank sets; None takes a fresh one.
    {missing_for_all}
    {cell_errors}

    Returns
    -------
    altair.LayerChart
        A row for each system, best first. On the left its places on the tasks, in columns as wide
        as the tasks' weights: the darker, the better; an empty cell is a missing score. In the
        middle the ranks that it may have, for all systems at once, with 95 % confidence
        (`nbrank.rank_confidence`), where the rule has such sets. On the right its rank under each
        rule, and a dash where a rule refuses. The title is the verdict. Pointing at a row makes the
        others fade, but for one that was clicked; the click sets the selection `clicked`, whose
        field `position` is that of the system in the table. Comparisons and tallies have no
        columns of tasks.

    {raises}
        Also if the rule that orders the rows refuses the table; of the others
        a `RuleRefusedWarning` says so.

    References
    ----------
    Gratzl et al., LineUp: Visual Analysis of Multi-Attribute Rankings, 2013.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> chart = picture(load_toy_votes())
    """
    top = whole_number("picture", "top", top)
    seen = overview(
        scores,
        rule,
        rules,
        missing=missing,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
    )
    for label, error in seen.refused.items() if rules is not None else ():
        reason = why_refused(label, error)
        warn_caller(RuleRefusedWarning(f"{label}: left empty; {reason}", [label], reason))
    sets = rank_sets(seen.votes, rule, seed, errors=errors, missing=missing)
    return drawn(replace(seen, sets=sets), top)


def drawn(
    seen: Overview, top: int = MOST_ROWS, live: Live | None = None, look: Look = WIDE
) -> alt.LayerChart:
    """Draw what is known of a leaderboard; on a live page without the title, which stands there."""
    look = look if live is None else BESIDE
    page = Page(seen, min(top, len(seen.votes.systems)), live, look)
    layers = [
        *_rows(page),
        *(_places(page) if page.tasks else []),
        *(_sets(page) if seen.sets is not None else []),
        *_ranks(page),
    ]
    said = what_is_drawn(page)
    chart = layered(
        layers,
        width=page.width,
        height=page.height,
        title=verdict(seen) if live is None else "",
        subtitle=said,
        frame=False,
    )
    # Not given to a layer: Altair takes longer to lift them from there than over all marks.
    chart.params = [
        alt.TopLevelSelectionParameter("hover", _POINTED_AT, views=["rows"]),
        alt.TopLevelSelectionParameter("clicked", _CLICKED, value=page.chosen, views=["rows"]),
    ]
    if live is not None:
        lines = wrapped(said, page.width, TEXT)
        chart.title = alt.TitleParams(lines, color=SOFT, fontSize=TEXT, fontWeight="normal")
    return chart


def _fading() -> dict[str, Any]:
    """What belongs to a row fades while another row is pointed at, but not what was clicked."""
    # Written out: Altair takes longer over a condition of its own than over the rest of the chart.
    lit = {"or": [{"param": "hover"}, _CHOSEN]}
    return {"opacity": alt.OpacityValue(0.25, condition={"test": lit, "value": 1})}


def _rows(page: Page) -> list[alt.Chart]:
    """The ground of each row, which can be pointed at, and the names."""
    rank = dict(zip(page.seen.ranking.index, page.seen.ranking["rank"].tolist(), strict=True))
    half = page.step / 2
    data = {
        **page.of_rows(np.arange(page.n_rows)),
        "brief": [page.names.brief[system] for system in page.systems],
        "rank": [rank[system] for system in page.systems],
        "from": [middle - half for middle in page.middles],
        "to": [middle + half for middle in page.middles],
        "middle": page.middles,
        "left": [0.0] * page.n_rows,
        "right": [page.width] * page.n_rows,
        "end": [page.cells[0] - 8] * page.n_rows,
    }
    base = layer_of(data).encode(tooltip=tips("system:N", "rank"))
    ground = base.mark_rect(opacity=0, aria=False).encode(
        **at("left", "right"), **down("from", "to")
    )
    ground["name"] = "rows"
    texts = base.mark_text(align="right", fontSize=LETTERS).encode(
        **at("end"), **down("middle"), **_fading(), text=alt.Text(**nominal("brief")),
        color=alt.ColorValue(INK, condition={**_CHOSEN, "value": LOOKED_AT}),
    )  # fmt: skip
    return [ground, texts]


def _places(page: Page) -> list[alt.Chart]:
    """The places on the tasks, the names over them, and what the shades mean."""
    assert page.seen.places is not None
    order = [task for task, _ in page.tasks]
    places = page.seen.places.loc[page.systems, order].to_numpy()
    absent = np.isnan(places)
    of = page.seen.places[order].notna().sum().to_numpy()
    name = Names.of(page.seen.places.columns).whole
    # On a live page one can point at what is missing, too.
    rows, columns = np.nonzero(~absent | (page.live is not None))
    start = np.asarray(page.bounds[:-1])
    # Between neighbours stands a line of the ground, unless they are too narrow for it.
    wide = np.diff(page.bounds)
    end, low = start + wide - np.minimum(2.0, 0.15 * wide), page.step - min(2.0, 0.15 * page.step)

    def box(row: Any, column: Any, *, inside: float = 0.0) -> dict[str, Any]:
        """From where to where cells go, or lines that are so far inside of them."""
        top = page.top + row * page.step
        return {
            "from": np.round(start[column] + inside, 3),
            "to": np.round(end[column] - inside, 3),
            "above": top + inside,
            "below": top + low - inside,
        }

    data = {
        **page.of_rows(rows),
        "task": [name[order[column]] for column in columns.tolist()],
        "place": places[rows, columns],
        "of": of[columns],
        "weight": np.round([page.tasks[column][1] for column in columns.tolist()], 6),
        **box(rows, columns),
        "shade": _shade(places[rows, columns], len(page.seen.votes.systems)),
    }
    cells = layer_of(data).mark_rect(aria=page.n_rows * len(order) <= 1000)
    cells["name"] = "cells"
    return [
        *[_outlined(box(*np.nonzero(absent), inside=0.5))] * bool(absent.any()),
        cells.encode(
            **at("from", "to"), **down("above", "below"), **_fading(), fill=_shaded(),
            tooltip=[*tips("system:N", "task:N", "place"), tip("of", "of"), tip("weight:.1%")],
        ),
        *_over_columns(page),
        *_key(page, bool(absent.any())),
    ]  # fmt: skip


def _outlined(boxes: dict[str, Any]) -> alt.Chart:
    """Empty cells: no place is paler than the last one, and an outline tells them from it."""
    empty = layer_of(boxes).mark_rect(filled=False, stroke=QUIET, strokeWidth=1, tooltip=None)
    outlined: alt.Chart = empty.encode(**at("from", "to"), **down("above", "below"))
    return outlined


def _shade(places: Any, last: int) -> list[int]:
    """From 1 for the last place to 9 for the first, with most steps among the first; 0 for none."""
    best = len(PLACES)
    steps = best - (best - 1) * np.log(places) / math.log(max(2, last))
    shades: list[int] = np.nan_to_num(np.rint(steps)).astype(int).tolist()
    return shades


def _shaded() -> alt.Fill:
    """The colour of a place."""
    scale = alt.Scale(domain=list(range(len(_SHADES))), range=_SHADES)
    return alt.Fill(field="shade", type="ordinal", scale=scale, legend=None)


def _over_columns(page: Page) -> list[alt.Chart]:
    """The names over the cells, a line over what each group has, and lines to names that moved."""
    foot = page.top - page.lead
    # A level name stands wholly above the line over its group, a slanted one with its corner.
    raised = {0: 11, 45: 9, 90: 6}[page.lean]
    shown = [(name, x, foot - raised) for name, _, x in page.heads]
    layers = [_leaning(shown, page.lean, page.letters)]
    ends = [(start + 1, end - 3) for _, start, end in page.spans]
    if len(page.spans) < len(page.tasks):
        across = {"from": [start for start, _ in ends], "to": [end for _, end in ends]}
        over = layer_of({**across, "y": [page.top - 4] * len(ends)})
        layers.append(
            over.mark_rule(color=SOFT, tooltip=None).encode(**at("from", "to"), **down("y"))
        )
    if page.lead:
        _, above, below = zip(*page.heads, strict=True)
        n = len(above)
        lines = {
            "from": np.round(above, 3),
            "to": np.round(below, 3),
            "y": [page.top - 3] * n,
            "foot": [foot - 4] * n,
        }
        leads = layer_of(lines).mark_rule(color=QUIET, tooltip=None)
        layers.append(leads.encode(**at("from", "to"), **down("y", "foot")))
    return layers


def _leaning(shown: list[tuple[str, float, float]], lean: int, size: int = LETTERS) -> alt.Chart:
    """Names over columns that lean by so many degrees."""
    align = "left" if lean else "center"
    shown = [(name, x + 3 * (lean == 45), y) for name, x, y in shown]
    return words(shown, angle=360 - lean if lean else 0, align=align, fontSize=size)


def _key(page: Page, absent: bool) -> list[alt.Chart]:
    """Which shade is which place, and how a missing score looks."""
    last = len(page.seen.votes.systems)
    ticks = (digit * 10**power for power in range(9) for digit in (1, 2, 5))
    marks = [*(tick for tick in ticks if tick < 0.8 * last), last]
    said = "place on the task"
    # Where the cells are narrow, it begins below the names.
    beside = text_width(said, SMALL) + 10
    more = 36 * absent
    start = min(page.cells[0], page.cells[1] - beside - 24 * len(marks) - more)
    left, y = start + beside + 24.0 * np.arange(len(marks)), page.bottom + 14
    ends = {"from": left, "to": left + 22, "above": y - 6 + 0 * left, "below": y + 4 + 0 * left}
    shade = _shade(np.array(marks, dtype=float), last)
    squares = layer_of({**ends, "shade": shade}).mark_rect(tooltip=None)
    numbers = [(str(mark), x + 11, y + 14) for mark, x in zip(marks, left.tolist(), strict=True)]
    empty = {field: [float(at[-1]) + 36 * (field in ("from", "to"))] for field, at in ends.items()}
    numbers += [("missing", empty["from"][0] + 11, y + 14)] * absent
    return [
        *[_outlined(empty)] * absent,
        squares.encode(**at("from", "to"), **down("above", "below"), fill=_shaded()),
        words(numbers, color=SOFT, fontSize=SMALL),
        words([(said, start, y)], align="left", color=SOFT, fontSize=SMALL),
    ]


def _sets(page: Page) -> list[alt.Chart]:
    """The ranks that each system may have, on an axis with most room for the first."""
    sets = page.seen.sets
    assert sets is not None
    own = sets.loc[page.systems]
    ticks = list(page.rank_ticks())
    across = page.at_rank(np.array(ticks)).tolist()
    lines = layer_of(
        {
            "x": across,
            "above": [page.top - 4] * len(ticks),
            "below": [page.bottom + 4] * len(ticks),
        }
    ).mark_rule(color=FAINT, tooltip=None)
    data = {
        **page.of_rows(np.arange(page.n_rows)),
        **{column: own[column].to_numpy() for column in ("rank", "low", "high")},
        "from": page.at_rank(own["low"].to_numpy()) - 3,
        "to": page.at_rank(own["high"].to_numpy()) + 3,
        "at": page.at_rank(own["rank"].to_numpy()),
        "middle": page.middles,
    }
    base = layer_of(data).encode(
        **down("middle"), **_fading(),
        tooltip=[*tips("system:N", "rank"), tip("low", "best rank"), tip("high", "worst rank")],
    )  # fmt: skip
    size = 6 if page.step > 13 else 4
    waits = page.live is not None and page.live.waits
    colour = QUIET if waits else LEADER
    bars = base.mark_rule(strokeWidth=size, strokeOpacity=0.35, strokeCap="round", color=colour)
    points = base.mark_circle(size=9 * size, color=colour)
    of = sets.attrs.get("rule", page.seen.rule)
    by = "" if of == page.seen.rule else f" by {in_words(of)}"
    said = f"ranks it could have{by}"
    if waits:
        said = "being computed ..."
    sure = f"{in_percent(1 - sets.attrs.get('delta', 0.05))} for all at once"
    middle = page.ranks_from + page.look.sets / 2
    return [
        lines.encode(**at("x"), **down("above", "below")),
        bars.encode(**at("from", "to")),
        points.encode(**at("at")),
        words(
            [
                *((str(tick), x, page.bottom + 14) for tick, x in zip(ticks, across, strict=True)),
                (said, middle, page.bottom + 30),
                (sure, middle, page.bottom + 43),
            ],
            color=SOFT, fontSize=SMALL,
        ),
    ]  # fmt: skip


def _ranks(page: Page) -> list[alt.Chart]:
    """The ranks under each rule; the first in the leader's colour."""
    ranks = page.seen.ranks.loc[page.systems]
    middles = page.rule_middles
    numbers = ranks.to_numpy(dtype=float, na_value=np.nan)
    rows, columns = np.indices(numbers.shape).reshape(2, -1)
    shown = numbers.ravel()
    data = {
        **page.of_rows(rows),
        "rule": [page.rules[column] for column in columns.tolist()],
        "says": ["–" if math.isnan(rank) else f"{rank:.0f}" for rank in shown.tolist()],
        "x": [middles[column] for column in columns.tolist()],
        "y": np.asarray(page.middles)[rows],
    }
    first = alt.ColorValue(SOFT, condition={"test": "datum.says == '1'", "value": LEADER})
    texts = layer_of(data).mark_text(fontSize=LETTERS).encode(
        **at("x"), **down("y"), **_fading(), color=first,
        text=alt.Text(**nominal("says")),
        tooltip=[*tips("system:N", "rule:N"), tip("says:N", "rank")],
    )  # fmt: skip
    heads = [(rule, x, page.top - 6) for rule, x in zip(page.rules, middles, strict=True)]
    return [texts, _leaning(heads, page.rules_lean)]
