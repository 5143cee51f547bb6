"""A slider for each task or group, whose track shows who would be first at each weight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nbrank.findings.labels import DisplayNames, label_text
from nbrank.robustness.weight_regions import WeightSpan
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.task_options import parse_weight

_FRONT = Path(__file__).parent / "front"
#: So many systems have a colour of their own on the tracks; what is left shares a grey.
_N_COLORS = 5


def _slider_step(weights: Iterable[float], top: float) -> float:
    """The largest round step on which all of these weights lie."""
    rounded = [step for step in (0.5, 0.25, 0.1, 0.05) if step <= top / 25]
    on_it = (s for s in rounded if all(abs(w / s - round(w / s)) < 1e-9 for w in weights))
    return next(on_it, top / 50)


class WeightSliders(anywidget.AnyWidget):
    """A slider for each task or group, in a box that scrolls, with a field to find one.

    Parameters
    ----------
    start
        Task or group -> its weight at the start.
    moved
        What is called with the task or group whose slider somebody moves, and its new weight.
    """

    _esm = (_FRONT / "sliders.js").read_text(encoding="utf-8")
    names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    start: traitlets.List[Any] = traitlets.List().tag(sync=True)
    weights: traitlets.List[Any] = traitlets.List().tag(sync=True)
    most = traitlets.Float().tag(sync=True)
    step = traitlets.Float().tag(sync=True)
    #: For each slider (from, to, who is first, the number of a colour); the names of the colours.
    tracks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    key: traitlets.List[Any] = traitlets.List().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    #: What the page sends: the place of a slider (-1 for all of them, as at the start), its
    #: weight, and a number that makes each move another.
    moved: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(
        self, start: Mapping[Any, float], moved: Callable[[dict[Label, float]], None]
    ) -> None:
        top = max(5.0, 2 * max(start.values()))
        #: Task or group -> its weight.
        self.by_label: dict[Label, float] = dict(start)
        self._at_start, self._call, self._colors = dict(start), moved, dict[Label, int]()
        super().__init__(
            names=[label_text(label) for label in start],
            start=[*start.values()],
            weights=[*start.values()],
            most=top,
            step=_slider_step(start.values(), top),
        )
        self.add_class("nbrank-weights")

    @traitlets.observe("moved")
    def _on_move(self, change: Any) -> None:
        row, weight, _ = change["new"]
        self._call(self._at_start if row < 0 else {[*self.by_label][row]: float(weight)})

    def show_tracks(
        self,
        tracks: Mapping[Label, Sequence[WeightSpan]],
        names: DisplayNames,
        note: str = "",
    ) -> None:
        """Paint who would be first at each weight; a system keeps its colour."""
        spans = [tracks.get(label, ()) for label in self.by_label]
        length: dict[Label, float] = {}
        for span in (span for track in spans for span in track):
            if len(span.systems) == 1:
                length[span.systems[0]] = length.get(span.systems[0], 0) + span.high - span.low
        for system in sorted(length, key=lambda system: -length[system]):
            if len(self._colors) < _N_COLORS:
                self._colors.setdefault(system, len(self._colors) + 1)

        def color(span: WeightSpan) -> int:
            return self._colors.get(span.systems[0], 0) if len(span.systems) == 1 else 0

        written = [
            [[span.low, span.high, names.join(span.systems, 3), color(span)] for span in track]
            for track in spans
        ]
        here = {number for track in written for *_, number in track}
        key = [[names.short[system], at] for system, at in self._colors.items() if at in here]
        with self.hold_sync():
            self.tracks, self.note = written, note
            self.key = key + [["several or another", 0]] * (0 in here)

    def fill_weights(self, weights: Mapping[Any, float]) -> dict[Label, float]:
        """Add the weights that are not named as they stand.

        A task of a group may be named without it, where no other task is called so.
        """
        options = {self._full_name(label): weight for label, weight in weights.items()}
        if unknown := [label for label in options if label not in self.by_label]:
            raise traitlets.TraitError(
                f"weights: unknown {format_labels(unknown)}; "
                f"there are {format_labels(self.by_label)}"
            )
        try:
            new = {label: parse_weight(label, weight) for label, weight in options.items()}
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from None
        return self.by_label | new

    def _full_name(self, label: Label) -> Label:
        """A task of a group may be called by its own name, where no other is called so."""
        if label in self.by_label:
            return label
        full = [name for name in self.by_label if isinstance(name, tuple) and name[-1] == label]
        return full[0] if len(full) == 1 else label

    def set_weights(self, weights: Mapping[Label, float]) -> None:
        """Move the sliders to these weights."""
        self.by_label = dict(weights)
        with self.hold_sync():
            self.most = max(self.most, *weights.values())
            self.weights = [*weights.values()]

    def describe_moved(self, most: int = 2) -> str:
        """Say which weights are not as at the start."""
        short = DisplayNames.from_labels(self.by_label).short
        moved = [
            f"{short[label]} {weight:.4g}"
            for label, weight in self.by_label.items()
            if weight != self._at_start[label]
        ]
        more = f" and {len(moved) - most} more" * (len(moved) > most)
        return ", ".join(moved[:most]) + more or "as at the start"
