"""NSGA-II with the task's fitness and a search's score as its two objectives, on the walk round a roof."""

import random

import numpy as np
from deap import algorithms, base, creator, tools
from roof import evaluate

import divergent
from divergent.selection import Surprise

creator.create("NearAndSurprising", divergent.Fitness, weights=(-1.0, 1.0))
creator.create("Walker", list, fitness=creator.NearAndSurprising)


def with_room_for_the_score(steps):
    outcome = evaluate(steps)
    return divergent.Outcome((outcome[0], 0.0), outcome.behaviour)


def by_both(individuals, k, strategy):
    """Score everybody, put the score beside the fitness, and let NSGA-II choose."""
    for individual, score in zip(individuals, strategy(individuals), strict=True):
        both = (individual.fitness.values[0], float(score))
        individual.fitness.values = divergent.Outcome(both, individual.fitness.behaviour)
    return tools.selNSGA2(individuals, k)


def front(seed, generations=50):
    """The last generation's best trade-offs between nearness and surprise."""
    random.seed(seed)
    toolbox = base.Toolbox()
    toolbox.register("evaluate", with_room_for_the_score)
    toolbox.register("mate", tools.cxTwoPoint)
    toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=0.3)
    toolbox.register("select", by_both, strategy=Surprise(clusters=20, rng=np.random.default_rng(seed)))
    walkers = [creator.Walker(random.gauss(0, 1) for _ in range(8)) for _ in range(50)]
    final, _ = algorithms.eaMuPlusLambda(
        walkers, toolbox, mu=50, lambda_=50, cxpb=0.5, mutpb=0.5, ngen=generations, verbose=False
    )
    return tools.sortNondominated(final, len(final), first_front_only=True)[0]


if __name__ == "__main__":
    for walker in sorted(front(1), key=lambda walker: walker.fitness.values):
        print("{:.2f} from the goal, surprise {:.2f}".format(*walker.fitness.values))
