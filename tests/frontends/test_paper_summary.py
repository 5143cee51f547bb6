"""What a paper says of a leaderboard: the table, the sentences, and LaTeX that compiles."""

import pathlib
import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.arrays.uncertainty.clique_covers import group_letters

SUPERGLUE = nbrank.datasets.load_superglue_submissions()


@pytest.fixture(scope="module")
def paper():
    return nbrank.summary(SUPERGLUE)


def runs():
    rng = np.random.default_rng(0)
    rows = pd.MultiIndex.from_product([list("ABCD"), range(3)], names=["system", "seed"])
    scores = pd.DataFrame(rng.normal(size=(12, 8)), rows).add_prefix("t")
    scores.iloc[:3] += 5
    return scores


def test_the_table_has_the_ranks_the_best_set_the_rank_sets_and_the_means(paper):
    sets, best = SUPERGLUE.rank.rank_confidence("borda", seed=0), SUPERGLUE.rank.best_set()
    pd.testing.assert_frame_equal(paper.table[["rank", "low", "high"]], sets, check_dtype=False)
    pd.testing.assert_frame_equal(paper.table[["rank", "p_value", "best"]], best)
    means = SUPERGLUE.loc[paper.table.index]
    np.testing.assert_allclose(paper.table["mean"], means.mean(axis=1))
    np.testing.assert_allclose(paper.table["sd"], means.std(axis=1))


def test_two_systems_share_a_letter_just_where_their_pair_is_not_told_apart(paper):
    pairs = SUPERGLUE.rank.significant_pairs("borda")
    apart = {frozenset(pair) for pair in zip(pairs["better"], pairs["worse"], strict=True)}
    letters = paper.table["letters"].str.split().map(set)
    for one in letters.index:
        for other in letters.index:
            if one != other:
                assert (not letters[one] & letters[other]) == (frozenset([one, other]) in apart)
    assert f"{len(apart)} of 276 pairs of systems are told apart" in paper.sentences.caption


def test_letters_of_groups():
    different = np.ones((4, 4), bool)
    for one, other in [(0, 1), (1, 2)]:
        different[one, other] = different[other, one] = False
    np.fill_diagonal(different, False)
    assert group_letters(different) == ["a", "a b", "b", "c"]


def test_beyond_26_letters_there_are_none(monkeypatch):
    monkeypatch.setattr("nbrank.arrays.uncertainty.clique_covers.MAX_LETTERS", 3)
    found = nbrank.summary(SUPERGLUE)
    assert "letters" not in found.table
    assert "letter" not in found.sentences.caption
    check_latex(found.to_latex())


def test_the_sentences_name_the_test_the_units_and_the_confidence(paper):
    assert paper.sentences.abstract == (
        "SS-MoE ranks first of 24 systems on 14 tasks by Borda. By Borda, with 95 % confidence "
        "over tasks, the best is one of these 4: SS-MoE, Turing NLR v5, ERNIE 3.0 and SuperGLUE "
        "Human Baselines (sign-flip test of the largest studentized difference, n = 14 tasks)."
    )
    assert "rules" not in " ".join(paper.sentences)


def test_missing_runs_and_scores_are_said():
    scores = runs()
    scores.iloc[0, 0] = np.nan
    found = nbrank.summary(scores)
    assert "A is surely first (sign-flip test" in found.sentences.abstract
    assert "confidence over tasks and seeds" in found.sentences.abstract
    assert "1 of 96 runs is missing, of A on t0." in found.sentences.caption
    scores = SUPERGLUE.copy()
    scores.iloc[0, 0] = np.nan
    assert "1 of 336 scores is missing" in nbrank.summary(scores).sentences.caption
    scores.loc["empty"] = np.nan
    found = nbrank.summary(scores)
    assert "empty is left out, without a single score" in found.sentences.caption
    assert "empty" not in found.table.index


def test_means_are_of_places_where_directions_differ():
    scores = pd.DataFrame({"acc": [3.0, 2, 1], "seconds": [1.0, 2, 30]}, list("ABC"))
    found = nbrank.summary(scores, lower_is_better=["seconds"])
    assert found.table["mean"].tolist() == [1, 2, 3]
    assert "of the places (1 is best) over tasks" in found.sentences.caption
    found = nbrank.summary(scores[["acc"]].assign(b=1.0), weights={"acc": 3})
    assert found.table["mean"].tolist() == [2.5, 1.75, 1]
    assert "weighted scores" in found.sentences.caption


def test_one_task_with_instances_has_means_over_instances():
    rng = np.random.default_rng(0)
    rows = pd.MultiIndex.from_product([list("AB"), range(50)], names=["system", "instance"])
    scores = pd.DataFrame({"t": rng.integers(0, 2, 100).astype(float)}, rows)
    found = nbrank.summary(scores, "mean")
    by_system = scores["t"].unstack()
    np.testing.assert_allclose(found.table["sd"], by_system.std(axis=1)[found.table.index])
    assert "on 1 task (50 instances) by mean" in found.sentences.abstract
    assert "over instances" in found.sentences.caption


def test_too_few_tasks_are_said_and_nothing_is_bold():
    found = nbrank.summary(SUPERGLUE.iloc[:5, :3])
    assert "3 tasks are too few to say which system is best" in found.sentences.abstract
    assert "test" not in found.sentences.abstract
    assert found.table["best"].all()
    assert r"\textbf" not in found.to_latex()


def test_a_single_system_is_not_called_the_best_of_one():
    scores = pd.DataFrame({"a": [1.0, np.nan], "b": [2.0, np.nan]}, ["A", "B"])
    found = nbrank.summary(scores)
    assert found.sentences.abstract == "A is the only system on 2 tasks."
    assert "B is left out, without a single score" in found.sentences.caption
    assert "may be best" not in found.sentences.caption


def test_a_task_without_a_score_is_no_unit():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(size=(3, 6)), list("ABC")).add_prefix("t")
    scores["t5"] = np.nan
    assert nbrank.best_set(scores).attrs["n"] == 5
    assert "5 tasks are too few to tell any pair" in nbrank.summary(scores).sentences.caption


def test_ballots_have_mean_places_over_voters():
    votes = nbrank.from_ballots([list("ABC"), list("BAC"), list("CAB")], counts=[10, 5, 2])
    found = nbrank.summary(votes)
    places = np.repeat([[1, 2, 3], [2, 1, 3], [2, 3, 1]], [10, 5, 2], axis=0)
    np.testing.assert_allclose(found.table["mean"], places.mean(axis=0))
    np.testing.assert_allclose(found.table["sd"], places.std(axis=0, ddof=1))
    assert "A ranks first of 3 systems on 17 ballots by Borda" in found.sentences.abstract
    assert "are of the places (1 is best) over voters" in found.sentences.caption


def random_scores(kind, rng):
    """Draw scores; return them, systems x what is averaged, and the sample as it is written."""
    n, m = int(rng.integers(3, 7)), int(rng.integers(6, 10))
    scores = (rng.normal(size=(n, 1, 1)) * 2 + rng.normal(size=(n, m, 3))).round()
    names, each = [f"s{i}" for i in rng.permutation(n)], scores.mean(axis=2)
    averaged = pd.DataFrame(each, names).add_prefix("t")
    if kind == "tied":
        averaged = averaged.round()
    if kind == "missing":
        averaged = averaged.mask(rng.random(averaged.shape) < 0.2)
    if kind == "grouped":
        columns = [(f"g{j % 5}", task) for j, task in enumerate(averaged)]
        averaged.columns = pd.MultiIndex.from_tuples(columns)
        return averaged, averaged, ("groups of tasks", 5, "group")
    if kind == "runs":
        rows = pd.MultiIndex.from_product([names, range(3)], names=["system", "seed"])
        runs = pd.DataFrame(scores.swapaxes(1, 2).reshape(3 * n, m), rows).add_prefix("t")
        return runs, averaged, ("tasks and seeds", m, "task")
    if kind == "instances":
        rows = pd.MultiIndex.from_product([names, range(m)], names=["system", "instance"])
        long = pd.DataFrame({"t": averaged.to_numpy().ravel()}, rows)
        return long, averaged, ("instances", m, "instance")
    return averaged, averaged, ("tasks", m, "task")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["tied", "missing", "grouped", "runs", "instances"])
def test_every_figure_of_random_tables_is_that_of_plain_pandas(kind, seed):
    scores, averaged, (over, n, unit) = random_scores(kind, np.random.default_rng(seed))
    options = {"rule": "borda", "delta": 0.2, "n_draws": 400}
    found = nbrank.summary(scores, **options)
    table, (abstract, caption) = found.table, found.sentences
    best = nbrank.best_set(scores, **options)["best"]
    pairs = nbrank.significant_pairs(scores, **options)
    apart = {frozenset(pair) for pair in zip(pairs["better"], pairs["worse"], strict=True)}
    may_be, size = list(table.index[best[table.index]]), len(table)
    bold = may_be if len(may_be) < size else []

    for system, line in zip(table.index, check_latex(found.to_latex())[1:], strict=True):
        rank, name, mean, ranks, letters = line.removesuffix(r" \\").split(" & ")
        assert int(rank) == table.loc[system, "rank"]
        assert name == (rf"\textbf{{{system}}}" if system in bold else system)
        scored, shown = averaged.loc[system].dropna(), re.findall(r"-?\d+\.\d+", mean)
        computed = [scored.mean(), scored.std(ddof=1)][: len(shown)]
        np.testing.assert_allclose(
            table.loc[system, ["mean", "sd"]].tolist()[: len(shown)], computed, atol=1e-12
        )
        assert shown == [f"{value:z.{len(shown[0].partition('.')[2])}f}" for value in computed]
        worse = sum(frozenset([system, other]) in apart for other in table.index)
        low, high = ranks.split("--") if "--" in ranks else (ranks, ranks)
        assert worse == int(low) - 1 + size - int(high)
        for other, theirs in table["letters"].items():
            if other != system:
                shared = set(letters) & set(theirs.split())
                assert (not shared) == (frozenset([system, other]) in apart)

    one_of = {1: f"{may_be[0]} is surely first", size: f"any of the {size} systems may be best"}
    listed = f"the best is one of these {len(may_be)}: {', '.join(may_be[:-1])} and {may_be[-1]}"
    assert one_of.get(len(may_be), listed) in abstract
    assert f"of {size} systems on " in abstract
    for text in (abstract, caption):
        assert f"80 % confidence over {over}" in text
        assert f"n = {n} {unit}s" in text
    assert f"{len(apart)} of {size * (size - 1) // 2} pairs of systems are told apart" in caption
    missing = int(averaged.isna().to_numpy().sum())
    assert (f"{missing} of {averaged.size} scores" in caption) == (missing > 0)


def test_comparisons_have_no_means():
    pairs = [("A", "B"), ("B", "A"), ("B", "C"), ("C", "B"), ("A", "C"), ("A", "C")] * 6
    battles = pd.DataFrame(pairs, columns=["winner", "loser"])
    source = nbrank.from_comparisons(battles, winner="winner", loser="loser")
    found = nbrank.summary(source, "bradley_terry")
    assert "mean" not in found.table
    assert "of 3 systems on 36 comparisons by Bradley-Terry" in found.sentences.abstract
    assert "3 systems on 36 comparisons; ranked" in found.sentences.caption
    assert "covariance of the strengths" in found.sentences.caption
    check_latex(found.to_latex())
    with pytest.raises(ValueError, match="summary: borda has no confidence sets .*'bradley_terry'"):
        nbrank.summary(source, "borda")


def test_a_rule_without_a_best_set_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="summary: minimax .* choose 'mean_win_rate'"):
        nbrank.summary(SUPERGLUE, "minimax")


def check_latex(text):
    """Check that environments and braces close, and that all rows have as many cells."""
    stack = []
    for begins, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if begins == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    bare = re.sub(r"~?\\[\\&%$#_{}]", "", text)
    depth = 0
    for character in bare:
        depth += (character == "{") - (character == "}")
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    assert not re.search(r"[#_^~<>|]", re.sub(r"\$[^$]*\$", "", bare))
    (columns,) = re.findall(r"\\begin\{tabular\}\{@\{\}(\w+)@\{\}\}", text)
    body = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    rows = [row for row in body.splitlines() if row.endswith(r"\\")]
    for row in rows:
        cells = re.sub(r"\\&", "", row).count("&") + 1
        assert cells == len(columns)
    return rows


HARD_NAMES = [r"a_b & c%", "x^2 ~ {y} #1", r"back\slash", "<|im_end|> $5"]


def test_latex_is_well_formed_also_with_names_that_latex_would_read(paper):
    rows = check_latex(paper.to_latex())
    assert len(rows) == 1 + len(SUPERGLUE)
    assert rows[0] == r"Rank & System & Mean $\pm$ SD & Rank set & Letters \\"
    assert rows[1] == r"1 & \textbf{SS-MoE} & $90.0 \pm 10.5$ & 1--8 & a \\"
    assert sum(r"\textbf" in row for row in rows) == paper.table["best"].sum() == 4
    named = SUPERGLUE.iloc[:4].set_axis(HARD_NAMES)
    check_latex(nbrank.summary(named).to_latex(label="tab:one"))


@pytest.mark.parametrize(
    ("factor", "power"), [(1e-6, -6), (1e-300, -300), (1e20, 20), (1e299, 299)]
)
def test_means_and_spreads_keep_their_digits_in_any_unit(factor, power):
    scores = pd.DataFrame([[5, 4, 6, 5], [3, 4, 5, 2]], ["A", "B"])
    plain, scaled = nbrank.summary(scores), nbrank.summary(scores * factor)
    for column in ("mean", "sd"):
        np.testing.assert_allclose(scaled.table[column], plain.table[column] * factor)
    head, *rows = check_latex(scaled.to_latex())
    assert head.split(" & ")[2] == rf"Mean $\pm$ SD, in $10^{{{power}}}$"
    assert rows == check_latex(plain.to_latex())[1:]


def test_a_mean_of_an_infinite_score_is_infinite_and_has_no_spread():
    scores = pd.DataFrame([[5, np.inf, 6, 5], [3, 4, 5, 2]], ["A", "B"])
    found = nbrank.summary(scores)
    assert found.table.loc["A", "mean"] == np.inf
    assert np.isnan(found.table.loc["A", "sd"])
    assert r"& $\infty$ &" in found.to_latex()
    finite = nbrank.summary(scores, weights={1: 0}).table[["mean", "sd"]]
    pd.testing.assert_frame_equal(
        finite, nbrank.summary(scores.drop(columns=1)).table[["mean", "sd"]]
    )


def test_a_table_longer_than_a_page_runs_over_pages(paper, monkeypatch):
    monkeypatch.setattr("nbrank.frontends.paper_summary._MAX_FLOAT_ROWS", 23)
    text = paper.to_latex(label="tab:long")
    assert text.startswith(r"\begin{longtable}{@{}rlrll@{}}")
    assert text.count("24 systems on 14 tasks") == 1
    assert r"\caption[]{(continued)}" in text
    assert r"\label{tab:long}" in text


def test_names_are_whole_and_unique():
    scores = SUPERGLUE.iloc[:3].set_axis(
        ["an-embedding-model-of-a-very-long-name-" + "v" * 40, 1, "1"]
    )
    found = nbrank.summary(scores)
    rows = [line.split(" & ")[1] for line in check_latex(found.to_latex())[1:]]
    assert len(set(rows)) == 3
    assert scores.index[0] in found.sentences.abstract


def test_caption_and_label_are_those_given(paper):
    text = paper.to_latex(caption=r"Mine, \emph{as it is}.", label="tab:mine")
    assert r"\caption{Mine, \emph{as it is}.}" in text
    assert r"\label{tab:mine}" in text
    assert r"95~\% confidence" in paper.to_latex()
    assert r"\label" not in paper.to_latex()


@pytest.mark.full
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_latex_compiles(tmp_path, paper):
    named = nbrank.summary(SUPERGLUE.iloc[:4].set_axis(HARD_NAMES))
    long = nbrank.summary(nbrank.datasets.load_mteb())
    tables = paper.to_latex(label="tab:one") + named.to_latex() + long.to_latex()
    document = (
        r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs,longtable}"
        rf"\begin{{document}}{tables}\end{{document}}"
    )
    (tmp_path / "paper.tex").write_text(document, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


def test_the_picture_is_that_of_the_leaderboard(paper):
    assert paper.picture().title == nbrank.picture(SUPERGLUE).title
    assert paper.picture(width="85mm").width < paper.picture().width


def test_it_shows_itself(paper):
    assert paper.sentences.abstract in repr(paper)
    assert "<table" in paper._repr_html_()
    assert isinstance(SUPERGLUE.rank.summary().table, pd.DataFrame)
    assert nbrank.Leaderboard(SUPERGLUE).summary().table.equals(paper.table)


def test_a_path_is_refused_where_a_text_is_returned(tmp_path):
    paper = nbrank.summary(nbrank.datasets.load_superglue())
    with pytest.raises(TypeError, match="write the text to a file") as refused:
        paper.to_latex("x.tex")
    call = str(refused.value).partition(" with ")[2].replace("table.tex", f"{tmp_path}/table.tex")
    eval(call, {"pathlib": pathlib, "paper": paper})
    assert (tmp_path / "table.tex").read_text() == paper.to_latex()
