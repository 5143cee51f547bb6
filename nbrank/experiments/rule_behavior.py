"""Properties of rules on a table: stability, decisiveness, dispersion."""

from __future__ import annotations

import itertools
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays import rank_correlation as arrays
from nbrank.arrays.ballots.pairwise_counts import PairwiseCounts, count_pairs
from nbrank.arrays.ballots.profile import Profile
from nbrank.arrays.typing import Positions
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.experiments import runner
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.progress import progress_bar
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.task_options import TableOptions

#: Counts of changes as systems enter one by one.
_COUNTS = ("first_two", "all_earlier", "released_code")


@spell_out_options
def independence_of_irrelevant_alternatives(
    scores: pd.DataFrame | Leaderboard,
    rules: RuleList,
    *,
    n_repeats: int = 50,
    seed: int = 0,
    **table: Unpack[TableOptions],
) -> pd.DataFrame:
    """How often does a new system change the order of those that were there before?

    The systems enter in random order: two at first, then one after the other. At each addition the
    ranking without the newcomer is compared with the one before. Rofin et al. (2023), Vote'n'Rank,
    section 3.1 and table 2, describe `first_two`, and report `released_code`.

    Parameters
    ----------
    scores, rules, weights, groups, lower_is_better
        As for `remove_scores`, but no function that draws scores; at least three systems.
    n_repeats, seed
        How many random orders to go through, and a whole number from which they come.

    Returns
    -------
    pandas.DataFrame
        A row for each `rule` and `repetition`, with the columns `additions` (how many systems were
        added to the first two), `first_two` (at how many additions the order of the first two
        changed), `all_earlier` (at how many that of any two that were there before) and
        `released_code` (the same with tied systems in the reverse order of their names, and without
        the last addition, as the paper's published code counts). They are NA where a rule refuses a
        table; a `RuleRefusedWarning` says so.

    Raises
    ------
    TypeError, ValueError
        As `remove_scores`; also if there are fewer than three systems.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> rules = ["borda", "plurality"]
    >>> independence_of_irrelevant_alternatives(load_toy_votes(), rules, n_repeats=1, seed=4)
            rule  repetition  additions  first_two  all_earlier  released_code
    0      borda           0          2          0            0              0
    1  plurality           0          2          1            2              1
    """
    board = as_leaderboard(scores, **table)
    study = runner.Experiment.from_options(board, rules, n_repeats, seed, None, {})
    if len(board.systems) < 3:
        raise ValueError("at least three systems are needed: two, and one that is added")
    name_order = np.unique([str(system) for system in board.systems], return_inverse=True)[1]
    rows: dict[str, list[dict[str, Any]]] = {label: [] for label in study.rules}
    refusals = runner.RuleFailures(study.rules)
    with progress_bar(total=study.n * len(study.rules), unit=" rankings") as bar:
        for repetition, (_, random) in enumerate(study.iter_repetitions()):
            order = random.permutation(len(board.systems))
            entered = board.systems[order]
            boards = [board.select_systems(entered[:size]) for size in range(2, len(order) + 1)]
            for label, rule in study.rules.items():
                results = refusals.try_rule(
                    label, _count_order_changes, rule, boards, name_order[order]
                )
                head = {"rule": label, "repetition": repetition, "additions": len(order) - 2}
                rows[label].append(head | (results or dict.fromkeys(_COUNTS, pd.NA)))
                bar.update()
    refusals.warn(study.n)
    counts = pd.DataFrame(list(itertools.chain(*rows.values())))
    return counts.astype(dict.fromkeys(_COUNTS, "Int64"))


def _count_order_changes(
    rule: runner.Ranker, boards: list[Leaderboard], names: Positions
) -> dict[str, Any]:
    """Count how often a newcomer changed the order of those before, in each way of counting."""
    results = dict.fromkeys(_COUNTS, 0)
    ranks = [runner.ranks_in_table_order(rule, board) for board in boards]
    for before, after in itertools.pairwise(ranks):
        earlier, tie_break = after[:-1], -names[: len(before)]
        changed = {
            "first_two": np.sign(before[0] - before[1]) != np.sign(earlier[0] - earlier[1]),
            "all_earlier": (arrays.ranks_from_top(before) != arrays.ranks_from_top(earlier)).any(),
            # The code goes no further than to the last but one.
            "released_code": len(after) < len(names)
            and (np.lexsort((tie_break, before)) != np.lexsort((tie_break, earlier))).any(),
        }
        results = {name: results[name] + bool(changed[name]) for name in _COUNTS}
    return results


@spell_out_options
def discriminative_power(
    scores: pd.DataFrame | Leaderboard, rules: RuleList, **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """How many systems does each rule fail to tell apart?

    After Brandt and Seedig (2014), On the discriminative power of tournament solutions, and Rofin
    et al. (2023), Vote'n'Rank, table 2.

    Parameters
    ----------
    scores, rules, weights, groups, lower_is_better
        As for `remove_scores`, but no function that draws scores.

    Returns
    -------
    pandas.DataFrame
        A row for each `rule`, with the columns `systems` (how many were ranked), `distinct` (how
        many different ranks they got), `discriminative_power` (`systems` minus `distinct`, which
        the paper prints under this name: 0 if the rule ties no systems, and the lower the better)
        and `tied` (how many share their rank with another: the paper's text). They are NA where a
        rule refuses the table; a `RuleRefusedWarning` says why.

    Raises
    ------
    TypeError, ValueError
        If the scores are not numbers, options are given with a Leaderboard, or a rule is unknown.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> discriminative_power(load_toy_votes(), ["plurality", "copeland", "mean"])
            rule  systems  distinct  discriminative_power  tied
    0  plurality        4         2                     2     3
    1   copeland        4         4                     0     0
    2       mean        4         4                     0     0
    """
    board = as_leaderboard(scores, **table)
    called = runner.resolve_rule_functions(rules)
    rows: list[dict[str, Any]] = []
    refusals = runner.RuleFailures(called)
    for label, rule in called.items():
        row: dict[str, Any] = {"rule": label, "systems": len(board.systems)}
        ranked = refusals.try_rule(label, rule, board)
        if ranked is not None:
            sizes = ranked["rank"].value_counts()
            row["distinct"] = len(sizes)
            row["discriminative_power"] = len(board.systems) - len(sizes)
            row["tied"] = int(sizes[sizes > 1].sum())
        rows.append(row)
    refusals.warn(1)
    columns = ["rule", "systems", "distinct", "discriminative_power", "tied"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:], "Int64"))


@spell_out_options
def dispersion(
    scores: pd.DataFrame | Leaderboard, rules: RuleList = ("borda",), **table: Unpack[TableOptions]
) -> pd.DataFrame:
    """How far do the tasks disagree, with each other and with the ranking that a rule makes?

    After Colombo et al. (2022), What are the best systems?, appendix C.

    Parameters
    ----------
    scores, rules, weights, groups, lower_is_better
        As for `remove_scores`, but no function that draws scores. Every instance stands for itself,
        like a task; tasks of weight 0 do not count.

    Returns
    -------
    pandas.DataFrame
        A row for the tasks among themselves and for each rule, with the columns `between` ("tasks"
        in the first row, then the label of the rule), `distance` (the mean Kendall distance: how
        many pairs of systems are ordered differently, a pair tied in one of the two counting half;
        in the first row of two tasks, by the product of their weights) and `share` (the distance
        over the number of pairs: 0 where all agree, 1 where a ranking is reversed; with missing
        scores, of the pairs with a score on both sides, and `distance` scales this to all pairs).
        NaN if there is nothing to compare, or a rule refuses the table.

    Raises
    ------
    TypeError, ValueError
        If the scores are not numbers, options are given with a Leaderboard, or a rule is unknown.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> dispersion(load_toy_votes(), ["borda", "mean"]).round(3)
      between  distance  share
    0   tasks       3.6    0.6
    1   borda       2.4    0.4
    2    mean       2.4    0.4
    """
    board = as_leaderboard(scores, **table)
    profile = board.expand_voters(each=True).profile()
    counts = count_pairs(profile)
    rows = [("tasks", mean_pairwise_disagreement(profile, counts))]
    called = runner.resolve_rule_functions(rules)
    refusals = runner.RuleFailures(called)
    for label, rule in called.items():
        ranks = refusals.try_rule(label, runner.ranks_in_table_order, rule, board)
        rows.append((label, np.nan if ranks is None else disagreement_from_ranking(counts, ranks)))
    refusals.warn(1)
    pairs = len(board.systems) * (len(board.systems) - 1) / 2
    return pd.DataFrame(
        [(label, share * pairs, share) for label, share in rows],
        columns=["between", "distance", "share"],
    )


# Shares of disagreement: take two ballots (or one, and the consensus) by their weights and two
# systems that can be compared there; how likely are they ordered differently, a pair tied in
# exactly one of the two rankings counting half? NaN if nothing can be compared.


def mean_pairwise_disagreement(profile: Profile, counts: PairwiseCounts) -> float:
    """Compare every two different ballots, on every pair of systems scored on both."""
    # The pairs of ballots need not be gone through: those that disagree about two systems are one
    # that has the first above and one that has the second above, so their weight is a product of
    # two pairwise counts. This costs as much as counting does, where the double sum over ballots
    # would cost that times their number.
    pairs = np.triu_indices(len(counts.wins), 1)
    above, below, tied = counts.wins[pairs], counts.wins.T[pairs], counts.ties[pairs]
    disagreeing = 2 * above @ below + tied @ (above + below)
    scored = profile.observed.astype(float)
    same_ballot = ((scored * profile.weights**2) @ scored.T)[pairs]
    # A ballot and itself are not a pair of ballots. Without another one, rounding must not
    # leave a rest.
    comparable = counts.compared[pairs] ** 2 - same_ballot
    comparable[comparable <= 1e-9 * same_ballot] = 0.0
    return _safe_ratio(float(disagreeing), float(comparable.sum()))


def disagreement_from_ranking(counts: PairwiseCounts, ranks: arrays.RankArray) -> float:
    """Compare every ballot with one ranking, on every pair of systems scored on the ballot."""
    above = ranks[:, None] < ranks
    level = np.triu(ranks[:, None] == ranks, 1)
    reversed_ = (counts.wins.T + counts.ties / 2)[above].sum()
    split = (counts.wins + counts.wins.T)[level].sum() / 2
    return _safe_ratio(float(reversed_ + split), float(np.triu(counts.compared, 1).sum()))


def _safe_ratio(disagreeing: float, comparable: float) -> float:
    return disagreeing / comparable if comparable > 0 else np.nan
