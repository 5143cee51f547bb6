"""Columns that follow from others, up to the printed digits, are no tasks of their own."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.readers.tables.cell_parsing import parse_column
from nbrank.readers.tables.column import Column
from nbrank.readers.tables.column_relations import find_copy, find_of_two, find_weighted_sum

RNG = np.random.default_rng(7)
OLD, NEW, OTHER = (RNG.uniform(20, 90, 10).round(2) for _ in range(3))


def columns(**values):
    cells = {name: pd.Series(numbers) for name, numbers in values.items()}
    return [Column(name, series, parse_column(series)) for name, series in cells.items()]


def read_roles(**values):
    frame = pd.DataFrame(values, index=[f"m{at}" for at in range(len(next(iter(values.values()))))])
    with pytest.warns(UserWarning, match="set aside"):
        reading = nbrank.read(frame).reading
    return dict(zip(reading["column"], reading["role"], strict=True))


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((OLD + NEW).round(1), "the sum of 'old' and 'new'"),
        ((NEW - OLD).round(1), "the difference of 'old' and 'new'"),
        ((NEW + OLD) / 2, "the mean of 'old' and 'new'"),
        (np.maximum(OLD, NEW), "the higher of 'old' and 'new'"),
        (np.minimum(OLD, NEW).round(1), "the lower of 'old' and 'new'"),
        ((OLD * NEW).round(), "the product of 'old' and 'new'"),
        ((NEW / OLD).round(2), "the ratio of 'old' and 'new'"),
        ((100 * NEW / OLD).round(1), "the ratio of 'old' and 'new'"),
        ((100 * (NEW - OLD) / OLD).round(1), "the relative change of 'old' and 'new'"),
    ],
)
def test_what_follows_from_two_columns_is_known_by_its_numbers(numbers, why):
    found = find_of_two(columns(old=OLD, new=NEW, other=OTHER, x=numbers))
    assert {name: item.why for name, item in found.items()} == {"x": why}


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        (((OLD - OLD.min()) / np.ptp(OLD)).round(2), "a linear function of 'old'"),
        (((OLD - OLD.mean()) / OLD.std()).round(2), "a linear function of 'old'"),
        ((OLD - OLD[3]).round(1), "a difference from one row of 'old'"),
        ((OLD / 30).round(2), "a multiple of 'old'"),
        ((1000 / OLD).round(2), "a multiple of 1 / 'old'"),
        (900 - OLD, "900 - 'old'"),
    ],
)
def test_what_follows_from_one_column_is_known_by_its_numbers(numbers, why):
    old, x = columns(old=OLD, x=numbers)
    assert find_copy(x, old, 1).why == why


@pytest.mark.parametrize("wild", [9999.0, -50.0])
def test_one_wild_cell_of_many_hides_no_relation(wild):
    total, line = (OLD + NEW).round(2), (3 * OLD - 7).round(2)
    total[4] = line[4] = wild
    old, new, both, x = columns(old=OLD, new=NEW, both=total, x=line)
    assert [*find_of_two([old, new, both])] == ["both"]
    assert find_copy(x, old, 1).why == "a linear function of 'old'"


def test_a_constant_explains_nothing():
    ratio, tasks = columns(ratio=[1.49, 0.99, 1.05, 0.95, 1.03, 1.04, 0.98, 1.0], tasks=[5] * 8)
    assert find_copy(ratio, tasks, 1) is None


def test_tasks_that_nearly_agree_follow_from_no_others():
    close = (OLD * 0.996 + RNG.normal(0, 0.1, 10)).round(2)
    old, x, between = columns(old=OLD, x=close, between=((OLD + close) / 2 + 0.04).round(2))
    assert find_copy(x, old, 1) is None
    assert not find_of_two([old, x, between])


def test_constant_sums_of_few_rows_are_no_chance():
    solved = {"solved": [331, 352, 281, 240], "unsolved": [69, 48, 119, 160]}
    assert read_roles(**solved, t=[1.5, 2.5, 3.1, 2.2])["unsolved"] == "description"
    confused = {"FP": [120, 140, 90, 77], "TN": [780, 760, 810, 823]}
    assert read_roles(TP=[80, 85, 70, 91], **confused)["TN"] == "description"


def test_a_difference_without_signs_is_known_since_it_falls_with_what_is_subtracted():
    goals = {"GF": [80, 61, 55, 40, 33, 60], "GA": [20, 35, 31, 38, 30, 55]}
    roles = read_roles(**goals, GD=[60, 26, 24, 2, 3, 5])
    assert roles["GF"] == roles["GA"] == "task"
    assert roles["GD"] == "description"


def test_cumulated_columns_follow_from_their_steps():
    both = (OLD + NEW).round(2)
    roles = read_roles(a=OLD, b=NEW, c=OTHER, a2=OLD, ab=both, abc=(both + OTHER).round(2))
    assert [name for name, role in roles.items() if role == "task"] == ["a", "b", "c"]


def test_a_sum_with_weights_is_known_by_them():
    table = dict(zip("abcd", RNG.uniform(20, 90, (4, 14)).round(1), strict=True))
    score = (0.5 * table["a"] + 0.3 * table["b"] + 0.2 * table["d"]).round(2)
    found = find_weighted_sum(columns(score=score, **table))
    assert {name: item.why for name, item in found.items()} == {
        "score": "a sum of 'a', 'b', 'd', with weights"
    }
    assert not find_weighted_sum(columns(x=score + RNG.normal(0, 0.2, 14), **table))


def test_noise_follows_from_nothing():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        skill = rng.normal(0, 9, 8)
        table = {f"t{at}": (60 + skill + rng.normal(0, 3, 8)).round(seed % 3) for at in range(12)}
        noise = columns(**table)
        assert not find_of_two(noise)
        assert not find_weighted_sum(noise)
        assert not any(find_copy(x, y, 9) for at, x in enumerate(noise) for y in noise[:at])


def test_a_metric_that_is_a_ratio_stays_a_task():
    reading = nbrank.read(
        pd.DataFrame(
            {"hits": OLD, "share": NEW, "accuracy": (OLD / NEW).round(3)}, index=[*"abcdefghij"]
        )
    ).reading
    assert "accuracy" in set(reading["column"][reading["role"] == "task"])
