"""Generated mazes

Recursive division generates five mazes from five seeds, and novelty search runs for 40 generations in each maze.

Tags: maze, generated, novelty
"""

from matplotlib import pyplot

from divergent import Settings, run
from divergent.plots import draw_maze

figure, panels = pyplot.subplots(1, 5, figsize=(12, 2.8), layout="constrained")
for axes, seed in zip(panels, (2, 7, 11, 19, 23), strict=True):
    record = run(Settings(maze=f"generated:{seed}", search="novelty", seed=0, generations=40))
    draw_maze(record.maze, ax=axes, trail=record.trail)
    axes.set_title(f"seed {seed}: {'solved' if record.solved else 'not solved'}", loc="center", fontsize=9)
pyplot.show()
