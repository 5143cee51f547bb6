"""Whatever can be ranked, as votes."""

from __future__ import annotations

import pandas as pd

from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.methods import HasMethods
from nbrank.votes.orientation import LowerIsBetter, turns_tasks_round
from nbrank.votes.tally import Tally
from nbrank.votes.task_names import Groups, Weights
from nbrank.votes.votes import Votes

#: What can be ranked.
Source = pd.DataFrame | Votes | Tally


def as_leaderboard(
    scores: pd.DataFrame | Leaderboard,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> Leaderboard:
    """Check a frame once, or pass a leaderboard through.

    Parameters
    ----------
    scores
        A frame of scores, or a leaderboard, which has its own options.
    weights, groups, lower_is_better
        As for `Leaderboard`; refused beside a leaderboard.

    Returns
    -------
    Leaderboard

    Raises
    ------
    TypeError
        If options are given beside a leaderboard, or `scores` is something else.
    """
    if isinstance(scores, Leaderboard):
        given = [
            name
            for name, is_given in {
                "weights": weights is not None,
                "groups": groups is not None,
                "lower_is_better": turns_tasks_round(lower_is_better),
            }.items()
            if is_given
        ]
        if given:
            raise TypeError(
                f"{', '.join(given)} can't be given beside a Leaderboard, which has its own; "
                f"make another Leaderboard from its .scores, or use .with_weights()"
            )
        return scores
    return Leaderboard(scores, weights=weights, groups=groups, lower_is_better=lower_is_better)


def as_votes(
    scores: Source,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    *,
    sees: str = "",
) -> Votes:
    """Check a source and what goes with it once, or pass votes through.

    Parameters
    ----------
    scores
        A frame of scores, a leaderboard, a tally, or comparisons.
    weights, groups, lower_is_better
        As for `Leaderboard`; only beside a frame or a tally.
    sees
        The views that are needed, with blanks between them.

    Raises
    ------
    TypeError
        If the options don't go with the source, or it is something else.
    """
    if isinstance(scores, HasMethods) and not set(sees.split()) <= scores.offers:
        raise TypeError(scores.instead)
    if isinstance(scores, Tally):
        return scores.weighed(weights, groups, lower_is_better)
    if isinstance(scores, Votes) and not isinstance(scores, Leaderboard):
        if weights is not None or groups is not None or turns_tasks_round(lower_is_better):
            what = "comparisons" if "sequence" in scores.offers else "a tally that is weighed"
            raise TypeError(f"weights, groups and lower_is_better don't go with {what}")
        return scores
    return as_leaderboard(scores, weights, groups, lower_is_better)
