"""Rules that are means over tasks or instances, taken apart into what each draw adds."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays import positional
from nbrank.arrays.contributions import Contributions
from nbrank.arrays.profile import Missing, Profile, Ties, places
from nbrank.arrays.rank_confidence import SummedContributions
from nbrank.arrays.tally import BallotCounts
from nbrank.labelled.ballots import Treated, filled, task_rankings, treated
from nbrank.labelled.leaderboard import Leaderboard, TaskNames
from nbrank.labelled.means import orientation, per_ballot, tally_mean
from nbrank.labelled.registry import Rule
from nbrank.labelled.tally import CountedTasks, Tally, points_of

Over = Literal["tasks", "instances"]
#: The value of each system on each ballot, and where it counts (None: everywhere).
Values = tuple[NDArray[np.floating], NDArray[np.bool_] | None]
Valuing = Callable[[Profile], Values]

#: Ballots whose places are looked at a time.
_BALLOTS = 1 << 14

#: Rules that average scores; the other additive ones look at places.
_OF_SCORES = ("mean", "normalized_mean", "optimality_gap")
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

    @classmethod
    def of_counted(cls, tasks: CountedTasks) -> Draws:
        """What is drawn from tasks whose instances were counted, each of them a column.

        Parameters
        ----------
        tasks
            Those in which somebody has a score.
        """
        unit_of = np.unique(tasks.group, return_inverse=True)[1]
        n_units = int(unit_of.max(initial=-1)) + 1
        return cls(tasks.drawn, unit_of, np.zeros(n_units, dtype=np.intp))

    @property
    def n_units(self) -> int:
        """How many units there are."""
        return len(self.strata)


def check_over(board: Leaderboard | Tally, over: str, function: str) -> None:
    """Refuse to draw what the table doesn't have.

    Parameters
    ----------
    board
        The leaderboard, or the counts of one.
    over
        What is to be drawn.
    function
        Who asks, for the message.
    """
    if over not in ("tasks", "instances"):
        raise ValueError(f"{function}: over={over!r} is unknown; choose 'tasks' or 'instances'")
    if over == "instances" and isinstance(board, Tally):
        raise TypeError(
            f"{function}: to draw instances needs the scores themselves, and a Tally has only "
            f"sums over them left; choose over='tasks', or give the frame of scores"
        )
    if over == "instances" and isinstance(board, Leaderboard) and not board.is_instance_level:
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
    seen = (filled if rule.name in _OF_SCORES else treated)(profile, missing)
    return _valued(seen, value, profile.weights).by_unit(unit_of)


def tally_contributions(
    tasks: CountedTasks, rule: Rule, arguments: Mapping[str, Any]
) -> Contributions:
    """What each task adds to the mean whose order is the rule's, where instances were counted.

    Parameters
    ----------
    tasks
        The tasks, which the rule with these arguments does not refuse.
    rule
        The rule.
    arguments
        All its arguments.
    """
    missing: Missing = arguments["missing"]
    if rule.name == "mean":
        return tally_mean(tasks, arguments["levels"])
    ties: Ties = arguments.get("ties", "average")
    if arguments.get("levels", 1) == 2:
        profile = tasks.rankings(lambda counts: points_of(counts, missing, ties))
        value = _valuing_places(positional.borda_vector, missing, ties)
        return _valued(treated(profile, missing), value, profile.weights)
    if rule.name != "borda":
        _refuse_places_among_scored(tasks, rule, missing)
    points = np.zeros((len(tasks.systems), len(tasks.counts)))
    for number, counts in enumerate(tasks.counts):
        points[:, number] = points_of({1.0: counts}, missing, ties)
    n_ballots = np.array([int(counts.places.n_ballots.sum()) for counts in tasks.counts])
    there = np.ones((1, 1)) if missing == "compatible" else tasks.scored[:, None]
    if rule.name == "mean_win_rate" and missing != "compatible" and len(there) == 1:
        # Who meets nobody has no win rate.
        there = np.zeros((1, 1))
    weights = n_ballots * tasks.weights * (there if not there.all() else there[:1])
    return Contributions(points * tasks.weights * there, weights)


def tally_sums(
    tasks: CountedTasks, rule: Rule, arguments: Mapping[str, Any]
) -> SummedContributions:
    """What the instances add to the mean whose order is the rule's, summed over them.

    Parameters
    ----------
    tasks, rule, arguments
        As for `tally_contributions`.
    """
    levels = arguments.get("levels", 1)
    if rule.name == "mean":
        return _added([_score_sums(*each, levels) for each in _counted_tasks(tasks)])
    if levels == 2:
        raise ValueError(two_levels(rule.name))
    _refuse_places_among_scored(tasks, rule, arguments["missing"])
    if arguments.get("ties", "average") != "average" and any(
        counts.places.ties.any() for counts in tasks.counts
    ):
        raise ValueError(
            f"rank_confidence: how {rule.name} with ties={arguments['ties']!r} varies needs the "
            f"scores themselves, and these are counted; give the frame of scores"
        )
    return _added([_point_sums(*each) for each in _counted_tasks(tasks)])


def two_levels(name: str) -> str:
    """Why there are no confidence sets over instances at two levels, for a message.

    Parameters
    ----------
    name
        The rule.
    """
    return (
        f"rank_confidence: {name} at two levels is no mean over instances; "
        f"choose over='tasks', or levels=1"
    )


def _counted_tasks(tasks: CountedTasks) -> Iterator[tuple[BallotCounts, float]]:
    return zip(tasks.counts, tasks.weights.tolist(), strict=True)


def _refuse_places_among_scored(tasks: CountedTasks, rule: Rule, missing: Missing) -> None:
    """Refuse places that are not those of compatible rankings: no products of them were summed."""
    if missing != "compatible" and not tasks.complete:
        raise ValueError(
            f"rank_confidence: how {rule.name} with missing={missing!r} varies needs the scores "
            f"themselves, and these are counted; choose missing='compatible', or give the frame "
            f"of scores"
        )


def _point_sums(counts: BallotCounts, weight: float) -> SummedContributions:
    """Of Borda's points: an instance counts alike for all systems."""
    n_ballots, points = float(counts.places.n_ballots.sum()), counts.points
    n_systems = counts.n_systems
    return SummedContributions(
        points.sums * weight,
        np.full(n_systems, n_ballots * weight),
        points.products * weight**2,
        np.repeat(points.sums[:, None] * weight**2, n_systems, axis=1),
        np.full((n_systems, n_systems), n_ballots * weight**2),
    )


def _score_sums(counts: BallotCounts, weight: float, levels: int) -> SummedContributions:
    """Of the scores: an instance counts where there is one, or by its share of its task."""
    n_scores = counts.places.observed.sum(axis=1)
    share = weight / np.maximum(n_scores, 1) if levels == 2 else np.full(len(n_scores), weight)
    both = share[:, None] * share
    return SummedContributions(
        counts.scores.sums * share,
        n_scores * share,
        counts.scores.products * both,
        counts.scores.beside * both,
        counts.places.compared * both,
    )


def _added(parts: list[SummedContributions]) -> SummedContributions:
    return SummedContributions(
        *(
            np.sum([getattr(part, one.name) for part in parts], axis=0)
            for one in fields(SummedContributions)
        )
    )


def _valued(seen: Treated, value: Valuing, weights: NDArray[np.float64]) -> Contributions:
    """The contributions of each ballot; no ballot counts for a system that the rule can't score."""
    values, counted = value(seen.ballots)
    if seen.ranked.all():
        return Contributions.of(values, counted, weights)
    shape = (len(seen.part), len(weights))
    everywhere, where = np.zeros(shape), np.zeros(shape, dtype=bool)
    everywhere[seen.part] = values
    where[seen.part] = True if counted is None else counted
    where[~seen.ranked] = False
    return Contributions.of(everywhere, where, weights)


def _task_means(board: Leaderboard, profile: Profile, missing: Missing) -> Contributions:
    """The contributions of each instance to the mean of the task means."""
    found = filled(profile, missing)
    seen, part = found.ballots, found.part
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
            return _valuing_places(positional.borda_vector, "compatible", "average")
        return _in_blocks(_place if rule == "mean_rank" else _win_rate)
    family = _FAMILIES.get(rule)
    if family is None:
        vector = np.asarray(arguments["vector"], dtype=float)
        family = lambda n: vector[:n]  # noqa: E731
    return _valuing_places(family, missing, arguments["ties"])


def _valuing_places(family: positional.VectorFamily, missing: Missing, ties: Ties) -> Valuing:
    return _in_blocks(lambda profile: (positional.points(profile, family, missing, ties), None))


def _in_blocks(value: Valuing) -> Valuing:
    """The same values, of some ballots at a time: places take many times the scores' memory."""

    def valued(profile: Profile) -> Values:
        n_ballots = len(profile.weights)
        if n_ballots <= _BALLOTS:
            return value(profile)
        values = np.empty(profile.scores.shape)
        everywhere, counted = True, np.ones(profile.scores.shape, dtype=bool)
        for start in range(0, n_ballots, _BALLOTS):
            block = slice(start, start + _BALLOTS)
            found, where = value(Profile(profile.scores[:, block], profile.weights[block]))
            values[:, block] = found
            if where is not None:
                everywhere, counted[:, block] = False, where
        return values, None if everywhere else counted

    return valued


def _place(profile: Profile) -> Values:
    found = places(profile.scores)
    return -(found.above + found.tied / 2 + 1), found.observed


def _win_rate(profile: Profile) -> Values:
    found = places(profile.scores)
    others = found.n_observed - 1
    rates = (found.below + found.tied / 2) / np.maximum(others, 1)
    return rates, found.observed & (others > 0)
