"""In a browser no text of a chart leaves its frame, whatever the font; and a chart follows a page.

A chart that was drawn ahead is as large as its text was in the font that was there. DejaVu Sans is
wider than what most browsers have.
"""

import pandas as pd
import pytest
import vl_convert

import nbrank
from nbrank import charts
from nbrank.datasets import load_llm_chat

pytestmark = pytest.mark.full

#: The widest, the narrowest of those that stand for Arial, and what phones have.
FONTS = {
    "DejaVu Sans": "fonts-dejavu-core",
    "Liberation Sans": "fonts-liberation",
    "Noto Sans": "fonts-noto-core",
}
LONG = [f"WIDE-MODEL-{i}-WITH-MOST-OF-ITS-NAME-IN-CAPITALS" for i in range(7)]

#: Text -> by how many pixels it leaves its svg.
BEYOND = """() => [...document.querySelectorAll("svg")].flatMap(svg => {
  const frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll("text")].filter(text => text.textContent.trim()).map(text => {
    const box = text.getBoundingClientRect();
    const beyond = Math.max(frame.left - box.left, box.right - frame.right,
                            frame.top - box.top, box.bottom - frame.bottom);
    return [text.textContent, Math.round(beyond)];
  }).filter(([_, beyond]) => beyond > 0);
})"""


#: Fonts -> how wide a line is in each.
WIDTHS = """fonts => fonts.map(font => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `40px ${font}, monospace`;
  return pen.measureText("iiiiiiiiWide mmm").width;
})"""


def every_chart(scores):
    flat = scores.droplevel("group", axis=1)
    flat.columns = [f"A TASK WITH A LONG NAME, {place}" for place in range(flat.shape[1])]
    sets = nbrank.rank_confidence(flat, "borda", delta=0.2, seed=0)
    found = nbrank.critical_difference(flat.dropna(axis=1))
    runs = pd.DataFrame(
        [(name, at, at / 9) for name in LONG for at in range(4)],
        columns=["rule", "kept", "kendall_tau"],
    )
    groups = {task: [task] for task in flat.columns[:3]}
    yield charts.ranks(nbrank.compare(flat, ["borda", "copeland", "maximal_lotteries"]))
    yield charts.scores(flat)
    yield charts.pairwise(nbrank.confidence(flat))
    yield charts.compatible_pairs(flat)
    yield charts.majority_graph(flat)
    yield charts.majority_graph(flat.T)
    yield charts.rank_intervals(sets)
    yield charts.tie_groups(nbrank.tie_groups(sets), sets)
    yield charts.strengths(nbrank.strengths(flat, prior=1))
    yield charts.critical_difference(found, distance=found.attrs["critical_difference"])
    yield charts.weight_map(nbrank.weight_map(flat[list(groups)], "mean", groups=groups))
    yield charts.possible_ranks(nbrank.possible_ranks(flat, missing="compatible"), sets)
    yield charts.rank_acceptability(nbrank.rank_acceptability(flat, n_draws=100))
    yield charts.repeated_tasks(nbrank.repeated_tasks(flat))
    yield charts.robustness(runs, "kept")
    yield charts.robustness({"one": runs, "two": runs}, "kept")


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module", params=["as they are", "long"])
def drawn(request):
    """All charts, as they are drawn ahead."""
    scores = load_llm_chat()
    if request.param == "long":
        scores = scores.set_axis(LONG)
    return "".join(vl_convert.vegalite_to_svg(chart.to_dict()) for chart in every_chart(scores))


@pytest.mark.filterwarnings("ignore::nbrank.LeaderboardWarning")
@pytest.mark.parametrize("font", FONTS)
def test_no_text_leaves_its_frame_in_any_font(page, drawn, font):
    page.set_content(f"<style>* {{font-family: '{font}', monospace !important}}</style>{drawn}")
    own, other = page.evaluate(WIDTHS, [f"'{font}'", "monospace"])
    if own == other:  # whose letters would stand in for those of a font that is not there
        pytest.skip(f"{font} is not installed (Debian: apt-get install {FONTS[font]})")
    assert page.evaluate(BEYOND) == []


def test_a_row_that_is_pointed_at_stays_and_the_others_fade(page):
    page.set_content(nbrank.picture(load_llm_chat())._repr_html_())
    opacities = "[...document.querySelectorAll('.row')].map(row => getComputedStyle(row).opacity)"
    assert {*page.evaluate(opacities)} == {"1"}
    page.locator(".row text", has_text="GPT-4o-0513").hover(force=True)
    page.wait_for_function(f"{opacities}.filter(one => one === '0.35').length === 6")
    assert page.evaluate(opacities).count("1") == 1
    page.locator("text", has_text="minimax").last.hover(force=True)
    page.wait_for_function(f"{opacities}.every(one => one === '1')")


#: The texts of a picture that leave it, or stand on another.
COLLISIONS = """() => { const frame = document.querySelector("svg").getBoundingClientRect();
  const texts = [...document.querySelectorAll("svg text")].map(
    text => [text.textContent, text.getBoundingClientRect()]);
  return texts.flatMap(([name, box], at) => [
    ...(box.left < frame.left - 1 || box.right > frame.right + 1 ? [name] : []),
    ...texts.slice(at + 1).filter(([_, other]) =>
      Math.min(box.right, other.right) - Math.max(box.left, other.left) > 1 &&
      Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 0.35 * box.height
    ).map(([other]) => `${name} on ${other}`)]); }"""
#: Long names, few columns, and names of groups that are wider than their columns.
TABLES = {
    "as it is": load_llm_chat(),
    "long": load_llm_chat().set_axis(LONG),
    "small": pd.DataFrame({"speed": [3, 2, 1], "strength": [1, 3, 2]}, index=list("ABC")),
    "groups": pd.DataFrame(
        [[1, 2, 3], [3, 1, 2]],
        index=["A", "B"],
        columns=pd.MultiIndex.from_tuples(
            [("code", "a"), ("code", "b"), ("knowledge of the whole world", "trivia")]
        ),
    ),
}


@pytest.mark.parametrize("width", ["3.3in", "7in", 1100, 1920])
@pytest.mark.parametrize("scores", TABLES.values(), ids=TABLES)
def test_no_text_of_a_picture_leaves_it_or_stands_on_another(page, width, scores):
    page.set_content(nbrank.picture(scores, width=width)._repr_html_())
    assert page.evaluate(COLLISIONS) == []


def test_a_picture_follows_the_theme_of_its_page(page):
    page.set_content(f"<body>{nbrank.picture(load_llm_chat())._repr_html_()}</body>")
    ground = "getComputedStyle(document.querySelector('.nbrank-picture svg > rect')).fill"
    light, dark = "rgb(255, 255, 255)", "rgb(18, 22, 27)"
    for scheme, colour in (("light", light), ("dark", dark)):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(ground) == colour
    for name, value, colour in (
        ("data-jp-theme-light", "true", light),
        ("data-jp-theme-light", "false", dark),
        ("class", "vscode-light", light),
        ("class", "vscode-dark", dark),
    ):
        page.evaluate("([name, value]) => document.body.setAttribute(name, value)", [name, value])
        assert page.evaluate(ground) == colour
        page.evaluate("name => document.body.removeAttribute(name)", name)
    page.emulate_media(color_scheme="light")


def test_a_saved_svg_goes_by_the_scheme_of_its_reader(page, tmp_path):
    scores = load_llm_chat().droplevel("group", axis=1)
    charts.rank_intervals(nbrank.rank_confidence(scores, "borda")).save(tmp_path / "picture.svg")
    page.set_content((tmp_path / "picture.svg").read_text("utf-8"))
    fill = "name => getComputedStyle([...document.querySelectorAll(name)].at(0)).fill"
    for scheme, ground, ink in [
        ("light", "rgb(255, 255, 255)", "rgb(31, 35, 40)"),
        ("dark", "rgb(13, 17, 23)", "rgb(230, 237, 243)"),
    ]:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(fill, "svg > rect") == ground
        assert page.evaluate(fill, ".role-title-text text") == ink
    page.emulate_media(color_scheme="light")
