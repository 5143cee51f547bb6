"""What has been set otherwise since the last setting, and what followed from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from nbrank.charts.names import Names, in_brief, in_percent, in_words, listed, verb
from nbrank.explorers.bench import Seen
from nbrank.explorers.deletions import Deletions
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

#: So many winners that changed are told, beside the one by the rule that orders.
_MOST_RULES = 2
#: More weights that changed are counted, and not told one by one.
_MOST_WEIGHTS = 3
#: Why one orders by minimax under weights that make a system lose to nobody.
WHY_MINIMAX = "minimax looks at a system's worst defeat, so losing to nobody is enough"


@dataclass(frozen=True, eq=False)
class Setting:
    """A setting under which there was a ranking, and what it gave."""

    rule: str
    weights: Mapping[Label, float]
    weights_of: str
    missing: str
    deletions: Deletions
    ranking: pd.DataFrame
    winners: Mapping[str, list[Label]]

    def since(self, before: Setting, names: Names) -> str:
        """Say what was set, and what followed; nothing where nothing was set."""
        moved = self._said(before)
        return f"You changed {moved}: {self._followed(before, names)}." if moved else ""

    def _said(self, before: Setting) -> str:
        brief = Names.of(self.weights).brief
        said = []
        if before.rule != self.rule:
            said.append(f"the rule from {in_words(before.rule)} to {in_words(self.rule)}")
        moved = [label for label, now in self.weights.items() if before.weights.get(label) != now]
        if before.weights_of != self.weights_of:
            said.append(f"the sliders from {before.weights_of} to {self.weights_of}")
        elif len(moved) > _MOST_WEIGHTS:
            said.append(f"the weights of {len(moved)} {self.weights_of}")
        else:
            said += [
                f"the weight of {brief[label]} from {before.weights.get(label, 0):g} to "
                f"{self.weights[label]:g}"
                for label in moved
            ]
        if before.missing != self.missing:
            said.append(f"missing scores from “{before.missing}” to “{self.missing}”")
        if before.deletions != self.deletions:
            said.append("which scores are deleted")
        return listed(said)

    def _followed(self, before: Setting, names: Names) -> str:
        """Who wins instead of whom, and how many rose and fell."""
        was = {**before.winners, self.rule: before.winners.get(before.rule, [])}
        parts = []
        for rule in [self.rule, *(rule for rule in self.winners if rule != self.rule)]:
            now, then = self.winners[rule], was.get(rule, self.winners[rule])
            if set(now) != set(then):
                named = rule != self.rule or rule != before.rule
                why = f" ({WHY_MINIMAX})" * (rule == self.rule == "minimax" != before.rule)
                parts.append(f"under {in_words(rule)} " * named + _wins(now, then, names) + why)
        if len(parts) > _MOST_RULES + 1:
            more = counted(len(parts) - _MOST_RULES, "more rule")
            parts = [*parts[:_MOST_RULES], f"under {more} others win than before"]
        old = before.ranking["rank"].reindex(self.ranking.index).to_numpy()
        new = self.ranking["rank"].to_numpy()
        moves = old - new
        rose, fell = int((moves > 0).sum()), int((moves < 0).sum())
        if rose or fell:
            most = int(np.argmax(np.abs(moves)))
            tied = int((new == new[most]).sum())
            level = f" (shared by {tied})" * (tied > 1)
            whom = f"the system {names.brief[self.ranking.index[most]]}"
            parts.append(
                f"{rose} rose and {fell} fell, most of all {whom}, "
                f"from rank {old[most]:g} to {new[most]:g}{level}"
            )
        return "; ".join(parts) or "no winner and no rank changed"


@dataclass(frozen=True)
class CouldBeFirst:
    """How many could be first, by what else was asked, and how much the heaviest task weighs."""

    asked: tuple[Any, ...]
    number: int
    #: Its name, where there is one, and where tasks are what is drawn.
    heaviest: str | None
    share: float

    @classmethod
    def of(cls, seen: Seen, asked: tuple[Any, ...]) -> CouldBeFirst | None:
        """Count them; None where the rule that orders has no rank sets, or there are no tasks."""
        if seen.sets is None or seen.note or not isinstance(seen.whole, Leaderboard):
            return None
        weights = seen.whole.weights / seen.whole.weights.sum()
        most = np.flatnonzero(np.isclose(weights, weights.max()))
        named = len(most) == 1 and seen.sets.attrs.get("over") == "tasks"
        task = in_brief(seen.whole.tasks)[most[0]] if named else None
        return cls(asked, int((seen.sets["low"] == 1).sum()), task, float(weights.max()))

    def until(self, now: CouldBeFirst | None) -> str:
        """Say how many could be first now instead, where weights alone made others so."""
        if now is None or now.asked != self.asked or now.number == self.number:
            return ""
        said = f"{now.number} instead of {self.number} could be first"
        if now.number > self.number and now.share > self.share and now.heaviest is not None:
            said += f", since {now.heaviest} now carries {in_percent(now.share)} of the weight"
        return said


def _wins(now: list[Label], then: list[Label], names: Names) -> str:
    """Who wins now and did not, or no longer does."""
    who, instead = (names.listed(one, 3) or "nobody" for one in (now, then))
    added = [system for system in now if system not in then]
    gone = [system for system in then if system not in now]
    if then and not gone:
        return f"{names.listed(added, 3)} {verb('is', len(added))} now level with {instead}"
    if now and not added:
        alone = "alone, " * (len(now) == 1)
        return f"{who} now {verb('wins', len(now))} {alone}without {names.listed(gone, 3)}"
    return f"{who} {verb('wins', len(now))} instead of {instead}"
