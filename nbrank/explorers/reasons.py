"""Why the ranks differ: what each rule counts for the system looked at, and for the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.charts.names import Names, in_brief, in_words, listed
from nbrank.charts.overview import Overview, task_places, task_scores
from nbrank.rules.rule import RULES
from nbrank.rules.wording import what_counts
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

_MOST_COSTS, _MOST_PLACES = 3, 4


@dataclass(frozen=True, eq=False)
class TaskPlaces:
    """The places within each task, which no weight and no rule changes.

    Places and scores are systems x tasks, NaN where there is no score; the score of instances is
    their mean.
    """

    place: NDArray[np.float64]
    score: NDArray[np.float64]
    position: Mapping[Label, int]
    task: Sequence[str]

    @classmethod
    def on(cls, board: Leaderboard) -> TaskPlaces:
        """Find the places on a leaderboard."""
        places, scores = task_places(board).to_numpy(), task_scores(board).to_numpy()
        position = {system: row for row, system in enumerate(board.systems)}
        return cls(places, scores, position, in_brief(board.tasks))

    def said(self, board: Leaderboard, system: Label) -> list[str]:
        """Say what a system is good and bad at, best and worst first, and what is missing."""
        row = self.place[self.position[system]]
        counts = (~np.isnan(self.place)).sum(axis=0)
        weighs = board.weights > 0
        here = weighs & ~np.isnan(row)
        upper = here & (row <= (counts + 1) / 2)
        order = np.argsort(row / np.maximum(counts, 1), kind="stable").tolist()
        absent = int((weighs & np.isnan(row)).sum())
        told = {
            "Good at": [task for task in order if upper[task]],
            "Bad at": [task for task in order[::-1] if here[task] and not upper[task]],
        }
        said = [
            f"{what}: {self._listed(row, tasks, counts)}." for what, tasks in told.items() if tasks
        ]
        return [*said, *[f"Without a score on {counted(absent, 'task')}."] * (absent > 0)]

    def _listed(self, row: NDArray[np.float64], tasks: list[int], counts: NDArray[np.int64]) -> str:
        first = [f"{self.task[task]} (place {row[task]:g} of {counts[task]})" for task in tasks[:1]]
        first += [f"{self.task[task]} ({row[task]:g})" for task in tasks[1:_MOST_PLACES]]
        more = len(tasks) - len(first)
        return f"{', '.join(first)} and {more} more" if more else listed(first)


@dataclass(frozen=True, eq=False)
class Reasons:
    """What makes the ranks of a system, beside those of the first by one rule."""

    board: Leaderboard
    names: Names
    places: TaskPlaces
    seen: Overview
    system: Label

    def ranks(self) -> str:
        """Say where the system stands."""
        here, by_rank = self.places.position[self.system], dict[int, list[str]]()
        for rule in self.seen.first:
            ranks = self.seen.ranks[rule]
            if not pd.isna(rank := ranks.iloc[here]):
                tied = int((ranks == rank).sum())
                shared = f" (shared by {tied})" * (tied > 1)
                by_rank.setdefault(int(rank), []).append(f"{in_words(rule)}{shared}")
        said = "; ".join(
            f"rank {rank} under {listed(rules, 6)}" for rank, rules in sorted(by_rank.items())
        )
        row, weights = self.places.place[here], self.board.weights
        there = (weights > 0) & ~np.isnan(row)
        if there.any():
            said += f"; on average in place {np.average(row[there], weights=weights[there]):.1f}"
        return f"{said[:1].upper()}{said[1:]}."

    def table(self) -> pd.DataFrame:
        """What each rule counts, for it and the first."""
        unit = "instance" if self.board.is_instance_level else "task"
        weighed = not np.allclose(self.board.weights[self.board.weights > 0], 1)
        counts = [what_counts(RULES[rule].counts, unit, weighed) for rule in self.seen.first]
        both = dict.fromkeys((self.system, self.seen.ranking.index[0]))
        columns = {self.names.brief[system]: self._cells(system) for system in both}
        index = [in_words(rule) for rule in self.seen.first]
        return pd.DataFrame({"what it counts": counts, **columns}, index=index)

    def _cells(self, system: Label) -> list[str]:
        """The number that each rule counts for a system, and its rank."""
        cells = []
        for rule in self.seen.first:
            score, written = self._score(rule, system), RULES[rule].written
            number = "" if written is None or np.isnan(score) else written(score)
            rank = self.seen.ranks[rule].iloc[self.places.position[system]]
            said = "no rank" if pd.isna(rank) else f"rank {rank}"
            cells.append(f"{number}: {said}" if number else said)
        return cells

    def _score(self, rule: str, system: Label) -> float:
        ranking = self.seen.rankings[rule]
        # By its place: a label that is a tuple would be taken for a path through levels.
        return float(ranking["score"].iloc[list(ranking.index).index(system)])

    def what_the_mean_sees(self) -> list[str]:
        """Say which tasks cost the system most in the mean."""
        if "mean" not in self.seen.first:
            return []
        best: Label = self.seen.rankings["mean"].index[0]
        row, other = self.places.position[self.system], self.places.position[best]
        here, there = self.places.score[row], self.places.score[other]
        weights = self.board.weights / self.board.weights.sum()
        costs = np.where(self.board.lower, -1.0, 1.0) * (there - here) * weights
        behind = self._score("mean", best) - self._score("mean", self.system)
        # With scores filled in or left out, the gap is not the sum of those on the tasks.
        if not behind > 0 or not np.isclose(costs.sum(), behind):
            return []
        most = [i for i in np.argsort(-costs, kind="stable")[:_MOST_COSTS].tolist() if costs[i] > 0]
        task = self.places.task
        told = [
            f"{task[i]} costs {costs[i]:.3g} ({here[i]:.4g} against {there[i]:.4g})" for i in most
        ]
        whom, whose = self.names.brief[self.system], self.names.brief[best]
        gap = f"{whom} is {behind:.3g} behind {whose}, and of that {listed(told)}."
        zeros = [task[i] for i in most if here[i] == 0 != there[i]]
        doubt = f" Was the 0 on {listed(zeros)} ever reported? Else leave that cell empty."
        return [f"The mean counts each bad score in full: {gap}{doubt * bool(zeros)}"]
