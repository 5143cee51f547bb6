"""Which family of rules fits this table, and why?"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.agreement import spearman
from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.paired_models import find_obstacle, ties_explain_wins
from nbrank.questions.advice import Recommendation, Step
from nbrank.rules.means import mean
from nbrank.rules.places import mean_win_rate
from nbrank.rules.rule import Family, first_ranked
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.methods import question
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.options import Asked
from nbrank.votes.task_names import Groups, LowerIsBetter, Weights

#: Up to this share of ties Bradley and Terry's model kept a correlation of 0.8 with the order of
#: the metric (Levtsov and Ustalov 2025, figure 1).
MANY_TIES = 0.5

#: The c in their c m ln(m) comparisons of each pair.
COMPARISONS_PER_PAIR = 12

#: Tasks whose largest scores are further apart than this factor can't be in one unit.
LARGEST_RATIO = 10.0

#: A system with at most this many different scores, beside one with more than ten times as many,
#: gives labels where the other gives degrees.
FEW_VALUES = 2


@question("rules side by side", sees="units")
def recommend(
    scores: Source,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> Recommendation:
    """Which family of rules fits this table, and why?

    A flowchart, asked of the data: is there a metric, or only comparisons? Is
    anything missing? Can the scores of different tasks be averaged? Do all
    systems give scores of one kind? Are there many ties? Do rare large
    differences decide? Are there enough tasks, or comparisons? It follows
    the advice that Levtsov and Ustalov sum up in their flowchart (figure 3; the
    questions here are put by the text of their sections 5 to 8), and adds what
    several tasks and missing scores ask for. It is advice: the thresholds are
    rules of thumb, and each answer names the numbers that it rests on.

    Parameters
    ----------
    {scores_or_comparisons}

    Returns
    -------
    Recommendation
        With the fields `family`, `rules`, `beside`, `steps` and `unknown`; it
        prints as a text, and shows as a table in a notebook.

    {raises}
        Also if fewer than two systems have a score, so that there is nothing to
        rank.

    References
    ----------
    Levtsov and Ustalov, Confidence and stability of global and pairwise scores in
    NLP evaluation, ACL Student Research Workshop, 2025; Colombo et al., What are
    the best systems? New perspectives on NLP benchmarking, NeurIPS, 2022 (tasks
    in different units); Himmi et al., Towards more robust NLP system evaluation:
    handling missing scores in benchmarks, 2023.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"accuracy": [0.9, 0.8, 0.7], "seconds": [30.0, 5.0, 12.0]}, index=["A", "B", "C"]
    ... )
    >>> advice = recommend(scores, lower_is_better=["seconds"])
    >>> advice.family, advice.rules
    ('positional', ('borda',))
    >>> advice.steps[2].answer
    'no'
    """
    votes = as_votes(scores, weights, groups, lower_is_better, sees="units")
    votes.check(Asked("recommend", "pairs", "ignore"))
    if "sequence" in votes.offers:
        return _of_comparisons(cast("Comparisons", votes))
    return _of_scores(cast("Leaderboard", votes))


def _of_comparisons(comparisons: Comparisons) -> Recommendation:
    systems, counts = comparisons.systems, comparisons.counts
    upper = np.triu_indices(len(systems), 1)
    met = counts.compared[upper] > 0
    ties = _share_tied(counts)
    obstacle = find_obstacle(counts)
    steps = [
        Step(
            "Is there a metric?",
            "no",
            f"the data are comparisons ({len(comparisons):,} of {len(systems):,} systems), so "
            f"there is nothing to average",
        )
    ]
    if obstacle is None:
        steps.append(
            Step(
                "Do the comparisons tie all systems together?",
                "yes",
                f"wins and ties lead from each system to each other, so that strengths are "
                f"finite; {_percent(met.mean())} of the pairs met, and a model makes allowance "
                f"for who met whom, which counting wins does not",
            )
        )
    else:
        fault = "some systems never met, never won or never lost, directly or through others"
        steps.append(
            Step(
                "Do the comparisons tie all systems together?",
                "no",
                f"{fault}, so that the strengths of a model are infinite or undetermined without "
                f"a prior (bradley_terry(prior=1)); duels can be counted all the same",
            )
        )
    modelled = counts.wins.any() and not ties_explain_wins(counts)
    if ties > MANY_TIES:
        follows = (
            "davidson models ties, where bradley_terry takes each for half a win on either side; "
            "either way a tie says little, and many comparisons are needed"
        )
    else:
        follows = f"up to {_percent(MANY_TIES)} a tie may count as half a win for each"
    steps.append(
        Step("Are there many ties?", _yes(ties > MANY_TIES), f"{_percent(ties)}; {follows}")
    )
    needed = COMPARISONS_PER_PAIR * len(systems) * math.log(len(systems))
    enough = counts.compared[upper][met] >= needed
    steps.append(
        Step(
            "Are there enough comparisons?",
            "for most pairs" if enough.mean() > 0.5 else "not for most pairs",
            f"{COMPARISONS_PER_PAIR} m ln(m) = {math.ceil(needed):,} were made of "
            f"{_percent(enough.mean())} of the pairs that met; see rank_confidence for the "
            f"ranks that the data leave open",
        )
    )
    unknown = (
        "whether the winner of a comparison is the better system: who judged, and by what",
        "whether comparisons by one judge depend on each other (from_comparisons has cluster=)",
        "whether who met whom has to do with how strong they are",
    )
    if obstacle is not None:
        return Recommendation("majority", ("copeland",), ("borda",), tuple(steps), unknown)
    models = ("davidson", "bradley_terry") if ties > MANY_TIES else ("bradley_terry", "davidson")
    rules = tuple(name for name in models if name != "davidson" or modelled)
    return Recommendation("model", rules, ("copeland",), tuple(steps), unknown)


def _of_scores(board: Leaderboard) -> Recommendation:
    profile = board.profile()
    scored = profile.scored
    if scored.sum() < 2:
        raise ValueError(
            f"recommend: fewer than two systems have a score "
            f"({named(board.systems[scored]) or 'none'}), so there is nothing to rank"
        )
    board = board.with_tasks(board.tasks[board.weights > 0])
    finite = bool(np.isfinite(profile.scores[profile.observed]).all())
    incomplete = _incomplete(board)
    comparable, scale = _scale(board, finite)
    labels, degrees = _of_different_kinds(board)
    counts = board.views.pairs("ignore").view
    ties = _share_tied(counts)
    steps = [
        Step(
            "Is there a metric?",
            "yes",
            f"each system has scores of its own ({counted(len(board.tasks), 'task')}"
            + (f", {counted(board.values.shape[1], 'instance')}" if board.is_instance_level else "")
            + ")",
        ),
        _missing_step(board, incomplete, counts),
        Step("Can the scores of different tasks be averaged?", _yes(comparable), scale),
    ]
    if board.is_instance_level:
        steps.append(_kinds_step(labels, degrees))
    steps.append(_ties_step(ties))
    averages = comparable and not incomplete
    rules: tuple[str, ...]
    beside: tuple[str, ...]
    family: Family
    if averages:
        differs, step = _outliers_step(board)
        steps.append(step)
        family, rules = "mean", ("mean",)
        countable = ties <= MANY_TIES and not labels
        beside = ("borda", "copeland") if differs and countable else ("borda",) if countable else ()
    else:
        family, rules = "positional", ("borda",)
        never_met = _never_met(counts, scored)
        beside = ("mean_win_rate",) if never_met else ("copeland", "mean_win_rate")
    steps.append(_enough_step(board))
    unknown = [
        "whether the metrics measure what matters, and the tasks matter alike (or give weights)",
        "whether the tasks are a fair sample of those that there could be",
    ]
    if len(board.tasks) > 1:
        unknown.insert(1, "whether a point on one task is worth a point on another")
    if not board.lower.any():
        unknown.append(
            "whether lower is better on some task; higher is taken as better on every one (or give "
            "lower_is_better)"
        )
    if incomplete:
        unknown.append(
            "why scores are missing: a system that skips the tasks it does badly on gains by "
            "every rule that leaves them out"
        )
    if board.groups is None and len(board.tasks) > 1:
        unknown.append(
            "whether some tasks are two metrics of one, or otherwise alike (give groups)"
        )
    return Recommendation(family, rules, beside, tuple(steps), tuple(unknown))


def _incomplete(board: Leaderboard) -> list[Label]:
    """The systems that lack a score on a task or an instance that others have one on."""
    missing = np.isnan(board.values[:, board.that_count]).any(axis=1)
    return list(board.systems[np.flatnonzero(missing)])


def _missing_step(board: Leaderboard, incomplete: list[Label], counts: PairwiseCounts) -> Step:
    question = "Is anything missing?"
    if not incomplete:
        return Step(question, "no", "every system has every score")
    observed = ~np.isnan(board.values[:, board.that_count])
    met = counts.compared[np.triu_indices(len(board.systems), 1)] > 0
    shared = (
        "every pair shares a score"
        if met.all()
        else f"{_percent(1 - met.mean())} of the pairs share none, and can't be compared directly"
    )
    return Step(
        question,
        "yes",
        f"{_percent(1 - observed.mean())} of the scores, of {named(incomplete, most=4)}; {shared}. "
        f"A mean over different tasks rewards skipping the hard ones; places can be averaged over "
        f"all complete rankings compatible with the observed one",
    )


def _scale(board: Leaderboard, finite: bool) -> tuple[bool, str]:
    """Whether the tasks seem to be in one unit, and by which sign."""
    if not finite:
        return False, "some scores are infinite; places don't mind"
    if len(board.tasks) == 1:
        return True, "there is one task only"
    lower = board.tasks[board.lower]
    if 0 < len(lower) < len(board.tasks):
        return False, (
            f"lower is better on {named(lower, most=4)} and higher on the others; rank the places "
            f"within each task"
        )
    ranges = pd.DataFrame(
        [
            (np.nanmin(values), np.nanmax(values))
            for task in range(len(board.tasks))
            if (values := board.values[:, board.column_task == task]).size
            and not np.isnan(values).all()
        ],
        columns=["low", "high"],
    )
    names = [
        task
        for number, task in enumerate(board.tasks)
        if not np.isnan(board.values[:, board.column_task == number]).all()
    ]
    kinds = [_kind(low, high) for low, high in ranges.itertuples(index=False)]
    if len(set(kinds)) > 1:
        first = {kind: names[kinds.index(kind)] for kind in dict.fromkeys(kinds)}
        listed = ", ".join(f"{task!r} is {kind}" for kind, task in first.items())
        return False, f"they are in different ranges ({listed}); rank the places within each task"
    if kinds[0] in (_SHARE, _PERCENT):
        return True, f"all tasks are {kinds[0]}"
    sizes = ranges.abs().max(axis=1)
    smallest, largest = float(sizes[sizes > 0].min()), float(sizes.max())
    if largest > LARGEST_RATIO * smallest:
        return False, (
            f"the largest scores of the tasks are between {smallest:.3g} and {largest:.3g}, so "
            f"that the mean is nearly that of the tasks with large numbers; rank the places "
            f"within each task"
        )
    return True, "the tasks have scores of similar size"


_SHARE, _PERCENT, _OTHER = "between 0 and 1", "between 0 and 100", "outside 0 to 100"


def _kind(low: float, high: float) -> str:
    if low >= 0 and high <= 1:
        return _SHARE
    return _PERCENT if low >= 0 and high <= 100 else _OTHER


def _of_different_kinds(board: Leaderboard) -> tuple[list[Label], list[Label]]:
    """Systems that give labels where others give degrees, and those others."""
    if not board.is_instance_level:
        return [], []
    different: set[int] = set()
    others: set[int] = set()
    for task in range(len(board.tasks)):
        values = board.values[:, board.column_task == task]
        distinct = np.array([len(np.unique(row[~np.isnan(row)])) for row in values])
        few = (distinct > 0) & (distinct <= FEW_VALUES)
        many = distinct > 10 * FEW_VALUES
        if few.any() and many.any():
            different |= set(np.flatnonzero(few).tolist())
            others |= set(np.flatnonzero(many).tolist())
    return list(board.systems[sorted(different)]), list(board.systems[sorted(others)])


def _kinds_step(labels: list[Label], degrees: list[Label]) -> Step:
    question = "Do all systems give scores of one kind?"
    if not labels:
        return Step(question, "yes", "none has two values only where another has many")
    return Step(
        question,
        "no",
        f"{FEW_VALUES} values at most of {named(labels, most=4)}, many of "
        f"{named(degrees, most=2)}; one against one, the bolder answer wins whenever it is right, "
        f"so bring all to one kind before pairs are compared (nbrank.metrics.binarized)",
    )


def _ties_step(ties: float) -> Step:
    if ties > MANY_TIES:
        follows = (
            "most comparisons decide nothing, so that rules of pairs and places need many more "
            "of them than a mean does"
        )
    else:
        follows = f"rules of pairs and places bear up to {_percent(MANY_TIES)}"
    return Step("Are there many ties?", _yes(ties > MANY_TIES), f"{_percent(ties)}; {follows}")


def _outliers_step(board: Leaderboard) -> tuple[bool, Step]:
    question = "Do rare large differences decide?"
    by_score, by_wins = mean(board), mean_win_rate(board)
    first, often = first_ranked(by_score), first_ranked(by_wins)
    rho = spearman(by_score, by_wins)
    agreement = "" if math.isnan(rho) else f" (Spearman's rho {rho:.2f})"
    if set(first) & set(often):
        return False, Step(
            question,
            "not for the first place",
            f"the best mean and most wins are those of "
            f"{named([system for system in first if system in often], most=3)}{agreement}",
        )
    return True, Step(
        question,
        "yes",
        f"the best mean is that of {named(first, most=3)}, most wins are those of "
        f"{named(often, most=3)}{agreement}; a mean holds rare large errors against a "
        f"system, and wins hide them",
    )


def _enough_step(board: Leaderboard) -> Step:
    # Of the 2^n ways to turn the signs of n differences, 2 are as one-sided as any can be.
    least = math.ceil(math.log2(2 / 0.05))
    if board.is_instance_level:
        number, what = board.values.shape[1], "instance"
    elif board.groups is not None:
        number, what = len(board.groups), "group"
    else:
        number, what = len(board.tasks), "task"
    question = f"Are there enough {what}s to be sure of anything?"
    if number < least:
        return Step(
            question,
            "no",
            f"{counted(number, what)}; even a system that is better on each of them is not surely "
            f"better at 95 %, which takes {least}",
        )
    return Step(
        question,
        "perhaps",
        f"{counted(number, what)}; see rank_confidence for the ranks that they leave open",
    )


def _never_met(counts: PairwiseCounts, scored: NDArray[np.bool_]) -> bool:
    met = counts.compared[np.ix_(scored, scored)] > 0
    return not met[np.triu_indices(len(met), 1)].all()


def _share_tied(counts: PairwiseCounts) -> float:
    compared = float(counts.compared.sum())
    return float(counts.ties.sum()) / compared if compared else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
