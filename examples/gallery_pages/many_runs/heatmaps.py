"""Heatmaps of many runs

The heatmaps show the final positions of all robots in stored runs of novelty search and surprise search, on a common
colour scale.

The black circle marks the start, and the white circle marks the goal.

Tags: maze, heatmap, entropy
"""

from pathlib import Path

import numpy as np
from matplotlib import pyplot

import divergent
from divergent.analysis import entropy
from divergent.maze import read_maze
from divergent.plots import draw_heatmaps, label

RESULTS = Path(divergent.__file__).parents[1] / "results"
pairs = []
with np.load(RESULTS / "authored" / "visits.npz") as visits:
    for maze in ("medium", "hard"):
        for search in ("novelty", "surprise"):
            counts = visits[f"{maze}/{search}"]
            title = f"{label(maze)}, {label(search)}: entropy {entropy(counts):.2f}"
            pairs.append((title, read_maze(maze), counts))
panels = draw_heatmaps(pairs, columns=2)
panels[0].figure.set_size_inches(8, 6.4)
pyplot.show()
