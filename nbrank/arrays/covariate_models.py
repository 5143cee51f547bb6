"""Bradley and Terry's model with covariates, row by row: strengths, and how sure they are."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from nbrank.arrays import paired_comparison_models as models
from nbrank.arrays.ballots.pairwise_counts import ComparisonArrays
from nbrank.arrays.typing import Floats, Positions
from nbrank.arrays.uncertainty.influence import Contributions, UnitGradients, strength_contributions

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class CovariateModel:
    """A logistic regression: log-odds of the left = its strength - the right's + covariates."""

    # The unknowns are the strengths, then that of the prior's opponent, then the coefficients.

    design: csr_array  # rows x unknowns: 1 for the left, -1 for the right, and the covariates
    won: Floats  # the left's share of each win: 1/2 for a tie
    weights: Floats  # of each row
    squares: Floats  # of each row the sum of the squared weights of its comparisons
    n_strengths: int  # with that of the prior's opponent

    @classmethod
    def from_rows(
        cls,
        rows: ComparisonArrays,
        n_systems: int,
        covariates: Floats | None = None,
        prior: float = 0.0,
    ) -> CovariateModel:
        """Take the rows, and those of the prior: that many with an average opponent, half won."""
        from scipy.sparse import csr_array, hstack

        ones = np.ones(len(rows))
        weights = ones if rows.weights is None else rows.weights
        repeats = ones if rows.repeats is None else rows.repeats
        each = np.tile(np.arange(n_systems), 2 if prior else 0)
        further = np.full(len(each), prior / 2)
        left = np.append(rows.left, each)
        right = np.append(rows.right, np.full(len(each), n_systems))
        n, n_strengths = len(left), n_systems + bool(prior)
        signs = np.repeat([1.0, -1.0], n)
        where = (np.tile(np.arange(n), 2), np.append(left, right))
        sides = csr_array((signs, where), shape=(n, n_strengths))
        given = np.zeros((len(rows), 0)) if covariates is None else covariates
        others = np.append(given, np.zeros((len(each), given.shape[1])), axis=0)
        return cls(
            csr_array(hstack([sides, csr_array(others)])),
            np.append((rows.outcomes + 1) / 2, np.repeat([1.0, 0.0], len(each) // 2)),
            np.append(weights * repeats, further),
            np.append(weights**2 * repeats, further),
            n_strengths,
        )

    def expected(self, point: Floats) -> Floats:
        """Compute the probability of the left side in each row."""
        return np.asarray(0.5 + 0.5 * np.tanh(self.design @ point / 2))

    def products(self, amounts: Floats) -> Floats:
        """Sum the outer products of the rows with themselves, each times its amount."""
        return np.asarray((self.design.T @ _scale_rows(self.design, amounts)).toarray())

    def information(self, point: Floats) -> Floats:
        """Compute minus the second derivatives of the log-likelihood."""
        expected = self.expected(point)
        return self.products(self.weights * expected * (1 - expected))

    def gradients(self, units: Positions, point: Floats) -> UnitGradients:
        """Sum each unit's rows: their scores and information about each unknown."""
        from scipy.sparse import csr_array

        n, expected = len(units), self.expected(point)
        scores = (self.weights * (self.won - expected))[:n]
        known = (self.weights * expected * (1 - expected))[:n]
        gather, rows = csr_array((np.ones(n), (units, np.arange(n)))), self.design[:n]
        return UnitGradients(
            csr_array(gather @ _scale_rows(rows, scores)),
            csr_array(gather @ _scale_rows(rows**2, known)),
        )

    def fit(self, n_systems: int) -> CovariateFit:
        """Maximise the likelihood by Newton's method."""
        start = np.zeros(self.design.shape[1])
        if not _is_identified(self.information(start)):
            return CovariateFit(self, start, n_systems, converged=False)

        def derivatives(point: Floats) -> tuple[Floats, Floats]:
            residual = self.weights * (self.won - self.expected(point))
            return self.design.T @ residual, self.information(point)

        # The largest change of any log-odds by a step.
        point, converged, _ = models.maximize_newton(
            derivatives, lambda step: float(np.abs(self.design @ step).max()), start
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
            products += model.gradients(units, self.point).meat(known)
        return np.asarray(self.inverse @ products @ self.inverse.T)

    def degrees_of_freedom(self, units: Positions | None) -> Floats:
        """Compute the degrees of freedom of the variance of each strength."""
        n = self.n_systems
        if units is None:
            return np.full(n, np.inf)
        known = np.diag(self.model.information(self.point))[:n]
        gradients = self.model.gradients(units, self.point)
        return UnitGradients(
            gradients.scores[:, :n], gradients.information[:, :n]
        ).degrees_of_freedom(known)

    def contributions(self, units: Positions) -> Contributions:
        """Compute what each unit of rows adds to the strengths, to first order."""
        return strength_contributions(
            self.model.gradients(units, self.point), self.strengths, self.inverse
        )


def _scale_rows(matrix: csr_array, amounts: Floats) -> csr_array:
    from scipy.sparse import csr_array, diags_array

    return csr_array(diags_array(amounts) @ matrix)


def _is_identified(information: Floats) -> bool:
    """Return whether every unknown is determined once the first is held, whatever their units."""
    rest = information[1:, 1:]
    size = np.sqrt(np.diag(rest))
    if (size == 0).any():
        return False
    values = np.linalg.eigvalsh(rest / size / size[:, None])
    return bool(values[0] > 1e-9 * values[-1])
