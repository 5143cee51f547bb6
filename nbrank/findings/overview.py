"""What a picture of a whole leaderboard shows: places, ranks by several rules, and rank sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd

from nbrank.arrays.profile import Missing
from nbrank.findings.how_strong import Ratings, usual_rule
from nbrank.findings.names import BRIEF, Names, in_words, listed, verb
from nbrank.questions.compare import (
    PublishedRanks,
    RuleList,
    drop_published_ranks,
    labelled_rules,
    told_of_missing,
)
from nbrank.questions.rank_confidence import has_confidence_sets, rank_confidence
from nbrank.rules.rule import (
    MOST_SYSTEMS,
    RULES,
    RuleLike,
    check_arguments,
    elected,
    first_ranked,
    label_of,
    outcome,
    rule_named,
    rule_of,
)
from nbrank.votes.doubts import are_places, sounding_lower
from nbrank.votes.leaderboard import Leaderboard, Source, as_votes
from nbrank.votes.naming import Label, counted
from nbrank.votes.options import generator
from nbrank.votes.task_names import Groups, LowerIsBetter, Weights, given_options
from nbrank.votes.votes import Votes

#: Rules that look at a table in different ways, those asked for most first.
_SUITABLE = ("borda", "mean", "plurality", "copeland", "minimax", "instant_runoff")
#: Where some of those refuse: an exact order where it is found at once, or else what comes next.
_INSTEAD = ("kemeny", "schulze", "bradley_terry", "ranked_pairs")
_FEW = 12
#: So many rules side by side, where nobody names them.
MOST = 6


@dataclass(frozen=True, eq=False)
class Overview:
    """What is known of a leaderboard at a glance.

    Parameters
    ----------
    votes
        What was ranked.
    rule
        The label of the rule that orders the rows.
    ranking
        Its ranking, best first.
    ranks
        The ranks, systems x rules, that rule first; NA where a rule refuses, or nobody wins.
    first
        For each rule that does not refuse, who wins; and who heads each ranking that is given.
    rankings
        The ranking by each of these rules, best first.
    refused
        Why each of the others refuses.
    places
        The places on the tasks, systems x tasks, ties averaged, NaN where there is no score; None
        of what has no tasks.
    sets
        The ranks that each system may have; None where there are none, or not yet.
    ratings
        How strong systems are that were compared in pairs; None of others, or not yet.
    unscored
        The systems without a single score, which are left out of all this.
    published
        The labels of rankings that are given beside the rules, and are none.
    """

    votes: Votes
    rule: str
    ranking: pd.DataFrame
    ranks: pd.DataFrame
    first: Mapping[str, tuple[Label, ...]]
    rankings: Mapping[str, pd.DataFrame]
    refused: Mapping[str, Exception]
    places: pd.DataFrame | None = None
    sets: pd.DataFrame | None = None
    ratings: Ratings | None = None
    unscored: tuple[Label, ...] = ()
    published: frozenset[str] = frozenset()

    @cached_property
    def first_by_rule(self) -> dict[str, tuple[Label, ...]]:
        """Who wins by each rule; a ranking that is given is not one."""
        return {label: won for label, won in self.first.items() if label not in self.published}

    def of_given(self) -> list[str]:
        """Say who is first in the rankings that are given, and that they don't count as rules."""
        given = [label for label in self.ranks if label in self.published]
        names = Names.of(self.votes.systems if given else ())
        return [
            f"“{in_words(label)}” is a ranking that is given, not one of the rules: "
            f"{names.listed(self.first[label], 3) or 'no system of the table'} "
            f"{verb('is', len(self.first[label]))} first there"
            for label in given
        ]

    def left_out(self) -> str:
        """Name the systems that are left out; empty if there are none."""
        if not self.unscored:
            return ""
        who = Names.of(self.unscored).listed(self.unscored, 8)
        return f"{who} {verb('is', len(self.unscored))} left out, without a single score"

    def asides(self) -> list[str]:
        """Name the systems that are left out, and the rankings that are given."""
        return [*filter(None, [self.left_out()]), *self.of_given()]

    def reasons(self) -> dict[str, list[str]]:
        """Return why rules refuse: each reason with the rules that share it."""
        rules: dict[str, list[str]] = {}
        for rule, error in self.refused.items():
            rules.setdefault(why_refused(rule, error), []).append(rule)
        return rules


def overview(
    scores: Source,
    rule: RuleLike | None = "borda",
    rules: RuleList = None,
    *,
    missing: Missing | None = None,
    weights: Weights = None,
    groups: Groups = None,
    lower_is_better: LowerIsBetter = (),
) -> Overview:
    """Rank by one rule and by several others; `rank_sets` says how sure the first ranking is.

    No rule is the usual one.
    """
    options = given_options(weights, groups, lower_is_better)
    if isinstance(scores, Votes) and scores.silent and not options:
        whole = scores
    else:
        whole = as_votes(scores, weights=weights, groups=groups, lower_is_better=lower_is_better)
    votes = whole.drop_unscored()
    unscored = () if votes is whole else tuple(whole.unscored)
    rule = usual_rule(votes) if rule is None else rule
    # A function of somebody else's is given the frame as it came, as `compare` does.
    given = votes if options or isinstance(scores, Votes) else scores
    if unscored:
        given, rules = drop_systems(given, votes), drop_published_ranks(rules, unscored)

    def outcome_of(one: RuleLike) -> tuple[pd.DataFrame, list[Label]]:
        # Of comparisons all pairs are counted already.
        if not pairs_fit(votes) and (ours := rule_of(one)) is not None:
            ours.check_size(len(votes.systems))
        options = {} if missing is None else told_of_missing(one, missing)
        if not isinstance(one, str):
            return outcome(partial(one, **options) if options else one, given)
        known = RULES.get(one) or rule_named(one)
        ranked = (known.side_by_side or known.function)(votes, **options)
        won = first_ranked(ranked) if known.elect is None else elected(one, votes, **options)
        return ranked, won

    main = label_of(rule)
    if not isinstance(rule, str):
        check_arguments(rule)
    others = labelled_rules(suitable(votes) if rules is None else rules, votes.offers)
    if isinstance(rule, str):  # It may be one of those that somebody gave a label.
        if rule not in others:
            check_arguments(rule)
        rule = others.get(rule, rule)
    found = {main: outcome_of(rule)}
    refused = dict[str, Exception]()
    for label, other in others.items():
        if label == main or (rules is None and len(found) == MOST):
            continue
        try:
            found[label] = outcome_of(other)
        except (ValueError, RuntimeError) as error:
            refused[label] = error
    shown = dict.fromkeys([main, *(others if rules is not None else found)])
    ranks = {label: _ranks(votes, *found.get(label, (None, []))) for label in shown}
    return Overview(
        votes,
        main,
        found[main][0],
        pd.DataFrame(ranks, index=votes.systems),
        {label: tuple(won) for label, (_, won) in found.items()},
        {label: ranking for label, (ranking, _) in found.items()},
        refused,
        task_places(votes) if isinstance(votes, Leaderboard) else None,
        unscored=unscored,
        published=frozenset(one for one in found if isinstance(others.get(one), PublishedRanks)),
    )


def drop_systems(scores: Source, votes: Votes) -> Source:
    """Select the rows of a frame that are about the systems of these votes."""
    if not isinstance(scores, pd.DataFrame):
        return votes
    several = isinstance(scores.index, pd.MultiIndex) and "system" in scores.index.names
    systems = scores.index.get_level_values("system") if several else scores.index
    return scores[systems.isin(votes.systems)]


def drop_errors(errors: pd.DataFrame | None, unscored: Iterable[Label]) -> pd.DataFrame | None:
    """Drop the standard errors of systems that are left out."""
    if not isinstance(errors, pd.DataFrame):
        return errors
    return errors[~errors.index.isin(list(unscored))]


def pairs_fit(votes: Votes) -> bool:
    """Return whether what compares all pairs of systems fits into time and memory."""
    return len(votes.systems) <= MOST_SYSTEMS or "ballots" not in votes.offers


def without_pairs(votes: Votes) -> str:
    """Say that what compares all pairs of systems is left out; empty if it is not."""
    if pairs_fit(votes):
        return ""
    return f"rank sets and pairwise comparisons are left out beyond {MOST_SYSTEMS:,} systems"


def why_refused(rule: RuleLike, error: Exception) -> str:
    """The reason, without the rule's name before it."""
    return str(error).removeprefix(f"{label_of(rule)}: ")


def suitable(votes: Votes) -> list[str]:
    """Rules that look at such a source in different ways, those asked for most first."""
    instead = _INSTEAD if len(votes.systems) <= _FEW else _INSTEAD[1:]
    found = [name for name in (*_SUITABLE, *instead) if RULES[name].takes(votes.offers)]
    # Of comparisons one expects ratings first.
    return sorted(found, key=lambda name: "sequence" in votes.offers and name != "bradley_terry")


def _ranks(votes: Votes, ranked: pd.DataFrame | None, won: list[Label]) -> pd.Series:
    """The ranks in table order; NA where the rule refuses, or where nobody wins."""
    if ranked is None or not won:
        return pd.Series(pd.NA, index=votes.systems, dtype="Int64")
    return ranked["rank"].reindex(votes.systems).astype("Int64")


def rank_sets(
    votes: Votes,
    rule: RuleLike,
    seed: int | None = 0,
    delta: float = 0.05,
    errors: pd.DataFrame | None = None,
    missing: Missing | None = None,
) -> pd.DataFrame | None:
    """The ranks that each system may have, or None where the rule has no such sets.

    Nor are there any of so many systems that their pairs do not fit (`without_pairs`).
    """
    if not pairs_fit(votes):
        return None
    options = told_of_missing(rule, missing)
    if errors is not None:
        return rank_confidence(votes, rule, delta, seed=seed, errors=errors, **options)
    known = rule_of(rule)
    if known is None or not has_confidence_sets(known):
        return None
    generator("rank_confidence", seed)
    try:
        return rank_confidence(votes, rule, delta, seed=seed, **options)
    except ValueError:
        # The rule has ranked them: it is only its sets that need more than there is.
        return None


def one_of_several_orders(seen: Overview) -> list[str]:
    """The labels of Kemeny's rule, where its ranks are those of one of several best orders."""
    return [
        label
        for label, ranking in seen.rankings.items()
        if label in seen.ranks and ranking.attrs.get("rule") == "kemeny"
        if ranking.attrs["unique"] is False  # None where nobody knows
    ]


def too_few(sets: pd.DataFrame | None) -> str:
    """What is drawn, where so little of it can tell nothing apart; else nothing."""
    if sets is None or "note" not in sets.attrs:
        return ""
    return f"{drawn_from(sets)} {verb('is', sets.attrs['n'])} too few"


def drawn_from(sets: pd.DataFrame) -> str:
    """What rank sets take as a sample, and how many of them."""
    what = draws_of(sets)
    return counted(sets.attrs["n"], what.removesuffix("s")) if "n" in sets.attrs else what


def draws_of(sets: pd.DataFrame) -> str:
    """What rank sets take as a sample: tasks, groups, voters, comparisons and so on."""
    drawn: str = sets.attrs.get("draws", sets.attrs.get("over", "comparisons"))
    # Clusters of instances have the name that the rows give them: passages, users and so on.
    return f"{sets.attrs['cluster']}s" if "cluster" in sets.attrs else drawn


def over_what(sets: pd.DataFrame, votes: Votes | None = None) -> str:
    """Name what the confidence of rank sets is about: tasks, runs, errors, instances, clusters."""
    runs = getattr(votes, "replicates", None)
    measured = "errors of the scores" if votes is not None and runs is None else "runs"
    if runs is not None:
        measured = f"{runs.level}s"
    clusters = "clusters"
    if votes is not None:
        clusters += " of comparisons" if "sequence" in votes.offers else " of instances"
    draws = draws_of(sets).replace("groups", "groups of tasks")
    names = {
        "errors": "the standard errors of the scores",
        "seeds": measured,
        "both": f"{draws} and {measured}",
        "clusters": draws if "cluster" in sets.attrs else clusters,
    }
    return names.get(str(sets.attrs.get("over")), draws)


def how_else(sets: pd.DataFrame, votes: Votes | None = None) -> str:
    """Say under which other circumstances the ranks might be others, by these rank sets."""
    over = over_what(sets, votes)
    return f"within {over}" if over.startswith("the ") else f"with other {over} like these"


def task_of(board: Leaderboard) -> str:
    """What its columns are in a sentence: tasks, or ballots."""
    return "ballot" if board.tasks.name == "ballot" else "task"


def task_names(board: Leaderboard, most: int = BRIEF) -> Names:
    """What its tasks are called in a sentence, with so many letters at most in brief."""
    if task_of(board) == "task":
        return Names.of(board.tasks, most)
    called = {number: f"ballot {number}" for number in board.tasks}
    return Names(called, called)


def tasks_of(board: Leaderboard) -> str:
    """How many tasks, and which scores are taken as the better ones, also where names deny it."""
    lower, n = list(board.lower_is_better), len(board.tasks)
    if task_of(board) == "ballot":
        voters = int(board.counts.sum())
        kinds = f" by {voters:,} voters" if voters > n else ""
        return f"{n} {'kinds of ' * bool(kinds)}ballot{'s' * (not kinds and n > 1)}{kinds}"
    counting = set(board.tasks[board.weights > 0])
    said = counted(len(counting), "task")
    if board.replicates is not None:
        said += f", averages of {board.replicates}"
    if board.clusters is not None:
        said += f", {board.sample_size}"
    if board.averaged is not None:
        said += f", averages of {board.averaged}"
    if board.groups is not None:
        groups = sum(not counting.isdisjoint(tasks) for tasks in board.groups.values())
        said += f" in {counted(groups, 'group')}"
    if len(counting) < n:
        said += f" (and {counted(n - len(counting), 'task')} of weight 0)"
    if lower and len(lower) < n:
        said += f", lower is better on {listed(lower, 3)}, higher on all others"
    else:
        said += f", {'lower' if lower else 'higher'} is better" + " on all" * (n > 1)
    if doubtful := sounding_lower(board):
        said += f", though {listed(doubtful, 3)} {verb('sounds', len(doubtful))} otherwise"
    elif are_places(board):
        said += ", though the scores look like places, of which 1 is best"
    return said


def task_scores(board: Leaderboard) -> pd.DataFrame:
    """The score of each system on each task; of instances their mean."""
    if not board.is_instance_level:
        return board.scores
    return board.scores.groupby(level="system", sort=False).mean().reindex(board.systems)


def task_places(board: Leaderboard) -> pd.DataFrame:
    """The place of each system on each task, ties averaged; on instances by their mean."""
    signs = np.where(board.lower, -1.0, 1.0)
    return task_scores(board).mul(signs, axis=1).rank(ascending=False)
