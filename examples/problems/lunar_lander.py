"""LunarLander of gymnasium with linear policies; requires the package gymnasium[box2d].

The command `divergent run examples/problems/lunar_lander.py --search novelty --jobs 2` executes the runs. The behaviour
is the position and the angle of the lander at the end of an episode.
"""

import random

import numpy as np
from deap import base, creator, tools

import divergent
from divergent.problems.gymnasium import GymTask

creator.create("LanderReturn", divergent.Fitness, weights=(1.0,))
creator.create("LanderPolicy", list, fitness=creator.LanderReturn)


def end(episode):
    """Return the final position and angle of the lander, clipped to the limits of the screen."""
    return np.clip(episode.observations[-1][[0, 1, 4]], (-1.5, -0.5, -3.2), (1.5, 2.0, 3.2))


task = GymTask("LunarLander-v3", behaviour=end, episodes=3)


def make_toolbox(rng):
    toolbox = base.Toolbox()
    toolbox.register("individual", lambda: creator.LanderPolicy(random.gauss(0, 1) for _ in range(4 * 9)))
    toolbox.register("population", tools.initRepeat, list, toolbox.individual)
    toolbox.register("evaluate", task)
    toolbox.register("mate", tools.cxUniform, indpb=0.5)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.3, indpb=0.3)
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "lunar_lander",
    make_toolbox,
    solved=task.solved,
    defaults={"population": 50, "generations": 40, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
)
