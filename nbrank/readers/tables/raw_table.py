"""Table of cells under names, before its scores are identified."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.cell_parsing import (
    AMBIGUOUS_COMMA,
    POINT,
    ParsedColumn,
    has_decimal_commas,
    is_text_number,
    parse_column,
    parse_error,
    parse_interval,
    strip_links,
)
from nbrank.readers.tables.column import ERRORS, Column, find_column, is_error_mark
from nbrank.readers.tables.error_collector import ErrorCollector, UnclearReading
from nbrank.readers.tables.roles import Advice, as_role
from nbrank.votes.formatting import format_labels, group_values, pluralize
from nbrank.votes.table.name_heuristics import SYSTEMS, is_named_like, split_words
from nbrank.votes.table.place_detection import cells_look_like_places
from nbrank.votes.user_warnings import warn_user

#: Maximum number of a column's unreadable cells that are shown.
_MAX_SHOWN_CELLS = 5
#: Maximum number of columns with such cells that are shown.
_MAX_SHOWN_COLUMNS = 3
#: Pattern of a name of a rate in time: ops/sec.
_RATE = re.compile(
    r"(?i)(?:/|\bper\b|_per_)[\s_]*(?:s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?)(?![a-z])"
)


def is_blank(cells: pd.Series) -> NDArray[np.bool_]:
    """Return which cells hold nothing, or nothing but blanks."""
    return np.asarray(cells.isna() | (cells.astype(str).str.strip() == ""), dtype=np.bool_)


def _complete_names(names: list[Any]) -> list[Any]:
    """Complete names that come again by the first words of a group: Makespan S1, S2, Cost S1, S2.

    >>> _complete_names(["Makespan S1", "S2", "Cost S1", "S2"])
    ['Makespan S1', 'Makespan S2', 'Cost S1', 'Cost S2']
    """
    results, group, stem = [], "", None
    for name in names:
        first = re.fullmatch(r"(.*\S)[\s_]+([^\W\d_]*)\d+", str(name))
        again = re.fullmatch(r"([^\W\d_]*)\d+", str(name))
        if again and again[1] == stem and names.count(name) > 1:
            name = f"{group} {name}"
        elif isinstance(name, str):
            group, stem = (first[1], first[2]) if first else ("", None)
        results.append(name)
    return results if len(set(map(str, results))) == len(names) else names


@dataclass(frozen=True)
class RawTable:
    """Columns of cells under their names; columns that label the rows come first."""

    cells: pd.DataFrame
    names: list[Any]
    source_name: str
    #: Number of columns that were the labels of a frame's rows.
    n_labels: int = 0
    #: Whether commas are decimal points; None if the file clearly uses them for thousands.
    decimal_comma: bool | None = None
    #: Whether points separate thousands, since commas are decimal points.
    has_thousands: bool = False
    #: Whether its columns were rows of the file.
    is_turned: bool = False
    #: Names that come again, with their number.
    numbered: Sequence[str] = ()
    #: Errors in the table, which are reported together at the end.
    problems: ErrorCollector = field(default_factory=ErrorCollector)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> RawTable:
        """Take the columns of a frame, preceded by the labels of its rows."""
        names = _complete_names([*frame.columns])
        # Each ± is of the column before it, and each S2 after another S1 of the group before it.
        marks = [is_named_like(name, ERRORS) and not is_error_mark(name) for name in names]
        again = {at: f"{names[at - 1]} {name}" if marks[at] else f"{name} ({n})"
                 for at, name in enumerate(names) if name != "" and names[at - 1] not in ("", name)
                 and ((n := names[: at + 1].count(name)) > 1
                      or (marks[at] and names.count(name) > 1))}  # fmt: skip
        names = [again.get(at, name) for at, name in enumerate(names)]
        index = frame.index
        labels: list[Any] = []
        # Numbers without a name are row numbers, perhaps those left after a selection.
        by_number = index.names == [None] and pd.api.types.is_integer_dtype(index.dtype)
        if not by_number or not (
            isinstance(index, pd.RangeIndex) or any(is_named_like(name, SYSTEMS) for name in names)
        ):
            of_index = enumerate(index.names)
            labels = [f"level {at}" if name is None else name for at, name in of_index]
            labels = labels if index.nlevels > 1 else [index.names[0] or "system"]
        levels = [index.get_level_values(at) for at in range(len(labels))]
        columns = [pd.Series(level.to_numpy(dtype=object), dtype=object) for level in levels]
        columns += [frame.iloc[:, at].reset_index(drop=True) for at in range(len(names))]
        together = dict(enumerate(columns))
        comma = frame.attrs.get("decimal_comma")
        texts = [] if comma is None else [cell for column in columns for cell in column
                                          if isinstance(cell, str)]  # fmt: skip
        has_thousands = has_decimal_commas(texts)
        return cls(
            pd.DataFrame(together, index=range(len(frame)), columns=range(len(columns))),
            [*labels, *names],
            str(frame.attrs.get("file", "the table")),
            len(labels),
            comma or has_thousands if comma is not None else None,
            has_thousands,
            numbered=[name for name in again.values() if not is_error_mark(name)],
        )

    def __getitem__(self, name: Any) -> pd.Series:
        return self.cells[find_column(self.names, name)]

    def warn(self, fact: str, call: str = "") -> None:
        """Warn of a fact about the table, with the call that changes it."""
        warn_user(Advice(f"{self.source_name}: {fact}", call))

    def error(self, text: str) -> ValueError:
        """Make an error about the table."""
        return ValueError(f"{self.source_name}: {text}")

    def unclear(self, text: str, otherwise: str) -> UnclearReading:
        """Make an error about a table that has several readings, or none."""
        return UnclearReading(f"{self.source_name}: {text}", otherwise)

    def report(self, text: str) -> None:
        """Record an error, to be raised with the others."""
        self.problems.errors.append(self.error(text))

    def drop_unnamed_columns(self) -> RawTable:
        """Drop columns with a missing or duplicate name, and record both as errors."""
        bare = [at for at, name in enumerate(self.names) if str(name) == "" and at]
        blank = [at for at in bare if self.cells[at].isin(["", None]).all()]
        if blank:
            kept = [at for at in range(len(self.names)) if at not in blank]
            return self.select_columns(kept).drop_unnamed_columns()
        nameless = [at + 1 for at in bare]
        if nameless:
            item = len(nameless) == 1
            self.report(
                f"{'column' if item else 'columns'} "
                f"{', '.join(map(str, nameless))} {'has' if item else 'have'} no name; name "
                f"{'it' if item else 'them'}, or leave out columns that are not tasks (roles={{'': "
                f"'description'}})"
            )
        twice = [name for name in dict.fromkeys(self.names) if self.names.count(name) > 1
                 and str(name) != ""]  # fmt: skip
        if twice:
            self.report(
                f"duplicate tasks: {format_labels(twice)}; rename them, or keep one of each"
            )
        if not nameless and not twice:
            return self
        first = {name: at for at, name in reversed([*enumerate(self.names)])}
        return self.select_columns([at for at in sorted(first.values()) if at + 1 not in nameless])

    def drop_headings(self, system: Any) -> RawTable:
        """Drop rows without a name that hold a single text, and warn of them."""
        cells = self.cells.astype(object).where(self.cells.notna(), "").astype(str)
        alone = ((cells != "").sum(axis=1) == 1) & (cells[find_column(self.names, system)] == "")
        texts = ["".join(row) for row in cells[alone].to_numpy().tolist()]
        if not texts or any(map(is_text_number, texts)):
            return self
        self.warn(f"set aside as headings: {format_labels(texts)}")
        return replace(self, cells=self.cells[~alone].reset_index(drop=True))

    def drop_columns(self, names: Sequence[Any]) -> RawTable:
        """Drop some columns."""
        gone = {find_column(self.names, name) for name in names}
        selected = [at for at in range(len(self.names)) if at not in gone]
        return self.select_columns(selected)

    def select_columns(self, positions: Sequence[int]) -> RawTable:
        """Select some columns by their positions."""
        cells = self.cells[list(positions)].set_axis(range(len(positions)), axis=1)
        n_labels = sum(at < self.n_labels for at in positions)
        return replace(
            self, cells=cells, names=[self.names[at] for at in positions], n_labels=n_labels
        )

    def parse_column(self, name: Any, *, is_asked: bool = False) -> ParsedColumn:
        """Parse the scores of a column; of a rate in time, or if asked for, 14.3M is a number."""
        return parse_column(
            self[name],
            decimal_comma=bool(self.decimal_comma),
            has_thousands=self.has_thousands,
            has_sizes=is_asked or _RATE.search(str(name)) is not None,
        )

    def column(self, name: Any) -> Column:
        """Return a column with its parsed scores."""
        return Column(name, self[name], self.parse_column(name))

    def count_repeats(self, keys: Sequence[pd.Series], names: Sequence[Any] = ()) -> int:
        """Count the rows whose keys, and cells in some columns, are those of a row before."""
        levels = [*keys, *map(self.__getitem__, names)]
        return int(pd.MultiIndex.from_arrays(levels).duplicated().sum())

    def warn_ambiguous_cells(self, read: Mapping[Any, ParsedColumn]) -> None:
        """Warn of figures that are not exact, and of commas or points as in 71,200."""
        texts = {name: {cell for cell in self[name] if isinstance(cell, str)} for name in read}
        rough = sorted(set().union(*(column.rough for column in read.values())))
        if rough and not self.problems.errors:
            self.warn(
                f"read as their numbers, though not exact: {format_labels(rough, _MAX_SHOWN_CELLS)}"
            )
        points = any(map(POINT.fullmatch, set().union(*texts.values())))
        for name, cells in texts.items():
            large = any(cell.isdecimal() and int(cell) >= 100 for cell in cells)
            # With points, commas separate thousands; with semicolons but no points, decimals.
            doubtful = {".": large and not self.has_thousands, ",": self.decimal_comma == points}
            for sign in (sign for sign in doubtful if doubtful[sign]):
                found = sorted(cell for cell in cells if sign in cell)
                if not found or not all(
                    AMBIGUOUS_COMMA.fullmatch(cell.replace(".", ",")) for cell in found
                ):
                    continue
                word = "point" if sign == "." else "comma"
                whole, point = found[0].replace(sign, ""), found[0].replace(sign, ".")
                text = f"{whole}; if its {word} is a decimal point, write {point}"
                if sign == "." or self.decimal_comma:
                    text = f"{float(point)}; if its {word} parts thousands, write {whole}"
                self.warn(f"{name!r} holds {found[0]!r}, which is read as {text}")

    def parse_errors(self, name: Any) -> NDArray[np.float64]:
        """Parse the standard errors in a separate column, which may hold intervals."""
        comma = "." if self.decimal_comma else ","
        texts = [str(cell).replace(",", comma) for cell in self[name]]
        of_name = split_words(name)
        levels = [int(word) for word in of_name if word in ("80", "90", "95", "99")]
        z = NormalDist().inv_cdf(0.5 + (levels or [95])[0] / 200)
        alone = z if "ci" in of_name else 1.0
        intervals = map(parse_interval, texts)
        return np.array(
            [
                parse_error(text) / alone if ends is None else (ends[1] - ends[0]) / 2 / z
                for text, ends in zip(texts, intervals, strict=True)
            ],
            dtype=np.float64,
        )

    def find_columns(self, kinds: Any) -> list[Any]:
        """Find the columns with such a name."""
        return [name for name in self.names if is_named_like(name, kinds)]

    def find_system_columns(self) -> list[Any]:
        """Find the columns that are named like systems, or else like names."""
        others = [name for name in self.names if str(name).strip().lower() == "name"]
        return self.find_columns(SYSTEMS) or others

    def build_labels(self, columns: Sequence[Any], noun: str) -> pd.Series:
        """Build the names of rows from a column, or from several, joined by slashes."""
        texts = []
        for name in columns:
            column = self[name]
            empty = is_blank(column)
            if empty.any():
                rows = [f"row {row + 1}" for row in np.flatnonzero(empty)]
                shown = ", ".join(rows[:_MAX_SHOWN_CELLS])
                fact = f"without a name in the column of the {noun}s, {name!r} ({shown})"
                self.problems.errors.append(
                    self.unclear(
                        f"{pluralize(len(rows), 'row')} {fact}",
                        f"name each {noun}, or delete its row",
                    )
                )
                column = column.astype(object)
                column[empty] = rows
            cells = column.tolist()
            linked = [strip_links(cell) if isinstance(cell, str) else cell for cell in cells]
            texts.append(pd.Series(linked, dtype=object))
        if len(texts) == 1:
            return texts[0]
        joined = [" / ".join(map(str, row)) for row in zip(*texts, strict=True)]
        return pd.Series(joined, dtype=object)

    def describe_rows(self, labels: pd.Series, names: Sequence[Any]) -> pd.DataFrame:
        """Collect descriptions of each system from columns with a single value for it."""
        cells = {name: self[name].tolist() for name in names}
        frame = pd.DataFrame(cells, index=pd.Index(labels, name="system"), dtype=object)
        if not labels.is_unique and len(frame.columns):
            number, _ = pd.factorize(frame.index)
            same = frame.astype(str).groupby(number).nunique().max() <= 1
            frame = frame.loc[:, same.to_numpy()][~frame.index.duplicated()]
        return frame

    def warn_excluded_columns(self, excluded: dict[Any, str], remedy: str | None = None) -> None:
        """Warn that columns are not ranked, and why."""
        reasons = group_values((why, name) for name, why in excluded.items())
        whys = [why.replace("its name", "their names", int(len(names) > 1))
                for why, names in reasons.items()]  # fmt: skip
        listed = map(format_labels, reasons.values())
        text = ", ".join(f"{names} ({why})" for names, why in zip(listed, whys, strict=True))
        quiet = as_role("description", excluded)
        words = ("words", "sizes", "identifiers", "intervals")
        ranked = [name for name, why in excluded.items() if why not in words][:1]
        if remedy is None and ranked:
            remedy = f"to rank one after all, {as_role('task', ranked)}"
        instead = f"; {remedy}" if remedy else ""
        columns = pluralize(len(excluded), "column")
        fact = f"{self.source_name}: {columns} set aside, not ranked: {text}"
        warn_user(Advice(fact, f"{instead}; to hear no more of them, {quiet}"))

    def report_unparsed_cells(
        self, systems: pd.Series, wrong: dict[Any, ParsedColumn], is_asked_for: bool = False
    ) -> None:
        """Refuse all columns with cells that are not scores, each with the first such cells."""
        results, remedies = [], dict[str, str]()
        for name, scores in wrong.items():
            rows = scores.unparsed_rows or scores.rows_without_percent
            shown = rows[:_MAX_SHOWN_CELLS]
            for cell in self[name].iloc[shown] if scores.unparsed_rows else ():
                grouped = re.search(r"(?<!\d)[1-9]\d{0,2}(?:,\d{3})+(?!\d)", str(cell))
                comma = not grouped and re.search(r"\d+,\d+", str(cell))
                point = f"{comma[0].replace(',', '.')} where it says {comma[0]}" if comma else ""
                remedies.setdefault("comma" if comma else "", point or "nothing but the number")
            if not scores.unparsed_rows:
                remedies["%"] = "the percent sign in all cells or in none"
            cells = [f"{self[name].iloc[row]!r} in the row {systems.iloc[row]!r}" for row in shown]
            more = f" and {len(rows) - len(cells)} more" if len(rows) > len(cells) else ""
            lacks = "" if scores.unparsed_rows else " with no percent sign, as others have"
            results.append(f"{name!r} holds {', '.join(cells)}{lacks}{more}")
        if results:
            odd = {str(self[name].iloc[row]).strip() for name, scores in wrong.items()
                   for row in scores.unparsed_rows}  # fmt: skip
            few = len(odd) <= 2 * _MAX_SHOWN_CELLS and all(s.n_scores for s in wrong.values())
            # A sentence is no score, whatever numbers it contains.
            words = {cell: len(re.findall(r"[^\W\d_]{2,}", cell)) for cell in odd}
            marks = sorted(
                c for c in odd if is_asked_for or words[c] > 2 or not re.search(r"\d", c)
            )
            marks = marks if few else []
            stand = f", or, to have such cells as missing scores, na={marks!r}" if marks else ""
            cells_read = np.column_stack([scores.values for scores in wrong.values()])
            if marks and cells_look_like_places(np.where(cells_read == 0, np.nan, cells_read)):
                stand += " and, if the others are places, where 1 is best, lower_is_better=True"
            leave = f"; or leave out columns that are not tasks, {as_role('description', wrong)}"
            others = len(results) - _MAX_SHOWN_COLUMNS
            more = f", and so do {pluralize(others, 'column')} more" if others > 0 else ""
            shown_columns = ", and ".join(results[:_MAX_SHOWN_COLUMNS])
            self.report(
                f"scores must be numbers, but {shown_columns}{more}; write "
                f"{', '.join(remedies.values())}, and nothing where a score is missing{stand}"
                f"{'' if is_asked_for else leave}"
            )

    def warn_missing_markers(self, n_markers: dict[Any, int]) -> None:
        """Warn of columns with numbers that are ranked but seem to mark missing scores."""
        if n_markers:
            self.warn(
                f"{format_labels(n_markers)} holds "
                f"{format_labels(set(n_markers.values()))}, which is "
                f"ranked as a score; write nothing where a score is missing"
            )

    def report_large_integers(self, systems: pd.Series, read: dict[Any, ParsedColumn]) -> None:
        """Refuse integers that floats can't distinguish, by the first such cell of each column."""
        for name, scores in read.items():
            rows = np.flatnonzero(np.abs(scores.values) >= 2**53)
            for row in [row for row in rows if _is_large(self[name].iloc[row])][:1]:
                self.report(
                    f"{name!r} holds {self[name].iloc[row]} in the row "
                    f"{systems.iloc[row]!r}, and integers from 2 ** 53 on can't be "
                    f"told apart as floats; rescale them"
                )


def _is_large(cell: object) -> bool:
    """Return whether a cell is an integer, also as a text, so large that floats may miss it."""
    text = str(cell).strip().lstrip("+-")
    whole = isinstance(cell, str | int | np.integer) and text.isdecimal()
    return whole and int(text) >= 2**53
