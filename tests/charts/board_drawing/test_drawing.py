"""The picture of a leaderboard: who has a row, what its cells and ranks say, and what is said."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.datasets import load_glue_submissions, load_llm_chat, load_superglue_submissions
from nbrank.findings.labels import rule_title

SCORES = pd.DataFrame(
    {"x": [3.0, 2, 1], "y": [1.0, np.nan, 2], "z": [2.0, 1, 3]}, index=["A", "B", "C"]
)


def test_columns_are_as_wide_as_the_weights_of_their_tasks(drawn):
    picture = drawn(nbrank.picture(SCORES, weights={"x": 1, "y": 2, "z": 5}))
    wide = {task: cell.width for (system, task), cell in picture.cells.items() if system == "A"}
    assert wide["y"] == pytest.approx(2 * wide["x"], abs=0.1)
    assert wide["z"] == pytest.approx(5 * wide["x"], abs=0.1)
    assert any("width: its weight" in text for text in picture.words)


def test_a_task_of_no_weight_has_no_column_and_is_counted(drawn, heading):
    picture = nbrank.picture(SCORES, weights={"x": 0})
    assert {task for _, task in drawn(picture).cells} == {"y", "z"}
    assert "1 task of weight 0" in heading(picture)[1]


def test_a_missing_score_is_a_dashed_cell_and_a_cell_says_the_place(drawn, heading):
    picture = nbrank.picture(SCORES)
    said = {pair: cell.title for pair, cell in drawn(picture).cells.items()}
    assert said == {
        ("A", "x"): "x: 3, place 1 of 3", ("B", "x"): "x: 2, place 2 of 3",
        ("C", "x"): "x: 1, place 3 of 3", ("A", "y"): "y: 1, place 2 of 2",
        ("B", "y"): "y: no score", ("C", "y"): "y: 2, place 1 of 2",
        ("A", "z"): "z: 2, place 2 of 3", ("B", "z"): "z: 1, place 3 of 3",
        ("C", "z"): "z: 3, place 1 of 3",
    }  # fmt: skip
    dashed = {pair for pair, cell in drawn(picture).cells.items() if cell.fill == "none"}
    assert dashed == {("B", "y")}
    assert "no score" in drawn(picture).words
    assert "a dashed cell is a missing score" in heading(picture)[1]
    assert "dashed" not in heading(nbrank.picture(SCORES[["x", "z"]]))[1]
    assert "no score" not in drawn(nbrank.picture(SCORES[["x", "z"]])).words


def test_who_has_no_score_is_named_also_where_it_is_not_drawn(heading):
    scores = pd.concat([SCORES, pd.DataFrame(np.nan, ["D"], SCORES.columns)])
    assert (
        "a dashed cell is a missing score (1 of 9); D is left out, without a single score"
        in (heading(nbrank.picture(scores))[1])
    )
    scores.loc["B", "x"] = np.nan
    few = heading(nbrank.picture(scores, "mean_win_rate", rules=["borda"], top=1))[1]
    assert "2 of 9 scores are missing; D is left out, without a single score" in few
    errors = scores * 0 + 0.1
    errors.loc["D"] = 0.1  # of which there is no score
    assert "D is left out" in heading(nbrank.picture(scores, errors=errors))[1]


def test_runs_that_are_missing_are_counted_and_named(heading):
    rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", "seed"])
    runs = pd.DataFrame(np.arange(18.0).reshape(9, 2), index=rows, columns=["x", "y"])
    assert "runs" not in heading(nbrank.picture(runs))[1]
    runs.loc[("B", 1), "y"] = np.nan
    assert "1 of 18 runs is missing, of B on y" in heading(nbrank.picture(runs))[1]


def test_a_ranking_that_is_given_is_drawn_and_said_to_be_no_rule(drawn, heading):
    given = {"last week": pd.Series({"C": 1, "A": 2, "B": 3}), "borda": "borda"}
    picture = nbrank.picture(SCORES[["x", "z"]], rules=given)
    assert "under all" not in heading(picture)[0]
    assert (
        "“last week” is a ranking that is given, not one of the rules: C is first"
        in (heading(picture)[1])
    )
    assert {"given", "last", "week"} <= {*drawn(picture).words}


@pytest.mark.parametrize(
    ("lower", "said"),
    [
        ((), "3 tasks, higher is better on all;"),
        (["x", "z"], "3 tasks, lower is better on x and z, higher on all others;"),
        (True, "3 tasks, lower is better on all;"),
    ],
)
def test_it_says_which_scores_were_taken_as_better(heading, lower, said):
    assert said in heading(nbrank.picture(SCORES, lower_is_better=lower))[1]


def test_the_better_the_darker_and_lower_may_be_better(drawn):
    scores = pd.DataFrame({"x": range(20), "z": range(20)})
    picture = drawn(nbrank.picture(scores, lower_is_better=["x"]))
    shade = {pair: cell.fill for pair, cell in picture.cells.items()}
    best_first = [shade[str(system), "x"] for system in range(20)]
    assert best_first == ["p1"] + 2 * ["p2"] + 3 * ["p3"] + 6 * ["p4"] + 8 * ["p5"]
    assert [shade[str(system), "z"] for system in range(20)] == best_first[::-1]


def test_instances_have_the_places_of_their_means(drawn):
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    scores = pd.DataFrame({"x": [1.0, 0, 1, np.nan], "y": [np.nan, np.nan, 3, 4]}, index)
    said = {pair: cell.title for pair, cell in drawn(nbrank.picture(scores)).cells.items()}
    assert said == {
        ("A", "x"): "x: 0.5, place 2 of 2",
        ("A", "y"): "y: no score",
        ("B", "x"): "x: 1, place 1 of 2",
        ("B", "y"): "y: 3.5, place 1 of 1",
    }


def test_who_shares_a_place_has_the_first_of_those_and_it_says_so(drawn):
    scores = pd.DataFrame({"x": [4, 4, 2, 1], "y": [4, 3, 2, 1]}, index=list("ABCD"))
    cells = drawn(nbrank.picture(scores)).cells
    for system in "AB":
        assert cells[system, "x"].title == "x: 4, place 1 of 4, shared by 2"
        assert cells[system, "x"].fill == "p1"
    assert cells["C", "x"].title == "x: 2, place 3 of 4"


def test_groups_stand_together_under_their_name(drawn):
    columns = pd.MultiIndex.from_tuples([("math", "x"), ("code", "y"), ("math", "z")])
    picture = drawn(nbrank.picture(SCORES.set_axis(columns, axis=1)))
    at = {task: (cell.x, cell.x + cell.width) for (_, task), cell in picture.cells.items()}
    # The tasks of a group stand together, in whatever order the table has them.
    assert at["math / x"][1] < at["math / z"][0] < at["math / z"][1] < at["code / y"][0]
    middle = (at["math / x"][0] + at["math / z"][1]) / 2
    assert picture.heads["math"].x == pytest.approx(middle, abs=0.2)
    assert {"math", "code", "x", "y", "z"} <= picture.heads.keys()
    assert picture.heads["x"].y > picture.heads["math"].y


def test_neighbours_of_one_stem_share_a_heading(drawn):
    picture = drawn(nbrank.picture(load_superglue_submissions()))
    words = [text for text in picture.heads if text.startswith(("MultiRC", "AX"))]
    assert sorted(words) == ["AX-b", "AX-g", "MultiRC"]


def test_of_more_tasks_than_have_room_the_places_are_marks_on_the_axis(drawn, heading):
    scores = pd.DataFrame(np.random.default_rng(0).random((12, 90))).add_prefix("t")
    picture = nbrank.picture(scores, width=800)
    assert not drawn(picture).cells
    assert "places on 90 tasks" in drawn(picture).words
    assert "the names of the tasks are left out, for want of room" in heading(picture)[1]


def test_in_a_column_of_a_paper_there_are_names_rank_sets_and_three_rules(drawn, heading):
    picture = nbrank.picture(load_superglue_submissions(), width="3.3in")
    assert picture.width == pytest.approx(316.8)
    shown = drawn(picture)
    assert not shown.cells
    assert len(shown.systems) == 12
    assert [len(shown.ranks(system)) for system in shown.systems] == [3] * 12
    assert {"points", "pairs", "rounds", "mean", "Copeland"} <= shown.heads.keys()
    assert "12 more; none of them may be best" in shown.words
    assert "plurality and minimax are left out, for want of room" in heading(picture)[1]


def test_rows_are_the_first_by_the_rule_and_ranks_those_of_the_rules(drawn):
    chat = load_llm_chat()
    picture = drawn(nbrank.picture(chat, "copeland", rules=["borda", "minimax"], top=4))
    best = nbrank.copeland(chat).index[:4]
    assert picture.systems == list(best)
    ranks = nbrank.compare(chat, ["borda", "copeland", "minimax"])
    for system in best:
        written = [text.removeprefix("=") for text in picture.ranks(system)]
        assert written == [str(rank) for rank in ranks.loc[system]]
        for rule in ("borda", "minimax"):
            assert f"{ranks.loc[system, rule]} by {rule_title(rule)}" in picture.labels[system]


@pytest.mark.parametrize("width", ["3.3in", "7in", 1100, 1920, None])
def test_the_ranks_are_those_of_the_frames_at_every_width(drawn, width):
    scores = load_superglue_submissions()
    ranking = nbrank.borda(scores)["rank"]
    sets = nbrank.rank_confidence(scores, "borda", seed=0)
    best = nbrank.best_set(scores, "borda", seed=0)
    picture = drawn(nbrank.picture(scores, width=width))
    assert picture.systems == list(ranking.index[: len(picture.systems)])
    assert picture.best == [system for system in picture.systems if best.loc[system, "best"]]
    for system in picture.systems:
        low, high = sets.loc[system, ["low", "high"]]
        said = picture.labels[system]
        assert said.startswith(f"{system}: rank {ranking[system]} by Borda; ")
        assert f"ranks {low} to {high}" in said
        assert ("may be best" in said) == best.loc[system, "best"]


def test_a_shared_rank_begins_with_a_sign_of_equality(drawn):
    scores = pd.DataFrame({"x": [3, 3, 1]}, index=list("ABC"))
    picture = drawn(nbrank.picture(scores, "borda", rules=["copeland"]))
    assert [picture.ranks(system) for system in "ABC"] == [["=1", "=1"]] * 2 + [["3", "3"]]


def test_a_refused_rule_has_dashes_and_is_named(drawn, heading):
    with pytest.warns(nbrank.RuleRefusedWarning, match=r"mean: left empty.*missing"):
        picture = nbrank.picture(SCORES, rules=["mean", "copeland"])
    assert {drawn(picture).ranks(system)[1] for system in "ABC"} == {"–"}  # after Borda
    assert "no ranks by mean" in heading(picture)[1]


def test_of_several_best_orders_it_says_that_one_is_shown(heading):
    scores = pd.DataFrame({"t": [2, 1, 0], "u": [1, 2, 0]}, index=list("ABC"))
    assert list(nbrank.winners(scores, ["kemeny"])["kemeny"]) == ["A", "B"]
    said = heading(nbrank.picture(scores, "borda", rules=["kemeny"]))[1]
    assert "of several best orders by Kemeny, one is shown" in said
    scores.loc["A", "u"] = 3
    assert "best orders" not in heading(nbrank.picture(scores, "borda", rules=["kemeny"]))[1]


def bars(picture):
    """System -> from where to where its bar goes."""
    return {
        mark.row: (mark.x, mark.x + mark.width)
        for mark in picture.marks
        if mark.kind == "rect" and mark.row and mark.fill in ("bar", "best-bar")
    }


def test_bars_go_from_the_lowest_to_the_highest_rank_on_a_linear_axis(drawn):
    scores = load_superglue_submissions()
    sets = nbrank.rank_confidence(scores, "mean", seed=0)
    picture = drawn(nbrank.picture(scores, "mean", top=24))
    drawn_bars = bars(picture)
    assert list(drawn_bars) == picture.systems
    ends = np.array([drawn_bars[system] for system in picture.systems])
    ranks = sets.loc[picture.systems, ["low", "high"]].to_numpy(float)
    # Their round ends reach a little further on both sides, each as far.
    step = np.polyfit(np.r_[ranks[:, 0], ranks[:, 1]], np.r_[ends[:, 0] + 2.5, ends[:, 1] - 2.5], 1)
    for side, at in ((0, ends[:, 0] + 2.5), (1, ends[:, 1] - 2.5)):
        assert np.polyval(step, ranks[:, side]) == pytest.approx(at, abs=0.3)


def test_a_rule_without_rank_sets_is_drawn_without_them(drawn):
    picture = nbrank.picture(SCORES, "copeland")
    assert not bars(drawn(picture))
    assert not drawn(picture).best
    assert "may be best" not in picture.template


def test_rank_sets_that_tell_nothing_apart_are_said_and_not_drawn(drawn, heading):
    picture = nbrank.picture(SCORES)
    assert "too few to say which system is best" in heading(picture)[0]
    assert not bars(drawn(picture))
    assert "ranks it may have" not in picture.template
    assert bars(drawn(nbrank.picture(load_glue_submissions())))


def test_comparisons_and_tallies_have_no_columns_of_tasks(drawn):
    battles = pd.DataFrame(
        {"a": ["A", "B", "A", "C"], "b": ["B", "C", "C", "A"], "won": ["a", "b", "a", "b"]}
    )
    comparisons = nbrank.from_comparisons(battles, left="a", right="b", winner="won")
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    instances = pd.DataFrame({"x": [1.0, 0, 1, 2], "y": [1, 2, 3, 4]}, index)
    for source in (comparisons, nbrank.tally(instances)):
        picture = drawn(source.picture(rules=["borda", "copeland"]))
        assert "score" not in " ".join(picture.words)
        assert picture.systems == list(source.picture().to_svg() and picture.systems)
        assert len(picture.systems) == len(source.borda())


def test_ballots_have_columns_as_wide_as_they_have_voters(drawn):
    orders = [["A", "B", "C"], ["B", "C", "A"], ["C", "A", "B"]]
    picture = drawn(nbrank.from_ballots(orders, [5, 3, 2]).picture())
    wide = [picture.cells["A", f"ballot {at}"].width for at in (1, 2, 3)]
    assert wide == pytest.approx([wide[0], 0.6 * wide[0], 0.4 * wide[0]], abs=0.1)
    titles = [picture.cells["A", f"ballot {at}"].title for at in (1, 2, 3)]
    assert titles == [f"ballot {at}: place {at if at == 1 else 5 - at} of 3" for at in (1, 2, 3)]


def test_the_accessor_draws_the_same():
    chat = load_llm_chat()
    assert chat.rank.picture(seed=1) == nbrank.picture(chat, seed=1)


def test_the_title_may_be_left_to_the_caption_of_a_figure(drawn):
    scores = load_superglue_submissions()
    with_title, without = (nbrank.picture(scores, title=title) for title in (True, False))
    assert (with_title.title, with_title.caption) == (without.title, without.caption)
    assert without.height < with_title.height
    shown = " ".join(drawn(without).words)
    assert "is first" not in shown
    assert "higher is better" not in shown
    assert "is first" in " ".join(drawn(with_title).words)


@pytest.mark.parametrize("width", [250, "3.3in", "7in", 1100])
def test_a_verdict_is_never_cut(drawn, width):
    picture = drawn(nbrank.picture(load_superglue_submissions(), width=width))
    title = [mark.text for mark in picture.texts if mark.bold and mark.y < picture.top - 45]
    assert title
    assert not any("…" in line for line in title)


@pytest.mark.parametrize("top", [0, 1.5, "all"])
def test_top_is_a_whole_number(top):
    with pytest.raises((TypeError, ValueError), match="top"):
        nbrank.picture(SCORES, top=top)


def test_the_rule_that_orders_the_rows_must_take_the_table():
    with pytest.raises(ValueError, match="missing"):
        nbrank.picture(SCORES, "mean")


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
def test_labels_that_print_alike_are_drawn_apart(alike, drawn):
    assert len({*drawn(nbrank.picture(alike)).systems}) == len(alike)


@pytest.mark.parametrize("top", [4, 5, 9])
def test_the_note_counts_the_bars_that_are_drawn_and_no_others(top, drawn):
    scores = load_superglue_submissions()
    picture = drawn(nbrank.picture(scores, top=top, width=1100))
    sets = nbrank.rank_confidence(scores, "borda", seed=0).loc[picture.systems, "low"]
    more = set(sets.index[sets == 1]) - set(picture.best)
    said = [int(word.split()[0]) for word in picture.words if " rank 1, because" in word]
    assert said == [len(more)] * bool(more)
