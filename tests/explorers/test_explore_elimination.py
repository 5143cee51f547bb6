"""`explore_elimination`: round by round, who goes is who the rule's own definition sends."""

import json

import numpy as np
import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.datasets import load_llm_chat

RULES = ("baldwin", "nanson", "coombs", "instant_runoff")


def board(n_systems, n_tasks, *, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 6, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    return pd.DataFrame(scores, index=[f"s{i}" for i in range(n_systems)]).add_prefix("t")


def goes(rule, frame):
    """Who leaves among these, by the definition; nobody where all would."""
    score = {
        "baldwin": nbrank.borda,
        "nanson": nbrank.borda,
        "coombs": nbrank.antiplurality,
        "instant_runoff": nbrank.plurality,
    }[rule](frame)["score"]
    limit = score.mean() - 1e-9 if rule == "nanson" else score.min() + 1e-9
    gone = set(score.index[score < limit if rule == "nanson" else score <= limit])
    return set() if len(gone) == len(score) else gone


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("missing", [0, 0.2])
def test_each_round_sends_those_whom_the_rule_sends(rule, missing):
    for seed in range(5):
        frame = board(7, 5, missing=missing, seed=seed)
        explorer = nbrank.explore_elimination(frame, rule)
        left = list(frame.index)
        for number in range(explorer.n_rounds):
            explorer.round = number
            assert set(explorer.left) == set(left)
            assert set(explorer.out) == goes(rule, frame.loc[left])
            left = [system for system in left if system not in explorer.out]
        explorer.round = explorer.n_rounds
        assert explorer.out == []
        ranked = getattr(nbrank, rule)(frame)
        assert set(explorer.left) == set(left) == set(ranked.index[ranked["rank"] == 1])


def test_the_slider_and_the_trait_move_together():
    explorer = nbrank.explore_elimination(board(6, 5))
    explorer._round.value = 2
    assert explorer.round == 2
    assert explorer.words.startswith("Round 3 of")
    explorer.round = 1
    assert explorer._round.value == 1
    explorer.round = 1000
    assert explorer.round == explorer.n_rounds == explorer._round.max


def test_another_rule_starts_anew():
    explorer = nbrank.explore_elimination(load_llm_chat(), "coombs")
    explorer.round = 2
    explorer._rule.value = "nanson"
    assert (explorer.rule, explorer.round) == ("nanson", 0)
    assert explorer.ranking.attrs["rule"] == "nanson"


def bars(rows_of, explorer):
    return [row for row in rows_of(explorer._figure) if "next" in row]


def lines(explorer):
    """What stands at the left of the chart, from top to bottom."""
    y = explorer._figure.spec["layer"][0]["encoding"]["y"]
    names = y["scale"]["domain"]
    expression = y["axis"].get("labelExpr")
    if expression is None:
        return names
    shown = json.loads(expression.removeprefix("(").removesuffix(")[datum.value]"))
    return [shown[name] for name in names]


def test_words_chart_and_table_say_who_goes(rows_of):
    explorer = nbrank.explore_elimination(load_llm_chat(), "instant_runoff")
    rows = bars(rows_of, explorer)
    assert {r["system"] for r in rows if r["next"] == "goes"} == set(explorer.out)
    assert {r["system"]: r["count"] for r in rows} == pytest.approx(explorer.counts.to_dict())
    assert "goes, for the fewest first places of those left." in explorer.words
    assert all(system in explorer.words for system in explorer.out[:3])
    assert explorer._rows.value.count("<td>goes</td>") == len(explorer.out)


@pytest.mark.parametrize("rule", RULES)
def test_of_many_systems_those_who_go_are_in_sight_in_every_round(rule, rows_of):
    explorer = nbrank.explore_elimination(board(105, 14, missing=0.1), rule)
    order = []
    for number in range(explorer.n_rounds + 1):
        explorer.round = number
        rows = bars(rows_of, explorer)
        shown = [row["system"] for row in rows]
        going = {row["system"] for row in rows if row["next"] == "goes"}
        left = list(explorer.counts.index)
        # The leaders, those who just stay, and of those who go as many as one can take in.
        assert shown[:5] == left[:5]
        assert going <= set(explorer.out)
        assert len(going) >= min(len(explorer.out), 5)
        stay = [system for system in left if system not in explorer.out]
        assert set(stay[-5:]) <= set(shown)
        assert explorer._figure.spec["height"] <= 500
        # The others are counted where they stand.
        counted = [int(line.split()[1]) for line in lines(explorer) if line.startswith("…")]
        assert len(rows) + sum(counted) == len(left)
        assert explorer._rows.value.count("<tr>") == len(left) + 1
        order += [len(rows)]
    assert max(order) >= 12


def test_the_axis_is_on_top_beside_the_first_bar():
    explorer = nbrank.explore_elimination(board(300, 5))
    (axis,) = {
        str(part["encoding"]["x"]["axis"])
        for part in explorer._figure.spec["layer"]
        if "axis" in part["encoding"].get("x", {})
    }
    assert "'orient': 'top'" in axis


def test_a_system_is_found_by_its_name_in_the_round_in_which_it_goes():
    explorer = nbrank.explore_elimination(board(40, 6))
    explorer._look.value = "s7"
    assert explorer.system == "s7"
    assert "s7" in explorer.out
    assert explorer.round == explorer._round.value == explorer.ranking["score"]["s7"]
    rank = explorer.ranking["rank"]["s7"]
    n_rounds, goes = explorer.n_rounds, explorer.round + 1
    assert f"s7 goes in round {goes} of {n_rounds}, and has rank {rank}." in explorer.words
    explorer.round = 0
    # Wherever it stands, its bar is shown.
    assert "▸ s7" in lines(explorer)
    explorer.round = explorer.n_rounds
    assert f"s7 went in round {goes} of" in explorer.words
    winner = explorer.ranking.index[0]
    explorer.system = winner
    assert f"{winner} never goes: it stays to the end, and has rank 1." in explorer.words
    explorer.system = None
    assert explorer._look.value == ""
    with pytest.raises(traitlets.TraitError, match="unknown 'nobody'"):
        explorer.system = "nobody"


def test_systems_are_found_whatever_their_labels_are():
    labels = [("a", 1), ("a", 2), 3, "3", "b"]
    frame = board(5, 4).set_axis(pd.Index(labels, tupleize_cols=False))
    explorer = nbrank.explore_elimination(frame)
    for label in labels:
        explorer.system = label
        assert label in (explorer.out or explorer.left)


def test_the_rounds_can_be_played():
    explorer = nbrank.explore_elimination(board(300, 20))
    assert explorer._play.max == explorer._round.max == explorer.n_rounds > 200
    # In a few minutes at most.
    assert explorer._play.interval * explorer.n_rounds < 120_000
    short = nbrank.explore_elimination(board(3, 3))
    assert short._play.interval >= 1000


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ("baldwin", "Borda points: systems that it is above, added up over the {}"),
        ("coombs", "{} on which it is not last (shared places in part)"),
        ("instant_runoff", "{} on which it is first (shared places in part)"),
    ],
)
def test_the_axis_says_what_is_counted_on_this_table(rule, says):
    def title(explorer):
        return explorer._figure.spec["layer"][0]["encoding"]["x"]["axis"]["title"].lower()

    tasks = board(5, 4)
    assert title(nbrank.explore_elimination(tasks, rule)) == says.format("tasks").lower()
    weighed = nbrank.explore_elimination(tasks, rule, weights={"t0": 3})
    assert "tasks, by their weight" in title(weighed)
    rows = pd.MultiIndex.from_product([list("ABC"), range(6)], names=["system", "instance"])
    values = np.random.default_rng(0).normal(size=(18, 2))
    instances = nbrank.explore_elimination(pd.DataFrame(values, rows, ["t", "u"]), rule)
    assert title(instances) == says.format("instances").lower()


def test_nansons_mean_is_drawn_and_parts_those_who_go(rows_of):
    explorer = nbrank.explore_elimination(board(8, 5), "nanson")
    (mean,) = [row["count"] for row in rows_of(explorer._figure) if row.get("what") == "mean"]
    for row in bars(rows_of, explorer):
        assert (row["count"] < mean) == (row["next"] == "goes")


def test_who_goes_without_a_bar_is_marked_as_well(rows_of):
    scores = pd.DataFrame({"t": [3, 2, 1], "u": [3, 2, 1]}, index=list("ABC"))
    explorer = nbrank.explore_elimination(scores, "instant_runoff")
    assert explorer.counts.to_dict() == {"A": 2, "B": 0, "C": 0}
    marked = [row for row in rows_of(explorer._figure) if row.get("says") == "goes"]
    assert [row["system"] for row in marked] == explorer.out == ["B", "C"]


def test_names_are_few_and_brief():
    names = [f"an-organisation/some-model-with-a-very-long-name-v{i}-checkpoint" for i in range(60)]
    frame = board(60, 3).set_axis(names)
    explorer = nbrank.explore_elimination(frame, "instant_runoff")
    assert len(explorer.out) > 3
    assert f"go, {len(explorer.out)} together, for the fewest first places" in explorer.words
    assert f" and {len(explorer.out) - 3} more go" in explorer.words
    assert not any(name in explorer.words for name in names)
    assert len(explorer.words) < 500


def test_the_end_names_the_winner():
    explorer = nbrank.explore_elimination(load_llm_chat())
    explorer.round = explorer.n_rounds
    assert "DeepSeek-V3 wins by baldwin." in explorer.words


def test_several_winners_win_in_the_end():
    # One against one A and B are level; before C goes, B is above more others.
    scores = pd.DataFrame(
        {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2], "t4": [1, 3, 2]}, index=list("ABC")
    )
    explorer = nbrank.explore_elimination(scores, "baldwin")
    assert explorer.words.endswith("Ahead in this round is B; in the end A and B win.")


def test_systems_that_are_level_win_together():
    tied = pd.DataFrame({"t": [1.0, 1.0], "u": [2.0, 2.0]}, index=["A", "B"])
    explorer = nbrank.explore_elimination(tied)
    assert explorer.n_rounds == 0
    assert "A and B are level" in explorer.words


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (300, 50)])
def test_it_stays_usable_from_small_to_large(size):
    explorer = nbrank.explore_elimination(board(*size), "nanson")
    assert len(explorer.left) == size[0]
    assert len(explorer.words) < 600


def test_other_rules_are_refused():
    with pytest.raises(traitlets.TraitError):
        nbrank.explore_elimination(board(3, 2), "borda")
