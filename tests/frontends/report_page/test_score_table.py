"""The table of the page: each cell is a rank, a description or a score of its system."""

import re
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import nbrank

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

SCORES = pd.DataFrame(
    {"f1": [93.5, 90.25, np.nan, 80.0], "ms": [4.0, 2.0, 3.0, 9.0], "acc": [0.5, 0.7, 0.6, 0.1]},
    index=["A", "B", "C", "<b>D</b>"],
)
ABOUT = pd.DataFrame(
    {"licence": ["MIT", None, "closed", "&"], "size": [7, 70, 13, 2]}, SCORES.index
)


class Table(HTMLParser):
    """The words in the cells of the sortable table, row by row, and the attributes of its heads."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.heads, self.bold = [], [], set()
        self.feed(re.search(r'<table class="sortable">.*?</table>', html, re.DOTALL)[0])

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "th" and len(self.rows) == 1:
            self.heads.append(dict(attributes))
        if tag == "b":
            self.bold.add((len(self.rows) - 1, len(self.rows[-1]) - 1))

    def handle_data(self, text):
        self.rows[-1][-1] += text


@pytest.fixture(scope="module")
def board():
    return nbrank.Leaderboard(SCORES, lower_is_better=["ms"], descriptions=ABOUT)


@pytest.fixture(scope="module")
def page(board):
    return nbrank.report(board, rules=["borda", "copeland"])


@pytest.fixture(scope="module")
def table(page):
    return Table(page._repr_html_())


def test_it_has_ranks_descriptions_and_scores_best_first(board, table):
    head, *rows = table.rows
    assert head == ["system", "rank", "licence", "size", "f1", "ms ↓", "acc"]
    ranking = nbrank.borda(board)
    assert [row[0] for row in rows] == ranking.index.tolist()
    assert [int(row[1]) for row in rows] == ranking["rank"].tolist()
    cells = {row[0]: row[2:] for row in rows}
    assert cells["A"] == ["MIT", "7", "93.50", "4", "0.5"]
    assert cells["C"] == ["closed", "13", "", "3", "0.6"]
    assert cells["B"][0] == ""


def test_labels_with_marks_are_text(page):
    html = page._repr_html_()
    assert "&lt;b&gt;D&lt;/b&gt;" in html
    assert "<b>D</b>" not in html


def test_the_best_score_of_each_task_is_bold(table):
    bold = {(table.rows[row][0], table.rows[0][column]) for row, column in table.bold}
    assert bold == {("A", "f1"), ("B", "ms ↓"), ("B", "acc")}


def test_a_first_click_puts_the_best_on_top(table):
    low = {
        word for word, head in zip(table.rows[0], table.heads, strict=True) if "data-best" in head
    }
    assert low == {"system", "rank", "licence", "ms ↓"}
    assert [head.get("aria-sort") for head in table.heads[:2]] == [None, "ascending"]


def test_rank_sets_are_those_of_rank_confidence():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(rng.normal(np.arange(5)[:, None], 2, (5, 12)), list("ABCDE"))
    html = nbrank.report(scores.add_prefix("t"), rules=["borda"])._repr_html_()
    sets = nbrank.rank_confidence(scores.add_prefix("t"), "borda", seed=0)
    ends = sets[["low", "high"]].to_numpy().tolist()
    expected = [f"{low}–{high}" if low < high else f"{low}" for low, high in ends]
    rows = Table(html).rows
    assert rows[0][:3] == ["system", "rank", "rank set"]
    assert [row[2] for row in rows[1:]] == expected
    best = nbrank.best_set(scores.add_prefix("t"), "borda")
    marked = re.findall(r'<tr class="best"><th scope="row">(.)<', html)
    assert marked == best.index[best["best"]].tolist()


def test_a_rank_that_several_share_is_marked_as_in_the_picture():
    tied = pd.DataFrame({"t1": [2, 1, 0], "t2": [1, 2, 0]}, index=list("ABC"))
    table = Table(nbrank.report(tied, rules=["borda"])._repr_html_())
    assert [row[1] for row in table.rows[1:]] == ["=1", "=1", "3"]


def test_scores_have_up_to_five_digits_of_their_own():
    frame = pd.DataFrame({"elo": [1287.44, 1301.5], "share": [0.123456, -0.25], "n": [1e-7, 0.0]})
    rows = Table(nbrank.report(frame.set_axis(["A", "B"]), rules=["borda"])._repr_html_()).rows
    cells = {row[0]: row[-3:] for row in rows[1:]}
    assert cells == {"A": ["1287.4", "0.12346", "0.00000"], "B": ["1301.5", "−0.25000", "0.00000"]}


def test_of_many_tasks_a_sheet_of_paper_leaves_the_scores_out_and_says_so():
    few, many = (
        nbrank.report(pd.DataFrame(np.eye(3, n)).add_prefix("t"), rules=["borda"])._repr_html_()
        for n in (16, 120)
    )
    note = "The scores are in the table on the screen."
    assert note not in few
    assert note in many
    assert "The table has the first 100 of 120 tasks." in many
    assert len(Table(many).rows[0]) < 110
    bold = " The best scores of each task are bold."
    assert f'<span class="screen">{bold}</span>' in many
    assert f'<span class="screen">{bold}</span>' not in few
    assert bold in few


def test_ballots_and_comparisons_have_the_score_of_the_rule_and_no_tasks():
    ballots = nbrank.from_ballots([["A", "B", "C"]] * 3 + [["B", "C", "A"]] * 2)
    votes = pd.DataFrame({"left": list("AAB"), "right": list("BCC"), "winner": list("ACB")})
    battles = nbrank.from_comparisons(votes, left="left", right="right", winner="winner")
    for source, rule in ((ballots, "borda"), (battles, "copeland")):
        html = nbrank.report(source, rule, rules=[rule])._repr_html_()
        head, *rows = Table(html).rows
        assert head in (["system", "rank", "score"], ["system", "rank", "score", "rank set"])
        points = getattr(source, rule)()["score"]
        assert [float(row[2].replace("−", "-")) for row in rows] == points.tolist()
        assert "of each task" not in html
