"""The list of changes names what there is."""

import re
from collections import Counter
from pathlib import Path

import nbrank

CHANGES = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_public_name_is_listed_once():
    listed = Counter(re.findall(r"`(\w+)`", CHANGES))
    assert {name: listed[name] for name in nbrank.__all__ if listed[name] != 1} == {}
