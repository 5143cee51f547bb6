"""Shared parts of experiments: tables, rules, measures, failures of rules, and differences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar, Unpack

import numpy as np
import pandas as pd

from nbrank.agreement import Ranking, align_ranks, kendall_tau
from nbrank.arrays.typing import Floats, Ints
from nbrank.comparison.rules_side_by_side import RuleList, RuleRefusedWarning, resolve_rules
from nbrank.rules.bound_rule import BoundRule
from nbrank.rules.ranking import build_ranking
from nbrank.votes.formatting import format_labels
from nbrank.votes.leaderboard import Leaderboard, as_leaderboard
from nbrank.votes.progress import progress_bar
from nbrank.votes.table.task_options import TableOptions
from nbrank.votes.table.validation import validate_integer
from nbrank.votes.user_warnings import warn_user

#: Scores, or a function `f(seed=...)` that draws new ones for each repetition.
ScoresLike: TypeAlias = pd.DataFrame | Leaderboard | Callable[..., pd.DataFrame | Leaderboard]
Measure = Callable[[pd.DataFrame, pd.DataFrame], float]
Ranker: TypeAlias = Callable[..., pd.DataFrame]
#: From a table to the settings of an experiment, each with the table changed by it.
Changes = Iterator[tuple[dict[str, Any], Leaderboard]]
Change = Callable[[Leaderboard, np.random.Generator], Changes]
Answer = TypeVar("Answer")

#: The name that messages of all experiments begin with.
MODULE_NAME = "experiments"


@dataclass(frozen=True)
class Experiment:
    """Tables, rules and yardsticks of an experiment; `draw` is None where the table is fixed."""

    draw: Callable[[np.random.SeedSequence], Leaderboard] | None
    first: Leaderboard
    rules: dict[str, Ranker]
    n: int
    seed: int
    truth: Ranking | None
    measures: Mapping[str, Measure]

    @classmethod
    def from_options(
        cls,
        scores: ScoresLike,
        rules: RuleList,
        n_repeats: int,
        seed: int,
        truth: Ranking | None = None,
        measures: Mapping[str, Measure] | None = None,
        **table: Unpack[TableOptions],
    ) -> Experiment:
        """Check what an experiment was given."""
        n_repeats = validate_integer(MODULE_NAME, "n_repeats", n_repeats)
        seed = validate_integer(MODULE_NAME, "seed", seed, minimum=0)
        if measures is None:
            measures = {"kendall_tau": kendall_tau}
        if not isinstance(measures, Mapping):
            raise TypeError(
                f"measures must be a mapping from name to function, not {type(measures).__name__}"
            )
        draw = None
        if isinstance(scores, pd.DataFrame | Leaderboard) or not callable(scores):
            first = as_leaderboard(scores, **table)
        else:
            make = scores

            def draw(stream: np.random.SeedSequence) -> Leaderboard:
                return as_leaderboard(make(seed=int(stream.generate_state(1)[0])), **table)

            first = draw(np.random.SeedSequence(seed).spawn(1)[0])
        functions = resolve_rule_functions(rules)
        if truth is not None:
            true_ranks(first, truth)
        return cls(draw, first, functions, n_repeats, seed, truth, measures)

    def iter_repetitions(self) -> Iterator[tuple[Leaderboard, np.random.Generator]]:
        """Yield the table of each repetition, and its source of randomness."""
        for number, stream in enumerate(np.random.SeedSequence(self.seed).spawn(self.n)):
            board = self.draw(stream) if self.draw is not None and number > 0 else self.first
            yield board, np.random.default_rng(stream)

    def reference_rankings(self, board: Leaderboard) -> dict[str, pd.DataFrame]:
        """Label -> what the rule's rankings are compared with."""
        if self.truth is not None:
            truth = build_ranking(board.systems, -true_ranks(board, self.truth), "truth")
            return dict.fromkeys(self.rules, truth)
        result = {}
        for label, rule in self.rules.items():
            try:
                result[label] = rule(board)
            except (ValueError, RuntimeError) as error:
                error.add_note(f"({label} ranked the table as it is, before any change)")
                raise
        return result

    def run(self, change: Change, n_settings: int) -> pd.DataFrame:
        """Change, rank and compare; the rows go by rule, then setting, then repetition."""
        if not n_settings:
            raise ValueError("no setting is given; name at least one")
        rows: list[dict[str, Any]] = []
        refusals = RuleFailures(self.rules)
        references = self.reference_rankings(self.first)
        with progress_bar(total=self.n * n_settings * len(self.rules), unit=" rankings") as bar:
            for repetition, (board, random) in enumerate(self.iter_repetitions()):
                if board is not self.first:
                    references = self.reference_rankings(board)
                for setting, changed in change(board, random):
                    for label, rule in self.rules.items():
                        ranked = refusals.try_rule(label, rule, changed)
                        head = {"rule": label} | setting | {"repetition": repetition}
                        values = self._measure_agreement(references[label], ranked)
                        rows.append(head | values)
                        bar.update()
        refusals.warn(self.n * n_settings)
        order = np.arange(len(rows)).reshape(self.n, n_settings, -1).T.ravel()
        return pd.DataFrame([rows[place] for place in order])

    def _measure_agreement(
        self, reference: pd.DataFrame, ranked: pd.DataFrame | None
    ) -> dict[str, float]:
        """Compute each measure of a new ranking, which may have fewer systems."""
        if ranked is None:
            return dict.fromkeys(self.measures, float("nan"))
        if len(ranked) < len(reference):
            reference = reference[reference.index.isin(ranked.index)]
        return {name: measure(reference, ranked) for name, measure in self.measures.items()}


class RuleFailures:
    """How often each rule refused a table, and why at first."""

    def __init__(self, labels: Iterable[str]) -> None:
        self.errors: dict[str, list[Exception]] = {label: [] for label in labels}

    def try_rule(self, label: str, function: Callable[..., Answer], *args: Any) -> Answer | None:
        """Return a rule's answer on a table; None if the rule fails."""
        try:
            return function(*args)
        except (ValueError, RuntimeError) as error:
            self.errors[label].append(error)
            return None

    def warn(self, n_tables: int) -> None:
        """Warn where the experiment was called."""
        for label, errors in self.errors.items():
            if errors:
                warn_user(
                    f"{label} refused {len(errors)} of {n_tables} tables, which are left "
                    f"empty; the first time: {errors[0]}",
                    RuleRefusedWarning,
                )


def resolve_rule_functions(rules: RuleList) -> dict[str, Ranker]:
    """Label -> function from a leaderboard to a ranking."""
    labelled = resolve_rules(rules)
    if not labelled:
        raise ValueError("no rules are given; name at least one")
    return {label: BoundRule.bind(rule).function for label, rule in labelled.items()}


def ranks_in_table_order(rule: Ranker, board: Leaderboard) -> Ints:
    """Return the ranks that a rule gives, NaN where it gives none."""
    ranked = rule(board)
    ranks = dict(zip(ranked.index, ranked["rank"], strict=True))
    return np.array([ranks.get(system, np.nan) for system in board.systems])


def true_ranks(board: Leaderboard, truth: Ranking) -> Floats:
    """Return the true ranks of a table's systems, in table order."""
    try:
        _, ranks = align_ranks(list(board.systems), truth)
    except ValueError as error:
        raise ValueError(f"truth (second) and table (first): {error}") from error
    return ranks


def validate_settings(
    name: str, settings: Sequence[int] | None, lowest: int, highest: int, limit: int
) -> list[int]:
    """Validate the settings of an experiment, or choose up to ten evenly spread ones."""
    if settings is None:
        spread = np.linspace(lowest, highest, 10).round().astype(int)
        results = sorted(set(spread.tolist()))
    else:
        results = [
            validate_integer(MODULE_NAME, f"{name}[{place}]", number, minimum=0)
            for place, number in enumerate(settings)
        ]
    if wrong := [number for number in results if not lowest <= number <= limit]:
        raise ValueError(
            f"{name} must be numbers from {lowest} to {limit}, not {format_labels(wrong)}"
        )
    return results


def lead(
    runs: pd.DataFrame | Mapping[str, pd.DataFrame],
    ahead: str,
    behind: str,
    setting: str,
    *,
    measure: str = "kendall_tau",
) -> pd.DataFrame:
    """How far is one rule ahead of another?

    All rules see the same table in a repetition, so the differences are taken within repetitions.

    Parameters
    ----------
    runs
        The runs of an experiment, as `remove_scores` and its like return them; or several such
        frames by their names, as `charts.robustness` takes them.
    ahead, behind
        The labels of the two rules.
    setting
        The column that tells the settings apart: `share`, `kept`, `corrupted`, ...
    measure
        The column to compare by.

    Returns
    -------
    pandas.DataFrame
        A row for each setting: `mean`, by how much the first rule's measure exceeds the second's on
        average, and `sem`, the standard error of that mean over the repetitions. Of several runs
        the names come first in the index.

    Raises
    ------
    KeyError
        If the runs have no such rule, setting or measure.

    Examples
    --------
    >>> from nbrank.datasets import load_toy_votes
    >>> from nbrank.experiments import remove_tasks
    >>> runs = remove_tasks(
    ...     load_toy_votes(), ["borda", "plurality"], kept=[3], n_repeats=10, seed=0
    ... )
    >>> lead(runs, "borda", "plurality", "kept").round(2)
          mean   sem
    kept
    3     0.49  0.24
    """
    if isinstance(runs, Mapping):
        leads = {
            name: lead(of, ahead, behind, setting, measure=measure) for name, of in runs.items()
        }
        return pd.concat(leads)
    wide = runs.pivot(index=[setting, "repetition"], columns="rule", values=measure)
    return (wide[ahead] - wide[behind]).groupby(level=setting).agg(["mean", "sem"])
