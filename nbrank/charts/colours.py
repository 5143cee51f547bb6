"""The colours of all charts."""

from __future__ import annotations

#: Okabe and Ito's palette, which the colour-blind can tell apart, black and yellow left out.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
#: What is there, but not what the chart is about.
QUIET = "#C8C8C8"
#: Still paler: nothing is known here.
FAINT = "#E6E6E6"
#: Text, and marks as dark as text.
INK = "#222222"
