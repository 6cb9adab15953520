"""The archive of a run

The best individual in each cell of a grid over the behaviour space, with coverage and QD score.

Tags: maze, quality diversity, coverage, QD score
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.analysis import elites_of_record
from divergent.plots import draw_elites, label

figure, panels = pyplot.subplots(1, 2, figsize=(9.5, 4.4), layout="constrained")
for axes, search in zip(panels, ("objective", "novelty"), strict=True):
    record = run(Settings(maze="hard", search=search, seed=2, generations=60))
    elites = elites_of_record(record)
    draw_elites(elites, ax=axes, maze=record.maze)
    axes.set_title(f"{label(search)}: coverage {elites.coverage:.0%}", loc="center")
pyplot.show()
