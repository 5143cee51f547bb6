"""What `nbrank.readers` gives: the readers of other shapes, those of the top level among them."""

import nbrank


def test_the_readers_are_listed_and_those_of_the_top_level_are_the_same():
    assert nbrank.readers.__all__ == ["from_long", "from_parquet", "read_scores"]
    for name in ("from_long", "from_parquet"):
        assert getattr(nbrank.readers, name) is getattr(nbrank, name)
