"""Skewed scores: whether they are, and which of their means may be the best.

Those that signs or the bootstrap leave in may be.
"""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.uncertainty.influence import Contributions
from nbrank.arrays.uncertainty.rank_confidence_sets import sign_flip_pair_tests
from nbrank.arrays.uncertainty.skewed_pair_tests import SkewedPairTests, are_skewed
from nbrank.findings.overview import compute_overview
from nbrank.findings.verdict import verdict

DRAWS = 1999


def contributions(n_systems=6, n_units=16, missing=0.0, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.exponential(size=(n_systems, n_units)) + 0.4 * np.arange(n_systems)[:, None]
    observed = rng.random(values.shape) >= missing
    observed[:, 0] = True
    return Contributions.from_values(values, observed, np.ones(n_units))


def skewed(added, seed=0):
    return SkewedPairTests.from_contributions(added, DRAWS, np.random.default_rng(seed))


def lead(added, i, j):
    """What each unit adds to the lead of i over j, about the mean of all that is known of both."""
    totals = added.weights.sum(axis=1) * np.ones(len(added.amounts))
    weights = np.broadcast_to(added.weights, added.amounts.shape)
    both = (added.amounts[i].sum() + added.amounts[j].sum()) / (totals[i] + totals[j])
    own = [(added.amounts[k] - both * weights[k]) / totals[k] for k in (i, j)]
    return own[0] - own[1]


def t_value(values, expected=0.0):
    return (values.mean() - expected) / (values.std(ddof=1) / np.sqrt(len(values)))


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(3))
def test_p_values_are_the_larger_ones_of_signs_and_of_units_redrawn_one_by_one(missing, seed):
    added = contributions(missing=missing, seed=seed)
    tests = skewed(added)
    assert (tests.counts.sum(axis=0) == 15).all()
    by_signs = sign_flip_pair_tests(added, DRAWS, np.random.default_rng(0)).best_p_values()
    rivals = np.flatnonzero(by_signs > 0.05)
    for system, p_value in enumerate(tests.best_p_values_of_both(0.05)):
        if system in rivals:
            assert p_value == by_signs[system]
            continue
        leads = [lead(added, rival, system) for rival in rivals]
        observed = max((t_value(values) for values in leads), default=0.0)
        expected = 1.0
        if observed > 0:
            largest = [
                max(t_value(np.repeat(values, counts), values.mean()) for values in leads)
                for counts in tests.counts.T.astype(int)
            ]
            expected = (1 + np.sum(np.array(largest) >= observed)) / DRAWS
        assert p_value == pytest.approx(max(expected, by_signs[system]))


def test_pairs_are_told_apart_by_signs_alone():
    added = contributions()
    flips = sign_flip_pair_tests(added, DRAWS, np.random.default_rng(0))
    assert (skewed(added).different(0.05) == flips.different(0.05)).all()


def test_a_lead_that_never_varies_is_certain():
    values = np.random.default_rng(0).exponential(size=15)
    tests = skewed(Contributions(np.stack([values + 1, values, values]), np.ones((1, 15))))
    assert tests.best_p_values_of_both(0.05)[0] == 1
    assert (tests.best_p_values_of_both(0.05)[1:] <= 2 / DRAWS).all()


def test_units_that_count_for_no_system_change_no_draw():
    added = contributions(missing=0.2)
    more = Contributions(
        np.insert(added.amounts, 4, 0.0, axis=1), np.insert(added.weights, 4, 0.0, axis=1)
    )
    assert skewed(more).counts.shape == skewed(added).counts.shape


def test_a_system_without_a_mean_is_in_no_pair():
    added = contributions(missing=0.2)
    amounts, weights = added.amounts.copy(), added.weights.copy()
    amounts[2] = weights[2] = 0.0
    p_values = skewed(Contributions(amounts, weights)).best_p_values_of_both(0.05)
    assert np.flatnonzero(np.isnan(p_values)).tolist() == [2]


# ---------------------------------------------------------------------- whether they are skewed

ERRORS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "heavy-tailed": lambda rng, shape: rng.standard_t(3, size=shape),
    "ties": lambda rng, shape: rng.normal(size=shape).round(),
    "uniform": lambda rng, shape: rng.uniform(size=shape),
    "exponential": lambda rng, shape: rng.exponential(size=shape),
    "near a ceiling": lambda rng, shape: -rng.gamma(0.5, size=shape),
}


def share_warned_of(errors, n_tasks, tables=200):
    rng = np.random.default_rng(0)
    difficulty = rng.exponential(5, n_tasks)  # which is in no difference of two systems
    weights = np.ones((1, n_tasks))
    drawn = (ERRORS[errors](rng, (10, n_tasks)) + difficulty for _ in range(tables))
    return np.mean([are_skewed(Contributions(scores, weights)) for scores in drawn])


@pytest.mark.parametrize("errors", ["normal", "heavy-tailed", "ties", "uniform"])
@pytest.mark.parametrize("n_tasks", [8, 14, 41])
def test_symmetric_scores_are_not_warned_of(errors, n_tasks):
    assert share_warned_of(errors, n_tasks) <= 0.1


@pytest.mark.parametrize("errors", ["exponential", "near a ceiling"])
@pytest.mark.parametrize(("n_tasks", "at_least"), [(8, 0.4), (14, 0.8), (41, 0.99)])
def test_scores_skewed_to_either_side_are(errors, n_tasks, at_least):
    assert share_warned_of(errors, n_tasks) >= at_least


def test_many_tasks_are_enough_for_turned_signs():
    assert share_warned_of("exponential", 150, tables=5) == 1
    assert share_warned_of("exponential", 151, tables=5) == 0


@pytest.mark.parametrize("factor", [1e-150, 1e150])
def test_the_unit_of_the_scores_does_not_matter(factor):
    scores = np.random.default_rng(1).exponential(size=(10, 20)) * factor
    assert are_skewed(Contributions(scores, np.ones((1, 20))))


def test_constant_scores_have_no_skewness():
    assert not are_skewed(Contributions(np.ones((3, 8)), np.ones((1, 8))))


@pytest.fixture
def skewed_scores():
    values = np.random.default_rng(2).exponential(size=(8, 12)) * 10
    return pd.DataFrame(values, index=list("ABCDEFGH")).add_prefix("task ")


DOUBT = "12 tasks are few for scores so skewed"


def test_the_set_by_the_mean_warns(skewed_scores):
    with pytest.warns(UserWarning, match=f"best_set: {DOUBT}.*the set by 'borda' does not"):
        found = nbrank.best_set(skewed_scores, "mean")
    assert found.attrs["skewed"] == DOUBT


def test_from_14_tasks_on_nothing_is_doubted():
    values = np.random.default_rng(2).exponential(size=(8, 14)) * 10
    found = nbrank.best_set(pd.DataFrame(values), "mean")
    assert "skewed" not in found.attrs
    assert found.attrs["tests"] == "sign flips and bootstrap"


def test_from_14_tasks_on_signs_alone_leave_nobody_out(monkeypatch):
    values = np.random.default_rng(6).exponential(size=(8, 30)) * 10
    values[::2] *= 3
    values[::2] -= 20
    scores = pd.DataFrame(values + np.arange(8)[:, None], index=list("ABCDEFGH"))
    best, sets = nbrank.best_set(scores, "mean"), nbrank.rank_confidence(scores, "mean")
    assert best.attrs["tests"] == "sign flips and bootstrap"
    assert "of the best, also by the bootstrap" in nbrank.summary(scores, "mean").sentences.caption
    # Joint sets are by signs.
    assert sets.attrs["skewed"] == "30 tasks are few for scores so skewed"
    monkeypatch.setattr("nbrank.arrays.uncertainty.skewed_pair_tests.are_skewed", lambda _: False)
    by_signs = nbrank.best_set(scores, "mean")
    assert (best["p_value"] >= by_signs["p_value"]).all()
    left_out = by_signs["p_value"] <= 0.05
    assert (best["p_value"] > by_signs["p_value"])[left_out].any()
    assert (best["p_value"] == by_signs["p_value"])[~left_out].all()
    assert best["best"].sum() == by_signs["best"].sum() + 1
    assert (nbrank.rank_confidence(scores, "mean") == sets).all(axis=None)


def test_on_glue_the_sets_are_as_large_as_the_page_on_coverage_says(monkeypatch):
    scores = nbrank.datasets.load_glue_submissions()
    assert nbrank.best_set(scores, "mean")["best"].sum() == 22
    monkeypatch.setattr("nbrank.arrays.uncertainty.skewed_pair_tests.are_skewed", lambda _: False)
    assert nbrank.best_set(scores, "mean")["best"].sum() == 10


def test_the_set_by_places_does_not(skewed_scores):
    assert "skewed" not in nbrank.best_set(skewed_scores, "borda").attrs
    assert "skewed" not in nbrank.best_set(skewed_scores, "mean_rank").attrs


def test_missing_scores_and_the_seed_change_nothing(skewed_scores):
    skewed_scores.iloc[0, 0] = np.nan
    for seed in (0, 1):
        with pytest.warns(UserWarning, match=DOUBT):
            nbrank.best_set(skewed_scores, "mean", missing="ignore", seed=seed)


def test_all_that_quotes_the_set_says_it(skewed_scores, tmp_path, capsys):
    from nbrank.frontends.command_line import main

    doubt = f"at most 95 % confidence over tasks, since {DOUBT}"
    assert doubt in verdict(compute_overview(skewed_scores, "mean").with_confidence("mean"))
    assert doubt in nbrank.picture(skewed_scores, "mean").title
    assert doubt in nbrank.summary(skewed_scores, "mean").sentences.abstract
    page = nbrank.report(skewed_scores, rule="mean")
    assert doubt in page.title
    page.save(tmp_path / "page.html")
    html = (tmp_path / "page.html").read_text("utf-8")
    assert "skewed scores take nothing from the confidence" in html
    file = tmp_path / "scores.csv"
    skewed_scores.to_csv(file)
    assert main([str(file), "--rule", "mean", "--confidence"]) == 0
    assert f"at most 95 % confidence over tasks, since {DOUBT}" in capsys.readouterr().err
