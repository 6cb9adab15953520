"""Generated mazes

Recursive division generates five mazes from five seeds, and novelty search runs for 40 generations in each maze.

Blue lines are the trajectories of the best robots. Novelty search solves eight of the mazes with seeds 1 to 30 in 40
generations; the figure shows three of these mazes and two others.

Tags: maze, generated, novelty
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots import draw_maze

figure, panels = pyplot.subplots(1, 5, figsize=(9.5, 2.5), layout="constrained")
for axes, seed in zip(panels, (4, 8, 9, 11, 19), strict=True):
    settings = Settings(maze=f"generated:{seed}", search="novelty", seed=0, generations=40)
    record = run(settings)
    draw_maze(record.maze, ax=axes, trail=record.trail)
    end = "solved" if record.solved else "not solved"
    axes.set_title(f"seed {seed}: {end}", loc="center", fontsize=10)
handles, labels = axes.get_legend_handles_labels()
figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
pyplot.show()
