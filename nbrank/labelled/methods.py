"""Public functions as methods of the counts that they take."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import MethodType
from typing import Any

Functions = dict[str, Callable[..., Any]]


class FunctionsAsMethods(ABC):
    """An object with every public function that takes it as a method."""

    @staticmethod
    @abstractmethod
    def _functions() -> Functions:
        """The public functions that take the object, by name."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # Not for private names: copying and unpickling ask for them before there are any fields.
        functions = {} if name.startswith("_") else self._functions()
        if name not in functions:
            raise AttributeError(
                f"{type(self).__name__} has no {name!r}; it has {', '.join(functions)}"
            )
        return MethodType(functions[name], self)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._functions()})


def functions_of_pairs() -> Functions:
    """The public functions, beside the rules, that need no more than the counts of pairs."""
    # Looked up at the first use: these modules need those whose objects have such methods.
    from nbrank.labelled import compare, confidence, consensus, pairwise, rank_confidence
    from nbrank.labelled import tournament as paths

    functions: tuple[Callable[..., Any], ...] = (
        *(compare.compare, compare.winners, pairwise.pairwise, pairwise.compared),
        *(paths.majority_graph, paths.majority_networkx, paths.smith_set, paths.schwartz_set),
        *(paths.uncovered_set, paths.condorcet_loser),
        *(consensus.kemeny_winners, consensus.kemeny_swaps, consensus.kemeny_quality),
        *(consensus.kemeny_distance_bound, consensus.disagreement),
        *(confidence.confidence, rank_confidence.rank_confidence, rank_confidence.tie_groups),
    )
    return {function.__name__: function for function in functions}
