"""Pages of running loops in Chromium: during the run, after its end, and after its process was killed."""

import re
import signal
import subprocess
import sys

import pytest

from divergent.explorer.live import Watch

pytestmark = pytest.mark.slow

OPTIONS = ["--search", "surprise", "--population", "40", "--generations", "100000", "--watch"]
COMMAND = ["-m", "divergent.run_maze", "hard", *OPTIONS]


@pytest.fixture
def opened(browser):
    """A function that opens an address; it returns the page and the list of its console messages and errors."""
    contexts = []

    def open_page(url, width=1400, theme="light"):
        context = browser.new_context(viewport={"width": width, "height": 860}, color_scheme=theme)
        contexts.append(context)
        page, messages = context.new_page(), []
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(url)
        page.wait_for_selector("body.ready", timeout=60_000)
        return page, messages

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_live_page_of_a_loop_follows_it_without_console_messages(opened, steps_of, width, theme):
    history, steps = steps_of(12)
    with Watch(history, budget=240) as watch:
        steps = watch.steps(steps)
        for _ in range(60):
            next(steps)
        page, messages = opened(watch.url, width, theme)
        page.wait_for_function("document.getElementById('live').textContent.includes('running')")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("explorer.palette.theme") == theme
        before = page.evaluate("explorer.runs[0].evaluations")
        for _ in steps:
            pass
        page.wait_for_function("explorer.runs[0].evaluations === 240")
        page.wait_for_function("document.getElementById('live').textContent.includes('finished')")
        assert before < 240
    assert messages == []


@pytest.fixture
def process(tmp_path):
    """A running process that serves the page of a run, and the address of the page."""
    with subprocess.Popen(
        [sys.executable, *COMMAND, "--out", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as started:
        url = next(match[1] for line in started.stdout if (match := re.match(r"watch +(http\S+)", line)))
        try:
            yield started, url
        finally:
            started.kill()


@pytest.mark.parametrize(("width", "theme"), [(1400, "light"), (1280, "dark"), (390, "dark")])
def test_live_page_of_a_killed_run_stays_readable_and_reports_it(opened, process, width, theme):
    started, url = process
    page, messages = opened(url, width, theme)
    page.wait_for_function("explorer.runs[0].evaluations > 200", timeout=60_000)
    started.send_signal(signal.SIGKILL)
    started.wait()
    page.wait_for_function("document.getElementById('live').textContent.includes('stopped')", timeout=30_000)
    evaluations = page.evaluate("explorer.runs[0].evaluations")
    text = page.locator("#live").inner_text()
    assert "no connection to the run" in text
    assert f"{evaluations:,} evaluations" in text
    assert not page.locator("#live").evaluate("banner => banner.scrollWidth > banner.clientWidth + 1")
    assert page.locator(".map").bounding_box()["height"] > 200
    page.evaluate("explorer.seek(100)")
    page.wait_for_function("explorer.frame === null")
    assert page.evaluate("explorer.panels[0].map.evaluated") == 100
    page.evaluate("explorer.select(0, 20)")
    page.wait_for_function("explorer.frame === null")
    assert "Robot 21" in page.locator("#pane-individual").inner_text()
    # the browser itself reports requests without an answer
    assert all("net::ERR_" in message for message in messages)


def test_live_page_that_is_closed_leaves_the_run_as_it_was(opened, steps_of):
    _, plain = steps_of(6)
    expected = [tuple(step.offspring[0]) for step in plain]
    history, steps = steps_of(6)
    with Watch(history, budget=120) as watch:
        steps = watch.steps(steps)
        actual = [tuple(next(steps).offspring[0]) for _ in range(30)]
        page, _ = opened(watch.url)
        actual += [tuple(next(steps).offspring[0]) for _ in range(30)]
        page.context.close()
        actual += [tuple(step.offspring[0]) for step in steps]
    assert actual == expected
