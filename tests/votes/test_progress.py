"""Progress bars: late, and not where they are switched off."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import experiments
from nbrank.votes import progress

TABLE = pd.DataFrame(np.arange(12).reshape(3, 4) % 5, index=list("ABC"), columns=list("wxyz"))

LONG_RUNS = {
    "experiments": lambda: experiments.remove_scores(TABLE, ["borda"], n_repeats=2, seed=0),
    "bootstrap": lambda: nbrank.bootstrap(TABLE, "borda", n_draws=2, seed=0),
    "bootstrap of a rule that is no sum": lambda: nbrank.bootstrap(
        TABLE, "nanson", n_draws=2, seed=0
    ),
}


@pytest.fixture
def bars(monkeypatch):
    """The bars that are made, as in a notebook, and without waiting."""
    from tqdm import notebook

    made = []

    class Recorded(notebook.tqdm):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            self.was_on = not self.disable  # a bar that was closed is disabled
            made.append(self)

    monkeypatch.setattr("tqdm.auto.tqdm", Recorded)
    monkeypatch.setattr(progress, "MIN_SECONDS_BEFORE_BAR", 0)
    return made


@pytest.mark.parametrize("run", LONG_RUNS.values(), ids=LONG_RUNS)
def test_a_bar_shows_how_far_a_run_is(run, bars, monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    run()
    assert [bar.was_on for bar in bars] == [True]
    assert bars[0].n == bars[0].total > 0


@pytest.mark.parametrize("run", LONG_RUNS.values(), ids=LONG_RUNS)
def test_no_bar_shows_where_the_environment_switches_bars_off(run, bars, monkeypatch, capsys):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    run()
    assert [bar.was_on for bar in bars] == [False]
    assert capsys.readouterr().out == ""


def test_a_bar_waits_before_it_shows(capsys):
    assert list(progress.progress_bar("ab", total=2)) == ["a", "b"]
    assert capsys.readouterr().err == ""


HARD = pd.DataFrame(np.random.default_rng(0).random((40, 9)))


def test_a_search_shows_how_many_of_its_seconds_it_has_taken(bars, monkeypatch):
    monkeypatch.delenv("TQDM_DISABLE", raising=False)
    found = nbrank.kemeny(HARD, time_limit=60)
    (bar,) = bars
    assert (bar.was_on, bar.total, bar.desc) == (True, 60, "kemeny")
    assert 0 < bar.n < 60
    assert found.attrs["canonical"]
    nbrank.kemeny(HARD, time_limit=None)
    assert bars[1].total is None
    assert bars[1].n > 0


def test_a_quick_search_makes_no_bar(bars, monkeypatch):
    monkeypatch.setattr(progress, "MIN_SECONDS_BEFORE_BAR", 60)
    nbrank.kemeny(HARD, time_limit=60)
    assert not bars


def test_no_bar_of_a_search_shows_where_bars_are_switched_off(bars, monkeypatch, capsys):
    monkeypatch.setenv("TQDM_DISABLE", "1")
    nbrank.kemeny(HARD, time_limit=60)
    assert not bars[0].was_on
    assert capsys.readouterr() == ("", "")


def test_a_bar_starts_no_thread_where_python_runs_in_a_browser(bars, monkeypatch):
    monkeypatch.setattr("sys.platform", "emscripten")
    list(progress.progress_bar("ab"))
    assert bars[0].monitor_interval == 0
