"""Valid arguments."""

import numpy as np
from deap import base, tools

import divergent
from divergent import maze, neat
from divergent.individual import MaximisedFitness


def rng():
    return np.random.default_rng(1)


def rows(count=12, width=2):
    return lambda: np.random.default_rng(count * width).uniform(0, 100, (count, width))


def genome(inputs=3, outputs=2):
    return lambda: evaluated(divergent.Genome.start(inputs, outputs, rng=rng()), 1.0)


def genomes():
    population = [divergent.Genome.start(3, 2, rng=np.random.default_rng(seed)) for seed in range(8)]
    return [evaluated(individual, float(number)) for number, individual in enumerate(population)]


def evaluated(individual, value, behaviour=(0.0, 1.0)):
    individual.fitness.values = divergent.Outcome((value,), behaviour=behaviour)
    return individual


class Walker(list):
    """Individual that is a list of numbers; the behaviour of the individual is the same list."""

    def __init__(self, numbers):
        super().__init__(numbers)
        self.fitness = MaximisedFitness()


def walkers(count=12):
    return lambda: [Walker(row) for row in rows(count)().tolist()]


def walked():
    return [evaluated(walker, walker[0], tuple(walker)) for walker in walkers()()]


def toolbox():
    made = base.Toolbox()
    made.register("evaluate", lambda walker: divergent.Outcome((walker[0],), behaviour=tuple(walker)))
    made.register("mate", tools.cxBlend, alpha=0.2)
    made.register("mutate", tools.mutGaussian, mu=0, sigma=1, indpb=1)
    made.register("select", tools.selTournament, tournsize=2)
    return made


def outcomes(count=12, width=2):
    return lambda: divergent.Outcomes(np.arange(float(count)), rows(count, width)())


def box():
    walls = np.array([(0, 0, 100, 0), (100, 0, 100, 80), (100, 80, 0, 80), (0, 80, 0, 0), (50, 0, 50, 40)], float)
    return maze.Maze("box", (20.0, 20.0), 0.0, (80.0, 20.0), walls)


def network(inputs=11, outputs=2):
    return lambda: neat.express(divergent.Genome.start(inputs, outputs, rng=rng()))


def divided():
    species = neat.Species(threshold=2.0, rng=rng())
    species.assign(genomes())
    return species


def tracks():
    return np.random.default_rng(3).uniform(0, 9, (4, 5, 2))


def value(constant):
    return lambda: constant
