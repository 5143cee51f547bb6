"""What the tests of the explorers share."""

import pytest


def _rows(part):
    if isinstance(part, dict):
        values = part.get("values")
        own = values if isinstance(values, list) else []
        found = [row for row in own if isinstance(row, dict)]
        for name, inner in part.items():
            if name == "datasets":
                found += [row for rows in inner.values() for row in rows]
            elif name != "values":
                found += _rows(inner)
        return found
    if isinstance(part, list):
        return [row for inner in part for row in _rows(inner)]
    return []


@pytest.fixture
def rows_of():
    """The rows of data in a live chart, wherever its specification keeps them."""
    return lambda figure: _rows(figure.spec)
