"""Instance-level tables with everything in them that makes sources of votes differ."""

import numpy as np
import pandas as pd
import pytest

SYSTEMS = ["C", "A", "B", "D", "E"]


def made(seed: int, n: int = 60, missing: float = 0.0, dtype: type = float) -> pd.DataFrame:
    """Instance-level scores with many ties: five systems, three tasks of different sizes."""
    rng = np.random.default_rng(seed)
    frames = []
    for task, size in (("t1", n), ("t2", n // 2), ("t3", n // 3)):
        # Each better than the next, so that strengths are finite and orders not all tied.
        scores = rng.integers(0, 6, (len(SYSTEMS), size)) + np.arange(5)[::-1, None] * 0.5
        scores[rng.random(scores.shape) < missing] = np.nan
        index = pd.MultiIndex.from_product([SYSTEMS, range(size)], names=["system", "instance"])
        frames.append(pd.Series(scores.ravel(), index=index, name=task))
    return pd.concat(frames, axis=1).dropna(how="all").astype(dtype)


TABLES = {
    "complete": made(1),
    "float32": made(2, dtype=np.float32),
    "missing": made(3, missing=0.3),
    "a system without a score in a task": made(4, missing=0.1).assign(
        t2=lambda frame: frame["t2"].where(frame.index.get_level_values("system") != "B")
    ),
    "a system without any score": pd.concat(
        [
            made(5, missing=0.1),
            made(6).loc[["D"]].rename({"D": "F"}, level="system").iloc[:2] * np.nan,
        ]
    ),
    "a task without any score": made(7, missing=0.1).assign(t2=np.nan),
    "task names in groups": made(8, missing=0.1).set_axis(
        pd.MultiIndex.from_tuples([("x", "t1"), ("x", "t2"), ("y", "t3")]), axis=1
    ),
    "infinite": made(9).replace({0.0: -np.inf, 7.0: np.inf}),
}
OPTIONS = {
    "as it is": {},
    "weights": {"weights": {"t1": 2.0, "t3": 0.3}},
    "a task of weight 0": {"weights": {"t1": 0}},
    "lower is better somewhere": {"lower_is_better": ["t2"]},
    "lower is better": {"lower_is_better": True},
    "balanced": {"groups": {"x": ["t1", "t2"], "y": ["t3"]}, "weights": "balanced"},
}


@pytest.fixture(scope="session")
def tables():
    """Name -> table, those for one kind of test included."""
    many = {"many": made(11, n=3000), "many, and some missing": made(11, n=3000, missing=0.3)}
    return TABLES | many


@pytest.fixture(scope="module", params=TABLES)
def table(request):
    """Each of the tables."""
    return TABLES[request.param]


@pytest.fixture(scope="module", params=OPTIONS)
def given(request):
    """Weights, groups and orientation, as they are given beside a table."""
    if "table" in request.fixturenames:
        table = request.getfixturevalue("table")
        if table.columns.nlevels > 1 and request.param == "balanced":
            return {"weights": "balanced"}
    return OPTIONS[request.param]
