"""Names of earlier versions, and their replacements."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

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


#: A keyword of other libraries -> the parameter that says it here, and what to write.
FOREIGN_KEYWORDS = {
    "alpha": ("delta", "delta=0.05"),
    "confidence": ("delta", "delta=0.05 for a confidence of 0.95"),
    "level": ("delta", "delta=0.05 for a confidence of 0.95"),
    "n": ("top", "top="),
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


def suggest_keyword(keyword: str, parameters: Collection[str]) -> str:
    """Return what to write instead of an unknown keyword, as the end of a sentence; else empty.

    Parameters
    ----------
    keyword
        The keyword that was given.
    parameters
        The names of the parameters of the function that was called.

    Examples
    --------
    >>> suggest_keyword("alpha", ["rule", "delta"]), suggest_keyword("ruel", ["rule", "delta"])
    ('. It is called delta here: give delta=0.05', ". Did you mean 'rule'?")
    """
    if (renamed := find_renamed_keyword(keyword, parameters)) is not None:
        return f". It is called {renamed!r} now"
    name, call = FOREIGN_KEYWORDS.get(keyword, ("", ""))
    if name in parameters:
        return f". It is called {name} here: give {call}"
    near = get_close_matches(keyword, parameters, n=1)
    return f". Did you mean {near[0]!r}?" if near else ""
