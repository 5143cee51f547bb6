"""A finished drawing: in four formats, in light and dark, with every text escaped."""

import re
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank.charts.palette import PICTURE_COLORS
from nbrank.datasets import load_superglue_submissions

MARKUP = ["<b>&\"'", "</text><script>alert(1)</script>", "a & b", "]]>", "var(--p1)"]


@pytest.fixture(scope="module")
def drawing():
    return nbrank.picture(load_superglue_submissions(), width=800)


def png_size(path):
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    return struct.unpack(">II", data[16:24])


@pytest.mark.parametrize(
    ("width", "pixels"), [(800, 800), ("800px", 800), ("3.3in", 990), ("7in", 2100)]
)
def test_a_png_has_as_many_pixels_as_asked_and_300_an_inch_in_print(width, pixels, tmp_path):
    picture = nbrank.picture(load_superglue_submissions(), width=width)
    picture.save(tmp_path / "x.png")
    wide, high = png_size(tmp_path / "x.png")
    assert wide == pytest.approx(pixels, abs=2)
    assert high / wide == pytest.approx(picture.height / picture.width, rel=0.01)


def test_a_pdf_is_as_wide_as_the_picture_on_paper(tmp_path):
    nbrank.picture(load_superglue_submissions(), width="3.3in").save(tmp_path / "x.pdf")
    data = (tmp_path / "x.pdf").read_bytes()
    assert data.startswith(b"%PDF-")
    box = re.search(rb"/MediaBox \[([\d. ]+)\]", data)[1].split()
    assert float(box[2]) == pytest.approx(3.3 * 72, abs=1)


def test_a_saved_svg_has_the_plain_colours_of_one_theme(drawing, tmp_path):
    for dark in (False, True):
        drawing.save(tmp_path / "x.svg", dark=dark)
        svg = (tmp_path / "x.svg").read_text(encoding="utf-8")
        assert 'xmlns="http://www.w3.org/2000/svg"' in svg
        assert "var(" not in svg
        assert "light-dark" not in svg
        ET.fromstring(svg)
        used = {*re.findall(r'(?:fill|stroke)="(#\w+)"', svg)}
        assert used <= {pair[dark] for pair in PICTURE_COLORS.values()}
        assert PICTURE_COLORS["ground"][dark] in used


def test_an_html_page_stands_alone_and_follows_its_readers_theme(drawing, tmp_path):
    drawing.save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "color-scheme: light dark" in page
    assert not re.search(r'(src|href)="', page)
    assert f"<title>{drawing.title}</title>" in page


@pytest.mark.parametrize("name", ["x.gif", "x", "x.jpeg", "x.svgz"])
def test_another_ending_is_refused_with_those_there_are(drawing, name, tmp_path):
    with pytest.raises(ValueError, match=rf"{name}: the name has to end in \.svg, \.png, \.pdf or"):
        drawing.save(tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_notebook_is_shown_html_that_follows_its_theme(drawing):
    bundle = drawing._repr_mimebundle_()
    assert bundle["text/html"] == drawing._repr_html_()
    assert bundle["image/svg+xml"] == drawing.to_svg()
    assert bundle["text/plain"] == repr(drawing)
    html = bundle["text/html"]
    for host in ("data-jp-theme-light=false", "vscode-dark", "color-scheme: light dark"):
        assert host in html
    for light, dark in PICTURE_COLORS.values():
        assert f"light-dark({light}, {dark})" in html
    assert "prefers-reduced-motion" in html


def test_every_colour_of_the_template_is_one_of_the_palette(drawing):
    named = {*re.findall(r'="var\(--([\w-]+)\)"', drawing.template)}
    assert named <= PICTURE_COLORS.keys()


@pytest.mark.parametrize("width", ["3.3in", 1100])
def test_labels_with_markup_are_written_as_they_are(width, drawn, tmp_path):
    scores = pd.DataFrame(np.random.default_rng(0).normal(50, 20, (5, 5)), MARKUP, MARKUP)
    rules = {"<i>mine</i>": "borda", "mean": "mean"}
    picture = nbrank.picture(scores, rules=rules, width=width)
    shown = drawn(picture)
    assert sorted(shown.systems) == sorted(MARKUP)
    for text in (picture.template, picture.to_svg(), picture._repr_html_()):
        assert not re.search(r"<(b|i|script)\b", text)
    if width == 1100:
        assert {task for _, task in shown.cells} == {*MARKUP}
    for ending in ("svg", "html"):
        picture.save(tmp_path / f"x.{ending}")
        assert "<script" not in (tmp_path / f"x.{ending}").read_text(encoding="utf-8")
    # What only looks like a colour stays what it is.
    assert "var(--p1)" in drawn(picture.to_svg()).systems


def test_a_screen_reader_says_each_row(drawing, drawn):
    picture = drawn(drawing)
    assert picture.root.get("role") == "group"
    assert picture.root.get("aria-label").startswith(drawing.title)
    rows = [node for node in picture.root.iter("g") if node.get("class") == "row"]
    assert {node.get("role") for node in rows} == {"listitem"}
    for node in rows:
        assert node.findtext("title") == node.get("aria-label")
    first = "SS-MoE: rank 1 by Borda; may be best; ranks 1 to "
    assert rows[0].get("aria-label").startswith(first)


def test_pointing_at_a_row_makes_the_others_fade(drawing):
    assert ".row:hover) .row:not(:hover) {opacity" in drawing._repr_html_()


def test_a_drawing_is_frozen_and_equal_to_one_that_is_alike(drawing):
    assert drawing == nbrank.picture(load_superglue_submissions(), width=800)
    with pytest.raises(AttributeError):
        drawing.title = "x"
