"""A leaderboard for a paper: a table, the sentences around it, and a picture."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Never, Unpack

import numpy as np
import pandas as pd

from nbrank.arrays.ballots.profile import power_of_two
from nbrank.arrays.uncertainty.clique_covers import group_letters
from nbrank.findings.best_set_text import (
    describe_best,
    describe_sample,
    describe_separated_pairs,
    format_confidence,
)
from nbrank.findings.labels import (
    DisplayNames,
    agree_verb,
    label_text,
    rule_title,
    unique_label_texts,
)
from nbrank.findings.overview import compute_overview, describe_tasks, task_noun, task_places
from nbrank.rules.bound_rule import parse_votes_and_rule
from nbrank.rules.registry import RuleFunction, RuleLike
from nbrank.uncertainty.cell_errors import drop_errors
from nbrank.uncertainty.rank_sets import pair_tests_of_votes
from nbrank.uncertainty.sampling_design import DELTA, DRAWS, DrawnUnit, DrawOptions
from nbrank.votes.base import Votes
from nbrank.votes.comparisons import Comparisons
from nbrank.votes.formatting import pluralize
from nbrank.votes.leaderboard import Leaderboard, VotesLike
from nbrank.votes.required_arguments import spell_out_options, with_call
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import RuleOptions

if TYPE_CHECKING:
    from nbrank.charts.board_drawing.saved_drawing import Drawing

#: Characters that LaTeX reads as commands, and their escaped forms.
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "±": r"$\pm$",
        **{character: f"\\{character}" for character in "&%$#_{}"},
    }
)

#: Maximum length of a name in a sentence: a paper abbreviates none.
_WHOLE = 10_000

#: Maximum number of rows that fit a page, and so a table that floats.
_MAX_FLOAT_ROWS = 45

#: Columns at the end of the table, which are aligned left.
_LAST = ("Rank set", "Letters")


class Sentences(NamedTuple):
    """The sentences of a paper: its abstract's, and the caption of the table."""

    abstract: str
    caption: str


@dataclass(frozen=True, eq=False)
class Summary:
    """A leaderboard for a paper: table, sentences and picture.

    Parameters
    ----------
    table
        A row for each system, best first, as `summary` describes it.
    sentences
        The sentences `abstract` and `caption`.
    """

    table: pd.DataFrame
    sentences: Sentences
    _votes: Votes = field(repr=False)
    _rule: RuleFunction = field(repr=False)
    _errors: pd.DataFrame | None = field(repr=False)
    _seed: int | None = field(repr=False)

    def __repr__(self) -> str:
        return f"{self.table.to_string()}\n\n{self.sentences.abstract}\n\n{self.sentences.caption}"

    def _repr_html_(self) -> str:
        from html import escape

        paragraphs = "".join(f"<p>{escape(text)}</p>" for text in self.sentences)
        return f"{self.table.to_html(max_rows=40)}{paragraphs}"

    def to_latex(
        self, *positional: Never, caption: str | None = None, label: str | None = None
    ) -> str:
        r"""Write the table for LaTeX with booktabs (`\usepackage{booktabs}`).

        Systems that may be best are bold, unless all may be.

        Parameters
        ----------
        *positional
            Nothing: it writes no file, and a caption is named.
        caption
            The caption, in which LaTeX's commands count; None takes `sentences.caption`.
        label
            What `\ref` calls the table; None leaves it without a label.

        Returns
        -------
        str
            A `table` environment; of more than 45 systems a `longtable`, which runs over
            pages and needs `\usepackage{longtable}`.

        Raises
        ------
        TypeError
            If something is given without a name, such as a path.
        """
        if positional:
            raise TypeError(
                "to_latex: it returns the text, and takes caption= and label= by name only; write "
                "the text to a file with pathlib.Path('table.tex').write_text(paper.to_latex())"
            )
        own = self.sentences.caption.translate(_LATEX).replace(r" \%", r"~\%")
        text = own if caption is None else caption
        cells = self._format_cells()
        alignment = "".join("l" if head in ("System", *_LAST) else "r" for head in cells)
        long = len(cells) > _MAX_FLOAT_ROWS
        written = cells.style.hide(axis="index").to_latex(
            caption=text, label=label, column_format=f"@{{}}{alignment}@{{}}", hrules=True,
            position_float=None if long else "centering",
            environment="longtable" if long else None,
        )  # fmt: skip
        if long:
            return written.replace(f"caption[]{{{text}}}", "caption[]{(continued)}")
        return written.replace(r"\begin{tabular}", "\\medskip\\small\n\\begin{tabular}")

    def _format_cells(self) -> pd.DataFrame:
        table = self.table
        names = [name.translate(_LATEX) for name in unique_label_texts(table.index)]
        best = table["best"].to_numpy(dtype=bool)
        bold = best & (not best.all())
        ends = zip(table["low"], table["high"], strict=True)
        cells = pd.DataFrame({"Rank": table["rank"].to_numpy(), "System": names})
        cells["System"] = cells["System"].mask(bold, r"\textbf{" + cells["System"] + "}")
        if "mean" in table:
            power = _power_of_ten(table["mean"])
            scaled = table[["mean", "sd"]] / 10.0**power
            digits = _count_decimals(scaled)
            unit = f", in $10^{{{power}}}$" if power else ""
            cells[rf"Mean $\pm$ SD{unit}"] = [
                (f"${mean:z.{digits}f}$" if np.isnan(sd) else
                 rf"${mean:z.{digits}f} \pm {sd:.{digits}f}$").replace("inf", r"\infty")
                for mean, sd in scaled.itertuples(index=False)
            ]  # fmt: skip
        cells["Rank set"] = [f"{low}--{high}" if low < high else f"{low}" for low, high in ends]
        if "letters" in table:
            cells["Letters"] = table["letters"].str.replace(" ", "").to_numpy()
        return cells

    def picture(self, width: float | str | None = None) -> Drawing:
        """Draw the leaderboard, as `nbrank.picture` does.

        Parameters
        ----------
        width
            The width in pixels, or as "3.3in", "85mm"; None takes the room that the picture needs.
        """
        from nbrank.charts.board_drawing.drawing import draw_overview

        seen = compute_overview(self._votes, self._rule)
        seen = seen.with_confidence(self._rule, self._seed, errors=self._errors)
        return draw_overview(seen, width=width)


@with_call("nbrank.summary(scores)")
@spell_out_options
def summary(
    scores: VotesLike,
    rule: RuleLike | None = None,
    *,
    delta: float = DELTA,
    over: DrawnUnit | None = None,
    cluster: Clusters = None,
    errors: pd.DataFrame | None = None,
    seed: int | None = 0,
    n_draws: int = DRAWS,
    **options: Unpack[RuleOptions],
) -> Summary:
    """What does a paper say of this leaderboard: the table, the sentences, the picture?

    Parameters
    ----------
    scores
        A frame of scores (systems in rows, tasks in columns, NaN where a system
        was not evaluated; or rows of system and instance),
        a `Leaderboard`, a `Tally`, or `Comparisons`.
    rule
        As for `best_set`.
    weights, groups, lower_is_better
        As for `nbrank.Leaderboard`.
    delta
        One minus the confidence.
    over, cluster, errors
        As for `best_set`.
    seed
        The seed of the draws; None takes a fresh one.
    n_draws
        The number of draws behind the tests.
    **options
        Arguments of the rule, such as `missing="ignore"`.

    Returns
    -------
    Summary
        With the attributes

        table
            A row for each system, best first: `rank`; `mean` and `sd`, of its scores over the tasks
            (over the instances of a single task), or of its places if lower is better on some
            tasks only; missing for comparisons; `low` and `high`, the ranks that it may have;
            `letters`: two systems share a letter if and only if their pair is not separated
            (left out if it takes more than 26); `p_value` and `best`, whether it may be best.
        sentences
            `abstract` and `caption`, with the test, the number of units, what the confidence is
            over, and what is missing.

        `.to_latex(caption=, label=)` writes the table, `.picture(width=)` draws it.

    Raises
    ------
    TypeError
        If the scores are not numbers, or options are given together with a Leaderboard.
    ValueError
        If labels are duplicate or unknown, weights don't fit, or an option is
        unknown; the message names what is at fault.
        Also as for `best_set`.

    References
    ----------
    Gupta, On a Decision Rule for a Problem in Ranking Means, 1956; Mogstad, Romano, Shaikh and
    Wilhelm, Inference for Ranks, 2024.

    Examples
    --------
    >>> import nbrank
    >>> board = nbrank.datasets.load_superglue_submissions()
    >>> paper = summary(board)
    >>> print(paper.table.loc[["SS-MoE", "T5"], ["rank", "low", "high", "best"]])
            rank  low  high   best
    system
    SS-MoE     1    1     8   True
    T5         7    3     9  False
    >>> print(paper.sentences.abstract.partition(". ")[0])
    SS-MoE ranks first of 24 systems on 14 tasks by Borda
    """
    draws = DrawOptions("summary", over, errors, None, cluster, seed, n_draws)
    draws.check_level(delta)
    whole, bound = parse_votes_and_rule("summary", scores, rule, "", cluster, **options)
    votes = whole.emit_warnings().drop_unscored()
    errors = drop_errors(errors, whole.unscored)
    tested = pair_tests_of_votes(votes, bound, replace(draws, errors=errors))
    sets, best = tested.frame(delta, joint=True), tested.best_frame(delta)
    table = sets[["rank"]].copy()
    board = votes if isinstance(votes, Leaderboard) else None
    if board is not None:
        table = table.join(_score_means(board))
    table = table.join(sets[["low", "high"]])
    place = tested.systems.get_indexer(sets.index)
    if (letters := group_letters(tested.different(delta)[np.ix_(place, place)])) is not None:
        table["letters"] = letters
    table = table.join(best[["p_value", "best"]])
    table.attrs = dict(best.attrs)
    notes = [] if board is None else _describe_means(board)
    if len(whole.systems) > len(votes.systems):
        names = DisplayNames.from_labels(whole.unscored, _WHOLE).join(whole.unscored, 8)
        verb = agree_verb("is", len(whole.unscored))
        notes.append(f"{names} {verb} left out, without a single score.")
    sentences = _write_sentences(votes, sets, best, table, notes)
    return Summary(table, sentences, votes, bound.function, errors, seed)


def _uses_places(board: Leaderboard) -> bool:
    """Return whether means are of places: of ballots, or if lower is better on some tasks only."""
    return task_noun(board) == "ballot" or len(set(board.is_lower_better)) > 1


def _averaged_unit(board: Leaderboard) -> str:
    if task_noun(board) == "ballot":
        return "voters"
    return "instances" if board.is_instance_level and len(board.tasks) == 1 else "tasks"


def _score_means(board: Leaderboard) -> pd.DataFrame:
    """Compute the weighted mean and standard deviation of each system's scores, or places."""
    weights, voters = board.weights, board.voter_counts.astype(float)
    if _uses_places(board):
        values = task_places(board).to_numpy(dtype=float)
    elif _averaged_unit(board) == "instances":
        values, weights, voters = board.values, *np.ones((2, board.values.shape[1]))
    else:
        values = board.task_scores().to_numpy(dtype=float)
    observed = ~np.isnan(values)
    share = np.where(observed, weights, 0.0)
    share /= share.sum(axis=1, keepdims=True)
    # In a unit near the largest score no square overflows, and none that counts vanishes.
    unit = power_of_two(float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0)
    filled = np.where(share > 0, values, 0.0) / unit
    n = (share > 0) @ voters
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (share * filled).sum(axis=1)
        squares = (share * (filled - means[:, None]) ** 2).sum(axis=1)
        spread = np.where(n > 1, np.sqrt(squares * n / (n - 1)), np.nan)
    return pd.DataFrame({"mean": means, "sd": spread}, board.systems) * unit


def _describe_means(board: Leaderboard) -> list[str]:
    """Say what the means are of, and which scores and runs are missing."""
    of = "places (1 is best)" if _uses_places(board) else "scores"
    of_voters = board.weights[board.weights > 0] / board.voter_counts[board.weights > 0]
    weighted = "weighted " * bool(np.ptp(of_voters) > 0)
    over = _averaged_unit(board)
    notes = [f"Means and standard deviations (SD) are of the {weighted}{of} over {over}."]
    missing = int(np.isnan(board.values[:, board.active_columns]).sum())
    if missing:
        size = board.values[:, board.active_columns].size
        notes.append(
            f"{missing:,} of {size:,} scores {agree_verb('is', missing)} missing, and each mean is "
            f"over the scores that the system has."
        )
    if runs := board.describe_missing_runs(label_text, label_text):
        notes.append(f"{runs}.")
    return notes


def _write_sentences(
    votes: Votes, sets: pd.DataFrame, best: pd.DataFrame, table: pd.DataFrame, notes: list[str]
) -> Sentences:
    names = DisplayNames.from_labels(votes.systems, _WHOLE)
    first = list(table.index[table["rank"] == 1])
    rank = "ranks first" if len(first) == 1 else "share the first rank"
    systems, by = pluralize(len(table), "system"), rule_title(str(best.attrs["rule"]))
    details = on_tasks = ""
    if isinstance(votes, Leaderboard):
        n_tasks = int(votes.voter_counts[votes.weights > 0].sum())
        on_tasks, details = pluralize(n_tasks, task_noun(votes)), f" on {describe_tasks(votes)}"
        on_tasks = f" on {on_tasks}{f' ({votes.sample_size})' * votes.is_instance_level}"
    elif isinstance(votes, Comparisons):
        on_tasks = details = f" on {pluralize(len(votes), 'comparison')}"
    if len(table) == 1:
        alone = f"{names.join(first)} is the only system{on_tasks}."
        return Sentences(alone, " ".join([f"{systems}{details}.", *notes]))
    which, test = describe_best(best, votes, names), _describe_test(best)
    too_few = "note" in best.attrs
    abstract = f"{names.join(first, 3)} {rank} of {systems}{on_tasks} by {by}. "
    abstract += which if too_few else f"{which.removesuffix('.')} ({test})."
    parts = [f"{systems}{details}; ranked by {by}.", *notes]
    if too_few:
        return Sentences(abstract, " ".join([*parts, which]))
    if best["best"].all():
        parts.append(f"Any system may be best ({format_confidence(best, votes)}).")
    else:
        parts.append(f"Bold: systems that may be best ({format_confidence(best, votes)}).")
    if "note" in sets.attrs:
        parts.append(describe_separated_pairs(sets, names))
    else:
        at_most = "at most " if "skewed" in sets.attrs and "tests" in best.attrs else ""
        parts.append(f"Rank sets hold all ranks at once, with {at_most}the same confidence.")
        if "letters" in table:
            parts.append("Systems that share a letter are not told apart.")
        parts.append(describe_separated_pairs(sets, names).partition("; rank 1")[0] + ".")
    return Sentences(abstract, " ".join([*parts, f"Test: {test}."]).replace("..", "."))


def _describe_test(best: pd.DataFrame) -> str:
    """Name the test, and how many units it has."""
    over = best.attrs.get("over")
    if over in ("errors", "seeds"):
        return "max-t test by the standard errors of the scores, tasks taken as given"
    if over is None:
        return "max-t test by the covariance of the strengths"
    test = f"sign-flip test of the largest studentized difference, n = {describe_sample(best)}"
    return f"{test}; of the best, also by the bootstrap" if "tests" in best.attrs else test


def _power_of_ten(means: pd.Series) -> int:
    """Return the power of ten of the largest mean, if four decimals hide it or it is long; or 0."""
    largest = float(means[np.isfinite(means)].abs().max())
    power = int(np.floor(np.log10(largest))) if largest > 0 else 0
    return 0 if -3 <= power <= 5 else max(power, -300)


def _count_decimals(table: pd.DataFrame) -> int:
    """Choose decimals that show three digits of the median spread, at most four decimals."""
    spread = float(np.nanmedian(table["sd"])) if table["sd"].notna().any() else 0.0
    size = spread or float(table["mean"].abs().max()) / 100
    return int(np.clip(2 - np.floor(np.log10(size)), 0, 4)) if size > 0 else 2
