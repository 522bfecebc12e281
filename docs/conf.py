"""How the site is built: `make docs`. Everything it needs is here or installed; nothing is fetched."""

from __future__ import annotations

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from docutils import nodes  # noqa: E402
from docutils.utils.math.latex2mathml import tex2mathml  # noqa: E402

from riskbandits import __version__  # noqa: E402

project = "riskbandits"
author = "The riskbandits developers"
copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx_gallery.gen_gallery",
    "sphinx_copybutton",
    "sphinx.ext.viewcode",
    "reference",
    "command_line",
    "playground_frame",
    "outside_documents",
    "links",
]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}
exclude_patterns = ["_ext", "_build", "requirements*"]
nitpicky = False
smartquotes = False  # options and JSON stand in prose too, and are copied from there
viewcode_line_numbers = True

myst_enable_extensions = ["dollarmath", "deflist", "colon_fence", "attrs_block"]
myst_dmath_allow_space = False
myst_dmath_allow_digits = False
myst_heading_anchors = 4

# A quick build shows the code of the gallery without running it.
QUICK = os.environ.get("RISKBANDITS_DOCS") == "quick"
# Notebooks carry their output, which `make notebooks` writes and a test compares with a fresh run.
nb_execution_mode = "off"
nb_merge_streams = True
# Widgets would be fetched from the network.
nb_ipywidgets_js = {}
suppress_warnings = ["mystnb.unknown_mime_type"]

# Sphinx reads below docs/ only.
(HERE / "notebooks").mkdir(exist_ok=True)
for notebook in (HERE.parent / "examples").glob("*.ipynb"):
    copy = HERE / "notebooks" / notebook.name
    if not copy.exists() or copy.read_bytes() != notebook.read_bytes():
        copy.write_bytes(notebook.read_bytes())


sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/\d\d_",
    "within_subsection_order": "FileNameSortKey",
    "image_scrapers": ("saved_pictures.scraper",),
    "plot_gallery": not QUICK,
    "abort_on_example_error": True,
    "notebook_extensions": set(),
    "download_all_examples": False,
    "write_computation_times": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 1e9,
}

# What is copied are the lines that one types: no prompts, no answers.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"riskbandits {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["offline_search.js"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "tango"
pygments_dark_style = "monokai"

# The playground takes a compiler and a minute.
playground = not QUICK


# Formulas are MathML, which browsers draw without a script, a font or the network.
html_math_renderer = "mathml"


def _inline_formula(self, node):
    self.body.append(tex2mathml(node.astext()))
    raise nodes.SkipNode


def _formula_block(self, node):
    self.body.append(f'<div class="formula">{tex2mathml(node.astext(), as_block=True)}</div>')
    raise nodes.SkipNode


def setup(app):
    """Register the renderer of formulas."""
    app.add_html_math_renderer(
        "mathml", inline_renderers=(_inline_formula, None), block_renderers=(_formula_block, None)
    )
