"""The colours of all charts: one for one thing, each for a light and for a dark page."""

from __future__ import annotations

#: Name -> the color on a light and on a dark page. Charts use the light colors, which are all
#: different, so that `nbrank.charts.theme` can replace each by the dark one.
BASE_COLORS = {
    "paper": ("#ffffff", "#0d1117"),
    "ink": ("#1f2328", "#e6edf3"),
    "soft": ("#59636e", "#9ba3ac"),
    "quiet": ("#b9c0c8", "#565e68"),
    "faint": ("#e3e7eb", "#2a3038"),
    "leader": ("#0a5cad", "#6cb6ff"),
    "looked_at": ("#d55e00", "#ff9e57"),
    "green": ("#00805c", "#3fc99a"),
    "purple": ("#b1558d", "#e59ccb"),
    "sky": ("#2c93cf", "#a5dcff"),
    "orange": ("#b57a00", "#ebbb45"),
    "indigo": ("#5b4bb7", "#b0a5ff"),
    "grey": ("#7a7f85", "#a3a9b0"),
}

PAPER, INK, SOFT, QUIET, FAINT, LEADER, LOOKED_AT, *_OTHERS, _GREY = (
    light for light, _ in BASE_COLORS.values()
)
#: Colors for items in turn, after Okabe and Ito, which color-blind people can tell apart. The first
#: is for the leader, the second for the selected item. Gray is left for all that isn't selected.
PALETTE = (LEADER, LOOKED_AT, *_OTHERS)
_GREEN, _PURPLE, *_, _INDIGO = _OTHERS
#: Color on a light page -> the color that replaces it on a dark page.
DARK_COLORS = dict(BASE_COLORS.values())
#: Colors of the families of rules. The mean and Borda have the first two of the palette, so that
#: they keep them under the user's own names if they come first.
FAMILY_COLORS = {
    "mean": LEADER,
    "positional": LOOKED_AT,
    "elimination": _PURPLE,
    "majority": _GREEN,
    "consensus": _INDIGO,
    "model": _GREY,
}
#: Colors of the picture's parts, on a light and on a dark page: a ramp for places and ranks from
#: the first (p1) to the last (p5), each with the color of its text, and one color for systems that
#: may be best.
PICTURE_COLORS = {
    "ground": ("#ffffff", "#12161b"),
    "ink": ("#14181d", "#edf1f5"),
    "second": ("#4b535d", "#b3bcc7"),
    "third": ("#69727d", "#8a949f"),
    "line": ("#d5dae0", "#343c46"),
    "grid": ("#e7eaee", "#252c34"),
    "p1": ("#08306b", "#e3f0fc"),
    "p2": ("#2a66ae", "#86bcef"),
    "p3": ("#7dafdd", "#3876b4"),
    "p4": ("#bfd8ef", "#264a6e"),
    "p5": ("#ebf2f9", "#1c2733"),
    "t1": ("#ffffff", "#0b1f33"),
    "t2": ("#ffffff", "#0b1f33"),
    "t3": ("#0b1f33", "#ffffff"),
    "t4": ("#0b1f33", "#e3ecf5"),
    "t5": ("#3b4756", "#a9b5c2"),
    "best": ("#b45309", "#f7b955"),
    "best-row": ("#fff3dc", "#2e2614"),
    "best-bar": ("#c0790d", "#d9962b"),
    "bar": ("#8593a4", "#66737f"),
    "hover": ("#eef2f6", "#222a33"),
    "gained": ("#1b7f5c", "#5cc8a0"),
    "lost": ("#a33a2c", "#f08a7a"),
}
#: The same colors as CSS variables, which are light or dark as the page is.
COLOR_VARIABLES = "; ".join(
    f"--{name}: light-dark({light}, {dark})" for name, (light, dark) in PICTURE_COLORS.items()
)
#: Style of the shades of places and ranks, each with the color of its text.
PLACE_STYLE = " ".join(
    f".nbrank .p{at} {{background: var(--p{at}); color: var(--t{at})}}" for at in range(1, 6)
)
#: Style that makes charts light or dark, by the marks with which pages say which they are.
STYLE = (
    "[data-jp-theme-light=true] .nbrank, [data-theme=light] .nbrank, .vscode-light .nbrank"
    " {color-scheme: light} "
    "[data-jp-theme-light=false] .nbrank, [data-theme=dark] .nbrank, .vscode-dark .nbrank,"
    " .vscode-high-contrast .nbrank, [data-md-color-scheme=slate] .nbrank {color-scheme: dark}"
)
