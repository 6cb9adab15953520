"""Novelty search with three reference sets in the hard maze, compared with objective and surprise search.

The command `divergent run examples/gallery/reference_sets.py --runs 20` executes the runs. The nearest neighbours of
novelty search come from the archive only, from the population only, or from both. The maze is Lehman and Stanley's hard
maze. A robot within 5 units of the goal solves the maze.

The maze is from "Abandoning Objectives" (Lehman and Stanley, Evolutionary Computation, 2011). Reference
sets are compared in "Devising Effective Novelty Search Algorithms" (Gomes, Mariano and Christensen, GECCO 2015).
"""

from functools import partial

from deap import base, tools

import divergent
from divergent import neat, plots
from divergent.maze import MazeTask, read_maze
from divergent.selection import Novelty, Objective, Surprise

maze = read_maze("hard")
left, top, right, bottom = maze.bounds
task = MazeTask(maze)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=11, outputs=2, rng=rng)
    toolbox.register("evaluate", task)
    toolbox.register("map", divergent.batch_map)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "reference_sets",
    make_toolbox,
    solved=task.solved,
    defaults={"population": 250, "generations": 100, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    searches={
        "objective": Objective,
        "novelty": Novelty,
        "surprise": Surprise,
        "novelty, archive only": partial(Novelty, reference="archive"),
        "novelty, population only": partial(Novelty, archiving="none"),
    },
    axes=("x", "y"),
    limits=((left, right), (top, bottom)),
    draw=lambda axes: plots.draw_maze(maze, ax=axes),
    title="Reference sets in the hard maze",
)
