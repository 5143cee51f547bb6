"""A slider for each task or group, whose track shows who would be first at each weight."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from nbrank.findings.labels import DisplayNames, label_text, rule_title
from nbrank.frontends.workbench.delayed_work import LastResult
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.robustness.weight_regions import FirstByWeight, WeightSpan
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.table.task_options import parse_weight

_FRONT = Path(__file__).parent / "front"
#: Maximum number of systems with a color of their own on the tracks; the others share a gray.
_N_COLORS = 5


def _slider_step(weights: Iterable[float], top: float) -> float:
    """Return the largest round step of which all weights are multiples."""
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
        Function that is called with the task or group of a moved slider, and its new weight.
    """

    _esm = (_FRONT / "sliders.js").read_text(encoding="utf-8")
    names: traitlets.List[Any] = traitlets.List().tag(sync=True)
    start: traitlets.List[Any] = traitlets.List().tag(sync=True)
    weights: traitlets.List[Any] = traitlets.List().tag(sync=True)
    most = traitlets.Float().tag(sync=True)
    step = traitlets.Float().tag(sync=True)
    #: For each slider (from, to, winner, number of its color); and the names of the colors.
    tracks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    key: traitlets.List[Any] = traitlets.List().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    #: Message of the page: the position of a slider (-1 resets all), its weight, and a number that
    #: makes each move different.
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
        """Return the label of a task by its own name, if no other task has it."""
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


#: Precision in weight to which the end of a span is computed.
_NEAR = 0.01


class WeightTracks:
    """Colors on the tracks of the sliders, computed again when weights, rule or scores change."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.bench = bench
        self._sums = LastResult()
        self.spans: dict[Label, list[WeightSpan]] = {}

    def find(self, seen: WorkbenchView) -> None:
        """Find them, and paint the tracks; those of rules that add up no tasks stay plain."""
        sums = self._sums.find(
            (seen.rule, seen.missing, seen.deletions), lambda: _sums_of_tasks(seen)
        )
        sliders = self.bench.sliders
        note = ""
        if sums is None:
            note = f"The tracks are plain: {rule_title(seen.rule)} doesn't add up the tasks."
        self.spans = {} if sums is None else self._find_spans(sums)
        sliders.show_tracks(self.spans, self.bench.names, note)

    def _find_spans(self, sums: FirstByWeight) -> dict[Label, list[WeightSpan]]:
        bench, found = self.bench, {}
        weigh, level = bench.get_tab("rules").weights_by_task, bench.weights_of
        none = dict.fromkeys(bench.weights, 0.0)
        for label in bench.weights:
            rest = weigh({**bench.weights, label: 0.0}, level)
            unit = weigh({**none, label: 1.0}, level)
            found[label] = sums.spans(rest, unit, bench.sliders.most)
        return found

    def make_first(self, system: Label) -> list[tuple[Label, str, float]]:
        """List the weights that alone make a system first, the smallest change before others.

        Each is a task or group, the weights at which the system is first, and the nearest of them.
        """
        found = []
        for label, spans in self.spans.items():
            now = self.bench.weights[label]
            near = [(*_nearest(span, now), span) for span in spans if span.systems == (system,)]
            if near:
                change, weight, span = min(near, key=lambda one: one[0])
                found.append((change, label, _describe_span(span, self.bench.sliders.most), weight))
        return [one[1:] for one in sorted(found, key=lambda one: one[0])]


def _sums_of_tasks(view: WorkbenchView) -> FirstByWeight | None:
    """Add up the tasks by the rule that orders; None of a rule that refuses some weights."""
    try:
        return FirstByWeight.from_board(view.board, view.ordering_rule, **view.options)
    except ValueError:
        return None


def _nearest(span: WeightSpan, weight: float) -> tuple[float, float]:
    """Return how far a weight is from a span, and the nearest round weight within it."""
    if span.low <= weight <= span.high:
        return 0.0, weight
    steps = 1 / _NEAR
    up = math.floor(span.low * steps + 1) / steps
    down = math.ceil(span.high * steps - 1) / steps
    nearest = up if weight < span.low else down
    if not span.low < nearest < span.high:
        nearest = (span.low + span.high) / 2
    return abs(nearest - weight), nearest


def _describe_span(span: WeightSpan, most: float) -> str:
    if span.high >= most:
        return f"more than {span.low:.3g}"
    return f"{span.low:.3g} to {span.high:.3g}" if span.low else f"less than {span.high:.3g}"
