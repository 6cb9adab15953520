"""Acrobot: NEAT networks apply torque to the middle joint of two links, to swing the free end above a line.

The command `divergent run examples/gallery/acrobot.py` executes the runs. Every time step costs 1 until the free
end is above the line, for at most 500 steps. A return of -100, gymnasium's threshold, counts as solved. Every
unsuccessful episode has a return of -500, so the fitness has no gradient before the first success. The behaviour is the
frequency of each torque.

The task is Acrobot-v1 of gymnasium, from "Generalization in Reinforcement Learning" (Sutton, NIPS 1996).
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
