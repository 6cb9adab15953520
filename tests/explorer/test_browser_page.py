"""Themes, exports and kinds of pages of the explorer in a browser."""

import csv
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from browser import canvas_of, map_box, parameters, place_of, settle

from divergent.explorer._batch import RunSummary, overview

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["one", "two", "history", "plane"])
@pytest.mark.parametrize("width", [390, 800, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_page_of_any_width_and_theme_has_nothing_outside_the_window(visit, name, width, theme):
    page = visit(name, "#individual=50", width=width, color_scheme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("window.explorer.palette.theme") == theme
    for tab in ("run", "species", "predictions", "individual"):
        page.evaluate(f"window.explorer.openTab('{tab}')")
        settle(page)
        assert page.locator(".panes").evaluate("panes => panes.scrollWidth <= panes.clientWidth"), tab


def test_theme_button_overrules_the_theme_of_the_system(visit):
    page = visit("one", color_scheme="dark")
    page.locator("#theme").click()
    settle(page)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(244, 244, 242)"
    assert parameters(page)["theme"] == "light"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_embedded_page_follows_the_theme_that_its_host_sends(browser, pages, tmp_path, theme):
    host = tmp_path / "host.html"
    frame = f'<iframe src="{pages["one"].as_uri()}" style="width: 900px; height: 700px"></iframe>'
    host.write_text(f"<!doctype html><title>host</title>{frame}")
    context = browser.new_context(color_scheme="light" if theme == "dark" else "dark")
    page = context.new_page()
    page.goto(host.as_uri())
    page.frame_locator("iframe").locator("body.ready").wait_for()
    page.evaluate(f"document.querySelector('iframe').contentWindow.postMessage({{explorerTheme: '{theme}'}}, '*')")
    page.frame_locator("iframe").locator(f"html[data-theme={theme}]").wait_for()
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_notebook_page_follows_the_theme_of_the_notebook(browser, surprise_scene, tmp_path, theme):
    from divergent.explorer._page import page_of

    notebook = tmp_path / "notebook.html"
    frame = page_of([surprise_scene])._repr_html_()
    notebook.write_text(f'<!doctype html><html data-theme="{theme}"><title>cell</title><body>{frame}', encoding="utf-8")
    context = browser.new_context()
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(notebook.as_uri())
    inside = page.frame_locator("iframe")
    inside.locator("body.ready").wait_for()
    inside.locator(f"html[data-theme={theme}]").wait_for()
    inside.get_by_role("button", name="Select the best").click()
    inside.locator(".network").wait_for()
    context.close()
    assert messages == []


@pytest.mark.parametrize("kind", ["png", "svg", "csv"])
def test_export_saves_the_view_as_a_file(visit, kind, tmp_path, surprise_scene):
    page = visit("one", "#t=200&memory=1")
    page.locator("#export summary").click()
    with page.expect_download() as download:
        page.locator(f"#save-{kind}").click()
    assert download.value.suggested_filename == f"explorer-200.{kind}"
    path = tmp_path / f"file.{kind}"
    download.value.save_as(path)
    if kind == "png":
        from PIL import Image

        box = map_box(page)
        assert Image.open(path).size == pytest.approx((2 * box["width"], 2 * (box["height"] + 26)), abs=2)
    elif kind == "svg":
        root = ElementTree.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"start", "goal", "Surprise search"} <= set(texts)
    else:
        rows = list(csv.DictReader(path.open()))
        assert len(rows) == 200
        assert [int(row["evaluation"]) for row in rows] == list(range(1, 201))
        assert float(rows[7]["x"]) == pytest.approx(surprise_scene.values[7, 0], abs=0.01)
        assert int(rows[150]["first_parent"]) == surprise_scene.history.parents[150, 0] + 1
        assert int(rows[150]["species"]) == surprise_scene.history.species[150]


def test_page_of_many_dimensions_shows_principal_components_and_a_picker(visit, history):
    page = visit("history")
    assert page.locator(".status").inner_text().startswith(f"generation 5, {len(history)} evaluations")
    assert page.evaluate("explorer.runs[0].axes[0]").startswith("principal component 1")
    before = canvas_of(page)
    page.locator("#across").select_option("0")
    page.locator("#up").select_option("3")
    settle(page)
    assert page.evaluate("explorer.runs[0].axes") == ["behaviour 1", "behaviour 4"]
    assert parameters(page)["plane"] == "1_4"
    assert canvas_of(page) != before
    shown = page.evaluate("Array.from(explorer.runs[0].x)")
    assert shown == pytest.approx(history.behaviours[:, 0].tolist(), abs=1e-3)
    page.get_by_role("button", name="Select the best").click()
    settle(page)
    best = int(history.fitness.argmin())
    assert page.locator("#pane-individual h3").first.inner_text() == f"Individual {best + 1}"
    assert page.locator("#memory").inner_text() == "Archive"
    assert page.locator(".stones").is_visible()


def test_page_with_axes_and_limits_has_them_on_the_map(visit):
    page = visit("plane")
    assert page.evaluate("explorer.runs[0].bounds") == [-1, -2, 3, 4]
    assert page.evaluate("explorer.runs[0].axes") == ["length", "height"]
    assert page.locator("h1").inner_text() == "A plane"
    assert page.locator("#plane").is_hidden()
    shown = page.evaluate("explorer.toSvg(explorer.panels, explorer.state, explorer.palette)")
    assert ">length</text>" in shown
    assert ">height</text>" in shown
    assert shown.count("<image") == 2
    page.evaluate("explorer.select(0, 0)")
    settle(page)
    assert page.locator("img.render").evaluate("image => [image.complete, image.naturalWidth > 10]") == [True, True]


def test_page_of_a_record_that_cannot_be_repeated_shows_positions_and_the_best_drive(visit, hostile):
    page = visit("hostile")
    assert page.locator(".status").inner_text().startswith("generation 7, 240 evaluations")
    assert "could not be repeated" in page.locator(".remark").inner_text()
    assert r"<!--<script>\x1b[2J\ud800\n</script>" in page.locator("h1").inner_text()
    page.mouse.move(*place_of(page, 0, 239))
    settle(page)
    page.get_by_role("button", name="Select the best").click()
    settle(page)
    best = int(np.hypot(*(hostile.positions.astype(float) - hostile.maze.goal).T).argmin())
    assert page.locator("#pane-individual h3").first.inner_text() == f"Robot {best + 1}"
    assert page.evaluate("explorer.state.drive.steps") == len(hostile.trail) - 1
    page.evaluate(f"explorer.select(0, {(best + 1) % 240})")
    settle(page)
    assert "final position of this robot" in page.locator(".drive").inner_text()


def test_page_loads_nothing_but_itself(browser, pages):
    context = browser.new_context()
    page, requested = context.new_page(), []
    page.on("request", lambda request: requested.append(request.url))
    page.goto(pages["plane"].as_uri())
    page.wait_for_selector("body.ready")
    page.evaluate("explorer.select(0, 0)")
    settle(page)
    context.close()
    assert {address for address in requested if not address.startswith("data:")} == {pages["plane"].as_uri()}


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_overview_of_many_runs_shows_curves_map_and_small_multiples(visit, width, theme):
    page = visit("batch", width=width, height=860, color_scheme=theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".multiple").count() == 6
    for name in (".survival", ".heat"):
        assert page.locator(name).bounding_box()["height"] > 150
    assert page.locator(".groups").inner_text().count(": 3 runs") == 2
    assert "Best distance to the goal" in page.locator("#overview h2").first.inner_text()  # no run is solved
    assert page.evaluate("overview.palette.theme") == theme


def test_overview_orders_runs_by_outcome_and_opens_the_clicked_one(visit, batch_records):
    page = visit("batch")
    order = page.evaluate("overview.batch.byOutcome(overview.shown).map((run) => [run.solved, run.best])")
    assert order == sorted(order, key=lambda pair: (not pair[0], pair[1]))
    first = page.evaluate("overview.batch.byOutcome(overview.shown)[0].index")
    page.locator(".multiple").first.click()
    page.wait_for_function("window.explorer && !window.explorer.frame")
    record = batch_records[first]
    assert page.evaluate("explorer.runs[0].evaluations") == record.evaluations
    assert page.evaluate("Array.from(explorer.runs[0].x)") == pytest.approx(record.positions[:, 0].tolist(), abs=0.01)
    assert page.evaluate("location.hash").startswith(f"#open={first + 1}&")
    assert "of 3 by outcome" in page.locator("#pane-run").inner_text()
    page.locator("#back").click()
    assert page.locator("#overview").is_visible()


def test_overview_of_records_alone_names_the_option_for_species(visit):
    page = visit("batch", "#open=1")
    page.locator("#tab-species").click()
    settle(page)
    assert "--repeat" in page.locator("#pane-species").inner_text()
    page.locator("#tab-predictions").click()
    settle(page)
    assert "--repeat" in page.locator("#pane-predictions").inner_text()


@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_overview_with_repeats_opens_a_run_with_species_and_predictions(visit, surprise_scene, width, theme):
    page = visit("repeated", width=width, height=860, color_scheme=theme)
    page.evaluate("overview.open([6])")
    page.wait_for_function("window.explorer && window.explorer.frame === null")
    history = surprise_scene.history
    assert page.evaluate("Array.from(explorer.runs[0].species)") == history.species.tolist()
    assert page.evaluate("Array.from(explorer.runs[0].predictions0)") == pytest.approx(
        np.concatenate(
            [
                generation.memory["predictions"]
                for generation in history.generations
                if "predictions" in generation.memory
            ]
        )[:, 0],
        abs=0.01,
    )
    page.locator("#tab-species").click()
    settle(page)
    members = {name: int((history.species == name).sum()) for name in set(history.species.tolist())}
    shown = page.evaluate("explorer.tabs.species.tree.species.map(({id, members}) => [id, members])")
    assert dict(shown) == {name: count for name, count in members.items() if name in dict(shown)}
    assert len(shown) >= 1
    page.locator("#tab-predictions").click()
    settle(page)
    assert "nearest individual" in page.locator("#pane-predictions").inner_text()


def test_overview_link_to_an_open_run_brings_back_its_view(visit):
    page = visit("repeated", "#open=7&t=150&colour=score&memory=1&tab=predictions")
    assert page.evaluate("explorer.state.memory")
    assert page.evaluate("explorer.clock.moment") == 150
    assert page.locator("#pane-predictions").is_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("location.hash").startswith("#open=7&t=150")
    page.locator("#back").click()
    page.locator("#kind").select_option("final")
    assert page.evaluate("location.hash") == "#kind=final"


def test_overview_with_two_chosen_runs_compares_them_on_one_clock(visit):
    page = visit("batch")
    page.locator(".multiple").nth(0).click(modifiers=["Shift"])
    page.locator(".multiple").nth(3).click(modifiers=["Shift"])
    page.wait_for_function("window.explorer && !window.explorer.frame")
    assert page.locator(".map").count() == 2
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.locator(".map").count() == 2


def test_overview_of_one_group_counts_its_visits_only(visit, batch_records):
    page = visit("batch")
    page.locator(".group").first.click()
    page.locator("#kind").select_option("visits")
    assert page.locator(".multiple").count() == 3
    total = page.evaluate("overview.values.reduce((sum, value) => sum + value, 0)")
    assert total == sum(record.evaluations for record in batch_records[:3])


def test_overview_of_two_hundred_long_runs_has_less_than_ten_megabytes(browser, tmp_path):
    rng = np.random.default_rng(1)
    points = rng.uniform(0, 10, (30_000, 2))
    curve = np.column_stack([np.arange(1, 301) * 100, np.linspace(9, 1, 300)])
    runs = [
        RunSummary(
            group=search,
            search=search,
            seed=seed,
            solved=seed % 2 == 0,
            evaluations=len(points),
            budget=len(points),
            population=100,
            points=rng.permutation(points),
            qualities=np.zeros(len(points)),
            curve=curve,
            trail=points[:60],
            stones=points[:30],
        )
        for search in ("novelty", "surprise")
        for seed in range(100)
    ]
    dimensions = [{"name": name, "low": 0.0, "high": 10.0} for name in "xy"]
    data = overview(runs, "200 runs", dimensions, measure="fitness", smaller=True)
    path = data.page().write(tmp_path / "many.html")
    assert path.stat().st_size < 10_000_000
    context = browser.new_context(viewport={"width": 1400, "height": 860})
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_selector("body.ready")
    assert page.locator(".multiple").count() == 200
    assert page.locator(".groups").inner_text().count("50 of 100") == 2
    assert page.locator("#overview h2").first.inner_text() == "Runs solved"
    print(f"ready after {page.evaluate('performance.now()'):.0f} ms, {path.stat().st_size / 1e6:.1f} MB")
    context.close()


def test_live_page_grows_with_the_run_and_stays_after_its_end(browser, steps_of):
    from divergent.explorer.live import Watch

    history, steps = steps_of(12)
    watch = Watch(history, budget=10_000)
    loop = watch.steps(steps)
    for _ in range(45):
        next(loop)
    context = browser.new_context(viewport={"width": 1400, "height": 860})
    page = context.new_page()
    page.goto(watch.url)
    page.wait_for_selector("body.ready")
    before = page.evaluate("explorer.runs[0].evaluations")
    watch._next_build = 0.0
    for _ in range(100):
        next(loop)
    page.wait_for_function(f"explorer.runs[0].evaluations > {before}")
    assert "running" in page.locator("#live").inner_text()
    assert "per second" in page.locator("#live").inner_text()
    known = page.evaluate("explorer.runs[0].evaluations")
    watch.close()
    page.wait_for_selector("#live .stopped", timeout=15_000)
    assert f"first {known} evaluations" in page.locator("#live").inner_text()
    page.evaluate("explorer.seek(30)")
    settle(page)
    assert page.locator("#now").inner_text() == f"30 of {known}"
    context.close()
