"""Metrics in the words of a name: which kinds of words, in which order, and which one decides."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from nbrank.votes.table.name_heuristics import split_cased_words
from nbrank.votes.table.word_lists import read_names

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
        before = [term.text for term in self.before if "harm" in term.kinds]
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
