"""Messages in the words of the command line."""

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nbrank.frontends.command_line.inputs import ROLE_FLAGS
from nbrank.frontends.named_calls import rewrite_calls
from nbrank.readers.tables.roles import load_roles
from nbrank.votes.table.reading import column_key


def _roles_as_flags(roles: Mapping[str, str]) -> str:
    flags = {role: name for name, role in reversed(ROLE_FLAGS.items())}
    flags |= {"lower": "lower_is_better", "average": "metadata", "group": "task"}
    words: dict[str, list[str]] = {}
    for column, role in roles.items():
        name = flags.get(role, role).replace("_", "-")
        words.setdefault(f"--{name}", []).append(
            "COLUMN" if re.fullmatch(r"\.+", column) else quote(column)
        )
    return " ".join(f"{name} {' '.join(columns)}" for name, columns in words.items())


def _where_as_flags(where: Mapping[str, Any]) -> str:
    rows = [(column, cell) for column, cells in where.items()
            for cell in (cells if isinstance(cells, list) else [cells])]  # fmt: skip
    return " ".join(f"--where {quote(f'{column}={cell}')}" for column, cell in rows)


def _as_flag(option: str, value: Any) -> str:
    """Write an option as its flag; of a task in a group, its own name is enough."""
    items = [] if value is True else value if isinstance(value, list) else [value]
    own = [str(item[-1] if isinstance(item, tuple) else item) for item in items]
    return " ".join([f"--{option.replace('_', '-')}", *map(quote, own)])


#: Option of `read` -> the function that writes it as flags.
_WRITERS: dict[str, Callable[[Any], str]] = {
    name: partial(_as_flag, name)
    for name in ("duplicates", "transpose", "table", "na", "lower_is_better", "missing")
} | {"roles": _roles_as_flags, "where": _where_as_flags}


def rewrite_as_flags(message: str) -> str:
    """Rewrite a message about Python arguments in terms of the command line.

    >>> rewrite_as_flags("leave it out, roles={'a': 'description', 'b c': 'description'}")
    "leave it out, --metadata a 'b c'"
    >>> rewrite_as_flags(
    ...     "give lower_is_better=['cost'], or lower_is_better=False if higher is better"
    ... )
    'give --lower-is-better cost'
    >>> rewrite_as_flags("give lower_is_better=[('speed', 'latency'), ('speed', 'cost')]")
    'give --lower-is-better latency cost'
    >>> rewrite_as_flags("which, sides=(1, 0), or ties=[0] with sides=('a', 'b')")
    'which, --sides 1 0, or --tie 0 with --sides a b'
    >>> rewrite_as_flags("give a prior, such as prior=1")
    'give a prior, such as --option prior=1'
    >>> rewrite_as_flags("say roles={'m': 'system'}, where={'split': 'dev set'}, table=2")
    "say --system m --where 'split=dev set' --table 2"
    >>> rewrite_as_flags("read several, read([...], roles={'file': 'system'})")
    'read several, nbrank FILE FILE --system file'
    >>> rewrite_as_flags("say cluster='item'; or, frame.drop(columns=['item'])")
    'say --cluster item; or, --metadata item'
    """
    message = message.replace("so give df.T instead of df", "so give --transpose")
    message = message.replace(", such as comparisons.select_systems(comparisons.apart[0])", "")
    message = re.sub(r"\bsides=\(('?)([^',]+)\1, ('?)([^',)]+)\3\)", r"--sides \2 \4", message)
    message = re.sub(r"\bties=\[([^\]]*)\]", r"--tie \1", message)
    message = re.sub(
        r"\bread\(\[\.\.\.\](?:,( roles=\{[^}]*\}))?\)", r"nbrank FILE FILE\1", message
    )
    message = message.replace("with ties=, or with sides=", "with --tie, or with --sides")
    message = re.sub(
        r"^(\w+)(?== does not go with comparisons)=",
        lambda found: f"--{found[1].replace('_', '-')}",
        message,
    )
    # The command line has no way to write False.
    message = re.sub(r", or (?:lower_is_better=)?False if [^;]*", "", message)
    message = re.sub(r"(?<!--option )\bprior=", "--option prior=", message)
    message = re.sub(r"\bcluster='([^']*)'", _column_flag("cluster"), message)
    drop = r"\b\w+(?:\.\w+)*\.drop\(columns=\['([^']*)'\]\)"
    message = re.sub(drop, _column_flag("metadata"), message)
    return rewrite_calls(message, _WRITERS)


def _column_flag(name: str) -> Callable[[re.Match[str]], str]:
    return lambda found: f"--{name} {quote(found[1])}"


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
