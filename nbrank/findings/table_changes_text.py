"""Changes between two tables, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from nbrank.comparison.table_changes import STEPS, BoardPair
from nbrank.findings.labels import DisplayNames, agree_verb, join_labels
from nbrank.findings.overview import task_names
from nbrank.votes.formatting import Label, pluralize

#: The name of each step of `nbrank.changes` in a sentence.
_CAUSES = {
    "scores": "by new scores",
    "tasks": "by other tasks",
    "leaving": "by systems that left",
    "coming": "by systems that came in",
}
#: Maximum number of systems whose loss is explained, those that lost most.
_MAX_EXPLAINED = 3
#: Maximum number of systems that a sentence names.
_MAX_NAMED = 6


@dataclass(frozen=True, eq=False)
class TableChangesText:
    """The changes since an older table, and the sentences on them."""

    pair: BoardPair

    @cached_property
    def table(self) -> pd.DataFrame:
        """The frame of `nbrank.changes`."""
        return self.pair.changes()

    @cached_property
    def names(self) -> DisplayNames:
        """The names of the systems of either table."""
        return DisplayNames.from_labels(self.table.index)

    @cached_property
    def moves(self) -> pd.Series:
        """The change in rank of each system of both tables, above 0 for a loss."""
        return (self.table["after"] - self.table["before"]).dropna().astype(int)

    def describe(self) -> list[str]:
        """Say what was added or removed, how many ranks changed, and why systems were passed."""
        sentences = [self._describe_tables()]
        if self.pair.respelled:
            sentences.append(f"{self.pair.respelled}.")
        if not self.pair.common:
            return [*sentences, self._describe_nothing_common()]
        moved = int((self.moves != 0).sum())
        if not moved:
            return [*sentences, "No system of both tables has another rank."]
        sentences.append(
            f"{moved} of {pluralize(len(self.moves), 'system')} of both tables "
            f"{agree_verb('has', moved)} another rank."
        )
        for system in self._overtaken_systems()[:_MAX_EXPLAINED]:
            sentences += self.explain_loss(system)
        if self.moves.min() < 0:
            sentences.append(f"{self._describe_move(self.moves.idxmin())}.")
        return sentences

    def _describe_nothing_common(self) -> str:
        """Say that no system is in both tables, and what may be the reason."""
        before, after = self.pair.before, self.pair.after
        text = "The tables have no common system, so that no ranks can be compared"
        if set(before.systems) & set(after.tasks) or set(before.tasks) & set(after.systems):
            return f"{text}; the systems of one are tasks of the other: is it transposed?"
        if not set(before.tasks) & set(after.tasks):
            return f"{text}, and no common task: are they of one leaderboard?"
        return f"{text}; see whether the systems are named alike in both."

    def _overtaken_systems(self) -> list[Label]:
        """List the systems passed by a system of both tables, the largest loss first.

        Without one, list the system that lost most.
        """
        common = set(self.pair.common)
        losses = self.moves.sort_values(ascending=False, kind="stable")
        passed_by = self.table["passed_by"].loc[losses.index]
        overtaken = [system for system, passed in passed_by.items() if common & set(passed)]
        if overtaken or self.moves.max() <= 0:
            return overtaken
        return [self.moves.idxmax()]

    def explain_loss(self, system: Label) -> list[str]:
        """Say which systems passed this one and why, and which newcomer alone is enough for it."""
        passed = self.pair.explain(system)
        who = join_labels([self._name_with_origin(other) for other in passed.index], _MAX_NAMED)
        sentences = [f"{self._describe_move(system)}: passed by {who}."]
        sentences += self._describe_newcomers(passed["newcomers"])
        tasks = task_names(self.pair.after)
        where = [
            f"{self.names.short[other]} on {tasks.join(row['tasks'], _MAX_NAMED)}"
            for other, row in passed.head(3).iterrows()
            if row["tasks"]
        ]
        if where:
            sentences.append(f"Newly ahead of {self.names.short[system]}: {'; '.join(where)}.")
        return sentences

    def _describe_newcomers(self, helped_past: pd.Series) -> list[str]:
        """Name the systems of both tables that a single newcomer helped past this one."""
        explained: dict[str, list[Label]] = {}
        for arrival in self.pair.arrived:
            helped = [other for other in self.pair.common if arrival in helped_past.get(other, ())]
            explained.setdefault(self.names.join(helped, _MAX_NAMED), []).append(arrival)
        return [
            f"{self.names.join(arrivals, _MAX_NAMED)} alone {agree_verb('is', len(arrivals))} "
            f"enough for {text} to pass."
            for text, arrivals in explained.items()
            if text
        ]

    def _describe_tables(self) -> str:
        """Say which systems and tasks were added, and which were removed."""
        old, new = set(self.pair.before.tasks), set(self.pair.after.tasks)
        added = [task for task in self.pair.after.tasks if task not in old]
        gone = [task for task in self.pair.before.tasks if task not in new]
        parts = [
            self._count(self.pair.arrived, "system", "came in", self.names),
            self._count(self.pair.departed, "system", "left", self.names),
            self._count(added, "task", "was added", task_names(self.pair.after)),
            self._count(gone, "task", "was dropped", task_names(self.pair.before)),
        ]
        text = "; ".join(filter(None, parts))
        return f"{text}." if text else "The systems and tasks are the same."

    def _count(self, labels: list[Label], noun: str, verb: str, names: DisplayNames) -> str:
        if not labels:
            return ""
        verb = verb.replace("was", "were") if len(labels) > 1 else verb
        return f"{pluralize(len(labels), noun)} {verb} ({names.join(labels, _MAX_NAMED)})"

    def _name_with_origin(self, system: Label) -> str:
        return f"{self.names.short[system]}{' (new)' if system in self.pair.arrived else ''}"

    def _describe_move(self, system: Label) -> str:
        row = self.table.iloc[self.table.index.get_loc(system)]
        parts = [
            f"{'down' if by > 0 else 'up'} {abs(by)} {_CAUSES[step]}"
            for step in STEPS
            if (by := row[f"by_{step}"]) != 0
        ]
        verb = "fell" if row["after"] > row["before"] else "rose"
        return (
            f"{self.names.short[system]} {verb} from rank {row['before']} to {row['after']} "
            f"({join_labels(parts)})"
        )
