"""How Sphinx builds the site: `make docs`.

The source is the whole repository, so that links between README, pages, mazes and notebooks are the same here and where
the repository is read; what is not named below is no page.
"""

import re
from fnmatch import fnmatch
from pathlib import Path
from posixpath import dirname, join, normpath

from divergent.explorer._page import PageData
from divergent.version import __version__

HERE = Path(__file__).parent

project = "divergent"
author = copyright = "The divergent developers"
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
root_doc = "docs/index"
include_patterns = ["docs/**", "notebooks/*.ipynb", "mazes/README.md", "[A-Z]*[A-Z].md"]
exclude_patterns = [
    "README.md",
    ".*",
    "build",
    "dist",
    "runs",
    "results",
    "tests",
    "benchmarks",
    "examples",
    "divergent",
    "**.egg-info",
]

nb_execution_mode = "off"  # notebooks are shown as they were saved; the tests execute them
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nitpick_ignore_regex = [("myst", r"(\.\./)*(examples|results)(/\w+)*")]  # folders: links where the repository is read

default_role = "py:obj"  # `name` in a docstring: a link where there is something of that name, else code
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 100

html_theme = "pydata_sphinx_theme"
html_title = f"divergent {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["explorer_frames.js"]
html_extra_path = ["_root"]
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("docs/start", "docs/gallery")}  # they have no pages below them
html_theme_options = {
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_end": [],
}


def leave_out_what_is_not_there(app, docname, source):
    """Toctrees name some pages as `name*`: those that not every copy of the repository has."""
    there = [
        line
        for line in source[0].splitlines(keepends=True)
        if not re.fullmatch(r"[\w./]+\*", line.strip())
        or any(fnmatch(page, normpath(join(dirname(docname), line.strip()))) for page in app.env.found_docs)
    ]
    source[0] = "".join(there)


def leave_out_plain_fields(app, what, name, thing, skip, options):
    """Fields of named tuples that have no words of their own."""
    return skip or (getattr(thing, "__doc__", None) or "").startswith("Alias for field number")


def write_explorers(app, exception):
    """Make the interactive pages from their compact data, docs/explorers/NAME.explorer."""
    if exception is not None or app.builder.format != "html":
        return
    for path in sorted((HERE / "explorers").glob("*.explorer")):
        PageData.read(path).page().write(Path(app.outdir) / "_static" / f"explorer_{path.stem}.html")


def setup(app):
    app.connect("build-finished", write_explorers)
    app.connect("autodoc-skip-member", leave_out_plain_fields)
    app.connect("source-read", leave_out_what_is_not_there)
