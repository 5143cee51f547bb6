"""The fewest votes whose removal changes the first: exact where proven, by brute force."""

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.paired_comparison_models import bradley_terry, find_identifiability_issue
from nbrank.arrays.weights.removable_votes import VoteBatches
from nbrank.votes.comparisons import Comparisons

# Random boards fall apart where few votes are left.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.votes.user_warnings.NeverMetWarning")

OF_COUNTS = ("copeland", "borda", "mean_win_rate")


def board(rng, *, weighted=False, n_systems=None):
    n_systems = n_systems or int(rng.integers(2, 5))
    n_votes = int(rng.integers(n_systems * 2, n_systems * 3 + 1))
    left = rng.integers(0, n_systems, n_votes)
    right = (left + rng.integers(1, n_systems, n_votes)) % n_systems
    win = 1 / (1 + np.exp((left - right) * 0.7))
    winner = np.where(
        rng.random(n_votes) < 0.2, "tie", np.where(rng.random(n_votes) < win, "left", "right")
    )
    names = np.array(list("ABCD"))
    frame = pd.DataFrame({"left": names[left], "right": names[right], "winner": winner})
    if weighted:
        frame["weight"] = rng.choice([0.5, 1.0, 2.0], n_votes)
    return frame


def read(frame, **options):
    options |= {"weight": "weight"} if "weight" in frame else {}
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", **options)


def ranks(comparisons, rule, prior=0.0):
    """Ranks by the rule; of the model by its functions of arrays, None where it refuses."""
    if rule != "bradley_terry":
        return nbrank.RULES[rule].function(comparisons)["rank"].reindex(comparisons.systems)
    if not prior and find_identifiability_issue(comparisons.counts) is not None:
        return None
    strengths = bradley_terry(comparisons.counts, prior).strengths
    return pd.Series(-strengths.round(9), comparisons.systems).rank(method="min")


def fewest(comparisons, rule, winner, most, **options):
    """For each rival the size of the smallest set of votes that is enough, all of them tried."""
    batches = VoteBatches.from_comparisons(comparisons.outcomes, len(comparisons.systems))
    smallest = {}
    for size in range(1, most + 1):
        for chosen in combinations_with_replacement(range(len(batches)), size):
            removed = np.bincount(chosen, minlength=len(batches)).astype(float)
            if (removed > batches.numbers).any():
                continue
            left = Comparisons.from_counts(comparisons.systems, batches.count(removed))
            after = ranks(left, rule, **options)
            if after is not None:
                for rival in after.index[after < after[winner]]:
                    smallest.setdefault(rival, size)
    return smallest


def without(frame, removed):
    """The battles without the votes that an answer names."""
    left = frame.copy()
    for first, second, outcome, number in removed:
        ours = (left["left"] == first) & (left["right"] == second)
        theirs = (left["left"] == second) & (left["right"] == first)
        words = ("tie", "tie") if outcome == "tie" else ("left", "right")
        same = (ours & (left["winner"] == words[0])) | (theirs & (left["winner"] == words[1]))
        rows = left[same]
        if "weight" in rows:
            rows = rows.sort_values("weight", ascending=False, kind="stable")
        assert len(rows) >= number
        left = left.drop(index=rows.index[:number])
    return left


def single_winner(comparisons, rule, **options):
    try:
        ranking = nbrank.RULES[rule].function(comparisons, **options)
    except ValueError:
        return None
    first = ranking.index[ranking["rank"] == 1]
    return first[0] if len(first) == 1 else None


def check(frame, rule, *, tried=3, **options):
    """Check all answers for a board; return how many are proven, and how many there are."""
    comparisons = read(frame)
    winner = single_winner(comparisons, rule, **options)
    if winner is None:
        return 0, 0
    answer = nbrank.unseat(comparisons, rule, **options)
    assert list(answer.columns) == ["votes", "rival", "removed", "proven"]
    proven = answer["votes"][answer["proven"]].fillna(tried)
    # Sets of the proven size too, so that the numbers are equal and not only no larger.
    most = min(proven.max(), tried) if len(proven) else 0
    smallest = fewest(comparisons, rule, winner, most, **options)
    for rival, row in answer.iterrows():
        if pd.isna(row["votes"]):
            assert row["removed"] == ()
            assert not (row["proven"] and rival in smallest)
            continue
        left = without(frame, row["removed"])
        assert len(frame) - len(left) == row["votes"]
        if set(left["left"]) | set(left["right"]) == set(comparisons.systems):
            after = nbrank.RULES[rule].function(read(left), **options)["rank"]
            assert after[rival] < after[winner]
            assert after[row["rival"]] == 1
        if row["proven"]:
            assert smallest.get(rival, tried + 1) == min(row["votes"], tried + 1)
    margin = nbrank.margin_of_victory(comparisons, rule, **options)
    assert list(margin.index) == ["votes"]
    assert margin["votes"].iloc[0] is pd.NA or margin["votes"].iloc[0] == answer["votes"].min()
    return int(answer["proven"].sum()), len(answer)


@pytest.mark.parametrize("prior", [0.0, pytest.param(1.0, marks=pytest.mark.full)])
def test_by_the_model_no_fewer_votes_do_it_on_200_small_boards(prior):
    rng = np.random.default_rng(int(prior))
    proven, number = np.sum(
        [check(board(rng), "bradley_terry", tried=2, prior=prior) for _ in range(100)], axis=0
    )
    assert number > 100
    assert proven > number / 2


@pytest.mark.filterwarnings("ignore:mean_win_rate.*none on a task")
@pytest.mark.parametrize("rule", OF_COUNTS)
def test_by_counts_no_fewer_votes_do_it_on_small_boards(rule):
    rng = np.random.default_rng(2)
    proven, number = np.sum([check(board(rng), rule, tried=2) for _ in range(40)], axis=0)
    assert number > 40
    assert proven > number / 2


@pytest.mark.parametrize("rule", [*OF_COUNTS, "bradley_terry"])
def test_of_weighted_votes_the_heaviest_go(rule):
    rng = np.random.default_rng(3)
    boards = [board(rng, weighted=True, n_systems=3) for _ in range(20)]
    assert np.sum([check(frame, rule, tried=2) for frame in boards], axis=0)[1] > 20


# -------------------------------------------------------------------------------------- by example


def battles(text, **columns):
    """Battles such as "A>B 3, A=B": who won against whom, and how often."""
    rows = []
    for item in text.split(", "):
        pair, _, number = item.partition(" ")
        first, sign, second = pair
        rows.append((first, second, "tie" if sign == "=" else first, int(number or 1)))
    frame = pd.DataFrame(rows, columns=["left", "right", "winner", "n"])
    return nbrank.from_comparisons(
        frame, left="left", right="right", winner="winner", count="n", **columns
    )


def test_a_rival_that_won_nothing_keeps_its_tie():
    # C won 3 of 4: without two wins it is level with the half of A, without three behind.
    answer = nbrank.unseat(battles("C>D 2, C>B, B>C, D>B, B>D, A=D"), "mean_win_rate")
    assert answer.loc["A", "votes"] == 3


def test_a_winner_without_a_vote_is_last():
    # A can lose its two votes, and no smaller number of votes puts D above it.
    by_pairs = battles("A>B, A>C, D>B, C>D, B>D").unseat("copeland")
    assert by_pairs.loc["D"].drop("rival").tolist() == [
        2,
        (("A", "C", "left", 1), ("A", "B", "left", 1)),
        True,
    ]
    by_share = battles("C=A, B>A, C>B").unseat("mean_win_rate")
    assert by_share.loc["A", "votes"] == 2


def test_many_votes_take_no_more_time_than_few():
    few, many = (
        battles(f"A>B 3{n}, B>A 2{n}, B>C 3{n}, C>B {n}, A=C {n}, C>A {n}").unseat("mean_win_rate")
        for n in (10**2, 10**9)
    )
    assert (few["votes"] / 10**2 - many["votes"] / 10**9).between(0, 0.01).all()
    assert few["proven"].tolist() == many["proven"].tolist()


def test_by_borda_a_winner_without_a_vote_is_in_the_middle():
    # By the points of Borda, C is in the middle without its only vote, level with A and B.
    answer = battles("A>B, B>A, C>A").unseat("borda")
    assert answer["votes"].tolist() == [2, 2]


def test_a_rival_without_a_vote_is_not_above():
    # Without A>D and another vote, A is level with the others, but D has no vote left.
    answer = battles("A>C, C>B, B>A, A>D").unseat("copeland")
    assert answer.loc["D"].tolist() == [pd.NA, None, (), True]


@pytest.fixture(scope="module")
def arena():
    return nbrank.from_comparisons(
        nbrank.datasets.load_chatbot_arena(),
        left="left",
        right="right",
        winner="winner",
        count="votes",
    )


def test_a_margin_of_one_win_goes_with_two():
    answer = battles("A>B 6, B>A 5").unseat()
    assert answer.loc["B"].to_list() == [2, "B", (("A", "B", "left", 2),), True]
    assert answer.attrs == {"rule": "bradley_terry", "winner": "A"}


def test_the_model_is_what_it_asks_by_default():
    comparisons = battles("A>B 6, B>A 3, A>C 5, C>A 4, B>C 7, C>B 2")
    pd.testing.assert_frame_equal(comparisons.unseat(), comparisons.unseat("bradley_terry"))
    pd.testing.assert_frame_equal(
        comparisons.margin_of_victory(), nbrank.margin_of_victory(comparisons, "bradley_terry")
    )


def test_of_the_shipped_arena_a_handful_of_votes_decides(arena):
    answer = arena.margin_of_victory()
    assert answer["votes"].iloc[0] <= 470
    assert answer["rival"].iloc[0] == "gemini-1.5-pro-exp-0801"
    left = {
        (first, second, outcome): number
        for first, second, outcome, number in answer["removed"].iloc[0]
    }
    assert sum(left.values()) == answer["votes"].iloc[0]
    # The votes themselves, taken out of the table that is shipped.
    frame = nbrank.datasets.load_chatbot_arena()
    for (first, second, outcome), number in left.items():
        assert outcome == "left"
        ours = (frame["left"] == first) & (frame["right"] == second) & (frame["winner"] == "left")
        theirs = (
            (frame["left"] == second) & (frame["right"] == first) & (frame["winner"] == "right")
        )
        rows = frame.index[ours | theirs]
        assert frame.loc[rows, "votes"].sum() >= number
        frame.loc[rows[0], "votes"] -= number
    assert (frame["votes"] >= 0).all()
    after = nbrank.from_comparisons(
        frame, left="left", right="right", winner="winner", count="votes"
    ).bradley_terry()
    assert after.index[0] == "gemini-1.5-pro-exp-0801"


def test_doubling_all_votes_about_doubles_the_number():
    one = battles("A>B 60, B>A 50, A>C 55, C>A 45, B>C 52, C>B 48")
    two = battles("A>B 120, B>A 100, A>C 110, C>A 90, B>C 104, C>B 96")
    assert abs(two.unseat()["votes"] / one.unseat()["votes"] - 2).max() < 0.2


def test_new_names_and_another_order_change_labels_only():
    one = battles("A>B 6, B>A 3, A>C 5, C>A 4, B>C 7, C>B 2").unseat()
    two = battles("Z>X 2, X>Z 7, Z>Y 4, Y>Z 5, X>Y 3, Y>X 6").unseat()
    assert one["votes"].to_list() == two["votes"].to_list()
    assert one["rival"].map({"B": "X", "C": "Z"}).to_list() == two["rival"].to_list()


@pytest.mark.parametrize(
    ("rule", "nearest"),
    [
        ("elo", "bradley_terry"),
        ("davidson", "bradley_terry"),
        ("kemeny", "copeland"),
        ("minimax", "copeland"),
    ],
)
@pytest.mark.parametrize("question", ["unseat", "margin_of_victory"])
def test_a_rule_without_an_exact_count_names_the_nearest_that_has(question, rule, nearest):
    comparisons = battles("A>B 6, B>A 3, A>C 5, C>A 4, B>C 7, C>B 2")
    with pytest.raises(ValueError, match=f"nearest is {question}.comparisons, '{nearest}'"):
        getattr(comparisons, question)(rule)
    assert len(getattr(comparisons, question)(nearest))


def test_it_asks_for_one_winner():
    with pytest.raises(ValueError, match="'A', 'B' share the first rank"):
        battles("A>B 2, B>A 2").unseat()


def test_options_that_look_at_single_rows_are_refused():
    comparisons = battles("A>B 6, B>A 3")
    with pytest.raises(ValueError, match="advantage="):
        comparisons.unseat(advantage=True)
    with pytest.raises(ValueError, match="covariates="):
        comparisons.unseat(covariates=pd.DataFrame({"longer": [1, 2]}))
    with pytest.raises(ValueError, match="rule='borda'"):
        comparisons.unseat("mean_win_rate", missing="worst")
    with pytest.raises(ValueError, match="votes are counted"):
        comparisons.unseat(least="weight")
    assert comparisons.unseat("borda", missing="worst")["votes"].iloc[0] == 4


def test_a_rival_that_no_vote_would_help_has_none():
    answer = battles("A>B 6, A>C 3").unseat("copeland")
    assert answer.loc["C", "votes"] is pd.NA
    assert answer.loc["C", "proven"]
