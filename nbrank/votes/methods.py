"""Public functions as methods of the counts that they take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import MethodType
from typing import Any, ClassVar

Functions = dict[str, Callable[..., Any]]


class FunctionsAsMethods(ABC):
    """An object with every public function that takes it as a method."""

    #: Why it lacks the rules that only scores have, as a part of a sentence.
    _needed: ClassVar[str]

    @staticmethod
    @abstractmethod
    def _functions() -> Functions:
        """The public functions that take the object, by name."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Not for private names: copying and unpickling ask for them before there are any fields.
        functions = {} if name.startswith("_") else self._functions()
        if name not in functions:
            raise AttributeError(self._lacking(name, functions))
        return MethodType(functions[name], self)

    def _lacking(self, name: str, functions: Functions) -> str:
        """What to say of a name that it doesn't have."""
        # Looked up here: the rules themselves need the objects that have such methods.
        from nbrank.rules.registry import RULES

        lacks = f"{type(self).__name__} has no {name!r}"
        has = f"it has {', '.join(functions)}"
        if name not in RULES:
            return f"{lacks}; {has}"
        if not RULES[name].leaderboards:
            return f"{lacks}, which needs comparisons, as nbrank.from_comparisons takes them; {has}"
        return f"{lacks}, {self._needed}: give the frame of scores to nbrank.{name}; {has}"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._functions()})


def functions_of_pairs() -> Functions:
    """The public functions, beside the rules, that need no more than the counts of pairs."""
    # Looked up at the first use: these modules need those whose objects have such methods.
    from nbrank.questions import compare, confidence, pairwise, rank_confidence
    from nbrank.rules import kemeny as consensus
    from nbrank.rules import paths

    functions: tuple[Callable[..., Any], ...] = (
        *(compare.compare, compare.winners, pairwise.pairwise, pairwise.compared),
        *(paths.majority_graph, paths.majority_networkx, paths.smith_set, paths.schwartz_set),
        *(paths.uncovered_set, paths.condorcet_loser),
        *(consensus.kemeny_winners, consensus.kemeny_swaps, consensus.kemeny_quality),
        *(consensus.kemeny_distance_bound, consensus.disagreement),
        *(confidence.confidence, rank_confidence.rank_confidence, rank_confidence.tie_groups),
    )
    return {function.__name__: function for function in functions}
