"""The title of the picture: true of every leaderboard, read back and held against the rules."""

import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import nbrank
from nbrank.findings.best_set_text import over_what
from nbrank.findings.labels import rule_title
from nbrank.findings.overview import compute_overview
from nbrank.findings.verdict import verdict

RULES = ["borda", "plurality", "copeland", "condorcet", "minimax", "kemeny"]


def title(scores, rule="borda", rules=None, sure=False, **options):
    seen = compute_overview(scores, rule, rules, **options)
    if sure:
        seen = seen.with_confidence(rule)
    return verdict(seen)


def table(*rows):
    return pd.DataFrame(rows, index=list("ABCDEFG")[: len(rows)], dtype=float)


def test_one_system_is_the_only_one():
    assert title(table([1, 2]), sure=True) == "A is the only system"


def test_a_winner_under_every_rule():
    scores = table([3, 3], [2, 2], [1, 1])
    assert title(scores, rules=["mean", "copeland"]) == "A is first under all 3 rules"
    assert title(scores, rules=["mean"]) == "A is first under both rules"
    assert title(scores, rules=[]) == "A is first under Borda"


def test_the_verdict_names_the_doubted_directions_that_it_hangs_on():
    rows = b"db,load,join,fps\nA,9 ms,7 ms,3\nB,4 ms,5 ms,4\nC,3 ms,8 ms,2\n"
    assert title(nbrank.read(rows)).startswith("If higher is better on load and join, A is first")
    said = nbrank.read(rows, lower_is_better=["load", "join"])
    assert "if higher" not in title(said).casefold()


def test_where_all_directions_are_doubted_the_verdict_names_no_task():
    tied = nbrank.read(b"db,load,join\nA,9 ms,7 ms\nB,4 ms,8 ms\n")
    assert title(tied).startswith("If higher is better, both systems tie")


def test_a_doubt_that_changes_no_winner_leaves_the_verdict_alone():
    rows = b"model,qa,code,chat,cost\nA,9,8,7,3\nB,5,4,6,1\nC,4,5,3,2\n"
    board = nbrank.read(rows)
    assert "cost" in board.reading.doubts
    assert title(board).startswith("A is first")


def test_a_tie_at_the_top():
    scores = table([2, 1, 5], [1, 2, 5], [0, 0, 0])
    assert title(scores, rules=["mean", "copeland"]) == "A and B tie for first under all 3 rules"


def test_all_tie():
    scores = table([1, 2], [2, 1])
    assert title(scores, rules=["mean"]) == "Both systems tie under both rules"
    assert title(table([1], [1], [1]), rules=[]) == "All 3 systems tie under Borda"


def test_rules_that_differ():
    # A is best on most tasks, B on average.
    scores = table([3, 3, 0], [2, 2, 9], [1, 1, 1])
    assert title(scores, "mean", ["plurality"]) == ("B is first under mean, A under plurality")
    assert title(scores, "plurality", ["mean", "condorcet", "copeland"]) == (
        "A is first under 3 of 4 rules, B under mean"
    )


def test_who_shares_the_first_place_is_first():
    # Both are best on one task each, and A is second on the other.
    scores = table([3, 2], [1, 3], [2, 1])
    assert title(scores, rules=["plurality"]) == (
        "A is first under both rules, level with B under plurality"
    )
    scores = table([1, 4, 4, 1], [4, 1, 3, 3], [1, 2, 4, 4])
    assert title(scores, rules=["mean", "plurality", "copeland"]) == (
        "C is first under all 4 rules, though not alone under 2 of them"
    )


def test_who_shares_it_under_some_and_loses_it_under_others():
    # A and B are best on one task each; A has the most points, and B the higher mean.
    scores = table([3, 2], [1, 9], [2, 1])
    assert title(scores, "borda", ["plurality", "mean"]) == (
        "A is first under 2 of 3 rules, level with B under plurality; B under mean"
    )


def test_two_rivals_are_named_and_more_are_not():
    scores = table([0, 2, 5, 2], [1, 0, 4, 5], [3, 1, 0, 5])
    assert title(scores, rules=["mean", "plurality", "copeland"]) == (
        "C is first under 2 of 4 rules, B under mean and A under plurality"
    )
    assert title(scores, rules=["mean", "plurality", "condorcet"]) == (
        "C is first under Borda; the other 3 rules disagree"
    )


def test_who_wins_under_more_rules_than_the_leader_is_named():
    # C and D have the same points; D beats each other and is nearly always best.
    scores = table([0, 0, 0, 1], [0, 0, 1, 1], [1, 0, 0, 2], [2, 0, 1, 0])
    assert title(scores, rules=RULES[1:]) == (
        "C and D tie for first under Borda, D is first under 4; the other rule disagrees"
    )


def test_rivals_under_different_rules():
    scores = table([9, 0, 0, 0], [2, 3, 3, 1], [1, 2, 2, 3], [0, 1, 1, 2])
    assert title(scores, "mean", ["borda", "copeland"]) == (
        "A and B tie for first under mean, B is first under the other 2"
    )


def test_nobody_wins():
    cycle = table([3, 1, 2], [2, 3, 1], [1, 2, 3])
    assert title(cycle, "condorcet", []) == "No system wins under Condorcet"
    assert title(cycle, "borda", ["condorcet"]) == (
        "All 3 systems tie under Borda, no system wins under Condorcet"
    )


def test_refused_rules_do_not_count_and_that_is_said():
    scores = table([3, 3, np.nan], [2, 2, 1], [1, 1, 1])
    said = title(scores, "copeland", ["mean", "plurality"])
    assert said == "A is first under both rules that can rank this table"


def test_which_systems_may_be_best():
    rng = np.random.default_rng(0)
    apart = pd.DataFrame(rng.normal(size=(3, 40)) + np.array([[9], [0], [0]]), index=list("ABC"))
    over = " (95 % confidence over tasks)"
    assert title(apart, rules=[], sure=True) == f"A is first under Borda; it is surely first{over}"
    split = title(apart.assign(t=[0, 9999, 0]), rules=["mean"], sure=True)
    assert split == f"A is first under Borda, B under mean; A is surely first{over}"
    near = pd.DataFrame(rng.normal(size=(3, 40)) + np.array([[9], [9], [0]]), index=list("ABC"))
    assert title(near, rules=[], sure=True).endswith(f"; the best is one of these 2: A and B{over}")
    two = pd.DataFrame(rng.normal(size=(2, 10)), index=list("AB"))
    assert title(two, rules=[], sure=True).endswith(f"; either may be best{over}")
    cycle = [np.roll(np.arange(7), shift) for shift in range(7)]
    alike = pd.DataFrame(np.tile(cycle, 2), index=list("ABCDEFG"))
    assert title(alike, rules=[], sure=True).endswith(f"; any of the 7 systems may be best{over}")
    alike.loc["G"] -= 9
    assert "; the best is one of these 6: A, B, C, D and 2 more (" in (
        title(alike, rules=[], sure=True)
    )


def test_too_few_tasks_are_said_to_be_too_few():
    assert title(table([2, 2], [1, 1]), rules=[], sure=True) == (
        "A is first under Borda; 2 tasks are too few to say which system is best"
    )
    assert title(table([2], [1], [1]), rules=[], sure=True).endswith(
        "; 1 task is too few to say which system is best"
    )


def over(source, rule="borda", **options):
    """What the verdict says that its 95 % hold over."""
    seen = compute_overview(source, rule, [])
    said = verdict(seen.with_confidence(rule, **options))
    return re.search(r"\(95 % confidence over (.*)\)$", said)[1]


def test_it_says_over_what_the_95_percent_hold():
    rng = np.random.default_rng(0)
    tasks = pd.DataFrame(rng.normal(size=(3, 8)), index=list("ABC")).add_prefix("t")
    errors = tasks * 0 + 0.1
    assert over(tasks) == "tasks"
    assert over(tasks, errors=errors) == "the standard errors of the scores"
    groups = {f"g{i}": [f"t{i}"] for i in range(8)}
    assert over(nbrank.Leaderboard(tasks, groups=groups)) == "groups of tasks"
    for level, runs in {"seed": "seeds", "fold": "folds"}.items():
        rows = pd.MultiIndex.from_product([list("ABC"), range(4)], names=["system", level])
        scores = pd.DataFrame(rng.normal(size=(12, 8)), index=rows).add_prefix("t")
        assert over(scores) == f"tasks and {runs}"
        seeds = nbrank.rank_confidence(scores, "borda", over="seeds", seed=0)
        assert over_what(seeds, nbrank.Leaderboard(scores)) == runs
    both = nbrank.rank_confidence(tasks, "borda", over="both", errors=errors, seed=0)
    assert over_what(both, nbrank.Leaderboard(tasks)) == "tasks and errors of the scores"
    rows = pd.MultiIndex.from_product([list("ABC"), range(20)], names=["system", "instance"])
    assert over(pd.DataFrame({"t": rng.normal(size=60)}, index=rows)) == "instances"
    assert over(nbrank.from_ballots([list("ABC"), list("BAC"), list("ACB")] * 4)) == "voters"
    pairs = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("A", "C"), ("C", "A")] * 6
    battles = pd.DataFrame(pairs, columns=["winner", "loser"]).assign(judge=np.arange(36) % 9)
    sides = {"winner": "winner", "loser": "loser"}
    assert over(nbrank.from_comparisons(battles, **sides), "bradley_terry") == "comparisons"
    judged = nbrank.from_comparisons(battles, **sides, cluster="judge")
    assert over(judged, "bradley_terry") == "clusters of comparisons"


def test_it_says_how_sure_it_is_at_another_delta():
    scores = pd.DataFrame(np.random.default_rng(0).normal(size=(3, 8)), index=list("ABC"))
    seen = compute_overview(scores, "borda", [])
    assert verdict(seen.with_confidence("borda", delta=0.1)).endswith(
        "(90 % confidence over tasks)"
    )


LAST_WEEK = pd.Series({"C": 1, "B": 2, "A": 3})


def test_a_ranking_that_is_given_is_never_counted_among_the_rules():
    scores = table([3, 3], [2, 2], [1, 1])
    given = {"last week": LAST_WEEK}
    assert title(scores, rules={**given, "mean": "mean"}) == "A is first under both rules"
    assert title(scores, rules=given) == "A is first under Borda"
    assert title(table([3, 3, np.nan], [2, 2, 1], [1, 1, 1]), rules={**given, "mean": "mean"}) == (
        "A is first under Borda"
    )
    frame = pd.DataFrame({"rank": LAST_WEEK, "score": -LAST_WEEK})
    assert title(scores, rules={"paper": frame, "mean": "mean"}) == "A is first under both rules"
    # A function of one's own counts, whatever it does.
    mine = {"mine": lambda _: pd.DataFrame({"rank": LAST_WEEK, "score": -LAST_WEEK})}
    assert title(scores, rules=mine) == "A is first under Borda, C under mine"


def test_a_ranking_that_is_given_may_order_and_is_said_to_be_given():
    scores = table([3, 3], [2, 2], [1, 1])
    rules = {"last week": LAST_WEEK, "borda": "borda", "mean": "mean"}
    assert title(scores, "last week", rules) == (
        "C is first in “last week”, a ranking that is given; A is first under both rules"
    )
    assert title(scores, "last week", {"last week": LAST_WEEK}) == (
        "C is first in “last week”, a ranking that is given"
    )


def test_a_system_without_a_score_wins_nowhere():
    nothing = [np.nan, np.nan]
    scores = table([0.9, 0.8], nothing, [0.5, 0.7], [0.4, 0.2], nothing)
    assert nbrank.winners(scores, ["instant_runoff"])["instant_runoff"] == ["A", "B", "E"]
    assert title(scores, "instant_runoff", ["borda"]) == "A is first under both rules"
    seen = compute_overview(
        scores, "borda", {"last week": pd.Series({"B": 1, "A": 2}), "mean": "mean"}
    )
    assert seen.left_out() == "B and E are left out, without a single score"
    assert seen.winners == {"borda": ("A",), "last week": (), "mean": ("A",)}
    assert "no system of the table is first there" in seen.of_given()[0]
    assert title(scores.loc[["A", "B"]]) == "A is the only system with a score"
    rows = []

    def mine(frame):
        rows.extend(frame.index)
        return nbrank.borda(frame)

    assert compute_overview(scores, "borda", [mine]).ranks.index.tolist() == ["A", "C", "D"]
    assert rows == ["A", "C", "D"]  # a function of one's own is given these rows of the frame


def test_a_table_without_any_score_is_refused_with_the_systems():
    with pytest.raises(ValueError, match="no system has a score \\('A', 'B'\\)"):
        compute_overview(table([np.nan], [np.nan]))


def test_a_name_is_written_as_it_is():
    scores = table([3, 3], [2, 2]).set_axis(["all you need", "nobody"])
    assert title(scores, rules=[]) == "all you need is first under Borda"
    # A word that sentences say where no system wins is quoted.
    assert title(scores, rules=[], lower_is_better=True) == "'nobody' is first under Borda"


def test_names_that_hold_words_of_the_sentence_stay_whole():
    scores = table([3, 3, 0], [2, 2, 9]).set_axis(["this and that", "either or, neither"])
    assert title(scores, "mean", ["plurality"]) == (
        "either or, neither is first under mean, this and that under plurality"
    )


def said_of(clause, systems):
    """Who is first, by the beginning of a sentence."""
    if clause.lower().startswith("no system"):
        return set()
    if re.match(r"(both|all \d+) systems tie$", clause.lower()):
        return set(systems)
    many = re.match(r"(\d+) systems tie for first", clause)
    return int(many[1]) if many else set(re.findall(r"\b[A-G]\b", clause))


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from([0.0, 1, 2, 3, np.nan]), min_size=n, max_size=n),
            min_size=2, max_size=6,
        )
    )
)  # fmt: skip
def test_every_title_is_true(rows):
    scores = table(*rows).dropna(how="all")
    assume(len(scores) > 1)
    seen = compute_overview(scores, "borda", RULES)
    won = {rule: set(found) for rule, found in nbrank.winners(scores, RULES).items()}
    assert {rule: set(found) for rule, found in seen.winners.items()} == won
    said = verdict(seen)
    leaders = won["borda"]
    clause = said.split(" under ")[0]
    named = said_of(clause, scores.index)
    assert named == (len(leaders) if isinstance(named, int) else leaders)
    others = [(rule_title(rule), first) for rule, first in won.items() if first != leaders]
    kinds = {frozenset(first) for _, first in others}
    rest = said.split(" under ", 1)[1]
    shared = [(rule, first) for rule, first in others if len(leaders) == 1 and leaders < first]
    if len(leaders) == 1 and (shared == others or (shared and len(kinds) > 1)):
        # Who is first beside others is first: "..., level with B under 2 of them; C under mean".
        rest, _, beside = rest.partition("; ")
        where, _, level = rest.partition(", ")
        others = [other for other in others if other not in shared]
        first = f"{6 - len(others)} of 6 rules" if others else "all 6 rules"
        assert where == first
        assert bool(level) == bool(shared)
        if shared:
            rule = re.fullmatch(r"(?:level with (.*)|though not alone) under (.*)", level)
            which = shared[0][0] if len(shared) == 1 else f"{len(shared)} of them"
            assert rule[2] == which
            assert rule[1] is None or said_of(rule[1], scores.index) == shared[0][1] - leaders
    else:
        where, _, beside = re.fullmatch(r"([^,;]*)([,;]?) ?(.*)", rest).groups()
        agree = f"{6 - len(others)} of 6 rules" if others else "all 6 rules"
        assert where == ("Borda" if len(others) == 5 else agree)
    kinds = {frozenset(first) for _, first in others}
    if beside.endswith(("disagree", "disagrees")):
        assert len(kinds) > 1
        # Who wins under more rules than who is told of first is named before.
        who, _, rest = f"; {beside}".rpartition("; the other ")
        counts = Counter(frozenset(first) for _, first in others)
        most = max(counts.values())
        if most <= 6 - len(others):
            assert (who, rest) == ("", f"{len(others)} rules disagree")
        else:
            named, under = who.removeprefix("; ").rsplit(" under ", 1)
            assert (int(under) if under.isdigit() else 1) == most
            kept = said_of(named, scores.index)
            assert any(kept in (set(found), len(found)) for found, n in counts.items() if n == most)
            left = len(others) - most
            assert rest == (f"{left} rules disagree" if left > 1 else "rule disagrees")
    else:
        parts = re.split(r" and (?=[A-G] under )", beside) if beside else []
        told = [part.rsplit(" under ", 1) for part in parts]
        for who, rules in told:
            named = said_of(who, scores.index)
            count = rules.removeprefix("the other ")
            same = [
                rule for rule, first in others
                if (len(first) if isinstance(named, int) else first) == named
            ]  # fmt: skip
            assert same == [rules] if len(same) == 1 else int(count) == len(same)
        assert len(told) == len(kinds)
