"""Options about tasks: their names, groups, weights and orientation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypedDict

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.arrays.typing import Bools, Floats, Ints, Positions
from nbrank.votes.formatting import Label, format_labels, group_values, join_truncated, pluralize
from nbrank.votes.labeled_values import clean_label, spell_out, spellings

Weights = Mapping[Any, float] | Literal["balanced"] | None
Groups = Mapping[Any, Any] | pd.Series | None
CountsLike = Mapping[Any, int] | pd.Series | Sequence[int] | NDArray[np.integer] | None
PerTask = float | Mapping[Any, float] | pd.Series
LowerIsBetter = Iterable[Any] | Mapping[Any, bool | Literal["min", "max"]] | bool | None

#: The call that gives groups to a frame, or to a board, which takes no options.
GROUPS_ADVICE = (
    "give groups={group: [tasks]} or MultiIndex columns (group, task); of a Leaderboard take "
    "board.with_groups({group: [tasks]})"
)


class TableOptions(TypedDict, total=False):
    """The options that go with a frame of scores.

    Parameters
    ----------
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
    """

    weights: Weights
    groups: Groups
    lower_is_better: LowerIsBetter


class _RuleArguments(TypedDict, total=False):
    """The arguments of rules, apart from the scores and the options about tasks."""

    missing: Missing
    ties: Ties
    levels: int
    # Means.
    low: PerTask
    high: PerTask
    gamma: PerTask
    baseline: Label
    shift: float
    penalty: PerTask | None
    # Points and pairs.
    vector: Sequence[float]
    variant: Literal["winning_votes", "margins", "opposition"]
    tie_order: Iterable[Label] | None
    accept: Literal["proven", "best"]
    # Models.
    prior: float
    advantage: bool
    covariates: pd.DataFrame | pd.Series | None
    scale: float
    base: float
    anchor: Mapping[Any, float] | float | None


class RuleOptions(_RuleArguments, TableOptions, total=False):
    """The options of a table, and those of a rule."""

    time_limit: float | None
    k: float
    initial: float


class PickOptions(_RuleArguments, TableOptions, total=False):
    """The options of a table and of a rule, for a search with a time limit of its own."""


class RankBoundOptions(_RuleArguments, total=False):
    """The same, with `weights=True` for the weights at which each system is best and worst."""

    weights: Weights | bool
    groups: Groups
    lower_is_better: LowerIsBetter


_BEST = {"min": True, "max": False}


def names_of_given_options(
    weights: Weights = None, groups: Groups = None, lower_is_better: LowerIsBetter = ()
) -> list[str]:
    """List the options that have a value for any task."""
    options = {"weights": weights, "groups": groups}
    names = [name for name, option in options.items() if option is not None]
    text: object = lower_is_better
    if text is None or isinstance(text, bool | np.bool_):
        says = bool(text)
    else:
        # A number may be a task's name, and an iterator can be read only once.
        says = not isinstance(text, Sized) or len(text) > 0
    return [*names, "lower_is_better"] if says else names


@dataclass(frozen=True)
class TaskIndex:
    """Names of tasks and groups that users may give; `groups` is empty without any."""

    tasks: pd.Index
    members: dict[Label, list[int]] = field(default_factory=dict)

    @classmethod
    def from_groups(cls, tasks: pd.Index, groups: Groups) -> TaskIndex:
        """Read the groups from the mapping, or else from the first level of the columns."""
        if groups is not None:
            return cls(tasks, cls(tasks)._parse_groups(groups))
        if isinstance(tasks, pd.MultiIndex):
            return cls(tasks, group_values((task[0], at) for at, task in enumerate(tasks)))
        return cls(tasks)

    @cached_property
    def _positions(self) -> dict[Label, list[int]]:
        """Full name, or bare name of a task in a group -> the positions of such tasks."""
        full = {task: [position] for position, task in enumerate(self.tasks)}
        if isinstance(self.tasks, pd.MultiIndex):
            # A full name takes precedence over bare ones.
            return group_values((task[-1], at) for at, task in enumerate(self.tasks)) | full
        return full

    def get_position(self, task: object) -> int | None:
        """Find a task by its full name, or by a bare name that is unique; None without any."""
        try:
            results = self._positions.get(task)
            if results is None and task:
                results = self._positions.get(clean_label(task))
        except TypeError:  # A list is not hashable.
            return None
        return results[0] if results is not None and len(results) == 1 else None

    def unknown_name_error(self, names: Iterable[Label], option: str) -> ValueError:
        """Make the error for names that are neither a task nor a group."""
        listed = list(names)
        shared = [name for name in listed if len(self._positions.get(clean_label(name), [])) > 1]
        if shared:
            return ValueError(
                f"{option}: {format_labels(shared)} is the name of several tasks; "
                f"give the tuple (group, task)"
            )
        groups = f"; groups: {format_labels(self.members)}" if self.members else ""
        if option == "lower_is_better" and groups:
            groups = "; a group is named by its tasks"
        of_groups = () if option == "lower_is_better" else self.members
        texts = {str(name).casefold(): name for name in [*self._positions, *of_groups]}
        near = get_close_matches(str(listed[0]).casefold(), texts, n=1)
        meant = f" (did you mean {texts[near[0]]!r}?)" if near else ""
        return ValueError(
            f"{option}: unknown {format_labels(listed)}{meant}; tasks: "
            f"{format_labels(self.tasks)}{groups}"
        )

    def get_positions(self, tasks: Iterable[Label], option: str) -> list[int]:
        """Find the positions of these tasks; an error names those unknown or given twice."""
        listed = list(tasks)
        results = [self.get_position(task) for task in listed]
        unknown = [task for task, position in zip(listed, results, strict=True) if position is None]
        if unknown:
            raise self.unknown_name_error(unknown, option)
        known = [position for position in results if position is not None]
        twice = [self.tasks[position] for position in set(known) if known.count(position) > 1]
        if twice:
            raise ValueError(
                f"{option}: {format_labels(twice)} given more than once; name each task once"
            )
        return known

    def unit_positions(self, function: str, *, whole_groups: bool) -> dict[Label, list[int]]:
        """Map each task, or each group, to the positions of its tasks."""
        if not whole_groups:
            return {task: [position] for position, task in enumerate(self.tasks)}
        if not self.members:
            raise ValueError(f"{function}: whole_groups=True needs groups; {GROUPS_ADVICE}")
        return self.members

    def member_positions(self, name: Label, option: str) -> list[int]:
        """Find the positions of a group's tasks, or of the task of that name."""
        position = self.get_position(name)
        members = self.members.get(name)
        if position is None and members is None:
            members = self.members.get(clean_label(name))
        if position is not None and members is not None and members != [position]:
            raise ValueError(
                f"{option}: {format_labels([name])} is both a group and a task; rename one of them"
            )
        if members is not None:
            return members
        if position is not None:
            return [position]
        raise self.unknown_name_error([name], option)

    def labelled_groups(self) -> Mapping[Label, tuple[Label, ...]] | None:
        """Return each group with its tasks; None without groups."""
        tasks = {group: tuple(self.tasks[at] for at in of) for group, of in self.members.items()}
        return MappingProxyType(tasks) if tasks else None

    def group_codes(self) -> Positions:
        """Return the number of each task's group; of the task itself without groups."""
        group = np.arange(len(self.tasks))
        for number, positions in enumerate(self.members.values()):
            group[positions] = number
        return group

    def parse_lower_is_better(self, lower_is_better: LowerIsBetter) -> Bools:
        """Parse on which tasks lower is better."""
        lower = np.zeros(len(self.tasks), dtype=bool)
        if lower_is_better is None:
            return lower
        if _is_truth(lower_is_better):
            return lower | bool(lower_is_better)
        text: Any = lower_is_better
        if isinstance(text, Mapping) or (
            # A Series may also list tasks.
            isinstance(text, pd.Series)
            and any(_is_truth(value) or self.get_position(value) is None for value in text)
        ):
            ways = zip(text.keys(), _parse_orientation(text), strict=True)
            named = [(task, way) for name, way in ways for task in self._all_called(name)]
            positions = self.get_positions([task for task, _ in named], "lower_is_better")
            lower[positions] = [way for _, way in named]
        else:
            listed = [
                task for name in self._parse_task_list(text) for task in self._all_called(name)
            ]
            lower[self.get_positions(listed, "lower_is_better")] = True
        return lower

    def _all_called(self, name: Label) -> list[Label]:
        """Return the tasks of a name; a metric of several groups stands for all of them."""
        try:
            positions = self._positions.get(name, [])
        except TypeError:  # a list is no name
            positions = []
        return [self.tasks[at] for at in positions] if len(positions) > 1 else [name]

    def _parse_task_list(self, lower_is_better: Any) -> list[Label]:
        if isinstance(lower_is_better, str) or self.get_position(lower_is_better) is not None:
            return [lower_is_better]  # one task by its name
        if isinstance(lower_is_better, pd.DataFrame) or not isinstance(lower_is_better, Iterable):
            raise TypeError(
                f"lower_is_better must be tasks, a mapping from task to True or False, or True for "
                f"all tasks, not {lower_is_better!r}"
            )
        listed = list(lower_is_better)
        truths = [value for value in listed if _is_truth(value)]
        if truths and not pd.api.types.is_bool_dtype(self.tasks):
            # As numbers, False and True would name the tasks 0 and 1.
            raise TypeError(
                f"lower_is_better is a list with {format_labels(truths[:1])} in it; name the tasks "
                "on which lower is better, or give a mapping from task to True or False"
            )
        return listed

    def parse_counts(self, counts: CountsLike) -> Ints:
        """Parse the number of voters of each task."""
        result = np.ones(len(self.tasks))
        if isinstance(counts, Mapping | pd.Series):
            options = dict(counts.items())
            result[self.get_positions(options, "counts")] = list(options.values())
        elif counts is not None:
            result = np.asarray(counts)
            if result.shape != self.tasks.shape:
                raise ValueError(
                    f"counts has the shape {result.shape}, for "
                    f"{pluralize(len(self.tasks), 'task')}; "
                    f"give one for each, or a mapping from task to count"
                )
        whole = np.asarray(result, dtype=np.float64)
        wrong = ~((whole >= 1) & (whole == np.rint(whole)))
        if wrong.any():
            tasks = format_labels(self.tasks[wrong])
            raise ValueError(f"counts must be whole numbers from 1, but not of {tasks}")
        return whole.astype(np.int64)

    def parse_weights(self, weights: Weights, counts: Ints | None = None) -> Floats:
        """Parse the weight of each task, multiplied by its number of voters."""
        voters = np.ones(len(self.tasks)) if counts is None else counts.astype(np.float64)
        if weights is None:
            return voters
        options = self._parse_weight_options(weights)
        result = voters.copy()
        by: dict[int, Label] = {}
        of_groups = [name for name in options if self.get_position(name) is None]
        for name, weight in options.items():
            positions = self.member_positions(name, "weights")
            again = [self.tasks[position] for position in positions if position in by]
            if again:
                raise ValueError(
                    f"weights: {format_labels(again)} is weighted twice, by {by[positions[0]]!r} "
                    f"and by {name!r}; name it once"
                )
            by.update(dict.fromkeys(positions, name))
            of_each = voters[positions]
            result[positions] = weight * (of_each / of_each.sum() if name in of_groups else of_each)
        left_out = [
            group
            for group, members in self.members.items()
            if of_groups and not by.keys() & set(members)
        ]
        if left_out:
            raise ValueError(
                f"weights are given for groups, but not for {format_labels(left_out)}; weigh "
                "every group"
            )
        if not (result > 0).any():
            raise ValueError("weights are all zero; give at least one task a weight above zero")
        return rescale_weights(result)

    def _parse_weight_options(self, weights: Weights) -> dict[Label, float]:
        """Parse the weight of each task or group that was named; balanced, 1 for each group."""
        if isinstance(weights, str):
            if weights != "balanced":
                raise ValueError(f"weights must be a mapping or 'balanced', not {weights!r}")
            if not self.members:
                raise ValueError(f"weights='balanced' needs groups; {GROUPS_ADVICE}")
            weights = dict.fromkeys(self.members, 1.0)
        if not isinstance(weights, Mapping | pd.Series):
            raise TypeError(
                f"weights must be a mapping from task or group to a number, or 'balanced', "
                f"not {type(weights).__name__}"
            )
        return {name: parse_weight(name, value) for name, value in weights.items()}

    def _parse_groups(self, groups: Groups) -> dict[Label, list[int]]:
        if not isinstance(groups, Mapping | pd.Series):
            raise TypeError(
                f"groups must be a mapping from group to a list of tasks, or from task to group, "
                f"not {type(groups).__name__}"
                f"{'; to pick whole groups, give whole_groups=True' * (str(groups) == 'True')}"
            )
        groups = self._invert_groups(dict(groups.items()))
        for listed in spellings(groups).values():
            raise ValueError(
                f"groups: {spell_out(listed)} differ only in spaces around them or in their "
                f"Unicode form; give the tasks of both under one name"
            )
        members: dict[Label, list[int]] = {}
        of: dict[int, Label] = {}
        for name, tasks in groups.items():
            group = clean_label(name)
            if isinstance(tasks, str) or not isinstance(tasks, Iterable):
                raise TypeError(f"groups[{group!r}] is {tasks!r}; give a list of tasks")
            members[group] = self.get_positions(tasks, f"groups[{group!r}]")
            if not members[group]:
                raise ValueError(f"groups[{group!r}] has no task; leave it out")
            shared = [position for position in members[group] if position in of]
            if shared:
                raise ValueError(
                    f"{format_labels([self.tasks[shared[0]]])} is in the groups {of[shared[0]]!r} "
                    f"and {group!r}; groups must be disjoint"
                )
            of.update(dict.fromkeys(members[group], group))
        left_out = [task for position, task in enumerate(self.tasks) if position not in of]
        if left_out:
            are = "is" if len(left_out) == 1 else "are"
            raise ValueError(
                f"{format_labels(left_out)} {are} in no group; groups must cover all tasks"
            )
        return members

    def _invert_groups(self, groups: dict[Any, Any]) -> dict[Any, Any]:
        """Map each group to its tasks, also from a mapping of tasks to groups."""
        of_tasks = [self.get_position(name) is not None for name in groups]
        if any(map(pd.api.types.is_list_like, groups.values())) or not any(of_tasks):
            return groups
        return group_values((clean_label(group), task) for task, group in groups.items())


def _parse_orientation(text: Any) -> list[Any]:
    """Parse the orientation of each task that a mapping names."""
    values = [_BEST.get(value) if isinstance(value, str) else value for _, value in text.items()]
    wrong = [
        f"{task!r}: {value!r}"
        for (task, value), read in zip(text.items(), values, strict=True)
        if not _is_truth(read)
    ]
    if wrong:
        raise ValueError(
            f"lower_is_better says {join_truncated(wrong)}; say True or 'min' of a task on which "
            "lower is better, False or 'max' of one on which higher is"
        )
    return values


def _is_truth(value: object) -> bool:
    return isinstance(value, bool | np.bool_)


def parse_weight(name: Label, value: Any) -> float:
    """Parse the weight of a task or group; fail if it can't be a weight."""
    if isinstance(value, str | bytes) or not np.isscalar(value):
        raise TypeError(f"weights[{name!r}] must be a number, not {value!r}")
    try:
        weight = float(value)  # type: ignore[arg-type]
    except OverflowError:
        weight = np.inf
    if not np.isfinite(weight) or weight < 0:
        raise ValueError(f"weights[{name!r}] is {value!r}; a weight must be finite and not below 0")
    return weight


#: Range of the largest weight in which weights are not rescaled: their squares, and sums over
#: all instances, are far from the limits of a float.
_SAFE_WEIGHT_RANGE = (1e-100, 1e100)


def rescale_weights(weights: Floats) -> Floats:
    """Rescale the weights by the largest if sums of them would overflow or vanish."""
    largest = weights.max(initial=0.0)
    if largest == 0 or _SAFE_WEIGHT_RANGE[0] <= largest <= _SAFE_WEIGHT_RANGE[1]:
        return weights
    # A weight must not become 0, because its task still counts.
    relative = np.maximum(weights / largest, np.finfo(np.float64).tiny)
    return np.where(weights > 0, relative, 0.0)
