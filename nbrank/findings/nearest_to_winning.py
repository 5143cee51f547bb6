"""How little of the weight has to move for a system to lose to no other, and to which tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nbrank.findings.names import Names, in_percent, listed, verb
from nbrank.findings.overview import task_names
from nbrank.questions.condorcet_weights import NearestWeights, nearest_weights
from nbrank.rules.majority import copeland
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.naming import Label, counted

#: The first systems are asked for the weights that make them win, until so many can: with 300
#: systems on 50 tasks a second's work.
_MOST_ABLE = 40


class Nearest:
    """The nearest weights under which each system loses to no other, of those that were asked.

    `unequal` says whose the weights are that one starts from, where they are not equal.
    """

    def __init__(
        self, board: Leaderboard, names: Names, unequal: str = "the weights as given"
    ) -> None:
        self.board = board
        self.names = names
        self.start = board.weights / board.weights.sum()
        self.start_is = "equal weights" if np.allclose(self.start, self.start[0]) else unequal
        self._found: dict[Label, NearestWeights | None] = {}

    def of(self, system: Label) -> NearestWeights | None:
        """The weights for one system, and what moves to them; None if it can't win by any."""
        if system not in self._found:
            self._found[system] = nearest_weights(self.board, system)
        return self._found[system]

    def shares(self) -> pd.Series:
        """System -> the share of the weight that has to move, nearest first; NaN for never."""
        able = 0
        for asked in copeland(self.board).index:
            able += self.of(asked) is not None
            if able == _MOST_ABLE:
                break
        index = pd.Index(list(self._found), tupleize_cols=False)
        moved = [np.nan if one is None else one.moved for one in self._found.values()]
        shares = pd.Series(moved, index, dtype=float, name="weight to move")
        return shares.sort_values(kind="stable")

    def told(self, system: Label) -> str:
        """Say how much has to move for a system, and to which tasks."""
        whom, found = self.names.brief[system], self.of(system)
        if found is None:
            absent = np.isnan(self.board.values[list(self.board.systems).index(system)])
            why = "under any of them another system beats it"
            if absent.all():
                why = "it has no score"
            elif absent.any():
                why = "weight moves only to tasks on which it has a score, and another beats it"
            return f"Under no weights {whom} loses to nobody: {why}."
        if found.moved <= 1e-6:
            return f"With {self.start_is} {whom} loses to no other system, one against one."
        return (
            f"{whom} would lose to no other system if {in_percent(found.moved)} of the weight "
            f"moved {self.moves(system)}."
        )

    def who_is_near(self) -> str:
        """Say who loses to nobody as it is, and who would under other weights."""
        every, names = self.shares(), self.names
        able = every.dropna()
        already, others = able.index[able <= 1e-6], able.index[able > 1e-6]
        loses = "every system loses to another"
        if len(already):
            loses = f"{names.listed(already, 3)} {verb('loses', len(already))} to no other system"
        said = [f"With {self.start_is} {loses}, one against one."]
        if len(others):
            shares = [in_percent(able[one]) for one in others[:2]]
            shares[0] += " of the weight would have to move"
            near = [f"{names.brief[n]} ({share})" for n, share in zip(others, shares, strict=False)]
            whom = "other" if len(already) else "system"
            least = "At least " * (len(every) < len(self.board.systems))
            would = (
                f"{least}{counted(len(others), whom)} would be beaten by nobody under other weights"
            )
            said.append(f"{would}, first {', then '.join(near)}.")
        if never := int(every.isna().sum()):
            asked = "" if len(every) == len(self.board.systems) else " that were asked"
            of = f"{never} of the {counted(len(every), 'system')}{asked}"
            said.append(
                f"{of} {verb('is', never)} always beaten by somebody, whatever the weights."
            )
            if np.isnan(self.board.values).any():
                said.append("No weight moves to a task on which a system has no score.")
        return " ".join(said)

    def moves(self, system: Label, most: int = 4) -> str:
        """Say to which tasks the weight moves for a system, how much each has, and from which."""
        found = self.of(system)
        assert found is not None
        # Equal but for rounding, tasks stand in the table's order.
        more, names = (
            (found.weights - self.start).round(9),
            [*task_names(self.board).brief.values()],
        )
        gain, lose = (np.argsort(sign * more, kind="stable").tolist() for sign in (-1, 1))
        equal = np.allclose(self.start, self.start[0])
        to: list[str] = []
        for task in gain:
            if more[task] > 1e-6:
                # What all tasks have as it is, is said once.
                now = f" instead of {in_percent(self.start[task])}" * (not (equal and to))
                to.append(f"{names[task]} ({in_percent(found.weights[task])}{now})")
        away = [names[task] for task in lose if more[task] < -1e-6]
        return f"to {listed(to, most)}, away from {listed(away, most)}"
