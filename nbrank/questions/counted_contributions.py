"""What each task adds to a rule's mean, where its instances were counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial

import numpy as np

from nbrank.arrays.counting import BallotCounts
from nbrank.arrays.influence import Contributions
from nbrank.arrays.points import borda, borda_vector
from nbrank.arrays.profile import Missing, Ties
from nbrank.arrays.rank_sets import SummedContributions
from nbrank.questions.contributions import Sizes, largest_in_units, valued, why_no_mean
from nbrank.questions.told_rule import ToldRule
from nbrank.rules.additive import of_points
from nbrank.votes.draws import Draws
from nbrank.votes.tally import WeighedTally
from nbrank.votes.views import Counts
from nbrank.votes.votes import rankings_within

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
    if rule.label == "mean":
        _refuse_large_squares(tasks)
        return _added([_score_sums(*each, levels) for each in _counted_tasks(tasks)])
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
    return _added([_point_sums(*each) for each in _counted_tasks(tasks)])


def _refuse_large_squares(tasks: WeighedTally) -> None:
    """Name the systems and tasks whose scores are too large for sums of their squares."""
    largest = tasks.by_task([counts.largest for counts in tasks.counts])
    wrong = np.asarray(largest > _SQUARE_ROOT)
    if wrong.any():
        raise ValueError(
            f"rank_confidence: the scores of {tasks.where(wrong)} are above {_SQUARE_ROOT:g}, "
            f"so that the sums of their squares may be too large for a float; rescale them"
        )


def _counted_tasks(tasks: WeighedTally) -> Iterator[tuple[BallotCounts, float]]:
    return zip(tasks.counts, tasks.weights.tolist(), strict=True)


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
