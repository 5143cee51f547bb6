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
          ...within("h1, h2, p, li, dt, dd, summary, .wide", height)];
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 800, 400])
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
    (head,) = page.locator(".picture svg:visible, .narrow svg:visible").all()
    box = head.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    letters = head.locator("text").evaluate_all(LETTERS)
    assert min(letters) >= 8.8
    # How the ranks move is drawn for the width, and does not scroll.
    (moves,) = page.locator(".large:visible, .small:visible").all() or [head]
    assert moves.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert min(moves.locator("text").evaluate_all(LETTERS)) >= 8.4
    assert (page.locator(".narrow svg:visible").count() == 1) == (width < 720)
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    page.close()


def test_tables_are_folded_and_unfold_by_keyboard(browser, saved):
    page = browser.new_page()
    page.goto(saved.as_uri())
    assert page.locator("table:visible").count() == 0
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
    assert (ink, ground) == ("rgb(31, 35, 40)", "rgb(255, 255, 255)")
    wide = "[...document.querySelectorAll('svg')].map(svg => svg.getBoundingClientRect().right)"
    assert max(page.evaluate(wide)) <= 720
    # None is cut in two by the end of a sheet, of which A4 has 1000 pixels within its margins.
    cut = """[...document.querySelectorAll('svg')].filter(svg => svg.getClientRects().length)
      .every(svg => getComputedStyle(svg).breakInside == 'avoid'
        && svg.getBoundingClientRect().height <= 1000)"""
    assert page.evaluate(cut)
    assert page.locator(".picture svg").is_visible()
    assert not page.locator(".narrow svg").is_visible()
    page.close()
