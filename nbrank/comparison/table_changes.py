"""What changed between two tables of the same benchmark, and why a system lost its rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.comparison.options_of_two_tables import select_table_options
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.name_heuristics import similar_labels
from nbrank.votes.table.task_options import RuleOptions, TableOptions
from nbrank.votes.user_warnings import warn_user

#: The steps from the old table to the new one, in their order.
STEPS = ("scores", "tasks", "leaving", "coming")


@register_method("rules side by side", sees="ballots")
def changes(
    before: pd.DataFrame | Leaderboard,
    after: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """What changed since the last table, and by what: scores, tasks, or systems?

    The way from the old table to the new one has four steps. Each step ends in a whole table, which
    the rule ranks:

    1. `by_scores`: the old table, in which the systems of both tables have their new scores on the
       tasks of both. Systems that left keep their old scores.
    2. `by_tasks`: the old systems on the new tasks, with the new weights. The systems of both
       tables have their new scores; systems that left have their old scores on the tasks of both,
       and none on new tasks.
    3. `by_leaving`: the new table without the systems that came in.
    4. `by_coming`: the new table.

    Another order of the steps gives other parts: by most rules, what a new system does to a rank
    depends on the scores that the others have. See `explain_change` for a single system.

    Parameters
    ----------
    before
        The old table: a frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    after
        The new table, of the same kind; systems and tasks are matched by their labels.
    rule
        The name of a rule, or a function from a leaderboard to a ranking; with
        arguments by `functools.partial`, or as further arguments here.
    weights, groups, lower_is_better
        As for `Leaderboard`, for both tables: a table takes what is said of its own tasks and
        groups. Not beside a `Leaderboard`, which has its own.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each system of either table: those of the new table, best first, then those that
        left, in their old order. The columns

        before, after
            Its rank in the old table and in the new one; NA if it has none.
        by_scores, by_tasks, by_leaving, by_coming
            By how many ranks each step moves it, above 0 for a loss. They sum to `after - before`;
            NA for a system in one table only.
        passed_by
            The list of systems above it now that were not above it before, best first; systems that
            came in are among them. Empty for a system in one table only.

        `.attrs["rule"]` names the rule. `.attrs["respelled"]` is there if systems or tasks of the
        two tables have names that differ only in case or spaces: it names them, as a warning does.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if lower is better on a task in one table only, if one table has instances and the
        other doesn't, or if the rule refuses a table; the message says at which step.

    See Also
    --------
    explain_change : The systems that passed one, on which tasks, and by which arrival.

    References
    ----------
    Arrow, Social Choice and Individual Values, 1951, on the independence of irrelevant
    alternatives.

    Examples
    --------
    D came in, and nothing else changed. It stands between B and A on t1 and t2, so that B gained
    more points by it than A, and passed A.

    >>> import pandas as pd
    >>> tasks = ["t1", "t2", "t3", "t4", "t5"]
    >>> old = pd.DataFrame([[1, 1, 2, 2, 2], [3, 3, 1, 1, 1]], ["A", "B"], tasks)
    >>> new = pd.concat([old, pd.DataFrame([[2, 2, 3, 3, 3]], ["D"], tasks)])
    >>> since = changes(old, new)
    >>> since[["before", "after", "by_scores", "by_coming", "passed_by"]]
       before  after  by_scores  by_coming passed_by
    D    <NA>      1       <NA>       <NA>        []
    B       2      2          0          0       [D]
    A       1      3          0          2    [D, B]
    """
    boards = BoardPair.from_tables("changes", before, after, rule, options)
    return boards.changes()


@register_method("rules side by side", sees="ballots")
def explain_change(
    before: pd.DataFrame | Leaderboard,
    after: pd.DataFrame | Leaderboard,
    rule: RuleLike = "borda",
    *,
    system: Label,
    **options: Unpack[RuleOptions],
) -> pd.DataFrame:
    """Which systems passed a system since the last table, on which tasks, and why?

    By most rules, a new system can turn the order of two others, whose scores did not change. The
    last column says whether a single new system does that.

    Parameters
    ----------
    before
        The old table, as for `changes`.
    after
        The new table.
    rule
        As for `changes`.
    weights, groups, lower_is_better
        As for `changes`.
    system
        A system of both tables.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    pandas.DataFrame
        A row for each system that passed it (`passed_by` of `changes`), best first. The columns

        before, after
            The ranks of the system that passed; `before` is NA if it came in.
        step
            The step of `changes` at which it came to be above for good: "scores", "tasks",
            "leaving" or "coming".
        tasks
            The tuple of tasks on which it is ahead now and was not before; of instances, by their
            mean.
        newcomers
            Where the step is "coming", the list of systems that came in of which each alone, added
            to the systems of both tables, puts it above; empty if it takes several of them.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        As for `changes`; also if the system is not in both tables.

    Examples
    --------
    D came in, and alone put B above A, though B has no score that is better than before.

    >>> import pandas as pd
    >>> tasks = ["t1", "t2", "t3", "t4", "t5"]
    >>> old = pd.DataFrame([[1, 1, 2, 2, 2], [3, 3, 1, 1, 1]], ["A", "B"], tasks)
    >>> new = pd.concat([old, pd.DataFrame([[2, 2, 3, 3, 3]], ["D"], tasks)])
    >>> explain_change(old, new, system="A")
       before  after    step                 tasks newcomers
    D    <NA>      1  coming  (t1, t2, t3, t4, t5)       [D]
    B       2      2  coming                    ()       [D]
    """
    boards = BoardPair.from_tables("explain_change", before, after, rule, options)
    return boards.explain(system)


@dataclass(frozen=True, eq=False)
class BoardPair:
    """Two leaderboards, the second following the first, and the rule that ranks them."""

    caller: str
    before: Leaderboard
    after: Leaderboard
    bound_rule: BoundRule

    @classmethod
    def from_tables(
        cls, caller: str, before: Any, after: Any, rule: RuleLike, options: Mapping[str, Any]
    ) -> BoardPair:
        """Read both tables, each with the options that are about its tasks."""
        named = {name: value for name, value in options.items() if name in _TABLE_OPTIONS}
        of_rule = {name: value for name, value in options.items() if name not in named}
        bound_rule = BoundRule.from_options(caller, rule, of_rule)
        boards = []
        for table, scores, other in (("before", before, after), ("after", after, before)):
            try:
                boards.append(as_leaderboard(scores, **select_table_options(scores, other, named)))
            except (TypeError, ValueError) as error:
                text = str(error).removeprefix(f"{caller}: ")
                raise type(error)(f"{caller}: the table {table!r}: {text}") from error
        pair = cls.from_boards(caller, boards[0], boards[1], bound_rule)
        if pair.respelled:
            warn_user(f"{caller}: {pair.respelled}")
        return pair

    @classmethod
    def from_boards(
        cls, caller: str, before: Leaderboard, after: Leaderboard, bound_rule: BoundRule
    ) -> BoardPair:
        """Check that the scores of both can stand in one table."""
        lower = [
            dict(zip(board.tasks, board.is_lower_better, strict=True)) for board in (before, after)
        ]
        turned = [
            task for task in after.tasks if task in lower[0] and lower[0][task] != lower[1][task]
        ]
        if turned:
            raise ValueError(
                f"{caller}: lower is better on {format_labels(turned)} in one table only. Give "
                f"lower_is_better= for both"
            )
        if before.is_instance_level != after.is_instance_level:
            with_instances = "before" if before.is_instance_level else "after"
            raise ValueError(
                f"{caller}: only {with_instances!r} has a score for each instance. Average it "
                f"first: scores.groupby(level='system').mean()"
            )
        return cls(caller, before, after, bound_rule)

    @cached_property
    def common(self) -> list[Label]:
        """The systems of both tables, in the new order."""
        old = set(self.before.systems)
        return [system for system in self.after.systems if system in old]

    @cached_property
    def arrived(self) -> list[Label]:
        """The systems of the new table only."""
        old = set(self.before.systems)
        return [system for system in self.after.systems if system not in old]

    @cached_property
    def departed(self) -> list[Label]:
        """The systems of the old table only."""
        new = set(self.after.systems)
        return [system for system in self.before.systems if system not in new]

    @cached_property
    def respelled(self) -> str:
        """Name systems and tasks of both tables that differ only in case or spaces; else empty."""
        texts = []
        for axis in ("systems", "tasks"):
            old, new = (list(getattr(board, axis)) for board in (self.before, self.after))
            came = [label for label in new if label not in old]
            left = [label for label in old if label not in new]
            alike = similar_labels(pd.Index([*left, *came], tupleize_cols=False))
            renamed = {
                pair[0]: pair[1]
                for pair in alike
                if len(pair) == 2 and pair[0] in left and pair[1] in came
            }
            if renamed:
                pairs = ", ".join(f"{label!r} and {other!r}" for label, other in renamed.items())
                frame_axis = "index" if axis == "systems" else "columns"
                # Of labels with several levels pandas renames the parts.
                parts = {
                    part: new_part
                    for pair in renamed.items()
                    for part, new_part in zip(
                        *(x if isinstance(x, tuple) else (x,) for x in pair), strict=True
                    )
                    if part != new_part
                }
                texts.append(
                    f"{pairs} differ only in case or spaces, and count as different {axis}; where "
                    f"they are the same, rename the old in its file, or in the frame of its "
                    f"scores: scores.rename({frame_axis}={parts!r})"
                )
        return ". ".join(texts)

    @cached_property
    def ranks(self) -> dict[str, dict[Label, int]]:
        """The ranks "before", and after each step; of tables without common systems, the ends."""
        result = {"before": self._rank(self.before, "before")}
        coming = self._rank(self.after, "after")
        if self.common:
            result["scores"] = self._rank(self._rescored(), "by_scores")
            result["tasks"] = self._rank(self._on_new_tasks(), "by_tasks")
            result["leaving"] = self._rank(self._with_arrivals([]), "by_leaving")
        return result | {"coming": coming}

    def changes(self) -> pd.DataFrame:
        """Return the frame that `nbrank.changes` describes."""
        after = self.ranks["coming"]
        best_first = np.argsort([after[system] for system in self.after.systems], kind="stable")
        left = self.before.systems.isin(self.departed)
        index = self.after.systems[best_first].append(self.before.systems[left])
        columns = {name: self._ranks_of(index, step) for name, step in _ENDS.items()}
        path = list(self.ranks.values())
        for number, step in enumerate(STEPS, start=1):
            columns[f"by_{step}"] = [
                path[number][system] - path[number - 1][system] if system in self.common else None
                for system in index
            ]
        frame = pd.DataFrame(columns, index, dtype="Int64")
        passed = [self.passed_by(system) if system in self.common else [] for system in index]
        frame["passed_by"] = pd.Series(passed, index, dtype="object")
        frame.attrs = {"rule": self.bound_rule.label}
        if self.respelled:
            frame.attrs["respelled"] = self.respelled
        return frame

    def _ranks_of(self, systems: Iterable[Label], step: str) -> list[int | None]:
        return [self.ranks[step].get(system) for system in systems]

    def passed_by(self, system: Label) -> list[Label]:
        """List the systems above it now that were not above it before, best first."""
        before, after = self.ranks["before"], self.ranks["coming"]
        above = sorted((one for one in after if after[one] < after[system]), key=after.__getitem__)
        return [
            other for other in above if not (other in before and before[other] < before[system])
        ]

    def explain(self, system: Label) -> pd.DataFrame:
        """Return the frame that `nbrank.explain_change` describes."""
        system = clean_label(system)
        if system not in self.common:
            near = get_close_matches(str(system), map(str, self.common), n=1)
            meant = f" (did you mean {near[0]!r}?)" if near else ""
            raise ValueError(
                f"{self.caller}: {format_labels([system])} is not in both tables{meant}. The "
                f"systems of both are {format_labels(self.common)}"
            )
        passed = self.passed_by(system)
        steps = [self._step(other, system) for other in passed]
        alone = self._passed_by_one_arrival(system, passed) if "coming" in steps else {}
        was_behind, is_behind = (
            _tasks_behind(board, system) for board in (self.before, self.after)
        )
        tasks = [
            tuple(task for task in is_behind[other] if task not in was_behind.get(other, ()))
            for other in passed
        ]
        newcomers = [
            alone.get(other, []) if step == "coming" else []
            for other, step in zip(passed, steps, strict=True)
        ]
        index = self.after.systems[self.after.find_positions(passed)]
        ends = {name: self._ranks_of(passed, step) for name, step in _ENDS.items()}
        frame = pd.DataFrame(ends, index, dtype="Int64")
        for name, values in {"step": steps, "tasks": tasks, "newcomers": newcomers}.items():
            frame[name] = pd.Series(values, index, dtype="object")
        return frame

    def _step(self, other: Label, system: Label) -> str:
        """Find the first step from which on the other stays above the system."""
        if other not in self.common:
            return "coming"
        above = [ranks[other] < ranks[system] for ranks in self.ranks.values()]
        return STEPS[len(above) - 1 - above[::-1].index(False)]

    def _passed_by_one_arrival(
        self, system: Label, passed: list[Label]
    ) -> dict[Label, list[Label]]:
        """Map systems that passed to the arrivals that alone put them above."""
        result: dict[Label, list[Label]] = {}
        for arrival in self.arrived:
            ranks = self._rank(self._with_arrivals([arrival]), "by_coming")
            for other in passed:
                if other in ranks and ranks[other] < ranks[system]:
                    result.setdefault(other, []).append(arrival)
        return result

    def _rescored(self) -> Leaderboard:
        """Replace the scores of common systems on common tasks in the old table by new ones."""
        old, new = set(self.before.tasks), set(self.after.tasks)
        parts = [
            (self.before, self.departed, old),
            (self.before, self.common, old - new),
            (self.after, self.common, old & new),
        ]
        return self.before.combine_boards(self.before.systems, parts)

    def _on_new_tasks(self) -> Leaderboard:
        """Return the old systems on the new tasks."""
        old, new = set(self.before.tasks), set(self.after.tasks)
        parts = [(self.after, self.common, new), (self.before, self.departed, old & new)]
        return self.after.combine_boards(self.before.systems, parts)

    def _with_arrivals(self, arrivals: list[Label]) -> Leaderboard:
        """Return the new table with the common systems, and some of the arrivals."""
        kept = {*self.common, *arrivals}
        return self.after.select_systems([one for one in self.after.systems if one in kept])

    def _rank(self, board: Leaderboard, table: str) -> dict[Label, int]:
        """Rank by the rule; an error names the table."""
        try:
            ranks = self.bound_rule.ranks(board)
        except ValueError as error:
            if table in _ENDS:
                where = f"the table {table!r}"
            else:
                where = f"the table after the step {table!r}"
            if table == "by_tasks" and self.departed:
                lack = "lacks" if len(self.departed) == 1 else "lack"
                where += f", in which {format_labels(self.departed)}, which left, {lack} new tasks"
            raise ValueError(f"{self.caller}: the rule fails on {where}: {error}") from error
        return dict(zip(board.systems, ranks.tolist(), strict=True))


#: Column -> the step at whose end its ranks are.
_ENDS = {"before": "before", "after": "coming"}
_TABLE_OPTIONS = TableOptions.__annotations__.keys()


def _tasks_behind(board: Leaderboard, system: Label) -> dict[Label, list[Label]]:
    """List the tasks on which each other system is ahead of this one."""
    scores = (board.task_scores() * np.where(board.is_lower_better, -1.0, 1.0)).to_numpy()
    ahead = scores > scores[board.find_positions([system])]
    return {other: list(board.tasks[row]) for other, row in zip(board.systems, ahead, strict=True)}
