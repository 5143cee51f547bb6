"""Elements of a drawing or a page as text, and marks of a drawing: colours by name, all escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from html import escape

from nbrank.charts.palette import PICTURE_COLORS

#: Distance of a line's baseline from its middle, as a multiple of the font size.
BASELINE = 0.36
#: Outline that parts a mark from what is behind it.
HALO = {"stroke": "var(--ground)", "stroke_width": 1.2}


def write_element(tag: str, *parts: str, **attributes: object) -> str:
    """Write an element around parts that are written already; without any it closes itself."""
    start = f"<{tag}{write_attributes(attributes)}"
    return f"{start}>{''.join(parts)}</{tag}>" if parts else f"{start}/>"


def write_attributes(attributes: Mapping[str, object]) -> str:
    """Write attributes, escaped: `_` for a hyphen, None for none, and a float with one decimal."""
    return "".join(
        f' {_attribute_name(name)}="{_write_value(value)}"'
        for name, value in attributes.items()
        if value is not None
    )


@cache
def _attribute_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _write_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return escape(str(value).lower() if isinstance(value, bool) else str(value))


class Sheet:
    """Marks in the order in which they are drawn. A colour is a name of `PICTURE_COLORS`."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def open(self, **attributes: object) -> None:
        """Begin a group with these attributes."""
        self.parts.append(f"<g{write_attributes(attributes)}>")

    def close(self) -> None:
        """End the group."""
        self.parts.append("</g>")

    def title(self, text: str) -> None:
        """Say what a group is to those who point at it."""
        self.parts.append(write_element("title", escape(text)))

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        *parts: str,
        **more: object,
    ) -> None:
        """Draw a rectangle with more attributes, and parts within it."""
        size = {"x": x, "y": y, "width": width, "height": height, "fill": write_colour(fill)}
        self.parts.append(write_element("rect", *parts, **size, **more))

    def outline(
        self, x: float, y: float, width: float, height: float, *parts: str, **more: object
    ) -> None:
        """Draw a dashed outline that shows a missing score and can be pointed at."""
        more |= {"stroke": write_colour("third"), "stroke_dasharray": "2 2"}
        more["pointer_events"] = "all"
        self.rect(x + 0.5, y + 0.5, max(width - 1, 0.5), height - 1, "none", *parts, **more)

    def line(
        self, x: float, y: float, to_x: float, to_y: float, colour: str, width: float = 1
    ) -> None:
        """Draw a line."""
        look = {"stroke": write_colour(colour), "stroke_width": width}
        self.parts.append(write_element("line", x1=x, y1=y, x2=to_x, y2=to_y, **look))

    def dot(self, x: float, y: float, radius: float, fill: str, **more: object) -> None:
        """Draw a disc."""
        place = {"cx": x, "cy": y, "r": radius}
        self.parts.append(write_element("circle", **place, fill=write_colour(fill), **more))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str,
        size: float | None = None,
        anchor: str | None = None,
        *,
        bold: bool = False,
    ) -> None:
        """Write a line of text on its baseline; its group has what isn't given."""
        look = {"fill": write_colour(colour), "font_size": size, "text_anchor": anchor}
        weight = 700 if bold else None
        self.parts.append(write_element("text", escape(text), x=x, y=y, **look, font_weight=weight))


def write_colour(name: str) -> str:
    """Write a colour as that of the page's theme, or as it is if it is no name of ours."""
    return name if name not in PICTURE_COLORS else f"var(--{name})"
