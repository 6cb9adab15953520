"""A custom maze

The program writes a maze file, computes the shortest path to the goal, and solves the maze with surprise search.

Tags: maze, surprise, shortest path
"""

from pathlib import Path

from matplotlib import pyplot

from divergent import Settings, run
from divergent.maze import read_maze, shortest_path
from divergent.plots import draw_maze

Path("corridor.txt").write_text(
    """7
20 180
0
180 20
0 0 200 0
200 0 200 200
200 200 0 200
0 200 0 0
60 200 60 60
120 0 120 140
160 200 160 70
"""
)
maze = read_maze("corridor.txt")
length, path = shortest_path(maze)
record = run(Settings(maze="corridor.txt", search="surprise", seed=0, generations=100, steps=400))
figure, axes = pyplot.subplots(figsize=(4.5, 4.6), layout="constrained")
draw_maze(maze, ax=axes, trail=record.trail, path=path)
axes.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3, frameon=False)
axes.set_title(f"shortest path {length:.0f} units; solved: {record.solved}", loc="center")
pyplot.show()
