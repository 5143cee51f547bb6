"""What columns and levels are for, by what they are called: systems, tasks, instances, averages."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Hashable
from contextlib import suppress
from typing import Literal, NamedTuple
from unicodedata import category, normalize

import numpy as np
import pandas as pd

from nbrank.arrays.typing import Bools
from nbrank.votes.formatting import Label, group_values


def make_word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(re.findall(r"\w+", text))


SYSTEMS = make_word_set(
    "model system method algorithm framework agent solver submission candidate llm approach team "
    "player engine competitor entry participant classifier learner solution algo bot optimizer"
)
TASKS = ("task", "dataset", "problem", "game", "environment", "env", "subject", "scenario",
         "benchmark", "bench", "eval", "test", "lp", "language", "metric", "variable")  # fmt: skip
INSTANCES = make_word_set(
    "instance item example question prompt query sample document segment seg sentence"
)
REPLICATES = make_word_set("seed run fold repeat repetition replicate replication trial")
#: Beside instances, these repeat each of them.
RUNS = REPLICATES | make_word_set("sample attempt epoch iteration rollout generation rep")
#: What holds many instances, which may be numbered within each; alone, it is the instance.
CONTAINERS = make_word_set(
    "passage paragraph document doc article story conversation dialogue dialog session "
    "thread repository repo patient speaker image video"
)
#: These, and people, who may rate the same instances.
CLUSTERS = CONTAINERS | make_word_set(
    "cluster user annotator rater judge worker assessor reviewer evaluator respondent labeler"
)
SCORES = ("score", "value", "result", "accuracy", "acc")
ERRORS = make_word_set("stderr se sem std sd stddev error ci")
COUNTS = make_word_set("n nsample ninstance nitem count")

#: Words of columns that describe a system, and words that may stand beside them.
_METADATA_WORDS = make_word_set(
    "size sizes params param parameters license licence url link href date released release rank "
    "ranking place position pos organization organisation org creator author authors affiliation "
    "provider vendor country type family architecture revision sha hash index notes "
    "comment description dimensions dim dims cutoff year votes downloads likes prompted open id "
    "memory tokens hub co unnamed flops gflops commit timestamp window change δ"
)
_METADATA_FILLER_WORDS = make_word_set(
    "model system number no n of in the total b m bn k gb mb million millions billion billions "
    "last updated host our borda by publication submission training active embedding knowledge "
    "source data code weights base upload max context length time usage cost kg avg mean average"
)

_AVERAGES = make_word_set("average avg mean median geomean overall")
_AVERAGE_QUALIFIERS = make_word_set(
    "score scores wer accuracy acc f1 result performance rating win rate global macro micro total "
    "all tasks task type weighted normalized normalised"
)
_EXCLUSION_WORDS = ("without", "excluding", "excl", "except", "over", "across", "of")
#: Last words, or whole names, of tasks on which lower is better wherever they were seen.
_LOWER_IS_BETTER_PATTERN = re.compile(
    r"(?:^|[^a-z])(?:(?:latency|time|runtime|duration|cost|price)(?: (?:ms|s|sec|min|h|usd|p\d+))?"
    r"|loss|errors?|error rate|hallucination rate|wer|cer|ter|eer|perplexity|ppl|nll|seconds"
    r"|bits per (?:byte|char|character)|(?:edit|levenshtein|hamming) distance|ece|brier(?: score)?"
    r"|rank|mae|mse|rmse|mape|smape|mase|wql|crps|fid|regret|flops)$"
    r"|^(?:toxicity|energy(?: (?:consumption|use|k?wh|j))?)$"
)
#: Whole names of metrics of which more is better.
_METRIC = re.compile(r"^(?:accuracy|f1|bleu|rouge(?: ?-?[l12])?|precision|recall|auc|exact match)$")
#: Names of well-known benchmarks, which are hardly ever names of systems.
_BENCHMARKS = make_word_set(
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
#: Such a name, and an edition, a part or a setting behind it.
_BENCHMARK = re.compile(
    rf"(?:{'|'.join(_BENCHMARKS)})(?:pro|redux|plus|hard|easy|challenge|diamond|lite|mini|verified"
    r"|full|dev|test|val|strict|shot|[cehm]|zh|en|v?\d)*"
)
_TASK_LEVEL = ("task", "benchmark", "dataset", "metric", "criterion", "criteria")
#: What a unit, an arrow or a note behind a name looks like.
_NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]|[↓%]")


def split_words(name: object) -> list[str]:
    """The words of a name, in lower case.

    >>> split_words("Model size (B)"), split_words("modelName"), split_words("open-data")
    (['model', 'size', 'b'], ['model', 'name'], ['open', 'data'])
    """
    text = str(name[-1] if isinstance(name, tuple) else name)
    results = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[A-Z]+[a-z]|\d+|#|[^\W\d_A-Za-z]+", text)
    return [word.lower() for word in results]


def is_named_like(name: object, kinds: Container[str]) -> bool:
    """Whether a name is one of such words, with no more than "name", "id" or "no" beside it.

    >>> [is_named_like(name, SYSTEMS) for name in ("model_name", "Models", "size")]
    [True, True, False]
    """
    every = split_words(name)
    results = [word for word in every if word not in ("name", "id", "no", "number", "the")] or every
    single = re.sub(r"ies$|s$", lambda end: "y" if end[0] == "ies" else "", "".join(results))
    return single in kinds


Role = Literal["instance", "run", "cluster"]


def inner_roles(names: Collection[Hashable]) -> dict[Hashable, Role]:
    """Return what each level or column is that names the rows of a system, by their names together.

    >>> inner_roles(["question", "seed", "size"]), inner_roles(["document", "sample"])
    ({'question': 'instance', 'seed': 'run'}, {'document': 'instance', 'sample': 'run'})
    >>> inner_roles(["passage", "instance", "sample"])
    {'passage': 'cluster', 'instance': 'instance', 'sample': 'run'}
    >>> inner_roles(["passage"]), inner_roles(["sample"]), inner_roles(["seed"])
    ({'passage': 'instance'}, {'sample': 'instance'}, {'seed': 'run'})
    """
    plain = INSTANCES - RUNS - CLUSTERS
    # The first kind that any of the names stands for is that of the instances.
    for kinds in (plain, CONTAINERS, CLUSTERS, INSTANCES):
        instances = [name for name in names if is_named_like(name, kinds)]
        if instances:
            break
    if kinds is not plain:
        instances = instances[:1]
    roles: dict[Hashable, Role] = {}
    for name in names:
        if name in instances:
            roles[name] = "instance"
        elif is_named_like(name, RUNS if instances else REPLICATES):
            roles[name] = "run"
        elif is_named_like(name, CLUSTERS):
            roles[name] = "cluster"
    return roles


def level_name(name: object, kinds: Container[str], otherwise: str) -> str:
    """Return what a level of the rows is called: as its column where that says what it is.

    >>> level_name("Passage ID", CLUSTERS, "cluster"), level_name("chapter", CLUSTERS, "cluster")
    ('Passage ID', 'cluster')
    """
    return name if isinstance(name, str) and is_named_like(name, kinds) else otherwise


def is_average_name(name: object) -> bool:
    """Whether a column is called an average of others.

    >>> names = ["Avg. WER", "Avg (without CORAAL)", "average_precision"]
    >>> [is_average_name(name) for name in names]
    [True, True, False]
    """
    results = split_words(name)
    if not set(results) & _AVERAGES:
        return False
    rest = [word for word in results if word not in _AVERAGES]
    return set(rest) <= _AVERAGE_QUALIFIERS or (
        results[0] in _AVERAGES and rest[0] in _EXCLUSION_WORDS
    )


def is_metadata_name(name: object) -> bool:
    """Whether a column's name says that it holds no scores.

    >>> names = ["Model size (B)", "Rank* (UB)", "open", "date_tasks", "#"]
    >>> [is_metadata_name(name) for name in names]
    [True, True, False, False, True]
    """
    results = [word for word in split_words(name) if not word.isdigit()]
    if results[:1] == ["rank"]:  # among which systems, or by what, stands in brackets
        results = split_words(re.sub(r"\([^)]*\)", "", str(name)))
    if not results or results == ["open"]:  # which may be the other part of a task, closed
        return str(name) in ("", "#", "№")
    if results[0] == "#":
        return set(results[1:]) <= _METADATA_WORDS | _METADATA_FILLER_WORDS
    return (
        bool(set(results) & _METADATA_WORDS)
        and set(results) <= _METADATA_WORDS | _METADATA_FILLER_WORDS
    )


def find_metadata_columns(names: Collection[object]) -> set[object]:
    """The columns that hold no scores, by their names beside each other.

    >>> sorted(find_metadata_columns(["Zero-shot", "STS", "params"]))
    ['Zero-shot', 'params']
    >>> find_metadata_columns(["zero-shot", "few-shot"])
    set()
    """
    # MTEB's share of tasks that a model was not trained on; others have tasks of that name.
    shots = [name for name in names if split_words(name)[-1:] == ["shot"]]
    alone = shots if [split_words(name) for name in shots] == [["zero", "shot"]] else []
    return {*filter(is_metadata_name, names), *alone}


class NameHints(NamedTuple):
    """What the names in a table hint at."""

    #: Whether the rows are the tasks, rather than the systems.
    transposed: bool
    #: Which columns, or their groups, are called like something of which less is better.
    lower_is_better: Bools
    #: Which of them are called averages, whatever note is behind it.
    averages: Bools
    #: Which of them are called like something that describes the systems.
    describing: Bools
    #: Systems, or tasks, whose names are equal but for case or spaces.
    similar: dict[str, list[list[Label]]]


def infer_name_hints(rows: pd.Index, columns: pd.Index) -> NameHints:
    """What the names of rows and columns, and of their levels, hint at.

    >>> tasks = [("speed", "latency"), "AMI WER (%)", "TimeDial", "Average (5-shot) [%]"]
    >>> hints = infer_name_hints(pd.Index(["gpt", "claude"]), pd.Index(tasks, tupleize_cols=False))
    >>> hints.lower_is_better.tolist(), hints.averages.tolist()
    ([True, True, False, False], [False, False, False, True])
    >>> infer_name_hints(pd.Index(["bleu", "latency"]), pd.Index(["gpt", "claude"])).transposed
    True
    """
    transposed = is_named_like(rows.name, _TASK_LEVEL) or is_named_like(columns.name, SYSTEMS)
    if not transposed and len(rows) > 1:
        transposed = all(map(_is_metric, rows)) or _are_benchmarks(rows, columns)
    lower = [_is_any(name, _LOWER_IS_BETTER_PATTERN) for name in columns]
    averages = [
        any(is_average_name(_NOTE.sub(" ", str(part))) for part in label_parts(name))
        for name in columns
    ]
    about = find_metadata_columns(columns)
    # A column without a name is an index in a file; of a frame somebody left it so.
    marks = (lower, averages, [name in about and name != "" for name in columns])
    similar = {"systems": similar_labels(rows), "tasks": similar_labels(columns)}
    lower_is, average_is, describing_is = (np.array(mark, dtype=bool) for mark in marks)
    return NameHints(transposed, lower_is, average_is, describing_is, similar)


def similar_labels(labels: pd.Index) -> list[list[Label]]:
    """Return the labels that are equal but for case, spaces or invisible characters.

    >>> similar_labels(pd.Index(["gpt-4", "GPT-4", "gpt 4", "claude"]))
    [['gpt-4', 'GPT-4']]
    """
    if labels.dtype.kind not in "OSU":
        return []
    listed = labels.tolist()
    with suppress(TypeError):  # Not all labels are texts.
        # Most tables are passed by here, where all names go through C code together.
        text = "\0".join(listed).casefold()
        if text.isascii() and len(set("".join(text.split()).split("\0"))) == len(listed):
            return []
    keys = list(map(_folded, listed))
    if len(set(keys)) == len(keys):
        return []
    every = group_values(zip(keys, listed, strict=True))
    return [names for names in every.values() if len(names) > 1]


def _folded(label: Label) -> Label:
    """A label without case, spaces and invisible characters."""
    if isinstance(label, tuple):
        return tuple(map(_folded, label))
    if not isinstance(label, str):
        return label
    folded = normalize("NFC", label.casefold())
    return "".join(name for name in folded if not name.isspace() and category(name) != "Cf")


def _is_metric(name: object) -> bool:
    return _is_any(name, _METRIC) or _is_any(name, _LOWER_IS_BETTER_PATTERN)


def _are_benchmarks(rows: pd.Index, columns: pd.Index) -> bool:
    """Whether nearly all rows are called like benchmarks, and no column like one or a metric.

    >>> _are_benchmarks(pd.Index(["MMLU-Pro", "GSM8K", "SWE-bench (%)"]), pd.Index(["GPT-4"]))
    True
    """
    few = rows[:20]  # They say enough of the others.
    return sum(map(_is_benchmark, few)) >= 0.8 * len(few) and not any(
        _is_benchmark(column) or _is_metric(column) for column in columns
    )


def _is_benchmark(name: object) -> bool:
    letters = re.sub(r"[\W_]+", "", _NOTE.sub(" ", str(name)).casefold())
    return _BENCHMARK.fullmatch(letters) is not None


def label_parts(name: object) -> tuple[object, ...]:
    """A name as its groups and itself."""
    return name if isinstance(name, tuple) else (name,)


def _is_any(name: object, candidates: re.Pattern[str]) -> bool:
    """Whether a level of a name is called so, in small letters without notes and underscores.

    >>> [_is_any(name, _LOWER_IS_BETTER_PATTERN) for name in ("Word_error-rate (%)", "latency_ms")]
    [True, True]
    """
    plain = (_NOTE.sub(" ", str(part)).casefold() for part in label_parts(name))
    return any(candidates.search(re.sub(r"[\s_-]+", " ", part).strip()) for part in plain)
