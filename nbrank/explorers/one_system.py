"""What explains one system: its places, who beats it, and the weights under which it wins."""

from __future__ import annotations

from html import escape

from nbrank.charts.names import in_words
from nbrank.charts.nearest_to_winning import Nearest
from nbrank.explorers.bench import Bench, Seen
from nbrank.explorers.changes import WHY_MINIMAX
from nbrank.explorers.one_against_one import who_beats
from nbrank.explorers.prose import Prose, a_button, folded, in_a_table, in_paragraphs
from nbrank.explorers.reasons import Reasons


class OneSystem:
    """The system that is looked at, and why it stands where it stands."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.said = Prose(pressed=bench.press)
        self.said.add_class("nbrank-card")

    def show(self, seen: Seen, nearest: Nearest | None) -> list[str]:
        """Explain the system that is looked at."""
        system, names = self.bench.system, self.bench.names
        close = a_button("system", "", "close")
        head = f"<header><h3>{escape(names.whole[system])}</h3>{close}</header>"
        if nearest is None:
            rank = seen.ranking["rank"].iloc[list(seen.ranking.index).index(system)]
            said = [f"Rank {rank} by {in_words(seen.rule)}.", who_beats(seen, names, system)]
            self.said.html = head + in_paragraphs(said)
            return said
        why = Reasons(seen.board, names, seen, system)
        said = [why.ranks(), *why.of_tasks(), who_beats(seen, names, system), nearest.told(system)]
        reasons, found, button = why.what_the_mean_sees(), nearest.of(system), ""
        if found is not None and found.moved > 1e-6:
            button = a_button("take", "", "Try these weights, and order by minimax")
            button += f" <small>({escape(WHY_MINIMAX)})</small>"
        shown = in_paragraphs(reasons) + in_a_table(why.table())
        folds = folded("why?", shown)
        folds += folded("its place on every task", in_a_table(why.on_tasks()))
        self.said.html = head + in_paragraphs(said) + button + folds
        return [*said, *reasons]
