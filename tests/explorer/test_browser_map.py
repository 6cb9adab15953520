"""Maps, selections and drives of the explorer in a browser."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from browser import canvas_of, drag, map_box, move_slider, parameters, pixels, place_of, settle

from divergent.maze import read_maze, sense
from divergent.maze._rollout import WARM_UP
from divergent.neat import Genome, express

pytestmark = pytest.mark.slow


def test_pointer_on_a_point_shows_the_individual_and_its_trajectory(visit):
    page = visit("one")
    before = canvas_of(page)
    page.mouse.move(*place_of(page, 0, 239))
    settle(page)
    lines = page.locator(".tip span").all_inner_texts()
    number = int(re.fullmatch(r"[Rr]obot (\d+)", lines[0])[1]) - 1
    assert page.evaluate("window.explorer.state.hover.number") == number
    assert re.fullmatch(r"generation \d+", lines[1])
    assert re.fullmatch(r"distance to the goal [\d.]+", lines[2])
    assert re.fullmatch(r"species \d+", lines[4])
    assert canvas_of(page) != before
    page.mouse.move(2, 2)
    settle(page)
    assert page.locator(".tip").is_hidden()


def test_trajectory_on_the_page_is_the_one_that_was_driven(visit, surprise, surprise_scene):
    page = visit("one")
    left, top, right, bottom = surprise.maze.bounds
    for number in (0, 100, 239):
        trajectory = page.evaluate(f"explorer.runs[0].trajectory({number})")
        expected = (left, top) + surprise_scene.trails[number] / 255 * (right - left, bottom - top)
        assert trajectory[0] == list(surprise.maze.start)
        assert np.allclose(trajectory[1:-1], expected[:-1])
        assert trajectory[-1] == pytest.approx(surprise_scene.values[number].tolist(), abs=0.01)


def test_wheel_on_the_map_zooms_around_the_pointer_and_double_click_resets(visit):
    page = visit("one")
    x, y = place_of(page, 0, 239)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -600)
    settle(page)
    assert page.evaluate("window.explorer.state.view.zoom") == pytest.approx(np.exp(0.9), rel=1e-3)
    assert place_of(page, 0, 239) == pytest.approx((x, y), abs=3)
    assert "view" in parameters(page)
    before = page.evaluate("window.explorer.state.view.x")
    box = map_box(page)
    centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    drag(page, centre, (centre[0] + (80 if before > 0.5 else -80), centre[1]))
    assert page.evaluate("window.explorer.state.view.x") != before
    page.mouse.dblclick(*centre)
    settle(page)
    assert page.evaluate("window.explorer.state.view") == {"x": 0.5, "y": 0.5, "zoom": 1}


def test_two_fingers_on_the_map_zoom(visit):
    page = visit("one", width=390, height=844, has_touch=True)
    page.evaluate(
        """() => {
          const canvas = document.querySelector(".map");
          canvas.setPointerCapture = () => {};
          const box = canvas.getBoundingClientRect();
          const send = (type, id, x, y) => canvas.dispatchEvent(new PointerEvent(type,
            { pointerId: id, clientX: box.x + x, clientY: box.y + y, bubbles: true, pointerType: "touch" }));
          send("pointerdown", 1, 100, 100);
          send("pointerdown", 2, 140, 100);
          send("pointermove", 2, 180, 100);
          send("pointerup", 1, 100, 100);
          send("pointerup", 2, 180, 100);
        }"""
    )
    settle(page)
    assert page.evaluate("window.explorer.state.view.zoom") == pytest.approx(2.0)
    assert page.evaluate("window.explorer.state.individual") is None


def test_brush_over_the_map_filters_individuals_curves_and_species(visit, surprise_scene):
    page = visit("one")
    box = map_box(page)
    curves = page.evaluate("document.querySelector('#curves canvas').toDataURL()")
    start, end = (box["x"] + 20, box["y"] + 20), (box["x"] + 0.6 * box["width"], box["y"] + box["height"] - 20)
    drag(page, start, end, shift=True)
    left, top, right, bottom = page.evaluate("window.explorer.state.brush.box")
    x, y = surprise_scene.values.T
    expected = int(((x >= left) & (x <= right) & (y >= top) & (y <= bottom)).sum())
    assert 0 < expected < 240
    assert f"{expected} of 240" in page.locator(".selection").inner_text()
    assert "ancestors" in page.locator(".selection").inner_text()
    assert page.evaluate("document.querySelector('#curves canvas').toDataURL()") != curves
    rows = page.evaluate("window.explorer.toCsv(window.explorer.panels)").splitlines()
    assert len(rows) == 1 + expected
    page.locator("#tab-species").click()
    settle(page)
    assert "selected" in page.locator("table.species thead").inner_text()
    page.locator("#tab-run").click()
    page.locator("#clear").click()
    settle(page)
    assert page.evaluate("window.explorer.state.brush") is None


def test_brush_tool_without_shift_selects_in_all_runs_with_the_same_plane(visit):
    page = visit("two", width=1400)
    page.locator(".run").nth(1).get_by_label("Select a rectangle").click()
    box = map_box(page, 1)
    drag(page, (box["x"] + 30, box["y"] + 60), (box["x"] + 300, box["y"] + 300))
    assert page.evaluate("window.explorer.panels.map((panel) => panel.map.focus !== null)") == [True, True]
    assert parameters(page)["brush"].startswith("2_")
    page.keyboard.press("Escape")
    settle(page)
    assert page.evaluate("window.explorer.state.brush") is None


def test_species_under_the_pointer_is_isolated_and_a_click_keeps_it(visit):
    page = visit("one", "#tab=species")
    before = canvas_of(page)
    chip = page.locator(".legend .chip").first
    chip.hover()
    settle(page)
    assert canvas_of(page) != before
    page.mouse.move(2, 2)
    settle(page)
    assert canvas_of(page) == before
    page.locator("table.species tbody tr").first.click()
    settle(page)
    page.mouse.move(2, 2)
    settle(page)
    assert page.evaluate("window.explorer.state.species") is not None
    assert "species" in parameters(page)
    assert re.match(r"Species \d+, from", page.locator(".caption").inner_text())


def test_species_legend_at_the_end_of_a_run_has_one_colour_per_species(visit):
    page = visit("one")
    colours = page.locator(".legend .chip").evaluate_all(
        "chips => chips.map(({textContent}) => explorer.palette.species(explorer.runs[0], parseInt(textContent)))"
    )
    assert len(colours) > 1
    assert len(set(colours)) == len(colours)


def test_phylogeny_of_a_run_has_the_times_and_parents_of_the_history(visit, surprise_scene):
    page = visit("one", "#tab=species")
    phylogeny = page.evaluate("window.explorer.tabs.species.tree.species")
    labels, parents = surprise_scene.history.species, surprise_scene.history.parents[:, 0]
    living = {name for generation in surprise_scene.history.generations for name in generation.species}
    assert {entry["id"] for entry in phylogeny} == set(labels.tolist()) & living
    for entry in phylogeny:
        founder = int(np.flatnonzero(labels == entry["id"])[0])
        first = next(
            generation for generation in surprise_scene.history.generations if entry["id"] in generation.species
        )
        assert entry["from"] == first.first  # the number of the first evaluation of the generation
        parent = parents[founder]
        assert entry["parent"] == (-1 if parent < 0 else labels[parent])
        assert entry["members"] == int((labels == entry["id"]).sum())


def test_selected_best_has_the_first_parents_of_the_history(visit, surprise_scene):
    page = visit("one")
    best = int(surprise_scene.qualities.argmin())
    page.get_by_role("button", name="Select the best").click()
    settle(page)
    assert page.locator("#pane-individual h3").first.inner_text() == f"Robot {best + 1}"
    line = surprise_scene.history.ancestors(best)
    assert page.evaluate("window.explorer.state.lineage.line") == [*reversed(line), best]
    for number in line:
        page.locator("#older").click()
        settle(page)
        assert page.locator("#pane-individual h3").first.inner_text() == f"Robot {number + 1}"
    assert page.locator("#older").is_disabled()
    page.keyboard.press("n")
    settle(page)
    assert parameters(page)["of"] == str(best + 1)


def test_click_on_a_point_selects_it_and_escape_ends_the_selection(visit):
    page = visit("two", "#t=240")
    page.mouse.click(*place_of(page, 1, 200))
    settle(page)
    title = page.locator("#pane-individual h3").first
    assert title.inner_text().startswith("Robot ")
    box = title.bounding_box()
    assert box["y"] < 200
    assert parameters(page)["run"] == "2"
    page.keyboard.press("Escape")
    settle(page)
    assert title.inner_text() == "No individual selected"
    assert "individual" not in parameters(page)


def test_permalink_restores_the_whole_view(visit, surprise_scene):
    best = int(surprise_scene.qualities.argmin())
    address = (
        f"#t={max(190, best + 1)}&colour=score&layer=elites&memory=1&focus=2&run=2&individual={best + 1}&step=57"
        "&view=0.4_0.5_2&speed=2&theme=dark"
    )
    page = visit("two", address)
    assert page.evaluate("location.hash") == address
    before = [pixels(page, selector) for selector in (".map", ".network", ".lineage", "#curves canvas")]
    page.reload()
    page.wait_for_selector("body.ready")
    settle(page)
    assert [pixels(page, selector) for selector in (".map", ".network", ".lineage", "#curves canvas")] == before
    assert page.locator("#step").input_value() == "57"


def test_address_with_invalid_parts_is_corrected(visit):
    page = visit("one", "#t=99999&colour=taste&run=7&individual=-3&step=x&speed=3&theme=pink&view=1_2&brush=9_1_2_3_4")
    assert parameters(page) == {"t": "240", "colour": "species", "speed": "5"}


def test_memory_switched_on_and_off_restores_the_colour(visit):
    page = visit("two", "#t=200")
    plain = [canvas_of(page, run) for run in (0, 1)]
    page.keyboard.press("e")
    settle(page)
    assert all(canvas_of(page, run) != plain[run] for run in (0, 1))
    legends = page.locator(".legend").all_inner_texts()
    assert re.search(r"archive: \d+", legends[0])
    assert re.search(r"within the threshold [\d.]+", legends[0])
    assert "prediction" in legends[1]
    assert parameters(page)["colour"] == "score"
    page.keyboard.press("e")
    settle(page)
    assert parameters(page)["colour"] == "species"
    assert [canvas_of(page, run) for run in (0, 1)] == plain
    assert page.locator("#memory").inner_text() == "Predictions, archive"


def test_predictions_tab_shows_the_error_of_the_predictions(visit):
    page = visit("one", "#t=240&tab=predictions")
    text = page.locator("#pane-predictions").inner_text()
    assert re.search(r"predictions\s+\d+, \d+ of empty clusters", text)
    assert re.search(r"nearest individual\s+[\d.]+ away", text)
    count = page.evaluate("window.explorer.tabs.predictions.charts.length")
    assert count == 2


@pytest.mark.parametrize(("layer", "numbers"), [("density", r"^1\s*[\d,]+ visits"), ("elites", r"^[\d.]+\s*[\d.]+")])
def test_legend_of_a_grid_has_numbers_at_both_ends(visit, layer, numbers):
    page = visit("one")
    before = canvas_of(page)
    page.locator("#layer").select_option(layer)
    settle(page)
    assert canvas_of(page) != before
    assert re.match(numbers, page.locator(".legend").inner_text())


def test_elites_of_a_run_are_the_best_of_each_cell(visit, surprise_scene):
    page = visit("one", "#layer=elites")
    values = page.evaluate("Array.from(window.explorer.panels[0].map.elites.values)")
    cells = page.evaluate("Array.from({length: 240}, (_, number) => window.explorer.panels[0].map.elites.cell(number))")
    for cell in set(cells):
        members = np.flatnonzero(np.array(cells) == cell)
        assert values[cell] == pytest.approx(surprise_scene.qualities[members].min(), abs=0.01)


def test_label_of_a_solution_at_the_right_edge_stays_inside(visit):
    page = visit("one")
    texts = page.evaluate(
        """() => {
          const { map, canvas } = window.explorer.panels[0];
          map.run.solution = 200;
          map.run.x[200] = map.run.bounds[2] - 1;
          const written = [];
          const context = canvas.getContext("2d");
          const original = context.fillText.bind(context);
          context.fillText = (text, x, y) => {
            written.push([text, x, x + context.measureText(text).width]);
            original(text, x, y);
          };
          map.draw(window.explorer.state);
          const labels = written.filter(([text]) => text.startsWith("first solution"));
          return labels.map(([, from, to]) => [from, to, canvas.clientWidth]);
        }"""
    )
    ((start, end, width),) = texts
    assert start >= 0
    assert end <= width


def test_drive_goes_step_by_step_with_its_network(visit):
    page = visit("one")
    page.get_by_role("button", name="Select the best").click()
    settle(page)
    move_slider(page, "#step", 10)
    before = canvas_of(page), pixels(page, ".network")
    move_slider(page, "#step", 300)
    assert canvas_of(page) != before[0]
    assert pixels(page, ".network") != before[1]
    assert parameters(page)["step"] == "300"
    page.locator("#drive").click()
    page.wait_for_function("!window.explorer.state.driving")
    settle(page)
    assert page.evaluate("window.explorer.state.step === window.explorer.state.drive.steps")


def test_sensors_on_the_page_read_what_the_robot_reads(visit):
    page = visit("one")
    maze, rng = read_maze("medium"), np.random.default_rng(1)
    left, top, right, bottom = maze.bounds
    for _ in range(50):
        x, y, heading = rng.uniform((left, top, 0), (right, bottom, 360)).tolist()
        readings = page.evaluate(f"Array.from(explorer.sense(explorer.runs[0].maze, {x}, {y}, {heading}))")
        assert readings == pytest.approx(sense(maze, (x, y), heading).tolist(), abs=1e-9)


def test_network_of_the_five_rangefinder_robot_has_its_inputs(visit, surprise_scene):
    page = visit("one")
    page.evaluate("explorer.runs[0].maze.robot = 'five-rangefinder'")
    page.evaluate(f"explorer.select(0, {int(surprise_scene.qualities.argmin())})")
    poses = page.evaluate("explorer.state.drive.poses.slice(0, 20)")
    inputs = page.evaluate("explorer.state.drive.inputs.slice(0, 20).map((one) => Array.from(one))")
    maze = read_maze("medium")
    for (x, y, heading), readings in zip(poses, inputs, strict=True):
        assert readings == pytest.approx(sense(maze, (x, y), heading, robot="five-rangefinder").tolist(), abs=1e-9)


def test_network_on_the_page_has_the_activations_of_the_network(visit, surprise, surprise_scene):
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


def test_network_with_silent_nodes_has_the_activations_of_the_network(visit, surprise, surprise_scene):
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
