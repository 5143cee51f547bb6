"""Calls of `read` that a message names, in the words of the front end that shows it."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from typing import Any

_TEXT = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
#: Pattern of an argument: one of these options, and its value.
_ARGUMENT = re.compile(
    r"(?<![\w-])(roles|where|duplicates|transpose|table|na|lower_is_better|missing)="
    rf"(\{{(?:[^{{}}'\"]|{_TEXT})*\}}|\[(?:[^\[\]'\"]|{_TEXT})*\]|{_TEXT}|True|\d+)"
)
#: Pattern of a call: its arguments.
_CALL = re.compile(rf"{_ARGUMENT.pattern}(?:, {_ARGUMENT.pattern})*")


def find_calls(message: str) -> list[dict[str, Any]]:
    """Find the calls that a message names, each as options; not those of which a part is open.

    >>> find_calls("A twice; say roles={'m': 'system'}, where={'s': 't'}; or, duplicates='mean'")
    [{'roles': {'m': 'system'}, 'where': {'s': 't'}}, {'duplicates': 'mean'}]
    """
    calls = [
        {argument[1]: literal_eval(argument[2]) for argument in _ARGUMENT.finditer(call[0])}
        for call in _CALL.finditer(message)
    ]
    return [call for call in calls if not any(re.match(r"\.{3}|file$", name)
                                              for name in call.get("roles", ()))]  # fmt: skip


def rewrite_calls(
    message: str, writers: Mapping[str, Callable[[Any], str]], separator: str = " "
) -> str:
    """Rewrite the calls in a message by the function for each option; other options stay.

    >>> rewrite_calls("as in table=2", {"table": lambda number: f"--table {number}"})
    'as in --table 2'
    """

    def write(argument: re.Match[str]) -> str:
        writer = writers.get(argument[1])
        return argument[0] if writer is None else writer(literal_eval(argument[2]))

    return _CALL.sub(lambda call: separator.join(map(write, _ARGUMENT.finditer(call[0]))), message)
