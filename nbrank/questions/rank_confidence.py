"""Which ranks may each system have?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
import pandas as pd

from nbrank.arrays import rank_sets as arrays
from nbrank.arrays.kinds import Bools
from nbrank.arrays.measurement_errors import by_covariance
from nbrank.arrays.rank_sets import PairTests
from nbrank.questions.contributions import (
    MODEL,
    counted_contributions,
    counted_sums,
    drawn_contributions,
    effective_clusters,
    effective_number,
    of_clusters,
)
from nbrank.questions.measured import CellErrors, OverErrors, over_of
from nbrank.questions.rank_confidence_from import DELTA, DRAWS, check_draws, frame_of
from nbrank.questions.strength_intervals import strength_covariance
from nbrank.questions.told_rule import ToldRule, votes_and_rule
from nbrank.rules.rule import RULES, Rule, RuleLike
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.draws import Draws, Over, Units, check_units, of_single_voters
from nbrank.votes.leaderboard import Leaderboard, Source
from nbrank.votes.methods import question
from nbrank.votes.naming import counted
from nbrank.votes.options import check_choice, check_delta, generator
from nbrank.votes.row_levels import Clusters
from nbrank.votes.tally import Tally, WeighedTally
from nbrank.votes.task_names import RuleOptions
from nbrank.votes.votes import Votes


def has_confidence_sets(rule: Rule) -> bool:
    """Whether `rank_confidence` takes the rule on a leaderboard: a mean, or the model."""
    return rule.additive is not None or rule.name == MODEL


@question("how sure it is", sees="pairs")
def rank_confidence(
    scores: Source,
    rule: RuleLike,
    delta: float = DELTA,
    joint: bool = True,
    seed: int | None = None,
    *,
    over: Over | OverErrors | None = None,
    errors: pd.DataFrame | None = None,
    draws: Units | None = None,
    cluster: Clusters = None,
    n_draws: int = DRAWS,
    **options: RuleOptions,
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

    Five or fewer tasks (or groups of them) tell nothing apart at 95 %: every set then holds every
    rank, and `.attrs["note"]` says why. Bradley-Terry strengths are treated alike, by the
    first-order influence of each task, or of each cluster of comparisons; comparisons without
    clusters go by the covariance of the strengths.

    Parameters
    ----------
    {source}
    rule
        The name of a rule, or its function (also with arguments, by
        `functools.partial`): one that is a mean over tasks or instances, or
        "bradley_terry", the only one of comparisons. A `Tally` takes "mean", "borda",
        "mean_rank" and "mean_win_rate", and over instances more than 2,000 of them.
    {delta}
    joint
        True for sets that hold for all systems at once, False for sets that hold one by one.
    {seed}
    {over_errors}
    {cell_errors}
    {draws}
    {cluster}
    n_draws
        The number of draws behind the critical values.
    {rule_options}

    {returns_best_first}

        rank
            1 for the best; tied systems share the smallest.
        low, high
            The best and the worst rank of the system's confidence set.

        `.attrs` says what was drawn (`over`), how many there are (`n`), and of clusters
        `effective_clusters`: the squared sum of their sizes over the sum of the squared sizes.
        Of clusters of instances, `cluster` names the level of the rows.

    {raises}
        Also if the rule is not one of those that have such sets.

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
    check_delta("rank_confidence", delta)
    check_draws("rank_confidence", n_draws, delta, joint)
    found = rank_confidence_by_delta(
        scores, rule, joint, seed, over=over, errors=errors, draws=draws, cluster=cluster,
        n_draws=n_draws, **options,
    )  # fmt: skip
    return found(delta)


def rank_confidence_by_delta(
    scores: Source,
    rule: RuleLike,
    joint: bool = True,
    seed: int | None = None,
    *,
    over: Over | OverErrors | None = None,
    errors: pd.DataFrame | None = None,
    draws: Units | None = None,
    cluster: Clusters = None,
    n_draws: int = DRAWS,
    **options: RuleOptions,
) -> Callable[[float], pd.DataFrame]:
    """Do once what doesn't depend on delta, and get what `rank_confidence` returns from delta."""
    tested = pair_tests(
        scores, rule, seed, over=over, errors=errors, draws=draws, cluster=cluster,
        n_draws=n_draws, **options,
    )  # fmt: skip

    def at(delta: float) -> pd.DataFrame:
        check_draws("rank_confidence", n_draws, delta, joint)
        return tested.frame(delta, joint=joint)

    return at


@dataclass(frozen=True)
class TestedPairs:
    """What a rule gives, and the tests of its pairs of systems."""

    ranked: pd.DataFrame
    systems: pd.Index
    tests: PairTests
    facts: Mapping[Any, Any]

    def frame(self, delta: float, *, joint: bool) -> pd.DataFrame:
        """What `rank_confidence` returns."""
        sets = self.tests.rank_sets(delta, joint=joint)
        if "note" in self.facts:
            n = len(self.systems)
            sets = arrays.RankSets(np.ones(n, np.int64), np.full(n, n, np.int64))
        result = frame_of(self.ranked, self.systems, sets, delta=delta, joint=joint)
        result.attrs |= {**self.facts, **(_note(self.facts, delta) if len(result) > 1 else {})}
        return result

    def different(self, delta: float) -> Bools:
        """Tell which pairs, in table order, the tests tell apart; none where too few are drawn."""
        n = len(self.systems)
        return np.zeros((n, n), bool) if "note" in self.facts else self.tests.different(delta)


def pair_tests(
    scores: Source,
    rule: RuleLike,
    seed: int | None,
    *,
    over: Over | OverErrors | None,
    errors: pd.DataFrame | None = None,
    draws: Units | None = None,
    cluster: Clusters = None,
    n_draws: int,
    **options: RuleOptions,
) -> TestedPairs:
    """Make the tests of all pairs by a rule, for any delta."""
    rng = generator("rank_confidence", seed)
    votes, told = votes_and_rule("rank_confidence", scores, rule, cluster=cluster, **options)
    check_units(votes, draws, "rank_confidence")
    if told.label == MODEL:
        told = replace(told, options=_of_strengths(told.options))
    _refuse(votes, told, over, errors)
    ranked = told.run(votes)
    votes = told.averaged(votes)
    if "sequence" in votes.offers:
        find, facts = _of_comparisons(cast("Comparisons", votes), told, ranked)
    elif "ballots" in votes.offers:
        board = of_single_voters(cast("Leaderboard", votes), each=True)
        what = over_of("rank_confidence", board, over, errors, cluster)
        if what in ("errors", "seeds"):
            cells = CellErrors.of("rank_confidence", board, errors)
            find, facts = partial(cells.tests, board, told), {"over": what}
        else:
            units, drawn, facts = drawn_contributions(
                "rank_confidence", board, told, what, draws, ranked
            )
            find, facts = partial(arrays.by_sign_flips, units), facts | {"n": drawn.n_units}
            if drawn.what == "clusters":
                sizes = np.bincount(drawn.unit_of, board.profile().weights).astype(float)
                facts["effective_clusters"] = effective_number(sizes)
            if votes.tasks.name == "ballot":
                facts["draws"] = "voters"
    else:
        find, facts = _of_counts(cast("WeighedTally", votes), told, over, draws)
    return TestedPairs(ranked, votes.systems, find(n_draws, rng), facts)


def _of_strengths(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the model as they matter to ranks: its scale does not."""
    if options.get("advantage") or options.get("covariates") is not None:
        raise ValueError(
            "rank_confidence: there are no confidence sets yet for bradley_terry with an advantage "
            "or covariates"
        )
    scale = ("scale", "base", "anchor", "advantage", "covariates")
    return {name: value for name, value in options.items() if name not in scale}


def _refuse(
    votes: Votes, rule: ToldRule, over: Over | OverErrors | None, errors: pd.DataFrame | None
) -> None:
    """Refuse a rule without confidence sets of these votes, and what can't be drawn of them."""
    name, known = rule.label, rule.known
    if "sequence" in votes.offers:
        if name != MODEL:
            raise ValueError(
                f"rank_confidence: {name} has no confidence sets from comparisons; choose {MODEL!r}"
            )
        if over is not None or errors is not None:
            raise TypeError(
                "rank_confidence: over and errors don't go with comparisons; what is drawn "
                "together is said by from_comparisons(..., cluster=...)"
            )
        return
    of_ballots = "ballots" in votes.offers
    if of_ballots and (errors is not None or over == "seeds"):
        return
    if known is None or not has_confidence_sets(known):
        offered = [one.name for one in RULES.values() if has_confidence_sets(one)]
        runs = of_ballots and cast("Leaderboard", votes).replicates is not None
        seeds = ", over='seeds'" if runs else ""
        raise ValueError(
            f"rank_confidence: {name} is no mean over tasks or instances, so there are no such "
            f"confidence sets; choose one of {', '.join(offered[:-1])} or {offered[-1]}"
            f"{', or take those of the runs alone' if runs else ''}{seeds}, or see how the ranks "
            f"spread with bootstrap(scores, {name!r}{seeds}), which claims no coverage"
        )
    if not of_ballots and known.name not in _counted_rules():
        raise ValueError(
            f"rank_confidence: how {name} varies needs the scores themselves, and these are "
            f"counted; choose one of {', '.join(_counted_rules())}, or give the frame of scores"
        )


#: From the number of draws to the tests of all pairs, and facts for the frame's `.attrs`.
_Found = tuple[Callable[[int, np.random.Generator], PairTests], dict[Any, Any]]


def _of_comparisons(source: Comparisons, rule: ToldRule, ranked: pd.DataFrame) -> _Found:
    if source.clusters is None:
        estimates, covariance = strength_covariance("rank_confidence", source, rule.prior)
        return partial(by_covariance, estimates, covariance), {}
    strengths = ranked["score"].reindex(source.systems).to_numpy()
    found = of_clusters(source, source.clusters, rule, strengths)
    return partial(arrays.by_sign_flips, found), {
        "over": "clusters",
        "n": int(source.clusters.max()) + 1,
        "effective_clusters": effective_clusters(source, source.clusters),
    }


def _of_counts(
    tasks: WeighedTally, rule: ToldRule, over: str | None, units: Units | None
) -> _Found:
    tasks = tasks.with_scores()
    check_choice("rank_confidence", "over", over, (None, "instances", "tasks"))
    if over == "tasks":
        draws = Draws.of_counted(tasks, units)
        found = counted_contributions(tasks, rule).by_unit(draws.unit_of)
        return partial(arrays.by_sign_flips, found), {"over": draws.what, "n": found.n_units}
    n_instances = sum(int(counts.places.n_ballots.sum()) for counts in tasks.counts)
    if n_instances <= arrays.MANY_UNITS:
        raise ValueError(
            f"rank_confidence: with up to {arrays.MANY_UNITS:,} instances (there are "
            f"{n_instances:,}) the signs of each are turned, which needs the scores themselves; "
            f"give the frame of scores, or choose over='tasks'"
        )
    summed = counted_sums(tasks, rule)
    return partial(arrays.by_sums, summed), {"over": "instances", "n": n_instances}


def _counted_rules() -> list[str]:
    """The rules that are means of numbers whose sums and products a tally has."""
    rules = RULES.values()
    return [rule.name for rule in rules if rule.takes(Tally.offers) and rule.additive is not None]


def _note(facts: Mapping[str, Any], delta: float) -> dict[str, str]:
    """Why nothing can be told apart, where so few units are drawn."""
    # Of the 2^units ways to turn the signs, two are as one-sided as any outcome can be.
    needed = int(np.ceil(np.log2(2 / delta)))
    if facts.get("n", needed) >= needed or "note" in facts:
        return {}
    what = facts.get("draws", facts["over"])
    units = counted(facts["n"], what.removesuffix("s"))
    return {
        "note": f"{units} can tell nothing apart at delta={delta}, which takes {needed}"
        + ("; with draws='tasks', each task is a draw" if what == "groups" else "")
    }
