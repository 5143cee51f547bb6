"""Bradley and Terry's model with covariates, row by row: strengths, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.paired_comparison_models import maximize_newton
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import (
    Contributions,
    UnitGradients,
    strength_contributions,
)


@dataclass(frozen=True)
class CovariateModel:
    """A logistic regression: log-odds of the left = its strength - the right's + covariates."""

    # The unknowns are the strengths, then that of the prior's opponent, then the coefficients.

    left: Positions
    right: Positions
    won: Floats  # the left's share of each win: 1/2 for a tie
    weights: Floats  # of each row
    squares: Floats  # of each row the sum of the squared weights of its comparisons
    covariates: Floats  # rows x how many
    n_strengths: int  # with that of the prior's opponent

    @classmethod
    def from_rows(
        cls, rows: ComparisonArrays, n_systems: int, covariates: Floats, prior: float
    ) -> CovariateModel:
        """Take the rows, and those of the prior: that many with an average opponent, half won."""
        ones = np.ones(len(rows))
        weights = ones if rows.weights is None else rows.weights
        repeats = ones if rows.repeats is None else rows.repeats
        left, right = rows.left.astype(np.intp), rows.right.astype(np.intp)
        won, each = (rows.outcomes + 1) / 2, np.tile(np.arange(n_systems), 2 if prior else 0)
        further = np.full(len(each), prior / 2)
        return cls(
            np.append(left, each),
            np.append(right, np.full(len(each), n_systems)),
            np.append(won, np.repeat([1.0, 0.0], len(each) // 2)),
            np.append(weights * repeats, further),
            np.append(weights**2 * repeats, further),
            np.append(covariates, np.zeros((len(each), covariates.shape[1])), axis=0),
            n_systems + bool(prior),
        )

    @property
    def n_unknowns(self) -> int:
        """How many strengths and coefficients there are."""
        return self.n_strengths + self.covariates.shape[1]

    def log_odds(self, point: Floats) -> Floats:
        """Compute the log-odds of the left side in each row."""
        n = self.n_strengths
        return np.asarray(point[self.left] - point[self.right] + self.covariates @ point[n:])

    def expected(self, point: Floats) -> Floats:
        """Compute the probability of the left side in each row."""
        return 0.5 + 0.5 * np.tanh(self.log_odds(point) / 2)

    def sums(self, amounts: Floats) -> Floats:
        """Sum the rows' amounts by unknown: as gains of the left, and losses of the right."""
        gained, lost = (
            np.bincount(side, amounts, self.n_strengths) for side in (self.left, self.right)
        )
        return np.append(gained - lost, self.covariates.T @ amounts)

    def products(self, amounts: Floats) -> Floats:
        """Sum the outer products of the rows with themselves, each times its amount."""
        n, left, right = self.n_strengths, self.left, self.right
        met = np.bincount(left * n + right, amounts, n * n).reshape(n, n)
        met = met + met.T
        matrix = np.zeros((self.n_unknowns, self.n_unknowns))
        matrix[:n, :n] = np.diag(met.sum(axis=1)) - met
        for number, item in enumerate(self.covariates.T, start=n):
            matrix[:, number] = matrix[number] = self.sums(amounts * item)
        return matrix

    def information(self, point: Floats) -> Floats:
        """Compute minus the second derivatives of the log-likelihood."""
        expected = self.expected(point)
        return self.products(self.weights * expected * (1 - expected))

    def fit(self, n_systems: int) -> CovariateFit:
        """Maximise the likelihood by Newton's method."""
        start = np.zeros(self.n_unknowns)
        if not _is_identified(self.information(start)):
            return CovariateFit(self, start, n_systems, converged=False)

        def derivatives(point: Floats) -> tuple[Floats, Floats]:
            residual = self.weights * (self.won - self.expected(point))
            return self.sums(residual), self.information(point)

        # The largest change of any log-odds by a step.
        point, converged, _ = maximize_newton(
            derivatives, lambda step: float(np.abs(self.log_odds(step)).max()), start
        )
        return CovariateFit(self, point, n_systems, converged)


@dataclass(frozen=True)
class CovariateFit:
    """The maximum of the likelihood, and what is known of the strengths there."""

    model: CovariateModel
    point: Floats
    n_systems: int
    converged: bool

    @property
    def strengths(self) -> Floats:
        """The log-strengths, of mean 0."""
        strengths = self.point[: self.n_systems]
        return strengths - strengths.mean()

    @property
    def coefficients(self) -> Floats:
        """Change of the left's log-odds by one more of each covariate on the left."""
        return self.point[self.model.n_strengths :]

    @cached_property
    def inverse(self) -> Floats:
        """Systems x unknowns: how the strengths move with each unknown's score."""
        # Strengths are free to move together. Corrected scores don't sum to 0, so none may be held.
        n, information = self.model.n_strengths, self.model.information(self.point)
        rest = np.delete(np.arange(len(information)), n - 1)
        inverse = np.zeros_like(information)
        inverse[np.ix_(rest, rest)] = np.linalg.inv(information[np.ix_(rest, rest)])
        inverse[:n] -= inverse[:n].mean(axis=0)
        inverse[:, :n] -= inverse[:, :n].mean(axis=1, keepdims=True)
        rows = inverse[: self.n_systems]
        return np.asarray(rows - rows.mean(axis=0))

    @property
    def _residuals(self) -> Floats:
        return self.model.won - self.model.expected(self.point)

    def covariance(self, units: Positions | None) -> Floats:
        """Compute the sandwich of the strengths, each row, or each unit of rows, on its own."""
        # As without covariates (`sandwich_covariance`): units are corrected for what they tell.
        model = self.model
        products = model.products(model.squares * self._residuals**2)
        if units is not None:
            n_rows = len(units)
            of_prior = np.where(np.arange(len(model.won)) < n_rows, 0.0, model.squares)
            known = np.diag(model.information(self.point))
            products = model.products(of_prior * self._residuals**2)
            products += self.gradients(units).meat(known)
        return np.asarray(self.inverse @ products @ self.inverse.T)

    def degrees_of_freedom(self, units: Positions | None) -> Floats:
        """Compute the degrees of freedom of the variance of each strength."""
        n = self.n_systems
        if units is None:
            return np.full(n, np.inf)
        known = np.diag(self.model.information(self.point))[:n]
        gradients = self.gradients(units)
        return UnitGradients(
            gradients.scores[:, :n], gradients.information[:, :n]
        ).degrees_of_freedom(known)

    def gradients(self, units: Positions) -> UnitGradients:
        """Sum each unit's rows: their scores and information about each unknown."""
        from scipy.sparse import csr_array, hstack

        model, each = self.model, slice(len(units))
        shape = (int(units.max()) + 1, model.n_strengths)
        columns = model.covariates[each]
        gather = csr_array((np.ones(len(units)), (units, np.arange(len(units)))))

        def sum_units(amounts: Floats, sign: float, values: Floats) -> csr_array:
            where = (np.tile(units, 2), np.append(model.left[each], model.right[each]))
            of_systems = csr_array((np.append(amounts, sign * amounts), where), shape=shape)
            of_columns = csr_array(gather @ (values * amounts[:, None]))
            return csr_array(hstack([of_systems, of_columns]))

        weights, expected = model.weights[each], model.expected(self.point)[each]
        return UnitGradients(
            sum_units(weights * (model.won[each] - expected), -1.0, columns),
            sum_units(weights * expected * (1 - expected), 1.0, columns**2),
        )

    def contributions(self, units: Positions) -> Contributions:
        """Compute what each unit of rows adds to the strengths, to first order."""
        return strength_contributions(self.gradients(units), self.strengths, self.inverse)


def _is_identified(information: Floats) -> bool:
    """Return whether every unknown is determined once the first is held, whatever their units."""
    rest = information[1:, 1:]
    size = np.sqrt(np.diag(rest))
    if (size == 0).any():
        return False
    values = np.linalg.eigvalsh(rest / size / size[:, None])
    return bool(values[0] > 1e-9 * values[-1])
