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

#: Cells without a score, in lower case.
NOT_EVALUATED = frozenset(
    ("", "-", "--", "---", "–", "—", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "none", "null")
)
_NUMBER = r"[-+]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
#: Pattern of an interval: the signs between its ends, and the text that may precede them.
_INTERVAL_PATTERN = rf"""
    [\[(]\s*(?:\d+\s*%\s*)?(?:CI\s*[:=]?\s*)?(?P<low>{_NUMBER})\s*%?
    \s*(?:,|;|\.\.|–|—|\bto\b|(?<=\d)-)\s*(?P<high>{_NUMBER})\s*%?\s*[\])]
"""
_ERROR_PATTERN = rf"""
    \(\s*(?:±|\+/-|\+-)?\s*(?P<inside>{_NUMBER})\s*%?\s*\)  # 68.4(7.1), 1.04 (3), 68.4 (±7.1)
  | (?:±|\+/-|\+-|\\pm|&plusmn;)\s*(?P<after>{_NUMBER})\s*%?  # 68.4 ± 7.1
  | \(?\s*(?:\+\s*(?P<up>{_NUMBER})\s*/\s*-\s*(?P<down>{_NUMBER})    # 1287 +5/-5
  | -\s*(?P<under>{_NUMBER})\s*/\s*\+\s*(?P<over>{_NUMBER}))\s*\)?   # 1287 -5/+5
  | \+\s*(?P<plus>{_NUMBER})                                # 0.95+0.01
  | {_INTERVAL_PATTERN}                                      # 85.2 [84, 86], 82.6 (-1.9, +2.0)
"""
_INTERVAL = re.compile(_INTERVAL_PATTERN, re.ASCII | re.IGNORECASE | re.VERBOSE)
#: Half width of an interval in standard errors, which is of 95 % unless stated otherwise.
_Z_95 = NormalDist().inv_cdf(0.975)
_SCORE = re.compile(
    rf"[$€£]?\s*(?P<score>{_NUMBER}|[-+]?inf(?:inity)?)\s*(?P<percent>%)?\s*(?:{_ERROR_PATTERN})?"
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
#: Patterns of cells that are numbers only if the whole column is such: 1:05.3, 27m49s, and 5/10.
_TIME = re.compile(r"(?:(\d+):)?(\d{1,2}):([0-5]\d(?:\.\d+)?)", re.ASCII)
_TIME_IN_UNITS = re.compile(
    r"(?=\d)(?:(\d+) ?h(?:ours?)?)? ?(?:(\d+) ?m(?:in)?)? ?(?:(\d+(?:\.\d+)?) ?s(?:ec)?)?", re.ASCII
)
_QUANTITY = re.compile(
    rf"(?P<number>{_NUMBER})(?:\s*(?P<first>[^\W\d_]{{1,4}})?\s*(?:±|\+/-)\s*(?P<error>{_NUMBER}))?"
    r"\s*(?P<scale>[kMBGT](?=\s\S))?"
    r"\s*(?P<unit>ns|[uµμ]s|ms|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|dB|[x×°]|[mck]?m|px|m?eV"
    r"|[kKMGT]i?B|[kM]?Hz|fps|FPS"
    r"|[mk]?[WJ]|kWh|k?g|pts|pp|[^\W\d_]*/[^\W\d_]+|[^\W\d_a-zA-Z²³]{1,3})"
)
#: Pattern of a unit that may differ in its size: MB/s and GB/s.
_SCALED = re.compile(r"([kKMGT])i?(B(?:/s)?|Hz)")
_SCALES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "B": 1e9, "T": 1e12}
_SECONDS = dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0)
_SECONDS |= {"ms": 1e-3, "ns": 1e-9} | dict.fromkeys(("us", "µs", "μs"), 1e-6)
_SECONDS |= dict.fromkeys(("min", "mins", "minute", "minutes"), 60.0)
_SECONDS |= dict.fromkeys(("h", "hour", "hours"), 3600.0)
#: Pattern of marks of a figure that is not exact: ~6.2, <0.01, 2,000+.
_APPROXIMATE = re.compile(
    r"^\s*(?:[~≈<>≤≥]|약|約)\s*(?=[-+$€£.\d])|(?<=[\d%])\s*(?:\+|前後|左右)\s*$"
)
#: Pattern of words in brackets behind a figure: 150 (single pod).
_REMARK = re.compile(r"(?<=[\d%])\s*\([^()]*[^\W\d][^()]*\)\s*$")
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*([1-9]\d*)(?:\s*\([\d.]+\s*%\))?", re.ASCII)
#: Pattern of the size of a system: 7B, 8x7B, 1.5 M.
_SIZE = re.compile(r"\s*[~<>≈]?\s*(\d+\s*x\s*)?\d+(\.\d+)?\s*[kmbt]b?\s*", re.ASCII | re.IGNORECASE)


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
    if text.isascii() and "_" not in text:
        try:
            number = float(text)
            if not math.isinf(number):
                return ParsedCell(number)  # fast for nearly all cells
        except ValueError:
            pass
    plain = strip_latex(text) if has_latex(text) else text
    bare = _MARKS.sub(
        "", strip_links(plain).replace("−", "-").replace("\u00a0", " ").replace("**", "")
    )
    if _is_not_evaluated(bare):
        return ParsedCell(math.nan)
    bare = re.sub(r"^[\U0001f300-\U0001faff]\ufe0f?\s*(?=[-+.\d])", "", bare)  # a medal
    bare = re.sub(r"(?<=[\d%])\s*[\U0001f300-\U0001faff\u2600-\u27bf\u2b50]\ufe0f?$", "", bare)
    bare = re.sub(r"(?<=\d)[_*]+(?=\s)", "", bare)
    bare = _THOUSANDS.sub("", re.sub(r"^[–—](?=\.?\d)", "-", bare))
    match = _SCORE.fullmatch(bare)
    if match is None:
        return None
    ends = {name: _parse_number(match[name]) for name in ("score", "low", "high") if match[name]}
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
    inside = match["inside"] and bare.partition("(")[2]
    # A whole number is a place or a count, and with % a share.
    if inside and inside[0].isdigit() and ("." not in inside or ("%" in inside and not percent)):
        return ParsedCell(score, percent=percent)
    numbers = [
        _parse_number(match[name])
        for name in ("inside", "after", "up", "down", "under", "over", "plus")
        # A signed number in brackets is a difference: 70.1 (+2.3).
        if match[name] is not None and (match[name][0].isdigit() or match[name][0] == ".")
    ]
    return ParsedCell(score, sum(numbers) / len(numbers) if numbers else math.nan, percent)


def _parse_number(text: str) -> float:
    return float(text.replace(",", ""))


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
    return None if match is None else (_parse_number(match["low"]), _parse_number(match["high"]))


def parse_range(cell: object) -> tuple[float, float] | None:
    """Parse the ends of a range that rises; return None for other cells.

    >>> parse_range("100,000-180,000"), parse_range("1-2 ms"), parse_range("2-0")
    ((100000.0, 180000.0), None, None)
    """
    match = re.fullmatch(rf"\s*({_NUMBER})\s*[-–—]\s*({_NUMBER})\s*", str(cell))
    ends = (_parse_number(match[1]), _parse_number(match[2])) if match else (0.0, 0.0)
    return ends if ends[0] < ends[1] else None


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


def looks_like_sizes(cells: pd.Series) -> bool:
    """Return whether all cells that are not empty are sizes, as of models.

    >>> looks_like_sizes(pd.Series(["7B", "8x22B", "n/a"]))
    True
    >>> looks_like_sizes(pd.Series(["7B", "large"]))
    False
    """
    sentences = [cell for cell in map(str, cells) if cell.strip().lower() not in NOT_EVALUATED]
    return all(map(_SIZE.fullmatch, sentences))


def _expand_sizes(cells: pd.Series) -> pd.Series:
    """Write numbers with a letter for thousands, millions or billions as numbers, if all are such.

    >>> (
    ...     _expand_sizes(pd.Series(["14.3M", "145k"])).tolist(),
    ...     _expand_sizes(pd.Series(["x"])).tolist(),
    ... )
    ([14300000.0, 145000.0], ['x'])
    """
    found = [re.fullmatch(r"\s*([\d.]+)(\s*[kKmMbBtT])\s*", str(cell)) for cell in cells]
    sizes = [round(float(one[1]) * (1.0 if one[2] == " B" else _SCALES[one[2].strip().upper()]), 6)
             for one in found if one]  # fmt: skip
    return pd.Series(sizes, dtype=float) if len(sizes) == len(cells) else cells


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
    listed: Sequence[Any] = (_expand_sizes(cells) if has_sizes else cells).tolist()
    if decimal_comma:
        bare = (GROUPED.sub(lambda one: one[0].replace(".", ""), c) if has_thousands else c
                for c in listed if isinstance(c, str))  # fmt: skip
        plain = (c.replace(",", ".") if DECIMAL_COMMA.match(c) else c for c in bare)
        listed = [next(plain) if isinstance(c, str) else c for c in listed]
    known = {cell: parse_cell(cell) for cell in {c for c in listed if isinstance(c, str)}}
    rough = _parse_rough_cells(known)
    known |= rough
    values, errors = np.full((2, len(listed)), np.nan)
    wrong: list[int] = []
    percent: list[int] = []
    unmarked: list[int] = []
    for row, cell in enumerate(listed):
        if isinstance(cell, str):
            if (result := known[cell]) is None:
                wrong.append(row)
                continue
            values[row], errors[row] = result.score, result.error
            if not math.isnan(result.score):
                (percent if result.percent else unmarked).append(row)
        elif is_number(cell):
            values[row] = float(cell)
        elif not (pd.api.types.is_scalar(cell) and pd.isna(cell)):
            wrong.append(row)
    unit = ""
    if wrong and np.isnan(values).all():
        texts = [_APPROXIMATE.sub("", str(listed[row])).strip() for row in wrong]
        more, of_more, unit = _parse_quantities(texts)
        errors[wrong] = of_more or math.nan
        if not more and (more := _parse_times(texts)):
            unit = "s"
        values[wrong] = more or _parse_shares(texts) or math.nan
        rough |= dict.fromkeys(filter(_APPROXIMATE.search, (str(listed[row]) for row in wrong)))
        wrong = [row for row in wrong if math.isnan(values[row])]
    truths = bool(wrong) and all(is_bool(listed[row]) for row in wrong)
    others = unmarked if percent else []
    return ParsedColumn(values, errors, wrong, truths, others, unit, sorted(rough))


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
    plain = [GROUPED.sub("1000", cell) for cell in cells]  # 1.250, beside 0,85
    commas = [cell for cell in plain if DECIMAL_COMMA.match(cell)]
    sure = any(not AMBIGUOUS_COMMA.match(cell) for cell in commas)
    return sure and not any(re.match(r"\s*[-+]?\d*\.\d", cell) for cell in plain)


def _parse_quantities(texts: Sequence[str]) -> tuple[list[float], list[float], str]:
    """Parse numbers, and their errors, with a unit, times in seconds; none unless all have it.

    >>> _parse_quantities(["4.5 us", "1,002.5 us"])[::2], _parse_quantities(["3 ms", "2 apples"])
    (([4.5e-06, 0.0010025], 's'), ([], [], ''))
    >>> _parse_quantities(["58 ± 1 ms"]), _parse_quantities(["2B op/s", "1.5M op/s"])[::2]
    (([0.058], [0.001], 's'), ([2000000000.0, 1500000.0], 'op/s'))
    """
    found = [match for text in texts if (match := _QUANTITY.fullmatch(text))
             and match["first"] in (None, match["unit"])]  # fmt: skip
    units = {one["unit"]: 1.0 for one in found}
    # 14.3m is a size, and 75.0m ± 12.3m a length.
    is_size = "m" in units and not all(one["error"] for one in found)
    if len(found) < len(texts) or is_size:
        return [], [], ""
    unit = next(iter(units))
    scaled = [match for item in units if (match := _SCALED.fullmatch(item))]
    if set(units) <= set(_SECONDS):
        units, unit = _SECONDS, "s"
    elif len(scaled) == len(units) > 1 and len({match[2] for match in scaled}) == 1:
        units = {match[0]: _SCALES[match[1]] / _SCALES[unit[0]] for match in scaled}
    elif len(units) > 1:
        return [], [], ""
    sizes = [units[one["unit"]] * _SCALES[one["scale"] or ""] for one in found]
    numbers, errors = (
        [_parse_number(one[part] or "nan") * size for one, size in zip(found, sizes, strict=True)]
        for part in ("number", "error")
    )
    return numbers, errors, unit


def is_unit_text(text: str) -> bool:
    """Return whether a text is a unit, as behind a number.

    >>> is_unit_text("ms"), is_unit_text("kJ"), is_unit_text("tall")
    (True, True, False)
    """
    return text == "%" or _QUANTITY.fullmatch(f"1 {text}") is not None


def _parse_times(texts: Sequence[str]) -> list[float]:
    """Parse times of several units in seconds, NaN for words among them; none for other texts.

    >>> _parse_times(["1:05.3", "1:00:00", "DNF"]), _parse_times(["1:05.3", "1:5"])
    ([65.3, 3600.0, nan], [])
    >>> _parse_times(["27m49s", "1h 2min", "45s"]), _parse_times(["14m", "9m"])
    ([1669.0, 3720.0, 45.0], [])
    """
    found = [_TIME.fullmatch(text) or _TIME_IN_UNITS.fullmatch(text) for text in texts]
    if all(one is None or sum(map(bool, one.groups())) < 2 for one in found):  # 14m is a size
        return []
    words = [text for text, one in zip(texts, found, strict=True) if one is None]
    if 2 * len(words) >= len(texts) or any(re.search(r"\d", word) for word in words):
        return []
    return [60.0 * (60 * int(one[1] or 0) + int(one[2] or 0)) + float(one[3] or 0)
            if one else math.nan for one in found]  # fmt: skip


def _parse_shares(texts: Sequence[str]) -> list[float]:
    """Parse shares of one total, from 0 to 1; return none unless all texts are such.

    >>> _parse_shares(["5/10", "10/10"]), _parse_shares(["1/2", "3/12"])
    ([0.5, 1.0], [])
    """
    found = [match for text in texts if (match := _SHARE.fullmatch(text))]
    shares = [float(one[1]) / int(one[2]) for one in found]
    totals = {one[2] for one in found}
    return shares if len(found) == len(texts) > 1 and len(totals) == 1 and max(shares) <= 1 else []


def is_large(cell: object) -> bool:
    """Return whether a cell is an integer, also as a text, so large that floats may miss it."""
    text = str(cell).strip().lstrip("+-")
    whole = isinstance(cell, str | int | np.integer) and text.isdecimal()
    return whole and int(text) >= 2**53
