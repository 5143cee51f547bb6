"""`ExplorerApp`: every table in every tab, a file of one's own, and refusals in words."""

import warnings
from datetime import UTC, datetime

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
    """Put a file into the field, as the browser does."""
    content = text.encode(encoding)
    app.upload.value = (
        {
            "name": name,
            "type": "text/csv",
            "size": len(content),
            "content": memoryview(content),
            "last_modified": datetime(2026, 11, 21, tzinfo=UTC),
        },
    )


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
    assert app.text.startswith(f"{len(board.systems)} systems on {len(board.tasks)} tasks")


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
    with pytest.raises(ValueError, match="no table to explore"):
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
        assert app.lower_is_better.value == ("seconds",)
        assert list(app.bench.ranking.index) == ["slow", "quick"]

    def test_lower_can_be_better(self, app):
        upload(app, "model,accuracy,pages\nslow,0.9,3\nquick,0.9,1\n")
        assert list(app.bench.ranking.index) == ["slow", "quick"]
        app.lower_is_better.value = ("pages",)
        assert app.text == (
            "2 systems on 2 tasks, lower is better on pages (as you say), higher on all others."
        )
        assert list(app.bench.ranking.index) == ["quick", "slow"]
        app.lower_is_better.value = ()
        assert list(app.bench.ranking.index) == ["slow", "quick"]

    def test_two_rows_of_names_give_groups(self, app):
        text = "group,Code,Code,Math\nmodel,a,b,c\nA,1,2,\nB,2,1,4\n"
        upload(app, text)
        assert app.text == ("2 systems on 3 tasks in 2 groups, higher is better on all.")
        assert app.bench.weights == {"Code": 2, "Math": 1}
        app.lower_is_better.value = (("Code", "a"),)
        assert app.bench.board.lower_is_better == (("Code", "a"),)

    def test_what_was_left_out_is_said(self, app):
        upload(app, nbrank.datasets.load_llm_chat().to_csv())
        assert "the row 'system' under the names is empty: it is no system" in app.text

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
            ("m\nA\n", "there are no columns but 'm'"),
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

    def test_one_that_is_no_text_is_refused(self, app):
        upload(app, "m,t\nÄ,1\n", encoding="latin-1")
        assert "the file is no text in UTF-8; save it as CSV in UTF-8, as spreadsheets" in app.text

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

    def test_its_fields_show_only_beside_it(self, app):
        assert app.lower_is_better.layout.display == "none"
        upload(app, "m,t\nA,1\nB,2\n")
        assert app.lower_is_better.layout.display is None
        app.table = "ours"
        assert app.lower_is_better.layout.display == "none"


def test_a_refusal_in_one_tab_leaves_the_others():
    scores = pd.DataFrame(np.full((2, 3), np.nan), index=list("AB")).add_prefix("t")
    scores.iloc[0, 0] = 1
    app = ExplorerApp({"nearly empty": scores})
    for tab in ("rules", "weights", "pairs", "missing", "confidence", "elimination"):
        app.bench.tab = tab
        assert app.bench.text
