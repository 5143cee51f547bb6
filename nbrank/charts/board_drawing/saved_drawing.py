"""A finished drawing: it shows itself in a notebook, and is saved in four formats."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from nbrank.charts.palette import COLOR_VARIABLES, PICTURE_COLORS, STYLE

#: These fonts are as wide as Arial, in which the layout was measured; every system has one of them.
FONT_FAMILY = "Helvetica Neue, Helvetica, Arial, Liberation Sans, Arimo, sans-serif"
_VARIABLE = re.compile(r'="var\(--([a-z0-9-]+)\)"')
_LOOK = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
#: The look of a drawing on a page.
PICTURE_STYLE = f".nbrank-picture {{color-scheme: light dark; {COLOR_VARIABLES}}} {STYLE}\n{_LOOK}"
#: Endings of the files that can be written.
ENDINGS = (".svg", ".png", ".pdf", ".html")
#: Points of a PDF for a pixel of the drawing.
_POINTS = 0.75


def write_page(title: str, style: str, body: str) -> str:
    """Write a page that loads nothing from elsewhere."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f"<body>{body}</body></html>\n"
    )


@dataclass(frozen=True)
class Drawing:
    """A picture of a leaderboard: it shows itself in a notebook, and `save` writes it.

    Parameters
    ----------
    title
        The verdict.
    caption
        What is drawn and what isn't, in words, as for the caption of a figure.
    width, height
        The size in pixels; 96 are an inch.
    template
        The SVG, with names in the place of colours.
    dots
        How many dots of a PNG stand for a pixel.
    """

    title: str
    caption: str
    width: float
    height: float
    template: str = field(repr=False)
    dots: float = field(default=2.0, repr=False)

    def to_svg(self, *, dark: bool = False) -> str:
        """Write it as SVG, with the colours of one theme.

        Parameters
        ----------
        dark
            True for light text on a dark ground.
        """
        return _VARIABLE.sub(
            lambda name: f'="{PICTURE_COLORS[name[1]][dark]}"', self.template
        ).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)

    def save(self, path: str | Path, *, dark: bool = False) -> None:
        """Write it as .svg, .png, .pdf or .html.

        Parameters
        ----------
        path
            Where to write it; the ending says how. A PNG has as many pixels as were asked for, 300
            an inch for a width in inches or millimetres, and else two for each of a screen. A PDF
            is as wide as the picture is on paper. An HTML page is light or dark as its reader's
            system is, and answers when one points at a row.
        dark
            True for light text on a dark ground.

        Raises
        ------
        ValueError
            If the name has another ending.
        ImportError
            If a PNG or PDF is asked for where Python runs in a browser.
        """
        path = Path(path)
        ending = path.suffix.lower()
        if ending not in ENDINGS:
            raise ValueError(
                f"{path.name}: the name has to end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
            )
        if ending == ".html":
            ground = f"light-dark({', '.join(PICTURE_COLORS['ground'])})"
            style = (
                f":root {{color-scheme: light dark}} body {{margin: 16px; background: {ground}}}"
            )
            page = write_page(self.title, style, self._repr_html_())
            path.write_text(page, encoding="utf-8")
            return
        svg = self.to_svg(dark=dark)
        if ending == ".svg":
            path.write_text(svg + "\n", encoding="utf-8")
            return
        if sys.platform == "emscripten":
            raise ImportError(f"{path.name}: a browser's Python writes .svg and .html only")
        import vl_convert

        if ending == ".png":
            path.write_bytes(vl_convert.svg_to_png(svg, scale=self.dots))
        else:
            path.write_bytes(vl_convert.svg_to_pdf(self._to_points(svg)))

    def _to_points(self, svg: str) -> str:
        """Write how large it is in the points of a PDF, for which a converter takes pixels."""
        for name in ("width", "height"):
            size = getattr(self, name)
            svg = svg.replace(f' {name}="{size:.6g}"', f' {name}="{_POINTS * size:.6g}"', 1)
        return svg

    def _repr_html_(self) -> str:
        return (
            f'<div class="nbrank nbrank-picture"><style>{PICTURE_STYLE}</style>'
            f"{self.template}</div>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """Show it as HTML where that can be, and else, as in a PDF of a notebook, as SVG."""
        return {
            "text/html": self._repr_html_(),
            "image/svg+xml": self.to_svg(),
            "text/plain": repr(self),
        }
