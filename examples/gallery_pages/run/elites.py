"""The archive of a run

The colour of a grid cell shows the fitness of its elite, the best individual of the cell.

The titles show coverage and QD score. Coverage is the fraction of occupied cells. The QD score is the sum of the
fitness of all elites, relative to the fitness at the maze corner farthest from the goal.

Tags: maze, quality diversity, coverage, QD score
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.analysis import elites_of_record
from divergent.plots import draw_elites, label

figure, panels = pyplot.subplots(1, 2, figsize=(8.8, 4.2), layout="constrained")
for axes, search in zip(panels, ("objective", "novelty"), strict=True):
    record = run(Settings(maze="hard", search=search, seed=2, generations=60))
    elites = elites_of_record(record)
    draw_elites(elites, ax=axes, maze=record.maze, bar=False)
    colours = axes.collections[0]
    colours.set_clim(50, 300)  # the same colour scale in both panels; 300 is the fitness at the goal
    quality = f"coverage {elites.coverage:.0%}, QD score {elites.qd_score:,.0f}"
    axes.set_title(f"{label(search)}: {quality}", loc="center", fontsize=10)
figure.colorbar(colours, ax=panels, label="fitness of the elite")
pyplot.show()
