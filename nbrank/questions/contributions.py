"""What each draw of tasks or instances adds to a rule's mean, or to fitted strengths.

The instances of a task may have been counted: what is added is then told from sums over them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays import averages
from nbrank.arrays.counting import BallotCounts
from nbrank.arrays.extreme_ranks import PairSums
from nbrank.arrays.influence import (
    Contributions,
    fewer_units,
    of_ballots,
    of_comparisons,
    of_strengths,
)
from nbrank.arrays.kinds import Array, Floats, Positions
from nbrank.arrays.majority_graphs import SCORES
from nbrank.arrays.pair_counts import count
from nbrank.arrays.paired_models import inverse_information
from nbrank.arrays.points import borda, borda_vector
from nbrank.arrays.profile import Missing, Profile, Ties
from nbrank.arrays.rank_sets import SummedContributions
from nbrank.arrays.task_sets import TaskValues
from nbrank.questions.told_rule import ToldRule
from nbrank.rules.additive import Additive, of_points
from nbrank.rules.rule import RULES
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.draws import Draws, Units
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tally import WeighedTally
from nbrank.votes.views import Ballots, Counts
from nbrank.votes.votes import rankings_within

MODEL = "bradley_terry"

#: More clusters than this are put together: so many tell as much.
_CLUSTERS = 1000


def drawn_contributions(
    function: str,
    board: Leaderboard,
    rule: ToldRule,
    over: str,
    units: Units | None,
    ranked: pd.DataFrame,
) -> tuple[Contributions, Draws, dict[Any, Any]]:
    """What each draw adds, the draws, and what `.attrs` say of them; refused if it is no mean."""
    draws = Draws.of(board, "instances" if over == "instances" else "tasks", units)
    if rule.label == MODEL:
        strengths = ranked["score"].reindex(board.systems).to_numpy()
        found: Contributions | None = _of_model(board, rule, draws, strengths)
    else:
        found = contributions_of(board, rule, draws)
    if found is None:
        raise ValueError(why_no_mean(function, rule))
    said = {"over": "both", "draws": draws.what} if over == "both" else {"over": draws.what}
    return found, draws, said | draws.facts


def contributions_of(board: Leaderboard, rule: ToldRule, draws: Draws) -> Contributions | None:
    """What each draw adds to the mean whose order is the rule's; None if it is no such mean."""
    additive = rule.additive(board)
    if additive is None:
        return None
    missing: Missing = rule.arguments["missing"]
    views: Ballots = board.views
    unit_of = draws.unit_of
    if board.is_instance_level and rule.arguments.get("levels", 1) == 2:
        if rule.label == "mean":
            return _task_means(board, views, missing).by_unit(unit_of)
        if draws.of_instances:
            return None
        points = partial(borda, missing=missing, ties=rule.arguments["ties"])
        views = rankings_within(board, "standings", points, missing)
        unit_of = unit_of[np.unique(board.ballot_task, return_index=True)[1]]
    return valued(views, additive, missing).by_unit(unit_of)


def valued(views: Ballots, additive: Additive, missing: Missing) -> Contributions:
    """What each ballot adds; no ballot counts for a system that the rule can't score."""
    of_scores = additive.cells is not None
    seen = views.scores(missing) if of_scores else views.ballots(missing)
    profile = seen.view
    values, counted = additive.values(profile.of(seen.part))
    if seen.scored.all():
        return Contributions.of(values, counted, profile.weights)
    everywhere = np.zeros(profile.scores.shape)
    where = np.zeros(profile.scores.shape, dtype=bool)
    everywhere[seen.part] = values
    where[seen.part] = True if counted is None else counted
    where[~seen.scored] = False
    return Contributions.of(everywhere, where, profile.weights)


def places_worth(additive: Additive, n_systems: int) -> Array:
    """What each place counts on a ballot of all systems without ties."""
    ladder = Profile(np.arange(n_systems, dtype=float)[:, None], np.ones(1))
    return additive.values(ladder)[0]


def _task_means(board: Leaderboard, views: Ballots, missing: Missing) -> Contributions:
    """What each instance adds to the mean of the task means."""
    seen = views.scores(missing)
    profile = seen.view
    counted = profile.observed & seen.scored[:, None]
    values = np.where(counted, profile.scores, 0.0)
    task = np.unique(board.ballot_task, return_inverse=True)[1]
    sizes = Contributions.of(counted.astype(float), None, np.ones(len(task))).by_unit(task)
    share = counted * profile.weights / np.maximum(sizes.amounts, 1.0)[:, task]
    return Contributions(values * share, share)


def why_no_mean(function: str, rule: ToldRule) -> str:
    """Why a rule that adds up ballots is no mean of the draws here, for a message."""
    if rule.known is None or rule.known.additive is None:
        return (
            f"{function}: {rule.label} is no mean over tasks; see how its ranks spread with "
            f"bootstrap(scores, {rule.label!r})"
        )
    if "levels" not in rule.arguments:
        return f"{function}: {rule.label}: a score of 0 has no logarithm; give a shift"
    return (
        f"{function}: {rule.label} at two levels is no mean over instances; "
        f"choose over='tasks', or levels=1"
    )


@dataclass(frozen=True)
class Sizes:
    """How large the cells are that a rule averages, on which ties of its means hang."""

    #: The largest |cell| of each system; of a rule that counts, what a ballot counts at most.
    largest: Floats
    #: Makes systems x units: the largest |cell| in each, NaN where there is none. None for a rule
    #: that counts: what it counts at most is the same in every resample.
    of_units: Callable[[], Floats] | None = None

    @classmethod
    def of(cls, board: Leaderboard, additive: Additive, draws: Draws) -> Sizes:
        """Of the cells of a leaderboard, as the contributions have them."""
        cells = additive.cells
        if cells is None:
            return cls(np.full(len(board.systems), additive.most))
        profile = board.profile()

        def of_units() -> Floats:
            return largest_in_units(cells(profile.scores, slice(None)), draws.unit_of)

        return cls(averages.largest(profile, cells), of_units)


def largest_in_units(cells: Array, unit_of: Positions) -> Floats:
    """Systems x units: the largest |cell| in each, NaN where there is none."""
    order = np.argsort(unit_of, kind="stable")
    starts = np.flatnonzero(np.diff(unit_of[order], prepend=-1))
    found: Floats = np.fmax.reduceat(np.abs(cells[:, order]), starts, axis=1)
    return found


def _of_model(board: Leaderboard, rule: ToldRule, draws: Draws, strengths: Floats) -> Contributions:
    """What each draw of tasks or instances adds to strengths."""
    missing = rule.arguments["missing"]
    if missing not in ("ignore", "raise"):
        raise ValueError(
            f"rank_confidence: how {MODEL} with missing={missing!r} varies is not known; "
            f"choose missing='ignore', or see how the ranks spread with "
            f"bootstrap(scores, {MODEL!r}, missing={missing!r}), which claims no coverage"
        )
    profile = board.profile()
    inverse = inverse_information(count(profile), strengths, rule.prior)
    return of_strengths(of_ballots(profile, draws.unit_of, strengths), strengths, inverse)


def of_clusters(
    source: Comparisons, clusters: Positions, rule: ToldRule, strengths: Floats
) -> Contributions:
    """What each cluster of comparisons adds; the smallest ones together where they are many."""
    inverse = inverse_information(source.counts, strengths, rule.prior)
    units = fewer_units(clusters, source.outcomes.total_weights, _CLUSTERS)
    return of_strengths(of_comparisons(source.outcomes, units, strengths), strengths, inverse)


def effective_clusters(source: Comparisons, clusters: Positions) -> float:
    """How many clusters of one size would make a mean over clusters as uncertain as these do."""
    return effective_number(np.bincount(clusters, source.outcomes.total_weights).astype(float))


def effective_number(sizes: Floats) -> float:
    """How many units of one size would make a mean as uncertain as those of these sizes do."""
    return float(sizes.sum() ** 2 / (sizes**2).sum())


#: Squares of larger numbers, many of them added up and weighed, may be too large for a float.
_SQUARE_ROOT = 1e100


def counted_contributions(tasks: WeighedTally, rule: ToldRule) -> Contributions:
    """What each task adds to the mean whose order is the rule's, where instances were counted."""
    missing: Missing = rule.arguments["missing"]
    if rule.label == "mean":
        return Contributions(*tasks.sums(missing)[1].summands(rule.arguments["levels"]))
    ties: Ties = rule.arguments.get("ties", "average")
    if rule.arguments.get("levels", 1) == 2:
        points = partial(borda, missing=missing, ties=ties)
        rankings = rankings_within(tasks, "standings", points, missing)
        additive = of_points(borda_vector, missing, ties, len(tasks.systems))
        return valued(rankings, additive, missing)
    if rule.label != "borda":
        _refuse_places_among_scored(tasks, rule)
    columns = [
        borda(Counts({1.0: counts}).standings(missing).view, missing, ties)
        for counts in tasks.counts
    ]
    shape = (len(tasks.counts), len(tasks.systems))
    n_ballots = np.array([int(counts.places.n_ballots.sum()) for counts in tasks.counts])
    there = np.ones((1, 1)) if missing == "compatible" else tasks.views.scored[:, None]
    weights = n_ballots * tasks.weights * (there if not there.all() else there[:1])
    return Contributions(np.reshape(columns, shape).T * tasks.weights * there, weights)


def counted_sizes(tasks: WeighedTally, rule: ToldRule, draws: Draws) -> Sizes:
    """How large the cells are of which tasks were counted."""
    if rule.label == "mean":
        largest = np.column_stack([counts.largest for counts in tasks.counts])
        return Sizes(largest.max(axis=1), lambda: largest_in_units(largest, draws.unit_of))
    additive = replace(rule, options={**rule.options, "missing": "compatible"}).additive(tasks)
    return Sizes(np.full(len(tasks.systems), additive.most if additive else 0.0))


def counted_sums(tasks: WeighedTally, rule: ToldRule) -> SummedContributions:
    """What the instances add to the mean whose order is the rule's, summed over them."""
    levels = rule.arguments.get("levels", 1)
    each_task = list(zip(tasks.counts, tasks.weights.tolist(), strict=True))
    if rule.label == "mean":
        _refuse_large_squares(tasks)
        return _added([_score_sums(*each, levels) for each in each_task])
    if levels == 2:
        raise ValueError(why_no_mean("rank_confidence", rule))
    _refuse_places_among_scored(tasks, rule)
    if rule.arguments.get("ties", "average") != "average" and any(
        counts.places.ties.any() for counts in tasks.counts
    ):
        raise ValueError(
            f"rank_confidence: how {rule.label} with ties={rule.arguments['ties']!r} varies needs "
            f"the scores themselves, and these are counted; give the frame of scores"
        )
    return _added([_point_sums(*each) for each in each_task])


def _refuse_large_squares(tasks: WeighedTally) -> None:
    """Name the systems and tasks whose scores are too large for sums of their squares."""
    largest = tasks.by_task([counts.largest for counts in tasks.counts])
    wrong = np.asarray(largest > _SQUARE_ROOT)
    if wrong.any():
        raise ValueError(
            f"rank_confidence: the scores of {tasks.where(wrong)} are above {_SQUARE_ROOT:g}, "
            f"so that the sums of their squares may be too large for a float; rescale them"
        )


def _refuse_places_among_scored(tasks: WeighedTally, rule: ToldRule) -> None:
    """Refuse places that are not those of compatible rankings: no products of them were summed."""
    missing = rule.arguments["missing"]
    if missing != "compatible" and not tasks.complete:
        raise ValueError(
            f"rank_confidence: how {rule.label} with missing={missing!r} varies needs the scores "
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


def task_values(function: str, board: Leaderboard, rule: ToldRule) -> TaskValues:
    """What each task adds to each system's score for a unit of its weight, if the rule adds up."""
    found = values_if_additive(board, rule)
    if found is None:
        able = ", ".join(name for name, known in RULES.items() if known.additive is not None)
        raise ValueError(
            f"{function}: {rule.label} doesn't add up the tasks, and only for rules that do "
            f"is there an exact answer: {able}; rank_acceptability takes any rule"
        )
    return found


def values_if_additive(board: Leaderboard, rule: ToldRule) -> TaskValues | None:
    """The same; None for a rule that doesn't add up the tasks."""
    if rule.known is None or rule.known.additive is None:
        return None
    n_tasks = len(board.tasks)
    unit = board.with_task_weights(np.ones(n_tasks))
    if not board.weights.all():
        # A task that weighs nothing so far may be one that the rule refuses.
        rule.run(unit)
    task = unit.ballot_task
    draws = Draws("tasks", task, np.zeros(n_tasks, dtype=np.intp))
    added, additive = contributions_of(unit, rule, draws), rule.additive(unit)
    if added is None or additive is None:
        return None
    sizes = np.nan_to_num(Sizes.of(unit, additive, draws).largest)
    # A task on which nobody is scored adds nothing.
    there = np.unique(task)
    amounts = np.zeros((len(board.systems), n_tasks))
    counts = np.zeros((len(added.weights), n_tasks))
    amounts[:, there], counts[:, there] = added.amounts, added.weights
    each = [~np.isnan(board.values[:, columns]).all(axis=1) for columns in board.columns_by_task()]
    present = np.stack(each, axis=1)
    everywhere = present.all() or rule.arguments.get("missing") == "compatible"
    return TaskValues.of(amounts, counts, sizes, present | everywhere)


def pairs_by_task(board: Leaderboard, rule: ToldRule) -> PairSums | None:
    """What each task adds to who beats whom, for a rule that looks at that; None for others."""
    if rule.known is None or rule.label not in ("condorcet", "copeland", "minimax"):
        return None
    if board.is_instance_level and rule.arguments["levels"] == 2:
        return None
    each = [
        board.with_task_weights(task).views.pairs(rule.arguments["missing"])
        for task in np.eye(len(board.tasks))
    ]
    return PairSums(
        SCORES[rule.arguments.get("variant", rule.label)],
        np.stack([seen.view.wins for seen in each]),
        np.array([seen.view.total for seen in each]),
        np.stack([seen.scored for seen in each], axis=1),
    )
