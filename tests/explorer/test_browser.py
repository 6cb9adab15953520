"""The explorer in a real browser."""

import os
import re
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from divergent.maze import read_maze, sense
from divergent.maze._rollout import WARM_UP
from divergent.neat import Genome, express

pytestmark = pytest.mark.slow

HOW = "the explorer's tests need Chromium (Debian: apt-get install chromium) and playwright (pip install playwright)"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if sync_playwright is None or program is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(HOW)
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=program, headless=True, args=FLAGS) as one,
    ):
        yield one


@pytest.fixture
def visit(browser, pages):
    """A function that opens a page at an address and waits for it; afterwards its console must have been silent."""
    said, contexts = [], []

    def opened(name, address="", width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(pages[name].as_uri() + address)
        page.wait_for_selector("body.ready")
        settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def settle(page):
    """Wait until what was changed is drawn and in the address."""
    page.wait_for_function("!window.explorer.frame && !window.explorer.addressed")


def parameters(page):
    return dict(part.split("=") for part in page.evaluate("location.hash").removeprefix("#").split("&"))


def place_of(page, run, number):
    """Where a birth is on the screen."""
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


def test_the_page_says_why_each_search_does_what_it_does(visit):
    page = visit("two")
    assert page.locator("h1").inner_text() == "Novelty search beside surprise search in the medium maze"
    story = page.locator("#story p").all_inner_texts()
    assert len(story) == 2
    assert "rewards robots for ending far from where others end" in story[0]
    assert "rewards those who end far from every prediction" in story[1]


def test_moving_the_slider_moves_both_runs(visit):
    page = visit("two")
    move_slider(page, "#moment", 61)
    assert page.locator(".status").all_inner_texts() == ["Generation 2: 61 robots born so far."] * 2
    assert page.locator("#now").inner_text() == "61 of 240"
    before = pixels(page, ".map")
    move_slider(page, "#moment", 200)
    assert pixels(page, ".map") != before
    assert parameters(page)["t"] == "200"


def test_going_back_shows_what_was_shown_before(visit):
    page = visit("one")
    move_slider(page, "#moment", 150)
    before = pixels(page, ".map")
    move_slider(page, "#moment", 240)
    move_slider(page, "#moment", 150)
    assert pixels(page, ".map") == before


def test_space_plays_and_pauses_and_arrows_go_by_generations(visit):
    page = visit("two", "#t=31&speed=10")
    page.keyboard.press("Space")
    page.wait_for_function("window.explorer.clock.moment > 60")
    assert page.locator("#play").inner_text() == "Pause"
    page.keyboard.press("Space")
    assert page.evaluate("window.explorer.clock.playing") is False
    move_slider(page, "#moment", 100)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    settle(page)
    assert parameters(page)["t"] == "129"
    page.keyboard.press("ArrowUp")
    settle(page)
    assert parameters(page)["speed"] == "20"


def test_playing_stops_at_the_end(visit):
    page = visit("one", "#t=200&speed=40")
    page.locator("#play").click()
    page.wait_for_function("!window.explorer.clock.playing")
    settle(page)
    assert parameters(page)["t"] == "240"


def test_a_pointer_on_a_point_shows_who_it_is_and_its_way(visit):
    page = visit("one")
    before = pixels(page, ".map")
    page.mouse.move(*place_of(page, 0, 239))
    settle(page)
    lines = page.locator(".tip span").all_inner_texts()
    number = int(re.fullmatch(r"[Rr]obot (\d+)", lines[0])[1]) - 1
    assert page.evaluate("window.explorer.state.hover.number") == number
    assert re.fullmatch(r"generation \d+", lines[1])
    assert re.fullmatch(r"distance to the goal [\d.]+", lines[2])
    assert re.fullmatch(r"species \d+ \([a-z ]+\)", lines[4])
    assert pixels(page, ".map") != before
    page.mouse.move(2, 2)
    settle(page)
    assert page.locator(".tip").is_hidden()


def test_the_thinned_way_of_a_robot_is_the_one_it_drove(visit, surprise, surprise_scene):
    page = visit("one")
    left, top, right, bottom = surprise.maze.bounds
    for number in (0, 100, 239):
        found = page.evaluate(f"explorer.runs[0].trail({number})")
        expected = (left, top) + surprise_scene.trails[number] / 255 * (right - left, bottom - top)
        assert found[0] == list(surprise.maze.start)
        assert np.allclose(found[1:-1], expected[:-1])
        assert found[-1] == pytest.approx(surprise_scene.points[number].tolist(), abs=0.01)


def test_click_follows_first_parents_back_to_the_first_generation(visit, surprise_scene):
    page = visit("one")
    best = int(surprise_scene.qualities.argmin())
    page.get_by_role("button", name="Show the closest").click()
    settle(page)
    assert page.locator("#inspector h2").inner_text() == f"Robot {best + 1}"
    line = surprise_scene.history.ancestors(best)
    assert page.evaluate("window.explorer.state.lineage.line") == [*reversed(line), best]
    for number in line:
        page.locator("#older").click()
        settle(page)
        assert page.locator("#inspector h2").inner_text() == f"Robot {number + 1}"
    assert page.locator("#older").is_disabled()
    page.keyboard.press("n")
    settle(page)
    assert parameters(page)["of"] == str(best + 1)


def test_clicking_a_point_selects_it_and_escape_lets_it_go(visit):
    page = visit("two", "#t=240")
    page.mouse.click(*place_of(page, 1, 200))
    settle(page)
    assert page.locator("#inspector h2").inner_text().startswith("Robot ")
    assert parameters(page)["run"] == "2"
    page.keyboard.press("Escape")
    settle(page)
    assert page.locator("#inspector h2").inner_text() == "Every point is a robot"
    assert "robot" not in parameters(page)


def test_a_permalink_brings_back_the_whole_view(visit, surprise_scene):
    best = int(surprise_scene.qualities.argmin())
    address = f"#t=190&colour=score&heat=1&expected=1&run=2&robot={best + 1}&step=57&speed=2&theme=dark"
    page = visit("two", address)
    assert page.evaluate("location.hash") == address.replace("t=190", f"t={max(190, best + 1)}")
    before = [pixels(page, selector) for selector in (".map", ".network", ".lineage", ".strip.tall")]
    page.reload()
    page.wait_for_selector("body.ready")
    settle(page)
    assert [pixels(page, selector) for selector in (".map", ".network", ".lineage", ".strip.tall")] == before
    assert page.locator("#step").input_value() == "57"
    assert page.locator("#heat").get_attribute("aria-pressed") == "true"


def test_an_address_that_is_not_true_of_the_page_is_put_right(visit):
    page = visit("one", "#t=99999&colour=taste&run=7&robot=-3&step=x&speed=3&theme=pink")
    assert parameters(page) == {"t": "240", "colour": "species", "speed": "5"}


def test_what_was_expected_is_drawn_with_its_meaning_in_words(visit):
    page = visit("two", "#t=200")
    plain = [page.evaluate(f"window.explorer.panels[{run}].canvas.toDataURL()") for run in (0, 1)]
    page.locator("#expected").click()
    settle(page)
    shown = [page.evaluate(f"window.explorer.panels[{run}].canvas.toDataURL()") for run in (0, 1)]
    assert plain[0] != shown[0]
    assert plain[1] != shown[1]
    legends = page.locator(".legend").all_inner_texts()
    assert "too close to the archive to join it" in legends[0]
    assert "where it is expected next" in legends[1]
    assert parameters(page)["colour"] == "score"


def test_a_drive_goes_step_by_step_with_its_network(visit):
    page = visit("one")
    page.get_by_role("button", name="Show the closest").click()
    settle(page)
    move_slider(page, "#step", 10)
    before = pixels(page, ".map"), pixels(page, ".network")
    move_slider(page, "#step", 300)
    assert pixels(page, ".map") != before[0]
    assert pixels(page, ".network") != before[1]
    assert parameters(page)["step"] == "300"
    page.locator("#drive").click()
    page.wait_for_function("!window.explorer.state.driving")
    settle(page)
    assert page.evaluate("window.explorer.state.step === window.explorer.state.drive.steps")


def test_the_page_senses_what_the_robot_senses(visit):
    page = visit("one")
    maze, rng = read_maze("medium"), np.random.default_rng(1)
    left, top, right, bottom = maze.bounds
    for _ in range(50):
        x, y, heading = rng.uniform((left, top, 0), (right, bottom, 360)).tolist()
        found = page.evaluate(f"Array.from(explorer.sense(explorer.runs[0].maze, {x}, {y}, {heading}))")
        assert found == pytest.approx(sense(maze, (x, y), heading).tolist(), abs=1e-9)


def test_the_networks_of_the_original_robot_read_what_it_reads(visit, surprise_scene):
    page = visit("one")
    page.evaluate("explorer.runs[0].maze.robot = 'five-rangefinder'")
    page.evaluate(f"explorer.select(0, {int(surprise_scene.qualities.argmin())})")
    poses = page.evaluate("explorer.state.drive.poses.slice(0, 20)")
    inputs = page.evaluate("explorer.state.drive.inputs.slice(0, 20).map((one) => Array.from(one))")
    maze = read_maze("medium")
    for (x, y, heading), found in zip(poses, inputs, strict=True):
        assert found == pytest.approx(sense(maze, (x, y), heading, robot="five-rangefinder").tolist(), abs=1e-9)


def test_the_page_activates_networks_as_they_are_activated(visit, surprise, surprise_scene):
    page = visit("one")
    best = int(surprise_scene.qualities.argmin())
    page.evaluate(f"explorer.select(0, {best})")
    inputs = page.evaluate("explorer.state.drive.inputs.slice(0, 30).map((one) => Array.from(one))")
    outputs = page.evaluate("explorer.state.drive.activations.slice(0, 30).map((one) => [one.get(11), one.get(12)])")
    genome: Genome = surprise.solution
    network = express(genome)
    for step, readings in enumerate(inputs):
        expected = network.activate(readings, passes=1 if step else WARM_UP + 1)
        assert outputs[step] == pytest.approx(expected.tolist(), abs=1e-5)  # weights are kept in single precision


def test_page_activates_networks_with_silent_nodes_as_they_are_activated(visit, surprise, surprise_scene):
    page = visit("one")
    best = int(surprise_scene.qualities.argmin())
    page.evaluate("explorer.runs[0].maze.silence_unreached = true")
    # every connection into the output that turns leads into the other one instead
    page.evaluate("explorer.runs[0].linkTarget.forEach((to, link, all) => { if (to === 11) all[link] = 12; })")
    page.evaluate(f"explorer.select(0, {best})")
    inputs = page.evaluate("explorer.state.drive.inputs.slice(0, 30).map((one) => Array.from(one))")
    outputs = page.evaluate("explorer.state.drive.activations.slice(0, 30).map((one) => [one.get(11), one.get(12)])")
    genes = surprise.solution.genes.copy()
    genes[genes[:, 2] == 11, 2] = 12
    network = express(SimpleNamespace(genes=genes, inputs=11, outputs=2), silence_unreached=True)
    for step, readings in enumerate(inputs):
        expected = network.activate(readings, passes=1 if step else WARM_UP + 1)
        assert expected[0] == 0.0
        assert outputs[step] == pytest.approx(expected.tolist(), abs=1e-5)


@pytest.mark.parametrize("name", ["one", "two", "history"])
@pytest.mark.parametrize("width", [400, 800, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_sticks_out_at_any_width_in_light_and_dark(visit, name, width, theme):
    page = visit(name, "#robot=50", width=width, color_scheme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.explorer.palette.theme") == theme


def test_the_switch_overrules_the_theme_of_the_system(visit):
    page = visit("one", color_scheme="dark")
    page.locator("#theme").select_option("light")
    settle(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 246, 244)"
    assert parameters(page)["theme"] == "light"


def test_a_history_without_a_maze_is_shown_by_its_principal_components(visit, history):
    page = visit("history")
    assert page.locator(".status").inner_text() == f"Generation 5: {len(history)} individuals born so far."
    assert page.evaluate("explorer.runs[0].axes[0]").startswith("first principal component")
    page.get_by_role("button", name="Show the best").click()
    settle(page)
    assert page.locator("#inspector h2").inner_text() == f"Individual {int(history.fitness.argmin()) + 1}"
    assert page.locator("#expected").inner_text() == "The archive"
    assert page.locator(".stones").is_visible()


def test_the_keys_are_explained(visit):
    page = visit("one")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.locator("#help button").click()
    assert page.locator("#help").is_hidden()


def test_a_page_works_inside_a_notebook(browser, surprise_scene, tmp_path):
    from divergent.explorer._page import page_of

    notebook = tmp_path / "notebook.html"
    notebook.write_text(
        f"<!doctype html><title>cell</title>{page_of([surprise_scene])._repr_html_()}", encoding="utf-8"
    )
    context = browser.new_context()
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(notebook.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator("body.ready").wait_for()
    inside.get_by_role("button", name="Show the closest").click()
    inside.locator(".network").wait_for()
    context.close()
    assert said == []


def test_keys_are_those_of_the_clock_after_a_button_was_clicked(visit):
    page = visit("one", "#t=60")
    page.locator("#heat").click()
    page.keyboard.press("Space")
    assert page.evaluate("window.explorer.clock.playing") is True
    assert page.evaluate("window.explorer.state.heat") is True
    page.keyboard.press("Space")


def test_page_of_a_record_that_cannot_be_repeated_shows_positions_and_the_best_drive(visit, hostile):
    page = visit("hostile")
    assert page.locator(".status").inner_text() == "Generation 7: 240 robots born so far."
    assert "could not be repeated" in page.locator(".remark").inner_text()
    assert r"<!--<script>\x1b[2J\ud800\n</script>" in page.locator("h1").inner_text()
    page.mouse.move(*place_of(page, 0, 239))
    settle(page)
    page.get_by_role("button", name="Show the closest").click()
    settle(page)
    best = int(np.hypot(*(hostile.positions.astype(float) - hostile.maze.goal).T).argmin())
    assert page.locator("#inspector h2").inner_text() == f"Robot {best + 1}"
    assert page.evaluate("explorer.state.drive.steps") == len(hostile.trail) - 1
    page.evaluate(f"explorer.select(0, {(best + 1) % 240})")
    settle(page)
    assert "final position of this robot" in page.locator(".drive").inner_text()
