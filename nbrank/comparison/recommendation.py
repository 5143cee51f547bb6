"""Which family of rules fits this table, and why?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Unpack

import numpy as np
import pandas as pd

from nbrank.agreement import spearman
from nbrank.arrays import paired_comparison_models as arrays
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.typing import Bools
from nbrank.rules.bound_rule import top_ranked
from nbrank.rules.means import mean
from nbrank.rules.place_averages import mean_win_rate
from nbrank.rules.registry import Family
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_votes
from nbrank.votes.method_registry import register_method
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest

#: Up to this share of ties Bradley and Terry's model kept a correlation of 0.8 with the order of
#: the metric (Levtsov and Ustalov 2025, figure 1).
MAX_TIE_SHARE = 0.5

#: The c in their c m ln(m) comparisons of each pair.
COMPARISONS_PER_PAIR = 12

#: Tasks whose largest scores are further apart than this factor can't be in one unit.
LARGEST_RATIO = 10.0

#: A system with at most this many different scores, and one with more than ten times as many,
#: gives labels where the other gives degrees.
MAX_LABEL_VALUES = 2


@dataclass(frozen=True)
class Step:
    """A question of the flowchart, and what the data say to it."""

    question: str
    #: In a word or two.
    answer: str
    #: The facts of the data behind the answer, and their consequences.
    because: str

    @property
    def affirmed(self) -> bool:
        """Whether the answer is yes."""
        return self.answer == "yes"


@dataclass(frozen=True, repr=False)
class Recommendation:
    """The family of rules that fits a table, why, and what can't be read off the table."""

    #: The family, as in `RULES`.
    family: Family
    #: Names of rules of that family that take the table as it is, the first choice first.
    rules: tuple[str, ...]
    #: And of rules of other families that are worth a comparison.
    alternatives: tuple[str, ...]
    #: The questions that led there.
    steps: tuple[Step, ...]
    #: Questions that the data can't answer.
    unknown: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [f"Recommendation: {self._summary()}", "", "Why:"]
        lines += [f"- {step.question} {step.answer}: {step.because}" for step in self.steps]
        lines += ["", "What the data can't say:", *(f"- {item}" for item in self.unknown)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        left = ' style="text-align: left"'
        rows = "".join(
            f"<tr><th{left}>{escape(step.question)}</th><td{left}>{escape(step.answer)}</td>"
            f"<td{left}>{escape(step.because)}</td></tr>"
            for step in self.steps
        )
        unknown = "".join(f"<li>{escape(item)}</li>" for item in self.unknown)
        return (
            f"<p>Recommendation: {escape(self._summary())}</p><table><tbody>{rows}</tbody></table>"
            f"<p>What the data can't say:</p><ul>{unknown}</ul>"
        )

    def _summary(self) -> str:
        text = f"a rule of the family {self.family!r}: {', '.join(self.rules)}"
        return text + (f"; also: {', '.join(self.alternatives)}" if self.alternatives else "")


@register_method("rules side by side", sees="units")
def recommend(
    scores: VotesLike, *, cluster: Clusters = None, **table: Unpack[TableOptions]
) -> Recommendation:
    """Which family of rules fits this table, and why?

    The data answer the questions of a flowchart: the advice of Levtsov and Ustalov (figure 3,
    sections 5 to 8), and what several tasks and missing scores ask for. The thresholds are rules of
    thumb, and each answer names the numbers that it rests on.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    Recommendation
        It has the `family`, its `rules` that fit, `alternatives` to compare them with, the
        `steps` (each a question and its answer), and what is `unknown`. It prints as a text, and
        shows as a table in a notebook.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if fewer than two systems have a score, so that there is nothing to rank.

    References
    ----------
    Levtsov and Ustalov, Confidence and stability of global and pairwise scores in NLP evaluation,
    2025; Colombo et al., What are the best systems?, 2022 (tasks in different units); Himmi et al.,
    Towards more robust NLP system evaluation, 2024.

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
    votes = as_votes(scores, "units", cluster, **table)
    votes.check(ViewRequest("recommend", "pairs", "ignore"))
    return _recommend(votes)


def _recommend_for_comparisons(comparisons: Comparisons) -> Recommendation:
    systems, counts = comparisons.systems, comparisons.counts
    upper = np.triu_indices(len(systems), 1)
    met = counts.compared[upper] > 0
    connected = arrays.find_identifiability_issue(counts) is None
    ties = _ties_step(
        counts,
        "davidson models ties, where bradley_terry takes each for half a win on either side; "
        "either way a tie says little, and many comparisons are needed",
        f"up to {format_percent(MAX_TIE_SHARE)} a tie may count as half a win for each",
    )
    needed = COMPARISONS_PER_PAIR * len(systems) * math.log(len(systems))
    enough = counts.compared[upper][met] >= needed
    steps = (
        Step(
            "Is there a metric?",
            "no",
            f"the data are comparisons ({len(comparisons):,} of {len(systems):,} systems), so "
            f"there is nothing to average",
        ),
        Step(
            "Do the comparisons tie all systems together?",
            _yes_or_no(connected),
            "wins and ties lead from each system to each other, so that strengths are finite; "
            f"{format_percent(met.mean())} of the pairs met, and a model makes allowance for who "
            "met whom, which counting wins does not"
            if connected
            else "some systems never met, never won or never lost, directly or through others, so "
            "that the strengths of a model are infinite or undetermined without a prior "
            "(bradley_terry(prior=1)); pairs can be counted all the same",
        ),
        ties,
        Step(
            "Are there enough comparisons?",
            "for most pairs" if enough.mean() > 0.5 else "not for most pairs",
            f"{COMPARISONS_PER_PAIR} m ln(m) = {math.ceil(needed):,} were made of "
            f"{format_percent(enough.mean())} of the pairs that met; see best_set for the systems "
            f"that may be best, and rank_confidence for all ranks",
        ),
    )
    unknown = (
        "whether the winner of a comparison is the better system: who judged, and by what",
        "whether comparisons by one judge depend on each other (from_comparisons has cluster=)",
        "whether who met whom has to do with how strong they are",
    )
    if not connected:
        return Recommendation("majority", ("copeland",), ("borda",), steps, unknown)
    models: tuple[str, ...] = ("bradley_terry",)
    if counts.wins.any() and not arrays.has_infinite_tie_parameter(counts):
        models = ("davidson", *models) if ties.affirmed else (*models, "davidson")
    return Recommendation("model", models, ("copeland",), steps, unknown)


def _recommend_for_scores(board: Leaderboard) -> Recommendation:
    scored = board.data.scored
    if scored.sum() < 2:
        raise ValueError(
            f"recommend: fewer than two systems have a score "
            f"({format_labels(board.systems[scored]) or 'none'}), so there is nothing to rank"
        )
    board = board.select_tasks(board.tasks[board.weights > 0])
    counts = board.data.pairs("ignore").data
    missing = np.isnan(board.values[:, board.active_columns])
    comparable, scale = _check_common_scale(board)
    ties = _ties_step(
        counts,
        "most comparisons decide nothing, so that rules of pairs and places need many more "
        "of them than a mean does",
        f"rules of pairs and places bear up to {format_percent(MAX_TIE_SHARE)}",
    )
    size = pluralize(len(board.tasks), "task")
    if board.is_instance_level:
        size += f", {pluralize(board.values.shape[1], 'instance')}"
    kinds = [_score_kinds_step(board)] if board.is_instance_level else []
    steps = [
        Step("Is there a metric?", "yes", f"each system has scores of its own ({size})"),
        _missing_step(board, missing, counts),
        Step("Are the scores of different tasks on one scale?", _yes_or_no(comparable), scale),
        *kinds,
        ties,
    ]
    family: Family = "mean" if comparable and not missing.any() else "positional"
    rules: tuple[str, ...] = ("borda",)
    beside: tuple[str, ...] = ("copeland", "mean_win_rate")
    if family == "mean":
        steps.append(_outliers_step(board))
        rules, beside = ("mean",), ("borda", "copeland") if steps[-1].affirmed else ("borda",)
        if ties.affirmed or not all(step.affirmed for step in kinds):
            beside = ()
    elif not _share_tasks(counts, scored).all():
        beside = ("mean_win_rate",)
    if missing.any() and arrays.find_identifiability_issue(counts) is None:
        beside = ("bradley_terry", *beside)
    steps.append(_sample_size_step(board))
    several = len(board.tasks) > 1
    unknown = {
        "whether the metrics measure what matters, and the tasks matter alike (or give weights)": 1,
        "whether a point on one task is worth a point on another": several,
        "whether the tasks are a fair sample of all tasks of their kind": 1,
        "whether lower is better on some task; higher is taken as better on every one (or give "
        "lower_is_better)": not board.is_lower_better.any(),
        "why scores are missing: a system that skips the tasks it does badly on gains by every "
        "rule that leaves them out": missing.any(),
        "whether some tasks are two metrics of one, or otherwise alike (give groups)": several
        and board.groups is None,
    }
    open_ = tuple(item for item, asked in unknown.items() if asked)
    return Recommendation(family, rules, beside, tuple(steps), open_)


_recommend = FunctionBySource(_recommend_for_scores, _recommend_for_comparisons)


def _missing_step(board: Leaderboard, missing: Bools, counts: PairwiseCounts) -> Step:
    question = "Is anything missing?"
    incomplete = board.systems[np.flatnonzero(missing.any(axis=1))]
    if not len(incomplete):
        if lost := board.describe_missing_runs():
            averaged = "each the average of the runs that are there"
            return Step(question, "some runs", f"{lost}; every system has every score, {averaged}")
        return Step(question, "no", "every system has every score")
    met = _share_tasks(counts, np.ones(len(board.systems), dtype=bool))
    shared = (
        "every pair shares a score"
        if met.all()
        else f"{format_percent(1 - met.mean())} of the pairs share none, and can't be compared "
        "directly"
    )
    return Step(
        question,
        "yes",
        f"{format_percent(missing.mean())} of the scores, of "
        f"{format_labels(incomplete, max_items=4)}; {shared}. A mean over different tasks rewards "
        "skipping the hard ones; places can be averaged over all complete rankings compatible "
        "with the observed one; bradley_terry makes allowance for which tasks a system has"
        + (f"; {lost}" if (lost := board.describe_missing_runs()) else ""),
    )


def _check_common_scale(board: Leaderboard) -> tuple[bool, str]:
    """Return whether the tasks seem to be in one unit, and why."""
    if np.isinf(board.values).any():
        return False, "some scores are infinite; places don't mind"
    if len(board.tasks) == 1:
        return True, "there is one task only"
    lower = board.tasks[board.is_lower_better]
    within = "a mean weighs them by how far their scores spread, places weigh them alike"
    if 0 < len(lower) < len(board.tasks):
        some = format_labels(lower, max_items=4)
        return False, f"lower is better on {some} and higher on the others; {within}"
    # The first task of each kind, and the size of each task's largest score.
    kinds: dict[str, Label] = {}
    sizes: list[float] = []
    for task, columns in zip(board.tasks, board.columns_by_task(), strict=True):
        values = board.values[:, columns].astype(float)
        if not np.isnan(values).all():
            kinds.setdefault(_score_kind(np.nanmin(values), np.nanmax(values)), task)
            sizes.append(float(np.nanmax(np.abs(values))))
    if len(kinds) > 1:
        listed = ", ".join(f"{task!r} is {kind}" for kind, task in kinds.items())
        return False, f"they are in different ranges ({listed}); {within}"
    if _OUT_OF_RANGE not in kinds:
        return True, f"all tasks are {next(iter(kinds))}"
    smallest, largest = min(size for size in sizes if size > 0), max(sizes)
    if largest > LARGEST_RATIO * smallest:
        return False, (
            f"the largest scores of the tasks are between {smallest:.3g} and {largest:.3g}, so "
            f"that the mean is nearly that of the tasks with large numbers; {within}"
        )
    return True, "the tasks have scores of similar size"


_OUT_OF_RANGE = "outside 0 to 100"


def _score_kind(low: float, high: float) -> str:
    if low < 0 or high > 100:
        return _OUT_OF_RANGE
    return "between 0 and 1" if high <= 1 else "between 0 and 100"


def _score_kinds_step(board: Leaderboard) -> Step:
    """Find systems that give labels while others give degrees, and what to do then."""
    labels, degrees = np.zeros((2, len(board.systems)), dtype=bool)
    for of_task in board.columns_by_task():
        distinct = pd.DataFrame(board.values[:, of_task]).nunique(axis=1).to_numpy()
        few, many = (
            (distinct > 0) & (distinct <= MAX_LABEL_VALUES),
            distinct > 10 * MAX_LABEL_VALUES,
        )
        if few.any() and many.any():
            labels, degrees = labels | few, degrees | many
    question = "Do all systems give scores of one kind?"
    if not labels.any():
        return Step(question, "yes", "none has two values only where another has many")
    return Step(
        question,
        "no",
        f"{MAX_LABEL_VALUES} values at most of "
        f"{format_labels(board.systems[labels], max_items=4)}, many of "
        f"{format_labels(board.systems[degrees], max_items=2)}; pair by pair, the bolder "
        "answer wins whenever it is right, so bring all to one kind before pairs are compared "
        "(nbrank.metrics.binarized)",
    )


def _ties_step(counts: PairwiseCounts, text_if_many: str, text_if_few: str) -> Step:
    """Report whether there are many ties, and what follows."""
    share = counts.ties.sum() / max(counts.compared.sum(), 1e-300)
    are_many = bool(share > MAX_TIE_SHARE)
    because = f"{format_percent(share)}; {text_if_many if are_many else text_if_few}"
    return Step("Are there many ties?", _yes_or_no(are_many), because)


def _outliers_step(board: Leaderboard) -> Step:
    """Report whether the best mean and the most wins are of different systems."""
    by_score, by_wins = mean(board), mean_win_rate(board)
    first, often = top_ranked(by_score), top_ranked(by_wins)
    rho = spearman(by_score, by_wins)
    agreement = "" if math.isnan(rho) else f" (Spearman's rho {rho:.2f})"
    both = [system for system in first if system in often]
    text = f"the best mean and most wins are those of {format_labels(both, max_items=3)}{agreement}"
    if not both:
        text = (
            f"the best mean is that of {format_labels(first, max_items=3)}, most wins are those of "
            f"{format_labels(often, max_items=3)}{agreement}; a mean holds rare large errors "
            "against a system, and wins hide them"
        )
    answer = "not for the first place" if both else "yes"
    return Step("Do rare large differences decide?", answer, text)


def _sample_size_step(board: Leaderboard) -> Step:
    # Of the 2^n ways to turn the signs of n differences, 2 are as one-sided as any can be.
    least = math.ceil(math.log2(2 / 0.05))
    number, what = int(board.voter_counts.sum()), "task"
    if (board.voter_counts > 1).any():
        what = "voter"
    if board.is_instance_level:
        number, what = board.values.shape[1], "instance"
        if board.column_clusters is not None:
            number, what = int(board.column_clusters.max()) + 1, "cluster"
    elif board.groups is not None:
        number, what = len(board.groups), "group"
    few = number < least
    follows = (
        f"even a system that is better on each of them is not surely better at 95 %, which takes "
        f"{least}"
        if few
        else "see best_set for the systems that may be best, and rank_confidence for all ranks"
    )
    question = f"Are there enough {what}s to be sure of anything?"
    return Step(question, "no" if few else "perhaps", f"{pluralize(number, what)}; {follows}")


def _share_tasks(counts: PairwiseCounts, candidates: Bools) -> Bools:
    """Return whether each pair of systems has a task in common."""
    met: Bools = counts.compared[np.ix_(candidates, candidates)] > 0
    return met[np.triu_indices(len(met), 1)]


def format_percent(share: float) -> str:
    """Write a share as a whole number of percent."""
    return f"{100 * share:.0f} %"


def _yes_or_no(answer: bool) -> str:
    return "yes" if answer else "no"
