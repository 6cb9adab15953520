"""Survival curves

Kaplan-Meier curves show the fraction of successful runs, with 95 % confidence bands, from 100 stored runs of each
search in each maze.

Tags: statistics, Kaplan-Meier, maze
"""

from pathlib import Path

import pandas as pd
from matplotlib import pyplot

import divergent
from divergent.analysis import kaplan_meier
from divergent.plots import by_maze, draw_kaplan_meier

RESULTS = Path(divergent.__file__).parents[1] / "results"
runs = pd.read_csv(RESULTS / "authored" / "runs.csv", low_memory=False)
searches = ["objective", "novelty", "surprise", "ssnp"]
runs = runs[runs["maze"].isin(["medium", "hard"]) & runs["search"].isin(searches)]
by_maze(draw_kaplan_meier, kaplan_meier(runs))
pyplot.show()
