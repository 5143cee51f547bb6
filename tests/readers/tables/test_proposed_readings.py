"""A refusal names a call that was tried on that very table, and that a human would make."""

import itertools
import re
from ast import literal_eval

import pandas as pd
import pytest

import nbrank


def cross(score, **factors):
    """Rows of all combinations of the factors, each with a score that is its own."""
    rows = [
        dict(zip(factors, combo, strict=True)) for combo in itertools.product(*factors.values())
    ]
    frame = pd.DataFrame(rows)
    frame[score] = [0.1 + 0.7 * (37 * at % 101) / 101 for at in range(len(rows))]
    return frame


def refusal(frame, **options):
    with pytest.raises(ValueError, match="say ") as refused:
        nbrank.read(frame.to_csv(index=False).encode(), **options)
    return str(refused.value)


def first_call(message):
    found = re.findall(
        r"(roles|where|duplicates)=(\{[^{}]*\}|'\w+')", message.partition("; or,")[0]
    )
    return {name: literal_eval(text) for name, text in found}


CROSSED = {
    "conditions are tasks": (
        cross("regret", algorithm=["cma", "bo"], noise=["low", "high"], budget=[10, 100]),
        {"cma", "bo"},
    ),
    "seeds are runs": (
        cross("acc", method=["lora", "full"], data=["sst", "rte"], seed=[1, 2]),
        {"lora", "full"},
    ),
    "names in another language": (
        cross("tempo", consulta=["q1", "q2"], motor=["duck", "spark"], memoria=[4, 16]),
        {"duck", "spark"},
    ),
    "settings alone are systems": (
        cross("val", lr=[0.1, 0.01, 0.001], wd=[0.0, 0.5]),
        {f"{lr} / {wd}" for lr in (0.1, 0.01, 0.001) for wd in (0.0, 0.5)},
    ),
    "columns of benchmarks make a system of two columns": (
        cross("mmlu", family=["llama", "qwen"], size=["7B", "70B"]).assign(gsm8k=[4, 2, 3, 1]),
        {"llama / 7B", "llama / 70B", "qwen / 7B", "qwen / 70B"},
    ),
}


@pytest.mark.parametrize("name", CROSSED)
@pytest.mark.filterwarnings("ignore")
def test_the_first_call_ranks_what_a_human_would(name):
    frame, systems = CROSSED[name]
    call = first_call(refusal(frame))
    board = nbrank.read(frame.to_csv(index=False).encode(), **call)
    assert {*map(str, board.systems)} == systems
    assert "where" not in call
    assert "duplicates" not in call


@pytest.mark.filterwarnings("ignore")
def test_the_last_epoch_that_all_have_and_the_test_split_are_chosen():
    logs = cross("val", model=["cnn", "mlp"], epoch=[1, 2, 3]).iloc[:-1]
    assert first_call(refusal(logs))["where"] == {"epoch": "2"}
    splits = cross("val", clf=["svm", "rf"], part=["train", "test"])
    assert first_call(refusal(splits))["where"] == {"part": "test"}


@pytest.mark.filterwarnings("ignore")
def test_repeated_rows_are_averaged_and_roles_that_are_given_stay():
    tools = pd.DataFrame({"tool": ["rg", "rg", "ag", "ag"], "seconds": [1.5, 1.25, 2.5, 3.5]})
    assert first_call(refusal(tools))["duplicates"] == "mean"
    frame = cross("acc", data=["sst", "rte"], method=["lora", "full"])
    call = first_call(refusal(frame, roles={"data": "system"}))
    assert call["roles"]["data"] == "system"


@pytest.mark.filterwarnings("ignore")
def test_rows_without_a_name_can_be_left_out():
    text = b"model,t\nA,1\n,2\nB,3\nC,4\n"
    with pytest.raises(ValueError, match=r"without a name.*where=\{'model': \['A', 'B', 'C'\]\}"):
        nbrank.read(text)
    assert [*nbrank.read(text, where={"model": ["A", "B", "C"]}).systems] == ["A", "B", "C"]


@pytest.mark.filterwarnings("ignore")
def test_columns_of_numbers_alone_are_systems_of_numbered_rows():
    text = b"llama,phi\n.71,.55\n.62,.51\n"
    with pytest.raises(ValueError, match="say transpose=True"):
        nbrank.read(text)
    board = nbrank.read(text, transpose=True)
    assert [*board.systems] == ["llama", "phi"]
    assert [*board.reading["column"]] == ["llama", "phi"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("said", [{"rater": "task"}, {"item": "group", "rater": "task"}])
def test_items_beside_raters_name_the_rows_with_them(said):
    text = b"rater,item,A,B,C\n1,1,5,4,3\n1,2,5,3,1\n2,1,4,5,2\n2,2,3,4,1\n"
    assert [*nbrank.read(text, roles=said).systems] == ["A", "B", "C"]
