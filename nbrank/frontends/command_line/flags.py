"""Messages in the words of the command line."""

from __future__ import annotations

import re
from ast import literal_eval

from nbrank.frontends.command_line.inputs import ROLE_FLAGS
from nbrank.readers.tables.roles import load_roles
from nbrank.votes.table.reading import column_key


def roles_as_flags(call: re.Match[str]) -> str:
    """Write roles as the flags that set them."""
    try:
        roles = literal_eval(call[1])
    except (SyntaxError, ValueError):
        return call[0]
    flags = {role: name for name, role in reversed(ROLE_FLAGS.items())}
    flags |= {"lower": "lower_is_better", "average": "metadata", "group": "task"}
    words: dict[str, list[str]] = {}
    for column, role in roles.items():
        name = flags.get(role, role).replace("_", "-")
        words.setdefault(f"--{name}", []).append(
            "COLUMN" if re.fullmatch(r"\.+", column) else quote(column)
        )
    return " ".join(f"{name} {' '.join(columns)}" for name, columns in words.items())


def name_roles_file(message: str, file: str | None) -> str:
    """Name the file of `--roles` where a message is about roles that it holds."""
    about = r"roles=(\{.*?\})(?=: (?:unknown |several columns))"
    call = re.search(about, message)
    if file is None or call is None:
        return message
    wrong, said = literal_eval(call[1]), load_roles(file)[0]
    if not wrong.items() <= {column_key(name): role for name, role in said.items()}.items():
        return message
    lines = ", ".join(f'"{name}" = "{role}"' for name, role in wrong.items())
    return message.replace(call[0], f"--roles {quote(file)}: {lines}")


def where_as_flag(call: re.Match[str]) -> str:
    """Write the choice of rows as the flag that makes it."""
    return f"--where {quote(f'{call[1]}={call[2]}')}"


def quote(word: str) -> str:
    """Quote a word for a shell if needed."""
    return word if re.fullmatch(r"[\w./+=-]+", word) else f"'{word}'"


def shorten_lists(message: str) -> str:
    """Shorten the lists in a message to their first names.

    >>> shorten_lists("missing scores, of 'A', 'B', 'C', 'D', 'E' and 7 more on 't1', 't2'")
    "missing scores, of 'A', 'B', 'C' and 9 more on 't1', 't2'"
    """

    def shorter(found: re.Match[str]) -> str:
        return f"{found[1]} and {found[2].count(chr(39)) // 2 + int(found[3] or 0)} more"

    name = "'[^']*'"
    return re.sub(rf"({name}, {name}, {name})((?:, {name})+)(?: and (\d+) more)?", shorter, message)
