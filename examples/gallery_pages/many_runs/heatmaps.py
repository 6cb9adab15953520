"""Heatmaps of many runs

The heatmaps show the final positions of all robots in stored runs of novelty search and surprise search, on a common
colour scale.

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
            (name,) = [name for name in visits.files if name.startswith(maze) and search in name.split("/")[-1:][0]][:1]
            counts = visits[name]
            pairs.append((f"{label(maze)}, {label(search)}: entropy {entropy(counts):.2f}", read_maze(maze), counts))
draw_heatmaps(pairs)
pyplot.show()
