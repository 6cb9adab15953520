"""A Sphinx extension: add a description and a social card to the head of every HTML page.

The description of a reference page is the summary of its object. All other pages have the description of the site, the
configuration value `site_summary`.
"""

import html
import re
from pathlib import Path
from typing import Any

from sphinx import addnodes

PAGES = "index.html", "report/report.html"  # pages that Sphinx does not write: they have a title and a description


def description_tag(description: str) -> str:
    """Return the tag with the description of a page."""
    return f'<meta name="description" content="{html.escape(description)}">'


def card_tags(title: str, description: str, site: str) -> str:
    """Return the tags from which other sites show a link to a page."""
    image = f"{site}/_static/social_card.png"
    properties = {"title": title, "description": description, "image": image, "type": "website"}
    tags = [f'<meta property="og:{name}" content="{html.escape(value)}">' for name, value in properties.items()]
    return "\n".join([*tags, '<meta name="twitter:card" content="summary_large_image">'])


def summary(doctree: Any) -> str:
    """Return the first paragraph of the first documented object of a page, or an empty text."""
    contents = next(doctree.findall(addnodes.desc_content), ()) if doctree else ()
    texts = (" ".join(part.astext().split()) for part in contents if part.tagname == "paragraph")
    return next((text for text in texts if not text.startswith("Bases: ")), "")  # Sphinx lists base classes first


def add_tags(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Add the tags to a page of Sphinx."""
    title = html.unescape(re.sub(r"<[^>]+>", "", context.get("title") or app.config.project))
    description = summary(doctree) or app.config.site_summary
    tags = [description_tag(description), card_tags(title, description, app.config.html_baseurl)]
    context["metatags"] = "\n".join([context.get("metatags", ""), *tags])


def insert_card(path: Path, site: str) -> None:
    """Insert the social card into a page, after its description."""
    text = path.read_text(encoding="utf-8")
    title = html.unescape(re.search("<title>(.*?)</title>", text, re.DOTALL)[1])
    tag, description = re.search(r'<meta name="description" content="([^"]*)">', text).group(0, 1)
    card = card_tags(title, html.unescape(description), site)
    path.write_text(text.replace(tag, f"{tag}\n{card}", 1), encoding="utf-8")


def insert_cards(app: Any, exception: Exception | None) -> None:
    """Insert the social card into the pages that Sphinx does not write."""
    if exception is None and app.builder.format == "html":
        for name in PAGES:
            insert_card(Path(app.outdir) / name, app.config.html_baseurl)


def setup(app: Any) -> dict[str, Any]:
    """Add the tags when pages are written; insert cards after all other pages are written."""
    app.add_config_value("site_summary", "", "html")
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", insert_cards, priority=900)
    return {"version": "1", "parallel_read_safe": True}
