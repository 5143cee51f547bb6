"""Checks of options, with the same message for the same mistake in all functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from operator import index

import numpy as np

from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.user_warnings import warn_user


class PlaceOptions(TableOptions, total=False):
    """The options of rules on places.

    Parameters
    ----------
    missing
        How a missing score counts: "compatible" (the average over all complete rankings compatible
        with the observed one), "ignore" (places among the scored, and nothing for a missing score;
        a task with only one scored system does not count), "median" (fill with the median of
        the task), "worst" (missing scores share the places below all others) or "raise". A system
        with no score at all stands in the middle if "compatible", else it is last with a score of
        NaN.
    ties
        Which points tied systems get: "average" (they share those of their places), "min" (all take
        the best of their places) or "max" (all take the worst).
    """

    missing: Missing
    ties: Ties


class PairOptions(TableOptions, total=False):
    """The options of rules on pairs.

    Parameters
    ----------
    missing
        How a missing score counts: "ignore" (a pair counts where both have a score), "compatible"
        (by the share of compatible complete rankings), "median" (fill with the median of the task),
        "worst" (missing scores share the places below all others) or "raise". A system with no
        score at all is last with a score of NaN, unless "compatible"; models refuse it.
    levels
        For instance-level scores: 1 counts the instances of all tasks, 2 the tasks
        on which the majority of instances favours the system.
    """

    missing: Missing
    levels: int


def check_choice(function: str, option: str, value: object, choices: Sequence[object]) -> None:
    """Refuse an option's value that the function does not support."""
    if value not in choices:
        listed = [repr(choice) for choice in choices]
        shown = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} or {listed[-1]}"
        raise ValueError(f"{function}: {option}={value!r} is unknown; choose {shown}")


#: Treatments of missing scores that most rules support.
MISSING_TREATMENTS: tuple[Missing, ...] = ("compatible", "ignore", "raise", "median", "worst")


@dataclass(frozen=True)
class ViewRequest:
    """A rule's request to votes: the view, and the options that the rule supports."""

    #: The name of the public function.
    rule: str
    #: The view that the rule needs: a method of `Views`.
    view: str
    missing: Missing
    levels: int = 1
    ties: Ties = "average"
    #: Treatments of missing scores that the rule supports, and the alternatives to an error.
    allowed_missing: tuple[Missing, ...] = MISSING_TREATMENTS
    missing_advice: str = (
        "choose how they count with missing='compatible' or 'ignore', or drop those rows"
    )

    def __post_init__(self) -> None:
        check_choice(self.rule, "ties", self.ties, ("average", "min", "max"))
        check_choice(self.rule, "missing", self.missing, self.allowed_missing)
        check_choice(self.rule, "levels", self.levels, (1, 2))

    @classmethod
    def for_pairs(cls, rule: str, n_systems: int, missing: Missing, levels: int = 1) -> ViewRequest:
        """Ask for the pairs of so many systems, if these fit into memory."""
        check_pairs_fit(rule, n_systems)
        return cls(rule, "pairs", missing, levels)


#: Maximum number of systems whose pairs are all compared: more don't fit into 4 GB.
MAX_PAIRED_SYSTEMS = 16_000
#: Maximum memory of stored counts of pairs, such as of every task.
MAX_COUNT_BYTES = 16_000_000_000


def check_pairs_fit(function: str, n_systems: int) -> None:
    """Refuse to compare all pairs of more systems than fit into memory."""
    if n_systems > MAX_PAIRED_SYSTEMS:
        # Wins and ties of each pair are counted in double precision.
        gigabytes = 16 * n_systems**2 / 1e9
        raise ValueError(
            f"{function}: to compare all pairs of {n_systems:,} systems, as pairwise rules and "
            f"rank sets do, takes at least {gigabytes:,.1f} GB of memory; rank them by borda, or "
            f"keep the first 1,000 by borda: scores.loc[nbrank.borda(scores).index[:1000]]"
        )


def check_counts_fit(function: str, n_systems: int, bytes_per_pair: int, advice: str) -> None:
    """Refuse to count all pairs of more systems than fit into memory, before allocating it."""
    size = bytes_per_pair * n_systems**2
    if size > MAX_COUNT_BYTES:
        raise ValueError(
            f"{function}: the counts of all pairs of {n_systems:,} systems take at least "
            f"{size / 1e9:,.1f} GB of memory; {advice}"
        )


def check_delta(function: str, delta: float) -> None:
    """Refuse an error probability outside (0, 1)."""
    if not 0 < validate_number(function, "delta", delta) < 1:
        raise ValueError(
            f"{function}: delta={delta!r} must be between 0 and 1; it is one minus the "
            f"confidence, 0.05 for 95 %"
        )
    if delta > 0.5:
        warn_user(
            f"{function}: delta={delta!r} is one minus the confidence, which is then "
            f"{1 - delta:.0%}; for 95 % give delta=0.05"
        )


def validate_number(function: str, option: str, value: object) -> float:
    """Refuse other types than numbers, such as text that looks like one."""
    # Python counts True among the numbers.
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{function}: {option}={value!r} must be a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{function}: {option} is too large for a float") from None


def make_rng(function: str, seed: object) -> np.random.Generator:
    """Make the random number generator of a seed."""
    try:
        return np.random.default_rng(seed)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise type(error)(
            f"{function}: seed={seed!r} must be a whole number from 0, or None for a fresh one"
        ) from None


def validate_integer(function: str, option: str, value: object, minimum: int = 1) -> int:
    """Refuse other types than whole numbers, and too small ones."""
    try:
        whole = index(value)  # type: ignore[arg-type]
    except TypeError:
        whole = None
    if whole is None or isinstance(value, bool | np.bool_):
        raise TypeError(f"{function}: {option}={value!r} must be a whole number")
    if whole < minimum:
        raise ValueError(f"{function}: {option}={whole} must be at least {minimum}")
    return whole
