"""Data of the picture: the drawn systems, their ranks, and which of them may be best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nbrank.charts.board_drawing.sizes import Sizes
from nbrank.findings.best_set_text import describe_small_sample
from nbrank.findings.labels import format_ranks, unique_label_texts
from nbrank.findings.overview import Overview, task_noun
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard

#: Default number of systems that are drawn; the second is for the column of a paper and for a
#: lecture hall.
MAX_ROWS, _FEW_ROWS = 20, 12


@dataclass(frozen=True)
class LiveOptions:
    """Options of a picture on a page that has controls and its own title.

    Parameters
    ----------
    selected_system
        A system that is looked at, with a row of its own; None for none.
    is_pending
        Whether rank sets and best set are those of before, and the new ones yet to come.
    verdict
        What stands over it on its page.
    needs_cells
        Whether scores are clicked: the tasks then have their room before the rules.
    before
        The ranks at the start, of which a mark is left where they were others; None without.
    """

    selected_system: Label = None
    is_pending: bool = False
    verdict: str = ""
    needs_cells: bool = False
    before: Mapping[Label, int] | None = None


class ShownBoard:
    """The systems that are drawn, and what is known of each."""

    def __init__(
        self, overview: Overview, top: int, sizes: Sizes, live: LiveOptions | None
    ) -> None:
        self.overview, self.live, self.sizes = overview, live, sizes
        self.n_systems = len(overview.votes.systems)
        if top == MAX_ROWS and (self.sizes.is_narrow or (self.sizes.is_projected and live is None)):
            top = _FEW_ROWS
        self.n_first = min(top, self.n_systems)
        systems, order = overview.votes.systems.tolist(), overview.ranking.index.tolist()
        first = order[: self.n_first]
        selected = None if live is None else live.selected_system
        #: The drawn systems, best first; a selected system is always among them.
        self.systems = first if selected in (None, *first) else [*first, selected]
        self.position = {system: at for at, system in enumerate(systems)}
        #: Positions of the drawn systems in frames that are in table order.
        self.table_rows = np.array([self.position[system] for system in self.systems])
        names = unique_label_texts(systems)
        #: Full name of each system.
        self.names = dict(zip(systems, names, strict=True))
        #: The rank sets; None if the sample is too small to tell any systems apart.
        self.sets = None if describe_small_sample(overview.rank_sets) else overview.rank_sets
        self.ranks = dict(zip(order, overview.ranking["rank"].tolist(), strict=True))

    @cached_property
    def best(self) -> frozenset[Label]:
        """The systems that may be best."""
        table, rule = self.overview.best, self.overview.ranking.attrs.get("rule")
        # On a live page, the sets may be those of another rule.
        if table is None or describe_small_sample(table) or table.attrs.get("rule") != rule:
            return frozenset()
        return frozenset(table.index[table["best"]])

    @property
    def is_pending(self) -> bool:
        """Whether rank sets and best set are those of before, on a live page."""
        return self.live is not None and self.live.is_pending

    def rank_before(self, system: Label) -> int | None:
        """Return the rank of a system at the start; None if it is the same."""
        before = self.live.before if self.live is not None else None
        rank = (before or {}).get(system)
        return None if rank == self.ranks.get(system) else rank

    @cached_property
    def task_noun(self) -> str:
        """Noun for a column of cells: a task or a ballot; for pairs of systems, a column."""
        votes = self.overview.votes
        return task_noun(votes) if isinstance(votes, Leaderboard) else "column"

    @cached_property
    def rank_texts(self) -> dict[Label, str]:
        """The rank of each system by the rule that orders; a shared one begins with =."""
        return dict(zip(self.ranks, format_ranks(self.ranks.values()), strict=True))

    @cached_property
    def rank_ends(self) -> list[tuple[float, float]] | None:
        """The ranks that each drawn system may have."""
        if self.sets is None:
            return None
        low, high = (self.sets[end].tolist() for end in ("low", "high"))
        ends = dict(zip(self.sets.index.tolist(), zip(low, high, strict=True), strict=True))
        return [ends[system] for system in self.systems]

    @cached_property
    def rule_texts(self) -> dict[str, list[str]]:
        """The ranks of the drawn systems by each rule; a dash for a missing rank."""
        results, ranks = {}, self.overview.ranks.to_numpy(dtype=float, na_value=np.nan)
        for rule, column in zip(map(str, self.overview.ranks), ranks.T, strict=True):
            texts = format_ranks(column.tolist())
            results[rule] = [texts[row] for row in self.table_rows]
        return results

    @cached_property
    def cell_shares(self) -> list[tuple[Label, float]]:
        """Tasks or opponents that may have a column of cells -> their share of the width.

        The tasks that weigh anything, those of a group together; without tasks the opponents.
        """
        board = self.overview.votes
        if not isinstance(board, Leaderboard):
            alike = 1 / len(self.systems)
            return [(system, alike) for system in self.systems] if alike < 1 else []
        shares = (board.weights / board.weights.sum()).tolist()
        weights = dict(zip(board.tasks, shares, strict=True))
        ordered = board.tasks if board.groups is None else sum(board.groups.values(), ())
        return [(task, weights[task]) for task in ordered if weights[task] > 0]

    @cached_property
    def has_unequal_shares(self) -> bool:
        """Whether some columns of cells are wider than others."""
        shares = [share for _, share in self.cell_shares]
        return max(shares) > min(shares) * (1 + 1e-9)

    @cached_property
    def task_positions(self) -> list[int]:
        """The columns of the tasks that are drawn in frames that have the order of the table."""
        board = self.overview.votes
        assert isinstance(board, Leaderboard)
        position = {task: at for at, task in enumerate(board.tasks)}
        return [position[task] for task, _ in self.cell_shares]

    @cached_property
    def rated(self) -> Any:
        """The strengths of the systems that are drawn; None without any, or room for them."""
        ratings = self.overview.ratings
        if ratings is None or ratings.table is None or self.sizes.is_narrow:
            return None
        votes = self.overview.votes
        return ratings.table.reindex(votes.systems).iloc[votes.find_positions(self.systems)]
