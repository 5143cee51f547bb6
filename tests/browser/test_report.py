"""A saved report in a real browser: light and dark, wide and narrow, with no network."""

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import datasets

pytestmark = pytest.mark.full

rng = np.random.default_rng(0)


def drawn(n_systems, n_tasks, missing=0.0):
    scores = rng.normal(np.linspace(3, 0, n_systems)[:, None], 1, (n_systems, n_tasks)).round(2)
    scores[rng.random(scores.shape) < missing] = np.nan
    names = [f"an organisation/a model with a long name, version {n}" for n in range(n_systems)]
    return pd.DataFrame(scores, index=names).add_prefix("a benchmark with a long name ")


INSTANCES = pd.DataFrame(
    {"accuracy": rng.normal(np.repeat([2.0, 1, 0], 40)), "seconds": rng.random(120)},
    index=pd.MultiIndex.from_product([list("ABC"), range(40)], names=["system", "instance"]),
)
PAGES = {
    "3 x 2": lambda: nbrank.report(drawn(3, 2)),
    "all tied": lambda: nbrank.report(pd.DataFrame(1.0, index=list("ABCD"), columns=list("xyz"))),
    "gaps": lambda: nbrank.report(drawn(20, 9, 0.3)),
    "chat models": lambda: nbrank.report(datasets.load_llm_chat()),
    "instances": lambda: nbrank.report(INSTANCES, lower_is_better=["seconds"]),
    "arena": lambda: nbrank.from_comparisons(
        datasets.load_chatbot_arena(), left="left", right="right", winner="winner", count="votes"
    ).report(rules=["borda", "copeland"]),
    "300 x 50": lambda: nbrank.report(drawn(300, 50, 0.05), rules=["borda", "copeland"]),
}
#: What stands out of its drawing, or of the page; half a pixel is rounding.
STANDS_OUT = """() => {
  const out = (text, box) => text.right > box.right + .5 || text.left < box.left - .5
    || text.bottom > box.bottom + .5 || text.top < box.top - .5;
  const within = (selector, box) => [...document.querySelectorAll(selector)]
    .filter(part => part.getClientRects().length && out(part.getBoundingClientRect(), box(part)))
    .map(part => part.textContent);
  const page = {left: 0, right: document.documentElement.clientWidth, top: 0, bottom: Infinity};
  const height = () => ({...page, top: -Infinity});
  return [...within("svg text", part => part.closest("svg").getBoundingClientRect()),
          ...within("h1, h2, p, li, li *, dt, dd, summary, .wide, .frame, .figures *", height)];
}"""

#: How many pixels large the words of a drawing are on the page.
LETTERS = """texts => texts.filter(text => text.textContent.trim()).map(text => {
  const svg = text.ownerSVGElement;
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return scale * parseFloat(getComputedStyle(text).fontSize);
})"""


@pytest.fixture(scope="module", params=PAGES)
def saved(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "page.html"
    PAGES[request.param]().save(path)
    return path


@pytest.mark.parametrize(
    ("width", "scheme"), [(1200, "light"), (1200, "dark"), (800, "light"), (400, "dark")]
)
def test_it_is_one_file_on_which_nothing_is_cut_off(browser, saved, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(saved.as_uri())
    assert asked == [saved.as_uri()]
    assert errors == []
    assert page.evaluate(STANDS_OUT) == []
    # The picture at the head is seen at once, and can be read.
    (head,) = page.locator(":is(.picture, .medium, .narrow) svg:visible").all()
    box = head.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    letters = head.locator("text").evaluate_all(LETTERS)
    assert min(letters) >= 8.8
    sizes = [
        page.locator(f".{name} svg:visible").count() for name in ("picture", "medium", "narrow")
    ]
    assert sizes == [width == 1200, width == 800, width == 400]
    # The table scrolls in its frame, and names stay in sight.
    frame = page.locator(".frame")
    frame.evaluate("box => box.scrollTo(1000, 1000)")
    edge = frame.bounding_box()["x"]
    assert abs(frame.locator("tbody th").last.bounding_box()["x"] - edge) < 2
    assert abs(frame.locator("thead th").last.bounding_box()["y"] - frame.bounding_box()["y"]) < 2
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    page.close()


def test_tables_are_folded_and_unfold_by_keyboard(browser, saved):
    page = browser.new_page()
    page.goto(saved.as_uri())
    assert page.locator("details table:visible").count() == 0
    for summary in page.locator("summary").all():
        summary.press("Enter")
    assert page.locator("table:visible").count() == page.locator("table").count()
    page.close()


def test_it_prints_light_and_within_the_paper(browser, saved):
    page = browser.new_page(viewport={"width": 720, "height": 1000}, color_scheme="dark")
    page.goto(saved.as_uri())
    page.emulate_media(media="print")
    ink = page.evaluate("getComputedStyle(document.querySelector('.nbrank-report')).color")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ink, ground) == ("rgb(20, 24, 29)", "rgb(255, 255, 255)")
    wide = "svg, table:not(details table)"
    ends = f"[...document.querySelectorAll('{wide}')].map(box => box.getBoundingClientRect().right)"
    assert max(page.evaluate(ends)) <= 720
    # None is cut in two by the end of a sheet, of which A4 has 1000 pixels within its margins.
    cut = """[...document.querySelectorAll('svg, .bars')].filter(box => box.getClientRects().length)
      .every(box => getComputedStyle(box).breakInside == 'avoid'
        && box.getBoundingClientRect().height <= 1000)"""
    assert page.evaluate(cut)
    assert page.locator(".medium svg").is_visible()
    assert not page.locator(":is(.picture, .narrow) svg:visible").count()
    page.close()


def test_headings_sort_by_mouse_and_by_keyboard_and_empty_cells_are_last(browser, tmp_path):
    frame = {"t": [3.5, -2.0, 10.0, np.nan], "ms": [5.0, 30.0, 4.0, 100.0]}
    size = pd.DataFrame({"size": ["7B", "13B", "70B", "1B"]}, list("ABCD"))
    board = nbrank.Leaderboard(
        pd.DataFrame(frame, list("ABCD")), lower_is_better=["ms"], descriptions=size
    )
    nbrank.report(board, rules=["borda"]).save(tmp_path / "page.html")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    table = page.locator(".sortable")

    def order():
        return "".join(table.locator("tbody th").all_inner_texts())

    def press(name, key=None):
        button = table.get_by_role("button", name=name, exact=True)
        button.press(key) if key else button.click()
        (sorted_by,) = table.locator("[aria-sort]").all()
        return order(), sorted_by.inner_text(), sorted_by.get_attribute("aria-sort")

    assert table.locator("[aria-sort]").inner_text() == "rank"
    assert press("t") == ("CABD", "t", "descending")
    assert press("t", "Enter") == ("BACD", "t", "ascending")
    assert press("ms ↓", "Space") == ("CABD", "ms ↓", "ascending")
    assert press("size") == ("DABC", "size", "ascending")
    assert press("system") == ("ABCD", "system", "ascending")
    page.get_by_label("search").fill("13b")
    assert page.locator(".sortable tbody th:visible").all_inner_texts() == ["B"]
    with page.expect_download() as download:
        page.get_by_role("link", name="as CSV").click()
    saved = pd.read_csv(download.value.path(), index_col="system")
    assert saved["t"].drop("D").to_dict() == {"A": 3.5, "B": -2.0, "C": 10.0}
    assert saved["size"]["B"] == "13B"
    page.close()
