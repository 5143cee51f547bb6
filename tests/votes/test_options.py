"""The same words for the same mistake, wherever an option is refused."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import axioms, experiments, metrics, synthetic
from nbrank.votes.options import check_choice, check_delta, whole_number

SCORES = pd.DataFrame({"a": [3, 1], "b": [2, 1], "c": [1, 2]}, index=["A", "B"])
THREE = {task: [task] for task in SCORES}

#: (function, option, least): every option that is a whole number.
WHOLE = [
    (partial(nbrank.bootstrap, SCORES, "borda"), "n", 1),
    (partial(nbrank.confidence, SCORES, method="bootstrap"), "draws", 2),
    (partial(nbrank.rank_confidence, SCORES, "borda"), "draws", 1),
    (partial(nbrank.strengths, SCORES, method="bootstrap"), "n", 1),
    (partial(nbrank.weight_map, SCORES, groups=THREE), "resolution", 1),
    (partial(nbrank.top_k_agreement, ["A"], ["A"]), "k", 1),
    (partial(nbrank.last_k_agreement, ["A"], ["A"]), "k", 1),
    (partial(axioms.check, "borda", SCORES), "samples", 1),
    (partial(axioms.search, "borda", "majority"), "n_systems", 3),
    (partial(axioms.search, "borda", "majority"), "n_tasks", 1),
    (partial(axioms.search, "borda", "majority"), "n_tables", 1),
    (partial(axioms.search, "borda", "majority"), "samples", 1),
    (partial(experiments.remove_scores, SCORES, ["borda"], seed=0), "n", 1),
    (partial(experiments.remove_scores, SCORES, ["borda"], n=1), "seed", 0),
    (partial(synthetic.true_ranking), "n_systems", 1),
    (partial(synthetic.mallows, 3, n_tasks=2, dispersion=0.5), "seed", 0),
    (partial(metrics.comparisons_per_pair), "n_systems", 2),
    (partial(metrics.sampled, pd.DataFrame({"left": ["A"], "right": ["B"]})), "per_pair", 1),
]


@pytest.mark.parametrize(
    ("function", "option", "least"), WHOLE, ids=[f"{f.func.__name__} {o}" for f, o, _ in WHOLE]
)
def test_every_whole_number_is_refused_in_the_same_words(function, option, least):
    name = getattr(function.func, "__name__", "")
    if function.func is experiments.remove_scores:
        name = "experiments"
    for wrong in (2.5, 2.0, "3", True):
        message = re.escape(f"{name}: {option}={wrong!r} must be a whole number")
        with pytest.raises(TypeError, match=f"^{message}$"):
            function(**{option: wrong})
    message = f"^{name}: {option}={least - 1} must be at least {least}$"
    with pytest.raises(ValueError, match=message):
        function(**{option: least - 1})


def test_integers_of_numpy_are_whole_numbers():
    for given in (3, np.int64(3), np.uint8(3)):
        found = whole_number("f", "n", given)
        assert found == 3
        assert type(found) is int


def test_a_share_at_the_ends_is_no_error_probability():
    for delta in (0, 1, -0.1, np.nan):
        with pytest.raises(ValueError, match="f: delta=.* must be between 0 and 1"):
            check_delta("f", delta)
    check_delta("f", 0.05)


def test_what_may_be_chosen_is_listed():
    with pytest.raises(ValueError, match="^f: how='c' is unknown; choose 'a' or 'b'$"):
        check_choice("f", "how", "c", ("a", "b"))
    with pytest.raises(ValueError, match="^f: how='c' is unknown; choose 'a'$"):
        check_choice("f", "how", "c", ("a",))
