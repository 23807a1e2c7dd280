"""How Sphinx builds this documentation. Nothing is fetched while it builds."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent / "src")]

import parapick  # noqa: E402

project = "parapick"
author = "The parapick authors"
copyright = author
version = release = parapick.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    # MathJax from the build itself: the pages work with no network.
    "sphinx-mathjax-offline",
    "sphinx.ext.napoleon",
    "parapick_docs",
    "parapick_pictures",
    "parapick_states",
]
exclude_patterns = ["_build", "_ext"]

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
math_eqref_format = "({number})"

# Every page repeats the tree of all pages: without the names of the API in it they are built a fifth quicker.
toc_object_entries = False
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
# Our docstrings put code in single backticks.
default_role = "code"

# Rooms offer errors of the rooms below: a short name in a signature may then stand for several names, and is printed
# without a link.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = f"parapick {version}"
html_show_sphinx = False
html_copy_source = False
