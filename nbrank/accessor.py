"""The accessor `df.rank`: pandas' own method, and every rule as a method of it.

Only `inspect.ismethod(df.rank)` and `inspect.isroutine(df.rank)` differ from pandas: they ask for
Python's own type of bound methods, which has no subclasses.
"""

from __future__ import annotations

import functools
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from html import escape
from typing import Any

import pandas as pd

from nbrank.rules.registry import RULES
from nbrank.votes import method_registry
from nbrank.votes.leaderboard import Leaderboard

#: Methods that a newcomer should try first, in this order.
COMMON_METHODS = (
    *("borda", "compare", "winners", "report", "explore", "mean", "copeland"),
    *("rank_confidence", "confidence", "leave_one_out", "recommend", "two_step"),
)


#: Views that a frame offers: those of a leaderboard, and the frame itself.
_PROVIDED_VIEWS = Leaderboard.provides | {"frame"}


class _LazyMethod:
    # This object calls the function behind `df.rank.<name>` on the namespace's frame. The function
    # is looked up when it is called or read about, so that charts and widgets are imported late.
    # (This is a comment because the docstring is that function's.)

    def __init__(self, name: str, load: Callable[[], Callable[..., Any]]) -> None:
        self.__name__ = name
        self.__qualname__ = f"{RankNamespace.__qualname__}.{name}"
        self.__module__ = "nbrank"
        self._load = load

    def __call__(self, namespace: RankNamespace, /, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(namespace.__self__, *args, **kwargs)

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self._load()

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self.__wrapped__)
        first, *others = signature.parameters.values()
        itself = first.replace(name="self", annotation=inspect.Parameter.empty)
        return signature.replace(parameters=[itself, *others])

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        # The frame's description is left out, because the method has no such parameter.
        frame = next(iter(inspect.signature(self.__wrapped__).parameters))
        section = re.compile(rf"^{frame}\n(?: +.*\n)+", re.MULTILINE)
        text = section.sub("", inspect.getdoc(self.__wrapped__) or "", count=1)
        return text.replace("Parameters\n----------\n\n", "")


class RankNamespace:
    """Bound `DataFrame.rank` that carries the rules as methods, and otherwise equals pandas' own.

    Parameters
    ----------
    function
        pandas' own function.
    frame
        The frame that it is bound to. It is not looked at here: an error raised while an attribute
        is fetched makes pandas look for a column of that name.

    Examples
    --------
    >>> import pandas as pd
    >>> import nbrank
    >>> df = pd.DataFrame({"accuracy": [0.9, 0.8], "recall": [0.6, 0.5]}, index=["A", "B"])
    >>> df.rank(ascending=False)
       accuracy  recall
    A       1.0     1.0
    B       2.0     2.0
    >>> df.rank.borda()
       rank  score
    A     1    2.0
    B     2    0.0
    """

    def __init__(self, function: Callable[..., pd.DataFrame], frame: pd.DataFrame) -> None:
        self._method = types.MethodType(function, frame)
        # Class attributes of these names would hide the method's own from `__getattr__`.
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__

    @functools.wraps(pd.DataFrame.rank)
    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: D102 (pandas' own docstring)
        return self._method(*args, **kwargs)

    # pandas reads signatures by `inspect.getfullargspec`, which does not follow `__wrapped__`.
    __call__.__signature__ = inspect.signature(pd.DataFrame.rank)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        method = method_registry.METHODS.get(name)
        if method is not None and method.requires <= _PROVIDED_VIEWS:
            return types.MethodType(_LazyMethod(name, method.load), self)
        # `__name__`, `__self__`, `__func__`, `__defaults__`, ... are the bound method's. These two
        # are not, because `inspect` would take the namespace for an unbound function.
        unbound = name in ("__code__", "__wrapped__")
        if name.startswith("__") and name.endswith("__") and not unbound:
            return getattr(self._method, name)
        # `obj` is not passed, because Python would repeat a suggestion of the message.
        raise AttributeError(f"df.rank has no method {name!r}{_suggest_method(name)}", name=name)

    def __dir__(self) -> list[str]:
        listed = (name for _, methods in _iter_method_groups() for name, _ in methods)
        return sorted({*super().__dir__(), *dir(self._method), *listed})

    def __eq__(self, other: object) -> bool:
        return self._method == (other._method if isinstance(other, RankNamespace) else other)

    def __hash__(self) -> int:
        return hash(self._method)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return self._method.__reduce__()

    def __repr__(self) -> str:
        width = max(len(name) for _, methods in _iter_method_groups() for name, _ in methods)
        lines = ["df.rank(...) is pandas' own DataFrame.rank; its methods rank the rows (systems):"]
        for heading, methods in _iter_method_groups():
            lines += ["", heading, *(f"  {name:<{width}}  {line}" for name, line in methods)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        left = ' style="text-align: left"'
        rows = []
        for heading, methods in _iter_method_groups():
            rows.append(f'<tr><th colspan="2"{left}>{escape(heading)}</th></tr>')
            rows += [
                f"<tr><td{left}><code>{name}</code></td><td{left}>{escape(line)}</td></tr>"
                for name, line in methods
            ]
        return (
            "<p><code>df.rank(...)</code> is pandas' own <code>DataFrame.rank</code>; its methods "
            f"rank the rows (systems):</p><table><tbody>{''.join(rows)}</tbody></table>"
        )


def _suggest_method(name: str) -> str:
    """Suggest the methods that a user who asked for an unknown name may have meant."""
    if name.startswith("_"):  # Programs look for such names on every object.
        return ""
    if name in method_registry.METHODS:
        return (
            f": this needs comparisons, and a frame holds scores; "
            f"use nbrank.{name}(nbrank.from_comparisons(df, ...))"
        )
    package = sys.modules["nbrank"]
    if hasattr(package, name):
        return f", but there is nbrank.{name}"
    for module in ("agreement", "consensus", "tournament"):
        if name in getattr(package, module).__all__:
            return f", but there is nbrank.{module}.{name}"
    methods = [method for _, listed in _iter_method_groups() for method, _ in listed]
    close = get_close_matches(name, methods, n=3)
    if not close:
        return "; print(df.rank) lists them all"
    return f"; did you mean {' or '.join(close)}?"


def _iter_method_groups() -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield each heading with its methods of `df.rank` and the question that each answers."""
    methods = {
        name: method
        for name, method in method_registry.METHODS.items()
        if method.requires <= _PROVIDED_VIEWS
    }
    # The rules come first, by family as everywhere else, then the other questions.
    ordered = dict.fromkeys([*(name for name in RULES if name in methods), *methods])
    yield "start here", [(name, methods[name].question) for name in COMMON_METHODS]
    rest = [name for name in ordered if name not in COMMON_METHODS]
    for heading in dict.fromkeys(methods[name].heading for name in rest):
        under = [name for name in rest if methods[name].heading == heading]
        yield heading, [(name, methods[name].question) for name in under]


class _RankDescriptor:
    """Descriptor of `pandas.DataFrame.rank`: pandas' function on the class, ours on a frame."""

    def __init__(self, shadowed: Any = None) -> None:
        self.original = shadowed  # DataFrame's own attribute, or None

    def __get__(self, frame: pd.DataFrame | None, owner: type[pd.DataFrame]) -> Any:
        function = self.original or super(pd.DataFrame, owner).rank  # type: ignore[misc]
        return function if frame is None else RankNamespace(function, frame)


def install() -> None:
    """Make `df.rank` of every DataFrame a callable namespace.

    `import nbrank` calls it, unless the environment says `NBRANK_ACCESSOR=0`. A second call changes
    nothing.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank import accessor
    >>> accessor.install()
    >>> pd.DataFrame({"task": [0.1, 0.2]}, index=["A", "B"]).rank.borda()["rank"].to_dict()
    {'B': 1, 'A': 2}
    """
    result = _current_attribute()
    if not _is_installed(result):
        pd.DataFrame.rank = _RankDescriptor(result)  # type: ignore[misc,assignment,method-assign]


def uninstall() -> None:
    """Leave pandas as it was before `install`.

    Examples
    --------
    >>> import pandas as pd
    >>> from nbrank import accessor
    >>> accessor.uninstall()
    >>> hasattr(pd.DataFrame().rank, "borda")
    False
    >>> accessor.install()
    """
    result = _current_attribute()
    if _is_installed(result):
        del pd.DataFrame.rank
        if result.original is not None:
            pd.DataFrame.rank = result.original  # type: ignore[misc,method-assign]


def _current_attribute() -> Any:
    """Look up `rank` on DataFrame itself, where today's pandas has nothing."""
    return vars(pd.DataFrame).get("rank")


def _is_installed(attribute: object) -> bool:
    # The class is compared by name, because reloading this module makes a new class.
    return (
        type(attribute).__module__ == __name__
        and type(attribute).__name__ == _RankDescriptor.__name__
    )
