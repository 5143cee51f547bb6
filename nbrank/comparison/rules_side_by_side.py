"""Several rules side by side: with published ranks, and for each `missing=`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack, cast, get_args

import pandas as pd

from nbrank.agreement import parse_ranking
from nbrank.arrays.ballots.profile import Missing
from nbrank.rules.bound_rule import BoundRule, find_unknown_systems, top_ranked
from nbrank.rules.registry import RULES, Rule, RuleFunction, RuleLike
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, format_labels
from nbrank.votes.labeled_values import as_frame, as_series, clean_labels
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_votes
from nbrank.votes.method_registry import register_method
from nbrank.votes.table.task_options import TableOptions, names_of_given_options
from nbrank.votes.table.validation import MISSING_TREATMENTS, check_choice
from nbrank.votes.user_warnings import warn_user


@dataclass(frozen=True, eq=False)
class PublishedRanks:
    """A published ranking among rules: a function that finds these ranks in every table."""

    label: str
    ranking: pd.DataFrame

    @classmethod
    def from_ranks(cls, label: str, ranks: pd.Series | pd.DataFrame) -> PublishedRanks:
        """Check the ranks; tied systems that have the average of their places share the best."""
        if isinstance(ranks, pd.DataFrame) and not {"rank", "score"} <= set(ranks.columns):
            raise TypeError(
                f"rules={{{label!r}: ...}} is a frame without the columns 'rank' and 'score'; give "
                f"a Series of ranks by system, such as ranks['rank']"
            )
        _, values = parse_ranking(ranks, f"rules={{{label!r}: ...}}")
        result = pd.Series(values, clean_labels(ranks.index))
        if (values % 1).any():
            result = result.rank(method="min")
        ranking = pd.DataFrame({"rank": result, "score": -result}).sort_values(
            "rank", kind="stable"
        )
        return cls(label, ranking)

    @property
    def __name__(self) -> str:
        """The label, as of a function."""
        return str(self.label)

    def __call__(self, scores: Any, missing: str | None = None) -> pd.DataFrame:  # noqa: ARG002
        """Return the ranks, however missing scores count; refuse those of other systems."""
        if unknown := find_unknown_systems(scores, self.ranking.index):
            raise TypeError(
                f"rules={{{self.label!r}: ...}} ranks {format_labels(unknown, max_items=5)}, which "
                "are not systems of the table; leave them out, and rank the others among "
                "themselves: ranks[ranks.index.isin(scores.index)].rank(method='min')"
            )
        return self.ranking


#: A mapping may also have published ranks.
Published = pd.Series | pd.DataFrame | Mapping[Any, float]
RuleList = Iterable[RuleLike] | Mapping[str, RuleLike | Published] | None


class RuleRefusedWarning(UserWarning):
    """A rule refuses the table, so its column is empty; the message says why.

    Parameters
    ----------
    message
        The text of the warning.
    rules
        The labels of the rules that refuse, if they are set side by side.
    reason
        Why they do.
    """

    def __init__(self, message: str = "", rules: Iterable[str] = (), reason: str = "") -> None:
        super().__init__(message)
        self.rules = tuple(rules)
        self.reason = reason


def resolve_rules(
    rules: RuleList, offers: frozenset[str] = Leaderboard.provides
) -> dict[str, RuleLike]:
    """Label -> rule."""
    if rules is None:
        return {
            name: name
            for name, rule in RULES.items()
            if not rule.arguments and rule.supports(offers)
        }
    labelled = label_rules(rules)
    for rule in labelled.values():
        BoundRule.bind(rule).check_arguments()
    return labelled


def label_rules(rules: Any) -> dict[str, RuleLike]:
    """Label -> rule as it is given, be it unknown."""
    if not isinstance(rules, Mapping | Sequence):
        rules = as_frame(rules)
    ranks = isinstance(rules, pd.Series) and pd.api.types.is_numeric_dtype(rules)
    if isinstance(rules, str | pd.DataFrame) or callable(rules) or ranks:
        rules = [cast("RuleLike", rules)]
    published = pd.Series | pd.DataFrame
    if isinstance(rules, Mapping):
        listed = {
            label: rule if isinstance(rule, str) or callable(rule) else as_frame(as_series(rule))
            for label, rule in rules.items()
        }
        return {
            label: PublishedRanks.from_ranks(label, value)
            if isinstance(value, published)
            else value
            for label, value in listed.items()
        }
    labelled: dict[str, RuleLike] = {}
    for rule in rules:
        if isinstance(rule, published):
            raise TypeError("published ranks need a label: give rules={'the host': ranks}")
        label = BoundRule.bind(rule).label
        if label in labelled:
            raise ValueError(f"two rules are called {label!r}; give a mapping from label to rule")
        labelled[label] = rule
    return labelled


def drop_published_ranks(rules: RuleList, systems: Iterable[Label]) -> RuleList:
    """Drop the ranks of these systems from the published rankings."""
    if not isinstance(rules, Mapping):
        return rules
    gone = list(systems)
    return {
        label: replace(rule, ranking=rule.ranking[~rule.ranking.index.isin(gone)])
        if isinstance(rule, PublishedRanks)
        else rule
        for label, rule in label_rules(rules).items()
    }


def missing_option(rule: RuleLike, missing: Missing | None) -> dict[str, Any]:
    """Return `missing=` for a rule that takes it and has none yet; nothing for others."""
    return BoundRule.bind(rule).missing_option(missing)


def _apply_rules(
    function: str,
    scores: VotesLike,
    rules: RuleList,
    missing: Missing | None,
    table: TableOptions,
    apply: Callable[[BoundRule, VotesLike, RuleFunction], Any],
) -> tuple[pd.Index, dict[str, Any]]:
    """Apply each rule; return the systems and label -> answer, None with a warning if it fails."""
    check_choice(function, "missing", missing, (None, *get_args(Missing)))
    votes = as_votes(scores, **table)
    # A function is given the source as it came, if it came without options; comparisons that
    # have warned are silent.
    value = votes if names_of_given_options(**table) or isinstance(scores, Votes) else scores
    results: dict[str, Any] = {}
    refusals: dict[str, list[str]] = {}
    labelled = resolve_rules(rules, votes.provides)
    rankers = BoundRule.bind_all(labelled.values(), votes, missing)
    for (label, rule), (bound, rank) in zip(labelled.items(), rankers, strict=True):
        try:
            if isinstance(rank, ValueError):
                raise rank
            results[label] = apply(bound, votes if isinstance(rule, str) else value, rank)
        except (ValueError, RuntimeError) as error:
            results[label] = None
            reason = str(error).removeprefix(f"{bound.label}: ")
            refusals.setdefault(reason, []).append(label)
    for reason, labels in refusals.items():
        text = f"{', '.join(labels)}: left empty; {reason}"
        warn_user(RuleRefusedWarning(text, labels, reason))
    return votes.systems, results


def _ranks_or_none(rule: BoundRule, source: VotesLike, rank: RuleFunction) -> pd.Series | None:
    """Return the ranks; None if the rule ranks no system."""
    ranked, known = rank(source), rule.registered
    nobody = known is not None and known.name == "condorcet" and not ranked["score"].eq(1).any()
    return None if nobody else ranked["rank"]


def _find_winners(rule: BoundRule, source: VotesLike, rank: RuleFunction) -> list[Label]:
    return rule.elect(source) if rule.elects else top_ranked(rank(source))


@register_method("rules side by side", sees="pairs")
def compare(
    scores: VotesLike,
    rules: RuleList = None,
    *,
    missing: Missing | None = None,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How does each system rank under each rule?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rules
        Names or functions of rules, or a mapping from a label to either, for rules with
        arguments; None runs every rule that needs none. A function gets the frame
        itself, or a `Leaderboard` if options are given. In a mapping, a Series of
        ranks by system, such as a host has published, is a column like a rule.
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
    missing
        How a missing score counts for every rule with this option; the others
        refuse the table, with a warning. A rule that has it already, by
        `functools.partial`, keeps its own. None leaves each rule its own default.

    Returns
    -------
    pandas.DataFrame
        A row for each system in table order, a column for each rule: the rank, 1 for the
        best, as a nullable integer. A rule that refuses the table, or gives up at its search
        limit (10 seconds of `kemeny`), is a column of NA, and a `RuleRefusedWarning` says
        why; so is, of more than 4,000 systems, each rule on pairs or in rounds. `condorcet` is
        NA too if no system beats all others: it then ranks no system.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023.

    Examples
    --------
    >>> from functools import partial
    >>> import pandas as pd
    >>> from nbrank import optimality_gap
    >>> scores = pd.DataFrame({"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [1, 3, 2]}, list("ABC"))
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
    >>> published = pd.Series({"A": 1, "B": 2, "C": 3})
    >>> compare(scores, {"the host": published, "ours": "borda"})
       the host  ours
    A         1     2
    B         2     1
    C         3     2
    """
    systems, results = _apply_rules("compare", scores, rules, missing, table, _ranks_or_none)
    columns = {
        label: (pd.Series() if ranks is None else ranks).reindex(systems).astype("Int64")
        for label, ranks in results.items()
    }
    return pd.DataFrame(columns, index=systems)


@register_method("rules side by side", sees="pairs")
def winners(
    scores: VotesLike,
    rules: RuleList = None,
    *,
    missing: Missing | None = None,
    **table: Unpack[TableOptions],
) -> pd.Series:
    """Who wins under each rule?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rules
        As for `compare`.
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
    missing
        How a missing score counts for every rule with this option; the others
        refuse the table, with a warning. A rule that has it already, by
        `functools.partial`, keeps its own. None leaves each rule its own default.

    Returns
    -------
    pandas.Series
        Rule -> list of the winners in table order; empty without any, or where the
        rule refuses the table, as a `RuleRefusedWarning` then says.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.

    References
    ----------
    Rofin et al., Vote'n'Rank, 2023.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [9, 2, 1], "t2": [1, 3, 2], "t3": [1, 3, 3]}, list("ABC"))
    >>> winners(scores, ["mean", "plurality", "condorcet"])
    mean         [A]
    plurality    [B]
    condorcet    [B]
    Name: winners, dtype: object
    """
    systems, each = _apply_rules("winners", scores, rules, missing, table, _find_winners)
    order = {system: position for position, system in enumerate(systems)}
    results = {label: sorted(first or [], key=order.__getitem__) for label, first in each.items()}
    return pd.Series(results, index=list(results), dtype=object, name="winners")


def rank_by_missing_treatment(
    board: Leaderboard, rule: Rule, options: Mapping[str, Any] | None = None
) -> pd.DataFrame:
    """Rank by a rule, with other options of it, under each treatment of missing scores."""
    results = {}
    for how in MISSING_TREATMENTS if "missing" in rule.parameters else ():
        if how != "raise":
            try:
                results[how] = rule.function(board, **{**(options or {}), "missing": how})["rank"]
            except ValueError:
                continue
    return pd.DataFrame(results, index=board.systems)
