"""Labels, numbers and scores as texts: unique, in brief, and in sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.rules.registry import RULES

#: Maximum number of letters of a name on an axis or in a legend.
MAX_LABEL_LENGTH = 34
_NUMBER = re.compile(r"\d+(\.\d+)*")
#: The winner's name in sentences if no system wins.
_NO_SYSTEM = "nobody"
#: Treatments of missing scores, in words.
MISSING_DESCRIPTIONS: dict[str, str] = {
    "compatible": "average over all complete rankings that fit",
    "ignore": "judge each system by what it has",
    "median": "fill with the task's median",
    "worst": "a missing score is below all others",
    "zero": "a missing score gets no points",
}


def label_text(label: Hashable) -> str:
    """Write a label as text; the parts of a tuple are joined.

    Parameters
    ----------
    label
        The label of a system or a task.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> label_text(("Code", "Codeforces"))
    'Code / Codeforces'
    """
    return " / ".join(map(str, label)) if isinstance(label, tuple) else str(label)


def unique_label_texts(labels: Iterable[Hashable]) -> list[str]:
    """Write labels as unique texts, as marks on an axis have to be.

    Parameters
    ----------
    labels
        The labels of systems or tasks, no two of them equal.

    Returns
    -------
    list of str
        What `label_text` writes; labels that it writes alike stand as in Python, or are numbered,
        and so does `nobody`, which sentences say where no system wins.

    Examples
    --------
    >>> unique_label_texts(["A", 1, "1", ("a", "b"), "a / b"])
    ['A', '1', "'1'", "('a', 'b')", "'a / b'"]
    """
    observed = list(labels)
    names = [label_text(label) for label in observed]
    if len({*names, _NO_SYSTEM}) > len(names):
        return names
    as_in_python = [repr(label) for label in observed]
    numbered = [f"{text} ({place})" for place, text in enumerate(as_in_python, start=1)]
    for unlike in (as_in_python, numbered):
        counts = Counter([*names, _NO_SYSTEM])
        names = [
            other if counts[name] > 1 else name for name, other in zip(names, unlike, strict=True)
        ]
    return names


def abbreviate_labels(labels: Iterable[Hashable], max_length: int = MAX_LABEL_LENGTH) -> list[str]:
    """Write labels as unique texts; a long one loses its last parenthesis, or else its end."""
    names = unique_label_texts(labels)
    brief = [name if len(name) <= max_length else _cut_end(name, max_length) for name in names]
    for alike in _duplicate_positions(brief):
        inner = _abbreviate_distinctly([names[place] for place in alike], max_length)
        for place, text in zip(alike, inner, strict=True):
            brief[place] = text
    for alike in _duplicate_positions(brief):
        for place in alike:
            number = f" ({place + 1})"
            brief[place] = f"{names[place][: max_length - len(number) - 1]}…{number}"
    return brief


def _cut_end(name: str, max_length: int) -> str:
    """Shorten a name at its end, without cutting a number in two: 7 is another size than 72."""
    start = name.rpartition("(")[0].rstrip()
    if 0 < len(start) <= max_length - 2:
        return f"{start} …"
    end = max_length - 1
    for number in _NUMBER.finditer(name):
        first, last = number.span()
        if 0 < first < end < last:
            end = first
    return f"{name[:end].rstrip()}…"


def _duplicate_positions(texts: Sequence[str]) -> list[list[int]]:
    """Find the positions of texts that occur several times."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    return [several for several in places.values() if len(several) > 1]


def _abbreviate_distinctly(names: Sequence[str], most: int) -> list[str]:
    """Shorten long names to both ends and the stretch in which they differ."""
    same = _common_prefix_length(names)
    longest = max(map(len, names)) - _common_prefix_length([name[same:][::-1] for name in names])
    ends = most // 5
    room = most - 2 * ends - 2
    start = max(ends, same - max(0, room - (longest - same)) // 2)
    return [f"{name[:ends]}…{name[start : start + room]}…{name[-ends:]}" for name in names]


def _common_prefix_length(texts: Sequence[str]) -> int:
    """Count the letters with which all of these texts begin."""
    unlike = (n for n, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1)
    return next(unlike, min(map(len, texts)))


def capitalize(text: str) -> str:
    """Write the first letter large, and leave the others as they are."""
    return text[:1].upper() + text[1:]


def join_labels(labels: Iterable[Hashable], max_items: int = 6) -> str:
    """Write labels as a list in a sentence, shortened if that leaves out more than one."""
    names = [label_text(label) for label in labels]
    if len(names) > max_items + 1:
        return f"{', '.join(names[:max_items])} and {len(names) - max_items} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


@cache
def rule_title(rule: str) -> str:
    """Write a rule's name in a sentence, with capitals if it has its inventors' name."""
    words = str(rule).split("_")
    source = RULES[rule].source.split() if rule in RULES else []
    named = [word.capitalize() for word in words]
    return "-".join(named) if set(named) <= set(source) else " ".join(words)


def join_rules(rules: Iterable[Hashable], most: int = 30) -> str:
    """Write rules as a list in a sentence."""
    return join_labels([rule_title(str(rule)) for rule in rules], most)


def agree_pronouns(fact: str, number: int) -> str:
    """Write a fact about one column, called it, in the plural if it is about several.

    >>> agree_pronouns("it holds only 0 and 1", 2), agree_pronouns("its name and unit", 2)
    ('they hold only 0 and 1', 'their names and units')
    """
    if number == 1:
        return fact
    verbs = {"is": "are", "has": "have", "was": "were", "may": "may"}
    fact = re.sub(
        r"\bit (\w+)", lambda it: f"they {verbs.get(it[1], it[1].removesuffix('s'))}", fact
    )
    fact = re.sub(r"\b(?:its )?(?:name|unit)(?= and |$|, )", r"\g<0>s", fact)
    return re.sub(r"\bits\b", "their", re.sub(r"\bit$", "them", fact))


def agree_verb(singular: str, number: int) -> str:
    """Make a verb agree with how many do it."""
    several = {"is": "are", "was": "were", "has": "have", "goes": "go"}
    return singular if number <= 1 else several.get(singular, singular.removesuffix("s"))


def format_range(low: int, high: int) -> str:
    """Write the range of ranks."""
    return f"{low}" if low == high else f"{low} to {high}"


def format_ranks(ranks: Iterable[Any]) -> list[str]:
    """Write ranks, = before one that several share, and a dash for none.

    >>> format_ranks([1, 2, 2, float("nan")])
    ['1', '=2', '=2', '–']
    """
    observed = list(ranks)
    number = Counter(observed)
    return ["–" if pd.isna(rank) else f"{'=' * (number[rank] > 1)}{rank:.0f}" for rank in observed]


def format_percent(share: float, digits: int = 3) -> str:
    """Write a share in percent, with a number of significant digits."""
    return f"{100 * share:.{digits}g} %"


def display_message(reason: str, names: Mapping[Any, str]) -> str:
    """Write labels and rules in a message with the page's names instead of Python's.

    >>> display_message("bradley_terry: never lost: 'A'", {"A": "A"})
    'Bradley-Terry: never lost: A'
    """
    for label in sorted(names, key=lambda label: -len(repr(label))):
        if isinstance(label, str | tuple):
            reason = reason.replace(repr(label), names[label])
    # A call such as nbrank.borda(...) stays Python.
    return re.sub(
        rf"(?<![.\w])(?:{'|'.join(RULES)})(?![\w(])", lambda rule: rule_title(rule[0]), reason
    )


@dataclass(frozen=True, eq=False)
class DisplayNames:
    """The unique names of systems or tasks: in full and in brief."""

    full: Mapping[Any, str]
    short: Mapping[Any, str]

    @classmethod
    def from_labels(cls, labels: Iterable[Hashable], most: int = MAX_LABEL_LENGTH) -> DisplayNames:
        """Name these labels, with at most `most` letters in brief."""
        observed = list(labels)
        whole, brief = unique_label_texts(observed), abbreviate_labels(observed, most)
        return cls(dict(zip(observed, whole, strict=True)), dict(zip(observed, brief, strict=True)))

    def join(self, labels: Iterable[Any], most: int = 6) -> str:
        """List some of the names in a sentence."""
        return join_labels([self.short[label] for label in labels], most)

    def find(self, name: str) -> Any:
        """Find the label with a full name; None if the name is unknown."""
        return next((label for label, whole in self.full.items() if whole == name), None)

    def search(self, text: str) -> list[Any]:
        """Search the names for a text, ignoring case; a label with exactly this name is alone."""
        if (called := self.find(text)) is not None:
            return [called]
        typed = text.strip().casefold()
        names = {label: whole.casefold() for label, whole in self.full.items()}
        alike = [label for label, name in names.items() if name == typed]
        return alike or [label for label, name in names.items() if typed in name]


#: Maximum number of digits of a score in a table of scores.
_MAX_DIGITS = 5


def describe_score(counts: str, unit: str = "task", weighed: bool = False) -> str:
    """Fill in what a rule counts, as it does on this table."""
    by_weight = " by weight" if weighed else ""
    return counts.format(task=unit, tasks=f"{unit}s", weighed=by_weight)


def format_score_column(values: NDArray[np.float64]) -> list[str]:
    """Format the scores of a task with the decimals that they have, up to five digits in all.

    >>> format_score_column(np.array([93.5, 4, -0.25, np.nan]))
    ['93.50', '4.00', '−0.25', '']
    """
    known = values[np.isfinite(values)]
    largest = float(np.abs(known).max(initial=0))
    before = math.floor(math.log10(largest)) + 1 if largest else 1
    most = max(0, _MAX_DIGITS - max(before, 0))
    decimals = next((n for n in range(most) if np.allclose(known, known.round(n), 0, 1e-9)), most)
    return [
        f"{value + 0.0:.{decimals}f}".replace("-", "−") if math.isfinite(value) else ""
        for value in values.tolist()
    ]
