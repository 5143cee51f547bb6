"""What docstrings say about coverage is what docs/coverage_pairs.md measured."""

import re

import numpy as np
import pytest

import nbrank


@pytest.fixture
def pairs(script):
    return script("coverage_pairs")


def test_the_table_has_a_line_for_each_case_in_its_order(pairs):
    found = pairs.written()
    assert list(found) == [(case.claim, case.on) for case in pairs.CASES]
    assert [one.tables for one in found.values()] == [1000 * case.times for case in pairs.CASES]
    assert all(case.times == 4 for case in pairs.CASES if ", sign" in case.claim)


#: Whose figures are known to be below the nominal ones, and why.
SHORT = {
    "wilson: a pair is not": "an approximation for few ballots",
    "bootstrap: a pair is not": "an approximation for few ballots",
    "filled-in": "shows what not to do",
    "skewed": "turning signs relies on errors that point either way alike",
    "`bootstrap`, Borda": "shows the spread, and claims no coverage",
}


def test_what_falls_short_is_known_to(pairs):
    found = pairs.written()
    short = {
        f"{case.claim} {case.on}"
        for case in pairs.CASES
        if found[case.claim, case.on].held < case.nominal - 3 * found[case.claim, case.on].error
    }
    assert not {name for name in short if not any(words in name for words in SHORT)}
    assert all(any(words in name for name in short) for words in SHORT)


@pytest.mark.full
@pytest.mark.parametrize("method", ["hoeffding", "wilson", "bootstrap", "sign"])
@pytest.mark.parametrize("on", ["8 systems, 8 tasks", "6 systems in three classes, 100 tasks"])
def test_holm_keeps_delta_on_some_of_the_tables(pairs, method, on):
    (case,) = (case for case in pairs.CASES if f"{method}, Holm" in case.claim and case.on == on)
    figure = pairs.measured(case, 300 // case.times)
    assert figure.held >= case.nominal - 2 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize(
    "function", [nbrank.confidence, nbrank.strengths, nbrank.bootstrap], ids=lambda f: f.__name__
)
def test_docstrings_state_the_figures_of_the_table(pairs, function):
    text = " ".join(function.__doc__.split())
    assert "docs/coverage_pairs.md" in text
    stated = set(re.findall(r"(\d+\.\d) % \(± (\d+\.\d)\)", text))
    of_function = [
        figure
        for (claim, _), figure in pairs.written().items()
        if claim.startswith(f"`{function.__name__}`")
    ]
    measured = {
        (f"{100 * share:.1f}", f"{100 * figure.error:.1f}")
        for figure in of_function
        for share in (figure.held, 1 - figure.held)
    }
    assert stated
    assert stated <= measured
