"""Log-strengths as ratings: on the scale of Elo's, or any other, with an anchor."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from nbrank.arrays.typing import Floats
from nbrank.votes.formatting import find_position, format_labels
from nbrank.votes.labeled_values import clean_label, is_labelled
from nbrank.votes.table.validation import validate_number

#: One system -> its rating, or the mean of all ratings.
Anchor = Mapping[Any, float] | float | None


def rating_transform(
    function: str, systems: pd.Index, strengths: Floats, scale: float, base: float, anchor: Anchor
) -> tuple[float, float]:
    """Return the slope and the origin that turn strengths into ratings."""
    check_greater(function, scale=(scale, 0), base=(base, 1))
    slope = float(scale) / math.log(base)
    if anchor is None:
        return slope, 0.0
    if not is_labelled(anchor):
        value, strength = validate_number(function, "anchor", anchor), 0.0
    else:
        if len(anchor) != 1:
            raise ValueError(f"{function}: anchor={dict(anchor)!r} must name a single system")
        ((name, user_value),) = anchor.items()
        system = clean_label(name)
        position = find_position(systems, system)
        if position is None:
            raise ValueError(
                f"{function}: the anchor {name!r} is not a system; choose one of "
                f"{format_labels(systems)}"
            )
        value = validate_number(function, "anchor", user_value)
        strength = float(strengths[position])
    if not math.isfinite(value):
        raise ValueError(f"{function}: anchor={anchor!r}; a rating must be a finite number")
    return slope, value - slope * strength


def check_greater(function: str, **options: tuple[float, float]) -> None:
    """Refuse options that are not finite, or not above their bound."""
    for name, (value, above) in options.items():
        if not (math.isfinite(validate_number(function, name, value)) and value > above):
            raise ValueError(f"{function}: {name}={value!r}; it must be a number above {above}")
