"""What explains one system: its places, who beats it, its nearest weights, and what rules count."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.doubtful_zeros import doubtful_zeros
from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.changes import WHY_MINIMAX
from nbrank.explorers.one_against_one import who_beats
from nbrank.explorers.prose import Prose, a_button, folded, in_a_table, in_paragraphs
from nbrank.findings.names import Names, in_words, listed
from nbrank.findings.overview import task_names, task_of, task_scores
from nbrank.rules.wording import what_counts
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

_MOST_COSTS, _MOST_PLACES = 3, 4


class OneSystem:
    """The system that is looked at, and why it stands where it stands."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.said = Prose(pressed=bench.press)
        self.said.add_class("nbrank-card")

    def show(self, seen: Seen) -> list[str]:
        """Explain the system that is looked at, if there is one."""
        system, names = self.bench.system, self.bench.names
        self.said.layout.display = "none" if system is None else None
        if system is None:
            self.said.html = ""
            return []
        close = a_button("system", "", "close")
        head = f"<header><h3>{escape(names.whole[system])}</h3>{close}</header>"
        if system in seen.unscored:
            said = [f"{names.brief[system]} has no score at this setting, and is left out."]
            self.said.html = head + in_paragraphs(said)
            return said
        why = Reasons(seen, names, system)
        beats = who_beats(seen, names, system)
        if seen.places is None:
            rank = seen.ranking["rank"].iloc[list(seen.ranking.index).index(system)]
            said = [f"Rank {rank} by {in_words(seen.rule)}.", beats]
            self.said.html = head + in_paragraphs(said)
            return said
        nearest = self.bench.made("weights").nearest
        said = [why.ranks(), *why.of_tasks(), beats, nearest.told(system)]
        reasons, found, button = why.what_the_mean_sees(), nearest.of(system), ""
        if found is not None and found.moved > 1e-6:
            button = a_button("take", "", "Try these weights, and order by minimax")
            button += f" <small>({escape(WHY_MINIMAX)})</small>"
        folds = folded("why?", in_paragraphs(reasons) + in_a_table(why.table()))
        folds += folded(f"its place on every {task_of(why.board)}", in_a_table(why.on_tasks()))
        self.said.html = head + in_paragraphs(said) + button + folds
        return [*said, *reasons]


@dataclass(frozen=True, eq=False)
class Reasons:
    """What makes the ranks of a system, beside those of the first by the rule that orders."""

    seen: Seen
    names: Names
    system: Label

    @property
    def board(self) -> Leaderboard:
        """The table of scores."""
        return self.seen.board

    @cached_property
    def row(self) -> int:
        """Where the system stands in the table."""
        return self._row(self.system)

    def _row(self, system: Label) -> int:
        return list(self.board.systems).index(system)

    @cached_property
    def task(self) -> list[str]:
        """What the tasks are called."""
        return [*task_names(self.board).brief.values()]

    @cached_property
    def places(self) -> NDArray[np.float64]:
        """The places on the tasks, systems x tasks, NaN where there is no score."""
        assert self.seen.places is not None
        places: NDArray[np.float64] = self.seen.places.to_numpy()
        return places

    def of_tasks(self) -> list[str]:
        """Say what the system is good and bad at, best and worst first, and what is missing."""
        row, counts = self.places[self.row], (~np.isnan(self.places)).sum(axis=0)
        weighs = self.board.weights > 0
        here = weighs & ~np.isnan(row)
        upper = here & (row <= (counts + 1) / 2)
        order = np.argsort(row / np.maximum(counts, 1), kind="stable").tolist()
        absent = int((weighs & np.isnan(row)).sum())
        doubted = {task for row, task in doubtful_zeros(self.board) if row == self.row}
        bad = here & ~upper & ~np.isin(np.arange(len(here)), [*doubted])
        said = []
        for what, tasks in {
            "Good at": [task for task in order if upper[task]],
            "Bad at": [task for task in order[::-1] if bad[task]],
        }.items():
            places = [f"{self.task[task]} ({row[task]:g})" for task in tasks]
            places[:1] = [
                f"{self.task[task]} (place {row[task]:g} of {counts[task]})" for task in tasks[:1]
            ]
            said += [f"{what}: {listed(places, _MOST_PLACES)}."] * bool(tasks)
        said += [
            f"{self.task[task]}: 0, perhaps not reported (counted as place "
            f"{row[task]:g} of {counts[task]})."
            for task in order
            if task in doubted and here[task]
        ]
        none = f"Without a score on {counted(absent, task_of(self.board))}."
        return [*said, *[none] * (absent > 0)]

    def on_tasks(self) -> pd.DataFrame:
        """Its place on every task, and among how many."""
        columns = {"place": self.places[self.row], "of": (~np.isnan(self.places)).sum(axis=0)}
        table = pd.DataFrame(columns, index=self.task).sort_values("place", kind="stable")
        return table.assign(place=[f"{place:g}" for place in table["place"]]).replace("nan", "none")

    def ranks(self) -> str:
        """Say where the system stands."""
        by_rank: dict[int, list[str]] = {}
        given = []
        for rule in self.seen.first:
            ranks = self.seen.ranks[rule]
            if not pd.isna(rank := ranks.iloc[self.row]):
                tied = int((ranks == rank).sum())
                shared = f" (shared by {tied})" * (tied > 1)
                if rule in self.seen.published:
                    given.append(f"rank {rank} in “{in_words(rule)}”{shared}, which is given")
                else:
                    by_rank.setdefault(int(rank), []).append(f"{in_words(rule)}{shared}")
        by_rule = [f"rank {rank} under {listed(by, 6)}" for rank, by in sorted(by_rank.items())]
        said = "; ".join([*by_rule, *given])
        row, weights = self.places[self.row], self.board.weights
        there = (weights > 0) & ~np.isnan(row)
        if there.any():
            said += f"; on average in place {np.average(row[there], weights=weights[there]):.1f}"
        return f"{said[:1].upper()}{said[1:]}."

    def table(self) -> pd.DataFrame:
        """What each rule counts, for it and the first."""
        unit = "instance" if self.board.is_instance_level else task_of(self.board)
        weighed = not np.allclose(self.board.weights[self.board.weights > 0], 1)
        known = map(self.seen.rule_of, self.seen.first)
        counts = ["" if one is None else what_counts(one.counts, unit, weighed) for one in known]
        columns = {
            self.names.brief[system]: [self._cell(rule, system) for rule in self.seen.first]
            for system in dict.fromkeys((self.system, self.seen.ranking.index[0]))
        }
        index = [in_words(rule) for rule in self.seen.first]
        return pd.DataFrame({"what it counts": counts, **columns}, index=index)

    def _cell(self, rule: str, system: Label) -> str:
        """The number that a rule counts for a system, and its rank."""
        rank = self.seen.ranks[rule].iloc[self._row(system)]
        said = "no rank" if pd.isna(rank) else f"rank {rank}"
        known = self.seen.rule_of(rule)
        if known is None or known.written is None or np.isnan(score := self._score(rule, system)):
            return said
        return f"{known.written(score)}: {said}"

    def _score(self, rule: str, system: Label) -> float:
        ranking = self.seen.rankings[rule]
        # By its place: a label that is a tuple would be taken for a path through levels.
        return float(ranking["score"].iloc[list(ranking.index).index(system)])

    def what_the_mean_sees(self) -> list[str]:
        """Say which tasks cost the system most in the mean."""
        if "mean" not in self.seen.first:
            return []
        best: Label = self.seen.rankings["mean"].index[0]
        scores = task_scores(self.board).to_numpy()
        here, there = scores[self.row], scores[self._row(best)]
        weights = self.board.weights / self.board.weights.sum()
        costs = np.where(self.board.lower, -1.0, 1.0) * (there - here) * weights
        behind = self._score("mean", best) - self._score("mean", self.system)
        # With scores filled in or left out, the gap is not the sum of those on the tasks.
        if not behind > 0 or not np.isclose(costs.sum(), behind):
            return []
        most = [i for i in np.argsort(-costs, kind="stable")[:_MOST_COSTS].tolist() if costs[i] > 0]
        task = self.task
        told = [
            f"{task[i]} costs {costs[i]:.3g} ({here[i]:.4g} against {there[i]:.4g})" for i in most
        ]
        whom, whose = self.names.brief[self.system], self.names.brief[best]
        gap = f"{whom} is {behind:.3g} behind {whose}, and of that {listed(told)}."
        zeros = [task[i] for i in most if here[i] == 0 != there[i]]
        doubt = f" Was the 0 on {listed(zeros)} ever reported? Else leave that cell empty."
        return [f"The mean counts each bad score in full: {gap}{doubt * bool(zeros)}"]
