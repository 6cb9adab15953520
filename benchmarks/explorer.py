"""Measure frame times of explorer pages in Chromium: python benchmarks/explorer.py [PAGE.html ...].

Without arguments, the script measures a page of 60,000 individuals whose behaviours follow a random walk. For each
page, the script prints the time between frames and the drawing time of a frame during playback and zooming. The script
also prints the time that the page needs to find the individual under the mouse pointer.
"""

import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from playwright.sync_api import sync_playwright

from divergent import History, Outcome
from divergent.explorer import explore
from divergent.individual import MaximisedFitness
from divergent.loops import Step

COUNT, POPULATION = 60_000, 250
FRAMES = 120
PLAY = """async (frames) => {
  const { explorer } = window;
  const draw = explorer.draw.bind(explorer);
  const [work, between] = [[], []];
  let before = null;
  explorer.draw = (now) => {
    const start = performance.now();
    draw(now);
    work.push(performance.now() - start);
  };
  explorer.clock.moment = explorer.clock.limit / 2;
  explorer.clock.speed = 20;
  explorer.clock.playing = true;
  explorer.change();
  await new Promise((resolve) => {
    const tick = (now) => {
      if (before !== null) between.push(now - before);
      before = now;
      if (between.length < frames) requestAnimationFrame(tick);
      else resolve();
    };
    requestAnimationFrame(tick);
  });
  explorer.clock.playing = false;
  explorer.draw = draw;
  return [between, work];
}"""
ZOOM = """(frames) => {
  const { explorer } = window;
  if (!explorer.setView) return null;
  return Array.from({ length: frames }, (_, frame) => {
    explorer.setView({ x: 0.5, y: 0.5, zoom: 1 + frame / frames });
    const start = performance.now();
    explorer.draw(start);
    return performance.now() - start;
  });
}"""
FIND = """(frames) => {
  const { map, canvas } = window.explorer.panels[0];
  return Array.from({ length: frames }, (_, frame) => {
    const start = performance.now();
    map.find((canvas.clientWidth * frame) / frames, canvas.clientHeight / 2);
    return performance.now() - start;
  });
}"""


def random_walk():
    """Return the history of a population whose behaviours follow a random walk."""
    rng = np.random.default_rng(1)
    history = History()
    behaviours = np.cumsum(rng.normal(size=(COUNT, 2)), axis=0)
    for first in range(0, COUNT, POPULATION):
        individuals = []
        for behaviour in behaviours[first : first + POPULATION]:
            individual = SimpleNamespace(fitness=MaximisedFitness())
            individual.fitness.values = Outcome((float(behaviour[0]),), behaviour=behaviour)
            individuals.append(individual)
        history.note(Step(first // POPULATION, first + POPULATION, individuals, individuals))
    return history


def quantiles(times):
    """Format the median and the 95 % quantile of times in milliseconds."""
    return f"median {statistics.median(times):6.2f} ms, 95 % {sorted(times)[int(0.95 * len(times))]:6.2f} ms"


def measure(browser, path):
    """Measure and print the frame times of one explorer page."""
    page = browser.new_page(viewport={"width": 1400, "height": 860})
    page.goto(path.resolve().as_uri())
    page.wait_for_selector("body.ready")
    individuals = page.evaluate("explorer.runs.reduce((sum, run) => sum + run.x.length, 0)")
    print(f"{path.name}: {individuals:,} individuals")
    between, work = page.evaluate(PLAY, FRAMES)
    print(f"  playing, between frames  {quantiles(between)}")
    print(f"  playing, drawing         {quantiles(work)}")
    if zoom := page.evaluate(ZOOM, FRAMES):
        print(f"  zooming, drawing         {quantiles(zoom)}")
    print(f"  finding a point          {quantiles(page.evaluate(FIND, FRAMES))}")
    page.close()


def main(pages):
    """Measure the given explorer pages, or a generated page of a random walk."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        if not pages:
            pages = [Path(folder) / "random_walk.html"]
            explore(random_walk(), out=pages[0])
        with playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"]) as browser:
            for path in pages:
                measure(browser, Path(path))


if __name__ == "__main__":
    main(sys.argv[1:])
