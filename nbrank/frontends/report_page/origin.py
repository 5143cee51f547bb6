"""Where a page comes from: the call or command, the version, the date, and the data."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nbrank.comparison.pairwise_wins import pairwise
from nbrank.votes.base import Votes
from nbrank.votes.leaderboard import Leaderboard


@dataclass(frozen=True)
class Origin:
    """The call or command of a page, and the SHA-256 of its data by their names."""

    call: str
    hashes: Mapping[str, str]

    @classmethod
    def from_call(
        cls, name: str, options: Mapping[str, Any], tables: Mapping[str, Votes]
    ) -> Origin:
        """Describe a call in Python; tables and functions are given by their names alone."""
        given = [
            f"{option}={value!r}" if isinstance(value, str | int | float | list) else f"{option}=…"
            for option, value in options.items()
            if option != "scores"
        ]
        hashes = {f"labels and numbers of {key}": hash_votes(tables[key]) for key in tables}
        return cls(f"nbrank.{name}({', '.join(['scores', *given])})", hashes)

    @classmethod
    def from_command(cls, words: Sequence[str], paths: Iterable[str]) -> Origin:
        """Describe a command, and the files that it read."""
        hashes = {
            path: sha256(Path(path).read_bytes()).hexdigest()
            for path in paths
            if Path(path).is_file()
        }
        return cls(shlex.join(["nbrank", *words]), hashes)

    @property
    def key(self) -> str:
        """A few letters that differ from page to page."""
        return sha256(repr(self).encode()).hexdigest()[:8]

    def to_html(self) -> str:
        """Write it as the foot of a page."""
        day = _today()
        hashes = "".join(
            f"<dt>{escape(name)}</dt><dd>SHA-256 <code>{digest}</code></dd>"
            for name, digest in self.hashes.items()
        )
        return (
            f"<footer><dl><dt>report of</dt><dd>{day.day} {day:%B %Y}, by nbrank "
            f"{escape(version('nbrank'))}</dd><dt>made by</dt><dd><code>{escape(self.call)}</code>"
            f"</dd>{hashes}</dl></footer>"
        )


def _today() -> date:
    """Return the day, or that of SOURCE_DATE_EPOCH, so that a build can be repeated."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    moment = datetime.fromtimestamp(int(seconds), UTC) if seconds else datetime.now(UTC)
    return moment.date()


def hash_votes(votes: Votes) -> str:
    """Hash the labels and the scores, or the wins of each pair of systems."""
    table: pd.DataFrame = votes.scores if isinstance(votes, Leaderboard) else pairwise(votes)
    digest = sha256("\n".join(map(str, [*table.index, *table.columns])).encode())
    digest.update(np.ascontiguousarray(table.to_numpy(dtype="<f8")).tobytes())
    return digest.hexdigest()
