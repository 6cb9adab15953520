"""How Sphinx builds the site: `make docs`.

The source is the whole repository, so that links between pages, mazes and notebooks are the same on the site and on a
code host.
"""

import inspect
import json
import logging
import os
import re
import sys
from fnmatch import fnmatch
from pathlib import Path
from posixpath import dirname, join, normpath
from runpy import run_path

from docutils import nodes

from divergent.explorer._page import PageData
from divergent.replicate._report import report
from divergent.version import __version__

HERE = Path(__file__).parent
run_path(str(HERE / "reference" / "write.py"))["write_pages"]()  # before Sphinx looks for pages
sys.path.insert(0, str(HERE / "_ext"))
REPOSITORY = "https://example.org/divergent"
SITE = "https://example.org/divergent/site"
site_summary = "Divergent evolutionary search for DEAP: novelty search, surprise search, local competition and NEAT."

project = "divergent"
author = copyright = "The divergent developers"
version = release = __version__

extensions = [
    "gallery",
    "heads",
    "signatures",
    "myst_nb",
    "sphinx_copybutton",
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
    "paper",
    "docs/_*",
    "docs/gallery/files",
    "docs/explorers",
    "**.egg-info",
]

# inventories of other projects need the internet: INTERSPHINX=1 make docs
if os.environ.get("INTERSPHINX"):
    extensions.append("sphinx.ext.intersphinx")
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", None),
    "numpy": ("https://numpy.org/doc/stable", None),
    "pandas": ("https://pandas.pydata.org/docs", None),
    "matplotlib": ("https://matplotlib.org/stable", None),
    "sklearn": ("https://scikit-learn.org/stable", None),
    "deap": ("https://deap.readthedocs.io/en/master", None),
    "gymnasium": ("https://gymnasium.farama.org", None),
}

nb_execution_mode = "off"  # notebooks are shown as they were saved; the tests execute them
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_exclude = ".linenos, .gp, .go"
copybutton_prompt_text = ">>> |\\.\\.\\. "
copybutton_prompt_is_regexp = True

default_role = "py:obj"  # `name` in a docstring: a link where there is something of that name, else code
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autosummary_generate = True
autosummary_ignore_module_all = False
autosummary_imported_members = True
templates_path = [str(HERE / "_templates")]  # autosummary looks in the source folder, HTML builders in this folder
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
python_maximum_signature_line_length = 100

html_theme = "pydata_sphinx_theme"
html_title = f"divergent {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "_static/favicon.svg"
html_extra_path = ["_root", "../build/gallery-live"]
html_baseurl = SITE
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("docs/index", "docs/start")}  # they have no pages below them
html_theme_options = {
    "logo": {"text": f"divergent {release}", "image_light": "_static/favicon.svg", "image_dark": "_static/favicon.svg"},
    "icon_links": [{"name": "Repository", "url": REPOSITORY, "icon": "fa-brands fa-github"}],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "navbar_align": "left",
    "navbar_persistent": ["search-button"],  # the wide field would need a second row
    "header_links_before_dropdown": 8,
    "secondary_sidebar_items": {"**": ["page-toc"], "docs/index": []},
    "footer_end": [],
}


def read_tables_of_contents(app, docname, source):
    """Read hidden tables of contents, which are comments so that a code host does not show them."""
    source[0] = re.sub(r"^<!-- (\{toctree\}\n.*?^)-->$", r"```\1```", source[0], flags=re.MULTILINE | re.DOTALL)


def omit_missing_pages(app, docname, source):
    """Remove entries `name*` of toctrees whose pages this copy of the repository does not have."""
    lines = [
        line
        for line in source[0].splitlines(keepends=True)
        if not re.fullmatch(r"[\w./]+\*", line.strip())
        or any(fnmatch(page, normpath(join(dirname(docname), line.strip()))) for page in app.env.found_docs)
    ]
    source[0] = "".join(lines)


def link_folders(app, docname, source):
    """Make links to folders of the repository absolute, since the site has none of them."""

    def absolute(match):
        folder = normpath(join(dirname(docname), match[1]))
        return f"]({REPOSITORY}/tree/main/{folder})" if (HERE.parent / folder).is_dir() else match[0]

    if not docname.startswith("notebooks/"):
        source[0] = re.sub(r"\]\(((?:\.\./)+[\w/]+)\)", absolute, source[0])


def link_generated_pages(app, doctree, docname):
    """Make links to this site relative, and replace the linked image of an explorer by the explorer.

    On a code host, links to pages that only the site has begin with the address of the site.
    """
    for link in list(doctree.findall(nodes.reference)):
        if link.get("refuri", "").startswith(f"{SITE}/"):
            address = "../" * docname.count("/") + link["refuri"].removeprefix(f"{SITE}/")
            link["refuri"], link["internal"] = address, True
            if isinstance(link[0], nodes.image):
                frame = f'<iframe class="explorer" src="{address}" title="{link[0]["alt"]}"></iframe>'
                link.replace_self(nodes.raw("", frame, format="html"))


def add_download(app, docname, source):
    """Add a link to the file of a notebook to the first cell of its page."""
    if docname.startswith("notebooks/"):
        notebook = json.loads(source[0])
        text = "".join(notebook["cells"][0]["source"])
        link = f"{{download}}`notebook <{docname.removeprefix('notebooks/')}.ipynb>`"
        notebook["cells"][0]["source"] = f"{text}\n\nDownload: {link}."
        source[0] = json.dumps(notebook)


def skip_plain_fields(app, what, name, value, skip, options):
    """Skip fields of named tuples that have no description, and fields of dataclasses whose default is a function."""
    is_field = (getattr(value, "__doc__", None) or "").startswith("Alias for field number")
    is_default = what == "class" and inspect.isfunction(value) and "." not in value.__qualname__
    return skip or is_field or is_default


def escape_initials(app, what, name, value, options, lines):
    """Escape initials at the beginning of a line, which would begin a list: "D. Gravina"."""
    lines[:] = [re.sub(r"^(\s*)([A-Z]\. )", r"\1\\\2", line) for line in lines]


def print_warning(record):
    """Print a warning of intersphinx: the build must not fail because another site cannot be reached."""
    if record.levelno >= logging.WARNING:
        print(record.getMessage(), file=sys.stderr)
    return record.levelno < logging.WARNING


def keep_short_names(app, env, reference, text):
    """Keep a `name` of this package from becoming a link to an object of another project, such as `random`."""
    return text if reference["reftype"] == "obj" and "." not in reference["reftarget"] else None


def write_explorers(app, exception):
    """Make the interactive pages from their compact data, docs/explorers/NAME.explorer."""
    if exception is not None or app.builder.format != "html":
        return
    for path in sorted((HERE / "explorers").glob("*.explorer")):
        PageData.read(path).page().write(Path(app.outdir) / "_static" / f"explorer_{path.stem}.html")


def write_report(app, exception):
    """Write the report of the replication from the committed results; its files lie in report/ of the site."""
    if exception is None and app.builder.format == "html":
        report(HERE.parent / "results", Path(app.outdir) / "report", home="../docs/benchmarks/index.html")


def setup(app):
    """Connect the functions above."""
    logging.getLogger("sphinx.sphinx.ext.intersphinx").addFilter(print_warning)
    app.connect("build-finished", write_explorers)
    app.connect("build-finished", write_report)
    app.connect("autodoc-skip-member", skip_plain_fields)
    app.connect("autodoc-process-docstring", escape_initials)
    app.connect("doctree-resolved", link_generated_pages)
    app.connect("missing-reference", keep_short_names, priority=400)  # before intersphinx
    app.connect("source-read", read_tables_of_contents)
    app.connect("source-read", omit_missing_pages)
    app.connect("source-read", link_folders)
    app.connect("source-read", add_download)
