"""NSGA-II with two objectives, distance to the goal and surprise, on the problem of `roof.py`."""

import random

import numpy as np
from deap import algorithms, base, tools
from roof import evaluate, walkers

from divergent.selection import Objective, Surprise, by_score


def front(seed, generations=50):
    """Return the Pareto front of the scores in the last generation of a run."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", evaluate)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
    near, surprising = Objective(), Surprise(clusters=20, rng=np.random.default_rng(seed))
    toolbox.register("select", by_score, strategy=[near, surprising], select=tools.selNSGA2)
    final, _ = algorithms.eaMuPlusLambda(
        walkers(50), toolbox, mu=50, lambda_=50, cxpb=0.5, mutpb=0.5, ngen=generations, verbose=False
    )
    scores = {walker.fitness.score for walker in final}
    return sorted(score for score in scores if not any(other[0] > score[0] and other[1] > score[1] for other in scores))


if __name__ == "__main__":
    for nearness, surprise in front(1):
        print(f"{-nearness:.2f} from the goal, surprise {surprise:.2f}")
