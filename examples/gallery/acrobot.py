"""Acrobot: swing two links above a line, with torque only at the joint: divergent run examples/gallery/acrobot.py.

Every step costs 1 until the tip is above the line, 500 steps at most, and a return of -100 counts as solved
(gymnasium's threshold). Until the first success every return is -500, so the fitness has no gradient. Individuals are
NEAT networks; the behaviour is the frequency of each torque.

R. S. Sutton, Generalization in Reinforcement Learning, NIPS 1996; gymnasium, Acrobot-v1.
"""

from deap import base, tools

import divergent
from divergent import neat
from divergent.problems.gymnasium import GymTask


def make_toolbox(rng):
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=7, outputs=3, rng=rng)
    toolbox.register("evaluate", GymTask("Acrobot-v1", behaviour="actions", seed=int(rng.integers(2**31))))
    toolbox.register("select", tools.selTournament, tournsize=3)
    return toolbox


problem = divergent.Problem(
    "acrobot",
    make_toolbox,
    solved=lambda values: values[0] >= -100,
    defaults={"population": 50, "generations": 10, "loop": "plus", "cxpb": 0.3, "mutpb": 0.7},
    axes=("torque -1", "torque 0", "torque 1"),
    limits=((0, 1), (0, 1), (0, 1)),
    title="Acrobot",
)
