"""Marks of a drawing, written as SVG: colours by name, every text escaped."""

from __future__ import annotations

from html import escape

from nbrank.charts.palette import PICTURE_COLORS
from nbrank.charts.text_metrics import text_width

#: Distance of a line's baseline from its middle, as a multiple of the font size.
BASELINE = 0.36


class Sheet:
    """Marks in the order in which they are drawn. A colour is a name of `PICTURE_COLORS`."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def open(self, **attributes: object) -> None:
        """Begin a group with these attributes; `role` and so on, `_` for a hyphen."""
        self.parts.append(f"<g{write_attributes(attributes)}>")

    def close(self) -> None:
        """End the group."""
        self.parts.append("</g>")

    def title(self, text: str) -> None:
        """Say what a group is to those who point at it."""
        self.parts.append(f"<title>{escape(text)}</title>")

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        more: str = "",
        inside: str = "",
    ) -> None:
        """Draw a rectangle; more attributes, and what is inside, as they are written."""
        self.parts.append(
            f'<rect x="{_number(x)}" y="{_number(y)}" width="{_number(width)}" '
            f'height="{_number(height)}" fill="{_colour(fill)}"{more}'
            + (f">{inside}</rect>" if inside else "/>")
        )

    def outline(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: str,
        more: str = "",
        inside: str = "",
    ) -> None:
        """Draw a dashed outline that shows a missing score and can be pointed at."""
        more += f' stroke="{_colour(colour)}" stroke-dasharray="2 2" pointer-events="all"'
        self.rect(x + 0.5, y + 0.5, max(width - 1, 0.5), height - 1, "none", more, inside)

    def line(
        self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 1
    ) -> None:
        """Draw a line."""
        self.parts.append(
            f'<line x1="{_number(x)}" y1="{_number(y)}" x2="{_number(to_x)}" y2="{_number(to_y)}" '
            f'stroke="{_colour(colour)}" stroke-width="{_number(width)}"/>'
        )

    def dot(self, x: float, y: float, radius: float, fill: str, more: str = "") -> None:
        """Draw a disc."""
        self.parts.append(
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}" '
            f'fill="{_colour(fill)}"{more}/>'
        )

    def text(self, x: float, y: float, text: str, colour: str, more: str = "") -> None:
        """Write a line of text: its baseline, and more attributes as they are written."""
        self.parts.append(
            f'<text x="{_number(x)}" y="{_number(y)}" fill="{_colour(colour)}"{more}>'
            f"{escape(text)}</text>"
        )

    def words(
        self, x: float, y: float, text: str, colour: str, size: float, *, bold: bool = False
    ) -> float:
        """Write a line that begins at x; returns where it ends."""
        self.text(x, y, text, colour, font(size, bold=bold))
        return x + text_width(text, size, bold=bold)


def font(size: float | None = None, anchor: str = "", *, bold: bool = False) -> str:
    """Write how a text looks, as attributes."""
    written = "" if size is None else f' font-size="{_number(size)}"'
    written += f' text-anchor="{anchor}"' if anchor else ""
    return written + ' font-weight="700"' * bold


def halo(width: float) -> str:
    """Write the outline that parts a mark from what is behind it."""
    return f' stroke="{_colour("ground")}" stroke-width="{_number(width)}"'


def write_attributes(attributes: dict[str, object]) -> str:
    """Write attributes, escaped."""
    return "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for name, value in attributes.items()
        if value is not None
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _colour(name: str) -> str:
    return name if name not in PICTURE_COLORS else f"var(--{name})"
