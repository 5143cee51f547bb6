"""Covariates go by the labels of the comparisons, and what they can't explain is named."""

import numpy as np
import pandas as pd
import pytest

import nbrank


def battles(seed=0, n=40):
    """Battles of three systems in which more of something decides; rows from 0 on."""
    rng = np.random.default_rng(seed)
    left = rng.choice(list("abc"), n)
    right = pd.Series(left).map({"a": "b", "b": "c", "c": "a"}).to_numpy()
    more = rng.normal(size=n)
    won = rng.random(n) < 1 / (1 + np.exp(-3 * more))
    winner = np.where(won, "left", "right")
    return pd.DataFrame({"left": left, "right": right, "winner": winner, "more": more})


def compared(frame, **options):
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner", **options)


class TestAlignment:
    @pytest.mark.parametrize("seed", range(5))
    def test_a_series_of_another_order_gives_the_same_fit(self, seed):
        frame = battles(seed)
        moved = frame.sample(frac=1, random_state=seed)
        expected = nbrank.bradley_terry(compared(frame), covariates=frame["more"])
        for given in (frame["more"], frame[["more"]], moved["more"]):
            found = nbrank.bradley_terry(compared(moved), covariates=given)
            assert found.attrs["coefficients"] == pytest.approx(expected.attrs["coefficients"])
            np.testing.assert_allclose(
                found["score"].sort_index(), expected["score"].sort_index(), atol=1e-9
            )

    def test_of_more_rows_those_of_the_comparisons_count(self):
        frame = battles()
        part = frame.iloc[5:]
        expected = nbrank.bradley_terry(compared(part), covariates=part["more"])
        found = nbrank.bradley_terry(compared(part), covariates=frame["more"])
        pd.testing.assert_frame_equal(found, expected)

    def test_an_array_has_the_order_of_the_comparisons(self):
        moved = battles().sample(frac=1, random_state=1)
        expected = nbrank.bradley_terry(compared(moved), covariates=moved["more"])
        found = nbrank.bradley_terry(compared(moved), covariates=moved["more"].to_numpy())
        assert found.attrs["coefficients"] == expected.attrs["coefficients"]
        with pytest.raises(ValueError, match="covariates have 39 rows, and there are 40 comparis"):
            nbrank.bradley_terry(compared(moved), covariates=moved["more"].to_numpy()[1:])

    def test_other_labels_are_refused(self):
        frame = battles().set_index(pd.Index([f"row {n}" for n in range(40)]))
        said = "covariates have 40 rows, and there are 40 comparisons, and no row for 'row 0', "
        with pytest.raises(ValueError, match=f"{said}.*; give a row for each, with the labels"):
            nbrank.bradley_terry(compared(frame), covariates=frame["more"].reset_index(drop=True))
        # What the message says.
        nbrank.bradley_terry(compared(frame), covariates=frame[["more"]])

    def test_labels_of_several_rows_are_refused_unless_all_are_the_same(self):
        frame = battles().set_axis([0, *range(39)])
        nbrank.bradley_terry(compared(frame), covariates=frame["more"])
        said = "rows of the comparisons share a label: 0; number the rows .*reset_index"
        with pytest.raises(ValueError, match=said):
            nbrank.bradley_terry(compared(frame), covariates=frame["more"].iloc[::-1])
        with pytest.raises(ValueError, match="rows of the covariates share a label: 3"):
            nbrank.bradley_terry(
                compared(battles()), covariates=pd.Series(1.0, [*range(40), 3]).rename("x")
            )
        numbered = frame.reset_index(drop=True)
        nbrank.bradley_terry(compared(numbered), covariates=numbered["more"].iloc[::-1])

    def test_the_systems_may_come_in_another_order(self):
        frame = battles().sample(frac=1, random_state=2)
        comparisons = compared(frame)
        turned = comparisons.select_systems(list(comparisons.systems[::-1]))
        found, expected = (
            nbrank.bradley_terry(one, covariates=frame["more"]).sort_index()
            for one in (turned, comparisons)
        )
        np.testing.assert_allclose(found["score"], expected["score"], atol=1e-9)


class TestWhatExplainsTooMuch:
    @pytest.mark.parametrize(("side", "verb"), [("left", "won"), ("right", "lost")])
    @pytest.mark.parametrize("prior", [0, 1])
    def test_a_side_that_always_won_is_named(self, side, verb, prior):
        pairs = [("A", "B"), ("B", "C"), ("C", "A"), ("B", "A"), ("C", "B"), ("A", "C")]
        comparisons = compared(pd.DataFrame(pairs, columns=["left", "right"]).assign(winner=side))
        said = f"the left side {verb} every comparison, .*; leave out advantage=True$"
        with pytest.raises(ValueError, match=said) as error:
            comparisons.bradley_terry(advantage=True, prior=prior)
        assert "covariates" not in str(error.value)
        assert comparisons.bradley_terry(prior=prior)["rank"].tolist() == [1, 1, 1]

    def test_an_advantage_that_no_turned_pair_shows(self):
        # Who is on the left is always the same one of a pair.
        frame = pd.DataFrame(
            {"left": "A", "right": "B", "winner": ["left", "left", "right"]}, index=range(3)
        )
        said = (
            "the advantage of the left side, together with the strengths, can explain"
            r".* undetermined; "
            r"give a prior, such as prior=1, or leave out advantage=True$"
        )
        with pytest.raises(ValueError, match=said):
            compared(frame).bradley_terry(advantage=True)
        compared(frame).bradley_terry(advantage=True, prior=1)
        compared(frame).bradley_terry()

    def test_covariates_are_named_and_a_prior_only_where_it_helps(self):
        frame = battles()
        frame["told"] = frame["winner"].map({"left": 1.0, "right": -1.0})
        comparisons = compared(frame)
        with pytest.raises(ValueError, match="the covariate 'told', .*; leave out 'told'$"):
            comparisons.bradley_terry(covariates=frame["told"])
        said = "advantage of the left side and the covariates 'more', 'told', .*; leave out adv"
        with pytest.raises(ValueError, match=said):
            comparisons.bradley_terry(covariates=frame[["more", "told"]], advantage=True, prior=1)
        comparisons.bradley_terry(covariates=frame[["more"]])


def test_a_mapping_of_a_number_for_each_row_works_as_a_series_does():
    battles = pd.DataFrame({"left": list("ABCAB"), "right": list("BCABC"), "winner": list("ABCBC")})
    comparisons = nbrank.from_comparisons(battles, left="left", right="right", winner="winner")
    longer = pd.Series([0.1, 0.5, 0.2, 0.3, -1.0])
    pd.testing.assert_frame_equal(
        comparisons.bradley_terry(covariates=longer[::-1].to_dict(), prior=1),
        comparisons.bradley_terry(covariates=longer, prior=1),
    )
    with pytest.raises(TypeError, match="covariates must be a frame with a row for each"):
        comparisons.bradley_terry(covariates=3, prior=1)


def test_labelled_covariates_of_polars_comparisons_are_refused_and_the_array_is_aligned():
    polars = pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [rng.choice(list("ABC"), 2, replace=False) for _ in range(60)], columns=["left", "right"]
    )
    x = pd.DataFrame({"longer": rng.normal(size=60)})
    left = rng.random(60) < 1 / (1 + np.exp(-2 * x["longer"]))
    frame["winner"] = np.where(left, frame["left"], frame["right"])
    shuffled = frame.sample(frac=1, random_state=0)
    columns = {"left": "left", "right": "right", "winner": "winner"}
    expected = nbrank.from_comparisons(shuffled, **columns).bradley_terry(covariates=x)
    battles = nbrank.from_comparisons(polars.from_pandas(shuffled), **columns)
    covariates = x.loc[shuffled.index]
    with pytest.raises(ValueError, match=r"covariates\.loc\[labels\]\.to_numpy\(\)"):
        battles.bradley_terry(covariates=covariates)
    given = covariates.loc[shuffled.index].to_numpy()
    for values in (given, polars.DataFrame({"longer": given[:, 0]})):
        result = battles.bradley_terry(covariates=values)
        np.testing.assert_allclose(
            result.attrs["coefficients"], expected.attrs["coefficients"], rtol=1e-9
        )
    in_order = nbrank.from_comparisons(polars.from_pandas(frame), **columns)
    assert in_order.bradley_terry(covariates=x).attrs["coefficients"] == pytest.approx(
        expected.attrs["coefficients"]
    )
