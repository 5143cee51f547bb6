"""Scores that were counted are ranked as the scores themselves.

That their views are equal is tested in test_views.py, on tables and options of all kinds. Here each
rule and question meets a tally once or twice, and what it can't answer is refused.
"""

import pickle
import warnings
from functools import partial
from itertools import cycle

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

import nbrank
from nbrank import consensus, tournament
from nbrank.arrays.ballots.ballot_counts import BallotCounts, count_ballots
from nbrank.arrays.uncertainty.resampling import draw_multiplicities
from nbrank.rules.bound_rule import BoundRule
from nbrank.uncertainty.contributions import find_contributions, tally_summed_contributions
from nbrank.uncertainty.sampling_design import SamplingDesign
from nbrank.votes.method_registry import METHODS

SYSTEMS = ["C", "A", "B", "D", "E"]
#: (table, options) in turn, so that each kind meets some rules and questions.
GIVEN = [
    ("missing", {"weights": {"t1": 2.0, "t3": 0.3}}),
    ("a system without any score", {"lower_is_better": ["t2"]}),
    ("a system without a score in a task", {"weights": {"t1": 0}}),
    ("missing", {"groups": {"x": ["t1", "t2"], "y": ["t3"]}, "weights": "balanced"}),
    ("complete", {"lower_is_better": True}),
    ("a task without any score", {}),
    ("task names in groups", {"weights": "balanced"}),
    ("float32", {"weights": {"t2": 3.0}}),
]
OF_TALLIES = [name for name, rule in nbrank.RULES.items() if rule.supports(nbrank.Tally.provides)]


def in_turn(cases, times=1):
    """Each case with the next of the tables and options."""
    given = cycle(GIVEN)
    return [pytest.param(case, *next(given)) for case in cases for _ in range(times)]


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
    elif isinstance(of_scores, float):
        assert of_counts == pytest.approx(of_scores)
    else:
        assert of_counts == of_scores


class TestEveryFunctionGivesWhatItGivesOnTheScores:
    @pytest.mark.parametrize(("rule", "table", "given"), in_turn(OF_TALLIES, times=2))
    def test_rules(self, rule, table, given, tables):
        frame, known = tables[table], nbrank.RULES[rule]
        counted, variants = nbrank.tally(frame), [{}]
        for name, values in {
            "missing": ("ignore", "compatible", "worst", "raise"), "levels": (1, 2),
            "ties": ("min", "max"), "variant": ("margins", "opposition"),
        }.items():  # fmt: skip
            if name in known.parameters:
                variants += [one | {name: value} for one in variants for value in values]
        if rule == "ranked_pairs":
            order = sorted(set(frame.index.get_level_values(0)))
            variants += [one | {"tie_order": order} for one in variants]
        for variant in variants:
            of_scores = outcome(known.function, frame, **given, **variant)
            assert_same(outcome(known.function, counted, **given, **variant), of_scores)

    @pytest.mark.parametrize("rule", OF_TALLIES)
    def test_infinite_scores(self, rule, tables):
        frame, known = tables["infinite"], nbrank.RULES[rule]
        of_scores = outcome(known.function, frame)
        of_counts = outcome(known.function, nbrank.tally(frame))
        if isinstance(of_scores, tuple):
            # How many they were is not counted.
            assert "infinite scores, of" in of_counts[1]
            assert of_counts[1].partition(", of ")[2] == of_scores[1].partition(", of ")[2]
        else:
            assert_same(of_counts, of_scores)

    @pytest.mark.parametrize(
        ("function", "table", "given"),
        in_turn(
            [
                nbrank.pairwise, nbrank.compared, tournament.majority_graph, tournament.smith_set,
                tournament.schwartz_set, tournament.uncovered_set, tournament.condorcet_loser,
                consensus.winners, consensus.swaps, consensus.bound,
            ],
            times=2,
        ),
    )  # fmt: skip
    def test_pairs_and_sets(self, function, table, given, tables):
        counted = nbrank.tally(tables[table])
        for missing in ("ignore", "compatible", "worst"):
            for levels in (1, 2):
                options = {**given, "missing": missing, "levels": levels}
                expected = outcome(function, tables[table], **options)
                assert_same(outcome(function, counted, **options), expected)

    @pytest.mark.parametrize(("table", "given"), GIVEN)
    def test_rules_side_by_side(self, table, given, tables, recwarn):
        frame, counted = tables[table], nbrank.tally(tables[table])
        found = nbrank.compare(counted, **given)
        rules = list(found.columns)
        assert rules == [name for name in OF_TALLIES if not nbrank.RULES[name].arguments]
        recwarn.clear()
        assert_frame_equal(found, outcome(nbrank.compare, frame, rules, **given))
        assert_series_equal(
            outcome(nbrank.winners, counted, **given),
            outcome(nbrank.winners, frame, rules, **given),
        )
        recwarn.clear()

    def test_rules_side_by_side_take_options_of_every_kind(self, tables):
        frame, rules = tables["complete"], ["mean_rank", "borda", "copeland"]
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
    def test_rules_side_by_side_refuse_wrong_options_at_once(self, function, wrong, tables):
        frame = tables["complete"]
        refused = outcome(function, frame, **wrong)
        assert refused[0] is ValueError
        assert outcome(function, nbrank.tally(frame), **wrong) == refused

    @pytest.mark.parametrize(("table", "given"), GIVEN)
    def test_confidence_of_pairs(self, table, given, tables):
        frame, counted = tables[table], nbrank.tally(tables[table])
        for method, levels, adjust in (
            ("hoeffding", 1, None), ("wilson", 1, "holm"), ("wilson", 2, None),
            ("hoeffding", 2, "holm"), ("sign", 1, "holm"), ("sign", 2, None),
        ):  # fmt: skip
            options = {**given, "method": method, "levels": levels, "adjust": adjust}
            assert_frame_equal(
                nbrank.confidence(counted, **options), nbrank.confidence(frame, **options)
            )

    def test_confidence_by_the_bootstrap_over_tasks(self, tables):
        options = {"method": "bootstrap", "levels": 2, "seed": 1, "n_draws": 200}
        frame = tables["missing"]
        assert_frame_equal(
            nbrank.confidence(nbrank.tally(frame), **options), nbrank.confidence(frame, **options)
        )

    @pytest.mark.parametrize(
        ("case", "table", "given"),
        in_turn(
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
            times=3,
        ),
    )
    def test_rank_confidence_over_tasks(self, case, table, given, tables):
        rule, options = case
        call = partial(nbrank.rank_confidence, rule=rule, over="tasks", seed=0, delta=0.3)
        of_scores = outcome(call, tables[table], **given, **options)
        assert_same(outcome(call, nbrank.tally(tables[table]), **given, **options), of_scores)

    def test_rank_confidence_takes_options_of_every_kind(self, tables):
        frame, call = tables["complete"], partial(nbrank.rank_confidence, rule="borda", seed=0)
        of_counts = call(nbrank.tally(frame), over="tasks", lower_is_better=iter(["t2"]))
        assert_frame_equal(of_counts, call(frame, over="tasks", lower_is_better=["t2"]))


class TestBootstrapOverTasks:
    """The same table, to the last digit, as from the scores and the same seed."""

    @pytest.mark.parametrize(
        ("case", "table", "given"),
        in_turn(
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
            times=3,
        ),
    )
    def test_it_equals_that_of_the_frame(self, case, table, given, tables):
        rule, options = case
        call = partial(nbrank.bootstrap, rule=rule, n_draws=12, seed=3, **given, **options)
        of_scores = outcome(call, tables[table])
        of_counts = outcome(call, nbrank.tally(tables[table]))
        if isinstance(of_scores, tuple):
            # With one task (or group) there are instances to draw, of the scores alone.
            assert of_counts[1].partition(";")[0] == of_scores[1].partition(";")[0]
        else:
            assert_frame_equal(of_counts, of_scores)
            assert of_counts.attrs == of_scores.attrs

    @pytest.mark.parametrize(("rule", "options"), [("borda", {}), ("copeland", {"levels": 2})])
    def test_it_ranks_the_tasks_drawn(self, rule, options, tables):
        """Against tables in which each task stands as often as it was drawn."""
        frame, groups = tables["missing"], {"x": ["t1", "t2"], "y": ["t3"]}
        ranks = []
        for one in draw_multiplicities(np.zeros(2, dtype=int), 25, np.random.default_rng(5)):
            for x, y in one.counts.astype(int).T:
                columns = ["t1"] * x + ["t2"] * x + ["t3"] * y
                again = frame[columns].set_axis(range(len(columns)), axis=1)
                ranked = getattr(nbrank, rule)(again, **options)
                ranks.append(ranked["rank"].reindex(SYSTEMS))
        counted = nbrank.tally(frame)
        found = counted.bootstrap(rule, n_draws=25, seed=5, groups=groups, **options).reindex(
            SYSTEMS
        )
        low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
        assert found["low"].tolist() == low.tolist()
        assert found["high"].tolist() == high.tolist()

    def test_a_function_of_ones_own_is_given_the_tasks_drawn_as_weights(self, tables):
        counted, seen = nbrank.tally(tables["missing"]), []

        def rule(tasks):
            seen.append(dict(zip(tasks.tasks, tasks.weights, strict=True)))
            return tasks.borda()

        options = {"n_draws": 20, "seed": 0, "lower_is_better": ["t2"], "weights": {"t3": 0.5}}
        found = counted.bootstrap(rule, **options)
        assert_frame_equal(found, counted.bootstrap("borda", **options))
        assert seen[0] == {"t1": 1, "t2": 1, "t3": 0.5}
        drawn = pd.DataFrame(seen[1:]).fillna(0)[["t1", "t2", "t3"]]
        assert ((drawn / [1, 1, 0.5]).sum(axis=1) == 3).all()

    def test_a_task_may_have_the_name_of_a_group(self, tables):
        groups = {"t3": ["t1", "t2"], "y": ["t3"]}
        for rule in ("borda", "copeland", "kemeny"):
            call = partial(nbrank.bootstrap, rule=rule, n_draws=20, seed=0, groups=groups)
            assert_frame_equal(call(nbrank.tally(tables["missing"])), call(tables["missing"]))


class TestRankConfidenceOverInstances:
    """The same sets as from the scores, of which only sums and products are left."""

    @pytest.mark.parametrize("joint", [True, False])
    @pytest.mark.parametrize("table", ["many", "many, and some missing"])
    @pytest.mark.parametrize(
        ("rule", "options"),
        [
            ("borda", {}),
            ("borda", {"lower_is_better": ["t2"], "weights": {"t1": 2.0, "t3": 0.3}}),
            ("mean_rank", {"missing": "compatible"}),
            ("mean_win_rate", {"missing": "compatible", "weights": {"t1": 0}}),
            ("mean", {"missing": "ignore", "weights": {"t1": 2.0, "t3": 0.3}}),
            ("mean", {"missing": "ignore", "levels": 1, "lower_is_better": True}),
        ],
    )
    def test_the_same_sets(self, table, rule, options, joint, tables):
        call = partial(nbrank.rank_confidence, rule=rule, seed=0, joint=joint, **options)
        assert_same(outcome(call, nbrank.tally(tables[table])), outcome(call, tables[table]))

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
            of_scores = nbrank.rank_confidence(frame, rule, seed=1, n_draws=40_000, **options)
            of_counts = nbrank.rank_confidence(
                nbrank.tally(frame), rule, seed=1, n_draws=40_000, **options
            )
            assert_frame_equal(of_counts, of_scores)
            assert (of_scores["high"] > of_scores["low"]).any()
            assert (of_scores["high"] - of_scores["low"] < 7).any()

    def test_the_products_of_points_are_those_of_the_scores(self, tables):
        """The covariance of what each instance adds, against the contributions themselves."""
        for missing, name, options in [
            (0.3, "borda", {}),
            (0.0, "borda", {}),
            (0.3, "mean", {"missing": "ignore"}),
            (0.3, "mean", {"missing": "ignore", "levels": 1}),
        ]:
            frame = tables["missing" if missing else "complete"]
            board = nbrank.Leaderboard(frame, weights={"t1": 2})
            told = BoundRule(name, options)
            units = find_contributions(board, told, SamplingDesign.from_board(board, "instances"))
            tasks = nbrank.tally(frame).with_options(weights={"t1": 2})
            summed = tally_summed_contributions(tasks, told)
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
    def counted(self, tables):
        return nbrank.tally(tables["missing"])

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
    def test_how_sure_strengths_are(self, function, tables):
        with pytest.raises(TypeError, match="give the frame of scores"):
            function(nbrank.tally(tables["complete"]))

    def test_medians(self, counted, tables):
        for call in (counted.borda, counted.copeland, counted.kemeny, counted.pairwise):
            with pytest.raises(ValueError, match="needs the scores themselves.*missing='ignore'"):
                call(missing="median")
        complete = nbrank.tally(tables["complete"])
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

    def test_instances_cannot_be_drawn(self, counted, tables):
        with pytest.raises(TypeError, match="bootstrap: to draw instances needs the scores"):
            counted.bootstrap("borda", over="instances")
        with pytest.raises(ValueError, match="over='rows' is unknown; choose 'tasks' or"):
            counted.bootstrap("borda", over="rows")
        alone = nbrank.tally(tables["missing"][["t1"]])
        with pytest.raises(
            ValueError, match="there is only one task.* from a frame of their scores"
        ):
            alone.bootstrap("borda")
        with pytest.raises(TypeError, match="needs the scores themselves"):
            counted.bootstrap("plurality")

    def test_rank_confidence(self, counted, tables):
        with pytest.raises(ValueError, match="plurality varies needs the scores themselves"):
            counted.rank_confidence("plurality")
        with pytest.raises(ValueError, match="up to 2,000 instances .there are 109."):
            counted.rank_confidence("borda")
        large = nbrank.tally(tables["many, and some missing"])
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
    def test_it_says_what_was_counted(self, tables):
        counted = nbrank.tally(tables["missing"])
        n_scores = int(tables["missing"].notna().to_numpy().sum())
        # Of 110 instances nobody was scored on one, which is no ballot.
        assert repr(counted) == (
            f"Tally: 5 systems x 3 tasks, 109 instances, {n_scores} scores, "
            f"{5 * 109 - n_scores} missing"
        )

    def test_a_single_one_is_singular(self):
        rows = pd.MultiIndex.from_product([["A"], ["i1"]], names=["system", "instance"])
        counted = nbrank.tally(pd.DataFrame({"t": [1]}, index=rows))
        assert repr(counted) == "Tally: 1 system x 1 task, 1 instance, 1 score, 0 missing"

    def test_functions_are_methods(self, tables):
        counted = nbrank.tally(tables["missing"])
        assert_frame_equal(counted.borda(), nbrank.borda(counted))
        assert_frame_equal(counted.rank.borda(levels=2), nbrank.borda(counted, levels=2))
        assert {"borda", "mean", "compare", "bootstrap", "rank_confidence"} <= set(dir(counted))
        with pytest.raises(AttributeError, match="Tally has no 'pluralty'; it has .*mean, "):
            counted.pluralty  # noqa: B018

    @pytest.mark.parametrize(
        "rule",
        [
            name
            for name, one in nbrank.RULES.items()
            if not one.supports(nbrank.Tally.provides) and one.supports(nbrank.Leaderboard.provides)
        ],
    )
    def test_a_rule_that_it_lacks_says_who_has_it(self, rule, tables):
        counted = nbrank.tally(tables["missing"])
        message = (
            f"Tally has no '{rule}', which needs the scores themselves, and a Tally has only "
            f"counts of them left: give the frame of scores to nbrank.{rule}; it has .*mean, "
        )
        for lacking in (counted, counted.rank):
            with pytest.raises(AttributeError, match=message):
                getattr(lacking, rule)
        assert not hasattr(counted, rule)
        assert rule not in dir(counted)

    def test_ratings_in_turn_need_comparisons(self, tables):
        with pytest.raises(AttributeError, match="no 'elo', which needs comparisons in their"):
            nbrank.tally(tables["missing"]).elo  # noqa: B018

    def test_every_method_takes_it(self, tables):
        counted = nbrank.tally(tables["complete"])
        needed = {
            "bootstrap": {"rule": "borda", "n_draws": 10},
            "best_set": {"over": "tasks"},
            "significant_pairs": {"rule": "borda", "over": "tasks"},
            "summary": {"over": "tasks"},
            "rank_confidence": {"rule": "borda", "over": "tasks"},
            "tie_groups": {"rule": "borda", "over": "tasks"},
        }
        methods = [name for name, one in METHODS.items() if one.requires <= nbrank.Tally.provides]
        assert {*OF_TALLIES, *needed} <= set(methods) <= set(dir(counted))
        for name in methods:
            assert getattr(counted, name).__func__ is getattr(nbrank, name)
            getattr(counted, name)(**needed.get(name, {}))

    def test_equality_is_of_labels_and_whole_numbers(self, tables):
        frame = tables["missing"]
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

    def test_parts_add_up(self, tables):
        frame = tables["missing"]
        part = frame.index.get_level_values("instance").to_numpy() % 3 == 0
        first, second = nbrank.tally(frame[part]), nbrank.tally(frame[~part])
        assert list(first.systems) == list(second.systems)
        counts = tuple(one + two for one, two in zip(first.counts, second.counts, strict=True))
        assert nbrank.Tally(first.systems, first.tasks, counts) == nbrank.tally(frame)

    def test_pickled(self, tables):
        counted = nbrank.tally(tables["missing"])
        again = pickle.loads(pickle.dumps(counted))
        assert again == counted
        assert_frame_equal(again.mean(missing="ignore"), counted.mean(missing="ignore"))

    def test_what_is_no_instance_level_frame_is_refused(self, tables):
        with pytest.raises(TypeError, match="tally counts instance-level scores"):
            nbrank.tally(pd.DataFrame({"t": [1, 2]}, index=["A", "B"]))
        with pytest.raises(TypeError, match="give it the leaderboard's .scores"):
            nbrank.tally(nbrank.Leaderboard(tables["complete"]))
        with pytest.raises(TypeError, match="must be a pandas DataFrame"):
            nbrank.tally([1, 2])
        with pytest.raises(ValueError, match="duplicate rows"):
            nbrank.tally(pd.concat([tables["complete"]] * 2))

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


def test_a_leaderboard_does_not_offer_to_be_tallied():
    rows = pd.MultiIndex.from_product([["A", "B"], [1, 2]], names=["system", "instance"])
    frame = pd.DataFrame({"t1": [3, 2, 1, 2]}, index=rows)
    assert "tally" in dir(frame.rank)
    assert "tally" not in dir(nbrank.Leaderboard(frame))
    with pytest.raises(AttributeError, match="counts a frame, without weights"):
        nbrank.Leaderboard(frame).tally()
