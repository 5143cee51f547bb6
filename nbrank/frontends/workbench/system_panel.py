"""Explanation of one system: its places, pairs, nearest weights, and scores by each rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.findings.labels import DisplayNames, capitalize, describe_score, join_labels, rule_title
from nbrank.findings.missing_text import find_suspect_zeros
from nbrank.findings.overview import task_names, task_noun
from nbrank.frontends.shared_html import render_paragraphs
from nbrank.frontends.workbench.html import HtmlWidget, render_button, render_details, render_table
from nbrank.frontends.workbench.page_head import MINIMAX_NOTE
from nbrank.frontends.workbench.pairs_tab import describe_pairwise_record
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

_MOST_COSTS, _MOST_PLACES = 3, 4


class SystemPanel:
    """Panel that explains the rank of the selected system."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.bench = bench
        self.html = HtmlWidget(pressed=bench.on_button)
        self.html.add_class("nbrank-card")

    def show(self, view: WorkbenchView) -> list[str]:
        """Explain the selected system, if any."""
        system, names = self.bench.system, self.bench.names
        self.html.layout.display = "none" if system is None else None
        if system is None:
            self.html.html = ""
            return []
        if system in view.unscored:
            said = [f"{names.short[system]} has no score at this setting, and is left out."]
            html = render_paragraphs(said)
        elif view.places is None:
            rank = view.ranking["rank"].iloc[list(view.ranking.index).index(system)]
            beats = describe_pairwise_record(view, names, system)
            said = [f"Rank {rank} by {rule_title(view.rule)}.", beats]
            html = render_paragraphs(said)
        else:
            said, html = self._explain_scores(view, system)
        close = render_button("system", "", "close")
        self.html.html = f"<header><h3>{escape(names.full[system])}</h3>{close}</header>{html}"
        return [*filter(None, said)]

    def _explain_scores(self, seen: WorkbenchView, system: Label) -> tuple[list[str], str]:
        """Explain the ranks of a system, and what would make it first."""
        why = SystemExplanation(seen, self.bench.names, system)
        said = [
            why.describe_ranks(),
            *why.describe_strengths_and_weaknesses(),
            describe_pairwise_record(seen, self.bench.names, system),
            why.describe_sure_wins(),
        ]
        makes_first, how = self._what_makes_it_first(seen, system)
        nearest = self.bench.get_tab("weights").nearest
        reasons, result, button = why.describe_mean_losses(), nearest.get(system), ""
        if result is not None and result.moved_weight > 1e-6:
            button = render_button("take", "", "Try these weights, and order by minimax")
            button += f" <small>({escape(MINIMAX_NOTE)})</small>"
        folds = {
            "why?": render_paragraphs(reasons) + render_table(why.scores_table()),
            f"its place on every {task_noun(why.board)}": render_table(why.places_table()),
        }
        html = [
            render_paragraphs(said),
            how or render_paragraphs([makes_first]),
            render_paragraphs([nearest.describe(system)]),
            button,
            *map(render_details, folds, folds.values()),
        ]
        return [*said, makes_first, nearest.describe(system), *reasons], "".join(html)

    def _what_makes_it_first(self, seen: WorkbenchView, system: Label) -> tuple[str, str]:
        """Say which weight alone would make the system first, and list each with a button."""
        name, rule = self.bench.names.short[system], rule_title(seen.rule)
        if not self.bench.tracks.spans or [*seen.winners.get(seen.rule, ())] == [system]:
            return "", ""
        found = self.bench.tracks.make_first(system)
        if not found:
            return f"No single weight makes {name} first by {rule}.", ""
        weights = DisplayNames.from_labels(self.bench.weights).short
        place = {label: at for at, label in enumerate(self.bench.weights)}
        rows = "".join(
            f"<tr><th>{escape(weights[label])}</th><td>{escape(text)}</td>"
            f"<td>{render_button('weigh', f'{place[label]} {weight:.9g}', 'set')}</td></tr>"
            for label, text, weight in found
        )
        label, text, _ = found[0]
        said = f"{name} would be first by {rule} with a weight of {text} for {weights[label]}."
        heading = f"<h4>What would make it first, by {escape(rule)}</h4>"
        return said, f'{heading}<div class="nbrank-table"><table>{rows}</table></div>'


@dataclass(frozen=True, eq=False)
class SystemExplanation:
    """Explanation of the ranks of a system, compared with the first by the ordering rule."""

    view: WorkbenchView
    names: DisplayNames
    system: Label

    @property
    def board(self) -> Leaderboard:
        """The table of scores."""
        return self.view.board

    @cached_property
    def row(self) -> int:
        """Position of the system in the table."""
        return self._row_position(self.system)

    def _row_position(self, system: Label) -> int:
        return list(self.board.systems).index(system)

    @cached_property
    def task_titles(self) -> list[str]:
        """Titles of the tasks."""
        return [*task_names(self.board).short.values()]

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """The places on the tasks, systems x tasks, NaN for missing scores."""
        assert self.view.places is not None
        places: NDArray[np.float64] = self.view.places.to_numpy()
        return places

    def describe_strengths_and_weaknesses(self) -> list[str]:
        """Say on which tasks the system is best and worst, and which scores are missing."""
        row, counts = self.places[self.row], (~np.isnan(self.places)).sum(axis=0)
        weighs = self.board.weights > 0
        here = weighs & ~np.isnan(row)
        upper = here & (row <= (counts + 1) / 2)
        order = np.argsort(row / np.maximum(counts, 1), kind="stable").tolist()
        absent = int((weighs & np.isnan(row)).sum())
        doubted = {task for row, task in find_suspect_zeros(self.board) if row == self.row}
        bad = here & ~upper & ~np.isin(np.arange(len(here)), [*doubted])
        sentences = []
        for what, tasks in {
            "Good at": [task for task in order if upper[task]],
            "Bad at": [task for task in order[::-1] if bad[task]],
        }.items():
            places = [f"{self.task_titles[task]} ({row[task]:g})" for task in tasks]
            places[:1] = [
                f"{self.task_titles[task]} (place {row[task]:g} of {counts[task]})"
                for task in tasks[:1]
            ]
            sentences += [f"{what}: {join_labels(places, _MOST_PLACES)}."] * bool(tasks)
        sentences += [
            f"{self.task_titles[task]}: 0, perhaps not reported (counted as place "
            f"{row[task]:g} of {counts[task]})."
            for task in order
            if task in doubted and here[task]
        ]
        none = f"Without a score on {pluralize(absent, task_noun(self.board))}."
        return [*sentences, *[none] * (absent > 0)]

    def describe_sure_wins(self) -> str:
        """Say which systems are surely worse, and which are surely better."""
        apart, sets = self.view.told_apart, self.view.rank_sets
        if apart is None or sets is None:
            return ""
        systems, rule = sets.index, rule_title(sets.attrs["rule"])
        here = list(systems).index(self.system)
        differs = apart[self.row][self.board.systems.get_indexer(systems)]
        above = [systems[at] for at in np.flatnonzero(differs[:here]).tolist()]
        beaten = [systems[at] for at in (here + np.flatnonzero(differs[here:])).tolist()]
        than = f"than {len(beaten)}: {self.names.join(beaten, 6)}" if beaten else "than no system"
        who = f"{self.names.join(above, 6)} surely above it" if above else "none surely above it"
        return f"By {rule} it is surely better {than}; {who}."

    def places_table(self) -> pd.DataFrame:
        """Write its place on every task, and the number of systems there."""
        columns = {"place": self.places[self.row], "of": (~np.isnan(self.places)).sum(axis=0)}
        table = pd.DataFrame(columns, index=self.task_titles).sort_values("place", kind="stable")
        return table.assign(place=[f"{place:g}" for place in table["place"]]).replace("nan", "none")

    def describe_ranks(self) -> str:
        """Say which ranks the system has."""
        by_rank: dict[int, list[str]] = {}
        values = []
        for rule in self.view.winners:
            ranks = self.view.ranks[rule]
            if not pd.isna(rank := ranks.iloc[self.row]):
                tied = int((ranks == rank).sum())
                shared = f" (shared by {tied})" * (tied > 1)
                if rule in self.view.published:
                    values.append(f"rank {rank} in “{rule_title(rule)}”{shared}, which is given")
                else:
                    by_rank.setdefault(int(rank), []).append(f"{rule_title(rule)}{shared}")
        by_rule = [
            f"rank {rank} under {join_labels(by, 6)}" for rank, by in sorted(by_rank.items())
        ]
        text = "; ".join([*by_rule, *values])
        row, weights = self.places[self.row], self.board.weights
        observed = (weights > 0) & ~np.isnan(row)
        if observed.any():
            text += (
                f"; on average in place {np.average(row[observed], weights=weights[observed]):.1f}"
            )
        return f"{capitalize(text)}."

    def scores_table(self) -> pd.DataFrame:
        """Write the table of what each rule counts for this system and for the first."""
        unit = "instance" if self.board.is_instance_level else task_noun(self.board)
        weighed = not np.allclose(self.board.weights[self.board.weights > 0], 1)
        known = map(self.view.get_rule, self.view.winners)
        counts = [
            "" if item is None else describe_score(item.score_description, unit, weighed)
            for item in known
        ]
        columns = {
            self.names.short[system]: [
                self._format_rule_score(rule, system) for rule in self.view.winners
            ]
            for system in dict.fromkeys((self.system, self.view.ranking.index[0]))
        }
        index = [rule_title(rule) for rule in self.view.winners]
        return pd.DataFrame({"what it counts": counts, **columns}, index=index)

    def _format_rule_score(self, rule: str, system: Label) -> str:
        """Write the score and the rank of a system by a rule."""
        rank = self.view.ranks[rule].iloc[self._row_position(system)]
        text = "no rank" if pd.isna(rank) else f"rank {rank}"
        known = self.view.get_rule(rule)
        if (
            known is None
            or known.format_score is None
            or np.isnan(score := self._score(rule, system))
        ):
            return text
        return f"{known.format_score(score)}: {text}"

    def _score(self, rule: str, system: Label) -> float:
        ranking = self.view.rankings[rule]
        # The position is used, because pandas would take a tuple for a path through levels.
        return float(ranking["score"].iloc[list(ranking.index).index(system)])

    def describe_mean_losses(self) -> list[str]:
        """Say which tasks cost the system most in the mean."""
        if "mean" not in self.view.winners:
            return []
        best: Label = self.view.rankings["mean"].index[0]
        scores = self.board.task_scores().to_numpy()
        here, observed = scores[self.row], scores[self._row_position(best)]
        weights = self.board.weights / self.board.weights.sum()
        costs = np.where(self.board.is_lower_better, -1.0, 1.0) * (observed - here) * weights
        behind = self._score("mean", best) - self._score("mean", self.system)
        # If scores are filled in or left out, the gap isn't the sum of the gaps on the tasks.
        if not behind > 0 or not np.isclose(costs.sum(), behind):
            return []
        most = [i for i in np.argsort(-costs, kind="stable")[:_MOST_COSTS].tolist() if costs[i] > 0]
        task = self.task_titles
        sentences = [
            f"{task[i]} costs {costs[i]:.3g} ({here[i]:.4g} against {observed[i]:.4g})"
            for i in most
        ]
        whom, whose = self.names.short[self.system], self.names.short[best]
        gap = f"{whom} is {behind:.3g} behind {whose}, and of that {join_labels(sentences)}."
        zeros = [task[i] for i in most if here[i] == 0 != observed[i]]
        doubt = f" Was the 0 on {join_labels(zeros)} ever reported? Else leave that cell empty."
        return [f"The mean counts each bad score in full: {gap}{doubt * bool(zeros)}"]
