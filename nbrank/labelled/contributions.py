"""Rules that are means over tasks or instances, taken apart into what each draw adds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays import positional
from nbrank.arrays.contributions import Contributions
from nbrank.arrays.profile import Missing, Profile, places
from nbrank.labelled.ballots import task_rankings, treated
from nbrank.labelled.leaderboard import Leaderboard, TaskNames
from nbrank.labelled.means import orientation, per_ballot
from nbrank.labelled.registry import Rule

Over = Literal["tasks", "instances"]
#: The value of each system on each ballot, and where it counts (None: everywhere).
Values = tuple[NDArray[np.floating], NDArray[np.bool_] | None]
Valuing = Callable[[Profile], Values]

_FAMILIES: Mapping[str, positional.VectorFamily] = {
    "plurality": positional.plurality_vector,
    "antiplurality": positional.antiplurality_vector,
    "borda": positional.borda_vector,
    "dowdall": positional.dowdall_vector,
}


@dataclass(frozen=True)
class Draws:
    """What is drawn: tasks, groups of tasks, or the instances of each task.

    Parameters
    ----------
    what
        Its name, in the plural.
    unit_of
        The number of the unit of each column that counts.
    strata
        The stratum of each unit: as many are drawn from each as it has.
    """

    what: str
    unit_of: NDArray[np.intp]
    strata: NDArray[np.intp]

    @classmethod
    def of(cls, board: Leaderboard, over: Over) -> Draws:
        """What is drawn from a leaderboard.

        Parameters
        ----------
        board
            The leaderboard.
        over
            "instances" draws those of each task on their own; "tasks" draws
            groups of tasks where there are any.
        """
        column_task = board.column_task[board.counted]
        if over == "instances":
            return cls("instances", np.arange(len(column_task)), column_task)
        what, unit_of_task = "tasks", np.arange(len(board.tasks))
        members = TaskNames.of(board.tasks, board.groups).members
        if members is not None:
            what = "groups"
            for number, positions in enumerate(members.values()):
                unit_of_task[positions] = number
        unit_of = np.unique(unit_of_task[column_task], return_inverse=True)[1]
        n_units = int(unit_of.max(initial=-1)) + 1
        return cls(what, unit_of, np.zeros(n_units, dtype=np.intp))

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.strata)


def check_over(board: Leaderboard, over: str, function: str) -> None:
    """Refuse to draw what the table doesn't have.

    Parameters
    ----------
    board
        The leaderboard.
    over
        What is to be drawn.
    function
        Who asks, for the message.
    """
    if over not in ("tasks", "instances"):
        raise ValueError(f"{function}: over={over!r} is unknown; choose 'tasks' or 'instances'")
    if over == "instances" and not board.is_instance_level:
        raise ValueError(
            f"{function}: over='instances' needs a score for each instance: rows with the levels "
            f"'system' and 'instance', or nbrank.from_long(..., instance=...)"
        )


def arguments_of(rule: Rule, options: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments of a rule beside the scores, those not given by their defaults.

    Parameters
    ----------
    rule
        The rule.
    options
        The arguments given.
    """
    bound = inspect.signature(rule.function).bind(None, **options)
    bound.apply_defaults()
    return {name: value for name, value in bound.arguments.items() if name != "scores"}


def contributions_of(
    board: Leaderboard, rule: Rule, options: Mapping[str, Any], draws: Draws
) -> Contributions | None:
    """What each draw adds to the mean whose order is the rule's; None if it is no such mean.

    Parameters
    ----------
    board
        The leaderboard, which the rule with these options does not refuse.
    rule
        The rule.
    options
        Its options.
    draws
        What is drawn.
    """
    if not rule.additive:
        return None
    arguments = arguments_of(rule, options)
    missing: Missing = arguments["missing"]
    value = _valuing(board, rule.name, arguments)
    profile = board.profile()
    unit_of = draws.unit_of
    if board.is_instance_level and arguments.get("levels", 1) == 2:
        if rule.name == "mean":
            return _task_means(board, profile, missing).by_unit(unit_of)
        if draws.what == "instances":
            return None
        points = partial(
            positional.positional,
            family=_FAMILIES[rule.name],
            missing=missing,
            ties=arguments["ties"],
        )
        profile = task_rankings(board, points, missing)
        unit_of = unit_of[np.unique(board.column_task[board.counted], return_index=True)[1]]
    return _valued(profile, value, missing).by_unit(unit_of)


def _valued(profile: Profile, value: Valuing, missing: Missing) -> Contributions:
    """The contributions of each ballot; no ballot counts for a system that the rule can't score."""
    seen, part = treated(profile, missing)
    values, counted = value(seen)
    scored = part if missing == "compatible" else profile.scored
    if scored.all():
        return Contributions.of(values, counted, profile.weights)
    everywhere = np.zeros(profile.scores.shape)
    where = np.zeros(profile.scores.shape, dtype=bool)
    everywhere[part] = values
    where[part] = True if counted is None else counted
    where[~scored] = False
    return Contributions.of(everywhere, where, profile.weights)


def _task_means(board: Leaderboard, profile: Profile, missing: Missing) -> Contributions:
    """The contributions of each instance to the mean of the task means."""
    seen, part = treated(profile, missing)
    task = board.column_task[board.counted]
    counted = np.zeros(profile.scores.shape, dtype=bool)
    values = np.zeros(profile.scores.shape)
    counted[part], values[part] = seen.observed, np.where(seen.observed, seen.scores, 0.0)
    first = np.unique(task, return_inverse=True)[1]
    sizes = Contributions.of(counted.astype(float), None, np.ones(len(task))).by_unit(first)
    share = counted * profile.weights / np.maximum(sizes.amounts, 1.0)[:, first]
    return Contributions(values * share, share)


def _valuing(board: Leaderboard, rule: str, arguments: Mapping[str, Any]) -> Valuing:
    """The value of each system on each ballot under a rule."""
    missing: Missing = arguments["missing"]
    if rule == "mean":
        return lambda profile: (profile.scores, profile.observed)
    if rule == "normalized_mean":
        sign = orientation(board)
        low = sign * per_ballot(board, arguments["low"], rule, "low")
        high = sign * per_ballot(board, arguments["high"], rule, "high")
        return lambda profile: ((profile.scores - low) / (high - low), profile.observed)
    if rule == "optimality_gap":
        gamma = orientation(board) * per_ballot(board, arguments["gamma"], rule, "gamma")
        return lambda profile: (-np.maximum(gamma - profile.scores, 0.0), profile.observed)
    if rule in ("mean_rank", "mean_win_rate"):
        if missing == "compatible":
            return lambda profile: (
                positional.points(profile, positional.borda_vector, "compatible", "average"),
                None,
            )
        return _place if rule == "mean_rank" else _win_rate
    family = _FAMILIES.get(rule)
    if family is None:
        vector = np.asarray(arguments["vector"], dtype=float)
        family = lambda n: vector[:n]  # noqa: E731
    ties = arguments["ties"]
    return lambda profile: (positional.points(profile, family, missing, ties), None)


def _place(profile: Profile) -> Values:
    found = places(profile.scores)
    return -(found.above + found.tied / 2 + 1), found.observed


def _win_rate(profile: Profile) -> Values:
    found = places(profile.scores)
    others = found.n_observed - 1
    rates = (found.below + found.tied / 2) / np.maximum(others, 1)
    return rates, found.observed & (others > 0)
