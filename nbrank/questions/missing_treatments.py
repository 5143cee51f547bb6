"""Does what is missing matter? The ranks under each treatment of missing scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nbrank.rules.rule import Rule
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.options import EVERY_MISSING


def missing_treatments(
    board: Leaderboard, rule: Rule, options: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """Rank by a rule, with other options of it, under each treatment of missing scores."""
    found = {}
    for how in EVERY_MISSING if "missing" in rule.parameters else ():
        if how != "raise":
            try:
                found[how] = rule.function(board, **{**(options or {}), "missing": how})["rank"]
            except ValueError:
                continue
    return pd.DataFrame(found, index=board.systems)
