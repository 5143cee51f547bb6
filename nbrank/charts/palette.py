"""The colours of all charts: one for one thing, each for a light and for a dark page."""

from __future__ import annotations

#: Name -> the colour on a light page, and on a dark one. Charts are made of the light ones, no two
#: of which are alike, so that `nbrank.charts.theme` can put the dark ones in their place.
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
#: For things in turn, after Okabe and Ito, whose colours the colour-blind can tell apart: the first
#: is the leader's, the second that of what is looked at. None is grey, as what is not looked at is.
PALETTE = (LEADER, LOOKED_AT, *_OTHERS)
_GREEN, _PURPLE, *_, _INDIGO = _OTHERS
#: From the last place to the first, each on a light page and on a dark one.
PLACE_COLORS = (
    ("#eef4fb", "#141f2d"),
    ("#dceaf6", "#16293f"),
    ("#c6dff0", "#183557"),
    ("#a9cfe8", "#1b4672"),
    ("#86bade", "#205a97"),
    ("#5fa1d4", "#2a70c2"),
    ("#3a84c4", "#3d8ade"),
    ("#1a67b3", "#5fa9f0"),
    ("#084a91", "#96d0ff"),
)
#: Every colour of a light page -> the one in its place on a dark page.
DARK_COLORS = dict([*BASE_COLORS.values(), *PLACE_COLORS])
#: The families of rules, wherever rules are drawn in colour. The mean's and Borda's colours are the
#: first of the palette: so they have them under names of one's own, too, if they come first.
FAMILY_COLORS = {
    "mean": LEADER,
    "positional": LOOKED_AT,
    "elimination": _PURPLE,
    "majority": _GREEN,
    "consensus": _INDIGO,
    "model": _GREY,
}
