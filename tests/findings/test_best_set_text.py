"""The sentences on the pairs and ranks that are told apart."""

import pandas as pd

import nbrank
from nbrank.findings.best_set_text import describe_separated_pairs
from nbrank.findings.labels import DisplayNames


def describe(scores):
    sets = nbrank.rank_confidence(scores, "borda", seed=0)
    return describe_separated_pairs(sets, DisplayNames.from_labels(sets.index))


def test_a_table_of_one_system_has_no_pair():
    one = pd.DataFrame([[1.0] * 6], ["A"])
    assert describe(one) == "There is one system only, so no pair to tell apart."


def test_several_systems_have_pairs_and_rank_sets():
    equal = pd.DataFrame([[1.0, 2, 3, 1, 2, 3, 1, 2]] * 3, list("ABC"))
    assert describe(equal) == (
        "For all ranks at once, 0 of 3 pairs of systems are told apart; "
        "rank 1 is in all 3 rank sets."
    )
