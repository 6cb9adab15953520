"""Visited cells over time

The curves show the number of grid cells with at least one final position, for three searches in the hard maze.

Tags: maze, coverage, novelty, surprise, objective
"""

import numpy as np
from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots import line

CELL = 10
figure, axes = pyplot.subplots(figsize=(6.4, 4), layout="constrained")
for search in ("objective", "novelty", "surprise"):
    record = run(Settings(maze="hard", search=search, seed=5, generations=60))
    cells = [tuple(cell) for cell in (record.positions // CELL).astype(int).tolist()]
    seen, counts = set(), []
    for cell in cells:
        seen.add(cell)
        counts.append(len(seen))
    axes.plot(np.arange(1, len(counts) + 1), counts, **line(search))
axes.set(xlabel="evaluations", ylabel=f"visited cells of {CELL} x {CELL} units")
axes.legend(frameon=False)
pyplot.show()
