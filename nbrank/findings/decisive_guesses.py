"""The tasks on which higher is only taken as better, and on which the winner hangs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.name_heuristics import NAMELESS, is_named_like
from nbrank.votes.table.place_detection import looks_like_places

#: Maximum number of tasks of a table in which they are turned one by one.
_MAX_TASKS = 12


def find_decisive_guesses(
    board: Leaderboard, winners: Mapping[str, tuple[Label, ...]]
) -> list[Label]:
    """Find the tasks that may point the other way, which would change the winners.

    Some rule has other winners once all tasks that are doubted are turned, or most rules have
    once an assumed one alone is turned, while others are not assumed. The verdict of a table whose
    names say nothing at all has no condition, because the reading says it of all tasks.
    """
    higher = board.tasks[~board.is_lower_better & (board.weights > 0)]
    reading = board.reading
    if reading is None:
        are_places = board.tasks.name != "ballot" and looks_like_places(board)
        doubted, assumed = [*higher] * are_places, []
    else:
        # Tasks may be tuples, and other columns plain names, which isin() of an index refuses.
        lower = {*reading.doubted_directions}
        guessed = {*reading.assumed} - {*reading.doubts}
        doubted = [task for task in higher if task in lower]
        assumed = [task for task in higher if task in guessed and not is_named_like(task, NAMELESS)]
    if not (doubted and any(_list_changes(board, winners, doubted))):
        doubted = []
    is_told = len(assumed) < len(board.tasks) <= _MAX_TASKS
    return doubted + [task for task in assumed * is_told
                      if 2 * sum(_list_changes(board, winners, [task])) > len(winners)]  # fmt: skip


def _list_changes(
    board: Leaderboard, winners: Mapping[str, tuple[Label, ...]], tasks: Sequence[Label]
) -> Iterator[bool]:
    """Yield whether each rule has other winners once lower is better on some tasks."""
    turned = board.with_lower_is_better([*board.lower_is_better, *tasks])
    for rule, first in winners.items():
        with suppress(ValueError, RuntimeError):  # a mean refuses scores that point both ways
            yield {*BoundRule.bind(rule).rank_and_elect(turned, quickly=True)[1]} != {*first}
