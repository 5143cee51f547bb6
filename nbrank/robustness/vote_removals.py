"""The fewest comparisons without which another system is first."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.typing import Floats
from nbrank.arrays.weights import removable_votes as arrays
from nbrank.arrays.weights.model_removals import ModelRemovals
from nbrank.rules.bound_rule import BoundRule, top_ranked
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.progress import progress_bar

#: For an unsupported rule, the supported rule whose winner it shares most often.
_NEAREST = {"davidson": "bradley_terry", "elo": "bradley_terry"}
_ANSWERED = ("bradley_terry", "borda", "mean_win_rate", "copeland")
#: Options of the model with which strengths depend on more than counts.
_NOT_OF_COUNTS = ("advantage", "covariates")


def find_vote_removals(
    comparisons: Comparisons, function: str, bound_rule: BoundRule, *, only_best: bool = False
) -> pd.DataFrame:
    """Find, for each rival, the fewest votes without which it is above the winner.

    With `only_best`, rivals that need far more than another may be left without an answer.
    """
    _check_rule(function, bound_rule)
    if comparisons.has_shared_wins:
        raise ValueError(
            f"{function}: some wins are shared, and this removes votes for one side; ask it of who "
            "had more: winner=np.sign(share - 0.5), as 1, -1 or 0, in the frame"
        )
    order = bound_rule.function(comparisons)
    winner = get_single_winner(function, order)
    systems, position = comparisons.systems, comparisons.find_positions([winner])[0]
    batches = arrays.VoteBatches.from_comparisons(comparisons.outcomes, len(systems))
    removals = _find_fewest(function, batches, bound_rule, position, only_best=only_best)

    def describe(item: arrays.VoteRemoval) -> tuple[Any, ...]:
        """Return the number of removed votes, the new first, the votes, and if that is proven."""
        if item.removed is None:
            return (pd.NA, None, (), item.proven)
        ranked = bound_rule.function(Comparisons.from_counts(systems, batches.count(item.removed)))
        above = ranked["rank"][systems[item.rival]] < ranked["rank"][systems[position]]
        cells: Counter[tuple[Any, ...]] = Counter()
        for batch in np.flatnonzero(item.removed).tolist():
            pair = systems[batches.first[batch]], systems[batches.second[batch]]
            cells[*pair, "tie" if batches.tied[batch] else "left"] += int(item.removed[batch])
        removed = tuple((*cell, n_votes) for cell, n_votes in cells.most_common())
        return int(item.n_votes), ranked.index[0], removed, item.proven and bool(above)

    rows = {systems[item.rival]: describe(item) for item in removals}
    columns = ["votes", "rival", "removed", "proven"]
    frame = pd.DataFrame(list(rows.values()), pd.Index(list(rows), tupleize_cols=False), columns)
    # With a None among them, pandas would turn integer labels into floats.
    frame["rival"] = pd.Series([row[1] for row in rows.values()], frame.index, dtype=object)
    frame = frame.reindex(order.index[order.index != winner])
    frame = frame.astype({"votes": "Int64", "proven": bool}).sort_values("votes", kind="stable")
    frame.attrs = {"rule": str(order.attrs.get("rule", "")), "winner": str(winner)}
    return frame


def find_vote_margin(comparisons: Comparisons, bound_rule: BoundRule) -> pd.DataFrame:
    """Find the fewest votes without which any system is above the winner: one row, "votes"."""
    easiest = find_vote_removals(comparisons, "margin_of_victory", bound_rule, only_best=True)
    attrs, frame = easiest.attrs, easiest.head(1)
    if not len(frame):
        frame = frame.reindex([None]).fillna({"proven": True}).astype({"proven": bool})
    frame.index = pd.Index(["votes"], name="change")
    frame.attrs = attrs
    return frame


def get_single_winner(function: str, order: pd.DataFrame) -> Label:
    """Return the only system with the first rank; fail if several share it."""
    winners = top_ranked(order)
    if len(winners) != 1:
        shared = "share" if len(winners) > 1 else "has"
        raise ValueError(
            f"{function}: {format_labels(winners) or 'nobody'} {shared} the first rank, but a "
            "single winner is needed; choose another rule"
        )
    return winners[0]


def _check_rule(function: str, rule: BoundRule) -> None:
    """Fail for a rule without an answer on comparisons, and name the nearest that has one."""
    name = rule.name
    if name not in _ANSWERED:
        nearest = _NEAREST.get(name, "copeland" if name else "bradley_terry")
        raise ValueError(
            f"{function}: with comparisons it takes {', '.join(_ANSWERED)}, but not "
            f"{rule.label}; the nearest is {function}(comparisons, {nearest!r})"
        )
    values = {option: rule.arguments.get(option) for option in _NOT_OF_COUNTS}
    # Covariates may be a frame, which has no truth value.
    of_rows = [
        f"{option}=" for option, value in values.items() if not (value is None or value is False)
    ]
    if of_rows:
        raise ValueError(
            f"{function}: strengths with {' and '.join(of_rows)} depend on more than who won a "
            f"comparison, but here all votes of a pair count alike; leave it out"
        )
    missing = rule.arguments.get("missing")
    if name == "mean_win_rate" and missing != "ignore":
        raise ValueError(
            f"{function}: with missing={missing!r} a comparison counts for systems that were not "
            f"in it; leave missing= out, or choose rule='borda'"
        )


def _find_fewest(
    function: str, batches: arrays.VoteBatches, rule: BoundRule, winner: int, *, only_best: bool
) -> list[arrays.VoteRemoval]:
    """Search for each rival by the way that the rule allows."""
    rivals = np.delete(np.arange(batches.n_systems), winner)
    if rule.name == "bradley_terry":
        search = ModelRemovals(batches, winner, float(rule.arguments["prior"]))
        return search.fewest(rivals, only_best=only_best)
    shown = progress_bar(rivals.tolist(), desc=function)
    if rule.name == "copeland":
        return [arrays.fewest_by_pairs(batches, winner, rival) for rival in shown]
    if rule.name == "mean_win_rate":
        return [arrays.fewest_by_win_rate(batches, winner, rival) for rival in shown]
    win, tie = (_points_of_vote(rule, batches.n_systems, outcome) for outcome in (1, 0))
    return [arrays.fewest_by_points(batches, win, tie, winner, rival) for rival in shown]


def _points_of_vote(rule: BoundRule, n_systems: int, outcome: int) -> Floats:
    """Return the points of a comparison for its first, its second, and each other system."""
    left, right = np.zeros(1, dtype=np.int32), np.ones(1, dtype=np.int32)
    vote = ComparisonArrays(left, right, np.array([outcome], dtype=np.int8))
    counts = vote.tabulate(n_systems)[0]
    board = Comparisons.from_counts(pd.RangeIndex(n_systems), counts)
    points = rule.function(board)["score"].reindex(range(n_systems))
    return np.append(points.fillna(0.0).to_numpy(dtype=float), [0.0, 0.0])[:3]
