"""Along a spiral

Novelty search explores a spiral from the centre outwards, although neighbouring turns of the spiral are close in the
plane.

The genotype of an individual is one angle, and Gaussian mutation changes the angle. The behaviour descriptor is the
position on the spiral, a point in the plane.

Tags: DEAP, novelty, distance
"""

import math
import random

import numpy as np
from deap import base, creator, tools
from matplotlib import pyplot

import divergent
from divergent.selection import Novelty

LAST = 12 * math.pi
creator.create("Angle", divergent.Fitness, weights=(1.0,))
creator.create("Walker", list, fitness=creator.Angle)


def evaluate(walker):
    angle = min(max(walker[0], 0.0), LAST)
    return divergent.Outcome((angle,), behaviour=(angle * math.cos(angle), angle * math.sin(angle)))


random.seed(2)
toolbox = base.Toolbox()
toolbox.register("evaluate", evaluate)
toolbox.register("mutate", tools.mutGaussian, mu=0, sigma=0.4, indpb=1)
strategy = Novelty(neighbours=5, threshold=0.5, rng=np.random.default_rng(2))
tournament = {"select": tools.selTournament, "tournsize": 3}
toolbox.register("select", divergent.by_score, strategy=strategy, **tournament)
behaviours, generations = [], []
population = [creator.Walker([random.random()]) for _ in range(60)]
for step in divergent.evolve(population, toolbox, 80, survive="plus", cxpb=0, mutpb=1):
    behaviours += [individual.fitness.behaviour for individual in step.offspring]
    generations += [step.generation] * len(step.offspring)

figure, axes = pyplot.subplots(figsize=(5.8, 4.8), layout="constrained")
angles = np.linspace(0, LAST, 2000)
axes.plot(angles * np.cos(angles), angles * np.sin(angles), color="0.8", linewidth=0.8)
points = axes.scatter(*np.array(behaviours).T, c=generations, s=8, cmap="cividis")
axes.set(aspect="equal", title="positions by generation")
figure.colorbar(points, label="generation")
pyplot.show()
