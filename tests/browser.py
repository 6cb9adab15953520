"""Start Chromium, and drive the pages of the explorer."""

import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def browser_program():
    """Return the path of Chromium, or None if it is not installed."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def launch(playwright):
    """Start Chromium without a window."""
    return playwright.chromium.launch(executable_path=browser_program(), headless=True, args=FLAGS)


def settle(page):
    """Wait until the state is drawn and in the address."""
    page.wait_for_function("!window.explorer || (!window.explorer.frame && !window.explorer.addressed)")


def parameters(page):
    return dict(part.split("=") for part in page.evaluate("location.hash").removeprefix("#").split("&"))


def place_of(page, run, number):
    """The place of an individual on the screen."""
    x, y = page.evaluate(f"window.explorer.panels[{run}].map.at({number})")
    box = page.locator(".map").nth(run).bounding_box()
    return box["x"] + x, box["y"] + y


def pixels(page, selector):
    return page.evaluate(f"document.querySelector({selector!r}).toDataURL()")


def move_slider(page, selector, value):
    page.locator(selector).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", str(value)
    )
    settle(page)


def canvas_of(page, run=0):
    return page.evaluate(f"window.explorer.panels[{run}].canvas.toDataURL()")


def drag(page, start, end, **options):
    """Drag the mouse over the page in some steps."""
    if options.get("shift"):
        page.keyboard.down("Shift")
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()
    if options.get("shift"):
        page.keyboard.up("Shift")
    settle(page)


def map_box(page, run=0):
    return page.locator(".map").nth(run).bounding_box()
