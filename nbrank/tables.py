"""Tables for publication: a ranking or a comparison as HTML or LaTeX, by great_tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from nbrank.findings.labels import join_labels, label_text, rule_title

if TYPE_CHECKING:
    from great_tables import GT


def to_great_table(
    frame: pd.DataFrame, title: str | None = None, note: str | None = None, decimals: int = 2
) -> GT:
    """Set a frame of ours as a table for publication.

    It needs the extra `nbrank[tables]`.

    Parameters
    ----------
    frame
        A ranking, a comparison of rules, or another frame of ours; several
        systems in a cell are listed.
    title
        A heading.
    note
        A line below the table; None takes the rule's name where the frame has
        one, and an empty text no line.
    decimals
        How many decimals numbers that aren't whole have.

    Returns
    -------
    great_tables.GT
        A row for each of the frame's, in its order. `.as_raw_html()` and `.as_latex()` write it.

    Raises
    ------
    TypeError
        If it is no frame.
    ImportError
        If great_tables is not installed.

    Examples
    --------
    >>> import nbrank
    >>> scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=["A", "B", "C"])
    >>> table = to_great_table(nbrank.borda(scores), "Three systems")
    >>> "Three systems" in table.as_latex()
    True
    """
    try:
        from great_tables import GT
    except ImportError as error:
        raise ImportError(
            "to_great_table needs great_tables; install it with `pip install nbrank[tables]`"
        ) from error
    if not isinstance(frame, pd.DataFrame):
        raise TypeError(
            f"to_great_table sets a frame, such as nbrank.borda(scores), not a "
            f"{type(frame).__name__}"
        )
    # Several systems in a cell, as in groups, are a list in words.
    shown = frame.map(_format_cell)
    shown.columns = pd.Index([rule_title(label_text(label)) for label in frame.columns])
    shown.insert(0, "system", [label_text(system) for system in frame.index])
    shown = shown.reset_index(drop=True)
    # A fixed id: by default it is random, and the same table another text each time.
    table = GT(shown, rowname_col="system", id="nbrank")
    decimal = [
        column
        for column in shown.columns[1:]
        if pd.api.types.is_float_dtype(shown[column]) and not (shown[column] % 1 == 0).all()
    ]
    if decimal:
        table = table.fmt_number(decimal, decimals=decimals, use_seps=False)
    table = table.sub_missing(missing_text="–")
    if title is not None:
        table = table.tab_header(title)
    rule = frame.attrs.get("rule")
    if note is None and rule:
        note = f"Rule: {rule_title(rule)}."
    return table.tab_source_note(note) if note else table


def _format_cell(cell: Any) -> Any:
    return join_labels(cell, len(cell)) if isinstance(cell, list | tuple) else cell
