"""The page on a leaderboard: each sentence says what the library's own functions give."""

import dataclasses
import re
import warnings
from functools import partial
from types import MappingProxyType
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import nbrank
from nbrank.datasets import (
    load_ceval_scores,
    load_llm_chat,
    load_superglue_submissions,
    load_toy_votes,
    load_xtreme_missing,
)
from nbrank.findings.labels import MISSING_DESCRIPTIONS, rule_title
from nbrank.findings.overview import compute_overview
from nbrank.findings.verdict import verdict
from nbrank.frontends.report_page.assembly import list_every_rule

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

QUICK = ["borda", "plurality", "copeland", "condorcet", "mean_win_rate"]
WHO, AS_GOOD, MOVES, MISSING, DECIDE = range(5)


def board(n_systems, n_tasks, *, missing=0.0, top=20):
    rng = np.random.default_rng(0)
    scores = rng.integers(0, top, (n_systems, n_tasks)).astype(float)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"a system with a <long> name & number {i}" for i in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("task <with> marks ")


def text(page, section):
    """All that a section says, what is folded included."""
    part = page.sections[section]
    bars = [f"{bar.name}: {bar.says}" for bar in part.bars]
    return " ".join([*part.sentences, *bars, *part.details])


BOARDS = {
    "one cell": pd.DataFrame({"t": [1.0]}, index=["A"]),
    "one task": pd.DataFrame({"t": [1.0, 2.0, 2.0]}, index=["A", "B", "C"]),
    "all tied": pd.DataFrame({"t": [1.0, 1.0], "u": [1.0, 1.0]}, index=["A", "B"]),
    "3 x 2": board(3, 2),
    "20 x 9 with gaps": board(20, 9, missing=0.3, top=5),
    "numbers as labels": pd.DataFrame(np.arange(12.0).reshape(4, 3) % 5),
    "llm chat": load_llm_chat(),
    "xtreme": load_xtreme_missing(),
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_table_has_its_page(name, tmp_path):
    page = nbrank.report(BOARDS[name], rules=QUICK)
    assert len(page.sections) == 5
    assert len(page.summary) == 5
    for section in page.sections:
        assert section.title.endswith("?")
        assert all(sentence.strip() for sentence in (*section.sentences, *section.details))
        assert section.title in repr(page)
    for place in range(5):
        assert not re.search(r"\bnan\b|None\b(?! of the first)|\{|\}", text(page, place))
    path = tmp_path / "page.html"
    page.save(path)
    html = path.read_text(encoding="utf-8")
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", html)
    assert "cdn." not in html
    body = html[html.index("<body>") :].removesuffix("</html>\n")
    ET.fromstring(body.replace("&nbsp;", " ").replace("<br>", "<br/>"))


def test_labels_are_escaped():
    html = nbrank.report(BOARDS["3 x 2"], rules=QUICK)._repr_html_()
    assert "<long>" not in html
    assert "&lt;long&gt;" in html


def test_a_page_is_saved_as_html_only(tmp_path):
    page = nbrank.report(BOARDS["3 x 2"], rules=QUICK)
    with pytest.raises(ValueError, match=r"a report is saved as HTML; call it page\.html"):
        page.save(tmp_path / "page.pdf")


def test_the_rule_may_be_a_function_with_options():
    scores = BOARDS["20 x 9 with gaps"]
    page = nbrank.report(scores, partial(nbrank.borda, ties="min", missing="ignore"), rules=QUICK)
    own = nbrank.borda(scores, ties="min", missing="ignore")
    table = page.sections[AS_GOOD].table
    assert table["rank"].tolist() == own["rank"].tolist()
    way = nbrank.borda(scores, ties="min", missing="worst")["rank"]
    worst = page.sections[MISSING].table[MISSING_DESCRIPTIONS["worst"]]
    assert worst.tolist() == way[own.index].tolist()
    told_twice = partial(nbrank.borda, missing="worst")
    alone, again = (
        nbrank.report(scores, told_twice, rules=QUICK, missing=m) for m in (None, "ignore")
    )
    assert again.sections[DECIDE].sentences == alone.sections[DECIDE].sentences
    vector = partial(nbrank.positional, vector=[2, 1] + [0] * 18)
    assert "ranked by positional" in nbrank.report(scores, vector, rules=QUICK).lead
    with pytest.raises(TypeError, match="report needs a rule of this library"):
        nbrank.report(scores, max, rules=QUICK)


def test_what_was_set_aside_in_reading_is_said():
    file = pd.DataFrame({"params": [7, 13, 70], "mmlu": [0.5, 0.6, 0.7], "gsm8k": [0.4, 0.3, 0.6]})
    board = nbrank.read(file.set_axis(list("ABC")), roles={"params": "description"})
    for scores in (board, board.scores):
        assert "Set aside as no scores: params." in nbrank.report(scores, rules=QUICK).lead
    assert "et aside" not in nbrank.report(BOARDS["3 x 2"], rules=QUICK).lead


def test_the_drawings_of_a_page_share_no_ids():
    html = nbrank.report(BOARDS["20 x 9 with gaps"], rules=QUICK)._repr_html_()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert html.count("<svg") == 3
    assert len(ids) == len(set(ids))


def test_who_wins_is_what_winners_says():
    scores = load_toy_votes()
    page = nbrank.report(scores, rules=QUICK)
    for rule, found in nbrank.winners(scores, QUICK).items():
        (bar,) = [bar for bar in page.sections[WHO].bars if rule_title(rule) in bar.says]
        assert bar.name.removesuffix(" share the win") == " and ".join(found) or "nobody"


def test_the_first_comes_first_among_those_that_share_a_win():
    scores = pd.DataFrame({"t": [2, 3, 1], "u": [2, 3, 1], "v": [3, 2, 1]}, index=list("CAB"))
    bars = nbrank.report(scores, rules=["borda", "antiplurality"]).sections[WHO].bars
    assert {bar.name for bar in bars} == {"A", "A and C share the win"}


def test_tasks_on_a_larger_scale_decide_the_mean_and_that_is_said():
    scores = pd.DataFrame({"t": [0.1, 0.2, 0.3], "u": [0.3, 0.2, 0.1], "v": [90.0, 50, 70]})
    said = "v decides the mean: all scores there are above 1, and at most 1 on t and u."
    assert said in nbrank.report(scores, rules=["borda", "mean"]).sections[WHO].sentences
    assert said not in text(nbrank.report(scores, rules=["borda", "minimax"]), WHO)
    assert said not in text(nbrank.report(scores[["t", "u"]], rules=["borda", "mean"]), WHO)


def test_what_scrolls_to_the_right_fades_there():
    html = nbrank.report(BOARDS["3 x 2"], rules=QUICK)._repr_html_()
    assert "animation-timeline: scroll(self inline)" in html
    assert "scrollbar-width: thin" in html


def test_rules_that_refuse_are_left_out_and_say_why():
    page = nbrank.report(load_llm_chat(), rules=["borda", "mean"])
    assert page.summary[WHO] == "DeepSeek-V3 wins alone under 1 of 1 rule."
    assert "Left out is mean, which gives no ranking here: 2 missing scores, of " in text(page, WHO)
    page = nbrank.report(load_llm_chat(), rules=["borda", "mean", "mean_rank", "median"])
    said = text(page, WHO)
    assert "Left out are mean, mean rank and median, which give no ranking here: 2 missing" in said
    assert said.count("Left out") == 1
    assert "left empty" not in said


def test_by_default_all_rules_that_need_no_argument_are_asked():
    page = nbrank.report(load_toy_votes())
    assert "maximal lotteries" in text(page, WHO)
    assert "positional" not in text(page, WHO)


def test_nobody_warns(recwarn):
    nbrank.report(load_xtreme_missing(), rules=[*QUICK, "mean"])
    assert not recwarn.list


def test_the_best_set_comes_first_and_all_ranks_at_once_second():
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.normal(np.arange(6)[:, None], 4, (6, 20)), index=list("ABCDEF"))
    best = nbrank.best_set(scores, "borda")
    may = list(best.index[best["best"]])
    assert 1 < len(may) < 6
    page = nbrank.report(scores, rules=QUICK)
    first, second = page.sections[AS_GOOD].sentences[:2]
    assert first == (
        f"By Borda, with 95 % confidence over tasks, the best is one of these {len(may)}: "
        f"{' and '.join([', '.join(may[:-1]), may[-1]])}."
    )
    pairs = len(nbrank.significant_pairs(scores, "borda"))
    assert f"{pairs} of 15 pairs of systems are told apart" in second
    assert page.sections[AS_GOOD].figure[0] == f"{len(may)} of 6"
    assert f"the best is one of these {len(may)}: " in page.title


def test_a_clear_winner_is_said_to_be_one():
    scores = pd.DataFrame({f"t{i}": [3.0, 2.0, 1.0] for i in range(12)}, index=list("ABC"))
    page = nbrank.report(scores, rules=QUICK)
    assert "By Borda, with 95 % confidence over tasks, A is surely first." in page.summary


def test_too_few_tasks_tell_nothing_and_the_page_says_so():
    page = nbrank.report(BOARDS["xtreme"], rules=QUICK)
    sentences = page.sections[AS_GOOD].sentences
    assert "4 tasks are too few to say which system is best, whatever" in sentences[0]
    assert sentences[1] == "4 tasks are too few to tell any pair of systems apart."


def test_a_system_without_any_score_is_named():
    page = nbrank.report(BOARDS["xtreme"], rules=QUICK)
    assert "M5 is left out, without a single score." in page.lead
    assert "M5 is left out, without a single score." in text(page, MISSING)
    assert "M5" not in str(page.sections[AS_GOOD].table)
    errors = BOARDS["xtreme"] * 0 + 0.1
    errors.loc["M5"] = 0.1
    assert nbrank.report(BOARDS["xtreme"], rules=QUICK, errors=errors).lead == page.lead


def test_few_groups_of_many_tasks_are_said_to_hold_only_if_tasks_are_draws():
    section = nbrank.report(load_llm_chat(), rules=QUICK).sections[AS_GOOD]
    condition = "If each task were a draw of its own, which related tasks are not: by Borda, with"
    assert "4 groups are too few" in section.sentences[0]
    assert section.figure == ("none", "of the systems can be told apart: 4 groups are too few")
    assert "ranks with 95 % confidence, each task a draw" in section.table
    # The condition is in the sentence that depends on it.
    (claim,) = [s for s in section.sentences if "DeepSeek-V3 is surely first" in s]
    assert claim.startswith(condition)
    assert [bar.name for bar in section.bars if bar.colour == "best"] == ["DeepSeek-V3"]


def test_a_single_task_is_spoken_of_as_one():
    page = nbrank.report(pd.DataFrame({"t": [3.0, 2, 1]}, index=list("ABC")), rules=QUICK)
    assert "1 task is too few" in page.summary[AS_GOOD]


def test_a_rank_that_is_sure_is_no_span():
    scores = pd.DataFrame({f"t{i}": [3.0, 2.0, 1.0] for i in range(12)}, index=list("ABC"))
    table = nbrank.report(scores, rules=QUICK).sections[AS_GOOD].table
    assert table["ranks with 95 % confidence"].tolist() == ["1", "2", "3"]


def test_a_rule_without_confidence_sets_shows_how_it_spreads():
    scores = BOARDS["20 x 9 with gaps"]
    page = nbrank.report(scores, "copeland", rules=QUICK)
    spread = nbrank.bootstrap(scores, "copeland", n_draws=200, seed=0)
    first = nbrank.copeland(scores).index[0]
    assert f"{first} is first in {100 * spread['p_best'][first]:.3g} %" in text(page, AS_GOOD)
    assert "no proof" in text(page, AS_GOOD)


def test_who_moves_most_moves_from_the_best_to_the_worst_rank():
    scores = BOARDS["20 x 9 with gaps"]
    rules = ["borda", "mean_win_rate", "copeland"]
    top = nbrank.borda(scores).index[:15]
    ranks = nbrank.compare(scores, rules).loc[top]
    moves = ranks.max(axis=1) - ranks.min(axis=1)
    assert (moves == moves.max()).sum() == 1
    system = moves.idxmax()
    page = nbrank.report(scores, rules=rules)
    low, high = ranks.loc[system].min(), ranks.loc[system].max()
    said = f"None of the first 15 by Borda moves further than {system}: from rank {low} under"
    assert said in text(page, MOVES)
    assert f" to rank {high} under" in text(page, MOVES)


def test_a_tie_of_most_systems_in_first_place_is_no_move():
    # Nine of twelve are never last; L is on most tasks, and has one high score.
    scores = pd.DataFrame(
        {f"t{i}": np.arange(12, 0, -1.0) for i in range(5)}, index=list("ABCDEFGHIJKL")
    )
    scores.loc["F", "t0"], scores.loc["L", "t1"] = 0, 100
    rules = ["borda", "antiplurality", "mean"]
    ranks = nbrank.compare(scores, rules)
    assert (ranks["antiplurality"] == 1).sum() == 9
    page = nbrank.report(scores, rules=rules)
    expected = "No system moves further than L: from rank 1 under mean to rank 10 under Borda."
    assert page.summary[MOVES] == expected
    said = text(page, MOVES)
    assert "under the 2 of 3 rules that tell enough systems apart in one order." in said


def test_a_rank_that_most_systems_share_is_no_move():
    # Ten systems have no first place: they share rank 3, whatever the others say of them.
    scores = pd.DataFrame(
        {f"t{i}": np.arange(12, 0, -1.0) for i in range(5)}, index=list("ABCDEFGHIJKL")
    )
    scores.loc["B", "t0"] = 13
    page = nbrank.report(scores, rules=["borda", "mean", "plurality"])
    assert page.summary[MOVES] == "A has rank 1 under all rules."


def test_a_rank_that_is_shared_is_said_to_be():
    scores = pd.DataFrame(
        {"t": [4.0, 3, 2, 1, 0], "u": [4.0, 2, 3, 1, 0], "v": [4.0, 3, 2, 0, 1]},
        index=list("ABCDE"),
    )
    page = nbrank.report(scores, rules={"borda": "borda", "median": "median", "u": last_task})
    assert (nbrank.median(scores)["rank"] == nbrank.borda(scores)["rank"]).all()
    moves = "from rank 2 under u (shared by 2) to rank 5 under Borda and median"
    assert page.summary[MOVES] == f"No system moves further than E: {moves}."


def last_task(board):
    """A rule of somebody's own, with a tie."""
    return nbrank.mean(pd.DataFrame({"u": [4.0, 3, 1, 0, 3]}, index=list("ABCDE")))


def test_by_a_rule_that_elects_nobody_nobody_is_called_first():
    cycle = pd.DataFrame([[3, 1, 2], [2, 3, 1], [1, 2, 3]], list("ABC"), list("xyz"), float)
    page = nbrank.report(cycle, "condorcet", rules=["borda", "condorcet"])
    assert text(page, WHO).startswith("No system wins under Condorcet; 1 of 2")
    assert page.figures[WHO] == ("1 of 2", "rules that have a winner")
    assert "No system wins by Condorcet, whichever task is left out." in text(page, DECIDE)
    assert "fifth" not in text(page, DECIDE)


def test_of_one_task_there_is_a_page_by_a_rule_without_rank_sets():
    page = nbrank.report(BOARDS["one task"], "kemeny", rules=QUICK)
    assert "Nor can one say how it spreads: there is only one task" in text(page, AS_GOOD)


def test_those_that_tie_stay_first_only_if_no_weights_part_them():
    parted = pd.DataFrame({"x": [2.0, 1], "y": [1.0, 2]}, index=["A", "B"])
    assert "fifth, any of these systems can be first by Borda." in text(
        nbrank.report(parted, rules=QUICK), DECIDE
    )
    assert "fifth, A and B stay first by Borda." in text(
        nbrank.report(BOARDS["all tied"], rules=QUICK), DECIDE
    )


def test_a_ranking_that_is_given_is_drawn_beside_the_rules_and_never_counted_among_them():
    scores = pd.DataFrame({"x": [3.0, 2, 1], "y": [3.0, 1, 2], "z": [3.0, 2, 1]}, list("ABC"))
    old = pd.Series({"B": 1, "A": 2})
    given = "“last week” is a ranking that is given, not one of the rules: B is first there."
    page = nbrank.report(scores, rules={"last week": old, "borda": "borda", "mean": "mean"})
    assert page.title.startswith("A is first under both rules; ")
    assert page.figures[WHO] == ("2 of 2", "rules under which A wins")
    assert text(page, WHO).startswith("A wins alone under 2 of 2 rules.")
    assert "last week" not in str(page.sections[WHO].bars)
    assert given in text(page, WHO)
    assert "All 3 systems keep their rank under all rules." in text(page, MOVES)
    assert given in text(page, MOVES)
    assert page.sections[MOVES].ranks["last week"].dropna().to_dict() == {"B": 1, "A": 2}
    assert "The picture shows" not in page.lead
    alone = nbrank.report(scores, rules={"last week": old, "borda": "borda"})
    assert alone.title.startswith("A is first under Borda; ")
    assert alone.figures[WHO] == ("1 of 1", "rules under which A wins")
    assert "last week to" not in text(alone, MOVES)
    assert "rules that rank it" not in text(alone, MOVES)


def test_a_rank_that_a_rule_does_not_give_is_no_rank_that_is_kept():
    def some(frame):
        return nbrank.borda(frame).iloc[:2]

    moving = pd.DataFrame({"x": [3.0, 2, 1], "y": [0.0, 1, 2], "z": [3.0, 2, 1]}, list("ABC"))
    page = nbrank.report(moving, rules={"some": some, "borda": "borda", "last": "antiplurality"})
    assert "keep their rank under all rules" not in text(page, MOVES)


def test_where_condorcet_elects_nobody_the_page_says_so():
    cycle = pd.DataFrame([[3, 1, 2], [2, 3, 1], [1, 2, 3]], list("ABC"), list("xyz"), float)
    page = nbrank.report(cycle.assign(w=[3.0, 2, 1]), rules=["borda", "condorcet", "mean"])
    assert "nobody: under 1 of 3 rules: Condorcet" in text(page, WHO)
    assert "condorcet" not in text(page, MOVES)
    assert page.figures[WHO] == ("2 of 3", "rules under which A wins")


def test_rules_that_search_are_asked_on_large_boards_and_named_where_they_give_up(monkeypatch):
    rng = np.random.default_rng(0)
    skill = np.arange(80)[:, None]
    scores = pd.DataFrame(rng.normal(skill, 2, (80, 12)), [f"s{i}" for i in range(80)]).add_prefix(
        "t"
    )
    page = nbrank.report(scores)
    assert "Kemeny" in text(page, WHO)
    assert "ranked pairs" in text(page, WHO)
    assert "Left out is Kemeny" not in text(page, WHO)
    hard = pd.DataFrame(rng.random((70, 9)), [f"s{i}" for i in range(70)]).add_prefix("t")
    kemeny = partial(nbrank.kemeny, time_limit=1e-6)
    stopped = dataclasses.replace(nbrank.RULES["kemeny"], quick_function=kemeny)
    rules = MappingProxyType({**nbrank.RULES, "kemeny": stopped})
    for module in (
        "nbrank.rules.bound_rule",
        "nbrank.comparison.rules_side_by_side",
        "nbrank.findings.overview",
    ):
        monkeypatch.setattr(f"{module}.RULES", rules)
    page = nbrank.report(hard, rules=["borda", "copeland", "kemeny"])
    assert "Left out is Kemeny, which gives no ranking here: no order was proven" in text(page, WHO)
    assert "of 2 rules" in text(page, WHO)


def test_of_many_systems_kemenys_order_is_searched_for_a_moment_only():
    few, many = (nbrank.Leaderboard(board(n, 1, top=999)) for n in (100, 101))
    assert list_every_rule(few)["kemeny"] == "kemeny"
    assert list_every_rule(many)["kemeny"].keywords == {"time_limit": 1}
    assert list_every_rule(few).keys() == list_every_rule(many).keys()


def test_a_rule_whose_winners_are_not_found_in_time_is_left_out(monkeypatch):
    def slow(*_, **__):
        raise nbrank.SearchLimitError("kemeny: not all found in time; raise time_limit")

    stopped = dataclasses.replace(nbrank.RULES["kemeny"], find_winners=slow)
    rules = MappingProxyType({**nbrank.RULES, "kemeny": stopped})
    for module in (
        "nbrank.rules.bound_rule",
        "nbrank.comparison.rules_side_by_side",
        "nbrank.findings.overview",
    ):
        monkeypatch.setattr(f"{module}.RULES", rules)
    page = nbrank.report(load_toy_votes(), rules=["borda", "kemeny"])
    assert "Left out is Kemeny, which gives no ranking here: " in text(page, WHO)
    assert "of 1 rule" in page.summary[WHO]


def test_the_page_counts_what_is_missing_and_says_whether_it_matters():
    scores = BOARDS["20 x 9 with gaps"]
    page = nbrank.report(scores, rules=QUICK)
    missing = int(scores.isna().sum().sum())
    assert f"{missing} of 180 scores are missing" in text(page, MISSING)
    table = page.sections[MISSING].table
    for how in ("compatible", "ignore", "median", "worst"):
        ranks = nbrank.borda(scores, missing=how)["rank"]
        assert table[MISSING_DESCRIPTIONS[how]].to_dict() == ranks.to_dict()


def test_a_winner_who_depends_on_the_missing_scores_is_named():
    scores = pd.DataFrame(
        {"t1": [3, 2, 1, 0], "t2": [3, 2, 1, 0], "t3": [None, 3, 2, 1]}, index=list("ABCD")
    )
    heads = {how: nbrank.borda(scores, missing=how).index[0] for how in ("compatible", "worst")}
    assert heads == {"compatible": "A", "worst": "B"}
    page = nbrank.report(scores, rules=QUICK)
    assert "depends on how missing scores count" in page.summary[MISSING]
    assert "with “a missing score is below all others” it is B" in page.summary[MISSING]


def test_several_who_win_share_that_however_missing_scores_count():
    # Of the two that head a best order, the ranking shows one.
    scores = pd.DataFrame(
        {"t1": [None, 2, 1, 2], "t2": [0, 0, 2, 0], "t3": [0, 0, 1, 1]}, index=list("ABCD")
    )
    for how in ("ignore", "median", "worst"):
        assert nbrank.RULES["kemeny"].winners(scores, missing=how) == ["C", "D"]
        assert (nbrank.kemeny(scores, missing=how)["rank"] == 1).sum() == 1
    page = nbrank.report(scores, "kemeny", rules=["borda"])
    said = "C and D are first by Kemeny in each of the 4 ways to count a missing score;"
    assert page.summary[MISSING].startswith(said)


def test_tasks_that_decide_are_those_without_which_another_is_first():
    scores = pd.DataFrame(
        {"t1": [4, 1, 0, 0], "t2": [1, 2, 0, 0], "t3": [1, 2, 3, 0]}, index=list("ABCD")
    )
    by_hand = {}
    for task in scores:
        left = nbrank.borda(scores.drop(columns=task))
        by_hand[task] = sorted(left.index[left["rank"] == 1])
    first = nbrank.borda(scores)
    winners = sorted(first.index[first["rank"] == 1])
    page = nbrank.report(scores, rules=QUICK)
    for task, names in by_hand.items():
        assert (f"ithout {task}" in page.summary[DECIDE]) == (names != winners)


def test_whole_groups_are_left_out_too():
    table = nbrank.report(load_llm_chat(), rules=QUICK).sections[DECIDE].table
    assert {f"{group} (the whole group)" for group in ["English", "Code", "Math", "Chinese"]} <= {
        *table.index
    }
    assert len(table) == 26


def test_groups_without_weight_are_not_left_out():
    columns = pd.MultiIndex.from_tuples([("g", "a"), ("g", "b"), ("h", "c"), ("h", "d")])
    scores = pd.DataFrame([[1, 2, 3, 4], [2, 3, 1, 1]], index=list("AB"), columns=columns)
    for weights, groups in [(None, 2), ({"g": 1, "h": 0}, 0)]:
        table = nbrank.report(scores, rules=QUICK, weights=weights).sections[DECIDE].table
        assert sum(label.endswith("(the whole group)") for label in table.index) == groups


def test_weights_groups_and_orientation_are_those_of_a_leaderboard():
    scores = pd.DataFrame({"ms": [1.0, 2.0, 3.0], "f1": [3.0, 2.0, 1.0]}, index=list("ABC"))
    assert nbrank.report(scores, rules=QUICK, lower_is_better=["ms"]).title.startswith("A is first")
    weighted = nbrank.report(scores, rules=QUICK, weights={"ms": 2})
    assert weighted.title.startswith("C is first")


def test_instances_are_the_draws_where_there_are_any():
    rng = np.random.default_rng(0)
    index = pd.MultiIndex.from_product([list("AB"), range(40)], names=["system", "instance"])
    scores = pd.DataFrame({"t": rng.normal(np.repeat([3.0, 0.0], 40))}, index=index)
    page = nbrank.report(scores, rules=QUICK)
    assert "if the 40 instances fairly represent" in text(page, AS_GOOD)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "best"}, "unknown rule 'best'"),
        ({"rule": "optimality_gap"}, "optimality_gap needs gamma"),
        ({"rule": "elo"}, "elo needs comparisons"),
        ({"delta": 2}, "delta"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        nbrank.report(BOARDS["3 x 2"], **options)


@pytest.mark.full
def test_a_large_board_has_a_page_of_the_first():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page = nbrank.report(board(300, 50, missing=0.05), rules=["borda", "copeland"])
    html = page._repr_html_()
    assert len(page.sections[MOVES].ranks) == 300
    assert "The table has the first 20 of 300 systems." in html
    assert len(html) < 1_000_000


def test_a_task_without_which_the_rule_refuses_is_named():
    scores = pd.DataFrame(
        {"t1": [3, 2, 1], "t2": [3, 2, 1], "t3": [1, 2, 3]}, index=list("ABC"), dtype=float
    )
    page = nbrank.report(scores, "bradley_terry", rules=QUICK)
    assert "Without t3 the rule can't rank the rest." in str(page)


def test_tasks_that_look_alike_keep_their_own_rows():
    scores = pd.DataFrame([[3, 1.0], [1, 2]], index=list("AB"), columns=[1, "1"])
    table = nbrank.report(scores, rules=QUICK).sections[DECIDE].table
    assert table["then first"].tolist() == ["B", "A"]


def test_the_page_says_what_each_rule_asks():
    said = text(nbrank.report(BOARDS["3 x 2"], rules=["borda", "copeland"]), WHO)
    for rule in ("borda", "copeland"):
        assert f": {nbrank.RULES[rule].answers}" in said


def test_names_in_a_refusal_are_those_of_the_page_and_not_pythons():
    page = nbrank.report(load_llm_chat(), rules=["borda", "mean"])
    refusal = page.sections[WHO].details[-1]
    assert "of DeepSeek-V2-0506 on Code / SWE Verified (Resolved), Code / Aider-Poly" in refusal
    assert "such as Borda, mean win rate or Copeland." in refusal
    assert "mean_win_rate" not in str(page)
    assert "('Code'" not in str(page)


def test_long_names_are_in_brief_in_sentences():
    long = [
        f"an-organisation/a-family-of-models-tuned-on-everything-for-{i}-days" for i in range(9)
    ]
    scores = pd.DataFrame(np.arange(54.0).reshape(9, 6) % 17, index=long)
    page = nbrank.report(
        scores.add_prefix("a benchmark with quite a long name, its task "), rules=QUICK
    )
    said = str(page)
    assert not any(name in said for name in long)
    assert "a benchmark with quite a long name, its task" not in said
    assert "-8-days" in said


def test_where_not_all_systems_have_a_bar_that_is_said():
    scores = board(30, 12)
    scores.iloc[0, :6] = np.nan
    section = nbrank.report(scores, rules=QUICK).sections[MISSING]
    moved = (section.table.nunique(axis=1) > 1).sum()
    said = f"The bars show the 12 of {moved} systems whose rank changes most."
    assert said in section.sentences
    assert len(section.bars) == 12
    small = nbrank.report(board(12, 5, missing=0.3, top=5), rules=QUICK)
    assert "The bars show" not in str(small)


def test_where_tasks_are_draws_and_only_the_first_are_drawn_both_are_said():
    groups = {f"g{i}": [f"task <with> marks {t}" for t in range(i, 20, 4)] for i in range(4)}
    section = nbrank.report(board(30, 20), rules=QUICK, groups=groups).sections[AS_GOOD]
    assert "If each task were a draw of its own" in section.sentences[1]
    expected = "The bars show the 12 of 30 systems with the best ranks by Borda."
    assert section.sentences[-1] == expected


def test_where_not_all_tasks_are_drawn_that_is_said():
    drawn = "The bars show the 12 of 14 tasks without which most ranks change."
    page = nbrank.report(board(10, 14), rules=QUICK)
    assert drawn in page.sections[DECIDE].sentences
    assert len(page.sections[DECIDE].bars) == 12
    assert "The bars show" not in text(nbrank.report(board(10, 12), rules=QUICK), DECIDE)


def test_the_page_says_that_weights_are_those_given():
    scores = pd.DataFrame({"t": [2, 1.0], "u": [1, 2.0], "v": [1, 2.0]}, index=["A", "B"])
    page = nbrank.report(scores, rules=QUICK, weights={"t": 5})
    said = "2 systems on 3 tasks, higher is better on all; ranked by Borda"
    assert page.lead == f"{said} with the weights given."
    assert nbrank.report(scores, rules=QUICK).lead == f"{said}."


def test_where_all_share_the_first_place_there_is_no_other_system():
    scores = pd.DataFrame(1.0, index=list("ABCD"), columns=list("xyz"))
    page = nbrank.report(scores, rules=["borda", "mean", "copeland"])
    assert page.summary[WHO] == "A, B, C and D share the win under 3 of 3 rules."


def test_one_of_several_equally_good_orders_is_no_move():
    scores = pd.DataFrame({"t": [2.0, 1, 0], "u": [1.0, 2, 0]}, index=list("ABC"))
    page = nbrank.report(scores, rules=["borda", "mean", "kemeny"])
    same = "All 3 systems keep their rank under the 2 rules shown here."
    assert page.summary[MOVES] == same
    assert list(page.sections[MOVES].ranks) == ["Borda", "mean"]
    # Whether there are several depends on how what is missing counts.
    scores = pd.DataFrame(
        {"t": [None, 2, 0, 2], "u": [2, 1, 0, 0], "v": [0, 3, 1, 3]}, index=list("ABCD")
    )
    for missing, unique in {"ignore": False, "worst": True}.items():
        assert nbrank.kemeny(scores, missing=missing).attrs["unique"] == unique
        page = nbrank.report(scores, rules=["borda", "copeland", "kemeny"], missing=missing)
        assert ("Kemeny" in page.sections[MOVES].ranks) == unique


@settings(max_examples=40, deadline=None)
@given(arrays(float, (5, 4), elements=st.integers(0, 4).map(float)))
def test_who_has_one_rank_has_it_under_the_rules_that_are_named(scores):
    frame = pd.DataFrame(scores, index=list("ABCDE")).add_prefix("t")
    rules = ["borda", "antiplurality", "condorcet", "plurality", "kemeny"]
    ranks = nbrank.compare(frame, rules)
    page = nbrank.report(frame, rules=rules)
    said = text(page, MOVES)
    for system, rank, every, number in re.findall(
        r"(?:^|\. )(\w) has rank (\d) under (?:(all)|the (\d)) rules", said
    ):
        agree = int((ranks.loc[system] == int(rank)).sum())
        assert agree == len(rules) if every else agree >= int(number)
    alike = nbrank.kemeny(frame).attrs["unique"]
    assert ("Several orders are best by Kemeny" in text(page, WHO)) != alike


def test_a_lone_zero_of_a_good_system_is_pointed_out():
    rng = np.random.default_rng(0)
    scores = rng.uniform(40, 90, (12, 4)).round(1) + np.arange(12)[:, None] * 5
    frame = pd.DataFrame(scores, index=[f"s{i}" for i in range(12)]).add_prefix("t")
    assert nbrank.report(frame, rules=QUICK).summary[MISSING] == "No score is missing."
    # A bad system with a 0 is a bad system.
    frame.loc["s0", "t1"] = 0
    assert "exactly 0" not in str(nbrank.report(frame, rules=QUICK))
    frame.loc["s0", "t1"], frame.loc["s11", "t2"] = 45.5, 0
    said = text(nbrank.report(frame, rules=QUICK), MISSING)
    assert "1 score is exactly 0, of a system that is in the better half on most" in said
    assert "s11 on t2" in said


def test_bars_show_how_far_systems_are_behind_the_first_and_how_likely_that_is():
    scores = board(40, 12)
    section = nbrank.report(scores, rules=QUICK).sections[AS_GOOD]
    ranking, best = nbrank.borda(scores)["score"], nbrank.best_set(scores, "borda")
    first, *others = section.bars
    assert (first.says, first.length, first.colour) == ("first", 0, "best")
    for at, bar in enumerate(others, 1):
        gap = ranking.iloc[0] - ranking.iloc[at]
        assert bar.length == pytest.approx(gap / (ranking.iloc[0] - ranking.iloc[11]))
        assert float(bar.says.partition(" behind")[0]) == pytest.approx(gap, rel=0.01)
        p_value = best.loc[ranking.index[at], "p_value"]
        assert float(re.split("[=<] ", bar.says)[1]) == pytest.approx(p_value, rel=0.05, abs=1e-3)
        assert (bar.colour == "best") == (p_value > 0.05)


def test_a_rule_that_tells_two_classes_apart_is_not_counted():
    scores = BOARDS["llm chat"]
    said = text(nbrank.report(scores, rules=["borda", "copeland", "condorcet"]), MOVES)
    assert "under the 2 of 3 rules that tell enough systems apart in one order." in said


def test_tasks_without_which_the_same_system_is_first_are_told_together():
    scores = pd.DataFrame(
        {"a": [3, 2, 1], "b": [3, 2, 1], "c": [1, 3, 2], "d": [1, 3, 2], "e": [3, 1, 2]},
        index=list("ABC"),
    )
    page = nbrank.report(scores, rules=["borda", "mean"])
    told = "Without any one of a, b and e, B is first; without c or without d, A is first."
    assert page.summary[DECIDE] == told


def test_systems_of_two_levels_have_a_page_where_condorcet_elects_nobody():
    systems = pd.MultiIndex.from_product([["small", "large"], [1, 2, 3]], names=["size", "version"])
    turns = np.array([np.roll(np.arange(6.0), turn) for turn in range(9)]).T
    page = nbrank.report(pd.DataFrame(turns, index=systems).add_prefix("t"), rules=QUICK)
    assert "nobody: under 1 of 5 rules: Condorcet" in text(page, WHO)


def test_the_page_says_once_which_way_is_better():
    scores = pd.DataFrame({"f1": [3.0, 2], "ms": [1.0, 2], "cost": [5.0, 2]}, index=list("AB"))
    said = {
        (): "higher is better on all, though ms and cost sound otherwise; ranked by Borda.",
        ("ms", "cost"): "lower is better on ms and cost, higher on all others; ranked by Borda.",
        ("f1", "ms", "cost"): "lower is better on all; ranked by Borda.",
    }
    for lower, sentence in said.items():
        page = nbrank.report(scores, rules=QUICK, lower_is_better=lower)
        assert page.lead.endswith(sentence)
        assert str(page).count("is better on") == 1


def test_the_figures_are_what_the_functions_give():
    scores = load_llm_chat().droplevel("group", axis=1)
    page = nbrank.report(scores, rules=[*QUICK, "antiplurality"])
    wins = nbrank.winners(scores, [*QUICK, "antiplurality"])
    first = nbrank.borda(scores).index[0]
    assert [number for number, _ in page.figures] == [
        f"{wins.map(lambda found: first in found).sum()} of 6",
        f"{nbrank.best_set(scores, 'borda')['best'].sum()} of 7",
        f"{nbrank.leave_one_out(scores, 'borda')['decides'].sum()} of 22",
    ]
    for number, counts in page.figures:
        assert f"{number}  {counts}" in str(page)


def test_the_title_is_the_verdict_of_all_rules_and_the_picture_has_none(drawn):
    page = nbrank.report(load_toy_votes(), rules=QUICK)
    assert page.title == (
        "m_B is first under 4 of 5 rules, m_A under plurality; "
        "any of the 4 systems may be best (95 % confidence over tasks)."
    )
    for picture in (page.picture, page.narrow):
        assert "is first" not in " ".join(drawn(picture).words)


def test_a_bar_is_as_long_as_its_share():
    page = nbrank.report(load_toy_votes(), rules=QUICK)
    assert [bar.length for bar in page.sections[WHO].bars] == [0.8, 0.2]
    assert [bar.colour for bar in page.sections[WHO].bars] == ["first", ""]
    assert 'class="first"><b>m_B</b><i style="width: 80%">' in page._repr_html_()


def test_what_one_looks_up_is_folded():
    html = nbrank.report(BOARDS["20 x 9 with gaps"], rules=QUICK)._repr_html_()
    folded = re.findall(r"<details>.*?</details>", html, flags=re.DOTALL)
    assert [name in html for name in ('class="sortable"', 'class="ranks"')] == [True, True]
    assert sum(part.count("<table") for part in folded) == html.count("<table ") - 2 > 0
    assert not any("<svg" in part for part in folded)


def test_who_can_be_called_first_and_who_unseats_is_said():
    scores = load_superglue_submissions()
    said = text(nbrank.report(scores, rules=QUICK), DECIDE)
    picked, rivals = nbrank.cherry_pick(scores), nbrank.unseat(scores)
    others = (picked["kept"] > 0).sum() - 1
    assert f"{others} systems other than SS-MoE would be first if some tasks" in said
    tasks = " and ".join(rivals["tasks"].iloc[0])
    out = f"{rivals['removed'].iloc[0]} tasks"
    assert f"To unseat SS-MoE, leave out {out}: {tasks}." in said
    # Copeland's rule does not add up the tasks.
    other = text(nbrank.report(scores, "copeland", rules=QUICK), DECIDE)
    assert "tasks were left out" not in other
    assert "unseat" not in other


def test_ranks_under_other_weights_stand_beside_those_that_are_sure():
    scores = load_superglue_submissions()
    page = nbrank.report(scores, rules=QUICK)
    sets, possible = nbrank.rank_confidence(scores, "borda", seed=0), nbrank.possible_ranks(scores)
    human = "SuperGLUE Human Baselines"
    row = page.sections[AS_GOOD].table.loc[human]
    assert row.tolist() == [
        4,
        f"{sets['low'][human]} to {sets['high'][human]}",
        f"{possible['best'][human]} to {possible['worst'][human]}",
    ]
    assert possible.index[possible["best"] == 1].tolist() == ["SS-MoE"]
    assert "by more than a fifth, SS-MoE stays first by Borda." in text(page, DECIDE)


VOTES = pd.DataFrame(
    {"left": list("AAABBC") * 20, "right": list("BCBCCA") * 20, "winner": list("ACBBCA") * 20}
)


def test_a_page_says_why_comparisons_have_no_best_set():
    frame = pd.DataFrame({"left": list("AABA"), "right": list("BCCB"), "winner": "left"})
    votes = nbrank.from_comparisons(frame, left="left", right="right", winner="winner")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = nbrank.report(votes, "copeland")
    section = next(part for part in page.sections if part.title == "Which systems may be best?")
    assert section.sentences[0].startswith("Copeland has no best set")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        page = nbrank.report(votes, "borda")
    section = next(part for part in page.sections if part.title == "Which systems may be best?")
    assert section.sentences[0].startswith(
        "Of comparisons, only Bradley-Terry's model gives a best set, and it refuses these: some"
    )


def test_comparisons_have_a_page_of_strengths_and_pairs(tmp_path):
    comparisons = nbrank.from_comparisons(VOTES, left="left", right="right", winner="winner")
    page = comparisons.report()
    said = "3 systems, ranked by Bradley-Terry. The picture shows 6 of the 12 rules."
    assert page.lead == said
    *_, strong, pairs = page.sections
    chance = nbrank.win_probabilities(comparisons).loc[("A", "B"), "probability"]
    assert strong.figure == (f"{100 * chance:.3g} %", "chance that A beats B")
    assert pairs.figure == ("3 of 3", "pairs of systems were compared")
    found = nbrank.confidence(comparisons, adjust="holm")
    sure = (found["significant"] & (found["wins"] > 0.5)).sum()
    assert f"For {sure or 'none'} of these it is sure who wins more often" in pairs.sentences[0]
    assert "each pair by its own comparisons alone" in pairs.sentences[1]
    page.save(tmp_path / "page.html")
    other = comparisons.report("copeland")
    assert "has no best set" in text(other, AS_GOOD)
    assert "by its own comparisons" not in str(other)


def test_a_system_that_never_lost_has_no_strength_and_the_page_says_so():
    votes = VOTES[VOTES["winner"] != "C"]
    comparisons = nbrank.from_comparisons(votes, left="left", right="right", winner="winner")
    page = comparisons.report("copeland")
    why = "Strengths can't be estimated: some strengths are infinite"
    assert page.sections[3].sentences[0].startswith(why)


def test_a_tally_is_refused():
    tally = nbrank.tally(load_ceval_scores().scores)
    with pytest.raises(TypeError, match="and no Tally"):
        nbrank.report(tally)


@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
@pytest.mark.parametrize("missing", ["worst", "zero", "ignore"])
def test_missing_scores_count_on_the_whole_page_as_one_says(missing):
    scores = nbrank.datasets.load_xtreme_missing().dropna(how="all")
    expected = nbrank.borda(scores, missing=missing)
    sets = nbrank.rank_confidence(scores, "borda", missing=missing, seed=0)
    page = nbrank.report(scores, missing=missing)
    winner = expected.index[expected["rank"] == 1][0]
    assert page.title.startswith(str(winner))
    table = page.sections[1].table
    assert table["rank"].tolist() == expected["rank"].tolist()
    ends = [f"{low} to {high}" if low < high else f"{low}" for _, low, high in sets.to_numpy()]
    assert table.iloc[:, 1].tolist() == ends


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
def test_standard_errors_say_how_sure_the_ranks_are():
    scores = pd.DataFrame({"t1": [0.9, 0.6, 0.58], "t2": [0.8, 0.5, 0.52]}, index=list("ABC"))
    errors = scores * 0 + 0.02
    page = nbrank.report(scores, "mean", rules=["mean", "borda"], errors=errors)
    sets = nbrank.rank_confidence(scores, "mean", errors=errors, seed=0)
    assert sets["low"].tolist() == [1, 2, 2]
    table = page.sections[1].table
    assert table.iloc[:, 1].tolist() == ["1", "2 to 3", "2 to 3"]
    assert "each score is as uncertain as its standard error says" in str(page)
    assert "comparisons" not in str(page)
    over = "95 % confidence over the standard errors of the scores"
    assert page.title.endswith(f"it is surely first ({over}).")
    assert over in page.sections[1].sentences[0]
    assert over in page.sections[1].figure[1]


def test_runs_that_are_missing_are_counted_where_no_score_is():
    rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", "fold"])
    runs = pd.DataFrame(np.arange(54.0).reshape(9, 6) % 7, index=rows).add_prefix("t")
    assert text(nbrank.report(runs, rules=QUICK), MISSING) == "No score is missing."
    runs.loc[("B", 1), ["t0", "t3"]] = np.nan
    runs.loc[("C", [0, 1]), "t4"] = np.nan
    page = nbrank.report(runs, rules=QUICK)
    assert text(page, MISSING) == (
        "4 of 54 runs are missing, of B on t0 and t3 (2), C on t4 (2); every score is there, as "
        "the average of the other runs."
    )
    assert "95 % confidence over tasks and folds" in page.title
    assert "if the 6 tasks, and the folds, fairly represent" in text(page, AS_GOOD)
    runs.loc["C", "t4"] = np.nan  # a score that is missing is as many runs that are
    said = text(nbrank.report(runs, rules=QUICK), MISSING)
    assert "5 of 54 runs are missing, of C on t4 (3), B on t0 and t3 (2)." in said
    assert "1 of 18 scores is missing" in said


@pytest.mark.filterwarnings("ignore::nbrank.RuleRefusedWarning")
@pytest.mark.parametrize("missing", ["worst", "ignore"])
def test_the_picture_and_the_workbench_count_missing_scores_as_the_page_does(missing):
    scores = nbrank.datasets.load_xtreme_missing().dropna(how="all")
    rules = ["borda", "copeland", "minimax"]
    ranks = nbrank.compare(scores, rules, missing=missing)
    seen = compute_overview(scores, "borda", rules, missing=missing)
    pd.testing.assert_frame_equal(seen.ranks.astype(int), ranks.astype(int), check_names=False)
    seen = seen.with_confidence("borda", missing=missing)
    sets = nbrank.rank_confidence(scores, "borda", missing=missing, seed=0)
    assert seen.rank_sets.equals(sets)
    said = nbrank.picture(scores, "borda", rules=rules, missing=missing).title
    bench = nbrank.explore(scores, rules=rules, missing=missing)
    assert bench.missing == missing
    assert bench.verdict == said == verdict(seen)


def test_a_rule_that_knows_no_such_way_says_so():
    with pytest.raises(ValueError, match="harmonic_mean: missing='worst' is unknown"):
        nbrank.report(nbrank.datasets.load_llm_chat(), "harmonic_mean", missing="worst")


def test_of_ballots_the_page_speaks_of_ballots_not_of_tasks():
    votes = nbrank.from_ballots([list("ABCD"), list("BACD"), list("CDAB")], counts=[5, 4, 2])
    page = nbrank.report(votes, rules=QUICK)
    assert page.lead == "4 systems on 3 kinds of ballot by 11 voters; ranked by Borda."
    shown = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page._repr_html_(), flags=re.DOTALL)
    assert "tasks" not in re.sub(r"<[^>]+>", " ", shown)


def test_where_some_of_those_who_share_the_win_win_it_is_said():
    scores = pd.DataFrame({"t": [3.0, 2, 1], "u": [1.0, 3, 2], "v": [2.5, 1, 3]}, index=list("ABC"))
    by = nbrank.winners(scores, ["borda", "plurality", "mean"])
    assert by.tolist() == [["A", "B", "C"], ["A", "B", "C"], ["A"]]
    page = nbrank.report(scores, rules=["borda", "plurality", "mean"])
    said = "A, B and C share the win under 2 of 3 rules; some of them win under 1."
    assert page.summary[WHO] == said


def test_of_thousands_of_systems_the_page_leaves_pairs_out_and_cuts_tables_and_says_so():
    rng = np.random.default_rng(0)
    many = pd.DataFrame(rng.random((4_001, 3))).add_prefix("t")
    page = nbrank.report(many)
    left_out = "ank sets and pairwise comparisons are left out beyond 4,000 systems"
    assert f"R{left_out}" in page.lead
    assert f"r{left_out}" in nbrank.picture(many).caption
    said = " ".join(sentence for section in page.sections for sentence in section.sentences)
    assert "Confidence sets are not computed for 4,001 systems" in said
    assert "are not searched with this many systems" in said
    html = page._repr_html_()
    tables = [s.table for s in page.sections if s.table is not None and len(s.table) > 500]
    assert html.count("The table has the first 500 of 4,001 rows") == len(tables) + 1
    assert html.count("<tr") < 600 * (len(tables) + 1)


def test_a_long_table_is_cut_and_the_section_has_all_of_it():
    page = nbrank.report(board(600, 3), rules=["borda", "mean"])
    long = [section.table for section in page.sections if section.table is not None]
    assert max(map(len, long)) == 600
    assert "The table has the first 500 of 600 rows." in page._repr_html_()
