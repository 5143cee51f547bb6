"""Whether a rule keeps an axiom: on a table of one's own, or on tables drawn at random."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import pandas as pd

from nbrank.axioms.definitions import AXIOMS
from nbrank.axioms.trials import Axiom, AxiomCheck, AxiomSearch, EditableTable, Outcome
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.registry import RuleLike
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.required_arguments import spell_out_options
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import make_rng, validate_integer


def _get_axiom(name: str) -> Axiom:
    if name not in AXIOMS:
        raise ValueError(f"unknown axiom {name!r}; the axioms are {', '.join(AXIOMS)}")
    return AXIOMS[name]


ScoresLike = pd.DataFrame | Leaderboard


@spell_out_options
def check(
    scores: ScoresLike,
    rule: RuleLike,
    axiom: str | None = None,
    *,
    n_draws: int = 200,
    seed: int = 0,
    **options: Unpack[TableOptions],
) -> AxiomCheck | pd.DataFrame:
    """Does a rule keep an axiom on this table and its variations, or is there a counterexample?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance), or a `Leaderboard`.
    rule
        A name of `RULES`, or a function from scores to a ranking, such as
        `functools.partial(nbrank.minimax, variant="margins")`.
    axiom
        A name of `AXIOMS`; None checks them all.
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
    n_draws
        How many changes of the table are drawn and examined if there are more.
    seed
        The seed of the draws.

    Returns
    -------
    AxiomCheck or pandas.DataFrame
        For one axiom whether it holds, with the witness if it doesn't. For all
        of them a row for each, with the columns

        holds
            False with a witness, True if all changes of this table were examined
            without one, missing if only some were.
        exhaustive
            Whether all changes were examined.
        examined
            How many were, up to the first witness.
        witness
            The violation, in a sentence; missing without a witness.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also if the scores are instance-level, or the rule refuses the table. A
        changed table that it refuses is passed over: the check is not exhaustive.

    Examples
    --------
    A wins by plurality. The tasks of B and C, who are much alike, are split: without C, B wins.

    >>> import pandas as pd
    >>> scores = pd.DataFrame(
    ...     [[3, 3, 3, 1, 1, 1, 1], [2, 2, 2, 3, 3, 2, 2], [1, 1, 1, 2, 2, 3, 3]],
    ...     index=["A", "B", "C"],
    ...     columns=list("tuvwxyz"),
    ... )
    >>> found = check(scores, "plurality", "independence_of_irrelevant_alternatives")
    >>> found.holds
    False
    >>> found.witness.sentence
    "'A' is above 'B'; without 'C' it is below it."
    >>> check(scores, "plurality", "majority")
    majority of plurality: holds on this table, where it demands nothing
    >>> check(scores, "borda")["holds"].head(3).tolist()
    [<NA>, True, True]
    """
    if isinstance(rule, pd.DataFrame | Leaderboard):
        raise TypeError(
            "check: the scores come before the rule. Call axioms.check(scores, rule, axiom)"
        )
    board = as_leaderboard(scores, **options)
    if board.is_instance_level:
        raise ValueError(
            "axioms are checked on tables of systems x tasks; average the instances first, "
            "with scores.groupby(level='system').mean()"
        )
    n_draws = validate_integer("check", "n_draws", n_draws)
    table = EditableTable.from_board(board)

    before = Outcome.from_board(rule, table.leaderboard)

    def check_one(axiom: Axiom) -> AxiomCheck:
        trial = AxiomSearch(rule, table, n_draws, make_rng("check", seed))
        trial.original_outcome = before
        return axiom.check(trial)

    if axiom is not None:
        return check_one(_get_axiom(axiom))
    results = [check_one(each) for each in AXIOMS.values()]
    columns: dict[str, Any] = {
        "holds": pd.array([each.holds for each in results], dtype="boolean"),
        "exhaustive": [each.exhaustive for each in results],
        "examined": [each.examined for each in results],
        "witness": pd.array(
            [each.witness.sentence if each.witness else None for each in results], dtype="string"
        ),
    }
    return pd.DataFrame(columns, index=pd.Index([each.axiom for each in results], name="axiom"))


def search(
    rule: RuleLike,
    axiom: str,
    *,
    n_systems: int = 4,
    n_tasks: int = 7,
    n_tables: int = 300,
    n_draws: int = 20,
    seed: int = 0,
) -> AxiomCheck:
    """Is there a table, among some drawn at random, on which a rule breaks an axiom?

    Each task orders the systems at random, every order being equally likely,
    without ties or missing scores; scores are whole numbers below 100.

    Parameters
    ----------
    rule
        A name of `RULES`, or a function from scores to a ranking.
    axiom
        A name of `AXIOMS`.
    n_systems
        The most systems in a table; there are at least 3.
    n_tasks
        The most tasks in a table; there is at least 1.
    n_tables
        How many tables are drawn. One that the rule refuses is passed over.
    n_draws
        How many changes of a table are drawn and examined if there are more.
    seed
        The seed of all draws.

    Returns
    -------
    AxiomCheck
        It has the first witness found, and is never exhaustive.

    Raises
    ------
    ValueError
        If the rule or the axiom is unknown, or there are fewer than 3 systems, 1 task or 1 table.

    Examples
    --------
    Baldwin's rule can punish a system for getting better.

    >>> found = search("baldwin", "monotonicity", seed=1)
    >>> found.holds
    False
    """
    known = _get_axiom(axiom)
    n_systems = validate_integer("search", "n_systems", n_systems, minimum=3)
    n_tasks = validate_integer("search", "n_tasks", n_tasks)
    n_tables = validate_integer("search", "n_tables", n_tables)
    n_draws = validate_integer("search", "n_draws", n_draws)
    bound = BoundRule.bind(rule)
    bound.check_arguments()
    rng = make_rng("search", seed)
    examined = 0
    for _ in range(n_tables):
        table = random_table(rng, n_systems, n_tasks)
        try:
            axiom_check = known.check(AxiomSearch(rule, table, n_draws, rng))
        except (ValueError, RuntimeError):
            continue
        examined += axiom_check.examined
        if axiom_check.witness is not None:
            return replace(axiom_check, examined=examined)
    return AxiomCheck(axiom, bound.label, None, None, exhaustive=False, examined=examined)


def random_table(rng: np.random.Generator, n_systems: int, n_tasks: int) -> EditableTable:
    """Draw strict orders of at most `n_systems` systems on at most `n_tasks` tasks."""
    n, m = int(rng.integers(3, n_systems + 1)), int(rng.integers(1, n_tasks + 1))
    highest = max(100, n)
    scores = [rng.choice(highest, size=n, replace=False) for _ in range(m)]
    return EditableTable(
        np.column_stack(scores).astype(np.float64),
        tuple(chr(ord("A") + i) if n <= 26 else f"S{i + 1}" for i in range(n)),
        tuple(f"t{i + 1}" for i in range(m)),
        np.ones(m),
        np.zeros(m, dtype=bool),
    )
