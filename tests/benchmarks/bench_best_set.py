"""The set of the best, in how many times what the sets of all ranks take"""

import time

import numpy as np
import pandas as pd
import pytest

from nbrank import Leaderboard, best_set, rank_confidence


@pytest.mark.parametrize("shape", [(105, 14), (258, 41), (1000, 100)], ids=str)
def test_it_costs_at_most_three_times_as_much_as_rank_sets(within, benchmark, shape):
    rng = np.random.default_rng(0)
    quality = np.linspace(1, 0, shape[0])[:, None]
    board = Leaderboard(pd.DataFrame(quality + rng.normal(size=shape)))

    def seconds(question):
        start = time.process_time()
        question(board, "borda", seed=0)
        return time.process_time() - start

    def ratio():
        rounds = 1 if shape[0] > 500 else 3
        of_all = min(seconds(rank_confidence) for _ in range(rounds))
        return min(seconds(best_set) for _ in range(rounds)) / of_all

    # Both in one run, with as many draws.
    found = benchmark.pedantic(ratio, rounds=1)
    what = f"best_set to rank_confidence, {shape[0]:,} systems x {shape[1]} tasks"
    within(what, found, 3, "times")
