"""`explore_confidence`: what is shown is what rank_confidence and tie_groups give."""

import importlib
import itertools

import numpy as np
import pandas as pd
import pytest
import traitlets
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat


@pytest.fixture
def scores():
    rng = np.random.default_rng(1)
    values = rng.normal(np.arange(6)[:, None], 1.5, (6, 20))
    return pd.DataFrame(values, index=list("ABCDEF")).add_prefix("t")


@pytest.fixture
def explorer(scores):
    return nbrank.explore_confidence(scores)


def test_it_shows_the_sets_and_groups(explorer, scores):
    sets = nbrank.rank_confidence(scores, "borda", seed=0)
    assert_frame_equal(explorer.ranking, sets)
    assert_frame_equal(explorer.groups, nbrank.tie_groups(sets))
    first = sets.index[sets["low"] == 1]
    assert len(first) > 1
    assert f"{len(first)} systems may be first: " in explorer.words


def told_apart(sets):
    """The pairs that have no rank in common."""
    return {
        frozenset(pair)
        for pair in itertools.combinations(sets.index, 2)
        if sets.loc[list(pair), "low"].max() > sets.loc[list(pair), "high"].min()
    }


def test_the_slider_moves_systems_from_group_to_group_and_says_which(explorer, scores):
    before = explorer.ranking
    explorer._delta.value = 0.4
    assert explorer.delta == 0.4
    assert_frame_equal(explorer.ranking, nbrank.rank_confidence(scores, "borda", 0.4, seed=0))
    new = told_apart(explorer.ranking) - told_apart(before)
    assert new == {frozenset(pair) for pair in ("DF", "DE", "DC", "DB", "EF", "EC", "AB", "AC")}
    assert explorer.changes == (
        "Since the last setting: D no longer shares a group with F, E, C and 1 more; E with F and "
        "C; likewise 2 more pairs. E can no longer be first."
    )
    assert explorer.changes in explorer.words
    explorer.delta = 0.05
    assert "D now shares a group with F, E, C and 1 more; E with F and C;" in explorer.changes
    assert "E can now be first." in explorer.changes


def test_it_says_when_nothing_or_nobody_moved():
    clear = pd.DataFrame({f"t{i}": [3.0, 2.0, 1.0] for i in range(14)}, index=list("ABC"))
    explorer = nbrank.explore_confidence(clear)
    explorer.delta = 0.1
    assert explorer.changes == "Since the last setting: nothing moved."


def test_every_delta_gives_what_rank_confidence_gives_and_draws_nothing_anew(scores, monkeypatch):
    drawn = []
    module = importlib.import_module("nbrank.explorers.explore_confidence")
    by_delta = module.rank_confidence_by_delta

    def counted(*args, **options):
        drawn.append(args[1])
        return by_delta(*args, **options)

    monkeypatch.setattr(module, "rank_confidence_by_delta", counted)
    gaps = scores.mask(np.random.default_rng(0).random(scores.shape) < 0.1)
    explorer = nbrank.explore_confidence(gaps)
    for delta in (0.5, 0.001, 0.2, 0.05):
        explorer.delta = delta
        expected = nbrank.rank_confidence(gaps, "borda", delta, seed=0)
        assert_frame_equal(explorer.ranking, expected)
    assert drawn == ["borda"]
    explorer.rule = "mean_rank"
    assert drawn == ["borda", "mean_rank"]


def test_a_slider_that_the_browser_moves_to_its_step_changes_nothing(explorer):
    explorer._delta.value = 0.0501
    assert (explorer.delta, explorer.changes) == (0.05, "")
    explorer._delta.value = 0.0561
    assert explorer.delta == 0.0561


def test_less_confidence_never_widens_a_set(explorer):
    explorer.delta = 0.01
    strict = explorer.ranking
    explorer.delta = 0.3
    loose = explorer.ranking.loc[strict.index]
    assert (loose["low"] >= strict["low"]).all()
    assert (loose["high"] <= strict["high"]).all()


def test_traits_move_the_controls(explorer):
    explorer.delta = 0.2
    explorer.rule = "mean"
    assert (explorer._delta.value, explorer._rule.value) == (0.2, "mean")
    assert explorer.ranking.attrs["rule"] == "mean"


def bars(rows_of, explorer, kind="now"):
    """The rows of the chart: the bars of this setting, those of the last one, or the points."""
    rows = [row for row in rows_of(explorer._figure) if "system" in row]
    if kind == "points":
        return [row for row in rows if "from" not in row]
    earlier = [row for row in rows if row["says"] == "at the last setting"]
    return earlier if kind == "earlier" else [r for r in rows if "from" in r and r not in earlier]


def test_the_chart_draws_the_sets(explorer, rows_of):
    drawn = {row["system"]: row for row in bars(rows_of, explorer)}
    assert list(drawn) == list(explorer.ranking.index)
    for system, row in explorer.ranking.iterrows():
        assert {name: drawn[system][name] for name in row.index} == row.to_dict()
        assert drawn[system]["says"] == ("may be first" if row["low"] == 1 else "surely not first")
    assert len(bars(rows_of, explorer, "points")) == 6


def test_behind_a_set_that_moved_is_that_of_the_last_setting(explorer, rows_of):
    assert bars(rows_of, explorer, "earlier") == []
    before = explorer.ranking
    explorer.delta = 0.4
    moved = (before != explorer.ranking.loc[before.index]).any(axis=1)
    earlier = {r["system"]: (r["low"], r["high"]) for r in bars(rows_of, explorer, "earlier")}
    assert list(earlier) == list(before.index[moved])
    for system, ends in earlier.items():
        assert ends == tuple(before.loc[system, ["low", "high"]])


def test_a_system_looked_at_closely_has_its_neighbours_in_colour(explorer, rows_of):
    explorer._look.value = "E"
    assert explorer.system == "E"
    low, high = explorer.ranking.loc["E", ["low", "high"]]
    for row in bars(rows_of, explorer):
        shares = row["low"] <= high and low <= row["high"]
        assert row["says"] == ("in a group with it" if shares else "in no group with it")
    rank = explorer.ranking.loc["E", "rank"]
    assert (
        f"E has rank {rank}, and may have any from {low} to {high}: no system is surely better, "
        f"and {6 - high} surely worse." in explorer.words
    )
    explorer.system = None
    assert explorer._look.value == ""
    assert "E has rank" not in explorer.words
    with pytest.raises(traitlets.TraitError, match="unknown 'Z'"):
        explorer.system = "Z"


@pytest.fixture
def large():
    rng = np.random.default_rng(0)
    names = [f"an-organisation/some-model-with-a-long-name-v{i}-checkpoint" for i in range(300)]
    values = rng.normal(np.linspace(0, 6, 300)[:, None], 1, (300, 14))
    return nbrank.explore_confidence(pd.DataFrame(values, index=names).add_prefix("t"))


def test_of_many_systems_the_chart_shows_as_many_as_fit_beside_their_axis(large, rows_of):
    def axis():
        (found,) = {
            (str(layer["encoding"]["x"]["axis"]), str(layer["encoding"]["x"]["scale"]))
            for layer in large._figure.spec["layer"]
            if "axis" in layer["encoding"].get("x", {})
        }
        return found

    before = axis()
    assert "'orient': 'top'" in before[0]
    assert "[0.5, 300.5]" in before[1]
    assert large._figure.spec["height"] <= 480
    large.delta = 0.3
    # The bars move, and not the axis.
    assert axis() == before
    seen = []
    for top in range(1, 301, 24):
        large._top.value = top
        seen += [row["system"] for row in bars(rows_of, large)]
    assert set(seen) == set(large.ranking.index)
    assert large.top == large._top.value == 277


def test_the_chart_goes_to_the_system_that_is_looked_for(large, rows_of):
    system = large.ranking.index[150]
    large.system = system
    assert system in [row["system"] for row in bars(rows_of, large)]
    assert large.top == large._top.value == 139


def test_systems_are_found_whatever_their_labels_are(scores):
    labels = [("a", 1), ("a", 2), 3, "3", "b", None]
    explorer = nbrank.explore_confidence(
        scores.iloc[:5].set_axis(pd.Index(labels[:5], tupleize_cols=False))
    )
    for label in labels:
        explorer.system = label
        assert (" has rank " in explorer.words) == (label is not None)


def test_it_says_what_delta_is(explorer):
    assert (
        "delta is the chance of error that we accept: 5 % that any of the bars misses the rank "
        "that its system would have on ever more tasks like these." in explorer.words
    )
    explorer.delta = 0.2
    assert "delta is the chance of error that we accept: 20 % that" in explorer.words


def test_lists_name_a_few_and_groups_only_who_is_new_in_them(large):
    assert max(map(len, large.words.split("."))) < 300
    assert "The largest group has " in large.words
    table = large._rows.value
    assert table.count("<tr>") == len(large.groups) + 1
    old, new = large.groups["systems"].iloc[:2]
    joined = [large.names.brief[system] for system in new if system not in set(old)]
    assert len(joined) > 6
    who = f"{', '.join(joined[:6])} and {len(joined) - 6} more"
    assert table.split("<tr>")[3].split("</td>")[-2].endswith(f">{who}")


def test_too_few_groups_say_so_and_tasks_alone_are_offered():
    explorer = nbrank.explore_confidence(load_llm_chat())
    assert "4 groups are too few to tell anything apart" in explorer.words
    assert "would have on ever more groups of tasks like these." in explorer.words
    assert "move delta to 0.125 or more or take each task alone as a draw" in explorer.words
    explorer.delta = 0.125
    assert "note" not in explorer.ranking.attrs
    explorer.delta = 0.1249
    assert "note" in explorer.ranking.attrs
    explorer._draws.value = "each task alone"
    assert explorer.ranking.attrs["n"] == 22
    assert "Only DeepSeek-V3 may be first." in explorer.words


@pytest.fixture
def battles():
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 4, (2, 400))
    left, right = left[left != right], right[left != right]
    won = rng.random(len(left)) < 1 / (1 + np.exp(0.5 * (left - right)))
    names = np.array(list("ABCD"))
    frame = pd.DataFrame({"l": names[left], "r": names[right]})
    frame["w"] = np.where(won, frame["l"], frame["r"])
    return nbrank.from_comparisons(frame, left="l", right="r", winner="w")


def test_comparisons_are_told_apart_by_their_strengths(battles):
    explorer = nbrank.explore_confidence(battles)
    sets = nbrank.rank_confidence(battles, "bradley_terry", seed=0)
    assert_frame_equal(explorer.ranking, sets)
    assert explorer.words.startswith("With 95 % confidence")
    assert [value for _, value in explorer._rule.options] == ["bradley_terry"]
    explorer.delta = 0.001
    assert explorer.ranking.attrs["delta"] == 0.001


def test_comparisons_refuse_what_needs_scores(battles):
    with pytest.raises(traitlets.TraitError, match="needs scores.*bradley_terry"):
        nbrank.explore_confidence(battles, "borda")
    with pytest.raises(TypeError, match="don't go with comparisons"):
        nbrank.explore_confidence(battles, weights={"t": 1})
    explorer = nbrank.explore_confidence(battles)
    with pytest.raises(traitlets.TraitError, match="no tasks"):
        explorer.draws = "each task alone"


def test_strengths_of_scores_have_sets_as_well(explorer, scores):
    explorer.rule = "bradley_terry"
    assert_frame_equal(explorer.ranking, nbrank.rank_confidence(scores, "bradley_terry", seed=0))


def test_one_task_is_one_and_one_system_alone():
    explorer = nbrank.explore_confidence(pd.DataFrame({"t": [3.0, 2.0]}, index=["A", "B"]))
    assert explorer.words.startswith("1 task is too few to tell anything apart")
    assert "it takes more tasks." in explorer.words
    alone = nbrank.explore_confidence(pd.DataFrame({"t": [3.0], "u": [1.0]}, index=["A"]))
    assert alone.words == "There is only one system, and none to tell it apart from."
    alone.system = "A"
    alone.delta = 0.2
    assert alone.words.startswith("There is only one system")


def test_systems_of_which_none_can_be_told_apart():
    noise = pd.DataFrame(np.random.default_rng(0).normal(size=(5, 9)), index=list("ABCDE"))
    explorer = nbrank.explore_confidence(noise.add_prefix("t"), delta=0.005)
    assert set(explorer.ranking["high"] - explorer.ranking["low"]) == {4}
    assert "no two of the 5 systems can be told apart." in explorer.words
    assert "Each of them may be first." in explorer.words
    # One is surely not first, and so not the same as all others, though all may share a rank.
    explorer.delta = 0.05
    assert "All but B may be first. All 5 are level: they may all have" in explorer.words


def test_where_a_rule_refuses_nothing_of_before_stays_on_show(scores):
    scores.iloc[0, 0] = np.nan
    with pytest.raises(ValueError, match="missing"):
        nbrank.explore_confidence(scores, "mean")
    explorer = nbrank.explore_confidence(scores)
    explorer.delta = 0.1
    explorer._rule.value = "mean"
    assert explorer.words.startswith("Nothing can be shown: ")
    assert "missing" in explorer.words
    assert explorer.ranking.empty
    assert explorer.groups.empty
    assert explorer.changes == ""
    assert explorer._figure.layout.display == "none"
    explorer.system = "A"
    assert explorer.words.startswith("Nothing can be shown: ")
    explorer.rule = "borda"
    assert explorer.words.startswith("With 90 % confidence")
    assert explorer.changes == ""


def test_systems_that_can_all_be_told_apart():
    clear = pd.DataFrame({f"t{i}": [3.0, 2.0, 1.0] for i in range(14)}, index=list("ABC"))
    assert "all 3 systems can be told apart" in nbrank.explore_confidence(clear).words


@pytest.mark.parametrize("size", [(3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=size)).add_prefix("t")
    explorer = nbrank.explore_confidence(frame)
    assert len(explorer.words) < 1500
    assert len(explorer.ranking) == size[0]


@pytest.mark.parametrize("setting", [("delta", 0.0), ("delta", 0.9), ("rule", "copeland")])
def test_wrong_settings_are_refused(explorer, setting):
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, *setting)


def test_tasks_are_said_to_be_taken_as_draws_of_their_own_and_groups_are_not():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(np.arange(5)[:, None] + rng.normal(size=(5, 12))).add_prefix("t")
    said = "two metrics of one task are not: they belong in one group"
    assert said in nbrank.explore_confidence(scores).words
    pairs = {f"group {n}": [f"t{2 * n}", f"t{2 * n + 1}"] for n in range(6)}
    assert said not in nbrank.explore_confidence(scores, groups=pairs).words
