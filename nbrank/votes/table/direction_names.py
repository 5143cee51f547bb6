"""Orientation of a task by its name: a statement, a metric, a unit or a hint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nbrank.votes.table.metric_lexicon import MetricName, has_kind, read_metric
from nbrank.votes.table.name_heuristics import is_benchmark_name, split_words
from nbrank.votes.table.reading import FILE_SAYS, Direction
from nbrank.votes.table.word_lists import list_names

_BETTER = r"(?:is|are|=|:)?[\s_]*(?:the\s+)?better"
_STATEMENTS: dict[Direction, re.Pattern[str]] = {
    "lower": re.compile(
        rf"[↓⬇▼🔽⇓]|\\downarrow|\bdownarrow\b|\b(?:lower|less|smaller|fewer)[\s_]*{_BETTER}"
        r"|\(\s*(?:min|minimi[sz]e)\s*\)",
        re.IGNORECASE,
    ),
    "higher": re.compile(
        rf"[↑⬆▲🔼⇑]|\\uparrow|\buparrow\b|\b(?:higher|more|larger|greater)[\s_]*{_BETTER}"
        r"|\(\s*(?:max|maximi[sz]e)\s*\)",
        re.IGNORECASE,
    ),
}
#: Denominators after a unit of time: ms/frame, seconds_per_case.
_TIME_PER = re.compile(
    r"(?<![/\w])(?:[mµnu]?s|secs?)\s*/"
    r"|(?<![^\W_])(?<!per[ _])(?:[mµnu]?s|secs?|seconds?)[ _]per(?=[ _])",
    re.IGNORECASE,
)
#: Pattern of a unit of memory, energy or power anywhere in a name.
_UNIT_WITHIN = re.compile(
    r"(?<![^\W_])(?:[kKMGT]i?B|k?Wh|[kM]?J|[mk]W)(?![^\W_]|&)|\([WJ]\)|(?:[$€£]|USD|EUR)\s*/"
)
#: Pattern of a name that ends in a unit without brackets: eval_ms, Build s, parse µs.
_BARE_UNIT = re.compile(
    r"(?<=\w{3})[\s_](?:milliseconds|minutes|hours|seconds|ms|msec|mb|gb|mib|gib)$|\s(?:[µμ]s|ns)$|"
    r"(?:\b|_)(?:build|load|index|train|fit|run|total|wall|solve|parse|compile|startup|eval)"
    r"(?:ing)?[\s_]s$",
    re.IGNORECASE,
)
#: Pattern of a race over a distance.
_RACE = re.compile(r"^(?:x ?|run ?)?\d+ ?(?:m|km|yards|miles?)\b", re.IGNORECASE)
#: Suffixes that are not part of a name.
_NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]|[↓↑⬇⬆▼▲%*†‡$]|\ufe0f|\\(?:down|up)arrow")
#: Slash before the denominator of a rate.
_SLASH = re.compile(
    r"/\s*(?=(?:s|secs?|second|min|h|hour|day|ms|w|watt|j|token|query|request|call|page|pt)\b)",
    re.IGNORECASE,
)
#: Pattern of what is left of one: 1 - SSIM, one minus F1.
_OF_ONE = re.compile(r"^\s*(?:1|one)(?:\s*[-−]|[\s_]+minus(?![^\W_]))", re.IGNORECASE)
#: Single words of metrics on which higher is better.
HIGHER_METRICS = list_names("metric_names.txt", "higher")
_UNITS = (
    list_names("metric_names.txt", "time")
    | list_names("metric_names.txt", "unit")
    | frozenset("$€£")
)
_DOUBTED = frozenset({"doubt", "cost"})
#: Units of time: what is measured in them is often better the lower.
TIME_UNITS = list_names("metric_names.txt", "time")


@dataclass(frozen=True)
class DirectionHint:
    """Orientation that a name suggests, either surely or only as a doubt."""

    direction: Direction
    why: str
    #: Whether the name is a statement or a metric; an ambiguous word only raises a doubt.
    sure: bool = True
    #: Whether the name alone is worth a warning.
    loud: bool = True


def stated_direction(name: object) -> Direction | None:
    r"""Return the orientation that an arrow or a note in a name states.

    >>> [stated_direction(n) for n in ("FPs ↓", "t (lower is better)", r"t $\uparrow$", "t")]
    ['lower', 'lower', 'higher', None]
    """
    text = " ".join(map(str, name)) if isinstance(name, tuple) else str(name)
    if "(min)" in text and has_kind(read_metric(text).terms, "quantity"):  # minutes
        text = text.replace("(min)", "")
    stated = [way for way, pattern in _STATEMENTS.items() if pattern.search(text)]
    return stated[0] if len(stated) == 1 else None


def without_statement(name: object) -> str:
    """Return a name without its arrow or note.

    >>> without_statement("t (lower is better)"), without_statement("FPs ↓")
    ('t', 'FPs')
    """
    text = str(name[-1] if isinstance(name, tuple) else name)
    for pattern in _STATEMENTS.values():
        text = re.sub(rf"\(?\$?(?:{pattern.pattern})\$?\)?", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())


@lru_cache(maxsize=2**14)
def direction_hint(name: object) -> DirectionHint | None:
    """Return the orientation of a name: by a statement, a metric, a unit, or only as a doubt.

    >>> hints = map(direction_hint, ("Logloss", "peak_memory_mb", "cost", "tokens/s", "maths"))
    >>> [hint and (hint.direction, hint.sure) for hint in hints]
    [('lower', True), ('lower', True), ('lower', False), None, None]
    """
    if not isinstance(name, str | tuple):
        return None
    parts = name if isinstance(name, tuple) else (name,)
    if (stated := stated_direction(name)) is not None:
        return DirectionHint(stated, FILE_SAYS)
    hints = [hint for part in reversed(parts) if (hint := _part_hint(str(part)))]
    return next((hint for hint in hints if hint.sure), hints[0] if hints else None)


def is_lower_name(name: object) -> bool:
    """Return whether a name alone says aloud that lower is better.

    >>> [*map(is_lower_name, ["latency", "cost of living", "maths"])]
    [True, False, False]
    """
    hint = direction_hint(name)
    return hint is not None and hint.direction == "lower" and hint.loud


@lru_cache(maxsize=2**14)
def is_metric_name(name: object) -> bool:
    """Return whether a name is that of a metric, whichever way it points.

    >>> [is_metric_name(name) for name in ("ROUGE-L (%)", "F1", "F1 maths", "latency")]
    [True, True, False, True]
    """
    parts = name if isinstance(name, tuple) else (name,)
    metrics = [_read_metric(str(part)) for part in parts]
    gains = (metric.head.text.lower() for metric in metrics if metric.is_whole)
    return any(gain in HIGHER_METRICS for gain in gains) or (
        isinstance(parts[-1], str) and is_lower_name(name)
    )


@lru_cache(maxsize=2**14)
def is_gain_name(name: object) -> bool:
    """Return whether a name says that higher is better, as a metric or as a rate in time.

    >>> names = ("F1 maths", "req/s", "Top-1", "accuracy loss", "errors/s", "1 - SSIM", "maths")
    >>> [*map(is_gain_name, names)]
    [True, True, True, False, False, False, False]
    """
    text = str(name[-1] if isinstance(name, tuple) else name)
    if direction_hint(text) is not None:
        return False
    metric = _read_metric(text)
    kinds = metric.head.kinds
    if kinds & {"lower", "fault"}:  # neg_log_loss
        return metric.is_inverse
    return metric.is_rate or ("higher" in kinds and not metric.is_turned)


def _without_notes(text: str) -> str:
    """Return a name without notes, and without the point at which it was measured."""
    start = re.split("@| at ", re.sub(r"\bR@(?=\d)", "recall@", _NOTE.sub(" ", text)))[0]
    return start if re.search(r"[^\W_]|#", start) else text


def _read_metric(text: str) -> MetricName:
    """Find the metric that decides in a name."""
    return read_metric(_SLASH.sub(" per ", _without_notes(text)))


def _part_hint(text: str) -> DirectionHint | None:
    """Return the orientation of one part of a name."""
    is_share_below = re.search(r"[<≤]\s*\d", text) is not None
    if text.rstrip().endswith("?") or is_share_below or is_benchmark_name(text):
        return None
    notes = map(_read_metric, re.findall(r"[(\[]([^()\[\]\s]+)[)\]]", text))
    if any("lower" in note.head.kinds and note.is_whole for note in notes):  # ASR (WER)
        return DirectionHint("lower", "its name")
    if _TIME_PER.search(text):
        return DirectionHint("lower", "its name and unit")
    name = _read_metric(text)
    from_one = name.is_whole and _OF_ONE.match(text) is not None
    if "higher" in name.head.kinds:
        return _hint_of_gain(name, from_one)
    if from_one or (name.head.kinds and name.is_turned):
        return None
    return DirectionHint("lower", "its name") if _points_down(name) else _weak_hint(name, text)


def _hint_of_gain(name: MetricName, from_one: bool) -> DirectionHint | None:
    """Return the orientation of a changed gain: accuracy drop, 1 - SSIM."""
    if name.harms:
        return _doubt(name.harms[0])
    return DirectionHint("lower", "its name") if from_one else None


def _weak_hint(name: MetricName, text: str) -> DirectionHint | None:
    """Return the orientation by a quantity with a unit, or a doubt."""
    has_quantity, is_gain = has_kind(name.terms, "quantity"), has_kind(name.terms, "gain")
    if has_quantity and not is_gain and has_unit(text):
        return DirectionHint("lower", "its name and unit")
    if is_gain or (name.is_rate and not has_quantity):
        return None
    return _doubt_of_words(name, text) or (None if name.denominator else _doubt_of_unit(text))


def _doubt_of_words(name: MetricName, text: str) -> DirectionHint | None:
    """Return the doubt that a word of a name raises, or a unit before its denominator."""
    kinds = name.head.kinds
    if kinds & _DOUBTED and (name.is_at_end or re.match(r"(?i)(?:cost|price)s?_", text)):
        return _doubt(name.head.text, loud="cost" in kinds)
    if "fault" in kinds:
        return _doubt(name.head.text)
    flaws = [term.text for term in name.terms if "flaw" in term.kinds]
    if flaws and has_kind(name.terms, "share"):
        return _doubt(flaws[0])
    per_unit = name.denominator and has_kind(name.terms[-1:], "unit")
    return _doubt(name.terms[-1].text) if per_unit else None


def is_lower_metric(name: object) -> bool:
    """Return whether lower is better by the metric in a name, whatever its unit.

    >>> [*map(is_lower_metric, ("top1_err", "mCE", "error F1", "neg_log_loss", "cost ($)"))]
    [True, True, False, False, False]
    """
    metric = _read_metric(str(name))
    return _points_down(metric) and not metric.is_turned


def _points_down(name: MetricName) -> bool:
    """Return whether lower is better on what decides in a name, for sure."""
    kinds = name.head.kinds
    return (
        "lower" in kinds
        or ("fault" in kinds and name.is_near_end)
        or ("alone" in kinds and name.is_whole and not any(term.is_number for term in name.terms))
    )


def _doubt(words: str, *, loud: bool = False) -> DirectionHint:
    """Return the doubt that some words of a name raise."""
    return DirectionHint("lower", f"{words!r} is often better the lower", sure=False, loud=loud)


def _doubt_of_unit(text: str) -> DirectionHint | None:
    """Return the doubt that a unit of time, memory or money raises, or a race."""
    if race := _RACE.search(text.strip()):
        return _doubt(race[0])
    plain = re.sub(r"(?<=\w)\(s\)|\([A-Z]\)", " ", text)  # model(s), and names of sizes
    notes = _unit_notes(plain)
    units = [unit for note in notes if len(note) == 1 for unit in note & TIME_UNITS]
    units += [
        bare[0].split("_")[-1].split()[-1] for bare in [_BARE_UNIT.search(text.strip())] if bare
    ]
    if (unit := _UNIT_WITHIN.search(text)) and unit[0] != text.strip():
        units.append(unit[0].strip("()/ "))
    if not units:
        return None
    what = "times" if {*units} <= TIME_UNITS else "figures"
    why = f"{what} ({units[0]!r}) are often better the lower"
    return DirectionHint("lower", why, sure=False, loud=False)


def _unit_notes(text: str) -> list[set[str]]:
    """Return the words of each note in brackets, or behind the last comma."""
    notes = re.findall(r"\(([^()]*)\)|\[([^]]*)\]|,\s*([^,()]*)$", text.lower())
    return [set(re.findall(r"[^\W_]+|[$€£]", "".join(note))) for note in notes]


def has_unit(name: object) -> bool:
    """Return whether a name is a quantity with a unit, so hardly a system.

    >>> [has_unit(name) for name in ("Time, s", "latency_ms", "Energy (J)", "RITA S", "speed")]
    [True, True, True, False, False]
    """
    text = str(name[-1] if isinstance(name, tuple) else name)
    notes = _unit_notes(text)
    if any(note and (note <= _UNITS or note & {"gb", "mb", "gib"}) for note in notes):
        return True
    *words, last = [*split_words(text), ""][:-1] or [""]
    return last in _UNITS and has_kind(read_metric(" ".join(words)).terms, "quantity")
