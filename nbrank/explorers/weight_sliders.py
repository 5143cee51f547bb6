"""A slider for each weight; from many on, a field to find one."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from numbers import Real
from typing import Any

import ipywidgets as widgets
import traitlets

from nbrank.charts import name_of
from nbrank.charts.names import in_brief
from nbrank.explorers.controls import in_a_list
from nbrank.votes.naming import Label, named

#: From so many sliders on, there is a field to find one.
_MANY = 10


def _step(weights: Iterable[float], top: float) -> float:
    """The largest round step on which all of these weights lie: the browser moves others to it."""
    rounded = [step for step in (0.5, 0.25, 0.1, 0.05) if step <= top / 25]
    on_it = (s for s in rounded if all(abs(w / s - round(w / s)) < 1e-9 for w in weights))
    return next(on_it, top / 50)


def is_a_weight(value: Any) -> bool:
    """Whether something can be a weight: a number from 0 on, and not an infinite one."""
    return isinstance(value, Real) and 0 <= float(value) < math.inf


class WeightSliders(widgets.VBox):  # type: ignore[misc]
    """A slider for each task or group, in a box that scrolls, with a field to find one.

    `moved` is called once somebody moves one, with the weights that `completed` does not take from
    the sliders, and never while they are `held`.
    """

    def __init__(
        self, start: Mapping[Any, float], moved: Callable[[dict[Label, float]], None]
    ) -> None:
        self._moved = moved
        top = max(5.0, 2 * max(start.values()))
        self.sliders: dict[Hashable, widgets.FloatSlider] = {
            label: widgets.FloatSlider(
                weight,
                min=0,
                max=top,
                step=_step(start.values(), top),
                description=name,
                tooltip=name_of(label),
            )
            for (label, weight), name in zip(start.items(), in_brief(start, 22), strict=True)
        }
        self.held = False
        self._put = dict(start)
        for slider in self.sliders.values():
            slider.observe(self._read, "value")
        equal = widgets.Button(
            description="as at the start", layout=widgets.Layout(width="10em", flex="none")
        )
        equal.on_click(lambda _: moved(dict(start)))
        head: list[widgets.Widget] = [equal]
        if len(self.sliders) >= _MANY:
            find = widgets.Text(
                description="find",
                placeholder="a weight by its name",
                layout=widgets.Layout(width="auto", flex="1"),
            )
            find.observe(lambda change: self.find(change["new"]), "value")
            head.append(find)
        self._list = in_a_list(self.sliders.values())
        row = widgets.HBox(head, layout=widgets.Layout(width="98%"))
        super().__init__([row, self._list])
        self.add_class("nbrank-weights")

    def find(self, text: str) -> None:
        """Show only the sliders whose name holds a text, in capitals or not."""
        self._list.children = [
            slider
            for label, slider in self.sliders.items()
            if text.casefold() in name_of(label).casefold()
        ]

    def _read(self, _: Any) -> None:
        if not self.held:
            self._moved({})

    def completed(self, weights: Mapping[Any, float]) -> dict[Label, float]:
        """Take the weights that are not named from the sliders."""
        given = {self._full_name(label): weight for label, weight in weights.items()}
        unknown = [label for label in given if label not in self.sliders]
        if unknown:
            raise traitlets.TraitError(
                f"weights: unknown {named(unknown)}; there are {named(self.sliders)}"
            )
        for label, weight in given.items():
            if not is_a_weight(weight):
                raise traitlets.TraitError(
                    f"weights: {weight!r} for {named([label])} is no weight; give a number from 0 "
                    f"on, and not an infinite one"
                )
        result: dict[Label, float] = {}
        for label, slider in self.sliders.items():
            put = self._put[label]
            # The browser moves a value that it is given to the nearest step: nobody asked for it.
            result[label] = put if abs(slider.value - put) <= 0.51 * slider.step else slider.value
        for label, weight in given.items():
            result[label] = float(weight)
        return result

    def _full_name(self, label: Label) -> Label:
        """A task of a group may be called by its own name, where no other is called so."""
        if label in self.sliders:
            return label
        called = [full for full in self.sliders if isinstance(full, tuple) and full[-1] == label]
        return called[0] if len(called) == 1 else label

    def put(self, weights: Mapping[Label, float]) -> None:
        """Move the sliders to these weights."""
        self.held, self._put = True, dict(weights)
        for label, weight in weights.items():
            slider = self.sliders[label]
            slider.max = max(slider.max, weight)
            slider.value = weight
        self.held = False
