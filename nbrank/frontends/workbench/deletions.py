"""Which scores are deleted: a share of them at random, and cells one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: A system and a task; of instance-level scores, all that the system has on the task.
CellLabel = tuple[Label, Label]


@dataclass(frozen=True)
class Deletions:
    """A share deleted at random, by a seed; cells deleted besides, and cells that stay."""

    share: float = 0.0
    seed: int = 0
    cells: tuple[CellLabel, ...] = ()
    restored: tuple[CellLabel, ...] = ()

    def deleted_mask(self, board: Leaderboard) -> NDArray[np.bool_]:
        """Which of a board's scores are deleted."""
        gone = self._random_mask(board)
        for cells, out in ((self.restored, False), (self.cells, True)):
            for cell in cells:
                gone[_cell_indices(board, cell)] = out
        deleted: NDArray[np.bool_] = gone & ~np.isnan(board.values)
        return deleted

    def apply(self, board: Leaderboard) -> Leaderboard:
        """The board without them."""
        gone = self.deleted_mask(board)
        if not gone.any():
            return board
        return board.with_values(np.where(gone, np.nan, board.values))

    def list_cells(self, board: Leaderboard) -> list[CellLabel]:
        """List the systems and tasks of the deleted scores."""
        rows, columns = np.nonzero(self.deleted_mask(board))
        pairs = zip(rows.tolist(), board.task_codes[columns].tolist(), strict=True)
        return [(board.systems[row], board.tasks[task]) for row, task in dict.fromkeys(pairs)]

    def toggle(self, board: Leaderboard, cell: CellLabel) -> Deletions:
        """Delete a score, or restore it if it is deleted; nothing changes where there is none."""
        row, here = _cell_indices(board, cell)
        observed = ~np.isnan(board.values[row, here])
        if not observed.any():
            return self
        cells = tuple(other for other in self.cells if other != cell)
        selected = tuple(other for other in self.restored if other != cell)
        by_share = bool(self._random_mask(board)[row, here][observed].all())
        if self.deleted_mask(board)[row, here][observed].all():
            selected = (*selected, cell) if by_share else selected
        elif not by_share:
            cells = (*cells, cell)
        return replace(self, cells=cells, restored=selected)

    def _random_mask(self, board: Leaderboard) -> NDArray[np.bool_]:
        present = np.flatnonzero(~np.isnan(board.values))
        gone = np.zeros(board.values.shape, dtype=bool)
        drawn = np.random.default_rng(self.seed).permutation(present)
        gone.ravel()[drawn[: round(self.share * len(present))]] = True
        return gone


def _cell_indices(board: Leaderboard, cell: CellLabel) -> tuple[int, NDArray[np.intp]]:
    """The row and the columns of a cell; of instance-level scores a task has several."""
    system, task = list(board.systems).index(cell[0]), list(board.tasks).index(cell[1])
    return system, np.flatnonzero(board.task_codes == task)
