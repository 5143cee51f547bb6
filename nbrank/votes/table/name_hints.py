"""Hints from the names of a table's rows and columns, taken together."""

from __future__ import annotations

import re
from contextlib import suppress
from unicodedata import category, normalize

import pandas as pd

from nbrank.votes.formatting import Label, group_values
from nbrank.votes.table import name_heuristics
from nbrank.votes.table.direction_names import is_metric_name

#: Names of well-known benchmarks, which are hardly ever names of systems.
_BENCHMARKS = name_heuristics.make_word_set(
    "mmlu cmmlu mmmlu agieval ceval arc hellaswag winogrande truthfulqa piqa siqa boolq openbookqa "
    "commonsenseqa csqa math mathvista gsm gsm8k mgsm aime humaneval mbpp livecodebench "
    "livebench bigcodebench swebench aiderpolyglot bbh bigbench gpqa simpleqa ifeval musr drop "
    "triviaqa naturalquestions nq narrativeqa hotpotqa quac squad race lambada mtbench alpacaeval "
    "arenahard longbench ruler zebralogic bfcl taubench webarena gaia toxigen realtoxicityprompts "
    "bbq crowspairs glue superglue mnli qnli qqp rte cola sst mrpc stsb wnli cb copa multirc "
    "record wic wsc axb axg anli xnli xquad mlqa tydiqa pawsx xcopa wikiann conll ontonotes imdb "
    "yelp agnews trec imagenet cifar mnist fashionmnist svhn coco voc ade20k cityscapes kitti mmmu "
    "chartqa docvqa textvqa vqa okvqa scienceqa mmbench librispeech commonvoice wikitext ptb "
    "enwik8 wmt flores cnndailymail xsum samsum msmarco beir fiqa scifact nfcorpus "
    "iris wine adult ionosphere sonar alien amidar assault asterix bankheist boxing breakout "
    "demonattack freeway frostbite gopher jamesbond kangaroo krull kungfumaster mspacman pong "
    "privateeye qbert roadrunner seaquest spaceinvaders ant halfcheetah hopper humanoid walker2d"
)
#: Pattern of such a name, followed by an edition, a part or a setting.
_BENCHMARK = re.compile(
    rf"(?:{'|'.join(_BENCHMARKS)})(?:pro|redux|plus|hard|easy|challenge|diamond|lite|mini|verified"
    r"|full|dev|test|val|strict|shot|[cehm]|zh|en|v?\d)*"
)
_TASK_LEVEL = ("task", "benchmark", "dataset", "metric", "criterion", "criteria")


def rows_look_like_tasks(rows: pd.Index, columns: pd.Index) -> bool:
    """Return whether the names of rows, of columns or of their levels are those of df.T.

    >>> rows_look_like_tasks(pd.Index(["bleu", "latency"]), pd.Index(["gpt", "claude"]))
    True
    """
    return (
        name_heuristics.is_named_like(rows.name, _TASK_LEVEL)
        or name_heuristics.is_named_like(columns.name, name_heuristics.SYSTEMS)
        or (len(rows) > 1 and (all(map(is_metric_name, rows)) or _are_benchmarks(rows, columns)))
    )


def similar_labels(labels: pd.Index) -> list[list[Label]]:
    """Return the labels that are equal but for case, spaces or invisible characters.

    >>> similar_labels(pd.Index(["gpt-4", "GPT-4", "gpt 4", "claude"]))
    [['gpt-4', 'GPT-4']]
    """
    if labels.dtype.kind not in "OSU":
        return []
    listed = labels.tolist()
    with suppress(TypeError):  # This fails if not all labels are texts.
        # This is fast for most tables, because all names are processed together in C code.
        text = "\0".join(listed).casefold()
        if text.isascii() and len(set("".join(text.split()).split("\0"))) == len(listed):
            return []
    keys = list(map(_folded, listed))
    if len(set(keys)) == len(keys):
        return []
    every = group_values(zip(keys, listed, strict=True))
    return [names for names in every.values() if len(names) > 1]


def _folded(label: Label) -> Label:
    """Remove case, spaces and invisible characters from a label."""
    if isinstance(label, tuple):
        return tuple(map(_folded, label))
    if not isinstance(label, str):
        return label
    folded = normalize("NFC", label.casefold())
    return "".join(name for name in folded if not name.isspace() and category(name) != "Cf")


def _are_benchmarks(rows: pd.Index, columns: pd.Index) -> bool:
    """Return whether most rows are named like benchmarks, and no column like one or a metric.

    >>> _are_benchmarks(pd.Index(["MMLU-Pro", "GSM8K", "SWE-bench (%)"]), pd.Index(["GPT-4"]))
    True
    """
    few = rows[:20]  # A sample is enough to judge the others.
    return sum(map(is_benchmark_name, few)) >= 0.8 * len(few) and not any(
        is_benchmark_name(column) or is_metric_name(column) for column in columns
    )


def is_benchmark_name(name: object) -> bool:
    """Return whether a name is a known benchmark, perhaps with its edition or part."""
    letters = re.sub(r"[\W_]+", "", name_heuristics.NAME_NOTE.sub(" ", str(name)).casefold())
    return _BENCHMARK.fullmatch(letters) is not None
