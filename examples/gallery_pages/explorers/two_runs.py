"""Explorer of two runs

The explorer plays a run of objective search and a run of novelty search side by side, at equal numbers of evaluations.

The two runs use the hard maze and the same seed. The figure below the explorer shows the final positions of all robots.

Tags: explorer, maze, objective, novelty
"""

from matplotlib import pyplot

import divergent
from divergent import Settings, run
from divergent.plots import draw_maze, label

shared = {"maze": "hard", "seed": 2, "generations": 30}
records = [run(Settings(search=search, **shared)) for search in ("objective", "novelty")]
divergent.explore(*records, out="two_runs.html")
figure, panels = pyplot.subplots(1, 2, figsize=(8, 4), layout="constrained")
for axes, record in zip(panels, records, strict=True):
    draw_maze(record.maze, ax=axes, positions=record.positions)
    axes.set_title(label(record.settings.search), loc="center")
pyplot.show()
