"""Whatever can be ranked, as votes."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.methods import HasMethods
from nbrank.votes.orientation import LowerIsBetter
from nbrank.votes.tally import Tally
from nbrank.votes.task_names import Groups, Weights
from nbrank.votes.votes import Votes

#: What can be ranked.
Source = pd.DataFrame | Votes | Tally


def given_options(weights: Weights, groups: Groups, lower_is_better: LowerIsBetter) -> list[str]:
    """The names of those options that say anything of a task.

    Examples
    --------
    >>> given_options(None, None, ()), given_options("balanced", None, {"seconds": "max"})
    ([], ['weights', 'lower_is_better'])
    """
    given = {"weights": weights, "groups": groups}
    names = [name for name, option in given.items() if option is not None]
    said: object = lower_is_better
    if said is None or isinstance(said, bool | np.bool_):
        says = bool(said)
    else:
        # A number may be the name of a task.
        says = not isinstance(said, Iterable) or len(list(said)) > 0
    return [*names, "lower_is_better"] if says else names


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
        given = given_options(weights, groups, lower_is_better)
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
        if given_options(weights, groups, lower_is_better):
            what = "comparisons" if "sequence" in scores.offers else "a tally that is weighed"
            raise TypeError(f"weights, groups and lower_is_better don't go with {what}")
        return scores
    return as_leaderboard(scores, weights, groups, lower_is_better)
