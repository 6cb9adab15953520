"""Success over deceptiveness

The figure shows the success rates of novelty search and surprise search against the failure rate of objective search in
60 generated mazes.

Each marker shows one or more mazes. To reduce overlap, the markers of novelty search are shifted to the left by one
percentage point, and the markers of surprise search to the right.

Tags: statistics, regression, generated mazes
"""

from pathlib import Path

import pandas as pd
from matplotlib import pyplot

import divergent
from divergent.analysis import deceptiveness
from divergent.plots import draw_regression

RESULTS = Path(divergent.__file__).parents[1] / "results"
runs = pd.read_csv(RESULTS / "generated" / "runs.csv", low_memory=False)
draw_regression(deceptiveness(runs, ("novelty", "surprise")))
pyplot.show()
