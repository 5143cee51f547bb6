"""How much room text takes, in the widest of the fonts that browsers usually have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import east_asian_width

#: Letters by their width in DejaVu Sans, in sizes of the letter: hardly a font is wider. All others
#: are the last but one, and those beyond Latin the last.
_WIDTHS = (
    (0.36, " '.,:;/\\|-ijlIJf"),
    (0.47, '!"()[]rt'),
    (0.56, "*_`?cszL"),
    (0.86, "&#+<=>^~wMOQGD"),
    (1.0, "%@mW…"),
)
_WIDTH = {letter: width for width, letters in _WIDTHS for letter in letters}
_BOLD = 1.14


@lru_cache(10_000)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How many pixels wide a line may be."""
    ems = sum(_WIDTH.get(letter) or _default_letter_width(letter) for letter in text)
    return ems * size * (_BOLD if bold else 1.0)


def _default_letter_width(letter: str) -> float:
    if ord(letter) < 0x250:
        return 0.7
    return 1.1 if east_asian_width(letter) in "WFA" or ord(letter) > 0x2FF else 0.8


def max_text_width(texts: Iterable[str], size: float, *, bold: bool = False) -> float:
    """How many pixels wide the widest of some lines may be; 0 without any."""
    return max((text_width(text, size, bold=bold) for text in texts), default=0.0)


def wrap_balanced(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """As few lines as fit, and as even as they can be; two of them part at a semicolon."""
    widest_lines = wrap_text(text, width, size, bold=bold)
    parts = text.replace("; ", ";\n").splitlines()
    if len(widest_lines) == len(parts) == 2 and max_text_width(parts, size, bold=bold) <= width:
        return parts
    narrower = (wrap_text(text, width * part / 20, size, bold=bold) for part in range(1, 20))
    return next(
        (results for results in narrower if len(results) <= len(widest_lines)), widest_lines
    )


def wrap_text(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Lines that are no wider than so many pixels, if no word is."""
    lines: list[str] = []
    # A number stays on one line with its percent sign.
    for word in re.split(r"\s+(?!%)", text.strip()):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
