"""Sensitivity to a parameter

The figure shows the mean number of evaluations of surprise search as a function of the number of clusters, from 960
stored runs.

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
