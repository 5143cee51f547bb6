"""The workbench in a real browser: Voila on a loopback port, and the system's Chromium.

It opens with no request to anywhere else; a slider moved by keyboard, a box ticked, a row, a rule
or a score clicked change what is shown; its charts follow the page's theme; the console has no
error.
"""

import nbformat
import pytest

pytestmark = pytest.mark.full

PATIENCE = 240_000
PAGES = {
    "explore": "nbrank.explore(scores)",
    "triangle": "nbrank.explore(scores, groups=three, tab='weights')",
    "toy": "nbrank.explore(nbrank.datasets.load_toy_votes(), 'borda')",
}
CODE = """
import nbrank
from nbrank.datasets import load_llm_chat
scores = load_llm_chat().droplevel("group", axis=1)
three = {"first": scores.columns[:9], "second": scores.columns[9:16], "third": scores.columns[16:]}
"""
TABS = [
    "Who could win",
    "Pairs",
    "Scores",
    "Missing scores",
    "How sure",
    "Round by round",
    "Rules and weights",
]


@pytest.fixture(scope="module", autouse=True)
def _notebooks(notebooks):
    for name, code in PAGES.items():
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(CODE + code)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, notebooks / f"{name}.ipynb")


@pytest.fixture
def page(opened):
    return opened("explore")


def says(page, text, there=True):
    """Wait until the page says something, or no longer does."""
    page.wait_for_function(
        "([text, there]) => document.body.innerText.includes(text) === there",
        arg=[text, there],
        timeout=PATIENCE,
    )


def tab(page, name):
    page.get_by_role("tab", name=name, exact=True).click()
    page.wait_for_selector(f"[role=tab][aria-selected=true] >> text={name}", timeout=PATIENCE)


def cells(page):
    """The cells of the picture."""
    return page.locator(".nbrank-picture svg [data-task]")


def test_it_opens_with_verdict_picture_and_nothing_cut_off_in_any_tab(page, cut_off):
    says(page, "DeepSeek-V3 is first under")
    assert page.locator(".nbrank-picture").first.bounding_box()["width"] > 500
    for name in TABS:
        tab(page, name)
        for width in (1200, 800):
            assert cut_off(page, width) <= 0


def test_no_text_of_a_chart_leaves_its_frame(page):
    for name in TABS:
        tab(page, name)
        page.wait_for_timeout(500)
        out = page.evaluate(
            """() => [".nbrank-prose", ".nbrank-picture"].flatMap(of =>
                 [...document.querySelectorAll(`${of} svg`)]).flatMap(svg => {
                 const frame = svg.getBoundingClientRect();
                 return [...svg.querySelectorAll("text")].filter(text => {
                   const box = text.getBoundingClientRect();
                   return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1
                     || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
                 }).map(text => text.textContent);
               })"""
        )
        assert out == [], name


def test_from_1000_pixels_there_are_two_columns_and_below_one(page):
    def beside():
        picture, controls = (
            page.locator(f".nbrank-{name}").bounding_box() for name in ("shown", "controls")
        )
        return controls["x"] + controls["width"] < picture["x"] + 1

    page.set_viewport_size({"width": 1000, "height": 900})
    assert beside()
    page.set_viewport_size({"width": 800, "height": 900})
    assert not beside()


def test_a_slider_moved_by_keyboard_widens_a_column(page):
    tab(page, "Rules and weights")
    page.set_viewport_size({"width": 1920, "height": 1000})  # Room for cells of 22 tasks.
    before = cells(page).first.bounding_box()["width"]
    slider = page.locator(".nbrank-weights input[type=range]").first
    slider.focus()
    slider.press("End")
    says(page, "You changed the weight of")
    page.wait_for_function(
        "before => document.querySelector('.nbrank-picture svg [data-task]')"
        "?.getBoundingClientRect().width > 1.5 * before",
        arg=before,
        timeout=PATIENCE,
    )
    says(page, "being computed", there=False)


def test_a_slider_says_who_would_be_first_and_the_keyboard_goes_to_where_that_changes(opened):
    page = opened("toy")
    tab(page, "Rules and weights")
    slider = page.get_by_role("slider", name="Task 2", exact=True)
    page.wait_for_function(
        "() => document.querySelectorAll('.nbrank-ends button').length >= 5", timeout=PATIENCE
    )
    said = slider.get_attribute("aria-description")
    assert said == slider.get_attribute("title") == "First: from 0 m_B, from 1.5 m_C, from 3 m_A"
    slider.focus()
    slider.press("Shift+ArrowRight")
    says(page, "m_C wins instead of m_B")
    slider.press("Shift+ArrowRight")
    says(page, "m_A")
    assert float(slider.input_value()) == pytest.approx(3.01)
    slider.press("ArrowLeft")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.nbrank-weights input[type=range]')]"
        ".some(one => one.value === '2.91')",
        timeout=PATIENCE,
    )
    page.get_by_role("button", name="weights as at the start").click()
    page.wait_for_function(
        "() => [...document.querySelectorAll('.nbrank-weights input[type=range]')]"
        ".every(one => one.value === '1')",
        timeout=PATIENCE,
    )


def test_what_was_tried_is_gone_back_to_and_the_call_is_copied(opened):
    page = opened("toy")
    tab(page, "Rules and weights")
    page.locator(".nbrank-ends button", has_text="1.5").first.click()
    says(page, "df.rank.borda(weights={'Task 2': 1.51})")
    says(page, "Tried so far")
    page.get_by_role("button", name="as at the start, Borda").click()
    says(page, "df.rank.borda()")
    page.get_by_role("button", name="copy as Python").click()
    page.wait_for_function("() => getSelection().toString() === 'df.rank.borda()'")


def test_a_part_of_a_name_and_enter_look_at_the_system(page):
    field = page.get_by_placeholder("find one of all 7 systems by its name")
    field.fill("sonnet")
    field.press("Enter")
    page.wait_for_selector(".nbrank-card h3 >> text=Sonnet", timeout=PATIENCE)
    field.fill("no such name")
    field.press("Enter")
    says(page, "No system is called “no such name”.")


def test_the_arrow_keys_go_from_tab_to_tab(page, expect):
    tab(page, "Rules and weights")
    page.get_by_role("tab", name="Rules and weights").press("ArrowRight")
    expect(page.locator("[role=tab][aria-selected=true]")).to_have_text("Who could win")
    says(page, "would be unbeaten under other weights")
    page.wait_for_function("() => document.activeElement.innerText === 'Who could win'")


def test_a_click_on_a_row_explains_its_system_and_on_a_rule_orders_by_it(page, expect):
    tab(page, "Rules and weights")
    page.locator(".nbrank-picture svg text", has_text="GPT-4o-0513").first.click()
    expect(page.locator(".nbrank-card h3")).to_have_text("GPT-4o-0513")
    says(page, "Pair by pair")
    page.get_by_role("button", name="close").click()
    expect(page.locator(".nbrank-card h3")).to_have_count(0)
    page.locator(".nbrank-picture svg text", has_text="plurality").first.click()
    says(page, "You changed the rule from Borda to plurality")
    # The list follows after the sentence; what it shows already can't be chosen.
    order = page.get_by_label("order by")
    expect(order.locator("option:checked")).to_have_text("plurality")
    order.select_option("Borda")
    says(page, "You changed the rule from plurality to Borda")


def test_a_rule_that_is_ticked_has_a_column(page):
    tab(page, "Rules and weights")
    page.get_by_text("which rules to compare").click()
    box = page.get_by_label("minimax: ")
    box.check()
    page.wait_for_selector(".nbrank-picture svg text >> text=minimax", timeout=PATIENCE)
    box.uncheck()
    page.wait_for_selector(
        ".nbrank-picture svg text >> text=minimax", state="detached", timeout=PATIENCE
    )
    page.get_by_text("which rules to compare").click()


def test_a_click_on_a_score_deletes_it_and_another_restores_it(page):
    tab(page, "Missing scores")
    says(page, "Nothing is deleted yet")
    cell = cells(page).last
    cell.click()
    says(page, "1 score deleted.")
    page.wait_for_timeout(1000)
    cells(page).last.click()
    says(page, "Nothing is deleted yet")


def test_picture_and_graph_follow_the_theme_also_when_it_changes(page):
    tab(page, "Pairs")
    page.wait_for_selector("svg.votes text", timeout=PATIENCE)
    inks = """() => [".nbrank-picture .row text", "svg.votes text.edge"].map(
        of => getComputedStyle(document.querySelector(of)).fill)"""
    light = page.evaluate(inks)
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'false')")
    assert all(now != before for now, before in zip(page.evaluate(inks), light, strict=True))
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'true')")
    assert page.evaluate(inks) == light


def test_in_the_dark_all_that_is_read_stands_out_from_its_ground(page):
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'false')")
    for name in TABS:
        tab(page, name)
        faint = page.evaluate(
            """() => {
                 const luminance = colour => colour.match(/[\\d.]+/g).slice(0, 3).map(Number)
                   .map(x => x / 255)
                   .map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4)
                   .reduce((sum, x, at) => sum + x * [.2126, .7152, .0722][at], 0);
                 const ground = node => {
                   for (; node; node = node.parentElement) {
                     const paint = getComputedStyle(node).backgroundColor;
                     if ((paint.match(/[\\d.]+/g)[3] ?? 1) > 0.5) return paint;
                   }
                   return "rgb(255, 255, 255)";
                 };
                 const read = ".nbrank-prose :is(p, td, th, button, h2, h4)";
                 return [...document.querySelectorAll(read)]
                   .filter(node => node.offsetParent && node.innerText.trim())
                   .filter(node => {
                     const [a, b] = [getComputedStyle(node).color, ground(node)].map(luminance);
                     return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4;
                   }).map(node => node.innerText);
               }"""
        )
        assert faint == [], name
    page.evaluate("document.body.setAttribute('data-jp-theme-light', 'true')")


def test_all_that_the_keyboard_reaches_has_a_name_in_every_tab(page):
    session = page.context.new_cdp_session(page)
    page.get_by_label("order by").select_option("Baldwin")
    for name in TABS:
        tab(page, name)
        if name == "Rules and weights":
            page.get_by_text("which rules to compare").click()
        page.wait_for_timeout(500)
        reached = [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in session.send("Accessibility.getFullAXTree")["nodes"]
            if any(of["name"] == "focusable" for of in node.get("properties", []))
        ]
        assert [one for one in reached if not one[1]] == [], name
        assert {"tab", "button", "combobox"} <= {role for role, _ in reached}
        if name == "Rules and weights":
            question = "Borda: Which system stands above most others, summed over the tasks?"
            assert {("checkbox", question), ("slider", "LongBench v2 (Acc.)")} <= {*reached}
            page.get_by_text("which rules to compare").click()
    page.get_by_label("order by").select_option("Borda")
    page.wait_for_selector("[aria-label^='DeepSeek-V3: rank 1 by Borda']", timeout=PATIENCE)


def test_tab_goes_from_the_questions_to_the_rows_and_on_to_the_controls(page):
    tab(page, "Rules and weights")
    page.get_by_role("tab", name="Rules and weights").focus()
    seen = []
    for _ in range(14):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("() => document.activeElement.getAttribute('aria-label') ?? "
                                  "document.activeElement.labels?.[0]?.innerText"))  # fmt: skip
    assert seen[0].startswith("DeepSeek-V3: rank 1 by Borda")
    assert seen.index("order by") == 7  # after the seven systems
    assert seen.index("order by") < seen.index("look at")


def test_enter_on_a_row_explains_its_system(page, expect):
    tab(page, "Rules and weights")
    page.get_by_role("button", name="GPT-4o-0513").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".nbrank-card h3")).to_have_text("GPT-4o-0513")
    page.get_by_role("button", name="close").click()
    expect(page.locator(".nbrank-card h3")).to_have_count(0)


def test_the_number_of_those_who_could_be_first_opens_their_names(page, expect):
    tab(page, "Rules and weights")
    page.set_viewport_size({"width": 1200, "height": 500})
    page.locator("summary", has_text="like these").click()
    last = page.locator(".nbrank-first details[open] button").last
    name = last.inner_text()
    last.click()
    expect(page.locator(".nbrank-card h3")).to_have_text(name)
    expect(page.locator(".nbrank-card")).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="close").click()
    expect(page.locator(".nbrank-card h3")).to_have_count(0)
    page.locator("summary", has_text="like these").click()


def test_every_rules_question_is_read_whole(page):
    tab(page, "Rules and weights")
    page.get_by_text("which rules to compare").click()
    page.wait_for_selector(".nbrank-list label", state="visible", timeout=PATIENCE)
    for width in (1200, 800, 400):
        page.set_viewport_size({"width": width, "height": 900})
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".nbrank-list label")].filter(
                 one => !one.getBoundingClientRect().height
                   || [one, ...one.querySelectorAll("*")].some(
                        part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth))
                 .map(one => one.innerText)"""
        )
        assert cut == [], width
    page.get_by_text("which rules to compare").click()


def test_on_a_phone_page_and_picture_fit_and_can_be_read(page, cut_off):
    letters = "texts => texts.map(one => one.getBoundingClientRect().height)"
    for name in TABS:
        tab(page, name)
        assert cut_off(page, 400) <= 0, name
        page.wait_for_function(
            "() => document.querySelector('.nbrank-picture svg').viewBox.baseVal.width < 420",
            timeout=PATIENCE,
        )
        picture = page.locator(".nbrank-picture svg")
        assert picture.evaluate("svg => svg.getBoundingClientRect().right") <= 400
        assert min(picture.locator(".row text").evaluate_all(letters)) >= 10
        page.set_viewport_size({"width": 1200, "height": 900})


def test_on_a_large_screen_the_picture_takes_the_room(page):
    tab(page, "Rules and weights")
    page.set_viewport_size({"width": 1920, "height": 1000})
    page.wait_for_function(
        "() => document.querySelector('.nbrank-picture svg').getBoundingClientRect().width > 1100",
        timeout=PATIENCE,
    )
    page.set_viewport_size({"width": 1200, "height": 900})


def test_the_ring_is_in_the_triangle_where_the_weights_are_and_a_click_moves_them(opened):
    page = opened("triangle")
    says(page, "The winner by Borda as first, second and third count more or less")
    middle = (
        "mark => { const box = mark.getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; }"
    )
    ring = ".triangle > circle[fill=none]"
    before = page.locator(ring).last.evaluate(middle)
    points = page.locator(".triangle .points > *")
    points.nth(30).scroll_into_view_if_needed()
    page.mouse.click(*points.nth(30).evaluate(middle))
    says(page, "You changed the weight of")
    page.wait_for_timeout(1500)
    after = page.locator(ring).last.evaluate(middle)
    target = points.nth(30).evaluate(middle)
    assert before != after
    assert max(abs(a - b) for a, b in zip(after, target, strict=True)) < 6
