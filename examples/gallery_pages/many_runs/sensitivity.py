"""Sensitivity to a parameter

Mean evaluations of surprise search against the number of clusters, in 960 stored runs in two mazes.

Tags: statistics, sensitivity, surprise
"""

from pathlib import Path

import pandas as pd
from matplotlib import pyplot

import divergent
from divergent.analysis import sensitivity
from divergent.plots import by_maze, draw_sensitivity

RESULTS = Path(divergent.__file__).parents[1] / "results"
runs = pd.read_csv(RESULTS / "sensitivity-surprise" / "runs.csv", low_memory=False)
by_maze(draw_sensitivity, sensitivity(runs))
pyplot.show()
