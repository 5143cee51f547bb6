"""Which systems differ significantly over the tasks? Demsar's tests, by label."""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots import averages
from nbrank.arrays.ballots.positional_scoring import mean_borda
from nbrank.arrays.ballots.profile import Profile, competition_ranks
from nbrank.arrays.typing import Array, Bools, Floats
from nbrank.arrays.uncertainty import multiple_comparisons as arrays
from nbrank.arrays.uncertainty.clique_covers import MAX_LETTERS, group_letters
from nbrank.votes.formatting import format_labels, pluralize
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import ViewRequest, check_choice, check_delta, check_pairs_fit
from nbrank.votes.user_warnings import warn_user

PostHoc = Literal["nemenyi", "wilcoxon_holm"]


@register_method(
    "how sure it is",
    sees="ballots",
    suggested_calls=("tie_groups(rule='bradley_terry')", "confidence()"),
)
def critical_difference(
    scores: pd.DataFrame | Leaderboard,
    *,
    delta: float = 0.05,
    method: PostHoc = "nemenyi",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """Which systems can't be told apart by their ranks over the tasks?

    Demsar's procedure: Friedman's test first, in Iman and Davenport's form. If it rejects that all
    systems are alike, all pairs are tested; else no pair is called different. Tasks (or instances)
    count alike, and are taken as independent of each other, which two metrics of one task are not.

    With missing scores the first test is Skillings and Mack's, and "wilcoxon_holm" tests each pair
    on the tasks where both are scored. `pairwise_p_values` gives the p-values with labels.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns; or rows of system
        and instance), or a `Leaderboard` with equal weights.
    weights
        A mapping from task to weight. The tests take all tasks alike: weights of 0 leave tasks out,
        and other weights have to be equal.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    delta
        The probability of calling any two equal systems different.
    method
        The test of pairs: "nemenyi" compares the mean ranks, and its verdict on two systems depends
        on which others are there; "wilcoxon_holm" tests each pair's differences by signed ranks
        (equal scores as Pratt has them), with Holm's correction, and depends only on their number.
        Only the second takes missing scores.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            The rank by mean rank; tied systems share the smallest.
        mean_rank
            The mean over the tasks of the tie-averaged place; 1 is the best. A missing score has
            the mean of its places in all complete rankings that agree with the observed one.
        groups
            Letters: two systems share one if and only if their pair is not significantly
            different. A letter may skip systems in between. If that takes more than 26 letters,
            all are missing, and a warning says where to see the pairs.

        `.attrs` holds `friedman_chi_square` and `friedman_p_value`, `iman_davenport_f` and
        `iman_davenport_p_value` (with missing scores instead `skillings_mack_chi_square`,
        `skillings_mack_p_value` and `least_common_tasks`, the fewest tasks behind a pair),
        `n_tasks`, for "nemenyi" the `critical_difference` of two mean ranks, and `p_values`: those
        of `pairwise_p_values` as lists, in the order of the rows.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If weights differ, or with fewer than two systems or tasks; for "nemenyi" also if a score is
        missing, for "wilcoxon_holm" if a score is infinite or no task links some systems with the
        others. The message says which.

    References
    ----------
    Demsar, Statistical comparisons of classifiers over multiple data sets, 2006; for Wilcoxon's
    test instead of Nemenyi's: Benavoli, Corani and Mangili, Should we really use post-hoc tests
    based on mean-ranks?, 2016; for missing scores: Skillings and Mack, On the use of a
    Friedman-type statistic in balanced and unbalanced block designs, 1981; for letters: Piepho, An
    algorithm for a letter-based representation of all-pairwise comparisons, 2004.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8], [5, 6, 4, 6, 5, 6, 5], [4, 5, 6, 5, 6, 4, 6]],
    ...     index=["A", "B", "C"],
    ... )
    >>> found = critical_difference(scores)
    >>> found.round(3)
       rank  mean_rank groups
    A     1      1.000      a
    B     2      2.429      b
    C     3      2.571      b
    >>> round(found.attrs["critical_difference"], 3)
    1.253
    """
    p_values, means, different = _test("critical_difference", scores, method, delta, **table)
    letters = _letter_label(different, method)
    columns = {"rank": competition_ranks(-means), "mean_rank": means, "groups": letters}
    frame = pd.DataFrame(columns, index=p_values.index)
    frame.attrs = {"method": method, "delta": float(delta), **p_values.attrs}
    frame.attrs["p_values"] = p_values.to_numpy().tolist()
    return frame


@register_method("how sure it is", sees="ballots")
def pairwise_p_values(
    scores: pd.DataFrame | Leaderboard,
    *,
    method: PostHoc = "nemenyi",
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How likely do two equal systems differ as much as these do over the tasks?

    The tests of pairs behind `critical_difference`, which calls a pair different at delta if its
    p-value is at most delta, and that of the test of all systems at once (in `.attrs`), too.

    Parameters
    ----------
    scores
        As for `critical_difference`.
    weights
        A mapping from task to weight. The tests take all tasks alike: weights of 0 leave tasks out,
        and other weights have to be equal.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    method
        "nemenyi" or "wilcoxon_holm", as for `critical_difference`.

    Returns
    -------
    pandas.DataFrame
        Square, a row and a column for each system in the order of `critical_difference`, best
        first: the p-value of each pair, adjusted for the number of pairs; 1 on the diagonal.

        `.attrs` holds `method`, `n_tasks`, and of the tests of all systems at once
        `friedman_chi_square` and `friedman_p_value`, `iman_davenport_f` and
        `iman_davenport_p_value`; where it applies, `critical_difference`.

    Raises
    ------
    TypeError, ValueError
        As `critical_difference`.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8], [5, 6, 4, 6, 5, 6, 5], [4, 5, 6, 5, 6, 4, 6]],
    ...     index=["A", "B", "C"],
    ... )
    >>> pairwise_p_values(scores).round(3)
           A      B      C
    A  1.000  0.021  0.009
    B  0.021  1.000  0.961
    C  0.009  0.961  1.000
    """
    p_values, _, _ = _test("pairwise_p_values", scores, method, **table)
    p_values.attrs = {"method": method, **p_values.attrs}
    return p_values


def _test(
    name: str,
    scores: pd.DataFrame | Leaderboard,
    method: PostHoc,
    delta: float = 0.05,
    **table: Unpack[TableOptions],
) -> tuple[pd.DataFrame, Floats, Bools]:
    """Test all systems at once, and each pair; list the systems from the best mean rank on.

    Returns the p-values of pairs, with facts about both tests; the mean ranks; and which pairs are
    different by both tests.
    """
    check_delta(name, delta)
    check_choice(name, "method", method, ("nemenyi", "wilcoxon_holm"))
    board = as_leaderboard(scores, **table)
    check_pairs_fit(name, len(board.systems))
    board.check(ViewRequest(name, "ballots", "ignore"))
    board = board.expand_voters(each=True)
    _check_input(name, board, method)
    ballots = board.profile().scores
    n_systems, n_tasks = ballots.shape
    facts: dict[Any, Any]
    profile = Profile(ballots, np.ones(n_tasks))
    if np.isnan(ballots).any():
        common = _common_tasks(name, board, ballots)
        n_tasks = int((np.count_nonzero(~np.isnan(ballots), axis=0) > 1).sum())
        facts = arrays.skillings_mack(ballots) | {"least_common_tasks": int(common.min())}
        omnibus_p_value = facts["skillings_mack_p_value"]
        means = n_systems - mean_borda(profile)
    else:
        facts = arrays.friedman(ballots)
        omnibus_p_value = facts["iman_davenport_p_value"]
        means = averages.mean_place(profile)
    if method == "nemenyi":
        least = arrays.nemenyi_distance(delta, n_systems, n_tasks)
        facts["critical_difference"] = least
        p_values = arrays.nemenyi_p_values(means, n_tasks)
        # The differences must agree with both p_values <= delta and the reported distance.
        different = np.abs(means[:, None] - means) >= least
    else:
        p_values = arrays.wilcoxon_holm_p_values(ballots)
        different = p_values <= delta
    order = np.argsort(competition_ranks(-means), kind="stable")
    pairs, systems = np.ix_(order, order), board.systems[order]
    frame = pd.DataFrame(p_values[pairs], systems, systems)
    frame.attrs = {"n_tasks": n_tasks, **facts}
    return frame, means[order], different[pairs] & (omnibus_p_value <= delta)


def _check_input(name: str, board: Leaderboard, method: PostHoc) -> None:
    """Fail on input that the tests can't handle."""
    if board.column_clusters is not None and board.clusters is not None:
        level = board.clusters.name
        raise ValueError(
            f"{name}: the tests take all instances as independent, and these lie in clusters "
            f"({level!r}); average each cluster first, scores.groupby(level=['system', {level!r}])"
            f".mean().rename_axis(index={{{level!r}: 'instance'}})"
        )
    if method == "nemenyi":
        board.raise_for_cells(
            name,
            np.isnan(board.values),
            "missing score",
            "Nemenyi's test needs mean ranks over the same tasks; use method='wilcoxon_holm', "
            "which tests each pair on its common tasks, or leave out those tasks "
            "(scores.dropna(axis='columns')) or those systems (scores.dropna())",
        )
    weights = board.weights[board.weights > 0]
    if (weights != weights[0]).any():
        raise ValueError(
            f"{name}: the tests take all tasks alike, but these have different weights; "
            f"leave the weights out, or choose tasks by a weight of 0 for the others"
        )
    k, n = len(board.systems), int(board.active_columns.sum())
    if k < 2 or n < 2:
        raise ValueError(
            f"{name}: {pluralize(k, 'system')} on {pluralize(n, 'task')}; it takes two of each at "
            "least"
        )
    if method == "wilcoxon_holm":
        board.check_finite(
            name, "they have no differences; choose method='nemenyi', which looks at ranks only"
        )


def _common_tasks(name: str, board: Leaderboard, ballots: Array) -> Floats:
    """Count the common tasks of each pair; refuse systems that no chain of tasks links."""
    from scipy.sparse.csgraph import connected_components

    observed = (~np.isnan(ballots)).astype(np.float64)
    common: Floats = observed @ observed.T
    _, part_of = connected_components(common > 0, directed=False)
    largest = np.bincount(part_of).argmax()
    if (part_of != largest).any():
        apart = board.systems[part_of != largest]
        raise ValueError(
            f"{name}: no task links {format_labels(apart)} with the other systems, so no test "
            f"compares them. Leave them out: scores.drop(index={apart.tolist()!r})"
        )
    return common[np.triu_indices(len(common), 1)]


def _letter_label(different: Bools, method: str) -> list[str] | list[None]:
    """Return the letters of each system, or None for all if there are too many, with a warning."""
    letters = group_letters(different)
    if letters is None:
        warn_user(
            f"critical_difference: it takes more than {MAX_LETTERS} letters to show which pairs "
            f"differ, so 'groups' is empty. See the pairs with nbrank.pairwise_p_values(scores, "
            f"method={method!r}); charts.pairwise_p_values draws them"
        )
        return [None] * len(different)
    return letters
