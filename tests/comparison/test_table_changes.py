"""What changed between two tables: each step built by hand in pandas, and ranked."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import Leaderboard, changes, explain_change

STEPS = ["by_scores", "by_tasks", "by_leaving", "by_coming"]
TASKS = ["t1", "t2", "t3", "t4", "t5"]
OLD = pd.DataFrame([[1, 1, 2, 2, 2], [3, 3, 1, 1, 1]], ["A", "B"], TASKS)
NEW = pd.concat([OLD, pd.DataFrame([[2, 2, 3, 3, 3]], ["D"], TASKS)])


def random_pair(rng, *, missing=0.2):
    """Two tables that share most systems and tasks, with ties and missing scores."""

    def draw(systems, tasks):
        values = rng.integers(0, 4, (len(systems), len(tasks))).astype(float)
        values[rng.random(values.shape) < missing] = np.nan
        values[:, 0] = rng.integers(0, 4, len(systems))  # nobody is without a score
        return pd.DataFrame(values, list(systems), list(tasks))

    def choose(labels, required):
        rest = [label for label in labels if label != required]
        size = rng.integers(2, len(rest) + 1)
        return [required, *rng.choice(rest, size, replace=False)]

    old = draw(choose("ABCDEF", "A"), choose("tuvwx", "t"))
    new = draw(choose("ABCDEFGH", "A"), choose("tuvwxyz", "t"))
    shared = old.index.intersection(new.index), old.columns.intersection(new.columns)
    same = rng.random((len(shared[0]), len(shared[1]))) < 0.6
    block = new.loc[shared].where(~same, old.loc[shared])
    new.loc[shared] = block
    return old, new


def tables_by_hand(old, new):
    """The old table and the table after each step."""
    common = [system for system in new.index if system in old.index]
    tasks = [task for task in old.columns if task in new.columns]
    rescored = old.copy()
    for system in common:
        for task in tasks:
            rescored.loc[system, task] = new.loc[system, task]
    on_new_tasks = pd.DataFrame(np.nan, old.index, new.columns)
    for system in old.index:
        for task in new.columns:
            if system in new.index:
                on_new_tasks.loc[system, task] = new.loc[system, task]
            elif task in old.columns:
                on_new_tasks.loc[system, task] = old.loc[system, task]
    return [old, rescored, on_new_tasks, new.loc[common], new]


def test_an_error_says_which_of_the_tables_is_at_fault():
    wrong = NEW.astype(object).where(NEW != 1, "n/a")
    for question in (changes, partial(explain_change, system="A")):
        name = getattr(question, "__name__", "explain_change")
        with pytest.raises(TypeError, match=f"^{name}: the table 'after': scores must be numbers"):
            question(OLD, wrong)
        with pytest.raises(TypeError, match=f"^{name}: the table 'before': scores must be numb"):
            question(wrong, Leaderboard(NEW))
        with pytest.raises(ValueError, match=f"^{name}: the table 'before': duplicate systems"):
            question(pd.concat([OLD, OLD]), NEW)


@pytest.mark.parametrize("groups", [None, ["a", "b"]])
def test_a_name_that_differs_only_in_case_or_spaces_is_named_with_the_call(groups):
    before, after = OLD, NEW
    if groups is not None:
        before, after = (pd.concat([table] * 2, axis=1, keys=groups) for table in (OLD, NEW))
    after = after.rename(index={"B": "b"}, columns={"t1": "T 1"})
    with pytest.warns(UserWarning, match="'B' and 'b' differ only in case or spaces") as caught:
        found = changes(before, after)
    assert found.attrs["respelled"] in str(caught[0].message)
    for call in re.findall(r"scores.rename\([^)]*\)", found.attrs["respelled"]):
        before = eval(call, {"scores": before})
    assert changes(before, after)["before"].notna().sum() == 2
    assert "respelled" not in changes(before, after).attrs
    assert changes(before, after)["by_tasks"].isna().sum() == 1


@pytest.mark.filterwarnings("ignore::nbrank.votes.user_warnings.SimilarNamesWarning")
def test_names_that_may_be_of_several_or_are_no_texts_are_not_paired():
    twice = pd.DataFrame({"t": [3.0, 2, 1]}, index=["m 1", "M1", "A"])
    after = twice.rename(index={"m 1": "m-1", "M1": "M 1"})
    assert "respelled" not in changes(twice, after).attrs
    numbers = pd.DataFrame({"t": [3.0, 2]}, index=[1, 2])
    assert "respelled" not in changes(numbers, numbers.set_axis(["1", "2"])).attrs


def assert_as_by_hand(old, new, rule, **options):
    found = changes(old, new, rule, **options)
    ranks = [rule(table, **options)["rank"] for table in tables_by_hand(old, new)]
    gone = [system for system in old.index if system not in new.index]
    assert list(found.index) == [*ranks[-1].index, *gone]
    for system in found.index:
        row = found.loc[system]
        if system not in old.index or system not in new.index:
            assert row[STEPS].isna().all()
            assert row["passed_by"] == []
            known, other = ("after", "before") if system in new.index else ("before", "after")
            assert row[known] == ranks[-1 if known == "after" else 0][system]
            assert row[other] is pd.NA
            continue
        own = [step[system] for step in ranks]
        assert row["before"] == own[0]
        assert row["after"] == own[-1]
        assert row[STEPS].tolist() == np.diff(own).tolist()
        above = set(ranks[-1].index[ranks[-1] < own[-1]])
        was_above = set(ranks[0].index[ranks[0] < own[0]])
        assert set(row["passed_by"]) == above - was_above
        assert row["after"] - row["before"] == len(above - was_above) - len(was_above - above)


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
@pytest.mark.parametrize(
    ("rule", "options"),
    [
        (nbrank.borda, {}),
        (nbrank.borda, {"missing": "worst"}),
        (nbrank.mean, {"missing": "ignore"}),
        (nbrank.copeland, {}),
        (nbrank.instant_runoff, {}),
        (nbrank.mean_win_rate, {}),
    ],
)
def test_each_step_is_the_rule_on_a_table_built_by_hand(rule, options):
    rng = np.random.default_rng(0)
    for _ in range(12):
        assert_as_by_hand(*random_pair(rng), rule, **options)


def test_scores_that_change_move_ranks_by_scores_only():
    new = OLD.assign(t5=[0, 1])
    found = changes(OLD, new, "borda")
    assert found.loc["A"].tolist()[:6] == [1, 2, 1, 0, 0, 0]
    assert found.loc["B", "by_scores"] == -1


def test_tasks_that_change_move_ranks_by_tasks_only():
    found = changes(OLD, OLD[["t1", "t2"]])
    assert found.loc["A", STEPS].tolist() == [0, 1, 0, 0]
    assert found.loc["A", "passed_by"] == ["B"]


def test_systems_that_leave_move_ranks_by_leaving_only():
    found = changes(NEW, OLD)
    assert list(found.index) == ["A", "B", "D"]
    assert found.loc["A", STEPS].tolist() == [0, 0, -2, 0]
    assert found.loc["D", ["before", "after"]].tolist() == [1, pd.NA]


def test_renaming_and_reordering_change_labels_only():
    rng = np.random.default_rng(1)
    for _ in range(5):
        old, new = random_pair(rng)
        found = changes(old, new)
        shuffled = changes(
            old.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=2),
            new.sample(frac=1, random_state=3).sample(frac=1, axis=1, random_state=4),
        )
        columns = ["before", "after", *STEPS]
        assert shuffled[columns].loc[found.index].equals(found[columns])
        renamed = changes(old.rename(index=str.lower), new.rename(index=str.lower))
        assert renamed[columns].equals(found[columns].rename(index=str.lower))


def test_a_doubled_column_is_a_doubled_weight():
    rng = np.random.default_rng(2)
    for _ in range(5):
        old, new = random_pair(rng)
        doubled = changes(old.assign(again=old["t"]), new.assign(again=new["t"]))
        assert changes(old, new, weights={"t": 2}).equals(doubled)


def test_weights_of_leaderboards_change_with_the_tasks():
    old = Leaderboard(OLD)
    new = Leaderboard(OLD, weights={"t1": 3})
    assert changes(old, new).loc["A", STEPS].tolist() == [0, 1, 0, 0]
    assert old.changes(new).equals(changes(old, new))
    assert OLD.rank.changes(OLD).equals(changes(OLD, OLD))


def test_options_go_to_the_table_that_has_the_task():
    old = OLD.assign(latency=[1.0, 9.0])
    new = NEW[["t1", "t3"]].assign(seconds=[1.0, 2.0, 3.0])
    options = {"weights": {"t1": 2, "t5": 4}, "lower_is_better": ["latency", "seconds"]}
    found = changes(old, new, **options)
    one = Leaderboard(old, weights=options["weights"], lower_is_better=["latency"])
    other = Leaderboard(new, weights={"t1": 2}, lower_is_better="seconds")
    assert found.equals(changes(one, other))
    assert found.equals(
        changes(old, new, **{**options, "lower_is_better": {"latency": True, "seconds": "min"}})
    )
    with pytest.raises(ValueError, match="unknown 'laency'"):
        changes(old, new, lower_is_better=["laency"])
    with pytest.raises(TypeError, match="weights can't be given together with a Leaderboard"):
        changes(one, new, weights={"t1": 2})


@pytest.mark.parametrize(
    "groups",
    [
        {"easy": ["t1", "t2", "t3"], "hard": ["t4", "t5"]},
        {"t1": "easy", "t2": "easy", "t3": "easy", "t4": "hard", "t5": "hard"},
    ],
)
def test_groups_are_those_of_each_tables_tasks(groups):
    weights = {"easy": 1, "hard": 2}
    new = NEW[["t1", "t2"]]
    found = changes(OLD, new, groups=groups, weights=weights)
    other = Leaderboard(new, groups={"easy": ["t1", "t2"]}, weights={"easy": 1})
    assert found.equals(changes(Leaderboard(OLD, groups=groups, weights=weights), other))


def test_groups_in_the_columns_need_no_option():
    by_group = [("easy", task) for task in TASKS[:3]] + [("hard", task) for task in TASKS[3:]]
    old, new = (frame.set_axis(pd.MultiIndex.from_tuples(by_group), axis=1) for frame in (OLD, NEW))
    found = changes(old, new, weights="balanced")
    single = dict.fromkeys(TASKS[:3], 1 / 3) | dict.fromkeys(TASKS[3:], 1 / 2)
    assert found.equals(changes(OLD, NEW, weights=single))
    assert not found.loc["A", STEPS].eq(0).all()
    easy = new[["easy"]]
    found = changes(old, easy, weights={"t4": 5, "t1": 2})
    assert found.equals(changes(OLD, NEW[TASKS[:3]], weights={"t4": 5, "t1": 2}))


def instances(table, seed):
    rng = np.random.default_rng(seed)
    rows = pd.MultiIndex.from_product([table.index, range(6)], names=["system", "instance"])
    noise = rng.integers(0, 3, (len(rows), table.shape[1]))
    return pd.DataFrame(noise + table.loc[rows.get_level_values(0)].to_numpy(), rows, table.columns)


@pytest.mark.parametrize("rule", [nbrank.borda, nbrank.mean])
def test_instances_of_the_tasks_of_both_tables_are_replaced(rule):
    old = instances(NEW, 0)
    new = instances(NEW.drop(index="B"), 1)[["t2", "t1"]].rename({5: 7}, level="instance")
    found = changes(old, new, rule, missing="ignore")
    rescored = old.copy()
    common = ["A", "D"]
    rescored.loc[common, ["t1", "t2"]] = np.nan
    rescored = rescored.reindex(rescored.index.union(new.index))
    rescored.loc[new.index, ["t1", "t2"]] = new[["t1", "t2"]]
    on_new_tasks = rescored[["t2", "t1"]]
    tables = [old, rescored, on_new_tasks, new, new]
    ranks = pd.DataFrame([rule(table, missing="ignore")["rank"] for table in tables])
    for system in common:
        assert found.loc[system, STEPS].tolist() == ranks[system].diff()[1:].tolist()


def test_runs_count_as_the_rule_counts_them():
    rng = np.random.default_rng(3)
    rows = pd.MultiIndex.from_product([list("ABC"), range(4)], names=["system", "seed"])
    old = pd.DataFrame(rng.random((12, 3)), rows, list("tuv"))
    new = pd.DataFrame(rng.random((12, 3)), rows, list("tuw")).rename({"C": "D"})
    found = changes(old, new, nbrank.interquartile_mean, missing="ignore")
    common = ["A", "B"]
    rescored = old.copy()
    rescored.loc[common, ["t", "u"]] = new.loc[common, ["t", "u"]]
    on_new_tasks = pd.concat([new.loc[common], old.loc[["C"], ["t", "u"]]])
    tables = [old, rescored, on_new_tasks, new.loc[common], new]
    for system in common:
        ranks = [
            nbrank.interquartile_mean(table, missing="ignore")["rank"][system] for table in tables
        ]
        assert found.loc[system, STEPS].tolist() == np.diff(ranks).tolist()


def test_tables_without_a_common_system_have_ranks_and_no_parts():
    found = changes(OLD, OLD.rename(index={"A": "C", "B": "D"}))
    assert list(found.index) == ["C", "D", "A", "B"]
    assert found[STEPS].isna().all(axis=None)


def test_labels_are_matched_when_cleaned():
    assert changes(OLD, NEW.rename(index={"A": "A "})).equals(changes(OLD, NEW))


def test_what_can_not_stand_in_one_table_is_refused_with_words():
    with pytest.raises(ValueError, match="lower is better on 't1' in one table only"):
        changes(OLD, Leaderboard(NEW, lower_is_better=["t1"]))
    with pytest.raises(ValueError, match="only 'after' has a score for each instance.*groupby"):
        changes(OLD, instances(NEW, 0))
    changes(OLD, instances(NEW, 0).groupby(level="system").mean())
    with pytest.raises(ValueError, match="'D', which left, lacks new tasks: mean: 1 missing score"):
        changes(NEW, OLD.assign(t6=1), "mean")
    changes(NEW, OLD.assign(t6=1), "mean", missing="ignore")


def test_a_system_learns_who_passed_it_where_and_why():
    found = explain_change(OLD, NEW, system="A")
    assert list(found.index) == ["D", "B"] == changes(OLD, NEW).loc["A", "passed_by"]
    assert found["step"].tolist() == ["coming", "coming"]
    assert found["tasks"].tolist() == [tuple(TASKS), ()]
    assert found["newcomers"].tolist() == [["D"], ["D"]]
    found = explain_change(OLD, OLD.assign(t5=[0, 1], t4=[0, 1]), system="A")
    assert found["step"].tolist() == ["scores"]
    assert found["tasks"].tolist() == [("t4", "t5")]
    assert found["newcomers"].tolist() == [[]]


def test_it_may_take_several_newcomers_together():
    # C stands between B and A on t1 only, and D on t2 only.
    new = pd.concat([OLD, pd.DataFrame([[2, 0, 3, 3, 3], [0, 2, 3, 3, 3]], ["C", "D"], TASKS)])
    ranks = {names: nbrank.borda(new.loc[["A", "B", *names]])["rank"] for names in ("C", "D", "CD")}
    assert [each["B"] < each["A"] for each in ranks.values()] == [False, False, True]
    found = explain_change(OLD, new, system="A")
    assert found.loc["B", ["step", "newcomers"]].tolist() == ["coming", []]


def test_newcomers_are_those_that_suffice_alone_on_random_tables():
    rng = np.random.default_rng(4)
    turned = 0
    for _ in range(6):
        old, new = random_pair(rng, missing=0)
        common = [system for system in new.index if system in old.index]
        found = changes(old, new)
        for system in common:
            told = explain_change(old, new, system=system)
            assert list(told.index) == found.loc[system, "passed_by"]
            for other in told.index[told["step"] == "coming"]:
                enough = []
                for one in new.index.difference(common):
                    rows = [name for name in new.index if name in {*common, one}]
                    ranks = nbrank.borda(new.loc[rows])["rank"]
                    if other in rows and ranks[other] < ranks[system]:
                        enough.append(one)
                assert sorted(told.loc[other, "newcomers"]) == enough
                turned += other in common
    assert turned > 0


def test_explaining_needs_a_system_of_both_tables():
    with pytest.raises(ValueError, match="'D' is not in both tables. .* both are 'A', 'B'"):
        explain_change(OLD, NEW, system="D")


def test_a_rule_with_arguments_and_one_of_ones_own():
    rule = partial(nbrank.normalized_mean, low=0, high=9)
    assert changes(OLD, NEW, rule).equals(changes(OLD, NEW, "normalized_mean", low=0, high=9))

    def first_task(board):
        scores = board.scores.iloc[:, 0]
        return pd.DataFrame({"rank": scores.rank(ascending=False, method="min"), "score": scores})

    assert changes(OLD, NEW, first_task).loc["A", ["before", "after"]].tolist() == [2, 3]
