"""Names of earlier versions, and their replacements."""

from __future__ import annotations

from collections.abc import Collection

#: Former public function or method -> the call that does the same.
RENAMED_FUNCTIONS = {
    "explore_confidence": "explore(df, tab='confidence')",
    "explore_elimination": "explore(df, tab='elimination')",
    "explore_missing": "explore(df, tab='missing')",
    "explore_weights": "explore(df, tab='weights')",
    "tables": "summary(df).to_latex()",
}
#: Former keyword -> its possible replacements; a function has one of them.
RENAMED_KEYWORDS = {
    "n": ("n_draws", "n_repeats"),
    "samples": ("n_draws",),
    "over": ("whole_groups",),
}


def suggest_renamed(name: str) -> str:
    """Return the replacement of a removed name, as the end of a sentence; empty without any.

    Parameters
    ----------
    name
        The unknown name.
    """
    call = RENAMED_FUNCTIONS.get(name)
    return f": it is nbrank.{call} now" if call else ""


def find_renamed_keyword(keyword: str, parameters: Collection[str]) -> str | None:
    """Find the parameter that replaced a former keyword; None without any.

    Parameters
    ----------
    keyword
        The former keyword.
    parameters
        The names of the parameters of the function that was called.
    """
    return next((new for new in RENAMED_KEYWORDS.get(keyword, ()) if new in parameters), None)
