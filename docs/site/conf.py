# SPDX-License-Identifier: BSD-3-Clause
"""Settings of sphinx-build for the site (site_pages.py puts its pages together)."""
import os
import sys

sys.path.insert(0, os.environ["WARPSCOPE_PYTHON"])
project = "Warpscope"
copyright = "the authors of Warpscope"
version = release = os.environ["WARPSCOPE_VERSION"]
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Warpscope {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
highlight_language = "none"
pygments_style = "tango"
pygments_dark_style = "monokai"
autodoc_member_order = "bysource"
default_role = "py:obj"  # what docstrings have in single backquotes
