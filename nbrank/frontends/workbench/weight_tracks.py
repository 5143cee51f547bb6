"""Who would be first at each weight of each slider, and which weight makes a system first."""

from __future__ import annotations

import math
from typing import Any

from nbrank.findings.labels import rule_title
from nbrank.frontends.workbench.workbench_state import WorkbenchState, WorkbenchView
from nbrank.robustness.weight_regions import FirstByWeight, WeightSpan
from nbrank.votes.formatting import Label

#: A weight is so near to an end of its span, at least, where one system makes room for another.
_NEAR = 0.01


class WeightTracks:
    """What the tracks of the sliders show, found anew as weights, rule or scores change."""

    def __init__(self, bench: WorkbenchState) -> None:
        self.bench = bench
        self._sums: tuple[Any, FirstByWeight | None] | None = None
        self.spans: dict[Label, list[WeightSpan]] = {}

    def find(self, seen: WorkbenchView) -> None:
        """Find them, and paint the tracks; those of rules that add up no tasks stay plain."""
        sums, sliders = self._sums_of_tasks(seen), self.bench.sliders
        note = ""
        if sums is None:
            note = f"The tracks are plain: {rule_title(seen.rule)} doesn't add up the tasks."
        self.spans = {} if sums is None else self._find_spans(sums)
        sliders.show_tracks(self.spans, self.bench.names, note)

    def _sums_of_tasks(self, seen: WorkbenchView) -> FirstByWeight | None:
        asked = (seen.rule, seen.missing, seen.deletions)
        if self._sums is None or self._sums[0] != asked:
            try:
                sums = FirstByWeight.from_board(seen.board, seen.ordering_rule, **seen.options)
            except ValueError:  # of a rule that refuses some weights
                sums = None
            self._sums = (asked, sums)
        return self._sums[1]

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


def _nearest(span: WeightSpan, now: float) -> tuple[float, float]:
    """Return how far a weight is from a span, and the nearest round weight within it."""
    if span.low <= now <= span.high:
        return 0.0, now
    steps = 1 / _NEAR
    up = math.floor(span.low * steps + 1) / steps
    down = math.ceil(span.high * steps - 1) / steps
    nearest = up if now < span.low else down
    if not span.low < nearest < span.high:
        nearest = (span.low + span.high) / 2
    return abs(nearest - now), nearest


def _describe_span(span: WeightSpan, most: float) -> str:
    if span.high >= most:
        return f"more than {span.low:.3g}"
    return f"{span.low:.3g} to {span.high:.3g}" if span.low else f"less than {span.high:.3g}"
