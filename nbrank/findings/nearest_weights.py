"""What other weights, or fewer tasks, would change, in sentences."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from nbrank.findings.labels import DisplayNames, agree_verb, format_percent, join_labels
from nbrank.findings.overview import task_names, task_noun
from nbrank.robustness.cherry_picking import cherry_pick, unseat
from nbrank.robustness.winning_weights import NearestWeights, find_nearest_weights
from nbrank.rules.bound_rule import BoundRule, top_ranked
from nbrank.rules.majority import copeland
from nbrank.rules.registry import RuleLike
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
            return f"With {self.start_is} {whom} loses to no other system, pair by pair."
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
        sentences = [f"With {self.start_is} {loses}, pair by pair."]
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

    def describe_moves(self, system: Label, max_tasks: int = 4) -> str:
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
        return f"to {join_labels(to, max_tasks)}, away from {join_labels(away, max_tasks)}"


def describe_task_removal(
    board: Leaderboard,
    rule: RuleLike,
    names: DisplayNames,
    tasks: DisplayNames,
    time_limit: float,
    **options: Any,
) -> tuple[str, list[Label]]:
    """Say how many others can be first without some tasks, and how few unseat the first; list them.

    The result is empty if the rule doesn't add up the tasks, or if several systems are first.
    """
    try:
        picked = cherry_pick(board, rule, time_limit=time_limit, **options)
        rivals = unseat(board, rule, **options)
    except ValueError:
        return "", []
    what, ranker = task_noun(board), BoundRule.bind(rule, **options).function
    now = top_ranked(ranker(board))
    who, others = names.join(now, 3), picked[~picked.index.isin(now)]
    # Only whether a system can be first on some tasks matters, not on how many.
    can = others["kept"] > 0
    decided = (others["proven"] | can).all()
    if decided and not can.any():
        return f"Whatever {what}s are left out, {who} stays first.", []
    sentences = []
    if decided or can.any():
        count = f"{'' if decided else 'At least '}{pluralize(int(can.sum()), 'system')}"
        sentences.append(f"{count} other than {who} would be first if some {what}s were left out.")
    if rivals["removed"].notna().any():
        fewest = rivals.iloc[0]
        # A ballot of many voters is listed once for each voter that is left out.
        often = Counter(fewest["tasks"])
        of_each = [
            tasks.short[task] + f" ({times} times)" * (times > 1) for task, times in often.items()
        ]
        out = f"{pluralize(fewest['removed'], what)}: {join_labels(of_each, 8)}"
        sentences.append(f"To unseat {who}, leave out {out}.")
        places = board.task_names.get_positions(often, "tasks")
        weights = board.weights.copy()
        weights[places] *= 1 - np.array([*often.values()]) / board.voter_counts[places]
        first = top_ranked(ranker(board.with_task_weights(weights)))
        sentences.append(f"Then {names.join(first, 3)} {agree_verb('is', len(first))} first.")
    return " ".join(sentences), list(others.index[can])


def describe_possible_winners(bounds: pd.DataFrame, by: str, names: DisplayNames) -> str:
    """Say who may be first, by a rule, while no weight changes by more than a fifth."""
    first, may = bounds["rank"] == 1, bounds["best"] == 1
    who = f"{names.join(bounds.index[may])} would each be first by {by} under some weights"
    if may.equals(first):
        heads = names.join(bounds.index[first])
        who = f"{heads} {agree_verb('stays', first.sum())} first by {by}"
        if (bounds["worst"][first] > 1).any():
            who = f"nobody but {heads} would be first by {by}"
            if may.all():
                who = f"any of these systems can be first by {by}"
    elif not bounds["proven"][may].all():
        who = f"at most {may.sum()} systems would be first by {by}"
    return f"As long as no weight changes by more than a fifth, {who}."
