"""Data of the picture of a leaderboard: places, ranks by several rules, and rank sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import Missing
from nbrank.comparison.rules_side_by_side import (
    PublishedRanks,
    RuleList,
    drop_published_ranks,
    missing_option,
    resolve_rules,
)
from nbrank.findings.decisive_guesses import find_decisive_guesses
from nbrank.findings.labels import (
    MAX_LABEL_LENGTH,
    DisplayNames,
    agree_pronouns,
    agree_verb,
    join_labels,
    rule_title,
)
from nbrank.findings.strength_estimates import Ratings, choose_rule
from nbrank.findings.unearned_firsts import describe_sparse_firsts, describe_unearned_firsts
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import MAX_PAIRWISE_SYSTEMS, RULES, RuleLike
from nbrank.uncertainty.cell_errors import drop_errors
from nbrank.uncertainty.rank_sets import pair_tests
from nbrank.uncertainty.rules_with_sets import supports_confidence_sets
from nbrank.uncertainty.sampling_design import DrawOptions
from nbrank.votes.base import Votes
from nbrank.votes.formatting import Label, group_values, pluralize
from nbrank.votes.leaderboard import Leaderboard, VotesLike, as_votes
from nbrank.votes.table.data_warnings import find_suspected_lower_is_better
from nbrank.votes.table.name_heuristics import NAMELESS, is_named_like
from nbrank.votes.table.place_detection import looks_like_places
from nbrank.votes.table.reading import FILE_SAYS
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions, names_of_given_options

#: Rules that rank in different ways, the most requested first.
_DEFAULT_RULES = ("borda", "mean", "plurality", "copeland", "minimax", "instant_runoff")
#: Replacements for rules that fail; Kemeny's only for tables small enough to solve at once.
_FALLBACK_RULES = ("kemeny", "schulze", "bradley_terry", "ranked_pairs")
_MAX_KEMENY_SYSTEMS = 12
#: Maximum number of rules in a comparison if the user names none.
MAX_DEFAULT_RULES = 6


@dataclass(frozen=True, eq=False)
class Overview:
    """A leaderboard at a glance.

    Parameters
    ----------
    votes
        The votes that were ranked.
    rule
        The label of the rule that orders the rows.
    ranking
        Its ranking, best first.
    ranks
        The ranks, systems x rules, that rule first; NA if a rule fails, or no system wins.
    first
        The winners by each rule that does not fail, and the first of each published ranking.
    rankings
        The ranking by each of these rules, best first.
    refused
        Why each of the others fails.
    places
        The places on the tasks, systems x tasks, ties averaged, NaN for missing scores; None for
        votes without tasks.
    rank_sets
        The ranks that each system may have; None if the rule has no sets, or not yet.
    best
        The systems that may be best, by `nbrank.best_set`; None without rank sets.
    ratings
        The strengths of systems that were compared in pairs; None for others, or not yet.
    unscored
        The systems without a single score, which are left out of all this.
    published
        The labels of published rankings, which are not rules.
    """

    votes: Votes
    rule: str
    ranking: pd.DataFrame
    ranks: pd.DataFrame
    winners: Mapping[str, tuple[Label, ...]]
    rankings: Mapping[str, pd.DataFrame]
    errors: Mapping[str, Exception]
    places: pd.DataFrame | None = None
    rank_sets: pd.DataFrame | None = None
    best: pd.DataFrame | None = None
    ratings: Ratings | None = None
    unscored: tuple[Label, ...] = ()
    published: frozenset[str] = frozenset()

    @cached_property
    def unearned_firsts(self) -> list[str]:
        """The systems that are first only because scores are missing, in sentences."""
        if not isinstance(self.votes, Leaderboard) or self.places is None:
            return []
        if not pairs_fit(self.votes):
            return []
        return describe_unearned_firsts(self.votes, self.places, self.first_by_rule)

    @cached_property
    def sparse_firsts(self) -> list[str]:
        """The systems that are first with at most half of the scores, in a sentence or none."""
        if not isinstance(self.votes, Leaderboard) or self.places is None:
            return []
        return describe_sparse_firsts(self.votes, self.places, self.first_by_rule)

    @cached_property
    def decisive_guesses(self) -> list[Label]:
        """The tasks on which higher is taken as better, and on which the winner hangs."""
        board = self.votes
        found = isinstance(board, Leaderboard) and find_decisive_guesses(board, self.first_by_rule)
        return found or []

    @property
    def non_unique_rules(self) -> list[str]:
        """The labels of Kemeny's rule if its ranks are of one of several best orders."""
        return [
            label
            for label, ranking in self.rankings.items()
            if label in self.ranks and ranking.attrs.get("rule") == "kemeny"
            if ranking.attrs["unique"] is False  # None if unknown
        ]

    def with_confidence(
        self,
        rule: RuleLike,
        seed: int | None = 0,
        delta: float = 0.05,
        errors: pd.DataFrame | None = None,
        missing: Missing | None = None,
    ) -> Overview:
        """Add the systems that may be best and the rank sets, if the rule has any."""
        errors = drop_errors(errors, self.unscored)
        known = BoundRule.bind(rule).registered
        has_sets = errors is not None or (known is not None and supports_confidence_sets(known))
        if not (has_sets and pairs_fit(self.votes)):
            return self
        draws = DrawOptions("rank_confidence", errors=errors, seed=seed)
        draws.make_rng()
        try:
            tested = pair_tests(self.votes, rule, draws, **missing_option(rule, missing))
        except ValueError:
            if errors is not None:
                raise
            # The rule has ranked these votes, so only its sets fail, for lack of data.
            return self
        sets, best = tested.frame(delta, joint=True), tested.best_frame(delta)
        return replace(self, rank_sets=sets, best=best)

    @cached_property
    def first_by_rule(self) -> dict[str, tuple[Label, ...]]:
        """The winners by each rule, without published rankings."""
        return {label: won for label, won in self.winners.items() if label not in self.published}

    def of_given(self) -> list[str]:
        """Say who is first in the published rankings, and that these don't count as rules."""
        values = [label for label in self.ranks if label in self.published]
        names = DisplayNames.from_labels(self.votes.systems if values else ())
        return [
            f"“{rule_title(label)}” is a ranking that is given, not one of the rules: "
            f"{names.join(self.winners[label], 3) or 'no system of the table'} "
            f"{agree_verb('is', len(self.winners[label]))} first there"
            for label in values
        ]

    def left_out(self) -> str:
        """Name the systems that are left out; empty if all are ranked."""
        if not self.unscored:
            return ""
        who = DisplayNames.from_labels(self.unscored).join(self.unscored, 8)
        return f"{who} {agree_verb('is', len(self.unscored))} left out, without a single score"

    def asides(self) -> list[str]:
        """Name the systems that are left out, and the published rankings."""
        return [*filter(None, [self.left_out()]), *self.of_given()]

    def reasons(self) -> dict[str, list[str]]:
        """Return why rules fail: each reason with the rules that share it."""
        rules: dict[str, list[str]] = {}
        for rule, error in self.errors.items():
            rules.setdefault(error_reason(rule, error), []).append(rule)
        return rules


def compute_overview(
    scores: VotesLike,
    rule: RuleLike | None = "borda",
    rules: RuleList = None,
    *,
    missing: Missing | None = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Overview:
    """Rank by one rule and by several others; `rank_sets` show how sure the first ranking is.

    No rule is the usual one.
    """
    options = names_of_given_options(**table)
    options += ["cluster"] * (cluster is not None)
    if isinstance(scores, Votes) and scores.silent and not options:
        whole = scores
    else:
        whole = as_votes(scores, "", cluster, **table)
    votes = whole.drop_unscored()
    unscored = () if votes is whole else tuple(whole.unscored)
    rule = choose_rule(votes) if rule is None else rule
    # A user's own function gets the frame unchanged, as in `compare`.
    value = votes if options or isinstance(scores, Votes) else scores
    if unscored:
        value, rules = drop_systems(value, votes), drop_published_ranks(rules, unscored)

    main = rule if isinstance(rule, str) else BoundRule.bind(rule).label
    if not isinstance(rule, str):
        BoundRule.bind(rule).check_arguments()
    others = resolve_rules(default_rules(votes) if rules is None else rules, votes.provides)
    if isinstance(rule, str):  # The name may be a label that the user gave one of the rules.
        if rule not in others:
            BoundRule.bind(rule).check_arguments()
        rule = others.get(rule, rule)
    compute_outcome = partial(_compute_outcome, votes, value, missing, not pairs_fit(votes))
    result = {main: compute_outcome(rule)}
    refused = dict[str, Exception]()
    most = MAX_DEFAULT_RULES if rules is None else len(others) + 1
    for label, other in others.items():
        if label != main and len(result) < most:
            try:
                result[label] = compute_outcome(other)
            except (ValueError, RuntimeError) as error:
                refused[label] = error
    shown = dict.fromkeys([main, *(others if rules is not None else result)])
    ranks = {label: _ranks_in_table_order(votes, *result.get(label, (None, []))) for label in shown}
    return Overview(
        votes,
        main,
        result[main][0],
        pd.DataFrame(ranks, index=votes.systems),
        {label: tuple(won) for label, (_, won) in result.items()},
        {label: ranking for label, (ranking, _) in result.items()},
        refused,
        task_places(votes) if isinstance(votes, Leaderboard) else None,
        unscored=unscored,
        published=frozenset(
            name for name in result if isinstance(others.get(name), PublishedRanks)
        ),
    )


def _compute_outcome(
    votes: Votes, scores: VotesLike, missing: Missing | None, is_large: bool, rule: RuleLike
) -> tuple[pd.DataFrame, list[Label]]:
    """Return the ranking by a rule, and its winners; a function of one's own gets the scores."""
    options = {} if missing is None else missing_option(rule, missing)
    bound = BoundRule.bind(rule, **options)
    # Comparisons are exempt, because their pairs are counted already.
    if is_large and bound.registered is not None:
        bound.registered.check_size(len(votes.systems))
    named = isinstance(rule, str)
    return bound.rank_and_elect(votes if named else scores, quickly=named)


def drop_systems(scores: VotesLike, votes: Votes) -> VotesLike:
    """Select the rows of a frame that are about the systems of these votes."""
    if not isinstance(scores, pd.DataFrame):
        return votes
    several = isinstance(scores.index, pd.MultiIndex) and "system" in scores.index.names
    systems = scores.index.get_level_values("system") if several else scores.index
    return scores[systems.isin(votes.systems)]


def pairs_fit(votes: Votes) -> bool:
    """Return whether comparisons of all pairs of systems fit into time and memory."""
    return len(votes.systems) <= MAX_PAIRWISE_SYSTEMS or not votes.has_scores


def without_pairs(votes: Votes) -> str:
    """Say that comparisons of all pairs of systems are left out; empty if they are not."""
    if pairs_fit(votes):
        return ""
    return (
        f"rank sets and pairwise comparisons are left out beyond {MAX_PAIRWISE_SYSTEMS:,} systems"
    )


def error_reason(rule: RuleLike, error: Exception) -> str:
    """Return the reason, without the rule's name before it."""
    return str(error).removeprefix(f"{BoundRule.bind(rule).label}: ")


def default_rules(votes: Votes) -> list[str]:
    """List rules that rank such votes in different ways, the most requested first."""
    instead = _FALLBACK_RULES if len(votes.systems) <= _MAX_KEMENY_SYSTEMS else _FALLBACK_RULES[1:]
    results = [name for name in (*_DEFAULT_RULES, *instead) if RULES[name].supports(votes.provides)]
    return sorted(results, key=lambda name: name != votes.default_rule)


def _ranks_in_table_order(votes: Votes, ranked: pd.DataFrame | None, winners: list[Label]) -> Any:
    """Return the ranks in table order; NA where the rule fails or no system wins."""
    ranks = np.full(len(votes.systems), np.nan)
    if ranked is not None and winners:
        rows = votes.systems.get_indexer(ranked.index)
        ranks[rows[rows >= 0]] = ranked["rank"].to_numpy(float, na_value=np.nan)[rows >= 0]
    return pd.array(ranks, "Int64")


def task_noun(board: Leaderboard) -> str:
    """Name the columns of a board: tasks, or ballots."""
    return "ballot" if board.tasks.name == "ballot" else "task"


def task_names(board: Leaderboard, max_letters: int = MAX_LABEL_LENGTH) -> DisplayNames:
    """Name a board's tasks for a sentence, with at most `max_letters` letters in brief."""
    if task_noun(board) == "task":
        return DisplayNames.from_labels(board.tasks, max_letters)
    called = {number: f"ballot {number}" for number in board.tasks}
    return DisplayNames(called, called)


def describe_tasks(board: Leaderboard) -> str:
    """Count the tasks, and say which scores are taken as better, even against their names."""
    n = len(board.tasks)
    if task_noun(board) == "ballot":
        return _describe_ballots(n, int(board.voter_counts.sum()))
    counting = set(board.tasks[board.weights > 0])
    text = pluralize(len(counting), "task")
    reading = board.reading
    score = None if reading is None else reading.frame_attrs.get("score")
    if score is not None and not is_named_like(score, NAMELESS):
        text += f" by {score}"
    if board.replicates is not None:
        text += f", averages of {board.replicates}"
    if board.is_instance_level:
        text += f", {board.sample_size}"
    if board.averaged is not None:
        text += f", averages of {board.averaged}"
    if board.groups is not None:
        groups = sum(not counting.isdisjoint(tasks) for tasks in board.groups.values())
        text += f" in {pluralize(groups, 'group')}"
    if len(counting) < n:
        text += f" (and {pluralize(n - len(counting), 'task')} of weight 0)"
    return f"{text}, {describe_directions(board)}{_describe_doubts(board)}"


def _describe_ballots(n: int, voters: int) -> str:
    if voters > n:
        return f"{n} kinds of ballot by {voters:,} voters"
    return pluralize(n, "ballot")


def _describe_doubts(board: Leaderboard) -> str:
    """Say what speaks against the directions of a table; a file's reading has its own doubts."""
    if board.reading is not None:
        return ""
    if doubtful := find_suspected_lower_is_better(board):
        return (
            f", though {join_labels(doubtful, 3)} {agree_verb('sounds', len(doubtful))} otherwise"
        )
    if looks_like_places(board):
        return ", though the scores look like places, where 1 is best"
    return ""


def task_places(board: Leaderboard) -> pd.DataFrame:
    """Return the place of each system on each task, ties averaged; on instances by their mean."""
    signs = np.where(board.is_lower_better, -1.0, 1.0)
    return board.task_scores().mul(signs, axis=1).rank(ascending=False)


def describe_assumed(assumed: Sequence[Label], n: int) -> str:
    """Say for which of some tasks higher is only assumed to be better."""
    if len(assumed) == n:
        return "assumed"
    some = join_labels(assumed, 6) if len(assumed) <= 6 else f"{len(assumed)} of them"
    return f"assumed for {some}"


def describe_directions(board: Leaderboard) -> str:
    """Say which way the scores of a file were read, why, and which are doubtful."""
    reading = board.reading
    rows = {} if reading is None else {row.column: row for row in reading.directed}
    counting = board.weights > 0
    lower = {
        task: getattr(rows.get(task), "why", "")
        for task in board.tasks[board.is_lower_better & counting]
    }
    kinds = group_values((why.partition(",")[0], task) for task, why in lower.items())
    reasons = {"you": "as you say", FILE_SAYS: "as the file says", "": ""}
    by = {why: reasons.get(why, f"by {agree_pronouns(why, len(tasks))}")
          for why, tasks in kinds.items()}  # fmt: skip
    parts = [f"{join_labels(tasks, 3)}" + f" ({by[why]})" * bool(by[why])
             for why, tasks in kinds.items()]  # fmt: skip
    n = int(counting.sum())
    found = {} if reading is None else reading.doubts
    assumed = [] if reading is None else [
        task for task in reading.assumed if task in {*board.tasks[counting]} - {*found}
    ]  # fmt: skip
    guess = f" ({describe_assumed(assumed, n - len(lower))})" * bool(assumed)
    if not lower:
        text = "higher is better" + " on all" * (n > 1) + guess
    elif len(lower) == n:
        reason = next((f" ({text})" for text in by.values() if text), "")
        text = "lower is better" + " on all" * (n > 1) + reason * (len(kinds) == 1)
    else:
        text = f"lower is better on {' and on '.join(parts)}, higher on all others{guess}"
    doubts = group_values((doubt.partition(": ")[0], task) for task, doubt in found.items())
    for doubt, tasks in doubts.items():
        named = [task if task != "" else "the column without a name" for task in tasks]
        text += f"; doubtful on {join_labels(named, 3)}: {agree_pronouns(doubt, len(named))}"
    return text
