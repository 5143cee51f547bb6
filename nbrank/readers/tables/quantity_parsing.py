"""Numbers whose cells say more: quantities with a unit, times, shares of a total, sizes."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import pandas as pd

#: Cells without a score, in lower case.
NOT_EVALUATED = frozenset(
    ("", "-", "--", "---", "–", "—", "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "none", "null")
)
NUMBER = r"[-+]?(?:(?:[1-9]\d{0,2}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
#: Patterns of cells that are numbers only if the whole column is such: 1:05.3, 27m49s, and 5/10.
_TIME = re.compile(r"(?:(\d+):)?(\d{1,2}):([0-5]\d(?:\.\d+)?)", re.ASCII)
_TIME_IN_UNITS = re.compile(
    r"(?=\d)(?:(\d+) ?h(?:ours?)?)? ?(?:(\d+) ?m(?:in)?)? ?(?:(\d+(?:\.\d+)?) ?s(?:ec)?)?", re.ASCII
)
_QUANTITY = re.compile(
    rf"(?P<number>{NUMBER})(?:\s*(?P<first>[^\W\d_]{{1,4}})?\s*(?:±|\+/-)\s*(?P<error>{NUMBER}))?"
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
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*([1-9]\d*)(?:\s*\([\d.]+\s*%\))?", re.ASCII)
#: Pattern of the size of a system: 7B, 8x7B, 1.5 M.
_SIZE = re.compile(r"\s*[~<>≈]?\s*(\d+\s*x\s*)?\d+(\.\d+)?\s*[kmbt]b?\s*", re.ASCII | re.IGNORECASE)


def parse_number(text: str) -> float:
    """Parse a number in whose digits commas may separate thousands."""
    return float(text.replace(",", ""))


def looks_like_sizes(cells: pd.Series) -> bool:
    """Return whether all cells that are not empty are sizes, as of models.

    >>> looks_like_sizes(pd.Series(["7B", "8x22B", "n/a"]))
    True
    >>> looks_like_sizes(pd.Series(["7B", "large"]))
    False
    """
    sentences = [cell for cell in map(str, cells) if cell.strip().lower() not in NOT_EVALUATED]
    return all(map(_SIZE.fullmatch, sentences))


def expand_sizes(cells: pd.Series) -> pd.Series:
    """Write numbers with a letter for thousands, millions or billions as numbers, if all are such.

    >>> (
    ...     expand_sizes(pd.Series(["14.3M", "145k"])).tolist(),
    ...     expand_sizes(pd.Series(["x"])).tolist(),
    ... )
    ([14300000.0, 145000.0], ['x'])
    """
    found = [re.fullmatch(r"\s*([\d.]+)(\s*[kKmMbBtT])\s*", str(cell)) for cell in cells]
    sizes = [round(float(one[1]) * (1.0 if one[2] == " B" else _SCALES[one[2].strip().upper()]), 6)
             for one in found if one]  # fmt: skip
    return pd.Series(sizes, dtype=float) if len(sizes) == len(cells) else cells


def parse_together(texts: Sequence[str]) -> tuple[Sequence[float] | float, Any, str]:
    """Parse cells that are numbers only if all are such, their errors, and their unit."""
    values, errors, unit = _parse_quantities(texts)
    if not values and (times := _parse_times(texts)):
        return times, math.nan, "s"
    return values or _parse_shares(texts) or math.nan, errors or math.nan, unit


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
        [parse_number(one[part] or "nan") * size for one, size in zip(found, sizes, strict=True)]
        for part in ("number", "error")
    )
    return numbers, errors, unit


def is_unit_text(text: str) -> bool:
    """Return whether a text is a unit, as behind a number.

    >>> is_unit_text("ms"), is_unit_text("g/cm3"), is_unit_text("tall")
    (True, True, False)
    """
    bare = re.sub(r"(?<=[a-z])-?\d", "", text.strip())
    return bare == "%" or _QUANTITY.fullmatch(f"1 {bare}") is not None


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
