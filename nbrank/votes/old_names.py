"""Names that earlier versions had, and what to write instead."""

from __future__ import annotations

from collections.abc import Collection

#: A public function or method of before -> the call that does the same.
RENAMED_FUNCTIONS = {
    "explore_confidence": "explore(df, tab='confidence')",
    "explore_elimination": "explore(df, tab='elimination')",
    "explore_missing": "explore(df, tab='missing')",
    "explore_weights": "explore(df, tab='weights')",
    "tables": "summary(df).to_latex()",
}
#: A keyword of before -> those that took its place; a function has one of them.
RENAMED_KEYWORDS = {
    "n": ("n_draws", "n_repeats"),
    "samples": ("n_draws",),
    "over": ("whole_groups",),
}


def suggest_renamed(name: str) -> str:
    """Return what to write for a name that is gone, as the end of a sentence; empty if never had.

    Parameters
    ----------
    name
        The name that was asked for.
    """
    call = RENAMED_FUNCTIONS.get(name)
    return f": it is nbrank.{call} now" if call else ""


def find_renamed_keyword(keyword: str, parameters: Collection[str]) -> str | None:
    """Find the parameter that took the place of a keyword of before; None without any.

    Parameters
    ----------
    keyword
        The keyword of before.
    parameters
        The names of the parameters of the function that was called.
    """
    return next((new for new in RENAMED_KEYWORDS.get(keyword, ()) if new in parameters), None)
