"""Bradley and Terry's model with an advantage, covariates and ratings, and other comparisons."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import nbrank


def battles(seed, n=400, n_systems=5, advantage=0.0, style=0.0):
    rng = np.random.default_rng(seed)
    names = np.array(list("ABCDEFGH")[:n_systems])
    quality = np.linspace(1, -1, n_systems)
    left = rng.integers(0, n_systems, n)
    right = (left + rng.integers(1, n_systems, n)) % n_systems
    longer = rng.normal(size=n)
    odds = quality[left] - quality[right] + advantage + style * longer
    won = rng.random(n) < 1 / (1 + np.exp(-odds))
    tied = rng.random(n) < 0.1
    winner = np.where(tied, "tie", np.where(won, "left", "right"))
    frame = {"left": names[left], "right": names[right], "winner": winner, "longer": longer}
    return pd.DataFrame(frame)


def compared(frame, **options):
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", **options)


def maximised(frame, systems, columns, weights=None, prior=0.0):
    """The same log-likelihood, climbed by a general optimiser."""
    left, right = (pd.Index(systems).get_indexer(frame[side]) for side in ("left", "right"))
    won = frame["winner"].map({"left": 1.0, "tie": 0.5, "right": 0.0}).to_numpy()
    weights = np.ones(len(frame)) if weights is None else weights
    n = len(systems)

    def loss(point):
        odds = point[left] - point[right] + columns @ point[n + 1 :]
        of_rows = (weights * (won * odds - np.logaddexp(0, odds))).sum()
        away = point[:n] - point[n]
        return (
            -of_rows
            - prior * (away / 2 - np.logaddexp(0, away)).sum()
            + point[n] ** 2 * (not prior)
        )

    found = minimize(loss, np.zeros(n + 1 + columns.shape[1]), options={"gtol": 1e-9}).x
    return found[:n] - found[:n].mean(), found[n + 1 :]


@pytest.mark.parametrize("prior", [0.0, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_against_a_general_optimiser(seed, prior):
    frame = battles(seed, advantage=0.4, style=0.7)
    frame["weight"] = np.random.default_rng(seed).integers(1, 4, len(frame))
    comparisons = compared(frame, weight="weight")
    found = nbrank.bradley_terry(
        comparisons, prior=prior, advantage=True, covariates=frame[["longer"]]
    )
    columns = np.column_stack([np.ones(len(frame)), frame["longer"]])
    strengths, rest = maximised(
        frame, comparisons.systems, columns, frame["weight"].to_numpy(), prior
    )
    ours = found["score"].reindex(comparisons.systems)
    np.testing.assert_allclose(ours, strengths, atol=2e-5)
    np.testing.assert_allclose(
        [found.attrs["advantage"], *found.attrs["coefficients"]], rest, atol=2e-5
    )
    assert found.attrs["covariates"] == ["longer"]


def test_without_covariates_it_is_the_model_as_it_was():
    frame = battles(0)
    comparisons = compared(frame)
    plain = nbrank.bradley_terry(comparisons)["score"]
    turned = pd.concat([frame, frame.rename(columns={"left": "right", "right": "left"})])
    turned["winner"] = [
        *frame["winner"],
        *frame["winner"].map({"left": "right", "right": "left", "tie": "tie"}),
    ]
    # Everybody is as often at home: there is no advantage to be seen.
    found = nbrank.bradley_terry(compared(turned), advantage=True)
    assert found.attrs["advantage"] == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(found["score"], plain.reindex(found.index), atol=1e-9)


def test_an_advantage_by_hand():
    frame = pd.DataFrame(
        {"left": ["A", "B"] * 5, "right": ["B", "A"] * 5, "winner": ["left"] * 8 + ["right"] * 2}
    )
    found = nbrank.bradley_terry(compared(frame), advantage=True)
    assert np.exp(found.attrs["advantage"]) == pytest.approx(4.0)
    assert found["rank"].tolist() == [1, 1]


@given(st.floats(1e-3, 1e3))
def test_the_unit_of_a_covariate_changes_its_coefficient_only(factor):
    frame = battles(1, n=150, style=0.5)
    comparisons = compared(frame)
    one = nbrank.bradley_terry(comparisons, covariates=frame["longer"])
    other = nbrank.bradley_terry(comparisons, covariates=frame["longer"] * factor)
    np.testing.assert_allclose(one["score"], other["score"], atol=1e-7)
    assert other.attrs["coefficients"][0] * factor == pytest.approx(one.attrs["coefficients"][0])


def test_rows_that_stand_for_several_count_so_often():
    frame = battles(2, n=120, style=0.3)
    frame["n"] = 1 + np.arange(len(frame)) % 3
    repeated = frame.loc[frame.index.repeat(frame["n"])]
    counted = nbrank.bradley_terry(compared(frame, count="n"), covariates=frame["longer"])
    every = nbrank.bradley_terry(compared(repeated), covariates=repeated["longer"])
    np.testing.assert_allclose(
        counted["score"].sort_index(), every["score"].sort_index(), atol=1e-9
    )


@pytest.mark.parametrize(
    ("covariates", "error", "message"),
    [
        (lambda f: f["longer"].iloc[1:], ValueError, "covariates have 399 rows, and there are 400"),
        (lambda f: f[["winner"]], TypeError, "no numbers: 'winner'"),
        (lambda f: f["longer"].where(f.index > 3), ValueError, "'longer': covariates must be fin"),
        (
            lambda f: f["longer"].astype("Float64").where(f.index > 3),
            ValueError,
            "'longer': covariates must be finite",
        ),
        (lambda f: f["longer"] * 0, ValueError, "0 everywhere, or follows from the others"),
        (lambda f: f.assign(b=f["longer"])[["longer", "b"]], ValueError, "follows from the others"),
        (
            lambda f: (f["left"] == "A") * 1.0 - (f["right"] == "A"),
            ValueError,
            "infinite or undetermined",
        ),
        (
            lambda f: f["winner"].map({"left": 1.0, "right": -1.0, "tie": 0.0}),
            ValueError,
            "infinite or undetermined",
        ),
    ],
)
def test_wrong_covariates_are_refused(covariates, error, message):
    frame = battles(0)
    with pytest.raises(error, match=message):
        nbrank.bradley_terry(compared(frame), covariates=covariates(frame))


def test_tables_of_scores_have_no_sides():
    with pytest.raises(TypeError, match="advantage and covariates are of comparisons"):
        nbrank.bradley_terry(pd.DataFrame({"t": [1, 2], "u": [2, 1]}), advantage=True)
    with pytest.raises(
        ValueError, match="confidence sets are not available for bradley_terry with"
    ):
        nbrank.rank_confidence(compared(battles(0)), "bradley_terry", advantage=True)


# ------------------------------------------------------------------ ratings


def test_ratings_on_elos_scale():
    comparisons = compared(battles(0))
    plain = nbrank.bradley_terry(comparisons)
    found = nbrank.bradley_terry(comparisons, scale=400, base=10, anchor={"C": 1000})
    assert found["score"]["C"] == pytest.approx(1000)
    assert found["rank"].to_dict() == plain["rank"].to_dict()
    # 400 points are odds of ten to one.
    gap = (found["score"]["A"] - found["score"]["B"]) / 400
    assert 10**gap == pytest.approx(np.exp(plain["score"]["A"] - plain["score"]["B"]))
    mean = nbrank.bradley_terry(comparisons, scale=400, base=10, anchor=1000)
    assert mean["score"].mean() == pytest.approx(1000)


def test_intervals_move_along():
    comparisons = compared(battles(0))
    plain = nbrank.strengths(comparisons)
    found = nbrank.strengths(comparisons, scale=400, base=10, anchor={"A": 1200})
    slope = 400 / np.log(10)
    np.testing.assert_allclose(found["standard_error"], slope * plain["standard_error"])
    np.testing.assert_allclose(
        found["high"] - found["strength"], slope * (plain["high"] - plain["strength"])
    )
    assert found["strength"]["A"] == pytest.approx(1200)


def test_the_scale_changes_no_confidence_set():
    comparisons = compared(battles(0))
    plain = nbrank.rank_confidence(comparisons, "bradley_terry", seed=0)
    rated = nbrank.rank_confidence(
        comparisons, "bradley_terry", seed=0, scale=400, base=10, anchor=1000
    )
    pd.testing.assert_frame_equal(plain, rated)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": 0}, "scale=0; it must be a number above 0"),
        ({"base": 1}, "base=1; it must be a number above 1"),
        ({"anchor": {"X": 1}}, "the anchor 'X' is not a system; choose one of 'A'|the anchor 'X'"),
        ({"anchor": {"A": 1, "B": 2}}, "must name a single system"),
        ({"anchor": np.inf}, "a rating must be a finite number"),
    ],
)
def test_wrong_scales_are_refused(options, message):
    for function in (nbrank.bradley_terry, nbrank.strengths):
        with pytest.raises(ValueError, match=message):
            function(compared(battles(0)), **options)


# ------------------------------------------------------------------ winners and losers


def test_winners_and_losers_are_columns_too():
    frame = battles(3)
    frame = frame[frame["winner"] != "tie"]
    won = frame["winner"] == "left"
    named = pd.DataFrame(
        {
            "w": frame["left"].where(won, frame["right"]),
            "l": frame["right"].where(won, frame["left"]),
        }
    )
    found = nbrank.from_comparisons(named, winner="w", loser="l")
    expected = compared(frame).pairwise()
    pd.testing.assert_frame_equal(found.pairwise().loc[expected.index, expected.columns], expected)
    assert found.elo()["score"].mean() == pytest.approx(1000)
    with pytest.raises(ValueError, match="compared with itself: 'A'"):
        nbrank.from_comparisons(pd.DataFrame({"w": ["A"], "l": ["A"]}), winner="w", loser="l")
    for wrong in (
        {"left": "w", "winner": "l"},
        {"winner": "w"},
        {"left": "w", "right": "l", "winner": "w", "loser": "l"},
    ):
        with pytest.raises(TypeError, match="takes left=, right= and winner="):
            nbrank.from_comparisons(named, **wrong)


def test_the_mean_win_rate_of_comparisons_is_the_share_won():
    frame = battles(4)
    frame["weight"] = 1 + np.arange(len(frame)) % 3
    comparisons = compared(frame, weight="weight")
    won, met = comparisons.pairwise().sum(axis=1), comparisons.compared().sum(axis=1)
    found = comparisons.mean_win_rate()
    np.testing.assert_allclose(found["score"], (won / met).reindex(found.index))


def test_an_anchor_is_one_whole_row():
    rows = pd.MultiIndex.from_tuples(
        [("A", 0, "x"), ("A", 1, "x"), ("B", 0, "x")], names=list("abc")
    )
    table = pd.DataFrame([[3, 1, 2], [2, 3, 1], [1, 2, 3]], index=rows)
    with pytest.raises(
        ValueError, match="the anchor 'A' is not a system; choose one of .'A', 0, 'x'."
    ):
        nbrank.bradley_terry(table, anchor={"A": 1000})
    found = nbrank.bradley_terry(table, anchor={("A", 0, "x"): 1000})
    assert found["score"].reindex(rows).iloc[0] == 1000
