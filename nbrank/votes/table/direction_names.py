"""Orientation of a task by its name: a statement, a metric of the lexicon, a unit or a hint."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from nbrank.votes.table.name_heuristics import is_benchmark_name, split_cased_words, split_words
from nbrank.votes.table.reading import FILE_SAYS, Direction
from nbrank.votes.table.word_lists import list_names, read_names

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
#: Denominators of a rate that is a throughput, whatever it counts.
_SECONDS = frozenset({"s", "sec", "secs", "second", "seconds"})
#: Units of time: lower is often better for what is measured in them.
TIME_UNITS = list_names("metric_names.txt", "time")
_UNITS = TIME_UNITS | list_names("metric_names.txt", "unit") | frozenset("$€£")
_LEXICON = read_names("metric_names.txt")
#: Maximum number of words of a name in the lexicon.
_LONGEST = 7
#: Metrics that are written as one word: Logloss, toperror, valrmse, misrouted.
_LOWER_ENDING = re.compile(
    r"(?=.{6}).*(?:loss|error|mse|msse|mape|mase|perplexity|divergence|lpips)"
    r"|mis(?:match|class|assembl|rout|label|detect|predict)[a-z]*"
)
#: Errors in capitals: the mean or median of absolute, squared or relative ones, also mATE.
_LOWER_CAPITALS = re.compile(
    r"[NRGWSUP]*M(?:d|ed)?(?:S|A|SL|AP|AAP|SP|SS|AS|RA|RS|ASP)E|m[A-Z]{1,2}E"
)
#: Letters before a metric, for its mean or a normalized or weighted form.
_PREFIX = re.compile(r"[mnswrp](?=....)")
_METRICS = frozenset({"lower", "higher"})
_LEAVING = frozenset({"neutral", "share", "time", "unit"})
_HEADS = _METRICS | {"fault", "alone", "quantity", "doubt", "cost"}


@dataclass(frozen=True)
class Term:
    """Words of a name that are one entry of the lexicon, or one word without an entry."""

    text: str
    kinds: frozenset[str] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return self.text.isdigit()


@dataclass(frozen=True)
class MetricName:
    """The words of a name: what decides, what stands before it and behind it, and per what."""

    before: tuple[Term, ...] = ()
    head: Term = Term("")
    behind: tuple[Term, ...] = ()
    denominator: tuple[Term, ...] = ()

    @property
    def terms(self) -> tuple[Term, ...]:
        """All words before the denominator."""
        return tuple(term for term in (*self.before, self.head, *self.behind) if term.text)

    @property
    def near_behind(self) -> tuple[Term, ...]:
        """The words behind that do not say where it was measured: errors on books."""
        return tuple(takewhile(lambda term: "place" not in term.kinds, self.behind))

    @property
    def harms(self) -> list[str]:
        """Words that make a gain doubtful: attack accuracy, accuracy drop."""
        # An attack with a name is what a gain was measured under: AutoAttack accuracy.
        before = [term.text for at, term in enumerate(self.before) if "harm" in term.kinds
                  and not (term.text.lower() == "attack" and find_unknown(self.before[:at]))
                  ]  # fmt: skip
        return before + [term.text for term in self.near_behind if "fall" in term.kinds]

    @property
    def is_inverse(self) -> bool:
        """Whether it is the negative or inverse of what decides: neg_log_loss."""
        return has_kind(self.before, "inverse")

    @property
    def is_turned(self) -> bool:
        """Whether a bad thing becomes a good one, or a task: error-free, bug detection."""
        before = self.is_inverse or has_kind(self.before, "turning")
        return before or has_kind(self.behind, "task")

    @property
    def is_near_end(self) -> bool:
        """Whether only words of where it was measured stand behind."""
        return not find_unknown(self.near_behind)

    @property
    def is_at_end(self) -> bool:
        """Whether no word behind could give the name another meaning: not cost of living."""
        ends = (at for at, term in enumerate(self.behind) if "place" in term.kinds)
        end = next((at for at in ends if self.behind[at].text != "of"), len(self.behind))
        return not find_unknown(self.behind[:end])

    @property
    def is_whole(self) -> bool:
        """Whether there are no other words at all, but for means and counts."""
        return not find_unknown((*self.before, *self.behind))

    @property
    def is_rate(self) -> bool:
        """Whether it is a number per unit: requests per second."""
        return has_kind(self.denominator[:1], "time") or has_kind(self.denominator[:1], "unit")


def read_metric(text: str) -> MetricName:
    """Find the metric that decides in a name."""
    return parse_name(find_terms(text))


def has_kind(terms: Iterable[Term], kind: str) -> bool:
    """Return whether one of the terms is of a kind."""
    return any(kind in term.kinds for term in terms)


def find_unknown(terms: Sequence[Term]) -> list[Term]:
    """Return the terms that are neither numbers nor leave a direction as it is."""
    last = terms[-1:] if has_kind(terms[-1:], "place") else ()  # Price in
    return [term for term in terms if not (term.is_number or term.kinds & _LEAVING or term in last)]


def _kinds_of(words: Sequence[str]) -> frozenset[str]:
    """Return the kinds of a word, or of several words that are one entry."""
    written = "".join(words)
    low = written.lower()
    for form in (low, low.removesuffix("s") if words[-1] != "s" else low, _PREFIX.sub("", low)):
        forms = _LEXICON.get(form, {})
        if written in forms:
            return forms[written]
        if form in forms and (form != low[1:] or forms[form] & _METRICS):
            return forms[form]
        if written.isupper() and forms:
            return next(iter(forms.values()))
    lower = len(words) == 1 and _LOWER_ENDING.fullmatch(low)
    return frozenset({"lower"} if lower or _LOWER_CAPITALS.fullmatch(written) else ())


def find_terms(text: str) -> list[Term]:
    """Split a text into terms; of the entries that begin with a word, the longest is taken.

    >>> [(term.text, *term.kinds) for term in find_terms("valRMSE on nDCG")]
    [('val', 'neutral'), ('RMSE', 'lower'), ('on', 'place'), ('nDCG', 'higher')]
    """
    words, results = split_cased_words(text), []
    while words:
        sizes = range(min(len(words), _LONGEST), 0, -1)
        size = next((size for size in sizes if _kinds_of(words[:size])), 1)
        results.append(Term("".join(words[:size]), _kinds_of(words[:size])))
        words = words[size:]
    return results


def parse_name(terms: Sequence[Term]) -> MetricName:
    """Find the metric that decides: the last, before words of where it was measured."""
    per = next((at for at, term in enumerate(terms) if at and "per" in term.kinds), len(terms))
    terms, denominator = terms[:per], tuple(terms[per + 1 :])
    heads = [at for at, term in enumerate(terms) if term.kinds & _HEADS]
    places = (at for at, term in enumerate(terms) if "place" in term.kinds and at > heads[0])
    place = next(places, len(terms)) if heads else 0
    # In latency 100 qps, the number of queries is a setting.
    firm = [at for at in heads if at < place and not (
        at > heads[0] and terms[at - 1].is_number and "higher" in terms[at].kinds)]  # fmt: skip
    firm = [at for at in firm if not terms[at].kinds & _LEAVING] or firm
    if not firm:
        return MetricName(tuple(terms), denominator=denominator)
    head = firm[-1]
    return MetricName(tuple(terms[:head]), terms[head], tuple(terms[head + 1 :]), denominator)


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
    gains = [m for m in metrics if m.head.text.lower() in HIGHER_METRICS]
    return any(gain.is_whole for gain in gains) or (
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
    per_second = metric.denominator and metric.denominator[0].text.lower() in _SECONDS
    return bool(per_second) or ("higher" in kinds and not metric.is_turned)


def _without_notes(text: str) -> str:
    """Return a name without notes, and without the point at which it was measured."""
    start = re.split("@| at ", re.sub(r"\bR@(?=\d)", "recall@", _NOTE.sub(" ", text)))[0]
    return start if re.search(r"[^\W_]|#", start) else text


@lru_cache(maxsize=2**14)
def _read_metric(text: str) -> MetricName:
    """Find the metric that decides in a name."""
    return read_metric(_SLASH.sub(" per ", _without_notes(text)))


def _part_hint(text: str) -> DirectionHint | None:
    """Return the orientation of one part of a name."""
    if text.rstrip().endswith("?") or re.search(r"[<≤]\s*\d", text):  # a share below a limit
        return None
    hint = _find_hint(text)
    return None if hint is None or is_benchmark_name(text) else hint


def _find_hint(text: str) -> DirectionHint | None:
    """Return the orientation of a name that may be one of a benchmark."""
    notes = map(_read_metric, re.findall(r"[(\[]([^()\[\]\s]+)[)\]]", text))
    if any("lower" in note.head.kinds and note.is_whole for note in notes):  # ASR (WER)
        return DirectionHint("lower", "its name")
    if _TIME_PER.search(text):
        return DirectionHint("lower", "its name and unit")
    name = _read_metric(text)
    if not (name.head.text or name.denominator or any(term.kinds for term in name.before)):
        return _doubt_of_unit(text)  # no word is in the lexicon
    from_one = name.is_whole and _OF_ONE.match(text) is not None
    if "higher" in name.head.kinds:
        return _hint_of_gain(name, text, from_one)
    if from_one or (name.head.kinds and name.is_turned):
        return None
    return DirectionHint("lower", "its name") if _points_down(name) else _weak_hint(name, text)


def _hint_of_gain(name: MetricName, text: str, from_one: bool) -> DirectionHint | None:
    """Return the orientation of a changed gain: accuracy drop, 1 - SSIM."""
    if harms := name.harms:
        return _doubt(harms[0], text)
    return DirectionHint("lower", "its name") if from_one else None


def _weak_hint(name: MetricName, text: str) -> DirectionHint | None:
    """Return the orientation by a quantity with a unit, or a doubt."""
    has_quantity, is_gain = has_kind(name.terms, "quantity"), has_kind(name.terms, "gain")
    if has_quantity and not is_gain and has_unit(text):
        return DirectionHint("lower", "its name and unit")
    if is_gain:
        return None
    if name.is_rate and not has_quantity:  # 0-100 km/h (s)
        return _doubt_of_unit(" ".join(re.findall(r"\(\w+\)", text)))
    return _doubt_of_words(name, text) or (None if name.denominator else _doubt_of_unit(text))


def _doubt_of_words(name: MetricName, text: str) -> DirectionHint | None:
    """Return the doubt that a word of a name raises, or a unit before its denominator."""
    kinds = name.head.kinds
    is_cost = name.is_at_end or re.match(r"(?i)(?:cost|price)s?_", text)
    if "fault" in kinds or (kinds & {"doubt", "cost"} and is_cost):
        return _doubt(name.head.text, text, loud="cost" in kinds)
    flaws = [term.text for term in name.terms if "flaw" in term.kinds]
    if flaws and has_kind(name.terms, "share"):
        return _doubt(flaws[0], text)
    per_unit = name.denominator and has_kind(name.terms[-1:], "unit")
    return _doubt(name.terms[-1].text, text) if per_unit else None


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


def _doubt(what: str, name: str = "", *, loud: bool = False) -> DirectionHint:
    """Return the doubt that something raises, or a term, quoted as it is written in the name."""
    if name and (written := re.search(r"[\W_]*".join(map(re.escape, what)), name)):
        what = repr(written[0])
    return DirectionHint("lower", f"lower is often better for {what}", sure=False, loud=loud)


def _doubt_of_unit(text: str) -> DirectionHint | None:
    """Return the doubt that a unit of time, memory or money raises, or a race."""
    if _RACE.search(text.strip()):
        return _doubt("races")
    plain = re.sub(r"(?<=\w)\(s\)|\([A-Z]\)", " ", text)  # model(s), and names of sizes
    notes = _unit_notes(plain)
    units = [unit for note in notes if len(note) == 1 for unit in note & TIME_UNITS]
    if bare := _BARE_UNIT.search(text.strip()):
        units.append(bare[0].split("_")[-1].split()[-1])
    if (unit := _UNIT_WITHIN.search(text)) and unit[0] != text.strip():
        units.append(unit[0].strip("()/ "))
    if not units:
        return None
    what = "times" if {*units} <= TIME_UNITS else "figures"
    return _doubt(f"{what} ({units[0]!r})")


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
