"""The two orders that "Handling missing scores in benchmarks" prints for its table 5."""

import pytest

import nbrank
from nbrank.datasets import load_xtreme_missing


@pytest.fixture
def scores():
    return load_xtreme_missing()


def order(ranking):
    """The systems by rank, best first: a list for each rank."""
    by_rank = ranking.reset_index().groupby("rank")["system"]
    return [sorted(systems) for _, systems in by_rank]


def test_the_table_has_18_missing_cells_and_a_system_without_a_score(scores):
    assert scores.shape == (10, 4)
    assert scores.isna().sum().sum() == 18
    assert scores.index[scores.isna().all(axis=1)].tolist() == ["M5"]


def test_compatible_rankings_give_the_papers_order(scores):
    # The paper's list leaves out M6, and ends M8 > M9.
    expected = ["M0", "M3", "M2", "M1", "M7", "M5", "M4", "M8", "M6", "M9"]
    assert order(nbrank.borda(scores)) == [[system] for system in expected]


def test_the_row_sums_of_the_matrix_give_the_same_order(scores):
    # The paper sums columns: its matrix is the transpose of ours.
    matrix = nbrank.pairwise(scores, missing="compatible")
    below = matrix.sum(axis="columns").sort_values(ascending=False)
    assert below.index.tolist() == nbrank.borda(scores).index.tolist()
    assert below.to_numpy() == pytest.approx(nbrank.borda(scores)["score"].to_numpy())


def test_a_system_without_a_score_has_its_expected_points(scores):
    # In the middle of ten systems, on each of the four tasks.
    assert nbrank.borda(scores).loc["M5", "score"] == pytest.approx(4 * 4.5)


def test_the_mean_of_what_is_there_gives_the_papers_order(scores):
    expected = [["M7"], ["M4"], ["M0"], ["M6"], ["M9"], ["M2", "M3"], ["M1"], ["M8"], ["M5"]]
    ranking = nbrank.mean(scores, missing="ignore")
    assert order(ranking) == expected
    assert ranking.loc[["M2", "M3", "M1", "M5"], "rank"].tolist() == [6, 6, 8, 10]


def test_a_system_without_a_score_has_no_mean(scores):
    assert nbrank.mean(scores, missing="ignore")["score"].isna().loc["M5"]


def test_the_mean_refuses_the_table_unless_told_what_to_do(scores):
    with pytest.raises(ValueError, match="mean: 18 missing scores"):
        nbrank.mean(scores)
