"""Move delta, and see which systems can be told apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import altair as alt
import ipywidgets as widgets
import numpy as np
import pandas as pd
import traitlets
from numpy.typing import NDArray

from nbrank.charts import PALETTE, names_of
from nbrank.charts.axes import layered, named_rows, nominal, quantitative, tips, whole_ticks
from nbrank.charts.colours import INK, QUIET
from nbrank.charts.data import Layer, checked_at_the_end, data_of
from nbrank.charts.names import in_brief, in_words, listed
from nbrank.explorers.controls import finder, in_a_row
from nbrank.explorers.panel import Panel
from nbrank.questions.rank_confidence import rank_confidence_by_delta, tie_groups
from nbrank.rules.rule import RULES
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard, refuse_options
from nbrank.votes.naming import Label, counted
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.task_names import Groups, Weights

#: Rows of a chart that fits a laptop's screen with its axis; a slider shows the others.
_MOST_ROWS = 24
_ROW = 20
#: Who is named in a sentence about many systems, and about few; the chart has all of them.
_NAMED, _LISTED = 3, 6
#: Groups that are few enough to be read one by one.
_FEW_GROUPS = 3
#: Of the systems that moved, so many have a clause of their own.
_MOVED = 2
_MODEL = "bradley_terry"
_RULES = [name for name, rule in RULES.items() if rule.additive and not rule.arguments]
_RULES += [_MODEL]
_HIGHEST = 0.5
_LOWEST = math.log10(0.05) - 1.7  # 0.001, all but
_DRAWS = ("as on the board", "each task alone")
#: What a bar's colour says.
_FIRST, _NOT_FIRST = "may be first", "surely not first"
_LEVEL, _APART = "in a group with it", "in no group with it"
_EARLIER = "at the last setting"


class ConfidenceExplorer(Panel):
    """Rank confidence sets as delta moves. Made by `explore_confidence`.

    Parameters
    ----------
    board
        The leaderboard, or the comparisons, that are explored.
    rule
        The rule to begin with; None takes "borda", or of comparisons
        "bradley_terry".
    delta
        One minus the confidence to begin with.

    Attributes
    ----------
    delta : float
        One minus the confidence, between 0.001 and 0.5.
    rule : str
        A rule that is a mean over tasks or instances, or "bradley_terry", the
        only one for comparisons.
    draws : str
        "as on the board" (whole groups of tasks where there are any) or "each
        task alone".
    system : label
        The system that is looked at closely, or None; the chart goes to it.
    top : int
        From which place on, counted from 1, the chart shows the systems.
    ranking : pandas.DataFrame
        What `nbrank.rank_confidence` returns (read only); empty where the rule
        refuses the table.
    groups : pandas.DataFrame
        What `nbrank.tie_groups` returns (read only); empty likewise.
    changes : str
        What changed since the last setting (read only).
    words : str
        What one sees.
    """

    delta = traitlets.Float(0.05)
    rule = traitlets.Enum(_RULES, "borda")
    draws = traitlets.Enum(_DRAWS, _DRAWS[0])
    system = traitlets.Any()
    top = traitlets.Int(1)
    ranking = traitlets.Instance(pd.DataFrame, read_only=True)
    groups = traitlets.Instance(pd.DataFrame, read_only=True)
    changes = traitlets.Unicode(read_only=True)

    def __init__(self, board: Leaderboard | Comparisons, rule: str | None, delta: float) -> None:
        self._ready = False
        self._rules = [_MODEL] if isinstance(board, Comparisons) else _RULES
        if rule is None:
            rule = "borda" if "borda" in self._rules else _MODEL
        self._found: tuple[tuple[str, str], Callable[[float], pd.DataFrame]] | None = None
        # What `ranking` was before the last change, to be drawn behind it.
        self._earlier: pd.DataFrame | None = None
        self._named = dict(zip(names_of(board.systems), board.systems, strict=True))
        self._written = dict(zip(board.systems, self._named, strict=True))
        self._brief = dict(zip(board.systems, in_brief(board.systems), strict=True))
        # The last place that can stand at the top.
        self._last = max(1, len(self._named) - _MOST_ROWS + 1)
        self._delta = widgets.FloatLogSlider(
            0.05,
            # The browser moves a value to the nearest step, so 0.05 has to be one.
            min=_LOWEST,
            max=math.log10(_HIGHEST),
            step=0.05,
            description="delta",
            readout_format=".3f",
            tooltip="the chance that we accept of being wrong about any of it",
        )
        self._rule = widgets.Dropdown(
            options=[(in_words(name), name) for name in self._rules], description="rule"
        )
        self._draws = widgets.Dropdown(options=_DRAWS, description="draws")
        self._look = finder("look closely at", self._named)
        self._top = widgets.IntSlider(
            1,
            1,
            self._last,
            description="show systems from place",
            style={"description_width": "initial"},
            layout=widgets.Layout(width="28em", max_width="98%"),
        )
        controls = [self._delta, self._rule]
        if isinstance(board, Leaderboard) and board.groups is not None:
            controls.append(self._draws)
        controls.append(self._look)
        if self._last > 1:
            controls.append(self._top)
        super().__init__(board, [in_a_row(controls)])
        self.rule, self.delta = rule, delta
        for name in ("delta", "rule", "draws", "top"):
            control = getattr(self, f"_{name}")
            control.value = getattr(self, name)
            control.observe(lambda change, name=name: self._read(name, change["new"]), "value")
        self._look.observe(
            lambda change: self.set_trait("system", self._named.get(change["new"])), "value"
        )
        self._ready = True
        self._update(None)

    def _read(self, name: str, value: Any) -> None:
        # The browser moves a value that it is given to the nearest step, which nobody asked for.
        if name != "delta" or abs(math.log10(value / self.delta)) > 0.51 * self._delta.step:
            self.set_trait(name, value)

    # ------------------------------------------------------------------------------ the traits

    @traitlets.validate("delta")
    def _possible(self, proposal: Any) -> float:
        delta = float(proposal["value"])
        if not 10**_LOWEST <= delta <= _HIGHEST:
            raise traitlets.TraitError(f"delta={delta:g} must be between 0.001 and {_HIGHEST}")
        return delta

    @traitlets.validate("rule")
    def _possible_rule(self, proposal: Any) -> str:
        rule = str(proposal["value"])
        if rule not in self._rules:
            raise traitlets.TraitError(
                f"rule={rule!r} needs scores, and these are comparisons; take 'bradley_terry'"
            )
        return rule

    @traitlets.validate("draws")
    def _possible_draws(self, proposal: Any) -> str:
        draws = str(proposal["value"])
        if draws != _DRAWS[0] and not isinstance(self.board, Leaderboard):
            raise traitlets.TraitError(f"draws={draws!r}: comparisons have no tasks")
        return draws

    @traitlets.validate("system")
    def _known(self, proposal: Any) -> Label:
        system: Label = proposal["value"]
        if system is not None and system not in list(self.board.systems):
            raise traitlets.TraitError(f"system: unknown {system!r}")
        return system

    @traitlets.validate("top")
    def _on_the_list(self, proposal: Any) -> int:
        return max(1, min(int(proposal["value"]), self._last))

    @traitlets.observe("system")
    def _look_at(self, _: Any) -> None:
        self._look.value = "" if self.system is None else self._written[self.system]
        before = self.top
        place = self._place()
        if place is not None:
            self.top = place + 1 - _MOST_ROWS // 2
        if self.top == before:
            self._show()

    @traitlets.observe("top")
    def _scroll(self, _: Any) -> None:
        self._top.value = self.top
        self._show()

    @traitlets.observe("delta", "rule", "draws")
    def _update(self, change: Any) -> None:
        if not self._ready:
            return
        if change is not None:
            getattr(self, f"_{change['name']}").value = change["new"]
        earlier = None if change is None or self.ranking.empty else self.ranking
        try:
            sets = self._sets()
        except (ValueError, RuntimeError) as error:
            if change is None:
                raise
            # In a browser nobody sees an error; and nothing of before may stay on show.
            self._earlier = None
            self.set_trait("changes", "")
            self.set_trait("ranking", self.ranking.iloc[:0])
            self.set_trait("groups", self.groups.iloc[:0])
            self.show([f"Nothing can be shown: {error}"], None, None)
            return
        if earlier is not None:
            earlier = earlier.iloc[earlier.index.get_indexer(sets.index)]
        self._earlier = earlier
        self.set_trait("changes", "" if earlier is None else self._changed(earlier, sets))
        self.set_trait("ranking", sets)
        self.set_trait("groups", tie_groups(sets[["rank", "low", "high"]]))
        self._show()

    def _sets(self) -> pd.DataFrame:
        """The sets at this delta; all that doesn't depend on it is found once."""
        setting = (self.rule, self.draws)
        if self._found is None or self._found[0] != setting:
            board = self.board
            if isinstance(board, Leaderboard) and self.draws != _DRAWS[0]:
                board = board.with_numbered_tasks()
            self._found = (setting, rank_confidence_by_delta(board, self.rule, seed=0))
        return self._found[1](self.delta)

    # ------------------------------------------------------------------------------- what it says

    def _show(self) -> None:
        if not self._ready or self.ranking.empty:
            return
        said = self._told_apart()
        said += [self.changes] if self.changes else []
        said += self._looked_at()
        below = []
        if len(self.groups) > 1:
            below.append(
                "Below are all groups: systems that may all have the same rank. A system may be "
                "in several of them."
            )
        self.show(said, self._drawn, self._listed_groups(), below)

    def _in_brief(self, systems: Iterable[Label], most: int = _NAMED) -> str:
        return listed([self._brief[system] for system in systems], most)

    def _told_apart(self) -> list[str]:
        """Who can't be told apart, what delta means, and who may be first."""
        sets, sure = self.ranking, _percent(1 - self.delta)
        if len(sets) == 1:
            return ["There is only one system, and none to tell it apart from."]
        what = sets.attrs.get("over", "comparisons")
        drawn, like = "the comparisons", "groups of tasks" if what == "groups" else what
        if "n" in sets.attrs:
            drawn = counted(sets.attrs["n"], what.removesuffix("s"))
        meaning = (
            f"delta is the chance of error that we accept: {_percent(self.delta)} that any of the "
            f"bars misses the rank that its system would have on ever more {like} like these."
        )
        if like == "tasks":
            meaning += (
                " Each task is taken as a draw of its own; two metrics of one task are not: they "
                "belong in one group."
            )
        if "note" in sets.attrs:
            return [_too_few(drawn, sets.attrs["n"], sure, what), meaning]
        first = sets.index[sets["low"] == 1]
        may = f"{counted(len(first), 'system')} may be first: {self._in_brief(first)}."
        if len(first) == 1:
            may = f"Only {self._in_brief(first)} may be first."
        elif len(first) == len(sets):
            may = "Each of them may be first."
        elif len(sets) - len(first) <= _NAMED < len(first):
            may = f"All but {self._in_brief(sets.index[sets['low'] > 1])} may be first."
        many = [row for row in self.groups["systems"] if len(row) > 1]
        if not many:
            told = f"With {sure} confidence all {len(sets)} systems can be told apart."
            return [told, meaning, may]
        if (sets["low"] == 1).all() and (sets["high"] == len(sets)).all():
            told = (
                f"With {sure} confidence, from {drawn}: no two of the {len(sets)} systems can be "
                f"told apart."
            )
            return [told, meaning, may]
        told = (
            f"With {sure} confidence, from {drawn}: {counted(len(many), 'group')} of systems "
            f"that can't be told apart."
        )
        if len(many[0]) == len(sets):
            level = f"All {len(sets)} are level: they may all have the same rank."
        elif len(many) <= _FEW_GROUPS:
            level = " ".join(f"Level are {self._in_brief(row, _LISTED)}." for row in many)
        else:
            # Neighbouring groups overlap: one after the other, they would read nearly alike.
            row = max(many, key=len)
            level = f"The largest group has {len(row)} systems: {self._in_brief(row)}."
        return [told, meaning, f"{may} {level}"]

    def _looked_at(self) -> list[str]:
        """Which ranks the system may have that is looked at closely."""
        place = self._place()
        if place is None or len(self.ranking) == 1:
            return []
        rank, low, high = self.ranking.iloc[place][["rank", "low", "high"]]
        better, worse = low - 1, len(self.ranking) - high
        are = "is" if better <= 1 else "are"
        found = (
            f"{self._brief[self.system]} has rank {rank}, and may have {_span(low, high)}: "
            f"{counted(better, 'system') if better else 'no system'} {are} surely better, and "
            f"{f'{worse:,}' if worse else 'none'} surely worse."
        )
        return [found]

    def _changed(self, earlier: pd.DataFrame, sets: pd.DataFrame) -> str:
        """Who no longer shares a group with whom, who now does, and who may be first."""
        was, now = _level(earlier), _level(sets)
        said = [
            self._in_pairs(sets.index, pairs, how)
            for how, pairs in [("no longer shares", was & ~now), ("now shares", now & ~was)]
            if pairs.any()
        ]
        led, leads = (one["low"].to_numpy() == 1 for one in (earlier, sets))
        if (led & ~leads).any():
            said.append(f"{self._in_brief(sets.index[led & ~leads])} can no longer be first.")
        if (leads & ~led).any():
            said.append(f"{self._in_brief(sets.index[leads & ~led])} can now be first.")
        if not said:
            same = (earlier[["low", "high"]].to_numpy() == sets[["low", "high"]].to_numpy()).all()
            said = ["nothing moved." if same else "some bars moved, but nobody to another group."]
        return f"Since the last setting: {' '.join(said)}"

    def _in_pairs(self, systems: pd.Index, pairs: NDArray[np.bool_], how: str) -> str:
        """Name pairs by the systems that are in most of them, and count the others."""
        pairs, said = pairs.copy(), list[str]()
        while pairs.any() and len(said) < _MOVED:
            most = int(pairs.sum(axis=1).argmax())
            verb = "" if said else f" {how} a group"
            others = self._in_brief(systems[pairs[most]])
            said.append(f"{self._brief[systems[most]]}{verb} with {others}")
            pairs[most] = pairs[:, most] = False
        more = int(pairs.sum()) // 2
        said += [f"likewise {counted(more, 'more pair')}"] if more else []
        return f"{'; '.join(said)}."

    # ------------------------------------------------------------------------------ what it shows

    def _place(self) -> int | None:
        """Where the system stands in the ranking that is looked at closely."""
        systems = list(self.ranking.index)
        return systems.index(self.system) if self.system in systems else None

    def _colours(self) -> tuple[list[str], str]:
        """What the colour of each system's bar says, from the first place on, and about whom."""
        sets, place = self.ranking, self._place()
        if place is None:
            return [_FIRST if low == 1 else _NOT_FIRST for low in sets["low"]], ""
        level = _level(sets)[place]
        return [_LEVEL if one else _APART for one in level], self._brief[self.system]

    @checked_at_the_end
    def _drawn(self) -> alt.LayerChart:
        """The ranks that each system may have, over those of the last setting where they moved."""
        window = slice(self.top - 1, self.top - 1 + _MOST_ROWS)
        sets = self.ranking.iloc[window]
        colours, whom = self._colours()
        says = {_LEVEL: PALETTE[1], _APART: PALETTE[4]}
        if not whom:
            says = {_FIRST: PALETTE[0], _NOT_FIRST: PALETTE[4]}
        names = [self._written[system] for system in sets.index]
        brief = [self._brief[system] for system in sets.index]
        if whom:
            brief = [f"▸ {name}" if name == whom else name for name in brief]
        rows = pd.DataFrame({"system": names, "says": colours[window]})
        rows[["rank", "low", "high"]] = sets[["rank", "low", "high"]].to_numpy()
        earlier = rows.iloc[:0]
        if self._earlier is not None:
            of_old = self._earlier.iloc[window][["low", "high"]].to_numpy()
            moved = (of_old != rows[["low", "high"]].to_numpy()).any(axis=1)
            earlier = rows.assign(low=of_old[:, 0], high=of_old[:, 1], says=_EARLIER)[moved]
        if len(earlier):
            says[_EARLIER] = QUIET
        n_systems = len(self.ranking)
        x = alt.X(
            **quantitative("from"),
            scale=alt.Scale(domain=[0.5, n_systems + 0.5], nice=False),
            # On top, beside the first row.
            axis=alt.Axis(
                values=whole_ticks(0.5, n_systems + 0.5),
                format="d",
                title="rank (1 is best)",
                orient="top",
            ),
        )
        colour = alt.Color(
            **nominal("says"),
            scale=alt.Scale(domain=list(says), range=list(says.values())),
            legend=alt.Legend(title=whom or None, titleLimit=260, orient="top", columns=3),
        )
        y = named_rows("system", names, _ROW, brief)
        shown = tips("system:N", "rank", "low", "high", "says:N")

        def bars(of: pd.DataFrame, width: int) -> alt.Chart:
            data = data_of({**of, "from": of["low"] - 0.4, "to": of["high"] + 0.4})
            drawn: alt.Chart = (
                Layer(data)
                .mark_rule(strokeWidth=width)
                .encode(x=x, x2=alt.X2(field="to"), y=y, color=colour, tooltip=shown)
            )
            return drawn

        points = Layer(data_of({**rows})).mark_point(
            filled=True, fill="white", stroke=INK, opacity=1
        )
        layers = [
            bars(earlier, 14),
            bars(rows, 7),
            points.encode(x=alt.X(**quantitative("rank")), y=y, tooltip=shown),
        ]
        return layered(layers, width=420, height=_ROW * len(names), left=brief)

    def _listed_groups(self) -> pd.DataFrame:
        """The groups, and who is new in each: neighbouring ones have most systems in common."""
        members = [list(row) for row in self.groups["systems"]]
        table = pd.DataFrame(
            {
                "ranks open to all": [
                    f"{low}" if low == high else f"{low} to {high}"
                    for low, high in zip(self.groups["low"], self.groups["high"], strict=True)
                ],
                "systems": [len(row) for row in members],
                "which": [self._in_brief(row, _LISTED) for row in members],
            },
            index=self.groups.index,
        )
        if len(members) > 1:
            above = [set(row) for row in [members[0], *members[:-1]]]
            table["not in the one above"] = [
                self._in_brief((one for one in row if one not in before), _LISTED)
                for row, before in zip(members, above, strict=True)
            ]
        return table


def _level(sets: pd.DataFrame) -> NDArray[np.bool_]:
    """Systems x systems: whether some rank is in both sets."""
    low, high = sets["low"].to_numpy(), sets["high"].to_numpy()
    level: NDArray[np.bool_] = (low[:, None] <= high) & (low <= high[:, None])
    return level


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _span(low: int, high: int) -> str:
    return f"rank {low} only" if low == high else f"any from {low} to {high}"


def _too_few(drawn: str, n: int, sure: str, what: str) -> str:
    """Why nothing can be told apart, and what would help."""
    # The least delta at which all draws pointing one way are rare enough.
    least = 2 / 2**n
    ways = []
    if least <= _HIGHEST:
        ways.append(f"move delta to {least:.3g}{' or more' if least < _HIGHEST else ''}")
    if what == "groups":
        ways.append(f"take {_DRAWS[1]} as a draw")
    are = "is" if n == 1 else "are"
    return (
        f"{drawn} {are} too few to tell anything apart with {sure} confidence, whatever the scores "
        f"are: {' or '.join(ways) or f'it takes more {what}'}."
    )


def explore_confidence(
    scores: pd.DataFrame | Leaderboard | Comparisons,
    rule: str | None = None,
    delta: float = 0.05,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> ConfidenceExplorer:
    """Move delta, and see which systems can be told apart.

    Parameters
    ----------
    scores
        A frame of scores, a leaderboard, or comparisons.
    rule
        The name of a rule that is a mean over tasks or instances, or
        "bradley_terry", as for `nbrank.rank_confidence`. None takes "borda",
        or of comparisons "bradley_terry", the only one there is.
    delta
        One minus the confidence to begin with, between 0.001 and 0.5.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.

    Returns
    -------
    ConfidenceExplorer
        A widget, also of use from Python: set its `delta`, `rule`, `draws`,
        `system` and `top`, and read `ranking`, `groups`, `changes` and `words`.

    Raises
    ------
    TypeError, ValueError
        As `nbrank.Leaderboard`; also if the rule refuses the table.
    traitlets.TraitError
        If the rule or delta is none of these.

    Examples
    --------
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> explorer = explore_confidence(scores)
    >>> explorer.groups["systems"].tolist()
    [['A'], ['B', 'C']]
    >>> explorer.delta = 0.001
    >>> explorer.groups["systems"].tolist()
    [['A', 'B', 'C']]
    >>> explorer.changes
    'Since the last setting: A now shares a group with B and C. B and C can now be first.'
    """
    if isinstance(scores, Comparisons):
        refuse_options("explore_confidence", weights, groups, lower_is_better)
        return ConfidenceExplorer(scores, rule, delta)
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    return ConfidenceExplorer(board, rule, delta)
