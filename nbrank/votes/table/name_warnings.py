"""Warnings about names of systems that are equal or look alike."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from nbrank.votes.formatting import Label
from nbrank.votes.label_cleaning import spell_out, spellings
from nbrank.votes.table.data_warnings import iter_similar_names
from nbrank.votes.table.name_hints import similar_labels
from nbrank.votes.user_warnings import warn_user
from nbrank.votes.warning_categories import SimilarNamesWarning


def warn_of_merged_names(names: Iterable[Label]) -> None:
    """Warn of names that are read as the same system."""
    for name, listed in spellings(names).items():
        warn_user(
            f"{spell_out(listed)} are taken as one system, {name!r}: they differ only in spaces "
            f"around them or in their Unicode form; if they are two, rename one of them",
            SimilarNamesWarning,
        )


def warn_of_similar_names(systems: pd.Index) -> None:
    """Warn of systems whose names are equal but for case or spaces."""
    for warning in iter_similar_names("systems", similar_labels(systems)):
        warn_user(str(warning), SimilarNamesWarning)
