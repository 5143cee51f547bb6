"""Axioms of voting that can be run: does a rule keep its promise on this table, and near it?

Each is a search for a counterexample: the table is changed in the ways that the axiom names,
and the rule runs again. A counterexample proves that the rule breaks the axiom; none found is proof
only where all changes were examined, and then only for this table. `search(rule, axiom)` tries
tables drawn at random, `check(scores, rule, axiom)` one's own table, and `check(scores, rule)` all
axioms on it. `nbrank.RULES[name].properties` says what a rule keeps on every table.

>>> search("copeland", "independence_of_clones").holds
False
>>> search("schulze", "independence_of_clones", n_tables=5)
independence_of_clones of schulze: not broken in 200 cases, which are not all
"""

from nbrank.axioms.checking import check, search
from nbrank.axioms.definitions import AXIOMS
from nbrank.axioms.trials import Axiom, AxiomCheck, Outcome, Witness

__all__ = ["AXIOMS", "Axiom", "AxiomCheck", "Outcome", "Witness", "check", "search"]
