"""NEAT in a DEAP loop that rewards fitness and surprise; the evolved networks compute exclusive or (XOR)."""

import random

import numpy as np
from deap import algorithms, base, tools

from divergent import neat
from divergent.individual import Outcome
from divergent.selection import Blend, Objective, Surprise, by_score

CASES = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], dtype=float)
WANTED = np.array([0, 1, 1, 0])


def evaluate(genome):
    network = neat.express(genome)
    outputs = [network(case)[0] for case in CASES]
    return Outcome((4 - np.abs(outputs - WANTED).sum(),), behaviour=outputs)


def most_right(seed, generations=60):
    """Return the best fitness of a run; the highest possible fitness is 4."""
    rng = np.random.default_rng(seed)
    random.seed(seed)
    toolbox = base.Toolbox()
    neat.register(toolbox, inputs=2, outputs=1, hidden=2, bias_node=True, feed_forward=True, rng=rng)
    toolbox.register("evaluate", evaluate)
    strategy = Blend({Objective(): 1, Surprise(clusters=40, rng=rng): 1})
    toolbox.register("select", by_score, strategy=strategy, select=tools.selTournament, tournsize=3)
    best = tools.HallOfFame(1)
    algorithms.eaMuPlusLambda(
        toolbox.population(n=100),
        toolbox,
        mu=100,
        lambda_=100,
        cxpb=0.3,
        mutpb=0.7,
        ngen=generations,
        halloffame=best,
        verbose=False,
    )
    return best[0].fitness.values[0]


if __name__ == "__main__":
    print(f"{most_right(1):.2f} of 4")
