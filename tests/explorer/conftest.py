import dataclasses
import os
import random

import numpy as np
import pytest
from browser import browser_program, launch, settle
from deap import base, creator, tools
from documents import HOME, blocks_of, ran

import divergent
from divergent import History, Outcome, Settings, read, run, steady_state
from divergent.explorer import explore
from divergent.explorer._page import page_of
from divergent.explorer._rerun import scene_of_record
from divergent.explorer._scene import scene_of
from divergent.problem import Problem
from divergent.selection import Novelty

HOW = "the explorer's tests need Chromium (Debian: apt-get install chromium) and playwright (pip install playwright)"

creator.create("ExploredFitness", divergent.Fitness, weights=(-1.0,))
creator.create("ExploredPoint", list, fitness=creator.ExploredFitness)


def record_of(search):
    return run(Settings(maze="medium", search=search, population=30, generations=8, seed=1))


@pytest.fixture(scope="session")
def surprise():
    """The record of a small run."""
    return record_of("surprise")


@pytest.fixture(scope="session")
def surprise_scene(surprise):
    return scene_of_record(surprise)


@pytest.fixture(scope="session")
def novelty_scene():
    return scene_of_record(record_of("novelty"))


@pytest.fixture(scope="session")
def outskirts(tmp_path_factory):
    """The record of a run with a documented custom strategy, which is not registered in this process."""
    blocks = blocks_of((HOME / "docs" / "howto" / "own_strategy.md").read_text(encoding="utf-8"), "python")
    code = next(text for text in blocks if "class Outskirts" in text)
    settings = "maze='medium', search='outskirts', population=30, generations=8, seed=1"
    folder = tmp_path_factory.mktemp("outskirts")
    ran(f"{code}\nimport divergent\ndivergent.run(divergent.Settings({settings}), out='runs')", folder)
    return read(folder / "runs" / "medium-outskirts" / "seed-0001")


@pytest.fixture(scope="session")
def hostile(outskirts):
    """The same record in a maze whose name attacks terminals, pages and encoders."""
    name = "<!--<script>\x1b[2J\ud800\n</script>"
    return dataclasses.replace(outskirts, maze=outskirts.maze._replace(name=name))


@pytest.fixture(scope="session")
def history():
    """The history of a small problem that has no maze: five numbers, behaviours of all five."""
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda point: Outcome((float(np.abs(point).sum()),), behaviour=tuple(point)))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
    points = [creator.ExploredPoint([random.random() for _ in range(5)]) for _ in range(20)]
    strategy = Novelty(neighbours=3, threshold=0.2)
    history = History(strategy=strategy)
    for _ in history.watch(steady_state(points, toolbox, strategy, generations=6)):
        pass
    return history


@pytest.fixture(scope="session")
def plane_page():
    """The page of a problem with two behaviour dimensions, named axes, limits, a background and renderings."""
    random.seed(1)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", lambda point: Outcome((float(np.abs(point).sum()),), behaviour=tuple(point)))
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
    points = [creator.ExploredPoint([random.random(), random.random()]) for _ in range(20)]
    strategy = Novelty(neighbours=3, threshold=0.2)
    history = History(strategy=strategy, keep=True)
    for _ in history.watch(steady_state(points, toolbox, strategy, generations=6)):
        pass
    problem = Problem(
        "plane",
        toolbox=lambda rng: toolbox,
        title="A plane",
        axes=("length", "height"),
        limits=((-1, 3), (-2, 4)),
        draw=lambda axes: axes.plot([0, 1], [0, 1], color="tab:red"),
        render=lambda point: np.full((20, 30, 3), min(max(point[0], 0.0), 1.0)),
    )
    return explore(history, problem=problem, title=problem.title, individuals=dict(enumerate(history.individuals)))


@pytest.fixture
def steps_of():
    """A function that returns the history of a small loop, and the loop."""

    def make(generations):
        random.seed(1)
        toolbox = base.Toolbox()
        toolbox.register("evaluate", lambda point: Outcome((float(np.abs(point).sum()),), behaviour=tuple(point)))
        toolbox.register("mate", tools.cxUniform, indpb=0.5)
        toolbox.register("mutate", tools.mutGaussian, mu=0.0, sigma=0.2, indpb=0.5)
        points = [creator.ExploredPoint([random.random(), random.random()]) for _ in range(20)]
        strategy = Novelty(neighbours=3, threshold=0.2, rng=np.random.default_rng(1))
        return History(strategy=strategy), steady_state(points, toolbox, strategy, generations=generations)

    return make


@pytest.fixture(scope="session")
def batch_records():
    """Records of two searches with three seeds each."""
    return [
        run(Settings(maze="medium", search=search, population=20, generations=4, seed=seed))
        for search in ("novelty", "random")
        for seed in range(3)
    ]


@pytest.fixture(scope="session")
def pages(tmp_path_factory, surprise, surprise_scene, novelty_scene, history, hostile, plane_page, batch_records):
    """Pages in files: two runs in a maze, one run, histories without a maze, and a record that cannot be repeated."""
    folder = tmp_path_factory.mktemp("pages")
    scenes = {"two": [novelty_scene, surprise_scene], "one": [surprise_scene], "history": [scene_of(history)]}
    scenes["hostile"] = [scene_of_record(hostile)]
    files = {name: page_of(parts).write(folder / f"{name}.html") for name, parts in scenes.items()}
    files["plane"] = plane_page.write(folder / "plane.html")
    files["batch"] = explore(*batch_records).write(folder / "batch.html")
    files["repeated"] = explore(*batch_records, surprise, repeat=True).write(folder / "repeated.html")
    return files


@pytest.fixture(scope="session")
def browser():
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        sync_playwright = None
    if sync_playwright is None or browser_program() is None:
        (pytest.fail if os.environ.get("DIVERGENT_BROWSER") == "required" else pytest.skip)(HOW)
    with sync_playwright() as playwright, launch(playwright) as instance:
        yield instance


@pytest.fixture
def visit(browser, pages):
    """A function that opens a page at an address and waits for it; afterwards its console must be empty."""
    messages, contexts = [], []

    def opened(name, address="", width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.goto(pages[name].as_uri() + address)
        page.wait_for_selector("body.ready")
        settle(page)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert messages == []
