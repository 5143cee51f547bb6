"""Names that are nearly those of columns, numbers as names, and frames with a column of names."""

import warnings

import pandas as pd
import pytest

import nbrank

TABLE = "model,license,mmlu,arc\nA,mit,83.8,70.1\nB,apache,71.5,80.2\nC,mit,60.25,61\n"


def read(text, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbrank.read(text.encode(), **how)


@pytest.mark.parametrize(
    ("roles", "meant"),
    [({"licence": "description"}, "license"), ({"mmul": "task"}, "mmlu"),
     ({"mmul": "lower"}, "mmlu")],
)  # fmt: skip
def test_the_column_that_may_be_meant_is_named(roles, meant):
    with pytest.raises(ValueError, match=f"did you mean '{meant}'"):
        read(TABLE, roles=roles)


def test_a_frame_with_columns_of_words_is_read_by_the_call_that_is_named():
    frame = pd.DataFrame({"model": ["A", "B"], "license": ["mit", "bsd"], "mmlu": [1.5, 2]})
    with pytest.raises(TypeError, match=r"nbrank\.read\(df\)"):
        nbrank.borda(frame)
    with pytest.warns(UserWarning, match="set aside"):
        assert nbrank.read(frame).borda().index[0] == "B"


def test_fewer_abstained_are_better():
    assert read("solver,Abstained,acc\nA,3,80\nB,14,70\nC,9,90\n").lower_is_better == ("Abstained",)
