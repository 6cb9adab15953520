"""Layout, clock and keys of the explorer in a browser."""

import pytest
from browser import canvas_of, drag, map_box, move_slider, parameters, settle

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("width", "height"), [(1400, 860), (1280, 720)])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_layout_on_a_wide_window_shows_maps_curves_and_drawer_at_once(visit, width, height, theme):
    page = visit("two", width=width, height=height, color_scheme=theme)
    assert page.locator(".top").bounding_box()["height"] == 40
    boxes = [map_box(page, run) for run in (0, 1)]
    assert all(box["width"] > 0.3 * width for box in boxes)
    assert boxes[1]["x"] + boxes[1]["width"] <= 0.68 * width
    curves = page.locator("#curves").bounding_box()
    assert curves["y"] + curves["height"] <= height
    drawer = page.locator("#drawer").bounding_box()
    assert drawer["x"] >= 0.65 * width
    assert page.evaluate("[document.body.scrollHeight, document.body.scrollWidth]") == [height, width]


@pytest.mark.parametrize("name", ["one", "two", "history", "plane"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_layout_on_a_phone_shows_every_map_and_a_sheet(visit, name, theme):
    page = visit(name, width=390, height=844, color_scheme=theme, has_touch=True)
    for run in range(page.locator(".map").count()):
        box = map_box(page, run)
        assert box["height"] > 180
        assert box["y"] + box["height"] < 800
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.documentElement.scrollHeight") == 844
    closed = page.locator("#drawer").bounding_box()["height"]
    page.locator("#tab-individual").tap()
    settle(page)
    assert page.locator("#drawer").bounding_box()["height"] > closed + 200
    assert page.locator("#pane-individual").is_visible()
    assert page.evaluate("window.explorer.palette.theme") == theme


def test_clock_in_a_frame_on_a_phone_stays_inside(visit):
    page = visit("one", width=356, height=700)
    page.evaluate("document.getElementById('now').textContent = '100,000 of 100,000'")
    box = page.locator("#speed").bounding_box()
    assert box["x"] + box["width"] <= 356
    assert page.locator("#moment").bounding_box()["width"] >= 20


def test_status_without_room_has_a_short_form(visit):
    full = "generation 7, 240 evaluations, not solved"
    assert visit("two", width=1280).locator(".status").all_inner_texts() == [full] * 2
    page = visit("two", width=358)
    texts = page.locator(".status").all_inner_texts()
    assert all(text.startswith("gen") and "evaluations" not in text for text in texts)
    parts = page.locator(".status, .tabs button").all()
    assert not any(part.evaluate("(part) => part.scrollWidth > part.clientWidth") for part in parts)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_value_ramp_on_a_dark_page_starts_above_the_darkest_value(visit, theme):
    page = visit("one", color_scheme=theme)
    lowest, ramp = page.evaluate("[explorer.palette.value(0), explorer.palette.grammar.ramp]")
    assert (lowest == ramp[0].lower()) == (theme == "light")


def test_drawer_dragged_at_its_edge_changes_its_width(visit):
    page = visit("one")
    before = page.locator("#drawer").bounding_box()["width"]
    box = page.locator(".handle").bounding_box()
    drag(page, (box["x"] + 4, 300), (box["x"] - 100, 300))
    assert page.locator("#drawer").bounding_box()["width"] == pytest.approx(before + 104, abs=3)


def test_help_button_shows_the_meaning_of_the_searches_and_the_keys(visit):
    page = visit("two")
    assert page.locator("h1").inner_text() == "Novelty search and surprise search in the medium maze"
    assert page.locator("#help").is_hidden()
    page.locator("#help-button").click()
    text = page.locator("#help").inner_text()
    assert "rewards robots for ending far from where others end" in text
    assert "play and pause" in text
    page.locator("#help button").click()
    assert page.locator("#help").is_hidden()


def test_clock_moved_by_the_slider_moves_both_runs(visit):
    page = visit("two")
    move_slider(page, "#moment", 61)
    assert page.locator(".status").all_inner_texts() == ["generation 2, 61 evaluations"] * 2
    assert page.locator("#now").inner_text() == "61 of 240"
    before = canvas_of(page)
    move_slider(page, "#moment", 200)
    assert canvas_of(page) != before
    assert parameters(page)["t"] == "200"


def test_map_after_going_back_is_the_same(visit):
    page = visit("one")
    move_slider(page, "#moment", 150)
    before = canvas_of(page)
    move_slider(page, "#moment", 240)
    move_slider(page, "#moment", 150)
    assert canvas_of(page) == before


def test_curve_clicked_moves_the_play_head(visit):
    page = visit("two")
    box = page.locator("#curves canvas").first.bounding_box()
    page.mouse.click(box["x"] + 46 + (box["width"] - 56) / 2, box["y"] + 20)
    settle(page)
    assert int(parameters(page)["t"]) == pytest.approx(120, abs=2)


def test_keys_play_pause_and_step_by_generations(visit):
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


def test_keys_after_a_click_on_a_button_are_those_of_the_clock(visit):
    page = visit("one", "#t=60")
    page.locator("#memory").click()
    page.keyboard.press("Space")
    assert page.evaluate("window.explorer.clock.playing") is True
    assert page.evaluate("window.explorer.state.memory") is True
    page.keyboard.press("Space")


def test_clock_playing_stops_at_the_end(visit):
    page = visit("one", "#t=200&speed=40")
    page.locator("#play").click()
    page.wait_for_function("!window.explorer.clock.playing")
    settle(page)
    assert parameters(page)["t"] == "240"
