"""Which ranks may each system have?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Unpack

import numpy as np
import pandas as pd
from numpy.random import Generator

from nbrank.arrays.typing import Bools, Floats
from nbrank.arrays.uncertainty import measurement_errors
from nbrank.arrays.uncertainty import rank_confidence_sets as arrays
from nbrank.arrays.uncertainty import skewed_pair_tests as skewness
from nbrank.rules.bound_rule import BoundRule, parse_votes_and_rule
from nbrank.rules.paired_comparison import fit_strengths
from nbrank.rules.ranking import join_columns
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty import contributions as means
from nbrank.uncertainty.cell_errors import CellErrors
from nbrank.uncertainty.contributions import STRENGTH_MODEL
from nbrank.uncertainty.estimate_rank_sets import build_frame
from nbrank.uncertainty.rules_with_sets import check_rule_has_sets
from nbrank.uncertainty.sampling_design import (
    DELTA,
    DRAWS,
    DrawnUnit,
    DrawOptions,
    SamplingDesign,
    UnitKind,
)
from nbrank.uncertainty.strength_intervals import StrengthEstimate
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard, VotesLike
from nbrank.votes.method_registry import register_method
from nbrank.votes.source_functions import FunctionBySource
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions
from nbrank.votes.table.validation import check_choice, check_pairs_fit
from nbrank.votes.tallies import WeightedTally


@register_method("how sure it is", sees="pairs")
def rank_confidence(
    scores: VotesLike,
    rule: RuleLike,
    *,
    delta: float = DELTA,
    joint: bool = True,
    seed: int | None = 0,
    over: DrawnUnit | None = None,
    errors: pd.DataFrame | None = None,
    draws: UnitKind | None = None,
    cluster: Clusters = None,
    n_draws: int = DRAWS,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Which ranks may each system have, given that the tasks are only some of those there could be?

    The sets of Mogstad, Romano, Shaikh and Wilhelm (2024): all pairs of systems are tested at once,
    with the chance of any wrong claim at most delta. A system's set then leaves out as many of the
    best ranks as systems are surely better, and as many of the worst as are surely worse.

    The ranks meant are those that the rule would give on ever more tasks (or instances) like these,
    with scores missing as they are here. For rules that are means, the pairs are tested by turning
    the signs of whole tasks (Canay, Romano and Shaikh, 2017), which keeps the level with few tasks
    if errors are as likely to point one way as the other. With skewed errors of unequal spread,
    sets at 95 % held in 77 % of the tables (docs/coverage_ranks.md).

    Five or fewer tasks (or groups of them) separate no systems at 95 %: every set then holds every
    rank, and `.attrs["note"]` says why. Bradley-Terry strengths are treated alike, by the
    first-order influence of each task, or of each cluster of comparisons; comparisons without
    clusters go by the covariance of the strengths.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule
        The name of a rule, or its function (also with arguments, by
        `functools.partial`): one that is a mean over tasks or instances, or
        "bradley_terry", the only one of comparisons. A `Tally` takes "mean", "borda",
        "mean_rank" and "mean_win_rate", and over instances more than 2,000 of them.
    weights
        A mapping from task to weight, or from group to a weight that its tasks share, or "balanced"
        for the same total in every group; None gives every task weight 1. Rules ignore tasks of
        weight 0, and treat a system with scores on such tasks only as one without scores.
    groups
        A mapping from group to its tasks, or from task to its group; MultiIndex
        columns (group, task) give the groups by themselves.
    lower_is_better
        The tasks on which a lower score is better, True for all of them, or a mapping from task to
        True (or "min") where lower is better, and to False (or "max") where higher is.
    delta
        One minus the confidence.
    joint
        True for sets that hold for all systems at once, False for sets that hold one by one.
    seed
        The seed of the draws; None takes a fresh one.
    over
        The units that are drawn: "tasks", and with them whole groups if the table has any, since
        two metrics of one task are not two draws; "instances", each within its task; "errors", the
        errors of single cells (`errors`), if these tasks are the only ones of interest; "seeds",
        the same if the rows are runs (levels `system` and `seed`, `run`, `fold` or `repeat`); or
        "both", tasks as well as seeds or errors. None takes "errors" if they are given, "both" for
        runs, and instances if the rows have any. "both" sees errors only as they fell on these
        tasks, so with few tasks it can be narrower than "seeds", by chance.
    errors
        The standard error of each score, a frame like the scores; where the rows are
        runs, their spread says it. `binomial_errors` has those of shares of n. Rank sets
        of means allow for tails as heavy as those of Student's t with 3 degrees of
        freedom: docs/coverage_measured.md says how often they hold.
    draws
        Where tasks are drawn and have groups: "groups" (what None takes) draws whole groups, and
        "tasks" each task alone, for groups that are there for the weights only. `.attrs["over"]`
        says which, or for "both" `.attrs["draws"]`.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.
    n_draws
        The number of draws behind the critical values.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the columns

        rank
            1 for the best; tied systems share the smallest.
        low, high
            The best and the worst rank of the system's confidence set.

        `.attrs` says what was drawn (`over`), how many there are (`n`), and of clusters
        `effective_clusters`: the squared sum of their sizes over the sum of the squared sizes.
        Of clusters of instances, `cluster` names the level of the rows. `skewed` says that scores
        behind means are skewed, so that the sets hold less often than they say.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the rule has no such sets.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks with Applications to Mobility across
    Neighbourhoods and Academic Achievement across Countries, Review of Economic Studies, 2024;
    Canay, Romano and Shaikh, Randomization Tests under an Approximate Symmetry Assumption, 2017;
    Romano and Wolf, Stepwise Multiple Testing as Formalized Data Snooping, 2005.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 9, 8, 9, 8, 9], [5, 6, 4, 6, 5, 6, 5, 4], [4, 5, 6, 5, 6, 4, 6, 5]],
    ...     index=["A", "B", "C"],
    ... )
    >>> rank_confidence(scores, "borda")
       rank  low  high
    A     1    1     1
    B     2    2     3
    C     2    2     3
    """
    drawn = DrawOptions("rank_confidence", over, errors, draws, cluster, seed, n_draws)
    drawn.check_level(delta, joint=joint)
    return pair_tests(scores, rule, drawn, **options).frame(delta, joint=joint)


@dataclass(frozen=True)
class TestedPairs:
    """A rule's ranking, and the tests of its pairs of systems."""

    #: Keeps pytest from collecting the class, whose name begins with "Test".
    __test__: ClassVar[bool] = False

    ranked: pd.DataFrame
    systems: pd.Index
    tests: arrays.PairTests
    facts: Mapping[Any, Any]

    def frame(self, delta: float, *, joint: bool) -> pd.DataFrame:
        """Build the frame that `rank_confidence` returns."""
        sets = self.tests.rank_sets(delta, joint=joint)
        result = build_frame(self.ranked, self.systems, *sets, delta=delta, joint=joint)
        result.attrs |= {**self.facts, **self._small_sample_note(delta)}
        return result

    def best_frame(self, delta: float) -> pd.DataFrame:
        """Build the frame that `best_set` returns."""
        if skewed := isinstance(self.tests, skewness.SkewedPairTests):
            p_values = self.tests.best_p_values_of_both(delta)
        else:
            p_values = self.tests.best_p_values()
        frame = join_columns(self.ranked, self.systems, p_value=p_values)
        # With errors of cells, the rule may rank otherwise than the estimates that are compared.
        frame["p_value"] = frame["p_value"].where(frame["rank"] != 1, 1.0)
        frame["best"] = frame["p_value"] > delta
        frame.attrs = {"rule": self.ranked.attrs["rule"], "delta": float(delta), **self.facts}
        frame.attrs |= self._small_sample_note(delta, sides=1)
        if skewed:
            del frame.attrs["skewed"]
            frame.attrs["tests"] = "sign flips and bootstrap"
        return frame

    def different(self, delta: float) -> Bools:
        """Return which pairs the tests separate, in table order."""
        return self.tests.different(delta)

    def _small_sample_note(self, delta: float, *, sides: int = 2) -> dict[Any, Any]:
        """Explain why a sample of this size separates no systems."""
        facts = self.facts
        # Of the 2^units sign patterns, only one on each side is as extreme as all signs alike.
        needed = int(np.ceil(np.log2(sides / delta)))
        if facts.get("n", needed) >= needed or "note" in facts or len(self.ranked) < 2:
            return {}
        groups = facts.get("draws", facts["over"]) == "groups"
        alone = "; with draws='tasks', each task is a draw" if groups else ""
        return {
            "note": f"{_count_units(facts)} can tell nothing apart at delta={delta}, which takes "
            f"{needed}{alone}"
        }


def pair_tests(
    scores: VotesLike, rule: RuleLike, draws: DrawOptions, **options: Unpack[RuleOptions]
) -> TestedPairs:
    """Test all pairs by a rule, for any delta."""
    votes, bound = parse_votes_and_rule(draws.function, scores, rule, "", draws.cluster, **options)
    return pair_tests_of_votes(votes, bound, draws)


def pair_tests_of_votes(votes: Votes, bound: BoundRule, draws: DrawOptions) -> TestedPairs:
    """Run the tests of `pair_tests` on votes and a rule that are parsed already."""
    rng = draws.make_rng()
    check_pairs_fit(draws.function, len(votes.systems))
    draws.check_units(votes)
    if bound.name == STRENGTH_MODEL:
        scale = ("scale", "base", "anchor")
        kept = {name: value for name, value in bound.options.items() if name not in scale}
        bound = replace(bound, options=kept)
    check_rule_has_sets(votes, bound, draws)
    ranked = bound.function(votes)
    votes = bound.transform_runs(votes)
    tests, facts = _tests_of_votes(votes, bound, ranked, draws, rng)
    if "note" in facts:  # Too few clusters separate nothing.
        tests = arrays.PairTests.of_equals(len(votes.systems))
    return TestedPairs(ranked, votes.systems, tests, facts)


#: The tests of all pairs, and facts for `.attrs`.
_TestsAndAttrs = tuple[arrays.PairTests, dict[Any, Any]]


def _tests_from_scores(
    whole: Leaderboard, rule: BoundRule, ranked: pd.DataFrame, draws: DrawOptions, rng: Generator, /
) -> _TestsAndAttrs:
    board = whole.expand_voters(each=True)
    draws = draws.resolve(board)
    if draws.over in ("errors", "seeds"):
        cells = CellErrors.from_board(draws.function, board, draws.errors)
        return cells.pair_tests(board, rule, draws.n_draws, rng), {"over": draws.over}
    units, drawn, facts = means.unit_contributions(board, rule, draws, ranked)
    seen = drawn.unit_codes[board.profile().observed.any(axis=0)]
    facts["n"] = len(np.unique(seen))
    additive = rule.additive(board)
    of_scores = additive is not None and additive.transform is not None
    if drawn.unit_kind == "clusters":
        sizes = np.bincount(drawn.unit_codes, board.profile().weights).astype(float)
        facts["effective_clusters"] = _effective_number(sizes)
    if whole.tasks.name == "ballot":
        facts["draws"] = "voters"
    make_tests = arrays.sign_flip_pair_tests
    if of_scores and skewness.are_skewed(units):
        facts["skewed"] = f"{_count_units(facts)} are few for scores so skewed"
        if facts["n"] >= skewness.ENOUGH_UNITS:
            make_tests = skewness.SkewedPairTests.from_contributions
    return make_tests(units, draws.n_draws, rng), facts


def _tests_from_comparisons(
    source: Comparisons, rule: BoundRule, _: pd.DataFrame, draws: DrawOptions, rng: Generator, /
) -> _TestsAndAttrs:
    # The rule has already warned about groups that only its prior links.
    source = replace(source, silent=True)
    asked = source, rule.prior, rule.arguments["advantage"], rule.arguments["covariates"]
    if source.clusters is None:
        estimate = StrengthEstimate.fit_votes(draws.function, *asked)
        return measurement_errors.covariance_pair_tests(
            estimate.strengths, estimate.covariance(), draws.n_draws, rng
        ), {}
    strengths, _advantage, rows = fit_strengths(draws.function, *asked)
    contributions = means.cluster_contributions(
        source, source.clusters, rule.prior, strengths, rows
    )
    sizes = np.bincount(source.clusters, source.outcomes.total_weights).astype(float)
    facts = {"over": "clusters", "n": len(sizes), "effective_clusters": _effective_number(sizes)}
    return arrays.sign_flip_pair_tests(contributions, draws.n_draws, rng), facts


def _tests_from_tally(
    tasks: WeightedTally, rule: BoundRule, _: pd.DataFrame, draws: DrawOptions, rng: Generator, /
) -> _TestsAndAttrs:
    tasks = tasks.select_scored_tasks()
    check_choice(draws.function, "over", draws.over, (None, "instances", "tasks"))
    if draws.over == "tasks":
        drawn = SamplingDesign.from_tally(tasks, draws.draws)
        contributions = means.tally_contributions(tasks, rule).sum_by_unit(drawn.unit_codes)
        facts = {"over": drawn.unit_kind, "n": contributions.n_units}
        return arrays.sign_flip_pair_tests(contributions, draws.n_draws, rng), facts
    n_instances = sum(int(counts.places.n_ballots.sum()) for counts in tasks.counts)
    if n_instances <= arrays.MANY_UNITS:
        raise ValueError(
            f"{draws.function}: with up to {arrays.MANY_UNITS:,} instances (there are "
            f"{n_instances:,}) the test flips the sign of each, which needs the scores themselves;"
            f" give the frame of scores, or choose over='tasks'"
        )
    tests = arrays.summed_pair_tests(
        means.tally_summed_contributions(tasks, rule), draws.n_draws, rng
    )
    return tests, {"over": "instances", "n": n_instances}


_tests_of_votes = FunctionBySource(_tests_from_scores, _tests_from_comparisons, _tests_from_tally)


def _count_units(facts: Mapping[str, Any]) -> str:
    """Write how many units are drawn, such as "14 tasks"."""
    what: str = facts.get("draws", facts["over"])
    return pluralize(facts["n"], what.removesuffix("s"))


def _effective_number(sizes: Floats) -> float:
    """Compute the number of units of equal size with which a mean is as uncertain."""
    return float(sizes.sum() ** 2 / (sizes**2).sum())
