"""The workbench, opened at one of its questions."""

from __future__ import annotations

from typing import Unpack

from nbrank.arrays.ballots.profile import Missing
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.frontends.workbench.workbench import Workbench, tabs_of
from nbrank.votes.formatting import Label
from nbrank.votes.labeled_values import clean_label
from nbrank.votes.leaderboard import VotesLike, as_votes
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import check_choice

#: Tab -> the first ordering rule, for tabs that other rules would leave empty.
_FIRST_RULES = {"missing": "borda", "elimination": "baldwin"}


@spell_out_options
def explore(
    scores: VotesLike,
    rule: str | None = None,
    *,
    rules: RuleList = None,
    tab: str = "rules",
    system: Label = None,
    delta: float = 0.05,
    missing: Missing | None = None,
    cluster: Clusters = None,
    **table: Unpack[TableOptions],
) -> Workbench:
    """Who is first, how sure is that, and what would change it? Move something, and see.

    One page: the verdict, the picture of the leaderboard beside what moves it, and the questions as
    tabs. Click a row of the picture to see what explains that system, and the name of a rule to
    order by it.

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, or `Comparisons`.
    rule
        The name of the rule that orders the systems. None takes the first of `rules` that ranks the
        table; with `tab="missing"` it takes "borda", with `tab="elimination"` "baldwin".
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
    rules
        The rules to compare, as for `nbrank.compare`; a function of your own is given a
        Leaderboard. None takes six that suit the table.
    tab
        The question at which the page opens: "rules" (rules and weights), "weights" (at which
        weights each system could win; with exactly three groups a triangle shows who wins at each
        weighting of them), "pairs" (two systems against each other), "scores" (a table to sort and
        search), "missing" (delete scores, and see which ranks survive), "confidence" (move delta,
        and see which systems can be told apart) or "elimination" (an elimination rule round by
        round). Comparisons have "rules", "pairs" and "confidence".
    system
        A system to look at; None for none.
    delta
        One minus the confidence of the rank sets to begin with, between 0.001 and 0.5.
    missing
        How a missing score counts for the rules that can be told so, as under
        "Missing scores" on the page; None leaves each its own way.
    cluster
        Which instances depend on each other, such as the questions on a passage, and are drawn
        together: a level of the rows, or a mapping or Series from instance to cluster. None takes
        the level called `cluster`, `passage`, `document`, `user` or the like, if there is one;
        "instance" takes each instance on its own. Fewer than 5 clusters separate no systems.

    Returns
    -------
    Workbench
        The page. From Python set its `rule`, `weights`, `system`, `tab`, `delta`, `cells` and more,
        and read `verdict`, `changes`, `ranking`, `ranks`, `rank_sets` and `text`;
        `get_tab_result("weights")` and the like have what a tab shows.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
    traitlets.TraitError
        If a rule or system is unknown, a rule needs an argument, or delta is out of range.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [1, 2, 3]}, index=list("ABC"))
    >>> bench = explore(scores, rules=["borda", "plurality"])
    >>> bench.weights = {"t2": 2}
    >>> bench.winners
    {'borda': ['C'], 'plurality': ['C']}
    >>> print(bench.changes)
    You changed the weight of t2 from 1 to 2: C now wins alone, without A and B; under plurality C
    now wins alone, without A; 0 rose and 2 fell, most of all the system A, from rank 1
    to 3.

    Which share of the weight has to move until a system loses to nobody, NaN for never:

    >>> scores = pd.DataFrame(
    ...     {"t1": [2, 1, 0], "t2": [1, 2, 0], "t3": [1, 2, 0]}, index=["A", "B", "C"]
    ... )
    >>> bench = explore(scores, tab="weights")
    >>> bench.get_tab_result("weights").nearest.moved_shares().round(2).to_dict()
    {'B': 0.0, 'A': 0.17, 'C': nan}

    Which system goes in each round:

    >>> bench = explore(scores, "coombs", tab="elimination")
    >>> bench.get_tab_result("elimination").eliminated
    ['C']
    """
    if not isinstance(rule, str | None):
        raise TypeError(
            f"explore: rule={rule!r} must be the name of the rule that orders the systems. Give "
            f"several as rules=[...]"
        )
    votes = as_votes(scores, "units", cluster, **table)
    check_choice("explore", "tab", tab, (*tabs_of(votes),))
    rule = _FIRST_RULES.get(tab) if rule is None else rule
    bench = Workbench(votes, rules, rule=rule, tab=tab, delta=delta, missing=missing)
    bench.system = clean_label(system)
    return bench
