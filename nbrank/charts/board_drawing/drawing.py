"""Draw a whole leaderboard: places, rank sets, ranks under other rules, and the verdict."""

from __future__ import annotations

import math
from dataclasses import replace

import altair as alt
import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.charts.axes import layer_charts
from nbrank.charts.board_drawing.cells import place_layers, win_layers
from nbrank.charts.board_drawing.layout import (
    LETTERS,
    ON_PAGE,
    WIDE,
    AxisPanel,
    LayoutOptions,
    LeaderboardLayout,
    LiveOptions,
)
from nbrank.charts.encodings import (
    CLICKED_CONDITION,
    hover_opacity,
    nominal,
    tooltip_field,
    tooltip_fields,
    x_encoding,
    y_encoding,
)
from nbrank.charts.layers import make_layer, rotated_text_layer, text_layer, validate_on_return
from nbrank.charts.palette import FAINT, INK, LEADER, LOOKED_AT, QUIET, SOFT
from nbrank.charts.text_metrics import wrap_text
from nbrank.charts.theme import SMALL, TEXT
from nbrank.comparison.rules_side_by_side import RuleList, RuleRefusedWarning
from nbrank.findings.captions import describe_picture
from nbrank.findings.overview import (
    Overview,
    compute_overview,
    drop_errors,
    error_reason,
)
from nbrank.findings.strength_estimates import compute_ratings
from nbrank.findings.verdict import verdict
from nbrank.rules.registry import RuleLike
from nbrank.votes.leaderboard import VotesLike
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import Groups, LowerIsBetter, Weights
from nbrank.votes.table.validation import validate_integer
from nbrank.votes.user_warnings import warn_user

#: So many systems are drawn unless one says otherwise.
MAX_ROWS = 20
#: Not where what is pointed at belongs to no row, as a name over a column: all rows would fade.
_ROW_EVENT = "event.item && event.item.datum && event.item.datum.row >= 0"
_HOVER_PARAM = {
    "type": "point",
    "fields": ["row"],
    "on": f"pointerover[{_ROW_EVENT}]",
    "clear": "pointerout",
}
_CLICK_PARAM = {"type": "point", "fields": ["position"], "on": f"click[{_ROW_EVENT}]"}


@validate_on_return
def picture(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    rules: RuleList = None,
    top: int = MAX_ROWS,
    seed: int | None = 0,
    missing: Missing | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    errors: pd.DataFrame | None = None,
    cluster: Clusters = None,
) -> alt.LayerChart:
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
    rules
        Names or functions of the rules beside it, or a mapping from a label to
        either; None takes five that suit the table.
    top
        How many systems to draw at most, the first by the rule.
    seed
        The seed of the draws behind the rank sets; None takes a fresh one.
    missing
        How a missing score counts for every rule with this option; the others
        refuse the table, with a warning. A rule that has it already, by
        `functools.partial`, keeps its own. None leaves each rule its own default.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None weighs every task 1. To a rule a task of weight 0 is
        not there: a system that is scored on no other counts as one with no score at all.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
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

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
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
    top = validate_integer("picture", "top", top)
    seen = compute_overview(
        scores,
        rule,
        rules,
        missing=missing,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        cluster=cluster,
    )
    for label, error in seen.errors.items() if rules is not None else ():
        reason = error_reason(label, error)
        warn_user(RuleRefusedWarning(f"{label}: left empty; {reason}", [label], reason))
    rule = seen.rule if rule is None else rule
    errors = drop_errors(errors, seen.unscored)
    seen = seen.with_confidence(rule, seed, errors=errors, missing=missing)
    return draw_overview(replace(seen, ratings=compute_ratings(seen.votes, rule)), top)


def draw_overview(
    overview: Overview,
    top: int = MAX_ROWS,
    live_options: LiveOptions | None = None,
    look: LayoutOptions = WIDE,
) -> alt.LayerChart:
    """Draw what is known of a leaderboard; on a live page without the title, which stands there."""
    look, looked_at = (
        (look, None) if live_options is None else (ON_PAGE, live_options.selected_system)
    )
    page = LeaderboardLayout(overview, min(top, len(overview.votes.systems)), live_options, look)
    layers = [
        *_row_layers(page),
        *(
            (win_layers if overview.places is None else place_layers)(page)
            if page.column_positions
            else []
        ),
        *_rank_set_layers(page),
        *_rating_layers(page),
        *_rank_column_layers(page),
    ]
    text = describe_picture(page)
    chart = layer_charts(
        layers,
        width=page.width,
        height=page.height,
        title=verdict(overview) if live_options is None else "",
        subtitle=text,
        frame=False,
    )
    chosen = [] if looked_at is None else [{"position": page.position[looked_at]}]
    # Not given to a layer: Altair takes longer to lift them from there than over all marks.
    chart.params = [
        alt.TopLevelSelectionParameter("hover", _HOVER_PARAM, views=["rows"]),
        alt.TopLevelSelectionParameter("clicked", _CLICK_PARAM, value=chosen, views=["rows"]),
    ]
    if live_options is not None:
        lines = wrap_text(text, page.width, TEXT)
        chart.title = alt.TitleParams(lines, color=SOFT, fontSize=TEXT, fontWeight="normal")
    return chart


def _row_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """The ground of each row, which can be pointed at, and the names."""
    rank = dict(
        zip(page.overview.ranking.index, page.overview.ranking["rank"].tolist(), strict=True)
    )
    half = page.step / 2
    data = {
        **page.row_fields(np.arange(len(page.systems))),
        "brief": [page.names.short[system] for system in page.systems],
        "rank": [rank[system] for system in page.systems],
        "from": [middle - half for middle in page.middles],
        "to": [middle + half for middle in page.middles],
        "middle": page.middles,
        "left": [0.0] * len(page.systems),
        "right": [page.width] * len(page.systems),
        "end": [page.cells[0] - 8] * len(page.systems),
    }
    base = make_layer(data).encode(tooltip=tooltip_fields("system:N", "rank"))
    ground = base.mark_rect(opacity=0, aria=False).encode(
        **x_encoding("left", "right"), **y_encoding("from", "to")
    )
    ground["name"] = "rows"
    texts = base.mark_text(align="right", fontSize=LETTERS).encode(
        **x_encoding("end"), **y_encoding("middle"), **hover_opacity(),
        text=alt.Text(**nominal("brief")),
        color=alt.ColorValue(INK, condition={**CLICKED_CONDITION, "value": LOOKED_AT}),
    )  # fmt: skip
    return [ground, texts]


def _rank_set_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """The ranks that each system may have, on an axis with most room for the first."""
    if page.sets is None or page.of_ranks is None:
        return []
    own = page.sets.loc[page.systems, ["rank", "low", "high"]]
    shown = tooltip_fields("system:N", "rank", "low=best rank", "high=worst rank")
    return _interval_layers(page, page.of_ranks, own, shown)


def _rating_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """How strong each system is, with its interval."""
    if page.rated is None or page.rating_panel is None:
        return []
    own = page.rated[["strength", "low", "high"]]
    digits = ".2f" if np.ptp(own["strength"]) < 20 else ".0f"
    shown = tooltip_fields(
        "system:N", f"strength:{digits}", f"low:{digits}=from", f"high:{digits}=to"
    )
    return _interval_layers(page, page.rating_panel, own, shown)


def _interval_layers(
    page: LeaderboardLayout, strip: AxisPanel, own: pd.DataFrame, tooltip: list[alt.Tooltip]
) -> list[alt.Chart]:
    """A number of each system, and from where to where it may lie, in a panel with an axis."""
    ticks, observed = strip.ticks(), own.apply(strip.to_pixels)
    ends = {"above": [page.top - 4] * len(ticks), "below": [page.bottom + 4] * len(ticks)}
    lines = make_layer({"x": [x for _, x in ticks], **ends}).mark_rule(color=FAINT, tooltip=None)
    point, low, high = observed
    size = 6 if page.step > 13 else 4
    # Its round ends are part of a bar, which ends where the interval does.
    end = np.minimum(size, (observed[high] - observed[low]).to_numpy()) / 2
    data = {
        **{str(column): own[column].to_numpy() for column in own},
        "from": observed[low].to_numpy() + end,
        "to": observed[high].to_numpy() - end,
        "at": observed[point].to_numpy(),
        "middle": page.middles,
        **page.row_fields(np.arange(len(page.systems))),
    }
    base = make_layer(data).encode(**y_encoding("middle"), **hover_opacity(), tooltip=tooltip)
    waits = page.live is not None and page.live.is_pending
    colour = QUIET if waits else LEADER
    bars = base.mark_rule(strokeWidth=size, strokeOpacity=0.35, strokeCap="round", color=colour)
    points = base.mark_circle(size=9 * size, color=colour)
    middle = strip.start + strip.width / 2
    return [
        lines.encode(**x_encoding("x"), **y_encoding("above", "below")),
        *[bars.encode(**x_encoding("from", "to"))] * bool(observed[low].notna().any()),
        points.encode(**x_encoding("at")),
        text_layer(
            [
                *((text, x, page.bottom + 14) for text, x in ticks),
                *(
            (message, middle, page.bottom + 30 + 13 * k) for k, message in enumerate(strip.caption)
        ),
            ],
            color=SOFT, fontSize=SMALL,
        ),
    ]  # fmt: skip


def _rank_column_layers(page: LeaderboardLayout) -> list[alt.Chart]:
    """The ranks under each rule; the first in the leader's colour."""
    ranks = page.overview.ranks.loc[page.systems]
    middles = page.rule_middles
    numbers = ranks.to_numpy(dtype=float, na_value=np.nan)
    rows, columns = np.indices(numbers.shape).reshape(2, -1)
    shown = numbers.ravel()
    data = {
        **page.row_fields(rows),
        "rule": [page.rules[column] for column in columns.tolist()],
        "says": ["–" if math.isnan(rank) else f"{rank:.0f}" for rank in shown.tolist()],
        "x": [middles[column] for column in columns.tolist()],
        "y": np.asarray(page.middles)[rows],
    }
    first = alt.ColorValue(SOFT, condition={"test": "datum.says == '1'", "value": LEADER})
    texts = make_layer(data).mark_text(fontSize=LETTERS).encode(
        **x_encoding("x"), **y_encoding("y"), **hover_opacity(), color=first,
        text=alt.Text(**nominal("says")),
        tooltip=[*tooltip_fields("system:N", "rule:N"), tooltip_field("says:N", "rank")],
    )  # fmt: skip
    heads = [(rule, x, page.top - 6) for rule, x in zip(page.rules, middles, strict=True)]
    return [texts, rotated_text_layer(heads, page.rules_lean, LETTERS)]
