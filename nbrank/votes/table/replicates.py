"""Runs of each system, such as one for each seed: their averages and standard errors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import power_of_two
from nbrank.arrays.typing import Array, Floats, Positions
from nbrank.votes.formatting import format_labels

#: Names of levels that number the runs of a system.
REPLICATE_LEVELS = ("seed", "run", "fold", "repeat")


@dataclass(frozen=True, eq=False)
class Replicates:
    """Runs of each system, unpaired; their number may differ between systems."""

    values: Floats
    system_codes: Positions
    level: str
    n_systems: int

    @classmethod
    def from_rows(cls, rows: pd.Index, values: Array, level: str) -> tuple[pd.Index, Replicates]:
        """Split rows (system, run) x tasks into the systems and their runs."""
        check_rows_unique(rows)
        system_of, systems = pd.factorize(rows.get_level_values("system"))
        if (system_of < 0).any():
            raise ValueError("a row has no system (NaN); name every one")
        replicates = cls(values.astype(np.float64), system_of, level, len(systems))
        return pd.Index(systems).rename("system"), replicates

    @cached_property
    def _sorted_cells(self) -> tuple[Floats, Positions, Positions]:
        """All scores, sorted within each cell, with the start and the number of each cell."""
        observed = ~np.isnan(self.values)
        run, task = np.nonzero(observed)
        cell = self.system_codes[run] * self.values.shape[1] + task
        scores = self.values[run, task]
        # Sorting makes sums of the same numbers equal, whatever their order.
        order = np.lexsort((scores, cell))
        sizes = np.bincount(cell, minlength=self.n_systems * self.values.shape[1])
        return scores[order], np.cumsum(sizes) - sizes, sizes

    @property
    def n_runs(self) -> Positions:
        """Systems x tasks: the number of runs with a score."""
        return self._sorted_cells[2].reshape(self.n_systems, self.values.shape[1])

    @cached_property
    def means(self) -> Floats:
        """Systems x tasks: the average of the runs; NaN without any."""
        result: Floats = self._sum_by_cell(self._sorted_cells[0]) / np.where(
            self.n_runs, self.n_runs, np.nan
        )
        return result

    @property
    def standard_errors(self) -> Floats:
        """Systems x tasks: the standard error of the average; NaN for fewer than two runs."""
        away = self._sorted_cells[0] - np.repeat(self.means.ravel(), self._sorted_cells[2])
        # Deviations are scaled, so that their squares neither overflow nor vanish.
        unit = power_of_two(float(np.abs(away).max(initial=0.0)) or 1.0)
        several = np.where(self.n_runs > 1, self.n_runs, np.nan)
        result: Floats = (
            np.sqrt(self._sum_by_cell((away / unit) ** 2) / (several - 1) / several) * unit
        )
        return result

    def _sum_by_cell(self, scores: Floats) -> Floats:
        cell = np.repeat(np.arange(self.n_runs.size), self._sorted_cells[2])
        sums = np.bincount(cell, scores, self.n_runs.size).astype(np.float64)
        return sums.reshape(self.n_systems, self.values.shape[1])

    def select_system_runs(self, system: int) -> Floats:
        """Select the runs of one system: runs x tasks."""
        result: Floats = self.values[self.system_codes == system]
        return result

    def __str__(self) -> str:
        least, most = int(self.n_runs.min()), int(self.n_runs.max())
        return f"{most if least == most else f'{least} to {most}'} {self.level}{'s' * (most != 1)}"

    def select_systems(self, systems: Positions) -> Replicates:
        """Select the runs of some systems."""
        place = np.full(self.n_systems, -1)
        place[systems] = np.arange(len(systems))
        system_of = place[self.system_codes]
        selected = system_of >= 0
        return replace(
            self,
            values=self.values[selected],
            system_codes=system_of[selected],
            n_systems=len(systems),
        )

    def select_tasks(self, tasks: Positions | list[int]) -> Replicates:
        """Select the runs on some tasks."""
        return replace(self, values=self.values[:, tasks])

    def shift(self, offset: Floats) -> Replicates:
        """Shift all runs of a cell by the same amount (systems x tasks)."""
        return replace(self, values=self.values + offset[self.system_codes])

    def resample(self, rng: np.random.Generator) -> Replicates:
        """Resample each cell's runs with replacement, as many as it has."""
        scores, starts, sizes = self._sorted_cells
        cell = np.repeat(np.arange(len(sizes)), sizes)
        drawn = starts[cell] + rng.integers(0, sizes[cell])
        values = np.full(self.values.shape, np.nan)
        run, task = np.nonzero(~np.isnan(self.values))
        order = np.argsort(self.system_codes[run] * self.values.shape[1] + task, kind="stable")
        values[run[order], task[order]] = scores[drawn]
        return replace(self, values=values)


def check_rows_unique(rows: pd.Index) -> None:
    """Refuse rows that are there more than once."""
    if not rows.is_unique:
        twice = format_labels(rows[rows.duplicated()].unique(), max_items=5)
        names = ", ".join(map(str, rows.names))
        raise ValueError(f"duplicate rows ({names}): {twice}; keep one of each")


def find_replicate_level(rows: pd.Index) -> str | None:
    """Find the levels that number the runs of a system; None if the rows are not runs.

    If several levels do, such as seeds and folds, each combination of them is a run.
    """
    if not isinstance(rows, pd.MultiIndex) or "system" not in rows.names:
        return None
    others = [str(name) for name in rows.names if name != "system"]
    if not others or any(name.casefold() not in REPLICATE_LEVELS for name in others):
        return None
    return others[0] if len(others) == 1 else "run"
