"""Axioms that can be run, and what Vote'n'Rank's table 8 and the registry say of the rules."""

import functools
import itertools
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import RULES
from nbrank.axioms import AXIOMS, check, checking, definitions, search
from nbrank.axioms.trials import EditableTable
from nbrank.rules.bound_rule import BoundRule

IIA = "independence_of_irrelevant_alternatives"

#: Vote'n'Rank, appendix A.2, table 8, as printed (transitivity, which every ranking has, left out).
TABLE_8 = pd.DataFrame(
    {
        "plurality": [True, True, False, True, True, False, False],
        "borda": [True, True, False, True, False, False, True],
        "dowdall": [True, True, False, True, True, False, False],
        "threshold": [True, True, False, True, False, False, False],
        "baldwin": [True, True, False, False, True, True, True],
        "copeland": [True, True, False, True, True, True, True],
        "minimax": [True, True, False, True, True, True, False],
    },
    index=[
        "anonymity",
        "unanimity",
        "iia",
        "monotonicity",
        "majority",
        "condorcet_winner",
        "condorcet_loser",
    ],
)

#: Ticks of the table that a witness breaks. Plurality's has a footnote: losers can be tied.
WRONG_TICKS = {
    ("dowdall", "majority"),
    ("minimax", "unanimity"),
    ("plurality", "unanimity"),
}


def axiom_of(name):
    """The axiom behind a column of the registry's properties."""
    return IIA if name == "iia" else name


def table_of(ballots):
    """Orders of systems, best first, with their weights, as scores and weights."""
    scores = pd.DataFrame(
        {
            f"t{number}": {system: -order.index(system) for system in order}
            for number, order in enumerate(ballots, start=1)
        }
    )
    return scores, dict(zip(scores, ballots.values(), strict=True))


# ------------------------------------------------------------------ table 8 and the registry


@pytest.mark.parametrize(
    ("rule", "name"),
    [(rule, name) for rule in TABLE_8 for name in TABLE_8.index if not TABLE_8[rule][name]],
)
def test_there_is_a_witness_for_every_cross_of_table_8(rule, name):
    found = search(rule, axiom_of(name), n_systems=5, n_tables=1000, n_draws=10)
    assert found.holds is False


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (rule, name)
        for rule in TABLE_8
        for name in TABLE_8.index
        if TABLE_8[rule][name] and (rule, name) not in WRONG_TICKS
    ],
)
def test_there_is_no_witness_against_the_other_ticks_of_table_8(rule, name, effort):
    n_tables = effort * (12 if name in ("anonymity", "monotonicity") else 60)
    found = search(rule, axiom_of(name), n_systems=5, n_tables=n_tables, n_draws=6, seed=8)
    assert found.holds is None
    assert found.examined > 10 * effort


def test_dowdall_breaks_the_majority_criterion_that_table_8_grants_it():
    """A is best on 51 tasks of 100 and last of five on the others: 51 + 49/5 = 60.8 points;
    B, second and first, has 51/2 + 49 = 74.5."""
    scores, weights = table_of({"ABCDE": 51, "BCDEA": 49})
    found = check(scores, "dowdall", "majority", weights=weights)
    assert found.holds is False
    assert found.witness.before.ranking["score"][["A", "B"]].to_dict() == pytest.approx(
        {"A": 60.8, "B": 74.5}
    )
    assert found.witness.sentence == "'A' is best on tasks of weight 51 of 100, but 'B' wins."


def test_minimax_breaks_the_unanimity_that_table_8_grants_it():
    """One task, B > A > C: A and C are both beaten by B, by 1."""
    scores, _ = table_of({"BAC": 1})
    found = check(scores, "minimax", "unanimity")
    assert found.holds is False
    assert found.witness.sentence == ("'A' is above 'C' on every task, but has rank 2, 'C' 2.")


def test_plurality_keeps_unanimity_only_in_the_footnotes_reading():
    """Two systems that are never first tie, though one is above the other on every task."""
    found = search("plurality", "unanimity")
    assert found.holds is False
    ranks = found.witness.before.ranks
    a, b = (found.witness.sentence.split("'")[i] for i in (1, 3))
    assert ranks[a] == ranks[b] > 1


#: Where a random search would take long: a table that breaks the property.
HARD = {
    # A is far ahead on one task, and last by little on the others.
    ("mean", "condorcet_loser"): ({"t1": [99, 0, 1], "t2": [0, 1, 2], "t3": [0, 2, 1]}, None),
    ("normalized_mean", "condorcet_loser"): (
        {"t1": [99, 0, 1], "t2": [0, 1, 2], "t3": [0, 2, 1]},
        None,
    ),
    ("dowdall", "majority"): table_of({"ABCDE": 51, "BCDEA": 49}),
    # C is out first and A wins with its votes; with A above B on t3, B is out first.
    ("instant_runoff", "monotonicity"): (
        {"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [1, 3, 2], "t4": [2, 1, 3]},
        {"t1": 39, "t2": 25, "t3": 10, "t4": 26},
    ),
    # A is second or last everywhere, and second on most: it wins in the second round.
    ("bucklin", "condorcet_loser"): table_of(
        {"BACD": 20, "CABD": 10, "DABC": 10, "BCDA": 9, "CDBA": 9, "DBCA": 9}
    ),
}
OPTIONS = {"normalized_mean": {"low": 0, "high": 99}, "optimality_gap": {"gamma": 60}}
#: Positional rules have a vector for each number of systems, and Elo takes no tables.
CHECKED = [
    name
    for name, rule in RULES.items()
    if rule.supports(nbrank.Leaderboard.provides) and name != "positional"
]


def settled_by_table_8(rule, name):
    """Whether the searches for table 8 above look for the same witness."""
    return rule in TABLE_8 and name in TABLE_8.index and (rule, name) not in WRONG_TICKS


@pytest.mark.parametrize(
    ("rule", "name"),
    [(rule, name) for rule in TABLE_8 for name in TABLE_8.index if settled_by_table_8(rule, name)],
)
def test_the_registry_says_what_table_8_says_where_that_is_right(rule, name):
    assert RULES[rule].properties[name] == TABLE_8[rule][name]


def rule_with_options(name):
    return partial(RULES[name].function, **OPTIONS[name]) if name in OPTIONS else name


@pytest.mark.parametrize("rule", CHECKED)
def test_what_the_registry_says_fails_has_a_witness(rule):
    for name, holds in RULES[rule].properties.items():
        if holds or settled_by_table_8(rule, name):
            continue
        if (rule, name) in HARD:
            scores, weights = HARD[rule, name]
            found = check(
                pd.DataFrame(scores), rule_with_options(rule), axiom_of(name), weights=weights
            )
        else:
            found = search(
                rule_with_options(rule), axiom_of(name), n_systems=5, n_tables=1000, n_draws=10
            )
        assert found.holds is False, f"{rule} seems to keep {name}"


@pytest.mark.parametrize("rule", CHECKED)
def test_what_the_registry_says_holds_has_no_witness(rule, effort):
    for name, holds in RULES[rule].properties.items():
        if holds and name != "transitivity" and not settled_by_table_8(rule, name):
            n_tables = effort * (4 if name in ("anonymity", "monotonicity", "iia") else 15)
            found = search(
                rule_with_options(rule),
                axiom_of(name),
                n_systems=5,
                n_tables=n_tables,
                n_draws=6,
                seed=9,
            )
            assert found.holds is None, f"{rule} breaks {name}:\n{found}"
            assert found.examined > 0


def test_a_positional_rule_may_tie_systems_that_unanimity_orders():
    scores, _ = table_of({"ABC": 1})
    found = check(scores, partial(nbrank.positional, vector=[1, 1, 0]), "unanimity")
    assert found.witness.sentence == ("'A' is above 'B' on every task, but has rank 1, 'B' 1.")


# ------------------------------------------------------------------------ each axiom by hand

ORDERS = ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
#: Condorcet's cycle.
CYCLE = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2], "t3": [2, 1, 3]}, index=list("ABC"))


def ranked(scores):
    """A ranking from plain numbers, for rules made up here."""
    frame = pd.DataFrame({"rank": scores.rank(method="min", ascending=False), "score": scores})
    return frame.astype({"rank": int}).sort_values("rank", kind="stable")


def dictator(board):
    return ranked(board.scores.iloc[:, 0])


def first_in_the_table(board):
    return ranked(pd.Series(range(len(board.systems), 0, -1), index=board.systems))


def most_tasks_up_to_three(board):
    """First places, of which no more than three count."""
    return ranked((board.scores.rank(ascending=False) == 1).sum(axis=1).clip(upper=3))


def test_anonymity_finds_a_dictator():
    found = check(CYCLE, dictator, "anonymity")
    assert found.rule == "dictator"
    assert found.holds is False
    assert found.witness.changed.scores["t1"].tolist() != CYCLE["t1"].tolist()
    assert sorted(map(tuple, found.witness.changed.scores.T.to_numpy())) == sorted(
        map(tuple, CYCLE.T.to_numpy())
    )


def test_anonymity_moves_the_weights_with_the_tasks():
    scores = CYCLE.assign(t4=[3, 2, 1])
    found = check(scores, "borda", "anonymity", weights={"t1": 3, "t2": 2})
    assert found.holds is True
    assert found.examined == 24


def test_neutrality_finds_a_rule_that_looks_at_the_order_of_rows():
    assert check(CYCLE, first_in_the_table, "neutrality").holds is False
    found = check(CYCLE, "borda", "neutrality")
    assert (found.holds, found.exhaustive, found.examined) == (True, True, 6)


def test_unanimity_looks_at_pairs_of_which_one_is_above_the_other_everywhere():
    scores = CYCLE.assign(t1=[3, 2, 1], t2=[3, 2, 1], t3=[3, 1, 2])
    assert check(scores, "borda", "unanimity").examined == 2
    assert (
        check(scores, lambda board: ranked(-board.scores.sum(axis=1)), "unanimity").holds is False
    )


def test_monotonicity_of_instant_runoff():
    """39 A > B > C, 35 B > C > A, 26 C > A > B: A wins; if it rises to the top of ten tasks that
    put B first, B is out before C, and C beats A by 51 to 49."""
    scores, weights = HARD["instant_runoff", "monotonicity"]
    scores = pd.DataFrame(scores, index=list("ABC"))
    found = check(scores, "instant_runoff", "monotonicity", weights=weights)
    assert found.witness.sentence == "'A' wins, rises on 't3', and no longer wins: 'C' wins."
    assert found.witness.before.winners == ("A",)
    assert found.witness.after.winners == ("C",)
    before, after = found.witness.table.scores, found.witness.changed.scores
    differs = before.to_numpy() != after.to_numpy()
    assert np.argwhere(differs).tolist() == [[0, 2]]
    assert after.loc["A", "t3"] > before.loc["A", "t3"]


def test_monotonicity_raises_a_winner_to_each_level_and_above():
    """A can rise on t2 only: level with C, above C, level with B, above B."""
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 3, 2]}, index=list("ABC"))
    found = check(scores, "plurality", "monotonicity")
    # B wins too, and can rise on t1: level with A, and above.
    assert (found.holds, found.examined) == (True, 6)


def test_monotonicity_lets_a_winner_leave_those_level_with_it():
    scores = pd.DataFrame({"t1": [1, 1, 2]}, index=list("ABC"))
    rises = definitions.raised_scores(scores["t1"].to_numpy(dtype=float), 0)
    assert rises == [1.5, 2.0, 2.5]


def test_majority_counts_the_weight_of_the_tasks_on_which_a_system_is_alone_at_the_top():
    scores = pd.DataFrame({"t1": [3, 1, 2], "t2": [3, 3, 1], "t3": [1, 3, 2]}, index=list("ABC"))
    assert check(scores, "borda", "majority").examined == 0
    assert check(scores, "borda", "majority", weights={"t1": 3}).examined == 1


def test_majority_counts_no_task_on_which_another_system_has_no_score():
    scores = pd.DataFrame({"t1": [1, np.nan], "t2": [1, np.nan], "t3": [1, 2]}, index=list("AB"))
    assert check(scores, "borda", "majority").examined == 0
    assert check(scores.fillna(0), "borda", "majority").examined == 1


def test_condorcet_winner_and_loser():
    scores, weights = table_of({"ABC": 3, "BCA": 2})
    found = check(scores, "borda", "condorcet_winner", weights=weights)
    assert found.witness.sentence == "'A' beats every other, but 'B' wins."
    scores, weights = table_of({"ABC": 3, "BCA": 2, "CBA": 2})
    found = check(scores, "plurality", "condorcet_loser", weights=weights)
    assert found.witness.sentence == "'A' loses to every other, but 'A' wins."


def test_the_condorcet_rule_elects_nobody_on_a_cycle_so_no_loser_wins():
    scores, _ = table_of({"ABCD": 1, "BCAD": 1, "CABD": 1})
    assert check(scores, "condorcet", "condorcet_loser").holds is True
    assert check(scores, "condorcet", "condorcet_loser").examined == 1


def test_irrelevant_alternatives_are_taken_off_the_board_in_all_ways():
    found = check(CYCLE.assign(t4=[2, 2, 1]), "mean", IIA)
    assert (found.holds, found.examined) == (True, 3)


def test_borda_depends_on_an_irrelevant_alternative():
    """B has 3 + 4 points, A 6: C is between them where B is ahead, and below both where A is."""
    scores, weights = table_of({"ABC": 3, "BCA": 2})
    found = check(scores, "borda", IIA, weights=weights)
    assert found.witness.sentence == "'A' is below 'B'; without 'C' it is above it."
    assert list(found.witness.changed.systems) == ["A", "B"]


def test_a_clone_splits_the_votes_of_plurality():
    scores, weights = table_of({"AB": 3, "BA": 2})
    found = check(scores, "plurality", "independence_of_clones", weights=weights)
    assert found.witness.sentence == "'A' wins; with 1 clone of 'A' added, 'B' wins."
    after = found.witness.changed.scores
    assert list(after.index) == ["A", "B", "A (clone)"]
    # Next to its original everywhere.
    for task in after:
        others = after[task].drop(["A", "A (clone)"])
        assert ((others > after.loc["A", task]) == (others > after.loc["A (clone)", task])).all()


def test_clones_are_never_all_examined():
    found = check(CYCLE, "schulze", "independence_of_clones")
    assert (found.holds, found.exhaustive) == (None, False)
    assert found.examined == 3 * 3**3 + 200


def test_a_clone_of_a_tied_system_is_tied_too():
    scores = pd.DataFrame({"t1": [2.0, 2.0, 1.0]}, index=list("ABC"))
    table = EditableTable.from_board(nbrank.Leaderboard(scores))
    cloned = definitions.with_clones(table, 0, np.array([[1], [-1]]))
    assert cloned.scores[:, 0].tolist() == [2, 2, 1, 2, 2]
    assert cloned.systems == ("A", "B", "C", "A (clone)", "A (clone 2)")
    assert definitions.with_clones(table, 2, np.array([[1]])).scores[-1, 0] == 1.001


def test_participation_of_instant_runoff():
    """Whichever the table found: the task that makes the difference prefers the other outcome."""
    found = search("instant_runoff", "participation", n_systems=3, n_tasks=15)
    assert found.holds is False
    before, after = found.witness.before.winners, found.witness.after.winners
    wider, narrower = found.witness.changed.scores, found.witness.table.scores
    added = [task for task in wider if task not in narrower]
    if added:
        (task,) = added
        assert wider.loc[list(before), task].min() > wider.loc[list(after), task].max()
    else:
        (task,) = [task for task in narrower if task not in wider]
        assert narrower.loc[list(after), task].min() > narrower.loc[list(before), task].max()


def test_an_added_task_is_told_from_the_others_and_says_how_it_ranks():
    places = {"t1": "BACD", "t2": "CBAD", "t3": "ADCB", "t4": "BADC", "t5": "BADC", "t6": "ADCB"}
    scores = pd.DataFrame(
        {task: {s: -n for n, s in enumerate(order)} for task, order in places.items()}
    )
    found = check(scores, "copeland", "participation")
    added = found.witness.changed.scores["added task"]
    order = ", ".join(map(repr, added.sort_values(ascending=False).index))
    assert f"which ranks {order} in this order and so 'B' above 'A', 'A' wins" in (
        found.witness.sentence
    )
    assert definitions.new_task_label(["t1", "added task"]) == "added task (new)"
    assert definitions.new_task_label([("g", "t1")]) == ("added task", "added task")


def test_participation_takes_tasks_away_and_adds_every_order_up_to_three_times():
    found = check(CYCLE, "borda", "participation")
    assert (found.holds, found.examined) == (True, 3 + 3 * 6)


def test_strategy_proofness_of_borda_fails_by_burying_a_rival():
    """t3 puts A above B, and makes A level with it by stating that B is last."""
    scores, _ = table_of({"BACD": 1, "BADC": 1, "ABCD": 1})
    found = check(scores, "borda", "strategy_proofness", n_draws=100)
    assert found.witness.sentence == (
        "'B' wins; if 't3' states 'D' > 'A' > 'C' > 'B', which is not its order, 'B', 'A' win, "
        "and it prefers that."
    )
    assert found.witness.changed.scores["t3"].rank(ascending=False).tolist() == [4, 2, 3, 1]


def test_strategy_proofness_is_kept_by_a_dictator_and_between_two_systems():
    def dictator(board):
        return nbrank.plurality(board.select_tasks(board.tasks[:1]))

    found = check(CYCLE, dictator, "strategy_proofness")
    assert (found.holds, found.examined) == (True, 3 * 6)
    scores, _ = table_of({"AB": 1, "BA": 2})
    assert check(scores, "borda", "strategy_proofness").holds


@pytest.mark.parametrize("rule", ["borda", "plurality", "copeland", "instant_runoff"])
def test_strategy_proofness_against_trying_every_lie(rule):
    rank = RULES[rule].function
    rng = np.random.default_rng(3)
    for _ in range(8):
        scores = pd.DataFrame(rng.permuted([[1, 2, 3]] * 4, axis=1).T, index=list("ABC"))
        before = _winners(rank(scores))
        gains = False
        for task, lie in itertools.product(scores, itertools.permutations([1, 2, 3])):
            stated = scores.copy()
            stated[task] = lie
            after, true = _winners(rank(stated)), scores[task]
            gains |= (
                true[after].min() >= true[before].max() and true[after].max() > true[before].min()
            )
        assert check(scores, rule, "strategy_proofness", n_draws=100).holds == (not gains)


def _winners(ranking):
    return ranking.index[ranking["rank"] == 1]


def test_a_missing_score_stays_missing_when_a_task_states_another_order():
    scores, _ = table_of({"ABC": 1, "BCA": 1, "CAB": 1})
    scores = scores.astype(float)
    scores.loc["A", "t1"] = np.nan
    seen = []

    def looked_at(board):
        seen.append(board.scores.isna().to_numpy())
        return nbrank.borda(board)

    check(scores, looked_at, "strategy_proofness")
    assert all((each == scores.isna().to_numpy()).all() for each in seen)


def test_reversal_symmetry():
    """A is first most often; in the second table also last most often."""
    scores, weights = table_of({"ABC": 4, "BAC": 3, "CAB": 2})
    found = check(scores, "plurality", "reversal_symmetry", weights=weights)
    assert (found.holds, found.examined) == (True, 1)
    scores, weights = table_of({"ABC": 4, "BCA": 3, "CBA": 2})
    found = check(scores, "plurality", "reversal_symmetry", weights=weights)
    assert found.witness.sentence == "'A' wins alone; with every task turned round, 'A' wins."


def test_reversal_symmetry_has_nothing_to_say_of_a_tie():
    scores, _ = table_of({"AB": 1, "BA": 1})
    assert check(scores, "plurality", "reversal_symmetry").examined == 0


def test_reinforcement_looks_at_every_split_once():
    """Four tasks have 2**3 - 1 splits in two; on one of Condorcet's, C beats A and B."""
    found = check(CYCLE.assign(t4=[3, 2, 1]), "borda", "reinforcement")
    assert (found.holds, found.exhaustive, found.examined) == (True, True, 7)
    assert check(CYCLE[["t1"]], "borda", "reinforcement").examined == 0
    sampled = check(CYCLE.assign(t4=[3, 2, 1]), "borda", "reinforcement", n_draws=5)
    assert (sampled.holds, sampled.examined) == (None, 5)


def test_reinforcement_of_instant_runoff():
    """B wins where C drops out first, and where A does; together B itself drops out, for A."""
    scores, weights = table_of({"ABC": 6, "BAC": 4, "CBA": 3})
    both = pd.concat([scores, scores.rename(columns=lambda task: f"u{task[1:]}")], axis=1)
    weights |= {"u1": 3, "u2": 4, "u3": 6}
    found = check(both, "instant_runoff", "reinforcement", weights=weights)
    assert found.witness.sentence == (
        "Both 't2', 'u1', 'u3' and the other tasks elect 'B'; on all together, 'A' wins."
    )
    assert list(found.witness.changed.tasks) == ["t2", "u1", "u3"]
    assert found.witness.after.winners == ("B",)


def test_reinforcement_asks_the_rule_on_both_parts_and_on_all():
    found = search("schulze", "reinforcement", n_systems=3, n_tasks=9)
    whole, part = found.witness.table, found.witness.changed
    rest = whole.select_tasks([task for task in whole.tasks if task not in part.tasks])
    elected = [set(nbrank.winners(board, ["schulze"])["schulze"]) for board in (whole, part, rest)]
    assert elected[1] & elected[2]
    assert elected[1] & elected[2] != elected[0]


#: Pairs of electorates, four voters together at most. Of the first somebody says A > B > C: names
#: make no difference.
PAIRS = [
    (("ABC", *others), second)
    for n, m in [(0, 1), (0, 2), (0, 3), (1, 2)]
    for others in itertools.product(ORDERS, repeat=n)
    for second in itertools.combinations_with_replacement(ORDERS, m)
]


#: Rules that lack reinforcement, but need more voters than these pairs have to show it.
BREAKS_IN_LARGE_ELECTORATES = {"instant_runoff"}  # five; its own test has 26


@pytest.mark.parametrize("rule", CHECKED)
def test_reinforcement_over_all_pairs_of_small_electorates(rule):
    """Young (1975): scoring rules keep it; no rule does that elects somebody, and by Condorcet."""

    @functools.cache
    def elect(voters):
        board = nbrank.from_ballots([list(order) for order in sorted(voters)])
        try:
            return frozenset(BoundRule.bind(rule_with_options(rule)).elect(board))
        except ValueError:  # Bradley-Terry: a system that wins always is infinitely strong.
            return frozenset()

    broken = [
        (first, second)
        for first, second in PAIRS
        if (common := elect(first) & elect(second))
        and (together := elect(tuple(sorted(first + second))))
        and together != common
    ]
    if RULES[rule].properties["reinforcement"]:
        assert broken == []
    elif rule not in BREAKS_IN_LARGE_ELECTORATES:
        assert broken, f"give {rule} a test with more voters, and list it above"


def test_a_condorcet_rule_that_keeps_reinforcement_elects_nobody_at_times():
    """Young 1975; Moulin 1988."""
    both = [
        rule
        for rule in RULES
        if RULES[rule].properties["condorcet_winner"] and RULES[rule].properties["reinforcement"]
    ]
    assert both == ["condorcet"]
    assert nbrank.winners(CYCLE, both)["condorcet"] == []


def test_homogeneity_finds_a_rule_that_counts_only_so_far():
    scores, _ = table_of({"AB": 1, "BA": 1})
    scores = pd.concat([scores["t1"], scores["t1"], scores["t2"]], axis=1)
    scores.columns = ["t1", "t2", "t3"]
    found = check(scores, most_tasks_up_to_three, "homogeneity")
    assert found.witness.sentence == ("With every task there 3 times, 'B' goes from rank 2 to 1.")
    assert found.witness.changed.scores.shape == (2, 9)
    assert check(scores, "borda", "homogeneity").holds is None


# ------------------------------------------------------------------------------ what comes back


def test_a_witness_can_be_run_again():
    for rule, axiom in [("baldwin", "monotonicity"), ("borda", IIA), ("plurality", "majority")]:
        found = search(rule, axiom, seed=1)
        if found.witness is None:
            continue
        again = RULES[rule].function(found.witness.changed)
        pd.testing.assert_frame_equal(again, found.witness.after.ranking)
        again = RULES[rule].function(found.witness.table)
        pd.testing.assert_frame_equal(again, found.witness.before.ranking)


def test_without_an_axiom_there_is_a_row_for_each():
    found = check(CYCLE.assign(t4=[3, 2, 1]), "plurality")
    assert list(found.index) == list(AXIOMS)
    assert found.index.name == "axiom"
    assert list(found.columns) == ["holds", "exhaustive", "examined", "witness"]
    assert found["holds"].dtype == "boolean"
    for axiom, row in found.iterrows():
        one = check(CYCLE.assign(t4=[3, 2, 1]), "plurality", axiom)
        assert [None if pd.isna(value) else value for value in row] == [
            one.holds,
            one.exhaustive,
            one.examined,
            one.witness and one.witness.sentence,
        ]


def test_the_same_seed_finds_the_same():
    scores = pd.DataFrame(np.random.default_rng(2).random((6, 8)))
    kwargs = {"n_draws": 8, "seed": 3}
    once, again = (check(scores, "copeland", **kwargs) for _ in range(2))
    pd.testing.assert_frame_equal(once, again)
    first = search("baldwin", "monotonicity", seed=1)
    second = search("baldwin", "monotonicity", seed=1)
    assert repr(first) == repr(second)
    assert repr(search("baldwin", "monotonicity", seed=2)) != repr(first)


def test_a_sample_is_no_proof():
    scores = pd.DataFrame(np.random.default_rng(4).random((4, 5)), index=list("ABCD"))
    sampled = check(scores, "borda", "anonymity", n_draws=20)
    assert (sampled.holds, sampled.exhaustive, sampled.examined) == (None, False, 20)
    complete = check(scores, "borda", "anonymity", n_draws=120)
    assert (complete.holds, complete.exhaustive, complete.examined) == (True, True, 120)


def test_what_is_printed():
    assert repr(check(CYCLE, "borda", "neutrality")) == (
        "neutrality of borda: holds on this table (all of 6 cases examined)"
    )
    assert repr(check(CYCLE, "borda", "majority")) == (
        "majority of borda: holds on this table, where it demands nothing"
    )
    assert repr(check(CYCLE, "borda", "homogeneity")) == (
        "homogeneity of borda: not broken in 2 cases, which are not all"
    )
    scores, weights = table_of({"AB": 3, "BA": 2})
    found = check(scores, "plurality", "independence_of_clones", weights=weights)
    assert repr(found).splitlines()[:7] == [
        "independence_of_clones of plurality: broken",
        "'A' wins; with 1 clone of 'A' added, 'B' wins.",
        "",
        "The table (winners: 'A')",
        "    t1   t2  rank",
        "A  0.0 -1.0     1",
        "B -1.0  0.0     2",
    ]
    assert "weights: 't1': 3, 't2': 2" in repr(found)


def test_lower_is_better_is_kept_through_every_change():
    rng = np.random.default_rng(6)
    for rule in ("borda", "minimax", "instant_runoff"):
        scores = pd.DataFrame(rng.integers(0, 9, size=(4, 4)), index=list("ABCD"))
        turned = scores.copy()
        turned[[0, 2]] *= -1
        expected = check(scores, rule, n_draws=12)
        found = check(turned, rule, lower_is_better=[0, 2], n_draws=12)
        pd.testing.assert_frame_equal(found, expected)


def test_tasks_of_weight_zero_take_no_part():
    scores = CYCLE.assign(t4=[3, 2, 1])
    expected = check(CYCLE, "borda")
    pd.testing.assert_frame_equal(check(scores, "borda", weights={"t4": 0}), expected)
    pd.testing.assert_frame_equal(
        check(nbrank.Leaderboard(scores, weights={"t4": 0}), "borda"), expected
    )


@pytest.mark.parametrize("rule", ["borda", "copeland", "instant_runoff", "ranked_pairs"])
def test_missing_scores_ties_and_tuples_as_labels(rule):
    rng = np.random.default_rng(7)
    scores = rng.integers(0, 3, size=(4, 4)).astype(float)
    scores[[0, 2], [1, 3]] = np.nan
    index = pd.MultiIndex.from_product([["x", "y"], [1, 2]])
    columns = pd.MultiIndex.from_tuples([("g", "a"), ("g", "b"), ("h", "a"), ("h", "c")])
    labelled = pd.DataFrame(scores, index=index, columns=columns)
    found = check(labelled, rule, n_draws=8)
    plain = check(pd.DataFrame(scores), rule, n_draws=8)
    pd.testing.assert_frame_equal(found.drop(columns="witness"), plain.drop(columns="witness"))


def test_a_change_that_the_rule_refuses_is_passed_over_and_said():
    """Bradley-Terry refuses a table on which one system beats another on every task."""
    scores = pd.DataFrame(
        {"t1": [4, 3, 2, 1], "t2": [1, 4, 3, 2], "t3": [2, 1, 4, 3]}, index=list("ABCD")
    )
    found = check(scores, "bradley_terry", IIA)
    assert not found.exhaustive
    assert found.holds is not True


def test_a_table_that_the_rule_refuses_is_refused():
    with pytest.raises(ValueError, match="geometric_mean"):
        check(-CYCLE, "geometric_mean", "majority")


def test_errors_name_what_is_wrong():
    with pytest.raises(ValueError, match="unknown axiom 'fairness'; the axioms are anonymity"):
        check(CYCLE, "borda", "fairness")
    with pytest.raises(ValueError, match="unknown rule 'bordeaux'"):
        check(CYCLE, "bordeaux")
    with pytest.raises(ValueError, match="unknown rule 'bordeaux'"):
        search("bordeaux", "majority")
    with pytest.raises(ValueError, match="unknown axiom"):
        search("borda", "fairness")
    with pytest.raises(ValueError, match="search: n_systems=2 must be at least 3"):
        search("borda", "majority", n_systems=2)
    rows = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    with pytest.raises(ValueError, match="average the instances first"):
        check(pd.DataFrame({"t1": [1, 2, 3, 4]}, index=rows), "borda")


def test_every_axiom_says_what_it_demands_and_whence_it_comes():
    for name, axiom in AXIOMS.items():
        assert axiom.name == name
        assert axiom.statement
        assert axiom.examined
        assert axiom.source[-4:].isdigit()
    assert set(AXIOMS) >= {axiom_of(name) for name in nbrank.rules.registry.PROPERTIES} - {
        "transitivity"
    }


def test_random_tables_are_strict_and_have_the_sizes_asked_for():
    rng = np.random.default_rng(0)
    sizes = set()
    for _ in range(60):
        table = checking.random_table(rng, 5, 3)
        sizes.add(table.scores.shape)
        for column in table.scores.T:
            assert len(set(column)) == len(column)
    assert sizes == {(n, m) for n in (3, 4, 5) for m in (1, 2, 3)}


@pytest.mark.parametrize("axiom", ["strategy_proofness", "participation", "independence_of_clones"])
def test_changes_of_a_large_table_are_made_one_by_one(axiom):
    """24 systems have more orders, and 24 tasks more clones, than any memory holds."""
    rng = np.random.default_rng(0)
    found = check(pd.DataFrame(rng.random((24, 24))), "plurality", axiom, n_draws=3)
    assert found.holds is not True
    assert not found.exhaustive
    assert 1 <= found.examined <= 24 + 6
