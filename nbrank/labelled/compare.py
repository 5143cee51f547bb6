"""Several rules side by side, and rules applied group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from nbrank.labelled.caller import warn_caller
from nbrank.labelled.comparisons import Comparisons
from nbrank.labelled.described import described
from nbrank.labelled.leaderboard import (
    Groups,
    Label,
    Leaderboard,
    LowerIsBetter,
    TaskNames,
    Weights,
    as_leaderboard,
    named,
    refuse_options,
)
from nbrank.labelled.registry import (
    RULES,
    Rule,
    RuleLike,
    called,
    elected,
    label_of,
    rule_of,
)
from nbrank.labelled.tally import Source, Tally, options_beside

RuleList = Iterable[RuleLike] | Mapping[str, RuleLike] | None


class RuleRefusedWarning(UserWarning):
    """A rule refuses the table, so its column is empty; the message says why.

    Parameters
    ----------
    message
        What the warning says.
    rules
        The labels of the rules that refuse, where they are set side by side.
    reason
        Why they do.
    """

    def __init__(self, message: str = "", rules: Iterable[str] = (), reason: str = "") -> None:
        super().__init__(message)
        self.rules = tuple(rules)
        self.reason = reason


def labelled_rules(rules: RuleList, source: Source | None = None) -> dict[str, RuleLike]:
    """Label -> rule.

    Parameters
    ----------
    rules
        Names or functions, a mapping from label to either, or None for every
        rule that needs no argument and takes such a source.
    source
        What is to be ranked; None means a leaderboard.
    """
    if rules is None:
        return {
            name: name
            for name, rule in RULES.items()
            if not rule.arguments and _takes(rule, source)
        }
    if isinstance(rules, str) or callable(rules):
        rules = [rules]
    labelled: dict[str, RuleLike] = dict(rules) if isinstance(rules, Mapping) else {}
    for rule in () if isinstance(rules, Mapping) else rules:
        label = label_of(rule)
        if label in labelled:
            raise ValueError(f"two rules are called {label!r}; give a mapping from label to rule")
        labelled[label] = rule
    for rule in labelled.values():
        called(rule)
    return labelled


def _takes(rule: Rule, source: Source | None) -> bool:
    """Whether a rule takes such a source; None means a leaderboard."""
    if isinstance(source, Comparisons):
        return rule.comparisons
    return rule.tallies if isinstance(source, Tally) else rule.leaderboards


def _source(
    function: str,
    scores: Source,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
) -> Leaderboard | Comparisons | Tally:
    if isinstance(scores, Comparisons):
        refuse_options(function, weights, groups, lower_is_better)
        return scores
    if isinstance(scores, Tally):
        return scores
    return as_leaderboard(scores, weights, groups, lower_is_better)


def _beside(
    source: Leaderboard | Comparisons | Tally,
    weights: Weights,
    groups: Groups,
    lower_is_better: LowerIsBetter,
) -> dict[str, Any]:
    """The options that each rule is given beside the source: a leaderboard has its own."""
    if not isinstance(source, Tally):
        return {}
    # Wrong ones are refused here, as beside a frame, and not by one rule after the other.
    return options_beside(source, weights, groups, lower_is_better)


def _given(
    scores: Source, source: Leaderboard | Comparisons | Tally
) -> Callable[[RuleLike], Source]:
    """Say what each rule is given: a function the frame as it came, if it came without options.

    The rules of the library, by name, get the table that was checked once.
    """
    as_it_came = source
    if isinstance(scores, pd.DataFrame) and isinstance(source, Leaderboard):
        plain = Leaderboard(scores)
        same = np.array_equal(plain.weights, source.weights) and np.array_equal(
            plain.lower, source.lower
        )
        if same and plain.groups == source.groups:
            return lambda rule: source if isinstance(rule, str) else scores
    return lambda _: as_it_came


def _refuse_mismatch(rule: RuleLike, source: Leaderboard | Comparisons | Tally) -> None:
    """Refuse a rule of ours that doesn't take such a source."""
    known = rule_of(rule)
    if known is None or _takes(known, source):
        return
    if isinstance(source, Comparisons):
        raise ValueError(f"{label_of(rule)}: it needs scores, and these are comparisons")
    if isinstance(source, Tally) and known.leaderboards:
        raise ValueError(f"{label_of(rule)}: it needs the scores themselves, and these are counted")
    raise ValueError(f"{label_of(rule)}: it needs comparisons, and these are scores")


def _each(rules: dict[str, RuleLike], run: Callable[[RuleLike], Any]) -> dict[str, Any]:
    """Run rule after rule; one that refuses gives None, with one warning for each reason."""
    results: dict[str, Any] = {}
    refusals: dict[str, list[str]] = {}
    for label, rule in rules.items():
        try:
            results[label] = run(rule)
        except (ValueError, RuntimeError) as error:
            results[label] = None
            reason = str(error).removeprefix(f"{label_of(rule)}: ")
            refusals.setdefault(reason, []).append(label)
    for reason, labels in refusals.items():
        said = f"{', '.join(labels)}: left empty; {reason}"
        warn_caller(RuleRefusedWarning(said, labels, reason))
    return results


@described
def compare(
    scores: Source,
    rules: RuleList = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """How does each system rank under each rule?

    Parameters
    ----------
    {source}
    rules
        Names or functions of rules, or a mapping from a label to either, for
        rules with arguments; None runs every rule that needs none. A function
        is given the frame as it came, or a `Leaderboard` where weights, groups
        or orientation go with it.

    Returns
    -------
    pandas.DataFrame
        A row for each system in table order, a column for each rule: the rank,
        1 for the best, as a nullable integer. A rule that refuses the table,
        or gives up at its search limit, is a column of NA, with a
        `RuleRefusedWarning` that says why.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> from functools import partial
    >>> import pandas as pd
    >>> from nbrank import optimality_gap
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [1, 3, 2]}, index=list("ABC")
    ... )
    >>> compare(scores, ["mean", "borda", "copeland"])
       mean  borda  copeland
    A     1      2         3
    B     2      1         1
    C     3      2         2
    >>> compare(scores, {"gap to 3": partial(optimality_gap, gamma=3)})
       gap to 3
    A         2
    B         1
    C         2
    """
    source = _source("compare", scores, weights, groups, lower_is_better)
    beside = _beside(source, weights, groups, lower_is_better)
    columns = {}

    def run(rule: RuleLike) -> pd.DataFrame:
        _refuse_mismatch(rule, source)
        known = rule_of(rule) if isinstance(rule, str) else None
        return ((known and known.side_by_side) or called(rule))(given(rule), **beside)

    given = _given(scores, source)
    rankings = _each(labelled_rules(rules, source), run)
    for label, ranked in rankings.items():
        if ranked is None:
            columns[label] = pd.Series(pd.NA, index=source.systems, dtype="Int64")
        else:
            columns[label] = ranked["rank"].reindex(source.systems).astype("Int64")
    return pd.DataFrame(columns, index=source.systems)


@described
def winners(
    scores: Source,
    rules: RuleList = None,
    *,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.Series:
    """Who wins under each rule?

    Parameters
    ----------
    {source}
    rules
        Names or functions of rules, or a mapping from a label to either; None
        runs every rule that needs no argument.

    Returns
    -------
    pandas.Series
        Rule -> list of the winners in table order. The list is empty where
        there is none, or where the rule refuses the table, which a
        `RuleRefusedWarning` then says.

    Raises
    ------
    {errors}

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     {"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [1, 3, 3]}, index=list("ABC")
    ... )
    >>> winners(scores, ["mean", "plurality", "condorcet"])
    mean         [A]
    plurality    [B]
    condorcet    [B]
    Name: winners, dtype: object
    """
    source = _source("winners", scores, weights, groups, lower_is_better)
    beside = _beside(source, weights, groups, lower_is_better)
    labelled = labelled_rules(rules, source)
    order = {system: position for position, system in enumerate(source.systems)}
    given = _given(scores, source)

    def run(rule: RuleLike) -> list[Label]:
        _refuse_mismatch(rule, source)
        return elected(partial(called(rule), **beside) if beside else rule, given(rule))

    found = {
        label: sorted(first or [], key=order.__getitem__)
        for label, first in _each(labelled, run).items()
    }
    return pd.Series(found, index=list(found), dtype=object, name="winners")


@described
def two_step(
    scores: pd.DataFrame | Leaderboard,
    rule: RuleLike,
    *,
    groups: Groups = None,
    group_weights: Mapping[Any, float] | None = None,
    weights: Weights = None,
    lower_is_better: LowerIsBetter = (),
) -> pd.DataFrame:
    """Which system is best if each group of tasks is ranked first, and then the groups?

    Parameters
    ----------
    {board}
    rule
        A name of `RULES`, or a function from a `Leaderboard` to a ranking,
        which is used for both steps.
    group_weights
        A mapping from group to its weight in the second step; 1 where it is
        not named.

    Returns
    -------
    {ranking}
        score
            The rule's score on the table of the groups' scores.

    Raises
    ------
    {errors}
        Also if there are no groups.

    References
    ----------
    Rofin et al., Vote'n'Rank: Revision of Benchmarking with Social Choice
    Theory, 2023, section 2.4.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = pd.MultiIndex.from_tuples([("math", "t1"), ("math", "t2"), ("code", "t3")])
    >>> scores = pd.DataFrame([[3, 3, 1], [2, 2, 2], [1, 1, 3]], index=list("ABC"), columns=columns)
    >>> two_step(scores, "borda", group_weights={"code": 2})
       rank  score
    C     1    4.0
    B     2    3.0
    A     3    2.0
    """
    board = as_leaderboard(scores, weights, groups, lower_is_better)
    if board.groups is None:
        raise ValueError(
            "two_step needs groups; give groups={group: [tasks]} "
            "or MultiIndex columns (group, task)"
        )
    apply = called(rule)
    names = TaskNames.of(board.tasks, board.groups)
    steps = {}
    for group, tasks in board.groups.items():
        if board.weights[names.positions(tasks, "groups")].any():
            ranked = apply(board.with_tasks(tasks))
            # Systems that share a rank are tied, whatever rounding says of their scores.
            tied = ranked["score"].groupby(ranked["rank"].to_numpy()).transform("first")
            steps[group] = tied.reindex(board.systems)
    table = pd.DataFrame(steps, index=board.systems)
    if group_weights is not None:
        if not isinstance(group_weights, Mapping):
            raise TypeError(
                f"group_weights must be a mapping from group to a number, not {group_weights!r}"
            )
        unknown = [group for group in group_weights if group not in board.groups]
        if unknown:
            raise ValueError(
                f"group_weights: unknown {named(unknown)}; groups: {named(board.groups)}"
            )
        group_weights = {
            group: weight for group, weight in group_weights.items() if group in table.columns
        }
    ranked = apply(Leaderboard(table, weights=group_weights))
    name = ranked.attrs.get("rule", label_of(rule))
    ranked.attrs = {**ranked.attrs, "rule": f"two_step {name}"}
    return ranked
