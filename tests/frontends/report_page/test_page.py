"""The foot of a page: enough to make it again, and to see whether it is of the same data."""

import hashlib
import re

import pandas as pd
import pytest

import nbrank
from nbrank.findings.labels import label_text
from nbrank.frontends.command_line import main

pytestmark = pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")

SCORES = pd.DataFrame({"t": [3.0, 2, 1], "u": [1.0, 3, 2]}, index=list("ABC"))


def foot(html):
    return re.search(r"<footer>.*</footer>", html, re.DOTALL)[0]


def origin(scores=SCORES, **options):
    return nbrank.report(scores, rules=["borda"], **options).origin


def test_it_has_the_day_the_version_and_the_call(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795737600")
    page = nbrank.report(SCORES, "mean", rules=["mean"], seed=1, since=SCORES)
    text = foot(page._repr_html_())
    assert f"27 November 2026, by nbrank {nbrank.__version__}" in text
    call = "nbrank.report(scores, rule='mean', rules=['mean'], seed=1, since=…)"
    assert page.origin.call == call
    assert "rule=&#x27;mean&#x27;" in text


def test_the_hash_is_of_the_labels_and_the_numbers():
    (same,) = origin().hashes.values()
    assert origin(SCORES.copy()).hashes == {"labels and numbers of scores": same}
    others = [SCORES * 2, SCORES.rename(index={"A": "Z"}), SCORES.rename(columns={"t": "s"})]
    hashes = {digest for other in others for digest in origin(other).hashes.values()}
    assert same not in hashes
    assert len(hashes) == 3


def test_an_older_table_has_a_hash_of_its_own():
    hashes = origin(since=SCORES + 1).hashes
    assert list(hashes) == ["labels and numbers of scores", "labels and numbers of since"]
    assert len(set(hashes.values())) == 2


def test_of_a_command_it_is_the_command_and_the_hashes_of_the_files(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    SCORES.to_csv("new scores.csv")
    (SCORES + 1).to_csv("old.csv")
    assert main(["new scores.csv", "--since", "old.csv", "--report", "page.html"]) == 0
    capsys.readouterr()
    text = foot((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "nbrank &#x27;new scores.csv&#x27; --since old.csv --report page.html" in text
    for name in ("new scores.csv", "old.csv"):
        digest = hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()
        assert f"<dt>{name}</dt><dd>SHA-256 <code>{digest}</code>" in text


def test_sections_are_linked_from_the_figures_and_change_comes_first():
    newer = SCORES.assign(t=[1.0, 3, 2])
    page = nbrank.report(newer, rules=["borda"], since=SCORES)
    html = page._repr_html_()
    assert page.sections[0].title == "What changed since?"
    links = re.findall(r'<a href="#([^"]+)">', html)
    assert len(links) == len(page.figures)
    ids = re.findall(r'<section id="([^"]+)"', html)
    assert set(links) < set(ids)
    assert links[0] == ids[0]
    fell = [bar for bar in page.sections[0].bars if bar.says.startswith("▼")]
    assert [(bar.name, bar.says) for bar in fell] == [("A", "▼ 1: rank 2 to 3")]


def test_names_in_the_title_are_not_broken_at_their_hyphens():
    scores = pd.DataFrame({"t1": [3, 2, 1], "t2": [3, 1, 2]}, index=["e5-v3", "B", "C"])
    html = nbrank.report(scores, rules=["borda"])._repr_html_()
    assert "<h1><span>e5-v3</span> is first" in html
    assert "h1 span {display: inline-block}" in html


def table_of(labels):
    return pd.DataFrame([[3.0, 1, 2, 2, 5, 4], [2.0, 2, 1, 3, 1, None]], labels)


def comparisons_of(labels):
    first, second = labels
    winners = ["left", "right", "left"]
    frame = pd.DataFrame({"left": [first] * 3, "right": [second] * 3, "winner": winners})
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner")


@pytest.mark.parametrize("make", [table_of, comparisons_of])
@pytest.mark.parametrize("labels", [[False, True], [("a", 1), ("a", 2)]])
def test_labels_that_pandas_reads_as_a_mask_or_as_levels_are_labels(make, labels):
    odd = make(pd.Index(labels, tupleize_cols=False))
    plain = make(pd.Index(label_text(label) for label in labels))
    for draw in (nbrank.report, nbrank.picture):
        pages = [draw(votes)._repr_html_().partition("<footer>")[0] for votes in (odd, plain)]
        odd_page, plain_page = (re.sub(r"nbrank-[0-9a-f]+", "", page) for page in pages)
        assert odd_page == plain_page
