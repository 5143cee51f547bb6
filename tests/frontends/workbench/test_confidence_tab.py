"""How sure: rank sets and groups as delta moves, of scores and of comparisons."""

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    better = np.linspace(0, 3, 8)[:, None]
    return pd.DataFrame(rng.normal(size=(8, 20)) + better, index=list("ABCDEFGH")).add_prefix("t")


@pytest.fixture
def bench(scores):
    return nbrank.explore(scores, tab="confidence")


@pytest.fixture(scope="module")
def battles():
    rng = np.random.default_rng(0)
    pairs = [(a, b) for a in "ABCD" for b in "ABCD" if a < b] * 30
    won = [a if rng.random() < 0.8 else b for a, b in pairs]
    frame = pd.DataFrame(pairs, columns=["left", "right"]).assign(winner=won)
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner")


@pytest.mark.parametrize("delta", [0.001, 0.05, 0.3])
def test_every_delta_gives_what_rank_confidence_and_tie_groups_give(bench, scores, delta):
    bench.delta = delta
    expected = nbrank.rank_confidence(scores, "borda", delta=delta, seed=0)
    assert_frame_equal(bench.rank_sets, expected)
    groups = nbrank.tie_groups(expected[["rank", "low", "high"]])
    assert_frame_equal(bench.get_tab_result("confidence").groups, groups)


def test_the_picture_draws_the_sets(bench, scores, shown):
    bench.delta = 0.3
    # They are drawn once they are asked for, or later where a loop runs.
    sets = bench.rank_sets
    for system, said in shown(bench).labels.items():
        low, high = sets.loc[system, ["low", "high"]]
        assert (f"ranks {low} to {high}" if low < high else f"rank {low} only") in said
    best = nbrank.best_set(scores, "borda", delta=0.3)
    assert {*shown(bench).best} == {*best.index[best["best"]]}


def test_the_verdict_says_which_systems_may_be_best(bench, scores):
    best = nbrank.best_set(scores, "borda")
    may = best.index[best["best"]]
    assert 2 < len(may) < 8
    assert f"the best is one of these {len(may)}: {may[0]}, " in bench.verdict
    assert "By Borda, with 95 % confidence over tasks, the best is one of these" in bench.text
    pairs = len(nbrank.significant_pairs(scores, "borda"))
    assert f"{pairs} of 28 pairs of systems are told apart" in bench.text


def test_a_slider_that_the_browser_moves_to_its_step_changes_nothing(bench):
    slider = bench.get_tab_result("confidence")._delta
    bench.delta = 0.06
    slider.value = 10 ** (round(np.log10(0.06) / 0.05) * 0.05)
    assert bench.delta == 0.06
    slider.value = 0.2
    assert bench.delta == 0.2


def test_delta_set_from_python_moves_the_slider(bench):
    bench.delta = 0.2
    assert bench.get_tab_result("confidence")._delta.value == 0.2


def test_a_rule_without_sets_shows_those_of_borda_and_says_so(bench, scores, shown):
    bench.rule = "copeland"
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(scores, "borda", seed=0))
    assert "Copeland has no rank sets: those shown are of Borda. " in bench.text
    assert "best" not in bench.verdict
    assert "rank by Copeland; ranks it may have by Borda, 95 %" in shown(bench).words
    assert not shown(bench).best


def test_too_few_groups_say_so_and_tasks_alone_are_offered(scores):
    groups = {"a": scores.columns[:7], "b": scores.columns[7:14], "c": scores.columns[14:]}
    bench = nbrank.explore(scores, groups=groups, tab="confidence")
    assert (
        "With 95 % confidence 3 groups are too few to tell any pair of systems apart" in bench.text
    )
    assert "or take each task alone as a draw" in bench.text
    assert "may be best" not in bench._html.html
    bench.draws = "each task alone"
    assert "with other tasks like these" in bench._html.html
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(scores, "borda", seed=0))


def test_what_delta_is_and_all_groups_are_folded_away(bench):
    html = bench.get_tab_result("confidence").html.html
    assert "<summary>what is delta?</summary>" in html
    assert "<summary>all groups that may share a rank</summary>" in html


def test_one_system_has_none_to_tell_it_apart_from():
    words = nbrank.explore(
        pd.DataFrame({"t1": [1.0], "t2": [2.0]}, index=["A"]), tab="confidence"
    ).text
    assert "There is only one system, and none to tell it apart from." in words


def test_a_rule_that_refuses_leaves_no_sets(scores):
    gap = scores.mask(scores == scores.iloc[0, 0])
    bench = nbrank.explore(gap, tab="confidence")
    bench.rule = "mean"
    assert bench.rank_sets is None
    assert "mean can't rank this table" in bench.text


def test_comparisons_have_the_page_with_the_tabs_that_need_no_tasks(battles):
    bench = nbrank.explore(battles, tab="confidence")
    assert bench.rule == "bradley_terry"
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(battles, "bradley_terry", seed=0))
    assert bench._questions.html.count('role="tab"') == 3
    bench.system = "B"
    assert "Rank 2 by Bradley-Terry." in bench.text
    bench.tab = "pairs"
    assert "A beats every other system, pair by pair." in bench.text
    bench.rule = "copeland"
    assert bench.ranking.index[0] == "A"


@pytest.mark.parametrize(
    "setting",
    [
        {"tab": "missing"},
        {"weights": {"t": 1}},
        {"draws": "each task alone"},
        {"missing": "worst"},
        {"share": 0.5},
    ],
)
def test_comparisons_refuse_what_needs_scores(battles, setting):
    bench = nbrank.explore(battles, tab="confidence")
    ((name, value),) = setting.items()
    with pytest.raises(traitlets.TraitError):
        setattr(bench, name, value)
    assert "A is first" in bench.verdict


@pytest.mark.parametrize("options", [{"rule": "best"}, {"delta": 0.9}])
def test_wrong_settings_to_begin_with_are_refused(scores, options):
    with pytest.raises(traitlets.TraitError):
        nbrank.explore(scores, tab="confidence", **options)


# ------------------------------------------------------------------------ the ranks at the start


@pytest.fixture
def moved(votes):
    return nbrank.explore(votes, rules=("borda", "plurality"))


def moves(moved):
    """What stands beside the names: ▲ or ▼ and how far."""
    return [text for text in "▲▼" if text in moved._figure.svg]


def test_at_the_start_nothing_has_moved(moved):
    assert moves(moved) == []
    assert "at the start" not in moved._figure.svg


def test_a_moved_weight_leaves_the_old_rank_of_each_system_that_moved(moved, votes):
    before = nbrank.borda(votes)["rank"]
    moved.weights = {"t4": 4}
    now = moved.ranking["rank"]
    assert moves(moved) == ["▲", "▼"]
    for system in votes.index:
        was, rank = before[system], now[system]
        said = f"{system}: rank {rank} by Borda, {was} at the start"
        assert (said in moved._figure.svg.replace("=", "")) == (was != rank)
        mark = "▲" if rank < was else "▼"
        assert rank == was or f">{mark}{abs(was - rank)}</text>" in moved._figure.svg
    moved.weights = {"t4": 1}
    assert moves(moved) == []


def test_deleted_scores_leave_it_too(moved):
    moved.cells = [("B", "t1"), ("B", "t2")]
    assert moves(moved)


def test_another_rule_is_told_from_its_own_ranks_at_the_start(moved, votes):
    moved.weights = {"t4": 4}
    moved.rule = "plurality"
    was = nbrank.plurality(votes)["rank"]["D"]
    assert f"D: rank 1 by plurality, {was} at the start" in moved._figure.svg


def test_where_a_rule_refuses_the_start_there_is_no_mark():
    scores = pd.DataFrame({"x": [3, 2, None], "y": [1, 2, 3]}, index=list("ABC"))
    moved = nbrank.explore(scores, rules=("mean", "borda"), rule="borda")
    moved.weights = {"x": 0}
    moved.rule = "mean"
    assert moved.ranking is not None
    assert moves(moved) == []


def test_of_comparisons_there_is_none():
    rows = pd.DataFrame({"a": list("AAB"), "b": list("BCC"), "won": list("ACB")})
    moved = nbrank.explore(nbrank.from_comparisons(rows, left="a", right="b", winner="won"))
    assert moves(moved) == []
