"""What each rule counts, in the words of somebody who knows tables and no voting theory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

Written = Callable[[float], str]


def _number(score: float) -> str:
    return f"{score:.4g}" if abs(score) < 10_000 else f"{score:,.0f}"


def _turned(score: float) -> str:
    return _number(-score + 0.0)


def _share(score: float) -> str:
    return f"{score:.1%}"


def _strength(score: float) -> str:
    return f"{score:.2f}"


def _whether(score: float) -> str:
    return "yes" if score == 1 else "no"


def what_counts(rule: str, unit: str = "task", weighed: bool = False) -> str:
    """Say what a rule counts, as it does on this table.

    Parameters
    ----------
    rule
        The name of the rule.
    unit
        What it counts over: "task" or "instance".
    weighed
        Whether some of these count more than others, or all more or less than 1.

    Examples
    --------
    >>> what_counts("mean_win_rate", "instance")
    'the share of the others that it is above, averaged over instances'
    >>> what_counts("copeland", weighed=True)
    'the systems that it beats on most tasks by weight, less those that beat it'
    """
    by_weight = " by weight" if weighed else ""
    return COUNTED[rule][0].format(task=unit, tasks=f"{unit}s", weighed=by_weight)


#: Rule -> what it counts ("... counts <this>", filled in by `what_counts`), and how its score is
#: written; None where the score only puts the systems in order.
COUNTED: Mapping[str, tuple[str, Written | None]] = MappingProxyType(
    {
        "mean": ("the average{weighed} of all scores", _number),
        "geometric_mean": (
            "an average{weighed} for which ratios of scores count, not differences",
            _number,
        ),
        "harmonic_mean": ("an average{weighed} that a single low score pulls down", _number),
        "median": ("the middle one{weighed} of the scores", _number),
        "mean_rank": ("the place on each {task}, averaged{weighed} (low is good)", _turned),
        "mean_win_rate": (
            "the share of the others that it is above, averaged over {tasks}{weighed}",
            _share,
        ),
        "plurality": (
            "the {tasks}{weighed} on which it is first (shared places in part), and nothing else",
            _number,
        ),
        "antiplurality": (
            "the {tasks}{weighed} on which it is not last (shared ones in part), and nothing else",
            _number,
        ),
        "borda": ("the systems that it is above, added up over the {tasks}{weighed}", _number),
        "dowdall": (
            "1 for a first place, 1/2 for a second, 1/3 for a third, and so on, added up{weighed}",
            _number,
        ),
        "threshold": ("last places, then places last but one, and so on: fewest is best", None),
        "baldwin": ("rounds survived, if who is above fewest others goes each time", _number),
        "nanson": ("rounds survived, if all below the average Borda score go each time", _number),
        "coombs": ("rounds survived, if who has most last places goes each time", _number),
        "instant_runoff": (
            "rounds survived, if who has fewest first places goes each time",
            _number,
        ),
        "bucklin": ("how good a place it reaches on a majority of the {tasks}{weighed}", None),
        "condorcet": (
            "whether it beats every other system on a majority of {tasks}{weighed}",
            _whether,
        ),
        "copeland": (
            "the systems that it beats on most {tasks}{weighed}, less those that beat it",
            _number,
        ),
        "minimax": (
            "by how many {tasks}{weighed} it loses to the one that beats it worst",
            _turned,
        ),
        "schulze": (
            "wins on most {tasks}{weighed}, also by way of others (A beats B, B beats C)",
            None,
        ),
        "ranked_pairs": ("the clearest wins first, as long as they don't go in a circle", None),
        "maximal_lotteries": ("the odds for it in a draw that no other system beats", _share),
        "kemeny": (
            "the order that contradicts the {tasks}{weighed} on fewest pairs of systems",
            None,
        ),
        "bradley_terry": ("the strength that would explain how often it wins", _strength),
        "davidson": ("the strength that would explain how often it wins and ties", _strength),
    }
)
