"""What the ballots of a class come to: winners, rounds, and how few voters could change them."""

import itertools

import numpy as np
import pytest

import nbrank
from nbrank.frontends.class_page.class_page import EXAMPLE
from nbrank.frontends.class_page.pasted_ballots import read_pasted
from nbrank.frontends.class_page.vote_result import CARDS, VoteResult

CIRCLE = "A > B > C\nB > C > A\nC > A > B"


def count(text):
    return VoteResult(read_pasted(text))


@pytest.fixture
def example():
    return count(EXAMPLE)


def test_the_example_has_four_winners_under_four_rules(example):
    assert example.winners == {
        "plurality": ["Cinema"],
        "instant_runoff": ["Climbing"],
        "borda": ["Zoo"],
        "condorcet": ["Lake"],
    }
    assert example.headline == "30 ballots, 4 rules, 4 winners: the rule decides."
    assert [example.explain(rule) for rule in CARDS] == [
        "11 of 30 put it first",
        "16 to 14 in the last round",
        "81 of 120 points",
        "4 of 4; 16 to 14 against Cinema",
    ]


def test_who_goes_takes_the_votes_to_the_next_choice(example):
    assert [played.eliminated for played in example.rounds] == [
        ["Zoo"],
        ["Lake"],
        ["Museum"],
        ["Cinema"],
    ]
    assert [played.votes["Cinema"] for played in example.rounds] == [11, 14, 14, 14]
    moved = example.rounds[0].transfers
    assert moved["Zoo", "Cinema"] == 3
    assert sum(moved.values()) == 3


@pytest.mark.parametrize("seed", range(20))
def test_the_votes_of_each_round_are_those_of_the_last_and_what_moved(seed):
    rng = np.random.default_rng(seed)
    lines = [" > ".join(rng.permutation(list("ABCDE"))[: rng.integers(1, 6)]) for _ in range(9)]
    result = count("\n".join([*lines, "A > B = C > D"]))
    for now, then in itertools.pairwise(result.rounds):
        for name, votes in then.votes.items():
            came = sum(moved for (_, to), moved in now.transfers.items() if to == name)
            assert np.isclose(votes, now.votes[name] + came)
        assert np.isclose(sum(then.votes.values()), result.ballots.n_voters)


def test_in_a_circle_no_option_beats_all_others():
    result = count(CIRCLE)
    assert result.winners["condorcet"] == []
    assert result.headline == (
        "3 ballots, 4 rules, 3 winners: the rule decides. No option beats all others."
    )
    assert result.explain("condorcet") == "each option is level with another, or loses to it"
    assert result.changes[0] == "Plurality: A, B and C are level, and one voter can decide."


def test_rules_that_agree_are_said_to_agree():
    assert count("A > B\nA > B\nB > A").headline == "3 ballots, 4 rules, 1 winner: A."


def test_who_is_named_most_wins_by_approval_where_some_leave_options_out(example):
    assert "approval of all who are named" not in example.further
    approved = count("A > B\nC > B\nB").further["approval of all who are named"]
    assert approved == ["B"]


def test_without_an_option_the_rules_choose_among_the_others(example):
    assert example.winners_without["Lake"]["condorcet"] == ["Zoo"]
    assert example.winners_without["Climbing"]["instant_runoff"] == ["Lake"]
    assert count("A > B\nB > A\nA > B").winners_without == {}


def test_what_is_said_to_change_the_winner_is_the_fewest_for_points(example):
    assert example.changes[0] == ("Plurality: 3 changed ballots put Museum ahead of Cinema.")
    assert example.changes[2] == ("Borda: 2 changed ballots put Lake ahead of Zoo.")


@pytest.mark.parametrize("rule", ["plurality", "borda"])
@pytest.mark.parametrize("seed", range(10))
def test_the_fewest_changes_are_the_margin_of_victory(seed, rule):
    rng = np.random.default_rng(seed)
    lines = [" > ".join(rng.permutation(list("ABCD"))[: rng.integers(1, 5)]) for _ in range(11)]
    result = count("\n".join([*lines, "3: A > B = C > D"]))
    said = result.changes[list(CARDS).index(rule)]
    if len(result.winners[rule]) > 1:
        assert "one voter can decide" in said
    else:
        margin = nbrank.margin_of_victory(result.board, rule).loc["tasks"]
        assert f": {int(margin['least'])} changed ballot" in said
        assert f"{margin['rival']} ahead of {result.winners[rule][0]}" in said


def test_what_is_not_computed_is_said():
    assert count("A > B > C\nB > C > A\nC > A > B\nA > B\nB\nC").changes[3] == (
        "Condorcet: not computed, since no option wins."
    )
    assert count("C\nA\nB > C > A\nA > C > B\nA").changes[1] == (
        "Instant runoff: not computed; no swap in a single round was found to change it."
    )


def test_swaps_that_are_said_to_change_the_runoff_do(example):
    assert example.changes[1] == "Instant runoff: with Lake and Zoo swapped on 1 ballot, Zoo wins."
    lines = EXAMPLE.replace(
        "4: Lake > Zoo", "Zoo > Lake > Climbing > Museum > Cinema\n3: Lake > Zoo"
    )
    assert count(lines).winners["instant_runoff"] == ["Zoo"]


def test_long_names_are_shortened_and_two_never_to_the_same():
    long = "A visit to the museum of technology"
    result = count(f"{long} in Vienna > Zoo\n{long} in Munich > Zoo\nZoo > {long} in Munich")
    assert len(set(result.board.systems)) == 3
    assert max(map(len, result.board.systems)) <= 20
