"""How far two rankings agree: correlations, distances and overlaps, aligned by system."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from nbrank.arrays import rank_correlation as arrays
from nbrank.arrays.typing import Floats
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.labeled_values import as_frame, clean_label
from nbrank.votes.method_registry import MethodsMixin
from nbrank.votes.table.validation import validate_integer, validate_number

__all__ = [
    "kendall_distance",
    "kendall_tau",
    "last_k_agreement",
    "rank_biased_overlap",
    "spearman",
    "top_k_agreement",
]

Ranking: TypeAlias = pd.DataFrame | pd.Series | pd.Index | Sequence[Label]

_ACCEPTED_FORMS = (
    "give a ranking (a frame with 'rank' and 'score'), its ranks (r['rank']), "
    "or a list of systems, best first"
)


def kendall_tau(a: Ranking, b: Ranking) -> float:
    """How far do two rankings order the pairs of systems alike? Kendall's tau-b.

    Parameters
    ----------
    a
        A ranking (a frame with the columns `rank` and `score`), a Series of ranks indexed by
        system, or a list, tuple or Index of systems, best first. Of ranks only the order is read:
        it does not matter how ties are numbered. Those of a Series lie between 1 and the number of
        systems; a part of a ranking (`r.loc[some]`) may keep the ranks that it had among all.
    b
        Another such ranking of the same systems, in any of these forms.

    Returns
    -------
    float
        1 for the same ranking, -1 for a strict one and its reverse. NaN where one of the rankings
        ties all systems, or there is only one: no pair is ordered then, and tau is undefined.

    Raises
    ------
    TypeError
        If an argument carries no labels (an array), or is not a ranking.
    ValueError
        If the two are not about the same systems, if a system is there twice or
        has no rank, or if a number can't be a rank: it is below 1, in a Series above
        the number of systems, or neither whole nor a half. The message names them.

    References
    ----------
    Kendall, The treatment of ties in ranking problems, Biometrika, 1945.

    Examples
    --------
    >>> kendall_tau(["A", "B", "C"], ["A", "C", "B"])
    0.3333333333333333
    >>> ranks = pd.Series({"C": 3, "B": 1, "A": 1})
    >>> round(kendall_tau(ranks, ["A", "B", "C"]), 4)
    0.8165

    Scores are not ranks:

    >>> kendall_tau(["A", "B"], pd.Series({"A": 90, "B": 70}))
    Traceback (most recent call last):
    ValueError: the second ranking holds numbers that can't be ranks, for 'A', 'B' among 2 ...
    """
    return arrays.kendall_tau(*align_ranks(a, b))


def kendall_distance(a: Ranking, b: Ranking) -> float:
    """How many pairs of systems do two rankings order differently?

    Parameters
    ----------
    a, b
        Two rankings of the same systems, as for `kendall_tau`.

    Returns
    -------
    float
        The number of pairs that the rankings order in opposite ways, plus 1/2 for each pair tied in
        exactly one of them; a pair tied in both counts 0. From 0 to n (n - 1) / 2 for n systems.

    Raises
    ------
    TypeError, ValueError
        As for `kendall_tau`.

    References
    ----------
    Fagin, Kumar, Mahdian, Sivakumar and Vee, Comparing partial rankings, SIAM Journal on Discrete
    Mathematics, 2006: their distance with penalty 1/2.

    Examples
    --------
    >>> kendall_distance(["A", "B", "C"], ["C", "B", "A"])
    3.0
    >>> kendall_distance(["A", "B", "C"], pd.Series({"A": 1, "B": 1, "C": 3}))
    0.5
    """
    return arrays.kendall_distance(*align_ranks(a, b))


def spearman(a: Ranking, b: Ranking) -> float:
    """How far do two rankings give each system the same place? Spearman's rho.

    Parameters
    ----------
    a, b
        Two rankings of the same systems, as for `kendall_tau`.

    Returns
    -------
    float
        Pearson's correlation between the places, tied systems sharing the average of theirs. NaN
        where one of the rankings ties all systems, or there is only one.

    Raises
    ------
    TypeError, ValueError
        As for `kendall_tau`.

    References
    ----------
    Spearman, The proof and measurement of association between two things, 1904.

    Examples
    --------
    >>> spearman(["A", "B", "C"], ["A", "C", "B"])
    0.5
    """
    return arrays.spearman(*align_ranks(a, b))


def top_k_agreement(a: Ranking, b: Ranking, k: int) -> float:
    """Which share of the k best systems do two rankings have in common?

    Parameters
    ----------
    a, b
        Two rankings of the same systems, as for `kendall_tau`.
    k
        How many places from the top count, at least 1. Tied systems share the
        smallest of their places, so more than k systems may have rank k or better.

    Returns
    -------
    float
        The number of systems with rank k or better in both, over the size of the
        larger of the two sets. From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As for `kendall_tau`; also if k is not a whole number, or below 1.

    Examples
    --------
    >>> top_k_agreement(["A", "B", "C", "D"], ["B", "C", "A", "D"], 2)
    0.5

    B and C share rank 2, so that the second set has three systems:

    >>> tied = pd.Series({"A": 1, "B": 2, "C": 2, "D": 4})
    >>> round(top_k_agreement(["A", "B", "C", "D"], tied, 2), 4)
    0.6667
    """
    return arrays.top_k_agreement(*align_ranks(a, b), validate_integer("top_k_agreement", "k", k))


def last_k_agreement(a: Ranking, b: Ranking, k: int) -> float:
    """Which share of the k last systems do two rankings have in common?

    Parameters
    ----------
    a, b
        Two rankings of the same systems, as for `kendall_tau`.
    k
        How many places from the bottom count, at least 1. A system's rank from the
        bottom is one more than the number of systems below it, so tied systems
        share theirs: this is `top_k_agreement` of the two rankings read upwards.

    Returns
    -------
    float
        The number of systems with rank k or less from the bottom in both, over the
        size of the larger of the two sets. From 0 to 1.

    Raises
    ------
    TypeError, ValueError
        As for `top_k_agreement`.

    Examples
    --------
    >>> last_k_agreement(["A", "B", "C", "D"], ["B", "A", "D", "C"], 1)
    0.0
    >>> last_k_agreement(["A", "B", "C", "D"], ["B", "A", "D", "C"], 2)
    1.0
    """
    return arrays.last_k_agreement(*align_ranks(a, b), validate_integer("last_k_agreement", "k", k))


def rank_biased_overlap(a: Ranking, b: Ranking, p: float = 0.9) -> float:
    """How far do two rankings agree where the top counts most? Rank-biased overlap, extrapolated.

    Parameters
    ----------
    a, b
        Two rankings of the same systems, as for `kendall_tau`.
    p
        How likely a reader who has seen one more place is to go on to the next,
        strictly between 0 and 1. The smaller, the more the first places count.

    Returns
    -------
    float
        The mean of the agreements at depths 1, 2, ..., the depth d weighing (1 - p) p^(d - 1) and
        the depths beyond the last system agreeing as the last one does. The agreement at depth d is
        twice the number of systems of rank d or better in both rankings, over the sum of their
        numbers in each; tied systems all stand at the first of their places. From 0 to 1; equal
        rankings give exactly 1.

    Raises
    ------
    TypeError, ValueError
        As for `kendall_tau`; also if p is not between 0 and 1.

    References
    ----------
    Webber, Moffat and Zobel, A similarity measure for indefinite rankings, 2010: the extrapolated
    value, with the agreement that they define for ties.

    Examples
    --------
    >>> rank_biased_overlap(["A", "B", "C"], ["B", "A", "C"])
    0.9
    >>> rank_biased_overlap(["A", "B", "C"], ["A", "C", "B"])
    0.955
    """
    if not 0 < validate_number("rank_biased_overlap", "p", p) < 1:
        raise ValueError(f"rank_biased_overlap: p must be strictly between 0 and 1, not {p!r}")
    return arrays.rank_biased_overlap(*align_ranks(a, b), float(p))


def align_ranks(a: Ranking, b: Ranking) -> tuple[Floats, Floats]:
    """Align two rankings: vectors of ranks over the same systems in the same order."""
    systems_a, ranks_a = parse_ranking(a, "the first ranking")
    systems_b, ranks_b = parse_ranking(b, "the second ranking")
    position, ours = {system: number for number, system in enumerate(systems_b)}, set(systems_a)
    only = {
        "first": [system for system in systems_a if system not in position],
        "second": [system for system in systems_b if system not in ours],
    }
    differing = [
        f"{format_labels(labels)} only in the {which}" for which, labels in only.items() if labels
    ]
    if differing:
        raise ValueError(
            f"the rankings are not about the same systems: {'; '.join(differing)}; "
            f"rank the same systems, or select the common ones in both (r.loc[common])"
        )
    return ranks_a, ranks_b[[position[system] for system in systems_a]]


def parse_ranking(ranking: object, position_name: str) -> tuple[list[Label], Floats]:
    """Return the systems of a ranking of any form, and their ranks; errors say `position_name`."""
    ranking = as_frame(ranking)
    if isinstance(ranking, pd.DataFrame):
        if not {"rank", "score"} <= set(ranking.columns):
            raise TypeError(
                f"{position_name} is a frame without the columns 'rank' and 'score'; "
                f"{_ACCEPTED_FORMS}"
            )
        # With a column of scores, these are ranks; a part of a ranking keeps its ranks among all.
        return _parse_series(ranking["rank"], position_name, last=sys.float_info.max)
    if isinstance(ranking, pd.Series):
        return _parse_series(ranking, position_name, last=len(ranking))
    if isinstance(ranking, list | tuple | pd.Index):
        systems = list(map(clean_label, ranking))
        _check_systems(systems, position_name)
        return systems, np.arange(1.0, len(systems) + 1)
    if isinstance(ranking, MethodsMixin):
        raise TypeError(f"{position_name} is a {type(ranking).__name__}: rank it by a rule first")
    if isinstance(ranking, np.ndarray | pd.api.extensions.ExtensionArray):
        raise TypeError(
            f"{position_name} is an array: it carries no systems by which it could be aligned; "
            f"{_ACCEPTED_FORMS}"
        )
    ranks = "; ranks by system go in as pandas.Series(ranks)" if isinstance(ranking, dict) else ""
    raise TypeError(
        f"{position_name} is of type {type(ranking).__name__}; {_ACCEPTED_FORMS}{ranks}"
    )


def _parse_series(ranks: pd.Series, argument: str, last: float) -> tuple[list[Label], Floats]:
    if ranks.name == "score":
        raise ValueError(
            f"{argument} is a Series named 'score', where higher is better; give the ranks "
            f"(r['rank'])"
        )
    systems: list[Label] = list(map(clean_label, ranks.index))
    _check_systems(systems, argument)
    if isinstance(ranks.dtype, np.dtype) and ranks.dtype.kind == "i":
        values = ranks.to_numpy(dtype=float)  # whole numbers, and none missing
    else:
        values = _to_floats(ranks, argument)
    # Scores taken for ranks would be read upside down. A rank is one more than a number of
    # systems, or the average of two such numbers.
    halves = 2 * values
    no_rank = ~((values >= 1) & (values <= last)) | (np.round(halves) != halves)
    if no_rank.any():
        raise ValueError(
            f"{argument} holds numbers that can't be ranks, for "
            f"{format_labels(ranks.index[no_rank])} among {pluralize(len(systems), 'system')}; "
            "turn scores into ranks: series.rank(ascending=False); and ranks that were counted "
            "from 0 or among more systems into ranks of these: series.rank()"
        )
    return systems, values


def _to_floats(ranks: pd.Series, argument: str) -> Floats:
    if pd.api.types.is_bool_dtype(ranks) or not all(
        isinstance(value, int | float | np.integer | np.floating) or pd.isna(value)
        for value in ranks.tolist()
    ):
        raise TypeError(
            f"{argument} is a Series that does not hold ranks (numbers); {_ACCEPTED_FORMS}. "
            f"A Series of systems, best first, goes in as list(series)"
        )
    missing = ranks.isna().to_numpy()
    if missing.any():
        raise ValueError(f"{argument} gives no rank (NaN) to {format_labels(ranks.index[missing])}")
    return ranks.to_numpy(dtype=float)


def _check_systems(systems: list[Any], argument: str) -> None:
    if not systems:
        raise ValueError(f"{argument} is empty; there is nothing to compare")
    try:
        distinct = len(set(systems))
    except TypeError:
        wrong = [system for system in systems if not isinstance(system, Hashable)]
        raise TypeError(
            f"{argument} holds {format_labels(wrong)}, which can't be the label of a system"
        ) from None
    if any(isinstance(system, float) and np.isnan(system) for system in systems):
        raise ValueError(f"{argument} has a system without a name (NaN); name every system")
    if distinct < len(systems):
        twice = [system for system, times in Counter(systems).items() if times > 1]
        raise ValueError(
            f"{argument} holds {format_labels(twice)} more than once; keep each system once"
        )
