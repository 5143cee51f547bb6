"""Points for places, also in rounds: scoring vectors, and a missing score's average worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from nbrank.arrays.ballots.ballot_counts import Standings, compress_standings
from nbrank.arrays.ballots.profile import (
    TOLERANCE,
    Missing,
    Places,
    Profile,
    Ties,
    compute_places,
    dense_ranks,
)
from nbrank.arrays.typing import Bools, Floats, Ints, Positions

Vector = Floats
#: Share of the systems level with one that counts as below it.
_TIE_WEIGHTS: dict[Ties, float] = {"average": 0.5, "min": 1.0, "max": 0.0}
#: Ballots looked at in one go where each has a weight of its own.
_BLOCK = 1 << 14
#: Whether a system is scored on a ballot, or on how many ballots it is.
_Number = Bools | Ints
#: A family of scoring vectors: the points of each place, best first, among k systems.
ScoringVectorFactory = Callable[[int], Vector]


def plurality_vector(n: int) -> Vector:
    """Return one point for the first place."""
    return np.concatenate([np.ones(1), np.zeros(n - 1)])


def antiplurality_vector(n: int) -> Vector:
    """Return one point for every place but the last."""
    return np.concatenate([np.ones(n - 1), np.zeros(1)])


def borda_vector(n: int) -> Vector:
    """Return the number of places below."""
    return np.arange(n - 1, -1, -1, dtype=float)


def dowdall_vector(n: int) -> Vector:
    """Return one divided by the place."""
    return 1.0 / np.arange(1, n + 1)


def expected_vectors(vector: Floats, smallest: int) -> dict[int, Floats]:
    """Average the points of the r-th of k scored systems over all compatible complete rankings."""
    # Take a complete ranking of m systems that is drawn uniformly from those compatible with the
    # observed one, and one unscored system in it: it stands in each of the m gaps between the
    # others equally often. So the system with r others above it (among those m - 1) is pushed down
    # a place with probability (r + 1) / m, and
    #
    #     v[m - 1][r] = (m - 1 - r) / m * v[m][r] + (r + 1) / m * v[m][r + 1].
    #
    # Starting from all n systems and taking the unscored out one at a time gives the points among k
    # scored systems, without a factorial and with nothing but averages. For Borda it is the closed
    # form (r' + 1)(n + 1) / (k + 1) - 1 with r' systems below.
    # The vector may have further axes. The vectors of k = n, ..., smallest are given.
    vectors = {len(vector): vector}
    for m in range(len(vector), smallest, -1):
        above = np.arange(1, m).reshape(-1, *[1] * (vector.ndim - 1))
        vector = ((m - above) * vector[:-1] + above * vector[1:]) / m
        vectors[m - 1] = vector
    return vectors


def _share_points(vector: Vector, places: Places, ties: Ties) -> Floats:
    """Return the points of each system on ballots whose places have the points `vector`."""
    first, last = (np.where(places.observed, place, 0) for place in places.place_bounds(ties))
    # A system alone on its place gets the vector's own number, free of the sums' rounding.
    sums = np.concatenate([np.zeros(1), np.cumsum(vector)])
    mean = (sums[last + 1] - sums[first]) / (last - first + 1)
    return np.where(last == first, vector[first], mean)


def points(profile: Profile, family: ScoringVectorFactory, missing: Missing, ties: Ties) -> Floats:
    """Return systems x ballots: the points of each system's place."""
    # With `missing="compatible"` a missing score counts the average over all compatible complete
    # rankings; otherwise places are those among the scored and a missing score gets nothing, with
    # `missing="zero"` for the points that these places have among all systems.
    solution = compute_places(profile.scores)
    n = max(len(profile.scores), 1)  # also if no system is scored
    if solution.observed.all():
        return _share_points(family(n), solution, ties)
    compatible = missing == "compatible"
    n_observed = solution.n_observed
    result = np.full(solution.observed.shape, family(n).mean() if compatible else 0.0)
    sizes = np.unique(n_observed[n_observed > 0])
    expected = expected_vectors(family(n), int(sizes.min())) if compatible and len(sizes) else {}
    for k in sizes.tolist():
        on = n_observed == k
        part = solution.select_ballots(on)
        vector = expected[k] if compatible else family(n if missing == "zero" else k)
        result[:, on] = np.where(part.observed, _share_points(vector, part, ties), result[:, on])
    return result


def positional(
    profile: Profile, family: ScoringVectorFactory, missing: Missing, ties: Ties
) -> Floats:
    """Return the weighted sum of the points of each system's places."""
    return points(profile, family, missing, ties) @ profile.weights


def borda_from_places(places: Places, weights: Floats, missing: Missing, ties: Ties) -> Floats:
    """Sum each system's Borda points over ballots of these weights."""
    below = np.where(places.observed, places.n_below + _TIE_WEIGHTS[ties] * places.n_tied, 0.0)
    scored, absent = places.observed, np.logical_not(places.observed)
    return _borda_from_counts(
        below, scored, absent, np.count_nonzero(scored, axis=0), weights, missing
    )


def _borda_from_counts(
    below: Floats, scored: _Number, absent: _Number, k: Positions, weights: Floats, missing: Missing
) -> Floats:
    """Compute the points from counts of places on ballots, or sums of ballots, with k scored."""
    n = len(below)
    if missing == "zero":
        below = below + scored * (n - k)
    if missing != "compatible":
        return below @ weights
    # See `expected_vectors` for the closed form. Where all are scored, stretch is the weight:
    # nothing is added that would have to cancel.
    stretch = weights * (n + 1) / (k + 1)
    result = below @ stretch
    if absent.any():
        result += scored @ (stretch - weights) + absent @ (weights * ((n - 1) / 2))
    return result


def borda(standings: Standings, missing: Missing, ties: Ties) -> Floats:
    """Count the systems below, summed over the ballots by weight."""
    standings = compress_standings(standings)
    if isinstance(standings, Mapping):
        total = np.zeros(len(next(iter(standings.values())).wins))
        for weight, standing in standings.items():
            k = np.arange(len(total) + 1)
            below = standing.n_below + _TIE_WEIGHTS[ties] * standing.n_tied
            absent = standing.n_ballots - standing.n_observed
            total += weight * _borda_from_counts(
                below, standing.n_observed, absent, k, np.ones(len(k)), missing
            )
        return total
    total = np.zeros(len(standings.scores))
    for start in range(0, len(standings.weights), _BLOCK):
        ballots = standings.select_ballots(slice(start, start + _BLOCK))
        total += borda_from_places(compute_places(ballots.scores), ballots.weights, missing, ties)
    return total


def mean_borda(standings: Standings) -> Floats:
    """Average the number of systems below, by compatible rankings; NaN without a ballot."""
    points_of_all = borda(standings, "compatible", "average")
    if isinstance(standings, Mapping):
        total = sum(weight * standing.n_ballots.sum() for weight, standing in standings.items())
    else:
        total = float(standings.weights.sum())
    return points_of_all / total if total else np.full(len(points_of_all), np.nan)


def place_weights(
    profile: Profile, missing: Missing, ties: Ties, *, from_last: bool = False
) -> Floats:
    """Return systems x places: the weight of the ballots that put each system on each place."""
    # Tied systems share their places; a missing score is spread as `missing` says. Places are
    # counted from the first, or from the last, which differs where only the scored count.
    solution = compute_places(profile.scores)
    n = len(profile.scores)
    n_observed = solution.n_observed
    result = np.zeros((n, n))
    compatible = missing == "compatible"
    fewest = max(int(n_observed.min(initial=n)), 1)
    spread = expected_vectors(np.eye(n), fewest) if compatible else {}
    for k in np.unique(n_observed).tolist():
        on = n_observed == k
        part, weights = solution.select_ballots(on), profile.weights[on]
        if compatible:
            result += ((~part.observed) @ weights)[:, None] / n
        if k == 0:
            continue
        among = _observed_place_weights(part, weights, k, ties)
        if compatible:
            # If all are scored, no unscored system can come between them.
            result += among @ spread[k] if k < n else among
        elif from_last:
            result[:, n - k :] += among
        else:
            result[:, :k] += among
    return result[:, ::-1] if from_last else result


def _observed_place_weights(places: Places, weights: Floats, k: int, ties: Ties) -> Floats:
    """Return systems x k places: the weight on each place among the k scored systems."""
    system, ballot = np.nonzero(places.observed)
    first, last = (place[system, ballot] for place in places.place_bounds(ties))
    each = weights[ballot] / (last - first + 1)
    n = len(places.observed)
    shared = last > first

    def weight_at_place(place: Positions, on: Bools) -> Floats:
        cells = system[on] * (k + 1) + place[on]
        return np.bincount(cells, each[on], n * (k + 1)).reshape(n, k + 1).astype(np.float64)

    # Most places are held alone: those are exact, and only the shared ones need running sums.
    alone = weight_at_place(first, ~shared)
    if shared.any():
        alone = alone + np.cumsum(
            weight_at_place(first, shared) - weight_at_place(last + 1, shared), axis=1
        )
    return alone[:, :k]


def threshold(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Order by fewest last places, then fewest last two, and so on; minus the dense position."""
    last_places = np.cumsum(place_weights(profile, missing, ties, from_last=True), axis=1)
    tolerance = TOLERANCE * float(profile.weights.sum())
    # What comes first decides: rows are sorted by their first entry, then by their second, ...
    numbers = dense_ranks(last_places, tolerance)
    classes = np.unique(numbers, axis=0, return_inverse=True)[1].ravel()
    return 0.0 - classes.astype(float)


def bucklin(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Return minus the depth at which a majority places a system, plus its share."""
    # Half the weight is a majority nowhere, so the share at that depth is in (1/2, 1] and only
    # parts systems that get there at the same depth.
    # A ballot without a score places no system, unless every place is equally likely there.
    observed = np.any(profile.observed, axis=0) | (missing == "compatible")
    shares = np.cumsum(place_weights(profile, missing, ties), axis=1)
    if observed.any():
        shares /= profile.weights[observed].sum()
    majority = shares > 0.5 + TOLERANCE
    # A system placed by half of the weight or less never gets there: after the last place.
    n = len(shares)
    depth = np.where(majority.any(axis=1), np.argmax(majority, axis=1), n)
    share = np.take_along_axis(shares, np.minimum(depth, n - 1)[:, None], axis=1)[:, 0]
    return share - (depth + 1.0)


@dataclass(frozen=True)
class Round:
    """The ballots as they stand among the systems still in."""

    places: Places  # the places among them
    weights: Floats  # the weight of each ballot
    compatible: bool  # whether a missing score counts the average over compatible rankings
    ties: Ties  # which of their places tied systems take

    def borda(self) -> Floats:
        """Count Borda points among the systems left."""
        missing: Missing = "compatible" if self.compatible else "ignore"
        return borda_from_places(self.places, self.weights, missing, self.ties)

    def end_places(self, *, last: bool) -> Floats:
        """Return the weight that puts each system on the first place, or the last."""
        places = self.places
        n, n_observed = len(places.observed), np.count_nonzero(places.observed, axis=0)
        best = worst = n_observed - 1 - places.n_below - places.n_tied
        if self.ties != "min":
            worst = best + places.n_tied
        if self.ties == "max":
            best = worst
        share = (worst == n_observed - 1 if last else best == 0) / (worst - best + 1)
        # The end of a compatible ranking is held by a scored system in k of n cases.
        end, elsewhere = (n_observed / n, 1.0 / n) if self.compatible else (1.0, 0.0)
        return np.where(places.observed, share * end, elsewhere) @ self.weights


def _is_lowest(values: Floats) -> Bools:
    return values <= values.min() + TOLERANCE * np.abs(values).max()


def baldwin(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Count the rounds survived if those with the lowest Borda score go."""
    return _rounds_survived(profile, missing, ties, lambda left: _is_lowest(left.borda()))


def nanson(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Count the rounds survived if those with a Borda score strictly below the mean go."""

    def is_below_mean(left: Round) -> Bools:
        points = left.borda()
        return points < points.mean() - TOLERANCE * np.abs(points).max()

    return _rounds_survived(profile, missing, ties, is_below_mean)


def coombs(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Count the rounds survived if those with the most last places go."""
    return _rounds_survived(
        profile, missing, ties, lambda left: _is_lowest(-left.end_places(last=True))
    )


def instant_runoff(profile: Profile, missing: Missing, ties: Ties) -> Floats:
    """Count the rounds survived if those with the fewest first places go."""
    return _rounds_survived(
        profile, missing, ties, lambda left: _is_lowest(left.end_places(last=False))
    )


def _rounds_survived(
    profile: Profile, missing: Missing, ties: Ties, eliminate: Callable[[Round], Bools]
) -> Floats:
    """Count the rounds that each system survives; those left at the end survive all."""
    # Systems tied for elimination go together, and if these are all, they stay and win
    # together.
    scores = profile.scores
    survived = np.zeros(len(scores))
    left = np.arange(len(scores))
    result = compute_places(scores)
    while len(left) > 1:
        out = eliminate(Round(result, profile.weights, missing == "compatible", ties))
        if not out.any() or out.all():
            break
        below, tied = result.n_below[~out], result.n_tied[~out]
        selected = scores[~out]
        for gone in scores[out]:
            below = below - (selected > gone)
            tied = tied - (selected == gone)
        observed = result.observed[~out]
        if missing != "compatible":
            # A system that is left alone on a ballot is neither first nor last there.
            observed = observed & (np.count_nonzero(observed, axis=0) > 1)
        result = Places(below, tied, observed)
        scores = selected
        left = left[~out]
        survived[left] += 1
    return survived
