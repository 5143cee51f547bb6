"""Elections: every rule crowns whom others crown, and a count is as many equal voters."""

import random
from contextlib import nullcontext
from functools import partial

import numpy as np
import pandas as pd
import pytest
import votelib.evaluate.condorcet as votelib
import whalrus

import nbrank
from nbrank import RULES, Leaderboard, from_ballots
from nbrank.votes.user_warnings import SimilarNamesWarning

#: The example of textbooks: where is Tennessee's capital to be? Memphis, Nashville, Chattanooga
#: and Knoxville, each of whose voters prefers what is nearer.
TENNESSEE = {"MNCK": 42, "NCKM": 26, "CKNM": 15, "KCNM": 17}
#: Condorcet, Essai, 1785, p. LXI: 60 voters whose majorities go round in a circle.
CONDORCET = {"ABC": 23, "BCA": 17, "BAC": 2, "CAB": 10, "CBA": 8}
#: Schulze, A new monotonic, clone-independent, ... method, 2011, section 3.1.
SCHULZE = {
    "ACBED": 5, "ADECB": 5, "BEDAC": 8, "CABED": 3, "CAEBD": 7, "CBADE": 2, "DCEBA": 7, "EBADC": 8,
}  # fmt: skip


def election(profile, **options):
    return from_ballots([list(order) for order in profile], list(profile.values()), **options)


def random_elections(n, systems="ABCDE", cut=False):
    for seed in range(n):
        draw = random.Random(seed)
        profile = {}
        for _ in range(draw.randint(3, 9)):
            order = draw.sample(systems, len(systems) if not cut else draw.randint(1, len(systems)))
            profile["".join(order)] = draw.randint(1, 9)
        yield profile


@pytest.mark.parametrize(
    ("rule", "winner"),
    [
        ("plurality", "M"),
        ("antiplurality", "NC"),
        ("instant_runoff", "K"),
        ("coombs", "N"),
        ("borda", "N"),
        ("bucklin", "N"),
        ("condorcet", "N"),
        ("copeland", "N"),
        ("minimax", "N"),
        ("kemeny", "N"),
        ("baldwin", "N"),
        ("nanson", "N"),
    ],
)
def test_the_capital_of_tennessee(rule, winner):
    assert nbrank.winners(election(TENNESSEE), [rule])[rule] == list(winner)


def test_condorcets_sixty_voters():
    # A beats B by 33 to 27, B beats C by 42 to 18, C beats A by 35 to 25; Borda puts B first.
    votes = election(CONDORCET)
    assert votes.pairwise().loc["A", "B"] == 33
    assert votes.pairwise().loc["B", "C"] == 42
    assert votes.pairwise().loc["C", "A"] == 35
    assert votes.borda()["score"].to_dict() == {"B": 69, "A": 58, "C": 53}
    assert nbrank.winners(votes, ["condorcet"])["condorcet"] == []


def test_schulzes_own_example():
    assert list(election(SCHULZE).schulze().index) == list("EACBD")


@pytest.mark.parametrize("cut", [False, True])
def test_winners_are_those_of_whalrus_and_votelib(cut):
    for profile in random_elections(12, cut=cut):
        votes = election(profile)
        systems = list(votes.systems)
        # An inner set of whalrus is tied candidates: those left out, below all others.
        orders = [[*order, set(systems) - set(order)] for order in profile]
        theirs = whalrus.Profile(
            [whalrus.BallotOrder([part for part in order if part]) for order in orders],
            weights=list(profile.values()),
        )
        for rule, other in [
            ("borda", whalrus.RuleBorda),
            ("copeland", whalrus.RuleCopeland),
            ("schulze", whalrus.RuleSchulze),
        ]:
            ours = nbrank.winners(votes, [rule])[rule]
            assert set(ours) == set(other(theirs).cowinners_), (rule, profile)
        counts = {
            (a, b): sum(
                count
                for order, count in profile.items()
                if a in order and (b not in order or order.index(a) < order.index(b))
            )
            for a in systems
            for b in systems
            if a != b
        }
        first = votelib.Schulze().evaluate(counts)[0]
        assert first in nbrank.winners(votes, ["schulze"])["schulze"]


def test_a_whole_election_goes_by_instant_runoff_as_whalrus_does():
    for profile in random_elections(40):
        theirs = whalrus.Profile(
            [whalrus.BallotOrder(list(order)) for order in profile], weights=list(profile.values())
        )
        rule = whalrus.RuleIRV(theirs, tie_break=whalrus.Priority.ASCENDING)
        ours = nbrank.winners(election(profile), ["instant_runoff"])["instant_runoff"]
        # Whoever is tied for elimination goes together here, and one by one there.
        if not _tied_rounds(profile):
            assert ours == [rule.winner_]


def _tied_rounds(profile):
    left = set("".join(profile))
    while len(left) > 1:
        firsts = dict.fromkeys(left, 0)
        for order, count in profile.items():
            firsts[next(system for system in order if system in left)] += count
        least = [system for system, count in firsts.items() if count == min(firsts.values())]
        if len(least) > 1:
            return True
        left -= set(least)
    return False


def test_unranked_systems_stand_below_or_are_not_spoken_of():
    below = from_ballots([["A"], ["B", ["C", "A"]]])
    assert below.scores.to_numpy().tolist() == [[3, 2], [0, 3], [0, 2]]
    missing = from_ballots([["A", "B"], ["B", ["C", "A"]]], unranked="missing")
    assert np.isnan(missing.scores.loc["C", 1])
    assert from_ballots([["A", {"B", "C"}]]).scores[1].tolist() == [3, 2, 2]


def test_a_comma_is_part_of_a_name_only_where_it_is_no_second_sign():
    named = from_ballots("Pizza, Napoli > Sushi\nSushi > Pizza, Napoli\nPizza, Napoli\nA, B >")
    assert list(named.systems) == ["Pizza, Napoli", "Sushi", "A, B"]
    said = "ballot 2, 'Tacos, Pizza' separates by commas, others by >: write Tacos > Pizza, or"
    mixed = ["2: Pizza > Sushi > Curry", "1: Tacos, Pizza", "1: Curry > Pizza"]
    for ballots in (mixed, "\n".join(mixed), pd.DataFrame({"order": mixed})):
        with pytest.raises(ValueError, match=said):
            from_ballots(ballots)
    with pytest.raises(ValueError, match="ballot 3, 'B, A' separates by commas"):
        nbrank.read(b'order\nA > B\nB > A\n"B, A"\nA > B\n')


def test_a_comma_between_two_options_of_one_place_seems_to_be_a_tie():
    with pytest.raises(ValueError, match="ballot 2, 'B,C' seems to be a tie: write B = C, or"):
        from_ballots("5: A > B > C\n3: B,C > A")
    assert len(from_ballots("A > B > C\nB = C > A").systems) == 3
    named = from_ballots("A > B > C\nB,C > A\nA > B,C")  # named so twice
    assert "B,C" in named.systems


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([],), "no ballots given"),
        ((["AB"],), "ballot 1 is 'AB'; give a list of systems"),
        (([["A"], ["B", ["A", "B"]]],), "ballot 2 names 'B' more than once"),
        (([["A", "B", "A"]],), "ballot 1 names 'A' more than once"),
        (([["A"], []],), "ballot 2 ranks no system"),
        (([["A"], ["B"]], [1]), "1 count for 2 ballots"),
        (([["A"], ["B"]], [1, 0]), "counts must be whole numbers from 1, but not of 2"),
        (([["A"], ["B"]], [1, 1.5]), "counts must be whole numbers"),
        (([[None, "A"]],), "ballot 1 has a place without a name"),
        ((pd.DataFrame({"x": [0.5, 0.7]}),), "'x' hold no ballots; give columns of places"),
        ((["2: A > B"], [3]), "give one of them"),
        (([None],), "ballot 1 is None"),
        (([["A"]], None, "last"), "unranked='last' is unknown"),
    ],
)
def test_what_is_no_election_is_refused_by_the_number_of_the_ballot(arguments, said):
    with pytest.raises((TypeError, ValueError), match=said):
        from_ballots(*arguments)


def test_columns_of_a_frame_are_ballots_and_counts():
    election = pd.DataFrame({"ballot": [["A", "B"], ["B", "A"]], "voters": [3, 2]}, index=[7, 9])
    assert from_ballots(election["ballot"], election["voters"]).weights.tolist() == [3, 2]


# ----------------------------------------------------------------------------------------- counts


@pytest.fixture(scope="module")
def boards():
    random_ = np.random.default_rng(1)
    scores = pd.DataFrame(random_.integers(0, 4, (4, 5)).astype(float), index=list("ABCD"))
    scores.iloc[1, 2] = np.nan
    counts = np.array([3, 1, 2, 1, 4])
    each = np.repeat(np.arange(5), counts)
    repeated = scores.iloc[:, each].set_axis(range(len(each)), axis=1)
    weights = {0: 2.0, 4: 0.5}
    of_each = {position: weights.get(task, 1.0) for position, task in enumerate(each)}
    return (
        Leaderboard(scores, counts=counts, weights=weights, lower_is_better=[1]),
        Leaderboard(repeated, weights=of_each, lower_is_better=[3]),
    )


ALONE = [
    name
    for name, rule in RULES.items()
    if not rule.arguments and rule.supports(Leaderboard.provides)
]


@pytest.mark.parametrize("name", ALONE)
def test_a_count_is_as_many_equal_tasks_to_every_rule(boards, name):
    rule = RULES[name]
    found = []
    for board in boards:
        try:
            found.append(rule.function(board))
        except ValueError as error:
            found.append(str(error).partition(":")[0])
    if isinstance(found[0], str):
        assert found[0] == found[1]
    else:
        pd.testing.assert_frame_equal(*found)


def test_a_count_is_as_many_draws_to_every_question_of_how_sure(boards):
    for question in (
        partial(nbrank.rank_confidence, rule="borda", seed=0),
        partial(nbrank.rank_confidence, rule="mean_win_rate", seed=0),
        partial(nbrank.confidence, method="wilson"),
        partial(nbrank.strengths, prior=1),
    ):
        one, other = (question(board) for board in boards)
        pd.testing.assert_frame_equal(one, other)
        assert one.attrs == other.attrs


@pytest.mark.parametrize(
    ("rule", "n"), [("borda", 4000), ("plurality", 4000), ("copeland", 300), ("bucklin", 300)]
)
def test_a_bootstrap_over_tasks_draws_voters(boards, rule, n):
    one, other = (
        nbrank.bootstrap(board, rule, n_draws=n, seed=0)["p_best"].sort_index() for board in boards
    )
    # The largest difference of four such shares is below 4.5 standard errors.
    error = np.sqrt((one * (1 - one) + other * (1 - other)) / n)
    assert (np.abs(one - other) <= 4.5 * error + 1e-12).all()


def test_a_few_kinds_of_ballot_are_resampled_as_the_many_voters_that_they_stand_for():
    votes = from_ballots([["A", "B"], ["B", "A"]], counts=[5_200, 4_800])
    # A loses where fewer than half of 10,000 voters are its own: 4 standard deviations away.
    assert nbrank.bootstrap(votes, "borda", n_draws=2000, seed=0)["p_best"]["A"] > 0.99
    assert nbrank.rank_confidence(votes, "borda", seed=0).attrs["n"] == 10_000
    assert repr(votes) == "Leaderboard: 2 systems x 2 ballots (10,000 voters)"
    assert repr(from_ballots([["A", "B"]] * 3)) == "Leaderboard: 2 systems x 3 ballots"


def test_counts_are_said_in_any_way():
    scores = pd.DataFrame({"t": [1, 2], "u": [2, 1]}, index=["A", "B"])
    for counts in ([1, 3], {"u": 3}, pd.Series({"t": 1, "u": 3}), np.array([1.0, 3.0])):
        assert Leaderboard(scores, counts=counts).voter_counts.tolist() == [1, 3]
    board = Leaderboard(scores, counts={"u": 3}, groups={"g": ["t"], "h": ["u"]})
    assert board.with_weights("balanced").weights.tolist() == [1, 1]
    assert board.select_tasks(["u"]).voter_counts.tolist() == [3]
    assert board.with_weights({"u": 2}).weights.tolist() == [1, 6]


@pytest.mark.parametrize("counts", [[1], {"v": 2}, [0, 1], [1, np.nan], {"t": -1}])
def test_counts_that_are_none_are_refused(counts):
    scores = pd.DataFrame({"t": [1, 2], "u": [2, 1]}, index=["A", "B"])
    with pytest.raises(ValueError, match="counts"):
        Leaderboard(scores, counts=counts)


def test_counts_are_not_for_instances():
    index = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    with pytest.raises(ValueError, match="counts are for tasks"):
        Leaderboard(pd.DataFrame({"t": [1, 2, 3, 4]}, index=index), counts=[2])


@pytest.mark.parametrize(
    "groups", [{"t": "g", "u": "h", "v": "g"}, pd.Series({"t": "g", "u": "h", "v": "g"})]
)
def test_groups_may_be_said_from_task_to_group(groups):
    scores = pd.DataFrame({"t": [1, 2], "u": [2, 1], "v": [3, 3]}, index=["A", "B"])
    assert dict(Leaderboard(scores, groups=groups).groups) == {"g": ("t", "v"), "h": ("u",)}
    with pytest.raises(ValueError, match="in no group"):
        Leaderboard(scores, groups={"t": "g"})
    with pytest.raises(ValueError, match="unknown 'w'"):
        Leaderboard(scores, groups={"t": "g", "w": "g"})


# ------------------------------------------------------------------------------ counts by label

ORDERS = [("A", "B", "C"), ("B", "C", "A"), ("C", "A", "B")]
COUNTS = [5, 3, 1]


@pytest.mark.parametrize(
    "labels",
    [[0, 1, 2], [1, 2, 3], ORDERS],
    ids=["numbers from 0", "numbers of the ballots", "the ballots"],
)
@pytest.mark.parametrize("kind", [dict, pd.Series])
def test_counts_with_labels_are_aligned_with_the_ballots(labels, kind):
    shuffled = {labels[at]: COUNTS[at] for at in (2, 0, 1)}
    given = kind(shuffled)
    if kind is pd.Series:
        given = pd.Series(list(shuffled.values()), pd.Index(shuffled, tupleize_cols=False))
    # Numbers may be left over from sorting; a Series of them says nothing on purpose.
    doubted = kind is pd.Series and labels != ORDERS
    warned = pytest.warns(UserWarning, match="in another order") if doubted else nullcontext()
    with warned:
        assert from_ballots(ORDERS, given).voter_counts.tolist() == COUNTS


def test_ballots_and_counts_of_a_frame_are_aligned_by_its_rows():
    frame = pd.DataFrame({"order": ORDERS, "n": COUNTS}, index=["u", "v", "w"])
    shuffled = frame["n"].sample(frac=1, random_state=0)
    assert shuffled.index.tolist() != frame.index.tolist()
    assert from_ballots(frame["order"], shuffled).voter_counts.tolist() == COUNTS
    counted = pd.Series([("A", "B"), ("B", "A"), ("B", "A")]).value_counts()
    assert from_ballots(counted.index, counted).borda().index.tolist() == ["B", "A"]


def test_counts_with_other_labels_are_refused():
    counts = pd.Series(COUNTS, index=["x", "y", "z"])
    with pytest.raises(ValueError, match=r"the counts are those of 'x', 'y', 'z', and the ballots"):
        from_ballots(ORDERS, counts)
    # What the message says.
    assert from_ballots(ORDERS, list(counts)).voter_counts.tolist() == COUNTS
    frame = pd.DataFrame({"order": ORDERS, "n": COUNTS}, index=["u", "v", "w"])
    with pytest.raises(ValueError, match=r"the counts are those of 0, 1, 2, and the ballots are '"):
        from_ballots(frame["order"], frame["n"].reset_index(drop=True))


# ------------------------------------------------------------------------------- names of systems


def test_names_that_differ_in_spaces_or_unicode_form_are_one_system():
    ballots = [["Café", "b"], ["Cafe\N{COMBINING ACUTE ACCENT}", " b"], ["b", "Café"]]
    with pytest.warns(SimilarNamesWarning) as caught:
        votes = from_ballots(ballots)
    assert votes.systems.tolist() == ["Café", "b"]
    assert [str(one.message).partition(" are")[0] for one in caught] == [
        r"'Café', 'Cafe\u0301'",
        "'b', ' b'",
    ]
    assert votes.borda()["score"].to_dict() == {"Café": 2.0, "b": 1.0}


def test_a_ballot_that_names_a_system_in_two_spellings_is_refused():
    with pytest.raises(ValueError, match="ballot 2 names 'b', 'b ', which differ only in spaces"):
        from_ballots([["a", "b"], ["b", "a", "b "]])


def test_names_equal_but_for_case_are_two_systems_with_one_warning():
    with pytest.warns(SimilarNamesWarning, match="'gpt-4', 'GPT-4' count as different") as caught:
        assert len(from_ballots([["gpt-4", "GPT-4"]]).systems) == 2
    assert len(caught) == 1


def test_counts_numbered_in_another_order_than_the_ballots_are_warned_of():
    orders = [["A", "B"], ["B", "A"], ["A"]]
    counts = pd.Series([3, 2, 1], index=[2, 1, 0])
    with pytest.warns(UserWarning, match="numbered in another order") as caught:
        board = nbrank.from_ballots(orders, counts)
    assert board.voter_counts.tolist() == [1, 2, 3]
    assert "counts=list(counts)" in str(caught[0].message)
    assert nbrank.from_ballots(orders, list(counts)).voter_counts.tolist() == [3, 2, 1]
    assert nbrank.from_ballots(orders, counts.sort_index()).voter_counts.tolist() == [1, 2, 3]
    assert nbrank.from_ballots(orders, {2: 3, 1: 2, 0: 1}).voter_counts.tolist() == [1, 2, 3]
    by_label = pd.Series(orders, index=[0, 1, 2])
    assert nbrank.from_ballots(by_label, counts).voter_counts.tolist() == [1, 2, 3]


TEXT = """
5: A > B = C
3: B > A
"""
PLACES = [["A", "B"], ["B", "C", "A"], ["C"]]


def test_texts_are_ballots_with_their_counts():
    expected = from_ballots([["A", ["B", "C"]], ["B", "A"]], counts=[5, 3])
    for texts in (TEXT, TEXT.split("\n")[1:3], "5 x A>B=C\n3 x B>A", ["5: A; B=C;", "3: B;A"]):
        board = from_ballots(texts)
        assert board.scores.equals(expected.scores)
        assert board.plurality()["score"].tolist() == expected.plurality()["score"].tolist()


@pytest.mark.parametrize("sign", [";", ",", " > ", "|"])
def test_one_sign_parts_all_texts(sign):
    assert from_ballots([sign.join(place) for place in PLACES]).scores.equals(
        from_ballots(PLACES).scores
    )


def test_braces_hold_what_is_tied():
    board = from_ballots(["A > {B, C}", "B > A > C"])
    assert board.scores.equals(from_ballots([["A", ["B", "C"]], ["B", "A", "C"]]).scores)


FRAMES = {
    "places": pd.DataFrame({"student": list("uvw"), "1st": list("ABC"), "2nd": ["B", "C", None],
                            "3rd": [None, "A", ""]}),
    "choices": pd.DataFrame({"First choice": list("ABC"), "Second choice": ["B", "C", None],
                             "Third choice": [None, "A", None]}),
    "numbers": pd.DataFrame({1: list("ABC"), 2: ["B", "C", None], 3: [None, "A", None]}),
    "form": pd.DataFrame({"Rank them [1]": list("ABC"), "Rank them [2]": ["B", "C", None],
                          "Rank them [3]": [None, "A", None]}),
    "lists": pd.DataFrame({"student": list("uvw"), "order": PLACES}),
    "texts": pd.DataFrame({"student": list("uvw"), "order?": ["A;B", "B;C;A", "C"]}),
    "grid": pd.DataFrame({"student": list("uvw"), "A": [1, 3, None], "B": [2, 1, None],
                          "C": [None, 2, 1]}),
    "grid of words": pd.DataFrame({"Vote [A]": ["1st", "3rd", ""], "Vote [B]": ["2nd", "1st", ""],
                                   "Vote [C]": ["", "2nd", "1st"]}),
}  # fmt: skip


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_ballots_are_read(kind):
    board = from_ballots(FRAMES[kind])
    expected = from_ballots(PLACES).scores
    assert (board.scores.loc[list("ABC")].to_numpy() == expected.to_numpy()).all()


def test_a_column_of_counts_is_theirs_and_labels_align_others():
    frame = FRAMES["places"].assign(votes=[5, 3, 2])
    assert from_ballots(frame).plurality()["score"].to_dict() == {"A": 5, "B": 3, "C": 2}
    by_label = FRAMES["places"].set_index("student")
    counts = pd.Series({"w": 2, "v": 3, "u": 5})
    assert from_ballots(by_label, counts).plurality()["score"].to_dict() == {"A": 5, "B": 3, "C": 2}


def test_ties_in_a_grid_are_ties():
    grid = pd.DataFrame({"A": [1, 2], "B": [1, 1], "C": [2, 3]})
    expected = from_ballots([[["A", "B"], "C"], ["B", "A", "C"]])
    assert from_ballots(grid).scores.loc[list("ABC")].equals(expected.scores.loc[list("ABC")])


def test_a_voter_who_ranks_nobody_is_named():
    with pytest.raises(ValueError, match="ballot 2 ranks no system; leave it out"):
        from_ballots(pd.DataFrame({"1st": ["A", None], "2nd": ["B", None]}))
