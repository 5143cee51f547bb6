"""Scores that were counted are ranked as the scores themselves."""

import pickle
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import nbrank
from nbrank.arrays.counting import BallotCounts, count_ballots
from nbrank.arrays.resampling import multiplicities

SYSTEMS = ["C", "A", "B", "D", "E"]


def made(seed: int, n: int = 60, missing: float = 0.0, dtype: type = float) -> pd.DataFrame:
    """Instance-level scores with many ties: five systems, three tasks of different sizes."""
    rng = np.random.default_rng(seed)
    frames = []
    for task, size in (("t1", n), ("t2", n // 2), ("t3", n // 3)):
        # Each better than the next, so that strengths are finite and orders not all tied.
        scores = rng.integers(0, 6, (len(SYSTEMS), size)) + np.arange(5)[::-1, None] * 0.5
        scores[rng.random(scores.shape) < missing] = np.nan
        index = pd.MultiIndex.from_product([SYSTEMS, range(size)], names=["system", "instance"])
        frames.append(pd.Series(scores.ravel(), index=index, name=task))
    return pd.concat(frames, axis=1).dropna(how="all").astype(dtype)


def grouped(frame: pd.DataFrame) -> pd.DataFrame:
    columns = pd.MultiIndex.from_tuples([("x", "t1"), ("x", "t2"), ("y", "t3")])
    return frame.set_axis(columns, axis=1)


TABLES = {
    "complete": made(1),
    "float32": made(2, dtype=np.float32),
    "missing": made(3, missing=0.3),
    "a system without a score in a task": made(4, missing=0.1).assign(
        t2=lambda frame: frame["t2"].where(frame.index.get_level_values("system") != "B")
    ),
    "a system without any score": pd.concat(
        [
            made(5, missing=0.1),
            made(6).loc[["D"]].rename({"D": "F"}, level="system").iloc[:2] * np.nan,
        ]
    ),
    "a task without any score": made(7, missing=0.1).assign(t2=np.nan),
    "task names in groups": grouped(made(8, missing=0.1)),
    "infinite": made(9).replace({0.0: -np.inf, 7.0: np.inf}),
}
OPTIONS = {
    "as it is": {},
    "weights": {"weights": {"t1": 2.0, "t3": 0.3}},
    "a task of weight 0": {"weights": {"t1": 0}},
    "lower is better somewhere": {"lower_is_better": ["t2"]},
    "lower is better": {"lower_is_better": True},
    "balanced": {"groups": {"x": ["t1", "t2"], "y": ["t3"]}, "weights": "balanced"},
}
EVERY_MISSING = ["ignore", "compatible", "worst", "raise"]


def outcome(function, *arguments, **options):
    """What comes of a call: a result, or the error's type and message."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*arguments, **options)
        except (ValueError, TypeError, RuntimeError) as error:
            return type(error), str(error)


def assert_same(of_counts, of_scores):
    if isinstance(of_scores, pd.DataFrame):
        assert isinstance(of_counts, pd.DataFrame), of_counts
        assert_frame_equal(of_counts, of_scores, rtol=1e-9, atol=1e-9, check_index_type=False)
        for name, value in of_scores.attrs.items():
            assert of_counts.attrs[name] == pytest.approx(value), name
    elif isinstance(of_scores, pd.Series):
        assert_series_equal(of_counts, of_scores)
    else:
        assert of_counts == of_scores


def options_of(table, given):
    if table == "task names in groups" and "groups" in given:
        return {"weights": "balanced"}
    return given


class TestEveryFunctionGivesWhatItGivesOnTheScores:
    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", TABLES)
    @pytest.mark.parametrize("rule", [name for name, one in nbrank.RULES.items() if one.tallies])
    def test_rules(self, rule, table, given):
        frame, known = TABLES[table], nbrank.RULES[rule]
        counted, beside = nbrank.tally(frame), options_of(table, OPTIONS[given])
        variants = [{}]
        if "missing" in known.parameters:
            variants = [{"missing": missing} for missing in EVERY_MISSING]
        for name, values in {
            "levels": (1, 2), "ties": ("min", "max"), "variant": ("margins", "opposition"),
        }.items():  # fmt: skip
            if name in known.parameters:
                variants += [one | {name: value} for one in variants for value in values]
        if rule == "ranked_pairs":
            variants += [one | {"tie_order": sorted(set(frame.index.get_level_values(0)))}
                         for one in variants]  # fmt: skip
        for variant in variants:
            of_scores = outcome(known.function, frame, **beside, **variant)
            of_counts = outcome(known.function, counted, **beside, **variant)
            if isinstance(of_scores, tuple) and "infinite score" in of_scores[1]:
                # How many they were is not counted.
                assert "infinite scores, of" in of_counts[1]
                assert of_counts[1].partition(", of ")[2] == of_scores[1].partition(", of ")[2]
            else:
                assert_same(of_counts, of_scores)

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", TABLES)
    @pytest.mark.parametrize("levels", [1, 2])
    @pytest.mark.parametrize(
        "name",
        [
            "pairwise", "compared", "majority_graph", "smith_set", "schwartz_set",
            "uncovered_set", "condorcet_loser", "kemeny_winners",
        ],
    )  # fmt: skip
    def test_pairs_and_sets(self, name, table, given, levels):
        frame, function = TABLES[table], getattr(nbrank, name)
        counted, beside = nbrank.tally(frame), options_of(table, OPTIONS[given])
        for missing in ("ignore", "compatible", "worst"):
            options = {**beside, "missing": missing, "levels": levels}
            assert_same(
                outcome(function, counted, **options),
                outcome(function, frame, **options),
            )

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", [name for name in TABLES if name != "infinite"])
    def test_rules_side_by_side(self, table, given, recwarn):
        frame = TABLES[table]
        counted, beside = nbrank.tally(frame), options_of(table, OPTIONS[given])
        found = nbrank.compare(counted, **beside)
        rules = list(found.columns)
        assert rules == [
            name for name, rule in nbrank.RULES.items() if rule.tallies and not rule.arguments
        ]
        recwarn.clear()
        assert_frame_equal(found, outcome(nbrank.compare, frame, rules, **beside))
        assert_series_equal(
            outcome(nbrank.winners, counted, **beside),
            outcome(nbrank.winners, frame, rules, **beside),
        )
        recwarn.clear()

    def test_rules_side_by_side_take_options_of_every_kind(self):
        frame, rules = TABLES["complete"], ["mean_rank", "borda", "copeland"]
        counted, weights = nbrank.tally(frame), pd.Series({"t1": 2.0, "t3": 0.3})
        for make in (lambda: pd.Index(["t1", "t2"]), lambda: iter(["t2", "t3"]), lambda: True):
            assert_frame_equal(
                nbrank.compare(counted, rules, weights=weights, lower_is_better=make()),
                nbrank.compare(frame, rules, weights=weights, lower_is_better=make()),
            )

    @pytest.mark.parametrize(
        "wrong", [{"weights": {"t9": 1}}, {"groups": {"x": ["t1"]}}, {"lower_is_better": ["t9"]}]
    )
    @pytest.mark.parametrize("function", [nbrank.compare, nbrank.winners])
    def test_rules_side_by_side_refuse_wrong_options_at_once(self, function, wrong):
        frame = TABLES["complete"]
        refused = outcome(function, frame, **wrong)
        assert refused[0] is ValueError
        assert outcome(function, nbrank.tally(frame), **wrong) == refused

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", ["complete", "missing", "task names in groups"])
    @pytest.mark.parametrize("levels", [1, 2])
    @pytest.mark.parametrize("adjust", [None, "holm"])
    def test_confidence_of_pairs(self, table, given, levels, adjust):
        frame = TABLES[table]
        counted, beside = nbrank.tally(frame), options_of(table, OPTIONS[given])
        for method in ("hoeffding", "wilson"):
            options = {**beside, "method": method, "levels": levels, "adjust": adjust}
            assert_frame_equal(
                nbrank.confidence(counted, **options), nbrank.confidence(frame, **options)
            )

    def test_confidence_by_the_bootstrap_over_tasks(self):
        options = {"method": "bootstrap", "levels": 2, "seed": 1, "draws": 200}
        frame = TABLES["missing"]
        assert_frame_equal(
            nbrank.confidence(nbrank.tally(frame), **options), nbrank.confidence(frame, **options)
        )

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", ["complete", "missing", "task names in groups",
                                       "a system without any score"])  # fmt: skip
    @pytest.mark.parametrize(
        ("rule", "options"),
        [
            ("borda", {}),
            ("borda", {"levels": 2}),
            ("borda", {"missing": "ignore", "ties": "min"}),
            ("borda", {"missing": "worst"}),
            ("mean_rank", {"missing": "compatible"}),
            ("mean_win_rate", {"missing": "compatible"}),
            ("mean", {"missing": "ignore"}),
            ("mean", {"missing": "ignore", "levels": 1}),
        ],
    )
    def test_rank_confidence_over_tasks(self, table, given, rule, options):
        frame = TABLES[table]
        beside = options_of(table, OPTIONS[given]) | options
        call = partial(nbrank.rank_confidence, rule=rule, over="tasks", seed=0, delta=0.3, **beside)
        assert_same(outcome(call, nbrank.tally(frame)), outcome(call, frame))

    def test_rank_confidence_takes_options_of_every_kind(self):
        frame, call = TABLES["complete"], partial(nbrank.rank_confidence, rule="borda", seed=0)
        of_counts = call(nbrank.tally(frame), over="tasks", lower_is_better=iter(["t2"]))
        assert_frame_equal(of_counts, call(frame, over="tasks", lower_is_better=["t2"]))


class TestBootstrapOverTasks:
    """The same table, to the last digit, as from the scores and the same seed."""

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize("table", [name for name in TABLES if name != "infinite"])
    @pytest.mark.parametrize(
        ("rule", "options"),
        [
            ("borda", {}),
            ("borda", {"levels": 2}),
            ("borda", {"missing": "ignore", "ties": "min"}),
            ("borda", {"missing": "worst", "levels": 2}),
            ("mean", {"missing": "ignore"}),
            ("mean", {"missing": "ignore", "levels": 1}),
            ("mean_rank", {"missing": "ignore"}),
            ("mean_win_rate", {}),
            ("copeland", {}),
            ("copeland", {"missing": "compatible"}),
            ("copeland", {"levels": 2}),
            ("minimax", {"variant": "margins"}),
            ("condorcet", {}),
            ("bradley_terry", {"prior": 0.1}),
            ("kemeny", {}),
        ],
    )
    def test_it_equals_that_of_the_frame(self, table, given, rule, options):
        frame = TABLES[table]
        beside = options_of(table, OPTIONS[given]) | options
        call = partial(nbrank.bootstrap, rule=rule, n=12, seed=3, **beside)
        of_scores = outcome(call, frame)
        of_counts = outcome(call, nbrank.tally(frame))
        if isinstance(of_scores, tuple):
            # With one task (or group) there are instances to draw, of the scores alone.
            assert of_counts[1].partition(";")[0] == of_scores[1].partition(";")[0]
        else:
            assert_frame_equal(of_counts, of_scores)
            assert of_counts.attrs == of_scores.attrs

    @pytest.mark.parametrize(("rule", "options"), [("borda", {}), ("copeland", {"levels": 2})])
    def test_it_ranks_the_tasks_drawn(self, rule, options):
        """Against tables in which each task stands as often as it was drawn."""
        frame, groups = TABLES["missing"], {"x": ["t1", "t2"], "y": ["t3"]}
        ranks = []
        for one in multiplicities(np.zeros(2, dtype=int), 25, np.random.default_rng(5)):
            for x, y in one.counts.astype(int).T:
                columns = ["t1"] * x + ["t2"] * x + ["t3"] * y
                again = frame[columns].set_axis(range(len(columns)), axis=1)
                ranked = getattr(nbrank, rule)(again, **options)
                ranks.append(ranked["rank"].reindex(SYSTEMS))
        counted = nbrank.tally(frame)
        found = counted.bootstrap(rule, n=25, seed=5, groups=groups, **options).reindex(SYSTEMS)
        low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
        assert found["low"].tolist() == low.tolist()
        assert found["high"].tolist() == high.tolist()

    def test_a_function_of_ones_own_is_given_the_tasks_drawn_as_weights(self):
        counted, seen = nbrank.tally(TABLES["missing"]), []

        def rule(tally, **options):
            seen.append(options)
            return nbrank.borda(tally, **options)

        options = {"n": 20, "seed": 0, "lower_is_better": ["t2"], "weights": {"t3": 0.5}}
        found = counted.bootstrap(rule, **options)
        assert_frame_equal(found, counted.bootstrap("borda", **options))
        drawn = pd.DataFrame([options["weights"] for options in seen[1:]])
        assert ((drawn / [1, 1, 0.5]).sum(axis=1) == 3).all()
        assert all(options["lower_is_better"] == ["t2"] for options in seen)

    def test_a_task_may_have_the_name_of_a_group(self):
        groups = {"t3": ["t1", "t2"], "y": ["t3"]}
        for rule in ("borda", "copeland", "kemeny"):
            call = partial(nbrank.bootstrap, rule=rule, n=20, seed=0, groups=groups)
            assert_frame_equal(call(nbrank.tally(TABLES["missing"])), call(TABLES["missing"]))


class TestRankConfidenceOverInstances:
    """The same sets as from the scores, of which only sums and products are left."""

    @pytest.mark.parametrize("given", OPTIONS)
    @pytest.mark.parametrize(
        ("missing", "rule", "options"),
        [
            (0.0, "borda", {}),
            (0.3, "borda", {}),
            (0.0, "borda", {"missing": "ignore"}),
            (0.0, "mean_rank", {}),
            (0.0, "mean_win_rate", {}),
            (0.3, "mean_win_rate", {"missing": "compatible"}),
            (0.0, "mean", {}),
            (0.0, "mean", {"levels": 1}),
            (0.3, "mean", {"missing": "ignore"}),
            (0.3, "mean", {"missing": "ignore", "levels": 1}),
        ],
    )
    def test_the_same_sets(self, given, missing, rule, options):
        frame = made(11, n=3000, missing=missing)
        beside = OPTIONS[given] | options
        for joint in (True, False):
            call = partial(nbrank.rank_confidence, rule=rule, seed=0, joint=joint, **beside)
            assert_same(outcome(call, nbrank.tally(frame)), outcome(call, frame))

    def test_systems_that_hardly_differ(self):
        # Close calls, so that the sets depend on how the differences vary.
        rng = np.random.default_rng(0)
        difficulty = rng.normal(0, 1, 4000)
        scores = difficulty + rng.normal(0, 1, (8, 4000)) + np.arange(8)[:, None] * 0.02
        scores[rng.random(scores.shape) < 0.1] = np.nan
        index = pd.MultiIndex.from_product(
            [list("abcdefgh"), range(4000)], names=["system", "instance"]
        )
        frame = pd.DataFrame({"t": scores.ravel()}, index=index).dropna()
        for rule, options in (("borda", {}), ("mean", {"missing": "ignore"})):
            of_scores = nbrank.rank_confidence(frame, rule, seed=1, draws=40_000, **options)
            of_counts = nbrank.rank_confidence(
                nbrank.tally(frame), rule, seed=1, draws=40_000, **options
            )
            assert_frame_equal(of_counts, of_scores)
            assert (of_scores["high"] > of_scores["low"]).any()
            assert (of_scores["high"] - of_scores["low"] < 7).any()

    def test_the_products_of_points_are_those_of_the_scores(self):
        """The covariance of what each instance adds, against the contributions themselves."""
        from nbrank.questions.contributions import Draws, arguments_of, contributions_of, tally_sums

        for missing, name, options in [
            (0.3, "borda", {}),
            (0.0, "borda", {}),
            (0.3, "mean", {"missing": "ignore"}),
            (0.3, "mean", {"missing": "ignore", "levels": 1}),
        ]:
            frame, rule = made(12, missing=missing), nbrank.RULES[name]
            board = nbrank.Leaderboard(frame, weights={"t1": 2})
            units = contributions_of(board, rule, options, Draws.of(board, "instances"))
            tasks = nbrank.tally(frame).weighed(weights={"t1": 2})
            summed = tally_sums(tasks, rule, arguments_of(rule, options))
            weights = np.broadcast_to(units.weights, units.amounts.shape)
            # Points are counted from the middle.
            shift = 2.0 if name == "borda" else 0.0
            amounts = units.amounts - shift * weights
            np.testing.assert_allclose(summed.amounts, amounts.sum(axis=1), atol=1e-9)
            np.testing.assert_allclose(summed.weights, weights.sum(axis=1))
            np.testing.assert_allclose(summed.amount_products, amounts @ amounts.T, atol=1e-9)
            np.testing.assert_allclose(summed.mixed_products, amounts @ weights.T, atol=1e-9)
            np.testing.assert_allclose(summed.weight_products, weights @ weights.T)


class TestWhatCountsCannotTellIsRefused:
    @pytest.fixture
    def counted(self):
        return nbrank.tally(TABLES["missing"])

    @pytest.mark.parametrize(
        "function",
        [
            nbrank.plurality, nbrank.median, nbrank.baldwin, nbrank.bucklin,
            partial(nbrank.bootstrap, rule="borda", over="instances"),
            partial(nbrank.two_step, rule="borda"), nbrank.recommend, nbrank.condorcet_weights,
            partial(nbrank.optimality_gap, gamma=1), nbrank.Leaderboard,
        ],
    )  # fmt: skip
    def test_rules_that_look_at_scores(self, counted, function):
        with pytest.raises(TypeError, match="needs the scores themselves.* give the frame of"):
            function(counted)

    @pytest.mark.parametrize("function", [nbrank.strengths, nbrank.win_probabilities])
    def test_how_sure_strengths_are(self, function):
        with pytest.raises(TypeError, match="give the frame of scores"):
            function(nbrank.tally(TABLES["complete"]))

    def test_medians(self, counted):
        for call in (counted.borda, counted.copeland, counted.kemeny, counted.pairwise):
            with pytest.raises(ValueError, match="needs the scores themselves.*missing='ignore'"):
                call(missing="median")
        complete = nbrank.tally(TABLES["complete"])
        assert_frame_equal(complete.borda(missing="median"), complete.borda())

    def test_the_bootstrap_over_instances(self, counted):
        with pytest.raises(ValueError, match="needs the scores themselves; choose 'wilson'"):
            counted.confidence(method="bootstrap")

    def test_rules_beside_others(self, counted):
        with pytest.warns(nbrank.RuleRefusedWarning, match="it needs the scores themselves"):
            found = nbrank.compare(counted, ["borda", "plurality"])
        assert found["plurality"].isna().all()
        assert found["borda"].notna().all()
        with pytest.warns(nbrank.RuleRefusedWarning, match="it needs comparisons"):
            nbrank.compare(counted, ["elo"])

    def test_instances_cannot_be_drawn(self, counted):
        with pytest.raises(TypeError, match="bootstrap: to draw instances needs the scores"):
            counted.bootstrap("borda", over="instances")
        with pytest.raises(ValueError, match="over='rows' is unknown; choose 'tasks' or"):
            counted.bootstrap("borda", over="rows")
        alone = nbrank.tally(TABLES["missing"][["t1"]])
        with pytest.raises(ValueError, match="one of the tasks only.* give the frame of scores"):
            alone.bootstrap("borda")
        with pytest.raises(TypeError, match="needs the scores themselves"):
            counted.bootstrap("plurality")

    def test_rank_confidence(self, counted):
        with pytest.raises(ValueError, match="plurality varies needs the scores themselves"):
            counted.rank_confidence("plurality")
        with pytest.raises(ValueError, match="up to 2,000 instances .there are 109."):
            counted.rank_confidence("borda")
        large = nbrank.tally(made(1, n=3000, missing=0.1))
        with pytest.raises(ValueError, match="choose missing='compatible'"):
            large.rank_confidence("borda", missing="ignore")
        with pytest.raises(ValueError, match="ties='min' varies needs the scores themselves"):
            large.rank_confidence("borda", ties="min")
        with pytest.raises(ValueError, match="choose over='tasks', or levels=1"):
            large.rank_confidence("borda", levels=2)
        with pytest.raises(ValueError, match="over='rows' is unknown"):
            large.rank_confidence("borda", over="rows")

    def test_unknown_options(self, counted):
        with pytest.raises(ValueError, match="missing='drop' is unknown"):
            counted.borda(missing="drop")
        with pytest.raises(ValueError, match="levels=3 is unknown"):
            counted.copeland(levels=3)
        with pytest.raises(ValueError, match="weights: unknown 't9'"):
            counted.copeland(weights={"t9": 1})


class TestTally:
    def test_it_says_what_was_counted(self):
        counted = nbrank.tally(TABLES["missing"])
        n_scores = int(TABLES["missing"].notna().to_numpy().sum())
        # Of 110 instances nobody was scored on one, which is no ballot.
        assert repr(counted) == (
            f"Tally: 5 systems x 3 tasks, 109 instances, {n_scores} scores, "
            f"{5 * 109 - n_scores} missing"
        )

    def test_a_single_one_is_singular(self):
        rows = pd.MultiIndex.from_product([["A"], ["i1"]], names=["system", "instance"])
        counted = nbrank.tally(pd.DataFrame({"t": [1]}, index=rows))
        assert repr(counted) == "Tally: 1 system x 1 task, 1 instance, 1 score, 0 missing"

    def test_functions_are_methods(self):
        counted = nbrank.tally(TABLES["missing"])
        assert_frame_equal(counted.borda(), nbrank.borda(counted))
        assert_frame_equal(counted.rank.borda(levels=2), nbrank.borda(counted, levels=2))
        assert {"borda", "mean", "compare", "smith_set", "rank_confidence"} <= set(dir(counted))
        with pytest.raises(AttributeError, match="Tally has no 'pluralty'; it has mean, "):
            counted.pluralty  # noqa: B018

    @pytest.mark.parametrize(
        "rule", [name for name, one in nbrank.RULES.items() if not one.tallies and one.leaderboards]
    )
    def test_a_rule_that_it_lacks_says_who_has_it(self, rule):
        counted = nbrank.tally(TABLES["missing"])
        message = (
            f"Tally has no '{rule}', which needs the scores themselves, and a Tally has only sums "
            f"of them left: give the frame of scores to nbrank.{rule}; it has mean, "
        )
        for lacking in (counted, counted.rank):
            with pytest.raises(AttributeError, match=message):
                getattr(lacking, rule)
        assert not hasattr(counted, rule)
        assert rule not in dir(counted)

    def test_ratings_in_turn_need_comparisons(self):
        with pytest.raises(AttributeError, match="no 'elo', which needs comparisons, as nbrank.f"):
            nbrank.tally(TABLES["missing"]).elo  # noqa: B018

    def test_every_method_takes_it(self):
        counted = nbrank.tally(TABLES["complete"])
        needed = {
            "bootstrap": {"rule": "borda", "n": 10},
            "rank_confidence": {"rule": "borda", "over": "tasks"},
            "tie_groups": {"rule": "borda", "over": "tasks"},
            "disagreement": {"ranking": counted.borda()},
            "kemeny_quality": {"rankings": {"Borda": counted.borda()}},
        }
        methods = {name for name in dir(counted) if not name.startswith("_")}
        for name in methods - {"systems", "tasks", "counts", "rank", "with_systems", "weighed"}:
            assert getattr(counted, name).__func__ is getattr(nbrank, name)
            getattr(counted, name)(**needed.get(name, {}))

    def test_equality_is_of_labels_and_whole_numbers(self):
        frame = TABLES["missing"]
        counted = nbrank.tally(frame)
        assert counted == nbrank.tally(frame.copy())
        assert counted == nbrank.tally(frame.astype(np.float32))
        # Twice the scores have the same places.
        assert counted == nbrank.tally(2 * frame)
        assert counted != nbrank.tally(-frame)
        assert counted != nbrank.tally(frame.rename(columns={"t1": "t0"}))
        assert counted != nbrank.tally(frame.rename({"A": "Z"}, level="system"))
        assert counted != nbrank.tally(frame.iloc[:-1])
        assert counted != "Tally"
        with pytest.raises(TypeError, match="unhashable"):
            hash(counted)

    def test_parts_add_up(self):
        frame = TABLES["missing"]
        part = frame.index.get_level_values("instance").to_numpy() % 3 == 0
        first, second = nbrank.tally(frame[part]), nbrank.tally(frame[~part])
        assert list(first.systems) == list(second.systems)
        counts = tuple(one + two for one, two in zip(first.counts, second.counts, strict=True))
        assert nbrank.Tally(first.systems, first.tasks, counts) == nbrank.tally(frame)

    def test_pickled(self):
        counted = nbrank.tally(TABLES["missing"])
        again = pickle.loads(pickle.dumps(counted))
        assert again == counted
        assert_frame_equal(again.mean(missing="ignore"), counted.mean(missing="ignore"))

    def test_systems_in_another_order(self):
        counted = nbrank.tally(TABLES["missing"])
        again = counted.with_systems(["E", "D", "C", "B", "A"])
        assert again == nbrank.tally(
            TABLES["missing"].sort_index(level="system", ascending=False, sort_remaining=False)
        )
        with pytest.raises(ValueError, match="a tally keeps all its systems"):
            counted.with_systems(["A", "B"])

    def test_what_is_no_instance_level_frame_is_refused(self):
        with pytest.raises(TypeError, match="tally counts instance-level scores"):
            nbrank.tally(pd.DataFrame({"t": [1, 2]}, index=["A", "B"]))
        with pytest.raises(TypeError, match="give it the leaderboard's .scores"):
            nbrank.tally(nbrank.Leaderboard(TABLES["complete"]))
        with pytest.raises(TypeError, match="must be a pandas DataFrame"):
            nbrank.tally([1, 2])
        with pytest.raises(ValueError, match="duplicate rows"):
            nbrank.tally(pd.concat([TABLES["complete"]] * 2))

    def test_counts_must_fit_the_labels(self):
        counts = count_ballots(np.ones((2, 3)))
        systems, tasks = pd.Index(["A", "B"]), pd.Index(["t"])
        with pytest.raises(ValueError, match="3 systems and 1 tasks don't fit the counts"):
            nbrank.Tally(pd.Index(["A", "B", "C"]), tasks, (counts,))
        with pytest.raises(ValueError, match="don't fit the counts of 2 tasks"):
            nbrank.Tally(systems, tasks, (counts, counts))
        with pytest.raises(ValueError, match="duplicate systems: 'A'"):
            nbrank.Tally(pd.Index(["A", "A"]), tasks, (counts,))
        with pytest.raises(ValueError, match="duplicate tasks: 't'"):
            nbrank.Tally(systems, pd.Index(["t", "t"]), (counts, counts))

    def test_nothing_counted_ranks_nobody(self):
        systems, tasks = pd.Index(["A", "B"]), pd.Index(["t"])
        counted = nbrank.Tally(systems, tasks, (BallotCounts.zero(2),))
        for rule in ("copeland", "mean", "mean_win_rate"):
            ranked = nbrank.RULES[rule].function(counted)
            assert ranked["score"].isna().all()
            assert ranked["rank"].tolist() == [1, 1]
        assert counted.borda()["score"].tolist() == [0.0, 0.0]

    @pytest.mark.parametrize("systems", [["A"], ["A", "B"]], ids=len)
    @pytest.mark.parametrize("missing", ["compatible", "ignore", "worst"])
    @pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate", "copeland"])
    def test_where_nobody_was_scored_it_ranks_as_the_frame(self, rule, missing, systems):
        frame = unscored(systems)
        found = nbrank.RULES[rule].function(nbrank.tally(frame), missing=missing)
        assert_frame_equal(found, nbrank.RULES[rule].function(frame, missing=missing))

    @pytest.mark.parametrize("systems", [["A"], ["A", "B"]], ids=len)
    @pytest.mark.parametrize("rule", ["borda", "mean_rank", "mean_win_rate", "mean"])
    def test_where_nobody_was_scored_every_rank_is_possible(self, rule, systems):
        frame = unscored(systems)
        found = nbrank.rank_confidence(nbrank.tally(frame), rule, over="tasks", seed=0)
        assert found["low"].tolist() == [1] * len(systems)
        assert found["high"].tolist() == [len(systems)] * len(systems)
        expected = nbrank.rank_confidence(frame, rule, over="tasks", seed=0)
        assert_frame_equal(found, expected)
        assert found.attrs == expected.attrs


def unscored(systems: list[str]) -> pd.DataFrame:
    rows = pd.MultiIndex.from_product([systems, ["i1", "i2"]], names=["system", "instance"])
    return pd.DataFrame(np.nan, index=rows, columns=["t1", "t2"])
