"""Clique covers: few groups that two items share exactly if they don't differ."""

from collections.abc import Iterator
from functools import reduce
from operator import or_

import numpy as np

from nbrank.arrays.typing import Bools, Positions

#: Maximum number of letters, since more can't be compared by eye.
MAX_LETTERS = 26


def clique_cover(different: Bools) -> list[Positions]:
    """Cover all pairs that are not different by few cliques, sorted by their first members.

    Two items are together in some clique if and only if they are not different. An item that
    differs from all others is a clique of its own.
    """
    # The smallest cover is NP-hard to find, so this one is greedy. A pair whose common neighbours
    # are all alike is in only one maximal clique, which belongs to every cover by maximal cliques
    # (Gramm, Guo, Hüffner and Niedermeier, 2008). Where intervals on a line decide, these cliques
    # are all there are. Around the other pairs, those with few common neighbours first, a clique
    # grows by the neighbour that covers most. Sets of items are the bits of whole numbers.
    n = len(different)
    alike = ~different
    np.fill_diagonal(alike, False)
    near = [sum(1 << item for item in np.flatnonzero(row).tolist()) for row in alike]
    first, second = np.nonzero(np.triu(alike))
    counts = alike.astype(np.float64)
    order = np.argsort((counts @ counts)[first, second], kind="stable")
    pairs = list(zip(first[order].tolist(), second[order].tolist(), strict=True))
    #: Of each item the neighbours that share no clique with it yet.
    uncovered = list(near)
    cliques: list[int] = []
    for only_clique in (True, False):
        for entry, other in pairs:
            if not uncovered[entry] >> other & 1:
                continue
            common, pair = near[entry] & near[other], 1 << entry | 1 << other
            if not only_clique:
                clique = _grow(pair, common, near, uncovered)
            elif _is_clique(common, near):
                clique = pair | common
            else:
                continue
            cliques.append(clique)
            for item in _members(clique):
                uncovered[item] &= ~clique
    cliques = _drop_redundant(cliques)
    covered = reduce(or_, cliques, 0)
    cliques += [1 << item for item in range(n) if not covered >> item & 1]
    members = [list(_members(clique)) for clique in cliques]
    members.sort(key=lambda own: (own[0], own[-1], own))
    return [np.array(own, dtype=np.intp) for own in members]


def group_letters(different: Bools) -> list[str] | None:
    """Return the letters of each item, such as "a c"; None if that takes more than 26.

    Two items share a letter if and only if they are not different.
    """
    groups = clique_cover(different)
    if len(groups) > MAX_LETTERS:
        return None
    letters: list[list[str]] = [[] for _ in different]
    for number, members in enumerate(groups):
        for place in members:
            letters[place].append(chr(ord("a") + number))
    return [" ".join(own) for own in letters]


def _is_clique(items: int, near: list[int]) -> bool:
    """Return whether no two of the items are different."""
    return all(not items & ~near[item] & ~(1 << item) for item in _members(items))


def _grow(clique: int, common: int, near: list[int], uncovered: list[int]) -> int:
    """Grow a clique to a maximal one, each time by the common neighbour that covers most."""

    def gain(item: int) -> tuple[int, int, int]:
        new, later = uncovered[item] & clique, uncovered[item] & common
        return new.bit_count(), later.bit_count(), (near[item] & common).bit_count()

    while common:
        best = max(_members(common), key=gain)
        clique |= 1 << best
        common &= near[best]
    return clique


def _drop_redundant(cliques: list[int]) -> list[int]:
    """Drop cliques whose pairs are all in others, trying the smallest first."""
    needed = list(cliques)
    for clique in sorted(cliques, key=int.bit_count):
        others = [other for other in needed if other != clique]
        if all(
            not clique & ~reduce(or_, (other for other in others if other >> item & 1), 0)
            for item in _members(clique)
        ):
            needed = others
    return needed


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
