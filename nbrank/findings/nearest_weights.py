"""The least weight that has to move for a system to lose to no other, and to which tasks."""

from __future__ import annotations

import numpy as np
import pandas as pd

from nbrank.findings.labels import DisplayNames, agree_verb, format_percent, join_labels
from nbrank.findings.overview import task_names
from nbrank.robustness.winning_weights import NearestWeights, find_nearest_weights
from nbrank.rules.majority import copeland
from nbrank.votes.formatting import Label, pluralize
from nbrank.votes.leaderboard import Leaderboard

#: Number of systems that can win after which the search for further ones ends; with 300 systems
#: on 50 tasks it takes a second.
_MAX_LISTED = 40


class NearestWeightsText:
    """The nearest weights under which each of the requested systems loses to no other.

    `unequal` describes the weights to start from, if they are not equal.
    """

    def __init__(
        self, board: Leaderboard, names: DisplayNames, unequal: str = "the weights as given"
    ) -> None:
        self.board = board
        self.names = names
        self.start = board.weights / board.weights.sum()
        self.start_is = "equal weights" if np.allclose(self.start, self.start[0]) else unequal
        self._weights_by_system: dict[Label, NearestWeights | None] = {}

    def get(self, system: Label) -> NearestWeights | None:
        """Return a system's nearest weights, and the weight that moves; None if it can't win."""
        if system not in self._weights_by_system:
            self._weights_by_system[system] = find_nearest_weights(self.board, system)
        return self._weights_by_system[system]

    def moved_shares(self) -> pd.Series:
        """Return the share of weight to move by system, nearest first; NaN if none is enough."""
        able = 0
        for asked in copeland(self.board).index:
            able += self.get(asked) is not None
            if able == _MAX_LISTED:
                break
        index = pd.Index(list(self._weights_by_system), tupleize_cols=False)
        moved = [
            np.nan if item is None else item.moved_weight
            for item in self._weights_by_system.values()
        ]
        shares = pd.Series(moved, index, dtype=float, name="weight to move")
        return shares.sort_values(kind="stable")

    def describe(self, system: Label) -> str:
        """Say how much has to move for a system, and to which tasks."""
        whom, result = self.names.short[system], self.get(system)
        if result is None:
            absent = np.isnan(self.board.values[list(self.board.systems).index(system)])
            why = "under any of them another system beats it"
            if absent.all():
                why = "it has no score"
            elif absent.any():
                why = "weight moves only to tasks on which it has a score, and another beats it"
            return f"No weights make {whom} unbeaten: {why}."
        if result.moved_weight <= 1e-6:
            return f"With {self.start_is} {whom} loses to no other system, one against one."
        return (
            f"{whom} would lose to no other system if {format_percent(result.moved_weight)} of the "
            f"weight moved {self.describe_moves(system)}."
        )

    def describe_all(self) -> str:
        """Say which systems lose to no other, and which would lose to none with other weights."""
        every, names = self.moved_shares(), self.names
        able = every.dropna()
        already, others = able.index[able <= 1e-6], able.index[able > 1e-6]
        loses = "every system loses to another"
        if len(already):
            loses = (
                f"{names.join(already, 3)} {agree_verb('loses', len(already))} to no other system"
            )
        sentences = [f"With {self.start_is} {loses}, one against one."]
        if len(others):
            shares = [format_percent(able[other]) for other in others[:2]]
            shares[0] += " of the weight would have to move"
            near = [f"{names.short[n]} ({share})" for n, share in zip(others, shares, strict=False)]
            whom = "other" if len(already) else "system"
            least = "At least " * (len(every) < len(self.board.systems))
            would = f"{least}{pluralize(len(others), whom)} would be unbeaten under other weights"
            sentences.append(f"{would}, first {', then '.join(near)}.")
        if never := int(every.isna().sum()):
            asked = "" if len(every) == len(self.board.systems) else " that were asked"
            of = f"{never} of the {pluralize(len(every), 'system')}{asked}"
            sentences.append(
                f"{of} {agree_verb('is', never)} beaten by another system whatever the weights."
            )
            if np.isnan(self.board.values).any():
                sentences.append("No weight moves to a task on which a system has no score.")
        return " ".join(sentences)

    def describe_moves(self, system: Label, most: int = 4) -> str:
        """Say to which tasks the weight moves for a system, how much each has, and from which."""
        result = self.get(system)
        assert result is not None
        # Rounding keeps tasks with equal moves in the table's order.
        more, names = (
            (result.weights - self.start).round(9),
            [*task_names(self.board).short.values()],
        )
        gain, lose = (np.argsort(sign * more, kind="stable").tolist() for sign in (-1, 1))
        equal = np.allclose(self.start, self.start[0])
        to: list[str] = []
        for task in gain:
            if more[task] > 1e-6:
                # The weight that all tasks have before is mentioned only once.
                now = f" instead of {format_percent(self.start[task])}" * (not (equal and to))
                to.append(f"{names[task]} ({format_percent(result.weights[task])}{now})")
        away = [names[task] for task in lose if more[task] < -1e-6]
        return f"to {join_labels(to, most)}, away from {join_labels(away, most)}"
