"""Instance-level scores, counted: all that many rules need, however many scores there were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.pairwise import PairwiseCounts, weighed, weighed_compatible
from nbrank.arrays.positional import borda_of_counts
from nbrank.arrays.profile import Missing, Profile, Ties, competition_ranks
from nbrank.arrays.tally import BallotCounts, PlaceCounts, added_up, count_ballots
from nbrank.labelled.ballots import ADVICE, EVERY_MISSING, Scoring, treated
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.instance_rows import warn_of_nothing_shared
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    Weights,
    counted,
    named,
)
from nbrank.labelled.methods import Functions, FunctionsAsMethods, functions_of_pairs
from nbrank.labelled.options import check_choice

#: Weight -> what was counted of the instances that have it.
ByWeight = Mapping[float, BallotCounts]


@dataclass(frozen=True, eq=False, repr=False)
class Tally(FunctionsAsMethods):
    """Instance-level scores, counted: what is left to keep when there are too many of them.

    It stands for the scores that it was made of: every rule and function that
    needs no more than counts takes it as it takes a frame, with `weights`,
    `groups` and `lower_is_better` beside it, and gives the same result. They
    are also its methods: `tally.borda()` is `nbrank.borda(tally)`, and so is
    `tally.rank.borda()`, as of a frame. What the counts can't tell, such as
    medians, first places, or a resample of the instances, is refused by an error
    that says so.

    Two tallies are equal if their labels and all their whole numbers are: who
    was above whom how often, and how high. The sums of the scores, which rounding
    makes depend on the order, are not looked at.

    Parameters
    ----------
    systems
        The systems.
    tasks
        The tasks.
    counts
        For each task, the counts of its instances: the systems in the order of
        `systems`, the scores as they were given.

    Raises
    ------
    ValueError
        If systems or tasks are there twice, or the counts are not of as many.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> counted = tally(pd.DataFrame({"t1": [3, 2, 1, 2], "t2": [1, 1, None, 0]}, index=rows))
    >>> counted
    Tally: 2 systems x 2 tasks, 4 instances, 7 scores, 1 missing
    >>> counted.borda()
            rank  score
    system
    A          1    3.0
    B          2    1.0
    """

    systems: pd.Index
    tasks: pd.Index
    counts: tuple[BallotCounts, ...]

    _needed: ClassVar = "which needs the scores themselves, and a Tally has only sums of them left"

    def __post_init__(self) -> None:
        for labels, what in ((self.systems, "system"), (self.tasks, "task")):
            if not labels.is_unique:
                raise ValueError(
                    f"duplicate {what}s: {named(labels[labels.duplicated()].unique())}; "
                    f"count each once"
                )
        sizes = {counts.n_systems for counts in self.counts} or {len(self.systems)}
        if len(self.counts) != len(self.tasks) or sizes != {len(self.systems)}:
            raise ValueError(
                f"{len(self.systems)} systems and {len(self.tasks)} tasks don't fit the counts of "
                f"{len(self.counts)} tasks of {', '.join(map(str, sorted(sizes)))} systems; give "
                f"the counts of every task, with all systems"
            )
        # As the rows of an instance-level frame are called.
        object.__setattr__(self, "systems", self.systems.rename("system"))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tally)
            and list(self.systems) == list(other.systems)
            and list(self.tasks) == list(other.tasks)
            and all(
                one.places == two.places for one, two in zip(self.counts, other.counts, strict=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        instances = sum(int(counts.places.n_ballots[1:].sum()) for counts in self.counts)
        missing = sum(int(counts.places.missing.sum()) for counts in self.counts)
        scores = instances * len(self.systems) - missing
        return (
            f"Tally: {counted(len(self.systems), 'system')} x {counted(len(self.tasks), 'task')}, "
            f"{counted(instances, 'instance')}, {counted(scores, 'score')}, {missing:,} missing"
        )

    @staticmethod
    def _functions() -> Functions:
        """The public functions that take a tally, by name."""
        from nbrank.labelled.bootstrap import bootstrap
        from nbrank.labelled.registry import RULES

        rules = {name: rule.function for name, rule in RULES.items() if rule.tallies}
        return rules | functions_of_pairs() | {"bootstrap": bootstrap}

    @property
    def rank(self) -> Tally:
        """Itself, so that `scores.rank.borda()` works on a frame and on its counts alike."""
        return self

    def with_systems(self, systems: Iterable[Label]) -> Tally:
        """The same counts with the systems in another order.

        Parameters
        ----------
        systems
            All systems, in the order wanted.
        """
        wanted = list(systems)
        position = {system: number for number, system in enumerate(self.systems)}
        if set(wanted) != set(position) or len(wanted) != len(position):
            raise ValueError(
                f"a tally keeps all its systems, {named(position)}, in whatever order; to leave "
                f"some out, count the scores without them"
            )
        order = np.array([position[system] for system in wanted], dtype=np.intp)
        counts = tuple(counts.of(order) for counts in self.counts)
        return Tally(self.systems[order], self.tasks, counts)

    def weighed(
        self, weights: Weights = None, groups: Groups = None, lower_is_better: LowerIsBetter = ()
    ) -> CountedTasks:
        """The tasks as a rule is to see them.

        Parameters
        ----------
        weights, groups, lower_is_better
            As for `Leaderboard`.
        """
        names = TaskNames.of(self.tasks, groups)
        return self._with(names.weights(weights), names.lower(lower_is_better), names.members)

    def _with(
        self,
        weight: NDArray[np.float64],
        lower: NDArray[np.bool_],
        members: Mapping[Label, list[int]] | None,
    ) -> CountedTasks:
        """The tasks of some weight, given by their position as orientation and groups are."""
        group = np.arange(len(self.tasks))
        for number, positions in enumerate((members or {}).values()):
            group[positions] = number
        kept = np.flatnonzero(weight > 0)
        counts = []
        for task in kept:
            found = self.counts[task].reversed() if lower[task] else self.counts[task]
            # An instance on which nobody was scored is not counted.
            n_ballots = found.places.n_ballots.copy()
            n_ballots[0] = 0
            counts.append(replace(found, places=replace(found.places, n_ballots=n_ballots)))
        return CountedTasks(
            self.systems,
            self.tasks[kept],
            weight[kept],
            lower[kept],
            group[kept],
            "tasks" if members is None else "groups",
            tuple(counts),
        )


@dataclass(frozen=True)
class CountedTasks:
    """The tasks of a tally that count, as a rule sees them: higher is better.

    Parameters
    ----------
    systems
        The systems.
    tasks
        The tasks with a weight.
    weights
        The weight of each.
    lower
        Whether lower was better, and the counts are turned round.
    group
        The number of each task's group; of the task itself where there are no groups.
    drawn
        "groups", or "tasks" where there are none.
    counts
        The counts of each.
    """

    systems: pd.Index
    tasks: pd.Index
    weights: NDArray[np.float64]
    lower: NDArray[np.bool_]
    group: NDArray[np.intp]
    drawn: str
    counts: tuple[BallotCounts, ...]

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which systems have a score at all."""
        scored = np.zeros(len(self.systems), dtype=bool)
        for counts in self.counts:
            scored |= counts.places.scored
        return scored

    @property
    def complete(self) -> bool:
        """Whether every system has a score on every instance."""
        return not any(counts.places.missing.any() for counts in self.counts)

    def with_scores(self) -> CountedTasks:
        """The tasks in which somebody has a score."""
        kept = [number for number, one in enumerate(self.counts) if one.places.scored.any()]
        return CountedTasks(
            self.systems,
            self.tasks[kept],
            self.weights[kept],
            self.lower[kept],
            self.group[kept],
            self.drawn,
            tuple(self.counts[number] for number in kept),
        )

    def check(self, rule: str, missing: Missing, levels: int, advice: str) -> None:
        """Refuse options that are unknown, or that counts alone can't follow.

        Parameters
        ----------
        rule
            The rule, for the message.
        missing, levels
            As it was given them.
        advice
            What to do where scores are missing and `missing="raise"`.
        """
        check_choice(rule, "missing", missing, EVERY_MISSING)
        check_choice(rule, "levels", levels, (1, 2))
        if self.complete or missing not in ("raise", "median"):
            return
        lacking = np.array([counts.places.missing for counts in self.counts])
        where = (
            f"{counted(int(lacking.sum()), 'missing score')}, of "
            f"{named(self.systems[np.flatnonzero(lacking.any(axis=0))])} on "
            f"{named(self.tasks[np.flatnonzero(lacking.any(axis=1))])}"
        )
        if missing == "raise":
            raise ValueError(f"{rule}: {where}; {advice}")
        raise ValueError(
            f"{rule}: {where}; to fill with medians needs the scores themselves, and these are "
            f"counted. Choose missing='ignore', or give the frame of scores"
        )

    def by_weight(self) -> ByWeight:
        """All instances, those of tasks of the same weight together."""
        found = added_up(zip(self.weights.tolist(), self.counts, strict=True))
        return dict(sorted(found.items())) or {1.0: BallotCounts.zero(len(self.systems))}

    def rankings(self, score: Callable[[ByWeight], NDArray[np.float64]]) -> Profile:
        """One ballot for each task: the ranking by a rule of the systems that have a score in it.

        Parameters
        ----------
        score
            The rule, on counts.
        """
        tasks = self.with_scores()
        columns = np.full((len(tasks.systems), len(tasks.tasks)), np.nan)
        for number, counts in enumerate(tasks.counts):
            part = counts.places.scored
            among = {1.0: counts.of(np.flatnonzero(part))}
            columns[part, number] = -competition_ranks(score(among))
        return Profile(columns, tasks.weights)


#: What can be ranked.
Source = pd.DataFrame | Leaderboard | Comparisons | Tally


def places_of(counts: ByWeight, missing: Missing) -> Mapping[float, PlaceCounts]:
    """Who stands above whom, and how high, with missing scores as they are to count.

    Parameters
    ----------
    counts
        The counts.
    missing
        How a missing score counts.
    """
    if missing == "worst":
        return {weight: found.places.missing_last() for weight, found in counts.items()}
    if missing == "ignore":
        return {weight: found.places.beside_others() for weight, found in counts.items()}
    return {weight: found.places for weight, found in counts.items()}


def pairs_of(counts: ByWeight, missing: Missing) -> PairwiseCounts:
    """The weight of wins and ties of each pair.

    Parameters
    ----------
    counts, missing
        As for `places_of`.
    """
    return (
        weighed_compatible(counts)
        if missing == "compatible"
        else weighed(places_of(counts, missing))
    )


def points_of(counts: ByWeight, missing: Missing, ties: Ties) -> NDArray[np.float64]:
    """The Borda points of each system.

    Parameters
    ----------
    counts, missing
        As for `places_of`.
    ties
        Which points tied systems get.
    """
    return borda_of_counts(places_of(counts, missing), missing, ties)


def score_counts(
    tasks: CountedTasks,
    score: Callable[[ByWeight], NDArray[np.float64]],
    of_rankings: Scoring,
    rule: str,
    missing: Missing,
    levels: int,
) -> NDArray[np.float64]:
    """The rule's score of each system, as `score_ballots` of what was counted.

    Parameters
    ----------
    tasks
        The tasks.
    score
        The rule, on counts.
    of_rankings
        The same rule on ballots, for the second of two levels.
    rule
        Its name, for messages.
    missing, levels
        As for `score_ballots`.

    Returns
    -------
    numpy.ndarray
        NaN for a system with no score at all, unless `missing` gives it one.
    """
    tasks.check(rule, missing, levels, ADVICE)
    if levels == 2:
        return treated(tasks.rankings(score), missing).scored(of_rankings)
    result = score(tasks.by_weight())
    return result if missing == "compatible" else np.where(tasks.scored, result, np.nan)


def tally(scores: pd.DataFrame) -> Tally:
    """What is left to keep of instance-level scores, once they are counted?

    Parameters
    ----------
    scores
        A frame of instance-level scores: rows with the levels `system` and
        `instance`, a column for each task, NaN where a system was not
        evaluated. Weights, groups and orientation are given beside the
        result, as they are beside a frame.

    Returns
    -------
    Tally
        The counts, which every rule that needs no more takes like the frame.

    Raises
    ------
    TypeError
        If the scores are not numbers, or are not instance-level scores in a
        frame.
    ValueError
        If labels are duplicate; the message names them.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.MultiIndex.from_product([["A", "B"], ["i1", "i2"]], names=["system", "instance"])
    >>> counted = tally(pd.DataFrame({"task": [3, 2, 1, 2]}, index=rows))
    >>> counted
    Tally: 2 systems x 1 task, 2 instances, 4 scores, 0 missing
    >>> counted.pairwise()
    system    A    B
    system
    A       0.0  1.5
    B       0.5  0.0
    """
    if isinstance(scores, Leaderboard):
        raise TypeError(
            "tally takes a frame, since it counts scores without weights, groups or orientation: "
            "give it the leaderboard's .scores, and those to the rules, beside the tally"
        )
    board = Leaderboard(scores)
    if not board.is_instance_level:
        raise TypeError(
            "tally counts instance-level scores, rows with the levels 'system' and 'instance'; "
            "a table with one score for each task goes into the rules as it is"
        )
    return counted_board(board)[0]


def checked(found: Tally, n_rows: int) -> Tally:
    """A tally that was read, after a warning if no two of its systems share an instance.

    Parameters
    ----------
    found
        The tally.
    n_rows
        The rows that it was read from; where some have no score, nobody can tell.
    """
    n_ballots = np.sum([counts.places.n_ballots for counts in found.counts], axis=0)
    scored = np.any([counts.places.scored for counts in found.counts], axis=0)
    if np.count_nonzero(scored) > 1 and n_ballots[1] == n_rows:
        warn_of_nothing_shared()
    return found


def counted_board(board: Leaderboard) -> tuple[Tally, CountedTasks]:
    """The counts of a leaderboard of instances, and its tasks as a rule is to see them.

    Parameters
    ----------
    board
        The leaderboard.
    """
    counts = tuple(count_ballots(board.values[:, task]) for task in board.columns_by_task())
    found = Tally(board.systems, board.tasks, counts)
    members = TaskNames.of(board.tasks, board.groups).members
    return found, found._with(board.weights, board.lower, members)


def options_beside(
    tally: Tally, weights: Weights, groups: Groups, lower_is_better: LowerIsBetter
) -> dict[str, Any]:
    """The options that go with a tally into one function after the other, checked.

    Those that are not given are left out, since a function of somebody else's may
    know of none.

    Parameters
    ----------
    tally
        The tally.
    weights, groups, lower_is_better
        As for `Leaderboard`.
    """
    names = TaskNames.of(tally.tasks, groups)
    names.weights(weights)
    # An iterator could be read only once.
    lower = list(tally.tasks[names.lower(lower_is_better)])
    options = {"weights": weights, "groups": groups, "lower_is_better": lower or None}
    return {name: option for name, option in options.items() if option is not None}
