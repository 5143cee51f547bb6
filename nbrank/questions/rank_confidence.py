"""Which ranks may each system have, and which systems can't be told apart?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd

from nbrank.arrays import rank_sets as arrays
from nbrank.arrays.influence import Contributions
from nbrank.arrays.measurement_errors import by_covariance
from nbrank.arrays.rank_sets import PairTests
from nbrank.questions.contributions import contributions_of, why_no_mean
from nbrank.questions.counted_contributions import counted_contributions, counted_sums
from nbrank.questions.measured import CellErrors, OverErrors, over_of
from nbrank.questions.rank_frames import DELTA, DRAWS, check_draws, frame_of
from nbrank.questions.strength_contributions import effective_clusters, of_clusters, of_tasks
from nbrank.questions.strength_intervals import strength_covariance
from nbrank.rules.rule import (
    RULES,
    Rule,
    RuleLike,
    arguments_of,
    called,
    label_of,
    rule_of,
    to_be_averaged,
    told,
)
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.draws import Draws, Over, Units, check_units, of_single_voters
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.methods import question
from nbrank.votes.options import check_choice, check_delta, generator
from nbrank.votes.tally import Tally, WeighedTally
from nbrank.votes.task_names import Groups, LowerIsBetter, Weights
from nbrank.votes.votes import Votes

_MODEL = "bradley_terry"


def has_confidence_sets(rule: Rule) -> bool:
    """Whether `rank_confidence` takes the rule on a leaderboard: a mean, or the model."""
    return rule.additive is not None or rule.name == _MODEL


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
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    draws: Units | None = None,
    n_draws: int = DRAWS,
    **options: Any,
) -> pd.DataFrame:
    """Which ranks may each system have, given that the tasks are only some of those there could be?

    The sets of Mogstad, Romano, Shaikh and Wilhelm (2024): all pairs of systems
    are tested at once, step by step, with the chance of any wrong claim at most
    delta; a system's set then leaves out as many of the best ranks as systems
    are surely better than it, and as many of the worst as are surely worse.

    The ranks meant are those that the rule would give on ever more tasks (or
    instances) like these, with scores missing as they are here. For rules that are
    means, the pairs are tested by turning the signs of whole tasks (Canay, Romano
    and Shaikh, 2017), which keeps the level with few tasks, where a normal critical
    value holds far less often than it says: with 20 equally good systems, the sets
    of Borda's rule at 95 % held the ranks of all systems at once in 96 % of 1,000
    simulated tables of 14 tasks, and in 96 % of those of 8. It relies on errors
    being as likely to point one way as the other: for means of exponential scores,
    five times as widely spread on one system as on another, the sets held in 77 %
    (20 systems on 14 tasks) and 89 % (7 systems on 40).

    Few tasks (or groups of them) cannot tell much apart, and five or fewer nothing
    at 95 %: every set then holds every rank, and `.attrs["note"]` says why.

    Bradley-Terry strengths are treated alike, by the first-order influence of each
    task, or of each cluster of comparisons, each weighing, for a system, as much as
    it tells about that system. So the sets hold where one of six systems lacks 80 % of its scores
    (98 % of 990 tables of 15 tasks), and where a few annotators, each with a taste of
    their own, made most of the comparisons: of 15 clusters, the largest with 44 % of the
    comparisons, in 95 %; of 30, the largest with 35 %, in 96 %; of 15 and of 30 of one
    size in 96 %. But few large clusters tell little apart: see
    `.attrs["effective_clusters"]`, the number of clusters of one size that would be as
    good. Comparisons without clusters are many, and go by the covariance of the strengths.

    docs/scripts/coverage_ranks.py has measured all these figures, with an error by chance of
    0.7 % (1.3 % at 80 %); `nbrank.experiments.rank_confidence_coverage` does it for other
    tables.

    Parameters
    ----------
    {source}
    rule
        The name of a rule, or its function (also with arguments, by
        `functools.partial`): one that is a mean over tasks or instances, or
        "bradley_terry". Comparisons take "bradley_terry" only; a `Tally` takes
        "mean", "borda", "mean_rank" and "mean_win_rate", and over instances
        more than 2,000 of them: their sums and products are then enough.
    delta
        One minus the confidence.
    joint
        True for sets that hold for all systems at once, False for sets each of
        which holds for its own system.
    seed
        The seed of the draws behind the critical values; None takes a fresh
        one.
    {over_errors}
    {cell_errors}
    {draws}
    n_draws
        The number of draws behind the critical values.
    {rule_options}

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns

        rank
            The rank by the rule; tied systems share the smallest.
        low, high
            The best and the worst rank of the system's confidence set.

        `.attrs` says what was drawn (`over`) and how many there are (`n`), and for
        clusters of comparisons `effective_clusters`: the squared sum of their sizes over
        the sum of the squared sizes.

    {raises}
        Also if the rule is not one of those that have such sets.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm, Inference for Ranks with Applications to
    Mobility across Neighbourhoods and Academic Achievement across Countries,
    Review of Economic Studies, 2024; Canay, Romano and Shaikh, Randomization
    Tests under an Approximate Symmetry Assumption, Econometrica, 2017; Romano
    and Wolf, Stepwise Multiple Testing as Formalized Data Snooping,
    Econometrica, 2005.

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
        scores,
        rule,
        joint,
        seed,
        over=over,
        errors=errors,
        weights=weights,
        groups=groups,
        lower_is_better=lower_is_better,
        draws=draws,
        n_draws=n_draws,
        **options,
    )
    return found(delta)


def rank_confidence_by_delta(
    scores: Source,
    rule: RuleLike,
    joint: bool = True,
    seed: int | None = None,
    *,
    over: Over | OverErrors | None = None,
    errors: pd.DataFrame | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    draws: Units | None = None,
    n_draws: int = DRAWS,
    **options: Any,
) -> Callable[[float], pd.DataFrame]:
    """Do once what doesn't depend on delta, and get what `rank_confidence` returns from delta.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({f"t{i}": [3, 2] for i in range(7)}, index=["A", "B"])
    >>> found = rank_confidence_by_delta(scores, "borda")
    >>> found(0.05)["high"].tolist(), found(0.001)["high"].tolist()
    ([1, 2], [2, 2])
    """
    rng = generator("rank_confidence", seed)
    rule, options = told("rank_confidence", rule, options)
    votes = as_votes(scores, weights, groups, lower_is_better)
    check_units(votes, draws, "rank_confidence")
    known, name = rule_of(rule), label_of(rule)
    if name == _MODEL:
        options = _of_strengths(options)
    if "sequence" in votes.offers:
        if name != _MODEL:
            raise ValueError(_refusal_of_comparisons(name))
        if over is not None or errors is not None:
            raise TypeError(
                "rank_confidence: over and errors don't go with comparisons; what is drawn "
                "together is said by from_comparisons(..., cluster=...)"
            )
        find = _of_comparisons
    elif "ballots" in votes.offers and (errors is not None or over == "seeds"):
        find = _of_ballots
    elif known is None or not has_confidence_sets(known):
        raise ValueError(_refusal(name))
    elif "ballots" in votes.offers:
        find = _of_ballots
    elif known.name in _counted_rules():
        find = _of_counts
    else:
        raise ValueError(
            f"rank_confidence: how {name} varies needs the scores themselves, and these are "
            f"counted; choose one of {', '.join(_counted_rules())}, or give the frame of scores"
        )
    ranked = called(rule)(votes, **options)
    drawn = _Drawn(rule, known, options, over, errors, ranked, rng, draws, n_draws)
    tests, facts = find(to_be_averaged(votes, rule, options), drawn)

    def at(delta: float) -> pd.DataFrame:
        check_draws("rank_confidence", n_draws, delta, joint)
        sets = tests.rank_sets(delta, joint=joint)
        result = frame_of(ranked, votes.systems, sets, delta=delta, joint=joint)
        result.attrs |= facts | _note(facts, delta)
        return result

    return at


def _of_strengths(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the model as they matter to ranks: its scale does not."""
    if options.get("advantage") or options.get("covariates") is not None:
        raise ValueError(
            "rank_confidence: there are no confidence sets yet for bradley_terry with an advantage "
            "or covariates"
        )
    scale = ("scale", "base", "anchor", "advantage", "covariates")
    return {name: value for name, value in options.items() if name not in scale}


@dataclass(frozen=True)
class _Drawn:
    """What is tested, and how: the rule with its options, what is drawn, and its ranking."""

    given: RuleLike
    rule: Rule | None
    options: Mapping[str, Any]
    over: Over | OverErrors | None
    errors: pd.DataFrame | None
    ranked: pd.DataFrame
    rng: np.random.Generator
    draws: Units | None
    n_draws: int


#: The tests of all pairs, and facts for the frame's `.attrs`.
_Tested = tuple[PairTests, dict[str, Any]]


def _of_ballots(votes: Votes, drawn: _Drawn) -> _Tested:
    board = of_single_voters(cast("Leaderboard", votes), each=True)
    rule = cast("Rule", drawn.rule)
    over = over_of("rank_confidence", board, drawn.over, drawn.errors)
    if over in ("errors", "seeds"):
        cells = CellErrors.of("rank_confidence", board, drawn.errors)
        tests = cells.tests(board, drawn.given, drawn.options, drawn.n_draws, drawn.rng)
        return tests, {"over": over}
    draws = Draws.of(board, "instances" if over == "instances" else "tasks", drawn.draws)
    if rule.name == _MODEL:
        found: Contributions | None = of_tasks(board, draws, drawn.ranked, drawn.options)
    else:
        found = contributions_of(board, rule, drawn.options, draws)
    if found is None:
        raise ValueError(why_no_mean("rank_confidence", rule))
    tests = arrays.by_sign_flips(found, drawn.n_draws, drawn.rng)
    facts = {"over": "both", "draws": draws.what} if over == "both" else {"over": draws.what}
    return tests, facts | {"n": draws.n_units}


def _of_comparisons(votes: Votes, drawn: _Drawn) -> _Tested:
    comparisons = cast("Comparisons", votes)
    if comparisons.clusters is None:
        prior = drawn.options.get("prior", 0.0)
        estimates, covariance = strength_covariance("rank_confidence", comparisons, prior)
        return by_covariance(estimates, covariance, drawn.n_draws, drawn.rng), {}
    clusters = comparisons.clusters
    found = of_clusters(comparisons, clusters, drawn.ranked, drawn.options)
    return arrays.by_sign_flips(found, drawn.n_draws, drawn.rng), {
        "over": "clusters",
        "n": int(clusters.max()) + 1,
        "effective_clusters": effective_clusters(comparisons, clusters),
    }


def _of_counts(votes: Votes, drawn: _Drawn) -> _Tested:
    tasks, rule = cast("WeighedTally", votes).with_scores(), cast("Rule", drawn.rule)
    check_choice("rank_confidence", "over", drawn.over, (None, "instances", "tasks"))
    arguments = arguments_of(rule, drawn.options)
    if drawn.over == "tasks":
        draws = Draws.of_counted(tasks, drawn.draws)
        found = counted_contributions(tasks, rule, arguments).by_unit(draws.unit_of)
        tests = arrays.by_sign_flips(found, drawn.n_draws, drawn.rng)
        return tests, {"over": draws.what, "n": found.n_units}
    n_instances = sum(int(counts.places.n_ballots.sum()) for counts in tasks.counts)
    if n_instances <= arrays.MANY_UNITS:
        raise ValueError(
            f"rank_confidence: with up to {arrays.MANY_UNITS:,} instances (there are "
            f"{n_instances:,}) the signs of each are turned, which needs the scores themselves; "
            f"give the frame of scores, or choose over='tasks'"
        )
    tests = arrays.by_sums(counted_sums(tasks, rule, arguments), drawn.n_draws, drawn.rng)
    return tests, {"over": "instances", "n": n_instances}


def _counted_rules() -> list[str]:
    """The rules that are means of numbers whose sums and products a tally has."""
    rules = RULES.values()
    return [rule.name for rule in rules if rule.takes(Tally.offers) and rule.additive is not None]


def _note(facts: Mapping[str, Any], delta: float) -> dict[str, str]:
    """Why nothing can be told apart, where so few units are drawn."""
    # Of the 2^units ways to turn the signs, two are as one-sided as any outcome can be.
    needed = int(np.ceil(np.log2(2 / delta)))
    what, n_units = facts.get("over"), facts.get("n", needed)
    what = facts.get("draws", what)
    if n_units >= needed:
        return {}
    return {
        "note": f"{n_units} {what} can tell nothing apart at delta={delta}, which takes {needed}"
        + ("; with draws='tasks', each task is a draw" if what == "groups" else "")
    }


def _refusal_of_comparisons(name: str) -> str:
    return (
        f"rank_confidence: {name} has no confidence sets from comparisons; choose 'bradley_terry'"
    )


def _refusal(name: str) -> str:
    offered = [rule.name for rule in RULES.values() if has_confidence_sets(rule)]
    return (
        f"rank_confidence: {name} is no mean over tasks or instances, so there are no such "
        f"confidence sets; choose one of {', '.join(offered[:-1])} or {offered[-1]}, or see how "
        f"the ranks spread with bootstrap(scores, {name!r}), which claims no coverage"
    )
