"""Ten mistakes of newcomers each lead to a message with the call that mends it."""

import re
import warnings
from inspect import signature

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets
from nbrank.votes import user_warnings
from nbrank.votes.table import data_warnings

pytestmark = pytest.mark.filterwarnings("error::nbrank.votes.user_warnings.PlacesWarning")


def table(**columns):
    return pd.DataFrame(columns, index=["A", "B", "C", "D"][: len(next(iter(columns.values())))])


GOOD = table(mnli=[90.1, 88.0, 85.5], rte=[70.0, 75.5, 80.0], cola=[60.5, 50.0, 65.0])

#: The places of six systems by five judges.
RANKS = pd.DataFrame(
    {
        "judge 1": [1, 2, 3, 4, 5, 6],
        "judge 2": [2, 1, 3, 5, 4, 6],
        "judge 3": [1, 3, 2, 4, 5.5, 5.5],
        "judge 4": [1, 2, 4, 3, 5, 5],
        "judge 5": [3, 1, 2, 5, 4, 6],
    },
    index=list("ABCDEF"),
)


@pytest.mark.parametrize(
    ("scores", "asked", "category", "names"),
    [
        pytest.param(
            GOOD.assign(latency=[3, 2, 1]),
            {"rule": "borda"},
            user_warnings.OrientationWarning,
            ["'latency'", "lower_is_better=['latency']"],
            id="lower_is_better forgotten",
        ),
        pytest.param(
            GOOD.rename(columns={"rte": "Word error rate (%)"}),
            {"rule": "copeland"},
            user_warnings.OrientationWarning,
            ["'Word error rate (%)'"],
            id="an error rate by its last words",
        ),
        pytest.param(
            RANKS,
            {"rule": "copeland"},
            user_warnings.PlacesWarning,
            ["1 is best", "lower_is_better=True"],
            id="places instead of scores",
        ),
        pytest.param(
            GOOD.rename_axis(columns="model"),
            {"rule": "borda"},
            user_warnings.TransposedWarning,
            ["df.T"],
            id="systems in columns, by the name of the level",
        ),
        pytest.param(
            pd.DataFrame({"GPT": [0.9, 30.0], "Llama": [0.8, 10.0]}, index=["accuracy", "latency"]),
            {"rule": "borda"},
            user_warnings.TransposedWarning,
            ["df.T"],
            id="metrics in rows",
        ),
        pytest.param(
            pd.DataFrame(
                {"gpt-4": [86.4, 92.0, 67.0, 96.3], "llama-3-70b": [79.5, 93.0, 81.7, 93.0]},
                index=["MMLU", "GSM8K", "HumanEval", "ARC"],
            ),
            {"rule": "borda"},
            user_warnings.TransposedWarning,
            ["df.T"],
            id="benchmarks in rows",
        ),
        pytest.param(
            GOOD.assign(average=GOOD.mean(axis=1).round(1)),
            {"rule": "borda"},
            user_warnings.AverageColumnWarning,
            ["'average'", "df.drop(columns=['average'])"],
            id="the average counts as a task",
        ),
        pytest.param(
            GOOD.assign(total=GOOD.mean(axis=1).round(2)),
            {"rule": "borda"},
            user_warnings.AverageColumnWarning,
            ["'total'"],
            id="the average by its numbers",
        ),
        pytest.param(
            (GOOD / 7).round(3).assign(points=lambda one: one.sum(axis=1).round(3)),
            {"rule": "borda"},
            user_warnings.AverageColumnWarning,
            ["'points'", "an average or a sum"],
            id="the sum by its numbers",
        ),
        pytest.param(
            GOOD,
            {"rule": "borda", "weights": {"mnli": 2}},
            user_warnings.PartialWeightsWarning,
            ["1 task of 3", "'rte', 'cola'"],
            id="weights of some tasks",
        ),
        pytest.param(
            GOOD.assign(squad=[0.9, 0.8, 0.7]),
            {"rule": "mean"},
            user_warnings.ScaleWarning,
            ["'squad'", "borda"],
            id="fractions beside percents",
        ),
        pytest.param(
            GOOD.assign(elo=[1200, 1250, 1100]),
            {"rule": "mean"},
            user_warnings.ScaleWarning,
            ["'elo'"],
            id="ratings beside percents",
        ),
    ],
)
def test_a_doubtful_table_is_ranked_with_a_warning(scores, asked, category, names):
    rule, options = asked["rule"], {key: asked[key] for key in asked if key != "rule"}
    with pytest.warns(category) as caught:
        nbrank.RULES[rule].function(scores.copy(), **options)
    (message,) = [str(warning.message) for warning in caught]
    for name in names:
        assert name in message


@pytest.mark.parametrize(
    ("scores", "names"),
    [
        pytest.param(
            GOOD.astype(object).where(GOOD != 75.5, "n/a"),
            ["'n/a' of 'B' on 'rte'", "pd.to_numeric(df['rte'], errors='coerce')"],
            id="words for missing scores",
        ),
        pytest.param(
            pd.concat([pd.DataFrame("Acc", ["metric"], GOOD.columns), GOOD]),
            ["'Acc' of 'metric' on 'mnli'", "df.drop(index=['metric']).astype(float)"],
            id="a second row of headers",
        ),
        pytest.param(
            pd.DataFrame("Acc", ["metric"], GOOD.columns),
            ["'Acc' of 'metric' on 'mnli'", "df.drop(columns=['mnli', 'rte', 'cola'])"],
            id="nothing but a second row of headers",
        ),
        pytest.param(
            pd.DataFrame("Acc", ["metric"], GOOD.columns).assign(wnli=np.nan),
            ["'Acc' of 'metric' on 'mnli'", "df.drop(columns=['mnli', 'rte', 'cola'])"],
            id="nothing else, and a gap",
        ),
        pytest.param(
            GOOD.astype(object).mask(GOOD.isin([88.0, 50.0]), "n/a"),
            ["'n/a' of 'B' on 'mnli'", "pd.to_numeric(df['mnli'], errors='coerce')"],
            id="a word for a missing score",
        ),
        pytest.param(
            table(mnli=["88.1%", "87%"]),
            ["'88.1%' of 'A' on 'mnli'", "pd.to_numeric(df['mnli'].str.rstrip('%'))"],
            id="percent signs",
        ),
        pytest.param(
            table(elo=["1,234", "987"]),
            ["'1,234' of 'A' on 'elo'", "pd.to_numeric(df['elo'].str.replace(',', ''))"],
            id="thousands with commas",
        ),
        pytest.param(
            table(elo=["1,250", "68,5"]),
            ["'1,250' of 'A' on 'elo'", "pd.to_numeric(df['elo'].str.replace(',', '.'))"],
            id="decimal commas",
        ),
        pytest.param(
            GOOD.reset_index(names="model"),
            ["'model'", "df.set_index('model')", "index_col=0"],
            id="systems in a column",
        ),
        pytest.param(
            GOOD.reset_index(names="model").melt("model", var_name="task"),
            ["nbrank.from_long(df, system='model', task='task', score=...)"],
            id="a row for each score",
        ),
        pytest.param(
            table(model_a=["A"], model_b=["B"], winner=["model_a"]),
            ["nbrank.from_comparisons(df, left=, right=, winner=)"],
            id="a row for each comparison",
        ),
        pytest.param(
            GOOD.assign(licence=["MIT", "none", "MIT"]),
            ["'licence'", "df.drop(columns=['licence'])"],
            id="a column of words",
        ),
        pytest.param(
            GOOD.assign(params=["7B", "13B", "70B"])[["params", "mnli"]],
            ["'params'", "nbrank.read(df)"],
            id="sizes beside the scores",
        ),
        pytest.param(
            GOOD.astype(object).assign(rte=["70.1±0.3", "75.5±0.2", "80.0±0.4"]),
            ["'rte'", "nbrank.read(df)"],
            id="scores with their errors",
        ),
    ],
)
def test_a_table_that_is_no_scores_is_refused(scores, names):
    with pytest.raises(TypeError) as refused:
        scores.rank.borda()
    for name in names:
        assert name in str(refused.value)


@pytest.mark.parametrize(
    ("columns", "size"),
    [
        ({"model": ["A", "A", "B", "B"], "seed": [0, 1, 0, 1]}, (2, 2)),
        ({"seed": [0, 1, 0, 1], "model": ["A", "A", "B", "B"]}, (2, 2)),
        ({"model": list("ABCD"), "note": ["x", "x", "y", "y"]}, (4, 2)),
    ],
    ids=["runs", "runs, the seed first", "a second column of words"],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_file_as_pandas_reads_it_is_left_to_read(columns, size):
    frame = pd.DataFrame(columns | {"t1": [1.5, 2.5, 3.5, 4.5], "t2": [2.5, 1.5, 0.5, 3.5]})
    with pytest.raises(TypeError, match=r"read the table with nbrank\.read\(df\)"):
        frame.rank.borda()
    board = nbrank.read(frame)
    assert (len(board.systems), len(board.tasks)) == size
    assert board.tasks.tolist() == ["t1", "t2"]


def test_a_form_with_places_is_left_to_read():
    names = {"Timestamp": ["2026-01-01 10:00"] * 3, "Your name": list("abc")}
    frame = pd.DataFrame(names | {"Pizza": [1, 2, 1], "Soup": [2, 1, 3], "Fish": [3, 3, 2]})
    with pytest.raises(TypeError, match=r"read the table with nbrank\.read\(df\)"):
        frame.rank.borda()
    with pytest.warns(UserWarning, match="3 ballots"):
        assert nbrank.read(frame).borda().index[0] == "Pizza"


@pytest.mark.parametrize(
    "name", ["params", "size", "year", "rank", "Zero-shot", "Max Tokens", "#Params (B)"]
)
def test_a_column_that_describes_the_systems_is_named(name):
    scores = GOOD.assign(**{name: [7, 13, 70]})
    with pytest.warns(user_warnings.DescriptionWarning, match="nbrank.read,") as caught:
        nbrank.borda(scores)
    assert f"df.drop(columns=[{name!r}])" in str(caught[0].message)
    # Who weighs it, says that less of it is better, or has nothing else, means to rank it.
    assert kinds_said(scores[[name]]) == [user_warnings.OrientationWarning] * (name == "rank")
    nbrank.borda(scores.copy(), weights=dict.fromkeys(scores, 1), lower_is_better=[name])
    assert list(nbrank.read(scores.copy(), roles={name: "description"}).tasks) == list(GOOD)
    assert name in nbrank.read(scores, roles={name: "task"}).tasks


def test_an_average_is_told_of_beside_such_a_column_and_where_it_counts():
    scores = GOOD.assign(total=GOOD.mean(axis=1), params=[7, 13, 70])
    kinds = [user_warnings.DescriptionWarning, user_warnings.AverageColumnWarning]
    assert kinds_said(scores) == kinds
    assert kinds_said(scores.astype("float32")) == kinds
    nbrank.borda(scores.copy(), weights={**dict.fromkeys(scores, 1), "total": 0, "params": 0})


def found_in(table):
    return {
        what: data_warnings.find_summary_column(table, others)
        for what, others in data_warnings.row_means_and_sums(table).items()
    }


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("what", ["mean", "sum"])
@pytest.mark.parametrize("written", [lambda one: one, np.float32, lambda one: one.round(2)])
def test_a_summary_is_found_where_it_stands(seed, what, written):
    rng = np.random.default_rng(seed)
    table = written(100 * rng.random((9, 5)))
    table[rng.random(table.shape) < 0.1] = np.nan
    place = int(rng.integers(6))
    summary = written(getattr(np, f"nan{what}")(table, axis=1))
    whole = np.insert(table, place, summary, axis=1).astype(float)
    assert found_in(whole)[f"the {what}"] == place
    whole[:, place] = np.roll(whole[:, place], 1)
    assert set(found_in(whole).values()) == {None}


def test_noise_copies_and_small_tables_have_none():
    rng = np.random.default_rng(0)
    for shape in ((3, 3), (5, 20), (30, 4)):
        for _ in range(50):
            assert set(found_in(rng.random(shape).round(2)).values()) == {None}
    assert set(found_in(np.tile(rng.random((9, 1)), 4)).values()) == {None}
    assert set(found_in(np.array([[1.0, 1.0, 1.0], [2.0, 4.0, 3.0]])).values()) == {None}
    assert set(found_in(np.array([[1.0, np.inf, 3.0]] * 4)).values()) == {None}


def test_a_task_of_several_shots_is_a_task():
    for names in (
        ["zero-shot", "few-shot"],
        ["date_understanding", "RankQA"],
        ["size of ark", "b"],
    ):
        assert kinds_said(GOOD[["mnli", "rte"]].set_axis(names, axis=1)) == []


@pytest.mark.parametrize(
    "rows",
    [
        ["mnli", "rte", "cola", "sst2"],
        ["MMLU-Pro (5-shot)", "SWE-bench Verified", "MATH-500", "AIME 2024"],
        ["HumanEval+", "ARC-Challenge", "my own task", "Hella_Swag", "GPQA diamond"],
        ["Pong", "Breakout", "Seaquest"],
        ["HalfCheetah-v2", "Hopper-v2", "Walker2d-v2"],
    ],
)
def test_benchmarks_in_rows_are_seen(rows):
    scores = pd.DataFrame({"gpt-4": range(len(rows)), "llama": 3.5}, index=rows)
    assert kinds_said(scores) == [user_warnings.TransposedWarning]
    assert kinds_said(scores.T) == []
    # Of metrics in the columns, of tasks on both sides, or of few names no system is known.
    assert kinds_said(scores.set_axis(["accuracy", "f1"], axis=1)) == []
    assert kinds_said(scores.set_axis(["MNLI", "zero"], axis=1)) == []
    assert kinds_said(scores.set_axis([*rows[:-2], "BERT", "GPT"])) == []


def test_systems_called_after_a_benchmark_are_systems():
    for rows in (["MMLU-tuned", "GSM8K-tuned"], ["MATH-7B", "MATH-70B"], ["RaceNet", "CocoLM"]):
        assert kinds_said(pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 1.0]}, index=rows)) == []


@pytest.mark.parametrize(
    "name",
    [
        *("edit distance", "Toxicity", "ECE", "NLL (test)", "EER (%)", "WMT TER", "bits_per_byte"),
        *("FLOPs", "Energy (kWh)", "energy_kwh", "Brier score", "hallucination rate"),
    ],
)
def test_what_is_called_a_distance_an_error_or_a_cost_is_asked_about(name):
    assert kinds_said(GOOD.rename(columns={"rte": name})) == [user_warnings.OrientationWarning]


@pytest.mark.parametrize(
    "name", ["TFLOPS", "Jigsaw toxicity", "Energy and power", "Greece", "water", "SNLL", "career"]
)
def test_what_only_holds_such_a_word_is_not(name):
    assert kinds_said(GOOD.rename(columns={"rte": name})) == []


def test_a_warning_is_shown_once_a_table():
    scores = GOOD.assign(latency=[3, 2, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores.rank.borda()
        scores.rank.copeland()
    assert len(caught) == 1
    with pytest.warns(nbrank.LeaderboardWarning):
        scores.copy().rank.borda()


def test_scores_of_one_column_may_be_called_something_of_which_less_is_better():
    long = GOOD.reset_index(names="model").melt("model", var_name="dataset", value_name="MASE")
    tables = [
        nbrank.read(long).scores,
        nbrank.from_long(long, system="model", task="dataset", score="MASE"),
    ]
    for scores in tables:
        with pytest.warns(user_warnings.OrientationWarning, match="'MASE'.*lower_is_better=True"):
            scores.rank.borda()
        nbrank.borda(scores.copy(), lower_is_better=True)
        nbrank.borda(scores.copy(), lower_is_better=False)


def test_what_is_said_of_the_orientation_is_believed():
    scores = GOOD.assign(latency=[3, 2, 1])
    for said in (False, ["latency"], {"latency": "max"}):
        nbrank.borda(scores.copy(), lower_is_better=said)


def test_a_good_table_says_nothing():
    for rule in ("mean", "borda", "copeland"):
        nbrank.RULES[rule].function(GOOD, weights={"mnli": 1, "rte": 2, "cola": 3})


def test_random_tables_say_nothing():
    rng = np.random.default_rng(0)
    for _ in range(50):
        n_tasks = int(rng.integers(1, 8))
        scores = pd.DataFrame(
            rng.integers(0, 100, (int(rng.integers(1, 9)), n_tasks)).astype(float),
            columns=[f"task {number}" for number in range(n_tasks)],
        )
        nbrank.mean(scores.mask(rng.random(scores.shape) < 0.2), missing="ignore")


#: Each task on a scale of its own: a mean over them warns.
MIXED = {"load_gem", "load_pairwise_paradox", "load_user_preferences"}
#: Comparisons, and figures of a study.
NO_SCORES = {"load_chatbot_arena", "load_missing_scores_runs", "load_missing_scores_sets"}
ONE_TABLE = [
    name
    for name in datasets.__all__
    if name.startswith("load_")
    and name not in NO_SCORES
    and not signature(getattr(datasets, name)).parameters
]


@pytest.mark.parametrize("name", ONE_TABLE)
def test_the_shipped_tables_say_nothing(name):
    scores = getattr(datasets, name)()
    nbrank.borda(scores)
    complete = not pd.DataFrame(getattr(scores, "values", scores)).isna().any().any()
    if complete and name not in MIXED | {"load_ceval_scores"}:
        nbrank.mean(scores)


def test_a_task_that_shares_no_system_with_another_says_nothing():
    """Nothing reaches the user from numpy, either: a warning would fail the test."""
    apart = pd.DataFrame({"t1": [1.0, np.nan] * 3, "t2": [np.nan, 0.0] * 3, "t3": [1.0, 2.0] * 3})
    assert len(nbrank.borda(apart)) == 6


def test_timedialogue_is_no_time():
    for name in (
        "TimeDial",
        "time-sensitive QA",
        "Error detection",
        "cost of living QA",
        "losses?",
    ):
        nbrank.borda(GOOD.rename(columns={"rte": name}))


def kinds_said(scores):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nbrank.borda(scores)
    return [warning.category for warning in caught]


def test_a_table_that_changed_is_looked_at_again():
    """Whatever was asked of it before: its values, its columns and its rows are looked at."""
    scores = GOOD.copy()
    assert kinds_said(scores) == []
    scores["latency"] = [1.0, 3.0, 2.0]
    assert kinds_said(scores) == [user_warnings.OrientationWarning]
    assert kinds_said(scores) == []
    scores.loc["A", "latency"] = 4.0
    assert kinds_said(scores) == []
    scores["mnli"] = scores[["rte", "cola", "latency"]].mean(axis=1)
    assert kinds_said(scores) == [user_warnings.AverageColumnWarning]
    scores.index = ["accuracy", "f1", "bleu"]
    assert kinds_said(scores) == [user_warnings.TransposedWarning]


def test_places_are_seen_in_small_tables():
    few = pd.DataFrame(
        {"a": [1, 2, 3, 4], "b": [2, 1, 4, 3], "c": [1, 3, 2, 4]}, index=list("ABCD")
    )
    assert kinds_said(few) == [user_warnings.PlacesWarning]
    assert kinds_said(few[["a", "b"]]) == []


NAN = np.nan
#: The lists a > b > c > d, a > b > d and b > c.
LISTS = {"1st": [1, 2, 3, 4], "2nd": [1, 2, NAN, 3], "3rd": [NAN, 1, 2, NAN]}


def orders(n, n_tasks, seed=0):
    """Places on a number of lists, as floats."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame({f"list {at}": rng.permutation(n) + 1.0 for at in range(n_tasks)})


@pytest.mark.parametrize(
    "scores",
    [
        pd.DataFrame(LISTS, index=list("abcd")),
        orders(10, 6).mask(lambda one: one == one.iloc[0, 0]),
        orders(10, 6).where(np.arange(60).reshape(10, 6) != 17),
        orders(10, 6).where(np.arange(60).reshape(10, 6) % 7 > 0),
        orders(10, 6).rank(method="average").where(np.arange(60).reshape(10, 6) != 17),
        (orders(10, 6) / 2).round().rank(method="average").where(orders(10, 6, 1) != 4),
        (orders(10, 6) / 2).round().rank(method="min").where(orders(10, 6, 1) != 4),
        (orders(12, 8) - 1).clip(lower=1).where(np.eye(12, 8) != 1),
        orders(4, 3).where(np.arange(12).reshape(4, 3) != 5),
        orders(10, 2),
        orders(5, 2),
        orders(10, 4).where(lambda one: one <= 3),
        orders(6, 2).where(lambda one: one <= 3),
    ],
    ids=[
        "lists of 4, 3 and 2",
        "a place gone in each",
        "one cell gone",
        "many cells gone",
        "one cell gone of averages",
        "tied cells gone of averages",
        "tied cells gone",
        "dense places with gaps",
        "few systems",
        "two lists",
        "two short lists",
        "the best three",
        "the best three of two lists",
    ],
)
def test_places_are_seen_with_gaps_and_on_few_lists(scores):
    kinds = kinds_said(scores)
    assert kinds[0] is user_warnings.PlacesWarning
    assert set(kinds[1:]) <= {user_warnings.UnscoredWarning}  # lists of the best leave systems out


@pytest.mark.parametrize("most", [2, 5, 7, 10, 100])
def test_sparse_grades_are_hardly_ever_places(most):
    rng = np.random.default_rng(most)
    said = 0
    for share in (0.1, 0.3, 0.6):
        for n, n_tasks in ((4, 3), (6, 6), (12, 10), (30, 4)):
            for _ in range(5):
                grades = rng.integers(1, most + 1, (n, n_tasks)).astype(float)
                grades[rng.random(grades.shape) < share] = NAN
                said += user_warnings.PlacesWarning in kinds_said(
                    pd.DataFrame(grades).add_prefix("q")
                )
    assert said <= 1


def test_complete_places_have_no_gaps_leave_out_a_place_that_nobody_lacks():
    assert kinds_said(orders(10, 6).replace(3.0, 11.0)) == []


@pytest.mark.parametrize("method", ["average", "min", "dense"])
def test_places_are_seen_with_ties_and_missing_scores(method):
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.integers(0, 12, (9, 6)), columns=list("abcdef")).astype(float)
    scores = scores.mask(rng.random(scores.shape) < 0.15)
    assert kinds_said(scores.rank(ascending=False, method=method)) == [user_warnings.PlacesWarning]


def places_of(n_systems, n_tasks, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({f"j{task}": rng.permutation(n_systems) + 1.0 for task in range(n_tasks)})


def test_places_are_seen_where_systems_were_dropped_from_all_lists():
    for seed in range(20):
        dropped = places_of(10, 6, seed).drop(index=3)
        assert kinds_said(dropped) == [user_warnings.PlacesWarning]
    assert kinds_said(places_of(20, 3).drop(index=[4, 7])) == [user_warnings.PlacesWarning]


def test_places_are_seen_where_two_of_ten_systems_were_dropped_from_many_lists():
    for seed in range(20):
        dropped = places_of(10, 6, seed).drop(index=[3, 7])
        assert kinds_said(dropped) == [user_warnings.PlacesWarning]


def test_grades_up_to_ten_of_eight_systems_are_no_places():
    rng = np.random.default_rng(0)
    for _ in range(100):
        grades = pd.DataFrame(rng.integers(1, 11, (8, 6)).astype(float))
        assert user_warnings.PlacesWarning not in kinds_said(grades)


@pytest.mark.parametrize("most", [5, 7, 10, 100])
def test_marks_above_the_number_of_rows_are_no_places(most):
    rng = np.random.default_rng(most)
    for _ in range(50):
        marks = rng.integers(1, most + 1, (rng.integers(7, 13), rng.integers(2, 8)))
        marks[0, 0] = len(marks) + 1
        assert user_warnings.PlacesWarning not in kinds_said(pd.DataFrame(marks).add_prefix("j"))


def test_places_of_which_the_orientation_is_known_say_nothing():
    for said in (True, False, ["judge 1"], {"judge 1": "max"}):
        nbrank.borda(RANKS.copy(), lower_is_better=said)
    nbrank.borda(6 - RANKS)
    assert kinds_said(RANKS.add_suffix(" error")) == [user_warnings.OrientationWarning]


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (3, 6), (4, 3), (5, 5), (8, 4)])
def test_few_whole_numbers_are_no_places(size):
    rng = np.random.default_rng(1)
    said = 0
    for _ in range(200):
        scores = pd.DataFrame(rng.integers(1, size[0] + 1, size), columns=range(100, 100 + size[1]))
        said += len(kinds_said(scores.astype(float)))
    assert said == 0
    ones = pd.DataFrame(np.ones(size), columns=range(100, 100 + size[1]))
    assert kinds_said(ones) == []


def test_grades_from_1_to_5_are_no_places():
    rng = np.random.default_rng(2)
    for n in (4, 5, 6, 8, 12, 30):
        for n_tasks in (3, 4, 6, 10):
            for _ in range(20):
                grades = pd.DataFrame(
                    rng.integers(1, 6, (n, n_tasks)), columns=range(7, 7 + n_tasks)
                )
                assert kinds_said(grades) == []


def test_ballots_are_no_places_nor_is_what_they_are_made_into():
    board = nbrank.from_ballots([list("ABCDE"), list("BCDEA"), list("CDEAB"), list("ABDCE")])
    assert len(board.borda()) == 5


def test_a_warning_that_nobody_heard_is_given_again():
    scores = GOOD.assign(latency=[3, 2, 1])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=nbrank.LeaderboardWarning)
        scores.rank.borda()
    assert kinds_said(scores) == [user_warnings.OrientationWarning]
    assert kinds_said(scores) == []


def test_of_whatever_is_made_of_a_table_a_doubt_is_said_once():
    scores = table(fraction=[0.9, 0.8, 0.7], percent=[90.0, 70.0, 80.0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nbrank.compare(scores, ["mean", "borda"])
        nbrank.mean(nbrank.Leaderboard(scores))
        nbrank.mean(scores)
    assert [warning.category for warning in caught] == [user_warnings.ScaleWarning]


def test_a_file_name_is_told_how_files_are_read():
    with pytest.raises(TypeError, match="read the file with nbrank.read"):
        nbrank.borda("scores.csv")


def test_a_leaderboard_has_the_rules_as_a_frame_does():
    board = nbrank.Leaderboard(GOOD)
    assert board.rank.borda().equals(board.borda())


GAPS = pd.DataFrame(
    {"t1": [0.9, np.nan, 0.5, 0.4], "t2": [0.8, np.nan, 0.7, 0.2]}, index=list("ABCD")
)


def unscored_warnings(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [
        str(one.message)
        for one in caught
        if issubclass(one.category, user_warnings.UnscoredWarning)
    ]


def test_a_system_without_a_score_is_ranked_by_rules_on_a_frame_with_a_warning_that_names_it():
    frame = GAPS.copy()
    (said,) = unscored_warnings(lambda: nbrank.borda(frame))
    assert said.startswith("'B' has no score at all, and is ranked all the same")
    # Himmi et al.: half of the others are below it, on each task.
    assert nbrank.borda(frame)["score"]["B"] == 3.0
    remedy = re.search(r"rank df(.*)$", said)[1]
    assert remedy == ".dropna(how='all')"
    rest = frame.dropna(how="all")
    assert "B" not in rest.index
    assert not unscored_warnings(lambda: nbrank.borda(rest))


def test_it_is_said_once_for_a_table_by_whatever_rule():
    frame = GAPS.copy()
    rules = (nbrank.borda, nbrank.copeland, nbrank.instant_runoff, nbrank.kemeny)
    assert len(unscored_warnings(lambda: [rule(frame) for rule in rules])) == 1
    assert len(unscored_warnings(lambda: nbrank.compare(GAPS.copy(), ["borda", "copeland"]))) == 1


def test_several_and_those_scored_only_where_nothing_weighs_are_named():
    both = pd.concat([GAPS, GAPS.loc[["B"]].rename({"B": "E"})])
    (said,) = unscored_warnings(lambda: nbrank.copeland(both))
    assert said.startswith("'B', 'E' have no score at all, and are ranked")
    aside = GAPS.assign(t3=[1.0, 2, 3, 4])
    weights = {"t1": 1, "t2": 1, "t3": 0}
    (said,) = unscored_warnings(lambda: nbrank.copeland(aside, weights=weights))
    assert said.endswith("rank df.drop(index=['B'])")
    assert not unscored_warnings(lambda: nbrank.copeland(aside))


def test_instances_and_runs_are_looked_at_too():
    for level in ("instance", "seed"):
        rows = pd.MultiIndex.from_product([list("ABC"), range(3)], names=["system", level])
        frame = pd.DataFrame({"t": np.arange(9.0), "u": np.arange(9.0)}, index=rows)
        frame.loc["C"] = np.nan
        (said,) = unscored_warnings(lambda frame=frame: nbrank.copeland(frame))
        assert said.startswith("'C' has no score")
        assert not unscored_warnings(lambda frame=frame: nbrank.copeland(frame.dropna(how="all")))


def test_what_leaves_it_out_does_not_warn_of_it():
    calls = [
        lambda: nbrank.picture(GAPS.copy()),
        lambda: nbrank.report(GAPS.copy(), rules=["borda", "copeland"]),
        lambda: nbrank.explore(GAPS.copy()),
        lambda: nbrank.Leaderboard(GAPS).drop_unscored().borda(),
    ]
    for call in calls:
        assert not unscored_warnings(call)


def test_a_system_without_a_score_in_a_part_of_the_table_only_is_none():
    frame = pd.DataFrame({"t1": [1.0, 2, np.nan], "t2": [2.0, 1, 3]}, index=list("ABC"))
    assert not unscored_warnings(lambda: nbrank.leave_one_out(frame, "borda"))
    groups = {"g": ["t1"], "h": ["t2"]}
    assert not unscored_warnings(lambda: nbrank.two_step(frame, "borda", groups=groups))


def test_the_table_of_groups_warns_of_nothing_itself():
    frame = pd.DataFrame(
        {"a": [1, 2, np.nan], "b": [3, np.nan, np.nan], "c": [np.nan, np.nan, 5]}, list("XYZ")
    )
    groups = {"g": ["a", "b"], "h": ["c"]}
    with pytest.warns(nbrank.LeaderboardWarning) as caught:
        ranking = nbrank.two_step(frame, "mean_win_rate", groups=groups)
    assert ranking["rank"].to_dict() == {"Y": 1, "X": 2, "Z": 3}
    assert [str(warning.message).partition(",")[0] for warning in caught] == [
        "two_step: mean_win_rate gives 'Z' no score in any group"
    ]


def diverged(n, where, value=1e8):
    """Scores between 0 and 1 with three decimals, and one that is far off."""
    rng = np.random.default_rng(n)
    scores = pd.DataFrame(rng.random((n, 4)).round(3), columns=["power", "traffic", "sun", "ett"])
    scores.iloc[where] = value
    return scores


@pytest.mark.parametrize("n", [20, 22, 50, 300])
@pytest.mark.parametrize("value", [1e3, 1e8, -1e8, 1e300, np.inf])
@pytest.mark.parametrize("where", [(0, 0), (3, 1), (slice(0, 1), slice(None))])
def test_one_score_far_off_makes_no_task_an_average(n, value, where):
    scores = diverged(n, where, value)
    assert kinds_said(scores) == []


@pytest.mark.parametrize("value", [0.5, 1e8, np.inf])
@pytest.mark.parametrize("n", [5, 22, 60])
def test_an_average_is_seen_with_one_score_far_off(n, value):
    scores = diverged(n, (0, 0), value)
    scores["all of them"] = scores.mean(axis=1).round(4)
    assert kinds_said(scores) == [user_warnings.AverageColumnWarning]


def test_an_average_is_seen_with_one_figure_unrounded_or_of_another_version():
    scores = diverged(25, (0, 0), 0.5)
    scores["all of them"] = scores.mean(axis=1).round(3)
    scores.iloc[7, 4] = scores.iloc[7, :4].mean() + 1e-13
    assert kinds_said(scores) == [user_warnings.AverageColumnWarning]
    called = diverged(25, (0, 0), 0.5).assign(average=0.5)
    assert kinds_said(called.assign(average=called.iloc[:, :4].median(axis=1))) != []
    called["average"] = called.iloc[:, :4].median(axis=1)
    called.iloc[3, 4] = 1.5
    assert kinds_said(called) == [user_warnings.AverageColumnWarning]


def test_a_value_that_fills_gaps_makes_no_task_a_sum():
    sparse = pd.DataFrame({"t1": [0, None, None, None], "t2": [2, None, None, None]})
    scores = sparse.assign(t3=[2.0, 0.0, 0.0, 0.0]).set_axis(list("ABCD")).fillna(-5.0)
    assert (scores["t2"] == scores["t1"] + scores["t3"]).all()
    assert kinds_said(scores) == []


def test_copies_of_a_task_are_no_averages_whatever_one_score_of_them_is():
    scores = diverged(25, (0, 0), 0.5)[["power"] * 4].set_axis(list("abcd"), axis=1)
    assert kinds_said(scores) == []
    scores.iloc[4, 2] = 1e8
    assert kinds_said(scores) == []


def test_one_score_far_off_makes_no_others_nearly_tie():
    scores = pd.DataFrame({"a": 1e6 + np.arange(20) * 1e-6, "b": np.arange(20.0)})
    assert kinds_said(scores) == []
    scores.iloc[0, 0] = 1e8
    assert kinds_said(scores) == []


# ------------------------------------------------------------------- errors of 0

SHARES = pd.DataFrame({"t1": [0.0456, 0.2, 0.9], "t2": [1.0, 0.5, 0.7]}, index=list("ABC"))


@pytest.mark.parametrize(
    "question",
    [
        lambda errors: nbrank.rank_confidence(SHARES, "mean", errors=errors, n_draws=100),
        lambda errors: nbrank.rank_confidence(SHARES, "borda", errors=errors, n_draws=100),
        lambda errors: nbrank.bootstrap(SHARES, "mean", errors=errors, n_draws=20),
        lambda errors: nbrank.bootstrap(SHARES, "mean", errors=errors, over="both", n_draws=20),
        lambda errors: nbrank.score_intervals(SHARES, errors=errors),
        lambda errors: nbrank.variance_split(SHARES, errors=errors),
        lambda errors: nbrank.rank_confidence_from(SHARES["t1"], errors["t1"], n_draws=100),
        lambda errors: nbrank.rank_confidence_from(
            SHARES["t1"],
            pd.DataFrame(np.diag(errors["t1"] ** 2), list("ABC"), list("ABC")),
            n_draws=100,
        ),
    ],
)
def test_a_share_between_0_and_1_without_an_error_is_doubted(question):
    errors = SHARES * 0 + 0.05
    errors.loc["A", "t2"] = 0.0  # all right
    question(errors)
    errors.loc["A", "t1"] = 0.0
    with pytest.warns(
        user_warnings.ZeroErrorWarning, match="'A'.* is 0, .*binomial_errors"
    ) as caught:
        question(errors)
    assert caught[0].filename == __file__
    question(errors.replace(0.0, 1e-12))
    question(nbrank.binomial_errors(SHARES, 307))


@pytest.mark.parametrize("n", [2, 3, 9, 10, 30])
def test_one_wild_cell_is_no_usual_size(n):
    table = np.linspace(0.1, 0.9, n)[:, None] * [1.0, -2.0]
    wild = table.copy()
    wild[0] = 1e8
    assert (data_warnings._usual_size(wild) <= np.abs(table).max(axis=0)).all()
    assert (data_warnings._usual_size(table) >= 0.5 * np.abs(table).max(axis=0)).all() or n < 3


def test_sizes_without_a_score_are_0():
    assert data_warnings._usual_size(np.array([[np.nan, 1.0], [np.nan, np.nan]])).tolist() == [0, 1]
