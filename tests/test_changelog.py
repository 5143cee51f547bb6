"""The list of changes names what there is."""

import re
from pathlib import Path

import pytest

import nbrank

pytestmark = pytest.mark.source

CHANGES = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_public_name_is_listed():
    assert set(nbrank.__all__) <= set(re.findall(r"`(?:df\.rank\.)?(\w+)(?:\(\))?`", CHANGES))
