"""Check every page of the built site in Chromium: python .ci/check_pages.py [--screenshots FOLDER] [PAGE ...].

Each page is opened in two widths, light and dark. The check reports violations of WCAG 2 A and AA (axe-core), pages
that scroll sideways, images that do not load or are described by a path, links without a target, and errors of the
console. It needs no network.
"""

import argparse
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag

HOME = Path(__file__).parents[1]
sys.path.insert(0, str(HOME / "tests"))
from browser import launch  # noqa: E402

HOW = 'check_pages needs Chromium (Debian: apt-get install chromium) and pip install -e ".[docs]"'
TEMPLATE = "_static/webpack-macros.html"  # a file of the theme, not a page
STATES = "1400-light", "1400-dark", "390-light", "390-dark"  # width of the window and theme
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
# a frame without animations, so that no colour is between two themes
DRAWN = """() => new Promise(done => requestAnimationFrame(() => {
    document.getAnimations().forEach(animation => animation.finish?.()); requestAnimationFrame(() => done(true)); }))"""
AXE = """rules => axe.run(document, {runOnly: rules, resultTypes: ["violations"], iframes: false, preload: false})
    .then(({violations}) => violations.flatMap(({id, nodes}) =>
        nodes.map(({target, failureSummary}) => [id, target.join(" "), failureSummary])))"""
# elements beyond the right edge that no scroll bar reaches, even if an ancestor hides its overflow
OVERFLOW = """() => {
    const style = element => getComputedStyle(element);
    // a container with the heading of the page is the page itself
    const scrolls = around => ["auto", "scroll"].includes(style(around).overflowX) && !around.querySelector("h1");
    const outside = around => style(around).position === "fixed" || style(around).clipPath !== "none";
    const clipped = element => {
        const box = element.getBoundingClientRect();
        if (!box.width || box.right <= window.innerWidth + 1) return false;
        for (let around = element; around; around = around.parentElement)
            if (scrolls(around) || outside(around)) return false;
        return element.checkVisibility({visibilityProperty: true});
    };
    return [...document.querySelectorAll("main *, body > :not(dialog):not(.bd-container) *")].filter(clipped)
        .slice(0, 3).map(element => `${element.tagName.toLowerCase()}.${element.className}`);
}"""
SCROLLS = "document.scrollingElement.scrollWidth - window.innerWidth"
LOADED = """[...document.images].every(image => { image.loading = "eager"; return image.complete; })"""
IMAGES = """[...document.images].filter(image => image.getAttribute("src") && image.checkVisibility()
    && !(image.complete && image.naturalWidth)).map(image => image.src)"""
ALTS = "[...document.images].map(image => image.alt)"
IMAGE_FILE = re.compile(r"\S+\.(?:gif|jpe?g|png|svg|webp)", re.IGNORECASE)  # not a description of an image
LINKS = """[...document.querySelectorAll("a[href], link[href], iframe[src], script[src], img[src]")]
    .map(element => element.href || element.src)"""


class Server(SimpleHTTPRequestHandler):
    """Serve the site without a log."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@cache
def anchors(path: Path) -> set[str]:
    """Return the names of all elements of a page."""
    return set(re.findall(r"""\b(?:id|name)=["']?([^"'\s>]+)""", path.read_text(encoding="utf-8")))


def missing_targets(site: Path, links: list[str], start: str) -> Iterator[str]:
    """Yield links to this site without a file or without an element of that name."""
    for link in sorted(set(links)):
        address, anchor = urldefrag(link)
        if address.startswith(start):
            path = site / unquote(address.removeprefix(start).split("?")[0])
            path = path / "index.html" if path.is_dir() else path
            named = anchor and path.suffix == ".html" and "explorer" not in path.name  # there it is a state
            if not path.is_file() or (named and not {anchor, unquote(anchor)} & anchors(path)):
                yield link.removeprefix(start)


def check_page(context: Any, site: Path, start: str, name: str, options: argparse.Namespace) -> list[tuple]:
    """Return the findings of a page in all states: rule, page, state, element, text."""
    state, findings, page = "loading", [], context.new_page()

    def add(rule: str, element: str, text: str) -> None:
        findings.append((rule, name, state, element, text))

    page.on("console", lambda entry: entry.type == "error" and add("console", entry.location["url"], entry.text))
    page.on("pageerror", lambda error: add("console", "", str(error)))
    page.goto(start + name, wait_until="load")
    if page.locator("header.top").count():  # an explorer
        page.wait_for_selector("body.ready")
    page.wait_for_function(LOADED)
    for source in page.evaluate(IMAGES):
        add("image", source, "does not load")
    for alt in filter(IMAGE_FILE.fullmatch, page.evaluate(ALTS)):
        add("alt", alt, "is the path of a file, not a description")
    for link in missing_targets(site, page.evaluate(LINKS), start):
        add("link", link, "has no target")
    page.add_script_tag(path=axe_file())
    for state in options.states:
        width, theme = state.split("-")
        page.set_viewport_size({"width": int(width), "height": 900})
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(400)  # scripts react to the new width
        page.wait_for_function(DRAWN)
        beyond = page.evaluate(SCROLLS)
        if beyond > 0:
            add("overflow", "", f"{beyond} pixels")
        for element in page.evaluate(OVERFLOW):
            add("clipped", element, "extends beyond the right edge")
        rules = RULES if theme == "light" else ["color-contrast"]  # colours alone depend on the theme
        for finding in page.evaluate(AXE, rules):
            add(*finding)
        if options.screenshots:
            target = options.screenshots / f"{name.removesuffix('.html').replace('/', '~')}~{state}.png"
            page.screenshot(path=target, full_page=True)
    page.close()
    return findings


@cache
def axe_file() -> Path:
    """Return the path of axe-core."""
    import axe_playwright_python

    return Path(axe_playwright_python.__file__).parent / "axe.min.js"


def check(names: list[str], options: argparse.Namespace) -> Counter[str]:
    """Print the findings of all pages, and return their number by rule."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(options.site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    start = f"http://127.0.0.1:{server.server_port}/"
    counts: Counter[str] = Counter()
    with sync_playwright() as playwright, launch(playwright) as browser:
        context = browser.new_context(viewport={"width": 1400, "height": 900}, reduced_motion="reduce")
        # scripts from other hosts, such as MathJax, are empty
        context.route(lambda url: not url.startswith(start), lambda route: route.fulfill(status=200, body=""))
        for name in names:
            for finding in check_page(context, options.site, start, name, options):
                rule, page, state, element, text = finding
                print(f"{page} ({state}): {rule}: {element} {' '.join(text.split())}", flush=True)
                counts[rule] += 1
    server.shutdown()
    return counts


def main() -> int:
    """Print all findings, then their number by rule; return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="*", help="pages of the site, such as docs/index.html; default: all")
    parser.add_argument("--site", type=Path, default=HOME / "build" / "site", help="folder of the built site")
    parser.add_argument("--states", nargs="+", choices=STATES, default=STATES, help="widths and themes; default: all")
    parser.add_argument("--screenshots", type=Path, help="folder for a screenshot of every page, width and theme")
    options = parser.parse_args()
    try:
        axe_file()
    except ImportError:
        parser.error(HOW)
    html_files = sorted(str(path.relative_to(options.site)) for path in options.site.rglob("*.html"))
    names = options.pages or [name for name in html_files if name != TEMPLATE]
    if not names:
        parser.error(f"--site must be a folder with HTML pages, got {options.site}; run make docs first")
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    counts = check(names, options)
    print(f"{len(names)} pages, {len(options.states)} states each, {counts.total()} findings")
    for rule, count in counts.most_common():
        print(f"{count:6} {rule}")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
