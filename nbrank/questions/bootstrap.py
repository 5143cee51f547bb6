"""How do the ranks spread if the tasks, or the instances, are drawn again?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays import resampling as arrays
from nbrank.arrays.counting import added_up
from nbrank.arrays.influence import Contributions
from nbrank.arrays.outcomes import Outcomes
from nbrank.arrays.pair_counts import PairwiseCounts, weighed
from nbrank.questions.compare import RuleRefusedWarning
from nbrank.questions.contributions import (
    Draws,
    Over,
    Sizes,
    arguments_of,
    check_over,
    contributions_of,
    tally_contributions,
)
from nbrank.rules.described import described
from nbrank.rules.rule import Rule, RuleLike, called, outcome, rule_of, unwrapped
from nbrank.votes.caller import warn_caller
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import (
    Groups,
    Leaderboard,
    LowerIsBetter,
    Weights,
    as_leaderboard,
)
from nbrank.votes.methods import question
from nbrank.votes.options import check_delta, generator, whole_number
from nbrank.votes.progress import progress
from nbrank.votes.tally import Tally, WeighedTally, counted_board, options_beside

Floats = NDArray[np.float64]
Ranks = NDArray[np.int64]
#: A rule, and what it is to rank.
Resample = tuple[RuleLike, Leaderboard | Comparisons | Tally]
#: The pairwise counts of a resample, and which systems have a score in it.
Pairs = tuple[PairwiseCounts, NDArray[np.bool_]]

#: How often units are drawn is kept for so many units and resamples at a time.
_CELLS = 2**24
#: Options of a rule that have no meaning once the pairs are counted.
_OF_SCORES = ("missing", "levels")


@question("how sure it is", sees="tasks")
@described
def bootstrap(
    scores: pd.DataFrame | Leaderboard | Tally,
    rule: RuleLike,
    over: Over = "tasks",
    n: int = 1000,
    seed: int | None = None,
    *,
    delta: float = 0.05,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
    **options: Any,
) -> pd.DataFrame:
    """How far do the ranks spread if the tasks, or the instances, are drawn again?

    As many tasks as there are, drawn with replacement, are ranked anew, again and
    again. This shows how much the ranking hangs on single tasks. It is not a
    confidence set, and claims no coverage: where systems are close, ranks in
    resamples scatter about the observed rank and not about the true one: with 20
    close systems on 14 tasks, the intervals of Borda's rule at a nominal 95 % held
    the true ranks of all systems at once in 5.7 % (± 0.7) of 1,000 simulated tables
    (scripts/coverage_pairs.py, docs/coverage_pairs.md). Use `rank_confidence` to say
    what the true ranks may be.

    Parameters
    ----------
    {counted}
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here. A
        `Tally` takes those of its rules; a function of your own is then given
        the tally, with the tasks drawn as `weights=`.
    over
        "tasks" draws tasks, each with its weight and all its instances; where
        there are groups it draws whole groups, since two metrics of one task
        are not two draws. "instances" draws the instances of each task, as
        many as it has; a `Tally` has no single instances left to draw.
    n
        The number of resamples.
    seed
        The seed of the draws; None takes a fresh one.
    delta
        The share of the resamples that is left out of `low` and `high`, half
        at each end.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        Indexed by system, best first (tied systems in table order), with the
        columns

        rank
            The rank on the table as it is.
        low, high
            The range of its ranks in the resamples, without delta / 2 of them
            at each end.
        p_best
            The share of the resamples in which it wins. Tied winners share a
            resample equally; one that the rule leaves without a winner counts
            for nobody.

    Raises
    ------
    {errors}
        Also if there is a single task (or group) to draw from, or if the rule
        refuses the table, or every resample.

    Warns
    -----
    RuleRefusedWarning
        If the rule refuses some of the resamples, which are then left out.

    References
    ----------
    Efron, Bootstrap Methods: Another Look at the Jackknife, Annals of
    Statistics, 1979. Why it fails for ranks: Mogstad, Romano, Shaikh and
    Wilhelm, Inference for Ranks, Review of Economic Studies, 2024.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[9, 8, 9, 2, 8, 9], [5, 6, 4, 6, 9, 6], [4, 5, 3, 5, 6, 4]], index=["A", "B", "C"]
    ... )
    >>> bootstrap(scores, "borda", seed=0).round(2)
       rank  low  high  p_best
    A     1    1     2    0.67
    B     2    1     2    0.33
    C     3    3     3    0.00
    """
    check_delta("bootstrap", delta)
    n = whole_number("bootstrap", "n", n)
    rule, options = unwrapped(rule, options)
    table: _Board | _Counted
    if isinstance(scores, Tally):
        check_over(scores, over, "bootstrap")
        beside = options_beside(scores, weights, groups, lower_is_better)
        table = _Counted.of(scores, scores.weighed(**beside))
        _check_units(table.draws, "give the frame of scores, and draw over='instances'")
        ranked = called(rule)(scores, **beside, **options)
    else:
        board = as_leaderboard(scores, weights, groups, lower_is_better)
        check_over(board, over, "bootstrap")
        table = _Board(board, Draws.of(board, over))
        instead = "draw over='instances'" if board.is_instance_level else "add more"
        _check_units(table.draws, instead)
        ranked = called(rule)(board, **options)
        if over == "tasks" and board.is_instance_level and _sums_suffice(board, rule, options):
            # How often the task of an instance is drawn is all that a resample changes for it.
            table = _Counted.of(*counted_board(board))
    draws, systems = table.draws, table.systems
    rng = generator("bootstrap", seed)
    known = rule_of(rule)
    contributions = table.contributions(known, options)
    if known is not None and contributions is not None:
        again = deepcopy(rng)
        means = arrays.resampled_means(contributions, _drawn(draws, n, rng, np.float64), n)
        sizes = table.sizes(known, options)
        if sizes.of_units is None:
            ranks = arrays.ranks_of(means, sizes.largest[:, None])
        else:
            ranks = arrays.ranks_of_means(
                means,
                sizes.largest,
                sizes.of_units,
                lambda: arrays.draws(draws.strata, n, again),
            )
        wins = arrays.winners_of(means, ranks)
    elif _pairs_suffice(known, options):
        given = {key: value for key, value in options.items() if key not in _OF_SCORES}
        of_pairs = partial(called(rule), **given)
        pairs = table.pairs(_drawn(draws, n, rng, np.float32), n)
        if known is not None and known.family == "model":
            # A model names a system without a score, and refuses the resample.
            pairs = ((counts, np.ones_like(scored)) for counts, scored in pairs)
        ranks, wins = _each(systems, ((of_pairs, _counted(systems, *one)) for one in pairs), n)
    else:
        ranks, wins = _each(systems, table.resamples(partial(called(rule), **options), n, rng), n)
    spread = arrays.spread(ranks, wins, delta)
    position = systems.get_indexer(ranked.index)
    result = pd.DataFrame(
        {
            "rank": ranked["rank"],
            "low": spread.low[position],
            "high": spread.high[position],
            "p_best": spread.p_best[position],
        },
        index=ranked.index,
    )
    result.attrs = {
        "rule": str(ranked.attrs.get("rule", getattr(rule, "__name__", "rule"))),
        "over": draws.what,
        "n": ranks.shape[1],
        "delta": delta,
    }
    return result


def _check_units(draws: Draws, instead: str) -> None:
    if draws.n_units < 2:
        raise ValueError(
            f"bootstrap: there is one of the {draws.what} only, so all resamples are the same; "
            f"{instead}"
        )


def _drawn(
    draws: Draws, n: int, rng: np.random.Generator, dtype: type[np.floating]
) -> Iterable[arrays.Drawn]:
    drawn = arrays.draws(draws.strata, n, rng, dtype)
    shown: Iterable[arrays.Drawn] = progress(
        drawn, total=arrays.n_blocks(draws.strata), desc="bootstrap"
    )
    return shown


def _times(draws: Draws, n: int, rng: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """How often each unit is drawn, in one resample after the other."""
    size = max(1, _CELLS // draws.n_units)
    for start in range(0, n, size):
        counts = np.empty((draws.n_units, min(size, n - start)), dtype=np.intp)
        # The units come in parts where they are many.
        for one in arrays.draws(draws.strata, counts.shape[1], rng):
            counts[one.units] = one.counts
        yield from counts.T


def _sums_suffice(board: Leaderboard, rule: RuleLike, options: Mapping[str, Any]) -> bool:
    """Whether the rule needs no more of a task's instances than what is counted of them."""
    known = rule_of(rule)
    if known is None or not known.tallies:
        return False
    # Whoever fills in medians looks at scores.
    complete = not np.isnan(board.values[:, board.counted]).any()
    return complete or arguments_of(known, options).get("missing") != "median"


def _pairs_suffice(rule: Rule | None, options: Mapping[str, Any]) -> bool:
    """Whether the pairwise counts of a resample are all that the rule looks at."""
    if rule is None or not (rule.comparisons and rule.leaderboards) or rule.additive:
        return False
    if rule.family == "consensus":
        # Among equally good orders it goes by Borda's ranking of the ballots.
        return False
    arguments = arguments_of(rule, options)
    return arguments.get("missing") in ("ignore", "raise") and arguments.get("levels", 1) == 1


def _counted(systems: pd.Index, counts: PairwiseCounts, scored: NDArray[np.bool_]) -> Comparisons:
    """Counts as a rule takes them, of the systems with a score."""
    nothing = np.zeros(0, dtype=np.int32)
    outcomes = Outcomes(nothing, nothing, nothing.astype(np.int8))
    counts = counts.of(scored)
    return Comparisons(systems[scored], outcomes, counts, counts)


@dataclass(frozen=True)
class _Board:
    """A leaderboard, of which tasks or instances are drawn."""

    board: Leaderboard
    draws: Draws

    @property
    def systems(self) -> pd.Index:
        """The systems."""
        return self.board.systems

    def contributions(self, rule: Rule | None, options: Mapping[str, Any]) -> Contributions | None:
        """What each draw adds, where adding it up gives the ranks of any resample; else None."""
        if rule is None or not rule.additive:
            return None
        if np.isnan(self.board.values[:, self.board.counted]).any():
            arguments = arguments_of(rule, options)
            of_points = "ties" in arguments
            if arguments["missing"] not in ("compatible", *(() if of_points else ("ignore",))):
                # A system that is left without a score in a resample would keep its points.
                return None
            if rule.name == "mean" and arguments["levels"] == 2 and self.draws.what == "instances":
                # How many scores a task's mean is over changes from resample to resample.
                return None
        return contributions_of(self.board, rule, options, self.draws)

    def sizes(self, rule: Rule, options: Mapping[str, Any]) -> Sizes:
        """On which scale the means of the contributions tie."""
        return Sizes.of(self.board, rule, arguments_of(rule, options), self.draws)

    def pairs(self, drawn: Iterable[arrays.Drawn], n: int) -> Iterator[Pairs]:
        """The pairwise counts of each resample, and which systems have a score in it."""
        return arrays.resampled_counts(self.board.profile(), self.draws.unit_of, drawn, n)

    def resamples(
        self, rule: partial[pd.DataFrame], n: int, rng: np.random.Generator
    ) -> Iterator[Resample]:
        """Leaderboards in which each task (or instance) counts as often as it is drawn."""
        board, draws = self.board, self.draws
        columns = np.flatnonzero(board.counted)
        for times in _times(draws, n, rng):
            if draws.what == "instances":
                values = board.values.copy()
                # A task gives as many instances as it has, so each takes a place of its own.
                values[:, columns] = board.values[:, np.repeat(columns, times)]
                yield rule, board.with_values(values)
            else:
                drawn = np.zeros(len(board.tasks))
                drawn[board.column_task[columns]] = times[draws.unit_of]
                # By position: a task may have the name of a group.
                yield rule, board.with_task_weights(board.weights * drawn)


@dataclass(frozen=True)
class _Counted:
    """Tasks whose instances were counted: a resample of tasks is a weighting of them."""

    tally: Tally
    tasks: WeighedTally
    draws: Draws

    @classmethod
    def of(cls, tally: Tally, tasks: WeighedTally) -> _Counted:
        """The tasks of a tally in which somebody has a score."""
        tasks = tasks.with_scores()
        return cls(tally, tasks, Draws.of_counted(tasks))

    @property
    def systems(self) -> pd.Index:
        """The systems."""
        return self.tally.systems

    def contributions(self, rule: Rule | None, options: Mapping[str, Any]) -> Contributions | None:
        """As of a leaderboard."""
        if rule is None or not rule.additive:
            return None
        arguments = arguments_of(rule, options)
        if not self.tasks.complete and rule.name != "mean" and arguments["missing"] != "compatible":
            # A system that is left without a score in a resample would keep its points.
            return None
        return tally_contributions(self.tasks, rule, arguments).by_unit(self.draws.unit_of)

    def sizes(self, rule: Rule, options: Mapping[str, Any]) -> Sizes:
        """As of a leaderboard."""
        return Sizes.of_tally(self.tasks, rule, arguments_of(rule, options), self.draws)

    def pairs(self, drawn: Iterable[arrays.Drawn], n: int) -> Iterator[Pairs]:
        """As of a leaderboard."""
        tasks = self.tasks
        units = [np.flatnonzero(self.draws.unit_of == unit) for unit in range(self.draws.n_units)]
        places = [
            added_up((tasks.weights[task], tasks.counts[task].places) for task in unit)
            for unit in units
        ]
        scored = [
            np.any([one.scored for one in by_weight.values()], axis=0) for by_weight in places
        ]
        counts = [weighed(by_weight) for by_weight in places]
        return arrays.reweighed_counts(counts, np.column_stack(scored), drawn, n)

    def resamples(
        self, rule: partial[pd.DataFrame], n: int, rng: np.random.Generator
    ) -> Iterator[Resample]:
        """The tally, with the tasks drawn as their weights."""
        tasks = self.tasks
        beside: dict[str, Any] = {}
        if tasks.lower.any():
            beside["lower_is_better"] = list(tasks.tasks[tasks.lower])
        for times in _times(self.draws, n, rng):
            drawn = tasks.weights * times[self.draws.unit_of]
            weights = dict.fromkeys(self.tally.tasks, 0.0)
            weights |= zip(tasks.tasks, drawn.tolist(), strict=True)
            yield partial(rule, weights=weights, **beside), self.tally


def _each(systems: pd.Index, resamples: Iterable[Resample], n: int) -> tuple[Ranks, Floats]:
    """Ranks, and shares of the win, of all systems in each resample that the rule takes."""
    ranks, wins = [], []
    refused: list[Exception] = []
    for rule, source in progress(resamples, total=n, desc="bootstrap"):
        try:
            ranked, winners = outcome(rule, source)
        except (ValueError, RuntimeError) as error:
            refused.append(error)
            continue
        # Systems without a score in this resample are last, behind all that have one.
        rank = ranked["rank"].reindex(systems, fill_value=len(ranked) + 1)
        ranks.append(rank.to_numpy(dtype=np.int64))
        first = set(winners)
        wins.append(np.array([system in first for system in systems]) / max(len(first), 1))
    if not ranks:
        raise ValueError(f"bootstrap: the rule refuses every resample: {refused[0]}")
    if refused:
        warn_caller(
            f"bootstrap: {len(refused)} of {n} resamples are left out, since the rule refuses "
            f"them, the first because: {refused[0]}",
            RuleRefusedWarning,
        )
    return np.column_stack(ranks), np.column_stack(wins)
