"""Settings of the site: `python -m sphinx -W docs build/site` writes it from the package itself."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from page_notebooks import (  # noqa: E402
    NOTEBOOKS,
    add_links,
    import_what_is_called,
    link_copied_notebooks,
    write_notebooks,
)
from pages import write_pages  # noqa: E402

import nbrank  # noqa: E402

project = "nbrank"
author = copyright = "the nbrank developers"
version = release = nbrank.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["scripts", "_*"]
default_role = "py:obj"

# The notebooks are tested elsewhere, against the outputs that they carry.
nb_execution_mode = "off"
# A live explorer's saved picture stands before its widget, which no page can run.
nb_mime_priority_overrides = [
    ("html", "image/svg+xml", 0),
    ("html", "application/vnd.jupyter.widget-view+json", None),
]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "pages.slug"
numpydoc_show_class_members = False
autodoc_typehints = "none"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
# Nothing is fetched from other sites, neither when the site is built nor when it is read.
intersphinx_mapping = {}

html_theme = "pydata_sphinx_theme"
html_title = "nbrank"
html_static_path = ["_static"]
html_css_files = ["nbrank.css"]
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": False,
    "header_links_before_dropdown": 5,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}
# Pages on which there is nothing to list at the side.
html_sidebars = {
    page: []
    for page in ("index", "getting_started", "gallery", "glossary", "changelog", "speed", "tests")
}

# `-t offline` leaves Python in the browser out: its packages come from other sites.
if not tags.has("offline"):  # noqa: F821  # Sphinx gives it
    from in_browser import add_script, write_browser_files

    write_browser_files(HERE, NOTEBOOKS)
    extensions.append("jupyterlite_sphinx")
    # The files of `_pyodide` as they are, those of `_lite` by JupyterLite.
    html_extra_path = ["_pyodide"]
jupyterlite_dir = str(HERE / "_lite")
jupyterlite_contents = ["_lite/*.ipynb"]
jupyterlite_content_dir = "_lite/examples"
jupyterlite_bind_ipynb_suffix = False  # myst-nb reads them
global_enable_try_examples = True
try_examples_global_button_text = "Try it in your browser"
try_examples_global_warning_text = (
    "Python runs in your browser. The first cell takes half a minute."
)
try_examples_preamble = "import nbrank"


def without_fonts_of_other_sites(app, _):
    """jupyterlite-sphinx asks Google for a font, which no page of ours uses."""
    app.registry.css_files = [
        (name, options) for name, options in app.registry.css_files if "googleapis" not in name
    ]


def setup(app):
    """What Sphinx calls before it starts."""
    app.connect("config-inited", without_fonts_of_other_sites, priority=999)
    app.connect("source-read", link_copied_notebooks)
    if not app.tags.has("offline"):
        app.connect("source-read", add_links)
        # After JupyterLite has written its pages.
        app.connect("build-finished", lambda app, _: add_script(Path(app.outdir)), priority=900)
    app.connect("autodoc-process-docstring", import_what_is_called, priority=100)


write_pages(HERE)
if not tags.has("offline"):  # noqa: F821
    write_notebooks(HERE, HERE / "_lite")
