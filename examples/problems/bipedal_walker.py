"""BipedalWalker of gymnasium with NEAT networks; requires the package gymnasium[box2d].

The command `divergent run examples/problems/bipedal_walker.py --search novelty --jobs 2` executes the runs. The
behaviour is the fraction of steps in which each joint has low, middle and high torque.
"""

from deap import base

import divergent
from divergent import neat
from divergent.problems.gymnasium import GymTask

task = GymTask("BipedalWalker-v3", behaviour="actions", steps=400)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=25, outputs=4, rng=rng)
    toolbox.register("evaluate", task)
    return toolbox


problem = divergent.Problem(
    "bipedal_walker",
    make_toolbox,
    solved=task.solved,
    defaults={"population": 50, "generations": 20, "loop": "steady"},
)
