"""The ranks under each treatment of missing scores are those that the rule itself gives."""

import pandas as pd

import nbrank
from nbrank.questions.compare import missing_treatments

SCORES = pd.DataFrame({"t1": [3, 2, 1], "t2": [None, 2, 1]}, index=list("ABC"))


def test_each_treatment_is_what_the_rule_says():
    for name in ("borda", "copeland", "instant_runoff"):
        found = missing_treatments(nbrank.Leaderboard(SCORES), nbrank.RULES[name])
        assert list(found) == ["compatible", "ignore", "median", "worst"]
        for how in found:
            expected = nbrank.RULES[name].function(SCORES, missing=how)["rank"]
            assert found[how].to_dict() == expected.to_dict()


def test_treatments_that_a_rule_does_not_offer_are_not_there():
    found = missing_treatments(nbrank.Leaderboard(SCORES), nbrank.RULES["mean"])
    assert list(found) == ["ignore", "median"]
    assert found.index.equals(SCORES.index)
