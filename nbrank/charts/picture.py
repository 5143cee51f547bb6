"""Draw a whole leaderboard: places, rank sets, ranks under other rules, and the verdict."""

from __future__ import annotations

import math
from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from nbrank.arrays.profile import Missing
from nbrank.charts.axes import layered
from nbrank.charts.channels import CHOSEN, at, down, fading, nominal, tip, tips
from nbrank.charts.colours import FAINT, INK, LEADER, LOOKED_AT, QUIET, SOFT
from nbrank.charts.data import checked_at_the_end, layer_of, leaning, words
from nbrank.charts.picture_cells import places, wins
from nbrank.charts.picture_page import LETTERS, ON_PAGE, WIDE, Live, Look, Page, Strip
from nbrank.charts.text import wrapped
from nbrank.charts.theme import SMALL, TEXT
from nbrank.findings.how_strong import ratings
from nbrank.findings.overview import (
    Overview,
    drop_errors,
    overview,
    rank_sets,
    why_refused,
)
from nbrank.findings.verdict import verdict
from nbrank.findings.what_is_drawn import what_is_drawn
from nbrank.questions.compare import RuleList, RuleRefusedWarning
from nbrank.rules.rule import RuleLike
from nbrank.votes.caller import warn_caller
from nbrank.votes.described import described
from nbrank.votes.leaderboard import Source
from nbrank.votes.options import whole_number
from nbrank.votes.task_names import Groups, LowerIsBetter, Weights

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


@checked_at_the_end
@described
def picture(
    scores: Source,
    rule: RuleLike | None = None,
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
        The name of the rule that orders the rows, or its function; None is Borda's, and of
        comparisons Bradley and Terry's, if it can rank them.
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
        field `position` is that of the system in the table. Comparisons and tallies have a column
        for each opponent in the place of tasks: the darker, the more often the row beat it; an
        empty cell is a pair that never met. Beside the rank sets of comparisons stand the strengths
        by Bradley and Terry's model with their intervals (`nbrank.strengths`), each with 95 %
        confidence by itself.

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
    rule = seen.rule if rule is None else rule
    errors = drop_errors(errors, seen.unscored)
    sets = rank_sets(seen.votes, rule, seed, errors=errors, missing=missing)
    return drawn(replace(seen, sets=sets, ratings=ratings(seen.votes, rule)), top)


def drawn(
    seen: Overview, top: int = MOST_ROWS, live: Live | None = None, look: Look = WIDE
) -> alt.LayerChart:
    """Draw what is known of a leaderboard; on a live page without the title, which stands there."""
    look, looked_at = (look, None) if live is None else (ON_PAGE, live.looked_at)
    page = Page(seen, min(top, len(seen.votes.systems)), live, look)
    layers = [
        *_rows(page),
        *((wins if seen.places is None else places)(page) if page.across else []),
        *_sets(page),
        *_ratings(page),
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
    chosen = [] if looked_at is None else [{"position": page.position[looked_at]}]
    # Not given to a layer: Altair takes longer to lift them from there than over all marks.
    chart.params = [
        alt.TopLevelSelectionParameter("hover", _POINTED_AT, views=["rows"]),
        alt.TopLevelSelectionParameter("clicked", _CLICKED, value=chosen, views=["rows"]),
    ]
    if live is not None:
        lines = wrapped(said, page.width, TEXT)
        chart.title = alt.TitleParams(lines, color=SOFT, fontSize=TEXT, fontWeight="normal")
    return chart


def _rows(page: Page) -> list[alt.Chart]:
    """The ground of each row, which can be pointed at, and the names."""
    rank = dict(zip(page.seen.ranking.index, page.seen.ranking["rank"].tolist(), strict=True))
    half = page.step / 2
    data = {
        **page.of_rows(np.arange(len(page.systems))),
        "brief": [page.names.brief[system] for system in page.systems],
        "rank": [rank[system] for system in page.systems],
        "from": [middle - half for middle in page.middles],
        "to": [middle + half for middle in page.middles],
        "middle": page.middles,
        "left": [0.0] * len(page.systems),
        "right": [page.width] * len(page.systems),
        "end": [page.cells[0] - 8] * len(page.systems),
    }
    base = layer_of(data).encode(tooltip=tips("system:N", "rank"))
    ground = base.mark_rect(opacity=0, aria=False).encode(
        **at("left", "right"), **down("from", "to")
    )
    ground["name"] = "rows"
    texts = base.mark_text(align="right", fontSize=LETTERS).encode(
        **at("end"), **down("middle"), **fading(), text=alt.Text(**nominal("brief")),
        color=alt.ColorValue(INK, condition={**CHOSEN, "value": LOOKED_AT}),
    )  # fmt: skip
    return [ground, texts]


def _sets(page: Page) -> list[alt.Chart]:
    """The ranks that each system may have, on an axis with most room for the first."""
    if page.sets is None or page.of_ranks is None:
        return []
    own = page.sets.loc[page.systems, ["rank", "low", "high"]]
    shown = tips("system:N", "rank", "low=best rank", "high=worst rank")
    return _intervals(page, page.of_ranks, own, shown)


def _ratings(page: Page) -> list[alt.Chart]:
    """How strong each system is, with its interval."""
    if page.rated is None or page.of_ratings is None:
        return []
    own = page.rated[["strength", "low", "high"]]
    digits = ".2f" if np.ptp(own["strength"]) < 20 else ".0f"
    shown = tips("system:N", f"strength:{digits}", f"low:{digits}=from", f"high:{digits}=to")
    return _intervals(page, page.of_ratings, own, shown)


def _intervals(
    page: Page, strip: Strip, own: pd.DataFrame, tooltip: list[alt.Tooltip]
) -> list[alt.Chart]:
    """A number of each system, and from where to where it may lie, in a panel with an axis."""
    ticks, there = strip.ticks(), own.apply(strip.at)
    ends = {"above": [page.top - 4] * len(ticks), "below": [page.bottom + 4] * len(ticks)}
    lines = layer_of({"x": [x for _, x in ticks], **ends}).mark_rule(color=FAINT, tooltip=None)
    point, low, high = there
    size = 6 if page.step > 13 else 4
    # Its round ends are part of a bar, which ends where the interval does.
    end = np.minimum(size, (there[high] - there[low]).to_numpy()) / 2
    data = {
        **{str(column): own[column].to_numpy() for column in own},
        "from": there[low].to_numpy() + end,
        "to": there[high].to_numpy() - end,
        "at": there[point].to_numpy(),
        "middle": page.middles,
        **page.of_rows(np.arange(len(page.systems))),
    }
    base = layer_of(data).encode(**down("middle"), **fading(), tooltip=tooltip)
    waits = page.live is not None and page.live.waits
    colour = QUIET if waits else LEADER
    bars = base.mark_rule(strokeWidth=size, strokeOpacity=0.35, strokeCap="round", color=colour)
    points = base.mark_circle(size=9 * size, color=colour)
    middle = strip.start + strip.wide / 2
    return [
        lines.encode(**at("x"), **down("above", "below")),
        *[bars.encode(**at("from", "to"))] * bool(there[low].notna().any()),
        points.encode(**at("at")),
        words(
            [
                *((text, x, page.bottom + 14) for text, x in ticks),
                *((said, middle, page.bottom + 30 + 13 * k) for k, said in enumerate(strip.said)),
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
        **at("x"), **down("y"), **fading(), color=first,
        text=alt.Text(**nominal("says")),
        tooltip=[*tips("system:N", "rule:N"), tip("says:N", "rank")],
    )  # fmt: skip
    heads = [(rule, x, page.top - 6) for rule, x in zip(page.rules, middles, strict=True)]
    return [texts, leaning(heads, page.rules_lean, LETTERS)]
