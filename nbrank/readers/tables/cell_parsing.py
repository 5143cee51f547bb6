"""Parsing of cells as people write them: a score, and perhaps its standard error."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from numbers import Real
from statistics import NormalDist
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.readers.tables.latex_markup import has_latex, strip_latex
from nbrank.readers.tables.quantity_parsing import (
    NOT_EVALUATED,
    NUMBER,
    expand_sizes,
    parse_number,
    parse_together,
)

#: Pattern of an interval: the signs between its ends, and the text that may precede them.
_INTERVAL_PATTERN = rf"""
    [\[(]\s*(?:\d+\s*%\s*)?(?:CI\s*[:=]?\s*)?(?P<low>{NUMBER})\s*%?
    \s*(?:,|;|\.\.|–|—|\bto\b|(?<=\d)-)\s*(?P<high>{NUMBER})\s*%?\s*[\])]
"""
_ERROR_PATTERN = rf"""
    \(\s*(?:±|\+/-|\+-)?\s*(?P<inside>{NUMBER})\s*%?\s*\)  # 68.4(7.1), 1.04 (3), 68.4 (±7.1)
  | (?:±|\+/-|\+-|\\pm|&plusmn;)\s*(?P<after>{NUMBER})\s*%?  # 68.4 ± 7.1
  | \(?\s*(?:\+\s*(?P<up>{NUMBER})\s*/\s*-\s*(?P<down>{NUMBER})    # 1287 +5/-5
  | -\s*(?P<under>{NUMBER})\s*/\s*\+\s*(?P<over>{NUMBER}))\s*\)?   # 1287 -5/+5
  | \+\s*(?P<plus>{NUMBER})                                # 0.95+0.01
  | {_INTERVAL_PATTERN}                                      # 85.2 [84, 86], 82.6 (-1.9, +2.0)
"""
_INTERVAL = re.compile(_INTERVAL_PATTERN, re.ASCII | re.IGNORECASE | re.VERBOSE)
#: Half width of an interval in standard errors, which is of 95 % unless stated otherwise.
_Z_95 = NormalDist().inv_cdf(0.975)
_SCORE = re.compile(
    rf"[$€£]?\s*(?P<score>{NUMBER}|[-+]?inf(?:inity)?)\s*(?P<percent>%)?\s*(?:{_ERROR_PATTERN})?"
    r"(?:\s*\(\s*[-+]?[\d.,]+\s*%?\s*\))?",  # and a difference, or a median
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
#: Pattern of a page's tags, and of Markdown's links with their texts.
_LINKS = re.compile(
    r"(?P<apart><(?:sup|sub|br)\b[^>]*>)"
    r"|</?(?:a|b|i|u|em|strong|code|small|span|font|div|p|sup|sub|img)\b[^>]*>"
    r"|!?\[(?P<text>[^\]]*)\]\([^)]*\)",
    re.IGNORECASE,
)
#: Pattern of marks around a number: bold, code, footnotes; but ~3 is not 3.
_MARKS = re.compile(r"^([\s*_`†‡§¶]|~~)+|([\s*_`†‡§¶]|~~)+$")
#: Pattern of a mark other than a comma that separates thousands: 22'720, 1 078.
_THOUSANDS = re.compile(r"(?<=\d)['’\u2009\u202f ](?=\d{3}(?!\d))")
#: Pattern of a comma that does not separate thousands: 0,85.
DECIMAL_COMMA = re.compile(r"\s*[-+−<>~≈]?\s*\d+,\d+(?![\d,])", re.ASCII)
#: Pattern of a comma that may be a decimal point or separate thousands: 71,200.
AMBIGUOUS_COMMA = re.compile(r"\s*[-+]?[1-9]\d{0,2},\d{3}(?!\d)\s*", re.ASCII)
#: Pattern of a number whose points may separate thousands: 1.250.
GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])", re.ASCII)
#: Pattern of a number with a point.
POINT = re.compile(r"\s*[-+]?\d*\.\d+\s*", re.ASCII)
#: Pattern of a likely number with commas, points, blanks or colons in it, or of two numbers.
ALMOST_NUMBER = re.compile(
    r"\s*[-+]?(\d[\d.]*([,\s:]\d[\d.]*)+|\d+\.\d+\s*/\s*\d+\.\d+)\s*(?:%|[mµn]?s|[x×])?\s*"
)
#: Pattern of marks of a figure that is not exact: ~6.2, <0.01, 2,000+.
_APPROXIMATE = re.compile(
    r"^\s*(?:[~≈<>≤≥]|약|約)\s*(?=[-+$€£.\d])|(?<=[\d%])\s*(?:\+|前後|左右)\s*$"
)
#: Pattern of words in brackets behind a figure: 150 (single pod).
_REMARK = re.compile(r"(?<=[\d%])\s*\([^()]*[^\W\d][^()]*\)\s*$")


@dataclass(frozen=True)
class ParsedCell:
    """Content of a cell: a score, and its standard error if the cell has one."""

    score: float
    error: float = math.nan
    percent: bool = False


def parse_cell(text: str) -> ParsedCell | None:
    r"""Parse a cell's score; return NaN if it is marked as missing, None if it is not a score.

    >>> parse_cell("68.4 ± 7.1"), parse_cell("**1,234**").score, parse_cell("7B")
    (ParsedCell(score=68.4, error=7.1, percent=False), 1234.0, None)
    >>> parse_cell("-inf").score, parse_cell("1e400")
    (-inf, None)
    >>> parse_cell(r"$\mathbf{85.2} \pm 0.3$").error, parse_cell("85.2_{0.3}").error
    (0.3, 0.3)
    >>> round(parse_cell("85.2 [84.2, 86.2]").error, 2), parse_cell("0.95+0.01").error
    (0.51, 0.01)
    """
    if (number := _parse_plain(text)) is not None:
        return ParsedCell(number)  # fast for nearly all cells
    bare = _strip_marks(text)
    if _is_not_evaluated(bare):
        return ParsedCell(math.nan)
    match = _SCORE.fullmatch(bare)
    if match is None:
        return None
    ends = {name: parse_number(match[name]) for name in ("score", "low", "high") if match[name]}
    score = ends["score"]
    if math.isinf(score) and "inf" not in bare.lower():  # too large for a float
        return None
    percent = match["percent"] is not None or bare.endswith("%")
    if "low" in ends:
        low, high = ends["low"], ends["high"]
        around = low <= score <= high or low <= 0 <= high
        return ParsedCell(score, (high - low) / 2 / _Z_95, percent) if around else None
    if match["plus"] and "." not in match["score"]:  # 1+1 is not a score
        return None
    return ParsedCell(score, _find_error(match, bare, percent), percent)


def _parse_plain(text: str) -> float | None:
    """Parse a finite number without marks; None for other texts."""
    if not text.isascii() or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return None if math.isinf(number) else number


def _find_error(match: re.Match[str], bare: str, percent: bool) -> float:
    """Find the standard error behind a score; NaN without one."""
    inside = match["inside"] and bare.partition("(")[2]
    # A whole number is a place or a count, and with % a share.
    if inside and inside[0].isdigit() and ("." not in inside or ("%" in inside and not percent)):
        return math.nan
    numbers = [
        parse_number(match[name])
        for name in ("inside", "after", "up", "down", "under", "over", "plus")
        # A signed number in brackets is a difference: 70.1 (+2.3).
        if match[name] is not None and (match[name][0].isdigit() or match[name][0] == ".")
    ]
    return sum(numbers) / len(numbers) if numbers else math.nan


def _strip_marks(text: str) -> str:
    """Remove what stands around a number, such as bold type and medals, and between its digits."""
    plain = strip_latex(text) if has_latex(text) else text
    plain = strip_links(plain).replace("−", "-").replace("\u00a0", " ").replace("**", "")
    bare = re.sub(r"^[\U0001f300-\U0001faff]\ufe0f?\s*(?=[-+.\d])", "", _MARKS.sub("", plain))
    bare = re.sub(r"(?<=[\d%])\s*[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]\ufe0f?$", "", bare)
    bare = re.sub(r"(?<=\d)[_*]+(?=\s)", "", bare)
    return _THOUSANDS.sub("", re.sub(r"^[–—](?=\.?\d)", "-", bare))


def _is_not_evaluated(text: str) -> bool:
    """Return whether a text marks a missing score, also with its error: n/a, nan ± nan."""
    parts = [part.strip().lower() for part in re.split(r"±|\+/-|\+-|(?<=nan)\+", text)]
    return set(parts) <= NOT_EVALUATED


def strip_markup(cell: str) -> str:
    """Remove the marks of bold text, links, code and notes from a cell.

    >>> strip_markup(" **[GPT](https://a.b)** "), strip_markup("<b>88.1</b>")
    ('GPT', '88.1')
    >>> strip_markup("_3D-GS*_"), strip_markup("3D-GS**")
    ('3D-GS*', '3D-GS**')
    """
    cell = re.sub(r"\\([|*_#~])", r"\1", strip_links(cell)).replace("`", "")
    cell = re.sub(r"\*\*(.*?)\*\*", r"\1", cell).strip()
    # A mark at one end is that of a note: 3D-GS*.
    return re.sub(r"^([*_]+|~~)(.*?)\1$", r"\2", cell).strip()


@lru_cache(maxsize=2**16)  # cached, because names repeat in a long table
def strip_links(name: str) -> str:
    """Remove a link, or other tags of a page, around a name.

    >>> strip_links('<a href="https://a.b">GPT</a>'), strip_links("List<int>")
    ('GPT', 'List<int>')
    """
    # Superscripts and new lines are not digits of the number before them.
    return _LINKS.sub(lambda one: " " if one["apart"] else one["text"] or "", name).strip()


def fold_name(name: object) -> str:
    """Convert a name to lower case without signs."""
    return re.sub(r"[\W_]+", "", str(name).lower())


def parse_error(cell: object) -> float:
    """Parse a standard error in its own cell; return NaN if it is not a number.

    >>> parse_error("+5/-7"), parse_error("±0.3"), parse_error(2)
    (6.0, 0.3, 2.0)
    """
    result = parse_cell(f"0 {str(cell).strip()}") or parse_cell(f"0 ± {cell}")
    return math.nan if result is None else result.error


def parse_interval(cell: object) -> tuple[float, float] | None:
    """Parse the ends of an interval in its own cell; return None for other cells.

    >>> parse_interval("[84.2, 86]"), parse_interval("-1.9, +2.0"), parse_interval("85")
    ((84.2, 86.0), (-1.9, 2.0), None)
    """
    text = str(cell).strip().replace("−", "-")
    bare = "" if re.search(r"\d,\d", text) else f"({text})"  # 0,3 is not an interval
    match = _INTERVAL.fullmatch(text) or _INTERVAL.fullmatch(bare)
    return None if match is None else (parse_number(match["low"]), parse_number(match["high"]))


def is_number(cell: object) -> bool:
    """Return whether a cell is a number, and not a truth value."""
    return isinstance(cell, Real | Decimal) and not isinstance(
        cell, bool | np.bool_ | np.timedelta64
    )


def is_bool(cell: object) -> bool:
    """Return whether a cell means yes or no.

    >>> [is_bool(cell) for cell in (True, "false", 1, "yes")]
    [True, True, False, True]
    """
    words = ("true", "false", "yes", "no")
    return isinstance(cell, bool | np.bool_) or str(cell).strip().lower() in words


def is_text_number(cell: object) -> bool:
    """Return whether a cell is a score, also as a text, and not a mark of a missing one."""
    if not isinstance(cell, str):
        return is_number(cell) and cell == cell
    result = parse_cell(cell)
    return result is not None and not math.isnan(result.score)


@dataclass(frozen=True)
class ParsedColumn:
    """Parsed column of cells."""

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    #: Rows whose cells are neither scores nor empty.
    unparsed_rows: list[int]
    #: Whether each of these cells means yes or no.
    is_boolean: bool
    #: Rows with a number but without a percent sign, in a column where others have it.
    rows_without_percent: list[int]
    #: Unit of all cells: "s" where they are times, such as 1:05.3.
    unit: str = ""
    #: Cells that are read as their numbers, which are not all that they say: ~3, <0.01.
    rough: Sequence[str] = ()

    @property
    def has_other_cells(self) -> bool:
        """Whether cells are neither scores nor empty, or lack the sign that others have."""
        return bool(self.unparsed_rows or self.rows_without_percent)

    @property
    def n_scores(self) -> int:
        """The number of scores."""
        return int((~np.isnan(self.values)).sum())

    def parse_booleans(self, cells: pd.Series) -> ParsedColumn:
        """Convert cells that mean yes or no to 1 and 0."""
        values = self.values.copy()
        yes = cells.astype(str).str.strip().str.lower().isin(["true", "yes"])
        values[self.unparsed_rows] = yes.iloc[self.unparsed_rows]
        return replace(self, values=values, unparsed_rows=[])


def parse_column(
    cells: pd.Series,
    *,
    decimal_comma: bool = False,
    has_thousands: bool = False,
    has_sizes: bool = False,
) -> ParsedColumn:
    """Parse the scores of a column, whatever the types of its cells.

    Commas may be decimal points, and points separate thousands; 14.3M may be a number.

    >>> parse_column(pd.Series(["1", "n/a", "x", 2])).values.tolist()
    [1.0, nan, nan, 2.0]
    """
    if pd.api.types.is_numeric_dtype(cells.dtype) and not pd.api.types.is_bool_dtype(cells.dtype):
        values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
        return ParsedColumn(values, np.full(len(values), np.nan), [], False, [])
    listed: Sequence[Any] = (expand_sizes(cells) if has_sizes else cells).tolist()
    if decimal_comma:
        listed = [_write_points(c, has_thousands) if isinstance(c, str) else c for c in listed]
    known = {cell: parse_cell(cell) for cell in {c for c in listed if isinstance(c, str)}}
    rough = _parse_rough_cells(known)
    known |= rough
    results = [_parse_any(cell, known) for cell in listed]
    wrong = [row for row, result in enumerate(results) if result is None]
    read = [result or ParsedCell(math.nan) for result in results]
    values, errors = (np.array([getattr(item, what) for item in read], dtype=np.float64)
                      for what in ("score", "error"))  # fmt: skip
    written = [row for row, cell in enumerate(listed)
               if isinstance(cell, str) and not math.isnan(values[row])]  # fmt: skip
    unmarked = [row for row in written if not read[row].percent]
    unit = ""
    if wrong and np.isnan(values).all():
        texts = [str(listed[row]) for row in wrong]
        values[wrong], errors[wrong], unit = parse_together(
            [_APPROXIMATE.sub("", text).strip() for text in texts]
        )
        rough |= dict.fromkeys(filter(_APPROXIMATE.search, texts))
        wrong = [row for row in wrong if math.isnan(values[row])]
    truths = bool(wrong) and all(is_bool(listed[row]) for row in wrong)
    others = unmarked if len(unmarked) < len(written) else []
    return ParsedColumn(values, errors, wrong, truths, others, unit, sorted(rough))


def _parse_any(cell: Any, known_cells: Mapping[str, ParsedCell | None]) -> ParsedCell | None:
    """Parse a cell of any type; NaN if it is empty, None if it is not a score."""
    if isinstance(cell, str):
        return known_cells[cell]
    if is_number(cell):
        return ParsedCell(float(cell))
    return ParsedCell(math.nan) if pd.api.types.is_scalar(cell) and pd.isna(cell) else None


def _write_points(cell: str, has_thousands: bool) -> str:
    """Write a decimal comma as a point, and a number without the points between thousands."""
    bare = GROUPED.sub(lambda one: one[0].replace(".", ""), cell) if has_thousands else cell
    return bare.replace(",", ".") if DECIMAL_COMMA.match(bare) else bare


def _parse_rough_cells(known: Mapping[str, ParsedCell | None]) -> dict[str, ParsedCell | None]:
    """Parse figures that are not exact, and those with a remark if others have none."""
    odd = [cell for cell, result in known.items() if result is None]
    plain = {cell: strip_latex(cell) if has_latex(cell) else cell for cell in odd}
    found = {cell: parse_cell(_APPROXIMATE.sub("", text)) for cell, text in plain.items()}
    left = {cell: parse_cell(_REMARK.sub("", plain[cell])) for cell in odd if not found[cell]}
    if all(left.values()) and any(one and one.score == one.score for one in known.values()):
        found |= left
    return {cell: result for cell, result in found.items() if result is not None}


def has_decimal_commas(cells: Sequence[str]) -> bool:
    """Return whether the numbers of a table have commas for points, some beyond doubt.

    >>> has_decimal_commas(["0,85", "1,250"]), has_decimal_commas(["0,85", "1.5"])
    (True, False)
    >>> has_decimal_commas(["1,250"])
    False
    """
    plain = [GROUPED.sub("1000", cell) for cell in cells]  # 1.250, next to 0,85
    commas = [cell for cell in plain if DECIMAL_COMMA.match(cell)]
    sure = any(not AMBIGUOUS_COMMA.match(cell) for cell in commas)
    return sure and not any(re.match(r"\s*[-+]?\d*\.\d", cell) for cell in plain)
