"""What the weights leave open: ranks, shares of the weightings, tasks that repeat each other."""

import pandas as pd
import pytest

import nbrank
from nbrank import charts


def test_a_bar_for_what_weights_and_what_tasks_leave_open(gaps, rows_of):
    found = nbrank.possible_ranks(gaps, within=0.5)
    sets = nbrank.rank_confidence(gaps, "borda", seed=0)
    rows = [r for r in rows_of(charts.possible_ranks(found, sets)) if "open to" in r]
    drawn = pd.DataFrame(rows).pivot(index="system", columns="open to", values=["low", "high"])
    drawn = drawn.reindex(found.index)
    assert (drawn["low"]["other weights"] == found["best"]).all()
    assert (drawn["high"]["other weights"] == found["worst"]).all()
    assert (drawn["low"]["other tasks"] == sets["low"].reindex(found.index)).all()
    assert (drawn["high"]["other tasks"] == sets["high"].reindex(found.index)).all()


def test_bounds_are_dashed_and_said(gaps, heading, rows_of):
    found = nbrank.possible_ranks(gaps, "mean_win_rate", within=0.9)
    assert not found["proven"].all()
    chart = charts.possible_ranks(found)
    assert "dashed: no more than bounds" in heading(chart)[1]
    bounds = {r["system"] for r in rows_of(chart) if r.get("bound")}
    assert bounds == set(found.index[~found["proven"]])


def test_a_cell_for_each_rank_that_some_weightings_give(gaps, rows_of):
    shares = nbrank.rank_acceptability(gaps, n_draws=100)
    rows = [r for r in rows_of(charts.rank_acceptability(shares)) if "share" in r]
    assert len(rows) == (shares > 0).to_numpy().sum()
    assert all(shares.loc[r["system"], int(r["rank"])] == pytest.approx(r["share"]) for r in rows)


def test_other_frames_and_other_systems_are_refused(gaps):
    found = nbrank.possible_ranks(gaps)
    with pytest.raises(ValueError, match=r"nbrank.rank_acceptability\(scores, rule\)"):
        charts.rank_acceptability(found)
    with pytest.raises(ValueError, match="different systems"):
        charts.possible_ranks(found, nbrank.rank_confidence(gaps.iloc[1:], "borda", seed=0))
    with pytest.raises(ValueError, match="possible_ranks"):
        charts.possible_ranks(gaps)
