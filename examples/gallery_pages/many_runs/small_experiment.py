"""A small experiment

The program runs objective search and novelty search five times each in the medium maze, and draws Kaplan-Meier curves
of the runs.

Tags: maze, records, Kaplan-Meier
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.analysis import kaplan_meier, success_rates, tabulate
from divergent.plots import draw_kaplan_meier

records = [
    run(Settings(maze="medium", search=search, seed=seed, generations=60))
    for search in ("objective", "novelty")
    for seed in range(5)
]
runs = tabulate(records)
print(success_rates(runs)[["search", "solved", "runs"]].to_string(index=False))
draw_kaplan_meier(kaplan_meier(runs))
pyplot.show()
