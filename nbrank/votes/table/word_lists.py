"""Lists of names in text files: a heading is a kind, commas separate names."""

import re
from functools import cache
from pathlib import Path


@cache
def read_names(file: str) -> dict[str, dict[str, frozenset[str]]]:
    """Return the kinds of each name: by its letters in lower case, then as it is written."""
    text = Path(__file__).with_name(file).read_text(encoding="utf-8")
    results: dict[str, dict[str, frozenset[str]]] = {}
    _, *parts = re.split(r"(?m)^\[(\w+)\]\n", re.sub(r"(?m)^#.*\n", "", text))
    for kind, names in zip(parts[::2], parts[1::2], strict=True):
        for name in re.split(r"\n\S[^:\n]*:|,", f"\n{names}"):
            if written := "".join(name.split()):
                forms = results.setdefault(written.lower(), {})
                forms[written] = forms.get(written, frozenset()) | {kind}
    return results


def list_names(file: str, kind: str) -> frozenset[str]:
    """Return the names of a kind as they are written, without spaces.

    >>> sorted(list_names("known_names.txt", "setting"))[:2]
    ['batch', 'batchsize']
    """
    every = (names.items() for names in read_names(file).values())
    return frozenset(name for names in every for name, kinds in names if kind in kinds)
