"""What several test files need."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]
#: Labels that print alike, and some that look like what an axis or a legend says.
ALIKE = [1, "1", ("a", "b"), "a / b", "several systems", "nobody", "'1'"]

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("nbrank", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("nbrank")

#: Code for type checkers, some of it wrong on purpose.
collect_ignore = ["typing"]


@pytest.fixture
def script():
    """Import one of the project's scripts, which are no package, by its name."""

    def imported(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(
            name, ROOT / "docs" / "scripts" / f"{name}.py"
        )
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return imported


@pytest.fixture
def alike():
    """Scores of systems whose labels print alike."""
    scores = np.random.default_rng(1).permuted(np.tile(np.arange(7.0), (9, 1)), axis=1).T
    return pd.DataFrame(scores, index=pd.Index(ALIKE, tupleize_cols=False)).add_prefix("t")


@pytest.fixture
def heading():
    """A function from a chart to its title and what stands below it, each in one line."""

    def said(chart):
        title = chart.to_dict()["title"]
        parts = title["text"], title["subtitle"]
        return tuple(part if isinstance(part, str) else " ".join(part) for part in parts)

    return said
