"""Which family of rules fits this table, and why?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from typing import Unpack, cast

import numpy as np
import pandas as pd

from nbrank.agreement import spearman
from nbrank.arrays.kinds import Bools
from nbrank.arrays.pair_counts import PairwiseCounts
from nbrank.arrays.paired_models import find_obstacle, ties_explain_wins
from nbrank.rules.means import mean, mean_win_rate
from nbrank.rules.rule import Family, first_ranked
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.methods import question
from nbrank.votes.missing_runs import missing_runs
from nbrank.votes.naming import Label, counted, named
from nbrank.votes.options import Asked
from nbrank.votes.task_names import TableOptions

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


@dataclass(frozen=True)
class Step:
    """A question of the flowchart, and what the data say to it."""

    question: str
    #: In a word or two.
    answer: str
    #: What in the data the answer rests on, and what follows.
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
    #: And of rules of other families that are worth a look beside it.
    beside: tuple[str, ...]
    #: The questions that led there.
    steps: tuple[Step, ...]
    #: What the data can't say, and a human has to.
    unknown: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [f"Recommendation: {self._headline()}", "", "Why:"]
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
            f"<p>Recommendation: {escape(self._headline())}</p>"
            f"<table><tbody>{rows}</tbody></table>"
            f"<p>What the data can't say:</p><ul>{unknown}</ul>"
        )

    def _headline(self) -> str:
        said = f"a rule of the family {self.family!r}: {', '.join(self.rules)}"
        return said + (f"; beside it: {', '.join(self.beside)}" if self.beside else "")


@question("rules side by side", sees="units")
def recommend(scores: Source, **table: Unpack[TableOptions]) -> Recommendation:
    """Which family of rules fits this table, and why?

    The data answer the questions of a flowchart: the advice of Levtsov and Ustalov (figure 3,
    sections 5 to 8), and what several tasks and missing scores ask for. The thresholds are rules of
    thumb, and each answer names the numbers that it rests on.

    Parameters
    ----------
    {scores_or_comparisons}

    Returns
    -------
    Recommendation
        It has the `family`, its `rules` that fit, rules to set `beside` them, the `steps` (each a
        question and its answer), and what is `unknown`. It prints as a text, and shows as a table
        in a notebook.

    {raises}
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
    votes = as_votes(scores, "units", **table)
    votes.check(Asked("recommend", "pairs", "ignore"))
    if "sequence" in votes.offers:
        return _of_comparisons(cast("Comparisons", votes))
    return _of_scores(cast("Leaderboard", votes))


def _of_comparisons(comparisons: Comparisons) -> Recommendation:
    systems, counts = comparisons.systems, comparisons.counts
    upper = np.triu_indices(len(systems), 1)
    met = counts.compared[upper] > 0
    connected = find_obstacle(counts) is None
    ties = _ties(
        counts,
        "davidson models ties, where bradley_terry takes each for half a win on either side; "
        "either way a tie says little, and many comparisons are needed",
        f"up to {_percent(MANY_TIES)} a tie may count as half a win for each",
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
            _yes(connected),
            f"wins and ties lead from each system to each other, so that strengths are finite; "
            f"{_percent(met.mean())} of the pairs met, and a model makes allowance for who met "
            f"whom, which counting wins does not"
            if connected
            else "some systems never met, never won or never lost, directly or through others, so "
            "that the strengths of a model are infinite or undetermined without a prior "
            "(bradley_terry(prior=1)); duels can be counted all the same",
        ),
        ties,
        Step(
            "Are there enough comparisons?",
            "for most pairs" if enough.mean() > 0.5 else "not for most pairs",
            f"{COMPARISONS_PER_PAIR} m ln(m) = {math.ceil(needed):,} were made of "
            f"{_percent(enough.mean())} of the pairs that met; see rank_confidence for the "
            f"ranks that the data leave open",
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
    if counts.wins.any() and not ties_explain_wins(counts):
        models = ("davidson", *models) if ties.affirmed else (*models, "davidson")
    return Recommendation("model", models, ("copeland",), steps, unknown)


def _of_scores(board: Leaderboard) -> Recommendation:
    scored = board.views.scored
    if scored.sum() < 2:
        raise ValueError(
            f"recommend: fewer than two systems have a score "
            f"({named(board.systems[scored]) or 'none'}), so there is nothing to rank"
        )
    board = board.with_tasks(board.tasks[board.weights > 0])
    counts = board.views.pairs("ignore").view
    missing = np.isnan(board.values[:, board.that_count])
    comparable, scale = _scale(board)
    ties = _ties(
        counts,
        "most comparisons decide nothing, so that rules of pairs and places need many more "
        "of them than a mean does",
        f"rules of pairs and places bear up to {_percent(MANY_TIES)}",
    )
    size = counted(len(board.tasks), "task")
    if board.is_instance_level:
        size += f", {counted(board.values.shape[1], 'instance')}"
    kinds = [_kinds(board)] if board.is_instance_level else []
    steps = [
        Step("Is there a metric?", "yes", f"each system has scores of its own ({size})"),
        _missing_step(board, missing, counts),
        Step("Can the scores of different tasks be averaged?", _yes(comparable), scale),
        *kinds,
        ties,
    ]
    family: Family = "mean" if comparable and not missing.any() else "positional"
    rules: tuple[str, ...] = ("borda",)
    beside: tuple[str, ...] = ("copeland", "mean_win_rate")
    if family == "mean":
        steps.append(_outliers(board))
        rules, beside = ("mean",), ("borda", "copeland") if steps[-1].affirmed else ("borda",)
        if ties.affirmed or not all(step.affirmed for step in kinds):
            beside = ()
    elif not _met(counts, scored).all():
        beside = ("mean_win_rate",)
    steps.append(_enough_step(board))
    several = len(board.tasks) > 1
    unknown = {
        "whether the metrics measure what matters, and the tasks matter alike (or give weights)": 1,
        "whether a point on one task is worth a point on another": several,
        "whether the tasks are a fair sample of those that there could be": 1,
        "whether lower is better on some task; higher is taken as better on every one (or give "
        "lower_is_better)": not board.lower.any(),
        "why scores are missing: a system that skips the tasks it does badly on gains by every "
        "rule that leaves them out": missing.any(),
        "whether some tasks are two metrics of one, or otherwise alike (give groups)": several
        and board.groups is None,
    }
    open_ = tuple(item for item, asked in unknown.items() if asked)
    return Recommendation(family, rules, beside, tuple(steps), open_)


def _missing_step(board: Leaderboard, missing: Bools, counts: PairwiseCounts) -> Step:
    question = "Is anything missing?"
    incomplete = board.systems[np.flatnonzero(missing.any(axis=1))]
    if not len(incomplete):
        if lost := missing_runs(board):
            averaged = "each the average of the runs that are there"
            return Step(question, "some runs", f"{lost}; every system has every score, {averaged}")
        return Step(question, "no", "every system has every score")
    met = _met(counts, np.ones(len(board.systems), dtype=bool))
    shared = (
        "every pair shares a score"
        if met.all()
        else f"{_percent(1 - met.mean())} of the pairs share none, and can't be compared directly"
    )
    return Step(
        question,
        "yes",
        f"{_percent(missing.mean())} of the scores, of {named(incomplete, most=4)}; {shared}. "
        f"A mean over different tasks rewards skipping the hard ones; places can be averaged over "
        f"all complete rankings compatible with the observed one"
        + (f"; {lost}" if (lost := missing_runs(board)) else ""),
    )


def _scale(board: Leaderboard) -> tuple[bool, str]:
    """Whether the tasks seem to be in one unit, and by which sign."""
    if np.isinf(board.values).any():
        return False, "some scores are infinite; places don't mind"
    if len(board.tasks) == 1:
        return True, "there is one task only"
    lower = board.tasks[board.lower]
    within = "rank the places within each task"
    if 0 < len(lower) < len(board.tasks):
        return (
            False,
            f"lower is better on {named(lower, most=4)} and higher on the others; {within}",
        )
    # The first task of each kind, and the size of each task's largest score.
    kinds: dict[str, Label] = {}
    sizes: list[float] = []
    for task, columns in zip(board.tasks, board.columns_by_task(), strict=True):
        values = board.values[:, columns].astype(float)
        if not np.isnan(values).all():
            kinds.setdefault(_kind(np.nanmin(values), np.nanmax(values)), task)
            sizes.append(float(np.nanmax(np.abs(values))))
    if len(kinds) > 1:
        listed = ", ".join(f"{task!r} is {kind}" for kind, task in kinds.items())
        return False, f"they are in different ranges ({listed}); {within}"
    if _OTHER not in kinds:
        return True, f"all tasks are {next(iter(kinds))}"
    smallest, largest = min(size for size in sizes if size > 0), max(sizes)
    if largest > LARGEST_RATIO * smallest:
        return False, (
            f"the largest scores of the tasks are between {smallest:.3g} and {largest:.3g}, so "
            f"that the mean is nearly that of the tasks with large numbers; {within}"
        )
    return True, "the tasks have scores of similar size"


_OTHER = "outside 0 to 100"


def _kind(low: float, high: float) -> str:
    if low < 0 or high > 100:
        return _OTHER
    return "between 0 and 1" if high <= 1 else "between 0 and 100"


def _kinds(board: Leaderboard) -> Step:
    """Who gives labels where others give degrees, and what to do then."""
    labels, degrees = np.zeros((2, len(board.systems)), dtype=bool)
    for of_task in board.columns_by_task():
        frame = pd.DataFrame(board.values[:, of_task])
        distinct = frame.nunique(axis=1).to_numpy()
        few, many = (distinct > 0) & (distinct <= FEW_VALUES), distinct > 10 * FEW_VALUES
        if few.any() and many.any():
            labels, degrees = labels | few, degrees | many
    question = "Do all systems give scores of one kind?"
    if not labels.any():
        return Step(question, "yes", "none has two values only where another has many")
    return Step(
        question,
        "no",
        f"{FEW_VALUES} values at most of {named(board.systems[labels], most=4)}, many of "
        f"{named(board.systems[degrees], most=2)}; one against one, the bolder answer wins "
        f"whenever it is right, so bring all to one kind before pairs are compared "
        f"(nbrank.metrics.binarized)",
    )


def _ties(counts: PairwiseCounts, many: str, few: str) -> Step:
    """Whether there are many ties, and what follows."""
    share = counts.ties.sum() / max(counts.compared.sum(), 1e-300)
    are_many = bool(share > MANY_TIES)
    because = f"{_percent(share)}; {many if are_many else few}"
    return Step("Are there many ties?", _yes(are_many), because)


def _outliers(board: Leaderboard) -> Step:
    """Whether the best mean and most wins are those of different systems."""
    by_score, by_wins = mean(board), mean_win_rate(board)
    first, often = first_ranked(by_score), first_ranked(by_wins)
    rho = spearman(by_score, by_wins)
    agreement = "" if math.isnan(rho) else f" (Spearman's rho {rho:.2f})"
    both = [system for system in first if system in often]
    said = f"the best mean and most wins are those of {named(both, most=3)}{agreement}"
    if not both:
        said = (
            f"the best mean is that of {named(first, most=3)}, most wins are those of "
            f"{named(often, most=3)}{agreement}; a mean holds rare large errors against a system, "
            f"and wins hide them"
        )
    answer = "not for the first place" if both else "yes"
    return Step("Do rare large differences decide?", answer, said)


def _enough_step(board: Leaderboard) -> Step:
    # Of the 2^n ways to turn the signs of n differences, 2 are as one-sided as any can be.
    least = math.ceil(math.log2(2 / 0.05))
    number, what = int(board.counts.sum()), "voter" if (board.counts > 1).any() else "task"
    if board.is_instance_level:
        number, what = board.values.shape[1], "instance"
        if board.cluster_of is not None:
            number, what = int(board.cluster_of.max()) + 1, "cluster"
    elif board.groups is not None:
        number, what = len(board.groups), "group"
    few = number < least
    follows = (
        f"even a system that is better on each of them is not surely better at 95 %, which takes "
        f"{least}"
        if few
        else "see rank_confidence for the ranks that they leave open"
    )
    question = f"Are there enough {what}s to be sure of anything?"
    return Step(question, "no" if few else "perhaps", f"{counted(number, what)}; {follows}")


def _met(counts: PairwiseCounts, among: Bools) -> Bools:
    """Of each pair of these whether they share a score."""
    met: Bools = counts.compared[np.ix_(among, among)] > 0
    return met[np.triu_indices(len(met), 1)]


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"
