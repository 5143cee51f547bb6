"""The workbench: what is set from Python or by a control is what is shown, in picture and words."""

import dataclasses
from functools import partial

import nbformat
import numpy as np
import pandas as pd
import pytest
import traitlets
from nbclient import NotebookClient
from pandas.testing import assert_frame_equal

import nbrank
from nbrank.datasets import load_llm_chat
from nbrank.frontends.workbench.html import HtmlWidget

RULES = ("borda", "plurality", "copeland")
TABS = ("rules", "weights", "pairs", "missing", "confidence", "elimination")


def board(n_systems, n_tasks, *, missing=0.0):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 20, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"a system with a <long> name & number {i}" for i in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("task ")


@pytest.fixture
def bench(votes):
    return nbrank.explore(votes, rules=RULES)


# ------------------------------------------------------------------------------- what it opens with


def test_it_opens_with_the_rankings_of_its_rules(bench, votes):
    assert_frame_equal(bench.ranks.loc[votes.index], nbrank.compare(votes, RULES))
    assert_frame_equal(bench.ranking, nbrank.borda(votes))
    assert bench.winners == nbrank.winners(votes, RULES).to_dict()
    assert bench.changes == ""


def test_the_verdict_stands_above_in_a_heading(bench):
    said = "B is first under 2 of 3 rules, A under plurality; 4 tasks are too few"
    assert bench.verdict == f"{said} to say which system is best"
    assert f"<h2>{bench.verdict}</h2>" in bench._html.html
    assert bench.text.splitlines()[0] == f"{bench.verdict}."


def test_the_picture_has_a_row_for_each_system_and_a_cell_for_each_score(bench, votes, cells):
    drawn = cells(bench)
    assert set(drawn) == {(system, task) for system in votes.index for task in votes}
    places = votes.rank(ascending=False, method="min")
    assert all(f"place {places.loc[pair]:g} of 4" in cell.title for pair, cell in drawn.items())
    assert f'aria-label="{bench.verdict}."' in bench._figure.svg


def test_the_rank_sets_are_those_of_rank_confidence(bench, votes):
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(votes, "borda", seed=0))


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("size", [(1, 1), (3, 2), (20, 9), (60, 30)])
def test_every_tab_opens_from_small_to_large(size, tab):
    scores = board(*size, missing=0.1 if size[0] > 1 else 0)
    bench = nbrank.explore(scores, rules=RULES)
    bench.tab = tab
    assert bench._pane.children == (bench.get_tab_result(tab).pane,)
    assert len(bench.text.splitlines()) > 1 or tab == "rules"
    assert len(bench.ranks) == size[0]


@pytest.mark.parametrize("tab", TABS)
def test_the_page_opens_at_a_tab(tab, votes):
    bench = nbrank.explore(votes, tab=tab)
    assert bench.tab == tab
    assert bench.rule == ("baldwin" if tab == "elimination" else "borda")
    assert 'aria-selected="true"' in bench._questions.html


# --------------------------------------------------------------------------------------- what moves


def test_a_slider_moved_changes_the_ranking_and_says_so(bench, votes, slide):
    slide(bench, "t4", 3.0)
    assert bench.weights == {"t1": 1, "t2": 1, "t3": 1, "t4": 3}
    assert_frame_equal(bench.ranking, nbrank.borda(votes, weights={"t4": 3}))
    assert bench.winners["plurality"] == ["D"]
    assert bench.changes.startswith("You changed the weight of t4 from 1 to 3: ")
    assert "under plurality D wins instead of A" in bench.changes
    assert bench.changes in bench.text
    assert bench.changes in bench._html.html


def test_who_joins_or_leaves_the_first_wins_instead_of_nobody():
    scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2]}, index=["A", "B"])
    bench = nbrank.explore(scores, rules=("borda",), weights={"t1": 2})
    bench.weights = {"t1": 1}
    assert ": B is now level with A;" in bench.changes
    bench.weights = {"t2": 2}
    assert ": B now wins alone, without A;" in bench.changes
    bench.weights = {"t1": 4}
    assert ": A wins instead of B;" in bench.changes


def test_the_weights_tried_say_who_is_level_and_why_minimax(press):
    scores = pd.DataFrame({"t1": [2, 1], "t2": [1, 2], "t3": [1, 2]}, index=["A", "B"])
    bench = nbrank.explore(scores, rules=("borda", "minimax"))
    bench.system = "A"
    press(bench._closely.html, "take", "")
    level = "under minimax A is now level with B (minimax looks at a system's worst defeat, so"
    assert level in bench.changes


def test_another_rule_tells_who_wins_instead_though_its_ranks_were_there_before():
    # A and B are first on two tasks each; B is never last, and so ahead by Borda's points.
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 3, 2], "t4": [1, 3, 2]})
    bench = nbrank.explore(scores.set_axis(list("ABC")), rules=("borda", "copeland", "plurality"))
    bench.rule = "plurality"
    assert "to plurality: under plurality A is now level with B; 1 rose" in bench.changes
    bench.rule = "borda"
    assert "to Borda: under Borda B now wins alone, without A; 0 rose" in bench.changes
    bench.rule = "copeland"
    assert bench.changes.endswith("to Copeland: no winner and no rank changed.")


def test_a_weight_widens_its_column_and_moves_the_rows(bench, votes, cells):
    before = cells(bench)
    bench.weights = {"t4": 3}
    after = cells(bench)
    width = {pair: cell.width for pair, cell in after.items()}
    assert width["B", "t4"] == pytest.approx(3 * width["B", "t1"], abs=0.2)
    assert [s for s, t in after if t == "t1"] == list(nbrank.borda(votes, weights={"t4": 3}).index)
    assert before["A", "t1"].y != after["A", "t1"].y


def test_a_task_of_weight_zero_has_no_column(bench, cells):
    bench.weights = {"t4": 0}
    assert {task for _, task in cells(bench)} == {"t1", "t2", "t3"}


def test_the_rule_orders_picture_and_table_and_is_added_to_those_compared(bench, votes):
    bench.rule = "minimax"
    assert bench.rules == ("minimax", *RULES)
    assert_frame_equal(bench.ranking, nbrank.minimax(votes))
    assert list(bench.ranks.index) == list(nbrank.minimax(votes).index)
    assert bench._rule.value == "minimax"
    assert "You changed the rule from Borda to minimax" in bench.changes


def test_a_rule_no_longer_compared_no_longer_orders(bench):
    bench.rules = ("plurality", "copeland")
    assert bench.rule == "plurality"


def test_a_click_on_a_rules_name_orders_by_it(bench, click):
    click(bench, rule="plurality")
    assert bench.rule == "plurality"
    click(bench, rule="t1")
    assert bench.rule == "plurality"


def test_a_click_on_a_row_looks_at_its_system_and_another_no_longer(bench, click):
    click(bench, system="C")
    assert bench.system == "C"
    assert bench._look.value == "C"
    assert "<h3>C</h3>" in bench._closely.html.html
    click(bench, system="C", task="t1")
    assert bench.system is None
    assert bench._closely.html.layout.display == "none"


def test_a_name_searched_for_opens_what_explains_it(bench):
    bench._look.value = "D"
    assert bench.system == "D"
    assert "<h3>D</h3>" in bench._closely.html.html


def test_a_part_of_a_name_is_enough_where_one_system_only_has_it():
    scores = pd.DataFrame({"t": [1, 2, 3]}, index=["GLUE Human Baselines", "GPT-1", "GPT-2"])
    bench = nbrank.explore(scores, rules=RULES)
    bench._look.value = "human"
    assert bench.system == bench._look.value == "GLUE Human Baselines"
    bench._look.value = "HUMAN "
    assert bench._look.value == "GLUE Human Baselines"
    bench._look.value = "gpt"
    assert "2 systems have “gpt” in their names: GPT-1 and GPT-2." in bench._found.html
    bench._look.value = "Claude"
    assert "No system is called “Claude”." in bench._found.html
    bench._look.value = "gpt-2"
    assert bench.system == "GPT-2"
    assert bench._found.html == ""
    bench._look.value = ""
    assert bench.system is None


def test_the_tabs_are_buttons_that_open_them(bench, press):
    for tab in TABS:
        press(bench._questions, "tab", tab)
        assert bench.tab == tab


def test_a_rules_name_in_the_picture_says_its_label(bench, shown):
    heads = [node.get("data-rule") for node in shown(bench).root.iter("g")]
    assert {*RULES} <= {*heads}


def test_the_picture_is_laid_out_for_the_room_that_its_page_has(bench, shown, click):
    for room, wide in ((1400, 1400), (1100, 1100), (400, 400)):
        click(bench, room=room)
        assert shown(bench).width == pytest.approx(wide, abs=1)
    rows = shown(bench).systems
    click(bench, room=float("inf"))
    click(bench, room="wide")
    assert shown(bench).systems == rows


def test_who_is_looked_at_has_a_row_also_far_from_the_first(shown):
    bench = nbrank.explore(board(40, 6), rules=RULES)
    last = bench.ranking.index[-1]
    bench.system = last
    assert len(shown(bench).systems) == 21
    framed = [mark.row for mark in shown(bench).marks if "stroke-width" in mark.attributes]
    frames = [
        mark.row for mark in shown(bench).marks if mark.attributes.get("stroke") == "var(--ink)"
    ]
    assert frames == [last]
    assert last in framed


def test_what_is_said_of_a_change_stays_while_one_looks_around(bench):
    bench.weights = {"t4": 3}
    changes = bench.changes
    bench.tab = "pairs"
    bench.system = "B"
    assert bench.changes == changes
    assert changes in bench.text


# ---------------------------------------------------------------------------------- what is refused


def test_weights_of_zero_everywhere_are_refused_in_words(bench):
    bench.weights = dict.fromkeys(["t1", "t2", "t3", "t4"], 0)
    assert bench.text.splitlines() == [
        "All weights are 0: give at least one of them a weight.",
        "The picture is still that by Borda, as it was before.",
    ]
    shows_only_the_picture(bench)
    bench.weights = {"t1": 1}
    assert "A is first" in bench.verdict
    assert "nbrank-refusal" not in bench._html.html


@pytest.mark.parametrize("tab", TABS)
def test_without_a_ranking_no_tab_shows_one_of_before(bench, tab):
    bench.tab = tab
    shown = bench.text
    bench.weights = dict.fromkeys(["t1", "t2", "t3", "t4"], 0)
    result = bench.get_tab_result(tab)
    # The boxes of the rules are a control, which stays.
    controls = [getattr(result, "boxes", None)]
    said = [part for part in result.pane.children if isinstance(part, HtmlWidget)]
    assert not any(part.html for part in said if part not in controls)
    bench.weights = {"t1": 1, "t2": 1, "t3": 1, "t4": 1}
    assert bench.text == shown


def test_a_rule_that_refuses_says_why_where_it_orders():
    bench = nbrank.explore(load_llm_chat(), rules=("mean", "borda"))
    assert bench.rule == "borda"
    bench.system = "GPT-4o-0513"
    bench._rule.value = "mean"
    assert bench.text == (
        "mean can't rank this table: 2 missing scores; under “Missing scores” you can choose to "
        "count them by “ignore” or “median”.\n"
        "The picture is still that by Borda, as it was before."
    )
    shows_only_the_picture(bench)
    bench.missing = "median"
    assert bench.ranking.attrs["rule"] == "mean"
    assert "<h3>GPT-4o-0513</h3>" in bench._closely.html.html


def shows_only_the_picture(bench):
    """Nothing of an earlier setting is left on show but the picture, which is pale."""
    assert (bench.ranking, bench.ranks, bench.winners, bench.rank_sets) == (
        None,
        None,
        {},
        None,
    )
    assert (
        bench.changes == bench._closely.html.html == bench.get_tab_result(bench.tab).html.html == ""
    )
    assert bench.image() == {}
    assert bench._figure.svg
    assert '<p role="status" class="nbrank-refusal">' in bench._html.html


def test_a_rule_that_refused_to_order_is_no_column_and_is_marked_in_the_list():
    bench = nbrank.explore(load_llm_chat(), rules=RULES)
    bench.rule = "mean"
    assert bench.ranking is None
    bench.rule = "plurality"
    assert bench.rules == RULES
    assert list(bench.ranks) == [*RULES]
    labels = {rule: label for label, rule in bench._rule.options}
    assert labels["mean"] == "mean (can't rank this table)"
    assert labels["mean_win_rate"] == "mean win rate"
    assert bench._rule.value == "plurality"
    bench.missing = "median"
    assert ("mean", "mean") in bench._rule.options
    assert (bench.rule, bench._rule.value) == ("plurality", "plurality")


def test_tasks_of_both_directions_are_told_without_advice_for_python(votes):
    bench = nbrank.explore(votes, rules=RULES, lower_is_better=["t1"])
    bench.rule = "mean"
    assert bench.text.startswith("mean can't rank this table: lower is better on t1 and higher")
    assert "a rule that looks at places can, such as Borda or Copeland." in bench.text
    assert "normalized_mean" not in bench.text


def test_names_in_the_heading_are_not_broken():
    bench = nbrank.explore(pd.DataFrame({"t": [2, 1]}, index=["e5-v3", "B"]), rules=("borda",))
    assert "<h2><span>e5-v3</span> is first" in bench._html.html


def test_a_slider_on_its_way_is_told_from_where_it_began(bench, in_a_kernel, slide):
    def drag():
        for stop in (1.2, 2, 3):
            slide(bench, "t4", stop)

    in_a_kernel(drag)
    assert bench.changes.startswith("You changed the weight of t4 from 1 to 3: ")
    bench.shown_at -= 60
    slide(bench, "t4", 2)
    assert bench.changes.startswith("You changed the weight of t4 from 3 to 2: ")
    slide(bench, "t4", 3)
    assert bench.changes == ""
    bench.weights = {"t4": 1}
    bench.weights = {"t4": 4}
    assert bench.changes.startswith("You changed the weight of t4 from 1 to 4: ")


def test_who_moved_most_is_one_that_is_drawn():
    rng = np.random.default_rng(6)
    bench = nbrank.explore(pd.DataFrame(rng.random((40, 4))).add_prefix("t"), rules=("borda",))
    before = bench.ranking["rank"]
    bench.weights = {"t0": 4}
    moves = (before - bench.ranking["rank"]).reindex(bench.ranking.index).abs()
    most = moves.iloc[:20].idxmax()
    assert moves[most] < moves.max()
    said = f"of the first 20 most of all the system {most}, from rank {before[most]} to"
    assert said in bench.changes


def test_a_rule_that_refuses_beside_others_is_a_column_of_dashes(shown):
    bench = nbrank.explore(load_llm_chat(), rules=("borda", "mean"))
    assert bench.ranks["mean"].isna().all()
    assert "Not shown is mean: 2 missing scores" in bench.text
    picture = shown(bench)
    assert {picture.ranks(system)[1] for system in picture.systems} == {"–"}


def test_a_refusal_is_given_whole_whatever_the_systems_are_called():
    name = "Delta, Inc. v2; new"
    scores = pd.DataFrame({"t1": [1, -2.0], "t2": [1.0, np.nan]}, index=["A", name])
    bench = nbrank.explore(scores, rules=("borda", "mean", "median", "geometric_mean"))
    assert (
        "Not shown are mean and median: 1 missing score; under “Missing scores” you can choose to "
        "count them by “ignore” or “median”.\n"
    ) in bench.text
    assert f"Not shown is geometric mean: 1 negative score, of {name} on t1" in bench.text


def test_a_search_that_takes_too_long_is_stopped_and_said(votes, monkeypatch):
    def slow(*_, **__):
        raise nbrank.SearchLimitError("kemeny: no proof within 10 s; drop systems")

    stopped = dataclasses.replace(nbrank.RULES["kemeny"], quick_function=slow)
    monkeypatch.setattr("nbrank.rules.bound_rule.RULES", {**nbrank.RULES, "kemeny": stopped})
    bench = nbrank.explore(votes, rules=("borda", "kemeny"))
    assert "Not shown is Kemeny: no proof within 10 s; drop systems." in bench.text


def test_where_ranked_pairs_would_search_for_long_a_slider_does_not_wait_for_it():
    scores = pd.DataFrame(np.random.default_rng(10).random((30, 9))).add_prefix("t")
    bench = nbrank.explore(scores, rules=("borda", "ranked_pairs"))
    assert "Not shown is ranked pairs: too many pairs have the same margin" in bench.text
    assert "gave up after 3,333 states" in bench.text  # nbrank.ranked_pairs, after 5,000


def test_nobody_wins_where_condorcet_elects_nobody():
    cycle = pd.DataFrame({"a": [3, 2, 1], "b": [1, 3, 2], "c": [2, 1, 3]}, index=list("ABC"))
    bench = nbrank.explore(cycle, rules=("condorcet", "borda"))
    assert bench.winners == nbrank.winners(cycle, ("condorcet", "borda")).to_dict()
    assert "No system wins under Condorcet." in bench.text
    assert bench.ranks["condorcet"].isna().all()
    bench.weights = {"a": 3, "b": 1, "c": 1}
    assert "A wins instead of nobody" in bench.changes
    bench.rule = "borda"
    bench.weights = {"a": 1, "b": 1, "c": 1}
    assert "under Condorcet nobody wins instead of A" in bench.changes


@pytest.mark.parametrize(
    "setting",
    [
        {"weights": {"t9": 1}},
        {"weights": {"t1": -1}},
        {"weights": {"t1": float("inf")}},
        {"weights": {"t1": float("nan")}},
        {"weights": {"t1": "a"}},
        {"weights_of": "groups"},
        {"rules": ("best",)},
        {"rules": ()},
        {"rules": ("positional",)},
        {"rule": "best"},
        {"missing": "drop"},
        {"system": "Z"},
        {"system": ["A"]},
        {"tab": "reasons"},
        {"share": 1.0},
        {"cells": [("A", "t9")]},
        {"kept": [("A",)]},
        {"delta": 0.0},
        {"delta": 0.9},
        {"draws": "all"},
        {"round": -1},
    ],
)
def test_wrong_settings_are_refused(bench, setting):
    (name, value) = next(iter(setting.items()))
    words = bench.text
    with pytest.raises(traitlets.TraitError):
        setattr(bench, name, value)
    assert bench.text == words


def test_a_system_that_is_not_there_is_refused_beside_those_that_are(bench):
    with pytest.raises(traitlets.TraitError, match="system: unknown 0; there are 'A', 'B', 'C'"):
        bench.system = 0


@pytest.mark.parametrize("tab", ["weights", "missing", "elimination"])
def test_comparisons_and_rankings_are_refused_and_the_way_out_is_said(tab, votes):
    battles = nbrank.from_comparisons(
        pd.DataFrame({"left": ["A", "B"], "right": ["B", "C"], "winner": ["A", "C"]}),
        left="left",
        right="right",
        winner="winner",
    )
    available = "choose 'rules', 'pairs' or 'confidence'"
    with pytest.raises(ValueError, match=f"explore: tab='{tab}' is unknown; {available}"):
        nbrank.explore(battles, tab=tab)
    with pytest.raises(ValueError, match="this is a ranking"):
        nbrank.explore(nbrank.borda(votes), tab=tab)


def test_a_tab_that_is_not_there_is_refused_with_those_that_are(votes):
    with pytest.raises(ValueError, match="tab='weighs' is unknown; choose 'rules', 'weights', "):
        nbrank.explore(votes, tab="weighs")


def test_rules_are_given_by_their_keyword(votes):
    with pytest.raises(TypeError, match=r"rule=\['borda'\] must be the name .* as rules=\[...\]"):
        nbrank.explore(votes, ["borda"])


def battles_of(n_systems: int, surely: bool = False) -> nbrank.Comparisons:
    """Two hundred battles in which the first of two systems mostly wins, or always."""
    rng = np.random.default_rng(0)
    pairs = np.sort(np.array([rng.choice(n_systems, 2, replace=False) for _ in range(200)]))
    frame = pd.DataFrame(pairs, columns=["left", "right"]).map("s{}".format)
    frame["winner"] = np.where(rng.random(200) < (1 if surely else 0.7), "left", "right")
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner")


@pytest.mark.parametrize("n_systems", [3, 15])
def test_comparisons_have_the_tabs_that_need_no_tasks(n_systems, press):
    battles = battles_of(n_systems)
    bench = battles.explore()
    assert bench.rule == "bradley_terry"
    assert_frame_equal(bench.ranking, nbrank.bradley_terry(battles))
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(battles, "bradley_terry", seed=0))
    expected = nbrank.compare(battles, bench.rules)
    assert_frame_equal(bench.ranks.loc[expected.index].rename_axis(expected.index.name), expected)
    press(bench.get_tab_result("rules").boxes, "compare", "schulze")
    assert "schulze" not in bench.rules
    for tab in ("rules", "pairs", "confidence"):
        bench.tab = tab
        assert bench._pane.children == (bench.get_tab_result(tab).pane,)
    bench.rule = "copeland"
    assert "You changed the rule from Bradley-Terry to Copeland" in bench.changes
    assert "image/svg+xml" in bench.image()


@pytest.mark.parametrize("rule", ["borda", "copeland"])
def test_of_comparisons_the_rank_sets_are_those_of_the_model(rule):
    battles = battles_of(5)
    bench = battles.explore()
    bench.rule, bench.tab = rule, "confidence"
    assert_frame_equal(bench.rank_sets, nbrank.rank_confidence(battles, "bradley_terry", seed=0))
    assert f"{rule.capitalize()} has no rank sets: those shown are of Bradley-Terry. " in bench.text


def test_comparisons_that_ratings_refuse_are_ordered_by_the_next_rule():
    bench = battles_of(3, surely=True).explore()
    assert bench.rule == "borda"
    bench.tab = "confidence"
    assert "Rank sets are not available: some strengths are infinite" in bench.text
    assert "'" not in bench.text
    bench.rules = ("borda", "bradley_terry")
    bench.tab = "rules"
    assert "Not shown is Bradley-Terry: some strengths are infinite" in bench.text
    assert "'" not in bench.text


def test_a_missing_score_may_get_no_points(votes):
    gap = votes.mask(votes == votes.iloc[0, 0])
    bench = nbrank.explore(gap, rules=("borda", "plurality"), missing="zero")
    assert_frame_equal(bench.ranking, nbrank.borda(gap, missing="zero"))
    assert bench.get_tab_result("missing").pane.children[1].value == "zero"


def test_labels_are_escaped():
    bench = nbrank.explore(board(3, 2), rules=RULES)
    bench.system = bench.board.systems[0]
    for tab in TABS:
        bench.tab = tab
        shown = bench._html.html + bench._closely.html.html + bench.get_tab_result(tab).html.html
        assert "<long>" not in shown
    assert "&lt;long&gt;" in shown


# --------------------------------------------------------------------------- in and out of a kernel


def test_where_a_loop_runs_the_rank_sets_follow_a_moment_later(in_a_kernel, shown):
    # Of fewer tasks the rank sets tell nothing, and are not drawn.
    votes, weights = board(4, 12), {"task 4": 3}
    bench = nbrank.explore(votes, rules=RULES)

    def move():
        bench.weights = weights
        assert_frame_equal(bench.ranking, nbrank.borda(votes, weights=weights))
        assert bench._later.is_pending
        assert "ranks it may have: being computed …" in shown(bench).words

    in_a_kernel(move)
    assert not bench._later.is_pending
    assert "being computed" not in bench._figure.svg
    expected = nbrank.rank_confidence(votes, "borda", seed=0, weights=weights)
    assert_frame_equal(bench.rank_sets, expected)


def test_who_reads_the_rank_sets_before_that_gets_those_of_the_setting(bench, votes, in_a_kernel):
    def move():
        bench.weights = {"t4": 3}
        return bench.rank_sets

    expected = nbrank.rank_confidence(votes, "borda", seed=0, weights={"t4": 3})
    assert_frame_equal(in_a_kernel(move, 0), expected)


def test_of_many_moves_only_the_last_has_its_rank_sets_found(bench, in_a_kernel, monkeypatch):
    found = []
    monkeypatch.setattr(bench._later, "_work", lambda: found.append(dict(bench.weights)))

    def move():
        for weight in (2, 3, 4):
            bench.weights = {"t1": weight}

    in_a_kernel(move)
    assert [weights["t1"] for weights in found] == [4]


def test_where_there_is_no_browser_its_words_are_printed(bench):
    assert repr(bench) == f"Workbench\n{bench.text}"


def test_a_saved_notebook_shows_the_picture_where_the_page_stood(tmp_path):
    code = "import nbrank, pandas as pd\nnbrank.explore(pd.DataFrame({'t': [2, 1]}, list('AB')))"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    client = NotebookClient(notebook, kernel_name="python3", store_widget_state=False)
    client.execute(cwd=str(tmp_path))
    path = tmp_path / "saved.ipynb"
    nbformat.write(notebook, path)
    saved = nbformat.read(path, as_version=4)
    assert "widgets" not in saved.metadata
    (output,) = [one for one in saved.cells[0].outputs if one.output_type == "execute_result"]
    assert output.data["image/svg+xml"].startswith("<svg")
    assert "application/vnd.jupyter.widget-view+json" in output.data
    assert output.data["text/plain"].startswith("Workbench\nA is first")


def test_without_a_ranking_there_is_no_picture(bench):
    bench.weights = dict.fromkeys(["t1", "t2", "t3", "t4"], 0)
    assert bench.image() == {}


# ------------------------------------------------------------------------ ranks that were published


def test_published_ranks_stand_beside_ours_and_can_order(votes, click, press):
    host = pd.Series({"B": 1, "D": 2, "A": 3, "C": 4})
    bench = nbrank.explore(
        votes, rules={"the_host": host, "ours": "borda", "plurality": "plurality"}
    )
    expected = nbrank.compare(votes, {"the_host": host, "ours": "borda"})
    assert bench.rule == "the_host"
    assert list(bench.ranking.index) == list("BDAC")
    assert_frame_equal(bench.ranks[["the_host", "ours"]].sort_index(), expected.astype("Int64"))
    assert bench.winners["the_host"] == ["B"]
    bench.system = "A"
    for tab in TABS:
        bench.tab = tab
    assert (
        "the host has no rank sets: those shown are of Borda, so" in bench.text
        or bench.rank_sets is not None
    )
    click(bench, rule="ours")
    assert bench.rule == "ours"
    assert_frame_equal(bench.ranking, nbrank.borda(votes))
    assert ".0" not in bench.changes  # ranks are whole, whoever gave them
    assert bench.rank_sets is not None
    assert not bench._view.note
    for tab in TABS:
        bench.tab = tab
    press(bench.get_tab_result("rules").boxes, "compare", "the_host")
    assert bench.rules == ("ours", "plurality")


def test_ranks_of_only_some_systems_stand_beside_ours_and_order_nothing(votes, click):
    host = pd.Series({"C": 1, "A": 2})
    bench = nbrank.explore(votes, rules={"host": host, "borda": "borda"})
    assert bench.rule == "borda"
    assert bench.ranks["host"].isna().sum() == 2
    click(bench, rule="host")
    assert bench.rule == "borda"
    with pytest.raises(traitlets.TraitError, match="rule: unknown 'host'"):
        bench.rule = "host"
    bench.system = "B"  # whom the host has not ranked
    assert "<h3>B</h3>" in bench._closely.html.html
    assert ">no rank<" in bench._closely.html.html


def test_the_first_look_ranks_by_each_rule_once(votes, monkeypatch):
    calls = []

    def counted(*args, **options):
        calls.append(1)
        return nbrank.borda(*args, **options)

    bench = nbrank.explore(votes, rules={"mine": counted, "plurality": "plurality"})
    assert len(calls) == 1
    assert bench.rule == "mine"


def test_a_rule_with_its_options_is_ranked_by_them(votes):
    votes = votes.mask(votes == votes.iloc[0, 0])
    worst = partial(nbrank.borda, missing="worst")
    bench = nbrank.explore(votes, rules=iter([worst, "plurality"]))
    assert bench.rules == ("borda", "plurality")
    assert_frame_equal(bench.ranking, worst(votes))
    assert not bench.ranking.equals(nbrank.borda(votes))


def test_a_rule_alone_needs_no_list(votes):
    for rule in ("plurality", nbrank.plurality):
        assert nbrank.explore(votes, rules=rule).rules == ("plurality",)
    with pytest.raises(traitlets.TraitError, match="rules: 'best'; choose from"):
        nbrank.explore(votes, rules="best")


def test_two_rules_of_one_name_are_refused(votes):
    with pytest.raises(ValueError, match="two rules are called 'borda'; give a mapping"):
        nbrank.explore(votes, rules=[nbrank.borda, partial(nbrank.borda, missing="worst")])


def test_rules_of_which_none_can_order_are_refused(votes):
    bench = nbrank.explore(votes, rules={"host": pd.Series({"C": 1, "A": 2}), "borda": "borda"})
    with pytest.raises(traitlets.TraitError, match="rules: none that ranks every system"):
        bench.rules = ("host",)
    assert bench.rules == ("host", "borda")


def test_a_click_on_ranks_of_some_systems_says_why_they_order_nothing(votes, click):
    bench = nbrank.explore(votes, rules={"borda": "borda", "a paper": pd.Series({"A": 1, "B": 2})})
    click(bench, rule="a paper")
    assert bench.rule == "borda"
    assert bench.changes == "a paper can't order the systems: it doesn't rank all of them."
    assert bench.changes in bench._html.html.replace("&#x27;", "'")


def test_a_rank_that_many_share_is_said_to_be_shared():
    scores = pd.DataFrame({"t1": [4, 3, 2, 1], "t2": [1, 2, 3, 4]}, index=list("ABCD"))
    bench = nbrank.explore(scores, rules=("plurality", "borda"), weights={"t1": 2})
    bench.weights = {"t2": 2}
    new = bench.ranking["rank"]
    assert (new == 1).sum() == 2
    assert "the system D, from rank 2 to 1 (shared by 2)" in bench.changes


def test_without_rank_sets_the_head_says_that_who_could_be_first_is_not_known(votes):
    bench = nbrank.explore(votes, rules=("borda", "minimax"))
    bench.rule = "minimax"
    assert "Which systems may be best by minimax is not known" in (bench.text and bench._html.html)
