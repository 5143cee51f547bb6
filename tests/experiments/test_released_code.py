"""The released code of three papers, rewritten: what it prints, and what it does to ties."""

import itertools
import json
from fractions import Fraction
from importlib import util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbrank import datasets
from nbrank.experiments import released_code

ROOT = Path(__file__).parents[2]


def published(study, item):
    return datasets.load_published(study, item)["published"]


def random_tables(n_tables=40):
    rng = np.random.default_rng(3)
    for _ in range(n_tables):
        table = rng.integers(0, 4, rng.integers(2, (6, 5))).astype(float)
        table[rng.random(table.shape) < 0.3] = np.nan
        yield table


def count_permutations_below(task, row):
    """Over all complete orders that agree with a task without ties: how many others stand below."""
    n, scored = len(task), [i for i in np.argsort(task) if not np.isnan(task[i])]
    orders = itertools.permutations(range(n))
    compatible = [p for p in orders if [i for i in p if i in scored] == scored]
    return sum(p.index(row) for p in compatible)


def test_without_ties_compatible_permutations_are_counted():
    rng = np.random.default_rng(0)
    for _ in range(15):
        table = rng.permuted(np.tile(np.arange(4.0)[:, None], 3), axis=0)
        table[rng.random(table.shape) < 0.4] = np.nan
        sums = [sum(count_permutations_below(task, row) for task in table.T) for row in range(4)]
        ranks = released_code.rank_by_permutation_counts(table)
        assert ranks.tolist() == pd.Series(sums).rank().tolist()


def test_a_tie_with_nothing_missing_is_a_win_of_the_later_row():
    all_tied = np.ones((5, 3))
    assert released_code.rank_by_permutation_counts(all_tied).tolist() == [5, 4, 3, 2, 1]


def test_places_are_a_permutation_that_follows_the_scores():
    for table in random_tables():
        scores = np.nan_to_num(table[:, 0])
        places = released_code.places_with_ties_broken(scores)
        assert sorted(places) == list(range(len(scores)))
        assert np.all(np.diff(scores[np.argsort(places)]) >= 0)


def test_unscored_systems_fall_into_each_gap_alike():
    table = [[1.0], [2.0], [np.nan]]
    rng = np.random.RandomState(1)
    ranks = [tuple(released_code.rank_means_by_random_gaps(table, rng)) for _ in range(3000)]
    shares = pd.Series(ranks).value_counts(normalize=True)
    assert set(shares.index) == {(1, 2, 3), (1, 3, 2), (2, 3, 1)}
    assert shares.between(0.30, 0.37).all()


def test_the_first_released_runs_on_xtreme_come_out():
    # AnasHimmi/MissingDataRanking, task_level_correlations/xtrem_filtered.json at 8471fde, seed 0:
    # shares 11/19 (one system without a score), 15/19 (two) and 18/19 (eight).
    average = published("missing_scores", "average XTREME").droplevel("column")
    table = pd.concat([average, datasets.load_xtreme().loc[average.index]], axis=1).to_numpy(float)
    rng, ranks = np.random.RandomState(0), []
    for share in np.linspace(0, 1, 20):
        drawn = rng.random_sample((10, 6))[:, 1:]
        left = np.where(drawn < share, np.nan, table)
        ranks.append((released_code.rank_means_by_random_gaps(left, rng) - 1).tolist())
    assert ranks[11] == [1, 7, 6, 2, 0, 5, 8, 9, 3, 4]
    assert ranks[15] == [1, 9, 3, 7, 4.5, 0, 4.5, 2, 6, 8]
    assert ranks[18] == [2.5, 2.5, 0, 2.5, 7.5, 5, 7.5, 7.5, 2.5, 7.5]
    assert ranks[19] == [4, 2, 0, 6, 3, 7, 5, 8, 1, 9]


@pytest.mark.parametrize("count", [100, 150, 200])
def test_the_width_is_that_of_the_saved_notebook(count):
    saved = published("missing_scores", "saved figure 4").droplevel("column")
    width = released_code.confidence_width(count, 10, 0.01)
    assert width == pytest.approx(saved[f"{count}"], abs=1e-9)


def test_shuffle_probabilities_sum_to_one_and_keep_both_orders():
    shares = released_code.shuffle_probabilities("abc", "xy")
    assert sum(shares.values()) == 1
    assert len(shares) == 10
    for order in shares:
        assert [item for item in order if item in "abc"] == list("abc")
        assert [item for item in order if item in "xy"] == list("xy")
    assert shares["abcxy"] == Fraction(1, 8)


def test_a_shared_place_counts_as_not_the_same():
    assert not released_code.is_same_place(1, [1.5, 1.5, 3], [1.5, 1.5, 3])
    assert released_code.is_same_place(3, [1.5, 1.5, 3], [2, 1, 3])


@pytest.mark.parametrize(("name", "table"), [("GLUE", "glue"), ("SuperGLUE", "superglue")])
def test_the_saved_taus_of_table_2_come_out_with_the_average_as_a_task(name, table):
    scores = getattr(datasets, f"load_{table}_submissions")()
    average = published("best_systems", f"average {name}").droplevel("column")
    orderings = released_code.orderings_of_tasks(
        pd.concat([average.loc[scores.index].rename("average"), scores], axis=1)
    )
    tau = orderings.corr("kendall").loc["mean", "Borda"]
    assert tau == pytest.approx(published("best_systems", "saved table 2")[name, "τ"], abs=5e-7)


def test_an_empty_average_gives_the_rows_their_places():
    scores = datasets.load_xtreme_as_released()
    orderings = released_code.orderings_of_tasks(
        pd.concat([pd.Series(np.nan, scores.index, name="average"), scores], axis=1)
    )
    tau = orderings.corr("kendall").loc["mean", "Borda"]
    assert tau == pytest.approx(published("best_systems", "saved table 2")["XTREME", "τ"], abs=5e-7)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0.16666666666666669", 0.1666666666666666),
        ("-2.5", -2.5),
        ("3", 3.0),
        ("1e-3", 0.001),
        ("12.5E2", 1250.0),
        ("123456789012345678901", 1.2345678901234568e20),
    ],
)
def test_numbers_are_read_as_pandas_did_in_2022(text, number, tmp_path):
    (tmp_path / "file.csv").write_text(f"name,score\n7,{text}\n")
    scores = released_code.read_csv_of_2022(tmp_path / "file.csv", ["name"])
    assert scores.loc[7, "score"] == number


def test_lists_of_names_are_compared_by_the_alphabet():
    order, reference = list("BADCEFGH"), list("ABCDEFGH")
    compared = released_code.compare_name_lists(order, reference)
    assert (compared["top-1"], compared["top-3"], compared["least-5"]) == (0, 2 / 3, 1)
    assert compared["τ"] == pytest.approx(1 - 4 / 28)


def test_the_script_reads_run_files_and_sums_them_up(tmp_path):
    ranking = {"one_level": [0, 1, 2], "two_level": [1, 0, 2], "mean": [0, 1, 2]}
    (tmp_path / "MT").mkdir()
    for seed in range(2):
        entries = {
            rule: [{"correlation": 1.0, "ranking": ranks}] * 2 for rule, ranks in ranking.items()
        }
        run = {"sample": seed, "results": {"robustness": {"system-col": {"eta": [0, 0.5]}}}}
        run["results"]["robustness"]["system-col"] |= entries
        (tmp_path / "MT" / f"a set_{seed}.json").write_text(json.dumps(run))
    spec = util.spec_from_file_location("runs", ROOT / "docs" / "scripts" / "make_removal_runs.py")
    script = util.module_from_spec(spec)
    spec.loader.exec_module(script)
    by_share, by_set = script.summarize(script.read_runs(tmp_path))
    assert by_share.index.tolist() == [("MT/a set", 0.0), ("MT/a set", 0.5)]
    row = by_set.loc["MT/a set"]
    assert (row["systems"], row["runs"]) == (3, 4)
    assert (row["one level and mean, τ"], row["one level and mean, top 1"]) == (1, 4)
    assert row["one level and two levels, τ"] == pytest.approx(1 / 3, abs=1e-5)
    assert row["one level and two levels, top 3"] == 4
    assert row["two levels, complete"] == "1 0 2"
