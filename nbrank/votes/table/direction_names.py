"""Orientation of a task by its name: a statement, a metric, a unit or a hint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nbrank.votes.table.name_heuristics import NAME_NOTE, make_word_set, split_words
from nbrank.votes.table.reading import FILE_SAYS, Direction

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
#: Words of costs, which raise a doubt at the end of a name, also in a plain frame.
_COSTS = make_word_set(
    "time cost costs price prices energy duration rank elapsed flops gflops macs gmacs"
)
#: Words of sizes, efforts, risks and faults, which raise a doubt there in a file.
_DOUBTFUL = _COSTS | make_word_set(
    "size ratio fp fn length width absences turnovers fouls deaths missed dropped rejected "
    "drawdown volatility σ risk expense expenses tokens calls attempts escalations complaints "
    "conflict conflicts bugs defects oov unk gap cpu ram vram cls complexity ticks"
)
#: Words of metrics on which lower is better, anywhere in a name.
_LOWER_METRICS = make_word_set(
    "rmse mse mae mape smape mase msis owa wql crps nll bpb bpc ppl perplexity perplexities "
    "wer cer ter eer mer hter fid fvd lpips brier ece mce loss logloss error errors "
    "err errs regret fpr fnr fdr misclassification fde ade minade minfde wape nrmse rmsle "
    "rmsd msle medae mpjpe divergence kld jsd latency latencies runtime runtimes crash "
    "crashes violation violations unsolved timeout timeouts abstained memout memouts deduction "
    "deductions penalty penalties collision collisions failure failures failed mistakes "
    "mdape hd der dcf mindcf actdcf metricx rtf mcd epe kid mpki idsw assd fnmr "
    "ewarp epe aepe fcp lcp tbt ttfb tti chamfer makespan tardiness erro erros erreur erreurs "
    "fehler falhas fallos"
)
#: Metrics that count only in capitals: DER, and not the German article.
_CAPITALS = make_word_set(
    "der hd ter mer ade fde fid kld ece eer far dcf rtf mcd kid mpki fp fn ate rpe mad"
)
#: Metrics that are written as one word: Logloss, toperror, valrmse, mismatches.
_LOWER_ENDING = re.compile(
    r"(?=.{6}).*(?:loss|error|mse|msse|mape|mase|perplexity|divergence)|mis(?:match|class|assembl|rout|label|detect|predict)[a-z]*"
)
#: Pattern of a mean error in capitals: mATE, mAVE.
_MEAN_ERROR = re.compile(r"(?<!\w)m[A-Z]{1,2}E(?![\w-])")
#: Such metrics as whole names, or with only a few further words.
_LOWER_PHRASE = re.compile(
    r"\b(?:bits per (?:byte|char|character|dim|token)"
    r"|(?:edit|levenshtein|hamming|frechet|chamfer|wasserstein|hausdorff) (?:distance|dist)"
    r"|hallucination(?: rate)?|(?:false|miss) (?:positive|negative|alarm|discovery)? ?rate"
    r"|false (?:pos(?:itive)?s?|neg(?:ative)?s?|alarms?)"
    r"|(?:cpu|wall|wall clock|clock|train|training|inference|run|running|response|execution|elapsed"
    r"|solve|solving|solution|processing|computation|compute|wait|waiting|build|compile) time"
    r"|time to first token|real time factor|p ?(?:50|75|90|95|99|999) (?:[mµμnu]?s|secs?)"
    r"|switching|identity switches|id sw(?:itch(?:es)?)?"
    r"|(?:mean|average|avg) rank|ranks? sum|sum of ranks"
    r"|(?:abs|sq) rel"
    r"|rms elog|si log|optimality gap|(?:parity|odds|opportunity) (?:difference|gap))\b"
    r"|^(?:ate|rpe|mad)(?: (?:[trm]|cm|mm|deg|trans|rot|rmse|mean))*$"
    r"|^(?:toxicity(?: score| rate| prob(?:ability)?)?|(?:.* )?seconds"
    r"|milliseconds|minutes|hours|ms"
    r"|energy (?:consumption|use|usage)|par (?:2|10)(?: score)?|losses|defeats"
    r"|(?:(?:n|number of|share of) )?(?:wrong|incorrect)(?: answers| rate)?)$"
)
#: Phrases that are good for some who read them, and bad for others.
_DOUBTFUL_PHRASE = re.compile(
    r"\battack success(?: rate)?\b|\btime (?:taken|spent|used|needed)\b"
    r"|^(?:x |run )?\d+ (?:m|km|yards|miles?)$|\bhurdles?$"  # races over a distance
    r"|\bdistance (?:to|from)\b|\b(?:test|dev) (?:clean|other)$|^log 10$"
    r"|(?<!p )\b(?:ic|ec) 50\b|\badverse (?:event|reaction|effect)s?\b|\bt?s?ae rate\b|\bteaes?\b"
    r"|\b(?:oov|unk) (?:rate|share|pct)$"
    r"|^(?:\w+ )?(?:false|invalid|impossible|wrong|incorrect|broken|rejected|unsafe|aborted)"
    r" (?:\w+ )*(?:pct|percent|rate|ratio|share|count)$"
    r"|\b(?:bytes|joules|watts?|kwh|kb|mb|gb|usd|dollars|cents) per\b"
    r"|\b(?:damage|degradation|harm|forgetting|drift)\b"
    r"|\bp val(?:ue)?s?\b|\bhazard ratio\b|\bmax dd\b"
    r"|^\d+ px$|^bad \d[\d ]*$|\b(?:fl|d 1) (?:all|bg|fg)$|^tardies$"
)
#: Name of a time in code: pred_time_val.
_TIME_WITHIN = re.compile(r"(?:^|_)(time|duration)_(?!series)", re.IGNORECASE)
#: Denominators after a unit of time: ms/frame, seconds_per_case.
_TIME_PER = re.compile(
    r"(?<![/\w])(?:[mµnu]?s|secs?)\s*/|(?<![^\W_])(?:[mµnu]?s|secs?|seconds?)[ _]per(?=[ _])",
    re.IGNORECASE,
)
#: Units of time: what is measured in them is often better the lower.
TIME_UNITS = make_word_set(
    "s sec secs second seconds ms msec µs μs ns min mins minute minutes milliseconds "
    "h hr hrs hour hours day days"
)
#: Units that need no brackets at the end of a name.
_BARE_UNITS = make_word_set("milliseconds minutes hours ms msec mb gb mib gib")
#: Words before or after such a metric that make a name mean something else.
_REVERSED = make_word_set(
    "neg negative negated minus inverse inverted inv reciprocal one no zero not non never without"
)
_DATA = make_word_set(
    "correction detection detect reduction analysis recovery free localization classification "
    "recognition identification prediction improvement reduced saved avoided type types aware "
    "tolerance handling finding repair understanding k"
)
#: Words of metrics on which higher is better; the last metric in a name decides.
HIGHER_METRICS = make_word_set(
    "accuracy acc f1 bleu rouge precision recall auc auroc auprc auprg ndcg map iou miou mota "
    "sensitivity specificity hota motp idf psnr ssim reward return throughput speedup r2 "
    "correlation pearson spearman kendall win wins winrate elo gain solved correct "
    "similarity agreement fps qps "
    "genauigkeit précision précisions exactitude precisión exactitud precisão acurácia exatidão "
    "accuratezza точность полнота 正解率 適合率 再現率 准确率 精确率 召回率 準確率 精度 정확도"
)
#: Those that say at what a loss is measured, or of what: latency 100 qps.
_SETTINGS = frozenset({"sensitivity", "specificity", "fps", "qps"})
#: Whole names of metrics of which more is better.
_METRIC = re.compile(r"^(?:accuracy|f1|bleu|rouge(?: ?-?[l12])?|precision|recall|auc|exact match)$")
#: Pattern of a unit of memory, energy or power anywhere in a name.
_UNIT_WITHIN = re.compile(
    r"(?<![^\W_])(?:[kKMGT]i?B|k?Wh|[kM]?J|[mk]W)(?![^\W_])|\([WJ]\)|(?:[$€£]|USD|EUR)\s*/"
)
#: Pattern of a name that ends in seconds without brackets: Build s, parse µs.
_BARE_SECONDS = re.compile(
    r"\s(?:[µμ]s|ns)$|"
    r"(?:\b|_)(?:build|load|index|train|fit|run|total|wall|solve|parse|compile|startup|eval)"
    r"(?:ing)?[\s_]s$",
    re.IGNORECASE,
)
#: Words of quantities on which lower is better only if the name has a unit.
_QUANTITIES = make_word_set(
    "time times energy cost costs price prices memory mem size duration delay age power "
    "noise consumption rank latency runtime distance distances weight elapsed wait gap "
    "emissions co2 co latenz latencia latence latência tiempo tempo temps zeit laufzeit dauer "
    "durée duración время coût coste costo costos kosten preis prix precio preço стоимость цена "
    "지연 시간 비용 时间 延迟 时延 耗时 成本 价格 時間 費用 遅延 レイテンシ speicher mémoire "
    "memoria memória память 메모리 内存 显存 メモリ"
)
#: Words of quantities with a unit of which more is better.
_GAINS = make_word_set(
    "signal reduction suppression cancellation bandwidth throughput density yield saving savings "
    "uptime lifetime life mttf mtbf endurance"
)
_UNITS = TIME_UNITS.union(
    "$€£",
    make_word_set(
        "us usd eur dollar dollars cents j kj mj kwh wh w kw mw watt watts kb mb gb tb mib gib kib "
        "bytes byte db g kg kgco2 km cm mm px pixel pixels"
    ),
)
#: Suffixes that are not part of a name.
_NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]|[↓↑⬇⬆▼▲%*†‡$]|\ufe0f|\\(?:down|up)arrow")
#: Denominators of rates, as in tokens/s: higher is better on them, but not on bits per byte.
_RATE = re.compile(
    r"/\s*(?:s|sec|second|min|h|hour|ms|token|query|w|watt|j)\b|(?<!bit[ -])(?<!bits[ -])\bper\b",
    re.IGNORECASE,
)


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
    if "(min)" in text and {*split_words(text)} & _QUANTITIES:  # minutes
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
    plain = (re.sub(r"[\s_-]+", " ", NAME_NOTE.sub(" ", str(part)).casefold()) for part in parts)
    return any(_METRIC.search(part.strip()) for part in plain) or (
        isinstance(parts[-1], str) and is_lower_name(name)
    )


def metric_words(text: str) -> list[str]:
    """Split a text into words, without those that are metrics only in capitals."""
    words = split_words(text)
    return [word for word in words if word not in _CAPITALS or word.upper() in text]


def _part_hint(text: str) -> DirectionHint | None:
    bare = _NOTE.sub(" ", text).replace("MetricX", "metricx")
    start = re.split("@| at ", bare)[0]
    words = metric_words(start if re.search(r"[^\W_]|#", start) else text)
    if text.rstrip().endswith("?"):  # asked of somebody, as in a survey
        return None
    if re.search(r"[<≤]\s*\d", text):  # the share below a threshold
        return None
    brackets = ["".join(note) for note in re.findall(r"\(([^()]*)\)|\[([^]]*)\]", text)]
    if any(is_lower_metric(metric_words(note)) for note in brackets if len(note.split()) == 1):
        return DirectionHint("lower", "its name")
    if _TIME_PER.search(text):
        return DirectionHint("lower", "its name and unit")
    of_what = [word for word in words if word not in ("avg", "mean", "average", "median")]
    of_cost = bool(set(of_what[:1]) & (_QUANTITIES | _DOUBTFUL - {"tokens", "calls"}))
    is_rate = _RATE.search(text) is not None or (of_cost and "/" in text)
    if is_rate and not of_cost:
        return None
    if is_lower_metric(words) or _MEAN_ERROR.search(bare):
        return DirectionHint("lower", "its name")
    quantity = [word for word in words if word in _QUANTITIES]
    if quantity and not {*words} & _GAINS and _has_unit(text, words):
        return DirectionHint("lower", "its name and unit")
    # FLOPs and the like would be split at their capitals.
    last = re.split(r"[\s_-]+", bare.strip().lower())[-1]
    words += [last] if last in _DOUBTFUL else []
    if is_rate:  # the cost per call is a cost
        return DirectionHint("lower", f"{words[0]!r} is often better the lower", sure=False)
    rest = [word for word in words if not word.isdigit() and word not in _UNITS]
    if re.match(r"(?i)(?:cost|price)s?(?:_|\W?per\b)", text) and not {*words} & _GAINS:
        rest = rest[:1]  # Cost_Charts
    if "compression" in rest:
        rest = []
    is_rank_at = re.search(r"(?i)rank[ @-]?\d+$", text.strip()) is not None
    if rest and rest[-1] in _DOUBTFUL and not is_rank_at:
        why = f"{rest[-1]!r} is often better the lower"
        return DirectionHint("lower", why, sure=False, loud=rest[-1] in _COSTS)
    if why := _doubt_of_phrase(text, words):
        return DirectionHint("lower", why, sure=False, loud=False)
    return None


def _doubt_of_phrase(text: str, words: list[str]) -> str:
    """Say why a name raises a doubt by several of its words, or by a unit of time behind it."""
    if phrase := _DOUBTFUL_PHRASE.search(" ".join(words)) or _TIME_WITHIN.search(text):
        parts = map(re.escape, phrase[phrase.re.groups].split())
        written = re.search(r"[\W_]*".join(parts), text, re.IGNORECASE)  # IC50, not ic 50
        return f"{(written or phrase)[0]!r} is often better the lower"
    plain = re.sub(r"(?<=\w)\(s\)|\([A-Z]\)", " ", text)  # model(s), and names of sizes
    units = [unit for note in _unit_notes(plain) if len(note) == 1 for unit in note & TIME_UNITS]
    # en_gb is a language.
    is_long = len("".join(words[:-1])) > 2
    units += [word for word in words[-1:] if is_long and word in _BARE_UNITS]
    units += ["s"] * bool(is_long and _BARE_SECONDS.search(text.strip()))
    if (unit := _UNIT_WITHIN.search(text)) and unit[0] != text.strip():
        units.append(unit[0].strip("()/ "))
    if not units or {*words} & _GAINS:
        return ""
    what = "times" if {*units} <= TIME_UNITS else "figures"
    return f"{what} ({units[0]!r}) are often better the lower"


def is_lower_metric(words: list[str]) -> bool:
    """Return whether lower is better on the last metric among the words of a name.

    >>> [is_lower_metric(split_words(n)) for n in ("top1_err", "mCE", "error F1", "neg_log_loss")]
    [True, True, False, False]
    """
    joined = join_single_letters(words)
    phrase = " ".join(joined)
    if re.search(r"\btype (?:i|ii|1|2) errors?\b", " ".join(words)):
        return True
    if re.search(r"\b(?:neg|negative) log (?:likelihood|lik|prob)", phrase):
        return True
    named = [at for at, word in enumerate(joined)
             if word in _LOWER_METRICS or _LOWER_ENDING.fullmatch(word)]  # fmt: skip
    lower = max(named, default=-1)
    if lower < 0:
        return _LOWER_PHRASE.search(phrase) is not None
    behind = joined[lower + 1 :]
    if behind[:1] == ["k"] and joined[lower] in ("rmse", "mae"):  # in kelvin
        behind = behind[1:]
    around = {*joined[:lower], *behind[:1]}
    if around & (_DATA | _REVERSED) or {*behind} & _DATA:
        return False
    return not any(word in HIGHER_METRICS - _SETTINGS for word in behind)


def join_single_letters(words: list[str]) -> list[str]:
    """Join single letters to the words that follow them: m CE to mCE, s MAPE to sMAPE."""
    joined: list[str] = []
    for word in words:
        short = bool(joined) and (len(joined[-1]) == 1 or joined[-1] in ("min", "log"))
        if short and f"{joined[-1]}{word}" in _LOWER_METRICS | HIGHER_METRICS:
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _has_unit(text: str, words: list[str]) -> bool:
    """Return whether a quantity ends in a unit, or a name has one in brackets or after a comma."""
    notes = _unit_notes(text)
    marked = any(note and (note <= _UNITS or note & {"gb", "mb", "gib"}) for note in notes)
    return marked or (bool({*words[:-1]} & _QUANTITIES) and bool({*words[-1:]} & _UNITS))


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
    return _has_unit(text, split_words(text))
