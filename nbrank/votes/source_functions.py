"""Functions by source of votes: what differs between scores, counts and comparisons."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Concatenate, Generic, ParamSpec, TypeVar

from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.tallies import WeightedTally

OptionsP = ParamSpec("OptionsP")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True)
class FunctionBySource(Generic[OptionsP, ResultT]):
    """A function for each source of votes, chosen by their `kind`, so that no caller asks.

    >>> import pandas as pd
    >>> count = FunctionBySource(
    ...     scores=lambda board: f"{len(board.tasks)} tasks",
    ...     comparisons=lambda comparisons: f"{len(comparisons)} comparisons",
    ...     counts=lambda tally: f"{len(tally.tasks)} counted tasks",
    ... )
    >>> count(Leaderboard(pd.DataFrame({"t1": [2, 1], "t2": [1, 3]}, index=["A", "B"])))
    '2 tasks'
    """

    #: None where the others can't be used.
    scores: Callable[Concatenate[Leaderboard, OptionsP], ResultT] | None = None
    comparisons: Callable[Concatenate[Comparisons, OptionsP], ResultT] | None = None
    counts: Callable[Concatenate[WeightedTally, OptionsP], ResultT] | None = None
    #: Message for the others, if not the votes' own.
    refusal: str = ""

    def __call__(self, votes: Votes, *args: OptionsP.args, **options: OptionsP.kwargs) -> ResultT:
        """Call the function that takes these votes."""
        function: Callable[..., ResultT] | None = getattr(self, votes.kind)
        if function is None:
            raise TypeError(self.refusal or votes._alternative_message)
        return function(votes, *args, **options)
