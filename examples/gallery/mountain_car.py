"""MountainCarContinuous, a task in which standing still is a local optimum.

The command `divergent run examples/gallery/mountain_car.py` executes the runs. The motor of the car is too weak to
climb the hill directly, so the car must build up momentum. The motor costs up to 0.1 per time step, and reaching the
flag is rewarded with 100. A return of 90, gymnasium's threshold, counts as solved. Individuals are NEAT networks with
the unscaled position and velocity as inputs. By default, `GymTask` scales the inputs to the range from -1 to 1. With
scaled inputs, the task is not deceptive: 18 of 1,000 random networks solve it. The behaviour is the leftmost and the
rightmost position of the car.

The task is MountainCarContinuous-v0 of gymnasium, from "Efficient Memory-based Learning for Robot Control" (Moore,
1990).
"""

from deap import base, tools

import divergent
from divergent import neat
from divergent.problems.gymnasium import GymTask

ENVIRONMENT = "MountainCarContinuous-v0"


def controller(genome):
    network = neat.express(genome)
    return lambda observation: 2 * network.activate((1.0, *observation)) - 1


def reach(episode):
    position = episode.observations[:, 0]
    return position.min(), position.max()


def make_toolbox(rng):
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=3, outputs=1, rng=rng)
    task = GymTask(ENVIRONMENT, controller=controller, behaviour=reach, seed=int(rng.integers(2**31)))
    toolbox.register("evaluate", task)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "mountain_car",
    make_toolbox,
    solved=lambda values: values[0] >= 90,
    defaults={"population": 50, "generations": 30, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    axes=("leftmost position", "rightmost position"),
    limits=((-1.2, 0.6), (-1.2, 0.6)),
    title="MountainCarContinuous",
)
