"""Roles of columns and levels by their names: systems, tasks, instances, averages."""

import re
from collections.abc import Collection, Container, Hashable
from contextlib import suppress
from functools import lru_cache
from typing import Literal
from unicodedata import category, normalize

import pandas as pd

from nbrank.votes.formatting import Label, group_values
from nbrank.votes.table.word_lists import list_names


def make_word_set(text: str) -> frozenset[str]:
    """Split a text into a set of words."""
    return frozenset(re.findall(r"\w+", text))


SYSTEMS = list_names("known_names.txt", "system")
#: Names of a column of scores that do not describe them.
NAMELESS = make_word_set("score value result")
INSTANCES = list_names("known_names.txt", "instance")
REPLICATES = make_word_set("seed run fold repeat repetition replicate replication trial")
#: Names of repetitions of each instance.
RUNS = REPLICATES | make_word_set("sample attempt epoch iteration rollout generation rep")
#: Names of clusters, whose instances may be numbered within each; alone, they are instances.
CONTAINERS = list_names("known_names.txt", "container")
#: Names of clusters, and of people who may rate the same instances.
CLUSTERS = CONTAINERS | list_names("known_names.txt", "rater")

#: Words of columns that describe a system, and words that may accompany them.
_METADATA_WORDS = list_names("known_names.txt", "description")
_METADATA_FILLER_WORDS = list_names("known_names.txt", "beside")
#: Whole names of settings of a system.
_SETTINGS = list_names("known_names.txt", "setting")

_AVERAGES = make_word_set("average avg mean median geomean overall ø")
_AVERAGE_QUALIFIERS = list_names("known_names.txt", "qualifier")
#: Names of well-known benchmarks.
_BENCHMARKS = list_names("known_names.txt", "benchmark")
#: Pattern of such a name, followed by an edition, a part or a setting.
_BENCHMARK = re.compile(
    rf"(?:{'|'.join(_BENCHMARKS)})(?:pro|redux|plus|hard|easy|challenge|diamond|lite|mini|verified"
    r"|full|dev|test|val|strict|shot|[cehm]|zh|en|v?\d)*"
)
#: Pattern of a unit, an arrow or a note after a name.
NAME_NOTE = re.compile(r"\([^)]*\)|\[[^]]*\]|[↓%]")
_EXCLUSION_WORDS = ("without", "excluding", "excl", "except", "over", "across", "of")


def split_words(name: object) -> list[str]:
    """Split a name into words in lower case.

    >>> split_words("Model size (B)"), split_words("modelName"), split_words("open-data")
    (['model', 'size', 'b'], ['model', 'name'], ['open', 'data'])
    """
    words = split_cased_words(str(name[-1] if isinstance(name, tuple) else name))
    return [word if word == "Δ" else word.lower() for word in words]  # δ < 1.25 is a task


@lru_cache(maxsize=2**14)
def split_cased_words(text: str) -> tuple[str, ...]:
    """Split a text into words as they are written, also where capitals begin and at digits."""
    results = re.findall(
        r"[A-ZÀ-ÖØ-Þ]+(?![a-zß-öø-ſ])|[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ſ]+|[A-ZÀ-ÖØ-Þ]+[a-zß-öø-ſ]|\d+|#"
        r"|[^\W\d_A-Za-zÀ-ſ]+",
        text.replace("²", "2"),
    )
    return tuple(results)


def is_named_like(name: object, kinds: Container[str]) -> bool:
    """Return whether a name is one of these words, with at most "name", "id" or "no" added.

    >>> [is_named_like(name, SYSTEMS) for name in ("model_name", "Models", "size")]
    [True, True, False]
    """
    every = split_words(name)
    results = [word for word in every if word not in ("name", "id", "no", "number", "the")] or every
    single = re.sub(r"ies$|s$", lambda end: "y" if end[0] == "ies" else "", "".join(results))
    return single in kinds


Role = Literal["instance", "run", "cluster"]


def inner_roles(names: Collection[Hashable]) -> dict[Hashable, Role]:
    """Return the role of each level or column that names the rows of a system, by all names.

    >>> inner_roles(["question", "seed", "size"]), inner_roles(["document", "sample"])
    ({'question': 'instance', 'seed': 'run'}, {'document': 'instance', 'sample': 'run'})
    >>> inner_roles(["passage", "instance", "sample"])
    {'passage': 'cluster', 'instance': 'instance', 'sample': 'run'}
    >>> inner_roles(["passage"]), inner_roles(["sample"]), inner_roles(["seed"])
    ({'passage': 'instance'}, {'sample': 'instance'}, {'seed': 'run'})
    """
    plain = INSTANCES - RUNS - CLUSTERS
    # The first kind that occurs among the names is that of the instances.
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


def is_average_name(name: object) -> bool:
    """Return whether a column is named like an average of others.

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


def is_called_average(name: object) -> bool:
    """Return whether a level of a name is called an average, whatever its note.

    >>> [*map(is_called_average, ["Average (5-shot) [%]", ("maths", "avg"), "maths"])]
    [True, True, False]
    """
    return any(is_average_name(NAME_NOTE.sub(" ", str(part))) for part in label_parts(name))


def is_metadata_name(name: object) -> bool:
    """Return whether a column's name shows that it does not hold scores.

    >>> names = ["Model size (B)", "Rank* (UB)", "open", "date_tasks", "#"]
    >>> [is_metadata_name(name) for name in names]
    [True, True, False, False, True]
    """
    results = [word for word in split_words(name) if not word.isdigit()]
    if results[:1] == ["rank"]:  # brackets tell among which systems, or by what measure
        results = split_words(re.sub(r"\([^)]*\)", "", str(name)))
    if not results or results == ["open"]:  # "open" may be a task next to "closed"
        return str(name) in ("", "#", "№")
    if results[0] == "#":
        return set(results[1:]) <= _METADATA_WORDS | _METADATA_FILLER_WORDS
    described = set(results) <= _METADATA_WORDS | _METADATA_FILLER_WORDS
    return "".join(results) in _SETTINGS or (described and bool(set(results) & _METADATA_WORDS))


def find_metadata_columns(names: Collection[object]) -> set[object]:
    """Find the columns without scores by their names, which are compared with each other.

    >>> sorted(find_metadata_columns(["Zero-shot", "STS", "params"]))
    ['Zero-shot', 'params']
    >>> find_metadata_columns(["zero-shot", "few-shot"])
    set()
    """
    # In MTEB it is the share of tasks not used in training; elsewhere it is a task.
    shots = [name for name in names if split_words(name)[-1:] == ["shot"]]
    alone = shots if [split_words(name) for name in shots] == [["zero", "shot"]] else []
    return {*filter(is_metadata_name, names), *alone}


def label_parts(name: object) -> tuple[object, ...]:
    """Split a name into its groups and itself."""
    return name if isinstance(name, tuple) else (name,)


def is_benchmark_name(name: object) -> bool:
    """Return whether a name is a known benchmark, perhaps with its edition or part."""
    text = NAME_NOTE.sub(" ", str(name)).casefold().strip()
    letters = re.sub(r"[\W_]+", "", text)
    return (len(letters) > 3 or letters == text) and _BENCHMARK.fullmatch(letters) is not None


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
