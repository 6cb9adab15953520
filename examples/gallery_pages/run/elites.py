"""The archive of a run

The colour of a grid cell shows the fitness of its elite, the best individual of the cell.

The titles show the coverage, the fraction of occupied cells.

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
