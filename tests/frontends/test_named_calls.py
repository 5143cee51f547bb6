"""Calls in messages: found as options, and written in other words."""

from nbrank.frontends.named_calls import find_calls, rewrite_calls


def test_arguments_side_by_side_are_one_call_and_others_stand_apart():
    message = (
        "say roles={'a, }': 'run'}, where={'s': ['x', 'y']}; or, duplicates='mean' (or 'best')"
    )
    assert find_calls(message) == [
        {"roles": {"a, }": "run"}, "where": {"s": ["x", "y"]}},
        {"duplicates": "mean"},
    ]


def test_calls_that_are_to_be_completed_are_not_offered():
    assert find_calls("say roles={'...': 'system'}, or read([...], roles={'file': 'system'})") == []


def test_each_argument_is_written_by_its_function():
    writers = {"table": "--table {}".format, "transpose": lambda _: "--transpose"}
    text = rewrite_calls("as in table=2, transpose=True, or na=['x']; it is a table=", writers)
    assert text == "as in --table 2 --transpose, or na=['x']; it is a table="
