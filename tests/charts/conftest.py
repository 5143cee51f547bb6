"""Tables of every size, and what a chart of them draws."""

import json

import numpy as np
import pandas as pd
import pytest


def board(n_systems, n_tasks, *, missing=0.0):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"a system with a rather long name, number {i}" for i in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("task.with[marks]:")


SIZES = {
    "3 x 2": board(3, 2),
    "20 x 9 with gaps": board(20, 9, missing=0.2),
    "300 x 50": board(300, 50, missing=0.05),
}


@pytest.fixture(params=SIZES)
def frame(request):
    """Scores of every size."""
    return SIZES[request.param]


@pytest.fixture(params=["3 x 2", "20 x 9 with gaps"])
def small(request):
    """Scores of few systems, of which all pairs can be looked at."""
    return SIZES[request.param]


@pytest.fixture
def gaps():
    """Scores of twenty systems, some of them missing."""
    return SIZES["20 x 9 with gaps"]


def each_pair(rows):
    """Rows as they are, but those that hold a list for each field: a row for each pair of them."""
    if not any(isinstance(value, list) for value in rows[0].values()):
        return rows
    opponents = [row["system"] for row in rows]
    pairs = []
    for row in rows:
        fields = [field for field in row if field != "system"]
        cells = zip(*(row[field] for field in fields), strict=True)
        pairs += [
            {"system": row["system"], "opponent": opponent, **dict(zip(fields, cell, strict=True))}
            for opponent, cell in zip(opponents, cells, strict=True)
            if any(part is not None for part in cell)
        ]
    return pairs


@pytest.fixture
def rows_of():
    """A function from a chart to all its rows of data, after it was drawn without a network."""

    def found(chart):
        import vl_convert

        spec = chart.to_dict()
        svg = vl_convert.vegalite_to_svg(spec)
        assert "<svg" in svg
        assert "null,null" not in svg
        assert "NaN" not in json.dumps(spec)
        listed = [row for rows in spec["datasets"].values() for row in each_pair(rows)]
        # Not the rows that only keep room for names.
        return [row for row in listed if set(row) != {"room"}]

    return found
