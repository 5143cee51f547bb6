"""What the code that three papers released computes, where it is not what their texts say.

The studies put these beside the rules of the text. Each function names the file that it follows.
Rows are systems in the order of the file: the released code looks at positions, not at names.

- Colombo et al. (2022): https://github.com/PierreColombo/RankingNLPSystems
- Himmi et al. (2024): https://github.com/AnasHimmi/MissingDataRanking
- Rofin et al. (2023): https://github.com/PragmaticsLab/vote_and_rank
"""

import os
import re
from collections.abc import Sequence
from fractions import Fraction
from math import log, perm, sqrt
from typing import TextIO

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nbrank.agreement import last_k_agreement, top_k_agreement
from nbrank.arrays import rank_correlation as arrays
from nbrank.arrays.typing import Floats, Positions
from nbrank.votes.formatting import Label

_NUMBER = re.compile(r"([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?")
_MAX_DIGITS = 17


# ------------------------------------------------------------------------- Colombo et al. (2022)


def places_with_ties_broken(scores: ArrayLike) -> Positions:
    """Which place has each score, 0 for the lowest, where equal scores must not share one?

    `ranking_aggregation` of utils.py sorts twice with NumPy's default sort of 2022, which keeps no
    order among equal values. NumPy has since replaced it, but not for Python objects, so these are
    what is sorted.

    Parameters
    ----------
    scores
        A number for each system.

    Returns
    -------
    numpy.ndarray
        The places, a permutation of 0 to n - 1.

    Examples
    --------
    >>> places_with_ties_broken([0.3, 0.1, 0.3]).tolist()
    [1, 0, 2]
    """
    return np.argsort(np.argsort(np.asarray(scores, dtype=object)))


def orderings_of_tasks(table: pd.DataFrame) -> pd.DataFrame:
    """Which orderings does the cell on tau compare that made table 2?

    It reads the leaderboard again, without leaving out its own average, which so counts as a task.
    Where that column is empty, pandas' argsort gives -1 everywhere, and the rows get the places 0,
    1, 2, ... in their order, which is that of the mean.

    Parameters
    ----------
    table
        Complete scores, a column for each task, but for the first: the leaderboard's own average,
        which may be empty.

    Returns
    -------
    pandas.DataFrame
        The columns `mean` and `Borda`: positions of rows, the best first.

    Examples
    --------
    >>> table = pd.DataFrame({"average": [2.0, 2.5, 1.0], "A": [3, 2, 1], "B": [1, 3, 1]})
    >>> orderings_of_tasks(table)["Borda"].tolist()
    [0, 1, 2]
    """
    tasks_only = table.iloc[:, 1:].mean(axis=1)
    rows = table.iloc[np.argsort(places_with_ties_broken(tasks_only))[::-1]]
    counts = np.zeros(len(rows), dtype=int)
    for column in rows:
        values = rows[column].to_numpy(dtype=float)
        is_missing = np.isnan(values)
        order = np.full(len(values), -1)
        order[~is_missing] = np.argsort(values[~is_missing].astype(object))
        counts += np.argsort(order.astype(object))
    scores = {"mean": rows.mean(axis=1).to_numpy(), "Borda": counts}
    best_first = {
        name: np.argsort(places_with_ties_broken(values))[::-1] for name, values in scores.items()
    }
    return pd.DataFrame(best_first)


def read_csv_of_2022(path: str | os.PathLike[str] | TextIO, index: Sequence[str]) -> pd.DataFrame:
    """Which numbers did pandas 1.2 to 2.x read from a CSV file?

    Its default parser took at most 17 digits as one float and divided it by a power of ten. The
    result may be next to the nearest float, so that near-equal scores become equal.

    Parameters
    ----------
    path
        The file, or its text as a stream.
    index
        The columns that are no scores.

    Returns
    -------
    pandas.DataFrame
        The scores, with `index` as the row labels.

    Examples
    --------
    >>> from io import StringIO
    >>> lines = ["name,score", "a,0.16666666666666666", "b,0.16666666666666669"]
    >>> read_csv_of_2022(StringIO(chr(10).join(lines)), ["name"])["score"].nunique()
    1
    """
    cells = pd.read_csv(path, dtype=str)
    for name in index:
        if cells[name].str.fullmatch(r"\d+").all():
            cells[name] = cells[name].astype(int)
    return cells.set_index(list(index)).map(_parse_float_of_2022)


def _parse_float_of_2022(text: str) -> float:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return float(text)
    sign, whole, decimals, power = match.groups()
    number, exponent = 0.0, int(power or 0)
    for position, digit in enumerate(whole + (decimals or "")):
        if position < _MAX_DIGITS:
            number = number * 10.0 + int(digit)
            exponent -= position >= len(whole)
        else:
            exponent += position < len(whole)
    scale = float(f"1e{abs(exponent)}")
    number = number * scale if exponent > 0 else number / scale
    return -number if sign == "-" else number


def orderings_of_instances(scores: pd.DataFrame) -> pd.DataFrame:
    """Which orderings does the notebook on instance-level information compare?

    Parameters
    ----------
    scores
        Complete instance-level scores: index `system`, `instance`; a column for each metric.

    Returns
    -------
    pandas.DataFrame
        The columns `mean`, `one level` and `two levels`: positions of systems, the worst first.

    Examples
    --------
    >>> index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    >>> orderings_of_instances(pd.DataFrame({"metric": [1, 1, 0, 3]}, index=index))
       mean  one level  two levels
    0     0          0           0
    1     1          1           1
    """
    votes = _break_ties(pd.DataFrame(scores.unstack("instance")))
    by_metric = _break_ties(votes.T.groupby(level=0).sum().T)
    counts = {
        "mean": scores.groupby("system").mean().mean(axis=1),
        "one level": votes.sum(axis="columns"),
        "two levels": by_metric.sum(axis="columns"),
    }
    places = _break_ties(pd.DataFrame(counts))
    return pd.DataFrame({name: np.argsort(places[name].to_numpy()) for name in places})


def _break_ties(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        np.apply_along_axis(places_with_ties_broken, 0, table.to_numpy()),
        index=table.index,
        columns=table.columns,
    )


# --------------------------------------------------------------------------- Himmi et al. (2024)


def rank_by_permutation_counts(scores: ArrayLike) -> Floats:
    """How does `partial_rankings.py` rank systems by compatible permutations?

    It differs from the text in two things. `task_level_calculate_correlations.py` adds up *numbers*
    of permutations (`return_ratios=False`): a task on which k of n systems have a score has n!/k!,
    so the emptiest tasks decide. And `p_rank_to_mat` has no case for a tie: the system that comes
    first is treated as if it had no score there, which with nothing missing is a whole win for the
    later row.

    Parameters
    ----------
    scores
        Systems x tasks, lower is better; NaN is a missing score.

    Returns
    -------
    numpy.ndarray
        The rank of each system from 1 on; tied systems share the mean of their ranks.

    Examples
    --------
    With nothing missing, a tie goes to the later row:

    >>> rank_by_permutation_counts([[5.0], [5.0], [7.0]]).tolist()
    [2.0, 1.0, 3.0]
    """
    values = np.asarray(scores, dtype=float)
    n, observed = len(values), ~np.isnan(values)
    n_scored = observed.sum(axis=0)
    table = pd.DataFrame(values)
    first, last, position = (
        table.rank(method=method).to_numpy() for method in ("min", "max", "first")
    )
    # The share of permutations that put a system without a score above; 0 with nothing missing.
    share_above = np.where(n_scored < n, (first + last) // 2 / (n_scored + 1), 0)
    if_scored = first - 1 + (position - first + n - n_scored) * share_above
    if_scored += (last - position) * (1 - share_above)
    if_missing = np.nansum(1 - share_above, axis=0) + (n - n_scored - 1) / 2
    n_permutations = [perm(n, n - int(k)) for k in n_scored]
    halves = np.rint(2 * np.where(observed, if_scored, if_missing) * n_permutations)
    return arrays.average_places(halves.sum(axis=1))


def rank_means_by_random_gaps(scores: ArrayLike, rng: np.random.RandomState) -> Floats:
    """How do the released runs rank means where some systems have no score at all?

    Such a system falls into one of the gaps between the k others, each as likely; those of one gap
    share a rank. (The released code tosses a coin for each place; the released run files don't.)

    Parameters
    ----------
    scores
        Systems x tasks, lower is better; NaN is a missing score.
    rng
        NumPy's generator of old, with the seed of the run.

    Returns
    -------
    numpy.ndarray
        The rank of each system from 1 on; tied systems share the mean of their ranks.

    Examples
    --------
    >>> table = [[3.0, 1.0], [np.nan, np.nan], [1.0, 1.0]]
    >>> rank_means_by_random_gaps(table, np.random.RandomState(0)).tolist()
    [3.0, 2.0, 1.0]
    """
    means = pd.DataFrame(np.asarray(scores, dtype=float)).mean(axis=1).to_numpy()
    is_known = ~np.isnan(means)
    if not is_known.any():
        return arrays.average_places(rng.random_sample(len(means)))
    positions = np.empty(len(means))
    positions[is_known] = arrays.average_places(means[is_known]) - 1
    if not is_known.all():
        gaps = rng.randint(0, is_known.sum() + 1, size=len(means))
        positions[~is_known] = gaps[~is_known] - 0.5
    return arrays.average_places(positions)


def is_same_place(rank: int, first: ArrayLike, second: ArrayLike) -> bool:
    """Do the same systems have this rank in both rankings?

    Tables 2 and 4 count that for "top 1" (rank 1) and "top 3" (rank 3: the third system alone). A
    rank that no system has, since those around it share theirs, counts as not the same.

    Parameters
    ----------
    rank
        The rank, from 1 on.
    first, second
        The ranks of the systems, in the same order.

    Examples
    --------
    >>> is_same_place(1, [1, 2, 3], [1, 3, 2]), is_same_place(3, [1, 2, 3], [1, 3, 2])
    (True, False)
    """
    has_rank, has_rank_too = np.asarray(first) == rank, np.asarray(second) == rank
    return bool(has_rank.any() and (has_rank == has_rank_too).all())


def run_removals(table: pd.DataFrame, n_seeds: int = 100) -> pd.DataFrame:
    """What do the released task-level runs hold, run again?

    `task_level_calculate_correlations.py`: from the seeds 0, 1, ... each score is removed by itself
    with the probabilities 0, 1/19, ..., 1, and both rules rank what is left.

    Parameters
    ----------
    table
        Complete scores in the order of the file's names; the lowest is taken as the best.
    n_seeds
        How many seeds.

    Returns
    -------
    pandas.DataFrame
        A row for each `seed` and `η` (the share removed, as text): `σ^l` and `mean`, Kendall's tau
        of each rule with itself on the complete table; `τ` between the two rules; `top 1` and `top
        3`, whether `is_same_place`. Where a ranking ties all systems, tau counts as 0.

    Examples
    --------
    >>> table = pd.DataFrame({"A": [1.0, 2.0, 3.0], "B": [2.0, 1.0, 3.0]})
    >>> run_removals(table, n_seeds=2).query("η == '0.000'")["mean"].tolist()
    [1.0, 1.0]
    """
    values, rows = table.to_numpy(dtype=float), []
    for seed in range(n_seeds):
        rng = np.random.RandomState(seed)
        complete = rank_by_permutation_counts(values), rank_means_by_random_gaps(values, rng)
        for share in np.linspace(0, 1, 20):
            uniforms = rng.random_sample((len(table), 1 + table.shape[1]))  # the name is a column
            damaged = np.where(uniforms[:, 1:] < share, np.nan, values)
            ranks = rank_by_permutation_counts(damaged), rank_means_by_random_gaps(damaged, rng)
            pairs = (*zip(ranks, complete, strict=True), ranks)
            taus = [arrays.kendall_tau(*pair) for pair in pairs]
            agreements = [is_same_place(rank, *ranks) for rank in (1, 3)]
            rows.append((seed, f"{share:.3f}", *taus, *agreements))
    columns = ["seed", "η", "σ^l", "mean", "τ", "top 1", "top 3"]
    return pd.DataFrame(rows, columns=columns).fillna(0)


def shuffle_probabilities(first: str, second: str) -> dict[str, Fraction]:
    """How likely is each shuffle of two lists by the paper's algorithm 1?

    It takes from the first list with probability 1/2 as long as both have something left.

    Parameters
    ----------
    first, second
        The lists, a letter for each item.

    Examples
    --------
    >>> {order: str(share) for order, share in shuffle_probabilities("a", "xy").items()}
    {'axy': '1/2', 'xay': '1/4', 'xya': '1/4'}
    """
    if not first or not second:
        return {first + second: Fraction(1)}
    result = {}
    for head, rest in ((first[0], (first[1:], second)), (second[0], (first, second[1:]))):
        for tail, share in shuffle_probabilities(*rest).items():
            result[head + tail] = share / 2
    return result


def confidence_width(n_comparisons: float, n_systems: int, delta: float) -> float:
    """How wide is the interval that figure 4 was drawn with?

    The first cell of Synthetic.ipynb and confidence_intervals.ipynb take the bound of Busa-Fekete,
    Hüllermeier and Szörényi (2014), Preference-based rank elicitation using statistical models, in
    place of the paper's equation 4.

    Parameters
    ----------
    n_comparisons
        How often two systems were compared.
    n_systems
        The number of systems.
    delta
        The probability of error.

    Examples
    --------
    >>> round(confidence_width(100, 10, 0.01), 4)
    0.2958
    """
    return sqrt(log(4 * n_systems * n_comparisons**2 / delta) / (2 * n_comparisons))


# --------------------------------------------------------------------------- Rofin et al. (2023)


def compare_name_lists(order: Sequence[Label], reference: Sequence[Label]) -> dict[str, float]:
    """What do two lists of names have in common, by the notebook of case study 1?

    It gives SciPy two lists of *names* in ranking order, so that tau compares the alphabetical
    order of what stands at the same places; and its "least-5" are the last three.

    Parameters
    ----------
    order, reference
        The systems, best first.

    Examples
    --------
    >>> compare_name_lists(list("BACDEFGH"), list("ABCDEFGH"))["top-1"]
    0.0
    """
    shares = {f"top-{k}": top_k_agreement(reference, order, k) for k in (1, 3, 5, 7)}
    shares |= {f"least-{k}": last_k_agreement(reference, order, k) for k in (3, 7)}
    in_alphabet = {name: place for place, name in enumerate(sorted(map(str, reference)))}
    places = [[in_alphabet[str(name)] for name in names] for names in (reference, order)]
    tau = arrays.kendall_tau(*map(np.asarray, places))
    return shares | {"least-5": shares["least-3"], "τ": tau}
