"""From a leaderboard to the scores of a rule: missing scores, and one level or two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbrank.arrays.profile import Missing, Profile, competition_ranks, fill_median, fill_worst
from nbrank.labelled.leaderboard import Leaderboard, counted, named
from nbrank.labelled.options import check_choice

Scoring = Callable[[Profile], NDArray[np.float64]]

#: What to do about missing scores that a rule on places is to refuse.
ADVICE = "choose how they count with missing='compatible' or 'ignore', or drop those rows"
EVERY_MISSING: tuple[Missing, ...] = ("compatible", "ignore", "raise", "median", "worst")


def refuse_cells(
    board: Leaderboard,
    rule: str,
    at_fault: Callable[[NDArray[np.floating]], NDArray[np.bool_]],
    what: str,
    advice: str,
) -> None:
    """Raise an error that names the systems and tasks of the scores that the rule can't take.

    Parameters
    ----------
    board
        The leaderboard.
    rule
        The rule, for the message.
    at_fault
        From scores to which of them are at fault.
    what
        What one of them is.
    advice
        Why the rule refuses them, and what to do.
    """
    columns = np.flatnonzero(board.counted)
    wrong = np.asarray(at_fault(board.values[:, columns]))
    if wrong.any():
        systems = board.systems[np.flatnonzero(wrong.any(axis=1))]
        tasks = board.tasks[np.unique(board.column_task[columns[wrong.any(axis=0)]])]
        raise ValueError(
            f"{rule}: {counted(int(wrong.sum()), what)}, of {named(systems)} on "
            f"{named(tasks)}; {advice}"
        )


def refuse_missing(board: Leaderboard, rule: str, advice: str) -> None:
    """Raise an error that names the systems and tasks at fault if a score that counts is missing.

    Parameters
    ----------
    board
        The leaderboard.
    rule
        The rule, for the message.
    advice
        Why the rule refuses, and what to do.
    """
    refuse_cells(board, rule, np.isnan, "missing score", advice)


@dataclass(frozen=True)
class Treated:
    """The ballots as a rule is to see them.

    Parameters
    ----------
    ballots
        The ballots of the systems that are on them.
    part
        Which of all systems those are.
    ranked
        Which of all systems the rule has a score for; the others are last.
    """

    ballots: Profile
    part: NDArray[np.bool_]
    ranked: NDArray[np.bool_]

    def scored(self, score: Scoring) -> NDArray[np.float64]:
        """The rule's score of every system; NaN for one that is not ranked.

        Parameters
        ----------
        score
            The rule, on ballots.
        """
        result = np.full(len(self.part), np.nan)
        if self.part.any():
            result[self.part] = score(self.ballots)
        result[~self.ranked] = np.nan
        return result


def filled(profile: Profile, missing: Missing) -> Treated:
    """The ballots as an average of scores is to see them.

    A system with no score at all is on none, unless missing scores count as
    scores of their own (`"compatible"`, `"worst"`).

    Parameters
    ----------
    profile
        The ballots.
    missing
        How a missing score is treated.
    """
    everyone, scored = np.ones(len(profile.scores), dtype=bool), profile.scored
    if missing == "compatible":
        return Treated(profile, everyone, everyone)
    if missing == "worst":
        return Treated(Profile(fill_worst(profile.scores), profile.weights), everyone, scored)
    profile = profile.of(scored)
    if missing == "median":
        profile = Profile(fill_median(profile.scores), profile.weights)
    return Treated(profile, scored, scored)


def treated(profile: Profile, missing: Missing) -> Treated:
    """The ballots as a rule on places or pairs is to see them.

    A ballot on which fewer than two systems are compared says nothing: with
    `"ignore"` a score that stands alone has no place, as it makes no pair. A
    system that has no other is still one with a score.

    Parameters
    ----------
    profile, missing
        As for `filled`.

    Examples
    --------
    >>> ballots = Profile(np.array([[3.0, 1.0], [np.nan, 2.0], [np.nan, np.nan]]), np.ones(2))
    >>> treated(ballots, "ignore").ballots.scores.tolist()
    [[nan, 1.0], [nan, 2.0]]
    """
    if missing != "ignore":
        return filled(profile, missing)
    scored = profile.scored
    return Treated(profile.beside_others().of(scored), scored, scored)


def task_rankings(board: Leaderboard, score: Scoring, missing: Missing) -> Profile:
    """One ballot for each task: the ranking by the rule of the systems that have a score in it.

    Parameters
    ----------
    board
        The leaderboard.
    score
        The rule, on ballots.
    missing
        How a missing score is treated within a task.

    Returns
    -------
    Profile
        Systems x tasks, minus the rank; NaN for a system with nothing in the task.
    """
    tasks, columns = [], []
    for task, profile in board.task_profiles():
        part = profile.scored
        if not part.any():
            continue
        column = np.full(len(part), np.nan)
        column[part] = -competition_ranks(treated(profile.of(part), missing).scored(score))
        tasks.append(task)
        columns.append(column)
    if not columns:
        return board.profile()
    return Profile(np.column_stack(columns), board.weights[tasks])


def score_ballots(
    board: Leaderboard, score: Scoring, rule: str, missing: Missing, levels: int
) -> NDArray[np.float64]:
    """The rule's score of each system of the leaderboard, in table order.

    Parameters
    ----------
    board
        The leaderboard.
    score
        The rule, on ballots.
    rule
        Its name, for messages.
    missing
        How a missing score is treated.
    levels
        1 pools all instances of all tasks; 2 ranks within each task, then
        applies the rule to the tasks' rankings.

    Returns
    -------
    numpy.ndarray
        NaN for a system with no score at all, unless `missing` gives it one.
    """
    check_choice(rule, "missing", missing, EVERY_MISSING)
    check_choice(rule, "levels", levels, (1, 2))
    if missing == "raise":
        refuse_missing(board, rule, ADVICE)
    profile = board.profile() if levels == 1 else task_rankings(board, score, missing)
    return treated(profile, missing).scored(score)
