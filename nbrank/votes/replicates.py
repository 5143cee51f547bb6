"""Runs of each system, such as one for each seed: their averages, and how far they scatter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from nbrank.arrays.kinds import Array, Floats, Positions
from nbrank.arrays.profile import power_of_two
from nbrank.votes.naming import named

#: What a level is called that tells the runs of a system apart.
LEVELS = ("seed", "run", "fold", "repeat")


@dataclass(frozen=True, eq=False)
class Replicates:
    """The runs of each system: unpaired, and not as many of each."""

    values: Floats
    system_of: Positions
    level: str
    n_systems: int

    @classmethod
    def of_rows(cls, rows: pd.Index, values: Array, level: str) -> tuple[pd.Index, Replicates]:
        """The systems, and their runs, from rows (system, run) x tasks."""
        if not rows.is_unique:
            twice = named(rows[rows.duplicated()].unique(), most=5)
            raise ValueError(f"duplicate rows (system, {level}): {twice}; keep one of each")
        system_of, systems = pd.factorize(rows.get_level_values("system"))
        if (system_of < 0).any():
            raise ValueError("a row has no system (NaN); name every one")
        found = cls(values.astype(np.float64), system_of, level, len(systems))
        return pd.Index(systems).rename("system"), found

    @cached_property
    def _cells(self) -> tuple[Floats, Positions, Positions]:
        """All scores, cell by cell and in order there; where each cell starts; how many it has."""
        there = ~np.isnan(self.values)
        run, task = np.nonzero(there)
        cell = self.system_of[run] * self.values.shape[1] + task
        scores = self.values[run, task]
        # Sums of the same numbers in another order must not differ.
        order = np.lexsort((scores, cell))
        sizes = np.bincount(cell, minlength=self.n_systems * self.values.shape[1])
        return scores[order], np.cumsum(sizes) - sizes, sizes

    @property
    def numbers(self) -> Positions:
        """Systems x tasks: how many runs have a score."""
        return self._cells[2].reshape(self.n_systems, self.values.shape[1])

    @cached_property
    def means(self) -> Floats:
        """Systems x tasks: the average of the runs; NaN where there is none."""
        found: Floats = self._summed(self._cells[0]) / np.where(self.numbers, self.numbers, np.nan)
        return found

    @property
    def errors(self) -> Floats:
        """Systems x tasks: the standard error of the average; NaN for fewer than two runs."""
        away = self._cells[0] - np.repeat(self.means.ravel(), self._cells[2])
        # In a unit near the largest, so that squares are within reach of a float.
        unit = power_of_two(float(np.abs(away).max(initial=0.0)) or 1.0)
        several = np.where(self.numbers > 1, self.numbers, np.nan)
        found: Floats = np.sqrt(self._summed((away / unit) ** 2) / (several - 1) / several) * unit
        return found

    def _summed(self, scores: Floats) -> Floats:
        cell = np.repeat(np.arange(self.numbers.size), self._cells[2])
        sums = np.bincount(cell, scores, self.numbers.size).astype(np.float64)
        return sums.reshape(self.n_systems, self.values.shape[1])

    def of_system(self, system: int) -> Floats:
        """Runs x tasks of one system."""
        found: Floats = self.values[self.system_of == system]
        return found

    def __str__(self) -> str:
        least, most = int(self.numbers.min()), int(self.numbers.max())
        return f"{most if least == most else f'{least} to {most}'} {self.level}{'s' * (most != 1)}"

    def of(self, systems: list[int]) -> Replicates:
        """The runs of some systems."""
        place = np.full(self.n_systems, -1)
        place[systems] = np.arange(len(systems))
        system_of = place[self.system_of]
        kept = system_of >= 0
        return replace(
            self, values=self.values[kept], system_of=system_of[kept], n_systems=len(systems)
        )

    def on(self, tasks: Positions | list[int]) -> Replicates:
        """The runs on some tasks."""
        return replace(self, values=self.values[:, tasks])

    def moved(self, by: Floats) -> Replicates:
        """All runs of a cell moved by as much (systems x tasks)."""
        return replace(self, values=self.values + by[self.system_of])

    def redrawn(self, rng: np.random.Generator) -> Replicates:
        """As many runs of each cell as it has, drawn from it with replacement."""
        scores, starts, sizes = self._cells
        cell = np.repeat(np.arange(len(sizes)), sizes)
        drawn = starts[cell] + rng.integers(0, sizes[cell])
        values = np.full(self.values.shape, np.nan)
        run, task = np.nonzero(~np.isnan(self.values))
        order = np.argsort(self.system_of[run] * self.values.shape[1] + task, kind="stable")
        values[run[order], task[order]] = scores[drawn]
        return replace(self, values=values)


def level_of_runs(rows: pd.Index) -> str | None:
    """What tells the runs of a system apart; None where the rows are no runs."""
    if not isinstance(rows, pd.MultiIndex) or rows.nlevels != 2 or "system" not in rows.names:
        return None
    other = str(rows.names[1 - rows.names.index("system")])
    return other if other.casefold() in LEVELS else None
