"""How far the ballots of a profile scatter, and how far they lie from a consensus."""

# Both are shares of disagreement: take two ballots (or one, and the consensus) by their weights
# and two systems that can be compared there; how likely are they ordered differently, a pair tied
# in exactly one of the two rankings counting half? NaN if nothing can be compared.

from __future__ import annotations

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.rank_correlation import RankArray


def mean_pairwise_disagreement(profile: Profile, counts: PairwiseCounts) -> float:
    """Compare every two different ballots, on every pair of systems scored on both."""
    # The pairs of ballots need not be gone through: those that disagree about two systems are one
    # that has the first above and one that has the second above, so their weight is a product of
    # two pairwise counts. This costs as much as counting does, where the double sum over ballots
    # would cost that times their number.
    pairs = np.triu_indices(len(counts.wins), 1)
    above, below, tied = counts.wins[pairs], counts.wins.T[pairs], counts.ties[pairs]
    disagreeing = 2 * above @ below + tied @ (above + below)
    scored = profile.observed.astype(float)
    same_ballot = ((scored * profile.weights**2) @ scored.T)[pairs]
    # A ballot and itself are not a pair of ballots. Without another one, rounding must not
    # leave a rest.
    comparable = counts.compared[pairs] ** 2 - same_ballot
    comparable[comparable <= 1e-9 * same_ballot] = 0.0
    return _safe_ratio(float(disagreeing), float(comparable.sum()))


def disagreement_from_ranking(counts: PairwiseCounts, ranks: RankArray) -> float:
    """Compare every ballot with one ranking, on every pair of systems scored on the ballot."""
    above = ranks[:, None] < ranks
    level = np.triu(ranks[:, None] == ranks, 1)
    reversed_ = (counts.wins.T + counts.ties / 2)[above].sum()
    split = (counts.wins + counts.wins.T)[level].sum() / 2
    return _safe_ratio(float(reversed_ + split), float(np.triu(counts.compared, 1).sum()))


def _safe_ratio(disagreeing: float, comparable: float) -> float:
    return disagreeing / comparable if comparable > 0 else np.nan
