"""Evidence that a column is not a task, from its name and its cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbrank.readers.tables.cell_parsing import parse_interval
from nbrank.readers.tables.column import COUNTS, ERRORS, SCORES, Column, is_error_mark
from nbrank.readers.tables.quantity_parsing import NOT_EVALUATED
from nbrank.votes.table.direction_names import (
    HIGHER_METRICS,
    has_unit,
    is_lower_metric,
)
from nbrank.votes.table.name_heuristics import (
    REPLICATES,
    find_metadata_columns,
    is_metadata_name,
    is_named_like,
    make_word_set,
    split_words,
)


@dataclass(frozen=True)
class Evidence:
    """Role of a column, the reason, and the column to which it belongs."""

    role: str
    why: str
    of: Any = None


#: Type of a function that derives evidence from a column and the others.
Look = Callable[[Column, Sequence[Column]], Evidence | None]

_ERROR_PHRASE = re.compile(
    r"\b(?:stderr|stddev|stdev|variance|(?:std|standard) (?:err|error|dev|deviation))\b"
    r"|^(?:std|sem) | (?:std|sem|ci|se|sd)$|^(?:std|sem|ci)$"
)
_LOW = make_word_set("low lower lb lo lwr minimum")
_HIGH = make_word_set("high higher upper ub hi upr maximum")
_FIGURES = make_word_set("rank place position n count round rounded diff difference delta")
_BOUND_FILLER = make_word_set(
    "ci bound limit conf confidence interval 95 90 99 80 end wilson pct pp percent"
)
#: Pattern of a test's p-value, or of the size of an effect: holm_adjusted_p, cohen_d.
_OF_TEST = re.compile(
    r"\bp (?:val|value|values|adj|adjusted|corrected|raw|(?:\w+ )?vs)\b|\bdiff (?:\w+ )?vs\b"
    r"|\b(?:holm|bonferroni|fisher|wilcoxon|wilk|mcnemar|welch|adj|adjusted|corrected) p\b"
    r"|\b(?:cohens? d|cohen s d|hedges g)\b"
)
#: Words that show, anywhere in a name, that a column does not hold scores.
_DESCRIBING = make_word_set(
    "param params parameters flops gflops macs gmacs macts tstamp timestamp uuid guid"
)
_NUMBER_OF = make_word_set("num nb number n")
_COUNTED = make_word_set("count counts id ids votes")
_RUN = make_word_set("eval evaluation n num number of total train training env test")
_SIZES_OF = make_word_set("img image input batch model context window file vocab embedding")
#: Whole names of settings of a system.
_SETTINGS = make_word_set(
    "lr learningrate weightdecay dropout iteration iterations rounds epochs step steps age "
    "threshold"
)
#: Names of groups of settings: config.lr.
_SETTING_GROUPS = make_word_set("config configuration settings hparams hyperparameters args meta")
_MEANS = make_word_set("mean avg average ø")
#: Names of scores that a bare "error" after them is about, and not a rate of errors.
_RATED = make_word_set("elo rating score mean average avg value estimate")
_STATISTICS = make_word_set("min max median minimum maximum iqr best worst")


def is_empty(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a column without any cell, if others have scores."""
    if len(column.numbers) or not column.is_plain or not any(len(o.numbers) for o in others):
        return None
    return Evidence("description", "empty")


def holds_intervals(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize the intervals of the scores before them: (43.7, 51.7)."""
    named = bool({"ci", "interval"} & {*column.words}) and column.is_words
    ends = [end for other in others if (end := bound_of(other.words)) and end[0] == "low"]
    if not named or ends or not all(map(parse_interval, column.cells)):
        return None
    return Evidence("error", "intervals", column.previous)


def holds_deviations(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize the errors of the scores before them by the sign before each: ± 2.1."""
    cells = [str(cell).strip() for cell in column.cells.dropna()]
    if not cells or not all(cell.startswith("±") for cell in cells):
        return None
    return Evidence("error", "standard errors", column.previous)


def holds_p_values(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize the p-values of a test by some that are only bounded: <0.001."""
    small = "p" in column.words and any("<" in cell for cell in column.scores.rough)
    return Evidence("description", "p-values") if small else None


def has_words_only(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize a description by cells without numbers, unless they are meant as numbers."""
    if not column.is_words or column.has_almost_numbers:
        return None
    if column.scores.is_boolean:
        return Evidence("description", "yes or no")
    if all(parse_interval(f"({cell})") for cell in column.cells):
        return Evidence("description", "ranges")
    return Evidence("description", "sizes" if column.holds_sizes else "words")


def is_error_of_task(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a column of a task's errors by its name: the task's and `_stderr`.

    A name that is nothing but the mark of an error is of the column before it.
    """
    if is_error_mark(column.name) and column.is_plain and column.numbers.min(initial=0) >= 0:
        before = [other for other in others if other.name == column.previous and other.is_plain]
        return Evidence("error", "standard errors", before[0].name) if before else None
    if [*column.words] in (["error"], ["err"]) and column.is_plain:
        rated = [o for o in others if o.name == column.previous and {*o.words} & _RATED]
        if rated and (column.values <= np.abs(rated[0].values).max()).all():
            return Evidence("error", "standard errors", rated[0].name)
    if _split_off_error(_error_words(column.name)) is None:
        return None
    about = find_metadata_columns([column.name, *(other.name for other in others)])
    tasks = [other.name for other in others if other.is_plain and other.name not in about
             and not describes_within_name(other, ())]  # fmt: skip
    task = find_error_task(column.name, tasks)
    return None if task is None else Evidence("error", "standard errors", task)


def find_error_task(name: object, tasks: Sequence[Any]) -> Any:
    """Find the task whose standard errors a column holds, by its name; None for other columns.

    >>> [find_error_task(name, ["acc", "f1"]) for name in ("acc_stderr", "std_f1", "f1")]
    ['acc', 'f1', None]
    >>> find_error_task("stderr", ["acc"])
    'acc'
    """
    phrase = _split_off_error(_error_words(name))
    if phrase is None:
        return None
    level = bool(phrase) and phrase[-1].isdigit()  # F1 95 % CI
    for wanted in (phrase, phrase[: len(phrase) - level]):
        near = [task for task in tasks if wanted and split_words(task) == wanted]
        near += [task for task in tasks if _without_mean(split_words(task)) == wanted]
        if near:
            return near[0]
    return tasks[0] if not wanted and len(tasks) == 1 else None


def _without_mean(words: Sequence[str]) -> list[str] | None:
    """Return the words of a mean's name without that of the mean; None for other names."""
    rest = [word for word in words if word not in _MEANS | {"median", "geomean"}]
    return rest if len(rest) == len(words) - 1 else None


def is_mean_of_runs(column: Column, others: Sequence[Column]) -> bool:
    """Return whether a column is a mean by its name, with the standard error of just this mean."""
    rest = _without_mean(column.words)
    if rest is None or not column.is_plain or not {*column.words} & _MEANS:
        return False
    runs = [other for other in others if rest and [*other.words[-len(rest) :]] == rest
            and any(word.isdigit() for word in other.words)]  # fmt: skip
    of_others = any(_split_off_error(_error_words(other.name)) == rest for other in others)
    parts = [other.values for other in others if other.is_plain
             and {*other.words} & REPLICATES and other.words[-1].isdigit()]  # fmt: skip
    if len(parts) > 1 and np.allclose(np.mean(parts, axis=0), column.values, atol=column.step):
        return False
    has_statistics = any({*other.words} & _STATISTICS for other in others)
    return not runs and (of_others or (has_statistics and not np.isnan(column.scores.errors).all()))


def find_statistic(column: Column, means: Sequence[Any]) -> Evidence | None:
    """Recognize a minimum, maximum or median next to the mean of the same runs."""
    rest = [word for word in column.words if word not in _STATISTICS | {"geomean"}]
    if len(rest) != len(column.words) - 1 or column.name in means:
        return None
    near = [mean for mean in means if _without_mean(split_words(mean)) == rest]
    return Evidence("description", f"of the same runs as {near[0]!r}", near[0]) if near else None


def _error_words(name: object) -> list[str]:
    """Return the words of a name that may mean errors, without the level of an interval."""
    words = split_words(re.sub(r"\([\d.]+ ?%\)", "", str(name)) if isinstance(name, str) else name)
    words = words[:-1] if words[-1:] in (["80"], ["90"], ["95"], ["99"]) else words
    of_score = words[-1:] == ["error"] and {*words[-2:-1]} & {*SCORES[:3], *_MEANS}  # Score Error
    return [*words[: -1 if of_score else None], *(["se"] if of_score or "±" in str(name) else [])]


def _split_off_error(words: list[str]) -> list[str] | None:
    """Split off the words of a task from those that mean its error."""
    if " ".join(words[-2:]) in ("standard error", "std error", "standard dev", "std dev"):
        return words[:-2]
    if words and words[-1] in ERRORS and (len(words) == 1 or words[-1] != "error"):
        return words[:-1]
    if len(words) > 1 and words[0] in ERRORS - {"error", "n"}:
        return words[1:]
    return None


def is_bound(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize an end of an interval, or a quantile of a score, by the column's name."""
    end = bound_of(column.words)
    if end is None:
        return None
    role, rest = end
    plain = [other for other in others if other.is_plain and bound_of(other.words) is None]
    near = [other for other in plain if rest and list(other.words) == rest]
    alike = [other for other in plain if rest and [*other.words[: len(rest)]] == rest]
    if not near and _are_numbered(column, others):
        return None
    marked = re.search(r"\bci\b|\bq ?\d|9[059]", " ".join(column.words))
    partners = [other for other in others if (end := bound_of(other.words)) is not None
                and end[0] != role and end[1] == rest]  # fmt: skip
    if not near and len(alike) == len(partners) == 1 and alike[0].is_between([column, *partners]):
        near = alike  # efficacy_pct, efficacy_lo, efficacy_hi
    has_partner = bool(partners) and (marked or _is_around(column, partners[0], plain))
    if not near and not has_partner and not (marked and "ci" in column.words):
        return None
    scored = [other for other in plain if not is_metadata_name(other.name)]
    of = near[0].name if near else scored[0].name if len(scored) == 1 else None
    why = f"the {role} end of an interval"
    return Evidence(role, f"{why} of {of!r}" if near else why, of)


def _are_numbered(column: Column, others: Sequence[Column]) -> bool:
    """Return whether a name ends in a number in a row of such names, as q1, q2, q3."""
    *stem, last = column.words
    ends = [other.words[-1] for other in (column, *others) if [*other.words[:-1]] == stem]
    numbers = sorted({int(end) for end in ends if end.isdigit() and not end.startswith("0")})
    return last.isdigit() and {*np.diff(numbers).tolist()} == {1}


def bound_of(words: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return which end of an interval a name means, and the words of the score it bounds.

    >>> bound_of(["rating", "q", "025"]), bound_of(["mmlu", "ci", "low"]), bound_of(["lowest"])
    (('low', ['rating']), ('low', ['mmlu']), None)
    """
    listed = list(words)
    if len(listed) > 1 and listed[-2] in ("q", "p", "quantile") and listed[-1].isdigit():
        share = float(f"0.{listed[-1]}") if listed[-1].startswith("0") or len(listed[-1]) > 2 else (
            float(listed[-1]) / 100
        )  # fmt: skip
        return ("low" if share < 0.5 else "high"), listed[:-2]
    ends = {"low": _LOW, "high": _HIGH}
    roles = [role for role, kinds in ends.items() if set(listed) & kinds]
    if len(roles) != 1:
        return None
    bare = [word for word in listed if word not in _BOUND_FILLER]
    # Low-resource QA is a task.
    if not bare or not {bare[0], bare[-1]} & ends[roles[0]]:
        return None
    return roles[0], [word for word in bare if word not in ends[roles[0]]]


def _is_around(column: Column, partner: Column, plain: Sequence[Column]) -> bool:
    """Return whether the only scores of a table lie between a column and its partner."""
    scored = [other for other in plain if not is_metadata_name(other.name)]
    return len(scored) == 1 and scored[0].is_between([column, partner])


def says_more_of_task(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a description of a task by its name: the task's and "rank", "n" or "count"."""
    rest = [word for word in column.words if word not in _FIGURES]
    if not rest or len(rest) == len(column.words):
        return None
    near = [other.name for other in others if other.is_plain and list(other.words) == rest]
    return Evidence("description", f"it says more of {near[0]!r}", near[0]) if near else None


def is_error_without_task(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a column of standard errors by its name alone, whatever the task."""
    marked = re.search(r"±(?!\s*\d)|\((se|sd|sem)\)$", str(column.name), re.IGNORECASE)
    words = list(column.words)
    named = _ERROR_PHRASE.search(" ".join(words))
    # CI is a concordance, too, which is on the scale of the scores.
    alike = [other for other in others if other.is_plain and other.is_near(column)]
    if words in (["ci"], ["se"], ["sd"]) and alike:
        return None
    if not (marked or named) or not np.isnan(column.scores.errors).all():  # acc ± sd: 71.2 ± 0.3
        return None
    return Evidence("error", "standard errors, and no such task")


def describes_by_name(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a column without scores by its name: size, link, year, votes."""
    bare = " ".join(word for word in column.words if word not in _MEANS) or column.name
    named = any(map(is_metadata_name, (column.name, bare)))
    named = named or is_named_like(column.name, REPLICATES | COUNTS)
    if "memory" in column.words and has_unit(column.name):  # measured, where times are, too
        named = named and not any(has_unit(o.name) and "time" in o.words for o in others)
    # In MTEB it is the share of tasks not used in training; elsewhere it is a task.
    shots = [other for other in others if other.words[-1:] == ("shot",)]
    alone = column.words == ("zero", "shot") and not shots
    if column.words == ("pos",) and column.is_plain and not column.is_whole:  # parts of speech
        named = False
    if named or (alone and not column.is_between([*others])):
        return Evidence("description", "its name")
    return None


def describes_within_name(column: Column, others: Sequence[Column]) -> Evidence | None:
    """Recognize a longer name with a descriptive word: act_param, num_students, vote_count."""
    words = [word for word in column.words if not word.isdigit() and word not in _MEANS]
    few = column.is_whole and column.numbers.max() <= max(10, 2 * len(column.numbers))
    is_key = column.is_whole or column.is_words
    beside_recall = {("precision",), ("recall",)} <= {other.words for other in others}
    found = (
        "".join(words) in _SETTINGS
        or (words == ["support"] and (column.is_whole or beside_recall))
        or (few and words[-1:] in (["order"], ["level"]))
        or (len(words) > 1 and str(column.name).lower().partition(".")[0] in _SETTING_GROUPS)
    )
    found = found or (words[-1:] in (["id"], ["uid"]) and is_key)
    found = found or _OF_TEST.search(" ".join(words)) is not None
    versus = {"vs", "versus"}  # vs Whisper, next to the scores themselves
    found = found or (
        words[:1] in (["vs"], ["versus"])
        and not {*words} & HIGHER_METRICS
        and any(other.is_plain and not versus & {*other.words} for other in others)
    )
    found = found or (words[-1:] in (["episodes"], ["timesteps"]) and {*words[:-1]} <= _RUN)
    if len(words) > 1 and not found and not is_lower_metric(column.name):
        number = words[0] in _NUMBER_OF and "".join(words[:2]) not in HIGHER_METRICS  # nDCG
        number = (
            number
            or words[-1] in _COUNTED
            or (words[-1] == "n" and column.is_whole and "@" not in str(column.name))
        )
        of_size = words[-1] == "size" and bool({*words[:-1]} & _SIZES_OF)
        hash_mark = re.search(r"#\s?[^\W\d]|\w#$", str(column.name)) is not None and column.is_whole
        flag = ("flag" in words and column.is_flag) or words == ["crop", "pct"]
        found = ((number or of_size) and is_key) or hash_mark or flag
        found = found or bool({*words} & _DESCRIBING)
    return Evidence("description", "its name") if found else None


def is_date(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize a column whose numbers are all years, whatever its name contains besides."""
    months = re.compile(r"(?:19|20)\d\d[./-](?:0[1-9]|1[0-2])")
    if len(column.cells) and all(months.fullmatch(str(cell)) for cell in column.cells):
        return Evidence("description", "dates")
    numbers = column.numbers
    # Seconds or milliseconds since 1970; round numbers are sizes or amounts.
    if (
        column.is_whole
        and (numbers % 1000).any()
        and any(((numbers > at) & (numbers < 2.1 * at)).all() for at in (1e9, 1e12))
    ):
        return Evidence("description", "dates")
    of_years = column.is_whole and len(numbers) > 0 and ((numbers > 1900) & (numbers < 2100)).all()
    named = {"year", "date", "released", "founded", "published", "since"} & set(column.words)
    return Evidence("description", "years") if of_years and named else None


def names_rows(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize a column that holds identifiers."""
    cells = {cell for cell in column.cells if isinstance(cell, str)}
    texts = {cell for cell in cells if cell.strip().lower() not in NOT_EVALUATED}
    hexes = [cell for cell in texts if re.fullmatch(r"[0-9a-f]{6,}", cell)]
    if len(hexes) == len(texts) > 1 and any(re.search(r"[a-df]|\de.*[a-f]", x) for x in hexes):
        return Evidence("description", "identifiers")
    return None


def is_rank_of_others(column: Column, _: Sequence[Column]) -> Evidence | None:
    """Recognize a column named a rank: whole numbers from 1 on, or cells such as =39."""
    name = column.name[-1] if isinstance(column.name, tuple) else column.name
    words = split_words(re.sub(r"\([^)]*\)", "", str(name)))
    if len(words) < 2 or words[-1] not in ("rank", "ranking"):
        return None
    places = re.compile(r"\s*=?\s*#?\d+\s*(?:[-–]\s*\d+|\+|=|st|nd|rd|th)?\s*")
    cells = [str(cell) for cell in column.cells.dropna() if str(cell).strip()]
    whole = column.is_whole and column.numbers.min() >= 1
    found = whole if column.is_plain else all(map(places.fullmatch, cells))
    return Evidence("description", "places") if found else None


#: Checks of a column, in this order; the first result decides.
LOOKS: tuple[Look, ...] = (
    holds_intervals, holds_deviations, holds_p_values, is_empty, is_error_of_task,
    is_rank_of_others, has_words_only, is_bound, says_more_of_task, is_error_without_task,
    describes_by_name, describes_within_name, is_date, names_rows,
)  # fmt: skip


def find_evidence(
    column: Column, others: Sequence[Column], means: Sequence[Any] = ()
) -> Evidence | None:
    """Find the first piece of evidence that a column is not a task; None without any."""
    results = (look(column, others) for look in LOOKS)
    return find_statistic(column, means) or next(filter(None, results), None)


def find_means(columns: Sequence[Column]) -> list[Any]:
    """Find the means next to their deviations, or the mean or median among other statistics."""
    if means := [column.name for column in columns if is_mean_of_runs(column, columns)]:
        return means
    plain = [column for column in columns if column.is_plain and not is_metadata_name(column.name)
             and not is_named_like(column.name, COUNTS)]  # fmt: skip
    middle = [column for column in plain if {*column.words} & (_MEANS | {"median", "geomean"})]
    ends = [column for column in plain if {*column.words} & (_STATISTICS - {"median"})]
    if not middle or not ends or {*map(id, plain)} != {*map(id, middle), *map(id, ends)}:
        return []
    rest = {frozenset(column.words) - _STATISTICS - _MEANS - {"geomean"} for column in plain}
    return [middle[0].name] if len(rest) == 1 and middle[0].is_between(ends) else []
