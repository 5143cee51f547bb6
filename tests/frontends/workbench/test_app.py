"""`ExplorerApp`: every table in every tab, a file of one's own, and refusals in words."""

import html
import json
import re
import warnings
from itertools import product
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
import traitlets

import nbrank
from nbrank.frontends.workbench import ExplorerApp
from nbrank.frontends.workbench.app import TABLES

# Tables here are as small as they can be, and their tasks are called as it comes.
pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

OURS = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=list("ABC"))


def upload(app, text, name="mine.csv", encoding="utf-8"):
    """Give a file to the page, as the browser does."""
    app.source._handle_custom_msg({"name": name}, [memoryview(text.encode(encoding))])


def press_advice(app):
    """Press the first button by which a refused file is read."""
    name = html.unescape(re.search(r'<p><button data-name="(.*?)"', app.reading.html)[1])
    app.reading._handle_custom_msg([name, ""], [])


def correct(app, column, value):
    """Choose a role or a direction in the row of a column, as the browser sends it."""
    name = json.dumps(["role", column])
    assert f'data-name="{html.escape(name)}"' in app.reading.html
    app.reading._handle_custom_msg([name, value], [])


def rows(app):
    """The reading as it stands on the page: column -> its cells."""
    found = {}
    for row in re.findall(r"<tr class.*?</tr>", app.reading.html):
        column, _, direction, why = re.findall(r"<t[hd]>(.*?)</t[hd]>", row)
        role = re.search(r"<option selected>(.*?)</option>", row)[1]
        pressed = re.search(r'aria-pressed="true">. (.*?)</button>', direction)
        found[column] = role, pressed and pressed[1], why
    return found


@pytest.fixture
def app():
    return ExplorerApp({"ours": OURS, "chat": nbrank.datasets.load_llm_chat})


@pytest.mark.parametrize("title", TABLES)
def test_every_table_opens_in_every_tab(title):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", nbrank.LeaderboardWarning)
        table = TABLES[title]()
        app = ExplorerApp({title: table})
        for tab in ("rules", "weights", "pairs", "missing", "confidence", "elimination"):
            app.bench.tab = tab
            assert app.bench.text
    board = nbrank.Leaderboard(table) if isinstance(table, pd.DataFrame) else table
    board = board.drop_unscored()
    what = "kinds of ballot" if "voters" in title else "tasks"
    assert app.text.startswith(f"{len(board.systems)} systems on {len(board.tasks)} {what}")


def test_of_ballots_voters_are_drawn():
    title = "Condorcet's 60 voters: a circle"
    app = ExplorerApp({title: TABLES[title]})
    assert app.text == "3 systems on 5 kinds of ballot by 60 voters."
    assert "95 % confidence over voters" in app.bench.text


def test_its_tables_need_no_network():
    assert all(load.__name__.startswith("load_") for load in TABLES.values())


def test_the_list_and_the_trait_move_together(app):
    app._choice.value = "chat"
    assert app.table == "chat"
    assert app.text == "7 systems on 22 tasks in 4 groups, higher is better on all."
    app.table = "ours"
    assert app._choice.value == "ours"
    assert app.text == "3 systems on 2 tasks, higher is better on all."


def test_a_table_is_found_again_as_it_was_left(app):
    app.bench.weights = {"t1": 0}
    app.bench.tab = "missing"
    app.table = "chat"
    app.table = "ours"
    assert app.bench.weights == {"t1": 0, "t2": 1}
    assert app.bench.tab == "missing"


def test_a_saved_notebook_shows_the_picture_of_the_table_that_is_open(app):
    assert app._repr_mimebundle_().items() >= app.bench.image().items() != {}


def test_it_says_what_a_table_of_instances_holds():
    app = ExplorerApp({"texts": nbrank.datasets.load_ceval_scores})
    assert app.text == (
        "6 systems on 3 tasks, 1,464 instances, lower is better on edit distance and WER, higher "
        "on all others."
    )


def test_what_is_unknown_is_refused(app):
    with pytest.raises(traitlets.TraitError, match="table: unknown 'theirs'; there are 'ours'"):
        app.table = "theirs"
    with pytest.raises(ValueError, match="no tables to explore"):
        ExplorerApp({})


def test_a_table_that_can_not_be_fetched_is_said_and_the_others_stay(app, monkeypatch, tmp_path):
    def no_network(*_):
        raise OSError("no network")

    monkeypatch.setattr(nbrank.datasets.cache, "download", no_network)
    monkeypatch.setenv("NBRANK_DATA_DIR", str(tmp_path))
    app = ExplorerApp({"ours": OURS, "theirs": nbrank.datasets.fetch_llmfao})
    app.table = "theirs"
    assert app.bench is None
    assert app._slot.children == ()
    assert "llmfao/llmfao.csv (498,018 bytes) is not in" in app.text
    app.table = "ours"
    assert app.bench is not None


class TestAFileOfOnesOwn:
    def test_it_is_explored_at_once(self, app):
        upload(app, "model,accuracy,seconds\nslow,0.9,3\nquick,0.8,1\n")
        assert app.table == "your file: mine.csv"
        assert app.text == (
            "2 systems on 2 tasks, lower is better on seconds (by its name), higher on all others."
        )
        assert rows(app)["seconds"] == ("task", "lower", "its name, &#x27;seconds&#x27;")
        assert rows(app)["accuracy"][:2] == ("task", "higher")
        assert list(app.bench.ranking.index) == ["slow", "quick"]

    def test_a_direction_is_corrected_by_a_click(self, app):
        upload(app, "model,accuracy,pages\nslow,0.9,3\nquick,0.9,1\n")
        assert list(app.bench.ranking.index) == ["slow", "quick"]
        correct(app, "pages", "lower")
        assert app.text == (
            "2 systems on 2 tasks, lower is better on pages (as you say), higher on all others."
        )
        assert rows(app)["pages"] == ("task", "lower", "you")
        assert list(app.bench.ranking.index) == ["quick", "slow"]
        correct(app, "pages", "higher")
        assert list(app.bench.ranking.index) == ["slow", "quick"]

    def test_a_role_is_corrected_by_a_click_and_what_counts_is_counted(self, app):
        upload(app, "model,accuracy,speed,params\nA,0.9,1,7\nB,0.8,3,70\nC,0.7,2,3\n")
        assert "3 systems, 2 tasks are ranked, 1 column left out" in app.reading.html
        assert rows(app)["params"][0] == "description"
        correct(app, "params", "task")
        assert "3 systems, 3 tasks are ranked</h3>" in app.reading.html
        assert list(app.bench.board.tasks) == ["accuracy", "speed", "params"]

    def test_a_correction_that_can_not_be_is_said_and_not_made(self, app):
        upload(app, "model,accuracy,speed\nA,0.9,1\nB,0.8,3\n")
        before = app.reading.html
        correct(app, "model", "description")
        assert "“model” can't be read as description." in app.text
        assert app.reading.html == before
        assert list(app.bench.board.systems) == ["A", "B"]

    def test_a_reading_can_be_kept(self, app):
        upload(app, "model,accuracy,pages\nslow,0.9,3\nquick,0.9,1\n")
        correct(app, "pages", "lower")
        kept = re.search(r'href="data:text/plain;charset=utf-8,(.*?)"', app.reading.html)[1]
        assert unquote(kept) == app.bench.board.reading.to_toml()
        assert '"pages" = "lower"' in unquote(kept)

    def test_two_rows_of_names_give_groups(self, app):
        text = "group,Code,Code,Math\nmodel,a,b,c\nA,1,2,\nB,2,1,4\n"
        upload(app, text)
        assert app.text == ("2 systems on 3 tasks in 2 groups, higher is better on all (assumed).")
        assert app.bench.weights == {"Code": 2, "Math": 1}
        correct(app, "Code / a", "lower")
        assert app.bench.board.lower_is_better == (("Code", "a"),)

    def test_ballots_that_are_pasted_are_counted(self, app):
        upload(app, "5: A > B = C\n3: B > A > C\n", "what you pasted")
        assert list(app.bench.ranking.index) == ["A", "B", "C"]
        assert app.text.splitlines() == [
            "Note: the file holds 2 ballots, one in each cell of 'ballot'.",
            "3 systems on 2 kinds of ballot by 8 voters.",
        ]
        assert app.reading.html == ""  # there are no columns to be read otherwise

    def test_the_reading_is_folded_unless_it_has_doubts(self, app):
        upload(app, "model,accuracy,pages\nslow,0.9,3\nquick,0.9,1\n")
        assert app.reading.html.startswith("<details><summary><h3>2 systems")
        upload(app, "student,order\nann,A > B\nbob,B > A\n")
        assert "2 systems, 2 ballots" in app.reading.html
        assert "roles=" not in app.text

    def test_doubts_are_open_and_advise_no_python(self, app):
        upload(app, "model,acc,time\nA,.9,1\nB,.8,2\nC,.7,4\n")
        assert app.reading.html.startswith("<details open>")
        assert "<b>A doubt.</b> lower is often better for &#x27;time&#x27;</td>" in app.reading.html
        assert next(iter(rows(app))) == "time"  # what is to be settled stands first
        written = []
        app.reading.observe(lambda change: written.append(change["new"]), "html")
        upload(app, "m,acc,err\nA,.9,.1\nB,.8,.2\nC,.7,.3\nD,.6,.4\nE,.5,.5\n")
        assert written[0] == ""  # so that the fold of another file doesn't stay open
        assert "1 column set aside, not ranked: 'err' (1 - 'acc')" in app.text
        assert "roles=" not in app.reading.html + app.text

    def test_comparisons_are_taken_too(self, app):
        upload(app, "left,right,winner\nA,B,A\nB,C,C\nA,C,A\n")
        assert app.text.endswith("3 systems, compared in pairs.")
        assert app.bench.ranking.index[0] == "A"
        assert rows(app)["winner"][0] == "winner"

    def test_names_with_markup_are_no_markup(self, app):
        upload(app, "model,<b>x</b>,y\nA,1,2\nB,2,1\n")
        assert "<b>x" not in app.reading.html
        correct(app, "<b>x</b>", "lower")
        assert app.bench.board.lower_is_better == ("<b>x</b>",)

    def test_what_was_left_out_is_said(self, app):
        upload(app, nbrank.datasets.load_llm_chat().to_csv())
        assert "the row 'system' under the names is empty and is not read as a system" in app.text

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "the file is empty"),
            ("m,t\nA,x\nB,1\n", "scores must be numbers, but 't' holds 'x' in the row 'A'"),
            (
                'm,t\nA,"0,85"\n',
                "holds '0,85' in the row 'A'; write 0.85 where it says 0,85",
            ),
            ("m,t\nA,85%\nB,0.9\n", "holds '0.9' in the row 'B' with no percent sign"),
            ("m,t\nA,1\nA,2\n", "duplicate systems: 'A'"),
            ("m\nA\n", "the only column is 'm'"),
            ("m,t\nA,1,2\n", "3 cells in line 2, for 2 names above them"),
        ],
    )
    def test_a_wrong_one_is_refused_with_what_it_should_be(self, app, text, reason):
        upload(app, text)
        assert app.bench is None
        assert reason in app.text
        assert not any(word in app.text for word in ("pandas", "pd.", "codec", "tokenizing"))
        assert "A table has a row for each system" in app.text
        app.table = "ours"
        assert app.bench is not None

    def test_a_refusal_says_what_to_do_in_words_that_follow_each_other(self, app):
        upload(app, "model,seed,acc\nA,1,2\nA,2,3\nB,1,4\nB,1,5\n")
        assert "; give “model” the role system, “seed” the role run below" in app.text

    def test_one_that_can_be_read_otherwise_asks_what_its_columns_are(self, app):
        upload(app, "tool,asset,acc\nA,x,1\nA,y,4\nB,x,3\nB,y,2\n")
        assert app.bench is None
        assert "it begins with &#x27;x&#x27;, &#x27;y&#x27;, &#x27;x&#x27;" in app.reading.html
        correct(app, "acc", "run")
        assert app.bench is None
        correct(app, "acc", "")
        correct(app, "asset", "task")
        assert list(app.bench.board.tasks) == ["x", "y"]
        assert app.roles == {"asset": "task"}
        assert app.bench.trail.python == (
            "df = nbrank.read('mine.csv', roles={'asset': 'task'}).scores\ndf.rank.borda()"
        )

    def test_a_refusal_offers_in_words_and_by_a_button_what_works(self, app):
        upload(app, "model,split,acc,f1\nA,dev,8,7\nA,test,9,6\nB,dev,6,5\nB,test,7,8\n")
        assert "duplicate systems: 'A', 'B'; keep the rows in which “split” is test" in app.text
        assert "where=" not in app.text
        assert ">Keep the rows in which “split” is test</button>" in app.reading.html
        press_advice(app)
        assert list(app.bench.board.systems) == ["A", "B"]
        assert "Read as you said: Keep the rows in which “split” is test." in app.text
        assert "nbrank.read('mine.csv', where={'split': 'test'})" in app.bench.trail.python

    def test_roles_and_other_options_are_offered_together_and_can_be_forgotten(self, app):
        rows = [f"{m},{d},{r},{n}\n" for n, (m, d, r) in enumerate(product("AB", "xy", (1, 2, 3)))]
        upload(app, "tool,data,load,acc\n" + "".join(rows).replace(",0\n", ",7\n"))
        assert "roles=" not in app.text
        assert "the role system" in app.text
        press_advice(app)
        assert list(app.bench.board.systems) == ["A", "B"]
        upload(app, "llama,phi\n.71,.55\n.62,.51\n")
        assert "turn rows into columns" in app.text
        press_advice(app)
        assert list(app.bench.board.systems) == ["llama", "phi"]

    def test_one_that_is_no_table_shows_no_columns(self, app):
        upload(app, "")
        assert app.reading.html == ""

    def test_one_that_is_no_text_is_refused(self, app):
        upload(app, "m,t\nÄ,1\n", encoding="latin-1")
        assert "the file is not text in UTF-8; save it as CSV in UTF-8, as spreadsheets" in app.text

    def test_a_row_of_scores_that_is_read_as_names_is_noted(self, app):
        upload(app, "A,1,2.5\nB,2,3\n")
        assert (
            "the first row is read as names, of the tasks '1', '2.5'; if these are scores, "
            "put a row of names above them."
        ) in app.text

    def test_the_next_one_takes_its_place(self, app):
        upload(app, "m,t\nA,1\nB,2\n", "first.csv")
        upload(app, "m,u\nC,1\nD,2\n", "second.csv")
        assert list(app._choice.options) == ["ours", "chat", "your file: second.csv"]
        assert list(app.bench.ranking.index) == ["D", "C"]

    def test_the_same_one_is_read_anew(self, app):
        upload(app, "m,t\nA,1\nB,2\n")
        upload(app, "m,t\nA,2\nB,1\n")
        assert list(app.bench.ranking.index) == ["A", "B"]

    def test_its_reading_shows_only_beside_it(self, app):
        assert app.reading.html == ""
        upload(app, "m,t\nA,1\nB,2\n")
        assert app.reading.html
        app.table = "ours"
        assert app.reading.html == ""


def test_a_refusal_in_one_tab_leaves_the_others():
    scores = pd.DataFrame(np.full((2, 3), np.nan), index=list("AB")).add_prefix("t")
    scores.iloc[0, 0] = 1
    app = ExplorerApp({"nearly empty": scores})
    for tab in ("rules", "weights", "pairs", "missing", "confidence", "elimination"):
        app.bench.tab = tab
        assert app.bench.text
