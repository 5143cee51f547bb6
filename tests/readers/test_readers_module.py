"""What `nbrank.readers` gives: the readers of other shapes, those of the top level among them."""

import nbrank


def test_those_of_the_top_level_are_the_same():
    for name in ("from_ballots", "from_long", "from_parquet"):
        assert name in nbrank.readers.__all__
        assert getattr(nbrank.readers, name) is getattr(nbrank, name)
