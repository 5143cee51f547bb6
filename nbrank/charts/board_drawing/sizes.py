"""How large everything in the picture is at each width, from a column of a paper to a projector."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

#: Widths in pixels for which the sizes were designed: 3.3 in, 7 in, a screen, a projector.
_WIDTHS = (317.0, 672.0, 1100.0, 1920.0)
#: Pixels of each unit, as CSS has them.
_UNITS = {"px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "pt": 96 / 72}
_WITH_UNIT = re.compile(rf"\s*(\d+\.?\d*|\.\d+)\s*({'|'.join(_UNITS)})\s*")
#: Narrower pictures can't be read, and wider ones are wider than any screen.
_LEAST, _MOST = 220.0, 8000.0
#: Below this width, the picture has only the parts that fit the column of a paper.
_NARROW = 480.0
#: Default width in pixels of a picture with many columns.
SCREEN = 1100.0
#: Pixels of a PNG for each pixel of a drawing: for a width in pixels, for print at 300 dots per
#: inch, and by default.
_AS_ASKED, _PRINT, _FINE = 1.0, 300 / 96, 2.0


def parse_width(width: float | str | None) -> tuple[float | None, float]:
    """Return a width in pixels, and how many dots of a PNG stand for each of them."""
    if width is None:
        return None, _FINE
    dots, asked = _AS_ASKED, width
    if isinstance(width, str):
        matched = _WITH_UNIT.fullmatch(width)
        if matched is None:
            raise ValueError(
                f'picture: width={width!r} is not a width; give pixels, as width=800, or "3.3in", '
                f'"85mm", "8.5cm", "240pt"'
            )
        number, unit = matched.groups()
        asked, dots = float(number) * _UNITS[unit], _AS_ASKED if unit == "px" else _PRINT
    if isinstance(asked, bool) or not isinstance(asked, int | float | np.number):
        raise TypeError(f'picture: width={width!r} is not a width; give pixels or "3.3in", "85mm"')
    pixels = float(asked)
    if not _LEAST <= pixels <= _MOST:
        raise ValueError(
            f"picture: width={width!r} is {pixels:.0f} pixels; a picture has from {_LEAST:.0f} "
            f"(58mm) to {_MOST:.0f}"
        )
    return pixels, dots


def readable_width(room: float) -> float:
    """Return the width at which a picture is laid out to fill a number of pixels of a screen.

    What is made larger has larger letters: those of a page are read from afar, those of a paper
    are not.
    """
    if room < _NARROW:
        return max(room, _LEAST)
    return room * float(np.interp(room, (_NARROW, SCREEN), (0.82, 1)))


@dataclass(frozen=True)
class Sizes:
    """The sizes of a picture of a width, in pixels: of letters, rows, columns and gaps."""

    width: float
    margin: float
    letters: float
    small: float
    title: float
    row: float
    rule: float
    axis: float
    gap: float

    @classmethod
    def at_width(cls, width: float) -> Sizes:
        """Return the sizes of a picture that is so wide."""
        if width < _NARROW:
            # This is the column of a paper; a phone shows the same with larger letters.
            scale = float(np.clip(width / _WIDTHS[0], 1, 11 / 9.4))
            letters = 9.4 * scale
            return cls(
                width=width,
                margin=3.0,
                letters=letters,
                small=letters,
                title=11.2 * scale,
                row=2.34 * letters,
                rule=28.0 * scale,
                axis=79.0 * scale,
                gap=0.9 * letters,
            )

        def at(*sizes: float) -> float:
            """Interpolate a size at this width, in proportion beyond the designed widths."""
            return float(np.interp(width, _WIDTHS, sizes)) * max(1.0, width / _WIDTHS[-1])

        letters = at(9.4, 9.4, 12, 21)
        return cls(
            width=width,
            margin=at(3, 4, 16, 32),
            letters=letters,
            small=max(9.4, 0.92 * letters),
            title=at(11.2, 13, 22, 42),
            row=2.3 * letters,
            rule=at(25, 25, 34, 64),
            axis=at(79, 94, 132, 236),
            gap=1.5 * letters,
        )

    @property
    def is_narrow(self) -> bool:
        """Whether it is a column of a paper, or a telephone."""
        return self.width < _NARROW

    @property
    def text_start(self) -> float:
        """Where the title, the key and the notes begin."""
        return self.margin + (0.0 if self.is_narrow else 0.4 * self.letters)

    @property
    def is_projected(self) -> bool:
        """Whether it is read from afar, and fills a screen."""
        return self.width >= 1600

    @property
    def family_gap(self) -> float:
        """How far families of rules are apart."""
        return self.letters * (0.6 if self.is_narrow else 1.1)

    @property
    def line(self) -> float:
        """How far lines of text are apart."""
        return 1.17 * self.letters


def place_bounds(n_systems: int) -> list[int]:
    """Return the last place of each of five classes: the first, and ever more of the others."""
    bounds = (1, 3, 6, 12) if n_systems <= 60 else (1, 3, 10, 30)
    return [*(bound for bound in bounds if bound < n_systems), n_systems]


@lru_cache(10_000)
def place_class(place: float, n_systems: int) -> int:
    """Return the class of a place, from 1 for the first to 5."""
    bounds = place_bounds(n_systems)
    return next((at for at, last in enumerate(bounds, 1) if place <= last), len(bounds))


def share_class(share: float) -> int:
    """Return the class of a share of wins, from 1 for nearly all to 5 for nearly none."""
    return 5 - min(4, math.floor(5 * share + 1e-9))
