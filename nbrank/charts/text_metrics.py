"""Widths of texts in Arial and fonts of the same widths, and their division into lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import combining, east_asian_width, normalize

#: Letters by their width in Arial, in thousandths of the font size.
_REGULAR = (
    (191, "'"), (222, "ijl‘’"), (260, "|"), (278, " \xa0!,./:;I[\\]ft"), (333, "()-`r“”{}"),
    (356, '"•'), (389, "*"), (469, "^"), (500, "Jcksvxyz"), (556, "#$0123456789?L_abdeghnopqu–"),
    (584, "+<=>~−×"), (611, "FTZ"), (667, "&ABEKPSVXY"), (722, "CDHNRUw"), (778, "GOQ"),
    (833, "Mm½"), (889, "%"), (944, "W"), (1000, "—…▲▼"), (1015, "@"),
)  # fmt: skip
_BOLD = (
    (238, "'"), (278, " \xa0,./I\\ijl‘’|"), (333, "!()-:;[]`ft"), (389, "*r{}"), (474, '"'),
    (500, "z“”"), (556, "#$0123456789J_aceksvxy–"), (584, "+<=>^~−×"), (611, "?FLTZbdghnopqu"),
    (667, "EPSVXY"), (722, "&ABCDHKNRU"), (778, "GOQw"), (833, "M½"), (889, "%m"), (944, "W"),
    (1000, "—…▲▼@"),
)  # fmt: skip
_WIDTHS = tuple(
    {letter: width / 1000 for width, letters in table for letter in letters}
    for table in (_REGULAR, _BOLD)
)
#: Pattern of places at which a name may be broken into lines.
_BREAK = re.compile(r"(?<=[\s,/_\-:+])|(?=\()")


@lru_cache(10_000)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line in pixels; for other scripts than Latin, the most it may be."""
    widths = _WIDTHS[bold]
    ems = sum(widths.get(letter) or _other_width(letter, bold=bold) for letter in text)
    return ems * size


@lru_cache(10_000)
def _other_width(letter: str, *, bold: bool) -> float:
    """Return the width of another letter: that without its accent, or that of a wide letter."""
    base = normalize("NFD", letter)[0]
    if combining(letter):
        return 0.0
    if base != letter and base in _WIDTHS[bold]:
        return _WIDTHS[bold][base]
    if ord(letter) < 0x250:
        return 0.8
    wide = east_asian_width(letter) in "WF" or ord(letter) >= 0x1F000
    return 1.3 if ord(letter) >= 0x1F000 else 1.05 if wide else 0.9


def max_text_width(texts: Iterable[str], size: float, *, bold: bool = False) -> float:
    """Return the width of the widest line in pixels; 0 without any."""
    return max((text_width(text, size, bold=bold) for text in texts), default=0.0)


def wrap_balanced(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Wrap a text into as few and as even lines as possible; two lines part at a semicolon."""
    widest_lines = wrap_text(text, width, size, bold=bold)
    parts = text.replace("; ", ";\n").splitlines()
    if len(widest_lines) == len(parts) == 2 and max_text_width(parts, size, bold=bold) <= width:
        return parts
    narrower = (wrap_text(text, width * part / 20, size, bold=bold) for part in range(1, 20))
    return next(
        (results for results in narrower if len(results) <= len(widest_lines)), widest_lines
    )


def wrap_text(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Wrap a text into lines of at most this width, unless a word is wider."""
    lines: list[str] = []
    # A number stays on one line with its percent sign.
    for word in re.split(r"[^\S\N{NO-BREAK SPACE}]+(?!%)", text.strip()):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def wrap_words(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Wrap a text into lines of at most this width; words that are too long are broken."""
    lines = []
    for line in wrap_text(text, width, size, bold=bold):
        rest = line
        while text_width(rest, size, bold=bold) > width and len(rest) > 1:
            most = _fitting_length(rest, width, size, bold=bold)
            parts = [at.end() for at in _BREAK.finditer(rest) if 0 < at.end() <= most]
            end = parts[-1] if parts else most
            lines.append(rest[:end].rstrip())
            rest = rest[end:].lstrip()
        lines.append(rest)
    return lines


def wrap_name(name: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Wrap a name into one or two lines; a longer one loses its last parenthesis, or its end."""
    if text_width(name, size, bold=bold) <= width:
        return [name]
    if lines := _two_lines(name, width, size, bold=bold):
        return lines
    start, bracket, _ = name.rpartition("(")
    if bracket and start.strip():
        brief = f"{start.rstrip()} …"
        if text_width(brief, size, bold=bold) <= width:
            return [brief]
        if lines := _two_lines(brief, width, size, bold=bold):
            return lines
    most = _fitting_length(name, width, size, bold=bold)
    ends = [at.end() for at in _BREAK.finditer(name) if 0 < at.end() <= most + 1]
    good = [end for end in ends if text_width(name[:end].rstrip(), size, bold=bold) <= width]
    end = good[-1] if good and good[-1] > most / 3 else most
    return [name[:end].rstrip(), cut_text(name[end:].lstrip(), width, size, bold=bold)]


def wrap_alike(name: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Two lines of a long name that begins as another one does: its beginning, and its end."""
    most = _fitting_length(name, width, size, bold=bold)
    tail = cut_text(name[:most:-1], width, size, bold=bold)[::-1]
    return [name[:most].rstrip(), tail]


def cut_text(text: str, width: float, size: float, *, bold: bool = False) -> str:
    """Cut a line to a width: its beginning and three dots."""
    if text_width(text, size, bold=bold) <= width:
        return text
    room = width - text_width("…", size, bold=bold)
    return f"{text[: _fitting_length(text, room, size, bold=bold)].rstrip()}…"


def _two_lines(name: str, width: float, size: float, *, bold: bool) -> list[str]:
    """Two lines that fit: parted before a bracket, after a comma or a slash, or else evenly."""
    ends = [at.end() for at in _BREAK.finditer(name) if 0 < at.end() < len(name)]
    pairs = [(name[:end].rstrip(), name[end:].lstrip()) for end in ends]

    def rank(pair: tuple[str, str]) -> tuple[int, float]:
        first, second = (text_width(line, size, bold=bold) for line in pair)
        in_brackets = pair[1].startswith("(") and pair[1].endswith(")")
        kind = 0 if in_brackets else 1 if pair[0].endswith((",", "/")) else 2
        return kind, abs(first - second)

    fitting = [pair for pair in pairs if max_text_width(pair, size, bold=bold) <= width]
    fitting.sort(key=rank)
    return list(fitting[0]) if fitting else []


def _fitting_length(text: str, width: float, size: float, *, bold: bool) -> int:
    """Return how many of the first letters fit, at least one."""
    most = 1
    while most < len(text) and text_width(text[: most + 1], size, bold=bold) <= width:
        most += 1
    return most
