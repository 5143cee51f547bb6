"""Which systems can't be told apart, read from rank confidence sets?"""

from __future__ import annotations

import pandas as pd

from nbrank.arrays import rank_sets as arrays
from nbrank.questions.measured import OverErrors
from nbrank.questions.rank_confidence import rank_confidence
from nbrank.questions.rank_confidence_from import DELTA, DRAWS
from nbrank.rules.ranking import in_order
from nbrank.rules.rule import RuleLike
from nbrank.votes.draws import Over
from nbrank.votes.leaderboard import Source
from nbrank.votes.methods import question
from nbrank.votes.task_names import RuleOptions


@question("how sure it is", sees="pairs")
def tie_groups(
    scores: Source,
    rule: RuleLike | None = None,
    delta: float = DELTA,
    seed: int | None = None,
    *,
    over: Over | OverErrors | None = None,
    n_draws: int = DRAWS,
    **options: RuleOptions,
) -> pd.DataFrame:
    """Which systems can't be told apart?

    A group is a largest set of systems that may all have the same rank, which is in all their
    confidence sets. A system may be in several groups, as in the bars of a critical difference
    diagram. Within a group one system may still be surely better than another: second place may be
    open to both, and first place to one of them only. Instead of scores, you may give what
    `rank_confidence` has returned.

    Parameters
    ----------
    {source}
    rule, delta, seed, over, n_draws
        As for `rank_confidence`, for all systems at once.
    {rule_options}

    {returns_frame}
        A row for each group, best first, indexed 1, 2, ... by `group`, with the columns

        low, high
            The ranks that are in the confidence sets of all its systems.
        systems
            The list of its systems, best first.

    {raises}
        Also as for `rank_confidence`.

    Examples
    --------
    >>> import pandas as pd
    >>> sets = pd.DataFrame(
    ...     {"rank": [1, 2, 3, 4], "low": [1, 1, 3, 4], "high": [2, 3, 3, 4]}, index=list("ABCD")
    ... )
    >>> tie_groups(sets)
           low  high systems
    group
    1        1     2  [A, B]
    2        3     3  [B, C]
    3        4     4     [D]
    """
    if isinstance(scores, pd.DataFrame) and list(scores.columns) == ["rank", "low", "high"]:
        given = (rule, seed, over, *options.values())
        usual = delta == DELTA and n_draws == DRAWS
        if any(option is not None for option in given) or not usual:
            raise TypeError(
                "tie_groups: this is a frame of rank_confidence, which has its rule and options; "
                "give it alone"
            )
        sets = in_order(scores, "rank")
    elif rule is None:
        raise TypeError(
            "tie_groups needs a rule, as in tie_groups(scores, 'borda'), or what rank_confidence "
            "has returned"
        )
    elif "joint" in options:
        raise TypeError(
            "tie_groups: joint is no option here, since a group speaks of all its systems at "
            "once; to read groups from sets that hold one by one, give it what "
            "rank_confidence(..., joint=False) returned"
        )
    else:
        sets = rank_confidence(
            scores, rule, delta, seed=seed, over=over, n_draws=n_draws, **options
        )
    low, high = sets["low"].to_numpy(), sets["high"].to_numpy()
    found = [
        (low[members].max(), high[members].min(), sets.index[members].tolist())
        for members in arrays.maximal_cliques(low, high)
    ]
    return pd.DataFrame(
        found,
        columns=["low", "high", "systems"],
        index=pd.RangeIndex(1, len(found) + 1, name="group"),
    )
