"""Reader of PrefLib's elections."""

from __future__ import annotations

import re
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

from nbrank.readers.ballots import from_ballots
from nbrank.votes.leaderboard import Leaderboard

_NAME = re.compile(r"#\s*ALTERNATIVE NAME (\d+):\s*(.*)")
_PLACE = re.compile(r"\{([^}]*)\}|(\d+)")


def preflib(
    file: str | PathLike[str] | bytes, *, unranked: Literal["below", "missing"] = "below"
) -> Leaderboard:
    r"""Which candidate wins an election of PrefLib's?

    Parameters
    ----------
    file
        A file of complete or incomplete orders, with or without ties: .soc, .soi, .toc or
        .toi. A line is a number of voters and their order, as in `8: 2,{1,3},4`; the names
        of the candidates precede them, in lines as `# ALTERNATIVE NAME 1: Ann`, or as
        `1,Ann` in the files from before 2022.
    unranked
        As for `from_ballots`.

    Returns
    -------
    Leaderboard
        As `from_ballots` gives it.

    Raises
    ------
    OSError
        If the file can't be read.
    ValueError
        If it holds no orders, or a line is not one; the message gives its number.

    References
    ----------
    Mattei and Walsh, PrefLib: A Library for Preferences, 2013; https://www.preflib.org/format.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "two.soi"
    >>> names = "# ALTERNATIVE NAME 1: Ann\n# ALTERNATIVE NAME 2: Bob\n"
    >>> _ = file.write_text(f"{names}3: 2,1\n1: 1\n")
    >>> preflib(file).plurality()["score"].to_dict()
    {'Bob': 3.0, 'Ann': 1.0}
    """
    content = file if isinstance(file, bytes) else Path(file).read_bytes()
    called = "the file" if isinstance(file, bytes) else fspath(file)
    lines = content.decode("utf-8-sig").splitlines()
    names = {int(match[1]): match[2].strip() for line in lines if (match := _NAME.match(line))}
    body = [(number, line) for number, line in enumerate(lines, 1) if line and line[0] != "#"]
    if not names and body and body[0][1].strip().isdigit():
        n = int(body[0][1])
        parted = (line.partition(",") for _, line in body[1 : n + 1])
        names = {int(number): name.strip() for number, _, name in parted}
        body = body[n + 2 :]  # after a line of totals
    names = _disambiguate_names(names)
    orders: list[list[str | list[str]]] = []
    counts = []
    for number, line in body:
        count, _, order = line.partition(":" if ":" in line else ",")
        try:
            places = [[names[int(item)] for item in (tied or single).split(",") if item.strip()]
                      for tied, single in _PLACE.findall(order)]  # fmt: skip
            counts.append(int(count))
        except (KeyError, ValueError):
            raise ValueError(
                f"preflib: line {number} of {called}, {line!r}, is not an order of the candidates"
            ) from None
        named_here = {name for place in places for name in place}
        rest = [name for name in names.values() if name not in named_here]
        if unranked == "below" and rest:
            places.append(rest)
        orders.append([place[0] if len(place) == 1 else place for place in places if place])
    if not orders:
        raise ValueError(f"preflib: {called} holds no orders; its lines are like 8: 2,{{1,3}},4")
    return from_ballots(orders, counts, unranked)


def _disambiguate_names(names: dict[int, str]) -> dict[int, str]:
    """Append the candidates' numbers to names that several candidates share."""
    several = [name for name in names.values() if list(names.values()).count(name) > 1]
    return {at: f"{name} ({at})" if name in several else name for at, name in names.items()}
