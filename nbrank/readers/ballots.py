"""Reader of elections: ballots on which voters rank candidates, as votes for every rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, cast

import numpy as np
import pandas as pd

from nbrank.readers.ballot_tables import find_comma_ballot, parse_ballot_frame, parse_ballot_texts
from nbrank.votes import labeled_values
from nbrank.votes.formatting import Label, format_labels, pluralize
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.data_warnings import warn_of_merged_names
from nbrank.votes.table.validation import check_choice
from nbrank.votes.user_warnings import warn_user

#: Systems of one ballot, best first, where an inner list is a tie; or a text, A > B = C.
Ballot = Sequence[Label | Sequence[Label]] | str


def from_ballots(
    orders: Iterable[Ballot] | pd.DataFrame | str,
    counts: Sequence[int] | Mapping[Any, int] | pd.Series | None = None,
    unranked: Literal["below", "missing"] = "below",
) -> Leaderboard:
    r"""Who wins an election in which every voter puts the candidates in order?

    Parameters
    ----------
    orders
        The ballots: each the systems, best first; an inner list (or tuple or set)
        holds systems that the voter puts level, and empty places at the end are left out. Or a text
        for each, as `A > B = C` or `A;B;C`, all or none with a number of voters before it, as in
        `5: A > B`; or one text with a ballot in each line. Or a frame with a row for each voter:
        with columns of places (1st, 2nd, ...), with a column for each system that holds its place,
        or with one column of texts; a column called count or votes is that of `counts`. Names that
        differ only in spaces around them or in Unicode form are one system, and a warning says so.
    counts
        How many voters cast each ballot, as whole numbers; one each if None. A Series or mapping
        is aligned by its labels: those of `orders` where it is a Series too, else the ballots
        themselves, or their numbers from 0 or from 1.
    unranked
        What it means that a ballot leaves systems out: "below" puts them level below all that it
        ranks, as elections do; "missing" takes them as not assessed by the voter.

    Returns
    -------
    Leaderboard
        The systems in the order in which they are first named, and a task for each ballot, numbered
        from 1: the higher the score, the higher the place. Every rule and every question takes it;
        a question that resamples tasks resamples voters.

    Raises
    ------
    TypeError
        If a ballot is a text without any sign that separates systems, or not a list.
    ValueError
        If there is not a single ballot, a ballot is empty or names a system twice, or the
        counts don't fit; the message gives the number of the ballot.

    References
    ----------
    Condorcet, Essai, 1785; for truncated ballots: Mattei and Walsh, PrefLib, 2013.

    Examples
    --------
    >>> memphis, nashville = ["M", "N", "C", "K"], ["N", "C", "K", "M"]
    >>> chattanooga, knoxville = ["C", "K", "N", "M"], ["K", "C", "N", "M"]
    >>> capital = from_ballots(
    ...     [memphis, nashville, chattanooga, knoxville], counts=[42, 26, 15, 17]
    ... )
    >>> capital.plurality().index[0], capital.instant_runoff().index[0], capital.borda().index[0]
    ('M', 'K', 'N')
    >>> from_ballots("5: A > B = C\n3: B > A").plurality()["score"].to_dict()
    {'A': 5.0, 'B': 3.0, 'C': 0.0}
    """
    check_choice("from_ballots", "unranked", unranked, ("below", "missing"))
    orders, counts = _parse_texts_and_frames(orders, counts)
    listed: list[Any] = list(orders)
    ballots = [_parse_ballot(ballot, number) for number, ballot in enumerate(listed, 1)]
    if not ballots:
        raise ValueError("from_ballots: no ballots given; give at least one")
    if counts is not None and len(counts) != len(ballots):
        raise ValueError(
            f"from_ballots: {pluralize(len(counts), 'count')} for "
            f"{pluralize(len(ballots), 'ballot')}; give one for each"
        )
    spelled_so = dict.fromkeys(system for ballot in ballots for system in ballot)
    warn_of_merged_names(spelled_so)
    ballots = [
        {labeled_values.clean_label(system): place for system, place in ballot.items()}
        for ballot in ballots
    ]
    systems = list(dict.fromkeys(map(labeled_values.clean_label, spelled_so)))
    number = {system: row for row, system in enumerate(systems)}
    # Places count from the top, so that systems left out are ranked below all others.
    scores = np.full((len(systems), len(ballots)), np.nan if unranked == "missing" else 0.0)
    for column, ballot in enumerate(ballots):
        rows = [number[system] for system in ballot]
        scores[rows, column] = len(systems) - np.array(list(ballot.values()), dtype=float)
    frame = pd.DataFrame(
        scores,
        index=pd.Index(systems, name="system", tupleize_cols=False),
        columns=pd.RangeIndex(1, len(ballots) + 1, name="ballot"),
    )
    voters = None if counts is None else list(counts)
    if isinstance(counts, Mapping | pd.Series):
        labels = [tuple(item) if isinstance(item, list) else item for item in listed]
        ranges = [list(range(start, len(listed) + start)) for start in (0, 1)]
        names: Any = [[*orders.index]] if isinstance(orders, pd.Series) else [labels, *ranges]
        voters = _aligned(counts, names)
    return Leaderboard(frame, counts=voters, lower_is_better=False)


def _parse_texts_and_frames(orders: Any, counts: Any) -> tuple[Any, Any]:
    """Parse ballots in texts and frames; return them as lists, with their counts."""
    inside: Sequence[int] | None = None
    orders = labeled_values.plain_frame(orders)
    if isinstance(orders, pd.DataFrame):
        table = parse_ballot_frame(orders)
        if table is None:
            raise ValueError(
                f"from_ballots: the columns {format_labels(orders.columns)} hold no ballots; give "
                f"columns of places (1st, 2nd, ...), a column for each system with its place, or "
                f"one of texts such as A > B = C"
            )
        if table.kind == "texts":
            _refuse_commas(orders[table.columns[0]].tolist())
        orders, inside = pd.Series(table.orders, index=orders.index, dtype=object), table.counts
    elif isinstance(orders, str):
        orders = [line for line in orders.splitlines() if line.strip()]
    elif not isinstance(orders, pd.Series):
        orders = list(orders)
    texts = [ballot for ballot in orders if isinstance(ballot, str)]
    if texts and len(texts) == len(orders) and (result := parse_ballot_texts(texts)) is not None:
        _refuse_commas(texts)
        parsed, inside = result
        indexed = isinstance(orders, pd.Series)
        orders = pd.Series(parsed, index=orders.index, dtype=object) if indexed else parsed
    if inside is not None and counts is not None:
        raise ValueError(
            "from_ballots: the ballots come with numbers of voters, and counts= are given, too; "
            "give one of them"
        )
    return orders, counts if inside is None else inside


def _refuse_commas(ballots: Sequence[Any]) -> None:
    """Refuse a text that separates by commas where others have another sign."""
    if wrong := find_comma_ballot(ballots):
        raise ValueError(f"from_ballots: ballot {wrong[0] + 1}, {wrong[1]}")


def _aligned(counts: Mapping[Any, int] | pd.Series, names: list[list[Any]]) -> list[int]:
    """Return labelled counts in the order of the ballots, which may be named in several ways."""
    labels, numbers = list(counts.keys()), [count for _, count in counts.items()]
    for ballots in names:
        if labels == ballots:
            return numbers
        with suppress(TypeError):  # a ballot with ties may not be hashable
            by_label = dict(zip(labels, numbers, strict=True))
            if len(by_label) == len(labels) and set(ballots) == set(labels):
                if isinstance(counts, pd.Series) and ballots is not names[0]:
                    warn_user(
                        "from_ballots: the counts are numbered in another order than the ballots, "
                        "and each goes to the ballot of its number; if they are in the order of "
                        "the ballots, give counts=list(counts), else counts=counts.sort_index()"
                    )
                return [by_label[ballot] for ballot in ballots]
    raise ValueError(
        f"from_ballots: the counts are those of {format_labels(labels, max_items=5)}, and the "
        f"ballots are {format_labels(names[0], max_items=5)}; give the counts the labels of the "
        "ballots, or in their order as list(counts)"
    )


def _parse_ballot(ballot: object, number: int) -> dict[Label, int]:
    """Map each system to its place on a ballot, from 0; tied systems share a place."""
    if isinstance(ballot, str | bytes) or not pd.api.types.is_list_like(ballot):
        raise TypeError(
            f"from_ballots: ballot {number} is {ballot!r}; give a list of systems, best first, or "
            f"a text such as 'A > B = C'"
        )
    levels: list[Any] = list(cast("Iterable[Any]", ballot))
    while (
        levels and pd.api.types.is_scalar(levels[-1]) and (pd.isna(levels[-1]) or levels[-1] == "")
    ):
        levels.pop()  # a short ballot
    places: dict[Label, int] = {}
    for place, level in enumerate(levels):
        together = list(level) if isinstance(level, list | tuple | set | frozenset) else [level]
        again = [system for system in together if system in places]
        again += [system for system in together if together.count(system) > 1]
        if again:
            raise ValueError(
                f"from_ballots: ballot {number} names {format_labels(dict.fromkeys(again))} more "
                "than once; give each system one place"
            )
        if any(pd.isna(system) for system in together):
            raise ValueError(f"from_ballots: ballot {number} has a place without a name (NaN)")
        places |= dict.fromkeys(together, place)
    for listed in labeled_values.spellings(places).values():
        raise ValueError(
            f"from_ballots: ballot {number} names {labeled_values.spell_out(listed)}, which differ "
            f"only in spaces around them or in their Unicode form; give each system one place"
        )
    if not places:
        raise ValueError(f"from_ballots: ballot {number} ranks no system; leave it out")
    return places
