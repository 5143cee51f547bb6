"""A share of a win counts as that many wins, in every rule and question of comparisons."""

import numpy as np
import pandas as pd
import pytest

import nbrank

RULES = ("bradley_terry", "borda", "mean_win_rate", "copeland")


def compared(frame, **options):
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", **options)


def battles(seed, n=60):
    rng = np.random.default_rng(seed)
    left = rng.integers(0, 4, n)
    right = (left + rng.integers(1, 4, n)) % 4
    names = np.array(list("ABCD"))
    frame = pd.DataFrame({"left": names[left], "right": names[right]})
    frame["winner"] = rng.choice([0.0, 0.1, 0.4, 0.5, 0.7, 1.0], n)
    return frame.assign(weight=rng.integers(1, 4, n).astype(float), user=np.arange(n) // 3)


def in_tenths(frame):
    """Each row as one of full weight for either side, in tenths."""
    tenths = (frame["winner"] * 10).round()
    won = frame.assign(winner="left", weight=frame["weight"] * tenths)
    lost = frame.assign(winner="right", weight=frame["weight"] * (10 - tenths))
    return pd.concat([won, lost], ignore_index=True)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(5))
def test_rows_of_shares_rank_as_ten_times_the_rows_without(rule, seed):
    frame = battles(seed)
    shared = getattr(compared(frame, weight="weight"), rule)()
    doubled = getattr(compared(in_tenths(frame), weight="weight"), rule)()
    assert shared["rank"].to_dict() == doubled["rank"].to_dict()
    if rule in ("bradley_terry", "mean_win_rate"):
        np.testing.assert_allclose(
            shared["score"], doubled["score"].reindex(shared.index), atol=1e-7
        )


def test_a_win_and_a_loss_are_two_ties_and_two_shares_that_add_up_to_one():
    both, ties, shares = (
        pd.DataFrame({"left": "A", "right": "B", "winner": [1.0, 0.0, 0.7, *pair]})
        for pair in ([1.0, 0.0], [0.5, 0.5], [0.6, 0.4])
    )
    expected = compared(both).bradley_terry()
    for frame in (ties, shares):
        pd.testing.assert_frame_equal(compared(frame).bradley_terry(), expected)
    # A win of .6 is a fifth of a win and four fifths of a tie.
    counts = compared(shares).counts
    np.testing.assert_allclose(counts.wins[0, 1], 1 + 0.4 + 0.2)
    np.testing.assert_allclose(counts.ties[0, 1], 0.6 + 0.8 + 0.8)
    assert counts.total == pytest.approx(5)


def test_shares_of_zero_one_and_a_half_only_are_losses_wins_and_ties():
    frame = battles(0).assign(winner=np.random.default_rng(0).choice([0.0, 0.5, 1.0], 60))
    words = frame.assign(winner=frame["winner"].map({0.0: "right", 0.5: "tie", 1.0: "left"}))
    shared, told = compared(frame), compared(words)
    assert not shared.has_shared_wins
    for question in ("strengths", "confidence", "elo", "davidson"):
        pd.testing.assert_frame_equal(getattr(shared, question)(), getattr(told, question)())
    for question in ("best_set", "unseat", "margin_of_victory"):
        found, expected = (getattr(made, question)("bradley_terry") for made in (shared, told))
        pd.testing.assert_frame_equal(found, expected)


def test_standard_errors_are_those_of_what_is_left_over():
    """Two systems: the errors of a mean of shares, carried over to log-odds."""
    won = np.random.default_rng(1).uniform(0.3, 1.0, 200)
    found = compared(pd.DataFrame({"left": "A", "right": "B", "winner": won})).strengths()
    mean = won.mean()
    of_mean = np.sqrt(((won - mean) ** 2).mean() / 200)
    assert found["strength"].iloc[0] == pytest.approx(np.log(mean / (1 - mean)) / 2)
    assert found["standard_error"].iloc[0] == pytest.approx(of_mean / (mean * (1 - mean)) / 2)


def test_questions_answer_or_say_what_to_do():
    comparisons = compared(battles(3))
    assert comparisons.confidence().attrs["method"] == "wilson"
    comparisons.bootstrap("bradley_terry", n_draws=20)
    comparisons.bootstrap("copeland", n_draws=20)
    compared(battles(3), cluster="user").rank_confidence("bradley_terry", n_draws=500)
    with pytest.raises(ValueError, match="'sign' counts wins, and some are shared; .*'wilson'"):
        comparisons.confidence(method="sign")
    with pytest.raises(ValueError, match="'bootstrap' doesn't know .* shared wins"):
        comparisons.strengths(method="bootstrap")
    with pytest.raises(ValueError, match="some wins are shared"):
        comparisons.unseat("copeland")


def test_a_counted_row_of_shared_wins_is_drawn_as_often_as_its_copies():
    rows = pd.DataFrame({"left": "A", "right": "B", "winner": [0.9, 0.3, 0.45], "n": [2, 3, 4]})
    copies = rows.loc[rows.index.repeat(rows["n"])].drop(columns="n")
    counted = compared(rows, count="n").bootstrap("copeland", n_draws=4000)
    written = compared(copies).bootstrap("copeland", n_draws=4000)
    assert counted["p_best"]["A"] == pytest.approx(written["p_best"]["A"], abs=0.03)
    assert 0.1 < written["p_best"]["A"] < 0.9


@pytest.mark.parametrize("winner", [[1.0, 0.0], [0.7, 1.2], [0.7, -0.1], [0.7, "C"]])
def test_what_may_be_something_else_is_refused(winner):
    with pytest.raises(ValueError, match="unknown winners"):
        compared(pd.DataFrame({"left": "A", "right": "B", "winner": winner}))
