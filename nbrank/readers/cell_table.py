"""A table of cells under names, before it is known which of them are scores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.cell_texts import (
    EITHER_COMMA,
    POINT,
    Scores,
    is_large,
    read_column,
    read_error,
    without_links,
)
from nbrank.readers.column_roles import find
from nbrank.readers.problems import Problems
from nbrank.votes.caller import warn_caller
from nbrank.votes.column_names import SYSTEMS, stands_for, words
from nbrank.votes.naming import Label, counted, gathered, named

#: So many cells of a column that can't be read are shown.
_MOST_CELLS = 5
#: One column, or several.
Names = Label | Sequence[Label] | None


@dataclass(frozen=True)
class Asked:
    """The columns that somebody named, by the option that names them."""

    systems: list[Any]
    tasks: list[Any]
    drop: list[Any]
    metadata: list[Any]
    system: list[Any]
    task: list[Any]
    score: list[Any]
    instance: list[Any]
    stderr: list[Any]
    n: list[Any]


@dataclass(frozen=True)
class CellTable:
    """Columns of cells under their names, those that label the rows first."""

    cells: pd.DataFrame
    names: list[Any]
    called: str
    #: How many columns were the labels of a frame's rows.
    n_labels: int = 0
    #: Whether commas are points; None where the file leaves no doubt that they part thousands.
    decimal_comma: bool | None = None
    #: What is wrong with the table, of which it is enough to be told in the end.
    problems: Problems = field(default_factory=Problems)

    @classmethod
    def of(cls, frame: pd.DataFrame) -> CellTable:
        """The columns of a frame, and before them the labels of its rows."""
        names = [*frame.columns]
        index = frame.index
        labels: list[Any] = []
        # Numbers without a name are those of rows, as what is left after a selection.
        by_number = index.names == [None] and pd.api.types.is_integer_dtype(index.dtype)
        if not by_number or not (
            isinstance(index, pd.RangeIndex) or any(stands_for(name, SYSTEMS) for name in names)
        ):
            labels = ["system"] if index.nlevels == 1 else list(index.names)
            labels = [name if name is not None else f"level {at}" for at, name in enumerate(labels)]
            labels[0] = index.names[0] if index.nlevels == 1 and index.names[0] else labels[0]
        levels = [index.get_level_values(at) for at in range(len(labels))]
        columns = [pd.Series(level.to_numpy(dtype=object), dtype=object) for level in levels]
        columns += [frame.iloc[:, at].reset_index(drop=True) for at in range(len(names))]
        together = dict(enumerate(columns))
        return cls(
            pd.DataFrame(together, index=range(len(frame)), columns=range(len(columns))),
            [*labels, *names],
            str(frame.attrs.get("file", "the table")),
            len(labels),
            frame.attrs.get("decimal_comma"),
        )

    def __getitem__(self, name: Any) -> pd.Series:
        return self.cells[find(self.names, name)]

    def asked(self, wanted: Mapping[str, Names]) -> Asked | None:
        """The columns that options name; None if one that is needed is lacking."""
        places = {
            option: [(one, find(self.names, one)) for one in listed(wanted.get(option))]
            for option in Asked.__annotations__
        }
        unknown = {
            option: lost
            for option, found in places.items()
            if (lost := [one for one, place in found if place is None])
        }
        if unknown:
            several = [one for lost in unknown.values() for one in lost if one in self.names]
            what = "several columns are called so" if several else "there is no such column"
            said = " and ".join(f"{option}={lost!r}" for option, lost in unknown.items())
            self.problems.note(
                f"{self.called}: {said}: {what}; the columns are {named(self.names, 40)}"
            )
            if not set(unknown) <= {"drop", "metadata"}:
                return None
        return Asked(
            *(
                [self.names[place] for _, place in found if place is not None]
                for found in places.values()
            )
        )

    def well_named(self) -> CellTable:
        """The table without columns that have no name, or that of another: these are a problem."""
        nameless = [at + 1 for at, name in enumerate(self.names) if str(name) == "" and at]
        if nameless:
            one = len(nameless) == 1
            self.problems.note(
                f"{self.called}: {'column' if one else 'columns'} {', '.join(map(str, nameless))} "
                f"{'has' if one else 'have'} no name; name {'it' if one else 'them'}, or leave out "
                f"what is no task (drop=[''])"
            )
        twice = [
            name
            for name in dict.fromkeys(self.names)
            if self.names.count(name) > 1 and str(name) != ""
        ]
        if twice:
            self.problems.note(
                f"{self.called}: duplicate tasks: {named(twice)}; rename them, or keep one of each"
            )
        if not nameless and not twice:
            return self
        first = {name: at for at, name in reversed([*enumerate(self.names)])}
        return self.with_columns([at for at in sorted(first.values()) if at + 1 not in nameless])

    def without(self, names: Sequence[Any]) -> CellTable:
        """The table without some columns."""
        gone = {find(self.names, name) for name in names}
        kept = [at for at in range(len(self.names)) if at not in gone]
        return self.with_columns(kept)

    def with_columns(self, kept: Sequence[int]) -> CellTable:
        """The table with some of its columns, by their places."""
        cells = self.cells[list(kept)].set_axis(range(len(kept)), axis=1)
        n_labels = sum(at < self.n_labels for at in kept)
        return replace(self, cells=cells, names=[self.names[at] for at in kept], n_labels=n_labels)

    def numbers(self, name: Any) -> Scores:
        """The scores of a column."""
        return read_column(self[name], decimal_comma=bool(self.decimal_comma))

    def warn_of_commas(self, names: Sequence[Any]) -> None:
        """Warn of commas such as that of 71,200, where nothing says what they part."""
        texts = {name: {cell for cell in self[name] if isinstance(cell, str)} for name in names}
        points = any(map(POINT.fullmatch, set().union(*texts.values())))
        # Beside points, commas part thousands; beside semicolons and no points, decimals.
        if self.decimal_comma is None or self.decimal_comma != points:
            return
        for name, cells in texts.items():
            commas = sorted(cell for cell in cells if "," in cell)
            if commas and all(map(EITHER_COMMA.fullmatch, commas)):
                whole, point = (commas[0].replace(",", sign) for sign in ("", "."))
                said = f"{whole}; if its comma is a decimal point, write {point}"
                if self.decimal_comma:
                    said = f"{point}; if its comma parts thousands, write {whole}"
                warn_caller(f"{self.called}: {name!r} holds {commas[0]!r}, which is read as {said}")

    def errors(self, name: Any) -> NDArray[np.float64]:
        """The standard errors in a column of their own, which may be one of intervals."""
        comma = "." if self.decimal_comma else ","
        texts = [str(cell).replace(",", comma) for cell in self[name]]
        found = np.array([read_error(text) for text in texts], dtype=np.float64)
        of_name = words(name)
        if "ci" not in of_name:
            return found
        levels = [int(word) for word in of_name if word in ("80", "90", "95", "99")]
        return found / NormalDist().inv_cdf(0.5 + (levels or [95])[0] / 200)

    def named_like(self, kinds: Any) -> list[Any]:
        """The columns that are called so."""
        return [name for name in self.names if stands_for(name, kinds)]

    def systems(self) -> list[Any]:
        """The columns that are called like systems, or else a name."""
        others = [name for name in self.names if str(name).strip().lower() == "name"]
        return self.named_like(SYSTEMS) or others

    def labels(self, columns: Sequence[Any], what: str) -> pd.Series:
        """The names of the rows in a column, or in several, parted by strokes."""
        texts = []
        for name in columns:
            column = self[name]
            empty = column.isna() | (column.astype(str).str.strip() == "")
            if empty.any():
                rows = [f"row {row + 1}" for row in np.flatnonzero(empty)]
                self.problems.note(
                    f"{self.called}: {counted(len(rows), 'row')} without a name in the "
                    f"column of the {what}s, {name!r} ({', '.join(rows[:_MOST_CELLS])}); name each "
                    f"{what}, or delete its row"
                )
                column = column.astype(object)
                column[empty] = rows
            cells = column.tolist()
            linked = [without_links(cell) if isinstance(cell, str) else cell for cell in cells]
            texts.append(pd.Series(linked, dtype=object))
        if len(texts) == 1:
            return texts[0]
        joined = [" / ".join(map(str, row)) for row in zip(*texts, strict=True)]
        return pd.Series(joined, dtype=object)

    def say_aside(self, aside: dict[Any, str], instead: str | None = None) -> None:
        """Warn that columns are not ranked, and why."""
        reasons = gathered((why, name) for name, why in aside.items())
        said = ", ".join(f"{named(names)} ({why})" for why, names in reasons.items())
        instead = instead or "to rank one after all, list the tasks, tasks=['...']"
        bare = [str(name[-1] if isinstance(name, tuple) else name) for name in aside]
        warn_caller(
            f"{self.called}: {counted(len(aside), 'column')} set aside, not ranked: {said}; "
            f"{instead}; to hear no more of them, metadata={bare!r}"
        )

    def refuse_cells(
        self, systems: pd.Series, wrong: dict[Any, Scores], asked: bool = False
    ) -> None:
        """Refuse all columns with cells that are no scores, each with the first such cells."""
        found, remedies = [], dict[str, None]()
        for name, scores in wrong.items():
            rows = scores.wrong or scores.unmarked
            shown = rows[:_MOST_CELLS]
            for cell in self[name].iloc[shown]:
                comma = re.search(r"\d,\d", str(cell))
                remedy = "0.85 where it says 0,85" if comma else "nothing but the number"
                remedy = remedy if scores.wrong else "the percent sign in all cells or in none"
                remedies[remedy] = None
            cells = [f"{self[name].iloc[row]!r} in the row {systems.iloc[row]!r}" for row in shown]
            more = f" and {len(rows) - len(cells)} more" if len(rows) > len(cells) else ""
            lacks = "" if scores.wrong else " with no percent sign, as others have"
            found.append(f"{name!r} holds {', '.join(cells)}{lacks}{more}")
        if found:
            leave = f"; or leave out what is no task, drop={[str(name) for name in wrong]!r}"
            self.problems.note(
                f"{self.called}: scores must be numbers, but {', and '.join(found)}; write "
                f"{', '.join(remedies)}, and nothing where a score is missing"
                f"{'' if asked else leave}"
            )

    def warn_of_marks(self, marked: dict[Any, int]) -> None:
        """Warn of columns that hold what seems to stand for a missing score, and is ranked."""
        if marked:
            warn_caller(
                f"{self.called}: {named(marked)} holds {named(set(marked.values()))}, which is "
                f"ranked as a score; write nothing where a score is missing"
            )

    def refuse_large(self, systems: pd.Series, read: dict[Any, Scores]) -> None:
        """Refuse integers that floats can't tell apart, by the first such cell of each column."""
        for name, scores in read.items():
            rows = np.flatnonzero(np.abs(scores.values) >= 2**53)
            for row in [row for row in rows if is_large(self[name].iloc[row])][:1]:
                self.problems.note(
                    f"{self.called}: {name!r} holds {self[name].iloc[row]} in the row "
                    f"{systems.iloc[row]!r}, and integers from 2 ** 53 on can't be "
                    f"told apart as floats; rescale them"
                )


def listed(names: Names) -> list[Any]:
    """One name, or several, as a list; a tuple is the name of a task in a group."""
    if names is None:
        return []
    if isinstance(names, list | set | frozenset | pd.Index | np.ndarray):
        return list(names)
    return [names]
