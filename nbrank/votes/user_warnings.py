"""Warnings that point at the line from which the library was called."""

from __future__ import annotations

import sys
import warnings


def warn_user(message: str | Warning, category: type[Warning] = UserWarning) -> bool:
    """Warn at the nearest line outside the library; return whether a filter lets it through."""
    package = __name__.partition(".")[0]
    caller, depth = sys._getframe(1), 2
    # The call may have no outer frame, for example if Python itself calls.
    while (where := str(caller.f_globals.get("__name__"))).partition(".")[0] == package:
        if caller.f_back is None:
            break
        caller, depth = caller.f_back, depth + 1
    warnings.warn(message, category, stacklevel=depth)
    for action, text, kind, module, line in warnings.filters:
        if (
            issubclass(category, kind)
            and (text is None or text.match(str(message)))
            and (module is None or module.match(where))
            and line in (0, caller.f_lineno)
        ):
            return action != "ignore"
    return True
