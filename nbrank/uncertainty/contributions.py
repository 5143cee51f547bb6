"""Contributions of each draw of tasks or instances to a rule's mean, or to fitted strengths.

If the instances of a task were counted, the contributions come from sums over them.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots import averages
from nbrank.arrays.ballots.ballot_counts import BallotCounts
from nbrank.arrays.ballots.pairwise_counts import count_pairs
from nbrank.arrays.ballots.positional_scoring import borda, borda_vector
from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.arrays.covariate_models import CovariateFit, CovariateModel
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty import influence, resampling
from nbrank.arrays.uncertainty import rank_confidence_sets as pair_tests
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.weights.task_weightings import TaskContributions
from nbrank.rules.additive_form import AdditiveForm
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.means import sum_by_task
from nbrank.rules.registry import RULES
from nbrank.uncertainty.sampling_design import DrawOptions, ResampledUnit, SamplingDesign
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tallies import WeightedTally
from nbrank.votes.views import BallotData, CountData

STRENGTH_MODEL = "bradley_terry"

#: The largest |cell| of each system, and a function that finds it in each unit (systems x units,
#: NaN if all are missing); None for a rule of points, whose maximum is the same everywhere.
TieSizes = tuple[Floats, Callable[[], Floats] | None]

#: Maximum number of clusters; the smallest are merged, since more add no precision.
_MAX_CLUSTERS = 1000

#: Largest score whose sums and differences are finite, for any number of scores.
MAX_SIZE = 1e300


def unit_contributions(
    board: Leaderboard, rule: BoundRule, options: DrawOptions, ranked: pd.DataFrame
) -> tuple[Contributions, SamplingDesign, dict[Any, Any]]:
    """Compute each draw's contribution, the draws and facts for `.attrs`; fail for other rules."""
    unit: ResampledUnit = "instances" if options.over == "instances" else "tasks"
    draws = SamplingDesign.from_board(board, unit, options.draws)
    if rule.name == STRENGTH_MODEL:
        strengths = ranked["score"].reindex(board.systems).to_numpy()
        result: Contributions | None = _model_contributions(board, rule, draws, strengths)
    else:
        result = find_contributions(board, rule, draws)
    if result is None:
        raise ValueError(explain_not_a_mean(options.function, rule))
    kind = draws.unit_kind
    facts = {"over": "both", "draws": kind} if options.over == "both" else {"over": kind}
    return result, draws, facts | draws.facts


def find_contributions(
    board: Leaderboard, rule: BoundRule, draws: SamplingDesign
) -> Contributions | None:
    """Compute each draw's contribution to the rule's mean; None if no mean gives its order."""
    additive = rule.additive(board)
    if additive is None:
        return None
    missing: Missing = rule.arguments["missing"]
    views: BallotData = board.data
    unit_of = draws.unit_codes
    if board.is_instance_level and rule.arguments.get("levels", 1) == 2:
        if rule.name == "mean":
            return _task_means(board, views, missing).sum_by_unit(unit_of)
        if draws.of_instances:
            return None
        points = partial(borda, missing=missing, ties=rule.arguments["ties"])
        views = board.rank_within_tasks("standings", points, missing)
        unit_of = unit_of[np.unique(board.ballot_task_codes, return_index=True)[1]]
    return ballot_contributions(views, additive, missing).sum_by_unit(unit_of)


def ballot_contributions(
    views: BallotData, additive: AdditiveForm, missing: Missing
) -> Contributions:
    """Compute each ballot's contribution; none counts for a system that the rule can't score."""
    of_scores = additive.transform is not None
    seen = views.scores(missing) if of_scores else views.ballots(missing)
    profile = seen.data
    values, counted = additive.values(profile.select_systems(seen.candidates))
    if seen.ranked.all():
        return Contributions.from_values(values, counted, profile.weights)
    everywhere = np.zeros(profile.scores.shape)
    where = np.zeros(profile.scores.shape, dtype=bool)
    everywhere[seen.candidates] = values
    where[seen.candidates] = True if counted is None else counted
    where[~seen.ranked] = False
    return Contributions.from_values(everywhere, where, profile.weights)


def _task_means(board: Leaderboard, views: BallotData, missing: Missing) -> Contributions:
    """Compute each instance's contribution to the mean of the task means."""
    seen = views.scores(missing)
    profile = seen.data
    counted = profile.observed & seen.ranked[:, None]
    values = np.where(counted, profile.scores, 0.0)
    task = np.unique(board.ballot_task_codes, return_inverse=True)[1]
    sizes = np.stack([np.bincount(task, row) for row in counted])
    share = counted * profile.weights / np.maximum(sizes, 1.0)[:, task]
    return Contributions(values * share, share)


def explain_not_a_mean(function: str, rule: BoundRule) -> str:
    """Explain in a message why the rule is not a mean of these draws."""
    if not rule.is_additive:
        return (
            f"{function}: {rule.label} does not rank by means over tasks; see how its ranks spread "
            f"with bootstrap(scores, {rule.label!r})"
        )
    if "levels" not in rule.arguments:
        return f"{function}: {rule.label}: a score of 0 has no logarithm; give a shift"
    return (
        f"{function}: {rule.label} at two levels does not rank by means over instances; "
        f"choose over='tasks', or levels=1"
    )


def tie_sizes(board: Leaderboard, additive: AdditiveForm, draws: SamplingDesign) -> TieSizes:
    """Return how large the cells are on which ties hang."""
    cells = additive.transform
    if cells is None:
        return np.full(len(board.systems), additive.max_value), None
    profile = board.profile()
    return averages.max_abs_cell(profile, cells), lambda: resampling.max_abs_by_unit(
        cells(profile.scores, slice(None)), draws.unit_codes
    )


def _model_contributions(
    board: Leaderboard, rule: BoundRule, draws: SamplingDesign, strengths: Floats
) -> Contributions:
    """Compute the contribution of each draw of tasks or instances to the strengths."""
    missing = rule.arguments["missing"]
    if missing not in ("ignore", "raise"):
        raise ValueError(
            f"rank_confidence: how {STRENGTH_MODEL} with missing={missing!r} varies is not known; "
            f"choose missing='ignore', or see how the ranks spread with "
            f"bootstrap(scores, {STRENGTH_MODEL!r}, missing={missing!r}), which claims no coverage"
        )
    profile = board.profile()
    inverse = models.inverse_information(count_pairs(profile), strengths, rule.prior)
    return influence.strength_contributions(
        influence.gradients_from_ballots(profile, draws.unit_codes, strengths), strengths, inverse
    )


def cluster_contributions(
    source: Comparisons,
    clusters: Positions,
    prior: float,
    strengths: Floats,
    rows: CovariateFit | None = None,
) -> Contributions:
    """Compute each cluster's contribution to the strengths, with the smallest of many merged."""
    units = influence.merge_small_units(clusters, source.outcomes.total_weights, _MAX_CLUSTERS)
    if rows is not None:
        return rows.contributions(units)
    inverse = models.inverse_information(source.counts, strengths, prior)
    return influence.strength_contributions(
        CovariateModel.from_rows(source.outcomes, len(strengths)).gradients(units, strengths),
        strengths,
        inverse,
    )


#: Sums of weighted squares of larger numbers may overflow a float.
_MAX_SQUARABLE = 1e100


def tally_contributions(tasks: WeightedTally, rule: BoundRule) -> Contributions:
    """Compute each task's contribution to the rule's mean if instances were counted."""
    missing: Missing = rule.arguments["missing"]
    if rule.name == "mean":
        return Contributions(
            *sum_by_task(tasks, missing)[1].weighted_terms(rule.arguments["levels"])
        )
    ties: Ties = rule.arguments.get("ties", "average")
    if rule.arguments.get("levels", 1) == 2:
        points = partial(borda, missing=missing, ties=ties)
        rankings = tasks.rank_within_tasks("standings", points, missing)
        additive = AdditiveForm.from_points(borda_vector, missing, ties, len(tasks.systems))
        return ballot_contributions(rankings, additive, missing)
    if rule.name != "borda":
        _check_compatible_places(tasks, rule)
    columns = [
        borda(CountData({1.0: counts}).standings(missing).data, missing, ties)
        for counts in tasks.counts
    ]
    shape = (len(tasks.counts), len(tasks.systems))
    n_ballots = np.array([int(counts.places.n_ballots.sum()) for counts in tasks.counts])
    observed = np.ones((1, 1)) if missing == "compatible" else tasks.data.scored[:, None]
    weights = n_ballots * tasks.weights * (observed if not observed.all() else observed[:1])
    return Contributions(np.reshape(columns, shape).T * tasks.weights * observed, weights)


def tally_tie_sizes(tasks: WeightedTally, rule: BoundRule, draws: SamplingDesign) -> TieSizes:
    """Return `tie_sizes` of counted tasks."""
    if rule.name == "mean":
        sizes = np.column_stack([counts.max_abs_score for counts in tasks.counts])
        return sizes.max(axis=1), lambda: resampling.max_abs_by_unit(sizes, draws.unit_codes)
    additive = replace(rule, options={**rule.options, "missing": "compatible"}).additive(tasks)
    return np.full(len(tasks.systems), additive.max_value if additive else 0.0), None


def tally_summed_contributions(
    tasks: WeightedTally, rule: BoundRule
) -> pair_tests.SummedContributions:
    """Sum the contributions of all instances to the rule's mean."""
    levels = rule.arguments.get("levels", 1)
    each_task = zip(tasks.counts, tasks.weights.tolist(), strict=True)
    if rule.name == "mean":
        _check_squares_finite(tasks)
        sums = [_score_sums(counts, weight, levels) for counts, weight in each_task]
    elif levels == 2:
        raise ValueError(explain_not_a_mean("rank_confidence", rule))
    else:
        _check_compatible_places(tasks, rule)
        ties = rule.arguments.get("ties", "average")
        if ties != "average" and any(counts.places.ties.any() for counts in tasks.counts):
            raise ValueError(
                f"rank_confidence: how {rule.label} with ties={ties!r} varies needs the scores "
                f"themselves, and these are counted; give the frame of scores"
            )
        sums = [_point_sums(counts, weight) for counts, weight in each_task]
    return pair_tests.SummedContributions(
        *(np.sum(parts, axis=0) for parts in zip(*sums, strict=True))
    )


def _check_squares_finite(tasks: WeightedTally) -> None:
    """Fail if scores are too large for sums of their squares, naming systems and tasks."""
    largest = tasks.stack_by_task([counts.max_abs_score for counts in tasks.counts])
    wrong = np.asarray(largest > _MAX_SQUARABLE)
    if wrong.any():
        raise ValueError(
            f"rank_confidence: the scores of {tasks.format_cells(wrong)} are above "
            f"{_MAX_SQUARABLE:g}, "
            f"so that the sums of their squares may be too large for a float; rescale them"
        )


def _check_compatible_places(tasks: WeightedTally, rule: BoundRule) -> None:
    """Fail unless places are those of compatible rankings: only their products were summed."""
    missing = rule.arguments["missing"]
    if missing != "compatible" and not tasks.is_complete:
        raise ValueError(
            f"rank_confidence: how {rule.label} with missing={missing!r} varies needs the scores "
            f"themselves, and these are counted; choose missing='compatible', or give the frame "
            f"of scores"
        )


def _point_sums(counts: BallotCounts, weight: float) -> pair_tests.SummedContributions:
    """Sum Borda's points, for which an instance counts alike for all systems."""
    n_ballots, points = float(counts.places.n_ballots.sum()), counts.points
    everywhere, square = np.ones(counts.n_systems), weight**2
    return pair_tests.SummedContributions(
        points.sums * weight,
        everywhere * (n_ballots * weight),
        points.products * square,
        np.outer(points.sums * square, everywhere),
        np.outer(everywhere, everywhere) * (n_ballots * square),
    )


def _score_sums(counts: BallotCounts, weight: float, levels: int) -> pair_tests.SummedContributions:
    """Sum the scores; an observed instance counts fully, or by its share of its task."""
    n_scores = counts.places.n_observed.sum(axis=1)
    share = weight / np.maximum(n_scores, 1) if levels == 2 else np.full(len(n_scores), weight)
    both = share[:, None] * share
    return pair_tests.SummedContributions(
        counts.scores.sums * share,
        n_scores * share,
        counts.scores.products * both,
        counts.scores.cross_sums * both,
        counts.places.n_compared * both,
    )


def task_values(function: str, board: Leaderboard, rule: BoundRule) -> TaskContributions:
    """Compute what a unit of each task's weight adds to each score; fail for other rules."""
    result = find_task_values(board, rule)
    if result is None:
        able = ", ".join(name for name, known in RULES.items() if known.additive is not None)
        raise ValueError(
            f"{function}: no exact answer for {rule.label}, whose scores are not sums over tasks; "
            f"use one of {able}, or rank_acceptability, which takes any rule"
        )
    return result


def check_room(
    function: str, board: Leaderboard, rule: BoundRule | None = None, max_size: float = MAX_SIZE
) -> None:
    """Fail if scores are so large that the values a rule adds up would overflow.

    Without a rule, or with a user's own rule, the scores themselves are checked.
    """
    values = board.values.astype(float)
    additive = rule.additive(board) if rule is not None else None
    if additive is not None:
        if additive.transform is None:
            return
        with np.errstate(all="ignore"):  # on scores that the rule itself rejects
            values = np.asarray(additive.transform(values, slice(None)), dtype=float)
    sizes = np.where(np.isfinite(values), np.abs(values), 0.0)
    if sizes.max(initial=0.0) > max_size:
        column = int(sizes.max(axis=0).argmax())
        system = board.systems[int(sizes[:, column].argmax())]
        raise ValueError(
            f"{function}: the score of {system!r} on {board.tasks[board.task_codes[column]]!r} is "
            f"too large to be added to others and subtracted from them; divide all scores by the "
            f"same number, such as scores / 1e100"
        )


def find_task_values(board: Leaderboard, rule: BoundRule) -> TaskContributions | None:
    """Compute `task_values`, or return None for a rule that doesn't add up the tasks."""
    if not rule.is_additive:
        return None
    n_tasks = len(board.tasks)
    unit = board.with_task_weights(np.ones(n_tasks))
    if not board.weights.all():
        # The rule may fail on a task whose weight is 0 so far, so it is tried first.
        rule.function(unit)
    task = unit.ballot_task_codes
    draws = SamplingDesign("tasks", task, np.zeros(n_tasks, dtype=np.intp))
    added, additive = find_contributions(unit, rule, draws), rule.additive(unit)
    if added is None or additive is None:
        return None
    sizes = np.nan_to_num(tie_sizes(unit, additive, draws)[0])
    # A task without any score contributes nothing.
    observed = np.unique(task)
    amounts = np.zeros((len(board.systems), n_tasks))
    counts = np.zeros((len(added.weights), n_tasks))
    amounts[:, observed], counts[:, observed] = added.amounts, added.weights
    each = [~np.isnan(board.values[:, columns]).all(axis=1) for columns in board.columns_by_task()]
    present = np.stack(each, axis=1)
    everywhere = present.all() or rule.arguments.get("missing") == "compatible"
    if (counts == counts[:1]).all():  # The tasks count alike for all.
        counts = counts[:1]
    return TaskContributions(amounts, counts, sizes, present | everywhere)
